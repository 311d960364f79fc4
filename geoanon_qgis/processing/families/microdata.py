# SPDX-License-Identifier: GPL-2.0-or-later
"""What the algorithms on microdata share: which fields take part, as what, and read how.

Records come as columns of plain values; where places take part, x and y are two more variables,
in a plane where a metre is a metre.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from qgis.core import QgsField, QgsFields, QgsProcessingFeatureSource, QgsWkbTypes

from ...compat import FIELD_TYPES, make_field
from ...core.columns import column_of
from ...core.identifying import reason_of_name
from ...core.microdata.coding import COMPLETE, MISSING, Coding
from ...core.microdata.observations import CONTINUOUS, KINDS, POSITIVE, observed, refuse_ids
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, shares, silent, weighted
from ...core.space.planes import Plane
from ...core.values import DATE, NUMBER, TRUTH, WHOLE
from ..dialog import parameters
from ..i18n import tr
from ..layers import keys
from ..layers.attributes import Choice, choose
from ..layers.reading import PointTable, read_points, read_table
from .day_numbers import measures_of
from .named_parts import named_parts

#: Names under which formats keep the number of a row.
_ROW_IDS = ("fid", "ogc_fid")
#: Values that are looked at to tell numbers from words.
_SAMPLE = 500


# --- parameters ---------------------------------------------------------------------------------


def kinds_parameter():
    """Which kind of variable each field is."""
    return parameters.text(
        "KINDS",
        tr("Kinds of the fields"),
        tr(
            "What each field is: continuous, positive (numbers above 0, taken as logarithms), "
            "ordinal, binary or categorical, as in age=ordinal, income=positive. Fields that are "
            "not named here are guessed from the data; dates are days since 1970-01-01, and with "
            "ordinal only days that there are come out. The log has the whole list with the "
            "guesses, ready to be changed and given here."
        ),
        advanced=True,
    )


def missing_parameter():
    """What becomes of missing values."""
    return parameters.choice(
        "MISSING",
        tr("Missing values"),
        tr(
            "dummy: that a value is missing is a variable of its own, and no record is left out. "
            "complete: records that lack a value of any of the fields are left out and counted."
        ),
        list(MISSING),
        "dummy",
    )


def geometry_parameter(help: str):
    """Whether x and y take part."""
    return parameters.boolean("USE_GEOMETRY", tr("Places take part"), help, False)


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
    for part, name, said in named_parts(text, fields):
        kind = said.lower()
        if kind not in KINDS:
            raise InputError(
                tr(
                    "“{part}” says no kind of a field. Write it as in age=ordinal; the kinds are "
                    "{kinds}."
                ).format(part=part, kinds=", ".join(KINDS))
            )
        if name not in fields:
            raise InputError(
                tr(
                    "The kinds name the field “{name}”, which is not among those that take part."
                ).format(name=name)
            )
        found[name] = kind
    return found


def write_kinds(coding: Coding, without: Sequence[str] = ()) -> str:
    """Write the kinds as :func:`read_kinds` reads them."""
    return ", ".join(
        (f'"{one.name}"' if re.search("[,;=]", one.name) else one.name) + f"={one.kind}"
        for one in coding.variables
        if one.name not in without
    )


def kinds_sentence(coding: Coding, without: Sequence[str] = ()) -> str:
    """What the log says of the kinds, guessed and given."""
    return tr("Kinds of the fields (KINDS), guessed where none was given: {kinds}.").format(
        kinds=write_kinds(coding, without)
    )


def usable(fields: QgsFields) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """Names of the fields that hold numbers, text, dates or truth values; others with a reason."""
    good = {FIELD_TYPES["string"], FIELD_TYPES["bool"], FIELD_TYPES["date"]}
    names = [one.name() for one in fields if one.isNumeric() or one.type() in good]
    why = tr("it holds neither numbers, dates nor text")
    return names, tuple((one.name(), why) for one in fields if one.name() not in names)


def choose_fields(
    records: PointTable,
    asked_for: list[str],
    named: Iterable[str],
    unusable: Iterable[tuple[str, str]],
    others: Sequence[str],
    progress: Progress = silent,
    id_field: str | None = None,
) -> Choice:
    """Which fields are anonymised and released: those asked for, or all that name nobody.

    Fields that the user gave a kind (``named``) count as asked for; ``unusable`` are those that
    cannot take part, with the reason. ``id_field`` goes into the key and is never released.
    """
    withheld = dict(unusable)
    named = {*named} - {id_field}
    of_ids, of_choice = weighted(progress, 1, 1)
    if asked_for:
        withheld = {name: why for name, why in withheld.items() if name not in asked_for}
    else:
        ids = tr("its values are all different, as those of an id are; give its kind if it is none")
        for name, ahead in zip(records.columns, shares(of_ids, len(records.columns))):
            if name == id_field:
                continue
            if records.columns[name].is_empty:
                withheld[name] = tr("it holds no value at all")
            elif name not in named and not reason_of_name(name) and _is_id(records, name, ahead):
                withheld[name] = ids
    return choose(
        records,
        asked_for,
        id_field,
        others,
        insisted=named,
        withheld=withheld,
        numbers_change=True,
        progress=of_choice,
    )


def _is_id(records: PointTable, name: str, progress: Progress) -> bool:
    progress(0.0)
    values = records.columns[name]
    column = observed(name, measures_of(values))
    progress(0.8)
    try:
        refuse_ids(column, CONTINUOUS if values.kind == DATE else None)
    except InputError:
        return True
    return False


# --- reading ------------------------------------------------------------------------------------


def is_point_layer(source: QgsProcessingFeatureSource) -> bool:
    """Tell whether the source holds points."""
    return QgsWkbTypes.geometryType(source.wkbType()) == QgsWkbTypes.GeometryType.PointGeometry


def read_records(
    source: QgsProcessingFeatureSource,
    context,
    progress: Progress,
    names: Iterable[str],
    places: bool,
    crs=None,
    shown: bool = False,
) -> PointTable:
    """Read records; where places take part, only those that have one, in ``crs`` if given.

    Where they take none, they are looked at only to be ``shown``: in the source's system, NaN
    where a record has none.

    Raises
    ------
    InputError
        If there are no records, or places are to take part and the source holds no points.
    """
    if places:
        if not is_point_layer(source):
            raise InputError(
                tr(
                    "“{name}” is no point layer, so places cannot take part. Choose a point layer, "
                    "run “Centroids” first, or leave the places out."
                ).format(name=source.sourceName())
            )
        records = read_points(source, context, progress, names, crs)
    else:
        table = read_table(source, progress, names, shown)
        xy = np.zeros((len(table), 2)) if table.xy is None else table.xy
        records = PointTable(table.ids, xy, table.columns, table.fields, source.sourceCrs())
    if len(records) == 0:
        raise InputError(
            tr(
                "“{name}” has no records to work with. Choose another layer, or select some."
            ).format(name=source.sourceName())
        )
    return records


def numbers_as_text(table: Mapping[str, np.ndarray], fields: QgsFields) -> list[str]:
    """Say which fields hold numbers written as text: a CSV without types has no others."""
    names = [name for name, values in table.items() if _looks_numeric(values)]
    long = [name for name in names if is_number(fields, name)]
    names = [name for name in names if name not in long]
    said = []
    if names:
        said.append(
            tr(
                "Text that looks like numbers is taken as categories: {fields}. If these are "
                "numbers, turn them into some first (“Refactor fields”)."
            ).format(fields=", ".join(names))
        )
    if long:
        said.append(
            tr(
                "Whole numbers of more than 15 digits are taken as categories, which keeps every "
                "digit: {fields}. If these are measures, say so in KINDS (continuous)."
            ).format(fields=", ".join(long))
        )
    return said


def is_number(fields: QgsFields, name: str) -> bool:
    """Tell whether a field is there and holds numbers."""
    at = fields.indexOf(name)
    return at >= 0 and fields.at(at).isNumeric()


def _looks_numeric(values: np.ndarray) -> bool:
    if values.dtype != object:
        return False
    some = {value for value in values[:_SAMPLE].tolist() if value is not None}
    if len(some) < 3 or not all(isinstance(value, str) for value in some):
        return False
    try:
        return all(np.isfinite(float(value)) for value in some)
    except ValueError:
        return False


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
    kinds: Mapping[str, str] | None = None,
) -> dict[str, np.ndarray]:
    """The table that the engine works on: fields, and x and y in the plane where they take part."""
    names, kinds = list(names), kinds or {}
    table = {}
    for number, name in enumerate(names):
        progress(number / (len(names) + 1))
        exact = kinds.get(name) not in (CONTINUOUS, POSITIVE)
        table[name] = measures_of(records.columns[name], exact)
    if place is not None:
        table.update(zip(place, plane.forward(records.xy).T))
    return table


# --- writing ------------------------------------------------------------------------------------


def refuse_taken_names(names: Iterable[str]) -> None:
    """Refuse fields that are called as the new ids are, or as formats call the row.

    Raises
    ------
    InputError
        Naming the field. Formats do not tell upper from lower case.
    """
    for name in names:
        if name.lower() == keys.RECORD:
            raise InputError(
                tr(
                    "A field is called {name}, as the new ids are. Rename it, or leave it out."
                ).format(name=name)
            )
        if name.lower() in _ROW_IDS:
            raise InputError(
                tr(
                    "“{name}” is the number of the row in the original file: it names every "
                    "record. Leave it out."
                ).format(name=name)
            )


def as_field(
    name: str, values: np.ndarray, whole: bool = False, numeric: bool = False
) -> tuple[QgsField, Sequence]:
    """A field for values as the engine releases them, and the values as they are written.

    Parameters
    ----------
    name : str
    values : (n,) array
    whole : bool
        Whether floats are whole numbers.
    numeric : bool
        Whether text stands for whole numbers; see :meth:`...core.columns.Column.measures`.
    """
    column = column_of(name, values)
    if whole or numeric:
        there = [None if value is None else int(value) for value in column.objects()]
        column = column_of(name, there)
    elif values.dtype == object:
        column = column.narrowed()
    if column.kind == NUMBER:
        return make_field(name, "double"), column.numbers()
    return make_field(name, {TRUTH: "bool", WHOLE: "long"}.get(column.kind, "string")), column


# --- what reports say of the fields --------------------------------------------------------------


def settings_of(coding: Coding, place: Sequence[str] | None) -> list[tuple]:
    """Rows for the reports' table of fields: name, kind, why, columns, missing."""
    rows = []
    for one in coding.variables:
        why = (
            tr("coordinate, in the plane")
            if one.name in (place or ())
            else (tr("guessed: {why}").format(why=one.why) if one.why else tr("as given"))
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


def inputs_named(
    original: str, anonymized: str, fields: Sequence[str], kinds: str = "", places: bool = False
) -> str:
    """The parameters with which the algorithms that compare two tables read them, filled in."""
    return ", ".join(
        [
            f"ORIGINAL={original}",
            f"ANONYMIZED={anonymized or tr('the anonymised records')}",
            *([f"FIELDS={';'.join(fields)}"] if fields else []),
            *([f"KINDS={kinds}"] if kinds else []),
            *(["USE_GEOMETRY=true"] if places else []),
        ]
    )
