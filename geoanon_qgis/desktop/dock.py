# SPDX-License-Identifier: GPL-2.0-or-later
"""The dock "GeoAnon: who is at risk?": a list of records, and why each of them is in it."""

from __future__ import annotations

import html

from qgis.core import QgsProject, QgsRectangle, QgsVectorLayer
from qgis.gui import QgsMapCanvas, QgsMapToolEmitPoint
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDockWidget,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QTableView,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from ..core.runtime.errors import GeoAnonError
from ..processing.i18n import number_of, tr
from ..processing.styling.names import PALETTE
from . import withheld
from .attacks import attack_of
from .companions import main_layer, main_layers, possible_keys
from .drawing import LOOKS, Drawing, colour_of
from .evidence import Evidence, Inspection
from .listing import RecordsModel
from .picking import row_at
from .why import why

NAME = "GeoAnonInspector"
#: How far a click may be from a record, in pixels.
_CLICK = 12
#: The least of the map that is shown: so many times as wide as two records are apart.
_NEIGHBOURS = 2.5
_GLYPHS = {"circle": "●", "diamond": "◆", "ring": "◯", "area": "▰"}


class InspectorDock(QDockWidget):
    """Shows the records of an attack on the map, one after the other.

    Parameters
    ----------
    canvas : QgsMapCanvas
    project : QgsProject
    parent : QWidget, optional
    """

    def __init__(self, canvas: QgsMapCanvas, project: QgsProject, parent: QWidget | None = None):
        super().__init__(tr("GeoAnon: who is at risk?"), parent)
        self.setObjectName(NAME)
        self._canvas, self._project = canvas, project
        self._inspection: Inspection | None = None
        self._evidence: Evidence | None = None
        self._drawing = Drawing(canvas)
        self._tool = QgsMapToolEmitPoint(canvas)
        self._tool.canvasClicked.connect(self._clicked)
        self._build()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._list_layers)
        self._connections = [
            (project.layersAdded, self._soon),
            (project.layersRemoved, self._soon),
            (project.cleared, self._soon),
            (canvas.destinationCrsChanged, self._draw),
        ]
        for signal, slot in self._connections:
            signal.connect(slot)
        self._list_layers()

    # --- building ---------------------------------------------------------------------------

    def _build(self) -> None:
        self._warning = QLabel(tr("PRIVATE: this shows where people live"))
        self._warning.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._warning.setStyleSheet(
            "background: {}; color: {}; font-weight: bold; padding: 4px".format(
                PALETTE["frame"], PALETTE["halo"]
            )
        )
        self._layers, self._keys = QComboBox(), QComboBox()
        for box in (self._layers, self._keys):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(12)
        self._layers.setToolTip(tr("What an attack has found"))
        self._keys.setToolTip(tr("Key of the release: it says who is who, and where"))
        self._layers.activated.connect(self._chosen)
        self._keys.activated.connect(self._chosen)
        self._model = RecordsModel(self)
        self._table = QTableView()
        self._table.setModel(self._model)
        self._table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._table.verticalHeader().setDefaultSectionSize(22)
        header = self._table.horizontalHeader()
        header.setDefaultSectionSize(78)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self._table.selectionModel().currentRowChanged.connect(self._stepped)
        self._back, self._next = QPushButton(tr("◀ Back")), QPushButton(tr("Next ▶"))
        self._pick, self._withhold = QPushButton(tr("Pick on map")), QPushButton(tr("Withhold"))
        for one in (self._pick, self._withhold):
            one.setCheckable(True)
        for one, action in (
            (self._back, self._go_back),
            (self._next, self._go_on),
            (self._pick, self._picking),
            (self._withhold, self.toggle),
        ):
            one.clicked.connect(action)
        self._withhold.setToolTip(
            tr(
                "Write the record into a layer of records to withhold. Give that layer to the mask "
                "(Records to withhold) when you mask again."
            )
        )
        self._text = QTextBrowser()
        self._text.setOpenLinks(False)
        buttons = QHBoxLayout()
        for one in (self._back, self._next, self._pick, self._withhold):
            buttons.addWidget(one)
        parts = QSplitter(Qt.Orientation.Vertical)
        parts.addWidget(self._table)
        parts.addWidget(self._text)
        parts.setStretchFactor(0, 2)
        parts.setStretchFactor(1, 3)
        layout = QVBoxLayout()
        layout.setContentsMargins(4, 4, 4, 4)
        for one in (self._warning, self._layers, self._keys, parts):
            layout.addWidget(one, 1 if one is parts else 0)
        layout.addLayout(buttons)
        inner = QWidget()
        inner.setLayout(layout)
        inner.setMinimumWidth(320)
        self.setWidget(inner)

    # --- what is inspected ----------------------------------------------------------------

    def _soon(self, *_args) -> None:
        """Ask for the layers once all have come or gone."""
        self._later.start(0)

    def _list_layers(self) -> None:
        """List the attacks in the project, and let go of one that is there no longer."""
        shown, key = self._layers.currentData(), self._keys.currentData()
        self._layers.clear()
        for one in main_layers(self._project):
            self._layers.addItem(one.name(), one.id())
        self._keys.clear()
        self._keys.addItem(tr("Key: as the attack was run"), "")
        for one in possible_keys(self._project):
            self._keys.addItem(tr("Key: {name}").format(name=one.name()), one.id())
        self._keys.setCurrentIndex(max(0, self._keys.findData(key)))
        at = self._layers.findData(shown)
        if at >= 0:
            self._layers.setCurrentIndex(at)
        if self._inspection is None or not self._inspection.is_up_to_date():
            self._open(self._layers.currentData())
        else:
            self._model.show_marked(withheld.marked(self._inspection))

    def inspect(self, layer: QgsVectorLayer) -> bool:
        """Show the attack that a layer belongs to; return whether it belongs to one."""
        layer = main_layer(self._project, layer)
        if layer is None:
            return False
        self._list_layers()
        self._layers.setCurrentIndex(self._layers.findData(layer.id()))
        self._open(layer.id())
        return True

    def _chosen(self, *_args) -> None:
        self._open(self._layers.currentData())

    def _open(self, layer_id: str | None) -> None:
        """Read an attack's layers, or show that there are none."""
        self._inspection = self._evidence = None
        layer = self._project.mapLayer(layer_id) if layer_id else None
        attack, said = attack_of(layer), ""
        if attack is not None:
            key = self._project.mapLayer(self._keys.currentData() or "")
            try:
                self._inspection = Inspection(self._project, layer, attack, key)
            except GeoAnonError as error:
                said = tr(error.sentence)
        opened = self._inspection
        records = None if opened is None else opened.records
        marked = set() if opened is None else withheld.marked(opened)
        self._model.show_records(records, attack, marked)
        for one in (self._back, self._next, self._pick, self._withhold):
            one.setEnabled(bool(records))
        if records:
            self._table.selectRow(0)
            return
        self._say([said or _nothing(attack is not None)])
        self._draw()

    # --- one record -----------------------------------------------------------------------

    def step(self, by: int) -> None:
        """Go on to another record."""
        rows, row = self._model.rowCount(), self._table.currentIndex().row()
        if rows:
            self._table.selectRow(max(0, min(rows - 1, row + by)))

    def _go_back(self, *_args) -> None:
        self.step(-1)

    def _go_on(self, *_args) -> None:
        self.step(1)

    def _stepped(self, current, _previous) -> None:
        if current.isValid() and self._inspection is not None:
            self.show_record(current.row())
            self._zoom()

    def show_record(self, row: int) -> None:
        """Draw what is known of a record, and say why it is at risk."""
        self._evidence = self._inspection.look(row)
        self._withhold.setChecked(self._model.is_marked(row))
        self._say(why(self._inspection, self._evidence), row)
        self._draw()

    def _draw(self, *_args) -> None:
        title = ""
        if self._evidence is not None:
            title = tr("PRIVATE: record {name}").format(name=self._evidence.name)
        # Without its dock nobody knows why the map shows what it shows.
        found = None if self.isHidden() else self._evidence
        self._drawing.show_evidence(found, title if found else "", self._project)

    def _zoom(self) -> None:
        """Show all marks, with the neighbours round them."""
        box = self._drawing.extent()
        if box.isNull():
            return
        least = _NEIGHBOURS * self._inspection.spacing(self._canvas.mapSettings().destinationCrs())
        around = max(1.7 * box.width(), 1.7 * box.height(), least)
        middle = box.center()
        self._canvas.setExtent(QgsRectangle.fromCenterAndSize(middle, around, around))
        self._canvas.refresh()

    def _say(self, sentences: list[str], row: int | None = None) -> None:
        """Write why, and what the marks on the map are."""
        parts = []
        if row is not None:
            records = self._inspection.records
            rank = tr("Record {name}: {rank:,} of {all} by risk").format(
                name=records.ids[row],
                rank=row + 1,
                all=number_of(len(records), "record", "records"),
            )
            parts.append(f"<p><b>{html.escape(rank)}</b></p>")
        first, *others = (html.escape(one, quote=False) for one in sentences)
        parts.append(f'<p style="font-size: large">{first}</p>')
        parts += [f"<p>{one}</p>" for one in others]
        parts.append(_legend(self._evidence))
        self._text.setHtml("\n".join(parts))

    def toggle(self, *_args) -> None:
        """Mark the record to be withheld, or take the mark back."""
        row = self._table.currentIndex().row()
        if self._evidence is None or row < 0:
            return
        try:
            withheld.toggle(self._inspection, self._evidence)
        except GeoAnonError as error:
            said = why(self._inspection, self._evidence)
            self._say([tr(error.sentence), *said], row)
        self._model.show_marked(withheld.marked(self._inspection))
        self._withhold.setChecked(self._model.is_marked(row))

    # --- the map --------------------------------------------------------------------------

    def _picking(self, *_args) -> None:
        if self._pick.isChecked():
            self._tool.setButton(self._pick)  # which the tool lets go when another one is taken
            self._canvas.setMapTool(self._tool)
        else:
            self._canvas.unsetMapTool(self._tool)

    def _clicked(self, point, _button) -> None:
        if self._inspection is None:
            return
        within = _CLICK * self._canvas.mapUnitsPerPixel()
        crs = self._canvas.mapSettings().destinationCrs()
        row = row_at(self._inspection, point, within, crs)
        if row is None:
            return
        # The map stays where somebody has clicked.
        self._table.selectionModel().currentRowChanged.disconnect(self._stepped)
        self._table.selectRow(row)
        self._table.selectionModel().currentRowChanged.connect(self._stepped)
        self.show_record(row)

    def hideEvent(self, event):
        """Leave nothing on the map of a dock that is closed."""
        super().hideEvent(event)
        self._canvas.unsetMapTool(self._tool)
        self._pick.setChecked(False)
        self._drawing.show_evidence(None, "", self._project)

    def showEvent(self, event):
        """Draw again."""
        super().showEvent(event)
        self._draw()

    def take_away(self) -> None:
        """Take everything back that the dock has put into the window."""
        for signal, slot in self._connections:
            signal.disconnect(slot)
        self._connections = []
        self._later.stop()
        self._canvas.unsetMapTool(self._tool)
        self._canvas.scene().removeItem(self._drawing)
        self._inspection = self._evidence = None
        self._model.show_records(None, None, set())


def _nothing(is_attack: bool) -> str:
    if is_attack:
        return tr("This attack has found nobody: its layer lists no record at risk.")
    return tr(
        "There is nothing to look at yet. Run an attack on your release (Processing toolbox, "
        "GeoAnon, “Attack a release” or “Disclosure risk of microdata”) and have its layers "
        "loaded; then open this dock again."
    )


def _legend(found: Evidence | None) -> str:
    """What the marks on the map are, in their colours."""
    if found is None:
        return ""
    lines = []
    for what, look in LOOKS.items():
        if not found.of(what):
            continue
        glyph = _GLYPHS.get(look.shape, "━" if look.shape == "line" else "╍")
        text = html.escape(tr(look.says), quote=False)
        colour = colour_of(what, found.of(what)[0].probability)
        lines.append(f'<span style="color: {colour}; font-size: x-large">{glyph}</span> {text}')
    return "<p>" + "<br>".join(lines) + "</p>" if lines else ""
