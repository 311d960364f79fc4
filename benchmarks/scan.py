# SPDX-License-Identifier: GPL-2.0-or-later
"""Kulldorff's scan statistic: seconds, memory, how soon a cancel is heard, and what masks leave of it.

    python benchmarks/scan.py [--records 5000] [--draws 999] [--repeats 5]

On the Dutch dwellings. The floor of a draw is one look-up of the ring of each case at each centre,
which NumPy's ``take`` does. What masks leave: a cluster with a radius of 350 m and four times the risk
is planted among 1,000 records; told are the means over the repetitions of the Jaccard index (population
in the most likely cluster before and after) and of the ratio of the LLR. A mean Jaccard index of the
cluster found without a mask with the planted one stands first.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings as dwellings
import _timing as timing
import numpy as np

from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, disc
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.sizes import Neighbours
from geoanon_qgis.core.measures.scan import kept, largest_of_draws, scan
from geoanon_qgis.core.measures.scan_circles import at_risk, circles

_RADIUS, _RISK, _RECORDS = 350.0, 4.0, 1_000


def speed(xy: np.ndarray, records: int, draws: int) -> int:
    """Print seconds of each step, and against the floor."""
    sites = at_risk(xy)
    look_at = circles(sites)
    where = np.sort(np.random.default_rng(1).integers(0, len(sites.xy), records))
    rng = np.random.default_rng(2)
    jobs = {
        "draws": lambda: largest_of_draws(look_at, records, 20, rng),
        "floor": lambda: [look_at.ring.take(where, axis=1) for _ in range(20)],
        "circles": lambda: circles(sites),
        "sites": lambda: at_risk(xy),
    }
    times = timing.take_turns(jobs, 3)
    delay = timing.cancel_delay(
        lambda told: largest_of_draws(look_at, records, 100_000, rng, told), 0.5
    )
    whole = timing.seconds(lambda: largest_of_draws(look_at, records, draws, rng))
    return timing.table(
        f"{len(xy):,} places, {records:,} cases, {len(look_at.centre)} centres",
        [
            timing.note("places to sites", f"{min(times['sites']):.2f} s"),
            timing.note("circles", f"{min(times['circles']):.2f} s"),
            timing.note(f"{draws} draws", f"{whole:.2f} s"),
            timing.at_most(
                "a draw / the floor", 4, timing.median_ratio(times["draws"], times["floor"])
            ),
            timing.at_most("a cancel is heard", 0.5, delay, "s"),
        ],
    )


def left(xy: np.ndarray, repeats: int) -> None:
    """Print what masks leave of a planted cluster."""
    xy = np.unique(xy, axis=0)
    sites = at_risk(xy)
    look_at = circles(sites)
    by_k = Neighbours(xy).distances(xy, [20, 100])
    laws = {
        "disc of 75 m": disc(75.0),
        "disc of 340 m": disc(340.0),
        "Gaussian of 100 m": Gaussian(100.0),
        "donut, 20th to 100th address": Donut(by_k[:, 0], by_k[:, 1]),
        "Gaussian by the 100th address": Gaussian(by_k[:, 1] / np.sqrt(2)),
    }
    graph = partner_graph(xy, 20)
    found: dict[str, list[tuple[float, float]]] = {}
    for number in range(repeats):
        rng = np.random.default_rng(100 + number)
        middle = xy[rng.integers(len(xy))]
        inside = np.hypot(*(xy - middle).T) <= _RADIUS
        risk = np.where(inside & ~graph.withheld, _RISK, 1.0) * ~graph.withheld
        rows = rng.choice(len(xy), _RECORDS, replace=False, p=risk / risk.sum())
        before = scan(look_at, sites.count(xy[rows]))
        planted = np.hypot(*(sites.xy - middle).T) <= _RADIUS
        mine = np.zeros(len(sites.xy), dtype=bool)
        mine[before.clusters[0].sites] = True
        both, either = (sites.population[one].sum() for one in (mine & planted, mine | planted))
        found.setdefault("unmasked, against the planted one", []).append((both / either, 1.0))
        released = {}
        for name, law in laws.items():
            own = law if law.count is None else law.of(rows)
            released[name] = displace(xy[rows], own, bytes([number]) * 32, "scan").xy
        released["exchange, k = 20"] = xy[graph.partner_of(rows, rng.random(len(rows)))]
        for name, points in released.items():
            one = kept(look_at, before, scan(look_at, sites.count(points)))
            found.setdefault(name, []).append((one.jaccard, one.ratio))
    print(f"\nWhat masks leave of a cluster, {repeats} repetitions\n")
    for name, values in found.items():
        table = np.array(values)
        error = table[:, 0].std(ddof=1) / np.sqrt(repeats) if repeats > 1 else np.nan
        mean = f"Jaccard {table[:, 0].mean():.2f} ± {error:.2f}, LLR ratio {table[:, 1].mean():.2f}"
        print(f"  {name:36}{mean}", flush=True)


def main() -> int:
    """Run both."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=5_000)
    parser.add_argument("--draws", type=int, default=999)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    if not dwellings.available():
        return 0
    xy = dwellings.integer_metres()
    speed(xy, options.records, options.draws)
    if options.repeats:
        left(xy, options.repeats)
    return 0


if __name__ == "__main__":
    sys.exit(main())
