# SPDX-License-Identifier: GPL-2.0-or-later
"""What two adversaries find behind each mask: who lives there, and which record is hers?

    python benchmarks/two_adversaries.py [--records 1000 5000] [--draws 3] [--soho]

Adversary A has the address list and knows the mask with its parameters: his probability of an
address c behind a released point y is f(y | c), divided by the sum over all addresses. Adversary B
knows that a person is in the file and where she lives; for each released point he compares f(y | x)
with what a record of anybody would be, the mean of f(y | c) over all addresses. Both guess the
likeliest, ties are shared. Where the model is right, A is right as often as he believes (the mean
of his largest probability): both numbers are printed.

Every probability is computed for every pair, in blocks; nothing is taken from the masks but their
densities. For groups B is told the groups, A is not: he takes the points for exchanged ones, which
is too little against (1) of ``record_groups.py``, so his column is left out there.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings as dwellings
import _timing as timing
import numpy as np

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
from geoanon_qgis.core.runtime.memory import refuse_unless_fits

K, K_RECORDS, ABOVE = 20, 5, 0.05
_PAIRS = 4_000_000


def laws(xy: np.ndarray) -> dict[str, Law]:
    """Laws of a median shift that is alike, and adaptive ones, sized for each address."""
    low, high = Neighbours(xy).distances(xy, [K, 5 * K]).T
    return {
        "disc 75 m": disc(75.0),
        "donut 43 to 68 m": Donut(43.0, 68.0),
        "Gaussian 40 m": Gaussian(40.0),
        "Laplace, mean 50 m": Laplace(2 / 50.0),
        "Gaussian 160 m": Gaussian(160.0),
        f"adaptive disc, k = {5 * K}": disc(high),
        f"adaptive donut, k = {K} to {5 * K}": Donut(low, high),
        f"adaptive Gaussian, k = {5 * K}": law_of_radii("gaussian", high),
    }


def guesses(weights: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Chance that the likeliest is the true one, ties shared, and the largest probability."""
    total = weights.sum(axis=1)
    top = weights.max(axis=1)
    best = weights >= top[:, None] * (1 - 1e-12)
    right = best[np.arange(len(truth)), truth] / best.sum(axis=1)
    good = total > 0
    return np.where(good, right, 0.0), np.divide(top, total, out=np.zeros_like(top), where=good)


def attack(xy: np.ndarray, law: Law, rows: np.ndarray, secret: bytes) -> dict[str, float]:
    """Mask the records at some addresses by a law, and let both adversaries guess."""
    own = law.of(rows) if law.count is not None else law
    masked = displace(xy[rows], own, secret, "benchmark")

    def of_targets(gap: np.ndarray) -> np.ndarray:
        return law.density(gap) if law.count is None else own_density(own, gap)

    return guessed(xy, rows, masked.xy, masked.shift, law.density, of_targets)


def swapped(xy: np.ndarray, rule: RingRule, rows: np.ndarray, secret: bytes) -> dict[str, float]:
    """Swap the records at some addresses, and let both adversaries guess."""
    candidates = Candidates.of(xy)
    moved = swap_locations(xy[rows], candidates, rule, secret, "benchmark")
    rings, here = candidates.rings(xy, rule), np.flatnonzero(~moved.withheld)
    rows = rows[here]

    def of_all(gap: np.ndarray) -> np.ndarray:
        return rings.density(np.broadcast_to(np.arange(len(xy)), gap.shape), gap)

    def of_targets(gap: np.ndarray) -> np.ndarray:
        return rings.density(np.broadcast_to(rows[:, None], gap.shape), gap)

    return guessed(xy, rows, moved.xy[here], moved.shift[here], of_all, of_targets)


def in_cells_of(xy: np.ndarray, lattice: Lattice, rows: np.ndarray) -> dict[str, float]:
    """Put records at the centres of cells with K addresses; those in others are withheld."""
    areas = CellAreas.of(lattice, xy[rows], Population.at_points(xy))
    placed = aggregate(xy[rows], areas, K)
    here = placed.area[~placed.withheld]
    of_a = 1 / areas.people[here]
    of_b = 1 / np.bincount(here)[here]
    found = told(placed.shift[~placed.withheld].mean(), of_a, of_a, of_b, of_b)
    return {**found, "withheld": 100 * placed.withheld.mean()}


def guessed(xy, rows, points, shift, of_all, of_targets) -> dict[str, float]:
    """Let both adversaries guess, by the density of each address, and of each record's own."""
    step = max(1, _PAIRS // len(xy))
    right, top, anybody = [], [], []
    for first in range(0, len(rows), step):
        some = points[first : first + step]
        density = of_all(np.hypot(*(some[:, None] - xy[None]).transpose(2, 0, 1)))
        one, other = guesses(density, rows[first : first + step])
        right.append(one), top.append(other), anybody.append(density.mean(axis=1))
    refuse_unless_fits(8.0 * len(rows) ** 2, "records", "an attack", "Take fewer.")
    gap = np.hypot(*(xy[rows][:, None] - points[None]).transpose(2, 0, 1))
    found_b, top_b = guesses(of_targets(gap) / np.concatenate(anybody)[None], np.arange(len(rows)))
    return told(shift.mean(), np.concatenate(right), np.concatenate(top), found_b, top_b)


def own_density(law: Law, gap: np.ndarray) -> np.ndarray:
    """Density of each record's own law at its distance to all points, (n, n)."""
    each = [law.of(np.array([row])).alone().density(gap[row]) for row in range(len(gap))]
    return np.array(each)


def told(shift, right_a, top_a, right_b, top_b) -> dict[str, float]:
    """Figures of one draw."""
    return {
        "shift": float(shift),
        "A": 100 * right_a.mean(),
        "believes": 100 * top_a.mean(),
        "above": 100 * (top_a > ABOVE + 1e-9).mean(),
        "worst A": 100 * top_a.max(),
        "B": 100 * right_b.mean(),
        "believes B": 100 * top_b.mean(),
        "worst B": 100 * top_b.max(),
    }


def exchanged(xy, graph, rows, rng) -> dict[str, float]:
    """Exchange: f is 1/k on partners, for both."""
    to = graph.partner_of(rows, rng.random(len(rows)))
    shift = np.hypot(*(xy[to] - xy[rows]).T).mean()
    chance = np.full(len(rows), 1 / K)
    # B: of the records released at partners of hers all are as likely; her own is one of them.
    near = (graph.partners[rows][:, :, None] == to[None, None]).any(axis=1).sum(axis=1)
    return told(shift, chance, chance, 1 / near, 1 / near)


def grouped(xy, groups, rows, hides_from_a: float) -> dict[str, float]:
    """Cells and groups: B is told them."""
    to = groups.at(rows)
    slot = np.searchsorted(groups.place, rows)
    chance = 1 / np.bincount(groups.group)[groups.group[slot]]
    shift = np.hypot(*(xy[to] - xy[rows]).T).mean()
    of_a = np.full(len(rows), hides_from_a)
    return told(shift, of_a, of_a, chance, chance)


def run(xy: np.ndarray, count: int, draws: int) -> None:
    """Print a row for each mask, the mean over draws (of worst ones the largest)."""
    print(f"\n{len(xy):,} addresses, {count:,} records, {draws} draws; all but shifts in per cent")
    print(
        f"{'mask':34}{'shift m':>9}{'A finds':>9}{'believes':>10}{'> 5 %':>8}{'worst':>8}"
        f"{'B finds':>9}{'believes':>10}{'worst':>8}"
    )
    graph, cells = partner_graph(xy, K), address_cells(xy, K)
    secrets = [bytes([one]) * 32 for one in range(1, draws + 1)]
    all_rows = [np.random.default_rng(one).permutation(len(xy))[:count] for one in range(draws)]
    jobs = {
        name: (lambda n, law=law: attack(xy, law, all_rows[n], secrets[n]))
        for name, law in laws(xy).items()
    }
    jobs[f"exchange, k = {K}"] = lambda n: exchanged(
        xy, graph, all_rows[n][~graph.withheld[all_rows[n]]], np.random.default_rng(100 + n)
    )

    def by_cells(n):
        rng = np.random.default_rng(200 + n)
        made = mask_in_cells(cells, all_rows[n], rng.random(count), rng.random(len(xy)), K_RECORDS)
        return grouped(xy, made, all_rows[n], 1 / cells.sizes.min())

    def by_groups(n):
        rng, rows = np.random.default_rng(300 + n), all_rows[n]
        rows = rows[~graph.withheld[rows]]
        made = mask_in_groups(graph, rows, rng.random(len(rows)), rng.random(len(rows)), K_RECORDS)
        return grouped(xy, made, rows, np.nan)

    jobs[f"cells, k = {K}, {K_RECORDS} records"] = by_cells
    jobs[f"groups, k = {K}, {K_RECORDS} records"] = by_groups
    for rule in (RingRule(50.0, 300.0, K), RingRule(0.0, 75.0, 50)):
        name = f"swap, {rule.least:g} to {rule.largest:g} m, {rule.fewest} or more"
        jobs[name] = lambda n, rule=rule: swapped(xy, rule, all_rows[n], secrets[n])
    for lattice in (Lattice(SQUARES, 100.0), Lattice(SQUARES, 250.0)):
        name = f"squares of {lattice.side:g} m, K = {K}"
        jobs[name] = lambda n, lattice=lattice: in_cells_of(xy, lattice, all_rows[n])
    for name, job in jobs.items():
        found = [job(n) for n in range(draws)]
        mean = {key: np.mean([one[key] for one in found]) for key in found[0]}
        worst = {key: max(one[key] for one in found) for key in ("worst A", "worst B")}
        print(
            f"{name:34}{mean['shift']:9.1f}{mean['A']:9.2f}{mean['believes']:10.2f}"
            f"{mean['above']:8.1f}{worst['worst A']:8.1f}{mean['B']:9.2f}"
            f"{mean['believes B']:10.2f}{worst['worst B']:8.1f}"
            + (f"  ({mean['withheld']:.1f} withheld)" if "withheld" in mean else ""),
            flush=True,
        )


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, nargs="+", default=[1_000])
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--soho", action="store_true", help="the shipped sample instead")
    options = parser.parse_args()
    if options.soho:
        import sqlite3
        import struct

        path = timing.ROOT / "resources" / "data" / "soho_cholera_1854.gpkg"
        with sqlite3.connect(path) as base:
            shapes = base.execute("select geom from addresses").fetchall()
        xy = np.unique([struct.unpack("<dd", bytes(one)[-16:]) for (one,) in shapes], axis=0)
    elif dwellings.available():
        xy = np.unique(dwellings.integer_metres(), axis=0)
    else:
        return 0
    for count in options.records:
        run(xy, count, options.draws)
    return 0


if __name__ == "__main__":
    sys.exit(main())
