# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances released instead of places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..distances.lipschitz import sensible_size
from ..distances.matrix import DistanceMatrix
from ..distances.noise import DISTRIBUTIONS
from ..distances.release import COORDINATES, lipschitz_release, noisy_release
from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..verdict import not_tested
from .inputs import Points, area_of, metric_of, points_of, rng_of

#: Ways to release distances, and rules of the attack on them, by the same names.
LIPSCHITZ, COORDINATE_NOISE, DISTANCE_NOISE = METHODS = (
    "lipschitz",
    "coordinate_noise",
    "distance_noise",
)
#: Metres in a unit, and decimals that stand for one metre.
UNITS = {"m": (1.0, 0), "km": (1000.0, 3)}


@dataclass(frozen=True)
class Method:
    """How distances are released; an adversary is taken to know it (Kerckhoffs' principle).

    Attributes
    ----------
    name : str
        ``lipschitz``, ``coordinate_noise`` or ``distance_noise``.
    sets, size : int
        Of ``lipschitz``: number of reference sets d, and points in each k.
    sigma : float
        Of noise: standard deviation on each coordinate in metres, or scale of the noise on
        distances in their unit.
    distribution : str
        Of ``distance_noise``: ``gaussian`` or ``laplace``.
    """

    name: str = LIPSCHITZ
    sets: int = 20
    size: int = 20
    sigma: float = 1000.0
    distribution: str = DISTRIBUTIONS[0]

    def __str__(self) -> str:
        if self.name == LIPSCHITZ:
            return f"Lipschitz embedding, {self.sets:,} sets of {self.size:,} reference points"
        if self.name == COORDINATE_NOISE:
            return f"Gaussian noise of {self.sigma:g} m on the coordinates"
        return f"{self.distribution.capitalize()} noise of {self.sigma:g} on the distances"


@dataclass(frozen=True, eq=False, repr=False)
class DistanceRelease(Summarised):
    """Distances for release, and what must stay private.

    Attributes
    ----------
    matrix : DistanceMatrix
        For release: the distances, records in random order, with ids 1, 2, .., n.
    method : Method
        How they were made; no secret.
    row : (n,) int array
        Private: the row of the original behind each released record.
    references : (d, k, 2) array or None
        Private: the reference points of an embedding, in the system of the points.
    notes : tuple of str
        Sentences for whoever releases them.
    """

    matrix: DistanceMatrix
    method: Method
    row: np.ndarray
    references: np.ndarray | None
    notes: tuple[str, ...] = ()

    def in_words(self) -> str:
        """Say what is released and how it was made."""
        return "\n".join([f"{self.matrix.summary()} {self.method}.", *self.notes])


def release(
    points: Points,
    method: str = LIPSCHITZ,
    *,
    sets: int = 20,
    size: int = 20,
    sigma: float = 1000.0,
    distribution: str = DISTRIBUTIONS[0],
    area: Any = None,
    metric: str | None = None,
    unit: str = "m",
    decimals: int | None = None,
    crs: Any = None,
    seed: Any = None,
    progress: Progress = silent,
) -> DistanceRelease:
    """Release distances between people instead of their places.

    Parameters
    ----------
    points : (n, 2) array, GeoDataFrame or GeoSeries
        Places of the people, x (east, longitude) before y.
    method : str
        ``lipschitz``: distances of an embedding, which never exceed the true ones.
        ``coordinate_noise``: of points moved by Gaussian noise. ``distance_noise``: each distance
        with noise of its own.
    sets, size : int
        Of ``lipschitz``: reference sets d, and points in each k. More sets keep distances better,
        larger sets blur them more.
    sigma : float
        Of noise: standard deviation (on each coordinate, in metres), or scale.
    distribution : str
        Of ``distance_noise``: ``gaussian`` or ``laplace``.
    area : StudyArea, polygons as for :func:`study_area`, or None
        Where reference points are drawn; by default the convex hull of the points.
    metric : str, optional
        ``geodesic`` (default), ``great_circle``, or ``planar`` (default without a system).
    unit : str
        ``m`` or ``km``. Without a system distances stay in the unit of the coordinates.
    decimals : int, optional
        Of the released distances; by default steps of one metre.
    crs : anything that pyproj.CRS takes, optional
        By default that of a GeoDataFrame.
    seed : int, numpy.random.Generator or None
        None takes the operating system's randomness. A seed is as secret as the places: whoever
        has it can draw the reference points again.
    progress : callable
        Told a fraction between 0 and 1; may raise to cancel.

    Returns
    -------
    DistanceRelease
        ``matrix`` is for release, ``row`` and ``references`` are private.

    Raises
    ------
    InputError
        With fewer than two points, or parameters that do not go together.

    References
    ----------
    Kroll, M. and Schnell, R. (2016). Anonymisation of geographical distance matrices via Lipschitz
    embedding. International Journal of Health Geographics 15, 1.

    Examples
    --------
    >>> released = geoanon.release(points, sets=20, size=5, crs=27700)
    >>> released.matrix.square()
    """
    how = method_of(method, sets, size, sigma, distribution)
    xy, wkt = points_of(points, crs)
    if len(xy) < 2:
        raise InputError("Distances need at least two points.")
    measured = metric_of(metric, wkt)
    factor, places = _unit(unit, measured.unit)
    rng = rng_of(seed)
    row = rng.permutation(len(xy))
    shuffled = xy[row]
    places = places if decimals is None else decimals
    notes: list[str] = []
    references = None
    if how.name == LIPSCHITZ:
        ground = area_of(area, xy, wkt)
        too_large = sensible_size(how.size, measured.coordinates(shuffled), ground, measured)
        notes += [too_large] if too_large else []
        condensed, references = lipschitz_release(
            shuffled,
            ground,
            measured,
            how.sets,
            how.size,
            places,
            factor,
            rng,
            part(progress, 0.05, 1.0),
        )
    else:
        noise = COORDINATES if how.name == COORDINATE_NOISE else how.distribution
        condensed = noisy_release(
            shuffled, measured, noise, how.sigma, False, wkt, places, factor, rng, progress
        )
    told = unit if measured.unit == "m" else measured.unit
    matrix = DistanceMatrix.numbered(condensed, told)
    made = DistanceRelease(matrix, how, row, references, tuple(notes))
    return made.with_verdict(not_tested("file_with_places", "which_record"))


def method_of(name: str, sets: int, size: int, sigma: float, distribution: str) -> Method:
    """Return the method of that name.

    Raises
    ------
    InputError
        If there is none.
    """
    if name not in METHODS:
        raise InputError(
            "Distances are not released by {name!r}; choose one of: {methods}.",
            name=name,
            methods=", ".join(METHODS),
        )
    if name == DISTANCE_NOISE and distribution not in DISTRIBUTIONS:
        raise InputError(
            "There is no noise {distribution!r}; choose one of {distributions}.",
            distribution=distribution,
            distributions=", ".join(DISTRIBUTIONS),
        )
    return Method(name, sets, size, sigma, distribution)


def _unit(unit: str, measured: str) -> tuple[float, int]:
    """Length of the released unit in that of the metric, and decimals for about a metre."""
    if unit not in UNITS:
        raise InputError(
            "Distances are released in one of the units {units}.", units=", ".join(UNITS)
        )
    if measured == "m":
        return UNITS[unit]
    if unit != "m":
        raise InputError(
            "Without a coordinate reference system nothing is known of the unit of the "
            "coordinates, so distances cannot be told in {unit}. Give crs=, or leave unit= "
            "out.",
            unit=unit,
        )
    return 1.0, 3
