# SPDX-License-Identifier: GPL-2.0-or-later
"""The regression that an analyst would run, on the original and on the release.

Coefficients with 95 % intervals, and how far the intervals overlap: Karr, Kohnen, Oganian, Reiter &
Sanil (2006), A framework for evaluating the utility of data altered to protect confidentiality, The
American Statistician 60(3), 224-232, equation 6; the standardised difference is that of Snoke, Raab,
Nowok, Dibben & Slavkovic (2018), General and specific utility measures for synthetic data, Journal of
the Royal Statistical Society A 181(3), 663-688.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import figure
from .logistic import Design, fit_logistic

LINEAR, LOGISTIC = "linear", "logistic"
CONSTANT = "(constant)"
#: Normal quantile of 95 % intervals.
_WIDE = 1.959963984540054
#: A name of a field: quoted, or without blanks and signs.
_NAME = re.compile(r"""\s*(?:"([^"]+)"|`([^`]+)`|([^\s"`~+*:()^|-]+))\s*""")


@dataclass(frozen=True)
class Formula:
    """An outcome and what is to explain it: names of fields."""

    outcome: str
    terms: tuple[str, ...]

    @classmethod
    def parsed(cls, text: str) -> Formula:
        """Read ``income ~ age + sex``; names with blanks or signs stand in quotation marks.

        Raises
        ------
        InputError
            If it is not of that form, or a field stands in it twice.
        """
        parts = re.findall(r'(?:"[^"]*"|`[^`]*`|[^~"`]|["`])+', text)
        sides = parts if text.count("~") else []
        names = [_names(side) for side in sides]
        if len(names) != 2 or len(names[0]) != 1 or not names[1]:
            raise InputError(
                "The formula “{formula}” cannot be read. Write a field, ~, and the fields that "
                "explain it with + between: income ~ age + sex. Names with blanks or signs stand "
                "in quotation marks.",
                formula=text.strip(),
            )
        (outcome,), terms = names[0], names[1]
        twice = [one for one in {outcome, *terms} if [outcome, *terms].count(one) > 1]
        if twice:
            raise InputError(
                "“{field}” stands twice in the formula. Name each field once.",
                field=sorted(twice)[0],
            )
        return cls(outcome, tuple(terms))

    @property
    def fields(self) -> tuple[str, ...]:
        """All of its fields."""
        return (self.outcome, *self.terms)


def _names(side: str) -> list[str]:
    """Names with + between, none where it is not so."""
    found, at = [], 0
    while True:
        name = _NAME.match(side, at)
        if name is None:
            return []
        found.append(next(filter(None, name.groups())))
        at = name.end()
        if at == len(side):
            return found
        if side[at] != "+":
            return []
        at += 1


@dataclass(frozen=True)
class Fit:
    """Coefficients of one table; arrays by term.

    Attributes
    ----------
    records : int
        With a value in every field of the formula.
    coefficient, error, low, high : (p,) arrays
        With 95 % intervals; NaN where a term says nothing that others do not.
    is_sound : bool
        False where a term separates the two classes: its coefficient has no end.
    """

    records: int
    coefficient: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
    is_sound: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class RegressionKept(Summarised):
    """One formula on both tables.

    Attributes
    ----------
    formula : Formula
    kind : str
        ``linear`` or ``logistic``.
    outcome : str
        Of a logistic regression: the class whose log odds are explained; else empty.
    terms : tuple of str
        The constant, then each number by its name and each category as ``field=value``.
    original, released : Fit
    overlap : (p,) array
        Of the two 95 % intervals, 0 to 1: the mean of the shares of either that lie in the other.
        NaN where there are not two.
    standardised : (p,) array
        Difference over the original's standard error.
    """

    formula: Formula
    kind: str
    outcome: str
    terms: tuple[str, ...]
    original: Fit
    released: Fit
    overlap: np.ndarray
    standardised: np.ndarray

    @property
    def compared(self) -> np.ndarray:
        """Overlaps of the terms but the constant; a term that is lost counts as 0."""
        there = ~np.isnan(self.original.coefficient[1:])
        return np.nan_to_num(self.overlap[1:][there])

    @property
    def turned(self) -> list[str]:
        """Terms with an interval on one side of zero, then on the other."""
        before, after = self.original, self.released
        with np.errstate(invalid="ignore"):
            turned = ((before.low > 0) & (after.high < 0)) | ((before.high < 0) & (after.low > 0))
        return [term for term, one in zip(self.terms, turned) if one and term != CONSTANT]

    def in_words(self) -> str:
        """Say how far the intervals overlap."""
        compared = self.compared
        smallest = figure(float(compared.min()) if len(compared) else float("nan"), ".2f")
        middle = figure(float(np.median(compared)) if len(compared) else float("nan"), ".2f")
        return (
            f"{self.kind.capitalize()} regression of {self.formula.outcome} with"
            f" {len(self.terms) - 1:,} terms: intervals overlap by {middle} (median), {smallest} at"
            " the least."
        )


Columns = Mapping[str, np.ndarray]


def compare_regressions(
    formula: Formula, original: Columns, released: Columns, progress: Progress = silent
) -> RegressionKept:
    """Run one regression on both tables.

    Parameters
    ----------
    formula : Formula
    original, released : mapping of str to (n,) or (p,) array
        Numbers (NaN is missing), or objects (None is missing). Records that lack a value of the
        formula are left out, as statistics programs do; in the release also those with a
        category that the original does not have.
    progress : callable

    Returns
    -------
    RegressionKept
        The most frequent category of the original is the one that others are compared with.

    Raises
    ------
    InputError
        If a field is missing, the outcome is neither a number nor of two values, or the original
        has too few records for the terms.
    """
    for name in formula.fields:
        if name not in original or name not in released:
            raise InputError(
                "The formula names “{field}”, which is not among the fields that are compared.",
                field=name,
            )
    levels = {name: _levels(original[name]) for name in formula.fields}
    kind, target = _kind(formula.outcome, original[formula.outcome], levels[formula.outcome])
    terms = [CONSTANT]
    for name in formula.terms:
        of = levels[name]
        terms += [name] if of is None else [f"{name}={level}" for level in of[1:]]
    fits = []
    for number, table in enumerate((original, released)):
        ahead = part(progress, number / 2, (number + 1) / 2)
        fits.append(_fit(formula, table, levels, kind, target, len(terms), ahead, number == 0))
    before, after = fits
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.abs(after.coefficient - before.coefficient) / before.error
    return RegressionKept(
        formula,
        kind,
        "" if kind == LINEAR else str(target),
        tuple(terms),
        before,
        after,
        interval_overlap(before.low, before.high, after.low, after.high),
        apart,
    )


def interval_overlap(low, high, other_low, other_high) -> np.ndarray:
    """Mean of the shares of two intervals that lie in the other; 0 where they are apart."""
    with np.errstate(invalid="ignore", divide="ignore"):
        common = np.maximum(np.minimum(high, other_high) - np.maximum(low, other_low), 0.0)
        shares = (common / (high - low) + common / (other_high - other_low)) / 2
    # Two points that are one, as of an exact relation.
    return np.where((high == low) & (other_high == other_low), (low == other_low) * 1.0, shares)


def _levels(values: np.ndarray) -> list | None:
    """Categories, the most frequent first; None for numbers."""
    if values.dtype.kind in "fiu":
        return None
    there = [one for one in values.tolist() if one is not None]
    count: dict = {}
    for one in there:
        count[one] = count.get(one, 0) + 1
    return sorted(count, key=lambda one: (-count[one], str(one)))


def _kind(name: str, values: np.ndarray, levels: list | None) -> tuple[str, object]:
    """Linear, or logistic with the class whose odds are explained: the later one in order."""
    if levels is None:
        there = np.unique(values[np.isfinite(values)])
        if len(there) > 2:
            return LINEAR, None
        found = there.tolist()
    else:
        found = sorted(levels, key=str)
    if len(found) != 2:
        raise InputError(
            "“{field}” has {count:,} different values. The outcome of a formula is a number, or a "
            "field with two values.",
            field=name,
            count=len(found),
        )
    return LOGISTIC, found[1]


def _fit(formula, table, levels, kind: str, target, width: int, progress, is_original) -> Fit:
    pieces, there = [], None
    outcome = table[formula.outcome]
    for name in formula.fields:
        values = table[name]
        of = levels[name]
        if of is None:
            good = np.isfinite(values)
        else:
            known = set(of)
            good = np.fromiter((one in known for one in values.tolist()), bool, len(values))
        there = good if there is None else there & good
    for name in formula.terms:
        values = table[name][there]
        if levels[name] is None:
            pieces.append(values.astype(np.float64)[:, None])
        else:
            # A field of one category explains nothing, and has no term.
            same = [values == one for one in levels[name][1:]]
            pieces.append(np.array(same, dtype=np.float64).reshape(-1, len(values)).T)
    features = np.concatenate(pieces, axis=1)
    outcome = outcome[there]
    count = len(features)
    nothing = np.full(width, np.nan)
    if count <= width + 1:
        if is_original:
            raise InputError(
                "Records that have all fields of the formula: {count:,}, too few for {terms} terms.",
                count=count,
                terms=width,
            )
        return Fit(count, nothing, nothing, nothing, nothing)
    if kind == LINEAR:
        return _linear(features, outcome.astype(np.float64), progress)
    right = np.asarray(outcome == target, dtype=bool)
    if right.all() or not right.any():
        return Fit(count, nothing, nothing, nothing, nothing)
    design = Design.of(lambda rows: features[rows], count, width - 1)
    fitted = fit_logistic(design, right, progress=progress)
    beta, error = fitted.in_units()
    sound = fitted.converged
    return Fit(count, beta, error, beta - _WIDE * error, beta + _WIDE * error, sound)


def _linear(features: np.ndarray, outcome: np.ndarray, progress: Progress) -> Fit:
    """Least squares by an orthogonal decomposition of the standardised columns."""
    from scipy.special import stdtrit

    count, width = features.shape
    design = Design.of(lambda rows: features[rows], count, width, part(progress, 0.0, 0.3))
    q, r = interruptible(
        lambda: np.linalg.qr(design.rows(slice(0, count))), part(progress, 0.3, 0.8)
    )
    progress(0.8)
    mean = outcome.mean()
    beta = np.linalg.solve(r, q.T @ (outcome - mean))
    left = outcome - mean - q @ (r @ beta)
    free = count - design.width
    inverse = np.linalg.inv(r)
    covariance = inverse @ inverse.T * float(left @ left) / free
    scale = design.scale[design.kept]
    change = np.eye(len(beta))
    change[1:, 1:] = np.diag(1 / scale)
    change[0, 1:] = -design.mean[design.kept] / scale
    beta = change @ beta
    beta[0] += mean
    error = np.sqrt(np.diag(change @ covariance @ change.T))
    beta = np.append(beta[0], design.spread_out(beta[1:]))
    error = np.append(error[0], design.spread_out(error[1:]))
    wide = float(stdtrit(free, 0.975))
    progress(1.0)
    return Fit(count, beta, error, beta - wide * error, beta + wide * error)
