# SPDX-License-Identifier: GPL-2.0-or-later
"""Whose records are whose, where people have several; and signs that they have, where nobody says so."""

from __future__ import annotations

from functools import partial

import numpy as np
from qgis.core import QgsFields

from ...core.columns import Column
from ...core.microdata.people import People
from ...core.microdata.several import tells_people
from ...core.runtime.progress import Progress, interruptible, silent
from ..dialog import parameters
from ..i18n import number_of, tr
from ..layers.reading import PointTable
from ..running import Given, Run
from .comparing import Compared, Side
from .microdata import usable

#: The parameter with the field that says whose a record is.
PERSON = "PERSON_FIELD"


def of_measured() -> list:
    """Return the parameter of what measures."""
    return _inputs(
        "ORIGINAL",
        tr(
            "Where people have several records (visits, prescriptions): the field of the originals "
            "that says whose a record is. People are counted then, each is looked up by all of her "
            "records, and these are no control. REFERENCE should have it, too. It is not compared. "
            "Leave empty if each record is of another person."
        ),
    )


def of_released() -> list:
    """Return the parameter of what makes a release."""
    return _inputs(
        "INPUT",
        tr(
            "Where people have several records (visits, prescriptions): the field that says whose a "
            "record is. Distributions are smoothed by people then: a value that one has in all of "
            "her records is not one that many have. It is never released. Leave empty if each "
            "record is of another person."
        ),
    )


def _inputs(layer: str, help: str) -> list:
    return [parameters.field(PERSON, tr("Field with the person's id"), help, layer)]


def is_released(given: Given) -> str | None:
    """Say that the field is one of those to be released."""
    name = _named_in(given, "FIELDS", "KEPT_FIELDS")
    if not name:
        return None
    return tr(
        "“{field}” says whose a record is (PERSON_FIELD), and is in {name} as well. It is "
        "never released; choose it as one of them only."
    ).format(field=given.field(PERSON), name=name)


def _named_in(given: Given, *names: str) -> str:
    """The first parameter that names the field too, however it is spelt; empty for none."""
    person = (given.field(PERSON) or "").lower()
    fields = {name: {one.lower() for one in given.fields(name)} for name in names}
    return next((name for name in names if person and person in fields[name]), "")


def never_released() -> str:
    """Why the field is not among those released."""
    return tr("it says whose a record is (PERSON_FIELD)")


def of_records(run: Run, records: PointTable, said: list[str], progress: Progress) -> People | None:
    """The person of each record that is to be released, which is told; None where each has one."""
    source = run.source("INPUT")
    person = run.field(PERSON, source)
    rows = np.arange(len(records))
    people, sentence, warnings = people_of(
        records.columns[person], person, source.sourceName(), rows, progress
    )
    said.append(sentence)
    run.warn(*warnings)
    return people if people.count < len(rows) else None


def settings(people: People | None) -> list[tuple[str, object]]:
    """Return how many people there are, for a report."""
    return [] if people is None else [(tr("People, who have several records"), people.count)]


def refusal(given: Given) -> str | None:
    """Say why the field cannot be taken, before anything is read."""
    name = _named_in(given, "FIELDS", "KNOWN", "SECRET_FIELDS")
    if not name:
        return None
    return tr(
        "“{field}” says whose a record is (PERSON_FIELD), and is in {name} as well. It is not "
        "compared; choose it as one of them only."
    ).format(field=given.field(PERSON), name=name)


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
    people, sentence, warnings = people_of(
        side.records.columns[person], person, side.name, side.rows
    )
    pair.sentences.append(sentence)
    pair.warnings.extend(warnings)
    return people


def people_of(
    column: Column, person: str, name: str, rows: np.ndarray, progress: Progress = silent
) -> tuple[People, str, list[str]]:
    """Whose record each of some rows of a layer is; in a sentence, and with warnings.

    Parameters
    ----------
    column : Column
    person, name : str
        The field, and the layer.
    rows : (n,) int array
    progress : callable
    """

    def named() -> People:
        texts = column.texts()
        return People.named([texts[row] for row in rows])

    people = interruptible(named, progress)
    missing = 0 if column.missing is None else int(column.missing[rows].sum())
    sentence = tr("“{name}”: {records} of {people} (PERSON_FIELD={field}).").format(
        name=name,
        records=number_of(len(rows), "record", "records"),
        people=number_of(people.count, "person", "people"),
        field=person,
    )
    warnings = []
    if missing:
        warnings.append(
            tr(
                "{records} of “{name}” without a value in “{field}” (PERSON_FIELD): each is taken to be "
                "of another person."
            ).format(records=number_of(missing, "record", "records"), name=name, field=person)
        )
    return people, sentence, warnings


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
