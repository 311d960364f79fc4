# SPDX-License-Identifier: GPL-2.0-or-later
"""Every kind of file that layers are written to: it is where the result says, and it loads."""

import os
from pathlib import Path

import numpy as np
import pytest
from qgis.core import (
    NULL,
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsProcessingException,
    QgsProcessingOutputLayerDefinition,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QDate

from geoanon_qgis.compat import is_null, make_field
from geoanon_qgis.processing.layers import formats
from tests.processing.helpers import (
    GRID,
    assert_sentence,
    layer,
    leftovers,
    opened,
    points,
    records,
    refusal,
    run,
)
from tests.processing.writer import COLUMNS, CRS, FIELDS, XY, refused, write

pytestmark = pytest.mark.usefixtures("project")

SQUARE = QgsGeometry.fromWkt("POLYGON((4e5 3e5,400400 3e5,400400 300400,4e5 300400,4e5 3e5))")
#: Endings to try, in small letters and in capitals; those with a driver that QGIS can write with.
ENDINGS = [
    one
    for ending in sorted(formats._FORMATS)
    for one in (ending, ending.upper())
    if formats._FORMATS[ending].driver_name()
]
PLACES = [one for one in ENDINGS if formats._FORMATS[one.lower()].places]
SMALL = [one for one in PLACES if one.islower()]
TABLES = [one for one in ENDINGS if formats._FORMATS[one.lower()].tables]
#: Formats that turn places into degrees, by their own rules.
IN_DEGREES = (".kml", ".kmz", ".geojsonl", ".geojsons")


def add(outputs, kind, fields=FIELDS, columns=COLUMNS):
    count = len(columns[0])
    if kind == "point":
        outputs.add_points("OUTPUT", XY[:count], fields, columns, CRS)
    elif kind == "line":
        outputs.add_lines("LINES", XY[:count], XY[:count] + 500.0, fields, columns, CRS)
    elif kind == "polygon":
        rows = zip(
            *(column.tolist() if isinstance(column, np.ndarray) else column for column in columns)
        )
        outputs.add_features(
            "AREAS", SQUARE.wkbType(), fields, ((SQUARE, row) for row in rows), CRS
        )
    else:
        outputs.add_table("TABLE", fields, columns)


NAMES = {"point": "OUTPUT", "line": "LINES", "polygon": "AREAS", "table": "TABLE"}


def put(kind, path, fields=FIELDS, columns=COLUMNS):
    """Write features of a kind; return the path that the run hands back."""
    done = write(
        lambda outputs, progress: add(outputs, kind, fields, columns), {NAMES[kind]: str(path)}
    )
    return done[NAMES[kind]]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("kind", ["point", "line", "polygon", "table"])
def test_a_layer_without_features_can_be_opened_or_is_refused(tmp_path, ending, kind):
    if ending not in (TABLES if kind == "table" else PLACES):
        return
    columns = [column[:0] for column in COLUMNS]
    if ending.lower() == ".ods":
        path = {NAMES[kind]: str(tmp_path / f"x{ending}")}
        assert "no rows" in refused(lambda outputs, _: add(outputs, kind, columns=columns), path)
        assert leftovers(tmp_path) == []
        return
    written = QgsVectorLayer(put(kind, tmp_path / f"x{ending}", columns=columns), "x", "ogr")
    assert written.isValid() and written.featureCount() == 0


@pytest.mark.parametrize("ending", SMALL)
@pytest.mark.parametrize("name", ["ünïcödé 😀", "😀", "two words", "1st", "a-b.c", "x'y", "²"])
def test_names_of_all_letters(tmp_path, ending, name):
    assert opened(put("point", tmp_path / f"{name}{ending}")).featureCount() == 20


@pytest.mark.parametrize("letter", '&<>"')
def test_names_that_break_xml(tmp_path, letter):
    said = refused(
        lambda outputs, _: add(outputs, "point"), {"OUTPUT": str(tmp_path / f"x{letter}y.gml")}
    )
    assert f"“{letter}”" in said and leftovers(tmp_path) == []


def numbers(row):
    return int(float(row["id"])), float(row["size"]), row["kind"]


EXPECTED = sorted(zip(COLUMNS[0].tolist(), COLUMNS[1].tolist(), COLUMNS[2]))


@pytest.mark.parametrize("ending", PLACES)
@pytest.mark.parametrize("kind", ["point", "line", "polygon"])
def test_places(tmp_path, ending, kind):
    path = tmp_path / f"x{ending}"
    result = put(kind, path)
    expected = path.with_suffix(".SHP" if ending.isupper() else ".shp")
    assert result == str(expected if ending.lower() == ".dbf" else path)
    assert os.path.exists(result)
    written = QgsVectorLayer(result, "x", "ogr")
    assert written.isValid() and written.featureCount() == 20
    found = sorted(map(numbers, records(written)))
    assert [one[::2] for one in found] == [one[::2] for one in EXPECTED]
    assert np.allclose([one[1] for one in found], [one[1] for one in EXPECTED], atol=1e-12)
    if ending.lower() == ".csv":
        return  # without a system, and points as two numbers
    assert QgsWkbTypes.geometryDisplayString(written.geometryType()).lower() == kind
    assert written.crs().authid() == ("EPSG:4326" if ending.lower() in IN_DEGREES else GRID)
    if kind == "point" and ending.lower() not in IN_DEGREES:
        assert centres(written) == pytest.approx(XY[np.lexsort(XY.T)], abs=0.01)


def centres(a_layer):
    found = [feature.geometry().asPoint() for feature in a_layer.getFeatures()]
    found = np.array([(one.x(), one.y()) for one in found])
    return found[np.lexsort(found.T)]


@pytest.mark.parametrize("ending", TABLES)
def test_tables(tmp_path, ending):
    path = tmp_path / f"x{ending}"
    result = put("table", path)
    expected = path.with_suffix(".DBF" if ending.isupper() else ".dbf")
    assert result == str(expected if ending.lower() == ".shp" else path)
    written = QgsVectorLayer(result, "x", "ogr")
    assert written.isValid() and written.featureCount() == 20
    found = sorted(map(numbers, records(written)))
    assert [one[::2] for one in found] == [one[::2] for one in EXPECTED]
    assert not any(".geoanon" in one for one in leftovers(tmp_path))


@pytest.mark.parametrize("ending", sorted({*PLACES} - {".gdb", ".GDB", ".dbf", ".DBF"}))
def test_a_second_run_replaces_the_first(tmp_path, ending):
    path = tmp_path / f"x{ending}"
    put("point", path)
    before = leftovers(tmp_path)
    put("point", path, FIELDS[:1], [COLUMNS[0][:7]])
    assert leftovers(tmp_path) == before
    assert opened(path).featureCount() == 7


@pytest.mark.parametrize("kind", list(NAMES))
def test_every_ending_that_qgis_offers_is_written_or_refused(tmp_path, kind):
    """Nothing lies under another name, and nothing of the draft is told."""
    endings = QgsVectorFileWriter.supportedFormatExtensions()
    endings = [one for one in endings if "." not in one]  # an archive is another ending
    assert len(endings) > 10
    for ending in [*endings, "mif", "mid", "db", "gmt", "mbtiles", "pdf", "shz", "map"]:
        path = tmp_path / f"x.{ending}"
        try:
            result = put(kind, path)
        except QgsProcessingException as error:
            assert_sentence(str(error).replace("Unable to execute algorithm\n", ""))
            assert ".geoanon" not in str(error)
        else:
            written = QgsVectorLayer(result, "x", "ogr")
            assert written.isValid() and written.featureCount() == 20, result
            assert Path(result).stem == "x"


def test_what_has_places_does_not_go_where_there_are_none(tmp_path):
    for ending in (".xlsx", ".ods"):
        sentence = refused(lambda *_: None, {"OUTPUT": str(tmp_path / f"x{ending}")})
        assert "has places" in sentence and ending in sentence


def test_names_that_are_too_long(tmp_path):
    for name, file in (("OUTPUT", ".gpkg"), ("OUTPUT", ".shp"), ("REPORT", ".html")):
        sentence = refused(lambda *_: None, {name: str(tmp_path / ("ü" * 130 + file))})
        assert "too long" in sentence and "shorter" in sentence
    sentence = refused(lambda *_: None, {"OUTPUT": "/" + "deep/" * 900 + "x.gpkg"})
    assert "too long" in sentence
    path = tmp_path / ("x" * 242 + ".gpkg")
    assert put("point", path) == str(path)
    assert leftovers(tmp_path) == [path.name]


@pytest.mark.parametrize("ending", [".gpkg", ".sqlite"])
def test_names_that_gdal_would_read_as_others(tmp_path, ending):
    sentence = refused(lambda *_: None, {"OUTPUT": str(tmp_path / f"50%20cent{ending}")})
    assert "%20" in sentence and ending in sentence
    assert put("point", tmp_path / f"50% cent{ending}")


# --- what the user reads ------------------------------------------------------------------------


def test_a_drivers_complaint_names_the_users_place(tmp_path, monkeypatch):
    """GDAL talks of the draft, which nobody has asked for."""
    create = QgsVectorFileWriter.create
    fields = [make_field("same", "long"), make_field("same", "long")]
    path = tmp_path / "x.gpkg"
    seen = []

    def watched(*given):
        seen.append(given[0])
        return create(*given)

    monkeypatch.setattr(QgsVectorFileWriter, "create", watched)
    for ending in (".gpkg", ".geojson", ".fgb", ".sqlite"):
        path = tmp_path / f"x{ending}"
        try:
            put("point", path, fields, [[1], [2]])
        except QgsProcessingException as error:
            assert str(path) in str(error) and ".geoanon" not in str(error)
    assert all(".geoanon" in one for one in seen) and len(seen) == 4


def test_a_complaint_with_the_drafts_path(tmp_path, monkeypatch):
    class Writer:
        def hasError(self):
            return True

        def errorMessage(self):
            return f"Creation of {self.path} failed: {self.path}.x in {Path(self.path).parent}"

    def create(path, *_):
        writer = Writer()
        writer.path = path
        return writer

    monkeypatch.setattr(QgsVectorFileWriter, "create", create)
    path = tmp_path / "x.gpkg"
    with pytest.raises(QgsProcessingException) as error:
        put("point", path)
    assert f"Creation of {path} failed: {path}.x in {tmp_path})" in str(error.value)
    assert ".geoanon" not in str(error.value)


# --- fields that are called as the format's own -------------------------------------------------


@pytest.mark.parametrize("ending", [".gpkg", ".sqlite", ".geojson", ".shp", ".csv"])
@pytest.mark.parametrize("kind", ["point", "polygon", "table"])
def test_a_field_called_as_the_row_or_the_geometry(tmp_path, ending, kind):
    fields = [
        make_field("fid", "long"),
        make_field("geom", "string"),
        make_field("ogc_fid", "long"),
        make_field("Size", "double"),
    ]
    columns = [[7, 7, 3], ["a", "b", "c"], [5, 5, 5], [1.5, None, 2.5]]
    result = put(kind, tmp_path / f"x{ending}", fields, columns)
    # GDAL keeps that name of SQLite's to itself
    names = ["fid", "geom", "ogc_fid0" if ending == ".sqlite" else "ogc_fid"]
    found = [[row[name] for name in names] for row in records(result)]
    found = sorted([int(one[0]), one[1], int(one[2])] for one in found)
    assert found == [[3, "c", 5], [7, "a", 5], [7, "b", 5]]


def test_a_text_field_called_fid(tmp_path):
    result = put("point", tmp_path / "x.gpkg", [make_field("FID", "string")], [["a", "b", "a"]])
    assert [row["FID"] for row in records(result)] == ["a", "b", "a"]


def test_synthetic_records_of_regions_whose_id_is_called_fid(tmp_path):
    shares = tmp_path / "shares.json"
    shares.write_text('{"groups": {"all": {"sex": [1, 1]}}}', encoding="utf-8")
    regions = layer(points(3), fields="fid:int", rows=[(row + 1,) for row in range(3)])
    done = run(
        "syntheticrecords",
        {
            "REGIONS": regions,
            "REGION_ID": "fid",
            "SHARES_FILE": str(shares),
            "LEAST": 5,
            "MOST": 5,
            "OUTPUT": str(tmp_path / "people.gpkg"),
        },
    )
    assert sorted(row["fid"] for row in records(done["OUTPUT"])) == [1] * 5 + [2] * 5 + [3] * 5


# --- values -------------------------------------------------------------------------------------

BIG = 2**53 + 1


@pytest.mark.parametrize(
    "kind, ending",
    [
        *(("point", one) for one in SMALL),
        *(("polygon", one) for one in (".shp", ".tab", ".kml")),
    ],
)
@pytest.mark.parametrize(
    "column, field",
    [
        (np.array([1, BIG]), "long"),
        ([-BIG, None], "long"),
        ([NULL, 2**63 - 1], "long"),
        ([-(2**63), 0], "long"),
        ([1.0, 1e300], "double"),
        ([0.1, None], "double"),
        (["", "x" * 255], "string"),
        (["ä" * 200, None], "string"),
        ([True, None], "bool"),
        ([QDate(2020, 2, 29), None], "date"),
    ],
)
def test_values_come_back_or_are_refused(tmp_path, ending, kind, column, field):
    """No number becomes another one, no text is cut, and nothing missing becomes a zero."""
    path = tmp_path / f"x{ending}"
    fields = [make_field("number", "int"), make_field("value", field)]
    try:
        result = put(kind, path, fields, [[0, 1], column])
    except QgsProcessingException as error:
        assert_sentence(str(error))
        assert "value" in str(error) and ending in str(error)
        assert leftovers(tmp_path) == []
        assert ending not in (".gpkg", ".geojson", ".csv", ".sqlite", ".fgb")
        return
    found = {int(float(row["number"])): row["value"] for row in records(result)}
    for number, value in enumerate(column):
        assert same(found[number], value), (found[number], value)


@pytest.mark.parametrize("ending", [one for one in TABLES if one.islower()])
@pytest.mark.parametrize(
    "names",
    [
        ("a", "b"),
        ("2011", "12.5"),
        ("2011", "x"),
        ("x", "1e3"),
        ("2011b", "1,5"),
    ],
)
def test_a_heading_is_no_record(tmp_path, ending, names):
    """Some readers guess from what stands there whether the first row is a heading."""
    fields = [make_field(name, "string") for name in names]
    try:
        result = put("table", tmp_path / f"x{ending}", fields, [["p", "q"], ["1", "s"]])
    except QgsProcessingException as error:
        assert_sentence(str(error))
        assert "for a record" in str(error) and ending in (".xlsx", ".ods", ".csv")
        assert leftovers(tmp_path) == []
        assert ending != ".csv" or names not in (("a", "b"), ("2011b", "1,5"))
        return
    found = [sorted(str(value) for value in row.values()) for row in records(result)]
    assert len(found) == 2 and all({"1", "p"} <= {*row} or {"q", "s"} <= {*row} for row in found)


def same(found, value):
    if is_null(value) or value != value:
        return is_null(found) or found == "" or found != found
    if isinstance(value, QDate):
        return str(getattr(found, "toString", lambda _: found)("yyyy/MM/dd")).startswith(
            ("2020/02/29", "2020-02-29")
        )
    if isinstance(value, str):
        return found == value or (value == "" and is_null(found))
    if isinstance(value, bool):
        return str(found).lower() in ("true", "1", "1.0")
    if isinstance(value, float):
        return float(found) == pytest.approx(value, rel=1e-14)
    return int(found) == value


# --- as users meet it ---------------------------------------------------------------------------


@pytest.mark.parametrize("ending", [".fgb", ".mif", ".geojsonl", ".gpkg", ".csv"])
def test_synthetic_points_go_into_files_of_places(tmp_path, ending):
    rows = [(row % 7, row * 1.5) for row in range(60)]
    source = layer(points(60), fields="age:int,income:double", rows=rows)
    path = str(tmp_path / f"x{ending}")
    done = run(
        "spectralanonymize",
        {"INPUT": source, "FIELDS": ["age", "income"], "USE_GEOMETRY": True, "OUTPUT": path},
    )
    assert done["OUTPUT"] == path and opened(path).featureCount() == 60
    sentence = refusal(
        "spectralanonymize",
        {
            "INPUT": source,
            "FIELDS": ["age", "income"],
            "USE_GEOMETRY": ending in (".gpkg", ".csv"),
            "OUTPUT": str(tmp_path / ("y.xlsx" if ending in (".gpkg", ".csv") else f"y{ending}")),
        },
    )
    assert "places" in sentence


def test_records_with_and_without_places(tmp_path):
    rows = [(row % 3,) for row in range(9)]
    source = layer(points(9), fields="age:int", rows=rows)
    done = run(
        "equivalenceclasses", {"INPUT": source, "QIS": ["age"], "OUTPUT": str(tmp_path / "x.fgb")}
    )
    assert opened(done["OUTPUT"]).featureCount() == 9
    table = layer([None] * 9, kind="None", crs="", fields="age:int", rows=rows)
    sentence = refusal(
        "equivalenceclasses", {"INPUT": table, "QIS": ["age"], "OUTPUT": str(tmp_path / "y.fgb")}
    )
    assert "table without places" in sentence


def test_the_letters_that_a_dialog_asks_for(tmp_path):
    """The system's own may lack some; those that somebody chose are taken."""
    for encoding, found in (("System", "UTF-8"), ("ISO-8859-1", "88591")):
        definition = QgsProcessingOutputLayerDefinition(str(tmp_path / f"{found}.shp"))
        definition.createOptions = {"fileEncoding": encoding}
        done = write(lambda outputs, progress: add(outputs, "point"), {"OUTPUT": definition})
        assert records(done["OUTPUT"])[1]["kind"] == "süd"
        assert (tmp_path / f"{found}.cpg").read_text() == found


@pytest.mark.parametrize("ending", [".kml", ".kmz"])
def test_places_of_no_system_do_not_become_degrees(tmp_path, ending):
    if not formats._FORMATS[ending].driver_name():
        pytest.skip("no driver")
    nowhere = QgsCoordinateReferenceSystem()

    def put_in(outputs, progress):
        outputs.add_points("OUTPUT", XY, FIELDS, COLUMNS, nowhere)

    said = refused(put_in, {"OUTPUT": str(tmp_path / f"x{ending}")})
    assert "no coordinate reference system" in said and leftovers(tmp_path) == []
