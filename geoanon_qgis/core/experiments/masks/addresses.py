# SPDX-License-Identifier: GPL-2.0-or-later
"""Masks that release records at other addresses of the list, as masks to choose from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from threading import Lock
from typing import Any

import numpy as np

from ...attacks.masks import grouped
from ...attacks.masks.known_groups import closer
from ...attacks.masks.likelihood import Likelihood, by_lists
from ...masking.address_cells import AddressCells, address_cells, mask_in_cells
from ...masking.kept_groups import KeptGroups
from ...masking.partners import PartnerGraph, partner_graph
from ...masking.record_groups import mask_in_groups
from ...runtime.progress import Progress, part, silent
from .case import BOTH, PLACE, RECORD, Case, Trial, alike_among, alike_in, believed
from .family import Family
from .laws import multiplied
from .prior_odds import at_most
from .standing import Limit

#: Partners that are tried at most, to the fewest that can do; and partners of all addresses.
_TIMES_LEAST, _ALL_PARTNERS = 3, 6_000_000
#: How often who waits for a graph that another makes asks whether to go on (seconds).
_POLL_S = 0.1
#: Groups and cells of records go up to this part of all.
_OF_RECORDS = 2


@dataclass(frozen=True, eq=False)
class Exchange(Family):
    """Exchange with k partners.

    Attributes
    ----------
    least : int
        Fewest partners that can meet the limit.
    """

    least: int
    algorithm = "maskexchange"
    name = "exchange"
    from_below = True
    falls = 1.0
    _shared: dict[str, Any] = field(default_factory=dict, repr=False)

    def sizes(self, case: Case) -> np.ndarray:
        """Numbers of partners; each asks for a graph of its own, so that they are few."""
        count = len(case.candidates)
        most = min(_TIMES_LEAST * self.least, count // 4, _ALL_PARTNERS // count)
        found = np.unique(np.round(self.least * 1.1 ** np.arange(20)))
        return found[found <= most]

    def prepare(self, case: Case, shared: dict[str, Any], ask: Progress = silent) -> None:
        """Share graphs with what is exchanged in groups."""
        self._shared["graphs"] = shared.setdefault("graphs", {})
        self._shared["lock"] = shared.setdefault("lock", Lock())
        ask(1.0)

    def graph(self, case: Case, k: int, ask: Progress = silent) -> PartnerGraph:
        """Who exchanges with whom."""
        graphs = self._shared["graphs"]
        while not self._shared["lock"].acquire(timeout=_POLL_S):
            ask(0.0)
        try:
            if k not in graphs:
                graphs[k] = partner_graph(case.candidates, k, progress=ask)
        finally:
            self._shared["lock"].release()
        return graphs[k]

    def graph_of(self, case: Case, size: float, ask: Progress = silent) -> PartnerGraph:
        """Who exchanges with whom in a mask of some size."""
        return self.graph(case, int(size), ask)

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        return {"METHOD": "exchange", "K": int(size)}

    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """See :class:`.Family`."""
        graph = self.graph_of(case, size, part(ask, 0.0, 0.8))
        drawn = [graph.partner_of(case.home, rng.random(case.people)) for _ in range(case.releases)]
        to, count = drawn[0], len(case.candidates)
        likelihood = reduce(
            multiplied, (by_lists(one, graph.partners, count, 1.0 / graph.k) for one in drawn)
        )
        tops = believed(case, likelihood, asked, True, part(ask, 0.8, 1.0))
        return Trial(_at(case, to), tops, {})


@dataclass(frozen=True, eq=False)
class Groups(Exchange):
    """Places change within groups, and are then exchanged with k partners.

    Both adversaries are told the groups: nobody knows more, and B then has exactly one in the
    records of a group (:mod:`...masking.record_groups`). A is that of :mod:`...attacks.masks.grouped`
    who knows the groups and that they are compact.
    """

    name = "groups"
    from_below = False
    unswayed = frozenset(BOTH)

    def sizes(self, case: Case) -> np.ndarray:
        """Numbers of records."""
        return records_to_hide_among(case)

    def first(self, sizes: np.ndarray, limit: Limit) -> int:
        """See :class:`.Family`."""
        return hides_so_many(sizes, limit)

    def graph_of(self, case: Case, size: float, ask: Progress = silent) -> PartnerGraph:
        """See :meth:`Exchange.graph_of`: groups of any size exchange with the same partners."""
        return self.graph(case, self.least, ask)

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        return {"METHOD": "groups", "K": self.least, "K_RECORDS": int(size)}

    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """See :class:`.Family`."""
        graph = self.graph_of(case, size, part(ask, 0.0, 0.6))
        change, move = rng.random((2, case.people))
        made = mask_in_groups(graph, case.home, change, move, int(size))
        to, group = made.at(case.home), _groups_of(made, case.home)
        tops, bounds = {}, {}
        if RECORD in case.adversaries:
            tops[RECORD] = alike_in(case, group, asked)
            if case.known is None:
                bounds[RECORD] = 1.0 / int(size)
        if PLACE in case.adversaries:
            bounds[PLACE] = 1.0 / int(size)
            if case.releases > 1:
                # Other draws of the same groups show their places in the end, and no more.
                tops[PLACE] = alike_in(case, group, asked)
            else:
                told = self._of_groups(case, graph, to, group, sure, part(ask, 0.6, 1.0))
                tops |= believed(_only(case, PLACE), told, asked, joint=False)
            if case.listed is not None:
                del bounds[PLACE]
            # Whoever lives at an address may as well be of any row of the group, whatever is believed of it.
            tops[PLACE] = at_most(tops[PLACE], case.prior_odds)
            if PLACE in bounds:
                # What is worked out is near what is true, and may be above what was proved.
                tops[PLACE] = np.minimum(tops[PLACE], bounds[PLACE])
        return Trial(_at(case, to), tops, bounds)

    @staticmethod
    def _of_groups(
        case: Case,
        graph: PartnerGraph,
        to: np.ndarray,
        group: np.ndarray,
        sure: bool,
        ask: Progress,
    ) -> Likelihood:
        """What all points of an exchange tell of each row, for who is told the groups."""
        count, weight = len(case.candidates), case.weight
        pairs = by_lists(to, graph.partners, count, 1.0 / graph.k)
        shares = grouped.shares_of(pairs, weight, part(ask, 0.0, 0.4))
        if sure:  # he knows that groups are compact, too
            least = int(np.bincount(group[group >= 0]).min())
            shares = closer(shares, case.candidates, group, least, weight, part(ask, 0.4, 1.0))
        return grouped.mixed(shares, [(1.0, group)])


@dataclass(frozen=True, eq=False)
class Cells(Family):
    """Records of a cell go to random addresses of it; cells are joined until they hold enough.

    Both adversaries know the cells and how they were joined, A even from which cell each record
    comes (:mod:`...masking.address_cells`). That does not hang on the draw.

    Cells have as many addresses as it takes until none is likelier than the limit in any of them,
    by the weights and what the adversary knows; up to three times ``least``.

    Attributes
    ----------
    least : int
        Fewest addresses of a cell.
    share : float
        The limit.
    """

    least: int
    share: float = 1.0
    algorithm = "maskexchange"
    name = "cells"
    certain = True
    unswayed = frozenset({RECORD})
    _made: dict[str, AddressCells] = field(default_factory=dict, repr=False)

    def prepare(self, case: Case, shared: dict[str, Any], ask: Progress = silent) -> None:
        """Cut the list into cells."""
        k, every = self.least, np.arange(case.people)
        while "cells" not in self._made or (
            self.of_place(case, every).max() > self.share * (1 + 1e-9)
            and k <= min(_TIMES_LEAST * self.least, len(case.candidates) // 2)
        ):
            self._made["cells"] = address_cells(case.candidates, k, ask)
            k = max(k + 1, round(1.1 * k))

    def of_place(self, case: Case, asked: np.ndarray) -> np.ndarray:
        """Chance of A for each place."""
        cells = self._made["cells"]
        return alike_among(case, cells.cell[case.home], cells.cell, asked)

    def sizes(self, case: Case) -> np.ndarray:
        """Numbers of records."""
        if len(case.candidates) < self.least:
            return np.empty(0)
        return records_to_hide_among(case)

    def first(self, sizes: np.ndarray, limit: Limit) -> int:
        """See :class:`.Family`."""
        return hides_so_many(sizes, limit)

    def parameters(self, size: float) -> dict[str, Any]:
        """See :class:`.Family`."""
        return {"METHOD": "cells", "K": self._made["cells"].k, "K_RECORDS": int(size)}

    def trial(
        self,
        case: Case,
        size: float,
        rng: np.random.Generator,
        asked: np.ndarray,
        sure: bool,
        ask: Progress = silent,
    ) -> Trial:
        """See :class:`.Family`."""
        cells, size = self._made["cells"], int(size)
        of_places, of_addresses = rng.random(case.people), rng.random(len(case.candidates))
        made = mask_in_cells(cells, case.home, of_places, of_addresses, size, progress=ask)
        to, unit = made.at(case.home), _groups_of(made, case.home)
        tops, bounds = {}, {}
        if PLACE in case.adversaries:
            tops[PLACE] = np.where(to[asked] >= 0, self.of_place(case, asked), np.nan)
        if RECORD in case.adversaries:
            tops[RECORD] = alike_in(case, unit, asked)
        if case.known is None:
            bounds[RECORD] = 1.0 / size
        if case.weight is None and case.listed is None:
            bounds[PLACE] = 1.0 / cells.k
        return Trial(_at(case, to), tops, bounds)


def records_to_hide_among(case: Case) -> np.ndarray:
    """Sizes of groups of records, in steps of a tenth."""
    found = np.unique(np.round(2 * 1.1 ** np.arange(160)))
    return found[found <= case.people // _OF_RECORDS]


def hides_so_many(sizes: np.ndarray, limit: Limit) -> int:
    """Row of the size that hides a record among as many as the limit asks for."""
    return min(int(np.searchsorted(sizes, limit.least)), len(sizes) - 1)


def _groups_of(made: KeptGroups, home: np.ndarray) -> np.ndarray:
    """Group of each place of the file, -1 for those that are not released."""
    slot = np.minimum(np.searchsorted(made.place, home), len(made.place) - 1)
    return np.where(made.place[slot] == home, made.group[slot], -1)


def _at(case: Case, to: np.ndarray) -> np.ndarray:
    return np.where(to[:, None] >= 0, case.candidates[to], np.nan)


def _only(case: Case, adversary: str) -> Case:
    return replace(case, adversaries=(adversary,))
