# SPDX-License-Identifier: GPL-2.0-or-later
"""What the algorithms share that release distances instead of places.

Both read points, make a distance matrix in a new, random order of the records, and write it with
the attributes; they differ in how the distances are made, which is all that they add.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.distances import files
from ...core.distances.accuracy import Accuracy, Summary, accuracy, summary
from ...core.distances.matrix import DistanceMatrix, condensed_size
from ...core.distances.scaling import draw
from ...core.runtime import memory
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, weighted
from ...core.space.metrics import Metric
from ...core.verdict import not_tested
from .. import styling, verdicts
from ..base import GeoAnonAlgorithm
from ..dialog import parameters
from ..dialog.declaration import Field, Output, Value, private, release, reports
from ..dialog.numbers import LARGEST_WHOLE
from ..i18n import mark, tr
from ..layers import attributes, keys, planes
from ..layers.destinations import resolve
from ..layers.reading import PointTable
from ..reports import distance_release as reporting
from ..reports.common import Context
from ..reports.distances import not_attacked, summary_sentence
from ..running import Result
from . import withholding
from .linkage.adversary import ADVERSARY

#: Names under which formats keep the number of a row.
_ROW_IDS = ("fid", "ogc_fid")
#: Decimals that stand for one metre.
_WHOLE_METRES = {"m": 0, "km": 3}
#: Beyond, doubles do not hold the digits of a distance on the globe.
_MOST_DECIMALS = 6


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
        release(
            "OUTPUT",
            mark("Records"),
            mark("The kept attributes without places, in the order of the matrix."),
            "table",
            [Field(keys.RECORD, "long", mark("new, in random order"))],
            role=styling.RECORDS,
        ),
        keys.output(keys.RECORD),
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
                "The records as multidimensional scaling places them, from the matrix alone, in a "
                "plane without a reference system: what an attacker could draw."
            ),
            "point",
            [Field(keys.RECORD, "long")],
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
            mark("In the unit of the matrix. 0 for a Lipschitz embedding, always."),
        ),
        *verdicts.OUTPUTS,
    )


@dataclass(frozen=True)
class Made:
    """Distances as a method makes them.

    Attributes
    ----------
    condensed : (n (n - 1) / 2,) array
        In the unit that is released, rounded.
    sentences, warnings : list of str
        For the log and the report.
    settings : list of (str, object)
        Label and value of what the method was told, for the private report.
    method : str
        How it was done, for the report.
    attack : dict of str to object
        Parameters of the linkage attack that tell how the distances were made.
    reference_sets : (d, k, 2) array or None
        In stored coordinates.
    rings : sequence of (m, 2) arrays
        Outline of the area that they were drawn from, in stored coordinates.
    other_attack : str
        Method of the attack to be tried after the one in ``attack``; empty for none.
    """

    condensed: np.ndarray
    sentences: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    settings: list[tuple[str, Any]] = field(default_factory=list)
    method: str = ""
    reference_sets: np.ndarray | None = None
    attack: dict[str, Any] = field(default_factory=dict)
    rings: Sequence[np.ndarray] = ()
    other_attack: str = "clique"


@dataclass(frozen=True)
class Task:
    """What a method works on; rows in the order of the release.

    Attributes
    ----------
    table : PointTable
        Shuffled already.
    metric : Metric
    sentences : list of str
        How distances are measured.
    points : (n, 2) array
        The places in the metric's coordinates.
    unit : str
        Name of the unit that is released.
    factor : float
        Metres (or units of the plane) in one of it.
    decimals : int
    rng : numpy.random.Generator
    """

    table: PointTable
    metric: Metric
    sentences: list[str]
    points: np.ndarray
    unit: str
    factor: float
    decimals: int
    rng: np.random.Generator


class DistanceReleaseAlgorithm(GeoAnonAlgorithm):
    """Base of the algorithms that release distances; subclasses say how they are made."""

    GROUP = "releasedistances"
    REQUIRES = ("scipy",)

    # --- what subclasses write ---------------------------------------------------------------

    def own_parameters(self) -> list:
        """Return the parameters of the method, which stand after the points."""
        raise NotImplementedError

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
            parameters.points(
                "INPUT",
                tr("Points"),
                tr(
                    "The sensitive points, in any coordinate reference system. Multipoints of one "
                    "part are taken; records without a usable place are kept out and counted."
                ),
            ),
            *self.own_parameters(),
            parameters.metric(),
            attributes.parameter(),
            keys.id_parameter(),
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
        asked_for = run.fields("FIELDS", source)
        id_field = run.field("ID_FIELD", source)
        _refuse_taken_name([one for one in asked_for if one != id_field])
        table, withheld = withholding.read_without(
            run,
            source,
            [*(asked_for or source.fields().names()), *([id_field] if id_field else [])],
            least=2,
        )
        task = self._task(run, table)
        originals = keys.originals_of(task.table, id_field)
        choice = attributes.choose(
            task.table,
            asked_for,
            id_field,
            source.fields().names(),
            progress=run.step("attributes"),
        )
        path = run.outputs.file_path("MATRIX")
        self._refuse_what_does_not_fit(run, task, path)
        start = None
        if run.outputs.wanted("KEPT"):  # a record that is not there is refused before the work
            start = self._chosen_record(run, task)

        made = self.make(task, run, run.step("make"))
        if withheld:
            made = replace(made, settings=[*made.settings, (tr("Withheld"), withheld)])
        matrix = DistanceMatrix.numbered(made.condensed, task.unit)
        run.tell(*task.sentences[:1], *made.sentences, *choice.sentences())
        run.warn(*task.sentences[1:], *made.warnings, *choice.warnings())
        judge = accuracy if run.reported else summary
        judged = judge(
            task.table.xy,
            task.metric,
            matrix,
            task.rng,
            run.step("judge"),
            unit_length=task.factor,
        )
        kept = judged.summary if isinstance(judged, Accuracy) else judged
        run.tell(summary_sentence(kept))

        drawing = None
        if run.reported or run.outputs.wanted("DRAWN"):
            drawing = draw(matrix, run.step("draw"))
        with run.outputs.filling("MATRIX"):
            files.write_matrix(path, matrix, task.decimals, run.outputs.next_share())
        self._write(run.outputs, task, choice, originals, matrix, start)
        self.write_more(task, made, run.outputs)
        if drawing is not None:
            ids = [np.arange(1, len(matrix) + 1)]
            nowhere = QgsCoordinateReferenceSystem()
            run.outputs.add_points("DRAWN", drawing.xy, None, ids, nowhere)
        return Result(
            _numbers(kept),
            not_tested(*ADVERSARY),
            reporting.steps(self._attack(run, task, made), choice.kept, made.other_attack),
            [not_attacked()],
            lambda progress: self._report(
                source, task, made, matrix, judged, drawing, choice, table, path, progress
            ),
        )

    def _attack(self, given, task: Task, made: Made) -> str:
        """The attack on this release: its parameters, filled in as far as they are known."""
        known = {
            "TARGET": given.place_of("OUTPUT"),
            "MATRIX": given.place_of("MATRIX"),
            "TRUTH": given.place_of("KEY"),
            "UNIT": task.unit if task.unit in parameters.UNITS else "",
            "METRIC": task.metric.name,
            **made.attack,
        }
        return ", ".join(f"{name}={value}" for name, value in known.items() if value != "")

    def _report(
        self,
        source,
        task: Task,
        made: Made,
        matrix,
        judged,
        drawing,
        choice,
        table,
        path,
        progress: Progress,
    ):
        from ...core.distances.scaling import procrustes
        from ..maps.pictures import distance_pictures, drawing_pictures, reference_pictures

        of_distances, of_drawing, of_references = weighted(progress, 40, 40, 20)
        xy, crs = task.table.xy, task.table.crs
        centre = central_record(task)
        ratio = kept_from(task, matrix, centre)[2]
        pictures = distance_pictures(xy, crs, centre, ratio, of_distances)
        onto = planes.plane_of(xy, crs).forward(xy)
        drawn, off = procrustes(drawing.xy, onto)
        pictures += drawing_pictures(xy, crs, drawn, of_drawing)
        if made.reference_sets is not None:
            pictures += reference_pictures(xy, crs, made.reference_sets, made.rings, of_references)
        spread = float(np.sqrt(onto.var(axis=0).sum()))
        return reporting.report(
            reporting.Release(
                Context(
                    source.sourceName(),
                    task.sentences,
                    table.left_out,
                    choice=choice,
                    warnings=made.warnings,
                    settings=made.settings,
                ),
                self.displayName(),
                judged,
                made.method,
                path.suffix.lower(),
                off / spread if spread else float("nan"),
                drawing.method,
            ),
            pictures,
        )

    def _task(self, run, table: PointTable) -> Task:
        """Shuffle the records and choose how distances are measured and told."""
        name = run.choice("METRIC")
        metric, said = planes.measure(name, table.xy, table.crs)
        unit = run.choice("UNIT")
        if metric.unit != "m":
            if unit != "m":
                raise InputError(
                    tr(
                        "The layer has no coordinate reference system, so its unit is not known to "
                        "be metres and cannot be turned into {unit}. Choose the unit m, which "
                        "leaves the distances as they are, or give the layer its system."
                    ).format(unit=unit)
                )
            unit, factor = metric.unit, 1.0
        else:
            factor = parameters.UNITS[unit]
        decimals = run.number("DECIMALS")
        if decimals is None:
            decimals = _WHOLE_METRES.get(unit, 3)
        rng = run.rng()
        shuffled = table.taken(rng.permutation(len(table)))
        return Task(
            shuffled, metric, said, metric.coordinates(shuffled.xy), unit, factor, decimals, rng
        )

    def _refuse_what_does_not_fit(self, given, task: Task, path: Path) -> None:
        count = len(task.table)
        advice = tr("Release fewer records.")
        what, purpose = refuse_unless_matrix_fits(count, self.bytes_a_record(given), advice)
        # No two records are farther apart than the box round all of them.
        corners = np.stack([task.points.min(axis=0), task.points.max(axis=0)])
        largest = float(task.metric.between(corners[:1], corners[1:])[0]) / task.factor
        size = files.estimated_size(count, task.decimals, 2 * largest, path.suffix.lower())
        memory.refuse_unless_fits_disk(size, path, what, purpose, advice)

    def _write(self, outputs, task: Task, choice, originals, matrix, start) -> None:
        table, ids = task.table, np.arange(1, len(task.table) + 1)
        outputs.add_table(
            "OUTPUT",
            [keys.RECORD, *(table.fields.field(one) for one in choice.kept)],
            [ids, *(table.columns[one] for one in choice.kept)],
        )
        keys.add_key(outputs, keys.RECORD, ids, originals, table.xy, table.crs)
        if start is not None:
            true, released, ratio = kept_from(task, matrix, start)
            others = np.flatnonzero(ids != ids[start])
            outputs.add_lines(
                "KEPT",
                np.repeat(table.xy[[start]], len(others), axis=0),
                table.xy[others],
                None,
                [ids[others], true[others], released[others], ratio[others]],
                table.crs,
            )

    def _chosen_record(self, given, task: Task) -> int:
        wanted = given.number("RECORD")
        if wanted is None:
            return central_record(task)
        found = np.flatnonzero(task.table.ids == wanted)
        if not len(found):
            raise InputError(
                tr(
                    "There is no record with the feature id {id}. Choose another one, or leave it "
                    "empty for the most central record."
                ).format(id=wanted)
            )
        return int(found[0])


def refuse_unless_matrix_fits(count: int, bytes_a_record: float, advice: str) -> tuple[str, str]:
    """Refuse a matrix of so many records, and so much besides, that memory has no room for.

    Returns
    -------
    tuple of str
        What needs room, and what for, for other sentences of the kind.
    """
    what, purpose = tr("{count:,} records").format(count=count), tr("their distance matrix")
    needed = 8 * condensed_size(count) + count * bytes_a_record
    memory.refuse_unless_fits(needed, what, purpose, advice)
    return what, purpose


def _refuse_taken_name(fields: list[str]) -> None:
    taken = [name for name in fields if name.lower() == keys.RECORD]
    if taken:
        raise InputError(
            tr(
                "The release gives its records new ids in a field “{field}”, so the attribute of "
                "that name cannot be released. Rename it, or leave it out of FIELDS."
            ).format(field=taken[0])
        )
    row_ids = [name for name in fields if name.lower() in _ROW_IDS]
    if row_ids:
        raise InputError(
            tr(
                "“{field}” is the number of the row in the original file: it names every record, "
                "and a GeoPackage would put the released rows back into the original order. Leave "
                "it out of FIELDS."
            ).format(field=row_ids[0])
        )


def central_record(task: Task) -> int:
    """Row of the record nearest to the middle (the median x and y) of all."""
    plane = planes.plane_of(task.table.xy, task.table.crs)
    xy = plane.forward(task.table.xy)
    return int(((xy - np.median(xy, axis=0)) ** 2).sum(axis=1).argmin())


def kept_from(
    task: Task, matrix: DistanceMatrix, row: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """True distances from one record, released ones, and their ratio (NaN at distance 0)."""
    true = task.metric.rows(task.points[[row]], task.points)[0] / task.factor
    released = matrix.rows(row, row + 1)[0]
    ratio = np.full(len(true), np.nan)
    np.divide(released, true, out=ratio, where=true > 0)
    return true, released, ratio


def _numbers(kept: Summary) -> dict[str, float]:
    return {
        "N": kept.count,
        "MEDIAN_RATIO": kept.median_ratio,
        "NEAREST_KEPT": kept.nearest_kept,
        "SPEARMAN": kept.spearman,
        "MAX_VIOLATION": kept.max_violation,
    }
