# SPDX-License-Identifier: GPL-2.0-or-later
"""Eight kinds of files that were first drawn when strangers had a curve of their own in the near group: nothing was fitted to them.

``slopes``: rows of houses along the contours of hills. ``spokes``: villages along the roads out of market
towns. ``rings``: towns round an empty middle. ``blocks``: houses along the edges of city blocks. ``moor``: farms
that keep away from each other. ``dust``: halves of halves, of which one is always fuller. ``fading``: one town
that thins out to one side. ``ferries``: many islands of very different sizes. Labels are sex and one of eleven
ages, five or twenty, as frequent anywhere (``anywhere``); families of two to five at one door or some metres
apart, some of whom share sex and age (``families``); or those of a street (``street``).
"""

from __future__ import annotations

import _germans
import _near_kinds as near_kinds
import numpy as np

_COUNTS = ((500, 500, 50), (350, 450, 70), (600, 280, 80), (700, 400, 60), (300, 300, 120))
_LABELS = ("anywhere", "families", "street", "families", "coarse", "families", "fine")
_SETS = ((20, 30), (10, 30), (25, 20), (15, 40))
_SIDE = 80_000.0


def _labelled(label: str, points: np.ndarray, rng: np.random.Generator) -> list:
    """Labels of people; families are moved together."""
    count = len(points)
    people = [(sex, int(age)) for sex, age in _germans.people(count, rng)]
    if label == "coarse":
        return [(sex, age // 3) for sex, age in people]
    if label == "fine":
        return [
            (sex, age, int(half)) for (sex, age), half in zip(people, rng.integers(0, 2, count))
        ]
    if label == "street":
        street = np.unique(np.floor(points / 300.0), axis=0, return_inverse=True)[1].ravel()
        usual, same = (
            _germans.people(street.max() + 1, rng),
            rng.random(count) < rng.uniform(0, 0.5),
        )
        return [
            (usual[at][0], int(usual[at][1])) if own else one
            for one, at, own in zip(people, street.tolist(), same)
        ]
    if label == "families":
        alike, apart = rng.uniform(0.1, 0.9), float(rng.choice([0.0, 2.0, 10.0]))
        home = np.arange(count)
        moved = np.flatnonzero(rng.random(count) < rng.uniform(0.1, 0.7))
        home[moved] = rng.integers(0, max(count // 2, 1), len(moved))
        for one in moved.tolist():
            points[one] = points[home[one]] + rng.normal(0, 1.0, 2) * apart
            if rng.random() < alike:
                people[one] = people[home[one]]
    return people


def _slopes(count: int, rng: np.random.Generator) -> np.ndarray:
    hills = rng.uniform(0, _SIDE, (int(rng.integers(5, 15)), 2))
    hill = rng.integers(0, len(hills), count)
    row = rng.integers(1, 8, count)
    angle = rng.uniform(0, rng.uniform(1.0, 6.28, len(hills))[hill])
    far = 400.0 * row * (1 + 0.3 * np.cos(2 * angle + hill)) + rng.normal(0, 8.0, count)
    return hills[hill] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _spokes(count: int, rng: np.random.Generator) -> np.ndarray:
    towns = rng.uniform(0.1 * _SIDE, 0.9 * _SIDE, (int(rng.integers(3, 8)), 2))
    town, spoke = rng.integers(0, len(towns), count), rng.integers(0, 6, count)
    stop = rng.integers(0, 7, count)
    angle = spoke * 1.047 + town + rng.normal(0, 0.01, count)
    far = 1_500.0 * stop + rng.exponential(250.0, count)
    places = towns[town] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return places + rng.normal(0, 60.0, (count, 2))


def _rings(count: int, rng: np.random.Generator) -> np.ndarray:
    towns = rng.uniform(0.1 * _SIDE, 0.9 * _SIDE, (int(rng.integers(4, 12)), 2))
    wide = rng.uniform(300.0, 3_000.0, len(towns))
    town = rng.choice(len(towns), count, p=wide / wide.sum())
    angle = rng.uniform(0, 6.28, count)
    far = wide[town] * (1 + np.abs(rng.normal(0, 0.2, count)))
    return towns[town] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _blocks(count: int, rng: np.random.Generator) -> np.ndarray:
    cities = rng.uniform(0.2 * _SIDE, 0.8 * _SIDE, (int(rng.integers(2, 6)), 2))
    city = rng.choice(len(cities), count, p=rng.dirichlet(np.ones(len(cities))))
    block = np.round(rng.normal(0, rng.uniform(3, 12), (count, 2)))
    along, edge = rng.uniform(-45.0, 45.0, count), rng.integers(0, 4, count)
    across = np.where(edge % 2, 45.0, -45.0)
    flat = np.where((edge < 2)[:, None], np.stack([along, across], 1), np.stack([across, along], 1))
    return cities[city] + 110.0 * block + flat


def _moor(count: int, rng: np.random.Generator) -> np.ndarray:
    wide = int(np.ceil(np.sqrt(1.5 * count)))
    cell = rng.choice(wide * wide, count, replace=False)
    places = np.stack([cell % wide, cell // wide], axis=1) + rng.uniform(0.2, 0.8, (count, 2))
    return places * _SIDE / wide


def _dust(count: int, rng: np.random.Generator) -> np.ndarray:
    fuller = rng.uniform(0.55, 0.8)
    low, high = np.zeros((count, 2)), np.full((count, 2), _SIDE)
    seed = int(rng.integers(1 << 30))
    for level in range(9):
        middle = (low + high) / 2
        for axis in range(2):
            # Which half is the fuller one is the same for everybody of a cell.
            cell = np.floor(low[:, axis]).astype(np.int64) * 73_856_093 + level * 19 + axis + seed
            first = (cell % 7) < 4
            up = (rng.random(count) < fuller) == first
            low[up, axis], high[~up, axis] = middle[up, axis], middle[~up, axis]
    return rng.uniform(low, high)


def _fading(count: int, rng: np.random.Generator) -> np.ndarray:
    x = rng.exponential(_SIDE / rng.uniform(5, 20), count)
    y = _SIDE / 2 + rng.normal(0, 1.0, count) * (500.0 + 0.4 * x)
    return np.stack([x, y], axis=1)


def _ferries(count: int, rng: np.random.Generator) -> np.ndarray:
    islands = rng.uniform(0.05 * _SIDE, 0.95 * _SIDE, (int(rng.integers(10, 60)), 2))
    share = rng.pareto(1.0, len(islands)) + 0.05
    island = rng.choice(len(islands), count, p=share / share.sum())
    return (
        islands[island] + rng.normal(0, 1.0, (count, 2)) * 250.0 * np.sqrt(share[island])[:, None]
    )


_PLACES = {
    "slopes": _slopes,
    "spokes": _spokes,
    "rings": _rings,
    "blocks": _blocks,
    "moor": _moor,
    "dust": _dust,
    "fading": _fading,
    "ferries": _ferries,
}
SETTLED = near_kinds.Settled(_PLACES, _labelled, _COUNTS, _LABELS, _SETS, _SIDE, first=17_000_000)
