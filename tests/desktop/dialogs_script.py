# SPDX-License-Identifier: GPL-2.0-or-later
"""Opens every dialog in QGIS's own window, reads its words, and presses Run (``qgis --code``).

As ``window_script.py``, which see; ``test_dialogs.py`` starts it.
"""

import os
import sys
from functools import partial

from qgis import processing
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsGeometry,
    QgsLayoutItemMap,
    QgsPrintLayout,
    QgsProcessingModelAlgorithm,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtWidgets import QApplication, QComboBox, QMessageBox
from qgis.utils import iface

sys.path.insert(0, os.environ["GEOANON_WINDOW_SCRIPTS"])
from visiting import ORDERS, Visit  # noqa: E402  the folder is known from here on


class Dialogs(Visit):
    """Every dialog, and those that run with one click."""

    def steps(self):
        """The steps of this visit."""
        provider = QgsApplication.processingRegistry().providerById("geoanon")
        names = sorted(one.name() for one in provider.algorithms())
        shown = ORDERS["shown"]
        yield self.open_layers, 500
        for name in names:
            yield named(partial(self.open, name), f"open_{name}"), 700 if name in shown else 20
            if name in shown:
                yield named(partial(self.picture, f"dialog_{name}"), f"show_{name}"), 50
            yield named(self.read, f"read_{name}"), 20
        yield self.choose_a_law, 900
        yield self.look_at_the_law, 50
        yield self.look_at_a_batch, 50
        yield self.look_at_the_modeler, 50
        yield self.open_mask, 300
        yield self.run, 0
        yield self.open_release, 300
        yield self.run, 0
        yield self.open_regions, 300
        for name in ORDERS["clicked"]:
            given = ORDERS["given"].get(name)
            yield named(partial(self.open, name, given), f"open_again_{name}"), 300
            yield named(self.click, f"run_{name}"), 0
        yield self.warn_of_what_is_saved, 300
        yield self.open_a_layout, 1500
        yield self.look_at_the_layout, 100

    def open(self, name, parameters=None):
        """Open a dialog as the toolbox does."""
        self.dialog = processing.createAlgorithmDialog(f"geoanon:{name}", parameters or {})
        self.dialog.algorithmFinished.connect(self.finished)
        self.dialog.show()
        self.dialog.resize(1000, 800)
        self.dialog.move(180, 40)

    def open_mask(self):
        """A release with its key, for those who judge it."""
        given = {"INPUT": self.layer("deaths").id(), "OUTPUT": "TEMPORARY_OUTPUT"}
        more = {"KEY": "TEMPORARY_OUTPUT", "SHIFTS": "TEMPORARY_OUTPUT"}
        self.open("voronoimask", {**given, **more})

    def open_release(self):
        """A release of distances, with its key and mask file, and the matrix where it is proposed."""
        QgsProject.instance().setPresetHomePath(ORDERS["folder"])
        given = {"INPUT": self.layer("deaths").id(), "OUTPUT": "TEMPORARY_OUTPUT"}
        # Without a seed the near group found nobody once in two dozen runs.
        more = {"KEY": "TEMPORARY_OUTPUT", "MASK": "TEMPORARY_OUTPUT", "FIELDS": [], "SEED": 1}
        self.open("lipschitzrelease", {**given, **more})
        matrix = self.dialog.mainWidget().wrappers["MATRIX"]
        self.seen["matrix"] = [matrix.parameterValue()]
        # QGIS tells the dialog's own parts first: by then there is another proposal.
        self.dialog.algorithmFinished.connect(
            lambda *_: self.seen["matrix"].append(matrix.parameterValue())
        )

    def open_regions(self):
        """Forty squares, in which people can be made up."""
        layer = QgsVectorLayer("Polygon?crs=EPSG:27700&field=block:integer", "blocks", "memory")
        features = []
        for at in range(40):
            one = QgsFeature(layer.fields())
            west, south = 529_000 + 100 * (at % 8), 180_500 + 100 * (at // 8)
            one.setGeometry(
                QgsGeometry.fromRect(QgsRectangle(west, south, west + 100, south + 100))
            )
            one.setAttributes([at])
            features.append(one)
        layer.dataProvider().addFeatures(features)
        QgsProject.instance().addMapLayer(layer)
        iface.setActiveLayer(layer)

    def click(self):
        """Press Run; a dialog that is not content says so and stays."""
        dialog = self.dialog
        said = [one.text() for one in dialog.messageBar().items()]

        def look():
            if self.dialog is not dialog:
                return
            box = QApplication.activeModalWidget()
            refused = [one.text() for one in dialog.messageBar().items() if one.text() not in said]
            if isinstance(box, QMessageBox):
                refused.append(box.text())
                box.reject()
            if refused:
                self.seen.setdefault("runs", []).append({"successful": False, "refused": refused})
                self.close_dialog()

        self.later(3000, look)
        return self.run()

    def read(self):
        """What stands in a dialog: the words of its lists, and what is grey."""
        wrappers = self.dialog.mainWidget().wrappers
        name = self.dialog.algorithm().name()
        state = self.seen.setdefault("dialogs", {})[name] = self.state(wrappers)
        state["layers"] = {
            one: chosen.name()
            for one in wrappers.keys() & {"INPUT", "CANDIDATES"}
            if (chosen := QgsProject.instance().mapLayer(str(wrappers[one].parameterValue())))
        }
        self.dialog.close()
        self.dialog.deleteLater()

    @staticmethod
    def state(wrappers):
        """Items of each list, values of choices, and the names of what is grey."""
        known = {n: one for n, one in wrappers.items() if one.wrappedWidget() is not None}
        return {
            "items": {
                n: [one.wrappedWidget().itemText(at) for at in range(one.wrappedWidget().count())]
                for n, one in known.items()
                if one.parameterDefinition().type() == "enum"
                and isinstance(one.wrappedWidget(), QComboBox)
            },
            "values": {
                n: one.parameterValue()
                for n, one in known.items()
                if one.parameterDefinition().type() == "enum"
            },
            "grey": [n for n, one in known.items() if not one.wrappedWidget().isEnabled()],
        }

    def choose_a_law(self):
        """In the list, as a person does."""
        self.open("maskdisplace")
        self.dialog.mainWidget().wrappers["LAW"].wrappedWidget().setCurrentIndex(1)
        self.dialog.mainWidget().wrappers["SIZE_BY"].wrappedWidget().setCurrentIndex(1)
        self.later(600, lambda: self.picture("dialog_law"))

    def look_at_the_law(self):
        """What is grey now."""
        self.seen["law"] = self.state(self.dialog.mainWidget().wrappers)
        self.dialog.close()

    def look_at_a_batch(self):
        """The same in a row of the batch dialog."""
        from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog

        algorithm = QgsApplication.processingRegistry().algorithmById("geoanon:maskdisplace")
        dialog = BatchAlgorithmDialog(algorithm.create())
        row, columns = dialog.mainWidget().wrappers[0], dialog.mainWidget().parameter_to_column
        self.seen["batch"] = self.state(
            {n: row[at] for n, at in columns.items() if row[at] is not None}
        )
        dialog.close()

    def look_at_the_modeler(self):
        """A step of a model is made and read again."""
        from processing.modeler.ModelerParametersDialog import ModelerParametersDialog

        model = QgsProcessingModelAlgorithm()
        algorithm = QgsApplication.processingRegistry().algorithmById("geoanon:choosemask")
        dialog = ModelerParametersDialog(algorithm.create(), model)
        made = dialog.createAlgorithm()
        model.addChildAlgorithm(made)
        again = ModelerParametersDialog(algorithm.create(), model, made.childId())
        again.show()
        self.seen["model"] = {
            name: [one.staticValue() for one in again.createAlgorithm().parameterSources()[name]]
            for name in ("LIMIT_ON", "FAMILIES")
        }
        self.seen["model_items"] = [
            box.itemText(0) for box in again.findChildren(QComboBox) if box.count() == 3
        ]
        dialog.close()
        again.close()

    def warn_of_what_is_saved(self):
        """QGIS tells that a private layer was saved."""
        iface.messageBar().clearWidgets()
        iface.layerSavedAs.emit(self.layer("Private: Key"), "/somewhere/key.csv")
        self.seen["saved"] = [one.text() for one in iface.messageBar().items()]
        iface.messageBar().clearWidgets()
        iface.layerSavedAs.emit(self.layer("Release: Masked points"), "/somewhere/points.gpkg")
        self.seen["saved_release"] = [one.text() for one in iface.messageBar().items()]

    def open_a_layout(self):
        """A print layout with a map of everything."""
        project = QgsProject.instance()
        layout = QgsPrintLayout(project)
        layout.initializeDefaults()
        layout.setName("map")
        project.layoutManager().addLayout(layout)
        self.designer = iface.openLayoutDesigner(layout)
        self.seen["layout_before"] = [one.text() for one in self.designer.messageBar().items()]
        drawn = QgsLayoutItemMap(layout)
        drawn.attemptSetSceneRect(QRectF(20, 20, 200, 150))
        drawn.setExtent(iface.mapCanvas().extent())
        layout.addLayoutItem(drawn)

    def look_at_the_layout(self):
        """What its message bar says."""
        self.seen["layout"] = [one.text() for one in self.designer.messageBar().items()]
        self.picture("layout")


def named(step, name):
    """A step with a name of its own."""

    def go():
        return step()

    go.__name__ = name
    return go


visit = Dialogs()
visit.begin()
