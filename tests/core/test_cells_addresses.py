# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells of addresses, and records that go to distinct random addresses of theirs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_exchange_partners import addresses, towns

from geoanon_qgis.core.masking.address_cells import address_cells, join_cells, mask_in_cells
from geoanon_qgis.core.runtime.errors import Cancelled, InputError


def drawn(cells, place, seed, k_records=3, kept=None):
    rng = np.random.default_rng(seed)
    numbers = rng.random(len(place)), rng.random(len(cells.xy))
    return mask_in_cells(cells, place, *numbers, k_records, kept)


@given(addresses(least=12), st.integers(2, 5), st.integers(2, 4), st.data())
@settings(max_examples=40)
def test_units_hold_enough_and_released_addresses_are_distinct(xy, k, k_records, data):
    cells = address_cells(xy, k)
    assert cells.sizes.min() >= k
    rows = st.lists(st.integers(0, len(xy) - 1), min_size=k_records, unique=True)
    place = np.array(data.draw(rows))
    masked = drawn(cells, place, 1, k_records)
    assert masked.place.tolist() == sorted(place.tolist()) and masked.sizes.min() >= k_records
    assert len(set(masked.released.tolist())) == len(place)
    # Released within a cell of the unit, and only cells with records are joined.
    homes = {(unit, cell) for unit, cell in zip(masked.group, cells.cell[masked.place])}
    assert {(unit, cell) for unit, cell in zip(masked.group, cells.cell[masked.released])} <= homes
    assert len({cell for _, cell in homes}) == len(homes)


def test_units_depend_on_counts_alone_not_on_which_addresses():
    cells = address_cells(towns(200), 5)
    first = np.array([np.flatnonzero(cells.cell == cell)[0] for cell in range(0, 40, 3)])
    last = np.array([np.flatnonzero(cells.cell == cell)[-1] for cell in range(0, 40, 3)])
    free = np.ones(200, dtype=bool)
    assert np.array_equal(join_cells(cells, first, free, 4), join_cells(cells, last, free, 4))


def test_cells_that_hold_enough_are_left_alone():
    cells = address_cells(towns(60), 5)
    place = np.flatnonzero(np.isin(cells.cell, (2, 7)))
    unit = join_cells(cells, place, np.ones(60, dtype=bool), 5)
    assert np.flatnonzero(unit >= 0).tolist() == [2, 7] and unit[2] != unit[7]


def test_every_address_of_a_unit_is_drawn_as_often_wherever_a_record_came_from():
    cells = address_cells(towns(24), 6)
    place = np.concatenate(
        [np.flatnonzero(cells.cell == 0)[:1], np.flatnonzero(cells.cell == 1)[:2]]
    )
    runs, counts = 1000, np.zeros((3, 24))
    for seed in range(runs):
        masked = drawn(cells, place, seed)
        counts[np.arange(3), masked.at(place)] += 1
    inside = np.flatnonzero(counts.sum(axis=0))
    size = len(inside)
    assert size == cells.sizes[0] + cells.sizes[1]
    # Chi-squared of 3 (size - 1) degrees of freedom, six standard deviations.
    chi = ((counts[:, inside] - runs / size) ** 2 / (runs / size)).sum()
    assert chi < 3 * (size - 1) + 6 * np.sqrt(6 * (size - 1))


def test_nobody_moves_in_a_growing_registry_until_all_addresses_are_taken():
    xy = towns(300)
    cells = address_cells(xy, 6)
    everybody = np.random.default_rng(4).permutation(len(xy))
    rng = np.random.default_rng(9)
    of_records, of_addresses = rng.random(len(xy)), rng.random(len(xy))
    kept, before = None, {}
    for count, waits in ((50, 0), (53, 3), (150, 0), (300, 0)):
        place = np.random.default_rng(count).permutation(everybody[:count])
        kept = mask_in_cells(cells, place, of_records[place], of_addresses, 5, kept)
        released = dict(zip(place.tolist(), kept.at(place).tolist()))
        assert (kept.at(place) < 0).sum() == waits == len(kept.waiting)
        assert all(released[one] == where for one, where in before.items())
        before = {one: where for one, where in released.items() if where >= 0}
        assert kept.sizes.min() >= 5 and len(set(before.values())) == len(before)
    assert sorted(before.values()) == list(range(300))
    first = set(everybody[:50].tolist())
    for group in range(kept.group.max() + 1):
        assert len({one in first for one in kept.place[kept.group == group].tolist()}) == 1


def test_who_has_left_keeps_his_address_and_nobody_else_moves():
    cells = address_cells(towns(80), 5)
    one = drawn(cells, np.arange(20), 0)
    other = drawn(cells, np.arange(10), 1, kept=one)
    assert np.array_equal(other.at(np.arange(20)), one.at(np.arange(20)))
    more = drawn(cells, np.arange(40), 2, kept=other)
    assert not set(more.at(np.arange(20, 40)).tolist()) & set(one.released.tolist())


@pytest.mark.parametrize(
    "xy, k, said",
    [
        ([[0, 0], [1, 0]], 3, "There are 2 addresses; a group needs 3"),
        ([[0, 0], [1, 0]], 1, "1 was asked for"),
        ([[0, 0], [0, 0]], 2, "addresses are at the same place"),
        ([[0, 0], [np.inf, 0]], 2, "no finite numbers"),
    ],
)
def test_cells_that_cannot_be_are_refused(xy, k, said):
    with pytest.raises(InputError, match=said):
        address_cells(np.array(xy, dtype=float), k)


@pytest.mark.parametrize(
    "place, k_records, said",
    [
        ([0, 1], 3, "at 2 places that can be masked; a group needs 3"),
        ([0, 1], 1, "with 1 everybody would be known"),
        ([0, 99], 2, "none of the 30 addresses"),
        ([], 2, "at 0 places"),
        ([7], 2, "at 1 place that can be masked"),
    ],
)
def test_what_cannot_be_is_said(place, k_records, said):
    with pytest.raises(InputError, match=said):
        drawn(address_cells(towns(30), 4), np.array(place, dtype=int), 0, k_records)


def test_it_can_be_cancelled():
    def stop(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        address_cells(towns(30), 4, progress=stop)
    assert "30 addresses in 7 cells of 4 to" in str(address_cells(towns(30), 4))
