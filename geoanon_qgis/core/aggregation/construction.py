# SPDX-License-Identifier: GPL-2.0-or-later
"""From sites to aggregated areas: every region belongs to the nearest site (Croft 2015, 3.3)."""

from __future__ import annotations

import numpy as np

from ..masking.cells import open_cells, study_area, voronoi_cells
from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence
from ..space.points import as_points, build_tree, places

#: Sites looked at for each region before all are; ties between more are rare.
_CANDIDATES = 4
_ROWS = 1 << 22


def squared_distances(xy: np.ndarray, sites: np.ndarray) -> np.ndarray:
    """Squared distances (n, s): the one formula by which the nearest site is told.

    Moves of single sites are judged by the same one, so that both agree in the last digit.
    """
    dx = xy[:, 0, None] - sites[None, :, 0]
    dy = xy[:, 1, None] - sites[None, :, 1]
    return dx * dx + dy * dy


def nearest_sites(
    xy: np.ndarray, sites: np.ndarray, progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest site of each region; of those equally near, the one that comes first.

    Parameters
    ----------
    xy : (n, 2) array
        Regions in the plane.
    sites : (s, 2) array
        In the same plane.

    Returns
    -------
    site : (n,) int array
        Of sites at one place only the first attracts anything.
    squared : (n,) float array
        Squared distance to it.
    """
    xy, sites = as_points(xy, Sentence("regions")), as_points(sites, Sentence("sites"))
    # All against all is quickest for few; a tree for many.
    if len(sites) <= 16:
        return _nearest_of(xy, sites)
    tree = build_tree(sites, progress)
    _, candidates = tree.query(xy, k=_CANDIDATES)
    candidates = np.sort(candidates, axis=1)
    dx = xy[:, 0, None] - sites[candidates, 0]
    dy = xy[:, 1, None] - sites[candidates, 1]
    squared = dx * dx + dy * dy
    first = squared.argmin(axis=1)
    each = np.arange(len(xy))
    site, nearest = candidates[each, first], squared[each, first]
    # Where all candidates are (almost) as near there may be more of them.
    tied = np.flatnonzero(squared.max(axis=1) <= nearest * (1 + 1e-9))
    if len(tied):
        site[tied], nearest[tied] = _nearest_of(xy[tied], sites)
    progress(1.0)
    return site, nearest


def _nearest_of(xy: np.ndarray, sites: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    site = np.empty(len(xy), dtype=np.intp)
    nearest = np.empty(len(xy))
    step = max(1, _ROWS // len(sites))
    for start in range(0, len(xy), step):
        squared = squared_distances(xy[start : start + step], sites)
        site[start : start + step] = squared.argmin(axis=1)
        nearest[start : start + step] = squared.min(axis=1)
    return site, nearest


def site_cells(
    sites: np.ndarray, xy: np.ndarray, progress: Progress = silent
) -> list[np.ndarray | None]:
    """Voronoi cells of the sites, clipped to the hull of the regions, a little widened.

    Parameters
    ----------
    sites : (s, 2) array
    xy : (n, 2) array
        Regions and sites in the same plane.

    Returns
    -------
    list of s (m, 2) arrays or None
        Corners of convex polygons, counter-clockwise, not closed. None for a site at the place
        of an earlier one, and where the cell lies wholly outside the area.
    """
    sites, xy = as_points(sites, Sentence("sites")), as_points(xy, Sentence("regions"))
    everything = np.concatenate([xy, sites])
    if len(places(everything).xy) < 2:
        # One region has no extent of its own: a square of a unit, so that it can be seen.
        corner = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        return [everything[0] + corner, *[None] * (len(sites) - 1)]
    area = study_area(everything)
    distinct = places(sites)
    if len(distinct.xy) == 1:
        rings = [area]
    else:
        rings, _ = voronoi_cells(sites, area, progress)
    cells: list[np.ndarray | None] = [None] * len(sites)
    taken: set[int] = set()
    for at, place in enumerate(distinct.of_point):
        if place not in taken and len(rings[place]) >= 3:
            taken.add(int(place))
            cells[at] = rings[place]
    return cells


def region_cells(
    xy: np.ndarray, progress: Progress = silent
) -> tuple[list[np.ndarray], np.ndarray]:
    """Voronoi cells of the regions themselves, for areas that are not the cells of their sites.

    Parameters
    ----------
    xy : (n, 2) array
        Regions in the plane, at two different places or more.

    Returns
    -------
    cells : list of (m, 2) arrays
        Of the distinct places: corners of convex polygons, counter-clockwise, not closed. They
        are not clipped, so that those that adjoin share their corners to the last digit; the
        outer ones reach far.
    cell_of_region : (n,) int array
    """
    found = places(as_points(xy, Sentence("regions")))
    rings, middle = open_cells(found.xy, found.xy, progress)
    return [ring + middle for ring in rings], found.of_point
