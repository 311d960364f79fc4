# SPDX-License-Identifier: GPL-2.0-or-later
"""How many candidates lie in the balls around the two ends of a pair.

Coarse coordinates leave millions of pairs with hundreds of candidates around each; this is
the inner loop of the attack on them. Compiled where numba is, on lists from a k-d tree
elsewhere; both count the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...runtime import accel
from ...runtime.progress import Progress, chunks, silent
from .antipodal import flatten, portions

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Pairs that the compiled loop handles between two looks at the cancel button.
_PAIRS_AT_ONCE = 20_000
#: Places in a cell of the grid, on average.
_PER_CELL = 4


def ball_counts(
    tree: cKDTree,
    count: np.ndarray,
    origin: np.ndarray,
    partner: np.ndarray,
    radius: np.ndarray,
    progress: Progress = silent,
) -> tuple[np.ndarray, np.ndarray]:
    """Records strictly inside the ball around each origin, and inside that or the partner's.

    Parameters
    ----------
    tree : cKDTree
        Of the p places.
    count : (p,) int array
        Records at each place.
    origin, partner : (h,) int arrays
        Two different places; neither counts, and each is outside the other's ball.
    radius : (h,) array
        Of both balls; shorter than the distance between origin and partner.
    progress : callable

    Returns
    -------
    around, union : (h,) int arrays
    """
    xy = np.asarray(tree.data)
    counting = _compiled if accel.enabled() else _from_lists
    around, union = counting(tree, xy, count, origin, partner, radius, progress)
    return around - count[origin], union - count[origin] - count[partner]


def _from_lists(tree, xy, count, origin, partner, radius, progress):
    around = np.zeros(len(origin), dtype=np.int64)
    union = np.zeros(len(origin), dtype=np.int64)
    centre = (xy[origin] + xy[partner]) / 2
    # The farthest point of either ball is half their distance plus the radius away.
    reach = np.hypot(*(xy[origin] - xy[partner]).T) / 2 + radius
    for rows in portions(centre, reach, tree):
        progress(rows.start / max(len(origin), 1))
        of, near = flatten(tree.query_ball_point(centre[rows], reach[rows]))
        row = of + rows.start
        squared = radius[row] ** 2
        from_origin = _squared_distance(xy, near, origin[row]) < squared
        from_partner = _squared_distance(xy, near, partner[row]) < squared
        length = rows.stop - rows.start
        around[rows] = np.bincount(of, count[near] * from_origin, length)
        union[rows] = np.bincount(of, count[near] * (from_origin | from_partner), length)
    return around, union


def _squared_distance(xy, one, other):
    gap_x, gap_y = xy[one, 0] - xy[other, 0], xy[one, 1] - xy[other, 1]
    return gap_x * gap_x + gap_y * gap_y


def _compiled(tree, xy, count, origin, partner, radius, progress):
    low = xy.min(axis=0)
    span = np.maximum(xy.max(axis=0) - low, 1e-300)
    cells = max(1, len(xy) // _PER_CELL)
    size = max(float(np.sqrt(span[0] * span[1] / cells)), float(span.max()) / cells)
    shape = np.floor(span / size).astype(np.int64) + 1
    cell = np.floor((xy - low) / size).astype(np.int64)
    cell = cell[:, 1] * shape[0] + cell[:, 0]
    order = np.argsort(cell, kind="stable")
    start = np.searchsorted(cell[order], np.arange(shape[0] * shape[1] + 1))
    around = np.zeros(len(origin), dtype=np.int64)
    union = np.zeros(len(origin), dtype=np.int64)
    x, y, here = xy[order, 0].copy(), xy[order, 1].copy(), count[order].astype(np.int64)
    for rows in chunks(len(origin), _PAIRS_AT_ONCE, progress):
        _count(
            x,
            y,
            here,
            start,
            low[0],
            low[1],
            size,
            shape[0],
            shape[1],
            xy[origin[rows]],
            xy[partner[rows]],
            radius[rows],
            around[rows],
            union[rows],
        )
    return around, union


@accel.kernel
def _count(x, y, here, start, x0, y0, size, nx, ny, origin, partner, radius, around, union):
    for h in range(len(radius)):
        ax, ay = origin[h, 0], origin[h, 1]
        bx, by = partner[h, 0], partner[h, 1]
        r = radius[h]
        squared = r * r
        # One cell more on each side: the cell of a point on the rim may be rounded away.
        left = max(0, int(np.floor((min(ax, bx) - r - x0) / size)) - 1)
        right = min(nx - 1, int(np.floor((max(ax, bx) + r - x0) / size)) + 1)
        bottom = max(0, int(np.floor((min(ay, by) - r - y0) / size)) - 1)
        top = min(ny - 1, int(np.floor((max(ay, by) + r - y0) / size)) + 1)
        in_origin = 0
        in_either = 0
        for row in range(bottom, top + 1):
            for k in range(start[row * nx + left], start[row * nx + right + 1]):
                ox, oy = x[k] - ax, y[k] - ay
                px, py = x[k] - bx, y[k] - by
                if ox * ox + oy * oy < squared:
                    in_origin += here[k]
                    in_either += here[k]
                elif px * px + py * py < squared:
                    in_either += here[k]
        around[h] = in_origin
        union[h] = in_either
