# SPDX-License-Identifier: GPL-2.0-or-later
"""GeoAnon: mask, release and attack geographic microdata in QGIS."""


def classFactory(iface):
    """Return the plugin; `iface` is None under ``qgis_process``."""
    from .plugin import GeoAnonPlugin

    return GeoAnonPlugin(iface)
