# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskadaptivevoronoi in QGIS."""

import json

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.masking import secretfile
from geoanon_qgis.core.masking.adaptive_voronoi import adaptive_voronoi
from geoanon_qgis.core.masking.public_areas import Population, ZoneAreas
from geoanon_qgis.core.space.street_network import street_network
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
WEST, SOUTH, SIDE = 398_000, 298_000, 500.0
PLACES = points(max(GROWTH), seed=3, size=3000)
COUNT = len(PLACES)
PEOPLE = np.random.default_rng(6).integers(0, 90, 64)
K = 200


def squares():
    """64 zones."""
    low = np.stack(np.meshgrid(np.arange(8), np.arange(8)), -1).reshape(-1, 2) * SIDE
    low = low + (WEST, SOUTH)
    return shapely.box(*low.T, *(low + SIDE).T)


def zones(crs=GRID, shapes=None, number=PEOPLE, name="zones"):
    shapes = squares() if shapes is None else shapes
    rows = [(None if one is None else int(one),) for one in number]
    return layer([one.wkt for one in shapes], crs, "Polygon", "people:int", rows, name)


def lines(gap=130.0):
    side = np.arange(WEST + 7, WEST + 4000, gap), np.arange(SOUTH + 7, SOUTH + 4000, gap)
    across = [[(x, SOUTH), (x, SOUTH + 4000)] for x in side[0]]
    return shapely.linestrings([*across, *([(WEST, y), (WEST + 4000, y)] for y in side[1])])


def streets(crs=GRID):
    return layer([line.wkt for line in lines()], crs, "LineString", name="streets")


def everybody(xy=PLACES, crs=GRID):
    return people(xy, np.arange(len(xy)), crs)


def given(**more):
    own = zones()
    parameters = {"ZONES": own, "POPULATION": own, "POPULATION_FIELD": "people", "K": K, **more}
    return {"INPUT": everybody(), "OUTPUT": "TEMPORARY_OUTPUT", **parameters}


def mask(**more):
    return run("maskadaptivevoronoi", given(**more))


def refused(**more):
    return refusal("maskadaptivevoronoi", given(**more))


def in_order(done):
    found = released_places(done)
    return np.array([found[1000 + row] for row in range(COUNT)])


KEYED = {"KEY": "TEMPORARY_OUTPUT", "ID_FIELD": "person"}


@pytest.mark.parametrize("inside", [True, False])
def test_points_go_where_the_engine_takes_them(tmp_path, inside):
    secret = secretfile.SecretFile.new(GRID, None)
    secretfile.write(secret, tmp_path / "s.json")
    more = {"SECRET": str(tmp_path / "s.json"), "KEEP_INSIDE": inside, **KEYED}
    done = mask(STREETS=streets(), **more)
    areas = ZoneAreas.merged(squares(), Population.in_polygons(squares(), PEOPLE), K)
    area = areas.locate(PLACES)
    crossings = street_network(lines()).crossings
    made = adaptive_voronoi(
        PLACES, areas.shapes, area, secret.bytes, "maskadaptivevoronoi", crossings, inside
    )
    assert in_order(done).tolist() == made.xy.tolist()
    assert (done["COUNT"], done["WITHHELD_COUNT"]) == (COUNT, 0)
    assert (done["AREAS_COUNT"], done["KEPT"]) == (len(areas), 0)
    assert done["OUTSIDE"] == made.outside.sum() and (done["OUTSIDE"] == 0) == inside
    assert done["DECISION"] == "not_tested"


def test_merged_areas_hold_k_by_a_brute_force_union(tmp_path):
    done = mask(AREAS=str(tmp_path / "areas.gpkg"), MASK="TEMPORARY_OUTPUT")
    told = records(done["AREAS"])
    shapes = [
        shapely.from_wkb(bytes(one.geometry().asWkb()))
        for one in opened(done["AREAS"]).getFeatures()
    ]
    centres = shapely.centroid(squares())
    counted, held = np.zeros(64, dtype=int), []
    for shape, row in zip(shapes, told):
        own = shapely.contains(shape, centres)
        counted += own
        held.append(PEOPLE[own].sum())
        assert row["people"] == held[-1] and row["zones"] == own.sum() and not row["apart"]
        assert shapely.area(shape) == pytest.approx(own.sum() * SIDE**2)
        assert row["records"] == shapely.contains_xy(shape, PLACES).sum()
    assert (counted == 1).all() and min(held) >= K
    assert done["LEAST_PEOPLE"] == min(held) and done["AREAS_COUNT"] == len(shapes)
    told = pointmask.read(done["MASK"])
    assert (told.law, told.parameters) == ("adaptive voronoi", {"K": K, "KEEP_INSIDE": True})
    assert [one.parameter for one in told.layers] == ["ZONES", "POPULATION"]


def test_people_can_be_an_address_list():
    addresses = points(4000, seed=9, size=3900)
    done = mask(POPULATION=layer(addresses), POPULATION_FIELD=None, AREAS="TEMPORARY_OUTPUT")
    assert done["LEAST_PEOPLE"] >= K
    assert sum(row["people"] for row in records(done["AREAS"])) == len(addresses)


def test_a_growing_registry_moves_nobody_with_the_secret_file(tmp_path):
    given = {"ZONES": zones(), "POPULATION": zones(), "POPULATION_FIELD": "people", "K": K}
    found = grow("maskadaptivevoronoi", PLACES, tmp_path, STREETS=streets(), **given)
    assert_nobody_moved(found)
    kept = json.loads((tmp_path / "secret_2.json").read_text())["kept"]["maskadaptivevoronoi"]
    assert sum(len(one["xy"]) * 3 // 4 // 16 for one in kept["lists"]) == COUNT
    # Nothing in it is the place of a record.
    text = (tmp_path / "secret_2.json").read_text()
    assert not [one for one in PLACES.ravel().tolist() if repr(one) in text]


def test_without_it_points_move_and_the_report_says_so(tmp_path):
    one = in_order(mask(STREETS=streets(), **KEYED))
    few = mask(
        INPUT=everybody(PLACES[:40]), STREETS=streets(), JSON=str(tmp_path / "r.json"), **KEYED
    )
    found = released_places(few)
    moved = sum(found[1000 + row] != tuple(one[row].tolist()) for row in range(40))
    assert moved > 5
    assert "A file that grows moves its points" in (tmp_path / "r.json").read_text()


def test_another_k_with_a_kept_release_is_refused(tmp_path):
    secret = str(tmp_path / "s.json")
    mask(SECRET_FILE=secret)
    said = refused(SECRET=secret, K=K + 1, KEEP_INSIDE=False)
    assert f"were released with K={K}, KEEP_INSIDE=True, and not with K={K + 1}" in said
    done = mask(SECRET=secret, ZONES=zones(shapes=squares()[::-1], number=PEOPLE[::-1]))
    assert done["KEPT"] == COUNT
    text = json.loads((tmp_path / "s.json").read_text())
    text["kept"]["maskadaptivevoronoi"]["lists"] = {"one": "two"}
    (tmp_path / "s.json").write_text(json.dumps(text))
    assert "makes no sense" in refused(SECRET=secret)


def test_nothing_private_is_released(tmp_path):
    own = zones()
    given = {"ZONES": own, "POPULATION": own, "POPULATION_FIELD": "people", "K": K}
    done = assert_audited("maskadaptivevoronoi", PLACES, tmp_path, STREETS=streets(), **given)
    assert done["COUNT"] == COUNT


def test_crossings_can_be_points_and_without_them_it_says_that_it_can_be_reversed(tmp_path):
    known = points(300, seed=12, size=3900)
    done = mask(CROSSINGS=layer(known))
    places = set(map(tuple, known.tolist()))
    assert set(map(tuple, coordinates(done["OUTPUT"]).tolist())) <= places
    bare = mask(JSON=str(tmp_path / "report.json"))
    assert any("more than 90 of 100" in one for one in bare.feedback.warnings)
    assert not any("more than 90 of 100" in one for one in done.feedback.warnings)
    told = (tmp_path / "report.json").read_text()
    assert "This mask can be reversed" in told
    figures = json.loads(told)["figures"]
    assert figures["on_border"] == bare["ON_BORDER"] > 0 == figures["outside"]
    assert figures["least_people"] == bare["LEAST_PEOPLE"]


def test_zones_in_another_system_hold_the_same_people():
    from qgis.core import QgsCoordinateReferenceSystem, QgsCoordinateTransform, QgsProject

    there = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem(GRID),
        QgsCoordinateReferenceSystem(DEGREES),
        QgsProject.instance(),
    )

    def moved(xy):
        found = [there.transform(x, y) for x, y in xy]
        return np.array([(one.x(), one.y()) for one in found])

    turned = zones(DEGREES, [shapely.transform(one, moved) for one in squares()])
    done = mask(ZONES=turned, POPULATION=turned, AREAS="TEMPORARY_OUTPUT")
    own = mask(AREAS="TEMPORARY_OUTPUT")
    people = sorted((row["people"], row["records"]) for row in records(own["AREAS"]))
    found = sorted((row["people"], row["records"]) for row in records(done["AREAS"]))
    assert [round(one, 3) for one, _ in found] == pytest.approx([one for one, _ in people], abs=0.1)


def test_who_cannot_be_masked_is_withheld_and_counted():
    on_border = [WEST + 1000.0, SOUTH + 100.0]
    xy = np.concatenate([PLACES[:40], [[0.0, 0.0], on_border]])
    whole = [shapely.box(WEST, SOUTH, WEST + 1000, SOUTH + 4000)]
    whole.append(shapely.box(WEST + 1000, SOUTH, WEST + 4000, SOUTH + 4000))
    own = zones(shapes=whole, number=[500, 900])
    given = {"ZONES": own, "POPULATION": own, "K": 300, "ID_FIELD": "person"}
    done = mask(INPUT=everybody(xy), WITHHELD="TEMPORARY_OUTPUT", **given)
    why = {int(row["original_id"]): row["why"] for row in records(done["WITHHELD"])}
    assert why == {1040: "no zone", 1041: "not moved"} and done["WITHHELD_COUNT"] == 2
    west = layer([(WEST + 500.0, SOUTH + 2000.0)])
    done = mask(INPUT=everybody(xy), WITHHELD="TEMPORARY_OUTPUT", CROSSINGS=west, **given)
    why = [row["why"] for row in records(done["WITHHELD"])]
    assert why.count("no crossing") == (PLACES[:40, 0] > WEST + 1000).sum() > 0


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"K": 100_000}, "together hold"),
        ({"K": 1}, "K"),
        ({"POPULATION_FIELD": None}, "choose the field with the number"),
        ({"INPUT": "POPULATION"}, "not public"),
        ({"INPUT": "CROSSINGS"}, "not public"),
        ({"STREETS": "both"}, "either STREETS or CROSSINGS"),
        ({"STREETS": "apart"}, "have no crossing"),
        ({"ZONES": "far"}, "No record lies in any of the zones"),
        ({"POPULATION": "missing"}, "no number of people"),
    ],
)
def test_what_makes_no_mask_is_refused(more, said):
    (name, value) = next(iter(more.items()))
    apart = [line for line in lines()[:5]]
    far = shapely.transform(squares(), lambda xy: xy + 50_000)
    layers = {
        "both": {"STREETS": streets(), "CROSSINGS": layer(PLACES)},
        "apart": {"STREETS": layer([one.wkt for one in apart], GRID, "LineString")},
        "far": {"ZONES": zones(shapes=far), "POPULATION": zones(shapes=far)},
        "missing": {"POPULATION": zones(number=[None, *PEOPLE[1:]])},
    }
    if name == "INPUT":
        own = everybody()
        more = {"INPUT": own, value: own, "POPULATION_FIELD": None}
    assert said in refused(**layers.get(value, more))
