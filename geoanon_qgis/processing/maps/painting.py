# SPDX-License-Identifier: GPL-2.0-or-later
"""What Qt alone draws of a map's picture: the paper, the frame, the scale bar, the legend's text.

Knows no QGIS. No call here or in :mod:`.drawing` may convert or scale a picture: Qt splits such
work over the threads that QGIS's tasks use too, and waits. In a model or a batch run, which QGIS
executes in the main thread, those threads are taken by tasks that wait for the run: nothing would
move again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from qgis.PyQt.QtCore import (
    QT_VERSION,
    QBuffer,
    QByteArray,
    QIODevice,
    QPointF,
    QRectF,
    Qt,
)
from qgis.PyQt.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QImage, QPainter, QPen

from ..i18n import tr

INK = "#1b1b1b"


def blank(width: int, height: int, dpi: float) -> QImage:
    """Return white paper, in the format that is saved as it is."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.setDotsPerMeterX(round(dpi / 0.0254))
    image.setDotsPerMeterY(round(dpi / 0.0254))
    image.fill(QColor("#ffffff"))
    return image


def png(image: QImage) -> bytes:
    """Return a picture made by :func:`blank` as a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    buffer.close()
    return bytes(data)


class Pen:
    """Sizes in the picture's pixels, and the font; ``writes`` is False where there is none."""

    def __init__(self, dpi: float):
        self.mm = dpi / 25.4
        self.writes = bool(_font_families())
        self.font = QFont("DejaVu Sans")
        self.font.setStyleHint(QFont.StyleHint.SansSerif)
        self.font.setPixelSize(max(8, round(3.0 * self.mm)))
        self.metrics = QFontMetricsF(self.font)

    def width(self, text: str) -> float:
        """Width of a text in pixels."""
        return self.metrics.boundingRect(text).width()


def _font_families() -> list[str]:
    # Qt 6 has no font database that could be made; its questions are asked of the class.
    return (QFontDatabase if QT_VERSION >= 0x060000 else QFontDatabase()).families()


def draw_frame(painter: QPainter, width: int, height: int) -> None:
    """Draw a thin line round the map."""
    painter.setPen(QPen(QColor("#c4c9ce"), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(QRectF(0.5, 0.5, width - 1, height - 1))


# --- scale bar ----------------------------------------------------------------------------------


def scale_bar(units_per_pixel: float, most_px: float, metres_per_unit: float | None):
    """Choose a round length for a scale bar.

    Returns
    -------
    (float, str)
        Length in pixels, at most ``most_px``, and what is written at it.
    """
    scale = units_per_pixel * (1.0 if metres_per_unit is None else metres_per_unit)
    longest = scale * most_px
    power = 10.0 ** math.floor(math.log10(longest))
    length = next(step * power for step in (5, 2, 1) if step * power <= longest * (1 + 1e-9))
    return length / scale, _length_text(length, metres_per_unit is not None)


def _length_text(length: float, metric: bool) -> str:
    if not metric:
        return tr("{length} units").format(length=f"{length:g}")
    for size, unit in ((1000.0, "km"), (1.0, "m"), (0.01, "cm"), (0.001, "mm")):
        if length >= size * (1 - 1e-9):
            return f"{length / size:,.10g} {unit}"
    return f"{length:g} m"


def draw_scale_bar(
    painter: QPainter,
    pen: Pen,
    width: int,
    height: int,
    units_per_pixel: float,
    metres_per_unit: float | None,
) -> None:
    """Draw the scale bar into the map's lower left corner; see :func:`scale_bar`."""
    if not pen.writes:  # a bar without its length says nothing
        return
    length, text = scale_bar(units_per_pixel, 0.25 * width, metres_per_unit)
    mm = pen.mm
    left, bottom = 2.5 * mm, height - 2.5 * mm
    box = QRectF(
        left - mm,
        bottom - pen.metrics.height() - 1.8 * mm,
        max(length, pen.width(text)) + 2 * mm,
        pen.metrics.height() + 2.8 * mm,
    )
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(255, 255, 255, 215))
    painter.drawRoundedRect(box, 0.6 * mm, 0.6 * mm)
    painter.setPen(QPen(QColor(INK), max(1.0, 0.35 * mm)))
    painter.drawPolyline(
        *(
            QPointF(left + x, bottom - y)
            for x, y in ((0, 1.2 * mm), (0, 0), (length, 0), (length, 1.2 * mm))
        )
    )
    painter.setFont(pen.font)
    painter.drawText(QPointF(left, bottom - 1.7 * mm), text)


def draw_north(painter: QPainter, pen: Pen, width: int) -> None:
    """Draw an arrow to the north of the plane into the upper right corner of a map with room."""
    if not pen.writes or width < 30 * pen.mm:
        return
    mm, text = pen.mm, tr("N")
    middle, top, half = width - 4.5 * mm, 2.5 * mm, 1.4 * mm
    high = 4.2 * mm
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(255, 255, 255, 215))
    box = QRectF(middle - 3 * mm, 1.5 * mm, 6 * mm, high + pen.metrics.height() + 2.2 * mm)
    painter.drawRoundedRect(box, 0.6 * mm, 0.6 * mm)
    painter.setBrush(QColor(INK))
    painter.drawPolygon(
        QPointF(middle, top),
        QPointF(middle + half, top + high),
        QPointF(middle, top + 0.75 * high),
        QPointF(middle - half, top + high),
    )
    painter.setFont(pen.font)
    painter.setPen(QColor(INK))
    below = QRectF(middle - 3 * mm, top + high + 0.3 * mm, 6 * mm, pen.metrics.height())
    painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), text)


# --- legend ---------------------------------------------------------------------------------------


def legend_lines(
    entries: Sequence[tuple[Any, str]], pen: Pen, width: int
) -> tuple[list[list[tuple[float, Any, str]]], int]:
    """Break the legend of (symbol, text) into lines.

    Returns
    -------
    (list of lists of (float, symbol, str), int)
        Lines of x, symbol and text, and the height of all of them.
    """
    if not entries:
        return [], 0
    lines, x = [[]], 0.0
    for symbol, text in entries:
        needed = 7 * pen.mm + pen.width(text) + 4 * pen.mm
        if lines[-1] and x + needed > width:
            lines.append([])
            x = 0.0
        lines[-1].append((x, symbol, text))
        x += needed
    return lines, math.ceil(len(lines) * _line_height(pen) + 1.5 * pen.mm)


def _line_height(pen: Pen) -> float:
    return max(pen.metrics.height() * 1.25, 4.2 * pen.mm)


def draw_legend(
    painter: QPainter,
    pen: Pen,
    lines: Sequence[Sequence[tuple[float, Any, str]]],
    top: int,
    draw_symbol: Callable[[QPainter, Any, QRectF, Pen], None],
) -> None:
    """Write the legend below the map; ``draw_symbol`` draws what stands before a text."""
    step = _line_height(pen)
    for number, line in enumerate(lines):
        y = top + 0.8 * pen.mm + number * step
        for x, symbol, text in line:
            draw_symbol(painter, symbol, QRectF(x + 2.2 * pen.mm, y, 4.2 * pen.mm, step), pen)
            painter.setFont(pen.font)
            painter.setPen(QColor(INK))
            painter.drawText(
                QRectF(x + 7 * pen.mm, y, pen.width(text) + 4 * pen.mm, step),
                int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft),
                text,
            )
