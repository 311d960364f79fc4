# SPDX-License-Identifier: GPL-2.0-or-later
"""Strangers next door who share labels: how sure the near group is of matches in an embedding.

A match is wrong because it is a stranger who lives next door to a known person and has his label, or for
any other reason. How often strangers score like a match the adversary can see for himself: he embeds the
register and tries everybody in it twice, as himself and as a stranger (:class:`.near_confidence.Trial`), and
counts. What the other signs of a match tell depends on each other, and on whether people of the register live
in twos and more: a distance that fits exactly tells much where everybody lives apart, and little where his
brother would fit as well. So the curve is one of second order: every two columns count together.

It matters as well which share of the known people was released. The better the probabilities, the better
that is known: as many matches are right as are expected to be, so that the share is what these are of all
that would be expected if everybody were released.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Width of a class of matches that are about as sure, in logarithms of odds; people that each is taken to
#: hold at least; bounds of these logarithms.
_WIDTH, _UNSEEN, _LOWEST, _SUREST = 1.0, 0.01, -4.0, 1e-4
#: Rounds in which the share of the known who are released is found; people in both files at least, and at
#: most as a share of the smaller one.
_SHARES, _FEWEST, _MOST_SHARED_BY_ALL = 25, 0.5, 0.98
#: Logarithm of the odds of a stranger that nothing is made of beyond, and where it begins and ends to count
#: as it is; strangers to a known person that are taken to be there at least.
_NOBODY, _CLEAR, _EVEN, _SOME = -11.5, -4.0, 0.0, 1e-4
#: Columns of the signs (:meth:`.near_confidence.Signs.columns`), and where they begin to count otherwise.
_BY_CHANCE, _MATCHES, _STRONGEST, _RIVALS, _LEAD, _ALIKE, _AGAINST, _CANDIDATES = range(8)
_STRONGER, _SHARED, _MISSING = 8, 9, 11
_STRONG, _AHEAD, _FAR_OFF = 4.0, 4.0, -3.0
#: Share of known people with somebody next door up to which nobody is taken to live in twos, and by how much
#: more everybody is.
_APART, _TOGETHER = 0.05, 0.15
#: Spreads from the middle beyond which a column tells nothing more: few draws were seen there.
_SEEN = 2.5
#: Columns of a curve, and which of them tell how exactly distances fit.
WIDTH, EXACTLY = 17, slice(10, 12)


@dataclass(frozen=True, eq=False)
class Curve:
    """How probable a match is by columns that count one by one and in twos: logistic, of second order.

    Attributes
    ----------
    middle, spread : (c,) arrays
        By which columns are scaled.
    weights : (c + 1, c + 1) array
        Of each two scaled columns, the first being one everywhere; zero below the diagonal.
    """

    middle: np.ndarray
    spread: np.ndarray
    weights: np.ndarray

    def sure(self, columns: np.ndarray) -> np.ndarray:
        """Probability that nothing is wrong, (k,)."""
        from scipy.special import expit

        scaled = self.scaled(columns)
        return expit(((scaled @ self.weights) * scaled).sum(axis=1))

    def scaled(self, columns: np.ndarray) -> np.ndarray:
        """Columns on one scale, as far as they were seen, after one of ones: (k, c + 1)."""
        scaled = np.clip((columns - self.middle) / self.spread, -_SEEN, _SEEN)
        return np.column_stack([np.ones(len(scaled)), scaled])


@dataclass(frozen=True, eq=False)
class Scored:
    """Matches of an attack or of a trial.

    Attributes
    ----------
    columns : (k, 12) array
        Their signs.
    divided : (k,) array
        What the probability is divided by: who fits exactly as well, groups that are doubted.
    score : (k,) array
        One number for each by which matches are held against others, between 0 and 1.
    """

    columns: np.ndarray
    divided: np.ndarray
    score: np.ndarray


@dataclass(frozen=True, eq=False)
class Standing:
    """Matches among the people and the strangers of a trial.

    Attributes
    ----------
    columns : (k, c - 3) array
        All of a curve but what depends on the share that was released.
    divided : (k,) array
        As in :class:`Scored`.
    as_own, as_strangers : (k,) arrays
        How many known people, matched with themselves, score like each, and how many who play strangers.
    """

    columns: np.ndarray
    divided: np.ndarray
    as_own: np.ndarray
    as_strangers: np.ndarray


@dataclass(frozen=True, eq=False)
class AgainstTrial:
    """An attack and its trial, whatever curve is held to them.

    Attributes
    ----------
    matches, own : Standing
    records : int
        As many as are released.
    """

    matches: Standing
    own: Standing
    records: int

    @classmethod
    def of(
        cls,
        matches: Scored,
        own: Scored,
        strangers: Scored,
        stands: np.ndarray,
        together: float,
        records: int,
    ) -> AgainstTrial:
        """Hold the matches of an attack against its trial, as :func:`among_strangers` is told of it."""
        often = float(strangers.score @ stands) / len(own.score)
        of_files = np.log(often + _SOME), np.clip((together - _APART) / _TOGETHER, 0.0, 1.0)

        def standing(some: Scored) -> Standing:
            at, width = _odds(some.score)[:, None], 2.0 * _WIDTH**2
            as_own = np.exp(-((at - _odds(own.score)) ** 2) / width).sum(axis=1) + _UNSEEN
            as_strangers = np.exp(-((at - _odds(strangers.score)) ** 2) / width) @ stands
            each = np.tile(of_files, (len(at), 1))
            columns = np.column_stack([by_themselves(some.columns), each])
            return Standing(columns, some.divided, as_own, as_strangers)

        return cls(standing(matches), standing(own), records)

    def sure(self, some: Standing, share: float, curve: Curve) -> np.ndarray:
        """Probability that matches are right if a share of the known people is released."""
        return curve.sure(self.columns(some, share)) / some.divided

    def columns(self, some: Standing, share: float) -> np.ndarray:
        """Columns of a curve if a share of the known people is released, (k, c)."""
        people = len(self.own.divided)
        others = (self.records - share * people) / max(people - 1, 1) * (1 - share)
        odds = others * some.as_strangers / (share * some.as_own)
        return np.column_stack([some.columns, by_odds(np.log(np.maximum(odds, np.exp(_NOBODY))))])

    def share(self, curve: Curve) -> float:
        """Share of the known people who are released, at which as many are right as are expected."""
        people = len(self.own.divided)
        most = _MOST_SHARED_BY_ALL * min(self.records, people) / people
        share = most / 2
        for _ in range(_SHARES):
            right = max(float(self.sure(self.matches, share, curve).sum()), _FEWEST)
            share = min(right / max(float(self.sure(self.own, share, curve).sum()), 1.0), most)
        return share


def among_strangers(
    matches: Scored,
    own: Scored,
    strangers: Scored,
    stands: np.ndarray,
    together: float,
    records: int,
    curve: Curve,
) -> np.ndarray:
    """Probability that matches are right, where strangers who share labels may live next door.

    Parameters
    ----------
    matches : Scored
    own : Scored
        Everybody in the register, matched with himself.
    strangers : Scored
        Those who play strangers, matched with whom they fit best.
    stands : (s,) array
        How probable it is that no other match forbids theirs.
    together : float
        Share of the known people who live next door to one.
    records : int
        As many as are released.
    curve : Curve

    Returns
    -------
    (k,) array

    Notes
    -----
    Of n known people a share s is in the release. So many people of the register score like a match if they
    are released: f(own); and so many strangers if all were: f(strangers). Of those released r - s n are
    strangers, and meet nobody better where the person himself is not released: the odds of a stranger are
    :math:`(r - sn) / (n - 1) (1 - s) f_{strangers} / (s f_{own})`. They are columns of the curve.
    """
    if not (len(matches.score) and len(own.score)):
        return matches.score
    held = AgainstTrial.of(matches, own, strangers, stands, together, records)
    return held.sure(held.matches, held.share(curve), curve)


def by_themselves(columns: np.ndarray) -> np.ndarray:
    """Signs as they count whatever else is known, (k, 12)."""
    missing = columns[:, _MISSING]
    return np.column_stack(
        [
            columns[:, _BY_CHANCE],
            columns[:, _MATCHES],
            np.minimum(columns[:, _STRONGEST], _STRONG),
            columns[:, _STRONGER],
            columns[:, _RIVALS],
            np.clip(columns[:, _LEAD], 0.0, _AHEAD),
            columns[:, _ALIKE],
            columns[:, _AGAINST],
            columns[:, _CANDIDATES],
            columns[:, _SHARED],
            np.minimum(missing, _FAR_OFF),
            np.maximum(missing, _FAR_OFF),
        ]
    )


def by_odds(odds: np.ndarray) -> np.ndarray:
    """How strangers count, (k, 3): by the logarithm of their odds in three pieces."""
    return np.column_stack(
        [
            np.minimum(odds, _CLEAR),
            np.clip(odds - _CLEAR, 0.0, _EVEN - _CLEAR),
            np.maximum(odds - _EVEN, 0.0),
        ]
    )


def _odds(sure: np.ndarray) -> np.ndarray:
    """Logarithm of odds, within bounds."""
    sure = np.clip(sure, _SUREST, 1 - _SUREST)
    return np.maximum(np.log(sure / (1 - sure)), _LOWEST)
