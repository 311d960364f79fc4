# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:vbascompare."""

from __future__ import annotations

import numpy as np

from ...compat import make_field
from ...core.aggregation.vbas import Aggregation, compare
from ...core.runtime.progress import interruptible, part
from ...core.verdict import judge
from ..base import Help, core_progress
from ..dialog import parameters as make
from ..families.aggregating import LOCATIONS, SITES_BY, AggregationAlgorithm, load_charts
from ..i18n import mark, tr
from ..reports import vbascompare as story

_WHOLE = ("sites", "areas", "suppressed", "released", "anonymity", "smallest_class")
_MEASURES = (
    "suppressed_share",
    "compactness",
    "discernibility",
    "discernibility_full",
    "entropy_loss",
)


class VbasCompareAlgorithm(AggregationAlgorithm):
    """Try combinations of K, numbers of sites and locations."""

    NAME = "vbascompare"
    DISPLAY_NAME = mark("Compare aggregations")
    ICON = "vbascompare"
    TAGS = (
        mark("privacy"),
        mark("geomask"),
        mark("k-anonymity"),
        mark("VBAS"),
        mark("aggregate"),
        mark("suppression"),
        mark("max-p"),
        mark("regionalization"),
        mark("risk-utility map"),
    )
    SHORT_DESCRIPTION = mark(
        "Tries all combinations of K, numbers of sites and their locations on one data set, and "
        "lays table, charts and maps side by side."
    )
    HELP = Help(
        what=mark(
            "Records are counted once; then every combination of K, number of sites and location "
            "of the sites is aggregated and measured: how many records are suppressed, how "
            "compact the areas are, and what information is lost. All of them begin with the same "
            "random numbers.\n\n"
            "“Voronoi-based aggregation” (geoanon:vbas) explains the choices, and makes the "
            "release with the one that you take."
        ),
        when=mark("Before a release, to choose its parameters; and to repeat the paper."),
        outputs=(
            (
                "OUTPUT",
                mark(
                    "Private. One row for each combination: k, sites_by, location, sites, areas, "
                    "suppressed, released, anonymity (smallest class released), smallest_class (before "
                    "suppression), suppressed_share, compactness (m), discernibility, "
                    "discernibility_full, entropy_loss (bits), tried and committed (moves of a "
                    "search), stopped (why it ended), seconds."
                ),
            ),
            (
                "REPORT, JSON",
                mark(
                    "Private. Table, charts, ratios and a map of each; the same figures for "
                    "programs."
                ),
            ),
            ("COMBINATIONS", mark("Combinations that were tried.")),
            ("LEAST_SUPPRESSED", mark("Smallest share of suppressed records among them.")),
        ),
        cautions=(
            mark(
                "Few suppressed records are not all: a single area suppresses least and tells "
                "nothing. Look at compactness and entropy loss beside it."
            ),
            mark("max_p needs the package spopt and takes minutes for some thousand regions."),
        ),
        reference=mark(
            "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
            "partitioning system for anonymizing health care data. arXiv:1505.06939. Duque, J. C., "
            "Anselin, L. and Rey, S. J. (2012). The max-p-regions problem. Journal of Regional "
            "Science 52, 397–419."
        ),
    )

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        for parameter in (
            *self.input_parameters(),
            make.numbers(
                "KS",
                tr("K"),
                tr("Numbers parted by commas, each 2 or more."),
                "5, 11",
                2,
                whole=True,
            ),
            make.choices(
                "SITES_BY",
                tr("Numbers of sites by"),
                tr("gaps_maxcombs, gaps_entropy, fixed."),
                SITES_BY,
                SITES_BY[:2],
            ),
            *self.gaps_parameters(),
            make.choices(
                "LOCATIONS",
                tr("Locations of the sites"),
                tr(
                    "balanced_density, adc, least_suppression, random, max_p (needs the package "
                    "spopt)."
                ),
                LOCATIONS,
                LOCATIONS[:4],
            ),
            *self.search_parameters(),
            self.area_parameter(),
            make.seed(),
            make.private_sink(
                "OUTPUT",
                tr("Combinations"),
                tr("Table with one row for each combination."),
                "table",
                optional=False,
            ),
            make.html_destination(
                "REPORT", tr("Report"), tr("Table, charts and a map of each combination.")
            ),
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The report's figures for programs.")
            ),
        ):
            self.addParameter(parameter)
        self.add_numbers(
            COMBINATIONS=tr("Combinations"),
            LEAST_SUPPRESSED=tr("Smallest share of suppressed records"),
        )
        self.add_decision()

    def check(self, parameters, context):
        """Check the inputs and the lists."""
        by = self.parameterAsEnumStrings(parameters, "SITES_BY", context)
        locations = self.parameterAsEnumStrings(parameters, "LOCATIONS", context)
        if not by or not locations:
            return tr("Choose at least one number of sites and one location to compare.")
        self.listed(parameters, "KS", context)
        return (
            super().check(parameters, context)
            or self.check_number(parameters, context, by)
            or self.check_location(locations)
        )

    def execute(self, parameters, context, feedback, outputs):
        """Read, count, try, write, report."""
        progress = core_progress(feedback)
        by = self.parameterAsEnumStrings(parameters, "SITES_BY", context)
        locations = self.parameterAsEnumStrings(parameters, "LOCATIONS", context)
        reported = outputs.wanted("REPORT") or outputs.wanted("JSON")
        data = self.read(parameters, context, feedback, part(progress, 0, 0.3))
        results = compare(
            data.counted.classes,
            data.xy,
            self.listed(parameters, "KS", context),
            np.random.default_rng(self.optional_integer(parameters, "SEED", context)),
            by,
            locations,
            None if by == ["fixed"] else self.model(parameters, context),
            self.optional_integer(parameters, "SITES", context),
            self.options(parameters, context),
            data.plane.ground_distance,
            part(progress, 0.3, 0.7 if reported else 0.98),
        )
        for result in results:
            feedback.pushInfo(f"{story.name_of(result)}: {story.result_sentence(result)}")
        for note in dict.fromkeys(note for result in results for note in result.notes):
            feedback.pushInfo(note)
        begin, end = (0.7, 0.72) if reported else (0.98, 1.0)
        self._write(outputs, results, part(progress, begin, end))

        limit = self.acceptable(parameters, context)
        outputs.conclude(
            judge([story.worst(results)], "quasi_identifiers", "which_record", limit),
            story.steps(results, limit),
        )

        def report():
            pictures = self._pictures(data, results, part(progress, 0.72, 1.0))
            return interruptible(lambda: story.report(data, results, pictures), progress, 1.0)

        outputs.add_report(report)
        return {
            "COMBINATIONS": len(results),
            "LEAST_SUPPRESSED": min(one.measures.suppressed_share for one in results),
        }

    @staticmethod
    def _write(outputs, results: list[Aggregation], progress) -> None:
        columns: list[tuple[str, str, list]] = [
            ("k", "long", [one.k for one in results]),
            ("sites_by", "string", [one.sites_by for one in results]),
            ("location", "string", [one.location for one in results]),
            *((name, "long", [getattr(one.measures, name) for one in results]) for name in _WHOLE),
            *(
                (name, "double", [getattr(one.measures, name) for one in results])
                for name in _MEASURES
            ),
            *(
                (name, "long", [one.log and getattr(one.log, name) for one in results])
                for name in ("tried", "committed")
            ),
            ("stopped", "string", [one.log and tr(one.log.stopped) for one in results]),
            ("seconds", "double", [sum(one.seconds.values()) for one in results]),
        ]
        outputs.add_table(
            "OUTPUT",
            [make_field(name, kind) for name, kind, _ in columns],
            [values for _, _, values in columns],
            progress,
        )

    @staticmethod
    def _pictures(data, results: list[Aggregation], progress):
        from ..maps.pictures import aggregation_picture

        known: dict[bytes, list] = {}  # balanced density has the same areas for every K
        pictures = []
        for number, result in enumerate(results):
            here = part(progress, number / len(results), (number + 1) / len(results))
            same = result.area_of_region.tobytes() + result.sites.tobytes()
            if same not in known:
                known[same] = data.geometries(
                    result.sites, result.area_of_region, part(here, 0.0, 0.4)
                )
            pictures.append(
                aggregation_picture(
                    data.plane,
                    data.regions.crs,
                    data.xy,
                    data.regions.geometries,
                    known[same],
                    result,
                    part(here, 0.4, 1.0),
                    name=f"map_{number + 1}",
                    title=f"{story.name_of(result)}.",
                )
            )
        load_charts(progress)
        return pictures
