# SPDX-License-Identifier: GPL-2.0-or-later
"""GeoAnon: mask, release and attack geographic microdata in QGIS."""


def classFactory(iface):  # noqa: N802 - the name QGIS looks for
    """Return the plugin; `iface` is None under ``qgis_process``."""
    from .plugin import GeoAnonPlugin

    return GeoAnonPlugin()
