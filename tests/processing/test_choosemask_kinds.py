# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas and distances in geoanon:choosemask: their finished commands, run and attacked."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.processing.concluding import page_of
from tests.processing.helpers import Feedback, layer, points, records, refusal, run
from tests.processing.kept_masks import people

pytestmark = pytest.mark.usefixtures("project")
ADDRESSES = points(900, seed=3, size=3000).round(2)
PLACES = ADDRESSES[np.random.default_rng(4).permutation(900)[:150]]
_CHART = "Points, areas and distances: what is found"
KEPT = {"KEY": "key.gpkg", "MASK": "mask.json", "SECRET_FILE": "secret.json"}


def registry():
    return people(PLACES, np.arange(len(PLACES)))


def listed():
    return layer(ADDRESSES, name="addresses")


def choose(tmp_path, *families, **more):
    feedback = Feedback()
    given = {
        "INPUT": registry(),
        "CANDIDATES": listed(),
        "ACCEPTABLE": 0.2,
        "FAMILIES": list(families),
        "UTILITY": ["distances", "nearest"],
        "SEED": 5,
        "OUTPUT": "TEMPORARY_OUTPUT",
        "TEMPLATE": str(tmp_path / "t.json"),
        "REPORT": str(tmp_path / "r.html"),
        **more,
    }
    done = run("choosemask", given, feedback)
    made = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    return done, made, page_of(done["REPORT"]), feedback.said


def made_of(template, tmp_path, **more):
    """What a finished command makes, with the layers that have no files here."""
    inputs = {**template["inputs"], **more}
    for name, value in inputs.items():
        if isinstance(value, str) and Path(value).suffix in (".gpkg", ".json", ".csv", ".html"):
            inputs[name] = str(tmp_path / value)
    return run(template["algorithm"].split(":")[1], inputs)


def test_areas_that_are_recommended_hold_against_the_attack(tmp_path):
    done, made, page, said = choose(tmp_path, "areas", "exchange")
    assert done["BEST"] == "areas" and done["DECISION"] == "release_with_care"
    row = next(row for row in records(done["OUTPUT"]) if row["mask"] == "areas")
    assert (row["kind"], row["linked"]) == ("areas", None) and row["distances"] > 0
    assert made["inputs"]["METHOD"] == "sites" and "private_secret.json, and give" not in said
    masked = made_of(made, tmp_path, INPUT=registry(), POPULATION=listed())
    attack = {"INPUT": masked["OUTPUT"], "MASK": masked["MASK"], "KEY": masked["KEY"]}
    found = run(
        "attackmask",
        {**attack, "CANDIDATES": listed(), "POPULATION": listed(), "OUTPUT": "TEMPORARY_OUTPUT"},
    )
    assert found["WORST"] <= 0.2 + 1e-9 and found["RECORDS_WORST"] <= 0.2 + 1e-9
    # What was judged is what is made: the plane of the list moves no border over a place here.
    assert found["RECORDS_WORST"] == pytest.approx(row["record_worst"])
    assert masked["WITHHELD_COUNT"] == pytest.approx(row["withheld"] * len(PLACES))
    assert "POPULATION=" in said and _CHART in page


def test_distances_that_are_recommended_can_be_made(tmp_path):
    done, made, page, said = choose(tmp_path, "distances after groups", "areas", "groups")
    rows = {row["mask"]: row for row in records(done["OUTPUT"])}
    row, same = rows["distances after groups"], rows["groups"]
    assert (row["kind"], row["state"], row["shift"]) == ("distances", "held", None)
    for name in ("place_found", "place_high", "record_found", "record_high", "size"):
        assert row[name] == same[name]  # it is judged as the masked points are
    assert row["distances"] > same["distances"] and 0 <= row["linked"] < row["linked_high"] <= 0.2
    assert _CHART in page
    done, made, page, said = choose(tmp_path, "distances after groups")
    assert done["BEST"] == "distances after groups" and "BEST_SHIFT" not in done
    (before,) = made["before"]
    masked = made_of(before, tmp_path, INPUT=registry(), CANDIDATES=listed(), ID_FIELD="person")
    released = made_of(made, tmp_path, REPORT="d.html")
    assert released["N"] == masked["COUNT"] and released["DECISION"] == "not_tested"
    assert " && qgis_process run geoanon:lipschitzrelease" in said and "PRE_NOISE" in said
    told = json.loads((tmp_path / "private_distance_mask.json").read_text(encoding="utf-8"))
    shift = made["inputs"]["POINT_SHIFT"]
    assert told["parameters"]["pre_noise"] == pytest.approx(shift / np.sqrt(np.pi / 2))
    page = page_of(tmp_path / "d.html")
    assert "masked before" in page and f"PRE_NOISE={shift / np.sqrt(np.pi / 2):.6g}" in page


def embedded(tmp_path, **more):
    masked = run(
        "maskdisplace",
        {
            "INPUT": registry(),
            "LAW": "gaussian",
            "MAX": 60.0,
            "OUTPUT": str(tmp_path / "masked.gpkg"),
            **{name: str(tmp_path / file) for name, file in KEPT.items()},
        },
    )
    return {
        "INPUT": masked["OUTPUT"],
        "POINT_MASK": masked["MASK"],
        "MATRIX": str(tmp_path / "m.csv"),
        "MASK": str(tmp_path / "dm.json"),
        "OUTPUT": "TEMPORARY_OUTPUT",
        "KEY": "TEMPORARY_OUTPUT",
        **more,
    }


def test_an_embedding_of_masked_points_tells_their_mask_to_the_attack(tmp_path):
    given, feedback = embedded(tmp_path), Feedback()
    done = run("lipschitzrelease", given, feedback)
    assert done["DECISION"] == "not_tested" and "masked before" in feedback.said
    told = json.loads((tmp_path / "dm.json").read_text(encoding="utf-8"))
    assert told["parameters"]["pre_noise"] == 60.0
    assert "written with other points" not in feedback.said
    feedback = Feedback()
    run("lipschitzrelease", {**given, "INPUT": people(PLACES[:80], np.arange(80))}, feedback)
    assert "written with other points" in feedback.said
    assert "Leave PRE_NOISE at 0" in refusal("lipschitzrelease", {**given, "PRE_NOISE": 50.0})
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    assert refusal("lipschitzrelease", {**given, "POINT_MASK": str(wrong)})


def test_a_mask_that_does_not_say_how_far_points_moved_asks_for_it(tmp_path):
    given = embedded(tmp_path)
    mask = json.loads(Path(given["POINT_MASK"]).read_text(encoding="utf-8"))
    mask["parameters"]["LAW"] = "laplace"
    Path(given["POINT_MASK"]).write_text(json.dumps(mask), encoding="utf-8")
    assert "POINT_SHIFT" in refusal("lipschitzrelease", given)
    run("lipschitzrelease", {**given, "POINT_SHIFT": 75.0})
    told = json.loads((tmp_path / "dm.json").read_text(encoding="utf-8"))
    assert told["parameters"]["pre_noise"] == pytest.approx(75 / np.sqrt(np.pi / 2))
