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
(:mod:`.together`, for A), and attributes (:mod:`.attributes`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...runtime.errors import InputError
from ...runtime.results import Summarised
from ...runtime.rows import largest, lots, starts
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

    def rank_of(self, truth: np.ndarray) -> np.ndarray:
        """Place of the right answer among his, the likeliest first, (n,) int; 0 where it is not there.

        One more than there are likelier answers: of equal ones each has the first place of them.
        """
        question = np.repeat(np.arange(len(self.top)), np.diff(self.first))
        own = self.of_truth(truth)
        likelier = self.probability > own[question] * (1 + _SAME)
        ahead = np.bincount(question[likelier], minlength=len(self.top))
        return np.where(own > 0, ahead + 1, 0)

    def believed(self, share: np.ndarray) -> Guesses:
        """Return the same answers, of which one is right with a probability of its own.

        Parameters
        ----------
        share : (n,) array
            For each question the probability that the right answer is among them.
        """
        each = np.repeat(share, np.diff(self.first))
        return replace(self, probability=self.probability * each, top=self.top * share)

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
    if weight is not None:
        own = checked_weight(weight, likelihood.candidates)
        likelihood = likelihood.with_values(likelihood.value * own[likelihood.candidate])
    return _guesses(likelihood.first, likelihood.candidate, likelihood.value)


def which_record(
    likelihood: Likelihood,
    homes: np.ndarray,
    weight: np.ndarray | None = None,
    anybody: np.ndarray | None = None,
) -> Guesses:
    """Ask for each person which released record is hers: adversary B, by (2).

    Parameters
    ----------
    likelihood : Likelihood
    homes : (t,) int array
        The candidate at which each person lives who is known to be in the file.
    weight : (m,) array, optional
    anybody : (n,) array, optional
        Sum of w f(y | c) over all candidates for each released point, where the likelihood has
        pairs of homes alone (:func:`.likelihood.of_homes`).

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
    own = None if weight is None else checked_weight(weight, count)
    asked = np.zeros(count, dtype=bool)
    asked[homes] = True
    points, candidates, ratios = [], [], []
    for rows, pairs, point in lots(likelihood.first):
        candidate, value = likelihood.candidate[pairs], likelihood.value[pairs]
        if anybody is None:
            mass = value if own is None else value * own[candidate]
            of_anybody = np.bincount(point, mass, minlength=rows.stop - rows.start)
        else:
            of_anybody = anybody[rows]
        hit = np.flatnonzero(asked[candidate])
        point, candidate, value = point[hit], candidate[hit], value[hit]
        # A point that only homes without weight explain is nobody's but theirs.
        with np.errstate(divide="ignore"):
            ratios.append(np.where(of_anybody[point] > 0, value / of_anybody[point], np.inf))
        points.append(point + rows.start)
        candidates.append(candidate)
    none = np.empty(0, dtype=np.int64)
    point, candidate = np.concatenate([none, *points]), np.concatenate([none, *candidates])
    order = np.argsort(candidate, kind="stable")
    start = np.searchsorted(candidate[order], homes)
    many = np.searchsorted(candidate[order], homes, side="right") - start
    within = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
    hits = order[np.repeat(start, many) + within]
    first, value = starts(many), np.concatenate([np.empty(0), *ratios])[hits]
    endless = np.isinf(np.repeat(largest(first, value), many))
    value = np.where(endless, np.isinf(value).astype(float), value)
    keep = value > 0
    return _guesses(starts(keep)[first], point[hits][keep], value[keep])


def of_anybody(weighed: Likelihood) -> np.ndarray:
    """Return what each point would be of anybody, up to a factor for all: g(y) of (2), (n,)."""
    found = np.zeros(weighed.points)
    for rows, pairs, point in lots(weighed.first):
        found[rows] = np.bincount(point, weighed.value[pairs], minlength=rows.stop - rows.start)
    return found


def which_of_these(people: Likelihood, anybody: np.ndarray) -> Guesses:
    """Ask for each person which record is hers, where what she and anybody would release is known.

    Parameters
    ----------
    people : Likelihood
        A point for each person, a candidate for each record; see :meth:`.Likelihood.of_people`.
    anybody : (n,) array
        Of each record; see :func:`of_anybody`.
    """
    other = anybody[people.candidate]
    # A point that only homes without weight explain is nobody's but theirs.
    with np.errstate(divide="ignore"):
        value = np.where(other > 0, people.value / other, np.inf)
    endless = np.zeros(people.points, dtype=bool)
    endless[people.point[np.isinf(value)]] = True
    value = np.where(endless[people.point], np.isinf(value).astype(float), value)
    kept = people.with_values(value)
    return _guesses(kept.first, kept.candidate, kept.value)


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
    probability = np.empty(len(answer))
    total, entropy = np.zeros(count), np.zeros(count)
    best, tied = np.full(count, -1, dtype=np.int64), np.zeros(count, dtype=np.int64)
    for rows, some, question in lots(first):
        here = first[rows.start : rows.stop + 1] - first[rows.start]
        # Densities of far tails are tiny: by the largest they are numbers that can be added.
        scaled = value[some] / largest(here, value[some])[question]
        total[rows] = np.bincount(question, scaled, minlength=len(here) - 1)
        found = scaled / total[rows][question]
        probability[some] = found
        told = np.log(np.maximum(found, np.finfo(float).tiny))
        entropy[rows] = np.bincount(question, -found * told, minlength=len(here) - 1)
        at_top = np.flatnonzero(scaled >= 1 - _SAME)
        asked = question[at_top] + rows.start
        best[asked[::-1]] = answer[some][at_top][::-1]  # the first of equal ones stays
        tied[rows] = np.bincount(question[at_top], minlength=len(here) - 1)
    with np.errstate(divide="ignore"):
        highest = np.where(total > 0, 1.0 / total, 0.0)
    effective = np.where(total > 0, np.exp(entropy), 0.0)
    return Guesses(first, answer, probability, best, highest, tied, effective)
