# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:areacounts."""

from __future__ import annotations

from qgis.core import QgsWkbTypes

from ...core.aggregation.contained import small_remainders
from ...core.aggregation.suppression import suppress
from ...core.runtime.errors import InputError
from ...core.verdict import judge
from ...report import Notice
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, release, reports
from ..dialog.rules import EMPTY, GIVEN
from ..families.area_counts import joined_areas, read_area_counts
from ..i18n import mark, tr
from ..reports import areacounts as reporting
from ..running import Result

SHOW, LEAVE_OUT = "show", "leave_out"
_FIGURES = (
    Field("cases", "long", mark("NULL where left out")),
    Field("population", "double"),
    Field("rate", "double", mark("cases for PER people")),
    Field("low", "double", mark("of the rate's exact 95 % interval")),
    Field("high", "double"),
    Field("left_out", "int", mark("1 where left out")),
)


class AreaCountsAlgorithm(GeoAnonAlgorithm):
    """Publish cases, people and rates of areas, without small numbers, nor what gives them away."""

    NAME = "areacounts"
    DISPLAY_NAME = mark("Counts and rates by area")
    GROUP = "aggregateareas"
    TAGS = mark(
        "privacy, cell suppression, primary suppression, complementary suppression, "
        "statistical disclosure control, rates, health statistics, small numbers, small cells, "
        "confidential, epidemiology, patients, GDPR, HIPAA"
    )
    SHORT_DESCRIPTION = mark(
        "Cases, people, rates and intervals by area, region and country. Small numbers are left out, "
        "and others with them, so that nobody can subtract."
    )
    HELP = Help(
        what=mark(
            "Adds up cases and people of areas, and of all units that these lie in (HIERARCHY) up to "
            "the whole map. Numbers from 1 to K - 1 are left out, and so are those that fewer than K "
            "people of an area do not share, and all of areas where fewer than K people live. What is "
            "left out could be worked out by subtracting the other areas from the sum; so others are "
            "left out with it, as few as a linear programme finds.\n\n"
            "Then everything is checked from outside, by what is published alone: each small number may "
            "still be K or more, at least K different numbers are possible for it (all, where fewer "
            "people live), and this holds for those, too, who know that numbers are only left out "
            "where one of several is small. What cannot be protected so is told, and fails."
        ),
        when=mark(
            "To publish a map or a table of cases: by the areas of “Voronoi-based aggregation” "
            "(REGIONS_OUT, joined with the counts), or by areas that an office always uses."
        ),
        cautions=(
            mark(
                "People (POPULATION) are published, and everybody is taken to know them. Where they "
                "are a secret of their own, leave them out."
            ),
            mark(
                "Publish one table of the same cases. A second one, by other areas, years that "
                "overlap or other categories, can be subtracted from it, and so can released records."
            ),
            mark("Whoever has a hand in an area's number (a single clinic) can take himself off."),
            mark(
                "A rate of an area tells what is likely of everybody there, however many they are."
            ),
        ),
        reference=mark(
            "Kelly, J. P., Golden, B. L. and Assad, A. A. (1992). Cell suppression: disclosure "
            "protection for sensitive tabular data. Networks 22(4), 397–417. Garwood, F. (1936). "
            "Fiducial limits for the Poisson distribution. Biometrika 28, 437–442."
        ),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        release(
            "OUTPUT",
            mark("Counts and rates"),
            mark("Table with a row for each area, each unit that it lies in, and each category."),
            "table",
            [
                Field("level", "int", mark("0: the whole map; the last: the areas")),
                Field("field", "string"),
                Field("unit", "string"),
                Field("category", "string"),
                *_FIGURES,
            ],
            role=styling.COUNTS,
            optional=False,
        ),
        release(
            "AREAS_OUT",
            mark("Areas with their rates"),
            mark("The areas, joined from polygons that share AREA; all categories together."),
            "polygon",
            [Field("area", "string"), *_FIGURES],
            role=styling.COUNTED_AREAS,
            optional=True,
        ),
        private(
            "CHECK",
            mark("What can be worked out"),
            mark("Table of what is left out, with what is possible by all that is published."),
            "table",
            [
                Field("level", "int"),
                Field("field", "string"),
                Field("unit", "string"),
                Field("category", "string"),
                Field("cases", "long"),
                Field("small", "int", mark("1: for itself; 0: to protect others")),
                Field("least", "double"),
                Field("most", "double", mark("NULL: any number")),
                Field("guarded", "int", mark("1: small, and protected")),
            ],
            role=styling.MEASURED,
        ),
        *reports(mark("What is left out, why, and what can be worked out of it.")),
        Value("CELLS", mark("Numbers in the table")),
        Value("SMALL", mark("Small numbers"), mark("Left out for themselves.")),
        Value(
            "LEFT_OUT", mark("Numbers left out"), mark("Small ones and those that protect them.")
        ),
        Value("UNGUARDED", mark("Small numbers that cannot be protected")),
        Value(
            "CASES_LEFT_OUT",
            mark("Share of cases in areas that are left out"),
            mark("0 to 1; all categories together."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 20, "suppress": 50, "areas": 15, "write": 10, "report": 5}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.table(
                "REGIONS",
                tr("Areas or regions with counts"),
                tr(
                    "A table, or a layer of any kind, with fields for cases and people. Rows that "
                    "share AREA are added up."
                ),
            ),
            parameters.field(
                "AREA",
                tr("Field with the area"),
                tr("The smallest areas for which numbers are published."),
                "REGIONS",
                optional=False,
            ),
            parameters.field(
                "CASES",
                tr("Fields with cases"),
                tr(
                    "Whole numbers from 0. Several fields are categories of a table (women and men, "
                    "age groups): each case counts in one, and their total is published, too."
                ),
                "REGIONS",
                optional=False,
                numeric=True,
                several=True,
            ),
            parameters.fields(
                "POPULATION",
                tr("Fields with people"),
                tr(
                    "Of the same years: one field for all categories, or one for each field with "
                    "cases, in their order. Without it there are no rates."
                ),
                "REGIONS",
                numeric=True,
            ),
            parameters.fields(
                "HIERARCHY",
                tr("Fields of wider units"),
                tr(
                    "In any order, such as county and province, for which sums are published as well. "
                    "Each area lies in one unit of each."
                ),
                "REGIONS",
            ),
            parameters.integer(
                "K",
                tr("K"),
                tr("The smallest number of cases that may be published, 2 or more."),
                5,
                2,
            ),
            parameters.choice(
                "ZEROS",
                tr("Zeros"),
                tr(
                    "show: that nobody in an area is a case is published. leave_out: it is as small "
                    "as other numbers below K."
                ),
                [SHOW, LEAVE_OUT],
                SHOW,
            ),
            parameters.number(
                "PER",
                tr("People to whom a rate refers"),
                tr("Above 0."),
                100_000.0,
                0.0,
                advanced=True,
                only_when={"POPULATION": GIVEN},
            ),
            verdicts.limit(),
            parameters.field(
                "ALL_CASES",
                tr("Field with all cases, of which those of CASES are parts"),
                tr(
                    "Such as all cancers, where CASES are some of them (lung, breast). The others are "
                    "published as a category of their own where they are not small, so that subtracting "
                    "the parts from the whole tells no small number. Leave empty where the fields with "
                    "cases add up to all."
                ),
                "REGIONS",
                numeric=True,
            ),
            parameters.boolean(
                "APART",
                tr("Nobody is counted in two of the fields with cases"),
                tr(
                    "Say so where you know it. Else fields of which one is nowhere more than another are "
                    "taken for what may be a part of it, and small differences of their numbers for what "
                    "may be worked out."
                ),
                False,
                advanced=True,
                only_when={"ALL_CASES": EMPTY},
            ),
        ]

    def check(self, given):
        """Check what does not need the data."""
        if not given.number("PER") > 0:
            return tr("A rate refers to a number of people above 0.")
        source = given.source("REGIONS")
        kind = QgsWkbTypes.geometryType(source.wkbType())
        if given.has("AREAS_OUT") and kind != QgsWkbTypes.GeometryType.PolygonGeometry:
            return tr(
                "“{name}” has no polygons to join to areas. Leave AREAS_OUT empty, or choose a layer "
                "of polygons."
            ).format(name=source.sourceName())
        return None

    def execute(self, run):
        """Read, add up, leave out, check, write, report."""
        source = run.source("REGIONS")
        counts = read_area_counts(run, source, run.step("read"))
        run.tell(*counts.sentences)
        table, k, per = counts.table, run.number("K"), run.number("PER")
        done = suppress(table, k, run.choice("ZEROS") == SHOW, run.step("suppress"))
        shapes = joined_areas(counts, run.step("areas"))
        rows = counts.rows(done.hidden, per)
        run.outputs.add_rows("OUTPUT", rows)
        of_areas = counts.of_areas().tolist()
        run.outputs.add_features(
            "AREAS_OUT",
            QgsWkbTypes.Type.MultiPolygon,
            None,
            zip(shapes, ([rows[cell][2], *rows[cell][4:]] for cell in of_areas)),
            source.sourceCrs(),
            count=len(shapes),
        )
        few = small_remainders(table, done.hidden, counts.contained, k, run.choice("ZEROS") == SHOW)
        told = reporting.Told(counts, done, per, few)
        run.outputs.add_rows("CHECK", told.checked())
        run.tell(reporting.sentence(told))
        limit = run.acceptable()
        return Result(
            {
                "CELLS": len(table),
                "SMALL": int(done.small.sum()),
                "LEFT_OUT": int(done.hidden.sum()),
                "UNGUARDED": len(done.unguarded),
                "CASES_LEFT_OUT": told.share_left_out,
            },
            judge([told.evidence], "published_counts", "small_count", limit),
            reporting.steps(told),
            reporting.not_run(told),
            lambda progress: reporting.report(
                told, self._pictures(run, told, shapes, rows, of_areas, source, progress)
            ),
        )

    @staticmethod
    def _pictures(run, told, shapes, rows, of_areas, source, progress):
        """The map of the areas; what it needs, where it cannot be drawn."""
        from ..maps.areacounts import counts_pictures
        from ..maps.pictures import if_possible

        has_rates = told.counts.has_people
        what = tr("its rate") if has_rates else tr("its number of cases")
        figures = [rows[cell][6 if has_rates else 4] for cell in of_areas]
        hidden = [rows[cell][9] for cell in of_areas]
        try:
            return if_possible(
                run.feedback,
                lambda: counts_pictures(
                    shapes, figures, hidden, what, source.sourceCrs(), progress
                ),
            )
        except InputError as error:  # figures do not wait for a map
            return [Notice(tr(error.sentence), "warning")]
