# SPDX-License-Identifier: GPL-2.0-or-later
"""Which of several aggregations to take: the frontier of what they cost, and a recommended one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .evaluation import Measures
from .local_search import check_tolerance
from .several_starts import HELD

#: What a limit may be exceeded by because distances on the ground are not those of the plane.
_ROUNDING = 1e-3


def frontier(costs: np.ndarray) -> np.ndarray:
    """Rows that no other row is better than in one cost and no worse than in the others.

    Parameters
    ----------
    costs : (n, c) array
        Less is better. Of rows that are alike in all only the first is taken.

    Returns
    -------
    (m,) int array
        In the order of the first cost.
    """
    costs = np.asarray(costs, dtype=np.float64)
    rows = []
    for row, mine in enumerate(costs):
        no_worse = (costs <= mine).all(axis=1)
        alike = (costs == mine).all(axis=1)
        if not (no_worse & ~alike).any() and not alike[:row].any():
            rows.append(row)
    return np.array(sorted(rows, key=lambda row: tuple(costs[row])), dtype=np.intp)


def recommended(
    measures: Sequence[Measures], reference: int | None, objective: str, tolerance: float
) -> int:
    """Return the best by an objective among those that are otherwise no worse than a reference.

    Parameters
    ----------
    measures : sequence of n Measures
        Of the same records, with the same k and the same number of sites.
    reference : int or None
        The row of balanced density; None where it was not tried, so that nothing is a limit.
    objective, tolerance : str, float
        See :func:`.several_starts.goal_of`, whose limits hold here too.
    """
    check_tolerance(tolerance)
    names = ("suppressed", "compactness", "entropy_loss")
    costs = np.array([[getattr(one, name) for name in names] for one in measures], dtype=float)
    base = costs.mean(axis=0) if reference is None else costs[reference]
    ratio = costs / np.where(base > 0, base, 1.0)
    within = np.ones(len(costs), dtype=bool)
    if reference is not None:
        least = measures[reference].areas
        within = np.array([one.areas >= least for one in measures])
        for at, name in enumerate(names):
            if name in HELD[objective]:
                more = tolerance if name == "entropy_loss" else 0.0
                within &= costs[:, at] <= (1 + more) * (1 + _ROUNDING) * base[at]
        within[reference] = True
    singles = {"suppression": 0, "compactness": 1, "entropy": 2}
    value = ratio[:, singles[objective]] if objective in singles else ratio.mean(axis=1)
    return int(np.where(within, value, np.inf).argmin())


def isoperimetric_quotient(polygons: Sequence[Sequence[np.ndarray]]) -> float:
    """How round an area is: 4 pi area / perimeter squared; 1 for a circle (Polsby, Popper 1991).

    Parameters
    ----------
    polygons : sequence of sequences of (m, 2) arrays
        Its pieces in a plane, each by its rings: the outer one, then those of holes. Areas and
        perimeters are added up.

    Returns
    -------
    float
        NaN without a perimeter.
    """
    area = around = 0.0
    for rings in polygons:
        for at, ring in enumerate(rings):
            ring = ring - ring[0]
            step = np.roll(ring, -1, axis=0) - ring
            inside = abs(float(ring[:, 0] @ step[:, 1] - ring[:, 1] @ step[:, 0])) / 2
            area += -inside if at else inside
            around += float(np.hypot(step[:, 0], step[:, 1]).sum())
    return 4 * np.pi * area / around**2 if around > 0 else float("nan")
