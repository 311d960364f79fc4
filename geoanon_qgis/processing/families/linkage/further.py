# SPDX-License-Identifier: GPL-2.0-or-later
"""Further releases of the same people: read, and linked with the first."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from ....core.attacks.linkage.further_releases import IDS, ROWS, Further, linked
from ....core.attacks.linkage.inputs import Files
from ....core.distances import files
from ....core.distances.matrix import DistanceMatrix
from ....core.runtime.progress import Progress, shares, silent
from ...dialog.parameters import UNITS
from ...i18n import figure, number_of, tr
from ...layers import keys, sources
from ...layers.labels import Labels, labels_of
from ...layers.reading import read_table
from ...running import Given, Run
from .in_order import in_order

if TYPE_CHECKING:
    from .adversary import Adversary
    from .rules import Making

MATRICES, TABLES = "MORE_MATRICES", "MORE_TARGETS"
#: Seconds that linking one release by its rows may take where nobody says otherwise.
_SECONDS = 120.0


def check(given: Given) -> str | None:
    """Return a sentence where tables and matrices do not go together."""
    matrices, tables = (len(given.paths(name)) for name in (MATRICES, TABLES))
    if tables in (0, matrices):
        return None
    return tr(
        "There are {matrices} further matrices and {tables} further tables. Give the table of each "
        "matrix, in the same order, or none."
    ).format(matrices=matrices, tables=tables)


def read(
    run: Run, progress: Progress = silent
) -> tuple[list[DistanceMatrix], tuple[Labels | None, ...]]:
    """Return further matrices, in the order of their tables, and the labels of their records.

    Raises
    ------
    InputError
        If a file cannot be read, or matrix and table are not of the same records.
    """
    matrices: list[DistanceMatrix] = []
    labels: list[Labels | None] = []
    paths, tables = run.paths(MATRICES), run.paths(TABLES)
    for at, (path, step) in enumerate(zip(paths, shares(progress, len(paths) or 1))):
        matrix = files.read_matrix(path, step, unit=run.choice("UNIT"))
        if not tables:
            matrices.append(matrix)
            labels.append(None)
            continue
        source = sources.opened(tables[at], run.context)
        names = run.fields("TARGET_QIS", source)
        id_field = run.field("TARGET_ID", source)
        if id_field is None and source.fields().lookupField(keys.RECORD) >= 0:
            id_field = keys.RECORD
        table = read_table(source, run.outputs.ask, [*([id_field] if id_field else []), *names])
        ids = table.columns[id_field][:] if id_field else list(matrix.ids)
        matrices.append(in_order(matrix, ids, len(table)))
        labels.append(labels_of(table.columns, names, len(table)))
    return matrices, tuple(labels)


def put_together(has: Adversary, making: Making, run: Run, progress: Progress) -> Adversary:
    """Link the further releases with the first, and say how that went.

    Raises
    ------
    InputError
        If they do not go together.
    """
    released, limit = has.released, run.number("TIME_LIMIT")
    given = Files(
        released.labels,
        released.matrices[0],
        has.known.labels,
        has.known.table.xy,
        has.metric,
        making.rule,
        UNITS.get(released.unit, 1.0),
        making.rounding,
    )
    seconds = (_SECONDS if limit is None else limit) or None
    others = released.matrices[1:]
    found = []
    for other, labels, path, step in zip(
        others, released.further_labels, run.paths(MATRICES), shares(progress, len(others) or 1)
    ):
        one = linked(given, other, labels, rng=run.rng(), seconds=seconds, progress=step)
        tell = run.tell if one.links.linked else run.warn
        tell(*sentences(one, os.path.basename(path)))
        found.append(one)
    return replace(has, released=replace(released, further=tuple(found)))


def sentences(one: Further, name: str) -> list[str]:
    """Say how a further release is linked with the first."""
    count = len(one.links.rows)
    many = number_of(one.links.linked, "record", "records")
    if one.way == IDS:
        return [
            tr("{file}: {records} of {all} linked by the same ids.").format(
                file=name, records=many, all=figure(count, ",")
            )
        ]
    said = [
        tr(
            "{file}: its ids do not mean the records of MATRIX, so they are linked by what their "
            "distances to all others look like."
        ).format(file=name)
    ]
    if one.way == ROWS:
        said.append(
            tr(
                "{file}: {records} of {all} linked; about {right} of these links are expected to "
                "be right. The others count as MATRIX alone has them."
            ).format(
                file=name,
                records=many,
                all=figure(count, ","),
                right=figure(round(one.links.expected), ","),
            )
        )
    elif one.why:
        said = [tr("{file} adds nothing: {why}").format(file=name, why=tr(one.why))]
    else:
        said.append(
            tr(
                "{file} adds nothing: no record can be linked surely. Either the people are "
                "others, or few of them are in both releases, or the releases keep too little."
            ).format(file=name)
        )
    if one.links.cut_off:
        said.append(
            tr(
                "{file}: the time limit ended the linking. With more time more may be linked."
            ).format(file=name)
        )
    return said
