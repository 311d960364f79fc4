# SPDX-License-Identifier: GPL-2.0-or-later
"""How street masking explains a point."""

from __future__ import annotations

from ....core.attacks.masks.streeting import by_streets
from ....core.masking.streets import Search
from ...layers.streets import read_streets
from .known import Explained, Known


def explain(known: Known) -> Explained:
    """Weigh each address by how many numbers of nodes lead from its start to the point."""
    known.need_what_it_used("STREETS")
    run, told, plane = known.run, known.told, known.points.plane
    streets = read_streets(
        run.source("STREETS"), plane, known.points.table.crs, run.context, run.step("streets")
    )
    run.tell(*streets.sentences())
    known.need_the_layers([streets.used("STREETS")])
    search = Search(told.number("LOW"), told.number("HIGH"), float(told.number("MAX_LENGTH")))
    metres, network = plane.metres_per_unit, streets.network
    node = known.released_at(network.xy / metres)
    step = run.step("attack")
    return Explained(by_streets(node, known.candidates.xy * metres, network, search, step))
