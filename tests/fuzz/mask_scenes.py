# SPDX-License-Identifier: GPL-2.0-or-later
"""Scenes of point masks that use public layers: addresses, zones, people, streets, a raster.

Records stand at addresses of a list. Zones and streets lie round them, and a secret of an earlier
release is given now and then, also one that is wrong. No QGIS here.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from .mask_ground import (
    Ground,
    addresses,
    ground,
    listed,
    points,
    raster,
    records,
    street_lines,
    zones,
)
from .mask_secrets import give_secret
from .scene import Scene
from .tables import chance, pick


def out_of_use(scene: Scene, *names: str) -> None:
    """Say that parameters are left empty."""
    scene.values.update({name: None for name in names if name not in scene.tables})


def exchange(rng: np.random.Generator) -> Scene:
    """Records at addresses that have partners."""
    on = ground(rng)
    metres = listed(rng, on, 24, 90)
    method = pick(rng, ["exchange", "cells", "groups"], [0.45, 0.25, 0.3])
    away = pick(rng, [0.0, 4.0], [0.85, 0.15])
    at = pick(rng, ["address", "beside", "crossing"], [0.55, 0.25, 0.2])
    scene = Scene(
        {"INPUT": records(rng, on, metres, away), "CANDIDATES": addresses(rng, on, metres)},
        {
            "WEIGHT": ["flats"] if chance(rng, 0.3) else [],
            "CLASSES": ["house"] if method == "exchange" and chance(rng, 0.25) else [],
        },
        values={
            "METHOD": method,
            "K": int(rng.integers(2, 7)),
            "K_RECORDS": int(rng.integers(2, 4)),
            "WITHIN": away or pick(rng, [0.0, 10.0]),
            "OUTPUT_AT": at,
            "UNIT": pick(rng, ["address", "dwelling"], [0.6, 0.4])
            if method == "exchange"
            else "address",
        },
    )
    if at == "crossing":
        scene.tables["STREETS"], _ = street_lines(rng, on)
    out_of_use(scene, "STREETS")
    return give_secret(rng, scene, on)


def exchange_in_a_model(rng: np.random.Generator) -> Scene:
    """The same for the model that attacks what was exchanged."""
    scene = exchange(rng)
    scene.tables["POINTS"] = scene.tables.pop("INPUT")
    scene.tables.pop("STREETS", None)
    given = {"K": int(rng.integers(2, 5)), "WITHIN": 10.0, "SECRET": None}
    return Scene(scene.tables, {}, {}, given)


def anonymised_in_a_model(rng: np.random.Generator) -> Scene:
    """The same for the model that anonymises the fields, too."""
    scene = exchange_in_a_model(rng)
    scene.fields = {
        "FIELDS": ["sex", "age", "income"],
        "KEPT_FIELDS": pick(rng, [[], ["age"], ["sex", "age"]]),
    }
    method = pick(rng, ["spectral_swapping", "cell_swapping", "additive_noise"])
    return replace(scene, values={**scene.values, "REFERENCE": None, "METHOD": method})


def displacement(rng: np.random.Generator) -> Scene:
    """A law whose size comes from somewhere, with and without borders."""
    on = ground(rng)
    metres = listed(rng, on, 24, 60)
    size_by = pick(rng, ["distance", "candidates", "population", "raster"], [0.4, 0.2, 0.2, 0.2])
    least = int(rng.integers(2, 6))
    scene = Scene(
        {"INPUT": records(rng, on, metres, pick(rng, [0.0, 9.0]))},
        values={
            "SIZE_BY": size_by,
            "MIN": on.size * 0.05,
            "MAX": on.size * float(rng.uniform(0.06, 0.3)),
            "EPSILON": float(rng.uniform(5, 50)) / on.size,
            "K_MIN": least,
            "K_MAX": least + int(rng.integers(1, 9)),
        },
    )
    if size_by == "candidates":
        scene.tables["CANDIDATES"] = addresses(rng, on, metres)
    elif size_by == "population":
        scene.tables["POPULATION"] = zones(rng, on, "population", int(rng.integers(4, 17)), 1.3)
        scene.fields["POPULATION_FIELD"] = ["people"]
    elif size_by == "raster":
        scene.files["RASTER"] = raster(rng, on)
    if chance(rng, 0.4):
        scene.tables["ZONES"] = zones(rng, on, "zones", int(rng.integers(1, 10)), 1.3)
    if size_by == "distance" and chance(rng, 0.4):  # as in surveys
        scene.values |= {"LAW": "disc", "FAR_SHARE": pick(rng, [0.0, 0.01, 0.5])}
        scene.values |= {"FAR_MAX": on.size * 0.5, "URBAN_MAX": on.size * 0.04}
        if chance(rng, 0.7):
            scene.tables["URBAN"] = zones(rng, on, "urban", int(rng.integers(1, 5)), 0.5)
    else:
        scene.values["FAR_SHARE"] = pick(rng, [0.0, 0.01], [0.95, 0.05])
    if chance(rng, 0.25):
        scene.tables["AVOID"] = zones(rng, on, "avoid", 1, 0.2)
    out_of_use(scene, "CANDIDATES", "POPULATION", "ZONES", "AVOID", "URBAN")
    if size_by != "population":
        scene.values["POPULATION_FIELD"] = None
    if size_by != "raster":
        scene.values["RASTER"] = None
    return give_secret(rng, scene, on)


def swap(rng: np.random.Generator) -> Scene:
    """Candidates in the rings of most records."""
    on = ground(rng)
    metres = listed(rng, on, 24, 90)
    least = on.size * float(pick(rng, [0.0, 0.05, 0.2]))
    return give_secret(
        rng,
        Scene(
            {"INPUT": records(rng, on, metres), "CANDIDATES": addresses(rng, on, metres)},
            {"CLASSES": ["house"] if chance(rng, 0.3) else []},
            values={
                "MIN": least,
                "MAX": least + on.size * float(rng.uniform(0.1, 0.6)),
                "K": int(rng.integers(2, 6)),
            },
        ),
        on,
    )


def _counted(rng: np.random.Generator, scene: Scene, on: Ground, metres: np.ndarray) -> None:
    """People of the zones, of other areas, or addresses."""
    shares = [0.0, 0.6, 0.4] if scene.values.get("METHOD") == "sites" else [0.4, 0.4, 0.2]
    what = pick(rng, ["zones", "points", "weighted"], shares)
    if what == "zones":
        scene.tables["POPULATION"] = zones(rng, on, "population", int(rng.integers(4, 26)), 1.4)
        scene.fields["POPULATION_FIELD"] = ["people"]
        return
    scene.tables["POPULATION"] = addresses(rng, on, metres)
    scene.tables["POPULATION"].name = "population"
    scene.fields["POPULATION_FIELD"] = ["flats"] if what == "weighted" else []


def aggregation(rng: np.random.Generator) -> Scene:
    """Cells, zones, merged zones."""
    on = ground(rng)
    metres = listed(rng, on, 24, 90)
    method = pick(rng, ["grid", "hexagons", "zones", "merged", "sites"])
    scene = Scene(
        {"INPUT": records(rng, on, metres, pick(rng, [0.0, 9.0]))},
        values={
            "METHOD": method,
            "SIDE": on.size * float(rng.uniform(0.1, 0.6)),
            "K": int(rng.integers(2, 12)),
            "SITE_ADDRESSES": int(rng.integers(2, 30)),
            "K_RECORDS": pick(rng, [None, 2, 3], [0.6, 0.3, 0.1]),
        },
    )
    if scene.values["K_RECORDS"] is not None:
        scene.values["PLACE"] = "centre"
    if method in ("zones", "merged"):
        scene.tables["ZONES"] = zones(rng, on, "zones", int(rng.integers(1, 26)), 1.3)
    if method in ("merged", "sites") or chance(rng, 0.4):
        _counted(rng, scene, on, metres)
    else:
        scene.values["POPULATION_FIELD"] = None
    out_of_use(scene, "ZONES", "POPULATION")
    return give_secret(rng, scene, on)


def streets(rng: np.random.Generator) -> Scene:
    """Streets through the places, and limits that most of them meet."""
    on = ground(rng)
    lines, block = street_lines(rng, on)
    low = int(rng.integers(3, 6))
    return give_secret(
        rng,
        Scene(
            {"INPUT": records(rng, on, listed(rng, on, 8, 30)), "STREETS": lines},
            values={
                "LOW": low,
                "HIGH": low + int(rng.integers(1, 6)),
                "MAX_LENGTH": block * float(rng.uniform(2.0, 8.0)),
            },
        ),
        on,
    )


def adaptive(rng: np.random.Generator) -> Scene:
    """Zones with enough people together, and crossings mostly."""
    on = ground(rng)
    metres = listed(rng, on, 24, 60)
    scene = Scene(
        {
            "INPUT": records(rng, on, metres, pick(rng, [0.0, 9.0])),
            "ZONES": zones(rng, on, "zones", int(rng.integers(1, 26)), 1.3),
        },
        values={"K": int(rng.integers(2, 15))},
    )
    _counted(rng, scene, on, metres)
    what = pick(rng, ["streets", "crossings", "none"], [0.4, 0.3, 0.3])
    if what == "streets":
        scene.tables["STREETS"], _ = street_lines(rng, on)
    elif what == "crossings":
        scene.tables["CROSSINGS"] = points("crossings", on, listed(rng, on, 20, 60))
    out_of_use(scene, "STREETS", "CROSSINGS")
    return give_secret(rng, scene, on)


def attack(rng: np.random.Generator) -> Scene:
    """Points that were displaced, or that a mask file takes for it, with addresses round them."""
    on = ground(rng)
    metres = listed(rng, on, 24, 90)
    law = pick(rng, ["gaussian", "disc", "donut", "laplace"])
    size = on.size * float(rng.uniform(0.02, 0.3))
    sizes = {"laplace": {"EPSILON": 2 / size}, "donut": {"MIN": size / 3, "MAX": size}}
    parameters = {"LAW": law, "SIZE_BY": "distance", **sizes.get(law, {"MAX": size})}
    if law in ("disc", "donut"):
        parameters["EVEN_BY"] = "area"
    told = {
        "format": "geoanon-point-mask",
        "version": 1,
        "private": True,
        "mask": "maskdisplace",
        "law": law,
        "parameters": parameters,
        "crs": on.crs,
        "centre": on.middle,
        "secret_id": "0" * 16,
        "layers": [],
        "counts": {"records": 5},
        "attributes": [],
        "released": [],
    }
    what = pick(rng, ["good", "mask", "other", "part", "number"], [0.48, 0.42, 0.04, 0.03, 0.03])
    if what == "mask":
        told["mask"], told["parameters"] = _other_mask(rng, size)
        told["law"] = told["mask"]
    elif what == "other":
        told["mask"] = pick(rng, ["voronoimask", "", "nobody knows"])
    elif what == "part":
        del told[pick(rng, sorted(told))]
    elif what == "number":
        parameters["MAX"] = pick(rng, [0, -1, "a", None, 1e300])

    def write(folder: Path) -> Path:
        path = folder / "mask.json"
        path.write_text(json.dumps(told), encoding="utf-8")
        return path

    known = ["house"] if chance(rng, 0.2) else []
    scene = Scene(
        {
            "INPUT": records(rng, on, metres, pick(rng, [0.0, size])),
            "CANDIDATES": addresses(rng, on, metres),
        },
        {
            "WEIGHT": ["flats"] if chance(rng, 0.3) else [],
            "TARGET_QIS": known,
            "CANDIDATE_QIS": known,
        },
        files={} if chance(rng, 0.06) else {"MASK": write},
        values={
            "ADVERSARY": pick(rng, ["both", "whose_place"]),
            "WITHIN": None,
            "LINKED_BY": None,
            "ROUNDING": pick(rng, [None, 0.0, size / 4, 1e9], [0.86, 0.1, 0.02, 0.02]),
            "TOLERANCE": pick(rng, [None, "0", "1", "1, 2", "-1"], [0.66, 0.1, 0.2, 0.02, 0.02]),
            "UNLISTED": pick(rng, [None, 0.0, 20.0, 100.0], [0.92, 0.04, 0.03, 0.01]),
        },
    )
    if told.get("mask") in ("maskstreets", "maskadaptivevoronoi") and chance(rng, 0.7):
        scene.tables["STREETS"], _ = street_lines(rng, on)
        scene.tables["ZONES"] = zones(rng, on, "zones", int(rng.integers(1, 26)), 1.3)
        _counted(rng, scene, on, metres)
    give_secret(rng, scene, on)
    scene.values.pop("SECRET", None)
    scene.values["SECRET_FILE"] = None
    if "SECRET" in scene.files:
        scene.files["SECRET_FILE"] = scene.files.pop("SECRET")
        del scene.values["SECRET_FILE"]
    if chance(rng, 0.1):  # another tool's mask, of which two layers tell
        seen = listed(rng, on, 49, 95)
        ids = {name: list(range(len(seen))) for name in ("BEFORE", "AFTER")}
        for name in ids:
            moved = seen + rng.normal(0.0, size / 2, seen.shape) * (name == "AFTER")
            scene.tables[name] = points(name.lower(), on, moved)
            scene.tables[name].add("name", "int", ids[name])
            scene.fields[f"{name}_ID"] = ["name"]
        if chance(rng, 0.9):
            scene.files.pop("MASK", None)
            scene.values["MASK"] = None
    if chance(rng, 0.12):  # people who are known to be in the file
        rows = rng.permutation(len(metres))[: int(rng.integers(1, 12))]
        scene.tables["MEMBERS"] = points("members", on, metres[rows])
        scene.values["ADVERSARY"] = pick(rng, ["both", "which_record"])
    out_of_use(scene, "KEY", "POPULATION", "ZONES", "AVOID", "RASTER", "STREETS", "CROSSINGS")
    if "MASK" not in scene.files:
        scene.values["MASK"] = None
    if "BEFORE" not in scene.tables:
        scene.values.update(dict.fromkeys(("BEFORE", "AFTER", "BEFORE_ID", "AFTER_ID")))
    scene.values.update(dict.fromkeys(("LAW", "MIN", "MAX", "EPSILON", "K_MIN", "K_MAX")))
    if "MASK" not in scene.files and "BEFORE" not in scene.tables and chance(rng, 0.6):
        typed = sizes.get(law, {"MAX": size})  # a law that is published
        if chance(rng, 0.3):
            typed = {"K_MAX": int(rng.integers(2, 40))}
            typed |= {"K_MIN": int(rng.integers(2, 40))} if law == "donut" else {}
        scene.values.update({"LAW": law, **typed})
    scene.values["SHOWN_IDS"] = pick(rng, [None, "1, 2", "nobody"], [0.8, 0.15, 0.05])
    if chance(rng, 0.12):  # the originals of another tool's mask, which keeps an id
        source = scene.tables["INPUT"]
        ids, homes = list(range(len(source))), metres[rng.integers(len(metres), size=len(source))]
        scene.tables["ORIGINALS"] = points("originals", on, homes)
        for table, field in ((source, "INPUT_ID"), (scene.tables["ORIGINALS"], "ORIGINALS_ID")):
            table.add("visit", "int", ids)
            scene.fields[field] = ["visit"]
    else:
        scene.values.update(dict.fromkeys(("ORIGINALS", "ORIGINALS_ID", "INPUT_ID")))
    return scene


def _other_mask(rng: np.random.Generator, size: float) -> tuple[str, dict]:
    """A mask that displaces by no law, and its parameters."""
    k = int(rng.integers(2, 7))
    at = pick(rng, ["address", "beside", "crossing"], [0.5, 0.4, 0.1])
    exchanged = {"K": k, "K_RECORDS": int(rng.integers(2, 4)), "OUTPUT_AT": at}
    side = {"SIDE": size, "PLACE": pick(rng, ["centre", "random"])}
    swapped = {"MIN": pick(rng, [0.0, size / 4]), "MAX": size, "K": k}
    made = [
        *(
            ("maskexchange", {**exchanged, "METHOD": one})
            for one in ("exchange", "cells", "groups")
        ),
        *(("maskaggregate", {**side, "METHOD": one}) for one in ("grid", "hexagons", "merged")),
        *(
            ("masklocationswap", {**swapped, "IF_EMPTY": one, "CLASSES": of})
            for one, of in (("widen", ""), ("withhold", ""), ("widen", "house"))
        ),
        ("maskstreets", {"LOW": 3, "HIGH": 3 + k, "MAX_LENGTH": size}),
        ("maskadaptivevoronoi", {"K": k, "KEEP_INSIDE": chance(rng, 0.5)}),
    ]
    return made[int(rng.integers(len(made)))]


#: By the parameters that an algorithm has, before all other scenes.
SCENES: list[tuple[set[str], Callable[[np.random.Generator], Scene]]] = [
    ({"INPUT", "CANDIDATES", "MASK", "WITHIN"}, attack),
    ({"INPUT", "CANDIDATES", "OUTPUT_AT", "K_RECORDS"}, exchange),
    ({"POINTS", "CANDIDATES", "K", "KEPT_FIELDS"}, anonymised_in_a_model),
    ({"POINTS", "CANDIDATES", "K", "WITHIN"}, exchange_in_a_model),
    ({"INPUT", "CANDIDATES", "LAW", "SIZE_BY"}, displacement),
    ({"INPUT", "CANDIDATES", "IF_EMPTY"}, swap),
    ({"INPUT", "ZONES", "SIDE", "PLACE"}, aggregation),
    ({"INPUT", "STREETS", "MAX_LENGTH"}, streets),
    ({"INPUT", "ZONES", "KEEP_INSIDE"}, adaptive),
]
