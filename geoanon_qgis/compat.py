# SPDX-License-Identifier: GPL-2.0-or-later
"""The few places where QGIS 3.22 and later versions differ in spelling."""

from __future__ import annotations

from typing import Any

from qgis.core import NULL, Qgis, QgsField, QgsFields

#: Field types by the names used throughout the plugin.
if Qgis.QGIS_VERSION_INT >= 33800:
    from qgis.PyQt.QtCore import QMetaType

    FIELD_TYPES = {
        "int": QMetaType.Type.Int,
        "long": QMetaType.Type.LongLong,
        "double": QMetaType.Type.Double,
        "string": QMetaType.Type.QString,
        "bool": QMetaType.Type.Bool,
        "date": QMetaType.Type.QDate,
        "datetime": QMetaType.Type.QDateTime,
        "time": QMetaType.Type.QTime,
        "bytes": QMetaType.Type.QByteArray,
        "uint": QMetaType.Type.UInt,
        "ulong": QMetaType.Type.ULongLong,
    }
else:  # QgsField knows only QVariant's types there
    from qgis.PyQt.QtCore import QVariant

    FIELD_TYPES = {
        "int": QVariant.Type.Int,
        "long": QVariant.Type.LongLong,
        "double": QVariant.Type.Double,
        "string": QVariant.Type.String,
        "bool": QVariant.Type.Bool,
        "date": QVariant.Type.Date,
        "datetime": QVariant.Type.DateTime,
        "time": QVariant.Type.Time,
        "bytes": QVariant.Type.ByteArray,
        "uint": QVariant.Type.UInt,
        "ulong": QVariant.Type.ULongLong,
    }


#: The type of layers with features.
if Qgis.QGIS_VERSION_INT >= 33000:
    VECTOR_LAYER = Qgis.LayerType.Vector
else:
    from qgis.core import QgsMapLayerType

    VECTOR_LAYER = QgsMapLayerType.VectorLayer

_SINGLE = frozenset(FIELD_TYPES.values())


def holds_several(field: QgsField) -> bool:
    """Tell whether a field holds lists, mappings or the like, and not one value a record."""
    return field.type() not in _SINGLE


def make_field(name: str, kind: str) -> QgsField:
    """Return a field; ``kind`` is one of the keys of :data:`FIELD_TYPES`."""
    return QgsField(name, FIELD_TYPES[kind])


def make_fields(*fields: QgsField | tuple[str, str]) -> QgsFields:
    """Return a field list made of fields and of ``(name, kind)`` pairs."""
    result = QgsFields()
    for field in fields:
        result.append(make_field(*field) if isinstance(field, tuple) else QgsField(field))
    return result


def is_null(value: Any) -> bool:
    """Tell whether an attribute is NULL: a null QVariant with Qt 5, None with Qt 6."""
    return value is None or value == NULL


def strings_of(algorithm: Any, parameters: dict, name: str, context: Any) -> list[str]:
    """Return a parameter's texts, such as names of fields, as ``super()`` of an algorithm reads them."""
    read = getattr(algorithm, "parameterAsStrings", None) or algorithm.parameterAsFields
    return read(parameters, name, context)
