# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by the averages and correlations of a release, though no record is like hers.

A sample's averages and correlations are off those of its population, towards its own people. Who keeps them, as
spectral swapping and copulas are made to do, releases that, too: of sixty answers each tells next to nothing, and
all of them together who was asked. The likelihood ratio of a person under a normal law with the averages and
covariances of the release and under one with those of other people, each field by itself in Homer et al. (2008,
Resolving individuals contributing trace amounts of DNA to highly complex mixtures, *PLoS Genetics* 4, e1000167;
Sankararaman et al. 2009, Genomic privacy and limits of individual detection in a pool, *Nature Genetics* 41, 965-967).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime.progress import Progress, chunks, part, shares, silent
from ..matrices import block_rows, copied
from .as_a_whole import BY_MOMENTS, by_law, knows, told_share
from .scoring import Attack
from .table import Tables, sample

#: What is added to the variances of standardised columns, so that few people have a law of many columns, too; of
#: .02 to .4 all name as many, or nearly, in releases of 20 to 60 fields.
_RIDGE = 0.05
#: Standard deviations from the middle beyond which a value says nothing more.
_FAR = 4.0
#: Most columns that are looked at together, fewest people for each, and least standard deviation of one.
_COLUMNS, _EACH, _LEAST = 500, 2, 1e-9
#: Makes columns of coded records.
Columns = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Standardised:
    """Columns by the averages and standard deviations of tables together: a :class:`.as_a_whole.View`."""

    columns: Columns
    which: np.ndarray
    mean: np.ndarray
    spread: np.ndarray

    @classmethod
    def of_all(
        cls, matrices: Sequence[np.ndarray], columns: Columns, count: int, progress: Progress
    ) -> Standardised:
        """Scale of those of ``count`` columns that are not the same for all, and of no more than people tell of."""
        sums = np.zeros((2, count))
        for matrix, ahead in zip(matrices, shares(progress, len(matrices))):
            for rows in chunks(len(matrix), block_rows(max(matrix.shape[1], count)), ahead):
                block = columns(matrix[rows])
                sums += block.sum(axis=0), (block**2).sum(axis=0)
        mean, squares = sums / sum(map(len, matrices))
        spread = np.sqrt(np.maximum(squares - mean**2, 0.0))
        differs = np.flatnonzero(spread > _LEAST)
        most = max(2, min(_COLUMNS, min(map(len, matrices)) // _EACH))
        differs = differs[sample(len(differs), most, 41)]
        return cls(columns, differs, mean[differs], spread[differs])

    @property
    def count(self) -> int:
        """How many columns there are."""
        return len(self.which)

    def of(self, block: np.ndarray) -> np.ndarray:
        """Records standardised, ``(b, k)``."""
        some = (self.columns(block)[:, self.which] - self.mean) / self.spread
        return np.clip(some, -_FAR, _FAR)

    def laws(
        self,
        matrix: np.ndarray,
        progress: Progress = silent,
        which: np.ndarray | None = None,
        parts: int = 1,
    ) -> list[Moments]:
        """Moments of the records of a table that are in each part; all are in one where none is told."""
        counts, sums = np.zeros(parts, dtype=np.intp), np.zeros((parts, self.count))
        products = np.zeros((parts, self.count, self.count))
        width = max(matrix.shape[1], self.count)
        for rows in chunks(len(matrix), block_rows(width), progress):
            block = self.of(matrix[rows])
            for at in range(parts):
                some = block if which is None else block[which[rows] == at]
                counts[at] += len(some)
                sums[at] += some.sum(axis=0)
                products[at] += some.T @ some
        return [Moments(int(counts[at]), sums[at], products[at]) for at in range(parts)]


@dataclass(frozen=True)
class Moments:
    """How many records there are, the sums of their columns, and those of the products of every two."""

    count: int
    sums: np.ndarray
    products: np.ndarray

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count, self.sums + other.sums, self.products + other.products
        )

    @property
    def mean(self) -> np.ndarray:
        """Averages, (k,)."""
        return self.sums / self.count

    @property
    def covariances(self) -> np.ndarray:
        """Covariances, (k, k), with the ridge."""
        found = self.products / self.count - np.outer(self.mean, self.mean)
        return found + _RIDGE * np.eye(len(found))

    def unlike(self, seen: np.ndarray, others: Moments) -> np.ndarray:
        """See :class:`.as_a_whole.Law`."""
        return self._unlikely(seen) - others._unlikely(seen)

    def _unlikely(self, standardised: np.ndarray) -> np.ndarray:
        """Minus twice the logarithm of how likely records are by the normal law of these moments."""
        covariances, off = self.covariances, standardised - self.mean
        far = np.einsum("ij,ij->i", off @ np.linalg.inv(covariances), off)
        return far + np.linalg.slogdet(covariances)[1]


def by_moments(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> list[Attack]:
    """Name as members those who are likelier by the averages and covariances of the release than by other people's.

    Parameters
    ----------
    tables : Tables
    known : sequence of str
        What is known of people; everything where nothing is named.

    Returns
    -------
    list of Attack
        None without a reference; see :func:`.as_a_whole.by_law`.
    """
    if tables.reference is None:
        return []
    # Of all three alike, so that nobody's own table counts more than another one.
    every = tables.original, tables.released, tables.reference
    view = _standardised(tables, known, every, part(progress, 0.0, 0.2))
    if view.count < 2:
        return []
    return by_law(view, tables, knows(BY_MOMENTS, known), part(progress, 0.2, 1.0))


def _standardised(
    tables: Tables, known: Sequence[str], every: Sequence[np.ndarray], progress: Progress
) -> Standardised:
    columns = tables.columns([one.name for one in tables.known(known)])
    return Standardised.of_all(every, lambda block: block[:, columns], len(columns), progress)


def would_be_told(tables: Tables, known: Sequence[str] = (), progress: Progress = silent) -> float:
    """Share of the people whom averages and correlations would tell, where there are no others to try it on.

    Parameters
    ----------
    tables : Tables
    known : sequence of str

    Returns
    -------
    float
        As of :func:`.as_a_whole.told_share`. Of a release of other people, which has the same moments only by chance,
        it is too much.

    Notes
    -----
    In units of what a person adds to them, moments of n people are off their population's by d / n (squared), if a
    person is off by d on average. Within .03 of what is found beside 5,000 others in releases of numbers, scores and a
    survey of 500 to 2,000 people; of sixty answers of 500 people .07 too much (``benchmarks/moments.py``).
    """
    both = tables.original, tables.released
    view = _standardised(tables, known, both, part(progress, 0.0, 0.2))
    if view.count < 2:
        return 0.0
    own, released = (
        view.laws(one, ahead)[0]
        for one, ahead in zip(both, (part(progress, 0.2, 0.5), part(progress, 0.5, 0.8)))
    )
    variance, axes = np.linalg.eigh(own.covariances)
    turn = axes / np.sqrt(variance)
    # By averages and covariances along axes on which people have variance one, each covariance counted once.
    off = (released.mean - own.mean) @ turn
    mine, theirs = (turn.T @ one.covariances @ turn for one in (own, released))
    apart = off @ off + ((theirs - mine) ** 2).sum() / 2
    rows = tables.people()
    progress(0.9)
    people = (view.of(copied(tables.original, rows)) - own.mean) @ turn
    squares = np.einsum("ij,ij->i", people, people)
    plain = mine - _RIDGE * turn.T @ turn
    by_products = squares**2 - 2 * np.einsum("ij,ij->i", people @ plain, people) + (plain**2).sum()
    adds = float(np.mean(squares + by_products / 2)) / tables.count
    progress(1.0)
    return told_share(adds, float(apart))
