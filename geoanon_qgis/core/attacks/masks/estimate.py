# SPDX-License-Identifier: GPL-2.0-or-later
"""What an adversary learns of a displacement that nobody told him: its law, by the points alone.

Where homes are addresses of a public list, each point is a draw from the mixture of the law round all
of them. He takes the law under which the points are likeliest, and of several families the one with
the least BIC: Schwarz, G. (1978), Estimating the dimension of a model, Annals of Statistics 6(2),
461-464. A few points that are from elsewhere do not mislead him: each may be anywhere, with a small
probability. Keeping a law secret protects nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...masking.law import Law
from ...masking.laws import BY_AREA, BY_RADIUS, BimodalGaussian, Donut, Gaussian, Laplace, disc
from ...runtime.errors import InputError
from ...runtime.progress import Progress, chunks, part, silent
from ...space.points import as_points
from .rings import NARROW, narrowed

#: Points that are looked at, distances at once, and the least number of points.
_POINTS, _PAIRS, FEWEST = 300, 500_000, 20
#: Width of the classes of distances, as a factor; the nearest one is this part of the extent.
_RATIO, _NEAREST = 1.004, 1e-5
#: Probability that a point is from elsewhere.
ELSEWHERE = 1e-5
#: Sizes that are tried, as a factor, and those near the best.
_COARSE, _FINE = 1.05, 1.0025
#: Holes of donuts, as a part of the largest distance.
_HOLES = np.linspace(0.05, 0.95, 19)


@dataclass(frozen=True)
class Family:
    """A family of laws.

    Attributes
    ----------
    name : str
        Of the law, as a mask's parameter has it.
    even_by : str
        For discs and donuts.
    law : callable
        From a size, and for a donut the part of it that is the hole.
    parameters : int
    edges : int
        How many of them are edges beyond which nothing lies. The likeliest edge is the best of many
        jumps, which is worth more than a parameter in which the likelihood is smooth: BIC counts it
        twice (by trial: else discs were taken for a Gaussian in three of four files).
    """

    name: str
    even_by: str
    law: Callable[..., Law]
    parameters: int = 1
    edges: int = 0


FAMILIES = (
    Family("disc", BY_AREA, disc, edges=1),
    Family("disc", BY_RADIUS, lambda size: disc(size, BY_RADIUS), edges=1),
    Family("gaussian", BY_AREA, Gaussian),
    Family("laplace", BY_AREA, lambda size: Laplace(2 / size)),
    Family("bimodal", BY_AREA, BimodalGaussian),
    Family("donut", BY_AREA, lambda size, hole: Donut(hole * size, size), 2, 2),
)


@dataclass(frozen=True)
class Estimate:
    """The likeliest law of a family.

    Attributes
    ----------
    family : Family
    law : Law
    likelihood : float
        Logarithm.
    bic : float
        The smaller the better.
    """

    family: Family
    law: Law
    likelihood: float
    bic: float


@dataclass(frozen=True, eq=False)
class Mixture:
    """How far all candidates are from some points: what makes any law's likelihood quick.

    Attributes
    ----------
    at : (classes,) array
        Middles of classes of distances.
    near : (n, classes) array
        Weight of the candidates in each, for each point.
    extent : float
        Of points and candidates.
    """

    at: np.ndarray
    near: np.ndarray
    extent: float

    @classmethod
    def of(
        cls,
        points: np.ndarray,
        candidates: np.ndarray,
        weight: np.ndarray | None = None,
        progress: Progress = silent,
    ) -> Mixture:
        """Look at all distances of points from candidates."""
        own = np.ones(len(candidates)) if weight is None else np.asarray(weight, dtype=np.float64)
        extent = float(np.hypot(*np.ptp(np.concatenate([points, candidates]), axis=0)))
        at, near = _distances(points, candidates, own / own.sum(), extent, progress)
        return cls(at, near, extent)

    def logarithms(self, laws: Sequence[Law]) -> np.ndarray:
        """Logarithm of each point's density by each law, (n, laws)."""
        density = np.stack(
            [np.nan_to_num(one.density(self.at), posinf=0.0) for one in laws], axis=1
        )
        away = ELSEWHERE / self.extent**2
        return np.log((1 - ELSEWHERE) * (self.near @ density) + away)


def some_of(released: np.ndarray) -> np.ndarray:
    """Return the points that are looked at: of more than 300 every so many."""
    return released[np.unique(np.linspace(0, len(released) - 1, _POINTS).astype(int))]


def bic_of(family: Family, likelihood: float, points: int) -> float:
    """Return Schwarz's criterion of the likeliest law of a family."""
    return float((family.parameters + family.edges) * np.log(points) - 2 * likelihood)


def estimate(
    released: np.ndarray,
    candidates: np.ndarray,
    weight: np.ndarray | None = None,
    families: Sequence[Family] = FAMILIES,
    progress: Progress = silent,
) -> list[Estimate]:
    """Fit each family of laws of one size, the likeliest first by BIC.

    Parameters
    ----------
    released : (n, 2) array
        In metres of a plane; of more than 300 places every so many is taken.
    candidates : (m, 2) array
    weight : (m,) array, optional
        People of each candidate.
    families : sequence of Family
    progress : callable

    Raises
    ------
    InputError
        If there are fewer than 20 points.
    """
    released, candidates = as_points(released), as_points(candidates)
    if len(released) < FEWEST:
        raise InputError(
            "Released points: {points:,}, too few to estimate a law: {fewest} are needed at least. Give "
            "the mask file.",
            points=len(released),
            fewest=FEWEST,
        )
    points = some_of(released)
    seen = Mixture.of(points, candidates, weight, part(progress, 0.0, 0.6))

    def likely(laws: list[Law]) -> np.ndarray:
        return seen.logarithms(laws).sum(axis=0)

    found = []
    for number, family in enumerate(families):
        told = part(progress, 0.6 + 0.4 * number / len(families), 1.0)
        law, value = _best(family, likely, seen.extent, told)
        if isinstance(law, Donut) and family.parameters > 1 and law.inner > NARROW * law.outer:
            away = ELSEWHERE, 1.0 / seen.extent**2
            law, value = narrowed(points, candidates, weight, law, away, told) or (law, value)
        found.append(Estimate(family, law, value, bic_of(family, value, len(points))))
    progress(1.0)
    return sorted(found, key=lambda one: one.bic)


def _distances(
    points: np.ndarray, candidates: np.ndarray, weight: np.ndarray, extent: float, told: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Middles of classes of distances, and the weight of the candidates in each, (n, classes)."""
    least = _NEAREST * extent
    count = int(np.ceil(np.log(extent / least) / np.log(_RATIO))) + 2
    edges = least * _RATIO ** np.arange(count)
    middle = np.concatenate([[least / 2], np.sqrt(edges[:-1] * edges[1:])])
    near = np.zeros((len(points), len(middle)))
    for row, point in enumerate(points):
        told(row / len(points))
        for some in chunks(len(candidates), _PAIRS):
            away = np.hypot(*(candidates[some] - point).T)
            which = np.searchsorted(edges, away, side="right")
            near[row] += np.bincount(which, weight[some], len(middle))[: len(middle)]
    return middle, near


def _best(
    family: Family, likely: Callable[[list[Law]], np.ndarray], extent: float, told: Progress
) -> tuple[Law, float]:
    """The likeliest law: sizes on a grid, and then near the best of them."""
    sizes = extent * _COARSE ** -np.arange(0.0, np.log(1e4) / np.log(_COARSE))
    holes: list[tuple[float, ...]] = [()]
    if family.parameters > 1:
        holes = [(hole,) for hole in _HOLES.tolist()]

    def best(tried: list[tuple[float, ...]]) -> tuple[float, tuple[float, ...]]:
        told(0.0)
        value = likely([family.law(*one) for one in tried])
        return float(value.max()), tried[int(value.argmax())]

    value, found = max(best([(size, *hole) for size in sizes.tolist()]) for hole in holes)
    span = np.arange(-24, 25)
    for _ in range(2):
        value, found = best([(one, *found[1:]) for one in (found[0] * _FINE**span).tolist()])
        if found[1:]:
            parts = np.clip(found[1] + 0.002 * span, 0.0, 0.995).tolist()
            value, found = best([(found[0], one) for one in parts])
    return family.law(*found), value
