# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers to arrays: every kind of geometry that QGIS can hand over, from every kind of source."""

import numpy as np
import pytest
from qgis.core import (
    NULL,
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsPoint,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QDate

from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.processing.layers import reading
from tests.processing.helpers import (
    DEGREES,
    GRID,
    as_source,
    assert_sentence,
    layer,
    points,
    refusal,
    run,
    saved,
)

nan, inf = float("nan"), float("inf")
WEB = QgsCoordinateReferenceSystem("EPSG:3857")


def read(a_layer, **more):
    return reading.read_points(as_source(a_layer), QgsProcessingContext(), **more)


def point(*coordinates):
    return QgsGeometry(QgsPoint(*coordinates))


# --- what is a place --------------------------------------------------------------------------


def test_every_row_belongs_together():
    xy = points(5_500)  # more than two batches
    table = read(
        layer(xy, fields="age:int,ward:string", rows=[(i, f"w{i}") for i in range(len(xy))]),
        fields=["ward", "age"],
    )
    assert np.array_equal(table.xy, xy) and len(table) == 5_500
    assert list(table.columns["age"]) == list(range(5_500))
    assert table.columns["ward"][:2] == ["w0", "w1"]
    assert table.fields.names() == ["ward", "age"] and list(table.columns) == ["ward", "age"]
    assert len(set(table.ids.tolist())) == 5_500
    assert table.crs.authid() == GRID and table.left_out == []
    assert not (table.had_z or table.had_m)


def test_no_row():
    table = read(layer([], fields="age:int"), fields=["age"])
    assert table.xy.shape == (0, 2) and table.ids.shape == (0,) and len(table.columns["age"]) == 0


@pytest.mark.parametrize(
    ("shape", "reason"),
    [
        (None, "no geometry"),
        ("POINT EMPTY", "empty"),
        (point(nan, 1.0), "no numbers"),
        (point(1.0, nan), "no numbers"),
        (point(inf, 1.0), "no numbers"),
        (point(1.0, -inf), "no numbers"),
        (point(nan, nan), "empty"),
    ],
)
def test_a_record_without_a_place_is_left_out_and_listed(shape, reason):
    a_layer = layer([(1, 2), shape, (3, 4)], fields="age:int", rows=[(10,), (20,), (30,)])
    if not opens(a_layer):
        pytest.skip("this QGIS opens no layer with such a place; the next test sees what is said")
    table = read(a_layer, fields=["age"])
    assert table.xy.tolist() == [[1, 2], [3, 4]] and list(table.columns["age"]) == [10, 30]
    ids = [feature.id() for feature in a_layer.getFeatures()]
    assert table.ids.tolist() == [ids[0], ids[2]]
    [(left, why)] = table.left_out
    assert left == ids[1] and reason in why


def opens(a_layer) -> bool:
    """QGIS 3.44 throws where a coordinate is infinite, since it asks for the extent at once."""
    try:
        as_source(a_layer)
    except Exception:
        return False
    return True


@pytest.mark.parametrize("throws", [False, True])
def test_a_layer_whose_extent_qgis_cannot_tell_is_left_out_or_refused(
    provider, monkeypatch, throws
):
    """An exception of C++ without words reached the user."""
    made = layer([(1, 2), point(1.0, inf), (30, 4), (50, 60)], name="with infinity")
    if throws:

        def fail(*asked):
            raise Exception("unknown")

        monkeypatch.setattr(QgsProcessingAlgorithm, "parameterAsSource", fail)
    parameters = {"INPUT": made, "OUTPUT": "TEMPORARY_OUTPUT"}
    if throws or not opens(made):
        said = refusal("voronoimask", parameters)
        assert_sentence(said)
        assert "“with infinity”" in said and "coordinate is infinite" in said
    else:
        done = run("voronoimask", parameters)
        assert done["COUNT"] == 3 and "no numbers" in done.feedback.said


def test_an_empty_multipoint_is_left_out():
    table = read(layer(["MULTIPOINT((1 2))", "MULTIPOINT EMPTY"], kind="MultiPoint"))
    assert table.xy.tolist() == [[1, 2]] and "empty" in table.left_out[0][1]


def test_only_records_without_a_place():
    table = read(layer([None, None, "POINT EMPTY"]))
    assert len(table) == 0 and table.xy.shape == (0, 2) and len(table.left_out) == 3


@pytest.mark.parametrize(
    ("kind", "shape", "z", "m"),
    [
        ("PointZ", "POINT Z(1 2 3)", True, False),
        ("PointM", "POINT M(1 2 3)", False, True),
        ("PointZM", "POINT ZM(1 2 3 4)", True, True),
        ("MultiPoint", "MULTIPOINT((1 2))", False, False),
        ("MultiPointZ", "MULTIPOINT Z((1 2 3))", True, False),
        ("MultiPointZM", "MULTIPOINT ZM((1 2 3 4))", True, True),
    ],
)
def test_heights_and_measures_are_dropped_and_single_parts_taken(kind, shape, z, m):
    table = read(layer([shape, shape], kind=kind))
    assert table.xy.tolist() == [[1, 2], [1, 2]]
    assert (table.had_z, table.had_m) == (z, m)


def test_mixed_with_heights_and_not():
    table = read(layer([point(1, 2), point(5, 6, 7)], kind="Point"))
    assert table.xy.tolist() == [[1, 2], [5, 6]]


def test_several_parts_are_refused_by_id():
    a_layer = layer(["MULTIPOINT((1 2))", "MULTIPOINT((1 2),(3 4))"], kind="MultiPoint")
    with pytest.raises(InputError) as error:
        read(a_layer)
    assert_sentence(str(error.value))
    assert "feature id 2" in str(error.value) and "Multipart to singleparts" in str(error.value)


def test_a_refusal_names_a_few_ids_only():
    shapes = ["MULTIPOINT((1 2),(3 4))"] * 40
    with pytest.raises(InputError) as error:
        read(layer(shapes, kind="MultiPoint"))
    assert "40 features" in str(error.value) and "1, 2, 3, 4, 5 and more" in str(error.value)


def test_what_is_no_point_is_refused():
    with pytest.raises(InputError, match="Centroids"):
        read(layer(["LINESTRING(0 0,1 1)"], kind="LineString"))


def test_a_layer_without_a_system():
    table = read(layer(points(3), crs=""))
    assert not table.crs.isValid() and len(table) == 3


# --- sources ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["gpkg", "shp", "geojson"])
def test_files_are_read_as_they_are_stored(tmp_path, ending):
    xy = points(50, size=20, centre=(10, 50))
    a_layer = layer(xy, crs=DEGREES, fields="age:int", rows=[(i,) for i in range(50)])
    table = read(
        QgsVectorLayer(saved(a_layer, tmp_path / f"a.{ending}"), "a", "ogr"), fields=["age"]
    )
    if ending == "geojson":
        assert np.abs(table.xy - xy).max() < 1e-9
    else:
        assert np.array_equal(table.xy, xy)
    assert list(table.columns["age"]) == list(range(50))


def test_an_edit_buffer_and_a_filter_are_respected(tmp_path):
    a_layer = layer(points(20), fields="age:int", rows=[(i,) for i in range(20)])
    opened = QgsVectorLayer(saved(a_layer, tmp_path / "a.gpkg"), "a", "ogr")
    assert opened.setSubsetString("age < 10")
    assert len(read(opened)) == 10
    opened.startEditing()
    first = next(opened.getFeatures())
    opened.changeGeometry(first.id(), point(7.5, 8.5))
    assert [7.5, 8.5] in read(opened).xy.tolist()
    opened.rollBack()


def test_missing_attributes_stay_missing():
    table = read(layer(points(2), fields="age:int", rows=[(None,), (4,)]), fields=["age"])
    missing, four = table.columns["age"]
    assert (missing is None or missing == NULL) and four == 4


def test_few_fields_have_the_values_that_they_have_among_all():
    names = ["age", "ward", "born", "share"]
    rows = [(4, "w", QDate(1854, 8, 31), 0.5), (None, None, None, None)]
    source = layer(points(2), fields="age:int,ward:string,born:date,share:double", rows=rows)
    every = read(source, fields=names)
    assert every.columns["ward"][0] == "w" and every.columns["born"][0] == QDate(1854, 8, 31)
    for name in names:
        column = read(source, fields=[name]).columns[name]
        assert list(column) == list(every.columns[name]) and list(map(type, column)) == list(
            map(type, every.columns[name])
        )


def test_unknown_fields_are_refused_with_the_known_ones():
    with pytest.raises(InputError) as error:
        read(layer(points(2), fields="age:int,ward:string"), fields=["age", "Altitude", "sex"])
    assert_sentence(str(error.value))
    for text in ("“Altitude”", "“sex”", "age, ward"):
        assert text in str(error.value)


def test_selected_features_only(project):
    a_layer = layer(points(30))
    project.addMapLayer(a_layer)
    a_layer.selectByIds([1, 2, 3, 4])
    source = QgsProcessingFeatureSourceDefinition(a_layer.id(), True)
    assert run("voronoimask", {"INPUT": source, "OUTPUT": "memory:"})["COUNT"] == 4
    whole = QgsProcessingFeatureSourceDefinition(a_layer.id(), False)
    assert run("voronoimask", {"INPUT": whole, "OUTPUT": "memory:"})["COUNT"] == 30


def test_nothing_selected_is_a_sentence(project):
    a_layer = layer(points(30))
    project.addMapLayer(a_layer)
    source = QgsProcessingFeatureSourceDefinition(a_layer.id(), True)
    assert "point" in refusal("voronoimask", {"INPUT": source, "OUTPUT": "memory:"})


def test_a_feature_limit_is_kept(project):
    a_layer = layer(points(30))
    project.addMapLayer(a_layer)
    source = QgsProcessingFeatureSourceDefinition(a_layer.id(), False, 12)
    assert run("voronoimask", {"INPUT": source, "OUTPUT": "memory:"})["COUNT"] == 12


def test_a_table_is_read_without_geometry():
    table = reading.read_table(
        as_source(layer([None, None], fields="a:int", rows=[(1,), (2,)], kind="None", crs="")),
        fields=["a"],
    )
    assert list(table.columns["a"]) == [1, 2] and len(table) == 2


def test_a_sample_is_what_is_stored():
    xy = np.round(points(300), 1)
    assert np.array_equal(reading.stored_sample(as_source(layer(xy))), xy)


# --- other systems ----------------------------------------------------------------------------


def test_coordinates_come_in_the_system_asked_for():
    lonlat = points(5_000, size=10, centre=(5, 50))
    table = read(layer(lonlat, crs=DEGREES), destination_crs=WEB)
    assert table.crs == WEB
    expected_x = np.radians(lonlat[:, 0]) * 6_378_137.0
    expected_y = np.log(np.tan(np.pi / 4 + np.radians(lonlat[:, 1]) / 2)) * 6_378_137.0
    assert np.abs(table.xy - np.column_stack([expected_x, expected_y])).max() < 1e-6


@pytest.mark.parametrize("crs", ["", GRID])
def test_an_invalid_system_means_as_they_are(crs):
    xy = points(3)
    wanted = QgsCoordinateReferenceSystem(GRID if not crs else "")
    assert np.array_equal(read(layer(xy, crs=crs), destination_crs=wanted).xy, xy)


def test_a_place_that_is_not_there_is_refused_by_id():
    shapes = [(5, 50), (88, 0), (6, 51)]
    with pytest.raises(InputError) as error:
        read(layer(shapes, crs=DEGREES), destination_crs=QgsCoordinateReferenceSystem(GRID))
    assert_sentence(str(error.value))
    assert "1 point " in str(error.value) and "feature id 2" in str(error.value)
    assert GRID in str(error.value)


@pytest.mark.parametrize(
    "crs, wrong, count",
    [
        (GRID, (4e10, 3e5), 5),
        (GRID, (4e5, -3e10), 500),
        (GRID, (4e7, 3e5), 500),
        ("EPSG:3857", (-5e8, 0), 5),
        ("EPSG:3035", (9e7, 0), 500),
        (DEGREES, (5, 95), 500),
        (DEGREES, (-13_000, 51), 5),
        ("", (0, 1e31), 5),
        ("", (-1e308, 0), 5),
    ],
)
def test_places_that_their_own_system_does_not_have_are_refused_by_id(crs, wrong, count):
    xy = points(count, size=1e-3, centre=(1.0, 51.0)) if crs == DEGREES else points(count)
    xy[3] = wrong
    with pytest.raises(InputError) as error:
        read(layer(xy, crs=crs, name="clinics"))
    assert_sentence(str(error.value))
    assert "1 feature " in str(error.value) and str(error.value).count("feature id 4") == 1
    assert "“clinics”" in str(error.value) and (crs in str(error.value))


def test_a_layer_given_the_wrong_system_names_a_few_features():
    with pytest.raises(InputError, match="300 features lie .* ids 1, 2, 3, 4, 5 and more"):
        read(layer(points(300), crs=DEGREES))


@pytest.mark.parametrize(
    "crs, xy",
    [
        (DEGREES, [(-180, -90), (180, 90), (359.9, 0), (-200, 5)]),
        ("EPSG:3857", [(-2.1e7, -2e7), (2.1e7, 2e7)]),
        ("EPSG:3035", [(4e6, 3e6), (-4e6, -3e6)]),
        ("EPSG:4526", [(3.85e7, 4e6)]),
        ("", [(1e29, -1e29), (5e-324, 0)]),
    ],
)
def test_places_at_the_ends_of_the_earth_are_places(crs, xy):
    assert np.array_equal(read(layer(xy, crs=crs)).xy, xy)
    assert len(read(layer(np.repeat(xy, 200, axis=0), crs=crs))) == 200 * len(xy)


def test_what_lies_far_from_all_others_is_told_but_read():
    xy = points(500)
    assert read(layer(xy)).far == []
    xy[7, 0] *= 1e5
    assert read(layer(xy, crs="")).far == [8]
    xy[7, 0] = xy[8, 0] + 1e7
    assert read(layer(xy, crs="")).far == []
    done = run(
        "voronoimask",
        {"INPUT": layer(np.vstack([xy, [4e11, 0]]), crs=""), "OUTPUT": "TEMPORARY_OUTPUT"},
    )
    assert "likely: feature id 501." in done.feedback.said


# --- progress ---------------------------------------------------------------------------------


def test_progress_goes_up_and_can_cancel():
    told = []
    read(layer(points(9_000)), progress=told.append, destination_crs=WEB)
    assert told[0] == 0 and told[-1] == 1 and told == sorted(told) and len(told) > 5

    def stop(fraction):
        if fraction > 0.3:
            raise Cancelled()

    with pytest.raises(Cancelled):
        read(layer(points(9_000)), progress=stop)
