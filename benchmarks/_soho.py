# SPDX-License-Identifier: GPL-2.0-or-later
"""The addresses of Soho, 1854: the layer that the plugin brings."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

import numpy as np

_SOHO = Path(__file__).resolve().parent.parent / "resources" / "data" / "soho_cholera_1854.gpkg"


@cache
def soho() -> np.ndarray:
    """Return the addresses, metres: points of a GeoPackage, whose coordinates are the last of a blob."""
    with closing(sqlite3.connect(_SOHO)) as database:
        rows = database.execute("SELECT geom FROM addresses").fetchall()
    return np.array([np.frombuffer(blob[-16:], "<f8") for (blob,) in rows])
