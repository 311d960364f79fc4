# SPDX-License-Identifier: GPL-2.0-or-later
"""Regions that always belong to the same area become one: those at one place, and those kept together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.errors import InputError
from ..space.points import places
from .components import Problem
from .demands import Demands
from .equivalence_classes import EquivalenceClasses
from .evaluation import aggregate

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_NONE = np.empty(0, dtype=np.int32)


def of_counts(
    classes: EquivalenceClasses, counts: csr_matrix, codes: np.ndarray
) -> EquivalenceClasses:
    """Return classes by other regions, of whose records none is known any more."""
    return replace(
        classes,
        counts=counts,
        codes=codes,
        record_region=_NONE,
        record_class=_NONE,
        record_person=None,
        apart=None,
    )


def as_units(problem: Problem, demands: Demands) -> tuple[Problem, Demands, np.ndarray]:
    """Make one region of those that always belong to the same area.

    Parameters
    ----------
    problem : Problem
    demands : Demands

    Returns
    -------
    problem, demands
        By units; with those of several places at that of the region nearest to their middle, so that
        no two units share a place.
    of_region : (n,) int array
        Unit of each region.

    Raises
    ------
    InputError
        Where regions of one unit lie on two sides of a border.
    """
    xy, of_region = units_of(problem.xy, demands.together)
    count = len(xy)
    if count == len(problem.xy):
        return problem, replace(demands, together=None), np.arange(count)
    first = np.full(count, -1)
    first[of_region[::-1]] = np.arange(len(of_region))[::-1]
    if demands.part is not None and (demands.part[first][of_region] != demands.part).any():
        raise InputError(
            "Regions at one place lie on two sides of a border that must not be crossed. Correct "
            "their places, or the field of the border."
        )
    near = demands.near
    if near is not None:
        one, other = near.pairs()
        near = near.of_pairs(of_region[one], of_region[other], count)
    floors = tuple(
        replace(floor, weight=np.bincount(of_region, floor.weight, count))
        for floor in demands.floors
    )
    ceiling = demands.ceiling
    if ceiling is not None:
        ceiling = replace(ceiling, size=np.bincount(of_region, ceiling.size, count))
        ceiling.refuse_larger()
    part_of = None if demands.part is None else demands.part[first]
    counts = aggregate(problem.classes.counts, of_region, count).astype(np.int32)
    classes = of_counts(problem.classes, counts, problem.classes.codes)
    kept = replace(demands, floors=floors, near=near, part=part_of, ceiling=ceiling, together=None)
    return replace(problem, classes=classes, xy=xy), kept, of_region


def units_of(xy: np.ndarray, together: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Place of each unit, (u, 2), and unit of each region, (n,).

    Parameters
    ----------
    xy : (n, 2) array
    together : (n,) int array or None
        Besides regions at one place those with the same number are one unit.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    found = places(xy)
    if together is None:
        return found.xy, found.of_point
    known = np.unique(together, return_inverse=True)[1].reshape(-1)
    size = len(found.xy) + int(known.max()) + 1
    ends = found.of_point, len(found.xy) + known
    joined = csr_matrix((np.ones(len(xy)), ends), shape=(size, size))
    label = connected_components(joined, directed=False)[1][: len(found.xy)]
    of_place = np.unique(label, return_inverse=True)[1].reshape(-1)
    count = np.bincount(of_place)
    middle = np.stack([np.bincount(of_place, found.xy[:, at]) / count for at in (0, 1)], axis=1)
    gap = found.xy - middle[of_place]
    order = np.lexsort((np.arange(len(of_place)), np.hypot(gap[:, 0], gap[:, 1]), of_place))
    first = order[np.append(True, np.diff(of_place[order]) != 0)]
    return found.xy[first], of_place[found.of_point]
