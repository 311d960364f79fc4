# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of neighbourhoods, from the distances of records that are near each other.

Where only near distances are known, records that are chained by them make a part of their own. Its
map is drawn along the chains (shortest paths, classical scaling: Tenenbaum, de Silva & Langford
2000, A global geometric framework for nonlinear dimensionality reduction) and then improved by
the near distances alone, and by what is known of the others: that they are longer. Majorisation
hardly straightens what bends over the whole map, so Levenberg-Marquardt steps follow it (Marquardt
1963, An algorithm for least-squares estimation of nonlinear parameters).
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
#: Steps of straightening at most, the damping that they begin with and end at, and the gain of a
#: step below which they end; records beyond which they would take minutes.
_STRAIGHTENED, _DAMPING, _MOST_DAMPING, _GAIN, _MOST_STRAIGHTENED = 40, 1e-2, 1e6, 1e-4, 1200
#: Records of a part beyond which its map takes minutes.
MOST_RECORDS = 3000
#: Centres of pieces lie so far from each other at least, as a part of how far a piece reaches.
_BETWEEN = 0.6


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
    from scipy.sparse.csgraph import connected_components

    graph = _graph(pairs)
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


def too_large(pairs: SharedPairs) -> bool:
    """Whether a part has so many records that :func:`neighbourhoods` does not draw it."""
    from scipy.sparse.csgraph import connected_components

    _, part_of = connected_components(_graph(pairs), directed=False)
    return bool(np.bincount(part_of, minlength=1).max() > MOST_RECORDS)


def pieces(pairs: SharedPairs, records: np.ndarray, reach: float) -> list[np.ndarray]:
    """Cut a part into pieces that overlap: who is chained to a centre within some distance.

    Parameters
    ----------
    pairs : SharedPairs
    records : (m,) int array
        Of one part.
    reach : float
        Longest chain from the centre of a piece, in the unit of the distances.

    Returns
    -------
    list of int arrays
        Records of each piece, the largest first. A piece that would hold all of them is left out.
    """
    from scipy.sparse.csgraph import shortest_path

    graph = _graph(pairs)[records][:, records]
    chained = shortest_path(graph, directed=False)
    within = chained <= reach
    # Where most records are first: the next centres lie outside.
    free = np.ones(len(records), dtype=bool)
    found = []
    for centre in np.argsort(-within.sum(axis=1), kind="stable"):
        if free[centre]:
            free &= chained[centre] > _BETWEEN * reach
            if _LEAST <= within[centre].sum() < len(records):
                found.append(records[within[centre]])
    return found


def drawn(pairs: SharedPairs, records: np.ndarray, progress: Progress = silent) -> Neighbourhood:
    """Draw the map of some records of one part (see :func:`pieces`) by themselves.

    Parameters
    ----------
    pairs : SharedPairs
    records : (m,) int array
        Chained by their distances.
    progress : callable
    """
    graph = _graph(pairs)[records][:, records]
    return _drawn(graph, records, 2 * pairs.radius, progress)


def _graph(pairs: SharedPairs):
    from scipy.sparse import csr_matrix

    # A distance of zero has to stay an edge.
    length = np.maximum(pairs.distance, 1e-9 * pairs.radius)
    return csr_matrix((length, (pairs.first, pairs.second)), shape=(pairs.records, pairs.records))


def _drawn(graph, records: np.ndarray, beyond: float, progress: Progress) -> Neighbourhood:
    from scipy.sparse.csgraph import shortest_path

    size = len(records)
    chained = shortest_path(graph, directed=False)
    matrix = DistanceMatrix((chained[np.triu_indices(size, 1)]), tuple(map(str, records)))
    start = classical_scaling(matrix, part(progress, 0, 0.3))
    near = graph.toarray()
    near += near.T
    xy = _improved(near, start, beyond, part(progress, 0.3, 0.6))
    if size <= _MOST_STRAIGHTENED:
        xy = _straightened(near, xy, beyond, part(progress, 0.6, 1))
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


def _straightened(near: np.ndarray, xy: np.ndarray, beyond: float, progress: Progress):
    """Lower the same stress by Levenberg-Marquardt steps, which move whole parts of a map."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    known = near > 0
    damping = _DAMPING
    stress, gradient, curvature = _stress(near, known, xy, beyond)
    for _ in chunks(_STRAIGHTENED, 1, progress):
        scale = curvature.diagonal().mean()
        gain = -np.inf
        while gain < 0 and damping < _MOST_DAMPING:
            damped = curvature + damping * scale * np.eye(len(curvature))
            try:
                step = cho_solve(cho_factor(damped, overwrite_a=True), gradient)
            except LinAlgError:
                damping *= 10.0
                continue
            moved = xy - step.reshape(2, -1).T
            new = _stress(near, known, moved, beyond)
            gain = stress - new[0]
            damping *= 0.2 if gain > 0 else 10.0
        if gain <= _GAIN * stress:
            break
        xy, (stress, gradient, curvature) = moved, new
    return xy - xy.mean(axis=0)


def _stress(near: np.ndarray, known: np.ndarray, xy: np.ndarray, beyond: float):
    """Half the stress, its gradient (x before y), and the curvature that Gauss and Newton take."""
    apart = xy[:, None] - xy
    drawn = np.sqrt((apart**2).sum(axis=2))
    off = np.where(known, drawn - near, np.minimum(drawn - beyond, 0.0))
    weight = np.where(known, 1.0, np.where(off < 0, _APART, 0.0))
    np.fill_diagonal(weight, 0.0)
    to = np.divide(apart, drawn[:, :, None], out=np.zeros_like(apart), where=drawn[:, :, None] > 0)
    gradient = ((weight * off)[:, :, None] * to).sum(axis=1)
    blocks = [[-weight * to[:, :, a] * to[:, :, b] for b in (0, 1)] for a in (0, 1)]
    for row in blocks:
        for block in row:
            np.fill_diagonal(block, -block.sum(axis=1))
    stress = float((weight * off**2).sum()) / 4
    return stress, gradient.T.ravel(), np.block(blocks)
