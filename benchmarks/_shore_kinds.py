# SPDX-License-Identifier: GPL-2.0-or-later
"""Two kinds of files that were first drawn when the near group had been asked how exactly distances fit.

``lakes``: houses along the shores of lakes of all sizes, and villages behind them. ``stations``: flats round the
stations of some railways, the fewer the farther, and houses along the roads that lead there. Labels are as
frequent anywhere (``anywhere``), those of a lane whose people came at one age (``lane``), or couples have each
other's age, give or take one, and some of their children one of their own (``couples``).
"""

from __future__ import annotations

import _germans
import _near_kinds as near_kinds
import numpy as np

_COUNTS = ((500, 500, 50), (450, 500, 90), (350, 350, 40), (600, 400, 150), (250, 300, 60))
_LABELS = ("anywhere", "couples", "lane")
_SETS = ((20, 30), (10, 30), (30, 20), (15, 15))
_SIDE = 90_000.0


def _labelled(label: str, points: np.ndarray, rng: np.random.Generator) -> list:
    """Sex and one of eleven ages; who lives together is moved to one door."""
    people = [(sex, int(age)) for sex, age in _germans.people(len(points), rng)]
    if label == "couples":
        share = rng.uniform(0.1, 0.5)
        for one in np.flatnonzero(rng.random(len(points)) < share).tolist():
            other = int(rng.integers(len(points)))
            points[one] = points[other] + rng.normal(0, 4.0, 2)
            sex = people[one][0] if rng.random() < 0.3 else "fm"[people[other][0] == "f"]
            people[one] = sex, people[other][1] + int(rng.integers(-1, 2))
    if label == "lane":
        lane = np.unique(np.floor(points / 400.0), axis=0, return_inverse=True)[1].ravel()
        usual, same = rng.integers(0, 11, lane.max() + 1), rng.random(len(points)) < 0.4
        people = [(s, int(usual[at])) if o else (s, a) for (s, a), at, o in zip(people, lane, same)]
    return people


def _lakes(count: int, rng: np.random.Generator) -> np.ndarray:
    number = int(rng.integers(6, 30))
    middle = rng.uniform(0.05 * _SIDE, 0.95 * _SIDE, (number, 2))
    wide = np.exp(rng.uniform(np.log(200), np.log(4_000), number))
    lake = rng.choice(number, count, p=wide / wide.sum())
    angle = rng.vonmises(rng.uniform(0, 6.3, number)[lake], 0.7)
    shore = wide[lake] * (1 + 0.2 * np.sin(3 * angle + lake)) + rng.exponential(60.0, count)
    behind = rng.random(count) < rng.uniform(0.1, 0.5)
    shore[behind] = (1.3 * wide[lake] + rng.normal(600.0, 150.0, count))[behind]
    angle[behind] = np.round(angle[behind] * 2) / 2 + rng.normal(0, 0.05, int(behind.sum()))
    places = middle[lake] + shore[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.clip(places, 0, _SIDE)


def _stations(count: int, rng: np.random.Generator) -> np.ndarray:
    lines = int(rng.integers(2, 7))
    ends = rng.uniform(0, _SIDE, (lines, 2))
    line, stop = rng.integers(0, lines, count), rng.beta(1.5, 1.0, count)
    stop = np.round(stop * 12) / 12
    station = ends[line] + stop[:, None] * (_SIDE / 2 - ends[line])
    far = rng.exponential(float(rng.uniform(150, 900)), count) * (1 + 2 * stop)
    angle = rng.uniform(0, 2 * np.pi, count)
    road = rng.random(count) < 0.4
    angle[road] = (np.round(angle[road] * 5 / (2 * np.pi)) + 0.3 * line[road]) * 2 * np.pi / 5
    far = np.where(road, 3.0, 1.0) * far
    places = station + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.clip(places + rng.normal(0, 8.0, (count, 2)), 0, _SIDE)


_PLACES = {"lakes": _lakes, "stations": _stations}
SETTLED = near_kinds.Settled(_PLACES, _labelled, _COUNTS, _LABELS, _SETS, _SIDE, first=15_000_000)
