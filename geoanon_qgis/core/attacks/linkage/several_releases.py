# SPDX-License-Identifier: GPL-2.0-or-later
"""Several releases of the same records: put together they say more than each.

Embedded distances are lower bounds of one distance, so that the largest of r embeddings with d
sets each is one embedding with r d sets. The mean of r noisy distances has less noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...distances.matrix import DistanceMatrix, check, shown
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

#: Records from which on releases can be told apart, and that are compared at most; other orders.
_TELLING, _COMPARED, _ORDERS = 20, 300, 39


def put_together(matrices: Sequence[np.ndarray], contracts: bool) -> np.ndarray:
    """Return what distances of several releases, in the same order, say at once.

    Parameters
    ----------
    matrices : sequence of arrays of one shape
    contracts : bool
        Whether they are embeddings: the largest counts. Else it is the mean.
    """
    if len(matrices) == 1:
        return matrices[0]
    return np.maximum.reduce(matrices) if contracts else np.mean(matrices, axis=0)


def joined(releases: DistanceMatrix | Sequence[DistanceMatrix], contracts: bool) -> DistanceMatrix:
    """Make one release of several of the same records.

    Parameters
    ----------
    releases : DistanceMatrix, or several
        With the same ids, in any order.
    contracts : bool
        As :func:`put_together` takes it.

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
    first = several[0]
    same = [in_order_of(first, one).condensed for one in several]
    return DistanceMatrix(put_together(same, contracts), first.ids, first.unit)


def all_of(releases: DistanceMatrix | Sequence[DistanceMatrix]) -> tuple[DistanceMatrix, ...]:
    """Return one release, or several, as several."""
    return (releases,) if isinstance(releases, DistanceMatrix) else tuple(releases)


def in_order_of(first: DistanceMatrix, other: DistanceMatrix) -> DistanceMatrix:
    """Return another release of the same records in the order of the first.

    Raises
    ------
    InputError
        If they are not the same records, or in different units.
    """
    row = {name: at for at, name in enumerate(other.ids)}
    missing = next((name for name in first.ids if name not in row), None)
    if missing is None and len(other) != len(first):
        missing = next(name for name in other.ids if name not in set(first.ids))
    if missing is not None:
        raise InputError(
            "The released matrices are of different records: {name} is not in all of them. Give"
            " matrices of the same records, with the same ids.",
            name=shown(missing),
        )
    if other.unit != first.unit:
        raise InputError(
            "The released matrices are in different units, '{one}' and '{other}'.",
            one=first.unit,
            other=other.unit,
        )
    if other.ids == first.ids:
        return other
    return other.subset(np.array([row[name] for name in first.ids]))


def alike(first: DistanceMatrix, other: DistanceMatrix) -> bool:
    """Tell whether two releases seem to be of the same records in the same order.

    Released ids are mostly given anew, so that the same numbers mean other records: then their
    distances go together no more than in any other order (Mantel's test, 1967). So do those of
    releases that keep next to nothing; of few records nobody can tell.
    """
    if len(first) < _TELLING:
        return True
    some = np.arange(len(first))[:_COMPARED]
    one, two = first.subset(some), other.subset(some)
    rng = np.random.default_rng(0)  # the same answer every time
    orders = [rng.permutation(len(some)) for _ in range(_ORDERS)]
    wanted = one.condensed - one.condensed.mean()
    return float(wanted @ two.condensed) > max(
        float(wanted @ two.subset(order).condensed) for order in orders
    )


def rule_of_several(rule: Rule, releases: int) -> Rule:
    """Return the rule of several releases that were put together.

    Parameters
    ----------
    rule : Rule
        Of each of them.
    releases : int

    Returns
    -------
    Rule
        Of embeddings exactly one with all sets. Noise, also before an embedding, is smaller by
        the square root of their number, and on distances normal (the central limit theorem); of
        people who live nearer than noise on coordinates reaches, the mean stays longer than the
        true distance, which this does not know. A tolerance is as it was.
    """
    if releases < 2 or isinstance(rule, AbsoluteTolerance):
        return rule
    if isinstance(rule, LipschitzEmbedding):
        if rule.pre_noise:
            return replace(rule, pre_noise=float(rule.pre_noise / np.sqrt(releases)))
        return replace(rule, sets=releases * rule.sets)
    if isinstance(rule, CoordinateNoise):
        return replace(rule, sigma=float(rule.sigma / np.sqrt(releases)))
    if isinstance(rule, DistanceNoise):
        wider = np.sqrt(2.0) if rule.distribution == LAPLACE else 1.0
        return replace(
            rule, distribution=GAUSSIAN, scale=float(wider * rule.scale / np.sqrt(releases))
        )
    return rule
