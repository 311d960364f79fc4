# SPDX-License-Identifier: GPL-2.0-or-later
"""Distances to the nearest other point, and the index of Clark and Evans, before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..microdata.utility import Distribution, distribution
from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, figure
from ..space.points import as_points, nearest_neighbours
from .window import Window

#: Standard error of a mean nearest-neighbour distance under complete spatial randomness, times
#: n over the root of the area: sqrt((4 - π) / (4 π)).
_ERROR = float(np.sqrt((4 - np.pi) / (4 * np.pi)))


@dataclass(frozen=True)
class NearestNeighbours:
    """The nearest-neighbour index of one pattern.

    Attributes
    ----------
    points : int
        Points inside the window.
    mean : float
        Mean distance to the nearest other point inside.
    index : float
        ``mean`` over that under complete spatial randomness, sqrt(A / n) / 2: below 1 clustered,
        above 1 dispersed. Points near the border miss neighbours beyond it, which makes it larger.
    corrected_index : float
        The same over Donnelly's expectation, which allows for the border (of a window that is
        not much longer than wide).
    z : float
        Of ``index``, as Clark and Evans test it.
    """

    points: int
    mean: float
    index: float
    corrected_index: float
    z: float


@dataclass(frozen=True, repr=False)
class NearestCompared(Summarised):
    """Nearest neighbours before and after.

    Attributes
    ----------
    before, after : NearestNeighbours
    distances : Distribution
        Distances of all points to the nearest other one, wherever they lie; its ``ks_distance`` is
        the largest difference of both cumulative distributions.
    """

    before: NearestNeighbours
    after: NearestNeighbours
    distances: Distribution

    def in_words(self) -> str:
        """Say both indices."""
        return (
            f"Nearest-neighbour index {figure(self.before.index, '.3f')}, then"
            f" {figure(self.after.index, '.3f')}; largest difference of the distributions of"
            f" nearest distances {self.distances.ks_distance:.3f}."
        )


def compare_nearest(
    original: np.ndarray,
    released: np.ndarray,
    window: Window,
    progress: Progress = silent,
) -> NearestCompared:
    """Compare the nearest-neighbour distances of two patterns.

    Parameters
    ----------
    original, released : (n, 2), (m, 2) arrays
        In one plane; rows need not correspond.
    window : Window
        Its area says how dense the points lie.
    progress : callable

    Returns
    -------
    NearestCompared

    Raises
    ------
    InputError
        If one has fewer than two points inside the window.
    """
    both = [as_points(original), as_points(released)]
    indices, away = [], []
    for number, xy in enumerate(both):
        ahead = part(progress, number / 2, (number + 1) / 2)
        inside = window.contains(xy, part(ahead, 0.0, 0.1))
        indices.append(nearest_neighbour_index(xy[inside], window, part(ahead, 0.1, 0.5)))
        away.append(nearest_neighbours(xy, part(ahead, 0.5, 1.0))[1])
    return NearestCompared(indices[0], indices[1], distribution(away[0], away[1]))


def nearest_neighbour_index(
    xy: np.ndarray, window: Window, progress: Progress = silent
) -> NearestNeighbours:
    """The index of Clark and Evans of points in a window.

    Parameters
    ----------
    xy : (n, 2) array
        All inside.
    window : Window
    progress : callable

    Returns
    -------
    NearestNeighbours

    Raises
    ------
    InputError
        If there are fewer than two.

    References
    ----------
    Clark & Evans (1954), Distance to nearest neighbor as a measure of spatial relationships in
    populations, Ecology 35: 445-453. Donnelly (1978), Simulations to determine the variance and
    edge effect of total nearest-neighbor distance, in Hodder (ed.), Simulation methods in
    archaeology, Cambridge: 91-95.
    """
    count = len(xy)
    if count < 2:
        raise InputError(
            Sentence(
                "The nearest-neighbour index needs at least two points inside the area. Give the"
                " area that the points come from, in their coordinate reference system."
            )
        )
    mean = float(nearest_neighbours(xy, progress)[1].mean())
    expected = 0.5 * float(np.sqrt(window.area / count))
    around = float(shapely().length(window.shape))
    wider = expected + (0.0514 + 0.041 / np.sqrt(count)) * around / count
    error = _ERROR * float(np.sqrt(window.area)) / count
    return NearestNeighbours(count, mean, mean / expected, mean / wider, (mean - expected) / error)
