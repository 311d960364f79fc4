# SPDX-License-Identifier: GPL-2.0-or-later
"""What GeoAnon adds to QGIS's window, and takes away again: a menu, an action of layers, a dock."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from pathlib import Path

from qgis.core import Qgis, QgsGeometry, QgsProject
from qgis.PyQt.QtCore import Qt, QTimer, QUrl
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QFileDialog, QMenu

from .. import paths
from ..compat import VECTOR_LAYER
from ..core.runtime.errors import GeoAnonError
from ..processing.i18n import tr
from .companions import main_layer
from .leaving import Leaving
from .locks import Locks
from .truth import moved


class Desktop:
    """The plugin's part of the window.

    Parameters
    ----------
    iface : QgisInterface
    """

    def __init__(self, iface):
        self._iface = iface
        self._dock = self._page = self._dialog = None
        self._menu = QMenu("GeoAnon", iface.mainWindow())
        self._menu.setIcon(QIcon(paths.icon()))
        self._start = self._menu.addAction(
            QIcon(paths.icon()), tr("What do you want to publish?"), self.open_start_page
        )
        self._inspect = self._menu.addAction(
            QIcon(paths.icon("attackmask")), tr("Who is at risk?"), self.open_inspector
        )
        self._menu.addAction(tr("Save the last report as PDF"), self.save_report)
        self._menu.addAction(tr("Load sample data: Soho, 1854"), self.load_sample)
        iface.pluginMenu().addMenu(self._menu)
        iface.addToolBarIcon(self._start)
        # An action of its own: one in two menus would be enabled and hidden together.
        self._context = QMenu()
        self._of_layer = self._context.addAction(
            QIcon(paths.icon()), tr("GeoAnon: who is at risk?"), self._open_for_layer
        )
        iface.addCustomActionForLayerType(self._of_layer, "", VECTOR_LAYER, False)
        self._locks = Locks(iface.layerTreeView(), QgsProject.instance())
        self._leaving = Leaving(iface)
        QgsProject.instance().layersAdded.connect(self._added)
        self._offer(QgsProject.instance().mapLayers())

    def _added(self, layers) -> None:
        # A layer learns from which run it is only after it was added.
        ids = [one.id() for one in layers]
        QTimer.singleShot(0, lambda: self._offer(ids))

    def _offer(self, ids) -> None:
        """Put the action into the context menus of layers that can be inspected."""
        project = QgsProject.instance()
        for layer in filter(None, map(project.mapLayer, ids)):
            if self._menu is not None and main_layer(project, layer) is not None:
                self._iface.addCustomActionForLayer(self._of_layer, layer)

    def _open_for_layer(self) -> None:
        layer = self._iface.layerTreeView().currentLayer()
        self.open_inspector()
        if not self._dock.inspect(layer):
            self._iface.messageBar().pushInfo(
                "GeoAnon",
                tr("This layer is no attack's: choose the layer that an attack has written."),
            )

    def open_start_page(self, *_args):
        """Open the start page."""
        from .startpage import StartPage

        if self._page is None:
            window = self._iface.mainWindow()
            self._page = StartPage(self._open_tool, self.load_sample, window)
        self._page.show()
        self._page.raise_()
        return self._page

    def _open_tool(self, algorithm: str, parameters: dict) -> None:
        """Open the dialog of an algorithm, filled in."""
        from qgis import processing  # which the desktop loads after the plugins

        # QGIS keeps the window, and we what is Python's of it.
        self._dialog = processing.createAlgorithmDialog(algorithm, parameters)
        if self._dialog is not None:
            self._dialog.show()

    def load_sample(self, *_args) -> None:
        """Load the sample data, and go there."""
        from .sample import load_sample

        try:
            first, *_ = load_sample(QgsProject.instance())
        except GeoAnonError as error:
            self._iface.messageBar().pushWarning("GeoAnon", tr(error.sentence))
            return
        canvas = self._iface.mapCanvas()
        extent = moved(
            QgsGeometry.fromRect(first.extent()),
            first.crs(),
            canvas.mapSettings().destinationCrs(),
            QgsProject.instance(),
        )
        if extent is not None:
            canvas.setExtent(extent.boundingBox().buffered(0.1 * extent.boundingBox().width()))
            canvas.refresh()

    def save_report(self, *_args) -> None:
        """Save the report that was written last as PDF beside it; without one a file is asked for."""
        from . import paper

        bar, report = self._iface.messageBar(), paper.newest_report()
        if report is None:
            window, words = self._iface.mainWindow(), tr("Which report?")
            chosen, _ = QFileDialog.getOpenFileName(window, words, "", tr("HTML files (*.html)"))
            if not chosen:
                return
            report = Path(chosen)
        target = paper.free_name(report)
        try:
            paper.save_pdf(report, target)
        except GeoAnonError as error:
            bar.pushWarning("GeoAnon", tr(error.sentence))
            return
        link = f'<a href="{QUrl.fromLocalFile(str(target)).toString()}">{escape(str(target))}</a>'
        said = tr("The report is saved as {path}.").format(path=link)
        bar.pushMessage("GeoAnon", said, Qgis.MessageLevel.Success, 0)

    def open_inspector(self, *_args):
        """Open the dock, with the attack of the layer that is selected."""
        from .dock import InspectorDock

        if self._dock is None:
            window = self._iface.mainWindow()
            self._dock = InspectorDock(self._iface.mapCanvas(), QgsProject.instance(), window)
            self._iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._dock)
        self._dock.show()
        self._dock.raise_()
        layer = self._iface.layerTreeView().currentLayer()
        if main_layer(QgsProject.instance(), layer) is not None:
            self._dock.inspect(layer)
        return self._dock

    def take_away(self) -> None:
        """Take everything back."""
        with suppress(TypeError):  # not connected
            QgsProject.instance().layersAdded.disconnect(self._added)
        self._locks.take_away()
        self._leaving.take_away()
        self._iface.removeCustomActionForLayerType(self._of_layer)
        self._iface.removeToolBarIcon(self._start)
        if self._page is not None:
            self._page.close()
            self._page.deleteLater()
            self._page = self._dialog = None
        if self._dock is not None:
            self._dock.take_away()
            self._iface.removeDockWidget(self._dock)
            self._dock.deleteLater()
            self._dock = None
        self._iface.pluginMenu().removeAction(self._menu.menuAction())
        self._menu.deleteLater()
        self._menu = None
        self._context.deleteLater()
