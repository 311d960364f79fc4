# SPDX-License-Identifier: GPL-2.0-or-later
"""Opens and closes what features are written to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureSink,
    QgsFields,
    QgsVectorFileWriter,
)

from .formats import Format

#: GDAL's option for how carefully SQLite writes.
_SYNCHRONOUS = "OGR_SQLITE_SYNCHRONOUS"


def open_file(
    path: Path,
    kind: Format,
    fields: QgsFields,
    wkb_type: Any,
    crs: QgsCoordinateReferenceSystem,
    context,
    wishes: dict[str, Any],
) -> QgsVectorFileWriter:
    """Return a writer of a new file; its ``hasError`` tells whether that is of use.

    QGIS's own sinks choose the format by the ending, and miss some, and call the file otherwise.

    Parameters
    ----------
    path : Path
        Ends with what the format wants.
    kind : Format
    fields : QgsFields
    wkb_type : QgsWkbTypes.Type
    crs : QgsCoordinateReferenceSystem
    context : QgsProcessingContext
    wishes : dict
        What the user chose in the dialog: ``fileEncoding``, ``layerName``.
    """
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = kind.driver_name()
    encoding = str(wishes.get("fileEncoding") or "")
    # the system's may not hold all letters, and loses the others without a word
    options.fileEncoding = "UTF-8" if encoding.lower() in ("", "system") else encoding
    options.layerName = str(wishes.get("layerName") or kind.layer_name(path, wkb_type))
    options.layerOptions, options.datasourceOptions = kind.options_for(fields, wkb_type)
    return QgsVectorFileWriter.create(
        str(path), fields, wkb_type, crs, context.transformContext(), options
    )


def close(holder: list[QgsFeatureSink]) -> str:
    """Close the only sink in ``holder``; return GDAL's complaint, '' when there is none.

    What fails while a file is closed, QGIS does not tell. GDAL keeps one error a thread.
    """
    gdal.ErrorReset()
    holder.clear()
    return gdal.GetLastErrorMsg() if gdal.GetLastErrorType() >= gdal.CE_Failure else ""


@contextmanager
def not_waiting_for_the_disk() -> Iterator[None]:
    """Have SQLite write new files of this thread without waiting until the disk has them.

    A slow disk takes half a second for an empty GeoPackage, in which nobody could cancel; and
    nobody reads a staged file before it is whole.
    """
    if not hasattr(gdal, "GetThreadLocalConfigOption"):  # older bindings: then it is waited for
        yield
        return
    before = gdal.GetThreadLocalConfigOption(_SYNCHRONOUS)
    gdal.SetThreadLocalConfigOption(_SYNCHRONOUS, "OFF")
    try:
        yield
    finally:
        gdal.SetThreadLocalConfigOption(_SYNCHRONOUS, before)
