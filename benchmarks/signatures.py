# SPDX-License-Identifier: GPL-2.0-or-later
"""The signature attack: who is found by distances alone, and how true its confidence is.

    python benchmarks/signatures.py [--draws 5] [--first 0] [--given] [begin of a line's name ..]

Draws people, release and attack anew each time. ``germans`` are ``_germans.py``; ``dwellings`` a
Dutch town and ``canada`` dissemination areas of Ontario, where these data are at hand. The attack
was tuned on Germans with other seeds; the rest was kept aside. ``both``: released and known files
are equally large and each has people that the other lacks. ``part``: all known people are
released, with others. Without ``--given`` the attack does not know how many are in common.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import time

import _germans
import _one_thread  # noqa: F401  CPU time is that of one core
import _timing as timing
import numpy as np

from geoanon_qgis.core.attacks.linkage.compatibility import (
    CoordinateNoise,
    DistanceNoise,
    LipschitzEmbedding,
)
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.signatures import signature_attack
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

DWELLINGS = timing.SHARED / "dwellings_nl.csv.gz"
CANADA = timing.SHARED / "canada_dissemination_areas_2011.csv.gz"
#: Matches from which the share that is right is compared with the confidence, as promised.
ENOUGH = 50


class People:
    """Draws people of one kind."""

    def __init__(self, kind: str):
        self._places = None
        if kind == "germans":
            self.area, wkt = _germans.area(), _germans.WGS84
            self.metric = metric_for("great_circle", wkt)
            return
        if kind == "dwellings":
            wkt = "EPSG:28992"
            xy = np.loadtxt(DWELLINGS, delimiter=",", skiprows=1, usecols=(0, 1))
        else:
            wkt = "EPSG:3347"
            with gzip.open(CANADA, "rt", encoding="utf-8") as file:
                rows = [row for row in csv.DictReader(file) if row["prov"] == "Ontario"]
            xy = np.array([(float(row["lamx"]), float(row["lamy"])) for row in rows])
        self._places = np.unique(xy, axis=0)
        self.area = StudyArea.convex_hull(self._places, wkt)
        self.metric = metric_for("planar", wkt)

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        if self._places is None:
            return _germans.addresses(count, rng)
        return self._places[rng.choice(len(self._places), count, replace=False)]


def available(kind: str) -> bool:
    """Whether its data are there."""
    file = {"canada": CANADA, "dwellings": DWELLINGS}.get(kind)
    if file is None or file.exists():
        return True
    print(f"Skipped: {file.name} is not there (beside the checkout).")
    return False


def files(people: People, count: int, common: int, both: bool, rng: np.random.Generator):
    """Places of everybody, rows of the records, number of the known (the first ones)."""
    places = people.draw(2 * count - common if both else count, rng)
    records = np.arange(count)
    if both:
        records = np.concatenate([records[:common], np.arange(count, len(places))])
    return places, rng.permutation(records), count if both else common


def one_draw(people: People, line, seed: int, given: bool):
    """Attack one draw: (right, confidence) of every guess, people in common, result, CPU."""
    _, kind, count, rule, share, both, labels = line
    rng = np.random.default_rng([seed, 20_16])
    common = round(share * count)
    places, records, known = files(people, count, common, both, rng)
    truth = np.where(records < known, records, -1)
    rule = rule(people.area)
    square = OwnReleases(rule, places, people.metric).square(places[records], rng)
    released = DistanceMatrix.numbered(square[np.triu_indices(count, 1)], people.metric.unit)
    of_all = _germans.people(len(places), rng) if labels else [()] * len(places)
    of_records = [of_all[row] for row in records]
    given_files = Files(of_records, released, of_all[:known], places[:known], people.metric, rule)
    start = time.process_time()
    found = signature_attack(given_files, common=common if given else None, rng=rng)
    right = truth[found.guesses[:, 0]] == found.guesses[:, 1]
    return right, found.chance, int((truth >= 0).sum()), found, time.process_time() - start


def embedding(sets: int, size: int):
    return lambda area: LipschitzEmbedding(sets, size, area, 0.5)


def lines() -> list[tuple]:
    """Name, kind, records, rule, share in common, both with strangers, labels."""
    wide, few = embedding(20, 30), embedding(10, 30)
    found: list[tuple] = []
    for kind in ("germans", "canada", "dwellings"):
        found.append((f"{kind} 300 all 20x30", kind, 300, wide, 1.0, True, False))
    for share in (0.9, 0.75, 0.5, 0.25):
        found.append(
            (f"germans 300 both {share:.0%} 20x30", "germans", 300, wide, share, True, False)
        )
    found.append(("germans 300 part 50% 20x30", "germans", 300, wide, 0.5, False, False))
    for kind in ("canada", "dwellings"):
        found.append((f"{kind} 300 both 75% 20x30", kind, 300, wide, 0.75, True, False))
        found.append((f"{kind} 300 both 50% 20x30", kind, 300, wide, 0.5, True, False))
    found.append(("germans 500 all 10x30", "germans", 500, few, 1.0, True, False))
    found.append(("germans 500 all 10x30 labels", "germans", 500, few, 1.0, True, True))
    found.append(("germans 500 both 10% 20x30 labels", "germans", 500, wide, 0.1, True, True))
    found.append(
        (
            "germans 300 all noise on places 2 km",
            "germans",
            300,
            lambda area: CoordinateNoise(2000.0, False, 0.5, area, _germans.WGS84),
            1.0,
            True,
            False,
        )
    )
    found.append(
        (
            "germans 300 both 50% noise on distances 20 km",
            "germans",
            300,
            lambda area: DistanceNoise("gaussian", 20_000.0, 0.5),
            0.5,
            True,
            False,
        )
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="number of the first draw")
    parser.add_argument("--given", action="store_true", help="the number in common is known")
    parser.add_argument("wanted", nargs="*", help="begins of lines' names")
    options = parser.parse_args()
    kinds: dict[str, People] = {}
    pooled: list[tuple[np.ndarray, np.ndarray]] = []
    print(
        f"{'files':46}{'draw':>5}{'common':>7}{'said':>12}{'right':>7}{'of surest 100':>14}"
        f"{'claimed':>8}{'right':>7}{'expected':>9}{'CPU s':>7}"
    )
    for line in lines():
        name, kind = line[:2]
        if not any(name.startswith(one) for one in options.wanted or [""]):
            continue
        if kind not in kinds:
            if not available(kind):
                continue
            kinds[kind] = People(kind)
        for seed in range(options.first, options.first + options.draws):
            right, chance, common, found, cpu = one_draw(kinds[kind], line, seed, options.given)
            pooled.append((right, chance))
            surest = np.argsort(-chance, kind="stable")[:100]
            claimed = chance >= 0.5
            said = f"{found.common[0]:.0f} +- {found.common[1]:.0f}"
            print(
                f"{name:46}{seed:5}{common:7}{said:>12}{right.sum():7}{right[surest].sum():14}"
                f"{claimed.sum():8}{right[claimed].sum():7}{chance[claimed].sum():9.1f}{cpu:7.1f}",
                flush=True,
            )
    if pooled:
        calibration(*map(np.concatenate, zip(*pooled)))


def calibration(right: np.ndarray, chance: np.ndarray) -> None:
    """Print predicted against right by tenth of the confidence."""
    print(f"\n{'confidence':>12}{'matches':>9}{'predicted':>11}{'right':>8}{'off':>8}")
    tenth = np.minimum((10 * chance).astype(int), 9)
    for number in range(10):
        some = tenth == number
        if not some.any():
            continue
        said, was = chance[some].mean(), right[some].mean()
        verdict = "" if some.sum() < ENOUGH or abs(said - was) <= 0.05 else "  NO"
        print(
            f"{f'{number / 10:.1f} to {number / 10 + 0.1:.1f}':>12}{some.sum():9}{said:11.3f}"
            f"{was:8.3f}{was - said:+8.3f}{verdict}"
        )


if __name__ == "__main__":
    main()
