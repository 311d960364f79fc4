# SPDX-License-Identifier: GPL-2.0-or-later
"""Fits the curve by which the near group's matches in an embedding are right or wrong.

Which share of the known people is released follows from the curve, and the curve is fitted with that share, so
that they take turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from geoanon_qgis.core.attacks.linkage.near_strangers import (
    EXACTLY,
    WIDTH,
    AgainstTrial,
    Curve,
)

#: Turns of curve and shares; what large weights cost, of products with a spread of one.
_TURNS, _PULL = 3, 20.0


@dataclass(frozen=True)
class Draw:
    """An attack with its trial, and which matches were right."""

    held: AgainstTrial
    right: np.ndarray


def fit(draws: Sequence[Draw], start: Curve, rounded: bool = False) -> Curve:
    """Return the curve that makes the truth of some draws most likely.

    Parameters
    ----------
    draws : sequence of Draw
    start : Curve
        By which the shares are begun with.
    rounded : bool
        Whether released distances were rounded: how exactly they fit is not asked then.

    Returns
    -------
    Curve
    """
    right = np.concatenate([one.right for one in draws]).astype(float)
    divided = np.concatenate([one.held.matches.divided for one in draws])
    curve = start
    for _ in range(_TURNS):
        columns = np.concatenate(
            [one.held.columns(one.held.matches, one.held.share(curve)) for one in draws]
        )
        if rounded:
            columns[:, EXACTLY] = 0.0
        curve = _likeliest(columns, right, divided)
    return curve


def _likeliest(columns: np.ndarray, right: np.ndarray, divided: np.ndarray) -> Curve:
    spread = columns.std(axis=0)
    spread[spread == 0] = 1.0
    curve = Curve(columns.mean(axis=0), spread, np.zeros((WIDTH + 1, WIDTH + 1)))
    scaled = curve.scaled(columns)
    first, second = np.triu_indices(WIDTH + 1)
    products = scaled[:, first] * scaled[:, second]
    size = products.std(axis=0)
    size[size == 0] = 1.0  # the one of ones, and columns that tell nothing
    products /= size

    def loss(at: np.ndarray) -> tuple[float, np.ndarray]:
        nothing_wrong = expit(products @ at)
        sure = np.clip(nothing_wrong / divided, 1e-9, 1 - 1e-9)
        likely = right * np.log(sure) + (1 - right) * np.log(1 - sure)
        steep = (sure - right) / (1 - sure) * (1 - nothing_wrong)
        pulled = _PULL * np.r_[0.0, at[1:]]
        return float((pulled * at).sum() - likely.sum()), products.T @ steep + 2 * pulled

    begin = np.zeros(len(first))
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x / size
    curve.weights[first, second] = found
    return curve


def written(name: str, curve: Curve) -> str:
    """Return the curve as it stands in ``near_curves.py``."""
    rows = [curve.middle, curve.spread]
    rows += [curve.weights[place, place:] for place in range(WIDTH + 1)]
    lines = [f"    {_row(row)}," for row in rows]
    return "\n".join([f"{name} = _of(", *lines, ")"])


def _row(values: np.ndarray) -> str:
    return (
        "("
        + ", ".join(f"{value:.4g}" for value in values)
        + ("," if len(values) == 1 else "")
        + ")"
    )
