# SPDX-License-Identifier: GPL-2.0-or-later
"""From a QGIS layer's reference system to the engine's plane, and the sentences about it."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ..core.space import Plane, working_plane
from .i18n import tr


def plane_of(xy: np.ndarray, crs: QgsCoordinateReferenceSystem) -> Plane:
    """Choose the engine's plane for coordinates stored in ``crs``.

    Raises
    ------
    GeoAnonError
        See :func:`geoanon_qgis.core.space.working_plane`.
    """
    if not crs.isValid():
        return working_plane(xy, None)
    wkt = crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)
    return working_plane(xy, wkt)


def describe(plane: Plane, crs: QgsCoordinateReferenceSystem) -> str:
    """Say in which plane the work is done, and in which unit distances are told."""
    if not crs.isValid():
        return tr(
            "The layer has no coordinate reference system: its coordinates are taken as a plane, "
            "and distances are in their own unit."
        )
    if plane.is_local:
        return tr(
            "{crs} is no metric system here: the work is done in a local metric projection "
            "({plane}), results come back in {crs}, and distances are metres on the ground."
        ).format(crs=name(crs), plane=plane.describe())
    if plane.metres_per_unit != 1.0:
        return tr(
            "The work is done in the layer's own system {crs}; its unit is {unit:.6g} m, and "
            "distances are told in metres."
        ).format(crs=name(crs), unit=plane.metres_per_unit)
    return tr("The work is done in the layer's own metric system {crs}.").format(crs=name(crs))


def unit(crs: QgsCoordinateReferenceSystem) -> str:
    """Name the unit in which distances are told."""
    return "m" if crs.isValid() else tr("units")


def name(crs: QgsCoordinateReferenceSystem) -> str:
    """Name a reference system as people know it."""
    return crs.authid() or crs.description() or tr("a custom system")
