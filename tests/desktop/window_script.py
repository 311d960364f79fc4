# SPDX-License-Identifier: GPL-2.0-or-later
"""What a person does, done by a script inside QGIS's own window (``qgis --code``).

Reads its orders from the JSON file named in GEOANON_WINDOW_ORDERS, and writes what it has seen
to the file named there as ``result``. ``test_window.py`` starts it and checks the result. One
step follows the other by a timer, so that the window lives in between.
"""

import os
import sys

from qgis.core import QgsFeature, QgsProject, QgsRectangle, QgsVectorLayer
from qgis.PyQt.QtCore import Qt, QTimer
from qgis.PyQt.QtWidgets import QDockWidget, QTreeView
from qgis.utils import iface

sys.path.insert(0, os.environ["GEOANON_WINDOW_SCRIPTS"])
from visiting import ORDERS, Visit  # noqa: E402  the folder is known from here on


class Masking(Visit):
    """Masks, attacks and distances, from the toolbox to the map."""

    def steps(self):
        """The steps of this visit."""
        return [
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

    # --- steps ----------------------------------------------------------------------------

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
            node.setItemVisibilityChecked(node.name().split(" · ")[0] in names)
        iface.mapCanvas().setExtent(self.layer("patients").extent().buffered(30))
        iface.mapCanvas().refresh()

    def look_at_the_model_s_layers(self):
        """The same after the model."""
        self.seen["model_layers"] = self.layers()
        self.picture("model")

    def show_everything(self):
        """The whole of Soho, without what is only in the way there."""
        tree = QgsProject.instance().layerTreeRoot()
        for node in tree.findLayers():
            node.setItemVisibilityChecked(
                node.name().split(" · ")[0]
                not in ("Private: Voronoi cells", "deaths", "Private: Key")
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


visit = Masking()
visit.begin()
