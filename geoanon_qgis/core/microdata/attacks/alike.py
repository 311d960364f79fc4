# SPDX-License-Identifier: GPL-2.0-or-later
"""People who come in groups, and for how many who do not they count.

Flats of a house have its year and its heating, pupils of a class their school. Where a file holds whole
houses, ten flats are as near to a record of another house as one is, and ten guesses are right or wrong
together. Groups show: people of one file are alike more often than people of two.
"""

from __future__ import annotations

import numpy as np

from ..distinct import distinct_rows
from .table import Tables, sample

#: People of either table among whom batches are looked for.
PEOPLE = 1000
#: At which of these it is asked whether there are any; deals of people to tables that say what chance makes,
#: and by how many of their standard deviations there must be more.
_AT, _DEALS, _SURE = (1, 3, 10, 30, 100, 300), 30, 6.0


def independent(own: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    """For how many independent people one of either table counts: 1 where none come in groups.

    Parameters
    ----------
    own, others : (n, m), (q, m) arrays
        What is known of people of two samples of one population.

    Returns
    -------
    tuple of two floats
        The inverse of the design effect of clusters whose members are right or wrong together
        (Kish 1965, *Survey Sampling*, section 5.4): one and how many more members of her group a person has
        in her own sample than in the other, for its size.
    """
    kinds = distinct_rows(np.concatenate([own, others])).of_row
    counts = [
        np.bincount(some, minlength=kinds.max(initial=0) + 1).astype(float)
        for some in (kinds[: len(own)], kinds[len(own) :])
    ]
    usual = float(counts[0] @ counts[1]) / max(len(own) * len(others), 1)
    effects = []
    for alike in counts:
        size = alike.sum()
        within = float(alike @ (alike - 1)) / max(size, 1.0)  # others like her, on average
        effects.append(1 + max(0.0, within - usual * (size - 1)))
    return 1 / effects[0], 1 / effects[1]


def batches_of(tables: Tables, count: int | None = None) -> float:
    """For how many independent people one counts of file and REFERENCE; see :func:`in_batches`.

    1 without a REFERENCE, and where it is told whose each record is.
    """
    others = tables.reference
    if others is None or tables.whose is not None or tables.reference_whose is not None:
        return 1.0
    return in_batches(tables.original, others, count)


def in_batches(own: np.ndarray, others: np.ndarray, count: int | None = None) -> float:
    """For how many independent people one counts, be batches alike or only near: 1 where there are none.

    Parameters
    ----------
    own, others : (n, m), (q, m) arrays
        Coded people of two samples of one population.
    count : int, optional
        How many people these are of; as many by default.

    Returns
    -------
    float
        Members of a batch are nearer to each other than to those of another, and all in one table. So among the
        nearest of both tables more are of a person's own than of the other; how many more is the size of her
        batch. Samples that were drawn person by person have as many of either (Schilling 1986, *JASA* 81, 799-806).
    """
    size = min(len(own), len(others), PEOPLE)
    if size < 2:
        return 1.0
    rng = np.random.default_rng(72)
    mixed = rng.permutation(2 * size)  # of those as near either may come first
    both = np.concatenate([one[sample(len(one), size, 71)] for one in (own, others)])[mixed]
    squares = np.einsum("ij,ij->i", both, both)
    gaps = squares[:, None] + squares - 2 * both @ both.T
    np.fill_diagonal(gaps, np.inf)
    nearest = np.argsort(gaps, axis=1, kind="stable")[:, :-1]
    of_own = mixed < size

    def more_of_hers(of_own: np.ndarray, most: int) -> np.ndarray:
        same = of_own[nearest[:, :most]] == of_own[:, None]
        # Of either table: one may be drawn person by person.
        return np.cumsum([2 * same[some].mean(axis=0) - 1 for some in (of_own, ~of_own)], axis=1)

    at = np.array([one for one in _AT if one < size])
    deals = [more_of_hers(rng.permutation(of_own), at[-1])[:, at - 1] for _ in range(_DEALS)]
    more = more_of_hers(of_own, 2 * size)
    by = (more[:, at - 1] - np.mean(deals, axis=0)) / np.maximum(np.std(deals, axis=0), 1e-12)
    if by.max() < _SURE:
        return 1.0
    # Hers are as many as there are more of her own for as long as that is so of a quarter of what it was at first.
    first = (more[:, at - 1] / at).max(axis=1, keepdims=True)
    last = (more - first / 4 * np.arange(1, more.shape[1] + 1)).argmax(axis=1)
    return size / (1 + max(float(more[[0, 1], last].max()), 0.0)) / (count or len(own))
