# SPDX-License-Identifier: GPL-2.0-or-later
"""The quick way into a GeoPackage: what it writes is what QGIS's own writer writes."""

import sqlite3

import numpy as np
import pytest
from osgeo import ogr
from qgis.core import (
    NULL,
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsPointXY,
    QgsProcessingContext,
    QgsProcessingUtils,
    QgsRectangle,
    QgsVectorLayer,
)

from geoanon_qgis.compat import make_field, make_fields
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.processing.layers import geopackage
from geoanon_qgis.processing.layers.batches import array_batches
from geoanon_qgis.processing.layers.shapes import Shapes
from tests.processing.helpers import GRID, leftovers, points, run, saved
from tests.processing.helpers import layer as memory_layer

CRS = QgsCoordinateReferenceSystem(GRID)
FIELDS = make_fields(("id", "long"), ("age", "int"), ("size", "double"), ("kind", "string"))
#: Up to one node, just more, two and three levels of 51 cells a node.
COUNTS = [1, 2, 51, 52, 2_601, 2_602, 6_000]


def shapes_of(kind, count):
    xy = points(count)
    xy[::7] = xy[0]  # places with many records
    if count > 3:
        xy[3] = np.nan  # and one without a place
    return {
        "points": Shapes.points(xy),
        "lines": Shapes.lines(xy, xy + [5.0, -7.0]),
        "table": None,
    }[kind]


def columns_of(count):
    rows = range(count)
    return [
        np.arange(1, count + 1),
        [None if row % 5 == 0 else NULL if row % 5 == 1 else row for row in rows],
        np.where(np.arange(count) % 4 == 0, np.nan, np.arange(count) / 3.0),
        [None if row % 6 == 0 else f"Straße “{row}”" for row in rows],
    ]


def sink(path, fields, shapes, batches):
    """Write with QGIS alone."""
    wkb_type = QgsVectorLayer("None", "", "memory").wkbType() if shapes is None else shapes.wkb_type
    made, _ = QgsProcessingUtils.createFeatureSink(
        str(path),
        QgsProcessingContext(),
        fields,
        wkb_type,
        CRS if shapes is not None else QgsCoordinateReferenceSystem(),
    )
    for _, batch in batches:
        assert made.addFeatures(batch)
    del made


def filled(path, shapes, columns, fields=FIELDS, progress=silent):
    """Write with the quick way."""
    sink(path, fields, shapes, [])
    plain = geopackage.plain_columns(fields, columns)
    assert plain is not None
    geopackage.fill(path, fields, plain, shapes, progress)
    return path


def sql(path, query):
    """Ask SQLite through GDAL, which has R-trees and the functions that triggers call."""
    dataset = ogr.Open(str(path), 1)
    result = dataset.ExecuteSQL(query)
    rows = [[one.GetField(i) for i in range(one.GetFieldCount())] for one in result or ()]
    if result is not None:
        dataset.ReleaseResultSet(result)
    return rows


def opened(path):
    found = QgsVectorLayer(str(path), "found", "ogr")
    assert found.isValid()
    return found


@pytest.mark.parametrize("kind", ["points", "lines", "table"])
@pytest.mark.parametrize("count", COUNTS)
def test_the_file_is_the_one_that_qgis_writes(tmp_path, kind, count):
    shapes, columns = shapes_of(kind, count), columns_of(count)
    (tmp_path / "ours").mkdir()
    (tmp_path / "qgis").mkdir()
    ours = filled(tmp_path / "ours" / "a layer.gpkg", shapes, columns)
    theirs = tmp_path / "qgis" / "a layer.gpkg"
    sink(theirs, FIELDS, shapes, array_batches(count, columns, shapes))

    with sqlite3.connect(ours) as one, sqlite3.connect(theirs) as other:
        for query in (
            "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name",
            'SELECT fid, id, age, size, kind FROM "a layer" ORDER BY fid',
            "SELECT * FROM gpkg_ogr_contents",
            "SELECT name, seq FROM sqlite_sequence ORDER BY name",
            "SELECT table_name, data_type, identifier, srs_id FROM gpkg_contents",
        ):
            assert one.execute(query).fetchall() == other.execute(query).fetchall(), query
        if shapes is not None:
            extensions = "SELECT * FROM gpkg_extensions"
            assert one.execute(extensions).fetchall() == other.execute(extensions).fetchall()
            extent = "SELECT min_x, min_y, max_x, max_y FROM gpkg_contents"
            (ours_extent,), (theirs_extent,) = one.execute(extent), other.execute(extent)
            assert ours_extent == pytest.approx(theirs_extent, rel=1e-15)
            # QGIS stores an empty geometry where there is none.
            geometries = 'SELECT geom FROM "a layer" ORDER BY fid'
            ours_geometries = [row[0] for row in one.execute(geometries)]
            theirs_geometries = [row[0] for row in other.execute(geometries)]
            for row in np.flatnonzero(~shapes.there()):
                assert ours_geometries[row] is None
                theirs_geometries[row] = None
            assert ours_geometries == theirs_geometries
        assert one.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert one.execute("PRAGMA freelist_count").fetchall() == [(0,)]
    assert leftovers(tmp_path / "ours") == ["a layer.gpkg"]


@pytest.mark.parametrize("kind", ["points", "lines"])
@pytest.mark.parametrize("count", COUNTS)
def test_the_spatial_index_is_sound_and_finds_everything(tmp_path, kind, count):
    shapes = shapes_of(kind, count)
    path = filled(tmp_path / "a.gpkg", shapes, columns_of(count))
    assert sql(path, "SELECT rtreecheck('rtree_a_geom')") == [["ok"]]
    there = np.flatnonzero(shapes.there())
    assert sql(path, "SELECT count(*) FROM rtree_a_geom") == [[len(there)]]
    # The boxes, in single precision, hold the geometries.
    stored = np.array(sql(path, "SELECT minx, maxx, miny, maxy FROM rtree_a_geom ORDER BY id"))
    bounds = shapes.bounds()[there]
    assert (stored[:, [0, 2]] <= bounds[:, [0, 2]]).all()
    assert (stored[:, [1, 3]] >= bounds[:, [1, 3]]).all()
    assert np.abs(stored - bounds).max() < 0.1
    # QGIS finds by rectangle what is in it.
    found_layer = opened(path)
    for x, y in points(20, seed=5):
        window = QgsRectangle(x - 9_000, y - 9_000, x + 9_000, y + 9_000)
        found = {f.id() for f in found_layer.getFeatures(QgsFeatureRequest(window))}
        inside = {
            f.id()
            for f in found_layer.getFeatures()
            if f.hasGeometry() and f.geometry().boundingBox().intersects(window)
        }
        assert found >= inside and len(found - inside) == 0


def test_the_layer_can_be_edited_afterwards(tmp_path):
    path = filled(tmp_path / "a.gpkg", shapes_of("points", 500), columns_of(500))
    edited = opened(path)
    new = QgsFeature(edited.fields())
    new.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(1.0, 2.0)))
    assert edited.dataProvider().addFeatures([new])[0]
    assert edited.dataProvider().deleteFeatures([7, 8, 9])
    assert edited.dataProvider().changeGeometryValues(
        {20: QgsGeometry.fromPointXY(QgsPointXY(3.0, 4.0))}
    )
    window = QgsRectangle(0, 0, 10, 10)
    assert {f.id() for f in edited.getFeatures(QgsFeatureRequest(window))} == {20, 501}
    del edited
    assert sql(path, "SELECT rtreecheck('rtree_a_geom')") == [["ok"]]
    assert sql(path, "SELECT feature_count FROM gpkg_ogr_contents") == [[498]]


def test_no_rows_and_no_places(tmp_path):
    none = filled(tmp_path / "none.gpkg", Shapes.points(np.empty((0, 2))), [[], [], [], []])
    assert opened(none).featureCount() == 0
    nowhere = Shapes.points(np.full((3, 2), np.inf))
    path = filled(tmp_path / "nowhere.gpkg", nowhere, columns_of(3))
    assert [f.hasGeometry() for f in opened(path).getFeatures()] == [False] * 3
    assert sql(path, "SELECT count(*) FROM rtree_nowhere_geom") == [[0]]


@pytest.mark.parametrize("place", [(0.0, 0.0), (-1e7, 3e-9), (5.387205, 52.15517)])
def test_all_at_one_place(tmp_path, place):
    path = filled(tmp_path / "a.gpkg", Shapes.points(np.tile(place, (200, 1))), columns_of(200))
    assert sql(path, "SELECT rtreecheck('rtree_a_geom')") == [["ok"]]
    assert {f.geometry().asPoint() for f in opened(path).getFeatures()} == {QgsPointXY(*place)}


@pytest.mark.parametrize(
    "kind, column",
    [
        ("int", ["text"]),
        ("int", [1.5]),
        ("long", np.array([1.5])),
        ("string", [1]),
        ("double", ["1"]),
        ("date", ["2020-02-29"]),
        ("datetime", ["2020-02-29T12:00:00"]),
        ("bool", [1]),
    ],
)
def test_values_that_sqlite_would_store_otherwise_are_left_to_qgis(kind, column):
    assert geopackage.plain_columns(make_fields(("a", kind)), [column]) is None


def test_texts_that_do_not_fit_are_left_to_qgis():
    field = make_field("kind", "string")
    field.setLength(3)
    assert geopackage.plain_columns(make_fields(field), [["abc", None]]) is not None
    assert geopackage.plain_columns(make_fields(field), [["abcd"]]) is None


def test_half_of_a_pair_of_surrogates_is_left_to_qgis(tmp_path):
    fields = make_fields(("kind", "string"))
    with pytest.raises(geopackage.Unsuitable):
        filled(tmp_path / "a.gpkg", Shapes.points(points(2)), [["a", "\ud800"]], fields)


def test_a_file_that_is_not_as_expected_is_left_to_qgis(tmp_path):
    shapes, columns = shapes_of("points", 10), columns_of(10)
    path = filled(tmp_path / "a.gpkg", shapes, columns)
    plain = geopackage.plain_columns(FIELDS, columns)
    others = make_fields(("other", "long"))
    for fields, some in ((FIELDS, shapes), (others, shapes), (FIELDS, None)):
        with pytest.raises(geopackage.Unsuitable):
            geopackage.fill(path, fields, plain, some, silent)
    assert opened(path).featureCount() == 10
    (tmp_path / "b.gpkg").write_bytes(b"no database")
    with pytest.raises(geopackage.Unsuitable):
        geopackage.fill(tmp_path / "b.gpkg", FIELDS, plain, shapes, silent)


def test_cancelling(tmp_path):
    told = []

    def progress(fraction):
        told.append(fraction)
        if fraction > 0.7:
            raise Cancelled()

    with pytest.raises(Cancelled):
        filled(
            tmp_path / "a.gpkg", shapes_of("points", 50_000), columns_of(50_000), progress=progress
        )
    assert told == sorted(told) and len(told) > 4


@pytest.mark.parametrize("refuse", [False, True], ids=["quick", "QGIS's writer"])
def test_algorithms_write_the_same_either_way(project, tmp_path, monkeypatch, refuse):
    """A release is complete, and nothing of its making or its source is left in the file."""
    if refuse:

        def fill(path, *_):
            path.write_bytes(b"half")
            raise geopackage.Unsuitable("not today")

        monkeypatch.setattr(geopackage, "fill", fill)
    (tmp_path / "clinic").mkdir()
    rows = [(row % 90,) for row in range(300)]
    source = memory_layer(points(300), fields="age:integer", rows=rows)
    source = saved(source, tmp_path / "clinic" / "patients.gpkg")
    path = tmp_path / "release.gpkg"
    done = run("voronoimask", {"INPUT": source, "FIELDS": ["age"], "OUTPUT": str(path)})
    assert done["OUTPUT"] == str(path)
    assert leftovers(tmp_path) == ["clinic", "clinic/patients.gpkg", "release.gpkg"]
    found = opened(path)
    assert found.featureCount() == 300 and found.crs().authid() == GRID
    assert found.fields().names() == ["fid", "masked_id", "age"]
    content = path.read_bytes()
    for secret in (b"patients", b"clinic", b".geoanon-", str(tmp_path).encode()):
        assert secret not in content
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA freelist_count").fetchall() == [(0,)]
