# SPDX-License-Identifier: GPL-2.0-or-later
"""What has been published of point masks, beside what is measured here.

    python benchmarks/papers/masks.py [--draws 5] [--only cassa|andres|allshouse|wieland|dhs]

* Cassa, Wieland & Mandl (2008): the mean of m fresh versions of a point lies 0.7, 0.2 and 0.1 km from
  the true place for m = 1, 10 and 50.
* Andrés et al. (2013): 95 % of planar Laplace's draws lie within 4.744 / epsilon.
* Allshouse et al. (2010): where radii come from the population of areas, fewer than 1 % of the points
  have an actual k below the one asked for if three times the area is taken.
* Wieland et al. (2008): a mask that knows all addresses moves points 25 to 150 times less than
  aggregation to zip codes at the same risk.
* DHS (Burgert et al. 2013): a radius drawn evenly up to 2 km (5 km in the country, 10 km for one in a
  hundred there); here with its consequence that the nearest address is always the best guess.

The papers' data are not at hand (Massachusetts, North Carolina): everything is tried on Dutch
dwellings. Areas are squares with as many dwellings as a census block or a zip code has.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import _dwellings as dwellings
import numpy as np

from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.lattice import SQUARES, Lattice
from geoanon_qgis.core.masking.laws import BY_RADIUS, Donut, Laplace, disc
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.sizes import Neighbours, law_of_radii
from geoanon_qgis.core.space.points import build_tree
from geoanon_qgis.core.space.sites import nearest_site

RECORDS, K = 1_000, 20


def secret(number: int) -> bytes:
    """Return the secret of a draw."""
    return number.to_bytes(32, "big")


def some(xy: np.ndarray, draw: int, count: int = RECORDS) -> np.ndarray:
    """Return rows of dwellings that are in the file."""
    return np.random.default_rng(1_000 + draw).permutation(len(xy))[:count]


def line(what: str, published: str, ours: str) -> None:
    """Print a row."""
    print(f"  {what:58} {published:>16}  {ours:>30}", flush=True)


def spread(values) -> str:
    """A mean, and from where to where."""
    values = np.asarray(values, dtype=float)
    mean, low, high = (
        f"{one:,.0f}" if abs(one) >= 1_000 else f"{one:.3g}"
        for one in (values.mean(), values.min(), values.max())
    )
    return f"{mean} ({low} to {high})"


def cassa(xy: np.ndarray, draws: int) -> None:
    """Averages of fresh draws of an adaptive Gaussian that moves places by 0.7 km on average."""
    print("\nCassa et al. 2008: distance of the mean of m versions from the true place, km")
    radius = Neighbours(xy).distances(xy, [100])[:, 0]
    found: dict[int, list[float]] = {1: [], 10: [], 50: []}
    for draw in range(draws):
        rows = some(xy, draw, 200)
        # Scaled so that the mean shift is the paper's: a Rayleigh variable has sigma sqrt(pi/2).
        own = radius[rows] * 700.0 / (radius[rows].mean() / np.sqrt(2) * np.sqrt(np.pi / 2))
        law = law_of_radii("gaussian", own)
        total = np.zeros((len(rows), 2))
        for version in range(1, 51):
            total += displace(xy[rows], law, secret(100 * draw + version), "papers").xy
            if version in found:
                away = np.hypot(*(total / version - xy[rows]).T)
                found[version].append(away.mean() / 1000)
    for version, published in ((1, "0.7"), (10, "0.2"), (50, "0.1")):
        line(f"m = {version}", published, spread(found[version]))


def andres(xy: np.ndarray, draws: int) -> None:
    """Quantile of the shifts of planar Laplace, times epsilon."""
    print("\nAndrés et al. 2013: 95 % quantile of planar Laplace, times epsilon")
    found = []
    for draw in range(draws):
        epsilon = np.log(4) / 200
        shift = displace(xy, Laplace(epsilon), secret(draw + 1), "papers").shift
        found.append(np.quantile(shift, 0.95) * epsilon)
    line("epsilon = ln 4 / 200 m", "4.744", spread(found))


def allshouse(xy: np.ndarray, draws: int) -> None:
    """Actual k of donuts whose radii come from the number of dwellings in squares."""
    print(f"\nAllshouse et al. 2010: points with an actual k below {K}, per cent")
    tree = build_tree(xy)
    for side, name in ((200.0, "squares of 200 m"), (500.0, "squares of 500 m")):
        cells = Lattice(SQUARES, side).cells(xy)
        _, of_place, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
        density = count[of_place.reshape(-1)] / side**2
        for times, published in ((1, "-"), (3, "below 1")):
            below = []
            for draw in range(draws):
                rows = some(xy, draw)
                low = np.sqrt(times * K / (np.pi * density[rows]))
                moved = displace(xy[rows], Donut(low, low * np.sqrt(5)), secret(draw + 1), "papers")
                away = moved.shift
                actual = tree.query_ball_point(moved.xy, away, return_length=True)
                below.append(100 * (actual < K).mean())
            line(
                f"{name} ({np.median(count):.0f} dwellings), {times} x area",
                published,
                spread(below),
            )


def wieland(xy: np.ndarray, draws: int) -> None:
    """How much farther points move to the centre of a zone than by an exchange."""
    print("\nWieland et al. 2008: mean shift to the centre of the zone / mean shift of the mask")
    for k in (3, 5, 20):
        graph = partner_graph(xy, k)
        for side in (1_000.0, 3_000.0, 6_000.0):
            lattice, found = Lattice(SQUARES, side), []
            for draw in range(draws):
                rows = some(xy, draw)
                rows = rows[~graph.withheld[rows]]
                rng = np.random.default_rng(draw)
                to = graph.partner_of(rows, rng.random(len(rows)))
                own = np.hypot(*(xy[to] - xy[rows]).T).mean()
                centre = lattice.centres(lattice.cells(xy[rows]))
                found.append(np.hypot(*(centre - xy[rows]).T).mean() / own)
            many = np.unique(lattice.cells(xy), axis=0, return_counts=True)[1]
            name = f"exchange, k = {k}; squares of {side / 1000:g} km, at most {many.max():,} dwellings"
            line(name, "25 to 150", spread(found))


def dhs(xy: np.ndarray, draws: int) -> None:
    """Whether who knows the law finds more than who takes the nearest address."""
    print("\nDHS: who lives there, per cent of records found")
    for reach, name in ((2_000.0, "up to 2 km (urban)"), (5_000.0, "up to 5 km (rural)")):
        law, informed, naive, moved_by = disc(reach, BY_RADIUS), [], [], []
        for draw in range(draws):
            rows = some(xy, draw, 200)
            moved = displace(xy[rows], law, secret(draw + 1), "papers")
            guesses = who_lives_there(by_law(moved.xy, xy, law))
            nearest = nearest_site(xy, moved.xy)[0]
            informed.append(100 * guesses.right(rows).mean())
            naive.append(100 * (nearest == rows).mean())
            moved_by.append(moved.shift.mean())
        line(f"{name}: mean shift, m", f"{reach / 2:,.0f}", spread(moved_by))
        line(f"{name}: the likeliest address", "-", spread(informed))
        line(f"{name}: the nearest address", "the same", spread(naive))


JOBS = {one.__name__: one for one in (cassa, andres, allshouse, wieland, dhs)}


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--only", choices=sorted(JOBS))
    options = parser.parse_args()
    if not dwellings.available():
        return 0
    xy = np.unique(dwellings.integer_metres(), axis=0)
    print(f"{len(xy):,} places; ours: mean over {options.draws} draws (least to largest)")
    line("", "published", "ours")
    for name, job in JOBS.items():
        if options.only in (None, name):
            job(xy, options.draws)
    return 0


if __name__ == "__main__":
    sys.exit(main())
