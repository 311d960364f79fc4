# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:vbas."""

from __future__ import annotations

from ...core.aggregation.vbas import vbas
from ...core.runtime.errors import InputError
from ...core.runtime.progress import interruptible, shares, weighted
from ...core.verdict import judge
from .. import verdicts
from ..base import Help
from ..dialog import parameters
from ..families import (
    aggregated,
    aggregation_inputs,
    area_outputs,
    clusters,
    crosswalk,
    earlier,
    recounted,
    secrets,
    value_groups,
)
from ..families.aggregated import AREA_ID
from ..families.aggregating import (
    GAPS_MODELS_SAID,
    AggregationAlgorithm,
    load_charts,
)
from ..families.aggregation_inputs import SITES_BY
from ..families.locating import (
    LOCATIONS,
    LOCATIONS_SAID,
    check_location,
    options,
    search_parameters,
)
from ..families.regional import Data
from ..i18n import mark, tr
from ..reports import aggregation, vbas_earlier, vbas_secrets, vbas_verdict
from ..reports import vbas as reporting
from ..reports.vbas_kept import tell_kept
from ..running import Result


class VbasAlgorithm(AggregationAlgorithm):
    """Aggregate small areas until every record hides among k."""

    NAME = "vbas"
    DISPLAY_NAME = mark("Voronoi-based aggregation")
    TAGS = mark(
        "privacy, k-anonymity, VBAS, aggregate, census, health records, suppression, "
        "quasi-identifiers, regions, microdata, confidential, patients, epidemiology, deidentify, "
        "de-identify, generalize, generalise, small cells, GDPR, HIPAA"
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
            "class, which finds a move seldom where some class has a single member nearly everywhere, "
            "and then changes nothing; least_suppression, a search of GeoAnon's own, moves them so "
            "that fewer records "
            "are suppressed at the same number of areas; random draws them; max_p is a baseline "
            "from PySAL's spopt (optional), which ignores the quasi-identifiers. kmeans puts sites "
            "in the middle of the people around, which makes compact areas. ward and k_aware join "
            "regions that adjoin, two by two: ward to the most compact areas, k_aware (GeoAnon's "
            "own) to those that save most records, which are wider. best (GeoAnon's own) begins with "
            "several of these, moves single regions at the borders by simulated annealing, and takes "
            "the best by OBJECTIVE, nothing else being worse than by balanced density.\n\n"
            "“Compare aggregations” (geoanon:vbascompare) tries all of these on your data."
        ),
        when=mark(
            "To release health or census records with a geography that is as fine as k-anonymity "
            "allows."
        ),
        cautions=(
            mark(
                "k-anonymity protects against being singled out by the quasi-identifiers that you "
                "name, and by nothing else. Where all of a class share a diagnosis, the diagnosis "
                "of each is known."
            ),
            mark(
                "Attributes named in FIELDS are released as they are. Those by which people can be "
                "found belong to the quasi-identifiers."
            ),
            mark(
                "Release one aggregation of the same records only: two overlap to smaller areas. EARLIER "
                "looks for what can be subtracted from one that is out."
            ),
            mark(
                "Areas of points are Voronoi cells, whose sites can be computed from them. After "
                "adc and least_suppression release LOOKUP instead of them. ward, k_aware and best "
                "have no such cells: their areas are joined from those of the regions."
            ),
            mark(
                "Searches, k_aware, best, and moves at the borders look at the records: that a region is in "
                "one area and not in the next tells, faintly, that fewer are suppressed so. Nobody has "
                "measured how much; balanced_density, kmeans and ward without moves look at numbers of "
                "records and at places only."
            ),
            mark(
                "Sums hide places: some areas may release nothing. They are counted and listed; "
                "MIN_RECORDS keeps areas from becoming so small, which costs a little."
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

    OUTPUTS = (*area_outputs.OUTPUTS, *vbas_secrets.VALUES, *verdicts.OUTPUTS)

    STEPS = {
        "read": 50,
        "aggregate": 20,
        "earlier": 3,
        "areas": 8,
        "pieces": 2,
        "secrets": 2,
        "records": 3,
        "write": 11,
        "recount": 3,
        "report": 5,
    }

    def inputs(self):
        """Return what is read."""
        return [
            *aggregation_inputs.of_regions_and_records(),
            parameters.integer(
                "K",
                tr("K"),
                tr(
                    "Records that every class must hold to be released, 2 or more. Common are 5 "
                    "and 11."
                ),
                5,
                2,
            ),
            parameters.choice(
                "SITES_BY",
                tr("Number of sites by"),
                tr(
                    "gaps_maxcombs: population over the cutoff by the number of possible "
                    "combinations. gaps_entropy: by the entropy. fixed: as many as SITES says."
                ),
                SITES_BY,
                "gaps_maxcombs",
            ),
            *aggregation_inputs.of_gaps(),
            parameters.choice(
                "LOCATION",
                tr("Location of the sites"),
                tr(LOCATIONS_SAID),
                LOCATIONS,
                "balanced_density",
            ),
            *search_parameters("LOCATION"),
            parameters.fields(
                "FIELDS",
                tr("Further attributes to release (none chosen: none)"),
                tr(
                    "Fields of the records that are released besides the quasi-identifiers. All "
                    "others are withheld. The log and the report list every field, with what makes "
                    "it identify people or places."
                ),
                "RECORDS",
            ),
            *earlier.earlier_parameters(),
            aggregation_inputs.study_area(),
            parameters.seed(),
            verdicts.limit(),
            *secrets.parameters(),
            aggregation_inputs.counts(),
            clusters.counting_parameter(),
            *value_groups.parameters(),
        ]

    def needing_records(self, given):
        """Those that are released, with further attributes."""
        fields = ["FIELDS"] if given.fields("FIELDS") else []
        return ["RECORDS_OUT", *fields] if given.has("RECORDS_OUT") else fields

    def check(self, given):
        """Check the inputs, and the number of sites."""
        said = super().check(given)
        if not (said or earlier.is_same(given)):
            said = self.check_number(given, [given.choice("SITES_BY")])
        return said or check_location([given.choice("LOCATION")])

    def execute(self, run):
        """Read, count, aggregate, write, report."""
        fields = run.fields("FIELDS")
        crosswalk.refuse_without_people(run)
        keep = run.outputs.wanted("RECORDS_OUT")
        reading, before_reading = weighted(run.step("read"), 49, 1)
        data = self.read(run, reading, [run.choice("LOCATION")], fields, keep)
        if AREA_ID in [qi.name for qi in data.counted.qis] or AREA_ID in fields:
            raise InputError(
                tr(
                    "A field of the records is named {name}, which is the name of the area's id in "
                    "the release. Rename it, or leave it out."
                ).format(name=AREA_ID)
            )
        aggregated.refuse_taken_names(data)
        released = earlier.read(run, data, AREA_ID, before_reading)
        rng = run.rng()
        by, number = run.choice("SITES_BY"), run.number("SITES")
        if earlier.is_same(run):
            by, number = "fixed", len(released.area_names[0])
        result = vbas(
            data.counted.classes,
            data.xy,
            run.number("K"),
            rng,
            by,
            None if by == "fixed" else self.model(run, data),
            number,
            run.choice("LOCATION"),
            options=options(run),
            distance=data.plane.ground_distance,
            progress=run.step("aggregate"),
            demands=earlier.demands_of(data, released),
        )
        withholding, subtracting = shares(run.step("earlier"), 2)
        result, withheld = earlier.withheld_of(data, result, released, rng, withholding)
        before = earlier.subtracted(data, result, released, withheld, subtracting)
        result, before = earlier.without_subtraction(run, data, result, before)
        geometries = data.geometries(result.sites, result.area_of_region, run.step("areas"))
        counting, joining = shares(run.step("pieces"), 2)
        pieces = data.pieces(result.sites, result.area_of_region, geometries, counting)
        units = aggregated.units_of_levels(run.outputs, data, result, geometries, joining)
        self._tell(result, pieces, options(run)["tolerance"], run)
        if before is not None:
            say = run.warn if len(before.found) else run.tell
            say(vbas_earlier.sentence(before, result.k))
        hidden = secrets.secrets_of(run, data, result, run.step("secrets"))
        vbas_secrets.tell(hidden, run)
        choice = again = None
        if run.outputs.wanted("RECORDS_OUT"):
            choice, fields, columns = aggregated.released(run, data, result, rng)
        aggregated.write_areas(run.outputs, data, result, geometries)
        aggregated.write_regions(run.outputs, data, result)
        aggregated.write_levels(run.outputs, data, units)
        crosswalk.write(run, data, result, before)
        if choice is not None:
            run.outputs.add_table("RECORDS_OUT", fields, columns)
            compared = 1 + len(data.counted.qis)
            again = recounted.recounted(
                run, "RECORDS_OUT", len(columns[0]), compared, run.step("recount")
            )
            run.tell(*filter(None, [again and again.sentence(result.k)]))
        told = reporting.Done(
            data,
            result,
            self._model_sentence(run, by, data),
            choice,
            pieces,
            options(run)["tolerance"],
            before,
            hidden,
            again,
        )
        limit = run.acceptable()

        def report(progress):
            pictures = self._pictures(data, result, geometries, progress)
            return interruptible(lambda: reporting.report(told, pictures), progress, 1.0)

        measures = result.measures
        return Result(
            {
                "SITES": measures.sites,
                "SUPPRESSED": measures.suppressed,
                "SUPPRESSED_SHARE": measures.suppressed_share,
                "ANONYMITY": measures.anonymity,
                "COMPACTNESS": measures.compactness,
                "DISCERNIBILITY": measures.discernibility,
                "ENTROPY_LOSS": measures.entropy_loss,
                **aggregated.counts(result, pieces),
                **({} if before is None else {"SUBTRACTED": len(before.found)}),
                **vbas_secrets.numbers(hidden),
            },
            judge(
                told.attacks,
                "quasi_identifiers",
                "which_record" if hidden is None else "record_or_attribute",
                limit,
            ),
            vbas_verdict.steps(told, limit, run.place_of("RECORDS_OUT")),
            vbas_verdict.not_run(told),
            report,
        )

    def _model_sentence(self, given, by: str, data: Data) -> str:
        if by == "fixed":
            return tr("The number of sites was given.")
        model = self.model(given, data)
        name = given.choice("GAPS_REGION")
        said = tr(GAPS_MODELS_SAID).format(name=name, a=model.a, b=model.b)
        if model.people is None:
            return said
        more = tr("{people:,.0f} people live in the regions, of whom the records are some.")
        return f"{said} {more.format(people=model.people)}"

    @staticmethod
    def _tell(result, pieces, tolerance: float, run) -> None:
        run.tell(*result.notes)
        run.tell(aggregation.result_sentence(result))
        if result.log is not None:
            run.tell(aggregation.log_sentence(result.log))
        tell_kept(result, pieces, tolerance, run)
        if not result.measures.released:
            run.warn(tr("All records are suppressed: nothing can be released."))

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
