# SPDX-License-Identifier: GPL-2.0-or-later
"""Probabilities of candidates, from what speaks for them, as it was right in one's own releases.

What speaks for a candidate are sums of logarithms over distances that depend on each other, so
that taking them for likelihoods would be far too sure. Their weights are learnt, with the odds
that a record is nobody who is known, where the truth is known: in releases that one made oneself
(multinomial logistic regression; McFadden 1974). A weight is the inverse of a temperature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

#: Rounds that make matches one to one.
_BALANCING = 20
#: Pull of weights towards nothing, per record.
_RIDGE = 1e-4
#: Probabilities are never more certain than this.
_SURE = 1e-6


@dataclass(frozen=True, eq=False)
class Odds:
    """How much each thing that speaks for a candidate weighs.

    Attributes
    ----------
    weights : (f,) array
        None below zero.
    nobody : float
        What a candidate has to outweigh.
    """

    weights: np.ndarray
    nobody: float

    def scores(self, said: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        """Log-odds of candidates against nobody: (n, c, f) and (n, c) -> (n, c)."""
        return np.where(candidates >= 0, said @ self.weights - self.nobody, -np.inf)


def learn_odds(
    said: Sequence[np.ndarray], candidates: Sequence[np.ndarray], right: Sequence[np.ndarray]
) -> Odds:
    """Learn weights from releases whose truth is known.

    Parameters
    ----------
    said : sequence of (n, c, f) arrays
        What speaks for each candidate.
    candidates : sequence of (n, c) int arrays
        People; -1 for none.
    right : sequence of (n,) int arrays
        Which of a record's candidates is right; -1 for none of them.

    Returns
    -------
    Odds
    """
    from scipy.optimize import minimize

    number = said[0].shape[2]
    # Everything as one deviation, so that one pull fits all.
    size = np.sqrt(np.mean([np.square(one).mean(axis=(0, 1)) for one in said], axis=0))
    size = np.maximum(size, 1e-9)
    count = sum(map(len, right))

    def loss(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = 0.0, np.zeros(number + 1)
        odds = Odds(parameters[:-1] / size, parameters[-1])
        for one, who, truth in zip(said, candidates, right):
            score = odds.scores(one, who)
            top = np.maximum(score.max(axis=1), 0.0)
            share = np.exp(score - top[:, None])
            nobody = np.exp(-top)
            total = share.sum(axis=1) + nobody
            rows = np.flatnonzero(truth >= 0)
            value -= score[rows, truth[rows]].sum() - (top + np.log(total)).sum()
            share /= -total[:, None]
            share[rows, truth[rows]] += 1.0
            slope[:-1] -= np.einsum("nc,ncf->f", share, one) / size
            slope[-1] += share.sum()
        pull = _RIDGE * parameters
        return value / count + 0.5 * float(pull @ parameters), slope / count + pull

    found = minimize(
        loss,
        np.append(0.3 * size, 0.0),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, None)] * number + [(None, None)],
        options={"maxiter": 200},
    )
    return Odds(found.x[:-1] / size, float(found.x[-1]))


def balanced(scores: np.ndarray, candidates: np.ndarray, people: int) -> np.ndarray:
    """Probabilities of candidates, where nobody is two records.

    Rows and columns are scaled in turn (Sinkhorn 1964), with room for whoever is not known.

    Parameters
    ----------
    scores : (n, c) array
        Log-odds against nobody; minus infinity where there is no candidate.
    candidates : (n, c) int array
    people : int
        Number of the known people.

    Returns
    -------
    (n, c) array
        Each record's sum to one at most, and each person's.
    """
    top = np.maximum(scores.max(axis=1, initial=0.0), 0.0)
    share, nobody = np.exp(scores - top[:, None]), np.exp(-top)
    total = share.sum(axis=1) + nobody
    share /= total[:, None]
    nobody = nobody / total
    who = np.maximum(candidates, 0)
    flat = who.ravel()
    for _ in range(_BALANCING):
        taken = np.bincount(flat, share.ravel(), minlength=people)
        share /= np.maximum(taken, 1.0)[who]
        total = share.sum(axis=1) + nobody
        share /= total[:, None]
        nobody = nobody / total
    return share / np.maximum(np.bincount(flat, share.ravel(), minlength=people), 1.0)[who]


def assigned(chance: np.ndarray, candidates: np.ndarray, people: int) -> np.ndarray:
    """Assign a candidate to each record, nobody to two, so that most are expected to be right.

    Parameters
    ----------
    chance : (n, c) array
    candidates : (n, c) int array
    people : int

    Returns
    -------
    (n,) int array
        Column of the candidate; -1 for none.
    """
    from scipy.optimize import linear_sum_assignment

    column = np.full((len(candidates), people), -1, dtype=np.int32)
    gain = np.zeros((len(candidates), people))
    row, at = np.nonzero(candidates >= 0)
    column[row, candidates[row, at]] = at
    gain[row, candidates[row, at]] = chance[row, at]
    result = np.full(len(candidates), -1)
    row, person = linear_sum_assignment(gain, maximize=True)
    result[row] = column[row, person]
    return result


@dataclass(frozen=True, eq=False)
class Calibration:
    """Says how often matches of a probability were right (Platt 1999), and of other signs.

    Attributes
    ----------
    slope, intercept : float
    middle, weights : (c,) arrays
        Of the other signs.
    """

    slope: float
    intercept: float
    middle: np.ndarray
    weights: np.ndarray

    def of(self, chance: np.ndarray, signs: np.ndarray | None = None) -> np.ndarray:
        """Return how probable matches are: (m,) and (m, c) -> (m,)."""
        signs = np.zeros((len(chance), 0)) if signs is None else signs
        told = (signs - self.middle) @ self.weights
        return 1 / (1 + np.exp(-self.intercept - self.slope * _logit(chance) - told))


def calibrate(
    chance: np.ndarray, right: np.ndarray, signs: np.ndarray | None = None
) -> Calibration:
    """Learn from matches whose truth is known.

    Parameters
    ----------
    chance : (m,) array
    right : (m,) bool array
    signs : (m, c) array, optional
        What else tells how sure a match is.

    Returns
    -------
    Calibration
        Drawn towards leaving probabilities as they are, by as much as a few matches.
    """
    from scipy.optimize import minimize

    signs = np.zeros((len(chance), 0)) if signs is None else signs
    middle, spread = signs.mean(axis=0), np.maximum(signs.std(axis=0), 1e-9)
    x = np.column_stack([_logit(chance), np.ones(len(chance)), (signs - middle) / spread])
    y, unchanged = right.astype(np.float64), np.eye(1, x.shape[1])[0]

    def loss(p):
        z = x @ p
        miss = 1 / (1 + np.exp(-z)) - y
        value = (np.logaddexp(0, z) - y * z).sum() + 2 * ((p - unchanged) ** 2).sum()
        return value, miss @ x + 4 * (p - unchanged)

    bounds = [(0.05, 5.0)] + [(None, None)] * (x.shape[1] - 1)
    found = minimize(loss, unchanged, jac=True, method="L-BFGS-B", bounds=bounds).x
    return Calibration(float(found[0]), float(found[1]), middle, found[2:] / spread)


def _logit(chance: np.ndarray) -> np.ndarray:
    chance = np.clip(chance, _SURE, 1 - _SURE)
    return np.log(chance / (1 - chance))
