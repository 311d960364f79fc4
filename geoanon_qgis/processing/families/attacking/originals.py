# SPDX-License-Identifier: GPL-2.0-or-later
"""The originals of a release that has no key, such as another tool's: paired by an id that both keep."""

from __future__ import annotations

from qgis.core import QgsProcessingFeatureSource

from ....core.columns import Column
from ....core.runtime.errors import InputError
from ....core.values import NULL_TEXT
from ...dialog import parameters
from ...i18n import mark, tr
from ...layers import keys
from ...running import Given, Run

ORIGINALS, THEIR_ID, INPUT_ID = "ORIGINALS", "ORIGINALS_ID", "INPUT_ID"


def inputs() -> list:
    """Return the parameters."""
    return [
        parameters.source(
            ORIGINALS,
            tr("Original points, in place of a key"),
            tr(
                "For a release without a key, such as another tool's: the sensitive points, with an id that "
                "the release keeps. They score the attack, and say where those live whom the second "
                "adversary knows. He himself sees neither."
            ),
            "point",
            optional=True,
            advanced=True,
        ),
        parameters.field(
            THEIR_ID,
            tr("Field with the ids of the originals"),
            tr("Different for each of them."),
            ORIGINALS,
            advanced=True,
        ),
        parameters.field(
            INPUT_ID,
            tr("Field with the same ids in the release"),
            tr("Not to be released: it undoes the mask for everybody who has the originals' ids."),
            "INPUT",
            advanced=True,
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together of originals."""
    there = [given.has(name) for name in (ORIGINALS, THEIR_ID, INPUT_ID)]
    if not any(there):
        return None
    if not all(there):
        return tr(
            "Originals (ORIGINALS) are paired with the release by equal ids: name the field in each "
            "(ORIGINALS_ID, INPUT_ID). The order of the rows means nothing."
        )
    if given.has("KEY"):
        return tr("Both the key (KEY) and ORIGINALS say who is who. Give one of them.")
    for name in ("INPUT", "CANDIDATES"):
        if given.same_layer(ORIGINALS, name):
            return tr(
                "ORIGINALS is the layer of {name}. Choose the layer that the release was made from."
            ).format(name=name)
    return None


def ids_field(run: Run, source: QgsProcessingFeatureSource) -> str | None:
    """Return the field of the release that names its records, of a release that has originals."""
    return run.field(INPUT_ID, source) if run.has(ORIGINALS) else None


def key_of(run: Run, ids: Column) -> keys.Key:
    """Read the originals as a key would tell of them.

    Parameters
    ----------
    run : Run
    ids : Column
        Of the released records.

    Raises
    ------
    InputError
        If two of them, or of the released records, have one id, or none has any.
    """
    own = run.field(INPUT_ID, run.source("INPUT"))
    keys.refuse_repeated(ids.texts(NULL_TEXT), run.source("INPUT").sourceName(), own)
    source = run.source(ORIGINALS)
    field = run.field(THEIR_ID, source)
    table = run.points(source, run.step("people"), [field], least=1)
    texts = table.columns[field].texts(NULL_TEXT)
    keys.refuse_repeated(texts, source.sourceName(), field)
    places = {
        text: (float(x), float(y)) for text, (x, y) in zip(texts, table.xy) if text != NULL_TEXT
    }
    if not places:
        raise InputError(
            mark("No record of “{name}” (ORIGINALS) has an id in the field “{field}”."),
            name=source.sourceName(),
            field=field,
        )
    return keys.Key(source.sourceName(), {one: one for one in places}, field, places, table.crs)
