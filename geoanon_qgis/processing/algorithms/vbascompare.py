# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:vbascompare."""

from __future__ import annotations

from ...core.aggregation.shortfalls import Shortfalls
from ...core.aggregation.vbas import Aggregation, compare
from ...core.runtime.progress import interruptible, shares
from ...core.verdict import judge
from .. import verdicts
from ..base import Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families import aggregation_inputs, clusters, value_groups
from ..families.aggregating import (
    AggregationAlgorithm,
    load_charts,
)
from ..families.aggregation_inputs import SITES_BY
from ..families.locating import (
    LOCATIONS,
    LOCATIONS_SAID,
    check_location,
    command_of,
    options,
    search_parameters,
)
from ..i18n import mark, tr
from ..reports import aggregation
from ..reports import vbascompare as reporting
from ..reports import vbascompare_choice as choosing
from ..running import Result

_OF_MEASURES = (
    Field("sites", "long"),
    Field("areas", "long"),
    Field("suppressed", "long"),
    Field("released", "long"),
    Field("anonymity", "long", mark("smallest class released")),
    Field("smallest_class", "long", mark("before suppression")),
    Field("suppressed_share", "double"),
    Field("compactness", "double", mark("metres")),
    Field("discernibility", "double"),
    Field("discernibility_full", "double"),
    Field("entropy_loss", "double", mark("bits")),
)
_OF_CHOICE = (
    Field("distance_per_person", "double", mark("metres to the site, on average over records")),
    Field("isoperimetric", "double", mark("4π area / perimeter², mean over areas; 1: circles")),
    Field("frontier", "long", mark("1: no other with this K suppresses less and is as compact")),
    Field("recommended", "long", mark("1: best by OBJECTIVE for its K and number of sites")),
)
_OF_LOG = (
    Field("tried", "long"),
    Field("committed", "long", mark("moves of a search, as those tried")),
    Field("stopped", "string", mark("why it ended")),
)
_FIELDS = (
    Field("k", "long"),
    Field("sites_by", "string"),
    Field("location", "string"),
    *_OF_MEASURES,
    *_OF_LOG,
    Field("seconds", "double"),
    *_OF_CHOICE,
)


class VbasCompareAlgorithm(AggregationAlgorithm):
    """Try combinations of K, numbers of sites and locations."""

    NAME = "vbascompare"
    DISPLAY_NAME = mark("Compare aggregations")
    TAGS = mark(
        "privacy, k-anonymity, VBAS, aggregate, suppression, max-p, regionalization, risk-utility "
        "map, generalize, generalise, small cells"
    )
    SHORT_DESCRIPTION = mark(
        "Tries all combinations of K, numbers of sites and their locations on one data set, and "
        "lays table, charts and maps side by side."
    )
    HELP = Help(
        what=mark(
            "Records are counted once; then every combination of K, number of sites and location "
            "of the sites is aggregated and measured: how many records are suppressed, how compact "
            "the areas are, and what information is lost. All of them begin with the same random "
            "numbers.\n\n"
            "A chart shows the frontier of suppression against compactness: those than which no "
            "other suppresses less and is more compact. For each K and number of sites one row is "
            "recommended, the best by OBJECTIVE among those that are otherwise no worse than "
            "balanced density; the log has the command that makes it.\n\n"
            "“Voronoi-based aggregation” (geoanon:vbas) explains the choices, and makes the "
            "release with the one that you take."
        ),
        when=mark("Before a release, to choose its parameters; and to repeat the paper."),
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

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Combinations"),
            mark("Table with one row for each combination."),
            "table",
            _FIELDS,
            optional=False,
        ),
        *reports(mark("Table, charts, ratios and a map of each combination.")),
        Value("COMBINATIONS", mark("Combinations"), mark("Combinations that were tried.")),
        Value(
            "LEAST_SUPPRESSED",
            mark("Smallest share of suppressed records"),
            mark("Among the combinations."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 30, "compare": 40, "areas": 10, "write": 2, "report": 18}

    def inputs(self):
        """Return what is read."""
        return [
            *aggregation_inputs.of_regions_and_records(),
            parameters.numbers(
                "KS",
                tr("K"),
                tr("Numbers parted by commas, each 2 or more."),
                "5, 11",
                2,
                whole=True,
            ),
            parameters.choice(
                "SITES_BY",
                tr("Numbers of sites by"),
                tr("gaps_maxcombs, gaps_entropy, fixed."),
                SITES_BY,
                SITES_BY[:2],
                several=True,
            ),
            *aggregation_inputs.of_gaps(),
            parameters.choice(
                "LOCATIONS",
                tr("Locations of the sites"),
                tr(LOCATIONS_SAID),
                LOCATIONS,
                LOCATIONS[:4],
                several=True,
            ),
            *search_parameters("LOCATIONS"),
            aggregation_inputs.study_area(),
            parameters.seed(),
            verdicts.limit(),
            aggregation_inputs.counts(),
            clusters.counting_parameter(),
            *value_groups.parameters(),
        ]

    def check(self, given):
        """Check the inputs and the lists."""
        by = given.choices("SITES_BY")
        locations = given.choices("LOCATIONS")
        if not by or not locations:
            return tr("Choose at least one number of sites and one location to compare.")
        given.numbers("KS")
        return super().check(given) or self.check_number(given, by) or check_location(locations)

    def execute(self, run):
        """Read, count, try, write, report."""
        by = run.choices("SITES_BY")
        locations = run.choices("LOCATIONS")
        data = self.read(run, run.step("read"), locations)
        results = compare(
            data.counted.classes,
            data.xy,
            run.numbers("KS"),
            run.rng(),
            by,
            locations,
            None if by == ["fixed"] else self.model(run, data),
            run.number("SITES"),
            options(run),
            data.plane.ground_distance,
            run.step("compare"),
            None if data.kept is None else data.kept.demands,
        )
        for result in results:
            run.tell(f"{reporting.name_of(result)}: {aggregation.result_sentence(result)}")
            run.tell(tr(Shortfalls.of(result.areas).told()))
        run.tell(*dict.fromkeys(note for result in results for note in result.notes))
        drawn = _drawn(data, results, run.step("areas"))
        limit, tolerance = run.acceptable(), options(run)["tolerance"]
        choice = choosing.choice_of(
            results,
            [data.roundness(shapes) for shapes in drawn],
            options(run)["objective"],
            tolerance,
            limit,
            command_of(run, self),
        )
        run.outputs.add_rows("OUTPUT", [_row(*one) for one in zip(results, choice.rows)])

        def report(progress):
            pictures = self._pictures(data, results, drawn, progress)
            return interruptible(
                lambda: reporting.report(data, results, pictures, tolerance, choice), progress, 1.0
            )

        return Result(
            {
                "COMBINATIONS": len(results),
                "LEAST_SUPPRESSED": min(one.measures.suppressed_share for one in results),
            },
            judge([reporting.worst(results)], "quasi_identifiers", "which_record", limit),
            choosing.steps(results, choice, limit),
            choosing.not_run(data),
            report,
        )

    @staticmethod
    def _pictures(data, results: list[Aggregation], drawn, progress):
        from ..maps.pictures import aggregation_picture

        pictures = []
        steps = shares(progress, len(results))
        for number, (result, shapes, here) in enumerate(zip(results, drawn, steps)):
            pictures.append(
                aggregation_picture(
                    data.plane,
                    data.regions.crs,
                    data.xy,
                    data.regions.geometries,
                    shapes,
                    result,
                    here,
                    name=f"map_{number + 1}",
                    title=f"{reporting.name_of(result)}.",
                )
            )
        load_charts(progress)
        return pictures


def _drawn(data, results: list[Aggregation], progress) -> list[list]:
    """The areas of each combination."""
    known: dict[bytes, list] = {}  # balanced density has the same areas for every K
    drawn = []
    for result, here in zip(results, shares(progress, len(results))):
        same = result.area_of_region.tobytes() + result.sites.tobytes()
        if same not in known:
            known[same] = data.geometries(result.sites, result.area_of_region, here)
        drawn.append(known[same])
    progress(1.0)
    return drawn


def _row(one: Aggregation, choice: choosing.Row) -> list:
    return [
        one.k,
        one.sites_by,
        one.location,
        *(getattr(one.measures, field.name) for field in _OF_MEASURES),
        *(one.log and getattr(one.log, name) for name in ("tried", "committed")),
        one.log and tr(one.log.stopped),
        sum(one.seconds.values()),
        one.measures.distance_per_person,
        choice.roundness,
        int(choice.on_frontier),
        int(choice.recommended),
    ]
