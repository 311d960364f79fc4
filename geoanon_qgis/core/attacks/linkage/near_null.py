# SPDX-License-Identifier: GPL-2.0-or-later
"""What the near group would find by chance: the same search with labels that nobody has.

Labels of the known people are dealt out again among them. Whoever was a candidate by label is one
no more, but places, distances and numbers of candidates stay as they are. What is found then is
chance, and tells the adversary what his finds are worth, without any truth. Where labels say
nothing, dealing them out again changes nothing either: there, everybody is moved to a place between
his own and that of a neighbour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .near_cliques import FLOOR, NearClique

#: Least width of the tail of weights by chance beyond the heaviest seen.
_WIDTH = 2.0
#: The same as a share of the heaviest, where long distances count as much as short ones: the noise of
#: a place is in all of its distances, so that weights are sums of much the same.
EVEN_WIDTH = 1 / 3
#: Neighbours, and the part of the way to one of them, that somebody is moved.
_NEIGHBOURS, _LEAST_WAY, _MOST_WAY = 5, 0.3, 0.7


@dataclass(frozen=True)
class ChanceRow:
    """How many cliques of a size there are, and how many chance makes.

    Attributes
    ----------
    size : int
        Matches, at least.
    found : int
        Cliques of at least this size.
    by_chance : float
        Mean number of them with labels (or places) that nobody has.
    """

    size: int
    found: int
    by_chance: float


@dataclass(frozen=True)
class Null:
    """The cliques that chance made.

    Attributes
    ----------
    weights, sizes : tuples of numbers
        Of all cliques, by falling weight.
    repeats : int
        How often labels were dealt out.
    share : float
        Least width of their tail, as a share of the heaviest.
    """

    weights: tuple[float, ...]
    sizes: tuple[int, ...]
    repeats: int
    share: float = 0.0

    @classmethod
    def of(cls, cliques: list[NearClique], repeats: int, share: float = 0.0) -> Null:
        """Take together the cliques of all repeats."""
        ordered = sorted(cliques, key=lambda one: -one.weight)
        return cls(
            tuple(one.weight for one in ordered),
            tuple(len(one.members) for one in ordered),
            repeats,
            share,
        )

    def expected(self, weight: float) -> float:
        """Cliques of at least this weight that chance makes; beyond those seen, by their tail."""
        if not self.repeats:
            return 1.0
        weights = np.array(self.weights or (FLOOR,))
        heaviest = weights[0]
        if weight <= heaviest:
            return float(np.count_nonzero(weights >= weight)) / self.repeats
        width = max(_WIDTH, float((weights - weights[-1]).mean()), self.share * heaviest)
        return float(np.exp(-(weight - heaviest) / width)) / self.repeats

    def table(self, found: list[NearClique]) -> tuple[ChanceRow, ...]:
        """A row for each size that was found."""
        sizes = np.array([len(one.members) for one in found], dtype=np.int64)
        chance = np.array(self.sizes, dtype=np.int64)
        return tuple(
            ChanceRow(
                int(size),
                int(np.count_nonzero(sizes >= size)),
                float(np.count_nonzero(chance >= size)) / max(self.repeats, 1),
            )
            for size in np.unique(sizes)
        )


def moved_places(
    points: np.ndarray, true: np.ndarray, fixed: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Move everybody to a place between his own and that of one of his nearest neighbours.

    So places stay as dense as they were, and nobody is where he lives.

    Parameters
    ----------
    points : (n, 2) array
        Stored coordinates.
    true : (n, n) array
        Their distances.
    fixed : int array
        Rows that stay where they are.
    rng : numpy.random.Generator

    Returns
    -------
    (n, 2) array
    """
    count = len(points)
    number = min(_NEIGHBOURS, count - 1)
    if number < 1:
        return points.copy()
    apart = np.where(true > 0, true, np.inf)  # who shares a place is no neighbour to go to
    near = np.argpartition(apart, number - 1, axis=1)[:, :number]
    other = near[np.arange(count), rng.integers(0, number, count)]
    way = rng.uniform(_LEAST_WAY, _MOST_WAY, (count, 1))
    moved = points + way * (points[other] - points)
    moved[fixed] = points[fixed]
    return moved
