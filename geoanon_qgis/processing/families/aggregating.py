# SPDX-License-Identifier: GPL-2.0-or-later
"""What the algorithms share that aggregate regions by the records in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module

from qgis.core import QgsGeometry

from ...core.aggregation.components import JOINING
from ...core.aggregation.gaps import GapsModel
from ...core.aggregation.vbas import gaps_model
from ...core.runtime import packages
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, interruptible, weighted
from ..base import GeoAnonAlgorithm
from ..dialog import parameters
from ..i18n import mark, number_of, tr
from ..layers import counted_records, planes, records
from ..layers.areas import union_of
from ..layers.fieldnames import spelling
from ..layers.regions import read_regions
from . import clusters, value_groups
from .categories import declared_categories, groups_of_numbers
from .counting import Wish, count
from .demanding import check_demands, fields_of_demands, kept_of
from .regional import Data

SITES_BY = ["gaps_maxcombs", "gaps_entropy", "fixed"]
GAPS_REGIONS = ["west", "central", "east", "custom"]
GAPS_MODELS_SAID = mark("GAPS model {name}: an area needs {a:g} · X ^ {b:g} people.")
_CUSTOM = {"GAPS_REGION": ("custom",)}
CATEGORY, REFUSE, LEAVE_OUT = "category", "refuse", "leave_out"


def load_charts(progress: Progress) -> None:
    """Have what draws charts loaded, which takes a second in which nobody could cancel."""
    if packages.find("matplotlib").usable:
        interruptible(lambda: import_module("matplotlib.backends.backend_svg"), progress, 1.0)


def counted_records_parameter():
    """Return the fields of a table of counts."""
    return parameters.field(
        "COUNTS",
        tr("Fields with numbers of people, where a row stands for several"),
        tr(
            "For tables of counts instead of one row a person. One field: each row stands for so many "
            "people with its quasi-identifiers. Several fields (women and men, age groups): each is a "
            "category, released as the field “category”, and everybody is counted in one of them."
        ),
        "RECORDS",
        numeric=True,
        several=True,
        advanced=True,
    )


class AggregationAlgorithm(GeoAnonAlgorithm):
    """Base of the algorithms that aggregate regions; reads regions and records."""

    GROUP = "aggregateareas"
    REQUIRES = ("scipy",)

    def input_parameters(self) -> list:
        """Return the parameters of regions and records."""
        return [
            parameters.regions(
                "REGIONS",
                tr("Regions"),
                tr(
                    "Small areas: polygons, or a point for each, in any coordinate reference "
                    "system. Polygons are represented by a point inside of them."
                ),
            ),
            parameters.field(
                "REGION_ID",
                tr("Field with the regions' id"),
                tr("Each region needs an id of its own."),
                "REGIONS",
                optional=False,
            ),
            parameters.table(
                "RECORDS",
                tr("Records"),
                tr(
                    "A table with one row for each record (person): a layer without geometry, a "
                    "GeoPackage, CSV or any other that QGIS opens. Selected rows only, where "
                    "chosen. A GeoPackage without filter or selection is read quickest."
                ),
                optional=True,
            ),
            parameters.file_source(
                "RECORDS_FILE",
                tr("Records as a Parquet file, or as a folder of them"),
                tr(
                    "Instead of a table, for a QGIS that cannot open Parquet, and for tables of many "
                    "millions of records (needs the package pyarrow). A folder is typed: all files in "
                    "it are one table, and folders in it that are called like age=30 are columns. The "
                    "fields are then given by their names; where no quasi-identifiers are given, all "
                    "columns but the region's are."
                ),
                "Parquet (*.parquet);;" + tr("All files") + " (*)",
                advanced=True,
            ),
            parameters.field(
                "RECORD_REGION",
                tr("Records' field with the region's id"),
                tr("Leave empty where it has the name of the regions' field."),
                "RECORDS",
            ),
            parameters.fields(
                "QIS",
                tr("Quasi-identifiers"),
                tr(
                    "What others may know of a person, such as age group and sex: records that "
                    "agree in all of them, in one area, are a class. Dates are taken as text."
                ),
                "RECORDS",
            ),
            parameters.text(
                "CATEGORIES",
                tr("Declared categories"),
                tr(
                    "JSON, or a file with it: for each quasi-identifier the values that it can "
                    'have, or how many there are, such as {"sex": ["m", "f"], "age": 21}. Those '
                    "left out are taken as observed."
                ),
                advanced=True,
            ),
            parameters.text(
                "GROUPS",
                tr("Groups of numbers"),
                tr(
                    "JSON, or a file with it, for numbers with many values: limits of the groups, "
                    'or a number of groups with about as many records each, such as {"income": [0, '
                    '20000, 50000, Infinity], "age": 5}. Infinity leaves a group open. Groups are '
                    "released instead of numbers."
                ),
                advanced=True,
            ),
            parameters.choice(
                "NULLS",
                tr("NULL in quasi-identifiers"),
                tr("category: NULL is a category of its own. refuse: stop where there is one."),
                [CATEGORY, REFUSE],
                CATEGORY,
                advanced=True,
            ),
            parameters.field(
                "PERSON_FIELD",
                tr("Field with the person's id, where people have several records"),
                tr(
                    "Visits, admissions, prescriptions: k records of one person hide nobody. With "
                    "this field people are counted, and a class needs K of them. It is never "
                    "released. Leave empty where every record is another person."
                ),
                "RECORDS",
            ),
            parameters.choice(
                "UNKNOWN",
                tr("Records of unknown regions"),
                tr(
                    "refuse: stop, and say how many there are and which ids they have. leave_out: "
                    "leave them out, and say the same in the log and the report."
                ),
                [REFUSE, LEAVE_OUT],
                REFUSE,
                advanced=True,
            ),
        ]

    def gaps_parameters(self) -> list:
        """Return the parameters of the number of sites, but how it is chosen."""
        return [
            parameters.choice(
                "GAPS_REGION",
                tr("GAPS model"),
                tr(
                    "The model of the population that an area needs, a · X ^ b, where X is "
                    "MaxCombs or the entropy: west (1588, 0.42), central (1436, 0.43) and east "
                    "(1978, 0.304) of Canada, or custom with A and B. Needed unless the number of "
                    "sites is fixed; nobody has fitted one for other countries. Where the records are "
                    "of some of the people only, name the field with all of them (POPULATION_FIELD)."
                ),
                GAPS_REGIONS,
                optional=True,
                only_when={"SITES_BY": SITES_BY[:2]},
            ),
            parameters.number(
                "A",
                tr("A of a custom GAPS model"),
                tr("Above 0."),
                None,
                0.0,
                optional=True,
                advanced=True,
                only_when=_CUSTOM,
            ),
            parameters.number(
                "B",
                tr("B of a custom GAPS model"),
                tr("The exponent."),
                None,
                optional=True,
                advanced=True,
                only_when=_CUSTOM,
            ),
            parameters.integer(
                "SITES",
                tr("Number of sites"),
                tr("For fixed."),
                None,
                1,
                optional=True,
                only_when={"SITES_BY": ("fixed",)},
            ),
        ]

    def area_parameter(self):
        """Return the study area."""
        return parameters.source(
            "AREA",
            tr("Study area"),
            tr(
                "For regions given as points: polygons to which the aggregated areas, Voronoi "
                "cells, are clipped. Leave empty for the convex hull of the points, a little "
                "widened."
            ),
            "polygon",
            optional=True,
            advanced=True,
        )

    # --- checking ----------------------------------------------------------------------------

    def check(self, given):
        """Check what does not need the data."""
        has_file = bool(given.text("RECORDS_FILE"))
        has_table = given.has("RECORDS")
        if has_file == has_table:
            return tr(
                "Choose a table of records, or give a Parquet file or a folder of them: one of the two."
            )
        counts = given.fields("COUNTS")
        if has_table and not given.fields("QIS") and len(counts) < 2:
            return tr("Choose at least one quasi-identifier.")
        if counts and given.field("PERSON_FIELD"):
            return tr(
                "A row stands for several people (COUNTS), or people have several rows (PERSON_FIELD): "
                "not both."
            )
        declared_categories(given.text("CATEGORIES"))
        groups_of_numbers(given.text("GROUPS"))
        needed = ["COUNTS"] if counts else []
        needed += ["PERSON_FIELD"] if given.field("PERSON_FIELD") else []
        needed += [*self.needing_records(given), *value_groups.in_use(given)]
        return clusters.check_counting(given, needed) or check_demands(given)

    def needing_records(self, given) -> list[str]:
        """The parameters in use for which all records are needed here."""
        return []

    def check_number(self, given, sites_by: Iterable[str]) -> str | None:
        """Check the number of sites or the GAPS model, whichever is needed."""
        sites_by = list(sites_by)
        if "fixed" in sites_by and given.number("SITES") is None:
            return tr("Give the number of sites, or have it computed by a GAPS model.")
        if sites_by != ["fixed"]:
            self.model(given)
        return None

    def model(self, given, data: Data | None = None) -> GapsModel:
        """The GAPS model, with the people of the regions where they were read.

        Raises
        ------
        InputError
            If none is chosen.
        """
        name = given.choice("GAPS_REGION")
        if not name:
            raise InputError(
                tr(
                    "Choose a GAPS model (GAPS_REGION): how many people an area needs was fitted for "
                    "parts of Canada, and no model holds everywhere. Or give the number of sites "
                    "(SITES_BY=fixed, SITES)."
                )
            )
        found = gaps_model(name, given.number("A"), given.number("B"))
        people = None if data is None else data.people_by(given.field("POPULATION_FIELD"))
        return found if people is None else replace(found, people=float(people.sum()))

    # --- reading -----------------------------------------------------------------------------

    def read(
        self,
        run,
        progress: Progress,
        locations: Iterable[str],
        attributes: Iterable[str] = (),
        keep: bool = False,
    ) -> Data:
        """Read the regions and count the records, as some location methods need them.

        Records that are released afterwards are to be kept.
        """
        of_regions, of_records, of_borders = weighted(progress, 10, 90, 10)
        source = run.source("REGIONS")
        (id_name,) = run.fields("REGION_ID", source)
        further = fields_of_demands(run, source)
        regions = read_regions(source, id_name, run.context, of_regions, further)
        plane = planes.plane_of(regions.xy, regions.crs)
        xy = plane.forward(regions.xy)
        table = self._records(run)
        wish = replace(self._wish(run, table, id_name, list(attributes)), keep=keep)
        if run.text(clusters.SCHEDULER).strip():
            wish = replace(wish, backend=clusters.backend(run))
        table = value_groups.grouped(run, table, wish)
        counted = count(table, regions, wish, of_records)
        noted, doubtful = value_groups.told(run, table)
        said = [planes.describe(plane, regions.crs), *noted, *counted.sentences]
        warned = [*counted.warnings, *doubtful]
        if regions.left_out:
            warned.append(
                tr("{count} without a usable place, left out.").format(
                    count=number_of(len(regions.left_out), "region", "regions")
                )
            )
        if regions.repaired:
            warned.append(
                tr("{count} not valid, repaired: check what was made of such shapes.").format(
                    count=number_of(regions.repaired, "polygon", "polygons")
                )
            )
        area = self._study_area(run, regions)
        if area is not None and regions.geometries is not None:
            warned.append(tr("The study area is not used: polygons are joined as they are."))
            area = None
        run.tell(*said)
        run.warn(*warned)
        adjoining = any(one in JOINING for one in locations)
        kept = kept_of(run, source, regions, plane, counted.classes, adjoining, of_borders)
        return Data(
            regions,
            plane,
            xy,
            counted,
            area,
            table.name,
            said,
            warned,
            tuple(table.kinds),
            wish.record_region,
            kept,
        )

    def _records(self, given) -> records.Records:
        path = given.text("RECORDS_FILE")
        if path:
            table = records.from_parquet(path, given.outputs.ask)
            return counted_records.counted(table, given.fields("COUNTS"))
        return counted_records.counted(
            records.from_source(given.source("RECORDS")), given.fields("COUNTS")
        )

    def _wish(self, given, table, id_name: str, attributes: list[str]) -> Wish:
        region_name = spelling(table.kinds, given.field("RECORD_REGION") or id_name)
        qis = [spelling(table.kinds, name) for name in dict.fromkeys(given.fields("QIS"))]
        attributes = [spelling(table.kinds, name) for name in attributes]
        if len(given.fields("COUNTS")) > 1:
            qis.append(counted_records.CATEGORY)
        if not qis:
            person = given.field("PERSON_FIELD")
            qis = [name for name in table.kinds if name not in (region_name, person)]
        if region_name in qis:
            raise InputError(
                tr(
                    "“{name}” is the id of the region and cannot be a quasi-identifier as well: "
                    "the area takes its place."
                ).format(name=region_name)
            )
        if region_name in attributes:
            raise InputError(
                tr(
                    "“{name}” is the id of the region and cannot be released: the area takes its "
                    "place. Leave it out of the further attributes."
                ).format(name=region_name)
            )
        person = given.field("PERSON_FIELD")
        person = spelling(table.kinds, person) if person else None
        if person is not None and person in (region_name, *qis, *attributes):
            raise InputError(
                tr(
                    "“{name}” is the person's id: it can be neither the region's id nor a "
                    "quasi-identifier, and is never released. Choose another field, or leave it out "
                    "there."
                ).format(name=person)
            )
        return Wish(
            region_name,
            qis,
            [name for name in dict.fromkeys(attributes) if name not in qis],
            *(
                {spelling(qis, name): value for name, value in one.items()}
                for one in (
                    declared_categories(given.text("CATEGORIES")),
                    groups_of_numbers(given.text("GROUPS")),
                )
            ),
            given.choice("NULLS") == CATEGORY,
            given.choice("UNKNOWN") == LEAVE_OUT,
            person,
        )

    def _study_area(self, run, regions) -> QgsGeometry | None:
        source = run.source("AREA")
        if source is None:
            return None
        area = union_of(source, regions.crs, run.context, run.outputs.ask)
        if area.isNull() or area.isEmpty() or area.area() == 0:
            raise InputError(
                tr(
                    "The study area “{name}” has no polygon with a size. Choose another layer, or "
                    "leave it empty."
                ).format(name=source.sourceName())
            )
        return area
