# SPDX-License-Identifier: GPL-2.0-or-later
"""From a QGIS layer's reference system to the engine's plane, and the sentences about it."""

from __future__ import annotations

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.space.metrics import Metric, metric_for
from ...core.space.planes import Plane, working_plane
from ...core.space.points import coordinate_resolution
from ..i18n import tr


def plane_of(xy: np.ndarray, crs: QgsCoordinateReferenceSystem) -> Plane:
    """Choose the engine's plane for coordinates stored in ``crs``.

    Raises
    ------
    GeoAnonError
        See :func:`geoanon_qgis.core.space.planes.working_plane`.
    """
    return working_plane(xy, wkt(crs))


def wkt(crs: QgsCoordinateReferenceSystem) -> str | None:
    """Write a reference system as the engine takes it; None where there is none."""
    if not crs.isValid():
        return None
    return crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)


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


def rounding_error(xy: np.ndarray, crs: QgsCoordinateReferenceSystem) -> float:
    """How far rounding may have moved stored coordinates, in metres (or the layer's own unit).

    Half the diagonal of a cell of the grid that all of them lie on.
    """
    plane = plane_of(xy, crs)
    step = plane.length(coordinate_resolution(xy)) * plane.metres_per_unit
    return float(step * np.sqrt(0.5))


def measure(
    metric_name: str, xy: np.ndarray, crs: QgsCoordinateReferenceSystem
) -> tuple[Metric, list[str]]:
    """Choose how distances are measured, and say so.

    Parameters
    ----------
    metric_name : str
        ``geodesic``, ``great_circle`` or ``planar``.
    xy : (n, 2) array
        The points, in ``crs``.
    crs : QgsCoordinateReferenceSystem

    Raises
    ------
    InputError
        If the metric does not go with the reference system.
    """
    metric = metric_for(metric_name, wkt(crs))
    if metric.name == "geodesic":
        return metric, [
            tr("Distances are geodesics on the ellipsoid of {crs}.").format(crs=name(crs))
        ]
    if metric.name == "great_circle":
        return metric, [
            tr(
                "Distances are great circles on a sphere of radius 6371 km, at the longitudes and "
                "latitudes of {crs}."
            ).format(crs=name(crs))
        ]
    said = [tr("Distances are straight lines in the layer's own coordinates.")]
    if crs.isValid() and plane_of(xy, crs).is_local:
        said.append(
            tr(
                "The scale of {crs} is off by more than 1 % here, and so are planar distances; the "
                "geodesic metric is true everywhere."
            ).format(crs=name(crs))
        )
    return metric, said
