# SPDX-License-Identifier: GPL-2.0-or-later
"""Key tables: which released record is which original. Private, written with every release.

A key names each original in two ways, by an id and by its place, so that the people of another
file can be found in it. How that is done is in :mod:`..families.matching`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsField, QgsProcessingFeatureSource

from ...compat import make_field
from ...core.columns import EXACT, Column
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, silent
from ...core.values import NULL_TEXT, NUMBER, TEXT, WHOLE
from .. import styling
from ..dialog import parameters
from ..dialog.declaration import Field, Output, private
from ..i18n import mark, tr
from .reading import PointTable, read_table

#: The fields of a key table: the released id, of masked points or of records that are released
#: with their distances, and the id of the original.
RELEASED, RECORD, ORIGINAL = "masked_id", "released_id", "original_id"
#: The original's field that its id is from (NULL: its feature id), its place as it is stored,
#: and the reference system of that.
ID_FIELD, ORIGINAL_X, ORIGINAL_Y, CRS = "id_field", "original_x", "original_y", "crs"

# --- writing ----------------------------------------------------------------------------------


def id_parameter():
    """Return the choice of the field of INPUT that names a person."""
    return parameters.field(
        "ID_FIELD",
        tr("Field that names a person"),
        tr(
            "Whole numbers or text, different for each record, such as a person's number in a "
            "register. It goes into the private key as original_id and is never released. Attacks "
            "are scored by it where the attacker's file has the field too, by place otherwise. "
            "Leave empty to use feature ids, which mean nothing in other files."
        ),
        "INPUT",
    )


def output(
    released: str,
    help: str = mark(
        "Table that leads from the released id back to the original, its id and place. It undoes "
        "the release."
    ),
    more: str = "",
) -> Output:
    """Declare the output ``KEY``; ``released`` is :data:`RELEASED` or :data:`RECORD`."""
    return private(
        "KEY",
        mark("Key"),
        help,
        "table",
        [
            Field(released, "long"),
            Field(ORIGINAL, "long", mark("what ID_FIELD holds; the feature id without one")),
            Field(
                ID_FIELD, "string", mark("the field that the id is from; empty for the feature id")
            ),
            Field(ORIGINAL_X, "double"),
            Field(ORIGINAL_Y, "double", mark("the original's place")),
            Field(CRS, "string", mark("its reference system")),
        ],
        more,
        styling.KEY,
    )


@dataclass(frozen=True)
class Originals:
    """How the originals are named in the key.

    Attributes
    ----------
    field : QgsField
        ``original_id``, of the type of the ids.
    ids : ndarray or Column
    id_field : str
        The field that they are from; empty for the feature ids.
    """

    field: QgsField
    ids: Sequence
    id_field: str

    def taken(self, rows: np.ndarray) -> Originals:
        """Return those of the given rows, in their order."""
        return replace(self, ids=self.ids[rows])


def originals_of(table: PointTable, id_field: str | None) -> Originals:
    """Name the records of a table by a field, or by their feature ids.

    Raises
    ------
    InputError
        If the field holds no whole numbers or text, or does not name each record once.
    """
    if not id_field:
        return Originals(make_field(ORIGINAL, "long"), table.ids, "")
    ids = table.columns[id_field]
    if ids.missing is not None or ids.kind == TEXT and (ids.values == "").any():
        raise InputError(
            tr(
                "Some records have no id in the field “{field}” (ID_FIELD). Choose a field that "
                "names every record, or leave it empty to use feature ids."
            ).format(field=id_field)
        )
    ids = ids.narrowed()
    if ids.kind in (NUMBER, WHOLE) and _inexact(ids.values):
        raise InputError(
            tr(
                "The field “{field}” (ID_FIELD) holds numbers so large that their last digits are "
                "lost when they are read. Choose another field, or store these ids as text."
            ).format(field=id_field)
        )
    if ids.kind not in (TEXT, WHOLE):
        raise InputError(
            tr(
                "The field “{field}” (ID_FIELD) holds neither whole numbers nor text, so it names "
                "nobody. Choose another field, or leave it empty to use feature ids."
            ).format(field=id_field)
        )
    _refuse_twice(ids[:], id_field)
    kind = "string" if ids.kind == TEXT else "long"
    return Originals(make_field(ORIGINAL, kind), ids, id_field)


def _inexact(numbers: np.ndarray) -> bool:
    """Return whether there are whole numbers that were read inexactly or that no key holds."""
    if numbers.dtype.kind == "f":
        return bool((np.isfinite(numbers) & (np.abs(numbers) > EXACT)).any())
    return numbers.dtype.kind == "O"  # beyond 64 bits


def _refuse_twice(ids: list, id_field: str) -> None:
    if len(set(ids)) == len(ids):
        return
    seen = set()
    twice = next(one for one in ids if one in seen or seen.add(one))
    raise InputError(
        tr(
            "The field “{field}” (ID_FIELD) holds the id {id} more than once, so it does not name "
            "one record. Choose a field that names each record once, or leave it empty to use "
            "feature ids."
        ).format(field=id_field, id=twice)
    )


def add_key(
    outputs,
    released: str,
    ids: Sequence,
    originals: Originals,
    xy: np.ndarray | None,
    crs: QgsCoordinateReferenceSystem,
) -> None:
    """Write the output ``KEY``, one row for each released record.

    Parameters
    ----------
    outputs : Outputs
    released : str
        Name of the field with the released ids: :data:`RELEASED` or :data:`RECORD`.
    ids : sequence
        The released ids.
    originals : Originals
        In the same order.
    xy : (n, 2) array or None
        Their places as they are stored; None where they are not known.
    crs : QgsCoordinateReferenceSystem
    """
    if not outputs.wanted("KEY"):
        return
    count = len(ids)
    if xy is None:
        xy, crs = np.full((count, 2), np.nan), QgsCoordinateReferenceSystem()
    outputs.add_table(
        "KEY",
        [released, originals.field, ID_FIELD, ORIGINAL_X, ORIGINAL_Y, CRS],
        [
            ids,
            originals.ids,
            [originals.id_field or None] * count,
            xy[:, 0],
            xy[:, 1],
            [crs_text(crs)] * count,
        ],
    )


def crs_text(crs: QgsCoordinateReferenceSystem) -> str | None:
    """Name a reference system so that any installation knows it; a user's own is spelt out."""
    if not crs.isValid():
        return None
    if crs.authid() and not crs.authid().startswith("USER:"):
        return crs.authid()
    return crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)


def refuse_repeated(ids: Sequence[str], layer: str, field: str) -> None:
    """Refuse ids of a layer, as text, of which one is there twice; those that are missing are none.

    Raises
    ------
    InputError
    """
    known = [one for one in ids if one != NULL_TEXT]
    if len(set(known)) < len(known):
        raise InputError(
            mark(
                "In {layer} an id is there twice, so that the field “{field}” does not say "
                "which record is which. Choose a field that names each record once."
            ),
            layer=layer,
            field=field,
        )


# --- reading ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Key:
    """A key table as it was read.

    Attributes
    ----------
    name : str
        Of the layer.
    original : dict of str to str
        Released id to original id, both as text; see :func:`...core.values.text_of`.
    id_field : str or None
        The field that the original ids are from, empty for the feature ids; None where the key
        does not say (it was written before keys did).
    places : dict of str to (float, float)
        Released id to the original's place, of those that have one.
    crs : QgsCoordinateReferenceSystem
    """

    name: str
    original: dict[str, str]
    id_field: str | None
    places: dict[str, tuple[float, float]]
    crs: QgsCoordinateReferenceSystem

    def __len__(self) -> int:
        return len(self.original)


def read_key(
    source: QgsProcessingFeatureSource, progress: Progress = silent, may_be_empty: bool = False
) -> Key:
    """Read a key table as text.

    Ids are compared as text (see :func:`...core.values.text_of`), since a CSV has no types.

    Raises
    ------
    InputError
        If the table lacks the fields of a key, names a released id twice, or has no rows and
        needs some.
    """
    fields = source.fields()
    # A .dbf cuts names after ten letters.
    released, original = (
        max(fields.lookupField(cut) for name in names for cut in (name, name[:10]))
        for names in ((RELEASED, RECORD), (ORIGINAL,))
    )
    if min(released, original) < 0:
        raise InputError(
            tr(
                "The key “{name}” must have the fields {released} (or {record}) and {original}; it "
                "has {fields}. Choose the private key table that was written with the release."
            ).format(
                name=source.sourceName(),
                released=RELEASED,
                record=RECORD,
                original=ORIGINAL,
                fields=", ".join(fields.names()) or tr("none"),
            )
        )
    more = [fields.lookupField(name) for name in (ID_FIELD, ORIGINAL_X, ORIGINAL_Y, CRS)]
    wanted = [released, original, *(position for position in more if position >= 0)]
    table = read_table(source, progress, [fields.at(position).name() for position in wanted])
    columns = dict(zip(wanted, table.columns.values()))
    if not len(table) and not may_be_empty:
        raise InputError(
            tr(
                "The key “{name}” has no rows, so it says of nobody who is who. Choose the key "
                "that was written with this release; without one nothing is scored."
            ).format(name=source.sourceName())
        )
    ids = columns[released].texts(NULL_TEXT)
    key: dict[str, str] = {}
    for one, its_original in zip(ids, columns[original].texts(NULL_TEXT)):
        if one in key:
            raise InputError(
                tr(
                    "The key names the released id {id} twice, so it belongs to no one release. "
                    "Choose the key that was written with this release."
                ).format(id=one)
            )
        key[one] = its_original
    id_field, x, y, crs = (columns.get(position) for position in more)
    system = _system(crs)
    return Key(
        source.sourceName(),
        key,
        None if id_field is None else _first_text(id_field),
        {} if x is None or y is None or system is None else _places(ids, x, y),
        system or QgsCoordinateReferenceSystem(),
    )


def _first_text(column: Column) -> str:
    return next((text for text in column.texts() if text is not None), "")


def _system(column: Column | None) -> QgsCoordinateReferenceSystem | None:
    """The reference system that a key names; an invalid one for none, None if unreadable."""
    text = "" if column is None else _first_text(column)
    system = QgsCoordinateReferenceSystem()
    if text and not system.createFromString(text):
        return None
    return system


def _places(ids: list[str], x: list, y: list) -> dict[str, tuple[float, float]]:
    places = {}
    for one, *place in zip(ids, x, y):
        try:
            east, north = map(float, place)
        except (TypeError, ValueError):
            continue  # NULL, or what a spreadsheet made of it
        if np.isfinite(east) and np.isfinite(north):
            places[one] = (east, north)
    return places
