# SPDX-License-Identifier: GPL-2.0-or-later
"""Strangers next door who share labels: how sure the near group is of matches in an embedding.

A match is wrong because it is a stranger who lives next door to a known person and has his label, or for
any other reason. How likely the latter is follows from its signs, by a curve. How likely the former is the
adversary can see for himself: he embeds the register and tries everybody in it twice, as himself and as a
stranger (:class:`.near_confidence.Trial`), and counts how many of either score like the match.

For both it matters which share of the known people was released. The better the probabilities, the better
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
_SHARED, _MISSING = 9, 11
_FEW, _STRONG, _AHEAD, _FAR_OFF = -2.0, 4.0, 4.0, -3.0


@dataclass(frozen=True)
class Curve:
    """How signs of a match count.

    Attributes
    ----------
    others : tuple of float
        Intercept and slopes, by :func:`of_others`, of the logarithm of the odds that nothing is wrong but
        what strangers may do.
    strangers : tuple of float
        Intercept and slopes, by :func:`of_strangers`, of the logarithm of the odds of a stranger.
    """

    others: tuple[float, ...]
    strangers: tuple[float, ...]


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
    others : (k, 12) array
        Signs as they count by themselves (:func:`of_others`), whatever share was released.
    alike, divided : (k,) arrays
        One of the signs, and as in :class:`Scored`.
    as_own, as_strangers : (k,) arrays
        How many known people, matched with themselves, score like each, and how many who play strangers.
    """

    others: np.ndarray
    alike: np.ndarray
    divided: np.ndarray
    as_own: np.ndarray
    as_strangers: np.ndarray

    @classmethod
    def of(cls, some: Scored, own: Scored, strangers: Scored, stands: np.ndarray) -> Standing:
        """Hold matches against the trial; ``stands``: how probable it is that no match forbids a stranger."""
        at, width = _odds(some.score)[:, None], 2.0 * _WIDTH**2
        as_own = np.exp(-((at - _odds(own.score)) ** 2) / width).sum(axis=1) + _UNSEEN
        as_strangers = np.exp(-((at - _odds(strangers.score)) ** 2) / width) @ stands
        alike = some.columns[:, _ALIKE]
        return cls(of_others(some.columns), alike, some.divided, as_own, as_strangers)


@dataclass(frozen=True, eq=False)
class AgainstTrial:
    """An attack and its trial, whatever curve is held to them.

    Attributes
    ----------
    matches, own : Standing
    often : float
        Strangers of the trial that would be taken for known people, for each of these.
    records : int
        As many as are released.
    """

    matches: Standing
    own: Standing
    often: float
    records: int

    @classmethod
    def of(
        cls, matches: Scored, own: Scored, strangers: Scored, stands: np.ndarray, records: int
    ) -> AgainstTrial:
        """Hold the matches of an attack against its trial."""
        both = [Standing.of(some, own, strangers, stands) for some in (matches, own)]
        return cls(both[0], both[1], float(strangers.score @ stands) / len(own.score), records)

    def sure(self, some: Standing, share: float, curve: Curve) -> np.ndarray:
        """Probability that matches are right if a share of the known people is released."""
        other = curve.others[0] + some.others @ curve.others[1:]
        by_strangers = self.by_strangers(some, share) @ curve.strangers[1:]
        wrong = np.exp(-other) + np.exp(by_strangers + curve.strangers[0])
        return 1 / ((1 + wrong) * some.divided)

    def by_strangers(self, some: Standing, share: float) -> np.ndarray:
        """Columns of :func:`of_strangers` if a share of the known people is released."""
        people = len(self.own.divided)
        others = (self.records - share * people) / max(people - 1, 1) * (1 - share)
        odds = np.log(
            np.maximum(others * some.as_strangers / (share * some.as_own), np.exp(_NOBODY))
        )
        return of_strangers(odds, some.alike, self.often)

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
    :math:`(r - sn) / (n - 1) (1 - s) f_{strangers} / (s f_{own})`. They add to those of other errors.
    """
    if not (len(matches.score) and len(own.score)):
        return matches.score
    held = AgainstTrial.of(matches, own, strangers, stands, records)
    return held.sure(held.matches, held.share(curve), curve)


def of_others(columns: np.ndarray) -> np.ndarray:
    """Signs as they count where no stranger is to be feared, (k, 12)."""
    strongest, missing = columns[:, _STRONGEST], columns[:, _MISSING]
    return np.column_stack(
        [
            np.minimum(columns[:, _BY_CHANCE], _FEW),
            columns[:, _MATCHES],
            np.minimum(strongest, _STRONG),
            np.maximum(strongest - _STRONG, 0.0),
            columns[:, _RIVALS],
            np.clip(columns[:, _LEAD], 0.0, _AHEAD),
            columns[:, _ALIKE],
            columns[:, _AGAINST],
            columns[:, _CANDIDATES],
            columns[:, _SHARED],
            np.minimum(missing, _FAR_OFF),
            np.maximum(missing - _FAR_OFF, 0.0),
        ]
    )


def of_strangers(odds: np.ndarray, alike: np.ndarray, often: float) -> np.ndarray:
    """How strangers count, (k, 5): by the logarithm of their odds in three pieces, and by the files."""
    return np.column_stack(
        [
            np.minimum(odds, _CLEAR),
            np.clip(odds - _CLEAR, 0.0, _EVEN - _CLEAR),
            np.maximum(odds - _EVEN, 0.0),
            alike,
            np.full(len(odds), np.log(often + _SOME)),
        ]
    )


def _odds(sure: np.ndarray) -> np.ndarray:
    """Logarithm of odds, within bounds."""
    sure = np.clip(sure, _SUREST, 1 - _SUREST)
    return np.maximum(np.log(sure / (1 - sure)), _LOWEST)
