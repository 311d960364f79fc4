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

from ...core.runtime.progress import Progress, part
from .. import styling
from .reading import read_points

_NO_CHECKS = QgsProcessingFeatureSource.Flag.FlagSkipGeometryValidityChecks


def has_places(algorithm, parameters, name: str, context) -> bool | None:
    """Tell whether :func:`add_records` writes geometries for the source ``name``."""
    source = algorithm.parameterAsSource(parameters, name, context)
    return None if source is None else source.wkbType() != QgsWkbTypes.Type.NoGeometry


def add_records(
    outputs,
    name: str,
    source: QgsProcessingFeatureSource,
    context,
    ids: np.ndarray,
    fields: Sequence,
    columns: Sequence,
    progress: Progress,
    role: str,
) -> np.ndarray | None:
    """Write a row for each record, with the geometry that it has in ``source``.

    Parameters
    ----------
    outputs : Outputs
    name : str
        The output parameter's name.
    source : QgsProcessingFeatureSource
    context : QgsProcessingContext
    ids : (n,) int array
        Feature ids of the records.
    fields, columns
        As for :meth:`..writing.Outputs.add_points`.
    progress : callable
    role : str
        How points look; a table, lines and polygons are named private and left as they are.

    Returns
    -------
    (n, 2) array or None
        Places in the system of ``source``, NaN where a record has none; None where the source
        holds no single points.
    """
    kind = source.wkbType()
    if kind == QgsWkbTypes.Type.NoGeometry:
        outputs.add_table(name, fields, columns, progress, styling.MEASURED)
        return None
    if QgsWkbTypes.flatType(kind) == QgsWkbTypes.Type.Point:
        places = read_points(source, context, part(progress, 0, 0.4))
        xy = np.full((len(ids), 2), np.nan)
        order = np.argsort(ids, kind="stable")
        at = order[np.searchsorted(ids[order], places.ids).clip(max=len(ids) - 1)]
        known = ids[at] == places.ids
        xy[at[known]] = places.xy[known]
        outputs.add_points(
            name, xy, fields, columns, source.sourceCrs(), part(progress, 0.4, 1.0), role
        )
        return xy
    outputs.add_features(
        name,
        kind,
        fields,
        _with_geometry(source, ids, columns),
        source.sourceCrs(),
        progress,
        styling.MEASURED,
        len(ids),
    )
    return None


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
