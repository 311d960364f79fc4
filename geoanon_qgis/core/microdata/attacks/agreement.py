# SPDX-License-Identifier: GPL-2.0-or-later
"""How much it tells that a record agrees with a person in a field, learnt without any truth.

Fellegi and Sunter (1969), A theory for record linkage, *Journal of the American Statistical
Association* 64, 1183-1210: the logarithm of how much more often true pairs agree so well than others
do. How often true pairs do is learnt from all pairs by expectation and maximisation (Winkler, 1988),
with one record at most for each person. A field that was swapped then counts nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, shares, silent
from .table import Tables, answers, is_number

#: Shares of the people with a value as near as that, between which numbers agree alike well.
_EDGES = (0.0, 0.002, 0.01, 0.05, 0.2)
#: The same of distances from home, in units of that of the n-th nearest other person.
_ORDERS = (1, 2, 4, 8, 16, 32, 64, 128)
_PARTS = (0.001, 0.05, 0.5)
#: Rounds of learning, and pairs that its beginning is worth.
_ROUNDS, _PRIOR = 12, 2.0
#: What a record weighs that cannot be of a home.
_NEVER = -30.0


@dataclass(frozen=True)
class Pairs:
    """People, and the records that may be theirs.

    Attributes
    ----------
    records : (s, c) int array
        Rows of the pool for each person; -1 for none.
    bands : sequence of (s, c) uint8 arrays
        How well each agrees, for each unit; 255 where nobody can say.
    chance : sequence of (s, b) arrays
        How often a random record agrees with a person by band, for each unit.
    place : (s, c) array or None
        Logarithm of how much better the person's home explains the record's point than anybody's
        does, by the law of a mask.
    count : int
        Number of all records.
    """

    records: np.ndarray
    bands: Sequence[np.ndarray]
    chance: Sequence[np.ndarray]
    place: np.ndarray | None
    count: int

    def some(self, rows: np.ndarray) -> Pairs:
        """Return the same of some people."""
        return Pairs(
            self.records[rows],
            [one[rows] for one in self.bands],
            [one[rows] for one in self.chance],
            None if self.place is None else self.place[rows],
            self.count,
        )

    def weigh(self, unit: int, often: np.ndarray) -> np.ndarray:
        """Return what agreement in a unit weighs, ``(s, c)``; 0 where nobody can say."""
        each = np.log(np.maximum(often, 1e-9) / np.maximum(self.chance[unit], 1e-9))
        each = np.concatenate([each, np.zeros((len(each), 1))], axis=1).astype(np.float32)
        bands = np.minimum(self.bands[unit], often.shape[-1])
        return np.take_along_axis(each, bands.astype(np.intp), axis=1)


def agree_in(
    tables: Tables,
    units: Sequence[Sequence],
    people: np.ndarray,
    pool: np.ndarray,
    records: np.ndarray,
    place: np.ndarray | None,
) -> Pairs:
    """Say how well records agree with people in each unit.

    Parameters
    ----------
    tables : Tables
    units : sequence of sequences of Variable
        Two are a place.
    people, pool : (s, m), (p, m) arrays
    records : (s, c) int array
        Rows of the pool; -1 for none.
    place : (s, c) array or None
        What a mask says of the place, which then is none of the units.
    """
    bands, chance = [], []
    at = np.maximum(records, 0)
    for unit in units:
        if len(unit) > 1:
            band, often = _near(tables, unit, people, pool, at)
        elif is_number(unit[0]):
            band, often = _close(tables, unit[0], people, pool, at)
        else:
            band, often = _equal(tables, unit[0], people, pool, at)
        band[records < 0] = 255
        bands.append(band)
        chance.append(often)
    return Pairs(records, bands, chance, place, len(pool))


def _equal(tables: Tables, variable, people, pool, at) -> tuple[np.ndarray, np.ndarray]:
    background = answers(variable, tables.original)
    values, count = np.unique(background, return_counts=True)
    mine, theirs = answers(variable, people), answers(variable, pool)
    found = np.minimum(np.searchsorted(values, mine), len(values) - 1)
    share = np.where(values[found] == mine, count[found], 1) / (len(background) + 1)
    band = (theirs[at] != mine[:, None]).astype(np.uint8)
    return band, np.stack([share, 1 - share], axis=1)


def _close(tables: Tables, variable, people, pool, at) -> tuple[np.ndarray, np.ndarray]:
    background = np.sort(answers(variable, tables.original))
    background = background[~np.isnan(background)]
    mine, theirs = answers(variable, people), answers(variable, pool)
    count = len(background) + 1
    gap = np.abs(theirs[at] - mine[:, None])
    # How many people have a value as near as that.
    low = np.searchsorted(background, mine[:, None] - gap, "left")
    high = np.searchsorted(background, mine[:, None] + gap, "right")
    share = (high - low) / count
    own = (np.searchsorted(background, mine, "right") - np.searchsorted(background, mine)) / count
    edges = np.array(_EDGES[1:])
    band = np.searchsorted(edges, share).astype(np.uint8) + 1
    band[gap <= 1e-9] = 0
    band[np.isnan(gap)] = 255
    own = np.maximum(own, 1 / count)
    ends = np.maximum(np.append(edges, 1.0)[None, :], own[:, None])
    often = np.diff(np.concatenate([own[:, None], ends], axis=1), axis=1)
    return band, np.maximum(np.concatenate([own[:, None], often], axis=1), 1e-6)


def _near(tables: Tables, unit, people, pool, at) -> tuple[np.ndarray, np.ndarray]:
    from ...space.points import build_tree

    homes, points, others = (places_of(unit, one) for one in (people, pool, tables.original))
    count = len(others)
    orders = np.array([one for one in _ORDERS if one < count])
    # A person of the file is her own nearest one.
    radii = build_tree(others).query(homes, k=orders + 1)[0].reshape(len(homes), -1)
    away = np.hypot(*np.moveaxis(points[at] - homes[:, None], -1, 0))
    edges = np.concatenate([radii[:, :1] * np.array(_PARTS), radii], axis=1)
    band = (away[:, :, None] > edges[:, None, :]).sum(axis=2, dtype=np.uint8)
    within = np.concatenate([np.array(_PARTS) ** 2 * orders[0], orders, [count]]) / count
    often = np.diff(np.append(0.0, within))
    return band, np.broadcast_to(often, (len(homes), len(often)))


def places_of(unit: Sequence, matrix: np.ndarray) -> np.ndarray:
    """Return the places of coded records in the plane, ``(n, 2)``."""
    return np.stack([one.natural(matrix[:, one.columns.start]) for one in unit], axis=1)


def learn(pairs: Pairs, progress: Progress = silent) -> list[np.ndarray]:
    """Learn how often true pairs agree by band, for each unit.

    Returns
    -------
    list of (b,) arrays
        Of the better of two beginnings: only the place is true; all of it is.
    """
    units = range(len(pairs.bands))
    usual = [one.mean(axis=0) / one.mean(axis=0).sum() for one in pairs.chance]
    keen = []
    for at in units:
        first = np.full(len(usual[at]), 0.1 / max(len(usual[at]) - 1, 1))
        first[0] = 0.9
        if len(first) > 2:
            first = 0.5 ** np.arange(len(first))
        keen.append(first / first.sum())
    places = [at for at in units if len(usual[at]) > len(_EDGES) + 1]
    begun = [[keen[at] if at in places else usual[at] for at in units], keen]
    made = [
        _learnt(pairs, some, usual, ahead)
        for some, ahead in zip(begun, shares(progress, len(begun)))
    ]
    return max(made, key=lambda one: one[0])[1]


def _learnt(pairs: Pairs, often, usual, progress: Progress) -> tuple[float, list[np.ndarray]]:
    there, total = pairs.records >= 0, 0.0
    inside = 0.8
    for turn in range(_ROUNDS):
        weight = sum_of(pairs, often, range(len(often)))
        top = np.maximum(weight.max(axis=1, initial=0.0), 0.0)[:, None]
        odds = np.where(there, np.exp(weight - top), 0.0) * inside / pairs.count
        none = (1 - inside) * np.exp(-top[:, 0])
        whole = odds.sum(axis=1) + none
        total = float((np.log(whole) + top[:, 0]).sum())
        belief = odds / whole[:, None]
        inside = float(np.clip(belief.sum() / len(belief), 0.01, 0.99))
        often = [
            _shares(pairs.bands[at], belief, len(usual[at]), usual[at]) for at in range(len(often))
        ]
        progress(turn / _ROUNDS)
    return total, often


def _shares(band: np.ndarray, belief: np.ndarray, count: int, usual: np.ndarray) -> np.ndarray:
    known = band < count
    found = np.bincount(band[known], belief[known], count) + _PRIOR * usual
    return found / found.sum()


def sum_of(pairs: Pairs, often: Sequence[np.ndarray], units, place: bool = True) -> np.ndarray:
    """Return what all agreement of some units weighs together, ``(s, c)``; none where no record is."""
    total = np.zeros(pairs.records.shape, dtype=np.float32)
    if place and pairs.place is not None:
        total += np.maximum(pairs.place, _NEVER)
    for at in units:
        total += pairs.weigh(at, often[at])
    return np.where(pairs.records >= 0, total, np.float32(-np.inf))
