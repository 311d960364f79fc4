# SPDX-License-Identifier: GPL-2.0-or-later
"""What a released distance says for two matches at once, as a log-likelihood ratio.

Two matches (t1, i1) and (t2, i2) are weighed by how likely the released distance of t1 and t2 is
if they are right, against how often t1 and t2 have such a distance to anybody. Embedded distances
are never longer than true ones, and of those who live near each other nearly equal: a few
thousandths are missing, at any alpha a hundred times less than the intervals of the papers allow.
So the nearest pairs weigh most, and one distance longer than the true one forbids.

How much is missing is learnt from releases of the known places that the adversary makes himself
(:func:`.simulated.simulate`). Who knows nothing but that distances only shrink (:class:`Contraction`)
takes a largest deviation epsilon instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...runtime import accel
from ...runtime.errors import InputError
from ...runtime.progress import Progress, silent
from ...runtime.progress import shares as dealt
from ...space.metrics import Metric
from .compatibility import AbsoluteTolerance, CoordinateNoise, DistanceNoise, LipschitzEmbedding
from .intervals import contracts, true_distances
from .several_releases import put_together, told_of
from .simulated import simulate

#: Weight of two matches that cannot both be right.
IMPOSSIBLE = -1e9
#: Releases that are learnt from, and known places in each at most.
_RELEASES, _LEARN = 6, 600
#: Classes of deviations of an embedding (shares of the distance that are missing, the finest of
#: them, on a logarithmic scale) and of noise (in standard deviations, up to so many).
_MISSING, _FINEST, _NOISE, _MOST = 28, 3e-4, 96, 6.0
#: Cells of the table in which a deviation is looked up.
_CELLS = 8192
#: Pairs that every class of distances is taken to have seen beforehand, spread as all pairs are.
_PRIOR = 5.0
#: Classes of released distances for a record's surroundings, and its distances seen beforehand.
_RINGS, _RING_PRIOR = 24, 8.0
#: Of true pairs, share within epsilon; what is missing of the others, in epsilons.
_WITHIN, _BEYOND = 0.9, 20.0


@dataclass(frozen=True)
class Contraction:
    """Nothing is known of the release but that no distance is longer than the true one.

    Attributes
    ----------
    epsilon : float or None
        How much shorter the distances of neighbours are at most, in metric units; None tries a
        geometric grid and takes the one that stands out most against chance.
    """

    epsilon: float | None = None
    contracts = True

    def __post_init__(self) -> None:
        if self.epsilon is not None and not (np.isfinite(self.epsilon) and self.epsilon > 0):
            raise InputError(
                "The tolerance of distances is {epsilon:g}; it has to be above zero.",
                epsilon=self.epsilon,
            )


@dataclass(frozen=True, eq=False)
class Deviations:
    """Density of d - d', the true distance less the released one, given the true distance.

    Attributes
    ----------
    table : (kinds, cells + 1) float64 array
        Its logarithm, for a deviation in units of its scale, by kind of distance.
    first, per_unit : float
        Deviation of the first cell, and cells to a unit.
    cuts : (kinds - 1,) array
        Where kinds of true distances end.
    slope, least : float
        A deviation's scale is the larger of ``slope`` times the true distance and ``least``.
    above : float
        By how much a released distance may exceed the true one; infinite for noise.
    far : int
        First kind of distance of which nothing is known but ``above``.
    even : bool
        Whether long distances are as exact as short ones, as with noise.
    """

    table: np.ndarray
    first: float
    per_unit: float
    cuts: np.ndarray
    slope: float
    least: float
    above: float
    far: int
    even: bool = False

    @property
    def contracts(self) -> bool:
        """Whether released distances are never longer than true ones."""
        return bool(np.isfinite(self.above))

    def kinds_of(self, known: np.ndarray) -> np.ndarray:
        """Kinds of true distances."""
        return np.searchsorted(self.cuts, known.ravel()).reshape(known.shape).astype(np.int16)


@dataclass(frozen=True, eq=False)
class Weighing:
    """Everything that weighs two matches, in arrays for the kernels.

    Attributes
    ----------
    released, background : (n1, n1) arrays
        Released distances, and the logarithm of how densely such distances lie around the two.
    known, scale : (n2, n2) arrays
        True distances, and the logarithm of the scale of their deviations.
    kind : (n2, n2) int16 array
        Kinds of the true distances.
    deviations : Deviations
    """

    released: np.ndarray
    background: np.ndarray
    known: np.ndarray
    scale: np.ndarray
    kind: np.ndarray
    deviations: Deviations

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What belongs to pairs of records, as kernels take it."""
        return self.released, self.background, self.known, self.scale, self.kind

    @property
    def law(self) -> tuple[Any, ...]:
        """The deviations as kernels take them."""
        one = self.deviations
        return one.table, one.first, one.per_unit, one.slope, one.least, one.far, one.above

    def of_pairs(self, t1, i1, t2, i2) -> np.ndarray:
        """Weights of some pairs of matches, element by element."""
        released, known = self.released[t1, t2], self.known[i1, i2]
        weight = weigh(
            released,
            known,
            self.kind[i1, i2],
            self.scale[i1, i2],
            self.background[t1, t2],
            *self.law[:-1],
        )
        return np.where(released > known + self.deviations.above, IMPOSSIBLE, weight)


@accel.helper
def weigh(released, known, kind, scale, background, table, first, per_unit, slope, least, far):
    """Log-likelihood ratio of released distances; of numbers in a kernel, or of arrays."""
    unit = np.maximum(known * slope, least)
    place = ((known - released) / unit - first) * per_unit
    cell = np.int64(np.minimum(np.maximum(place, 0.0), table.shape[1] - 1.0))
    return (table[kind, cell] - scale - background) * (kind < far)


def weighing(
    released: np.ndarray, known: np.ndarray, deviations: Deviations, background=None
) -> Weighing:
    """Put released and true distances together with what is known of their deviations.

    Parameters
    ----------
    released : (n1, n1) array
    known : (n2, n2) array
    deviations : Deviations
    background : (n1, n1) array, optional
        Of :func:`surroundings`, if it is there already.
    """
    kind = deviations.kinds_of(known)
    unit = np.maximum(known * deviations.slope, deviations.least)
    if background is None:
        background = surroundings(released)
    return Weighing(released, background, known, np.log(unit), kind, deviations)


def learn(
    rule,
    points: np.ndarray,
    metric: Metric,
    step: tuple[float, float],
    shares: tuple[float, ...],
    rng: np.random.Generator,
    progress: Progress = silent,
) -> Deviations:
    """Learn how far released distances stand from true ones, from releases of known places.

    Parameters
    ----------
    rule : LipschitzEmbedding, CoordinateNoise, DistanceNoise or AbsoluteTolerance
    points : (n, 2) array
        Stored coordinates.
    metric : Metric
    step : (float, float)
        By how much rounding may have put a released distance below and above what it was.
    shares : tuple of float
        Of each further release that was put together with it, the share of the records that it
        tells of; see :func:`.several_releases.put_together`.
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    Deviations

    Raises
    ------
    InputError
        For a rule that says nothing of how a release came about.
    """
    if isinstance(rule, AbsoluteTolerance):
        return _two_sided(rule.epsilon + sum(step))
    shrinks = contracts(rule)
    points = np.asarray(points, dtype=np.float64)
    if len(points) > _LEARN:
        points = points[np.sort(rng.choice(len(points), _LEARN, replace=False))]
    upper = np.triu_indices(len(points), 1)
    true = true_distances(points, metric)[upper]
    tiny = max(1e-9 * float(true.max(initial=0.0)), 1e-12)
    seen = []
    for steps in dealt(progress, _RELEASES):
        seen.append(own_release(rule, points, metric, step, shares, rng, steps)[upper])
    if shrinks:
        edges = np.r_[0.0, np.geomspace(_FINEST, 1.0, _MISSING)]
        slope, least, above = 1.0, max(tiny, sum(step)), tiny + sum(step)
    elif isinstance(rule, LipschitzEmbedding):
        # Noise before the embedding: two-sided, and to neighbours as large as a distance.
        missing = np.geomspace(_FINEST, 1.0, _MISSING)
        edges = np.r_[-_MOST, -missing[::-1], 0.0, missing]
        slope, least, above = 1.0, np.sqrt(2.0) * rule.pre_noise + sum(step), np.inf
    else:
        spread = float(np.std([true - one for one in seen])) or tiny
        edges = np.linspace(-_MOST, _MOST, _NOISE + 1)
        slope, least, above = 0.0, spread, np.inf
    cuts = np.unique(
        np.quantile(true, np.r_[np.geomspace(1e-3, 0.1, 15), np.linspace(0.12, 0.98, 24)])
        if len(true)
        else [1.0]
    )
    kind = np.searchsorted(cuts, true)
    counts = np.zeros((len(cuts) + 1, len(edges) - 1))
    for one in seen:
        place = np.searchsorted(edges, (true - one) / np.maximum(slope * true, least), "right") - 1
        place = np.clip(place, 0, len(edges) - 2)
        counts += np.bincount(kind * counts.shape[1] + place, minlength=counts.size).reshape(
            counts.shape
        )
    even = isinstance(rule, (CoordinateNoise, DistanceNoise))
    return Deviations(
        *_table(counts, edges), cuts, slope, least, above, np.iinfo(np.int16).max, even
    )


def own_release(rule, points, metric, step, shares, rng, progress: Progress) -> np.ndarray:
    """Release known places as :func:`learn` takes them, (n, n); by a tolerance of neighbours alone."""
    if isinstance(rule, Contraction):
        return dithered(true_distances(points, metric), (0.0, rule.epsilon or 0.0), rng)
    steps = dealt(progress, 1 + len(shares))
    same = [simulate(rule, points, metric, rng, each) for each in steps]
    linked = told_of(shares, len(points), rng)
    told = None if linked is None else [one[:, None] & one for one in linked]
    return dithered(put_together(same, contracts(rule), told), step, rng)


def shrunk_by(epsilon: float, reach: float, step: tuple[float, float]) -> Deviations:
    """Return the deviations of :class:`Contraction`: up to epsilon missing, of neighbours.

    Parameters
    ----------
    epsilon : float
    reach : float
        How far neighbours live from each other.
    step : (float, float)
        As in :func:`learn`.
    """
    wide = epsilon + sum(step)
    table = np.full((2, _CELLS + 1), np.log((1 - _WITHIN) / _BEYOND))
    table[:, : _CELLS // 2] = np.log(_WITHIN)
    return Deviations(
        table, 0.0, _CELLS / 2, np.array([reach]), 0.0, wide, sum(step) + 1e-9 * reach, 1
    )


def surroundings(released: np.ndarray) -> np.ndarray:
    """Logarithm of how densely a pair's distance lies among those of its two records.

    In a town many live some kilometres away and in the country few, so that one distance says
    more there. Of the two records, the one with more neighbours counts.

    Parameters
    ----------
    released : (n, n) array

    Returns
    -------
    (n, n) array
        Symmetric; per unit of distance.
    """
    count = len(released)
    condensed = np.sort(released[np.triu_indices(count, 1)])
    if not len(condensed) or condensed[-1] <= 0:
        return np.zeros_like(released)
    fine, level = _density(condensed, np.geomspace(2e-4, 1, 80))
    base = level[np.searchsorted(fine, released)]
    rings = np.unique(np.quantile(condensed, np.r_[0, np.geomspace(3e-4, 1, _RINGS)]))
    if len(rings) < 3:
        return base
    number = len(rings) - 1
    ring = np.clip(np.searchsorted(rings, released, side="right") - 1, 0, number - 1)
    rows = np.arange(count)[:, None]
    counts = np.bincount((rows * number + ring).ravel(), minlength=count * number)
    counts = counts.reshape(count, number).astype(np.float64)
    counts[rows[:, 0], ring[rows[:, 0], rows[:, 0]]] -= 1  # nobody is his own neighbour
    usual = _smooth((counts.sum(axis=0) + 0.5) / (counts.sum() + 0.5 * number))
    usual /= usual.sum()
    own = _smooth(counts)
    more = np.log(
        (own + _RING_PRIOR * usual) / ((own.sum(axis=1, keepdims=True) + _RING_PRIOR) * usual)
    )
    more = np.take_along_axis(more, ring, axis=1)
    return base + np.maximum(more, more.T)


def dithered(square: np.ndarray, step: tuple[float, float], rng: np.random.Generator) -> np.ndarray:
    """Put rounded distances anywhere in the step that they stand for, symmetrically.

    Whole steps are as good as one value each, of which no density can be told.
    """
    if not sum(step):
        return square
    upper = np.triu_indices(len(square), 1)
    out = np.zeros_like(square)
    below, above = step
    values = square[upper]
    out[upper] = np.maximum(values - above + (below + above) * rng.random(len(values)), 0.0)
    return out + out.T


def _two_sided(epsilon: float) -> Deviations:
    table = np.full((1, _CELLS + 1), np.log((1 - _WITHIN) / _BEYOND))
    table[:, _CELLS // 4 : 3 * _CELLS // 4] = np.log(_WITHIN / 2)
    return Deviations(
        table, -2.0, _CELLS / 4, np.zeros(0), 0.0, epsilon, np.inf, np.iinfo(np.int16).max
    )


def _table(counts: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Logarithm of a density in classes, each row with help of its neighbours, in even cells."""
    near = counts.copy()
    near[1:] += 0.5 * counts[:-1]
    near[:-1] += 0.5 * counts[1:]
    usual = (near.sum(axis=0) + 1e-3) / (near.sum() + 1e-3 * near.shape[1])
    share = (near + _PRIOR * usual) / (near.sum(axis=1, keepdims=True) + _PRIOR)
    smooth = share.copy()
    smooth[:, 1:-1] = 0.25 * share[:, :-2] + 0.5 * share[:, 1:-1] + 0.25 * share[:, 2:]
    log_density = np.log(np.maximum(smooth, 1e-12)) - np.log(np.diff(edges))
    first, per_unit = edges[0], _CELLS / (edges[-1] - edges[0])
    cells = first + (np.arange(_CELLS + 1) + 0.5) / per_unit
    place = np.clip(np.searchsorted(edges, cells, "right") - 1, 0, len(edges) - 2)
    return log_density[:, place], float(first), float(per_unit)


def _density(ordered: np.ndarray, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cuts and log density of sorted values, smooth; the first and last class beyond the cuts."""
    cuts = np.unique(np.quantile(ordered, np.r_[0, ranks]))
    if len(cuts) < 2:
        return cuts, np.zeros(len(cuts) + 1)
    counts, _ = np.histogram(ordered, cuts)
    share = (counts + 0.5) / (len(ordered) + 0.5 * len(counts))
    share = share / np.maximum(np.diff(cuts), 1e-9 * cuts[-1])
    share = np.r_[share[0], share, share[-1]]
    smooth = share.copy()
    smooth[1:-1] = (share[:-2] + share[1:-1] + share[2:]) / 3
    return cuts, np.log(smooth)


def _smooth(counts: np.ndarray) -> np.ndarray:
    out = counts.copy()
    out[..., 1:] += 0.5 * counts[..., :-1]
    out[..., :-1] += 0.5 * counts[..., 1:]
    return out
