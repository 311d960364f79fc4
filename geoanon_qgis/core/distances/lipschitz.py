# SPDX-License-Identifier: GPL-2.0-or-later
"""Lipschitz embedding of places, and the distances between the embedded places.

Kroll, M. & Schnell, R. (2016). Anonymisation of geographical distance matrices via Lipschitz
embedding. International Journal of Health Geographics 15:1, section "Contractive anonymisation
of spatial point data".
"""

from __future__ import annotations

import numpy as np

from ..runtime import accel
from ..runtime.errors import InputError
from ..runtime.parallel import run_blocks
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.wording import Sentence, number_of
from ..space.areas import StudyArea
from ..space.metrics import Metric
from ..space.points import places
from .noise import coordinate_noise

#: Pairs times dimensions in a block of work: a tenth of a second, compiled or not.
_BLOCK = 50_000_000
#: Rows and columns of a tile that NumPy keeps in the cache.
_TILE = 64, 512
#: Sets embedded at a time where points share places.
_SETS = 64


def reference_sets(
    area: StudyArea, sets: int, size: int, rng: np.random.Generator, progress: Progress = silent
) -> np.ndarray:
    """Draw reference sets: points independent and uniform in the area (step 2).

    The paper draws them from "a geographical area" and leaves open what uniform means there;
    here it is uniform by area on the ground. The sets are as secret as the places.

    Parameters
    ----------
    area : StudyArea
    sets : int
        Number of sets d, the dimension parameter.
    size : int
        Points in a set k, the size parameter.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    (d, k, 2) array
        Stored coordinates of the area's system.

    Raises
    ------
    InputError
        If d or k is below one.
    """
    _check(sets, size)
    return area.sample(sets * size, rng, progress).reshape(sets, size, 2)


def noisy_places(
    xy: np.ndarray,
    pre_noise: float,
    wkt: str | None,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Move every place by Gaussian noise before it is embedded.

    Nobody is brought back into the study area. These places are never released, so that nothing
    is gained; and whoever lives at the border would be moved less than others. (Of the convex
    hull of all places, which is the area by default, each corner is somebody's home.)

    Parameters
    ----------
    xy : (n, 2) array
        Stored coordinates.
    pre_noise : float
        Standard deviation of the way east and of the way north, in metres on the ground; 0 moves
        nobody and draws nothing.
    wkt : str or None
        Coordinate reference system of the places; without one, the noise is in its unit.
    rng : numpy.random.Generator
    progress : callable

    Returns
    -------
    (n, 2) array
        Stored coordinates.

    Raises
    ------
    InputError
        If the noise is negative or no number, or takes somebody out of what the system can hold.
    """
    if pre_noise == 0:
        return xy
    return coordinate_noise(xy, pre_noise, False, wkt, rng, progress)


def embed(
    points: np.ndarray, references: np.ndarray, metric: Metric, progress: Progress = silent
) -> np.ndarray:
    """Distances of every point to the nearest member of every reference set (equation 1).

    Parameters
    ----------
    points : (n, 2) array
        In the metric's coordinates.
    references : (d, k, 2) array
        In the metric's coordinates.
    metric : Metric
    progress : callable

    Returns
    -------
    (n, d) array
        In the metric's unit; secret. A transposed view, which is what
        :func:`embedded_distances` reads best. Points at one place have the same row.
    """
    found = places(points)
    if len(found.xy) == len(points):
        return metric.nearest_in_sets(points, references, progress)
    out = np.empty((len(references), len(points)))
    for some in chunks(len(references), _SETS):
        of_places = metric.nearest_in_sets(
            found.xy,
            references[some],
            part(progress, some.start / len(references), some.stop / len(references)),
        )
        out[some] = of_places.T[:, found.of_point]
    return out.T


def embedded_distances(embedding: np.ndarray, progress: Progress = silent) -> np.ndarray:
    """Largest difference over the dimensions for every pair of points (equation 2).

    Parameters
    ----------
    embedding : (n, d) array
    progress : callable

    Returns
    -------
    (n (n - 1) / 2,) array
        Condensed, in the order of ``scipy.spatial.distance.pdist``; never more than the true
        distance but for rounding in the last digits, see :mod:`.rounding`.
    """
    features = np.ascontiguousarray(np.asarray(embedding, dtype=np.float64).T)
    d, n = features.shape
    condensed = np.zeros(n * (n - 1) // 2)
    rows = max(1, _BLOCK // max(1, n * d))
    if rows >= _TILE[0]:
        rows -= rows % _TILE[0]
    blocks = [(first, min(first + rows, n)) for first in range(0, n - 1, rows)]
    run_blocks(lambda at: embedded_rows(features, at[0], at[1], condensed), blocks, progress)
    return condensed


def embedded_rows(features: np.ndarray, first: int, last: int, condensed: np.ndarray) -> None:
    """Write the rows ``first`` to ``last`` of a condensed matrix; releases the GIL.

    Parameters
    ----------
    features : (d, n) array
        The embedding, contiguous, one dimension a row.
    first, last : int
        Rows of the matrix, the last one not included.
    condensed : (n (n - 1) / 2,) array
        Zeros where these rows stand.
    """
    work = _compiled if accel.enabled() else _in_numpy
    work(features, first, last, condensed)


def lipschitz_distances(
    points: np.ndarray,
    area: StudyArea,
    metric: Metric,
    sets: int,
    size: int,
    rng: np.random.Generator,
    progress: Progress = silent,
    pre_noise: float = 0.0,
) -> np.ndarray:
    """Draw reference sets, embed, and measure: steps 2 to 4 of the paper.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates, in the system of the area and of the metric.
    area : StudyArea
        Where reference points are drawn.
    metric : Metric
    sets, size : int
        The paper's d and k.
    rng : numpy.random.Generator
    progress : callable
    pre_noise : float
        See :func:`noisy_places`.

    Returns
    -------
    (n (n - 1) / 2,) array
        Condensed distances in the metric's unit.
    """
    points = noisy_places(points, pre_noise, area.wkt, rng)
    references = reference_sets(area, sets, size, rng, part(progress, 0.0, 0.05))
    own = metric.coordinates(references.reshape(-1, 2)).reshape(references.shape)
    embedding = embed(metric.coordinates(points), own, metric, part(progress, 0.05, 0.5))
    return embedded_distances(embedding, part(progress, 0.5, 1.0))


def sensible_size(
    size: int, points: np.ndarray, area: StudyArea, metric: Metric, progress: Progress = silent
) -> str:
    """Say so where reference sets are larger than sense; an empty string where they are not.

    A distance can only be kept where both ends have the same nearest reference point, which
    lies half of sqrt(area / k) away on average (the mean distance to the nearest of k uniform
    points). Where that is shorter than half of the way to a typical nearest neighbour, even
    neighbours have different ones and little of any distance is left. For points spread evenly
    that is from four or five reference points to every point on; for clustered ones later.

    Parameters
    ----------
    size : int
        Points in a reference set, the paper's k.
    points : (n, 2) array
        In the metric's coordinates.
    area : StudyArea
    metric : Metric
    progress : callable

    Returns
    -------
    str
    """
    if len(points) < 2:
        return ""
    neighbour = float(np.median(metric.nearest_neighbours(points, 1, progress)[1]))
    reach = 0.5 * np.sqrt(area.area / size)
    if reach >= 0.5 * neighbour:
        return ""
    return Sentence(
        "With {points} in a reference set the nearest one is {reach:,.3g} {own} away on "
        "average, and the nearest neighbour typically {neighbour:,.3g} {own}: even the "
        "distances between neighbours will hardly be kept. Fewer points in a set (SIZE) "
        "keep more.",
        points=number_of(size, "point", "points"),
        reach=reach,
        own=metric.unit,
        neighbour=neighbour,
    )


def _check(sets: int, size: int) -> None:
    if sets < 1:
        raise InputError("The number of reference sets must be at least 1.")
    if size < 1:
        raise InputError("A reference set must hold at least 1 point.")


def _in_numpy(features: np.ndarray, first: int, last: int, condensed: np.ndarray) -> None:
    """The rows ``first`` to ``last`` of the condensed matrix, in tiles."""
    n = features.shape[1]
    for top in range(first, last, _TILE[0]):
        bottom = min(top + _TILE[0], last)
        for left in range(top + 1, n, _TILE[1]):
            right = min(left + _TILE[1], n)
            largest = np.zeros((bottom - top, right - left))
            gap = np.empty_like(largest)
            for feature in features:
                np.subtract(feature[top:bottom, None], feature[left:right], out=gap)
                np.abs(gap, out=gap)
                np.maximum(largest, gap, out=largest)
            for i in range(top, min(bottom, right - 1)):
                start = max(left, i + 1)
                base = i * (2 * n - i - 1) // 2 - i - 1
                condensed[base + start : base + right] = largest[i - top, start - left :]


@accel.kernel
def _compiled(features, first, last, condensed):
    # Eight dimensions of 256 columns stay in the nearest cache while the rows pass by; the
    # largest difference so far stays in a register over the eight.
    d, n = features.shape
    whole = d - d % 8
    for column in range(first + 1, n, 256):
        end = min(column + 256, n)
        for t in range(0, whole, 8):
            for i in range(first, min(last, end - 1)):
                start = max(column, i + 1)
                base = i * (2 * n - i - 1) // 2 - i - 1
                out = condensed[base + start : base + end]
                f0, a0 = features[t, start:end], features[t, i]
                f1, a1 = features[t + 1, start:end], features[t + 1, i]
                f2, a2 = features[t + 2, start:end], features[t + 2, i]
                f3, a3 = features[t + 3, start:end], features[t + 3, i]
                f4, a4 = features[t + 4, start:end], features[t + 4, i]
                f5, a5 = features[t + 5, start:end], features[t + 5, i]
                f6, a6 = features[t + 6, start:end], features[t + 6, i]
                f7, a7 = features[t + 7, start:end], features[t + 7, i]
                for j in range(out.shape[0]):
                    most = out[j]
                    gap = abs(f0[j] - a0)
                    most = gap if gap > most else most
                    gap = abs(f1[j] - a1)
                    most = gap if gap > most else most
                    gap = abs(f2[j] - a2)
                    most = gap if gap > most else most
                    gap = abs(f3[j] - a3)
                    most = gap if gap > most else most
                    gap = abs(f4[j] - a4)
                    most = gap if gap > most else most
                    gap = abs(f5[j] - a5)
                    most = gap if gap > most else most
                    gap = abs(f6[j] - a6)
                    most = gap if gap > most else most
                    gap = abs(f7[j] - a7)
                    most = gap if gap > most else most
                    out[j] = most
        for t in range(whole, d):
            for i in range(first, min(last, end - 1)):
                start = max(column, i + 1)
                base = i * (2 * n - i - 1) // 2 - i - 1
                out = condensed[base + start : base + end]
                f0, a0 = features[t, start:end], features[t, i]
                for j in range(out.shape[0]):
                    gap = abs(f0[j] - a0)
                    most = out[j]
                    out[j] = gap if gap > most else most
