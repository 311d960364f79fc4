# SPDX-License-Identifier: GPL-2.0-or-later
"""The published reversal of Voronoi masking, step by step, in plain NumPy and SciPy.

Moehler, J. (2023), On the reversibility of Voronoi geomasking. The peer of the engine's attack:
it takes two candidates *equally far* from a masked location for the pair behind it, and where
several pairs are, the nearest.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree


def attack(
    masked: np.ndarray, candidates: np.ndarray, tolerance: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Row of the candidate that each masked record is assigned to, and the rebuilt sample."""
    if len(masked) < len(candidates):
        sample = rebuild_sample(masked, candidates, tolerance)
    else:
        sample = np.arange(len(candidates))
    return sample[assign(masked, candidates[sample], tolerance, rng)], sample


def rebuild_sample(masked: np.ndarray, candidates: np.ndarray, tolerance: float) -> np.ndarray:
    """Case n < N: the nearest two candidates that are equally far from a masked location."""
    locations = np.unique(masked, axis=0)
    bound = cKDTree(locations).query(locations, k=2)[0][:, 1]
    near = cKDTree(candidates).query_ball_point(locations, bound + tolerance)
    sample = []
    for location, rows in zip(locations, near):
        rows = np.asarray(rows, dtype=np.intp)
        away = np.hypot(*(candidates[rows] - location).T)
        order = np.argsort(away)
        equal = np.flatnonzero(np.diff(away[order]) <= tolerance)
        if len(equal):
            sample.extend(rows[order[equal[0] : equal[0] + 2]])
    return np.unique(np.array(sample, dtype=np.intp))


def assign(
    masked: np.ndarray, sample: np.ndarray, tolerance: float, rng: np.random.Generator
) -> np.ndarray:
    """Case n = N: steps 1 to 5. Rows of the sample; -1 where none is left."""
    assigned = np.full(len(masked), -1, dtype=np.intp)
    _, location, records = np.unique(masked, axis=0, return_inverse=True, return_counts=True)
    location = location.reshape(-1)
    paired = records[location] > 1

    # 1. Mutual nearest neighbours gave the pairs, all others the singletons.
    neighbour = cKDTree(sample).query(sample, k=2)[1][:, 1]
    mutual = neighbour[neighbour] == np.arange(len(sample))

    # 2., 3. The two nearest of the mutual ones; a coin says which member is which.
    couples = np.flatnonzero(mutual)
    records_paired = np.flatnonzero(paired)
    if len(couples) > 1 and len(records_paired):
        two = couples[cKDTree(sample[couples]).query(masked[records_paired], k=2)[1]]
        order = np.lexsort((rng.random(len(records_paired)), location[records_paired]))
        ordered = location[records_paired][order]
        turn = np.arange(len(order)) - np.searchsorted(ordered, ordered)
        first = np.minimum(two[order, 0], two[order, 1])
        second = np.maximum(two[order, 0], two[order, 1])
        assigned[records_paired[order]] = np.where(turn % 2 == 0, first, second)

    # 4., 5. Singletons: the nearer of two that are not equally near; the rest by elimination.
    others, alone = np.flatnonzero(~mutual), np.flatnonzero(~paired)
    if len(others) < 2 or not len(alone):
        return assigned
    away, two = cKDTree(sample[others]).query(masked[alone], k=2)
    two = others[two]
    only = away[:, 1] - away[:, 0] > tolerance
    takers: dict[int, list[int]] = {}
    for record in np.flatnonzero(~only):
        for row in two[record]:
            takers.setdefault(int(row), []).append(int(record))
    taken = set()
    decided = [(int(record), int(two[record, 0])) for record in np.flatnonzero(only)]
    open_records = set(np.flatnonzero(~only).tolist())
    while decided:
        record, row = decided.pop()
        if row in taken:
            continue
        taken.add(row)
        assigned[alone[record]] = row
        open_records.discard(record)
        for rival in takers.get(row, ()):
            if rival in open_records:
                left = [int(other) for other in two[rival] if int(other) not in taken]
                if len(left) == 1:
                    decided.append((rival, left[0]))
    return assigned
