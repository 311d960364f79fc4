# SPDX-License-Identifier: GPL-2.0-or-later
"""The maps of one report: layers by their roles, drawn one after another in one plane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, silent
from ...core.space.planes import Plane
from ...report import Picture
from ..layers import planes
from .drawing import DPI, Extent, MapLayer, map_picture
from .framing import finer, metres, size_of


class Album:
    """Draws maps and keeps them.

    Parameters
    ----------
    xy : (n, 2) array
        Places by which the plane is chosen, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    plane : Plane, optional
        One that is there already.
    """

    def __init__(
        self, xy: np.ndarray, crs: QgsCoordinateReferenceSystem, plane: Plane | None = None
    ):
        self.plane = plane or planes.plane_of(xy, crs)
        self.pictures: list[Picture] = []
        self._unit = metres(self.plane, crs)

    def draw(
        self,
        name: str,
        layers: Sequence[MapLayer],
        extent: Extent,
        said: Iterable[str],
        progress: Progress = silent,
    ) -> None:
        """Draw layers, the first one lowest.

        Parameters
        ----------
        name : str
            Machine name of the picture.
        layers : sequence of MapLayer
            In the album's plane.
        extent : (float, float, float, float)
        said : iterable of str
            Sentences of the caption; those that are empty are passed over.
        progress : callable
        """
        png = map_picture(layers, extent, size_of(extent), DPI, self._unit, progress)
        self.pictures.append(Picture(png, " ".join(filter(None, said)), name=name))

    def outlines(self, rings: Iterable[np.ndarray]) -> list[np.ndarray]:
        """Rings in the plane, as bent as their straight edges are there."""
        return [self.plane.forward(finer(np.asarray(ring))) for ring in rings if len(ring) > 2]
