# SPDX-License-Identifier: GPL-2.0-or-later
"""Two releases of the same records, and what all solutions of their sums agree on."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation.differencing import differences
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes
from geoanon_qgis.core.aggregation.nested_unions import Overlaps
from geoanon_qgis.core.verdict import CANNOT_TELL, DO_NOT_RELEASE, RELEASE_WITH_CARE, judge


def counted(table):
    """Classes of a table of regions by classes."""
    table = np.asarray(table)
    region, number = (
        np.repeat(axis, table.ravel()) for axis in np.indices(table.shape).reshape(2, -1)
    )
    return count_classes(region, [number], len(table))


def agreed_unions(releases, cells, solutions, k, number):
    """Whatever overlaps together all solutions agree on, below k."""
    found = set()
    for size in range(1, len(cells) + 1):
        for some in itertools.combinations(range(len(cells)), size):
            values = {sum(one[at] for at in some) for one in solutions}
            if len(values) == 1 and 0 < min(values) < k:
                chosen = {cells[at] for at in some}
                rows = [row for row, cell in enumerate(zip(*releases)) if cell in chosen]
                found.add((number, min(values), tuple(rows)))
    return found


def agreed(table, new, old, ks):
    """By brute force: cells, hidden areas and what is left that all solutions agree on, below k.

    And any overlaps together.
    """
    cells = sorted({*zip(new, old)})
    result, unions = set(), set()
    for number in range(table.shape[1]):
        true = [
            sum(table[r, number] for r in range(len(new)) if (new[r], old[r]) == cell)
            for cell in cells
        ]
        nodes = defaultdict(list)
        for at, (a, b) in enumerate(cells):
            nodes["new", a].append(at)
            if b >= 0:
                nodes["old", b].append(at)
        solutions = []
        for guess in itertools.product(range(sum(true) + ks[0] + 1), repeat=len(cells)):
            for (side, _), members in nodes.items():
                k = ks[side == "old"]
                real = sum(true[at] for at in members)
                have = sum(guess[at] for at in members)
                if (real >= k and have != real) or (real < k and have >= k):
                    break
            else:
                solutions.append(guess)
        unions |= agreed_unions((new, old), cells, solutions, ks[0], number)
        fixed = [at for at in range(len(cells)) if len({one[at] for one in solutions}) == 1]
        targets = [[at] for at in range(len(cells))]
        for (side, _), members in nodes.items():
            if sum(true[at] for at in members) < ks[side == "old"]:
                targets.append(members)
            else:
                targets.append([at for at in members if at not in fixed])
        for target in targets:
            values = {sum(one[at] for at in target) for one in solutions}
            if len(values) == 1 and 0 < min(values) < ks[0]:
                regions = [
                    r for r in range(len(new)) if (new[r], old[r]) in [cells[at] for at in target]
                ]
                result.add((number, min(values), tuple(regions)))
    return result, unions


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_it_finds_what_all_solutions_agree_on(seed):
    rng = np.random.default_rng(seed)
    regions = int(rng.integers(2, 6))
    table = rng.integers(0, 3, (regions, 2))
    table[0, 0] = max(1, table[0, 0])
    new, old = rng.integers(0, 3, regions), rng.integers(-1, 2, regions)
    if len({*zip(new, old)}) > 4:
        return
    ks = (int(rng.integers(2, 4)), int(rng.integers(2, 4)))
    classes = counted(table)
    seen = [int(one) for one in np.asarray(classes.codes)[:, 0]]
    found = differences(classes, new, old, *ks)
    told = {
        (seen[number], int(size), tuple(rows.tolist()))
        for number, size, rows in zip(found.classes, found.size, found.regions)
    }
    expected, unions = agreed(table, new.tolist(), old.tolist(), ks)
    assert found.complete
    assert expected <= told <= unions and bool(told) == bool(unions)
    assert all(area == min(new[list(rows)]) for area, rows in zip(found.area, found.regions))


def agreed_of_several(table, releases, ks):
    """By brute force: overlaps of two releases or more, hidden areas, and what is left.

    And any overlaps together.
    """
    cells = sorted({*zip(*releases)})
    rows = range(len(releases[0]))
    groups = {
        (release, area): [at for at, cell in enumerate(cells) if cell[release] == area]
        for release, areas in enumerate(releases)
        for area in areas
        if area >= 0
    }
    overlaps = [[at] for at in range(len(cells))]
    for some in (s for n in (2, 3) for s in itertools.combinations(range(len(releases)), n)):
        for one in {tuple(cell[at] for at in some) for cell in cells}:
            if min(one) >= 0:
                overlaps.append(
                    [n for n, cell in enumerate(cells) if tuple(cell[at] for at in some) == one]
                )
    result, unions = set(), set()
    for number in range(table.shape[1]):
        true = [
            sum(table[r, number] for r in rows if tuple(x[r] for x in releases) == c) for c in cells
        ]
        solutions = []
        for guess in itertools.product(range(sum(true) + max(ks)), repeat=len(cells)):
            for (release, _), members in groups.items():
                k = ks[release > 0]
                real, have = (sum(x[at] for at in members) for x in (true, guess))
                if have != real if real >= k else have >= k:
                    break
            else:
                solutions.append(guess)
        unions |= agreed_unions(releases, cells, solutions, ks[0], number)
        fixed = [at for at in range(len(cells)) if len({one[at] for one in solutions}) == 1]
        targets = list(overlaps)
        for (release, _), members in groups.items():
            hidden = sum(true[at] for at in members) < ks[release > 0]
            targets.append(members if hidden else [at for at in members if at not in fixed])
        for target in targets:
            values = {sum(one[at] for at in target) for one in solutions}
            if len(values) == 1 and 0 < min(values) < ks[0]:
                chosen = {cells[at] for at in target}
                where = tuple(r for r in rows if tuple(x[r] for x in releases) in chosen)
                result.add((number, min(values), where))
    return result, unions


def test_several_earlier_releases_give_away_what_all_solutions_agree_on():
    found_any = 0
    for seed in range(70):
        rng = np.random.default_rng(seed)
        size = int(rng.integers(3, 6))
        table = rng.integers(0, 3, (size, 1))
        table[0, 0] = max(1, table[0, 0])
        releases = [rng.integers(0, 2, size), *rng.integers(-1, 2, (2, size))]
        ks = (int(rng.integers(2, 4)), int(rng.integers(2, 4)))
        if len({*zip(*releases)}) > 4 or table.sum() > 6:
            continue
        found = differences(counted(table), releases[0], np.stack(releases[1:], axis=1), *ks)
        told = {
            (0, int(count), tuple(rows.tolist())) for count, rows in zip(found.size, found.regions)
        }
        assert found.complete
        expected, unions = agreed_of_several(table, [one.tolist() for one in releases], ks)
        assert expected <= told <= unions and bool(told) == bool(unions)
        found_any += len(told) > 0
    assert found_any > 10


def test_two_earlier_releases_tell_more_than_each():
    more = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        classes = counted(rng.integers(0, 4, (10, 2)))
        new, *olds = rng.integers(0, 3, (3, 10))

        def told(old, classes=classes, new=new):
            found = differences(classes, new, old, 4, 4)
            assert found.complete
            return {(int(c), *r.tolist()) for c, r in zip(found.classes, found.regions)}

        each, together = told(olds[0]) | told(olds[1]), told(np.stack(olds, axis=1))
        more += len(together - each) > 0
    assert more > 3


def test_subtraction_by_hand():
    # Ten alike in regions 0 and 1; the earlier release shows the seven of region 0.
    classes = counted([[7], [3], [9]])
    found = differences(classes, np.array([0, 0, 1]), np.array([0, 1, 2]), 5, 5)
    assert found.size.tolist() == [3] and found.regions[0].tolist() == [1]
    evidence = found.evidence(19)
    assert evidence.failed and evidence.share == pytest.approx(1 / 19) and not evidence.exposed
    assert judge([evidence], "quasi_identifiers", "which_record").decision == DO_NOT_RELEASE
    same = differences(classes, np.array([0, 0, 1]), np.array([4, 4, 7]), 5, 5)
    assert len(same) == 0 and not same.evidence(19).failed
    assert (
        judge([same.evidence(19)], "quasi_identifiers", "which_record").decision
        == RELEASE_WITH_CARE
    )


def test_areas_within_areas_but_for_a_few_are_found():
    """Planted: ten and ten, and an earlier eighteen that lies in both: two live in what is left."""
    rows = {"new": [0, 0, 1, 1], "old": [0, 1, 0, 2]}
    new, old = (np.array(one) for one in rows.values())
    table = np.array([[9], [1], [9], [1]])
    assert agreed(table, *rows.values(), (4, 4))[0] == set()  # nothing else tells
    found = differences(counted(table), new, old, 4, 4)
    assert found.size.tolist() == [2] and found.regions[0].tolist() == [1, 3]
    assert found.evidence(20).failed and found.complete
    table[[1, 3], 0] = 2, 3  # five in what is left
    assert not len(differences(counted(table), new, old, 4, 4))


def test_what_is_left_least_of_areas_together_is_that_of_all_ways():
    """Every way to put areas together and to take others off that lie in them."""
    rng = np.random.default_rng(4)
    hits = forced = 0
    for _ in range(150):
        wide, taken = np.unique(rng.integers(-1, 3, (7, 2)), axis=0).T
        overlaps = Overlaps(rng.integers(0, 4, len(wide)), wide, taken)
        for start in overlaps.starts(5):
            ways = []
            for put in itertools.product((False, True), repeat=3):
                for off in itertools.product((False, True), repeat=3):
                    inside = np.array([w >= 0 and put[w] for w in wide])
                    away = np.array([t >= 0 and off[t] for t in taken])
                    if inside[start] and not away[start] and inside[away].all():
                        ways.append(int(overlaps.counts[inside & ~away].sum()))
            found = overlaps.difference(start, 5)
            assert (found is not None) == (min(ways) < 5)
            hits += found is not None
            if found is not None:
                assert overlaps.counts[found].sum() in ways and start in found
            forced += min(ways) < 5 <= overlaps.counts[overlaps.wide == wide[start]].sum()
    assert hits > 50 and forced > 5


def test_circles_need_a_linear_programme_and_its_limit_is_told():
    # Two by two overlaps: no cell is known, but how many the hidden area of both holds is.
    new, old = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    classes = counted([[1], [6], [2], [6]])
    found = differences(classes, new, old, 5, 5)
    assert found.size.tolist() == [3] and found.regions[0].tolist() == [0, 2] and found.complete
    cut = differences(classes, new, old, 5, 5, programmes=0)
    assert not len(cut) and not cut.complete and not cut.evidence(15).complete
    assert judge([cut.evidence(15)], "quasi_identifiers", "which_record").decision == CANNOT_TELL


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_at_least_what_nested_subtraction_finds(seed):
    rng = np.random.default_rng(seed)
    regions, k = 60, 5
    table = rng.integers(0, 4, (regions, 12))
    fine = np.arange(regions) // 6
    coarse = rng.permutation(10)[fine] // 3
    classes = counted(table)
    found = differences(classes, coarse, fine, k, k)
    told = {
        (int(c), tuple(r.tolist())): int(s)
        for c, s, r in zip(found.classes, found.size, found.regions)
    }
    nested = 0
    for area in range(4):
        rows = np.flatnonzero(coarse == area)
        for number in range(12):
            total = table[rows, number].sum()
            if total < k:
                continue
            left = [r for r in rows if table[fine == fine[r], number].sum() < k]
            value = sum(table[r, number] for r in left)
            if 0 < value < k:
                nested += 1
                assert told[number, tuple(left)] == value
    assert nested


def test_people_whose_records_two_releases_tell_apart_are_not_taken_for_looked_at():
    """Planted: rows of 11 of whom one lives elsewhere first, less the ten of an earlier area."""
    person = np.array([0, 0, *range(1, 11), *range(11, 21)])
    region = np.array([0, 1, *[2] * 10, *[0] * 10])
    classes = count_classes(region, [np.zeros(22, dtype=int)], 3, person=person)
    shown = [np.count_nonzero(np.isin(region, some)) for some in ((1, 2), (2,))]
    assert shown[0] - shown[1] == 1  # what anybody subtracts: person 0, alone
    found = differences(classes, np.array([0, 1, 1]), np.array([0, 1, 2]), 5, 5)
    assert (len(found), found.apart, found.is_clean) == (0, 1, False)
    assert judge([found.evidence(22)], "x", "y", 0.5).decision == CANNOT_TELL
    same = differences(classes, np.array([0, 1, 1]), np.array([0, 1, 1]), 5, 5)
    assert same.is_clean and not same.apart
    nearby = differences(classes, np.array([0, 0, 1]), np.array([0, 0, 1]), 5, 5)
    assert nearby.is_clean
