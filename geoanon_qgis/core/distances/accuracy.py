# SPDX-License-Identifier: GPL-2.0-or-later
"""How much of the true distances a released matrix keeps.

Needs the places, so its results are the data holder's. The true matrix is never held: what must
be asked of every pair goes by blocks of rows, the rest uses a sample of pairs. What common
analyses make of the release is asked in :mod:`.agreement`.

Throughout, d is the true and d~ the released distance of a pair, in the unit of the matrix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import figure, number_of
from ..space.metrics import Metric
from .agreement import Agreement, agreement
from .bands import Band, distance_bands
from .comparison import PairSample, max_violation, neighbours_kept, sample_pairs, spearman
from .matrix import DistanceMatrix, condensed_size

#: Pairs that medians, bands and rank correlations are computed from; all if there are no more.
MOST_PAIRS = 2_000_000
#: Records for which analyses that hold a square matrix are run; all if there are no more.
MOST_RECORDS = 2_000
#: Neighbourhoods that are compared.
NEIGHBOURS = (1, 5, 10, 20)
#: Records from which mean distances are taken where a central record is looked for.
_ASKED = 250
#: Metres, or units of the plane where nothing is known of these.
_UNIT_LENGTH = {"m": 1.0, "km": 1000.0, "units": 1.0, "": 1.0}


@dataclass(frozen=True, repr=False)
class Summary(Summarised):
    """A release in a few numbers.

    Attributes
    ----------
    count : int
        Records.
    pairs : int
        Pairs of them.
    pairs_used : int
        Pairs that ``median_ratio`` and ``spearman`` are computed from: all, or a sample.
    zero_pairs : int
        Of these, pairs at one place; they have no ratio.
    median_ratio : float
        Median of d~/d over the pairs with d > 0.
    nearest_kept : float
        Share of the records whose nearest in the release is truly their nearest. Where the
        release has several nearest, the part of them that are: the chance that an analyst who
        takes any of them is right. (Counting a record as kept if *any* of them is would give a
        release of zeros full marks.) Who is truly nearest may be several, all of them right.
    spearman : float
        Rank correlation of d~ with d over the pairs, ties at their average rank.
    max_violation : float
        Largest d~ - d over *all* pairs, in the matrix's unit; 0 if no d~ is larger than d by
        more than the numerical error of a distance.
    unit : str
        Of the matrix.

    Numbers that do not exist (no pairs, all alike) are NaN.
    """

    count: int
    pairs: int
    pairs_used: int
    zero_pairs: int
    median_ratio: float
    nearest_kept: float
    spearman: float
    max_violation: float
    unit: str

    def in_words(self) -> str:
        """Say the figures in words."""
        return (
            f"Accuracy of the distances of {number_of(self.count, 'record', 'records')}: median"
            f" of released / true {figure(self.median_ratio, '.2f')}, nearest neighbour right for"
            f" {figure(self.nearest_kept, '.1%')},\nrank correlation"
            f" {figure(self.spearman, '.3f')}, largest excess over a true distance"
            f" {figure(self.max_violation, '.3g')} {self.unit or '(unit of the coordinates)'}."
        )


@dataclass(frozen=True)
class NeighboursKept:
    """Mean share of the ``count`` nearest in the release that are truly among them."""

    count: int
    share: float


@dataclass(frozen=True)
class View:
    """Rank correlation of d~ with d as seen from one record.

    Attributes
    ----------
    record : int
        Index of the record in the points; private like the points.
    spearman : float
    """

    record: int
    spearman: float


@dataclass(frozen=True, repr=False)
class Accuracy:
    """A release in detail.

    Attributes
    ----------
    summary : Summary
    bands : tuple of Band
        By true distance, ascending; bands without pairs are left out.
    neighbours : tuple of NeighboursKept
        For 1, 5, 10 and 20 neighbours, as far as there are so many others.
    centre : View or None
        From the medoid: the record with the smallest mean distance to the others (to a sample
        of 250 of them). None with fewer than three records.
    border : View or None
        From the record farthest from it, which always is a corner of the convex hull.
    agreement : Agreement or None
        What analyses of the release say, of at most 2,000 records. None with fewer than three.
    """

    summary: Summary
    bands: tuple[Band, ...]
    neighbours: tuple[NeighboursKept, ...]
    centre: View | None
    border: View | None
    agreement: Agreement | None

    def __repr__(self) -> str:
        return repr(self.summary)


def summary(
    points: np.ndarray,
    metric: Metric,
    matrix: DistanceMatrix,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    unit_length: float | None = None,
    most_pairs: int = MOST_PAIRS,
) -> Summary:
    """Compare a released matrix with the places in a few numbers.

    Parameters
    ----------
    points : (n, 2) array
        True places in stored coordinates, in the order of the matrix.
    metric : Metric
        How the truth is measured.
    matrix : DistanceMatrix
    rng : numpy.random.Generator
        Draws the sample of pairs.
    progress : callable
        Told a fraction; may raise to cancel.
    unit_length : float, optional
        Length of one unit of the matrix in that of the metric; by default from the matrix's
        ``unit``: 1 for m and for none, 1000 for km.
    most_pairs : int
        A sample of about so many pairs is used where there are more.

    Returns
    -------
    Summary

    Raises
    ------
    InputError
        If the matrix is not that of so many points, or its unit is not known.
    """
    points, length = _prepared(points, metric, matrix, unit_length)
    sample = sample_pairs(points, metric, matrix, length, most_pairs, rng, part(progress, 0, 0.2))
    kept = neighbours_kept(points, metric, matrix, (1,), part(progress, 0.2, 0.5))
    worst = max_violation(points, metric, matrix, length, part(progress, 0.5, 0.99))
    return _summary(matrix, sample, kept, worst, part(progress, 0.99, 1))


def accuracy(
    points: np.ndarray,
    metric: Metric,
    matrix: DistanceMatrix,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    attributes: Mapping[str, np.ndarray] | None = None,
    bands: Sequence[float] | None = None,
    unit_length: float | None = None,
    most_pairs: int = MOST_PAIRS,
    most_records: int = MOST_RECORDS,
) -> Accuracy:
    """Compare a released matrix with the places in detail.

    Parameters
    ----------
    points, metric, matrix, rng, progress, unit_length, most_pairs
        As for :func:`summary`.
    attributes : mapping of str to (n,) float arrays, optional
        Numeric attributes whose Moran's I is computed; NaN where a record has none. Fields are
        simulated where there are no attributes.
    bands : sequence of float, optional
        Limits of the bands in the matrix's unit, ascending. By default so that shares of the
        sampled pairs (:data:`.bands.BANDS`) lie below them, rounded to two digits.
    most_records : int
        Analyses that hold a square matrix use a random sample of so many where there are more.

    Returns
    -------
    Accuracy

    Raises
    ------
    InputError
    """
    points, length = _prepared(points, metric, matrix, unit_length)
    count = len(points)
    sample = sample_pairs(points, metric, matrix, length, most_pairs, rng, part(progress, 0, 0.15))
    counts = tuple(k for k in NEIGHBOURS if k < count)
    kept = neighbours_kept(points, metric, matrix, counts or (1,), part(progress, 0.15, 0.4))
    worst = max_violation(points, metric, matrix, length, part(progress, 0.4, 0.65))
    overall = _summary(matrix, sample, kept, worst, part(progress, 0.65, 0.66))
    centre = border = agreed = None
    if count > 2:
        middle, far = centre_and_border(points, metric, rng, part(progress, 0.66, 0.7))
        centre, border = (_view(points, metric, matrix, length, record) for record in (middle, far))
        agreed = agreement(
            points,
            metric,
            matrix,
            rng,
            part(progress, 0.7, 1),
            attributes=attributes,
            unit_length=length,
            most_records=most_records,
        )
    progress(1.0)
    return Accuracy(
        overall,
        distance_bands(sample, bands),
        tuple(NeighboursKept(k, share) for k, share in zip(counts, kept)),
        centre,
        border,
        agreed,
    )


def _prepared(
    points: np.ndarray, metric: Metric, matrix: DistanceMatrix, unit_length: float | None
) -> tuple[np.ndarray, float]:
    if len(points) != len(matrix):
        raise InputError(
            "The matrix has {records} and the layer {points}: match them by the private key first.",
            records=number_of(len(matrix), "record", "records"),
            points=number_of(len(points), "point", "points"),
        )
    if unit_length is None:
        if matrix.unit not in _UNIT_LENGTH:
            raise InputError(
                "The matrix is in '{unit}', which is none of the units known (m, km).",
                unit=matrix.unit,
            )
        unit_length = _UNIT_LENGTH[matrix.unit]
    return metric.coordinates(np.asarray(points, dtype=np.float64)), float(unit_length)


def _summary(
    matrix: DistanceMatrix,
    sample: PairSample,
    kept: tuple[float, ...],
    worst: float,
    progress: Progress,
) -> Summary:
    apart = sample.true > 0
    ratio = sample.released[apart] / sample.true[apart]
    return Summary(
        count=len(matrix),
        pairs=condensed_size(len(matrix)),
        pairs_used=len(sample.true),
        zero_pairs=int(len(apart) - apart.sum()),
        median_ratio=float(np.median(ratio)) if len(ratio) else float("nan"),
        nearest_kept=kept[0],
        spearman=interruptible(lambda: spearman(sample.true, sample.released), progress),
        max_violation=worst,
        unit=matrix.unit,
    )


def centre_and_border(
    points: np.ndarray,
    metric: Metric,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> tuple[int, int]:
    """Choose a central and a border record.

    The paper takes one point in the centre and one at the border of the area without saying
    how. Here the centre is the medoid and the border the record farthest from it; where there are
    many records, mean distances are those to a random sample.

    Parameters
    ----------
    points : (n, 2) array
        In the metric's own coordinates; at least one.

    Returns
    -------
    centre, border : int
    """
    n = len(points)
    asked = points if n <= _ASKED else points[rng.choice(n, _ASKED, replace=False)]
    total = np.zeros(n)
    for rows in chunks(n, max(1, 50_000 // len(asked)), progress):
        total[rows] = metric.rows(points[rows], asked).sum(axis=1)
    centre = int(total.argmin())
    return centre, int(metric.rows(points[centre : centre + 1], points)[0].argmax())


def _view(
    points: np.ndarray, metric: Metric, matrix: DistanceMatrix, unit_length: float, record: int
) -> View:
    others = np.delete(np.arange(len(points)), record)
    true = metric.rows(points[record : record + 1], points[others])[0] / unit_length
    return View(record, spearman(true, matrix.pairs(record, others)))
