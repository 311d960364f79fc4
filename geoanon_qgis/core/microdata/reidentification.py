# SPDX-License-Identifier: GPL-2.0-or-later
"""The matching attack with the whole original table: how many matches are right, and which.

Lasko & Vinterbo (2010), section II-A.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from .prediction import MEASURES, PredictionRisk


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
