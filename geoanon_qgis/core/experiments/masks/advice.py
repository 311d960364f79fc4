# SPDX-License-Identifier: GPL-2.0-or-later
"""Which point mask to take under a limit: all kinds, each of its smallest size that holds.

What is recommended holds (:mod:`.standing`), may be released by its verdict (:mod:`.judged`), withholds
at most one record in twenty where such a mask holds, and keeps most: the best mean rank over the
measures that were asked for, then the smaller mean shift.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ...masking.lattice import HEXAGONS, SQUARES
from ...runtime.kept import Kept
from ...runtime.progress import Progress, part, silent
from ...runtime.wording import Sentence
from ...runtime.workers import Backend, run_tasks
from ...space.street_network import StreetNetwork
from ...verdict import Verdict
from .addresses import Cells, Exchange, Groups
from .areas import Grid, InCells, MergedZones, RoundSites, Zones
from .case import BOTH, RECORD, Case
from .embedded import Embedded
from .family import POINTS, Family
from .forecast import Forecast, forecast
from .judged import can_be_taken, verdict
from .laws import LAWS, ByAddresses, ByLaw
from .prior_odds import beforehand
from .search import HELD, MOST_WITHHELD, OPEN, Found, find
from .standing import ABOVE, EVERY, MEAN, MOST_RECORDS, Against, Limit, Standing
from .streets import Streets
from .swap import Swap
from .usefulness import PAIRS, SHIFT, Usefulness, ranked

#: Point masks by name, in the order in which they are told.
POINT_MASKS = (
    *LAWS,
    *(f"{law} by addresses" for law in LAWS),
    "swap",
    "exchange",
    "cells",
    "groups",
    SQUARES,
    HEXAGONS,
)
#: Point masks that take a layer besides: streets, or zones.
WITH_LAYERS = ("streets", "merged zones")
#: Releases of other kinds to compare with them: areas, and distances made of masked points.
OTHERS = ("areas", *(f"distances after {mask}" for mask in ("gaussian", "exchange", "groups")))
FAMILIES = (*POINT_MASKS, *WITH_LAYERS, *OTHERS)
#: A limit that limits nothing.
_NO_LIMIT = 0.9
#: Candidates of a ring to those among whom a person has to hide.
_OF_RING = 2


def families(
    names: Sequence[str],
    limit: Limit,
    grid: Grid | None = None,
    adversaries: Sequence[str] = BOTH,
    prior_odds: float = 1.0,
    network: StreetNetwork | None = None,
    zones: Zones | None = None,
) -> list[Family]:
    """Return masks by their names.

    Parameters
    ----------
    names : sequence of str
        Of :data:`FAMILIES`.
    limit : Limit
        Tells how many addresses are the fewest to hide among.
    grid : Grid, optional
        Where lattices lie.
    adversaries : sequence of str
        Against whom they have to hold.
    prior_odds : float
        As :class:`.case.Case` has it.
    network : StreetNetwork, optional
        In the plane of the case; without one nothing moves along streets.
    zones : Zones, optional
        Without these none are merged.
    """
    k, many = max(2, limit.least), max(2, limit.least_addresses(prior_odds))
    every: dict[str, Family] = {
        **{law: ByLaw(law) for law in LAWS},
        **{f"{law} by addresses": ByAddresses(law) for law in LAWS},
        "swap": Swap(_OF_RING * many),
        "exchange": Exchange(many),
        "cells": Cells(many, beforehand(limit.share, prior_odds)),
        "groups": Groups(k),
        SQUARES: InCells(many, SQUARES, grid),
        HEXAGONS: InCells(many, HEXAGONS, grid),
        "areas": RoundSites(many, k if RECORD in adversaries else None),
    }
    if network is not None:
        every["streets"] = Streets(network)
    if zones is not None:
        few = k if RECORD in adversaries else None
        every["merged zones"] = MergedZones(many, few, zones=zones)
    # Each with a mask of its own: what one prepares belongs to it.
    for before in (ByLaw("gaussian"), Exchange(many), Groups(k)):
        every[f"distances after {before.name}"] = Embedded(before)
    return [every[name] for name in FAMILIES if name in names and name in every]


@dataclass(frozen=True, eq=False)
class Advice:
    """What to take.

    Attributes
    ----------
    best : Found or None
        None where no mask can be recommended.
    found : tuple of Found
        Of every mask, in the order of :data:`FAMILIES`.
    limit : Limit
    measures : tuple of str
        By which masks were compared.
    people : int
        Places with records.
    addresses : int
    adversaries : tuple of str
        Against whom a mask has to hold.
    caveats : tuple of str
        Why what is found is a lower bound; nothing is shown to hold, or recommended, then.
    would_be : Found or None
        The mask that would be recommended if it were not.
    prior_odds : float
        As :class:`.case.Case` has it.
    """

    best: Found | None
    found: tuple[Found, ...]
    limit: Limit
    measures: tuple[str, ...]
    people: int
    addresses: int
    adversaries: tuple[str, ...] = BOTH
    caveats: tuple[str, ...] = ()
    would_be: Found | None = None
    prior_odds: float = 1.0

    def bears(self, one: Found) -> float:
        """Ratio of prior odds up to which a mask keeps the limit, in all; 0 where none could be tried.

        Where it does not hold it is below the ratio that was asked for.
        """
        if one.standing is None or not one.standing.against:
            return 0.0
        return self.prior_odds * one.standing.bears(self.limit, one.family.unswayed)

    @property
    def nearest(self) -> Found | None:
        """The recommended mask, else the one that comes nearest to the limit; None for none."""
        first = self.best or self.would_be
        if first is not None:
            return first
        tried = [one for one in self.found if one.standing is not None and one.standing.against]
        return min(tried, key=self._lacks, default=None)

    @property
    def verdict(self) -> Verdict:
        """On the recommended mask, else on the one that comes nearest."""
        return verdict(self.nearest, self.limit, self.adversaries, self.caveats)

    def _lacks(self, one: Found) -> tuple:
        assert one.standing is not None  # only those that were tried
        _, worst = one.standing.worst(self.limit)
        lacking = one.state != HELD, one.standing.exposed > 0
        return (*lacking, worst.excess(self.limit), one.standing.withheld)

    @property
    def front(self) -> list[int]:
        """Rows that no other beats in mean shift and in the share found by the worse adversary."""
        rows = [
            row
            for row, one in enumerate(self.found)
            if one.standing is not None
            and one.standing.against
            and np.isfinite(one.values.get(SHIFT, np.nan))
        ]
        points = [
            (self.found[row].values[SHIFT], risk_of(self.found[row].standing)) for row in rows
        ]
        return [
            row
            for row, (x, y) in zip(rows, points)
            if not any(a <= x and b <= y and (a < x or b < y) for a, b in points)
        ]

    @property
    def partners_wanted(self) -> int:
        """About how many partners an exchange alone would need against who knows a member.

        A record hides from him among those that are released at partners of hers. With k partners,
        n records and N addresses these are about 1 + Poisson(k n / N): on average he finds N / (k n)
        (within 2 % from k n / N = 5 on, of 4,000 Dutch addresses and 250 to 2,000 records); of 99 %,
        or all, few may have too few of them.
        """
        from scipy.stats import poisson

        least, per_partner = (
            self.limit.least_addresses(self.prior_odds),
            self.people / self.addresses,
        )
        if self.limit.on == MEAN:
            return int(np.ceil(least / per_partner))
        rare = ABOVE if self.limit.on == MOST_RECORDS else 1 / (EVERY * self.people)
        wanted = np.arange(1, 20 * least + 200)
        kept = poisson.cdf(least - 2, wanted) <= rare
        return int(np.ceil(wanted[int(np.argmax(kept))] / per_partner))

    @property
    def would_keep(self) -> tuple[float, Found] | None:
        """The smallest limit that any mask was seen to keep, and that mask; None for none."""
        seen = [
            (one.standing.keeps(self.limit.on), number)
            for number, one in enumerate(self.found)
            if one.standing is not None and one.standing.withheld <= MOST_WITHHELD
        ]
        share, number = min(seen, default=(1.0, 0))
        return (share, self.found[number]) if share < _NO_LIMIT else None


def risk_of(standing: Standing | None) -> float:
    """Share of the people that the worse adversary finds."""
    if standing is None or not standing.against:
        return float("nan")
    return max(one.mean for one in standing.against.values())


def advise(
    case: Case,
    masks: Sequence[Family],
    limit: Limit,
    measures: Sequence[str],
    seed: int,
    kept: Kept | None = None,
    backend: Backend | None = None,
    progress: Progress = silent,
    caveats: Sequence[str] = (),
    foretold: Callable[[Forecast], None] | None = None,
) -> Advice:
    """Find the size of every mask, measure what it keeps, and choose.

    Parameters
    ----------
    case : Case
    masks : sequence of Family
    limit : Limit
    measures : sequence of str
        What has to be kept, of :data:`.usefulness.MEASURES`.
    seed : int
        Of all draws. The same seed gives the same answers, in any order of the work.
    kept : Kept, optional
        What was done already, by the mask's name.
    backend : Backend
        Threads.
    progress : Progress
    caveats : sequence of str
        Why what is found is a lower bound: see :mod:`.judged`.
    foretold : callable, optional
        Told how long it will take, in the caller's thread, before it takes long.
    """
    kept = Kept() if kept is None else kept
    todo = [one for one in masks if kept.get(one.name) is None]
    if todo:
        # What all kinds of releases have, wherever one of them is tried.
        every = [*measures, *([PAIRS] if any(one.kind != POINTS for one in masks) else [])]
        useful = Usefulness(case, every, seed, part(progress, 0.0, 0.1))
        shared: dict[str, Any] = {}
        ready = part(progress, 0.1, 0.2)
        for number, one in enumerate(todo):
            if len(one.sizes(case)):
                step = part(ready, number / len(todo), (number + 1) / len(todo))
                one.prepare(case, shared, step)
        if foretold is not None:
            step = part(progress, 0.2, 0.25)
            foretold(forecast(case, todo, limit, seed, shared, step))
        tasks = [(one, case, limit, seed, shared, useful) for one in todo]
        for name, told in run_tasks(
            _judged, tasks, backend or Backend(), part(progress, 0.25, 1.0)
        ):
            kept.put(name, told)
    progress(1.0)
    found = tuple(_read(one, kept.get(one.name)) for one in masks)
    by = tuple(dict.fromkeys(measures)) or (SHIFT,)
    best = would_be = _best(found, by, limit)
    if caveats:
        found = tuple(replace(one, state=OPEN) if one.state == HELD else one for one in found)
        names = [None if would_be is None else would_be.family.name]
        best, would_be = None, next((one for one in found if one.family.name in names), None)
    counts = case.people, len(case.candidates)
    who, why = case.adversaries, tuple(caveats)
    held = case.prior_odds
    return Advice(best, found, limit, by, *counts, who, why, would_be, held)


def _best(found: Sequence[Found], measures: Sequence[str], limit: Limit) -> Found | None:
    good = [one for one in found if can_be_taken(one, limit)]
    # One that withholds many is taken only where all that hold do.
    few = [one for one in good if one.standing and one.standing.withheld <= MOST_WITHHELD]
    good = few or good
    if not good:
        return None
    rank = ranked([one.values for one in good], measures)
    shift = np.nan_to_num([one.values.get(SHIFT, np.inf) for one in good], nan=np.inf)
    return good[int(np.lexsort((shift, rank))[0])]


def _judged(
    one: Family,
    case: Case,
    limit: Limit,
    seed: int,
    shared: dict[str, Any],
    useful: Usefulness,
    ask: Progress,
) -> tuple[str, dict[str, Any]]:
    """Work of one task, as JSON can keep it."""
    found = find(one, case, limit, seed, shared, part(ask, 0.0, 0.9))
    values = useful.of(found.released, part(ask, 0.9, 1.0)) if found.released else {}
    told: dict[str, Any] = {"state": found.state, "values": values, "parameters": found.parameters}
    if found.standing is not None:
        told["standing"] = asdict(found.standing)
    if found.why is not None:
        plain = {
            key: value for key, value in found.why.values.items() if isinstance(value, (int, float))
        }
        whole = len(plain) == len(found.why.values)
        told["why"] = [found.why.template, plain] if whole else [str(found.why), {}]
    return one.name, told


def _read(one: Family, told: dict[str, Any]) -> Found:
    standing = None
    if "standing" in told:  # JSON knows lists only
        against = {}
        for name, values in told["standing"]["against"].items():
            tuples = {key: tuple(values[key]) for key in ("found", "above", "sure", "most")}
            against[name] = Against(**{**values, **tuples})
        linked = _links(told["standing"].get("linked", ()))
        parts = {**told["standing"], "against": against, "linked": linked}
        standing = replace(Standing(0.0), **parts)
    why = Sentence(told["why"][0], **told["why"][1]) if "why" in told else None
    return Found(one, told["state"], standing, (), why, told["values"], told["parameters"])


def _links(told: Sequence) -> tuple[tuple[int, int], ...]:
    """By draw; files of 0.2.0 have the sum of all."""
    if len(told) and not isinstance(told[0], Sequence):
        told = [told] if told[0] else []
    return tuple((people, right) for people, right in told)


def against_record(found: Found) -> Against | None:
    """How a mask stands against who knows that a person is in the file."""
    return None if found.standing is None else found.standing.against.get(RECORD)
