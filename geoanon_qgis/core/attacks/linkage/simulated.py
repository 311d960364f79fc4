# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases that the adversary makes himself, of places that he knows, by the rule of the release.

The papers' adversary does the same for his intervals (Kroll & Schnell 2016, "A graph theoretic
linkage attack").
"""

from __future__ import annotations

import numpy as np

from ...distances.lipschitz import lipschitz_distances
from ...distances.noise import coordinate_noise, distance_noise
from ...runtime.errors import InputError
from ...runtime.progress import Progress, silent
from ...space.metrics import Metric
from .compatibility import CoordinateNoise, DistanceNoise, LipschitzEmbedding
from .intervals import true_distances
from .shared_labels import IntersectingSets


def simulate(rule, points, metric: Metric, rng, progress: Progress = silent) -> np.ndarray:
    """Release the distances of some points as a rule says they were released.

    Parameters
    ----------
    rule : LipschitzEmbedding, CoordinateNoise, DistanceNoise or IntersectingSets
    points : (n, 2) array
        Stored coordinates.
    metric : Metric
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    (n, n) array
        Symmetric, in the metric's unit.

    Raises
    ------
    InputError
        For a rule that says nothing of how a release came about.
    """
    if isinstance(rule, IntersectingSets):
        return rule.simulate(points, rng, progress)
    if isinstance(rule, LipschitzEmbedding):
        condensed = lipschitz_distances(
            points, rule.area, metric, rule.sets, rule.size, rng, progress, rule.pre_noise
        )
    elif isinstance(rule, CoordinateNoise):
        moved = coordinate_noise(points, rule.sigma, rule.in_degrees, rule.wkt, rng)
        return true_distances(moved, metric, progress)
    elif isinstance(rule, DistanceNoise):
        true = true_distances(points, metric, progress)
        condensed = distance_noise(
            true[np.triu_indices(len(points), 1)], rule.distribution, rule.scale, rng
        )
    else:
        raise InputError(
            "The likelihood attack has to know how distances were changed. A mere tolerance does"
            " not say so: choose coordinate noise, distance noise or an embedding, or the clique"
            " attack."
        )
    square = np.zeros((len(points), len(points)))
    square[np.triu_indices(len(points), 1)] = condensed
    return square + square.T
