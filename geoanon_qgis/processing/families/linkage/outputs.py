# SPDX-License-Identifier: GPL-2.0-or-later
"""The layers of a linkage attack: declared, and written from what was found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from qgis.core import QgsField

from ....core.distances.choice import MOST_PRECISION
from ....core.verdict import SURE
from ... import styling
from ...dialog.declaration import Field, private
from ...i18n import mark
from ...layers.values import text_of
from ...running import Run
from .. import withholding
from .findings import Finding

#: Field with the id of a known person.
_ID = "identification_id"
#: What is told of a match.
_MATCHED = (
    Field("in_every", "int", mark("1 if every maximum clique found has the match")),
    Field(
        "support",
        "double",
        mark(
            "0 to 1: the confidence; of a clique, how well its distances fit, over the number of "
            "candidates that could stand in its place"
        ),
    ),
    Field("correct", "int", mark("by the key")),
)

LAYERS = (
    private(
        "OUTPUT",
        mark("Linked people"),
        mark("The known people, with the record that each was linked to."),
        "point",
        [
            Field(_ID, "long"),
            Field("target_id", "string", mark("the record linked to each")),
            Field("in_clique", "int", mark("1 if linked")),
            *_MATCHED,
        ],
        role=styling.LINKED,
        optional=False,
    ),
    private(
        "LINES",
        mark("True place to linked place"),
        mark(
            "Lines from each linked record's true place to the place it was linked to, where its "
            "person is among the known people. Needs the key."
        ),
        "line",
        [Field("target_id", "string"), Field("correct", "int")],
        role=styling.LINK_LINES,
    ),
    private(
        "MATCHES",
        mark("Matches"),
        mark("Table of the matches that the adversary believes."),
        "table",
        [Field("target_id", "string"), Field(_ID, "long"), *_MATCHED],
    ),
    replace(
        withholding.OUTPUT,
        help=mark(
            "The records that the adversary is sure of (of a clique, where accident makes none of "
            "its size), and those that the key says were found, at the places of the people they "
            "were linked to. Give this layer as “Records to withhold” (WITHHOLD) when you release "
            "again."
        ),
    ),
)


def write(run: Run, finding: Finding) -> None:
    """Write what is wanted of them."""
    known, result = finding.adversary.known, finding.result
    records, people = result.matches.T
    ids, correct = finding.adversary.released.ids, finding.correct
    target_ids = [text_of(ids[row]) for row in records.tolist()]
    id_field = _id_field(run)
    support = result.support.tolist()
    in_every = [None] * result.clique  # not asked after a search that was stopped
    if result.in_every is not None:
        in_every = result.in_every.astype(int).tolist()

    linked = {row: number for number, row in enumerate(people.tolist())}
    order = [linked.get(row) for row in range(len(known.ids))]

    def of_match(values):
        return [None if number is None else values[number] for number in order]

    in_clique = [int(number is not None) for number in order]
    columns = map(of_match, (in_every, support, correct))
    run.outputs.add_points(
        "OUTPUT",
        known.table.xy,
        [id_field, "target_id", "in_clique", "in_every", "support", "correct"],
        [known.ids, of_match(target_ids), in_clique, *columns],
        known.table.crs,
    )
    run.outputs.add_table(
        "MATCHES",
        ["target_id", id_field, "in_every", "support", "correct"],
        [target_ids, [known.ids[row] for row in people.tolist()], in_every, support, correct],
    )
    # A clique knows no probabilities: it is believed where accident makes none of its size.
    sure = SURE if finding.has_confidence else MOST_PRECISION
    at_risk = (finding.claim > sure) | np.array([one == 1 for one in correct], dtype=bool)
    withholding.add(
        run.outputs,
        np.flatnonzero(at_risk),
        target_ids,
        finding.adversary.key,
        known.table.xy[people],
        known.table.crs,
        np.zeros(result.clique, dtype=bool),
        finding.claim,
    )
    rows = np.flatnonzero(finding.true_rows >= 0)
    run.outputs.add_lines(
        "LINES",
        known.table.xy[finding.true_rows[rows]],
        known.table.xy[people[rows]],
        ["target_id", "correct"],
        [[target_ids[row] for row in rows], [correct[row] for row in rows]],
        known.table.crs,
    )


def _id_field(run: Run) -> QgsField | str:
    chosen = run.field("IDENTIFICATION_ID")
    if not chosen:
        return _ID
    field = QgsField(run.source("IDENTIFICATION").fields().field(chosen))
    field.setName(_ID)
    return field


def drawn(finding: Finding) -> tuple[np.ndarray, np.ndarray | None, np.ndarray | None]:
    """What a map shows of each known person.

    Returns
    -------
    in_clique : (n,) bool array
    correct : (n,) array or None
        NaN where the key does not say; None without one that fits.
    true_xy : (n, 2) array or None
        Where the record's own person stands, NaN where nobody knows.
    """
    known, (_, people) = finding.adversary.known.table, finding.result.matches.T
    in_clique = np.zeros(len(known), dtype=bool)
    in_clique[people] = True
    if finding.truth is None:
        return in_clique, None, None
    correct = np.full(len(known), np.nan)
    correct[people] = [np.nan if one is None else one for one in finding.correct]
    true_xy = np.full((len(known), 2), np.nan)
    there = finding.true_rows >= 0
    true_xy[people[there]] = known.xy[finding.true_rows[there]]
    return in_clique, correct, true_xy
