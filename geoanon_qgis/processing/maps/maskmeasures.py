# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of what a point mask keeps: clusters and densities, before and after."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from qgis.core import QgsCoordinateReferenceSystem, QgsGeometry, QgsPointXY, QgsRectangle

from ...core.measures.grid import Grid
from ...core.runtime.progress import Progress, silent
from ...core.space.planes import Plane
from ...report import Picture
from .. import styling
from ..i18n import tr
from .album import Album
from .drawing import point_layer, polygon_layer
from .framing import extent_of

#: Cells along the longer side of a map of densities, and the share of the highest that is drawn.
_MOST_CELLS, _SHOWN = 80, 0.05


def measure_pictures(
    before: np.ndarray,
    after: np.ndarray,
    crs: QgsCoordinateReferenceSystem,
    plane: Plane,
    circles: Sequence[tuple[str, np.ndarray]] | None,
    densities: tuple[Grid, np.ndarray, np.ndarray] | None,
    progress: Progress = silent,
) -> list[Picture]:
    """Clusters of the original and of the release below the points of both, and densities.

    Parameters
    ----------
    before, after : (n, 2), (m, 2) arrays
        All points, in the plane.
    crs : QgsCoordinateReferenceSystem
    plane : Plane
    circles : sequence of (str, (c, 2) array) or None
        ``original`` or ``release``, and the outline in the plane; None where nothing was scanned.
    densities : (Grid, array, array) or None
        A grid in the plane, and the density in its cells before and after.
    progress : callable
    """
    album = Album(before, crs, progress, plane)
    if circles is not None:
        corners = [xy for _, xy in circles]
        shapes = [
            QgsGeometry.fromPolygonXY([[QgsPointXY(*corner) for corner in xy.tolist()]])
            for xy in corners
        ]
        for shape in shapes:
            shape.convertToMultiType()
        columns = {"kind": ("string", [kind for kind, _ in circles])}
        layers = [
            polygon_layer(shapes, styling.CLUSTERS, "", columns),
            point_layer(before, styling.ORIGINALS, tr("Original (private)"), progress=album.ask),
            point_layer(after, styling.MASKED, tr("Masked"), progress=album.ask),
        ]
        said = [
            tr(
                "Most likely clusters of the scan statistic in the original and in the release, "
                "and other significant ones."
            )
        ]
        until = 0.4 if densities is not None else 1.0
        album.draw("map_clusters", layers, extent_of(before, after, *corners), said, until)
    if densities is not None:
        _draw_densities(album, before, after, *densities)
    return album.finished()


def _draw_densities(
    album: Album,
    before: np.ndarray,
    after: np.ndarray,
    grid: Grid,
    one: np.ndarray,
    other: np.ndarray,
) -> None:
    """Both densities on one scale, and what is more or less in the release."""
    step = max(1, -(-max(one.shape) // _MOST_CELLS))
    one, other = _blocks(one, step), _blocks(other, step)
    highest = max(np.nanmax(one), np.nanmax(other))
    extent = extent_of(before, after)
    for name, values, role, said, until in (
        ("before", one, styling.DENSITY, tr("Density of the original points."), 0.6),
        (
            "after",
            other,
            styling.DENSITY,
            tr("Density of the released points, on the same scale."),
            0.8,
        ),
        (
            "change",
            other - one,
            styling.DENSITY_CHANGE,
            tr(
                "Where the release has more or less than the original, by the highest density "
                "of both maps."
            ),
            1.0,
        ),
    ):
        share = np.nan_to_num(values / highest)
        row, column = np.nonzero(np.abs(share) >= _SHOWN)
        side = grid.side * step
        west, south = grid.left + side * column, grid.bottom + side * row
        shapes = [
            QgsGeometry.fromRect(QgsRectangle(x, y, x + side, y + side))
            for x, y in zip(west.tolist(), south.tolist())
        ]
        for shape in shapes:
            shape.convertToMultiType()
        columns = {"share": ("double", share[row, column].tolist())}
        layers = [polygon_layer(shapes, role, "", columns, album.ask)]
        album.draw(f"map_density_{name}", layers, extent, [said], until)


def _blocks(values: np.ndarray, step: int) -> np.ndarray:
    """Mean of blocks of cells; those at the upper edges may be of fewer."""
    rows, columns = (-(-size // step) * step for size in values.shape)
    padded = np.full((rows, columns), np.nan)
    padded[: values.shape[0], : values.shape[1]] = values
    blocks = padded.reshape(rows // step, step, columns // step, step)
    known = np.isfinite(blocks)
    count = known.sum(axis=(1, 3))
    return np.where(known, blocks, 0.0).sum(axis=(1, 3)) / np.maximum(count, 1)
