# SPDX-License-Identifier: GPL-2.0-or-later
"""The accuracy of Lipschitz embeddings over a grid of their parameters, with repetitions.

What Kroll & Schnell (2016) show in figure 2 and in the figures of their appendix, for any points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.progress import Progress, part, silent
from .accuracy import Accuracy, accuracy
from .bands import BANDS
from .comparison import between, draw_pairs
from .lipschitz import lipschitz_distances
from .matrix import DistanceMatrix
from .rounding import round_down_to

if TYPE_CHECKING:
    from ..space.areas import StudyArea
    from ..space.metrics import Metric

#: What is told of each band.
_OF_BANDS = ("mean_distance", "bias", "sd_deviation", "mean_ratio", "sd_ratio", "median_ratio")
#: Pairs from which the limits of the bands are taken.
_LIMIT_PAIRS = 200_000


@dataclass(frozen=True)
class Measure:
    """One figure of an :class:`~.accuracy.Accuracy`, or the mean of it over repetitions.

    Attributes
    ----------
    name : str
    lower, upper : float or None
        The band of true distances it is for, in the matrix's unit.
    value : float
    sd : float
        Standard deviation over repetitions; NaN for a single one.
    """

    name: str
    lower: float | None
    upper: float | None
    value: float
    sd: float = float("nan")


@dataclass(frozen=True)
class Cell:
    """What came of one choice of parameters.

    Attributes
    ----------
    sets, size : int
        d and k.
    details : tuple of Accuracy
        One for each repetition.
    """

    sets: int
    size: int
    details: tuple[Accuracy, ...]

    @property
    def measures(self) -> list[Measure]:
        """Mean and standard deviation over the repetitions."""
        return averaged(self.details)

    def mean(self, name: str) -> tuple[float, float]:
        """Mean and standard error of a measure that has no band."""
        found = next((one for one in self.measures if one.name == name), None)
        if found is None:
            return float("nan"), float("nan")
        return found.value, found.sd / np.sqrt(len(self.details))


def flattened(detail: Accuracy) -> list[Measure]:
    """List the figures of an accuracy, each under a name of its own."""
    kept = detail.summary
    found = [
        Measure("median_ratio", None, None, kept.median_ratio),
        Measure("nearest_kept", None, None, kept.nearest_kept),
        Measure("spearman", None, None, kept.spearman),
        Measure("max_violation", None, None, kept.max_violation),
    ]
    found += [
        Measure(f"nearest_{one.count}_kept", None, None, one.share)
        for one in detail.neighbours
        if one.count > 1
    ]
    for name, view in (("centre", detail.centre), ("border", detail.border)):
        if view is not None:
            found.append(Measure(f"spearman_{name}", None, None, view.spearman))
    agreed = detail.agreement
    if agreed is not None:
        found += [
            Measure(f"clustering_{one.method}_{one.groups}", None, None, one.adjusted_rand)
            for one in agreed.groupings
        ]
        found += [
            Measure(f"dbscan_{one.rule.replace(' ', '_')}", None, None, one.adjusted_rand)
            for one in agreed.density
        ]
        found += [
            Measure(f"morans_i_error_{weights}", None, None, agreed.autocorrelation_error(weights))
            for weights in dict.fromkeys(one.weights for one in agreed.autocorrelation)
        ]
    for band in detail.bands:
        for name in _OF_BANDS:
            found.append(
                Measure(f"{name}_in_band", band.lower, band.upper, float(getattr(band, name)))
            )
    return found


def averaged(details: Sequence[Accuracy]) -> list[Measure]:
    """Mean and standard deviation of each figure over repetitions, in the order of the first."""
    values: dict[tuple, list[float]] = {}
    for detail in details:
        for one in flattened(detail):
            values.setdefault((one.name, one.lower, one.upper), []).append(one.value)
    result = []
    for (name, lower, upper), found in values.items():
        there = np.array([value for value in found if value == value])
        result.append(
            Measure(
                name,
                lower,
                upper,
                float(there.mean()) if len(there) else float("nan"),
                float(there.std(ddof=1)) if len(there) > 1 else float("nan"),
            )
        )
    return result


def accuracy_over_grid(
    points: np.ndarray,
    area: StudyArea,
    metric: Metric,
    sets: Iterable[int],
    sizes: Iterable[int],
    repeats: int,
    rng: np.random.Generator,
    progress: Progress = silent,
    *,
    unit: str = "m",
    attributes: Mapping[str, np.ndarray] | None = None,
    pre_noise: float = 0.0,
    step: float = 0.0,
) -> Iterator[Cell]:
    """Embed again and again, and compare each time; yields one cell after the other.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    area : StudyArea
        Where reference points are drawn.
    metric : Metric
    sets, sizes : iterables of int
        Values of d and of k; all combinations are tried.
    repeats : int
        Embeddings for each.
    rng : numpy.random.Generator
    progress : callable
        Told a fraction; may raise to cancel.
    unit : str
        Name of the metric's unit, for the results.
    attributes : mapping of str to (n,) float arrays, optional
        For Moran's I.
    pre_noise : float
        Standard deviation of noise on the places before each embedding, in metres.
    step : float
        Distances are rounded down to multiples of it, in the metric's unit; 0 for none.
    """
    cells = [(d, k) for d in sets for k in sizes]
    # Asked for no more than whether to go on.
    limits = band_limits(points, metric, rng, lambda fraction: progress(0.0))
    total = len(cells) * repeats
    done = 0
    for d, k in cells:
        details = []
        for _ in range(repeats):
            here = part(progress, done / total, (done + 1) / total)
            condensed = lipschitz_distances(
                points, area, metric, d, k, rng, part(here, 0, 0.3), pre_noise
            )
            condensed = round_down_to(condensed, step)
            matrix = DistanceMatrix.numbered(condensed, unit)
            details.append(
                accuracy(
                    points,
                    metric,
                    matrix,
                    rng,
                    part(here, 0.3, 1.0),
                    attributes=attributes,
                    bands=limits,
                    unit_length=1.0,
                )
            )
            done += 1
        yield Cell(d, k, tuple(details))
    progress(1.0)


def band_limits(
    points: np.ndarray, metric: Metric, rng: np.random.Generator, progress: Progress = silent
) -> list[float] | None:
    """Limits of bands that serve all cells alike; None where all points are at one place."""
    located = metric.coordinates(np.asarray(points, dtype=np.float64))
    true = between(located, metric, *draw_pairs(len(located), _LIMIT_PAIRS, rng), progress)
    true = true[true > metric.slack]
    if len(true) == 0:
        return None
    inner = np.unique([float(f"{limit:.1e}") for limit in np.quantile(true, BANDS[1:-1])])
    # A sample may miss the largest distance; the last band is to hold it.
    last = 2.0 * float(true.max())
    return [0.0, *inner[inner > 0].tolist(), last]
