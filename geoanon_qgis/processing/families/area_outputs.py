# SPDX-License-Identifier: GPL-2.0-or-later
"""What *Voronoi-based aggregation* puts out, besides what it tells of secrets and its verdict."""

from __future__ import annotations

from .. import styling
from ..dialog.declaration import Field, Value, private, release, reports
from ..i18n import mark
from . import aggregated, crosswalk
from .aggregated import AREA_ID

_AREA = Field(AREA_ID, "long")

OUTPUTS = (
    private(
        "OUTPUT",
        mark("Aggregated areas"),
        mark(
            "The areas with what was counted in them, before suppression, too. The true union "
            "of polygons; of points the Voronoi cell."
        ),
        "polygon",
        [
            _AREA,
            Field("regions", "long"),
            Field("records", "long"),
            Field("classes", "long"),
            Field("smallest", "long", mark("smallest class before suppression")),
            Field("suppressed", "long", mark("records")),
            Field("released", "long"),
            Field("share", "double", mark("of the records suppressed")),
            Field("kept", "double", mark("smallest class that is released")),
        ],
        mark(
            "It is private because counts from before suppression can give suppressed records "
            "back: where all combinations of an area but one are released, its one suppressed "
            "record is known."
        ),
        styling.AGGREGATED,
        optional=False,
    ),
    release(
        "AREAS_OUT",
        mark("Areas"),
        mark("The areas with their ids and the number of released records only."),
        "polygon",
        [_AREA, Field("regions", "long"), Field("released", "long", mark("records"))],
        role=styling.RELEASED_AREAS,
        optional=True,
    ),
    aggregated.LEVELS,
    private(
        "SITES_OUT",
        mark("Sites"),
        mark("The sites of the areas. Searches move sites to where members of rare classes live."),
        "point",
        [_AREA, Field("regions", "long")],
        role=styling.SITES,
    ),
    release(
        "LOOKUP",
        mark("Regions and their areas"),
        mark(
            "Table that leads from each region to its area. It tells nothing about persons, "
            "and users of the records need it."
        ),
        "table",
        [Field("region_id", "long", mark("under its own name")), _AREA],
        role=styling.LOOKUP,
        optional=True,
    ),
    release(
        "REGIONS_OUT",
        mark("Regions"),
        mark("The regions with the ids of their areas, for maps, drawn faint beneath these."),
        "any",
        [Field("region_id", "long", mark("under its own name")), _AREA],
        role=styling.REGIONS,
        optional=True,
    ),
    release(
        "RECORDS_OUT",
        mark("Records"),
        mark("The records that are not suppressed, with their areas, in random order."),
        "table",
        [_AREA],
        mark("Behind it stand the quasi-identifiers, and the attributes that were asked for."),
        styling.AREA_RECORDS,
        optional=True,
    ),
    crosswalk.OUTPUT,
    *reports(mark("What was done and what it cost, what another K would cost, with a map.")),
    Value("SITES", mark("Sites"), mark("Sites placed.")),
    Value("SUPPRESSED", mark("Suppressed records"), mark("Records in classes smaller than K.")),
    Value("SUPPRESSED_SHARE", mark("Share of suppressed records"), mark("0 to 1.")),
    Value(
        "ANONYMITY",
        mark("Smallest class released"),
        mark("At least K; 0 if nothing is released."),
    ),
    Value(
        "COMPACTNESS",
        mark("Compactness"),
        mark("Sum of the distances of regions to their sites, in metres."),
    ),
    Value(
        "DISCERNIBILITY",
        mark("Discernibility"),
        mark("Sum of the squared sizes of the classes that are released."),
    ),
    Value(
        "ENTROPY_LOSS",
        mark("Entropy loss"),
        mark("Non-uniform entropy in bits: what the records' geography lost."),
    ),
    *aggregated.COUNTS,
    Value(
        "SUBTRACTED",
        mark("Classes below K by subtraction"),
        mark("That can be computed from this release and EARLIER."),
    ),
)
