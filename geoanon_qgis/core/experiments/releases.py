# SPDX-License-Identifier: GPL-2.0-or-later
"""Ways to release distances, as linkage experiments vary them: release, and attack rule.

Each holds nothing but its parameters, so that it can travel to another process and name a cell
of an experiment.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, Union

import numpy as np

from ..attacks.linkage.compatibility import (
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
    distance_deviations,
    lipschitz_intervals,
)
from ..attacks.linkage.intervals import Intervals, Rule, true_distances
from ..attacks.linkage.shared_labels import IntersectingSets
from ..distances.isgp_matrix import isgp_distances
from ..distances.lipschitz import lipschitz_distances
from ..distances.matrix import DistanceMatrix
from ..distances.noise import coordinate_noise, distance_noise
from ..distances.rounding import round_down_to
from ..runtime.progress import Progress, part, silent
from ..space.areas import StudyArea
from ..space.metrics import Metric

#: Intervals of embeddings take all processors and half a gigabyte: one file at a time.
_embedding = threading.Lock()


@dataclass(frozen=True)
class Setting:
    """Where an experiment takes place.

    Attributes
    ----------
    metric : Metric
    area : StudyArea
        Where reference points lie, and simulated pairs.
    wkt : str or None
        System of the points.
    pairs, replicates : int
        Pairs that the adversary simulates for noise; embeddings for intervals.
    """

    metric: Metric
    area: StudyArea
    wkt: str | None
    pairs: int
    replicates: int


@dataclass(frozen=True)
class _Release:
    """What the ways to release have in common."""

    method: ClassVar[str]
    #: Whether intervals cost so much that all shares should be served at once.
    costly: ClassVar[bool] = False

    @property
    def rounding(self) -> tuple[float, float]:
        """By how much a released distance may stand below and above what it was."""
        return 0.0, 0.0

    def parameters(self) -> dict[str, object]:
        """Names and values, in a fixed order."""
        return asdict(self)

    @property
    def key(self) -> str:
        """Name that tells this release from every other."""
        values = (f"{name}={value!r}" for name, value in self.parameters().items())
        return ",".join((self.method, *values))


@dataclass(frozen=True)
class NoisyCoordinates(_Release):
    """Gaussian noise on the coordinates, in metres or degrees."""

    method: ClassVar[str] = "coordinate_noise"
    sigma: float
    in_degrees: bool = False

    def release(self, points, setting: Setting, rng, progress: Progress = silent) -> np.ndarray:
        """Return the released distances of some points, (n, n)."""
        moved = coordinate_noise(points, self.sigma, self.in_degrees, setting.wkt, rng)
        return true_distances(moved, setting.metric, progress)

    def intervals(
        self, points, alphas: Sequence[float], setting: Setting, rng, progress: Progress = silent
    ) -> list[Intervals]:
        """Return the adversary's intervals for each share; one simulation serves them all."""
        deviation = distance_deviations(
            setting.area,
            setting.metric,
            self.sigma,
            self.in_degrees,
            setting.wkt,
            setting.pairs,
            rng,
        )
        true = true_distances(points, setting.metric, progress)
        rules = (self.rule(alpha, setting) for alpha in alphas)
        return [rule.intervals_from(deviation, true) for rule in rules]

    def rule(self, alpha: float, setting: Setting) -> CoordinateNoise:
        """Return what the adversary knows of the release."""
        return CoordinateNoise(
            self.sigma, self.in_degrees, alpha, setting.area, setting.wkt, setting.pairs
        )


@dataclass(frozen=True)
class NoisyDistances(_Release):
    """Gaussian or Laplace noise on the distances."""

    method: ClassVar[str] = "distance_noise"
    distribution: str
    scale: float

    def release(self, points, setting: Setting, rng, progress: Progress = silent) -> np.ndarray:
        """Return the released distances of some points, (n, n)."""
        true = true_distances(points, setting.metric, part(progress, 0, 0.8))
        condensed = true[np.triu_indices(len(points), 1)]
        noisy = distance_noise(condensed, self.distribution, self.scale, rng)
        return DistanceMatrix.numbered(noisy).square()

    def intervals(
        self, points, alphas: Sequence[float], setting: Setting, rng, progress: Progress = silent
    ) -> list[Intervals]:
        """Return the adversary's intervals for each share."""
        return [
            self.rule(alpha, setting).intervals(points, setting.metric, rng=rng) for alpha in alphas
        ]

    def rule(self, alpha: float, setting: Setting) -> Rule:
        """Return what the adversary knows of the release."""
        return DistanceNoise(self.distribution, self.scale, alpha)


@dataclass(frozen=True)
class EmbeddedDistances(_Release):
    """Lipschitz embedding with d sets of k points, after noise and with a step where wanted.

    Attributes
    ----------
    sets, size : int
    pre_noise : float
        Standard deviation of noise on the places before they are embedded, in metres.
    step : float
        Of the released distances, in the metric's unit; 0 for none.
    """

    method: ClassVar[str] = "lipschitz"
    costly: ClassVar[bool] = True
    sets: int
    size: int
    pre_noise: float = 0.0
    step: float = 0.0

    def parameters(self) -> dict[str, object]:
        """Names and values; noise and step only where there are any."""
        found = asdict(self)
        more = ("pre_noise", "step")
        return {name: value for name, value in found.items() if value or name not in more}

    @property
    def rounding(self) -> tuple[float, float]:
        """By how much a released distance may stand below and above what it was."""
        return self.step, 0.0

    def release(self, points, setting: Setting, rng, progress: Progress = silent) -> np.ndarray:
        """Return the released distances of some points, (n, n)."""
        condensed = lipschitz_distances(
            points,
            setting.area,
            setting.metric,
            self.sets,
            self.size,
            rng,
            progress,
            self.pre_noise,
        )
        return DistanceMatrix.numbered(round_down_to(condensed, self.step)).square()

    def intervals(
        self, points, alphas: Sequence[float], setting: Setting, rng, progress: Progress = silent
    ) -> list[Intervals]:
        """Return the adversary's intervals for each share; the embeddings serve them all."""
        while not _embedding.acquire(timeout=0.1):
            progress(0.0)
        try:
            found = lipschitz_intervals(
                points,
                setting.area,
                setting.metric,
                self.sets,
                self.size,
                tuple(alphas),
                setting.replicates,
                rng=rng,
                progress=progress,
                pre_noise=self.pre_noise,
            )
            return [one.widened(*self.rounding) for one in found] if self.step else list(found)
        finally:
            _embedding.release()

    def rule(self, alpha: float, setting: Setting) -> Rule:
        """Return what the adversary knows of the release."""
        return LipschitzEmbedding(
            self.sets, self.size, setting.area, alpha, setting.replicates, self.pre_noise
        )


@dataclass(frozen=True)
class SharedLabels(_Release):
    """ISGP: the distances that shared labels of grid points give (:mod:`..distances.isgp`).

    Attributes
    ----------
    radius, spacing : float
        Of the discs, and of the grid points; in metres, or units where nothing is known of the
        coordinates.
    """

    method: ClassVar[str] = "isgp"
    radius: float
    spacing: float

    def release(self, points, setting: Setting, rng, progress: Progress = silent) -> np.ndarray:
        """Return the released distances of some points, (n, n); two radii where nothing is told."""
        matrix = isgp_distances(
            points, setting.metric, self.radius, rng, progress, spacing=self.spacing
        )
        return matrix.square()

    def seen_by(self, known: np.ndarray, setting: Setting) -> IntersectingSets:
        """Return what somebody who knows these places knows of the release."""
        plane = setting.metric.plane_around(known)
        length = plane.metres_per_unit
        return IntersectingSets(self.radius / length, self.spacing / length, plane)


Release = Union[NoisyCoordinates, NoisyDistances, EmbeddedDistances, SharedLabels]
