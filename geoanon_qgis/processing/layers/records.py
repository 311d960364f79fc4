# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables of millions of records, read once and batch by batch as arrays.

A GeoPackage that nothing is changed, filtered or selected in is read by OGR as columns, a
Parquet file or a folder of them by pyarrow; everything else by QGIS, feature by feature.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from qgis.core import (
    QgsFeatureRequest,
    QgsField,
    QgsProcessingFeatureSource,
)

from ...compat import FIELD_TYPES
from ...core.columns import Column, column_of
from ...core.records.parquet import ParquetTable, parquet_table
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, silent
from ...core.values import NUMBER, TEXT, WHOLE
from ..i18n import tr, translated
from . import fingerprints, whole_files

#: Rows in a batch: some hundredths of a second.
_ROWS = 65_536
_FEATURES = 4_000
#: Formats whose columns OGR reads with the types that QGIS shows.
_DRIVERS = {"GPKG", "Parquet", "Arrow"}
_WHOLE = (FIELD_TYPES["int"], FIELD_TYPES["long"], FIELD_TYPES["bool"])
_KINDS = {"long": WHOLE, "double": NUMBER, "string": TEXT}
_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


class Records:
    """A table of records; see the functions below for the ways to get one.

    Attributes
    ----------
    name : str
    kinds : mapping of str to str
        ``long``, ``double`` or ``string`` for each field.
    count : int
    warnings : tuple of str
        What is to be told of it, whatever is read.
    """

    warnings: tuple[str, ...] = ()

    def __init__(self, name: str, kinds: Mapping[str, str], count: int):
        self.name = name
        self.kinds = dict(kinds)
        self.count = max(0, int(count))

    def require(self, names: Sequence[str]) -> None:
        """Refuse names of fields that are not there."""
        missing = [name for name in names if name not in self.kinds]
        if missing:
            raise InputError(
                tr(
                    "The records “{table}” have no field {missing}. Their fields are: {fields}."
                ).format(
                    table=self.name,
                    missing=", ".join(f"“{name}”" for name in missing),
                    fields=", ".join(self.kinds) or tr("none"),
                )
            )

    def batches(
        self, names: Sequence[str], progress: Progress = silent
    ) -> Iterator[dict[str, Column]]:
        """Yield the columns of some fields, batch by batch."""
        done = 0
        progress(0.0)
        for batch, rows in self._read(list(dict.fromkeys(names))):
            yield batch
            done += rows
            progress(min(1.0, done / max(1, self.count)))

    def _read(self, names: list[str]) -> Iterator[tuple[dict[str, Column], int]]:
        raise NotImplementedError


# --- by QGIS ------------------------------------------------------------------------------------


def kind_of(field: QgsField) -> str:
    """How a field is read: dates and the like as text."""
    if field.type() in _WHOLE or (
        field.isNumeric() and field.precision() == 0 and field.type() != FIELD_TYPES["double"]
    ):
        return "long"
    return "double" if field.isNumeric() else "string"


class _Features(Records):
    """Any source that QGIS knows."""

    def __init__(self, source: QgsProcessingFeatureSource):
        kinds = {field.name(): kind_of(field) for field in source.fields()}
        super().__init__(source.sourceName(), kinds, source.featureCount())
        self._source = source

    def _read(self, names):
        positions = [self._source.fields().lookupField(name) for name in names]
        request = QgsFeatureRequest()
        request.setSubsetOfAttributes(positions)
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
        features = self._source.getFeatures(request, _NO_CHECKS)
        fingerprint = fingerprints.begin(self._source, names)
        while True:
            rows = [feature.attributes() for feature in islice(features, _FEATURES)]
            if not rows:
                fingerprint.end()
                return
            columns = {
                name: column_of(name, [row[position] for row in rows])
                for name, position in zip(names, positions)
            }
            fingerprint.add(len(rows), (), columns.values())
            yield columns, len(rows)


def from_source(source: QgsProcessingFeatureSource) -> Records:
    """The records of a source; OGR reads them where it can."""
    slow = _Features(source)
    file = whole_files.file_of(source)
    return (file and _Arrow.of(slow, str(file.path), file.layer)) or slow


# --- by OGR -------------------------------------------------------------------------------------


class _Arrow(Records):
    """A file that OGR reads by columns (GDAL 3.6 and later)."""

    def __init__(self, like: Records, path: str, layer: str, fallback: Records):
        super().__init__(like.name, like.kinds, like.count)
        self._path, self._layer, self._fallback = path, layer, fallback

    @classmethod
    def of(cls, slow: Records, path: str, layer: str) -> _Arrow | None:
        opened = _open(path, layer)
        if opened is None:
            return None
        _, found = opened
        if found.GetFeatureCount() != slow.count:
            return None
        return cls(slow, path, layer, slow)

    def _read(self, names):
        opened = _open(self._path, self._layer)
        if opened is None or not self._suits(opened[1], names):
            yield from self._fallback._read(names)
            return
        dataset, layer = opened
        definition = layer.GetLayerDefn()
        every = [definition.GetFieldDefn(at).GetName() for at in range(definition.GetFieldCount())]
        ignored = [name for name in every if name not in names]
        if definition.GetGeomFieldCount():
            ignored.append("OGR_GEOMETRY")
        layer.SetIgnoredFields(ignored)
        stream = layer.GetArrowStreamAsNumPy(
            ["INCLUDE_FID=NO", "USE_MASKED_ARRAYS=YES", f"MAX_FEATURES_IN_BATCH={_ROWS}"]
        )
        for batch in stream:
            columns = {}
            for name in names:
                values = batch[name]
                null = np.ma.getmask(values)
                null = None if null is np.ma.nomask or not null.any() else null
                columns[name] = Column(name, _KINDS[self.kinds[name]], np.ma.getdata(values), null)
            yield columns, len(values)
        del stream, layer, dataset

    def _suits(self, layer, names: list[str]) -> bool:
        """Whether OGR's types are those that QGIS shows."""
        from osgeo import ogr

        types = {
            "long": (ogr.OFTInteger, ogr.OFTInteger64),
            "double": (ogr.OFTReal,),
            "string": (ogr.OFTString,),
        }
        definition = layer.GetLayerDefn()
        for name in names:
            at = definition.GetFieldIndex(name)
            if at < 0:
                return False
            field = definition.GetFieldDefn(at)
            if field.GetSubType() != ogr.OFSTNone or field.GetType() not in types[self.kinds[name]]:
                return False
        return True


def _open(path: str, layer: str):
    """Data source and layer; None where OGR does not serve."""
    from osgeo import gdal, ogr

    if not hasattr(ogr.Layer, "GetArrowStreamAsNumPy"):
        return None
    try:
        dataset = gdal.OpenEx(path, gdal.OF_VECTOR | gdal.OF_READONLY)
        if dataset is None or dataset.GetDriver().ShortName not in _DRIVERS:
            return None
        found = dataset.GetLayerByName(layer) if layer else dataset.GetLayer(0)
    except RuntimeError:
        return None
    return None if found is None else (dataset, found)


# --- by pyarrow ---------------------------------------------------------------------------------


class ParquetRecords(Records):
    """A Parquet file, or a folder of them.

    Attributes
    ----------
    table : ParquetTable
    """

    def __init__(self, table: ParquetTable):
        super().__init__(table.name, table.kinds, table.count)
        self.table = table
        self.warnings = tuple(translated(one) for one in table.warnings)

    def require(self, names: Sequence[str]) -> None:
        """Refuse names of fields that are not there in every file."""
        super().require(names)
        self.table.require(names)

    def _read(self, names):
        return self.table.batches(names)


def from_parquet(path: str, progress: Progress = silent) -> ParquetRecords:
    """The records of a Parquet file, or of a folder of them; see :func:`.parquet_table`."""
    return ParquetRecords(parquet_table(path, progress))
