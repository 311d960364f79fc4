# SPDX-License-Identifier: GPL-2.0-or-later
"""How likely a mask puts each candidate at each released point: what every attack multiplies.

Only pairs are kept for which it is not zero, point by point. A candidate is an address of a public
list; what its law is follows from public layers (:mod:`...masking.sizes`), for it as for a record.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...masking.law import Law
from ...masking.zones import Zones
from ...runtime.errors import InputError
from ...runtime.memory import refuse_unless_fits
from ...runtime.progress import Progress, part, shares, silent
from ...runtime.rows import lots, starts
from ...runtime.wording import Sentence, number_of
from ...space.points import as_points
from .displaced import Displaced

#: Bytes that a pair takes in the attack: here 12, 16 with what all points tell, and room to move.
_PAIR_BYTES = 36


@dataclass(frozen=True, eq=False)
class Likelihood:
    """f(y | c) of released points y and candidates c, row by row.

    Attributes
    ----------
    candidates : int
        Number of them.
    first : (n + 1,) int64 array
        Where the pairs of each point start.
    candidate : (p,) int32 or int64 array
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
        if len(rows) == self.points and (rows == np.arange(len(rows))).all():
            return self  # each point once: most often so, and there are many pairs
        start, many = self.first[rows], np.diff(self.first)[rows]
        pairs = np.repeat(start - (np.cumsum(many) - many), many) + np.arange(many.sum())
        first = np.concatenate([[0], np.cumsum(many)])
        return Likelihood(self.candidates, first, self.candidate[pairs], self.value[pairs])

    def with_values(self, value: np.ndarray) -> Likelihood:
        """Return the same pairs with other values; those without a likelihood are left out."""
        good = value > 0
        if good.all():
            return Likelihood(self.candidates, self.first, self.candidate, value)
        first = starts(good)[self.first]
        return Likelihood(self.candidates, first, self.candidate[good], value[good])

    def of_people(self, homes: np.ndarray) -> Likelihood:
        """Return, for people at some candidates, how likely each point is one of theirs.

        Parameters
        ----------
        homes : (t,) int array
            The candidate of each person; the same one may come again.

        Returns
        -------
        Likelihood
            With a point for each person, and a candidate for each point of this one.
        """
        asked = np.zeros(self.candidates, dtype=bool)
        asked[homes] = True
        hit = np.flatnonzero(asked[self.candidate])
        hit = hit[np.argsort(self.candidate[hit], kind="stable")]
        start = np.searchsorted(self.candidate[hit], homes)
        many = np.searchsorted(self.candidate[hit], homes, side="right") - start
        within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
        pairs = hit[np.repeat(start, many) + within]
        point = np.searchsorted(self.first, pairs, side="right") - 1
        return Likelihood(self.points, starts(many), point, self.value[pairs])

    @classmethod
    def of_pairs(
        cls, points: int, candidates: int, point: np.ndarray, candidate: np.ndarray, value
    ) -> Likelihood:
        """Put pairs in order; those without a likelihood are left out."""
        value = np.broadcast_to(np.asarray(value, dtype=np.float64), point.shape)
        good = value > 0
        point, candidate, value = point[good], candidate[good], value[good]
        first = starts(np.bincount(point, minlength=points))
        step, ahead = np.diff(point), np.diff(candidate)
        if ((step > 0) | ((step == 0) & (ahead >= 0))).all():  # they are in order
            return cls(candidates, first, candidate.astype(np.int64, copy=False), value)
        order = np.lexsort((candidate, point))
        return cls(candidates, first, candidate[order].astype(np.int64, copy=False), value[order])


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
    pairs = _displaced(released, candidates, law, zones, zone, part(progress, 0.0, 0.1))
    refuse_too_many(pairs.expected())
    many = np.zeros(len(released), dtype=np.int64)
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    for lot in pairs.lots(part(progress, 0.1, 0.8)):
        many[lot.rows] = lot.many
        parts.append((lot.candidate, lot.density))
    found = Likelihood(len(candidates), starts(many), *_joined(parts))
    if zones is not None:
        seen = np.zeros(len(candidates), dtype=bool)
        seen[found.candidate] = True
        share = pairs.shares(seen, part(progress, 0.8, 1.0))
        for _, entries, _ in lots(found.first):
            found.value[entries] = _divided(found.value[entries], share[found.candidate[entries]])
        found = found.with_values(found.value)
    progress(1.0)
    return found


def of_homes(
    released: np.ndarray,
    candidates: np.ndarray,
    law: Law,
    homes: np.ndarray,
    weight: np.ndarray | None = None,
    zones: Zones | None = None,
    zone: np.ndarray | None = None,
    progress: Progress = silent,
) -> tuple[Likelihood, np.ndarray]:
    """Likelihood of a displacement from some candidates, and from anybody.

    It is what adversary B needs, in little memory: pairs of other candidates are added up, some
    points after the other, and not kept.

    Parameters
    ----------
    released, candidates, law, zones, zone, progress
        As in :func:`by_law`.
    homes : (t,) int array
        Candidates at which those live for whom B asks.
    weight : (m,) array, optional

    Returns
    -------
    likelihood : Likelihood
        Of :func:`by_law`, with pairs of homes alone.
    anybody : (n,) array
        Sum of w f(y | c) over all candidates, of each point.
    """
    pairs = _displaced(released, candidates, law, zones, zone, part(progress, 0.0, 0.1))
    count, share = len(candidates), None
    steps = shares(part(progress, 0.1, 1.0), 1 if zones is None else 3)
    if zones is not None:
        seen = np.zeros(count, dtype=bool)
        for lot in pairs.lots(next(steps)):
            seen[lot.candidate] = True
        share = pairs.shares(seen, next(steps))
    asked = np.zeros(count, dtype=bool)
    asked[homes] = True
    many, anybody = np.zeros(len(released), dtype=np.int64), np.zeros(len(released))
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    for lot in pairs.lots(next(steps)):
        candidate, value = lot.candidate, lot.density
        if share is not None:
            value = _divided(value, share[candidate])
        point = np.repeat(np.arange(len(lot.many)), lot.many)
        mass = value if weight is None else value * weight[candidate]
        anybody[lot.rows] = np.bincount(point, mass, minlength=len(lot.many))
        own = asked[candidate] & (value > 0)
        many[lot.rows] = np.bincount(point[own], minlength=len(lot.many))
        parts.append((candidate[own], value[own]))
    progress(1.0)
    return Likelihood(count, starts(many), *_joined(parts)), anybody


def refuse_too_many(pairs: int) -> None:
    """Refuse an attack whose pairs would not fit into memory, before it starts.

    Raises
    ------
    InputError
    """
    refuse_unless_fits(
        pairs * _PAIR_BYTES,
        number_of(
            pairs,
            "pair of a released point and an address that explains it",
            "pairs of a released point and an address that explains it",
        ),
        advice=Sentence(
            "Close other programs, or use a machine with more memory: an attack on some of the "
            "points finds less than one on all of them."
        ),
    )


def _displaced(released, candidates, law, zones, zone, progress) -> Displaced:
    released, candidates = as_points(released), as_points(candidates, Sentence("candidates"))
    if law.count not in (None, len(candidates)):
        raise InputError(
            "There must be one size for each of {candidates}.",
            candidates=number_of(len(candidates), "candidate", "candidates"),
        )
    return Displaced(released, candidates, law, zones, zone, progress)


def _divided(value: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Densities inside zones; none where nothing of a law lies inside."""
    return np.divide(value, share, out=np.zeros(len(value)), where=share > 0)


def _joined(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Join candidates, then values, and let go of the parts."""
    candidate = np.concatenate([np.empty(0, dtype=np.int32), *(one for one, _ in parts)])
    values = [value for _, value in parts]
    parts.clear()
    return candidate, np.concatenate([np.empty(0), *values])


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
    refuse_too_many(there.size * lists.shape[1])
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
    refuse_too_many(int(many.sum()))
    point = np.repeat(np.arange(len(released)), many)
    within = np.arange(len(point)) - np.repeat(np.cumsum(many) - many, many)
    candidate = order[np.repeat(start, many) + within]
    each = 1.0 if value is None else np.asarray(value, dtype=np.float64)[released[point]]
    return Likelihood.of_pairs(len(released), len(area), point, candidate, each)
