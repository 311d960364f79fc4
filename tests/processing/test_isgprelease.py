# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:isgprelease, from a layer to files, and the attacks on it."""

import csv
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from geoanon_qgis.core.verification import maskfile
from tests.processing.helpers import GRID, Feedback, layer, points, records, refusal, run

COUNT = 90
PLACES = points(COUNT, seed=8, size=6_000)
FIELDS = "patient_id:int,age:int,ward:string"


def people(xy=PLACES, crs=GRID):
    rows = [(7_000 + row, 20 + row % 7, f"w{row % 4}") for row in range(len(xy))]
    return layer(xy, crs=crs, fields=FIELDS, rows=rows, name="people")


def release(folder, source=None, feedback=None, **parameters):
    folder.mkdir(exist_ok=True)
    paths = {"SHARED": "shared.csv", "OUTPUT": "records.gpkg", "KEY": "key.gpkg"}
    given = {name: str(folder / file) for name, file in paths.items()}
    source = people() if source is None else source
    given = {"INPUT": source, **given, "FIELDS": ["age", "ward"], **parameters}
    return run("isgprelease", given, feedback)


def rows_of(path):
    with open(path, encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def true_distances(done):
    key = {
        row["released_id"]: (row["original_x"], row["original_y"]) for row in records(done["KEY"])
    }
    xy = np.array([key[number] for number in range(1, COUNT + 1)])
    return np.linalg.norm(xy[:, None] - xy, axis=2)


def test_distances_are_near_the_true_ones_and_nothing_is_told_beyond_two_radii(provider, tmp_path):
    done = release(tmp_path, RADIUS=1000)
    true = true_distances(done)
    told = rows_of(done["SHARED"])
    ends = np.array([(int(row["released_id"]), int(row["other_id"])) for row in told]) - 1
    far = np.array([float(row["distance"]) for row in told])
    assert (ends[:, 0] < ends[:, 1]).all() and len(told) == done["PAIRS"]
    assert (far < 2000).all()
    assert np.abs(far - true[ends[:, 0], ends[:, 1]]).max() < 100
    square = np.triu(true < 1900, 1)
    assert square[ends[:, 0], ends[:, 1]].sum() == square.sum()
    assert done["EXPLAINED"] > 0.99 and 2 < done["ERROR"] < 30 and done["NEAREST_KEPT"] > 0.85


def test_without_a_radius_it_comes_from_the_data_and_is_told(provider, tmp_path):
    feedback = Feedback()
    done = release(tmp_path, feedback=feedback, MASK=str(tmp_path / "mask.json"))
    radius = maskfile.read(done["MASK"]).parameters["radius"]
    assert f"Radius: {radius:g} m. Half of the records have 10 others" in feedback.said
    assert 0.4 < (np.sort(true_distances(done))[:, 10] <= 2 * radius).mean() < 0.6
    assert done["ALONE"] == 0


def test_sets_of_two_releases_with_one_grid_are_comparable(provider, tmp_path):
    grid = tmp_path / "grid.json"
    first = release(tmp_path / "a", METHOD="sets", RADIUS=500, SPACING=100, GRID=str(grid))
    again = release(tmp_path / "b", METHOD="sets", GRID_FILE=str(grid))
    sets = []
    for done in (first, again):
        key = {row["released_id"]: row["original_id"] for row in records(done["KEY"])}
        found = {}
        for row in rows_of(done["SHARED"]):
            found.setdefault(key[int(row["released_id"])], []).append(row["label"])
        assert all(labels == sorted(labels) for labels in found.values())
        sets.append(found)
    assert sets[0] == sets[1] and len(sets[0]) == COUNT
    other = release(tmp_path / "c", METHOD="sets", RADIUS=500, SPACING=100)
    labels = {row["label"] for row in rows_of(other["SHARED"])}
    assert not labels & {one for mine in sets[0].values() for one in mine}


@pytest.mark.parametrize("method", ["sets", "distances"])
def test_nothing_of_a_place_or_the_grid_is_in_what_is_released(provider, tmp_path, method):
    grid = tmp_path / "grid.json"
    done = release(tmp_path, METHOD=method, RADIUS=800, GRID=str(grid), SEED=5)
    secret = json.loads(grid.read_text())
    written = b"".join((tmp_path / one).read_bytes() for one in ("shared.csv", "records.gpkg"))
    planted = [secret["key"], f"{secret['angle']:.5f}"]
    planted += [f"{value:.2f}" for xy in PLACES for value in xy]
    planted += [f"{one:.2f}" for one in secret["origin"]]
    assert not [one for one in planted if one.encode() in written]
    stored = [struct.pack(end, value) for xy in PLACES for value in xy for end in ("<d", ">d")]
    assert not [one for one in stored if one in written]
    assert bytes.fromhex(secret["key"]) not in written
    if method == "sets":
        # Labels are no numbers of the grid's rows: their order says nothing of who is where.
        xy = np.array(
            [(row["original_x"], row["original_y"]) for row in records(done["KEY"])], dtype=float
        )
        rows = rows_of(done["SHARED"])
        of = np.array([int(row["released_id"]) - 1 for row in rows])
        value = np.array([int(row["label"], 16) for row in rows], dtype=float)
        for side in (0, 1):
            assert abs(np.corrcoef(value, xy[of, side])[0, 1]) < 0.05
        order = np.r_[True, np.diff(of) == 0][1:]
        assert (np.diff(value)[order] > 0).all() and (np.diff(of) >= 0).all()


@pytest.mark.parametrize(
    "method, attack",
    [("distances", "near_group"), ("distances", "local_maps"), ("sets", "strongest")],
)
def test_the_attacks_find_people_in_it(provider, tmp_path, method, attack):
    source = people()
    done = release(tmp_path, source, METHOD=method, RADIUS=1000, SEED=3)
    found = run(
        "linkageattack",
        {
            "TARGET": done["OUTPUT"],
            "MATRIX": done["SHARED"],
            "TARGET_QIS": ["age", "ward"],
            "IDENTIFICATION": source,
            "IDENTIFICATION_QIS": ["age", "ward"],
            "RULE": "isgp",
            "RADIUS": 1000,
            "METHOD": attack,
            "TIME_LIMIT": 0,
            "TRUTH": done["KEY"],
            "SEED": 1,
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert found["PRECISION"] > 0.95 and found["RECALL"] > 0.8


@pytest.mark.parametrize("method", ["distances", "sets"])
def test_with_the_mask_file_the_attack_needs_release_and_people_only(provider, tmp_path, method):
    source = people()
    given = {"METHOD": method, "RADIUS": 900, "MASK": str(tmp_path / "mask.json")}
    done = release(tmp_path, source, SEED=3, GRID=str(tmp_path / "grid.json"), **given)
    mask = maskfile.read(done["MASK"])
    assert dict(mask.parameters) == {"radius": 900.0, "spacing": 90.0}
    assert mask.attributes == ("age", "ward") and mask.rings is None
    assert [one.output for one in mask.released] == ["SHARED", "OUTPUT"]
    grid, text = json.loads((tmp_path / "grid.json").read_text()), mask.as_json()
    assert grid["key"] not in text and f"{grid['angle']:.5f}" not in text
    assert not [one for one in (*PLACES.ravel(), *grid["origin"]) if f"{one:.1f}" in text]
    feedback = Feedback()
    few = {
        "TARGET": done["OUTPUT"],
        "MATRIX": done["SHARED"],
        "IDENTIFICATION": source,
        "METHOD": "near_group",
        "TIME_LIMIT": 0,
        "SEED": 1,
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    told = run("linkageattack", {**few, "MASK": done["MASK"]}, feedback)
    fields = {"TARGET_QIS": ["age", "ward"], "IDENTIFICATION_QIS": ["age", "ward"]}
    by_hand = run("linkageattack", {**few, **fields, "RULE": "isgp", "RADIUS": 900})
    assert records(told["OUTPUT"]) == records(by_hand["OUTPUT"])
    assert told["CLIQUE"] == by_hand["CLIQUE"] > 50
    assert not [one for one in feedback.warnings if "mask file" in one]
    refused = refusal("linkageattack", {**few, "MASK": done["MASK"], "RADIUS": 700})
    assert "the mask file says 900" in refused


def test_an_experiment_repeats_the_release(provider, tmp_path):
    """By its mask file, or by its radius; both attacks, and no other one."""
    source = people()
    mask = release(tmp_path, source, RADIUS=900, MASK=str(tmp_path / "mask.json"))["MASK"]
    sizes = {"N_TARGET": 30, "N_IDENTIFICATION": 30, "OVERLAP": 12, "REPEATS": 1, "SEED": 5}
    given = {"INPUT": source, "QIS": ["age"], **sizes, "OUTPUT": str(tmp_path / "cells.gpkg")}
    files = {"REPORT": str(tmp_path / "e.html"), "JSON": str(tmp_path / "e.json")}
    done = run("linkageexperiment", {**given, **files, "MASK": mask})
    rows = records(done["OUTPUT"])
    assert [(row["attack"], row["radius"], row["spacing"]) for row in rows] == [
        ("near_group", 900, 90),
        ("local_maps", 900, 90),
    ]
    assert "r\u00a0=\u00a0900" in Path(files["REPORT"]).read_text(encoding="utf-8")
    told = json.loads(Path(files["JSON"]).read_text(encoding="utf-8"))["verdict"]
    assert "METHOD distances" in " ".join(told["not_run"])
    # Gone on with by hand: nothing is run again.
    by_hand = {**given, "METHOD": "isgp", "RADIUS": "900", "RESUME": done["OUTPUT"]}
    again = run("linkageexperiment", {**by_hand, "OUTPUT": str(tmp_path / "again.gpkg")})
    assert records(again["OUTPUT"]) == rows
    other = {**by_hand, "OUTPUT": str(tmp_path / "other.gpkg"), "ATTACK": "clique"}
    assert "neighbours only" in refusal("linkageexperiment", other)


def test_a_mask_file_of_other_labels_is_warned_of(provider, tmp_path):
    source = people()
    one, other = (
        release(tmp_path / name, source, RADIUS=900, MASK=str(tmp_path / f"{name}.json"))
        for name in ("a", "b")
    )
    feedback = Feedback()
    given = {"TARGET": one["OUTPUT"], "MATRIX": one["SHARED"], "IDENTIFICATION": source}
    more = {"MASK": other["MASK"], "METHOD": "near_group", "OUTPUT": "TEMPORARY_OUTPUT"}
    run("linkageattack", {**given, **more}, feedback)
    for words in ("another matrix (shared.csv)", "another file of records (records.gpkg)"):
        assert any(words in said for said in feedback.warnings)


def test_what_does_not_go_together_is_refused(provider, tmp_path):
    files = {"SHARED": "TEMPORARY_OUTPUT", "OUTPUT": "TEMPORARY_OUTPUT"}
    given = {"INPUT": people(), **files}
    assert "must be a positive distance" in refusal("isgprelease", {**given, "RADIUS": 0})
    assert "not above the radius" in refusal("isgprelease", {**given, "SPACING": 5000})
    assert "200 to a radius at most" in refusal("isgprelease", {**given, "SPACING": 0.5})
    bad = tmp_path / "grid.json"
    bad.write_text("{}")
    assert "is no grid of an ISGP release" in refusal(
        "isgprelease", {**given, "GRID_FILE": str(bad)}
    )
    done = release(tmp_path, RADIUS=1000)
    attacked = {
        "TARGET": done["OUTPUT"],
        "MATRIX": done["SHARED"],
        "IDENTIFICATION": people(),
        "RULE": "isgp",
        "RADIUS": 1000,
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    assert "neighbours only" in refusal("linkageattack", {**attacked, "METHOD": "clique"})
    assert "for ISGP releases" in refusal(
        "linkageattack", {**attacked, "RULE": "lipschitz", "METHOD": "local_maps"}
    )
    assert "give the radius of the release" in refusal(
        "linkageattack", {**attacked, "RADIUS": 500, "METHOD": "near_group"}
    )
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    assert "is none of an ISGP release" in refusal(
        "linkageattack", {**attacked, "MATRIX": str(other)}
    )
