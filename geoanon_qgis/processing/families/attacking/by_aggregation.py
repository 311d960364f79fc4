# SPDX-License-Identifier: GPL-2.0-or-later
"""How aggregation to cells, zones or merged zones explains a point."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.states import Leading, by_states
from ....core.masking.aggregation import CENTRE, enough_people
from ....core.runtime.geos import shapely
from ....core.space.points import build_tree
from ...layers.transforming import transform
from ..masks import point_areas
from ..masks.point_areas import MERGED, SITES, Aggregation
from .known import SNAP_M, Explained, Known

#: Layers without which areas cannot be made again.
_NEEDED = {MERGED: ("ZONES", "POPULATION"), SITES: ("POPULATION",)}


def explain(known: Known) -> Explained:
    """Weigh all addresses of an area alike; areas with too few people release nothing."""
    known.need_what_it_used(*_NEEDED.get(known.told.choice("METHOD"), ()))
    made = point_areas.read(known.candidates, known.told)
    known.need_the_layers(made.layers)
    step = known.run.step("attack")
    own = made.areas.locate(made.xy)
    # The areas of addresses are all that matter: from others nobody comes.
    good = enough_people(made.areas, made.least)[own] & (own >= 0)
    used = np.unique(own[good])
    state = np.where(good, np.searchsorted(used, own), -1)
    point, area = _areas_at(known, made, used)
    step(0.3)
    value = np.ones(len(point))
    if made.place != CENTRE:
        value /= made.areas.size(used)[area]
    leading = Leading.of_states(len(used), state)
    likelihood = by_states(len(known.points.xy), point, area, value, leading)
    step(1.0)
    return Explained(likelihood, one_place_each=made.place != CENTRE)


def _areas_at(known: Known, made: Aggregation, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a released point and an area, one of ``used``, that can have led to it."""
    table, run = known.points.table, known.run
    stored = transform(table.xy, table.crs, made.crs, run.context, run.outputs.ask)
    xy = made.plane.forward(stored, run.outputs.ask)
    near = SNAP_M / made.plane.metres_per_unit
    if not len(used):
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
    if made.place == CENTRE:
        # Several zones may have one centre, and a centre may lie in another zone.
        centres = build_tree(made.areas.centres(used))
        lists = centres.query_ball_point(xy, near, return_sorted=True)
        many = np.array([len(one) for one in lists])
        area = np.fromiter((one for some in lists for one in some), np.intp, int(many.sum()))
        return np.repeat(np.arange(len(xy)), many), area
    geos = shapely()
    tree = geos.STRtree(made.areas.polygons(used))
    x, y = xy.T
    boxes = geos.box(x - near, y - near, x + near, y + near)
    point, area = tree.query(boxes, predicate="intersects")
    return point, area
