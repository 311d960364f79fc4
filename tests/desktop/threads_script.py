# SPDX-License-Identifier: GPL-2.0-or-later
"""A packaged model and a batch run in a QGIS whose one thread for tasks is taken.

Both run in the main thread, and a task of their own, which shows their progress, takes the
thread. ``test_threads.py`` starts this inside QGIS (``qgis --code``).
"""

import faulthandler
import json
import os
import sys
import traceback

from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog
from qgis import processing
from qgis.core import QgsApplication, QgsProcessingContext, QgsProject, QgsVectorLayer
from qgis.PyQt.QtCore import QObject, QTimer
from qgis.utils import iface

with open(os.environ["GEOANON_WINDOW_ORDERS"], encoding="utf-8") as file:
    ORDERS = json.load(file)


class Visit(QObject):
    """One visit to the window."""

    def __init__(self):
        super().__init__(iface.mainWindow())
        self.seen = {"steps": [], "messages": [], "reports": {}}
        self.dialog = None
        self.steps = iter([self.take_the_threads, self.run_model, self.run_batch, self.leave])

    def go_on(self):
        """Take the next step, once the reports of the last one are there."""
        waited_for = self.seen["reports"].values()
        if not all(os.path.exists(path) for path in waited_for):
            QTimer.singleShot(200, self.go_on)
            return
        try:
            step = next(self.steps)
            self.seen["steps"].append(step.__name__)
            # However this ends, the test can say where it was.
            with open(self.path("steps.txt"), "w", encoding="utf-8") as file:
                file.write(" ".join(self.seen["steps"]))
            step()
            QTimer.singleShot(200, self.go_on)
        except BaseException:
            self.fail(*sys.exc_info())

    def fail(self, *raised):
        """Tell what was raised, here or in a slot, for which QGIS would open a dialog and wait."""
        error = "".join(traceback.format_exception(*raised))
        # A fault of QGIS itself, when it lists the reports of a batch that has ended.
        if "in loadhtmlresults" not in error.lower():
            self.seen["error"] = error
            self.leave()

    def path(self, name):
        """A file in the folder of this visit."""
        return os.path.join(ORDERS["folder"], name)

    def report(self, name):
        """The path of a report, which the next step waits for."""
        self.seen["reports"][name] = self.path(f"{name}.html")
        return self.seen["reports"][name]

    def leave(self):
        """Write what was seen and end QGIS at once."""
        with open(ORDERS["result"] + ".part", "w", encoding="utf-8") as file:
            json.dump(self.seen, file, indent=1)
        os.replace(ORDERS["result"] + ".part", ORDERS["result"])
        os._exit(0)

    def take_the_threads(self):
        """Leave QGIS one thread, and open the sample data."""
        QgsApplication.setMaxThreads(1)
        for name in ("addresses", "deaths"):
            layer = QgsVectorLayer(f"{ORDERS['data']}|layername={name}", name, "ogr")
            QgsProject.instance().addMapLayer(layer)

    def run_model(self):
        """Press Run in a packaged model's dialog."""
        self.dialog = processing.createAlgorithmDialog(
            "geoanon:maskattackreport",
            {
                "POINTS": self.layer("deaths"),
                "CANDIDATES": self.layer("addresses"),
                "CANDIDATE_ID": "address_id",
                "mask:MASKED": "TEMPORARY_OUTPUT",
                "mask:REPORT": self.report("masking"),
                "reverse:REPORT": self.report("attack"),
            },
        )
        self.dialog.show()
        self.dialog.runButton().click()

    def run_batch(self):
        """Press Run in the dialog for batches, with two rows."""
        algorithm = QgsApplication.processingRegistry().createAlgorithmById("geoanon:voronoimask")
        self.dialog = BatchAlgorithmDialog(algorithm, iface.mainWindow())
        panel = self.dialog.mainWidget()
        while panel.batchRowCount() < 2:
            panel.addRow()
        context = QgsProcessingContext()
        context.setProject(QgsProject.instance())
        columns = panel.parameter_to_column
        for row in range(2):
            panel.wrappers[row][columns["INPUT"]].setParameterValue(self.layer("deaths"), context)
            for name, path in (
                ("OUTPUT", self.path(f"masked_{row}.gpkg")),
                ("REPORT", self.report(f"batch_{row}")),
            ):
                panel.tblParameters.cellWidget(row + 1, columns[name]).setValue(path)
        self.dialog.show()
        self.dialog.runButton().click()

    @staticmethod
    def layer(name):
        """The id of the layer of that name."""
        return QgsProject.instance().mapLayersByName(name)[0].id()


visit = Visit()
sys.excepthook = visit.fail
QTimer.singleShot(1500, visit.go_on)
# However it goes: QGIS must not outlive its test. Where the main thread stands still no timer
# is heard; this says into the log where that was.
faulthandler.dump_traceback_later(ORDERS["seconds"], exit=True, file=2)
