# SPDX-License-Identifier: GPL-2.0-or-later
"""Records to withhold: an attack writes them as a private layer, a mask leaves them out.

The layer has the fields of a key (see :mod:`..layers.keys`), so that its people are found among the
originals as those of a key are: by id where the attack had the key, else by place.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from ...core.space.points import places
from .. import styling
from ..dialog import parameters
from ..dialog.declaration import Field, private
from ..i18n import mark, number_of, tr
from ..layers import keys
from ..layers.keys import Key
from ..layers.reading import PointTable
from ..layers.values import text_of
from . import matching

SINK, SOURCE = "AT_RISK", "WITHHOLD"

#: What an attack declares.
OUTPUT = private(
    SINK,
    mark("Records to withhold"),
    mark(
        "The records that were not moved or are found beyond doubt, at the places where they were "
        "found. Give this layer as “Records to withhold” (WITHHOLD) when you mask or release again."
    ),
    "point",
    [
        Field(keys.RELEASED, "string"),
        Field(keys.ORIGINAL, "string"),
        Field(keys.ID_FIELD, "string", mark("both of the key, where one was given")),
        Field(keys.ORIGINAL_X, "double"),
        Field(keys.ORIGINAL_Y, "double"),
        Field(keys.CRS, "string", mark("of the place")),
        Field("why", "string", mark("unmoved or found")),
        Field("probability", "double"),
    ],
    role=styling.AT_RISK,
)


def source():
    """Return the parameter for the records to withhold."""
    return parameters.table(
        SOURCE,
        tr("Records to withhold"),
        tr(
            "The private layer of that name, which an attack on an earlier release has written. "
            "Its records are left out: those with its ids where the points have the field, else "
            "all that stand on its places."
        ),
        optional=True,
        advanced=True,
    )


def add(
    outputs,
    rows: np.ndarray,
    ids: list,
    key: Key | None,
    xy: np.ndarray,
    crs,
    unmoved: np.ndarray,
    probability: np.ndarray,
) -> None:
    """Write the output ``AT_RISK``.

    Parameters
    ----------
    outputs : Outputs
    rows : (m,) int array
        The records at risk, among those attacked.
    ids : list
        Released ids of the records attacked.
    key : Key or None
    xy : (n, 2) array
        Where each was found, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    unmoved : (n,) bool array
    probability : (n,) array
    """
    if not outputs.wanted(SINK):
        return
    names = [ids[row] for row in rows.tolist()]
    texts = [text_of(name) for name in names]
    # The feature id of an original says nothing in another file: then the place names it.
    named = key is not None and bool(key.id_field)
    columns = [
        texts,
        [key.original.get(text) if named else None for text in texts],
        [key.id_field if named else None] * len(texts),
        xy[rows, 0],
        xy[rows, 1],
        [keys.crs_text(crs)] * len(texts),
        np.where(unmoved[rows], "unmoved", "found").tolist(),
        probability[rows],
    ]
    outputs.add_points(SINK, xy[rows], None, columns, crs)


def read_without(run, source, fields: Sequence[str], least: int = 0) -> tuple[PointTable, str]:
    """Read the points of a mask but those to be withheld, and say how many these are.

    Parameters
    ----------
    run : Run
        With the steps ``read`` and ``withhold``.
    source : QgsProcessingFeatureSource
    fields : sequence of str
        Those that the mask needs.
    least : int
        Points that there must be, those withheld left out.
    """
    layer = run.source(SOURCE)
    if layer is None:
        return run.points(source, run.step("read"), fields, least=least), ""
    key = keys.read_key(layer, may_be_empty=True)
    shared = matching.shared_field(key, source.fields())
    fields = [*fields, *([] if shared is None else [shared])]
    table = run.points(source, run.step("read"), fields, least=least)
    table, withheld = without(table, key, source, run.context, run.step("withhold"))
    if len(table) < least:
        raise InputError(
            tr("{withheld} That leaves too few: there must be {least} at least.").format(
                withheld=withheld, least=least
            )
        )
    run.tell(withheld)
    return table, withheld


def without(
    table: PointTable, key: Key, of_source, context, progress: Progress
) -> tuple[PointTable, str]:
    """Leave the records of a layer out, and say how many.

    Parameters
    ----------
    table : PointTable
        With the field by which the key names people, if it has that.
    key : Key
        The layer, read as a key.
    of_source : QgsProcessingFeatureSource
        What ``table`` was read from.
    context : QgsProcessingContext
    progress : callable

    Returns
    -------
    table : PointTable
    sentence : str

    Raises
    ------
    InputError
        If nothing tells which records are meant, or none of them is there.
    """
    if not len(key) or not len(table):
        return table, tr("The layer of records to withhold is empty.")
    other = matching.Other(of_source, table.ids.tolist(), table.xy, table.crs, table.columns)
    found = matching.match(key, list(key.original), other, context, progress)
    rows = found.rows[found.rows >= 0]
    if found.way == matching.GUESSED or not len(rows):
        raise InputError(
            tr(
                "None of the records to withhold (“{layer}”) was found among the points of "
                "“{points}”, neither by an id that both have nor by place. Choose the layer that "
                "an attack on a release of these points has written."
            ).format(layer=key.name, points=of_source.sourceName())
        )
    away = np.zeros(len(table), dtype=bool)
    away[rows] = True
    if found.way != matching.ID:  # a place names all who stand there
        at = places(table.xy).of_point
        away = np.isin(at, at[away])
    sentence = tr("{count} withheld, as “{layer}” asks. {how}").format(
        count=number_of(int(away.sum()), "record was", "records were"),
        layer=key.name,
        how=found.sentence,
    )
    missing = len(found.rows) - len(rows)
    if missing:
        sentence += " " + tr("Not found among the points: {count:,} of {all:,}.").format(
            count=missing, all=len(found.rows)
        )
    return table.taken(np.flatnonzero(~away)), sentence
