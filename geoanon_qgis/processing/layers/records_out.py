# SPDX-License-Identifier: GPL-2.0-or-later
"""What was found out about each record, written where the records lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from qgis.core import (
    QgsFeatureRequest,
    QgsProcessingFeatureSource,
    QgsWkbTypes,
)

from .. import styling

_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


def has_places(given, name: str) -> bool | None:
    """Tell whether :func:`add_records` writes geometries for the source ``name``."""
    source = given.source(name)
    return None if source is None else source.wkbType() != QgsWkbTypes.Type.NoGeometry


def add_records(
    outputs,
    name: str,
    source: QgsProcessingFeatureSource,
    ids: np.ndarray,
    xy: np.ndarray | None,
    columns: Sequence,
) -> None:
    """Write a row for each record, with the geometry that it has in ``source``.

    Points look as the output is declared to; a table, lines and polygons are named private and
    left as they are.

    Parameters
    ----------
    outputs : Outputs
    name : str
        The output parameter's name.
    source : QgsProcessingFeatureSource
    ids : (n,) int array
        Feature ids of the records.
    xy : (n, 2) array or None
        Places in the system of ``source``, NaN where a record has none; None where the source
        holds no single points. Other shapes are read as they are written: to keep them would take
        much memory.
    columns : sequence
        One for each declared field; see :meth:`..writing.Outputs.add_points`.
    """
    kind, crs = source.wkbType(), source.sourceCrs()
    if kind == QgsWkbTypes.Type.NoGeometry:
        outputs.add_table(name, None, columns, role=styling.MEASURED)
    elif xy is not None:
        outputs.add_points(name, xy, None, columns, crs)
    else:
        rows = _with_geometry(source, ids, columns)
        outputs.add_features(name, kind, None, rows, crs, role=styling.MEASURED, count=len(ids))


def _with_geometry(source, ids: np.ndarray, columns: Sequence):
    """Pairs of geometry and attributes, in the order of the source."""
    row_of = {one: row for row, one in enumerate(ids.tolist())}
    request = QgsFeatureRequest()
    request.setSubsetOfAttributes([])
    for feature in source.getFeatures(request, _NO_CHECKS):
        row = row_of.get(feature.id())
        if row is not None:
            yield feature.geometry(), [_plain(column[row]) for column in columns]


def _plain(value):
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and value != value else value
