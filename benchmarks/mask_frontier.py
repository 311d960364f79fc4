# SPDX-License-Identifier: GPL-2.0-or-later
"""All masks against both adversaries: what each costs at each risk, and how much it moves at one risk.

    python benchmarks/mask_frontier.py [--data dwellings|soho] [--records 1000] [--draws 3]
        [--chart docs/images/mask_frontier.svg] [--least]

The file has a cluster: people within a circle are four times as likely to be in it. Each mask is
tried with several strengths, on the same files. Adversary A asks who lives there, adversary B which
record is hers; both know the mask and its numbers (A behind *groups* by the bound that is proved in
``record_groups.py``, B behind cells and groups is told them). Utility is the mean shift, and how much
of the cluster a scan finds again: population in the cluster that was planted and the one that is
found, both as a share of either (Jaccard). A scan counts points at the nearest address: those at the
centres of cells come to lie at one. Behind laws that reach a thousand addresses sums over all of them
are taken over cells of the list. With ``--least`` the least strength is looked for with which no
more than 1 % of the records have an address above 5 %. Everything is the mean over draws; of the
cluster the least and the largest are told, too.
"""

from __future__ import annotations

import argparse
import sqlite3
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import _dwellings as dwellings
import _timing as timing
import numpy as np

from geoanon_qgis.core.attacks.masks.displaced import Displaced
from geoanon_qgis.core.attacks.masks.likelihood import by_areas, by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.swapping import ClassOfAddress, by_rings
from geoanon_qgis.core.experiments.masks.case import PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.laws import is_wide
from geoanon_qgis.core.experiments.masks.smoothed import smoothly_believed
from geoanon_qgis.core.masking.address_cells import address_cells, mask_in_cells
from geoanon_qgis.core.masking.aggregation import aggregate
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.lattice import SQUARES, Lattice
from geoanon_qgis.core.masking.law import Law
from geoanon_qgis.core.masking.laws import Donut, Gaussian, Laplace, disc
from geoanon_qgis.core.masking.location_swap import swap_locations
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.public_areas import CellAreas, Population
from geoanon_qgis.core.masking.record_groups import mask_in_groups
from geoanon_qgis.core.masking.sizes import Neighbours, law_of_radii
from geoanon_qgis.core.masking.swap_rings import Candidates, RingRule
from geoanon_qgis.core.measures.scan import scan
from geoanon_qgis.core.measures.scan_circles import at_risk, circles

K, K_RECORDS, ABOVE, SHARE = 20, 5, 0.05, 0.01
#: Part of all addresses in the cluster, and its relative risk.
_CLUSTER, _RISK = 0.02, 4.0


@dataclass(frozen=True)
class Outcome:
    """One file behind one mask: all shares of the records that are released."""

    points: np.ndarray
    shift: np.ndarray
    top_a: np.ndarray
    top_b: np.ndarray
    withheld: float = 0.0


@dataclass(frozen=True)
class Family:
    """A mask with one number that makes it stronger."""

    name: str
    unit: str
    strengths: tuple[float, ...]
    mask: Callable[[float, np.ndarray, int], Outcome]
    whole: bool = False


class Town:
    """Addresses, what is made of them once, and files of them."""

    def __init__(self, xy: np.ndarray, records: int) -> None:
        self.xy, self.records = xy, records
        self.neighbours = Neighbours(xy)
        self.cells = address_cells(xy, K)
        self.candidates = Candidates.of(xy)
        everybody = ClassOfAddress(np.arange(len(xy)), np.ones(len(xy)))
        self.everywhere = {None: everybody}
        self.sites = at_risk(xy)
        self.circles = circles(self.sites, 0.1)
        self.graph = cache(lambda k: partner_graph(xy, int(k)))

    def file(self, draw: int) -> tuple[np.ndarray, np.ndarray]:
        """Return rows of the addresses with records, and which addresses lie in the cluster."""
        rng = np.random.default_rng(5_000 + draw)
        # Where many live, as an outbreak would.
        middle = self.xy[rng.integers(len(self.xy))]
        away = np.hypot(*(self.xy - middle).T)
        inside = away <= np.quantile(away, _CLUSTER)
        chance = np.where(inside, _RISK, 1.0)
        return rng.choice(len(self.xy), self.records, False, chance / chance.sum()), inside

    def found_again(self, points: np.ndarray, inside: np.ndarray) -> float:
        """Jaccard index of the planted cluster and the one that a scan finds."""
        found = scan(self.circles, self.sites.count(points), most=1)
        if not found.clusters:
            return 0.0
        # Addresses are distinct and in order, as places of the population are.
        cluster = np.isin(self.sites.site, found.clusters[0].sites)
        return float((cluster & inside).sum() / (cluster | inside).sum())

    # --- masks ------------------------------------------------------------------------------

    def by_law(self, law: Law, rows: np.ndarray, draw: int) -> Outcome:
        """Displace, and weigh every address by the law's density."""
        own = law if law.count is None else law.of(rows)
        moved = displace(self.xy[rows], own, secret(draw), "frontier")
        reached = Displaced(moved.xy, self.xy, law).expected() / len(rows)
        case = Case(self.xy[rows], rows, self.xy)
        if is_wide(case, reached, True):
            # By cells of addresses, as the choice of a mask does it: within 3 % of all pairs.
            tops = smoothly_believed(case, moved.xy, law, np.arange(len(rows)))
            return Outcome(moved.xy, moved.shift, tops[PLACE], tops[RECORD])
        return self._attacked(by_law(moved.xy, self.xy, law), rows, moved.xy, moved.shift)

    def by_swap(self, reach: float, rows: np.ndarray, draw: int) -> Outcome:
        """Swap with an address within reach, of which there are at least 50."""
        rule = RingRule(0.0, reach, 50)
        moved = swap_locations(self.xy[rows], self.candidates, rule, secret(draw), "frontier")
        here = np.flatnonzero(~moved.withheld)
        likely = by_rings(moved.row[here], self.xy, self.candidates, rule, self.everywhere)
        kept = moved.withheld.mean()
        return self._attacked(likely, rows[here], moved.xy[here], moved.shift[here], kept)

    def by_squares(self, side: float, rows: np.ndarray, draw: int) -> Outcome:
        """Put records at the centres of squares with K addresses."""
        lattice = Lattice(SQUARES, side)
        areas = CellAreas.of(lattice, self.xy, Population.at_points(self.xy))
        placed = aggregate(self.xy[rows], areas, K)
        here = ~placed.withheld
        likely = by_areas(placed.area[here], areas.locate(self.xy))
        kept = placed.withheld.mean()
        return self._attacked(likely, rows[here], placed.xy[here], placed.shift[here], kept)

    def by_exchange(self, k: float, rows: np.ndarray, draw: int) -> Outcome:
        """Exchange among k."""
        graph = self.graph(int(k))
        here = rows[~graph.withheld[rows]]
        to = graph.partner_of(here, np.random.default_rng(100 + draw).random(len(here)))
        likely = by_lists(to, graph.partners, len(self.xy), 1.0 / int(k))
        shift = np.hypot(*(self.xy[to] - self.xy[here]).T)
        return self._attacked(likely, here, self.xy[to], shift, 1 - len(here) / len(rows))

    def by_cells(self, k_records: float, rows: np.ndarray, draw: int) -> Outcome:
        """Cells of K addresses, joined until each holds so many records."""
        rng = np.random.default_rng(200 + draw)
        made = mask_in_cells(
            self.cells, rows, rng.random(len(rows)), rng.random(len(self.xy)), int(k_records)
        )
        cells = self.cells.cell
        unit = np.full(int(cells.max()) + 1, -1)
        unit[cells[made.place]] = made.group
        return self._in_groups(made, rows, by_areas(made.group, unit[cells]))

    def by_groups(self, k_records: float, rows: np.ndarray, draw: int) -> Outcome:
        """Groups of so many records, then exchange among K."""
        graph, rng = self.graph(K), np.random.default_rng(300 + draw)
        rows = rows[~graph.withheld[rows]]
        made = mask_in_groups(
            graph, rows, rng.random(len(rows)), rng.random(len(rows)), int(k_records)
        )
        released = np.zeros(len(self.xy))
        np.add.at(released, made.released, 1.0)
        # (2) of record_groups: how many rows were released at partners of each candidate.
        many = np.where(graph.partners >= 0, released[graph.partners], 0.0).sum(axis=1)
        bound = float(np.minimum(1.0, many / K).max()) / int(k_records)
        return self._in_groups(made, rows, None, bound)

    def _in_groups(self, made, rows, likely, bound: float | None = None) -> Outcome:
        of_b = 1.0 / np.bincount(made.group)[made.group]
        of_a = np.full(len(made.place), bound) if likely is None else who_lives_there(likely).top
        return Outcome(
            self.xy[made.released], made.shift, of_a, of_b, 1 - len(made.place) / len(rows)
        )

    def _attacked(self, likely, rows, points, shift, withheld=0.0) -> Outcome:
        return Outcome(
            points, shift, who_lives_there(likely).top, which_record(likely, rows).top, withheld
        )

    # --- families ---------------------------------------------------------------------------

    def families(self) -> list[Family]:
        """Return all masks, weakest strength first."""
        metres = (25.0, 50.0, 100.0, 200.0, 400.0)
        ks = (20.0, 50.0, 100.0, 200.0)
        # A graph with more partners takes minutes, and B finds nearly everybody behind these, too.
        partners = (10.0, 20.0, 30.0)

        def law(make):
            return lambda value, rows, draw: self.by_law(make(value), rows, draw)

        def radii(value: float, *least: float) -> list[np.ndarray]:
            ks = [max(2, round(one)) for one in (*least, value)]
            return list(self.neighbours.distances(self.xy, ks).T)

        return [
            Family("disc", "m", metres, law(disc)),
            Family("donut", "m", metres, law(lambda r: Donut(r / 3, r))),
            Family("Gaussian", "m", metres, law(Gaussian)),
            Family("planar Laplace, mean", "m", metres, law(lambda r: Laplace(2 / r))),
            Family("disc by addresses, k =", "", ks, law(lambda k: disc(radii(k)[0])), True),
            Family(
                "donut by addresses, to k =", "", ks, law(lambda k: Donut(*radii(k, k / 5))), True
            ),
            Family(
                "Gaussian by addresses, k =",
                "",
                ks,
                law(lambda k: law_of_radii("gaussian", radii(k)[0])),
                True,
            ),
            Family("location swap, to", "m", metres[2:], self.by_swap),
            Family(f"squares, K = {K}", "m", metres[2:], self.by_squares),
            Family("exchange, k =", "", partners, self.by_exchange, True),
            Family(f"cells, k = {K}, records", "", (2.0, 5.0, 10.0, 20.0), self.by_cells, True),
            Family(f"groups, k = {K}, records", "", (2.0, 5.0, 10.0, 20.0), self.by_groups, True),
        ]


def secret(draw: int) -> bytes:
    """Return the secret of a draw."""
    return (draw + 1).to_bytes(32, "big")


def figures(town: Town, one: Outcome, inside: np.ndarray) -> dict[str, float]:
    """Risk and utility of one file."""
    return {
        "shift": float(one.shift.mean()),
        "A": 100 * float(one.top_a.mean()),
        "above": 100 * float((one.top_a > ABOVE * (1 + 1e-9)).mean()),
        "worst A": 100 * float(one.top_a.max()),
        "B": 100 * float(one.top_b.mean()),
        "worst B": 100 * float(one.top_b.max()),
        "cluster": town.found_again(one.points, inside),
        "withheld": 100 * float(one.withheld),
    }


HEAD = ("shift", "A", "above", "worst A", "B", "worst B", "cluster", "withheld")


def row(name: str, found: list[dict[str, float]]) -> None:
    """Print means over draws; of worst ones the largest, of the cluster least and largest, too."""
    told = ""
    for key in HEAD:
        values = [one[key] for one in found]
        value = max(values) if key.startswith("worst") else float(np.mean(values))
        told += f"{value:10.2f}"
    clusters = [one["cluster"] for one in found]
    print(f"{name:34}{told}   ({min(clusters):.2f} to {max(clusters):.2f})", flush=True)


def sweep(town: Town, draws: int) -> dict[str, list[dict[str, float]]]:
    """Print every mask with every strength; return the means, mask by mask."""
    files = [town.file(draw) for draw in range(draws)]
    print(
        f"\n{len(town.xy):,} addresses, {town.records:,} records, {draws} draws, a cluster of"
        f" {_CLUSTER:.0%} of the addresses; shift in metres, cluster as a Jaccard index, others in per cent"
    )
    print(f"{'mask':34}" + "".join(f"{key:>10}" for key in HEAD))
    whole = [town.found_again(town.xy[rows], inside) for rows, inside in files]
    print(
        f"{'not masked':34}{'':60}{np.mean(whole):10.2f}{'':10}   ({min(whole):.2f} to {max(whole):.2f})"
    )
    curves = {}
    for family in town.families():
        curves[family.name] = []
        for strength in family.strengths:
            found = [
                figures(town, family.mask(strength, rows, draw), inside)
                for draw, (rows, inside) in enumerate(files)
            ]
            row(f"{family.name} {strength:g} {family.unit}".strip(), found)
            mean = {key: float(np.mean([one[key] for one in found])) for key in HEAD}
            ends = {
                f"{end} {key}": float(of([one[key] for one in found]))
                for key in ("above", "B")
                for end, of in (("least", min), ("most", max))
            }
            curves[family.name].append({"strength": strength, **mean, **ends})
    return curves


def least(town: Town, draws: int) -> None:
    """Print the least strength with which 1 % or fewer have an address above 5 %."""
    files = [town.file(draw) for draw in range(draws)]
    print(f"\nThe weakest that leaves at most {SHARE:.0%} of the records above {ABOVE:.0%}")
    print(f"{'mask':34}" + "".join(f"{key:>10}" for key in HEAD))
    for family in town.families():

        def tops(value: float, family=family) -> np.ndarray:
            each = [family.mask(value, rows, draw) for draw, (rows, _) in enumerate(files)]
            return np.concatenate([one.top_a for one in each])

        def holds(value: float, tops=tops) -> bool:
            return float((tops(value) > ABOVE * (1 + 1e-9)).mean()) <= SHARE

        low, high = family.strengths[0], family.strengths[-1]
        if holds(low):
            high = low
        elif not holds(high):
            print(f"{family.name:34}   none up to {high:g} {family.unit}")
            continue
        # By steps of about 3 %, by which the mean shift is known to two digits or so.
        while high > low * 1.03 and not (family.whole and high - low <= 1):
            middle = float(np.sqrt(low * high))
            middle = float(round(middle)) if family.whole else middle
            low, high = (low, middle) if holds(middle) else (middle, high)
        found = [
            figures(town, family.mask(high, rows, draw), inside)
            for draw, (rows, inside) in enumerate(files)
        ]
        row(f"{family.name} {high:.4g} {family.unit}".strip(), found)


def chart(curves: dict[str, list[dict[str, float]]], path: Path) -> None:
    """Draw risk against mean shift, one panel for each adversary."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.hashsalt": "geoanon"}
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(11, 4.6), sharex=True, layout="constrained")
    colours = pyplot.get_cmap("Paired")
    for panel, key, title in (
        (panels[0], "above", "A: records with an address above 5 %, in per cent"),
        (panels[1], "B", "B: records found of people known to be in the file, in per cent"),
    ):
        for number, (name, curve) in enumerate(curves.items()):
            ours = name.startswith(("exchange", "cells", "groups"))
            value = np.array([one[key] for one in curve])
            bars = [value - [one[f"least {key}"] for one in curve]]
            bars.append(np.array([one[f"most {key}"] for one in curve]) - value)
            proved = key == "above" and name.startswith("groups")
            panel.errorbar(
                [one["shift"] for one in curve],
                value,
                np.maximum(bars, 0.0),
                elinewidth=0.7,
                marker="o" if ours else ".",
                markersize=4,
                linestyle="--" if proved else "-",
                linewidth=2.2 if ours else 1.1,
                color="#b59b00" if name.startswith("cells") else colours(number / 12),
                label=name.split(",")[0],
            )
        panel.set_xscale("log")
        panel.set_xlabel("mean shift, metres")
        panel.set_title(title, fontsize=10)
        panel.grid(alpha=0.3)
    panels[0].set_yscale("symlog", linthresh=0.1)
    panels[0].set_ylim(bottom=-0.01)
    handles = panels[0].get_legend_handles_labels()
    figure.legend(*handles, loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    figure.savefig(path, metadata={"Date": None}, bbox_inches="tight")
    print(f"\n{path}")


def soho() -> np.ndarray:
    """Addresses of the sample that is shipped."""
    path = timing.ROOT / "resources" / "data" / "soho_cholera_1854.gpkg"
    with sqlite3.connect(path) as base:
        shapes = base.execute("select geom from addresses").fetchall()
    return np.unique([struct.unpack("<dd", bytes(one)[-16:]) for (one,) in shapes], axis=0)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", choices=["dwellings", "soho"], default="dwellings")
    parser.add_argument("--records", type=int)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--chart", type=Path)
    parser.add_argument("--least", action="store_true", help="look for the weakest that hold, too")
    options = parser.parse_args()
    if options.data == "soho":
        town = Town(soho(), options.records or 300)
    elif dwellings.available():
        town = Town(np.unique(dwellings.integer_metres(), axis=0), options.records or 1_000)
    else:
        return 0
    used = time.process_time()
    curves = sweep(town, options.draws)
    print(f"{time.process_time() - used:.0f} s of CPU, without what is made once of the addresses")
    if options.chart:
        chart(curves, options.chart)
    if options.least:
        least(town, options.draws)
    return 0


if __name__ == "__main__":
    sys.exit(main())
