# SPDX-License-Identifier: GPL-2.0-or-later
"""Which combination to take: the frontier of what they cost, and a recommended row with its command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...core.aggregation.choosing import frontier, recommended
from ...core.aggregation.vbas import Aggregation
from ...core.verdict import RELEASE_WITH_CARE, judge
from ...report import col
from ..families.regional import Data
from ..i18n import tr
from .common import PrivatePage
from .vbas_verdict import each_for_a_person, smallest_k

_BASE = "balanced_density"


@dataclass(frozen=True)
class Row:
    """What is told of one combination.

    Attributes
    ----------
    roundness : float
        Mean isoperimetric quotient of its areas.
    on_frontier, recommended, held : bool
    command : str
        What makes its release.
    """

    roundness: float
    on_frontier: bool
    recommended: bool
    held: bool
    command: str


@dataclass(frozen=True)
class Choice:
    """What is told of all combinations, in their order, and by which objective one was chosen."""

    rows: list[Row]
    objective: str

    @property
    def held(self) -> list[int]:
        """Combinations that may be released with care."""
        return [at for at, row in enumerate(self.rows) if row.held]


def choice_of(
    results: list[Aggregation],
    roundness: list[float],
    objective: str,
    tolerance: float,
    limit: float,
    command: Callable[..., str],
) -> Choice:
    """Choose by the objective for every K and number of sites, and find the frontier of every K."""
    on_frontier = set()
    for k in {one.k for one in results}:
        rows = [at for at, one in enumerate(results) if one.k == k]
        measures = [results[at].measures for at in rows]
        costs = np.array([(one.suppressed, one.compactness) for one in measures])
        on_frontier |= {rows[at] for at in frontier(costs)}
    best = set()
    for group in {(one.k, one.sites_by) for one in results}:
        rows = [at for at, one in enumerate(results) if (one.k, one.sites_by) == group]
        base = [at for at, row in enumerate(rows) if results[row].location == _BASE]
        measures = [results[row].measures for row in rows]
        reference = base[0] if base else None
        best.add(rows[recommended(measures, reference, objective, tolerance)])
    return Choice(
        [
            Row(
                roundness[at],
                at in on_frontier,
                at in best,
                judge([one.evidence], "quasi_identifiers", "which_record", limit).decision
                == RELEASE_WITH_CARE,
                command(K=one.k, SITES_BY=one.sites_by, LOCATION=one.location),
            )
            for at, one in enumerate(results)
        ],
        objective,
    )


def steps(results: list[Aggregation], choice: Choice, limit: float) -> list[str]:
    """What to do next: which combinations held, and how the release is made with one."""
    good = choice.held
    if not good:
        enough = smallest_k(limit)
        none = tr("No combination held.")
        if enough is None or not any(one.measures.released for one in results):
            return [
                none
                + " "
                + tr("Try fewer sites, fewer quasi-identifiers (QIS), coarser categories.")
            ]
        return [none + " " + tr("Compare again with KS={k}, or fewer sites.").format(k=enough)]
    chosen = [at for at in good if choice.rows[at].recommended] or good
    best = min(chosen, key=lambda at: results[at].measures.suppressed_share)
    one = results[best]
    return [
        tr(
            "The verdict is on the combination by which most people are found; {held:,} of {all:,} "
            "combinations held."
        ).format(held=len(good), all=len(results)),
        tr(
            "Recommended among those that held, by OBJECTIVE={objective} for its number of sites: run "
            "geoanon:vbas with the same inputs and K={k}, SITES_BY={by}, LOCATION={location}, and "
            "with the same SEED where one was given: {command}"
        ).format(
            objective=choice.objective,
            k=one.k,
            by=one.sites_by,
            location=one.location,
            command=choice.rows[best].command,
        ),
    ]


def not_run(data: Data) -> list[str]:
    """What the verdict says nothing about."""
    return [
        tr(
            "Nothing is released here. Subtraction of an earlier release (EARLIER), further attributes and "
            "what classes have in common of them (FIELDS, SENSITIVE) are looked at by “Voronoi-based "
            "aggregation” (geoanon:vbas) alone."
        ),
        *each_for_a_person(data),
    ]


def section(page: PrivatePage, results: list[Aggregation], choice: Choice) -> None:
    """The frontier as a chart, and the recommended rows with their commands."""
    page.say(
        tr(
            "On the frontier lie those than which no other with the same K suppresses fewer records "
            "and is as compact. Fewer sites make larger areas, which suppress less and tell less: "
            "take the number of sites that is as fine as you need, and then its recommended row."
        )
    )
    for k in sorted({one.k for one in results}):
        rows = [at for at, one in enumerate(results) if one.k == k]
        front = [at for at in rows if choice.rows[at].on_frontier]
        front.sort(key=lambda at: results[at].measures.compactness)
        rest = [at for at in rows if at not in front]
        page.scatter(
            f"frontier_{k}",
            tr("Suppressed records against compactness, K = {k}").format(k=k),
            [
                _dots(tr("others"), results, rest, False),
                _dots(tr("frontier"), results, front, True),
            ],
            tr("Compactness"),
            tr("Suppressed"),
            x_unit="km",
            y_unit="%",
        )
    rows = [(one, row) for one, row in zip(results, choice.rows) if row.recommended]
    page.table(
        "recommended_table",
        [
            col("k", "K", lambda pair: pair[0].k),
            col("sites_by", tr("Number of sites by"), lambda pair: pair[0].sites_by),
            col("location", tr("Location"), lambda pair: pair[0].location),
            col("areas", tr("Areas"), lambda pair: pair[0].measures.areas),
            col(
                "share",
                tr("Suppressed"),
                lambda pair: 100 * pair[0].measures.suppressed_share,
                unit="%",
                decimals=2,
            ),
            col("held", tr("Held"), lambda pair: tr("yes") if pair[1].held else tr("no")),
            col("command", tr("Command"), lambda pair: pair[1].command, numeric=False),
        ],
        rows,
        tr(
            "Recommended by OBJECTIVE={objective}, for each K and number of sites: the best among "
            "those that are otherwise no worse than balanced density, where that was tried."
        ).format(objective=choice.objective),
    )
    page.table(
        "compactness_table",
        [
            col("k", "K", lambda pair: pair[0].k),
            col("sites_by", tr("Number of sites by"), lambda pair: pair[0].sites_by),
            col("location", tr("Location"), lambda pair: pair[0].location),
            col(
                "compactness",
                tr("Sum of the distances of regions to their sites"),
                lambda pair: pair[0].measures.compactness / 1000,
                unit="km",
                decimals=0,
            ),
            col(
                "per_person",
                tr("Distance of a person's region to its site, on average"),
                lambda pair: pair[0].measures.distance_per_person / 1000,
                unit="km",
                decimals=2,
            ),
            col(
                "isoperimetric",
                tr("Roundness of areas (isoperimetric quotient, 1: circles)"),
                lambda pair: pair[1].roundness,
                decimals=3,
            ),
        ],
        list(zip(results, choice.rows)),
        tr("Three ways to say how compact areas are; the first is the paper's."),
    )


def _dots(label: str, results: list[Aggregation], rows: list[int], joined: bool) -> tuple:
    measures = [results[row].measures for row in rows]
    return (
        label,
        [one.compactness / 1000 for one in measures],
        [100 * one.suppressed_share for one in measures],
        joined,
        [results[row].location for row in rows],
    )
