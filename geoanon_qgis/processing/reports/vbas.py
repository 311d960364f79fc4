# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of an aggregation: what it cost, where, and what another K would cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.aggregation.adc import SearchLog
from ...core.aggregation.local_search import TOLERANCE
from ...core.aggregation.vbas import Aggregation
from ...core.verdict import Evidence
from ...report import Picture, Report, col
from ..families.earlier import Subtracted
from ..families.recounted import Recounted
from ..families.regional import Data
from ..families.secrets import Secrets
from ..i18n import figure, number_of, tr
from ..layers.attributes import Choice
from . import vbas_earlier
from .aggregation import left_out, method, page_of, quasi_identifiers
from .common import PrivatePage
from .equivalenceclasses_more import sensitive
from .vbas_kept import kept_section, recounted_figure, shortfall_section, traded_section

#: Areas that the table lists, those with most suppressed records first.
_AREAS = 100
#: Points of the curve of a search.
_POINTS = 300


@dataclass(frozen=True)
class Done:
    """What the report tells of.

    Attributes
    ----------
    data : Data
    result : Aggregation
    model : str
        Sentence about how the number of sites came about.
    choice : Choice or None
        Attributes of the released records; None where none are released.
    pieces : (areas,) int array or None
        In how many each area lies.
    tolerance : float
        Of the search, a share.
    earlier : Subtracted or None
        What an earlier release and this one give away together.
    secrets : Secrets or None
        What classes that are released have in common.
    again : Recounted or None
        The released records as they stand in their file; None where none are released.
    """

    data: Data
    result: Aggregation
    model: str
    choice: Choice | None = None
    pieces: np.ndarray | None = None
    tolerance: float = TOLERANCE
    earlier: Subtracted | None = None
    secrets: Secrets | None = None
    again: Recounted | None = None

    @property
    def attacks(self) -> list[Evidence]:
        """What the adversaries find: by look-up, by subtraction, and what classes have in common."""
        released = self.result.measures.released
        found = [self.evidence]
        if self.earlier is not None and released:
            found.append(self.earlier.found.evidence(released))
        if self.secrets is not None:
            found.append(self.secrets.evidence)
        return found

    @property
    def further(self) -> list[str]:
        """Attributes of the released records beside area and quasi-identifiers."""
        return list(self.data.counted.attributes) if self.choice is not None else []

    @property
    def doubtful(self) -> list[str]:
        """Those of them by which people can be found."""
        if self.choice is None:
            return []
        names = {name for name, _ in self.choice.doubtful}
        return [one for one in self.further if self.choice.many_alone or one in names]

    @property
    def evidence(self) -> Evidence:
        """What a look-up finds; a lower bound where doubtful attributes are released, too."""
        found = self.result.evidence
        if self.again is not None:
            found = self.again.evidence(found, self.result.k, self.data.counted.classes.of_people)
        return found.with_caveat("attributes") if self.doubtful else found


def report(done: Done, pictures: list[Picture]) -> Report:
    """Put the report together."""
    result = done.result
    page = page_of(tr("Voronoi-based aggregation"), done.data)
    page.section(tr("Result"), "result")
    _result(page, done)
    page.pictures(tr("Map"), pictures)
    shortfall_section(page, result)
    kept_section(page, done.data, result, done.pieces)
    vbas_earlier.section(page, done.data, done.earlier, result.k)
    if done.secrets is not None:
        page.section(tr("Sensitive fields"), "sensitive")
        sensitive(page, done.secrets.found)
    page.section(tr("What another K would cost"), "other_k")
    _other_k(page, result)
    page.section(tr("Areas"), "areas")
    _areas(page, result)
    quasi_identifiers(page, done.data)
    page.section(tr("Attributes of the released records"), "attributes")
    if done.choice is not None:
        page.attributes(done.choice)
    page.section(tr("Search for better sites"), "search")
    _search(page, result.log)
    traded_section(page, result, done.tolerance)
    left_out(page, done.data)
    method(
        page,
        done.data,
        [done.model, _number(result), *map(tr, result.notes)],
        [_seconds(result)],
        [result.location],
    )
    return page.report()


def _result(page: PrivatePage, done: Done) -> None:
    result, measures = done.result, done.result.measures
    page.figure(
        "areas",
        tr("Areas"),
        measures.areas,
        tr("In the place of the regions: a released record tells its area only."),
        note=tr("from {regions}").format(regions=number_of(measures.regions, "region", "regions")),
    )
    page.figure("records", tr("Records"), measures.records, tr("People, before any is left out."))
    page.figure(
        "released", tr("Released"), measures.released, tr("Records that may be given away.")
    )
    page.figure(
        "suppressed",
        tr("Suppressed"),
        measures.suppressed,
        tr("Records left out: too few in their area share their quasi-identifiers."),
    )
    page.figure(
        "suppressed_share",
        tr("Suppressed"),
        100 * measures.suppressed_share,
        tr("The same as a share of all records."),
        unit="%",
        decimals=2,
    )
    page.figure(
        "anonymity",
        tr("Smallest class released"),
        measures.anonymity,
        tr("So many released records, at the least, look alike to somebody who looks for one."),
        note=f"K = {result.k}",
    )
    page.figure(
        "compactness",
        tr("Compactness"),
        measures.compactness / 1000,
        tr("The smaller, the tighter the areas lie round their middles."),
        unit="km",
        note=tr("sum of the distances of regions to their sites"),
    )
    page.figure(
        "discernibility",
        tr("Discernibility"),
        measures.discernibility,
        tr("What hiding costs: the larger, the less records can be told apart."),
        note=tr("sum of squared sizes of released classes"),
    )
    page.figure(
        "discernibility_full",
        tr("Discernibility, full form"),
        measures.discernibility_full,
        tr("The same with the price of what was left out."),
        note=tr("each suppressed record counts as many as there are"),
    )
    page.figure(
        "entropy_loss",
        tr("Entropy loss"),
        measures.entropy_loss,
        tr("How much of where people live can no longer be told; 0: nothing is lost."),
        unit=tr("bits"),
        note=tr("non-uniform entropy"),
    )
    page.figure(
        "smallest_class",
        tr("Smallest class before suppression"),
        measures.smallest_class,
        tr("1: somebody was alone in an area with these quasi-identifiers."),
    )
    if done.again is not None:
        recounted_figure(page, done.again, result.k)
    if not measures.released:
        page.notice(tr("All records are suppressed: nothing can be released."), "danger")
    page.notice(
        tr(
            "This report, the areas with their counts and the sites are private: counts from "
            "before suppression can give suppressed records back. What may be given away are the "
            "released records, the areas with their ids, and the table that leads from regions to "
            "areas, which tells nothing about persons."
        )
    )


def _other_k(page: PrivatePage, result: Aggregation) -> None:
    sizes = result.areas.counts.data
    records = max(1, int(sizes.sum()))
    ks = np.unique(np.concatenate([np.arange(2, 21), [25, 30, 40, 50, 75, 100], [result.k]]))
    order = np.sort(sizes)
    below = np.concatenate([[0], np.cumsum(order)])[np.searchsorted(order, ks)]
    marks = ((result.k, f"K = {result.k}"),)
    page.lines(
        "k_chart",
        tr("Records suppressed at other K, with the same areas"),
        [(tr("suppressed"), ks.tolist(), (100 * below / records).tolist())],
        "K",
        tr("Suppressed"),
        y_unit="%",
        marks=marks,
    )
    page.histogram(
        "class_sizes",
        tr("Sizes of classes, before suppression"),
        sizes,
        tr("Records in a class"),
        y_label=tr("Classes"),
        marks=marks,
    )


def _areas(page: PrivatePage, result: Aggregation) -> None:
    areas = result.areas
    rows = np.flatnonzero(areas.regions > 0)
    rows = rows[np.argsort(-areas.suppressed[rows], kind="stable")]
    some = rows[:_AREAS].tolist()
    caption = ""
    if len(rows) > len(some):
        caption = tr("Areas with most suppressed records: {count} of {all}.").format(
            count=len(some), all=figure(len(rows), ",")
        )
    if len(rows) > 1:
        title, values = tr("Records in an area"), areas.records[rows]
        page.histogram("area_sizes", title, values, tr("Records"), y_label=tr("Areas"))

    def share(row: int) -> float | None:
        count = areas.records[row]
        return 100 * areas.suppressed[row] / count if count else None

    page.table(
        "areas_table",
        [
            col("area_id", tr("Area"), lambda row: row + 1, numeric=False),
            col("regions", tr("Regions"), lambda row: areas.regions[row]),
            col("records", tr("Records"), lambda row: areas.records[row]),
            col("classes", tr("Classes"), lambda row: areas.classes[row]),
            col("smallest", tr("Smallest class"), lambda row: areas.smallest[row]),
            col("suppressed", tr("Suppressed"), lambda row: areas.suppressed[row]),
            col("share", tr("Suppressed"), share, unit="%", decimals=2),
            col(
                "kept", tr("Smallest class released"), lambda row: areas.smallest_kept[row] or None
            ),
        ],
        some,
        caption,
    )


def _search(page: PrivatePage, log: SearchLog | None) -> None:
    if log is None:
        return
    page.figure(
        "tried", tr("Moves tried"), log.tried, tr("A move puts the middle of an area elsewhere.")
    )
    page.figure(
        "committed", tr("Moves made"), log.committed, tr("Those that made the areas better.")
    )
    (before, after), (lowest_before, lowest_after) = log.suppressed, log.lowest
    page.figure(
        "suppressed_before", tr("Suppressed before"), before, tr("Records left out at the start.")
    )
    page.figure(
        "suppressed_after", tr("Suppressed after"), after, tr("Records left out in the end.")
    )
    size_before, size_after = (tr("of size {size}").format(size=size) for size in log.anonymity)
    page.figure(
        "lowest_before",
        tr("Areas at the smallest class, before"),
        lowest_before,
        tr("Areas with a class as small as the smallest of all."),
        note=size_before,
    )
    page.figure(
        "lowest_after",
        tr("Areas at the smallest class, after"),
        lowest_after,
        tr("The same in the end."),
        note=size_after,
    )
    page.say(tr("Why it stopped: {why}").format(why=log.stopped))
    if len(log.values) > 1:
        rows = np.unique(np.linspace(0, log.committed - 1, _POINTS).astype(int))
        page.lines(
            "search_chart",
            tr("What the search watches, after each move"),
            [(tr("value"), (rows + 1).tolist(), log.values[rows].tolist())],
            tr("Moves made"),
            tr("Value"),
            caption=tr(
                "The objective F of adc, which rises; the suppressed records of least_suppression, "
                "which fall."
            ),
        )


def _number(result: Aggregation) -> str:
    number = result.number
    if number.x is None:
        return ""
    what = tr("MaxCombs") if result.sites_by == "gaps_maxcombs" else tr("the entropy")
    return tr("X is {what}, {x:,.6g}: the cutoff is {cutoff}, which makes {sites}.").format(
        what=what,
        x=number.x,
        cutoff=number_of(round(number.cutoff), "person", "people"),
        sites=number_of(number.sites, "site", "sites"),
    )


def _seconds(result: Aggregation) -> str:
    took = result.seconds
    return tr(
        "Placing took {placing:.2f} s, joining {construction:.2f} s, measuring {evaluation:.2f} s."
    ).format(**took)
