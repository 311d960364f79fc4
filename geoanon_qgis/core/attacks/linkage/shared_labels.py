# SPDX-License-Identifier: GPL-2.0-or-later
"""ISGP releases as a linkage attack sees them: near distances, and pairs that share no label.

Pairs that share no label are at least two radii apart, and nothing more is known of them. To the
attacks, which compare numbers, all of them are as far: known places two radii and more apart are
taken to be two radii apart, and released pairs without a distance a little more, smeared so that
a density can be told. Of two such pairs one says about the other what it should: hardly anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from ...distances.isgp import label_sets, shared_pairs
from ...distances.isgp_grid import SecretGrid
from ...distances.isgp_matrix import censored_matrix
from ...runtime.progress import Progress, silent
from ...space.metrics import Metric
from ...space.planes import Plane
from .intervals import Intervals, true_distances

#: Pairs without a shared label are smeared over this share of a radius, beyond two.
_SMEAR = 0.25
#: Standard deviation of a distance, in spacings, at one grid point to a radius; it falls with the
#: root of their number. Measured: ``benchmarks/papers/isgp.py``.
_DEVIATION = 0.34
#: Half the width of an interval, and of the inner one, in standard deviations.
_OUTER, _INNER = 3.0, 1.0


@dataclass(frozen=True)
class IntersectingSets:
    """Distances come from labels of grid points that two places share; the grid is not known.

    Attributes
    ----------
    radius, spacing : float
        Of the discs, and of the grid points; in the unit of the plane.
    plane : Plane
        In which the discs were drawn.
    """

    radius: float
    spacing: float
    plane: Plane

    def __post_init__(self) -> None:
        SecretGrid.draw(self.radius, self.spacing, np.random.default_rng(0))  # refuses nonsense

    @property
    def beyond(self) -> float:
        """Two radii, in metres or units: what is farther apart shares nothing."""
        return 2.0 * self.radius * self.plane.metres_per_unit

    @property
    def deviation(self) -> float:
        """Standard deviation of a released distance, in metres or units."""
        in_plane = _DEVIATION * self.spacing * np.sqrt(self.spacing / self.radius)
        return float(in_plane * self.plane.metres_per_unit)

    def seen(self, metric: Metric) -> Metric:
        """Return a metric that sees no farther than two radii."""
        return cast(Metric, NearMetric(metric, self.beyond))

    def smeared(self, square: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return distances of which those of two radii and more are smeared beyond."""
        upper = np.triu_indices(len(square), 1)
        values = np.array(square[upper], dtype=np.float64)
        far = values >= self.beyond
        values[far] = self.beyond * (1.0 + 0.5 * _SMEAR * rng.random(int(far.sum())))
        out = np.zeros(square.shape)
        out[upper] = values
        return out + out.T

    def simulate(self, points: np.ndarray, rng: np.random.Generator, progress: Progress = silent):
        """Release the distances of some points on a grid of the adversary's own, (n, n)."""
        grid = SecretGrid.draw(self.radius, self.spacing, rng)
        sets = label_sets(self.plane.forward(points), grid, progress)
        matrix = censored_matrix(shared_pairs(sets, self.radius))
        return self.smeared(matrix.square() * self.plane.metres_per_unit, rng)

    def intervals(self, points, metric, *, rng, progress: Progress = silent) -> Intervals:
        """See :class:`.Rule`: three standard deviations to either side."""
        true = np.minimum(true_distances(points, metric, progress), self.beyond)
        outer = self._around(true, _OUTER)
        return replace(outer, inner=self._around(true, _INNER))

    def _around(self, true: np.ndarray, width: float) -> Intervals:
        off = width * self.deviation
        upper = np.where(true + off >= self.beyond, np.inf, true + off)
        return Intervals(true - off, upper, True)


class NearMetric:
    """A metric that takes all that is farther apart than a distance to be that far apart."""

    def __init__(self, metric: Metric, beyond: float):
        self._metric, self._beyond = metric, beyond

    def __getattr__(self, name: str):
        return getattr(self._metric, name)

    def between(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Distances row by row."""
        return np.minimum(self._metric.between(a, b, progress), self._beyond)

    def rows(self, a: np.ndarray, b: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """All distances from one array to another."""
        return np.minimum(self._metric.rows(a, b, progress), self._beyond)

    def nearest_in_sets(self, points, references, progress: Progress = silent) -> np.ndarray:
        """Distance of every point to the nearest member of every set."""
        return np.minimum(self._metric.nearest_in_sets(points, references, progress), self._beyond)
