# SPDX-License-Identifier: GPL-2.0-or-later
"""What the reports on one aggregation and on several share."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.aggregation.adc import SearchLog
from ...core.aggregation.components import JOINING
from ...core.aggregation.vbas import Aggregation
from ...report import col
from .. import literature
from ..families.locating import BEST, K_AWARE, MAX_P, WARD
from ..families.regional import Data
from ..i18n import figure, number_of, tr
from ..layers import planes
from .common import PrivatePage

#: Unknown ids that are listed.
_UNKNOWN = 200


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
            suppressed=figure(measures.suppressed, ","),
            records=records,
            share=100 * measures.suppressed_share,
        )
        if measures.suppressed
        else tr("none of {records} suppressed").format(records=records),
        tr("smallest class released: {anonymity}").format(anonymity=figure(measures.anonymity, ","))
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
        committed=figure(log.committed, ","),
        before=figure(log.suppressed[0], ","),
        after=figure(log.suppressed[1], ","),
        why=log.stopped,
    )


def page_of(title: str, data: Data) -> PrivatePage:
    """The page of a report on regions and their records."""
    return PrivatePage(
        title,
        tr("{regions}, records of {records}").format(
            regions=data.regions.name, records=data.records_name
        ),
    )


def quasi_identifiers(page: PrivatePage, data: Data) -> None:
    """The section of categories, MaxCombs and entropy."""
    classes = data.counted.classes
    origins = {"declared": tr("declared"), "observed": tr("observed"), "grouped": tr("grouped")}
    page.section(tr("Quasi-identifiers"), "qis")
    page.figure(
        "max_combs",
        tr("MaxCombs"),
        classes.max_combs,
        tr("With many combinations, people are alone with theirs."),
        note=tr("possible combinations"),
    )
    page.figure(
        "classes",
        tr("Classes that occur"),
        len(classes.codes),
        tr("Combinations that somebody has."),
        note=tr("without geography"),
    )
    page.figure(
        "entropy",
        tr("Entropy"),
        classes.entropy,
        tr("How much the quasi-identifiers tell people apart."),
        unit=tr("bits"),
        decimals=3,
    )
    page.table(
        "qis_table",
        [
            col("name", tr("Quasi-identifier")),
            col("categories", tr("Categories"), "count"),
            col("origin", tr("Categories are"), lambda qi: origins[qi.origin]),
            col("nulls", tr("Records with NULL")),
        ],
        data.counted.qis,
    )
    page.warn(data.warnings)


def left_out(page: PrivatePage, data: Data) -> None:
    """The section of regions without a place and ids that no region has."""
    page.section(tr("What was left out"), "kept_out")
    regions = data.regions.left_out
    page.left_out(regions, number_of(len(regions), "region", "regions"))
    unknown = list(data.counted.unknown.items())
    if unknown:
        records = sum(number for _, number in unknown)
        page.say(
            tr("{count} of regions that are not in the layer.").format(
                count=number_of(records, "record", "records")
            )
        )
        page.table(
            "unknown",
            [col("id", tr("Unknown region"), numeric=False), col("records", tr("Records"))],
            unknown[:_UNKNOWN],
        )


def method(
    page: PrivatePage, data: Data, first: list[str], more: list[str], locations: Iterable[str]
) -> None:
    """The closing section."""
    locations = set(locations)
    plane = planes.describe(data.plane, data.regions.crs)
    place = (
        " ".join(_drawn(locations, data))
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
                *([_belongs(data)] if locations - {MAX_P, *JOINING} else []),
                *_joined(locations),
                *(
                    [
                        tr(
                            "Max-p regions are joined along their borders; their sites are the "
                            "medians of the regions."
                        )
                    ]
                    if MAX_P in locations
                    else []
                ),
                tr(
                    "Compactness adds up the distances of regions to their sites; discernibility "
                    "the squared sizes of the classes that are released; the entropy loss is −Σ "
                    "log2 of a region's share in the records of its area, over all records. A "
                    "class is all records of an area that agree in every quasi-identifier."
                ),
            ]
        ),
        *more,
        " ".join(data.counted.sentences),
    ]
    page.method(said, [literature.CROFT, literature.EL_EMAM])


def _belongs(data: Data) -> str:
    """Which area a region belongs to."""
    if data.kept is None or not data.kept.demands:
        return tr("A region belongs to the nearest site.")
    return tr(
        "A region belongs to the nearest site of its part of the map (areas cross none of the "
        "borders that were named), unless it went to another area so that all keep what is asked "
        "for, or at the borders of areas."
    )


def _joined(locations: set[str]) -> list[str]:
    """How methods that put regions together themselves do it."""
    said = {
        WARD: tr(
            "ward joins the two areas that adjoin and add least to the squared distances of regions "
            "from the middle of their area, again and again (Ward 1963)."
        ),
        K_AWARE: tr(
            "k_aware, GeoAnon's own, joins the two areas that adjoin and save most records from "
            "suppression, over the root of the bits of entropy that are lost."
        ),
        BEST: tr(
            "best, GeoAnon's own, begins with several of these methods, moves single regions between "
            "areas that adjoin by simulated annealing, and takes the best by the objective."
        ),
    }
    return [sentence for name, sentence in said.items() if name in locations]


def _drawn(locations: set[str], data: Data) -> list[str]:
    """How areas of points are drawn."""
    if data.kept is not None:
        return [
            tr(
                "Regions are points; areas are drawn as the Voronoi cells of their sites where every "
                "region belongs to the nearest, else as those of their regions, joined."
            )
        ]
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
