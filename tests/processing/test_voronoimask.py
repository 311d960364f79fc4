# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:voronoimask in QGIS."""

import json
import sys

import numpy as np
import pytest
from pyproj import Geod
from qgis.core import (
    QgsGeometry,
    QgsPoint,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingOutputLayerDefinition,
    QgsWkbTypes,
)

from geoanon_qgis.processing.maps import album
from tests.processing.helpers import (
    DEGREES,
    GRID,
    Feedback,
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

pytestmark = pytest.mark.usefixtures("project")
WGS84 = Geod(ellps="WGS84")
PRIVATE = ("SHIFTS", "CELLS", "KEY")


def mask(source, **more):
    return run("voronoimask", {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", **more})


def refused(source, **more):
    return refusal("voronoimask", {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", **more})


def midpoints(xy):
    """Halfway to the nearest neighbour, by brute force; duplicates stay."""
    gap = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
    np.fill_diagonal(gap, np.inf)
    nearest = gap.argmin(axis=1)
    return (xy + xy[nearest]) / 2, gap.min(axis=1) / 2, nearest


def masked_by_original(done):
    """Masked coordinates by original feature id, joined by the key."""
    key = {row["masked_id"]: row["original_id"] for row in records(done["KEY"])}
    places = zip(records(done["OUTPUT"]), coordinates(done["OUTPUT"]))
    return {key[row["masked_id"]]: place for row, place in places}


def in_order(done):
    found = masked_by_original(done)
    return np.array([found[original] for original in sorted(found)])


# --- what it does -----------------------------------------------------------------------------


@pytest.mark.parametrize("stored", ["memory", "gpkg", "shp"])
def test_every_point_moves_halfway_to_its_nearest_neighbour(tmp_path, stored):
    xy = points(200)
    source = layer(xy)
    if stored != "memory":
        source = saved(source, tmp_path / f"points.{stored}")
    done = mask(source, KEY="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT")
    expected, shift, nearest = midpoints(xy)
    assert np.abs(in_order(done) - expected).max() < 1e-9
    pairs = nearest[nearest] == np.arange(len(xy))
    assert (done["COUNT"], done["PAIRED"], done["SINGLETONS"], done["UNMOVED"]) == (
        200,
        pairs.sum(),
        (~pairs).sum(),
        0,
    )
    assert done["MEDIAN_SHIFT"] == pytest.approx(np.median(shift))
    assert done["OUTPUT"].crs().authid() == GRID


def test_the_shifts_lead_from_the_originals_to_the_masked_points():
    xy = points(120)
    done = mask(layer(xy), KEY="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT")
    key = {row["masked_id"]: row["original_id"] for row in records(done["KEY"])}
    expected, shift, nearest = midpoints(xy)
    offset = min(key.values())
    for row, (start, end) in zip(records(done["SHIFTS"]), ends(done["SHIFTS"])):
        original = key[row["masked_id"]] - offset
        assert row["original_id"] == original + offset
        assert start == pytest.approx(xy[original]) and end == pytest.approx(expected[original])
        assert row["shift_m"] == pytest.approx(shift[original])
        mutual = nearest[nearest[original]] == original
        assert row["kind"] == ("pair" if mutual else "singleton")


def test_the_cells_hold_their_points():
    xy = np.concatenate([points(60), points(60)[:5]])
    done = mask(layer(xy), CELLS="TEMPORARY_OUTPUT")
    cells = list(done["CELLS"].getFeatures())
    assert len(cells) == 60
    counted = [
        sum(cell.geometry().contains(QgsGeometry(QgsPoint(*place))) for place in xy)
        for cell in cells
    ]
    assert counted == [cell["records"] for cell in cells] and sorted(counted)[-5:] == [2] * 5
    whole = QgsGeometry.unaryUnion([cell.geometry() for cell in cells])
    total = sum(cell.geometry().area() for cell in cells)
    assert whole.area() == pytest.approx(total, rel=1e-9)


def test_the_release_has_new_ids_and_points_only():
    done = mask(layer(points(50), kind="PointZ", crs=GRID))
    layer_out = done["OUTPUT"]
    assert layer_out.wkbType() == QgsWkbTypes.Type.Point
    assert layer_out.fields().names() == ["masked_id"]
    assert [row["masked_id"] for row in records(layer_out)] == list(range(1, 51))


def test_the_result_does_not_depend_on_the_order_of_rows():
    xy = points(80)
    turn = np.random.default_rng(3).permutation(80)
    one = in_order(mask(layer(xy), KEY="TEMPORARY_OUTPUT"))
    two = in_order(mask(layer(xy[turn]), KEY="TEMPORARY_OUTPUT"))
    assert np.array_equal(one[turn], two)


def test_the_log_says_what_it_means():
    done = mask(layer(points(30)))
    said = done.feedback.said
    assert f"the layer's own metric system {GRID}" in said
    assert any("can undo it" in warning for warning in done.feedback.warnings)


# --- attributes -------------------------------------------------------------------------------

ROWS = [(i, f"p{i}", 20 + i % 7, f"ward {i % 4}", 0.0) for i in range(40)]
FIELDS = "patient_id:int,code:string,age:int,ward:string,easting:double"


def people(**more):
    xy = points(40)
    rows = [(*row[:4], float(x)) for row, x in zip(ROWS, xy[:, 0])]
    return layer(xy, fields=FIELDS, rows=rows, **more)


def kept(done):
    return done["OUTPUT"].fields().names()[1:]


def test_attributes_that_look_like_ids_or_coordinates_are_dropped_and_named():
    done = mask(people(), KEY="TEMPORARY_OUTPUT")
    assert kept(done) == ["age", "ward"]
    said = next(line for line in done.feedback.infos if "Not released" in line)
    for name in ("patient_id", "code", "easting"):
        assert name in said
    key = {row["masked_id"]: row["original_id"] for row in records(done["KEY"])}
    offset = min(key.values())
    for row in records(done["OUTPUT"]):
        original = ROWS[key[row["masked_id"]] - offset]
        assert (row["age"], row["ward"]) == original[2:4]


def test_named_fields_are_kept_in_their_order_with_a_warning():
    done = mask(people(), FIELDS=["ward", "patient_id"])
    assert kept(done) == ["ward", "patient_id"]
    warning = next(line for line in done.feedback.warnings if "patient_id" in line)
    assert "ward" not in warning and "check it" in warning


def test_harmless_fields_bring_no_warning():
    done = mask(people(), FIELDS=["age"])
    assert kept(done) == ["age"] and "check it" not in done.feedback.said


def test_a_field_that_is_not_there_is_refused():
    sentence = refused(people(), FIELDS=["age", "altitude"])
    assert "“altitude”" in sentence and "patient_id, code, age" in sentence


def test_a_field_of_the_same_name_as_the_new_id():
    """A release that is masked again: the new ids are the new ones."""
    done = mask(layer(points(30), fields="masked_id:int", rows=[(i * 7,) for i in range(30)]))
    assert done["OUTPUT"].fields().names() == ["masked_id"]
    assert [row["masked_id"] for row in records(done["OUTPUT"])] == list(range(1, 31))


def test_that_field_asked_for_by_name():
    source = layer(points(30), fields="masked_id:int", rows=[(i * 7,) for i in range(30)])
    done = mask(source, FIELDS=["masked_id"])
    assert done["OUTPUT"].fields().names() == ["masked_id"]
    assert [row["masked_id"] for row in records(done["OUTPUT"])] == list(range(1, 31))


def test_missing_values_stay_missing(tmp_path):
    ages = [(None if i % 2 else i % 5,) for i in range(20)]
    source = layer(points(20), fields="age:int", rows=ages)
    done = mask(source, OUTPUT=str(tmp_path / "o.gpkg"))
    ages = [str(row["age"]) for row in records(done["OUTPUT"])]
    assert ages.count("None") == 10


# --- order ------------------------------------------------------------------------------------


def test_rows_are_shuffled_anew_each_time():
    source = layer(points(400))
    orders = []
    for _ in range(2):
        done = mask(source, KEY="TEMPORARY_OUTPUT")
        orders.append([row["original_id"] for row in records(done["KEY"])])
    assert sorted(orders[0]) == sorted(orders[1]) and orders[0] != orders[1]
    for order in orders:
        assert abs(np.corrcoef(order, np.arange(400))[0, 1]) < 0.25  # five sigma


def test_without_shuffling_the_order_is_kept_and_warned_of():
    xy = points(50)
    done = mask(layer(xy), SHUFFLE=False, KEY="TEMPORARY_OUTPUT")
    assert np.allclose(coordinates(done["OUTPUT"]), midpoints(xy)[0])
    order = [row["original_id"] for row in records(done["KEY"])]
    assert order == sorted(order)
    assert any("order" in warning for warning in done.feedback.warnings)
    assert "keep their order" not in mask(layer(xy)).feedback.said


# --- reference systems ------------------------------------------------------------------------


def test_degrees_are_masked_in_metres_and_come_back_in_degrees():
    # At 60 degrees north a degree of longitude is half as long as one of latitude.
    xy = np.array([[10.0, 60.0], [10.0016, 60.0], [10.0, 60.001], [10.0016, 60.0011]])
    done = mask(layer(xy, crs=DEGREES), KEY="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT")
    assert done["OUTPUT"].crs().authid() == DEGREES
    assert in_order(done)[0] == pytest.approx([10.0008, 60.0], abs=1e-7)  # not to 60.0005
    east = WGS84.inv(10.0, 60.0, 10.0016, 60.0)[2]
    shifts = [row["shift_m"] for row in records(done["SHIFTS"])]
    assert min(shifts) == pytest.approx(east / 2, rel=1e-4)
    assert done["MEDIAN_SHIFT"] == pytest.approx(np.median(shifts))
    assert any(
        "local metric projection" in line and "results come back in EPSG:4326" in line
        for line in done.feedback.infos
    )


def test_web_mercator_is_no_metric_system_far_north():
    metres = points(50, size=5_000, centre=(1_000_000, 9_000_000))
    done = mask(layer(metres, crs="EPSG:3857"))
    assert "local metric projection" in done.feedback.said
    assert done["OUTPUT"].crs().authid() == "EPSG:3857"
    assert done["MEDIAN_SHIFT"] < 0.6 * np.median(midpoints(metres)[1])


def test_feet_are_told_in_metres():
    feet = points(60, size=30_000, centre=(990_000, 200_000))
    done = mask(layer(feet, crs="EPSG:2263"), KEY="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT")
    expected, shift, _ = midpoints(feet)
    assert np.abs(in_order(done) - expected).max() < 1e-6
    metres = np.median(shift) * 1200 / 3937
    assert done["MEDIAN_SHIFT"] == pytest.approx(metres)
    assert np.median([r["shift_m"] for r in records(done["SHIFTS"])]) == pytest.approx(metres)
    assert "0.304801 m" in done.feedback.said


@pytest.mark.parametrize("west", [179.99, -180.01], ids=["either sign", "beyond 180"])
def test_the_antimeridian_is_no_border(west):
    xy = np.array([[179.9995, -17.0], [-179.9995, -17.0], [179.9, -17.0], [-179.9, -17.05]])
    if west < -180:
        xy[0, 0] -= 360
    done = mask(layer(xy, crs=DEGREES), KEY="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT")
    found = in_order(done)
    assert done["PAIRED"] == 2 or done["PAIRED"] == 4
    assert np.abs(np.abs(found[:2, 0]) - 180) == pytest.approx(0, abs=1e-7)
    assert found[:2, 1] == pytest.approx(-17.0, abs=1e-6)
    across = ends(done["SHIFTS"])
    assert np.abs(across[:, 1, 0] - across[:, 0, 0]).max() < 1  # no line round the globe


def test_without_a_system_the_plane_is_what_is_stored():
    xy = points(40)
    done = mask(layer(xy, crs=""), KEY="TEMPORARY_OUTPUT")
    assert np.abs(in_order(done) - midpoints(xy)[0]).max() < 1e-9
    assert not done["OUTPUT"].crs().isValid()
    assert any("no coordinate reference system" in line for line in done.feedback.infos)


def test_coordinates_that_cannot_be_in_their_system():
    sentence = refused(layer([(10, 95), (11, 96), (12, 97)], crs=DEGREES))
    assert "system" in sentence


# --- bad input --------------------------------------------------------------------------------


def test_no_points():
    assert "at least two points" in refused(layer([]))


def test_no_points_in_degrees():
    assert "at least two points" in refused(layer([], crs=DEGREES))


def test_one_point():
    assert "at least two points" in refused(layer([(1, 2)]))


def test_one_point_in_degrees():
    assert "at least two points" in refused(layer([(1, 2)], crs=DEGREES))


def test_no_usable_point():
    assert "at least two points" in refused(layer([None, "POINT EMPTY"]))


def test_two_points_meet_halfway():
    done = mask(layer([(0, 0), (10, 0)]), CELLS="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT")
    assert coordinates(done["OUTPUT"]).tolist() == [[5, 0], [5, 0]]
    assert (done["PAIRED"], done["SINGLETONS"]) == (2, 0)


@pytest.mark.parametrize("crs", [GRID, DEGREES, ""])
def test_all_points_at_one_place(crs):
    sentence = refused(layer([(5, 6)] * 12, crs=crs))
    assert "12" in sentence and "same place" in sentence


def test_groups_at_one_place_are_told_of():
    xy = np.concatenate([points(30), points(30)[:3], points(30)[:1]])
    done = mask(layer(xy), KEY="TEMPORARY_OUTPUT", SHIFTS="TEMPORARY_OUTPUT")
    assert done["UNMOVED"] == 7 and done["COUNT"] == 34
    warning = next(line for line in done.feedback.warnings if "exact place" in line)
    assert warning.startswith("7 points")
    kinds = [row["kind"] for row in records(done["SHIFTS"])]
    assert kinds.count("unmoved") == 7


def test_records_without_a_place_are_kept_out_counted_and_listed(tmp_path):
    shapes = [*points(20), None, "POINT EMPTY", QgsGeometry(QgsPoint(float("nan"), 4.0))]
    source = layer(shapes)
    done = mask(source, REPORT=str(tmp_path / "r.html"), JSON=str(tmp_path / "r.json"))
    assert done["COUNT"] == 20 and done["OUTPUT"].featureCount() == 20
    warning = next(line for line in done.feedback.warnings if "no usable place" in line)
    assert warning.startswith("3 ")
    ids = [feature.id() for feature in source.getFeatures()][-3:]
    told = json.loads((tmp_path / "r.json").read_text())
    tables = [b for s in told["sections"] for b in s["blocks"] if b.get("name") == "left_out"]
    assert [row["feature_id"] for row in tables[0]["rows"]] == ids


def test_figures_alone_draw_no_map_and_tell_the_same(tmp_path, monkeypatch):
    source, drawn = layer(points(60)), []
    draw = album.map_picture
    monkeypatch.setattr(album, "map_picture", lambda *args: drawn.append(1) or draw(*args))
    told = []
    for name, more in (("both", {"REPORT": str(tmp_path / "r.html")}), ("alone", {})):
        mask(source, JSON=str(tmp_path / f"{name}.json"), **more)
        told.append(json.loads((tmp_path / f"{name}.json").read_text()))
        assert len(drawn) == 4  # of the first run
    both, alone = told
    assert alone["sections"] == both["sections"] and alone["figures"] == both["figures"]
    blocks = [block for section in alone["sections"] for block in section["blocks"]]
    assert sum(block["type"] == "picture" for block in blocks) == 4
    assert (tmp_path / "r.html").read_text(encoding="utf-8").count("data:image/png") == 4


def test_infinite_coordinates_are_kept_out():
    done = mask(layer([*points(5), QgsGeometry(QgsPoint(float("inf"), 1.0))]))
    assert done["COUNT"] == 5


def test_multipoints_of_one_part_are_taken():
    xy = points(10)
    done = mask(layer([f"MULTIPOINT(({x!r} {y!r}))" for x, y in xy.tolist()], kind="MultiPoint"))
    assert np.allclose(np.sort(coordinates(done["OUTPUT"])[:, 0]), np.sort(midpoints(xy)[0][:, 0]))


def test_multipoints_of_several_parts_are_refused_by_id():
    sentence = refused(layer(["MULTIPOINT((1 2))", "MULTIPOINT((1 2),(3 4))"], kind="MultiPoint"))
    assert "feature id 2" in sentence and "Multipart to singleparts" in sentence


def test_heights_are_dropped_and_said_to_be():
    done = mask(
        layer([f"POINT ZM({x!r} {y!r} 7 8)" for x, y in points(10).tolist()], kind="PointZM")
    )
    assert done["OUTPUT"].wkbType() == QgsWkbTypes.Type.Point
    assert any("(Z, M)" in line for line in done.feedback.infos)


def test_lines_are_no_points():
    refused(layer(["LINESTRING(0 0,1 1)"], kind="LineString"))


def test_a_layer_that_is_not_there(tmp_path):
    assert "nothing.gpkg" in refused(str(tmp_path / "nothing.gpkg"))


def test_an_input_left_out():
    assert "INPUT" in refusal("voronoimask", {"OUTPUT": "TEMPORARY_OUTPUT"})


def test_a_package_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    sentence = refused(layer(points(10)), CELLS="TEMPORARY_OUTPUT")
    assert "pyproj" in sentence and "Check environment" in sentence


def test_without_shapely_only_the_cells_are_refused(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "shapely", None)
    out, cells = str(tmp_path / "o.gpkg"), str(tmp_path / "c.gpkg")
    sentence = refused(layer(points(10)), OUTPUT=out, CELLS=cells)
    assert "shapely (version 2 or newer)" in sentence and "install" in sentence
    assert leftovers(tmp_path) == []
    assert mask(layer(points(10)), OUTPUT=out)["COUNT"] == 10


@pytest.mark.parametrize("package", ["networkx", "numba", "matplotlib"])
def test_optional_packages_are_optional(monkeypatch, tmp_path, package):
    monkeypatch.setitem(sys.modules, package, None)
    done = mask(layer(points(10)), CELLS="TEMPORARY_OUTPUT", REPORT=str(tmp_path / "r.html"))
    assert done["CELLS"].featureCount() == 10 and leftovers(tmp_path) == ["r.html"]


def test_without_pyproj_a_plane_without_a_system_is_masked(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    assert mask(layer(points(10), crs=""))["COUNT"] == 10


def test_a_place_that_cannot_be_written_to_loses_nothing(tmp_path):
    (tmp_path / "file").write_text("x")
    earlier = mask(layer(points(10)), OUTPUT=str(tmp_path / "o.gpkg"))
    content = (tmp_path / "o.gpkg").read_bytes()
    sentence = refused(
        layer(points(10)), OUTPUT=earlier["OUTPUT"], SHIFTS=str(tmp_path / "file" / "s.gpkg")
    )
    assert "file" in sentence
    assert (tmp_path / "o.gpkg").read_bytes() == content
    assert leftovers(tmp_path) == ["file", "o.gpkg"]


def test_release_and_key_never_share_a_file(tmp_path):
    path = str(tmp_path / "all.gpkg")
    assert "private" in refused(layer(points(10)), OUTPUT=path, KEY=path)
    assert leftovers(tmp_path) == []


def test_the_original_is_never_overwritten(tmp_path):
    path = saved(layer(points(10)), tmp_path / "p.gpkg")
    assert "would overwrite" in refused(path, OUTPUT=path)
    assert "would overwrite" in refused(f"{path}|layername=p", OUTPUT=path)
    assert opened(path).featureCount() == 10


# --- stopping ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cancel_at", [None, 0, 10, 30, 60, 85])
def test_a_cancel_leaves_nothing(tmp_path, cancel_at):
    feedback = Feedback(cancel_at)
    if cancel_at is None:
        feedback.cancel()
    paths = {
        name: str(tmp_path / file)
        for name, file in {
            "OUTPUT": "o.gpkg",
            "SHIFTS": "s.gpkg",
            "KEY": "k.csv",
            "CELLS": "c.gpkg",
            "REPORT": "r.html",
            "JSON": "r.json",
        }.items()
    }
    done = run("voronoimask", {"INPUT": layer(points(4_000)), **paths}, feedback)
    assert feedback.isCanceled() and done.results == {}
    assert leftovers(tmp_path) == []
    assert not done.context.temporaryLayerStore().count()


# --- sources and models -----------------------------------------------------------------------


def test_selected_features_only(project):
    source = layer(points(50))
    project.addMapLayer(source)
    source.selectByIds([3, 5, 8, 13])
    done = mask(QgsProcessingFeatureSourceDefinition(source.id(), True), KEY="TEMPORARY_OUTPUT")
    assert done["COUNT"] == 4
    assert {row["original_id"] for row in records(done["KEY"])} == {3, 5, 8, 13}


def test_private_outputs_are_not_made_unasked():
    done = mask(layer(points(10)))
    for name in (*PRIVATE, "REPORT", "JSON"):
        assert name not in done


def test_layers_are_loaded_with_their_style(project):
    target = QgsProcessingOutputLayerDefinition("memory:", project)
    done = mask(layer(points(10)), OUTPUT=target, SHIFTS=target, KEY=target)
    waiting = done.context.layersToLoadOnCompletion()
    assert len(waiting) == 3
    assert all(details.postProcessor() is not None for details in waiting.values())


def test_the_report(tmp_path):
    source = layer(points(40), name="Patients <b>of</b> 2024")
    done = mask(source, REPORT=str(tmp_path / "r.html"), JSON=str(tmp_path / "r.json"))
    told = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert told["private"] is True
    figures = told["figures"]
    values = set(figures.values())
    assert {40, done["SINGLETONS"], done["PAIRED"]} <= values
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Private: do not pass on" in page and "This mask can be reversed" in page
    assert "data:image/png;base64," in page  # maps
    assert "<b>of</b>" not in page and "Patients &lt;b&gt;of" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert done["REPORT"] == str(tmp_path / "r.html")
