# SPDX-License-Identifier: GPL-2.0-or-later
"""What is kept of each record: its cluster, its way to a service, its zone, and that people live there."""

from __future__ import annotations

import numpy as np

from ....core.measures.dbscan import compare_clusters
from ....core.measures.services import outside_populated, service_errors, zones_kept
from ....core.runtime.progress import weighted
from ...layers.zones import Polygons
from ...running import Run
from .measured import Matched, Paired


def matched(run: Run, paired: Paired, areas: Polygons | None, people: np.ndarray | None) -> Matched:
    """Compare the records that are paired, by the layers that were given."""
    of_services, of_ways, of_zones, of_places, of_clusters = weighted(
        run.step("matched"), 20, 10, 20, 10, 40
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
    return Matched(clusters, services, zones, populated)
