# SPDX-License-Identifier: GPL-2.0-or-later
"""The nearest members of sets along geodesics: by series, and by pyproj where they do not hold."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..runtime.parallel import run_blocks
from ..runtime.progress import Progress, chunks, part
from . import chords
from .geodesics import geodesic_lengths
from .spheres import angles_of, squared_gaps

#: Pairs that pyproj is asked about in one call: some 40 ms.
GEODESICS = 50_000
#: Geodesics in a block of those solved by series: some 20 ms.
_SERIES = 200_000


class GeodesicSets:
    """Places and sets of places, of which the nearest members are wanted.

    Parameters
    ----------
    points : (n, 2) array
        Longitudes and latitudes in degrees.
    references : (d, k, 2) array
    vectors, sets : (n, 3) array, (d, k, 3) array
        The same on the auxiliary sphere.
    axes : (float, float)
        Of the ellipsoid (m): equatorial, polar.
    limit : callable
        Chord of the sphere beyond which nothing can be nearer than what lies at this one.
    between : callable
        Geodesics (m) between the places of two arrays, row by row, however far.
    """

    def __init__(
        self,
        points: np.ndarray,
        references: np.ndarray,
        vectors: np.ndarray,
        sets: np.ndarray,
        axes: tuple[float, float],
        limit: Callable[[np.ndarray], np.ndarray],
        between: Callable[[np.ndarray, np.ndarray], np.ndarray],
    ):
        self._points, self._references = points, references
        self._vectors, self._sets = vectors, sets
        self._axes, self._limit, self._between = axes, limit, between
        self._here = _Reduced(points, vectors)
        self._there = _Reduced(references.reshape(-1, 2), sets)

    def distances(self, progress: Progress) -> np.ndarray:
        """Distance of every point to the nearest member of every set, (d, n)."""
        (d, k), n = self._sets.shape[:2], len(self._points)
        out = np.empty((d, n))

        def work(block: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray]:
            some, rows = block
            out[some, rows], good = self._nearest(some, rows)
            s, p = np.nonzero(~good)
            return s + some.start, p + rows.start

        blocks = chords.set_blocks((d, k), n, _SERIES)
        far = run_blocks(work, blocks, part(progress, 0.0, 0.5))
        s, p = (np.concatenate(indices) for indices in zip(*far)) if far else ((), ())
        for rows in chunks(len(s), max(1, GEODESICS // k), part(progress, 0.5, 1.0)):
            pair, j = self._candidates(s[rows], p[rows])
            found = self._between(self._points[p[rows][pair]], self._references[s[rows][pair], j])
            metres = np.full(len(s[rows]), np.inf)
            np.minimum.at(metres, pair, found)
            out[s[rows], p[rows]] = metres
        return out

    def _nearest(self, some: slice, rows: slice) -> tuple[np.ndarray, np.ndarray]:
        """One block of :meth:`distances`, and where it holds."""
        least, second, member = chords.two_least_squares(self._vectors[rows], self._sets[some])
        k = self._sets.shape[1]
        point = np.broadcast_to(np.arange(rows.start, rows.stop), least.shape)
        reference = member + np.arange(some.start, some.stop)[:, None] * k
        metres, good = self._series(point.ravel(), reference.ravel(), angles_of(least).ravel())
        metres, good = metres.reshape(least.shape), good.reshape(least.shape)
        s, p = np.nonzero(second <= self._square_limit(least))
        for now in chunks(len(s), max(1, _SERIES // k)):
            one, other = s[now] + some.start, p[now] + rows.start
            pair, j = self._candidates(one, other)
            one, other = one[pair], other[pair]
            angle = angles_of(squared_gaps(self._sets[one, j], self._vectors[other]))
            found, holds = self._series(other, one * k + j, angle)
            at = one - some.start, other - rows.start
            np.minimum.at(metres, at, found)
            np.logical_and.at(good, at, holds)
        return metres, good

    def _series(self, point, reference, angle) -> tuple[np.ndarray, np.ndarray]:
        here, there = self._here, self._there
        return geodesic_lengths(
            here.sine[point],
            here.cosine[point],
            there.sine[reference],
            there.cosine[reference],
            there.longitude[reference] - here.longitude[point],
            angle,
            *self._axes,
        )

    def _candidates(self, s, p) -> tuple[np.ndarray, np.ndarray]:
        """Members that can be nearest, as (number of the pair, member), for (set, point)."""
        gap = self._sets[s] - self._vectors[p][:, None, :]
        gap *= gap
        squares = gap.sum(axis=2)
        # A little more than the limit: this sum may round to another than the kernel's.
        limit = self._square_limit(squares.min(axis=1)) * (1 + 1e-12)
        number, member = np.nonzero(squares <= limit[:, None])
        return number, member

    def _square_limit(self, squares: np.ndarray) -> np.ndarray:
        limit = self._limit(np.sqrt(squares))
        return limit * limit


class _Reduced:
    """Sines and cosines of reduced latitudes, and longitudes in radians, of places."""

    def __init__(self, lonlat: np.ndarray, vectors: np.ndarray):
        vectors = vectors.reshape(-1, 3)
        self.sine = np.ascontiguousarray(vectors[:, 2])
        self.cosine = np.hypot(vectors[:, 0], vectors[:, 1])
        self.longitude = np.radians(lonlat[:, 0])
