# SPDX-License-Identifier: GPL-2.0-or-later
"""Every mask, as its algorithm releases it, and both adversaries: is what they find what they believe?

    python benchmarks/mask_table.py [--kinds valley grid] [--draws 3]
        [--addresses 1500] [--records 200] [--first 0] [--only Voronoi]

Towns of :mod:`_mask_kinds`. Each mask runs with its algorithm, ``geoanon:attackmask`` with the key, and
it is printed for each adversary what he believes, what is right, and Wilson's interval of what he
believes, over all draws. ``MISS``: what is right lies outside of it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import _mask_kinds as mask_kinds
import _timing as timing
import numpy as np

from geoanon_qgis.core.attacks.scoring import wilson

_ORIGIN = [400_000, 300_000]
_ZONE, _STREETS = 600.0, 120.0
_KINDS = mask_kinds.KINDS + mask_kinds.MORE


def masks(xy: np.ndarray, listed, folder: Path) -> Iterator[tuple[str, str, dict, dict]]:
    """Name, algorithm, its parameters, and what its attack needs besides."""
    from tests.processing.helpers import layer

    (west, south), (east, north) = xy.min(axis=0) - 60, xy.max(axis=0) + 60
    corners = [(x, y) for x in np.arange(west, east, _ZONE) for y in np.arange(south, north, _ZONE)]
    squares = [
        f"POLYGON (({x} {y},{x + _ZONE} {y},{x + _ZONE} {y + _ZONE},{x} {y + _ZONE},{x} {y}))"
        for x, y in corners
    ]
    people = [
        (int(((xy >= one) & (xy < np.add(one, _ZONE))).all(axis=1).sum()),) for one in corners
    ]
    lines = [f"LINESTRING ({x} {south},{x} {north})" for x in np.arange(west, east, _STREETS)]
    lines += [f"LINESTRING ({west} {y},{east} {y})" for y in np.arange(south, north, _STREETS)]
    zones = layer(squares, kind="Polygon", fields="people:int", rows=people)
    streets = layer(lines, kind="LineString")
    counted = {"POPULATION": zones, "POPULATION_FIELD": "people"}
    for law in (
        {"LAW": "disc", "MAX": 75.0},
        {"LAW": "disc", "MAX": 75.0, "EVEN_BY": "radius"},
        {"LAW": "donut", "MIN": 40.0, "MAX": 80.0},
        {"LAW": "gaussian", "MAX": 50.0},
        {"LAW": "bimodal", "MAX": 50.0},
        {"LAW": "laplace", "EPSILON": 0.03},
    ):
        yield " ".join(map(str, law.values())), "maskdisplace", law, {}
    for name in ("disc", "donut", "gaussian", "bimodal", "laplace"):
        law = {"LAW": name, "K_MAX": 30, **({"K_MIN": 5} if name == "donut" else {})}
        by_list = {"SIZE_BY": "candidates", "CANDIDATES": listed}
        yield f"{name} by addresses", "maskdisplace", {**law, **by_list}, {}
    within = {"ZONES": zones}
    yield "disc 150 in zones", "maskdisplace", {"LAW": "disc", "MAX": 150.0, **within}, within
    sized = {"LAW": "gaussian", "SIZE_BY": "population", "K_MAX": 30, **counted}
    yield "gaussian by population", "maskdisplace", sized, counted
    ring = {"CANDIDATES": listed, "MIN": 30.0, "MAX": 150.0, "K": 15}
    yield "swap 30 to 150", "masklocationswap", ring, {}
    for method in ("exchange", "cells", "groups"):
        secret = {"SECRET_FILE": str(folder / f"{method}.json")}
        given = {"CANDIDATES": listed, "METHOD": method, "K": 8, "K_RECORDS": 5, **secret}
        yield f"{method} k = 8", "maskexchange", given, {}
        if method != "exchange":
            yield f"{method} k = 8, secret known", "maskexchange", given, secret
    public = {"POPULATION": listed}
    for method in ("grid", "hexagons"):
        for place in ("centre", "random"):
            given = {"METHOD": method, "SIDE": 250.0, "PLACE": place, "K": 12, **public}
            yield f"{method} 250 m {place}", "maskaggregate", given, public
    yield "zones", "maskaggregate", {"METHOD": "zones", **within}, within
    both = {**within, **counted}
    yield "merged, K = 100", "maskaggregate", {"METHOD": "merged", "K": 100, **both}, both
    yield "sites, K = 30", "maskaggregate", {"METHOD": "sites", "K": 30, **public}, public
    lies = {"STREETS": streets}
    yield "streets 5 to 12", "maskstreets", {"LOW": 5, "HIGH": 12, **lies}, lies
    for name, more in (("crossings", {**both, **lies}), ("no crossings", both)):
        yield f"adaptive Voronoi, {name}", "maskadaptivevoronoi", {"K": 100, **more}, more


def table(kind: str, draws: range, addresses: int, records: int, only: str) -> None:
    """Release, attack and print."""
    from tests.processing.helpers import layer, run
    from tests.processing.kept_masks import people

    sums: dict[str, np.ndarray] = {}
    for draw in draws:
        rng = np.random.default_rng([4242, draw, _KINDS.index(kind)])
        xy = np.round(mask_kinds.addresses(kind, addresses, rng) + _ORIGIN, 1)
        rows, listed = rng.choice(len(xy), records, replace=False), layer(xy, name="addresses")
        with tempfile.TemporaryDirectory() as name:
            every = [one for one in masks(xy, listed, Path(name)) if only in one[0]]
            for number, (told, algorithm, given, more) in enumerate(every):
                files = {
                    one: str(Path(name, f"{number}_{one}{end}"))
                    for one, end in (("OUTPUT", ".gpkg"), ("KEY", ".csv"), ("MASK", ".json"))
                }
                source = {"INPUT": people(xy, rows), "ID_FIELD": "person"}
                made = run(algorithm, {**source, **files, **given})
                attack = {"INPUT": made["OUTPUT"], "MASK": made["MASK"], "KEY": made["KEY"]}
                where = {"CANDIDATES": listed, "OUTPUT": "TEMPORARY_OUTPUT"}
                done, count = run("attackmask", {**attack, **where, **more}), made["COUNT"]
                found = [
                    [count * done[f"{who}MEAN_TOP"], done[f"{who}IDENTIFIED"], count]
                    for who in ("", "RECORDS_")
                ]
                sums[told] = sums.get(told, np.zeros((2, 3))) + found
    print(f"\n{kind}: per cent; who lives there, which record", flush=True)
    for told, both in sums.items():
        said = []
        for believed, right, count in both.tolist():
            low, high = wilson(believed, count)
            fits = low - 1e-12 <= right / count <= high + 1e-12
            ends = f"({100 * low:.1f} to {100 * high:.1f})"
            share = (
                f"believed {100 * believed / count:5.1f} {ends:15} right {100 * right / count:5.1f}"
            )
            said.append(f"{share}{'' if fits else ' MISS'}")
        print(f"  {told:30}{both[0, 2]:6.0f}  {said[0]:52}{said[1]}", flush=True)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinds", nargs="+", choices=_KINDS, default=mask_kinds.KINDS)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--addresses", type=int, default=1_500)
    parser.add_argument("--records", type=int, default=200)
    parser.add_argument("--only", default="", help="part of the names of masks")
    options = parser.parse_args()
    from qgis.core import QgsApplication

    application = QgsApplication([], False)
    application.initQgis()
    sys.path += [str(Path(QgsApplication.pkgDataPath(), "python", "plugins")), str(timing.ROOT)]
    from processing.core.Processing import Processing

    from geoanon_qgis.processing.provider import GeoAnonProvider

    Processing.initialize()
    provider = GeoAnonProvider()  # as long as it is named, Python leaves it alone
    if not application.processingRegistry().addProvider(provider):
        raise RuntimeError("the provider could not be added")
    draws = range(options.first, options.first + options.draws)
    for kind in options.kinds:
        table(kind, draws, options.addresses, options.records, options.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
