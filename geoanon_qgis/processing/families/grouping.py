# SPDX-License-Identifier: GPL-2.0-or-later
"""Coarser attributes of a release: a table says which values become one group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from ...compat import make_field, make_fields
from ...core.microdata.recoding import Recoding
from ...core.runtime.errors import InputError
from ..dialog import parameters
from ..i18n import mark, number_of, tr
from ..layers.reading import PointTable, Table, read_table
from ..layers.values import label_of
from ..running import Run

AnyTable = TypeVar("AnyTable", PointTable, Table)
GROUPS = "GROUPS"
#: What the table has to hold.
_FIELDS = ("field", "value", "group")


def parameter(name: str = GROUPS, help: str = ""):
    """Return the parameter for the table of groups, with another name and help where given."""
    return parameters.table(
        name,
        tr("Groups of values"),
        help
        or tr(
            "A table with the columns field, value and group: in the field of that name, each "
            "value is released as its group, such as ages as classes of ten years. Every value "
            "that occurs needs a row. Coarser attributes leave more people who might be meant."
        ),
        optional=True,
        advanced=True,
    )


def read(
    run: Run, names: Sequence[str], id_field: str | None = None, name: str = GROUPS
) -> Recoding | None:
    """Return the groups that are asked for, None for none.

    Parameters
    ----------
    run : Run
    names : sequence of str
        Fields of the records.
    id_field : str, optional
        The one that names people, and cannot be grouped.
    name : str
        Of the parameter.

    Raises
    ------
    InputError
        If the table lacks a column, or does not fit the records.
    """
    source = run.source(name)
    if source is None:
        return None
    found = source.fields().names()
    columns = [next((one for one in found if one.lower() == name), None) for name in _FIELDS]
    if None in columns:
        raise InputError(
            mark(
                "The table of groups “{name}” has no column “{column}”. It needs the columns "
                "field, value and group."
            ),
            name=source.sourceName(),
            column=_FIELDS[columns.index(None)],
        )
    table = read_table(source, fields=columns)
    recoding = Recoding.of_rows(zip(*(table.columns[one][:] for one in columns)), label_of)
    recoding.refuse_other_fields(names)
    if id_field in recoding.groups:
        raise InputError(
            mark(
                "The field “{field}” names people (ID_FIELD) and cannot be grouped. Take it out of "
                "the table of groups."
            ),
            field=id_field,
        )
    return recoding


def recoded(table: AnyTable, recoding: Recoding | None) -> tuple[AnyTable, list[str]]:
    """Return a table with groups in the place of values, and a sentence for each field.

    Raises
    ------
    InputError
        If a value has no group.
    """
    if recoding is None:
        return table, []
    columns, said = dict(table.columns), []
    for name, column in table.columns.items():
        if name not in recoding.groups:
            continue
        columns[name] = recoding.column(column, label_of)
        said.append(told(name, set(column.texts()), set(columns[name][:])))
    fields = make_fields(
        *(
            make_field(one.name(), "string") if one.name() in recoding.groups else one
            for one in table.fields
        )
    )
    return replace(table, columns=columns, fields=fields), said


def told(name: str, values: set, groups: set) -> str:
    """Say how many values of a field became how many groups; None is no value."""
    return tr("{field}: {values} became {groups}.").format(
        field=name,
        values=number_of(len(values - {None}), "value", "values"),
        groups=number_of(len(groups - {None}), "group", "groups"),
    )
