# SPDX-License-Identifier: GPL-2.0-or-later
"""How an exchange of addresses explains a point."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.likelihood import by_lists
from ....core.masking.addresses import at_addresses
from ....core.masking.partners import partner_graph
from ....core.space.planes import PROJECTION_ERROR_M
from ....core.space.points import build_tree
from .known import Explained, Known


def explain(known: Known) -> Explained:
    """Weigh the partners of each address alike."""
    told, step = known.told, known.run.step("attack")
    if known.mask.parameters.get("METHOD") != "exchange" or known.mask.parameters.get("CLASSES"):
        raise known.none_yet()
    known.need_the_list()
    output_at, k = told.choice("OUTPUT_AT"), told.number("K")
    if output_at == "crossing":
        raise known.none_yet()
    points, candidates = known.points, known.candidates.xy
    # Beside an address is nearer to it than to any other.
    at, away = at_addresses(points.xy, candidates, np.inf)
    if output_at == "address":
        reach: float | np.ndarray = 0.0
    else:  # at most half as far as the next address
        reach = build_tree(candidates).query(candidates[at], k=2)[0][:, 1] / 2
    at = np.where(away <= reach + PROJECTION_ERROR_M / points.plane.metres_per_unit, at, -1)
    graph = partner_graph(candidates, k, progress=step)
    return Explained(by_lists(at, graph.partners, len(candidates), 1.0 / k))
