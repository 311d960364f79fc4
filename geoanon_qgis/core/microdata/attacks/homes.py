# SPDX-License-Identifier: GPL-2.0-or-later
"""People, and the records whose points tell most of their homes: by a mask's law, or by nearness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...runtime.progress import Progress, interruptible, part
from ..people import People
from .agreement import Pairs, agree_in, places_of
from .table import Tables, sample

#: Records that are weighed for each person at most, those whose points tell most.
RECORDS = 200


class Explaining(Protocol):
    """How much better homes explain records than anybody's does, row by row; of a posterior attack.

    Attributes
    ----------
    first : (n + 1,) int array
        Where the pairs of each home start.
    candidate, value : (p,) arrays
        A record, and f(y | x) / g(y).
    """

    first: np.ndarray
    candidate: np.ndarray
    value: np.ndarray

    @property
    def point(self) -> np.ndarray:
        """The home of each pair."""

    def taken(self, rows: np.ndarray) -> Explaining:
        """Return the same of some homes."""


@dataclass(frozen=True)
class Homes:
    """How much better homes explain released points than anybody's does, by the law of a mask.

    Attributes
    ----------
    own : Explaining
        Of each original, beside the released records.
    control : Explaining
        The same for people of the reference; without one, of originals beside the other originals,
        as if these lived where records are released.
    lost : float
        Share of the originals whose home is not known, so that fields and nearness weigh their
        records; see :attr:`.scoring.Attack.unseen`.
    """

    own: Explaining
    control: Explaining
    lost: float = 0.0


def pairs_of(
    tables: Tables,
    units: list[Sequence],
    homes: Homes | None,
    people: np.ndarray | None,
    others: np.ndarray | None,
    progress: Progress,
) -> Pairs:
    """Pair people of the file, or of the control, with the records whose points tell most of them."""
    own, pool = None, tables.released
    asked, rows = tables.original, people
    if rows is None:
        assert others is not None
        rows = others
        if tables.reference is not None:
            asked = tables.reference
        else:
            own, pool = rows, tables.original
    place = tables.named(tables.place)
    whose = tables.whose
    near = interruptible(lambda: _nearest(place, asked[rows], pool, own, whose), progress, 0.2)
    weight = None
    if homes is not None:
        near, weight = _likeliest(
            homes.own if people is not None else homes.control, rows, near, own, whose
        )
    return agree_in(tables, units, asked[rows], pool, near, weight, part(progress, 0.3, 1.0))


def known_rows(
    matrix: np.ndarray, whose: People | None, known: int | None, cap: int, seed: int
) -> np.ndarray:
    """Rows of people who are looked up: all, or a sample."""
    if whose is None:
        return sample(len(matrix), cap, seed)
    most = max(1, cap // (whose.usual if known is None else known))
    return whose.rows(sample(whose.count, most, seed), known)[:cap]


def _without_own(records: np.ndarray, own: np.ndarray, whose: People | None) -> np.ndarray:
    """Records that are not the person's own; -1 for those."""
    if whose is None:
        return np.where(records == own[:, None], -1, records)
    return np.where(whose.of[records] == whose.of[own][:, None], -1, records)


def _nearest(
    place,
    people: np.ndarray,
    pool: np.ndarray,
    own: np.ndarray | None,
    whose: People | None = None,
) -> np.ndarray:
    """Records nearest to each home, other than the person's own, ``(s, c)``."""
    from ...space.points import build_tree

    mine = 0 if own is None else 1 if whose is None else int(whose.each.max())
    count = min(RECORDS + mine, len(pool))
    tree = build_tree(places_of(place, pool))
    near = tree.query(places_of(place, people), k=count)[1].reshape(len(people), -1)
    return near if own is None else _without_own(near, own, whose)


def _likeliest(
    homes: Explaining,
    rows: np.ndarray,
    near: np.ndarray,
    own: np.ndarray | None,
    whose: People | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Records that homes explain best, and the logarithm of how much; by nearness for lost homes."""
    some = homes.taken(rows)
    width = near.shape[1]
    records, weight = np.full(near.shape, -1, np.intp), np.full(near.shape, -np.inf)
    order = np.lexsort((-some.value, some.point))
    rank = np.arange(len(order)) - some.first[some.point]
    kept = rank < width
    point, place = some.point[kept], rank[kept]
    records[point, place] = some.candidate[order][kept]
    weight[point, place] = np.log(some.value[order][kept])
    if own is not None:
        records = _without_own(records, own, whose)
    lost = np.diff(some.first) == 0
    records[lost], weight[lost] = near[lost], 0.0
    return records, np.where(records >= 0, weight, -np.inf)
