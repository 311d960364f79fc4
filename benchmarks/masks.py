# SPDX-License-Identifier: GPL-2.0-or-later
"""Displacement masks in the engine: are the laws what they say, and how quick are they?

python benchmarks/masks.py [--points 1000000] [--rounds 5] [--draws 1000000]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import _timing as timing
import numpy as np
from scipy import stats
from scipy.integrate import quad

from geoanon_qgis.core.masking.contained import draw_inside
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.kept_draws import KeptDraws
from geoanon_qgis.core.masking.laws import (
    BY_RADIUS,
    BimodalGaussian,
    Donut,
    Gaussian,
    Laplace,
    disc,
)
from geoanon_qgis.core.masking.zones import Zones, seen_from, shares_inside
from geoanon_qgis.core.runtime.geos import shapely

LAWS = {
    "disc": disc(100.0),
    "disc by radius": disc(100.0, BY_RADIUS),
    "donut": Donut(40.0, 100.0),
    "donut by radius": Donut(40.0, 100.0, BY_RADIUS),
    "Gaussian": Gaussian(50.0),
    "bimodal Gaussian": BimodalGaussian(60.0),
    "Laplace": Laplace(np.log(4) / 100),
}
SECRET = bytes(range(32))
_BINS = 200
_LEAST_P = 0.001
#: Draws inside a zone by which its share is told: to one in six hundred, one standard deviation.
_ENOUGH = 360_000


def mass(law, distance: float) -> float:
    """Probability per metre of a distance, from the density on the map."""
    return float(law.density(np.array(distance))) * 2 * np.pi * distance


def integral(law) -> float:
    """Of the density over the plane."""
    ends = np.linspace(float(law.hole), float(law.reach()), 20)
    return sum(quad(lambda d: mass(law, d), a, b)[0] for a, b in zip(ends[:-1], ends[1:]))


def follow(law, draws: int) -> tuple[float, float]:
    """p of chi-square tests of distance and direction of kept draws, as they are released."""
    places = np.random.default_rng(7).uniform(0, 1000, (draws, 2))
    gap = displace(places, law, SECRET, "benchmark").xy - places
    edges = law.quantile(np.arange(1, _BINS) / _BINS)
    ends = np.concatenate([[law.hole], edges, [law.reach()]])
    shares = np.array([quad(lambda d: mass(law, d), a, b)[0] for a, b in zip(ends[:-1], ends[1:])])
    found = np.bincount(np.searchsorted(edges, np.hypot(*gap.T)), minlength=_BINS)
    turn = (np.arctan2(gap[:, 1], gap[:, 0]) / (2 * np.pi) % 1 * _BINS).astype(int) % _BINS
    around = np.bincount(turn, minlength=_BINS)
    distance = stats.chisquare(found, shares / shares.sum() * draws).pvalue
    return float(distance), float(stats.chisquare(around).pvalue)


def laws_are_what_they_say(draws: int) -> list[timing.Line]:
    """Densities and draws."""
    lines = []
    for name, law in LAWS.items():
        lines.append(
            timing.at_most(f"density, {name}: integral off by", 1e-3, abs(integral(law) - 1))
        )
        distance, turn = follow(law, draws)
        for what, p in (("distances", distance), ("directions", turn)):
            lines.append(timing.at_least(f"{draws:,} draws, {name}: p of {what}", _LEAST_P, p))
    return lines


def bare(count: int) -> np.ndarray:
    """The peer: random numbers, a root, sine and cosine, and nobody's secret."""
    rng = np.random.default_rng()
    radius, turn = np.sqrt(rng.random(count)), 2 * np.pi * rng.random(count)
    return np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)


def on_the_clock(count: int, rounds: int) -> list[timing.Line]:
    """The engine against bare random numbers, and where its time goes."""
    rng = np.random.default_rng(2)
    xy, uniform = rng.uniform(0, 1e5, (count, 2)), rng.random(count)
    sizes = np.array([[0.0, 100.0]])
    numbers = KeptDraws(SECRET, "benchmark", many=True)
    jobs: dict[str, Callable[[], object]] = {
        "bare": lambda: bare(count),
        "kept numbers alone": lambda: numbers.uniforms(xy, np.repeat(sizes, count, axis=0), 0),
    }
    for name, law in LAWS.items():
        jobs[name] = lambda law=law: displace(xy, law, SECRET, "benchmark")
        jobs[f"radii of {name}"] = lambda law=law: law.radii(uniform)
    times = timing.take_turns(jobs, rounds, time.process_time)
    lines = [timing.note(f"seconds of CPU, bare, {count:,}", f"{min(times['bare']):.4f} s")]
    for name in LAWS:
        ratio = timing.median_ratio(times[name], times["bare"])
        lines.append(timing.at_most(f"engine / bare, {name}", 1.3, ratio))
        share = timing.median_ratio(times[f"radii of {name}"], times["bare"])
        lines.append(timing.note(f"of which radii, {name}", f"{share:.3g}"))
    share = timing.median_ratio(times["kept numbers alone"], times["bare"])
    lines.append(timing.note("of which numbers that are kept (HMAC-SHA256)", f"{share:.3g}"))
    return lines


def zones_of_shapes() -> dict[str, Zones]:
    """Zones round the place at 0, 0."""
    geos = shapely()
    parts = [geos.box(-80, -20, -60, 5), geos.box(30, 30, 70, 45), geos.box(-5, -5, 5, 5)]
    bay = geos.polygons([(-50, -40), (90, -40), (90, 60), (10, -30), (-50, 60)])
    hole = geos.difference(geos.points(5, 5).buffer(150), geos.points(20, 0).buffer(60))
    shapes = {"parts": geos.union_all(parts), "bay": bay, "hole": hole}
    return {name: Zones.of([shape]) for name, shape in shapes.items()}


def inside_by_rejection(law, zones: Zones, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Those of some free draws round 0, 0 that lie inside, (m, 2)."""
    radius, turn = law.radii(rng.random(draws)), 2 * np.pi * rng.random(draws)
    free = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    return free[zones.contain(free, np.zeros(draws, dtype=int))]


def inside_zones(draws: int) -> list[timing.Line]:
    """Shares inside against Monte Carlo, exact draws against rejection."""
    lines, here, first = [], np.zeros((1, 2)), np.zeros(1, dtype=int)
    for shape, zones in zones_of_shapes().items():
        worst, least = 0.0, 1.0
        took = 0.0
        count = min(400, draws)
        for law in LAWS.values():
            rng = np.random.default_rng(3)
            kept = inside_by_rejection(law, zones, draws, rng)
            blocks = max(1, round(_ENOUGH / len(kept)))
            found = len(kept) + sum(
                len(inside_by_rejection(law, zones, draws, rng)) for _ in range(blocks - 1)
            )
            share = shares_inside(here, law, zones, first)[0]
            worst = max(worst, abs(share * draws * blocks / found - 1))
            _, near, seen = seen_from(here, zones, first, np.array([float(law.reach())]))
            edges, within = zones.edges[near] - np.tile(seen[0], 2), zones.contain(seen, first)[0]
            start = time.process_time()
            uniform = rng.random((count, 2))
            found = np.array([draw_inside(edges, within, law, one)[0][0] for one in uniform])
            took += time.process_time() - start
            for way in (lambda xy: np.hypot(*xy.T), lambda xy: np.arctan2(xy[:, 1], xy[:, 0])):
                least = min(least, stats.ks_2samp(way(found), way(kept)).pvalue)
        lines.append(
            timing.at_most(f"share inside, {shape}: worst of laws against draws", 0.01, worst)
        )
        lines.append(timing.at_least(f"exact draws, {shape}: least p of 14 KS", _LEAST_P, least))
        each = took / len(LAWS) / count * 1e3
        lines.append(timing.note(f"exact draws, {shape}: CPU a draw", f"{each:.2g} ms"))
    return lines


def along_borders(count: int) -> list[timing.Line]:
    """A layer of points in squares of 2 km, all of whose laws cross a border."""
    geos, side = shapely(), np.arange(10) * 2000.0
    corners = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    zones = Zones.of([geos.box(x, y, x + 2000, y + 2000) for x, y in corners])
    rng = np.random.default_rng(9)
    zone = rng.integers(0, len(corners), count)
    xy = corners[zone] + np.stack([rng.uniform(0, 90, count), rng.uniform(0, 2000, count)], axis=1)
    law = Gaussian(100.0)
    found = displace(xy, law, SECRET, "benchmark", zones, zone)
    stay = bool(zones.contain(found.xy, zone).all())
    start = time.process_time()
    displace(xy, law, SECRET, "benchmark", zones, zone)
    masked = time.process_time() - start
    start = time.process_time()
    shares_inside(xy, law, zones, zone)
    shares = time.process_time() - start
    far = geos.box(1e6, 1e6, 1e6 + 1, 1e6 + 1)
    nobody = displace(xy[:50], law, SECRET, "benchmark", Zones.of([far]))
    return [
        timing.Line(f"{count:,} points by borders stay inside", "yes", str(stay), stay),
        timing.note("CPU, such a point masked", f"{masked / count * 1e6:.3g} us"),
        timing.note("CPU, share inside of such a point", f"{shares / count * 1e6:.3g} us"),
        timing.at_least("an impossible zone: share withheld", 1.0, float(nobody.withheld.mean())),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--draws", type=int, default=1_000_000)
    chosen = parser.parse_args()
    timing.table("Laws", laws_are_what_they_say(chosen.draws))
    timing.table("Points inside zones", inside_zones(chosen.draws) + along_borders(20_000))
    timing.table("Displacement, engine", on_the_clock(chosen.points, chosen.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
