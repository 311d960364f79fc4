# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskadaptivevoronoi."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...core.masking.adaptive_voronoi import MOVED, adaptive_voronoi
from .. import literature, styling
from ..base import Help
from ..dialog.declaration import Field, Value, private
from ..families.masks import adapting, staying
from ..families.masks.kept_masking import KeptMaskingAlgorithm, outputs, posterior_attack
from ..families.masks.masked import Way, Withheld
from ..families.masks.masking import steps
from ..i18n import mark
from ..reports.maskadaptivevoronoi import Voronoied, story


class MaskAdaptiveVoronoiAlgorithm(KeptMaskingAlgorithm):
    """Move each point to an edge of its Voronoi cell or of its area, and on to a crossing."""

    NAME = "maskadaptivevoronoi"
    DISPLAY_NAME = mark("Adaptive Voronoi masking")
    TAGS = mark(
        "privacy, geomask, geomasking, anonymise, anonymize, Thiessen, adaptive areal "
        "elimination, k-anonymity, crossing, intersection, geo-mask, confidential, sensitive, "
        "patients, epidemiology, deidentify, de-identify, perturb, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Merges zones until each holds K people, and moves each point to the nearest edge of its "
        "Voronoi cell or area, then to the nearest street crossing."
    )
    HELP = Help(
        what=mark(
            "Zones are merged until each area holds K people or addresses (adaptive areal "
            "elimination: all areas with the least number go to the neighbour with the longest "
            "border in common, and again). A place that is alone in its area goes to a random one "
            "in it. Each other goes to the nearest of two: the edge of its cell in the Voronoi "
            "diagram of all that are not alone, or the border of its area. From there it goes to "
            "the nearest street crossing.\n\n"
            "As published the nearest crossing can lie in another area; KEEP_INSIDE takes the "
            "nearest one in the point's own. Records at one place move together. A place that "
            "would be released where it is (on a crossing, on a border) is withheld."
        ),
        when=mark(
            "To show a pattern on a map of streets where zones with a population are at hand. Give "
            "streets or crossings: without them the mask can be undone."
        ),
        cautions=(
            mark(
                "K people live in an area, but the mask does not spread a point over them: where "
                "it goes follows from where it lay and who lay near. Who knows the layers weighs "
                "the addresses by it, and some are likelier than one in K."
            ),
            mark(
                "Without crossings the mask is reversible: in trials more than 90 of 100 points on "
                "a border were found by the foot of their perpendicular, and points between two "
                "addresses are found as those of Voronoi masking."
            ),
            mark(
                "Where a point goes depends on who else is in the file. It cannot be told from the "
                "place alone, and a file that grows moves its points: two releases then tell more "
                "than each. Give the secret file of the earlier release (SECRET): it keeps where "
                "each place was put. Those who joined are placed among all."
            ),
            mark(
                "Who knows that a person is in the file, and her address, finds her record near "
                "it; in a file of few people no mask of this kind hides whose record it is."
            ),
        ),
        sources=(literature.POLZIN, literature.KOUNADI_LEITNER),
    )
    REQUIRES = ("scipy", "shapely")
    OUTPUTS = outputs(
        private(
            "AREAS",
            mark("Merged areas"),
            mark("The areas that zones were merged to, and what they hold."),
            "polygon",
            [
                Field("people", "double"),
                Field("zones", "int"),
                Field("records", "int"),
                Field("apart", "bool", mark("joined over a gap")),
            ],
            role=styling.CELLS,
        ),
        numbers=(
            Value("AREAS_COUNT", mark("Merged areas")),
            Value("LEAST_PEOPLE", mark("Least number of people in an area")),
            Value("ALONE", mark("Points alone in their area")),
            Value("ON_BORDER", mark("Points that went to a border")),
            Value("OUTSIDE", mark("Points released outside of their area")),
            Value("KEPT", mark("Points kept from an earlier release")),
        ),
    )
    STEPS = steps(zones=5, people=5, merge=10, streets=10)

    def mask_inputs(self):
        """Zones, people, crossings."""
        return adapting.inputs()

    def check(self, given):
        """The layers go together."""
        return adapting.check(given)

    def mask(self, points, run):
        """Merge zones, and move each place."""
        made = adapting.read(points, run)
        inside = run.flag("KEEP_INSIDE")
        told = {"K": run.number("K"), "KEEP_INSIDE": inside}
        before = staying.look_up(points, run, self.NAME, told, made.layers)
        moved = adaptive_voronoi(
            points.xy,
            made.areas.shapes,
            made.area,
            points.secret.bytes,
            self.NAME,
            made.crossings,
            inside,
            points.table.xy,
            before.before,
            run.step("mask"),
        )
        put = before.put(moved.xy)
        kind = np.where(np.isnan(put[:, 0]), moved.kind, MOVED)
        # Where others were put says nothing of the areas of now.
        moved = replace(moved, outside=moved.outside & ~before.earlier)
        tale = Voronoied(moved, made.areas, run.number("K"), made.crossings is not None, inside)
        masked = adapting.Adaptive(
            put,
            story(tale, run.place_of("OUTPUT"), run.place_of("KEY"), posterior_attack(run)),
            {"WITHHELD_COUNT": int(np.count_nonzero(kind)), **tale.numbers()},
            withheld=Withheld(kind, adapting.reasons()),
            way=Way("adaptive voronoi", told, made.layers),
            areas=made,
        )
        return staying.stayed(masked, self.NAME, before)

    def write_private(self, points, masked, attributes, run):
        """Write what all masks with a secret do, and the areas."""
        super().write_private(points, masked, attributes, run)
        if run.outputs.wanted("AREAS"):
            adapting.write_areas(points, masked.areas, run)
