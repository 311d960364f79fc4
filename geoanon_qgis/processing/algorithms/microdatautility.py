# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:microdatautility."""

from __future__ import annotations

import numpy as np

from ...compat import make_field
from ...core.microdata.utility import spatial_utility, utility
from ...core.runtime.progress import part, shares
from ...core.verdict import not_tested
from .. import styling
from ..base import Help, core_progress
from ..dialog import parameters as make
from ..families.comparing import Compared, ComparingAlgorithm, Side
from ..families.microdata import geometry_parameter
from ..i18n import mark, tr, translated
from ..layers import planes
from ..layers.reading import holds_points, transform
from ..reports import microdatautility as story


class MicrodataUtilityAlgorithm(ComparingAlgorithm):
    """Compare the statistics of an anonymised table with the original's."""

    PLACES_OF = 2
    NAME = "microdatautility"
    DISPLAY_NAME = mark("Utility of anonymised microdata")
    ICON = "microdatautility"
    TAGS = (
        mark("privacy"),
        mark("geomask"),
        mark("microdata"),
        mark("utility"),
        mark("correlation"),
        mark("information loss"),
        mark("Moran's I"),
        mark("distribution"),
        "Spearman",
    )
    SHORT_DESCRIPTION = mark(
        "Compares an anonymised table with the original: means, variances, correlations, "
        "distributions and, for point layers, spatial pattern."
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
            "one, and Moran's I of each column (weights: the 8 nearest neighbours) are compared "
            "as well, in a metric plane."
        ),
        when=mark(
            "Before a release, to know what researchers can find in it; and to choose between "
            "methods whose “Disclosure risk of microdata” (geoanon:disclosurerisk) is adequate."
        ),
        outputs=(
            (
                "OUTPUT",
                mark(
                    "Private. One row for each measure: measure, variable, other (of correlations: the "
                    "second variable), original, anonymized, difference."
                ),
            ),
            ("REPORT, JSON", mark("Private. Charts and tables; the same figures for programs.")),
            (
                "MEAN, VARIANCE, CORRELATION, RANK_CORRELATION",
                mark(
                    "Median differences, of means and variances as shares of the original's standard "
                    "deviation and variance."
                ),
            ),
            ("LARGEST_KS", mark("Largest difference of two cumulative distributions of a column.")),
            (
                "CENTRE_SHIFT",
                mark("Distance between the mean centres, in metres; of two point layers only."),
            ),
            ("MORANS_I", mark("Median difference of Moran's I; of two point layers only.")),
        ),
        cautions=(
            mark("The results describe the original. They are for the data holder."),
            mark(
                "Distances between points are those of a random sample of 200,000 pairs where "
                "there are more."
            ),
        ),
        reference=mark(
            "Lasko, T. A. and Vinterbo, S. A. (2010). Spectral anonymization of data. IEEE "
            "Transactions on Knowledge and Data Engineering 22(3), 437–446."
        ),
    )

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        for parameter in (
            *self.tables(),
            geometry_parameter(
                tr(
                    "Take x and y as two more variables, in a metric plane. Needs point layers. "
                    "Without, point layers are still compared in their spatial pattern."
                )
            ),
            make.seed(),
            make.private_sink(
                "OUTPUT",
                tr("Measures"),
                tr("Table with one row for each measure."),
                "table",
                optional=False,
            ),
            make.html_destination(
                "REPORT", tr("Report"), tr("What is kept and what is lost, with charts.")
            ),
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The report's figures for programs.")
            ),
        ):
            self.addParameter(parameter)
        self.add_numbers(
            MEAN=tr("Median difference of means"),
            VARIANCE=tr("Median difference of variances"),
            CORRELATION=tr("Median difference of correlations"),
            RANK_CORRELATION=tr("Median difference of rank correlations"),
            LARGEST_KS=tr("Largest difference of distributions"),
            CENTRE_SHIFT=tr("Shift of the mean centre (metres)"),
            MORANS_I=tr("Median difference of Moran's I"),
        )
        self.add_decision(limited=False)

    def execute(self, parameters, context, feedback, outputs):
        """Read, compare, write, report."""
        progress = core_progress(feedback)
        pair = self.read(parameters, context, feedback, part(progress, 0, 0.3))
        kept = utility(
            pair.original.coded,
            pair.anonymized.coded,
            [translated(one) for one in pair.coding.labels],
            part(progress, 0.3, 0.6),
        )
        rng = np.random.default_rng(self.optional_integer(parameters, "SEED", context))
        sources = [self.source(parameters, name, context) for name in ("ORIGINAL", "ANONYMIZED")]
        spatial, unit = None, ""
        if all(map(holds_points, sources)):
            spatial, said = self._spatial(pair, context, rng, part(progress, 0.6, 0.9))
            pair.sentences.extend(one for one in said if one not in pair.sentences)
            unit = planes.unit(pair.original.records.crs)
        told = story.Kept(pair, kept, spatial, unit)
        for sentence in [*pair.sentences, *story.sentences(told)]:
            feedback.pushInfo(sentence)
        for sentence in pair.warnings:
            feedback.pushWarning(sentence)
        rows = story.rows(told)
        outputs.add_table(
            "OUTPUT",
            [
                make_field("measure", "string"),
                make_field("variable", "string"),
                make_field("other", "string"),
                make_field("original", "double"),
                make_field("anonymized", "double"),
                make_field("difference", "double"),
            ],
            [list(column) for column in zip(*rows)],
            part(progress, 0.9, 0.95),
            styling.MEASURED,
        )
        outputs.conclude(
            not_tested("original_values", "which_record"),
            story.steps(self.inputs(parameters, context, pair)),
        )
        outputs.add_report(lambda: story.report(told))
        results = {
            "MEAN": kept.mean.median,
            "VARIANCE": kept.variance.median,
            "CORRELATION": kept.correlation.median,
            "RANK_CORRELATION": kept.rank_correlation.median,
            "LARGEST_KS": max(one.ks_distance for one in kept.distributions),
        }
        if spatial is not None:
            results.update(CENTRE_SHIFT=spatial.mean_centre_shift, MORANS_I=spatial.moran.median)
        # No number: correlations of a single column, Moran's I of constant ones.
        return {name: value for name, value in results.items() if value == value}

    @staticmethod
    def _spatial(pair: Compared, context, rng, progress):
        """Compare the places, and the columns at them; None where there are too few."""
        crs = pair.original.records.crs
        sides = (pair.original, pair.anonymized)
        found = [
            _at_places(side, context, crs, ahead)
            for side, ahead in zip(sides, shares(part(progress, 0.0, 0.4), 2))
        ]
        places, tables = zip(*found)
        if min(map(len, places)) < 2:
            return None, []
        plane = planes.plane_of(places[0], crs)
        flat = [
            plane.forward(xy) * (plane.metres_per_unit if crs.isValid() else 1.0) for xy in places
        ]
        spatial = spatial_utility(
            *flat,
            rng,
            *tables,
            [translated(one) for one in pair.coding.labels],
            part(progress, 0.4, 1.0),
        )
        return spatial, [planes.describe(plane, crs)]


def _at_places(side: Side, context, crs, progress) -> tuple[np.ndarray, np.ndarray]:
    """Places of the coded records that have one, in ``crs``, and their coded columns."""
    records = side.records
    there = np.isfinite(records.xy[side.rows]).all(axis=1)
    rows = side.rows[there]
    xy = transform(records.xy[rows], records.crs, crs, context, progress, records.ids[rows])
    return xy, side.coded[there]
