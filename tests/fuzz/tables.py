# SPDX-License-Identifier: GPL-2.0-or-later
"""Tables and layers to fuzz with, as plain descriptions drawn from a random generator.

No QGIS here: :mod:`.layers` makes layers and files of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

#: Stands in a field that names people; it must never be met in a release.
SECRET = "SECRET"
#: System, range of centres (x, y) and range of sizes, in its own unit.
PLACES = {
    "EPSG:4326": ((-170, -80, 170, 80), (1e-3, 5.0)),
    "EPSG:32632": ((3e5, 1e6, 7e5, 9e6), (50.0, 1e5)),
    "EPSG:27700": ((2e5, 1e5, 6e5, 9e5), (50.0, 1e5)),
    "EPSG:3857": ((-1.9e7, -1e7, 1.9e7, 1e7), (50.0, 1e6)),
    "EPSG:2263": ((9e5, 1e5, 1.1e6, 3e5), (500.0, 5e4)),
    "EPSG:5041": ((1.9e6, 1.9e6, 2.1e6, 2.1e6), (1e3, 1e6)),
    "EPSG:4807": ((-2, 46, 8, 54), (1e-2, 2.0)),
    "": ((-1e3, -1e3, 1e3, 1e3), (1.0, 1e4)),
}
_PLACE_WEIGHTS = [0.24, 0.2, 0.14, 0.1, 0.06, 0.04, 0.04, 0.18]
#: Systems that distances along a plane make sense in, with metres a unit.
PLANAR = {"EPSG:32632": 1.0, "EPSG:27700": 1.0, "": 1.0}

ODD_TEXTS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "O'Brien; DROP TABLE x;",
    "=1+1",
    "line\nbreak",
    "{0} %s",
    "😀👍",
    "مرحبا بالعالم",
    "",
    "a" * 300,
    "ends in space ",
    "null",
    "1e5",
    "naïve café",
    "\tTab",
]
ODD_NAMES = [
    "fid",
    "ogc_fid",
    "geom",
    "masked_id",
    "released_id",
    "original_id",
    "Note",
    "NOTE",
    "id",
    "имя",
    "two words",
    "semi;colon",
    'quo"te',
    "<b>bold</b>",
    "😀",
    "group",
    "x",
    "y",
    "n" * 300,
    "geometry",
    "rowid",
    "select",
    "risk",
    "class_size",
    "count",
    "area_id",
    "distance",
    "kind",
]
TYPES = ["int", "long", "double", "string", "bool", "date", "time", "datetime", "binary", "list"]


@dataclass
class Table:
    """A layer or table, before it is written.

    Attributes
    ----------
    name : str
    kind : str
        Geometry type as memory layers call it, or ``NoGeometry``.
    crs : str
        ``AUTHORITY:CODE``, or empty for none.
    shapes : list
        Coordinates, WKT or None, one a row.
    fields : list of (str, str)
        Name and type.
    rows : list of tuple
    traits : list of str
        What is odd about it.
    refers : dict of str to str
        Fields that hold row numbers of another source, from 0, and that source's parameter: they
        become the feature ids that it has in its format.
    """

    name: str
    kind: str
    crs: str
    shapes: list
    fields: list[tuple[str, str]]
    rows: list[tuple]
    traits: list[str] = field(default_factory=list)
    refers: dict[str, str] = field(default_factory=dict)

    def column(self, name: str) -> list:
        """Values of a field."""
        at = [one for one, _ in self.fields].index(name)
        return [row[at] for row in self.rows]

    def add(self, name: str, kind: str, values: list) -> None:
        """Append a field; a name that is there already gets none."""
        if name.lower() in (one.lower() for one, _ in self.fields):
            return
        self.fields.append((name, kind))
        self.rows = [(*row, value) for row, value in zip(self.rows, values)]

    def put(self, name: str, values: list) -> None:
        """Replace the values of a field."""
        at = [one for one, _ in self.fields].index(name)
        self.rows = [(*row[:at], value, *row[at + 1 :]) for row, value in zip(self.rows, values)]

    def __len__(self) -> int:
        return len(self.shapes)


def pick(rng: np.random.Generator, options: list, weights: list[float] | None = None) -> Any:
    """One of the options as it is (NumPy would turn it into a scalar of its own)."""
    share = None if weights is None else np.array(weights) / np.sum(weights)
    return options[int(rng.choice(len(options), p=share))]


def chance(rng: np.random.Generator, share: float) -> bool:
    """True in this share of cases."""
    return bool(rng.random() < share)


# --- places ---------------------------------------------------------------------------------


def place(rng: np.random.Generator) -> tuple[str, tuple[float, float], float]:
    """A system, a centre in it and a size."""
    crs = pick(rng, list(PLACES), _PLACE_WEIGHTS)
    (west, south, east, north), (small, large) = PLACES[crs]
    centre = rng.uniform(west, east), rng.uniform(south, north)
    size = math.exp(rng.uniform(math.log(small), math.log(large)))
    if crs == "EPSG:4326" and chance(rng, 0.2):  # across the antimeridian, or at a pole
        centre = (180.0, 10.0) if chance(rng, 0.5) else (0.0, pick(rng, [-89.0, 89.0]))
        size = min(size, 1.5)
    return crs, (float(centre[0]), float(centre[1])), float(size)


def pattern(rng: np.random.Generator, count: int) -> tuple[np.ndarray, str]:
    """Coordinates about the unit square, and what they look like."""
    name = pick(
        rng,
        ["uniform", "clusters", "lattice", "line", "twice", "same", "outlier"],
        [0.45, 0.2, 0.1, 0.06, 0.1, 0.03, 0.06],
    )
    xy = rng.random((count, 2)) - 0.5
    if name == "clusters":
        xy = rng.random((3, 2))[rng.integers(3, size=count)] - 0.5 + 0.02 * xy
    elif name == "lattice":
        side = max(2, math.isqrt(count))
        xy = np.stack([np.arange(count) % side, np.arange(count) // side], 1) / side - 0.5
    elif name == "line":
        xy[:, 1] = 0.0
    elif name == "twice":
        xy = xy[rng.integers(max(1, count * 2 // 3), size=count)]
    elif name == "same":
        xy = np.repeat(xy[:1], count, axis=0)
    elif name == "outlier" and count:
        xy[0] *= 10.0
    return xy, name


def points(rng: np.random.Generator, count: int, where=None) -> tuple[list, str, str]:
    """Shapes, system and pattern of so many points."""
    crs, centre, size = where or place(rng)
    xy, name = pattern(rng, count)
    xy = xy * size + centre
    if crs in ("EPSG:4326", "EPSG:4807"):
        xy[:, 0] = (xy[:, 0] + 180.0) % 360.0 - 180.0
        xy[:, 1] = np.clip(xy[:, 1], -90.0, 90.0)
    return [tuple(map(float, one)) for one in xy], crs, name


def polygons(rng: np.random.Generator, count: int, where) -> list[str]:
    """Tiles of a grid as WKT: some are not valid, have a hole, two parts, or overlap."""
    _, (x0, y0), size = where
    side = max(1, math.ceil(math.sqrt(count)))
    step = size / side
    made = []
    for number in range(count):
        x = x0 - size / 2 + step * (number % side)
        y = y0 - size / 2 + step * (number // side)
        grow = step * (1.2 if chance(rng, 0.05) else 1.0)
        ring = [(x, y), (x + grow, y), (x + grow, y + grow), (x, y + grow), (x, y)]
        what = rng.random()
        if what < 0.04:  # a bow tie
            ring[1], ring[2] = ring[2], ring[1]
        outer = _ring(ring)
        inner = [
            (x + step * a, y + step * b)
            for a, b in ((0.3, 0.3), (0.3, 0.6), (0.6, 0.6), (0.6, 0.3), (0.3, 0.3))
        ]
        if 0.04 < what < 0.1:
            made.append(f"MULTIPOLYGON((({outer}),({_ring(inner)})))")
        elif 0.1 < what < 0.16:
            far = [(a + 3 * size, b) for a, b in inner]
            made.append(f"MULTIPOLYGON((({outer})),(({_ring(far)})))")
        elif 0.16 < what < 0.18:
            tiny = [(x + a * 1e-9, y + b * 1e-9) for a, b in ((0, 0), (1, 0), (1, 1), (0, 0))]
            made.append(f"MULTIPOLYGON((({_ring(tiny)})))")
        else:
            made.append(f"MULTIPOLYGON((({outer})))")
    return made


def lines(rng: np.random.Generator, count: int, where) -> list[str]:
    """Streets of a grid as WKT: some are bent, in two parts, or come to nothing."""
    _, (x0, y0), size = where
    made = []
    for number in range(count):
        off = size * ((number // 2 + 0.5) / math.ceil(count / 2) - 0.5)
        ends = [(-size / 2, off), (size / 3, off), (size / 2, off)]
        way = [(x0 + a, y0 + b) if number % 2 else (x0 + b, y0 + a) for a, b in ends]
        what = rng.random()
        if what < 0.05:
            way[1] = (way[1][0] + size / 20, way[1][1] - size / 20)
        elif 0.05 < what < 0.1:
            way = [way[0]] * 3
        if 0.1 < what < 0.2:
            made.append(f"MULTILINESTRING(({_ring(way[:2])}),({_ring(way[1:])}))")
        else:
            made.append(f"MULTILINESTRING(({_ring(way)}))")
    return made


def _ring(ring: list[tuple[float, float]]) -> str:
    return ",".join(f"{float(x)!r} {float(y)!r}" for x, y in ring)


# --- attributes -------------------------------------------------------------------------------


def values(rng: np.random.Generator, kind: str, count: int) -> list:
    """Values of a field, of any type, with some missing and some at the ends of the range."""
    made = [_value(rng, kind) for _ in range(count)]
    if chance(rng, 0.3):
        made = [None if chance(rng, 0.15) else one for one in made]
    if chance(rng, 0.03):
        made = [None] * count
    return made


def _value(rng: np.random.Generator, kind: str) -> Any:
    if kind == "int":
        return int(pick(rng, [0, -1, 2**31 - 1, int(rng.integers(100)), int(rng.integers(9))]))
    if kind == "long":
        return int(
            pick(
                rng,
                [2**53 + 1, 2**63 - 1, -(2**63), int(rng.integers(1000))],
                [0.1, 0.05, 0.05, 0.8],
            )
        )
    if kind == "double":
        return float(
            pick(
                rng,
                [0.0, -0.0, 1e-300, 1e300, rng.normal(), rng.lognormal(8)],
                [0.05, 0.05, 0.03, 0.02, 0.4, 0.45],
            )
        )
    if kind == "string":
        return pick(rng, ODD_TEXTS) if chance(rng, 0.4) else pick(rng, ["red", "green", "blue"])
    if kind == "bool":
        return chance(rng, 0.5)
    if kind in ("date", "datetime", "time"):
        day = f"{int(rng.integers(1900, 2030))}-{int(rng.integers(1, 13)):02}-01"
        hour = f"{int(rng.integers(24)):02}:{int(rng.integers(60)):02}:00"
        return {"date": day, "time": hour, "datetime": f"{day}T{hour}"}[kind]
    if kind == "binary":
        return bytes(rng.integers(0, 256, 4, dtype=np.uint8))
    return [pick(rng, ["a", "b", "c,d"]) for _ in range(int(rng.integers(3)))]


def people(rng: np.random.Generator, count: int, where=None, name: str = "people") -> Table:
    """Points with a secret name and what others may know of a person."""
    shapes, crs, looks = points(rng, count, where)
    table = Table(name, "Point", crs, shapes, [], [()] * count, [looks])
    table.add("patient_name", "string", [f"{SECRET}{rng.integers(10**9)}" for _ in range(count)])
    table.add("sex", "string", [pick(rng, ["m", "f"]) for _ in range(count)])
    table.add("age", "int", [int(rng.integers(20, 26)) for _ in range(count)])
    table.add("income", "double", [round(float(rng.lognormal(10)), 2) for _ in range(count)])
    return table


def add_odd_fields(rng: np.random.Generator, table: Table, most: int = 3) -> None:
    """Up to so many fields of any name and type."""
    for _ in range(int(rng.integers(most + 1))):
        kind = pick(rng, TYPES)
        name = pick(rng, ODD_NAMES) if chance(rng, 0.35) else f"extra_{kind}"
        table.add(name, kind, values(rng, kind, len(table)))


def spoil_shapes(rng: np.random.Generator, table: Table) -> None:
    """Make some places unusable or odd, of a layer that has any."""
    if table.kind == "NoGeometry" or not len(table):
        return
    rows = rng.choice(len(table), size=max(1, len(table) // 6), replace=False)
    trait = pick(rng, ["null", "empty", "nan", "inf", "huge", "multi", "z", "far", "wild"])
    if table.kind != "Point":
        trait = pick(rng, ["null", "empty"])
    for row in map(int, rows):
        x, y = (table.shapes[row] or (0.0, 0.0))[:2] if table.kind == "Point" else (0.0, 0.0)
        table.shapes[row] = {
            "null": None,
            "empty": "EMPTY",
            "nan": (math.nan, y),
            "inf": (x, math.inf),
            "huge": (1e308, -1e308),
            "multi": f"MULTIPOINT(({x!r} {y!r}),({y!r} {x!r}))",
            "z": (x, y, 7.0, 8.0),
            "far": (x + 400.0, y - 200.0),
            "wild": (x * 1e5 + 1.0, y),
        }[trait]
    if trait == "multi":
        table.kind = "MultiPoint"
        table.shapes = [
            f"MULTIPOINT(({one[0]!r} {one[1]!r}))" if isinstance(one, tuple) else one
            for one in table.shapes
        ]
    if trait == "z":
        table.kind = "PointZM"
    table.traits.append(f"shapes {trait}")
