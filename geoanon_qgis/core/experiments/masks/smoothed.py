# SPDX-License-Identifier: GPL-2.0-or-later
"""What both adversaries believe behind a wide law, without every pair of a point and an address.

A law that reaches thousands of addresses is smooth where they lie: the sum over all of them, which
both adversaries divide by, is taken over cells of the list that are a small part of the law's reach
(:data:`SEARCHING`, :data:`SURE`; the tests hold it against all pairs). What A compares with that sum
is the likeliest single address, and B the record's likelihood from one home: neither is smoothed.
That no two places are one address tells next to nothing where each is one of thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...attacks.masks.displaced import Displaced
from ...attacks.masks.likelihood import by_law
from ...attacks.masks.posterior import which_record
from ...masking.law import Law
from ...masking.laws import Donut
from ...runtime.progress import Progress, chunks, part, silent
from ...space.points import build_tree
from .case import PLACE, RECORD, Case

#: Cells to the reach of a law while a size is looked for, and when it is judged.
SEARCHING, SURE = 10, 25
#: Share of a law that may lie beyond the cells that are summed.
_TAIL = 1e-5
#: Pairs that are looked at in one go, and addresses of which the likeliest is one.
_PAIRS, _NEAR = 1_000_000, 64
#: People whose records are asked for where each, compared with every record, were more pairs.
_ASKED, _COMPARED = 1_500, 25_000_000
#: How many times as long a pair takes that is looked up as one that is taken with all others.
_DENSE = 8


def smoothly_believed(
    case: Case,
    xy: np.ndarray,
    law: Law,
    asked: np.ndarray,
    fineness: int = SURE,
    ask: Progress = silent,
    likeliest: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
) -> dict[str, np.ndarray]:
    """What both adversaries believe of points that moved by a law.

    Parameters
    ----------
    case : Case
        With one release.
    xy : (n, 2) array
        Released points; no numbers for those that are withheld.
    law : Law
        With a value for all candidates, or for each.
    asked : (q,) int array
    fineness : int
        Cells to the reach of the law.
    ask : Progress
    likeliest : callable, optional
        For a law whose likeliest address need not be near: the largest w f(y | c) of some points
        over some candidates.

    Returns
    -------
    dict of str to (q,) array
        As :func:`.case.believed`.
    """
    found = {}
    there = ~np.isnan(xy[:, 0])
    wanted = np.zeros(case.people, dtype=bool)
    wanted[asked[there[asked]]] = True
    place, record = np.full(case.people, np.nan), np.full(case.people, np.nan)
    for rows in case.by_class():
        rows = rows[there[rows]]
        mine = rows[wanted[rows]]
        if not len(mine):
            continue
        fitting = _fitting(case, rows[0])
        # A alone looks at no other points.
        of = rows if RECORD in case.adversaries else mine
        anybody = _sums(case, xy[of], law, fitting, fineness, part(ask, 0.0, 0.6))
        if PLACE in case.adversaries:
            slot = np.searchsorted(of, mine)
            if likeliest is None:
                top = _likeliest(case, xy[mine], law, fitting)
            else:
                top = likeliest(xy[mine], fitting)
            with np.errstate(divide="ignore", invalid="ignore"):
                # The sum is no less than one of its parts.
                place[mine] = top / np.maximum(anybody[slot], top)
        if RECORD in case.adversaries:
            most = -(-_ASKED * len(mine) // int(wanted.sum()))
            few = int(wanted.sum()) * len(rows) <= _COMPARED
            some = mine if few else mine[:: max(1, -(-len(mine) // most))]
            record[some] = _records(case, xy, law, rows, some, anybody, part(ask, 0.6, 1.0))
    if PLACE in case.adversaries:
        found[PLACE] = place[asked]
    if RECORD in case.adversaries:
        found[RECORD] = record[asked]
    return found


def _fitting(case: Case, row: int) -> np.ndarray:
    """Candidates that may be the person of a place, by what he knows."""
    every = np.arange(len(case.candidates))
    if case.looked_for is None or case.listed is None:
        return every
    return every[case.listed == case.looked_for[row]]


def _sums(
    case: Case, points: np.ndarray, law: Law, rows: np.ndarray, fineness: int, ask: Progress
) -> np.ndarray:
    """Sum of w f(y | c) over some candidates, by cells of them."""
    total = np.zeros(len(points))
    for centre, weight, of_cell in _cells(case, law, rows, fineness):
        tree, far = build_tree(centre), float(np.max(of_cell.reach(_TAIL)))
        near = tree.query_ball_point(points[:: max(1, len(points) // 30)], far, return_length=True)
        step, start = max(1, int(_PAIRS / max(1.0, float(near.mean())))), 0
        while start < len(points):
            ask(start / len(points))
            some = points[start : start + step]
            pairs = build_tree(some).sparse_distance_matrix(tree, far, output_type="ndarray")
            value = of_cell.of(pairs["j"]).density(pairs["v"]) * weight[pairs["j"]]
            total[start : start + step] += np.bincount(pairs["i"], value, minlength=len(some))
            start += step
    ask(1.0)
    return total


def _cells(
    case: Case, law: Law, rows: np.ndarray, fineness: int
) -> Iterator[tuple[np.ndarray, np.ndarray, Law]]:
    """Mean places, summed weights and laws of cells of candidates that reach about as far."""
    rows = rows[np.broadcast_to(law.possible, len(case.candidates))[rows]]
    weight = np.ones(len(rows)) if case.weight is None else case.weight[rows]
    rows, weight = rows[weight > 0], weight[weight > 0]
    reach = np.broadcast_to(np.asarray(law.reach(_TAIL), dtype=np.float64), len(case.candidates))
    # Half octaves: laws of a cell differ by so much at most, and mostly by next to nothing.
    octave = np.floor(2 * np.log2(reach[rows]))
    for one in np.unique(octave):
        mine = octave == one
        own, many = rows[mine], weight[mine]
        xy = case.candidates[own]
        cell = np.floor(xy / (float(reach[own].min()) / fineness)).astype(np.int64)
        _, first, at = np.unique(cell, axis=0, return_index=True, return_inverse=True)
        at = at.reshape(-1)
        total = np.bincount(at, many)
        centre = np.stack([np.bincount(at, many * xy[:, axis]) / total for axis in (0, 1)], axis=1)
        yield centre, total, law.of(own[first])


def _likeliest(case: Case, points: np.ndarray, law: Law, rows: np.ndarray) -> np.ndarray:
    """Largest w f(y | c) of some candidates: of those near each point, or near its ring.

    Half octaves of weights each for themselves: a heavy address outweighs many that are nearer.
    """
    if case.weight is None:
        return _likeliest_alike(case, points, law, rows)
    rows = rows[case.weight[rows] > 0]
    octave = np.floor(2 * np.log2(case.weight[rows]))
    best = np.zeros(len(points))
    for one in np.unique(octave):
        best = np.maximum(best, _likeliest_alike(case, points, law, rows[octave == one]))
    return best


def _likeliest_alike(case: Case, points: np.ndarray, law: Law, rows: np.ndarray) -> np.ndarray:
    """Largest w f(y | c) of candidates of about one weight."""
    tree = build_tree(case.candidates[rows])
    # Of one falling law for all, and weights that are the same, the nearest is the likeliest.
    nearest_is = law.count is None and case.weight is None and not isinstance(law, Donut)
    many = 1 if nearest_is else min(_NEAR, len(rows))
    probes = [points]
    if isinstance(law, Donut) and np.any(np.asarray(law.hole) > 0):
        nearest = rows[tree.query(points)[1]]
        own = law.of(nearest)
        middle = np.broadcast_to((np.asarray(own.inner) + own.outer) / 2, len(points))
        turns = np.arange(8) * np.pi / 4
        probes += [
            points + middle[:, None] * np.array([np.cos(turn), np.sin(turn)]) for turn in turns
        ]
    best = np.zeros(len(points))
    for probe in probes:
        near = rows[tree.query(probe, k=many)[1].reshape(len(points), many)]
        gap = case.candidates[near] - points[:, None]
        away = np.hypot(gap[..., 0], gap[..., 1]).ravel()
        value = law.of(near.ravel()).density(away).reshape(near.shape)
        if case.weight is not None:
            value = value * case.weight[near]
        best = np.maximum(best, value.max(axis=1))
    return best


def _records(
    case: Case,
    xy: np.ndarray,
    law: Law,
    rows: np.ndarray,
    mine: np.ndarray,
    anybody: np.ndarray,
    ask: Progress,
) -> np.ndarray:
    """Largest probability of a record, for people of a class whose records are in ``rows``."""
    known, homes = anybody > 0, case.home[mine]
    points, anybody = xy[rows][known], anybody[known]
    own = law.of(homes)
    near = Displaced(points, case.candidates[homes], own)
    if near.expected() * _DENSE < len(points) * len(homes):
        # Few records are within reach of a home: the others are not looked at.
        pairs = by_law(points, case.candidates[homes], own, progress=ask)
        guesses = which_record(pairs, np.arange(len(homes)), anybody=anybody)
        return np.where(guesses.unexplained, 1.0, guesses.top)
    found, each = np.ones(len(mine)), 1.0 / anybody
    step = max(1, _PAIRS // (2 * len(rows)))
    for some in chunks(len(mine), step, ask):
        gap = points[None] - case.candidates[homes[some]][:, None]
        away = np.hypot(gap[..., 0], gap[..., 1])
        of_each = law.of(np.repeat(homes[some], len(points)))
        ratio = of_each.density(away.ravel()).reshape(away.shape) * each
        total = ratio.sum(axis=1)
        top = ratio.max(axis=1, initial=0.0)
        found[some] = np.divide(top, total, out=np.ones(len(total)), where=total > 0)
    return found
