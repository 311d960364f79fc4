# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps as PNG, rendered by QGIS itself, with a scale bar and a legend.

Everything here may run in a worker thread and without a window: layers are made, drawn and
dropped in the calling thread, and neither the project nor a widget is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from qgis.core import (
    NULL,
    QgsCoordinateReferenceSystem,
    QgsExpression,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsGraduatedSymbolRenderer,
    QgsMapRendererCustomPainterJob,
    QgsMapSettings,
    QgsPoint,
    QgsPointXY,
    QgsRectangle,
    QgsRenderContext,
    QgsSymbol,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF, QSize
from qgis.PyQt.QtGui import QColor, QPainter

from ...compat import make_field
from ...core.runtime.progress import Progress, chunks, interruptible, silent
from .. import styling
from ..i18n import figure, tr
from . import painting

#: At most so many features of one layer are drawn: more cannot be told apart on a page.
MOST_DRAWN = 20_000
#: Dots per inch: what is drawn 900 pixels wide is to be read at half of that.
DPI = 192.0
#: Features put into a layer between two looks at the progress: some ten milliseconds.
_AT_ONCE = 1_000
_MARGIN = 0.05  # round the data, as a share of their extent

Extent = tuple[float, float, float, float]


@dataclass(frozen=True)
class MapLayer:
    """A layer to draw, and what the legend says of it.

    Attributes
    ----------
    layer : QgsVectorLayer
        A styled memory layer, to be used in the thread that made it.
    label : str
        Legend text where the symbols have none of their own.
    drawn, total : int
        Features in the layer, and features there were.
    explained : bool
        Whether the legend names it.
    """

    layer: QgsVectorLayer
    label: str
    drawn: int
    total: int
    explained: bool = True

    @property
    def sample_sentence(self) -> str:
        """Says that only a sample is drawn; empty where all is."""
        if self.drawn == self.total:
            return ""
        return tr("A random sample of {drawn} of {total} is drawn.").format(
            drawn=figure(self.drawn, ","), total=figure(self.total, ",")
        )


# --- layers from arrays -----------------------------------------------------------------------


def point_layer(
    xy: np.ndarray,
    role: str,
    label: str = "",
    columns: dict[str, tuple[str, Sequence[Any]]] | None = None,
    most: int = MOST_DRAWN,
    marker_mm: float | None = None,
    progress: Progress = silent,
) -> MapLayer:
    """Make a styled point layer in a plane of its own.

    Parameters
    ----------
    xy : (n, 2) array
    role : str
        See :mod:`..styling`.
    label : str
        For the legend.
    columns : dict of str to (str, sequence of length n)
        Type (see ``compat.FIELD_TYPES``) and values of the fields that the role is drawn by.
    most : int
        A random sample of so many points is taken from more.
    marker_mm : float, optional
        Size of the markers; by default it goes by the number of points.
    progress : callable
        Called between points; may raise to cancel.

    Returns
    -------
    MapLayer
    """
    rows = sample(len(xy), most)
    geometries = (QgsGeometry.fromPointXY(QgsPointXY(x, y)) for x, y in xy[rows].tolist())
    described = (role, label, columns or {}, marker_mm, progress)
    return _layer("Point", geometries, rows, len(xy), *described)


def line_layer(
    start: np.ndarray,
    end: np.ndarray,
    role: str,
    label: str = "",
    columns: dict[str, tuple[str, Sequence[Any]]] | None = None,
    most: int = MOST_DRAWN,
    progress: Progress = silent,
) -> MapLayer:
    """Make a styled layer of straight lines from ``start`` (n, 2) to ``end`` (n, 2) in a plane.

    The rest is as in :func:`point_layer`.
    """
    rows = sample(len(start), most)
    geometries = (
        QgsGeometry.fromPolyline([QgsPoint(*one), QgsPoint(*other)])
        for one, other in zip(start[rows].tolist(), end[rows].tolist())
    )
    described = (role, label, columns or {}, None, progress)
    return _layer("LineString", geometries, rows, len(start), *described)


def ring_layer(
    rings: Sequence[np.ndarray],
    role: str,
    label: str = "",
) -> MapLayer:
    """Make a styled layer of the outlines ``rings``, (m, 2) arrays in a plane."""
    closed = [np.concatenate([ring, ring[:1]]) for ring in rings if len(ring)]
    geometries = (
        QgsGeometry.fromPolylineXY([QgsPointXY(x, y) for x, y in ring.tolist()]) for ring in closed
    )
    rows = np.arange(len(closed))
    return _layer("LineString", geometries, rows, len(closed), role, label, {})


def polygon_layer(
    geometries: Sequence[QgsGeometry | None],
    role: str,
    label: str = "",
    columns: dict[str, tuple[str, Sequence[Any]]] | None = None,
    progress: Progress = silent,
) -> MapLayer:
    """Make a styled layer of multipolygons in a plane of its own; None draws nothing."""
    rows = np.array([row for row, one in enumerate(geometries) if one is not None], dtype=int)
    shapes = (geometries[row] for row in rows)
    return _layer(
        "MultiPolygon", shapes, rows, len(rows), role, label, columns or {}, progress=progress
    )


def sample(count: int, most: int = MOST_DRAWN) -> np.ndarray:
    """Rows of a random sample in their order; all rows where they are few enough."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng().choice(count, most, replace=False))


def _layer(
    kind,
    geometries,
    rows,
    total,
    role,
    label,
    columns,
    marker_mm=None,
    progress: Progress = silent,
) -> MapLayer:
    options = QgsVectorLayer.LayerOptions()
    options.loadDefaultStyle = False
    options.skipCrsValidation = True  # never ask anybody
    layer = QgsVectorLayer(kind, role, "memory", options)
    layer.setCrs(_plane())
    provider = layer.dataProvider()
    provider.addAttributes([make_field(name, kind) for name, (kind, _) in columns.items()])
    layer.updateFields()
    picked = [[values[row] for row in rows] for _, values in columns.values()]
    geometries = iter(geometries)
    for some in chunks(len(rows), _AT_ONCE, progress):
        features = []
        for i, geometry in zip(range(some.start, some.stop), geometries):
            feature = QgsFeature()
            feature.setGeometry(geometry)
            feature.setAttributes([column[i] for column in picked])
            features.append(feature)
        provider.addFeatures(features)
    size = styling.marker_size(len(rows)) if marker_mm is None else marker_mm
    layer.setRenderer(styling.renderer(role, size))
    return MapLayer(layer, label, len(rows), total)


def _plane() -> QgsCoordinateReferenceSystem:
    """A system that stands for a plane of its own: without one QGIS takes units for degrees."""
    return QgsCoordinateReferenceSystem.fromProj("+proj=tmerc +ellps=sphere +units=m +no_defs")


# --- drawing ----------------------------------------------------------------------------------


def map_picture(
    layers: Sequence[MapLayer],
    extent: Extent,
    size_px: tuple[int, int],
    dpi: float = DPI,
    metres_per_unit: float | None = 1.0,
    progress: Progress = silent,
) -> bytes:
    """Draw layers, the first one lowest.

    Parameters
    ----------
    layers : sequence of MapLayer
        Made in this thread, all in one plane.
    extent : (float, float, float, float)
        West, south, east, north; widened to the shape of the map.
    size_px : (int, int)
        Width and height of the map; the legend is added below.
    dpi : float
        Of the picture, which sets the size of symbols and text.
    metres_per_unit : float or None
        For the scale bar; None where the plane has no known unit, nor a north then.
    progress : callable
        Called between layers; may raise to cancel.

    Returns
    -------
    bytes
        A PNG file.
    """
    width, height = size_px
    pen = painting.Pen(dpi)
    entries = _legend_entries(layers) if pen.writes else []
    lines, legend_height = painting.legend_lines(entries, pen, width)
    image = painting.blank(width, height + legend_height, dpi)
    view = padded(extent, width / height)
    units_per_pixel = (view[2] - view[0]) / width
    painter = QPainter(image)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(0, 0, width, height)
        for number, one in enumerate(layers):
            progress(number / max(len(layers), 1))
            _draw_layer(one.layer, view, width, height, dpi, painter)
        progress(1.0)
        painter.setClipping(False)
        painting.draw_frame(painter, width, height)
        painting.draw_scale_bar(painter, pen, width, height, units_per_pixel, metres_per_unit)
        if metres_per_unit is not None:
            painting.draw_north(painter, pen, width)
        painting.draw_legend(painter, pen, lines, height, _draw_symbol)
    finally:
        painter.end()
    # Qt packs a picture without Python's lock, and large ones take a second.
    return interruptible(lambda: painting.png(image), progress, 1.0)


def _draw_layer(layer, view: Extent, width: int, height: int, dpi: float, painter) -> None:
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(layer.crs())
    settings.setOutputSize(QSize(width, height))
    settings.setOutputDpi(dpi)
    settings.setExtent(QgsRectangle(*view))
    settings.setBackgroundColor(QColor(0, 0, 0, 0))
    settings.setFlag(QgsMapSettings.Flag.Antialiasing, True)
    painter.save()
    job = QgsMapRendererCustomPainterJob(settings, painter)
    job.renderSynchronously()
    painter.restore()


def padded(extent: Extent, shape: float | None = None) -> Extent:
    """Add a margin, and widen to width / height = ``shape``; never without an area."""
    west, south, east, north = extent
    wide, high = east - west, north - south
    far = max(abs(west), abs(east), abs(south), abs(north), 1.0)
    # What is smaller than rounding leaves of such coordinates is drawn as one place.
    least = max(wide, high) if max(wide, high) > far * 1e-9 else far * 1e-4
    wide, high = (max(side, least * 0.01) * (1 + 2 * _MARGIN) for side in (wide, high))
    if shape is not None:
        wide, high = max(wide, high * shape), max(high, wide / shape)
    x, y = (west + east) / 2, (south + north) / 2
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


# --- legend -------------------------------------------------------------------------------------


def _legend_entries(layers: Sequence[MapLayer]) -> list[tuple[QgsSymbol, str]]:
    """Symbols and words of what is drawn, the topmost layer first."""
    entries = []
    for one in reversed(layers):
        if not (one.drawn and one.explained):
            continue
        renderer = one.layer.renderer()
        absent = set()
        if renderer.type() == "categorizedSymbol":
            conditions = {
                category.label(): f"\"kind\" = '{category.value()}'"
                for category in renderer.categories()
            }
            absent = _without_features(one.layer, conditions)
        elif renderer.type() == "graduatedSymbol":
            absent = _empty_ranges(one.layer, renderer)
        elif renderer.type() == "RuleRenderer":
            rules = renderer.rootRule().children()
            conditions = {rule.label(): rule.filterExpression() for rule in rules}
            absent = _without_features(one.layer, conditions)
        entries += [
            (item.symbol().clone(), item.label() or one.label)
            for item in renderer.legendSymbolItems()
            if item.symbol() is not None and item.label() not in absent
        ]
    return entries


def _without_features(layer: QgsVectorLayer, conditions: dict[str, str]) -> set[str]:
    """Labels of the conditions that no feature meets."""
    return {
        label
        for label, condition in conditions.items()
        if not any(layer.getFeatures(QgsFeatureRequest(QgsExpression(condition)).setLimit(1)))
    }


def _empty_ranges(layer: QgsVectorLayer, renderer: QgsGraduatedSymbolRenderer) -> set[str]:
    """Labels of the ranges that no feature is drawn by, each by the first range that fits."""
    at = layer.fields().lookupField(renderer.classAttribute())
    ranges = renderer.ranges()
    absent = {one.label() for one in ranges}
    for feature in layer.getFeatures(
        QgsFeatureRequest().setFlags(QgsFeatureRequest.Flag.NoGeometry)
    ):
        value = feature[at]
        if value is None or value == NULL:
            continue
        fit = (r.label() for r in ranges if r.lowerValue() <= value <= r.upperValue())
        absent.discard(next(fit, None))
    return absent


def _draw_symbol(painter: QPainter, symbol: QgsSymbol, box: QRectF, pen: painting.Pen) -> None:
    context = QgsRenderContext.fromQPainter(painter)
    context.setScaleFactor(pen.mm)
    painter.save()
    painter.translate(box.topLeft())
    symbol.drawPreviewIcon(painter, box.size().toSize(), context)
    painter.restore()
