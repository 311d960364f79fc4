# SPDX-License-Identifier: GPL-2.0-or-later
"""The versions of what a run stands on."""

from __future__ import annotations

import platform

import numpy as np
from qgis.core import Qgis

from ... import paths
from ...core.runtime import packages
from ..i18n import tr


def plugin_version() -> str:
    """Return GeoAnon's own version; empty where nobody knows it."""
    return paths.metadata().get("version", "")


def versions() -> list[tuple[str, str]]:
    """Return name and version of everything below, the system last."""
    found = [
        ("GeoAnon", plugin_version()),
        ("QGIS", Qgis.QGIS_VERSION),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
    ]
    try:
        from osgeo import gdal, osr

        found.append(("GDAL", gdal.VersionInfo("RELEASE_NAME")))
        proj = (osr.GetPROJVersionMajor(), osr.GetPROJVersionMinor(), osr.GetPROJVersionMicro())
        found.append(("PROJ", ".".join(map(str, proj))))
    except (ImportError, AttributeError):
        found.append(("GDAL, PROJ", tr("no Python bindings")))
    return [*found, (tr("System"), packages.system())]
