# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi masking in the engine: speed against one SciPy k-d tree, memory, cancelling.

python benchmarks/engine_masking.py [--points 1000000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import _timing as timing
import numpy as np
from scipy.spatial import cKDTree

from geoanon_qgis.core.masking.voronoi import voronoi_mask


def clustered(count: int, rng: np.random.Generator) -> np.ndarray:
    """Places of uneven density, to the millimetre: dense towns on a thinly settled plain."""
    towns = rng.uniform(0, 200_000, (count // 2_000 + 1, 2))
    xy = towns[rng.integers(0, len(towns), count)] + rng.normal(0, 1_500, (count, 2))
    lonely = rng.random(count) < 0.1
    xy[lonely] = rng.uniform(0, 200_000, (int(lonely.sum()), 2))
    return np.round(xy, 3)


def layouts(count: int) -> dict[str, np.ndarray]:
    """Point sets that masks meet."""
    rng = np.random.default_rng(1)
    side = int(np.sqrt(count))
    lattice = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2)
    default_place = clustered(count, rng)
    default_place[rng.random(count) < 0.05] = [100_000.0, 100_000.0]
    return {
        "uniform": rng.uniform(0, 200_000, (count, 2)),
        "towns": clustered(count, rng),
        "integer metres, many shared places": np.floor(clustered(count, rng) / 10),
        "lattice, every point tied": rng.permutation(lattice.astype(float)),
        "5 % at one place": default_place,
    }


def tree_alone(xy: np.ndarray) -> None:
    """The peer: what any nearest-neighbour mask must do at least."""
    cKDTree(xy).query(xy, k=2)


def on_the_clock(xy: np.ndarray, rounds: int) -> tuple[float, float, float]:
    """Medians: seconds of the mask, of the tree, and of their ratio."""
    # With a progress callback, as in QGIS.
    jobs = {
        "mask": lambda: voronoi_mask(xy, lambda fraction: None),
        "tree": lambda: tree_alone(xy),
    }
    times = timing.take_turns(jobs, rounds)
    return (
        statistics.median(times["mask"]),
        statistics.median(times["tree"]),
        timing.median_ratio(times["mask"], times["tree"]),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    lines = []
    sets = layouts(chosen.points)
    for name, xy in sets.items():
        # Ties and crowded places need more than one tree; the promise is for plain points.
        rounds = chosen.rounds if name in ("uniform", "towns") else 1
        mask, tree, ratio = on_the_clock(xy, rounds)
        what = f"mask / k-d tree, {name}"
        if name in ("uniform", "towns"):
            lines.append(timing.at_most(what, 1.3, ratio))
        else:
            lines.append(timing.note(what, f"{ratio:.3g}"))
        lines.append(timing.note(f"seconds, {name}", f"{mask:.2f} s against {tree:.2f} s"))

    with tempfile.TemporaryDirectory() as folder:
        for name, xy in sets.items():
            # Read from a file, the coordinates leave no freed memory behind to be used again.
            file = Path(folder, "xy.npy")
            np.save(file, xy)
            grown = timing.peak_memory(
                "import numpy as np\n"
                "from geoanon_qgis.core.masking.voronoi import voronoi_mask\n"
                f"xy = np.load({str(file)!r})\n"
                "voronoi_mask(xy[:100])",
                "mask = voronoi_mask(xy, lambda fraction: None)",
            )
            # The coordinates themselves are part of what the job holds.
            share = 1 + grown / xy.nbytes
            lines.append(timing.at_most(f"peak memory / coordinates, {name}", 10, share))

    for name in ("towns", "5 % at one place"):
        xy = sets[name]
        whole = timing.seconds(lambda xy=xy: voronoi_mask(xy, lambda fraction: None))
        worst = max(
            timing.cancel_delay(lambda told, xy=xy: voronoi_mask(xy, told), share * whole)
            for share in np.linspace(0.02, 0.95, 12)
        )
        what = f"cancel to return, worst of 12 moments, {name}"
        lines.append(timing.at_most(what, 0.5, worst, "s"))
    return timing.table(f"Voronoi masking of {chosen.points:,} points, engine", lines)


if __name__ == "__main__":
    sys.exit(main())
