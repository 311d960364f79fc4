# SPDX-License-Identifier: GPL-2.0-or-later
"""The map that an attacker could draw from a released distance matrix.

Multidimensional scaling gives points of the plane whose distances are like the released ones; up
to a shift, a turn, a reflection and a scale they are a picture of the places. :func:`procrustes`
takes these out with the help of the truth, for the data holder's eyes only.

Drawn from all released distances, an embedding with large reference sets looks harmless, since it
shrinks the long ones. But it keeps the short ones, and an attacker can *chain* these: distances
along a graph of near neighbours (Isomap) are nearly true again if the points fill their area.
:func:`draw` tries both and several neighbourhoods, and picks by what the attacker knows, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.wording import Sentence
from ..space.points import euclidean
from .matrix import DistanceMatrix

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Up to so many records all distances are used; above, those to the landmarks.
MOST_RECORDS = 1_500
LANDMARKS = 400
#: Neighbours along which short distances are chained.
CHAINS = (8, 15, 30, 60)
#: Up to so many records a drawing is refined, by so many steps.
_MOST_REFINED = 1_000
_STEPS = 40
#: Neighbours whose distances a drawing should show.
_LOCAL = 15
_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class Drawing:
    """Points of the plane drawn from a distance matrix.

    Attributes
    ----------
    xy : (n, 2) array
        In the unit of the matrix, centred on (0, 0).
    method : str
        How it was drawn: ``classical`` from all distances, ``chained 15`` along the fifteen
        nearest neighbours; ``refined`` if it was improved upon step by step.
    misfit : float
        Mean relative error of the distances to the nearest neighbours, plus the mean relative
        amount by which drawn distances fall short of the released ones.
    """

    xy: np.ndarray
    method: str
    misfit: float


def draw(matrix: DistanceMatrix, progress: Progress = silent) -> Drawing:
    """Draw the best map that the released distances alone let an attacker draw.

    Classical scaling of all distances and of distances chained along 8, 15, 30 and 60
    neighbours; the two that fit best are refined where there are at most a thousand records.
    The fit asks for what a contractive release promises: short distances that are right, and
    no distance shorter than released. No step is random.

    Parameters
    ----------
    matrix : DistanceMatrix
        Held as a square array for up to 1,500 records; above, 400 rows of it are.
    progress : callable
        Told a fraction; may raise to cancel.

    Returns
    -------
    Drawing

    References
    ----------
    Tenenbaum, de Silva & Langford (2000), A global geometric framework for nonlinear
    dimensionality reduction, Science 290: 2319-2323. De Leeuw (1977) for the refinement.
    """
    n = len(matrix)
    if n < 3:
        return Drawing(classical_scaling(matrix), "classical", 0.0)
    rows, chosen = _rows(matrix, part(progress, 0, 0.1))
    near, gap = _nearest(matrix, min(max(CHAINS), n - 1), part(progress, 0.1, 0.25))
    check = _Fit(rows, chosen, near[:, :_LOCAL], gap[:, :_LOCAL])
    drawings = [
        check.drawing(_scaled(rows, chosen, part(progress, 0.25, 0.3)), Sentence("classical"))
    ]
    counts = [k for k in CHAINS if k < n - 1]
    for number, k in enumerate(counts):
        share = 0.3 / len(counts)
        here = part(progress, 0.3 + share * number, 0.3 + share * (number + 1))
        chained = _chained(matrix, near[:, :k], gap[:, :k], chosen, part(here, 0, 0.6))
        scaled = _scaled(chained, chosen, part(here, 0.6, 1))
        drawings.append(check.drawing(scaled, Sentence("chained {k}", k=k)))
    drawings.sort(key=lambda drawing: drawing.misfit)
    if n <= _MOST_REFINED and len(rows) == n:
        for number, start in enumerate(drawings[:2]):
            here = part(progress, 0.6 + 0.2 * number, 0.8 + 0.2 * number)
            better = refine(rows, start.xy, progress=here)
            drawings.append(
                check.drawing(better, Sentence("{method}, refined", method=start.method))
            )
        drawings.sort(key=lambda drawing: drawing.misfit)
    progress(1.0)
    return drawings[0]


def classical_scaling(matrix: DistanceMatrix, progress: Progress = silent) -> np.ndarray:
    """Classical multidimensional scaling to the plane.

    Parameters
    ----------
    matrix : DistanceMatrix
        An n x n array of it is held.
    progress : callable
        Told a fraction; may raise to cancel.

    Returns
    -------
    (n, 2) array
        In the unit of the matrix, centred on (0, 0). Axes point so that the coordinate largest
        in absolute value is positive; a direction in which the distances do not extend is all
        zeros.

    References
    ----------
    Torgerson (1952), Multidimensional scaling: I. Theory and method, Psychometrika 17: 401-419.
    """
    if len(matrix) == 0:
        return np.zeros((0, 2))
    return _torgerson(matrix.square(), progress)[0]


def refine(
    distances: np.ndarray, xy: np.ndarray, steps: int = _STEPS, progress: Progress = silent
) -> np.ndarray:
    """Improve a drawing by majorising the stress sum w (|x_i - x_j| - d~)^2, w = 1 / d~^2.

    The weights count relative errors, so that short distances matter as much as long ones;
    those shorter than the median nearest distance weigh no more than that. Every step lowers
    the stress.

    Parameters
    ----------
    distances : (n, n) array
    xy : (n, 2) array
        Where to start.
    steps : int
    progress : callable
        Told a fraction; may raise to cancel.

    Returns
    -------
    (n, 2) array
        Centred on (0, 0).

    References
    ----------
    de Leeuw (1977), Applications of convex analysis to multidimensional scaling (SMACOF).
    """
    n = len(distances)
    if n < 3 or not distances.any():
        return xy - xy.mean(axis=0)
    from scipy.linalg import cho_factor, cho_solve

    weights = _weights(distances)
    laplacian = -weights
    np.fill_diagonal(laplacian, weights.sum(axis=1))
    # Singular only in a shift of all: one point is held while the others are solved for.
    factor = interruptible(lambda: cho_factor(laplacian[1:, 1:]), progress)
    weighted = weights * distances
    drawn = euclidean(xy, xy)
    xy = xy * ((weighted * drawn).sum() / max((weights * drawn**2).sum(), np.finfo(float).tiny))
    for step in range(steps):
        progress(step / steps)
        drawn = euclidean(xy, xy)
        pull = -np.divide(weighted, drawn, out=np.zeros_like(drawn), where=drawn > 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        new = np.zeros_like(xy)
        new[1:] = cho_solve(factor, (pull @ xy)[1:])
        xy = new - new.mean(axis=0)
    return xy


def stress(distances: np.ndarray, xy: np.ndarray) -> float:
    """The weighted stress that :func:`refine` lowers."""
    return float((_weights(distances) * (euclidean(xy, xy) - distances) ** 2).sum() / 2)


def _weights(distances: np.ndarray) -> np.ndarray:
    others = distances + np.diag(np.full(len(distances), np.inf))
    nearest = others.min(axis=1)
    positive = distances[distances > 0]
    least = float(np.median(nearest)) or (float(positive.min()) if len(positive) else 1.0)
    weights = (least / np.maximum(distances, least)) ** 2
    np.fill_diagonal(weights, 0.0)
    return weights


def procrustes(xy: np.ndarray, onto: np.ndarray) -> tuple[np.ndarray, float]:
    """Shift, turn, reflect and scale a drawing so that it lies best on the truth.

    Parameters
    ----------
    xy : (n, 2) array
    onto : (n, 2) array
        In a plane with equal scale in all directions, not in degrees.

    Returns
    -------
    aligned : (n, 2) array
        In the unit of ``onto``. A drawing that is a single point lands on the truth's mean.
    residual : float
        Root mean square distance of the aligned points from the truth.

    References
    ----------
    Schoenemann & Carroll (1970), Fitting one matrix to another under choice of a central
    dilation and a rigid motion, Psychometrika 35: 245-255.
    """
    if len(xy) != len(onto):
        raise InputError("A drawing can only be laid on as many points as it has.")
    if len(xy) == 0:
        return np.zeros((0, 2)), float("nan")
    middle = onto.mean(axis=0)
    a, b = xy - xy.mean(axis=0), onto - middle
    left, singular, right = np.linalg.svd(a.T @ b)
    size = float((a * a).sum())
    scale = float(singular.sum()) / size if size > 0 else 0.0
    aligned = scale * a @ (left @ right) + middle
    return aligned, float(np.sqrt(((aligned - onto) ** 2).sum(axis=1).mean()))


def _rows(matrix: DistanceMatrix, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """Distances from all records or from landmarks, (l, n), and which records these are."""
    if len(matrix) <= MOST_RECORDS:
        return matrix.square(), np.arange(len(matrix))
    return _landmarks(matrix, LANDMARKS, progress)


def _landmarks(
    matrix: DistanceMatrix, landmarks: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    n = len(matrix)
    everyone = np.arange(n)
    count = min(landmarks, n)
    rows, chosen = np.empty((count, n)), np.empty(count, dtype=np.intp)
    at = int(matrix.pairs(0, everyone).argmax()) if n else 0
    away = np.full(n, np.inf)
    for number in range(count):
        progress(number / count)
        chosen[number] = at
        rows[number] = matrix.pairs(at, everyone)
        away = np.minimum(away, rows[number])
        away[chosen[: number + 1]] = -1.0  # nobody twice, though others share the place
        at = int(away.argmax())
    return rows, chosen


def _scaled(rows: np.ndarray, chosen: np.ndarray, progress: Progress) -> np.ndarray:
    """Coordinates of all n records from their distances (l, n) to l of them.

    Distance-based triangulation (de Silva & Tenenbaum 2004, Sparse multidimensional scaling using
    landmark points, Stanford University, section 2.2), x = -1/2 L# (d^2 - mean),
    which for l = n is classical scaling itself.
    """
    if rows.shape[1] == 0:
        return np.zeros((0, 2))
    xy, values, mean = _torgerson(rows[:, chosen], progress)
    inverse = np.divide(xy, values, out=np.zeros_like(xy), where=values > 0)
    fitted = -0.5 * (rows**2 - mean[:, None]).T @ inverse
    return _pointed(fitted - fitted.mean(axis=0))


def _torgerson(
    distances: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates (n, 2), the eigenvalues (2,) they come from, the mean squares (n,)."""
    squares = distances**2
    mean = squares.mean(axis=0)
    inner = -0.5 * (squares - mean - mean[:, None] + mean.mean())
    values, vectors = interruptible(lambda: _largest_eigenpairs(inner), progress)
    # What rounding leaves of zero is no direction.
    noise = 8 * len(distances) * np.finfo(float).eps * float(squares.max())
    values = np.where(values > noise, values, 0.0)
    return _pointed(vectors * np.sqrt(values)), values, mean


def _largest_eigenpairs(inner: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two largest eigenvalues, descending, and their vectors as columns."""
    n = len(inner)
    if n == 1:
        return np.zeros(2), np.zeros((1, 2))
    from scipy.linalg import eigh

    wanted = [n - 2, n - 1]
    values, vectors = eigh(inner, subset_by_index=wanted)
    if len(values) < 2:  # the ways to a few may miss eigenvalues that are alike
        values, vectors = (found[..., -2:] for found in eigh(inner, driver="evd"))
    return values[::-1], vectors[:, ::-1]


def _pointed(xy: np.ndarray) -> np.ndarray:
    """Reflect the axes so that the entry largest in absolute value is positive."""
    largest = xy[np.abs(xy).argmax(axis=0), np.arange(2)]
    return xy * np.where(largest < 0, -1.0, 1.0)


def _nearest(
    matrix: DistanceMatrix, count: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Indices and released distances of everyone's nearest others, ascending: (n, count)."""
    n = len(matrix)
    near, gap = np.empty((n, count), dtype=np.intp), np.empty((n, count))
    for rows in chunks(n, max(1, _BLOCK // n), progress):
        released = matrix.rows(rows.start, rows.stop)
        here = np.arange(len(released))
        released[here, here + rows.start] = np.inf
        some = np.argpartition(released, count - 1, axis=1)[:, :count]
        values = np.take_along_axis(released, some, axis=1)
        order = np.lexsort((some, values), axis=1)
        near[rows] = np.take_along_axis(some, order, axis=1)
        gap[rows] = np.take_along_axis(values, order, axis=1)
    return near, gap


def _chained(
    matrix: DistanceMatrix,
    near: np.ndarray,
    gap: np.ndarray,
    chosen: np.ndarray,
    progress: Progress,
) -> np.ndarray:
    """Distances (l, n) from the chosen records along the graph of near neighbours.

    Where the graph falls into parts, each is tied to its nearest other part first, and so on
    until it is one.
    """
    from scipy.sparse.csgraph import connected_components, dijkstra

    n, k = near.shape
    start, stop, length = np.repeat(np.arange(n), k), near.ravel(), gap.ravel()
    while True:
        graph = _graph(start, stop, length, n)
        parts, of_record = connected_components(graph, directed=False)
        if parts == 1:
            break
        a, b, away = _bridges(matrix, parts, of_record, part(progress, 0, 0))
        start, stop = np.concatenate([start, a]), np.concatenate([stop, b])
        length = np.concatenate([length, away])
    rows = np.empty((len(chosen), n))
    for some in chunks(len(chosen), max(1, 200_000 // (n * k) + 1), progress):
        rows[some] = dijkstra(graph, directed=False, indices=chosen[some])
    if len(chosen) == n:
        rows = (rows + rows.T) / 2  # sums in either direction round differently
    return rows


def _graph(start: np.ndarray, stop: np.ndarray, length: np.ndarray, n: int) -> csr_matrix:
    from scipy.sparse import csr_matrix

    # An edge of length zero must stay an edge; one that is listed twice must not count twice.
    length = np.maximum(length, 1e-12 * max(float(length.max(initial=0.0)), 1e-300))
    low, high = np.minimum(start, stop), np.maximum(start, stop)
    _, first = np.unique(low * n + high, return_index=True)
    return csr_matrix((length[first], (low[first], high[first])), shape=(n, n))


def _bridges(
    matrix: DistanceMatrix, parts: int, of_record: np.ndarray, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each part the shortest released distance to a record of another."""
    n = len(matrix)
    start, stop = np.zeros(parts, dtype=np.intp), np.zeros(parts, dtype=np.intp)
    away = np.full(parts, np.inf)
    for rows in chunks(n, max(1, _BLOCK // n), lambda fraction: progress(0.0)):
        released = matrix.rows(rows.start, rows.stop)
        released[of_record[rows, None] == of_record] = np.inf
        nearest = released.argmin(axis=1)
        value = released[np.arange(len(released)), nearest]
        for row in np.argsort(value, kind="stable"):
            own = of_record[rows.start + row]
            if value[row] < away[own]:
                start[own], stop[own] = rows.start + row, nearest[row]
                away[own] = value[row]
    return start, stop, away


class _Fit:
    """How well drawings fit what a contractive release promises."""

    def __init__(self, rows, chosen, near, gap):
        self._rows, self._chosen, self._near, self._gap = rows, chosen, near, gap
        # Relative to a length, or duplicates would weigh without limit.
        self._least = 0.1 * float(np.median(gap[:, -1])) or 1.0

    def drawing(self, xy: np.ndarray, method: str) -> Drawing:
        local = np.linalg.norm(xy[:, None] - xy[self._near], axis=2)
        wrong = np.abs(local - self._gap) / np.maximum(self._gap, self._least)
        short = self._rows - euclidean(xy[self._chosen], xy)
        short = np.maximum(short, 0.0) / np.maximum(self._rows, self._least)
        return Drawing(xy, method, float(wrong.mean() + short.mean()))
