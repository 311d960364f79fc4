# SPDX-License-Identifier: GPL-2.0-or-later
"""How adaptive Voronoi masking without crossings explains a point: by the border, a middle, or chance.

A point on a border is the foot of a perpendicular, and a middle has two addresses on opposite sides,
equally far: addresses are looked up, and files that are drawn (:mod:`.voronoied`) only say how likely the
way was.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from ...masking.adaptive_voronoi import nearest_border
from ...runtime.geos import shapely
from ...runtime.progress import Progress, interruptible, part, silent, weighted
from ...runtime.rows import largest
from ...space.points import build_tree
from ..voronoi.antipodal import antipodal_pairs
from .likelihood import Likelihood
from .states import Leading, by_states, summed
from .voronoi_company import SEED, Company, Setting
from .voronoi_files import Places, by_files, shared
from .voronoi_ways import ToPoints

#: Part of the likeliest candidate of a point that is not worth to be drawn.
_UNLIKELY = 1e-6


def by_structure(
    released: np.ndarray, setting: Setting, within: float, progress: Progress = silent
) -> tuple[Likelihood, bool]:
    """Likelihood of points on borders, in the middle of two addresses, or anywhere in an area.

    Parameters
    ----------
    released : (n, 2) array
        A point for each place of the file, metres.
    setting : Setting
    within : float
        Metres by which points may miss the place where the mask put them.
    progress : callable

    Returns
    -------
    likelihood : Likelihood
        Probabilities, to ``within``.
    together : bool
        Whether it is what all points tell together: not where that takes too long.
    """
    by_itself, together = weighted(progress, 1, 4)
    rng, xy, count = np.random.default_rng(SEED), setting.xy, len(setting.xy)
    inside = np.flatnonzero(setting.area >= 0)
    tree, files = build_tree(xy[inside]), setting.files
    _, near = tree.query(released, k=list(range(1, min(3, len(inside)) + 1)))
    gaps = np.empty((files, count), dtype=np.float32)
    alone = np.zeros(len(setting.shapes))
    for number in range(files):
        by_itself(0.6 * number / files)
        column = rng.integers(0, near.shape[1], len(released))
        company = Company.of(setting, inside[near[np.arange(len(released)), column]])
        # The nearest may be the draw of the row itself that is asked for.
        gaps[number], alone = company.away[:, 1], alone + (company.count <= 1) / files
    foot, away = nearest_border(xy[inside], setting.area[inside], setting.shapes)
    by_itself(0.7)
    point, candidate = _pairs(released, foot, within)
    chance = (gaps[:, inside[candidate]] / 2 > away[candidate]).mean(axis=0)
    found = [(point, inside[candidate], np.maximum(chance, 1.0 / files))]
    # Middles: as far from the point as others of the file may be.
    few = min(4, len(released))
    reach = 3.0 * build_tree(released).query(released, k=[few])[0][:, 0] + within
    limit = np.full(len(released), within)
    made = antipodal_pairs(released, reach, tree, limit, part(by_itself, 0.7, 0.95))
    people = np.ones(count) if setting.weight is None else setting.weight
    file = len(released) * people / max(people.sum(), 1e-300)
    to_border = np.full(count, np.inf)
    to_border[inside] = away
    for own, other in ((made.first, made.second), (made.second, made.first)):
        own, other = inside[own], inside[other]
        gap = np.hypot(*(xy[own] - xy[other]).T)
        free = np.maximum((gaps[:, own] >= gap / 2).mean(axis=0), 1.0 / files)
        free = np.where(to_border[own] < gap / 2 - within, 0.0, free)
        found.append((made.centre, own, np.minimum(file[other], 1.0) * free))
    geos = shapely()
    point, area = geos.STRtree(setting.shapes).query(geos.points(released), "intersects")
    ways = ToPoints(released, within, geos.area(setting.shapes))
    value = alone[area] * ways.of_random(area)
    by_area = by_states(
        len(released), point, area, value, Leading.of_states(len(setting.shapes), setting.area)
    )
    found.append((by_area.point, by_area.candidate, by_area.value))
    by_itself(1.0)
    point, candidate, value = (np.concatenate([one[at] for one in found]) for at in range(3))
    added = partial(summed, len(released), count, point, candidate, value)
    single = interruptible(added, by_itself, 1.0)
    believed = interruptible(partial(shared, single, released), by_itself, 1.0)
    border = np.full((count, 2), np.inf)
    border[inside] = foot
    every = by_files(
        believed,
        believed.value > _UNLIKELY * largest(believed.first, believed.value)[believed.point],
        np.hypot(*(border[believed.candidate] - released[believed.point]).T) <= within,
        ways,
        Places(xy, setting.area, to_border, setting.weight),
        together,
    )
    progress(1.0)
    return (single, False) if every is None else (every, True)


def _pairs(points: np.ndarray, places: np.ndarray, within: float) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a point and a place no farther from each other."""
    near = build_tree(points).sparse_distance_matrix(
        build_tree(places), within, output_type="ndarray"
    )
    return near["i"].astype(np.int64), near["j"].astype(np.int64)
