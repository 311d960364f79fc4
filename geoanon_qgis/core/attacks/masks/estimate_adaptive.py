# SPDX-License-Identifier: GPL-2.0-or-later
"""What an adversary learns of a displacement whose size hangs on the list: as far as the k-th address.

As in :mod:`.estimate`, of laws that are as wide at each address as it is to its k-th neighbour. The
likeliest k is looked for among numbers that are a few per cent apart; its BIC is of the same points, and can be held against that of laws of one size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ...masking.laws import BY_AREA
from ...masking.sizes import law_of_radii
from ...runtime.progress import Progress, chunks, part, shares, silent
from ...space.points import QUERY_ROWS, as_points, build_tree
from .estimate import ELSEWHERE, Family, bic_of, some_of

#: Largest k that is tried, and the part of the list that it may be; numbers on the grid.
LARGEST, _PART, _GRID = 200, 3, 130
#: Of the grid every so many are tried first.
_EVERY = 4
#: Addresses near a point that may be its home.
_NEAREST = 1200
#: Families by the names of :func:`...masking.sizes.law_of_radii`; for edges see :class:`.Family`.
_FAMILIES = (
    Family("disc", BY_AREA, law_of_radii, edges=1),
    Family("gaussian", BY_AREA, law_of_radii),
    Family("laplace", BY_AREA, law_of_radii),
    Family("bimodal", BY_AREA, law_of_radii),
)
_DONUT = Family("donut", BY_AREA, law_of_radii, 2, 2)
_ENGINE = {"bimodal": "bimodal gaussian"}


@dataclass(frozen=True)
class Adaptive:
    """The likeliest law of a family that is sized by the list.

    Attributes
    ----------
    family : Family
    k_max : int
        Address to which the size reaches.
    k_min : int or None
        Address to which the hole of a donut reaches.
    likelihood : float
        Logarithm.
    bic : float
    """

    family: Family
    k_max: int
    k_min: int | None
    likelihood: float
    bic: float


def estimate_adaptive(
    released: np.ndarray,
    candidates: np.ndarray,
    weight: np.ndarray | None = None,
    progress: Progress = silent,
) -> list[Adaptive]:
    """Fit each family of laws that are sized by the k-th address, the likeliest first by BIC.

    Parameters
    ----------
    released : (n, 2) array
        In metres of a plane; the same points are looked at as in :func:`.estimate.estimate`.
    candidates : (m, 2) array
        Distinct.
    weight : (m,) array, optional
        People of each candidate.
    progress : callable

    Returns
    -------
    list of Adaptive
        None of them where the list is too short for any k.
    """
    candidates, points = as_points(candidates), some_of(as_points(released))
    largest = min(LARGEST, len(candidates) // _PART)
    if largest < 4:
        return []
    pairs = _Pairs.of(points, candidates, weight, part(progress, 0.0, 0.1))
    ks = np.unique(np.geomspace(2, largest, _GRID).astype(int)).tolist()
    pairs.learn(ks, part(progress, 0.1, 0.5))
    found = []
    for number, family in enumerate(_FAMILIES):
        told = part(progress, 0.5 + 0.1 * number, 0.6 + 0.1 * number)
        value, k = _best(partial(pairs.likely, family), ks, told, not family.edges)
        found.append(Adaptive(family, k, None, value, bic_of(family, value, len(points))))
    found.append(_donut(pairs, ks, len(points), part(progress, 0.9, 1.0)))
    return sorted(found, key=lambda one: one.bic)


def _best(
    likely: Callable[[int], float], ks: list[int], told: Progress, smooth: bool
) -> tuple[float, int]:
    """The likeliest k: where the likelihood is smooth those beside the best of every few."""
    tried = ks[::_EVERY] if smooth else ks
    values = {}
    for number, k in enumerate(tried):
        told(number / len(tried))
        values[k] = likely(k)
    if smooth:
        at = ks.index(max(values, key=values.__getitem__))
        near = ks[max(0, at - _EVERY) : at + _EVERY + 1]
        values.update({k: likely(k) for k in near if k not in values})
    best = max(values, key=values.__getitem__)
    return values[best], best


def _donut(pairs: _Pairs, ks: list[int], points: int, told: Progress) -> Adaptive:
    """Both edges of a donut: of every few numbers, and then the one and the other by turns."""
    value, low, high = -np.inf, ks[0], ks[-1]
    for number, one in enumerate(ks[::_EVERY]):
        told(0.5 * number / len(ks[::_EVERY]))
        for other in ks[(number + 1) * _EVERY :: _EVERY]:
            likely = pairs.likely(_DONUT, other, one)
            if likely > value:
                value, low, high = likely, one, other
    steps = shares(part(told, 0.5, 1.0), 4)
    for _ in range(2):
        beyond = [one for one in ks if one > low]
        value, high = _best(partial(pairs.likely, _DONUT, k_min=low), beyond, next(steps), False)
        within = [one for one in ks if one < high]
        value, low = _best(partial(pairs.likely, _DONUT, high), within, next(steps), False)
    return Adaptive(_DONUT, high, low, value, bic_of(_DONUT, value, points))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Points and the addresses near them.

    Attributes
    ----------
    away : (n, near) array
        Distances.
    row : (n, near) int array
        Which of ``xy`` each is.
    mass : (n, near) array
        How likely each is beforehand.
    xy : (c, 2) array
        Addresses that are near any of the points.
    tree : scipy.spatial.cKDTree
        Of all addresses.
    extent : float
        Of points and addresses.
    radii : dict of int to (c,) array
        Distance from each to its k-th neighbour, by k.
    """

    away: np.ndarray
    row: np.ndarray
    mass: np.ndarray
    xy: np.ndarray
    tree: Any
    extent: float
    radii: dict[int, np.ndarray]

    @classmethod
    def of(cls, points, candidates, weight, told: Progress) -> _Pairs:
        tree = build_tree(candidates, told)
        own = np.ones(len(candidates)) if weight is None else np.asarray(weight, dtype=np.float64)
        own = own / own.sum()
        near = min(_NEAREST, len(candidates))
        away, at = tree.query(points, k=near)
        rows, row = np.unique(at, return_inverse=True)
        extent = float(np.hypot(*np.ptp(np.concatenate([points, candidates]), axis=0)))
        return cls(away, row.reshape(at.shape), own[at], candidates[rows], tree, extent, {})

    def learn(self, ks: list[int], told: Progress) -> None:
        """Find the distances to further neighbours."""
        found = np.empty((len(self.xy), len(ks)))
        for rows in chunks(len(self.xy), max(1, QUERY_ROWS // ks[-1]), told):
            found[rows] = self.tree.query(self.xy[rows], k=ks)[0]
        self.radii.update({k: found[:, column] for column, k in enumerate(ks)})

    def likely(self, family: Family, k_max: int, k_min: int | None = None) -> float:
        """Logarithm of the likelihood of a law that reaches to the k-th address."""
        name = _ENGINE.get(family.name, family.name)
        if k_min is not None and k_min >= k_max:
            return -np.inf
        law = law_of_radii(name, self.radii[k_max], None if k_min is None else self.radii[k_min])
        density = law.of(self.row.ravel()).density(self.away.ravel()).reshape(self.away.shape)
        density = np.nan_to_num(density, posinf=0.0)
        whole = (1 - ELSEWHERE) * (self.mass * density).sum(axis=1) + ELSEWHERE / self.extent**2
        return float(np.log(whole).sum())
