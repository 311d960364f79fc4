# SPDX-License-Identifier: GPL-2.0-or-later
"""Who was released stays where he was put when public layers change, by every mask that draws."""

import json
import os
import stat

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.masking import secretfile
from geoanon_qgis.core.verification import pointmask
from tests.processing.helpers import DEGREES, GRID, layer, opened, points, refusal, run
from tests.processing.kept_masks import (
    GROWTH,
    assert_nobody_moved,
    grow,
    people,
    released_places,
)

pytestmark = pytest.mark.usefixtures("project")
WEST, SOUTH = 398_000, 298_000
ADDRESSES = np.random.default_rng(6).permutation(points(1500, seed=4, size=4000).round(2))
PLACES = ADDRESSES[: max(GROWTH)]
KEPT = {"KEY": "TEMPORARY_OUTPUT", "ID_FIELD": "person", "OUTPUT": "TEMPORARY_OUTPUT"}


def addresses(year, crs=GRID):
    """The list of a year: some houses are gone, others new; all that hold records are there."""
    left = [row for row in range(len(ADDRESSES)) if row < len(PLACES) or (row + year) % 9]
    new = points(40 * year, seed=70 + year, size=4000).round(2) if year else ADDRESSES[:0]
    return layer(np.concatenate([ADDRESSES[left], new]), crs=crs, name=f"addresses {year}")


def squares(side, count):
    low = np.stack(np.meshgrid(np.arange(count), np.arange(count)), -1).reshape(-1, 2) * side
    return shapely.box(*(low + (WEST, SOUTH)).T, *(low + (WEST + side, SOUTH + side)).T)


def areas(year, side=500.0, count=8):
    number = np.random.default_rng(year).integers(5, 90, count * count)
    rows = [(int(one),) for one in number]
    shapes = [one.wkt for one in squares(side, count)]
    return layer(shapes, GRID, "Polygon", "people:int", rows, "zones")


def streets(year):
    """A town that lacks other streets each year."""
    rng = np.random.default_rng(2)
    corner = np.stack(np.meshgrid(np.arange(41), np.arange(41)), -1) * 100.0
    corner = corner + rng.uniform(-30, 30, corner.shape) + (WEST, SOUTH)
    ways, rng = [*corner, *corner.transpose(1, 0, 2)], np.random.default_rng([2, year])
    lines = [way[at : at + 2] for way in ways for at in range(40) if rng.random() < 0.9]
    return layer([shapely.LineString(one).wkt for one in lines], kind="LineString", name="streets")


def of_population(year, **more):
    own = areas(year)
    return {"POPULATION": own, "POPULATION_FIELD": "people", **more}


def in_zones(year):
    return {"ZONES": areas(0, 500.0 - 20 * year, 9)}


def merged(year):
    own = areas(year)
    return {"ZONES": own, "POPULATION": own, "POPULATION_FIELD": "people"}


#: A mask, what is the same in each release, and what is not.
CASES = {
    "displace by addresses": (
        "maskdisplace",
        {"SIZE_BY": "candidates", "K_MAX": 20},
        lambda year: {"CANDIDATES": addresses(year)},
    ),
    "displace by population": (
        "maskdisplace",
        {"SIZE_BY": "population", "LAW": "donut"},
        of_population,
    ),
    "displace in zones": ("maskdisplace", {"MAX": 300.0}, in_zones),
    "swap": (
        "masklocationswap",
        {"MAX": 600.0, "K": 20},
        lambda year: {"CANDIDATES": addresses(year)},
    ),
    "streets": ("maskstreets", {"LOW": 5, "HIGH": 10}, lambda year: {"STREETS": streets(year)}),
    "streets farther": (
        "maskstreets",
        {"LOW": 5, "HIGH": 10},
        lambda year: {"STREETS": streets(year), "MAX_LENGTH": 1000.0 + 100 * year},
    ),
    "aggregate merged": (
        "maskaggregate",
        {"METHOD": "merged", "PLACE": "random", "K": 200},
        merged,
    ),
    "aggregate cells": (
        "maskaggregate",
        {"METHOD": "grid", "PLACE": "random", "SIDE": 400.0, "K": 2},
        lambda year: {"POPULATION": addresses(year)},
    ),
    "adaptive Voronoi": ("maskadaptivevoronoi", {"K": 200}, merged),
    "adaptive Voronoi, crossings": (
        "maskadaptivevoronoi",
        {"K": 200},
        lambda year: {**merged(year), "STREETS": streets(year)},
    ),
    "exchange": ("maskexchange", {"K": 6}, lambda year: {"CANDIDATES": addresses(year)}),
    "exchange beside": (
        "maskexchange",
        {"K": 6, "OUTPUT_AT": "beside"},
        lambda year: {"CANDIDATES": addresses(year)},
    ),
    "cells": (
        "maskexchange",
        {"K": 6, "METHOD": "cells", "K_RECORDS": 3},
        lambda year: {"CANDIDATES": addresses(year)},
    ),
    "groups": (
        "maskexchange",
        {"K": 6, "METHOD": "groups", "K_RECORDS": 3, "OUTPUT_AT": "beside"},
        lambda year: {"CANDIDATES": addresses(year)},
    ),
    "groups at crossings": (
        "maskexchange",
        {"K": 6, "METHOD": "groups", "K_RECORDS": 3, "OUTPUT_AT": "crossing"},
        lambda year: {"CANDIDATES": addresses(0), "STREETS": streets(year)},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_growing_registry_moves_nobody_when_public_layers_change(case, tmp_path):
    name, same, each = CASES[case]
    found = grow(name, PLACES, tmp_path, each=each, **same)
    assert_nobody_moved(found)
    told = [pointmask.read(tmp_path / f"mask_{year}.json").parameters for year in range(3)]
    earlier = [one.get("EARLIER_LISTS", 0) for one in told]
    if case != "aggregate cells":  # where the cells are always the same, and counted anew
        assert earlier[0] == 0 and 0 < earlier[1] < earlier[2]
        # A newcomer may be released where another one has been before.
        assert earlier[2] <= len(found[2 if "OUTPUT_AT" in same else 1])
        # Without what is kept the same secret leads some elsewhere.
        secret = json.loads((tmp_path / "secret_1.json").read_text())
        names = [one for one in secret["kept"] if not one.endswith(" groups")]
        for one in names:
            del secret["kept"][one]
        (tmp_path / "bare.json").write_text(json.dumps(secret))
        last = {
            "INPUT": people(PLACES, np.arange(GROWTH[1])),
            "SECRET": str(tmp_path / "bare.json"),
        }
        lost = released_places(run(name, {**last, **KEPT, **same, **each(2)}))
        assert any(lost.get(one) != place for one, place in found[1].items())


def test_what_is_said_of_places_is_said_of_those_that_the_layers_of_now_have_put(tmp_path):
    name, same, each = CASES["swap"]
    grow(name, PLACES, tmp_path, each=each, **same)
    given = {
        "INPUT": people(PLACES, np.arange(max(GROWTH))),
        "SECRET": str(tmp_path / "secret_1.json"),
        "SUPPORT": "TEMPORARY_OUTPUT",
        "REPORT": str(tmp_path / "r.html"),
        "JSON": str(tmp_path / "r.json"),
        "MASK": str(tmp_path / "m.json"),
        **KEPT,
    }
    done = run(name, {**given, **same, **each(2)})
    said = f"{GROWTH[1]} points stay where an earlier release put them, by an address list"
    assert said in done.feedback.said and said in (tmp_path / "r.html").read_text()
    new = {1000 + row for row in range(GROWTH[1], max(GROWTH))}
    assert {one["original_id"] for one in opened(done["SUPPORT"]).getFeatures()} == new
    assert "Where newcomers were put is not kept (SECRET_FILE)" in done.feedback.said
    # Nor may an attack explain them by the list of now.
    attack = {"INPUT": done["OUTPUT"], "MASK": given["MASK"], "OUTPUT": "TEMPORARY_OUTPUT"}
    said = refusal("attackmask", {**attack, "CANDIDATES": addresses(2)})
    assert "put where they are by an earlier address list" in said


def test_areas_of_an_aggregation_are_those_in_which_points_lie(tmp_path):
    """Also of points that an earlier population has put there, where too few live now."""
    name, same, _ = CASES["aggregate cells"]
    first = {**same, "POPULATION": layer(ADDRESSES), "SECRET_FILE": str(tmp_path / "s.json")}
    everybody = people(PLACES, np.arange(len(PLACES)))
    before = run(name, {"INPUT": everybody, **KEPT, **first})
    few = layer(ADDRESSES[::40])
    again = {
        **same,
        "POPULATION": few,
        "SECRET": before["SECRET_FILE"],
        "AREAS": "TEMPORARY_OUTPUT",
    }
    done = run(name, {"INPUT": everybody, **KEPT, **again})
    assert released_places(done) == released_places(before) and done["WITHHELD_COUNT"] == 0
    shapes = [shapely.from_wkb(bytes(one.geometry().asWkb())) for one in opened(done["AREAS"]).getFeatures()]  # fmt: skip
    held = shapely.contains_xy(
        np.array(shapes)[:, None], np.array([*released_places(done).values()])
    )
    assert (held.sum(axis=0) == 1).all() and held.any(axis=1).all()
    assert done["AREA_COUNT"] == len(shapes)
    assert done["ALONE"] == np.count_nonzero(held.sum(axis=1) == 1) > 0


@pytest.mark.parametrize("case", ["displace by addresses", "swap", "exchange"])
def test_another_version_of_proj_moves_nobody(case, tmp_path):
    """Coordinates in degrees that were made anew: the last digits are others."""
    name, same, _ = CASES[case]
    rng = np.random.default_rng(3)
    listed = points(1500, seed=2, size=0.05, centre=(10.4, 50.0))
    anew = listed + rng.uniform(-3e-9, 3e-9, listed.shape)
    count = np.arange(60)
    first = {"CANDIDATES": layer(listed, crs=DEGREES), "SECRET_FILE": str(tmp_path / "s.json")}
    before = run(name, {"INPUT": people(listed, count, DEGREES), **KEPT, **same, **first})
    again = {"CANDIDATES": layer(anew, crs=DEGREES), "SECRET": before["SECRET_FILE"]}
    done = run(name, {"INPUT": people(anew, count, DEGREES), **KEPT, **same, **again})
    assert released_places(done) == released_places(before)
    told = json.loads((tmp_path / "s.json").read_text())
    (tmp_path / "bare.json").write_text(json.dumps({**told, "kept": {}}))
    again["SECRET"] = str(tmp_path / "bare.json")
    lost = run(name, {"INPUT": people(anew, count, DEGREES), **KEPT, **same, **again})
    near = released_places(lost)
    away = [np.hypot(*np.subtract(near[one], place)) for one, place in released_places(before).items()]  # fmt: skip
    assert max(away) > 1e-5  # some tens of metres: drawn anew


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no modes")
@pytest.mark.parametrize("there", [False, True])
def test_a_secret_file_is_its_owners_alone(there, tmp_path):
    path = tmp_path / "s.json"
    if there:
        path.write_text("{}" * 10_000)
        path.chmod(0o644)
    run("maskdisplace", {"INPUT": people(PLACES, np.arange(20)), **KEPT, "SECRET_FILE": str(path)})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first = secretfile.read(path)
    path.chmod(0o644)
    secretfile.write(secretfile.SecretFile.new("", None), path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert secretfile.read(path).id != first.id and secretfile.read(path).kept == {}


def test_who_takes_the_nearest_address_stays_when_another_one_is_nearer(tmp_path):
    xy = PLACES[:60] + (7.0, 0.0)
    same = {"K": 6, "WITHIN": 100.0}
    first = {"CANDIDATES": addresses(0), "SECRET_FILE": str(tmp_path / "s.json")}
    before = run("maskexchange", {"INPUT": people(xy, np.arange(60)), **KEPT, **same, **first})
    other = layer(np.concatenate([ADDRESSES[60:], xy[:30] + (1.0, 1.0)]))
    again = {"CANDIDATES": other, "SECRET": before["SECRET_FILE"]}
    done = run("maskexchange", {"INPUT": people(xy, np.arange(60)), **KEPT, **same, **again})
    found = released_places(done)
    was = released_places(before)
    assert len(found) >= 50 and all(was[one] == place for one, place in found.items())
