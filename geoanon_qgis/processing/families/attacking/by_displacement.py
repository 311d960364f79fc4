# SPDX-License-Identifier: GPL-2.0-or-later
"""How displacement by a law explains a point."""

from __future__ import annotations

from ....core.attacks.masks.likelihood import by_law
from .. import displacing
from .known import Explained, Known


def explain(known: Known) -> Explained:
    """Weigh each candidate by the density of its law at the point."""
    points, candidates = known.points, known.candidates
    made = displacing.read(candidates, known.told, candidates.xy)
    known.need_the_layers(made.layers)
    step = known.run.step("attack")
    likelihood = by_law(points.xy, candidates.xy, made.law, made.zones, made.zone, step)
    return Explained(likelihood, made.law if made.zones is None else None, one_place_each=True)
