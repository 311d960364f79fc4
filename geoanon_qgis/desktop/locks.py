# SPDX-License-Identifier: GPL-2.0-or-later
"""A coloured lock in the layer tree on what must not be given away."""

from __future__ import annotations

from qgis.core import QgsProject
from qgis.gui import QgsLayerTreeView, QgsLayerTreeViewIndicator
from qgis.PyQt.QtCore import QTimer
from qgis.PyQt.QtGui import QIcon

from .. import paths
from ..processing import styling
from ..processing.dialog.declaration import PRIVATE
from ..processing.i18n import tr
from ..processing.styling import tree


class Locks:
    """Marks the group of private layers, and private layers that stand elsewhere.

    Parameters
    ----------
    view : QgsLayerTreeView
    project : QgsProject
    """

    def __init__(self, view: QgsLayerTreeView, project: QgsProject):
        self._view, self._project = view, project
        self._lock = QgsLayerTreeViewIndicator(view)
        self._lock.setIcon(QIcon(paths.icon("private")))
        self._lock.setToolTip(tr("Private: never give it away."))
        self._later = QTimer(view)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._mark)
        project.layerTreeRoot().addedChildren.connect(self._soon)
        self._soon()

    def _soon(self, *_args) -> None:
        """Mark once all layers have come, and know of which run they are."""
        self._later.start(50)

    def _nodes(self) -> list:
        root = self._project.layerTreeRoot()
        private = [one for one in root.findGroups(True) if tree.is_private(one)]
        for node in root.findLayers():
            alone = styling.secrecy_of(node.layer()) == PRIVATE
            if alone and not tree.is_private(node.parent()):
                private.append(node)
        return private

    def _mark(self) -> None:
        for node in self._nodes():
            if self._lock not in self._view.indicators(node):
                self._view.addIndicator(node, self._lock)

    def marked(self) -> list[str]:
        """Return the names of what wears a lock."""
        return [one.name() for one in self._nodes() if self._lock in self._view.indicators(one)]

    def take_away(self) -> None:
        """Take all locks away."""
        self._project.layerTreeRoot().addedChildren.disconnect(self._soon)
        self._later.stop()
        for node in self._nodes():
            self._view.removeIndicator(node, self._lock)
        self._lock.deleteLater()
        self._later.deleteLater()
