# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes layers and files of the described tables, in any format that can hold them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsField,
    QgsGeometry,
    QgsPoint,
    QgsProject,
    QgsVectorFileWriter,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QByteArray, QDate, QDateTime, Qt, QTime

from .tables import Table

#: Formats that tables are given in; memory is a layer of the project.
INPUT_ENDINGS = ["memory", ".gpkg", ".shp", ".geojson", ".csv", ".fgb", ".tab", ".sqlite"]
_MEMORY_TYPES = {
    "int": "int",
    "long": "long",
    "double": "double",
    "string": "string",
    "bool": "boolean",
    "date": "date",
    "time": "time",
    "datetime": "datetime",
    "binary": "binary",
    "list": "string[0,0]",
}
#: Options without which a format loses the places.
_LAYER_OPTIONS = {".csv": ["GEOMETRY=AS_WKT", "CREATE_CSVT=YES"]}


@dataclass
class Given:
    """A table as an algorithm is given it.

    Attributes
    ----------
    table : Table
    layer : QgsVectorLayer
        What QGIS reads, of the file where there is one.
    value : object
        The parameter's value: a path or the layer's id.
    path : Path or None
    """

    table: Table
    layer: QgsVectorLayer
    value: Any
    path: Path | None

    def name_of(self, name: str) -> str:
        """What the format has made of a field's name."""
        here = self.layer.fields().names()
        by_small = {one.lower(): one for one in here}
        return by_small.get(name.lower()) or by_small.get(name.lower()[:10]) or name


def memory_layer(table: Table) -> QgsVectorLayer:
    """The table as a memory layer."""
    layer = QgsVectorLayer(table.kind, table.name, "memory")
    crs = QgsCoordinateReferenceSystem(table.crs) if table.crs else QgsCoordinateReferenceSystem()
    layer.setCrs(crs)
    fields = [_field(name, kind) for name, kind in table.fields]
    layer.dataProvider().addAttributes(fields)
    layer.updateFields()
    features = []
    for shape, row in zip(table.shapes, table.rows):
        feature = QgsFeature(layer.fields())
        geometry = _geometry(shape, table.kind)
        if geometry is not None:
            feature.setGeometry(geometry)
        feature.setAttributes(
            [_attribute(value, kind) for value, (_, kind) in zip(row, table.fields)]
        )
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    layer.updateExtents()
    return layer


def give(table: Table, folder: Path, ending: str) -> Given:
    """Write the table in a format; where that cannot hold it, it is a memory layer."""
    layer = memory_layer(table)
    if ending != "memory":
        path = folder / (table.name + ending)
        options = QgsVectorFileWriter.SaveVectorOptions()
        options.driverName = QgsVectorFileWriter.driverForExtension(ending)
        options.layerName = table.name
        options.layerOptions = _LAYER_OPTIONS.get(ending, [])
        error, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(
            layer, str(path), QgsProject.instance().transformContext(), options
        )
        written = QgsVectorLayer(str(path), table.name, "ogr") if not error else None
        if (
            written is not None
            and written.isValid()
            and sum(1 for _ in written.getFeatures()) == len(table)
            and (written.isSpatial() or table.kind == "NoGeometry")
            and written.crs().isValid() == layer.crs().isValid()
        ):
            return Given(table, written, str(path), path)
        for left in folder.glob(f"{table.name}.*"):
            left.unlink()
    QgsProject.instance().addMapLayer(layer, False)
    return Given(table, layer, layer.id(), None)


def _field(name: str, kind: str) -> QgsField:
    field = QgsField(_of_kind(kind))
    field.setName(name)
    return field


@cache
def _of_kind(kind: str) -> QgsField:
    of = "string[]" if kind == "list" else _MEMORY_TYPES[kind]
    made = QgsVectorLayer(f"NoGeometry?field=a:{of}", "a", "memory")
    return QgsField(made.fields().at(0))


def _geometry(shape: Any, kind: str) -> QgsGeometry | None:
    if shape is None or kind == "NoGeometry":
        return None
    if shape == "EMPTY":
        return (
            QgsGeometry(QgsPoint())
            if kind.startswith("Point")
            else QgsGeometry.fromWkt(f"{kind.upper()} EMPTY")
        )
    if isinstance(shape, str):
        return QgsGeometry.fromWkt(shape)
    return QgsGeometry(QgsPoint(*shape[:4]))


def _attribute(value: Any, kind: str) -> Any:
    if value is None:
        return None
    iso = Qt.DateFormat.ISODate
    make = {
        "date": lambda: QDate.fromString(value, iso),
        "time": lambda: QTime.fromString(value, iso),
        "datetime": lambda: QDateTime.fromString(value, iso),
        "binary": lambda: QByteArray(value),
    }.get(kind, lambda: value)
    return make()
