# SPDX-License-Identifier: GPL-2.0-or-later
"""The law of another tool's mask, as it is seen on points that it moved.

An adversary who has the tool masks public points with it, and sees how far each went. That is a law:
shares of the distances in rings of equal numbers, even by area within a ring. Where the tool moves
points farther in the country than in towns, distances are told in units of the distance to the k-th
address of the list; whether they are, and with which k, is settled by how well the law of one half of
the pairs foretells the other half. A shift that all points share is taken off before, and known to
the adversary.

Beyond what was seen little is left: one pair more than there are, half of it within the shortest
distance seen and half up to a quarter beyond the longest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from ...masking.law import Law, Numbers
from ...masking.sizes import Neighbours
from ...runtime.errors import InputError
from ...runtime.progress import Progress, part, silent
from ...runtime.wording import number_of
from ...space.points import as_points, places
from .each_by_itself import seen

#: Fewest pairs that tell a law; numbers of addresses by which distances may be told.
LEAST = 50
_KS = (5, 20, 50, 100)
#: Standard errors from which on a mean shift, or a better law, is no chance.
_SURE, _BETTER = 5.0, 3.0
_BEYOND = 1.25
#: Metres below which a point has not moved: what files and projections leave.
STILL = 0.01
#: F of a shift that grows or turns with the place (2 parameters more for each axis): by chance one
#: in 10 million files of 50 pairs exceeds it.
_TURNED = 25.0


@dataclass(frozen=True, eq=False)
class ObservedLaw(Law):
    """Rings with shares of the distances, each even by area.

    Attributes
    ----------
    edges : tuple of float
        Where rings begin and end, from 0, in units of the size.
    shares : tuple of float
        One fewer.
    size : float or (n,) array
        Of one or of each point, metres.
    still : bool
        Whether some points did not move: who is where an address is, is from there.
    """

    name: ClassVar[str] = "observed"
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    size: Numbers
    still: bool = False

    @classmethod
    def of_distances(cls, distance: np.ndarray, size: Numbers = 1.0) -> ObservedLaw:
        """Return the law of distances, in units of the sizes that other points will have."""
        count = len(distance)
        rings = int(np.clip(np.sqrt(count) / 1.5, 4, 40))
        seen = np.quantile(distance, np.linspace(0.0, 1.0, rings + 1))
        top = float(seen[-1])
        # Distances that are all the same are rings of some width.
        least = max(1e-6 * top, 1e-9)
        edges = np.concatenate([[0.0], seen, [_BEYOND * top + least]])
        edges[1] = max(edges[1] - least, 0.0)
        edges = np.maximum.accumulate(edges + least * np.arange(len(edges)) * (edges > 0))
        inner = np.histogram(distance, edges)[0].astype(np.float64)
        inner[0] += 0.5
        inner[-1] += 0.5
        if edges[1] <= edges[0]:
            edges, inner = np.delete(edges, 1), np.concatenate([[inner[:2].sum()], inner[2:]])
        return cls(tuple(edges.tolist()), tuple((inner / inner.sum()).tolist()), size)

    def _density_of(self, told: np.ndarray) -> np.ndarray:
        """Density per squared size at distances in sizes."""
        edges, shares = np.array(self.edges), np.array(self.shares)
        per_area = shares / (np.pi * np.diff(edges**2))
        ring = np.searchsorted(edges, told, side="right") - 1
        return np.where(ring < len(shares), per_area[np.clip(ring, 0, len(shares) - 1)], 0.0)

    def density(self, distance: np.ndarray) -> np.ndarray:
        """See :class:`.Law`."""
        with np.errstate(invalid="ignore", divide="ignore"):
            found = self._density_of(np.asarray(distance) / self.size) / np.square(self.size)
        found = np.where(np.isfinite(found), found, 0.0)
        if self.still:
            found = np.where(np.asarray(distance) <= STILL, np.inf, found)
        return found

    def within(self, distance: np.ndarray) -> np.ndarray:
        """See :class:`.Law`."""
        told = np.asarray(distance, dtype=np.float64) / self.size
        area = np.square(np.array(self.edges))
        whole = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.interp(np.square(told), area, whole)

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """See :class:`.Law`."""
        area = np.square(np.array(self.edges))
        whole = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.sqrt(np.interp(share, whole, area)) * self.size

    @property
    def mean_shift(self) -> Numbers:
        """See :class:`.Law`."""
        edges = np.array(self.edges)
        middle = 2 / 3 * np.diff(edges**3) / np.maximum(np.diff(edges**2), 1e-300)
        return float(np.dot(middle, self.shares)) * self.size

    def reach(self, tail: float = 1e-12) -> Numbers:
        """See :class:`.Law`."""
        return self.edges[-1] * self.size


@dataclass(frozen=True)
class Observed:
    """What was seen of a mask.

    Attributes
    ----------
    law : ObservedLaw
        With a size for each candidate, or one for all.
    shift : (2,) array
        That all points share; 0 where there is none.
    k : int or None
        Addresses by which distances are told; None for metres.
    pairs : int
    turn : (2, 2) array
        By which all points were turned, stretched or skewed besides; the unit matrix for none.
    uneven : str or None
        What the law leaves out, where points did not move each by itself in any direction; see
        :mod:`.each_by_itself`.
    """

    law: ObservedLaw
    shift: np.ndarray
    k: int | None
    pairs: int
    turn: np.ndarray
    uneven: str | None = None

    def undone(self, xy: np.ndarray) -> np.ndarray:
        """Take off what all points share, (n, 2)."""
        return np.linalg.solve(self.turn, (xy - self.shift).T).T


def observe(
    before: np.ndarray, after: np.ndarray, candidates: np.ndarray, progress: Progress = silent
) -> Observed:
    """Find the law of a mask by points that it moved.

    Parameters
    ----------
    before, after : (n, 2) arrays
        The same points, metres.
    candidates : (m, 2) array
        Distinct addresses, metres of the same plane.
    progress : callable

    Raises
    ------
    InputError
        If there are fewer than 50 pairs, or hardly any moved.
    """
    before, after = as_points(before), as_points(after)
    if len(before) < LEAST:
        raise InputError(
            "There are {pairs} of a point before and after the mask; at least {least} are needed "
            "to see how it moves points. Mask more public points with it.",
            pairs=number_of(len(before), "pair", "pairs"),
            least=LEAST,
        )
    turn, moved = _turned(before, after)
    if turn is not None:
        step = np.linalg.solve(turn, (after - moved).T).T - before
        return _law_of(before, step, candidates, moved, turn, progress)
    step = after - before
    error = step.std(axis=0) / np.sqrt(len(step))
    mean = np.median(step, axis=0) if (error == 0).any() else step.mean(axis=0)
    shift = mean if np.hypot(*mean) > _SURE * np.hypot(*error) else np.zeros(2)
    if not shift.any() and np.mean(np.hypot(*step.T) <= 0) > 0.5:
        raise InputError(
            "More than half of the points did not move between the two layers: these are not the "
            "points before and after a mask."
        )
    return _law_of(before, step - shift, candidates, shift, np.eye(2), progress)


def _turned(before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Turn and shift of an affine map by least squares; None where a shift does as well."""
    middle, extent = before.mean(axis=0), float(np.ptp(before, axis=0).max())
    if not extent:  # all at one place: a turn cannot be seen
        return None, np.zeros(2)
    own = np.column_stack([np.ones(len(before)), (before - middle) / extent])
    step = after - before
    fitted = np.linalg.lstsq(own, step, rcond=None)[0]
    left = np.square(step - own @ fitted).sum(axis=0)
    plain = np.square(step - step.mean(axis=0)).sum(axis=0)
    noise = np.maximum(left / (len(before) - 3), (1e-9 * extent) ** 2)
    if ((plain - left) / 2 / noise).max() <= _TURNED:
        return None, np.zeros(2)
    turn = np.eye(2) + fitted[1:].T / extent
    if abs(np.linalg.det(turn)) < 1e-6:  # all on a line: nothing that can be undone
        return None, np.zeros(2)
    return turn, fitted[0] + middle - turn @ middle


def _law_of(
    before: np.ndarray,
    step: np.ndarray,
    candidates: np.ndarray,
    shift: np.ndarray,
    turn: np.ndarray,
    progress: Progress,
) -> Observed:
    """The law of what is left without the shift that all share."""
    away = np.hypot(*step.T)
    ks = [k for k in _KS if k < len(candidates)]
    told = Neighbours(candidates)
    sizes = (
        told.distances(before, ks, part(progress, 0.0, 0.4)) if ks else np.empty((len(before), 0))
    )
    halves = np.random.default_rng(0).permutation(len(before)) % 2
    plain, best, found = _foretold(away, np.ones(len(away)), halves), 0.0, None
    for column in range(len(ks)):
        size = sizes[:, column]
        if (size > 0).all() and np.isfinite(size).all():
            more = _foretold(away, size, halves) - plain
            surely = more.mean() - _BETTER * more.std() / np.sqrt(len(more))
            if surely > 0 and more.mean() > best:
                best, found = more.mean(), column
    still = bool((away <= STILL).any() and (away > STILL).any())
    if found is None:
        law = replace(ObservedLaw.of_distances(away), still=still)
        return Observed(law, shift, None, len(away), turn, _uneven(before, step, away, candidates))
    own = told.distances(candidates, [ks[found]], part(progress, 0.4, 1.0))[:, 0]
    told_by = away / sizes[:, found]
    law = replace(ObservedLaw.of_distances(told_by, own), still=still)
    uneven = _uneven(before, step, told_by, candidates)
    return Observed(law, shift, ks[found], len(away), turn, uneven)


def _uneven(
    before: np.ndarray, step: np.ndarray, away: np.ndarray, candidates: np.ndarray
) -> str | None:
    """What distances leave out, by one step of each place."""
    at = places(before)
    first = np.unique(at.of_point, return_index=True)[1]
    order = np.argsort(np.argsort(away[first], kind="stable"), kind="stable")
    return seen(before[first], step[first], (order + 0.5) / len(first), candidates)


def _foretold(away: np.ndarray, size: np.ndarray, halves: np.ndarray) -> np.ndarray:
    """Logarithm of the density of each pair by the law of the other half, (n,)."""
    found = np.empty(len(away))
    for half in (0, 1):
        own = halves == half
        law = ObservedLaw.of_distances((away / size)[~own], size[own])
        found[own] = np.log(np.maximum(law.density(away[own]), 1e-30))
    return found
