# SPDX-License-Identifier: GPL-2.0-or-later
"""How many people two files have in common, by how attacks on them go.

An attack on a release with many in common is surer of its matches, whether they are right or not.
So releases are made with a known share in common, all are attacked alike, and the share is
regressed on how sure these attacks were (approximate Bayesian computation with regression;
Beaumont, Zhang & Balding 2002, Genetics 162:4).
"""

from __future__ import annotations

import numpy as np

#: Log-odds that count as certain, and what is farther from all trials than this is cut.
_CERTAIN, _BEYOND = 20.0, 3.0
#: Probability from which a match is sure, and the least on average.
_SURE, _LEAST = 0.9, 1e-4
#: Pull of weights towards nothing.
_RIDGE = 0.3


def told_by(score: np.ndarray, chance: np.ndarray) -> list[float]:
    """Return what an attack on a release tells of how many are in common.

    Parameters
    ----------
    score : (n, c) array
        Log-odds of candidates.
    chance : (n,) array
        Probability of each record's likeliest candidate.

    Returns
    -------
    list of float
        That rise with the share in common, more or less straight.
    """
    best = np.clip(score.max(axis=1), -_CERTAIN, _CERTAIN)
    return [
        float(np.log(max(chance.mean(), _LEAST))),
        float(best.mean()),
        float(np.sqrt((chance > _SURE).mean())),
    ]


def regressed(told: np.ndarray, share: np.ndarray, here: np.ndarray) -> tuple[float, float]:
    """Regress shares in common on what attacks told of them.

    Parameters
    ----------
    told : (m, k) array
        Of each trial.
    share : (m,) array
        That its files have in common.
    here : (k,) array
        Of the release in question.

    Returns
    -------
    (float, float)
        The share there, and how far others would have been off that were not used (leaving one
        out in closed form).
    """
    centre, size = told.mean(axis=0), np.maximum(told.std(axis=0), 1e-9)
    x = np.column_stack([np.ones(len(told)), (told - centre) / size])
    weight = np.linalg.solve(x.T @ x + np.diag([0.0] + [_RIDGE] * told.shape[1]), x.T)
    leverage = np.einsum("ij,ji->i", x, weight)
    off = (share - x @ (weight @ share)) / np.maximum(1 - leverage, 0.1)
    standard = np.clip((here - centre) / size, -_BEYOND, _BEYOND)
    found = np.append(1.0, standard) @ (weight @ share)
    return float(np.clip(found, 0.0, 1.0)), float(np.sqrt(np.mean(off**2)))
