# SPDX-License-Identifier: GPL-2.0-or-later
"""The attacks by name, and what they find together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist

from geoanon_qgis.core.attacks import by_name
from geoanon_qgis.core.attacks.by_name import (
    CLIQUE,
    LIKELIHOOD,
    LOCAL_MAPS,
    NAMES,
    NEAR_GROUP,
    SIGNATURES,
    STRONGEST,
    Search,
    all_evidence,
    attack_by,
    together,
    why_not,
)
from geoanon_qgis.core.attacks.linkage.compatibility import AbsoluteTolerance, DistanceNoise
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.near_result import NearGroupResult
from geoanon_qgis.core.attacks.linkage.result import NEAR_GROUP as BY_NEAR_GROUP
from geoanon_qgis.core.attacks.linkage.result import LinkageResult
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.space.metrics import metric_for

#: All attacks but that on ISGP releases.
GENERAL = tuple(name for name in NAMES if name != LOCAL_MAPS)


def claims(pairs, chance, **more):
    pairs, chance = np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(chance, dtype=float)
    found = LinkageResult(pairs, None, chance, 50, 0, None, None, "", name=BY_NEAR_GROUP)
    return replace(found, **more)


def files(rng, rule, noise=0.0):
    """Thirty released and thirty known people, twenty of whom are in both."""
    places = rng.normal(0, 5000, (40, 2))
    distances = np.maximum(pdist(places[:30]) + rng.normal(0, noise, 435), 0.0)
    labels = [(str(one),) for one in rng.integers(0, 4, 40)]
    return Files(
        labels[:30],
        DistanceMatrix.numbered(distances),
        labels[10:],
        places[10:],
        metric_for("planar", None),
        rule,
    )


def right(result):
    return int((result.matches[:, 0] == result.matches[:, 1] + 10).sum())


@pytest.mark.parametrize("name", [*GENERAL, STRONGEST])
def test_each_name_finds_people_in_nearly_exact_distances(name, rng):
    given = files(rng, DistanceNoise("gaussian", 5.0, 0.9), noise=5.0)
    found = attack_by(name, given, Search(60.0), np.random.default_rng(1))
    assert right(found) >= 12 and right(found) >= 0.9 * found.clique
    assert found.has_confidence == (name != CLIQUE)


def test_all_together_find_at_least_as_many_as_each(rng):
    given = files(rng, DistanceNoise("gaussian", 200.0, 0.9), noise=200.0)
    seen = []
    found = attack_by(STRONGEST, given, Search(60.0), np.random.default_rng(1), seen.append)
    assert tuple(found.parts) == GENERAL and not found.left_out
    assert right(found) >= max(map(right, found.parts.values())) - 1
    assert seen[-1] > 0.99
    told = all_evidence(found)
    assert [one.attack for one in told] == [one.name for one in (*found.parts.values(), found)]
    assert all(one.caveat != "one_method" for one in told)


@pytest.mark.parametrize(
    "limit, most",
    [
        (None, {NEAR_GROUP: None, LIKELIHOOD: None, SIGNATURES: None, CLIQUE: None}),
        (240.0, {NEAR_GROUP: 60.0, LIKELIHOOD: 80.0, SIGNATURES: 120.0, CLIQUE: 60.0}),
        (2400.0, {NEAR_GROUP: 600.0, LIKELIHOOD: 800.0, SIGNATURES: 1200.0, CLIQUE: 600.0}),
        (4.0, {NEAR_GROUP: 1.0, LIKELIHOOD: 4 / 3, SIGNATURES: 2.0, CLIQUE: 4.0}),
    ],
)
def test_time_for_all_is_dealt_out_and_none_is_none(rng, monkeypatch, limit, most):
    given_to = {}

    def stand_in(name, result):
        def run(*args, limits=None, time_limit=None, **more):
            given_to[name] = limits.seconds if limits else time_limit
            return result

        return run

    nobody = claims([], [])
    monkeypatch.setattr(by_name, "near_group", stand_in(NEAR_GROUP, NearGroupResult.nobody()))
    monkeypatch.setattr(by_name, "likelihood_attack", stand_in(LIKELIHOOD, nobody))
    monkeypatch.setattr(by_name, "signature_attack", stand_in(SIGNATURES, nobody))
    monkeypatch.setattr(by_name, "attack", stand_in(CLIQUE, nobody))
    monkeypatch.setattr(by_name.time, "monotonic", lambda: 1000.0)
    given = files(rng, DistanceNoise("gaussian", 5.0, 0.9))
    attack_by(STRONGEST, given, Search(limit), np.random.default_rng(1))
    assert given_to == (most if limit is None else pytest.approx(most))


def test_what_cannot_be_run_is_left_out_and_told(rng):
    given = files(rng, AbsoluteTolerance(10.0))
    found = attack_by(STRONGEST, given, Search(60.0), np.random.default_rng(1))
    assert set(found.parts) == {NEAR_GROUP, CLIQUE}
    assert set(found.left_out) == {LIKELIHOOD, SIGNATURES} and all(found.left_out.values())
    # Order alone tells who lives far out, and no attack of these two looks at it.
    by_distances = all_evidence(found, lambda _: np.arange(30) - 10)[:-1]
    assert not any(one.complete for one in by_distances)
    noise = DistanceNoise("gaussian", 5.0, 0.9)
    assert why_not(SIGNATURES, noise, by_name.MOST_FOR_SIGNATURES + 1)
    assert not any(why_not(name, noise, 100) for name in GENERAL)


def test_one_attack_alone_shows_nothing_to_hold(rng):
    given = files(rng, DistanceNoise("gaussian", 5.0, 0.9), noise=5.0)
    for name in (CLIQUE, NEAR_GROUP):
        found = attack_by(name, given, Search(60.0), np.random.default_rng(1))
        assert not any(one.complete for one in all_evidence(found))


def test_the_surest_match_of_each_is_taken():
    one = claims([[0, 0], [1, 1]], [0.9, 0.6])
    other = claims([[0, 1], [2, 2]], [0.7, 0.5])
    found = together({"a": one, "b": other}, {}, 0.5)
    assert found.matches.tolist() == [[0, 0], [1, 1], [2, 2]]
    assert found.support.tolist() == [0.9, 0.6, 0.5]
    assert together({"a": one, "b": other}, {}, 0.8).matches.tolist() == [[0, 0]]
    assert together({"a": one, "b": replace(other, cut_off=True)}, {}, 0.5).cut_off


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 6), st.integers(0, 6), st.floats(0, 1)),
            max_size=8,
            unique_by=(lambda one: one[0], lambda one: one[1]),
        ),
        min_size=1,
        max_size=3,
    ),
    st.floats(0.01, 1),
)
def test_nobody_is_claimed_twice_and_nobody_less_surely_than_asked(parts, threshold):
    parts = {
        str(number): claims([one[:2] for one in part], [one[2] for one in part])
        for number, part in enumerate(parts)
    }
    found = together(parts, {}, threshold)
    for column in found.matches.T:
        assert len(set(column.tolist())) == len(column)
    assert (found.support >= threshold).all() and len(found.guesses) >= found.clique
    surest = max((one.support.max(initial=0.0) for one in parts.values()), default=0.0)
    assert found.chance.max(initial=0.0) == surest
