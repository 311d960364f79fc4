# SPDX-License-Identifier: GPL-2.0-or-later
"""Points without a mask file: the law of their displacement is estimated from them."""

from __future__ import annotations

from dataclasses import replace

from ....core.attacks.masks.estimate import Estimate, estimate
from ....core.space.points import places
from ....core.verification.pointmask import PointMask
from ...i18n import tr
from ...layers import keys, planes
from ...layers.reading import PointTable
from ...running import Run
from ..displacement_inputs import DISTANCE, DONUT, LAPLACE
from ..masking import Points
from .listing import Listed

#: How many families are told of.
_TOLD = 3


def untold(released: PointTable) -> PointMask:
    """Return what is known of a mask of which nothing is: the plane of its points."""
    plane = planes.plane_of(released.xy, released.crs)
    return PointMask(
        "maskdisplace", "", {}, keys.crs_text(released.crs) or "", plane.centre, "", ()
    )


def estimated(
    mask: PointMask, points: Points, listed: Listed, run: Run
) -> tuple[PointMask, list[str]]:
    """Estimate the law, and say which it is.

    Raises
    ------
    InputError
        If there are too few points.
    """
    found = estimate(
        places(points.xy).xy, listed.candidates, listed.weight, progress=run.step("estimate")
    )
    metres = points.plane.metres_per_unit
    best = found[0]
    told = _parameters(best, metres)
    others = "; ".join(
        f"{one.family.name} {_in_words(one, metres)}, BIC {one.bic:,.1f}" for one in found[:_TOLD]
    )
    said = tr(
        "Without a mask file the points are taken for displaced ones, by the likeliest law of one "
        "size: {law}. By BIC: {others}. The attack holds as far as that does."
    ).format(law=f"{best.family.name} {_in_words(best, metres)}", others=others)
    return replace(mask, law=best.family.name, parameters=told), [said]


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


def _in_words(one: Estimate, metres: float) -> str:
    told = _parameters(one, metres)
    return ", ".join(
        f"{name}={told[name]:.4g}" for name in ("MIN", "MAX", "EPSILON") if name in told
    )
