# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:choosemask with layers at hand: streets to go along, zones to merge."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from tests.processing.helpers import layer, points, records, refusal, run
from tests.processing.kept_masks import people

pytestmark = pytest.mark.usefixtures("project")
CENTRE = np.array([400_000.0, 300_000.0])
ADDRESSES = points(1200, seed=3, size=3000).round(2)
PLACES = ADDRESSES[np.random.default_rng(4).permutation(1200)[:150]]
LOW, HIGH = ADDRESSES.min(axis=0) - 50, ADDRESSES.max(axis=0) + 50


def streets(step=150.0):
    (west, south), (east, north) = LOW, HIGH
    lines = [f"LINESTRING({x} {south}, {x} {north})" for x in np.arange(west, east, step)]
    lines += [f"LINESTRING({west} {y}, {east} {y})" for y in np.arange(south, north, step)]
    return layer(lines, kind="LineString", name="streets")


def zones(step=300.0):
    made = []
    for x in np.arange(LOW[0], HIGH[0], step):
        for y in np.arange(LOW[1], HIGH[1], step):
            made.append(
                f"POLYGON(({x} {y}, {x + step} {y}, {x + step} {y + step}, {x} {y + step}, {x} {y}))"
            )
    return layer(made, kind="Polygon", name="zones")


def given(**more):
    return {
        "INPUT": people(PLACES, np.arange(len(PLACES))),
        "CANDIDATES": layer(ADDRESSES, name="addresses"),
        "ACCEPTABLE": 0.2,
        "SEED": 5,
        "OUTPUT": "TEMPORARY_OUTPUT",
        **more,
    }


def choose(**more):
    return run("choosemask", given(**more))


def made_by(done, template: str, folder: Path, **layers) -> tuple:
    """Run the command that was recommended, with layers that have no files here, and the attack."""
    made = json.loads(Path(template).read_text(encoding="utf-8"))
    inputs = {**made["inputs"], "INPUT": given()["INPUT"], **layers}
    for name in ("OUTPUT", "KEY", "MASK", "SECRET_FILE"):
        if name in inputs:
            inputs[name] = str(folder / inputs[name])
    masked = run(made["algorithm"].split(":")[1], inputs)
    line = next(one for one in done.feedback.said.splitlines() if "Attack that very release" in one)
    words = shlex.split(line[line.index("qgis_process") : line.index(". It is another draw")])
    told = dict(one.split("=", 1) for one in words[4:])
    attack = {"INPUT": masked["OUTPUT"], "MASK": masked["MASK"], "KEY": masked["KEY"]}
    attack |= {"CANDIDATES": given()["CANDIDATES"], "ACCEPTABLE": 0.2, "OUTPUT": "TEMPORARY_OUTPUT"}
    attack |= {name: value for name, value in layers.items() if name in told}
    if "SECRET_FILE" in told:
        attack["SECRET_FILE"] = masked["SECRET_FILE"]
    return masked, run("attackmask", attack)


def test_zones_at_hand_are_merged(tmp_path):
    template = str(tmp_path / "template.json")
    done = choose(FAMILIES=["merged zones", "streets"], ZONES=zones(), TEMPLATE=template)
    (row,) = records(done["OUTPUT"])  # without streets nothing goes along them
    assert row["mask"] == done["BEST"] == "merged zones" and row["state"] == "held"
    assert row["kind"] == "points" and row["record_worst"] <= 0.2 and row["place_worst"] <= 0.2
    layers = {"ZONES": zones(), "POPULATION": given()["CANDIDATES"]}
    masked, found = made_by(done, template, tmp_path, **layers)
    assert masked["COUNT"] == pytest.approx(150 * (1 - row["withheld"]))
    assert found["WORST"] == pytest.approx(row["place_worst"])
    assert found["RECORDS_WORST"] == pytest.approx(row["record_worst"])


def test_streets_at_hand_are_gone_along(tmp_path):
    limit = {"ACCEPTABLE": 0.35, "LIMIT_ON": "mean", "ADVERSARY": "whose_place"}
    done = choose(FAMILIES=["streets"], STREETS=streets(), **limit)
    (row,) = records(done["OUTPUT"])
    assert row["mask"] == "streets" and row["state"] == "held"
    assert row["place_high"] <= 0.35 and row["shift"] > 0
    assert "make a network of" in done.feedback.said
    # Some lives alone at his node, and is shown: that is not recommended.
    assert row["place_sure"] > 0 and done["BEST"] == ""
    told = dict(one.split("=") for one in row["parameters"].split(", "))
    files = {"MASK": str(tmp_path / "mask.json"), "KEY": "TEMPORARY_OUTPUT"}
    inputs = {"INPUT": given()["INPUT"], "STREETS": streets(), **told, **files}
    masked = run("maskstreets", {**inputs, "OUTPUT": "TEMPORARY_OUTPUT"})
    assert masked["COUNT"] == 150
    attack = {"INPUT": masked["OUTPUT"], "MASK": masked["MASK"], "KEY": masked["KEY"]}
    attack |= {"CANDIDATES": given()["CANDIDATES"], "STREETS": streets()}
    found = run("attackmask", {**attack, "OUTPUT": "TEMPORARY_OUTPUT"})
    assert found["MEAN_TOP"] == pytest.approx(row["place_found"], rel=0.3)


def test_each_has_a_row_beside_the_others():
    names = ["groups", "streets", "merged zones", "areas"]
    done = choose(FAMILIES=names, STREETS=streets(), ZONES=zones())
    assert [row["mask"] for row in records(done["OUTPUT"])] == names
    assert "they were not tried" in done.feedback.said


def test_a_mask_without_its_layer_is_a_sentence():
    assert "need STREETS: give it" in refusal("choosemask", given(FAMILIES=["streets"]))
    said = refusal("choosemask", given(FAMILIES=["streets", "merged zones"]))
    assert "need STREETS, ZONES: give it" in said
    empty = layer([], kind="Polygon", name="zones")
    assert refusal("choosemask", given(FAMILIES=["groups"], ZONES=empty))
