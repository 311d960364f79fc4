# SPDX-License-Identifier: GPL-2.0-or-later
"""Points and an address list, of which a mask is to be chosen. No QGIS here."""

from __future__ import annotations

from typing import Callable

import numpy as np

from .mask_ground import addresses, ground, listed, street_lines, zones
from .mask_ground import records as records_at
from .mask_scenes import out_of_use
from .scene import Scene
from .tables import chance, pick

_MASKS = ["gaussian", "donut", "disc by addresses", "swap", "exchange", "cells", "groups", "grid"]
_MASKS += ["areas", "distances after gaussian", "distances after groups"]
_MEASURES = ("shift", "ripley", "kde", "scan", "distances", "nearest")


def choice(rng: np.random.Generator) -> Scene:
    """Records at addresses, a limit, and some masks."""
    on = ground(rng)
    metres = listed(rng, on, 24, 90)
    away = pick(rng, [0.0, 4.0], [0.85, 0.15])
    records = records_at(rng, on, metres, away)
    known = [name for name, _ in records.fields if name != "fid" and chance(rng, 0.2)]
    scene = Scene(
        {"INPUT": records, "CANDIDATES": addresses(rng, on, metres)},
        {"WEIGHT": ["flats"] if chance(rng, 0.3) else [], "KNOWN": known},
        values={
            "ACCEPTABLE": pick(rng, [0.5, 0.3, 0.1, 0.0], [0.5, 0.3, 0.15, 0.05]),
            "LIMIT_ON": pick(rng, ["mean", "99", "every"], [0.6, 0.2, 0.2]),
            "RELEASES": int(rng.integers(1, 4)),
            "FAMILIES": [one for one in _MASKS if chance(rng, 0.25)] or ["groups"],
            "UTILITY": [one for one in _MEASURES if chance(rng, 0.5)],
            "WITHIN": away or pick(rng, [0.0, 10.0]),
        },
    )
    scene.values["PRIOR_ODDS"] = pick(rng, [1.0, 3.0], [0.8, 0.2])
    if chance(rng, 0.2):
        scene.tables["STREETS"], _ = street_lines(rng, on)
        scene.values["FAMILIES"].append("streets")
    if chance(rng, 0.2):
        scene.tables["ZONES"] = zones(rng, on, "zones", int(rng.integers(4, 26)), 1.3)
        scene.values["FAMILIES"].append("merged zones")
    out_of_use(scene, "RESUME", "STREETS", "ZONES")
    return scene


#: By the parameters that an algorithm has, before all other scenes.
SCENES: list[tuple[set[str], Callable[[np.random.Generator], Scene]]] = [
    ({"INPUT", "CANDIDATES", "FAMILIES", "UTILITY"}, choice),
]
