# SPDX-License-Identifier: GPL-2.0-or-later
"""Outputs are never in the way of an input, of each other, or of what nobody named."""

import os
import shutil
import zipfile
from pathlib import Path

import pytest
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsProperty,
    QgsVectorLayer,
    QgsVectorLayerJoinInfo,
)

from tests.processing.helpers import (
    Feedback,
    layer,
    leftovers,
    opened,
    points,
    refusal,
    saved,
)
from tests.processing.writer import (
    COLUMNS,
    CRS,
    FIELDS,
    XY,
    Writer,
    refused,
    write,
    write_all,
    write_points,
)


@pytest.fixture(autouse=True)
def _project(project):
    yield


def contents(folder: Path) -> dict:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def never(outputs, progress):
    raise AssertionError("work was done")


def written(path: Path, ending: str, count: int = 5) -> Path:
    """A layer in a file of its own."""
    rows = [(number, f"person {number}") for number in range(count)]
    a_layer = layer(points(count), fields="age:int,name:string(20)", rows=rows)
    return Path(saved(a_layer, path.with_suffix(ending)))


# --- files that belong together -----------------------------------------------------------------


@pytest.mark.parametrize(
    "ending, targets",
    [
        (".shp", {"OUTPUT": "in.dbf"}),
        (".shp", {"TABLE": "in.dbf"}),
        (".shp", {"JSON": "in.prj"}),
        (".shp", {"JSON": "in.cpg"}),
        (".shp", {"REPORT": "in.shp.xml"}),
        (".shp", {"JSON": "in.qix"}),
        (".shp", {"JSON": "IN.DBF"}),
        (".shp", {"OUTPUT": "IN.SHP"}),
        (".tab", {"JSON": "in.dat"}),
        (".tab", {"JSON": "in.map"}),
        (".gpkg", {"JSON": "in.gpkg-wal"}),
        (".gpkg", {"OUTPUT": "In.gpkg"}),
        (".csv", {"JSON": "in.csvt"}),
        (".geojson", {"JSON": "in.qmd"}),
    ],
)
def test_nothing_is_written_over_a_part_of_the_input(tmp_path, ending, targets):
    path = written(tmp_path / "in", ending)
    before = contents(tmp_path)
    targets = {name: str(tmp_path / file) for name, file in targets.items()}
    name = "MORE" if ending == ".csv" else "INPUT"
    sentence = refused(never, {name: str(path), **targets})
    assert Path(*targets.values()).name in sentence and "Choose another" in sentence
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "targets",
    [
        {"OUTPUT": "r.shp", "TABLE": "r.dbf"},
        {"OUTPUT": "r.dbf", "LINES": "r.shp"},
        {"OUTPUT": "r.shp", "JSON": "r.prj"},
        {"OUTPUT": "r.tab", "JSON": "r.dat"},
        {"OUTPUT": "r.gpkg", "JSON": "r.gpkg-journal"},
        {"OUTPUT": "r.gpkg", "LINES": "R.GPKG"},
        {"OUTPUT": "r.gml", "JSON": "r.xsd"},
    ],
)
def test_a_release_and_a_private_output_share_no_part(tmp_path, targets):
    targets = {name: str(tmp_path / file) for name, file in targets.items()}
    sentence = refused(never, targets)
    assert "private" in sentence and "given away" in sentence
    assert leftovers(tmp_path) == []


def test_two_releases_share_no_part(tmp_path):
    sentence = refused(never, {"OUTPUT": str(tmp_path / "r.shp"), "OTHER": str(tmp_path / "r.dbf")})
    assert "r.shp" in sentence and "r.dbf" in sentence and "overwrite each other" in sentence


def test_names_that_share_a_stem_but_no_file_are_fine(tmp_path):
    path = written(tmp_path / "r", ".geojson")
    targets = {
        "OUTPUT": "r.shp",
        "LINES": "r.gpkg",
        "TABLE": "r.csv",
        "REPORT": "r.html",
        "JSON": "r.json",
    }
    targets = {name: str(tmp_path / file) for name, file in targets.items()}
    before = path.read_bytes()
    done = write(write_all, {"INPUT": str(path), **targets})
    assert {name: done[name] for name in targets} == targets
    assert path.read_bytes() == before and opened(targets["OUTPUT"]).featureCount() == 20


def test_the_key_does_not_get_into_the_released_shapefile(tmp_path):
    """The same through an algorithm, as it was seen."""
    sentence = refusal(
        "voronoimask",
        {
            "INPUT": layer(points(30)),
            "OUTPUT": str(tmp_path / "r.shp"),
            "KEY": str(tmp_path / "r.dbf"),
        },
    )
    assert "r.shp" in sentence and "r.dbf" in sentence
    assert leftovers(tmp_path) == []


def test_a_run_that_nobody_checked_is_refused_too(tmp_path):
    """Models and scripts can start an algorithm without asking it about its parameters."""
    path = written(tmp_path / "in", ".shp")
    before = contents(tmp_path)
    Writer.work = staticmethod(never)
    algorithm = Writer()
    algorithm.initAlgorithm()
    context, feedback = QgsProcessingContext(), Feedback()
    parameters = {"INPUT": str(path), "TABLE": str(tmp_path / "in.dbf")}
    results, good = algorithm.run(parameters, context, feedback)
    assert not good and results == {} and "in.dbf" in feedback.said
    assert contents(tmp_path) == before


# --- sources behind sources ---------------------------------------------------------------------

VRT = (
    "<OGRVRTDataSource>{start}<OGRVRTLayer name='in'><SrcDataSource relativeToVRT='1'>in.shp"
    "</SrcDataSource></OGRVRTLayer>{end}</OGRVRTDataSource>"
)
UNION = {"start": "<OGRVRTUnionLayer name='all'>", "end": "</OGRVRTUnionLayer>"}


@pytest.mark.parametrize("parts", [{"start": "", "end": ""}, UNION], ids=["layer", "union"])
@pytest.mark.parametrize("target", ["in.shp", "in.dbf"])
def test_the_source_of_a_virtual_format(tmp_path, parts, target):
    written(tmp_path / "in", ".shp")
    (tmp_path / "v.vrt").write_text(VRT.format(**parts))
    before = contents(tmp_path)
    refused(never, {"INPUT": str(tmp_path / "v.vrt"), "OUTPUT": str(tmp_path / target)})
    assert contents(tmp_path) == before


def test_a_virtual_format_of_a_virtual_format(tmp_path):
    written(tmp_path / "in", ".shp")
    (tmp_path / "v.vrt").write_text(VRT.format(**UNION))
    text = VRT.format(**UNION).replace("in.shp", "v.vrt").replace("name='in'", "name='all'")
    (tmp_path / "w.vrt").write_text(text)
    refused(never, {"INPUT": str(tmp_path / "w.vrt"), "OUTPUT": str(tmp_path / "in.shp")})


def test_an_archive(tmp_path):
    path = written(tmp_path / "in", ".shp")
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for one in tmp_path.glob("in.*"):
            if one.suffix != ".zip":
                archive.write(one, one.name)
    for source in (tmp_path / "in.zip", f"/vsizip/{tmp_path / 'in.zip'}/in.shp"):
        source = QgsVectorLayer(str(source), "zipped", "ogr")
        assert source.isValid()
        sentence = refused(never, {"INPUT": source, "JSON": str(tmp_path / "in.zip")})
        assert "in.zip" in sentence
    (tmp_path / "v.vrt").write_text(
        VRT.format(start="", end="")
        .replace("in.shp", f"/vsizip/{tmp_path / 'in.zip'}")
        .replace("relativeToVRT='1'", "")
    )
    path.unlink()
    refused(never, {"INPUT": str(tmp_path / "v.vrt"), "JSON": str(tmp_path / "in.zip")})


def test_a_virtual_layer(tmp_path, project):
    path = written(tmp_path / "in", ".shp")
    shown = QgsVectorLayer(str(path), "people", "ogr")
    project.addMapLayer(shown)
    for uri in (
        f'?layer=ogr:{path}:in&query=select * from "in"',
        f"?layer_ref={shown.id()}",
        "?query=select * from people",
    ):
        virtual = QgsVectorLayer(uri, "virtual", "virtual")
        assert virtual.isValid(), uri
        sentence = refused(never, {"MORE": virtual, "TABLE": str(tmp_path / "in.dbf")})
        assert "in.dbf" in sentence


def test_a_table_read_as_text_and_a_joined_one(tmp_path, project):
    text = tmp_path / "people of.csv"
    text.write_text("id,x,y\n1,400000,300000\n2,400010,300010\n", encoding="utf-8")
    uri = f"file://{str(text).replace(' ', '%20')}?type=csv&xField=x&yField=y&crs=EPSG:27700"
    read = QgsVectorLayer(uri, "text", "delimitedtext")
    assert read.isValid()
    assert "people of.csv" in refused(never, {"INPUT": read, "OUTPUT": str(text)})
    other = QgsVectorLayer(str(written(tmp_path / "more", ".shp")), "more", "ogr")
    project.addMapLayers([read, other])
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(other)
    join.setTargetFieldName("id")
    join.setJoinFieldName("age")
    assert read.addJoin(join)
    assert "more" in refused(never, {"INPUT": read, "TABLE": str(tmp_path / "more.dbf")})


def test_every_input_counts(tmp_path):
    """Files to be read, and layers of a list."""
    path = written(tmp_path / "in", ".shp")
    (tmp_path / "m.csv").write_text("a\n1\n")
    before = contents(tmp_path)
    refused(never, {"FILE": str(tmp_path / "m.csv"), "TABLE": str(tmp_path / "M.csv")})
    refused(never, {"LAYERS": [str(path)], "TABLE": str(tmp_path / "in.dbf")})
    assert contents(tmp_path) == before


def test_links_lead_to_what_they_name(tmp_path):
    path = written(tmp_path / "in", ".gpkg")
    (tmp_path / "here").mkdir()
    (tmp_path / "there").symlink_to(tmp_path / "here")
    shutil.move(path, tmp_path / "here" / "in.gpkg")
    path = tmp_path / "here" / "in.gpkg"
    os.link(path, tmp_path / "hard.gpkg")
    (tmp_path / "soft.gpkg").symlink_to(path)
    before = contents(tmp_path)
    for target in (tmp_path / "hard.gpkg", tmp_path / "soft.gpkg", tmp_path / "there" / "in.gpkg"):
        refused(never, {"INPUT": str(path), "OUTPUT": str(target)})
        refused(never, {"INPUT": str(target), "OUTPUT": str(path)})
    refused(never, {"OUTPUT": str(tmp_path / "hard.gpkg"), "LINES": str(path)})
    assert contents(tmp_path) == before


# --- what nobody named --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "there, targets",
    [
        (".dbf", {"OUTPUT": "x.shp"}),
        (".prj", {"OUTPUT": "x.shp"}),
        (".shp", {"TABLE": "x.dbf"}),
        (".dat", {"OUTPUT": "x.tab"}),
        (".dbf", {"TABLE": "x.shp"}),
    ],
)
def test_a_file_that_nobody_named_is_not_replaced(tmp_path, there, targets):
    if there == ".shp":
        written(tmp_path / "x", ".shp")
    else:
        (tmp_path / f"x{there}").write_bytes(b"somebody's")
    before = contents(tmp_path)
    sentence = refused(never, {name: str(tmp_path / file) for name, file in targets.items()})
    assert f"x{there}" in sentence and "Choose another name" in sentence
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "targets",
    [
        {"OUTPUT": "x.shp"},
        {"TABLE": "x.shp"},
        {"TABLE": "x.dbf"},
        {"OUTPUT": "x.tab"},
        {"OUTPUT": "x.gml"},
    ],
)
def test_what_was_named_is_replaced_with_all_its_parts(tmp_path, targets):
    def work(outputs, progress):
        write_points(outputs, progress)
        outputs.add_table("TABLE", FIELDS, COLUMNS, progress)

    targets = {name: str(tmp_path / file) for name, file in targets.items()}
    first = write(work, targets)
    (name,) = targets
    targets[name] = first[name]  # a table in x.shp has become x.dbf
    done = write(work, targets)
    assert done[name] == first[name] and opened(done[name]).featureCount() == 20


def test_the_last_guard_stands_before_the_first_move(tmp_path):
    """A file that appears while the run is at work is not replaced either."""
    (tmp_path / "o.gpkg").write_text("mine")

    def work(outputs, progress):
        write_points(outputs, progress)
        outputs.add_points("OTHER", XY, FIELDS, COLUMNS, CRS, progress)
        (tmp_path / "x.dbf").write_text("somebody's")

    before = {"o.gpkg": b"mine", "x.dbf": b"somebody's"}
    sentence = refused(
        work,
        {
            "OUTPUT": str(tmp_path / "o.gpkg"),
            "OTHER": str(tmp_path / "x.shp"),
        },
    )
    assert "x.dbf" in sentence
    assert contents(tmp_path) == before and len(leftovers(tmp_path)) == 2


# --- what is no file ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["OUTPUT", "REPORT"])
def test_pipes_and_devices_are_refused(tmp_path, name):
    pipe = tmp_path / "pipe.gpkg"
    os.mkfifo(pipe)
    link = tmp_path / "link.gpkg"
    link.symlink_to("/dev/null")
    for place in (pipe, link, "/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        sentence = refused(never, {name: str(place)})
        assert str(place) in sentence and "no ordinary file" in sentence
    assert leftovers(tmp_path) == ["link.gpkg", "pipe.gpkg"] and link.is_symlink()


# --- outputs and inputs as they are named ---------------------------------------------------------


def test_no_step_of_a_model_writes_over_what_another_one_reads(tmp_path):
    """The report of the mask replaced the addresses that the attack was to read."""
    places = layer(points(20))
    addresses = saved(places, tmp_path / "addresses.gpkg")
    before = contents(tmp_path)
    steps = {"POINTS": places, "CANDIDATES": addresses, "reverse:ASSIGNED": "TEMPORARY_OUTPUT"}
    assert "addresses.gpkg" in refusal("maskattackreport", {**steps, "mask:REPORT": addresses})
    assert contents(tmp_path) == before


@pytest.mark.parametrize("ending", [".shp", ".mif", ".csv", ".geojson", ".dxf"])
def test_a_file_of_one_layer_is_no_database(tmp_path, ending):
    """QGIS made such a file before it failed, and that stayed there."""
    table = f"ogr:dbname='{tmp_path / 'out'}{ending}' table=\"masked\" (geom)"
    sentence = refusal("voronoimask", {"INPUT": layer(points(5)), "OUTPUT": table})
    assert f"out{ending}" in sentence and "one layer" in sentence
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(
    "name, says", [("a|b", "“|”"), ("a%20b", "“%20”"), ("n" * 250, "too long")]
)
def test_a_database_that_could_not_be_opened_again_is_refused(tmp_path, name, says):
    table = f"ogr:dbname='{tmp_path / name}.gpkg' table=\"masked\" (geom)"
    assert says in refusal("voronoimask", {"INPUT": layer(points(5)), "OUTPUT": table})
    assert leftovers(tmp_path) == []


def test_release_and_private_never_share_a_file(tmp_path):
    path = str(tmp_path / "all.gpkg")
    assert "private" in refused(write_all, {"OUTPUT": path, "LINES": path})
    assert "private" in refused(
        write_all,
        {
            "OUTPUT": f"ogr:dbname='{path}' table=\"points\" (geom)",
            "LINES": f"ogr:dbname='{path}' table=\"lines\" (geom)",
        },
    )
    assert leftovers(tmp_path) == []


def test_two_outputs_never_replace_each_other(tmp_path):
    path = str(tmp_path / "a.gpkg")
    assert "both be written" in refused(write_all, {"OUTPUT": path, "OTHER": path})
    assert "both be written" in refused(
        write_all, {"OUTPUT": path, "OTHER": str(tmp_path / "." / "a.gpkg")}
    )


def test_an_output_never_replaces_the_input(tmp_path):
    path = saved(layer(XY), tmp_path / "a.gpkg")
    content = (tmp_path / "a.gpkg").read_bytes()
    for target in (path, f"ogr:dbname='{path}' table=\"masked\" (geom)"):
        sentence = refused(write_points, {"INPUT": path, "OUTPUT": target})
        assert "a.gpkg" in sentence and "Choose" in sentence
    link = tmp_path / "link.gpkg"
    link.symlink_to(path)
    refused(write_points, {"INPUT": path, "OUTPUT": str(link)})
    assert (tmp_path / "a.gpkg").read_bytes() == content


@pytest.mark.parametrize("selected", [True, False])
@pytest.mark.parametrize("given", ["id", "file", "expression"])
def test_an_output_never_replaces_the_layer_of_which_some_features_are_read(
    tmp_path, project, selected, given
):
    path = saved(layer(XY), tmp_path / "a.gpkg")
    content = (tmp_path / "a.gpkg").read_bytes()
    source = QgsVectorLayer(path, "a", "ogr")
    project.addMapLayer(source)
    source.selectAll()
    named = {
        "id": source.id(),
        "file": path,
        "expression": QgsProperty.fromExpression(f"'{source.id()}'"),
    }[given]
    some = QgsProcessingFeatureSourceDefinition(named, selected)
    assert "a.gpkg" in refused(write_points, {"INPUT": some, "OUTPUT": path})
    assert (tmp_path / "a.gpkg").read_bytes() == content
