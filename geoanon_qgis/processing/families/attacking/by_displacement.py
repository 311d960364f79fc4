# SPDX-License-Identifier: GPL-2.0-or-later
"""How displacement by a law explains a point."""

from __future__ import annotations

from ....core.attacks.masks.likelihood import by_law
from ....core.attacks.masks.rounded import by_rounded_law
from ....core.attacks.masks.rounded_in_zones import by_rounded_law_in_zones
from ..masks import displacing
from .known import Explained, Known, Moves
from .rounding import cells_of


def explain(known: Known) -> Explained:
    """Weigh each candidate by the density of its law at the point, or in the point's cell."""
    known.need_what_it_used()
    points, candidates = known.points, known.candidates
    made = displacing.read(candidates, known.told, candidates.xy)
    if not known.typed:
        known.need_the_layers(made.layers)
    step = known.run.step("attack")
    cells, said = cells_of(known, made.law)
    both, where = (points.xy, candidates.xy, made.law), (made.zones, made.zone)
    if cells is None:
        likelihood = by_law(*both, *where, step)
    elif made.zones is None:
        likelihood = by_rounded_law(*both, cells, step)
    else:
        likelihood = by_rounded_law_in_zones(*both, cells, *where, step)
    rounded = cells is not None
    # Places of one cell are at one point, and no distance is the law's any more.
    law = made.law if made.zones is None and not rounded else None
    moves = Moves(made.law, *where, rounded)
    return Explained(likelihood, law, not rounded, sentences=tuple(said), moves=moves)
