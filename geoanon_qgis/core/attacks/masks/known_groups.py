# SPDX-License-Identifier: GPL-2.0-or-later
"""What compact groups tell who knows them: where the others of a group got their places.

The mask makes groups of the places of the file, each as compact as it can be. So a place is near the
other places of its group, and nearer to them than to those of another. How much likelier that makes a
place is learnt of files that are played: places drawn by what all points tell, and groups made of them
as the mask would make them, so that the place of each row is known. To them a conditional logit is
fitted (McFadden, D. 1973, Conditional logit analysis of qualitative choice behavior): of each row,
which of its candidates is its place, by what the points tell and by two curves, of how far a candidate
is from the others of the group and of how much nearer these are than any other group. Then where the
others are is known better, and all is done once more.

Fitted to files that are as likely as the real one, it believes what it is right in. Student's t with a
width for all groups believed 8 to 15 in a hundred too little, and one normal density a third too much.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...masking.compact import compact_groups
from ...masking.joint_chances import free_of_others
from ...runtime.progress import Progress, part, silent
from ...space.points import build_tree
from .grouped import SEED
from .likelihood import Likelihood

#: Files that are drawn, fewest and most, and places in all of them that are worth their time.
_LEAST, _MOST, _PLACES = 5, 25, 100_000
#: Attempts to give each row a place of its own.
_ATTEMPTS = 20
#: How many members more of each group are as far apart as is usual.
_AS_USUAL = 2.0
#: Where the curves bend, in logarithms: of squares, in variances along an axis, and of distances.
_BENDS = np.array([-4.0, -2.5, -1.5, -0.75, 0.0, 0.75, 1.5, 2.5, 4.0])
#: What logarithms of distances are multiplied by, and the part of a group's width added to both.
_STEEPER, _BLUNT = 1.5, 0.25
#: Times that all is done; pairs that the curves are fitted to, in all files; how even curves are.
_ROUNDS, _PAIRS, _EVEN = 2, 60_000, 1.0
#: Steps of a fit, at most.
_STEPS = 100

#: Of each pair, both that the curves are of.
Signs = tuple[np.ndarray, np.ndarray]


def closer(
    shares: Likelihood,
    xy: np.ndarray,
    group: np.ndarray,
    k_records: int,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> Likelihood:
    """Shares of each row for who knows that its group is compact.

    Parameters
    ----------
    shares : Likelihood
        As :func:`.grouped.shares_of` gives it, of each row that got a place.
    xy : (m, 2) array
        The addresses, metres.
    group : (n,) int array
        Of each row, below zero for none.
    k_records : int
        Least size of a group.
    weight : (m,) array, optional
        Of each address.
    progress : Progress

    Returns
    -------
    Likelihood
        Adds up to 1 with the weights.
    """
    if not len(shares.value):
        return shares
    own = np.ones(len(xy)) if weight is None else weight
    near = _Near(shares, xy, shares.value * own[shares.candidate])
    # Where a row's own place is among its candidates in a file that is played.
    key = near.point * len(xy) + shares.candidate
    first = np.arange(shares.points) * len(xy)
    hits, files = [], []
    for at, one in played_groups(shares, xy, k_records, weight, part(progress, 0.0, 0.4)):
        hits.append(np.where(at >= 0, np.searchsorted(key, first + at), -1))
        files.append(one)
    mine, curves = near.alone, np.zeros(2 * len(_BENDS))
    signs: list[Signs] = []
    mean = near.means(mine)
    usual = float(np.mean([_width(mean, one) for one in files]))
    for turn in range(_ROUNDS):
        step = part(progress, 0.4 + 0.5 * turn / _ROUNDS, 0.4 + 0.5 * (turn + 1) / _ROUNDS)
        before, signs = signs, []
        for number, one in enumerate(files):
            step(0.5 * number / len(files))
            chance = near.weighed(before[number], curves) if turn else near.alone
            signs.append(near.signs(chance, one, usual))
        curves = near.fitted(signs, hits, curves, part(step, 0.5, 0.9))
        mine = near.weighed(near.signs(mine, group, usual), curves)
    # No two got one place, be it ever so likely for each.
    step = part(progress, 0.9, 1.0)
    mine = near.shared(mine * free_of_others(shares.first, shares.candidate, mine, len(xy), step))
    value = np.divide(
        mine, own[shares.candidate], out=np.zeros(len(mine)), where=own[shares.candidate] > 0
    )
    progress(1.0)
    return shares.with_values(np.where(group[near.point] >= 0, value, shares.value))


class _Near:
    """Pairs of a row and a candidate, and how near the candidates are to the others of a group.

    Parameters
    ----------
    shares : Likelihood
    xy : (m, 2) array
    alone : (p,) array
        How likely each pair is by what the points tell.

    Attributes
    ----------
    point : (p,) int array
    alone : (p,) array
        Adds up to 1 of each row.
    """

    def __init__(self, shares: Likelihood, xy: np.ndarray, alone: np.ndarray) -> None:
        self.point, self._count, self._first = shares.point, shares.points, shares.first
        self._some, self._of_pair = np.unique(shares.candidate, return_inverse=True)
        self._there = xy[self._some]
        self._xy = xy[shares.candidate]
        self.alone = self.shared(alone)

    def shared(self, value: np.ndarray) -> np.ndarray:
        """Divide by the sum of each row."""
        total = self._sum(value)[self.point]
        return np.divide(value, total, out=np.zeros(len(value)), where=total > 0)

    def _sum(self, value: np.ndarray) -> np.ndarray:
        return np.bincount(self.point, value, self._count)

    def means(self, chance: np.ndarray) -> np.ndarray:
        """Mean place of each row."""
        return np.stack([self._sum(chance * self._xy[:, axis]) for axis in (0, 1)], axis=1)

    def signs(self, chance: np.ndarray, group: np.ndarray, usual: float) -> Signs:
        """Logarithms: how far each candidate is from the others, and against another group.

        Parameters
        ----------
        chance : (p,) array
            How likely each pair is, by which the others' places are known.
        group : (n,) int array
        usual : float
            As :func:`_width` has it.

        Returns
        -------
        far, nearer : (p,) arrays
            0 where a row has no group, or no others in it.
        """
        mean = self.means(chance)
        spread = self._sum(chance * ((self._xy - mean[self.point]) ** 2).sum(axis=1) / 2)
        others = _Others.of(mean, spread, group, usual)
        square = ((self._xy - others.middle[self.point]) ** 2).sum(axis=1)
        tiny = np.finfo(float).tiny
        far = np.log(np.maximum(square / others.wide[self.point], tiny))
        nearer = np.zeros(len(far))
        if len(others.of_group) > 1:
            away, which = build_tree(others.of_group).query(self._there, 2)
            mine = which[self._of_pair, 0] == others.number[self.point]
            other = np.where(mine, away[self._of_pair, 1], away[self._of_pair, 0])
            blunt = _BLUNT * np.sqrt(usual) + tiny
            nearer = _STEEPER * np.log((np.sqrt(square) + blunt) / (other + blunt))
        known = others.number[self.point] >= 0
        return np.where(known, far, 0.0), np.where(known, nearer, 0.0)

    def weighed(self, signs: Signs, curves: np.ndarray) -> np.ndarray:
        """How likely each pair is by the curves, too; adds up to 1 of each row."""
        height = sum(
            np.interp(sign, _BENDS, curve) for sign, curve in zip(signs, np.split(curves, 2))
        )
        return self.shared(self.alone * np.exp(height))

    def fitted(
        self, signs: list[Signs], hits: list[np.ndarray], start: np.ndarray, progress: Progress
    ) -> np.ndarray:
        """The curves by which the places of files that are played are likeliest.

        Parameters
        ----------
        signs : list of pairs of (p,) arrays
            Of each file.
        hits : list of (n,) int arrays
            Which pair is that of each row's place, below zero for none.
        start : (2 b,) array
            Heights of both curves where they bend.
        progress : Progress
        """
        from scipy.optimize import minimize

        chosen = _Chosen.of(self, signs, hits)
        calls = 0

        def told(curves: np.ndarray) -> tuple[float, np.ndarray]:
            nonlocal calls
            calls += 1
            progress(1 - 0.98**calls)
            return chosen.unlikely(curves)

        options = {"maxiter": _STEPS}
        found = minimize(told, start, jac=True, method="L-BFGS-B", options=options).x
        progress(1.0)
        return found


@dataclass(frozen=True, eq=False)
class _Others:
    """Of each row the others of its group.

    Attributes
    ----------
    middle : (n, 2) array
        Mean of their places.
    wide : (n,) array
        Variance along an axis of the place of the row about it.
    number : (n,) int array
        Row of its group in ``of_group``; below zero where there are no others.
    of_group : (g, 2) array
        Mean of the places of each group.
    """

    middle: np.ndarray
    wide: np.ndarray
    number: np.ndarray
    of_group: np.ndarray

    @classmethod
    def of(cls, mean: np.ndarray, spread: np.ndarray, group: np.ndarray, usual: float) -> _Others:
        """By where rows are on average, how widely each is spread, and what is usual."""
        rows = np.flatnonzero(group >= 0)
        _, of, size = np.unique(group[rows], return_inverse=True, return_counts=True)
        total = np.stack([np.bincount(of, mean[rows, axis]) for axis in (0, 1)], axis=1)
        square = np.bincount(of, (mean[rows] ** 2).sum(axis=1))
        loose = np.bincount(of, spread[rows])
        others = np.maximum(size[of] - 1, 1)
        middle, wide = np.zeros((len(mean), 2)), np.ones(len(mean))
        middle[rows] = (total[of] - mean[rows]) / others[:, None]
        own = square[of] - (mean[rows] ** 2).sum(axis=1) - others * (middle[rows] ** 2).sum(axis=1)
        # Few others tell their width roughly: as if some more were as far apart as is usual.
        own = np.maximum(own, 0.0) / 2 * others / np.maximum(others - 1, 1)
        own = (own + _AS_USUAL * usual) / (others - 1 + _AS_USUAL)
        wide[rows] = own * (1 + 1 / others) + (loose[of] - spread[rows]) / others**2
        number = np.full(len(mean), -1)
        number[rows] = np.where(size[of] > 1, of, -1)
        wide = np.maximum(wide, np.finfo(float).tiny)
        return cls(middle, wide, number, total / size[:, None])


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Rows of whom the place is known, and what the curves weigh of each of their candidates.

    Attributes
    ----------
    first : (r,) int array
        Where the pairs of each row start.
    row : (q,) int array
    alone : (q,) array
        Logarithm.
    bends : (q, 2 b) array
        What each height counts for.
    place : (r,) int array
        The pair of its place.
    """

    first: np.ndarray
    row: np.ndarray
    alone: np.ndarray
    bends: np.ndarray
    place: np.ndarray

    @classmethod
    def of(cls, near: _Near, signs: list[Signs], hits: list[np.ndarray]) -> _Chosen:
        """Some rows of each file, as many as are worth their time."""
        many = np.diff(near._first)
        share = min(1.0, _PAIRS / max(1, len(signs) * int(many.sum())))
        rng = np.random.default_rng(SEED)
        first, row, alone, bends, place, pairs, rows = [], [], [], [], [], 0, 0
        for (far, nearer), hit in zip(signs, hits):
            some = np.flatnonzero((hit >= 0) & (rng.random(len(hit)) < share))
            start = np.cumsum(many[some]) - many[some]
            of_row = np.repeat(np.arange(len(some)), many[some])
            pair = np.arange(len(of_row)) - start[of_row] + near._first[some][of_row]
            first.append(start + pairs)
            place.append(hit[some] - near._first[some] + start + pairs)
            row.append(of_row + rows)
            alone.append(np.log(np.maximum(near.alone[pair], np.finfo(float).tiny)))
            bends.append(np.concatenate([_between(far[pair]), _between(nearer[pair])], axis=1))
            pairs, rows = pairs + len(pair), rows + len(some)
        return cls(*(np.concatenate(each) for each in (first, row, alone, bends, place)))

    def unlikely(self, curves: np.ndarray) -> tuple[float, np.ndarray]:
        """Minus the logarithm of the likelihood with what keeps curves even, and its gradient."""
        height = self.alone + self.bends @ curves
        top = np.maximum.reduceat(height, self.first)
        chance = np.exp(height - top[self.row])
        total = np.add.reduceat(chance, self.first)
        chance /= total[self.row]
        uneven = np.diff(np.split(curves, 2), axis=1)
        loss = (np.log(total) + top).sum() - height[self.place].sum()
        gradient = self.bends.T @ chance - self.bends[self.place].sum(axis=0)
        back = np.pad(uneven, ((0, 0), (1, 0))) - np.pad(uneven, ((0, 0), (0, 1)))
        return loss + _EVEN / 2 * (uneven**2).sum(), gradient + _EVEN * back.ravel()


def _between(sign: np.ndarray) -> np.ndarray:
    """What the heights of a curve where it bends count for: those beside, by how near they are."""
    sign = np.clip(sign, _BENDS[0], _BENDS[-1])
    left = np.clip(np.searchsorted(_BENDS, sign, side="right") - 1, 0, len(_BENDS) - 2)
    right = (sign - _BENDS[left]) / (_BENDS[left + 1] - _BENDS[left])
    found, row = np.zeros((len(sign), len(_BENDS))), np.arange(len(sign))
    found[row, left], found[row, left + 1] = 1 - right, right
    return found


def _width(mean: np.ndarray, group: np.ndarray) -> float:
    """The usual variance along an axis of rows within their group."""
    rows = np.flatnonzero(group >= 0)
    size = np.bincount(group[rows])[group[rows]]
    total = np.stack([np.bincount(group[rows], mean[rows, axis]) for axis in (0, 1)], axis=1)
    off = ((mean[rows] - total[group[rows]] / size[:, None]) ** 2).sum(axis=1) / 2
    return float(np.median(off * size / np.maximum(size - 1, 1)))


def played_groups(
    shares: Likelihood,
    xy: np.ndarray,
    k_records: int,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Places that rows may have got, and the groups that the mask would make of them.

    Parameters
    ----------
    shares : Likelihood
        Of each row; those that nothing explains are in no group.
    xy : (m, 2) array
        The addresses, metres.
    k_records : int
    weight : (m,) array, optional
    progress : Progress
    """
    rng = np.random.default_rng(SEED)
    rows = np.flatnonzero(np.diff(shares.first))
    some = shares.taken(rows)
    own = np.ones(len(xy)) if weight is None else weight
    chance = np.cumsum(some.value * own[some.candidate])
    start = np.concatenate([[0.0], chance])[some.first]

    def draw() -> np.ndarray:
        """An address for each row, no two the same unless it cannot be."""
        at = np.full(len(rows), -1, dtype=np.int64)
        missing = np.arange(len(rows))
        for _ in range(_ATTEMPTS):
            low, high = start[missing], start[missing + 1]
            pair = np.searchsorted(chance, low + (high - low) * rng.random(len(missing)))
            last = some.first[missing + 1] - 1
            at[missing] = some.candidate[np.clip(pair, some.first[missing], last)]
            order = rng.permutation(len(rows))
            # Who has been there stays: of those that share an address one of the older ones.
            order = order[np.argsort(np.isin(order, missing), kind="stable")]
            _, first = np.unique(at[order], return_index=True)
            missing = np.setdiff1d(np.arange(len(rows)), order[first])
            if not len(missing):
                break
        return at

    files = int(np.clip(_PLACES // max(1, len(rows)), _LEAST, _MOST))
    for number in range(files):
        progress(number / files)
        at, group = np.full((2, shares.points), -1, dtype=np.int64)
        at[rows] = draw()
        used, of_row = np.unique(at[rows], return_inverse=True)
        group[rows] = 0
        if len(used) >= k_records:
            step = part(progress, number / files, (number + 1) / files)
            group[rows] = compact_groups(xy[used], k_records, progress=step)[of_row]
        yield at, group
    progress(1.0)
