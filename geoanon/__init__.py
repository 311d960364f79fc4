# SPDX-License-Identifier: GPL-2.0-or-later
"""GeoAnon without QGIS: mask, release and attack geographic microdata.

The names here are those of :mod:`geoanon_qgis.core.library`, the front door of the engine that
the QGIS plugin runs on. In QGIS's own Python, where the plugin is installed and this package is
not, ``from geoanon_qgis import core as geoanon`` has the same names.
"""

from geoanon_qgis.core.library import *  # noqa: F403
from geoanon_qgis.core.library import __all__  # noqa: F401
