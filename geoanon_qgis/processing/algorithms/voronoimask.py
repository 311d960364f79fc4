# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:voronoimask."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsWkbTypes

from ...core.masking.cells import study_area, voronoi_cells
from ...core.masking.voronoi import PAIRED, SINGLETON, UNMOVED, voronoi_mask
from ...core.runtime.progress import part
from ...core.verdict import not_tested
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters as make
from ..dialog.declaration import Field, Value, private, release, reports
from ..families import withholding
from ..i18n import mark, tr
from ..layers import attributes, keys, planes, unrolled
from ..reports import voronoimask as story
from ..running import Result

_KINDS = np.array(["singleton", "pair", "unmoved"])


class VoronoiMaskAlgorithm(GeoAnonAlgorithm):
    """Move each point halfway to its nearest neighbour."""

    NAME = "voronoimask"
    DISPLAY_NAME = mark("Voronoi masking")
    GROUP = "maskpoints"
    ICON = "voronoimask"
    TAGS = (
        mark("privacy"),
        mark("geomask"),
        mark("geomasking"),
        mark("anonymise"),
        mark("anonymize"),
        mark("jitter"),
        mark("displace"),
        mark("obfuscate"),
        "Thiessen",
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
        reference=mark(
            "Seidl, D. E., Paulus, G., Jankowski, P. and Regenfelder, M. (2015). Spatial "
            "obfuscation methods for privacy protection of household-level data. Applied "
            "Geography 63, 253–263. Its reversal: Moehler, J. (2023). On the reversibility of "
            "Voronoi geomasking."
        ),
    )
    REQUIRES = ("scipy",)

    OUTPUTS = (
        release(
            "OUTPUT",
            mark("Masked points"),
            mark("The masked points with new ids and the kept attributes."),
            "point",
            [Field(keys.RELEASED, "long", mark("new, in random order"))],
            role=styling.MASKED,
        ),
        private(
            "SHIFTS",
            mark("Shifts"),
            mark("Lines from each original to its masked point. They undo the mask."),
            "line",
            [
                Field(keys.RELEASED, "long"),
                Field(keys.ORIGINAL, "long"),
                Field("shift_m", "double", mark("metres on the ground")),
                Field("kind", "string", mark("singleton, pair or unmoved")),
            ],
            role=styling.SHIFTS,
        ),
        private(
            "CELLS",
            mark("Voronoi cells"),
            mark("The Voronoi cells of the original places, as a picture of the mask."),
            "polygon",
            [Field("records", "int")],
            mark(
                "They are clipped to the convex hull of the places, widened by the distance "
                "between neighbours. One that crosses the antimeridian has a part at either end "
                "of the map."
            ),
            styling.CELLS,
        ),
        keys.output(keys.RELEASED),
        *reports(
            mark(
                "What was done, how far points moved and what the mask does not protect, with "
                "maps of the originals."
            )
        ),
        Value("COUNT", mark("Points masked")),
        Value("SINGLETONS", mark("Singletons"), mark("Points alone at their masked place.")),
        Value("PAIRED", mark("Paired points"), mark("Points of which two share a masked place.")),
        Value("UNMOVED", mark("Points that did not move")),
        Value(
            "MEDIAN_SHIFT",
            mark("Median shift (metres)"),
            mark("Median distance moved, in metres on the ground."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {
        "read": 16,
        "withhold": 1,
        "attributes": 3,
        "project": 5,
        "mask": 15,
        "measure": 5,
        "store": 5,
        "write": 40,
        "report": 10,
    }

    def inputs(self):
        """Return what is read."""
        return [
            make.points(
                "INPUT",
                tr("Points to mask"),
                tr(
                    "The sensitive points, in any coordinate reference system. Multipoints of one "
                    "part are taken; records without a usable place are kept out and counted."
                ),
            ),
            attributes.parameter(),
            keys.id_parameter(),
            withholding.source(),
            make.advanced(
                make.boolean(
                    "SHUFFLE",
                    tr("Shuffle the rows"),
                    tr(
                        "Release the rows in random order. Without it the order of the rows "
                        "tells which "
                        "record is which."
                    ),
                    True,
                )
            ),
        ]

    def execute(self, run):
        """Read, mask, write, report."""
        source = run.source("INPUT")
        asked_for = run.fields("FIELDS", source)
        id_field = run.field("ID_FIELD", source)
        withhold = run.source(withholding.SOURCE)
        at_risk = None if withhold is None else keys.read_key(withhold, may_be_empty=True)
        table = run.points(
            source,
            run.step("read"),
            [
                *(asked_for or source.fields().names()),
                *([id_field] if id_field else []),
                *withholding.fields_needed(at_risk, source),
            ],
        )
        withheld = ""
        if at_risk is not None:
            table, withheld = withholding.without(
                table, at_risk, source, run.context, run.step("withhold")
            )
            run.tell(withheld)
        originals = keys.originals_of(table, id_field)
        choice = attributes.choose(
            table, asked_for, id_field, source.fields().names(), progress=run.step("attributes")
        )

        plane = planes.plane_of(table.xy, table.crs)
        original = plane.forward(table.xy, run.step("project"))
        mask = voronoi_mask(original, run.step("mask"))
        shift = plane.ground_distance(original, mask.xy, run.step("measure"))
        west = unrolled.western_end(plane, table.xy)
        released = unrolled.stored_places(mask.xy, plane, west, run.step("store"))
        masking = story.Masking(
            source.sourceName(),
            mask,
            shift,
            planes.unit(table.crs),
            planes.describe(plane, table.crs),
            choice,
            table.left_out,
            run.flag("SHUFFLE"),
            run.place_of("OUTPUT"),
            run.place_of("KEY"),
            withheld,
        )
        self._tell(masking, run)

        # Row i of the release is row order[i] of the originals.
        count = len(table)
        order = np.random.default_rng().permutation(count) if masking.shuffled else np.arange(count)
        ids = np.arange(1, count + 1)
        kinds = _KINDS[mask.kind[order]]
        named = originals.taken(order)
        run.outputs.add_points(
            "OUTPUT",
            released[order],
            [keys.RELEASED, *(table.fields.field(name) for name in choice.kept)],
            [ids, *(table.columns[name].taken(order) for name in choice.kept)],
            table.crs,
        )
        run.outputs.add_lines(
            "SHIFTS",
            table.xy[order],
            released[order],
            [keys.RELEASED, named.field, "shift_m", "kind"],
            [ids, named.ids, shift[order], kinds],
            table.crs,
        )
        keys.add_key(run.outputs, keys.RELEASED, ids, named, table.xy[order], table.crs)
        if run.outputs.wanted("CELLS"):
            self._add_cells(run.outputs, original, table, plane, west)

        def report(progress):
            from ..maps.pictures import masking_pictures

            pictures = masking_pictures(table.xy, released, mask.kind, table.crs, progress)
            return story.report(masking, pictures)

        return Result(
            {
                "COUNT": count,
                "SINGLETONS": mask.count(SINGLETON),
                "PAIRED": mask.count(PAIRED),
                "UNMOVED": mask.count(UNMOVED),
                "MEDIAN_SHIFT": masking.median_shift,
            },
            not_tested("address_list", "whose_place"),
            story.steps(masking),
            report=report,
        )

    def _tell(self, masking, run) -> None:
        run.tell(masking.plane_sentence)
        run.tell(*masking.choice.sentences())
        run.warn(*masking.choice.warnings())
        unmoved = masking.mask.count(UNMOVED)
        if unmoved:
            run.warn(story.unmoved_sentence(unmoved))
        if not masking.shuffled:
            run.warn(tr("The rows keep their order: whoever has the originals' order has the key."))
        if story.near_sentence(masking):
            run.warn(story.near_sentence(masking))
        run.warn(story.reversible_sentence())

    @staticmethod
    def _add_cells(outputs, original, table, plane, west) -> None:
        progress = outputs.next_share()
        cells, of_point = voronoi_cells(original, study_area(original), part(progress, 0.0, 0.4))
        counts = np.bincount(of_point, minlength=len(cells)).tolist()
        # They are made while they are written, so this is the progress of both.
        polygons = unrolled.ring_polygons(cells, plane, west, part(progress, 0.4, 1.0))
        outputs.add_features(
            "CELLS",
            QgsWkbTypes.Type.MultiPolygon,
            ["records"],
            ((unrolled.multipolygon(one), (count,)) for one, count in zip(polygons, counts)),
            table.crs,
            outputs.ask,
            count=len(cells),
        )
