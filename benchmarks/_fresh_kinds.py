# SPDX-License-Identifier: GPL-2.0-or-later
"""Four kinds of files that were first drawn after the last change to the likelihood attack under noise.

``valleys``: villages along valley floors that branch, farms on the slopes. ``estates``: blocks round
courtyards, several stairs to a block, many flats to a stair. ``islands``: one to three ports on each of some
islands, hamlets elsewhere. ``camps``: dormitories of workers and students among scattered homes. Labels are
as frequent anywhere, or those of couples (four in ten live with one of about their age), or
of dormitories (most people of some places are alike), or of islands (each with ages of its own).
"""

from __future__ import annotations

import _germans
import _near_kinds as near_kinds
import numpy as np

_COUNTS = ((500, 500, 50), (600, 300, 60), (350, 350, 100), (250, 500, 25), (400, 400, 200))
_LABELS = ("anywhere", "couples", "alike", "region")
_SIDE = 80_000.0


def _labelled(label: str, points: np.ndarray, rng: np.random.Generator) -> list:
    """Sex and one of eleven ages; couples move together."""
    people = _germans.people(len(points), rng)
    if label == "anywhere":
        return people
    if label == "couples":
        pairs = rng.permutation(len(points))[: int(0.4 * len(points)) // 2 * 2].reshape(-1, 2)
        points[pairs[:, 0]] = points[pairs[:, 1]] + rng.normal(0, 2.0, (len(pairs), 2))
        for one, other in pairs.tolist():
            sex, age = people[other]
            people[one] = (people[one][0], max(int(age) + int(rng.integers(-1, 2)), 0))
            people[other] = (sex, int(age))
        return [(sex, int(age)) for sex, age in people]
    wide = _SIDE / (40 if label == "alike" else 5)
    cell = np.floor(points / wide).astype(int)
    place = np.unique(cell, axis=0, return_inverse=True)[1].ravel()
    usual = rng.integers(0, 11, place.max() + 1)
    share = rng.choice([0.0, 0.2, 0.8], place.max() + 1) if label == "alike" else 0.4
    own = rng.random(len(points)) < (share[place] if label == "alike" else share)
    return [(sex, int(u) if o else int(a)) for (sex, a), u, o in zip(people, usual[place], own)]


def _valleys(count: int, rng: np.random.Generator) -> np.ndarray:
    floor, villages = [np.array([0.5 * _SIDE, 0.05 * _SIDE])], []
    for _ in range(int(rng.integers(3, 8))):
        start = floor[int(rng.integers(len(floor)))]
        way = np.cumsum(rng.normal(0, 0.15, 60)) + rng.uniform(0.15, 0.85) * np.pi
        line = start + np.cumsum(800.0 * np.stack([np.cos(way), np.sin(way)], axis=1), axis=0)
        floor += list(line[20:])
        villages += list(line[rng.permutation(60)[: int(rng.integers(4, 12))]])
    villages, floor = np.array(villages), np.array(floor)
    size = rng.lognormal(0, 0.9, len(villages))
    at = rng.choice(len(villages), count, p=size / size.sum())
    places = villages[at] + rng.normal(0, 1, (count, 2)) * 180.0 * np.sqrt(size[at])[:, None]
    farm = rng.random(count) < 0.3
    slopes = floor[rng.integers(0, len(floor), count)] + rng.normal(0, 700.0, (count, 2))
    return np.clip(np.where(farm[:, None], slopes, places), 0, _SIDE)


def _estates(count: int, rng: np.random.Generator) -> np.ndarray:
    middle = rng.uniform(0.2 * _SIDE, 0.8 * _SIDE, (int(rng.integers(4, 12)), 2))
    blocks = middle[rng.integers(0, len(middle), 90)] + 110.0 * rng.integers(-9, 10, (90, 2))
    block = rng.integers(0, int(rng.integers(30, 91)), count)
    angle = np.round(rng.uniform(0, 12, count)) * np.pi / 6  # twelve stairs round a courtyard
    stair = 40.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.clip(blocks[block] + stair + rng.normal(0, 3.0, (count, 2)), 0, _SIDE)


def _islands(count: int, rng: np.random.Generator) -> np.ndarray:
    island = rng.uniform(0.05 * _SIDE, 0.95 * _SIDE, (int(rng.integers(3, 10)), 2))
    wide = rng.lognormal(np.log(2_500), 0.5, len(island))
    of = rng.choice(len(island), count, p=wide / wide.sum())
    far, angle = np.sqrt(rng.random(count)) * wide[of], rng.uniform(0, 2 * np.pi, count)
    port = rng.random(count) < 0.55
    number = rng.integers(0, rng.integers(1, 4, len(island))[of])
    angle[port] = (of + 2.1 * number)[port] + rng.normal(0, 0.05, int(port.sum()))
    far[port] = (wide[of] - np.abs(rng.normal(0, 150.0, count)))[port]
    places = island[of] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.clip(places, 0, _SIDE)


def _camps(count: int, rng: np.random.Generator) -> np.ndarray:
    camp = rng.uniform(0.1 * _SIDE, 0.9 * _SIDE, (int(rng.integers(5, 40)), 2))
    size = rng.gamma(0.6, size=len(camp)) + 0.05
    at = rng.choice(len(camp), count, p=size / size.sum())
    dormitory = camp[at] + rng.uniform(-35, 35, (count, 2))
    home = 0.5 * _SIDE + 0.18 * _SIDE * rng.standard_t(4, (count, 2))
    alone = rng.random(count) < rng.uniform(0.3, 0.7)
    return np.clip(np.where(alone[:, None], home, dormitory), 0, _SIDE)


_PLACES = {"valleys": _valleys, "estates": _estates, "islands": _islands, "camps": _camps}
SETTLED = near_kinds.Settled(
    _PLACES, _labelled, _COUNTS, _LABELS, ((20, 30),), _SIDE, first=11_000_000, turn=2
)
