# SPDX-License-Identifier: GPL-2.0-or-later
"""Where released records are: places on the map of the known entities, from distances alone.

The clique attack looks for pairs of matches that agree, so only records in both files bear
witness. Yet *all* released records come from the region of the known entities, and all their
distances tell how they lie to each other. Every record is given a distribution over nodes, which
stand for places where known entities live; the distributions that explain the released
distances best are found by a mean field with annealing, from many turned and mirrored starts
(after Hofmann & Buhmann 1997, Pairwise data clustering by deterministic annealing, IEEE PAMI
19:1; the densities are those of :mod:`.deviations`). Labels that
known entities nearby share with a record weigh in, which also tells how to turn the map.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, silent
from .deviations import PairDensity
from .estimated_distances import Estimated

#: Sweeps from one start.
SWEEPS = 20
#: Weight of a pair's evidence: what pairs say is far from independent. The first is low enough
#: for the field to be smooth, the last is where orders of solutions no longer change.
_COLD, _COOL, _WARM, _FINE = 0.008, 0.02, 0.06, 0.1
_DAMPING = 0.7
#: Share of the released records taken to be known, before anything is known.
PRIOR = 0.1
#: Records up to which the field is worked out in double precision: the fit that begins where it ends
#: would make other people of other last digits. Digits of its energy that tell starts apart.
_IN_DOUBLE, _DIGITS = 100, 6
#: Share of one extent below which another is what rounding left.
_ALIKE = 1e-9
#: Rounds of majorization, and of one with weights; the least that an estimate is taken to err,
#: as a part of the mean distance.
_MAJORIZED, _MAJORIZED_WEIGHTED, _KNOWN = 40, 100, 0.02


@dataclass(frozen=True, eq=False)
class Nodes:
    """Places that stand for those of the known file.

    Attributes
    ----------
    xy : (g, 2) array
    of_known : (n,) int array
        Node of every known entity.
    """

    xy: np.ndarray
    of_known: np.ndarray

    @property
    def distances(self) -> np.ndarray:
        return np.sqrt(squares(self.xy, self.xy))


def squares(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Squared distances in the plane, (len(a), len(b))."""
    return (a[:, 0, None] - b[:, 0]) ** 2 + (a[:, 1, None] - b[:, 1]) ** 2


def flat_map(distances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Classical scaling to the plane, (n, 2), by subspace iteration (Torgerson 1952)."""
    count = len(distances)
    inner = distances**2
    mean = inner.mean(axis=0)
    inner = -0.5 * (inner - mean - mean[:, None] + mean.mean())
    basis = np.linalg.qr(rng.normal(size=(count, min(6, count))))[0]
    for _ in range(60):
        basis = np.linalg.qr(inner @ basis)[0]
    values, turn = np.linalg.eigh(basis.T @ inner @ basis)
    flat = np.zeros((count, 2))
    first = np.argsort(values)[::-1][:2]
    flat[:, : len(first)] = (basis @ turn[:, first]) * np.sqrt(np.maximum(values[first], 0))
    return flat


def nodes_of(xy: np.ndarray, count: int, rng: np.random.Generator) -> Nodes:
    """Place nodes by k-means (Lloyd 1982)."""
    centres = xy[rng.choice(len(xy), min(count, len(xy)), replace=False)].copy()
    for _ in range(15):
        nearest = squares(xy, centres).argmin(axis=1)
        size = np.bincount(nearest, minlength=len(centres))
        for axis in range(2):
            total = np.bincount(nearest, xy[:, axis], minlength=len(centres))
            centres[:, axis] = np.where(size, total / np.maximum(size, 1), centres[:, axis])
    return Nodes(centres, squares(xy, centres).argmin(axis=1))


def aligned(xy: np.ndarray, onto: np.ndarray, weight: np.ndarray | None = None) -> np.ndarray:
    """Turn, mirror and shift points so that they lie on others as well as can be."""
    turn, here, there = laid(xy, onto, weight)
    return (xy - here) @ turn + there


def laid(
    xy: np.ndarray, onto: np.ndarray, weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return how points are turned or mirrored to lie on others, about what, and where that goes.

    Where others lie on a line, points are not mirrored, and where they are at one place, not turned:
    rounding would decide.
    """
    weight = np.full(len(xy), 1 / len(xy)) if weight is None else weight / weight.sum()
    here, there = weight @ xy, weight @ onto
    left, size, right = np.linalg.svd(((xy - here) * weight[:, None]).T @ (onto - there))
    if size[0] <= _ALIKE * float(np.abs(xy - here).max(initial=0) * np.abs(onto).max(initial=0)):
        return np.eye(2), here, there
    if size[1] <= _ALIKE * size[0] and np.linalg.det(left @ right) < 0:
        left[:, 1] *= -1
    return left @ right, here, there


class MeanField:
    """The places of one released file, as distributions over the nodes of a known one."""

    def __init__(self, classes, density: PairDensity, nodes: Nodes, shares: np.ndarray):
        """Prepare the field.

        Parameters
        ----------
        classes : (n, n) int array
            Of the pairs of records; see :mod:`.estimated_distances`.
        density : PairDensity
        nodes : Nodes
        shares : (n, nodes) array
            How many of the known entities with a record's labels are at each node.
        """
        self.nodes = nodes
        self._type = np.float64 if len(classes) <= _IN_DOUBLE else np.float32
        self.seen = density.seen.astype(self._type)[:, classes]
        for one in self.seen:
            np.fill_diagonal(one, 0)
        self.seen = self.seen.reshape(-1, len(classes))
        self.true = density.ratios(nodes.distances).astype(self._type)
        self.true = self.true.reshape(-1, len(nodes.xy))
        everyone = np.bincount(nodes.of_known, minlength=len(nodes.xy)) + 0.5
        everyone /= everyone.sum()
        some = shares.sum(axis=1, keepdims=True)
        likely = np.where(some > 0, shares / np.maximum(some, 1), everyone)
        self.prior = np.log((1 - PRIOR) * everyone + PRIOR * likely).astype(self._type)

    def start(self, xy: np.ndarray, width: float) -> np.ndarray:
        """Distributions around places."""
        off = -squares(xy, self.nodes.xy) / (2 * width * width)
        return _shares_of(off.astype(self._type))

    def anneal(self, belief, first: float, last: float, sweeps: int, progress=silent):
        """Sweep while the evidence gains weight.

        Returns
        -------
        (n, nodes) array, float
            Distributions, and the negative free energy of a record: the higher, the better.
        """
        count, size = belief.shape
        for done, weight in enumerate(np.geomspace(first, last, sweeps)):
            progress(done / sweeps)
            field = interruptible(
                partial(operator.matmul, self.seen, belief), progress, done / sweeps
            )
            field = field.reshape(-1, count, size).transpose(1, 0, 2)
            field = self._type(weight) * (field.reshape(count, -1) @ self.true)
            belief = (1 - _DAMPING) * belief + _DAMPING * _shares_of(self.prior + field)
            belief = belief.astype(self._type)
        entropy = -np.sum(belief * np.log(belief + 1e-12))
        energy = np.sum(belief * (self.prior + 0.5 * field))
        return belief, round(float(energy + entropy) / count, _DIGITS)

    def search(self, shapes, starts, blur, rng, progress: Progress = silent):
        """Anneal from turned and mirrored shapes.

        Parameters
        ----------
        shapes : list of (n, 2) arrays
            Taken in turn.
        starts : int
        blur : float
            How uncertain the shapes are, as a part of the extent.
        rng : numpy.random.Generator
        progress : Progress

        Returns
        -------
        list of (n, 2) arrays
            Places, best first.
        """
        nodes = self.nodes.xy
        width = float(np.sqrt(nodes.var(axis=0).mean()))
        found, first = [], rng.uniform(0, 2 * np.pi)
        for number in range(starts):
            step = part(progress, number / starts, (number + 1) / starts)
            # Evenly, from anywhere: no turn is far from one that is tried.
            angle, mirror = first + 4 * np.pi * (number // 2) / starts, 1.0 - 2 * (number % 2)
            turn = np.array(
                [[np.cos(angle), -mirror * np.sin(angle)], [np.sin(angle), mirror * np.cos(angle)]]
            )
            shape = shapes[(number // 2) % len(shapes)]
            shape = (shape - shape.mean(axis=0)) / max(float(shape.std()), 1e-9)
            xy = (shape @ turn) * width + nodes.mean(axis=0)
            belief, energy = self.anneal(self.start(xy, blur * width), _COLD, _WARM, SWEEPS, step)
            found.append((energy, number, belief @ nodes))
        found.sort(key=lambda one: (-one[0], one[1]))
        return [xy for _, _, xy in found]

    def refine(self, xy, progress: Progress = silent) -> tuple[float, np.ndarray]:
        """Anneal on from places found with coarser nodes."""
        width = 0.3 * float(np.sqrt(self.nodes.xy.var(axis=0).mean()))
        belief, energy = self.anneal(self.start(xy, width), _COOL, _FINE, 12, progress)
        return energy, belief @ self.nodes.xy


def maps_of(estimated: Estimated, rng, progress: Progress = silent) -> list[np.ndarray]:
    """Maps of a released file, each up to its turn, from estimated distances.

    Returns
    -------
    list of (n, 2) arrays
        By rising stress, weighted by how well distances are known. They differ by where they
        began: at the estimates, and at ways of some kinds.
    """
    away = estimated.away
    weights = 1 / np.maximum(estimated.unsure, _KNOWN * max(float(away.mean()), 1e-300)) ** 1.5
    weights /= weights.mean()
    begins = [away, *estimated.ways[:: len(estimated.ways) // 2]]
    found = []
    for number, one in enumerate(begins):
        step = part(progress, number / len(begins), (number + 1) / len(begins))
        xy = interruptible(partial(flat_map, one, rng), step)
        xy = majorized(xy, away, step, weights)
        stress = float((weights * (np.sqrt(squares(xy, xy)) - away) ** 2).sum())
        found.append((stress, number, xy))
    progress(1.0)
    return [xy for _, _, xy in sorted(found, key=lambda one: one[:2])]


def majorized(
    xy: np.ndarray,
    distances: np.ndarray,
    progress: Progress = silent,
    weights: np.ndarray | None = None,
) -> np.ndarray:
    """Lower the stress of a map by majorization (de Leeuw 1977).

    Parameters
    ----------
    xy : (n, 2) array
    distances : (n, n) array
    progress : Progress
    weights : (n, n) array, optional
        Of the squared differences, positive; all alike by default.
    """
    count = len(xy)
    inverse = None
    if weights is not None:
        laplacian = np.diag(weights.sum(axis=1)) - weights
        inverse = interruptible(lambda: np.linalg.inv(laplacian + weights.mean()), progress)
    for _ in chunks(_MAJORIZED if weights is None else _MAJORIZED_WEIGHTED, 1, progress):
        now = np.sqrt(squares(xy, xy))
        ratio = np.divide(distances, now, out=np.zeros_like(now), where=now > 0)
        if inverse is None:
            xy = (ratio.sum(axis=1)[:, None] * xy - ratio @ xy) / count
        else:
            ratio *= weights
            xy = inverse @ (ratio.sum(axis=1)[:, None] * xy - ratio @ xy)
    return xy


def _shares_of(log: np.ndarray) -> np.ndarray:
    log = log - log.max(axis=1, keepdims=True)
    np.exp(log, out=log)
    log /= log.sum(axis=1, keepdims=True)
    return log
