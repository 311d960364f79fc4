# SPDX-License-Identifier: GPL-2.0-or-later
"""What point masks share: they differ in how points move, which is all that each of them adds.

A mask declares its outputs with :func:`outputs` and writes :meth:`MaskingAlgorithm.mask`. It may
read more (population areas, a list of candidates, SEED): ``own_inputs`` declares that, ``mask``
reads it from the run, and ``STEPS`` gives it a share of the bar.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.runtime.progress import Progress
from ...core.space.planes import Plane
from ...core.verdict import not_tested
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm
from ..dialog import parameters
from ..dialog.declaration import Field, Output, Value, private, release, reports
from ..i18n import mark, tr
from ..layers import attributes, keys, planes, unrolled
from ..layers.reading import PointTable
from ..reports import masking as reporting
from ..reports.common import Context
from ..reports.masking import Masking, Story
from ..running import Result, Run
from . import records, withholding

#: The steps of every mask; one that has more says where they stand.
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


def outputs(
    *own: Output, kinds: str = "", numbers: tuple[Value, ...] = ()
) -> tuple[Output | Value, ...]:
    """Declare what every mask puts out, and what one has besides.

    Parameters
    ----------
    *own : Output
        Further layers, private or not.
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


@dataclass(frozen=True)
class Points:
    """What is masked.

    Attributes
    ----------
    table : PointTable
        As it was read; ``table.crs`` is the system of the layer.
    plane : Plane
    xy : (n, 2) array
        The places in the plane, in which a unit is a metre where one is known.
    west : float
        Where the map begins, for what crosses the antimeridian.
    """

    table: PointTable
    plane: Plane
    xy: np.ndarray
    west: float

    def stored(self, xy: np.ndarray, progress: Progress) -> np.ndarray:
        """Return places of the plane as the layer stores its own."""
        return unrolled.stored_places(xy, self.plane, self.west, progress)


@dataclass(frozen=True)
class Masked:
    """What a mask made of points.

    Attributes
    ----------
    xy : (n, 2) array
        In the plane, in the order of the originals.
    story : Story
        What the report tells of this mask.
    numbers : dict
        The mask's own number outputs.
    kinds : (n,) array of str or None
        ``singleton``, ``pair`` or ``unmoved``, where the outputs declare kinds.
    """

    xy: np.ndarray
    story: Story
    numbers: dict[str, Any]
    kinds: np.ndarray | None = None


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
        """Write the mask's own layers."""

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

    def execute(self, run):
        """Read, mask, write, report."""
        source = run.source("INPUT")
        asked = records.Asked.of(run, source)
        table, withheld = asked.read(run, source)
        originals, choice = asked.chosen(table, run.step("attributes"))
        plane = planes.plane_of(table.xy, table.crs)
        xy = plane.forward(table.xy, run.step("project"))
        points = Points(table, plane, xy, unrolled.western_end(plane, table.xy))

        masked = self.mask(points, run)
        plane_said, unit = planes.describe(plane, table.crs), planes.unit(table.crs)
        masking = Masking(
            Context(source.sourceName(), [plane_said], table.left_out, unit, choice),
            self.displayName(),
            plane.ground_distance(xy, masked.xy, run.step("measure")),
            run.flag("SHUFFLE"),
            withheld,
            masked.story,
        )
        run.tell(plane_said, *choice.sentences())
        run.warn(*masking.warnings())
        released = points.stored(masked.xy, run.step("store"))
        self._write(run, points, masked, masking, released, originals)
        self.write_more(points, run)
        numbers = {"COUNT": len(table), **masked.numbers, "MEDIAN_SHIFT": masking.median_shift}

        def report(progress):
            from ..maps.pictures import masking_pictures

            pictures = masking_pictures(table.xy, released, masked.kinds, table.crs, progress)
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
