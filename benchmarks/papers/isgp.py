# SPDX-License-Identifier: GPL-2.0-or-later
"""Schnell, Klingwort & Farrow (2021), ISGP: its accuracy, and what an adversary makes of it.

    python benchmarks/papers/isgp.py [--draws 5] [--only accuracy|near|dense|maps|null|borders]

The paper tries 850 hospitals and 13,000 residential locations, which are not at hand, and says that
99 % accuracy is reached with well-chosen parameters. Here its accuracy is tried on Dutch dwellings and
on German-like addresses. It publishes no attack; those here are ours: the near group and maps of
neighbourhoods (``METHOD=near_group`` and ``local_maps`` of the linkage attack, rule ``isgp``). People,
grid and attack are drawn anew in every draw.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import _germans
import _near_files as near_files
import _one_thread  # noqa: F401
import numpy as np
from scipy.stats import beta

from geoanon_qgis.core.attacks.by_name import Search, attack_by
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.shared_labels import IntersectingSets
from geoanon_qgis.core.attacks.maps.local_maps import local_maps
from geoanon_qgis.core.distances.isgp import label_sets, shared_pairs
from geoanon_qgis.core.distances.isgp_accuracy import near_accuracy
from geoanon_qgis.core.distances.isgp_grid import SecretGrid
from geoanon_qgis.core.distances.isgp_matrix import censored_matrix
from geoanon_qgis.core.distances.neighbourhoods import neighbourhoods
from geoanon_qgis.core.distances.scaling import procrustes
from geoanon_qgis.core.space.planes import working_plane

FRESH = 9_000
ATTACKS = ("near_group", "local_maps")
#: Radii in metres that are tried on each kind of data.
RADII = {"germans": (10_000.0, 30_000.0, 100_000.0), "dwellings": (300.0, 1_000.0, 3_000.0)}


def plane_of(kind: str, xy: np.ndarray):
    """Return the plane in which a release of these places is made."""
    return working_plane(xy, _germans.WGS84 if kind in ("germans", "uniform") else None)


def release(kind: str, secret: np.ndarray, radius: float, rng, per: float = 10.0):
    """Rule, pairs that share a label, places in the plane, and the plane."""
    plane = plane_of(kind, secret)
    length = plane.metres_per_unit
    rule = IntersectingSets(radius / length, radius / per / length, plane)
    grid = SecretGrid.draw(rule.radius, rule.spacing, rng)
    xy = plane.forward(secret)
    return rule, shared_pairs(label_sets(xy, grid), rule.radius), xy, plane


def accuracy(draws: int) -> None:
    """Accuracy by grid points to a radius."""
    print("\nAccuracy of pairs that share a label (paper: 99 %); 1,000 records, all draws\n")
    print(
        f"{'data':11}{'radius m':>9}{'per radius':>11}{'labels':>8}{'pairs':>9}{'explained':>11}"
        f"{'error / radius':>15}{'largest':>9}{'nearest':>9}"
    )
    for kind, radii in RADII.items():
        if not near_files.available(kind):
            continue
        for radius in radii[1:]:
            for per in (2.0, 3.0, 5.0, 10.0, 20.0):
                found = []
                for k in range(draws):
                    rng = np.random.default_rng(FRESH + k)
                    places = near_files.region(kind).addresses(1000, rng)
                    _, pairs, xy, plane = release(kind, places, radius, rng, per)
                    found.append(near_accuracy(pairs, xy, plane))
                rows = [
                    (
                        one.pairs,
                        one.explained,
                        one.error / radius,
                        one.largest / radius,
                        one.nearest_kept,
                    )
                    for one in found
                ]
                mean = np.mean(rows, axis=0)
                print(
                    f"{kind:11}{radius:9,.0f}{per:11.0f}{np.pi * per**2:8.0f}{mean[0]:9,.0f}"
                    f"{mean[1]:11.5f}{mean[2]:15.4f}{mean[3]:9.3f}{mean[4]:9.3f}",
                    flush=True,
                )


def one_attack(name, kind, radius, seed, *, dealt=False, links=0, per=10.0, **files):
    """Right, claimed, expected, in both, CPU of one attack on a fresh release."""
    data = near_files.draw(kind, seed, **files)
    rng = np.random.default_rng(seed + 1)
    rule, pairs, _, plane = release(kind, data.secret, radius, rng, per)
    known = data.known
    if dealt:
        known = [known[at] for at in rng.permutation(len(known))]
    matrix = censored_matrix(pairs, plane.metres_per_unit)
    given = Files(data.target, matrix, known, data.points, data.region.metric, rule, 1.0)
    common = np.flatnonzero(data.truth >= 0)
    start = time.process_time()
    if links:
        seeds = [(int(at), int(data.truth[at])) for at in rng.choice(common, links, replace=False)]
        found = local_maps(replace(given, known_links=seeds), rng=rng)
    else:
        found = attack_by(name, given, Search(), rng)
    cpu = time.process_time() - start
    right = data.right(found.matches)
    return int(right.sum()), len(right), float(found.support.sum()), len(common), cpu


def counts(right: int, claimed: int) -> str:
    """Right and claimed, with the Clopper-Pearson interval of precision."""
    if not claimed:
        return "0 / 0"
    low = beta.ppf(0.025, right, claimed - right + 1) if right else 0.0
    high = beta.ppf(0.975, right + 1, claimed - right) if right < claimed else 1.0
    return f"{right} / {claimed} ({right / claimed:.2f}; {low:.2f} to {high:.2f})"


def table(title: str, cells, draws: int) -> None:
    """Right and claimed in all draws, by cell."""
    print(f"\n{title}: right / claimed in {draws} draws (precision; 95 % interval)\n")
    print(
        f"{'what':34}{'attack':12}{'radius m':>9}  {'found':34}{'expected':>9}{'in both':>8}{'CPU s':>7}"
    )
    for what, name, kind, radius, more in cells:
        if not near_files.available(kind):
            continue
        runs = np.array(
            [one_attack(name, kind, radius, FRESH + 100 + k, **more) for k in range(draws)]
        )
        total = runs.sum(axis=0)
        print(
            f"{what:34}{name:12}{radius:9,.0f}  {counts(int(total[0]), int(total[1])):34}"
            f"{total[2]:9.1f}{total[3]:8.0f}{np.median(runs[:, 4]):7.2f}",
            flush=True,
        )


def maps(draws: int) -> None:
    """How near the maps come to the truth, whoever is known."""
    print("\nMaps of neighbourhoods from shared labels, 500 records: mean of all draws\n")
    print(
        f"{'data':11}{'radius m':>9}{'in maps':>9}{'largest':>9}{'off, in radii (median map)':>28}"
    )
    for kind, radii in RADII.items():
        if not near_files.available(kind):
            continue
        for radius in radii:
            mapped, largest, off = [], [], []
            for k in range(draws):
                rng = np.random.default_rng(FRESH + 500 + k)
                places = near_files.region(kind).addresses(500, rng)
                _, pairs, xy, _ = release(kind, places, radius, rng)
                drawn = neighbourhoods(pairs)
                mapped.append(sum(len(one.records) for one in drawn))
                largest.append(max((len(one.records) for one in drawn), default=0))
                off += [procrustes(one.xy, xy[one.records])[1] / pairs.radius for one in drawn]
            print(
                f"{kind:11}{radius:9,.0f}{np.mean(mapped):9.0f}{np.mean(largest):9.0f}"
                f"{np.median(off) if off else np.nan:28.3f}",
                flush=True,
            )


def borders(draws: int) -> None:
    """What a grid that ends at the border of the data would tell, beside ours, which has no end."""
    print("\nSets cut off at a border: 1,000 places, radius 1 km (dwellings) or 30 km (Germans)\n")
    for kind in RADII:
        if not near_files.available(kind):
            continue
        radius = RADII[kind][1]
        rows = []
        for k in range(draws):
            rng = np.random.default_rng(FRESH + 800 + k)
            places = near_files.region(kind).addresses(1000, rng)
            plane = plane_of(kind, places)
            xy = plane.forward(places)
            radius_in = radius / plane.metres_per_unit
            grid = SecretGrid.draw(radius_in, radius_in / 10, rng)
            sets = label_sets(xy, grid)
            area = near_files.region(kind).area
            low, high = xy.min(axis=0), xy.max(axis=0)
            where = grid.places(sets.cells)
            inside = ((where >= low) & (where <= high)).all(axis=1)
            if kind == "germans":
                inside = area.contains(plane.inverse(where))
            of = np.repeat(np.arange(len(sets)), sets.sizes)
            left = np.bincount(of, inside[sets.member], minlength=len(sets)) / sets.sizes
            cut = left < 0.95
            rows.append((cut.mean(), np.std(sets.sizes / sets.sizes.mean())))
        share, usual = np.mean(rows, axis=0)
        print(
            f"{kind:11}a grid that ends there cuts {share:.0%} of the sets by 5 % and more, which"
            f" leaves as many of the places; without an end sizes vary by {usual:.2%}"
        )


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument(
        "--only", choices=("accuracy", "near", "dense", "maps", "null", "borders"), default=None
    )
    parser.add_argument("--attacks", nargs="+", choices=ATTACKS, default=ATTACKS)
    options = parser.parse_args()
    wanted = (
        [options.only] if options.only else ["accuracy", "near", "dense", "maps", "null", "borders"]
    )
    if "accuracy" in wanted:
        accuracy(options.draws)
    if "near" in wanted:
        cells = [
            ("sex and age", name, kind, radius, {})
            for kind, radii in RADII.items()
            for radius in radii
            for name in options.attacks
        ]
        table("500 released, 500 known, 50 in both", cells, options.draws)
    if "dense" in wanted:
        all_known = {"count": (300, 300, 300), "labels": "none"}
        coarse = {"per": 3.0}
        cells = [
            (what, name, kind, RADII[kind][at], more)
            for kind, at in (("germans", 2), ("dwellings", 1))
            for what, more in (
                ("300, all known, no attributes", all_known),
                ("500 + 500, 50, 3 points a radius", coarse),
            )
            for name in options.attacks
        ]
        cells += [
            ("three known links", "local_maps", kind, RADII[kind][at], {"links": 3})
            for kind, at in (("germans", 2), ("dwellings", 1))
        ]
        table("Other files", cells, options.draws)
    if "maps" in wanted:
        maps(options.draws)
    if "null" in wanted:
        cells = [
            ("labels that nobody has", name, kind, RADII[kind][at], {"dealt": True})
            for kind, at in (("germans", 2), ("dwellings", 1))
            for name in options.attacks
        ]
        table("Null", cells, 4 * options.draws)
    if "borders" in wanted:
        borders(options.draws)


if __name__ == "__main__":
    main()
