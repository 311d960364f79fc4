# SPDX-License-Identifier: GPL-2.0-or-later
"""Points without a mask file: the law of their displacement is estimated from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....core.attacks.masks.common_move import common_move
from ....core.attacks.masks.estimate import Estimate, estimate
from ....core.attacks.masks.estimate_adaptive import Adaptive, estimate_adaptive
from ....core.runtime.progress import Progress, part
from ....core.space.points import places
from ....core.verification.pointmask import PointMask
from ...i18n import tr
from ...layers import keys, planes
from ...layers.reading import PointTable
from ...running import Run
from ..masks.displacement_inputs import CANDIDATES, DISTANCE, DONUT, LAPLACE
from ..masks.masked import Points
from .listing import Listed

#: How many families are told of.
_TOLD = 3


def untold(released: PointTable) -> PointMask:
    """Return what is known of a mask of which nothing is: the plane of its points."""
    plane = planes.plane_of(released.xy, released.crs)
    return PointMask(
        "maskdisplace", "", {}, keys.crs_text(released.crs) or "", plane.centre, "", ()
    )


def moved_back(points: Points, listed: Listed, told: Progress) -> tuple[Points, list[str]]:
    """Take off what all points share, where the points and the list show it, and say so."""
    seen = common_move(places(points.xy).xy, listed.candidates, listed.weight, told)
    if seen is None:
        return points, []
    back = replace(points, xy=seen.undone(points.xy))
    if seen.is_shift:
        metres = float(np.hypot(*seen.shift)) * points.plane.metres_per_unit
        said = tr(
            "All points were shifted by {metres:,.4g} m in one direction: by the points and the list "
            "alone that explains {tested:,} of them, by which it was not found, far better than any "
            "law without it. It was taken off; what all points share protects nobody."
        ).format(metres=metres, tested=seen.tested)
    else:
        said = tr(
            "All points were turned, stretched or reflected together: without that {fits:.0f} % of "
            "{tested:,}, by which it was not found, lie at addresses, and {chance:.0f} % at most "
            "where they are put elsewhere. It was taken off; what all points share protects nobody."
        ).format(fits=100 * seen.fits, tested=seen.tested, chance=100 * seen.by_chance)
    return back, [said]


def estimated(
    mask: PointMask, points: Points, listed: Listed, run: Run
) -> tuple[PointMask, Points, list[str]]:
    """Estimate the law, and say which it is; of points without what all of them share.

    Raises
    ------
    InputError
        If there are too few points.
    """
    step = run.step("estimate")
    points, shared = moved_back(points, listed, part(step, 0.0, 0.4))
    given = places(points.xy).xy, listed.candidates, listed.weight
    metres = points.plane.metres_per_unit
    found = [
        (one.bic, one.family.name, _parameters(one, metres))
        for one in estimate(*given, progress=part(step, 0.4, 0.6))
    ]
    found += [
        (one.bic, one.family.name, _of_addresses(one))
        for one in estimate_adaptive(*given, progress=part(step, 0.6, 1.0))
    ]
    found.sort(key=lambda one: one[0])
    others = "; ".join(
        f"{name} {_in_words(told)}, BIC {bic:,.1f}" for bic, name, told in found[:_TOLD]
    )
    _, name, told = found[0]
    said = tr(
        "Without a mask file the points are taken for displaced ones, by the likeliest law, of one "
        "size for all or as far as an address: {law}. By BIC: {others}. The attack holds as far as "
        "that does."
    ).format(law=f"{name} {_in_words(told)}", others=others)
    return replace(mask, law=name, parameters=told), points, [*shared, said]


def _of_addresses(one: Adaptive) -> dict:
    """What a mask file would tell."""
    told: dict = {"LAW": one.family.name, "SIZE_BY": CANDIDATES, "K_MAX": one.k_max}
    if one.family.name in ("disc", DONUT):
        told["EVEN_BY"] = one.family.even_by
    if one.k_min is not None:
        told["K_MIN"] = one.k_min
    return told


def _parameters(one: Estimate, metres: float) -> dict:
    """What a mask file would tell."""
    told: dict = {"LAW": one.family.name, "SIZE_BY": DISTANCE}
    sizes = (one.law.parameters(1)[0]).tolist()
    if one.family.name in ("disc", DONUT):
        told |= {"EVEN_BY": one.family.even_by, "MAX": sizes[1] * metres}
        if one.family.name == DONUT:
            told["MIN"] = sizes[0] * metres
    elif one.family.name == LAPLACE:
        told["EPSILON"] = sizes[0] / metres
    else:
        told["MAX"] = sizes[0] * metres
    return told


def _in_words(told: dict) -> str:
    names = ("MIN", "MAX", "EPSILON", "K_MIN", "K_MAX")
    return ", ".join(f"{name}={told[name]:.4g}" for name in names if name in told)
