# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:distanceaccuracy."""

from __future__ import annotations

import numpy as np

from ...core.distances import files
from ...core.distances.accuracy import accuracy
from ...core.distances.grid import Cell, accuracy_over_grid, averaged
from ...core.distances.matrix import DistanceMatrix
from ...core.runtime.errors import InputError
from ...core.runtime.progress import weighted
from ...core.verdict import not_tested
from ...core.verification.maskfile import LIPSCHITZ
from .. import verdicts
from ..base import GeoAnonAlgorithm, Help
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private, reports
from ..dialog.rules import EMPTY, GIVEN
from ..families import mask_files
from ..families.linkage.adversary import ADVERSARY
from ..families.matching import shared_field
from ..families.originals import originals
from ..families.release_task import numbers_of, refuse_unless_matrix_fits
from ..i18n import mark, tr
from ..layers import keys, planes, sources
from ..layers.areas import outside_sentence
from ..reports import distanceaccuracy as reporting
from ..reports.common import Context
from ..reports.distances import not_attacked, summary_sentence
from ..running import Result, sampled

#: What is tried is not used where a released matrix is measured.
_TRIED = {"MATRIX": EMPTY}


class DistanceAccuracyAlgorithm(GeoAnonAlgorithm):
    """Compare released distances with the true ones."""

    NAME = "distanceaccuracy"
    DISPLAY_NAME = mark("Accuracy of released distances")
    GROUP = "releasedistances"
    TAGS = mark(
        "privacy, distance matrix, utility, nearest neighbour, clustering, DBSCAN, Moran's I, "
        "Lipschitz"
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

    OUTPUTS = (
        private(
            "OUTPUT",
            mark("Measures"),
            mark("Table with one row for each measure."),
            "table",
            [
                Field("sets", "int"),
                Field("size", "int"),
                Field("repeats", "int", mark("these three are empty for a released matrix")),
                Field("measure", "string"),
                Field("lower", "double"),
                Field("upper", "double", mark("the band of true distances, where it is for one")),
                Field("value", "double", mark("mean over the repetitions")),
                Field("sd", "double", mark("standard deviation over them")),
            ],
            optional=False,
        ),
        *reports(mark("What is kept and what is lost, with charts.")),
        Value(
            "MEDIAN_RATIO",
            mark("Median of released / true distance"),
            mark("Of a released matrix only."),
        ),
        Value(
            "NEAREST_KEPT",
            mark("Share of nearest neighbours kept"),
            mark("Share of nearest neighbours that are right; of a released matrix only."),
        ),
        Value(
            "SPEARMAN", mark("Rank correlation of distances"), mark("Of a released matrix only.")
        ),
        Value(
            "MAX_VIOLATION",
            mark("Largest excess over the true distance"),
            mark("Of a released matrix only."),
        ),
        Value(
            "SETTINGS",
            mark("Combinations tried"),
            mark("Combinations of parameters that were tried; 0 for a matrix."),
        ),
        *verdicts.OUTPUTS,
    )

    STEPS = {"read": 5, "judge": 90, "write": 3, "report": 2}

    def inputs(self):
        """Return what is read."""
        return [
            parameters.points(
                "INPUT",
                tr("Points"),
                tr("The original points, in any coordinate reference system."),
            ),
            parameters.matrix_source(
                "MATRIX",
                tr("Released distance matrix"),
                tr(
                    "A .csv, .npz, .npy or .parquet file with ids. Leave empty to try parameters "
                    "instead."
                ),
                optional=True,
            ),
            parameters.table(
                "KEY",
                tr("Key"),
                tr(
                    "The private key table that was written with the matrix: released_id, "
                    "original_id."
                ),
                optional=True,
                only_when={"MATRIX": GIVEN},
            ),
            mask_files.parameter(),
            parameters.matrix_unit(),
            parameters.numbers(
                "SETS",
                tr("Numbers of reference sets (d) to try"),
                tr("Numbers parted by commas; used without a matrix."),
                "5, 10, 15, 20",
                1,
                whole=True,
                only_when=_TRIED,
            ),
            parameters.numbers(
                "SIZE",
                tr("Sizes of reference sets (k) to try"),
                tr("Numbers parted by commas; used without a matrix."),
                "5, 20, 35, 50",
                1,
                whole=True,
                only_when=_TRIED,
            ),
            parameters.integer(
                "REPEATS",
                tr("Repetitions"),
                tr("Embeddings made for each combination."),
                10,
                1,
                10_000,
                only_when=_TRIED,
            ),
            parameters.area(tr("the reference points"), tr("the convex hull of the points")),
            parameters.metric(),
            parameters.fields(
                "ATTRIBUTES",
                tr("Numeric attributes for Moran's I"),
                tr("Leave empty to use smooth random fields that are simulated."),
                "INPUT",
                numeric=True,
            ),
            parameters.integer(
                "RECORDS",
                tr("Most records used"),
                tr(
                    "A random sample of so many records is used where there are more; used without "
                    "a matrix, where embeddings are made again and again."
                ),
                1_000,
                3,
                advanced=True,
                only_when=_TRIED,
            ),
            parameters.seed(),
        ]

    def filled(self, given):
        """Take from the mask file how the release was made, or is to be tried."""
        mask = mask_files.read(given)
        if mask is None:
            return given.parameters
        values = mask_files.made_by(mask, {})
        if not self._has_matrix(given):
            if mask.method != LIPSCHITZ:
                raise InputError(
                    mark(
                        "Without a matrix embeddings are tried, and the mask file is of a release "
                        "by another method. Give the matrix and its key, too."
                    )
                )
            values.pop("UNIT", None)
            values.update({name.upper(): str(mask.parameters[name]) for name in ("sets", "size")})
        return mask_files.filled(given, values)

    def check(self, given):
        """A matrix needs its key."""
        if self._has_matrix(given) != given.has("KEY"):
            return tr(
                "A released matrix is compared by its key: give both, or none of them to try "
                "parameters."
            )
        if not self._has_matrix(given):
            self._grid(given)
        return None

    def _has_matrix(self, given) -> bool:
        # A file that was chosen and cleared again is an empty text.
        return bool(given.path("MATRIX"))

    def _grid(self, given) -> tuple[list[int], list[int]]:
        return tuple(given.numbers(name) for name in ("SETS", "SIZE"))

    def execute(self, run):
        """Read, compare or try, write, report."""
        source = run.source("INPUT")
        chosen = run.fields("ATTRIBUTES", source)
        key = keys.read_key(run.source("KEY")) if self._has_matrix(run) else None
        shared = shared_field(key, source.fields())
        fields = [*chosen, *([shared] if shared else [])]
        table = run.points(source, run.step("read"), fields, least=2)
        metric, said = planes.measure(run.choice("METRIC"), table.xy, table.crs)
        run.tell(*said)
        rng = run.rng()
        common = (table, chosen, metric, rng, run.step("judge"))
        if key is None:
            found, numbers, remarks = self._tried(run, *common)
        else:
            found, numbers, remarks = self._released(run, key, *common)
        about = Context(source.sourceName(), said, table.left_out, metric.unit)
        judged = reporting.Judged(about, found, remarks)
        self._write(run.outputs, judged)
        return Result(
            numbers,
            not_tested(*ADVERSARY),
            [self._step(run, source), reporting.utility_only()],
            [not_attacked()],
            lambda progress: reporting.report(judged),
        )

    def _step(self, given, source) -> str:
        """The attack to run, with what is known of its parameters here."""
        if not self._has_matrix(given):
            sets, sizes = (",".join(map(str, values)) for values in self._grid(given))
            return reporting.step_before(source.sourceName(), sets, sizes)
        key = given.layer("KEY")
        known = key is not None and sources.files_of(key)
        return reporting.step_after(
            given.path("MATRIX"),
            key.source() if known else given.source("KEY").sourceName(),
            *(given.choice(name) for name in ("UNIT", "METRIC")),
            given.path("MASK"),
        )

    def _released(self, run, key, table, chosen, metric, rng, progress):
        """Compare one released matrix."""
        reading, comparing = weighted(progress, 20, 80)
        path = run.path("MATRIX")
        mask_files.tell(mask_files.read(run), run, path)
        matrix = files.read_matrix(path, reading)
        unit = matrix.unit or run.choice("UNIT")
        if metric.unit != "m":
            unit = metric.unit
        elif unit not in parameters.UNITS:
            raise InputError(
                tr(
                    "The matrix is in “{unit}”, which is none of the units known ({known}). Write "
                    "it in one of them."
                ).format(unit=unit, known=", ".join(parameters.UNITS))
            )
        matrix = DistanceMatrix(matrix.condensed, matrix.ids, unit)
        rows = originals(run, matrix, key, table)
        detail = accuracy(
            table.xy[rows],
            metric,
            matrix,
            rng,
            comparing,
            unit_length=parameters.UNITS.get(unit, 1.0),
            attributes=_attributes(table.taken(rows), chosen),
        )
        kept = detail.summary
        run.tell(summary_sentence(kept))
        return detail, {**numbers_of(kept), "SETTINGS": 0}, []

    def _tried(self, run, table, chosen, metric, rng, progress):
        """Try all combinations of parameters."""
        of_area, of_cells = weighted(progress, 2, 98)
        sets, sizes = self._grid(run)
        mask = mask_files.read(run)
        area, sentence, outside = mask_files.area(mask, run, table.xy, table.crs, of_area)
        run.tell(sentence)
        if outside:
            run.warn(outside_sentence(outside, len(table)))
        table, sample = sampled(table, run.number("RECORDS"), rng)
        remarks = [sentence, *([sample] if sample else [])]
        run.tell(*remarks[1:])
        refuse_unless_matrix_fits(len(table), 8.0 * max(sets), tr("Lower RECORDS."))
        tried = (table.xy, area, metric, sets, sizes, run.number("REPEATS"), rng, of_cells)
        known = {"unit": metric.unit, "attributes": _attributes(table, chosen)}
        if mask is not None:
            known.update(pre_noise=mask.parameters["pre_noise"], step=mask.step)
            remarks.append(
                tr(
                    "As the mask file says: noise before the embedding {noise:g} m, distances in "
                    "steps of {step:g} m."
                ).format(noise=mask.parameters["pre_noise"], step=mask.step)
            )
            run.tell(remarks[-1])
        cells: list[Cell] = []
        for cell in accuracy_over_grid(*tried, **known):
            cells.append(cell)
            run.tell(
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
        return cells, {"SETTINGS": len(cells)}, remarks

    def _write(self, outputs, judged) -> None:
        rows = []
        if judged.cells:
            for cell in judged.cells:
                rows += [
                    (cell.sets, cell.size, len(cell.details), *_row(one)) for one in cell.measures
                ]
        else:
            rows += [(None, None, None, *_row(one)) for one in averaged([judged.detail])]
        outputs.add_rows("OUTPUT", rows)


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
