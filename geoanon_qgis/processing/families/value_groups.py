# SPDX-License-Identifier: GPL-2.0-or-later
"""Coarser values of the records of an aggregation: groups by a table, dates by month or year."""

from __future__ import annotations

from ...core.runtime.errors import InputError
from ..i18n import tr
from ..layers.grouped_records import GroupedRecords
from ..layers.records import Records
from . import grouping
from .counting import Wish
from .quasi_identifiers import AS_THEY_ARE, dates_parameter

VALUE_GROUPS = "VALUE_GROUPS"


def parameters() -> list:
    """Return the parameters."""
    return [
        grouping.parameter(
            VALUE_GROUPS,
            tr(
                "A table with the columns field, value and group: in the field of that name, among "
                "the quasi-identifiers or FIELDS, each value is counted and released as its group, such "
                "as diagnoses by chapter. Every value that occurs needs a row. For numbers in classes, "
                "GROUPS is shorter."
            ),
        ),
        dates_parameter(
            tr(
                "Of the quasi-identifiers and FIELDS. as_they_are: every day is a value of its own; or "
                "counted and released by month, quarter or year. Text that looks like a date stays text."
            )
        ),
    ]


def in_use(given) -> list[str]:
    """The parameters that are in use."""
    dates = ["DATES"] if given.choice("DATES") != AS_THEY_ARE else []
    return dates + ([VALUE_GROUPS] if given.has(VALUE_GROUPS) else [])


def grouped(run, records: Records, wish: Wish) -> Records:
    """Return records with coarser values, where that is asked for.

    Raises
    ------
    InputError
        If the table of groups does not fit, or a field is grouped twice.
    """
    if not in_use(run):
        return records
    recoding = grouping.read(run, list(records.kinds), name=VALUE_GROUPS)
    twice = [name for name in wish.groups or () if recoding and name in recoding.groups]
    if twice:
        raise InputError(
            tr(
                "“{name}” has groups in GROUPS and in VALUE_GROUPS. Give them in one of the two."
            ).format(name=twice[0])
        )
    how = run.choice("DATES")
    fields = [*wish.qis, *wish.attributes]
    return GroupedRecords(records, fields, recoding, "" if how == AS_THEY_ARE else how)


def told(run, records: Records) -> tuple[list[str], list[str]]:
    """Return what is said of the groups once the records were read, and what to warn of."""
    if not isinstance(records, GroupedRecords):
        return [], []
    said = [
        grouping.told(name, values, groups) for name, (values, groups) in records.changed.items()
    ]
    warned = []
    if "DATES" in in_use(run) and not records.dated:
        warned.append(
            tr(
                "DATES changed nothing: no quasi-identifier and none of FIELDS holds dates. Text that "
                "looks like a date stays text."
            )
        )
    if run.has(VALUE_GROUPS) and not records.changed.keys() - records.dated:
        warned.append(
            tr(
                "VALUE_GROUPS changed nothing: its fields are neither quasi-identifiers nor among FIELDS."
            )
        )
    return said, warned
