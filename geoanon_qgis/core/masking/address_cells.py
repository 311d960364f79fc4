# SPDX-License-Identifier: GPL-2.0-or-later
"""Cells(k, k_records): the records of a cell go to distinct random addresses of it.

The addresses are divided, from the public list alone, into compact cells of at least k. Cells that
hold too few records are joined, by a public rule, to units that hold at least k_records. The
records of a unit get distinct addresses of it by a uniformly random injection.

**Adversary A** (who lives at the true place of a released record?): where a record is put does not
depend on where in its unit it came from. So released points of a unit tell nothing of which of its
addresses hold records, whatever number of releases there is and whatever is known of the draws of
others. Even who knows how many records come from each cell has, inside a cell, all its addresses
equally likely (with equal weights): at most 1/k for each record. That somebody of a cell is in the
file is not hidden: with r records of k addresses each is in it with r/k.

**Adversary B** (which record is hers?): all rows of the unit are equally likely, 1 / (records in the
unit), at most 1/k_records, if he knows the units and even the set of addresses that were drawn:
which row got which of them is a uniform permutation (the proof of :mod:`.record_groups`).

Lists that change from release to release: see :mod:`.grown_cells`.

Records are counted by place: those at one place move together, and are one for B, if he does not know
how many they are. Many at one place tell A that many live there, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..space.points import build_tree
from .compact import compact_groups, mean_distance
from .kept_groups import KeptGroups, newcomers
from .partners import refuse_unless_draws


@dataclass(frozen=True, eq=False, repr=False)
class AddressCells(Summarised):
    """Compact cells of a public list of addresses. Public, as the list is.

    Attributes
    ----------
    xy : (n, 2) array
        The addresses, metres.
    k : int
        Least number of addresses in a cell.
    cell : (n,) int64 array
        From 0; below 0 for addresses in no cell. Without a gap where cells were cut from one list.
    count : int
        Number of cells, those that have no address any more among them.
    """

    xy: np.ndarray
    k: int
    cell: np.ndarray
    count: int

    @property
    def sizes(self) -> np.ndarray:
        """Addresses of each cell."""
        return self.of_each()

    @property
    def sums(self) -> np.ndarray:
        """Sums of the coordinates of each cell's addresses, (cells, 2)."""
        return np.stack([self.of_each(self.xy[:, axis]) for axis in (0, 1)], axis=1)

    def of_each(self, values: np.ndarray | None = None) -> np.ndarray:
        """Sums over the addresses of each cell of what they have, (cells,); else how many there are."""
        within = self.cell >= 0
        return np.bincount(
            self.cell[within], None if values is None else values[within], self.count
        )

    @property
    def mean_shift(self) -> float:
        """Mean distance of an address to a random one of its cell, itself among them, metres."""
        within = self.cell >= 0
        return mean_distance(self.xy[within], self.cell[within])

    def in_words(self) -> str:
        """See :class:`.Summarised`."""
        sizes = self.sizes[self.sizes > 0]
        return (
            f"{number_of(len(self.xy), 'address', 'addresses')} in"
            f" {number_of(len(sizes), 'cell', 'cells')} of {sizes.min()} to"
            f" {sizes.max()}; mean shift {self.mean_shift:.3g} m"
        )


def address_cells(xy: np.ndarray, k: int, progress: Progress = silent) -> AddressCells:
    """Divide addresses into compact cells of k to 2 k - 1.

    Parameters
    ----------
    xy : (n, 2) array
        Distinct places of a public list, in metres.
    k : int
        At least 2.
    progress : Progress

    Raises
    ------
    InputError
        If k is below 2, there are fewer addresses, or two are at one place.
    """
    xy = np.asarray(xy, dtype=np.float64)
    cell = compact_groups(xy, int(k), Sentence("addresses"), progress)
    return AddressCells(xy, int(k), cell, int(cell.max()) + 1)


def mask_in_cells(
    cells: AddressCells,
    place: np.ndarray,
    of_records: np.ndarray,
    of_addresses: np.ndarray,
    k_records: int,
    kept: KeptGroups | None = None,
    progress: Progress = silent,
) -> KeptGroups:
    """Put the records of each unit of cells at distinct random addresses of it.

    Parameters
    ----------
    cells : AddressCells
    place : (m,) int array
        Rows of the addresses of the records; records at one place move together.
    of_records : (m,) array
        Numbers in [0, 1) that nobody else knows, one for each place.
    of_addresses : (n,) array
        The same for each address, independent of those.
    k_records : int
        Least number of places with records in a unit.
    kept : KeptGroups, optional
        What the release before gave. Newcomers get units of their own.
    progress : Progress

    Returns
    -------
    KeptGroups
        Its groups are the units. Its ``waiting`` are newcomers of whom there are too few, its
        ``withheld`` those at addresses in no cell.

    Raises
    ------
    InputError
        If a parameter is none, or there are fewer than ``k_records`` places at the first release.
    """
    place = np.asarray(place, dtype=np.int64)
    of_records, of_addresses = (np.asarray(one, np.float64) for one in (of_records, of_addresses))
    kept, new, row = newcomers(place, (of_records,), kept, cells.xy, k_records)
    refuse_unless_draws(np.arange(len(cells.xy)), of_addresses, len(cells.xy))
    kept = kept.with_cells(cells.cell)
    within = cells.cell >= 0
    free = within.copy()
    free[kept.released[kept.released < len(free)]] = False
    lost = new[~within[new]]
    new, row = new[within[new]], row[within[new]]
    unit_of_cell = join_cells(cells, new, free, k_records, progress)
    unit = unit_of_cell[cells.cell[new]]
    waits = unit < 0
    if waits.all():
        return kept.put_off(new, lost)
    waiting, new, row, unit = new[waits], new[~waits], row[~waits], unit[~waits]
    pool = np.flatnonzero(free)
    pool = pool[unit_of_cell[cells.cell[pool]] >= 0]
    pool_unit = unit_of_cell[cells.cell[pool]]
    pool = pool[np.lexsort((of_addresses[pool], pool_unit))]
    many = np.bincount(pool_unit)
    first = np.cumsum(many) - many
    # The n-th record of a unit by its number gets the n-th address by its number.
    order = np.lexsort((of_records[row], unit))
    many = np.bincount(unit)
    nth = np.arange(len(unit)) - np.repeat(np.cumsum(many) - many, many)
    released = np.empty(len(unit), dtype=np.int64)
    released[order] = pool[first[unit[order]] + nth]
    return kept.grown(new, unit, released, waiting, lost, cells.cell[new])


def join_cells(
    cells: AddressCells,
    place: np.ndarray,
    free: np.ndarray,
    k_records: int,
    progress: Progress = silent,
) -> np.ndarray:
    """Join cells until each unit with records holds enough of them, and a free address for each.

    The rule: in each round, every unit that lacks records asks for the unit with records whose mean
    address is nearest to its own, and one that lacks only addresses for one that has some to spare;
    of what is asked the shortest is done first, and nobody is joined twice in a round. It looks at
    the public list and at counts alone.

    Parameters
    ----------
    cells : AddressCells
    place : (q,) int64 array
        Distinct rows of addresses with records.
    free : (n,) bool array
        Addresses that nobody has been put at.
    k_records : int
    progress : Progress

    Returns
    -------
    (cells,) int64 array
        Unit of each cell, from 0 without a gap; -1 for cells that are in none, and for all if there
        are too few records.
    """
    records = np.bincount(cells.cell[place], minlength=cells.count)
    room = np.bincount(cells.cell[free], minlength=cells.count) - records
    # In a cell with fewer than k addresses nobody may be likelier than one in k: so many have to be
    # in the unit that its records are a small enough part of them (see :mod:`.grown_cells`).
    least = -(-records * cells.k // np.maximum(cells.sizes, 1))
    least = np.maximum(least, k_records)
    return join_counts(cells.sizes, cells.sums, records, room, least, progress)


def join_counts(
    sizes: np.ndarray,
    sums: np.ndarray,
    records: np.ndarray,
    room: np.ndarray,
    k_records: int | np.ndarray,
    progress: Progress = silent,
) -> np.ndarray:
    """Join cells, by counts alone: see :func:`join_cells`.

    Parameters
    ----------
    sizes : (cells,) int64 array
        Addresses of each cell.
    sums : (cells, 2) array
        Of their coordinates.
    records, room : (cells,) int64 arrays
        Places with records in each cell, and free addresses beyond what these need.
    k_records : int or (cells,) array
        Least number of places with records in a unit; of a unit of several cells the largest counts.
    progress : Progress

    Returns
    -------
    (cells,) int64 array
    """
    count, records, room = len(records), records.copy(), room.copy()
    least = np.array(np.broadcast_to(k_records, count))
    if records.sum() < least.min(initial=0):
        return np.full(count, -1, dtype=np.int64)
    size, xy = sizes.astype(np.float64), sums.copy()
    unit = np.arange(count)
    while True:
        asking = np.flatnonzero((records > 0) & ((records < least) | (room < 0)))
        if len(asking) == 0:
            break
        progress(1 - len(asking) / count)
        middle = xy / np.maximum(size, 1)[:, None]
        asked, away = _nearest_to_join(
            middle, records, room, asking, records[asking] < least[asking]
        )
        alone = asked == asking
        records[asking[alone]] = 0  # there is none to join: they wait
        asking, asked, away = asking[~alone], asked[~alone], away[~alone]
        ones, twos = _pairs(asking, asked, away, count)
        least[ones] = np.maximum(least[ones], least[twos])
        for values in (records, room, size, xy):
            values[ones] += values[twos]
            values[twos] = 0
        into = np.arange(count)
        into[twos] = ones
        unit = into[unit]
    progress(1.0)
    unit = np.where(records[unit] > 0, unit, -1)
    used = np.unique(unit[unit >= 0])
    return np.where(unit >= 0, np.searchsorted(used, unit), -1)


def _pairs(
    asking: np.ndarray, asked: np.ndarray, away: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Who joins whom, the nearest first, each once; of a pair the smaller row is the first."""
    busy, found = bytearray(count), []
    order = np.lexsort((asking, away))
    for pair in zip(asking[order].tolist(), asked[order].tolist()):
        one, two = pair
        if not (busy[one] or busy[two]):
            busy[one] = busy[two] = 1
            found.append(pair)
    pairs = np.sort(np.array(found, dtype=np.int64).reshape(-1, 2), axis=1)
    return pairs[:, 0], pairs[:, 1]


def _nearest_to_join(
    middle: np.ndarray, records: np.ndarray, room: np.ndarray, asking: np.ndarray, few: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The unit that each one asks for, and how far it is: one with records, or with room.

    Itself where there is none.
    """
    asked = asking.copy()
    away = np.zeros(len(asking))
    for some, useful in ((few, records > 0), (~few, room > 0)):
        if some.any():
            those = np.flatnonzero(useful)
            if not len(those):
                continue
            gap, nearest = build_tree(middle[those]).query(middle[asking[some]], k=2)
            nearest = those[np.minimum(nearest, len(those) - 1)]
            own = (nearest[:, 0] == asking[some]).astype(np.int64)
            row = np.arange(len(own))
            asked[some], away[some] = nearest[row, own], gap[row, own]
    return asked, away
