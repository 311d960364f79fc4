# SPDX-License-Identifier: GPL-2.0-or-later
"""What a reversal of Voronoi masking says of each record, and of the layer as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...runtime.results import Summarised
from ...runtime.wording import number_of
from ...verdict import SURE, Evidence
from .verbatim import CONTROLS

#: Kinds of assignment (the codes of :attr:`VoronoiReversal.kind`).
SINGLETON, PAIR, UNMOVED, AMBIGUOUS, UNRESOLVED = range(5)
KIND_NAMES = ("singleton", "pair", "unmoved", "ambiguous", "unresolved")

#: Verdicts on whether the masked points are a Voronoi mask of these candidates.
REVERSIBLE, INCOMPLETE, TOO_COARSE, NO_MASK, NOT_MASKED = (
    "reversible",
    "incomplete",
    "too_coarse",
    "no_voronoi_mask",
    "not_masked",
)

#: The same in words.
VERDICTS = {
    REVERSIBLE: "every location can be explained",
    INCOMPLETE: "some locations have no pair of candidates: candidates are missing",
    TOO_COARSE: "accident explains nearly as many locations as the candidates do",
    NO_MASK: "these are no Voronoi mask of the candidates",
    NOT_MASKED: "hardly any record was moved off its candidate",
}
#: Why what was found is a lower bound; see :mod:`...verdict`.
CAVEATS = {TOO_COARSE: "coarse", NO_MASK: "other_mask", INCOMPLETE: "list_incomplete"}

#: Share of the locations that must be genuinely explained for the layer to be a mask at all,
#: and the standard errors by which they must outnumber the decoys.
_LEAST_GENUINE, _ERRORS = 0.03, 4.0


@dataclass(frozen=True, repr=False)
class VoronoiReversal(Summarised):
    """What the attack says of each masked record, in the order of the masked records.

    Attributes
    ----------
    candidate : (n,) int array
        Row of the assigned candidate; -1 where no pair of candidates explains the record.
    partner : (n,) int array
        Row of the other candidate of the pair; -1 where there is none.
    kind : (n,) int8 array
        ``SINGLETON`` (one pair explains the record, and it is alone at its masked place),
        ``PAIR`` (one pair, and two records lie there), ``UNMOVED`` (the record shares its
        place with others and did not move), ``AMBIGUOUS`` (several pairs explain it),
        ``UNRESOLVED`` (none does).
    probability : (n,) float array
        Probability that the assigned candidate's place is the true one.
    pairs, rivals : (n,) int arrays
        Pairs within the tolerance, and those besides the assigned one that the rules of the
        mask leave possible; about as many, where they are not weighed (``aside``).
    rebuilt : (s,) int array
        Candidates known to be in the sample: the place of each, one row per place.
    complete : bool
        True where there are as many candidates as masked records (the paper's n = N).
    tolerance : float
        Distance between a midpoint and a masked location that was accepted.
    explained, explained_by_chance : float
        Share of the masked locations that some pair explains, and the same for locations
        moved away from where they were (a control).
    verdict : str
        ``reversible``, ``incomplete`` (some locations have no pair: candidates are missing),
        ``too_coarse`` (accident explains nearly as many), ``no_voronoi_mask``, or
        ``not_masked`` (hardly any record was moved off its candidate).
    accounted : float
        Share of the masked locations that some pair explains, or that stand on the candidate
        from which they were not moved.
    trust : float
        Probability that an explanation that was found is genuine; part of :attr:`probability`.
    rehearsed : bool
        Whether probabilities of ambiguous records were tried on releases of the attack's own.
    aside : (n,) bool array
        Records with so many explanations that these were counted, not weighed: ``AMBIGUOUS``, at
        the candidate that the list alone makes likeliest. None where there are none of them.
    """

    candidate: np.ndarray
    partner: np.ndarray
    kind: np.ndarray
    probability: np.ndarray
    pairs: np.ndarray
    rivals: np.ndarray
    rebuilt: np.ndarray
    complete: bool
    tolerance: float
    explained: float
    explained_by_chance: float
    verdict: str
    accounted: float
    trust: float = 1.0
    rehearsed: bool = False
    aside: np.ndarray | None = None

    def with_candidate_rows(self, rows: np.ndarray) -> VoronoiReversal:
        """The same result in terms of a larger table: row i of the candidates was ``rows[i]``."""

        def renamed(candidate: np.ndarray) -> np.ndarray:
            return np.where(candidate >= 0, rows[candidate], -1)

        return replace(
            self,
            candidate=renamed(self.candidate),
            partner=renamed(self.partner),
            rebuilt=rows[self.rebuilt],
        )

    def count(self, kind: int) -> int:
        """Number of records of one kind."""
        return int(np.count_nonzero(self.kind == kind))

    @property
    def found(self) -> int:
        """Records narrowed down to one pair of places or to one place."""
        return int(np.count_nonzero(self.kind <= UNMOVED))

    @property
    def expected_correct(self) -> float:
        """Sum of the probabilities: how many assignments are right on average."""
        return float(self.probability.sum())

    def evidence(self, right: np.ndarray | None = None, people: int = 0) -> Evidence:
        """Return what the attack shows: expected, or counted where a key says who is right.

        Parameters
        ----------
        right : (n,) bool array, optional
            Which records the attack and the key put at the same place.
        people : int
            How many records the key names.
        """
        if right is None:
            found = Evidence.expected("voronoi_reversal", self.probability, together=2)
        else:
            sure = int(np.count_nonzero(right & (self.probability >= SURE)))
            count = int(np.count_nonzero(right))
            found = Evidence.counted("voronoi_reversal", count, people, exposed=sure)
        caveat = CAVEATS.get(self.verdict)
        return found.with_caveat(caveat) if caveat else found

    def in_words(self) -> str:
        """Say how many records were found, and how many of them are expected to be right."""
        count = len(self.kind)
        kinds = ", ".join(f"{name} {self.count(at):,}" for at, name in enumerate(KIND_NAMES))
        share = f" ({self.expected_correct / count:.1%})" if count else ""
        return (
            f"Voronoi reversal of {number_of(count, 'masked record', 'masked records')}:"
            f" {VERDICTS[self.verdict]}.\nBy kind: {kinds}.\nExpected to be right:"
            f" {self.expected_correct:,.1f} of {count:,}{share}."
        )


def judged(explained: float, by_chance: float, locations: int) -> tuple[str, float]:
    """Say what the layer is, and how probable it is that an explanation found is genuine.

    Of the locations that were moved.
    """
    if explained == 1.0:
        return (TOO_COARSE if by_chance > 0.5 else REVERSIBLE), 1.0
    if not explained or by_chance == 1.0:
        return NO_MASK, 0.0
    # explained = genuine + (1 - genuine) * by_chance, if a share "genuine" stems from a mask
    genuine = max(0.0, (explained - by_chance) / (1.0 - by_chance))
    trust = min(1.0, genuine / explained)
    if by_chance > 0.5:
        return (TOO_COARSE if genuine > 0.5 else NO_MASK), trust
    controls = min(locations, CONTROLS)
    error = np.sqrt(by_chance * (1 - by_chance) * (1 / locations + 1 / controls))
    is_mask = genuine > _LEAST_GENUINE and explained - by_chance > _ERRORS * error
    return (INCOMPLETE if is_mask else NO_MASK), trust
