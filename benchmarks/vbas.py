# SPDX-License-Identifier: GPL-2.0-or-later
"""VBAS on Western Canada: 17,939 areas, 9.9 million made-up records, five quasi-identifiers.

    python benchmarks/vbas.py [--rounds 3] [--canada] [--table FILE]

Counting records into classes is measured against a bare columnar read of the same GeoPackage;
what follows, against the clock. The table is written anew (a minute) unless one is given that an
earlier run kept. With --canada, all 31 million records are aggregated, too.
"""

from __future__ import annotations

import argparse
import functools
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

import _timing as timing  # isort: skip  (puts the checkout on the path)

import _canada
import numpy as np

from geoanon_qgis.core.aggregation import release, vbas
from geoanon_qgis.core.aggregation.categories import Encoder, region_encoder
from geoanon_qgis.core.aggregation.demands import Demands, Floor
from geoanon_qgis.core.aggregation.equivalence_classes import ClassCounter, EquivalenceClasses
from geoanon_qgis.core.aggregation.neighbours import neighbours_of_points

NAMES = ("age", "sex", "mar", "kol", "hh")
K = 5
_BATCH = 65_536


def write(path: Path, data: _canada.Data) -> None:
    """Write the records as text categories into a table of a GeoPackage."""
    from osgeo import ogr

    source = ogr.GetDriverByName("GPKG").CreateDataSource(str(path))
    layer = source.CreateLayer("records", geom_type=ogr.wkbNone)
    layer.CreateField(ogr.FieldDefn("region", ogr.OFTInteger))
    for name in NAMES:
        layer.CreateField(ogr.FieldDefn(name, ogr.OFTString))
    layer = source = None
    base = sqlite3.connect(path, isolation_level=None)
    for (trigger,) in base.execute(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'records'"
    ).fetchall():
        base.execute(f'DROP TRIGGER "{trigger}"')  # a count for each row, which takes minutes
    base.execute("PRAGMA journal_mode = OFF")
    base.execute("BEGIN")
    labels = [
        np.array([f"{name} {at}" for at in range(count)], dtype=object)
        for name, count in zip(NAMES, data.recipe.categories)
    ]
    total = 0
    for chunk in data.chunks():
        columns = [label[code].tolist() for label, code in zip(labels, chunk.codes)]
        base.executemany(
            f"INSERT INTO records (region, {', '.join(NAMES)}) VALUES (?, ?, ?, ?, ?, ?)",
            zip(data.uid[chunk.region].tolist(), *columns),
        )
        total += len(chunk.region)
    base.execute("UPDATE gpkg_ogr_contents SET feature_count = ?", (total,))
    base.execute("COMMIT")
    base.close()


def batches(path: Path):
    """The table's columns, batch by batch, as the Arrow stream of OGR gives them."""
    from osgeo import ogr

    source = ogr.Open(str(path))
    layer = source.GetLayer("records")
    yield from layer.GetArrowStreamAsNumPy(
        ["INCLUDE_FID=NO", "USE_MASKED_ARRAYS=NO", f"MAX_FEATURES_IN_BATCH={_BATCH}"]
    )


def read(path: Path) -> int:
    """The bare read."""
    return sum(len(batch["region"]) for batch in batches(path))


def count(path: Path, data: _canada.Data) -> EquivalenceClasses:
    """The same, and the records counted into classes."""
    regions = region_encoder(data.uid)
    encoders = [Encoder(name) for name in NAMES]
    counter = ClassCounter(len(data.uid), len(NAMES))
    for batch in batches(path):
        region = regions.encode(batch["region"])
        counter.add(region, [each.encode(batch[each.name]) for each in encoders])
    return counter.finish()


def aggregate(classes: EquivalenceClasses, data: _canada.Data, by: str, region: str):
    """Everything after counting, the choice of the released records included."""
    rng = np.random.default_rng(1)
    result = vbas.vbas(classes, data.xy, K, rng, by, vbas.gaps_model(region))
    released, _ = release.released_records(classes, result, rng)
    measures = result.measures
    if len(released) + measures.suppressed != measures.records or measures.anonymity < K:
        raise AssertionError("records were lost, or a class below K was released")
    return result


def aggregate_within(classes: EquivalenceClasses, data: _canada.Data):
    """The same by the entropy, with what areas have to keep; checked."""
    provinces, part = np.unique(data.group, return_inverse=True)
    floor = Floor(classes.population, 1_000.0)
    names = tuple(f"province {number}" for number in provinces)
    near = neighbours_of_points(data.xy)
    demands = Demands((floor,), np.inf, part, names, near, contiguous=True)
    rng = np.random.default_rng(1)
    result = vbas.vbas(
        classes, data.xy, K, rng, "gaps_entropy", vbas.gaps_model("central"), demands=demands
    )
    area = result.area_of_region
    sides = np.unique(np.stack([area, part]), axis=1)
    if (np.bincount(sides[0]) > 1).any() or result.areas.records.min() < floor.least:
        raise AssertionError("an area crosses a border, or holds too little")
    if (near.pieces_of(area, len(result.sites)) != 1).any():
        raise AssertionError("an area lies in pieces")
    return result


def west(path: Path, rounds: int) -> list[timing.Line]:
    data = _canada.load(["west"], NAMES)
    if not path.exists():
        print(f"Writing {int(data.residents.sum()):,} records ...", flush=True)
        write(path, data)
    times = timing.take_turns(
        {"read": lambda: read(path), "count": lambda: count(path, data)}, rounds
    )
    classes = count(path, data)
    lines = [
        timing.note("bare read of the table (s)", f"{min(times['read']):.1f}"),
        timing.note("read and counted (s)", f"{min(times['count']):.1f}"),
        timing.at_most(
            "counting, reading included, against reading",
            3.0,
            timing.median_ratio(times["count"], times["read"]),
            "x",
        ),
    ]
    for by in ("gaps_maxcombs", "gaps_entropy"):
        once = functools.partial(aggregate, classes, data, by, "west")
        taken = min(timing.seconds(once) for _ in range(rounds))
        lines.append(timing.at_most(f"everything after that, {by}", 2.0, taken, "s"))
    peak = timing.peak_memory(
        _SETUP.format(here=str(Path(__file__).parent)),
        f"data = _canada.load(['west'], vbas.NAMES); path = Path({str(path)!r});"
        " vbas.aggregate(vbas.count(path, data), data, 'gaps_entropy', 'west')",
    )
    lines.append(timing.at_most("peak memory", 3.0, peak / 1e9, "GB"))
    return lines


_SETUP = "sys.path.insert(0, {here!r}); from pathlib import Path; import vbas, _canada"


def east(rounds: int) -> list[timing.Line]:
    data = _canada.load(["east"], ("age", "sex", "mar"))
    classes = data.classes()
    lines = []
    for location, limit in (("adc", 60.0), ("least_suppression", None)):
        for by in ("gaps_maxcombs", "gaps_entropy"):

            def run(by: str = by, location: str = location) -> None:
                vbas.vbas(
                    classes,
                    data.xy,
                    K,
                    np.random.default_rng(1),
                    by,
                    vbas.gaps_model("east"),
                    location=location,
                )

            taken = min(timing.seconds(run) for _ in range(min(rounds, 2)))
            what = f"{location} on East, 252 combinations, {by}"
            lines.append(
                timing.note(f"{what} (s)", f"{taken:.1f}")
                if limit is None
                else timing.at_most(what, limit, taken, "s")
            )
    return lines


def canada() -> list[timing.Line]:
    setup = _SETUP.format(here=str(Path(__file__).parent))
    work = (
        "data = _canada.load(['west', 'central', 'east'], vbas.NAMES);"
        " classes = data.classes(); print(classes.records);"
    )
    lines = []
    for what, last in (
        ("all Canada", "vbas.aggregate(classes, data, 'gaps_entropy', 'central')"),
        ("all Canada, by province, a floor, one piece", "vbas.aggregate_within(classes, data)"),
    ):
        start = time.perf_counter()
        peak = timing.peak_memory(setup, f"{work} {last}")
        taken = time.perf_counter() - start
        lines += [
            timing.note(f"{what}: made, counted, aggregated (s)", f"{taken:.0f}"),
            timing.at_most(f"{what}: peak memory", 24.0, peak / 1e9, "GB"),
        ]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--canada", action="store_true")
    parser.add_argument("--table", type=Path)
    chosen = parser.parse_args()
    if not _canada.available():
        return 0
    with tempfile.TemporaryDirectory() as folder:
        lines = west(chosen.table or Path(folder, "west.gpkg"), chosen.rounds)
    lines += east(chosen.rounds)
    if chosen.canada:
        lines += canada()
    return timing.table("VBAS", lines)


if __name__ == "__main__":
    sys.exit(main())
