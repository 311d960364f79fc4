# SPDX-License-Identifier: GPL-2.0-or-later
"""The posterior attack on displaced points in the engine: time and memory, against its pairs alone.

    python benchmarks/mask_attack.py [--rounds 3] [--large] [--huge]

The peer finds the pairs and nothing else: a k-d tree of the candidates and SciPy's
``sparse_distance_matrix`` from a tree of the points. The engine finds them, too, and then weighs
them, for adversary A (all points together) and for adversary B. CPU time, as the machine may be busy;
one thread. ``--large``: 50,000 points. ``--huge``: 127 million pairs, which takes 4 GB.
"""

from __future__ import annotations

import argparse
import sys
import time

import _dwellings as dwellings
import _timing as timing
import numpy as np
from scipy.spatial import cKDTree

from geoanon_qgis.core.attacks.masks.likelihood import by_law, of_homes
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Gaussian
from geoanon_qgis.core.masking.sizes import Neighbours, law_of_radii
from geoanon_qgis.core.runtime import accel

SECRET = bytes(range(32))
#: Addresses on a square of 20 km; with sigma = 32 m a point has 331 of them within reach.
CANDIDATES, SIDE, SIGMA = 1_000_000, 20_000.0, 32.0


def made_up(points: int, sigma: float = SIGMA):
    """Return a million addresses, the rows of some, and these displaced by a normal law."""
    rng = np.random.default_rng(1)
    xy = rng.uniform(0, SIDE, (CANDIDATES, 2))
    rows = rng.permutation(CANDIDATES)[:points]
    law = Gaussian(sigma)
    return xy, rows, law, displace(xy[rows], law, SECRET, "benchmark").xy


def peer(xy, law, released) -> int:
    """Pairs alone."""
    far = float(law.reach(1e-9))
    here = cKDTree(released)
    return len(here.sparse_distance_matrix(cKDTree(xy), far, output_type="ndarray"))


def posteriors(xy, rows, law, released):
    """Both adversaries, each point by itself."""
    likelihood = by_law(released, xy, law)
    return who_lives_there(likelihood), which_record(likelihood, rows)


def whole(xy, rows, law, released):
    """Both adversaries, A by all points together: what ``geoanon:attackmask`` does."""
    likelihood = by_law(released, xy, law)
    record = which_record(likelihood, rows)
    return who_lives_there(together(likelihood)), record


def cpu(job) -> float:
    """Seconds of the processor."""
    start = time.process_time()
    job()
    return time.process_time() - start


def against_pairs(name, xy, rows, law, released, rounds, budget=None) -> list[timing.Line]:
    """Time engine and peer in turn."""
    jobs = {
        "pairs alone": lambda: peer(xy, law, released),
        "both adversaries": lambda: posteriors(xy, rows, law, released),
        "all points together": lambda: whole(xy, rows, law, released),
    }
    whole(xy[:500], np.arange(50), law if law.count is None else law.of(np.arange(500)), xy[:50])
    times = {job: [] for job in jobs}
    for _ in range(rounds):
        for job, work in jobs.items():
            times[job].append(cpu(work))
    base = times["pairs alone"]
    lines = [
        timing.note(f"{name}: pairs that the peer finds", f"{peer(xy, law, released):,}"),
        timing.note(f"{name}: CPU of the peer", f"{min(base):.3g} s"),
    ]
    for job in list(jobs)[1:]:
        ratio = timing.median_ratio(times[job], base)
        what = f"{name}: {job} / peer"
        lines.append(
            timing.at_most(what, budget, ratio) if budget else timing.note(what, f"{ratio:.3g}")
        )
        lines.append(timing.note(f"{name}: CPU of {job}", f"{min(times[job]):.3g} s"))
    return lines


def without_numba(name, *given) -> list[timing.Line]:
    """The same attack compiled and not."""
    if not accel.available():
        return [timing.note(f"{name}: numba", "not installed")]
    results, taken, was = {}, {}, accel.enabled()
    try:
        for on in (True, False):
            accel.set_enabled(on)
            taken[on] = cpu(lambda on=on: results.update({on: whole(*given)}))
    finally:
        accel.set_enabled(was)
    same = all(
        np.array_equal(getattr(one, field), getattr(other, field))
        for one, other in zip(results[True], results[False])
        for field in ("first", "answer", "probability", "best", "tied")
    )
    told = f"{taken[True]:.3g} s with, {taken[False]:.3g} s without"
    return [timing.Line(f"{name}: numba", "same result", told, same)]


_SETUP = """
import sys
sys.path.insert(0, "benchmarks")
import mask_attack
from geoanon_qgis.core.attacks.masks.likelihood import of_homes
from geoanon_qgis.core.attacks.masks.posterior import which_record
some = mask_attack.made_up(100)
mask_attack.whole(some[0][:500], some[1][:0], some[2], some[3])
xy, rows, law, released = mask_attack.made_up({points}, {sigma})
"""
_B_ALONE = """
part, anybody = of_homes(released, xy, law, rows)
which_record(part, rows, None, anybody)
"""


def memory(points: int, sigma: float, work: str) -> float:
    """Peak in gigabytes, without the lists of addresses and points."""
    return timing.peak_memory(_SETUP.format(points=points, sigma=sigma), work) / 1e9


def of_dwellings(rounds: int) -> list[timing.Line]:
    """Real places, and a law that is sized for each."""
    xy = np.unique(dwellings.integer_metres(), axis=0)
    lines = []
    radii = Neighbours(xy).distances(xy, [20])[:, 0]
    rows = np.random.default_rng(2).permutation(len(xy))[:5_000]
    for name, law in {
        "dwellings, Gaussian 40 m": Gaussian(40.0),
        "dwellings, adaptive Gaussian k = 20": law_of_radii("gaussian", radii),
    }.items():
        own = law if law.count is None else law.of(rows)
        released = displace(xy[rows], own, SECRET, "benchmark").xy
        if law.count is None:  # one distance for all would be the largest: nearly every pair
            lines += against_pairs(name, xy, rows, law, released, rounds)
        lines += without_numba(name, xy, rows, law, released)
    return lines


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--huge", action="store_true")
    options = parser.parse_args()
    lines = []
    xy, rows, law, released = made_up(5_000)
    lines += against_pairs("5,000 of a million", xy, rows, law, released, options.rounds, 2.0)
    lines += without_numba("5,000 of a million", xy, rows, law, released)
    if dwellings.available():
        lines += of_dwellings(options.rounds)
    if options.large:
        xy, rows, law, released = made_up(50_000)
        lines += against_pairs("50,000 of a million", xy, rows, law, released, options.rounds)
        taken = cpu(lambda: whole(xy, rows, law, released))
        lines.append(timing.at_most("50,000 of a million: CPU", 10.0, taken, "s"))
        peak = memory(50_000, SIGMA, "mask_attack.whole(xy, rows, law, released)")
        lines.append(timing.at_most("50,000 of a million: memory", 1.5, peak, "GB"))
    if options.huge:
        work = "mask_attack.whole(xy, rows, law, released)"
        for name, job in (("both adversaries", work), ("B alone", _B_ALONE)):
            peak = memory(50_000, 88.7, job)
            lines.append(timing.note(f"127 million pairs, {name}: memory", f"{peak:.3g} GB"))
        xy, rows, law, released = made_up(50_000, 88.7)
        taken = timing.seconds(lambda: of_homes(released, xy, law, rows))
        lines.append(timing.note("127 million pairs, B alone: wall time", f"{taken:.3g} s"))
    return timing.table("Posterior attack on displaced points, engine", lines)


if __name__ == "__main__":
    sys.exit(main())
