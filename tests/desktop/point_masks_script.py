# SPDX-License-Identifier: GPL-2.0-or-later
"""A mask is chosen, used, attacked and measured in QGIS's own window (``qgis --code``).

As ``window_script.py``, which see; ``test_point_masks.py`` starts it.
"""

import os
import sys

from qgis.core import QgsProject
from qgis.PyQt.QtWidgets import QDockWidget
from qgis.utils import iface

sys.path.insert(0, os.environ["GEOANON_WINDOW_SCRIPTS"])
from visiting import ORDERS, Visit  # noqa: E402  the folder is known from here on


class PointMasks(Visit):
    """From the question which mask to the map that shows why a record is at risk."""

    def steps(self):
        """The steps of this visit."""
        return [
            (self.open_layers, 500),
            (self.open_choice_dialog, 1200),
            (self.run, 0),
            (self.open_mask_dialog, 1200),
            (self.run, 0),
            (self.open_attack_dialog, 1200),
            (self.run, 0),
            (self.open_measures_dialog, 1200),
            (self.run, 0),
            (self.look_at_the_layers, 300),
            (self.show_why, 1800),
        ]

    def open_choice_dialog(self):
        """Which mask? Two families, so that it takes seconds."""
        self.open_dialog(
            "geoanon:choosemask",
            {
                "INPUT": self.layer("deaths").id(),
                "CANDIDATES": self.layer("addresses").id(),
                "FAMILIES": ["disc", "exchange"],
                "ADVERSARY": "whose_place",
                "ACCEPTABLE": 0.2,
                "UTILITY": ["shift"],
                "SEED": 1854,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "REPORT": self.file("choice.html"),
            },
            "choice_dialog",
        )

    def open_mask_dialog(self):
        """A displacement that is too small: so there is something to see."""
        self.open_dialog(
            "geoanon:maskdisplace",
            {
                "INPUT": self.layer("deaths").id(),
                "LAW": "disc",
                "MAX": 12,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "SHIFTS": "TEMPORARY_OUTPUT",
                "KEY": "TEMPORARY_OUTPUT",
                "MASK": self.file("mask.json"),
                "SECRET_FILE": self.file("secret.json"),
                "REPORT": self.file("displaced.html"),
            },
            "displacement_dialog",
        )

    def open_attack_dialog(self):
        """Both adversaries, with the layers that the mask has loaded."""
        self.open_dialog(
            "geoanon:attackmask",
            {
                "INPUT": self.layer("Release: Masked points").id(),
                "MASK": self.file("mask.json"),
                "CANDIDATES": self.layer("addresses").id(),
                "KEY": self.layer("Private: Key").id(),
                "SHOWN": 3,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "CANDIDATES_OF": "TEMPORARY_OUTPUT",
                "AT_RISK": "TEMPORARY_OUTPUT",
                "REPORT": self.file("attacked.html"),
            },
            "posterior_dialog",
        )

    def open_measures_dialog(self):
        """What the release keeps."""
        self.open_dialog(
            "geoanon:maskmeasures",
            {
                "ORIGINAL": self.layer("deaths").id(),
                "RELEASED": self.layer("Release: Masked points").id(),
                "KEY": self.layer("Private: Key").id(),
                "CANDIDATES": self.layer("addresses").id(),
                "SERVICES": self.layer("pumps").id(),
                "MASK": self.file("mask.json"),
                "SEED": 1854,
                "OUTPUT": "TEMPORARY_OUTPUT",
                "CLUSTERS": "TEMPORARY_OUTPUT",
                "REPORT": self.file("measured.html"),
            },
            "measures_dialog",
        )

    def show_why(self):
        """The riskiest records with every address that explains them."""
        shown = self.layer("Private: Addresses that explain the riskiest records")
        for node in QgsProject.instance().layerTreeRoot().findLayers():
            node.setItemVisibilityChecked(node.name() in ("addresses", shown.name()))
        window = iface.mainWindow()
        for name in ("ProcessingToolbox", "ResultsViewer"):
            window.findChild(QDockWidget, name).hide()
        iface.mapCanvas().setExtent(shown.extent().buffered(15))
        iface.mapCanvas().refresh()
        self.later(1500, lambda: self.picture("why"))

    @staticmethod
    def file(name):
        """A file beside the pictures."""
        return os.path.join(ORDERS["pictures"], name)


visit = PointMasks()
visit.begin()
