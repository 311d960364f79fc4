# SPDX-License-Identifier: GPL-2.0-or-later
"""Layers become arrays here, once: ids, coordinates and the columns that are needed.

Every feature is looked at one time. Its geometry comes as well-known binary (WKB), and NumPy
reads the coordinates of a whole batch from there; that is the quickest way that works for every
provider, edit buffer, filter and selection. What lies in a GeoPackage is read there
(:mod:`.stored_rows`), with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeatureRequest,
    QgsFields,
    QgsProcessingFeatureSource,
    QgsWkbTypes,
)

from ...compat import holds_several, make_field
from ...core.columns import Column, Gathered, column_of
from ...core.runtime.progress import Progress, part, silent
from ...core.space.bounds import far_from_the_others
from . import fingerprints, stored_rows
from .bounds import refuse_impossible_points
from .fieldnames import spelt_as_in
from .geopackage import Unsuitable
from .stored_rows import Rows
from .transforming import transform
from .wkb import Places

#: Features between two questions whether to go on: a few milliseconds.
_BATCH = 2_000
#: Features that :func:`stored_sample` looks at.
_SAMPLE = 5_000


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
    found = _read_all(source, fields, part(progress, 0.0, 0.9), _PLACED)
    places, columns = found.places, found.columns
    places.refuse_what_is_no_point()
    id_array, xy = found.id_array(), places.xy()
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
    found = _read_all(source, fields, progress, _ALL if places else _UNPLACED)
    table = Table(found.id_array(), found.columns.gathered(), found.columns.fields)
    if not places:
        return table
    found.places.refuse_what_is_no_point()
    there = found.places.xy()
    refuse_impossible_points(
        there, table.ids[found.placed], source.sourceCrs(), source.sourceName()
    )
    xy = np.full((len(table), 2), np.nan)
    xy[found.placed] = there
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
    places = Places()
    places.add(
        [feature.geometry().asWkb().data() for feature in batch],
        [feature.id() for feature in batch],
    )
    return places.xy()


# --- one pass over the features ---------------------------------------------------------------

_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks
#: Which rows are kept: those with a place, all with the places that there are, all without a look.
_PLACED, _ALL, _UNPLACED = "placed", "all", "unplaced"


class _Pass:
    """What one pass over a source gathers."""

    def __init__(self, source: QgsProcessingFeatureSource, fields: Iterable[str], kept: str):
        self.columns = _Columns(source, fields)
        self.places = Places()
        self.ids: list[int] = []
        self.placed: list[int] = []  # rows of _ALL that have a place
        self._source, self._kept = source, kept

    def take(self, batches: Iterator[Rows], progress: Progress) -> None:
        fingerprint = fingerprints.begin(self._source, self.columns.names)
        count, done = max(1, self._source.featureCount()), 0
        progress(0.0)
        for rows in batches:
            number, ids, columns = len(rows.ids), rows.ids, rows.columns
            keep = None if self._kept == _UNPLACED else self.places.add(rows.wkbs, ids)
            if self._kept == _ALL:
                there = range(number) if keep is None else keep
                self.placed.extend([len(self.ids) + row for row in there])
            elif keep is not None:
                ids = [ids[row] for row in keep]
                columns = [[column[row] for row in keep] for column in columns]
            self.ids.extend(ids)
            wkbs = rows.wkbs if self._kept == _PLACED else ()
            fingerprint.add(number, wkbs, self.columns.add(columns))
            done += number
            progress(min(1.0, done / count))
        fingerprint.end()

    def id_array(self) -> np.ndarray:
        return np.array(self.ids, dtype=np.int64)


def _read_all(
    source: QgsProcessingFeatureSource, fields: Iterable[str], progress: Progress, kept: str
) -> _Pass:
    """Read the rows where they lie if that serves, else ask QGIS for its features."""
    fields = list(fields)
    for rows_of in (stored_rows.batches, _features):
        found = _Pass(source, fields, kept)
        try:
            found.take(rows_of(source, found.columns.stored, kept != _UNPLACED, _BATCH), progress)
            break
        except Unsuitable:  # never said of QGIS's features
            pass
    return found


def _features(
    source: QgsProcessingFeatureSource, fields: QgsFields, places: bool, size: int
) -> Iterator[Rows]:
    """Yield the features of a source, ``size`` at a time; geometries only where ``places``."""
    available = source.fields()
    positions = [available.indexOf(field.name()) for field in fields]
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes(positions)
    if not places:
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    # All attributes of a feature at once take as long as two or three by themselves.
    few = 2 * len(positions) <= available.count()
    # Invalid geometries are ours to judge: QGIS's check would stop at the first odd point.
    features = source.getFeatures(request, _NO_CHECKS)
    while batch := list(islice(features, size)):
        rows = batch if few or not positions else [feature.attributes() for feature in batch]
        yield Rows(
            [feature.id() for feature in batch],
            [feature.geometry().asWkb().data() for feature in batch] if places else [],
            [[row[position] for row in rows] for position in positions],
        )


class _Columns:
    """Collects the attributes asked for.

    Lists and mappings, which most formats cannot hold, are read as the text that JSON has for
    them: they are released, counted and compared as that.
    """

    def __init__(self, source: QgsProcessingFeatureSource, names: Iterable[str]):
        self.names = list(dict.fromkeys(names))
        available = source.fields()
        self.stored, self.fields = QgsFields(), QgsFields()  # as they are, and as they are taken
        for name in spelt_as_in(available, self.names):
            definition = available.field(name)
            self.stored.append(definition)
            several = holds_several(definition)
            self.fields.append(make_field(name, "string") if several else definition)
        self._several = [holds_several(field) for field in self.stored]
        self._gathered = [Gathered(name) for name in self.names]

    def add(self, columns: list[Sequence]) -> list[Column]:
        """Take the values of a batch, field by field; return them as columns."""
        return [
            gathered.add(column_of("", values).texts() if several else values)
            for values, several, gathered in zip(columns, self._several, self._gathered)
        ]

    def gathered(self) -> dict[str, Column]:
        """All that was taken, by the names asked for."""
        return {name: column.column() for name, column in zip(self.names, self._gathered)}
