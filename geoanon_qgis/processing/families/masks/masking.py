# SPDX-License-Identifier: GPL-2.0-or-later
"""What point masks share: they differ in how points move, which is all that each of them adds.

A mask declares its outputs with :func:`outputs` and writes :meth:`MaskingAlgorithm.mask`. It may
read more (population areas, a list of candidates, SEED): ``own_inputs`` declares that, ``mask``
reads it from the run, and ``STEPS`` gives it a share of the bar. Masks whose draws are kept from
one release to the next derive from :mod:`.kept_masking`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....core.runtime.errors import InputError
from ....core.verdict import not_tested
from ... import styling, verdicts
from ...base import GeoAnonAlgorithm
from ...dialog import parameters
from ...dialog.declaration import Field, Output, Value, private, release, reports
from ...i18n import mark, tr
from ...layers import attributes, keys, planes
from ...layers.reading import PointTable
from ...reports import masking as reporting
from ...reports.common import Context
from ...reports.masking import Masking
from ...running import Result, Run
from .. import records, withholding
from .masked import Masked, Points

#: The steps of every mask; one that has more adds them by :func:`steps`.
STEPS = {
    "read": 16,
    "withhold": 1,
    "project": 5,
    "mask": 15,
    "attributes": 3,
    "measure": 5,
    "store": 5,
    "write": 40,
    "report": 10,
}


def steps(**own: int) -> dict[str, int]:
    """Return the steps of a mask that reads or finds something more right before it masks."""
    names = list(STEPS)
    at = names.index("mask")
    return {
        **{name: STEPS[name] for name in names[:at]},
        **own,
        **{name: STEPS[name] for name in names[at:]},
    }


def outputs(
    *own: Output, kinds: str = "", numbers: tuple[Value, ...] = ()
) -> tuple[Output | Value, ...]:
    """Declare what every mask puts out, and what one has besides.

    Parameters
    ----------
    *own : Output
        Further layers and files, private or not.
    kinds : str
        What the kinds of points are, for a mask that tells them apart.
    numbers : tuple of Value
    """
    shifts = [
        Field(keys.RELEASED, "long"),
        Field(keys.ORIGINAL, "long"),
        Field("shift_m", "double", mark("metres on the ground")),
        *([Field("kind", "string", kinds)] if kinds else []),
    ]
    return (
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
            shifts,
            role=styling.SHIFTS if kinds else styling.MOVES,
        ),
        *own,
        keys.output(keys.RELEASED),
        *reports(
            mark(
                "What was done, how far points moved and what the mask does not protect, with maps "
                "of the originals."
            )
        ),
        Value("COUNT", mark("Points masked")),
        *numbers,
        Value(
            "MEDIAN_SHIFT",
            mark("Median shift (metres)"),
            mark("Median distance moved, in metres on the ground."),
        ),
        *verdicts.OUTPUTS,
    )


class MaskingAlgorithm(GeoAnonAlgorithm):
    """Base of the point masks; subclasses say how points move."""

    GROUP = "maskpoints"
    REQUIRES = ("scipy",)
    OUTPUTS = outputs()
    STEPS = STEPS

    # --- what subclasses write ---------------------------------------------------------------

    def own_inputs(self) -> list:
        """Return the parameters of the mask, which stand after the points."""
        return []

    def mask(self, points: Points, run: Run) -> Masked:
        """Move the points."""
        raise NotImplementedError

    def write_more(self, points: Points, run: Run) -> None:
        """Write the mask's own layers, of what is released."""

    def write_private(
        self, points: Points, masked: Masked, attributes: Sequence[str], run: Run
    ) -> None:
        """Write what tells of all records, also of those withheld, and how they moved."""

    # --- what they share -----------------------------------------------------------------------

    def inputs(self):
        """Return what is read."""
        return [
            parameters.sensitive_points(tr("Points to mask")),
            *self.own_inputs(),
            attributes.parameter(),
            keys.id_parameter(),
            withholding.source(),
            parameters.boolean(
                "SHUFFLE",
                tr("Shuffle the rows"),
                tr(
                    "Release the rows in random order. Without it the order of the rows tells "
                    "which record is which."
                ),
                True,
                advanced=True,
            ),
        ]

    def placed(self, table: PointTable, run: Run) -> Points:
        """Return the points in the plane that they are moved in."""
        return Points.of(table, planes.plane_of(table.xy, table.crs), run.step("project"))

    def execute(self, run):
        """Read, mask, write, report."""
        source = run.source("INPUT")
        asked = records.Asked.of(run, source)
        table, left_out = asked.read(run, source)
        keys.originals_of(table, asked.id_field)  # what is wrong with ids is said before the work
        read = self.placed(table, run)
        plane = read.plane

        of_all = self.mask(read, run)
        points, masked = _released(read, of_all)
        originals, choice = asked.chosen(points.table, run.step("attributes"))
        plane_said, unit = planes.describe(plane, table.crs), planes.unit(table.crs)
        withheld = [] if of_all.withheld is None else of_all.withheld.sentences()
        masking = Masking(
            Context(source.sourceName(), [plane_said], table.left_out, unit, choice),
            self.displayName(),
            plane.ground_distance(points.xy, masked.xy, run.step("measure")),
            run.flag("SHUFFLE"),
            " ".join(filter(None, [left_out, *withheld])),
            masked.story,
            int(np.count_nonzero(~masked.of_now)),
        )
        run.tell(plane_said, *choice.sentences())
        run.warn(*withheld, *masking.warnings())
        released = points.stored(masked.xy, run.step("store"))
        self._write(run, points, masked, masking, released, originals)
        self.write_more(points, run)
        self.write_private(read, of_all, choice.kept, run)
        numbers = {"COUNT": len(points.xy), **masked.numbers, "MEDIAN_SHIFT": masking.median_shift}

        def report(progress):
            from ...maps.pictures import masking_pictures

            example = _example(masked, masking.shift)
            if example is not None:
                row, places = example
                example = row, points.stored(places, run.outputs.ask)
            pictures = masking_pictures(
                points.table.xy, released, masked.kinds, table.crs, progress, example
            )
            return reporting.report(masking, pictures)

        verdict = not_tested("address_list", "whose_place")
        return Result(numbers, verdict, masked.story.steps, report=report)

    @staticmethod
    def _write(run, points: Points, masked: Masked, masking: Masking, released, originals) -> None:
        """Write the masked points, the shifts and the key, all in the order of the release."""
        table, count = points.table, len(points.table)
        # Row i of the release is row order[i] of the originals. The order is no part of the
        # mask: it is drawn anew in every run, whatever SEED says.
        order = np.arange(count)
        if masking.shuffled:
            order = np.random.default_rng().permutation(count)
        ids, named, kept = (
            np.arange(1, count + 1),
            originals.taken(order),
            masking.about.choice.kept,
        )
        run.outputs.add_points(
            "OUTPUT",
            released[order],
            [keys.RELEASED, *(table.fields.field(name) for name in kept)],
            [ids, *(table.columns[name].taken(order) for name in kept)],
            table.crs,
        )
        fields = [keys.RELEASED, named.field, "shift_m"]
        columns = [ids, named.ids, masking.shift[order]]
        if masked.kinds is not None:
            fields.append("kind")
            columns.append(masked.kinds[order])
        run.outputs.add_lines(
            "SHIFTS", table.xy[order], released[order], fields, columns, table.crs
        )
        keys.add_key(run.outputs, keys.RELEASED, ids, named, table.xy[order], table.crs)


def _released(points: Points, masked: Masked) -> tuple[Points, Masked]:
    """What is released of points."""
    if masked.withheld is None or not masked.withheld.kind.any():
        return points, masked
    rows = np.flatnonzero(masked.withheld.kind == 0)
    if not len(rows):
        raise InputError(
            tr("No record can be released. {why}").format(why=" ".join(masked.withheld.sentences()))
        )
    return points.taken(rows), masked.taken(rows)


def _example(masked: Masked, shift: np.ndarray) -> tuple[int, np.ndarray] | None:
    """A point that moved as far as most, and where it could have gone."""
    rows = np.flatnonzero(masked.of_now)
    if masked.possible is None or not len(rows):
        return None
    row = int(rows[np.argsort(shift[rows], kind="stable")[len(rows) // 2]])
    return row, masked.possible(row)
