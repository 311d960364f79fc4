# SPDX-License-Identifier: GPL-2.0-or-later
"""What is kept of each record and area: clusters, ways to services, zones, numbers in them."""

from __future__ import annotations

import numpy as np

from ....core.measures.contiguity import contiguity, contiguity_of_cells
from ....core.measures.dbscan import compare_clusters
from ....core.measures.grid import count_in_cells
from ....core.measures.moran import MoranCompared, compare_moran
from ....core.measures.services import (
    ZonesKept,
    outside_populated,
    service_errors,
    zones_kept,
)
from ....core.measures.window import Window
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, weighted
from ...i18n import tr, translated
from ...layers.zones import Polygons
from ...running import Run
from .measured import Matched, Paired


def matched(
    run: Run,
    paired: Paired,
    areas: Polygons | None,
    people: np.ndarray | None,
    window: Window | None,
) -> Matched:
    """Compare the records that are paired, by the layers that were given."""
    of_services, of_ways, of_zones, of_places, of_clusters, of_moran = weighted(
        run.step("matched"), 20, 10, 20, 10, 30, 10
    )
    before, after = paired.pairs
    services = zones = populated = None
    given = run.source("SERVICES")
    if given is not None:
        table = run.points(given, of_services, [], paired.crs, 1)
        there = paired.places(table, run.outputs.ask)
        services = service_errors(before, after, there, of_ways)
    districts = paired.polygons(run, "ZONES", of_zones)
    if districts is not None:
        zones = zones_kept(before, after, districts.shapes, of_places)
    clusters = compare_clusters(before, after, progress=of_clusters)
    if areas is not None and people is not None:
        lived_in = areas.shapes[people > 0]
        populated = outside_populated(paired.before, paired.after, lived_in, run.outputs.ask)
    moran, said = _moran(run, paired, districts, zones, window, of_moran)
    return Matched(clusters, services, zones, populated, moran, [said])


def _moran(
    run: Run,
    paired: Paired,
    districts: Polygons | None,
    zones: ZonesKept | None,
    window: Window | None,
    progress: Progress,
) -> tuple[MoranCompared | None, str]:
    """Moran's I of the numbers of records in zones, or in cells; and of which, or why not."""
    try:
        if districts is not None and zones is not None:
            counts = (zones.counts_before, zones.counts_after)
            weights = contiguity(districts.shapes, progress=run.outputs.ask)
            said = tr("Moran's I: numbers of records in the zones “{name}” that adjoin.").format(
                name=districts.name
            )
        elif window is not None:
            cells = count_in_cells(paired.before, paired.after, window)
            counts = (cells.before, cells.after)
            weights = contiguity_of_cells(cells.grid, cells.cells)
            said = tr(
                "Moran's I: numbers of points in cells of {side:,.4g} {unit} with their eight "
                "neighbours."
            ).format(side=cells.grid.side, unit=paired.unit)
        else:
            return None, ""
        return compare_moran(*counts, weights, run.rng(), progress), said
    except InputError as error:
        return None, translated(error.sentence)
