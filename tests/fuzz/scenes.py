# SPDX-License-Identifier: GPL-2.0-or-later
"""Inputs that belong together, such as a matrix and the records that it is of.

A scene is known by the names of an algorithm's parameters, not by the algorithm: what has the
same parameters is fuzzed with the same scene. No QGIS here.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Callable

import numpy as np

from . import choice_scenes, mask_scenes, measure_scenes, tables
from .scene import Scene
from .tables import Table, chance, people, pick

#: Radius of the sphere that distances in degrees are measured on here.
_RADIUS = 6_371_000.0
QIS = ["sex", "age"]
#: Layers that are hardly ever spoilt: one shape less, and most runs are refused.
_WHOLE = ("regions", "area", "zones", "population")


def draw(rng: np.random.Generator, names: set[str], odd: bool) -> Scene:
    """The scene for an algorithm with these parameters; ``odd`` makes its data worse.

    Sources that no scene knows are left to the caller (see :func:`any_table`).
    """
    for needed, make in (
        *choice_scenes.SCENES,
        *mask_scenes.SCENES,
        *measure_scenes.SCENES,
        *_SCENES,
    ):
        if needed <= names:
            scene = make(rng)
            break
    else:
        scene = Scene()
    if odd:
        for table in scene.tables.values():
            if chance(rng, 0.6):
                tables.add_odd_fields(rng, table)
            # one region lost, or an area of nothing, and the run is refused
            if chance(rng, 0.08 if table.name in _WHOLE else 0.3):
                tables.spoil_shapes(rng, table)
    return scene


def any_table(rng: np.random.Generator, name: str, kind: str) -> Table:
    """A layer of a kind (see ``parameters.source_kind``) that no scene says more of."""
    count = int(pick(rng, [0, 1, 2, 3, 8, 12, 16], [0.01, 0.01, 0.02, 0.06, 0.3, 0.3, 0.3]))
    table = people(rng, count, name=name.lower())
    if kind == "polygon":
        where = tables.place(rng)
        table.shapes, table.kind = tables.polygons(rng, count, where), "MultiPolygon"
        table.crs = where[0]
    elif kind == "line":
        where = tables.place(rng)
        table.shapes, table.kind = tables.lines(rng, count, where), "MultiLineString"
        table.crs = where[0]
    elif kind == "table" and chance(rng, 0.4):
        table.shapes, table.kind, table.crs = [None] * count, "NoGeometry", ""
    return table


def area_round(rng: np.random.Generator, table: Table) -> Table:
    """A polygon that holds the places of a layer, with the system that it has."""
    xy = [one[:2] for one in table.shapes if isinstance(one, tuple)]
    xy = np.array([one for one in xy if np.abs(one).max() < 1e8])
    crs = table.crs
    if not len(xy):
        crs, (x, y), size = tables.place(rng)
        xy = np.array([(x, y), (x + size, y + size)])
    (west, south), (east, north) = xy.min(axis=0), xy.max(axis=0)
    room = max(east - west, north - south) * 0.1 or 1.0
    west, south, east, north = west - room, south - room, east + room, north + room
    corners = ((west, south), (east, south), (east, north), (west, north), (west, south))
    ring = ",".join(f"{float(x)!r} {float(y)!r}" for x, y in corners)
    return Table("area", "Polygon", crs, [f"POLYGON(({ring}))"], [("a", "int")], [(1,)])


# --- the scenes -------------------------------------------------------------------------------


def _count(rng: np.random.Generator, least: int = 6, most: int = 18) -> int:
    return int(rng.integers(least, most + 1))


def distances(table: Table) -> np.ndarray:
    """Distances in metres or the system's unit, (n, n)."""
    xy = np.array([one[:2] for one in table.shapes], dtype=float)
    if table.crs not in ("EPSG:4326", "EPSG:4807"):
        return np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
    lon, lat = np.radians(xy).T
    half = (
        np.sin((lat[:, None] - lat) / 2) ** 2
        + np.cos(lat[:, None]) * np.cos(lat) * np.sin((lon[:, None] - lon) / 2) ** 2
    )
    return 2 * _RADIUS * np.arcsin(np.sqrt(np.clip(half, 0, 1)))


def matrix_file(rng: np.random.Generator, ids: list[int], square: np.ndarray):
    """Writes a distance matrix: CSV with ids, or NPZ as the plugin writes it."""
    ending = pick(rng, [".csv", ".npz"])

    def write(folder: Path) -> Path:
        path = folder / f"matrix{ending}"
        if ending == ".csv":
            rows = [",".join(["", *map(str, ids)])]
            rows += [
                ",".join([str(one), *(f"{value:.3f}" for value in row)])
                for one, row in zip(ids, square)
            ]
            path.write_text("\n".join(rows) + "\n", encoding="utf-8")
        else:
            upper = square[np.triu_indices(len(ids), 1)]
            np.savez(path, distances=upper, ids=np.array(ids), unit=np.array("m"))
        return path

    return write


def _beside(write):
    """Write a file into a folder of its own, so that none of the same name is there."""

    def beside(folder):
        own = folder / "beside"
        own.mkdir(exist_ok=True)
        return write(own)

    return beside


def _key(released: str, rows: np.ndarray, of: str) -> Table:
    """The key of a release of some rows of the source ``of``."""
    key = Table("key", "NoGeometry", "", [None] * len(rows), [], [()] * len(rows))
    key.add(released, "long", list(range(1, len(rows) + 1)))
    key.add("original_id", "long", [int(row) for row in rows])
    key.refers["original_id"] = of
    return key


def _released(rng: np.random.Generator, source: Table, rows: np.ndarray, of: str):
    """A released table of some people, with its matrix and its key."""
    ids = list(range(1, len(rows) + 1))
    target = Table("released", "NoGeometry", "", [None] * len(rows), [], [()] * len(rows))
    target.add("released_id", "long", ids)
    for name in QIS:
        column = source.column(name)
        target.add(name, dict(source.fields)[name], [column[row] for row in rows])
    square = distances(source)[np.ix_(rows, rows)] * float(pick(rng, [1.0, 0.9]))
    key = _key("released_id", rows, of)
    return target, matrix_file(rng, ids, np.round(square, 3)), key


def _linkage(rng: np.random.Generator) -> Scene:
    known = people(rng, _count(rng), name="known")
    known.add("pid", "long", list(range(len(known))))
    known.refers["pid"] = "IDENTIFICATION"
    rows = rng.permutation(len(known))[: _count(rng, 3, len(known))]
    target, matrix, key = _released(rng, known, rows, "IDENTIFICATION")
    chosen = QIS if chance(rng, 0.8) else []
    scored = chance(rng, 0.5)
    files = {"MATRIX": matrix}
    if chance(rng, 0.25):  # of the same people, or some of them, numbered anew
        again = rng.permutation(rows)[: _count(rng, 2, len(rows))]
        files["MORE_MATRICES"] = _beside(_released(rng, known, again, "IDENTIFICATION")[1])
    return Scene(
        {"TARGET": target, "IDENTIFICATION": known, **({"TRUTH": key} if scored else {})},
        {
            "TARGET_QIS": chosen,
            "IDENTIFICATION_QIS": chosen,
            "TARGET_ID": ["released_id"] if chance(rng, 0.5) else [],
            "IDENTIFICATION_ID": ["pid"] if chance(rng, 0.7) else [],
        },
        files,
        {
            "RULE": pick(rng, ["lipschitz", "coordinate_noise", "distance_noise", "absolute"]),
            "METHOD": pick(rng, ["clique", "likelihood"], [0.85, 0.15]),
            "SIGMA_UNIT": "m",
        },
        set() if scored else {"LINES"},
    )


def _accuracy(rng: np.random.Generator) -> Scene:
    source = people(rng, _count(rng), name="original")
    scene = Scene({"INPUT": source})
    if chance(rng, 0.5):
        _, scene.files["MATRIX"], scene.tables["KEY"] = _released(
            rng, source, rng.permutation(len(source)), "INPUT"
        )
    else:
        scene.values.update(MATRIX=None, KEY=None)
    return scene


def _reversal(rng: np.random.Generator) -> Scene:
    candidates = people(rng, _count(rng), name="candidates")
    candidates.add("house", "string", [f"h{one}" for one in range(len(candidates))])
    rows = rng.permutation(len(candidates))[: _count(rng, 3, len(candidates))]
    xy = np.array(candidates.shapes)[rows]
    square = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1))
    np.fill_diagonal(square, np.inf)
    middle = (xy + xy[square.argmin(axis=1)]) / 2
    masked = Table(
        "masked",
        "Point",
        candidates.crs,
        [tuple(map(float, one)) for one in middle],
        [],
        [()] * len(rows),
    )
    masked.add("masked_id", "long", list(range(1, len(rows) + 1)))
    made = {"INPUT": masked, "CANDIDATES": candidates}
    if chance(rng, 0.5):
        made["KEY"] = _key("masked_id", rows, "CANDIDATES")
    return Scene(
        made,
        {"CANDIDATE_ID": ["house"] if chance(rng, 0.3) and len(made) == 2 else []},
        values={
            "TOLERANCE": pick(rng, [None, 0, 5.0, 1e4], [0.6, 0.1, 0.2, 0.1]),
            "SIGMA": pick(rng, [None, 0, 3.0, 500.0, -1], [0.5, 0.1, 0.2, 0.15, 0.05]),
        },
    )


def _mask_and_attack(rng: np.random.Generator) -> Scene:
    candidates = people(rng, _count(rng), name="candidates")
    candidates.add("house", "string", [f"h{one}" for one in range(len(candidates))])
    rows = rng.permutation(len(candidates))[: _count(rng, 3, len(candidates))].tolist()
    some = Table(
        "points",
        "Point",
        candidates.crs,
        [candidates.shapes[row] for row in rows],
        list(candidates.fields),
        [candidates.rows[row] for row in rows],
    )
    return Scene(
        {"POINTS": some, "CANDIDATES": candidates},
        {"CANDIDATE_ID": ["house"] if chance(rng, 0.3) else []},
    )


def _compared(rng: np.random.Generator) -> Scene:
    where = tables.place(rng)
    original = people(rng, _count(rng, 8, 24), where, "original")
    other = people(rng, _count(rng, 8, 24), where, "anonymised")
    other.add("released_id", "long", list(range(1, len(other) + 1)))
    if chance(rng, 0.2):  # the same people once more
        other.shapes, other.rows = (
            list(original.shapes),
            [(*row, number) for number, row in enumerate(original.rows, 1)],
        )
    made = {"ORIGINAL": original, "ANONYMIZED": other}
    fields = {
        "FIELDS": pick(rng, [[], ["sex", "age", "income"], ["age", "income"]]),
        "ANONYMIZED_ID": [],
        "ORIGINAL_ID": [],
    }
    known, secret = pick(rng, [([], []), (["age"], []), (["age"], ["income"])])
    fields.update({"KNOWN": known, "SECRET_FIELDS": secret})
    if chance(rng, 0.3):
        made["REFERENCE"] = people(rng, _count(rng, 8, 24), where, "reference")
    if chance(rng, 0.4):
        rows = rng.permutation(min(len(original), len(other)))
        made["KEY"] = _key("released_id", rows, "ORIGINAL")
    values = {"USE_GEOMETRY": chance(rng, 0.3), "MASK": None, "CANDIDATES": None}
    return Scene(made, fields, values=values)


def _microdata(rng: np.random.Generator) -> Scene:
    where = tables.place(rng)
    made = {"RECORDS": people(rng, _count(rng, 10, 24), where, "records")}
    whose = _with_several(rng, made["RECORDS"])
    if chance(rng, 0.3):
        made["REFERENCE"] = people(rng, _count(rng, 10, 24), where, "reference")
    return Scene(
        made,
        {"FIELDS": pick(rng, [[], ["sex", "age", "income"]]), "PERSON_FIELD": whose},
        values={"USE_GEOMETRY": chance(rng, 0.3)},
    )


def _anonymisation(rng: np.random.Generator) -> Scene:
    """Records, some of whose fields stay now and then; or points that were masked, with their key."""
    records = people(rng, _count(rng, 8, 30), name="records")
    kept = pick(rng, [[], ["age"], ["sex", "age"]], [0.5, 0.25, 0.25])
    made, values = {"INPUT": records}, {"MASKED_KEY": None}
    if chance(rng, 0.35):
        records.add("masked_id", "long", list(range(1, len(records) + 1)))
        made["MASKED_KEY"] = _key("masked_id", np.arange(len(records)), "INPUT")
        values = {"USE_GEOMETRY": False, "AREA": None}
    fields = {"FIELDS": pick(rng, [[], ["sex", "age", "income"]]), "KEPT_FIELDS": kept}
    fields["PERSON_FIELD"] = _with_several(rng, records)
    return Scene(made, {**fields, "ID_FIELD": []}, values=values)


def _aggregation(rng: np.random.Generator) -> Scene:
    where = tables.place(rng)
    count = _count(rng, 3, 9)
    regions = Table(
        "regions", "MultiPolygon", where[0], tables.polygons(rng, count, where), [], [()] * count
    )
    if chance(rng, 0.4):
        shapes, _, _ = tables.points(rng, count, where)
        regions.kind, regions.shapes = "Point", shapes
    text = chance(rng, 0.5)
    ids = [f"r{one}" if text else one for one in range(count)]
    kind = "string" if text else "int"
    regions.add("region", kind, ids)
    unknown = chance(rng, 0.08)  # now and then a border is not known
    provinces = [pick(rng, ["PE", "NS"]) for _ in range(count)]
    regions.add(
        "province",
        "string",
        [None if unknown and not at else one for at, one in enumerate(provinces)],
    )
    regions.add("county", "string", [f"{one} {at % 2}" for at, one in enumerate(provinces)])
    regions.add("residents", "int", rng.integers(9, 90, count).tolist())
    people_count = _count(rng, 20, 80)
    records = people(rng, people_count, where, "records")
    records.shapes, records.kind, records.crs = [None] * people_count, "NoGeometry", ""
    known = count + (1 if chance(rng, 0.04) else 0)  # now and then one region is not there
    of = rng.integers(known, size=people_count).tolist()
    records.add("region", kind, [f"r{one}" if text else one for one in of])
    names = {
        "REGION_ID": ["region"],
        "RECORD_REGION": ["region"] if chance(rng, 0.5) else [],
        "QIS": pick(rng, [["sex"], ["sex", "age"]]),
        "FIELDS": pick(rng, [[], ["income"]]),
        "NEVER_CROSS": pick(rng, [[], ["province"], ["county", "province"]], [0.6, 0.2, 0.2]),
        "HIERARCHY": pick(rng, [[], ["province"], ["county", "province"]], [0.7, 0.1, 0.2]),
        "POPULATION_FIELD": ["residents"],
        "COUNTS": [],
        "SENSITIVE": [],
        "PERSON_FIELD": [],
    }
    if names["FIELDS"] and chance(rng, 0.5):
        names["SENSITIVE"] = ["income"]
    given = pick(rng, [None, json.dumps({"sex": ["m", "f"], "age": 6})], [0.7, 0.3])
    sources = {"REGIONS": regions, "RECORDS": records}
    if chance(rng, 0.4):
        sources["EARLIER"] = Table("earlier", "NoGeometry", "", [None] * count, [], [()] * count)
        sources["EARLIER"].add("region", kind, ids)
        sources["EARLIER"].add("area_id", "int", rng.integers(0, 3, count).tolist())
        names.update(EARLIER_REGION=["region"], EARLIER_AREA=["area_id"])
    if given is None and chance(rng, 0.3):  # everybody of one sex, or now and then one is missing
        rows = [("sex", one, "any") for one in ("m", "f")][: 1 + chance(rng, 0.9)]
        kinds = [(name, "string") for name in ("field", "value", "group")]
        sources["VALUE_GROUPS"] = Table("groups", "NoGeometry", "", [None] * len(rows), kinds, rows)
    has_size = regions.kind != "Point"
    return Scene(
        sources,
        names,
        values={
            "CATEGORIES": given if names["QIS"] != ["sex"] else None,
            "GROUPS": pick(rng, [None, json.dumps({"age": 3})], [0.8, 0.2])
            if "age" in names["QIS"] and given is None
            else None,
            "UNKNOWN": pick(rng, ["refuse", "leave_out"], [0.3, 0.7]),
            "SITES": int(rng.integers(1, 5)),
            "GAPS_REGION": pick(rng, ["west", "east", None], [0.6, 0.38, 0.02]),
            "RECORDS_FILE": None,
            "MIN_RECORDS": pick(rng, [0, 2, 12], [0.6, 0.2, 0.2]),
            "MIN_POPULATION": pick(rng, [0, 30, 120], [0.8, 0.15, 0.05]),
            "MAX_DIAMETER": pick(rng, [None, 200.0, 20_000.0], [0.7, 0.1, 0.2]),
            "MAX_AREA": pick(
                rng, [None, 1e-6, 5_000.0] if has_size else [None, 1e-6, None], [0.8, 0.03, 0.17]
            ),
            "TOLERANCE": pick(rng, [5, 0, 60]),
            "EARLIER_NESTED": pick(rng, ["any", "refine", "coarsen", "same"], [0.5, 0.2, 0.2, 0.1]),
        },
        unasked=set() if "EARLIER" in sources else {"CROSSWALK"},
    )


def _counts(rng: np.random.Generator) -> Scene:
    """Areas with cases and people, now and then of a kind that no count is."""
    where = tables.place(rng)
    count = _count(rng, 1, 12)
    if chance(rng, 0.6):
        shapes, kind = tables.polygons(rng, count, where), "MultiPolygon"
    else:
        shapes, kind, where = [None] * count, "NoGeometry", ("", *where[1:])
    regions = Table("regions", kind, where[0], shapes, [], [()] * count)
    people = rng.integers(0, 60, count)
    regions.add("area", "string", [f"a{one // 2}" for one in range(count)])
    regions.add("county", "string", [f"c{one // 4}" for one in range(count)])
    regions.add("cases", "int", rng.binomial(people, 0.2).tolist())
    more = rng.binomial(people, 0.1)
    if chance(rng, 0.1):
        more[0] = pick(rng, [-1, 99])
    regions.add("more", "int", more.tolist())
    regions.add("people", "int", people.tolist())
    names = {
        "AREA": ["area"],
        "CASES": pick(rng, [["cases"], ["cases", "more"]]),
        "POPULATION": pick(rng, [[], ["people"]], [0.3, 0.7]),
        "HIERARCHY": pick(rng, [[], ["county"]]),
        "ALL_CASES": pick(rng, [[], ["cases"]], [0.7, 0.3]),
    }
    return Scene({"REGIONS": regions}, names, values={"K": pick(rng, [2, 5, 9])})


def _synthesis(rng: np.random.Generator) -> Scene:
    count = _count(rng, 1, 6)
    regions = Table("regions", "NoGeometry", "", [None] * count, [], [()] * count)
    regions.add("region", "string", [f"r{one}" for one in range(count)])
    regions.add("province", "string", [pick(rng, ["PE", "NS"]) for _ in range(count)])
    shares = {
        "PE": {"sex": [0.49, 0.51], "age": [0.2, 0.3, 0.5]},
        "NS": {"sex": [3, 4], "age": [1, 1, 1]},
    }
    scene = Scene({"REGIONS": regions}, {"REGION_ID": ["region"], "GROUP": ["province"]})
    scene.fields["RESIDENTS"] = []
    scene.values["QIS"] = pick(rng, [None, "sex", "age, sex"])
    least = int(rng.integers(0, 6))
    scene.values.update(LEAST=least, MOST=max(1, least + int(rng.integers(0, 6))))
    if chance(rng, 0.5):
        labels = {"sex": ["m", "f"]} if chance(rng, 0.5) else {}

        def write(folder: Path) -> Path:
            path = folder / "shares.json"
            path.write_text(json.dumps({"labels": labels, "groups": shares}), encoding="utf-8")
            return path

        scene.files["SHARES_FILE"] = write
        scene.values["SHARES"] = None
    else:
        rows = [
            (group, name, f"c{number}", float(share))
            for group, of in shares.items()
            for name, listed in of.items()
            for number, share in enumerate(listed)
        ]
        kinds = [
            ("group", "string"),
            ("field", "string"),
            ("category", "string"),
            ("share", "double"),
        ]
        scene.tables["SHARES"] = Table("shares", "NoGeometry", "", [None] * len(rows), kinds, rows)
        scene.values["SHARES_FILE"] = None
    return scene


def _with_several(rng: np.random.Generator, records: Table) -> list[str]:
    """The field that says whose each record is, now and then nobody's; mostly none, with one record each."""
    if not chance(rng, 0.25):
        return []
    ids = rng.integers(0, 1 + len(records) // 2, len(records)).tolist()
    records.add("who", "int", [None if one == 1 else one for one in ids])
    return ["who"]


def _classes(rng: np.random.Generator) -> Scene:
    known, secret = pick(rng, [(["sex"], []), (["sex", "age"], []), (["sex", "age"], ["income"])])
    fields = {"QIS": known, "SENSITIVE": secret}
    count = _count(rng, 4, 30)
    made = people(rng, count, tables.place(rng), "records")
    fields["PERSON_FIELD"] = _with_several(rng, made)
    share = None if fields["PERSON_FIELD"] else pick(rng, [None, 0.1, 1.0])
    return Scene({"INPUT": made}, fields, values={"SAMPLING_FRACTION": share})


def _population(rng: np.random.Generator) -> Scene:
    return Scene({"INPUT": people(rng, _count(rng, 20, 30), name="population")}, {"QIS": QIS})


def _experiment(rng: np.random.Generator) -> Scene:
    """A population, and mostly an attack that there is on the kind of release."""
    scene = _population(rng)
    if chance(rng, 0.9):
        isgp = chance(rng, 0.25)
        others = ["lipschitz", "coordinate_noise", "distance_noise"]
        scene.values["METHOD"] = "isgp" if isgp else pick(rng, others)
        attacks = ["near_group", "local_maps" if isgp else "clique"]
        scene.values["ATTACK"] = pick(rng, [*attacks, "all"], [0.45, 0.45, 0.1])
    return scene


def _release(rng: np.random.Generator) -> Scene:
    """A release of distances, with coarser attributes or exchanged ones now and then."""
    table = people(rng, _count(rng), name="people")
    scene = Scene({"INPUT": table}, {"EXCHANGE": [], "EXCHANGE_WITHIN": []}, {}, {"STEP": None})
    if chance(rng, 0.3):
        scene.fields["FIELDS"] = ["sex", "age", "income"]
        scene.fields["EXCHANGE"] = pick(rng, [["income"], ["age", "income"]])
        scene.fields["EXCHANGE_WITHIN"] = ["sex"] if chance(rng, 0.5) else []
    if chance(rng, 0.2):  # steps that the digits can write
        scene.values.update({"STEP": pick(rng, [1, 5, 100]), "DECIMALS": pick(rng, [0, 3])})
    if chance(rng, 0.2):
        rows = [("age", str(age), "old" if age > 22 else "young") for age in range(20, 26)]
        kinds = [(name, "string") for name in ("field", "value", "group")]
        scene.tables["GROUPS"] = Table("groups", "NoGeometry", "", [None] * len(rows), kinds, rows)
    return scene


def _grid(rng: np.random.Generator) -> Scene:
    """Records for a grid of labels, which takes a radius or the grid of before."""
    spacing = pick(rng, [None, 100.0, 500.0])
    return Scene(values={"RADIUS": pick(rng, [1000.0, 5000.0, "2000"]), "SPACING": spacing})


def _verification(rng: np.random.Generator) -> Scene:
    """A report's figures and a folder: its files as they were, changed, missing, private, odd."""
    contents = {f"released_{one}.csv": rng.bytes(int(rng.integers(0, 300))) for one in range(3)}
    private = {"key.csv": b"released_id,original_id,original_x\n1,2,3.5\n"}

    def entry(name: str, data: bytes, release: bool) -> dict:
        digest = hashlib.sha256(data).hexdigest()
        return {
            "label": name,
            "release": release,
            "kind": "file",
            "place": f"/data/{name}",
            "fields": [],
            "files": [{"name": name, "bytes": len(data), "sha256": digest}],
        }

    outputs = [entry(name, data, True) for name, data in contents.items()]
    outputs += [entry(name, data, False) for name, data in private.items()]
    audit = {
        "title": "A mask",
        "written": "2026-11-22T04:00:00+00:00",
        "outputs": outputs,
        "inputs": [],
    }
    figures = {"format": "geoanon-report", "private": True, "audit": audit}
    spoiled = pick(rng, [None, "audit", "outputs", "text"], [0.8, 0.06, 0.07, 0.07])
    if spoiled == "audit":
        figures["audit"] = pick(rng, [None, [], {}, "no"])
    elif spoiled == "outputs":
        audit["outputs"] = pick(rng, [None, [{}], [1], {"a": 1}])
    what = {name: pick(rng, ["same", "changed", "missing", "packed"]) for name in contents}
    leak = chance(rng, 0.5)

    def write_figures(folder: Path) -> Path:
        path = folder / "figures.json"
        path.write_text("{" if spoiled == "text" else json.dumps(figures), encoding="utf-8")
        return path

    def write_folder(folder: Path) -> Path:
        made = folder / "release"
        made.mkdir()
        for name, data in contents.items():
            if what[name] == "packed":
                with zipfile.ZipFile(made / f"{name}.zip", "w") as archive:
                    archive.writestr(name, data)
            elif what[name] != "missing":
                (made / name).write_bytes(data + b"x" * (what[name] == "changed"))
        if leak:
            (made / "ä ö.bin").write_bytes(private["key.csv"])
        (made / "empty").mkdir()
        return made

    return Scene(files={"FIGURES": write_figures, "FOLDER": write_folder})


_SCENES: list[tuple[set[str], Callable[[np.random.Generator], Scene]]] = [
    ({"FIGURES", "FOLDER"}, _verification),
    ({"TARGET", "MATRIX", "IDENTIFICATION"}, _linkage),
    ({"INPUT", "MATRIX", "KEY", "SETS"}, _accuracy),
    ({"INPUT", "CANDIDATES"}, _reversal),
    ({"INPUT", "MASKED_KEY"}, _anonymisation),
    ({"POINTS", "CANDIDATES"}, _mask_and_attack),
    ({"ORIGINAL", "ANONYMIZED"}, _compared),
    ({"REGIONS", "RECORDS", "REGION_ID"}, _aggregation),
    ({"REGIONS", "SHARES_FILE"}, _synthesis),
    ({"REGIONS", "CASES"}, _counts),
    ({"RECORDS", "REFERENCE"}, _microdata),
    ({"INPUT", "QIS", "N_TARGET"}, _experiment),
    ({"INPUT", "QIS", "REPLICATES"}, _population),
    ({"INPUT", "QIS", "SENSITIVE"}, _classes),
    ({"INPUT", "EXCHANGE"}, _release),
    ({"INPUT", "GRID_FILE"}, _grid),
]
