# SPDX-License-Identifier: GPL-2.0-or-later
"""Where location swapping may put a place: candidates of a public list in a ring round it.

The candidates of a place are those of its class at a distance of ``least`` to ``largest``, the
place itself not among them. Where there are fewer than ``fewest``, the ring is *widened*: it then
ends at the ``fewest``-th candidate from ``least`` on, and those that are exactly as far as that one
belong to it, too. The rule looks at the list and the place alone, so whoever attacks computes the
same ring for every address.

Location swapping as in Zhang, S., Freundschuh, S. M., Lenzer, K. & Zandbergen, P. A. (2017), The
location swapping method for geomasking, Cartography and Geographic Information Science 44(1); the
least number of candidates and the widening are ours.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.wording import Sentence, mark
from ..space.points import QUERY_ROWS, as_points, build_tree

#: Candidates that are looked at in one go: some tenths of a second.
_AT_ONCE = 400_000
UNEQUAL = mark("There are {stored:,} stored places for {points:,} points.")
#: A ring that holds too few is looked at out to this much farther each time.
_FARTHER = 2.0


@dataclass(frozen=True)
class RingRule:
    """Which candidates a place may go to.

    Parameters
    ----------
    least, largest : float
        Distances in the unit of the plane; the least may be 0.
    fewest : int
        At least 2. A ring with fewer candidates is widened, or its places are withheld.
    widen : bool
    same : float
        A candidate no farther than this is the place itself, and none to go to: what projecting
        the list may have moved it by.

    Raises
    ------
    InputError
        If the distances or the number are none.
    """

    least: float
    largest: float
    fewest: int = 20
    widen: bool = True
    same: float = 0.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.largest) and 0 <= self.least < self.largest):
            raise InputError(
                "A ring must go from a distance of 0 or more to a larger one, not from {least:g}"
                " to {largest:g}.",
                least=self.least,
                largest=self.largest,
            )
        if not self.fewest >= 2:
            raise InputError(
                "A place must have at least 2 candidates to go to, not {fewest}: whoever goes to"
                " the only one is found by it.",
                fewest=self.fewest,
            )

    @property
    def hole(self) -> float:
        """Candidates no farther than this are none."""
        below = float(np.nextafter(self.least, 0.0)) if self.least > 0 else 0.0
        return max(below, self.same)


@dataclass(frozen=True, eq=False)
class Rings:
    """Rings of some places.

    Attributes
    ----------
    rule : RingRule
    count : (n,) int64 array
        Candidates in each; 0 where the place has none to go to and is withheld.
    outer : (n,) array
        Distance at which the ring ends.
    widened : (n,) bool array
    """

    rule: RingRule
    count: np.ndarray
    outer: np.ndarray
    widened: np.ndarray

    def taken(self, rows: np.ndarray) -> Rings:
        """Return some of the rings."""
        return Rings(self.rule, self.count[rows], self.outer[rows], self.widened[rows])

    def density(self, rows: np.ndarray, away: np.ndarray) -> np.ndarray:
        """Probability f(y given c) that a place is released at a candidate of its class.

        Parameters
        ----------
        rows : (p,) int array
            Places c: rows of the rings.
        away : (p,) array
            Distance from each to the candidate y.

        Returns
        -------
        (p,) array
            1 / :attr:`count` inside the ring, 0 outside. A probability, not one per square metre.
        """
        count = self.count[rows]
        inside = (away > self.rule.hole) & (away <= self.outer[rows]) & (count > 0)
        return np.where(inside, 1.0 / np.maximum(count, 1), 0.0)


@dataclass(frozen=True, eq=False)
class Candidates:
    """A public list of places, each once within its class; made by :meth:`of`.

    Attributes
    ----------
    of_class : dict
        For each class the places in the plane and as they are stored, (m, 2) each, by the
        stored x, then y, and the rows they have in the list, (m,).
    """

    of_class: dict[Hashable, tuple[np.ndarray, np.ndarray, np.ndarray]]
    _trees: dict[Hashable, Any]

    @classmethod
    def of(
        cls,
        xy: np.ndarray,
        classes: Sequence[Hashable] | None = None,
        stored: np.ndarray | None = None,
    ) -> Candidates:
        """Sort a list, so that the order of its rows does not matter.

        Parameters
        ----------
        xy : (n, 2) array
            In the plane of the places. Of several rows at one place (dwellings of a house) one
            counts, the first of each class.
        classes : sequence of length n, optional
            What candidates share with the places that go there.
        stored : (n, 2) array, optional
            Coordinates as they are stored, by which a candidate is known again; ``xy`` where not
            given.

        Raises
        ------
        InputError
            If there is none, or places and classes differ in number.
        """
        xy = as_points(xy, Sentence("candidates"))
        if len(xy) == 0:
            raise InputError("The list of candidates is empty.")
        known = xy if stored is None else as_points(stored, Sentence("candidates"))
        if len(known) != len(xy):
            raise InputError(UNEQUAL, stored=len(known), points=len(xy))
        rows_of = {None: np.arange(len(xy))} if classes is None else rows_by_class(classes, len(xy))
        found = {}
        for one, rows in rows_of.items():
            order = rows[np.lexsort((rows, known[rows, 1], known[rows, 0]))]
            first = np.ones(len(order), dtype=bool)
            first[1:] = (known[order[1:]] != known[order[:-1]]).any(axis=1)
            order = order[first]
            found[one] = (xy[order], known[order], order)
        return cls(found, {})

    def rings(
        self,
        xy: np.ndarray,
        rule: RingRule,
        classes: Sequence[Hashable] | None = None,
        progress: Progress = silent,
    ) -> Rings:
        """Find the rings of places, be they sensitive ones or an attacker's.

        Parameters
        ----------
        xy : (n, 2) array
            In the plane of the candidates.
        rule : RingRule
        classes : sequence of length n, optional
        progress : callable

        Returns
        -------
        Rings
        """
        xy = as_points(xy)
        count, outer = np.zeros(len(xy), dtype=np.int64), np.full(len(xy), float(rule.largest))
        widened = np.zeros(len(xy), dtype=bool)
        for rows, listed, told in self.by_class(len(xy), classes, progress):
            tree = self._tree(listed)
            near = _counts(tree, xy[rows], np.full(len(rows), rule.hole), part(told, 0.0, 0.2))
            there = _counts(tree, xy[rows], outer[rows], part(told, 0.2, 0.6))
            count[rows] = there - near
            few = count[rows] < rule.fewest
            # A class that is too small for the number has no ring for anybody.
            can = few & rule.widen & (tree.n - near >= rule.fewest)
            count[rows[few]] = 0
            for some, size, ends in _wider(
                tree, xy, rows[can], near[can], rule, part(told, 0.6, 1)
            ):
                count[some], outer[some], widened[some] = size, ends, True
        progress(1.0)
        return Rings(rule, count, outer, widened)

    def by_class(
        self, count: int, classes: Sequence[Hashable] | None, progress: Progress = silent
    ) -> Iterator[tuple[np.ndarray, Hashable, Progress]]:
        """Yield rows of places, the class whose candidates are theirs, and a progress for them.

        Places of a class that no candidate has are left out.
        """
        rows_of = {None: np.arange(count)} if classes is None else rows_by_class(classes, count)
        done = 0
        for one, rows in rows_of.items():
            told = part(progress, done / max(count, 1), (done + len(rows)) / max(count, 1))
            done += len(rows)
            if one in self.of_class and len(rows):
                yield rows, one, told

    def pairs(
        self, xy: np.ndarray, listed: Hashable, outer: np.ndarray, hole: float, progress: Progress
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Yield pairs of a place and a candidate in its ring, for some places at a time.

        Parameters
        ----------
        xy : (n, 2) array
        listed : hashable
            Class of the candidates.
        outer : (n,) array
        hole : float
        progress : callable

        Yields
        ------
        place, candidate : (p,) int arrays
            Sorted by place; rows of :attr:`of_class`.
        away : (p,) array
        """
        tree = self._tree(listed)
        yield from _pairs(tree, xy, outer, hole, progress)

    def _tree(self, listed: Hashable) -> Any:
        if listed not in self._trees:
            self._trees[listed] = build_tree(self.of_class[listed][0])
        return self._trees[listed]


def rows_by_class(classes: Sequence[Hashable], count: int) -> dict[Hashable, np.ndarray]:
    """Rows of each class.

    Raises
    ------
    InputError
        If there is not one class for each of ``count`` places.
    """
    if len(classes) != count:
        raise InputError(
            "There are {classes:,} classes for {places:,} places.",
            classes=len(classes),
            places=count,
        )
    codes: dict[Hashable, int] = {}
    code = np.array([codes.setdefault(one, len(codes)) for one in classes], dtype=np.int64)
    order = np.argsort(code, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(code, minlength=1))[:-1])
    return dict(zip(codes, parts))


def _counts(tree: Any, xy: np.ndarray, reach: np.ndarray, progress: Progress) -> np.ndarray:
    """Candidates within a distance of each place, the distance included."""
    count = np.zeros(len(xy), dtype=np.int64)
    step = max(1, QUERY_ROWS // 64)
    for start in range(0, len(xy), step):
        progress(start / len(xy))
        rows = slice(start, start + step)
        count[rows] = tree.query_ball_point(xy[rows], reach[rows], return_length=True)
    return count


def _wider(
    tree: Any,
    xy: np.ndarray,
    rows: np.ndarray,
    near: np.ndarray,
    rule: RingRule,
    progress: Progress,
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield rows whose rings were widened, with the number of candidates and where they end."""
    reach, whole = float(rule.largest), max(len(rows), 1)
    while len(rows):
        reach *= _FARTHER
        progress(1 - len(rows) / whole)
        there = _counts(tree, xy[rows], np.full(len(rows), reach), silent)
        enough = there - near >= rule.fewest
        done = rows[enough]
        ends = np.full(len(done), reach)
        for place, _, away in _pairs(tree, xy[done], ends, rule.hole, silent):
            progress(1 - len(rows) / whole)
            first = np.flatnonzero(np.diff(place, prepend=-1))
            some = done[place[first]]
            order = np.lexsort((away, place))
            # The tree and we may round a distance on the ring's edge in different ways.
            at = np.minimum(first + rule.fewest, np.append(first[1:], len(place))) - 1
            last = away[order][at]
            number = np.add.reduceat(
                away <= last[np.cumsum(np.diff(place, prepend=-1) > 0) - 1], first
            )
            yield some, number, last
        rows, near = rows[~enough], near[~enough]


def _pairs(
    tree: Any, xy: np.ndarray, outer: np.ndarray, hole: float, progress: Progress
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """See :meth:`Candidates.pairs`."""
    count = _counts(tree, xy, outer, part(progress, 0.0, 0.2))
    before = np.cumsum(count) - count
    start = 0
    while start < len(xy):
        progress(0.2 + 0.8 * start / len(xy))
        stop = int(np.searchsorted(before, before[start] + _AT_ONCE, side="right"))
        stop = max(start + 1, stop - 1) if stop < len(xy) else len(xy)
        lists = tree.query_ball_point(xy[start:stop], outer[start:stop], return_sorted=False)
        size = np.array([len(one) for one in lists], dtype=np.int64)
        place = np.repeat(np.arange(start, stop), size)
        candidate = np.fromiter(chain.from_iterable(lists), np.int64, int(size.sum()))
        gap = tree.data[candidate] - xy[place]
        away = np.hypot(gap[:, 0], gap[:, 1])
        good = (away > hole) & (away <= outer[place])
        yield place[good], candidate[good], away[good]
        start = stop
