# SPDX-License-Identifier: GPL-2.0-or-later
"""What one attack found, and how much of it is right by the key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ....core.attacks.by_name import Together, all_evidence
from ....core.attacks.linkage.known_links import unlinked
from ....core.attacks.linkage.result import LinkageResult, certainty
from ....core.attacks.linkage.truth import LinkageScore, not_given, score, share_out
from ....core.space.points import places
from ....core.verdict import Evidence
from .. import scoring
from ..matching import PLACE
from .adversary import Adversary
from .rules import Making


@dataclass(frozen=True, eq=False)
class Finding:
    """What the adversary had, how he went about it, and what came of it.

    Attributes
    ----------
    adversary : Adversary
    making : Making
    settings : list of (str, object)
        What the report lists.
    method : str
        A name of the engine's, see :mod:`....core.attacks.by_name`.
    result : LinkageResult
    """

    adversary: Adversary
    making: Making
    settings: list[tuple[str, object]]
    method: str
    result: LinkageResult

    @property
    def has_confidence(self) -> bool:
        """Whether the attack says how sure it is of each match; it has no clique then."""
        return self.result.has_confidence

    @property
    def parts(self) -> Mapping[str, LinkageResult]:
        """What each attack found, by name, where all were run."""
        return self.result.parts if isinstance(self.result, Together) else {}

    @cached_property
    def claim(self) -> np.ndarray:
        """How probable the attack itself says that each match is right; 0 where it cannot know."""
        return certainty(self.result)

    # --- by the key ------------------------------------------------------------------------------

    def _truth(self, matches: np.ndarray) -> np.ndarray:
        """Row of each record among the known people, -1 where it has none.

        Where people are found by place, those in ``matches`` come first.
        """
        found, released, known = self.adversary.found, self.adversary.released, self.adversary.known
        if found.way != PLACE:
            return found.rows
        place_of_known = places(known.table.xy).of_point
        same_place = np.where(found.rows >= 0, place_of_known[found.rows], -1)
        return share_out(same_place, place_of_known, released.labels, known.labels, matches)

    @property
    def _named(self) -> np.ndarray:
        """Of which matches the key says anything."""
        return self.adversary.found.named[self.result.matches[:, 0]]

    @cached_property
    def judged(self) -> scoring.Judged | None:
        """What the key says, and whether it fits; None without one."""
        if self.adversary.found is None:
            return None
        matches, named = self.result.matches, self._named
        right = self._truth(matches)[matches[:, 0]] == matches[:, 1]
        return scoring.judge(self.adversary.found, self.claim[named], right[named])

    @cached_property
    def truth(self) -> np.ndarray | None:
        """Row of each record among the known people, (n,); None without a key that fits."""
        if self.judged is None or not self.judged.holds:
            return None
        return self._truth(self.result.matches)

    @property
    def true_rows(self) -> np.ndarray:
        """Row of the person whose record each match has, (m,); -1 where nobody knows."""
        if self.truth is None:
            return np.full(self.result.clique, -1)
        return self.truth[self.result.matches[:, 0]]

    @cached_property
    def correct(self) -> list[int | None]:
        """Whether each match is right: 1, 0, or None where the key does not say."""
        if self.truth is None:
            return [None] * self.result.clique
        right = self.true_rows == self.result.matches[:, 1]
        return [int(one) if named else None for one, named in zip(right, self._named)]

    @cached_property
    def scored(self) -> LinkageScore | None:
        """The score of those matches of which the key says anything."""
        if self.truth is None:
            return None
        return score(replace(self.result, matches=self.result.matches[self._named]), self.truth)

    @cached_property
    def evidence(self) -> list[Evidence]:
        """What it shows, each attack by itself where all were run, and attributes alone."""
        if self.truth is None:
            return all_evidence(self.result)
        return all_evidence(self.result, self._truth, self.adversary.found.named)

    @property
    def _labels(self) -> list[list]:
        """Labels of the records and of the people, without those that known links are of."""
        files = (self.adversary.released, self.adversary.known)
        rows = self.adversary.links.rows.T
        return [unlinked(one.labels, own) for one, own in zip(files, rows)]

    def right_of(self, part: LinkageResult) -> int | None:
        """How many matches of one of the attacks are right; None without a key that fits."""
        if self.truth is None:
            return None
        rows, people = part.matches.T
        right = self._truth(part.matches)[rows] == people
        return int(np.count_nonzero(right & self.adversary.found.named[rows]))

    # --- for sentences ---------------------------------------------------------------------------

    @property
    def unlabelled(self) -> int:
        """Records of both files that lack a quasi-identifier."""
        files = (self.adversary.released, self.adversary.known)
        return sum(label is None for one in files for label in one.labels)

    @property
    def strangers(self) -> bool:
        """Whether the key, where there is one, names none of the known people."""
        return self.truth is not None and not (self.truth >= 0).any()

    @property
    def by_chance(self) -> float | None:
        """Expected precision of linking at random within a label; None without a key."""
        if self.truth is None or not self.result.vertices:
            return None
        of_records, of_people = self._labels
        known = Counter(label for label in of_people if label is not None)
        chances = [
            (row >= 0) / known[label]
            for row, label in zip(
                not_given(self.truth, self.adversary.links.rows).tolist(), of_records
            )
            if label is not None and known[label]
        ]
        return float(np.mean(chances)) if chances else None
