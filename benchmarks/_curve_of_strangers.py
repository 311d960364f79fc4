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

from geoanon_qgis.core.attacks.linkage.near_strangers import AgainstTrial, Curve

#: Turns of curve and shares; what large slopes cost, of columns with a spread of one.
_TURNS, _PULL = 4, 2.0
#: What a slope may be. The more wrong pairs are expected, the more candidates and rivals there are and the more
#: speaks against it, the less sure a match is; the stronger and the more ahead, the surer; of strangers, the more
#: of them score like it, the more likely it is one.
_FALLS, _RISES, _FREE = (None, 0.0), (0.0, None), (None, None)
_OTHERS = (
    _FALLS,
    _FREE,
    _RISES,
    _RISES,
    _FALLS,
    _RISES,
    _FREE,
    _FALLS,
    _FALLS,
    _FREE,
    _FALLS,
    _FALLS,
)
_STRANGERS = (_RISES, _RISES, _RISES, _FREE, _FREE)
#: Columns by which rounded distances tell nothing for certain.
_MISSING = 10, 11


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
    others = np.concatenate([one.held.matches.others for one in draws])
    if rounded:
        others[:, _MISSING] = 0.0
    right = np.concatenate([one.right for one in draws]).astype(float)
    divided = np.concatenate([one.held.matches.divided for one in draws])
    curve = start
    for _ in range(_TURNS):
        strangers = np.concatenate(
            [one.held.by_strangers(one.held.matches, one.held.share(curve)) for one in draws]
        )
        curve = _likeliest(others, strangers, right, divided)
    return curve


def _likeliest(others: np.ndarray, strangers: np.ndarray, right, divided) -> Curve:
    columns = np.column_stack([others, strangers])
    spread = columns.std(axis=0)
    spread[spread == 0] = 1.0
    cut = others.shape[1]
    first, second = columns[:, :cut] / spread[:cut], columns[:, cut:] / spread[cut:]

    def loss(at: np.ndarray) -> tuple[float, np.ndarray]:
        intercepts, slopes = at[:2], at[2:]
        other = np.exp(np.clip(-intercepts[0] - first @ slopes[:cut], -30, 30))
        stranger = np.exp(np.clip(intercepts[1] + second @ slopes[cut:], -30, 30))
        all_ = 1 + other + stranger
        sure = np.clip(1 / (all_ * divided), 1e-9, 1 - 1e-9)
        likely = right * np.log(sure) + (1 - right) * np.log(1 - sure)
        steep = (right / sure - (1 - right) / (1 - sure)) * sure / all_
        by_other, by_stranger = steep * other, -steep * stranger
        gradient = np.r_[
            by_other.sum(), by_stranger.sum(), first.T @ by_other, second.T @ by_stranger
        ]
        pulled = np.r_[0.0, 0.0, 2 * _PULL * slopes]
        return _PULL * float((slopes**2).sum()) - float(likely.sum()), pulled - gradient

    begin = np.r_[2.0, -2.0, np.zeros(columns.shape[1])]
    bounds = [_FREE, _FREE, *_OTHERS, *_STRANGERS]
    options = {"maxiter": 800, "maxfun": 1000}
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds, options=options).x
    slopes = found[2:] / spread
    return Curve((found[0], *slopes[:cut]), (found[1], *slopes[cut:]))
