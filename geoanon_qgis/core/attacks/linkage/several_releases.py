# SPDX-License-Identifier: GPL-2.0-or-later
"""Several releases of the same records: put together they say more than each.

Embedded distances are lower bounds of one distance, so that the largest of r embeddings with d
sets each is one embedding with r d sets. The mean of r noisy distances has less noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...distances.matrix import DistanceMatrix, check, condensed_index, shown
from ...runtime.errors import InputError
from ...runtime.wording import Sentence
from .compatibility import (
    GAUSSIAN,
    LAPLACE,
    AbsoluteTolerance,
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from .intervals import Rule

#: Records from which on releases can be told apart, and that are compared at most.
_TELLING, _COMPARED = 20, 300
#: Standard deviations by which rows have to go together; by chance they did by 1.3, and of 1,200
#: other orders by 5.0 at most.
_SCORE = 5.0


def put_together(
    matrices: Sequence[np.ndarray], contracts: bool, told: Sequence[np.ndarray] | None = None
) -> np.ndarray:
    """Return what distances of several releases, in the same order, say at once.

    Parameters
    ----------
    matrices : sequence of arrays of one shape
    contracts : bool
        Whether they are embeddings: the largest counts. Else it is the mean.
    told : sequence of bool arrays of that shape, optional
        Which distances each release but the first tells anything of; all of them by default.
    """
    if len(matrices) == 1:
        return matrices[0]
    if told is None:
        return np.maximum.reduce(matrices) if contracts else np.mean(matrices, axis=0)
    found = matrices[0].copy()
    many = np.ones(found.shape)
    for one, some in zip(matrices[1:], told):
        if contracts:
            np.maximum(found, one, out=found, where=some)
        else:
            np.add(found, one, out=found, where=some)
            many += some
    return found / many


def told_of(
    shares: Sequence[float], count: int, rng: np.random.Generator
) -> list[np.ndarray] | None:
    """Draw which records further releases are linked to; None where it is all of them.

    Parameters
    ----------
    shares : sequence of float
        Share of the records, for each release.
    count : int
    rng : numpy.random.Generator

    Returns
    -------
    list of (count,) bool arrays, or None
    """
    if all(share >= 1 for share in shares):
        return None
    return [rng.random(count) < share for share in shares]


def joined(
    releases: DistanceMatrix | Sequence[DistanceMatrix],
    contracts: bool,
    partners: Sequence[np.ndarray] | None = None,
) -> DistanceMatrix:
    """Make one release of several of the same records, or of some of the same.

    Parameters
    ----------
    releases : DistanceMatrix, or several
        In any order.
    contracts : bool
        As :func:`put_together` takes it.
    partners : sequence of (n,) int arrays, optional
        Row of each record of the first release in each further one, -1 where it is none or
        nobody knows; by default all have the same ids.

    Returns
    -------
    DistanceMatrix
        In the order of the first; a single one as it is.

    Raises
    ------
    InputError
        If there are none, their records or units are not the same, or one of several holds no
        distances.
    """
    several = all_of(releases)
    if not several:
        raise InputError("There is no released matrix.")
    if len(several) == 1:
        return several[0]
    for one in several:
        check(one, Sentence("released matrix"))
    first, others = several[0], several[1:]
    if partners is None:
        partners = by_ids(several)
    if len(partners) != len(others):
        raise InputError("Each further release needs the rows of the records of the first in it.")
    found, many = first.condensed.copy(), np.ones(len(first.condensed))
    for one, rows in zip(others, partners):
        if one.unit != first.unit:
            raise InputError(
                "The released matrices are in different units, '{one}' and '{other}'.",
                one=first.unit,
                other=one.unit,
            )
        linked = np.flatnonzero(checked_rows(rows, len(first), len(one)) >= 0)
        low, high = np.triu_indices(len(linked), 1)
        at = condensed_index(len(first), linked[low], linked[high])
        values = one.pairs(rows[linked[low]], rows[linked[high]])
        if contracts:
            found[at] = np.maximum(found[at], values)
        else:
            found[at] += values
            many[at] += 1
    return DistanceMatrix(found / many, first.ids, first.unit)


def checked_rows(rows: np.ndarray, records: int, there: int) -> np.ndarray:
    """Return partners of records in another release, if they can be such.

    Raises
    ------
    InputError
        If they are not as many as the records, or one is none or of two records.
    """
    kept = np.sort(rows[rows >= 0])
    if len(rows) != records or (len(kept) and (kept[-1] >= there or (np.diff(kept) == 0).any())):
        raise InputError("A record of a release has at most one partner in another release.")
    return rows


def all_of(releases: DistanceMatrix | Sequence[DistanceMatrix]) -> tuple[DistanceMatrix, ...]:
    """Return one release, or several, as several."""
    return (releases,) if isinstance(releases, DistanceMatrix) else tuple(releases)


def same_ids(first: DistanceMatrix, other: DistanceMatrix) -> np.ndarray:
    """Return the row in another release of each record of the first, by its id; -1 for none."""
    row = {name: at for at, name in enumerate(other.ids)}
    return np.array([row.get(name, -1) for name in first.ids], dtype=np.int64)


def by_ids(releases: Sequence[DistanceMatrix]) -> list[np.ndarray]:
    """Return the partners of the first release's records in the others by their ids.

    Raises
    ------
    InputError
        If they have not the same.
    """
    found = []
    for other in releases[1:]:
        first = releases[0]
        rows = same_ids(first, other)
        missing = next((name for name, row in zip(first.ids, rows) if row < 0), None)
        if missing is None and len(other) != len(first):
            missing = next(name for name in other.ids if name not in set(first.ids))
        if missing is not None:
            raise InputError(
                "The released matrices are of different records: {name} is not in all of them. Give"
                " matrices of the same records, with the same ids.",
                name=shown(missing),
            )
        found.append(rows)
    return found


def alike(first: DistanceMatrix, other: DistanceMatrix, rows: np.ndarray) -> bool | None:
    """Tell whether two releases go together where their ids say so.

    Released ids are mostly given anew, so that the same numbers mean other records. Of the same
    people, the row of a record in one release goes with its own row in the other more than with
    anybody else's, and of others it does so by chance.

    Parameters
    ----------
    first, other : DistanceMatrix
    rows : (n,) int array
        As :func:`same_ids` returns them.

    Returns
    -------
    bool or None
        None for so few records that nobody can tell.
    """
    some = np.flatnonzero(rows >= 0)[:_COMPARED]
    count = len(some)
    if count < _TELLING:
        return None
    squares = []
    for one in (first.subset(some).square(), other.subset(rows[some]).square()):
        # Far distances would drown near ones, and a record's own tells where it stands.
        square = np.argsort(np.argsort(one, axis=1), axis=1).astype(np.float64) ** 0.5
        np.fill_diagonal(square, square.mean())
        square -= square.mean(axis=1, keepdims=True)
        squares.append(square / np.maximum(np.linalg.norm(square, axis=1, keepdims=True), 1e-300))
    agree = squares[0] @ squares[1].T
    below = (agree < np.diag(agree)[:, None]).sum(axis=1) / (count - 1)
    return bool((below.mean() - 0.5) * np.sqrt(12 * count) > _SCORE)


def rule_of_several(rule: Rule, shares: Sequence[float]) -> Rule:
    """Return the rule of several releases that were put together.

    Parameters
    ----------
    rule : Rule
        Of each of them.
    shares : sequence of float
        Share of the records that each release but the first is linked to.

    Returns
    -------
    Rule
        Of embeddings exactly one with all sets. Noise, also before an embedding, is smaller by
        the square root of their number, and on distances normal (the central limit theorem); of
        people who live nearer than noise on coordinates reaches, the mean stays longer than the
        true distance, which this does not know. A tolerance is as it was. Where only some
        records are linked, it is what holds on average.
    """
    if not shares or isinstance(rule, AbsoluteTolerance):
        return rule
    sets, releases = _on_average(shares)
    if isinstance(rule, LipschitzEmbedding):
        if rule.pre_noise:
            return replace(rule, pre_noise=float(rule.pre_noise / np.sqrt(releases)))
        return replace(rule, sets=max(1, round(sets * rule.sets)))
    if isinstance(rule, CoordinateNoise):
        return replace(rule, sigma=float(rule.sigma / np.sqrt(releases)))
    if isinstance(rule, DistanceNoise):
        wider = np.sqrt(2.0) if rule.distribution == LAPLACE else 1.0
        return replace(
            rule, distribution=GAUSSIAN, scale=float(wider * rule.scale / np.sqrt(releases))
        )
    return rule


def _on_average(shares: Sequence[float]) -> tuple[float, float]:
    """Releases that tell of a pair, and those whose mean has the variance of the mixture."""
    of_pairs = np.square(np.minimum(shares, 1.0))
    number = np.ones(1)  # probabilities of 0, 1, .. further releases
    for share in of_pairs:
        number = np.convolve(number, [1 - share, share])
    variance = float(number @ (1 / np.arange(1, len(number) + 1)))
    return 1.0 + float(of_pairs.sum()), 1 / variance
