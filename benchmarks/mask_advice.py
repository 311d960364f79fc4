# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what is recommended hold? Masks that were found to hold, attacked on draws of their own.

    python benchmarks/mask_advice.py [--runs 100] [--limit 0.05] [--on 99 mean every]
        [--adversary whose_place which_record] [--seconds 3600] [--first 0] [--time]
        [--kind dwellings|town|valley|grid|even|terraces|hamlets|rings] [--prior-odds 1]

Each run has data of its own: places of records, drawn from a part of the 86,813 Dutch addresses
round a random one of them where they are at hand, or from a made-up town (even runs: records drawn
evenly; odd ones: from a neighbourhood where they are ten times as frequent); ``--kind`` takes another
town (``_mask_kinds.py``). ``choosemask``'s engine
finds the smallest size of every mask. Every mask that it says holds is then drawn anew, by the code
that releases (``displace``, ``partner_graph``, ``mask_in_groups``, ...), from a secret that nothing
was chosen by, and attacked with all pairs of a point and an address, and all points together. Said
to be kept: that no more than what was limited is above the limit in that draw. Printed: in how many
of the runs that held, by mask and in all, with Wilson's interval; the recommended mask apart, and how
often he finds no larger share behind it than the upper end that the verdict states. What was recommended
must be what the verdict says may be released; of how many runs nothing was is printed, too.

``--prior-odds`` asks for masks that hold against who may hold addresses for so many times as likely as the
list says (PRIOR_ODDS). Odd runs then have a neighbourhood with so many times as many records, and who
attacks is told where.

``--time`` runs one choice of all masks with 5,000 records and all addresses, and tells how long it took.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict

import _dwellings as dwellings
import _mask_kinds as mask_kinds
import _timing  # noqa: F401  puts the checkout on the path
import numpy as np

from geoanon_qgis.core.attacks.masks import grouped
from geoanon_qgis.core.attacks.masks.known_groups import closer
from geoanon_qgis.core.attacks.masks.likelihood import by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.swapping import ClassOfAddress, by_rings
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.experiments.masks.advice import FAMILIES, advise, families
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.search import HELD, Found
from geoanon_qgis.core.experiments.masks.standing import ABOVE, MEAN, MOST_RECORDS, ON, Limit
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.location_swap import swap_locations
from geoanon_qgis.core.masking.partners import PartnerGraph, partner_graph
from geoanon_qgis.core.masking.record_groups import mask_in_groups
from geoanon_qgis.core.masking.swap_rings import Candidates, RingRule
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.core.verdict import RELEASE_WITH_CARE

#: Masks that are drawn anew; cells and squares do not hang on a draw, and were proved.
DRAWN = [*FAMILIES[:8], "swap", "exchange", "groups"]
#: Addresses and records of a run.
_ADDRESSES, _RECORDS = 4_000, 500


def case_of(
    run: int,
    all_of_them: np.ndarray | None,
    adversaries: tuple[str, ...],
    kind: str = "town",
    prior_odds: float = 1.0,
) -> tuple[Case, np.ndarray | None]:
    """Data of a run, and what is told of how often addresses are in the file."""
    rng = np.random.default_rng([77, run])
    if kind in (*mask_kinds.KINDS, *mask_kinds.MORE):
        xy = mask_kinds.addresses(kind, _ADDRESSES, rng)
    elif all_of_them is None:
        near, far = rng.normal(0, 400, (2_000, 2)), rng.uniform(-2_000, 2_000, (2_000, 2))
        xy = np.unique(np.round(np.concatenate([near, far]), 1), axis=0)
    else:
        middle = all_of_them[rng.integers(len(all_of_them))]
        away = np.hypot(*(all_of_them - middle).T)
        xy = all_of_them[np.sort(np.argsort(away)[:_ADDRESSES])]
    weight = np.ones(len(xy))
    if run % 2:
        away = np.hypot(*(xy - xy[rng.integers(len(xy))]).T)
        weight[np.argsort(away)[: len(xy) // 10]] = 10.0 if prior_odds == 1 else prior_odds
    home = np.sort(rng.choice(len(xy), _RECORDS, replace=False, p=weight / weight.sum()))
    case = Case(xy[home], home, xy, adversaries=adversaries, prior_odds=prior_odds)
    return case, None if prior_odds == 1 else weight


def attacked(case: Case, found: Found, run: int, told: np.ndarray | None) -> dict[str, np.ndarray]:
    """Largest probabilities of both adversaries, in a draw that nothing was chosen by."""
    rng, count = np.random.default_rng([991, run]), len(case.candidates)
    size, family = found.standing.size, found.family
    tops = {}
    if family.name in ("exchange", "groups"):
        graph = partner_graph(case.candidates, int(found.parameters["K"]))
        if family.name == "groups":
            return of_groups(case, found, graph, rng, told)
        to = graph.partner_of(case.home, rng.random(case.people))
        pairs = by_lists(to, graph.partners, count, 1.0 / graph.k)
    elif family.name == "swap":
        listed = Candidates.of(case.candidates)
        rule = RingRule(0.0, float(found.parameters["MAX"]), int(found.parameters["K"]))
        moved = swap_locations(case.xy, listed, rule, rng.bytes(32), "masklocationswap")
        everybody = {None: ClassOfAddress(np.arange(count), np.ones(count))}
        pairs = by_rings(moved.row, case.candidates, listed, rule, everybody)
    else:
        law = family.law_of(case, size)
        own = law.of(case.home) if law.count is not None else law
        moved = displace(case.xy, own, rng.bytes(32), "maskdisplace")
        pairs = by_law(moved.xy, case.candidates, law)
    if PLACE in case.adversaries:
        tops[PLACE] = who_lives_there(together(pairs, told)).top
    if RECORD in case.adversaries:
        tops[RECORD] = which_record(pairs, case.home, told).top
    return tops


#: Guesses of A of which he is surer than was proved he can be, and those of them that are right.
SURER = [0, 0.0]


def of_groups(case: Case, found: Found, graph: PartnerGraph, rng, told) -> dict[str, np.ndarray]:
    """Largest probabilities of both, who are told the groups.

    What A works out is an approximation. Where it is above what was proved, he is told to be as sure
    as was proved; of these guesses it is counted how many are right.
    """
    least = int(found.parameters["K_RECORDS"])
    made = mask_in_groups(graph, case.home, *rng.random((2, case.people)), least)
    slot = np.minimum(np.searchsorted(made.place, case.home), len(made.place) - 1)
    group = np.where(made.place[slot] == case.home, made.group[slot], -1)
    tops = {}
    if RECORD in case.adversaries:
        tops[RECORD] = np.where(group >= 0, 1.0 / np.bincount(group[group >= 0])[group], np.nan)
    if PLACE in case.adversaries:
        pairs = by_lists(made.at(case.home), graph.partners, len(case.candidates), 1.0 / graph.k)
        shares = grouped.shares_of(pairs, told, silent)
        shares = closer(shares, case.candidates, group, least, told)
        guesses = who_lives_there(grouped.mixed(shares, [(1.0, group)]), told)
        surer = guesses.top > (1 + 1e-9) / least
        SURER[0] += int(surer.sum())
        SURER[1] += float(guesses.right(case.home)[surer].sum())
        tops[PLACE] = np.where(group >= 0, np.minimum(guesses.top, 1.0 / least), np.nan)
    return tops


def kept(tops: np.ndarray, limit: Limit) -> bool:
    """Whether a draw keeps what was limited."""
    tops = tops[~np.isnan(tops)]
    if limit.on == MEAN:
        return bool(tops.mean() <= limit.share * (1 + 1e-9))
    above = (tops > limit.share * (1 + 1e-9)).mean()
    return bool(above <= (ABOVE if limit.on == MOST_RECORDS else 0.0))


def within(tops: dict[str, np.ndarray], found: Found, limit: Limit) -> bool:
    """Whether no adversary finds a larger share in a draw than was stated."""
    stated = found.standing.against
    return all(
        float(np.nanmean(each)) <= stated[name].ends_under(limit)[1] * (1 + 1e-9)
        for name, each in tops.items()
    )


def timed(all_of_them: np.ndarray, limit: Limit) -> None:
    """Choose among all masks, once."""
    home = np.sort(np.random.default_rng(1).choice(len(all_of_them), 5_000, replace=False))
    case = Case(all_of_them[home], home, all_of_them)
    start, used = time.perf_counter(), time.process_time()

    def foretold(told) -> None:
        passed = time.perf_counter() - start
        print(
            f"  after {passed:.0f} s foretold: {told.usual:.0f} s more, {told.most:.0f} s at most"
        )

    masks = families(FAMILIES, limit)
    advice = advise(case, masks, limit, ["shift", "scan"], 1, foretold=foretold)
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
    parser.add_argument(
        "--kind",
        choices=("dwellings", "town", *mask_kinds.KINDS, *mask_kinds.MORE),
        default="dwellings",
    )
    parser.add_argument("--prior-odds", type=float, default=1.0)
    options = parser.parse_args()
    at_hand = options.kind == "dwellings" and dwellings.available()
    listed = np.unique(dwellings.integer_metres(), axis=0) if at_hand else None
    if options.time:
        if listed is not None:
            timed(listed, Limit(options.limit, options.on[0]))
        return 0
    start, used = time.monotonic(), time.process_time()
    held: dict[tuple[str, str], list[bool]] = defaultdict(list)
    taken: dict[str, list[bool]] = defaultdict(list)
    below: dict[str, list[bool]] = defaultdict(list)
    which: dict[str, Counter] = defaultdict(Counter)
    for run in range(options.first, options.first + options.runs):
        if time.monotonic() - start > options.seconds:
            print(f"Stopped after {run - options.first} runs.")
            break
        given = (tuple(options.adversary), options.kind, options.prior_odds)
        case, told = case_of(run, listed, *given)
        for on in options.on:
            limit = Limit(options.limit, on)
            masks = families(FAMILIES, limit, prior_odds=options.prior_odds)
            advice = advise(case, masks, limit, ["shift"], 1_000 + run)
            which[on][advice.best.family.name if advice.best else "none"] += 1
            if (advice.verdict.decision == RELEASE_WITH_CARE) != (advice.best is not None):
                raise RuntimeError("verdict and recommendation differ")
            if advice.best is not None and advice.best.family.name not in DRAWN:
                taken[on].append(advice.best.standing.holds(limit))
                below[on].append(True)  # it does not hang on the draw
            for one in advice.found:
                if one.state != HELD or one.family.name not in DRAWN:
                    continue
                tops = attacked(case, one, run, told)
                good = all(kept(each, limit) for each in tops.values())
                held[on, one.family.name].append(good)
                if one is advice.best:
                    taken[on].append(good)
                    below[on].append(within(tops, one, limit))
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
        print(f"  {'recommended':24}{_said(taken[on])}: {dict(which[on])}")
        print(f"  {'... below its upper end':24}{_said(below[on])}")
    if SURER[0]:
        print(f"Surer of groups than was proved: {SURER[0]} guesses, {SURER[1]:.1f} of them right")
    print(f"{time.process_time() - used:.0f} s of CPU")
    return 0


def _said(some: list[bool]) -> str:
    low, high = wilson(sum(some), len(some))
    return f"kept in {sum(some)} of {len(some)} (95 % interval {low:.1%} to {high:.1%})"


if __name__ == "__main__":
    sys.exit(main())
