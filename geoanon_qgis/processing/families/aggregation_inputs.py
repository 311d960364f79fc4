# SPDX-License-Identifier: GPL-2.0-or-later
"""What an aggregation of regions asks for: regions, records, and how many sites."""

from __future__ import annotations

from ..dialog import parameters
from ..i18n import tr

SITES_BY = ["gaps_maxcombs", "gaps_entropy", "fixed"]
GAPS_REGIONS = ["west", "central", "east", "custom"]
_CUSTOM = {"GAPS_REGION": ("custom",)}
CATEGORY, REFUSE, LEAVE_OUT = "category", "refuse", "leave_out"


def of_regions_and_records() -> list:
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


def of_gaps() -> list:
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


def study_area():
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


def counts():
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
