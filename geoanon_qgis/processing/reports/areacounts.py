# SPDX-License-Identifier: GPL-2.0-or-later
"""What is told of counts by area: what was left out, and what can be worked out of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.aggregation.suppression import Suppression
from ...core.verdict import Evidence
from ...report import Notice, Picture, Report, col
from .. import literature
from ..families.area_counts import AreaCounts
from ..i18n import number_of, tr
from .common import PrivatePage

#: Cells that the report lists, and areas that a step names.
_LISTED, _NAMED = 200, 5
#: From this share of cases on that are left out, wider areas are proposed.
_MUCH = 0.1


@dataclass(frozen=True)
class Told:
    """What the report tells of."""

    counts: AreaCounts
    done: Suppression
    per: float
    #: Small differences of published numbers, if a field with cases is a part of another.
    remainders: int = 0

    @property
    def evidence(self) -> Evidence:
        """What subtraction finds; a lower bound where fields may be parts of each other."""
        found = self.done.evidence
        return found.with_caveat("contained") if self.remainders else found

    @property
    def may_contain(self) -> str:
        """Fields that may be parts of others, as pairs."""
        names = self.counts.categories
        pairs = [f"{names[part]} ≤ {names[whole]}" for whole, part in self.counts.contained]
        return ", ".join(pairs[:_NAMED]) + (", …" if len(pairs) > _NAMED else "")

    @property
    def share_left_out(self) -> float:
        """Share of the cases that live in areas whose number is left out."""
        cells = self.counts.of_areas()
        cases = self.done.table.counts[cells]
        return float(cases[self.done.hidden[cells]].sum() / max(1, cases.sum()))

    def checked(self) -> list[tuple]:
        """A row for each number that is left out: what it is, and what is possible."""
        done, table = self.done, self.done.table
        return [
            (
                int(table.level[cell]),
                self.counts.field_of(cell),
                self.counts.unit_of(cell),
                self.counts.categories[table.column[cell]],
                int(table.counts[cell]),
                int(done.small[cell]),
                float(done.low[cell]),
                float(done.high[cell]) if np.isfinite(done.high[cell]) else None,
                int(done.guarded[cell]),
            )
            for cell in np.flatnonzero(done.hidden).tolist()
        ]


def sentence(told: Told) -> str:
    """What was left out, for the log."""
    done = told.done
    small, hidden = int(done.small.sum()), int(done.hidden.sum())
    return tr(
        "Of {cells}, {small} small (below {k}, of all but fewer than {k} people, or of fewer than {k} "
        "people); {others} left out besides, so that they cannot be worked out. In areas, "
        "{share:.1f} % of the cases are in numbers that are left out."
    ).format(
        cells=number_of(len(done.table), "number", "numbers"),
        small=number_of(small, "is", "are"),
        k=done.k,
        others=number_of(hidden - small, "is", "are"),
        share=100 * told.share_left_out,
    )


def steps(told: Told) -> list[str]:
    """What to do next."""
    done = told.done
    if len(done.unguarded):
        units = dict.fromkeys(told.counts.unit_of(int(cell)) for cell in done.unguarded)
        more = ", …" if len(units) > _NAMED else ""
        return [
            tr(
                "Not to be protected, because too little around them can change: {units}. Join them "
                "with their neighbours (geoanon:vbas with MIN_POPULATION), take several years together, "
                "fewer categories or a smaller K (now {k}), and run this again."
            ).format(units=", ".join(list(units)[:_NAMED]) + more, k=done.k)
        ]
    if told.remainders:
        return [
            tr(
                "If the cases of a field are among those of another ({pairs}), run it again with ALL_CASES, the "
                "field that holds all, and the others in CASES. If nobody is counted in two fields, run it "
                "again with APART=true."
            ).format(pairs=told.may_contain)
        ]
    said = []
    if told.share_left_out > _MUCH:
        said.append(
            tr(
                "{share:.0f} % of the cases are in areas that are left out. Wider areas (geoanon:vbas) or "
                "more years tell more."
            ).format(share=100 * told.share_left_out)
        )
    return [
        *said,
        tr(
            "Give away the releases (OUTPUT, AREAS_OUT) and nothing else of these cases: no second "
            "table by other areas, years or categories."
        ),
    ]


def not_run(told: Told) -> list[str]:
    """What the verdict says nothing about."""
    said = []
    if not told.counts.has_people:
        said.append(
            tr(
                "How many people live in an area was not given (POPULATION). Whoever knows it sees where "
                "nearly all are cases, or fewer than {k} live: that was not looked at."
            ).format(k=told.done.k)
        )
    elif told.counts.shares_people:
        said.append(
            tr(
                "People were given for all categories together. Whoever knows how many of a category "
                "live in an area (women, an age group) sees where nearly all of them are cases, or "
                "fewer than {k} live: that was not looked at. Give a field with people for each."
            ).format(k=told.done.k)
        )
    if told.counts.contained:
        said.append(
            tr(
                "One field is nowhere more than another ({pairs}). If its cases are among the other's, the "
                "total counts them twice, and whoever subtracts the two learns how many are in one alone: "
                "in {cells} that is a small number. Each was taken to be counted in one field only."
            ).format(
                pairs=told.may_contain,
                cells=number_of(told.remainders, "area or sum", "areas and sums"),
            )
        )
    return [
        *said,
        tr(
            "Other tables or records of the same cases (earlier years, other areas) were not "
            "subtracted."
        ),
        tr(
            "Whoever runs this algorithm on every table that could be, and sees which give the same gaps, "
            "may exclude some of them; that was not tried."
        ),
    ]


def report(told: Told, pictures: Sequence[Picture | Notice] = ()) -> Report:
    """Put the report together."""
    counts, done = told.counts, told.done
    page = PrivatePage(tr("Counts and rates by area"), counts.name)
    page.section(tr("Result"), "result")
    page.figure(
        "cases",
        tr("Cases"),
        int(done.table.counts[done.table.level == 0].max()),
        tr("All that were counted."),
    )
    page.figure(
        "areas", tr("Areas"), len(counts.areas.units), tr("The smallest that numbers are told of.")
    )
    page.figure(
        "cells", tr("Numbers in the table"), len(done.table), tr("With all sums and categories.")
    )
    page.figure(
        "small",
        tr("Small numbers"),
        int(done.small.sum()),
        tr("Left out for themselves: who they are of may be found."),
        note=f"K = {done.k}",
    )
    page.figure(
        "left_out",
        tr("Numbers left out"),
        int(done.hidden.sum()),
        tr("With those without which the small ones could be worked out."),
    )
    page.figure(
        "share_left_out",
        tr("Cases left out"),
        100 * told.share_left_out,
        tr("In areas whose number is left out; they count in the sums that are published."),
        unit="%",
        decimals=1,
    )
    page.figure(
        "unguarded",
        tr("Small numbers that cannot be protected"),
        len(done.unguarded),
        tr("Of these more can be worked out than is promised."),
    )
    page.say(*counts.sentences)
    page.pictures(tr("Map"), pictures)
    page.section(tr("What can be worked out"), "checked")
    page.say(
        tr(
            "By all that is published, a number that is left out lies between the least and the most. "
            "Every whole number between them is possible."
        )
    )
    rows = sorted(told.checked(), key=lambda row: (row[8] - row[5], -row[5], row[4]))
    page.table(
        "checked_table",
        [
            col("unit", tr("Unit"), numeric=False),
            col("category", tr("Category"), numeric=False),
            col("cases", tr("Cases")),
            col("why", tr("Why"), numeric=False),
            col("least", tr("Least"), decimals=0),
            col("most", tr("Most"), decimals=0),
        ],
        [(*row[2:5], _why(row), *row[6:8]) for row in rows[:_LISTED]],
        tr("{shown:,} of {all:,}, what is not protected first.").format(
            shown=min(len(rows), _LISTED), all=len(rows)
        ),
    )
    page.method(
        [
            tr(
                "What is left out for others was chosen by a linear programme for each small number, at "
                "the least cost (a sum costs four times as much as a part, and more the larger it is); "
                "what turned out not to be needed was put back. Fewer may do: the best choice is not "
                "computed."
            ),
            tr("{count} solved.").format(
                count=number_of(done.programmes, "linear programme was", "linear programmes were")
            ),
            tr("Rates are for {per:,.0f} people, with exact Poisson intervals of 95 %.").format(
                per=told.per
            ),
        ],
        [literature.KELLY, literature.GARWOOD],
    )
    return page.report()


def _why(row: tuple) -> str:
    if not row[5]:
        return tr("protects others")
    return tr("small") if row[8] else tr("small, not protected")
