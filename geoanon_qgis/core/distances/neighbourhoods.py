# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of neighbourhoods, from the distances of records that are near each other.

Where only near distances are known, records that are chained by them make a part of their own. Its
map is drawn along the chains (shortest paths, classical scaling: Tenenbaum, de Silva & Langford
2000, A global geometric framework for nonlinear dimensionality reduction) and then improved by
the near distances alone, and by what is known of the others: that they are longer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, chunks, part, silent
from .isgp import SharedPairs
from .matrix import DistanceMatrix
from .scaling import classical_scaling

#: Steps of improvement; weight of a pair that is drawn too near, beside that of a known distance.
_STEPS, _APART = 120, 0.05
#: Records of a part that is drawn, at least.
_LEAST = 4
#: Records of a part beyond which its map takes minutes.
MOST_RECORDS = 3000


@dataclass(frozen=True, eq=False)
class Neighbourhood:
    """Records that are chained by near distances, and their map.

    Attributes
    ----------
    records : (m,) int array
    xy : (m, 2) array
        In the unit of the distances, up to a shift, a turn and a reflection.
    misfit : float
        Root mean square of drawn less known distance.
    """

    records: np.ndarray
    xy: np.ndarray
    misfit: float


def neighbourhoods(pairs: SharedPairs, progress: Progress = silent) -> list[Neighbourhood]:
    """Draw the map of every part that has enough records, the largest first.

    Parameters
    ----------
    pairs : SharedPairs
    progress : callable

    Returns
    -------
    list of Neighbourhood
        Without parts of more than :data:`MOST_RECORDS`.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    count = pairs.records
    # A distance of zero has to stay an edge.
    length = np.maximum(pairs.distance, 1e-9 * pairs.radius)
    graph = csr_matrix((length, (pairs.first, pairs.second)), shape=(count, count))
    _, part_of = connected_components(graph, directed=False)
    sizes = np.bincount(part_of, minlength=1)
    large = [
        one for one in np.argsort(-sizes, kind="stable") if _LEAST <= sizes[one] <= MOST_RECORDS
    ]
    found = []
    work = np.cumsum([0.0, *(float(sizes[one]) ** 2 for one in large)])
    for number, one in enumerate(large):
        here = part(progress, work[number] / work[-1], work[number + 1] / work[-1])
        records = np.flatnonzero(part_of == one)
        found.append(_drawn(graph[records][:, records], records, 2 * pairs.radius, here))
    progress(1.0)
    return found


def _drawn(graph, records: np.ndarray, beyond: float, progress: Progress) -> Neighbourhood:
    from scipy.sparse.csgraph import shortest_path

    size = len(records)
    chained = shortest_path(graph, directed=False)
    matrix = DistanceMatrix((chained[np.triu_indices(size, 1)]), tuple(map(str, records)))
    start = classical_scaling(matrix, part(progress, 0, 0.3))
    near = graph.toarray()
    near += near.T
    xy = _improved(near, start, beyond, part(progress, 0.3, 1))
    i, j = np.nonzero(np.triu(near))
    off = np.linalg.norm(xy[i] - xy[j], axis=1) - near[i, j]
    return Neighbourhood(records, xy, float(np.sqrt((off**2).mean())))


def _improved(near: np.ndarray, xy: np.ndarray, beyond: float, progress: Progress) -> np.ndarray:
    """Majorise the stress of the near distances, and of others that are drawn too short."""
    from scipy.linalg import cho_factor, cho_solve

    known = near > 0
    weight = np.where(known, 1.0, _APART)
    np.fill_diagonal(weight, 0.0)
    laplacian = -weight
    np.fill_diagonal(laplacian, weight.sum(axis=1))
    # Singular only in a shift of all: one point is held while the others are solved for.
    factor = cho_factor(laplacian[1:, 1:])
    for _ in chunks(_STEPS, 1, progress):
        drawn = np.sqrt((xy[:, 0, None] - xy[:, 0]) ** 2 + (xy[:, 1, None] - xy[:, 1]) ** 2)
        aim = np.where(known, near, np.maximum(drawn, beyond))
        pull = -np.divide(weight * aim, drawn, out=np.zeros_like(drawn), where=drawn > 0)
        np.fill_diagonal(pull, 0.0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        new = np.zeros_like(xy)
        new[1:] = cho_solve(factor, (pull @ xy)[1:])
        xy = new - new.mean(axis=0)
    return xy
