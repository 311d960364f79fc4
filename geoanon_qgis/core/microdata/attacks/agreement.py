# SPDX-License-Identifier: GPL-2.0-or-later
"""How much it tells that a record agrees with a person in a field, learnt without any truth.

Fellegi and Sunter (1969), A theory for record linkage, *Journal of the American Statistical
Association* 64, 1183-1210: the logarithm of how much more often true pairs agree so well than others
do. How often true pairs do is learnt from all pairs by expectation and maximisation (Winkler, 1988),
with one record at most for each person. A field that was swapped then counts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, shares, silent
from .table import Tables, answers, is_number

#: Shares of the people with a value as near as that, between which numbers agree alike well.
_EDGES = (0.0, 0.002, 0.01, 0.05, 0.2)
#: The same of distances from home, in units of that of the n-th nearest other person.
_ORDERS = (1, 2, 4, 8, 16, 32, 64, 128)
_PARTS = (0.001, 0.05, 0.5)
#: Rounds of learning, and pairs that its beginning is worth.
_ROUNDS, _PRIOR = 12, 2.0
#: People who are compared with their records at a time.
_AT_ONCE = 500
#: What a record weighs that cannot be of a home.
NEVER = -30.0


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

    def weights(self, unit: int, often: np.ndarray) -> np.ndarray:
        """Return what agreement by band weighs for each person in a unit, ``(s, b + 1)``.

        The last is 0, for where nobody can say.
        """
        each = np.log(np.maximum(often, 1e-9) / np.maximum(self.chance[unit], 1e-9))
        return np.concatenate([each, np.zeros((len(each), 1))], axis=1).astype(np.float32)

    def weigh(self, unit: int, weights: np.ndarray, rows: slice = slice(None)) -> np.ndarray:
        """Return what agreement in a unit weighs for some people, ``(s, c)``."""
        bands = np.minimum(self.bands[unit][rows], weights.shape[1] - 1)
        return np.take_along_axis(weights[rows], bands.astype(np.intp), axis=1)


def agree_in(
    tables: Tables,
    units: Sequence[Sequence],
    people: np.ndarray,
    pool: np.ndarray,
    records: np.ndarray,
    place: np.ndarray | None,
    progress: Progress = silent,
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
    for unit, ahead in zip(units, shares(progress, len(units))):
        kind = _near if len(unit) > 1 else _close if is_number(unit[0]) else _equal
        band_of, often = interruptible(partial(kind, tables, unit, people, pool), ahead)
        band = np.empty(records.shape, dtype=np.uint8)
        for rows in chunks(len(people), _AT_ONCE, ahead):
            some = records[rows]
            band[rows] = np.where(some < 0, 255, band_of(rows, np.maximum(some, 0)))
        bands.append(band)
        chance.append(often)
    return Pairs(records, bands, chance, place, len(pool))


#: Bands of some people beside some records each; and how often a random record has each band.
_Bands = tuple[Callable[[slice, np.ndarray], np.ndarray], np.ndarray]


def _equal(tables: Tables, unit, people, pool) -> _Bands:
    variable = unit[0]
    background = answers(variable, tables.original)
    values, count = np.unique(background, return_counts=True)
    mine, theirs = answers(variable, people), answers(variable, pool)
    found = np.minimum(np.searchsorted(values, mine), len(values) - 1)
    share = np.where(values[found] == mine, count[found], 1) / (len(background) + 1)

    def band_of(rows: slice, at: np.ndarray) -> np.ndarray:
        return (theirs[at] != mine[rows, None]).astype(np.uint8)

    return band_of, np.stack([share, 1 - share], axis=1)


def _close(tables: Tables, unit, people, pool) -> _Bands:
    variable = unit[0]
    background = np.sort(answers(variable, tables.original))
    background = background[~np.isnan(background)]
    mine, theirs = answers(variable, people), answers(variable, pool)
    count = len(background) + 1
    edges = np.array(_EDGES[1:])

    def band_of(rows: slice, at: np.ndarray) -> np.ndarray:
        asked = mine[rows, None]
        gap = np.abs(theirs[at] - asked)
        # How many people have a value as near as that.
        low = np.searchsorted(background, asked - gap, "left")
        high = np.searchsorted(background, asked + gap, "right")
        band = np.searchsorted(edges, (high - low) / count).astype(np.uint8) + 1
        band[gap <= 1e-9] = 0
        band[np.isnan(gap)] = 255
        return band

    own = (np.searchsorted(background, mine, "right") - np.searchsorted(background, mine)) / count
    own = np.maximum(own, 1 / count)
    ends = np.maximum(np.append(edges, 1.0)[None, :], own[:, None])
    often = np.diff(np.concatenate([own[:, None], ends], axis=1), axis=1)
    return band_of, np.maximum(np.concatenate([own[:, None], often], axis=1), 1e-6)


def _near(tables: Tables, unit, people, pool) -> _Bands:
    from ...space.points import build_tree

    homes, points, others = (places_of(unit, one) for one in (people, pool, tables.original))
    count = len(others)
    orders = np.array([one for one in _ORDERS if one < count])
    # A person of the file is her own nearest one.
    radii = build_tree(others).query(homes, k=orders + 1)[0].reshape(len(homes), -1)
    edges = np.concatenate([radii[:, :1] * np.array(_PARTS), radii], axis=1)

    def band_of(rows: slice, at: np.ndarray) -> np.ndarray:
        away = np.hypot(*np.moveaxis(points[at] - homes[rows, None], -1, 0))
        return (away[:, :, None] > edges[rows, None, :]).sum(axis=2, dtype=np.uint8)

    within = np.concatenate([np.array(_PARTS) ** 2 * orders[0], orders, [count]]) / count
    often = np.diff(np.append(0.0, within))
    return band_of, np.broadcast_to(often, (len(homes), len(often)))


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
        total += np.maximum(pairs.place, NEVER)
    for at in units:
        total += pairs.weigh(at, pairs.weights(at, often[at]))
    return np.where(pairs.records >= 0, total, np.float32(-np.inf))
