# SPDX-License-Identifier: GPL-2.0-or-later
"""How location swapping explains a point: by all addresses in whose ring it lies.

A record of class l at the address c goes to each of the n(c, l) candidates of its class in the ring
round c with the same probability. Where the class of a record is not known, an address that is
listed with several has each as often as it is listed with it:

    f(y | c) = sum over classes l of P(l | c) [y in ring(c, l)] / n(c, l)                    (1)

Where the class of a record is known, it is one of these alone. How likely somebody of c has it is then
what attributes tell (:mod:`.attributes`), and is not counted here once more: P(l | c) among the classes
that the record can have.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...masking.law import Law, Numbers
from ...masking.swap_rings import Candidates, RingRule, Rings
from ...runtime.progress import Progress, part, silent
from .likelihood import Likelihood, by_law
from .states import summed

#: Distances of one pair that are computed in two ways differ by less than this part.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class _RingLaw(Law):
    """The rings of candidates as a law: probabilities, where other laws have densities."""

    name: ClassVar[str] = "ring"
    inner: Numbers
    outer: Numbers
    share: Numbers

    @classmethod
    def of_rings(cls, rings: Rings) -> _RingLaw:
        """Return the law of rings; those that are withheld have none."""
        good = rings.count > 0
        outer = np.where(good, rings.outer * (1 + _ROUNDING), np.inf)
        inner = np.full(len(outer), rings.rule.hole * (1 - _ROUNDING))
        return cls(inner, outer, np.where(good, 1.0 / np.maximum(rings.count, 1), 0.0))

    @property
    def mean_shift(self) -> Numbers:
        """The ring's end, beyond which nothing lies."""
        return self.outer

    def density(self, distance: np.ndarray) -> np.ndarray:
        """Probability of each candidate of the ring."""
        return np.where((distance > self.inner) & (distance <= self.outer), self.share, 0.0)

    def reach(self, tail: float = 1e-12) -> Numbers:
        """Distance beyond which nothing lies."""
        return self.outer

    def quantile(self, share: np.ndarray) -> np.ndarray:
        """Not of a law of candidates, which lie where they lie."""
        raise NotImplementedError

    def within(self, distance: np.ndarray) -> np.ndarray:
        """Not of a law of candidates, which lie where they lie."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class ClassOfAddress:
    """Which addresses are listed with a class.

    Attributes
    ----------
    row : (a,) int array
        Rows of the addresses, ascending.
    share : (a,) array
        P(l | c) of each.
    """

    row: np.ndarray
    share: np.ndarray


def of_rings(
    released: np.ndarray, homes: np.ndarray, rings: Rings, progress: Progress = silent
) -> Likelihood:
    """Likelihood of points by the rings of the addresses that they may come from.

    Parameters
    ----------
    released : (n, 2) array
        Candidates of the rings at which the points lie.
    homes : (m, 2) array
        Whose rings they are.
    rings : Rings
    progress : callable

    Returns
    -------
    Likelihood
        Probabilities.
    """
    return by_law(released, homes, _RingLaw.of_rings(rings), progress=progress)


def by_rings(
    released: np.ndarray,
    addresses: np.ndarray,
    listed: Candidates,
    rule: RingRule,
    classes: Mapping[Hashable, ClassOfAddress],
    progress: Progress = silent,
    possible: Sequence[Collection[Hashable] | None] | None = None,
) -> Likelihood:
    """Likelihood of location swapping.

    Parameters
    ----------
    released : (n,) int array
        Row of the address at which each point lies; below zero for none.
    addresses : (m, 2) array
        Distinct, in the unit of the plane.
    listed : Candidates
        The same, as the mask had them: each once within its class.
    rule : RingRule
    classes : mapping of class to ClassOfAddress
        One class, None, for all where the mask knew none.
    progress : callable
    possible : sequence of length n, optional
        Classes that each record can have; None for all.

    Returns
    -------
    Likelihood
        Probabilities, given that a record has one of its classes.
    """
    count = len(addresses)
    every = frozenset(classes)
    kinds = [every if one is None else every.intersection(one) for one in possible or ()]
    if possible is None:
        kinds = [every] * len(released)
    whole = {kind: _share_of(kind, classes, count) for kind in set(kinds)}
    found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    for number, (label, own) in enumerate(classes.items()):
        told = part(progress, number / len(classes), (number + 1) / len(classes))
        has = np.zeros(count + 1, dtype=bool)
        has[own.row] = True
        can = np.fromiter((label in one for one in kinds), bool, len(kinds))
        points = np.flatnonzero(has[released] & can)  # row -1 is the last, which has none
        if not len(points):
            continue
        homes = addresses[own.row]
        labels = None if label is None else [label] * len(homes)
        rings = listed.rings(homes, rule, labels, part(told, 0.0, 0.5))
        made = of_rings(addresses[released[points]], homes, rings, part(told, 0.5, 1.0))
        point, candidate = points[made.point], own.row[made.candidate]
        value = made.value * own.share[made.candidate]
        for kind, share in whole.items():
            some = np.fromiter((kinds[one] == kind for one in points.tolist()), bool, len(points))
            here = some[made.point]
            value[here] /= share[candidate[here]]
        found.append((point, candidate, value))
    none = np.empty(0, dtype=np.int64)
    point, candidate = (np.concatenate([none, *(one[i] for one in found)]) for i in (0, 1))
    value = np.concatenate([np.empty(0), *(one[2] for one in found)])
    return summed(len(released), count, point, candidate, value)


def _share_of(
    kind: Collection[Hashable], classes: Mapping[Hashable, ClassOfAddress], count: int
) -> np.ndarray:
    """Chance of each address that a record of it has one of some classes; 1 where it has none."""
    share = np.zeros(count)
    for label in kind:
        share[classes[label].row] += classes[label].share
    return np.where(share > 0, share, 1.0)
