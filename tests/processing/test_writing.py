# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays to layers and files: all outputs of a run or none, in every kind of destination."""

import csv
import errno
import io
import json
import os
import subprocess

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import (
    QgsFeature,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingOutputLayerDefinition,
    QgsProject,
    QgsVectorLayer,
    QgsWkbTypes,
)

from geoanon_qgis.processing import styling
from geoanon_qgis.processing.layers import csv_places
from geoanon_qgis.processing.layers.filling import Layers
from tests.processing.helpers import (
    GRID,
    Criticals,
    Feedback,
    assert_sentence,
    coordinates,
    ends,
    layer,
    leftovers,
    opened,
    points,
    records,
    refusal,
    run,
    saved,
)
from tests.processing.writer import (
    COLUMNS,
    CRS,
    FIELDS,
    XY,
    a_report,
    fail,
    refused,
    table_in,
    write,
    write_all,
    write_points,
)


@pytest.fixture(autouse=True)
def _project(project):
    yield


# --- formats ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["gpkg", "shp", "geojson", "csv", "fgb"])
def test_points_go_into_files_of_every_format(tmp_path, ending):
    path = tmp_path / f"points.{ending}"
    done = write(write_points, {"OUTPUT": str(path)})
    assert done["OUTPUT"] == str(path) and done["COUNT"] == 20
    rows = sorted(records(path), key=lambda row: int(row["id"]))  # FlatGeobuf orders by place
    assert [int(row["id"]) for row in rows] == list(range(1, 21))
    assert [row["kind"] for row in rows] == COLUMNS[2]
    assert np.allclose([float(row["size"]) for row in rows], COLUMNS[1])
    if ending == "csv":
        text = path.read_text(encoding="utf-8").splitlines()
        assert text[0].startswith("X,Y,id") and str(XY[0, 0])[:9] in text[1]
    else:
        assert opened(path).crs().authid() == GRID
        written = {int(row["id"]): xy for row, xy in zip(records(path), coordinates(path))}
        assert np.abs([written[i + 1] - XY[i] for i in range(20)]).max() < 1e-6
    names = leftovers(tmp_path)
    assert all(name.startswith("points.") for name in names), names


def test_points_go_into_memory():
    done = write(write_points, {"OUTPUT": "TEMPORARY_OUTPUT"})
    assert isinstance(done["OUTPUT"], QgsVectorLayer)
    assert np.array_equal(coordinates(done["OUTPUT"]), XY)
    assert [row["id"] for row in records(done["OUTPUT"])] == list(range(1, 21))


def test_an_extension_that_nobody_knows_becomes_a_geopackage(tmp_path):
    done = write(write_points, {"OUTPUT": str(tmp_path / "points.xyzzy")})
    assert leftovers(tmp_path) == ["points.xyzzy.gpkg"]
    assert done["OUTPUT"] == str(tmp_path / "points.xyzzy.gpkg")


def test_lines_polygons_and_tables(tmp_path):
    square = QgsGeometry.fromWkt("POLYGON((0 0,4 0,4 4,0 4,0 0))")
    areas = [(square, (1,)), (layer_wkb(square), (2,)), (None, (3,))]

    def work(outputs, progress):
        outputs.add_lines("LINES", XY[:-1], XY[1:], FIELDS[:1], [COLUMNS[0][:-1]], CRS, progress)
        outputs.add_features("AREAS", square.wkbType(), FIELDS[:1], areas, CRS, progress)
        outputs.add_table("TABLE", FIELDS, COLUMNS, progress)

    paths = {name: str(tmp_path / f"{name}.gpkg") for name in ("LINES", "AREAS", "TABLE")}
    write(work, paths)
    assert np.array_equal(ends(paths["LINES"]), np.stack([XY[:-1], XY[1:]], axis=1))
    written = [feature.geometry() for feature in opened(paths["AREAS"]).getFeatures()]
    assert [one.area() for one in written[:2]] == [16, 16] and written[2].isEmpty()
    table = opened(paths["TABLE"])
    assert table.wkbType() == QgsWkbTypes.Type.NoGeometry and table.featureCount() == 20


def layer_wkb(geometry):
    return bytes(geometry.asWkb().data())


@pytest.mark.parametrize("name", ["table.dbf", "table.shp", "table.csv", "table.gpkg"])
def test_a_table_is_where_the_result_says(tmp_path, name):
    done = write(
        lambda outputs, progress: outputs.add_table("TABLE", FIELDS, COLUMNS),
        {"TABLE": str(tmp_path / name)},
    )
    path = done["TABLE"]
    assert os.path.exists(path) and opened(path).featureCount() == 20
    assert path == str(tmp_path / name.replace(".shp", ".dbf"))
    assert not any(one.endswith(".dbf.dbf") for one in leftovers(tmp_path))


def test_points_into_a_dbf_are_a_shapefile(tmp_path):
    done = write(write_points, {"OUTPUT": str(tmp_path / "points.dbf")})
    assert done["OUTPUT"] == str(tmp_path / "points.shp")
    assert opened(done["OUTPUT"]).featureCount() == 20


def test_what_is_missing_stays_missing(tmp_path):
    xy = XY[:3].copy()
    xy[1] = np.nan
    columns = [[1, None, 3], np.array([1.5, np.nan, 2.5]), [None, "b", ""]]
    path = tmp_path / "a.gpkg"
    write(
        lambda outputs, progress: outputs.add_points("OUTPUT", xy, FIELDS, columns, CRS),
        {"OUTPUT": str(path)},
    )
    rows = records(path)
    assert [r["id"] for r in rows] == [1, rows[1]["id"], 3]
    empty = [rows[1]["id"], rows[1]["size"], rows[0]["kind"]]
    assert all(value is None or not value and str(value) == "NULL" for value in empty), empty
    empty = [feature.geometry().isEmpty() for feature in opened(path).getFeatures()]
    assert empty == [False, True, False]


def test_a_layer_of_no_rows(tmp_path):
    path = tmp_path / "none.gpkg"
    nobody = np.empty((0, 2))
    write(
        lambda outputs, progress: outputs.add_points("OUTPUT", nobody, FIELDS, [[], [], []], CRS),
        {"OUTPUT": str(path)},
    )
    assert opened(path).featureCount() == 0 and opened(path).fields().names()[1:] == [
        "id",
        "size",
        "kind",
    ]


def test_what_nobody_asked_for_is_not_made():
    asked = []

    def work(outputs, progress):
        assert not outputs.wanted("LINES") and outputs.wanted("OUTPUT")
        outputs.add_lines("LINES", XY, XY, [], [], CRS, progress)
        outputs.add_report(lambda: asked.append(1))
        write_points(outputs, progress)

    done = write(work, {"OUTPUT": "memory:"})
    assert asked == [] and set(done.results) == {"OUTPUT", "COUNT"}


def test_reports(tmp_path):
    paths = {"REPORT": str(tmp_path / "a.html"), "JSON": str(tmp_path / "a.json")}
    done = write(lambda outputs, progress: outputs.add_report(a_report), paths)
    assert done["REPORT"] == paths["REPORT"] and done["JSON"] == paths["JSON"]
    assert json.loads((tmp_path / "a.json").read_text())["figures"] == {"count": 20}
    assert "Private" in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert leftovers(tmp_path) == ["a.html", "a.json"]


def test_a_temporary_report_is_a_file():
    done = write(
        lambda outputs, progress: outputs.add_report(a_report), {"REPORT": "TEMPORARY_OUTPUT"}
    )
    assert os.path.getsize(done["REPORT"]) > 1000 and done["REPORT"].endswith(".html")


# --- all or nothing ---------------------------------------------------------------------------

EVERYTHING = {
    "OUTPUT": "o.gpkg",
    "LINES": "l.shp",
    "TABLE": "t.csv",
    "REPORT": "r.html",
    "JSON": "r.json",
}


def everything(folder):
    return {name: str(folder / file) for name, file in EVERYTHING.items()}


def snapshot(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def before(folder):
    """Files of an earlier run, one of them with a journal beside it."""
    write(write_all, everything(folder))
    (folder / "unrelated.txt").write_text("mine")
    found = snapshot(folder)
    assert {str(name) for name in found} >= {*EVERYTHING.values(), "l.dbf", "unrelated.txt"}
    return found


@pytest.mark.parametrize("there", [False, True], ids=["new", "existing"])
def test_a_failure_leaves_everything_as_it_was(tmp_path, there):
    found = before(tmp_path) if there else {}

    def work(outputs, progress):
        write_all(outputs, progress)
        fail()

    assert refused(work, everything(tmp_path)).startswith("Nothing works today.")
    assert snapshot(tmp_path) == found
    assert len(leftovers(tmp_path)) == len(found)


@pytest.mark.parametrize("there", [False, True], ids=["new", "existing"])
@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_a_cancel_leaves_everything_as_it_was(tmp_path, there, when):
    found = before(tmp_path) if there else {}
    feedback = Feedback()

    def work(outputs, progress):
        if when == "between":
            write_points(outputs, progress)
            outputs.add_report(a_report)
        if when != "after":
            feedback.cancel()
        if when != "between":
            write_all(outputs, progress)
        else:
            outputs.add_table("TABLE", FIELDS[:1], COLUMNS[:1], progress)
        feedback.cancel()

    done = write(work, everything(tmp_path), feedback)
    assert feedback.isCanceled() and done.results == {}
    assert any("Stopped on request" in line for line in feedback.infos)
    assert snapshot(tmp_path) == found
    assert len(leftovers(tmp_path)) == len(found)


def test_a_cancel_leaves_no_memory_layer():
    feedback = Feedback()

    def work(outputs, progress):
        write_points(outputs, progress)
        feedback.cancel()

    target = QgsProcessingOutputLayerDefinition("memory:", QgsProject.instance())
    done = write(work, {"OUTPUT": target}, feedback)
    assert done.results == {}
    assert not done.context.layersToLoadOnCompletion()
    assert not done.context.temporaryLayerStore().count()


def test_a_crash_is_told_as_a_sentence_and_leaves_nothing(tmp_path):
    def work(outputs, progress):
        write_all(outputs, progress)
        raise ZeroDivisionError("secret 529412.25")

    found = before(tmp_path)
    with Criticals() as criticals, pytest.raises(QgsProcessingException) as error:
        write(work, everything(tmp_path))
    assert "Something unexpected" in str(error.value) and "tracker" not in str(error.value)
    assert "529412" not in str(error.value)
    assert "ZeroDivisionError" in criticals.messages[0]
    assert snapshot(tmp_path) == found


@pytest.mark.parametrize("bad", list(EVERYTHING))
def test_one_impossible_place_stops_all(tmp_path, bad):
    found = before(tmp_path)
    targets = everything(tmp_path)
    targets[bad] = str(tmp_path / "unrelated.txt" / EVERYTHING[bad])
    sentence = refused(write_all, targets)
    assert "unrelated.txt" in sentence
    assert snapshot(tmp_path) == found


def test_the_second_file_cannot_be_replaced(tmp_path, monkeypatch):
    """The first has been moved to its place by then, and is moved back."""
    found = before(tmp_path)
    replace, moved = os.replace, []

    def stubborn(source, target):
        if str(target) == str(tmp_path / "r.html") and str(target) not in moved:
            moved.append(str(target))
            raise PermissionError(13, "Permission denied", str(target))
        moved.append(str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", stubborn)
    with pytest.raises(QgsProcessingException) as error:
        write(write_all, everything(tmp_path))
    monkeypatch.undo()
    assert str(tmp_path / "o.gpkg") in moved
    assert_sentence(str(error.value))
    assert "r.html" in str(error.value)
    assert snapshot(tmp_path) == found


def test_what_cannot_be_put_back_is_kept(tmp_path, monkeypatch):
    """Nobody's file is lost, even where every step fails."""
    found = before(tmp_path)
    replace = os.replace

    def hostile(source, target):
        if str(target) == str(tmp_path / "r.html"):
            raise PermissionError(13, "Permission denied", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", hostile)
    with pytest.raises(QgsProcessingException) as error:
        write(write_all, everything(tmp_path))
    monkeypatch.undo()
    assert_sentence(str(error.value))
    lost = set(found.values()) - set(snapshot(tmp_path).values())
    assert not lost


def test_what_was_there_is_replaced_with_all_that_belongs_to_it(tmp_path):
    before(tmp_path)
    (tmp_path / "o.gpkg-wal").write_text("stale")
    (tmp_path / "l.qix").write_text("stale")
    write(write_all, everything(tmp_path))
    names = leftovers(tmp_path)
    assert "o.gpkg-wal" not in names and "l.qix" not in names and "unrelated.txt" in names
    assert opened(tmp_path / "o.gpkg").featureCount() == 20


def test_a_second_file_of_the_same_stem_is_left_alone(tmp_path):
    for name in ("points.csv", "points.gpkg", "points.txt", "points.shp.txt"):
        (tmp_path / name).write_text(name)
    write(write_points, {"OUTPUT": str(tmp_path / "points.shp")})
    for name in ("points.csv", "points.gpkg", "points.txt", "points.shp.txt"):
        assert (tmp_path / name).read_text() == name


# --- places that cannot be written to ---------------------------------------------------------


def test_below_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    sentence = refused(write_points, {"OUTPUT": str(tmp_path / "file" / "points.gpkg")})
    assert str(tmp_path / "file") in sentence
    assert leftovers(tmp_path) == ["file"]


@pytest.mark.parametrize("name", ["OUTPUT", "REPORT"])
def test_where_nobody_can_write(name):
    file = {"OUTPUT": "points.gpkg", "REPORT": "report.html"}[name]
    assert "/proc" in refused(write_all, {name: f"/proc/{file}"})


def test_a_folder_instead_of_a_file(tmp_path):
    (tmp_path / "points.gpkg").mkdir()
    assert "folder" in refused(write_points, {"OUTPUT": str(tmp_path / "points.gpkg")})
    assert leftovers(tmp_path) == ["points.gpkg"]


@pytest.mark.parametrize("name", ["OUTPUT", "REPORT"])
def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path, name):
    def never(outputs, progress):
        raise AssertionError("work was done")

    file = {"OUTPUT": "points.gpkg", "REPORT": "report.html"}[name]
    path = tmp_path / "new" / "deep" / file
    sentence = refused(never, {name: str(path)})
    assert str(path.parent) in sentence
    assert leftovers(tmp_path) == []


def test_a_write_protected_file(tmp_path, monkeypatch):
    path = tmp_path / "points.gpkg"
    path.write_text("mine")
    path.chmod(0o444)
    if os.access(path, os.W_OK):  # root may write everywhere
        access = os.access
        monkeypatch.setattr(
            os, "access", lambda p, mode, **k: str(p) != str(path) and access(p, mode, **k)
        )
    sentence = refused(write_points, {"OUTPUT": str(path)})
    assert "points.gpkg" in sentence and "protected" in sentence
    assert path.read_text() == "mine" and leftovers(tmp_path) == ["points.gpkg"]


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 320 KiB; only root can make one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=320k", "tmpfs", str(disk)]
    try:
        done = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"no small disk can be mounted: {error}")
    if done.returncode:
        pytest.skip(f"no small disk can be mounted: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize("ending", ["gpkg", "shp", "geojson", "csv"])
def test_a_full_disk(small_disk, ending):
    (small_disk / f"points.{ending}").write_text("mine")
    xy = points(20_000)

    def work(outputs, progress):
        columns = [np.arange(len(xy)), xy[:, 0], ["a text of some length"] * len(xy)]
        outputs.add_points("OUTPUT", xy, FIELDS, columns, CRS, progress)

    sentence = refused(work, {"OUTPUT": str(small_disk / f"points.{ending}")})
    assert "disk is full" in sentence or "disk is not full" in sentence
    assert leftovers(small_disk) == [f"points.{ending}"]
    assert (small_disk / f"points.{ending}").read_text() == "mine"


def test_a_new_geopackage_is_not_waited_for_but_a_database_is(tmp_path, monkeypatch):
    """Waiting for a slow disk takes half a second in which nobody can cancel."""
    option = "OGR_SQLITE_SYNCHRONOUS"
    seen, write_sink = [], Layers._write_sink

    def watched(*given):
        seen.append(gdal.GetThreadLocalConfigOption(option))
        return write_sink(*given)

    monkeypatch.setattr(Layers, "_write_sink", watched)
    gdal.SetThreadLocalConfigOption(option, "NORMAL")
    try:
        write(write_points, {"OUTPUT": str(tmp_path / "a.gpkg")})
        assert seen == ["OFF"] and gdal.GetThreadLocalConfigOption(option) == "NORMAL"
        table = f"ogr:dbname='{tmp_path / 'a.gpkg'}' table=\"more\" (geom)"
        write(write_points, {"OUTPUT": table})
        assert seen[1:] == ["NORMAL"]
    finally:
        gdal.SetThreadLocalConfigOption(option, None)
    assert gdal.GetThreadLocalConfigOption(option) is None
    assert opened(tmp_path / "a.gpkg").featureCount() == 20


def classes(**outputs):
    """Parameters of an algorithm that writes places, one of which is missing, and a table."""
    people = layer([*points(11), None], fields="age:int", rows=[(row % 3,) for row in range(12)])
    return {"INPUT": people, "QIS": ["age"], "K": 2, **outputs}


def test_a_table_in_a_database_is_whole(tmp_path):
    place = table_in(tmp_path / "a.gpkg", "classes")
    done = run("equivalenceclasses", classes(OUTPUT="TEMPORARY_OUTPUT", CLASSES=place))
    assert [row["class_size"] for row in records(done["CLASSES"])] == [4, 4, 4]


def test_no_table_goes_into_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe.gpkg")
    place = table_in(tmp_path / "pipe.gpkg", "classes")
    given = classes(OUTPUT="TEMPORARY_OUTPUT", CLASSES=place)
    assert "is no ordinary file" in refusal("equivalenceclasses", given)


def test_a_database_that_was_not_there_goes_when_another_fails(tmp_path):
    there = saved(layer(points(3)), tmp_path / "there.gpkg")
    outputs = {
        "OUTPUT": table_in(tmp_path / "new.gpkg", "people"),
        "CLASSES": table_in(tmp_path / "no folder" / "b.gpkg", "classes"),
    }
    refusal("equivalenceclasses", classes(**outputs))
    assert leftovers(tmp_path) == ["there.gpkg"] and opened(there).featureCount() == 3


@pytest.mark.parametrize("ending", ["fgb", "tab", "mif", "kml", "kmz", "sqlite"])
@pytest.mark.parametrize("kind, nowhere", [("Point", None), ("MultiPoint", "MULTIPOINT EMPTY")])
def test_no_row_without_a_place_is_left_out_or_put_elsewhere(tmp_path, ending, kind, nowhere):
    people = QgsVectorLayer(f"{kind}?crs=EPSG:4326&field=age:int", "people", "memory")
    for age, place in enumerate(["POINT(1 2)", nowhere, "POINT(3 4)"]):
        one = QgsFeature(people.fields())
        one.setAttributes([age])
        if place:
            one.setGeometry(QgsGeometry.fromWkt(place))
        people.dataProvider().addFeatures([one])
    given = {"INPUT": people, "QIS": ["age"], "K": 2}
    sentence = refusal("equivalenceclasses", {**given, "OUTPUT": str(tmp_path / f"a.{ending}")})
    assert "1 row without a place" in sentence and f"“.{ending}”" in sentence
    assert leftovers(tmp_path) == []
    for ending in ("gpkg", "shp", "geojson", "geojsonl", "csv", "gml", "gdb"):
        done = run("equivalenceclasses", {**given, "OUTPUT": str(tmp_path / f"b.{ending}")})
        places = [one.geometry() for one in opened(done["OUTPUT"]).getFeatures()]
        assert len(places) == 3 and (ending == "csv" or places[1].isEmpty())


def test_a_row_of_a_csv_file_that_has_no_place_is_not_at_zero(tmp_path):
    words = ["plain", 'a "quoted"\nline, and another\n', "0,0", "\r", ""]
    rows = [(one,) for one in words for _ in range(1000)]
    xy = [(float(row), 1.0) if row % 3 else None for row in range(len(rows))]
    people = layer(xy, fields="word:string", rows=rows)
    done = run(
        "equivalenceclasses",
        {"INPUT": people, "QIS": ["word"], "K": 2, "OUTPUT": str(tmp_path / "a.csv")},
    )
    with open(done["OUTPUT"], encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert [one["X"] for one in written] == ["" if one is None else f"{one[0]:.0f}" for one in xy]
    assert [one["Y"] for one in written] == ["" if one is None else "1" for one in xy]
    assert [int(one["original_id"]) for one in written] == list(range(1, len(rows) + 1))


def test_blanks_keep_all_else_in_a_csv_file(tmp_path):
    path = tmp_path / "a.csv"
    text = 'X,Y,a\r\n0,0,"x\r\n1,2,""y"""\r\n3,4,\r\n0,0,ä\r\n'
    path.write_bytes(text.encode("utf-8") + b"5,6,\xff")
    csv_places.blank(path, [0, 2])
    told = text.replace("0,0", ",").encode("utf-8") + b"5,6,\xff"
    assert path.read_bytes() == told and leftovers(tmp_path) == ["a.csv"]
    csv_places.blank(path, [])
    assert path.read_bytes() == told


def full(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("ending", ["html", "json"])
def test_a_full_disk_names_the_report_that_was_asked_for(tmp_path, monkeypatch, ending):
    path = tmp_path / f"told.{ending}"
    monkeypatch.setattr("geoanon_qgis.report.files.os.fsync", full)
    sentence = refusal(
        "voronoimask",
        {
            "INPUT": layer(points(20)),
            "OUTPUT": "TEMPORARY_OUTPUT",
            {"html": "REPORT", "json": "JSON"}[ending]: str(path),
        },
    )
    assert sentence == (
        f"The disk is full: {path} was not written. Free some space and run it again."
    )
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("ending", ["csv", "npz", "parquet"])
def test_a_full_disk_names_the_matrix_that_was_asked_for(tmp_path, monkeypatch, ending):
    if ending == "parquet":
        pytest.importorskip("pyarrow")

    class Full(io.FileIO):
        write = full

    monkeypatch.setattr(
        "geoanon_qgis.core.distances.files.open",
        lambda path, mode: Full(path, mode),
        raising=False,
    )
    path = tmp_path / f"m.{ending}"
    sentence = refusal(
        "lipschitzrelease",
        {
            "INPUT": layer(points(20)),
            "OUTPUT": "TEMPORARY_OUTPUT",
            "MATRIX": str(path),
        },
    )
    assert sentence == (
        f"The disk is full: {path} was not written. Free some space and run it again."
    )
    assert leftovers(tmp_path) == []


def test_a_full_disk_names_the_records_that_were_asked_for(small_disk):
    pytest.importorskip("pyarrow")
    path = small_disk / "people.parquet"
    shares = small_disk.parent / "shares.json"
    groups = {"all": {"sex": [0.5, 0.5], "age": [0.01] * 100}}
    shares.write_text(json.dumps({"groups": groups}), encoding="utf-8")
    regions = layer(points(500), fields="uid:int", rows=[(row,) for row in range(500)])
    sentence = refusal(
        "syntheticrecords",
        {
            "REGIONS": regions,
            "REGION_ID": "uid",
            "SHARES_FILE": str(shares),
            "LEAST": 2_000,
            "MOST": 2_000,
            "PARQUET": str(path),
        },
    )
    assert sentence == (
        f"The disk is full: {path} was not written. Free some space and run it again."
    )
    assert leftovers(small_disk) == []


# --- databases --------------------------------------------------------------------------------


def test_a_table_in_an_existing_geopackage(tmp_path):
    path = saved(layer(XY[:5], name="others"), tmp_path / "mine.gpkg")
    write(write_points, {"OUTPUT": table_in(path, "masked")})
    assert opened(f"{path}|layername=mine").featureCount() == 5
    assert opened(f"{path}|layername=masked").featureCount() == 20


@pytest.mark.parametrize(
    "stop", [fail, lambda outputs, feedback: feedback.cancel()], ids=["failure", "cancel"]
)
def test_a_database_is_untouched_until_all_is_well(tmp_path, stop):
    path = saved(layer(XY[:5], name="others"), tmp_path / "mine.gpkg")
    feedback = Feedback()

    def work(outputs, progress):
        write_points(outputs, progress)
        stop(outputs, feedback)

    try:
        write(work, {"OUTPUT": table_in(path, "masked")}, feedback)
    except QgsProcessingException:
        pass
    a_layer = opened(path)
    names = a_layer.dataProvider().subLayers()
    assert len(names) == 1 and "mine" in names[0]


# --- loading ----------------------------------------------------------------------------------


def to_load(path, name="Mine"):
    definition = QgsProcessingOutputLayerDefinition(str(path), QgsProject.instance())
    definition.destinationName = name
    return definition


def test_layers_are_loaded_from_their_final_place_in_their_style(tmp_path):
    path = tmp_path / "o.gpkg"
    done = write(write_all, {"OUTPUT": to_load(path), "TABLE": to_load("memory:", "Table")})
    waiting = done.context.layersToLoadOnCompletion()
    assert str(path) in waiting and len(waiting) == 2
    details = waiting[str(path)]
    assert details.name == "Mine" and details.outputName == "OUTPUT"
    assert isinstance(details.postProcessor(), styling.StyleOnLoad)
    assert details.postProcessor().origin.role == styling.MASKED
    assert not any(".geoanon" in place for place in waiting)


def test_nothing_is_loaded_that_was_not_written(tmp_path):
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())

    def work(outputs, progress):
        write_points(outputs, progress)
        fail()

    with pytest.raises(QgsProcessingException):
        write(work, {"OUTPUT": to_load(tmp_path / "o.gpkg")}, context=context)
    assert not context.layersToLoadOnCompletion()


def test_scripts_load_nothing(tmp_path):
    done = write(write_points, {"OUTPUT": str(tmp_path / "o.gpkg")})
    assert not done.context.layersToLoadOnCompletion()


def test_what_an_algorithm_promised_it_hands_back(tmp_path):
    """The same through a real algorithm."""
    paths = {name: str(tmp_path / f"{name}.gpkg") for name in ("OUTPUT", "SHIFTS", "KEY")}
    done = run("voronoimask", {"INPUT": layer(points(30)), **paths})
    assert {name: done[name] for name in paths} == paths
    assert leftovers(tmp_path) == ["KEY.gpkg", "OUTPUT.gpkg", "SHIFTS.gpkg"]
    refusal("voronoimask", {"INPUT": layer(points(30)), **paths, "KEY": "/proc/key.gpkg"})


@pytest.mark.parametrize("ending", [".gpkg", ".csv", ".geojson", ""])
@pytest.mark.parametrize(
    "numbers", [[1, 2**63], [-(2**63) - 1, None], [10**40, 1], np.array([1, 2**63], np.uint64)]
)
def test_whole_numbers_beyond_64_bits_are_refused(tmp_path, ending, numbers):
    """QGIS's writers would leave them empty without a word."""

    def put_in(outputs, progress):
        outputs.add_points(
            "OUTPUT", XY[:2], FIELDS, [numbers, [1.0, 1e40], ["a", "b"]], CRS, progress
        )

    path = tmp_path / f"out{ending}"
    sentence = refused(put_in, {"OUTPUT": str(path) if ending else "TEMPORARY_OUTPUT"})
    assert "id" in sentence and "64 bits" in sentence
    assert not path.exists()
