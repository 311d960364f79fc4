# SPDX-License-Identifier: GPL-2.0-or-later
"""Four kinds of files that nothing was fitted to when strangers had a curve of their own in the near group.

``fjords``: houses on both banks of waters that branch. ``campus``: dormitories of five to forty people, and a
town around. ``parishes``: a church village in the middle of each parish, and its farms. ``corridor``: suburbs
at the exits of one motorway. Labels are sex and one of eleven ages, as frequent anywhere (``anywhere``); of
brothers and sisters, who live at one door or some metres apart and of whom some have each other's label
(``siblings``); of couples of one age, give or take one (``couples``); or, of some, those of a square of 200 m
(``square``).
"""

from __future__ import annotations

import _germans
import _near_kinds as near_kinds
import numpy as np

_COUNTS = ((500, 500, 50), (450, 400, 80), (300, 500, 45), (650, 450, 110))
_LABELS = ("anywhere", "siblings", "couples", "square", "anywhere")
_SETS = ((20, 30), (10, 30), (30, 30))
_SIDE = 70_000.0


def _labelled(label: str, points: np.ndarray, rng: np.random.Generator) -> list:
    """Labels of people; who lives together is moved together."""
    count = len(points)
    people = [(sex, int(age)) for sex, age in _germans.people(count, rng)]
    if label == "square":
        square = np.unique(np.floor(points / 200.0), axis=0, return_inverse=True)[1].ravel()
        usual, same = (
            _germans.people(square.max() + 1, rng),
            rng.random(count) < rng.uniform(0, 0.3),
        )
        own = [(sex, int(age)) for sex, age in usual]
        return [own[at] if s else one for one, at, s in zip(people, square.tolist(), same)]
    if label in ("siblings", "couples"):
        share, apart = rng.uniform(0.05, 0.5), float(rng.choice([0.0, 4.0, 25.0]))
        order = rng.permutation(count)
        at = 0
        while at < share * count:
            number = 2 if label == "couples" else int(rng.integers(2, 5))
            first, *others = order[at : at + number].tolist()
            at += number
            for one in others:
                points[one] = points[first] + rng.normal(0, 1.0, 2) * apart
                sex, age = people[first]
                if label == "couples":
                    people[one] = "fm"[sex == "f"], age + int(rng.integers(-1, 2))
                elif rng.random() < 0.5:
                    people[one] = sex, age
    return people


def _fjords(count: int, rng: np.random.Generator) -> np.ndarray:
    ends = [(rng.uniform(0, _SIDE, 2), rng.uniform(0, 6.28), 25_000.0)]
    lines = []
    while ends and len(lines) < 25:
        start, angle, length = ends.pop(0)
        stop = start + length * np.array([np.cos(angle), np.sin(angle)])
        lines.append((start, stop))
        for turn in (-0.6, 0.5):
            ends.append((stop, angle + turn + rng.normal(0, 0.2), 0.7 * length))
    line = rng.integers(0, len(lines), count)
    start = np.array([one for one, _ in lines])[line]
    stop = np.array([one for _, one in lines])[line]
    along = rng.beta(0.7, 0.7, count)[:, None]
    bank = rng.choice([-1.0, 1.0], count) * (150.0 + rng.exponential(80.0, count))
    across = (stop - start)[:, ::-1] * [-1.0, 1.0]
    across /= np.linalg.norm(across, axis=1)[:, None]
    return (start + along * (stop - start) + bank[:, None] * across) % _SIDE


def _campus(count: int, rng: np.random.Generator) -> np.ndarray:
    middle = rng.uniform(0.3 * _SIDE, 0.7 * _SIDE, 2)
    places = middle + rng.normal(0, rng.uniform(2_000.0, 12_000.0), (count, 2))
    at = 0
    while at < 0.4 * count:
        number = int(rng.integers(5, 40))
        house = middle + rng.normal(0, 800.0, 2)
        places[at : at + number] = house + rng.normal(0, 6.0, (len(places[at : at + number]), 2))
        at += number
    return places


def _parishes(count: int, rng: np.random.Generator) -> np.ndarray:
    wide = int(rng.integers(3, 8))
    church = (np.indices((wide, wide)).reshape(2, -1).T + 0.5) * _SIDE / wide
    church = church + rng.normal(0, 0.12 * _SIDE / wide, church.shape)
    parish = rng.choice(len(church), count, p=rng.dirichlet(np.full(len(church), 1.5)))
    farm = rng.random(count) < rng.uniform(0.2, 0.7)
    spread = np.where(farm, 0.2 * _SIDE / wide, rng.uniform(80.0, 300.0))
    return church[parish] + rng.normal(0, 1.0, (count, 2)) * spread[:, None]


def _corridor(count: int, rng: np.random.Generator) -> np.ndarray:
    exits = np.sort(rng.uniform(0, _SIDE, int(rng.integers(6, 18))))
    exit_ = rng.integers(0, len(exits), count)
    x = exits[exit_] + rng.normal(0, 500.0, count)
    y = 0.5 * _SIDE + 3_000.0 * np.sin(x / 9_000.0) + rng.laplace(0, 900.0, count)
    return np.stack([x, y], axis=1)


_PLACES = {"fjords": _fjords, "campus": _campus, "parishes": _parishes, "corridor": _corridor}
SETTLED = near_kinds.Settled(_PLACES, _labelled, _COUNTS, _LABELS, _SETS, _SIDE, first=19_000_000)
