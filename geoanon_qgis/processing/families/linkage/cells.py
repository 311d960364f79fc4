# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of a linkage experiment, a row for each cell, and an earlier one to go on from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....compat import is_null
from ....core.experiments.design import CLIQUE, Cell, LinkageExperiment
from ....core.runtime.errors import InputError
from ...dialog.declaration import Field
from ...dialog.numbers import as_number
from ...i18n import mark, tr
from ...layers.reading import read_table

#: Columns of the table.
FIELDS = (
    Field("method", "string"),
    Field("release", "string"),
    Field("sets", "int"),
    Field("size", "int"),
    Field("sigma", "double"),
    Field("in_degrees", "int"),
    Field("distribution", "string"),
    Field("scale", "double"),
    Field("radius", "double", mark("of ISGP, as spacing")),
    Field("spacing", "double"),
    Field("attack", "string"),
    Field("alpha", "double", mark("clique only")),
    Field("repeats", "int"),
    Field("precision", "double"),
    Field("precision_se", "double", mark("the standard error, as of recall_se")),
    Field("recall", "double"),
    Field("recall_se", "double"),
    Field("guessed", "double", mark("found by taking the likeliest person for each record")),
    Field("guessed_se", "double"),
    Field("matches", "double", mark("claimed, mean")),
    Field("clique", "double", mark("mean size")),
    Field("proven", "double", mark("share")),
    Field("vertices", "int"),
    Field("edges", "double"),
    Field("utility", "double", mark("1 / variance of the deviation of distances")),
    Field("nearest_kept", "double"),
    Field("coverage", "double", mark("share of true pairs that the intervals hold")),
    Field("seconds", "double"),
    Field("n_target", "int", mark("what RESUME compares begins here")),
    Field("n_identification", "int"),
    Field("overlap", "int"),
    Field("seed", "long"),
    Field("metric", "string"),
    Field("replicates", "int"),
    Field("max_steps", "long"),
    Field("max_work", "long"),
    Field("time_limit", "double"),
    Field("threshold", "double"),
    Field("known_links", "int"),
    Field("data", "string", mark("a digest of the points and quasi-identifiers")),
    Field("releases", "int", mark("held of the same people; this and the rest of several only")),
    Field("linked_by", "string"),
    Field("linked", "double", mark("share of the records linked with a further release")),
    Field("links_right", "double", mark("share of these links")),
)
#: Those of several releases of the same people; a table without them is of one.
_OF_SEVERAL = {"releases": 1, "linked_by": None, "linked": None, "links_right": None}
#: Columns without which a row is none.
_NEEDED = {
    *("release", "attack", "vertices", "repeats"),
    *("n_target", "n_identification", "overlap", "seed", "data", "known_links"),
}

Row = dict[str, Any]


def as_written(rows: Sequence[Row]) -> tuple[list[str], list[list]]:
    """Return the names of the table's columns, and the columns, of some rows."""
    several = any(row["releases"] > 1 for row in rows)
    shown = [one for one in FIELDS if several or one.name not in _OF_SEVERAL]
    columns = [[_value(row.get(one.name), one.name, one.kind) for row in rows] for one in shown]
    return [one.name for one in shown], columns


def read_earlier(source) -> list[Row]:
    """Read the rows of an earlier run.

    Parameters
    ----------
    source : QgsProcessingFeatureSource or None
        None for no rows.

    Raises
    ------
    InputError
        If the table is none of this algorithm's, or of several runs.
    """
    if source is None:
        return []
    # A .dbf cuts names after ten letters.
    look_up = source.fields().lookupField
    at = {one.name: max(map(look_up, (one.name, one.name[:10]))) for one in FIELDS}
    missing = [name for name in at if at[name] < 0 and name not in _OF_SEVERAL]
    if missing:
        raise InputError(
            tr(
                "The table “{name}” is none of this algorithm's: it has no {missing}. Choose "
                "the output of an earlier run, or none."
            ).format(name=source.sourceName(), missing=", ".join(missing))
        )
    stored = [(source.fields().at(at[one.name]).name(), one) for one in FIELDS if at[one.name] >= 0]
    table = read_table(source, fields=[name for name, _ in stored])
    columns = [
        [_value(value, one.name, one.kind) for value in table.columns[name]] for name, one in stored
    ]
    named = [one.name for _, one in stored]
    rows = [{**_OF_SEVERAL, **dict(zip(named, row))} for row in zip(*columns)]
    if any(row["attack"] == CLIQUE and row["alpha"] is None for row in rows):
        raise _lacks("alpha")
    if len({row["seed"] for row in rows}) > 1:
        raise InputError(
            tr(
                "The table of the earlier run holds rows of several runs (several seeds). "
                "Choose the output of one run."
            )
        )
    return rows


def _value(value: Any, name: str, kind: str) -> Any:
    """A value of a column in the column's own type; a CSV has texts, and nothing for NULL.

    Raises
    ------
    InputError
        If it is none.
    """
    if is_null(value) or value != value or value == "":
        if name in _NEEDED:
            raise _lacks(name)
        return None
    if kind == "string":
        return str(value)
    try:
        if kind == "double" or isinstance(value, bool):
            return float(value) if kind == "double" else int(value)
        return int(as_number(value))  # a long whole number is no double
    except (TypeError, ValueError) as error:
        raise InputError(
            tr(
                "The table of the earlier run has “{value}” for {name}, which is no number. Choose "
                "the output of an earlier run, as it was written, or none."
            ).format(value=value, name=name)
        ) from error


def _lacks(name: str) -> InputError:
    return InputError(
        tr(
            "The table of the earlier run has a row without {name}. Choose the output of an "
            "earlier run, as it was written, or none."
        ).format(name=name)
    )


def taken_over(earlier: Sequence[Row], experiment: LinkageExperiment) -> list[Row]:
    """Rows of an earlier run that are cells of this one.

    Raises
    ------
    InputError
        If the earlier run had other data or settings.
    """
    now = experiment.settings if earlier else {}
    for row in earlier:
        other = [name for name, value in now.items() if row[name] != value]
        if "data" in other:
            raise InputError(
                tr(
                    "The earlier run cannot be gone on with: it had other points, "
                    "quasi-identifiers or another AREA. Choose these as they were, or leave RESUME "
                    "empty."
                )
            )
        if other:
            raise InputError(
                tr(
                    "The earlier run cannot be gone on with: it differs in {names}. Set these as "
                    "they were, or leave RESUME empty."
                ).format(names=", ".join(other))
            )
    cells = set(experiment.cells)
    # Each once, should somebody have put two tables together.
    kept = {cell_of(row): row for row in earlier}
    return [row for cell, row in kept.items() if cell in cells]


def cell_of(row: Row) -> Cell:
    """Return the cell that a row is of."""
    return Cell(row["release"], row["attack"], row["alpha"])


def in_order(rows: Sequence[Row], experiment: LinkageExperiment) -> list[Row]:
    """Return rows in the order of the cells."""
    place = {cell: number for number, cell in enumerate(experiment.cells)}
    return sorted(rows, key=lambda row: place[cell_of(row)])
