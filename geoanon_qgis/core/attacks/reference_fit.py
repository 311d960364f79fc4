# SPDX-License-Identifier: GPL-2.0-or-later
"""Undo a Lipschitz embedding: fit places *and* reference sets to the released distances.

An embedding of n records has n (n - 1) / 2 distances and comes from 2 n + 2 d k coordinates: with
500 records and 20 sets of 10 there are 125,000 exact equations for 1,400 unknowns. From
places that are right to within a fraction of a set's spacing they can be solved by descent.
The papers do not consider this: their adversary does not know the reference sets, and does not
try to find them.
"""

from __future__ import annotations

import numpy as np

from ..progress import Progress, silent

#: Records of a step: 16,000 pairs and as many gradients for each set.
_BATCH = 128
#: Steps for the sets alone at first, and in all.
_FIRST, STEPS = 200, 1200
#: Step length of places and reference points, and the most that a pair pulls, as parts of the
#: spacing of a set's points.
_STEP_PLACES, _STEP_REFERENCES, _CAP = 0.02, 0.03, 0.15
#: Spread of an estimated distance beyond which its pull fades, as a part of the spacing.
_SURE = 0.03


def fit(
    places: np.ndarray,
    released: np.ndarray,
    away: np.ndarray,
    unsure: np.ndarray,
    sets: int,
    size: int,
    rng: np.random.Generator,
    progress: Progress = silent,
    steps: int = STEPS,
) -> tuple[np.ndarray, float]:
    """Move places, and reference sets that start anywhere, until embedded distances agree.

    Parameters
    ----------
    places : (n, 2) array
        Where the records may be.
    released : (n, n) array
        Embedded distances. That no set may exceed them holds set by set (equation 2); the
        largest difference has to reach them. Places may not be nearer than they say.
    away, unsure : (n, n) arrays
        Estimated true distances and their standard errors.
    sets, size : int
    rng : numpy.random.Generator
    progress : Progress
    steps : int

    Returns
    -------
    (n, 2) array, float
        Places, and the mean deviation of embedded distances in the last steps.

    Notes
    -----
    Stochastic gradients on some of the records, scaled by their own size (after Kingma & Ba
    2015, Adam), with a step that falls to zero. Everything is NumPy: compiled kernels would
    hardly be faster on arrays of this size.
    """
    low, high = places.min(axis=0), places.max(axis=0)
    spacing = float(np.sqrt(max(np.prod(high - low), 1e-12) / size))
    margin = 0.05 * (high - low)
    points = rng.uniform(low - margin, high + margin, (sets, size, 2))
    places = places.copy()
    count = len(places)
    batch = min(_BATCH, count)
    momentum, scale = np.zeros((2, count, 2)), 1e-6 * spacing
    moving, sizes = np.zeros((2, sets, size, 2))
    cap, deviation = _CAP * spacing, []
    for step in range(steps):
        progress(step / steps)
        some = rng.choice(count, batch, replace=False)
        block = np.ix_(some, some)
        pull, near, unit, miss = _pulls(places[some], points, released[block], cap)
        deviation.append(miss)
        speed = 0.5 * (1 + np.cos(np.pi * step / steps))
        grad = unit * pull[:, :, None]
        slot = (np.arange(sets)[:, None] * size + near).ravel()
        for axis in range(2):
            moved = -np.bincount(slot, grad[:, :, axis].ravel(), minlength=sets * size)
            moved = moved.reshape(sets, size)
            moving[:, :, axis] = 0.9 * moving[:, :, axis] + 0.1 * moved
            sizes[:, :, axis] = 0.99 * sizes[:, :, axis] + 0.01 * moved**2
        points -= _STEP_REFERENCES * spacing * speed * moving / (np.sqrt(sizes) + scale)
        if step < _FIRST:
            continue
        grad = grad.sum(axis=0) + _between(
            places[some], released[block], away[block], unsure[block], cap, spacing
        )
        momentum[0, some] = 0.8 * momentum[0, some] + 0.2 * grad
        momentum[1, some] = 0.9 * momentum[1, some] + 0.1 * grad**2
        places[some] -= (
            _STEP_PLACES * spacing * speed * momentum[0, some]
            / (np.sqrt(momentum[1, some]) + scale)
        )  # fmt: skip
    progress(1.0)
    return places, float(np.mean(deviation[-50:]))


def _pulls(xy, points, released, cap):
    """Gradient for every set and record, the nearest reference point and the way from it."""
    sets, size = points.shape[:2]
    flat = points.reshape(-1, 2)
    off = (xy[:, 0, None] - flat[:, 0]) ** 2 + (xy[:, 1, None] - flat[:, 1]) ** 2
    off = off.reshape(len(xy), sets, size).transpose(1, 0, 2)
    near = off.argmin(axis=2)
    value = np.sqrt(np.take_along_axis(off, near[:, :, None], 2)[:, :, 0])
    chosen = points[np.arange(sets)[:, None], near]
    unit = (xy - chosen) / np.maximum(value, 1e-9)[:, :, None]
    narrow = value.astype(np.float32)
    gap = narrow[:, :, None] - narrow[:, None, :]
    side = np.sign(gap)
    np.abs(gap, out=gap)
    most = gap.argmax(axis=0)
    wanted = released.astype(np.float32)
    gap -= wanted
    short = np.take_along_axis(gap, most[None], 0)[0]
    miss = float(np.abs(short).sum() / max(len(xy) * (len(xy) - 1), 1))
    np.clip(gap, 0, cap, out=gap)
    raised = np.where(short < 0, np.maximum(short, -cap), np.clip(short, 0, cap))
    np.put_along_axis(gap, most[None], raised[None], 0)
    gap *= side
    return gap.sum(axis=2, dtype=np.float64), near, unit, miss


def _between(xy, released, away, unsure, cap, spacing):
    """Gradient of pairs: never nearer than released, and as far as estimated where sure."""
    off = xy[:, None, :] - xy[None, :, :]
    now = np.sqrt((off**2).sum(axis=2)) + 1e-9
    trust = np.minimum(1.0, (_SURE * spacing / np.maximum(unsure, 1e-9)) ** 2)
    pull = np.clip(now - away, -cap, cap) * trust
    pull = np.where(now < released, np.maximum(now - released, -cap), pull)
    np.fill_diagonal(pull, 0)
    return ((pull / now)[:, :, None] * off).sum(axis=1)
