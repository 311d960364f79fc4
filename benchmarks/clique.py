# SPDX-License-Identifier: GPL-2.0-or-later
"""Product graphs and maximum cliques of the linkage attack, against peers in the same run.

    python benchmarks/clique.py [--seed 1] [--rounds 5] [--limit 120] [--lipschitz] [--unproven]

The instances are the paper's (500 + 500 records, 50 in both, sex and eleven age groups), with
points drawn uniformly or in towns. Peers: the product graph in chunked NumPy; the program
``cliquer`` (Niskanen & Östergård; the time it states itself, reading not counted), if it is
installed; and MCQD, re-implemented in C++ from its publication (see _mcqd.cpp), if there is a
C++ compiler. A peer that does not end within ``--limit`` seconds counts with that time, which
is to its advantage.
"""

from __future__ import annotations

import argparse
import math
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _germans import N_TARGET, OVERLAP, WGS84, addresses, area, people
from _timing import at_least, at_most, median_ratio, note, peak_memory, table, take_turns

from geoanon_qgis.core.attacks.clique import PAPER_STEPS, maximum_clique
from geoanon_qgis.core.attacks.compatibility import (
    CoordinateNoise,
    lipschitz_intervals,
    true_distances,
)
from geoanon_qgis.core.attacks.product_graph import ProductGraph, product_graph
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.noise import coordinate_noise
from geoanon_qgis.core.metrics import metric_for

SIGMAS, ALPHAS = (0.005, 0.02, 0.05), (0.1, 0.5, 0.9)
#: Sets, size and alpha of embeddings whose graphs have at most about a tenth of all edges.
EMBEDDINGS = [
    (20, 1, 0.1), (20, 1, 0.5), (20, 1, 0.9), (20, 5, 0.1), (20, 10, 0.1), (100, 1, 0.9),
    (100, 5, 0.1), (100, 5, 0.5), (100, 10, 0.1), (500, 5, 0.5), (500, 5, 0.9),
]  # fmt: skip
#: And of some where nothing can be proven in reasonable time.
HOPELESS = [(20, 5, 0.9), (20, 10, 0.5), (20, 10, 0.9)]
REPLICATES = 200
CELLS_AT_ONCE = 4_000_000


def files(clustered: bool, seed: int):
    """Draw both files: labels and coordinates of each, in random order."""
    rng = np.random.default_rng(seed)
    count = 2 * N_TARGET - OVERLAP
    xy = addresses(count, rng) if clustered else area().sample(count, rng)
    labels = people(count, rng)
    one = rng.permutation(N_TARGET)
    other = N_TARGET - OVERLAP + rng.permutation(N_TARGET)
    return [labels[k] for k in one], xy[one], [labels[k] for k in other], xy[other], rng


def noisy(clustered: bool, sigma: float, alpha: float, seed: int) -> tuple:
    """Make the arguments of ``product_graph`` for noise on the coordinates."""
    labels1, xy1, labels2, xy2, rng = files(clustered, seed)
    metric = metric_for("great_circle", WGS84)
    rule = CoordinateNoise(sigma, True, alpha, area(), WGS84)
    intervals = rule.intervals(metric.coordinates(xy2), metric, rng=rng)
    moved = coordinate_noise(xy1, sigma, True, WGS84, rng)
    released = true_distances(metric.coordinates(moved), metric)
    return labels1, labels2, released, intervals.lower, intervals.upper, intervals.closed


def embedded(clustered: bool, sets: int, size: int, alpha: float, seed: int) -> tuple:
    """Make the arguments of ``product_graph`` for a Lipschitz embedding."""
    from scipy.spatial.distance import squareform

    labels1, xy1, labels2, xy2, rng = files(clustered, seed)
    metric = metric_for("great_circle", WGS84)
    released = squareform(lipschitz_distances(xy1, area(), metric, sets, size, rng))
    one = lipschitz_intervals(
        xy2, area(), metric, sets, size, (alpha,), REPLICATES, rng=rng
    )[0]  # fmt: skip
    return labels1, labels2, released, one.lower, one.upper, one.closed


def in_numpy(labels1, labels2, released, lower, upper, closed) -> int:
    """Build the same graph the way one would in NumPy: blocks of rows; return the edges."""
    kinds = {label: k for k, label in enumerate(dict.fromkeys([*labels1, *labels2]))}
    kind1, kind2 = (np.array([kinds[one] for one in labels]) for labels in (labels1, labels2))
    t, i = np.nonzero(kind1[:, None] == kind2)
    bits, edges = [], 0
    step = max(1, CELLS_AT_ONCE // max(len(t), 1))
    for start in range(0, len(t), step):
        a = slice(start, start + step)
        distance = released[t[a, None], t]
        low, high = lower[i[a, None], i], upper[i[a, None], i]
        if closed:
            joined = (distance >= low) & (distance <= high)
        else:
            joined = (distance > low) & (distance < high)
        joined &= (t[a, None] != t) & (i[a, None] != i)
        edges += int(joined.sum())
        bits.append(np.packbits(joined, axis=1))
    np.concatenate(bits)
    return edges // 2


class Peers:
    """Cliquer and MCQD, as far as they are there."""

    def __init__(self, folder: Path, limit: float) -> None:
        self.folder, self.limit = folder, limit
        self.cliquer = shutil.which("cliquer")
        self.mcqd = None
        compiler = shutil.which("g++") or shutil.which("clang++") or shutil.which("c++")
        if self.cliquer is None:
            print("No cliquer here (Debian's package of that name): left out.")
        if compiler is None:
            print("No C++ compiler here: MCQD is left out.")
        else:
            self.mcqd = str(folder / "mcqd")
            source = str(Path(__file__).with_name("_mcqd.cpp"))
            subprocess.run(
                [compiler, "-O3", "-march=native", "-o", self.mcqd, source], check=True
            )

    def run_mcqd(self, graph: ProductGraph, most: int = 0) -> tuple[float, int | None, bool]:
        """Seconds, size and whether it came to its end; size None if it ran out of time."""
        path = self.folder / "graph.bin"
        with open(path, "wb") as file:
            np.array([len(graph), graph.rows.shape[1]], dtype=np.int64).tofile(file)
            graph.rows.tofile(file)
        try:
            done = subprocess.run(
                [self.mcqd, str(path), str(most)], capture_output=True, text=True, check=True,
                timeout=self.limit,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return self.limit, None, False
        size, seconds, _, ended = done.stdout.split()
        return float(seconds), int(size), ended == "1"

    def run_cliquer(self, graph: ProductGraph) -> tuple[float, int | None]:
        """Seconds and size; size None if it ran out of time."""
        path = self.folder / "graph.dimacs"
        one, other = np.nonzero(np.triu(graph.adjacency()))
        with open(path, "w", encoding="ascii") as file:
            file.write(f"p edge {len(graph)} {len(one)}\n")
            file.writelines(
                f"e {a} {b}\n" for a, b in zip((one + 1).tolist(), (other + 1).tolist())
            )
        try:
            done = subprocess.run(
                [self.cliquer, str(path)], capture_output=True, text=True, check=True,
                timeout=self.limit,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return self.limit, None
        stated = re.findall(r"([\d.]+) s +\(", done.stderr)
        return max(float(stated[-1]), 0.005), int(re.search(r"size=(\d+)", done.stdout)[1])


def ours(graph: ProductGraph, rounds: int):
    """Return the least time of some rounds and the clique; gathering ties is not counted."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        clique = maximum_clique(graph, cliques=0)
        times.append(time.perf_counter() - start)
    return min(times), clique


def compare(title: str, instances, peers: Peers, rounds: int):
    """Search every instance with everybody; print a line each; return the lines' figures."""
    print(f"\n{title}\n")
    print(f"{'instance':34}{'pairs':>7}{'edges':>9}{'size':>6}{'proven':>8}"
          f"{'ours':>11}{'cliquer':>11}{'MCQD':>11}")  # fmt: skip
    rows = []
    for name, arguments in instances:
        graph = product_graph(*arguments)
        seconds, clique = ours(graph, rounds)
        cliquer, size1 = peers.run_cliquer(graph) if peers.cliquer else (math.nan, None)
        mcqd, size2, _ = peers.run_mcqd(graph) if peers.mcqd else (math.nan, None, False)
        for size in (size1, size2):
            if size is not None and size != len(clique):
                raise RuntimeError(f"{name}: sizes differ: {len(clique)} and {size}")
        print(
            f"{name:34}{len(graph):7}{100 * graph.density:8.3f}%{len(clique):6}"
            f"{'yes' if clique.proven else 'NO':>8}{1e3 * seconds:8.1f} ms"
            f"{'>' if size1 is None else ' '}{1e3 * cliquer:7.0f} ms"
            f"{'>' if size2 is None else ' '}{1e3 * mcqd:7.0f} ms",
            flush=True,
        )
        rows.append((graph.density, seconds, cliquer, mcqd, clique.proven, name))
    return rows


def graph_lines(seed: int, rounds: int):
    """Measure the building of the largest graph against NumPy."""
    arguments = noisy(True, 0.02, 0.5, seed)
    graph = product_graph(*arguments)
    if graph.n_edges != in_numpy(*arguments):
        raise RuntimeError("The graph differs from NumPy's.")
    times = take_turns(
        {"ours": lambda: product_graph(*arguments), "numpy": lambda: in_numpy(*arguments)}, rounds
    )
    setup = (
        "import sys; sys.path.insert(0, 'benchmarks')\n"
        "import clique\n"
        f"arguments = clique.noisy(True, 0.02, 0.5, {seed})\n"
        "clique.product_graph(*arguments[:2], *(a[:] for a in arguments[2:5]), arguments[5])\n"
    )
    memory = peak_memory(setup, "graph = clique.product_graph(*arguments)")
    return [
        note("vertices", str(len(graph))),
        at_most("product graph", 0.1, statistics.median(times["ours"]), "s"),
        at_least(
            "times faster than chunked NumPy", 20, median_ratio(times["numpy"], times["ours"])
        ),
        at_most("memory", 200, memory / 1e6, "MB"),
    ]


def geometric_mean(values) -> float:
    return math.exp(statistics.fmean(math.log(value) for value in values))


def noisy_lines(rows, peers: Peers):
    """What is promised of graphs from noise on the coordinates."""
    lines = [at_least("instances proven", len(rows), sum(row[4] for row in rows))]
    if peers.cliquer:
        ratio = geometric_mean(row[2] / row[1] for row in rows)
        lines.append(at_least("times faster than cliquer (geometric mean)", 25, ratio))
    if peers.mcqd:
        dense = [row[3] / row[1] for row in rows if row[0] > 0.003]
        lines.append(at_least("times faster than MCQD above 0.3 %, least", 3, min(dense)))
        lines.append(note("the same, geometric mean", f"{geometric_mean(dense):.3g}"))
    sparse = [row[1] for row in rows if row[0] <= 0.003]
    lines.append(at_most("slowest up to 0.3 %", 0.005, max(sparse), "s"))
    lines.append(note("median up to 0.3 %", f"{statistics.median(sparse):.3g} s"))
    towns = max(row[1] for row in rows if row[5].startswith("towns"))
    lines.append(at_most("slowest in towns", 0.5, towns, "s"))
    return lines


def embedded_lines(rows, peers: Peers):
    """What is promised of graphs from Lipschitz embeddings."""
    rows = [row for row in rows if row[0] <= 0.1]
    lines = [
        at_least("embeddings to 10 % proven", len(rows), sum(row[4] for row in rows)),
        at_most("slowest", 10, max(row[1] for row in rows), "s"),
    ]
    if peers.cliquer:
        least = min(row[2] / row[1] for row in rows)
        lines.append(at_least("times faster than cliquer, least", 1, least))
    return lines


def hopeless_lines(seed: int, peers: Peers):
    """Where nothing can be proven: one second of ours against the paper's steps of MCQD."""
    lines = []
    for sets, size, alpha in HOPELESS:
        graph = product_graph(*embedded(True, sets, size, alpha, seed))
        clique = maximum_clique(graph, time_limit=1.0)
        seconds, theirs, _ = peers.run_mcqd(graph, PAPER_STEPS)
        what = f"d = {sets}, k = {size}, alpha = {alpha} ({100 * graph.density:.0f} %): size in 1 s"
        if theirs is None:
            lines.append(note(f"{what}; MCQD had no time", str(len(clique))))
        else:
            lines.append(at_least(f"{what}; MCQD's in {seconds:.0f} s", theirs, len(clique)))
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=float, default=120, help="seconds that a peer is given")
    parser.add_argument("--lipschitz", action="store_true", help="embeddings, too (minutes)")
    parser.add_argument("--unproven", action="store_true", help="hopeless ones (many minutes)")
    options = parser.parse_args()

    lines = graph_lines(options.seed, options.rounds)
    with tempfile.TemporaryDirectory() as folder:
        peers = Peers(Path(folder), options.limit)
        ours(product_graph(*noisy(True, 0.05, 0.9, options.seed + 1)), 1)  # compiles everything
        instances = (
            (f"{where}, sigma {sigma}, alpha {alpha}",
             noisy(where == "towns", sigma, alpha, options.seed))
            for where in ("uniform", "towns") for sigma in SIGMAS for alpha in ALPHAS
        )  # fmt: skip
        rows = compare("Noise on the coordinates", instances, peers, options.rounds)
        lines += noisy_lines(rows, peers)
        if options.lipschitz:
            instances = (
                (f"{where}, d {sets}, k {size}, alpha {alpha}",
                 embedded(where == "towns", sets, size, alpha, options.seed))
                for where in ("uniform", "towns") for sets, size, alpha in EMBEDDINGS
            )  # fmt: skip
            rows = compare("Lipschitz embeddings", instances, peers, options.rounds)
            lines += embedded_lines(rows, peers)
        if options.unproven and peers.mcqd:
            peers.limit = max(options.limit, 900)
            lines += hopeless_lines(options.seed, peers)
    return table("Product graph and maximum clique", lines)


if __name__ == "__main__":
    sys.exit(main())
