# SPDX-License-Identifier: GPL-2.0-or-later
"""How masks by groups explain points: records change places before, or while, they are moved.

A row j got the place T(j) of its group and was released from there, so its true place is that of any
row of the group with the same probability (:mod:`...masking.record_groups`). With M(j, i) the
probability that row j is of the place that row i got,

    P(x_j = c | Y) = sum over i of M(j, i) P(T_i = c | Y).                                  (1)

**Who knows the groups** has M(j, i) = 1 / (size of the group) inside a group. A also knows that
groups are compact, so that the places of a group are near each other: that leaves him an address with
more than 1/k, and never with more than 1/k_records, since an address is the place of one row at most
and all rows of the group can have come from there. B, who also knows in which group his person is,
has each of its rows with 1 / (size), at most 1/k_records.

**Who does not know them** plays them: from the points he draws where the rows may have got their
places, makes of these the groups that the mask would make, and again. M is the mean over the draws,
each of which has at most 1/k_records, so that B is no surer of any row than the bound. What a draw
cannot tell is kept open: a small part is given to groups that are several times as large.

In *cells* the same holds of units of cells: whoever knows which cells were joined, and how many
places of each are in the file, has the addresses of a cell with (its places / those of the unit) /
(its addresses); who does not, plays the joins. He knows that only cells with places are joined, so
that a cell in which somebody was put holds a home. In a draw an empty cell counts to the unit whose
middle is nearest, which is the one that it would have been joined to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import numpy as np

from ...masking.address_cells import AddressCells, join_cells
from ...masking.compact import compact_groups
from ...masking.joint_chances import free_of_others
from ...runtime.progress import Progress, silent
from ...space.points import build_tree
from .likelihood import Likelihood
from .posterior import checked_weight
from .states import Leading, by_states, summed
from .together import together

#: Files that are drawn, fewest and most, and places in all of them that are worth their time.
_LEAST, _MOST, _PLACES = 25, 100, 400_000
#: Draws of places before the first that counts; attempts to give each row a place of its own.
_BEFORE, _ATTEMPTS = 3, 20
#: What is kept open, and how much larger the groups are that get it.
_OPEN, _LARGER = 0.02, 4
#: Adversaries need no secret: the same files give the same figures.
_SEED = 20

Partitions = Iterable[tuple[float, np.ndarray]]
Drawn = TypeVar("Drawn")


def shares_of(likelihood: Likelihood, weight: np.ndarray | None, progress: Progress) -> Likelihood:
    """P(T_i = c | Y) / w_c of each point, given all points: adds up to 1 with the weights."""
    own = np.ones(likelihood.candidates) if weight is None else weight
    if weight is not None:
        checked_weight(weight, likelihood.candidates)
    made = together(likelihood, weight, progress)
    total = np.bincount(made.point, made.value, minlength=made.points)
    value = made.value / total[made.point] / own[made.candidate]
    return Likelihood(made.candidates, made.first, made.candidate, value)


def mixed(shares: Likelihood, mates: Partitions) -> Likelihood:
    """Likelihood by (1), where each partition of the rows has a weight.

    Parameters
    ----------
    shares : Likelihood
        As :func:`shares_of` gives it, of each row that got a place.
    mates : iterable of (float, (n,) int array)
        A weight, and the group of each row, below zero for none.

    Returns
    -------
    Likelihood
        Of each row: it adds up to 1 with the weights of the candidates.
    """
    from scipy.sparse import csr_matrix

    count = shares.points
    of_rows = csr_matrix((count, count))
    for weight, group in mates:
        rows = np.flatnonzero(group >= 0)
        _, code = np.unique(group[rows], return_inverse=True)
        member = csr_matrix(
            (np.ones(len(rows)), (rows, code)), shape=(count, code.max(initial=-1) + 1)
        )
        size = np.asarray(member.sum(axis=0)).ravel()
        of_rows = of_rows + weight * (member.multiply(1.0 / size).tocsr() @ member.T)
    table = csr_matrix(
        (shares.value, shares.candidate, shares.first), shape=(count, shares.candidates)
    )
    found = (of_rows @ table).tocoo()
    return Likelihood.of_pairs(count, shares.candidates, found.row, found.col, found.data)


def closer(
    shares: Likelihood, xy: np.ndarray, group: np.ndarray, played: Partitions, weight=None
) -> Likelihood:
    """Shares of each row for who knows that its group is compact.

    Where a row of a group got its place, the others got theirs near by: each candidate is weighed by
    a normal density round the mean place of the others, as wide as groups are when they are played.

    Parameters
    ----------
    shares : Likelihood
        As :func:`shares_of` gives it.
    xy : (m, 2) array
        The addresses, metres.
    group : (n,) int array
        Below zero for none.
    played : iterable of (float, (n,) int array)
        Groups as they may be: see :func:`played_groups`.
    weight : (m,) array, optional

    Returns
    -------
    Likelihood
        Adds up to 1 with the weights.
    """
    point, candidate = shares.point, shares.candidate
    own = np.ones(len(xy)) if weight is None else weight
    chance = shares.value * own[candidate]
    count = shares.points

    def moments(chance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean = np.stack(
            [np.bincount(point, chance * xy[candidate, one], count) for one in (0, 1)], 1
        )
        off = ((xy[candidate] - mean[point]) ** 2).sum(axis=1) / 2
        return mean, np.bincount(point, chance * off, count)

    mean, spread = moments(chance)
    # The variance along an axis of places within a group: that of means, and of each round its own.
    within, many = 0.0, 0
    for _, one in played:
        rows = np.flatnonzero(one >= 0)
        size = np.bincount(one[rows])[one[rows]]
        total = np.stack([np.bincount(one[rows], mean[rows, two]) for two in (0, 1)], axis=1)
        middle = total[one[rows]] / size[:, None]
        off = ((mean[rows] - middle) ** 2).sum(axis=1) / 2 * size / np.maximum(size - 1, 1)
        within, many = within + float(np.median(off)), many + 1
    width = max(within / max(many, 1), np.finfo(float).tiny)
    inside = group[point] >= 0
    rows = np.flatnonzero((group >= 0) & (np.diff(shares.first) > 0))
    size = np.bincount(group[rows])
    total = np.stack([np.bincount(group[rows], mean[rows, one], len(size)) for one in (0, 1)], 1)
    loose = np.bincount(group[rows], spread[rows], len(size))
    others = np.maximum(size[group[rows]] - 1, 1)
    middle, wide = np.zeros((count, 2)), np.full(count, np.inf)
    middle[rows] = (total[group[rows]] - mean[rows]) / others[:, None]
    wide[rows] = width * (1 + 1 / others) + (loose[group[rows]] - spread[rows]) / others**2
    wide[rows[size[group[rows]] < 2]] = np.inf
    away = ((xy[candidate] - middle[point]) ** 2).sum(axis=1)
    nearest = np.full(count, np.inf)
    np.minimum.at(nearest, point, away)
    found = chance * np.exp(-(away - nearest[point]) / (2 * wide[point]))
    # No two got one place, be it ever so likely for each.
    free = free_of_others(shares.first, candidate, found, shares.candidates)
    found = found * free
    found = found / np.bincount(point, found, count)[point]
    value = np.divide(found, own[candidate], out=np.zeros(len(found)), where=own[candidate] > 0)
    return Likelihood(
        shares.candidates, shares.first, candidate, np.where(inside, value, shares.value)
    )


def of_groups(
    group: np.ndarray, home: np.ndarray, candidates: int, weight: np.ndarray | None
) -> Likelihood:
    """Likelihood for B, who knows the group of his person: all of its rows alike.

    Parameters
    ----------
    group : (n,) int array
        Of each row, below zero for none.
    home : (candidates,) int array
        Group of those who live at each candidate, below zero for none.
    candidates : int
    weight : (m,) array or None
    """
    states = int(max(group.max(initial=-1), home.max(initial=-1))) + 1
    own = np.ones(candidates) if weight is None else weight
    here = home >= 0
    total = np.bincount(home[here], own[here], minlength=states)
    rows = np.flatnonzero(group >= 0)
    value = 1.0 / np.where(total > 0, total, 1.0)[group[rows]]
    leading = Leading.of_states(states, home)
    return by_states(len(group), rows, group[rows], value, leading)


def played_groups(
    shares: Likelihood,
    xy: np.ndarray,
    k_records: int,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> Partitions:
    """Groups that rows may be in, for who does not know them; see :func:`mixed`.

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
    rng = np.random.default_rng(_SEED)
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

    def partition(least: int) -> np.ndarray:
        used, of_row = np.unique(draw(), return_inverse=True)
        group = np.full(shares.points, -1, dtype=np.int64)
        if len(used) < least:
            group[rows] = 0
        else:
            group[rows] = compact_groups(xy[used], least, progress=silent)[of_row]
        return group

    return _drawn(partition, k_records, len(rows), progress)


def _drawn(
    partition: Callable[[int], Drawn], k_records: int, count: int, progress: Progress
) -> Iterator[tuple[float, Drawn]]:
    """Partitions with their weights: some of groups as large as they are, few of larger ones."""
    files = int(np.clip(_PLACES // max(1, count), _LEAST, _MOST))
    larger = files // 10
    for number in range(files):
        progress(number / (files + larger))
        yield (1 - _OPEN) / files, partition(k_records)
    for number in range(larger):
        progress((files + number) / (files + larger))
        yield _OPEN / larger, partition(_LARGER ** (1 if number else 2) * k_records)
    progress(1.0)


# --- cells ----------------------------------------------------------------------------------------


def in_units(
    of_point: np.ndarray,
    of_place: np.ndarray,
    cell: np.ndarray,
    cells: AddressCells,
    weight: np.ndarray | None = None,
) -> Likelihood:
    """Likelihood for who knows which cells were joined, and how many places each of them has.

    Parameters
    ----------
    of_point : (n,) int array
        Unit of each released point, below zero for none.
    of_place, cell : (q,) int arrays
        Unit and cell of each place of the file.
    cells : AddressCells
    weight : (m,) array, optional
    """
    people = _people(cells, weight)
    units = int(max(of_point.max(initial=-1), of_place.max(initial=-1))) + 1
    both, records = np.unique(np.stack([of_place, cell]), axis=1, return_counts=True)
    unit, there = both
    records = np.where(people[there] > 0, records, 0)
    whole = np.bincount(unit, records, minlength=units)[unit]
    good = records > 0
    chance = (records / np.where(whole > 0, whole, 1) / np.where(good, people[there], 1.0))[good]
    of_units = Leading.of_pairs(units, len(people), unit[good], there[good], chance)
    rows = np.flatnonzero(of_point >= 0)
    by_cell = by_states(len(of_point), rows, of_point[rows], np.ones(len(rows)), of_units)
    leading = Leading.of_states(len(people), cells.cell)
    return by_states(len(of_point), by_cell.point, by_cell.candidate, by_cell.value, leading)


def by_units(
    points: int,
    point: np.ndarray,
    cell: np.ndarray,
    chance: np.ndarray,
    partitions: Iterable[tuple[float, tuple[np.ndarray, np.ndarray]]],
    cells: AddressCells,
    weight: np.ndarray | None = None,
) -> Likelihood:
    """Likelihood of cells that may have been joined to units.

    Parameters
    ----------
    points : int
    point, cell : (q,) int arrays
        Pairs of a released point and a cell in which it may have been released.
    chance : (q,) array
        How likely that is; adds up to 1 for a point.
    partitions : iterable of (float, ((cells,) int array, (cells,) int array))
        A weight, the unit of each cell, and how many places of the file it holds.
    cells : AddressCells
    weight : (m,) array, optional
    """
    people = _people(cells, weight)
    used, of_pair = np.unique(cell, return_inverse=True)
    found: list[np.ndarray] = []
    for share, (unit, records) in partitions:
        units = int(unit.max()) + 1
        # A cell by its places, and a small part for those that hold none in this draw.
        mass = np.where(people > 0, records, 0.0)
        of_all, held = (np.bincount(unit, one, minlength=units) for one in (people, mass))
        open_part = np.where(held > 0, _OPEN, 1.0)[unit] / np.where(of_all > 0, of_all, 1.0)[unit]
        each = mass / np.where(people > 0, people, 1.0) / np.where(held > 0, held, 1.0)[unit]
        members = Leading.of_pairs(
            units, len(people), unit, np.arange(len(unit)), (1 - _OPEN) * each + open_part
        )
        value = np.full(len(used), share)
        made = by_states(len(used), np.arange(len(used)), unit[used], value, members)
        found.append(np.stack([made.point, made.candidate, made.value]))
    pairs = np.concatenate(found, axis=1)
    to = summed(len(used), len(people), pairs[0].astype(int), pairs[1].astype(int), pairs[2])
    reached = Leading(len(people), to.first, to.candidate, to.value)
    of_cells = by_states(points, point, of_pair.reshape(-1), chance, reached)
    leading = Leading.of_states(len(people), cells.cell)
    return by_states(points, of_cells.point, of_cells.candidate, of_cells.value, leading)


def _people(cells: AddressCells, weight: np.ndarray | None) -> np.ndarray:
    """Weight of each cell."""
    return np.bincount(cells.cell, weight, minlength=len(cells.sizes)).astype(np.float64)


def played_units(
    cells: AddressCells,
    released: np.ndarray,
    k_records: int,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> Iterator[tuple[float, tuple[np.ndarray, np.ndarray]]]:
    """Units that cells may have been joined to, for who knows the points alone.

    Parameters
    ----------
    cells : AddressCells
    released : (q,) int array
        Cell in which each place of the file was released.
    k_records : int
    weight : (m,) array, optional
    progress : Progress
    """
    rng = np.random.default_rng(_SEED)
    people = _people(cells, weight)
    middle = np.stack([np.bincount(cells.cell, cells.xy[:, one]) for one in (0, 1)], axis=1)
    middle = middle / cells.sizes[:, None]
    free = np.ones(len(cells.xy), dtype=bool)
    order = np.argsort(cells.cell, kind="stable")
    first = np.concatenate([[0], np.cumsum(cells.sizes)])
    shown = np.unique(released)
    state = [_units(cells, _places(released, order, first), free, k_records, middle)]

    def partition(least: int) -> tuple[np.ndarray, np.ndarray]:
        """Draw a cell for each place from the unit of before, and join the cells anew."""
        unit = state[0]
        leading = Leading.of_states(int(unit.max()) + 1, unit)
        chance = np.cumsum(np.where(people > 0, people, 1e-300)[leading.candidate])
        ends = np.concatenate([[0.0], chance])[leading.first]
        low, high = ends[unit[released]], ends[unit[released] + 1]
        pair = np.searchsorted(chance, low + (high - low) * rng.random(len(released)))
        drawn = leading.candidate[np.minimum(pair, len(chance) - 1)]
        # Only cells that hold places are joined: where a place was put, one is from there, too.
        for_shown = rng.permutation(len(released))
        _, one_each = np.unique(released[for_shown], return_index=True)
        drawn[for_shown[one_each]] = shown
        place = _places(drawn, order, first)
        state[0] = _units(cells, place, free, k_records, middle)
        records = np.bincount(cells.cell[place], minlength=len(people))
        if least == k_records:
            return state[0], records
        return _units(cells, place, free, least, middle), records

    for _ in range(_BEFORE):
        partition(k_records)
    yield from _drawn(partition, k_records, len(released), progress)


def _places(drawn: np.ndarray, order: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Different addresses in some cells: the first, second and so on of each, as far as they go."""
    cell, many = np.unique(drawn, return_counts=True)
    many = np.minimum(many, np.diff(first)[cell])
    return order[np.repeat(first[cell] - (np.cumsum(many) - many), many) + np.arange(many.sum())]


def _units(
    cells: AddressCells, place: np.ndarray, free: np.ndarray, k_records: int, middle: np.ndarray
) -> np.ndarray:
    """Unit of each cell, also of those that hold nothing: that with the nearest middle."""
    unit = join_cells(cells, place, free, k_records)
    if (unit < 0).all():
        return np.zeros(len(unit), dtype=np.int64)
    there = np.flatnonzero(unit >= 0)
    size = np.bincount(unit[there], cells.sizes[there])
    mean = np.stack(
        [np.bincount(unit[there], (middle * cells.sizes[:, None])[there, one]) for one in (0, 1)],
        axis=1,
    )
    nearest = build_tree(mean / size[:, None]).query(middle)[1]
    return np.where(unit >= 0, unit, nearest)
