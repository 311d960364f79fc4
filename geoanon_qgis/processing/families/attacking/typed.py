# SPDX-License-Identifier: GPL-2.0-or-later
"""A published law whose mask file one does not have: typed, with its parameters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....core.masking.laws import BY_AREA, BY_RADIUS
from ....core.verification.pointmask import PointMask
from ...dialog import parameters
from ...dialog.rules import EMPTY
from ...i18n import tr
from ...running import Given, Run
from ..masks.displacement_inputs import (
    BIMODAL,
    CANDIDATES,
    DISC,
    DISTANCE,
    DONUT,
    GAUSSIAN,
    LAPLACE,
    LAWS,
    POPULATION,
    RASTER,
)

#: Numbers, and the laws that have them.
_NUMBERS = {
    "MIN": (DONUT,),
    "MAX": (DISC, DONUT, GAUSSIAN, BIMODAL),
    "EPSILON": (LAPLACE,),
    "K_MIN": (DONUT,),
    "K_MAX": LAWS,
}


def inputs() -> list:
    """Return the parameters of a law that is typed."""
    return [
        parameters.choice(
            "LAW",
            tr("Law of the displacement"),
            tr(
                "Without a mask file, if it is known how points were displaced, such as from an "
                "article: with MIN, MAX or EPSILON, or K_MIN and K_MAX, as “Displacement masking” "
                "has them. Zones, areas to avoid and a population that it used are given besides."
            ),
            LAWS,
            optional=True,
            advanced=True,
            only_when={"MASK": EMPTY},
        ),
        *(
            parameters.number(
                name,
                label,
                told,
                optional=True,
                minimum=0.0,
                advanced=True,
                only_when={"LAW": _NUMBERS[name]},
            )
            for name, label, told in (
                (
                    "MIN",
                    tr("Least distance (metres)"),
                    tr("The hole of a donut, with LAW=donut."),
                ),
                (
                    "MAX",
                    tr("Largest distance, or size (metres)"),
                    tr(
                        "With LAW: radius of a disc or donut, standard deviation of a Gaussian (its "
                        "sigma), most likely distance of the bimodal law; the same for all."
                    ),
                ),
                (
                    "EPSILON",
                    tr("Epsilon of Laplace noise (per metre)"),
                    tr("With LAW=laplace, the same for all."),
                ),
            )
        ),
        *(
            parameters.integer(name, label, told, None, 2, optional=True, advanced=True)
            for name, label, told in (
                (
                    "K_MIN",
                    tr("Least number (k)"),
                    tr("With LAW=donut: the hole reaches to the address number K_MIN."),
                ),
                (
                    "K_MAX",
                    tr("Largest number (k)"),
                    tr(
                        "With LAW, in the place of MAX or EPSILON: the size reaches to the address "
                        "number K_MAX; with POPULATION or RASTER, to where so many people live."
                    ),
                ),
            )
        ),
        parameters.choice(
            "EVEN_BY",
            tr("Even by"),
            tr("Of a disc or donut that is typed (LAW): even by area, or over the distances."),
            [BY_AREA, BY_RADIUS],
            BY_AREA,
            advanced=True,
            only_when={"LAW": (DISC, DONUT)},
        ),
    ]


def _size_by(given: Given) -> str:
    if not given.has("K_MAX"):
        return DISTANCE
    if given.has("RASTER"):
        return RASTER
    return POPULATION if given.has("POPULATION") else CANDIDATES


def _used(given: Given) -> list[str]:
    """Parameters that the law has."""
    law = given.choice("LAW")
    if _size_by(given) != DISTANCE:
        return ["K_MIN", "K_MAX"] if law == DONUT else ["K_MAX"]
    return {LAPLACE: ["EPSILON"], DONUT: ["MIN", "MAX"]}.get(law, ["MAX"])


def check(given: Given) -> str | None:
    """Say what does not go together of a law that is typed."""
    there = [name for name in _NUMBERS if given.has(name)]
    if not given.has("LAW"):
        if there:
            return tr("{names}: of which law? Choose it (LAW), or leave them empty.").format(
                names=", ".join(there)
            )
        return None
    for name in ("MASK", "BEFORE", "AFTER", "URBAN"):
        if given.has(name):
            return tr(
                "A law was typed (LAW), and {name} was given. Leave LAW empty where a mask file or "
                "another tool's points tell how points moved; {name} goes with these."
            ).format(name=name)
    law, used = given.choice("LAW"), _used(given)
    more = [name for name in there if name not in used]
    if more:
        return tr(
            "LAW={law} has {used} here, and {more} besides: leave out what it has not."
        ).format(law=law, used=", ".join(used), more=", ".join(more))
    lacking = [name for name in used if not given.has(name)]
    if lacking:
        return tr(
            "LAW={law} needs {names}. Give it, or leave LAW empty to have it estimated."
        ).format(law=law, names=", ".join(lacking))
    values = [given.number(name) for name in used]
    wrong = [name for name, one in zip(used, values) if one is None or not 0 <= one < np.inf]
    if wrong or not values[-1] or (len(values) > 1 and not values[0] < values[1]):  # type: ignore[operator]
        return tr(
            "{names} must be positive numbers, the first below the second where there are two."
        ).format(names=", ".join(used))
    return None


def law_of(mask: PointMask, run: Run) -> PointMask:
    """Return what a mask file would tell."""
    law = run.choice("LAW")
    told: dict = {"LAW": law, "SIZE_BY": _size_by(run)}
    told |= {name: run.number(name) for name in _used(run)}
    if law in (DISC, DONUT):
        told["EVEN_BY"] = run.choice("EVEN_BY")
    return replace(mask, law=law, parameters=told)
