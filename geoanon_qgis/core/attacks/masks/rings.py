# SPDX-License-Identifier: GPL-2.0-or-later
"""Rings so narrow that they are nearly one radius: found to centimetres by exact distances.

The fit of laws (:mod:`.estimate`) tells distances in classes, of which a mask with a fixed radius fills
one: a ring of that width hides the home among all who live near it, and may miss it by a hair. Here
the distances themselves are looked at, where the fit has found a narrow ring.
"""

from __future__ import annotations

import numpy as np

from ...masking.laws import Donut
from ...runtime.progress import Progress, silent
from ...space.points import build_tree

#: Rings whose hole is at least this part of them are narrow.
NARROW = 0.9
#: How far round the ring is looked, as a part of it; least width (metres), and steps of widths.
_ROUND, _LEAST, _STEP = 0.02, 0.02, 1.5
#: Logarithm of the likelihood by which a narrower ring must be better.
_GAIN = 20.0


def narrowed(
    points: np.ndarray,
    candidates: np.ndarray,
    weight: np.ndarray | None,
    ring: Donut,
    elsewhere: tuple[float, float],
    progress: Progress = silent,
) -> tuple[Donut, float] | None:
    """Look for a narrower ring by exact distances.

    Parameters
    ----------
    points : (n, 2) array
    candidates : (m, 2) array
    weight : (m,) array or None
    ring : Donut
        What the fit has found.
    elsewhere : (float, float)
        Probability that a point is from elsewhere, and its density then.
    progress : callable

    Returns
    -------
    ring : Donut
        With half its width to spare on either side.
    likelihood : float
        Its logarithm.
        None where no narrower one is clearly better.
    """
    inner, outer = float(ring.inner), float(ring.outer)
    own = np.ones(len(candidates)) if weight is None else np.asarray(weight, dtype=np.float64)
    own = own / own.sum()
    spare = (outer - inner) + _ROUND * outer
    low, high = max(inner - spare, 0.0), outer + spare
    tree = build_tree(candidates)
    point, candidate = [], []
    for row, near in enumerate(tree.query_ball_point(points, high)):
        progress(0.3 * row / len(points))
        point.append(np.full(len(near), row))
        candidate.append(np.asarray(near, dtype=np.int64))
    of, at = np.concatenate(point), np.concatenate(candidate)
    away = np.hypot(*(points[of] - candidates[at]).T)
    order = np.argsort(away)
    of, away, mass = of[order], away[order], own[at[order]]
    share, density = elsewhere

    def likely(begin: float, end: float) -> float:
        some = slice(*np.searchsorted(away, [begin, end]))
        sums = np.bincount(of[some], mass[some], len(points)) / (np.pi * (end**2 - begin**2))
        return float(np.log((1 - share) * sums + share * density).sum())

    usual, best = likely(inner, outer), (-np.inf, 0.0, 0.0)
    width = outer - inner
    while width >= _LEAST:
        progress(0.5)
        # By how many distances lie in each window; the likeliest of those with the most.
        begin = np.arange(low, high - width, width / 4)
        ends = np.searchsorted(away, begin + width) - np.searchsorted(away, begin)
        for start in begin[np.argsort(-ends)[:12]].tolist():
            around = max(start - width / 2, 0.0), start + 1.5 * width
            best = max(best, (likely(*around), *around))
        width /= _STEP
    progress(1.0)
    if best[0] < usual + _GAIN:
        return None
    # A mixture gives up the few beyond; what a little more width explains is within.
    middle, half = (best[1] + best[2]) / 2, (best[2] - best[1]) / 2
    wider = [(max(middle - wide * half, 0.0), middle + wide * half) for wide in (1, 1.5, 2, 3, 4)]
    left = [len(points) - len(np.unique(of[slice(*np.searchsorted(away, one))])) for one in wider]
    inner, outer = wider[left.index(min(left))]
    return Donut(inner, outer, ring.even_by), likely(inner, outer)
