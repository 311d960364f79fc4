# SPDX-License-Identifier: GPL-2.0-or-later
"""Whose records are whose, where people have several; and signs that they have, where nobody says so."""

from __future__ import annotations

from functools import partial

import numpy as np
from qgis.core import QgsFields

from ...core.microdata.people import People
from ...core.microdata.several import tells_people
from ...core.runtime.progress import Progress, interruptible
from ..dialog import parameters
from ..i18n import number_of, tr
from ..running import Given, Run
from .comparing import Compared, Side
from .microdata import usable

#: The parameter with the field that says whose a record is.
PERSON = "PERSON_FIELD"


def inputs() -> list:
    """Return the parameter."""
    return [
        parameters.field(
            PERSON,
            tr("Field with the person's id"),
            tr(
                "Where people have several records (visits, prescriptions): the field of the originals "
                "that says whose a record is. People are counted then, each is looked up by all of her "
                "records, and these are no control. REFERENCE should have it, too. It is not compared. "
                "Leave empty if each record is of another person."
            ),
            "ORIGINAL",
        )
    ]


def refusal(given: Given) -> str | None:
    """Say why the field cannot be taken, before anything is read."""
    person = given.field(PERSON)
    for name in ("FIELDS", "KNOWN", "SECRET_FIELDS"):
        if person and person in given.fields(name):
            return tr(
                "“{field}” says whose a record is (PERSON_FIELD), and is in {name} as well. It is not "
                "compared; choose it as one of them only."
            ).format(field=person, name=name)
    return None


def person_field(run: Run) -> list[str]:
    """The field, if one was chosen."""
    person = run.field(PERSON, run.source("ORIGINAL"))
    return [person] if person else []


def besides(run: Run) -> list[str]:
    """Fields of the originals that are read and not compared: the person's id, or what may be one."""
    if person_field(run):
        return person_field(run)
    fields: QgsFields = run.source("ORIGINAL").fields()
    whole = {name for name in usable(fields)[0] if not _has_decimals(fields.field(name))}
    return [name for name in whole if name.lower() != "fid"]


def _has_decimals(field) -> bool:
    return field.isNumeric() and field.typeName().lower() in ("real", "double", "float")


def of_originals(run: Run, pair: Compared) -> People | None:
    """Whose record each original is, which is told; None where nobody says so."""
    person = run.field(PERSON, run.source("ORIGINAL"))
    return None if not person else _people(pair, pair.original, person)


def of_reference(run: Run, pair: Compared) -> People | None:
    """Whose record each of the reference is; None without one, or where it does not say so."""
    person = run.field(PERSON, run.source("ORIGINAL"))
    if not person or pair.reference is None:
        return None
    if person not in pair.reference.records.columns:
        pair.warnings.append(
            tr(
                "“{name}” has no field “{field}” (PERSON_FIELD), so each of its records is taken to be of "
                "another person. Of the originals one record of each person is looked up then, and what "
                "all of hers tell together was not tried."
            ).format(name=pair.reference.name, field=person)
        )
        return None
    return _people(pair, pair.reference, person)


def _people(pair: Compared, side: Side, person: str) -> People:
    column = side.records.columns[person]
    texts = column.texts()
    # Who has no id is somebody else each.
    values = np.array([f"0{row}" if one is None else f"1{one}" for row, one in enumerate(texts)])
    people = People.numbered(values[side.rows])
    missing = 0 if column.missing is None else int(column.missing[side.rows].sum())
    pair.sentences.append(
        tr("“{name}”: {records} of {people} (PERSON_FIELD={field}).").format(
            name=side.name,
            records=number_of(len(side.rows), "record", "records"),
            people=number_of(people.count, "person", "people"),
            field=person,
        )
    )
    if missing:
        pair.warnings.append(
            tr(
                "{records} of “{name}” without a value in “{field}” (PERSON_FIELD): each is taken to be "
                "of another person."
            ).format(records=number_of(missing, "record", "records"), name=side.name, field=person)
        )
    return people


def looks_like_people(run: Run, pair: Compared, progress: Progress) -> str:
    """A field of the originals that says whose record each is, by what these say; empty for none."""
    compared = {one.name for one in pair.coding.variables}
    original = pair.original
    for name in besides(run):
        if name in compared or name not in original.records.columns:
            continue
        if interruptible(partial(_tells, pair, name), progress, 0.0):
            return name
    return ""


def _tells(pair: Compared, name: str) -> bool:
    original = pair.original
    column = original.records.columns[name]
    if column.is_empty or column.missing is not None:
        return False
    people = People.numbered(column.countable()[original.rows])
    return tells_people(people, original.coded, pair.coding.variables)
