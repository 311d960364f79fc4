# SPDX-License-Identifier: GPL-2.0-or-later
"""How an exchange in cells explains points: by the cells that were joined to a unit.

Whoever knows which cells were joined, and how many places of each are in the file, has the addresses
of a cell with (its places / those of the unit) / (its addresses); who does not, plays the joins
(:mod:`.played_cells`).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...masking.address_cells import AddressCells
from .grouped import OPEN
from .likelihood import Likelihood
from .states import Leading, by_states, summed


def in_units(
    of_point: np.ndarray,
    of_place: np.ndarray,
    cell: np.ndarray,
    cells: AddressCells,
    weight: np.ndarray | None = None,
) -> Likelihood:
    """Likelihood for who knows which cells were joined, and how many places each of them has.

    Parameters
    ----------
    of_point : (n,) int array
        Unit of each released point, below zero for none.
    of_place, cell : (q,) int arrays
        Unit and cell of each place of the file.
    cells : AddressCells
    weight : (m,) array, optional
    """
    people = people_of(cells, weight)
    units = int(max(of_point.max(initial=-1), of_place.max(initial=-1))) + 1
    both, records = np.unique(np.stack([of_place, cell]), axis=1, return_counts=True)
    unit, there = both
    records = np.where(people[there] > 0, records, 0)
    whole = np.bincount(unit, records, minlength=units)[unit]
    good = records > 0
    chance = (records / np.where(whole > 0, whole, 1) / np.where(good, people[there], 1.0))[good]
    of_units = Leading.of_pairs(units, len(people), unit[good], there[good], chance)
    rows = np.flatnonzero(of_point >= 0)
    by_cell = by_states(len(of_point), rows, of_point[rows], np.ones(len(rows)), of_units)
    leading = Leading.of_states(len(people), cells.cell)
    return by_states(len(of_point), by_cell.point, by_cell.candidate, by_cell.value, leading)


def by_units(
    points: int,
    point: np.ndarray,
    cell: np.ndarray,
    chance: np.ndarray,
    partitions: Iterable[tuple[float, tuple[np.ndarray, np.ndarray]]],
    cells: AddressCells,
    weight: np.ndarray | None = None,
) -> Likelihood:
    """Likelihood of cells that may have been joined to units.

    Parameters
    ----------
    points : int
    point, cell : (q,) int arrays
        Pairs of a released point and a cell in which it may have been released.
    chance : (q,) array
        How likely that is; adds up to 1 for a point.
    partitions : iterable of (float, ((cells,) int array, (cells,) int array))
        A weight, the unit of each cell, and how many places of the file it holds.
    cells : AddressCells
    weight : (m,) array, optional
    """
    people = people_of(cells, weight)
    used, of_pair = np.unique(cell, return_inverse=True)
    found: list[np.ndarray] = []
    for share, (unit, records) in partitions:
        units = int(unit.max()) + 1
        # A cell by its places, and a small part for those that hold none in this draw.
        mass = np.where(people > 0, records, 0.0)
        of_all, held = (np.bincount(unit, one, minlength=units) for one in (people, mass))
        open_part = np.where(held > 0, OPEN, 1.0)[unit] / np.where(of_all > 0, of_all, 1.0)[unit]
        each = mass / np.where(people > 0, people, 1.0) / np.where(held > 0, held, 1.0)[unit]
        members = Leading.of_pairs(
            units, len(people), unit, np.arange(len(unit)), (1 - OPEN) * each + open_part
        )
        value = np.full(len(used), share)
        made = by_states(len(used), np.arange(len(used)), unit[used], value, members)
        found.append(np.stack([made.point, made.candidate, made.value]))
    pairs = np.concatenate(found, axis=1)
    to = summed(len(used), len(people), pairs[0].astype(int), pairs[1].astype(int), pairs[2])
    reached = Leading(len(people), to.first, to.candidate, to.value)
    of_cells = by_states(points, point, of_pair.reshape(-1), chance, reached)
    leading = Leading.of_states(len(people), cells.cell)
    return by_states(points, of_cells.point, of_cells.candidate, of_cells.value, leading)


def people_of(cells: AddressCells, weight: np.ndarray | None) -> np.ndarray:
    """Weight of each cell."""
    return np.bincount(cells.cell, weight, minlength=len(cells.sizes)).astype(np.float64)
