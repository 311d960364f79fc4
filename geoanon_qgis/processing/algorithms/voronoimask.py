# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:voronoimask."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsWkbTypes

from ...core.masking.cells import study_area, voronoi_cells
from ...core.masking.voronoi import KIND_NAMES, PAIRED, SINGLETON, UNMOVED, voronoi_mask
from ...core.runtime.progress import weighted
from .. import literature, styling
from ..base import Help
from ..dialog.declaration import Field, Value, private
from ..families.masks.masked import Masked
from ..families.masks.masking import MaskingAlgorithm, outputs
from ..i18n import mark
from ..layers import unrolled
from ..reports.voronoimask import story


class VoronoiMaskAlgorithm(MaskingAlgorithm):
    """Move each point halfway to its nearest neighbour."""

    NAME = "voronoimask"
    DISPLAY_NAME = mark("Voronoi masking")
    TAGS = mark(
        "privacy, geomask, geomasking, anonymise, anonymize, jitter, displace, obfuscate, "
        "Thiessen, geo-mask, confidential, sensitive, patients, epidemiology, deidentify, "
        "de-identify, perturb, displacement, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Moves each point to the nearest edge of its Voronoi cell, halfway to its nearest "
        "neighbour. Can be reversed: attack the result before you release it."
    )
    HELP = Help(
        what=mark(
            "Every point moves to the nearest point on the edge of its Voronoi cell, which is the "
            "midpoint between it and its nearest neighbour. Two points that are each other's "
            "nearest neighbour meet at one place (a pair); all others are alone at theirs "
            "(singletons). Dense areas move little, sparse areas much, and patterns are kept "
            "well.\n\n"
            "Layers in degrees, in Web Mercator and the like are masked in a local metric "
            "projection and come back in their own system; the log says so. Heights and measures "
            "(Z, M) are dropped."
        ),
        when=mark(
            "To show a pattern where nobody holds a list of the possible places. Where an address "
            "file exists, this mask protects nobody by itself."
        ),
        cautions=(
            mark(
                "The mask is reversible by anyone who has a list of candidate places: all "
                "singletons are found, and half of the pairs. Run “Reverse Voronoi masking” "
                "(geoanon:reversevoronoi) on the result before you release it."
            ),
            mark(
                "Points that share their exact place do not move at all. They are counted in "
                "UNMOVED, and the log warns of them."
            ),
            mark(
                "Attributes can identify too, alone and together. By default those that do not "
                "pass a screening are withheld; the log and the report list all of them, and how "
                "many records are the only ones with their values. Look at the rest."
            ),
        ),
        sources=(literature.SEIDL,),
        reference=mark(
            "Its reversal: Moehler, J. (2023). On the reversibility of Voronoi geomasking."
        ),
    )
    OUTPUTS = outputs(
        private(
            "CELLS",
            mark("Voronoi cells"),
            mark("The Voronoi cells of the original places, as a picture of the mask."),
            "polygon",
            [Field("records", "int")],
            mark(
                "They are clipped to the convex hull of the places, widened by the distance "
                "between neighbours. One that crosses the antimeridian has a part at either end of "
                "the map."
            ),
            styling.CELLS,
        ),
        kinds=mark("singleton, pair or unmoved"),
        numbers=(
            Value("SINGLETONS", mark("Singletons"), mark("Points alone at their masked place.")),
            Value("PAIRED", mark("Paired points"), mark("Two of them share a masked place.")),
            Value("UNMOVED", mark("Points that did not move")),
        ),
    )

    def mask(self, points, run):
        """Move each point halfway to its nearest neighbour."""
        made = voronoi_mask(points.xy, run.step("mask"))
        return Masked(
            made.xy,
            story(made, run.place_of("OUTPUT"), run.place_of("KEY")),
            {
                "SINGLETONS": made.count(SINGLETON),
                "PAIRED": made.count(PAIRED),
                "UNMOVED": made.count(UNMOVED),
            },
            np.array(KIND_NAMES)[made.kind],
        )

    def write_more(self, points, run):
        """Write the cells of the original places."""
        if not run.outputs.wanted("CELLS"):
            return
        # They are made while they are written, so this is the progress of both.
        finding, making = weighted(run.outputs.next_share(), 40, 60)
        cells, of_point = voronoi_cells(points.xy, study_area(points.xy), finding)
        counts = np.bincount(of_point, minlength=len(cells)).tolist()
        polygons = unrolled.ring_polygons(cells, points.plane, points.west, making)
        run.outputs.add_features(
            "CELLS",
            QgsWkbTypes.Type.MultiPolygon,
            None,
            ((unrolled.multipolygon(one), (count,)) for one, count in zip(polygons, counts)),
            points.table.crs,
            run.outputs.ask,
            count=len(cells),
        )
