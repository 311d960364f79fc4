# SPDX-License-Identifier: GPL-2.0-or-later
"""How likely a mask puts each candidate at each released point: what every attack multiplies.

Only pairs are kept for which it is not zero, point by point. A candidate is an address of a public
list; what its law is follows from public layers (:mod:`...masking.sizes`), for it as for a record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...masking.law import Law
from ...masking.zones import Zones, shares_inside
from ...runtime.errors import InputError
from ...runtime.progress import Progress, chunks, part, silent
from ...runtime.wording import Sentence, number_of
from ...space.points import as_points, build_tree

#: Pairs that are looked at in one go, and points that are asked for at once.
_PAIRS, _POINTS = 2_000_000, 2_000
#: Share of a law that may lie beyond the candidates that are looked at: less than any draw tells.
_TAIL = 1e-9


@dataclass(frozen=True, eq=False)
class Likelihood:
    """f(y | c) of released points y and candidates c, row by row.

    Attributes
    ----------
    candidates : int
        Number of them.
    first : (n + 1,) int64 array
        Where the pairs of each point start.
    candidate : (p,) int64 array
        Ascending within a point.
    value : (p,) array
        Above zero; all per square metre, or all probabilities.
    """

    candidates: int
    first: np.ndarray
    candidate: np.ndarray
    value: np.ndarray

    @property
    def points(self) -> int:
        """Number of released points."""
        return len(self.first) - 1

    @property
    def point(self) -> np.ndarray:
        """The point of each pair, (p,)."""
        return np.repeat(np.arange(self.points), np.diff(self.first))

    def taken(self, rows: np.ndarray) -> Likelihood:
        """Return the likelihood of some points, in their order; a point may come twice."""
        start, many = self.first[rows], np.diff(self.first)[rows]
        pairs = np.repeat(start - (np.cumsum(many) - many), many) + np.arange(many.sum())
        first = np.concatenate([[0], np.cumsum(many)])
        return Likelihood(self.candidates, first, self.candidate[pairs], self.value[pairs])

    @classmethod
    def of_pairs(
        cls, points: int, candidates: int, point: np.ndarray, candidate: np.ndarray, value
    ) -> Likelihood:
        """Put pairs in order; those without a likelihood are left out."""
        value = np.broadcast_to(np.asarray(value, dtype=np.float64), point.shape)
        good = value > 0
        point, candidate, value = point[good], candidate[good], value[good]
        order = np.lexsort((candidate, point))
        first = np.searchsorted(point[order], np.arange(points + 1))
        return cls(candidates, first, candidate[order].astype(np.int64), value[order])


def by_law(
    released: np.ndarray,
    candidates: np.ndarray,
    law: Law,
    zones: Zones | None = None,
    zone: np.ndarray | None = None,
    progress: Progress = silent,
) -> Likelihood:
    """Likelihood of a displacement.

    Parameters
    ----------
    released : (n, 2) array
        In metres of the plane of the mask.
    candidates : (m, 2) array
    law : Law
        With a value for all candidates, or for each: theta(c), from public layers.
    zones : Zones, optional
    zone : (m,) int array, optional
        Zone of each candidate, below zero for none; the first one for all where it is not given.
    progress : callable

    Returns
    -------
    Likelihood
        f(y | c), the law's density, divided by its share Z(c) in the zone of c and zero outside.
    """
    released, candidates = as_points(released), as_points(candidates, Sentence("candidates"))
    count = len(candidates)
    if law.count not in (None, count):
        raise InputError(
            "There must be one size for each of {candidates}.",
            candidates=number_of(count, "candidate", "candidates"),
        )
    possible = np.broadcast_to(law.possible, count)
    own = np.zeros(count, dtype=np.intp) if zone is None else np.asarray(zone, dtype=np.intp)
    if zones is not None:
        possible = possible & (own >= 0)
    reach = np.broadcast_to(np.asarray(law.reach(_TAIL), dtype=np.float64), count)
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    groups = list(_alike(np.flatnonzero(possible), reach))
    for number, rows in enumerate(groups):
        told = part(progress, 0.9 * number / len(groups), 0.9 * (number + 1) / len(groups))
        for point, candidate, away in _near(released, candidates, rows, reach, told):
            value = law.of(candidate).density(away)
            good = value > 0
            parts.append((point[good], candidate[good], value[good]))
    none = np.empty(0, dtype=np.intp)
    point, candidate = (np.concatenate([none, *(one[i] for one in parts)]) for i in (0, 1))
    value = np.concatenate([np.empty(0), *(one[2] for one in parts)])
    if zones is not None and len(point):
        inside = np.concatenate(
            [
                zones.contain(released[point[some]], own[candidate[some]])
                for some in chunks(len(point), _PAIRS, silent)
            ]
        )
        point, candidate, value = point[inside], candidate[inside], value[inside]
        used = np.unique(candidate)
        share = np.zeros(count)
        share[used] = shares_inside(
            candidates[used], law.of(used), zones, own[used], part(progress, 0.9, 1.0)
        )
        with np.errstate(divide="ignore"):
            value = np.where(share[candidate] > 0, value / share[candidate], 0.0)
    progress(1.0)
    return Likelihood.of_pairs(len(released), count, point, candidate, value)


def _alike(rows: np.ndarray, reach: np.ndarray) -> Iterator[np.ndarray]:
    """Candidates that reach about as far as each other: a tree for each lot has few far pairs."""
    if not len(rows):
        return
    octave = np.floor(np.log2(reach[rows]))
    for one in np.unique(octave):
        yield rows[octave == one]


def _near(
    released: np.ndarray,
    candidates: np.ndarray,
    rows: np.ndarray,
    reach: np.ndarray,
    progress: Progress,
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Pairs of a point and a candidate that reaches it, with their distances."""
    tree, far = build_tree(candidates[rows]), float(reach[rows].max())
    # Dense places have many pairs: the lots are as large as the first one tells.
    step, start = _POINTS, 0
    while start < len(released):
        some = released[start : start + step]
        found = build_tree(some).sparse_distance_matrix(tree, far, output_type="ndarray")
        point, candidate = found["i"] + start, rows[found["j"]]
        good = found["v"] <= reach[candidate]
        yield point[good], candidate[good], found["v"][good]
        start += step
        step = int(np.clip(_PAIRS * len(some) // max(1, len(found)), 1, 50_000))
        progress(min(1.0, start / len(released)))


def by_lists(
    released: np.ndarray, lists: np.ndarray, candidates: int, value: float | np.ndarray
) -> Likelihood:
    """Likelihood of a mask that releases at addresses, each of which few lead to.

    Parameters
    ----------
    released : (n,) int array
        The address where each point is, below zero for none.
    lists : (m, k) int array
        Candidates that lead to each address; below zero for none.
    candidates : int
    value : float or (m,) array
        The probability with which one does, for all or for each address.
    """
    there = np.flatnonzero(released >= 0)
    of = lists[released[there]]
    point = np.repeat(there, of.shape[1])
    each = np.broadcast_to(np.asarray(value, dtype=np.float64), len(lists))[released[there]]
    flat, value = of.ravel(), np.repeat(each, of.shape[1])
    good = flat >= 0
    return Likelihood.of_pairs(len(released), candidates, point[good], flat[good], value[good])


def by_areas(released: np.ndarray, area: np.ndarray, value: np.ndarray | None = None) -> Likelihood:
    """Likelihood of a mask under which all of an area lead to the same points.

    Parameters
    ----------
    released : (n,) int array
        Area of each point, below zero for none.
    area : (m,) int array
        Area of each candidate, below zero for none.
    value : (areas,) array, optional
        Density of an area; one where it is left out.
    """
    order = np.argsort(area, kind="stable")
    start = np.searchsorted(area[order], released)
    many = np.searchsorted(area[order], released, side="right") - start
    many[released < 0] = 0
    point = np.repeat(np.arange(len(released)), many)
    within = np.arange(len(point)) - np.repeat(np.cumsum(many) - many, many)
    candidate = order[np.repeat(start, many) + within]
    each = 1.0 if value is None else np.asarray(value, dtype=np.float64)[released[point]]
    return Likelihood.of_pairs(len(released), len(area), point, candidate, each)
