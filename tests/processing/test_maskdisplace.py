# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskdisplace in QGIS."""

import json

import numpy as np
import pytest
from osgeo import gdal, osr
from scipy.spatial import cKDTree
from scipy.stats import binomtest, kstest

from geoanon_qgis.core.masking import secretfile
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Gaussian
from geoanon_qgis.core.verification import pointmask
from tests.processing.helpers import (
    DEGREES,
    GRID,
    coordinates,
    ends,
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
LAWS = ("disc", "donut", "gaussian", "bimodal", "laplace")


def everybody(count=COUNT, crs=GRID, xy=PLACES):
    return people(xy, np.arange(count), crs)


def mask(source=None, **more):
    source = everybody() if source is None else source
    return run("maskdisplace", {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT", **more})


def refused(**more):
    return refusal("maskdisplace", {"INPUT": everybody(), "OUTPUT": "TEMPORARY_OUTPUT", **more})


def square(west, south, side):
    east, north = west + side, south + side
    return f"POLYGON (({west} {south},{east} {south},{east} {north},{west} {north},{west} {south}))"


def shifts(done):
    lines = ends(done["SHIFTS"])
    return np.hypot(*(lines[:, 1] - lines[:, 0]).T)


# --- the law ------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS)
def test_one_click_moves_everybody_by_the_law(law, tmp_path):
    done = mask(LAW=law, SHIFTS="TEMPORARY_OUTPUT", MASK=str(tmp_path / "mask.json"))
    assert (done["COUNT"], done["WITHHELD_COUNT"]) == (len(PLACES), 0)
    assert done["DECISION"] == "not_tested"
    moved = shifts(done)
    assert moved.min() > 0
    told = pointmask.read(tmp_path / "mask.json")
    assert (told.mask, told.law, told.parameters["SIZE_BY"]) == ("maskdisplace", law, "distance")
    if law == "disc":
        assert moved.max() <= 500
    if law == "donut":
        assert 100 <= moved.min() and moved.max() <= 500
    assert told.counts["records"] == told.counts["released"] == len(PLACES)


def test_the_points_are_those_of_the_engine(tmp_path):
    secret = secretfile.SecretFile.new(GRID, None)
    secretfile.write(secret, tmp_path / "s.json")
    done = mask(
        SECRET=str(tmp_path / "s.json"), MAX=80.0, KEY="TEMPORARY_OUTPUT", ID_FIELD="person"
    )
    wanted = displace(PLACES, Gaussian(80.0), secret.bytes, "maskdisplace").xy
    found = released_places(done)
    assert [found[1000 + row] for row in range(len(PLACES))] == list(map(tuple, wanted.tolist()))


def test_metres_are_metres_in_degrees_and_in_feet(tmp_path):
    many = points(2000, seed=8, size=1.0, centre=(11.5, 48.5))
    done = mask(everybody(2000, DEGREES, many), LAW="disc", MAX=300.0, SHIFTS="TEMPORARY_OUTPUT")
    moved = np.array([row["shift_m"] for row in records(done["SHIFTS"])])
    # of a disc, the square of the distance is uniform
    assert kstest((moved / 300.0) ** 2, "uniform").pvalue > 1e-3
    feet = points(2000, seed=9, size=1e5, centre=(2e6, 7e5))
    done = mask(
        everybody(2000, "EPSG:2263", feet), LAW="disc", MAX=300.0, SHIFTS="TEMPORARY_OUTPUT"
    )
    moved = np.array([row["shift_m"] for row in records(done["SHIFTS"])])
    assert kstest((moved / 300.0) ** 2, "uniform").pvalue > 1e-3


def test_who_lies_far_from_the_plane_of_the_secret_is_told_to_move_less(tmp_path):
    near = points(300, seed=8, size=0.1, centre=(5.3, 52.1))
    more = {"LAW": "disc", "MAX": 500.0, "SHIFTS": "TEMPORARY_OUTPUT"}
    first = mask(everybody(300, DEGREES, near), SECRET_FILE=str(tmp_path / "s.json"), **more)
    assert "move less than was asked for" not in first.feedback.said
    far = points(300, seed=8, size=0.1, centre=(-70.0, 10.0))
    done = mask(everybody(300, DEGREES, far), SECRET=first["SECRET_FILE"], **more)
    assert max(row["shift_m"] for row in records(done["SHIFTS"])) < 330
    assert "a metre of the mask is 0.65 m on the ground there" in done.feedback.said
    own = mask(everybody(300, DEGREES, far), **more)
    assert "move less than was asked for" not in own.feedback.said


def test_people_of_one_place_move_together():
    twice = np.repeat(PLACES[:30], 3, axis=0)
    done = mask(everybody(90, xy=twice))
    assert len(np.unique(coordinates(done["OUTPUT"]), axis=0)) == 30
    assert "from another one" not in done.feedback.said


def test_a_home_with_coordinates_that_are_not_quite_the_same_is_told():
    twice = np.concatenate([PLACES[:30], PLACES[:2] + 1e-9, PLACES[5:6] + 0.4])
    done = mask(everybody(33, xy=twice))
    # What is no millimetre apart is one place.
    assert len(np.unique(coordinates(done["OUTPUT"]), axis=0)) == 31
    assert "6 places lie less than 1 m from another one" in done.feedback.said
    degrees = np.array([[11.5, 48.5], [11.5, 48.500001], [11.6, 48.5]])
    said = mask(everybody(3, DEGREES, degrees)).feedback.said
    assert "2 places lie less than 1 m from another one" in said


def test_towns_and_a_random_share_in_the_country_as_in_the_surveys(tmp_path):
    many = points(3000, seed=8, size=20_000)
    town = layer([square(390_000, 290_000, 10_000)], kind="Polygon")
    more = {"EVEN_BY": "radius", "MAX": 500.0, "URBAN_MAX": 200.0, "FAR_MAX": 1000.0}
    done = mask(
        everybody(3000, xy=many),
        LAW="disc",
        URBAN=town,
        FAR_SHARE=0.2,
        SHIFTS="TEMPORARY_OUTPUT",
        MASK=str(tmp_path / "mask.json"),
        **more,
    )
    lines = ends(done["SHIFTS"])
    moved = np.hypot(*(lines[:, 1] - lines[:, 0]).T)
    urban = (lines[:, 0] < (400_000, 300_000)).all(axis=1)
    assert 500 < urban.sum() < 1000 and moved[urban].max() <= 200
    assert kstest(moved[urban] / 200, "uniform").pvalue > 1e-3
    beyond = moved[~urban] > 500
    assert (
        moved.max() <= 1000 and kstest(moved[~urban][beyond], "uniform", (500, 500)).pvalue > 1e-3
    )
    assert binomtest(int(beyond.sum()), len(beyond), 0.2 * 0.5).pvalue > 1e-3
    told = pointmask.read(tmp_path / "mask.json")
    assert told.parameters == {"LAW": "disc", "SIZE_BY": "distance", "FAR_SHARE": 0.2, **more}
    assert [one.parameter for one in told.layers] == ["URBAN"]
    # Towns alone are discs of two sizes.
    done = mask(everybody(3000, xy=many), LAW="disc", URBAN=town, SHIFTS="TEMPORARY_OUTPUT", **more)
    assert 450 < shifts(done).max() <= 500


# --- sizes ----------------------------------------------------------------------------------------


def test_sizes_by_candidates_are_the_distances_to_the_kth():
    addresses = points(3000, seed=4, size=6000)
    done = mask(
        LAW="donut",
        SIZE_BY="candidates",
        CANDIDATES=layer(addresses),
        K_MIN=5,
        K_MAX=20,
        SHIFTS="TEMPORARY_OUTPUT",
        MASK="TEMPORARY_OUTPUT",
    )
    lines = ends(done["SHIFTS"])
    away = cKDTree(addresses).query(lines[:, 0], k=[5, 20])[0]
    moved = shifts(done)
    assert (moved >= away[:, 0] - 1e-6).all() and (moved <= away[:, 1] + 1e-6).all()
    told = pointmask.read(done["MASK"])
    (used,) = told.layers
    assert (used.parameter, used.count) == ("CANDIDATES", 3000)
    assert used.sha256 == pointmask.fingerprint(addresses[::-1])


def test_sizes_by_population_areas_hold_k_people():
    west, south = 398_000, 298_000
    areas = layer(
        [square(west, south, 4000), square(west + 9000, south, 100)],
        kind="Polygon",
        fields="people:int",
        rows=[(1600,), (9,)],  # a ten-thousandth of a person on a square metre
    )
    done = mask(
        LAW="disc",
        SIZE_BY="population",
        POPULATION=areas,
        POPULATION_FIELD="people",
        K_MAX=10,
        SHIFTS="TEMPORARY_OUTPUT",
    )
    radius = np.sqrt(10 / (np.pi * 1e-4))
    assert 0.8 * radius < shifts(done).max() <= radius


def raster(path, people):
    """A raster of 40 × 40 cells of 100 m round the places, with people in each."""
    made = gdal.GetDriverByName("GTiff").Create(str(path), 40, 40, 1, gdal.GDT_Float32)
    made.SetGeoTransform((398_000, 100, 0, 302_000, 0, -100))
    system = osr.SpatialReference()
    system.ImportFromEPSG(27700)
    made.SetProjection(system.ExportToWkt())
    band = made.GetRasterBand(1)
    band.SetNoDataValue(-1)
    band.WriteArray(people)
    made.FlushCache()
    return str(path)


def test_sizes_by_a_raster_and_cells_without_people_are_withheld(tmp_path):
    people = np.full((40, 40), 2.0, dtype=np.float32)
    people[:, :10] = -1  # no value: nobody
    done = mask(
        LAW="disc",
        SIZE_BY="raster",
        RASTER=raster(tmp_path / "people.tif", people),
        K_MAX=10,
        SHIFTS="TEMPORARY_OUTPUT",
        WITHHELD="TEMPORARY_OUTPUT",
        KEY="TEMPORARY_OUTPUT",
        ID_FIELD="person",
    )
    nowhere = PLACES[:, 0] < 399_000
    assert done["WITHHELD_COUNT"] == nowhere.sum() > 0
    assert done["COUNT"] == (~nowhere).sum()
    withheld = records(done["WITHHELD"])
    assert {row["why"] for row in withheld} == {"no size"}
    assert {row["original_id"] for row in withheld} == set(1000 + np.flatnonzero(nowhere))
    assert set(released_places(done)) == set(1000 + np.flatnonzero(~nowhere))
    radius = np.sqrt(10 / (np.pi * 2e-4))
    assert 0.8 * radius < shifts(done).max() <= radius


# --- zones ----------------------------------------------------------------------------------------


def test_points_stay_in_their_zone_out_of_the_water_and_others_are_withheld():
    zones = layer([square(398_000, 298_000, 2000), square(400_000, 300_000, 2000)], kind="Polygon")
    water = layer([square(400_500, 300_500, 1000)], kind="Polygon")
    done = mask(
        MAX=700.0,
        ZONES=zones,
        AVOID=water,
        SHIFTS="TEMPORARY_OUTPUT",
        WITHHELD="TEMPORARY_OUTPUT",
    )
    lines = ends(done["SHIFTS"])
    low = lines[:, :, 0] < 400_000
    assert (low[:, 0] == low[:, 1]).all()
    after = lines[:, 1]
    assert ((after >= 398_000) & (after <= 402_000))[:, 0].all()
    wet = (np.abs(after - (401_000, 301_000)) < 500).all(axis=1)
    assert not wet.any()
    north = (PLACES[:, 1] >= 300_000) == (PLACES[:, 0] >= 400_000)
    assert done["WITHHELD_COUNT"] == (~north).sum() > 0
    assert {row["why"] for row in records(done["WITHHELD"])} == {"no zone"}


def test_nothing_is_released_where_nothing_can_move():
    far = layer([square(0, 0, 10)], kind="Polygon")
    assert "No record lies in any of the zones" in refused(ZONES=far)
    drowned = layer([square(390_000, 290_000, 20_000)], kind="Polygon")
    said = refused(AVOID=drowned, LAW="disc", MAX=10.0)
    assert said.startswith("No record can be released.") and "nothing of the law" in said


def test_a_zone_that_projection_brings_to_nothing_is_left_out_and_told():
    x, y, wide = 11089498.157150857, 3270813.90201452, 11089498.157150859
    sliver = f"POLYGON(({x!r} {y!r},{wide!r} {y!r},{wide!r} {3270813.902014521!r},{x!r} {y!r}))"
    zones = layer([square(x, y, 9000), sliver], kind="Polygon", crs="EPSG:3857")
    xy = np.random.default_rng(5).uniform(2000, 7000, (20, 2)) + (x, y)
    done = mask(everybody(20, "EPSG:3857", xy), ZONES=zones)
    assert done["COUNT"] == 20
    assert "no polygon with a size, left out" in "\n".join(done.feedback.warnings)


# --- the secret -------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS)
def test_a_growing_registry_keeps_its_points(law, tmp_path):
    assert_nobody_moved(grow("maskdisplace", PLACES, tmp_path, LAW=law))


def test_a_growing_registry_in_degrees_keeps_its_plane(tmp_path):
    # The newcomers lie a degree to the north: the middle of all would be another one.
    xy = points(max(GROWTH), seed=2, size=0.5, centre=(10.4, 50.0))
    xy[GROWTH[1] :] += (1.5, 2.5)
    assert_nobody_moved(grow("maskdisplace", xy, tmp_path, DEGREES))


def test_a_growing_registry_with_candidates_and_zones_keeps_its_points(tmp_path):
    more = {
        "SIZE_BY": "candidates",
        "CANDIDATES": layer(points(2000, seed=4, size=6000)),
        "ZONES": layer([square(396_000, 296_000, 8000)], kind="Polygon"),
    }
    assert_nobody_moved(grow("maskdisplace", PLACES, tmp_path, **more))


def test_without_the_secret_everybody_is_drawn_anew(tmp_path):
    one, other = (
        released_places(mask(KEY="TEMPORARY_OUTPUT", ID_FIELD="person")) for _ in range(2)
    )
    assert all(one[person] != other[person] for person in one)


def test_another_way_with_the_same_secret_is_refused(tmp_path):
    first = mask(SECRET_FILE=str(tmp_path / "one.json"))
    again = mask(SECRET=first["SECRET_FILE"], SECRET_FILE=str(tmp_path / "two.json"))
    assert not any("in another way before" in one for one in again.feedback.warnings)
    said = refused(SECRET=again["SECRET_FILE"], MAX=600.0)
    assert "were released with MAX=500.0, and not with MAX=600.0. Take the same again" in said
    assert "with EPSILON=none, LAW=gaussian" in refused(SECRET=again["SECRET_FILE"], LAW="laplace")
    unkept = mask()
    assert any("is not kept" in one for one in unkept.feedback.warnings)


def test_the_bytes_of_the_release_hold_nothing_of_the_secret(tmp_path):
    done = assert_audited("maskdisplace", PLACES, tmp_path)
    assert done["COUNT"] == len(PLACES)


# --- refusals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given, said",
    [
        ({"LAW": "disc", "MAX": 0}, "The size (MAX) must be"),
        ({"LAW": "donut", "MIN": 500, "MAX": 500}, "must be zero or more, and below"),
        ({"LAW": "laplace", "EPSILON": 0}, "EPSILON must be a positive number"),
        ({"LAW": "laplace", "EPSILON": -1}, "EPSILON must be a positive number"),
        ({"FAR_SHARE": 0.01}, "FAR_SHARE is used with LAW=disc and SIZE_BY=distance only"),
        ({"LAW": "disc", "FAR_SHARE": 0.1, "FAR_MAX": 500.0}, "must be above the usual one (MAX)"),
        ({"SIZE_BY": "candidates"}, "SIZE_BY=candidates needs CANDIDATES"),
        ({"SIZE_BY": "raster"}, "SIZE_BY=raster needs RASTER"),
        ({"SIZE_BY": "population"}, "SIZE_BY=population needs POPULATION"),
    ],
)
def test_what_does_not_go_together_is_a_sentence(given, said):
    assert said in refused(**given)


def test_layers_that_do_not_fit_are_a_sentence(tmp_path):
    few = layer(points(10))
    assert "is used with SIZE_BY=candidates only" in refused(CANDIDATES=few)
    assert "fewer than the 100" in refused(SIZE_BY="candidates", CANDIDATES=few)
    own = everybody()
    said = refused(INPUT=own, SIZE_BY="candidates", CANDIDATES=own)
    assert "is the layer of the points themselves" in said
    donut = {"LAW": "donut", "SIZE_BY": "candidates", "CANDIDATES": few}
    assert "must be below the largest (K_MAX)" in refused(**donut, K_MIN=9, K_MAX=9)
    town = layer([square(0, 0, 10)], kind="Polygon")
    assert "URBAN is used with LAW=disc and" in refused(URBAN=town)
    assert "in towns (URBAN_MAX) must be" in refused(LAW="disc", URBAN=town, URBAN_MAX=0.0)
    empty = layer([square(0, 0, 10)], kind="Polygon", fields="people:int", rows=[(None,)])
    said = refused(SIZE_BY="population", POPULATION=empty, POPULATION_FIELD="people")
    assert "holds no number of people" in said


def test_secret_files_that_are_none_are_a_sentence(tmp_path):
    path = tmp_path / "s.json"
    path.write_text("nothing")
    assert "is no secret file that can be used" in refused(SECRET=str(path))
    good = secretfile.SecretFile.new(GRID, None)
    told = json.loads(good.as_json())
    path.write_text(json.dumps({**told, "secret": "abcd"}))
    said = refused(SECRET=str(path))
    assert "The secret has 2 bytes" in said and "abcd" not in said
    path.write_text(json.dumps({**told, "crs": "EPSG:25832"}))
    assert "belongs to points in EPSG:25832" in refused(SECRET=str(path))
    path.write_text(json.dumps({**told, "used": 3}))
    assert "holds nothing that makes sense as “used”" in refused(SECRET=str(path))


def test_support_is_the_circle_that_holds_nearly_all(tmp_path):
    done = mask(
        LAW="disc",
        MAX=100.0,
        SUPPORT=str(tmp_path / "support.gpkg"),
        SHIFTS="TEMPORARY_OUTPUT",
        ID_FIELD="person",
    )
    areas = list(opened(done["SUPPORT"]).getFeatures())
    assert len(areas) == len(PLACES)
    for one in areas:
        place = PLACES[one["original_id"] - 1000]
        middle = one.geometry().centroid().asPoint()
        assert np.hypot(middle.x() - place[0], middle.y() - place[1]) < 1e-6
        assert one.geometry().area() == pytest.approx(0.95 * np.pi * 100**2, rel=0.01)
