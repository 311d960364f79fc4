# SPDX-License-Identifier: GPL-2.0-or-later
"""One spelling of attribute values, whatever the format they come from."""

import datetime
import json
import re
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from osgeo import gdal
from qgis.core import NULL, QgsProcessingException
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime, QTimeZone

from geoanon_qgis.core.aggregation.categories import Encoder
from geoanon_qgis.core.columns import Gathered, column_of
from geoanon_qgis.processing.i18n import tr
from geoanon_qgis.processing.layers import values, whole_files
from geoanon_qgis.processing.layers.labels import labels_of
from geoanon_qgis.processing.layers.reading import read_table
from geoanon_qgis.processing.layers.records import from_parquet, from_source
from tests.processing.helpers import (
    Feedback,
    as_source,
    layer,
    opened,
    records,
    refusal,
    run,
    saved,
)

DAY, TIME = QDate(2020, 1, 2), QTime(3, 4, 5, 678)


def moment(spec, time=TIME):
    return QDateTime(DAY, time, spec)


def behind(seconds):
    made = moment(Qt.TimeSpec.LocalTime)
    made.setOffsetFromUtc(seconds)
    return made


@pytest.mark.parametrize(
    "value, text",
    [
        (7, "7"),
        (7.0, "7"),
        (-0.0, "0"),
        (7.25, "7.25"),
        (True, "1"),
        (False, "0"),
        (2**63 - 1, "9223372036854775807"),
        (2**53 + 1, "9007199254740993"),
        (np.int64(2**53 + 1), "9007199254740993"),
        (np.float64(0.1), "0.1"),
        (np.bool_(True), "1"),
        ("007", "007"),
        ("", ""),
        ("Zürich", "Zürich"),
        (DAY, "2020-01-02"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (TIME, "03:04:05.678"),
        (QTime(3, 4), "03:04:00"),
        (datetime.time(3, 4), "03:04:00"),
        (datetime.time(3, 4, 5, 678_000), "03:04:05.678"),
        (moment(Qt.TimeSpec.LocalTime), "2020-01-02T03:04:05.678"),
        (moment(Qt.TimeSpec.LocalTime, QTime(3, 4)), "2020-01-02T03:04:00"),
        (moment(Qt.TimeSpec.UTC), "2020-01-02T03:04:05.678Z"),
        (behind(-12_600), "2020-01-02T03:04:05.678-03:30"),
        (QDateTime(DAY, TIME, QTimeZone(b"Europe/Amsterdam")), "2020-01-02T03:04:05.678+01:00"),
        (datetime.datetime(2020, 1, 2, 3, 4, tzinfo=datetime.timezone.utc), "2020-01-02T03:04:00Z"),
        (
            datetime.datetime(2020, 1, 2, 3, 4, tzinfo=ZoneInfo("Europe/Amsterdam")),
            "2020-01-02T03:04:00+01:00",
        ),
        (["a", "b, c"], '["a", "b, c"]'),
        ([1, 2], "[1, 2]"),
        ({"b": 1, "a": DAY}, '{"a": "2020-01-02", "b": 1}'),
        (QByteArray(b"\x00ab"), "006162"),
        (b"\x00ab", "006162"),
        (None, "NULL"),
        (NULL, "NULL"),
        (float("nan"), "NULL"),
        (QDate(), "NULL"),
        (QTime(), "NULL"),
        (QDateTime(), "NULL"),
        (QByteArray(), "NULL"),
    ],
)
def test_each_type_has_one_spelling(value, text):
    assert values.text_of(value) == text
    assert column_of("", [value, value]).texts("NULL") == [text, text]
    assert column_of("", [value, "x", 1]).texts("NULL") == [text, "x", "1"]
    assert values.is_null(value) == (text == "NULL")


QT = st.one_of(
    st.dates().map(QDate),
    st.times().map(lambda at: QTime(at.hour, at.minute, at.second, at.microsecond // 1000)),
    st.builds(
        lambda at, zone: QDateTime(
            QDate(at), QTime(at.hour, at.minute, at.second, at.microsecond // 1000), zone
        ),
        st.datetimes(),
        st.sampled_from([Qt.TimeSpec.LocalTime, Qt.TimeSpec.UTC]),
    ),
    st.binary(max_size=3).map(QByteArray),
    st.sampled_from([NULL, QDate(), QTime(), QDateTime()]),
)


@given(
    st.one_of(
        *(
            st.lists(st.one_of(kind, st.sampled_from([None, NULL])), max_size=9)
            for kind in (QT, st.integers(), st.floats(), st.text(max_size=3), st.booleans())
        )
    ),
    st.integers(0, 9),
)
def test_columns_of_qgis_values_are_those_values(column, cut):
    gathered = Gathered("field")
    batches = [column[:cut], column[cut:]]
    said = [gathered.add(batch).texts("NULL") for batch in batches]
    found = gathered.column()
    spelled = [values.text_of(value) for value in column]
    assert found.texts("NULL") == said[0] + said[1] == spelled
    missing = [values.is_null(value) for value in column]
    assert (found.missing is None) == (not any(missing))
    assert found.missing is None or found.missing.tolist() == missing
    for value, back, gone in zip(column, found, missing):  # what is written is what was read
        if gone:
            assert back is None or back != back
        else:
            assert back == value and type(back) is type(value)


def test_moments_at_the_same_time_in_two_zones_are_two_values():
    early = moment(Qt.TimeSpec.UTC, QTime(2, 0))
    assert early == QDateTime(DAY, QTime(3, 0), QTimeZone(b"Europe/Amsterdam"))
    both = column_of("", [early, QDateTime(DAY, QTime(3, 0), QTimeZone(b"Europe/Amsterdam"))])
    assert both.texts() == ["2020-01-02T02:00:00Z", "2020-01-02T03:00:00+01:00"]


@pytest.mark.parametrize(
    "text, label",
    [
        ("7.00000", "7"),
        ("7.50", "7.5"),
        ("-0.0", "0"),
        ("007", "007"),
        ("1.2.3", "1.2.3"),
        ("2020/01/02", "2020-01-02"),
        ("2020/01/02 03:04:05.000+00", "2020-01-02T03:04:05Z"),
        ("2020-01-02 03:04:05.600", "2020-01-02T03:04:05.6"),
        ("03:04:05.000", "03:04:05"),
        ("02.01.2020", "02.01.2020"),
        ("12/34", "12/34"),
        ("-", "-"),
        ("5e3", "5e3"),
    ],
)
def test_labels_of_text_read_as_the_values_do(text, label):
    assert values.label_of(text) == label


# --- the same table in many formats --------------------------------------------------------------

FIELDS = (
    "whole:int,long:int8,real:double,word:string,flag:boolean,day:date,moment:datetime,"
    "clock:time,tags:string[],counts:integer[]"
)
NAMES = [field.partition(":")[0] for field in FIELDS.split(",")]


def people(count=60):
    rng = np.random.default_rng(1)
    rows = []
    for number in rng.integers(0, 4, count).tolist():
        other = int(rng.integers(0, 3))
        rows.append(
            (
                number,
                2**40 + other,
                other + (0.5 if number == 1 else 0.0),
                "abcd"[number],
                bool(number % 2),
                DAY.addDays(other),
                QDateTime(DAY, QTime(1 + other, number)),
                QTime(1 + number, 2, 3),
                ["x", "abc"[other]],
                [1, other],
            )
        )
    return layer([(number, 1) for number in range(count)], fields=FIELDS, rows=rows)


def as_parquet(source, path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    columns = {name: [] for name in NAMES}
    for row in records(source):
        for name in NAMES:
            value = row[name]
            columns[name].append(
                value.toPyDateTime()
                if isinstance(value, QDateTime)
                else value.toPyDate()
                if isinstance(value, QDate)
                else value.toPyTime()
                if isinstance(value, QTime)
                else value
            )
    table = pa.table({**columns, "moment": pa.array(columns["moment"], pa.timestamp("ns"))})
    pq.write_table(table, path)
    return str(path)


#: What a format keeps as what it was; the others turn lists into text of their own, and a
#: shapefile names moments in ten letters and a day of its own.
LISTS = ["tags", "counts"]
FORMATS = {"gpkg": LISTS, "shp": LISTS, "geojson": [], "csv": LISTS, "sqlite": []}


@pytest.mark.parametrize("ending", FORMATS)
def test_a_table_has_the_same_labels_classes_and_codes_in_every_format(provider, tmp_path, ending):
    source = people()
    names = [name for name in NAMES if name not in FORMATS[ending]]
    path = saved(source, tmp_path / f"people.{ending}")
    labels = {}
    for key, one in (("memory", source), ("file", path)):
        table = read_table(as_source(opened(one)), fields=names)
        labels[key] = labels_of(table.columns, names, len(table))
    assert labels["memory"] == labels["file"]
    assert all(None not in label for label in labels["file"])
    for name in names:
        given = {"QIS": [name], "OUTPUT": "TEMPORARY_OUTPUT"}
        sizes = [
            [
                row["class_size"]
                for row in records(run("equivalenceclasses", {"INPUT": one, **given})["OUTPUT"])
            ]
            for one in (source, path)
        ]
        assert sizes[0] == sizes[1], name
    if ending != "csv":  # a CSV has no types: its codes are those of its text
        assert categories(from_source(as_source(opened(path))), names) == categories(
            from_source(as_source(opened(source))), names
        )


@pytest.mark.skipif(int(gdal.VersionInfo()) < 3_060_000, reason="GDAL reads no columns before 3.6")
def test_records_that_are_read_past_qgis_are_the_same(provider, tmp_path):
    layer = opened(saved(people(), tmp_path / "people.gpkg"))
    slow = from_source(as_source(layer))
    source = as_source(layer)
    whole_files.offer(source, layer, "")
    quick = from_source(source)
    assert type(quick) is not type(slow)
    for name in NAMES:
        assert categories(quick, [name]) == categories(slow, [name]), name
    layer.setSubsetString('"fid" > 1')
    source = as_source(layer)
    whole_files.offer(source, layer, "")
    assert type(from_source(source)) is type(slow)


def test_parquet_files_spell_values_as_layers_do(provider, tmp_path):
    source = people()
    path = as_parquet(source, tmp_path / "people.parquet")
    assert categories(from_parquet(path), NAMES) == categories(
        from_source(as_source(opened(source))), NAMES
    )


def categories(table, names):
    """The categories by code, as labels, and the codes of all records."""
    encoders = {name: Encoder(name) for name in names}
    codes = {name: [] for name in names}
    for batch in table.batches(names):
        for name in names:
            codes[name] += encoders[name].codes(batch[name]).tolist()
    return {
        name: (values.labels(column_of(name, encoders[name].categories)), codes[name])
        for name in names
    }


def test_times_of_day_are_told_apart(provider):
    rows = [(QTime(i % 24, i, 1),) for i in range(16)]
    source = layer([None] * 16, kind="NoGeometry", crs="", fields="clock:time", rows=rows)
    done = run(
        "equivalenceclasses", {"INPUT": source, "QIS": ["clock"], "OUTPUT": "TEMPORARY_OUTPUT"}
    )
    assert (done["K_ANONYMITY"], done["UNIQUES"]) == (1, 16)


# --- what is no number --------------------------------------------------------------------------


def test_sentences_have_words_for_what_is_no_number():
    words = dict(a=np.nan, b=np.float32("nan"), c="nan", d=1_000)
    said = tr("{a:.2f} and {b:,.4g} of {c}, {d:,}").format(**words)
    assert said == "not defined and not defined of nan, 1,000"
    assert tr("{:.1f} {:>5}").format(-np.inf, "x") == "infinite     x"
    assert type(tr("plain")) is str
    results = values.finite({"a": np.nan, "b": np.float64(1.5), "c": np.int64(2), "d": np.inf})
    assert results == {"a": None, "b": 1.5, "c": 2, "d": None}
    assert {type(value) for value in results.values()} == {type(None), float, int}


@pytest.mark.parametrize("xy", [[(0, 0), (300, 400)], [(5, 5)] * 4])
def test_nobody_is_shown_nan(provider, tmp_path, xy):
    rows = [(float(row),) for row in range(len(xy))]
    source = layer(np.array(xy, float) + 4e5, fields="a:double", rows=rows)
    page, figures = tmp_path / "r.html", tmp_path / "r.json"
    files = {"REPORT": str(page), "JSON": str(figures)}
    done = run(
        "noisydistances",
        {
            "INPUT": source,
            "NOISE": "exact",
            "MATRIX": str(tmp_path / "m.csv"),
            **files,
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert done["SPEARMAN"] is None and "not defined" in done.feedback.said
    assert json.loads(figures.read_text(encoding="utf-8"))["figures"]["spearman"] is None
    for text in (
        done.feedback.said,
        page.read_text(encoding="utf-8"),
        figures.read_text(encoding="utf-8"),
    ):
        assert not re.search(r"\b(nan|inf)\b", re.sub('base64,[^"]*', "", text))


def test_utility_of_one_field_shows_no_nan(provider, tmp_path):
    rng = np.random.default_rng(1)
    makes = [
        layer(
            rng.normal(4e5, 900, (40, 2)),
            fields="a:double",
            rows=[(value,) for value in rng.normal(size=40).tolist()],
        )
        for _ in range(2)
    ]
    done = run(
        "microdatautility",
        {
            "ORIGINAL": makes[0],
            "ANONYMIZED": makes[1],
            "OUTPUT": "TEMPORARY_OUTPUT",
            "REPORT": str(tmp_path / "r.html"),
            "USE_GEOMETRY": True,
        },
    )
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    for text in (done.feedback.said, re.sub('base64,[^"]*', "", page)):
        assert not re.search(r"\bnan\b", text)
    assert all(value is None or value == value for value in done.results.values())


# --- lists, and whole numbers of 64 bits ----------------------------------------------------------

BIG = [2**63 - 1, 2**53 + 1, 2**53, -(2**63) + 1]


def with_lists(count=40):
    rng = np.random.default_rng(3)
    rows = [(BIG[i % 4], ["a", "b, c"][: i % 3], [i % 2, 1], i % 5) for i in range(count)]
    return layer(
        rng.uniform(4e5, 4.1e5, (count, 2)),
        fields="big:int8,tags:string[],counts:integer[],group:int",
        rows=rows,
    )


def released_by(name, source, folder, **parameters):
    more = {
        "voronoimask": {},
        "noisydistances": {"NOISE": "exact", "MATRIX": str(folder / "m.csv")},
        "lipschitzrelease": {"SETS": 3, "SIZE": 2, "MATRIX": str(folder / "m.csv")},
        "spectralanonymize": {"METHOD": "cell_swapping"},
    }[name]
    return run(
        name,
        {
            "INPUT": source,
            "OUTPUT": str(folder / "o.gpkg"),
            **more,
            "KEY": str(folder / "k.gpkg"),
            **parameters,
        },
    )


@pytest.mark.parametrize("ending", ["", "geojson", "sqlite"])
@pytest.mark.parametrize("name", ["voronoimask", "noisydistances", "lipschitzrelease"])
def test_lists_and_long_numbers_are_released_as_they_are(provider, tmp_path, name, ending):
    source = with_lists()
    given = saved(source, tmp_path / f"in.{ending}") if ending else source
    done = released_by(name, given, tmp_path, FIELDS=["big", "tags", "counts", "group"])
    key = {
        row["masked_id" if name == "voronoimask" else "released_id"]: row["original_id"]
        for row in records(done["KEY"])
    }
    truth = {row.id(): row.attributes() for row in opened(given).getFeatures()}
    names = opened(given).fields().names()
    for row in records(done["OUTPUT"]):
        own = dict(zip(names, truth[key[row.get("masked_id") or row["released_id"]]]))
        assert row["big"] == own["big"] and row["group"] == own["group"]
        for several in ("tags", "counts"):
            assert json.loads(row[several]) == own[several]
    assert {row["big"] for row in records(done["OUTPUT"])} == set(BIG)


def test_long_numbers_stay_what_they_are_in_classes_and_categories(provider, tmp_path):
    source = with_lists()
    done = run(
        "equivalenceclasses",
        {
            "INPUT": source,
            "QIS": ["big", "tags"],
            "OUTPUT": "TEMPORARY_OUTPUT",
            "CLASSES": str(tmp_path / "c.gpkg"),
            "JSON": str(tmp_path / "c.json"),
        },
    )
    classes = {(row["big"], row["tags"]): row["class_size"] for row in records(done["CLASSES"])}
    assert len(classes) == done["CLASSES_FOUND"] == 12 and {big for big, _ in classes} == set(BIG)
    assert {tags for _, tags in classes} == {"[]", '["a"]', '["a", "b, c"]'}
    encoder = Encoder("big", np.array(BIG))
    assert encoder.encode(np.array(BIG[::-1])).tolist() == [3, 2, 1, 0]


def test_long_numbers_are_categories_of_microdata(provider, tmp_path):
    source = with_lists(800)  # so many that every combination comes back, whatever is drawn
    done = released_by("spectralanonymize", source, tmp_path)
    rows = records(done["OUTPUT"])
    assert sorted(row["big"] for row in rows) == sorted(BIG * 200)
    assert "more than 15 digits" in done.feedback.said and "big=categorical" in done.feedback.said
    found = run(
        "disclosurerisk",
        {"ORIGINAL": source, "ANONYMIZED": done["OUTPUT"], "OUTPUT": "TEMPORARY_OUTPUT"},
    )
    assert found["VERBATIM"] == 800  # four times five combinations of eight hundred people
    as_measure = released_by("spectralanonymize", source, tmp_path, KINDS="big=continuous")
    assert "big=continuous" in as_measure.feedback.said
    said = refusal(
        "spectralanonymize",
        {
            "INPUT": source,
            "FIELDS": ["tags", "big"],
            "KINDS": "tags=continuous",
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "tags" in said


# --- what reports and logs say --------------------------------------------------------------------

_ONE_OF_MANY = re.compile(
    r"(?<![\d.,–−-])1 (?:[a-z]+ )?(?:records|points|originals|features|people|areas|regions|fields|"
    r"pairs|sets|matches|candidates|classes|sites|places|ids|values|rows|columns|groups|categories|"
    r"others|decimals|cells|persons|locations|combinations)\b"
)


def text_of_page(path):
    page = path.read_text(encoding="utf-8")
    page = re.sub(r"<(style|svg|script)\b.*?</\1>", " ", page, flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"(<[^>]*>\s*)+", " | ", page)).replace("\u202f", "")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_one_is_no_plural(provider, tmp_path, count):
    """Every algorithm that takes points or tables, on as few of them as there can be."""
    xy = np.random.default_rng(1).uniform(4e5, 4.1e5, (count, 2))
    rows = [(i % 2, float(i)) for i in range(count)]
    source = layer(xy, fields="a:int,b:double", rows=rows)
    page = str(tmp_path / "r.html")
    runs = {
        "equivalenceclasses": {"INPUT": source, "QIS": ["a"], "K": 2},
        "voronoimask": {"INPUT": source, "KEY": str(tmp_path / "k.gpkg")},
        "reversevoronoi": {"MASKED": source, "CANDIDATES": layer(xy + 9.0)},
        "noisydistances": {"INPUT": source, "NOISE": "exact", "MATRIX": str(tmp_path / "m.csv")},
        "disclosurerisk": {
            "ORIGINAL": source,
            "ANONYMIZED": layer(xy, fields="a:int,b:double", rows=rows),
            "K": 2,
        },
        "spectralanonymize": {"INPUT": source, "K": 2},
    }
    ran = 0
    for name, parameters in runs.items():
        feedback = Feedback()
        try:
            run(name, {**parameters, "REPORT": page, "OUTPUT": "TEMPORARY_OUTPUT"}, feedback)
            said, ran = text_of_page(tmp_path / "r.html"), ran + 1
        except QgsProcessingException as error:
            said = str(error)
        said = f"{feedback.said} {said}"
        assert not _ONE_OF_MANY.search(said), (name, _ONE_OF_MANY.search(said), said)
    assert ran >= 1


def test_classes_of_a_layer_need_no_pyproj_and_the_report_says_so(provider, tmp_path, monkeypatch):
    from geoanon_qgis.core.runtime.errors import MissingPackage
    from geoanon_qgis.processing.layers import planes

    def missing(*args, **kwargs):
        raise MissingPackage("The package pyproj is needed.")

    given = {
        "INPUT": with_lists(),
        "QIS": ["group"],
        "OUTPUT": "TEMPORARY_OUTPUT",
        "REPORT": str(tmp_path / "r.html"),
    }
    run("equivalenceclasses", given)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "data:image/png" in page and "shows original locations" in page
    monkeypatch.setattr(planes, "working_plane", missing)
    done = run("equivalenceclasses", given)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert done["K_ANONYMITY"] == 8 and "There is no map in the report" in page
    assert "pyproj" in done.feedback.said and "data:image/png" not in page
    assert "shows original locations" not in page and "tells of the original records" in page


def test_reports_of_tables_do_not_say_that_they_show_places(provider, tmp_path):
    table = layer(
        [None] * 4, kind="NoGeometry", crs="", fields="a:int", rows=[(i % 2,) for i in range(4)]
    )
    run(
        "equivalenceclasses",
        {
            "INPUT": table,
            "QIS": ["a"],
            "OUTPUT": "TEMPORARY_OUTPUT",
            "REPORT": str(tmp_path / "r.html"),
            "JSON": str(tmp_path / "r.json"),
        },
    )
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "original locations" not in page and "must not be given to anyone" in page
    assert "original records" in json.loads((tmp_path / "r.json").read_text())["private_note"]
