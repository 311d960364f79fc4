# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:choosemask in QGIS."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from geoanon_qgis.core.experiments.masks.advice import POINT_MASKS
from tests.processing.helpers import DEGREES, GRID, Feedback, layer, points, records, refusal, run
from tests.processing.kept_masks import people

pytestmark = pytest.mark.usefixtures("project")
ADDRESSES = points(1200, seed=3, size=3000).round(2)
PLACES = ADDRESSES[np.random.default_rng(4).permutation(1200)[:120]]


def records_at(xy=PLACES):
    return people(xy, np.arange(len(xy)))


def given(**more):
    return {
        "INPUT": records_at(),
        "CANDIDATES": layer(ADDRESSES, name="addresses"),
        "ACCEPTABLE": 0.2,
        "FAMILIES": ["groups", "cells", "exchange"],
        "SEED": 5,
        "OUTPUT": "TEMPORARY_OUTPUT",
        **more,
    }


def choose(**more):
    return run("choosemask", given(**more))


def refused(**more):
    return refusal("choosemask", given(**more))


def test_what_is_recommended_can_be_run_and_holds_against_the_attack(tmp_path):
    files = {name: str(tmp_path / f"{name}.json") for name in ("TEMPLATE", "JSON")}
    feedback, files["REPORT"] = Feedback(), str(tmp_path / "r.html")
    done = run("choosemask", given(**files, UTILITY=["shift", "kde", "scan"]), feedback)
    assert done["BEST"] in ("groups", "cells") and done["DECISION"] == "release_with_care"
    assert done["RISK_HIGH"] <= done["LIMIT"] == 0.2
    rows = {row["mask"]: row for row in records(done["OUTPUT"])}
    best = rows[done["BEST"]]
    assert best["recommended"] == 1 and best["state"] == "held" and best["record_worst"] <= 0.2
    assert best["shift"] == pytest.approx(done["BEST_SHIFT"])
    assert rows["exchange"]["state"] == "ruled_out" and rows["exchange"]["record_found"] > 0.5
    made = json.loads(Path(files["TEMPLATE"]).read_text(encoding="utf-8"))
    command = next(line for line in feedback.said.splitlines() if "This makes such" in line)
    words = shlex.split(command[command.index("qgis_process") :])
    assert words[:3] == ["qgis_process", "run", made["algorithm"]]
    told = dict(one.split("=", 1) for one in words[4:])
    assert told == {name: str(value) for name, value in made["inputs"].items()}
    # The very command, with the layers that have no files here.
    inputs = {**made["inputs"], "INPUT": records_at(), "CANDIDATES": given()["CANDIDATES"]}
    for name in ("OUTPUT", "KEY", "MASK", "SECRET_FILE"):
        inputs[name] = str(tmp_path / inputs[name])
    masked = run(made["algorithm"].split(":")[1], inputs)
    attack = {"INPUT": masked["OUTPUT"], "MASK": masked["MASK"], "KEY": masked["KEY"]}
    attack |= {"CANDIDATES": inputs["CANDIDATES"], "SECRET_FILE": masked["SECRET_FILE"]}
    found = run("attackmask", {**attack, "OUTPUT": "TEMPORARY_OUTPUT"})
    assert found["RECORDS_WORST"] <= 0.2 + 1e-9 and found["WORST"] <= 0.2 + 1e-9
    page = Path(done["REPORT"]).read_text(encoding="utf-8")
    assert "keeps most" in page and "K_RECORDS" in page and page.count("<svg") >= 3


def test_every_mask_is_tried():
    done = choose(FAMILIES=list(POINT_MASKS), ADVERSARY="whose_place", LIMIT_ON="mean")
    rows = records(done["OUTPUT"])
    assert [row["mask"] for row in rows] == list(POINT_MASKS)
    assert all(row["state"] in ("held", "ruled_out", "open") for row in rows)
    assert done["HELD"] >= 8 and done["BEST"] == "exchange"
    assert all(row["place_high"] <= 0.2 for row in rows if row["state"] == "held")
    assert all(row["record_found"] is None for row in rows)


def test_a_layer_in_degrees_is_masked_by_the_same():
    pytest.importorskip("pyproj")
    from pyproj import Transformer

    there = Transformer.from_crs(GRID, DEGREES, always_xy=True)
    xy, listed = (np.stack(there.transform(*one.T), axis=1) for one in (PLACES, ADDRESSES))
    moved = {
        "INPUT": people(xy, np.arange(len(xy)), DEGREES),
        "CANDIDATES": layer(listed, DEGREES, name="addresses"),
        "FAMILIES": ["groups", "gaussian"],
        "LIMIT_ON": "mean",
        "ADVERSARY": "whose_place",
    }
    here = choose(**{name: moved[name] for name in ("FAMILIES", "LIMIT_ON", "ADVERSARY")})
    done = choose(**moved)
    for one, other in zip(records(here["OUTPUT"]), records(done["OUTPUT"])):
        assert one["shift"] == pytest.approx(other["shift"], rel=0.25)


def test_what_an_adversary_knows_asks_for_larger_groups():
    some = PLACES[:60]
    sexes = [(row, "fm"[row % 2]) for row in range(len(some))]
    more = {
        "INPUT": layer(some, fields="person:int,sex:string", rows=sexes, name="registry"),
        "FAMILIES": ["groups"],
    }
    plain, knows = (
        records(choose(**more, **known)["OUTPUT"])[0] for known in ({}, {"KNOWN": ["sex"]})
    )
    assert knows["state"] == "held" and knows["record_worst"] <= 0.2
    assert knows["size"] > plain["size"] and knows["shift"] > plain["shift"]


def test_fresh_releases_ask_for_more():
    more = {"FAMILIES": ["gaussian"], "ADVERSARY": "whose_place", "LIMIT_ON": "mean"}
    one, kept = (records(choose(**more, RELEASES=n)["OUTPUT"])[0] for n in (1, 4))
    fresh = records(choose(**more, RELEASES=4, FRESH=True)["OUTPUT"])[0]
    assert one["size"] == kept["size"] and fresh["size"] > 1.5 * one["size"]


def test_few_records_are_sent_to_areas():
    done = choose(INPUT=records_at(PLACES[:8]), ACCEPTABLE=0.05)
    assert done["BEST"] == "" and done["HELD"] == 0
    assert done["DECISION"] in ("do_not_release", "cannot_tell", "not_tested")
    feedback = Feedback()
    run("choosemask", given(INPUT=records_at(PLACES[:8]), ACCEPTABLE=0.05), feedback)
    assert "geoanon:vbas, K=20" in feedback.said


def test_a_run_goes_on_where_it_ended(tmp_path):
    path = tmp_path / "run.jsonl"
    first = records(choose(RESUME=str(path), SEED=None)["OUTPUT"])
    lines = path.read_text().splitlines()
    assert len(lines) == 1 + 3
    path.write_text("\n".join(lines[:2]) + "\n")
    feedback = Feedback()
    again = run("choosemask", given(RESUME=str(path), SEED=None), feedback)
    assert records(again["OUTPUT"]) == first and "Taken over" in feedback.said
    other = Feedback()
    run("choosemask", given(RESUME=str(path), SEED=None, ACCEPTABLE=0.3), other)
    assert "begins anew" in other.said and "ACCEPTABLE" in other.said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"ACCEPTABLE": 0}, "above 0 and below 1"),
        ({"WITHIN": -1}, "zero metres or more"),
        ({"INPUT": lambda: records_at(PLACES + 500.0)}, "WITHIN"),
        ({"INPUT": lambda: records_at(PLACES[:1])}, "two at least|2 at least|least"),
        ({"CANDIDATES": None}, "CANDIDATES|Address list"),
    ],
)
def test_what_makes_no_sense_gets_a_sentence(more, said):
    import re

    more = {name: value() if callable(value) else value for name, value in more.items()}
    assert re.search(said, refused(**more))


def test_the_points_are_no_address_list():
    same = records_at()
    assert "points themselves" in refused(INPUT=same, CANDIDATES=same)


def test_who_may_believe_more_beforehand_is_kept_below_the_limit(tmp_path):
    even = choose(FAMILIES=["cells"])
    assert even["BEST"] == "cells" and 1 <= even["BEST_PRIOR_ODDS"] < 4
    report = str(tmp_path / "r.html")
    done = choose(FAMILIES=["cells"], PRIOR_ODDS=4, REPORT=report)
    assert done["BEST"] == "cells" and done["BEST_PRIOR_ODDS"] >= 4
    (before,), (row,) = records(even["OUTPUT"]), records(done["OUTPUT"])
    assert row["place_worst"] <= 0.2 and row["prior_odds"] == pytest.approx(done["BEST_PRIOR_ODDS"])
    k = [int(one["parameters"].split("K=")[1].split(",")[0]) for one in (before, row)]
    assert 4 / (4 + k[1] - 1) <= 0.2 < 4 / (4 + k[0] - 1)
    page = Path(report).read_text(encoding="utf-8")
    assert "largest shares of anybody who may hold each address for 4 times" in page
    assert "live closer together than addresses tell" not in page


def test_groups_hold_whatever_is_believed():
    done = choose(FAMILIES=["groups"])
    assert done["BEST"] == "groups" and "BEST_PRIOR_ODDS" not in done
    assert records(done["OUTPUT"])[0]["prior_odds"] is None
