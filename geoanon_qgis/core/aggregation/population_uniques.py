# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is alone in a sample: how many of them are alone in the population that it was drawn from?

Two models of how class sizes are made are fitted by maximum likelihood to the sizes in the sample,
and asked how many classes have one member in the population; what they disagree by shows how much
hangs on the model. The third figure needs no model.

References
----------
Hoshino (2001), Applying Pitman's sampling formula to microdata disclosure risk assessment, Journal
of Official Statistics 17(4), 499-520. Carlson (2002), Assessing microdata disclosure risk using the
Poisson-inverse Gaussian distribution, Statistics in Transition 5(6), 901-925. Skinner & Elliot
(2002), A measure of disclosure risk for microdata, Journal of the Royal Statistical Society B 64(4),
855-867 (data intrusion simulation, equation 3.2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.results import Summarised

PITMAN, POISSON_INVERSE_GAUSSIAN = MODELS = ("pitman", "poisson_inverse_gaussian")
#: Sizes beyond are one: what makes uniques are small classes, and each size costs a step.
_LARGEST = 1_000


@dataclass(frozen=True)
class Estimate:
    """What one model says.

    Attributes
    ----------
    model : str
        One of :data:`MODELS`.
    share : float
        Of the unique records, those who are unique in the population. NaN where no record is
        unique, and where all are: then nothing tells how classes grow.
    uniques : float
        People who are unique in the population, NaN with ``share``.
    """

    model: str
    share: float
    uniques: float


@dataclass(frozen=True, repr=False)
class PopulationUniques(Summarised):
    """Uniques of a sample and of its population.

    Attributes
    ----------
    fraction : float
        Share of the population that is in the sample.
    records, uniques, pairs : int
        Records of the sample, classes of one and of two.
    estimates : tuple of Estimate
        One for each of :data:`MODELS`.
    matched : float
        Probability that a person of the population who agrees with a unique record, and with no
        other, is the one whose record it is. NaN without unique records.
    """

    fraction: float
    records: int
    uniques: int
    pairs: int
    estimates: tuple[Estimate, ...]
    matched: float

    def in_words(self) -> str:
        """Say the estimates."""
        said = ", ".join(
            f"{one.share:.1%} ({one.model.replace('_', ' ')})" for one in self.estimates
        )
        return (
            f"{self.uniques:,} of {self.records:,} records are unique in the sample of"
            f" {self.fraction:.3g} of the population; unique in the population are {said} of them."
            f"\nWho agrees with one of them alone is that person in {self.matched:.1%}."
        )


def population_uniques(
    sizes: np.ndarray, fraction: float, progress: Progress = silent
) -> PopulationUniques:
    """Estimate how many unique records are unique in the population.

    Parameters
    ----------
    sizes : (c,) int array
        Records of each class of the sample; none is 0.
    fraction : float
        Share of the population that is in the sample, every person with the same chance.
    progress : callable

    Returns
    -------
    PopulationUniques

    Raises
    ------
    InputError
        If the fraction is not above 0 and at most 1.
    """
    sizes = np.asarray(sizes)
    if not 0 < fraction <= 1:
        raise InputError(
            "The share of the population that is in the sample must be above 0 and at most 1, not "
            "{fraction:g}.",
            fraction=fraction,
        )
    records, uniques, pairs = int(sizes.sum()), int((sizes == 1).sum()), int((sizes == 2).sum())
    estimates = []
    for number, (model, share_of) in enumerate(zip(MODELS, (_pitman, _inverse_gaussian))):
        progress(number / len(MODELS))
        share = float("nan")
        if uniques and fraction == 1:
            share = 1.0
        elif 0 < uniques < records:
            share = share_of(sizes, fraction, progress)
        estimates.append(Estimate(model, share, share * uniques / fraction))
    progress(1.0)
    sure, doubtful = fraction * uniques, 2 * (1 - fraction) * pairs
    matched = sure / (sure + doubtful) if sure + doubtful else float("nan")
    return PopulationUniques(fraction, records, uniques, pairs, tuple(estimates), matched)


def _fitted(
    loss: Callable[[np.ndarray], float], start: list[float], progress: Progress
) -> np.ndarray:
    """The parameters, on a scale without ends, where the loss is least."""
    from scipy.optimize import minimize

    def asked(parameters: np.ndarray) -> float:
        progress(0.5)
        # Beyond some thirty a scale of logarithms has come to its end.
        if np.abs(parameters).max() > 35:
            return np.inf
        found = loss(parameters)
        return found if np.isfinite(found) else np.inf

    options = {"maxiter": 600, "xatol": 1e-6, "fatol": 1e-8}
    return minimize(asked, start, method="Nelder-Mead", options=options).x


def _pitman(sizes: np.ndarray, fraction: float, progress: Progress) -> float:
    """Chance of a unique record to stay alone until the whole population has come.

    Of n + 1 people the last joins a class of one with (1 - alpha) / (theta + n).
    """
    from scipy.special import gammaln

    n, classes = int(sizes.sum()), len(sizes)
    size, count = np.unique(sizes, return_counts=True)

    def law(parameters: np.ndarray) -> tuple[float, float]:
        alpha = float(1 / (1 + np.exp(-parameters[0])))
        return alpha, float(np.exp(parameters[1])) - alpha

    def loss(parameters: np.ndarray) -> float:
        alpha, theta = law(parameters)
        ratio = theta / alpha
        new = (classes - 1) * np.log(alpha) + gammaln(ratio + classes) - gammaln(ratio + 1)
        all_of_them = gammaln(theta + n) - gammaln(theta + 1)
        within = (count * (gammaln(size - alpha) - gammaln(1 - alpha))).sum()
        return -float(new - all_of_them + within)

    alpha, theta = law(_fitted(loss, [-1.0, np.log(classes)], lambda _: progress(0.2)))
    whole = n / fraction
    stays = gammaln(theta + alpha + whole - 1) - gammaln(theta + alpha + n - 1)
    return float(np.exp(stays - gammaln(theta + whole) + gammaln(theta + n)))


def _inverse_gaussian(sizes: np.ndarray, fraction: float, progress: Progress) -> float:
    """Chance of a unique record to be so in the population, where means of classes vary so.

    Sizes are Poisson about means of an inverse Gaussian law, with empty classes that nobody sees;
    a sample of it is of the same family with mean and dispersion times the fraction.
    """
    size, count = np.unique(np.minimum(sizes, _LARGEST), return_counts=True)

    def loss(parameters: np.ndarray) -> float:
        mean, spread = np.exp(parameters)
        logs = log_probabilities(mean, spread, int(size[-1]))
        seen = np.log(-np.expm1(logs[0]))
        found = logs[size]
        if size[-1] == _LARGEST:  # that many, or more
            found[-1] = np.log(max(-np.expm1(np.logaddexp.reduce(logs[:-1])), 1e-300))
        return -float((count * (found - seen)).sum())

    start = float(np.log(sizes.mean()))
    mean, spread = np.exp(_fitted(loss, [start, start], lambda _: progress(0.7)))
    here = log_probabilities(mean, spread, 1)[1]
    there = log_probabilities(mean / fraction, spread / fraction, 1)[1]
    return float(min(1.0, fraction * np.exp(there - here)))


def log_probabilities(mean: float, spread: float, largest: int) -> np.ndarray:
    """Logarithms of the probabilities of the Poisson-inverse Gaussian law, by their ratios.

    Parameters
    ----------
    mean, spread : float
        Of the sizes: their mean, and what their variance has beyond it over the mean.
    largest : int

    Returns
    -------
    (largest + 1,) array
        Of the sizes 0 to ``largest`` (Willmot 1987).
    """
    root = np.sqrt(1 + 2 * spread)
    logs = np.empty(largest + 1)
    # spread -> 0 is the Poisson law: (root - 1) / spread = 2 / (root + 1) keeps its digits.
    logs[0] = -mean * 2 / (root + 1)
    ratio = mean / root
    one, two = 2 * spread / (1 + 2 * spread), mean**2 / (1 + 2 * spread)
    if largest:
        logs[1] = logs[0] + np.log(ratio)
    for at in range(2, largest + 1):
        ratio = one * (1 - 1.5 / at) + two / (at * (at - 1) * ratio)
        logs[at] = logs[at - 1] + np.log(ratio)
    return logs
