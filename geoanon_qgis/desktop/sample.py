# SPDX-License-Identifier: GPL-2.0-or-later
"""The sample data, to try everything on: Soho in 1854, in a group of its own."""

from __future__ import annotations

from qgis.core import QgsMarkerSymbol, QgsProject, QgsSingleSymbolRenderer, QgsVectorLayer

from .. import paths
from ..core.runtime.errors import InputError
from ..processing import styling
from ..processing.i18n import mark, tr

#: Layers of the file from the top of the map downwards: name, what it is called, role.
_LAYERS = (
    ("deaths", mark("deaths"), styling.ORIGINALS),
    ("pumps", mark("pumps"), ""),
    ("addresses", mark("addresses (made up)"), styling.CANDIDATES),
)
_PUMP = {"name": "square", "color": "#dddddd", "outline_color": "#333333", "size": "2.4"}


def load_sample(project: QgsProject) -> list[QgsVectorLayer]:
    """Put the sample data into a project, beside what is in it.

    Raises
    ------
    InputError
        If the plugin's folder lacks them.
    """
    path = paths.resource("data", "soho_cholera_1854.gpkg")
    layers = []
    for name, title, role in _LAYERS:
        layer = QgsVectorLayer(f"{path}|layername={name}", tr(title), "ogr")
        if path is None or not layer.isValid():
            raise InputError(tr("The sample data are not there. Install the plugin again."))
        if role:
            styling.style(layer, role)
        else:
            layer.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple(_PUMP)))
        layers.append(layer)
    group = project.layerTreeRoot().insertGroup(0, tr("Sample: Soho, 1854"))
    for layer in layers:
        project.addMapLayer(layer, False)
        group.addLayer(layer)
    return layers
