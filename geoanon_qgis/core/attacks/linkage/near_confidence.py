# SPDX-License-Identifier: GPL-2.0-or-later
"""How sure the near group is of each match, learnt where the truth was known.

How many wrong pairs would be expected to score as high is no probability: it takes as well how many
right ones there are, and in a town there are many. Scores are sums, too, in which many matches that
live far away, whose distances tell much the same, count as much as one neighbour's, whose distance is
exact; and where labels go with places, pairs whose labels differ tell too little of wrong pairs of one
label. So ten things are asked of a match (:class:`Signs`), and of an embedding a trial on the register how many
strangers score like it, and how many people live next door to one. A curve of second order puts them together
(:mod:`.near_strangers`); it was fitted to embeddings of some sixty kinds of files, with families
and without, large and small. Another curve is fitted to releases whose distances may be too long, and made less
sure than it was fitted: a lower bound, on average over matches of which as much is said. What they are worth on
files of a kind that they have not seen was measured by curves that were fitted to other kinds
(``benchmarks/near_confidence.py`` does both again), and on kinds that were kept aside (``confidence.py``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .near_curves import EXACT, INEXACT
from .near_strangers import Scored, among_strangers
from .near_weights import Deviations

#: While groups grow, and where nothing but a tolerance is known: intercept and slope by the logarithm
#: of the wrong pairs to be expected; by how many times their number by chance groups are to be doubted.
CURVE = (0.2, 0.87, 5.0)
#: Intercept and slopes by the columns of :meth:`Signs.columns`: a score, by which matches in an embedding are
#: held against known people and strangers. Of an earlier fit to 440 draws of some fifty kinds of files.
SLOPES = (
    *(-0.793, -0.03, 0.892, 0.486, -0.305, 0.061, -0.919, -0.11, -0.509),
    *(-0.147, 5.443, -0.026, -0.773),
)
#: Signs of a match.
COLUMNS = len(SLOPES) - 1
#: The same where distances may be too long, by noise before an embedding. Of 150 draws of thirty-five
#: kinds, each counted by the root of what it claims: ``--noisy`` of the same.
LONGER = (
    *(-1.007, -0.6, 1.64, 0.197, 0.162, 0.147, -1.361, -0.347, -0.4),
    *(-0.114, -0.826, 0.3, 0.0),
)
#: What is added to its intercept by noise on places or distances, where long distances are as exact as
#: short ones, and for ISGP; and to intercept and first slope where chance was seen by moved places.
EVEN, SHARED_LABELS, MOVED = -1.014, -0.522, (1.732, 0.27)
#: How much less sure than by that curve a match is said to be, as a logarithm of odds. Draws of one kind
#: differ far more than a curve can say: so what is said was too much in no tenth of no way to release.
LESS = 0.5
#: The same where embedded distances are rounded to more than this share of the longest, or nothing but a
#: largest deviation is known: how exactly distances fit cannot be seen.
ROUNDED = (
    *(-3.96, -0.03, 1.139, 0.718, -0.475, 0.098, -1.148, -0.183, -0.1),
    *(0.373, 6.105, -0.249, 0.0),
)
_SEEN_EXACTLY = 1e-6
#: Bounds of the columns in the files that the slopes were fitted to: beyond them nothing is known, and
#: nothing more is claimed.
_SEEN = (
    (-9.2, 6.9),
    (1.4, 5.0),
    (0.0, 8.0),
    (0.0, 5.1),
    (-5.0, 10.0),
    (0.0, 2.4),
    (0.0, 4.9),
    (4.8, 11.1),
)
#: The same of the share of the smaller file that was matched.
_MOST_SHARED = 0.75
#: What is missing of the distance that fits best, below which less makes no difference.
_EXACT = float(np.exp(-12.0))
#: Logarithm of the wrong pairs to be expected below which fewer count otherwise.
_FEW = -2.0
#: Where what the strongest match tells begins to count otherwise.
_STRONG = 4.0
#: Wrong pairs to be expected below which fewer make no difference.
_LEAST = 5e-3
#: How surprising what grew from a wrong group may be, and how much less often chance makes groups
#: that grew more surprisingly (of simulated ones, with labels that nobody has).
_USUAL, _SLOPE = 3.0, 0.6


@dataclass(frozen=True, eq=False)
class Signs:
    """What tells right matches from wrong ones.

    Attributes
    ----------
    by_chance : (k,) array
        Wrong pairs to be expected that score as high.
    matches : int
        Matches that were taken for right in these files, known links among them.
    candidates : int
        Pairs of these files that agree in their labels.
    strongest : (k,) array
        Weight of the match that speaks most for each.
    rivals : (k,) array
        Known people of the same label who live nearer to them than the one of that match: as many
        as there are, and, since these are few, as many as there would be by the label's share of
        all, added.
    against : (k,) array
        Weights of all that speaks against each, summed.
    lead : (k,) array
        How much more each weighs than its best rival of any label, or than nothing.
    ties : (k,) int array
        How many fit exactly as well, itself included: who shares a place and a label.
    missing : (k,) array
        The least share of a distance that is missing among those that speak for each, times how many of
        these there are, and one: of more distances one fits a stranger next door as exactly by chance.
        1 where distances may be too long.
    alike : float
        How much oftener neighbours share a label than others, 1 at least. Wrong pairs of one label
        are then near more often than those of two labels, of which ``by_chance`` is told.
    smaller : int
        Records, or people, of the smaller file: the larger the share of them that was matched, the
        likelier the person of a further record is in the other file at all.
    """

    by_chance: np.ndarray
    matches: int
    candidates: int
    strongest: np.ndarray
    rivals: np.ndarray
    against: np.ndarray
    lead: np.ndarray
    ties: np.ndarray
    alike: float
    smaller: int
    missing: np.ndarray

    def columns(self) -> np.ndarray:
        """Return all but the ties on the scales of the curve, (k, 12)."""
        each = np.ones(len(self.by_chance))
        columns = (
            np.log(np.maximum(self.by_chance, 1e-6)),
            np.log(self.matches + 1.0) * each,
            self.strongest,
            np.log1p(self.rivals),
            self.lead,
            np.log(self.alike) * each,
            np.log1p(self.against),
            np.log(max(self.candidates, 1)) * each,
        )
        out = np.stack([np.clip(one, *seen) for one, seen in zip(columns, _SEEN)], axis=1)
        # What is against a match matters by how many there are who could be meant instead.
        out[:, 6] *= out[:, 3]
        # One neighbour tells more than the logarithm of its odds says. Whether chance makes one such
        # pair or ten says little beside the rest; one or a tenth says more.
        strong, few = np.maximum(out[:, 2] - _STRONG, 0.0), np.minimum(out[:, 0] - _FEW, 0.0)
        shared = min(self.matches / max(self.smaller, 1), _MOST_SHARED)
        missing = np.log(np.clip(self.missing, _EXACT, 1.0))
        return np.column_stack([out, strong, shared * each, few, missing])

    def divided(self, groups_by_chance: float) -> np.ndarray:
        """Return what probabilities are divided by: who fits as well, and groups that are doubted."""
        return self.ties * (1 + CURVE[2] * groups_by_chance)


@dataclass(frozen=True, eq=False)
class Trial:
    """Signs of records that the adversary released himself, of people whom he knows.

    Attributes
    ----------
    own : Signs
        Of everybody who has a label, matched with himself.
    strangers : Signs
        Of those whose label somebody else has, as if they were not known, matched with whom they fit best.
    against : (s,) int array
        Matches that each of the strangers contradicts.
    together : float
        Share of the known people who live next door to one: families, whoever is in the other file.
    """

    own: Signs
    strangers: Signs
    against: np.ndarray
    together: float


def calibrated(
    signs: Signs, groups_by_chance: float, slopes: tuple[float, ...] = SLOPES
) -> np.ndarray:
    """Probability that matches are right, by all that is known of them.

    Parameters
    ----------
    signs : Signs
    groups_by_chance : float
        As :func:`confidence` takes it.
    slopes : tuple of float
        :data:`SLOPES`, or, where distances may be too long, those of :func:`longer`.

    Returns
    -------
    (k,) array
    """
    at = slopes[0] + (signs.columns() * slopes[1:]).sum(axis=1)
    return 1 / ((1 + np.exp(-at)) * signs.divided(groups_by_chance))


def longer(even: bool, shared_labels: bool, moved: bool) -> tuple[float, ...]:
    """Return slopes for releases whose distances may be too long: rather too unsure than too sure.

    Parameters
    ----------
    even : bool
        Whether long distances are as exact as short ones, by noise on places or on distances.
    shared_labels : bool
        Whether it is an ISGP release.
    moved : bool
        Whether chance was seen by places that were moved, and not by labels that were dealt out.

    Returns
    -------
    tuple of float
    """
    intercept, first, *others = LONGER
    intercept += EVEN * even + SHARED_LABELS * shared_labels + MOVED[0] * moved - LESS
    return (intercept, first + MOVED[1] * moved, *others)


def by_decoys(by_chance: np.ndarray) -> np.ndarray:
    """Probability that matches are right by these files alone, whatever was fitted to others.

    Parameters
    ----------
    by_chance : (k,) array
        Wrong pairs to be expected that score as high as each match, by pairs that are known to be
        wrong (of other labels, or of places with nobody) in the same files.

    Returns
    -------
    (k,) array
        Less than the truth where wrong pairs are counted that are nobody's best.

    Notes
    -----
    Of n matches that score as high, so many are wrong as are expected, so that one more match is wrong
    with a probability of as many as its score adds: one less the local false discovery rate (Efron 2008,
    doi 10.1214/07-STS236) by decoys (Elias and Gygi 2007, doi 10.1038/nmeth1019), made to rise as scores
    fall by isotonic regression.
    """
    return 1.0 - np.clip(_added(by_chance), 0.0, 1.0)


def _added(wrong: np.ndarray) -> np.ndarray:
    """Wrong pairs that each match adds to those expected to score as high, the more the lower it does."""
    order = np.argsort(wrong, kind="stable")
    blocks: list[list[float]] = []  # mean and number
    for added in np.diff(wrong[order], prepend=0.0).tolist():
        blocks.append([added, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, number = blocks.pop()
            before = blocks[-1]
            total = before[1] + number
            blocks[-1] = [(before[0] * before[1] + mean * number) / total, total]
    out = np.empty(len(order))
    out[order] = np.repeat([mean for mean, _ in blocks], [int(number) for _, number in blocks])
    return out


def how_sure(
    signs: Signs,
    groups_by_chance: float,
    law: Deviations,
    *,
    shared_labels: bool,
    moved: bool,
    trial: Trial | None = None,
    records: int = 0,
) -> np.ndarray:
    """Probability that matches are right, by the curve for how they were released.

    Where distances may be too long it is no more than these files allow by themselves
    (:func:`by_decoys`). In an embedding strangers next door who share labels compete with each match
    (:func:`among_strangers`).

    Parameters
    ----------
    signs : Signs
    groups_by_chance : float
        As :func:`confidence` takes it.
    law : Deviations
    shared_labels, moved : bool
        As :func:`longer` takes them.
    trial : Trial, optional
        Of an embedding; without it nobody's strangers are counted.
    records : int
        As many as are released.

    Returns
    -------
    (k,) array
    """
    if not law.contracts:
        slopes = longer(law.even, shared_labels, moved)
        return np.minimum(calibrated(signs, groups_by_chance, slopes), by_decoys(signs.by_chance))
    exact = law.least <= _SEEN_EXACTLY * law.cuts[-1]
    slopes, strangers = (SLOPES, EXACT) if exact else (ROUNDED, INEXACT)
    if trial is None:
        return calibrated(signs, groups_by_chance, slopes)
    matches, own, others = (
        Scored(
            one.columns(), one.divided(groups_by_chance), calibrated(one, groups_by_chance, slopes)
        )
        for one in (signs, trial.own, trial.strangers)
    )
    stands = np.exp(-trial.against)
    return among_strangers(matches, own, others, stands, trial.together, records, strangers)


def confidence(by_chance: np.ndarray, groups_by_chance: float) -> np.ndarray:
    """Probability that matches are right, by their scores alone.

    Parameters
    ----------
    by_chance : (k,) array
        Wrong pairs to be expected that score as high as each match.
    groups_by_chance : float
        Groups like those that the matches grew from to be expected by chance; 0 for known links.

    Returns
    -------
    (k,) array
    """
    return curve(by_chance, np.full(len(by_chance), groups_by_chance), np.array(CURVE))


def curve(by_chance: np.ndarray, groups: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """The curve with other slopes, element by element."""
    at = slopes[0] - slopes[1] * np.log(np.maximum(by_chance, _LEAST))
    return 1 / ((1 + np.exp(-at)) * (1 + slopes[2] * groups))


def after_growth(group_by_chance: float, by_chance: np.ndarray) -> float:
    """How often chance makes a group that also grows so well.

    Parameters
    ----------
    group_by_chance : float
        Groups as heavy to be expected by chance.
    by_chance : (k,) array
        Of those that grew from it, its own members aside, ascending: how many wrong pairs are
        expected to score as high.

    Returns
    -------
    float

    Notes
    -----
    The surprise is the largest of -log(e^j / j!), over the j best that grew: about the probability
    that j wrong pairs come where e are expected.
    """
    surprise = max(
        (
            math.lgamma(number + 1) - number * math.log(max(float(expected), _LEAST))
            for number, expected in enumerate(by_chance, 1)
        ),
        default=0.0,
    )
    return group_by_chance * math.exp(-_SLOPE * max(surprise - _USUAL, 0.0))
