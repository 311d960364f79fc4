# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether released coordinates were rounded, and to which cells."""

from __future__ import annotations

import numpy as np

from ....core.attacks.masks.rounded import Cells, grid_step, on_grid
from ....core.masking.law import Law
from ....core.runtime.errors import InputError
from ...i18n import mark, tr
from ...layers import planes
from .known import Known

#: Cells below this part of the distance that points move are as good as places.
_FINE = 1e-3


def cells_of(known: Known, law: Law) -> tuple[Cells | None, list[str]]:
    """Return the cells that points were rounded to, None for none, and what to say of them.

    Raises
    ------
    InputError
        If the step is none.
    """
    run, points = known.run, known.points
    given, xy = run.number("ROUNDING"), points.table.xy
    if given is not None and not 0 <= given < np.inf:
        raise InputError(
            mark("ROUNDING must be a step of 0 or more, in the unit of the released layer.")
        )
    if given and not on_grid(xy, float(given)):
        raise InputError(
            mark(
                "The released coordinates do not lie on a grid of {step:g} (ROUNDING): they tell "
                "more than its cells. Leave ROUNDING empty, and the grid is found by itself."
            ),
            step=float(given),
        )
    steps = grid_step(xy) if given is None else (float(given), float(given))
    if not all(steps):
        return None, []
    sides = []
    for shift in np.diag(np.array(steps) / 2):
        ends = [points.plane.forward(xy + way * shift, run.outputs.ask) for way in (1, -1)]
        sides.append((ends[0] - ends[1]) / 2)
    cells = Cells(*sides)
    shift = np.asarray(law.mean_shift)
    there = shift[np.isfinite(shift)]
    if given is None and (not there.size or cells.reach < _FINE * float(np.median(there))):
        return None, []
    unit = planes.unit(points.table.crs) if not points.plane.is_local else tr("units of the layer")
    said = tr(
        "The released coordinates lie on a grid of {x:g} by {y:g} {unit}: they were rounded, and "
        "each point tells a cell of that grid."
    )
    return cells, [said.format(x=steps[0], y=steps[1], unit=unit)]
