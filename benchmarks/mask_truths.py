# SPDX-License-Identifier: GPL-2.0-or-later
"""What users of point masks are seldom told, measured: each line is one such truth.

    python benchmarks/mask_truths.py [--draws 5]

On the Dutch dwellings, 1,000 records. "Found" is the share whose likeliest address is the true one,
for an adversary who has the address list and knows the mask; "naive" takes the nearest address.
"""

from __future__ import annotations

import argparse
import sys

import _dwellings as dwellings
import numpy as np

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood, by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.several import combined
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.law import Law
from geoanon_qgis.core.masking.laws import Donut, Gaussian, disc
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.sizes import Neighbours
from geoanon_qgis.core.measures.risk import actual_k
from geoanon_qgis.core.space.sites import nearest_site

RECORDS, RELEASES = 1_000, 10


def secret(number: int) -> bytes:
    """Return the secret of a draw."""
    return number.to_bytes(32, "big")


def some(xy: np.ndarray, draw: int) -> np.ndarray:
    """Return rows of dwellings that are in the file."""
    return np.random.default_rng(2_000 + draw).permutation(len(xy))[:RECORDS]


def masked(xy: np.ndarray, rows: np.ndarray, law: Law, draw: int):
    """Mask some dwellings; return the points and their shifts."""
    own = law if law.count is None else law.of(rows)
    moved = displace(xy[rows], own, secret(draw + 1), "truths")
    return moved.xy, moved.shift


def line(what: str, **figures) -> None:
    """Print a row: the mean over draws of each figure, and from where to where."""
    told = []
    for name, values in figures.items():
        values = np.asarray(values, dtype=float)
        told.append(f"{name} {values.mean():.3g} ({values.min():.3g} to {values.max():.3g})")
    print(f"  {what:34}" + "; ".join(told), flush=True)


def hole(xy: np.ndarray, draws: int) -> None:
    """A donut and a disc of the same mean shift."""
    print("\nThe hole of a donut buys nothing (per cent found, mean shift 50 m)")
    for name, law in (("disc of 75 m", disc(75.0)), ("donut, 23 to 69 m", Donut(23.0, 69.0))):
        naive, informed, shifts = [], [], []
        for draw in range(draws):
            rows = some(xy, draw)
            points, shift = masked(xy, rows, law, draw)
            naive.append(100 * (nearest_site(xy, points)[0] == rows).mean())
            informed.append(100 * who_lives_there(by_law(points, xy, law)).right(rows).mean())
            shifts.append(shift.mean())
        line(name, naive=naive, informed=informed, shift=shifts)


def least(xy: np.ndarray, draws: int) -> None:
    """Donuts between the k_min-th and the k_max-th address."""
    print("\nAn adaptive donut does not keep its least k (per cent of records above 1 / k_min)")
    for low, high in ((5, 50), (20, 100), (50, 200)):
        inner, outer = Neighbours(xy).distances(xy, [low, high]).T
        law, above = Donut(inner, outer), []
        for draw in range(draws):
            rows = some(xy, draw)
            guesses = who_lives_there(by_law(masked(xy, rows, law, draw)[0], xy, law))
            above.append(100 * (guesses.top > (1 + 1e-9) / low).mean())
        line(f"k = {low} to {high}", above=above)


def radius(xy: np.ndarray, draws: int) -> None:
    """Points that all move by 50 m: the measure in use says 25, the attack finds nearly all."""
    print("\nActual k can say the opposite of the truth")
    law = Donut(49.99, 50.01)
    actual, found = [], []
    for draw in range(draws):
        rows = some(xy, draw)
        points, _ = masked(xy, rows, law, draw)
        actual.append(np.median(actual_k(xy[rows], points, xy)))
        found.append(100 * who_lives_there(by_law(points, xy, law)).right(rows).mean())
    line("fixed radius of 50 m", **{"median actual k": actual, "per cent found": found})
    graph, low, worst = partner_graph(xy, 20), [], []
    for draw in range(draws):
        rows = some(xy, draw)
        rows = rows[~graph.withheld[rows]]
        to = graph.partner_of(rows, np.random.default_rng(draw).random(len(rows)))
        low.append(100 * (actual_k(xy[rows], xy[to], xy) < 20).mean())
        likely = by_lists(to, graph.partners, len(xy), 1.0 / 20)
        worst.append(100 * who_lives_there(likely).top.max())
    line("exchange, k = 20", **{"per cent with an actual k below 20": low, "surest": worst})


def attributes(xy: np.ndarray, draws: int) -> None:
    """Attributes that the adversary knows of every address."""
    print("\nAn attribute that is known of all addresses (Gaussian of 40 m; per cent found)")
    law = Gaussian(40.0)
    for classes in (1, 2, 5, 10, 50):
        found = []
        for draw in range(draws):
            rows = some(xy, draw)
            of_each = np.random.default_rng(3_000 + draw).integers(classes, size=len(xy))
            likely = by_law(masked(xy, rows, law, draw)[0], xy, law)
            point = likely.point
            alike = of_each[likely.candidate] == of_each[rows][point]
            likely = Likelihood.of_pairs(
                likely.points, len(xy), point, likely.candidate, likely.value * alike
            )
            found.append(100 * who_lives_there(likely).right(rows).mean())
        line(f"{classes} classes" if classes > 1 else "none", found=found)


def member(xy: np.ndarray, draws: int) -> None:
    """The same mask, for who knows that somebody is in the file."""
    print("\n“Five per cent safe” can hand over every record (Gaussian of 40 m; per cent found)")
    law = Gaussian(40.0)
    for count in (1_000, 5_000, 20_000):
        place, record = [], []
        for draw in range(draws):
            rows = np.random.default_rng(2_000 + draw).permutation(len(xy))[:count]
            likely = by_law(masked(xy, rows, law, draw)[0], xy, law)
            place.append(100 * who_lives_there(likely).right(rows).mean())
            record.append(100 * which_record(likely, rows).right(np.arange(count)).mean())
        line(f"{count:,} records", **{"who lives there": place, "which record": record})


def again(xy: np.ndarray, draws: int) -> None:
    """The same records released ten times, each time drawn anew and linked by an id."""
    print("\nTen releases of the same people (per cent found)")
    inner, outer = Neighbours(xy).distances(xy, [20, 100]).T
    for name, law in (("disc of 75 m", disc(75.0)), ("donut, k = 20 to 100", Donut(inner, outer))):
        found: dict[int, list[float]] = {1: [], RELEASES: []}
        for draw in range(draws):
            rows = some(xy, draw)
            every = None
            for release in range(RELEASES):
                points, _ = masked(xy, rows, law, 1_000 * (release + 1) + draw)
                one = by_law(points, xy, law)
                every = one if every is None else combined(every, one, np.arange(len(rows)))
                if release + 1 in found:
                    right = who_lives_there(every).right(rows)
                    found[release + 1].append(100 * right.mean())
        line(name, **{f"after {number}": shares for number, shares in found.items()})
    graph, one, ten = partner_graph(xy, 20), [], []
    for draw in range(draws):
        rows = some(xy, draw)
        rows = rows[~graph.withheld[rows]]
        to = graph.partner_of(rows, np.random.default_rng(draw).random(len(rows)))
        likely = by_lists(to, graph.partners, len(xy), 1.0 / 20)
        every = likely
        for _ in range(RELEASES - 1):
            every = combined(every, likely, np.arange(len(rows)))
        one.append(100 * who_lives_there(likely).top.max())
        ten.append(100 * who_lives_there(every).top.max())
    line("exchange, k = 20, secret kept", **{"surest after 1": one, f"after {RELEASES}": ten})


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=5)
    options = parser.parse_args()
    if not dwellings.available():
        return 0
    xy = np.unique(dwellings.integer_metres(), axis=0)
    for job in (hole, least, radius, attributes, member, again):
        job(xy, options.draws)
    return 0


if __name__ == "__main__":
    sys.exit(main())
