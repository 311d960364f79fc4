# SPDX-License-Identifier: GPL-2.0-or-later
"""Product graphs and maximum cliques of the linkage attack, against peers in the same run.

    python benchmarks/clique.py [--seed 1] [--rounds 5] [--limit 120] [--lipschitz] [--unproven]
                                [--mc-brb PROGRAM]

The instances are the paper's (500 + 500 records, 50 in both, sex and eleven age groups), with
points drawn uniformly or in towns. Peers: the product graph in chunked NumPy; the program
``cliquer`` (Niskanen & Östergård; the time it states itself, reading not counted), if it is
installed; MCQD, re-implemented in C++ from its publication (see _mcqd.cpp), if there is a
C++ compiler; and MC-BRB (Chang 2019, "Efficient maximum clique computation over large sparse
graphs"; github.com/LijunChang/MC-BRB), if the program built from its authors' source is named.
The least of some rounds counts, for peers up to two seconds of them. A peer that does not end
within ``--limit`` seconds counts with that time, which is to its advantage.
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
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _germans import N_TARGET, OVERLAP, WGS84, addresses, area, people
from _timing import at_least, at_most, median_ratio, note, peak_memory, table, take_turns

from geoanon_qgis.core.attacks.cliques.product_graph import ProductGraph, product_graph
from geoanon_qgis.core.attacks.cliques.search import maximum_clique
from geoanon_qgis.core.attacks.linkage.compatibility import CoordinateNoise, lipschitz_intervals
from geoanon_qgis.core.attacks.linkage.intervals import true_distances
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.noise import coordinate_noise
from geoanon_qgis.core.space.metrics import metric_for

#: The papers' limit of steps (Kroll & Schnell 2016, section on the attack's experiments).
PAPER_STEPS = 20_000_000
SIGMAS, ALPHAS = (0.005, 0.02, 0.05), (0.1, 0.5, 0.9)
#: Sets, size and alpha of embeddings whose graphs have at most about a tenth of all edges.
EMBEDDINGS = [
    (20, 1, 0.1),
    (20, 1, 0.5),
    (20, 1, 0.9),
    (20, 5, 0.1),
    (20, 10, 0.1),
    (100, 1, 0.9),
    (100, 5, 0.1),
    (100, 5, 0.5),
    (100, 10, 0.1),
    (500, 5, 0.5),
    (500, 5, 0.9),
]
#: And of some where nothing can be proven in reasonable time.
HOPELESS = [(20, 5, 0.9), (20, 10, 0.5), (20, 10, 0.9)]
REPLICATES = 200
CELLS_AT_ONCE = 4_000_000
#: Seconds after which a peer gets no further round: short runs differ most.
PEER_SECONDS = 2


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
    one = lipschitz_intervals(xy2, area(), metric, sets, size, (alpha,), REPLICATES, rng=rng)[0]
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
    """Cliquer, MCQD and MC-BRB, as far as they are there."""

    def __init__(self, folder: Path, limit: float, mc_brb: str | None = None) -> None:
        self.folder, self.limit, self.mc_brb = folder, limit, mc_brb
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
            subprocess.run([compiler, "-O3", "-march=native", "-o", self.mcqd, source], check=True)

    @property
    def names(self) -> list[str]:
        there = {"cliquer": self.cliquer, "MCQD": self.mcqd, "MC-BRB": self.mc_brb}
        return [name for name, program in there.items() if program]

    def run(self, name: str, graph: ProductGraph, rounds: int) -> tuple[float, int | None]:
        """Least seconds of some rounds and the size; size None if a peer ran out of time."""
        if name == "cliquer":
            search = self._cliquer(graph)
        elif name == "MCQD":
            search = self._mcqd(graph)
        else:
            search = self._mc_brb(graph)
        times: list[float] = []
        size = None
        while len(times) < rounds and sum(times) < PEER_SECONDS:
            try:
                seconds, size = search()
            except subprocess.TimeoutExpired:
                return self.limit, None
            times.append(seconds)
        return min(times), size

    def _started(self, *command: str):
        return subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=self.limit
        )

    def _mcqd(self, graph: ProductGraph, most: int = 0):
        path = self.folder / "graph.bin"
        with open(path, "wb") as file:
            np.array([len(graph), graph.rows.shape[1]], dtype=np.int64).tofile(file)
            graph.rows.tofile(file)

        def search():
            size, seconds, *_ = self._started(self.mcqd, str(path), str(most)).stdout.split()
            return float(seconds), int(size)

        return search

    def run_mcqd(self, graph: ProductGraph, most: int) -> tuple[float, int | None]:
        """Seconds and size after so many steps; size None if it ran out of time."""
        try:
            return self._mcqd(graph, most)()
        except subprocess.TimeoutExpired:
            return self.limit, None

    def _cliquer(self, graph: ProductGraph):
        path = self.folder / "graph.dimacs"
        one, other = np.nonzero(np.triu(graph.adjacency()))
        with open(path, "w", encoding="ascii") as file:
            file.write(f"p edge {len(graph)} {len(one)}\n")
            file.writelines(
                f"e {a} {b}\n" for a, b in zip((one + 1).tolist(), (other + 1).tolist())
            )

        def search():
            done = self._started(self.cliquer, str(path))
            stated = re.findall(r"([\d.]+) s +\(", done.stderr)
            return max(float(stated[-1]), 0.005), int(re.search(r"size=(\d+)", done.stdout)[1])

        return search

    def _mc_brb(self, graph: ProductGraph):
        neighbours = graph.listed
        if neighbours is None:
            neighbours = np.nonzero(graph.adjacency())[1]
        head = np.array([4, len(graph), len(neighbours)], dtype=np.int32)
        with open(self.folder / "b_degree.bin", "wb") as file:
            head.tofile(file)
            graph.degree.astype(np.int32).tofile(file)
        with open(self.folder / "b_adj.bin", "wb") as file:
            neighbours.astype(np.int32).tofile(file)

        def search():
            done = self._started(self.mc_brb, "MC-BRB", str(self.folder))
            told = re.search(r"Maximum Clique Size: (\d+),.*Total Time: ([\d,]+)", done.stdout)
            return max(int(told[2].replace(",", "")), 1) / 1e6, int(told[1])

        return search


def ours(graph: ProductGraph, rounds: int):
    """Return the least time of some rounds and the clique; gathering ties is not counted."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        clique = maximum_clique(graph, cliques=0)
        times.append(time.perf_counter() - start)
    return min(times), clique


@dataclass(frozen=True)
class Row:
    """What was measured on one instance: our seconds and those of each peer."""

    name: str
    density: float
    ours: float
    peers: dict[str, float]
    proven: bool

    def times_faster(self, *names: str) -> float:
        """How many times faster than the best of these peers."""
        return min(self.peers[name] for name in names) / self.ours


def compare(title: str, instances, peers: Peers, rounds: int) -> list[Row]:
    """Search every instance with everybody; print a line each; return the lines' figures."""
    print(f"\n{title}\n")
    print(
        f"{'instance':34}{'pairs':>7}{'edges':>9}{'size':>6}{'proven':>8}{'ours':>11}"
        + "".join(f"{name:>11}" for name in peers.names)
    )
    rows = []
    for name, arguments in instances:
        graph = product_graph(*arguments)
        seconds, clique = ours(graph, rounds)
        line = (
            f"{name:34}{len(graph):7}{100 * graph.density:8.3f}%{len(clique):6}"
            f"{'yes' if clique.proven else 'NO':>8}{1e3 * seconds:8.1f} ms"
        )
        theirs = {}
        for peer in peers.names:
            theirs[peer], size = peers.run(peer, graph, rounds)
            if size is not None and size != len(clique):
                raise RuntimeError(f"{name}: sizes differ: {len(clique)} and {peer}'s {size}")
            line += f"{'>' if size is None else ' '}{1e3 * theirs[peer]:7.1f} ms"
        print(line, flush=True)
        rows.append(Row(name, graph.density, seconds, theirs, clique.proven))
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


def noisy_lines(rows: list[Row], peers: Peers):
    """What is promised of graphs from noise on the coordinates."""
    lines = [at_least("instances proven", len(rows), sum(row.proven for row in rows))]
    if peers.cliquer:
        ratio = geometric_mean(row.times_faster("cliquer") for row in rows)
        lines.append(at_least("times faster than cliquer (geometric mean)", 25, ratio))
    dense = [row for row in rows if row.density > 0.003]
    if peers.names:
        best = min(row.times_faster(*peers.names) for row in dense)
        lines.append(at_least("times faster than the best peer above 0.3 %, least", 3, best))
    for peer in peers.names:
        ratios = [row.times_faster(peer) for row in dense]
        told = f"{min(ratios):.3g}; {geometric_mean(ratios):.3g}"
        lines.append(note(f"than {peer} there, least; geometric mean", told))
    sparse = [row.ours for row in rows if row.density <= 0.003]
    lines.append(at_most("slowest up to 0.3 %", 0.005, max(sparse), "s"))
    lines.append(note("median up to 0.3 %", f"{statistics.median(sparse):.3g} s"))
    towns = max(row.ours for row in rows if row.name.startswith("towns"))
    lines.append(at_most("slowest in towns", 0.5, towns, "s"))
    return lines


def embedded_lines(rows: list[Row], peers: Peers):
    """What is promised of graphs from Lipschitz embeddings."""
    rows = [row for row in rows if row.density <= 0.1]
    lines = [
        at_least("embeddings to 10 % proven", len(rows), sum(row.proven for row in rows)),
        at_most("slowest", 10, max(row.ours for row in rows), "s"),
    ]
    for peer in peers.names:
        worst = min(rows, key=lambda row: row.times_faster(peer))
        what = f"times faster than {peer}, least"
        if peer == "cliquer":
            lines.append(at_least(what, 1, worst.times_faster(peer)))
        else:
            lines.append(note(what, f"{worst.times_faster(peer):.3g}"))
        lines.append(note("that is in", worst.name))
    return lines


def hopeless_lines(seed: int, peers: Peers):
    """Where nothing can be proven: one second of ours against the paper's steps of MCQD."""
    lines = []
    for sets, size, alpha in HOPELESS:
        graph = product_graph(*embedded(True, sets, size, alpha, seed))
        clique = maximum_clique(graph, time_limit=1.0)
        seconds, theirs = peers.run_mcqd(graph, PAPER_STEPS)
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
    parser.add_argument("--mc-brb", metavar="PROGRAM", help="MC-BRB, built from its source")
    options = parser.parse_args()
    if options.mc_brb and shutil.which(options.mc_brb) is None:
        parser.error(f"{options.mc_brb} is no program that can be started")

    lines = graph_lines(options.seed, options.rounds)
    with tempfile.TemporaryDirectory() as folder:
        peers = Peers(Path(folder), options.limit, options.mc_brb)
        ours(product_graph(*noisy(True, 0.05, 0.9, options.seed + 1)), 1)  # compiles everything
        instances = (
            (
                f"{where}, sigma {sigma}, alpha {alpha}",
                noisy(where == "towns", sigma, alpha, options.seed),
            )
            for where in ("uniform", "towns")
            for sigma in SIGMAS
            for alpha in ALPHAS
        )
        rows = compare("Noise on the coordinates", instances, peers, options.rounds)
        lines += noisy_lines(rows, peers)
        if options.lipschitz:
            instances = (
                (
                    f"{where}, d {sets}, k {size}, alpha {alpha}",
                    embedded(where == "towns", sets, size, alpha, options.seed),
                )
                for where in ("uniform", "towns")
                for sets, size, alpha in EMBEDDINGS
            )
            rows = compare("Lipschitz embeddings", instances, peers, options.rounds)
            lines += embedded_lines(rows, peers)
        if options.unproven and peers.mcqd:
            peers.limit = max(options.limit, 900)
            lines += hopeless_lines(options.seed, peers)
    return table("Product graph and maximum clique", lines)


if __name__ == "__main__":
    sys.exit(main())
