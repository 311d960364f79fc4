# SPDX-License-Identifier: GPL-2.0-or-later
"""Print what the Python that runs this lacks for GeoAnon, one thing a line; else nothing.

Asked by ``scripts/setup`` of every interpreter that may be QGIS's own. Runs on any Python 3.
"""

import importlib

OLDEST = (32200, "3.22")
MODULES = {
    "numpy": "NumPy",
    "scipy": "SciPy",
    "osgeo.gdal": "GDAL's Python package (osgeo)",
    "venv": "Python's module venv",
    "ensurepip": "Python's module ensurepip, by which a virtual environment gets pip",
}

try:
    from qgis.core import Qgis

    version = Qgis.QGIS_VERSION_INT
    if version < OLDEST[0]:
        print("QGIS %s or newer: this one has %s" % (OLDEST[1], Qgis.QGIS_VERSION))  # noqa: UP031
except Exception:
    print("QGIS: the package qgis cannot be imported")
for name, what in MODULES.items():
    try:
        importlib.import_module(name)
    except Exception:
        print(what)
