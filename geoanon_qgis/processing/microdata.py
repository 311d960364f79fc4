# SPDX-License-Identifier: GPL-2.0-or-later
"""What the algorithms on microdata share: which fields take part, as what, and read how.

Records come as columns of plain values; where places take part, x and y are two more variables,
in a plane where a metre is a metre.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from qgis.core import QgsField, QgsFields, QgsProcessingFeatureSource, QgsWkbTypes

from ..compat import FIELD_TYPES, is_null, make_field
from ..core import identifying
from ..core.errors import InputError
from ..core.microdata.coding import COMPLETE, MISSING, Coding, learn_coding
from ..core.microdata.columns import CATEGORICAL, KINDS, as_column, refuse_ids
from ..core.progress import Progress, part, silent
from ..core.space import Plane
from . import keys, planes
from . import parameters as make
from .attributes import Choice, choose
from .base import GeoAnonAlgorithm
from .i18n import tr
from .reading import PointTable, read_points, read_table

#: Parts of ``age=ordinal, "income, net"=positive``.
_PART = re.compile(r'(?:"[^"]*"|[^,;\n"])+')
#: Share of records of the reference from which on a difference in size matters.
_SIZE = 0.2


# --- parameters ---------------------------------------------------------------------------------


def kinds_parameter(fields: str):
    """Which kind of variable each field is."""
    return make.advanced(make.text("KINDS", tr("Kinds of the fields"), tr(
        "What each field is: continuous, positive (numbers above 0, taken as logarithms), ordinal, "
        "binary or categorical, as in age=ordinal, income=positive. Fields that are not named "
        "here are guessed from the data; the log has the whole list with the guesses, ready to be "
        "changed and given here.")))  # fmt: skip


def missing_parameter():
    """What becomes of missing values."""
    return make.choice("MISSING", tr("Missing values"), tr(
        "dummy: that a value is missing is a variable of its own, and no record is left out. "
        "complete: records that lack a value of any of the fields are left out and counted."),
        list(MISSING), "dummy")  # fmt: skip


def geometry_parameter(help: str):
    """Whether x and y take part."""
    return make.boolean("USE_GEOMETRY", tr("Places take part"), help, False)


# --- which fields, of which kind ----------------------------------------------------------------


def read_kinds(text: str, fields: Iterable[str]) -> dict[str, str]:
    """Read ``age=ordinal, income=positive``.

    Raises
    ------
    InputError
        If a part cannot be read, or names no field or no kind.
    """
    fields = set(fields)
    found: dict[str, str] = {}
    for written in _PART.findall(text or ""):
        if not written.strip():
            continue
        name, equals, kind = written.rpartition("=")
        name, kind = name.strip().strip('"'), kind.strip().lower()
        if not equals or kind not in KINDS:
            raise InputError(
                tr("“{part}” says no kind of a field. Write it as in age=ordinal; the kinds are "
                   "{kinds}.").format(part=written.strip(), kinds=", ".join(KINDS))
            )  # fmt: skip
        if name not in fields:
            raise InputError(
                tr("The kinds name the field “{name}”, which is not among those that take part.")
                .format(name=name)
            )  # fmt: skip
        found[name] = kind
    return found


def write_kinds(coding: Coding, without: Sequence[str] = ()) -> str:
    """Write the kinds as :func:`read_kinds` reads them."""
    return ", ".join(
        (f'"{one.name}"' if re.search('[,;=]', one.name) else one.name) + f"={one.kind}"
        for one in coding.variables
        if one.name not in without
    )


def kinds_sentence(coding: Coding, without: Sequence[str] = ()) -> str:
    """What the log says of the kinds, guessed and given."""
    return tr("Kinds of the fields (KINDS), guessed where none was given: {kinds}.").format(
        kinds=write_kinds(coding, without)
    )


def usable(fields: QgsFields) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """Names of the fields that hold numbers, text or truth values; the others with a reason."""
    good = {FIELD_TYPES["string"], FIELD_TYPES["bool"]}
    names = [one.name() for one in fields if one.isNumeric() or one.type() in good]
    why = tr("it holds neither numbers nor text")
    return names, tuple((one.name(), why) for one in fields if one.name() not in names)


def choose_fields(
    records: PointTable, asked_for: list[str], named: Iterable[str], unusable
) -> Choice:
    """Which fields are anonymised and released: those asked for, or all that name nobody.

    Fields that the user gave a kind (``named``) count as asked for.
    """
    if asked_for:
        return choose(records, asked_for)
    named = set(named)
    choice = choose(records, [])
    back = [(name, why) for name, why in choice.dropped if name in named]
    names = [name for name in records.columns if name in {*choice.kept, *dict(back)}]
    dropped = [pair for pair in choice.dropped if pair[0] not in named]
    return Choice(tuple(names), (*dropped, *unusable), tuple(back))


# --- reading ------------------------------------------------------------------------------------


def is_point_layer(source: QgsProcessingFeatureSource) -> bool:
    """Tell whether the source holds points."""
    return (
        QgsWkbTypes.geometryType(source.wkbType()) == QgsWkbTypes.GeometryType.PointGeometry
    )


def read_records(
    source: QgsProcessingFeatureSource,
    context,
    progress: Progress,
    names: Iterable[str],
    places: bool,
    crs=None,
) -> PointTable:
    """Read records; where places take part, only those that have one, in ``crs`` if given.

    Raises
    ------
    InputError
        If there are no records, or places are to take part and the source holds no points.
    """
    if places:
        if not is_point_layer(source):
            raise InputError(
                tr("“{name}” is no point layer, so places cannot take part. Choose a point layer, "
                   "run “Centroids” first, or leave the places out.").format(
                    name=source.sourceName())
            )  # fmt: skip
        records = read_points(source, context, progress, names, crs)
    else:
        table = read_table(source, progress, names)
        nowhere = np.zeros((len(table), 2))
        records = PointTable(table.ids, nowhere, table.columns, table.fields, source.sourceCrs())
    if len(records) == 0:
        raise InputError(
            tr("“{name}” has no records to work with. Choose another layer, or select some.")
            .format(name=source.sourceName())
        )  # fmt: skip
    return records


def values_of(column: list, field: QgsField) -> np.ndarray:
    """Return the values of a field as the engine takes them: None or NaN for NULL."""
    if field.isNumeric():
        try:
            return np.array(column, dtype=np.float64)
        except (TypeError, ValueError):  # NULL among them, with Qt 5
            return np.array([np.nan if is_null(value) else value for value in column], float)
    values = np.empty(len(column), dtype=object)
    values[:] = [
        value if isinstance(value, str) else None if is_null(value) else value for value in column
    ]
    return values


def place_names(taken: Iterable[str]) -> tuple[str, str]:
    """Names for the variables x and y that no field has."""
    taken = {name.lower() for name in taken}
    names = ("x", "y")
    while taken & {*names}:
        names = ("place " + names[0], "place " + names[1])
    return names


def table_of(
    records: PointTable,
    names: Iterable[str],
    plane: Plane | None = None,
    place: tuple[str, str] | None = None,
    progress: Progress = silent,
) -> dict[str, np.ndarray]:
    """The table that the engine works on: fields, and x and y in the plane where they take part."""
    names = list(names)
    table = {}
    for number, name in enumerate(names):
        progress(number / (len(names) + 1))
        table[name] = values_of(records.columns[name], records.fields.field(name))
    if place is not None:
        table.update(zip(place, plane.forward(records.xy).T))
    return table


# --- writing ------------------------------------------------------------------------------------


def as_field(name: str, values: np.ndarray, whole: bool = False) -> tuple[QgsField, Sequence]:
    """A field for values as the engine releases them, and the values as they are written."""
    kind = values.dtype.kind
    if kind == "b":
        return make_field(name, "bool"), values.tolist()
    if kind in "iu":
        return make_field(name, "long"), values
    if kind == "f":
        if not whole:
            return make_field(name, "double"), values
        return make_field(name, "long"), [
            None if value != value else int(value) for value in values.tolist()
        ]
    there = [value for value in values.tolist() if value is not None]
    if there and not any(isinstance(value, str) for value in there):
        numbers = np.array([np.nan if value is None else value for value in values], float)
        return as_field(name, numbers, bool((numbers[~np.isnan(numbers)] % 1 == 0).all()))
    return make_field(name, "string"), values.tolist()


# --- original against release -------------------------------------------------------------------


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
    """

    name: str
    records: PointTable
    coded: np.ndarray
    rows: np.ndarray

    @property
    def dropped(self) -> int:
        """Records that lack a value and could not be coded."""
        return len(self.records) - len(self.rows)


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
    """

    original: Side
    anonymized: Side
    reference: Side | None
    coding: Coding
    place: tuple[str, str] | None
    plane: Plane | None
    sentences: list[str]
    warnings: list[str]


class ComparingAlgorithm(GeoAnonAlgorithm):
    """Base of the algorithms that compare an original with what was released of it."""

    GROUP = "microdata"
    REQUIRES = ("scipy",)

    def tables(self) -> list:
        """Parameters: the tables, and how they are read."""
        return [
            make.table("ORIGINAL", tr("Original"), tr(
                "The original records: a table or a layer.")),
            make.table("ANONYMIZED", tr("Anonymised"), tr(
                "The anonymised records, as they are to be released. Fields are found by their "
                "names, in whatever order; a categorical field may also have been released as the "
                "probabilities of its categories.")),
            *self.more_tables(),
            make.fields("FIELDS", tr("Fields"), tr(
                "The fields of the original that are compared. Leave empty for all that both "
                "tables have, but ids."), "ORIGINAL"),
            kinds_parameter("ORIGINAL"),
            missing_parameter(),
        ]  # fmt: skip

    def more_tables(self) -> list:
        """Parameters of further tables."""
        return []

    def read(self, parameters, context, feedback, progress: Progress) -> Compared:
        """Read and code the tables.

        Raises
        ------
        InputError
            If they have no fields in common, or cannot be coded alike.
        """
        sources = [
            self.source(parameters, name, context)
            for name in ("ORIGINAL", "ANONYMIZED", "REFERENCE")
            if self.parameterDefinition(name) is not None
        ]
        sources += [None] * (3 - len(sources))
        original, anonymized, reference = sources
        places = self.parameterAsBool(parameters, "USE_GEOMETRY", context)
        asked_for = self.field_names(parameters, "FIELDS", context, original)
        given = read_kinds(
            self.parameterAsString(parameters, "KINDS", context),
            asked_for or original.fields().names(),
        )
        missing = self.parameterAsEnumString(parameters, "MISSING", context)
        candidates = asked_for or usable(original.fields())[0]
        records = read_records(original, context, part(progress, 0, 0.3), candidates, places)
        self.tell_left_out(records, feedback)
        there = set(anonymized.fields().names())
        if asked_for:
            names, said = asked_for, []
        else:
            names, said = _shared(records, there, given)
        if not names and not places:
            raise InputError(
                tr("“{one}” and “{other}” have no field in common that says something of the "
                   "records. Choose the table that was made from this original, with fields of the "
                   "same names.").format(
                    one=original.sourceName(), other=anonymized.sourceName())
            )  # fmt: skip
        given = {name: kind for name, kind in given.items() if name in names}
        place = place_names(names) if places else None
        plane = planes.plane_of(records.xy, records.crs) if places else None
        if places:
            given.update(dict.fromkeys(place, "continuous"))
            said.append(planes.describe(plane, records.crs))
        table = table_of(records, names, plane, place, part(progress, 0.3, 0.35))
        coding = learn_coding(table, given, missing, part(progress, 0.35, 0.4))
        first = Side(original.sourceName(), records, *coding.encode(table))
        others = []
        for number, source in enumerate((anonymized, reference)):
            ahead = part(progress, 0.4 + 0.3 * number, 0.7 + 0.3 * number)
            if source is None:
                others.append(None)
                continue
            others.append(self._side(source, coding, names, plane, place, records.crs, context,
                                     feedback, ahead))  # fmt: skip
        said.insert(0, kinds_sentence(coding, place or ()))
        warnings = _about(first, others[0], others[1])
        return Compared(first, others[0], others[1], coding, place, plane, said, warnings)

    def _side(self, source, coding: Coding, names, plane, place, crs, context, feedback,
              progress) -> Side:  # fmt: skip
        """Read another table as the original was."""
        available = set(source.fields().names())
        wanted = []
        for name in names:
            shares = coding.probability_fields.get(name, [])
            use_shares = name not in available and shares and available.issuperset(shares)
            wanted += shares if use_shares else [name]
        lost = [name for name in wanted if name not in available]
        if lost:
            raise InputError(
                tr("“{table}” has no field {fields}, which the original has. Original, anonymised "
                   "and reference table need the same fields, in whatever order; or choose FIELDS "
                   "that all of them have.").format(
                    table=source.sourceName(), fields=", ".join(f"“{one}”" for one in lost))
            )  # fmt: skip
        names_of_ids = [name for name in (keys.RECORD, keys.RELEASED) if name in available]
        records = read_records(
            source, context, part(progress, 0, 0.7),
            dict.fromkeys([*wanted, *names_of_ids, *self.id_fields(source)]), place is not None,
            crs,
        )  # fmt: skip
        self.tell_left_out(records, feedback)
        table = table_of(records, wanted, plane, place, part(progress, 0.7, 0.8))
        try:
            coded, rows = coding.encode(table, part(progress, 0.8, 1.0))
        except InputError as error:
            raise InputError(f"“{source.sourceName()}”: {error}") from error
        return Side(source.sourceName(), records, coded, rows)

    def id_fields(self, source) -> list[str]:
        """Further fields to read of the anonymised table."""
        return []


def _shared(
    records: PointTable, there: set[str], given: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """Fields of the original that the release has too, without ids; and what is said of them."""
    names, ids = [], []
    for name in records.columns:
        values = None
        if name not in there:
            if not any(one.startswith(f"{name}_") for one in there):
                continue
            values = values_of(records.columns[name], records.fields.field(name))
            if not _released_as_shares(name, values, there):
                continue
        if name not in given:
            values = values_of(records.columns[name], records.fields.field(name))
            nowhere = np.zeros((1, 2))
            try:
                if identifying.identifying_reason(name, [None], nowhere) == identifying.NAMED_ID:
                    raise InputError(name)
                refuse_ids(as_column(name, values), None)
            except InputError:
                ids.append(name)
                continue
        names.append(name)
    said = []
    if ids:
        said.append(
            tr("Not compared, as they look like ids or hold no numbers or text: {fields}. Name "
               "fields to decide yourself.").format(fields=", ".join(ids))
        )  # fmt: skip
    return names, said


def _released_as_shares(name: str, values: np.ndarray, there: set[str]) -> bool:
    try:
        coding = learn_coding({name: values}, {name: CATEGORICAL})
    except InputError:
        return False
    return there.issuperset(coding.probability_fields[name])


def _about(original: Side, anonymized: Side, reference: Side | None) -> list[str]:
    """What must not go unsaid of the tables."""
    said = []
    for side in filter(None, (original, anonymized, reference)):
        if side.dropped:
            said.append(
                tr("{count:,} of {all:,} records of “{name}” lack a value and take no part.").format(
                    count=side.dropped, all=len(side.records), name=side.name)
            )  # fmt: skip
    if reference is not None:
        sizes = len(reference.rows), len(anonymized.rows)
        if max(sizes) > (1 + _SIZE) * min(sizes):
            said.append(
                tr("The reference has {one:,} records and the release {other:,}. With more records "
                   "some lie nearer to anything: take samples of about the same size.").format(
                    one=sizes[0], other=sizes[1])
            )  # fmt: skip
    return said


def settings_of(coding: Coding, place: Sequence[str] | None) -> list[tuple]:
    """Rows for the reports' table of fields: name, kind, why, columns, missing."""
    rows = []
    for one in coding.variables:
        why = tr("coordinate, in the plane") if one.name in (place or ()) else (
            tr("guessed: {why}").format(why=one.why) if one.why else tr("as given")
        )
        columns = one.columns.stop - one.columns.start
        rows.append((one.name, one.kind, why, columns, one.missing))
    return rows


def missing_words(coding: Coding) -> str:
    """The policy for missing values, in words."""
    if coding.missing == COMPLETE:
        return tr("Records that lack a value are left out (complete cases).")
    return tr(
        "A missing category is a category of its own; a missing number is taken as the mean, and "
        "that it is missing is a variable of its own."
    )


