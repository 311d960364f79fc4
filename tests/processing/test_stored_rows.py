# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows read from a GeoPackage's own tables are those that QGIS reads, or QGIS reads them."""

import shutil
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeatureSourceDefinition,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QDate

from geoanon_qgis.compat import is_null
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.processing.layers import reading, stored_rows, whole_files
from geoanon_qgis.processing.layers.geopackage import Unsuitable
from tests.processing.helpers import as_source, layer, leftovers, points, run, saved

FIELDS = "age:int,long:int8,share:double,ward:string,born:date"
NAMES = ["ward", "age", "born", "share", "long", "fid"]
ROWS = [
    (1, 2**40, 0.1, "Łódź \U0001f600", QDate(1854, 8, 31)),
    (None, None, None, None, None),
    (1 - 2**31, -(2**62), -0.0, "", QDate(2020, 2, 29)),
    (2**31 - 1, 2**62, 1e308, " 'a\"b;\n", QDate(1, 1, 1)),
]
COUNT = 4_500  # more than two batches


@pytest.fixture(scope="module")
def whole(tmp_path_factory, qgis_app):
    """A GeoPackage with a layer of plain points; some have no place, some rows were deleted."""
    # QGIS stores a missing geometry as an empty one
    shapes = [None if row % 10 == 3 else xy for row, xy in enumerate(points(COUNT).tolist())]
    rows = [ROWS[row % len(ROWS)] for row in range(COUNT)]
    made = layer(shapes, fields=FIELDS, rows=rows)
    path = tmp_path_factory.mktemp("stored") / "a #1.gpkg"
    opened = QgsVectorLayer(saved(made, path), "people", "ogr")
    assert opened.dataProvider().deleteFeatures([1, 700, 701, COUNT])
    del opened
    return path


@pytest.fixture
def file(whole, tmp_path):
    return shutil.copy(whole, tmp_path / whole.name)


def opened(file, more=""):
    found = QgsVectorLayer(f"{file}{more}", "people", "ogr")
    assert found.isValid()
    return found


def offered(a_layer, given=""):
    source = as_source(a_layer)
    whole_files.offer(source, a_layer, given)
    return source


def quick(source, names=("age",), places=True):
    """How many rows come without QGIS; none if it has to be asked."""
    fields = source.fields()
    wanted = type(fields)()
    for name in names:
        wanted.append(fields.field(name))
    try:
        return sum(len(rows.ids) for rows in stored_rows.batches(source, wanted, places, 1000))
    except Unsuitable:
        return 0


def plain(column):
    """Values with their types, as two readings must agree on them."""
    return [(None, None) if is_null(one) else (type(one), one) for one in column]


def assert_same(a_layer, names=("age",), given=""):
    """Both ways of reading give the same."""
    context = QgsProcessingContext()
    one, other = (
        reading.read_points(source, context, fields=names)
        for source in (offered(a_layer, given), as_source(a_layer))
    )
    assert np.array_equal(one.ids, other.ids) and np.array_equal(one.xy, other.xy)
    assert one.left_out == other.left_out and one.fields == other.fields
    for name in names:
        mine, theirs = one.columns[name], other.columns[name]
        assert (mine.kind, mine.values.dtype) == (theirs.kind, theirs.values.dtype)
        assert plain(mine) == plain(theirs)
    tables = [
        reading.read_table(source, fields=names, places=True)
        for source in (offered(a_layer, given), as_source(a_layer))
    ]
    assert np.array_equal(tables[0].xy, tables[1].xy, equal_nan=True)
    assert np.array_equal(tables[0].ids, tables[1].ids)


def change(file, *statements):
    with closing(sqlite3.connect(file)) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            database.execute(f'DROP TRIGGER "{name}"')  # they ask for functions of GDAL's
        for statement in statements:
            database.execute(statement)
        database.commit()


def test_the_same_as_qgis_reads(file):
    a_layer = opened(file)
    assert quick(offered(a_layer), NAMES) == COUNT - 4
    assert_same(a_layer, NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_field_by_itself_and_without_a_place(file, name):
    source, other = offered(opened(file)), as_source(opened(file))
    assert quick(source, [name], places=False) == COUNT - 4
    one, two = (reading.read_table(each, fields=[name]) for each in (source, other))
    assert np.array_equal(one.ids, two.ids) and one.xy is None
    assert plain(one.columns[name]) == plain(two.columns[name])


def test_truth_values_are_what_they_were(file):
    change(
        file,
        'ALTER TABLE "a #1" ADD COLUMN well BOOLEAN',
        'UPDATE "a #1" SET well = CASE fid % 3 WHEN 0 THEN NULL WHEN 1 THEN 1 ELSE 0 END',
    )
    a_layer = opened(file)
    assert quick(offered(a_layer), ["well"]) == COUNT - 4
    assert_same(a_layer, ["well"])


def test_no_geometry_and_an_empty_one(file):
    change(file, 'UPDATE "a #1" SET geom = NULL WHERE fid % 20 = 4')
    a_layer = opened(file)
    assert quick(offered(a_layer)) == COUNT - 4
    assert_same(a_layer)
    left = reading.read_points(offered(a_layer), QgsProcessingContext()).left_out
    assert {why for _, why in left} == {"no geometry", "empty geometry"}


def test_a_layer_among_several_by_its_name(file):
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.layerName = "other"
    options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
    made = layer(points(7), fields="age:int", rows=[(row,) for row in range(7)])
    context = QgsProcessingContext().transformContext()
    assert QgsVectorFileWriter.writeAsVectorFormatV3(made, str(file), context, options)[0] == 0
    assert quick(offered(opened(file, "|layername=other"))) == 7
    assert quick(offered(opened(file, "|layername=a #1"))) == COUNT - 4
    assert quick(offered(opened(file))) == 0
    assert_same(opened(file, "|layername=other"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {} SET age = 'many' WHERE fid = 3000",
        "UPDATE {} SET age = 5000000000 WHERE fid = 3000",
        "UPDATE {} SET born = '31.8.1854' WHERE fid = 3000",
        "UPDATE {} SET born = '1854-02-31' WHERE fid = 3000",
        "UPDATE {} SET share = 'half' WHERE fid = 3000",
        "UPDATE {} SET ward = 'a' || char(0) || 'b' WHERE fid = 3000",
        "UPDATE {} SET ward = CAST(x'ff41' AS TEXT) WHERE fid = 3000",
        "UPDATE {} SET ward = x'0102' WHERE fid = 3000",
        "UPDATE {} SET geom = x'00' WHERE fid = 3001",
        "UPDATE {} SET geom = CAST(x'47500003' || substr(geom, 5, 4) || zeroblob(32) || "
        "substr(geom, 9) AS BLOB) WHERE fid = 3001",
    ],
)
def test_what_is_odd_is_left_to_qgis(file, statement):
    change(file, statement.format('"a #1"'))
    a_layer = opened(file)
    assert quick(offered(a_layer), NAMES) == 0
    assert_same(a_layer, NAMES)


def test_what_is_not_all_of_the_layer_is_left_to_qgis(file):
    a_layer = opened(file)
    a_layer.selectByIds([5, 6])
    for given in (
        QgsProcessingFeatureSourceDefinition("x", True),
        QgsProcessingFeatureSourceDefinition("x", False, 12),
    ):
        assert quick(offered(a_layer, given)) == 0
    assert quick(offered(a_layer, QgsProcessingFeatureSourceDefinition("x"))) == COUNT - 4
    assert a_layer.setSubsetString("age = 1")
    assert quick(offered(a_layer)) == 0
    assert_same(a_layer)
    assert a_layer.setSubsetString("")
    a_layer.startEditing()
    a_layer.changeAttributeValue(5, a_layer.fields().indexOf("age"), 77)
    assert quick(offered(a_layer)) == 0
    assert_same(a_layer)
    a_layer.rollBack()


def test_a_virtual_field_is_left_to_qgis(file):
    from geoanon_qgis.compat import make_field

    a_layer = opened(file)
    a_layer.addExpressionField("age + 1", make_field("older", "int"))
    assert quick(offered(a_layer), ["older"]) == 0 and quick(offered(a_layer)) == COUNT - 4
    assert_same(a_layer, ["age", "older"])


@pytest.mark.parametrize(
    "kind, shape", [("PointZ", "POINT Z(1 2 3)"), ("MultiPoint", "MULTIPOINT((1 2))")]
)
def test_other_geometries_are_left_to_qgis(tmp_path, qgis_app, kind, shape):
    made = layer([shape] * 3, kind=kind, fields="age:int", rows=[(1,), (2,), (3,)])
    a_layer = opened(saved(made, tmp_path / "a.gpkg"))
    assert quick(offered(a_layer)) == 0 and quick(offered(a_layer), places=False) == 3
    assert_same(a_layer)


def test_a_file_with_a_journal_ahead_of_it_is_left_to_qgis(file):
    a_layer = opened(file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        assert quick(offered(a_layer)) == 0
        assert_same(a_layer)


def test_a_file_that_is_gone_or_locked_is_left_to_qgis(file):
    source = offered(opened(file))
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        assert quick(source) == 0
    assert quick(source) == COUNT - 4
    file.unlink()
    assert quick(source) == 0


def test_other_formats_are_left_to_qgis(tmp_path, qgis_app):
    made = layer(points(5), fields="age:int", rows=[(row,) for row in range(5)])
    assert quick(offered(made)) == 0
    assert quick(offered(opened(saved(made, tmp_path / "a.geojson")))) == 0


def test_an_algorithm_reads_so_and_leaves_the_file_as_it_is(provider, file, monkeypatch):
    before, asked = file.read_bytes(), []
    batches = stored_rows.batches

    def counted(*given):
        for rows in batches(*given):
            asked.append(len(rows.ids))
            yield rows

    monkeypatch.setattr(stored_rows, "batches", counted)
    done = run("voronoimask", {"INPUT": str(file), "OUTPUT": "TEMPORARY_OUTPUT", "FIELDS": ["age"]})
    assert sum(asked) == COUNT - 4 and done["COUNT"] == COUNT - 4 - 450
    assert file.read_bytes() == before and leftovers(file.parent) == [file.name]


def test_a_cancel_is_heard_in_between(file):
    def stop(fraction):
        if fraction > 0.3:
            raise Cancelled()

    with pytest.raises(Cancelled):
        reading.read_points(offered(opened(file)), QgsProcessingContext(), stop, ["age"])
    assert quick(offered(opened(file))) == COUNT - 4
