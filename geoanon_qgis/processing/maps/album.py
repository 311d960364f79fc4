# SPDX-License-Identifier: GPL-2.0-or-later
"""The maps of one report: layers by their roles, drawn one after another in one plane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem

from ...core.runtime.progress import Progress, part, silent
from ...core.space.planes import Plane
from ...report import Picture
from ...report.seen import UNSEEN, seen
from ..layers import planes
from . import backdrop
from .drawing import DPI, Extent, MapLayer, map_picture
from .framing import CLOSE_UP, close_up, finer, metres, size_of


class Album:
    """Draws maps and keeps them.

    Parameters
    ----------
    xy : (n, 2) array
        Places by which the plane is chosen, in ``crs``.
    crs : QgsCoordinateReferenceSystem
    progress : callable
        Called between layers; may raise to cancel. It goes on with each picture.
    plane : Plane, optional
        One that is there already.
    """

    def __init__(
        self,
        xy: np.ndarray,
        crs: QgsCoordinateReferenceSystem,
        progress: Progress = silent,
        plane: Plane | None = None,
    ):
        self.plane = plane or planes.plane_of(xy, crs)
        self.pictures: list[Picture] = []
        self._unit = metres(self.plane, crs)
        self._behind = backdrop.layers_behind(self.plane, crs) if seen() else []
        self._progress, self._done = progress, 0.0

    def ask(self, fraction: float = 0.0) -> None:
        """Ask whether to go on, wherever the progress is."""
        self._progress(self._done)

    def _until(self, done: float) -> Progress:
        begun, self._done = self._done, done
        return part(self._progress, begun, done)

    def draw(
        self,
        name: str,
        layers: Sequence[MapLayer],
        extent: Extent,
        said: Iterable[str],
        until: float = 1.0,
    ) -> None:
        """Draw layers, the first one lowest, and the user's backdrop below; nothing where nobody
        will see it.

        Parameters
        ----------
        name : str
            Machine name of the picture.
        layers : sequence of MapLayer
            In the album's plane.
        extent : (float, float, float, float)
        said : iterable of str
            Sentences of the caption; those that are empty are passed over.
        until : float
            Share of the work that is done when it is drawn.
        """
        ahead, png = self._until(until), UNSEEN
        if seen():
            png = map_picture(
                [*self._behind, *layers], extent, size_of(extent), DPI, self._unit, ahead
            )
        ahead(1.0)
        self.pictures.append(Picture(png, " ".join(filter(None, said)), name=name))

    def close_up(
        self, points: np.ndarray, until: float, count: int = CLOSE_UP
    ) -> tuple[Extent, np.ndarray]:
        """Return a window on a dense spot, and the rows to draw there."""
        return close_up(points, self._until(until), count)

    def finished(self) -> list[Picture]:
        """Return the pictures, of which no more are drawn."""
        self._until(1.0)(1.0)
        return self.pictures

    def outlines(self, rings: Iterable[np.ndarray]) -> list[np.ndarray]:
        """Rings in the plane, as bent as their straight edges are there."""
        return [self.plane.forward(finer(np.asarray(ring))) for ring in rings if len(ring) > 2]
