# SPDX-License-Identifier: GPL-2.0-or-later
"""The counties of Georgia with their population: real zones that share their borders."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import shapely

#: Inhabitants at the census of 1990.
POPULATION = 6_478_216


def counties() -> tuple[np.ndarray, np.ndarray]:
    """Return polygons in metres, (159,), and their population, (159,)."""
    file = Path(__file__).parents[1] / "data" / "georgia_1990.csv"
    with open(file, newline="", encoding="utf-8") as rows:
        found = list(csv.DictReader(rows))
    shapes = shapely.from_wkt([row["wkt"] for row in found])
    return shapes, np.array([int(row["population"]) for row in found])
