# SPDX-License-Identifier: GPL-2.0-or-later
"""Points before and after a mask, with what the measures of a mask take. No QGIS here."""

from __future__ import annotations

from typing import Callable

import numpy as np

from . import tables
from .mask_ground import Ground, ground
from .scene import Scene
from .tables import Table, chance, people, pick


def _points(rng: np.random.Generator, on: Ground, name: str, metres: np.ndarray) -> Table:
    table = people(rng, len(metres), on.where, name)
    table.shapes = [tuple(map(float, one)) for one in on.stored(metres)]
    table.crs, table.traits = on.crs, ["uniform"]
    return table


def measures(rng: np.random.Generator) -> Scene:
    """A release of another tool: points that were moved and kept their ids, some withheld."""
    on = ground(rng)
    count = int(rng.integers(4, 17))
    xy = tables.pattern(rng, count)[0] * on.size
    moved = xy + rng.normal(0, on.size * float(rng.uniform(0, 0.2)), xy.shape)
    rows = rng.permutation(count)[: max(3, count - int(rng.integers(3)))]
    original, released = (
        _points(rng, on, name, at) for name, at in (("original", xy), ("released", moved[rows]))
    )
    ids = [int(one) for one in rng.permutation(1000)[:count]]
    if chance(rng, 0.1):
        ids[0] = pick(rng, [None, ids[1]])
    original.add("who", "int", ids)
    released.add("who", pick(rng, ["int", "string"]), [ids[row] for row in rows])
    if released.fields[-1] == ("who", "string"):
        released.rows = [
            (*row[:-1], None if row[-1] is None else str(row[-1])) for row in released.rows
        ]
    listed = np.concatenate([xy, tables.pattern(rng, 20)[0] * on.size])
    scene = Scene(
        {"ORIGINAL": original, "RELEASED": released},
        {"ORIGINAL_ID": ["who"], "RELEASED_ID": ["who"]},
        values={"KEY": None, "MASK": None},
    )
    if chance(rng, 0.6):
        scene.tables["CANDIDATES"] = _points(rng, on, "candidates", listed)
    if chance(rng, 0.3):
        controls = _points(rng, on, "controls", listed)
        controls.add("lived", "int", [int(one) for one in rng.integers(0, 9, len(listed))])
        scene.tables["CONTROLS"], scene.fields["CONTROLS_WEIGHT"] = controls, ["lived"]
    for name in ("POPULATION", "ZONES", "AREA"):
        if chance(rng, 0.5):
            shapes = tables.polygons(rng, 4, (on.crs, on.centre, 2.5 * on.size * on.metre))
            table = Table(name.lower(), "MultiPolygon", on.crs, shapes, [], [()] * len(shapes))
            table.add("lived", "int", [int(one) for one in rng.integers(0, 60, len(shapes))])
            scene.tables[name] = table
    if "POPULATION" in scene.tables:
        scene.fields["POPULATION_FIELD"] = ["lived"]
    if chance(rng, 0.5):
        scene.tables["SERVICES"] = _points(rng, on, "services", listed[:5])
    for name in ("CANDIDATES", "CONTROLS", "POPULATION", "ZONES", "AREA", "SERVICES"):
        if name not in scene.tables:
            scene.values[name] = None
    for name in ("CONTROLS_WEIGHT", "POPULATION_FIELD"):
        if name not in scene.fields:
            scene.values[name] = None
    return scene


#: By the parameters that an algorithm has, before all other scenes.
SCENES: list[tuple[set[str], Callable[[np.random.Generator], Scene]]] = [
    ({"ORIGINAL", "RELEASED", "CONTROLS"}, measures),
]
