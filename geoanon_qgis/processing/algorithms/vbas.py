# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:vbas."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsField, QgsWkbTypes

from ...compat import make_field
from ...core.aggregation.vbas import released_records, vbas
from ...core.identifying import Column
from ...core.runtime.errors import InputError
from ...core.runtime.progress import interruptible, part, shares
from ...core.verdict import judge
from .. import styling
from ..base import Help, core_progress
from ..dialog import parameters as make
from ..families.aggregating import (
    GAPS_MODELS_SAID,
    LOCATIONS,
    SITES_BY,
    AggregationAlgorithm,
    Data,
    load_charts,
)
from ..i18n import mark, tr
from ..layers import attributes
from ..layers.destinations import named_output
from ..reports import vbas as story
from ..reports import vbas_verdict

#: The field that ties areas, sites, lookup and records together.
AREA_ID = "area_id"


class VbasAlgorithm(AggregationAlgorithm):
    """Aggregate small areas until every record hides among k."""

    NAME = "vbas"
    DISPLAY_NAME = mark("Voronoi-based aggregation")
    ICON = "vbas"
    TAGS = (
        mark("privacy"),
        mark("geomask"),
        mark("k-anonymity"),
        mark("VBAS"),
        mark("aggregate"),
        mark("census"),
        mark("health records"),
        mark("suppression"),
        mark("quasi-identifiers"),
        mark("regions"),
        mark("microdata"),
    )
    SHORT_DESCRIPTION = mark(
        "Joins small areas (census blocks, dissemination areas) to larger ones so that records can "
        "be released with them: each hides among k or is suppressed."
    )
    HELP = Help(
        what=mark(
            "Voronoi-based aggregation (VBAS): sites are placed among the regions, and all regions "
            "that are nearest to the same site become one area. Records that agree in all "
            "quasi-identifiers, in one area, are a class; those in classes of fewer than K are "
            "suppressed, all others may be released with their area.\n\n"
            "How many sites: by a model of the population that an area needs (GAPS), driven by the "
            "number of possible combinations (gaps_maxcombs: few, large areas, little is "
            "suppressed) or by the entropy (gaps_entropy: more, smaller areas, more is "
            "suppressed), or fixed. Where: balanced_density gives every site about as many "
            "records; adc (anonymity-driven clustering) moves such sites to lift the smallest "
            "class; least_suppression, a search of GeoAnon's own, moves them so that fewer records "
            "are suppressed at the same number of areas; random draws them; max_p is a baseline "
            "from PySAL's spopt (optional), which ignores the quasi-identifiers.\n\n"
            "“Compare aggregations” (geoanon:vbascompare) tries all of these on your data."
        ),
        when=mark(
            "To release health or census records with a geography that is as fine as k-anonymity "
            "allows."
        ),
        outputs=(
            (
                "OUTPUT",
                mark(
                    "Private. The aggregated areas: area_id (number of the site), regions, records, "
                    "classes, smallest (smallest class before suppression), suppressed (records), "
                    "share (of the records suppressed), released, kept (smallest class that is "
                    "released). The true union of polygons; of points the Voronoi cell. It is private "
                    "because counts from before suppression can give suppressed records back: where "
                    "all combinations of an area but one are released, its one suppressed record is "
                    "known."
                ),
            ),
            (
                "AREAS_OUT",
                mark("Release. The same areas with area_id, regions and released (records) only."),
            ),
            (
                "SITES_OUT",
                mark(
                    "Private. The sites: area_id, regions. Searches move sites to where members of "
                    "rare classes live."
                ),
            ),
            (
                "LOOKUP",
                mark(
                    "Release. Which region belongs to which area: the region's id, area_id. It tells "
                    "nothing about persons, and users of the records need it."
                ),
            ),
            ("REGIONS_OUT", mark("Release. The regions with the same two fields, for maps.")),
            (
                "RECORDS_OUT",
                mark(
                    "Release. The records that are not suppressed, in random order: area_id, the "
                    "quasi-identifiers, and the attributes that were asked for."
                ),
            ),
            (
                "REPORT, JSON",
                mark(
                    "Private. Measures, map, what another K would cost; the same figures for "
                    "programs."
                ),
            ),
            ("SITES", mark("Sites placed.")),
            ("SUPPRESSED", mark("Records in classes smaller than K.")),
            ("SUPPRESSED_SHARE", mark("Their share of the records, 0 to 1.")),
            ("ANONYMITY", mark("Smallest class that is released, at least K; 0 if nothing is.")),
            ("COMPACTNESS", mark("Sum of the distances of regions to their sites, in metres.")),
            ("DISCERNIBILITY", mark("Sum of the squared sizes of the classes that are released.")),
            (
                "ENTROPY_LOSS",
                mark("Non-uniform entropy in bits: what the records' geography lost."),
            ),
        ),
        cautions=(
            mark(
                "k-anonymity protects against being singled out by the quasi-identifiers that you "
                "name, and by nothing else. Where all of a class share a diagnosis, the diagnosis "
                "of each is known."
            ),
            mark(
                "Attributes named in FIELDS are released as they are. Those by which people can "
                "be found belong to the quasi-identifiers."
            ),
            mark("Release one aggregation of the same records only: two overlap to smaller areas."),
            mark(
                "Areas of points are Voronoi cells, whose sites can be computed from them. After "
                "adc and least_suppression release LOOKUP instead of them."
            ),
        ),
        reference=mark(
            "Croft, W. L., Shi, W., Sack, J.-R. and Corriveau, J.-P. (2015). A novel geographic "
            "partitioning system for anonymizing health care data. arXiv:1505.06939. El Emam, K., "
            "Brown, A. and AbdelMalik, P. (2009). Evaluating predictors of geographic area "
            "population size cut-offs to manage re-identification risk. Journal of the American "
            "Medical Informatics Association 16, 256–266."
        ),
    )

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        for parameter in (
            *self.input_parameters(),
            make.integer(
                "K",
                tr("K"),
                tr(
                    "Records that every class must hold to be released, 2 or more. Common are 5 and "
                    "11."
                ),
                5,
                2,
            ),
            make.choice(
                "SITES_BY",
                tr("Number of sites by"),
                tr(
                    "gaps_maxcombs: population over the cutoff by the number of possible combinations. "
                    "gaps_entropy: by the entropy. fixed: as many as SITES says."
                ),
                SITES_BY,
                "gaps_maxcombs",
            ),
            *self.gaps_parameters(),
            make.choice(
                "LOCATION",
                tr("Location of the sites"),
                tr(
                    "balanced_density, adc, least_suppression, random, or max_p (needs the package "
                    "spopt)."
                ),
                LOCATIONS,
                "balanced_density",
            ),
            *self.search_parameters(),
            make.fields(
                "FIELDS",
                tr("Further attributes to release (none chosen: none)"),
                tr(
                    "Fields of the records that are released besides the quasi-identifiers. All "
                    "others are withheld. The log and the report list every field, with what makes it "
                    "identify people or places."
                ),
                "RECORDS",
            ),
            self.area_parameter(),
            make.seed(),
            make.private_sink(
                "OUTPUT",
                tr("Aggregated areas"),
                tr("The areas with what was counted in them, before suppression, too."),
                "polygon",
                optional=False,
            ),
            make.release_sink(
                "AREAS_OUT",
                tr("Areas"),
                tr("Release: the areas with their ids and the number of released records."),
                "polygon",
                optional=True,
            ),
            make.private_sink("SITES_OUT", tr("Sites"), tr("The sites of the areas."), "point"),
            make.release_sink(
                "LOOKUP",
                tr("Regions and their areas"),
                tr("Release: table that leads from each region to its area."),
                "table",
                optional=True,
            ),
            make.release_sink(
                "REGIONS_OUT",
                tr("Regions"),
                tr("Release: the regions with the ids of their areas, drawn faint beneath these."),
                "any",
                optional=True,
            ),
            make.release_sink(
                "RECORDS_OUT",
                tr("Records"),
                tr("Release: the records that are not suppressed, with their areas."),
                "table",
                optional=True,
            ),
            make.html_destination(
                "REPORT", tr("Report"), tr("What was done and what it cost, with a map.")
            ),
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The report's figures for programs.")
            ),
        ):
            self.addParameter(parameter)
        self.add_numbers(
            SITES=tr("Sites"),
            SUPPRESSED=tr("Suppressed records"),
            SUPPRESSED_SHARE=tr("Share of suppressed records"),
            ANONYMITY=tr("Smallest class released"),
            COMPACTNESS=tr("Compactness"),
            DISCERNIBILITY=tr("Discernibility"),
            ENTROPY_LOSS=tr("Entropy loss"),
        )
        self.add_decision()

    def check(self, parameters, context):
        """Check the inputs, and the number of sites."""
        by = self.parameterAsEnumString(parameters, "SITES_BY", context)
        location = self.parameterAsEnumString(parameters, "LOCATION", context)
        return (
            super().check(parameters, context)
            or self.check_number(parameters, context, [by])
            or self.check_location([location])
        )

    def execute(self, parameters, context, feedback, outputs):
        """Read, count, aggregate, write, report."""
        progress = core_progress(feedback)
        fields = self.parameterAsFields(parameters, "FIELDS", context)
        data = self.read(parameters, context, feedback, part(progress, 0, 0.5), fields)
        if AREA_ID in [qi.name for qi in data.counted.qis] or AREA_ID in fields:
            raise InputError(
                tr(
                    "A field of the records is named {name}, which is the name of the area's id in "
                    "the release. Rename it, or leave it out."
                ).format(name=AREA_ID)
            )
        rng = np.random.default_rng(self.optional_integer(parameters, "SEED", context))
        by = self.parameterAsEnumString(parameters, "SITES_BY", context)
        result = vbas(
            data.counted.classes,
            data.xy,
            self.parameterAsInt(parameters, "K", context),
            rng,
            by,
            None if by == "fixed" else self.model(parameters, context),
            self.optional_integer(parameters, "SITES", context),
            self.parameterAsEnumString(parameters, "LOCATION", context),
            options=self.options(parameters, context),
            distance=data.plane.ground_distance,
            progress=part(progress, 0.5, 0.7),
        )
        self._tell(result, data, feedback)
        geometries = data.geometries(result.sites, result.area_of_region, part(progress, 0.7, 0.78))
        self._write_areas(outputs, data, result, geometries, part(progress, 0.78, 0.8))
        self._write_regions(outputs, data, result, part(progress, 0.8, 0.82))
        choice = None
        if outputs.wanted("RECORDS_OUT"):
            choice = self._write_records(
                outputs, data, result, rng, feedback, part(progress, 0.82, 0.95)
            )
        told = story.Done(data, result, self._model_sentence(parameters, context, by), choice)
        limit = self.acceptable(parameters, context)
        outputs.conclude(
            judge([told.evidence], "quasi_identifiers", "which_record", limit),
            vbas_verdict.steps(told, limit, named_output(self, parameters, "RECORDS_OUT", context)),
            vbas_verdict.not_run(told),
        )

        def report():
            pictures = self._pictures(data, result, geometries, part(progress, 0.95, 1.0))
            return interruptible(lambda: story.report(told, pictures), progress, 1.0)

        outputs.add_report(report)
        measures = result.measures
        return {
            "SITES": measures.sites,
            "SUPPRESSED": measures.suppressed,
            "SUPPRESSED_SHARE": measures.suppressed_share,
            "ANONYMITY": measures.anonymity,
            "COMPACTNESS": measures.compactness,
            "DISCERNIBILITY": measures.discernibility,
            "ENTROPY_LOSS": measures.entropy_loss,
        }

    def _model_sentence(self, parameters, context, by: str) -> str:
        if by == "fixed":
            return tr("The number of sites was given.")
        model = self.model(parameters, context)
        name = self.parameterAsEnumString(parameters, "GAPS_REGION", context)
        return tr(GAPS_MODELS_SAID).format(name=name, a=model.a, b=model.b)

    @staticmethod
    def _tell(result, data: Data, feedback) -> None:
        for note in result.notes:
            feedback.pushInfo(note)
        feedback.pushInfo(story.result_sentence(result))
        if result.log is not None:
            feedback.pushInfo(story.log_sentence(result.log))
        if not result.measures.released:
            feedback.pushWarning(tr("All records are suppressed: nothing can be released."))

    @staticmethod
    def _write_areas(outputs, data: Data, result, geometries, progress) -> None:
        areas, crs, writing = result.areas, data.regions.crs, shares(progress, 3)
        rows = np.flatnonzero(areas.regions > 0)
        released = areas.records - areas.suppressed
        with np.errstate(invalid="ignore", divide="ignore"):
            share = areas.suppressed / areas.records  # NaN, which is NULL, without records
        kept = np.where(areas.smallest_kept > 0, areas.smallest_kept, np.nan)
        whole = {
            "regions": areas.regions,
            "records": areas.records,
            "classes": areas.classes,
            "smallest": areas.smallest,
            "suppressed": areas.suppressed,
            "released": released,
        }

        def write(name: str, columns: dict, role: str) -> None:
            fields = [
                make_field(AREA_ID, "long"),
                *(
                    make_field(one, "double" if values.dtype.kind == "f" else "long")
                    for one, values in columns.items()
                ),
            ]
            attributes = zip((rows + 1).tolist(), *(_plain(one[rows]) for one in columns.values()))
            outputs.add_features(
                name,
                QgsWkbTypes.Type.MultiPolygon,
                fields,
                zip((geometries[row] for row in rows), attributes),
                crs,
                next(writing),
                role,
                len(rows),
            )

        write("OUTPUT", {**whole, "share": share, "kept": kept}, styling.AGGREGATED)
        write("AREAS_OUT", {"regions": areas.regions, "released": released}, styling.RELEASED_AREAS)
        outputs.add_points(
            "SITES_OUT",
            data.stored_sites(result.sites),
            [make_field(AREA_ID, "long"), make_field("regions", "long")],
            [np.arange(1, len(areas.regions) + 1), areas.regions],
            crs,
            next(writing),
            styling.SITES,
        )

    @staticmethod
    def _write_regions(outputs, data: Data, result, progress) -> None:
        regions = data.regions
        table, layer = shares(progress, 2)
        fields = [QgsField(regions.id_field), make_field(AREA_ID, "long")]
        if fields[0].name() == AREA_ID:
            fields[0].setName("region_id")
        areas = result.area_of_region + 1
        outputs.add_table("LOOKUP", fields, [regions.ids, areas], table, styling.LOOKUP)
        rows = zip(regions.ids, areas.tolist())
        if regions.geometries is None:
            outputs.add_points(
                "REGIONS_OUT",
                regions.xy,
                fields,
                [regions.ids, areas],
                regions.crs,
                layer,
                styling.REGIONS,
            )
        else:
            outputs.add_features(
                "REGIONS_OUT",
                QgsWkbTypes.Type.MultiPolygon,
                fields,
                zip(regions.geometries, rows),
                regions.crs,
                layer,
                styling.REGIONS,
                len(regions),
            )

    @staticmethod
    def _write_records(outputs, data: Data, result, rng, feedback, progress) -> attributes.Choice:
        counted = data.counted
        record, area = released_records(counted.classes, result, rng, part(progress, 0.0, 0.15))
        columns = counted.released(record)
        choice = _choice(data, record, area, columns, part(progress, 0.15, 0.3))
        for sentence in choice.sentences():
            feedback.pushInfo(sentence)
        for sentence in choice.warnings():
            feedback.pushWarning(sentence)
        outputs.add_table(
            "RECORDS_OUT",
            [make_field(AREA_ID, "long"), *(make_field(name, kind) for name, kind, _ in columns)],
            [area + 1, *(column for _, _, column in columns)],
            part(progress, 0.3, 1.0),
            styling.AREA_RECORDS,
        )
        return choice

    @staticmethod
    def _pictures(data: Data, result, geometries, progress):
        from ..maps.pictures import aggregation_picture

        pictures = [
            aggregation_picture(
                data.plane,
                data.regions.crs,
                data.xy,
                data.regions.geometries,
                geometries,
                result,
                progress,
            )
        ]
        load_charts(progress)
        return pictures


def _choice(data: Data, record, area, columns, progress) -> attributes.Choice:
    """What is said of the attributes of the released records, each in the middle of its region."""
    region = data.counted.classes.record_region[record]
    # One record for each region: all of them stand at one place.
    first = np.full(len(data.xy), -1)
    first[region[::-1]] = np.arange(len(region))[::-1]
    rows = first[first >= 0]
    found = []
    for at, (name, _, column) in enumerate(columns):
        progress(at / 2 / len(columns))
        found.append(Column.coded(name, column.index, column.values.tolist()))
    return attributes.judged(
        found,
        data.xy[region[rows]],
        len(record),
        [name for name, _, _ in columns],
        data.record_fields,
        rows=rows,
        area=Column(AREA_ID, area, np.arange(area.max(initial=0) + 1)),
        withheld={data.region_field: tr("the area takes its place")},
        progress=part(progress, 0.5, 1.0),
    )


def _plain(values: np.ndarray) -> list:
    return [None if value != value else value for value in values.tolist()]
