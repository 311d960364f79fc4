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

from ...runtime import accel
from ...runtime.progress import Progress, silent

#: Steps between jumps of reference points, part of the steps with jumps, and places tried.
_JUMPS, _UNTIL, _TRIES = 15, 0.8, 24
#: Parts that the most a pair can deviate is counted in.
_PARTS = 4096
#: Records of a step: 16,000 pairs and as many gradients for each set.
_BATCH = 128
#: Steps for the sets alone at first, and in all.
_FIRST, STEPS = 100, 1200
#: Step length of places and reference points, and the most that a pair pulls, as parts of the
#: spacing of a set's points.
_STEP_PLACES, _STEP_REFERENCES, _CAP = 0.02, 0.03, 0.15
#: The least of the pull's limit at the end, as a part of what it was.
_NARROW = 0.25
#: Spread of an estimated distance beyond which its pull fades, as a part of the spacing.
_SURE = 0.03
#: Parts of the extent that places and reference points are multiples of.
_PARTS_OF_EXTENT = 2.0**24


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
    2015, Adam), with a step that falls to zero, and jumps of reference points in between
    (:func:`_jump`), which halve the deviation that is left. Everything lies on a fine grid: a
    thousand steps would blow up a last digit, which is another with another processor or version
    of NumPy, until other people are found.
    """
    grid = _grid_of(places)
    places = _on_grid(places, grid)
    low, high = places.min(axis=0), places.max(axis=0)
    spacing = float(np.sqrt(max(np.prod(high - low), 1e-12) / size))
    margin = 0.05 * (high - low)
    points = _on_grid(rng.uniform(low - margin, high + margin, (sets, size, 2)), grid)
    count = len(places)
    batch = min(_BATCH, count)
    momentum, scale = np.zeros((2, count, 2)), 1e-6 * spacing
    moving, sizes = np.zeros((2, sets, size, 2))
    deviation = []
    for step in range(steps):
        progress(step / steps)
        some = rng.choice(count, batch, replace=False)
        block = np.ix_(some, some)
        speed = 0.5 * (1 + np.cos(np.pi * step / steps))
        cap = _CAP * spacing * max(speed, _NARROW)
        if step % _JUMPS == 0 and step < _UNTIL * steps:
            jumped = _jump(
                places[some], points, released[block], cap, low - margin, high + margin, rng
            )
            moving[jumped] = 0
        pull, near, unit, miss = _pulls(places[some], points, released[block], cap)
        deviation.append(miss)
        grad = unit * pull[:, :, None]
        slot = (np.arange(sets)[:, None] * size + near).ravel()
        for axis in range(2):
            moved = -np.bincount(slot, grad[:, :, axis].ravel(), minlength=sets * size)
            moved = moved.reshape(sets, size)
            moving[:, :, axis] = 0.9 * moving[:, :, axis] + 0.1 * moved
            sizes[:, :, axis] = 0.99 * sizes[:, :, axis] + 0.01 * moved**2
        way = _STEP_REFERENCES * spacing * speed * moving / (np.sqrt(sizes) + scale)
        points = _on_grid(points - way, grid)
        if step < _FIRST:
            continue
        grad = grad.sum(axis=0) + _between(
            places[some], released[block], away[block], unsure[block], cap, spacing
        )
        momentum[0, some] = 0.8 * momentum[0, some] + 0.2 * grad
        momentum[1, some] = 0.9 * momentum[1, some] + 0.1 * grad**2
        way = _STEP_PLACES * spacing * speed * momentum[0, some]
        way /= np.sqrt(momentum[1, some]) + scale
        places[some] = _on_grid(places[some] - way, grid)
    progress(1.0)
    return places, float(np.mean(deviation[-50:]))


def _grid_of(places: np.ndarray) -> float:
    """A power of two, so that nothing is lost but what lies between its multiples."""
    extent = max(float(np.ptp(places, axis=0).max()), 1e-300)
    return 2.0 ** round(np.log2(extent)) / _PARTS_OF_EXTENT


def _on_grid(xy: np.ndarray, grid: float) -> np.ndarray:
    return np.rint(xy / grid) * grid


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
    sums = _sums if accel.enabled() else _sums_plain
    pull, short = sums(value.astype(np.float32), released.astype(np.float32), np.float32(cap))
    miss = float(np.abs(short).sum() / max(len(xy) * (len(xy) - 1), 1))
    return pull, near, unit, miss


def _sums_plain(value, wanted, cap):
    """Sum of the pulls at each record by each set, (sets, n), and what each pair is short of."""
    gap = value[:, :, None] - value[:, None, :]
    side = np.sign(gap)
    np.abs(gap, out=gap)
    most = gap.argmax(axis=0)
    gap -= wanted
    short = np.take_along_axis(gap, most[None], 0)[0]
    np.clip(gap, 0, cap, out=gap)
    raised = np.where(short < 0, np.maximum(short, -cap), np.clip(short, 0, cap))
    np.put_along_axis(gap, most[None], raised[None], 0)
    gap *= side
    # Down the columns NumPy adds one row after the other, as the kernel does.
    return -gap.sum(axis=1, dtype=np.float64), short


@accel.kernel
def _sums(value, wanted, cap):
    sets, count = value.shape
    pull = np.zeros((sets, count))
    short = np.zeros((count, count), dtype=np.float32)
    own = np.empty((count, sets), dtype=np.float32)
    for one in range(sets):
        for a in range(count):
            own[a, one] = value[one, a]
    for a in range(count):
        short[a, a] = -wanted[a, a]
        for b in range(a + 1, count):
            want = wanted[a, b]
            most, best = 0, np.float32(-1)
            for one in range(sets):
                gap = abs(own[a, one] - own[b, one])
                if gap > best:
                    best, most = gap, one
            short[a, b] = best - want
            short[b, a] = short[a, b]
            for one in range(sets):
                way = own[a, one] - own[b, one]
                miss = abs(way) - want
                if one == most:
                    miss = max(min(miss, cap), -cap)
                else:
                    miss = min(miss, cap)
                    if miss <= 0:
                        continue
                if way > 0:
                    pull[one, a] += miss
                    pull[one, b] -= miss
                elif way < 0:
                    pull[one, a] -= miss
                    pull[one, b] += miss
    return pull, short


def _jump(xy, points, released, cap, low, high, rng):
    """Try other places for one point of every set; the best is taken where it is better.

    Descent alone leaves sets where they cannot get out: between a set's points, the places
    that are nearest to one change hands, and pairs that no set explains pull at none.
    """
    sets, size = points.shape[:2]
    losses = _losses if accel.enabled() else _losses_plain
    wanted = released.astype(np.float32)
    off = np.sqrt(
        (xy[:, 0, None, None] - points[:, :, 0]) ** 2
        + (xy[:, 1, None, None] - points[:, :, 1]) ** 2
    ).astype(np.float32)  # (n, sets, size)
    value = off.min(axis=2)
    near = off.argmin(axis=2)
    gap = np.abs(value.T[:, :, None] - value.T[:, None, :])
    most = gap.argmax(axis=0)
    first = np.take_along_axis(gap, most[None], 0)[0]
    np.put_along_axis(gap, most[None], np.float32(-1), 0)
    second = gap.max(axis=0) if sets > 1 else np.zeros_like(first)
    jumped = []
    for one in rng.permutation(sets):
        others = np.where(most == one, second, first)
        which = rng.integers(0, size, _TRIES)
        there = rng.uniform(low, high, (_TRIES, 2))
        which[0] = -1  # the set as it is
        if size > 1:
            rest = np.partition(off[:, one], 1, axis=1)
            left = np.where(near[:, one, None] == which, rest[:, 1:2], rest[:, :1])
        else:
            left = np.full((len(xy), _TRIES), np.float32(np.inf))
            left[:, 0] = off[:, one, 0]
        new = np.sqrt((xy[:, 0, None] - there[:, 0]) ** 2 + (xy[:, 1, None] - there[:, 1]) ** 2)
        new[:, 0] = np.inf
        new = np.ascontiguousarray(np.minimum(left, new.astype(np.float32)).T)
        best = int(losses(new, others, wanted, np.float32(cap)).argmin())
        if best == 0:
            continue
        points[one, which[best]] = there[best]
        jumped.append((one, which[best]))
        value[:, one] = new[best]
        # Only this set's gaps have changed.
        mine = np.abs(new[best][:, None] - new[best][None, :])
        was = most == one
        top = np.where(was, second, first)
        second = np.where(was, second, np.maximum(second, mine))
        most = np.where(mine >= top, one, np.where(was, -1, most))
        first = np.maximum(mine, top)
    return tuple(np.array(jumped, dtype=np.int64).reshape(-1, 2).T)


def _losses_plain(new, others, wanted, cap):
    """Deviation of embedded distances for every try of a set's values, (tries,) integers.

    Parts of the cap are counted in whole numbers, whose sum does not depend on their order.
    """
    loss = new[:, :, None] - new[:, None, :]
    np.abs(loss, out=loss)
    np.maximum(loss, others, out=loss)
    loss -= wanted
    np.abs(loss, out=loss)
    np.minimum(loss, cap, out=loss)
    loss *= np.float32(_PARTS) / cap
    return loss.astype(np.int64).sum(axis=(1, 2)) // 2  # both halves are alike


@accel.kernel
def _losses(new, others, wanted, cap):
    tries, count = new.shape
    found = np.zeros(tries, dtype=np.int64)
    scale = np.float32(_PARTS) / cap
    for one in range(tries):
        own = new[one]
        total = 0
        for a in range(count):
            here, other, want = own[a], others[a], wanted[a]
            for b in range(a + 1, count):
                loss = abs(max(abs(here - own[b]), other[b]) - want[b])
                total += int(min(loss, cap) * scale)
        found[one] = total
    return found


def _between(xy, released, away, unsure, cap, spacing):
    """Gradient of pairs: never nearer than released, and as far as estimated where sure."""
    off = xy[:, None, :] - xy[None, :, :]
    now = np.sqrt((off**2).sum(axis=2)) + 1e-9
    trust = np.minimum(1.0, (_SURE * spacing / np.maximum(unsure, 1e-9)) ** 2)
    pull = np.clip(now - away, -cap, cap) * trust
    pull = np.where(now < released, np.maximum(now - released, -cap), pull)
    np.fill_diagonal(pull, 0)
    return ((pull / now)[:, :, None] * off).sum(axis=1)
