# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on combinations of components: a table, charts, and a map of each."""

from __future__ import annotations

from ...core.aggregation.shortfalls import FEW, Shortfalls
from ...core.aggregation.vbas import Aggregation
from ...core.verdict import Evidence
from ...report import Picture, Report, col
from .. import literature
from ..families.locating import MAX_P
from ..families.regional import Data
from ..i18n import tr
from . import vbascompare_choice as choosing
from .aggregation import left_out, method, page_of, quasi_identifiers, result_sentence
from .common import PrivatePage

__all__ = ["name_of", "report", "result_sentence"]

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


def report(
    data: Data,
    results: list[Aggregation],
    pictures: list[Picture],
    tolerance: float,
    choice: choosing.Choice,
) -> Report:
    """Put the report together."""
    page = page_of(tr("Comparison of aggregations"), data)
    page.section(tr("All combinations"), "result")
    _result(page, results)
    page.section(tr("Which one to take"), "choice")
    choosing.section(page, results, choice)
    page.section(tr("Charts"), "charts")
    _charts(page, results)
    page.section(tr("Ratios"), "ratios")
    _ratios(page, results)
    page.section(tr("Searches for better sites"), "searches")
    _searches(page, results)
    page.section(tr("Areas that release nothing or little"), "shortfalls")
    _shortfalls(page, results)
    page.pictures(tr("Maps"), pictures, "maps")
    quasi_identifiers(page, data)
    left_out(page, data)
    method(
        page,
        data,
        list(dict.fromkeys(tr(note) for one in results for note in one.notes)),
        [
            tr(
                "adc and the other methods are the paper's; least_suppression is GeoAnon's own "
                "search, which moves sites so that fewer records are suppressed, while compactness "
                "and entropy loss stay within {tolerance:.3g} % of what it begins with; no other "
                "measure is limited. max_p is "
                "PySAL's heuristic with a threshold of records / sites, so its number of areas is "
                "lower than that of the sites, and it looks at no quasi-identifier."
            ).format(tolerance=100 * tolerance)
        ],
        {one.location for one in results},
    )
    if any(one.location == MAX_P for one in results):
        page.section(tr("Baseline"), "baseline").add(literature.DUQUE)
    return page.report()


def _combination() -> list:
    """The first columns of a table over combinations."""
    return [
        col("k", "K", "k"),
        col("sites_by", tr("Number of sites by")),
        col("location", tr("Location")),
    ]


def _result(page: PrivatePage, results: list[Aggregation]) -> None:
    best = min(results, key=lambda one: one.measures.suppressed_share)
    page.figure(
        "combinations",
        tr("Combinations"),
        len(results),
        tr("Ways to make areas that were tried, each with its K, number of sites and method."),
    )
    page.figure("records", tr("Records"), best.measures.records, tr("People in all regions."))
    page.figure(
        "regions", tr("Regions"), best.measures.regions, tr("Of which the areas are put together.")
    )
    page.figure(
        "least_suppressed",
        tr("Fewest records suppressed"),
        100 * best.measures.suppressed_share,
        tr("What has to be left out, at the least, so that nobody is in too small a class."),
        unit="%",
        note=name_of(best),
        decimals=2,
    )
    page.say(
        tr(
            "Few suppressed records are not all: areas that are larger suppress less and tell "
            "less. Compare locations at an equal number of sites."
        )
    )
    page.table(
        "combinations_table",
        [
            *_combination(),
            col("areas", tr("Areas"), "measures.areas"),
            col("suppressed", tr("Suppressed"), "measures.suppressed"),
            col("share", tr("Suppressed"), _share, unit="%", decimals=2),
            col("anonymity", tr("Smallest class released"), "measures.anonymity"),
            col(
                "found",
                tr("People found"),
                lambda one: 100 * one.evidence.share if one.evidence.people else None,
                unit="%",
                decimals=1,
            ),
            *(
                col(
                    name,
                    label,
                    lambda one, name=name, scale=scale: getattr(one.measures, name) / scale,
                    unit=unit,
                    decimals=decimals,
                )
                for name, label, unit, scale, decimals in (
                    ("compactness", tr("Compactness"), "km", 1000, 0),
                    ("discernibility", tr("Discernibility"), tr("millions"), 1e6, 1),
                    ("entropy_loss", tr("Entropy loss"), tr("1000 bits"), 1000, 0),
                )
            ),
            col("seconds", tr("Time"), lambda one: sum(one.seconds.values()), unit="s", decimals=2),
        ],
        results,
    )


def _share(one: Aggregation) -> float:
    return 100 * one.measures.suppressed_share


def _charts(page: PrivatePage, results: list[Aggregation]) -> None:
    ks = sorted({one.k for one in results})
    locations = list(dict.fromkeys(one.location for one in results))
    for by in dict.fromkeys(one.sites_by for one in results) if len(ks) > 1 else ():
        series = []
        for location in locations:
            mine = [one for one in results if (one.sites_by, one.location) == (by, location)]
            mine.sort(key=lambda one: one.k)
            if mine:
                series.append((location, [one.k for one in mine], [*map(_share, mine)]))
        title = tr("Suppressed records by K, {by}").format(by=by)
        page.lines(f"chart_{by}", title, series, "K", tr("Suppressed"), y_unit="%")
    for k in ks:
        for measure, label, unit, scale in (
            ("compactness", tr("Compactness"), "km", 1e-3),
            ("entropy_loss", tr("Entropy loss"), tr("bits"), 1.0),
        ):
            dots = []
            for location in locations:
                mine = [one for one in results if one.k == k and one.location == location]
                x = [scale * getattr(one.measures, measure) for one in mine]
                names = [one.sites_by for one in mine]
                dots.append((location, x, [*map(_share, mine)], False, names))
            page.scatter(
                f"scatter_{measure}_{k}",
                tr("Suppressed records against {what}, K = {k}").format(what=label.lower(), k=k),
                dots,
                label,
                tr("Suppressed"),
                x_unit=unit,
                y_unit="%",
            )


def _ratio(one: Aggregation, other: Aggregation, measure: str) -> float | None:
    below = getattr(other.measures, measure)
    return getattr(one.measures, measure) / below if below else None


def _ratios(page: PrivatePage, results: list[Aggregation]) -> None:
    at = {(one.k, one.sites_by, one.location): one for one in results}
    labels = {
        "suppressed": tr("Suppressed"),
        "compactness": tr("Compactness"),
        "discernibility": tr("Discernibility"),
        "entropy_loss": tr("Entropy loss"),
    }
    columns = [col(name, labels[name], decimals=3) for name in _COMPARED]
    k_by_where = [column for column, _ in _combination()]
    locations = [
        (k, by, where, *(_ratio(one, at[k, by, _BASE], name) for name in _COMPARED))
        for (k, by, where), one in at.items()
        if where != _BASE and (k, by, _BASE) in at
    ]
    if locations:
        said = [tr("Each location / balanced density.")]
        if any(where == MAX_P for _, _, where, *_ in locations):
            said.append(tr("The areas of max_p are fewer, which by itself suppresses less."))
        first = [(column, None) for column in k_by_where]
        page.table("location_ratios", [*first, *columns], locations, " ".join(said))
    few, many = "gaps_maxcombs", "gaps_entropy"
    numbers = [
        (
            k,
            where,
            _ratio(one, at[k, many, where], "suppressed"),
            *(_ratio(at[k, many, where], one, name) for name in _COMPARED[1:]),
        )
        for (k, by, where), one in at.items()
        if by == few and (k, many, where) in at
    ]
    if numbers:
        page.table(
            "number_ratios",
            [(k_by_where[0], None), (k_by_where[2], None), *columns],
            numbers,
            tr(
                "As the paper tells them: suppressed by gaps_maxcombs / gaps_entropy, the others "
                "by gaps_entropy / gaps_maxcombs. Its averages over twelve scenarios are 0.132, "
                "0.487, 0.358 and 0.642."
            ),
        )


def _shortfalls(page: PrivatePage, results: list[Aggregation]) -> None:
    found = {id(one): Shortfalls.of(one.areas) for one in results}
    page.table(
        "shortfalls_table",
        [
            *_combination(),
            col("areas", tr("Areas"), "measures.areas"),
            col("nothing", tr("Release nothing"), lambda one: len(found[id(one)].nothing)),
            col("little", tr("Release less than half"), lambda one: len(found[id(one)].little)),
            col(
                "few",
                tr("Hold fewer than {bound:,} records").format(bound=FEW),
                lambda one: len(found[id(one)].few),
            ),
            col("least", tr("Fewest records of an area"), lambda one: found[id(one)].least),
        ],
        results,
    )


def _searches(page: PrivatePage, results: list[Aggregation]) -> None:
    searched = [one for one in results if one.log is not None]
    if not searched:
        return
    page.table(
        "searches_table",
        [
            *_combination(),
            col("tried", tr("Moves tried"), "log.tried"),
            col("committed", tr("Moves made"), "log.committed"),
            col("before", tr("Suppressed before"), lambda one: one.log.suppressed[0]),
            col("after", tr("after"), lambda one: one.log.suppressed[1]),
            col("g_before", tr("Smallest class before"), lambda one: one.log.anonymity[0]),
            col("g_after", tr("after "), lambda one: one.log.anonymity[1]),
            col("stopped", tr("Why it stopped"), "log.stopped"),
        ],
        searched,
    )
