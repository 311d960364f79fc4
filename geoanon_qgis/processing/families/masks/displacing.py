# SPDX-License-Identifier: GPL-2.0-or-later
"""Displacement by a law: which law, how large for each place, and where points have to stay."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.masking.far_disc import FarDisc
from ....core.masking.law import Law, Numbers
from ....core.masking.laws import (
    BY_AREA,
    BimodalGaussian,
    Disc,
    Donut,
    Gaussian,
    Laplace,
    disc,
)
from ....core.masking.sizes import Neighbours, check_order, law_of_radii
from ....core.masking.zones import Zones, zone_of
from ....core.runtime.errors import InputError
from ....core.runtime.progress import shares
from ....core.verification.pointmask import UsedLayer
from ...i18n import mark, tr
from ...running import Run
from .displacement_inputs import BIMODAL, CANDIDATES, DISC, DISTANCE, DONUT, GAUSSIAN, LAPLACE
from .kept_masking import used_layer
from .masked import Points
from .public_sizes import RADII, polygons_of

#: What the engine calls laws that have another name there.
_ENGINE = {BIMODAL: BimodalGaussian.name}
#: Share of a law within the circle that is drawn of it, and corners of that.
_MOST, _CORNERS = 0.95, 64


@dataclass(frozen=True)
class Displacement:
    """What points are moved by.

    Attributes
    ----------
    name : str
        Of the law, as LAW has it.
    law : Law
        In units of the plane.
    zones : Zones or None
    zone : (n,) int array or None
        Of each point, below zero for none.
    parameters : dict
    layers : list of UsedLayer
    """

    name: str
    law: Law
    zones: Zones | None
    zone: np.ndarray | None
    parameters: dict
    layers: list[UsedLayer]


def read(points: Points, run: Run, listed: np.ndarray | None = None) -> Displacement:
    """Read the public layers, and size the law for each point.

    ``listed`` are the places of CANDIDATES in the plane, where they have been read.
    """
    law, size_by = run.choice("LAW"), run.choice("SIZE_BY")
    told = {"LAW": law, "SIZE_BY": size_by}
    layers: list[UsedLayer] = []
    if law in (DISC, DONUT):
        told["EVEN_BY"] = run.choice("EVEN_BY")
    if size_by == DISTANCE:
        names = {LAPLACE: ["EPSILON"], DONUT: ["MIN", "MAX"]}.get(law, ["MAX"])
        told |= {name: float(run.number(name)) for name in names}
        sized = _of_distance(law, told, points.plane.metres_per_unit)
        if law == DISC:
            sized = _of_towns(sized, told, points, run, layers)
    else:
        ks = [run.number(name) for name in (["K_MIN"] if law == DONUT else []) + ["K_MAX"]]
        if law == DONUT:
            check_order(*ks)
            told["K_MIN"] = ks[0]
        told["K_MAX"] = ks[-1]
        if size_by == CANDIDATES and listed is not None:
            layers.append(used_layer("CANDIDATES", run.source("CANDIDATES"), listed))
            radii = Neighbours(listed).distances(points.xy, ks, run.step("sizes"))
        else:
            radii = RADII[size_by](points, ks, run, layers)
        sized = law_of_radii(
            _ENGINE.get(law, law),
            radii[:, -1],
            radii[:, 0] if law == DONUT else None,
            told.get("EVEN_BY", BY_AREA),
        )
    zones, zone = _zones(points, run, layers)
    return Displacement(law, sized, zones, zone, told, layers)


def _of_distance(law: str, told: dict, metres_per_unit: float) -> Law:
    """A law of one size for all, in units of the plane."""
    if law == LAPLACE:
        return Laplace(told["EPSILON"] * metres_per_unit)
    largest = told["MAX"] / metres_per_unit
    if law == DONUT:
        return Donut(told["MIN"] / metres_per_unit, largest, told["EVEN_BY"])
    if law == DISC:
        return disc(largest, told["EVEN_BY"])
    return Gaussian(largest) if law == GAUSSIAN else BimodalGaussian(largest)


def _of_towns(usual: Disc, told: dict, points: Points, run: Run, layers: list[UsedLayer]) -> Law:
    """A disc that is another one in towns, and for a random share in the country a larger one."""
    metres, share = points.plane.metres_per_unit, float(run.number("FAR_SHARE"))
    radius: Numbers = usual.outer
    towns = None
    if run.source("URBAN") is not None:
        told["URBAN_MAX"] = float(run.number("URBAN_MAX"))
        found = polygons_of(points, run, "URBAN", run.step("sizes"))
        layers.append(found.used("URBAN"))
        towns = zone_of(points.xy, found.shapes) >= 0
        radius = np.where(towns, told["URBAN_MAX"] / metres, radius)
    if not share:
        return disc(radius, usual.even_by)
    told |= {"FAR_SHARE": share, "FAR_MAX": float(run.number("FAR_MAX"))}
    far: Numbers = told["FAR_MAX"] / metres
    return FarDisc(
        radius, far if towns is None else np.where(towns, radius, far), share, usual.even_by
    )


def rings(xy: np.ndarray, law: Law) -> np.ndarray:
    """Return round each point the circle within which nearly all of its law lies, (n, 64, 2)."""
    return circles(xy, law.quantile(np.full(len(xy), _MOST)))


def circles(xy: np.ndarray, radius: np.ndarray) -> np.ndarray:
    """Return a circle round each point, counter-clockwise and not closed, (n, 64, 2)."""
    turn = np.linspace(0, 2 * np.pi, _CORNERS, endpoint=False)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return xy[:, None] + radius[:, None, None] * circle


def reasons() -> list[tuple[str, str]]:
    """Return why records are withheld, in the order of the engine's kinds."""
    return [
        (
            "no size",
            tr(
                "no size is known for the law at the place, since nobody lives there by the "
                "population that was given. Give one that has people there."
            ),
        ),
        ("no zone", tr("the place lies in none of the zones. Give zones that hold it.")),
        (
            "no room",
            tr("nothing of the law lies in the zone. Take larger zones, or a larger size."),
        ),
    ]


# --- where points stay ----------------------------------------------------------------------------


def _zones(
    points: Points, run: Run, layers: list[UsedLayer]
) -> tuple[Zones | None, np.ndarray | None]:
    of_zones, of_avoid = shares(run.step("zones"), 2)
    zones, avoid = (
        polygons_of(points, run, name, progress) if run.source(name) is not None else None
        for name, progress in (("ZONES", of_zones), ("AVOID", of_avoid))
    )
    for name, found in (("ZONES", zones), ("AVOID", avoid)):
        if found is not None:
            layers.append(found.used(name))
    if zones is None and avoid is None:
        return None, None
    shapes = None if zones is None else zones.shapes
    zone = np.zeros(len(points.xy), dtype=int) if zones is None else zone_of(points.xy, shapes)
    if (zone < 0).all():
        raise InputError(
            mark(
                "No record lies in any of the zones “{name}”. Choose zones that hold the records, "
                "or check the reference systems of both layers."
            ),
            name=zones.name,
        )
    return Zones.of(shapes, None if avoid is None else avoid.shapes), zone
