# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays to features, some at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from qgis.core import QgsFeature, QgsGeometry

from ...core.runtime.wording import Sentence
from .shapes import Shapes, as_bytes

#: Features given to a sink in one call: some ten milliseconds of writing.
SIZE = 1_000

#: Pairs of the fraction done before and the features to write.
Batches = Iterator[tuple[float, list[QgsFeature]]]


def array_batches(count: int, columns: Sequence[Sequence[Any]], shapes: Shapes | None) -> Batches:
    """Yield the rows of columns with their shapes."""
    for start in range(0, count, SIZE):
        rows = slice(start, min(start + SIZE, count))
        places = [None] * (rows.stop - start) if shapes is None else _geometries(shapes[rows])
        if columns:
            attributes: Iterable = zip(*(_values(column[rows]) for column in columns))
        else:
            attributes = ((),) * len(places)
        yield start / count, [_feature(*pair) for pair in zip(places, attributes)]


def pair_batches(pairs: Iterator, count: int) -> Batches:
    """Yield pairs of geometry (or WKB, or None) and attributes; ``count`` is how many there are."""
    done = 0
    while True:
        batch = [_feature(_geometry(place), row) for place, row in islice(pairs, SIZE)]
        if not batch:
            return
        yield min(1.0, done / max(1, count)), batch
        done += len(batch)


def plain(column: Sequence[Any]) -> Sequence[Any]:
    """Return a column in which sentences are texts: QGIS takes no other class for one."""
    if not isinstance(column, list) or Sentence not in set(map(type, column)):
        return column
    return [str(value) if isinstance(value, Sentence) else value for value in column]


def _feature(geometry: QgsGeometry | None, attributes: Sequence[Any]) -> QgsFeature:
    feature = QgsFeature()
    if geometry is not None:
        feature.setGeometry(geometry)
    feature.setAttributes([*attributes])
    return feature


def _values(column: Sequence[Any]) -> Sequence[Any]:
    """Return plain Python values, with None for NaN in an array."""
    if not isinstance(column, np.ndarray):
        return column
    values = column.tolist()
    if column.dtype.kind == "f" and np.isnan(column).any():
        return [None if value != value else value for value in values]
    return values


def _geometries(shapes: Shapes) -> list[QgsGeometry | None]:
    there = shapes.there().tolist()
    return [
        _geometry(wkb) if finite else None for wkb, finite in zip(as_bytes(shapes.wkb()), there)
    ]


def _geometry(place: QgsGeometry | bytes | None) -> QgsGeometry | None:
    if not isinstance(place, bytes):
        return place
    geometry = QgsGeometry()
    geometry.fromWkb(place)
    return geometry


def looked_at(pairs: Iterator, look: Callable[[list[Sequence[Any]]], None]) -> Iterator:
    """Hand pairs of geometry and attributes on, after ``look`` has seen the attributes."""
    while True:
        some = list(islice(pairs, SIZE))
        if not some:
            return
        look([row for _, row in some])
        yield from some
