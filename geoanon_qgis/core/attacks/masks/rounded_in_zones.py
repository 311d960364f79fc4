# SPDX-License-Identifier: GPL-2.0-or-later
"""Points that stayed in zones and were rounded afterwards: each tells a cell, of which a part is possible.

A point drawn by the law f in the zone A(c) of its home, and then rounded to the cell K, has the probability

    P(K | c) = (integral of f over K and A(c)) / Z(c)                                    (1)

Z(c) is the share of the law inside the zone. Cells well inside a zone have the integral of
:mod:`.rounded`, those outside have none, and for those on a border the part of the cell that lies inside
is a small zone of its own, of which :func:`...masking.zones.shares_inside` tells the share. The centre of
a cell, where the point is released, may lie outside of the zone, or in another one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...masking.law import Law
from ...masking.zones import Zones, shares_inside
from ...runtime.geos import shapely
from ...runtime.progress import Progress, chunks, part, silent
from .likelihood import Likelihood
from .rounded import Cells, by_rounded_law

_POLYGON = 3
#: Part of a cell below which what lies in a zone is what rounding leaves of a border.
_SLIVER = 1e-12
#: Cells on a border that are cut in one go.
_AT_ONCE = 2_000


def by_rounded_law_in_zones(
    released: np.ndarray,
    candidates: np.ndarray,
    law: Law,
    cells: Cells,
    zones: Zones,
    zone: np.ndarray,
    progress: Progress = silent,
) -> Likelihood:
    """Likelihood of a displacement that stayed in zones, and was rounded, by (1).

    Parameters
    ----------
    released : (n, 2) array
        Centres of cells, in metres of the plane of the mask.
    candidates : (m, 2) array
    law : Law
    cells : Cells
    zones : Zones
    zone : (m,) int array
        Zone of each candidate, below zero for none.
    progress : callable

    Returns
    -------
    Likelihood
        The probability of the cell, per square metre of the whole cell.
    """
    found = by_rounded_law(released, candidates, law, cells, part(progress, 0.0, 0.5))
    point, own = found.point, zone[found.candidate]
    value = np.where(own >= 0, found.value, 0.0)
    there = np.flatnonzero(own >= 0)
    # A point and a zone of some candidate of it: most often all of the cell lies in it, or nothing.
    count = len(zones.shapes)
    key, at = np.unique(point[there] * np.int64(count) + own[there], return_inverse=True)
    at = at.reshape(-1)
    shapes, one, whose = _cells(released, cells), key // count, key % count
    geos = shapely()
    touched = geos.intersects(zones.shapes[whose], shapes[one])
    border = np.flatnonzero(touched & ~geos.contains(zones.shapes[whose], shapes[one]))
    value[there[~touched[at]]] = 0.0
    on = np.full(len(key), -1)
    on[border] = np.arange(len(border))
    pair = there[on[at] >= 0]
    order = np.argsort(on[at][on[at] >= 0], kind="stable")
    pair, cut = pair[order], np.sort(on[at][on[at] >= 0])
    told = part(progress, 0.5, 0.8)
    for some in chunks(len(border), _AT_ONCE, told):
        pairs = slice(*np.searchsorted(cut, [some.start, some.stop]))
        parts = geos.intersection(zones.shapes[whose[border[some]]], shapes[one[border[some]]])
        inside, number = _with_an_area(parts, geos.area(shapes[one[border[some]]]))
        of_part = number[cut[pairs] - some.start]
        value[pair[pairs]] = _integral(found, pair[pairs], candidates, law, inside, of_part)
        value[pair[pairs]] /= geos.area(shapes[point[pair[pairs]]])
    # Z of the candidates that explain some point.
    seen = np.unique(found.candidate[value > 0])
    share = np.zeros(len(candidates))
    share[seen] = shares_inside(
        candidates[seen], law.of(seen), zones, zone[seen], part(progress, 0.8, 1.0)
    )
    z = share[found.candidate]
    progress(1.0)
    return found.with_values(np.divide(value, z, out=np.zeros(len(value)), where=z > 0))


def _cells(released: np.ndarray, cells: Cells) -> np.ndarray:
    """The cell of each point, (n,) shapely polygons."""
    turns = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    corners = [released + x * cells.east + y * cells.north for x, y in turns]
    return shapely().polygons(np.stack(corners, axis=1))


def _with_an_area(parts: np.ndarray, whole: np.ndarray) -> tuple[Zones | None, np.ndarray]:
    """Cut cells as zones, and the zone of each; below zero where a zone only touches the cell."""
    geos = shapely()
    shapes: list[Any] = []
    number = np.full(len(parts), -1)
    for row, (one, area) in enumerate(zip(parts, whole)):
        own = [shape for shape in geos.get_parts(one) if geos.get_type_id(shape) == _POLYGON]
        if sum(shape.area for shape in own) > _SLIVER * area:
            number[row] = len(shapes)
            shapes.append(own[0] if len(own) == 1 else geos.multipolygons(own))
    return (Zones.of(shapes) if shapes else None), number


def _integral(
    found: Likelihood,
    pairs: np.ndarray,
    candidates: np.ndarray,
    law: Law,
    inside: Zones | None,
    number: np.ndarray,
) -> np.ndarray:
    """Share of the law of each pair's candidate in its part of a cell."""
    total = np.zeros(len(pairs))
    good = np.flatnonzero(number >= 0)
    if inside is None or not len(good):
        return total
    candidate = found.candidate[pairs[good]]
    total[good] = shares_inside(candidates[candidate], law.of(candidate), inside, number[good])
    return total
