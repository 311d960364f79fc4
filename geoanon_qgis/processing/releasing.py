# SPDX-License-Identifier: GPL-2.0-or-later
"""What the algorithms share that release distances instead of places.

Both read points, make a distance matrix in a new, random order of the records, and write it with
the attributes; they differ in how the distances are made, which is all that they add.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ..compat import make_field
from ..core.distances import files
from ..core.distances.accuracy import Accuracy, Summary, accuracy, summary
from ..core.distances.matrix import DistanceMatrix, condensed_size
from ..core.distances.scaling import draw
from ..core.runtime import memory
from ..core.runtime.errors import InputError
from ..core.runtime.progress import Progress, part, shares
from ..core.space.metrics import Metric
from ..core.verdict import not_tested
from . import styling
from .base import GeoAnonAlgorithm, core_progress
from .dialog import parameters as make
from .dialog.numbers import LARGEST_WHOLE
from .i18n import mark, tr
from .layers import attributes, keys, planes
from .layers.destinations import named_output, resolve
from .layers.reading import PointTable, read_points
from .reports import distance_release as story
from .reports.distances import not_attacked, summary_sentence

#: Names under which formats keep the number of a row.
_ROW_IDS = ("fid", "ogc_fid")
UNITS = {"m": 1.0, "km": 1000.0}
#: Decimals that stand for one metre.
_WHOLE_METRES = {"m": 0, "km": 3}
#: Beyond, doubles do not hold the digits of a distance on the globe.
_MOST_DECIMALS = 6

OUTPUTS_HELP = (
    (
        "MATRIX",
        mark(
            "Release. The distances between the records of OUTPUT, in the same order. A .csv file is "
            "square, with ids in the first row and column. In R: "
            'as.dist(as.matrix(read.csv("matrix.csv", row.names = 1, check.names = FALSE))); in '
            'Python: scipy.spatial.distance.squareform(pandas.read_csv("matrix.csv", '
            "index_col=0)). An .npz file holds each pair once, in the order of squareform and of R's "
            'dist: numpy.load("matrix.npz")["distances"] (with ids and unit). A .parquet file '
            "has a row for each pair: id_1, id_2, distance. The report has the lines for the file "
            "that was written."
        ),
    ),
    (
        "OUTPUT",
        mark(
            "Release. Table without places: released_id (new, in random order) and the kept "
            "attributes."
        ),
    ),
    ("KEY", keys.RECORDS_HELP),
    (
        "KEPT",
        mark(
            "Private. Lines from one record to all others: released_id, distance (true, in the unit of "
            "the matrix), released, ratio (released / true)."
        ),
    ),
    (
        "DRAWN",
        mark(
            "Private. What an attacker could draw from the matrix alone: the records placed by "
            "multidimensional scaling in a plane of their own, with released_id."
        ),
    ),
    (
        "REPORT, JSON",
        mark(
            "Private. What was kept and what was lost, with maps and charts; the same figures for "
            "programs."
        ),
    ),
    ("N", mark("Records released.")),
    ("MEDIAN_RATIO", mark("Median of released / true distance over pairs of records.")),
    ("NEAREST_KEPT", mark("Share of records whose nearest neighbour in the release is right.")),
    ("SPEARMAN", mark("Rank correlation between released and true distances.")),
    (
        "MAX_VIOLATION",
        mark(
            "How much the released distance exceeds the true one, at most, in the unit of the matrix. "
            "0 for a Lipschitz embedding, always."
        ),
    ),
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

    def own_outputs(self) -> list:
        """Return further private outputs."""
        return []

    def bytes_a_record(self, parameters, context) -> float:
        """Return the memory the method needs for each record besides the matrix."""
        return 0.0

    def make(self, task: Task, parameters, context, feedback, progress: Progress) -> Made:
        """Make the distances."""
        raise NotImplementedError

    def write_more(self, task: Task, made: Made, outputs, progress: Progress) -> None:
        """Write the further outputs."""

    # --- what they share ---------------------------------------------------------------------

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        for parameter in (
            make.points(
                "INPUT",
                tr("Points"),
                tr(
                    "The sensitive points, in any coordinate reference system. Multipoints of one "
                    "part are taken; records without a usable place are kept out and counted."
                ),
            ),
            *self.own_parameters(),
            make.metric(),
            attributes.parameter(),
            keys.id_parameter(),
            make.choice(
                "UNIT",
                tr("Unit of the released distances"),
                tr(
                    "Metres or kilometres. A layer without a reference system keeps its own unit: "
                    "choose m for it."
                ),
                list(UNITS),
                "m",
            ),
            make.advanced(
                make.integer(
                    "DECIMALS",
                    tr("Decimals of the released distances"),
                    tr(
                        "Leave empty for steps of one metre. Negative numbers round to tens, hundreds and "
                        "so on. Fewer digits tell an attacker less."
                    ),
                    None,
                    -6,
                    _MOST_DECIMALS,
                    optional=True,
                )
            ),
            make.advanced(
                make.integer(
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
                )
            ),
            make.seed(),
            make.release_matrix(
                "MATRIX",
                tr("Distance matrix"),
                tr(
                    "Release: a .csv file (square, with ids), an .npz file (NumPy, half the size) or a "
                    ".parquet file (one row a pair; needs the package pyarrow)."
                ),
            ),
            make.release_sink(
                "OUTPUT",
                tr("Records"),
                tr("Release: the kept attributes without places, in the order of the matrix."),
                "table",
            ),
            make.private_sink(
                "KEY",
                tr("Key"),
                tr("Table that leads from the released id back to the original, its id and place."),
                "table",
            ),
            *self.own_outputs(),
            make.private_sink(
                "KEPT",
                tr("Distance kept"),
                tr("Lines from one record to all others, coloured by released / true distance."),
            ),
            make.private_sink(
                "DRAWN",
                tr("What the matrix draws"),
                tr(
                    "The records as multidimensional scaling places them, from the matrix alone, in a "
                    "plane without a reference system: what an attacker could draw."
                ),
                "point",
            ),
            make.html_destination(
                "REPORT",
                tr("Report"),
                tr("What was kept and what was lost, with maps of the originals."),
            ),
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The report's figures for programs.")
            ),
        ):
            self.addParameter(parameter)
        self.add_numbers(
            N=tr("Records released"),
            MEDIAN_RATIO=tr("Median of released / true distance"),
            NEAREST_KEPT=tr("Share of nearest neighbours kept"),
            SPEARMAN=tr("Rank correlation of distances"),
            MAX_VIOLATION=tr("Largest excess over the true distance"),
        )
        self.add_decision(limited=False)

    def check(self, parameters, context):
        """Check the ending of the matrix's file, before anything is read."""
        target = resolve(self, parameters, "MATRIX", context)
        ending = target.path.suffix.lower() if target and target.path else ".csv"
        if ending not in files.WRITTEN:
            return tr(
                "The matrix cannot be written to a file that ends with “{ending}”. Give it one of "
                "the endings .csv, .npz and .parquet."
            ).format(ending=ending)
        return None

    def execute(self, parameters, context, feedback, outputs):
        """Read, make the distances, write, report."""
        progress = core_progress(feedback)
        source = self.source(parameters, "INPUT", context)
        asked_for = self.field_names(parameters, "FIELDS", context, source)
        id_field = next(iter(self.field_names(parameters, "ID_FIELD", context, source)), None)
        _refuse_taken_name([one for one in asked_for if one != id_field])
        table = read_points(
            source,
            context,
            part(progress, 0, 0.03),
            [*(asked_for or source.fields().names()), *([id_field] if id_field else [])],
        )
        self.tell_left_out(table, feedback)
        self.require_points(table, 2)
        task = self._task(parameters, context, table, feedback)
        originals = keys.originals_of(task.table, id_field)
        choice = attributes.choose(
            task.table,
            asked_for,
            id_field,
            source.fields().names(),
            progress=part(progress, 0.03, 0.05),
        )
        path = outputs.file_path("MATRIX")
        self._refuse_what_does_not_fit(parameters, context, task, path)
        start = None
        if outputs.wanted("KEPT"):  # a record that is not there is refused before the work
            start = self._chosen_record(parameters, context, task)

        made = self.make(task, parameters, context, feedback, part(progress, 0.05, 0.4))
        matrix = DistanceMatrix.numbered(made.condensed, task.unit)
        for sentence in [*task.sentences[:1], *made.sentences, *choice.sentences()]:
            feedback.pushInfo(sentence)
        for sentence in [*task.sentences[1:], *made.warnings, *choice.warnings()]:
            feedback.pushWarning(sentence)
        outputs.conclude(
            not_tested("file_with_places", "which_record"),
            story.steps(
                self._attack(parameters, context, task, made), choice.kept, made.other_attack
            ),
            [not_attacked()],
        )

        reported = outputs.wanted("REPORT") or outputs.wanted("JSON")
        judge = accuracy if reported else summary
        judged = judge(
            task.table.xy,
            task.metric,
            matrix,
            task.rng,
            part(progress, 0.4, 0.65),
            unit_length=task.factor,
        )
        kept = judged.summary if isinstance(judged, Accuracy) else judged
        feedback.pushInfo(summary_sentence(kept))

        with outputs.filling("MATRIX"):
            files.write_matrix(path, matrix, task.decimals, part(progress, 0.65, 0.75))
        self._write(outputs, task, choice, originals, matrix, start, part(progress, 0.75, 0.8))
        self.write_more(task, made, outputs, part(progress, 0.8, 0.82))
        drawing = None
        if reported or outputs.wanted("DRAWN"):
            drawing = draw(matrix, part(progress, 0.82, 0.92))
            outputs.add_points(
                "DRAWN",
                drawing.xy,
                [make_field(keys.RECORD, "long")],
                [np.arange(1, len(matrix) + 1)],
                QgsCoordinateReferenceSystem(),
                part(progress, 0.92, 0.93),
                styling.DRAWN,
            )
        outputs.add_report(
            lambda: self._report(
                source,
                task,
                made,
                matrix,
                judged,
                drawing,
                choice,
                table,
                path,
                part(progress, 0.93, 1.0),
            )
        )
        return _numbers(kept)

    def _attack(self, parameters, context, task: Task, made: Made) -> str:
        """The attack on this release: its parameters, filled in as far as they are known."""
        given = {
            "TARGET": named_output(self, parameters, "OUTPUT", context),
            "MATRIX": named_output(self, parameters, "MATRIX", context),
            "TRUTH": named_output(self, parameters, "KEY", context),
            "UNIT": task.unit if task.unit in UNITS else "",
            "METRIC": task.metric.name,
            **made.attack,
        }
        return ", ".join(f"{name}={value}" for name, value in given.items() if value != "")

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
        from ..core.distances.scaling import procrustes
        from .maps.pictures import distance_pictures, drawing_pictures, reference_pictures

        xy, crs = task.table.xy, task.table.crs
        centre = central_record(task)
        ratio = kept_from(task, matrix, centre)[2]
        pictures = distance_pictures(xy, crs, centre, ratio, part(progress, 0, 0.4))
        onto = planes.plane_of(xy, crs).forward(xy)
        drawn, off = procrustes(drawing.xy, onto)
        pictures += drawing_pictures(xy, crs, drawn, part(progress, 0.4, 0.8))
        if made.reference_sets is not None:
            pictures += reference_pictures(
                xy, crs, made.reference_sets, made.rings, part(progress, 0.8, 1.0)
            )
        spread = float(np.sqrt(onto.var(axis=0).sum()))
        return story.report(
            story.Release(
                self.displayName(),
                source.sourceName(),
                made.settings,
                made.warnings,
                judged,
                task.sentences,
                made.method,
                choice,
                table.left_out,
                path.suffix.lower(),
                off / spread if spread else float("nan"),
                drawing.method,
            ),
            pictures,
        )

    def _task(self, parameters, context, table: PointTable, feedback) -> Task:
        """Shuffle the records and choose how distances are measured and told."""
        name = self.parameterAsEnumString(parameters, "METRIC", context)
        metric, said = planes.measure(name, table.xy, table.crs)
        unit = self.parameterAsEnumString(parameters, "UNIT", context)
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
            factor = UNITS[unit]
        decimals = self.optional_integer(parameters, "DECIMALS", context)
        if decimals is None:
            decimals = _WHOLE_METRES.get(unit, 3)
        rng = np.random.default_rng(self.optional_integer(parameters, "SEED", context))
        shuffled = table.taken(rng.permutation(len(table)))
        return Task(
            shuffled, metric, said, metric.coordinates(shuffled.xy), unit, factor, decimals, rng
        )

    def _refuse_what_does_not_fit(self, parameters, context, task: Task, path: Path) -> None:
        count = len(task.table)
        advice = tr("Release fewer records.")
        what, purpose = refuse_unless_matrix_fits(
            count, self.bytes_a_record(parameters, context), advice
        )
        # No two records are farther apart than the box round all of them.
        corners = np.stack([task.points.min(axis=0), task.points.max(axis=0)])
        largest = float(task.metric.between(corners[:1], corners[1:])[0]) / task.factor
        size = files.estimated_size(count, task.decimals, 2 * largest, path.suffix.lower())
        memory.refuse_unless_fits_disk(size, path, what, purpose, advice)

    def _write(self, outputs, task: Task, choice, originals, matrix, start, progress) -> None:
        table, count, writing = task.table, len(task.table), shares(progress, 3)
        ids = np.arange(1, count + 1)
        outputs.add_table(
            "OUTPUT",
            [make_field(keys.RECORD, "long"), *(table.fields.field(one) for one in choice.kept)],
            [ids, *(table.columns[one] for one in choice.kept)],
            next(writing),
            styling.RECORDS,
        )
        keys.add_key(outputs, keys.RECORD, ids, originals, table.xy, table.crs, next(writing))
        if start is not None:
            true, released, ratio = kept_from(task, matrix, start)
            others = np.flatnonzero(ids != ids[start])
            outputs.add_lines(
                "KEPT",
                np.repeat(table.xy[[start]], len(others), axis=0),
                table.xy[others],
                [
                    make_field(keys.RECORD, "long"),
                    make_field("distance", "double"),
                    make_field("released", "double"),
                    make_field("ratio", "double"),
                ],
                [ids[others], true[others], released[others], ratio[others]],
                table.crs,
                next(writing),
                styling.DISTANCE_KEPT,
            )

    def _chosen_record(self, parameters, context, task: Task) -> int:
        wanted = self.optional_integer(parameters, "RECORD", context)
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
