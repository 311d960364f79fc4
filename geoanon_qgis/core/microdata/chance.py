# SPDX-License-Identifier: GPL-2.0-or-later
"""Random numbers that belong to records: the same whenever they are asked for.

A draw that is made anew each time that fields are fitted never comes to rest: whoever obeyed a rule
between fields may break it in the next round. With numbers of his own (common random numbers) a
record's draw changes only when its probabilities do. They are computed, not kept: a table of them
would be as large as the records.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

_STEP = np.uint64(0x9E3779B97F4A7C15)


class Chance:
    """Random numbers by row and column.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws the key when the first number is asked for; whoever has it can repeat them.
    """

    def __init__(self, rng: np.random.Generator):
        self._rng = rng

    @cached_property
    def _key(self) -> np.uint64:
        return np.uint64(self._rng.integers(2**64, dtype=np.uint64))

    def uniform(self, rows: np.ndarray, columns: slice) -> np.ndarray:
        """Return numbers between 0 and 1, neither of which occurs: SplitMix64 of a counter.

        Parameters
        ----------
        rows : (b,) int array
        columns : slice
            Of the coded table, with start and stop.

        Returns
        -------
        (b, q) array

        References
        ----------
        Steele, G. L., Lea, D. and Flood, C. H. (2014). Fast splittable pseudorandom number
        generators. OOPSLA 2014, 453-472.
        """
        of_columns = _mixed(self._key + np.arange(columns.start, columns.stop).astype(np.uint64))
        bits = _mixed(of_columns + rows.astype(np.uint64)[:, None] * _STEP)
        return ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53

    def sample(self, count: int, most: int) -> np.ndarray:
        """Return about ``most`` of ``count`` rows, drawn at random; all if there are no more."""
        every = np.arange(count)
        if count <= most:
            return every
        return every[self.uniform(every, slice(-1, 0))[:, 0] < most / count]

    def gumbel(self, rows: np.ndarray, columns: slice) -> np.ndarray:
        """Return standard Gumbel numbers; the largest of these and logarithms of weights is a draw."""
        return -np.log(-np.log(self.uniform(rows, columns)))

    def logistic(self, rows: np.ndarray, columns: slice) -> np.ndarray:
        """Return standard logistic numbers, the differences of two Gumbel numbers."""
        u = self.uniform(rows, columns)
        return np.log(u) - np.log1p(-u)


def _mixed(bits: np.ndarray) -> np.ndarray:
    """The finaliser of SplitMix64."""
    bits = bits * _STEP + _STEP
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
