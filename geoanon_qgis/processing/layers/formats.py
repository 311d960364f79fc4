# SPDX-License-Identifier: GPL-2.0-or-later
"""What can be written to which files, and what each kind of file would change without a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from qgis.core import QgsFields, QgsVectorFileWriter, QgsWkbTypes

from ...compat import FIELD_TYPES, is_null
from ...core.columns import Column
from ..i18n import tr

#: Beyond, a number in double precision is not any whole number.
_MOST_EXACT = 2**53
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_DATES = (FIELD_TYPES["date"], FIELD_TYPES["datetime"])


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Attributes
    ----------
    ending : str
        What QGIS's writer wants its names to end with; it adds it to all others.
    driver : str
        QGIS's name of it; '' for what the ending says.
    places, tables : bool
        Whether it holds features with and without geometry.
    layer_options : tuple of str
        Beyond those that QGIS sets.
    table_options : tuple of str
        GDAL's options for a file with a table.
    row_field : str
        The layer's own number of the row, where fields of that name could not be written.
    exact_integers, missing_numbers, dates : bool
        Whether it holds whole numbers beyond 2**53, missing numbers, and dates.
    longest_text : int
        In bytes; 0 for no limit.
    largest : float
        What a decimal number must not reach; 0 for no limit.
    plain_name : bool
        Whether the layer's name may hold letters of ASCII, digits and underscores only.
    text_above_text, names_no_numbers : bool
        When the first row is not taken for the names of the fields: above text alone, or with a
        number in it.
    without_rows : str or None
        What a file without features must hold so that it can be opened; '' for what QGIS's writer
        has left, None where nothing helps.
    places_only : bool
        Whether every feature must have a place: QGIS and GDAL leave others out, or put them at
        (0, 0), and say nothing.
    blank_places : bool
        Whether that is mended in the file, see :mod:`.csv_places`.
    many_layers : bool
        Whether a layer can be added to a file that is there.
    degrees : bool
        Whether GDAL takes coordinates of no system for degrees, and puts those beyond the globe
        elsewhere on it.
    """

    ending: str
    driver: str = ""
    places: bool = True
    tables: bool = True
    layer_options: tuple[str, ...] = ()
    table_options: tuple[str, ...] = ()
    row_field: str = ""
    exact_integers: bool = True
    missing_numbers: bool = True
    dates: bool = True
    longest_text: int = 0
    largest: float = 0.0
    plain_name: bool = False
    text_above_text: bool = False
    names_no_numbers: bool = False
    without_rows: str | None = ""
    places_only: bool = False
    blank_places: bool = False
    many_layers: bool = False
    degrees: bool = False

    def driver_name(self) -> str:
        """Return QGIS's name of the driver."""
        return self.driver or QgsVectorFileWriter.driverForExtension(self.ending[1:])

    def options_for(self, fields: QgsFields, wkb_type: Any) -> tuple[list[str], list[str]]:
        """Return GDAL's options for a layer, and for its file."""
        driver = self.driver_name()
        is_table = wkb_type == QgsWkbTypes.Type.NoGeometry
        layer = [*QgsVectorFileWriter.defaultLayerOptions(driver), *self.layer_options]
        if self.ending == ".csv" and not is_table:  # GDAL leaves them out unless it is told
            is_point = QgsWkbTypes.flatType(wkb_type) == QgsWkbTypes.Type.Point
            layer.append("GEOMETRY=AS_XY" if is_point else "GEOMETRY=AS_WKT")
        if self.row_field:
            taken = {name.lower() for name in fields.names()}
            row = _free(self.row_field, taken)
            layer += [f"FID={row}", f"GEOMETRY_NAME={_free('geom', {*taken, row})}"]
        file = [*QgsVectorFileWriter.defaultDatasetOptions(driver)]
        if is_table:
            file += self.table_options
        return _last_of_each(layer), _last_of_each(file)

    def layer_name(self, path: Path, wkb_type: Any) -> str:
        """Return what the layer must be called in the file, '' for what GDAL calls it.

        SQLite has a table of its own in every file, and GDAL opens the first by name. Where
        the name is that of an element or of a file within, not every letter may stand in it.
        """
        if self.plain_name:
            return re.sub(r"[^A-Za-z0-9_]|^(?=[^A-Za-z_])", "_", path.stem)
        ours = path.stem.lower() < "sqlite_sequence"
        is_table = wkb_type == QgsWkbTypes.Type.NoGeometry
        return "" if ours or not is_table or self.ending != ".sqlite" else "records"

    def would_change(
        self, fields: QgsFields, columns: Iterable[Sequence[Any]], ending: str
    ) -> str | None:
        """Return a sentence's part on what the file would not hold as it is, else None.

        Nobody looks for a number that has become another one.
        """
        heading = self._lost_heading(fields)
        if heading:
            return heading
        for field, column in zip(fields, columns):
            what = self._changed(field, column.distinct if isinstance(column, Column) else column)
            if what:
                return tr(
                    "the field {field} has {what} that files which end with “{ending}” cannot hold"
                ).format(field=field.name(), what=what, ending=ending)
        return None

    def _lost_heading(self, fields: QgsFields) -> str | None:
        text = FIELD_TYPES["string"]
        if self.text_above_text and all(field.type() == text for field in fields):
            return tr(
                "it has columns of text only, above which QGIS would take the names of the fields "
                "for a record"
            )
        for field in fields if self.names_no_numbers else ():
            if _NUMBER.fullmatch(field.name().strip()):
                return tr(
                    "the name of the field {field} is a number, so that QGIS would take the names "
                    "of the fields for a record"
                ).format(field=field.name())
        return None

    def _changed(self, field, column: Sequence[Any]) -> str | None:
        kind = field.type()
        if not self.dates and kind in _DATES:
            return tr("dates")
        if self.longest_text and kind == FIELD_TYPES["string"]:
            # no character takes more than four bytes
            longest = max(
                (
                    len(one.encode("utf-8", "replace"))
                    for one in column
                    if isinstance(one, str) and 4 * len(one) > self.longest_text
                ),
                default=0,
            )
            if longest > self.longest_text:
                return tr("texts of more than {most} bytes").format(most=self.longest_text)
        if kind == FIELD_TYPES["string"]:
            return None
        if not self.missing_numbers and _has_missing(column):
            return tr("missing values, which would become zeros,")
        if not self.exact_integers and kind == FIELD_TYPES["long"]:
            if _greatest(column, int) > _MOST_EXACT:
                return tr("whole numbers beyond {most:,}").format(most=_MOST_EXACT)
        if self.largest and kind == FIELD_TYPES["double"]:
            if _greatest(column, (int, float)) >= self.largest:
                return tr("numbers beyond {most:g}").format(most=self.largest)
        return None


_SHAPEFILE = Format(".shp", exact_integers=False, longest_text=254, largest=1e22)
_MAPINFO = {
    "exact_integers": False,
    "missing_numbers": False,
    "longest_text": 254,
    "places_only": True,
}
_SQLITE = Format(
    ".sqlite",
    row_field="ogc_fid",
    places_only=True,
    many_layers=True,
    layer_options=("LAUNDER=NO",),
    # without, GDAL finds no tables in it but those with places
    table_options=("METADATA=NO",),
)
_NOTHING = '{"type": "FeatureCollection", "features": []}\n'
_LINES = Format(".json", "GeoJSONSeq", tables=False, without_rows=_NOTHING)
_KML = {"exact_integers": False, "dates": False, "places_only": True, "degrees": True}

#: By the ending in small letters. Others have drivers too, but lose places, fields or features,
#: or cannot be read again.
_FORMATS = {
    ".gpkg": Format(".gpkg", row_field="fid", many_layers=True),
    ".shp": _SHAPEFILE,
    ".dbf": _SHAPEFILE,
    ".geojson": Format(".geojson"),
    ".json": Format(".geojson"),
    ".geojsonl": _LINES,
    ".geojsons": Format(
        ".json", "GeoJSONSeq", tables=False, layer_options=("RS=YES",), without_rows=_NOTHING
    ),
    ".fgb": Format(".fgb", tables=False, places_only=True),
    ".csv": Format(".csv", names_no_numbers=True, blank_places=True),
    ".sqlite": _SQLITE,
    ".db": _SQLITE,
    ".gml": Format(".gml", plain_name=True),
    ".tab": Format(".tab", **_MAPINFO),
    ".mif": Format(".mif", "MapInfo MIF", tables=False, **_MAPINFO),
    ".kml": Format(".kml", **_KML),
    ".kmz": Format(".kmz", plain_name=True, **_KML),
    ".gdb": Format(".gdb", exact_integers=False, many_layers=True),
    ".xlsx": Format(".xlsx", places=False, text_above_text=True),
    ".ods": Format(".ods", places=False, text_above_text=True, without_rows=None),
}


def of(path: Path) -> Format | None:
    """Return the kind of a file by its ending; None when layers are not written to such files."""
    return _FORMATS.get(path.suffix.lower())


def holds_one_layer(path: Path) -> bool:
    """Tell whether QGIS would make such a file anew instead of adding a layer to it."""
    kind = of(path)
    known = QgsVectorFileWriter.driverForExtension(path.suffix[1:])
    return bool(known) if kind is None else not kind.many_layers


def _free(name: str, taken: set[str]) -> str:
    """Return a name that no field has."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _last_of_each(options: Iterable[str]) -> list[str]:
    """Return options, each once; one without a value says nothing, but takes GDAL's own away."""
    last = {option.partition("=")[0]: option for option in options}
    return [option for option in last.values() if not option.endswith("=")]


def _has_missing(column: Sequence[Any]) -> bool:
    if isinstance(column, np.ndarray) and column.dtype.kind != "O":
        return column.dtype.kind == "f" and bool(np.isnan(column).any())
    return any(is_null(value) or value != value for value in column)


def _greatest(column: Sequence[Any], kinds: Any) -> float:
    """Return the greatest absolute value, 0 when there is none."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        finite = column[np.isfinite(column)] if column.dtype.kind == "f" else column
        return max(abs(one.item()) for one in (finite.min(), finite.max())) if len(finite) else 0
    return max((abs(one) for one in column if isinstance(one, kinds) and abs(one) >= 0), default=0)
