# SPDX-License-Identifier: GPL-2.0-or-later
"""Verdicts on experiments: the worst attack on each release decides."""

import numpy as np
import pytest

from geoanon_qgis.core.experiments.design import draw_files
from geoanon_qgis.core.experiments.verdicts import by_release, evidence, is_spared, labels_alone
from geoanon_qgis.core.verdict import (
    CANNOT_TELL,
    DO_NOT_RELEASE,
    RELEASE_WITH_CARE,
    Evidence,
    judge,
)
from tests.core.test_experiments import plan

ADVERSARY = ("file_with_places", "which_record")


def row(release="a", attack="clique", **more):
    return {
        "release": release,
        "attack": attack,
        "recall": 0.0,
        "recall_se": 0.0,
        "repeats": 20,
        "overlap": 100,
        "precision": None,
        "matches": 0.0,
        "edges": 5.0,
        "proven": 1.0,
        "threshold": 0.5,
        **more,
    }


@pytest.mark.parametrize(
    "change, decision, caveat",
    [
        ({}, RELEASE_WITH_CARE, None),
        ({"overlap": 20}, CANNOT_TELL, None),  # too few people, however often they were attacked
        ({"recall": 0.04, "recall_se": 0.04}, CANNOT_TELL, None),  # releases differ too much
        ({"recall": 0.3}, DO_NOT_RELEASE, None),
        ({"recall": 0.02, "precision": 0.3}, DO_NOT_RELEASE, None),  # the papers' rule
        ({"guessed": 0.3, "guessed_se": 0.0}, DO_NOT_RELEASE, None),  # though nobody is named
        ({"guessed": 0.06, "guessed_se": 0.01}, CANNOT_TELL, None),
        ({"proven": 0.95}, CANNOT_TELL, "cut_off"),
        ({"edges": 0.0}, CANNOT_TELL, "nothing_compared"),
        ({"attack": "likelihood", "proven": None, "edges": None}, RELEASE_WITH_CARE, None),
        ({"attack": "likelihood", "proven": 0.5, "edges": None}, CANNOT_TELL, "cut_off"),
        (
            {"attack": "likelihood", "proven": None, "edges": None, "threshold": 0.9},
            CANNOT_TELL,
            "held_back",
        ),
        ({"recall": float("nan"), "recall_se": None}, RELEASE_WITH_CARE, None),  # nobody was named
    ],
)
def test_what_a_cell_shows(change, decision, caveat):
    found = evidence(row(**change))
    assert judge([found], *ADVERSARY).decision == decision
    assert found.complete == (caveat is None)
    if caveat:
        assert found.caveat == caveat


def test_each_release_is_judged_by_all_attacks_on_it():
    rows = [
        row("a"),
        row("a", "likelihood", proven=None),
        row("a", "near_group", proven=None),
        row("b"),
        row("b", "likelihood", proven=None),
        row("b", "near_group", proven=None, recall=0.5),
        row("c"),
        row("c", "near_group", proven=None),
    ]
    judged = by_release(rows, 3, *ADVERSARY, 0.09)
    decisions = {release: verdict.decision for release, verdict in judged.items()}
    # Of c an attack is still to be done.
    assert decisions == {"a": CANNOT_TELL, "b": DO_NOT_RELEASE, "c": CANNOT_TELL}
    # What all attacks of an experiment spare may fall to signatures, which it has not.
    assert {one.caveat for one in judged["a"].evidence} == {"one_method"}
    assert [is_spared(judged[release]) for release in "abc"] == [True, False, False]
    assert judged["b"].worst.attack == "near_group_linkage"
    without = [one for one in rows if one["attack"] != "near_group"]
    judged = by_release(without, 2, *ADVERSARY, 0.09)
    assert judged["a"].decision == CANNOT_TELL and judged["a"].worst.caveat == "one_method"
    assert not is_spared(judged["a"])


def test_what_holds_for_every_release_counts_in_each():
    experiment = plan(labels=[(row % 4,) for row in range(90)])
    files = draw_files(experiment)
    alone = labels_alone(experiment)
    most = [max(np.bincount(rows % 4)) for rows in (files.target, files.identification)]
    assert alone.people == 15 and 15 / max(most) < alone.found < 15 / 8
    judged = by_release(
        [row("a"), row("a", "near_group", proven=None)], 2, *ADVERSARY, 0.05, [alone]
    )
    assert judged["a"].decision == DO_NOT_RELEASE and alone in judged["a"].evidence


@pytest.mark.parametrize("method", ["clique", "likelihood", "near_group"])
def test_one_of_the_methods_shows_no_release_to_hold(method):
    """Each finds people in releases in which the other finds nobody."""
    (verdict,) = by_release([row(attack=method)], 1, *ADVERSARY, 0.09).values()
    assert verdict.decision == CANNOT_TELL and verdict.worst.caveat == "one_method"
    (verdict,) = by_release([row(attack=method, recall=0.5)], 1, *ADVERSARY, 0.09).values()
    assert verdict.decision == DO_NOT_RELEASE


def test_one_repetition_says_nothing_of_others():
    assert evidence(row(repeats=1, recall_se=None)) == Evidence.averaged(
        "clique_linkage", 0.0, None, 1, 100
    ).with_claims(0, False)
