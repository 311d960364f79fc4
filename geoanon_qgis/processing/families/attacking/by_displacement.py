# SPDX-License-Identifier: GPL-2.0-or-later
"""How displacement by a law explains a point."""

from __future__ import annotations

from ....core.attacks.masks.likelihood import by_law
from ....core.attacks.masks.rounded import by_rounded_law
from ....core.runtime.progress import part
from ..masks import displacing
from . import unlisted_homes
from .known import Explained, Known
from .rounding import cells_of


def explain(known: Known) -> Explained:
    """Weigh each candidate by the density of its law at the point, or in the point's cell."""
    known.need_what_it_used()
    points, candidates = known.points, known.candidates
    made = displacing.read(candidates, known.told, candidates.xy)
    if not known.typed:
        known.need_the_layers(made.layers)
    step = known.run.step("attack")
    first, second = part(step, 0.0, 0.6), part(step, 0.6, 1.0)
    cells, said = cells_of(known, made.law)
    if cells is not None and made.zones is None:
        likelihood = by_rounded_law(points.xy, candidates.xy, made.law, cells, first)
        # Places of one cell are at one point, and no distance is the law's any more.
        missing, more = unlisted_homes.of(known, likelihood, made.law, None, None, True, second)
        return Explained(likelihood, sentences=(*said, *more), unlisted=missing)
    likelihood = by_law(points.xy, candidates.xy, made.law, made.zones, made.zone, first)
    law = made.law if made.zones is None else None
    coarse = cells is not None
    where = made.law, made.zones, made.zone
    missing, more = unlisted_homes.of(known, likelihood, *where, coarse, second)
    said = [*said, *more]
    return Explained(
        likelihood, law, not coarse, sentences=tuple(said), coarse=coarse, unlisted=missing
    )
