# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that adaptive Voronoi masking may have been made of, drawn as likely as all points make them.

Of a file x = (x_1, .., x_n) of different addresses the mask makes the points y without any chance, but
for places that are alone in their areas. So all points together are explained, or they are not:

    P(x | y) = w(x_1) .. w(x_n) f_1(x) .. f_n(x) / sum of the same over all files                    (1)

with f_j(x) = 1 where the mask leads from x_j to y_j in the company of the others, the chance of y_j where
x_j is alone, and 0 else. An address c does not only have to lead to its own point: were it in the file,
those who live next to it would go to the middle between them and c, and not to where they were
released. To leave that out believes in less than is right.

Rows are drawn one after the other by (1) given all others (Gibbs sampling: Geman, S. & Geman, D. 1984,
Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images, IEEE PAMI 6(6),
721-741). In place of 0 there stands a small number, large in the beginning, so that one file leads to the
next. What is counted is the probability of each candidate, not only the one that was drawn. Points
at one place tell the same, and share what is counted.

Where many addresses explain a point, few draws leave probabilities uncertain, and the largest of uncertain
ones is too large. Files are begun twice, and what is believed by one is held against the guesses of the
other: see :func:`_doubt`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...runtime.progress import Progress, interruptible, shares, silent
from ...runtime.rows import largest, starts
from ...space.points import build_tree
from .likelihood import Likelihood
from .voronoi_file import Addresses, File
from .voronoi_ways import Ways

#: Rounds that count, in each of which each row is drawn.
_ROUNDS = 40
#: What stands for 0 in the beginning and when it counts; part of the rounds before until it does.
_FIRST, _LAST, _UNTIL = 0.3, 1e-3, 0.8
#: Rows that are looked at as neighbours, at least.
_NEAR = 40
#: Part that is left to what was believed before, at least and at most.
_OPEN, _DOUBT = 0.02, 0.8
#: Neighbours of candidates that are looked at: what drawing a row costs besides, how many are too many,
#: and those between two questions whether to go on.
_EACH, _MOST, _AT_ONCE = 2_000, 5e9, 100_000
_SEED = 22


@dataclass(frozen=True, eq=False)
class Places:
    """Candidates of a public list, and how the mask moves who lives there.

    Attributes
    ----------
    xy : (m, 2) array
        Metres.
    area : (m,) int array
        Of each; below zero for none.
    to_border : (m,) array
        Metres to the border of the area.
    weight : (m,) array or None
    """

    xy: np.ndarray
    area: np.ndarray
    to_border: np.ndarray
    weight: np.ndarray | None


def by_files(
    believed: Likelihood,
    worth: np.ndarray,
    by_border: np.ndarray,
    ways: Ways,
    places: Places,
    progress: Progress = silent,
) -> Likelihood | None:
    """Probability of each candidate by all points, one for each place of the file.

    Parameters
    ----------
    believed : Likelihood
        Of each point by itself; see :func:`shared`.
    worth, by_border : (p,) bool arrays
        Pairs that are drawn; to all of them a small part of what was believed is left. Whether the
        border leads from the candidate to the point.
    ways : Ways
    places : Places
    progress : callable

    Returns
    -------
    Likelihood or None
        By the weights of the candidates it adds up to 1 for each point. None where to draw files
        takes too long: what that is hangs on the numbers of points and candidates, not on time.
    """
    own = np.ones(believed.candidates) if places.weight is None else places.weight
    own = np.asarray(own, dtype=np.float64)[believed.candidate]
    prior = believed.value * own
    total = np.bincount(believed.point, prior, believed.points)[believed.point]
    prior = np.divide(prior, total, out=np.zeros(len(prior)), where=total > 0)
    kept = np.flatnonzero(worth & (prior > 0))
    if not len(kept):
        return believed
    neighbours = interruptible(partial(_neighbours, ways.point), progress)
    addresses = Addresses(
        starts(np.bincount(believed.point[kept], minlength=believed.points)),
        believed.candidate[kept].astype(np.int64),
        by_border[kept],
        own[kept],
        np.ascontiguousarray(places.xy, dtype=np.float64),
        places.area,
        places.to_border,
        neighbours,
        ways,
    )
    cost = _EACH + np.diff(addresses.first) * [len(one) for one in addresses.near]
    if 2 * cost.sum() * (ways.rounds_before + _ROUNDS) > _MOST:
        return None
    found = []
    for number, told in enumerate(shares(progress, 2)):
        rng = np.random.default_rng([_SEED, number])
        sums, drawn = _drawn(addresses, prior[kept], cost, rng, told)
        each, times = np.zeros(len(prior)), drawn[believed.point]
        each[kept] = sums
        each = np.where(times > 0, each / np.maximum(times, 1), prior)
        each = (1 - _OPEN) * each + _OPEN * prior
        found.append(shared(believed.with_values(each), ways.point))
    both, (one, two) = believed.with_values(prior), (each.value for each in found)
    part = _doubt(both.first, one, two, both.value) if ways.many else 0.0
    chance = (1 - part) * (one + two) / 2 + part * both.value
    return both.with_values(chance / own[prior > 0])


def _doubt(first: np.ndarray, one: np.ndarray, two: np.ndarray, before: np.ndarray) -> float:
    """Part that is left to what was believed before, for guesses to be right as often as believed.

    The largest of probabilities that err is too large, and the guess by it worse than the best. By how
    much both together is what one file believes of its guesses, less what the other believes of them;
    by the mean of two files it is half of that.

    Parameters
    ----------
    first : (n + 1,) int array
        Where the pairs of each point start.
    one, two, before : (p,) arrays
        Probability of each pair by either file, and before.
    """
    mean = (one + two) / 2
    rows, at = _largest_at(first, mean)
    of_one, of_two = _largest_at(first, one)[1], _largest_at(first, two)[1]
    own = (one[of_one] + two[of_two]).sum() / 2
    other = (two[of_one] + one[of_two]).sum() / 2
    too_much, least = max(0.0, (own - other) / 2), mean[at].sum() - before[at].sum()
    return float(min(too_much / least, _DOUBT)) if least > 0 else 0.0


def _largest_at(first: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows with pairs, and the first of each one's largest."""
    row = np.repeat(np.arange(len(first) - 1), np.diff(first))
    hit = np.flatnonzero(value == largest(first, value)[row])
    rows, at = np.unique(row[hit], return_index=True)
    return rows, hit[at]


def _drawn(
    addresses: Addresses,
    prior: np.ndarray,
    cost: np.ndarray,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray]:
    """Draw one file after the other: sums of each pair's probabilities, how often each row was drawn."""
    sums, drawn = np.zeros(len(prior)), np.zeros(len(cost))
    file, rows = File(addresses, _FIRST), np.flatnonzero(np.diff(addresses.first))
    before = addresses.ways.rounds_before
    whole, done, asked = cost[rows].sum() * (1 + before + _ROUNDS), 0, 0
    for number in range(
        -1, before + _ROUNDS
    ):  # in the first one, rows come by what is believed before
        if 0 <= number <= before:
            file.let(_FIRST * (_LAST / _FIRST) ** min(1.0, number / (_UNTIL * before)))
        for row in rng.permutation(rows).tolist():
            if done >= asked:
                progress(done / whole)
                asked = done + _AT_ONCE
            done += cost[row]
            file.take(row)
            pair, told = file.chances(row)
            if not len(pair):
                continue
            chance = prior[pair] if number < 0 else np.exp(told - told.max())
            if number >= before:
                sums[pair] += chance / chance.sum()
                drawn[row] += 1
            _put(file, row, pair, chance, rng)
    progress(1.0)
    return sums, drawn


def _put(
    file: File, row: int, pair: np.ndarray, chance: np.ndarray, rng: np.random.Generator
) -> None:
    """Put a row at the candidate of one of the pairs, by their chances; nowhere without any."""
    ends = np.cumsum(chance)
    if len(ends) and ends[-1] > 0:
        at = int(np.searchsorted(ends, rng.random() * ends[-1], side="right"))
        file.put(row, int(pair[min(at, len(ends) - 1)]))


def shared(likelihood: Likelihood, point: np.ndarray) -> Likelihood:
    """Give points at one place the mean of what is known of them."""
    from scipy.sparse import csr_matrix

    _, place, size = np.unique(point, axis=0, return_inverse=True, return_counts=True)
    place, rows = place.reshape(-1), np.arange(len(point))
    shape = likelihood.points, likelihood.candidates
    table = csr_matrix((likelihood.value, likelihood.candidate, likelihood.first), shape=shape)
    means = csr_matrix((1.0 / size[place], (place, rows)), shape=(len(size), len(rows))) @ table
    found = means.tocsr()[place].tocoo()
    return Likelihood.of_pairs(*shape, found.row.astype(np.int64), found.col, found.data)


def _neighbours(point: np.ndarray) -> list[np.ndarray]:
    """Rows that were released next to each; each of two or neither is the other's."""
    count = len(point)
    if count < 2:
        return [np.empty(0, dtype=np.int64)] * count
    near = build_tree(point).query(point, k=list(range(1, min(_NEAR + 1, count) + 1)))[1]
    row, other = np.repeat(np.arange(count), near.shape[1]), near.ravel().astype(np.int64)
    row, other = row[row != other], other[row != other]
    both = np.unique(np.concatenate([row * count + other, other * count + row]))
    ends = np.cumsum(np.bincount(both // count, minlength=count))[:-1]
    return np.split(both % count, ends)
