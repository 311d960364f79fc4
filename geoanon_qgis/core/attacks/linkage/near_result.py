# SPDX-License-Identifier: GPL-2.0-or-later
"""What the near group attack found, and how sure it is of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.results import Summarised
from ...runtime.wording import number_of
from .near_confidence import Signs, Trial
from .near_edges import MOST_LOOKS
from .near_null import ChanceRow
from .result import NEAR_GROUP, NO_VERTICES, LinkageResult


@dataclass(frozen=True)
class NearLimits:
    """When the attack ends early.

    Attributes
    ----------
    seconds : float or None
        The attack ends with what it has found by then, and says so.
    looks, steps : int
        Counted work: released pairs looked at for one near graph, and steps of one search for
        cliques.
    repeats, more : int
        How often labels are dealt out again to see what chance makes, and how often in addition
        where that leaves it open whether anything was found.
    """

    seconds: float | None = None
    looks: int = MOST_LOOKS
    steps: int = 500_000_000
    repeats: int = 3
    more: int = 5


USUAL = NearLimits()


@dataclass(frozen=True, eq=False)
class NearGroup:
    """Matches that all support each other, more than chance makes them.

    Attributes
    ----------
    matches : (m, 2) int array
        Row of the release, row of the known entities.
    weight : float
        Logarithm: what their distances say, less what it costs to pick them out.
    by_chance : float
        Groups as heavy, and from which as many grow, that are to be expected with labels that
        nobody has.
    deviation, across : float
        Largest difference of a released and a true distance among them, and the largest true one.
    """

    matches: np.ndarray
    weight: float
    by_chance: float
    deviation: float
    across: float


@dataclass(frozen=True, repr=False)
class NearGroupResult(Summarised):
    """Matches between a release and known entities, with the attack's own confidence.

    Attributes
    ----------
    matches : (m, 2) int array
        Row of the release, row of the known entities, ascending by the first. No row occurs
        twice, and none is in ``links``.
    confidence : (m,) array
        How probable each match is, by the attack itself and without any truth.
    group : (m,) int array
        Number of the group it belongs to, from 0; -1 for one that grew.
    groups : tuple of NearGroup
        By falling weight; those of which half and more is claimed.
    null : tuple of ChanceRow
        How many cliques of each size found there are, and by chance.
    epsilon : float
        The one that was given or chosen; NaN where deviations were learnt.
    links : (l, 2) int array
        Known links that were held fixed.
    guesses, chance : (k, 2) int array and (k,) array
        The likeliest matches, claimed or not, and how probable they are.
    signs : Signs or None
        What that rests on; None where nobody was found, or time ran out. By a tolerance scores alone
        count.
    doubt : float
        Groups like those that they grew from to be expected by chance.
    candidates, possible : int
        Pairs that agree in their labels, and those that known links leave.
    proven : bool
        Whether every search came to its end.
    stopped : str
        What ended it early: ``"time"`` or ``"work"``; empty for nothing.
    looks, steps, rounds : int
        Counted work: released pairs looked at, steps of the searches, rounds of growth.
    note : str
        A sentence on a result that says little; empty otherwise.
    unbelieved : (u, 2) int array or None
        Where nobody is believed: matches of the heaviest cliques, the heaviest first.
    trial : Trial or None
        What the attack would say of people whom the adversary knows, in an embedding.
    """

    matches: np.ndarray
    confidence: np.ndarray
    group: np.ndarray
    groups: tuple[NearGroup, ...]
    null: tuple[ChanceRow, ...]
    epsilon: float
    links: np.ndarray
    guesses: np.ndarray
    chance: np.ndarray
    signs: Signs | None
    doubt: float
    candidates: int
    possible: int
    proven: bool
    stopped: str
    looks: int
    steps: int
    rounds: int
    note: str = ""
    unbelieved: np.ndarray | None = None
    trial: Trial | None = None

    @classmethod
    def of(cls, pairs, sure, threshold: float, groups, **rest) -> NearGroupResult:
        """Claim the pairs of which one is sure enough, and uphold groups of which half are claimed."""
        claimed = np.flatnonzero(sure >= threshold)
        claimed = claimed[np.argsort(pairs[claimed, 0], kind="stable")]
        every = set(map(tuple, pairs[claimed].tolist()))
        groups = tuple(
            one
            for one in groups
            if 2 * len(every & set(map(tuple, one.matches.tolist()))) >= len(one.matches)
        )
        of = {
            pair: number
            for number, one in enumerate(groups)
            for pair in map(tuple, one.matches.tolist())
        }
        group = [of.get(pair, -1) for pair in map(tuple, pairs[claimed].tolist())]
        return cls(
            matches=pairs[claimed],
            confidence=sure[claimed],
            group=np.array(group, dtype=np.int64),
            groups=groups,
            guesses=pairs,
            chance=sure,
            **rest,
        )

    @classmethod
    def nobody(cls) -> NearGroupResult:
        """Return the result of files without candidates."""
        empty = np.zeros((0, 2), dtype=np.int64)
        return cls.of(
            empty,
            np.zeros(0),
            0.5,
            (),
            signs=None,
            doubt=0.0,
            null=(),
            epsilon=float("nan"),
            links=empty,
            candidates=0,
            possible=0,
            proven=True,
            stopped="",
            looks=0,
            steps=0,
            rounds=0,
            note=NO_VERTICES,
        )

    def as_linkage(self) -> LinkageResult:
        """Return it as every other attack's result is, for scores and evidence."""
        found = LinkageResult(
            self.matches,
            None,
            self.confidence,
            self.candidates,
            0,
            None,
            None,
            self.note,
            cut_off=not self.proven,
            guesses=self.guesses,
            chance=self.chance,
            name=NEAR_GROUP,
            unbelieved=self.unbelieved,
        )
        return found.holding(self.links)

    @property
    def expected(self) -> float:
        """How many of the matches are right, by the attack itself."""
        return float(self.confidence.sum())

    def in_words(self) -> str:
        """Say how many records were linked, and what speaks for it."""
        said = (
            f"Near group attack: {number_of(len(self.matches), 'match', 'matches')} from"
            f" {number_of(self.candidates, 'candidate pair', 'candidate pairs')},"
            f" {self.expected:,.1f} expected to be right;"
            f" {number_of(len(self.groups), 'group', 'groups')} that chance hardly makes."
        )
        if not self.proven:
            said += "\nThe search was cut off: others would have found more."
        return f"{said}\n{self.note}" if self.note else said
