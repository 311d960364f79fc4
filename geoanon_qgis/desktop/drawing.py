# SPDX-License-Identifier: GPL-2.0-or-later
"""What is known of a record, drawn over the map: one item on the canvas, which goes as a whole."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qgis.core import QgsGeometry, QgsPointXY, QgsRectangle
from qgis.gui import QgsMapCanvas, QgsMapCanvasItem
from qgis.PyQt.QtCore import QPointF, QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from ..processing.i18n import mark, tr
from ..processing.styling.names import PALETTE
from . import evidence as ev
from .attacks import percent
from .evidence import Evidence, Mark
from .truth import moved


@dataclass(frozen=True)
class Look:
    """How a kind of mark is drawn: shape, colour, size in pixels, and what it is."""

    shape: str
    colour: str
    size: float
    says: str


#: In the order of drawing.
LOOKS = {
    ev.SUPPORT: Look("area", "masked", 1.4, mark("where the mask could have put the point")),
    ev.TRUE_LINK: Look("dashed", "original", 1.8, mark("what the mask did")),
    ev.LINK: Look("line", "singleton", 2.4, mark("what the adversary concludes")),
    ev.CANDIDATE: Look("circle", "near_3", 9.0, mark("address that explains the point")),
    ev.PARTNER: Look("circle", "pair", 15.0, mark("the other place of the pair")),
    ev.GUESS: Look("circle", "near_4", 17.0, mark("where the adversary looks for the person")),
    ev.NEAREST: Look("diamond", "masked", 14.0, mark("nearest released record")),
    ev.RELEASED: Look("diamond", "masked", 14.0, mark("released point")),
    ev.HOME: Look("ring", "unmoved", 26.0, mark("true place")),
}
#: Labels of addresses below this probability would only cover the map.
_LABELLED = 0.05


def colour_of(what: str, probability: float | None) -> str:
    """Return the colour of a mark; addresses are the darker the likelier, as in their layer."""
    if what in (ev.CANDIDATE, ev.GUESS) and probability is not None:
        steps = ((0.5, "near_4"), (0.09, "near_3"), (0.01, "near_2"), (0.0, "near_1"))
        return PALETTE[next((name for least, name in steps if probability >= least), "near_1")]
    return PALETTE[LOOKS[what].colour]


def size_of(one: Mark) -> float:
    """Return the size of a marker in pixels: the likelier the larger, by its area."""
    if one.what == ev.CANDIDATE and one.probability is not None:
        return 5.0 + 17.0 * math.sqrt(max(0.0, min(1.0, one.probability)))
    return LOOKS[one.what].size


class Drawing(QgsMapCanvasItem):
    """Draws the marks of one record above the map."""

    def __init__(self, canvas: QgsMapCanvas):
        super().__init__(canvas)
        self._canvas = canvas
        self._marks: list[tuple[Mark, QgsGeometry]] = []
        self._title = ""
        self.setZValue(200)

    def show_evidence(self, found: Evidence | None, title: str, project) -> None:
        """Draw what is known of a record, or nothing."""
        crs = self._canvas.mapSettings().destinationCrs()
        marks = [] if found is None else found.marks
        order = list(LOOKS)
        # The likeliest on top of the others.
        marks = sorted(marks, key=lambda one: (order.index(one.what), one.probability or 0.0))
        places = ((one, moved(one.geometry, one.crs, crs, project)) for one in marks)
        self._marks = [(one, place) for one, place in places if place is not None]
        self._title = title
        self.update()

    def extent(self) -> QgsRectangle:
        """Return what all marks take up on the map."""
        box = QgsRectangle()
        for _, place in self._marks:
            box.combineExtentWith(place.boundingBox())
        return box

    def boundingRect(self):
        """Return all of the canvas: labels may stand anywhere."""
        return QRectF(0, 0, self._canvas.width(), self._canvas.height())

    def paint(self, painter, option, widget):
        """Draw; a title says of whom, and that it is private."""
        if not self._title:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for one, place in self._marks:
            self._draw(painter, one, place)
        taken: list[QRectF] = []
        for one, place in reversed(self._marks):
            self._label(painter, one, place, taken)
        self._draw_title(painter)
        painter.restore()

    # --- one mark -------------------------------------------------------------------------

    def _at(self, point) -> QPointF:
        return self.toCanvasCoordinates(QgsPointXY(point.x(), point.y()))

    def _draw(self, painter: QPainter, one: Mark, place: QgsGeometry) -> None:
        look, colour = LOOKS[one.what], QColor(colour_of(one.what, one.probability))
        if look.shape in ("line", "dashed"):
            pen = QPen(colour, look.size)
            if look.shape == "dashed":
                pen.setStyle(Qt.PenStyle.DashLine)
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF([self._at(one) for one in place.vertices()]))
        elif look.shape == "area":
            shade = QColor(colour)
            shade.setAlpha(36)
            painter.setPen(QPen(colour, look.size))
            painter.setBrush(shade)
            for part in place.asGeometryCollection() or [place]:
                painter.drawPolygon(QPolygonF([self._at(one) for one in part.vertices()]))
        else:
            _marker(painter, look.shape, self._at(place.centroid().asPoint()), size_of(one), colour)

    def _label(self, painter, one: Mark, place: QgsGeometry, taken: list[QRectF]) -> None:
        """Write a probability, or what a single mark is, beside it, where there is room."""
        if one.what in (ev.CANDIDATE, ev.GUESS, ev.PARTNER):
            if one.probability is None or one.probability < _LABELLED:
                return
            text = percent(one.probability)
        elif one.what in (ev.HOME, ev.RELEASED, ev.NEAREST):
            text = tr(LOOKS[one.what].says)
        else:
            return
        font = QFont(painter.font())
        font.setPixelSize(14)
        font.setBold(True)
        at = self._at(place.centroid().asPoint())
        size = QFontMetricsF(font).boundingRect(text).adjusted(-4, -2, 4, 2)
        away = size_of(one) / 2 + 5
        wide, high = size.width(), size.height()
        for x, y in (
            (at.x() + away, at.y() - high / 2),
            (at.x() - away - wide, at.y() - high / 2),
            (at.x() - wide / 2, at.y() - away - high),
            (at.x() - wide / 2, at.y() + away),
        ):
            box = QRectF(x, y, wide, high)
            if not any(box.intersects(other) for other in taken):
                taken.append(box)
                _pill(painter, box, text, font, QColor(colour_of(one.what, one.probability)))
                return

    def _draw_title(self, painter: QPainter) -> None:
        font = QFont(painter.font())
        font.setPixelSize(15)
        font.setBold(True)
        text = QFontMetricsF(font).boundingRect(self._title)
        box = QRectF(10, 10, text.width() + 24, text.height() + 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(PALETTE["frame"]))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(QColor(PALETTE["halo"]))
        painter.setFont(font)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self._title)
        # Private by colour: a dark frame round the whole map while a record is shown.
        painter.setPen(QPen(QColor(PALETTE["frame"]), 4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.boundingRect().adjusted(2, 2, -2, -2))


def _marker(painter: QPainter, shape: str, at: QPointF, size: float, colour: QColor) -> None:
    half = size / 2
    if shape == "ring":
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for width, shade in ((7.0, QColor(PALETTE["halo"])), (4.0, colour)):
            painter.setPen(QPen(shade, width))
            painter.drawEllipse(at, half, half)
        return
    painter.setPen(QPen(QColor(PALETTE["halo" if shape == "diamond" else "frame"]), 1.3))
    painter.setBrush(colour)
    if shape == "circle":
        painter.drawEllipse(at, half, half)
        return
    corners = ((0, -half), (half, 0), (0, half), (-half, 0))
    painter.drawPolygon(QPolygonF([QPointF(at.x() + x, at.y() + y) for x, y in corners]))


def _pill(painter: QPainter, box: QRectF, text: str, font: QFont, colour: QColor) -> None:
    shade = QColor(PALETTE["halo"])
    shade.setAlpha(225)
    painter.setPen(QPen(colour, 1.2))
    painter.setBrush(shade)
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(QColor(PALETTE["original"]))
    painter.setFont(font)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
