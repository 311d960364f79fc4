# SPDX-License-Identifier: GPL-2.0-or-later
"""Secret files of an earlier release, good ones and others. No QGIS here."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from .mask_ground import Ground
from .scene import Scene
from .tables import chance, pick


def give_secret(rng: np.random.Generator, scene: Scene, on: Ground) -> Scene:
    """A secret file now and then: a good one, or one that is none, of another system, broken."""
    if not chance(rng, 0.2):
        scene.values["SECRET"] = None
        return scene
    told = {
        "format": "geoanon-secret",
        "version": 1,
        "private": True,
        "secret": rng.bytes(32).hex(),
        "crs": on.crs,
        "centre": on.middle,
        "used": {},
        "kept": {},
    }
    what = pick(
        rng,
        ["good", "system", "short", "no centre", "used", "kept", "text"],
        [0.7, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
    )
    if what == "system":
        told["crs"] = pick(rng, ["", "EPSG:3035", "nonsense"])
    elif what == "short":
        told["secret"] = pick(rng, ["", "abcd", "no digits at all"])
    elif what == "no centre":
        told["centre"] = pick(rng, [None, [0.0, 95.0], [1e3, 0.0], ["a", "b"], [1.0], 7])
    elif what == "used":
        told["used"] = pick(rng, [None, [], {"maskdisplace": 3}, {"maskdisplace": "other"}])
    elif what == "kept":
        names = ("maskadaptivevoronoi", "maskdisplace", "masklocationswap", "maskstreets")
        names += (
            "maskaggregate",
            *(f"maskexchange {one}" for one in ("exchange", "groups", "cells")),
        )
        lists = [{"of": "x", "names": "AAAA", "xy": 1}]
        odd = pick(rng, [None, [], {}, "text", {"by": {}, "lists": lists}, {"groups": [[1]]}])
        told["kept"] = {name: odd for name in names}

    def write(folder: Path) -> Path:
        path = folder / "secret.json"
        path.write_text("{" if what == "text" else json.dumps(told), encoding="utf-8")
        return path

    scene.files["SECRET"] = write
    return scene
