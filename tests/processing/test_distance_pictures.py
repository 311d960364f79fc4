# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps of releases of distances and of the attack on them."""

import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem
from qgis.PyQt.QtGui import QImage

from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.processing import styling
from geoanon_qgis.processing.layers import planes
from geoanon_qgis.processing.maps import drawing, framing, pictures
from geoanon_qgis.processing.maps.drawing import line_layer, map_picture, point_layer, ring_layer

GRID = QgsCoordinateReferenceSystem("EPSG:27700")
DEGREES = QgsCoordinateReferenceSystem("EPSG:4326")
NONE = QgsCoordinateReferenceSystem()


def colours(png: bytes) -> set[str]:
    shown = QImage.fromData(png, "PNG")
    assert not shown.isNull()
    return {
        shown.pixelColor(x, y).name() for x in range(shown.width()) for y in range(shown.height())
    }


def names(drawn):
    return [picture.name for picture in drawn]


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(5).normal([529_400, 181_000], 150, (300, 2))


# --- distances kept -----------------------------------------------------------------------------


def test_distances_kept_are_coloured_by_class(points):
    ratio = np.linspace(0.01, 1.2, len(points))
    ratio[0] = np.nan
    drawn = pictures.distance_pictures(points, GRID, 0, ratio)
    assert names(drawn) == ["map_distance_kept", "map_distance_kept_close_up"]
    seen = colours(drawn[0].png)
    assert {styling.PALETTE[f"kept_{i}"] for i in range(1, 6)} <= seen
    assert {styling.PALETTE["stretched"], styling.PALETTE["singleton"]} <= seen
    assert "(60)" in drawn[1].caption


def test_another_record_has_pictures_of_its_own(points):
    drawn = pictures.distance_pictures(
        points, GRID, 3, np.ones(len(points)), name="map_border", which="a record at the border"
    )
    assert names(drawn) == ["map_border", "map_border_close_up"]
    assert "a record at the border" in drawn[0].caption


def test_a_crowd_at_the_record_does_not_empty_its_close_up():
    xy = np.concatenate([np.zeros((200, 2)), np.random.default_rng(1).normal(0, 9, (100, 2))])
    ratio = np.where(np.arange(300) < 200, np.nan, 0.5)
    drawn = pictures.distance_pictures(xy, GRID, 0, ratio)
    assert styling.PALETTE["kept_3"] in colours(drawn[1].png)


def test_only_ratios_that_occur_are_in_the_legend():
    columns = {"ratio": ("double", [0.9, None, 0.3, 1.0])}
    layer = point_layer(np.zeros((4, 2)), styling.RATIOS, columns=columns)
    words = [text for _, text in drawing._legend_entries([layer])]
    assert words == ["Kept: 90 to 100 % of the true distance", "25 to 50 %"]
    columns = {"ratio": ("double", [None])}
    at = np.zeros((1, 2))
    layer = line_layer(at, at + 1, styling.DISTANCE_KEPT, columns=columns)
    assert drawing._legend_entries([layer]) == []


# --- drawings -----------------------------------------------------------------------------------


def test_a_drawing_lies_over_the_truth(points):
    drawn = pictures.drawing_pictures(points, GRID, points + 5)
    assert names(drawn) == ["map_drawing", "map_drawing_close_up"]
    for picture in drawn:
        seen = colours(picture.png)
        assert {styling.PALETTE["drawn"], styling.PALETTE["original"]} <= seen


def test_a_drawing_far_from_the_truth_has_no_close_up(points):
    assert names(pictures.drawing_pictures(points, GRID, points[::-1] + 900)) == ["map_drawing"]


def test_a_drawing_is_in_the_plane_of_the_truth():
    xy = np.random.default_rng(2).normal([10, 60], [0.02, 0.01], (50, 2))
    plane = planes.plane_of(xy, DEGREES)
    assert plane.is_local
    assert pictures.drawing_pictures(xy, DEGREES, plane.forward(xy))


def test_lines_are_drawn_for_some_of_many():
    xy = np.random.default_rng(2).normal(0, 1000, (1500, 2))
    assert "for 1,000 of them" in pictures.drawing_pictures(xy, GRID, xy + 1)[0].caption


# --- reference sets -----------------------------------------------------------------------------


def test_reference_sets_and_the_area_are_shown(points):
    rng = np.random.default_rng(3)
    references = rng.uniform([529_000, 180_500], [529_900, 181_500], (20, 5, 2))
    ring = np.array([[529e3, 180.5e3], [529.9e3, 180.5e3], [529.9e3, 181.5e3], [529e3, 181.5e3]])
    (drawn,) = pictures.reference_pictures(points, GRID, references, [ring])
    seen = colours(drawn.png)
    assert {styling.PALETTE[colour] for _, colour in styling.SET_LOOKS} <= seen
    assert {styling.PALETTE["reference"], styling.PALETTE["area"]} <= seen
    assert "20 sets of 5" in drawn.caption and "Of the others" not in drawn.caption


@pytest.mark.parametrize(("sets", "size"), [(1, 1), (2, 3), (600, 10)])
def test_few_and_many_reference_points(points, sets, size):
    references = points[np.random.default_rng(4).integers(0, 300, (sets, size))]
    (drawn,) = pictures.reference_pictures(points, GRID, references)
    assert ("Of the others, 5,000 of 5,960" in drawn.caption) == (sets == 600)


def test_outlines_are_closed():
    layer = ring_layer([np.array([[0.0, 0], [1, 0], [1, 1]]), np.empty((0, 2))], styling.AREA)
    (feature,) = layer.layer.getFeatures()
    assert feature.geometry().asWkt(0) == "LineString (0 0, 1 0, 1 1, 0 0)"


def test_the_edge_of_an_area_in_degrees_is_no_straight_line_in_the_plane():
    """A hull in degrees holds the points in the picture, too."""
    xy = np.array([[6.0, 50], [8, 50], [10, 50], [12, 50], [14, 50], [10, 53]])
    plane = planes.plane_of(xy, DEGREES)
    finer = framing.finer(xy[[0, 4, 5]])
    middle = plane.forward(xy[[2]])
    assert np.hypot(*(plane.forward(finer) - middle).T).min() < 100
    straight = plane.forward(xy[[0, 4]]).mean(axis=0)
    assert np.hypot(*(straight - middle[0])) > 5_000


# --- linkage ------------------------------------------------------------------------------------


def linked(points, share=0.4):
    rng = np.random.default_rng(6)
    in_clique = rng.random(len(points)) < share
    correct = (rng.random(len(points)) < 0.5).astype(float)
    true_xy = np.where((correct == 1)[:, None], points, points[rng.permutation(len(points))])
    return in_clique, correct, true_xy


def test_a_scored_linkage_shows_right_wrong_and_where_they_belong(points):
    in_clique, correct, true_xy = linked(points)
    drawn = pictures.linkage_pictures(points, GRID, in_clique, correct, true_xy)
    assert names(drawn) == ["map_linkage", "map_linkage_close_up"]
    for picture in drawn:
        seen = colours(picture.png)
        assert {styling.PALETTE["right"], styling.PALETTE["shift"]} <= seen
        assert {styling.PALETTE["candidate"]} <= seen
        assert styling.PALETTE["unknown"] not in seen
    assert "Lines lead" in drawn[0].caption


def test_a_linkage_without_truth_calls_it_unknown(points):
    in_clique, _, _ = linked(points)
    for correct in (None, np.full(len(points), np.nan), np.full(len(points), -1)):
        drawn = pictures.linkage_pictures(points, GRID, in_clique, correct)
        seen = colours(drawn[0].png)
        assert styling.PALETTE["unknown"] in seen and styling.PALETTE["right"] not in seen
        assert "Lines" not in drawn[0].caption


def test_a_right_link_is_no_line(points):
    everyone = np.ones(len(points), dtype=bool)
    drawn = pictures.linkage_pictures(points, GRID, everyone, everyone, points)
    assert "Lines" not in drawn[0].caption


@pytest.mark.parametrize("count", [0, 1, 19])
def test_few_links_have_one_picture(points, count):
    in_clique = np.arange(len(points)) < count
    unknown = np.full((len(points), 2), np.nan)
    assert names(pictures.linkage_pictures(points, GRID, in_clique, None, unknown)) == [
        "map_linkage"
    ]


def test_all_linked_are_drawn_even_among_many_others():
    xy = np.random.default_rng(7).uniform(0, 1e4, (drawing.MOST_DRAWN + 500, 2))
    in_clique = np.zeros(len(xy), dtype=bool)
    in_clique[[0, -1]] = True
    (drawn,) = pictures.linkage_pictures(xy, GRID, in_clique)
    assert "20,002 of 20,500" in drawn.caption


# --- all of them --------------------------------------------------------------------------------


@pytest.mark.parametrize("xy", [[[3.0, 4.0], [3.0, 5.0]], [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]])
@pytest.mark.parametrize("crs", [GRID, DEGREES, NONE])
def test_few_points_have_pictures(xy, crs):
    xy = np.array(xy)
    ratio = np.array([np.nan, *[0.5] * (len(xy) - 1)])
    assert pictures.distance_pictures(xy, crs, 0, ratio)
    assert pictures.drawing_pictures(xy, crs, planes.plane_of(xy, crs).forward(xy))
    assert pictures.reference_pictures(xy, crs, xy[None, :1], [xy])
    assert pictures.linkage_pictures(xy, crs, np.ones(len(xy)), np.ones(len(xy)), xy[::-1])


@pytest.mark.parametrize(
    "make",
    [
        lambda xy, p: pictures.distance_pictures(xy, GRID, 0, np.ones(len(xy)), p),
        lambda xy, p: pictures.drawing_pictures(xy, GRID, xy + 1, p),
        lambda xy, p: pictures.reference_pictures(xy, GRID, xy.reshape(30, 10, 2), progress=p),
        lambda xy, p: pictures.linkage_pictures(xy, GRID, *linked(xy), p),
    ],
)
def test_progress_runs_to_the_end_and_can_cancel(points, make):
    asked = []
    make(points, asked.append)
    assert asked == sorted(asked) and asked[0] >= 0 and asked[-1] == 1

    def cancel(fraction):
        raise Cancelled()

    with pytest.raises(Cancelled):
        make(points, cancel)


def test_a_map_of_graduated_lines_is_drawn():
    start, end = np.zeros((2, 2)), np.array([[100.0, 0.0], [0.0, 100.0]])
    columns = {"ratio": ("double", [0.95, 0.1])}
    layer = line_layer(start, end, styling.DISTANCE_KEPT, columns=columns)
    seen = colours(map_picture([layer], (0, 0, 100, 100), (200, 200)))
    assert {styling.PALETTE["kept_5"], styling.PALETTE["kept_1"]} <= seen
