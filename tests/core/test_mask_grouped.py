# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on cells and groups: what is known of them, what is played, and what is proved."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks import grouped
from geoanon_qgis.core.attacks.masks.likelihood import by_lists
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
        played = grouped.played_groups(shares, XY, K_RECORDS)
        near = grouped.closer(shares, XY, made.group, played)
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


def test_who_plays_the_groups_is_about_as_often_right_and_within_the_bound():
    found = {"A": [], "B": []}
    for draw in range(8):
        rows, made, shares = in_groups(draw)
        likelihood = grouped.mixed(shares, grouped.played_groups(shares, XY, K_RECORDS))
        told(found, likelihood, rows)
        assert found["B"][-1][1].max() <= 1 / K_RECORDS + 1e-9
        assert (who_lives_there(likelihood).of_truth(rows) > 0).mean() > 0.98
    (right_a, believed_a), (right_b, believed_b) = means(found).values()
    assert right_a == pytest.approx(believed_a, abs=0.015)
    assert right_b == pytest.approx(believed_b, abs=0.03)


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
        likelihood = grouped.in_units(made.group, made.group, cell, CELLS, weight)
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


@pytest.mark.parametrize("count", [40, 150])
def test_who_plays_the_joins_is_about_as_often_right(count):
    found = {"A": [], "B": []}
    for draw in range(8):
        rng = np.random.default_rng(draw)
        rows = np.sort(rng.permutation(COUNT)[:count])
        made = mask_in_cells(CELLS, rows, rng.random(count), rng.random(COUNT), K_RECORDS)
        cell, every = CELLS.cell[made.at(rows)], np.arange(count)
        units = grouped.played_units(CELLS, cell, K_RECORDS)
        told(found, grouped.by_units(count, every, cell, np.ones(count), units, CELLS), rows)
    (right_a, believed_a), (right_b, believed_b) = means(found).values()
    # Where few of the cells hold anybody, too: a cell in which somebody was put holds a home.
    assert right_a == pytest.approx(believed_a, rel=0.25)
    assert right_b == pytest.approx(believed_b, abs=0.03)


def test_few_records_are_one_group():
    rows, made, shares = in_groups(2, 6)
    few = shares.taken(np.arange(3))
    likelihood = grouped.mixed(few, grouped.played_groups(few, XY, K_RECORDS))
    assert which_record(likelihood, rows[:3]).top.max() <= 1.0
    units = grouped.played_units(CELLS, CELLS.cell[rows[:3]], K_RECORDS)
    cell = CELLS.cell[rows[:3]]
    found = grouped.by_units(3, np.arange(3), cell, np.ones(3), units, CELLS)
    a = who_lives_there(found)
    # Three cells were put at, so that each of them holds one of the three.
    assert (np.diff(a.first) == COUNT).all() and (a.effective > 2 * K).all()
