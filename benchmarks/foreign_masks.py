# SPDX-License-Identifier: GPL-2.0-or-later
"""Masks of other tools that are more than a law of distances: what the attack says, and what another finds.

    python benchmarks/foreign_masks.py [--addresses 4000] [--records 400]
        [--public 500] [--limit 0.05] [--seed 4711] [--only step]

Addresses are spread evenly over a square of 1.5 km. ``geoanon:attackmask`` gets public points before and
after the mask (BEFORE, AFTER) and the key. Printed: its decision on whose place it is, with the limit on the
mean, how many records it believes to find and finds, and how many somebody finds who knows how the tool
works, by plain NumPy and without the key.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import _timing as timing
import numpy as np
from scipy.spatial import cKDTree

_ORIGIN, _SIDE, _CRS = np.array([400_000.0, 300_000.0]), 1_500.0, "EPSG:27700"
_ZONE, _REACH = 300.0, 600.0
Mask = Callable[[np.ndarray, np.random.Generator], np.ndarray]
Attack = Callable[[np.ndarray, np.ndarray, np.ndarray], float]


def _turned(away: np.ndarray, way: np.ndarray) -> np.ndarray:
    return away[:, None] * np.stack([np.cos(way), np.sin(way)], axis=1)


def _of_steps(possible: Callable[[np.ndarray], np.ndarray]) -> Attack:
    """Who knows how likely each step is, takes the likeliest address; ties are shared."""

    def right(put: np.ndarray, listed: np.ndarray, home: np.ndarray) -> float:
        found = 0.0
        for point, own in zip(put, home.tolist()):
            likely = possible(point - listed)
            best = (likely > 0) & (likely >= likely.max() * (1 - 1e-9))
            found += best[own] / max(1, best.sum())
        return found

    return right


def _by_zone(put: np.ndarray, listed: np.ndarray, home: np.ndarray) -> float:
    """Who knows the squares takes in each the step by which most points are at addresses of it."""
    zone = np.floor(listed / _ZONE).astype(int)
    guess, votes = np.full(len(put), -1), np.zeros(len(put))
    for one in np.unique(zone, axis=0):
        own = np.flatnonzero((zone == one).all(axis=1))
        step = (put[:, None] - listed[own][None]).reshape(-1, 2)
        step = np.round(step[np.hypot(*step.T) < _REACH], 1)
        if not len(step):
            continue
        steps, many = np.unique(step, axis=0, return_counts=True)
        away, at = cKDTree(listed[own] + steps[many.argmax()]).query(put)
        better = (away < 0.2) & (many.max() > np.maximum(votes, 3))
        guess[better], votes[better] = own[at[better]], many.max()
    return float((guess == home).sum())


def _by_neighbours(put: np.ndarray, listed: np.ndarray, home: np.ndarray) -> float:
    """Who knows that places were taken from neighbours takes the nearest other released one."""
    other = put[cKDTree(put).query(put, k=2)[1][:, 1]]
    return float((cKDTree(listed).query(other)[1] == home).sum())


def _zones(size: Callable[[np.random.Generator], np.ndarray]) -> Mask:
    steps: dict[tuple[int, ...], np.ndarray] = {}

    def moved(xy: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        zone = map(tuple, np.floor(xy / _ZONE).astype(int).tolist())
        return xy + [steps.setdefault(one, size(rng)) for one in zone]

    return moved


def _nearest(xy: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return xy[cKDTree(xy).query(xy, k=2)[1][:, 1]]


def _compass(step: np.ndarray) -> np.ndarray:
    turn = np.arctan2(step[:, 1], step[:, 0]) / (np.pi / 4)
    return (np.abs(turn - np.rint(turn)) < 1e-6) & (np.hypot(*step.T) <= 200.0)


def masks() -> dict[str, tuple[Mask, Attack]]:
    """How points move, and how likely a step is for who knows it."""
    return {
        "disc, 150 m": (
            lambda xy, rng: (
                xy + _turned(150 * np.sqrt(rng.random(len(xy))), rng.uniform(0, 2 * np.pi, len(xy)))
            ),
            _of_steps(lambda step: np.hypot(*step.T) <= 150.0),
        ),
        "square, 300 m wide": (
            lambda xy, rng: xy + rng.uniform(-150, 150, xy.shape),
            _of_steps(lambda step: (np.abs(step) <= 150).all(axis=1)),
        ),
        "along an axis, 150 m": (
            lambda xy, rng: xy + np.outer(rng.uniform(-150, 150, len(xy)), [1.0, 0.0]),
            _of_steps(lambda step: (np.abs(step) <= [150, 1e-6]).all(axis=1)),
        ),
        "Gaussian, 150 by 20 m": (
            lambda xy, rng: xy + rng.normal(0, 1, xy.shape) * [150.0, 20.0],
            _of_steps(lambda step: np.exp(-0.5 * np.square(step / [150, 20]).sum(axis=1))),
        ),
        "eight directions, 200 m": (
            lambda xy, rng: (
                xy
                + _turned(
                    200 * np.sqrt(rng.random(len(xy))), rng.integers(0, 8, len(xy)) * np.pi / 4
                )
            ),
            _of_steps(_compass),
        ),
        "whole metres, 150 m": (
            lambda xy, rng: xy + np.rint(rng.uniform(-150, 150, xy.shape)),
            _of_steps(
                lambda step: ((np.abs(step) <= 150.5) & (np.abs(step - np.rint(step)) < 1e-6)).all(
                    axis=1
                )
            ),
        ),
        "a step for each square of 300 m": (_zones(lambda rng: rng.normal(0, 150, 2)), _by_zone),
        "the nearest neighbour's place": (_nearest, _by_neighbours),
    }


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, usual in (("addresses", 4_000), ("records", 400), ("public", 500), ("seed", 4711)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--limit", type=float, default=0.05)
    parser.add_argument("--only", default="", help="part of the names of masks")
    options = parser.parse_args()
    from qgis.core import QgsApplication

    application = QgsApplication([], False)
    application.initQgis()
    sys.path += [str(Path(QgsApplication.pkgDataPath(), "python", "plugins")), str(timing.ROOT)]
    from processing.core.Processing import Processing

    from geoanon_qgis.processing.provider import GeoAnonProvider
    from tests.processing.helpers import layer, run

    Processing.initialize()
    provider = GeoAnonProvider()  # as long as it is named, Python leaves it alone
    if not application.processingRegistry().addProvider(provider):
        raise RuntimeError("the provider could not be added")
    for number, (told, (mask, attack)) in enumerate(masks().items()):
        if options.only not in told:
            continue
        rng = np.random.default_rng([options.seed, number])
        xy = np.unique(np.round(rng.uniform(0, _SIDE, (options.addresses, 2)), 1), axis=0) + _ORIGIN
        home = rng.choice(len(xy), options.records, replace=False)
        public = rng.choice(len(xy), options.public, replace=False)
        put, after = mask(xy[home], rng), mask(xy[public], rng)
        names = [(f"p{one}",) for one in range(max(len(home), len(public)))]

        def named(points: np.ndarray, field: str, names=names):
            return layer(points, fields=f"{field}:string", rows=names[: len(points)])

        with tempfile.TemporaryDirectory() as folder:
            key = Path(folder, "key.csv")
            rows = [
                f"p{n},{n},person,{x!r},{y!r},{_CRS}" for n, (x, y) in enumerate(xy[home].tolist())
            ]
            head = "masked_id,original_id,id_field,original_x,original_y,crs"
            key.write_text("\n".join([head, *rows]), encoding="utf-8")
            done = run(
                "attackmask",
                {
                    "INPUT": named(put, "masked_id"),
                    "CANDIDATES": layer(xy, name="addresses"),
                    "KEY": str(key),
                    "BEFORE": named(xy[public], "name"),
                    "BEFORE_ID": "name",
                    "AFTER": named(after, "name"),
                    "AFTER_ID": "name",
                    "ADVERSARY": "whose_place",
                    "ACCEPTABLE": options.limit,
                    "LIMIT_ON": "mean",
                    "OUTPUT": "TEMPORARY_OUTPUT",
                },
            )
        print(
            f"{told:34}{done['DECISION']:18} believed {len(home) * done['MEAN_TOP']:6.1f}, right "
            f"{done['IDENTIFIED']:6.1f}; by who knows the tool {attack(put, xy, home):6.1f} of {len(home)}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
