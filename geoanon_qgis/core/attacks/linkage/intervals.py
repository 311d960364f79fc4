# SPDX-License-Identifier: GPL-2.0-or-later
"""Intervals of released distances, one for each pair of known people, and what a rule is.

Two matches agree where the distance that was released lies in the interval of the two people.
Which interval that is, follows from how distances were made: :mod:`.compatibility` has the rules of
releases of all distances, :mod:`.shared_labels` that of ISGP.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ...runtime.progress import Progress, silent
from ...space.metrics import Metric


@dataclass(frozen=True)
class Intervals:
    """Interval of released distances for each pair of an identification file of n records.

    Attributes
    ----------
    lower, upper : (n, n) float64 arrays
        Ends, in the unit of the distances. What stands on the diagonal has no meaning.
    closed : bool
        Whether the ends belong to the interval.
    coverage : float or None
        Share of the distances of fresh embeddings that fall into the intervals: what alpha
        really came to. None for rules that have no embedding.
    inner : Intervals or None
        Those of a share :data:`.compatibility.INNER` times as large (or a tolerance); distances of true pairs
        lie there more often than others that fit by chance.
    """

    lower: np.ndarray
    upper: np.ndarray
    closed: bool
    coverage: float | None = None
    inner: Intervals | None = None

    def holds(self, released: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Whether released distances fit the pairs (first, second), element by element."""
        lower, upper = self.lower[first, second], self.upper[first, second]
        if self.closed:
            return (released >= lower) & (released <= upper)
        return (released > lower) & (released < upper)

    def widened(self, below: float, above: float = 0.0) -> Intervals:
        """Return intervals with room for the rounding of the released distances.

        A distance that was rounded down to whole steps stood less than a step above what was
        released: ``below`` is the step. One that was rounded to the nearest step stood within
        half a step of it: ``below`` and ``above`` are half a step each.
        """
        inner = self.inner.widened(below, above) if self.inner else None
        return replace(self, lower=self.lower - below, upper=self.upper + above, inner=inner)


class Rule(Protocol):
    """What the adversary knows of a release, as far as it decides which distances agree."""

    def intervals(
        self,
        points: np.ndarray,
        metric: Metric,
        *,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> Intervals:
        """Return the intervals of an identification file.

        Parameters
        ----------
        points : (n, 2) array
            Stored coordinates of the known entities.
        metric : Metric
        rng : numpy.random.Generator
        progress : Progress

        Returns
        -------
        Intervals
        """


def contracts(rule: object) -> bool:
    """Tell whether by a rule no released distance is longer than the true one."""
    return getattr(rule, "contracts", False)


def true_distances(points: np.ndarray, metric: Metric, progress: Progress = silent) -> np.ndarray:
    """Return all distances of a file, as an (n, n) symmetric array.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    metric : Metric
    progress : Progress
    """
    own = metric.coordinates(points)
    # The distance to the nearest of a set of one is the distance.
    square = np.triu(metric.nearest_in_sets(own, own[:, None, :], progress), 1)
    return square + square.T
