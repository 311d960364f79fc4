# SPDX-License-Identifier: GPL-2.0-or-later
"""Features whose coordinates are those of no place are refused here, by their ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry

from ...core.runtime.errors import Cancelled, GeoAnonError, InputError
from ...core.runtime.progress import Progress, silent
from ...core.space.bounds import held, too_close
from ..i18n import number_of, tr
from ..wording import named
from . import planes


def refuse_impossible_points(
    xy: np.ndarray,
    ids: Sequence[int],
    crs: QgsCoordinateReferenceSystem,
    name: str,
    progress: Progress = silent,
) -> None:
    """Refuse points that lie where their reference system has no place, or cannot be told apart.

    Parameters
    ----------
    xy : (n, 2) array
        As they are stored.
    ids : sequence of int
        Feature ids.
    crs : QgsCoordinateReferenceSystem
    name : str
        The layer's.
    progress : callable

    Raises
    ------
    InputError
        Naming some of them.
    """
    wrong = np.flatnonzero(~_held(xy, crs, progress))
    if len(wrong):
        raise InputError(_sentence([int(ids[row]) for row in wrong], crs, name))
    if too_close(xy):
        raise InputError(
            tr(
                "In “{layer}”, all coordinates are so near to each other (less than 1e-30) that "
                "nothing can be measured. Give the layer in another unit."
            ).format(layer=name)
        )


def refuse_impossible_shapes(
    shapes: Sequence[QgsGeometry], ids: Sequence[int], crs: QgsCoordinateReferenceSystem, name: str
) -> None:
    """The same for lines and polygons: every vertex has to be somewhere."""
    if not shapes:
        return
    boxes = [shape.boundingBox() for shape in shapes]
    ends = np.array(
        [(box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()) for box in boxes]
    )
    if _held(np.concatenate([ends[:, [i, j]] for i in (0, 2) for j in (1, 3)]), crs).all():
        return
    wrong = []
    for shape, feature_id in zip(shapes, ids):
        vertices = np.array([(v.x(), v.y()) for v in shape.vertices()]).reshape(-1, 2)
        if not _held(vertices, crs).all():
            wrong.append(int(feature_id))
    if wrong:
        raise InputError(_sentence(wrong, crs, name))


def _held(xy: np.ndarray, crs: QgsCoordinateReferenceSystem, progress=silent) -> np.ndarray:
    try:
        return held(xy, planes.wkt(crs), progress)
    except Cancelled:
        raise
    except GeoAnonError:  # what needs to know the system will say that it cannot
        return held(xy, None)


def _sentence(ids: list[int], crs: QgsCoordinateReferenceSystem, name: str) -> str:
    if crs.isValid():
        return tr(
            "In “{layer}”, {features} where the reference system {crs} has no place: {ids}. "
            "Correct the coordinates or leave such features out; if all are wrong, give the layer "
            "the system that they are in."
        ).format(
            layer=name,
            crs=planes.name(crs),
            ids=named(ids),
            features=number_of(len(ids), "feature lies", "features lie"),
        )
    return tr(
        "In “{layer}”, {features} larger than those of any place: {ids}. Correct them or leave "
        "such features out."
    ).format(
        layer=name,
        ids=named(ids),
        features=number_of(len(ids), "feature has coordinates", "features have coordinates"),
    )
