# SPDX-License-Identifier: GPL-2.0-or-later
"""Groups of records that change places: the bounds, by enumeration and by attack."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_exchange_partners import addresses, towns

from geoanon_qgis.core.masking.compact import compact_groups, mean_distance
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.record_groups import mask_in_groups
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def drawn(graph, place, seed, **more):
    rng = np.random.default_rng(seed)
    change, move = rng.random(len(place)), rng.random(len(place))
    return mask_in_groups(graph, place, change, move, more.pop("k_records", 3), **more)


# Compact groups -------------------------------------------------------------------------------


@given(addresses(least=2), st.integers(2, 7))
@settings(max_examples=40)
def test_groups_hold_least_to_twice_less_one(xy, least):
    if len(xy) < least:
        with pytest.raises(InputError, match="a group needs"):
            compact_groups(xy, least)
        return
    size = np.bincount(compact_groups(xy, least))
    assert size.min() >= least and size.max() <= 2 * least - 1
    assert len(size) == len(xy) // least  # as many as there can be


@given(addresses(least=6), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_of_the_rows_does_not_matter(xy, random):
    order = np.array(random.sample(range(len(xy)), len(xy)))
    assert np.array_equal(compact_groups(xy[order], 3), compact_groups(xy, 3)[order])


def test_towns_that_lie_apart_are_groups():
    rng = np.random.default_rng(5)
    middle = np.array([[0, 0], [9000, 0], [0, 9000], [9000, 9000], [4000, 5000]])
    xy = np.repeat(middle, 4, axis=0) + rng.uniform(-50, 50, (20, 2))
    group = compact_groups(xy, 4)
    assert len(np.unique(group.reshape(5, 4)[:, 0])) == 5
    assert (group.reshape(5, 4) == group.reshape(5, 4)[:, :1]).all()


def test_the_mean_distance_is_that_of_all_pairs():
    xy, group = towns(61), compact_groups(towns(61), 4)
    each = []
    for one in range(len(xy)):
        members = np.flatnonzero(group == group[one])
        each.append(np.hypot(*(xy[members] - xy[one]).T).mean())
    assert mean_distance(xy, group) == pytest.approx(np.mean(each))


@pytest.mark.parametrize(
    "xy, least, said",
    [
        ([[0, 0], [1, 0]], 1, "fewer than 2 hides nobody; 1"),
        ([[0, 0], [0, 0], [1, 0]], 2, "at the same place"),
        ([[0, 0], [1, 0]], 3, "There are 2 places; a group needs 3"),
    ],
)
def test_groups_that_cannot_be_are_refused(xy, least, said):
    with pytest.raises(InputError, match=said):
        compact_groups(np.array(xy, dtype=float), least)


# The bounds -----------------------------------------------------------------------------------


def test_the_released_points_tell_nothing_of_whose_row_is_whose():
    """Adversary B with everything told but the permutation: exact, by enumeration."""
    graph = partner_graph(np.array([[0, 0], [1, 0], [0, 2], [3, 3], [4, 3], [3, 5.0]]), 3)
    places = [0, 3, 5]
    # Row 0 is hers: she lives at one place, the other rows anywhere at the others.
    seen = {home: defaultdict(Fraction) for home in places}
    for rows in itertools.permutations(places):
        for got in itertools.permutations(rows):
            for points in itertools.product(*(graph.partners[place].tolist() for place in got)):
                seen[rows[0]][points] += 1
    assert seen[0] == seen[3] == seen[5] and len(seen[0]) > 10


def test_what_who_asks_for_an_address_can_reach():
    """(1): P(x_j = c | Y) is at most P(c in X | Y) / k_records; exact, by enumeration."""
    xy = np.array([[0, 0], [10, 1], [21, 0], [30, 2], [43, 0], [50, 1], [61, 3]])[:6]
    graph = partner_graph(xy.astype(float), 2)
    lives, holds, total = defaultdict(int), defaultdict(int), defaultdict(int)
    for file in itertools.combinations(range(len(xy)), 4):
        group = compact_groups(xy[list(file)], 2)
        members = [[file[i] for i in np.flatnonzero(group == g)] for g in (0, 1)]
        swaps = [
            dict(zip(a + b, x + y))
            for a, b in [members]
            for x in (a, a[::-1])
            for y in (b, b[::-1])
        ]
        for rows in itertools.permutations(file):
            for swap in swaps:
                for points in itertools.product(*(graph.partners[swap[r]].tolist() for r in rows)):
                    total[points] += 1
                    for j, place in enumerate(rows):
                        lives[points, j, place] += 1
                        holds[points, place] += 1
    worst = Fraction(0)
    for (points, _, place), many in lives.items():
        assert 2 * many <= holds[points, place]
        worst = max(worst, Fraction(many, total[points]))
        reach = sum(place in graph.partners[point] for point in points)
        assert reach > 0 or holds[points, place] > 0
    assert Fraction(1, 6) < worst <= Fraction(1, 2)


def test_attacks_that_are_told_the_groups_find_one_in_the_size_of_the_group():
    xy = towns(300)
    graph = partner_graph(xy, 5)
    place = np.random.default_rng(8).choice(len(xy), 30, replace=False)
    runs, right, size = 250, np.zeros(len(place)), None
    for seed in range(runs):
        masked = drawn(graph, place, seed, k_records=4)
        slot = np.searchsorted(masked.place, place)
        group, size = masked.group[slot], masked.sizes[slot]
        points = xy[masked.released[slot]]
        apart = ((points[None] - xy[place][:, None]) ** 2).sum(axis=2)
        apart[group[:, None] != group] = np.inf
        # The nearest released point of her group; ties are shared.
        best = apart == apart.min(axis=1, keepdims=True)
        right += np.diag(best) / best.sum(axis=1)
    # Four and a half standard deviations of the worst of thirty.
    bound = 1 / size + 4.5 * np.sqrt((1 / size) * (1 - 1 / size) / runs)
    assert (size >= 4).all() and (right / runs <= bound).all()
    assert abs((right / runs).mean() - (1 / size).mean()) < 0.02


# Releases one after the other --------------------------------------------------------------------


def test_nobody_moves_in_a_growing_registry():
    xy = towns(400)
    graph = partner_graph(xy, 5)
    everybody = np.random.default_rng(4).permutation(len(xy))[:120]
    numbers = np.random.default_rng(9).random((2, len(xy)))  # as kept draws are: of the place
    kept, before = None, {}
    for count, waits in ((50, 0), (52, 2), (120, 0)):
        place = np.random.default_rng(count).permutation(everybody[:count])
        kept = mask_in_groups(graph, place, *numbers[:, place], 5, kept)
        released = dict(zip(place.tolist(), kept.at(place).tolist()))
        assert (kept.at(place) < 0).sum() == waits + len(kept.withheld) == len(kept.waiting)
        assert all(released[one] == where for one, where in before.items())
        before = {one: where for one, where in released.items() if where >= 0}
        assert kept.sizes.min() >= 5
        # A group is of one release: nobody in it is known by being new.
    assert len(kept.place) == 120
    first = set(everybody[:50].tolist())
    for group in range(kept.group.max() + 1):
        assert len({one in first for one in kept.place[kept.group == group].tolist()}) == 1


def test_records_at_one_place_move_together_and_count_once():
    graph = partner_graph(towns(50), 4)
    place = np.repeat([3, 9, 20, 31], 3)
    numbers = np.random.default_rng(1).random((2, 50))[:, place]
    masked = mask_in_groups(graph, place, *numbers, 4)
    assert masked.place.tolist() == [3, 9, 20, 31] and masked.sizes.tolist() == [4] * 4
    assert (masked.at(place).reshape(4, 3) == masked.at(place).reshape(4, 3)[:, :1]).all()
    with pytest.raises(InputError, match="at 4 places that can be masked; a group needs 5"):
        mask_in_groups(graph, place, *numbers, 5)


def test_who_has_no_partners_is_withheld():
    graph = partner_graph(np.array([[0, 0], [1, 0], [0, 1], [1, 1], [90, 90]], dtype=float), 4)
    masked = drawn(graph, np.arange(5), 0)
    assert masked.withheld.tolist() == [4] and masked.at(np.arange(5))[4] == -1
    assert "1 cannot be masked" in str(masked) and masked.chance.tolist() == [0.25] * 4
    assert set(masked.released.tolist()) <= {0, 1, 2, 3}


@pytest.mark.parametrize(
    "change, said",
    [
        ({"k_records": 1}, "At least 2 records must change places; with 1"),
        ({"place": np.array([0, 1, 99])}, "none of the 30 addresses"),
        ({"move": np.full(2, 0.5)}, "2 random numbers for 3 places"),
        ({"change": np.full(3, 1.5)}, "from 0 to below 1"),
        ({"k_records": 4}, "at 3 places that can be masked; a group needs 4"),
    ],
)
def test_what_cannot_be_is_said(change, said):
    asked = dict(place=np.arange(3), change=np.full(3, 0.5), move=np.full(3, 0.5), k_records=3)
    with pytest.raises(InputError, match=said):
        mask_in_groups(partner_graph(towns(30), 3), **{**asked, **change})


def test_kept_groups_of_something_else_are_refused():
    graph, other = partner_graph(towns(30), 3), partner_graph(towns(31), 3)
    kept = drawn(graph, np.arange(9), 0)
    with pytest.raises(InputError, match="hold at least 3 records, not 4"):
        drawn(graph, np.arange(9), 0, k_records=4, kept=kept)
    with pytest.raises(InputError, match="made with another address list"):
        drawn(other, np.arange(9), 0, kept=kept)


def test_it_can_be_cancelled():
    def stop(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        drawn(partner_graph(towns(30), 3), np.arange(9), 0, progress=stop)
