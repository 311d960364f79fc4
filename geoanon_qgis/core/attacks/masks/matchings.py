# SPDX-License-Identifier: GPL-2.0-or-later
"""Ways to give every released point a candidate of its own, drawn as likely as they are.

No two places of the file are one address. A chain goes from one way to another: a point proposes
one of its candidates, moves there if it is free, or changes places with who is there if that one
can take its own (Metropolis, N. et al. 1953; for matchings: Jerrum, M. & Sinclair, A. 1989,
Approximating the permanent, SIAM Journal on Computing 18(6), 1149-1178). Points that do not meet
move at once.
"""

from __future__ import annotations

import numpy as np

from .likelihood import Likelihood


class Matchings:
    """A way to give points candidates of their own, and ways from it to others.

    Parameters
    ----------
    likelihood : Likelihood
        Of each point alone, a candidate with none left out.
    weight : (m,) array or None
        Of each candidate.
    rng : numpy.random.Generator

    Attributes
    ----------
    rows : (q,) int64 array
        Points that have one. Others are too many for their candidates, or have none.
    at : (q,) int64 array
        Their candidates.
    """

    def __init__(
        self, likelihood: Likelihood, weight: np.ndarray | None, rng: np.random.Generator
    ) -> None:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import maximum_bipartite_matching

        point, candidate, value = likelihood.point, likelihood.candidate, likelihood.value
        if weight is not None:
            value = value * weight[candidate]
        good = value > 0
        point, candidate, value = point[good], candidate[good].astype(np.int64), value[good]
        shape = (likelihood.points, likelihood.candidates)
        there = csr_matrix((np.ones(len(point)), (point, candidate)), shape=shape)
        matched = maximum_bipartite_matching(there, perm_type="column")
        self.rows = np.flatnonzero(matched >= 0)
        self.at = matched[self.rows].astype(np.int64)
        new = np.full(likelihood.points, -1, dtype=np.int64)
        new[self.rows] = np.arange(len(self.rows))
        kept = new[point] >= 0
        self._rng, self._many = rng, likelihood.candidates
        self._key = new[point[kept]] * self._many + candidate[kept]
        order = np.argsort(self._key)
        self._key, self._value = self._key[order], np.log(value[kept][order])
        self._candidate = candidate[kept][order]
        self._first = np.searchsorted(self._key, np.arange(len(self.rows) + 1) * self._many)
        self._who = np.full(likelihood.candidates, -1, dtype=np.int64)
        self._who[self.at] = np.arange(len(self.rows))

    def _likely(self, row: np.ndarray, candidate: np.ndarray) -> np.ndarray:
        """Logarithm of how likely pairs are; minus infinity for none."""
        wanted = row * self._many + candidate
        at = np.minimum(np.searchsorted(self._key, wanted), len(self._key) - 1)
        return np.where(self._key[at] == wanted, self._value[at], -np.inf)

    def move(self, times: int) -> np.ndarray:
        """Let every point propose so many times; return the candidates of now, (q,)."""
        if len(self.rows):
            for _ in range(times):
                self._propose()
        return self.at.copy()

    def _propose(self) -> None:
        rng = self._rng
        # Who proposes is drawn first, and who does not gives way: so no two of them meet. To a
        # place that another one wants nobody goes, and nobody leaves one: else there would be ways
        # that do not lead back.
        proposes = rng.random(len(self.rows) + 1) < 0.5
        proposes[-1] = False  # nobody's
        row = np.flatnonzero(proposes)
        low, high = self._first[row], self._first[row + 1]
        goal = self._candidate[low + ((high - low) * rng.random(len(row))).astype(np.int64)]
        wanted = np.bincount(goal, minlength=self._many)
        good = (wanted[goal] == 1) & (wanted[self.at[row]] == 0) & ~proposes[self._who[goal]]
        row, goal = row[good], goal[good]
        there, own = self._who[goal], self.at[row]
        gain = self._likely(row, goal) - self._likely(row, own)
        changes = there >= 0
        gain[changes] += self._likely(there[changes], own[changes])
        gain[changes] -= self._likely(there[changes], goal[changes])
        good = np.log(rng.random(len(row))) < gain
        row, goal, there, own = row[good], goal[good], there[good], own[good]
        changes = there >= 0
        self._who[own] = -1
        self.at[row] = goal
        self.at[there[changes]] = own[changes]
        self._who[goal] = row
        self._who[own[changes]] = there[changes]
