# SPDX-License-Identifier: GPL-2.0-or-later
"""What an aggregation writes: its areas, which region lies in which, and the released records."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsField, QgsWkbTypes

from ...compat import make_field
from ...core.aggregation.release import released_records
from ...core.aggregation.shortfalls import Shortfalls
from ...core.identifying import CodedColumn
from ...core.runtime.errors import InputError
from ...core.runtime.progress import part, shares, weighted
from .. import styling
from ..dialog.declaration import Field, Value, release
from ..i18n import mark, tr
from ..layers import attributes
from ..layers.regions import joined
from .demanding import Level
from .regional import Data

#: The field that ties areas, sites, lookup and records together.
AREA_ID = "area_id"
_OWN_FIELDS = (
    *("regions", "records", "classes", "smallest", "suppressed", "released", "share", "kept"),
    "fid",
)
#: The units of a hierarchy, and the numbers that tell whether areas keep what is asked for.
LEVELS = release(
    "LEVELS_OUT",
    mark("Units of the hierarchy"),
    mark(
        "For HIERARCHY: the units of every level, joined from the areas within them, with "
        "the number of released records."
    ),
    "polygon",
    [
        Field("level", "long", mark("1: the coarsest; 0: the whole map, without a hierarchy")),
        Field("field", "string"),
        Field("unit", "string"),
        Field("areas", "long"),
        Field("regions", "long"),
        Field("released", "long", mark("records")),
    ],
    role=styling.RELEASED_AREAS,
    optional=True,
)
COUNTS = (
    Value("AREAS", mark("Areas"), mark("Areas that hold a region.")),
    Value(
        "AREAS_WITHOUT_RELEASE",
        mark("Areas that release nothing"),
        mark("Areas with records, all of which are suppressed."),
    ),
    Value(
        "LEAST_RECORDS",
        mark("Fewest records of an area"),
        mark("Before suppression."),
    ),
    Value(
        "AREAS_IN_PIECES",
        mark("Areas in several pieces"),
        mark("Areas of regions that do not all adjoin."),
    ),
)


def counts(result, pieces: np.ndarray) -> dict[str, int]:
    """Return the values of :data:`COUNTS`."""
    short = Shortfalls.of(result.areas)
    return {
        "AREAS": result.measures.areas,
        "AREAS_WITHOUT_RELEASE": len(short.nothing),
        "LEAST_RECORDS": short.least,
        "AREAS_IN_PIECES": int((pieces > 1).sum()),
    }


def write_areas(outputs, data: Data, result, geometries) -> None:
    """Write the areas and their sites, private and released."""
    areas, crs = result.areas, data.regions.crs
    rows = np.flatnonzero(areas.regions > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = areas.suppressed / areas.records  # NaN, which is NULL, without records
    columns = {
        AREA_ID: np.arange(1, len(areas.regions) + 1),
        "regions": areas.regions,
        "records": areas.records,
        "classes": areas.classes,
        "smallest": areas.smallest,
        "suppressed": areas.suppressed,
        "released": areas.records - areas.suppressed,
        "share": share,
        "kept": np.where(areas.smallest_kept > 0, areas.smallest_kept, np.nan),
    }
    released = (AREA_ID, "regions", "released")
    units = _units_of_areas(data, result)
    for name, fields in (("OUTPUT", tuple(columns)), ("AREAS_OUT", released)):
        attributes = zip(
            *(_plain(columns[one][rows]) for one in fields),
            *([names[row] for row in rows] for _, names in units),
        )
        outputs.add_features(
            name,
            QgsWkbTypes.Type.MultiPolygon,
            [*fields, *(field for field, _ in units)],
            zip((geometries[row] for row in rows), attributes),
            crs,
            count=len(rows),
        )
    places = data.stored_sites(result.sites)
    outputs.add_points("SITES_OUT", places, None, [columns[AREA_ID], columns["regions"]], crs)


def _units_of_areas(data: Data, result) -> list[tuple[QgsField, list]]:
    """Field and unit of each area, for each level of the hierarchy."""
    first = np.zeros(len(result.sites), dtype=np.intp)
    first[result.area_of_region[::-1]] = np.arange(len(result.area_of_region))[::-1]
    return [
        (make_field(level.field, "string"), [level.units[one] for one in level.of_region[first]])
        for level in _levels(data)
    ]


def _levels(data: Data) -> list:
    return [] if data.kept is None else data.kept.levels


def refuse_taken_names(data: Data) -> None:
    """Refuse fields of a hierarchy that are called like those of the outputs.

    Raises
    ------
    InputError
    """
    taken = {AREA_ID, "region_id", *_OWN_FIELDS, data.regions.id_field.name().lower()}
    for level in _levels(data):
        if level.field.lower() in taken:
            raise InputError(
                tr(
                    "The field “{name}” of the hierarchy is called like a field of the areas. "
                    "Rename it."
                ).format(name=level.field)
            )


def units_of_levels(outputs, data: Data, result, geometries, progress) -> list:
    """The units of each level of the hierarchy, joined from the areas that lie in them.

    Without a hierarchy that is the whole map, as level 0.

    Returns
    -------
    list of (QgsGeometry or None, tuple)
        With their attributes; empty where nobody wants them.
    """
    if not outputs.wanted("LEVELS_OUT"):
        return []
    everywhere = Level("", [tr("whole map")], np.zeros(len(data.xy), dtype=np.intp))
    levels = _levels(data)
    first, levels = (1, levels) if levels else (0, [everywhere])
    released = result.areas.records - result.areas.suppressed
    found = []
    for number, level in enumerate(levels, first):
        of_area = np.full(len(geometries), -1)
        of_area[result.area_of_region] = level.of_region
        for unit, name in enumerate(level.units):
            done = (number - first + unit / len(level.units)) / len(levels)
            progress(done)
            areas = np.flatnonzero(of_area == unit)
            there = [geometries[one] for one in areas if geometries[one] is not None]
            shape = joined(there, part(progress, done, done))
            regions = int((level.of_region == unit).sum())
            told = (number, level.field, name, len(areas), regions, int(released[areas].sum()))
            found.append((shape, told))
    return found


def write_levels(outputs, data: Data, units: list) -> None:
    """Write the units of :func:`units_of_levels`."""
    outputs.add_features(
        "LEVELS_OUT",
        QgsWkbTypes.Type.MultiPolygon,
        [one.name for one in LEVELS.fields],
        units,
        data.regions.crs,
        count=len(units),
    )


def write_regions(outputs, data: Data, result) -> None:
    """Write which area each region belongs to."""
    regions = data.regions
    id_field = QgsField(regions.id_field)
    if id_field.name() == AREA_ID:
        id_field.setName("region_id")
    areas = result.area_of_region + 1
    levels = _levels(data)
    units = [[level.units[one] for one in level.of_region] for level in levels]
    fields = [id_field, AREA_ID, *(make_field(level.field, "string") for level in levels)]
    outputs.add_table("LOOKUP", fields, [regions.ids, areas, *units])
    if regions.geometries is None:
        columns = [regions.ids, areas, *units]
        outputs.add_points("REGIONS_OUT", regions.xy, fields, columns, regions.crs)
    else:
        outputs.add_features(
            "REGIONS_OUT",
            QgsWkbTypes.Type.MultiPolygon,
            fields,
            zip(regions.geometries, zip(regions.ids, areas.tolist(), *units)),
            regions.crs,
            count=len(regions),
        )


def released(run, data: Data, result, rng) -> tuple[attributes.Choice, list, list]:
    """What is said of the released records, their fields and columns."""
    drawing, judging = shares(run.step("records"), 2)
    record, area = released_records(data.counted.classes, result, rng, drawing)
    columns = data.counted.released(record)
    choice = _choice(data, record, area, columns, judging)
    run.tell(*choice.sentences())
    run.warn(*choice.warnings())
    fields = [AREA_ID, *(make_field(name, kind) for name, kind, _ in columns)]
    return choice, fields, [area + 1, *(column for _, _, column in columns)]


def _choice(data: Data, record, area, columns, progress) -> attributes.Choice:
    """What is said of the attributes of the released records, each in the middle of its region."""
    region = data.counted.classes.record_region[record]
    # One record for each region: all of them stand at one place.
    first = np.full(len(data.xy), -1)
    first[region[::-1]] = np.arange(len(region))[::-1]
    rows = first[first >= 0]
    of_coding, of_judging = weighted(progress, 1, 1)
    found = []
    for at, (name, _, column) in enumerate(columns):
        of_coding(at / len(columns))
        found.append(CodedColumn.coded(name, column.index, column.values.tolist()))
    return attributes.judged(
        found,
        data.xy[region[rows]],
        len(record),
        [name for name, _, _ in columns],
        data.record_fields,
        rows=rows,
        area=CodedColumn(AREA_ID, area, np.arange(area.max(initial=0) + 1)),
        withheld={data.region_field: tr("the area takes its place")},
        progress=of_judging,
    )


def _plain(values: np.ndarray) -> list:
    return [None if value != value else value for value in values.tolist()]
