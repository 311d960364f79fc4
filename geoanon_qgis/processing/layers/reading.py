# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers become arrays here, once: ids, coordinates and the columns that are needed.

Every feature is looked at one time. Its geometry comes as well-known binary (WKB), and NumPy
reads the coordinates of a whole batch from there; that is the quickest way that works for every
provider, edit buffer, filter and selection.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeature,
    QgsFeatureRequest,
    QgsFields,
    QgsGeometry,
    QgsPointXY,
    QgsProcessingFeatureSource,
    QgsProviderRegistry,
    QgsWkbTypes,
)

from ...compat import holds_several, make_field
from ...core.columns import Column, Gathered, column_of
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, chunks, part, silent
from ...core.space.bounds import far_from_the_others
from ..i18n import number_of, tr
from ..wording import named
from . import fingerprints
from .bounds import refuse_impossible_points

#: Features between two questions whether to go on: a few milliseconds.
_BATCH = 2_000
#: Features that :func:`stored_sample` looks at.
_SAMPLE = 5_000

#: One point as WKB, as QGIS writes it: little endian, 21 bytes.
WKB_POINT = np.dtype([("order", "u1"), ("type", "<u4"), ("x", "<f8"), ("y", "<f8")])


@dataclass(frozen=True)
class PointTable:
    """A point layer as arrays; row i of everything belongs together, in the layer's order.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
        Feature ids.
    xy : ndarray of float64, shape (n, 2)
        Coordinates in ``crs``, all finite.
    columns : dict of str to Column
        Attributes, only of the fields asked for.
    fields : QgsFields
        The definitions of these fields, in the order asked for.
    crs : QgsCoordinateReferenceSystem
        The layer's, or the one asked for.
    left_out : list of (int, str)
        Feature id and reason of every feature that has no usable place.
    had_z, had_m : bool
        Whether heights or measures were dropped.
    far : list of int
        Feature ids of places so far from nearly all others that a mistake is likely.
    """

    ids: np.ndarray
    xy: np.ndarray
    columns: dict[str, Column]
    fields: QgsFields
    crs: QgsCoordinateReferenceSystem
    left_out: list[tuple[int, str]] = field(default_factory=list)
    had_z: bool = False
    had_m: bool = False
    far: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.ids)

    def taken(self, rows: np.ndarray) -> PointTable:
        """Return the table of the given rows, in their order."""
        return replace(
            self,
            ids=self.ids[rows],
            xy=self.xy[rows],
            columns={name: column.taken(rows) for name, column in self.columns.items()},
        )


@dataclass(frozen=True)
class Table:
    """Attributes of a source as columns, in the source's order.

    Attributes
    ----------
    ids : ndarray of int64, shape (n,)
        Feature ids.
    columns : dict of str to Column
        Attributes, only of the fields asked for.
    fields : QgsFields
        The definitions of these fields, in the order asked for.
    xy : ndarray of float64, shape (n, 2), or None
        Places in the source's system, NaN where a record has none; None where none were asked
        for.
    """

    ids: np.ndarray
    columns: dict[str, Column]
    fields: QgsFields
    xy: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.ids)


def read_points(
    source: QgsProcessingFeatureSource,
    context,
    progress: Progress = silent,
    fields: Iterable[str] = (),
    destination_crs: QgsCoordinateReferenceSystem | None = None,
) -> PointTable:
    """Read a point source in one pass.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
        Points, or multipoints of one part each.
    context : QgsProcessingContext
        Brings the transform context.
    progress : callable
        Told a fraction several times a second; may raise to cancel.
    fields : iterable of str
        Names of the attributes to read.
    destination_crs : QgsCoordinateReferenceSystem, optional
        The coordinates' reference system; by default the source's own.

    Returns
    -------
    PointTable
        With no rows when the source has no usable point.

    Raises
    ------
    InputError
        If a field is not there, a feature is no point or has several parts, or its place is none
        of its reference system's or cannot be expressed in ``destination_crs``.
    """
    columns = _Columns(source, fields)
    places = _Places()
    ids: list[int] = []
    # Invalid geometries are ours to judge: QGIS's check would stop at the first odd point.
    features = source.getFeatures(columns.request(), _NO_CHECKS)
    fingerprint = fingerprints.begin(source, columns.names)
    for batch in _batches(features, source, part(progress, 0.0, 0.9)):
        count, batch_ids = len(batch), [feature.id() for feature in batch]
        wkbs = [feature.geometry().asWkb().data() for feature in batch]
        keep = places.add(wkbs, batch_ids)
        if keep is not None:
            batch = [batch[row] for row in keep]
            batch_ids = [batch_ids[row] for row in keep]
        ids.extend(batch_ids)
        found = columns.add(batch)
        fingerprint.add(count, wkbs, found)
    fingerprint.end()
    places.refuse_what_is_no_point()
    id_array = np.array(ids, dtype=np.int64)
    xy = places.xy()
    crs = source.sourceCrs()
    refuse_impossible_points(xy, id_array, crs, source.sourceName(), part(progress, 0.9, 0.9))
    far = id_array[far_from_the_others(xy)].tolist()
    if destination_crs is not None and destination_crs.isValid() and destination_crs != crs:
        xy = transform(xy, crs, destination_crs, context, part(progress, 0.9, 1.0), id_array)
        crs = QgsCoordinateReferenceSystem(destination_crs)
    progress(1.0)
    layer_type = source.wkbType()
    return PointTable(
        id_array,
        xy,
        columns.gathered(),
        columns.fields,
        crs,
        places.left_out,
        places.had_z or QgsWkbTypes.hasZ(layer_type),
        places.had_m or QgsWkbTypes.hasM(layer_type),
        far,
    )


def read_table(
    source: QgsProcessingFeatureSource,
    progress: Progress = silent,
    fields: Iterable[str] = (),
    places: bool = False,
) -> Table:
    """Read the attributes of all features, with or without geometry.

    Parameters
    ----------
    source : QgsProcessingFeatureSource
    progress : callable
        Told a fraction several times a second; may raise to cancel.
    fields : iterable of str
        Names of the attributes to read.
    places : bool
        Whether to look at where points lie as well.

    Raises
    ------
    InputError
        If a field is not there, or a place is none of the reference system's.
    """
    columns = _Columns(source, fields)
    request = columns.request()
    if not places:
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    ids: list[int] = []
    there: list[int] = []
    found = _Places()
    fingerprint = fingerprints.begin(source, columns.names)
    for batch in _batches(source.getFeatures(request, _NO_CHECKS), source, progress):
        batch_ids = [feature.id() for feature in batch]
        if places:
            keep = found.add([feature.geometry().asWkb().data() for feature in batch], batch_ids)
            rows = range(len(batch)) if keep is None else keep
            there.extend([len(ids) + row for row in rows])
        ids.extend(batch_ids)
        fingerprint.add(len(batch), (), columns.add(batch))
    fingerprint.end()
    table = Table(np.array(ids, dtype=np.int64), columns.gathered(), columns.fields)
    if not places:
        return table
    found.refuse_what_is_no_point()
    refuse_impossible_points(found.xy(), table.ids[there], source.sourceCrs(), source.sourceName())
    xy = np.full((len(ids), 2), np.nan)
    xy[there] = found.xy()
    return replace(table, xy=xy)


def holds_points(source: QgsProcessingFeatureSource) -> bool:
    """Tell whether every feature of a source is one point, or has no geometry."""
    return QgsWkbTypes.flatType(source.wkbType()) == QgsWkbTypes.Type.Point


def stored_sample(source: QgsProcessingFeatureSource) -> np.ndarray:
    """Return the first few thousand coordinates exactly as they are stored, shape (n, 2)."""
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([])
    request.setLimit(_SAMPLE)
    batch = list(source.getFeatures(request, _NO_CHECKS))
    places = _Places()
    places.add(
        [feature.geometry().asWkb().data() for feature in batch],
        [feature.id() for feature in batch],
    )
    return places.xy()


def spelling(available: Iterable[str], name: str) -> str:
    """Return a field's name in the only spelling there is of it; as it is if there is not one."""
    meant = _meant(list(available), name)
    return meant[0] if len(meant) == 1 else name


def _meant(available: list[str], name: str) -> list[str]:
    if name in available:
        return [name]
    return [one for one in available if one.lower() == name.lower()]


def same_layer(
    algorithm, parameters, one: str, other: str, context, by_filter: bool = False
) -> bool:
    """Tell whether two parameters name one layer, or one table of a file, by whatever names.

    A selection does not make it another, nor does a filter, as its features are in both; but
    ``by_filter`` another filter does, as it may well be of other people.
    """
    layers = [algorithm.parameterAsVectorLayer(parameters, name, context) for name in (one, other)]
    if None in layers:
        return False
    if layers[0].id() == layers[1].id():
        return True
    if by_filter and layers[0].subsetString() != layers[1].subsetString():
        return False
    if layers[0].providerType() != layers[1].providerType():
        return False
    if layers[0].source() == layers[1].source():
        return True
    if layers[0].providerType() != "ogr":
        return False
    parts = [
        QgsProviderRegistry.instance().decodeUri(layer.providerType(), layer.source())
        for layer in layers
    ]
    paths = [os.path.normcase(os.path.realpath(part.get("path") or "")) for part in parts]
    tables = {part.get("layerName") or _first_table(layer) for layer, part in zip(layers, parts)}
    return paths[0] == paths[1] and len(tables) == 1


def _first_table(layer) -> str:
    """The table that a source means when it names none."""
    found = layer.dataProvider().subLayers()
    return found[0].split(layer.dataProvider().sublayerSeparator())[1] if found else ""


def spelt_as_in(fields: QgsFields, names: Iterable[str]) -> list[str]:
    """Return names of fields as a layer spells them, whatever their case.

    Raises
    ------
    InputError
        Naming those that are not there, and the fields that there are; or those that mean
        several fields.
    """
    available = fields.names()
    names = list(names)
    found = [_meant(available, name) for name in names]
    missing = [name for name, meant in zip(names, found) if not meant]
    if missing:
        raise InputError(
            tr("The layer has no field {missing}. Its fields are: {fields}.").format(
                missing=", ".join(f"“{name}”" for name in missing),
                fields=", ".join(available) or tr("none"),
            )
        )
    for name, meant in zip(names, found):
        if len(meant) > 1:
            raise InputError(
                tr("The field “{name}” can be {fields} here. Write it as the layer does.").format(
                    name=name, fields=tr(" or ").join(f"“{one}”" for one in meant)
                )
            )
    return [meant[0] for meant in found]


def transform(
    xy: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    destination_crs: QgsCoordinateReferenceSystem,
    context,
    progress: Progress = silent,
    ids: Sequence[int] | None = None,
) -> np.ndarray:
    """Express coordinates in another reference system, as the project's settings say.

    Parameters
    ----------
    xy : ndarray of float64, shape (n, 2)
    crs, destination_crs : QgsCoordinateReferenceSystem
        When one of them is not valid, the coordinates come back as they are.
    context : QgsProcessingContext
        Brings the transform context.
    progress : callable
    ids : sequence of int, optional
        Feature ids, to name those that cannot be transformed.

    Returns
    -------
    ndarray of float64, shape (n, 2)

    Raises
    ------
    InputError
        If a place does not exist in the destination system.
    """
    if crs == destination_crs or not (crs.isValid() and destination_crs.isValid()):
        return xy
    change = QgsCoordinateTransform(crs, destination_crs, context.transformContext())
    result = np.empty_like(xy)
    failed: list[int] = []
    for rows in chunks(len(xy), _BATCH, progress):
        geometry = QgsGeometry()
        geometry.fromWkb(_multipoint(xy[rows]))
        try:
            geometry.transform(change)
            points = np.frombuffer(geometry.asWkb().data(), dtype=WKB_POINT, offset=9)
            result[rows, 0], result[rows, 1] = points["x"], points["y"]
        except QgsCsException:
            failed.extend(_transform_singly(xy, result, rows, change))
    failed.extend(np.flatnonzero(~np.isfinite(result).all(axis=1)).tolist())
    if failed:
        raise InputError(
            tr(
                "{points} cannot be expressed in {crs}: {ids}. Check that the layer's reference "
                "system is the right one, or leave such features out."
            ).format(
                points=number_of(len(failed), "point", "points"),
                crs=destination_crs.authid() or destination_crs.description(),
                ids=named([row if ids is None else int(ids[row]) for row in failed]),
            )
        )
    return result


# --- one pass over the features ---------------------------------------------------------------

_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


def _batches(
    features, source: QgsProcessingFeatureSource, progress: Progress
) -> Iterator[list[QgsFeature]]:
    count = max(1, source.featureCount())
    done = 0
    while True:
        progress(min(1.0, done / count))
        batch = list(islice(features, _BATCH))
        if not batch:
            return
        yield batch
        done += len(batch)


class _Columns:
    """Collects the attributes asked for.

    Lists and mappings, which most formats cannot hold, are read as the text that JSON has for
    them: they are released, counted and compared as that.
    """

    def __init__(self, source: QgsProcessingFeatureSource, names: Iterable[str]):
        names = list(dict.fromkeys(names))
        available = source.fields()
        self.fields = QgsFields()
        self._positions = [available.indexOf(name) for name in spelt_as_in(available, names)]
        self._few = 2 * len(self._positions) <= available.count()
        self._several = []
        for position in self._positions:
            definition = available.field(position)
            self._several.append(holds_several(definition))
            if self._several[-1]:
                definition = make_field(definition.name(), "string")
            self.fields.append(definition)
        self.names = names
        self._gathered = [Gathered(name) for name in names]

    def request(self) -> QgsFeatureRequest:
        request = QgsFeatureRequest()
        request.setSubsetOfAttributes(self._positions)
        return request

    def add(self, batch: list[QgsFeature]) -> list[Column]:
        """Take a batch; return its columns."""
        if not self._positions:
            return []
        # All attributes of a feature at once take as long as two or three by themselves.
        rows = batch if self._few else [feature.attributes() for feature in batch]
        added = []
        for position, several, column in zip(self._positions, self._several, self._gathered):
            found = [row[position] for row in rows]
            if several:
                found = column_of("", found).texts()
            added.append(column.add(found))
        return added

    def gathered(self) -> dict[str, Column]:
        """All that was taken, by the names asked for."""
        return {name: column.column() for name, column in zip(self.names, self._gathered)}


# --- WKB ------------------------------------------------------------------------------------

_POINT, _MULTIPOINT = 1, 4


class _Places:
    """Collects the coordinates of features, and what is wrong with those that have none."""

    def __init__(self) -> None:
        self.left_out: list[tuple[int, str]] = []
        self.had_z = False
        self.had_m = False
        self._parts: list[np.ndarray] = []
        self._several: list[int] = []
        self._other: list[int] = []

    def add(self, wkbs: list[bytes], ids: list[int]) -> list[int] | None:
        """Take a batch; return the rows that have a place, None when all of them have."""
        if set(map(len, wkbs)) == {WKB_POINT.itemsize}:
            points = np.frombuffer(b"".join(wkbs), dtype=WKB_POINT)
            xy = np.column_stack([points["x"], points["y"]])
            if (points["type"] == _POINT).all() and np.isfinite(xy).all():
                self._parts.append(xy)
                return None
        keep, found = [], []
        for row, (wkb, feature_id) in enumerate(zip(wkbs, ids)):
            place = self._one(wkb, feature_id)
            if place is not None:
                keep.append(row)
                found.append(place)
        self._parts.append(np.array(found, dtype=np.float64).reshape(-1, 2))
        return keep

    def xy(self) -> np.ndarray:
        return np.concatenate([np.empty((0, 2)), *self._parts])

    def refuse_what_is_no_point(self) -> None:
        if self._several:
            raise InputError(
                tr(
                    "{features} several points: {ids}. Run “Multipart to singleparts” first and "
                    "use its result."
                ).format(
                    features=number_of(len(self._several), "feature has", "features have"),
                    ids=named(self._several),
                )
            )
        if self._other:
            raise InputError(
                tr("{features}: {ids}. Choose a point layer, or run “Centroids” first.").format(
                    features=number_of(
                        len(self._other), "feature is no point", "features are no points"
                    ),
                    ids=named(self._other),
                )
            )

    def _one(self, wkb: bytes, feature_id: int) -> tuple[float, float] | None:
        if not wkb:
            self.left_out.append((feature_id, tr("no geometry")))
            return None
        kind, z, m = _kind(wkb, 1)
        self.had_z |= z
        self.had_m |= m
        start = 5
        if kind == _MULTIPOINT:
            (parts,) = struct.unpack_from("<I", wkb, 5)
            if parts == 0:
                self.left_out.append((feature_id, tr("empty geometry")))
                return None
            if parts > 1:
                self._several.append(feature_id)
                return None
            start = 14  # count, then byte order and type of the only part
        elif kind != _POINT:
            self._other.append(feature_id)
            return None
        x, y = struct.unpack_from("<dd", wkb, start)
        if np.isfinite(x) and np.isfinite(y):
            return x, y
        # WKB knows no empty point: it is written as one whose coordinates are all NaN.
        empty = np.isnan(x) and np.isnan(y)
        self.left_out.append(
            (feature_id, tr("empty geometry") if empty else tr("coordinates that are no numbers"))
        )
        return None


def _kind(wkb: bytes, offset: int) -> tuple[int, bool, bool]:
    """Return the flat type and whether there are Z and M, in ISO and in the older 2.5-D codes."""
    (code,) = struct.unpack_from("<I", wkb, offset)
    dimensions = (code & 0x0FFFFFFF) // 1000
    old_z = bool(code & 0x80000000)
    return (code & 0x0FFFFFFF) % 1000, old_z or dimensions in (1, 3), dimensions in (2, 3)


def _multipoint(xy: np.ndarray) -> bytes:
    points = np.empty(len(xy), dtype=WKB_POINT)
    points["order"] = 1
    points["type"] = _POINT
    points["x"], points["y"] = xy[:, 0], xy[:, 1]
    return struct.pack("<BII", 1, _MULTIPOINT, len(xy)) + points.tobytes()


def _transform_singly(
    xy: np.ndarray, result: np.ndarray, rows: slice, change: QgsCoordinateTransform
) -> list[int]:
    """Transform the rows of a batch that failed as a whole; return those that fail alone."""
    failed = []
    for row in range(rows.start, rows.stop):
        result[row] = 0.0
        try:
            result[row] = tuple(change.transform(QgsPointXY(*xy[row].tolist())))
        except QgsCsException:
            failed.append(row)
    return failed
