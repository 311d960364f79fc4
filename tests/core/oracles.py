# SPDX-License-Identifier: GPL-2.0-or-later
"""Slow and obvious versions of what the engine does, to hold it against.

Nothing here uses a tree, a tolerance or a trick: every point is compared with every other, every
pair of candidates and every sample of candidates is tried.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np


def squared_distances(xy: np.ndarray) -> np.ndarray:
    """Squared distances of all pairs, ``(n, n)``; infinite on the diagonal."""
    gap = xy[:, None, :] - xy[None, :, :]
    squared = gap[..., 0] ** 2 + gap[..., 1] ** 2
    np.fill_diagonal(squared, np.inf)
    return squared


def nearest(xy: np.ndarray) -> np.ndarray:
    """Nearest other point of each; ties go to the smallest x, then the smallest y."""
    squared = squared_distances(xy)
    chosen = np.empty(len(xy), dtype=int)
    for i, row in enumerate(squared):
        tied = np.flatnonzero(row == row.min())
        chosen[i] = min(tied, key=lambda j: (xy[j, 0], xy[j, 1]))
    return chosen


def mask(xy: np.ndarray) -> np.ndarray:
    """Voronoi masking from its definition: halfway to the nearest neighbour."""
    return (xy + xy[nearest(xy)]) / 2


def antipodal(
    centres: np.ndarray, radius: np.ndarray, xy: np.ndarray, tolerance: float
) -> set[tuple[int, int, int]]:
    """All (centre, a, b), a < b, with the midpoint near the centre and an end in reach."""
    found = set()
    for c, (centre, reach) in enumerate(zip(centres, radius)):
        for a, b in combinations(range(len(xy)), 2):
            off = np.hypot(*((xy[a] + xy[b]) / 2 - centre))
            near = min(np.hypot(*(xy[a] - centre)), np.hypot(*(xy[b] - centre)))
            if off <= tolerance and near <= reach:
                found.add((c, a, b))
    return found


def ball_counts(xy, count, origin, partner, radius):
    """Records strictly within ``radius`` of the origin, and of the origin or the partner."""
    around, union = [], []
    for a, b, r in zip(origin, partner, radius):
        from_a = ((xy - xy[a]) ** 2).sum(axis=1) < r * r
        from_b = ((xy - xy[b]) ** 2).sum(axis=1) < r * r
        others = np.ones(len(xy), dtype=bool)
        others[[a, b]] = False
        around.append(count[from_a & others].sum())
        union.append(count[(from_a | from_b) & others].sum())
    return np.array(around), np.array(union)


def masks_of_all_samples(candidates: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Every sample of ``n`` candidates, ``(s, n)`` rows, and its masked points, ``(s, n, 2)``."""
    samples = np.array(list(combinations(range(len(candidates)), n)))
    # In the order of x, then y, the first of several equally near neighbours is the right one.
    ordered = np.lexsort((candidates[:, 1], candidates[:, 0]))
    samples = np.sort(np.argsort(ordered)[samples], axis=1)
    samples = ordered[samples]
    xy = candidates[samples]
    gap = xy[:, :, None, :] - xy[:, None, :, :]
    squared = gap[..., 0] ** 2 + gap[..., 1] ** 2
    squared[:, np.arange(n), np.arange(n)] = np.inf
    neighbour = squared.argmin(axis=2)
    return samples, (xy + np.take_along_axis(xy, neighbour[:, :, None], axis=1)) / 2


def posterior(masked: np.ndarray, candidates: np.ndarray) -> list[dict[tuple, float]]:
    """Probability of every place that a record can have come from, by record.

    Every sample of candidates that the mask turns into exactly this release (as a set with
    repetitions) is equally likely, and so is every way to give the records of one masked
    place to the sample points that landed there.
    """
    samples, images = masks_of_all_samples(candidates, len(masked))
    wanted = masked[np.lexsort(masked.T)]
    chances: list[dict[tuple, float]] = [{} for _ in masked]
    consistent = 0
    for sample, image in zip(samples, images):
        if not np.array_equal(image[np.lexsort(image.T)], wanted):
            continue
        consistent += 1
        for record, place in enumerate(masked):
            here = sample[(image == place).all(axis=1)]
            for origin in here:
                key = tuple(candidates[origin])
                chances[record][key] = chances[record].get(key, 0.0) + 1 / len(here)
    return [{place: p / consistent for place, p in chance.items()} for chance in chances]
