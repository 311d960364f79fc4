# SPDX-License-Identifier: GPL-2.0-or-later
"""Which groups of matches are believed: those that chance hardly makes.

Two questions are asked. Is there anything to be found in these files at all? Only if the best group
is one that chance makes in one of a hundred such files, by its weight or by what grows from it. If
so, which of the others are right, too? That costs precision alone, and less is enough.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...runtime.progress import Progress, shares, silent
from .near_cliques import LEAST_SIZE, NearClique
from .near_confidence import after_growth
from .near_growth import Around, grow
from .near_null import Null

#: Groups by chance up to which one is so sure that nothing more has to be tried, up to which it is
#: worth to see more of what chance makes, and up to which anything is claimed of these files.
SURE, OPEN, CLAIMED = 1e-4, 0.2, 0.01
#: Groups by chance up to which others are believed where one is. Where neighbours are in both files in
#: one place they are in others, too: most of those by .03 to .1 are right, and growth drops the others. Where distances may be too long less is
#: believed, as the confidence there was fitted to.
BELIEVED, BELIEVED_OF_LONGER = 0.1, 0.03
#: Groups that are grown to see whether as many grow as never else, and as heavy by chance at most.
_TRIED, _WORTH = 2, 1.0
#: What a member of a group has to bring, beyond what picking it out costs; of those that bring less
#: three in four are right, of the others 97 in 100.
_BRINGS = 5.0


class Belief:
    """Groups against chance.

    Parameters
    ----------
    cliques : sequence of NearClique
    around : Around
        What groups grow in.
    longer : bool
        Whether released distances may be too long.
    """

    def __init__(self, cliques: Sequence[NearClique], around: Around, longer: bool = False):
        self._others = BELIEVED_OF_LONGER if longer else BELIEVED
        self.cliques = sorted(cliques, key=lambda one: -one.weight)
        self._around = around
        self._grown: list[np.ndarray] = [np.zeros(0) for _ in self.cliques]
        self._alone = self._after = np.zeros(0)

    def judge(self, null: Null) -> None:
        """See how many groups as good chance makes."""
        self._alone = np.array([null.expected(one.weight) for one in self.cliques])
        grown = zip(self._alone.tolist(), self._grown)
        self._after = np.array([after_growth(alone, extra) for alone, extra in grown])

    def grow(self, progress: Progress = silent) -> None:
        """Grow the best groups, each on its own; :meth:`judge` takes them into account."""
        around = self._around
        tried = np.flatnonzero(self._alone <= _WORTH)[:_TRIED].tolist()
        for number, steps in zip(tried, shares(progress, len(tried))):
            members = self.cliques[number].members
            start = np.stack(
                [around.candidates.target[members], around.candidates.known[members]], axis=1
            )
            found = grow(around, start, np.full(len(start), self._alone[number]), steps)
            extra = ~np.isin(found.matches, members)
            self._grown[number] = found.by_chance[: found.kept][extra]

    @property
    def best(self) -> float:
        """Groups as good as the best that chance makes."""
        return float(self._after.min(initial=1.0))

    def believed(self) -> list[tuple[NearClique, float]]:
        """Groups that are believed, the heaviest first, and how many as good chance makes."""
        if self.best > CLAIMED:
            return []
        first = int(self._after.argmin())
        return [
            (
                self._firm(one),
                float(self._after[number] if number == first else self._alone[number]),
            )
            for number, one in enumerate(self.cliques)
            if number == first or self._alone[number] <= self._others
        ]

    def _firm(self, one: NearClique) -> NearClique:
        """Leave out members who bring little, the least first, down to the least size."""
        candidates, members = self._around.candidates, one.members
        target, known = candidates.target[members], candidates.known[members]
        weights = self._around.weighing.of_pairs(
            target[:, None], known[:, None], target[None], known[None]
        )
        np.fill_diagonal(weights, 0.0)
        price = np.log(max(len(candidates), 2))
        kept = np.arange(len(members))
        while len(kept) > LEAST_SIZE:
            brought = weights[np.ix_(kept, kept)].sum(axis=1) - price
            if brought.min() >= _BRINGS:
                break
            kept = np.delete(kept, brought.argmin())
        return NearClique(members[kept], one.weight)
