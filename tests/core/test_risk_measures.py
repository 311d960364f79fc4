# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures of risk for masked points, against every pair; and what they say that is not so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.masks.likelihood import by_lists
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.measures import risk
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

some_pairs = st.lists(st.tuples(*[st.integers(0, 8)] * 4), min_size=1, max_size=20).map(
    lambda rows: np.array(rows, dtype=float)
)
some_places = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=25).map(
    lambda rows: np.array(rows, dtype=float).reshape(-1, 2)
)


def square(a, b):
    """Squared distances of all pairs: whole numbers, so that ties are ties."""
    return ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)


@given(some_pairs, some_places)
def test_actual_k_of_every_pair(rows, candidates):
    before, after = rows[:, :2], rows[:, 2:]
    moved = ((after - before) ** 2).sum(axis=1)
    found = risk.actual_k(before, after, candidates)
    for i in range(len(rows)):
        near = int((square(after[i : i + 1], candidates)[0] <= moved[i]).sum())
        listed = any((before[i] == one).all() for one in candidates)
        assert found[i] == near + (0 if listed else 1)


@given(some_pairs)
def test_k_original_of_every_pair(rows):
    before, after = rows[:, :2], rows[:, 2:]
    moved = ((after - before) ** 2).sum(axis=1)
    wanted = (square(before, after) <= moved[:, None]).sum(axis=1)
    assert risk.k_original(before, after).tolist() == wanted.tolist()


@given(some_pairs, some_places)
def test_method_related_of_every_pair(rows, candidates):
    before, after = rows[:, :2], rows[:, 2:]
    moved = ((after - before) ** 2).sum(axis=1)

    def in_ring(squares):
        return (squares >= moved.min()) & (squares <= moved.max())

    listed = np.array([any((one == c).all() for c in candidates) for one in before])
    wanted = in_ring(square(after, candidates)).sum(axis=1) + ~listed
    assert risk.method_related(before, after, candidates).tolist() == wanted.tolist()
    wanted = in_ring(square(before, after)).sum(axis=1)
    assert risk.method_related(before, after, None).tolist() == wanted.tolist()


@given(some_pairs)
def test_spruill_of_every_pair(rows):
    before, after = rows[:, :2], rows[:, 2:]
    distinct = np.unique(before, axis=0)
    moved = ((after - before) ** 2).sum(axis=1)
    found = risk.spruill(before, after)
    for i in range(len(rows)):
        nearest = square(after[i : i + 1], distinct).min()
        tied = int((square(after[i : i + 1], before)[0] == nearest).sum())
        assert found[i] == (pytest.approx(1 / tied) if moved[i] == nearest else 0)


@given(some_pairs, some_places, st.integers(0, 99))
def test_order_means_nothing(rows, candidates, seed):
    rng = np.random.default_rng(seed)
    order, other = rng.permutation(len(rows)), rng.permutation(len(candidates))
    before, after = rows[:, :2], rows[:, 2:]
    one = risk.actual_k(before, after, candidates)
    assert (risk.actual_k(before[order], after[order], candidates[other]) == one[order]).all()
    shared = risk.spruill(before, after)
    assert (risk.spruill(before[order], after[order]) == shared[order]).all()


def test_an_unmoved_record_and_nobody():
    xy = np.array([[1.0, 2.0], [5.0, 5.0]])
    assert risk.actual_k(xy, xy, xy).tolist() == [1, 1]
    assert risk.actual_k(xy, xy, np.empty((0, 2))).tolist() == [1, 1]
    assert risk.spruill(xy, xy).tolist() == [1, 1]
    none = np.empty((0, 2))
    assert len(risk.actual_k(none, none, xy)) == len(risk.spruill(none, none)) == 0
    assert len(risk.k_original(none, none)) == len(risk.method_related(none, none, xy)) == 0


def test_far_from_the_origin_ties_are_ties():
    """The true place is among the candidates whatever rounding makes of its distance."""
    rng = np.random.default_rng(1)
    before = rng.uniform(5e6, 5.001e6, (2000, 2))
    after = before + rng.normal(0, 30, before.shape)
    assert risk.actual_k(before, after, before).min() >= 1
    alone = before[:1]
    assert risk.actual_k(alone, after[:1], alone).tolist() == [1]
    assert risk.method_related(before, after, before).min() >= 1
    assert risk.method_related(before, after, None).min() >= 1


def test_estimated_k_of_people_spread_evenly():
    shapely = pytest.importorskip("shapely")
    squares = shapely.box([0, 100, 0], [0, 0, 100], [100, 200, 100], [100, 100, 200])
    before = np.array([[50.0, 50], [50, 50], [100, 90], [50, 50], [900, 900]])
    after = np.array([[50.0, 60], [50, 50], [100, 50], [50, 100], [905, 900]])
    found = risk.estimated_k(before, after, squares, [100, 300, 50])
    circle = np.pi * np.array([10.0, 0, 40, 50, 5]) ** 2 / 1e4
    wanted = [100, 0, (100 + 300) / 2, (100 + 50) / 2, 0] * circle
    assert found == pytest.approx(wanted, rel=1e-3)
    with pytest.raises(InputError, match="each area"):
        risk.estimated_k(before, after, squares, [1, -2, 3])


@given(st.integers(0, 10_000))
def test_estimated_k_against_points_thrown_at_random(seed):
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(seed)
    squares = shapely.box([0, 100], [0, 0], [100, 200], [100, 100])
    before, after = rng.uniform(0, 200, (2, 3, 2))
    thrown = rng.uniform(0, 200, (20_000, 2)) * (1, 0.5)
    weight = np.where(thrown[:, 0] < 100, 40.0, 90.0) / 1e4  # people for each unit of area
    near = np.hypot(*(thrown[None] - after[:, None]).T).T <= np.hypot(*(after - before).T)[:, None]
    wanted = (near * weight).mean(axis=1) * 2e4
    assert risk.estimated_k(before, after, squares, [40, 90]) == pytest.approx(wanted, abs=3.0)


def test_who_is_no_pair_is_told():
    with pytest.raises(InputError, match="3 original and 2 released"):
        risk.actual_k(np.zeros((3, 2)), np.zeros((2, 2)), np.zeros((1, 2)))


def test_a_cancel_is_heard():
    def stop(fraction):
        if fraction > 0.3:
            raise Cancelled

    xy = np.random.default_rng(1).uniform(0, 1e4, (20_000, 2))
    with pytest.raises(Cancelled):
        risk.actual_k(xy, xy + 5.0, xy, stop)


def homes(count=20_000, size=2_000.0):
    """Places with about the density of the dwellings of a town, on whole metres."""
    xy = np.random.default_rng(2).integers(0, int(size), (count, 2))
    return np.unique(xy, axis=0).astype(float)


def test_of_a_fixed_radius_the_measures_say_the_opposite():
    """Actual k of two dozen, and whoever knows the mask finds nine of ten."""
    candidates, rng = homes(), np.random.default_rng(3)
    before = candidates[rng.choice(len(candidates), 1000, replace=False)]
    angle = rng.uniform(0, 2 * np.pi, 1000)
    after = before + 50.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert np.median(risk.actual_k(before, after, candidates)) >= 25
    # All candidates on the circle are as likely: he is right with one in so many.
    alike = risk.method_related(before, after, candidates)
    assert (1 / alike).mean() > 0.9


def test_dwellings_with_a_fixed_radius(dwellings_as_published):
    candidates = np.unique(dwellings_as_published, axis=0)
    rng = np.random.default_rng(4)
    before = candidates[rng.choice(len(candidates), 2000, replace=False)]
    angle = rng.uniform(0, 2 * np.pi, 2000)
    # Released to decimetres, as a layer may be: the adversary allows for that.
    after = np.round(before + 50.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1), 1)
    assert 22 <= np.median(risk.actual_k(before, after, candidates)) <= 28
    assert (1 / risk.method_related(before, after, candidates)).mean() > 0.9


def test_of_an_exchange_they_say_the_opposite_too():
    """Most have an actual k below k, and nobody is found with more than one in k by a point."""
    candidates, k = homes(4_000, 1_000.0), 10
    graph = partner_graph(candidates, k)
    rng = np.random.default_rng(5)
    rows = rng.choice(np.flatnonzero(~graph.withheld), 300, replace=False)
    to = graph.partner_of(rows, rng.random(len(rows)))
    actual = risk.actual_k(candidates[rows], candidates[to], candidates)
    assert (actual < k).mean() > 0.7
    guesses = who_lives_there(by_lists(to, graph.partners, len(candidates), 1.0 / k))
    assert guesses.top.max() == pytest.approx(1 / k)
    assert guesses.effective.min() == pytest.approx(k)
    # Points that did not move have an actual k of 1, and are hidden as well as the others.
    assert (actual[to == rows] == 1).all() and (to == rows).any()
