# SPDX-License-Identifier: GPL-2.0-or-later
"""A session from the zip to a decision, in QGIS's own window (``qgis --code``).

As ``window_script.py``, which see; ``test_session.py`` starts it, and ``scripts/screenshots`` keeps
the pictures.
"""

import json
import os
import sys

from qgis.core import QgsApplication, QgsProject, QgsSettings
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtWidgets import (
    QDialog,
    QDockWidget,
    QPushButton,
    QRadioButton,
    QTableView,
    QTextBrowser,
    QTreeView,
)
from qgis.utils import iface, plugins

sys.path.insert(0, os.environ["GEOANON_WINDOW_SCRIPTS"])
from visiting import ORDERS, Visit  # noqa: E402  the folder is known from here on

KEY = "geoanon_qgis"
#: Where QGIS installs plugins.
PLUGINS = os.path.join(QgsApplication.qgisSettingsDirPath(), "python", "plugins")
ADDRESSES = "addresses (made up)"


class Session(Visit):
    """Installs over what is there, masks, attacks, inspects, decides, and takes all away again."""

    def steps(self):
        """The steps of this visit."""
        return [
            (self.begin_anew, 500),
            (self.install, 2500),
            (self.look_what_is_installed, 1300),
            (self.load_sample, 1500),
            (self.ask, 900),
            (self.open_the_tool, 1500),
            (self.close_the_tool, 300),
            (self.open_mask, 1500),
            (self.run, 0),
            (self.open_attack, 1500),
            (self.run, 0),
            (self.look_at_what_was_written, 1800),
            (self.inspect, 2000),
            (self.withhold, 1500),
            (self.open_better_mask, 1500),
            (self.run, 0),
            (self.open_attack_on_it, 1500),
            (self.run, 0),
            (self.decide, 3900),
            (self.save_as_pdf, 1500),
            (self.uninstall, 1500),
            (self.look_what_is_left, 0),
        ]

    @staticmethod
    def file(name):
        """A file beside the pictures."""
        return os.path.join(ORDERS["folder"], name)

    @staticmethod
    def settings():
        """Keys of QGIS's settings that name the plugin, but for QGIS's own list of plugins."""
        keys = QgsSettings().allKeys()
        return [one for one in keys if "geoanon" in one.lower() and "PythonPlugins" not in one]

    def begin_anew(self):
        """What a user has: QGIS, and perhaps an earlier version."""
        window = iface.mainWindow()
        window.setGeometry(0, 0, 1400, 900)  # there is no window manager to ask
        for dock in window.findChildren(QDockWidget):
            if dock.objectName() not in ("Layers", "ProcessingToolbox"):
                dock.hide()
        registry = QgsApplication.processingRegistry()
        self.seen["before"] = {
            "version": self.version(),
            "provider": registry.providerById("geoanon") is not None,
            "settings": self.settings(),
            "menu": self.menu(),
        }

    @staticmethod
    def version():
        """The version that QGIS has loaded."""
        from qgis.utils import pluginMetadata

        return pluginMetadata(KEY, "version") if KEY in plugins else ""

    @staticmethod
    def menu():
        """What of us is in the plugins' menu."""
        return [one.text() for one in iface.pluginMenu().actions() if "GeoAnon" in one.text()]

    def install(self):
        """As *Install from ZIP* does."""
        import pyplugin_installer

        pyplugin_installer.instance().installFromZipFile(ORDERS["zip"])
        iface.newProject(False)

    def look_what_is_installed(self):
        """Provider, menu, button."""
        registry = QgsApplication.processingRegistry()
        provider = registry.providerById("geoanon")
        self.seen["installed"] = {
            "version": self.version(),
            "algorithms": len(provider.algorithms()) if provider else 0,
            "files": sorted(os.listdir(os.path.join(PLUGINS, KEY))),
            "menu": self.menu(),
        }
        dock = iface.mainWindow().findChild(QDockWidget, "ProcessingToolbox")
        dock.show()
        tree = dock.findChild(QTreeView, "algorithmTree") or dock.findChild(QTreeView)
        top = [tree.model().index(row, 0) for row in range(tree.model().rowCount())]
        ours = next(index for index in top if index.data() == "GeoAnon")
        tree.expandRecursively(ours)
        tree.scrollTo(ours, QTreeView.ScrollHint.PositionAtTop)
        iface.mainWindow().resizeDocks([dock], [420], Qt.Orientation.Horizontal)
        self.later(800, lambda: self.picture("session_1_installed"))

    def load_sample(self):
        """The sample data in one click."""
        plugins[KEY].desktop.load_sample()
        dock = iface.mainWindow().findChild(QDockWidget, "ProcessingToolbox")
        dock.hide()
        layers = iface.mainWindow().findChild(QDockWidget, "Layers")
        iface.mainWindow().resizeDocks([layers], [340], Qt.Orientation.Horizontal)

    def ask(self):
        """The start page."""
        plugins[KEY].desktop._start.trigger()
        self.page = iface.mainWindow().findChild(QDialog, "GeoAnonStart")
        self.page.findChild(QRadioButton, "addresses").click()
        self.later(700, lambda: self.picture("session_2_asked"))

    def open_the_tool(self):
        """What is advised, filled in."""
        next(one for one in self.page.findChildren(QPushButton) if "Open" in one.text()).click()
        self.page.hide()
        self.tool = plugins[KEY].desktop._dialog
        filled = self.tool.createProcessingParameters()
        self.tool.setParameters({**filled, "INPUT": self.layer("deaths").id()})
        self.tool.resize(1000, 760)
        self.tool.move(QPoint(180, 60))
        self.later(900, lambda: self.picture("session_3_advised"))

    def close_the_tool(self):
        """A smaller mask first, to see what happens."""
        self.tool.close()

    def secret(self):
        """A secret file, so that every session is drawn alike."""
        path = self.file("secret.json")
        told = {"format": "geoanon-secret", "version": 1, "secret": "18" * 32, "centre": None}
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**told, "crs": "EPSG:27700", "used": {}, "kept": {}}, file)
        return path

    def open_mask(self, size=30, mask="mask.json", picture="session_4_mask", **more):
        """Points move by up to 30 m."""
        self.open_dialog(
            "geoanon:maskdisplace",
            {
                "INPUT": self.layer("deaths").id(),
                "LAW": "disc",
                "MAX": size,
                "SECRET": self.secret(),
                "OUTPUT": "TEMPORARY_OUTPUT",
                "SHIFTS": "TEMPORARY_OUTPUT",
                "KEY": "TEMPORARY_OUTPUT",
                "SUPPORT": "TEMPORARY_OUTPUT",
                "MASK": self.file(mask),
                "REPORT": self.file(mask.replace(".json", ".html")),
                **more,
            },
            picture,
        )

    def newest(self, name):
        """The layer of that name that was written last."""
        layers = QgsProject.instance().mapLayers().values()
        found = [one for one in layers if one.name().split(" · ")[0] == name]
        return max(found, key=lambda one: one.name())

    def open_attack(self, mask="mask.json", report="attack.html", picture="attack"):
        """Who lives at the true places of the last release?"""
        self.open_dialog(
            "geoanon:attackmask",
            {
                "INPUT": self.newest("Release: Masked points").id(),
                "MASK": self.file(mask),
                "CANDIDATES": self.layer(ADDRESSES).id(),
                "KEY": self.newest("Private: Key").id(),
                "ADVERSARY": "whose_place",
                "SHOWN": 324,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "CANDIDATES_OF": "TEMPORARY_OUTPUT",
                "AT_RISK": "TEMPORARY_OUTPUT",
                "REPORT": self.file(report),
            },
            picture,
        )

    def show_only(self, *names):
        """Tick these layers and no others."""
        for node in QgsProject.instance().layerTreeRoot().findLayers():
            node.setItemVisibilityChecked(node.name().split(" · ")[0] in names)

    def look_at_what_was_written(self):
        """Groups of what may be given away and what not."""
        iface.mainWindow().findChild(QDockWidget, "ResultsViewer").hide()
        self.show_only("Release: Masked points", "Private: Shifts", "Private: Guesses")
        iface.mapCanvas().setExtent(self.layer("deaths").extent().buffered(30))
        iface.mapCanvas().refresh()
        self.later(1500, lambda: self.picture("session_5_attacked"))

    def dock(self):
        """The inspector."""
        return iface.mainWindow().findChild(QDockWidget, "GeoAnonInspector")

    def press(self, text):
        """Press a button of the dock."""
        next(one for one in self.dock().findChildren(QPushButton) if text in one.text()).click()

    def inspect(self):
        """Somebody who is found."""
        self.show_only(ADDRESSES, "Release: Masked points")
        plugins[KEY].desktop._inspect.trigger()
        self.dock().inspect(self.layer("Private: Guesses"))
        window = iface.mainWindow()
        window.resizeDocks(
            [window.findChild(QDockWidget, "Layers"), self.dock()],
            [300, 380],
            Qt.Orientation.Horizontal,
        )
        for _ in range(5):  # behind those whom the attack itself wants withheld
            self.press("Next")
        self.later(1500, lambda: self.picture("session_6_inspected"))

    def withhold(self):
        """One more than the attack wants withheld."""
        self.press("Withhold")
        self.seen["at_risk"] = self.layer("Private: Records to withhold").featureCount()
        self.seen["withheld"] = self.layer("Private: Records to withhold, by hand").featureCount()
        self.seen["explained"] = self.dock().findChild(QTextBrowser).toPlainText()

    def open_better_mask(self):
        """Farther, and without those who were found."""
        self.open_mask(
            250,
            "better.json",
            "better_mask",
            WITHHOLD=self.layer("Private: Records to withhold, by hand").id(),
        )

    def open_attack_on_it(self):
        """The same attack."""
        self.open_attack("better.json", "decision.html")

    def decide(self):
        """What the attack says of it, with the inspector open."""
        iface.mainWindow().findChild(QDockWidget, "ResultsViewer").hide()
        self.dock().inspect(self.newest("Private: Guesses"))
        self.show_only(ADDRESSES, "Release: Masked points")
        self.seen["rows"] = self.dock().findChild(QTableView).model().rowCount()
        self.later(3200, lambda: self.picture("session_7_decided"))

    def save_as_pdf(self):
        """The report of the decision."""
        plugins[KEY].desktop.save_report()
        self.seen["pdf"] = os.path.exists(self.file("decision.pdf"))

    def uninstall(self):
        """As the plugin manager does."""
        import pyplugin_installer

        QgsProject.instance().clear()
        pyplugin_installer.instance().uninstallPlugin(KEY, quiet=True)

    def look_what_is_left(self):
        """Nothing, if all went well."""
        registry = QgsApplication.processingRegistry()
        window = iface.mainWindow()
        self.seen["left"] = {
            "provider": registry.providerById("geoanon") is not None,
            "loaded": KEY in plugins,
            "folder": os.path.exists(os.path.join(PLUGINS, KEY)),
            "settings": self.settings(),
            "menu": self.menu(),
            "toolbar": [
                one.text() for one in iface.pluginToolBar().actions() if "publish" in one.text()
            ],
            "docks": [
                one.objectName()
                for one in window.findChildren(QDockWidget)
                if "GeoAnon" in one.objectName()
            ],
            "enabled": QgsSettings().value(f"PythonPlugins/{KEY}", False, type=bool),
        }


visit = Session()
visit.begin()
