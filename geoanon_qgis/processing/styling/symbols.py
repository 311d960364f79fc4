# SPDX-License-Identifier: GPL-2.0-or-later
"""Symbols and renderers as data, and the functions that make QGIS's of them.

Sizes are in mm. A marker's goes by the size that suits the number of features of its layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsFeatureRenderer,
    QgsFillSymbol,
    QgsGeometryGeneratorSymbolLayer,
    QgsGraduatedSymbolRenderer,
    QgsLineSymbol,
    QgsMapUnitScale,
    QgsMarkerLineSymbolLayer,
    QgsMarkerSymbol,
    QgsProperty,
    QgsRendererCategory,
    QgsRendererRange,
    QgsRuleBasedRenderer,
    QgsSimpleMarkerSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsSymbol,
    QgsSymbolLayer,
    QgsUnitTypes,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QColor

from ..i18n import tr
from .names import PALETTE

# --- symbols ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Marker:
    """A marker of ``factor`` times the size that suits the layer.

    Attributes
    ----------
    colour, frame : str
        Of the palette.
    shape : str
    factor : float
    edge : (float, float)
        Width of the frame: a share of the marker's size, and the most.
    least, most : float
        Bounds of the marker's size.
    """

    colour: str
    shape: str = "circle"
    factor: float = 1.0
    frame: str = "frame"
    edge: tuple[float, float] = (0.12, 0.3)
    least: float = 0.0
    most: float = 1e300

    def made(self, size: float) -> QgsMarkerSymbol:
        """Return the symbol."""
        own = min(max(self.least, self.factor * size), self.most)
        return QgsMarkerSymbol.createSimple(
            {
                "name": self.shape,
                "color": PALETTE[self.colour],
                "outline_color": PALETTE[self.frame],
                "outline_width": str(min(self.edge[1], self.edge[0] * own)),
                "size": str(own),
            }
        )


@dataclass(frozen=True)
class Line:
    """A line."""

    colour: str
    width: float
    dashed: bool = False
    cap: str = ""

    def made(self, size: float) -> QgsLineSymbol:
        """Return the symbol."""
        look = {"line_color": PALETTE[self.colour], "line_width": str(self.width)}
        line = QgsLineSymbol.createSimple({**look, **({"capstyle": self.cap} if self.cap else {})})
        if self.dashed:
            line.symbolLayer(0).setPenStyle(Qt.PenStyle.DashLine)
        return line


@dataclass(frozen=True)
class Arrow:
    """A line with an arrow on its way and, if wanted, a dot where it starts.

    An arrow at the end would lie under the marker of the point that it leads to. ``head_at``
    is its place as a share of the line: lines there and back are to show both arrows.
    """

    colour: str
    width: float = 0.45
    head_at: float = 0.5
    tail: bool = True

    def made(self, size: float) -> QgsLineSymbol:
        """Return the symbol."""
        line = Line(self.colour, self.width, cap="round").made(size)
        if self.tail:
            dot = {"name": "circle", "color": PALETTE["original"], "outline_style": "no"}
            line.appendSymbolLayer(_on_line(dot, 0.0, share=0.3, largest_mm=1.3))
        head = {
            "name": "filled_arrowhead",
            "color": PALETTE[self.colour],
            "outline_color": PALETTE[self.colour],
            "outline_width": "0.1",
        }
        line.appendSymbolLayer(_on_line(head, self.head_at, share=0.35, largest_mm=2.2))
        return line


@dataclass(frozen=True)
class Led:
    """A marker with a line to the place that two fields of its feature name, under all markers.

    Attributes
    ----------
    marker : Marker
    line : Line
    to : (str, str)
        Fields with the coordinates of that place.
    """

    marker: Marker
    line: Line
    to: tuple[str, str]

    def made(self, size: float) -> QgsMarkerSymbol:
        """Return the symbol."""
        symbol = self.marker.made(size)
        x, y = (f'"{name}"' for name in self.to)
        leading = QgsGeometryGeneratorSymbolLayer.create(
            {
                "geometryModifier": f"make_line($geometry, make_point({x}, {y}))",
                "SymbolType": "Line",
            }
        )
        leading.setSubSymbol(self.line.made(size))
        symbol.appendSymbolLayer(leading)
        return symbol


@dataclass(frozen=True)
class Standing:
    """A line without length: a mark at its place."""

    factor: float

    def made(self, size: float) -> QgsLineSymbol:
        """Return the symbol."""
        point = QgsGeometryGeneratorSymbolLayer.create(
            {"geometryModifier": "start_point($geometry)", "SymbolType": "Marker"}
        )
        point.setSubSymbol(Marker("unmoved", "square", self.factor).made(size))
        return _made_of(QgsLineSymbol.createSimple({}), point)


@dataclass(frozen=True)
class Fill:
    """An area: its colour, or none, and its outline, or none."""

    colour: str = ""
    outline: str = ""
    width: float = 0.0
    alpha: int = 255

    def made(self, size: float) -> QgsFillSymbol:
        """Return the symbol."""
        look = {"style": "no"}
        if self.colour:
            shade = QColor(PALETTE[self.colour])
            look = {"color": f"{shade.red()},{shade.green()},{shade.blue()},{self.alpha}"}
        if self.outline:
            look.update(outline_color=PALETTE[self.outline], outline_width=str(self.width))
        else:
            look["outline_style"] = "no"
        return QgsFillSymbol.createSimple(look)


Symbol = Union[Marker, Led, Line, Arrow, Standing, Fill]


def _on_line(marker: dict, place: float, share: float, largest_mm: float):
    """A marker on a line that shrinks with the line, so as not to cover it."""
    metres = QgsUnitTypes.RenderUnit.RenderMetersInMapUnits
    simple = QgsSimpleMarkerSymbolLayer.create({**marker, "size": str(largest_mm)})
    simple.setSizeUnit(metres)
    bounds = QgsMapUnitScale()
    bounds.maxSizeMMEnabled = True
    bounds.maxSizeMM = largest_mm
    simple.setSizeMapUnitScale(bounds)
    simple.setDataDefinedProperty(_SIZE, QgsProperty.fromExpression(f"{share} * {_LENGTH_M}"))
    middle = place == 0.5
    marks = QgsMarkerLineSymbolLayer.create(
        {"placement": "centralpoint" if middle else "firstvertex"}
    )
    # A straight line has one direction. Without this QGIS looks for it along 4 mm of the map, going
    # over a line of a thousandth of a pixel again and again, until memory runs out.
    marks.setAverageAngleLength(0.0)
    if place and not middle:
        marks.setOffsetAlongLineUnit(metres)
        marks.setDataDefinedProperty(_ALONG, QgsProperty.fromExpression(f"{place} * {_LENGTH_M}"))
    marks.setSubSymbol(_made_of(QgsMarkerSymbol.createSimple({}), simple))
    return marks


def _property(name: str):
    """A property of symbol layers by its name in old and in new versions."""
    old = f"Property{name}"
    return getattr(QgsSymbolLayer.Property, old if hasattr(QgsSymbolLayer.Property, old) else name)


_SIZE, _ALONG = _property("Size"), _property("OffsetAlongLine")
#: Metres: as written by the mask, else as QGIS measures (NULL never reaches the symbol).
_LENGTH_M = "coalesce(attribute('shift_m'), $length)"


def _made_of(symbol: QgsSymbol, layer: QgsSymbolLayer):
    """Put the one layer into a symbol; handing it to the constructor crashes QGIS 3.22."""
    symbol.changeSymbolLayer(0, layer)
    return symbol


# --- renderers --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kinds:
    """A symbol for each value of the field ``kind``: value, symbol, legend text.

    A text may name the value as ``{number}``.
    """

    classes: tuple[tuple[str, Symbol, str], ...]

    def made(self, size: float) -> QgsFeatureRenderer:
        """Return the renderer."""
        return QgsCategorizedSymbolRenderer(
            "kind",
            [
                QgsRendererCategory(kind, symbol.made(size), tr(label).format(number=kind))
                for kind, symbol, label in self.classes
            ],
        )


@dataclass(frozen=True)
class Ranges:
    """A symbol for each range of a field: from, to, symbol, legend text, drawing level.

    QGIS takes the first range that fits, so the order decides on the borders.
    """

    field: str
    classes: tuple[tuple[float, float, Symbol, str, int], ...]

    def made(self, size: float) -> QgsFeatureRenderer:
        """Return the renderer."""
        ranges = [
            QgsRendererRange(low, high, _raised(symbol.made(size), level), tr(label))
            for low, high, symbol, label, level in self.classes
        ]
        return _levelled(QgsGraduatedSymbolRenderer(self.field, ranges), self.classes)


@dataclass(frozen=True)
class Rules:
    """A symbol for what meets a condition: symbol, condition, legend text, drawing level."""

    rules: tuple[tuple[Symbol, str, str, int], ...]

    def made(self, size: float) -> QgsFeatureRenderer:
        """Return the renderer."""
        root = QgsRuleBasedRenderer.Rule(None)
        for symbol, condition, label, level in self.rules:
            made = _raised(symbol.made(size), level)
            root.appendChild(QgsRuleBasedRenderer.Rule(made, 0, 0, condition, tr(label)))
        return _levelled(QgsRuleBasedRenderer(root), self.rules)


Look = Union[Symbol, Kinds, Ranges, Rules]


def renderer_of(look: Look, size: float) -> QgsFeatureRenderer:
    """Return the renderer of a look, with markers for layers of ``size`` mm."""
    made = look.made(size)
    return QgsSingleSymbolRenderer(made) if isinstance(made, QgsSymbol) else made


def _raised(symbol: QgsSymbol, level: int) -> QgsSymbol:
    if level:
        symbol.symbolLayer(0).setRenderingPass(level)
    return symbol


def _levelled(renderer: QgsFeatureRenderer, classes: tuple) -> QgsFeatureRenderer:
    """Have what has a higher level drawn above all others, where levels are told apart."""
    if any(one[-1] for one in classes):
        renderer.setUsingSymbolLevels(True)
    return renderer
