# SPDX-License-Identifier: GPL-2.0-or-later
"""What a linkage attack found, and how sure it may be of that without a key."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import lgamma, log
from typing import Any, TypeVar

import numpy as np

from ...runtime.results import Summarised
from ...runtime.wording import mark, number_of
from ..cliques.search import Clique

NO_VERTICES = mark(
    "No record of the released table agrees with a known entity in its quasi-identifiers, so"
    " there is nothing to link. Check that the fields are paired in the right order and coded"
    " alike."
)
#: Decimal logarithm of the accidental cliques below which a clique is no accident, and the share
#: of pairs that may agree for that to be said. Matches of neighbours agree more often than
#: accident: of simulated files with nobody in common the largest cliques reach -6 where up to 15 %
#: of the pairs agree, and -46 where more do; with people in common they begin at -38.
_NO_ACCIDENT, _FEW_AGREE = -20.0, 0.15


#: What evidence of each attack is called.
CLIQUE, LIKELIHOOD = "clique_linkage", "likelihood_linkage"
NEAR_GROUP, SIGNATURES = "near_group_linkage", "signature_linkage"
LOCAL_MAPS = "local_maps_linkage"
#: And of guessing among those who agree in their labels, without any distance.
LABELS = "labels_alone"


Result = TypeVar("Result", bound="LinkageResult")


@dataclass(frozen=True, repr=False)
class LinkageResult(Summarised):
    """Matches between the released table and the identification file.

    Attributes
    ----------
    matches : (m, 2) int array
        Row of the target, row of the identification file; ascending by target. No row occurs
        twice in either column.
    in_every : (m,) bool array or None
        Whether a match is part of every maximum clique that was found; None where these were
        not looked for, because no clique is proven to be maximum.
    support : (m,) array
        How much speaks for a match, between 0 and 1; see :func:`.linkage.support`. NaN where intervals
        came without inner ones.
    vertices, edges : int
        Size of the product graph.
    search : Clique or None
        What searched, how long, what it proved and why it stopped; None without vertices.
    coverage : float or None
        What share of true pairs the intervals really hold, where that was simulated.
    note : str
        A sentence on a result that says little; empty otherwise.
    cut_off : bool
        Whether an attack by likelihood ran out of time: others would have found more.
    guesses, chance : (k, 2) int array and (k,) array, or None
        By likelihood: the likeliest match of each record that has candidates, claimed or not,
        and how probable it is.
    unable : bool
        Whether the attack could not be run on these files at all; ``note`` says why.
    name : str
        What evidence of it is called.
    links : (l, 2) int array or None
        Known links that were held fixed. They are neither matches nor guesses: the attack did not
        find them.
    labels : (sequence, sequence) or None
        Quasi-identifiers of the records and of the people, as the attack was given them: what they
        give away alone is part of every verdict.
    unbelieved : (u, 2) int array or None
        What the attack does not believe itself, the best first: groups that chance may have made.
    """

    matches: np.ndarray
    in_every: np.ndarray | None
    support: np.ndarray
    vertices: int
    edges: int
    search: Clique | None
    coverage: float | None
    note: str
    cut_off: bool = False
    guesses: np.ndarray | None = None
    chance: np.ndarray | None = None
    unable: bool = False
    name: str = CLIQUE
    links: np.ndarray | None = None
    labels: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None
    unbelieved: np.ndarray | None = None

    @property
    def has_confidence(self) -> bool:
        """Whether ``support`` is a confidence: the share of such matches that is right."""
        return self.name != CLIQUE

    @property
    def compared(self) -> bool:
        """Whether distances had a say: where no two of a clique's candidates agree, none had."""
        if self.unable or not self.vertices:
            return False
        return self.search is None or self.edges > 0

    @property
    def clique(self) -> int:
        """Number of matches."""
        return len(self.matches)

    @property
    def likeliest(self) -> np.ndarray:
        """The likeliest person for each record, claimed or not; the matches without guesses."""
        return self.matches if self.guesses is None else self.guesses

    @property
    def surest_first(self) -> np.ndarray:
        """Whom somebody names who names as many as he likes, believed or not: the surest first."""
        sure = self.support if self.guesses is None or self.chance is None else self.chance
        order = np.argsort(-np.nan_to_num(sure), kind="stable")
        named = self.likeliest[order]
        return named if self.unbelieved is None else np.concatenate([named, self.unbelieved])

    @property
    def proven(self) -> bool:
        """Whether the attack came to its end: no larger set of matches exists."""
        return not self.cut_off and (self.search is None or self.search.proven)

    @property
    def stopped(self) -> str:
        """What ended it early: steps, work, time or cancelled; empty for nothing."""
        if self.cut_off:
            return "time"
        return "" if self.search is None else self.search.stopped

    @property
    def unique(self) -> int:
        """Number of matches that every maximum clique found has; 0 where that is not known."""
        return 0 if self.in_every is None else int(np.count_nonzero(self.in_every))

    def holding(self: Result, links: np.ndarray) -> Result:
        """Return the result without known links among what was found."""
        if not len(links):
            return self
        kept = _others(self.matches, links)
        more: dict[str, Any] = {}
        if self.guesses is not None and self.chance is not None:
            guessed = _others(self.guesses, links)
            more = {"guesses": self.guesses[guessed], "chance": self.chance[guessed]}
        if self.unbelieved is not None:
            more["unbelieved"] = self.unbelieved[_others(self.unbelieved, links)]
        return replace(
            self,
            matches=self.matches[kept],
            in_every=None if self.in_every is None else self.in_every[kept],
            support=self.support[kept],
            links=links,
            **more,
        )

    def in_words(self) -> str:
        """Say how many records were linked, and what speaks for it."""
        said = (
            f"Linkage attack: {number_of(self.clique, 'match', 'matches')} from"
            f" {number_of(self.vertices, 'candidate pair', 'candidate pairs')}."
        )
        if self.search is not None:
            end = "no larger set exists" if self.proven else "the search was cut off"
            said += f"\nThe largest set whose distances all agree; {end}."
        elif self.clique:
            said += (
                f"\nExpected to be right: {float(self.support.sum()):,.1f} of {self.clique:,}"
                f" (confidence {float(self.support.min()):.0%} to"
                f" {float(self.support.max()):.0%})."
            )
        return f"{said}\n{self.note}" if self.note else said


def _others(pairs: np.ndarray, links: np.ndarray) -> np.ndarray:
    """Pairs of neither a record nor a person of known links."""
    return ~np.isin(pairs[:, 0], links[:, 0]) & ~np.isin(pairs[:, 1], links[:, 1])


def nobody_agrees(name: str = CLIQUE) -> LinkageResult:
    """Return what an attack finds where no record agrees with a known entity: nothing."""
    nobody = np.empty((0, 2), dtype=np.int64)
    return LinkageResult(nobody, None, np.empty(0), 0, 0, None, None, NO_VERTICES, name=name)


def certainty(result: LinkageResult) -> np.ndarray:
    """How probable the attack itself says that each match is right, without any key.

    Parameters
    ----------
    result : LinkageResult

    Returns
    -------
    (m,) array
        For a clique, which knows no probabilities, one half where accident makes no set of this
        size, and 0 where it may.
    """
    if result.has_confidence:
        return np.asarray(result.support, dtype=np.float64)
    few = result.edges <= _FEW_AGREE * result.vertices * (result.vertices - 1) / 2
    no_accident = few and accidental_cliques(result) < _NO_ACCIDENT
    return np.full(result.clique, 0.5 if no_accident else 0.0)


def accidental_cliques(result: LinkageResult) -> float:
    """Decimal logarithm of the cliques of this size to expect where pairs agree by accident.

    In a random graph with as many vertices and edges: C(V, m) d^(m (m - 1) / 2), for the share d
    of the pairs that agree.
    """
    vertices, size = result.vertices, result.clique
    if size < 2 or not result.edges:
        return 0.0
    density = result.edges / (vertices * (vertices - 1) / 2)
    ways = lgamma(vertices + 1) - lgamma(size + 1) - lgamma(vertices - size + 1)
    return (ways + size * (size - 1) / 2 * log(density)) / log(10)
