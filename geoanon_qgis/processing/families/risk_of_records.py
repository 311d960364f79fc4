# SPDX-License-Identifier: GPL-2.0-or-later
"""The risk of each record: how near a release comes to it, and what is written of that."""

from __future__ import annotations

import numpy as np

from ...core.microdata.risk import DisclosureRisk
from ...core.runtime.progress import chunks
from .. import styling
from ..dialog.declaration import Field, private
from ..i18n import mark
from ..layers import keys
from ..layers.reading import holds_points
from ..layers.records_out import add_records
from ..layers.values import text_of
from ..running import Run
from .comparing import Compared

#: Records that are looked at without asking whether to go on.
_LOOKED_AT = 100_000
_MEASURES = ("distance", "ambiguity", "uncertainty")

#: What an algorithm declares.
OUTPUT = private(
    "OUTPUT",
    mark("Risk of each record"),
    mark(
        "The original records, at their places if they have any, with the three measures, "
        "coloured by how near the release comes."
    ),
    "table",
    [
        Field(keys.ORIGINAL, "long"),
        *(Field(prefix + one, "double") for prefix in ("", "reference_") for one in _MEASURES),
        Field(
            "relative_distance",
            "double",
            mark(
                "distance / reference_distance; below 1 the release comes nearer than "
                "other people's records"
            ),
        ),
        Field("nearest_id", "string", mark("a nearest released record")),
        Field(
            "right",
            "double",
            mark("where records correspond: probability that the nearest is their own"),
        ),
        Field("verbatim", "int", mark("1: a released record equals it")),
        Field("only_one", "int", mark("1: no other original equals it")),
        Field("too_near", "int", mark("1: counted in NEARER")),
    ],
    mark("What begins with reference_ is the same against the reference."),
    styling.RISK,
    optional=False,
)


def write(run: Run, pair: Compared, found: DisclosureRisk, released) -> np.ndarray | None:
    """Write OUTPUT; return the places of all originals, None without any."""
    original = pair.original

    def of_all(values):
        column = np.full(len(original.records), np.nan)
        column[measured_rows] = values
        return column

    measured_rows = original.rows[found.rows]
    nearest: list = [None] * len(original.records)
    for rows in chunks(len(measured_rows), _LOOKED_AT, run.outputs.ask):
        of = zip(measured_rows[rows].tolist(), found.measured.nearest[rows].tolist())
        for row, at in of:
            nearest[row] = text_of(released[at])
    right = found.measured.right
    columns = [original.records.ids]
    for measured in (found.measured, found.reference):
        columns += [of_all(measured[name]) for name in _MEASURES]
    columns += [
        of_all(_finite(found.relative_distance)),
        nearest,
        of_all(np.nan if right is None else right),
    ]
    shown = found.exposed
    for values in (shown.verbatim, shown.alone, shown.near):
        flags: list = [None] * len(original.records)
        for row, flag in zip(original.rows.tolist(), values.tolist()):
            flags[row] = int(flag)
        columns.append(flags)
    source = run.source("ORIGINAL")
    xy = original.records.xy if holds_points(source) else None
    add_records(run.outputs, "OUTPUT", source, original.records.ids, xy, columns)
    return xy


def _finite(values: np.ndarray) -> np.ndarray:
    """Ratios over a reference distance of zero have no number either."""
    return np.where(np.isfinite(values), values, np.nan)
