# SPDX-License-Identifier: GPL-2.0-or-later
"""What GeoAnon adds to QGIS's window; nothing here is loaded by ``qgis_process``."""
