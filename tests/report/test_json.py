# SPDX-License-Identifier: GPL-2.0-or-later
"""The JSON: the same figures, as numbers, under names that stay."""

import datetime
import json

import numpy as np
import pytest

from geoanon_qgis.report import (
    Audit,
    Bars,
    Dots,
    Figure,
    Figures,
    Histogram,
    Lines,
    Report,
    Scatter,
    Section,
    Series,
    Table,
    Wording,
    to_dict,
    to_json,
    write_json,
)


def refuse(constant):
    raise AssertionError(f"{constant} is not JSON")


def parse(report, **kwargs):
    return json.loads(to_json(report, **kwargs), parse_constant=refuse)


def one(*blocks, **fields):
    return Report("T", (Section("S", blocks),), **fields)


def block(report, name):
    blocks = [b for section in report["sections"] for b in section["blocks"]]
    return next(b for b in blocks if b.get("name") == name)


def test_head(make_report):
    data = parse(make_report(private=True))
    assert (data["format"], data["format_version"]) == ("geoanon-report", 1)
    assert data["private"] is True and "must not" in data["private_note"]
    assert data["title"] == "Voronoi masking" and data["version"] == "1.0"
    data = parse(make_report(private=False))
    assert data["private"] is False and data["private_note"] == ""


def test_round_trip(report):
    assert parse(report) == to_dict(report)


def test_headline_figures_by_name(report):
    assert parse(report)["figures"] == {
        "count": 27119,
        "median_shift": 2.564,
        "share": 65.61,
        "missing": None,
        "system": "EPSG:28992",
    }


def test_table_holds_all_rows_as_records():
    rows = [(i, i / 4) for i in range(1000)]
    table = block(parse(one(Table(("id", "shift"), rows, name="t"))), "t")
    assert len(table["rows"]) == 1000 and table["rows"][-1] == {"id": 999, "shift": 249.75}


def test_charts_hold_their_data(report):
    data = parse(report)
    bins = block(data, "shifts")["bins"]
    assert bins[1] == {"from": 0.5, "to": 1, "count": 12345}
    assert block(data, "shifts")["above"] == 2 and block(data, "shifts")["maximum"] == 9.5
    assert block(data, "shifts")["marks"] == [{"value": 0.7, "label": "median"}]
    assert block(data, "kinds")["bars"][0] == {"label": "pair", "value": 2}
    assert block(data, "found")["series"] == [
        {"label": "ours", "x": [0, 1], "y": [0.0, 50.0], "low": [0, 40.5], "high": [0.5, None]},
        {"label": "theirs", "x": [0], "y": [1]},
    ]
    scatter = block(data, "risk_utility")
    assert scatter["series"][1] == {
        "label": "front",
        "joined": True,
        "x": [2, 9],
        "y": [5, 40],
        "notes": ["best", ""],
    }
    assert scatter["series"][0]["x"] == [0.5, 20, None] and scatter["series"][0]["notes"] == []
    assert scatter["marks"] == [{"value": 1, "label": "least"}]
    assert scatter["limits"] == [{"value": 25, "label": "most"}]


def test_pictures_are_left_out_but_named(report):
    picture = block(parse(report), "before")
    assert picture == {"type": "picture", "name": "before", "caption": "Before", "alt": "Grey"}
    assert "iVBOR" not in to_json(report)


@pytest.mark.parametrize(
    "value, expected",
    [
        (np.int64(2**53 + 1), 2**53 + 1),
        (np.uint8(3), 3),
        (np.float64(0.1), 0.1),
        (np.float32(0.5), 0.5),
        (np.array(7), 7),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (float("nan"), None),
        (float("-inf"), None),
        (np.float32("inf"), None),
        (np.ma.masked, None),
        (np.datetime64("NaT"), None),
        (np.datetime64("2024-02-29"), "2024-02-29"),
        (datetime.date(2024, 2, 29), "2024-02-29"),
        (None, None),
        (False, False),
    ],
)
def test_values(value, expected):
    report = one(
        Figures((Figure("v", "V", value),)),
        Table(("c",), ((value,),), name="t"),
    )
    data = parse(report)
    for found in (data["figures"]["v"], block(data, "t")["rows"][0]["c"]):
        assert found == expected and type(found) is type(expected)


def test_arrays_are_taken_everywhere():
    data = parse(
        one(
            Histogram("H", np.arange(3.0), np.array([1, 2]), "x", name="h"),
            Bars("B", np.array(["a", "b"]), np.array([1.5, np.nan]), "y", name="b"),
            Lines(
                "L",
                [Series("s", np.arange(2), np.array([0, np.inf]), np.zeros(2), np.full(2, 3.0))],
                "x",
                "y",
                name="l",
            ),
            Scatter(
                "S",
                [Dots("d", np.arange(2), np.array([1, np.nan]), notes=np.array(["a", ""]))],
                "x",
                "y",
                name="s",
            ),
            Table(("a", "b"), np.eye(2), name="t"),
        )
    )
    assert [b["count"] for b in block(data, "h")["bins"]] == [1, 2]
    assert block(data, "b")["bars"][1] == {"label": "b", "value": None}
    assert block(data, "l")["series"][0]["y"] == [0, None]
    assert block(data, "l")["series"][0]["high"] == [3.0, 3.0]
    assert block(data, "s")["series"][0]["y"] == [1, None]
    assert block(data, "s")["series"][0]["notes"] == ["a", ""]
    assert block(data, "t")["rows"][1] == {"a": 0.0, "b": 1.0}


def test_file(report, tmp_path):
    path = tmp_path / "bericht ü.json"
    write_json(report, path, Wording())
    assert json.loads(path.read_text(encoding="utf-8")) == to_dict(report)
    assert path.read_bytes().isascii()


def test_the_audit_is_there_for_programs_alone(report):
    told = parse(report)
    assert told["audit"] == {
        "begun": "2026-11-22T04:00:00+01:00",
        "outputs": [{"place": "/a/b.gpkg"}],
    }
    assert "Begun." not in to_json(report)
    assert parse(one())["audit"] is None


def test_facts_are_strict_json():
    audit = Audit(Section("Audit"), {"a": [float("nan"), np.int64(3), "\udc80"], "b": {"c": None}})
    assert parse(one(audit=audit))["audit"] == {"a": [None, 3, "\ufffd"], "b": {"c": None}}
