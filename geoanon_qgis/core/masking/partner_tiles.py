# SPDX-License-Identifier: GPL-2.0-or-later
"""Regular graphs of short edges, and of more places than are looked at at once.

Above a number of places each tile gets a regular graph of its own, so that the whole is regular. What the cuts cost is won
back by swaps in the strip that overlaps both sides of each cut: there partners are looked for
across it, whoever they are joined to now.
"""

from __future__ import annotations

import numpy as np

from ..runtime.progress import Progress, part, shares, silent
from .partner_search import Net, circulant, match, net_of, repair
from .partner_swaps import shorten


def regular_graph(
    xy: np.ndarray, degree: int, width: int, progress: Progress = silent
) -> np.ndarray:
    """Join every place to the same number of others, nearly as near as can be.

    Parameters
    ----------
    xy : (n, 2) array
        Distinct, in a fixed order; n times degree is even.
    degree : int
        Below n.
    width : int
        Near neighbours that are looked at.
    progress : Progress

    Returns
    -------
    (n, degree) int32 array
    """
    net = net_of(xy, width, part(progress, 0.0, 0.15))
    match(net, degree, part(progress, 0.15, 0.35))
    if not repair(net, part(progress, 0.35, 0.6)):
        circulant(net, degree)
    shorten(net, part(progress, 0.6, 1.0))
    return net.partner


def in_tiles(
    xy: np.ndarray, degree: int, width: int, most: int, progress: Progress = silent
) -> np.ndarray:
    """Join every place to the same number of others, with so many places in hand at a time.

    Parameters
    ----------
    xy : (n, 2) array
        Distinct, in a fixed order; n times degree is even.
    degree : int
    width : int
        Near neighbours that are looked at.
    most : int
        Places of a tile or a strip, at least four times the degree.
    progress : Progress

    Returns
    -------
    (n, degree) int32 array
    """
    tiles, strips = _cut(xy, most)
    told = shares(progress, len(tiles) + len(strips))
    partner = np.empty((len(xy), degree), dtype=np.int32)
    for rows in tiles:
        partner[rows] = rows[regular_graph(xy[rows], degree, width, next(told))]
    x, y = np.ascontiguousarray(xy[:, 0]), np.ascontiguousarray(xy[:, 1])
    for rows in strips:
        local = net_of(xy[rows], width)
        row = np.full(len(xy), -1, dtype=np.int32)
        row[rows] = np.arange(len(rows))
        near = rows[local.near].astype(np.int32)
        shorten(Net(x, y, local.scale, near, row, partner), next(told))
    return partner


def _cut(xy: np.ndarray, most: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Halve along the longer side until no part has more than so many; parts have even sizes.

    An even size has a regular graph of every degree. Where the number of all is odd, the degree
    is even, and one part has an odd size.
    """
    tiles, strips, waiting = [], [], [np.arange(len(xy))]
    while waiting:
        rows = waiting.pop()
        if len(rows) <= most:
            tiles.append(np.sort(rows))
            continue
        extent = np.ptp(xy[rows], axis=0)
        ordered = rows[np.argsort(xy[rows, int(extent[1] > extent[0])], kind="stable")]
        middle = len(rows) // 4 * 2
        waiting += [ordered[middle:], ordered[:middle]]
        strips.append(np.sort(ordered[max(0, middle - most // 2) : middle + most // 2]))
    return tiles, strips
