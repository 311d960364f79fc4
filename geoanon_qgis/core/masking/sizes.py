# SPDX-License-Identifier: GPL-2.0-or-later
"""How far an adaptive mask moves a point: as far as a number of people or places is away.

The sizes come from what is public, a list of addresses or population areas, and never from the
points that are masked: whoever attacks computes them for each address, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.wording import Sentence, mark
from ..space.points import QUERY_ROWS, as_points, build_tree, places
from .law import Law
from .laws import BY_AREA, BimodalGaussian, Donut, Gaussian, Laplace, disc

#: exp(epsilon r_k) is at most this between a place and its k-th neighbour.
LAPLACE_RATIO = 4.0
_ORDER = mark("The least number ({least}) must be below the largest ({largest}).")


@dataclass(frozen=True)
class Neighbours:
    """Distances to the k-th place of a public list.

    An address counts once, however many dwellings it has: the nearest 20 dwellings of a tower
    block are all at one place, and a point moved among them would not have moved. A place that is
    itself on the list is its own first.

    Parameters
    ----------
    candidates : (n, 2) array
        In the plane of the points.
    """

    candidates: np.ndarray

    def __post_init__(self) -> None:
        listed = places(as_points(self.candidates, Sentence("addresses"))).xy
        object.__setattr__(self, "candidates", listed)

    def distances(self, xy: np.ndarray, ks: list[int], progress: Progress = silent) -> np.ndarray:
        """Distance of each point to its k-th nearest place.

        Parameters
        ----------
        xy : (n, 2) array
        ks : list of int
            At least 2 each.
        progress : callable

        Returns
        -------
        (n, len(ks)) array

        Raises
        ------
        InputError
            If a k is below 2, or there are fewer places than the largest.
        """
        xy, largest = as_points(xy), max(ks)
        for k in ks:
            _check_k(k)
        if largest > len(self.candidates):
            raise InputError(
                "The list has addresses at {found:,} different places, fewer than the {k:,} that"
                " are asked for. Take a smaller number or a longer list.",
                found=len(self.candidates),
                k=largest,
            )
        tree = build_tree(self.candidates, part(progress, 0.0, 0.1))
        away = np.empty((len(xy), len(ks)))
        for rows in chunks(len(xy), max(1, QUERY_ROWS // largest), part(progress, 0.1, 1.0)):
            away[rows] = tree.query(xy[rows], k=ks)[0]
        return away


def by_population(density: np.ndarray, k: float) -> np.ndarray:
    """Radius within which k people live where the density round a point goes on: √(k/(π ρ)).

    Parameters
    ----------
    density : (n,) array
        People per square metre at each point.
    k : float
        At least 2.

    Returns
    -------
    (n,) array
        Infinite where nobody lives: such a point cannot be masked.
    """
    _check_k(k)
    density = np.asarray(density, dtype=np.float64)
    if not ((density >= 0) & np.isfinite(density)).all():
        raise InputError(
            "Some population densities are negative or no finite numbers; correct those areas or"
            " leave them out."
        )
    with np.errstate(divide="ignore"):
        return np.sqrt(k / (np.pi * density))


#: From radii that hold k people or addresses to a law.
_OF_RADII: dict[str, Callable[[np.ndarray], Law]] = {
    # The mean square of the distance is 2 sigma².
    Gaussian.name: lambda radius: Gaussian(radius / np.sqrt(2)),
    BimodalGaussian.name: BimodalGaussian,
    Laplace.name: lambda radius: Laplace(np.log(LAPLACE_RATIO) / radius),
}


def law_of_radii(
    name: str, largest: np.ndarray, least: np.ndarray | None = None, even_by: str = BY_AREA
) -> Law:
    """Return an adaptive law.

    Parameters
    ----------
    name : str
        Name of a law: ``disc``, ``donut``, ``gaussian``, ``bimodal gaussian``, ``laplace``.
    largest : (n,) array
        Radius that holds k people or addresses, for a donut the largest number of them.
    least : (n,) array, optional
        For a donut: radius that holds the least number.
    even_by : str
        For discs and donuts, as in :class:`.laws.Donut`.

    Returns
    -------
    Law
        The disc within that radius; sigma = r/√2, whose mean square distance is r²; the most
        likely distance r; or epsilon = ln 4/r.
    """
    if name == "donut":
        if least is None:
            raise InputError("A donut needs the radius of its hole, too.")
        return Donut(least, largest, even_by)
    if name == "disc":
        return disc(largest, even_by)
    return _OF_RADII[name](largest)


def check_order(least: float, largest: float) -> None:
    """Refuse numbers of people or addresses for a donut unless the first is the smaller one."""
    if not least < largest:
        raise InputError(_ORDER, least=least, largest=largest)


def _check_k(k: float) -> None:
    if not (np.isfinite(k) and k >= 2):
        raise InputError(
            "The number of people or addresses among which a point hides must be at least 2, not"
            " {k:g}: with 1 it would not move.",
            k=float(k),
        )
