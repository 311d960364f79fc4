# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures of a point pattern: seconds, memory and cancels, against the bare trees of SciPy.

python benchmarks/measures.py [--points 100000] [--rounds 3]

Each measure stands beside a floor in the same run: the least that SciPy would be asked for the same
answer, without weights, windows or memory bounds. Seconds are those of one core (CPU time).
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import _timing as timing
import numpy as np
from scipy.spatial import cKDTree
from scipy.stats import gaussian_kde

from geoanon_qgis.core.measures.centre import drift
from geoanon_qgis.core.measures.contiguity import contiguity_of_cells
from geoanon_qgis.core.measures.dbscan import compare_clusters, typical_radius
from geoanon_qgis.core.measures.envelopes import compare_ripley
from geoanon_qgis.core.measures.grid import count_in_cells
from geoanon_qgis.core.measures.kde import compare_densities
from geoanon_qgis.core.measures.moran import compare_moran
from geoanon_qgis.core.measures.nearest import compare_nearest
from geoanon_qgis.core.measures.ripley import CORRECTIONS, default_radii, ripley_k
from geoanon_qgis.core.measures.services import outside_populated, service_errors, zones_kept
from geoanon_qgis.core.measures.window import Window
from geoanon_qgis.core.runtime.geos import shapely

_SETUP = """
import sys; sys.path[:0] = ["benchmarks"]
import measures
made = measures.Made({points})
jobs = measures.measured(made)
"""


class Made:
    """Points, half of them in clusters, in a window with a coast; masked by a Gaussian."""

    def __init__(self, points: int) -> None:
        rng, geos = np.random.default_rng(1), shapely()
        turn = np.linspace(0, 2 * np.pi, 401)[:-1]
        coast = 5_000 * (1 + 0.1 * np.sin(7 * turn) + 0.02 * rng.random(400))
        ring = coast[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1) + 1e5
        self.window = Window.of([geos.polygons(ring)])
        even = self.window.draw(points - points // 2, rng)
        middles = self.window.draw(40, rng)[rng.integers(0, 40, points // 2)]
        self.xy = np.concatenate([even, middles + rng.normal(0, 150, middles.shape)])
        self.masked = self.xy + rng.normal(0, 40, self.xy.shape)
        self.services = self.window.draw(200, rng)
        side = np.arange(-6_000, 6_000, 500.0) + 1e5
        x, y = (one.ravel() for one in np.meshgrid(side, side))
        self.zones = geos.box(x, y, x + 500, y + 500)
        self.radii = default_radii(self.window, points)
        self.radius = typical_radius(self.xy)
        self.counts = count_in_cells(self.xy, self.masked, self.window)
        self.weights = contiguity_of_cells(self.counts.grid, self.counts.cells)


def measured(made: Made) -> dict[str, Callable[..., object]]:
    """Every measure as it is asked for, with a progress."""

    def rng() -> np.random.Generator:
        return np.random.default_rng(2)

    xy, masked, window = made.xy, made.masked, made.window
    jobs: dict[str, Callable[..., object]] = {
        "centres": lambda *p: drift(xy, masked, *p),
        "nearest neighbours": lambda *p: compare_nearest(xy, masked, window, *p),
        "L, cross-K, envelopes": lambda *p: compare_ripley(
            xy, masked, window, rng(), None, "translation", *p
        ),
        "densities": lambda *p: compare_densities(xy, masked, None, window, True, *p),
        "Moran, global and local": lambda *p: compare_moran(
            made.counts.before, made.counts.after, made.weights, rng(), *p
        ),
        "DBSCAN": lambda *p: compare_clusters(xy, masked, None, 5, *p),
        "DBSCAN, 10 times the radius": lambda *p: compare_clusters(
            xy, masked, 10 * made.radius, 5, *p
        ),
        "services": lambda *p: service_errors(xy, masked, made.services, *p),
        "zones": lambda *p: zones_kept(xy, masked, list(made.zones), *p),
        "populated areas": lambda *p: outside_populated(xy, masked, list(made.zones), *p),
    }
    for correction in CORRECTIONS:
        jobs[f"K, {correction}"] = lambda *p, way=correction: ripley_k(
            xy, window, rng(), made.radii, way, *p
        )
    return jobs


def all_pairs(made: Made, rounds: int) -> list[timing.Line]:
    """K of all points, none drawn, against SciPy's count of pairs, which knows no window."""
    some = made.xy[np.random.default_rng(3).permutation(len(made.xy))[:20_000]]
    inside = some[made.window.contains(some)]
    radii = default_radii(made.window, len(inside))
    jobs = {
        "floor": lambda: _counted(inside, radii),
        **{
            way: lambda way=way: ripley_k(
                inside, made.window, np.random.default_rng(2), radii, way, most_pairs=10**12
            )
            for way in CORRECTIONS
        },
    }
    times = timing.take_turns(jobs, rounds, time.process_time)
    pairs = _counted(inside, radii)[-1]
    lines = [
        timing.note(
            f"count_neighbors, {len(inside):,} points, {pairs:,} pairs, 50 distances",
            f"{min(times['floor']):.2f} s",
        )
    ]
    limits = {"none": 4.0, "border": 4.0, "translation": 8.0, "isotropic": 10.0}
    for way in CORRECTIONS:
        ratio = timing.median_ratio(times[way], times["floor"])
        lines.append(timing.at_most(f"K of all pairs, {way} / count_neighbors", limits[way], ratio))
    exact = _counted(inside, radii) - len(inside)
    ours = ripley_k(inside, made.window, np.random.default_rng(2), radii, "none", most_pairs=10**12)
    gap = ours.k * len(inside) * (len(inside) - 1) / made.window.area / exact - 1
    lines.append(
        timing.at_most("K without correction off by, of 1", 1e-9, float(np.abs(gap).max()))
    )
    return lines


def _counted(xy: np.ndarray, radii: np.ndarray) -> np.ndarray:
    tree = cKDTree(xy)
    return tree.count_neighbors(tree, radii)


def floors(made: Made) -> dict[str, tuple[str, float, Callable[[], object]]]:
    """For some measures a floor: what, how many times that is allowed, and the job."""
    xy, masked = made.xy, made.masked
    cells = made.counts.before.astype(float)

    def neighbours() -> None:
        for points in (xy, masked):
            cKDTree(points).query(points, k=2)

    def lists() -> None:
        for points in (xy, masked):
            tree = cKDTree(points)
            tree.query_ball_point(points, 10 * made.radius)

    def ways() -> None:
        tree = cKDTree(made.services)
        tree.query(xy), tree.query(masked)

    def permuted() -> None:
        rng = np.random.default_rng(2)
        for _ in range(2 * 999):
            made.weights @ rng.permutation(cells)

    return {
        "nearest neighbours": ("tree and query of both", 4.0, neighbours),
        "DBSCAN, 10 times the radius": ("lists of all neighbours", 1.0, lists),
        "services": ("queries of both", 3.0, ways),
        "Moran, global and local": ("2 × 999 lags of all cells", 3.0, permuted),
    }


def densities(made: Made, rounds: int) -> list[timing.Line]:
    """Against scipy.stats.gaussian_kde, which sums over points and cells."""
    some = made.xy[:: max(1, len(made.xy) // 3_000)]
    found = compare_densities(some, some)
    factor = found.bandwidth / np.sqrt(some.var(axis=0, ddof=1).mean())

    def theirs() -> np.ndarray:
        return gaussian_kde(some.T, factor)(found.grid.centres.T)

    times = timing.take_turns(
        {"ours": lambda: compare_densities(some, some), "theirs": theirs}, rounds, time.process_time
    )
    ratio = timing.median_ratio(times["theirs"], times["ours"])
    what = f"gaussian_kde / densities (2 patterns), {len(some):,} points"
    return [timing.at_least(what, 3.0, ratio)]


def on_the_clock(made: Made, rounds: int, points: int) -> list[timing.Line]:
    """Seconds, ratios to floors, memory, and how soon a cancel is heard."""
    jobs, lines = measured(made), []
    for name, job in jobs.items():
        floor = floors(made).get(name)
        turns = {"ours": job, **({"floor": floor[2]} if floor else {})}
        times = timing.take_turns(turns, rounds, time.process_time)
        lines.append(timing.note(f"CPU seconds, {name}", f"{min(times['ours']):.2f} s"))
        if floor:
            ratio = timing.median_ratio(times["ours"], times["floor"])
            lines.append(timing.at_most(f"{name} / {floor[0]}", floor[1], ratio))
        delay = timing.cancel_delay(job, min(times["ours"]) / 2)
        lines.append(timing.at_most(f"cancel, {name}", 0.5, delay, "s"))
        memory = timing.peak_memory(_SETUP.format(points=points), f"jobs[{name!r}]()")
        lines.append(timing.at_most(f"peak memory, {name}", 500, memory / 2**20, "MiB"))
    return lines


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    made = Made(chosen.points)
    lines = [*all_pairs(made, chosen.rounds), *densities(made, chosen.rounds)]
    timing.table("Measures against SciPy", lines)
    lines = on_the_clock(made, chosen.rounds, chosen.points)
    return timing.table(f"Measures of {chosen.points:,} points", lines)


if __name__ == "__main__":
    sys.exit(main())
