# SPDX-License-Identifier: GPL-2.0-or-later
"""All distances of an ISGP release: those that shared labels tell, and what is said of the others."""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, part, silent
from ..space.metrics import Metric, metric_in
from .isgp import PER_RADIUS, SharedPairs, label_sets, shared_pairs
from .isgp_grid import SecretGrid
from .matrix import DistanceMatrix, condensed_index, condensed_size


def censored_matrix(
    pairs: SharedPairs, unit_length: float = 1.0, ids: tuple[str, ...] = (), unit: str = ""
) -> DistanceMatrix:
    """Return all distances: pairs that share nothing are two radii apart.

    Parameters
    ----------
    pairs : SharedPairs
    unit_length : float
        What one unit of the pairs is in that of the matrix.
    ids : tuple of str
        1, 2, .. by default.
    unit : str
    """
    beyond = 2.0 * pairs.radius * unit_length
    condensed = np.full(condensed_size(pairs.records), beyond)
    distance = np.minimum(pairs.distance * unit_length, beyond)
    condensed[condensed_index(pairs.records, pairs.first, pairs.second)] = distance
    names = ids or tuple(map(str, range(1, pairs.records + 1)))
    return DistanceMatrix(condensed, names, unit)


def isgp_distances(
    points: np.ndarray,
    metric: Metric,
    radius: float,
    rng: np.random.Generator,
    progress: Progress = silent,
    spacing: float | None = None,
) -> DistanceMatrix:
    """Release the distances of places on a grid that is drawn anew.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    metric : Metric
        Of the same system.
    radius : float
        In metres, or units where nothing is known of the coordinates.
    rng : numpy.random.Generator
    progress : Progress
        May raise to cancel.
    spacing : float, optional
        Between grid points; the usual part of the radius where left out.

    Returns
    -------
    DistanceMatrix
        In the unit of the radius; pairs that share no label are two radii apart.

    Raises
    ------
    InputError
        If the sets of labels do not fit into memory, or the grid does not go with the radius.
    """
    plane = metric.plane_around(points)
    length = plane.metres_per_unit
    between = radius / PER_RADIUS if spacing is None else spacing
    grid = SecretGrid.draw(radius / length, between / length, rng)
    sets = label_sets(plane.forward(points), grid, part(progress, 0, 0.5))
    pairs = shared_pairs(sets, grid.radius, part(progress, 0.5, 1))
    return censored_matrix(pairs, length, unit=metric_in(plane).unit)
