# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances as they are released: made by a method and rounded to the unit that is told."""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, part, silent
from ..space.areas import StudyArea
from ..space.metrics import Metric
from .exact import exact_distances
from .lipschitz import embed, embedded_distances, noisy_places, reference_sets
from .noise import DISTRIBUTIONS, coordinate_noise, distance_noise
from .rounding import round_down, round_nearest

#: Kinds of noise: on the coordinates, none; those on the distances are :data:`.DISTRIBUTIONS`.
COORDINATES, EXACT = "coordinates", "exact"


def lipschitz_release(
    xy: np.ndarray,
    area: StudyArea,
    metric: Metric,
    sets: int,
    size: int,
    decimals: int,
    factor: float,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    pre_noise: float = 0.0,
    multiple: int = 1,
) -> tuple[np.ndarray, np.ndarray]:
    """Embed places and round their distances down (Kroll & Schnell 2016, steps 2 to 4).

    Parameters
    ----------
    xy : (n, 2) array
        Stored coordinates, in the system of the area and of the metric.
    area : StudyArea
        Where reference points are drawn.
    metric : Metric
    sets, size : int
        The paper's d and k.
    decimals : int
        Of the released unit; negative for tens and hundreds.
    factor : float
        Units of the metric to a released unit.
    rng : numpy.random.Generator
    progress : callable
    pre_noise : float
        Standard deviation of noise on the places before they are embedded, in metres; see
        :func:`.lipschitz.noisy_places`.
    multiple : int
        How many of the last decimal make a step; see :func:`.rounding.step_multiple`.

    Returns
    -------
    (n (n - 1) / 2,) array
        Condensed, in the released unit; none exceeds the true distance, or with noise the
        distance of the moved places.
    (d, k, 2) array
        The reference points in stored coordinates; as secret as the places.
    """
    points = metric.coordinates(noisy_places(xy, pre_noise, area.wkt, rng))
    references = reference_sets(area, sets, size, rng, part(progress, 0, 0.1))
    own = metric.coordinates(references.reshape(-1, 2))
    embedding = embed(points, own.reshape(references.shape), metric, part(progress, 0.1, 0.4))
    condensed = embedded_distances(embedding, part(progress, 0.4, 0.8))
    released = round_down(
        condensed,
        len(xy),
        decimals,
        factor,
        lambda i, j: metric.between(points[i], points[j]),
        metric.slack_at(points, own),
        part(progress, 0.8, 1.0),
        out=condensed,
        multiple=multiple,
    )
    return released, references


def noisy_release(
    xy: np.ndarray,
    metric: Metric,
    noise: str,
    size: float,
    in_degrees: bool,
    wkt: str | None,
    decimals: int,
    factor: float,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Distances with noise on the places, noise on the distances, or none.

    Parameters
    ----------
    xy : (n, 2) array
        Stored coordinates.
    metric : Metric
    noise : str
        ``coordinates``, ``gaussian``, ``laplace`` or ``exact``.
    size : float
        Of the noise; see :func:`.coordinate_noise` and :func:`.distance_noise`.
    in_degrees : bool
        Of noise on the coordinates: whether its size is.
    wkt : str or None
        Coordinate reference system of the points.
    decimals, factor, rng, progress
        As in :func:`lipschitz_release`.

    Returns
    -------
    (n (n - 1) / 2,) array
        Condensed, in the released unit, rounded to the nearest.
    """
    if noise == COORDINATES:
        xy = coordinate_noise(xy, size, in_degrees, wkt, rng)
    condensed = exact_distances(metric.coordinates(xy), metric, part(progress, 0, 0.6))
    if noise in DISTRIBUTIONS:
        condensed = distance_noise(
            condensed, noise, size, rng, part(progress, 0.6, 0.8), out=condensed
        )
    return round_nearest(condensed, decimals, factor, part(progress, 0.8, 1.0), out=condensed)
