# SPDX-License-Identifier: GPL-2.0-or-later
"""What releases of the same records give away together: classes below k by subtraction.

Each release shows, for its areas, how many records agree in all quasi-identifiers, unless they are
fewer than its k. Where areas of the two overlap, sums can be subtracted: an area of ten alike, of whom
seven live in an area of the other release, has three elsewhere. The adversary has both releases and
their look-up tables. In each class the counts of the cells, in which an area of the one meets one of
the other, are unknown numbers from 0; every area says their sum, or that it is below k. A count is
computed where all solutions agree on it.

What is asked for is the count of (1) every cell, (2) every area that is not shown, and (3) of every area
that is shown, what is left of it without the cells that are known; where nothing is found so, (4) what
is left of areas together without areas of another release that lie in them. Bounds are propagated between
cells and areas, which is exact where areas overlap like a tree; where they overlap in circles, linear
programmes (a transport problem, whose extremes are whole numbers) settle what is left.

With several earlier releases a cell lies in an area of each, and (1) asks for the overlaps of any
two or more releases as well. Their programmes are no transport problems: they are solved in whole
numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.memory import refuse_unless_fits
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence, number_of
from ..verdict import Evidence
from .equivalence_classes import EquivalenceClasses
from .evaluation import aggregate
from .nested_unions import Overlaps

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Linear programmes that are solved before the search is cut off.
PROGRAMMES = 4_000


@dataclass(frozen=True)
class Differences:
    """Classes below k that releases give away together.

    Attributes
    ----------
    area : (m,) int array
        An area of the new release that the people live in, the first of them.
    classes : (m,) int array
        Class of each.
    size : (m,) int array
        Its records, from 1 to k - 1.
    regions : tuple of (r,) int arrays
        The regions in which they live, together.
    complete : bool
        Whether all that was asked for was settled; else there may be more.
    programmes : int
        Linear programmes that were solved for it.
    apart : int
        People who have records of one class in several overlaps of areas, and were looked for in
        one of them only: nobody knows what subtraction gives away of them.
    """

    area: np.ndarray
    classes: np.ndarray
    size: np.ndarray
    regions: tuple[np.ndarray, ...]
    complete: bool
    programmes: int = 0
    apart: int = 0

    def __len__(self) -> int:
        return len(self.size)

    @property
    def is_clean(self) -> bool:
        """Whether nothing can be computed, all having been settled."""
        return self.complete and not self.apart and not len(self)

    def evidence(self, released: int) -> Evidence:
        """Whom an adversary finds of the people who are released now.

        In a class of s he finds one of them by chance, as in a class that is shown; any class below
        k fails, and who is alone is exposed.

        Parameters
        ----------
        released : int
            Records of the new release, 1 or more.
        """
        share = min(1.0, len(self) / released)
        found = Evidence(
            "differencing",
            int(released),
            share * released,
            share,
            share,
            False,
            exposed=int(np.count_nonzero(self.size == 1)),
            failed=len(self) > 0,
        )
        if self.apart and self.complete:
            return found.with_caveat("people_apart")
        return found if self.complete else found.with_caveat("cut_off")


def differences(
    classes: EquivalenceClasses,
    new: np.ndarray,
    old: np.ndarray,
    k_new: int,
    k_old: int,
    progress: Progress = silent,
    programmes: int = PROGRAMMES,
    withheld: csr_matrix | None = None,
) -> Differences:
    """Find the classes below k that can be computed from releases of the same records.

    Parameters
    ----------
    classes : EquivalenceClasses
    new : (n,) int array
        Area of each region in the new release.
    old : (n,) or (n, r) int array
        And in the earlier one, or in each of r earlier ones; -1 for a region that was in none.
    k_new, k_old : int
        Classes below these were suppressed. What is below ``k_new`` is told. Of several earlier
        releases the smallest k: less was hidden then than the adversary is taken to see.
    progress : callable
    programmes : int
        Most linear programmes to solve.
    withheld : (regions, classes) csr_matrix, optional
        Records that the new release leaves out, whatever the size of their class. The adversary is
        taken to know in which classes of which areas: what is shown there is the least that they hold.

    Returns
    -------
    Differences
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    olds = np.asarray(old).reshape(len(new), -1).T
    pairs, cell_of_region = np.unique(np.vstack([new, olds]), axis=1, return_inverse=True)
    cell_of_region = cell_of_region.reshape(-1)
    counts = aggregate(classes.counts, cell_of_region, pairs.shape[1])
    gone = None if withheld is None else aggregate(withheld, cell_of_region, pairs.shape[1])
    news = np.unique(new)
    ends = np.full(pairs.T.shape, -1)
    ends[:, 0] = np.searchsorted(news, pairs[0])
    size = len(news)
    for at, areas in enumerate(pairs[1:], 1):
        known = np.unique(areas[areas >= 0])
        ends[areas >= 0, at] = size + np.searchsorted(known, areas[areas >= 0])
        size += len(known)
    row, release = np.nonzero(ends[:, 1:] >= 0)
    edges = (ends[row, 0], ends[row, release + 1])
    joined = csr_matrix((np.ones(len(row)), edges), shape=(size, size))
    component = connected_components(joined, directed=False)[1][ends[:, 0]]
    order = np.argsort(component, kind="stable")
    found: dict[tuple, tuple[int, np.ndarray]] = {}
    budget = [programmes]
    complete = True
    parts = np.split(order, np.flatnonzero(np.diff(component[order])) + 1)
    differ = (np.bincount(component)[component] > 1) | (k_old < k_new)  # else the same area in both
    for number, cells in enumerate(parts):
        progress(number / len(parts))
        if not differ[cells[0]]:
            continue
        left_out = None if gone is None else gone[cells]
        work = _Component(counts[cells], ends[cells], len(news), (k_new, k_old), left_out)
        complete &= work.solve(budget, progress, number / len(parts))
        for target, number_of_class, value in work.found:
            key = (int(number_of_class), *sorted(int(cells[at]) for at in target))
            found[key] = (value, cells[target])
    progress(1.0)
    keys = sorted(found)
    return Differences(
        np.array([pairs[0][found[key][1]].min() for key in keys], dtype=np.int64),
        np.array([key[0] for key in keys], dtype=np.int64),
        np.array([found[key][0] for key in keys], dtype=np.int64),
        tuple(np.flatnonzero(np.isin(cell_of_region, found[key][1])) for key in keys),
        complete,
        programmes - budget[0],
        _people_apart(classes, cell_of_region, differ),
    )


def _people_apart(
    classes: EquivalenceClasses, cell_of_region: np.ndarray, differ: np.ndarray
) -> int:
    """People with records of one class in several cells, some in areas that releases tell apart."""
    if classes.apart is None or not len(classes.apart):
        return 0
    visits = classes.apart.copy()
    visits[:, 2] = cell_of_region[visits[:, 2]]
    visits = np.unique(visits, axis=0)
    _, of_visit, cells = np.unique(visits[:, :2], axis=0, return_inverse=True, return_counts=True)
    of_visit = of_visit.reshape(-1)
    there = (cells[of_visit] > 1) & differ[visits[:, 2]]
    return len(np.unique(visits[there, 1]))


class _Component:
    """Cells that hang together by the areas that they share."""

    def __init__(
        self,
        counts: csr_matrix,
        ends: np.ndarray,
        news: int,
        ks: tuple[int, int],
        withheld: csr_matrix | None = None,
    ):
        self._used = np.unique(counts.indices)
        refuse_unless_fits(
            24.0 * len(ends) * len(self._used),
            Sentence(
                "{areas} and {classes}",
                areas=number_of(len(ends), "overlap of areas", "overlaps of areas"),
                classes=number_of(len(self._used), "class", "classes"),
            ),
            Sentence("looking for what can be subtracted"),
            Sentence("Choose fewer quasi-identifiers, or look without EARLIER."),
        )
        self._true = counts[:, self._used].toarray().astype(np.int32)
        nodes = np.unique(ends[ends >= 0])
        least = np.where(nodes < news, *ks).astype(np.int32)[:, None]
        self._members = [np.flatnonzero((ends == node).any(axis=1)) for node in nodes]
        # The nodes of each cell: one of each release that it is in.
        self._ends = ends
        self._node_of = np.searchsorted(nodes, ends)
        self._nodes = [of[end >= 0] for of, end in zip(self._node_of, ends)]
        total = np.stack([self._true[rows].sum(axis=0) for rows in self._members])
        told = total
        if withheld is not None:
            gone = withheld[:, self._used].toarray()
            here = (nodes < news)[:, None]
            told = total - np.where(here, [gone[rows].sum(axis=0) for rows in self._members], 0)
        self._shown = told >= least
        self._total = total
        #: Whether what is shown is all that there is.
        self._whole = told == total
        self._low = np.where(self._shown, told, 0).astype(np.int32)
        most = np.where(self._shown, told, least - 1)
        self._high = np.where(self._whole, most, self._true.sum() + max(ks)).astype(np.int32)
        self._k = ks[0]
        self.found: list[tuple[np.ndarray, int, int]] = []

    def solve(self, budget: list[int], progress: Progress, done: float) -> bool:
        """Find what can be computed; whether everything was settled."""
        fixed = self._fixed(progress, done)
        asked: list[tuple[np.ndarray, int]] = []
        for at, number in zip(*np.nonzero((self._true > 0) & (self._true < self._k))):
            self._ask(np.array([at]), int(number), bool(fixed[at, number]), asked)
        for rows in self._overlaps():
            progress(done)
            value = self._true[rows].sum(axis=0)
            for number in np.flatnonzero((value > 0) & (value < self._k)):
                self._ask(rows, int(number), bool(fixed[rows, number].all()), asked)
        for node, rows in enumerate(self._members):
            progress(done)
            known = np.where(fixed[rows], self._true[rows], 0).sum(axis=0)
            left = self._total[node] - known
            hidden = ~self._shown[node]
            for number in np.flatnonzero(hidden & (self._total[node] > 0)):
                if self._total[node, number] < self._k:
                    self._ask(rows, int(number), bool(fixed[rows, number].all()), asked)
            told = ~hidden & self._whole[node]
            for number in np.flatnonzero(told & (left > 0) & (left < self._k)):
                self._ask(rows[~fixed[rows, number]], int(number), True, asked)
        for rows, number in asked:
            progress(done)
            around = self._around(rows, fixed[:, number])
            if around is None:
                continue
            if budget[0] <= 0:
                return False
            budget[0] -= 1
            if self._is_settled(rows, number, fixed[:, number], around):
                self._note(rows, number)
        if not self.found:
            self._look_for_unions(fixed, progress, done)
        return True

    def _look_for_unions(self, fixed: np.ndarray, progress: Progress, done: float) -> None:
        """Note areas of one release that lie, but for fewer than k, in areas of another."""
        small = (self._true > 0) & (self._true < self._k) & ~fixed
        pairs = list(permutations(range(self._ends.shape[1]), 2))
        for number in np.flatnonzero(small.any(axis=0)).tolist():
            unknown = np.flatnonzero(~fixed[:, number])
            nodes = np.where(self._ends[unknown] < 0, -1, self._node_of[unknown])
            nodes[~(self._shown & self._whole)[nodes, number]] = -1
            seen: set[int] = set()
            for one, other in pairs:
                overlaps = Overlaps(self._true[unknown, number], nodes[:, one], nodes[:, other])
                for start in overlaps.starts(self._k):
                    progress(done)
                    if start in seen:
                        continue
                    found = overlaps.difference(start, self._k)
                    if found is not None:
                        seen.update(found.tolist())
                        self._note(unknown[found], number)

    def _overlaps(self) -> list[np.ndarray]:
        """Cells that share areas of two releases or more, but not of all."""
        releases = range(self._ends.shape[1])
        found = []
        for size in range(2, len(releases)):
            for some in combinations(releases, size):
                ends = self._ends[:, some]
                kinds, kind = np.unique(ends, axis=0, return_inverse=True)
                groups = (np.flatnonzero(kind.reshape(-1) == at) for at in range(len(kinds)))
                found += [rows for rows in groups if len(rows) > 1 and (ends[rows[0]] >= 0).all()]
        return found

    def _ask(self, rows: np.ndarray, number: int, known: bool, asked: list) -> None:
        if known:
            self._note(rows, number)
        else:
            asked.append((rows, number))

    def _note(self, rows: np.ndarray, number: int) -> None:
        value = int(self._true[rows, number].sum())
        self.found.append((rows, int(self._used[number]), value))

    def _fixed(self, progress: Progress, done: float) -> np.ndarray:
        """Which cells are known, by class, from what their areas say alone."""
        low = np.zeros_like(self._true)
        high = np.full_like(self._true, int(self._high.max(initial=0)))
        waiting = set(range(len(self._members)))
        while waiting:
            progress(done)
            node = waiting.pop()
            rows = self._members[node]
            least, most = low[rows], high[rows]
            more = np.maximum(least, self._low[node] - (most.sum(axis=0) - most))
            less = np.minimum(most, self._high[node] - (least.sum(axis=0) - least))
            changed = ((more != least) | (less != most)).any(axis=1)
            low[rows], high[rows] = more, less
            for row in rows[changed]:
                waiting.update(self._nodes[row].tolist())
        return low == high

    def _around(self, rows: np.ndarray, fixed: np.ndarray) -> tuple[list[int], list[int]] | None:
        """Unknown cells and areas that hang together with some; None where they form no circle."""
        cells = {int(row) for row in rows if not fixed[row]}
        waiting, nodes = list(cells), set()
        while waiting:
            for node in self._nodes[waiting.pop()].tolist():
                if node in nodes:
                    continue
                nodes.add(node)
                for cell in self._members[node].tolist():
                    if not fixed[cell] and cell not in cells:
                        cells.add(cell)
                        waiting.append(cell)
        ends = sum(len(self._nodes[cell]) for cell in cells)
        # In a tree the bounds are exact.
        return None if ends < len(cells) + len(nodes) else (sorted(cells), sorted(nodes))

    def _is_settled(
        self, rows: np.ndarray, number: int, fixed: np.ndarray, around: tuple[list[int], list[int]]
    ) -> bool:
        """Whether some cells hold as many in every solution."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix, vstack

        cells, nodes = around
        column = {cell: at for at, cell in enumerate(cells)}
        pairs = [
            (at, column[cell])
            for at, node in enumerate(nodes)
            for cell in self._members[node].tolist()
            if cell in column
        ]
        ends = np.array(pairs).T
        member = csr_matrix((np.ones(len(pairs)), (ends[0], ends[1])), (len(nodes), len(cells)))
        known = np.array(
            [
                self._true[self._members[node], number][fixed[self._members[node]]].sum()
                for node in nodes
            ]
        )
        high, low = self._high[nodes, number] - known, self._low[nodes, number] - known
        asked = [column[int(row)] for row in rows if not fixed[row]]
        aim = np.zeros(len(cells))
        aim[asked] = 1.0
        value = int(self._true[[row for row in rows if not fixed[row]], number].sum())
        whole = self._ends.shape[1] > 2
        for sign in (1.0, -1.0):
            if whole:
                from scipy.optimize import LinearConstraint, milp

                rules = LinearConstraint(member, low, high)
                best = milp(sign * aim, integrality=np.ones(len(cells)), constraints=rules)
            else:
                best = linprog(
                    sign * aim,
                    A_ub=vstack([member, -member]),
                    b_ub=np.concatenate([high, -low]),
                    bounds=(0, None),
                    method="highs",
                )
            if best.status != 0 or abs(sign * best.fun - value) > 0.5:
                return False
        return True
