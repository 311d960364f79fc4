# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by the averages and correlations of a release within groups, though no record is like hers.

Who anonymises each region by itself, or keeps the averages of each region, sex and age, releases for every group what
averages and correlations of a whole file tell of few people: each is off its population's, towards its own people.
All together have one average and one correlation only (:mod:`.moments`), in which that does not show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from ...runtime.progress import Progress, chunks, part, shares, silent, weighted
from ..matrices import block_rows, copied
from .as_a_whole import BY_NUMBERS_WITHIN, BY_WITHIN, by_law, knows, told_share
from .groups import Groups, columns_within, likely_groups, most_columns
from .knowledge import listed
from .moments import Standardised
from .scoring import Attack
from .table import Tables, sample

#: Ways of grouping people that are tried.
_WAYS = 3
#: For how many of a group's other people it counts what its categories add by themselves, and for how many of its
#: released records what these other people are; of 20 to 50 and of a half to 4 as many are named.
_PRIOR_OF_OTHERS, _PRIOR = 30.0, 2.0
#: For how many people, and how many for each column, the covariances of all count in those of a group: of half as
#: many 1.4 more of 100 are named where regions keep covariances, and 2.3 fewer where strata keep averages alone.
_ALIKE, _ALIKE_EACH = 80.0, 4.0
#: What is added to the variances of standardised columns, as for the whole.
_RIDGE = 0.05
#: Standard errors by which a release is nearer to the originals' groups than other people's are.
_NEARER = 4.0


@dataclass(frozen=True)
class Within:
    """The group of a record, and its columns standardised: a :class:`.as_a_whole.View`."""

    groups: Groups
    columns: Standardised
    of_numbers: bool

    @property
    def count(self) -> int:
        """How many columns there are."""
        return self.columns.count

    def of(self, block: np.ndarray) -> np.ndarray:
        """Records: the group, and columns, ``(b, 1 + k)``."""
        return np.column_stack([self.groups.of(block), self.columns.of(block)])

    def laws(
        self,
        matrix: np.ndarray,
        progress: Progress = silent,
        which: np.ndarray | None = None,
        parts: int = 1,
    ) -> list[Grouped]:
        """See :class:`.as_a_whole.View`."""
        groups, columns = self.groups.count, self.columns.count
        counts, sums = np.zeros(parts * groups), np.zeros((parts * groups, columns))
        products = np.zeros((parts * groups, columns, columns))
        for rows in chunks(len(matrix), block_rows(max(matrix.shape[1], columns)), progress):
            block, of = self.columns.of(matrix[rows]), self.groups.of(matrix[rows])
            if which is not None:
                of = of + groups * which[rows]
            order = np.argsort(of, kind="stable")
            block, there = block[order], np.bincount(of, minlength=len(counts))
            first = np.append(0, np.cumsum(there))
            counts += there
            for at in np.flatnonzero(there):
                some = block[first[at] : first[at + 1]]
                sums[at] += some.sum(axis=0)
                products[at] += some.T @ some
        design = self.groups.design
        counts = counts.reshape(parts, groups)
        sums = sums.reshape(parts, groups, columns)
        products = products.reshape(parts, groups, columns, columns)
        return [Grouped(*one, design) for one in zip(counts, sums, products)]


@dataclass(frozen=True)
class Grouped:
    """How many records each group has, sums of columns and of products of every two; what makes groups alike."""

    counts: np.ndarray
    sums: np.ndarray
    products: np.ndarray
    design: np.ndarray

    @property
    def count(self) -> int:
        """How many records there are."""
        return int(self.counts.sum())

    def __add__(self, other: Grouped) -> Grouped:
        return Grouped(
            self.counts + other.counts,
            self.sums + other.sums,
            self.products + other.products,
            self.design,
        )

    def unlike(self, seen: np.ndarray, others: Grouped) -> np.ndarray:
        """See :class:`.as_a_whole.Law`; of a group of few records it is that of others."""
        group, columns = seen[:, 0].astype(np.intp), seen[:, 1:]
        mean, covariances = others._law
        own = self._moved(mean, _PRIOR)
        mine = _Normal.of(own, self._covariances(own, covariances))
        return mine.unlikely(group, columns) - others._normal.unlikely(group, columns)

    @cached_property
    def _normal(self) -> _Normal:
        return _Normal.of(*self._law)

    @cached_property
    def _law(self) -> tuple[np.ndarray, np.ndarray]:
        """Averages and covariances of each group, where nothing else is known of them."""
        weighed = self.counts[:, None] * self.design
        products = self.design.T @ weighed + 1e-3 * np.eye(self.design.shape[1])
        usual = self.design @ np.linalg.solve(products, self.design.T @ self.sums)
        mean = self._moved(usual, _PRIOR_OF_OTHERS)
        every = self._scatter(mean).sum(axis=0) / max(self.count, 1)
        every += _RIDGE * np.eye(len(every))
        return mean, self._covariances(mean, every)

    def turn(self) -> np.ndarray:
        """Axes along which people of a group have variance one on average."""
        mean = self.sums / np.maximum(self.counts, 1)[:, None]
        every = self._scatter(mean).sum(axis=0) / max(self.count, 1)
        variance, axes = np.linalg.eigh(every + _RIDGE * np.eye(len(every)))
        return axes / np.sqrt(variance)

    def turned(self, turn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Averages and covariances of each group along some axes."""
        count = np.maximum(self.counts, 1)
        mean = self.sums / count[:, None]
        spread = self._scatter(mean) / count[:, None, None]
        return mean @ turn, turn.T @ spread @ turn

    def _moved(self, usual: np.ndarray, prior: float) -> np.ndarray:
        """Averages, the nearer to usual ones the fewer records a group has."""
        return (self.sums + prior * usual) / (self.counts + prior)[:, None]

    def _scatter(self, mean: np.ndarray) -> np.ndarray:
        """Sums of products of how far columns are from the averages."""
        crossed = self.sums[:, :, None] * mean[:, None, :]
        square = self.counts[:, None, None] * mean[:, :, None] * mean[:, None, :]
        return self.products - crossed - crossed.transpose(0, 2, 1) + square

    def _covariances(self, mean: np.ndarray, usual: np.ndarray) -> np.ndarray:
        """Covariances of each group, the nearer to usual ones the fewer records it has; ridge is in these."""
        prior = _ALIKE + _ALIKE_EACH * self.sums.shape[1]
        there = self.counts[:, None, None]
        ridge = _RIDGE * np.eye(self.sums.shape[1])
        return (self._scatter(mean) + there * ridge + prior * usual) / (there + prior)


@dataclass(frozen=True)
class _Normal:
    """A normal law for each group."""

    mean: np.ndarray
    inverse: np.ndarray
    size: np.ndarray

    @classmethod
    def of(cls, mean: np.ndarray, covariances: np.ndarray) -> _Normal:
        return cls(mean, np.linalg.inv(covariances), np.linalg.slogdet(covariances)[1])

    def unlikely(self, group: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Minus twice the logarithm of how likely records are in their groups."""
        off, made = columns - self.mean[group], np.empty(len(group))
        for one in np.unique(group):
            here = np.flatnonzero(group == one)
            made[here] = ((off[here] @ self.inverse[one]) * off[here]).sum(axis=1)
        return made + self.size[group]


def by_groups(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> list[Attack]:
    """Name as members those who are likelier by the moments of their group in the release than in other people.

    Parameters
    ----------
    tables : Tables
    known : sequence of str
        What is known of people; everything where nothing is named.

    Returns
    -------
    list of Attack
        For some ways of grouping; none without a reference, see :func:`.as_a_whole.by_law`, nor without categories,
        nor where people are so many that few could be told.
    """
    if tables.reference is None:
        return []
    every = tables.original, tables.released, tables.reference
    of_views, of_laws = weighted(progress, 1, 4)
    found: list[Attack] = []
    views = _views(tables, known, every, of_views)
    for view, ahead in zip(views, shares(of_laws, len(views))):
        by = BY_NUMBERS_WITHIN if view.of_numbers else BY_WITHIN
        said = knows(by, known, fields=listed(view.groups.names))
        found += by_law(view, tables, said, ahead)
    progress(1.0)
    return found


def _views(
    tables: Tables, known: Sequence[str], every: Sequence[np.ndarray], progress: Progress
) -> list[Within]:
    """Ways of grouping, by numbers alone, as who draws these draws no category; of the likeliest by all, too."""
    some = likely_groups(tables, known, every, _WAYS, part(progress, 0.0, 0.7))
    made: list[Within] = []
    for at, ahead in enumerate(shares(part(progress, 0.7, 1.0), len(some))):
        groups = some[at]
        numbers, every_column = (
            columns_within(tables, known, groups, which) for which in (True, False)
        )
        ways = [(numbers, True)] if 1 < len(numbers) < len(every_column) else []
        if not at or not ways:
            ways.append((every_column, False))
        for (columns, kind), step in zip(ways, shares(ahead, len(ways))):
            columns = columns[sample(len(columns), most_columns(groups.count), 45)]
            # Of all tables alike, so that nobody's own counts more than another one.
            scaled = Standardised.of_all(every, partial(_of_columns, columns), len(columns), step)
            if scaled.count:
                made.append(Within(groups, scaled, kind))
    progress(1.0)
    return made


def _of_columns(columns: np.ndarray, block: np.ndarray) -> np.ndarray:
    return block[:, columns]


def would_be_told_by_groups(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> float:
    """Share of the people whom groups' averages and correlations would tell, where there are no others to try it on.

    Parameters
    ----------
    tables : Tables
    known : sequence of str

    Returns
    -------
    float
        As of :func:`.as_a_whole.told_share`, the most of some ways of grouping. Nobody where a release has half as much
        else in its groups as records of other people have.

    Notes
    -----
    As of :func:`.classes.would_be_told_by_classes`, by averages and by covariances of each group. A release that is the
    population, without chance, is off its file by half as much as other people are; by as much as a release is nearer
    than that, so much is taken to be the file's own.
    """
    every = tables.original, tables.released
    of_views, of_laws = weighted(progress, 1, 4)
    told = 0.0
    views = _views(tables, known, every, of_views)
    for view, ahead in zip(views, shares(of_laws, len(views))):
        kept = _kept(view, tables, *every, ahead)
        told = max(told, told_share(kept / tables.count, 0.0))
    progress(1.0)
    return told


def _kept(
    view: Within, tables: Tables, original: np.ndarray, released: np.ndarray, progress: Progress
) -> float:
    """How much of the file's own averages and covariances of groups a release has, in units of what a person adds."""
    own, theirs = (
        view.laws(one, ahead)[0]
        for one, ahead in zip((original, released), shares(part(progress, 0.0, 0.9), 2))
    )
    there = np.arange(view.groups.count) < view.groups.count - 1  # the last is no group
    turn = own.turn()
    (mine, own_spread), (other, spread) = (one.turned(turn) for one in (own, theirs))
    several = 1 / (1 / own.counts[there] + 1 / theirs.counts[there])
    apart = (
        several * ((mine - other)[there] ** 2).sum(axis=1),
        several * ((own_spread - spread)[there] ** 2).sum(axis=(1, 2)) / 2,
    )
    # By how much a person is off the averages, and her products off the covariances, of her group.
    rows = tables.people()
    seen = view.of(copied(original, rows))
    group = seen[:, 0].astype(np.intp)
    seen, group = seen[there[group]], group[there[group]]
    off = seen[:, 1:] @ turn - mine[group]
    square, crossed = (off**2).sum(axis=1), np.empty(len(off))
    for one in np.unique(group):
        here = group == one
        crossed[here] = ((off[here] @ own_spread[one]) * off[here]).sum(axis=1)
    of_products = square**2 - 2 * crossed + (own_spread**2).sum(axis=(1, 2))[group]
    free = own.count / max(own.count - there.sum(), 1)
    kept = 0.0
    for of_groups, adds in zip(apart, (square, of_products / 2)):
        usual = free * float(adds.mean()) * len(of_groups)
        found = usual - 2 * float(of_groups.sum())
        chance = max(np.sqrt(2 * usual), 2 * np.sqrt(len(of_groups)) * float(of_groups.std()))
        kept += found if found > _NEARER * chance else 0.0
    progress(1.0)
    return kept
