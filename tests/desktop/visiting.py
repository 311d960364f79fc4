# SPDX-License-Identifier: GPL-2.0-or-later
"""What every visit to QGIS's window does: steps one after the other, pictures, and a report."""

import json
import os
import traceback

from qgis import processing
from qgis.core import (
    QgsApplication,
    QgsLayerNotesUtils,
    QgsMarkerSymbol,
    QgsProject,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QObject, QPoint, QTimer
from qgis.PyQt.QtWidgets import QApplication, QDockWidget, QTextEdit
from qgis.utils import iface, plugins

with open(os.environ["GEOANON_WINDOW_ORDERS"], encoding="utf-8") as file:
    ORDERS = json.load(file)


class Visit(QObject):
    """One visit to the window; each method of ``steps`` is a step, with a wait after it."""

    def __init__(self):
        super().__init__(iface.mainWindow())
        self.seen = {"steps": [], "messages": []}
        QgsApplication.messageLog().messageReceived.connect(self.hear)
        self.dialog = None
        self.ahead = iter(self.steps())

    def steps(self):
        """Pairs of a method and the milliseconds to wait after it."""
        raise NotImplementedError

    def begin(self):
        """Start once the window stands."""
        QTimer.singleShot(1500, self.go_on)
        # However it goes: QGIS must not outlive its test.
        QTimer.singleShot(1000 * ORDERS["seconds"], self.leave)

    def go_on(self):
        """Take the next step; at the end, or after a failure, tell and leave."""
        try:
            step, wait = next(self.ahead)
            self.seen["steps"].append(step.__name__)
            with open(os.path.join(ORDERS["folder"], "steps.txt"), "w", encoding="utf-8") as file:
                file.write("\n".join(self.seen["steps"]))  # told if QGIS does not get to the end
            if step() != "wait":
                QTimer.singleShot(wait, self.go_on)
        except StopIteration:
            self.leave()
        except BaseException:
            self.seen["error"] = traceback.format_exc()
            self.picture("error")
            self.leave()

    def hear(self, message, tag, level):
        """Keep what is written to GeoAnon's log panel."""
        if tag == "GeoAnon":
            self.seen["messages"].append(message)

    def leave(self):
        """Write what was seen and end QGIS at once, without a question about saving."""
        with open(ORDERS["result"] + ".part", "w", encoding="utf-8") as file:
            json.dump(self.seen, file, indent=1)
        os.replace(ORDERS["result"] + ".part", ORDERS["result"])
        os._exit(0)

    def picture(self, name):
        """Save what is on the screen."""
        iface.messageBar().clearWidgets()  # about grids for transformations that are not there
        screen = QApplication.primaryScreen()
        screen.grabWindow(0).save(os.path.join(ORDERS["pictures"], f"{name}.png"))

    # --- steps that visits share ----------------------------------------------------------

    def open_layers(self):
        """Open the sample data, and make room for the map."""
        window = iface.mainWindow()
        window.setGeometry(0, 0, 1400, 900)  # there is no window manager to ask
        for dock in window.findChildren(QDockWidget):
            if dock.objectName() not in ("Layers", "ProcessingToolbox"):
                dock.hide()
        from geoanon_qgis.processing import styling

        for name, role in (
            ("addresses", styling.CANDIDATES),
            ("deaths", styling.ORIGINALS),
            ("pumps", None),
        ):
            layer = QgsVectorLayer(f"{ORDERS['data']}|layername={name}", name, "ogr")
            if role:
                styling.style(layer, role)
            else:
                symbol = {"name": "square", "color": "#dddddd", "outline_color": "#333333"}
                layer.setRenderer(QgsSingleSymbolRenderer(QgsMarkerSymbol.createSimple(symbol)))
            QgsProject.instance().addMapLayer(layer)
        self.seen["plugin"] = "geoanon_qgis" in plugins

    def open_dialog(self, algorithm, parameters, name):
        """Open an algorithm's dialog with parameters set."""
        self.dialog = processing.createAlgorithmDialog(algorithm, parameters)
        self.dialog.algorithmFinished.connect(self.finished)
        self.dialog.show()
        self.dialog.resize(1000, 760)
        self.dialog.move(QPoint(180, 60))
        QTimer.singleShot(900, lambda: self.picture(name))

    def run(self):
        """Press Run; `finished` goes on."""
        self.dialog.runButton().click()
        return "wait"

    def finished(self, successful, results):
        """The dialog's algorithm has ended and its outputs are about to be loaded."""
        numbers = {k: v for k, v in results.items() if isinstance(v, (int, float))}
        told = {"successful": successful, "numbers": numbers, "decision": results.get("DECISION")}
        self.seen.setdefault("runs", []).append(told)
        log = self.dialog.findChild(QTextEdit, "txtLog")
        self.seen["runs"][-1]["log"] = log.toPlainText() if log else ""
        QTimer.singleShot(1500, self.close_dialog)

    def close_dialog(self):
        """Close it and go on."""
        self.dialog.close()
        self.dialog.deleteLater()
        self.dialog = None
        self.go_on()

    def look_at_the_layers(self):
        """What was loaded, and how it is shown."""
        self.seen["layers"] = self.layers()

    @staticmethod
    def later(milliseconds, do):
        """Do something after a while."""
        QTimer.singleShot(milliseconds, do)

    # --- what is seen ---------------------------------------------------------------------

    @staticmethod
    def layer(name):
        """The layer of that name, or of a run on whatever layer."""
        layers = list(QgsProject.instance().mapLayers().values())
        return next(one for one in layers if one.name().split(" · ")[0] == name)

    @staticmethod
    def layers():
        """The layer tree from top to bottom."""
        return [
            {
                "name": node.layer().name(),
                "count": node.layer().featureCount(),
                "counted": bool(node.customProperty("showFeatureCount")),
                "note": QgsLayerNotesUtils.layerNotes(node.layer()),
                "renderer": node.layer().renderer() and node.layer().renderer().type(),
                "legend": [item.label() for item in node.layer().renderer().legendSymbolItems()]
                if node.layer().renderer()
                else [],
            }
            for node in QgsProject.instance().layerTreeRoot().findLayers()
        ]
