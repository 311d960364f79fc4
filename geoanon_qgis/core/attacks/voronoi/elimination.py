# SPDX-License-Identifier: GPL-2.0-or-later
"""As many candidates as masked records: the mask made again, and elimination.

Moehler (2023), the case n = N: masking the candidates shows who lands where, and whoever has no
choice frees the others.
"""

from __future__ import annotations

import numpy as np

from ...masking.voronoi import voronoi_mask
from ...runtime.errors import InputError
from ...runtime.progress import Progress, interruptible, part
from ...space.points import Places, build_tree
from .antipodal import within
from .blur import Blur
from .explanations import Hypotheses, hypotheses_of


def from_the_mask_itself(
    locations: Places,
    known: Places,
    candidates: np.ndarray,
    blur: Blur,
    progress: Progress,
) -> tuple[Hypotheses, np.ndarray, np.ndarray] | None:
    """The case n = N: mask the candidates and see who lands where.

    None where that does not give the masked points: the candidates are not the sample, then,
    or ties were broken in another way.
    """
    try:
        mask = voronoi_mask(candidates, part(progress, 0.0, 0.6))
    except InputError:
        return None
    landed = build_tree(mask.xy, part(progress, 0.6, 0.7))
    location, row = within(landed, locations.xy, blur.reach, part(progress, 0.7, 1.0))
    if (np.bincount(location, minlength=len(locations.xy)) < locations.count).any():
        return None

    def explain() -> tuple[Hypotheses, np.ndarray, np.ndarray]:
        origin, partner = known.of_point[row], known.of_point[mask.neighbour[row]]
        one_each = np.unique(np.stack([location, origin, partner], axis=1), axis=0).T
        hypotheses = hypotheses_of(one_each[0], one_each[1], one_each[2], known.xy)
        fit = hypotheses.fit(blur, locations.xy, known.xy)
        weights = _eliminate(hypotheses, locations, known, fit)
        return hypotheses, weights, np.arange(len(known.xy))

    return interruptible(explain, progress, 1.0)


def _eliminate(
    hypotheses: Hypotheses, locations: Places, known: Places, fit: np.ndarray
) -> np.ndarray:
    """Probabilities where every place is an origin: whoever has no choice frees the others.

    The paper's step 5. Rounding alone gives a location more origins than it has records.
    """
    number = len(locations.xy)
    alive = fit > 0
    room = known.count[hypotheses.origin]
    while True:
        total = np.bincount(hypotheses.location, room * alive, number)
        settled = alive & (total <= locations.count)[hypotheses.location]
        owner = np.full(len(known.xy), -1, dtype=np.intp)
        owner[hypotheses.origin[settled]] = hypotheses.location[settled]
        taken = owner[hypotheses.origin]
        free = (taken < 0) | (taken == hypotheses.location)
        if (free | ~alive).all():
            break
        alive &= free
    weight = room * alive * fit
    return weight / np.bincount(hypotheses.location, weight, number)[hypotheses.location]
