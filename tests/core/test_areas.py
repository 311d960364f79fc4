# SPDX-License-Identifier: GPL-2.0-or-later
"""Study areas: what is inside, how large it is, and that drawing in it is uniform on the ground."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.planes import equal_area_plane, stored_plane
from geoanon_qgis.core.space.rings import Within

pyproj = pytest.importorskip("pyproj")

DEGREES = "EPSG:4326"


def box(west, south, east, north):
    return np.array([[west, south], [east, south], [east, north], [west, north]], dtype=float)


def zone(south, north, width, geod):
    """Ground area between two parallels, from the authalic latitude."""
    e = np.sqrt(geod.es)

    def q(latitude):
        s = np.sin(np.radians(latitude))
        return (1 - geod.es) * (s / (1 - geod.es * s * s) + np.arctanh(e * s) / e)

    return geod.a**2 * np.radians(width) / 2 * (q(north) - q(south))


def inside_by_angles(rings, xy):
    """Even-odd by winding angles: no code in common with the index."""
    total = np.zeros(len(xy), dtype=int)
    for ring in rings:
        to = ring[None] - xy[:, None]
        angle = np.arctan2(to[..., 1], to[..., 0])
        turned = (np.roll(angle, -1, axis=1) - angle + np.pi) % (2 * np.pi) - np.pi
        total += np.rint(turned.sum(axis=1) / (2 * np.pi)).astype(int)
    return total % 2 == 1


def star(rng, count, centre, radius):
    angle = np.sort(rng.uniform(0, 2 * np.pi, count))
    length = radius * rng.uniform(0.3, 1, count)
    return np.asarray(centre) + np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None]


@given(st.integers(0, 10_000), st.integers(3, 60), st.booleans())
def test_inside_as_by_winding_angles(seed, count, closed):
    rng = np.random.default_rng(seed)
    rings = [star(rng, count, (0, 0), 10), star(rng, 5, (0, 0), 1), star(rng, 9, (40, 3), 4)]
    given_rings = [np.vstack([ring, ring[:1]]) for ring in rings] if closed else rings
    try:
        area = StudyArea.of_rings(given_rings, None)
    except InputError:
        return  # the hole may cover a star whose points leave a half free
    xy = rng.uniform((-12, -12), (45, 12), (300, 2))
    assert np.array_equal(area.contains(xy), inside_by_angles(rings, xy))
    drawn = area.sample(200, rng)
    assert drawn.shape == (200, 2) and area.contains(drawn).all()


def nested(rng, centre, radius, levels):
    """Rings that do not meet, some within others, either way round; coarse coordinates."""
    count = int(rng.integers(4, 20))
    angle = (np.arange(count) + rng.uniform(0, 0.5)) * 2 * np.pi / count
    length = radius * rng.uniform(0.8, 1, count)
    ring = np.asarray(centre) + np.stack([np.cos(angle), np.sin(angle)], axis=1) * length[:, None]
    found = [np.round(ring, 3)[:: int(rng.choice([1, -1]))]]
    if levels:
        inner = 0.79 * radius * np.cos(np.pi / count)
        for side in (-0.5, 0.5):
            if rng.random() < 0.7:
                at = (centre[0] + side * inner, centre[1])
                found += nested(rng, at, 0.45 * inner, levels - 1)
    return found


@given(st.integers(0, 10_000), st.booleans())
def test_rings_within_rings_as_by_winding_angles(seed, around):
    """Shells, holes and islands in any order and, in degrees, each in any turn of the globe."""
    rng = np.random.default_rng(seed)
    middle = 180.0 if around else 0.0
    rings = []
    for number in range(int(rng.integers(1, 5))):
        rings += nested(rng, (middle - 20 + 9 * number, rng.uniform(-3, 3)), 4, 3)
    order = rng.permutation(len(rings))
    turned = [rings[i] + (360.0 * rng.integers(-1, 2) * around, 0.0) for i in order]
    within = Within.of_rings(turned, 360.0 * around)
    xy = rng.uniform((middle - 26, -8), (middle + 26, 8), (400, 2))
    asked = xy + np.outer(360.0 * rng.integers(-3, 4, 400) * around, (1, 0))
    assert np.array_equal(within.contains(asked), inside_by_angles(rings, xy))
    held = [
        sum(inside_by_angles([rings[j]], rings[i][:1])[0] for j in range(len(rings)) if j != i)
        for i in order
    ]
    assert within.depth.tolist() == held
    # To another process and back.
    travelled = pickle.loads(pickle.dumps(within))  # noqa: S301  our own
    assert np.array_equal(travelled.contains(asked), within.contains(asked))


def test_border_and_vertices_belong_to_the_area():
    ring = box(0, 0, 4, 2)
    area = StudyArea.of_rings([ring, box(1, 0.5, 2, 1)], None)
    assert area.contains(ring).all()
    assert area.contains(np.array([[4.0, 1.3], [0.7, 0.0], [3.0, 2.0], [1.5, 0.5]])).all()
    outside = [[4.0000001, 1], [1.5, 0.75], [np.nan, 1], [np.inf, 1], [-1, 0], [9, 2]]
    assert not area.contains(np.array(outside)).any()


def test_even_odd_counts_holes_and_islands():
    rings = [box(0, 0, 10, 10), box(2, 2, 8, 8), box(4, 4, 6, 6), box(20, 0, 21, 1)]
    for order in ([0, 1, 2, 3], [3, 2, 1, 0]):
        area = StudyArea.of_rings([rings[i][:: 1 if i % 2 else -1] for i in order], None)
        assert area.area == pytest.approx(100 - 36 + 4 + 1)
        asked = np.array([[1, 1], [3, 3], [5, 5], [20.5, 0.5], [15, 0.5]])
        assert area.contains(asked).tolist() == [True, False, True, True, False]


@pytest.mark.parametrize(
    ("ring", "south", "north", "width"),
    [
        (box(5, 47, 15, 55), 47, 55, 10),
        (box(-180, 60, 180, 90), 60, 90, 360),
        (box(-180, -90, 180, -62), -90, -62, 360),
        (box(178, -20, -178, -15), -20, -15, 4),
        (box(0, 0, 0.01, 0.01), 0, 0.01, 0.01),
    ],
)
def test_area_on_the_ground(ring, south, north, width):
    area = StudyArea.of_rings([ring], DEGREES)
    expected = zone(south, north, width, pyproj.Geod(ellps="WGS84"))
    assert area.area == pytest.approx(expected, rel=2e-5)


def test_area_of_a_projected_ring_is_that_on_the_ground():
    # Web Mercator at 60 degrees: lengths twice, areas four times what they are.
    to = pyproj.Transformer.from_crs(4326, 3857, always_xy=True)
    (west, east), (south, north) = to.transform([10, 11], [59.5, 60.5])
    area = StudyArea.of_rings([box(west, south, east, north)], "EPSG:3857")
    assert area.area == pytest.approx(zone(59.5, 60.5, 1, pyproj.Geod(ellps="WGS84")), rel=2e-5)


def chi_square(counts, shares):
    expected = counts.sum() * shares
    return ((counts - expected) ** 2 / expected).sum()


@pytest.mark.parametrize("wkt", [DEGREES, "EPSG:3857"])
def test_drawing_is_uniform_on_the_ground_not_in_degrees(wkt):
    edges = np.linspace(0, 75, 11)
    ring = box(5, 0, 35, 75)
    to = pyproj.Transformer.from_crs(4326, wkt, always_xy=True)
    area = StudyArea.of_rings([np.stack(to.transform(*ring.T), axis=1)], wkt)
    drawn = area.sample(40_000, np.random.default_rng(5))
    lon, lat = to.transform(*drawn.T, direction="INVERSE")
    geod = pyproj.Geod(ellps="WGS84")
    shares = np.array([zone(a, b, 30, geod) for a, b in zip(edges, edges[1:])])
    counts = np.histogram(lat, edges)[0]
    # 9 degrees of freedom: 27.9 is exceeded once in a thousand; equal shares give thousands.
    assert chi_square(counts, shares / shares.sum()) < 27.9
    assert chi_square(counts, np.full(10, 0.1)) > 1000
    assert chi_square(np.histogram(lon, np.linspace(5, 35, 11))[0], np.full(10, 0.1)) < 27.9


def test_drawing_is_uniform_over_parts_and_around_holes():
    rings = [box(0, 0, 30, 30), box(10, 10, 20, 20), box(1000, 1000, 1010, 1010)]
    area = StudyArea.of_rings(rings, None)
    drawn = area.sample(36_000, np.random.default_rng(6))
    column, row = np.floor(drawn.T / 10).astype(int)
    far = column >= 100
    counts = np.bincount(np.where(far, 9, column * 3 + row), minlength=10)
    assert counts[4] == 0
    assert chi_square(np.delete(counts, 4), np.full(9, 1 / 9)) < 26.1  # one in a thousand


def test_parts_far_apart_and_slivers_cost_few_draws():
    for rings in (
        [box(0, 0, 100, 100), box(1e6, 1e6, 1e6 + 100, 1e6 + 100)],
        [np.array([[0, 0], [1e5, 1e5], [1e5, 1e5 + 200], [0, 200]], dtype=float)],
    ):
        area = StudyArea.of_rings(rings, None)
        assert area.area > 0.25 * (area._cells[1] ** 2).sum()


def test_an_edge_is_straight_in_its_own_system():
    # In degrees the northern edge is the parallel; a straight line of the plane would bulge.
    area = StudyArea.of_rings([box(-30, 40, 30, 50)], DEGREES)
    assert area.contains(np.array([[0.0, 50.0], [0.0, 40.0]])).all()
    assert not area.contains(np.array([[0.0, 50.001], [0.0, 39.999]])).any()
    drawn = area.sample(20_000, np.random.default_rng(1))
    assert drawn[:, 1].min() < 40.02 and drawn[:, 1].max() > 49.98


def test_a_ring_may_cross_the_antimeridian_and_points_lie_on_either_side():
    area = StudyArea.of_rings([box(170, -10, -170, 10), box(-178, -1, -176, 1)], DEGREES)
    inside = [[179, 0], [-179, 0], [181, 0], [-181, 0], [180, 5], [-180, 5], [530, 0]]
    assert area.contains(np.array(inside, dtype=float)).all()
    outside = [[0, 0], [169, 0], [-169, 0], [-177, 0], [183, 0]]
    assert not area.contains(np.array(outside, dtype=float)).any()
    geod = pyproj.Geod(ellps="WGS84")
    expected = zone(-10, 10, 20, geod) - zone(-1, 1, 2, geod)
    assert area.area == pytest.approx(expected, rel=2e-5)


def test_convex_hull_holds_its_points(rng):
    xy = rng.normal(size=(5000, 2))
    area = StudyArea.convex_hull(xy, None)
    assert area.contains(xy).all()
    spatial = pytest.importorskip("scipy.spatial")
    assert area.area == pytest.approx(spatial.ConvexHull(xy).volume)
    assert len(area.rings[0]) == len(spatial.ConvexHull(xy).vertices)


def test_convex_hull_across_the_antimeridian(rng):
    xy = np.stack([rng.uniform(175, 185, 400), rng.uniform(-20, -10, 400)], axis=1)
    xy[:, 0] = (xy[:, 0] + 180) % 360 - 180
    area = StudyArea.convex_hull(xy, DEGREES)
    assert area.contains(xy).all()
    assert area.area < zone(-20, -10, 10, pyproj.Geod(ellps="WGS84"))


@pytest.mark.parametrize(
    "xy",
    [
        np.empty((0, 2)),
        [[1.0, 2.0]],
        [[1, 2], [3, 4]],
        [[1, 2], [1, 2], [1, 2]],
        [[0, 0], [1, 1], [2, 2], [5, 5]],
        [[0.1, 0.3], [0.2, 0.6], [0.3, 0.9]],
    ],
)
def test_a_hull_without_size_asks_for_an_area(xy):
    with pytest.raises(InputError, match="Give an area"):
        StudyArea.convex_hull(np.asarray(xy, dtype=float), None)


@pytest.mark.parametrize(
    ("rings", "wkt", "said"),
    [
        ([], None, "no size"),
        ([np.empty((0, 2))], None, "no size"),
        ([[[0, 0], [1, 1], [0, 0]]], None, "no size"),
        ([[[0, 0], [1, 1], [2, 2], [3, 3]]], None, "no size"),
        ([box(5, 50, 5, 51)], DEGREES, "no size"),
        ([[[0, 0], [1, np.nan], [2, 2]]], None, "no finite numbers"),
        ([box(-180, -90, 180, 90)], DEGREES, "half of the globe"),
        ([box(-100, -80, 79, 90), box(79, -80, 95, 80)], DEGREES, "half of the globe"),
        ([box(0, 80, 10, 95)], DEGREES, "outside"),
        ([[[x, 70.0] for x in range(-180, 180, 10)]], DEGREES, "around a pole"),
    ],
)
def test_bad_areas_are_told_in_a_sentence(rings, wkt, said):
    with pytest.raises(InputError, match=said):
        StudyArea.of_rings([np.asarray(ring, dtype=float) for ring in rings], wkt)


@pytest.mark.parametrize("size", [1.0, 0.5])
def test_an_area_thinner_than_projections_are_true_is_refused(size):
    """Every point that is drawn misses it: once this went on for ever."""
    ring = 4e5 + 1e-4 * size * np.array([[3.06, 1.76], [6.99, 0.44], [7.95, 1.49]])
    with pytest.raises(InputError, match="too thin or too small"):
        StudyArea.of_rings([ring], "EPSG:27700").sample(10, np.random.default_rng(1))


def test_a_hull_around_a_pole_asks_for_an_area():
    with pytest.raises(InputError, match="Give an area"):
        StudyArea.convex_hull([[x, 80.0] for x in range(-180, 180, 60)], DEGREES)


def test_drawing_is_repeatable_and_can_be_cancelled():
    area = StudyArea.of_rings([box(0, 50, 1, 51)], DEGREES)
    one, two = (area.sample(1000, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(one, two)
    assert area.sample(0, np.random.default_rng(3)).shape == (0, 2)

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        area.sample(1000, np.random.default_rng(3), cancel)
    with pytest.raises(Cancelled):
        StudyArea.of_rings([star(np.random.default_rng(1), 500_000, (0, 0), 9)], None, cancel)


def test_the_equal_area_plane_goes_there_and_back():
    for wkt, xy in (
        (DEGREES, [[179.5, -17.0], [-179.0, -18.0]]),
        ("EPSG:3857", [[1.1e6, 8.4e6], [1.2e6, 8.3e6]]),
        ("EPSG:28992", [[155e3, 463e3], [2e5, 4e5]]),
        (None, [[1.0, 2.0], [3.0, 4.0]]),
    ):
        xy = np.array(xy)
        plane = equal_area_plane(xy, wkt)
        assert plane.inverse(plane.forward(xy)) == pytest.approx(xy, abs=1e-3)
        assert ("equal-area" in plane.describe()) == (wkt is not None)


def test_kinds_of_systems():
    kinds = {
        None: "none",
        "EPSG:4326": "geographic",
        "EPSG:28992": "projected",
        'LOCAL_CS["site",UNIT["m",1]]': "local",
    }
    assert {wkt: stored_plane(wkt).kind for wkt in kinds} == kinds
    xy = np.array([[155e3, 463e3]])
    plane = stored_plane("EPSG:28992")
    assert plane.from_lonlat(plane.lonlat(xy)) == pytest.approx(xy, abs=1e-4)
