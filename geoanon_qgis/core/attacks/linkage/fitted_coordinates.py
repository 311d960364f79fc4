# SPDX-License-Identifier: GPL-2.0-or-later
"""The hidden coordinates of an embedding with more sets, as the law of fields would have them.

With a dozen sets and more the distances of some tens of records leave many ways to choose coordinates
(:mod:`.embedding_coordinates` finds one of them, and mostly another one). Not all of them are as
probable: how far people are from a set varies together (:mod:`.field_law`), and whom a record may be
is known by its labels. So the coordinates are sought that fit the distances and the law at the same
time, each record being a mixture of those whom it may be. Which of them it is they tell then.

Coordinates are counted by what is independent in the law, so that one step is as far for those who
live together as for those who do not.
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, part, silent
from .largest_differences import misfit
from .record_law import RecordLaw

#: Binary logarithms of the powers; by how many times more distances may be off with each, and steps of the fit.
_STAGES = ((2, 4.0, 60), (3, 4.0, 60), (4, 2.0, 60), (5, 2.0, 60), (7, 1.0, 120))
#: By how much distances may be off, by the standard deviation of a field.
_OFF = 0.05


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
    apart = _Apart(square, law)
    for start in range(starts):
        found, done = rng.normal(size=(sets, count)), 0
        for squarings, wider, steps in _STAGES:
            at = (start + done / whole) / starts
            answer = minimize(
                apart,
                found.ravel(),
                (squarings, wider, part(progress, at, at)),
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": steps},
            )
            found, done = answer.x.reshape(sets, count), done + steps
        if answer.fun < least:
            best, least = apart.place(found), float(answer.fun)
    progress(1.0)
    off = np.abs(best[:, :, None] - best[:, None, :]).max(axis=0) - square
    return best, float(np.sqrt(np.square(off).sum() / (count * (count - 1))) / mean)


class _Apart:
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
