# SPDX-License-Identifier: GPL-2.0-or-later
"""Two adversaries against a mask whose law is known: who lives there, and which record is hers?

**A** has a list of candidates c with weights w, and does not know who is in the file. The
probability that the released point y comes from c is

    p(c | y) = w_c f(y | c) / sum of w f(y | .)                                          (1)

**B** knows that a person is in the file and where she lives, at x. Each released record j is hers
or anybody's, and anybody's is at y with g(y) = sum of w_c f(y | c) / sum of w. So

    q(j) = [f(y_j | x) / g(y_j)] / sum over all records of the same                       (2)

Both guess the likeliest, and share ties. If the model is right they are right as often as their
largest probabilities say on average. What is left out here: that no two places are one address
(:mod:`.together`, for A), and attributes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.errors import InputError
from ...runtime.results import Summarised
from ...runtime.wording import number_of
from .likelihood import Likelihood

#: Probabilities that differ by less than this part are the same: what rounding leaves.
_SAME = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class Guesses(Summarised):
    """What an adversary believes of each of his questions.

    Attributes
    ----------
    first : (n + 1,) int64 array
        Where the answers to each question start.
    answer : (p,) int64 array
        Candidates (A), or records (B).
    probability : (p,) array
        Of each answer; those to one question add up to 1.
    best : (n,) int64 array
        The likeliest answer, the first of equal ones; -1 where there is none.
    top : (n,) array
        Its probability; 0 where there is no answer.
    tied : (n,) int64 array
        How many answers are as likely.
    effective : (n,) array
        Effective number of answers, exp of the entropy; 0 where there is none.
    """

    first: np.ndarray
    answer: np.ndarray
    probability: np.ndarray
    best: np.ndarray
    top: np.ndarray
    tied: np.ndarray
    effective: np.ndarray

    @property
    def unexplained(self) -> np.ndarray:
        """Questions without an answer: not this mask of these candidates, (n,) bool."""
        return self.best < 0

    def right(self, truth: np.ndarray) -> np.ndarray:
        """Chance of each guess to be right, ties shared, (n,).

        Parameters
        ----------
        truth : (n,) int array
            The right answer to each question, below zero where it is not among them.
        """
        question = np.repeat(np.arange(len(self.top)), np.diff(self.first))
        hit = (self.answer == truth[question]) & (
            self.probability >= self.top[question] * (1 - _SAME)
        )
        found = np.zeros(len(self.top))
        found[question[hit]] = 1.0 / self.tied[question[hit]]
        return found

    def of_truth(self, truth: np.ndarray) -> np.ndarray:
        """Probability that he gives to the right answer, (n,); 0 where it is not among his."""
        question = np.repeat(np.arange(len(self.top)), np.diff(self.first))
        hit = self.answer == truth[question]
        found = np.zeros(len(self.top))
        found[question[hit]] = self.probability[hit]
        return found

    def in_words(self) -> str:
        """Say how sure he is on average, and at most."""
        if not len(self.top):
            return "Nothing was asked."
        return (
            f"{number_of(len(self.top), 'question', 'questions')}: right with {self.top.mean():.1%}"
            f" on average by his own probabilities, {self.top.max():.1%} at most"
        )


def who_lives_there(likelihood: Likelihood, weight: np.ndarray | None = None) -> Guesses:
    """Ask for each released point who lives at its true place: adversary A, by (1).

    Parameters
    ----------
    likelihood : Likelihood
    weight : (m,) array, optional
        People or dwellings of each candidate; all alike where it is left out.

    Raises
    ------
    InputError
        If weights are negative or no numbers, or all are zero.
    """
    value = likelihood.value
    if weight is not None:
        value = value * checked_weight(weight, likelihood.candidates)[likelihood.candidate]
    good = value > 0
    first = np.concatenate([[0], np.cumsum(good)])[likelihood.first]
    return _guesses(first, likelihood.candidate[good], value[good])


def which_record(
    likelihood: Likelihood, homes: np.ndarray, weight: np.ndarray | None = None
) -> Guesses:
    """Ask for each person which released record is hers: adversary B, by (2).

    Parameters
    ----------
    likelihood : Likelihood
    homes : (t,) int array
        The candidate at which each person lives who is known to be in the file.
    weight : (m,) array, optional

    Raises
    ------
    InputError
        If a home is no candidate, or weights are none.
    """
    homes, count = np.asarray(homes), likelihood.candidates
    if len(homes) and not (homes.min() >= 0 and homes.max() < count):
        raise InputError(
            "Some homes are none of the {candidates}.",
            candidates=number_of(count, "candidate", "candidates"),
        )
    own = np.ones(count) if weight is None else checked_weight(weight, count)
    point = likelihood.point
    anybody = np.bincount(
        point, likelihood.value * own[likelihood.candidate], minlength=likelihood.points
    )
    # A point that only homes without weight explain is nobody's but theirs.
    with np.errstate(divide="ignore"):
        ratio = np.where(anybody[point] > 0, likelihood.value / anybody[point], np.inf)
    order = np.argsort(likelihood.candidate, kind="stable")
    start = np.searchsorted(likelihood.candidate[order], homes)
    many = np.searchsorted(likelihood.candidate[order], homes, side="right") - start
    within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    pairs = order[np.repeat(start, many) + within]
    first = np.concatenate([[0], np.cumsum(many)])
    value = ratio[pairs]
    largest = np.full(len(homes), 0.0)
    np.maximum.at(largest, np.repeat(np.arange(len(homes)), many), value)
    endless = np.isinf(largest)[np.repeat(np.arange(len(homes)), many)]
    value = np.where(endless, np.isinf(value).astype(float), value)
    keep = value > 0
    first = np.concatenate([[0], np.cumsum(keep)])[first]
    return _guesses(first, point[pairs][keep], value[keep])


def checked_weight(weight: np.ndarray, count: int) -> np.ndarray:
    """Return weights of candidates, or say what is wrong with them."""
    weight = np.asarray(weight, dtype=np.float64)
    if weight.shape != (count,) or not (np.isfinite(weight) & (weight >= 0)).all():
        raise InputError(
            "Weights must be one number for each candidate, zero or more. Correct those that are "
            "missing or negative."
        )
    if not (weight > 0).any():
        raise InputError("All weights are zero: nobody could live anywhere.")
    return weight


def _guesses(first: np.ndarray, answer: np.ndarray, value: np.ndarray) -> Guesses:
    """Make probabilities of what is above zero, question by question."""
    count = len(first) - 1
    question = np.repeat(np.arange(count), np.diff(first))
    # Densities of far tails are tiny: by the largest they are numbers that can be added.
    top = np.zeros(count)
    np.maximum.at(top, question, value)
    value = value / top[question]
    total = np.bincount(question, value, minlength=count)
    probability = value / total[question]
    with np.errstate(divide="ignore"):
        highest = np.where(total > 0, 1.0 / total, 0.0)
    told = np.log(np.maximum(probability, np.finfo(float).tiny))
    entropy = np.bincount(question, -probability * told, minlength=count)
    at_top = np.flatnonzero(value >= 1 - _SAME)
    best = np.full(count, -1, dtype=np.int64)
    best[question[at_top][::-1]] = answer[at_top][::-1]  # the first of equal ones stays
    tied = np.bincount(question[at_top], minlength=count)
    effective = np.where(total > 0, np.exp(entropy), 0.0)
    return Guesses(first, answer, probability, best, highest, tied, effective)
