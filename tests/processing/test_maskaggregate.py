# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskaggregate in QGIS."""

import html

import numpy as np
import pytest
import shapely
from pyproj import Transformer

from geoanon_qgis.core.masking import secretfile
from geoanon_qgis.core.masking.aggregation import RANDOM, aggregate
from geoanon_qgis.core.masking.lattice import Lattice
from geoanon_qgis.core.masking.public_areas import CellAreas, Population, ZoneAreas
from geoanon_qgis.core.verification import pointmask
from tests.processing.helpers import (
    DEGREES,
    GRID,
    coordinates,
    layer,
    opened,
    points,
    records,
    refusal,
    run,
)
from tests.processing.kept_masks import (
    GROWTH,
    assert_audited,
    assert_nobody_moved,
    grow,
    people,
    released_places,
)

pytestmark = pytest.mark.usefixtures("project")
PLACES = points(max(GROWTH), seed=3, size=4000)
COUNT = len(PLACES)
ADDRESSES = points(900, seed=4, size=4000)
METHODS = ("grid", "hexagons", "zones", "merged")
SECRET = {"KEY": "TEMPORARY_OUTPUT", "ID_FIELD": "person"}


def everybody(count=COUNT, crs=GRID, xy=PLACES):
    return people(xy, np.arange(count), crs)


def box(west, south, wide, high):
    return f"POLYGON (({west} {south},{west + wide} {south},{west + wide} {south + high},{west} {south + high},{west} {south}))"


def tiling(rng=None):
    """Strips and squares round the places, with people, in any order."""
    boxes = [box(397_900 + 600 * i, 297_900, 600, 4200) for i in range(3)]
    boxes += [
        box(399_700 + 400 * i, 297_900 + 420 * j, 400, 420) for i in range(6) for j in range(10)
    ]
    numbers = [(50,), (0,), (7,), *((int(n),) for n in range(60))]
    order = np.arange(len(boxes)) if rng is None else rng.permutation(len(boxes))
    boxes, numbers = [boxes[i] for i in order], [numbers[i] for i in order]
    return layer(boxes, kind="Polygon", fields="people:int", rows=numbers, name="zones")


def shapes_of(a_layer):
    return shapely.from_wkb([bytes(f.geometry().asWkb()) for f in opened(a_layer).getFeatures()])


def given(method="grid", **more):
    found = {"INPUT": everybody(), "METHOD": method, "OUTPUT": "TEMPORARY_OUTPUT"}
    if method in ("zones", "merged"):
        zones = tiling()
        found["ZONES"] = zones
        if method == "merged":
            found |= {"POPULATION": zones, "POPULATION_FIELD": "people"}
    return {**found, **more}


def mask(method="grid", **more):
    return run("maskaggregate", given(method, **more))


def refused(method="grid", **more):
    return refusal("maskaggregate", given(method, **more))


# --- where points go ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("place", ["centre", "random"])
def test_the_points_are_those_of_the_engine(method, place, tmp_path):
    secret = secretfile.SecretFile.new(GRID, None)
    secretfile.write(secret, tmp_path / "s.json")
    done = mask(
        method,
        PLACE=place,
        SECRET=str(tmp_path / "s.json"),
        MASK=str(tmp_path / "m.json"),
        **SECRET,
    )
    zones = shapes_of(tiling())
    counts = Population.in_polygons(zones, [50, 0, 7, *range(60)])
    areas = {
        "zones": lambda: ZoneAreas.of_zones(zones),
        "merged": lambda: ZoneAreas.merged(zones, counts, 20),
    }.get(method, lambda: CellAreas.of(Lattice(method, 500), PLACES))()
    wanted = aggregate(PLACES, areas, None, place, secret.bytes, "maskaggregate")
    found = released_places(done)
    assert [found[1000 + row] for row in range(COUNT)] == list(map(tuple, wanted.xy.tolist()))
    assert (done["COUNT"], done["WITHHELD_COUNT"]) == (COUNT, 0)
    assert (done["AREA_COUNT"], done["ALONE"]) == (len(wanted.used), wanted.alone.sum())
    told = pointmask.read(tmp_path / "m.json")
    assert (told.mask, told.law) == ("maskaggregate", f"aggregation {method}")
    assert told.parameters["PLACE"] == place and ("K" in told.parameters) == (method == "merged")


def test_cells_with_few_addresses_release_nothing_and_zones_outside_neither():
    done = mask(
        SIDE=250.0,
        POPULATION=layer(ADDRESSES),
        K=4,
        WITHHELD="TEMPORARY_OUTPUT",
        AREAS="TEMPORARY_OUTPUT",
    )
    cells = np.floor(ADDRESSES / 250).astype(int).tolist()
    few = [cells.count(cell) < 4 for cell in np.floor(PLACES / 250).astype(int).tolist()]
    assert done["WITHHELD_COUNT"] == sum(few) > 0 and done["COUNT"] == COUNT - sum(few) > 0
    assert {row["original_id"] for row in records(done["WITHHELD"])} == {
        row + 1 for row in np.flatnonzero(few)
    }
    assert {row["why"] for row in records(done["WITHHELD"])} == {"too few"}
    for row, shape in zip(records(done["AREAS"]), shapes_of(done["AREAS"])):
        inside = shapely.contains_xy(shape, *ADDRESSES.T).sum()
        assert row["people"] == inside >= 4 and row["enough"] == 1 and row["zones"] == 1
    half = layer([box(397_000, 297_000, 3000, 6000)], kind="Polygon")
    done = mask("zones", ZONES=half, WITHHELD="TEMPORARY_OUTPUT")
    assert done["WITHHELD_COUNT"] == (PLACES[:, 0] > 400_000).sum()
    assert {row["why"] for row in records(done["WITHHELD"])} == {"outside"}


def test_the_layer_of_areas_tells_of_no_record_that_is_withheld():
    """Cells of the release alone; of zones all, whether anybody is there or not."""
    done = mask(SIDE=250.0, POPULATION=layer(ADDRESSES), K=4, AREAS="TEMPORARY_OUTPUT")
    released = np.unique(coordinates(done["OUTPUT"]), axis=0)
    cells = shapes_of(done["AREAS"])
    assert len(cells) == done["AREA_COUNT"] == len(released)
    centres = shapely.get_coordinates(shapely.centroid(cells))
    assert np.array_equal(np.unique(centres, axis=0), released)
    for source in (everybody(), everybody(3)):
        done = mask(
            "zones",
            INPUT=source,
            POPULATION=tiling(),
            POPULATION_FIELD="people",
            K=5,
            AREAS="TEMPORARY_OUTPUT",
        )
        assert [row["people"] for row in records(done["AREAS"])] == sorted_people()
        assert sum(row["enough"] for row in records(done["AREAS"])) == 57
    done = mask("merged", AREAS="TEMPORARY_OUTPUT", K=30)
    rows = records(done["AREAS"])
    assert min(row["people"] for row in rows) >= 30
    assert sum(row["zones"] for row in rows) == 63 and {row["apart"] for row in rows} == {0}
    whole = shapely.union_all(shapes_of(tiling()))
    assert shapely.area(shapes_of(done["AREAS"])).sum() == pytest.approx(whole.area)


def sorted_people():
    """Numbers of the zones by their extent, as areas are numbered."""
    zones = shapes_of(tiling())
    order = sorted(range(len(zones)), key=lambda at: shapely.bounds(zones[at]).tolist())
    return [[50, 0, 7, *range(60)][at] for at in order]


def test_an_island_is_joined_and_marked():
    boxes = [box(398_000, 298_000, 4000, 4000), box(410_000, 298_000, 100, 100)]
    zones = layer(boxes, kind="Polygon", fields="people:int", rows=[(500,), (3,)])
    done = mask(
        "merged",
        ZONES=zones,
        POPULATION=zones,
        POPULATION_FIELD="people",
        AREAS="TEMPORARY_OUTPUT",
        REPORT="TEMPORARY_OUTPUT",
    )
    (row,) = records(done["AREAS"])
    assert (row["zones"], row["apart"], row["people"]) == (2, 1, 503)
    with open(done["REPORT"], encoding="utf-8") as file:
        assert "Some areas lie apart" in html.unescape(file.read())


def test_areas_round_sites_and_those_with_few_records():
    done = mask(
        "sites",
        POPULATION=layer(ADDRESSES),
        SITE_ADDRESSES=60,
        K=20,
        K_RECORDS=4,
        WITHHELD="TEMPORARY_OUTPUT",
        AREAS="TEMPORARY_OUTPUT",
        REPORT="TEMPORARY_OUTPUT",
    )
    shapes = shapes_of(done["AREAS"])
    inside = np.array([shapely.contains_xy(one, *PLACES.T).sum() for one in shapes])
    people = np.array([shapely.contains_xy(one, *ADDRESSES.T).sum() for one in shapes])
    assert [row["people"] for row in records(done["AREAS"])] == people.tolist()
    assert done["COUNT"] == inside[(inside >= 4) & (people >= 20)].sum() < COUNT
    reasons = [row["why"] for row in records(done["WITHHELD"])]
    assert reasons.count("too few records") == inside[(inside < 4) & (people >= 20)].sum() > 0
    _, many = np.unique(coordinates(done["OUTPUT"]), axis=0, return_counts=True)
    assert many.min() >= 4
    with open(done["REPORT"], encoding="utf-8") as file:
        page = html.unescape(file.read())
    assert "records at fewer than 4 places" in page and "The records had no part in it" in page


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "METHOD=sites needs POPULATION"),
        ({"POPULATION": lambda: layer(ADDRESSES), "ZONES": tiling}, "METHOD=zones or merged only"),
        ({"POPULATION": lambda: layer(ADDRESSES), "SITE_ADDRESSES": 901}, "901"),
        (
            {"POPULATION": lambda: layer(ADDRESSES), "K_RECORDS": 3, "PLACE": "random"},
            "K_RECORDS goes with PLACE=centre",
        ),
        ({"POPULATION": tiling, "POPULATION_FIELD": "people"}, "POPULATION as points"),
    ],
)
def test_sites_that_cannot_be_get_a_sentence(more, said):
    more = {name: value() if callable(value) else value for name, value in more.items()}
    assert said in refused("sites", **more)


# --- planes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("crs", [DEGREES, "EPSG:3857"])
def test_areas_do_not_depend_on_who_else_is_there(method, crs):
    """Neither on the middle of the points, which other masks' plane is made round."""
    xy = points(60, seed=2, size=0.5, centre=(10.4, 50.0))
    far = np.concatenate([xy[:20], xy[20:] + (6.0, 5.0)])
    zones = [box(9 + 0.2 * i, 49 + 0.2 * j, 0.2, 0.2) for i in range(45) for j in range(35)]
    counts = [((7 * i) % 11,) for i in range(len(zones))]
    if crs != DEGREES:
        there = Transformer.from_crs(DEGREES, crs, always_xy=True)
        xy, far = (np.stack(there.transform(*some.T), axis=1) for some in (xy, far))
    more = {"SIDE": 5000.0, **SECRET}
    if method in ("zones", "merged"):
        more["ZONES"] = layer(zones, crs=DEGREES, kind="Polygon", fields="people:int", rows=counts)
    if method == "merged":
        more |= {"POPULATION": more["ZONES"], "POPULATION_FIELD": "people", "K": 8}
    one = released_places(mask(method, INPUT=everybody(20, crs, xy), **more))
    other = released_places(mask(method, INPUT=everybody(60, crs, far), **more))
    assert len(one) == 20
    for person, place in one.items():
        assert np.abs(np.subtract(other[person], place)).max() < 1e-7 * np.abs(xy).max() / 50


def test_cells_in_degrees_are_those_of_the_grid_of_the_globe():
    xy = points(50, seed=2, size=0.5, centre=(10.4, 50.0))
    done = mask(INPUT=everybody(50, DEGREES, xy), SIDE=1000.0, AREAS="TEMPORARY_OUTPUT", **SECRET)
    globe = Transformer.from_crs(DEGREES, "EPSG:6933", always_xy=True)
    centres = (np.floor(np.stack(globe.transform(*xy.T), axis=1) / 1000) + 0.5) * 1000
    wanted = np.stack(globe.transform(*centres.T, direction="INVERSE"), axis=1)
    found = released_places(done)
    got = np.array([found[1000 + row] for row in range(50)])
    assert np.abs(got - wanted).max() < 1e-8
    assert opened(done["AREAS"]).crs().authid() == "EPSG:6933"
    assert shapely.area(shapes_of(done["AREAS"])) == pytest.approx(1e6)


def test_metres_are_metres_in_feet_and_units_without_a_system():
    feet = points(60, seed=9, size=1e4, centre=(1e6, 2e5))
    foot = 1200 / 3937
    done = mask(INPUT=everybody(60, "EPSG:2263", feet), SIDE=500.0)
    cell = 500 / foot
    assert coordinates(done["OUTPUT"]) / cell % 1 == pytest.approx(np.full((60, 2), 0.5))
    done = mask(INPUT=everybody(60, "", feet), SIDE=500.0)
    assert coordinates(done["OUTPUT"]) / 500 % 1 == pytest.approx(np.full((60, 2), 0.5))


# --- the secret -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("place", ["centre", "random"])
def test_a_growing_registry_keeps_its_points(method, place, tmp_path):
    more = given(method, PLACE=place)
    assert_nobody_moved(
        grow("maskaggregate", PLACES, tmp_path, **{k: v for k, v in more.items() if k != "INPUT"})
    )


def test_a_growing_registry_in_degrees_keeps_its_points(tmp_path):
    xy = points(max(GROWTH), seed=2, size=0.5, centre=(10.4, 50.0))
    xy[GROWTH[1] :] += (1.5, 2.5)
    assert_nobody_moved(grow("maskaggregate", xy, tmp_path, DEGREES, SIDE=9000.0, PLACE=RANDOM))


def test_the_order_of_public_rows_moves_nobody(tmp_path):
    rng = np.random.default_rng(1)
    for method in ("zones", "merged"):
        first = mask(method, **SECRET, SECRET_FILE=str(tmp_path / f"{method}.json"))
        one = released_places(first)
        zones = tiling(rng)
        more = {"ZONES": zones}
        if method == "merged":
            more["POPULATION"] = zones
        again = mask(method, **SECRET, **more, SECRET=first["SECRET_FILE"])
        assert released_places(again) == one
        assert not any("in another way before" in said for said in again.feedback.warnings)
    people = [(int(row["people"]) + 1,) for row in records(zones)]
    boxes = [feature.geometry() for feature in zones.getFeatures()]
    grown = layer(boxes, kind="Polygon", fields="people:int", rows=people)
    other = mask("merged", POPULATION=grown, SECRET=first["SECRET_FILE"])
    assert any("in another way before" in said for said in other.feedback.warnings)


def test_only_what_is_drawn_asks_for_its_secret_to_be_kept():
    kept = [
        any("is not kept" in one for one in mask(PLACE=place).feedback.warnings)
        for place in ("centre", "random")
    ]
    assert kept == [False, True]


def test_the_bytes_of_the_release_hold_nothing_of_the_secret(tmp_path):
    done = assert_audited("maskaggregate", PLACES, tmp_path, PLACE="random", SIDE=200.0)
    assert done["COUNT"] == COUNT


# --- the report -----------------------------------------------------------------------------------


def told(tmp_path, method="grid", **more):
    mask(method, REPORT=str(tmp_path / "r.html"), **more)
    return html.unescape((tmp_path / "r.html").read_text(encoding="utf-8"))


def test_the_report_says_what_the_mask_does_not_protect(tmp_path):
    page = told(tmp_path, SIDE=250.0)
    assert "Nobody counted who lives in the areas" in page
    assert "records are alone there" in page and "K counts what the population" not in page
    page = told(tmp_path, SIDE=4000.0, POPULATION=layer(ADDRESSES), K=10)
    assert "K counts what the population counts" in page and "Nobody counted" not in page
    assert "alone there" not in page
    page = told(tmp_path, "merged", K=40)
    assert "Kounadi, O. and Leitner, M. (2016)" in page and "until each area held 40" in page


def test_the_report_says_how_large_cells_of_the_globe_are(tmp_path):
    xy = points(50, seed=2, size=0.1, centre=(10.4, 60.0))
    page = told(tmp_path, INPUT=everybody(50, DEGREES, xy), SIDE=1000.0)
    # cos 60° / cos 30° = 0.577
    assert "about 577 m wide and 1,73" in page


# --- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method, wrong, said",
    [
        ("grid", {"SIDE": 0}, "SIDE) must be a positive distance"),
        ("hexagons", {"SIDE": -5}, "SIDE) must be a positive distance"),
        ("grid", {"ZONES": "tiling"}, "is used with METHOD=zones or merged only"),
        ("zones", {"ZONES": None}, "METHOD=zones needs ZONES"),
        ("merged", {"POPULATION": None}, "METHOD=merged needs POPULATION"),
        ("merged", {"K": 1}, "K"),
        ("merged", {"K": 10**6}, "hold 1,827, fewer than the 1,000,000"),
        ("merged", {"POPULATION_FIELD": None}, "has polygons: choose the field"),
        ("grid", {"SIDE": 1e-12}, "cells are too small"),
    ],
)
def test_what_does_not_go_together_is_a_sentence(method, wrong, said):
    wrong = {k: tiling() if v == "tiling" else v for k, v in wrong.items()}
    assert said in refused(method, **wrong)


def test_layers_that_do_not_fit_are_a_sentence():
    assert "no record with a usable place" in refused(INPUT=everybody(0))
    own = everybody()
    assert "is the layer of the points themselves" in refused(INPUT=own, POPULATION=own)
    far = layer([box(0, 0, 10, 10)], kind="Polygon")
    assert "No record lies in any of the zones" in refused("zones", ZONES=far)
    negative = layer(ADDRESSES, fields="people:int", rows=[(-1,)] * len(ADDRESSES))
    said = refused(POPULATION=negative, POPULATION_FIELD="people")
    assert "numbers of the population are negative" in said
    words = layer(ADDRESSES, fields="people:string", rows=[("many",)] * len(ADDRESSES))
    said = refused(POPULATION=words, POPULATION_FIELD="people")
    assert "missing or no finite numbers" in said
    nobody = layer([box(0, 0, 10, 10)], kind="Polygon", fields="people:int", rows=[(None,)])
    said = refused("zones", POPULATION=nobody, POPULATION_FIELD="people")
    assert "holds no number of people" in said
    said = refused(SIDE=250.0, POPULATION=layer(ADDRESSES[:3]), K=20)
    assert said.startswith("No record can be released.") and "fewer than 20" in said
    assert "1 at least are needed" in refused(POPULATION=layer(np.empty((0, 2))))
    empty = layer([None], kind="Polygon")
    assert "has no polygon with a size" in refused("zones", ZONES=empty)
