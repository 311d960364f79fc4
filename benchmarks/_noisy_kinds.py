# SPDX-License-Identifier: GPL-2.0-or-later
"""Files of :mod:`_near_kinds`, released so that distances may be too long: by noise, or as ISGP.

Four ways to release, each a fourth of the draws: noise on the places, noise on the distances, noise
before an embedding, and ISGP. How much of it is told in distances to the nearest neighbour (their
median), or, for ISGP, in neighbours within a radius.
"""

from __future__ import annotations

from dataclasses import replace

import _germans
import _later_kinds as later_kinds
import _near_kinds as near_kinds
import numpy as np

from geoanon_qgis.core.attacks.linkage.compatibility import (
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.shared_labels import IntersectingSets

#: How a release is made; where long distances are as exact as short ones.
WAYS = ("places", "distances", "embedding", "ISGP")
EVEN = ("places", "distances")
#: Least and most noise, in distances to the nearest neighbour.
_NOISE = {"places": (0.03, 0.8), "distances": (0.1, 5.0), "embedding": (0.02, 0.6)}
#: Neighbours within a radius, and grid points to it.
_WITHIN, _POINTS = (3, 10, 30, 100), (10.0, 10.0, 5.0, 3.0)
_SETS = ((20, 30), (10, 30), (20, 10), (40, 20))
#: First seed of the files.
_FIRST = 900_000
#: Who draws files, one after the other.
_MAKERS = (
    near_kinds.fitted,
    near_kinds.fitted_too,
    near_kinds.further,
    near_kinds.small,
    near_kinds.shared,
)


def noisy(seed: int, later: bool = False) -> near_kinds.Case:
    """Files of the kinds there were first, or of the later ones, released one way after the other."""
    way, turn = WAYS[seed % len(WAYS)], seed // len(WAYS)
    if later:
        case = later_kinds.later(_FIRST + turn)
    else:
        make = _MAKERS[turn % len(_MAKERS)]
        more = (bool(turn % 2),) if make is near_kinds.fitted_too else ()
        case = make(_FIRST + turn, *more)
    return replace(case, rule=rule_of(way, case, np.random.default_rng([seed, 81])))


def way_of(rule) -> str:
    """Name the way."""
    kinds = (CoordinateNoise, DistanceNoise, LipschitzEmbedding, IntersectingSets)
    return WAYS[[isinstance(rule, one) for one in kinds].index(True)]


def rule_of(way: str, case: near_kinds.Case, rng: np.random.Generator):
    """A rule of one way, by how far neighbours of these files are apart."""
    files, region = case.files, case.files.region
    metric = region.metric
    at = metric.coordinates(files.secret)
    if way == "ISGP":
        number = min(int(rng.choice(_WITHIN)), len(at) // 3)
        far = metric.nearest_neighbours(at, number)[1]
        plane = metric.plane_around(files.secret)
        radius = max(float(np.median(far[:, -1])), 1.0) / plane.metres_per_unit
        return IntersectingSets(radius, radius / float(rng.choice(_POINTS)), plane)
    near = metric.nearest_neighbours(at, 1)[1]
    typical = float(np.median(near[near > 0]))
    scale = typical * float(np.exp(rng.uniform(*np.log(_NOISE[way]))))
    if way == "places":
        return CoordinateNoise(scale, False, 0.9, region.area, _system(region))
    if way == "distances":
        name = ("gaussian", "laplace")[int(rng.integers(2))]
        return DistanceNoise(name, scale, 0.9)
    sets, size = _SETS[int(rng.integers(len(_SETS)))]
    return LipschitzEmbedding(sets, size, region.area, 0.9, 300, scale)


def _system(region) -> str | None:
    """Of the places: degrees where distances are those on the globe."""
    return None if region.metric.name == "planar" else _germans.WGS84
