# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of what a point mask keeps, and of the measures of risk that are in use."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...report import Notice, Picture, Report, col
from .. import literature
from ..families.measuring.measured import Measured
from ..i18n import number_of, tr
from ..layers.planes import unit as unit_of
from . import attackmask
from . import maskmeasures_pattern as pattern
from .common import PrivatePage
from .maskmeasures_row import ATTACK, RISK, Row


def no_attack() -> str:
    """What measures of risk are no answer to."""
    return tr(
        "Measures of risk are no attack: each supposes an adversary who does not know how the mask "
        "works, or no more of it than its shortest and its longest move. They can say the opposite of the "
        "truth. Points that all move by exactly 50 m in a "
        "town have a median actual k of 25, and more than nine of ten people are found on the "
        "circles round them. Points that were exchanged among 20 addresses mostly have an actual k "
        "below 20, and where records do not stand close together nobody is found with "
        "much more than one in 20."
    )


def sentences(found: Measured) -> list[str]:
    """What the log says."""
    risks = found.risks
    said = [
        tr("{records} in both layers; half of them moved by more than {shift:.1f} {unit}.").format(
            records=number_of(len(risks.moved), "record is", "records are"),
            shift=float(np.median(risks.moved)),
            unit=found.paired.unit,
        )
    ]
    if found.scanned is not None:
        kept = found.scanned.kept
        if np.isfinite(kept.jaccard):
            said.append(
                tr(
                    "Most likely cluster: LLR {before:.2f} in the original and {after:.2f} in the "
                    "release; of the population in either, {both:.0f} % is in both."
                ).format(before=kept.before.llr, after=kept.after.llr, both=100 * kept.jaccard)
            )
    return said


def warnings(found: Measured) -> list[str]:
    """What the log warns of."""
    said = [*found.paired.warnings, *found.patterns.warned]
    if found.paired.withheld:
        said.append(
            tr("{records} of the original not in the release, and in no measure of risk.").format(
                records=number_of(found.paired.withheld, "record is", "records are")
            )
        )
    standing = found.standing
    if standing:
        said.append(
            tr("{points} not moved at all. Whatever measures say, those people are shown.").format(
                points=number_of(standing, "point was", "points were")
            )
        )
    if found.risks.attacked is not None:
        said += attackmask.warnings(found.risks.attacked)
    return said


def steps(released: str, key: str, candidates: str) -> list[str]:
    """What to do next, where no attack was run."""
    return [
        tr(
            "Run “Posterior attack on a point mask” (geoanon:attackmask) with INPUT={released}, "
            "MASK=the mask file that was written with the release, CANDIDATES={candidates}, "
            "KEY={key}; for Voronoi masks “Reverse Voronoi masking” (geoanon:reversevoronoi)."
        ).format(released=released, key=key, candidates=candidates)
    ]


def not_run(told: Sequence[str]) -> list[str]:
    """What the attack beside the measures leaves out, and where it can be tried."""
    said = tr("{what} “Posterior attack on a point mask” (geoanon:attackmask) can be told more.")
    return [*told[:-1], *(said.format(what=one) for one in told[-1:])]


def report(
    found: Measured, rows: Sequence[Row], maps: Sequence[Picture | Notice], source: str
) -> Report:
    """Say what is kept, what measures of risk say, and what an attack finds."""
    page = PrivatePage(tr("Measures of a point mask"), source)
    _short(page, found)
    page.section(tr("Measures of risk, and what an attack finds"), "risk")
    page.notice(no_attack(), "warning", tr("Measures of risk are no attack"))
    if found.risks.attacked is None:
        page.say(
            tr(
                "No attack was run. With the mask file (MASK) and the address list the posterior "
                "attack's effective k stands beside these measures."
            )
        )
    _risk_table(page, [row for row in rows if row.kind in (RISK, ATTACK)])
    _distribution(page, found)
    if maps:
        page.pictures(tr("Maps"), maps, "maps")
    _clusters(page, found)
    pattern.tell(page, found.patterns, found.paired.unit)
    page.section(tr("Table for a section on methods"), "methods")
    page.say(
        tr(
            "It can stand in a paper as it is: it names no place. Check that figures of few "
            "records tell nothing of one of them."
        )
    )
    _whole_table(page, rows)
    page.kept_out(
        [*found.paired.original.left_out, *found.paired.released.left_out],
    )
    page.method([found.sentences(), *_how()], _sources(found))
    return page.report()


def _short(page: PrivatePage, found: Measured) -> None:
    risks, unit = found.risks, unit_of(found.paired.crs)
    page.section(tr("In short"), "result")
    page.figure(
        "pairs",
        tr("Records in both layers"),
        len(risks.moved),
        tr("Their points before and after the mask are known; measures of risk are theirs."),
        note=tr("{count:,} withheld").format(count=found.paired.withheld),
    )
    page.figure(
        "median_shift",
        tr("Median shift"),
        float(np.median(risks.moved)),
        tr("Half of the points moved farther than this."),
        unit=unit,
    )
    if found.scanned is not None:
        kept = found.scanned.kept
        page.figure(
            "jaccard",
            tr("Most likely cluster kept"),
            100 * kept.jaccard,
            tr("Population in the most likely clusters of both, as a share of that in either."),
            unit="%",
            note=tr("LLR {before:.1f} before, {after:.1f} after").format(
                before=kept.before.llr, after=kept.after.llr
            ),
        )
    if found.risks.attacked is not None and found.risks.attacked.place is not None:
        page.figure(
            "effective_k",
            tr("Effective k, by the attack"),
            float(np.median(found.risks.attacked.place.effective)),
            tr(
                "Among so many addresses a point's true one is hidden from an adversary who knows "
                "the mask: the median."
            ),
            note=""
            if risks.actual is None
            else tr("actual k says {k:,.0f}").format(k=float(np.median(risks.actual))),
        )


def _risk_table(page: PrivatePage, rows: Sequence[Row]) -> None:
    page.table(
        "risks",
        [
            col("label", tr("Measure")),
            col("value", tr("Value"), decimals=1),
            col("unit", tr("Unit"), numeric=False),
            col("speaks_of", tr("Speaks of an adversary who asks"), numeric=False),
        ],
        [(one.label, one.value, one.unit, one.speaks_of) for one in rows],
        tr("Of each k the median over the records, and what a twentieth of them do not reach."),
    )


def _distribution(page: PrivatePage, found: Measured) -> None:
    risks = found.risks
    samples = {
        tr("Actual k"): risks.actual,
        tr("k-moved, method related"): risks.actual_method,
        tr("k-original"): risks.original,
    }
    if risks.attacked is not None and risks.attacked.place is not None:
        samples[tr("Effective k of the attack")] = risks.attacked.place.effective
    page.ecdf(
        "k_chart",
        tr("Among how many a record hides, by each measure"),
        {label: values for label, values in samples.items() if values is not None},
        tr("k"),
        tr("Records with k or less"),
        x_log=True,
        caption=tr(
            "The farther to the left a line runs, the fewer a record hides among by that measure."
        ),
    )


def _clusters(page: PrivatePage, found: Measured) -> None:
    if found.scanned is None:
        return
    page.section(tr("Clusters (Kulldorff's scan statistic)"), "clusters")
    page.say(
        tr(
            "Circles that hold more points than the population at risk lets expect. The most "
            "likely one has the largest likelihood ratio (LLR); p says how often points that fall "
            "on the population at random have as large a one anywhere."
        )
    )
    rows = [
        (where, number, one.cases, one.expected, one.relative_risk, one.radius, one.llr, one.p)
        for where, scan in (
            (tr("Original"), found.scanned.kept.before),
            (tr("Release"), found.scanned.kept.after),
        )
        for number, one in enumerate(scan.clusters[:3], 1)
    ]
    page.table(
        "clusters_table",
        [
            col("where", tr("In")),
            col("number", tr("Cluster")),
            col("cases", tr("Points"), decimals=0),
            col("expected", tr("Expected"), decimals=1),
            col("relative_risk", tr("Relative risk"), decimals=2),
            col("radius", tr("Radius"), unit=found.paired.unit, decimals=0),
            col("llr", tr("LLR"), decimals=2),
            col("p", tr("p"), decimals=3),
        ],
        rows,
        tr("The three most likely ones that have no place in common."),
    )


def _whole_table(page: PrivatePage, rows: Sequence[Row]) -> None:
    page.table(
        "measures",
        [
            col("measure", tr("Name"), numeric=False),
            col("label", tr("Measure"), numeric=False),
            col("original", tr("Original"), numeric=True),
            col("release", tr("Release"), numeric=True),
            col("value", tr("Value"), numeric=True),
            col("unit", tr("Unit"), numeric=False),
        ],
        [
            (
                one.measure,
                one.label,
                *map(_rounded, (one.original, one.release, one.value)),
                one.unit,
            )
            for one in rows
        ],
        tr("Rounded to three digits; the table of measures (OUTPUT) has all of them."),
    )


def _rounded(value: float) -> str | None:
    """A number by itself: those of one column are of all sizes."""
    if not np.isfinite(value):
        return None
    if value and abs(value) < 0.001:
        return f"{value:.1g}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{float(f'{value:.3g}'):g}"


def _how() -> list[str]:
    return [
        tr(
            "Actual k of a record is 1 plus the number of other addresses no farther from its "
            "released point than its true place (also called k-moved). k-original counts released "
            "points no farther from the true place than its own. Method related, what lies in the "
            "ring between the shortest and the longest move of this release is counted. Estimated "
            "k spreads the people of an area evenly. Spruill's measure is the share of released "
            "points nearest to their own of all originals. k-original and the method related ones "
            "follow the summaries of Cremer, Jehmlich and Lenz (2025), whose text we had not."
        ),
        tr(
            "The scan statistic is Poisson's, given the number of points: circles round places of "
            "the population at risk, up to the share of it that was asked for. Every point counts "
            "at the nearest place of the population. The same circles are looked at before and "
            "after, and in every draw."
        ),
    ]


def _sources(found: Measured) -> list:
    sources = [literature.ALLSHOUSE, literature.CREMER]
    if found.scanned is not None:
        sources.append(literature.KULLDORFF)
    return [*sources, literature.SPRUILL, literature.ZANDBERGEN]
