# SPDX-License-Identifier: GPL-2.0-or-later
"""What an attacker could predict: prediction distance, ambiguity and uncertainty.

Lasko & Vinterbo (2010), section II-A: each is measured for every original record against the
release, and its distribution compared to what a sample without those records would have given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..verdict import Evidence
from .exposed import Exposed, exposed
from .matrices import as_matrix, block_rows
from .nearest import SAME, Records

#: The measures, in the order of the paper; low values are risk.
DISTANCE, AMBIGUITY, UNCERTAINTY = MEASURES = ("distance", "ambiguity", "uncertainty")
#: Verdicts on a measure: not left of the reference by more than the margin; left of it, but
#: by no more than chance explains; left of it.
ADEQUATE, UNDECIDED, INADEQUATE = ("adequate", "undecided", "inadequate")
#: Vertical difference of cumulative distributions that is let pass (section II-A's example).
MARGIN = 0.05
_LEVEL = 0.05


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
    original = as_matrix(original, Sentence("original table"))
    anonymized = as_matrix(anonymized, Sentence("anonymised table"))
    _check(original, anonymized, k, len(anonymized))
    if match is not None:
        match = np.asarray(match)
        if match.shape != (len(original),) or match.max() >= len(anonymized) or match.min() < -1:
            raise InputError("The key must name one released record, or none, for each original.")
    records = Records(anonymized, part(progress, 0.0, 0.1))
    rows, distance = records.nearest(original, k, part(progress, 0.1, 0.8))
    measured = _measures(records, rows, distance, k, None, part(progress, 0.8, 0.9))
    right = None
    if match is not None:
        right = _right(records, original, rows, distance, match, part(progress, 0.9, 1.0))
    return PredictionRisk(*measured, k, rows[:, 0], right)


def leave_one_out_risk(
    original: np.ndarray, k: int = 5, progress: Progress = silent
) -> PredictionRisk:
    """The reference without a second sample: each record against all the others.

    Section II-A: A - A_j in the place of a non-overlapping sample.

    Parameters
    ----------
    original : (n, m) array
        More than k records.
    k : int

    Returns
    -------
    PredictionRisk
    """
    original = as_matrix(original, Sentence("original table"))
    _check(original, original, k, len(original) - 1)
    records = Records(original, part(progress, 0.0, 0.1))
    rows, distance = records.nearest(original, k + 1, part(progress, 0.1, 0.8))
    own = records.distinct.of_row
    measured = _measures(records, rows, distance, k, own, part(progress, 0.8, 1.0))
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
    own: np.ndarray | None,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distance, ambiguity and uncertainty from the nearest distinct records."""
    matrix, distinct = records.matrix, records.distinct
    n, m = len(rows), matrix.shape[1]
    nearest, ambiguity, uncertainty = np.empty(n), np.empty(n), np.empty(n)
    for block in chunks(n, max(block_rows(m) // k, 256), progress):
        near, away = rows[block], distance[block]
        kind = distinct.of_row[near]
        count = np.where(near >= 0, distinct.count[kind], 0)
        if own is not None:
            count = count - ((kind == own[block, None]) & (near >= 0))
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
    for block in chunks(n, block_rows(m)):
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
        count[more] = records.within(original[more], distance[more, 0], progress)
    return np.where(found, 1 / np.maximum(count, 1), 0.0)


# --- comparing distributions -------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """A measure of the release against the reference.

    Attributes
    ----------
    measure : str
    excess : float
        Largest difference of the cumulative distributions, release less reference: how far
        the release lies to the left; the one-sided Kolmogorov-Smirnov statistic.
    at : float
        Value of the measure at which it is largest.
    margin : float
    p_value : float
        Of an excess as large, were the true one the margin. High is good.
    verdict : str
        ``adequate``, ``undecided`` or ``inadequate``.
    sentence : str
        The verdict in words.
    medians : (float, float)
        Of release and reference.
    """

    measure: str
    excess: float
    at: float
    margin: float
    p_value: float
    verdict: str
    sentence: str
    medians: tuple[float, float]


def one_sided_ks(sample: np.ndarray, reference: np.ndarray) -> tuple[float, float]:
    """Largest excess of one cumulative distribution over another, and where it is.

    Parameters
    ----------
    sample, reference : (n,), (p,) arrays

    Returns
    -------
    excess : float
        max over x of F_sample(x) - F_reference(x), at least 0.
    at : float
    """
    sample, reference = np.sort(sample), np.sort(reference)
    # The excess can be largest only where the sample's distribution steps up.
    above = np.searchsorted(sample, sample, side="right") / len(sample)
    above -= np.searchsorted(reference, sample, side="right") / len(reference)
    at = int(above.argmax())
    return max(float(above[at]), 0.0), float(sample[at])


def ks_p_value(excess: float, n: int, p: int, margin: float = 0.0) -> float:
    """Asymptotic one-sided p-value, exp(-2 d^2 n p / (n + p)), d the excess over the margin.

    With a margin of 0 the classic test. With one, the null hypothesis is that the
    distributions differ by no more than the margin; at the place of the largest excess the
    same bound holds, so the value is a cautious one.
    """
    over = max(excess - margin, 0.0)
    return float(np.exp(-2.0 * over**2 * n * p / (n + p)))


def compare(
    measured: PredictionRisk, reference: PredictionRisk, margin: float = MARGIN
) -> tuple[Comparison, ...]:
    """Judge each measure: is its distribution left of the reference's by more than a margin?

    Parameters
    ----------
    measured, reference : PredictionRisk
        Of the release, and of the reference sample or of leaving one out.
    margin : float
        Vertical difference of the cumulative distributions that is equivalent in practice,
        0 to 1; the paper's example is 0.05.

    Returns
    -------
    tuple of Comparison
        For distance, ambiguity and uncertainty. The tests take the values as independent,
        which those of one table are not quite; the paper does so too.
    """
    if not 0 <= margin < 1:
        raise InputError("The margin is a share of the records: from 0 to below 1.")
    if measured.k != reference.k:
        raise InputError("Release and reference are measured with different neighbourhoods K.")
    return tuple(_compare(name, measured[name], reference[name], margin) for name in MEASURES)


_AS_LITTLE = {
    DISTANCE: Sentence("an attacker gets no closer to the records than"),
    AMBIGUITY: Sentence("the best match stands out no more than"),
    UNCERTAINTY: Sentence("the best matches agree no more than"),
}
_MORE = {
    DISTANCE: Sentence("an attacker gets closer to the records than"),
    AMBIGUITY: Sentence("the best match stands out more than"),
    UNCERTAINTY: Sentence("the best matches agree more than"),
}
#: What a measure that is not adequate means, and what it does not.
_MEANS = {
    DISTANCE: Sentence(
        "Values of these people can be guessed more closely than if they had stayed out of"
        " the release; it does not say that an attacker knows whose guess is a good one."
    ),
    AMBIGUITY: Sentence(
        "An attacker can be surer of a match than with records of other people; it does"
        " not say that the match is right."
    ),
    UNCERTAINTY: Sentence(
        "Whichever of the best matches an attacker takes, he reads much the same; it"
        " does not say how near that is to the truth, which is prediction distance."
    ),
}


def _compare(name: str, values: np.ndarray, reference: np.ndarray, margin: float) -> Comparison:
    excess, at = one_sided_ks(values, reference)
    p_value = ks_p_value(excess, len(values), len(reference), margin)
    more = Sentence("{excess:.1f} percentage points", excess=100 * excess)
    chance = "p < 1e-12" if p_value < 1e-12 else f"p = {p_value:.2g}"
    if excess <= margin:
        verdict = ADEQUATE
        sentence = Sentence(
            "Adequate: {as_little} with records of other people (the share of records below "
            "any value is at most {more} higher; {margin:g} are let pass).",
            as_little=_AS_LITTLE[name],
            more=more,
            margin=100 * margin,
        )
    elif p_value >= _LEVEL:
        verdict = UNDECIDED
        sentence = Sentence(
            "Undecided: the share of records at or below {at:.3g} is {more} higher than "
            "with records of other people. That is more than the {margin:g} that are let "
            "pass, but no more than chance explains ({chance}). More records would tell.",
            at=at,
            more=more,
            margin=100 * margin,
            chance=chance,
        )
    else:
        verdict = INADEQUATE
        sentence = Sentence(
            "Not adequate: {so} with records of other people. The share of records at or "
            "below {at:.3g} is {more} higher, {excess:.1f} beyond the {margin:g} that are "
            "let pass ({chance}). {means}",
            so=_MORE[name],
            at=at,
            more=more,
            excess=100 * (excess - margin),
            margin=100 * margin,
            chance=chance,
            means=_MEANS[name],
        )
    medians = (float(np.median(values)), float(np.median(reference)))
    return Comparison(name, excess, at, margin, p_value, verdict, sentence, medians)


# --- re-identification -------------------------------------------------------------------------


@dataclass(frozen=True)
class Reidentification:
    """The matching attack with the whole original table (section II-A).

    Attributes
    ----------
    rate : float
        Share of records whose nearest released record is their own. Where several are as
        near, the attacker takes one at random: the expected share.
    expected : float
        The same as a number of records.
    by_chance : float
        The rate of guessing.
    auc : dict of measure to float
        Probability that a right match has a lower value than a wrong one (half where equal):
        0.5 tells nothing, 1 everything. Below 0.5 it is high values that are right. NaN where
        all matches are right or all are wrong.
    """

    rate: float
    expected: float
    by_chance: float
    auc: Mapping[str, float]


def reidentification(measured: PredictionRisk, released: int) -> Reidentification:
    """Rate of right matches, and whether an attacker could tell them from the wrong ones.

    Parameters
    ----------
    measured : PredictionRisk
        Measured with a ``match``.
    released : int
        Number of released records.
    """
    if measured.right is None:
        raise InputError("It is not known which released record came from which original.")
    right = measured.right
    return Reidentification(
        rate=float(right.mean()),
        expected=float(right.sum()),
        by_chance=1.0 / released,
        auc={name: auc(measured[name], right) for name in MEASURES},
    )


def roc_curve(values: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of wrong and of right matches accepted as the limit on a measure rises.

    Parameters
    ----------
    values : (n,) array
        A measure; matches with a low value are accepted first.
    right : (n,) array
        Probability, or truth, of each match.

    Returns
    -------
    wrong_accepted, right_accepted : (p,) arrays
        From 0 to 1, one point for each different value. NaN where there is nothing to share.
    """
    order = np.argsort(values, kind="stable")
    weight = np.asarray(right, dtype=np.float64)[order]
    ends = np.append(np.flatnonzero(np.diff(values[order])), len(order) - 1)
    hits = np.append(0.0, np.cumsum(weight)[ends])
    misses = np.append(0.0, np.cumsum(1.0 - weight)[ends])
    with np.errstate(invalid="ignore", divide="ignore"):
        return (
            misses / misses[-1] if misses[-1] > 0 else np.full(len(misses), np.nan),
            hits / hits[-1] if hits[-1] > 0 else np.full(len(hits), np.nan),
        )


def auc(values: np.ndarray, right: np.ndarray) -> float:
    """Area under the ROC curve, the non-parametric empirical one (trapezoids for ties).

    Parameters are those of :func:`roc_curve`.
    """
    wrong_accepted, right_accepted = roc_curve(values, right)
    return float((np.diff(wrong_accepted) * (right_accepted[1:] + right_accepted[:-1])).sum() / 2)


# --- all together ------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class DisclosureRisk(Summarised):
    """What a release gives away, against a reference.

    Attributes
    ----------
    measured, reference : PredictionRisk
    reference_kind : str
        ``sample`` or ``leave_one_out``.
    comparisons : tuple of Comparison
    reidentification : Reidentification or None
    exposed : Exposed
        Who is released as he is, which no margin lets pass.
    """

    measured: PredictionRisk
    reference: PredictionRisk
    reference_kind: str
    comparisons: tuple[Comparison, ...]
    reidentification: Reidentification | None
    exposed: Exposed

    @property
    def exposure_verdict(self) -> str:
        """Adequate where nobody is shown as he is beyond what the reference has."""
        if self.exposed.is_sure:
            return INADEQUATE
        return UNDECIDED if self.exposed.too_many else ADEQUATE

    @property
    def verdict(self) -> str:
        """The worst of the verdicts."""
        verdicts = {one.verdict for one in self.comparisons} | {self.exposure_verdict}
        return next(v for v in (INADEQUATE, UNDECIDED, ADEQUATE) if v in verdicts)

    @property
    def evidence(self) -> tuple[Evidence, Evidence]:
        """Who is released as he is, and whose record is found by taking the nearest.

        The three measures are about distributions and give no share of people found: where
        nothing tells which record is whose there is none, and their verdict alone decides. Where
        it is known the share is that of right matches, and their verdict counts besides.
        """
        return self._shown, self._nearest

    @property
    def _shown(self) -> Evidence:
        """Where coincidences explain what was found, only those beyond the expected count."""
        shown, people = self.exposed, len(self.measured.distance)
        listed = int(np.count_nonzero(shown.any))
        if self.exposure_verdict == ADEQUATE:
            return Evidence.counted(
                "verbatim_records", max(0, shown.count - shown.expected), people
            )
        if self.exposure_verdict == UNDECIDED:
            return Evidence.counted("verbatim_records", listed, people).with_caveat("by_chance")
        found = Evidence.counted("verbatim_records", listed, people, exposed=listed)
        return replace(found, failed=True)

    @property
    def _nearest(self) -> Evidence:
        verdicts = {one.verdict for one in self.comparisons}
        people, failed = len(self.measured.distance), INADEQUATE in verdicts
        again = self.reidentification
        if again is None:
            found = Evidence.without_share("nearest_records", people, failed)
        else:
            counted = Evidence.counted("nearest_records", again.expected, people)
            found = replace(counted, failed=failed)
        return found.with_caveat("undecided") if UNDECIDED in verdicts else found

    @property
    def relative_distance(self) -> np.ndarray:
        """Prediction distance of each record over that against the reference.

        Below 1 the release comes nearer to the record than records of others do. NaN where
        both are zero.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.measured.distance / self.reference.distance

    def in_words(self) -> str:
        """Say the verdicts in words."""
        count = number_of(len(self.measured.distance), "record", "records")
        said = [f"Disclosure risk of {count}: {self.verdict}."]
        said += [f"{one.measure}: {one.sentence}" for one in self.comparisons]
        said += self.exposed.sentences
        if self.reidentification is not None:
            found = self.reidentification
            said.append(
                f"Matched with their own record: {found.rate:.1%} (by chance"
                f" {found.by_chance:.1%})."
            )
        return "\n".join(said)


def _passed_over(table: np.ndarray, record: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The table with some columns as a record has them; itself where they are so already."""
    if table.ndim != 2 or table.shape[1] != len(record):
        return table  # refused by whoever measures it
    if (table[:, columns] == record[columns]).all():
        return table
    table = table.copy()
    table[:, columns] = record[columns]
    return table


def disclosure_risk(
    original: np.ndarray,
    anonymized: np.ndarray,
    reference: np.ndarray | None = None,
    match: np.ndarray | None = None,
    k: int = 5,
    margin: float = MARGIN,
    progress: Progress = silent,
    variants: Sequence[tuple[np.ndarray, np.ndarray | None]] = (),
    blocks: Sequence[slice] | None = None,
) -> DisclosureRisk:
    """Measure a release and judge it.

    Parameters
    ----------
    original, anonymized : (n, m), (p, m) arrays
        Coded alike (:meth:`Coding.encode`).
    reference : (q, m) array, optional
        A sample of the same population that holds none of the original records; without it
        each record is measured against the other originals. It should have about as many
        records as the release: more of them lie nearer to everything.
    match : (n,) int array, optional
        The released row that came from each original; -1 for none.
    k : int
    margin : float
    variants : sequence of ((n, m) array, (q, m) array or None), optional
        Original and reference with the digits that the release has; see :func:`.as_released`.
    blocks : sequence of slice, optional
        Columns of each variable; each on its own by default.

    Returns
    -------
    DisclosureRisk
        A column that is constant in the original tells nobody apart and has no unit: what the
        other tables hold there is passed over. Were it counted, any other value would push all
        records of a release far away, and it would look safe.
    """
    original = as_matrix(original, Sentence("original table"))
    constant = original.min(axis=0) == original.max(axis=0)
    anonymized = _passed_over(anonymized, original[0], constant)
    if reference is not None:
        reference = _passed_over(reference, original[0], constant)
    measured = prediction_risk(original, anonymized, k, match, part(progress, 0.0, 0.45))
    if reference is None:
        against = leave_one_out_risk(original, k, part(progress, 0.45, 0.9))
    else:
        against = prediction_risk(original, reference, k, None, part(progress, 0.45, 0.9))
    first = original[0]
    shown = exposed(
        [
            (
                _passed_over(own, first, constant),
                None if other is None else _passed_over(other, first, constant),
            )
            for own, other in variants or [(original, reference)]
        ],
        anonymized,
        measured.distance,
        against.distance,
        blocks,
        part(progress, 0.9, 1.0),
    )
    return DisclosureRisk(
        measured,
        against,
        "leave_one_out" if reference is None else "sample",
        compare(measured, against, margin),
        reidentification(measured, len(anonymized)) if match is not None else None,
        shown,
    )
