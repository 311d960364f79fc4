# SPDX-License-Identifier: GPL-2.0-or-later
"""How near a release comes to each original: prediction distance, ambiguity and uncertainty.

Lasko & Vinterbo (2010), section II-A.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from .matrices import as_matrix, block_rows, copied
from .nearest import SAME, Records
from .people import People, nearest_others

#: The measures, in the order of the paper; low values are risk.
DISTANCE, AMBIGUITY, UNCERTAINTY = MEASURES = ("distance", "ambiguity", "uncertainty")


@dataclass(frozen=True, repr=False)
class PredictionRisk(Summarised):
    """The three measures for every original record.

    Attributes
    ----------
    distance : (n,) array
        Root mean squared difference, over the columns, from the nearest record.
    ambiguity : (n,) array
        Distance of the nearest over that of the k-th nearest: 0 to 1. 1 where both are zero.
    uncertainty : (n,) array
        Variance (k - 1 in the denominator) among the k nearest, mean over the columns.
    k : int
    nearest : (n,) int array
        A nearest record.
    right : (n,) array or None
        Where it is known which record came from which: the probability that a random one of
        the nearest, which may be several at the same distance, is the right one.
    """

    distance: np.ndarray
    ambiguity: np.ndarray
    uncertainty: np.ndarray
    k: int
    nearest: np.ndarray
    right: np.ndarray | None = None

    def __getitem__(self, measure: str) -> np.ndarray:
        if measure not in MEASURES:
            raise KeyError(measure)
        return getattr(self, measure)

    def in_words(self) -> str:
        """Say the medians of the measures."""
        medians = ", ".join(f"{name} {np.median(self[name]):.3g}" for name in MEASURES)
        return (
            f"Prediction risk of {number_of(len(self.distance), 'record', 'records')} with"
            f" {self.k} neighbours, medians: {medians}."
        )


def prediction_risk(
    original: np.ndarray,
    anonymized: np.ndarray,
    k: int = 5,
    match: np.ndarray | None = None,
    progress: Progress = silent,
) -> PredictionRisk:
    """Measure every original record against a release, or against a reference sample.

    Distances are equation (1) on the columns as they are coded. Records alike count as often
    as they occur. Which of several records at the very distance of the k-th is among the k
    the paper leaves open; it is the first in the table, and touches the uncertainty alone.

    Parameters
    ----------
    original : (n, m) array
    anonymized : (p, m) array
        Coded in the same way.
    k : int
        Size of the neighbourhood, from 2; the paper's is 5.
    match : (n,) int array, optional
        The row of the release that came from each original; -1 for none.

    Returns
    -------
    PredictionRisk

    Raises
    ------
    InputError
        If the columns differ, or there are fewer than k records.
    """
    original = as_matrix(original, Sentence("original table"), part(progress, 0.0, 0.005))
    anonymized = as_matrix(anonymized, Sentence("anonymised table"), part(progress, 0.005, 0.01))
    _check(original, anonymized, k, len(anonymized))
    if match is not None:
        match = np.asarray(match)
        if match.shape != (len(original),) or match.max() >= len(anonymized) or match.min() < -1:
            raise InputError("The key must name one released record, or none, for each original.")
    records = Records(anonymized, part(progress, 0.01, 0.1))
    rows, distance = records.nearest(original, k, part(progress, 0.1, 0.8))
    measured = _measures(records, rows, distance, k, None, part(progress, 0.8, 0.9))
    right = None
    if match is not None:
        right = _right(records, original, rows, distance, match, part(progress, 0.9, 1.0))
    return PredictionRisk(*measured, k, rows[:, 0], right)


def leave_one_out_risk(
    original: np.ndarray,
    k: int = 5,
    progress: Progress = silent,
    people: np.ndarray | None = None,
    whose: People | None = None,
) -> PredictionRisk:
    """The reference without a second sample: each record against all the others.

    Section II-A: A - A_j in the place of a non-overlapping sample.

    Parameters
    ----------
    original : (n, m) array
        More than k records.
    k : int
    people : (s,) int array, optional
        Who is measured against all others; everybody by default.
    whose : People, optional
        Whose record each is, where people have several: each is measured against other people's.

    Returns
    -------
    PredictionRisk
    """
    original = as_matrix(original, Sentence("original table"), part(progress, 0.0, 0.01))
    _check(original, original, k, len(original) - 1)
    records = Records(original, part(progress, 0.01, 0.09))
    asked = (
        original if people is None else copied(original, people, None, part(progress, 0.09, 0.1))
    )
    if whose is not None:
        persons = whose.of if people is None else whose.of[people]
        rows, distance, mine = nearest_others(
            records, asked, persons, whose, k, part(progress, 0.1, 0.8)
        )
        _check(original, original, k, len(original) - int(whose.each.max()))
        measured = _measures(records, rows, distance, k, mine, part(progress, 0.8, 1.0))
        return PredictionRisk(*measured, k, rows[:, 0])
    rows, distance = records.nearest(asked, k + 1, part(progress, 0.1, 0.8))
    own = records.distinct.of_row if people is None else records.distinct.of_row[people]
    mine = (records.distinct.of_row[rows] == own[:, None]) & (rows >= 0)
    measured = _measures(records, rows, distance, k, mine, part(progress, 0.8, 1.0))
    # The record itself is first; where others are like it, so is one of those.
    alone = records.distinct.count[own] == 1
    return PredictionRisk(*measured, k, np.where(alone, rows[:, 1], rows[:, 0]))


def _check(original: np.ndarray, other: np.ndarray, k: int, available: int) -> None:
    if original.shape[1] != other.shape[1]:
        raise InputError(
            "The tables have {columns} and {others} coded columns; they need the same "
            "fields, coded alike.",
            columns=original.shape[1],
            others=other.shape[1],
        )
    if k < 2:
        raise InputError("The neighbourhood K must be at least 2; 5 to 10 work well.")
    if available < k:
        raise InputError(
            "Records to compare with: {available:,}, fewer than K = {k}. Choose a smaller K.",
            available=available,
            k=k,
        )


def _measures(
    records: Records,
    rows: np.ndarray,
    distance: np.ndarray,
    k: int,
    mine: np.ndarray | None,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distance, ambiguity and uncertainty from the nearest distinct records.

    ``mine`` is how many of each are the person's own, which do not count.
    """
    matrix, distinct = records.matrix, records.distinct
    n, m = len(rows), matrix.shape[1]
    nearest, ambiguity, uncertainty = np.empty(n), np.empty(n), np.empty(n)
    for block in chunks(n, max(block_rows(m) // k, 256), progress):
        near, away = rows[block], distance[block]
        kind = distinct.of_row[near]
        count = np.where(near >= 0, distinct.count[kind], 0)
        if mine is not None:
            count = count - mine[block]
        # Each kind as often as it occurs, until there are k.
        before = np.cumsum(count, axis=1) - count
        times = np.clip(k - before, 0, count)
        chosen = np.repeat(near.ravel(), times.ravel()).reshape(len(near), k)
        chosen_at = np.repeat(away.ravel(), times.ravel()).reshape(len(near), k)
        first, last = chosen_at[:, 0], chosen_at[:, -1]
        nearest[block] = first
        ambiguity[block] = np.divide(first, last, out=np.ones(len(first)), where=last > 0)
        spread = np.zeros(len(near))
        mean = np.zeros((len(near), m))
        for column in range(k):
            mean += matrix[chosen[:, column]]
        mean /= k
        for column in range(k):
            gap = matrix[chosen[:, column]] - mean
            spread += np.einsum("ij,ij->i", gap, gap)
        # The mean of k records alike is rounded; they do not vary.
        alike = (chosen == chosen[:, :1]).all(axis=1)
        uncertainty[block] = np.where(alike, 0.0, spread / ((k - 1) * m))
    return nearest, ambiguity, uncertainty


def _right(
    records: Records,
    original: np.ndarray,
    rows: np.ndarray,
    distance: np.ndarray,
    match: np.ndarray,
    progress: Progress,
) -> np.ndarray:
    """Probability that a random one of the nearest records is the one that came of each."""
    distinct, matrix = records.distinct, records.matrix
    n, m = original.shape
    own = np.full(n, np.inf)
    for block in chunks(n, block_rows(m), part(progress, 0.0, 0.2)):
        there = match[block] >= 0
        gap = original[block] - matrix[match[block]]
        own[block] = np.where(there, np.sqrt(np.einsum("ij,ij->i", gap, gap) / m), np.inf)
    limit = distance[:, 0] * (1 + SAME)
    found = own <= limit
    tied = distance <= limit[:, None]
    count = np.where(tied, distinct.count[distinct.of_row[rows]], 0).sum(axis=1)
    # Where all that were asked for are at one distance there may be more.
    more = np.flatnonzero(found & tied.all(axis=1) & (distance[:, 0] > 0))
    if len(more):
        count[more] = records.within(original[more], distance[more, 0], part(progress, 0.2, 1.0))
    return np.where(found, 1 / np.maximum(count, 1), 0.0)
