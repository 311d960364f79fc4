# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas of vbas against SKATER, AZP, max-p, Ward, k-means and a gatpkg-like merge, at K = 5.

    python benchmarks/regionalisation.py [--only NAME …] [--large] [--canada] [--moves N]

All make as many areas of the same regions, and records of the same people are suppressed. Regions are
the examples that libpysal carries with it, with made-up residents (ages, sexes and marital statuses
by the published shares of a Canadian province), and Canada's dissemination areas where they are
at hand. What is not installed is said and left out. --large adds the East (4,463 areas), --canada
times all of Canada (31 million records) with borders of provinces, a floor, and areas in one piece.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import resource
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import _timing as timing  # isort: skip  (puts the checkout on the path)

import _canada
import numpy as np
from _peers_of_areas import PEERS, Absent

from geoanon_qgis.core.aggregation import synthetic
from geoanon_qgis.core.aggregation.boundary import centred
from geoanon_qgis.core.aggregation.demands import Demands
from geoanon_qgis.core.aggregation.equivalence_classes import ClassCounter, EquivalenceClasses
from geoanon_qgis.core.aggregation.evaluation import Measures, describe_areas, measure
from geoanon_qgis.core.aggregation.neighbours import (
    Neighbours,
    neighbours_of_points,
    neighbours_of_polygons,
)
from geoanon_qgis.core.aggregation.vbas import vbas

K = 5
NAMES = ("age", "sex", "mar")
#: libpysal's examples: file, areas to make, field with people (None: drawn), their share as records.
EXAMPLES = {
    "Albuquerque": ("10740/10740.shp", 20, None, 1.0),
    "Tokyo": ("tokyo/tokyomet262.shp", 30, None, 1.0),
    "Georgia": ("georgia/G_utm.shp", 25, "TotPop90", 0.02),
    "North Carolina": ("sids2/sids2.shp", 16, "BIR74", 0.25),
    "Virginia": ("virginia/vautm17n.shp", 20, None, 1.0),
    "Chicago": ("chicago/Chicago77.shp", 12, None, 1.0),
}
OURS = {
    "balanced density": ("balanced_density", {}),
    "least suppression": ("least_suppression", {}),
    "k-means": ("kmeans", {}),
    "Ward": ("ward", {}),
    "k-aware merge": ("k_aware", {}),
    "best: suppression": ("best", {"objective": "suppression"}),
    "best: suppression, entropy + 20 %": ("best", {"objective": "suppression", "tolerance": 0.2}),
    "best: compactness": ("best", {"objective": "compactness"}),
    "best: weighted": ("best", {"objective": "weighted"}),
}


@dataclass(frozen=True)
class Map:
    """Regions with people, and how many areas are to be made."""

    name: str
    xy: np.ndarray
    near: Neighbours
    classes: EquivalenceClasses
    areas: int


def people_of(residents: np.ndarray, seed: int = 1) -> EquivalenceClasses:
    """Made-up residents of regions, by the shares of Prince Edward Island."""
    shares = json.loads(_canada._SHARES.read_text(encoding="utf-8"))["province"]
    recipe = synthetic.recipe({"PE": shares["PE"]}, NAMES)
    group = np.zeros(len(residents), dtype=np.int64)
    counter = ClassCounter(len(residents), len(NAMES))
    rng = np.random.default_rng(seed)
    for chunk in synthetic.synthetic_records(recipe, group, residents.astype(np.int64), rng):
        counter.add(chunk.region, chunk.codes)
    return counter.finish(recipe.categories)


def examples(only: list[str]) -> list[Map]:
    """The maps that libpysal carries with it."""
    wanted = {name: one for name, one in EXAMPLES.items() if not only or name in only}
    if not wanted:
        return []
    try:
        import geopandas
        import libpysal.examples
    except ImportError as error:
        print(f"Skipped: {', '.join(wanted)} ({error.name} is not installed).")
        return []
    maps = []
    for name, (file, areas, field, share) in wanted.items():
        table = geopandas.read_file(Path(libpysal.examples.__file__).parent / file)
        shapes = np.array(list(table.geometry.make_valid()), dtype=object)
        inside = [shape.representative_point() for shape in shapes]
        xy = np.array([(one.x, one.y) for one in inside])
        if np.abs(xy).max() < 360:  # degrees: nearly metres
            scale = 111_320.0 * np.array([np.cos(np.radians(xy[:, 1].mean())), 1.0])
            xy = xy * scale
        rng = np.random.default_rng(7)
        residents = rng.integers(150, 1_200, len(xy))
        if field is not None:
            residents = np.rint(share * table[field].to_numpy(float)).astype(np.int64)
        near = neighbours_of_polygons(list(shapes))
        near = near.bridged(xy, np.zeros(len(xy), dtype=np.int64))
        maps.append(Map(name, xy, near, people_of(residents), areas))
    return maps


def dissemination(only: list[str], large: bool) -> list[Map]:
    """Dissemination areas of Canada."""
    wanted = {"Prince Edward Island, 45": 45, "Prince Edward Island, 15": 15}
    wanted |= {"East": 679} if large else {}
    wanted = {name: areas for name, areas in wanted.items() if not only or name in only}
    if not wanted:
        return []
    data = _canada.load(["east"], NAMES)
    with gzip.open(_canada._AREAS, "rt", encoding="utf-8") as file:
        names = {int(row["uid"]): row["prov"] for row in csv.DictReader(file)}
    island = np.array([names[uid].startswith("Prince") for uid in data.uid.tolist()])
    maps = []
    for name, areas in wanted.items():
        some = data
        if name != "East":
            some = replace(
                data,
                **{
                    field: getattr(data, field)[island]
                    for field in ("uid", "xy", "group", "residents")
                },
            )
        near = neighbours_of_points(some.xy)
        maps.append(Map(name, some.xy, near, some.classes(), areas))
    return maps


def measured(one: Map, area: np.ndarray) -> Measures:
    """The measures of areas that have no sites: these are put where they are best."""
    area = np.unique(area, return_inverse=True)[1].reshape(-1)
    count = int(area.max()) + 1
    middle = np.array([np.median(one.xy[area == own], axis=0) for own in range(count)])
    sites = centred(one.xy, middle, area)
    found = describe_areas(one.classes, area, count, K)
    return measure(one.classes, one.xy, sites, area, found)


def rows_of(one: Map, moves: int | None, seed: int) -> dict[str, tuple[Measures, float]]:
    """Measures and CPU seconds of every method."""
    found = {}
    for name, (location, options) in OURS.items():
        start = time.process_time()
        if moves is not None and location == "best":
            options = {**options, "moves": moves}
        made = vbas(
            one.classes,
            one.xy,
            K,
            np.random.default_rng(seed),
            "fixed",
            sites=one.areas,
            location=location,
            options=options,
            demands=Demands(near=one.near),
        )
        found[name] = made.measures, time.process_time() - start
        if location == "balanced_density" and made.measures.areas < one.areas:
            print(f"{one.name}: balanced density makes {made.measures.areas} areas only.")
    people = one.classes.population.astype(float)
    for name, peer in PEERS.items():
        start = time.process_time()
        try:
            area = peer(one.xy, people, one.near, one.areas, seed)
        except Absent as error:
            print(f"{one.name}: {name} skipped, {error}.")
            continue
        found[name] = measured(one, area), time.process_time() - start
    return found


def told(one: Map, found: dict[str, tuple[Measures, float]]) -> list[timing.Line]:
    """Print a table, and hold the aims against it."""
    base = found["balanced density"][0]
    print(
        f"\n{one.name}: {len(one.xy):,} regions, {one.classes.records:,} records, {one.areas} areas"
    )
    head = ("areas", "suppressed", "compactness", "per person km", "entropy loss", "CPU s")
    print(f"{'':36}" + "".join(f"{word:>15}" for word in head))
    for name, (got, seconds) in found.items():
        print(
            f"{name:36}{got.areas:15,}{got.suppressed:15,}"
            f"{got.compactness / base.compactness:15.3f}{got.distance_per_person / 1000:15.2f}"
            f"{got.entropy_loss / base.entropy_loss:15.3f}{seconds:15.1f}"
        )
    peers = [got for name, (got, _) in found.items() if name in PEERS and got.areas >= one.areas]
    least = min([base.suppressed, *(got.suppressed for got in peers)])
    lines = []
    for name in ("best: suppression", "best: suppression, entropy + 20 %"):
        got = found[name][0]
        lines += [
            timing.at_most(
                f"{one.name}: {name}, records against the best peer",
                0.75,
                got.suppressed / max(1, least),
                "x",
            ),
            timing.at_most(
                f"{one.name}: {name}, compactness against balanced density",
                1.0,
                got.compactness / base.compactness,
                "x",
            ),
        ]
    got = found["best: compactness"][0]
    ward = found.get("Ward (scikit-learn)", found["Ward"])[0]
    lines += [
        timing.at_most(
            f"{one.name}: best: compactness against Ward",
            1.0,
            got.compactness / ward.compactness,
            "x",
        ),
        timing.at_most(
            f"{one.name}: best: compactness, records against balanced density",
            1.0,
            got.suppressed / max(1, base.suppressed),
            "x",
        ),
    ]
    return lines


def canada() -> list[timing.Line]:
    """All of Canada, with NEVER_CROSS by province, a floor, one piece; CPU seconds of one process."""
    here = str(Path(__file__).parent)
    setup = f"sys.path.insert(0, {here!r}); import vbas, _canada"
    work = (
        "data = _canada.load(['west', 'central', 'east'], vbas.NAMES); classes = data.classes();"
        " vbas.aggregate_within(classes, data)"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    peak = timing.peak_memory(setup, work)
    taken = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return [
        timing.at_most("Canada: records made, counted, aggregated (CPU)", 20.0, taken, "s"),
        timing.at_most("Canada: peak memory", 1.6, peak / 1e9, "GB"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--canada", action="store_true")
    parser.add_argument("--moves", type=int)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if not _canada.available():
        return 0
    lines = []
    for one in [*examples(chosen.only), *dissemination(chosen.only, chosen.large)]:
        lines += told(one, rows_of(one, chosen.moves, chosen.seed))
    if chosen.canada:
        lines += canada()
    return timing.table("Regionalisation, K = 5", lines)


if __name__ == "__main__":
    sys.exit(main())
