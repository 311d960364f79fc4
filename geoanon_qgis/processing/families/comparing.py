# SPDX-License-Identifier: GPL-2.0-or-later
"""Original and anonymised records side by side: read with the same fields, coded alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ...core.microdata.coding import Coding
from ...core.microdata.learning import coding_of_all, learn_coding
from ...core.microdata.observations import CONTINUOUS
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, weighted
from ...core.space.planes import Plane
from ..base import GeoAnonAlgorithm
from ..dialog import notes, parameters
from ..i18n import number_of, tr
from ..layers import keys, planes
from ..layers.reading import PointTable, holds_points
from .comparable_fields import like_the_original, shared
from .day_numbers import with_kinds
from .microdata import (
    inputs_named,
    kinds_parameter,
    kinds_sentence,
    missing_parameter,
    numbers_as_text,
    place_names,
    read_kinds,
    read_records,
    table_of,
    usable,
)

#: Fields with the released ids; a .dbf cuts names after ten letters.
_ID_NAMES = (keys.RECORD, keys.RECORD[:10], keys.RELEASED)
#: Difference in size of reference and release from which on it matters.
_SIZE = 0.2


@dataclass(frozen=True)
class Side:
    """One of the tables that are compared.

    Attributes
    ----------
    name : str
        Of the layer.
    records : PointTable
        All of it.
    coded : (r, m) array
    rows : (r,) int array
        Records that are coded.
    table : dict of str to array
        The variables of all records, as the engine takes them.
    """

    name: str
    records: PointTable
    coded: np.ndarray
    rows: np.ndarray
    table: dict[str, np.ndarray]

    @property
    def as_coded(self) -> tuple[np.ndarray, np.ndarray]:
        """The coded records, and which they are."""
        return self.coded, self.rows

    @property
    def dropped(self) -> int:
        """Records that lack a value and could not be coded."""
        return len(self.records) - len(self.rows)

    def released_ids(self, field: str | None = None) -> list:
        """Ids of the coded records: of ``field``, else as they were released, else of QGIS."""
        columns = self.records.columns
        name = next((name for name in (field, *_ID_NAMES) if name in columns), None)
        return list((self.records.ids if name is None else columns[name])[self.rows])


class Read(NamedTuple):
    """A table before it is coded: its name, and records and table as of a :class:`Side`."""

    name: str
    records: PointTable
    table: dict[str, np.ndarray]

    def coded(self, coding: Coding, progress: Progress) -> Side:
        try:
            coded, rows = coding.encode(self.table, progress)
        except InputError as error:
            raise InputError("“{name}”: {error}", name=self.name, error=error.sentence) from error
        return Side(self.name, self.records, coded, rows, self.table)


@dataclass(frozen=True)
class Compared:
    """Tables of the same fields, coded as the original is.

    Attributes
    ----------
    original, anonymized : Side
    reference : Side or None
    coding : Coding
    place : (str, str) or None
        Names of the variables x and y.
    plane : Plane or None
        In which x and y are.
    sentences, warnings : list of str
    untried : tuple of str
        Fields that original and release have and that are not compared, as ids are not; where the
        algorithm asks for them.
    """

    original: Side
    anonymized: Side
    reference: Side | None
    coding: Coding
    place: tuple[str, str] | None
    plane: Plane | None
    sentences: list[str]
    warnings: list[str]
    untried: tuple[str, ...] = ()


class ComparingAlgorithm(GeoAnonAlgorithm):
    """Base of the algorithms that compare an original with what was released of it."""

    GROUP = "microdata"
    REQUIRES = ("scipy",)
    #: Tables, the original first, whose places are looked at even where they take no part,
    #: if all of these hold points.
    PLACES_OF = 1
    #: Whether fields are read, too, that original and release have and that are not compared.
    READS_UNTRIED = False

    def tables(self) -> list:
        """Parameters: the tables, and how they are read."""
        return [
            parameters.table(
                "ORIGINAL", tr("Original"), tr("The original records: a table or a layer.")
            ),
            notes.judged(
                parameters.table(
                    "ANONYMIZED",
                    tr("Anonymised"),
                    tr(
                        "The anonymised records, as they are to be released. Fields are found by "
                        "their names, in whatever order; a categorical field may also have been "
                        "released as the probabilities of its categories."
                    ),
                )
            ),
            *self.more_tables(),
            parameters.fields(
                "FIELDS",
                tr("Fields (none chosen: all that both have, but ids)"),
                tr(
                    "The fields of the original that are compared. Leave empty for all that both "
                    "tables have, but ids."
                ),
                "ORIGINAL",
            ),
            kinds_parameter(),
            missing_parameter(),
        ]

    def more_tables(self) -> list:
        """Parameters of further tables."""
        return []

    def beside(self, run) -> list[str]:
        """Fields of the original that are read and not compared."""
        return []

    def never_compared(self, run) -> list[str]:
        """Fields that are not compared, though all tables have them; they are read."""
        return []

    def same_inputs(self, given, pair: Compared) -> str:
        """Return what was read as parameters, for the next algorithm that compares the same."""
        return inputs_named(
            pair.original.name,
            pair.anonymized.name,
            given.fields("FIELDS"),
            given.text("KINDS"),
            pair.place is not None,
        )

    def read(self, run, progress: Progress, ids=None) -> Compared:
        """Read and code the tables; ``ids`` (a ``Correspondence``) says which fields hold those.

        Raises
        ------
        InputError
            If they have no fields in common, or cannot be coded alike.
        """
        of_original, of_names, of_table, of_coding, *of_others, of_coded, of_one, of_two = weighted(
            progress, 30, 2, 4, 2, 24, 24, 2, 6, 6
        )
        of_sides = of_one, of_two
        sources = [
            run.source(name)
            for name in ("ORIGINAL", "ANONYMIZED", "REFERENCE")
            if self.parameterDefinition(name) is not None
        ]
        sources += [None] * (3 - len(sources))
        original, anonymized, reference = sources
        places = run.flag("USE_GEOMETRY")
        asked_for = run.fields("FIELDS", original)
        given = read_kinds(run.text("KINDS"), asked_for or original.fields().names())
        asked_kinds = list(given)
        missing = run.choice("MISSING")
        beside = self.beside(run)
        never = self.never_compared(run)
        candidates = asked_for or [one for one in usable(original.fields())[0] if one not in never]
        shown = all(map(holds_points, sources[: self.PLACES_OF]))
        there = set(anonymized.fields().names())
        others = [
            name
            for name in usable(original.fields())[0]
            if self.READS_UNTRIED and name in there and name.lower() != "fid"
        ]
        ids_of = ids.of_originals() if ids else ()
        wanted = list(dict.fromkeys([*candidates, *ids_of, *others, *beside]))
        records = read_records(original, run.context, of_original, wanted, places, shown=shown)
        run.tell_left_out(records)
        if asked_for:
            names, said, lost = asked_for, [], []
        else:
            said = []
            read = {name: records.columns[name] for name in candidates}
            names, lost = shared(read, there, given, of_names)
        if not names and not places:
            raise InputError(
                tr(
                    "“{one}” and “{other}” have no field in common that says something of the "
                    "records. Choose the table that was made from this original, with fields of "
                    "the same names."
                ).format(one=original.sourceName(), other=anonymized.sourceName())
            )
        untried = tuple(name for name in others if name not in names)
        given = {name: kind for name, kind in given.items() if name in names}
        given = with_kinds({name: records.columns[name] for name in names}, given)
        place = place_names(names) if places else None
        plane = planes.plane_of(records.xy, records.crs) if places else None
        if places:
            given.update(dict.fromkeys(place, CONTINUOUS))
            said.append(planes.describe(plane, records.crs))
        table = table_of(records, names, plane, place, of_table, given)
        run.warn(*numbers_as_text(table, records.fields))
        coding = learn_coding(table, given, missing, of_coding)
        others_read: list[Read | None] = []
        looked_at = (shown and self.PLACES_OF > 1, shown and self.PLACES_OF > 2)
        for source, ahead, look in zip((anonymized, reference), of_others, looked_at):
            if source is None:
                others_read.append(None)
                continue
            besides = [one for one in never if one in source.fields().names()]
            besides += [] if others_read else untried
            args = (source, coding, names, besides, plane, place, records.crs)
            others_read.append(self._other(*args, run, ahead, look, ids))
        tables = [one.table for one in others_read if one is not None]
        coding = coding_of_all(coding, table, tables, given, asked_kinds)
        first = Side(original.sourceName(), records, *coding.encode(table, of_coded), table)
        sides = [
            None if one is None else one.coded(coding, ahead)
            for one, ahead in zip(others_read, of_sides)
        ]
        said.insert(0, kinds_sentence(coding, place or ()))
        warnings = [*lost, *_about(coding, first, *sides)]
        return Compared(first, *sides, coding, place, plane, said, warnings, untried)

    def _other(
        self, source, coding: Coding, names, besides, plane, place, crs, run, progress, shown, ids
    ) -> Read:
        """Read another table as the original was."""
        of_records, of_table = weighted(progress, 7, 1)
        available = set(source.fields().names())
        wanted = []
        for name in names:
            shares = coding.probability_fields.get(name, [])
            use_shares = name not in available and shares and available.issuperset(shares)
            wanted += shares if use_shares else [name]
        lost = [name for name in wanted if name not in available]
        if lost:
            raise InputError(
                tr(
                    "“{table}” has no field {fields}, which the original has. Original, anonymised "
                    "and reference table need the same fields, in whatever order; or choose FIELDS "
                    "that all of them have."
                ).format(table=source.sourceName(), fields=", ".join(f"“{one}”" for one in lost))
            )
        names_of_ids = [name for name in _ID_NAMES if name in available]
        records = read_records(
            source,
            run.context,
            of_records,
            dict.fromkeys(
                [*wanted, *besides, *names_of_ids, *(ids.of_released(source) if ids else ())]
            ),
            place is not None,
            crs,
            shown,
        )
        run.tell_left_out(records)
        kinds = {one.name: one.kind for one in coding.variables}
        table = table_of(records, wanted, plane, place, of_table, kinds)
        levels = {one.name: one.levels for one in coding.variables}
        for name in wanted:
            table[name] = like_the_original(table[name], levels.get(name, (0.0,)))
        return Read(source.sourceName(), records, table)


def _about(coding: Coding, original: Side, anonymized: Side, reference: Side | None) -> list[str]:
    """What must not go unsaid of the tables."""
    said = []
    for side in filter(None, (original, anonymized, reference)):
        if side.dropped:
            said.append(
                tr(
                    "Without a value, and so taking no part: {count:,} of {all} of “{name}”."
                ).format(
                    count=side.dropped,
                    name=side.name,
                    all=number_of(len(side.records), "record", "records"),
                )
            )
        blanks = coding.blanks(side.coded)
        if blanks:
            said.append(
                tr(
                    "Of “{name}” {count:,} of {all} lack a number that every original has: where whole "
                    "records are compared it is taken for the mean."
                ).format(
                    count=blanks,
                    name=side.name,
                    all=number_of(len(side.records), "record", "records"),
                )
            )
    if reference is not None:
        sizes = len(reference.rows), len(anonymized.rows)
        if max(sizes) > (1 + _SIZE) * min(sizes):
            said.append(
                tr(
                    "The reference has {one} and the release {other:,}. With more records some lie "
                    "nearer to anything: take samples of about the same size."
                ).format(one=number_of(sizes[0], "record", "records"), other=sizes[1])
            )
    return said
