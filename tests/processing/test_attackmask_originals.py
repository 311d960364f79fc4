# SPDX-License-Identifier: GPL-2.0-or-later
"""The posterior attack, scored by originals that share an id with the release, and one point at a time."""

import numpy as np
import pytest
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsPointXY,
    QgsProject,
)

from tests.processing.helpers import DEGREES, GRID, points, records, refusal, run
from tests.processing.helpers import layer as made_layer

pytestmark = pytest.mark.usefixtures("project")
ADDRESSES = points(2000, seed=3, size=3000).round(2)
RNG = np.random.default_rng(4)
PLACES = ADDRESSES[RNG.permutation(2000)[:200]]
MOVED = (PLACES + RNG.normal(0, 60, PLACES.shape)).round(2)


def of(xy, names, **more):
    return made_layer(xy, fields="name:string", rows=[(one,) for one in names], **more)


def attack(**more):
    return run("attackmask", given(**more))


def given(**more):
    names, order = [f"p{one}" for one in range(200)], RNG.permutation(200)
    return {
        "INPUT": of(MOVED[order], [names[one] for one in order], name="released"),
        "CANDIDATES": made_layer(ADDRESSES, name="addresses"),
        "LAW": "gaussian",
        "MAX": 60.0,
        "ORIGINALS": of(PLACES, names, name="registry"),
        "ORIGINALS_ID": "name",
        "INPUT_ID": "name",
        "OUTPUT": "TEMPORARY_OUTPUT",
        **more,
    }


def keyed():
    """The same by a key, for both to be held against each other."""
    rows = [
        (f"p{one}", f"p{one}", "name", *PLACES[one].tolist(), "EPSG:27700") for one in range(200)
    ]
    fields = "masked_id:string,original_id:string,id_field:string,original_x:double,original_y:double,crs:string"
    key = made_layer([None] * 200, kind="None", fields=fields, rows=rows, name="key")
    named = [(f"p{one}",) for one in range(200)]
    source = made_layer(MOVED, fields="masked_id:string", rows=named, name="released")
    return {"INPUT": source, "KEY": key, "ORIGINALS": None, "ORIGINALS_ID": None, "INPUT_ID": None}


def test_originals_score_as_a_key_does():
    done, by_key = attack(), attack(**keyed())
    for name in (
        "IDENTIFIED",
        "RECORDS_IDENTIFIED",
        "BASELINE",
        "CONTROL",
        "MEAN_TOP",
        "PRIOR_ODDS",
    ):
        assert done[name] == pytest.approx(by_key[name]), name
    truth = {row["masked_id"]: row["of_truth"] for row in records(done["OUTPUT"])}
    assert truth == pytest.approx(
        {r["masked_id"]: r["of_truth"] for r in records(by_key["OUTPUT"])}
    )
    assert len(truth) == 200 and done["DECISION"] == by_key["DECISION"]


def test_originals_may_be_in_another_system_and_miss_some():
    names = [f"p{one}" for one in range(150)]
    done = attack(ORIGINALS=of(PLACES[:150], names))
    assert any(
        "lives at no address" in one or "live at no address" in one
        for one in done.feedback.warnings
    )
    move = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem(GRID),
        QgsCoordinateReferenceSystem(DEGREES),
        QgsProject.instance(),
    )
    there = np.array([tuple(move.transform(QgsPointXY(*xy))) for xy in PLACES.tolist()])
    degrees = of(there, [f"p{one}" for one in range(200)], crs=DEGREES)
    assert attack(ORIGINALS=degrees, WITHIN=0.5)["IDENTIFIED"] == pytest.approx(
        attack()["IDENTIFIED"]
    )


def refused(**more):
    return refusal("attackmask", given(**more))


def test_what_does_not_go_together():
    assert "name the field in each" in refused(ORIGINALS_ID=None)
    assert "name the field in each" in refused(ORIGINALS=None, ORIGINALS_ID=None)
    assert "Give one of them" in refused(KEY=keyed()["KEY"])
    names = [f"p{one}" for one in range(200)]
    assert "an id is there twice" in refused(ORIGINALS=of(PLACES, ["p1", *names[1:]]))
    assert "an id is there twice" in refused(INPUT=of(MOVED, ["p1", *names[1:]]))
    assert "names none of the released" in refused(
        ORIGINALS=of(PLACES, [f"q{one}" for one in names])
    )
    addresses = of(PLACES, names)
    assert "ORIGINALS is the layer of CANDIDATES" in refused(
        CANDIDATES=addresses, ORIGINALS=addresses, ORIGINALS_ID="name"
    )


def test_each_point_by_itself():
    done, alone = attack(), attack(JOINT=False)
    assert done["MEAN_TOP"] != pytest.approx(alone["MEAN_TOP"], rel=1e-6)
    assert done["MEAN_TOP"] == pytest.approx(alone["MEAN_TOP"], rel=0.1)
    assert "All points together (JOINT)" in alone.feedback.said
    assert "All points together (JOINT)" not in done.feedback.said


def test_records_whose_addresses_are_shown_can_be_chosen():
    wanted = {"SHOWN_IDS": "p7, p3,p7, nobody", "CANDIDATES_OF": "TEMPORARY_OUTPUT"}
    done = attack(**wanted)
    rows = records(done["CANDIDATES_OF"])
    assert {row["masked_id"] for row in rows} == {"p3", "p7"}
    top = {row["masked_id"]: row for row in records(done["OUTPUT"])}
    for one in ("p3", "p7"):
        own = [row for row in rows if row["masked_id"] == one]
        assert [row["what"] for row in own].count("home") == 1
        assert max(row["probability"] or 0 for row in own) == pytest.approx(
            max(top[one]["probability"], top[one]["of_truth"])
        )
    assert any("No released record has the id nobody" in one for one in done.feedback.warnings)
    assert {
        row["masked_id"] for row in records(attack(**{**wanted, "SHOWN_IDS": "x"})["CANDIDATES_OF"])
    } == set()
