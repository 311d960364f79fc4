# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that a release shows where they are: they stand on a candidate place.

A Voronoi mask moves every point that is alone at its place. Some come to stand on a candidate by
accident, the more the coarser the coordinates are and the more regular the houses; decoys tell
how many. What goes beyond was not moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...runtime.progress import Progress, chunks, part
from ...space.points import QUERY_ROWS, Places, build_tree, nearest_neighbours

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: Locations of the control that measures what accident explains.
CONTROLS = 2_000
#: So rarely may accident put so many on candidates before the layer is called not moved.
_RARE = 5e-3
#: A place tells who was not moved when its neighbour is so many tolerances away: the mask moves
#: by half of that, which is twice what rounding could make of it.
_CLEAR = 4.0


@dataclass(frozen=True)
class Verbatim:
    """What was not moved, a row for each masked location.

    Attributes
    ----------
    here : (p,) bool array
        Whether the location is taken for the place of its records.
    place : (p,) int array
        The candidate place that it stands on; -1 for none.
    probability : (p,) float array
        That it was not moved.
    """

    here: np.ndarray
    place: np.ndarray
    probability: np.ndarray

    @classmethod
    def nobody(cls, count: int) -> Verbatim:
        """Nothing stands on a candidate."""
        return cls(np.zeros(count, dtype=bool), np.full(count, -1), np.zeros(count))


def decoys_of(
    locations: Places, tolerance: np.ndarray, rng: np.random.Generator, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Locations that are no masked ones, to see what accident explains.

    A decoy is a masked location moved by the step between two other masked locations that
    are neighbours: as far as a search reaches, and on the same grid as the data. Returns the
    location that each was made of, and the decoys.
    """
    count = len(locations.xy)
    if count < 4:
        return np.empty(0, dtype=np.intp), np.empty((0, 2))
    chosen = rng.choice(count, size=min(count, CONTROLS), replace=False)
    step_from = rng.permutation(count)[: len(chosen)]
    nearest, _ = nearest_neighbours(locations.xy, part(progress, 0.0, 0.8))
    decoys = locations.xy[chosen] + locations.xy[step_from] - locations.xy[nearest[step_from]]
    # A decoy that lands on a masked location (neighbours on a lattice do) is no control.
    others = build_tree(locations.xy, part(progress, 0.8, 1.0))
    apart = others.query(decoys)[0] > 2 * tolerance[chosen]
    return chosen[apart], decoys[apart]


def verbatim(
    locations: Places,
    decoys: np.ndarray,
    tree: cKDTree,
    tolerance: np.ndarray,
    of_decoys: np.ndarray,
    paired: np.ndarray,
    paired_by_chance: float,
    progress: Progress,
) -> Verbatim:
    """Find the masked locations that were not moved.

    Parameters
    ----------
    locations : Places
        The masked locations.
    decoys : (d, 2) array
        Locations that are none.
    tree : cKDTree
        Of the candidate places.
    tolerance, of_decoys : arrays
        Of each location and each decoy.
    paired : (p,) bool array
        Whether some pair of candidates has the location as its midpoint.
    paired_by_chance : float
        The share of the decoys that some pair has.
    progress : callable
    """
    place = standing(locations.xy, tree, tolerance, part(progress, 0.0, 0.8))
    on = place >= 0
    # Where several records lie, a mask that is genuine leaves them: they tell nothing of others.
    alone = locations.count == 1
    lone, seen = int(np.count_nonzero(alone)), int(np.count_nonzero(on & alone))
    hits = np.count_nonzero(standing(decoys, tree, of_decoys, part(progress, 0.8, 1.0)) >= 0)
    chance = hits / len(decoys) if len(decoys) else 0.0
    # Few decoys cannot tell a small chance from none.
    if _tail(seen, lone * (hits + 0.5) / (len(decoys) + 1)) > _RARE or chance == 1.0:
        return Verbatim.nobody(len(on))
    still = max(0.0, (seen / lone - chance) / (1 - chance))
    rest = alone & ~on
    explained = float(paired[rest].mean()) if rest.any() else 0.0
    b = min(paired_by_chance, 1 - 1e-9)
    masked = (1 - still) * max(0.0, (explained - b) / (1 - b))
    # What puts a location on a candidate: it was not moved, a midpoint that lies there by
    # accident, or neither.
    of_pair = np.where(paired, b, 1 - b)
    unmoved = still * of_pair
    others = chance * (masked * paired + max(0.0, 1 - still - masked) * of_pair)
    total = unmoved + others
    probability = np.where(on & (total > 0), unmoved / np.where(total > 0, total, 1.0), 0.0)
    # A pair that is beyond accident, on a candidate that is beyond accident: either may be.
    probability[on & (total == 0)] = 1.0
    return Verbatim(probability >= 0.5, place, probability)


def standing(
    xy: np.ndarray, tree: cKDTree, tolerance: np.ndarray, progress: Progress
) -> np.ndarray:
    """The place of a tree that each location stands on, within its tolerance; -1 for none.

    A place whose neighbour is so near that the mask would hardly have moved a point there, by
    half that way, is none: with coarse coordinates nobody can tell.
    """
    place = np.full(len(xy), -1, dtype=np.intp)
    for rows in chunks(len(xy), QUERY_ROWS, progress):
        reach = tolerance[rows]
        # The tree looks below its bound only, and squares it: zero needs some room.
        bound = float(reach.max(initial=0.0)) * (1 + 1e-9) + 1e-150
        away, nearest = tree.query(xy[rows], distance_upper_bound=bound)
        on = np.flatnonzero(away <= reach)
        neighbour = tree.query(tree.data[nearest[on]], k=[2])[0][:, 0]
        clear = on[neighbour > _CLEAR * reach[on]]
        place[rows.start + clear] = nearest[clear]
    return place


def _tail(count: int, expected: float) -> float:
    """Chernoff's bound on the probability that a Poisson number is so large."""
    if count <= expected:
        return 1.0
    if expected <= 0:
        return 0.0
    return float(np.exp(count - expected - count * np.log(count / expected)))
