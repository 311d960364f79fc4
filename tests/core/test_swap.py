# SPDX-License-Identifier: GPL-2.0-or-later
"""Location swapping, against the enumeration of all candidates."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from test_exchange_partners import addresses, towns

from geoanon_qgis.core.masking.location_swap import (
    EMPTY,
    MIXED,
    SWAPPED,
    WIDENED,
    swap_locations,
)
from geoanon_qgis.core.masking.swap_rings import Candidates, RingRule
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

SECRET = bytes(range(32))
MASK = "location swap"


def swapped(xy, listed, rule, classes=None, of_list=None, secret=SECRET):
    return swap_locations(xy, Candidates.of(listed, of_list), rule, secret, MASK, classes)


def enumerated(place, listed, rule, alike):
    """Candidates of one place by their definition: rows of the list, and whether it is widened."""
    away = np.hypot(*(listed - place).T)
    good = np.flatnonzero(alike & (away >= rule.least) & (away > rule.same))
    ring = good[away[good] <= rule.largest]
    if len(np.unique(listed[ring], axis=0)) >= rule.fewest:
        return ring, False
    if not rule.widen or len(np.unique(listed[good], axis=0)) < rule.fewest:
        return good[:0], False
    distinct = np.unique(listed[good], axis=0)
    last = np.sort(np.hypot(*(distinct - place).T))[rule.fewest - 1]
    return good[away[good] <= last], True


rules = st.builds(
    RingRule,
    st.sampled_from([0.0, 1.0, 1.5, 2.0]),
    st.sampled_from([2.5, 3.0, 5.0]),
    st.integers(2, 6),
    st.booleans(),
)


@given(addresses(least=1), addresses(least=1), rules, st.booleans(), st.data())
@settings(max_examples=150)
def test_rings_and_choices_are_those_of_all_candidates(xy, listed, rule, by_class, data):
    # Some places of the list twice, as dwellings of a house are.
    again = data.draw(st.lists(st.integers(0, len(listed) - 1), max_size=5))
    listed = np.concatenate([listed, listed[again]])
    of = [None] * len(xy)
    of_list = np.zeros(len(listed))
    if by_class:
        of = data.draw(st.lists(st.integers(0, 2), min_size=len(xy), max_size=len(xy)))
        drawn = st.lists(st.integers(0, 1), min_size=len(listed), max_size=len(listed))
        of_list = np.array(data.draw(drawn))
    given_classes = (of, of_list.tolist()) if by_class else (None, None)
    found = swapped(xy, listed, rule, *given_classes)
    candidates = Candidates.of(listed, given_classes[1])
    rings = candidates.rings(xy, rule, given_classes[0])
    for row, place in enumerate(xy):
        alike = of_list == (of[row] if by_class else 0)
        ring, widened = enumerated(place, listed, rule, alike)
        distinct = np.unique(listed[ring], axis=0)
        assert rings.count[row] == found.rings.count[row] == len(distinct)
        assert bool(rings.widened[row]) == widened
        if len(ring) == 0:
            assert found.kind[row] == EMPTY and found.row[row] == -1
            assert np.isnan(found.xy[row]).all() and found.withheld[row]
            continue
        assert found.kind[row] == (WIDENED if widened else SWAPPED)
        assert found.row[row] in ring and found.xy[row].tolist() in distinct.tolist()
        assert np.array_equal(found.xy[row], listed[found.row[row]])
        assert found.shift[row] > 0
        # The density over the list adds up to 1, and is 1 / count on the ring.
        places = np.unique(listed[alike], axis=0)
        f = rings.density(np.full(len(places), row), np.hypot(*(places - place).T))
        assert f.sum() == pytest.approx(1)
        assert places[f > 0].tolist() == distinct.tolist()


@given(addresses(least=4), rules, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_neither_order_nor_company_moves_anybody(listed, rule, random):
    rng = np.random.default_rng(random.getrandbits(32))
    xy = listed[rng.integers(0, len(listed), 12)]
    before = swapped(xy, listed, rule).xy
    order, other = rng.permutation(12), rng.permutation(len(listed))
    newcomers = rng.integers(0, 8, (5, 2)).astype(float)
    after = swapped(np.concatenate([newcomers, xy[order]]), listed[other], rule)
    assert np.array_equal(after.xy[5:], before[order], equal_nan=True)


def test_points_at_one_place_go_together():
    listed = towns(400)
    xy = np.repeat(listed[:50], 3, axis=0)
    found = swapped(xy, listed, RingRule(50, 300, 2))
    assert np.array_equal(found.row[::3], found.row[1::3])
    assert np.array_equal(found.row[::3], found.row[2::3])


def draws_of_many(xy, listed, rule, count):
    candidates, secrets = Candidates.of(listed), (i.to_bytes(16, "big") for i in range(count))
    return np.array([swap_locations(xy, candidates, rule, one, MASK).row for one in secrets])


def test_every_candidate_is_as_likely_and_places_choose_independently():
    """Over many secrets, for two places whose rings have nearly the same candidates."""
    listed = np.array([[x, y] for x in range(4) for y in range(3)], dtype=float)
    xy = np.array([[1.0, 1.0], [1.0, 1.001]])
    rows = draws_of_many(xy, listed, RingRule(0.5, 50, 2), 6000)
    assert len(np.unique(rows[:, 0])) == 11 and len(np.unique(rows[:, 1])) == 11
    for one in rows.T:
        assert stats.chisquare(np.unique(one, return_counts=True)[1]).pvalue > 0.001
    table = np.histogram2d(rows[:, 0], rows[:, 1], bins=[range(13), range(13)])[0]
    table = table[table.any(axis=1)][:, table.any(axis=0)]
    assert stats.chi2_contingency(table).pvalue > 0.001


def test_many_places_with_one_secret_are_as_even():
    """Of the candidates of a whole ring, in any direction and at any distance."""
    rng = np.random.default_rng(2)
    listed = rng.uniform(-400, 400, (4000, 2))
    xy = rng.uniform(-100, 100, (3000, 2))
    found = swapped(xy, listed, RingRule(50, 200, 2))
    rank = []
    for row, place in enumerate(xy):
        away = np.hypot(*(listed - place).T)
        ring = np.flatnonzero((away >= 50) & (away <= 200))
        order = ring[np.argsort(away[ring])].tolist()
        rank.append((order.index(found.row[row]) + 0.5) / len(order))
    assert stats.kstest(rank, "uniform").pvalue > 0.001
    gap = found.xy - xy
    turn = np.arctan2(gap[:, 1], gap[:, 0]) / (2 * np.pi) % 1
    assert stats.kstest(turn, "uniform").pvalue > 0.001


def test_who_knows_the_densities_is_right_as_often_as_he_believes():
    """Adversary A with the right model: his mean largest probability is the share he finds."""
    listed = towns(250, seed=6)
    rule = RingRule(60, 220, 8)
    rings = Candidates.of(listed).rings(listed, rule)
    gap = np.hypot(*(listed[:, None] - listed[None]).transpose(2, 0, 1))
    # f(y | c), a row for each c.
    f = rings.density(np.broadcast_to(np.arange(250)[:, None], gap.shape), gap)
    assert f.sum(axis=1) == pytest.approx(np.ones(250))
    total = f.sum(axis=0)  # none for an address that lies in nobody's ring
    posterior = np.divide(f, total, out=np.zeros_like(f), where=total > 0)
    believed, found = [], []
    for secret in range(60):
        row = swapped(listed, listed, rule, secret=secret.to_bytes(16, "big")).row
        top = posterior[:, row].max(axis=0)
        tied = posterior[:, row] >= top * (1 - 1e-12)
        believed.append(top.mean())
        found.append((tied[np.arange(250), np.arange(250)] / tied.sum(axis=0)).mean())
    assert rings.widened.any() and not rings.widened.all()
    error = np.std(found) / np.sqrt(len(found))
    assert abs(np.mean(found) - np.mean(believed)) < 4 * error


def test_a_list_that_changes_moves_nobody_farther_than_it_must():
    listed, extra = towns(900), towns(30, seed=8)
    xy, rule = listed[:300], RingRule(50, 400, 2)
    before = swapped(xy, listed, rule)
    after = swapped(xy, np.concatenate([listed, extra]), rule)
    moved = (before.xy != after.xy).any(axis=1)
    # Only to one of the new addresses, and about as often as one of the ring's is new.
    assert (after.row[moved] >= len(listed)).all()
    new = after.rings.count - before.rings.count
    expected = (new / after.rings.count).sum()
    assert moved.sum() < expected + 6 * np.sqrt(expected)
    # When addresses go, only who was at one of them.
    fewer = swapped(xy, listed[:850], rule)
    assert np.array_equal((fewer.xy != before.xy).any(axis=1), before.row >= 850)


@pytest.mark.parametrize(
    "other",
    [RingRule(50, 410, 2), RingRule(51, 400, 2), RingRule(50, 400, 3), RingRule(50, 400, 2, False)],
)
def test_another_ring_is_another_draw(other):
    """Or where a point did not stay would tell in which part of the rings the place is not."""
    listed = towns(900)
    one, two = (swapped(listed[:300], listed, rule) for rule in (RingRule(50, 400, 2), other))
    chance = (1 / one.rings.count).sum()
    assert (one.row == two.row).sum() < chance + 6 * np.sqrt(chance)


def test_other_secrets_and_masks_choose_otherwise():
    listed = towns(500)
    rule, candidates = RingRule(50, 600, 20), Candidates.of(listed)
    first = swapped(listed, listed, rule).row
    second = swapped(listed, listed, rule, secret=SECRET[::-1]).row
    third = swap_locations(listed, candidates, rule, SECRET, "another").row
    for other in (second, third):
        assert (first == other).mean() < 0.2


def test_a_place_that_is_stored_otherwise_keeps_its_draw():
    """As in degrees: kept by what is stored, at distances of the plane."""
    listed = towns(300)
    rule = RingRule(30, 500, 2)
    stored = listed / 1e5
    plain = swap_locations(
        listed[:40], Candidates.of(listed, stored=stored), rule, SECRET, MASK, stored=stored[:40]
    )
    nudged = listed + 1e-7
    again = swap_locations(
        nudged[:40], Candidates.of(nudged, stored=stored), rule, SECRET, MASK, stored=stored[:40]
    )
    assert np.array_equal(plain.row, again.row)


def test_the_place_itself_is_no_candidate_though_projected_a_little_aside():
    listed = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    xy = listed[:1] + 1e-4
    rule = RingRule(0, 100, 2, same=1e-3)
    found = [
        swap_locations(xy, Candidates.of(listed), rule, bytes([i]) * 16, MASK) for i in range(40)
    ]
    assert {int(one.row[0]) for one in found} == {1, 2}


def test_points_at_one_place_with_several_classes_are_withheld():
    listed = np.tile(towns(60), (2, 1))
    of_list = ["a"] * 60 + ["b"] * 60
    xy = listed[[0, 0, 1, 1]]
    found = swapped(xy, listed, RingRule(0, 5000, 2), ["a", "b", "a", "a"], of_list)
    assert found.kind.tolist() == [MIXED, MIXED, SWAPPED, SWAPPED]
    assert found.withheld.tolist() == [True, True, False, False]
    assert np.isnan(found.xy[:2]).all() and found.row[2] == found.row[3] < 60


def test_a_class_without_candidates_is_withheld_and_no_points_are_no_trouble():
    listed = towns(60)
    found = swapped(listed[:3], listed, RingRule(0, 5000, 2), ["a", "x", "a"], ["a"] * 60)
    assert found.kind.tolist() == [SWAPPED, EMPTY, SWAPPED]
    nobody = swapped(np.empty((0, 2)), listed, RingRule(0, 5000, 2))
    assert nobody.xy.shape == (0, 2) and "0 points" in repr(nobody)


def test_the_summary_counts_and_names_nobody():
    listed = np.concatenate([towns(200), [[1e6, 1e6]]])
    found = swapped(listed, listed, RingRule(50, 400, 5))
    wider = int((found.kind == WIDENED).sum())
    assert f"201 points: 201 moved, {wider} of them in widened rings, 0 withheld" in repr(found)
    assert found.kind[-1] == WIDENED
    alone = swapped(listed, listed, RingRule(50, 400, 5, widen=False))
    assert alone.kind[-1] == EMPTY and alone.withheld.sum() >= 1


@pytest.mark.parametrize(
    "values, said",
    [
        ((5, 5), "from 5 to 5"),
        ((9, 5), "from 9 to 5"),
        ((-1, 5), "from -1 to 5"),
        ((0, np.inf), "a larger one"),
        ((np.nan, 5), "a larger one"),
        ((0, 5, 1), "at least 2 candidates to go to, not 1"),
    ],
)
def test_rings_that_are_none_are_refused(values, said):
    with pytest.raises(InputError, match=said):
        RingRule(*values)


def test_what_cannot_be_is_said():
    rule, listed = RingRule(0, 5), towns(5)
    with pytest.raises(InputError, match="list of candidates is empty"):
        Candidates.of(np.empty((0, 2)))
    with pytest.raises(InputError, match="Some candidates have coordinates"):
        Candidates.of(np.array([[np.nan, 0]]))
    with pytest.raises(InputError, match="2 classes for 5 places"):
        Candidates.of(listed, ["a", "b"])
    with pytest.raises(InputError, match="1 classes for 5 places"):
        swapped(listed, listed, rule, ["a"], ["a"] * 5)
    with pytest.raises(InputError, match="2 stored places for 5 points"):
        Candidates.of(listed, stored=listed[:2])
    with pytest.raises(InputError, match="2 stored places for 5 points"):
        swap_locations(listed, Candidates.of(listed), rule, SECRET, MASK, stored=listed[:2])
    with pytest.raises(InputError, match="at least 16 are needed"):
        swapped(listed, listed, rule, secret=b"short")


def test_a_cancel_is_heard():
    listed, asked = towns(3000), []

    def stop(fraction):
        asked.append(fraction)
        if fraction > 0.7:
            raise Cancelled

    with pytest.raises(Cancelled):
        swap_locations(listed, Candidates.of(listed), RingRule(0, 900), SECRET, MASK, progress=stop)
    assert asked == sorted(asked)
