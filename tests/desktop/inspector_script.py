# SPDX-License-Identifier: GPL-2.0-or-later
"""Who is at risk, and why: the inspector in QGIS's own window (``qgis --code``).

As ``window_script.py``, which see; ``test_inspector.py`` starts it.
"""

import os
import sys

from qgis import processing
from qgis.core import QgsPointXY, QgsProject
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDockWidget,
    QMenu,
    QPushButton,
    QRadioButton,
    QTableView,
    QTextBrowser,
)
from qgis.utils import iface, plugins, unloadPlugin

sys.path.insert(0, os.environ["GEOANON_WINDOW_SCRIPTS"])
from visiting import ORDERS, Visit  # noqa: E402  the folder is known from here on


class Inspecting(Visit):
    """From attacks of four kinds to records that are withheld."""

    def steps(self):
        """The steps of this visit."""
        return [
            (self.open_layers, 500),
            (self.ask, 900),
            (self.open_what_is_advised, 1500),
            (self.close_it, 300),
            (self.empty, 500),
            (self.attack_a_displacement, 800),
            (self.inspect, 1500),
            (self.withhold, 600),
            (self.click_on_the_map, 1200),
            (self.attack_a_voronoi_mask, 800),
            (self.inspect_the_reversal, 1500),
            (self.measure_microdata, 800),
            (self.inspect_microdata, 1500),
            (self.mask_again, 600),
            (self.sample, 1500),
            (self.close, 300),
            (self.unload, 800),
            (self.look_what_is_left, 0),
        ]

    @staticmethod
    def file(name):
        """A file beside the pictures."""
        return os.path.join(ORDERS["pictures"], name)

    def load(self, algorithm, outputs, **parameters):
        """Run, and load the outputs as a dialog does."""
        asked = {**parameters, **dict.fromkeys(outputs, "TEMPORARY_OUTPUT")}
        found = processing.runAndLoadResults(f"geoanon:{algorithm}", asked)
        self.seen.setdefault("runs", []).append(algorithm)
        return found

    def dock(self):
        """The inspector."""
        return iface.mainWindow().findChild(QDockWidget, "GeoAnonInspector")

    def tell(self, name):
        """Keep what the dock shows."""
        dock = self.dock()
        model = dock.findChild(QTableView).model()
        self.seen[name] = {
            "rows": model.rowCount(),
            "first": [model.index(0, column).data() for column in range(3)]
            if model.rowCount()
            else [],
            "text": dock.findChild(QTextBrowser).toPlainText(),
            "marks": [one.what for one in (dock._evidence.marks if dock._evidence else [])],
        }
        self.picture(name)

    def press(self, text):
        """Press a button of the dock."""
        next(one for one in self.dock().findChildren(QPushButton) if text in one.text()).click()

    # --- steps ----------------------------------------------------------------------------

    def ask(self):
        """The start page, from the toolbar's button."""
        for name in ("ProcessingToolbox", "ResultsViewer"):
            iface.mainWindow().findChild(QDockWidget, name).hide()
        start = plugins["geoanon_qgis"].desktop._start
        self.seen["toolbar"] = start in iface.pluginToolBar().actions()
        start.trigger()
        self.page = iface.mainWindow().findChild(QDialog, "GeoAnonStart")
        self.page.findChild(QRadioButton, "member").click()
        self.later(600, lambda: self.picture("start_page"))

    def open_what_is_advised(self):
        """The tool, filled in."""
        self.seen["advised"] = self.page.findChild(QTextBrowser).toPlainText()
        next(one for one in self.page.findChildren(QPushButton) if "Open" in one.text()).click()
        self.later(900, self.look_at_the_tool)

    def look_at_the_tool(self):
        """What is filled in."""
        self.page.hide()
        self.tool = plugins["geoanon_qgis"].desktop._dialog
        self.seen["filled"] = {
            name: value
            for name, value in self.tool.createProcessingParameters().items()
            if name in ("ADVERSARY", "ACCEPTABLE", "LIMIT_ON", "FAMILIES")
        }
        self.picture("advised")

    def close_it(self):
        """Not today."""
        self.tool.close()

    def sample(self):
        """The sample data in one click, beside all that is there."""
        before = len(QgsProject.instance().mapLayers())
        plugins["geoanon_qgis"].desktop.load_sample()
        self.seen["sample"] = len(QgsProject.instance().mapLayers()) - before

    def empty(self):
        """Without an attack the dock says what to do."""
        plugins["geoanon_qgis"].desktop.open_inspector()
        self.later(300, lambda: self.tell("empty"))

    def attack_a_displacement(self):
        """A displacement that is too small, the same in each visit, whose records are counted."""
        from geoanon_qgis.core.masking import secretfile

        secretfile.new_secret = lambda: "18" * 32
        self.load(
            "maskdisplace",
            ["OUTPUT", "SHIFTS", "KEY", "SUPPORT"],
            INPUT=self.layer("deaths").id(),
            LAW="disc",
            MAX=12,
            SEED=1854,
            MASK=self.file("mask.json"),
            SECRET_FILE=self.file("secret.json"),
        )
        self.load(
            "attackmask",
            ["OUTPUT", "CANDIDATES_OF", "AT_RISK"],
            INPUT=self.layer("Release: Masked points").id(),
            MASK=self.file("mask.json"),
            CANDIDATES=self.layer("addresses").id(),
            KEY=self.layer("Private: Key").id(),
            SHOWN=324,
        )
        iface.layerTreeView().setCurrentLayer(self.layer("Private: Guesses"))

    def show_only(self, *names):
        """Tick these layers and no others."""
        for node in QgsProject.instance().layerTreeRoot().findLayers():
            node.setItemVisibilityChecked(node.name().split(" · ")[0] in names)

    def inspect(self):
        """From the menu; a record in the middle of the list tells more than the first."""
        self.show_only("addresses", "Release: Masked points")
        window = iface.mainWindow()
        window.resizeDocks(
            [window.findChild(QDockWidget, "Layers"), self.dock() or window.findChild(QDockWidget)],
            [300, 380],
            Qt.Orientation.Horizontal,
        )
        actions = [
            one.text() for menu in iface.pluginMenu().findChildren(QMenu) for one in menu.actions()
        ]
        self.seen["menu"] = actions
        plugins["geoanon_qgis"].desktop._inspect.trigger()
        for _ in range(40):
            self.press("Next")
        self.later(1200, lambda: self.tell("inspector"))

    def withhold(self):
        """Mark it, and the next one, and take one back."""
        self.press("Withhold")
        self.press("Next")
        self.press("Withhold")
        self.press("Withhold")
        self.seen["locks"] = plugins["geoanon_qgis"].desktop._locks.marked()
        self.seen["withheld"] = self.layer("Private: Records to withhold, by hand").featureCount()
        self.seen["at_risk"] = self.layer("Private: Records to withhold").featureCount()

    def click_on_the_map(self):
        """Any released point."""
        self.press("Pick")
        one = next(self.layer("Release: Masked points").getFeatures())
        dock = self.dock()
        dock._tool.canvasClicked.emit(
            QgsPointXY(one.geometry().asPoint()), Qt.MouseButton.LeftButton
        )
        self.seen["clicked"] = [dock._evidence.name, str(one["masked_id"])]
        self.later(800, lambda: self.tell("clicked_on_map"))

    def attack_a_voronoi_mask(self):
        """The other mask, in the same project."""
        self.load(
            "voronoimask", ["OUTPUT", "SHIFTS", "CELLS", "KEY"], INPUT=self.layer("deaths").id()
        )
        released = [
            one
            for one in QgsProject.instance().mapLayers().values()
            if one.name() == "Release: Masked points · deaths · 2"
        ]
        key = [
            one
            for one in QgsProject.instance().mapLayers().values()
            if one.name() == "Private: Key · deaths · 2"
        ]
        self.load(
            "reversevoronoi",
            ["OUTPUT", "LINKS", "AT_RISK"],
            INPUT=released[0].id(),
            CANDIDATES=self.layer("addresses").id(),
            KEY=key[0].id(),
            SEED=1854,
        )

    def inspect_the_reversal(self):
        """From the layer's context menu."""
        self.show_only("addresses")
        layer = self.layer("Private: Links")
        iface.layerTreeView().setCurrentLayer(layer)
        menu = iface.layerTreeView().menuProvider().createContextMenu()
        offered = [one for one in menu.actions() if "who is at risk" in one.text()]
        self.seen["offered"] = len(offered)
        offered[0].trigger()
        for _ in range(200):
            self.press("Next")
        self.later(1200, lambda: self.tell("reversal"))

    def measure_microdata(self):
        """People released as they are, but for a few."""
        self.load(
            "disclosurerisk",
            ["OUTPUT", "AT_RISK"],
            ORIGINAL=self.layer("deaths").id(),
            ANONYMIZED=self.layer("deaths").id(),
            USE_GEOMETRY=True,
        )

    def inspect_microdata(self):
        """The last attack, on records and not on places."""
        self.dock().inspect(self.layer("Private: Risk of each record"))
        self.later(1200, lambda: self.tell("microdata"))

    def mask_again(self):
        """The layer that was written by hand goes into the mask."""
        found = processing.run(
            "geoanon:maskdisplace",
            {
                "INPUT": self.layer("deaths").id(),
                "LAW": "disc",
                "MAX": 100,
                "WITHHOLD": self.layer("Private: Records to withhold, by hand").id(),
                "OUTPUT": "TEMPORARY_OUTPUT",
            },
        )
        self.seen["released_again"] = found["COUNT"]

    def close(self):
        """A closed dock leaves nothing on the map."""
        self.dock().close()
        self.seen["shown_when_closed"] = bool(self.dock()._drawing._title)

    def unload(self):
        """Take the plugin away."""
        self.seen["canvas_items"] = len(
            [one for one in iface.mapCanvas().scene().items() if type(one).__name__ == "Drawing"]
        )
        unloadPlugin("geoanon_qgis")

    def look_what_is_left(self):
        """Nothing of it, if all went well."""
        left = [one for one in iface.mapCanvas().scene().items() if type(one).__name__ == "Drawing"]
        iface.layerTreeView().setCurrentLayer(self.layer("Private: Guesses"))
        menu = iface.layerTreeView().menuProvider().createContextMenu()
        self.seen["left"] = {
            "items": len(left),
            "locks": sum(
                "never give it away" in one.toolTip()
                for node in QgsProject.instance().layerTreeRoot().findGroups()
                for one in iface.layerTreeView().indicators(node)
            ),
            "dock": self.dock() is not None,
            "page": iface.mainWindow().findChild(QDialog, "GeoAnonStart") is not None,
            "toolbar": [one.text() for one in iface.pluginToolBar().actions() if one.text()],
            "menu": [one.text() for one in iface.pluginMenu().actions() if "GeoAnon" in one.text()],
            "context": [one.text() for one in menu.actions() if "GeoAnon" in one.text()],
        }
        # The project's signals lead nowhere any more.
        QgsProject.instance().removeMapLayer(self.layer("Private: Guesses").id())


visit = Inspecting()
visit.begin()
