# SPDX-License-Identifier: GPL-2.0-or-later
"""How many of the homes of a list are in the file, here and there.

A file may be strewn over the list, or stand close together. Where a quarter of all homes of some streets
are in it, two points near one address are likelier two neighbours than where one home of a thousand is.
The addresses are divided by medians, again and again, into small boxes. Homes of a box are in the file by
one rate, or each half of it has rates of its own, with even odds at each division; so boxes are as small as
what is in the file demands. Rates are drawn by the homes that are in it at the time:
all divisions are weighed exactly, from the smallest boxes up. (Chipman, H. A., George, E. I. & McCulloch,
R. E. (1998), Bayesian CART model search, Journal of the American Statistical Association 93(443), is the
kin; divisions are fixed here, so that no search is needed.)
"""

from __future__ import annotations

import numpy as np

#: Addresses of the smallest boxes, and how many of these there are at most.
_SMALLEST, _BOXES = 12, 4096
#: Odds of a home to be in the file: so many are tried, from a part of the mean up to a multiple.
_RATES, _FROM, _TO, _AT_LEAST_TO = 40, 1e-3, 20.0, 5.0
#: Homes of a box from which on their rate is drawn between those.
_MANY = 10


class HomeRates:
    """Odds of each address to be the home of somebody in the file, drawn again and again.

    Parameters
    ----------
    candidates : (m, 2) array
    weight : (m,) array
        How likely each is beforehand, one on average.
    records : int

    Attributes
    ----------
    odds : (m,) array
        Of each address with somebody to nobody.
    """

    def __init__(self, candidates: np.ndarray, weight: np.ndarray, records: int) -> None:
        self._weight, self._box, boxes = weight, *_boxes(candidates)
        mean = records / len(candidates)
        self._rate = np.geomspace(_FROM * mean, max(_AT_LEAST_TO, _TO * mean), _RATES)
        none = [np.bincount(self._box, np.log1p(one * weight), boxes) for one in self._rate]
        self._none = _levels(np.stack(none, axis=1))
        # How many homes each rate lets expect, and how that grows.
        log_rate = np.log(self._rate)
        self._many = [np.gradient(one, log_rate, axis=1) for one in self._none]
        self._grows = [np.gradient(one, log_rate, axis=1) for one in self._many]
        self.odds = mean * weight

    def draw(self, homes: np.ndarray, rng: np.random.Generator) -> None:
        """Draw the rates by which addresses are homes of the file now, (h,)."""
        there = np.bincount(self._box[homes], minlength=len(self._none[0])).astype(float)
        log_rate = np.log(self._rate)
        # From the smallest boxes up: one rate for the box, or as its halves say.
        alone, whole, logs = [], [], []
        sums = _levels(there[:, None])
        for none, some in zip(self._none, sums):
            log = some * log_rate - none - np.log(len(log_rate))
            logs.append(log)
            alone.append(_log_sum(log))
            whole.append(alone[-1])
            if len(whole) > 1:
                halves = whole[-2].reshape(-1, 2).sum(axis=1)
                whole[-1] = np.logaddexp(alone[-1], halves) - np.log(2.0)
        # And from the largest down.
        rate = np.full(1, -np.inf)
        for level in range(len(logs) - 1, -1, -1):
            stop = np.log(rng.random(len(rate))) < alone[level] - whole[level] - np.log(2.0)
            rows = np.flatnonzero(np.isinf(rate) & (stop | (level == 0)))
            log = logs[level][rows] - alone[level][rows, None]
            below = np.cumsum(np.exp(log), axis=1) < rng.random(len(rows))[:, None]
            at = np.minimum(below.sum(axis=1), len(log_rate) - 1)
            rate[rows] = log_rate[at]
            # Many homes tell their rate more finely than the rates that are tried: nearly normal.
            many, grows = (one[level][rows, at] for one in (self._many, self._grows))
            some = np.flatnonzero((sums[level][rows, 0] >= _MANY) & (grows > 0))
            mode = (sums[level][rows, 0] - many)[some] / grows[some]
            rate[rows[some]] += mode + rng.normal(0, 1, len(some)) / np.sqrt(grows[some])
            if level:
                rate = np.repeat(rate, 2)
        self.odds = np.exp(np.clip(rate, log_rate[0], log_rate[-1]))[self._box] * self._weight


def _boxes(xy: np.ndarray) -> tuple[np.ndarray, int]:
    """Box of each place and how many there are: halves of halves, along the longer side."""
    times = int(np.log2(np.clip(len(xy) / _SMALLEST, 1, _BOXES)))
    parts = [np.arange(len(xy))]
    for _ in range(times):
        halves = []
        for part in parts:
            side = int(np.argmax(np.ptp(xy[part], axis=0)))
            order = part[np.argsort(xy[part, side], kind="stable")]
            halves += [order[: len(order) // 2], order[len(order) // 2 :]]
        parts = halves
    box = np.empty(len(xy), dtype=np.int64)
    for number, part in enumerate(parts):
        box[part] = number
    return box, len(parts)


def _levels(smallest: np.ndarray) -> list[np.ndarray]:
    """Sums over the boxes, from the smallest to the one that holds all."""
    levels = [smallest]
    while len(levels[-1]) > 1:
        levels.append(levels[-1].reshape(-1, 2, smallest.shape[1]).sum(axis=1))
    return levels


def _log_sum(log: np.ndarray) -> np.ndarray:
    """Logarithm of the sum of each row's exponentials."""
    top = log.max(axis=1)
    return top + np.log(np.exp(log - top[:, None]).sum(axis=1))
