# SPDX-License-Identifier: GPL-2.0-or-later
"""Exchange among neighbours: groups, uniform orders, what is guaranteed, and what is not."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.distances.exchange import exchange, neighbour_groups
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.metrics import metric_for

PLANE = metric_for("planar", None)


def places(count, seed=0, size=1000.0):
    return np.random.default_rng(seed).uniform(0, size, (count, 2))


def by_hand(points, k):
    """MDAV, record by record."""

    def away(a, b):
        return float(((np.asarray(a) - np.asarray(b)) ** 2).sum())

    def with_nearest(row, left):
        return sorted(left, key=lambda other: (away(points[other], points[row]), other))[:k]

    left, groups = list(range(len(points))), []
    while len(left) >= 2 * k:
        centre = np.mean([points[row] for row in left], axis=0)
        first = max(left, key=lambda row: away(points[row], centre))
        second = max(left, key=lambda row: away(points[row], points[first]))
        groups.append(with_nearest(first, left))
        left = [row for row in left if row not in groups[-1]]
        if len(left) >= 2 * k and second in left:
            groups.append(with_nearest(second, left))
            left = [row for row in left if row not in groups[-1]]
    return {frozenset(one) for one in [*groups, left]}


def as_sets(group):
    return {frozenset(np.flatnonzero(group == one).tolist()) for one in np.unique(group)}


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("count", [5, 11, 24, 60])
def test_groups_are_those_of_mdav_by_hand(count, k):
    points = places(count, count)
    group, joined = neighbour_groups(points, PLANE, k)
    assert as_sets(group) == by_hand(points, k)
    assert joined == 0


def test_two_towns_make_two_groups():
    near, far = places(3, 1, 10.0), places(3, 2, 10.0) + 1e6
    group, _ = neighbour_groups(np.stack([near, far], axis=1).reshape(-1, 2), PLANE, 3)
    assert as_sets(group) == {frozenset({0, 2, 4}), frozenset({1, 3, 5})}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_sizes_classes_and_values(data):
    k = data.draw(st.integers(2, 6))
    count = data.draw(st.integers(k, 60))
    seed = data.draw(st.integers(0, 2**31))
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 4, (count, 2)).astype(float)  # many at one place
    classes = rng.choice(["a", "b", "c"], count, p=[0.7, 0.25, 0.05]).tolist()
    made = exchange(points, PLANE, k, rng, classes)
    sizes = np.bincount(made.group)
    assert sizes.min() >= k and sizes.max() < 2 * k
    assert sorted(made.row.tolist()) == list(range(count))
    assert (made.group[made.row] == made.group).all()
    assert (made.chance <= 1 / k).all()
    in_class = Counter(classes)
    small = {one for one, many in in_class.items() if many < k}
    assert made.joined == np.count_nonzero(~made.alike(classes))
    if not small:
        assert made.alike(classes).all()
    values = np.arange(count)
    assert sorted(made.taken(values).tolist()) == values.tolist()


def test_all_orders_of_a_group_are_equally_likely():
    points, rng = places(4), np.random.default_rng(3)
    seen = Counter(tuple(exchange(points, PLANE, 4, rng).row.tolist()) for _ in range(4800))
    assert set(seen) == set(permutations(range(4)))
    chi = sum((many - 200) ** 2 / 200 for many in seen.values())
    assert chi < 49.7  # of 23 degrees of freedom, one in a thousand


def test_groups_never_look_at_values_nor_at_the_generator():
    points = places(40)
    first, second = (exchange(points, PLANE, 3, np.random.default_rng(s)) for s in (1, 2))
    assert (first.group == second.group).all()
    assert (first.row != second.row).any()


def test_a_perfect_link_tells_the_values_of_one_in_k():
    rng, k, own = np.random.default_rng(5), 3, 0
    points = places(90)
    for _ in range(200):
        own += int((exchange(points, PLANE, k, rng).row == np.arange(90)).sum())
    share = own / (200 * 90)
    assert abs(share - 1 / k) < 5 * np.sqrt(1 / k * (1 - 1 / k) / (200 * 90 / k))


def test_groups_of_one_value_are_told():
    points = np.array([[0.0, 0], [1, 0], [100, 0], [101, 0], [200, 0], [201, 0]])
    made = exchange(points, PLANE, 2, np.random.default_rng(0))
    alike = made.alike(["ill", "ill", "ill", "well", None, float("nan")])
    assert alike.tolist() == [True, True, False, False, True, True]


def test_who_joins_a_class_takes_its_group_along():
    # A single man goes to four women: all five are in a group that does not share a class.
    made = exchange(places(5), PLANE, 3, np.random.default_rng(0), ["f", "f", "f", "f", "m"])
    assert made.joined == 5


def test_what_a_value_is_is_guessed_from_the_group():
    points = np.array([[0.0, 0], [1, 0], [2, 0], [100, 0], [101, 0], [102, 0]])
    made = exchange(points, PLANE, 3, np.random.default_rng(0))
    values = ["ill", "ill", "well", "well", "well", "well"]
    assert made.guessed(values) == (2 + 3, 4)
    assert made.singled(values).tolist() == [False, False, True, False, False, False]
    assert made.guessed([None] * 6) == (6, 6) and not made.singled([None] * 6).any()


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 5), st.lists(st.sampled_from("abc"), min_size=5, max_size=30))
def test_guesses_are_those_counted_by_hand(k, values):
    made = exchange(places(len(values)), PLANE, k, np.random.default_rng(0))
    of = [Counter(values[row] for row in rows) for rows in map(list, as_sets(made.group))]
    right = sum(max(one.values()) for one in of)
    assert made.guessed(values) == (right, max(Counter(values).values()))
    alone = sum(many == 1 for one in of for many in one.values())
    assert made.singled(values).sum() == alone


def owners(*groups):
    """Mean probability of the owner of a row of values, by who has a release of each grouping.

    Values of a person stand in her group each time, and every order is as likely as every other:
    those who share all groups are all that anybody can tell.
    """
    same = np.all([one[:, None] == one[None] for one in groups], axis=0)
    return float((1 / same.sum(axis=1)).mean())


def test_a_second_exchange_tells_more_where_groups_differ_and_only_there():
    points = places(200, 4)
    again, wider = (exchange(points, PLANE, k, np.random.default_rng(k)).group for k in (3, 5))
    once = exchange(points, PLANE, 3, np.random.default_rng(1)).group
    assert owners(once, again) == owners(once) <= 1 / 3
    assert owners(once, wider) > 0.5
    grown, _ = neighbour_groups(np.vstack([points, places(4, 5)]), PLANE, 3)
    assert owners(once, grown[:200]) > 0.4  # two in a hundred people more


def test_groups_on_the_globe_cross_the_date_line():
    globe = metric_for("great_circle", "EPSG:4326")
    points = np.array([[179.9, 0.0], [-179.9, 0.0], [0.1, 0.0], [-0.1, 0.0]])
    group, _ = neighbour_groups(points, globe, 2)
    assert as_sets(group) == {frozenset({0, 1}), frozenset({2, 3})}


def test_the_finest_places_far_from_zero_tell_neighbours():
    points = np.array([[0.0, 0], [1, 0], [50, 0], [51, 0]]) + [5e8, 5e9]
    assert as_sets(neighbour_groups(points, PLANE, 2)[0]) == {frozenset({0, 1}), frozenset({2, 3})}


def test_rows_of_a_table_move_together():
    made = exchange(places(10), PLANE, 5, np.random.default_rng(0))
    table = np.arange(20).reshape(10, 2)
    assert (made.taken(table) == table[made.row]).all()


def test_a_result_prints_no_record():
    made = exchange(places(10), PLANE, 5, np.random.default_rng(0))
    assert repr(made) == (
        "Values of 10 records exchanged in 2 groups of at least 5 who live near each other; values"
        " are one's own with probability 0.2 at most"
    )


@pytest.mark.parametrize(
    "count, k, classes, what",
    [
        (5, 1, None, "at least two"),
        (2, 3, None, "There are 2 records; a group needs 3."),
        (4, 2, ["a"] * 3, "3 classes for 4 records"),
    ],
)
def test_what_cannot_be_grouped_is_refused(count, k, classes, what):
    with pytest.raises(InputError, match=what):
        exchange(places(count), PLANE, k, np.random.default_rng(0), classes)


def test_values_of_other_records_are_refused():
    made = exchange(places(4), PLANE, 2, np.random.default_rng(0))
    with pytest.raises(InputError, match="3 rows of values for 4 records"):
        made.taken(np.arange(3))
    with pytest.raises(InputError, match="3 rows of values for 4 records"):
        made.alike([1, 2, 3])


def test_progress_rises_and_a_cancel_is_heard():
    told = []
    neighbour_groups(places(50), PLANE, 2, progress=told.append)
    assert told == sorted(told) and told[-1] == 1.0

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        neighbour_groups(places(50), PLANE, 2, progress=cancel)
