# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:distanceaccuracy."""

from __future__ import annotations

import numpy as np

from ...compat import is_null, make_field
from ...core.distances import files
from ...core.distances.accuracy import accuracy
from ...core.distances.grid import Cell, accuracy_over_grid, averaged
from ...core.distances.matrix import DistanceMatrix
from ...core.runtime.errors import InputError
from ...core.runtime.progress import part
from ...core.verdict import not_tested
from ..base import GeoAnonAlgorithm, Help, core_progress
from ..dialog import parameters as make
from ..families.matching import GUESSED, Other, match, shared_field
from ..i18n import mark, tr
from ..layers import keys, planes
from ..layers.areas import outside_sentence, study_area
from ..layers.reading import read_points
from ..releasing import UNITS, refuse_unless_matrix_fits
from ..reports import distanceaccuracy as story
from ..reports.distances import not_attacked, summary_sentence


class DistanceAccuracyAlgorithm(GeoAnonAlgorithm):
    """Compare released distances with the true ones."""

    NAME = "distanceaccuracy"
    DISPLAY_NAME = mark("Accuracy of released distances")
    GROUP = "releasedistances"
    ICON = "distanceaccuracy"
    TAGS = (
        mark("privacy"),
        mark("geomask"),
        mark("distance matrix"),
        mark("utility"),
        mark("nearest neighbour"),
        mark("clustering"),
        "DBSCAN",
        mark("Moran's I"),
        "Lipschitz",
    )
    SHORT_DESCRIPTION = mark(
        "Tells how well a released distance matrix, or embeddings with given parameters, keep "
        "distances, neighbours and what analyses find."
    )
    HELP = Help(
        what=mark(
            "Two uses. With a released matrix and its private key, this one release is compared "
            "with the true places. Without them, Lipschitz embeddings are made for all "
            "combinations of SETS (d) and SIZE (k), several times each, and the means and their "
            "spread are told.\n\n"
            "Told are: bias and spread of released / true distance by distance, the share of "
            "nearest neighbours that are right, rank correlations over all pairs and from a record "
            "in the middle and one at the border, and whether agglomerative clustering, DBSCAN and "
            "Moran's I say the same on true and on released distances."
        ),
        when=mark(
            "Before a release, to know what researchers can do with it; and to choose parameters "
            "together with “Choose embedding parameters”."
        ),
        outputs=(
            (
                "OUTPUT",
                mark(
                    "Private. One row for each measure: sets, size, repeats (empty for a released "
                    "matrix), measure, lower and upper (the band of true distances, where it is for "
                    "one), value (mean over the repetitions), sd (standard deviation over them)."
                ),
            ),
            ("REPORT, JSON", mark("Private. Charts and tables; the same figures for programs.")),
            (
                "MEDIAN_RATIO",
                mark("Median of released / true distance; of a released matrix only."),
            ),
            (
                "NEAREST_KEPT",
                mark("Share of nearest neighbours that are right; of a released matrix only."),
            ),
            ("SPEARMAN", mark("Rank correlation of distances; of a released matrix only.")),
            (
                "MAX_VIOLATION",
                mark("Largest excess over a true distance; of a released matrix only."),
            ),
            ("SETTINGS", mark("Combinations of parameters that were tried; 0 for a matrix.")),
        ),
        cautions=(
            mark("The results describe the true places. They are for the data holder."),
            mark(
                "More than 2 million pairs are sampled for ranks and ratios, more than 2,000 "
                "records for clustering, DBSCAN and Moran's I; the report says so."
            ),
        ),
        reference=mark(
            "Kroll, M. and Schnell, R. (2016). Anonymisation of geographical distance matrices via "
            "Lipschitz embedding. International Journal of Health Geographics 15, 1 (figure 2 and "
            "appendix)."
        ),
    )
    REQUIRES = ("scipy",)

    def initAlgorithm(self, configuration=None):  # noqa: N802
        """Declare parameters and outputs."""
        for parameter in (
            make.points(
                "INPUT",
                tr("Points"),
                tr("The original points, in any coordinate reference system."),
            ),
            make.matrix_source(
                "MATRIX",
                tr("Released distance matrix"),
                tr(
                    "A .csv, .npz, .npy or .parquet file with ids. Leave empty to try parameters "
                    "instead."
                ),
                optional=True,
            ),
            make.table(
                "KEY",
                tr("Key"),
                tr(
                    "The private key table that was written with the matrix: released_id, "
                    "original_id."
                ),
                optional=True,
            ),
            make.choice(
                "UNIT",
                tr("Unit of the matrix"),
                tr("Of the distances in the file, unless the file itself says so (.npz)."),
                list(UNITS),
                "m",
            ),
            make.numbers(
                "SETS",
                tr("Numbers of reference sets (d) to try"),
                tr("Numbers parted by commas; used without a matrix."),
                "5, 10, 15, 20",
                1,
                whole=True,
            ),
            make.numbers(
                "SIZE",
                tr("Sizes of reference sets (k) to try"),
                tr("Numbers parted by commas; used without a matrix."),
                "5, 20, 35, 50",
                1,
                whole=True,
            ),
            make.integer(
                "REPEATS",
                tr("Repetitions"),
                tr("Embeddings made for each combination."),
                10,
                1,
                10_000,
            ),
            make.area(tr("the reference points"), tr("the convex hull of the points")),
            make.metric(),
            make.fields(
                "ATTRIBUTES",
                tr("Numeric attributes for Moran's I"),
                tr("Leave empty to use smooth random fields that are simulated."),
                "INPUT",
                numeric=True,
            ),
            make.advanced(
                make.integer(
                    "RECORDS",
                    tr("Most records used"),
                    tr(
                        "A random sample of so many records is used where there are more; used without a "
                        "matrix, where embeddings are made again and again."
                    ),
                    1_000,
                    3,
                )
            ),
            make.seed(),
            make.private_sink(
                "OUTPUT",
                tr("Measures"),
                tr("Table with one row for each measure."),
                "table",
                optional=False,
            ),
            make.html_destination(
                "REPORT", tr("Report"), tr("What is kept and what is lost, with charts.")
            ),
            make.json_destination(
                "JSON", tr("Figures of the report"), tr("The report's figures for programs.")
            ),
        ):
            self.addParameter(parameter)
        self.add_numbers(
            MEDIAN_RATIO=tr("Median of released / true distance"),
            NEAREST_KEPT=tr("Share of nearest neighbours kept"),
            SPEARMAN=tr("Rank correlation of distances"),
            MAX_VIOLATION=tr("Largest excess over the true distance"),
            SETTINGS=tr("Combinations tried"),
        )
        self.add_decision(limited=False)

    def check(self, parameters, context):
        """A matrix needs its key."""
        key = parameters.get("KEY")
        if self._has_matrix(parameters, context) != (not is_null(key) and key != ""):
            return tr(
                "A released matrix is compared by its key: give both, or none of them to try "
                "parameters."
            )
        if not self._has_matrix(parameters, context):
            self._grid(parameters, context)
        return None

    def _has_matrix(self, parameters, context) -> bool:
        # A file that was chosen and cleared again is an empty text.
        return bool(self.parameterAsFile(parameters, "MATRIX", context))

    def _grid(self, parameters, context) -> tuple[list[int], list[int]]:
        return tuple(self.listed(parameters, name, context) for name in ("SETS", "SIZE"))

    def execute(self, parameters, context, feedback, outputs):
        """Read, compare or try, write, report."""
        progress = core_progress(feedback)
        source = self.source(parameters, "INPUT", context)
        chosen = self.field_names(parameters, "ATTRIBUTES", context, source)
        key = None
        if self._has_matrix(parameters, context):
            key = keys.read_key(self.source(parameters, "KEY", context))
        shared = shared_field(key, source.fields())
        table = read_points(
            source, context, part(progress, 0, 0.05), [*chosen, *([shared] if shared else [])]
        )
        self.tell_left_out(table, feedback)
        self.require_points(table, 2)
        metric, said = planes.measure(
            self.parameterAsEnumString(parameters, "METRIC", context), table.xy, table.crs
        )
        for sentence in said:
            feedback.pushInfo(sentence)
        rng = np.random.default_rng(self.optional_integer(parameters, "SEED", context))
        common = (table, chosen, metric, rng, part(progress, 0.05, 0.95))
        if key is None:
            judged, results = self._tried(parameters, context, feedback, *common)
        else:
            judged, results = self._released(parameters, context, feedback, key, *common)
        judged = story.Judged(
            source.sourceName(),
            judged,
            said,
            table.left_out,
            results.pop("remarks"),
            metric.unit,
        )
        outputs.conclude(
            not_tested("file_with_places", "which_record"),
            [self._step(parameters, context, source), story.utility_only()],
            [not_attacked()],
        )
        self._write(outputs, judged, part(progress, 0.95, 0.98))
        outputs.add_report(lambda: story.report(judged))
        return results

    def _step(self, parameters, context, source) -> str:
        """The attack to run, with what is known of its parameters here."""
        if not self._has_matrix(parameters, context):
            sets, sizes = (",".join(map(str, values)) for values in self._grid(parameters, context))
            return story.step_before(source.sourceName(), sets, sizes)
        return story.step_after(
            self.parameterAsFile(parameters, "MATRIX", context),
            self.source(parameters, "KEY", context).sourceName(),
            *(self.parameterAsEnumString(parameters, name, context) for name in ("UNIT", "METRIC")),
        )

    def _released(self, parameters, context, feedback, key, table, chosen, metric, rng, progress):
        """Compare one released matrix."""
        path = self.parameterAsFile(parameters, "MATRIX", context)
        matrix = files.read_matrix(path, part(progress, 0, 0.2))
        unit = matrix.unit or self.parameterAsEnumString(parameters, "UNIT", context)
        if metric.unit != "m":
            unit = metric.unit
        elif unit not in UNITS:
            raise InputError(
                tr(
                    "The matrix is in “{unit}”, which is none of the units known ({known}). Write "
                    "it in one of them."
                ).format(unit=unit, known=", ".join(UNITS))
            )
        matrix = DistanceMatrix(matrix.condensed, matrix.ids, unit)
        rows = self._rows(parameters, context, feedback, matrix, key, table)
        xy = table.xy[rows]
        detail = accuracy(
            xy,
            metric,
            matrix,
            rng,
            part(progress, 0.2, 1.0),
            unit_length=UNITS.get(unit, 1.0),
            attributes=_attributes(table.taken(rows), chosen),
        )
        kept = detail.summary
        feedback.pushInfo(summary_sentence(kept))
        return detail, {
            "MEDIAN_RATIO": kept.median_ratio,
            "NEAREST_KEPT": kept.nearest_kept,
            "SPEARMAN": kept.spearman,
            "MAX_VIOLATION": kept.max_violation,
            "SETTINGS": 0,
            "remarks": [],
        }

    def _rows(self, parameters, context, feedback, matrix, key: keys.Key, table) -> np.ndarray:
        """Find the originals in the layer, as scores do: by the key's field, or by place."""
        source = self.source(parameters, "INPUT", context)
        other = Other(source, table.ids.tolist(), table.xy, table.crs, table.columns)
        found = match(key, matrix.ids, other, context)
        if found.way != GUESSED:
            feedback.pushInfo(found.sentence)
        else:
            found.warnings.append(
                tr(
                    "The key has no places. The figures hold for the very layer that the release "
                    "was made from, and for no other."
                )
            )
        for sentence in found.warnings:
            feedback.pushWarning(sentence)
        return rows_of(matrix, found.rows)

    def _tried(self, parameters, context, feedback, table, chosen, metric, rng, progress):
        """Try all combinations of parameters."""
        sets, sizes = self._grid(parameters, context)
        area, sentence, outside = study_area(
            self.source(parameters, "AREA", context),
            table.xy,
            table.crs,
            context,
            part(progress, 0, 0.02),
        )
        remarks = [sentence]
        feedback.pushInfo(sentence)
        if outside:
            feedback.pushWarning(outside_sentence(outside, len(table)))
        most = self.parameterAsInt(parameters, "RECORDS", context)
        table, sample = self.sampled(table, most, rng)
        if sample:
            remarks.append(sample)
            feedback.pushInfo(sample)
        repeats = self.parameterAsInt(parameters, "REPEATS", context)
        refuse_unless_matrix_fits(len(table), 8.0 * max(sets), tr("Lower RECORDS."))
        attributes = _attributes(table, chosen)
        cells: list[Cell] = []
        for cell in accuracy_over_grid(
            table.xy,
            area,
            metric,
            sets,
            sizes,
            repeats,
            rng,
            part(progress, 0.02, 1.0),
            unit=metric.unit,
            attributes=attributes,
        ):
            cells.append(cell)
            feedback.pushInfo(
                tr(
                    "d = {sets}, k = {size}: nearest neighbour right for {nearest:.1f} %, rank "
                    "correlation {rank:.3f}."
                ).format(
                    sets=cell.sets,
                    size=cell.size,
                    nearest=100 * cell.mean("nearest_kept")[0],
                    rank=cell.mean("spearman")[0],
                )
            )
        return cells, {"SETTINGS": len(cells), "remarks": remarks}

    def _write(self, outputs, judged, progress) -> None:
        rows = []
        if judged.cells:
            for cell in judged.cells:
                rows += [
                    (cell.sets, cell.size, len(cell.details), *_row(one)) for one in cell.measures
                ]
        else:
            rows += [(None, None, None, *_row(one)) for one in averaged([judged.detail])]
        outputs.add_table(
            "OUTPUT",
            [
                make_field("sets", "int"),
                make_field("size", "int"),
                make_field("repeats", "int"),
                make_field("measure", "string"),
                make_field("lower", "double"),
                make_field("upper", "double"),
                make_field("value", "double"),
                make_field("sd", "double"),
            ],
            [list(column) for column in zip(*rows)],
            progress,
        )


def rows_of(matrix: DistanceMatrix, rows: np.ndarray) -> np.ndarray:
    """Refuse what is not the row of one original for each record of a matrix.

    Raises
    ------
    InputError
        If the key or the layer lacks a record.
    """
    missing = np.flatnonzero(rows < 0)
    if len(missing):
        raise InputError(
            tr(
                "Records of the matrix without an original by this key and layer: {count} of {all} "
                "(the first is {id}). Choose the key that was written with this matrix, and the "
                "layer it was made from."
            ).format(count=len(missing), all=len(matrix), id=matrix.ids[missing[0]])
        )
    if len(np.unique(rows)) < len(rows):
        raise InputError(
            tr(
                "By this key, several records of the matrix have the same original. Choose the key "
                "that was written with this matrix."
            )
        )
    return rows


def _attributes(table, names) -> dict[str, np.ndarray] | None:
    """The attributes as numbers, NaN where there is none; None without attributes."""
    found = {}
    for name in names:
        try:
            found[name] = table.columns[name].numbers()
        except ValueError as error:
            raise InputError(
                tr(
                    "The attribute “{name}” holds what is no number. Choose numeric attributes for "
                    "Moran's I."
                ).format(name=name)
            ) from error
    return found or None


def _row(one) -> tuple:
    def known(value):
        return None if value is None or value != value else value

    return one.name, known(one.lower), known(one.upper), known(one.value), known(one.sd)
