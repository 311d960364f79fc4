# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:isgprelease."""

from __future__ import annotations

from ...core.distances import isgp
from ...core.distances.files import secret_grid, shared
from ...core.distances.isgp_accuracy import near_accuracy
from ...core.verdict import not_tested
from ...core.verification.maskfile import ISGP, MaskFile
from .. import literature, verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Value, private, release, reports
from ..families import mask_files, records, withholding
from ..families.linkage.adversary import ADVERSARY
from ..i18n import mark, tr
from ..layers import attributes, keys, planes
from ..reports import isgprelease as reporting
from ..reports.common import Context
from ..running import Result, existing

SETS, DISTANCES = "sets", "distances"


class IsgpReleaseAlgorithm(GeoAnonAlgorithm):
    """Release labels of grid points, or the near distances that they give."""

    NAME = "isgprelease"
    DISPLAY_NAME = mark("ISGP release")
    GROUP = "releasedistances"
    REQUIRES = ("scipy",)
    TAGS = mark(
        "privacy, geomask, distance, anonymise, anonymize, grid points, labels, hash, record "
        "linkage, intersecting sets"
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
        release(
            "SHARED",
            mark("Labels or distances"),
            mark("A .csv file with the labels of each record, or the distances of near records."),
            "csv",
            more=mark(
                "METHOD sets: released_id and label, one row for each label of each record. METHOD "
                "distances: released_id, other_id and distance, one row for each pair of records "
                "nearer than two radii; pairs without a row are farther apart."
            ),
        ),
        records.output(mark("The kept attributes without places.")),
        keys.output(keys.RECORD),
        private(
            "GRID",
            mark("Secret grid"),
            mark("For places that come later (GRID_FILE). It undoes the release."),
            "json",
        ),
        mask_files.OUTPUT,
        *reports(mark("How near the distances come to the true ones, and what is to be tested.")),
        Value("N", mark("Records released")),
        Value("PAIRS", mark("Pairs that share a label")),
        Value("ALONE", mark("Records that share a label with nobody")),
        Value("EXPLAINED", mark("Share of the variance of their distances that is explained")),
        Value("ERROR", mark("Usual error of a distance (root mean square)")),
        Value("NEAREST_KEPT", mark("Share of nearest neighbours kept")),
        *verdicts.OUTPUTS,
    )
    STEPS = {"read": 5, "withhold": 1, "attributes": 4, "sets": 40, "compare": 30, "write": 20}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.sensitive_points(tr("Points")),
            *reporting.choices((SETS, DISTANCES)),
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
        made = reporting.grid_of(run, table, rng)
        xy = made.plane.forward(table.xy)
        sets = isgp.label_sets(xy, made.grid, run.step("sets"))
        pairs = isgp.shared_pairs(sets, made.radius, run.step("compare"))
        kept = near_accuracy(pairs, xy, made.plane, run.outputs.ask)
        run.tell(planes.describe(made.plane, table.crs), *choice.sentences())
        run.warn(*choice.warnings(), *reporting.warnings(kept))

        method = run.choice("METHOD")
        path, grid = run.outputs.file_path("SHARED"), run.outputs.file_path("GRID")
        with run.outputs.filling("SHARED"):
            if method == SETS:
                shared.write_sets(path, sets, run.outputs.next_share())
            else:
                shared.write_pairs(path, pairs, made.decimals, run.outputs.next_share())
        if grid is not None:
            with run.outputs.filling("GRID"):
                system = planes.wkt(table.crs) or ""
                secret_grid.write_grid(grid, made.grid, made.plane, system)
                run.outputs.next_share()(1.0)
        records.write(run.outputs, table, choice, originals, table.columns)
        if run.outputs.wanted(mask_files.MASK):
            mask_files.write(run.outputs, _mask(made, table.crs, choice.kept, run.outputs))
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


def _mask(made: reporting.Made, crs, attributes, outputs) -> MaskFile:
    """What the mask file holds: nothing of the grid but how dense it is and how far it reaches."""
    known = {"radius": made.radius, "spacing": made.spacing}
    return MaskFile(
        ISGP,
        # Lengths went through the unit of the plane: no digits that nobody gave.
        {name: float(f"{value:.12g}") for name, value in known.items()},
        "geodesic" if crs.isValid() else "planar",
        "m" if crs.isValid() else "units",
        keys.crs_text(crs) or "",
        None,
        tuple(attributes),
        made.decimals,
        10.0**-made.decimals,
        False,
        released=mask_files.released_files(outputs),
    )
