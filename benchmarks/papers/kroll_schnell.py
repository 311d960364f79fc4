# SPDX-License-Identifier: GPL-2.0-or-later
"""Kroll & Schnell (2016), Lipschitz embedding: the experiments on accuracy, repeated.

    python benchmarks/papers/kroll_schnell.py [--embeddings 100] [--repeats 10]

The hospitals of the paper are not at hand: neighbours and ranks are tried on 400 Dutch dwellings,
400 Canadian dissemination areas and 400 points drawn in clusters, like hospitals in towns. Great
circles of a sphere of 6371 km, as in the paper, except for the dwellings, which are planar. A last
table draws maps from releases, which the paper does not try.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import _dwellings
import _timing
import numpy as np
from moehler import print_rows

from geoanon_qgis.core.distances.accuracy import centre_and_border
from geoanon_qgis.core.distances.comparison import neighbours_kept, spearman
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.distances.scaling import draw, procrustes
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for
from geoanon_qgis.core.space.planes import working_plane

LONLAT, DUTCH = "EPSG:4326", "EPSG:28992"
POINTS = 400

#: Longitude and latitude of the city centres (degrees).
CITIES = {
    "Liverpool": (-2.9916, 53.4084),
    "Manchester": (-2.2426, 53.4808),
    "London": (-0.1278, 51.5074),
    "Sheffield": (-1.4701, 53.3811),
    "Plymouth": (-4.1427, 50.3755),
    "Newcastle": (-1.6178, 54.9783),
}
#: The paper's pairs and its distances (km).
PAIRS = {
    ("Liverpool", "Manchester"): 50,
    ("London", "Sheffield"): 228,
    ("Plymouth", "Newcastle"): 540,
}
#: Great Britain without its small islands, from Land's End clockwise by capes and estuaries
#: (longitude, latitude). The paper's area is the United Kingdom.
BRITAIN = np.array(
    [
        (-5.72, 50.06),
        (-5.10, 50.42),
        (-4.55, 50.93),
        (-4.15, 51.21),
        (-3.05, 51.22),
        (-2.70, 51.57),
        (-3.20, 51.39),
        (-3.95, 51.58),
        (-4.95, 51.60),
        (-5.30, 51.88),
        (-4.65, 52.13),
        (-4.08, 52.42),
        (-4.15, 52.85),
        (-4.75, 52.79),
        (-4.60, 53.30),
        (-4.20, 53.41),
        (-3.30, 53.35),
        (-3.08, 53.45),
        (-3.05, 53.85),
        (-2.85, 54.10),
        (-3.25, 54.08),
        (-3.63, 54.52),
        (-3.10, 54.95),
        (-4.00, 54.78),
        (-4.90, 54.65),
        (-5.15, 54.90),
        (-4.65, 55.45),
        (-4.90, 55.95),
        (-5.75, 55.30),
        (-5.60, 56.30),
        (-6.20, 56.70),
        (-5.70, 57.30),
        (-5.85, 57.85),
        (-5.35, 58.25),
        (-5.00, 58.62),
        (-3.05, 58.64),
        (-4.00, 57.87),
        (-4.05, 57.55),
        (-2.00, 57.70),
        (-2.07, 57.15),
        (-2.60, 56.28),
        (-3.30, 55.98),
        (-2.00, 55.80),
        (-1.42, 55.00),
        (-1.15, 54.65),
        (-0.40, 54.28),
        (-0.08, 54.11),
        (0.12, 53.60),
        (0.34, 53.10),
        (0.05, 52.88),
        (0.50, 52.95),
        (1.30, 52.93),
        (1.75, 52.50),
        (1.35, 51.95),
        (0.90, 51.60),
        (0.60, 51.48),
        (1.44, 51.36),
        (1.38, 51.14),
        (0.97, 50.92),
        (0.25, 50.74),
        (-1.10, 50.78),
        (-1.95, 50.60),
        (-2.45, 50.52),
        (-3.40, 50.60),
        (-3.65, 50.22),
        (-4.15, 50.32),
        (-5.20, 49.96),
    ]
)


def britain() -> StudyArea:
    return StudyArea.of_rings([BRITAIN], LONLAT)


HOLDS, FAILS = "holds", "DOES NOT HOLD"


def statements(title: str, checks: list[tuple[str, str, object]]) -> None:
    """Print published statements, what is seen here, and the verdict (or a bool of it)."""
    rows = [("published", "ours", "")]
    for said, seen, right in checks:
        rows.append((said, seen, right if isinstance(right, str) else HOLDS if right else FAILS))
    print_rows(title, rows)


def cities(embeddings: int, rng: np.random.Generator) -> None:
    """Three pairs of cities, k in {1, 3, 5}, d in {20, 100, 500}."""
    area, metric = britain(), metric_for("great_circle", LONLAT)
    lonlat = np.array(list(CITIES.values()))
    names = list(CITIES)
    at = [(names.index(a), names.index(b)) for a, b in PAIRS]
    own = metric.coordinates(lonlat)
    true = np.array([metric.between(own[[a]], own[[b]])[0] for a, b in at]) / 1000
    sizes, dimensions = (1, 3, 5), (20, 100, 500)
    estimates = np.array(
        [
            [
                [_of_cities(lonlat, area, metric, d, k, at, rng) for _ in range(embeddings)]
                for d in dimensions
            ]
            for k in sizes
        ]
    )  # (k, d, embedding, pair), km
    mean, sd = estimates.mean(axis=2), estimates.std(axis=2, ddof=1)
    rows = [("pair", "true", "published", "k", "d", "mean (km)", "sd (km)", "bias (%)")]
    for pair, ((a, b), published) in enumerate(PAIRS.items()):
        for i, k in enumerate(sizes):
            for j, d in enumerate(dimensions):
                rows.append(
                    (
                        f"{a}-{b}",
                        f"{true[pair]:.1f}",
                        f"{published}",
                        f"{k}",
                        f"{d}",
                        f"{mean[i, j, pair]:.2f}",
                        f"{sd[i, j, pair]:.2f}",
                        f"{100 * (mean[i, j, pair] / true[pair] - 1):.2f}",
                    )
                )
    print_rows(f"Released distances of city pairs ({embeddings} embeddings)", rows)
    bias = 1 - mean / true
    error = sd / np.sqrt(embeddings) / true
    shorter = against(bias[..., :-1], bias[..., 1:], error[..., :-1], error[..., 1:])
    statements(
        "City pairs: comparisons of neighbouring rows",
        [
            (
                "never above the true distance",
                f"largest excess {1000 * (estimates - true).max():.1e} m",
                bool((estimates <= true + 1e-9).all()),
            ),
            (
                "nearer to the truth as d grows",
                *verdict(
                    against(bias[:, 1:], bias[:, :-1], error[:, 1:], error[:, :-1]), embeddings
                ),
            ),
            (
                "farther from it as k grows",
                *verdict(against(bias[:-1], bias[1:], error[:-1], error[1:]), embeddings),
            ),
            (
                "the spread falls as d grows",
                f"{(sd[:, 1:] < sd[:, :-1]).sum()} of 18 comparisons",
                bool((sd[:, 1:] < sd[:, :-1]).all()),
            ),
            ("shorter distances kept better, k = 1", *verdict(shorter[0], embeddings)),
            ("shorter distances kept better, k = 3 and 5", *verdict(shorter[1:], embeddings)),
        ],
    )


def against(low, high, low_error, high_error) -> np.ndarray:
    """By how many standard errors ``low`` lies above ``high``, where it should lie below."""
    return (low - high) / np.maximum(np.hypot(low_error, high_error), 1e-300)


def verdict(contradictions: np.ndarray, repeats: int) -> tuple[str, str]:
    """Judge a statement by all its comparisons of two means together.

    It does not hold where one comparison contradicts it significantly: at a level of one per
    cent over all of them, since of two dozen one or another is off by two or three standard
    errors by chance alone. It holds where none does and most go the stated way.
    """
    from scipy.stats import t

    for_it = int((contradictions <= 0).sum())
    limit = float(t.ppf(1 - 0.01 / contradictions.size, 2 * (repeats - 1)))
    worst = float(contradictions.max())
    seen = f"{for_it} of {contradictions.size} comparisons"
    if worst > 0:
        seen += f", worst against by {worst:.1f} se (limit {limit:.1f})"
    if worst > limit:
        return seen, FAILS
    return seen, HOLDS if 2 * for_it > contradictions.size else "not shown"


def _of_cities(lonlat, area, metric, d, k, at, rng) -> list[float]:
    matrix = DistanceMatrix.numbered(lipschitz_distances(lonlat, area, metric, d, k, rng))
    return [float(matrix.pairs(np.array([a]), np.array([b]))[0]) / 1000 for a, b in at]


def data_sets(rng: np.random.Generator) -> dict[str, tuple]:
    """Points, area, metric and plane of each; those whose data are not there are left out."""
    found = {"clusters in Britain": (_clustered(rng), britain(), LONLAT, "great_circle")}
    if _dwellings.available():
        town = np.unique(_dwellings.integer_metres(), axis=0)
        xy = town[rng.choice(len(town), POINTS, replace=False)]
        found["Dutch dwellings"] = (xy, StudyArea.convex_hull(xy, DUTCH), DUTCH, "planar")
    file = _timing.SHARED / "canada_dissemination_areas_2011.csv.gz"
    if file.exists():
        table = np.loadtxt(file, delimiter=",", skiprows=1, usecols=(1, 5, 4), dtype=str)
        lonlat = table[table[:, 0] == "Ontario", 1:].astype(float)
        xy = lonlat[rng.choice(len(lonlat), POINTS, replace=False)]
        area = StudyArea.convex_hull(xy, LONLAT)
        found["areas of Ontario"] = (xy, area, LONLAT, "great_circle")
    else:
        print(f"Skipped: the Canadian areas are not there ({file.name}).")
    return found


def _clustered(rng: np.random.Generator) -> np.ndarray:
    """400 points: towns uniform in Britain, of very different sizes, 8 km wide."""
    area = britain()
    towns = area.sample(60, rng)
    shares = rng.dirichlet(np.full(60, 0.5))
    kept = np.zeros((0, 2))
    while len(kept) < POINTS:
        town = towns[rng.choice(60, POINTS, p=shares)]
        offset = rng.normal(0.0, 8 / 111.2, (POINTS, 2))
        offset[:, 0] /= np.cos(np.radians(town[:, 1]))
        new = town + offset
        kept = np.concatenate([kept, new[area.contains(new)]])[:POINTS]
    return kept


def neighbours_and_ranks(repeats: int, rng: np.random.Generator) -> None:
    """Figure 2: share of correct nearest neighbours, and rank correlation from two points."""
    sizes, dimensions = (5, 20, 35, 50), (5, 10, 15, 20)
    for name, (xy, area, wkt, kind) in data_sets(rng).items():
        metric = metric_for(kind, wkt)
        own = metric.coordinates(xy)
        records = centre_and_border(own, metric, rng)
        measured = np.array(
            [
                [
                    [_measured(xy, own, area, metric, d, k, records, rng) for _ in range(repeats)]
                    for k in sizes
                ]
                for d in dimensions
            ]
        )  # (d, k, repeat, measure)
        mean = measured.mean(axis=2)
        error = measured.std(axis=2, ddof=1) / np.sqrt(repeats)
        rows = [("d", "k", "nearest kept (%)", "se", "rho, centre", "se", "rho, border", "se")]
        for i, d in enumerate(dimensions):
            for j, k in enumerate(sizes):
                rows.append(
                    (
                        f"{d}",
                        f"{k}",
                        f"{100 * mean[i, j, 0]:.1f}",
                        f"{100 * error[i, j, 0]:.1f}",
                        f"{mean[i, j, 1]:.3f}",
                        f"{error[i, j, 1]:.3f}",
                        f"{mean[i, j, 2]:.3f}",
                        f"{error[i, j, 2]:.3f}",
                    )
                )
        print_rows(f"400 {name} ({repeats} repetitions)", rows)
        drop = 100 * (mean[:, 0, 0] - mean[:, -1, 0])
        least = 100 * mean[1:, :, 0].min()
        rho, se = mean[..., 1:], error[..., 1:]
        up = against(rho[:-1], rho[1:], se[:-1], se[1:])
        down = against(rho[:, 1:], rho[:, :-1], se[:, 1:], se[:, :-1])
        border = against(rho[..., 1], rho[..., 0], se[..., 1], se[..., 0])
        statements(
            f"400 {name}",
            [
                (
                    "share of nearest neighbours large (over half) for d > 5",
                    f"{least:.0f} % or more",
                    bool(least > 50),
                ),
                (
                    "rapid fall with k only for d = 5 (twice any other fall)",
                    "falls by " + ", ".join(f"{one:.0f}" for one in drop) + " points",
                    bool(drop[0] > 2 * drop[1:].max()),
                ),
                ("rank correlation falls as d falls", *verdict(up, repeats)),
                ("rank correlation falls as k grows", *verdict(down, repeats)),
                ("ranks worse from the border than from the centre", *verdict(border, repeats)),
            ],
        )


def _measured(xy, own, area, metric, d, k, records, rng) -> list[float]:
    matrix = DistanceMatrix.numbered(lipschitz_distances(xy, area, metric, d, k, rng))
    everyone = np.arange(len(xy))
    ranks = [spearman(metric.rows(own[[at]], own)[0], matrix.pairs(at, everyone)) for at in records]
    return [neighbours_kept(own, metric, matrix, (1,))[0], *ranks]


def maps(rng: np.random.Generator) -> None:
    """What an attacker can draw without any identification file."""
    sets = dict(data_sets(rng))
    for count in (400, 2_000):
        sets[f"{count:,} uniform in Britain"] = (
            britain().sample(count, rng),
            britain(),
            LONLAT,
            "great_circle",
        )
    rows = [("points", "d", "k", "nearest kept (%)", "spearman", "map error (%)", "drawn")]
    for name, (xy, area, wkt, kind) in sets.items():
        metric = metric_for(kind, wkt)
        own = metric.coordinates(xy)
        plane = working_plane(xy, wkt).forward(xy)
        radius = np.sqrt(plane.var(axis=0).sum())
        i, j = np.triu_indices(len(xy), 1)
        true = metric.between(own[i], own[j])
        for d, k in ((20, 1), (20, 10), (20, 30), (100, 30), (500, 30)):
            condensed = lipschitz_distances(xy, area, metric, d, k, rng)
            matrix = DistanceMatrix.numbered(condensed)
            drawn = draw(matrix)
            rows.append(
                (
                    name,
                    f"{d}",
                    f"{k}",
                    f"{100 * neighbours_kept(own, metric, matrix, (1,))[0]:.1f}",
                    f"{spearman(true, condensed):.3f}",
                    f"{100 * procrustes(drawn.xy, plane)[1] / radius:.1f}",
                    drawn.method,
                )
            )
    print_rows(
        "Maps drawn from a release alone (not in the paper): root mean square error after"
        " Procrustes, as a share of the points' own spread",
        rows,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--embeddings", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = np.random.default_rng(chosen.seed)
    cities(chosen.embeddings, rng)
    neighbours_and_ranks(chosen.repeats, rng)
    maps(rng)
    return 0


if __name__ == "__main__":
    sys.exit(main())
