# SPDX-License-Identifier: GPL-2.0-or-later
"""One verdict: outputs, log, report and JSON say the same, and nothing better than is known."""

import json

import numpy as np
import pytest

from geoanon_qgis.core import verdict as engine
from geoanon_qgis.processing import verdicts
from tests.processing.helpers import DECIDED, Feedback, layer, points, run

pytestmark = pytest.mark.usefixtures("project")

DO_NOT, WITH_CARE = engine.DO_NOT_RELEASE, engine.RELEASE_WITH_CARE
NOT_TESTED, CANNOT = engine.NOT_TESTED, engine.CANNOT_TELL


def decided(algorithm, tmp_path, **parameters):
    """Run, see that all that is said agrees, and return the JSON's verdict and the results."""
    feedback = Feedback()
    done = run(
        algorithm,
        {**parameters, "REPORT": str(tmp_path / "r.html"), "JSON": str(tmp_path / "r.json")},
        feedback,
    )
    told = json.loads((tmp_path / "r.json").read_text())["verdict"]
    assert set(done.results) >= DECIDED
    assert (told["decision"], told["risk_low"], told["risk_high"], told["limit"]) == tuple(
        done[name] for name in ("DECISION", "RISK_LOW", "RISK_HIGH", "LIMIT")
    )
    title = verdicts._DECISIONS[told["decision"]][1]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.index(f">{title}</p>") < page.index("<h2")
    assert title in feedback.said
    return told, done


def masked(xy, tmp_path, **parameters):
    return decided(
        "voronoimask",
        tmp_path,
        INPUT=layer(xy),
        OUTPUT="TEMPORARY_OUTPUT",
        KEY="TEMPORARY_OUTPUT",
        **parameters,
    )


def reversed_(release, candidates, tmp_path, **parameters):
    return decided(
        "reversevoronoi",
        tmp_path,
        INPUT=release,
        CANDIDATES=candidates,
        OUTPUT="TEMPORARY_OUTPUT",
        SEED=1,
        **parameters,
    )


def test_a_mask_is_not_tested_and_names_its_attack(tmp_path):
    told, _ = masked(points(50), tmp_path)
    assert told["decision"] == NOT_TESTED and told["evidence"] == []
    assert "geoanon:reversevoronoi" in told["next"][-1]


@pytest.mark.parametrize("with_key", [False, True])
def test_a_reversed_mask_is_not_to_be_released(tmp_path, with_key):
    xy = points(200)
    _, done = masked(xy, tmp_path)
    more = {"KEY": done["KEY"]} if with_key else {}
    told, _ = reversed_(done["OUTPUT"], layer(xy), tmp_path, **more)
    (found,) = told["evidence"]
    assert told["decision"] == DO_NOT and found["by_key"] == with_key
    assert found["low"] < found["share"] < found["high"] and found["exposed"] > 0


def test_an_attack_that_does_not_fit_is_no_evidence_of_safety(tmp_path):
    """Points moved at random are no Voronoi mask: that its reversal fails says nothing."""
    xy = points(1000)
    moved = xy + np.random.default_rng(3).normal(0, 300, xy.shape)
    told, done = reversed_(layer(moved), layer(xy), tmp_path)
    assert done["EXPECTED_CORRECT"] < 20
    assert told["decision"] == CANNOT and told["risk_high"] == 1
    assert told["evidence"][0]["caveat"] == "other_mask"


def test_a_release_of_which_one_in_fifty_did_not_move(tmp_path):
    """However few people the attack expects to find, those who were not moved are shown."""
    xy = points(1000)
    moved = xy + np.random.default_rng(3).normal(0, 300, xy.shape)
    moved[::50] = xy[::50]
    told, _ = reversed_(layer(moved), layer(xy), tmp_path)
    assert told["decision"] == DO_NOT and told["evidence"][0]["exposed"] == 20


def test_the_limit_is_the_users(tmp_path):
    xy = points(200)
    _, done = masked(xy, tmp_path)
    told, _ = reversed_(done["OUTPUT"], layer(xy), tmp_path, ACCEPTABLE=0.5)
    assert told["limit"] == 0.5


@pytest.mark.parametrize(("smallest", "warned"), [(5, True), (11, True), (12, False)])
def test_a_limit_on_average_is_not_one_for_everybody(smallest, warned):
    """Most hide among a hundred; a few do not, and the verdict says how well."""
    looked_up = engine.Evidence.looked_up(np.array([smallest] + [100] * 50), 5)
    verdict = engine.judge([looked_up], "quasi_identifiers", "which_record", 0.09)
    assert verdict.decision == WITH_CARE
    said = "\n".join(verdicts.Told(verdict, ["Do it."]).lines())
    assert ("on average, not for every person" in said) == warned
    assert (f"Each of those is found with {100 / smallest:.3g} %" in said) == warned


def test_every_word_of_a_verdict_is_there(tmp_path):
    """Whatever the engine decides can be told."""
    for decision in engine.DECISIONS:
        for knows in verdicts.KNOWS:
            for wants in verdicts.WANTS:
                evidence = tuple(
                    engine.Evidence.counted(attack, 1, 2, exposed=exposed).with_caveat(caveat)
                    for attack, caveat, exposed in zip(
                        verdicts.ATTACKS, [*verdicts.CAVEATS] * 3, range(9)
                    )
                )
                told = verdicts.Told(engine.Verdict(decision, knows, wants, evidence), ["Do it."])
                for line in [*told.lines(), told.box().title]:
                    assert "{" not in line and line.strip() == line and line
