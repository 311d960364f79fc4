# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by how many released records are in each class of a field, or of two, though no record is like hers.

Who gives each number the distribution that the originals have releases, in each class, as many as there were of them. By
the shares of all fields' classes together people are told as by averages (Homer et al. 2008, see :mod:`.moments`): of 500
people of eight numbers a quarter, where the distribution was kept to a two-hundredth. And of few classes, by how many
records are in each two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, chunks, shares, silent, weighted
from ...runtime.wording import Sentence
from ..matrices import block_rows
from ..variables import Variable
from .as_a_whole import BY_CLASSES, BY_TWO, View, by_law, knows, told_share
from .moments import Standardised
from .scoring import Attack
from .table import Tables, answers, is_number, sample

#: Classes of a number by which fields are looked at by themselves, and by every two.
_CLASSES, _BY_TWO = (20, 60, 200), 5
#: Records of each table by whom classes are made.
_LOOKED_AT = 20_000
#: How many records of other people a share counts for.
_PRIOR = 5.0
#: Least information of all people together for each of them, below which next to nobody is told.
_LEAST = 0.01
#: Standard errors by which shares are nearer to the originals' than other people's are.
_NEARER = 4.0


@dataclass(frozen=True)
class Classes:
    """Classes of fields, each of about as many people: a :class:`.as_a_whole.View`.

    Attributes
    ----------
    variables : sequence of Variable
    edges : sequence of (e,) array
        Values from which on a class begins; what is missing is in the last one.
    """

    variables: Sequence[Variable]
    edges: Sequence[np.ndarray]

    @classmethod
    def of_all(
        cls,
        matrices: Sequence[np.ndarray],
        variables: Sequence[Variable],
        several: Sequence[int],
        progress: Progress = silent,
    ) -> list[Classes]:
        """So many classes of numbers, and of what has fewer values each of them; for each of several such counts."""
        some = [one[sample(len(one), _LOOKED_AT, 91)] for one in matrices]
        edges: list[list[np.ndarray]] = [[] for _ in several]
        for variable in variables:
            progress(0.0)
            values = np.concatenate([answers(variable, one) for one in some])
            values = np.sort(values[~np.isnan(values)])
            different = np.unique(values)
            for classes, begins in zip(several, edges):
                at = np.arange(1, classes) * len(values) // classes
                few = len(different) <= classes
                begins.append(different[1:] if few else np.unique(values[at]))
        return [cls(variables, begins) for begins in edges]

    @property
    def sizes(self) -> np.ndarray:
        """How many classes each field has, one of them of what is missing."""
        return np.array([len(one) + 2 for one in self.edges])

    def of(self, block: np.ndarray) -> np.ndarray:
        """The class of each field, ``(b, f)``."""
        made = np.empty((len(block), len(self.edges)), dtype=np.int32)
        for at, (one, edges) in enumerate(zip(self.variables, self.edges)):
            values = answers(one, block)
            made[:, at] = np.searchsorted(edges, values, "right")
            made[np.isnan(values), at] = len(edges) + 1
        return made

    def laws(
        self,
        matrix: np.ndarray,
        progress: Progress = silent,
        which: np.ndarray | None = None,
        parts: int = 1,
    ) -> list[Counts]:
        """See :class:`.as_a_whole.View`."""
        sizes = self.sizes
        first = np.append(0, np.cumsum(sizes))
        counts = np.zeros((parts, first[-1]))
        number = np.zeros(parts, dtype=np.intp)
        for rows in chunks(len(matrix), block_rows(matrix.shape[1]), progress):
            of = self.of(matrix[rows]) + first[:-1]
            whose = np.zeros(len(of), dtype=np.intp) if which is None else which[rows]
            number += np.bincount(whose, minlength=parts)
            cells = (of + whose[:, None] * first[-1]).reshape(-1)
            counts += np.bincount(cells, minlength=counts.size).reshape(counts.shape)
        return [Counts(int(n), one, first) for n, one in zip(number, counts)]

    def dummies(self, block: np.ndarray) -> np.ndarray:
        """One where a record is in a class, but for each field's first, ``(b, k)``."""
        of, sizes = self.of(block), self.sizes
        first = np.append(0, np.cumsum(sizes - 1))
        made = np.zeros((len(block), first[-1]))
        rows, fields = np.nonzero(of)
        made[rows, first[fields] + of[rows, fields] - 1] = 1.0
        return made


@dataclass(frozen=True)
class Counts:
    """How many records there are, and how many in each class; where each field's begin."""

    count: int
    counts: np.ndarray
    first: np.ndarray

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.count + other.count, self.counts + other.counts, self.first)

    def unlike(self, seen: np.ndarray, others: Counts) -> np.ndarray:
        """See :class:`.as_a_whole.Law`; each field counts by itself."""
        usual = others.counts + 0.5
        sizes = np.diff(self.first)
        usual /= np.repeat(np.add.reduceat(usual, self.first[:-1]), sizes)
        own = (self.counts + _PRIOR * usual) / (self.count + _PRIOR)
        return -2 * np.log(own / usual)[seen + self.first[:-1]].sum(axis=1)


def by_classes(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> list[Attack]:
    """Name as members those whose classes more released records have than other people.

    Parameters
    ----------
    tables : Tables
    known : sequence of str
        What is known of people; everything where nothing is named.

    Returns
    -------
    list of Attack
        By fields, of fine classes and of coarse ones, and by every two; none without a reference, see
        :func:`.as_a_whole.by_law`, nor where people are so many that next to nobody could be told.
    """
    if tables.reference is None:
        return []
    found: list[Attack] = []
    of_views, of_laws = weighted(progress, 1, 4)
    views = list(_views(tables, known, of_views))
    for (view, said), ahead in zip(views, shares(of_laws, len(views))):
        found += by_law(view, tables, said, ahead)
    progress(1.0)
    return found


def _views(
    tables: Tables, known: Sequence[str], progress: Progress
) -> Iterator[tuple[View, Sentence]]:
    """Ways of looking at records, and what is known by them, that could tell people."""
    assert tables.reference is not None
    # Of all three alike, so that nobody's classes are made of her own table more than another one's.
    every = tables.original, tables.released, tables.reference
    by_two, *fine = Classes.of_all(every, tables.known(known), (_BY_TWO, *_CLASSES), progress)
    for made, classes in _telling(tables, zip(fine, _CLASSES)):
        yield made, knows(BY_CLASSES, known, classes=classes)
    count = int((by_two.sizes - 1).sum())
    differs = any(map(is_number, by_two.variables)) and len(by_two.variables) > 1
    if differs and count**2 / 2 >= _LEAST * tables.count:
        view = Standardised.of_all(every, by_two.dummies, count, progress)
        yield view, knows(BY_TWO, known, classes=_BY_TWO)


def _telling(tables: Tables, views: Iterable[tuple[Classes, int]]) -> Iterator[tuple[Classes, int]]:
    """Those that are not the same as the coarser ones before, and could tell people."""
    before = 0
    for made, classes in views:
        freedom = int((made.sizes - 2).sum())
        if freedom > before and freedom >= _LEAST * tables.count:
            yield made, classes
        before = max(before, freedom)


def would_be_told_by_classes(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> float:
    """Share of the people whom classes of fields would tell, where there are no others to try it on.

    Parameters
    ----------
    tables : Tables
    known : sequence of str

    Returns
    -------
    float
        As of :func:`.as_a_whole.told_share`, the most of fine and of coarse classes. Nobody where a release has half as
        much else in its classes as records of other people have.

    Notes
    -----
    A release that is the population, without chance, is off its file by half as much as other people are. By as much as
    a release is nearer to it than that, so many of the degrees of freedom are taken to be the file's own: all of them where
    each class has as many. Of 500 people of eight numbers whose distributions are kept to a two-hundredth .20 is said, and
    .20 to .24 is found beside 20,000 others. Whoever draws a sample of the file, or adds as much chance, is not seen so.
    """
    both = tables.original, tables.released
    told = 0.0
    of_views, of_laws = weighted(progress, 1, 4)
    several = (_BY_TWO, *_CLASSES)
    every = Classes.of_all(both, tables.known(known), several, of_views)
    views = list(_telling(tables, zip(every, several)))
    for (made, _), ahead in zip(views, shares(of_laws, len(views))):
        own, released = (made.laws(one, of)[0] for one, of in zip(both, shares(ahead, 2)))
        counted = own.counts + released.counts
        there = counted > 0
        freedom = float(there.sum() - len(made.edges))
        share = own.counts / own.count - released.counts / released.count
        # Two samples' chi-squared: on average the degrees of freedom of other people, and half of them of what the
        # population is, without chance.
        apart = (share[there] ** 2 / counted[there]).sum() * own.count * released.count
        kept = freedom - 2 * float(apart)
        if kept > _NEARER * np.sqrt(2 * freedom):
            told = max(told, told_share(kept / tables.count, 0.0))
    progress(1.0)
    return told
