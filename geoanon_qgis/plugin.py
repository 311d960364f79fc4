# SPDX-License-Identifier: GPL-2.0-or-later
"""The plugin class: registers the provider, and in the desktop what the window gets besides."""

from __future__ import annotations

from qgis.core import QgsApplication
from qgis.PyQt.QtCore import QCoreApplication, QTranslator

from . import paths


class GeoAnonPlugin:
    """Entry point for QGIS's desktop and for ``qgis_process``."""

    def __init__(self, iface=None):
        self.iface, self.provider, self.desktop = iface, None, None
        self.translator = self._install_translator()

    def initProcessing(self):
        """Register the Processing provider; needs no window."""
        from .processing.provider import GeoAnonProvider

        provider = GeoAnonProvider()
        if QgsApplication.processingRegistry().addProvider(provider):
            self.provider = provider

    def initGui(self):
        """Called when the plugin is enabled in the desktop."""
        self.initProcessing()
        if self.iface is not None:
            from .desktop.desktop import Desktop

            self.desktop = Desktop(self.iface)

    def unload(self):
        """Take everything back that the plugin has put into QGIS."""
        if self.desktop is not None:
            self.desktop.take_away()
            self.desktop = None
        registry = QgsApplication.processingRegistry()  # None while QGIS 3.44 ends
        if self.provider is not None and registry is not None:
            registry.removeProvider(self.provider)
        self.provider = None
        if self.translator is not None:
            QCoreApplication.removeTranslator(self.translator)
            self.translator = None

    @staticmethod
    def _install_translator() -> QTranslator | None:
        """Install ``i18n/geoanon_<locale>.qm`` (or that of the language alone), if it is there."""
        locale = QgsApplication.locale() or ""
        for name in dict.fromkeys((locale, locale[:2])):
            path = paths.find("i18n", f"geoanon_{name}.qm") if name else None
            translator = QTranslator()
            if path is not None and translator.load(str(path)):
                QCoreApplication.installTranslator(translator)
                return translator
        return None
