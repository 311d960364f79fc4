# SPDX-License-Identifier: GPL-2.0-or-later
"""What point masks share: they differ in how points move, which is all that each of them adds.

A mask declares its outputs with :func:`outputs` and writes :meth:`MaskingAlgorithm.mask`. It may
read more (population areas, a list of candidates, SEED): ``own_inputs`` declares that, ``mask``
reads it from the run, and ``STEPS`` gives it a share of the bar. Masks whose draws are kept from
one release to the next derive from :mod:`.kept_masking`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core.masking.secretfile import SecretFile
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from ...core.space.planes import Plane
from ...core.verdict import not_tested
from ...core.verification import pointmask
from ...core.verification.pointmask import UsedLayer
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm
from ..dialog import parameters
from ..dialog.declaration import Field, Output, Value, private, release, reports
from ..i18n import mark, number_of, tr
from ..layers import attributes, keys, planes, unrolled
from ..layers.reading import PointTable
from ..reports import masking as reporting
from ..reports.common import Context
from ..reports.masking import Masking, Story
from ..running import Result, Run
from . import records, withholding

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
    west : float or None
        Where the map begins, for what crosses the antimeridian.
    secret : SecretFile or None
        Of masks whose draws are kept.
    closest : float or None
        Metres between the two places that are nearest to each other, where that was looked for.
    """

    table: PointTable
    plane: Plane
    xy: np.ndarray
    west: float | None
    secret: SecretFile | None = None
    closest: float | None = None

    @classmethod
    def of(
        cls, table: PointTable, plane: Plane, progress: Progress, secret: SecretFile | None = None
    ) -> Points:
        """Return what was read, in a plane."""
        xy = plane.forward(table.xy, progress)
        return cls(table, plane, xy, unrolled.western_end(plane, table.xy), secret)

    def stored(self, xy: np.ndarray, progress: Progress) -> np.ndarray:
        """Return places of the plane as the layer stores its own."""
        return unrolled.stored_places(xy, self.plane, self.west, progress)

    def taken(self, rows: np.ndarray) -> Points:
        """Return some of them."""
        return replace(self, table=self.table.taken(rows), xy=self.xy[rows])


@dataclass(frozen=True)
class Withheld:
    """Records that a mask cannot move: they are kept out of the release, and counted.

    Attributes
    ----------
    kind : (n,) int array
        0 for what is released, else the number of a reason.
    reasons : sequence of (str, str)
        From number 1 on: a word for tables and files, the same in all languages, and what is
        said after “3 records are withheld:”, translated, which says what to do.
    """

    kind: np.ndarray
    reasons: Sequence[tuple[str, str]]

    @property
    def counts(self) -> list[int]:
        """How many for each reason."""
        return np.bincount(self.kind, minlength=len(self.reasons) + 1)[1:].tolist()

    def sentences(self) -> list[str]:
        """Say of each reason that there is how many are withheld for it, and what to do."""
        return [
            tr("{records} withheld: {why}").format(
                records=number_of(count, "record is", "records are"), why=sentence
            )
            for count, (_, sentence) in zip(self.counts, self.reasons)
            if count
        ]


@dataclass(frozen=True)
class Way:
    """How a mask moved points, for its mask file.

    Attributes
    ----------
    law : str
    parameters : dict
        As the algorithm has them.
    layers : sequence of UsedLayer
        Public layers that were used.
    drawn : bool
        Whether anything was drawn by the secret; a centre is the same without it.
    stays : bool
        Whether the secret file keeps where places of earlier releases were put, so that other
        parameters or layers move none of them.
    """

    law: str
    parameters: dict[str, pointmask.Value]
    layers: Sequence[UsedLayer] = ()
    drawn: bool = True
    stays: bool = False


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
    withheld : Withheld or None
        What of them cannot be released, for masks that write WITHHELD.
    way : Way or None
        For masks that write MASK.
    kept : callable or None
        Adds to a secret file what else the next release needs, such as groups of records.
    support : callable or None
        For masks that write SUPPORT: rings of the plane, counter-clockwise and not closed, within
        which the points of some rows could have gone.
    possible : callable or None
        Places of the plane, (m, 2), to which the point of a row could have gone, for a picture:
        drawn anew, never with the numbers that moved it.
    earlier : (n,) bool array or None
        Who stays where other public layers than those of now have put him, which cannot explain
        it then; for masks that keep where places were put.
    """

    xy: np.ndarray
    story: Story
    numbers: dict[str, Any]
    kinds: np.ndarray | None = None
    withheld: Withheld | None = None
    way: Way | None = None
    kept: Callable[[SecretFile], SecretFile] | None = None
    support: Callable[[np.ndarray], Sequence[np.ndarray]] | None = None
    possible: Callable[[int], np.ndarray] | None = None
    earlier: np.ndarray | None = None

    @property
    def of_now(self) -> np.ndarray:
        """Whether the public layers of now explain where each is put, (n,)."""
        return np.ones(len(self.xy), dtype=bool) if self.earlier is None else ~self.earlier

    def taken(self, rows: np.ndarray) -> Masked:
        """Return some of the points."""
        kinds = None if self.kinds is None else self.kinds[rows]
        earlier = None if self.earlier is None else self.earlier[rows]
        asked = self.possible
        possible = None if asked is None else (lambda row: asked(int(rows[row])))
        xy = self.xy[rows]
        return replace(self, xy=xy, kinds=kinds, possible=possible, earlier=earlier)


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
            from ..maps.pictures import masking_pictures

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
