# SPDX-License-Identifier: GPL-2.0-or-later
"""Places that are masked in groups which are kept from release to release.

A group is made once. In a later release its members stay where they were put, and newcomers are put
into groups of their own, or wait until there are enough of them: a newcomer in an old group would
be known by being new, and to group everybody anew would be a fresh release.

What keeping cannot help: who knows that somebody has *left* sees whose point is gone, and who is left
of a group hides among fewer (:meth:`KeptGroups.left_of`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..runtime.errors import InputError
from ..runtime.results import Grouped
from ..runtime.wording import number_of
from .addresses import rows_of
from .partners import refuse_unless_draws, refuse_unless_rows


@dataclass(frozen=True, eq=False, repr=False)
class KeptGroups(Grouped):
    """Where places were put, and with whom. Private, and needed for the next release.

    ``chance``, one in the places of the group, is adversary B's to tell which record is hers if he
    knows the groups and nobody has left the file; see :meth:`left_of`.

    Attributes
    ----------
    xy : (n, 2) array
        The addresses, metres; behind them what kept places need that the list has no more.
    k_records : int
        Least number of places with records in a group.
    place : (p,) int64 array
        Rows of the addresses that hold records and are masked, ascending; those of earlier
        releases that hold none any more among them.
    group : (p,) int64 array
        From 0 without a gap.
    released : (p,) int64 array
        Rows of the addresses where they are released.
    waiting : (w,) int64 array
        Rows of the addresses whose records are withheld until there are more newcomers.
    withheld : (u,) int64 array
        Rows of the addresses whose records cannot be masked at all.
    cell : (p,) int64 array or None
        Of cells, the one that each place is in.
    """

    xy: np.ndarray
    k_records: int
    place: np.ndarray
    group: np.ndarray
    released: np.ndarray
    waiting: np.ndarray
    withheld: np.ndarray
    cell: np.ndarray | None = None

    @property
    def shift(self) -> np.ndarray:
        """Distance that each place has moved, metres, (p,)."""
        return np.hypot(*(self.xy[self.released] - self.xy[self.place]).T)

    def at(self, place: np.ndarray) -> np.ndarray:
        """Where records are released, (m,) int64: rows of addresses, -1 for who is not.

        Parameters
        ----------
        place : (m,) int array
            Rows of the addresses of the records.
        """
        if len(self.place) == 0:
            return np.full(len(place), -1, dtype=np.int64)
        slot = np.minimum(np.searchsorted(self.place, place), len(self.place) - 1)
        return np.where(self.place[slot] == place, self.released[slot], -1)

    def left_of(self, place: np.ndarray) -> np.ndarray:
        """How many of its group are still in the file, for each place that is.

        Who has left is kept in the group, so that nobody else moves, and hides nobody any more.

        Parameters
        ----------
        place : (m,) int array
            Rows of the addresses that hold records now.

        Returns
        -------
        (q,) int64 array
            For those of :attr:`place` among them, in that order.
        """
        here = self.group[np.isin(self.place, place)]
        return np.bincount(here)[here] if len(here) else here

    def in_words(self) -> str:
        """See :class:`.Summarised`."""
        said = (
            f"{number_of(len(self.place), 'place', 'places')} masked in"
            f" {number_of(int(self.group.max(initial=-1)) + 1, 'group', 'groups')} of at least"
            f" {self.k_records}"
        )
        if len(self.place):
            said += f"; mean shift {self.shift.mean():.3g} m"
        if len(self.waiting):
            said += f"; {len(self.waiting):,} wait for more newcomers"
        if len(self.withheld):
            said += f"; {len(self.withheld):,} cannot be masked"
        return said

    def put_off(self, waiting: np.ndarray, withheld: np.ndarray) -> KeptGroups:
        """Return the same where there are too few newcomers for a group.

        Raises
        ------
        InputError
            If there is no group yet: nobody can be released.
        """
        if len(self.place) == 0:
            raise InputError(
                "Records are at {places} that can be masked; a group needs {least:,}.",
                places=number_of(len(waiting), "place", "places"),
                least=self.k_records,
            )
        none = np.empty(0, dtype=np.int64)
        return self.grown(none, none, none, waiting, withheld, none)

    def grown(
        self,
        place: np.ndarray,
        group: np.ndarray,
        released: np.ndarray,
        waiting: np.ndarray,
        withheld: np.ndarray,
        cell: np.ndarray | None = None,
    ) -> KeptGroups:
        """Return the same with newcomers, whose groups count from 0."""
        places = np.concatenate([self.place, place])
        order = np.argsort(places, kind="stable")
        first = int(self.group.max(initial=-1)) + 1
        return KeptGroups(
            self.xy,
            self.k_records,
            places[order],
            np.concatenate([self.group, group + first])[order],
            np.concatenate([self.released, released])[order],
            waiting,
            withheld,
            None if self.cell is None else np.concatenate([self.cell, np.asarray(cell)])[order],
        )

    def on_list(self, xy: np.ndarray, within: float = 0.0) -> KeptGroups:
        """Return the same by the rows of a list that may be another one, without those who wait.

        Parameters
        ----------
        xy : (n, 2) array
            Distinct, metres.
        within : float
            Metres by which an address may miss itself from list to list.

        Returns
        -------
        KeptGroups
            Its :attr:`xy` begins with the list. Addresses have the coordinates of before, to the
            last digit.
        """
        used = np.union1d(self.place, self.released)
        row = rows_of(self.xy[used], xy, within)
        lost = row < 0
        row[lost] = len(xy) + np.arange(np.count_nonzero(lost))
        addresses = np.concatenate([xy, self.xy[used[lost]]])
        addresses[row] = self.xy[used]
        place, released = (row[np.searchsorted(used, one)] for one in (self.place, self.released))
        order = np.argsort(place)
        none = order[:0]
        return KeptGroups(
            addresses,
            self.k_records,
            place[order],
            self.group[order],
            released[order],
            none,
            none,
            None if self.cell is None else self.cell[order],
        )

    def counts_of_cells(self, here: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How many places each cell has in each unit.

        Parameters
        ----------
        here : (p,) bool array
            Which places count.

        Returns
        -------
        unit, cell, records : (q,) int64 arrays
        """
        pairs = np.stack([self.group[here], np.asarray(self.cell)[here]])
        found, records = np.unique(pairs, axis=1, return_counts=True)
        return found[0], found[1], records

    def with_cells(self, cell: np.ndarray) -> KeptGroups:
        """Return the same with the cell of each place, where it is not known yet.

        Parameters
        ----------
        cell : (n,) int64 array
            Of the addresses of the list.
        """
        return self if self.cell is not None else replace(self, cell=cell[self.place])


def nobody_yet(xy: np.ndarray, k_records: int) -> KeptGroups:
    """Return groups before the first release."""
    none = np.empty(0, dtype=np.int64)
    return KeptGroups(xy, k_records, none, none, none, none, none)


def newcomers(
    place: np.ndarray,
    draws: Sequence[np.ndarray],
    kept: KeptGroups | None,
    xy: np.ndarray,
    k_records: int,
) -> tuple[KeptGroups, np.ndarray, np.ndarray]:
    """Tell places that are new from those that are kept.

    Parameters
    ----------
    place : (m,) int array
        Rows of the addresses of the records; records at one place move together.
    draws : sequence of (m,) arrays
        Numbers in [0, 1) of each place.
    kept : KeptGroups or None
        Those of the releases before.
    xy : (n, 2) array
        The addresses of the list; those of ``kept`` begin with them.
    k_records : int

    Returns
    -------
    kept : KeptGroups
        Without anybody if there was none.
    new : (q,) int64 array
        New places, ascending.
    row : (q,) int64 array
        A record of each.

    Raises
    ------
    InputError
        If ``k_records`` is below 2 or another than before, the addresses are others, or a row or a
        number is none.
    """
    if k_records < 2:
        raise InputError(
            "At least 2 records must change places; with {k_records} everybody would be known.",
            k_records=k_records,
        )
    for numbers in draws:
        refuse_unless_draws(place, numbers, len(xy) if kept is None else len(kept.xy))
    if kept is None:
        kept = nobody_yet(xy, k_records)
    elif not np.array_equal(kept.xy[: len(xy)], xy):
        raise InputError(
            "The groups that are kept were made with another address list. Give the list of then,"
            " or bring them to the list of now first."
        )
    elif kept.k_records != k_records:
        raise InputError(
            "The groups that are kept hold at least {before} records, not {now}. Take {before}, or"
            " leave the kept groups out and release to other people.",
            before=kept.k_records,
            now=k_records,
        )
    unique, row = np.unique(place, return_index=True)
    new = ~np.isin(unique, kept.place)
    refuse_unless_rows(unique[new], len(xy))
    return kept, unique[new], row[new]
