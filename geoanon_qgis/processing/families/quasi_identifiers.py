# SPDX-License-Identifier: GPL-2.0-or-later
"""Quasi-identifiers and sensitive fields of a table: how they are asked for, read and coded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core.aggregation.categories import Encoder
from ...core.aggregation.coarsening import (
    MONTH,
    QUARTER,
    YEAR,
    Level,
    blank_as_missing,
    dates_by,
    ladder,
)
from ...core.aggregation.people import People
from ...core.aggregation.sensitive_values import SensitiveValues, ranks, sensitive_values
from ...core.columns import Column
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, shares
from ...core.values import NUMBER, TEMPORAL, WHOLE
from ..dialog import parameters
from ..dialog.rules import GIVEN
from ..i18n import mark, number_of, tr
from ..layers.reading import Table
from . import grouping

AS_THEY_ARE = "as_they_are"
#: The field that tells whose records they are.
PERSON = "PERSON_FIELD"
#: How dates are counted.
DATES = (AS_THEY_ARE, MONTH, QUARTER, YEAR)


def inputs() -> list:
    """Parameters: groups, dates, sensitive fields and what is asked of them, the population."""
    return [
        grouping.parameter(),
        dates_parameter(
            tr(
                "as_they_are: every day is a category of its own; or grouped, by month, quarter or "
                "year. Text that looks like a date stays text."
            )
        ),
        *sensitive_inputs(
            "INPUT",
            tr(
                "What nobody is to learn of a person, such as a diagnosis. For each class it is "
                "told how many different values it has (l-diversity), and how far their shares are "
                "from those of the whole table (t-closeness). A missing value hides nobody."
            ),
        ),
        parameters.number(
            "SAMPLING_FRACTION",
            tr("Share of the population in the table"),
            tr(
                "Such as 0.02 for a survey of 2 %, everybody with the same chance. It is then "
                "estimated how many unique records are of people who are unique in the "
                "population. 1: the table holds everybody. Empty: not estimated."
            ),
            None,
            0.0,
            1.0,
            optional=True,
            advanced=True,
        ),
        parameters.field(
            PERSON,
            tr("Field with the person's id, where people have several records"),
            tr(
                "Visits, admissions, prescriptions: k records of one person hide nobody. With this "
                "field people are counted, and “records” in what is told are people. Leave empty "
                "where every record is another person."
            ),
            "INPUT",
        ),
    ]


def dates_parameter(help: str):
    """Parameter: how dates are counted."""
    return parameters.choice(
        "DATES", tr("Dates are counted"), help, list(DATES), AS_THEY_ARE, advanced=True
    )


def sensitive_inputs(parent: str, help: str) -> list:
    """Parameters: sensitive fields of a source, and what is asked of them."""
    return [
        parameters.fields("SENSITIVE", tr("Sensitive fields"), help, parent),
        parameters.integer(
            "L",
            tr("Fewest different sensitive values in a class (l)"),
            tr(
                "With fewer, the verdict is “do not release”. With 2, no class may share one "
                "value, nor “no” of a rare illness; with 1 nothing is asked for. With PERSON_FIELD "
                "people count, and those with several values have each of them: it is the fewest "
                "values of which everybody in the class has one."
            ),
            2,
            1,
            advanced=True,
            only_when={"SENSITIVE": GIVEN},
        ),
        parameters.number(
            "T",
            tr("Farthest from the whole table (t)"),
            tr(
                "How far the values of a class may be from those of the whole table, 0 to 1 (earth "
                "mover's distance; of numbers near values count as near). Empty: anything."
            ),
            None,
            0.0,
            1.0,
            optional=True,
            advanced=True,
            only_when={"SENSITIVE": GIVEN},
        ),
    ]


def prepared(run, table: Table, names: Sequence[str]) -> tuple[Table, list[str]]:
    """Return the table as it is counted, and what is said of it.

    Empty text is a missing value, dates are by what was chosen, groups take the place of values.

    Raises
    ------
    InputError
        If the table of groups does not fit.
    """
    how = run.choice("DATES")
    columns = {name: blank_as_missing(column) for name, column in table.columns.items()}
    if how != AS_THEY_ARE:
        columns = {name: dates_by(column, how) for name, column in columns.items()}
    recoding = grouping.read(run, names)
    return grouping.recoded(replace(table, columns=columns), recoding)


def person_field(run, source, names: Sequence[str]) -> str | None:
    """The field with the person's id; None without one.

    Raises
    ------
    InputError
        If it is one of the fields that are looked at.
    """
    person = run.field(PERSON, source)
    if person in names:
        raise InputError(
            mark(
                "“{field}” is the person's id (PERSON_FIELD), and a quasi-identifier or sensitive as "
                "well. Choose it as one of them only."
            ),
            field=person,
        )
    return person or None


def people_of(
    column: Column, of_person: np.ndarray, record_class: np.ndarray
) -> tuple[People, list[str], list[str]]:
    """Who is in which class, what is to be said of it, and what to warn of."""
    people = People.of(record_class, of_person)
    said = [
        tr(
            "{records} of {people}. Who has several in a class counts once in it: “records” are "
            "people in what follows, but for the rows of OUTPUT."
        ).format(
            records=number_of(len(column), "record", "records"),
            people=number_of(int(of_person.max()) + 1, "person", "people"),
        )
    ]
    missing = 0 if column.missing is None else int(column.missing.sum())
    if not missing:
        return people, said, []
    return (
        people,
        said,
        [
            tr("{count} without a person's id: all of them count as one person.").format(
                count=number_of(missing, "record", "records")
            )
        ],
    )


def is_grouped(given) -> bool:
    """Tell whether the table is counted otherwise than it stands."""
    return given.choice("DATES") != AS_THEY_ARE or given.has(grouping.GROUPS)


@dataclass(frozen=True)
class Coded:
    """One field as categories.

    Attributes
    ----------
    name : str
    kind : str
        Of the column.
    codes : (n,) int array
    categories : tuple
        Values by code, None for a missing one.
    missing : int
        Records without a value.
    """

    name: str
    kind: str
    codes: np.ndarray
    categories: tuple
    missing: int

    @classmethod
    def of(cls, column: Column, progress: Progress) -> Coded:
        """Code a column."""
        column = column.narrowed()
        encoder = Encoder(column.name)
        codes = encoder.codes(column, progress)
        return cls(column.name, column.kind, codes, encoder.categories, encoder.null_count)

    def ladder(self) -> list[Level]:
        """Its coarser forms."""
        return ladder(self.kind, self.categories, np.bincount(self.codes))


def coded(table: Table, names: Sequence[str], progress: Progress) -> list[Coded]:
    """Code the fields of these names."""
    steps = shares(progress, max(len(names), 1))
    return [Coded.of(table.columns[name], ahead) for name, ahead in zip(names, steps)]


def sensitive_fields(run, source, names: Sequence[str]) -> list[str]:
    """The sensitive fields that were asked for.

    Raises
    ------
    InputError
        If one of them is a quasi-identifier, too: who knows it has nothing to learn.
    """
    wanted = run.fields("SENSITIVE", source)
    both = [name for name in wanted if name in names]
    if both:
        raise InputError(
            mark(
                "“{field}” is a quasi-identifier (QIS) and sensitive (SENSITIVE). Whoever knows it "
                "has nothing to learn; choose one."
            ),
            field=both[0],
        )
    return wanted


def looked_at(
    column: Column,
    of_record: np.ndarray,
    classes: int,
    progress: Progress,
    person: np.ndarray | None = None,
) -> SensitiveValues:
    """Look at a sensitive field in each class, by people where it is known whose records are whose.

    Codes are in the order of numbers and dates.
    """
    one = Coded.of(column, progress)
    ordered = one.kind in (WHOLE, NUMBER, *TEMPORAL)
    rank = ranks(one.categories, ordered)
    return sensitive_values(one.name, of_record, rank[one.codes], classes, ordered, person=person)
