# SPDX-License-Identifier: GPL-2.0-or-later
"""How sure the near group is of each match, learnt where the truth was known.

How many wrong pairs would be expected to score as high is no probability: it takes as well how many
right ones there are, and in a town there are many. Scores are sums, too, in which many matches that
live far away, whose distances tell much the same, count as much as one neighbour's, whose distance is
exact; and where labels go with places, pairs whose labels differ tell too little of wrong pairs of one
label. So nine things are asked of a match (:class:`Signs`), and a logistic curve of them is fitted to
embeddings of thirty kinds of files and of small ones, and another one to releases whose distances
may be too long. What they are worth on files of a kind that they have not seen was measured by curves
that were fitted to other kinds (``benchmarks/near_confidence.py`` does both again).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

#: While groups grow, and where nothing but a tolerance is known: intercept and slope by the logarithm
#: of the wrong pairs to be expected; by how many times their number by chance groups are to be doubted.
CURVE = (0.2, 0.87, 5.0)
#: Intercept and slopes by the columns of :meth:`Signs.columns`, of 650 draws of the usual size and 40 of
#: small files: ``benchmarks/near_confidence.py``.
SLOPES = (
    *(-3.691, -0.03, 0.837, 0.622, -0.344, 0.098, -0.939, -0.143, -0.141),
    *(0.327, 6.786, -0.238),
)
#: Signs of a match.
COLUMNS = len(SLOPES) - 1
#: The same where distances may be too long, by noise before an embedding or as ISGP; and by noise on
#: places or distances, where long distances are as exact as short ones. Of 191 draws, 123 of which had a
#: group, drawn to the slopes of before, of 160 others: ``--noisy`` of the same.
LONGER = (
    *(0.802, -0.682, 1.053, 0.045, 0.126, 0.129, -1.354, -0.262, -0.353),
    *(0.112, 0.444, 0.028),
)
EVEN = (LONGER[0] - 0.528, *LONGER[1:])
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

    def columns(self) -> np.ndarray:
        """Return all but the ties on the scales of the curve, (k, 11)."""
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
        return np.column_stack([out, strong, shared * each, few])


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
        :data:`SLOPES`, or, where distances may be too long, :data:`LONGER` or :data:`EVEN`.

    Returns
    -------
    (k,) array
    """
    at = slopes[0] + (signs.columns() * slopes[1:]).sum(axis=1)
    return 1 / ((1 + np.exp(-at)) * (1 + CURVE[2] * groups_by_chance) * signs.ties)


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
