# SPDX-License-Identifier: GPL-2.0-or-later
"""The hidden coordinates of a Lipschitz embedding, from the distances that were released.

A released distance is the largest difference of two rows of hidden coordinates, one for each
reference set. With few sets the distances of some tens of records leave one way only to choose these
coordinates, but for their order, their sides and where they begin. (Of one set they can be read off:
the distances to whoever is at an end of the line.)

1. Classical scaling gives coordinates whose Euclidean distances are near the released ones.
2. From there sums of powers lead to the maximum: with the fourth power all coordinates count, with
   the 128th nearly the largest alone. Each is fitted from where the one before ended (Nocedal 1980).
3. Once it is settled which coordinate is the largest of which pair, what is left is linear.

Classical scaling does not know how its axes have to lie: it begins anew with others until it fits,
or comes to the same again.
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, part, silent
from .largest_differences import misfit

#: How often it begins with other axes, with few and with many sets, and how many are few.
_TRIES, _TRIES_MANY, _FEW = 12, 4, 5
#: Error, as a share of the mean distance, below which coordinates are as good as exact.
_EXACT = 2e-3
#: By how much less an error has to be to be another: who comes to the same again has it.
_SAME = 0.02
#: Binary logarithms of the powers, and steps of the fit with each.
_POWERS, _STEPS = (2, 3, 4, 5, 7), 120
#: Rounds of fitting the largest coordinates.
_LINEAR = 8
#: Noise on where it begins, as a share of the mean distance.
_NOISE = 0.02


def recover(
    square: np.ndarray, sets: int, rng: np.random.Generator, progress: Progress = silent
) -> tuple[np.ndarray, float]:
    """Find coordinates whose largest differences are given distances.

    Parameters
    ----------
    square : (n, n) array
        Distances, symmetric.
    sets : int
        How many coordinates.
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    (n, sets) array
        Up to their order, their signs, and a shift of each.
    float
        Root mean square error of the distances, as a share of their mean; infinite where all
        distances are nothing.
    """
    count = len(square)
    mean = float(square.sum()) / max(count * (count - 1), 1)
    if not mean > 0:
        return np.zeros((count, sets)), float("inf")
    given = square / mean
    if sets == 1:
        end = int(np.unravel_index(given.argmax(), given.shape)[0])
        first = given[end][None].copy()
        found, error = _settled(given, first)
    else:
        found, error = _fitted(given, sets, rng, progress)
    progress(1.0)
    return found.T * mean, error


def _fitted(
    given: np.ndarray, sets: int, rng: np.random.Generator, progress: Progress
) -> tuple[np.ndarray, float]:
    """Begin again and again, and return the best, (sets, n), and its error."""
    from scipy.optimize import minimize

    base = _classical(given, sets)
    tries = _TRIES if sets <= _FEW else _TRIES_MANY
    best, least = base, 1e300
    for number in range(tries):
        turn = np.linalg.qr(rng.normal(size=(sets, sets)))[0]
        found = turn @ base + _NOISE * rng.normal(size=base.shape)
        for stage, squarings in enumerate(_POWERS):
            at = (number + stage / len(_POWERS)) / tries
            found = minimize(
                _misfit,
                found.ravel(),
                (given, sets, squarings, part(progress, at, at)),
                jac=True,
                method="L-BFGS-B",
                options={"maxiter": _STEPS},
            ).x.reshape(sets, -1)
        found, error = _settled(given, found)
        again = abs(error - least) <= _SAME * least
        if error < least:
            best, least = found, error
        if least < _EXACT or again:
            break
    return best, least


def _classical(given: np.ndarray, sets: int) -> np.ndarray:
    """Classical scaling (Torgerson 1952): (sets, n)."""
    count = len(given)
    centre = np.eye(count) - 1 / count
    value, vector = np.linalg.eigh(-0.5 * centre @ given**2 @ centre)
    kept = min(sets, count)
    base = np.zeros((sets, count))
    base[:kept] = (vector[:, -kept:] * np.sqrt(np.maximum(value[-kept:], 1e-9))).T
    return base


def _misfit(
    flat: np.ndarray, given: np.ndarray, sets: int, squarings: int, progress: Progress
) -> tuple[float, np.ndarray]:
    """Mean squared error of distances by the power 2 ** squarings, and its slope."""
    progress(0.0)
    value, slope = misfit(flat.reshape(sets, -1), given, squarings)
    pairs = given.shape[0] * (given.shape[0] - 1)
    return value / pairs, (4 / pairs) * slope.ravel()


def _settled(given: np.ndarray, found: np.ndarray) -> tuple[np.ndarray, float]:
    """Fit coordinates to the distances of the pairs of which they are the largest."""
    error = _error(given, found)
    for _ in range(_LINEAR):
        apart = found[:, :, None] - found[:, None, :]
        largest = np.abs(apart).argmax(axis=0)
        better = np.empty_like(found)
        for number, place in enumerate(found):
            pairs = (largest == number).astype(np.float64)
            np.fill_diagonal(pairs, 0.0)
            # A coordinate that is the largest of no pair of somebody stays where it is.
            stay = 1e-9
            matrix = np.diag(pairs.sum(axis=1) + stay) - pairs
            wanted = (pairs * np.sign(apart[number]) * given).sum(axis=1)
            better[number] = np.linalg.solve(matrix, wanted + stay * place)
        now = _error(given, better)
        if not now < error:
            break
        found, error = better, now
    return found, error


def _error(given: np.ndarray, found: np.ndarray) -> float:
    """Root mean square error of the largest differences."""
    miss = np.abs(found[:, :, None] - found[:, None, :]).max(axis=0) - given
    np.fill_diagonal(miss, 0.0)
    return float(np.sqrt(np.square(miss).sum() / (len(given) * (len(given) - 1))))
