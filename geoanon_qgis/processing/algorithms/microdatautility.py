# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:microdatautility."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.microdata.utility import spatial_utility, utility
from ...core.runtime.errors import GeoAnonError, InputError
from ...core.runtime.progress import weighted
from ...core.verdict import not_tested
from .. import literature, styling, verdicts
from ..base import Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..families import analysing
from ..families.comparing import Compared, ComparingAlgorithm, Side
from ..families.microdata import geometry_parameter
from ..i18n import mark, tr, translated
from ..layers import planes
from ..layers.reading import holds_points
from ..layers.transforming import transform
from ..reports import microdatautility as reporting
from ..running import Result, existing


class MicrodataUtilityAlgorithm(ComparingAlgorithm):
    """Compare the statistics of an anonymised table with the original's."""

    PLACES_OF = 2
    NAME = "microdatautility"
    DISPLAY_NAME = mark("Utility of anonymised microdata")
    TAGS = mark(
        "privacy, microdata, utility, correlation, information loss, Moran's I, distribution, "
        "Spearman, regression, AUC, mutual information, propensity score, pMSE"
    )
    SHORT_DESCRIPTION = mark(
        "Compares an anonymised table with the original: means, variances, correlations, "
        "distributions, regressions, predictions and, for point layers, spatial pattern."
    )
    HELP = Help(
        what=mark(
            "Both tables are coded as the original's fields are (positive numbers as logarithms, "
            "categories as a column each) and compared column by column and pair by pair: the "
            "difference of means over the original's standard deviation, of variances over the "
            "original's variance, of correlations and of rank correlations. The medians are those "
            "of table I of the paper; the whole distributions are told, too. For each column the "
            "largest difference of the cumulative distributions is told, and quantiles.\n\n"
            "Of two point layers the mean centre, the distances between points and to the nearest "
            "one, and Moran's I of each column (weights: the 8 nearest neighbours) are compared as "
            "well, in a metric plane.\n\n"
            "Then it does what analysts would do: the regression of FORMULA on both tables, with the "
            "overlap of the intervals; models that predict each field from all others, trained on "
            "the release and tested on originals (AUC lost); what pairs of fields tell of each other "
            "(mutual information, which sees relations of any form); and whether a model can tell "
            "released records from originals (pMSE, over what chance makes of a perfect synthesis). "
            "With ZONES, numbers, means and shares by zone."
        ),
        when=mark(
            "Before a release, to know what researchers can find in it; and to choose between "
            "methods whose “Disclosure risk of microdata” (geoanon:disclosurerisk) is adequate."
        ),
        cautions=(
            mark("The results describe the original. They are for the data holder."),
            mark(
                "Distances between points are those of a random sample of 200,000 pairs where "
                "there are more. Predictions use 20,000 records of each table at most."
            ),
            mark(
                "What is kept says nothing of who can be found: the best utility is that of the "
                "originals themselves."
            ),
        ),
        sources=(literature.LASKO_VINTERBO, literature.KARR, literature.SNOKE),
    )

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Measures"),
            mark("Table with one row for each measure."),
            "table",
            [
                Field("measure", "string"),
                Field("variable", "string"),
                Field("other", "string", mark("of correlations: the second variable")),
                Field("original", "double"),
                Field("anonymized", "double"),
                Field("difference", "double"),
            ],
            role=styling.MEASURED,
            optional=False,
        ),
        *reports(mark("What is kept and what is lost, with charts.")),
        Value(
            "MEAN",
            mark("Median difference of means"),
            mark("As a share of the original's standard deviation."),
        ),
        Value(
            "VARIANCE",
            mark("Median difference of variances"),
            mark("As a share of the original's variance."),
        ),
        Value("CORRELATION", mark("Median difference of correlations")),
        Value("RANK_CORRELATION", mark("Median difference of rank correlations")),
        Value(
            "LARGEST_KS",
            mark("Largest difference of distributions"),
            mark("Largest difference of two cumulative distributions of a column."),
        ),
        Value(
            "CENTRE_SHIFT",
            mark("Shift of the mean centre (metres)"),
            mark("Distance between the mean centres; of two point layers only."),
        ),
        Value(
            "MORANS_I", mark("Median difference of Moran's I"), mark("Of two point layers only.")
        ),
        Value(
            "OVERLAP",
            mark("Median overlap of intervals"),
            mark("Of the coefficients of FORMULA: 0 to 1. A coefficient that is lost counts as 0."),
        ),
        Value("LEAST_OVERLAP", mark("Least overlap of intervals"), mark("0 to 1.")),
        Value(
            "AUC_LOST",
            mark("Largest AUC lost"),
            mark("By models trained on the release and tested on originals."),
        ),
        Value(
            "PMSE_RATIO",
            mark("pMSE over its expectation, by fields"),
            mark("1: released records cannot be told from originals by their fields."),
        ),
        Value(
            "PMSE_RATIO_PAIRS",
            mark("pMSE over its expectation, by pairs"),
            mark("The same with squares and products of pairs; empty where records are too few."),
        ),
        Value(
            "INFORMATION",
            mark("Largest difference of mutual information (bits)"),
            mark("Of pairs of fields."),
        ),
        Value(
            "ZONE_CORRELATION",
            mark("Median correlation of rates by zone"),
            mark("Of the originals' rates and the release's; with ZONES only."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {
        "read": 25,
        "compare": 20,
        "analyse": 30,
        "places": 15,
        "zones": 5,
        "write": 3,
        "report": 2,
    }

    def inputs(self):
        """Return what is read."""
        return [
            *self.tables(),
            geometry_parameter(
                tr(
                    "Take x and y as two more variables, in a metric plane. Needs point layers. "
                    "Without, point layers are still compared in their spatial pattern."
                )
            ),
            parameters.seed(),
            *analysing.inputs(),
        ]

    def check(self, given):
        """A formula can be read."""
        try:
            analysing.formulas(given.text("FORMULA"))
        except GeoAnonError as error:
            return translated(error.sentence)
        return None

    def execute(self, run):
        """Read, compare, write, report."""
        pair = self.read(run, run.step("read"))
        kept = utility(
            pair.original.coded,
            pair.anonymized.coded,
            [translated(one) for one in pair.coding.labels],
            run.step("compare"),
        )
        analyses = analysing.analysed(run, pair, run.step("analyse"))
        sources = [run.source(name) for name in ("ORIGINAL", "ANONYMIZED")]
        spatial, unit = None, ""
        hold_points = all(map(holds_points, sources))
        if run.has("ZONES"):
            if not hold_points:
                raise InputError(mark("Zones need two point layers with places (ZONES)."))
            zones, said = analysing.zone_rates(run, pair, run.step("zones"))
            analyses = replace(analyses, zones=zones)
            pair.sentences.extend(said)
        if hold_points:
            spatial, said = self._spatial(pair, run.context, run.rng(), run.step("places"))
            pair.sentences.extend(one for one in said if one not in pair.sentences)
            unit = planes.unit(pair.original.records.crs)
        told = reporting.Kept(pair, kept, spatial, unit, analyses)
        run.tell(*pair.sentences, *reporting.sentences(told))
        run.warn(*pair.warnings, *reporting.warnings(told))
        run.outputs.add_rows("OUTPUT", reporting.rows(told))
        numbers = {
            "MEAN": kept.mean.median,
            "VARIANCE": kept.variance.median,
            "CORRELATION": kept.correlation.median,
            "RANK_CORRELATION": kept.rank_correlation.median,
            "LARGEST_KS": max(one.ks_distance for one in kept.distributions),
            **reporting.numbers(told),
        }
        if spatial is not None:
            numbers.update(CENTRE_SHIFT=spatial.mean_centre_shift, MORANS_I=spatial.moran.median)
        return Result(
            existing(numbers),  # correlations of a single column, Moran's I of constant ones
            not_tested("original_values", "which_record"),
            reporting.steps(self.same_inputs(run, pair)),
            report=lambda progress: reporting.report(told),
        )

    @staticmethod
    def _spatial(pair: Compared, context, rng, progress):
        """Compare the places, and the columns at them; None where there are too few."""
        crs = pair.original.records.crs
        *moving, comparing = weighted(progress, 20, 20, 60)
        sides = (pair.original, pair.anonymized)
        found = [_at_places(side, context, crs, ahead) for side, ahead in zip(sides, moving)]
        places, tables = zip(*found)
        if min(map(len, places)) < 2:
            return None, []
        plane = planes.plane_of(places[0], crs)
        flat = [
            plane.forward(xy) * (plane.metres_per_unit if crs.isValid() else 1.0) for xy in places
        ]
        spatial = spatial_utility(
            *flat, rng, *tables, [translated(one) for one in pair.coding.labels], comparing
        )
        return spatial, [planes.describe(plane, crs)]


def _at_places(side: Side, context, crs, progress) -> tuple[np.ndarray, np.ndarray]:
    """Places of the coded records that have one, in ``crs``, and their coded columns."""
    records = side.records
    there = np.isfinite(records.xy[side.rows]).all(axis=1)
    rows = side.rows[there]
    xy = transform(records.xy[rows], records.crs, crs, context, progress, records.ids[rows])
    return xy, side.coded[there]
