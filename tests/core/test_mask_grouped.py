# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on cells and groups: what is known of them, what is played, and what is proved."""

import itertools

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks import cell_units, grouped
from geoanon_qgis.core.attacks.masks.known_groups import closer
from geoanon_qgis.core.attacks.masks.likelihood import Likelihood, by_lists
from geoanon_qgis.core.attacks.masks.matchings import Matchings
from geoanon_qgis.core.attacks.masks.played_cells import played_units
from geoanon_qgis.core.attacks.masks.played_groups import play_groups
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.masking.address_cells import address_cells, mask_in_cells
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.record_groups import mask_in_groups
from geoanon_qgis.core.runtime.progress import silent
from tests.core.test_mask_posterior import homes, table

K, K_RECORDS, COUNT = 8, 5, 1200
XY = homes(31, COUNT)
GRAPH, CELLS = partner_graph(XY, K), address_cells(XY, K)


def some_homes(rng, count):
    rows = np.sort(rng.permutation(COUNT)[:count])
    return rows[~GRAPH.withheld[rows]]


def group_of_address(made, rows):
    found = np.full(COUNT, -1)
    found[rows] = made.group[np.searchsorted(made.place, rows)]
    return found


def in_groups(draw, count=150):
    """Homes, their groups as rows of the release, what exchange leaves of each row."""
    rng = np.random.default_rng(draw)
    rows = some_homes(rng, count)
    made = mask_in_groups(GRAPH, rows, rng.random(len(rows)), rng.random(len(rows)), K_RECORDS)
    likelihood = by_lists(made.at(rows), GRAPH.partners, COUNT, 1 / K)
    return rows, made, grouped.shares_of(likelihood, None, silent)


def told(found, likelihood, rows, record=None):
    a = who_lives_there(likelihood)
    b = which_record(likelihood if record is None else record, rows)
    found["A"].append((a.right(rows), a.top))
    found["B"].append((b.right(np.arange(len(rows))), b.top))


def means(found):
    return {
        one: [float(np.concatenate(part).mean()) for part in zip(*pairs)]
        for one, pairs in found.items()
    }


def test_the_mixture_is_that_of_every_pair():
    rows, made, shares = in_groups(1, 60)
    group = made.group
    same = group[:, None] == group[None]
    wanted = (same / same.sum(axis=1, keepdims=True)) @ table(shares)
    assert table(grouped.mixed(shares, [(1.0, group)])) == pytest.approx(wanted)
    two = [(0.25, group), (0.75, np.zeros(len(group), dtype=int))]
    half = 0.25 * wanted + 0.75 * table(shares).mean(axis=0)
    assert table(grouped.mixed(shares, two)) == pytest.approx(half)


def test_who_knows_the_groups_has_one_in_k_records_and_never_more():
    found = {"A": [], "B": []}
    for draw in range(8):
        rows, made, shares = in_groups(draw)
        near = closer(shares, XY, made.group, K_RECORDS)
        likelihood = grouped.mixed(near, [(1.0, made.group)])
        home = group_of_address(made, rows)
        told(found, likelihood, rows, grouped.of_groups(made.group, home, COUNT, None))
        size = np.bincount(made.group)[made.group]
        assert found["B"][-1][1] == pytest.approx(1 / size)
        # An address is the place of one row: no more than a group's share of it.
        assert found["A"][-1][1].max() <= 1 / K_RECORDS + 0.01
    (right_a, believed_a), (right_b, believed_b) = means(found).values()
    assert right_b == pytest.approx(believed_b) and believed_b <= 1 / K_RECORDS
    assert right_a == pytest.approx(believed_a, abs=0.02)


def test_rows_without_a_group_keep_what_points_tell_and_others_share_what_there_is():
    rows, made, shares = in_groups(2, 60)
    weight = np.linspace(0.5, 2.0, COUNT)
    shares = grouped.shares_of(shares, weight, silent)
    lost = np.where(np.arange(len(rows)) < 7, -1, made.group)
    told_of = []
    found = closer(shares, XY, lost, K_RECORDS, weight, told_of.append)
    assert np.bincount(found.point, found.value * weight[found.candidate]) == pytest.approx(1)
    alone = shares.point < 7
    assert found.value[alone] == pytest.approx(shares.value[alone])
    assert not found.value[~alone] == pytest.approx(shares.value[~alone], rel=0.05)
    assert told_of[-1] == 1.0 and (np.diff(told_of) >= 0).all()
    # One group, and groups of one, tell nothing of who is near whom that breaks off.
    for group in (np.zeros(len(rows), dtype=int), np.arange(len(rows))):
        found = closer(shares, XY, group, K_RECORDS, weight)
        assert np.bincount(found.point, found.value * weight[found.candidate]) == pytest.approx(1)
    nothing = Likelihood(COUNT, np.zeros(4, dtype=int), np.zeros(0, dtype=int), np.zeros(0))
    assert not len(closer(nothing, XY, np.zeros(3, dtype=int), K_RECORDS).value)


def test_who_knows_the_groups_is_not_too_sure_where_a_village_and_farms_are_in_one_file():
    right, believed = 0.0, 0.0
    for draw in range(6):
        rng = np.random.default_rng([5, draw])
        village, farms = rng.normal(0, 300, (700, 2)), rng.uniform(-6000, 6000, (500, 2))
        xy = np.concatenate([village, farms])
        graph, rows = partner_graph(xy, K), np.sort(rng.permutation(1200)[:150])
        rows = rows[~graph.withheld[rows]]
        made = mask_in_groups(graph, rows, rng.random(len(rows)), rng.random(len(rows)), K_RECORDS)
        pairs = by_lists(made.at(rows), graph.partners, 1200, 1 / K)
        shares = grouped.shares_of(pairs, None, silent)
        near = closer(shares, xy, made.group, K_RECORDS)
        found = who_lives_there(grouped.mixed(near, [(1.0, made.group)]))
        right, believed = right + found.right(rows).sum(), believed + found.top.sum()
    # One width for all groups believed 108 of these 900; by the points alone, 45 or so are found.
    assert right > 50 and believed == pytest.approx(right, rel=0.2)


def in_a_clump(rng, count):
    """Most addresses of one neighbourhood: the records stand close together."""
    away = np.hypot(*(XY - XY[rng.integers(COUNT)]).T)
    return np.sort(rng.permutation(np.argsort(away)[: int(1.3 * count)])[:count])


@pytest.mark.parametrize("clump", [False, True])
def test_who_plays_the_groups_is_about_as_often_right_and_within_the_bound(clump):
    found = {"A": [], "B": []}
    for draw in range(3):
        rng = np.random.default_rng(draw)
        rows = in_a_clump(rng, 150) if clump else some_homes(rng, 150)
        rows = rows[~GRAPH.withheld[rows]]
        made = mask_in_groups(GRAPH, rows, rng.random(len(rows)), rng.random(len(rows)), K_RECORDS)
        pairs = by_lists(made.at(rows), GRAPH.partners, COUNT, 1 / K)
        likelihood = play_groups(pairs, XY, K_RECORDS)
        told(found, likelihood, rows)
        assert found["B"][-1][1].max() <= 1 / K_RECORDS + 1e-9
        assert (who_lives_there(likelihood).of_truth(rows) > 0).mean() > 0.97
    (right_a, believed_a), (right_b, believed_b) = means(found).values()
    assert right_a == pytest.approx(believed_a, abs=0.015)
    assert right_b == pytest.approx(believed_b, abs=0.02)


def test_ways_to_give_points_places_are_drawn_as_likely_as_they_are():
    rng = np.random.default_rng(4)
    value, weight = rng.random((4, 6)) * (rng.random((4, 6)) < 0.7), rng.random(6)
    value[np.arange(4), np.arange(4)] += 0.1
    point, candidate = np.nonzero(value)
    pairs = Likelihood.of_pairs(4, 6, point, candidate, value[point, candidate])
    wanted = np.zeros((4, 6))
    for way in itertools.permutations(range(6), 4):
        likely = (value * weight)[np.arange(4), way].prod()
        wanted[np.arange(4), way] += likely
    wanted /= wanted.sum(axis=1, keepdims=True)
    ways = Matchings(pairs, weight, rng)
    assert ways.rows.tolist() == [0, 1, 2, 3]
    found = np.zeros((4, 6))
    for _ in range(20_000):
        at = ways.move(6)
        assert len(set(at.tolist())) == 4
        found[np.arange(4), at] += 1 / 20_000
    assert found == pytest.approx(wanted, abs=0.015)


def test_points_without_a_place_of_their_own_are_taken_by_themselves():
    point, candidate = np.repeat(np.arange(5), 3), np.tile([0, 1, 2], 5)
    found = play_groups(Likelihood.of_pairs(5, COUNT, point, candidate, np.full(15, 1 / 3)), XY, 2)
    assert table(found).sum(axis=1) == pytest.approx(1.0, abs=0.05)
    assert table(found)[:, :3].sum(axis=1) == pytest.approx(1.0, abs=0.05)
    nobody = play_groups(Likelihood.of_pairs(2, COUNT, point[:0], point[:0], np.empty(0)), XY, 2)
    assert len(nobody.value) == 0


@pytest.mark.parametrize("weighted", [False, True])
def test_cells_leave_one_in_k_to_who_knows_the_joins(weighted):
    rng = np.random.default_rng(9)
    weight = rng.integers(1, 4, COUNT).astype(float) if weighted else None
    found = {"A": [], "B": []}
    for draw in range(8):
        rng = np.random.default_rng(draw)
        chance = None if weight is None else weight / weight.sum()
        rows = np.sort(rng.choice(COUNT, 150, replace=False, p=chance))
        made = mask_in_cells(CELLS, rows, rng.random(150), rng.random(COUNT), K_RECORDS)
        cell = CELLS.cell[rows]
        likelihood = cell_units.in_units(made.group, made.group, cell, CELLS, weight)
        record = grouped.of_groups(made.group, group_of_address(made, rows), COUNT, weight)
        a, b = who_lives_there(likelihood, weight), which_record(record, rows, weight)
        # P(cell) by its places, and all addresses of it alike
        of_cell = np.bincount(cell, minlength=len(CELLS.sizes))
        own = np.ones(COUNT) if weight is None else weight
        for row in (0, 70):
            unit = made.group[row]
            here = np.flatnonzero(np.isin(CELLS.cell, cell[made.group == unit]))
            some = np.arange(a.first[row], a.first[row + 1])
            assert a.answer[some].tolist() == here.tolist()
            wanted = of_cell[CELLS.cell[here]] / np.bincount(CELLS.cell, own)[CELLS.cell[here]]
            wanted = wanted * own[here] / (made.group == unit).sum()
            assert a.probability[some] == pytest.approx(wanted)
        if weight is None:
            assert a.top.max() <= 1 / K + 1e-9
        assert b.top == pytest.approx(1 / np.bincount(made.group)[made.group])
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(150)), b.top))
    for right, believed in means(found).values():
        assert right == pytest.approx(believed, abs=0.01)


@pytest.mark.parametrize(("count", "clump"), [(40, False), (150, False), (40, True), (150, True)])
def test_who_plays_the_joins_is_about_as_often_right(count, clump):
    found = {"A": [], "B": []}
    for draw in range(3 if clump or count == 40 else 5):
        rng = np.random.default_rng(draw)
        rows = in_a_clump(rng, count) if clump else np.sort(rng.permutation(COUNT)[:count])
        made = mask_in_cells(CELLS, rows, rng.random(count), rng.random(COUNT), K_RECORDS)
        cell, every = CELLS.cell[made.at(rows)], np.arange(count)
        units = played_units(CELLS, cell, K_RECORDS)
        told(found, cell_units.by_units(count, every, cell, np.ones(count), units, CELLS), rows)
    (right_a, believed_a), (right_b, believed_b) = means(found).values()
    # Where few of the cells hold anybody, too: a cell in which somebody was put holds a home. In a
    # clump of 40 places each found 13 where 5 had been believed.
    assert right_a == pytest.approx(believed_a, rel=0.25)
    assert right_b == pytest.approx(believed_b, abs=0.03)


def test_few_records_are_one_group():
    rows, made, shares = in_groups(2, 6)
    few = shares.taken(np.arange(3))
    likelihood = play_groups(few, XY, K_RECORDS)
    assert which_record(likelihood, rows[:3]).top.max() <= 1.0
    units = played_units(CELLS, CELLS.cell[rows[:3]], K_RECORDS)
    cell = CELLS.cell[rows[:3]]
    found = cell_units.by_units(3, np.arange(3), cell, np.ones(3), units, CELLS)
    a = who_lives_there(found)
    # Three cells were put at, so that each of them holds one of the three.
    assert (np.diff(a.first) == COUNT).all() and (a.effective > 2 * K).all()
