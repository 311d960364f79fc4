# SPDX-License-Identifier: GPL-2.0-or-later
"""Warnings when private layers are about to leave: saved to a file, printed, or kept as a picture.

QGIS tells of layers that are saved (*Export, Save Features As*), of print layouts that are opened and
exported, and of maps that are saved as an image or PDF. It tells nothing of files that are copied, of
features that are pasted, nor of tools such as *Package layers*.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from qgis.core import QgsLayoutItemMap, QgsMapLayer, QgsProject
from qgis.PyQt.QtCore import QObject

from ..processing.dialog.declaration import PRIVATE, RELEASE
from ..processing.i18n import tr
from ..processing.styling import secrecy_of

#: QGIS's actions that make a picture of the map.
_PICTURES = ("mActionSaveMapAsImage", "mActionSaveMapAsPdf")
#: Layers that a warning names.
_NAMED = 3


class Leaving:
    """Warns of private layers that leave.

    Parameters
    ----------
    iface : QgisInterface
    """

    def __init__(self, iface):
        self._iface = iface
        self._layouts: list = []
        window = iface.mainWindow()
        found = (window.findChild(QObject, name) for name in _PICTURES)
        self._pictures = [one for one in found if one is not None]
        for action in self._pictures:
            action.triggered.connect(self._pictured)
        iface.layerSavedAs.connect(self._saved)
        iface.layoutDesignerOpened.connect(self._opened)
        for designer in iface.openLayoutDesigners():
            self._opened(designer)

    def take_away(self) -> None:
        """Warn no more."""
        for action in self._pictures:
            action.triggered.disconnect(self._pictured)
        self._iface.layerSavedAs.disconnect(self._saved)
        self._iface.layoutDesignerOpened.disconnect(self._opened)
        for signal, look in self._layouts:
            with suppress(RuntimeError, TypeError):  # closed since
                signal.disconnect(look)
        self._layouts.clear()

    def _saved(self, layer: QgsMapLayer, path: str) -> None:
        if secrecy_of(layer) == PRIVATE:
            _warn(
                self._iface.messageBar(),
                tr(
                    "“{layer}” is private, and was saved to {path}. It leads back to people: keep that "
                    "file apart from releases, and never give it away."
                ).format(layer=layer.name(), path=path),
            )

    def _pictured(self, *_checked) -> None:
        layers = self._iface.mapCanvas().layers()
        sentence = together(layers)
        if sentence:
            _warn(self._iface.messageBar(), sentence)

    def _opened(self, designer) -> None:
        layout = designer.layout()

        def look(*_item) -> None:
            sentence = together(drawn_in(layout))
            if sentence:
                _warn(designer.messageBar(), sentence)

        for signal in (layout.itemAdded, designer.layoutExported):
            signal.connect(look)
            self._layouts.append((signal, look))
        look()


def _warn(bar, sentence: str) -> None:
    """Say it until somebody closes it; once, however often it is asked for."""
    current = bar.currentItem()
    if current is None or current.text() != sentence:
        bar.pushWarning("GeoAnon", sentence)


def drawn_in(layout) -> list[QgsMapLayer]:
    """Return the layers that the maps of a layout draw."""
    maps = [one for one in layout.items() if isinstance(one, QgsLayoutItemMap)]
    project = layout.project() or QgsProject.instance()
    shown = project.layerTreeRoot().checkedLayers()
    return [layer for one in maps for layer in (one.layers() or shown)]


def together(layers: Iterable[QgsMapLayer]) -> str:
    """Say which private layers are drawn with releases; empty where none is."""
    layers = [one for one in dict.fromkeys(filter(None, layers)) if one.isSpatial()]
    private = [one.name() for one in layers if secrecy_of(one) == PRIVATE]
    if not private or not any(secrecy_of(one) == RELEASE for one in layers):
        return ""
    named = ", ".join(private[:_NAMED]) + (", …" if len(private) > _NAMED else "")
    return tr(
        "Private layers are drawn with a release on this map: {layers}. They lead back to people. "
        "Switch them off before you give it away."
    ).format(layers=named)
