# SPDX-License-Identifier: GPL-2.0-or-later
"""Twenty-five kinds of files that the near group's confidence is fitted to.

With many settings: Germans, made-up towns of all sizes, people spread evenly, people of
whom a third share an address, towns where most people of a ward have its label, and six provinces of
Canada. With the benchmarks' settings and with others: ``_near_files.KEPT_ASIDE``, which all else about
the attacks has not seen, the hospitals of the papers, one more province and people along roads. With
other numbers of people, settings and labels again: the addresses of Soho, all of Canada, its far north
with its island province, and people along a coast, round a metropolis and in many villages of one size.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import _germans
import _near_files as near_files
import numpy as np
from _soho import soho

sys.path.insert(0, str(Path(__file__).resolve().parent / "papers"))
from kroll_near_group import files_of

from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.space.metrics import metric_for

PROVINCES = (
    "Quebec",
    "Alberta",
    "British Columbia",
    "Manitoba",
    "Saskatchewan",
    "New Brunswick",
)
MADE_UP = ("towns", "grid", "families", "wards")
FITTED = ("germans", *MADE_UP, *PROVINCES)
FITTED_TOO = (*near_files.KEPT_ASIDE, "hospitals", "roads", "Newfoundland and Labrador")
NORTH = ("Prince Edward Island", "Northwest Territories", "Yukon", "Nunavut")
FURTHER = ("Soho", "Canada", "north", "coast", "metropolis", "villages")
#: Those that are large enough for files of which much is shared.
SHARED = (
    "germans",
    *MADE_UP,
    *PROVINCES,
    "valley",
    "uniform",
    "Ontario",
    "dwellings",
    "roads",
    "Soho",
    "Canada",
    "coast",
    "metropolis",
    "villages",
)
_SIDE = 200_000.0


@dataclass(frozen=True)
class Case:
    """Files and how they are released."""

    kind: str
    files: near_files.Files
    rule: LipschitzEmbedding


def fitted(seed: int) -> Case:
    """One of the kinds that are fitted to; every third is of Germans, and more of them."""
    rng = np.random.default_rng([seed, 77])
    kind = FITTED[seed % len(FITTED)] if seed % 3 else "germans"
    sets = [(20, 30)] * 4 + [(10, 30)] * 4
    sets += [(20, 10), (20, 20), (60, 30), (5, 30), (30, 60), (10, 15)]
    count = [(500, 500, 50)] * 5 + [(300, 300, 60), (200, 200, 45), (400, 800, 50)]
    count += [(800, 300, 60), (400, 400, 150), (600, 600, 30)]
    return _case(kind, rng, sets, count, ["all"] * 5 + ["three", "fine"], seed)


def small(seed: int) -> Case:
    """Made-up towns with a few people, many of them in both files, and labels that are as frequent."""
    rng = np.random.default_rng([seed, 79])
    number = [(40, 40, 24), (60, 60, 30), (100, 100, 40), (150, 150, 75), (200, 200, 50)]
    released, known, common = number[rng.integers(len(number))]
    size = [(20, 10), (15, 8), (10, 10), (10, 30), (20, 30), (10, 60)][rng.integers(6)]
    where = _made_up(("towns", "wards")[seed % 2], rng)
    points = where.addresses(released + known - common, rng)
    people = rng.integers(0, int(rng.integers(4, 16)), len(points)).tolist()
    files = near_files.dealt(where, points, people, (released, known, common), rng)
    return Case("small", files, LipschitzEmbedding(*size, where.area, 0.9, 300))


def embedded(
    kind: str, side: float, points: np.ndarray, people: list, counts: tuple, ways: tuple, rng
) -> Case:
    """People of a square dealt out to two files, and embedded in one of these ways."""
    where = near_files.in_square(side, lambda *_: points)
    files = near_files.dealt(where, points, people, counts, rng)
    way = ways[int(rng.integers(len(ways)))]
    return Case(kind, files, LipschitzEmbedding(*way, where.area, 0.9, 300))


def fitted_too(seed: int, other: bool) -> Case:
    """One of eight more kinds, with other settings or with the benchmarks'."""
    rng = np.random.default_rng([seed, 78])
    kind = FITTED_TOO[seed % len(FITTED_TOO)]
    if not other:
        turn = (seed // len(FITTED_TOO)) % 2
        return _case(kind, rng, [((20, 30), (10, 30))[turn]], [(500, 500, 50)], ["all"], seed)
    sets = [(100, 30), (20, 50), (10, 50), (20, 5), (40, 20), (15, 25)]
    count = [(400, 400, 40), (500, 500, 25), (600, 400, 120), (250, 700, 60), (700, 250, 60)]
    return _case(kind, rng, sets, count, ["all"] * 3 + ["three", "fine"], seed)


def further(seed: int) -> Case:
    """One of six more kinds, with settings of their own."""
    rng = np.random.default_rng([seed, 80])
    kind = FURTHER[seed % len(FURTHER)]
    sets = [(20, 30), (10, 30), (30, 20), (12, 40), (50, 15), (8, 25)]
    count = [(500, 500, 50), (450, 350, 70), (550, 650, 35), (300, 500, 90)]
    if kind == "north":  # has 500 areas
        count = [(240, 240, 35), (200, 280, 50), (260, 200, 25)]
    return _case(kind, rng, sets, count, ["all"] * 3 + ["three", "fine", "wards"], seed)


def shared(seed: int) -> Case:
    """One of the kinds above, and files of which a fifth to three quarters are in both."""
    rng = np.random.default_rng([seed, 83])
    kind = SHARED[seed % len(SHARED)]
    sets = [(20, 30), (10, 30), (20, 15), (30, 40), (8, 20)]
    count = [(450, 450, 200), (400, 400, 300), (300, 600, 180), (600, 300, 150)]
    count += [(250, 250, 120), (200, 350, 60)]
    return _case(kind, rng, sets, count, ["all"] * 2 + ["three", "fine", "wards"], seed)


def _case(kind, rng, sets, count, labels, seed) -> Case:
    size = sets[rng.integers(len(sets))]
    number = count[rng.integers(len(count))]
    label = labels[rng.integers(len(labels))]
    if kind == "hospitals":
        files = files_of("hospitals", seed)
    else:
        where = where_of(kind, rng)
        files = files_in(where, number, label, "wards" in (kind, label), rng)
    return Case(kind, files, LipschitzEmbedding(*size, files.region.area, 0.9, 300))


@dataclass(frozen=True)
class Settled:
    """Kinds of files that differ in where people live.

    Attributes
    ----------
    places : dict
        How places are drawn, by kind: takes a number and a generator.
    labelled : callable
        Returns labels of people at places, whom it may move together.
    counts : tuple
        Numbers of released, known and in both, taken in turn.
    labels : tuple of str
        What ``labelled`` is told, taken in turn, each for so many files: ``turn``.
    sets : tuple
        Numbers of reference sets and their size.
    side : float
        Of the square, in metres.
    first : int
        First seed of the files.
    """

    places: dict[str, Callable[[int, np.random.Generator], np.ndarray]]
    labelled: Callable[[str, np.ndarray, np.random.Generator], list]
    counts: tuple[tuple[int, int, int], ...]
    labels: tuple[str, ...]
    sets: tuple[tuple[int, int], ...]
    side: float
    first: int
    turn: int = 1

    def case(self, number: int, kind: str) -> Case:
        """Draw files of a kind, with an embedding."""
        rng = np.random.default_rng([self.first + number, list(self.places).index(kind)])
        counts = self.counts[number % len(self.counts)]
        points = self.places[kind](counts[0] + counts[1] - counts[2], rng)
        points = np.clip(points, 0, self.side)
        people = self.labelled(self.labels[number // self.turn % len(self.labels)], points, rng)
        order = rng.permutation(len(points))
        points, people = points[order], [people[at] for at in order]
        return embedded(kind, self.side, points, people, counts, self.sets, rng)


def where_of(kind: str, rng: np.random.Generator) -> near_files.Region:
    if kind in MADE_UP:
        return _made_up(kind, rng)
    if kind == "Soho":
        return near_files.listed(soho(), metric_for("planar", None))
    if kind in ("Canada", "north"):
        return near_files.provinces(NORTH if kind == "north" else None)
    made = {"roads": _roads, "coast": _coast, "metropolis": _metropolis, "villages": _villages}
    return made[kind](rng) if kind in made else near_files.region(kind)


def files_in(where: near_files.Region, count, labels: str, wards: bool, rng) -> near_files.Files:
    released, known, common = count
    total = released + known - common
    points = where.addresses(total, rng)
    people: list = _germans.people(total, rng)
    if labels == "three":
        people = [(sex, age // 4) for sex, age in people]
    elif labels == "fine":
        people = [(*one, third) for one, third in zip(people, rng.integers(0, 3, total).tolist())]
    if wards:
        people = _of_wards(points, people, rng)
    return near_files.dealt(where, points, people, count, rng)


def _of_wards(points: np.ndarray, people: list, rng: np.random.Generator) -> list:
    """Give most people their ward for an age: who lives near the same of some people."""
    number, share = int(rng.integers(15, 60)), rng.uniform(0.4, 0.95)
    middle = points[rng.choice(len(points), number, replace=False)]
    ward = np.hypot(*(points[:, None] - middle).transpose(2, 0, 1)).argmin(axis=1)
    code = rng.integers(0, 25, number)[ward]
    own = rng.random(len(points)) < share
    return [(one[0], f"W{c}") if o else one for one, c, o in zip(people, code, own)]


def _roads(rng: np.random.Generator) -> near_files.Region:
    """People within a hundred metres of straight roads between some places."""
    number = int(rng.integers(6, 25))
    ends = rng.uniform(0.05 * _SIDE, 0.95 * _SIDE, (2, number, 2))
    busy = rng.gamma(0.7, size=number) + 0.05

    def along(count: int, rng) -> np.ndarray:
        road = rng.choice(number, count, p=busy / busy.sum())
        way = rng.beta(0.7, 0.7, (count, 1))
        places = ends[0, road] + way * (ends[1, road] - ends[0, road])
        return places + rng.uniform(-100, 100, (count, 2))

    return near_files.in_square(_SIDE, along)


def _coast(rng: np.random.Generator) -> near_files.Region:
    """People within some kilometres of a crooked coast, most of them in its ports."""
    line = np.zeros(2)
    for step in range(7):  # midpoints, moved
        bent = np.empty(2 * len(line) - 1)
        bent[::2] = line
        bent[1::2] = (line[1:] + line[:-1]) / 2
        line = bent
        line[1::2] += rng.normal(0, 30_000 / 2**step, len(line) // 2)
    ports, depth = rng.uniform(0, 1, 12), float(rng.uniform(1_000, 6_000))

    def along(count: int, rng) -> np.ndarray:
        way = np.where(
            rng.random(count) < 0.6,
            ports[rng.integers(0, 12, count)] + rng.normal(0, 0.012, count),
            rng.uniform(0, 1, count),
        ).clip(0, 1)
        y = np.interp(way, np.linspace(0, 1, len(line)), line) + rng.exponential(depth, count)
        return np.clip(np.stack([way * _SIDE, y + _SIDE / 2], axis=1), 0, _SIDE)

    return near_files.in_square(_SIDE, along)


def _metropolis(rng: np.random.Generator) -> near_files.Region:
    """People round one middle, the fewer the farther, along some arms more than between them."""
    arms, wide = int(rng.integers(3, 8)), float(rng.uniform(5_000, 16_000))

    def around(count: int, rng) -> np.ndarray:
        angle = rng.uniform(0, 2 * np.pi, count)
        far = rng.gamma(2.0, wide * (1 + 0.6 * np.cos(arms * angle)))
        places = _SIDE / 2 + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.clip(places, 0, _SIDE)

    return near_files.in_square(_SIDE, around)


def _villages(rng: np.random.Generator) -> near_files.Region:
    """People of many villages, all of one size, and nobody between them."""
    middle = rng.uniform(0.02 * _SIDE, 0.98 * _SIDE, (int(rng.integers(60, 250)), 2))
    wide = float(rng.uniform(150, 900))

    def inside(count: int, rng) -> np.ndarray:
        village = middle[rng.integers(0, len(middle), count)]
        return village + np.clip(rng.normal(0, wide, (count, 2)), -3_000, 3_000)

    return near_files.in_square(_SIDE, inside)


def _made_up(kind: str, rng: np.random.Generator) -> near_files.Region:
    number = int(rng.choice([3, 8, 20, 60]))
    spread = float(np.exp(rng.uniform(np.log(800), np.log(12_000))))
    share = rng.uniform(0.2, 0.95)
    centres = rng.uniform(0.05 * _SIDE, 0.95 * _SIDE, (number, 2))
    size = rng.pareto(1.2, number) + 0.2

    def even(count: int, rng) -> np.ndarray:
        side = int(np.ceil(np.sqrt(1.5 * count)))
        cells = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2)
        places = (cells + 0.5 + rng.uniform(-0.35, 0.35, cells.shape)) / side * _SIDE
        return places[rng.permutation(len(places))[:count]]

    def towns(count: int, rng) -> np.ndarray:
        town = rng.choice(number, count, p=size / size.sum())
        wide = spread * np.sqrt(size[town] / size.mean())
        places = centres[town] + rng.normal(size=(count, 2)) * wide[:, None]
        far = rng.random(count) > share
        places[far] = rng.uniform(0, _SIDE, (int(far.sum()), 2))
        places = np.clip(places, 0, _SIDE)
        if kind == "families":
            who = np.flatnonzero(rng.random(count) < 0.3)
            places[who] = places[rng.integers(0, count, len(who))]
        return places

    addresses = even if kind == "grid" else towns
    return near_files.in_square(_SIDE, addresses)
