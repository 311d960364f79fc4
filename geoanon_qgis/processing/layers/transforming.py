# SPDX-License-Identifier: GPL-2.0-or-later
"""Coordinates in another reference system, many at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsGeometry,
    QgsPointXY,
)

from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, chunks, silent
from ..i18n import number_of, tr
from ..wording import named
from .wkb import WKB_POINT, multipoint

#: Points between two questions whether to go on: a few milliseconds.
_BATCH = 2_000


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
        geometry.fromWkb(multipoint(xy[rows]))
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
