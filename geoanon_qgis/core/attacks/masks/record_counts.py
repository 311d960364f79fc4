# SPDX-License-Identifier: GPL-2.0-or-later
"""How many records a home of the file has: what the records that are put together say of it.

The records of a home beyond its first are taken to be negative binomial, from none at all (each home has
one record) to Poisson, or to vary less than that, up to next to the same number everywhere: with a
probability of a Poisson number's to a power, and divided by what these add up to (Conway, R. W. & Maxwell,
W. L. (1962), A queuing model with state dependent service rates, Journal of Industrial Engineering 12).
Where each home has two and he took the number to vary as Poisson's does, he would see homes of three in
pairs and a third that is near. Mean and shape are worked out besides, evenly over their logarithms
beforehand, so that nobody has to tell whether homes have several records.
"""

from __future__ import annotations

from functools import cache

import numpy as np

#: Means that are possible of the records beyond the first, and shapes; with 1e4 it is Poisson. Those below
#: zero are powers of it.
_MEANS = np.exp(np.linspace(np.log(1e-3), np.log(30.0), 32))
_SHAPES = np.array([0.5, 1.0, 3.0, 10.0, 1e4, -2.0, -4.0, -8.0])
_POISSON = 4
_BETWEEN = np.geomspace(1 / (_MEANS[1] / _MEANS[0]), _MEANS[1] / _MEANS[0], 81)
#: Records of a home that are told apart.
_MOST = 400


def _log_chances(means: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """Logarithm of the probability of 1, 2, ... records, (means, shapes, _MOST)."""
    log = np.empty((len(means), len(shapes), _MOST))
    varied = shapes > 0
    log[:, varied] = _varied(means, shapes[varied])
    for at in np.flatnonzero(~varied):
        log[:, at] = _powers(np.interp(np.log(means), *_bases(-shapes[at])), -shapes[at])
    return log


def _varied(means: np.ndarray, shapes: np.ndarray) -> np.ndarray:
    """Of negative binomial numbers beyond the first."""
    more, mean, shape = np.arange(_MOST - 1), means[:, None, None], shapes[:, None]
    # Gamma(s + j) / (Gamma(s) j!), factor by factor.
    steps = np.cumsum(np.log((shape + more) / (more + 1)), axis=1)
    ways = np.concatenate([np.zeros((len(shapes), 1)), steps], axis=1)
    beyond = np.arange(_MOST) * np.log(mean / (mean + shape))
    return ways + beyond + shape * np.log(shape / (mean + shape))


def _powers(log_base: np.ndarray, power: float) -> np.ndarray:
    """Of numbers beyond the first as powers of Poisson's probabilities, (bases, _MOST)."""
    more = np.arange(_MOST)
    factorial = np.concatenate([[0.0], np.cumsum(np.log(more[1:]))])
    log = power * (log_base[:, None] * more - factorial)
    log -= log.max(axis=1, keepdims=True)
    return log - np.log(np.exp(log).sum(axis=1, keepdims=True))


@cache
def _bases(power: float) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of means, and of the Poisson means whose probabilities to a power have them."""
    log_base = np.linspace(np.log(1e-4), np.log(60.0), 400)
    means = np.exp(_powers(log_base, power)) @ np.arange(_MOST)
    return np.log(np.maximum(means, np.finfo(float).tiny)), log_base


class RecordCounts:
    """The law of the number of records of a home, drawn again and again.

    Attributes
    ----------
    gain : (_MOST,) array
        What a home is worth to a record that is to be put somewhere, by how many others are there: for
        none the chance of a single record, else (n + 1) p(n + 1) / p(n).
    """

    def __init__(self) -> None:
        self._log = _log_chances(_MEANS, _SHAPES)
        # At first homes have one record: several are found soon where there are any, and where there
        # are none many records that were put together take long to come apart.
        self.gain = self._gain(self._log[0, _POISSON])

    def draw(self, many: np.ndarray, rng: np.random.Generator) -> None:
        """Draw the law by how many records homes have, (h,)."""
        sizes = np.bincount(np.minimum(many, _MOST), minlength=_MOST + 1)[1:]
        at = _drawn((self._log * sizes).sum(axis=-1).ravel(), rng)
        mean, shape = _MEANS[at // len(_SHAPES)], _SHAPES[at % len(_SHAPES)]
        # Many homes tell the mean more finely: between the two beside it.
        near = mean * _BETWEEN
        fine = _log_chances(near, np.array([shape]))[:, 0]
        self.gain = self._gain(fine[_drawn((fine * sizes).sum(axis=-1), rng)])

    @staticmethod
    def _gain(log: np.ndarray) -> np.ndarray:
        further = np.arange(2, _MOST + 1) * np.exp(np.diff(log))
        return np.concatenate([[np.exp(log[0])], further])


def _drawn(log: np.ndarray, rng: np.random.Generator) -> int:
    """Row that is drawn by its likelihood's logarithm."""
    likely = np.cumsum(np.exp(log - log.max()))
    return min(int(np.searchsorted(likely, rng.random() * likely[-1])), len(likely) - 1)
