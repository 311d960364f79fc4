# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:isgprelease."""

from __future__ import annotations

from ...core.distances import isgp
from ...core.distances.isgp_accuracy import near_accuracy
from ...core.verdict import not_tested
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Value, reports
from ..families import isgp as grids
from ..families import mask_files, records, withholding
from ..families.linkage.adversary import ADVERSARY
from ..i18n import mark, tr
from ..layers import attributes, keys, planes
from ..reports import isgprelease as reporting
from ..reports.common import Context
from ..running import Result, existing


class IsgpReleaseAlgorithm(GeoAnonAlgorithm):
    """Release labels of grid points, or the near distances that they give."""

    NAME = "isgprelease"
    DISPLAY_NAME = mark("ISGP release")
    GROUP = "releasedistances"
    REQUIRES = ("scipy",)
    TAGS = mark(
        "privacy, distance, anonymise, anonymize, grid points, labels, hash, record linkage, "
        "intersecting sets, confidential, patients, deidentify, de-identify, pseudonymize, "
        "pseudonymise, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Releases records without places, with secret labels of the grid points round them, or "
        "the near distances that shared labels give."
    )
    HELP = Help(
        what=mark(
            "A grid of points is laid over the map, shifted and turned at random, and every grid "
            "point gets a random label. A record is released with the labels of all grid points "
            "within RADIUS of it (METHOD sets). How many labels two records share tells how far "
            "apart they are: the area that two discs have in common, turned round. Records that "
            "share no label are two radii apart or farther, and nothing more is told of them. "
            "METHOD distances releases only the distances that come out of it.\n\n"
            "With the private grid of an earlier release (GRID_FILE), places that come later get "
            "labels that fit: the distance of two records can be had although their places were "
            "never in one file."
        ),
        when=mark(
            "When distances up to a limit are enough, such as for neighbours or the way to the "
            "nearest hospital, and records come at different times."
        ),
        cautions=(
            mark(
                "Near distances are nearly exact, and an adversary who knows people links them by "
                "exactly these. GeoAnon's attacks find known people in such releases where several "
                "of them live within two radii of each other. Attack yours before you release it."
            ),
            mark(
                "Label sets tell more than distances: records that share labels can be drawn as "
                "maps of whole neighbourhoods, and the same place has the same labels in every "
                "release with the same grid."
            ),
            mark(
                "The grid is secret for ever: whoever has it, or the seed, can tell where every "
                "label is, and so where everybody lives."
            ),
            mark(
                "The published figures are of accuracy only, and no published attack on such sets is "
                "known to us: what is said here of attacks was measured by GeoAnon."
            ),
        ),
        sources=(literature.ISGP,),
    )
    OUTPUTS = (
        grids.SHARED,
        records.output(mark("The kept attributes without places.")),
        keys.output(keys.RECORD),
        grids.GRID,
        mask_files.OUTPUT,
        *reports(mark("How near the distances come to the true ones, and what is to be tested.")),
        Value("N", mark("Records released")),
        *reporting.NUMBERS,
        *verdicts.OUTPUTS,
    )
    STEPS = {"read": 5, "withhold": 1, "attributes": 4, "sets": 40, "compare": 30, "write": 20}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.sensitive_points(tr("Points")),
            *grids.choices(),
            attributes.parameter(),
            keys.id_parameter(),
            withholding.source(),
            parameters.seed(),
        ]

    def check(self, given):
        """A radius is a positive length."""
        radius = given.number("RADIUS")
        if radius is not None and not radius > 0:
            return tr("The radius must be a positive distance in metres.")
        return None

    def execute(self, run):
        """Read, draw the grid, label, compare, write."""
        source = run.source("INPUT")
        asked = records.Asked.of(run, source)
        asked.refuse_taken_name()
        table, withheld = asked.read(run, source, least=2)
        rng = run.rng()
        left_out, table = table.left_out, table.taken(rng.permutation(len(table)))
        originals, choice = asked.chosen(table, run.step("attributes"))
        made = grids.grid_of(run, table, rng)
        xy = made.plane.forward(table.xy)
        sets = isgp.label_sets(xy, made.grid, run.step("sets"))
        pairs = isgp.shared_pairs(sets, made.radius, run.step("compare"))
        kept = near_accuracy(pairs, xy, made.plane, run.outputs.ask)
        run.tell(planes.describe(made.plane, table.crs), *choice.sentences())
        run.warn(*choice.warnings(), *reporting.warnings(kept))

        method = run.choice("METHOD")
        grids.write(run.outputs, made, table.crs, sets if method == grids.SETS else pairs)
        records.write(run.outputs, table, choice, originals, table.columns)
        grids.write_mask(run.outputs, made, table.crs, choice.kept)
        about = Context(
            source.sourceName(),
            [planes.describe(made.plane, table.crs)],
            left_out,
            planes.unit(table.crs),
            choice,
            reporting.warnings(kept),
            [*made.settings(method), *([(tr("Withheld"), withheld)] if withheld else [])],
        )
        return Result(
            {"N": len(table), **existing(reporting.numbers(kept))},
            not_tested(*ADVERSARY),
            reporting.steps(run, made, choice.kept),
            report=lambda progress: reporting.report(about, self.displayName(), sets, kept),
        )
