# SPDX-License-Identifier: GPL-2.0-or-later
"""Street masking in the engine, against the searches of SciPy and networkx; adaptive Voronoi masking.

python benchmarks/streets.py [--blocks 120] [--starts 400] [--points 50000] [--rounds 3]
"""

from __future__ import annotations

import argparse
import sys

import _timing as timing
import numpy as np

from geoanon_qgis.core.masking.adaptive_voronoi import adaptive_voronoi
from geoanon_qgis.core.masking.streets import Search, reached_from, street_mask, street_targets
from geoanon_qgis.core.runtime.geos import shapely
from geoanon_qgis.core.space.street_network import StreetNetwork, street_network

SECRET = bytes(range(32))
#: Metres between the streets of a town that is nearly a grid.
_BLOCK = 90.0


def lines_of_a_town(blocks: int) -> list:
    """Streets from crossing to crossing; a tenth of them are missing."""
    rng = np.random.default_rng(1)
    corner = np.stack(np.meshgrid(np.arange(blocks), np.arange(blocks)), -1) * _BLOCK
    corner = corner + rng.uniform(-25, 25, corner.shape)
    ways = [*corner, *corner.transpose(1, 0, 2)]
    pieces = np.array([way[at : at + 2] for way in ways for at in range(blocks - 1)])
    return list(shapely().linestrings(pieces[rng.random(len(pieces)) < 0.9]))


def targets_of(pool: list[tuple[float, int]], search: Search) -> list[int]:
    """Where n = low .. high - 1 lead, from the nodes within reach in order."""
    if len(pool) < search.high - 1:
        return [-1] * (search.high - search.low)
    found = []
    for number in range(search.low, search.high):
        mean = sum(away for away, _ in pool[:number]) / number
        found.append(min(pool[:number], key=lambda one: (abs(one[0] - mean), one))[1])
    return found


def by_scipy(network: StreetNetwork, starts: np.ndarray, search: Search) -> list[list[int]]:
    """Search all within the limit, as SciPy does."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    shape = (len(network.xy), len(network.xy))
    links = csr_matrix((network.length, network.neighbour, network.first), shape=shape)
    found = []
    for one in starts.tolist():
        away = dijkstra(links, indices=one, limit=search.max_length)
        there = np.flatnonzero(np.isfinite(away))
        found.append(targets_of(sorted(zip(away[there].tolist(), there.tolist())), search))
    return found


def by_networkx(graph, starts: np.ndarray, search: Search) -> list[list[int]]:
    """Search as published programs do."""
    from networkx import single_source_dijkstra_path_length

    found = []
    for one in starts.tolist():
        away = single_source_dijkstra_path_length(graph, one, search.max_length, "weight")
        found.append(targets_of(sorted((d, node) for node, d in away.items()), search))
    return found


def streets(blocks: int, starts: int, points: int, rounds: int) -> list[timing.Line]:
    """Pools and targets, and whole masks."""
    import networkx

    lines, search = lines_of_a_town(blocks), Search()
    network = street_network(lines)
    rng = np.random.default_rng(3)
    some = np.sort(rng.choice(len(network.xy), min(starts, len(network.xy)), replace=False))
    graph = networkx.Graph()
    source = np.repeat(np.arange(len(network.xy)), np.diff(network.first))
    graph.add_weighted_edges_from(
        zip(source.tolist(), network.neighbour.tolist(), network.length.tolist())
    )
    xy = rng.uniform(0, blocks * _BLOCK, (points, 2))
    ours = street_targets(network, some, search).tolist()
    same = ours == by_scipy(network, some, search) == by_networkx(graph, some, search)
    mask = street_mask(xy, network, search, SECRET, "benchmark")
    jobs = {
        "ours": lambda: street_targets(network, some, search),
        "SciPy": lambda: by_scipy(network, some, search),
        "networkx": lambda: by_networkx(graph, some, search),
        "network": lambda: street_network(lines),
        "mask": lambda: street_mask(xy, network, search, SECRET, "benchmark"),
        "reached": lambda: reached_from(network, mask.node[mask.node >= 0], search),
    }
    times = timing.take_turns(jobs, rounds)
    return [
        timing.note("network", f"{len(network.xy):,} nodes of {len(lines):,} lines"),
        timing.Line(f"targets of {len(some)} starts", "those of both", str(same), same),
        timing.at_least("SciPy / ours", 5.0, timing.median_ratio(times["SciPy"], times["ours"])),
        timing.at_least(
            "networkx / ours", 5.0, timing.median_ratio(times["networkx"], times["ours"])
        ),
        timing.note("seconds, lines to network", f"{min(times['network']):.3g} s"),
        timing.note(f"seconds, {points:,} points", f"{min(times['mask']):.3g} s"),
        timing.note("seconds, starts of what was released", f"{min(times['reached']):.3g} s"),
        timing.note("nodes a point can go to, median", f"{np.median(mask.choices):g}"),
    ]


def adaptive(points: int, rounds: int) -> list[timing.Line]:
    """Adaptive Voronoi masking in square areas, with a crossing at every block."""
    side = np.arange(60) * 500.0
    corners = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    areas = list(shapely().box(*corners.T, *(corners + 500.0).T))
    rng = np.random.default_rng(5)
    xy = rng.uniform(0, 30_000, (points, 2))
    area = (xy[:, 1] // 500).astype(int) * 60 + (xy[:, 0] // 500).astype(int)
    crossings = rng.uniform(0, 30_000, (100_000, 2))

    def job(known=None, inside=False):
        return adaptive_voronoi(xy, areas, area, SECRET, "benchmark", known, inside)

    kept, left = job(crossings, True), job(crossings)
    jobs = {"edges": job, "inside": lambda: job(crossings, True)}
    times = timing.take_turns(jobs, rounds)
    return [
        timing.at_most("KEEP_INSIDE: share outside its area", 0.0, float(kept.outside.mean())),
        timing.note("as published: share outside its area", f"{left.outside.mean():.3f}"),
        timing.note(f"seconds, {points:,} points to edges", f"{min(times['edges']):.3g} s"),
        timing.note("seconds, with crossings", f"{min(times['inside']):.3g} s"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=120)
    parser.add_argument("--starts", type=int, default=400)
    parser.add_argument("--points", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    lines = streets(chosen.blocks, chosen.starts, chosen.points, chosen.rounds)
    timing.table("Street masking", lines)
    timing.table("Adaptive Voronoi masking", adaptive(chosen.points, chosen.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
