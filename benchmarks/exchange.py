# SPDX-License-Identifier: GPL-2.0-or-later
"""Exchange, cells and groups on 86,813 addresses: shifts, seconds, the optimum, and attacks.

python benchmarks/exchange.py [--windows 3] [--attacks 10000] [--no-plain] [--million]

The million is measured in a process of its own, for its memory.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import _dwellings as dwellings
import _timing as timing
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from geoanon_qgis.core.masking.address_cells import address_cells, mask_in_cells
from geoanon_qgis.core.masking.partners import PartnerGraph, partner_graph
from geoanon_qgis.core.masking.record_groups import mask_in_groups
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.space.points import build_tree

K = 20
#: Nearest others that the optimum may join; of D none of the longest is ever used.
_WIDE = 110
#: Mean shift that groups of five must not exceed, by records.
_SHIFTS = {1_000: 230, 5_000: 105, 20_000: 55}
_MILLION = """
import time
import numpy as np
from geoanon_qgis.core.masking.partners import partner_graph
rng = np.random.default_rng(1)
towns = rng.uniform(0, 200_000, (501, 2))
xy = towns[rng.integers(0, len(towns), 1_000_000)] + rng.normal(0, 1_500, (1_000_000, 2))
xy = np.unique(np.round(xy, 2), axis=0)
partner_graph(xy[:2000], 20)
start = time.process_time(), time.perf_counter()
"""
_MILLION_DONE = """
graph = partner_graph(xy, 20)
used, took = time.process_time() - start[0], time.perf_counter() - start[1]
with open({told!r}, "w") as file:
    file.write(f"{{graph}}|{{used}}|{{took}}")
"""


def optimum(xy: np.ndarray, degree: int) -> float:
    """Length of the shortest graph of a degree, or less: HiGHS, with halves of edges allowed."""
    near = build_tree(xy).query(xy, k=min(_WIDE, len(xy) - 1) + 1)[1][:, 1:]
    row = np.repeat(np.arange(len(xy)), near.shape[1])
    code = np.unique(np.minimum(row, near.ravel()) * len(xy) + np.maximum(row, near.ravel()))
    one, other = code // len(xy), code % len(xy)
    edge = np.arange(len(one))
    ends = coo_matrix(
        (np.ones(2 * len(one)), (np.concatenate([one, other]), np.concatenate([edge, edge])))
    )
    found = linprog(
        np.hypot(*(xy[one] - xy[other]).T),
        A_eq=ends.tocsr(),
        b_eq=np.full(len(xy), degree),
        bounds=(0, 1),
        method="highs",
    )
    if found.status != 0:
        raise RuntimeError(found.message)
    return float(found.fun)


def window(xy: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """The addresses nearest to a random one."""
    return xy[np.sort(build_tree(xy).query(xy[rng.integers(len(xy))], k=count)[1])]


def against_the_optimum(xy: np.ndarray, windows: int) -> list[timing.Line]:
    """Length of graphs of windows, over that of the optimum."""
    rng, lines = np.random.default_rng(7), []
    for count in (200, 500, 1_000):
        ratios = []
        for _ in range(windows):
            some = window(xy, count, rng)
            length = partner_graph(some, K).mean_shift * count * K / 2
            ratios.append(length / optimum(some, K - 1))
        what = f"length / optimum, worst of {windows} windows of {count:,}"
        lines.append(timing.at_most(what, 1.02, max(ratios)))
    return lines


def exchange(xy: np.ndarray, plainly: bool) -> tuple[PartnerGraph, list[timing.Line]]:
    """The graph of all addresses, with and without numba."""
    partner_graph(xy[:2_000], K)  # compiled, or read from where kernels are kept
    clock, used = time.perf_counter(), time.process_time()
    graph = partner_graph(xy, K)
    took, used = time.perf_counter() - clock, time.process_time() - used
    lines = [
        timing.at_most("exchange: mean shift", 33, graph.mean_shift, "m"),
        timing.at_most("exchange: seconds with numba", 20, took, "s"),
        timing.note("exchange: of which this process computed", f"{used:.3g} s"),
        timing.note("exchange: addresses withheld (an odd number)", f"{graph.withheld.sum()}"),
    ]
    if plainly:
        accel.set_enabled(False)
        clock, used = time.perf_counter(), time.process_time()
        same = np.array_equal(partner_graph(xy, K).partners, graph.partners)
        took, used = time.perf_counter() - clock, time.process_time() - used
        accel.set_enabled(True)
        lines += [
            timing.at_most("exchange: seconds without numba", 60, took, "s"),
            timing.note("exchange: of which this process computed", f"{used:.3g} s"),
            timing.Line("exchange: the same graph without numba", "yes", str(same), same),
        ]
    return graph, lines


def cells_and_groups(xy: np.ndarray, graph: PartnerGraph) -> list[timing.Line]:
    """Shifts of cells and of groups."""
    times = timing.take_turns({"cells": lambda: address_cells(xy, K)}, 3)["cells"]
    used = time.process_time()
    cells = address_cells(xy, K)
    used = time.process_time() - used
    lines = [
        timing.at_most("cells: mean shift", 48, cells.mean_shift, "m"),
        timing.at_most("cells: seconds, median of 3", 2, float(np.median(times)), "s"),
        timing.note("cells: of which this process computed", f"{used:.3g} s"),
        timing.note(
            "cells: sizes", f"{len(cells.sizes):,} of {min(cells.sizes)} to {max(cells.sizes)}"
        ),
    ]
    for count, limit in _SHIFTS.items():
        shifts, joined, seconds = [], [], []
        for seed in range(5):
            rng = np.random.default_rng(seed)
            place = rng.choice(len(xy), count, replace=False)
            first, second = rng.random(count), rng.random(count)
            clock = time.perf_counter()
            shifts.append(mask_in_groups(graph, place, first, second, 5).shift.mean())
            seconds.append(time.perf_counter() - clock)
            joined.append(mask_in_cells(cells, place, first, rng.random(len(xy)), 5).shift.mean())
        what = f"{count:,} records, k_records = 5, mean of 5 files"
        lines += [
            timing.at_most(f"groups: mean shift, {what}", limit, float(np.mean(shifts)), "m"),
            timing.note("groups: seconds", f"{np.median(seconds):.2f} s"),
            timing.note(f"cells joined: mean shift, {what}", f"{np.mean(joined):.3g} m"),
        ]
    return lines


def attacks(xy: np.ndarray, graph: PartnerGraph, runs: int) -> list[timing.Line]:
    """Adversary B, told the groups, on one file that is masked again and again; A on the same."""
    rng = np.random.default_rng(11)
    place = rng.choice(np.flatnonzero(~graph.withheld), 200, replace=False)
    right, of_rows, size = np.zeros(200), 0, np.ones(200)
    for _ in range(runs):
        masked = mask_in_groups(graph, place, rng.random(200), rng.random(200), 5)
        slot = np.searchsorted(masked.place, place)
        group, size = masked.group[slot], masked.sizes[slot]
        points = xy[masked.released[slot]]
        apart = ((points[None] - xy[place][:, None]) ** 2).sum(axis=2)
        apart[group[:, None] != group] = np.inf
        best = apart == apart.min(axis=1, keepdims=True)
        right += np.diag(best) / best.sum(axis=1)
        # A guesses one of the partners of each released point.
        of_rows += int((graph.partners[masked.released[slot], rng.integers(K)] == place).sum())
    share, chance = right / runs, 1 / size
    deviations = float(((share - chance) / np.sqrt(chance * (1 - chance) / runs)).max())
    # Of 200 records the worst is 2.8 standard deviations above its chance, as chance goes.
    return [
        timing.note(
            f"B, told the groups, {runs:,} attacks: found on average", f"{share.mean():.2%}"
        ),
        timing.note(
            "B: the record found most often", f"{share.max():.2%} (its bound 1/k_records = 20 %)"
        ),
        timing.at_most("B: above 1 / size, worst of 200, standard deviations", 4.5, deviations),
        timing.at_most(
            "A: true places among guessed partners, %", 100 / K, 100 * of_rows / runs / 200
        ),
    ]


def million() -> list[timing.Line]:
    """A million simulated places in towns."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told")
        peak = timing.peak_memory(_MILLION, _MILLION_DONE.format(told=str(told)))
        graph, used, took = told.read_text().split("|")
    return [
        timing.note("a million:", graph),
        timing.at_most("a million: seconds", 300, float(took), "s"),
        timing.note("a million: of which the process computed", f"{float(used):.0f} s"),
        timing.at_most("a million: peak memory above the places", 6, peak / 1e9, "GB"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--windows", type=int, default=3)
    parser.add_argument("--attacks", type=int, default=10_000)
    parser.add_argument("--no-plain", action="store_true", help="leave out the run without numba")
    parser.add_argument("--million", action="store_true", help="a million simulated places, too")
    chosen = parser.parse_args()
    lines = million() if chosen.million else []
    if dwellings.available():
        xy = np.unique(dwellings.integer_metres(), axis=0)
        graph, measured = exchange(xy, not chosen.no_plain)
        lines += measured + cells_and_groups(xy, graph)
        lines += against_the_optimum(xy, chosen.windows)
        lines += attacks(xy, graph, chosen.attacks)
    return timing.table(f"Masks with a guarantee, k = {K}", lines)


if __name__ == "__main__":
    sys.exit(main())
