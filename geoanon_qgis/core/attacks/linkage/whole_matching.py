# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole matchings of a file, held against what rounds find in files of one's own, and how sure they are.

However they are found, by the distances of pairs (:mod:`.matching_chains`) or by hidden coordinates
(:mod:`.field_matching`): they count if they are right often enough where the truth is known, and it is
learnt there how often one is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .candidate_odds import calibrate
from .own_releases import OwnReleases
from .signature_files import UnderAttack

#: Files of one's own that whole matchings are held against rounds with.
TRIALS = 4
#: Rounds have learnt from these very files, and are right more often in them than in others: so large a
#: part of what they find there whole matchings have to find.
_AS_GOOD = 0.8


@dataclass(frozen=True, eq=False)
class BesideOwn:
    """A file under attack beside files of one's own, which are attacked alike.

    Attributes
    ----------
    own : OwnReleases
    real : UnderAttack
        After the rounds, as the trials are.
    trials : sequence of UnderAttack
        Files of one's own, the first of which count.
    others : sequence of UnderAttack
        More files, with few and with many people in common, which rounds have not seen: from them it is
        learnt how sure to be.
    kinds : (n2,) int array
        Classes of labels of the known people.
    common : (float, float)
        People thought to be in both, and the standard deviation of that.
    """

    own: OwnReleases
    real: UnderAttack
    trials: Sequence[UnderAttack]
    others: Sequence[UnderAttack]
    kinds: np.ndarray
    common: tuple[float, float]

    @property
    def counted(self) -> list[UnderAttack]:
        """The files of one's own that whole matchings are held against rounds with."""
        return list(self.trials[:TRIALS])

    def to_beat(self) -> float:
        """Return how many right matches in trials are as good as what rounds have found there."""
        right = 0
        for file in self.counted:
            matches, _ = file.assignment()
            right += int(right_of(file, matches[~file.linked(matches)]).sum())
        return _AS_GOOD * right


@dataclass(frozen=True, eq=False)
class Matching:
    """Who is taken to be who.

    Attributes
    ----------
    matches : (m, 2) int array
    chance : (m,) array
        How probable they are.
    right : float
        How many were right in the trials, in the same way.
    """

    matches: np.ndarray
    chance: np.ndarray
    right: float


@dataclass(frozen=True, eq=False)
class Named:
    """Whom the records of a file are taken to be.

    Attributes
    ----------
    file : UnderAttack
    matches : (m, 2) int array
    often : (m,) array
        How often chains were there.
    signs : (m, c) array
        What else tells how sure a match is.
    """

    file: UnderAttack
    matches: np.ndarray
    often: np.ndarray
    signs: np.ndarray

    @property
    def new(self) -> np.ndarray:
        """Which of them were not known before."""
        return ~self.file.linked(self.matches)

    @property
    def right(self) -> np.ndarray:
        """Which of the new ones are right, where that is known."""
        return right_of(self.file, self.matches[self.new])


def right_of(file: UnderAttack, matches: np.ndarray) -> np.ndarray:
    """Which matches are right, of a file whose truth is known."""
    assert file.truth is not None
    return file.truth[matches[:, 0]] == matches[:, 1]


def assigned(
    file: UnderAttack, allowed: np.ndarray, often: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Assign everybody, one to one: matches, (m, 2), and how often each was, (m,)."""
    from scipy.optimize import linear_sum_assignment

    often[file.links[:, 0], file.links[:, 1]] = 1.0
    row, column = linear_sum_assignment(np.where(allowed, often, -1.0), maximize=True)
    kept = allowed[row, column]
    matches = np.stack([row[kept], column[kept]], axis=1).astype(np.int64)
    return matches, often[row[kept], column[kept]]


def settled(own: Sequence[Named], here: Named, right: float) -> Matching:
    """Say how probable matches are, by files of one's own."""
    learnt = zip(*((one.often[one.new], one.right, one.signs[one.new]) for one in own))
    often, hits, signs = (np.concatenate(each) for each in learnt)
    # Nothing is learnt of signs that no file of one's own has shown.
    seen = np.clip(here.signs, signs.min(axis=0), signs.max(axis=0)) if len(signs) else here.signs
    chance = calibrate(often, hits, signs).of(here.often, seen)
    return Matching(here.matches, np.where(here.new, chance, 1.0), right)
