# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person does, done by a script inside QGIS's own window (``qgis --code``).

Reads its orders from the JSON file named in GEOANON_WINDOW_ORDERS, and writes what it has seen
to the file named there as ``result``. ``test_window.py`` starts it and checks the result. One
step follows the other by a timer, so that the window lives in between.
"""

import json
import os
import traceback

from qgis import processing
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsLayerNotesUtils,
    QgsMarkerSymbol,
    QgsProject,
    QgsRectangle,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QObject, QPoint, Qt, QTimer
from qgis.PyQt.QtWidgets import QApplication, QDockWidget, QTextEdit, QTreeView
from qgis.utils import iface, plugins

with open(os.environ["GEOANON_WINDOW_ORDERS"], encoding="utf-8") as file:
    ORDERS = json.load(file)


class Visit(QObject):
    """One visit to the window; each method is a step."""

    def __init__(self):
        super().__init__(iface.mainWindow())
        self.seen = {"steps": [], "messages": []}
        QgsApplication.messageLog().messageReceived.connect(self.hear)
        self.dialog = None
        self.steps = iter(
            [
                (self.open_layers, 500),
                (self.look_into_the_toolbox, 500),
                (self.open_mask_dialog, 1200),
                (self.run, 0),
                (self.open_attack_dialog, 1200),
                (self.run, 0),
                (self.look_at_the_layers, 300),
                (self.show_everything, 1500),
                (self.show_a_street, 1500),
                (self.open_model_dialog, 1200),
                (self.run, 0),
                (self.look_at_the_model_s_layers, 500),
                (self.open_release_dialog, 1200),
                (self.run, 0),
                (self.open_linkage_dialog, 1200),
                (self.run, 0),
                (self.look_at_the_distances, 300),
                (self.show_distances, 1800),
                (self.show_who_was_linked, 1800),
            ]
        )

    def go_on(self):
        """Take the next step; at the end, or after a failure, tell and leave."""
        try:
            step, wait = next(self.steps)
            self.seen["steps"].append(step.__name__)
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

    # --- steps ----------------------------------------------------------------------------

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

    def look_into_the_toolbox(self):
        """Find the provider, its groups and its algorithms in the tree, as a person would."""
        dock = iface.mainWindow().findChild(QDockWidget, "ProcessingToolbox")
        dock.show()
        tree = dock.findChild(QTreeView, "algorithmTree") or dock.findChild(QTreeView)
        model = tree.model()
        top = [model.index(row, 0) for row in range(model.rowCount())]
        ours = next(index for index in top if index.data() == "GeoAnon")
        tree.expand(ours)
        self.seen["toolbox"] = {}
        for row in range(model.rowCount(ours)):
            group = model.index(row, 0, ours)
            tree.expand(group)
            self.seen["toolbox"][group.data()] = [
                model.index(child, 0, group).data() for child in range(model.rowCount(group))
            ]
        tree.scrollTo(ours, QTreeView.ScrollHint.PositionAtTop)
        QTimer.singleShot(400, lambda: self.picture("toolbox"))

    def open_dialog(self, algorithm, parameters, name):
        """Open an algorithm's dialog with parameters set."""
        self.dialog = processing.createAlgorithmDialog(algorithm, parameters)
        self.dialog.algorithmFinished.connect(self.finished)
        self.dialog.show()
        self.dialog.resize(1000, 760)
        self.dialog.move(QPoint(180, 60))
        QTimer.singleShot(900, lambda: self.picture(name))

    def open_mask_dialog(self):
        """Voronoi masking, everything asked for."""
        deaths = QgsProject.instance().mapLayersByName("deaths")[0]
        self.open_dialog(
            "geoanon:voronoimask",
            {
                "INPUT": deaths.id(),
                "OUTPUT": "TEMPORARY_OUTPUT",
                "SHIFTS": "TEMPORARY_OUTPUT",
                "CELLS": "TEMPORARY_OUTPUT",
                "KEY": "TEMPORARY_OUTPUT",
                "REPORT": os.path.join(ORDERS["pictures"], "mask.html"),
            },
            "mask_dialog",
        )

    def open_attack_dialog(self):
        """The attack, with the layers that masking has loaded."""
        self.open_dialog(
            "geoanon:reversevoronoi",
            {
                "INPUT": self.layer("Release: Masked points").id(),
                "CANDIDATES": self.layer("addresses").id(),
                "CANDIDATE_ID": "address_id",
                "KEY": self.layer("Private: Key").id(),
                "SEED": 1854,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "LINKS": "TEMPORARY_OUTPUT",
                "REPORT": os.path.join(ORDERS["pictures"], "attack.html"),
            },
            "attack_dialog",
        )

    def open_model_dialog(self):
        """Both in one."""
        QgsProject.instance().removeMapLayers(
            [
                layer.id()
                for layer in QgsProject.instance().mapLayers().values()
                if layer.name() not in ("addresses", "deaths", "pumps")
            ]
        )
        self.open_dialog(
            "geoanon:maskattackreport",
            {
                "POINTS": self.layer("deaths").id(),
                "CANDIDATES": self.layer("addresses").id(),
                "CANDIDATE_ID": "address_id",
                "mask:MASKED": "TEMPORARY_OUTPUT",
                "mask:SHIFTS": "TEMPORARY_OUTPUT",
                "reverse:ASSIGNED": "TEMPORARY_OUTPUT",
                "reverse:LINKS": "TEMPORARY_OUTPUT",
            },
            "model_dialog",
        )

    def open_release_dialog(self):
        """Distances of some patients instead of their places, everything asked for."""
        QgsProject.instance().removeMapLayers(
            [
                layer.id()
                for layer in QgsProject.instance().mapLayers().values()
                if layer.name() not in ("deaths", "pumps")
            ]
        )
        patients = QgsVectorLayer(
            "Point?crs=EPSG:27700&field=age:int&field=sex:string", "patients", "memory"
        )
        features = []
        for row, death in enumerate(list(self.layer("deaths").getFeatures())[::4]):
            feature = QgsFeature(patients.fields())
            feature.setGeometry(death.geometry())
            feature.setAttributes([row * 7 % 9, "fm"[row * 5 % 2]])
            features.append(feature)
        patients.dataProvider().addFeatures(features)
        QgsProject.instance().addMapLayer(patients)
        self.open_dialog(
            "geoanon:lipschitzrelease",
            {
                "INPUT": patients.id(),
                "SETS": 100,
                "SIZE": 2,
                "SEED": 1854,
                "MATRIX": os.path.join(ORDERS["pictures"], "matrix.csv"),
                "OUTPUT": "TEMPORARY_OUTPUT",
                "KEY": "TEMPORARY_OUTPUT",
                "REFERENCE_SETS": "TEMPORARY_OUTPUT",
                "KEPT": "TEMPORARY_OUTPUT",
                "DRAWN": "TEMPORARY_OUTPUT",
                "REPORT": os.path.join(ORDERS["pictures"], "release.html"),
            },
            "release_dialog",
        )

    def open_linkage_dialog(self):
        """The attack on that release, by somebody who knows all patients."""
        self.open_dialog(
            "geoanon:linkageattack",
            {
                "TARGET": self.layer("Release: Records").id(),
                "MATRIX": os.path.join(ORDERS["pictures"], "matrix.csv"),
                "TARGET_QIS": ["age", "sex"],
                "IDENTIFICATION": self.layer("patients").id(),
                "IDENTIFICATION_QIS": ["age", "sex"],
                "METHOD": "clique",
                "SETS": 100,
                "SIZE": 2,
                "SEED": 1854,
                "REPLICATES": 200,
                "ALPHA": 0.9,
                "TIME_LIMIT": 0,
                "TRUTH": self.layer("Private: Key").id(),
                "OUTPUT": "TEMPORARY_OUTPUT",
                "LINES": "TEMPORARY_OUTPUT",
                "REPORT": os.path.join(ORDERS["pictures"], "linkage.html"),
            },
            "linkage_dialog",
        )

    def look_at_the_distances(self):
        """What the release and the attack have loaded."""
        self.seen["distance_layers"] = self.layers()

    def show_distances(self):
        """The lines of one record, by what is kept of its distances."""
        self.show_only("Private: Distance kept", "Private: Reference sets", "patients")
        QTimer.singleShot(1500, lambda: self.picture("distances"))

    def show_who_was_linked(self):
        """Who was linked rightly and who not."""
        self.show_only("Private: Linked people", "Private: True place to linked place")
        QTimer.singleShot(1500, lambda: self.picture("linked"))

    def show_only(self, *names):
        """Tick these layers and no others."""
        for node in QgsProject.instance().layerTreeRoot().findLayers():
            node.setItemVisibilityChecked(node.name() in names)
        iface.mapCanvas().setExtent(self.layer("patients").extent().buffered(30))
        iface.mapCanvas().refresh()

    def run(self):
        """Press Run; `finished` goes on."""
        self.dialog.runButton().click()
        return "wait"

    def finished(self, successful, results):
        """The dialog's algorithm has ended and its outputs are about to be loaded."""
        numbers = {k: v for k, v in results.items() if isinstance(v, (int, float))}
        self.seen.setdefault("runs", []).append({"successful": successful, "numbers": numbers})
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

    def look_at_the_model_s_layers(self):
        """The same after the model."""
        self.seen["model_layers"] = self.layers()
        self.picture("model")

    def show_everything(self):
        """The whole of Soho, without what is only in the way there."""
        tree = QgsProject.instance().layerTreeRoot()
        for node in tree.findLayers():
            node.setItemVisibilityChecked(
                node.name() not in ("Private: Voronoi cells", "deaths", "Private: Key")
            )
        window = iface.mainWindow()
        for name in ("ProcessingToolbox", "ResultsViewer"):
            window.findChild(QDockWidget, name).hide()
        layers = window.findChild(QDockWidget, "Layers")
        window.resizeDocks([layers], [420], Qt.Orientation.Horizontal)
        iface.mapCanvas().setExtent(self.layer("deaths").extent().buffered(30))
        iface.mapCanvas().refresh()
        QTimer.singleShot(1300, lambda: self.picture("map"))

    def show_a_street(self):
        """A close-up with everything in it."""
        for node in QgsProject.instance().layerTreeRoot().findLayers():
            node.setItemVisibilityChecked(True)
        middle = self.layer("deaths").extent().center()
        box = QgsRectangle.fromCenterAndSize(middle, 160, 130)
        iface.mapCanvas().setExtent(box)
        iface.mapCanvas().refresh()
        QTimer.singleShot(1300, lambda: self.picture("close_up"))

    # --- what is seen ---------------------------------------------------------------------

    @staticmethod
    def layer(name):
        """The layer of that name."""
        return QgsProject.instance().mapLayersByName(name)[0]

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


visit = Visit()
QTimer.singleShot(1500, visit.go_on)
# However it goes: QGIS must not outlive its test.
QTimer.singleShot(1000 * ORDERS["seconds"], visit.leave)
