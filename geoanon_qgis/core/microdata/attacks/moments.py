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

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from ...runtime.progress import Progress, chunks, part, silent, weighted
from ...runtime.wording import Sentence
from ..matrices import block_rows, copied
from ..people import People
from .membership import WRONGLY, named_by
from .scoring import Attack
from .table import Tables, sample

#: Parts of the others of whom each is held against the averages of the rest.
_PARTS = 10
#: What is added to the variances of standardised columns, so that few people have a law of many columns, too; of
#: .02 to .4 all name as many, or nearly, in releases of 20 to 60 fields.
_RIDGE = 0.05
#: Standard deviations from the middle beyond which a value says nothing more.
_FAR = 4.0
#: Least share of the people who are not told by their population, by whom it is said how many would be found.
_SEEN = 0.01
#: Most columns that are looked at together, and least standard deviation of one.
_COLUMNS, _LEAST = 500, 1e-9


#: What he knows: everything, or what was named.
_EVERYTHING = Sentence("everything of a person, and averages and correlations of other people,")
_SOME = Sentence("what is known of a person, and its averages and correlations,")


@dataclass(frozen=True)
class _Scale:
    """Columns by the averages and standard deviations of two tables together."""

    columns: np.ndarray
    mean: np.ndarray
    spread: np.ndarray

    @classmethod
    def of_both(
        cls, tables: tuple[np.ndarray, np.ndarray], columns: np.ndarray, progress: Progress
    ) -> _Scale:
        """Scale of those that are not the same for all of both."""
        plain = cls(columns, np.zeros(len(columns)), np.ones(len(columns)))
        sums = np.zeros((2, len(columns)))
        for matrix, ahead in zip(tables, (part(progress, 0.0, 0.5), part(progress, 0.5, 1.0))):
            for rows in chunks(len(matrix), block_rows(matrix.shape[1]), ahead):
                block = plain._some(matrix[rows])
                sums += block.sum(axis=0), (block**2).sum(axis=0)
        mean, squares = sums / sum(map(len, tables))
        spread = np.sqrt(np.maximum(squares - mean**2, 0.0))
        differs = np.flatnonzero(spread > _LEAST)
        differs = differs[sample(len(differs), _COLUMNS, 41)]
        return cls(columns[differs], mean[differs], spread[differs])

    def _some(self, block: np.ndarray) -> np.ndarray:
        return (block[:, self.columns] - self.mean) / self.spread

    def of(self, block: np.ndarray) -> np.ndarray:
        """Records standardised, ``(b, k)``."""
        return np.clip(self._some(block), -_FAR, _FAR)


@dataclass(frozen=True)
class _Moments:
    """How many records there are, the sums of their columns, and those of the products of every two."""

    count: int
    sums: np.ndarray
    products: np.ndarray

    @classmethod
    def of(
        cls,
        scale: _Scale,
        matrix: np.ndarray,
        progress: Progress = silent,
        which: np.ndarray | None = None,
        parts: int = 1,
    ) -> list[_Moments]:
        """Of the records of a table that are in each part; all are in one where none is told."""
        columns = len(scale.columns)
        counts, sums = np.zeros(parts, dtype=np.intp), np.zeros((parts, columns))
        products = np.zeros((parts, columns, columns))
        for rows in chunks(len(matrix), block_rows(matrix.shape[1]), progress):
            block = scale.of(matrix[rows])
            for at in range(parts):
                some = block if which is None else block[which[rows] == at]
                counts[at] += len(some)
                sums[at] += some.sum(axis=0)
                products[at] += some.T @ some
        return [cls(int(counts[at]), sums[at], products[at]) for at in range(parts)]

    @classmethod
    def of_all_but(cls, parts: Sequence[_Moments], left_out: int) -> _Moments:
        """Of all parts but one."""
        rest = [one for at, one in enumerate(parts) if at != left_out]
        return cls(
            sum(one.count for one in rest),
            np.sum([one.sums for one in rest], axis=0),
            np.sum([one.products for one in rest], axis=0),
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

    def unlikely(self, standardised: np.ndarray) -> np.ndarray:
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
        None without a reference.

    Notes
    -----
    Each tenth of the reference, and of the people, is held against the averages of the other nine tenths, so that
    nobody of either is among those whom she is compared with. What the file's other nine tenths tell of the last one
    as well, if they are taken for the release, is how the population of the file differs from that of the reference,
    and no find. Of those who are told by it nobody sees what the release tells besides: as many as of the rest are
    taken to be found of them, at the upper end.
    """
    if tables.reference is None or min(len(tables.reference), len(tables.original)) < 2 * _PARTS:
        return []
    both = tables.reference, tables.released
    scale = _Scale.of_both(both, _columns(tables, known), part(progress, 0.0, 0.2))
    if len(scale.columns) < 2:
        return []
    of_released, *of_samples = weighted(part(progress, 0.2, 0.9), 1, 2, 2)
    released = _Moments.of(scale, tables.released, of_released)[0]
    samples = (
        _Sample.of(scale, tables.original, tables.people(), tables.whose, of_samples[0]),
        _Sample.of(
            scale, tables.reference, tables.control(), tables.reference_whose, of_samples[1]
        ),
    )
    # Of people and control: against the release, and against the other people of the file.
    found = np.zeros((2, len(samples[0].rows))), np.zeros((2, len(samples[1].rows)))
    for at in range(_PARTS):
        progress(0.9 + 0.1 * at / _PARTS)
        own, others = (_Moments.of_all_but(one.parts, at) for one in samples)
        if min(own.count, others.count) < 2:
            continue
        for sample_of, measure in zip(samples, found):
            there = sample_of.which == at
            asked = sample_of.standardised[there]
            beside = others.unlikely(asked)
            measure[:, there] = released.unlikely(asked) - beside, own.unlikely(asked) - beside
    people, control = (one.rows for one in samples)
    told, explained = (
        named_by(
            _SOME if known else _EVERYTHING,
            tables.count,
            people[tables.one_each(people, mine)],
            mine[tables.one_each(people, mine)],
            theirs[tables.one_each_of_control(control, theirs)],
            crosswise=True,
        )
        for mine, theirs in zip(*found)
    )
    besides = max(0.0, explained.success - explained.control)
    progress(1.0)
    right = min(told.control_right + besides * told.control_tried, float(told.control_tried))
    made = replace(told, control_right=right)
    hidden = min(besides, 1 - _SEEN)
    return [replace(made, unseen=made.excess()[2] * hidden / (1 - hidden))]


def is_by_moments(attack: Attack) -> bool:
    """Tell whether an attack goes by averages and correlations, to which no record needs to be near."""
    return attack.knows in (_SOME, _EVERYTHING)


@dataclass(frozen=True)
class _Sample:
    """People who are asked for, in which part each is, and the moments of all records of each part."""

    rows: np.ndarray
    standardised: np.ndarray
    which: np.ndarray
    parts: list[_Moments]

    @classmethod
    def of(
        cls,
        scale: _Scale,
        matrix: np.ndarray,
        rows: np.ndarray,
        whose: People | None,
        progress: Progress,
    ) -> _Sample:
        """All records of a person are in the same part."""
        people = np.arange(len(matrix)) if whose is None else whose.of
        which = np.random.default_rng(43).integers(0, _PARTS, len(matrix))[people]
        parts = _Moments.of(scale, matrix, progress, which, _PARTS)
        return cls(rows, scale.of(copied(matrix, rows)), which[rows], parts)


def would_be_told(tables: Tables, known: Sequence[str] = (), progress: Progress = silent) -> float:
    """Share of the people whom averages and correlations would tell, where there are no others to try it on.

    Parameters
    ----------
    tables : Tables
    known : sequence of str

    Returns
    -------
    float
        Of those whom an adversary names who knows the averages and correlations of the population, and names one in
        twenty others: what is found beyond these, if the release was made of the originals. Of a release of
        other people, which has the same moments only by chance, it is too much.

    Notes
    -----
    In units of what a person adds to them, moments of n people are off their population's by d / n (squared), if a
    person is off by d on average, and those of the release by D more. So her likelihood ratio is higher by
    d / n on average if she is in the file, and its variance d / n + D (Dwork et al. 2015, Robust traceability from
    trace amounts, *FOCS*). Within .03 of what is found beside 5,000 others in releases of numbers, scores and a
    survey of 500 to 2,000 people; of sixty answers of 500 people .07 too much (``benchmarks/moments.py``).
    """
    both = tables.original, tables.released
    scale = _Scale.of_both(both, _columns(tables, known), part(progress, 0.0, 0.2))
    if len(scale.columns) < 2:
        return 0.0
    own, released = (
        _Moments.of(scale, one, ahead)[0]
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
    people = (scale.of(copied(tables.original, rows)) - own.mean) @ turn
    squares = np.einsum("ij,ij->i", people, people)
    plain = mine - _RIDGE * turn.T @ turn
    by_products = squares**2 - 2 * np.einsum("ij,ij->i", people @ plain, people) + (plain**2).sum()
    adds = float(np.mean(squares + by_products / 2)) / tables.count
    progress(1.0)
    law = NormalDist()
    return max(0.0, law.cdf(adds / np.sqrt(adds + apart) + law.inv_cdf(WRONGLY)) - WRONGLY)


def _columns(tables: Tables, known: Sequence[str]) -> np.ndarray:
    return tables.columns(known or [one.name for one in tables.variables])
