# SPDX-License-Identifier: GPL-2.0-or-later
"""What the algorithms share that release distances instead of places.

Both read points, make a distance matrix in a new, random order of the records, and write it with
the attributes; they differ in how the distances are made, which is all that they add.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.distances import files
from ...core.distances.accuracy import Accuracy, accuracy, summary
from ...core.distances.matrix import DistanceMatrix
from ...core.distances.scaling import draw, procrustes
from ...core.runtime.progress import Progress, weighted
from ...core.verdict import not_tested
from ...core.verification.maskfile import MaskFile
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm
from ..dialog import parameters
from ..dialog.declaration import Field, Output, Value, private, release, reports
from ..dialog.numbers import LARGEST_WHOLE
from ..i18n import mark, tr
from ..layers import attributes, keys
from ..layers.destinations import resolve
from ..reports import distance_release as reporting
from ..reports.common import Context
from ..reports.distances import not_attacked, summary_sentence
from ..running import Result
from . import exchanging, grouping, mask_files, records, withholding
from .linkage.adversary import ADVERSARY
from .release_task import Made, Task, numbers_of, task_of

#: Beyond, doubles do not hold the digits of a distance on the globe.
_MOST_DECIMALS = 6


class _Fitted(NamedTuple):
    """What the matrix draws, laid on the true places in their plane."""

    xy: np.ndarray
    #: Root mean square distance from them.
    off: float
    method: str


def outputs(*own: Output) -> tuple[Output | Value, ...]:
    """Declare what every release of distances puts out, and what a method has besides."""
    return (
        release(
            "MATRIX",
            mark("Distance matrix"),
            mark(
                "A .csv file (square, with ids), an .npz file (NumPy, half the size) or a .parquet "
                "file (one row a pair; needs the package pyarrow)."
            ),
            "matrix",
            more=mark(
                "The distances between the records of OUTPUT, in the same order. A .csv file is "
                "square, with ids in the first row and column. In R: "
                'as.dist(as.matrix(read.csv("matrix.csv", row.names = 1, check.names = FALSE))); '
                'in Python: scipy.spatial.distance.squareform(pandas.read_csv("matrix.csv", '
                "index_col=0)). An .npz file holds each pair once, in the order of squareform and "
                'of R\'s dist: numpy.load("matrix.npz")["distances"] (with ids and unit). A '
                ".parquet file has a row for each pair: id_1, id_2, distance. The report has the "
                "lines for the file that was written."
            ),
        ),
        records.output(mark("The kept attributes without places, in the order of the matrix.")),
        keys.output(keys.RECORD),
        mask_files.OUTPUT,
        *own,
        private(
            "KEPT",
            mark("Distance kept"),
            mark("Lines from one record to all others, coloured by released / true distance."),
            "line",
            [
                Field(keys.RECORD, "long"),
                Field("distance", "double", mark("true, in the unit of the matrix")),
                Field("released", "double"),
                Field("ratio", "double", mark("released / true")),
            ],
            role=styling.DISTANCE_KEPT,
        ),
        private(
            "DRAWN",
            mark("What the matrix draws"),
            mark(
                "The records as multidimensional scaling places them, from the matrix alone: what an "
                "attacker could draw. It is shifted, turned, reflected and scaled to lie best on the "
                "true places, which an attacker who knows none of them cannot do."
            ),
            "point",
            [
                Field(keys.RECORD, "long"),
                Field("off_m", "double", mark("from the true place")),
            ],
            role=styling.DRAWN,
        ),
        *reports(mark("What was kept and what was lost, with maps of the originals.")),
        Value("N", mark("Records released")),
        Value("MEDIAN_RATIO", mark("Median of released / true distance")),
        Value(
            "NEAREST_KEPT",
            mark("Share of nearest neighbours kept"),
            mark("Share of records whose nearest neighbour in the release is right."),
        ),
        Value("SPEARMAN", mark("Rank correlation of distances")),
        Value(
            "MAX_VIOLATION",
            mark("Largest excess over the true distance"),
            mark(
                "In the unit of the matrix. 0 for a Lipschitz embedding, always, unless noise came "
                "before it."
            ),
        ),
        *verdicts.OUTPUTS,
    )


class DistanceReleaseAlgorithm(GeoAnonAlgorithm):
    """Base of the algorithms that release distances; subclasses say how they are made."""

    GROUP = "releasedistances"
    REQUIRES = ("scipy",)

    # --- what subclasses write ---------------------------------------------------------------

    def own_parameters(self) -> list:
        """Return the parameters of the method, which stand after the points."""
        raise NotImplementedError

    def step(self, given) -> float | None:
        """Return the step of the released distances in the metric's unit, None for none."""
        return None

    def bytes_a_record(self, given) -> float:
        """Return the memory the method needs for each record besides the matrix."""
        return 0.0

    def make(self, task: Task, run, progress: Progress) -> Made:
        """Make the distances."""
        raise NotImplementedError

    def write_more(self, task: Task, made: Made, outputs) -> None:
        """Write the further outputs."""

    # --- what they share ---------------------------------------------------------------------

    STEPS = {
        "read": 3,
        "withhold": 1,
        "attributes": 2,
        "make": 34,
        "judge": 25,
        "draw": 10,
        "write": 18,
        "report": 7,
    }

    def inputs(self):
        """Return what is read."""
        return [
            parameters.sensitive_points(tr("Points")),
            *self.own_parameters(),
            parameters.metric(),
            attributes.parameter(),
            keys.id_parameter(),
            grouping.parameter(),
            *exchanging.inputs(),
            withholding.source(),
            parameters.choice(
                "UNIT",
                tr("Unit of the released distances"),
                tr(
                    "Metres or kilometres. A layer without a reference system keeps its own unit: "
                    "choose m for it."
                ),
                list(parameters.UNITS),
                "m",
            ),
            parameters.integer(
                "DECIMALS",
                tr("Decimals of the released distances"),
                tr(
                    "Leave empty for steps of one metre. Negative numbers round to tens, hundreds "
                    "and so on. Fewer digits tell an attacker less."
                ),
                None,
                -6,
                _MOST_DECIMALS,
                optional=True,
                advanced=True,
            ),
            parameters.integer(
                "RECORD",
                tr("Feature id for “Distance kept”"),
                tr(
                    "The record from which the lines of “Distance kept” start. Leave empty for the "
                    "most central one."
                ),
                None,
                -LARGEST_WHOLE,
                LARGEST_WHOLE,
                optional=True,
                advanced=True,
            ),
            parameters.seed(),
        ]

    def check(self, given):
        """Check the ending of the matrix's file, before anything is read."""
        target = resolve(self, given.parameters, "MATRIX", given.context)
        ending = target.path.suffix.lower() if target and target.path else ".csv"
        if ending not in files.WRITTEN:
            return tr(
                "The matrix cannot be written to a file that ends with “{ending}”. Give it one of "
                "the endings .csv, .npz and .parquet."
            ).format(ending=ending)
        return None

    def execute(self, run):
        """Read, make the distances, write, report."""
        source = run.source("INPUT")
        asked = records.Asked.of(run, source)
        asked.refuse_taken_name()
        groups = grouping.read(run, asked.names, asked.id_field)
        exchange = exchanging.Asked.of(run, source)
        table, withheld = asked.read(run, source, least=2)
        table, grouped = grouping.recoded(table, groups)
        task = task_of(run, table, self.step(run))
        originals, choice = asked.chosen(task.table, run.step("attributes"), exchange.fields)
        exchange.refuse_what_is_not_released(choice.kept)
        path = run.outputs.file_path("MATRIX")
        task.refuse_unless_fits(self.bytes_a_record(run), path)
        start = None
        if run.outputs.wanted("KEPT"):  # a record that is not there is refused before the work
            start = task.record(run.number("RECORD"))

        making, exchange_step = weighted(run.step("make"), 30, 4)
        made = self.make(task, run, making)
        exchanged = exchange.made(task, exchange_step)
        matrix = DistanceMatrix.numbered(made.condensed, task.unit)
        run.tell(*task.sentences[:1], *made.sentences, *grouped, *exchanged.told)
        run.tell(*choice.sentences())
        run.warn(*task.sentences[1:], *made.warnings, *exchanged.warnings, *choice.warnings())
        judge = accuracy if run.reported else summary
        compared = (task.table.xy, task.metric, matrix, task.rng, run.step("judge"))
        judged = judge(*compared, unit_length=task.factor)
        kept = judged.summary if isinstance(judged, Accuracy) else judged
        run.tell(summary_sentence(kept))

        drawing = None
        if run.reported or run.outputs.wanted("DRAWN"):
            made_of = draw(matrix, run.step("draw"))
            drawing = _Fitted(*procrustes(made_of.xy, task.flat), made_of.method)
        with run.outputs.filling("MATRIX"):
            files.write_matrix(path, matrix, task.decimals, run.outputs.next_share())
        columns = {**task.table.columns, **exchanged.columns}
        # Nobody is known by values that others have been given.
        linked = [one for one in choice.kept if one not in exchanged.columns]
        records.write(run.outputs, task.table, choice, originals, columns)
        if start is not None:
            self._write_kept(run.outputs, task, matrix, start)
        self.write_more(task, made, run.outputs)
        if run.outputs.wanted(mask_files.MASK):
            mask_files.write(run.outputs, _mask(task, made, linked, groups, exchanged, run.outputs))
        if drawing is not None:
            self._write_drawn(run.outputs, task, drawing)
        about = Context(
            source.sourceName(),
            task.sentences,
            table.left_out,
            choice=choice,
            warnings=[*made.warnings, *exchanged.warnings],
            settings=[
                *made.settings,
                *((tr("Grouped values"), one) for one in grouped),
                *((tr("Exchanged values"), one) for one in exchanged.told),
                *([(tr("Withheld"), withheld)] if withheld else []),
            ],
        )
        return Result(
            {"N": kept.count, **numbers_of(kept)},
            not_tested(*ADVERSARY),
            reporting.steps(self._attack(run, task, made), linked),
            [not_attacked()],
            lambda progress: self._report(
                about, task, made, matrix, judged, drawing, path, progress
            ),
        )

    def _attack(self, given, task: Task, made: Made) -> str:
        """The attack on this release: its parameters, filled in as far as they are known."""
        known = {
            "TARGET": given.place_of("OUTPUT"),
            "MATRIX": given.place_of("MATRIX"),
            "MASK": given.place_of("MASK"),
            "TRUTH": given.place_of("KEY"),
            "UNIT": task.unit if task.unit in parameters.UNITS else "",
            "METRIC": task.metric.name,
            **made.attack,
        }
        return ", ".join(f"{name}={value}" for name, value in known.items() if value != "")

    def _report(self, about, task: Task, made: Made, matrix, judged, drawing, path, progress):
        from ..maps.pictures import distance_pictures, drawing_pictures, reference_pictures

        of_distances, of_drawing, of_references = weighted(progress, 40, 40, 20)
        xy, crs = task.table.xy, task.table.crs
        centre = task.record(None)
        ratio = task.kept_from(matrix, centre)[2]
        plane, onto = task.plane, task.flat
        pictures = distance_pictures(xy, crs, centre, ratio, of_distances, plane=plane)
        pictures += drawing_pictures(xy, crs, drawing.xy, of_drawing, plane)
        if made.reference_sets is not None:
            pictures += reference_pictures(
                xy, crs, made.reference_sets, made.rings, of_references, plane
            )
        spread = float(np.sqrt(onto.var(axis=0).sum()))
        told = reporting.Release(
            about,
            self.displayName(),
            judged,
            made.method,
            path.suffix.lower(),
            drawing.off / spread if spread else float("nan"),
            drawing.method,
        )
        return reporting.report(told, pictures)

    @staticmethod
    def _write_drawn(outputs, task: Task, drawing: _Fitted) -> None:
        ids = np.arange(1, len(task.table) + 1)
        off = task.plane.ground_distance(task.flat, drawing.xy)
        xy = task.plane.inverse(drawing.xy)
        outputs.add_points("DRAWN", xy, None, [ids, off], task.table.crs)

    @staticmethod
    def _write_kept(outputs, task: Task, matrix, start: int) -> None:
        table, ids = task.table, np.arange(1, len(task.table) + 1)
        true, released, ratio = task.kept_from(matrix, start)
        others = np.flatnonzero(ids != ids[start])
        outputs.add_lines(
            "KEPT",
            np.repeat(table.xy[[start]], len(others), axis=0),
            table.xy[others],
            None,
            [ids[others], true[others], released[others], ratio[others]],
            table.crs,
        )


def _mask(task: Task, made: Made, attributes, groups, exchanged, outputs) -> MaskFile:
    """What the mask file holds: nothing that is secret or made of the places."""
    method, known = made.mask
    grouped = {} if groups is None else groups.groups
    return MaskFile(
        method,
        known,
        task.metric.name,
        task.unit,
        keys.crs_text(task.table.crs) or "",
        tuple(made.rings) if made.has_area else None,
        tuple(attributes),
        task.decimals,
        task.multiple * 10.0**-task.decimals * task.factor,
        made.down,
        {name: of for name, of in grouped.items() if name in attributes},
        mask_files.released_files(outputs),
        tuple(exchanged.columns),
    )
