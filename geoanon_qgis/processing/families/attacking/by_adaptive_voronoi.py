# SPDX-License-Identifier: GPL-2.0-or-later
"""How adaptive Voronoi masking explains a point."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.voronoi_borders import by_structure
from ....core.attacks.masks.voronoi_company import Setting
from ....core.attacks.masks.voronoied import by_crossings
from ....core.masking.adaptive_voronoi import Crossings
from ....core.space.points import places
from ...i18n import figure, mark, tr
from ..masks import adapting
from .known import SNAP_M, Explained, Known

#: How much more the upper end allows for where points are too many to be weighed together: who does that was
#: right up to 1.6 times as often as who weighs each by itself believes, and up to 1.3 times as often as he is
#: right, in trials on valleys, grids and evenly spread homes.
_BELIEVED, _SCORED = 2.0, 1.5
_MORE_OFTEN = mark(
    "Somebody who weighs all points of adaptive Voronoi masking together: this attack asks of each address "
    "whether it leads to its own point, and not whether its neighbours would still have gone to theirs. In "
    "trials on made-up towns who asks both was right up to 1.6 times as often as this attack believes, "
    "and up to 1.3 times as often as it is right. The upper end is {times} times its own."
)


def explain(known: Known) -> Explained:
    """Play the file, and see from which addresses the mask leads to the points."""
    told, step = known.told, known.run.step("attack")
    known.need_what_it_used("ZONES", "POPULATION")
    made = adapting.read(known.candidates, told)
    known.need_the_layers(made.layers)
    first, of_point = known.places_of_the_file()
    setting = Setting(known.candidates.xy, made.area, made.areas.shapes, known.listed.weight)
    if made.crossings is None:
        within = SNAP_M / known.points.plane.metres_per_unit
        likelihood, together = by_structure(known.points.xy[first], setting, within, step)
    else:
        crossings = places(made.crossings).xy
        shapes = np.asarray(made.areas.shapes) if told.flag("KEEP_INSIDE") else None
        to = Crossings.of(crossings, shapes)
        likelihood, together = by_crossings(known.released_at(crossings)[first], setting, to, step)
    likelihood = likelihood.taken(of_point)
    if together:
        return Explained(likelihood, settled=True)
    times = _BELIEVED if known.home is None else _SCORED
    not_run = (tr(_MORE_OFTEN).format(times=figure(times, "g")),)
    return Explained(likelihood, not_run=not_run, understated=times)
