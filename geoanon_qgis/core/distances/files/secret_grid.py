# SPDX-License-Identifier: GPL-2.0-or-later
"""The secret of an ISGP release in a file, so that places which come later get labels, too."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ...runtime.errors import InputError
from ...runtime.private_files import write_private
from ...space.planes import Plane
from ..isgp_grid import KEY, SecretGrid

_KIND = "isgp grid"


def write_grid(path: str | Path, grid: SecretGrid, plane: Plane, system: str) -> None:
    """Write a grid and the plane that it lies in; its owner alone may read it.

    Parameters
    ----------
    path : path
    grid : SecretGrid
    plane : Plane
    system : str
        Coordinate reference system of the layer, as WKT; empty if it has none.
    """
    told = {
        "kind": _KIND,
        "private": "Whoever has this file can tell where every label is. Never give it away.",
        "radius": grid.radius,
        "spacing": grid.spacing,
        "origin": grid.origin,
        "angle": grid.angle,
        "key": grid.key.hex(),
        "system": system,
        "centre": plane.centre,
        "projection": plane.projection,
        "metres_per_unit": plane.metres_per_unit,
    }
    write_private(path, json.dumps(told, indent=1) + "\n")


def read_grid(path: str | Path, plane: Plane, system: str) -> tuple[SecretGrid, Plane]:
    """Read a grid, and the plane that it lies in.

    Parameters
    ----------
    path : path
    plane : Plane
        Of the places that are to get labels.
    system : str
        As in :func:`write_grid`; has to be that of the file.

    Raises
    ------
    InputError
        If it is no such file, or of places in another system.
    """
    name = os.path.basename(path)
    try:
        with open(path, encoding="utf-8") as file:
            told: dict[str, Any] = json.load(file)
        if told["kind"] != _KIND:
            raise ValueError(told["kind"])
        grid = SecretGrid(
            float(told["radius"]),
            float(told["spacing"]),
            (float(told["origin"][0]), float(told["origin"][1])),
            float(told["angle"]),
            bytes.fromhex(told["key"]),
        )
        SecretGrid.draw(grid.radius, grid.spacing, np.random.default_rng(0))  # refuses nonsense
        if len(grid.key) != KEY:
            raise ValueError("key")
        centre = told["centre"]
        in_file = replace(
            plane,
            centre=None if centre is None else (float(centre[0]), float(centre[1])),
            projection=str(told["projection"]),
            metres_per_unit=float(told["metres_per_unit"]),
        )
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError(
            "The file {name} is no grid of an ISGP release ({reason}). Choose the private file that"
            " an earlier release wrote.",
            name=name,
            reason=str(error),
        ) from error
    if told.get("system") != system:
        raise InputError(
            "The grid in the file {name} belongs to another coordinate reference system than the"
            " points. Reproject the points to that of the earlier release.",
            name=name,
        )
    return grid, in_file
