# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether common analyses say the same of a released matrix as of the true distances.

Agglomerative clustering, Moran's I and DBSCAN, those that Kroll & Schnell (2016) name as the use
of such a release, are run on both and compared. They hold square matrices, so at most a couple
of thousand records are drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.progress import Progress, chunks, interruptible, part, silent
from . import spatial_statistics as statistics
from .matrix import DistanceMatrix, condensed_size

if TYPE_CHECKING:
    from ..space.metrics import Metric

#: Numbers of groups that the agglomerative clusterings are cut into.
GROUPS = (2, 5, 10, 20)
LINKAGES = ("average", "complete")
#: A record's neighbourhood: its own and so many others make it a core record of DBSCAN, and so
#: many others are its neighbours in the weights of Moran's I.
OTHERS = 4
#: Fields simulated for Moran's I.
FIELDS = 20
#: Bumps of which a simulated field is the sum, and their width as a share of the radius of the
#: records (largest distance from a random one).
_BUMPS, _WIDTH = 60, 0.15
_PAIRS = 32_768


@dataclass(frozen=True)
class Grouping:
    """Agreement of agglomerative clusterings, cut into the same number of groups."""

    method: str
    groups: int
    adjusted_rand: float


@dataclass(frozen=True)
class Autocorrelation:
    """Moran's I of one field with weights from the true and from the released distances.

    Attributes
    ----------
    field : str
        Name of the attribute; ``simulated 1`` and so on for simulated ones.
    weights : str
        ``radius``: 1 up to a distance, the same in both; ``nearest``: 1 for the nearest.
    true, released : float
    """

    field: str
    weights: str
    true: float
    released: float


@dataclass(frozen=True)
class Density:
    """DBSCAN on the true and on the released distances.

    Attributes
    ----------
    rule : str
        ``same radius``: that of the true distances in both. ``own radius``: in each the one
        that makes half of its records core records.
    true_radius, released_radius : float
        In the matrix's unit.
    true_clusters, released_clusters, true_noise, released_noise : int
    adjusted_rand : float
        Noise counts as one group.
    """

    rule: str
    true_radius: float
    released_radius: float
    true_clusters: int
    released_clusters: int
    true_noise: int
    released_noise: int
    adjusted_rand: float


@dataclass(frozen=True)
class Agreement:
    """Analyses of the true and of the released distances, compared.

    Attributes
    ----------
    records : int
        So many were used: all, or a random sample.
    groupings : tuple of Grouping
    simulated : bool
        Whether the fields of ``autocorrelation`` are simulated.
    radius : float
        Of the ``radius`` weights, in the matrix's unit: the median true distance to the
        :data:`OTHERS`-th nearest.
    autocorrelation : tuple of Autocorrelation
    density : tuple of Density
    """

    records: int
    groupings: tuple[Grouping, ...]
    simulated: bool
    radius: float
    autocorrelation: tuple[Autocorrelation, ...]
    density: tuple[Density, ...]

    def autocorrelation_error(self, weights: str) -> float:
        """Mean absolute difference of Moran's I over the fields, NaN where none is defined."""
        gaps = [
            abs(one.true - one.released) for one in self.autocorrelation if one.weights == weights
        ]
        gaps = [gap for gap in gaps if gap == gap]
        return float(np.mean(gaps)) if gaps else float("nan")


def agreement(
    points: np.ndarray,
    metric: Metric,
    matrix: DistanceMatrix,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    attributes: Mapping[str, np.ndarray] | None = None,
    unit_length: float = 1.0,
    most_records: int = 2_000,
) -> Agreement:
    """Run the analyses on the true and on the released distances and compare.

    The radius of DBSCAN and of the weights is the median distance to the fourth other record:
    half of the records then are core records, which leaves some clusters and some noise
    (the paper names the analyses, but no parameters).

    Parameters
    ----------
    points : (n, 2) array
        In the metric's own coordinates; at least two.
    metric : Metric
    matrix : DistanceMatrix
    rng : numpy.random.Generator
        Draws records and fields.
    progress : callable
        Told a fraction; may raise to cancel.
    attributes : mapping of str to (n,) float arrays, optional
        Numeric, NaN where a record has no value; fields are simulated where there are none.
    unit_length : float
        Length of one unit of the matrix in that of the metric.
    most_records : int

    Returns
    -------
    Agreement
    """
    chosen = np.arange(len(points))
    if len(points) > most_records:
        chosen = np.sort(rng.choice(len(points), most_records, replace=False))
        matrix = matrix.subset(chosen)
    points = points[chosen]
    true = true_distances(points, metric, part(progress, 0, 0.5)) / unit_length
    groupings = _groupings(true, matrix.condensed, part(progress, 0.5, 0.7))
    true = DistanceMatrix(true, matrix.ids).square()
    released = matrix.square()
    radius, own_radius = (
        interruptible(partial(_radius, square), progress, 0.7) for square in (true, released)
    )
    density = tuple(
        interruptible(partial(_density, rule, true, released, radius, other), progress, 0.8)
        for rule, other in (("same radius", radius), ("own radius", own_radius))
    )
    if attributes:
        fields = {name: np.asarray(values, float)[chosen] for name, values in attributes.items()}
    else:
        fields = simulated_fields(true, rng)
    weights = interruptible(
        lambda: {
            "radius": (statistics.within(true, radius), statistics.within(released, radius)),
            "nearest": (statistics.nearest(true, OTHERS), statistics.nearest(released, OTHERS)),
        },
        progress,
        0.85,
    )
    autocorrelation = []
    for done, (name, values) in enumerate(fields.items()):
        progress(0.9 + 0.1 * done / len(fields))
        has = np.isfinite(values)
        for kind, (of_true, of_released) in weights.items():
            autocorrelation.append(
                Autocorrelation(
                    name,
                    kind,
                    statistics.moran_i(values[has], of_true[has][:, has]),
                    statistics.moran_i(values[has], of_released[has][:, has]),
                )
            )
    progress(1.0)
    return Agreement(
        len(points), groupings, not attributes, radius, tuple(autocorrelation), density
    )


def true_distances(points: np.ndarray, metric: Metric, progress: Progress = silent) -> np.ndarray:
    """Condensed distances of some points, in the metric's coordinates and unit."""
    n = len(points)
    condensed = np.empty(condensed_size(n))
    start = 0
    for rows in chunks(n, max(1, _PAIRS // max(n, 1)), progress):
        for row, distance in enumerate(metric.rows(points[rows], points[rows.start :])):
            condensed[start : start + n - rows.start - row - 1] = distance[row + 1 :]
            start += n - rows.start - row - 1
    return condensed


def _groupings(true: np.ndarray, released: np.ndarray, progress: Progress) -> tuple[Grouping, ...]:
    from scipy.cluster.hierarchy import linkage

    found = []
    for done, method in enumerate(LINKAGES):
        trees = [
            interruptible(partial(linkage, d, method), progress, done / len(LINKAGES))
            for d in (true, released)
        ]
        for groups in GROUPS:
            if groups <= len(trees[0]):
                labels = [statistics.cut(tree, groups) for tree in trees]
                agreed = statistics.adjusted_rand_index(*labels)
                found.append(Grouping(method, groups, agreed))
    return tuple(found)


def _radius(square: np.ndarray) -> float:
    """Median distance to the :data:`OTHERS`-th nearest other record."""
    last = min(OTHERS, len(square) - 1)
    return float(np.median(np.partition(square, last, axis=1)[:, last]))


def _density(
    rule: str, true: np.ndarray, released: np.ndarray, radius: float, released_radius: float
) -> Density:
    a = statistics.dbscan(true, radius, OTHERS + 1)
    b = statistics.dbscan(released, released_radius, OTHERS + 1)
    return Density(
        rule,
        radius,
        released_radius,
        int(a.max() + 1),
        int(b.max() + 1),
        int((a == statistics.NOISE).sum()),
        int((b == statistics.NOISE).sum()),
        statistics.adjusted_rand_index(a, b),
    )


def simulated_fields(
    distances: np.ndarray, rng: np.random.Generator, count: int = FIELDS
) -> dict[str, np.ndarray]:
    """Smooth random fields with as much noise again: sums of bumps around random records.

    They need true distances only, so that they exist in every metric.

    Parameters
    ----------
    distances : (n, n) array
    rng : numpy.random.Generator
    count : int

    Returns
    -------
    dict of str to (n,) arrays
    """
    n = len(distances)
    width = _WIDTH * float(distances[rng.integers(n)].max()) or 1.0
    fields = {}
    for number in range(1, count + 1):
        bumps = np.exp(-0.5 * (distances[rng.integers(n, size=_BUMPS)] / width) ** 2)
        smooth = rng.standard_normal(_BUMPS) @ bumps
        fields[f"simulated {number}"] = smooth + smooth.std() * rng.standard_normal(n)
    return fields
