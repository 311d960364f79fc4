# SPDX-License-Identifier: GPL-2.0-or-later
"""A release under attack by signatures: the real one, or one's own whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, part, silent
from .candidate_odds import Odds, assigned, balanced, learn_odds
from .pair_evidence import PairEvidence, supports
from .row_signatures import Signatures

#: Candidates of a record, and other records that are asked about them.
_CANDIDATES, OTHERS = 40, 160
#: Likely matches of a record that count.
_LIKELY = 3
#: Nearest records with a likely match that are asked about everybody, and how likely that is.
_ANCHORS, _LIKELY_MATCH = 20, 0.5
#: Shares of the distances at which bands of them end, which weigh differently.
_BANDS = (0.01, 0.03, 0.1)
#: What signatures and bands of distances weigh before that is learnt, and nobody.
AT_FIRST = Odds(np.array([0.45, 0.17, 0.17, 0.12, 0.004]), -3.0)


@dataclass(frozen=True, eq=False)
class Register:
    """Whom records are compared with: known people, or the records of another release.

    Attributes
    ----------
    signatures : Signatures
    evidence : PairEvidence
    kinds : (n2,) int array
        Classes of their labels.
    """

    signatures: Signatures
    evidence: PairEvidence
    kinds: np.ndarray

    def __len__(self) -> int:
        return len(self.kinds)


@dataclass(eq=False)
class UnderAttack:
    """A release, and what is known of who is who in it.

    Attributes
    ----------
    released : (n, n) array
    kinds : (n,) int array
        Classes of labels; negative for none.
    links : (l, 2) int array
        Rows of records and people that are known to be the same.
    truth : (n,) int array or None
        Row of each record among the people, -1 for nobody; None for the real release.
    register : Register
        The people.
    seen : (n, n) int array
        Cells of released distances.
    bands : (b,) array
        Where bands of distances end.
    others : (n, k) int array
        Records that are asked about each.
    candidates : (n, c) int array
        People; -1 for none.
    said : (n, c, b + 2) array
        What signatures and the bands of distances say for each.
    chance : (n, c) array
    """

    released: np.ndarray
    kinds: np.ndarray
    links: np.ndarray
    truth: np.ndarray | None = None
    register: Register = field(init=False)
    seen: np.ndarray = field(init=False)
    bands: np.ndarray = field(init=False)
    others: np.ndarray = field(init=False)
    candidates: np.ndarray = field(init=False)
    said: np.ndarray = field(init=False)
    chance: np.ndarray = field(init=False)
    _by_signature: np.ndarray = field(init=False)

    def begin(self, register: Register, progress: Progress = silent) -> None:
        """Find candidates by signatures, and what these and distances to whomever say.

        Parameters
        ----------
        register : Register
        progress : Progress
        """
        self.register = register
        signatures, evidence, kinds = register.signatures, register.evidence, register.kinds
        count = len(self.released)
        self.seen = evidence.seen(self.released)
        apart = ~np.eye(count, dtype=bool)
        self.bands = np.quantile(self.released[apart], _BANDS)
        self.others = interruptible(lambda: _others(self.released), progress, 0.0)
        score = signatures.scores(self.released, part(progress, 0, 0.6))
        parts = [score - score.max(axis=1, keepdims=True)]
        band = np.searchsorted(self.bands, self.released, side="right")
        for number in range(len(self.bands) + 1):
            which = apart & (band == number)
            one = interruptible(partial(evidence.to_whomever, self.seen, which), progress, 0.7)
            parts.append(one - one.max(axis=1, keepdims=True))
        total = np.zeros_like(score)
        for weight, one in zip(AT_FIRST.weights, parts):
            total += np.float32(weight) * one
        total[~self.allowed(kinds)] = -np.inf
        self.candidates = interruptible(
            lambda: _best(total, min(_CANDIDATES, len(kinds))), progress, 0.9
        )
        self._by_signature = parts[0]
        who = np.maximum(self.candidates, 0)
        chosen = [np.take_along_axis(one, who, axis=1) for one in parts]
        self.said = np.stack(chosen, axis=2).astype(np.float64)
        self.chance = np.zeros(self.candidates.shape)
        progress(1.0)

    def support(self, progress: Progress = silent) -> int:
        """Ask all others, by their likely matches, what they say of candidates."""
        top = np.argsort(-self.chance, axis=1, kind="stable")[:, :_LIKELY]
        self.said[:, :, 1:] = supports(
            self.register.evidence,
            self.released,
            self.seen,
            self.bands,
            self.others,
            self.candidates,
            np.take_along_axis(self.candidates, top, axis=1),
            np.take_along_axis(self.chance, top, axis=1),
            progress,
        )
        return self.work

    def renew(self, odds: Odds, progress: Progress = silent) -> None:
        """Find candidates anew among all people, now that some matches are known.

        A person whose signature is not among the best for a record may still be at the right
        distances from the sure matches near it.

        Parameters
        ----------
        odds : Odds
            What weighs how much.
        progress : Progress
        """
        kinds = self.register.kinds
        best = self.chance.argmax(axis=1)[:, None]
        matches = np.take_along_axis(self.candidates, best, axis=1)
        chance = np.take_along_axis(self.chance, best, axis=1)
        allowed = self.allowed(kinds)
        everybody = np.where(allowed, np.arange(len(kinds)), -1)
        said = supports(
            self.register.evidence,
            self.released,
            self.seen,
            self.bands,
            self._anchors(chance[:, 0]),
            everybody,
            matches,
            chance,
            part(progress, 0, 0.8),
        )
        total = odds.weights[0] * self._by_signature
        total += (said @ odds.weights[1:]).astype(np.float32)
        total[~allowed] = -np.inf
        found = interruptible(lambda: _best(total, self.candidates.shape[1]), progress, 0.9)
        before = np.zeros(total.shape, dtype=np.float32)
        row, column = np.nonzero(self.candidates >= 0)
        before[row, self.candidates[row, column]] = self.chance[row, column]
        who = np.maximum(found, 0)
        self.candidates = found
        self.chance = np.take_along_axis(before, who, axis=1).astype(np.float64)
        self.said[:, :, 0] = np.take_along_axis(self._by_signature, who, axis=1)
        progress(1.0)

    def _anchors(self, chance: np.ndarray) -> np.ndarray:
        """The nearest records to each whose match is likely; -1 for no more."""
        keys = np.where(chance > _LIKELY_MATCH, self.released, np.inf)
        np.fill_diagonal(keys, np.inf)
        most = min(_ANCHORS, len(keys) - 1)
        order = np.argpartition(keys, most - 1, axis=1)[:, :most]
        return np.where(np.isfinite(np.take_along_axis(keys, order, axis=1)), order, -1)

    @property
    def work_anew(self) -> int:
        """Distances that :meth:`renew` looks up at most."""
        return self._by_signature.size * _ANCHORS

    @property
    def work(self) -> int:
        """Distances that :meth:`support` looks up."""
        return int(self.candidates.size) * self.others.shape[1] * _LIKELY

    def settle(self, odds: Odds) -> np.ndarray:
        """Take probabilities from what is said; known links are certain. Return log-odds."""
        scores = odds.scores(self.said, self.candidates)
        self.chance = balanced(scores, self.candidates, len(self.register))
        for record, person in self.links:
            self.chance[record] = self.candidates[record] == person
        return scores

    def surest(self) -> np.ndarray:
        """Probability of each record's likeliest candidate, (n,)."""
        return self.chance.max(axis=1)

    def assignment(self) -> tuple[np.ndarray, np.ndarray]:
        """Matches, one to one, (m, 2), and their probability, (m,)."""
        column = assigned(self.chance, self.candidates, len(self.register))
        rows = np.flatnonzero(column >= 0)
        matches = np.stack([rows, self.candidates[rows, column[rows]]], axis=1)
        return matches.astype(np.int64), self.chance[rows, column[rows]]

    def linked(self, matches: np.ndarray) -> np.ndarray:
        """Which matches are of records in known links."""
        return np.isin(matches[:, 0], self.links[:, 0])

    def allowed(self, kinds: np.ndarray) -> np.ndarray:
        """Who may be who: equal labels, and what is known already."""
        allowed = (self.kinds[:, None] == kinds) & (self.kinds[:, None] >= 0)
        allowed[self.links[:, 0]] = False
        allowed[:, self.links[:, 1]] = False
        allowed[self.links[:, 0], self.links[:, 1]] = True
        return allowed


def learnt_odds(files: list[UnderAttack]) -> Odds:
    """Learn what weighs how much from releases whose truth is known."""
    right = []
    for file in files:
        assert file.truth is not None
        hit = (file.candidates == file.truth[:, None]) & (file.truth >= 0)[:, None]
        right.append(np.where(hit.any(axis=1), hit.argmax(axis=1), -1))
    return learn_odds([file.said for file in files], [file.candidates for file in files], right)


def _others(released: np.ndarray) -> np.ndarray:
    """Records that are asked about each: all, or the nearest and some at every distance."""
    count = len(released)
    keys = released.copy()
    np.fill_diagonal(keys, -1.0)
    order = np.argsort(keys, axis=1, kind="stable")[:, 1:]
    if count - 1 <= OTHERS:
        return order
    half = OTHERS // 2
    far = np.linspace(half, count - 2, OTHERS - half).astype(np.int64)
    return np.ascontiguousarray(order[:, np.concatenate([np.arange(half), far])])


def _best(score: np.ndarray, count: int) -> np.ndarray:
    """The people with the highest scores, for each record; -1 where there are no more."""
    if count < score.shape[1]:
        chosen = np.argpartition(-score, count - 1, axis=1)[:, :count]
    else:
        chosen = np.tile(np.arange(score.shape[1]), (len(score), 1))
    value = np.take_along_axis(score, chosen, axis=1)
    return np.where(np.isfinite(value), chosen, -1)
