# SPDX-License-Identifier: GPL-2.0-or-later
"""Questions about point sets that more than one method asks.

Planar, in the units of the coordinates; :mod:`.planes` says which plane that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.proj_thread import in_proj_thread
from ..runtime.wording import Sentence

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Coordinates from here on are those of no place in any unit. Their powers, which areas and
#: fits take, would soon be no numbers any more.
LARGEST = 1e30
#: Different values from which on a step is believed: by chance one in 2 to the power of it is even.
_FEWEST_VALUES = 20
#: A step must be so many times what arithmetic leaves of coordinates.
_SURELY = 1e4
#: Gaps between values that are looked at for a step.
_GAPS = 64
#: Points in a leaf of SciPy's trees.
_LEAF = 16
#: Rows a k-d tree is asked about in one call: about 50 ms, so that a cancel acts at once.
QUERY_ROWS = 65_536


def as_points(xy: np.ndarray, what: str = Sentence("points")) -> np.ndarray:
    """Return ``xy`` as a C-contiguous ``(n, 2)`` array of finite floats.

    Raises
    ------
    InputError
        If the shape is wrong or a coordinate is NaN or infinite.
    """
    xy = np.ascontiguousarray(xy, dtype=np.float64)
    if xy.ndim != 2 or xy.shape[1] != 2:
        raise InputError(
            "The {what} must be an array of x and y, not of shape {shape}.",
            what=what,
            shape=xy.shape,
        )
    # Beyond the limit the square of a distance is no number any more; NaN fails here too.
    if not (np.abs(xy) < LARGEST).all():
        raise InputError(
            "Some {what} have coordinates that are no finite numbers, or larger than any "
            "place; leave those records out.",
            what=what,
        )
    return xy


@dataclass(frozen=True)
class Places:
    """Distinct places of a point set.

    Attributes
    ----------
    xy : (p, 2) array
        The distinct places, sorted by x, then y.
    of_point : (n,) int array
        The place at which each point lies.
    count : (p,) int array
        Points at each place.
    first : (p,) int array
        The first point at each place.
    """

    xy: np.ndarray
    of_point: np.ndarray
    count: np.ndarray
    first: np.ndarray


def places(xy: np.ndarray) -> Places:
    """Group points that have exactly the same coordinates.

    Parameters
    ----------
    xy : (n, 2) array

    Returns
    -------
    Places
    """
    order = np.lexsort((xy[:, 1], xy[:, 0]))
    ordered = xy[order]
    new = np.ones(len(xy), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    of_point = np.empty(len(xy), dtype=np.intp)
    of_point[order] = np.cumsum(new) - 1
    count = np.bincount(of_point, minlength=int(new.sum()))
    return Places(ordered[new], of_point, count, order[new])


def build_tree(xy: np.ndarray, progress: Progress = silent, quickly: bool = False) -> cKDTree:
    """Build a k-d tree without keeping the user waiting on a cancel.

    The one place that loads SciPy's trees: the modules around it load with NumPy alone. A tree
    that is built ``quickly``, in less than half the time, is for few questions.
    """
    from scipy.spatial import cKDTree

    how = {"leafsize": 64, "balanced_tree": False, "compact_nodes": False} if quickly else {}
    return interruptible(lambda: cKDTree(xy, **how), progress)


def nearest_neighbours(
    xy: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest other point of each point; the same whatever the order of the rows.

    Ties go to the neighbour with the smallest x, then the smallest y. A point that shares
    its place has a distance of zero and some other point of that place as its neighbour.

    Parameters
    ----------
    xy : (n, 2) array
        At least two points.
    progress : callable
        Told a fraction; may raise to cancel.

    Returns
    -------
    neighbour : (n,) int array
    distance : (n,) float array

    Raises
    ------
    InputError
        If there are fewer than two points.
    """
    if len(xy) < 2:
        raise InputError("A nearest neighbour needs at least two points.")
    tree = build_tree(xy, part(progress, 0.0, 0.05))
    if _is_crowded(tree, xy):
        # Points at one place all lie in one leaf, and each query would look at all of them.
        del tree
        return _by_place(xy, part(progress, 0.05, 1.0))
    return _query(tree, xy, part(progress, 0.05, 1.0))


def _is_crowded(tree: cKDTree, xy: np.ndarray) -> bool:
    """Whether some place holds more points than a leaf of the tree should."""
    leaves = xy[tree.indices]
    return bool((leaves[_LEAF:] == leaves[:-_LEAF]).all(axis=1).any())


def _query(tree: cKDTree, xy: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    neighbour = np.empty(len(xy), dtype=np.intp)
    distance = np.empty(len(xy))
    # A third neighbour shows whether the second is the only one at its distance. Asking in
    # the order of the tree's leaves halves the time: what is near stays in the cache.
    asked = min(3, len(xy))
    for rows in chunks(len(xy), QUERY_ROWS, progress):
        points = tree.indices[rows]
        d, i = tree.query(xy[points], k=asked)
        alone = d[:, 1] > 0
        # Among several points at one place the query may list the point itself second.
        second = np.where(alone | (i[:, 1] != points), i[:, 1], i[:, 0])
        if asked == 3:
            tied = alone & (d[:, 2] == d[:, 1])
            if tied.any():
                second[tied] = _break_ties(tree, xy, points[tied], d[tied, 1])
        neighbour[points] = second
        distance[points] = d[:, 1]
    return neighbour, distance


def _by_place(xy: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """The same where many points share a place: ask once for each place."""
    found = places(xy)
    order = np.argsort(found.of_point, kind="stable")
    first = np.cumsum(found.count) - found.count
    # The next point of the same place is the neighbour; the last one's is the first.
    neighbour = np.empty(len(xy), dtype=np.intp)
    neighbour[order[:-1]] = order[1:]
    neighbour[order[first + found.count - 1]] = order[first]
    distance = np.zeros(len(xy))
    if len(found.xy) > 1:
        other, away = nearest_neighbours(found.xy, progress)
        alone = np.flatnonzero(found.count[found.of_point] == 1)
        neighbour[alone] = order[first[other[found.of_point[alone]]]]
        distance[alone] = away[found.of_point[alone]]
    return neighbour, distance


#: Neighbours looked at when the nearest are tied: at most six distinct places can be.
_TIED = 8


def _break_ties(
    tree: cKDTree, xy: np.ndarray, points: np.ndarray, distance: np.ndarray
) -> np.ndarray:
    """Of all neighbours at the shortest distance, take the one first in x, then in y."""
    d, i = tree.query(xy[points], k=min(_TIED, len(xy)))
    tied = (d == distance[:, None]) & (i != points[:, None])
    x = np.where(tied, xy[i, 0], np.inf)
    y = np.where(x == x.min(axis=1, keepdims=True), xy[i, 1], np.inf)
    chosen = i[np.arange(len(points)), y.argmin(axis=1)]
    # Places with many points crowd out the others: look at all that are as near.
    for at in np.flatnonzero(d[:, -1] == distance) if len(xy) > _TIED else ():
        others = np.asarray(tree.query_ball_point(xy[points[at]], distance[at] * (1 + 1e-12)))
        others = others[others != points[at]]
        # Measured as the tree measures it, so that equal means equal here too.
        gap = xy[others] - xy[points[at]]
        away = np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2)
        others = others[away == away.min()]
        chosen[at] = others[np.lexsort((xy[others, 1], xy[others, 0]))[0]]
    return chosen


def coordinate_resolution(xy: np.ndarray) -> float:
    """The power of ten that all coordinates are multiples of; zero if there is none.

    It is what rounding left: 0.001 for coordinates with three decimals, 10 for tens of
    metres. Coordinates in full precision have none.

    Parameters
    ----------
    xy : (n, 2) array
        Coordinates as they are stored, in any unit.

    Returns
    -------
    float
        A power of ten from 1e-9 to 1e5, in the unit of the coordinates, or 0.
    """
    return _resolution(_sizes(xy))


def _sizes(xy: np.ndarray) -> np.ndarray:
    values = np.unique(np.abs(np.ravel(xy)))
    return values[values > 0]


def _resolution(values: np.ndarray) -> float:
    if values.size == 0:
        return 0.0
    # Doubles near v lie v * 2e-16 apart: a finer grid than that cannot be told from none.
    noise = 4 * np.spacing(values)
    for exponent in range(5, -10, -1):
        scaled = values / 10.0**exponent if exponent > 0 else values * 10.0**-exponent
        off_grid = np.abs(scaled - np.rint(scaled)) * 10.0**exponent
        if (noise < 1e-3 * 10.0**exponent).all() and (off_grid <= noise).all():
            return 10.0**exponent
    return 0.0


def coordinate_step(xy: np.ndarray) -> float:
    """The widest step of which all coordinates are multiples, be it a power of ten or not.

    40 for coordinates rounded to 40 m, 30.48 for 100 feet, 1/3600 for seconds of degrees. Where there
    are so few values that they are multiples of a wide step by chance, it is
    :func:`coordinate_resolution`.

    Parameters
    ----------
    xy : (n, 2) array
        Coordinates as they are stored, in any unit.

    Returns
    -------
    float
        In the unit of the coordinates; 0 where there is none.
    """
    values = _sizes(xy)
    fine = _resolution(values)
    if len(values) < _FEWEST_VALUES:
        return fine
    if fine:
        whole = np.rint(values / fine).astype(np.int64)
        return fine * int(np.gcd.reduce(whole))
    noise = 16 * float(np.spacing(values.max()))
    # Of short gaps few are left over, and of few little noise.
    step = _common_measure(np.sort(np.diff(values))[:_GAPS], 2 * noise)
    if step < _SURELY * noise:
        return 0.0
    # All values together tell the step better than the gaps between two.
    for number in (values - values[0], values):
        times = np.rint(number / step)
        step = float(number @ times / (times @ times))
    return step if (np.abs(values - np.rint(values / step) * step) <= noise).all() else 0.0


def _common_measure(lengths: np.ndarray, noise: float) -> float:
    """What all lengths are multiples of, by Euclid's algorithm; 0 where noise hides it.

    Parameters
    ----------
    lengths : (n,) array
    noise : float
        How far off each may be; what is left of one by another may be so many times as far off.
    """
    while True:
        lengths = lengths[lengths > noise]
        least = float(lengths.min(initial=np.inf))
        if not _SURELY * noise <= least < np.inf:
            return 0.0
        times = np.rint(lengths / least)
        rest = np.abs(lengths - times * least)
        good = rest > noise * (1 + times)
        if not good.any():
            return least
        noise *= 1 + float(times[good].max())
        lengths = np.append(rest[good], least)


def convex_hull(xy: np.ndarray) -> np.ndarray:
    """Vertices of the convex hull, counter-clockwise from the leftmost, lowest one.

    SciPy's hull fails where all points are nearly on a line; this one does not.

    Parameters
    ----------
    xy : (n, 2) array

    Returns
    -------
    (m, 2) array
        Fewer than three rows where the points have no extent in both directions.
    """
    if len(xy) == 0:
        return xy
    geos = shapely()
    line = geos.linestrings(np.concatenate([xy, xy[:1]]))  # far smaller than so many points
    ring = geos.get_coordinates(geos.convex_hull(line))
    if len(ring) < 3:
        return ring
    ring = ring[:0:-1]  # clockwise, and closed
    return np.roll(ring, -int(np.lexsort((ring[:, 1], ring[:, 0]))[0]), axis=0)


@in_proj_thread
def euclidean(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """All Euclidean distances between the points of two arrays, by SciPy.

    Called in the one thread that pyproj has, and for the same reason: SciPy's function is bound
    by pybind11, which keeps the state of each Python thread and can be left with a freed one
    when the thread is not Python's own. QGIS 3.40 on Debian 13 then crashes.

    Parameters
    ----------
    a : (n, k) array
    b : (m, k) array

    Returns
    -------
    (n, m) array
    """
    from scipy.spatial.distance import cdist

    return cdist(a, b)
