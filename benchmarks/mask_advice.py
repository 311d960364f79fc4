# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what is recommended hold? Masks that were found to hold, attacked on draws of their own.

    python benchmarks/mask_advice.py [--runs 100] [--limit 0.05] [--on 99 mean every]
        [--adversary whose_place which_record] [--seconds 3600] [--first 0] [--time]

Each run has data of its own: places of records, drawn from a part of the 86,813 Dutch addresses
round a random one of them where they are at hand, or from a made-up town (even runs: records drawn
evenly; odd ones: from a neighbourhood where they are ten times as frequent). ``choosemask``'s engine
finds the smallest size of every mask. Every mask that it says holds is then drawn anew, by the code
that releases (``displace``, ``partner_graph``, ``mask_in_groups``, ...), from a secret that nothing
was chosen by, and attacked with all pairs of a point and an address, and all points together. Said
to be kept: that no more than what was limited is above the limit in that draw. Printed: in how many
of the runs that held, by mask and in all, with Wilson's interval; the recommended mask apart.

``--time`` runs one choice of all masks with 5,000 records and all addresses, and tells how long it took.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

import _dwellings as dwellings
import _timing  # noqa: F401  puts the checkout on the path
import numpy as np

from geoanon_qgis.core.attacks.masks.likelihood import by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.experiments.masks.advice import FAMILIES, advise, families
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.search import HELD, Found
from geoanon_qgis.core.experiments.masks.standing import ABOVE, MEAN, MOST_RECORDS, ON, Limit
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.partners import partner_graph

#: Masks that are drawn anew; cells and squares do not hang on a draw, and were proved.
DRAWN = [*FAMILIES[:8], "exchange", "groups"]
#: Addresses and records of a run.
_ADDRESSES, _RECORDS = 4_000, 500


def case_of(run: int, all_of_them: np.ndarray | None, adversaries: tuple[str, ...]) -> Case:
    """Data of a run."""
    rng = np.random.default_rng([77, run])
    if all_of_them is None:
        near, far = rng.normal(0, 400, (2_000, 2)), rng.uniform(-2_000, 2_000, (2_000, 2))
        xy = np.unique(np.round(np.concatenate([near, far]), 1), axis=0)
    else:
        middle = all_of_them[rng.integers(len(all_of_them))]
        away = np.hypot(*(all_of_them - middle).T)
        xy = all_of_them[np.sort(np.argsort(away)[:_ADDRESSES])]
    weight = np.ones(len(xy))
    if run % 2:
        away = np.hypot(*(xy - xy[rng.integers(len(xy))]).T)
        weight[np.argsort(away)[: len(xy) // 10]] = 10.0
    home = np.sort(rng.choice(len(xy), _RECORDS, replace=False, p=weight / weight.sum()))
    return Case(xy[home], home, xy, adversaries=adversaries)


def attacked(case: Case, found: Found, run: int) -> dict[str, np.ndarray]:
    """Largest probabilities of both adversaries, in a draw that nothing was chosen by."""
    rng, count = np.random.default_rng([991, run]), len(case.candidates)
    size, family = found.standing.size, found.family
    tops = {}
    if family.name in ("exchange", "groups"):
        graph = partner_graph(case.candidates, int(found.parameters["K"]))
        if family.name == "groups":
            trial = family.trial(case, size, rng, np.arange(case.people), True)
            # B is told the groups; that he finds no more is counted, not taken from what was proved.
            return trial.tops
        to = graph.partner_of(case.home, rng.random(case.people))
        pairs = by_lists(to, graph.partners, count, 1.0 / graph.k)
    else:
        law = family.law_of(case, size)
        own = law.of(case.home) if law.count is not None else law
        moved = displace(case.xy, own, rng.bytes(32), "maskdisplace")
        pairs = by_law(moved.xy, case.candidates, law)
    if PLACE in case.adversaries:
        tops[PLACE] = who_lives_there(together(pairs)).top
    if RECORD in case.adversaries:
        tops[RECORD] = which_record(pairs, case.home).top
    return tops


def kept(tops: np.ndarray, limit: Limit) -> bool:
    """Whether a draw keeps what was limited."""
    tops = tops[~np.isnan(tops)]
    if limit.on == MEAN:
        return bool(tops.mean() <= limit.share * (1 + 1e-9))
    above = (tops > limit.share * (1 + 1e-9)).mean()
    return bool(above <= (ABOVE if limit.on == MOST_RECORDS else 0.0))


def timed(all_of_them: np.ndarray, limit: Limit) -> None:
    """Choose among all masks, once."""
    home = np.sort(np.random.default_rng(1).choice(len(all_of_them), 5_000, replace=False))
    case = Case(all_of_them[home], home, all_of_them)
    start, used = time.perf_counter(), time.process_time()
    advice = advise(case, families(FAMILIES, limit), limit, ["shift", "scan"], 1)
    for one in advice.found:
        size = one.standing.size if one.standing else float("nan")
        print(f"  {one.family.name:24}{one.state:12}{size:10.5g}", flush=True)
    name = advice.best.family.name if advice.best else "none"
    print(
        f"{len(home):,} records, {len(all_of_them):,} addresses, limit {limit.share:g} on {limit.on}:"
        f" {time.perf_counter() - start:.0f} s, {time.process_time() - used:.0f} s of CPU;"
        f" recommended: {name}"
    )


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--limit", type=float, default=0.1)
    parser.add_argument("--on", nargs="+", choices=ON, default=[MEAN, MOST_RECORDS])
    parser.add_argument("--adversary", nargs="+", choices=BOTH, default=list(BOTH))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--time", action="store_true")
    options = parser.parse_args()
    listed = np.unique(dwellings.integer_metres(), axis=0) if dwellings.available() else None
    if options.time:
        if listed is not None:
            timed(listed, Limit(options.limit, options.on[0]))
        return 0
    start = time.monotonic()
    held: dict[tuple[str, str], list[bool]] = defaultdict(list)
    taken: dict[str, list[bool]] = defaultdict(list)
    for run in range(options.first, options.first + options.runs):
        if time.monotonic() - start > options.seconds:
            print(f"Stopped after {run - options.first} runs.")
            break
        case = case_of(run, listed, tuple(options.adversary))
        for on in options.on:
            limit = Limit(options.limit, on)
            advice = advise(case, families(FAMILIES, limit), limit, ["shift"], 1_000 + run)
            if advice.best is not None and advice.best.family.name not in DRAWN:
                taken[on].append(advice.best.standing.holds(limit))
            for one in advice.found:
                if one.state != HELD or one.family.name not in DRAWN:
                    continue
                tops = attacked(case, one, run)
                good = all(kept(each, limit) for each in tops.values())
                held[on, one.family.name].append(good)
                if one is advice.best:
                    taken[on].append(good)
            every = [good for (what, _), some in held.items() if what == on for good in some]
            print(
                f"run {run}, {on}: recommended {advice.best.family.name if advice.best else 'none'};"
                f" masks so far {sum(every)} of {len(every)}, recommended {sum(taken[on])} of"
                f" {len(taken[on])}",
                flush=True,
            )
    for on in options.on:
        print(f"\nLimit {options.limit:g} on {on}, in a draw that nothing was chosen by")
        for (what, name), some in held.items():
            if what == on:
                print(f"  {name:24}{_said(some)}")
        print(
            f"  {'all that held':24}{_said([x for k, v in held.items() if k[0] == on for x in v])}"
        )
        print(f"  {'recommended':24}{_said(taken[on])}")
    return 0


def _said(some: list[bool]) -> str:
    low, high = wilson(sum(some), len(some))
    return f"kept in {sum(some)} of {len(some)} (95 % interval {low:.1%} to {high:.1%})"


if __name__ == "__main__":
    sys.exit(main())
