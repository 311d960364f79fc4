# SPDX-License-Identifier: GPL-2.0-or-later
"""Towns that no mask or attack was made on: a valley, a grid of streets with towers, and four more.

Both are awkward on purpose. In the *valley* a thread of houses along a winding river has nobody on either
side, lanes climb from it, and farms lie far apart. In the *grid* plots are exactly as far apart as one
another, so that distances tie, and towers put some hundred doors within a dozen metres. :data:`MORE`: homes
spread *even*-ly, *terraces* of houses six metres apart in any direction, *hamlets* of very different size and
breadth with lone farms, and *rings* of streets round a centre.
"""

from __future__ import annotations

import numpy as np

KINDS, MORE = ("valley", "grid"), ("even", "terraces", "hamlets", "rings")


def addresses(kind: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """Distinct places, in metres, about ``count``.

    Parameters
    ----------
    kind : str
        Of :data:`KINDS` or :data:`MORE`.
    count : int
    rng : numpy.random.Generator

    Returns
    -------
    (m, 2) array
    """
    made = _MADE[kind](int(1.3 * count), rng)
    found = np.unique(np.round(made, 1), axis=0)
    return found[np.sort(rng.permutation(len(found))[:count])]


def _valley(count: int, rng: np.random.Generator) -> np.ndarray:
    """Houses along a river and the lanes off it, and farms on the slopes."""
    x = np.linspace(0, 12_000, 1_200)
    y = np.cumsum(np.cumsum(rng.normal(0, 0.02, len(x)))) * 10 + 400 * np.sin(x / 1_500)
    village = np.abs(np.subtract.outer(x, rng.uniform(0, 12_000, 5))).min(axis=1)
    busy = 0.05 + np.exp(-np.square(village / 400))
    at = rng.choice(len(x), count, p=busy / busy.sum())
    river = np.stack([x[at], y[at]], axis=1)
    side = rng.choice([-1, 1], count)
    far = np.where(rng.random(count) < 0.15, rng.uniform(300, 1_500, count), 0.0)
    lane = (rng.random(count) < 0.3) & (far == 0)
    off = np.where(lane, np.rint(rng.exponential(6, count)) * 22.0, 0.0) + 15.0 + far
    along = np.where(lane, np.rint(rng.normal(0, 1, count)) * 150.0, rng.normal(0, 12, count))
    return river + np.stack([along, side * off + rng.normal(0, 3, count)], axis=1)


def _grid(count: int, rng: np.random.Generator) -> np.ndarray:
    """Plots every twenty metres in blocks between streets, and towers in some of the blocks."""
    doors = int(0.4 * count)
    towers = rng.integers(0, 24, (max(1, doors // 100), 2)) * 100.0 + 50.0
    tower = towers[rng.integers(0, len(towers), doors)] + rng.uniform(-12, 12, (doors, 2))
    side = int(
        np.ceil(np.sqrt((count - doors) / 0.7 / 16))
    )  # blocks of five by five, less the middle
    plot = np.stack(np.meshgrid(*[np.arange(5 * side)] * 2), axis=-1).reshape(-1, 2)
    plot = plot[((plot % 5 == 0) | (plot % 5 == 4)).any(axis=1) & (rng.random(len(plot)) < 0.7)]
    return np.concatenate([plot * 20.0, tower])


def _even(count: int, rng: np.random.Generator) -> np.ndarray:
    """Anywhere in a square."""
    return rng.uniform(0, 2_400, (count, 2))


def _terraces(count: int, rng: np.random.Generator) -> np.ndarray:
    """Rows of six to twenty-one houses."""
    rows = max(1, count // 14)
    many, turn = rng.integers(6, 22, rows), rng.uniform(0, np.pi, rows)
    at = np.repeat(rng.uniform(0, 2_200, (rows, 2)), many, axis=0)
    along = 6.0 * np.concatenate([np.arange(one) - one / 2 for one in many])
    turn = np.repeat(turn, many)
    way = np.stack([along * np.cos(turn), along * np.sin(turn)], axis=1)
    return at + way + rng.normal(0, 0.3, at.shape)


def _hamlets(count: int, rng: np.random.Generator) -> np.ndarray:
    """Twenty-five of them, and one home in ten anywhere."""
    at, size = rng.uniform(0, 6_000, (25, 2)), rng.lognormal(0, 1.2, 25)
    which = rng.choice(25, count, p=size / size.sum())
    made = at[which] + rng.normal(0, 1, (count, 2)) * rng.lognormal(4.3, 0.6, 25)[which, None]
    lone = rng.random(count) < 0.1
    made[lone] = rng.uniform(0, 6_000, (int(lone.sum()), 2))
    return made


def _rings(count: int, rng: np.random.Generator) -> np.ndarray:
    """Houses on both sides of streets in circles, fewer farther out."""
    radius = np.concatenate([np.arange(60, 1_500, 95.0) + side for side in (-9, 9)])
    many = (2 * np.pi * radius / 18).astype(int)
    turn = np.concatenate([np.arange(one) / one * 2 * np.pi for one in many])
    radius = np.repeat(radius, many)
    chance = np.exp(-radius / 700)
    some = rng.choice(len(turn), min(count, len(turn)), replace=False, p=chance / chance.sum())
    made = radius[some, None] * np.stack([np.cos(turn[some]), np.sin(turn[some])], axis=1)
    return made + rng.normal(0, 1, made.shape)


_MADE = {
    "valley": _valley,
    "grid": _grid,
    "even": _even,
    "terraces": _terraces,
    "hamlets": _hamlets,
    "rings": _rings,
}
