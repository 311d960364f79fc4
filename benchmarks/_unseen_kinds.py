# SPDX-License-Identifier: GPL-2.0-or-later
"""Ten kinds of files that no curve was fitted to: confidences are held against them.

``KINDS`` showed how the near group was too sure in 36 draws, which was mended: people along branching
rivers, in blocks of flats, in oases and between them, in rows of terraced houses, and in two cities with
other people in each. ``LAST`` was drawn after that, when nothing was changed any more: market towns of
three sizes, towers on a grid of avenues, tents in rows, villages on one road, and a harbour with suburbs.
Labels may be as frequent anywhere, go with places by a slope, belong to households, or to a city.
"""

from __future__ import annotations

from dataclasses import replace

import _germans
import _near_kinds as near_kinds
import _noisy_kinds as noisy_kinds
import numpy as np

KINDS = ("rivers", "flats", "oases", "terraces", "two cities")
LAST = ("markets", "towers", "tents", "ribbon", "harbour")
_COUNTS = ((500, 500, 50), (450, 550, 110), (300, 400, 30), (400, 400, 200), (250, 250, 25))
_LABELS = ("anywhere", "slope", "anywhere", "households", "city")
_SETS = ((20, 30), (10, 30), (25, 20))
_SIDE = 120_000.0
#: First seeds of the files.
_FIRST, _FIRST_OF_LAST = 3_000_000, 6_000_000


def unseen(number: int, last: bool = True) -> near_kinds.Case:
    """Draw files of one kind after the other, released one way after the other."""
    way, turn = noisy_kinds.WAYS[number % len(noisy_kinds.WAYS)], number // len(noisy_kinds.WAYS)
    case = plain(_FIRST_OF_LAST + turn, LAST) if last else plain(_FIRST + turn)
    rng = np.random.default_rng([number, 91])
    return replace(case, rule=noisy_kinds.rule_of(way, case, rng))


def plain(seed: int, kinds: tuple[str, ...] = KINDS) -> near_kinds.Case:
    """The same, embedded without noise."""
    rng = np.random.default_rng([seed, 90])
    kind = kinds[seed % len(kinds)]
    turn = seed // len(KINDS)
    count = _COUNTS[turn % len(_COUNTS)]
    label = _LABELS[int(rng.integers(len(_LABELS)))]
    total = count[0] + count[1] - count[2]
    points = _MADE[kind](total, rng)
    people = _labelled(label, points, rng)
    return near_kinds.embedded(kind, _SIDE, points, people, count, _SETS, rng)


def _labelled(label: str, points: np.ndarray, rng: np.random.Generator) -> list:
    people = _germans.people(len(points), rng)
    if label == "anywhere":
        return people
    if label == "slope":  # the older the farther north-east, more or less
        old = (points.sum(axis=1) / _SIDE + rng.normal(0, 0.35, len(points))) * 5
        return [(sex, int(round(one))) for (sex, _), one in zip(people, old.tolist())]
    if label == "households":  # a third have the label of who lives nearest
        gaps = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
        np.fill_diagonal(gaps, np.inf)
        near, same = gaps.argmin(axis=1), rng.random(len(points)) < 0.33
        return [people[other] if one else own for own, other, one in zip(people, near, same)]
    west = points[:, 0] < _SIDE / 2
    shift = np.where(west, 0, 6)
    return [(sex, (age + int(more)) % 14) for (sex, age), more in zip(people, shift)]


def _rivers(count: int, rng: np.random.Generator) -> np.ndarray:
    """Within some hundred metres of rivers that run together."""
    banks, ends = [], [np.array([_SIDE / 2, 0.0])]
    for _ in range(int(rng.integers(5, 10))):
        start = ends[int(rng.integers(len(ends)))]
        turns = np.cumsum(rng.normal(0, 0.25, 120)) + rng.uniform(0.2, np.pi - 0.2)
        line = start + np.cumsum(600.0 * np.stack([np.cos(turns), np.sin(turns)], axis=1), axis=0)
        banks.append(line)
        ends.append(line[int(rng.integers(20, 120))])
    line = np.concatenate(banks)
    busy = rng.gamma(0.4, size=len(line))
    at = rng.choice(len(line), count, p=busy / busy.sum())
    places = line[at] + rng.normal(0, 350, (count, 2))
    return np.clip(places, 0, _SIDE)


def _flats(count: int, rng: np.random.Generator) -> np.ndarray:
    """Houses of many flats, thirty metres long, in quarters with parks between them."""
    quarters = rng.uniform(0.3 * _SIDE, 0.7 * _SIDE, (int(rng.integers(6, 20)), 2))
    houses = quarters[rng.integers(0, len(quarters), count // 4)]
    houses = houses + rng.normal(0, 1_200, houses.shape)
    size = rng.gamma(0.8, size=len(houses)) + 0.05
    at = rng.choice(len(houses), count, p=size / size.sum())
    return houses[at] + rng.uniform(-15, 15, (count, 2))


def _oases(count: int, rng: np.random.Generator) -> np.ndarray:
    """In a few places of very different sizes, and some along the tracks between them."""
    middle = rng.uniform(0.05 * _SIDE, 0.95 * _SIDE, (int(rng.integers(4, 12)), 2))
    size = rng.pareto(1.0, len(middle)) + 0.1
    at = rng.choice(len(middle), count, p=size / size.sum())
    places = middle[at] + rng.standard_t(2.5, (count, 2)) * 500 * np.sqrt(size[at])[:, None]
    far = rng.random(count) < rng.uniform(0.02, 0.25)
    other = middle[rng.integers(0, len(middle), count)]
    way = rng.random((count, 1))
    track = middle[at] + way * (other - middle[at]) + rng.normal(0, 200, (count, 2))
    return np.clip(np.where(far[:, None], track, places), 0, _SIDE)


def _terraces(count: int, rng: np.random.Generator) -> np.ndarray:
    """Every seven metres along rows of houses that bend round hills."""
    hills = rng.uniform(0.1 * _SIDE, 0.9 * _SIDE, (int(rng.integers(3, 9)), 2))
    rows = int(rng.integers(40, 160))
    hill, wide = rng.integers(0, len(hills), rows), 60.0 * rng.integers(8, 60, rows)
    begin, houses = rng.uniform(0, 2 * np.pi, rows), rng.integers(10, 90, rows)
    row = rng.choice(rows, count, p=houses / houses.sum())
    angle = begin[row] + 7.0 * np.floor(rng.random(count) * houses[row]) / wide[row]
    way = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return hills[hill[row]] + wide[row][:, None] * way + rng.uniform(-1, 1, (count, 2))


def _two_cities(count: int, rng: np.random.Generator) -> np.ndarray:
    """Round two middles, one steeper than the other, and anywhere."""
    middle = np.array([[0.25, 0.5], [0.75, 0.5]]) * _SIDE
    city = (rng.random(count) < rng.uniform(0.3, 0.7)).astype(int)
    wide = np.exp(rng.uniform(np.log(1_500), np.log(9_000), 2))
    angle = rng.uniform(0, 2 * np.pi, count)
    far = rng.gamma(1.3, wide[city])
    places = middle[city] + far[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    anywhere = rng.random(count) < 0.15
    places[anywhere] = rng.uniform(0, _SIDE, (int(anywhere.sum()), 2))
    return np.clip(places, 0, _SIDE)


def _markets(count: int, rng: np.random.Generator) -> np.ndarray:
    """Towns on a hexagonal grid, every third larger and every ninth much larger, farms between them."""
    apart = float(rng.uniform(8_000, 18_000))
    row, column = np.divmod(np.arange(400), 20)
    middle = apart * np.stack([column + 0.5 * (row % 2), row * np.sqrt(0.75)], axis=1)
    rank = (row + 2 * column) % 9
    size = np.where(rank == 0, 9.0, np.where(rank % 3 == 0, 3.0, 1.0))
    inside = (middle < _SIDE).all(axis=1)
    middle, size = middle[inside], size[inside]
    at = rng.choice(len(middle), count, p=size / size.sum())
    wide = np.where(rng.random(count) < 0.3, 0.3 * apart, 300.0 * np.sqrt(size[at]))
    return np.clip(middle[at] + rng.normal(size=(count, 2)) * wide[:, None], 0, _SIDE)


def _towers(count: int, rng: np.random.Generator) -> np.ndarray:
    """Towers at the crossings of avenues, most people in few of them."""
    corner = rng.uniform(0.2 * _SIDE, 0.6 * _SIDE, 2)
    across, down = (int(one) for one in rng.integers(12, 40, 2))
    busy = rng.pareto(1.3, (across, down)) + 0.1
    at = rng.choice(across * down, count, p=(busy / busy.sum()).ravel())
    tower = np.stack(np.divmod(at, down), axis=1)
    return corner + tower * np.array([280.0, 90.0]) + rng.uniform(-12, 12, (count, 2))


def _tents(count: int, rng: np.random.Generator) -> np.ndarray:
    """Tents every twelve metres in rows, in camps of some hundred."""
    camps = rng.uniform(0.05 * _SIDE, 0.95 * _SIDE, (int(rng.integers(8, 40)), 2))
    camp = rng.integers(0, len(camps), count)
    place = rng.integers(0, 30, (count, 2)) * np.array([12.0, 20.0])
    return camps[camp] + place + rng.uniform(-2, 2, (count, 2))


def _ribbon(count: int, rng: np.random.Generator) -> np.ndarray:
    """Villages on one long road that winds, and lanes off it."""
    way = np.linspace(0, 1, 400)
    bent = np.cumsum(rng.normal(0, 1, 400))
    road = np.stack([way, 0.5 + 0.3 * bent / np.abs(bent).max()], axis=1) * _SIDE
    village = rng.integers(0, 400, int(rng.integers(15, 60)))
    at = np.clip(rng.choice(village, count) + rng.normal(0, 1.5, count), 0, 398.9)
    low = at.astype(int)
    places = road[low] + (at - low)[:, None] * (road[low + 1] - road[low])
    lane = rng.exponential(120.0, count) * rng.choice([-1, 1], count)
    return np.clip(places + np.stack([rng.normal(0, 15, count), lane], axis=1), 0, _SIDE)


def _harbour(count: int, rng: np.random.Generator) -> np.ndarray:
    """Half a city round a harbour, the denser the nearer, and suburbs at the ends of railways."""
    angle = rng.uniform(0, np.pi, count)
    far = rng.weibull(float(rng.uniform(0.8, 1.6)), count) * float(rng.uniform(4_000, 15_000))
    ends = rng.uniform(0.1, 0.9, int(rng.integers(3, 9))) * np.pi
    suburb = rng.random(count) < 0.35
    angle[suburb] = rng.choice(ends, int(suburb.sum())) + rng.normal(0, 0.03, int(suburb.sum()))
    far[suburb] = rng.normal(25_000, 2_500, int(suburb.sum()))
    places = np.stack([np.cos(angle), np.sin(angle)], axis=1) * far[:, None]
    return np.clip(places + np.array([_SIDE / 2, 100.0]), 0, _SIDE)


_MADE = {
    "rivers": _rivers,
    "flats": _flats,
    "oases": _oases,
    "terraces": _terraces,
    "two cities": _two_cities,
    "markets": _markets,
    "towers": _towers,
    "tents": _tents,
    "ribbon": _ribbon,
    "harbour": _harbour,
}
