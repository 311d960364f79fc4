# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:voronoimask."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsWkbTypes

from ...compat import make_field
from ...core.masking.cells import study_area, voronoi_cells
from ...core.masking.voronoi import PAIRED, SINGLETON, UNMOVED, voronoi_mask
from ...core.runtime.progress import part, shares
from ...core.verdict import not_tested
from .. import styling
from ..base import GeoAnonAlgorithm, Help, core_progress
from ..dialog import parameters as make
from ..families import withholding
from ..i18n import mark, tr
from ..layers import attributes, keys, planes, unrolled
from ..layers.destinations import named_output
from ..layers.reading import read_points
from ..reports import voronoimask as story

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
        outputs=(
            ("OUTPUT", mark("Release. masked_id (new, in random order) and the kept attributes.")),
            (
                "SHIFTS",
                mark(
                    "Private. Lines from original to masked point: masked_id, "
                    "original_id, shift_m (metres on the ground), kind."
                ),
            ),
            (
                "CELLS",
                mark(
                    "Private. Voronoi cells of the original places, clipped to their "
                    "convex hull widened by the distance between neighbours: records. One "
                    "that crosses the antimeridian has a part at either end of the map."
                ),
            ),
            ("KEY", keys.POINTS_HELP),
            (
                "REPORT, JSON",
                mark(
                    "Private. What was done and what it cost, with maps; the same "
                    "figures for programs."
                ),
            ),
            (
                "COUNT, SINGLETONS, PAIRED, UNMOVED",
                mark("Points masked, and how many of each kind."),
            ),
            ("MEDIAN_SHIFT", mark("Median distance moved, in metres on the ground.")),
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

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        for parameter in (
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
                        "Release the rows in random order. Without it the order of the rows tells which "
                        "record is which."
                    ),
                    True,
                )
            ),
            make.release_sink(
                "OUTPUT",
                tr("Masked points"),
                tr("Release: the masked points with new ids and the kept attributes."),
            ),
            make.private_sink(
                "SHIFTS",
                tr("Shifts"),
                tr("Lines from each original to its masked point. They undo the mask."),
            ),
            make.private_sink(
                "CELLS",
                tr("Voronoi cells"),
                tr("The Voronoi cells of the original places, as a picture of the mask."),
                "polygon",
            ),
            make.private_sink(
                "KEY",
                tr("Key"),
                tr("Table that leads from the released id back to the original, its id and place."),
                "table",
            ),
            make.html_destination(
                "REPORT",
                tr("Report"),
                tr(
                    "What was done, how far points moved and what the mask does not protect, with "
                    "maps of the originals."
                ),
            ),
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The report's figures for programs.")
            ),
        ):
            self.addParameter(parameter)
        self.add_numbers(
            COUNT=tr("Points masked"),
            SINGLETONS=tr("Singletons"),
            PAIRED=tr("Paired points"),
            UNMOVED=tr("Points that did not move"),
            MEDIAN_SHIFT=tr("Median shift (metres)"),
        )
        self.add_decision(limited=False)

    def execute(self, parameters, context, feedback, outputs):
        """Read, mask, write, report."""
        progress = core_progress(feedback)
        source = self.source(parameters, "INPUT", context)
        asked_for = self.field_names(parameters, "FIELDS", context, source)
        id_fields = self.field_names(parameters, "ID_FIELD", context, source)
        withhold = self.source(parameters, withholding.SOURCE, context)
        at_risk = None if withhold is None else keys.read_key(withhold, may_be_empty=True)
        table = read_points(
            source,
            context,
            part(progress, 0, 0.16),
            [
                *(asked_for or source.fields().names()),
                *id_fields,
                *withholding.fields_needed(at_risk, source),
            ],
        )
        withheld = ""
        if at_risk is not None:
            table, withheld = withholding.without(
                table, at_risk, source, context, part(progress, 0.16, 0.17)
            )
            feedback.pushInfo(withheld)
        id_field = id_fields[0] if id_fields else None
        originals = keys.originals_of(table, id_field)
        choice = attributes.choose(
            table,
            asked_for,
            id_field,
            source.fields().names(),
            progress=part(progress, 0.17, 0.2),
        )
        self.tell_left_out(table, feedback)

        plane = planes.plane_of(table.xy, table.crs)
        original = plane.forward(table.xy, part(progress, 0.2, 0.25))
        mask = voronoi_mask(original, part(progress, 0.25, 0.4))
        shift = plane.ground_distance(original, mask.xy, part(progress, 0.4, 0.45))
        west = unrolled.western_end(plane, table.xy)
        released = unrolled.stored_places(mask.xy, plane, west, part(progress, 0.45, 0.5))
        masking = story.Masking(
            source.sourceName(),
            mask,
            shift,
            planes.unit(table.crs),
            planes.describe(plane, table.crs),
            choice,
            table.left_out,
            self.parameterAsBool(parameters, "SHUFFLE", context),
            named_output(self, parameters, "OUTPUT", context),
            named_output(self, parameters, "KEY", context),
            withheld,
        )
        self._tell(masking, feedback)
        outputs.conclude(not_tested("address_list", "whose_place"), story.steps(masking))

        # Row i of the release is row order[i] of the originals.
        count = len(table)
        order = np.random.default_rng().permutation(count) if masking.shuffled else np.arange(count)
        ids = np.arange(1, count + 1)
        kinds = _KINDS[mask.kind[order]]
        named = originals.taken(order)
        writing = shares(part(progress, 0.5, 0.9), 4)
        outputs.add_points(
            "OUTPUT",
            released[order],
            [
                make_field(keys.RELEASED, "long"),
                *(table.fields.field(name) for name in choice.kept),
            ],
            [ids, *(table.columns[name].taken(order) for name in choice.kept)],
            table.crs,
            next(writing),
            styling.MASKED,
        )
        outputs.add_lines(
            "SHIFTS",
            table.xy[order],
            released[order],
            [
                make_field(keys.RELEASED, "long"),
                named.field,
                make_field("shift_m", "double"),
                make_field("kind", "string"),
            ],
            [ids, named.ids, shift[order], kinds],
            table.crs,
            next(writing),
            styling.SHIFTS,
        )
        keys.add_key(outputs, keys.RELEASED, ids, named, table.xy[order], table.crs, next(writing))
        if outputs.wanted("CELLS"):
            self._add_cells(outputs, original, table, plane, west, next(writing))
        outputs.add_report(
            lambda: story.report(
                masking, self._pictures(masking, table, released, part(progress, 0.9, 1.0))
            )
        )
        return {
            "COUNT": count,
            "SINGLETONS": mask.count(SINGLETON),
            "PAIRED": mask.count(PAIRED),
            "UNMOVED": mask.count(UNMOVED),
            "MEDIAN_SHIFT": masking.median_shift,
        }

    def _tell(self, masking, feedback) -> None:
        feedback.pushInfo(masking.plane_sentence)
        for sentence in masking.choice.sentences():
            feedback.pushInfo(sentence)
        for sentence in masking.choice.warnings():
            feedback.pushWarning(sentence)
        unmoved = masking.mask.count(UNMOVED)
        if unmoved:
            feedback.pushWarning(story.unmoved_sentence(unmoved))
        if not masking.shuffled:
            feedback.pushWarning(
                tr("The rows keep their order: whoever has the originals' order has the key.")
            )
        if story.near_sentence(masking):
            feedback.pushWarning(story.near_sentence(masking))
        feedback.pushWarning(story.reversible_sentence())

    @staticmethod
    def _add_cells(outputs, original, table, plane, west, progress) -> None:
        cells, of_point = voronoi_cells(original, study_area(original), part(progress, 0.0, 0.4))
        counts = np.bincount(of_point, minlength=len(cells)).tolist()
        # They are made while they are written, so this is the progress of both.
        polygons = unrolled.ring_polygons(cells, plane, west, part(progress, 0.4, 1.0))
        outputs.add_features(
            "CELLS",
            QgsWkbTypes.Type.MultiPolygon,
            [make_field("records", "int")],
            ((unrolled.multipolygon(one), (count,)) for one, count in zip(polygons, counts)),
            table.crs,
            None,
            styling.CELLS,
            len(cells),
        )

    def _pictures(self, masking, table, released, progress):
        from ..maps.pictures import masking_pictures

        return masking_pictures(table.xy, released, masking.mask.kind, table.crs, progress)
