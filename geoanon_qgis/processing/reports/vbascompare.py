# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on combinations of components: a table, charts, and a map of each."""

from __future__ import annotations

from ...core.aggregation.vbas import Aggregation
from ...core.verdict import RELEASE_WITH_CARE, Evidence, judge
from ...report import (
    Column,
    Dots,
    Figure,
    Figures,
    Lines,
    Paragraph,
    Picture,
    Reference,
    Report,
    Scatter,
    Section,
    Series,
    Table,
)
from ..families.aggregating import MAX_P, Data
from ..i18n import tr
from . import common
from .vbas import left_out, method, quasi_identifiers, result_sentence
from .vbas_verdict import smallest_k

__all__ = ["name_of", "report", "result_sentence"]

_DUQUE = Reference(
    "Duque, J. C., Anselin, L. and Rey, S. J. (2012). The max-p-regions problem. Journal of "
    "Regional Science 52, 397–419.",
    "10.1111/j.1467-9787.2011.00743.x",
)
#: Measures whose ratios the paper tells.
_COMPARED = ("suppressed", "compactness", "discernibility", "entropy_loss")
_BASE = "balanced_density"


def name_of(result: Aggregation) -> str:
    """A combination in short."""
    return f"K = {result.k}, {result.sites_by}, {result.location}"


def worst(results: list[Aggregation]) -> Evidence:
    """The look-up that finds the largest share; of those that release somebody, if any does."""
    found = [one.evidence for one in results]
    return max((one for one in found if one.people), key=lambda one: one.share, default=found[0])


def held(results: list[Aggregation], limit: float) -> list[Aggregation]:
    """Combinations that may be released with care."""
    return [
        one
        for one in results
        if judge([one.evidence], "quasi_identifiers", "which_record", limit).decision
        == RELEASE_WITH_CARE
    ]


def steps(results: list[Aggregation], limit: float) -> list[str]:
    """What to do next: which combinations held, and how the release is made with one."""
    good = held(results, limit)
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
    best = min(good, key=lambda one: one.measures.suppressed_share)
    return [
        tr(
            "The verdict is on the combination by which most people are found; {held:,} of "
            "{all:,} combinations held."
        ).format(held=len(good), all=len(results)),
        tr(
            "The one that held and suppresses least: run geoanon:vbas with the same inputs and "
            "K={k}, SITES_BY={by}, LOCATION={location}."
        ).format(k=best.k, by=best.sites_by, location=best.location),
    ]


def report(data: Data, results: list[Aggregation], pictures: list[Picture]) -> Report:
    """Put the report together."""
    best = min(results, key=lambda one: one.measures.suppressed_share)
    blocks = (
        Figures(
            (
                Figure("combinations", tr("Combinations"), len(results)),
                Figure("records", tr("Records"), best.measures.records),
                Figure("regions", tr("Regions"), best.measures.regions),
                Figure(
                    "least_suppressed",
                    tr("Fewest records suppressed"),
                    100 * best.measures.suppressed_share,
                    "%",
                    note=name_of(best),
                    decimals=2,
                ),
            )
        ),
        Paragraph(
            tr(
                "Few suppressed records are not all: areas that are larger suppress less and tell "
                "less. Compare locations at an equal number of sites."
            )
        ),
        _table(results),
    )
    return common.private_report(
        tr("Comparison of aggregations"),
        tr("{regions}, records of {records}").format(
            regions=data.regions.name, records=data.records_name
        ),
        [
            Section(tr("All combinations"), blocks, name="result"),
            Section(tr("Charts"), _charts(results), name="charts"),
            Section(tr("Ratios"), _ratios(results), name="ratios"),
            Section(tr("Searches for better sites"), _searches(results), name="searches"),
            Section(tr("Maps"), tuple(pictures), name="maps"),
            Section(tr("Quasi-identifiers"), quasi_identifiers(data), name="qis"),
            Section(tr("What was left out"), left_out(data), name="kept_out"),
            method(
                data,
                list(dict.fromkeys(tr(note) for one in results for note in one.notes)),
                [
                    tr(
                        "adc and the other methods are the paper's; least_suppression is GeoAnon's own "
                        "search, which moves sites so that fewer records are suppressed, while "
                        "compactness and entropy loss stay within five per cent of what it begins "
                        "with; max_p is PySAL's heuristic with a threshold of records / sites, so its "
                        "number of areas is lower than that of the sites, and it looks at no "
                        "quasi-identifier."
                    )
                ],
                {one.location for one in results},
            ),
            *(
                [Section(tr("Baseline"), (_DUQUE,), name="baseline")]
                if any(one.location == MAX_P for one in results)
                else []
            ),
        ],
    )


def _table(results: list[Aggregation]) -> Table:
    return Table(
        (
            Column("k", "K"),
            Column("sites_by", tr("Number of sites by")),
            Column("location", tr("Location")),
            Column("areas", tr("Areas")),
            Column("suppressed", tr("Suppressed")),
            Column("share", tr("Suppressed"), unit="%", decimals=2),
            Column("anonymity", tr("Smallest class released")),
            Column("found", tr("People found"), unit="%", decimals=1),
            Column("compactness", tr("Compactness"), unit="km", decimals=0),
            Column("discernibility", tr("Discernibility"), unit=tr("millions"), decimals=1),
            Column("entropy_loss", tr("Entropy loss"), unit=tr("1000 bits"), decimals=0),
            Column("seconds", tr("Time"), unit="s", decimals=2),
        ),
        [
            (
                one.k,
                one.sites_by,
                one.location,
                one.measures.areas,
                one.measures.suppressed,
                100 * one.measures.suppressed_share,
                one.measures.anonymity,
                100 * one.evidence.share if one.evidence.people else None,
                one.measures.compactness / 1000,
                one.measures.discernibility / 1e6,
                one.measures.entropy_loss / 1000,
                sum(one.seconds.values()),
            )
            for one in results
        ],
        name="combinations_table",
    )


def _charts(results: list[Aggregation]) -> tuple:
    ks = sorted({one.k for one in results})
    charts: list = []
    kinds = list(dict.fromkeys((one.sites_by, one.location) for one in results))
    for by in dict.fromkeys(by for by, _ in kinds):
        if len(ks) > 1:
            series = []
            for location in [where for number, where in kinds if number == by]:
                mine = sorted(
                    (one for one in results if (one.sites_by, one.location) == (by, location)),
                    key=lambda one: one.k,
                )
                series.append(
                    Series(
                        location,
                        [one.k for one in mine],
                        [100 * one.measures.suppressed_share for one in mine],
                    )
                )
            charts.append(
                Lines(
                    tr("Suppressed records by K, {by}").format(by=by),
                    series,
                    "K",
                    tr("Suppressed"),
                    y_unit="%",
                    name=f"chart_{by}",
                )
            )
    for k in ks:
        for measure, label, unit, scale in (
            ("compactness", tr("Compactness"), "km", 1e-3),
            ("entropy_loss", tr("Entropy loss"), tr("bits"), 1.0),
        ):
            dots = []
            for location in dict.fromkeys(where for _, where in kinds):
                mine = [one for one in results if one.k == k and one.location == location]
                dots.append(
                    Dots(
                        location,
                        [scale * getattr(one.measures, measure) for one in mine],
                        [100 * one.measures.suppressed_share for one in mine],
                        notes=[one.sites_by for one in mine],
                    )
                )
            charts.append(
                Scatter(
                    tr("Suppressed records against {what}, K = {k}").format(
                        what=label.lower(), k=k
                    ),
                    dots,
                    label,
                    tr("Suppressed"),
                    x_unit=unit,
                    y_unit="%",
                    name=f"scatter_{measure}_{k}",
                )
            )
    return tuple(charts)


def _ratio(one: Aggregation, other: Aggregation, measure: str) -> float | None:
    below = getattr(other.measures, measure)
    return getattr(one.measures, measure) / below if below else None


def _ratios(results: list[Aggregation]) -> tuple:
    at = {(one.k, one.sites_by, one.location): one for one in results}
    labels = {
        "suppressed": tr("Suppressed"),
        "compactness": tr("Compactness"),
        "discernibility": tr("Discernibility"),
        "entropy_loss": tr("Entropy loss"),
    }
    columns = tuple(Column(name, labels[name], decimals=3) for name in _COMPARED)
    blocks = []
    locations = [
        (k, by, where, *(_ratio(one, at[k, by, _BASE], name) for name in _COMPARED))
        for (k, by, where), one in at.items()
        if where != _BASE and (k, by, _BASE) in at
    ]
    if locations:
        blocks.append(
            Table(
                (
                    Column("k", "K"),
                    Column("sites_by", tr("Number of sites by")),
                    Column("location", tr("Location")),
                    *columns,
                ),
                locations,
                " ".join(
                    filter(
                        None,
                        [
                            tr("Each location / balanced density."),
                            tr("The areas of max_p are fewer, which by itself suppresses less.")
                            if any(where == MAX_P for _, _, where, *_ in locations)
                            else "",
                        ],
                    )
                ),
                "location_ratios",
            )
        )
    few, many = "gaps_maxcombs", "gaps_entropy"
    numbers = []
    for (k, by, where), one in at.items():
        other = at.get((k, many, where))
        if by != few or other is None:
            continue
        numbers.append(
            (
                k,
                where,
                _ratio(one, other, "suppressed"),
                *(_ratio(other, one, name) for name in _COMPARED[1:]),
            )
        )
    if numbers:
        blocks.append(
            Table(
                (Column("k", "K"), Column("location", tr("Location")), *columns),
                numbers,
                tr(
                    "As the paper tells them: suppressed by gaps_maxcombs / gaps_entropy, the "
                    "others by gaps_entropy / gaps_maxcombs. Its averages over twelve scenarios "
                    "are 0.132, 0.487, 0.358 and 0.642."
                ),
                "number_ratios",
            )
        )
    return tuple(blocks)


def _searches(results: list[Aggregation]) -> tuple:
    rows = [
        (
            one.k,
            one.sites_by,
            one.location,
            one.log.tried,
            one.log.committed,
            one.log.suppressed[0],
            one.log.suppressed[1],
            one.log.anonymity[0],
            one.log.anonymity[1],
            tr(one.log.stopped),
        )
        for one in results
        if one.log is not None
    ]
    if not rows:
        return ()
    return (
        Table(
            (
                Column("k", "K"),
                Column("sites_by", tr("Number of sites by")),
                Column("location", tr("Location")),
                Column("tried", tr("Moves tried")),
                Column("committed", tr("Moves made")),
                Column("before", tr("Suppressed before")),
                Column("after", tr("after")),
                Column("g_before", tr("Smallest class before")),
                Column("g_after", tr("after ")),
                Column("stopped", tr("Why it stopped")),
            ),
            rows,
            name="searches_table",
        ),
    )
