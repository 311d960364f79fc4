# SPDX-License-Identifier: GPL-2.0-or-later
"""Logistic regression by Newton's method, block by block, and the area under its ROC curve.

McCullagh & Nelder (1989), Generalized linear models, section 4.4. Columns that others determine are
left out, as R does: their coefficients are NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..runtime.progress import Progress, chunks, part, silent
from .matrices import block_rows

#: The features of some rows: (rows, k).
Features = Callable[[slice], np.ndarray]

_STEPS = 30
#: A log-likelihood that rises by less has come to its end.
_DONE = 1e-10
#: Share of a column's spread that others must leave, or it is one of them.
_OWN = 1e-9
#: Beyond such log odds a probability is 0 or 1 to the last digit.
_SURE = 30.0


@dataclass(frozen=True)
class Design:
    """Standardised features with a first column of ones, without those that others determine.

    Attributes
    ----------
    features : callable
    count : int
        Rows.
    mean, scale : (k,) arrays
    kept : (k,) bool array
    """

    features: Features
    count: int
    mean: np.ndarray
    scale: np.ndarray
    kept: np.ndarray

    @classmethod
    def of(cls, features: Features, count: int, width: int, progress: Progress = silent) -> Design:
        """Look at the features once for their means, once for how they hang together."""
        mean = np.zeros(width)
        for rows in chunks(count, block_rows(width), part(progress, 0.0, 0.4)):
            mean += features(rows).sum(axis=0)
        mean /= max(count, 1)
        gram = np.zeros((width, width))
        for rows in chunks(count, block_rows(width), part(progress, 0.4, 1.0)):
            block = features(rows) - mean
            gram += block.T @ block
        scale = np.sqrt(np.diag(gram) / max(count, 1))
        # The rounding of the mean must not make a variable of a constant.
        varies = scale > 1e-10 * np.maximum(np.abs(mean), 1e-300)
        scale = np.where(varies, scale, 1.0)
        kept = varies & _independent(gram / np.outer(scale, scale) / max(count, 1))
        return cls(features, count, mean, scale, kept)

    @property
    def width(self) -> int:
        """Columns that are left, with that of ones."""
        return 1 + int(self.kept.sum())

    def rows(self, rows: slice) -> np.ndarray:
        """The columns of some rows."""
        found = ((self.features(rows) - self.mean) / self.scale)[:, self.kept]
        return np.column_stack([np.ones(len(found)), found])

    def spread_out(self, values: np.ndarray) -> np.ndarray:
        """Values of the columns that are left as those of all features; NaN for the others."""
        found = np.full(len(self.kept), np.nan)
        found[self.kept] = values
        return found


def _independent(correlation: np.ndarray) -> np.ndarray:
    """Which columns are not determined by those before them, by Cholesky's steps."""
    left = correlation.copy()
    kept = np.zeros(len(left), dtype=bool)
    for at in range(len(left)):
        if left[at, at] > _OWN:
            kept[at] = True
            row = left[at] / np.sqrt(left[at, at])
            left -= np.outer(row, row)
    return kept


@dataclass(frozen=True)
class Logistic:
    """A fitted model.

    Attributes
    ----------
    design : Design
    beta : (p,) array
        Coefficients of the standardised columns, that of the ones first.
    covariance : (p, p) array
        Of ``beta``.
    converged : bool
        False where some coefficient runs to infinity: a column separates the classes.
    """

    design: Design
    beta: np.ndarray
    covariance: np.ndarray
    converged: bool

    def odds(self, features: Features, count: int, progress: Progress = silent) -> np.ndarray:
        """Log odds of rows of other features, (count,)."""
        other = Design(features, count, self.design.mean, self.design.scale, self.design.kept)
        blocks = chunks(count, block_rows(len(self.design.kept)), progress)
        return np.concatenate([other.rows(rows) @ self.beta for rows in blocks])

    def in_units(self) -> tuple[np.ndarray, np.ndarray]:
        """Coefficients and standard errors in the units of the features, the constant first."""
        design = self.design
        change = np.eye(len(self.beta))
        scale = design.scale[design.kept]
        change[1:, 1:] = np.diag(1 / scale)
        change[0, 1:] = -design.mean[design.kept] / scale
        beta = change @ self.beta
        error = np.sqrt(np.maximum(np.diag(change @ self.covariance @ change.T), 0.0))
        return (
            np.append(beta[0], design.spread_out(beta[1:])),
            np.append(error[0], design.spread_out(error[1:])),
        )


def fit_logistic(
    design: Design, outcome: np.ndarray, ridge: float = 0.0, progress: Progress = silent
) -> Logistic:
    """Fit the log odds of an outcome.

    Parameters
    ----------
    design : Design
    outcome : (n,) bool array
        With both values.
    ridge : float
        Subtracted from the log-likelihood: half of it times the sum of the squared coefficients
        of standardised columns. 0 for maximum likelihood.
    progress : callable

    Returns
    -------
    Logistic
    """
    outcome = np.asarray(outcome, dtype=np.float64)
    share = outcome.mean()
    beta = np.zeros(design.width)
    beta[0] = np.log(share / (1 - share))
    penalty = np.full(design.width, ridge)
    penalty[0] = 0.0
    before, step = -np.inf, np.zeros(design.width)
    converged = False
    for number in range(_STEPS):
        ahead = part(progress, number / _STEPS, (number + 1) / _STEPS)
        value, slope, information = _at(design, outcome, beta, ahead)
        value -= 0.5 * float(penalty @ beta**2)
        if value < before - 1e-9 * abs(before):  # too far
            step = step / 2
            beta = beta - step
            continue
        if value - before < _DONE * (1 + abs(value)):
            converged = bool(np.abs(beta).max() < _SURE)
            break
        before = value
        information[np.diag_indices_from(information)] += penalty
        step = np.linalg.lstsq(information, slope - penalty * beta, rcond=None)[0]
        beta = beta + step
    progress(1.0)
    return Logistic(design, beta, np.linalg.pinv(information), converged)


def _at(design: Design, outcome: np.ndarray, beta: np.ndarray, progress: Progress):
    """Log-likelihood, its slope, and the information."""
    value, width = 0.0, design.width
    slope, information = np.zeros(width), np.zeros((width, width))
    for rows in chunks(design.count, block_rows(width), progress):
        block, right = design.rows(rows), outcome[rows]
        odds = np.clip(block @ beta, -_SURE, _SURE)
        chance = 1 / (1 + np.exp(-odds))
        value += float((right * odds - np.logaddexp(0.0, odds)).sum())
        slope += block.T @ (right - chance)
        information += (block * (chance * (1 - chance))[:, None]).T @ block
    return value, slope, information


def area_under_curve(score: np.ndarray, outcome: np.ndarray) -> float:
    """Chance that one of the class has a higher score than one who is not, ties half.

    Mann & Whitney (1947), as Hanley & McNeil (1982) use it. NaN where one of the classes is empty.
    """
    outcome = np.asarray(outcome, dtype=bool)
    ones, others = int(outcome.sum()), int((~outcome).sum())
    if not ones or not others:
        return float("nan")
    ordered = np.sort(score)
    rank = (np.searchsorted(ordered, score) + np.searchsorted(ordered, score, "right") + 1) / 2
    return float((rank[outcome].sum() - ones * (ones + 1) / 2) / (ones * others))
