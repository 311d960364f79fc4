# SPDX-License-Identifier: GPL-2.0-or-later
"""Groups that somebody plays who does not know them: where rows got their places, and with whom.

Of (1) in :mod:`.grouped` both factors hang on the same draw. Where row i got the place c tells which
rows are in its group, so that

    P(x_j = c | Y) = P(c is a place of the file | Y) E[1 / size where j is in the group of c | Y, c]

is the mean over whole draws, not the product of two means, which believes less than is right. Places
that a draw in hand seldom holds get the product of means for as many draws as :data:`_KNOWN`.
"""

from __future__ import annotations

import numpy as np

from ...masking.compact import compact_groups
from ...runtime.progress import Progress, part, silent
from .grouped import LARGER, OPEN, SEED, mixed, shares_of
from .likelihood import Likelihood
from .matchings import Matchings

#: Draws, fewest and most, and places in all of them that are worth their time.
_LEAST, _MOST, _PLACES = 100, 400, 1_000_000
#: Proposals of each row before the first draw that counts, and between two of them.
_BEFORE, _BETWEEN = 60, 5
#: Draws that the product of means counts for.
_KNOWN = 10.0
#: Draws of larger groups; draws whose tables are added at once.
_WIDE, _AT_ONCE = 10, 20

Triples = tuple[np.ndarray, np.ndarray, np.ndarray]


def play_groups(
    likelihood: Likelihood,
    xy: np.ndarray,
    k_records: int,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> Likelihood:
    """Likelihood of groups for who does not know them.

    Parameters
    ----------
    likelihood : Likelihood
        Of the exchange alone: from which place each row of the release was put where it is.
    xy : (m, 2) array
        The addresses, metres.
    k_records : int
        Least size of a group.
    weight : (m,) array, optional
    progress : Progress

    Returns
    -------
    Likelihood
        Of each row: it adds up to about 1 with the weights. Of no home is any row likelier than
        1 / k_records.
    """
    from scipy.sparse import csr_matrix, diags

    shares = shares_of(likelihood, weight, part(progress, 0.0, 0.1))
    count, many = likelihood.points, likelihood.candidates
    own = np.ones(many) if weight is None else weight
    ways = Matchings(likelihood, weight, np.random.default_rng(SEED))
    rows = ways.rows
    placed = csr_matrix(
        (shares.value * own[shares.candidate], shares.candidate, shares.first), shape=(count, many)
    )
    alone = np.ones(count)
    alone[rows] = 0.0
    # Rows without a place of their own are taken for what they are by themselves.
    left_over = diags(alone) @ placed
    left = _triples(left_over)
    if not len(rows):
        return _divided((count, many), left, own)
    placed = (diags(1.0 - alone) @ placed).tocsr()
    ways.move(_BEFORE)

    def partition(least: int) -> tuple[np.ndarray, np.ndarray]:
        at = ways.move(_BETWEEN)
        group = np.zeros(len(at), dtype=np.int64)
        if len(at) >= least:
            order = np.argsort(at)
            group[order] = compact_groups(xy[at[order]], least, progress=silent)
        return at, group

    files = int(np.clip(_PLACES // len(rows), _LEAST, _MOST))
    together, of_rows = csr_matrix((count, many)), csr_matrix((count, count))
    held = np.zeros(many)
    parts: list[tuple] = []
    for number in range(files):
        progress(0.1 + 0.7 * number / files)
        at, group = partition(k_records)
        held[at] += 1
        size = np.bincount(group)
        in_group = csr_matrix((1.0 / size[group], (rows, group)), shape=(count, len(size)))
        parts.append((in_group, rows, group, at))
        if len(parts) == _AT_ONCE or number == files - 1:
            together, of_rows = _added(parts, together, of_rows)
            parts = []
    by_means = (of_rows / files) @ placed
    chance = np.asarray(placed.sum(axis=0)).ravel()
    inverse = np.divide(1.0, chance, out=np.zeros(many), where=chance > 0)
    found = together + by_means @ diags(_KNOWN * inverse)
    found = found @ diags((1 - OPEN) * chance / (held + _KNOWN))
    wide = []
    for number in range(_WIDE):
        progress(0.8 + 0.2 * number / _WIDE)
        group = np.full(count, -1, dtype=np.int64)
        group[rows] = partition(LARGER ** (1 if number else 2) * k_records)[1]
        wide.append((OPEN / _WIDE, group))
    larger = mixed(Likelihood.of_pairs(count, many, *_triples(placed)), wide)
    wider = larger.point, larger.candidate, larger.value
    point, candidate, chances = (np.concatenate(all_) for all_ in zip(_triples(found), wider, left))
    progress(1.0)
    return _divided((count, many), (point, candidate, chances), own)


def _added(parts: list[tuple], together, of_rows):
    """Add draws: which place is one of the rows' group, and which row."""
    from scipy.sparse import csr_matrix, hstack, vstack

    count, many = together.shape[0], together.shape[1]
    lefts = hstack([in_group for in_group, *_ in parts], format="csr")
    places, members = [], []
    for in_group, rows, group, at in parts:
        groups, ones = in_group.shape[1], np.ones(len(rows))
        places.append(csr_matrix((ones, (group, at)), shape=(groups, many)))
        members.append(csr_matrix((ones, (group, rows)), shape=(groups, count)))
    return (
        together + lefts @ vstack(places, format="csr"),
        of_rows + lefts @ vstack(members, format="csr"),
    )


def _triples(table) -> Triples:
    found = table.tocoo()
    return found.row, found.col, found.data


def _divided(shape: tuple[int, int], chances: Triples, own: np.ndarray) -> Likelihood:
    """Likelihood of chances: by the weights, each pair once."""
    from scipy.sparse import csr_matrix

    point, candidate, chance = chances
    good = (chance > 0) & (own[candidate] > 0)
    point, candidate = point[good], candidate[good]
    table = csr_matrix((chance[good] / own[candidate], (point, candidate)), shape=shape)
    return Likelihood.of_pairs(*shape, *_triples(table))
