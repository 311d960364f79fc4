# SPDX-License-Identifier: GPL-2.0-or-later
"""How layers look: colours, symbols, and a legend in plain words that explains itself.

``style(layer, role)`` is all a caller needs; :func:`on_load` does it when QGIS loads an output.
Colours are those of Okabe and Ito, told apart with any kind of colour vision, and every kind
has a shape of its own as well. Private layers wear a dark frame, carry the word in their name
and a note in the layer tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from qgis.core import (
    QgsCategorizedSymbolRenderer,
    QgsFeatureRenderer,
    QgsFillSymbol,
    QgsGeometryGeneratorSymbolLayer,
    QgsGraduatedSymbolRenderer,
    QgsLayerNotesUtils,
    QgsLayerTreeLayer,
    QgsLineSymbol,
    QgsMapUnitScale,
    QgsMarkerLineSymbolLayer,
    QgsMarkerSymbol,
    QgsPalLayerSettings,
    QgsProcessingContext,
    QgsProcessingLayerPostProcessorInterface,
    QgsProperty,
    QgsRendererCategory,
    QgsRendererRange,
    QgsRuleBasedRenderer,
    QgsSimpleMarkerSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsSymbol,
    QgsSymbolLayer,
    QgsTextBufferSettings,
    QgsTextFormat,
    QgsUnitTypes,
    QgsVectorLayer,
    QgsVectorLayerSimpleLabeling,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtGui import QColor

from .i18n import mark, tr

#: The one place where colours are chosen.
PALETTE = {
    "masked": "#0072b2",  # blue
    "original": "#1b1b1b",
    "candidate": "#9a9a9a",
    "shift": "#4d4d4d",
    "cell": "#8a8a8a",
    "singleton": "#d55e00",  # vermilion
    "pair": "#e69f00",  # orange
    "unmoved": "#cc79a7",  # purple
    "ambiguous": "#56b4e9",  # sky blue
    "unresolved": "#ffffff",
    "right": "#d55e00",
    "wrong": "#ffffff",
    "unknown": "#56b4e9",
    "drawn": "#d55e00",
    "reference": "#009e73",  # bluish green
    "area": "#6f7d8a",
    # From lost to kept; one hue, so that lightness tells the order to everyone.
    "kept_1": "#cfe7f6",
    "kept_2": "#93c9ea",
    "kept_3": "#4aa0d5",
    "kept_4": "#0072b2",
    "kept_5": "#003a5c",
    "stretched": "#e69f00",
    # From far to near; one hue, so that lightness tells the order to everyone.
    "near_1": "#f6d0b4",
    "near_2": "#ec9a63",
    "near_3": "#d55e00",
    "near_4": "#7d3700",
    "no_nearer": "#c3cbd2",
    "alone": "#e69f00",  # a class of one record
    "empty": "#f3f3f3",
    "region": "#8792a0",
    "frame": "#333333",  # round what is private
    "halo": "#ffffff",  # round what is released
}

#: What a layer can be; the argument ``role`` everywhere.
MASKED, SHIFTS, CELLS, KEY, FOUND, SCORED, LINKS, ORIGINALS, CANDIDATES, RIGHT_OR_WRONG = (
    "masked",
    "shifts",
    "cells",
    "key",
    "found",
    "scored",
    "links",
    "originals",
    "candidates",
    "right_or_wrong",
)
#: Records that an attack says are to be withheld.
AT_RISK = "at_risk"
#: Of releases of distances and of the attack on them.
(
    RECORDS,
    DISTANCE_KEPT,
    DRAWN,
    REFERENCE_SETS,
    LINKED,
    LINK_LINES,
    RATIOS,
    CENTRE,
    DRAWN_LINES,
    SOME_SETS,
    AREA,
) = (
    "records",
    "distance_kept",
    "drawn",
    "reference_sets",
    "linked",
    "link_lines",
    # of pictures only
    "ratios",
    "centre",
    "drawn_lines",
    "some_sets",
    "area",
)

#: Of the aggregation of regions.
AGGREGATED, RELEASED_AREAS, SITES, LOOKUP, REGIONS, AREA_RECORDS, AREA_LABELS, POINT_REGIONS = (
    "aggregated",
    "released_areas",
    "sites",
    "lookup",
    "regions",
    "area_records",
    # of pictures only
    "area_labels",
    "point_regions",
)

#: Of microdata: points and tables that are released, and what is found out about records.
ANONYMIZED, ANONYMIZED_TABLE, RISK, SMALL_CLASSES, MEASURED = (
    "anonymized",
    "anonymized_table",
    "risk",
    "small_classes",
    "measured",
)

#: kind of an assignment -> shape, size factor, legend text
_FOUND_KINDS = {
    "singleton": ("circle", 1.0, mark("Found: one place")),
    "pair": ("diamond", 1.25, mark("Found: one of two places")),
    "unmoved": ("square", 0.95, mark("Found: did not move")),
    "ambiguous": ("triangle", 1.15, mark("Ambiguous: several pairs of places fit")),
    "unresolved": ("circle", 0.8, mark("Unresolved: drawn at its masked place")),
}
_WRONG = mark("Wrong place, by the key")

#: kind of a shift -> legend text
_SHIFT_KINDS = {
    "singleton": mark("Moved; alone at its masked place"),
    "pair": mark("Moved; meets its neighbour halfway"),
    "unmoved": mark("Did not move: shares its place"),
}
_LINK_KINDS = {
    "singleton": mark("Masked → the one place"),
    "pair": mark("Masked → one of two places"),
    "unmoved": mark("Did not move"),
    "ambiguous": mark("Masked → likeliest of several"),
}


#: Released / true distance: colour, from, to, legend text. A ratio on a border belongs to the
#: first of its classes.
_RATIO_CLASSES = (
    ("kept_5", 0.9, 1.0, mark("Kept: 90 to 100 % of the true distance")),
    ("kept_4", 0.75, 0.9, mark("75 to 90 %")),
    ("kept_3", 0.5, 0.75, mark("50 to 75 %")),
    ("kept_2", 0.25, 0.5, mark("25 to 50 %")),
    ("kept_1", 0.0, 0.25, mark("Lost: below 25 %")),
    ("stretched", 1.0, 1e300, mark("Longer than the true distance")),
)
#: Smallest class of an area: colour, from, to, legend text.
_SMALLEST_CLASSES = (
    ("empty", 0, 0.5, mark("No records")),
    ("alone", 0.5, 1.5, mark("Smallest class: 1 record")),
    ("kept_1", 1.5, 4.5, mark("2 to 4")),
    ("kept_2", 4.5, 9.5, mark("5 to 9")),
    ("kept_3", 9.5, 19.5, mark("10 to 19")),
    ("kept_4", 19.5, 99.5, mark("20 to 99")),
    ("kept_5", 99.5, 1e300, mark("100 and more")),
)
#: Distance to the release / to the reference: colour, condition, size factor, legend text.
_RISK_CLASSES = (
    (
        "near_4",
        '"relative_distance" < 0.25',
        1.25,
        mark("Release nearer than a quarter of the reference's distance"),
    ),
    (
        "near_3",
        '"relative_distance" >= 0.25 AND "relative_distance" < 0.5',
        1.1,
        mark("A quarter to a half"),
    ),
    (
        "near_2",
        '"relative_distance" >= 0.5 AND "relative_distance" < 0.75',
        1.0,
        mark("A half to three quarters"),
    ),
    (
        "near_1",
        '"relative_distance" >= 0.75 AND "relative_distance" < 1',
        0.9,
        mark("Three quarters to the same"),
    ),
    (
        "no_nearer",
        'coalesce("relative_distance", 1) >= 1 AND "distance" IS NOT NULL',
        0.7,
        mark("No nearer than other people's records"),
    ),
)
#: Records by the size of their class.
_CLASS_KINDS = (
    ("singleton", "triangle", 1.2, '"class_size" = 1', mark("Unique: alone in its class")),
    ("pair", "diamond", 1.1, '"class_size" > 1 AND "small" = 1', mark("In a small class")),
    ("candidate", "circle", 0.6, '"small" = 0', mark("In a class that is large enough")),
)
#: Reference sets told apart in a picture: shape, colour. Their ``kind`` is their number.
SET_LOOKS = (
    ("square", "singleton"),
    ("diamond", "masked"),
    ("triangle", "pair"),
    ("pentagon", "unmoved"),
)


@dataclass(frozen=True)
class _Role:
    """A role: how it is drawn and what is said of it."""

    renderer: Callable[[float], QgsFeatureRenderer] | None
    secrecy: str  # "release", "private" or "" for the user's own data
    note: str
    level: int  # drawn above the roles with a lower one
    map_tip: str = ""
    label: str = ""  # expression of what is written on the map


def style(layer: QgsVectorLayer, role: str) -> None:
    """Give a layer the symbols, map tip and notes of its role.

    Parameters
    ----------
    layer : QgsVectorLayer
        With the fields that GeoAnon's algorithms write for the role.
    role : str
        One of this module's roles.

    Raises
    ------
    KeyError
        If there is no such role.
    """
    what = _ROLES[role]
    drawn = what
    if role == REGIONS and layer.geometryType() == QgsWkbTypes.GeometryType.PointGeometry:
        drawn = _ROLES[POINT_REGIONS]
    if drawn.renderer is not None:
        layer.setRenderer(drawn.renderer(marker_size(layer.featureCount())))
    label(layer, role)
    if what.map_tip:
        layer.setMapTipTemplate(what.map_tip)
    if what.note:
        # Shown as an icon with a tool tip in the layer tree, and kept in the project only.
        QgsLayerNotesUtils.setLayerNotes(layer, f"<p>{tr(what.note)}</p>")
        metadata = layer.metadata()
        metadata.setAbstract(tr(what.note))
        layer.setMetadata(metadata)
    layer.triggerRepaint()


def renderer(role: str, size: float) -> QgsFeatureRenderer:
    """Return the renderer of a role that is drawn, with markers of ``size`` mm."""
    return _ROLES[role].renderer(size)


def label(layer: QgsVectorLayer, role: str) -> None:
    """Write the labels of a role on the map, where it has any."""
    if not _ROLES[role].label:
        return
    settings = QgsPalLayerSettings()
    settings.fieldName = _ROLES[role].label
    settings.isExpression = True
    written = QgsTextFormat()
    written.setSize(8)
    written.setColor(QColor(PALETTE["original"]))
    halo = QgsTextBufferSettings()
    halo.setEnabled(True)
    halo.setSize(0.8)
    halo.setColor(QColor(PALETTE["halo"]))
    written.setBuffer(halo)
    settings.setFormat(written)
    layer.setLabeling(QgsVectorLayerSimpleLabeling(settings))
    layer.setLabelsEnabled(True)


def is_private(role: str) -> bool:
    """Tell whether layers of this role must not be given away."""
    return _ROLES[role].secrecy == "private"


def marker_size(count: int) -> float:
    """Marker size (mm) that keeps ``count`` points apart on a screen."""
    return next(
        size
        for most, size in ((200, 2.6), (1_000, 2.2), (5_000, 1.6), (count, 0.9))
        if count <= most
    )


# --- on load --------------------------------------------------------------------------------

#: Post-processors still to be called: QGIS keeps no reference, and one on the algorithm is
#: gone before its outputs are loaded.
_waiting: set[StyleOnLoad] = set()


_LEVEL = "geoanon/level"


class StyleOnLoad(QgsProcessingLayerPostProcessorInterface):
    """Styles one output when QGIS loads it; made by :func:`on_load`, used once."""

    def __init__(self, role: str, title: str = ""):
        super().__init__()
        self.role, self.title = role, title

    def postProcessLayer(self, layer, context, feedback):  # noqa: N802
        """Style the layer, name it private where it is; called in the main thread."""
        _waiting.discard(self)
        try:
            if isinstance(layer, QgsVectorLayer):
                _name(layer, self.role, self.title)
                style(layer, self.role)
                _arrange(layer, self.role, context)
        except Exception as error:  # QGIS must not stumble over a missing style
            feedback.reportError(
                tr("The layer “{name}” was loaded without its style: {error}").format(
                    name=layer.name(), error=error
                )
            )


def on_load(context, destination: str, role: str, title: str = "") -> bool:
    """Have an output styled, grouped and ordered when QGIS loads it.

    Parameters
    ----------
    context : QgsProcessingContext
    destination : str
        What ``parameterAsSink`` returned for the output.
    role : str
        One of this module's roles.
    title : str
        The layer's name where a model has none for people.

    Returns
    -------
    bool
        False where QGIS is not going to load the output.
    """
    if not context.willLoadLayerOnCompletion(destination):
        return False
    details = context.layerToLoadOnCompletionDetails(destination)
    processor = StyleOnLoad(role, title)
    _waiting.add(processor)
    details.setPostProcessor(processor)
    # QGIS 3.32 and later
    if hasattr(details, "layerSortKey"):
        details.layerSortKey = _ROLES[role].level
    return True


def _name(layer: QgsVectorLayer, role: str, title: str) -> None:
    """Make the name say what is private and what is a release."""
    name = layer.name()
    if name.isupper() and title:
        # A model hands down its output's own name, such as SHIFTS.
        name = title
    # An output loaded from a file may bear the file's name.
    said = {"private": tr("Private: {description}"), "release": tr("Release: {description}")}
    template = said.get(_ROLES[role].secrecy, "{description}")
    if not name.startswith(template.format(description="").strip()):
        name = template.format(description=name)
    layer.setName(name)


def _arrange(layer: QgsVectorLayer, role: str, context) -> None:
    """Count features in the legend, keep points above lines, fold up what repeats colours."""
    project = context.project()
    if project is None:
        return
    layer_id = layer.id()
    layer.setCustomProperty(_LEVEL, _ROLES[role].level)

    def later():
        # Some versions put the layer into the tree only after this call.
        node = project.layerTreeRoot().findLayer(layer_id)
        if node is None:
            return
        node.setCustomProperty("showFeatureCount", True)
        node.setExpanded(role not in (LINKS, CELLS))
        if not hasattr(QgsProcessingContext.LayerDetails, "layerSortKey"):
            _sink(node)

    QTimer.singleShot(0, later)


def _sink(node) -> None:
    """Move a layer just loaded below the neighbours that are to be drawn above it."""
    parent = node.parent()
    siblings = parent.children()
    place = siblings.index(node)
    own = int(node.layer().customProperty(_LEVEL))
    below = place + 1
    while below < len(siblings) and _level(siblings[below]) > own:
        below += 1
    if below > place + 1:
        parent.insertChildNode(below, node.clone())
        parent.removeChildNode(node)


def _level(node) -> int:
    layer = node.layer() if isinstance(node, QgsLayerTreeLayer) else None
    return -1 if layer is None else int(layer.customProperty(_LEVEL, -1))


# --- symbols --------------------------------------------------------------------------------


def _marker(
    colour: str, shape: str, size: float, frame: str, width: float | None = None
) -> QgsMarkerSymbol:
    if width is None:
        width = min(0.3, 0.12 * size)
    return QgsMarkerSymbol.createSimple(
        {
            "name": shape,
            "color": PALETTE[colour],
            "outline_color": PALETTE[frame],
            "outline_width": str(width),
            "size": str(size),
        }
    )


def _arrow(colour: str, width: float = 0.45, head_at: float = 0.5, tail: bool = True):
    """A line with an arrow on its way and, if wanted, a dot where it starts.

    An arrow at the end would lie under the marker of the point that it leads to. ``head_at``
    is its place as a share of the line: lines there and back are to show both arrows.
    """
    line = QgsLineSymbol.createSimple(
        {"line_color": PALETTE[colour], "line_width": str(width), "capstyle": "round"}
    )
    if tail:
        dot = {"name": "circle", "color": PALETTE["original"], "outline_style": "no"}
        line.appendSymbolLayer(_on_line(dot, 0.0, share=0.3, largest_mm=1.3))
    head = {
        "name": "filled_arrowhead",
        "color": PALETTE[colour],
        "outline_color": PALETTE[colour],
        "outline_width": "0.1",
    }
    line.appendSymbolLayer(_on_line(head, head_at, share=0.35, largest_mm=2.2))
    return line


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


def _standing(size: float) -> QgsLineSymbol:
    """A line without length: a mark at its place."""
    point = QgsGeometryGeneratorSymbolLayer.create(
        {"geometryModifier": "start_point($geometry)", "SymbolType": "Marker"}
    )
    point.setSubSymbol(_marker("unmoved", "square", size, "frame"))
    return _made_of(QgsLineSymbol.createSimple({}), point)


def _made_of(symbol: QgsSymbol, layer: QgsSymbolLayer):
    """Put the one layer into a symbol; handing it to the constructor crashes QGIS 3.22."""
    symbol.changeSymbolLayer(0, layer)
    return symbol


# --- renderers: each takes the marker size in mm ------------------------------------------------


def _single(symbol: QgsSymbol) -> QgsFeatureRenderer:
    return QgsSingleSymbolRenderer(symbol)


def _masked(size: float) -> QgsFeatureRenderer:
    return _single(_marker("masked", "circle", size, "halo"))


def _originals(size: float) -> QgsFeatureRenderer:
    return _single(_marker("original", "circle", 0.75 * size, "halo"))


def _candidates(size: float) -> QgsFeatureRenderer:
    return _single(_marker("candidate", "circle", 0.45 * size, "candidate", 0))


def _found_symbol(kind: str, size: float) -> QgsMarkerSymbol:
    shape, factor, _ = _FOUND_KINDS[kind]
    return _marker(kind, shape, factor * size, "frame")


def _found(size: float) -> QgsFeatureRenderer:
    return _by_kind(
        {kind: (_found_symbol(kind, size), label) for kind, (_, _, label) in _FOUND_KINDS.items()}
    )


def _scored(size: float) -> QgsFeatureRenderer:
    """As `_found`, with a cross over what the key shows to be wrong."""
    root = QgsRuleBasedRenderer.Rule(None)
    for kind, (_, _, label) in _FOUND_KINDS.items():
        root.appendChild(_rule(_found_symbol(kind, size), f"\"kind\" = '{kind}'", label))
    cross = _marker("original", "cross2", 0.8 * size, "original", 0.4)
    cross.symbolLayer(0).setRenderingPass(1)
    root.appendChild(_rule(cross, '"correct" = 0', _WRONG))
    result = QgsRuleBasedRenderer(root)
    result.setUsingSymbolLevels(True)  # crosses above all markers
    return result


def _right_or_wrong(size: float) -> QgsFeatureRenderer:
    # Of one size and on one level: where they crowd, each covers the other equally often.
    root = QgsRuleBasedRenderer.Rule(None)
    for colour, condition, label in (
        ("right", '"correct" = 1', mark("At the true place")),
        ("wrong", '"correct" = 0', mark("At a wrong place, or nowhere")),
    ):
        root.appendChild(_rule(_marker(colour, "circle", size, "frame"), condition, label))
    return QgsRuleBasedRenderer(root)


def _shifts(size: float) -> QgsFeatureRenderer:
    symbols = {
        "singleton": _arrow("shift"),
        "pair": _arrow("pair"),
        "unmoved": _standing(1.4 * size),  # seen behind the marker of the masked point
    }
    return _by_kind({kind: (symbols[kind], label) for kind, label in _SHIFT_KINDS.items()})


def _links(size: float) -> QgsFeatureRenderer:
    def symbol(kind: str) -> QgsSymbol:
        if kind == "unmoved":
            return _standing(0.9 * size)
        return _arrow(kind, width=0.35, head_at=0.72, tail=False)

    return _by_kind({kind: (symbol(kind), label) for kind, label in _LINK_KINDS.items()})


def _ratio_symbol(colour: str, size: float) -> QgsMarkerSymbol:
    shape = "triangle" if colour == "stretched" else "circle"
    return _marker(colour, shape, size, "frame", min(0.2, 0.08 * size))


def _ratio_line(colour: str, width: float) -> QgsLineSymbol:
    line = QgsLineSymbol.createSimple(
        {"line_color": PALETTE[colour], "line_width": str(width), "capstyle": "round"}
    )
    if colour == "stretched":
        line.symbolLayer(0).setPenStyle(Qt.PenStyle.DashLine)
    return line


def _ratios(size: float) -> QgsFeatureRenderer:
    return _by_ratio({row[0]: _ratio_symbol(row[0], size) for row in _RATIO_CLASSES})


def _distance_kept(size: float) -> QgsFeatureRenderer:
    # What was kept lies on top: it is what an adversary can use.
    widths = {"kept_5": 0.7, "kept_4": 0.5, "kept_3": 0.4, "stretched": 0.5}
    symbols = {row[0]: _ratio_line(row[0], widths.get(row[0], 0.3)) for row in _RATIO_CLASSES}
    for colour, level in (
        ("kept_2", 1),
        ("kept_3", 2),
        ("stretched", 2),
        ("kept_4", 3),
        ("kept_5", 4),
    ):
        symbols[colour].symbolLayer(0).setRenderingPass(level)
    result = _by_ratio(symbols)
    result.setUsingSymbolLevels(True)
    return result


def _by_ratio(symbols: dict[str, QgsSymbol]) -> QgsFeatureRenderer:
    # QGIS takes the first range that fits, so the order decides on the borders.
    return QgsGraduatedSymbolRenderer(
        "ratio",
        [
            QgsRendererRange(low, high, symbols[colour], tr(label))
            for colour, low, high, label in _RATIO_CLASSES
        ],
    )


def _centre(size: float) -> QgsFeatureRenderer:
    return _single(_marker("singleton", "star", max(4.5, 1.8 * size), "frame"))


def _drawn(size: float) -> QgsFeatureRenderer:
    return _single(_marker("drawn", "diamond", 1.1 * size, "halo"))


def _drawn_lines(size: float) -> QgsFeatureRenderer:
    return _single(
        QgsLineSymbol.createSimple({"line_color": PALETTE["candidate"], "line_width": "0.2"})
    )


def _reference_sets(size: float) -> QgsFeatureRenderer:
    return _single(_marker("reference", "cross2", 0.75 * size, "reference", min(0.3, 0.15 * size)))


def _some_sets(size: float) -> QgsFeatureRenderer:
    return _by_kind(
        {
            str(number): (_marker(colour, shape, size, "frame"), _set_label(number))
            for number, (shape, colour) in enumerate(SET_LOOKS, 1)
        }
    )


def _set_label(number: int) -> str:
    return tr("Reference set {number}").format(number=number)


def _area(size: float) -> QgsFeatureRenderer:
    return _single(QgsLineSymbol.createSimple({"line_color": PALETTE["area"], "line_width": "0.5"}))


def _linked(size: float) -> QgsFeatureRenderer:
    root = QgsRuleBasedRenderer.Rule(None)
    # Of one level: where they crowd, each covers the other equally often.
    for colour, shape, factor, condition, label in (
        ("right", "circle", 1.0, '"correct" = 1', mark("In the clique, right")),
        ("wrong", "triangle", 1.15, '"correct" = 0', mark("In the clique, wrong")),
        ("unknown", "square", 0.95, '"correct" IS NULL', mark("In the clique (truth unknown)")),
    ):
        symbol = _marker(colour, shape, factor * size, "frame")
        symbol.symbolLayer(0).setRenderingPass(1)
        root.appendChild(_rule(symbol, f'"in_clique" = 1 AND {condition}', label))
    rest = _marker("candidate", "circle", 0.5 * size, "candidate", 0)
    root.appendChild(_rule(rest, 'coalesce("in_clique", 0) <> 1', mark("Not matched")))
    result = QgsRuleBasedRenderer(root)
    result.setUsingSymbolLevels(True)  # matches above all others
    return result


def _link_lines(size: float) -> QgsFeatureRenderer:
    root = QgsRuleBasedRenderer.Rule(None)
    for symbol, condition, label in (
        (
            _arrow("right", width=0.35),
            '"correct" = 1',
            mark("True place → known place of the same person"),
        ),
        (
            _arrow("shift", width=0.35),
            '"correct" = 0 OR "correct" IS NULL',
            mark("True place → wrong person's place"),
        ),
    ):
        root.appendChild(_rule(symbol, condition, label))
    return QgsRuleBasedRenderer(root)


def _cells(size: float) -> QgsFeatureRenderer:
    root = QgsRuleBasedRenderer.Rule(None)
    for colour, width, condition, label in (
        ("cell", 0.2, '"records" = 1', mark("Cell of one record")),
        ("unmoved", 0.5, '"records" > 1', mark("Cell of several records at one place")),
    ):
        outline = QgsFillSymbol.createSimple(
            {"style": "no", "outline_color": PALETTE[colour], "outline_width": str(width)}
        )
        root.appendChild(_rule(outline, condition, label))
    return QgsRuleBasedRenderer(root)


def _fill(colour: str, outline: str, width: float, alpha: int = 255) -> QgsFillSymbol:
    shade = QColor(PALETTE[colour])
    return QgsFillSymbol.createSimple(
        {
            "color": f"{shade.red()},{shade.green()},{shade.blue()},{alpha}",
            "outline_color": PALETTE[outline],
            "outline_width": str(width),
        }
    )


def _aggregated(size: float) -> QgsFeatureRenderer:
    # Not quite opaque: the regions lie beneath.
    return QgsGraduatedSymbolRenderer(
        "smallest",
        [
            QgsRendererRange(low, high, _fill(colour, "frame", 0.4, 170), tr(label))
            for colour, low, high, label in _SMALLEST_CLASSES
        ],
    )


def _released_areas(size: float) -> QgsFeatureRenderer:
    return _single(_fill("kept_1", "masked", 0.5, 160))


def _sites(size: float) -> QgsFeatureRenderer:
    return _single(_marker("original", "diamond", 0.9 * min(size, 2.2), "halo"))


def _regions(size: float) -> QgsFeatureRenderer:
    return _single(_fill("empty", "region", 0.2))


def _point_regions(size: float) -> QgsFeatureRenderer:
    return _single(_marker("region", "circle", 0.45 * size, "region", 0))


def _area_labels(size: float) -> QgsFeatureRenderer:
    return _single(QgsFillSymbol.createSimple({"style": "no", "outline_style": "no"}))


def _anonymized(size: float) -> QgsFeatureRenderer:
    return _single(_marker("masked", "diamond", 1.05 * size, "halo"))


def _risk(size: float) -> QgsFeatureRenderer:
    return _in_layers(
        (_marker(colour, "circle", factor * size, "frame"), condition, label)
        for colour, condition, factor, label in _RISK_CLASSES
    )


def _small_classes(size: float) -> QgsFeatureRenderer:
    return _in_layers(
        (_marker(colour, shape, factor * size, "frame"), condition, label)
        for colour, shape, factor, condition, label in _CLASS_KINDS
    )


def _in_layers(rules) -> QgsFeatureRenderer:
    """Rules of which the first is drawn on top."""
    root = QgsRuleBasedRenderer.Rule(None)
    rules = list(rules)
    for level, (symbol, condition, label) in enumerate(rules):
        symbol.symbolLayer(0).setRenderingPass(len(rules) - level)
        root.appendChild(_rule(symbol, condition, label))
    result = QgsRuleBasedRenderer(root)
    result.setUsingSymbolLevels(True)
    return result


def _by_kind(classes: dict[str, tuple[QgsSymbol, str]]) -> QgsFeatureRenderer:
    return QgsCategorizedSymbolRenderer(
        "kind",
        [QgsRendererCategory(kind, symbol, tr(label)) for kind, (symbol, label) in classes.items()],
    )


def _rule(symbol: QgsSymbol, condition: str, label: str):
    return QgsRuleBasedRenderer.Rule(symbol, 0, 0, condition, tr(label))


# --- what is said of them -----------------------------------------------------------------------

_SURELY = '[% round(100 * "probability") %] %'

_SUPPRESSED = 'format_number(100 * "share", if("share" < 0.1, 1, 0)) || \' %\''

_ROLES = {
    MASKED: _Role(
        _masked,
        "release",
        mark(
            "Release: masked places with new ids. Voronoi masking can be reversed "
            "by anyone with a list of possible places: attack this layer before you give it away."
        ),
        5,
        '<b>masked_id [% "masked_id" %]</b>',
    ),
    SHIFTS: _Role(
        _shifts,
        "private",
        mark(
            "Private: lines from each true place (dot) to the masked one (arrow). They undo the "
            "mask. Never give them away."
        ),
        2,
        '<b>masked_id [% "masked_id" %]</b><br>original_id [% "original_id" %], '
        '[% round("shift_m", 1) %] m, [% "kind" %]',
    ),
    CELLS: _Role(
        _cells,
        "private",
        mark(
            "Private: Voronoi cells of the true places. The places can be computed from them. "
            "Never give them away."
        ),
        1,
    ),
    KEY: _Role(
        None,
        "private",
        mark(
            "Private: leads from each released id back to the original record. Never give it away."
        ),
        0,
    ),
    FOUND: _Role(
        _found,
        "private",
        mark(
            "Private: the places an adversary assigns to the masked records, with the "
            "probability that they are right. Never give them away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b><br>[% "kind" %], ' + _SURELY,
    ),
    AT_RISK: _Role(
        _originals,
        "private",
        mark(
            "Private: the records to withhold, at the places where they were found. Give this "
            "layer to the mask as records to withhold. Never give it away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b><br>[% "why" %], ' + _SURELY,
    ),
    SCORED: _Role(
        _scored,
        "private",
        mark(
            "Private: the places an adversary assigns to the masked records; crossed out where "
            "the key shows that they are wrong. Never give them away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b><br>[% "kind" %], '
        + _SURELY
        + '<br>correct: [% "correct" %]',
    ),
    LINKS: _Role(
        _links,
        "private",
        mark(
            "Private: lines from each masked place to the place that an adversary assigns to it. "
            "Never give them away."
        ),
        3,
        '<b>masked_id [% "masked_id" %]</b><br>[% "kind" %], ' + _SURELY,
    ),
    RECORDS: _Role(
        None,
        "release",
        mark(
            "Release: records without places, with new ids. Their distances are in the matrix "
            "that was written with them; its ids are those of this table."
        ),
        0,
        '<b>released_id [% "released_id" %]</b>',
    ),
    DISTANCE_KEPT: _Role(
        _distance_kept,
        "private",
        mark(
            "Private: lines from one record to the others, by how much of the true distance the "
            "release keeps. They end at true places. Never give them away."
        ),
        2,
        '<b>released_id [% "released_id" %]</b><br>true distance [% round("distance", 1) %], '
        'released [% round("released", 1) %]'
        "[% coalesce(' (' || round(100 * \"ratio\") || ' %)', '') %]",
    ),
    DRAWN: _Role(
        _drawn,
        "private",
        mark(
            "Private: what an attacker could draw. The released distances laid out in a plane "
            "(multidimensional scaling), which anyone who holds them can do. Position, turn "
            "and reflection mean nothing; only distances between these points do. Never give it "
            "away: it does the attacker's work."
        ),
        5,
        '<b>released_id [% "released_id" %]</b>',
    ),
    REFERENCE_SETS: _Role(
        _reference_sets,
        "private",
        mark(
            "Private: the random reference points that the release was computed from. With them "
            "the released distances lead to the places. Never give them away."
        ),
        1,
        '<b>set [% "set" %]</b>, point [% "point" %]',
    ),
    LINKED: _Role(
        _linked,
        "private",
        mark(
            "Private: known people, and the released records that an adversary links to them "
            "by their distances. Never give them away."
        ),
        6,
        "<b>target [% coalesce(\"target_id\", '–') %]</b><br>"
        "[% CASE WHEN \"in_every\" = 1 THEN 'in every maximum clique' "
        "WHEN \"in_clique\" = 1 THEN 'in the clique' ELSE 'not in the clique' END %]"
        "[% coalesce(', support ' || round(100 * \"support\") || ' %', '') %]"
        "[% CASE WHEN \"correct\" = 1 THEN '<br>right' "
        "WHEN \"correct\" = 0 THEN '<br>wrong' ELSE '' END %]",
    ),
    LINK_LINES: _Role(
        _link_lines,
        "private",
        mark(
            "Private: lines from the true place of a released record to the place of the person "
            "that an adversary takes it for. Never give them away."
        ),
        3,
        '<b>target [% "target_id" %]</b>',
    ),
    AGGREGATED: _Role(
        _aggregated,
        "private",
        mark(
            "Private: areas with the counts from before suppression, from which suppressed "
            "records can be worked out. The number on each is the share of its records that is "
            "suppressed. Never give it away; the layer of released areas is for that."
        ),
        1,
        '<b>area [% "area_id" %]</b>: [% "regions" %] regions, [% "records" %] records<br>'
        '[% "classes" %] classes, the smallest of [% "smallest" %]<br>'
        '[% "suppressed" %] records suppressed',
        label=_SUPPRESSED,
    ),
    RELEASED_AREAS: _Role(
        _released_areas,
        "release",
        mark("Release: the areas that the released records refer to by area_id."),
        1,
        '<b>area [% "area_id" %]</b><br>[% "released" %] records',
    ),
    SITES: _Role(
        _sites,
        "private",
        mark(
            "Private: the sites of the areas. Searches move them to where members of rare classes "
            "live. Never give them away."
        ),
        6,
        '<b>site of area [% "area_id" %]</b><br>[% "regions" %] regions',
    ),
    LOOKUP: _Role(
        None,
        "release",
        mark("Release: which region belongs to which area. It tells nothing about persons."),
        0,
    ),
    REGIONS: _Role(
        _regions,
        "release",
        mark(
            "Release: the regions, each with the area that it belongs to. It tells nothing about "
            "persons."
        ),
        0,
        '<b>area [% "area_id" %]</b>',
    ),
    AREA_RECORDS: _Role(
        None,
        "release",
        mark(
            "Release: records with their areas, those in small classes left out, in random order."
        ),
        0,
        '<b>area [% "area_id" %]</b>',
    ),
    AREA_LABELS: _Role(_area_labels, "private", "", 7, label=_SUPPRESSED),
    POINT_REGIONS: _Role(_point_regions, "", "", 0),
    ANONYMIZED: _Role(
        _anonymized,
        "release",
        mark(
            "Release: synthetic places with anonymised attributes and new ids. Measure the "
            "disclosure risk of this very layer before you give it away."
        ),
        5,
        '<b>released_id [% "released_id" %]</b>',
    ),
    ANONYMIZED_TABLE: _Role(
        None,
        "release",
        mark(
            "Release: anonymised attributes with new ids. Measure the disclosure risk of this "
            "very table before you give it away."
        ),
        0,
        '<b>released_id [% "released_id" %]</b>',
    ),
    RISK: _Role(
        _risk,
        "private",
        mark(
            "Private: the original records, by how near the release comes in all fields, "
            "compared with other people's records. Never give them away."
        ),
        6,
        '<b>original_id [% "original_id" %]</b><br>'
        "[% coalesce('prediction distance ' || format_number(\"distance\", 3) || ', reference ' "
        '|| format_number("reference_distance", 3) '
        "|| coalesce(' (' || round(100 * \"relative_distance\") || ' %)', '') "
        "|| '<br>ambiguity ' || format_number(\"ambiguity\", 2) || ', uncertainty ' "
        "|| format_number(\"uncertainty\", 2), 'left out: lacks a value') %]",
    ),
    SMALL_CLASSES: _Role(
        _small_classes,
        "private",
        mark(
            "Private: records by how many are alike in the quasi-identifiers. Unique ones are "
            "found by anyone who knows these attributes. Never give them away."
        ),
        6,
        '<b>original_id [% "original_id" %]</b><br>class [% "class" %], [% "class_size" %] records',
    ),
    MEASURED: _Role(
        None,
        "private",
        mark("Private: what was found out about the original records. Never give it away."),
        0,
    ),
    ORIGINALS: _Role(_originals, "", "", 7),
    RATIOS: _Role(_ratios, "private", "", 6),
    CENTRE: _Role(_centre, "private", "", 8),
    DRAWN_LINES: _Role(_drawn_lines, "private", "", 2),
    SOME_SETS: _Role(_some_sets, "private", "", 4),
    AREA: _Role(_area, "", "", 0),
    CANDIDATES: _Role(_candidates, "", "", 1),
    RIGHT_OR_WRONG: _Role(_right_or_wrong, "private", "", 6),
}
