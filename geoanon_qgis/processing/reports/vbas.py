# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of an aggregation: what it cost, where, and what another K would cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...core.aggregation.adc import SearchLog
from ...core.aggregation.vbas import Aggregation
from ...core.verdict import Evidence
from ...report import (
    Column,
    Figure,
    Figures,
    Histogram,
    Lines,
    Mark,
    Notice,
    Paragraph,
    Picture,
    Reference,
    Report,
    Section,
    Series,
    Table,
)
from ..families.aggregating import MAX_P, Data
from ..i18n import number_of, tr
from ..layers import planes
from ..layers.attributes import Choice
from . import common

CROFT = Reference(
    "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
    "partitioning system for anonymizing health care data. arXiv.",
    "https://arxiv.org/abs/1505.06939",
)
EL_EMAM = Reference(
    "El Emam, K., Brown, A. and AbdelMalik, P. (2009). Evaluating predictors of geographic area "
    "population size cut-offs to manage re-identification risk. Journal of the American Medical "
    "Informatics Association 16, 256–266.",
    "10.1197/jamia.M2902",
)
#: Areas that the table lists, those with most suppressed records first.
_AREAS = 100
#: Unknown ids that are listed.
_UNKNOWN = 200
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
    """

    data: Data
    result: Aggregation
    model: str
    choice: Choice | None = None

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
        return found.with_caveat("attributes") if self.doubtful else found


def result_sentence(result: Aggregation) -> str:
    """The result in one sentence, for the log."""
    measures = result.measures
    records = number_of(measures.records, "record", "records")
    said = [
        tr("{areas} from {regions}").format(
            areas=number_of(measures.areas, "area", "areas"),
            regions=number_of(measures.regions, "region", "regions"),
        ),
        tr(
            "suppressed, in classes of fewer than {k}: {suppressed} of {records} ({share:.2f} %)"
        ).format(
            k=result.k,
            suppressed=f"{measures.suppressed:,}",
            records=records,
            share=100 * measures.suppressed_share,
        )
        if measures.suppressed
        else tr("none of {records} suppressed").format(records=records),
        tr("smallest class released: {anonymity}").format(anonymity=f"{measures.anonymity:,}")
        if measures.released
        else tr("nothing can be released"),
    ]
    return "; ".join(said) + "."


def log_sentence(log: SearchLog) -> str:
    """What a search did, in one sentence."""
    return tr(
        "The search tried {tried} and made {committed}. Records suppressed before it: {before}, "
        "after it: {after}. It stopped: {why}"
    ).format(
        tried=number_of(log.tried, "move", "moves"),
        committed=f"{log.committed:,}",
        before=f"{log.suppressed[0]:,}",
        after=f"{log.suppressed[1]:,}",
        why=log.stopped,
    )


def report(done: Done, pictures: list[Picture]) -> Report:
    """Put the report together."""
    result = done.result
    return common.private_report(
        tr("Voronoi-based aggregation"),
        tr("{regions}, records of {records}").format(
            regions=done.data.regions.name, records=done.data.records_name
        ),
        [
            Section(tr("Result"), _result(result), name="result"),
            Section(tr("Map"), tuple(pictures), name="map"),
            Section(tr("What another K would cost"), _other_k(result), name="other_k"),
            Section(tr("Areas"), _areas(result), name="areas"),
            Section(tr("Quasi-identifiers"), quasi_identifiers(done.data), name="qis"),
            Section(
                tr("Attributes of the released records"),
                common.attributes(done.choice) if done.choice is not None else (),
                name="attributes",
            ),
            Section(tr("Search for better sites"), _search(result.log), name="search"),
            Section(tr("What was left out"), left_out(done.data), name="kept_out"),
            method(
                done.data,
                [done.model, _number(result), *map(tr, result.notes)],
                [_seconds(result)],
                [result.location],
            ),
        ],
    )


def _result(result: Aggregation) -> tuple:
    measures = result.measures
    blocks: list = [
        Figures(
            (
                Figure(
                    "areas",
                    tr("Areas"),
                    measures.areas,
                    note=tr("from {regions}").format(
                        regions=number_of(measures.regions, "region", "regions")
                    ),
                ),
                Figure("records", tr("Records"), measures.records),
                Figure("released", tr("Released"), measures.released),
                Figure("suppressed", tr("Suppressed"), measures.suppressed),
                Figure(
                    "suppressed_share",
                    tr("Suppressed"),
                    100 * measures.suppressed_share,
                    "%",
                    decimals=2,
                ),
                Figure(
                    "anonymity",
                    tr("Smallest class released"),
                    measures.anonymity,
                    note=f"K = {result.k}",
                ),
            )
        ),
        Figures(
            (
                Figure(
                    "compactness",
                    tr("Compactness"),
                    measures.compactness / 1000,
                    "km",
                    note=tr("sum of the distances of regions to their sites"),
                ),
                Figure(
                    "discernibility",
                    tr("Discernibility"),
                    measures.discernibility,
                    note=tr("sum of squared sizes of released classes"),
                ),
                Figure(
                    "discernibility_full",
                    tr("Discernibility, full form"),
                    measures.discernibility_full,
                    note=tr("each suppressed record counts as many as there are"),
                ),
                Figure(
                    "entropy_loss",
                    tr("Entropy loss"),
                    measures.entropy_loss,
                    tr("bits"),
                    note=tr("non-uniform entropy"),
                ),
                Figure(
                    "smallest_class",
                    tr("Smallest class before suppression"),
                    measures.smallest_class,
                ),
            )
        ),
    ]
    if not measures.released:
        blocks.append(Notice(tr("All records are suppressed: nothing can be released."), "danger"))
    blocks.append(
        Notice(
            tr(
                "This report, the areas with their counts and the sites are private: counts from "
                "before suppression can give suppressed records back. What may be given away are "
                "the released records, the areas with their ids, and the table that leads from "
                "regions to areas, which tells nothing about persons."
            ),
            "info",
        )
    )
    return tuple(blocks)


def _other_k(result: Aggregation) -> tuple:
    sizes = result.areas.counts.data
    records = max(1, int(sizes.sum()))
    ks = np.unique(np.concatenate([np.arange(2, 21), [25, 30, 40, 50, 75, 100], [result.k]]))
    order = np.sort(sizes)
    below = np.concatenate([[0], np.cumsum(order)])[np.searchsorted(order, ks)]
    return (
        Lines(
            tr("Records suppressed at other K, with the same areas"),
            (Series(tr("suppressed"), ks.tolist(), (100 * below / records).tolist()),),
            "K",
            tr("Suppressed"),
            y_unit="%",
            marks=(Mark(result.k, f"K = {result.k}"),),
            name="k_chart",
        ),
        Histogram.of(
            tr("Sizes of classes, before suppression"),
            sizes,
            tr("Records in a class"),
            y_label=tr("Classes"),
            marks=(Mark(result.k, f"K = {result.k}"),),
            name="class_sizes",
        ),
    )


def _areas(result: Aggregation) -> tuple:
    areas = result.areas
    rows = np.flatnonzero(areas.regions > 0)
    rows = rows[np.argsort(-areas.suppressed[rows], kind="stable")]
    some = rows[:_AREAS]
    caption = ""
    if len(rows) > len(some):
        caption = tr("Areas with most suppressed records: {count} of {all}.").format(
            count=len(some), all=f"{len(rows):,}"
        )
    blocks = []
    if len(rows) > 1:
        blocks.append(
            Histogram.of(
                tr("Records in an area"),
                areas.records[rows],
                tr("Records"),
                y_label=tr("Areas"),
                name="area_sizes",
            )
        )
    blocks.append(
        Table(
            (
                Column("area_id", tr("Area"), numeric=False),
                Column("regions", tr("Regions")),
                Column("records", tr("Records")),
                Column("classes", tr("Classes")),
                Column("smallest", tr("Smallest class")),
                Column("suppressed", tr("Suppressed")),
                Column("share", tr("Suppressed"), unit="%", decimals=2),
                Column("kept", tr("Smallest class released")),
            ),
            [
                (
                    row + 1,
                    areas.regions[row],
                    areas.records[row],
                    areas.classes[row],
                    areas.smallest[row],
                    areas.suppressed[row],
                    100 * areas.suppressed[row] / areas.records[row]
                    if areas.records[row]
                    else None,
                    areas.smallest_kept[row] or None,
                )
                for row in some.tolist()
            ],
            caption,
            "areas_table",
        )
    )
    return tuple(blocks)


def quasi_identifiers(data: Data) -> tuple:
    """Blocks about categories, MaxCombs and entropy."""
    classes = data.counted.classes
    origins = {"declared": tr("declared"), "observed": tr("observed"), "grouped": tr("grouped")}
    return (
        Figures(
            (
                Figure(
                    "max_combs", tr("MaxCombs"), classes.max_combs, note=tr("possible combinations")
                ),
                Figure(
                    "classes",
                    tr("Classes that occur"),
                    len(classes.codes),
                    note=tr("without geography"),
                ),
                Figure("entropy", tr("Entropy"), classes.entropy, tr("bits"), decimals=3),
            )
        ),
        Table(
            (
                Column("name", tr("Quasi-identifier")),
                Column("categories", tr("Categories")),
                Column("origin", tr("Categories are")),
                Column("nulls", tr("Records with NULL")),
            ),
            [(qi.name, qi.count, origins[qi.origin], qi.nulls) for qi in data.counted.qis],
            name="qis_table",
        ),
        *(Notice(one, "warning") for one in data.warnings),
    )


def _search(log: SearchLog | None) -> tuple:
    if log is None:
        return ()
    blocks: list = [
        Figures(
            (
                Figure("tried", tr("Moves tried"), log.tried),
                Figure("committed", tr("Moves made"), log.committed),
                Figure("suppressed_before", tr("Suppressed before"), log.suppressed[0]),
                Figure("suppressed_after", tr("Suppressed after"), log.suppressed[1]),
                Figure(
                    "lowest_before",
                    tr("Areas at the smallest class, before"),
                    log.lowest[0],
                    note=tr("of size {size}").format(size=log.anonymity[0]),
                ),
                Figure(
                    "lowest_after",
                    tr("Areas at the smallest class, after"),
                    log.lowest[1],
                    note=tr("of size {size}").format(size=log.anonymity[1]),
                ),
            )
        ),
        Paragraph(tr("Why it stopped: {why}").format(why=log.stopped)),
    ]
    if log.committed > 1:
        rows = np.unique(np.linspace(0, log.committed - 1, _POINTS).astype(int))
        blocks.append(
            Lines(
                tr("What the search watches, after each move"),
                (Series(tr("value"), (rows + 1).tolist(), log.values[rows].tolist()),),
                tr("Moves made"),
                tr("Value"),
                caption=tr(
                    "The objective F of adc, which rises; the suppressed records of "
                    "least_suppression, which fall."
                ),
                name="search_chart",
            )
        )
    return tuple(blocks)


def left_out(data: Data) -> tuple:
    """Blocks that list regions without a place and ids that no region has."""
    blocks = common.left_out(
        data.regions.left_out, number_of(len(data.regions.left_out), "region", "regions")
    )
    unknown = list(data.counted.unknown.items())
    if unknown:
        blocks += [
            Paragraph(
                tr("{count} of regions that are not in the layer.").format(
                    count=number_of(sum(number for _, number in unknown), "record", "records")
                )
            ),
            Table(
                (
                    Column("id", tr("Unknown region"), numeric=False),
                    Column("records", tr("Records")),
                ),
                unknown[:_UNKNOWN],
                name="unknown",
            ),
        ]
    return tuple(blocks)


def method(data: Data, first: list[str], more: list[str], locations: Iterable[str]) -> Section:
    """The closing section."""
    locations = set(locations)
    plane = planes.describe(data.plane, data.regions.crs)
    place = (
        " ".join(_drawn(locations))
        if data.regions.geometries is None
        else tr(
            "Regions are polygons, represented by a point inside of them; areas are their unions."
        )
    )
    said = [
        " ".join([plane, place]),
        " ".join(filter(None, first)),
        " ".join(
            [
                *([tr("A region belongs to the nearest site.")] if locations - {MAX_P} else []),
                *(
                    [
                        tr(
                            "Max-p regions are joined along their borders; their sites are the medians of "
                            "the regions."
                        )
                    ]
                    if MAX_P in locations
                    else []
                ),
                tr(
                    "Compactness adds up the distances of regions to their sites; discernibility the "
                    "squared sizes of the classes that are released; the entropy loss is −Σ log2 of a "
                    "region's share in the records of its area, over all records. A class is all "
                    "records of an area that agree in every quasi-identifier."
                ),
            ]
        ),
        *more,
        " ".join(data.counted.sentences),
    ]
    return common.how_it_was_done(said[0], list(filter(None, said[1:])), [CROFT, EL_EMAM])


def _drawn(locations: set[str]) -> list[str]:
    """How areas of points are drawn."""
    said = []
    if locations - {MAX_P}:
        said.append(tr("Regions are points; areas are drawn as the Voronoi cells of their sites."))
    if MAX_P in locations:
        said.append(
            tr(
                "Regions are points; max-p areas are drawn as the Voronoi cells of their regions, "
                "joined."
            )
        )
    return said


def _number(result: Aggregation) -> str:
    number = result.number
    if number.x is None:
        return ""
    what = tr("MaxCombs") if result.sites_by == "gaps_maxcombs" else tr("the entropy")
    return tr(
        "X is {what}, {x:,.6g}: the cutoff is {cutoff:,.0f} people, which makes {sites}."
    ).format(
        what=what,
        x=number.x,
        cutoff=number.cutoff,
        sites=number_of(number.sites, "site", "sites"),
    )


def _seconds(result: Aggregation) -> str:
    took = result.seconds
    return tr(
        "Placing took {placing:.2f} s, joining {construction:.2f} s, measuring {evaluation:.2f} s."
    ).format(**took)
