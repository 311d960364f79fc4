# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:discmask. ``processing/algorithms/discmask.py``."""

from __future__ import annotations

from geoanon_qgis.processing.base import Help
from geoanon_qgis.processing.dialog import parameters
from geoanon_qgis.processing.families.masks.masked import Masked
from geoanon_qgis.processing.families.masks.masking import MaskingAlgorithm, outputs
from geoanon_qgis.processing.i18n import mark, tr
from geoanon_qgis.processing.layers import planes

from .engine import disc_mask
from .story import KWAN, story


class DiscMaskAlgorithm(MaskingAlgorithm):
    """Move each point to a random place within a radius."""

    NAME = "discmask"
    DISPLAY_NAME = mark("Disc masking")
    TAGS = mark("privacy, geomask, random perturbation, jitter")
    SHORT_DESCRIPTION = mark("Moves each point to a random place within a radius.")
    HELP = Help(
        what=mark(
            "Every place moves to one that is drawn uniformly, by area, from the disc with a "
            "radius of RADIUS metres round it. Points that share a place move together."
        ),
        when=mark(
            "Where about as many people live within the radius of every point, and one release is "
            "all that there will ever be."
        ),
        cautions=(
            mark("Who lives apart is found: nobody else lives within the radius."),
            mark("Release one version only. Two overlap to smaller areas."),
        ),
        sources=(KWAN,),
    )
    OUTPUTS = outputs()

    def own_inputs(self):
        """The radius, and the seed."""
        return [
            parameters.metres(
                "RADIUS",
                tr("Radius (metres)"),
                tr(
                    "How far a point may move, on the ground. Half of them move more than 0.7 of it."
                ),
                500.0,
                optional=False,
            ),
            parameters.seed(),
        ]

    def check(self, given):
        """A radius is a positive length."""
        if not given.number("RADIUS") > 0:
            return tr("The radius must be a positive distance in metres.")
        return None

    def mask(self, points, run):
        """Draw a place for each."""
        radius, unit = run.number("RADIUS"), planes.unit(points.table.crs)
        in_plane = radius / points.plane.metres_per_unit if unit == "m" else radius
        xy = disc_mask(points.xy, in_plane, run.rng())
        return Masked(xy, story(radius, unit), {})
