# SPDX-License-Identifier: GPL-2.0-or-later
"""The layers and numbers of the attack on masked points: declared, and written."""

from __future__ import annotations

import numpy as np

from ....core.verdict import SURE
from ... import styling, verdicts
from ...dialog.declaration import Field, Value, private, reports
from ...i18n import mark
from ...layers import keys
from ...running import Run
from .. import withholding
from .attacked import Attacked

OUTPUTS = (
    private(
        "OUTPUT",
        mark("Guesses"),
        mark("Each released record at the likeliest address, with what he believes."),
        "point",
        [
            Field(keys.RELEASED, "string"),
            Field("probability", "double", mark("of that address")),
            Field("tied", "int", mark("addresses that are as likely")),
            Field("effective_k", "double", mark("effective number of addresses")),
            Field("of_truth", "double", mark("probability of the true address, by the key")),
            Field("record_probability", "double", mark("of the likeliest record of the person")),
        ],
        role=styling.GUESSED,
        optional=False,
    ),
    withholding.OUTPUT,
    *reports(mark("What both adversaries find, how sure they are, and of whom.")),
    Value("IDENTIFIED", mark("People found by their place"), mark("Expected, or by the key.")),
    Value("MEAN_TOP", mark("Mean of his largest probability of a place")),
    Value("WORST", mark("Largest probability of a place")),
    Value("EFFECTIVE_K", mark("Median effective number of addresses")),
    Value(
        "RECORDS_IDENTIFIED",
        mark("People whose record is found"),
        mark("By the key, for who knows that they are in the file."),
    ),
    Value("RECORDS_MEAN_TOP", mark("Mean of his largest probability of a record")),
    Value("RECORDS_WORST", mark("Largest probability of a record")),
    Value("UNEXPLAINED", mark("Points that no address of the list explains")),
    *verdicts.OUTPUTS,
)


def write(run: Run, found: Attacked) -> None:
    """Write the layers."""
    place, count = found.place, len(found.ids)
    ids = [None if one is None else str(one) for one in found.ids]
    nothing = np.full(count, np.nan)
    record = nothing.copy()
    if found.record is not None:
        record[found.asked] = found.record.top
    if place is None:
        columns = [ids, nothing, np.zeros(count, dtype=int), nothing, nothing, record]
        run.outputs.add_points(
            "OUTPUT", np.full((count, 2), np.nan), None, columns, found.released.crs
        )
        return
    best = place.best
    xy = np.where((best >= 0)[:, None], found.listed.xy[found.rows[best]], np.nan)
    truth = nothing if found.home is None else place.of_truth(found.home)
    columns = [ids, place.top, place.tied, place.effective, truth, record]
    run.outputs.add_points("OUTPUT", xy, None, columns, found.released.crs)
    sure = np.flatnonzero((place.top >= SURE) & (best >= 0))
    withholding.add(
        run.outputs,
        sure,
        found.ids,
        found.key,
        xy,
        found.released.crs,
        np.zeros(count, dtype=bool),
        place.top,
    )
