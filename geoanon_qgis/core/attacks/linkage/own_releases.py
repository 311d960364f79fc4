# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases that the adversary makes of people he knows, beside people whom he makes up.

He knows how a release was made, but neither its reference sets nor its noise, nor those people in
it who are not in his file. So he draws all of these himself, again and again, and learns from what
comes out (Kroll & Schnell 2016, "A graph theoretic linkage attack", make their intervals so).
"""

from __future__ import annotations

import numpy as np

from ...distances.lipschitz import embed, noisy_places, reference_sets
from ...distances.noise import coordinate_noise, distance_noise
from ...runtime.errors import InputError
from ...runtime.progress import Progress, chunks, part, silent
from ...runtime.progress import shares as dealt
from ...space.metrics import Metric
from .compatibility import CoordinateNoise, DistanceNoise, LipschitzEmbedding
from .intervals import Rule, contracts
from .several_releases import put_together, told_of

#: Cells of a matrix that are worked on in one go: some 30 ms.
_CELLS = 1_000_000
#: Neighbours that people who are made up live between, and how far to either side.
_NEIGHBOURS, _SPREAD = 7, 0.5


class OwnReleases:
    """Makes releases of known people and of strangers, all by one rule.

    Attributes
    ----------
    places : (n, 2) array
        Stored coordinates of the known people.
    metric : Metric
    contractive : bool
        Whether no released distance exceeds the true one, but for its rounding.
    """

    def __init__(
        self,
        rule: Rule,
        places: np.ndarray,
        metric: Metric,
        *,
        shares: tuple[float, ...] = (),
        rounding: tuple[float, float] = (0.0, 0.0),
    ):
        """Take what is known of the release.

        Parameters
        ----------
        rule : LipschitzEmbedding, CoordinateNoise or DistanceNoise
            Their ``alpha`` and the numbers of replicates and pairs are not used.
        places : (n, 2) array
        metric : Metric
        shares : tuple of float
            Further releases that are put together with each, and the share of its records that
            each tells of: the elementwise maximum of embeddings, which is an embedding with all
            their sets, or the mean of noisy distances.
        rounding : (float, float)
            By how much a released distance may stand below and above what it was before it was
            rounded, in the metric's unit: a step and 0, or half a step each.

        Raises
        ------
        InputError
            For a rule that does not say how distances came about.
        """
        if not isinstance(rule, (LipschitzEmbedding, CoordinateNoise, DistanceNoise)):
            raise InputError(
                "The signature attack has to know how distances were changed. A mere tolerance"
                " does not say so: choose coordinate noise, distance noise or an embedding."
            )
        self.places, self.metric = np.asarray(places, dtype=np.float64), metric
        self.contractive = contracts(rule)
        self._rule, self._shares, self._rounding = rule, shares, rounding
        self._around: np.ndarray | None = None

    def strangers(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw people who live where known people live, but not in their places.

        Between neighbours, as new cases of a rare class are made (Chawla, Bowyer, Hall &
        Kegelmeyer 2002, SMOTE), but with two neighbours, so that they do not lie on lines.

        Parameters
        ----------
        count : int
        rng : numpy.random.Generator

        Returns
        -------
        (count, 2) array
            Stored coordinates, within the extent of the known people.
        """
        from scipy.spatial import cKDTree

        number = len(self.places)
        if self._around is None:
            near = min(_NEIGHBOURS + 1, number)
            self._around = cKDTree(self.places).query(self.places, k=near)[1].reshape(number, -1)
        around = self._around
        who = rng.integers(number, size=count)
        result = self.places[who]
        for _ in range(2):
            other = around[who, rng.integers(1, around.shape[1], size=count)]
            way = rng.normal(0, _SPREAD, (count, 1))
            result = result + way * (self.places[other] - self.places[who])
        return np.clip(result, self.places.min(axis=0), self.places.max(axis=0))

    def square(
        self, points: np.ndarray, rng: np.random.Generator, progress: Progress = silent
    ) -> np.ndarray:
        """Release the distances of some points: (n, 2) stored coordinates -> (n, n), symmetric."""
        every = np.arange(len(points))
        found = self.between(points, every, every, rng, progress)
        if isinstance(self._rule, DistanceNoise):  # a pair has one noise
            found = np.triu(found, 1)
            found += found.T
        return found

    def between(
        self,
        points: np.ndarray,
        rows: np.ndarray,
        columns: np.ndarray,
        rng: np.random.Generator,
        progress: Progress = silent,
    ) -> np.ndarray:
        """Release all distances from some of the points to some of them.

        Parameters
        ----------
        points : (n, 2) array
            Stored coordinates.
        rows, columns : int arrays
            Rows of the points.
        rng : numpy.random.Generator
        progress : Progress

        Returns
        -------
        (len(rows), len(columns)) array
            In the metric's unit, lowered by what rounding may have added. Where both are the same
            point, the value has no meaning.
        """
        count = 1 + len(self._shares)
        linked = told_of(self._shares, len(points), rng)
        if linked is not None:
            each = [
                self._noisy(points, rows, columns, rng, step) for step in dealt(progress, count)
            ]
            told = [one[rows][:, None] & one[columns] for one in linked]
            found = put_together(each, self.contractive, told)
        elif isinstance(self._rule, LipschitzEmbedding) and self.contractive:
            sets = count * self._rule.sets
            found = self._embedded(self._rule, sets, points, rows, columns, rng, progress)
        else:
            found = np.zeros((len(rows), len(columns)))
            for step in dealt(progress, count):
                found += self._noisy(points, rows, columns, rng, step) / count
        below, above = self._rounding
        if below + above > 0:
            found += above
            found /= below + above
            np.floor(found, out=found)
            found *= below + above
            # So that it is contractive again: whoever reads a release takes as much off.
            found -= above
            np.maximum(found, 0.0, out=found)
        return found

    @property
    def sets(self) -> int | None:
        """Reference sets behind each released distance, of all releases that were put together.

        None if the rule is no embedding, or a further release tells of some records only.
        """
        rule = self._rule
        if not isinstance(rule, LipschitzEmbedding) or any(one < 1 for one in self._shares):
            return None
        return (1 + len(self._shares)) * rule.sets

    def fields(
        self, points: np.ndarray, sets: int, rng: np.random.Generator, progress: Progress = silent
    ) -> np.ndarray:
        """Embed some points once: the distances of each to reference sets, which stay secret.

        Parameters
        ----------
        points : (n, 2) array
            Stored coordinates.
        sets : int
        rng : numpy.random.Generator
        progress : Progress

        Returns
        -------
        (sets, n) array
            In the metric's unit.

        Raises
        ------
        InputError
            If the rule is no embedding.
        """
        if not isinstance(self._rule, LipschitzEmbedding):
            raise InputError("Only an embedding has reference sets.")
        return self._coordinates(self._rule, sets, points, rng, progress).T

    @property
    def step(self) -> float:
        """Step that released distances were rounded to; 0 for none."""
        return sum(self._rounding)

    def _embedded(
        self, rule: LipschitzEmbedding, sets: int, points, rows, columns, rng, progress: Progress
    ) -> np.ndarray:
        from scipy.spatial.distance import cdist

        embedding = np.ascontiguousarray(
            self._coordinates(rule, sets, points, rng, part(progress, 0, 0.6))
        )
        found = np.empty((len(rows), len(columns)))
        there = embedding[columns]
        at_once = max(1, 10 * _CELLS // max(1, len(columns) * sets))
        for some in chunks(len(rows), at_once, part(progress, 0.6, 1)):
            found[some] = cdist(embedding[rows[some]], there, "chebyshev")
        return found

    def _coordinates(
        self, rule: LipschitzEmbedding, sets: int, points, rng, progress: Progress
    ) -> np.ndarray:
        """Embed points after noise: (n, sets)."""
        metric = self.metric
        points = noisy_places(points, rule.pre_noise, rule.area.wkt, rng)
        references = reference_sets(rule.area, sets, rule.size, rng, part(progress, 0, 0.3))
        references = metric.coordinates(references.reshape(-1, 2)).reshape(references.shape)
        return embed(metric.coordinates(points), references, metric, part(progress, 0.3, 1))

    def _noisy(self, points, rows, columns, rng, progress: Progress) -> np.ndarray:
        rule = self._rule
        if isinstance(rule, LipschitzEmbedding):
            return self._embedded(rule, rule.sets, points, rows, columns, rng, progress)
        if isinstance(rule, CoordinateNoise):
            points = coordinate_noise(points, rule.sigma, rule.in_degrees, rule.wkt, rng)
        own = self.metric.coordinates(points)
        found = self.metric.rows(own[rows], own[columns], part(progress, 0, 0.7))
        if isinstance(rule, DistanceNoise):
            flat = found.reshape(-1)
            distance_noise(
                flat, rule.distribution, rule.scale, rng, part(progress, 0.7, 1), out=flat
            )
        return found
