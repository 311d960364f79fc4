# SPDX-License-Identifier: GPL-2.0-or-later
"""What an aggregation writes: its areas, which region lies in which, and the released records."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsField, QgsWkbTypes

from ...compat import make_field
from ...core.aggregation.release import released_records
from ...core.identifying import CodedColumn
from ...core.runtime.progress import shares, weighted
from ..i18n import tr
from ..layers import attributes
from .aggregating import Data

#: The field that ties areas, sites, lookup and records together.
AREA_ID = "area_id"


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
    for name, fields in (("OUTPUT", tuple(columns)), ("AREAS_OUT", released)):
        attributes = zip(*(_plain(columns[one][rows]) for one in fields))
        outputs.add_features(
            name,
            QgsWkbTypes.Type.MultiPolygon,
            fields,
            zip((geometries[row] for row in rows), attributes),
            crs,
            count=len(rows),
        )
    places = data.stored_sites(result.sites)
    outputs.add_points("SITES_OUT", places, None, [columns[AREA_ID], columns["regions"]], crs)


def write_regions(outputs, data: Data, result) -> None:
    """Write which area each region belongs to."""
    regions = data.regions
    id_field = QgsField(regions.id_field)
    if id_field.name() == AREA_ID:
        id_field.setName("region_id")
    fields, areas = [id_field, AREA_ID], result.area_of_region + 1
    outputs.add_table("LOOKUP", fields, [regions.ids, areas])
    if regions.geometries is None:
        columns = [regions.ids, areas]
        outputs.add_points("REGIONS_OUT", regions.xy, fields, columns, regions.crs)
    else:
        outputs.add_features(
            "REGIONS_OUT",
            QgsWkbTypes.Type.MultiPolygon,
            fields,
            zip(regions.geometries, zip(regions.ids, areas.tolist())),
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
