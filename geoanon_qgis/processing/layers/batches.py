# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays to features, some at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, repeat
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
    """Yield the rows of columns with their shapes; the next batch takes the same features.

    What a sink has kept of them is its own. Nothing is done row by row in Python, which would take
    half of what the features cost.
    """
    features = [QgsFeature() for _ in range(min(SIZE, count))]
    geometries = [QgsGeometry() for _ in features]
    for start in range(0, count, SIZE):
        rows = slice(start, min(start + SIZE, count))
        batch = features[: rows.stop - start]
        values = zip(*(_values(column[rows]) for column in columns)) if columns else repeat(())
        _each(QgsFeature.setAttributes, batch, map(list, values))
        if shapes is not None:
            some = shapes[rows]
            _each(QgsGeometry.fromWkb, geometries, as_bytes(some.wkb()))
            _each(QgsFeature.setGeometry, batch, geometries)
            for row in np.flatnonzero(~some.there()).tolist():
                batch[row].clearGeometry()
        yield start / count, batch


def pair_batches(pairs: Iterator, count: int) -> Batches:
    """Yield pairs of geometry (or WKB, or None) and attributes; ``count`` is how many there are.

    The next batch takes the same features.
    """
    features = [QgsFeature() for _ in range(SIZE)]
    done = 0
    while some := list(islice(pairs, SIZE)):
        batch = features[: len(some)]
        _fill(batch, *zip(*some))
        yield min(1.0, done / max(1, count)), batch
        done += len(batch)


def plain(column: Sequence[Any]) -> Sequence[Any]:
    """Return a column in which sentences are texts: QGIS takes no other class for one."""
    if not isinstance(column, list) or Sentence not in set(map(type, column)):
        return column
    return [str(value) if isinstance(value, Sentence) else value for value in column]


def _each(method: Callable, objects: Sequence, values: Iterable) -> None:
    """Call a method of each object with its value."""
    deque(map(method, objects, values), maxlen=0)


def _fill(
    features: list[QgsFeature],
    places: Iterable[QgsGeometry | bytes | None],
    attributes: Iterable[Sequence[Any]],
) -> None:
    """Give features new places and attributes, whatever these are."""
    geometry = QgsGeometry()
    for feature, place, row in zip(features, places, attributes):
        if isinstance(place, bytes):
            geometry.fromWkb(place)
            feature.setGeometry(geometry)
        elif place is None:
            feature.clearGeometry()
        else:
            feature.setGeometry(place)
        feature.setAttributes([*row])


def _values(column: Sequence[Any]) -> Sequence[Any]:
    """Return plain Python values, with None for NaN in an array."""
    if not isinstance(column, np.ndarray):
        return column
    values = column.tolist()
    if column.dtype.kind == "f" and np.isnan(column).any():
        return [None if value != value else value for value in values]
    return values


def looked_at(pairs: Iterator, look: Callable[[list[Sequence[Any]]], None]) -> Iterator:
    """Hand pairs of geometry and attributes on, after ``look`` has seen the attributes."""
    while True:
        some = list(islice(pairs, SIZE))
        if not some:
            return
        look([row for _, row in some])
        yield from some
