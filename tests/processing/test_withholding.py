# SPDX-License-Identifier: GPL-2.0-or-later
"""What an attack says is at risk can be left out of the next mask with one click."""

import numpy as np
import pytest

from tests.processing.helpers import (
    Feedback,
    coordinates,
    layer,
    points,
    records,
    refusal,
    run,
    saved,
)

pytestmark = pytest.mark.usefixtures("project")


def people(count=60, twins=6):
    """Points of which the last ones share their places in pairs: a mask does not move them."""
    xy = points(count)
    xy[-twins:] = np.repeat(xy[-twins::2], 2, axis=0)
    rows = [(f"p{row:03d}", row % 3) for row in range(count)]
    return layer(xy, fields="person:string(10),kind:int", rows=rows)


def masked(source, feedback=None, **more):
    return run(
        "voronoimask",
        {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", "KEY": "TEMPORARY_OUTPUT", **more},
        feedback,
    )


def attacked(release, candidates, **more):
    return run(
        "reversevoronoi",
        {
            "INPUT": release,
            "CANDIDATES": candidates,
            "OUTPUT": "TEMPORARY_OUTPUT",
            "AT_RISK": "TEMPORARY_OUTPUT",
            "SEED": 1,
            **more,
        },
    )


def test_those_who_did_not_move_are_left_out_by_place():
    source = people()
    first = masked(source)
    assert first["UNMOVED"] == 6
    risk = attacked(first["OUTPUT"], source)["AT_RISK"]
    rows = records(risk)
    assert {row["why"] for row in rows} == {"unmoved", "found"}
    assert all(row["probability"] >= 0.95 and not row["original_id"] for row in rows)
    feedback = Feedback()
    second = masked(source, feedback, WITHHOLD=risk)
    away = {tuple(place) for place in coordinates(risk).tolist()}
    stay = [place for place in coordinates(source).tolist() if tuple(place) not in away]
    assert second["COUNT"] == len(stay) and second["UNMOVED"] == 0
    assert f"{60 - len(stay)} records were withheld" in feedback.said
    key = {(row["original_x"], row["original_y"]) for row in records(second["KEY"])}
    assert key == {tuple(place) for place in stay}


@pytest.mark.parametrize("ending", [".gpkg", ".csv", ".shp"])
def test_with_a_key_people_are_left_out_by_their_ids(tmp_path, ending):
    source = people()
    first = masked(source, ID_FIELD="person")
    moved = layer(
        coordinates(source) + 5e4,
        fields="person:string(10),kind:int",
        rows=[(row["person"], row["kind"]) for row in records(source)],
    )
    risk = attacked(
        first["OUTPUT"], source, KEY=first["KEY"], AT_RISK=str(tmp_path / f"risk{ending}")
    )["AT_RISK"]
    names = {row["original_i" if ending == ".shp" else "original_id"] for row in records(risk)}
    assert {f"p{row:03d}" for row in range(54, 60)} <= names
    second = masked(moved, ID_FIELD="person", WITHHOLD=risk)
    assert {row["original_id"] for row in records(second["KEY"])} == {
        row["person"] for row in records(source)
    } - names


def test_the_releases_do_not_tell_who_was_withheld(tmp_path):
    source = people()
    risk = attacked(masked(source)["OUTPUT"], source)["AT_RISK"]
    out = tmp_path / "release.geojson"
    masked(source, WITHHOLD=risk, OUTPUT=str(out))
    assert b"withh" not in out.read_bytes() and b"risk" not in out.read_bytes()


def test_a_layer_of_other_places_is_refused(tmp_path):
    source, other = people(), layer(points(60, seed=9))
    risk = attacked(masked(other)["OUTPUT"], other)["AT_RISK"]
    assert "None of the records to withhold" in refusal(
        "voronoimask",
        {
            "INPUT": source,
            "WITHHOLD": risk,
            "OUTPUT": str(tmp_path / "m.gpkg"),
        },
    )
    assert "must have the fields" in refusal(
        "voronoimask",
        {
            "INPUT": source,
            "WITHHOLD": saved(other, tmp_path / "o.gpkg"),
            "OUTPUT": str(tmp_path / "m.gpkg"),
        },
    )


def test_an_empty_layer_withholds_nobody():
    source = people()
    risk = attacked(masked(source)["OUTPUT"], source)["AT_RISK"]
    risk.startEditing()
    risk.deleteFeatures([one.id() for one in risk.getFeatures()])
    risk.commitChanges()
    assert masked(source, WITHHOLD=risk)["COUNT"] == 60
