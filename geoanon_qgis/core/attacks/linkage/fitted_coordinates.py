# SPDX-License-Identifier: GPL-2.0-or-later
"""The hidden coordinates of an embedding with more sets, as the law of fields would have them.

With a dozen sets and more the distances of some tens of records leave many ways to choose coordinates
(:mod:`.embedding_coordinates` finds one of them, and mostly another one). Not all of them are as
probable: how far people are from a set varies together (:mod:`.field_law`), and whom a record may be
is known by its labels. So the coordinates are sought that fit the distances and the law at the same
time, each record being a mixture of those whom it may be. Which of them it is they tell then.

Coordinates are counted by what is independent in the law, so that one step is as far for those who
live together as for those who do not. Sums of powers lead to the maximum, as they do without a law;
powers of two, whose roots are square roots: these are the same to the last digit compiled and in
NumPy, and so are the coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress, part, silent
from .field_law import FieldLaw

#: Binary logarithms of the powers; by how many times more distances may be off with each, and steps of the fit.
_STAGES = ((2, 4.0, 60), (3, 4.0, 60), (4, 2.0, 60), (5, 2.0, 60), (7, 1.0, 120))
#: By how much distances may be off, by the standard deviation of a field.
_OFF = 0.05
#: Variance of a record's own, as a share of the mean one: else the law of those who look alike is singular.
_OWN = 2e-3
#: Least difference, by the standard deviation: nobody is divided by nothing.
_NOTHING = 1e-12


@dataclass(frozen=True, eq=False)
class RecordLaw:
    """What a field is like at records, whoever of some people each of them is.

    Attributes
    ----------
    mean : (n,) array
    root : (n, n) array
        A root of the covariance: what it makes of independent values varies as a field does.
    size : float
        Standard deviation of a field.
    """

    mean: np.ndarray
    root: np.ndarray
    size: float

    @classmethod
    def of(cls, law: FieldLaw, weights: np.ndarray) -> RecordLaw:
        """Mix people as they may be who each record is.

        Parameters
        ----------
        law : FieldLaw
        weights : (n1, n2) array
            How probably each record is each person; what is left to one, that it is nobody of them.
        """
        people = len(law.mean)
        alone, together = law.strangers
        covariance = np.empty((people + 1, people + 1))
        covariance[:people, :people] = law.covariance
        covariance[:people, people] = covariance[people, :people] = law.with_stranger
        covariance[people, people] = together
        mean = np.append(law.mean, law.stranger)
        square = np.append(law.covariance.diagonal(), alone) + mean**2
        share = np.column_stack([weights, np.maximum(1.0 - weights.sum(axis=1), 0.0)])
        usual = share @ mean
        mixed = share @ covariance @ share.T
        # Two records vary as those do whom they may be; one varies also by which of them it is.
        mixed[np.diag_indices(len(mixed))] = share @ square - usual**2
        size = float(law.covariance.trace()) / people
        value, vector = np.linalg.eigh(mixed)
        root = vector * np.sqrt(np.maximum(value, 0.0) + _OWN * size)
        return cls(usual, root, float(np.sqrt(size)))


def equal_weights(allowed: np.ndarray, common: int) -> np.ndarray:
    """Share each record out among those whom it may be, if so many have a person: (n1, n2)."""
    choice = np.maximum(np.count_nonzero(allowed, axis=1), 1)
    return allowed * (min(common / len(allowed), 1.0) / choice)[:, None]


def fitted(
    square: np.ndarray,
    sets: int,
    law: RecordLaw,
    rng: np.random.Generator,
    progress: Progress = silent,
    starts: int = 2,
) -> tuple[np.ndarray, float]:
    """Find probable coordinates whose largest differences are near given distances.

    Parameters
    ----------
    square : (n, n) array
        Distances, symmetric, nothing from a record to itself.
    sets : int
        How many coordinates.
    law : RecordLaw
    rng : numpy.random.Generator
    progress : Progress
    starts : int
        How often it begins anywhere; what fits best is kept.

    Returns
    -------
    (sets, n) array
        Up to their order and their signs.
    float
        Root mean square error of the distances, by their mean; infinite where all are nothing.
    """
    from scipy.optimize import minimize

    count, mean = len(square), float(square.mean())
    if not mean > 0:
        return np.repeat(law.mean[None], sets, axis=0), float("inf")
    best, least = np.zeros((sets, count)), np.inf
    whole = sum(steps for _, _, steps in _STAGES)
    misfit = _Misfit(square, law)
    for start in range(starts):
        found, done = rng.normal(size=(sets, count)), 0
        for squarings, wider, steps in _STAGES:
            at = (start + done / whole) / starts
            answer = minimize(
                misfit,
                found.ravel(),
                (squarings, wider, part(progress, at, at)),
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": steps},
            )
            found, done = answer.x.reshape(sets, count), done + steps
        if answer.fun < least:
            best, least = misfit.place(found), float(answer.fun)
    progress(1.0)
    off = np.abs(best[:, :, None] - best[:, None, :]).max(axis=0) - square
    return best, float(np.sqrt(np.square(off).sum() / (count * (count - 1))) / mean)


class _Misfit:
    """How far coordinates are from distances and from the law, and the slope of it."""

    def __init__(self, square: np.ndarray, law: RecordLaw):
        self._law = law
        self._given = np.ascontiguousarray(square / law.size)
        self._root = law.root / law.size
        self._mean = law.mean / law.size

    def place(self, free: np.ndarray) -> np.ndarray:
        """Return coordinates, (sets, n), of what is independent in the law."""
        return (self._mean + free @ self._root.T) * self._law.size

    def __call__(
        self, flat: np.ndarray, squarings: int, wider: float, progress: Progress
    ) -> tuple[float, np.ndarray]:
        progress(0.0)
        free = flat.reshape(-1, len(self._given))
        place = self._mean + free @ self._root.T
        value, slope = misfit(place, self._given, squarings)
        # Each pair is there twice, and both of its ends move.
        weight = 1.0 / (_OFF * wider) ** 2
        return (
            0.25 * weight * value + 0.5 * float(flat @ flat),
            (weight * (slope @ self._root) + free).ravel(),
        )


def misfit(place: np.ndarray, given: np.ndarray, squarings: int) -> tuple[float, np.ndarray]:
    """Sum the squared errors of distances by a power, 2 ** squarings, over both orders of pairs.

    Returns
    -------
    float
    (sets, n) array
        A quarter of the slope of it.
    """
    value, slope = np.zeros(len(given)), np.zeros_like(place)
    (_row_by_row if accel.enabled() else _at_once)(place, given, squarings, value, slope)
    return float(value.sum()), slope


@accel.kernel
def _row_by_row(place, given, squarings, value, slope):
    """Add one row of distances after the other; the inner loops are as long as a row."""
    sets, count = place.shape
    odd = np.empty((sets, count))
    even, scale, total, pull = np.empty((4, count))
    for j in range(count):
        scale[:] = _NOTHING
        for s in range(sets):
            for i in range(count):
                scale[i] = max(scale[i], abs(place[s, i] - place[s, j]))
        total[:] = 0.0
        for s in range(sets):
            for i in range(count):
                odd[s, i] = (place[s, i] - place[s, j]) / scale[i]
                even[i] = odd[s, i] * odd[s, i]
            for _ in range(squarings - 1):
                for i in range(count):
                    odd[s, i] *= even[i]
                    even[i] *= even[i]
            for i in range(count):
                total[i] += even[i]
        total[j] = 1.0
        for i in range(count):
            pull[i] = total[i]
        for _ in range(squarings):
            for i in range(count):
                pull[i] = np.sqrt(pull[i])
        scale[j] = 0.0
        for i in range(count):
            miss = scale[i] * pull[i] - given[j, i]
            value[i] += miss * miss
            pull[i] = miss * pull[i] / max(total[i], 1e-300)
        for s in range(sets):
            for i in range(count):
                slope[s, i] += pull[i] * odd[s, i]


def _at_once(place, given, squarings, value, slope):
    """Add all rows of distances, in the same order; the same as :func:`_row_by_row`."""
    apart = place.T[:, :, None]  # so that sums go over the first axis, one row after the other
    apart = place[None] - apart
    scale = np.maximum(np.abs(apart).max(axis=1), _NOTHING)
    apart /= scale[:, None]
    even = apart * apart
    for _ in range(squarings - 1):
        apart *= even
        even *= even
    total = np.zeros_like(given)
    for s in range(len(place)):
        total += even[:, s]
    np.fill_diagonal(total, 1.0)
    root = total.copy()
    for _ in range(squarings):
        np.sqrt(root, out=root)
    np.fill_diagonal(scale, 0.0)
    miss = scale * root - given
    pull = miss * root / np.maximum(total, 1e-300)
    for j in range(len(given)):
        value += miss[j] * miss[j]
        slope += pull[j] * apart[j]
