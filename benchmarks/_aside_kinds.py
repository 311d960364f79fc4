# SPDX-License-Identifier: GPL-2.0-or-later
"""Three kinds of files that were kept aside while confidences were mended: clusters, even land, streets.

``clusters``: towns within counties and houses within towns, of any size (Neyman and Scott). ``even``: people
anywhere, no two near each other, or twice as many in one half as in the other. ``streets``: a net of streets
at odd angles, houses every twelve to thirty metres on both sides, flats in some of them. Labels are as
frequent anywhere, or those of a family (a third of all people live with somebody of their label), or of a
quarter (the age of its houses). ``streets`` was not drawn before the last run.
"""

from __future__ import annotations

import _germans
import _near_kinds as near_kinds
import numpy as np

_COUNTS = ((500, 500, 50), (400, 600, 80), (300, 300, 30), (450, 450, 150))
_LABELS = ("anywhere", "family", "quarter")
_SETS = ((20, 30), (10, 30), (20, 15), (40, 30))
_SIDE = 60_000.0


def _labelled(label: str, points: np.ndarray, rng: np.random.Generator) -> list:
    """Sex and one of eleven ages; a family's people live within some metres of one another."""
    people = _germans.people(len(points), rng)
    if label == "anywhere":
        return people
    if label == "family":
        move = np.flatnonzero(rng.random(len(points)) < 0.33)
        to = rng.integers(0, len(points), len(move))
        points[move] = points[to] + rng.normal(0, 8.0, (len(move), 2))
        for one, other in zip(move.tolist(), to.tolist()):
            people[one] = people[other]
        return people
    seeds = rng.uniform(0, _SIDE, (60, 2))
    quarter = ((points[:, None] - seeds) ** 2).sum(axis=2).argmin(axis=1)
    usual = rng.integers(0, 11, 60)
    settled = rng.random(len(points)) < 0.5
    near = usual[quarter] + rng.integers(-1, 2, len(points))
    return [(sex, int(one) if old else age) for (sex, age), one, old in zip(people, near, settled)]


def _clusters(count: int, rng: np.random.Generator) -> np.ndarray:
    counties = rng.uniform(0.1 * _SIDE, 0.9 * _SIDE, (int(rng.integers(3, 8)), 2))
    towns = counties[rng.integers(0, len(counties), int(rng.integers(15, 60)))]
    towns = towns + rng.normal(0, 5_000, towns.shape)
    size = rng.lognormal(0, 1.2, len(towns))
    town = rng.choice(len(towns), count, p=size / size.sum())
    wide = 150.0 * np.sqrt(size[town] / size.mean()) * rng.uniform(1, 8)
    return np.clip(towns[town] + rng.normal(size=(count, 2)) * wide[:, None], 0, _SIDE)


def _even(count: int, rng: np.random.Generator) -> np.ndarray:
    apart = 0.4 * _SIDE / np.sqrt(count) * rng.random()
    half = rng.random() < 0.5
    places = np.empty((0, 2))
    while len(places) < count:
        one = rng.uniform(0, _SIDE, (1, 2))
        if half and one[0, 0] > _SIDE / 2 and rng.random() < 0.5:
            continue
        if not len(places) or ((places - one) ** 2).sum(axis=1).min() > apart**2:
            places = np.concatenate([places, one])
    return places


def _streets(count: int, rng: np.random.Generator) -> np.ndarray:
    number = int(rng.integers(30, 120))
    begin = rng.normal(_SIDE / 2, rng.uniform(1_500, 9_000), (number, 2))
    angle = rng.uniform(0, np.pi / 2) + rng.integers(0, 2, number) * np.pi / 2
    angle = angle + rng.normal(0, 0.1, number)
    long = rng.lognormal(np.log(500), 0.6, number)
    street = rng.choice(number, count, p=long / long.sum())
    step = float(rng.uniform(12, 30))
    along = step * np.floor(rng.random(count) * long[street] / step)
    flat = rng.random(count) < 0.2  # at every tenth number
    along[flat] = 10 * step * np.round(along[flat] / (10 * step))
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)[street]
    side = rng.choice([-10.0, 10.0], count)
    places = begin[street] + along[:, None] * way + side[:, None] * way[:, ::-1] * [-1, 1]
    return np.clip(places + rng.normal(0, 1.0, (count, 2)), 0, _SIDE)


_PLACES = {"clusters": _clusters, "even": _even, "streets": _streets}
SETTLED = near_kinds.Settled(
    _PLACES, _labelled, _COUNTS, _LABELS, _SETS, _SIDE, first=9_000_000, turn=len(_COUNTS)
)
