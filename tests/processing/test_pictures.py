# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps for reports: right, robust, and drawn in any thread."""

import threading

import numpy as np
import pytest
from qgis.core import QgsCoordinateReferenceSystem
from qgis.PyQt.QtGui import QColor, QImage

from geoanon_qgis.core.masking.voronoi import KIND_NAMES, voronoi_mask
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.processing import styling
from geoanon_qgis.processing.maps import drawing, framing, painting, pictures
from geoanon_qgis.processing.maps.drawing import (
    line_layer,
    map_picture,
    point_layer,
)
from geoanon_qgis.processing.maps.painting import scale_bar

GRID = QgsCoordinateReferenceSystem("EPSG:27700")
DEGREES = QgsCoordinateReferenceSystem("EPSG:4326")
NONE = QgsCoordinateReferenceSystem()
KINDS = np.array(KIND_NAMES)


def image(png: bytes) -> QImage:
    result = QImage.fromData(png, "PNG")
    assert not result.isNull()
    return result


def colours(png: bytes, height: int = 0) -> set[str]:
    """Colours of the map, of its first ``height`` rows only if given."""
    shown = image(png)
    rows = height or shown.height()
    return {shown.pixelColor(x, y).name() for x in range(shown.width()) for y in range(rows)}


def centre_of(png: bytes, colour: str, height: int) -> tuple[float, float]:
    shown = image(png)
    hits = [
        (x, y)
        for x in range(shown.width())
        for y in range(height)
        if shown.pixelColor(x, y).name() == QColor(colour).name()
    ]
    assert hits
    return tuple(np.mean(hits, axis=0))


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(5).normal([529_400, 181_000], 150, (300, 2))


def test_a_point_is_drawn_where_it_lies():
    layer = point_layer(np.array([[25.0, 75.0]]), styling.MASKED, marker_mm=3)
    png = map_picture([layer], (0, 0, 100, 100), (200, 200), dpi=96)
    x, y = centre_of(png, styling.PALETTE["masked"], 200)
    margin = 1 + 2 * drawing._MARGIN
    assert x == pytest.approx(100 + (25 - 50) / margin * 2, abs=1.5)
    assert y == pytest.approx(100 - (75 - 50) / margin * 2, abs=1.5)


def test_the_first_layer_is_the_lowest():
    at = np.array([[0.0, 0.0]])
    roles = [styling.MASKED, styling.ORIGINALS]
    layers = [point_layer(at, role, marker_mm=4) for role in roles]
    for role, order in (("original", layers), ("masked", layers[::-1])):
        shown = image(map_picture(order, (0, 0, 0, 0), (60, 60), dpi=96))
        assert shown.pixelColor(32, 28).name() == styling.PALETTE[role]


def test_a_shift_has_an_arrow_and_a_tail():
    start, end = np.array([[0.0, 0.0]]), np.array([[100.0, 0.0]])
    columns = {"kind": ("string", ["singleton"]), "shift_m": ("double", [100.0])}
    layer = line_layer(start, end, styling.SHIFTS, columns=columns)
    png = map_picture([layer], (0, -50, 100, 50), (220, 220), dpi=192)
    shown = image(png)
    line = QColor(styling.PALETTE["shift"]).name()

    def thickness(x):
        return sum(shown.pixelColor(x, y).name() == line for y in range(220))

    assert max(thickness(x) for x in range(95, 125)) > 2 * thickness(60)
    assert styling.PALETTE["original"] in colours(png, 220)


def test_pictures_are_drawn_in_a_worker_thread(points):
    mask, drawn = voronoi_mask(points), []

    def work():
        drawn.extend(pictures.masking_pictures(points, mask.xy, KINDS[mask.kind], GRID))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert [picture.name for picture in drawn] == [
        "map_before",
        "map_after",
        "map_shifts",
        "map_close_up",
    ]
    assert styling.PALETTE["masked"] in colours(drawn[1].png)


@pytest.mark.parametrize(
    "extent",
    [
        (5, 5, 5, 5),
        (0, 0, 0, 9),
        (0, 3, 1e7, 3),
        (0, 0, 0, 0),
        (4e6, 4e6, 4e6, 4e6 + 4.7e-10),
    ],
)
@pytest.mark.parametrize("shape", [None, 0.5, 2.0])
def test_an_extent_always_has_an_area_and_the_asked_shape(extent, shape):
    west, south, east, north = drawing.padded(extent, shape)
    assert west < extent[0] <= extent[2] < east and south < extent[1] <= extent[3] < north
    if shape is not None:
        assert (east - west) / (north - south) == pytest.approx(shape)


@pytest.mark.parametrize("xy", [[[3.0, 4.0], [3.0, 5.0]], [[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]]])
@pytest.mark.parametrize("crs", [GRID, DEGREES, NONE])
def test_few_points_have_pictures(xy, crs):
    xy = np.array(xy)
    mask = voronoi_mask(xy)
    assert len(pictures.masking_pictures(xy, mask.xy, KINDS[mask.kind], crs)) == 4


def test_a_picture_says_when_it_shows_a_sample(points):
    layer = point_layer(points, styling.MASKED, most=100)
    assert (layer.drawn, layer.total, layer.layer.featureCount()) == (100, 300, 100)
    assert "100 of 300" in layer.sample_sentence
    assert point_layer(points, styling.MASKED, most=300).sample_sentence == ""


@pytest.mark.parametrize("kind", ["points", "lines"])
def test_making_a_layer_looks_at_the_progress_all_the_way(kind):
    """A cancel need not wait for twenty thousand features."""
    xy = np.random.default_rng(1).random((drawing.MOST_DRAWN, 2))
    told = []

    def make(progress):
        if kind == "points":
            return point_layer(xy, styling.MASKED, progress=progress)
        return line_layer(xy, xy + 1, styling.DRAWN_LINES, progress=progress)

    made = make(told.append)
    assert made.drawn == made.layer.featureCount() == len(xy)
    assert len(told) > 15 and told == sorted(told)

    def cancel(fraction):
        if fraction > 0.4:
            raise Cancelled

    with pytest.raises(Cancelled):
        make(cancel)


def test_pictures_of_many_points_can_be_stopped_before_anything_is_drawn(monkeypatch):
    """The look is taken while layers are made, too, not only while they are drawn."""
    monkeypatch.setattr(drawing, "_draw_layer", None)
    xy = np.random.default_rng(1).random((5_000, 2)) * 1e4
    mask = voronoi_mask(xy)
    told = []

    def cancel(fraction):
        told.append(fraction)
        if len(told) > 4:
            raise Cancelled

    ratio = np.ones(len(xy))
    for make in (
        lambda: pictures.masking_pictures(xy, mask.xy, KINDS[mask.kind], GRID, cancel),
        lambda: pictures.distance_pictures(xy, GRID, 0, ratio, cancel),
        lambda: pictures.drawing_pictures(xy, GRID, xy + 1, cancel),
        lambda: pictures.reference_pictures(xy, GRID, xy[:100].reshape(-1, 2, 2), (), cancel),
        lambda: pictures.linkage_pictures(xy, GRID, ratio > 0, progress=cancel),
        lambda: pictures.anonymization_pictures(xy, mask.xy, GRID, (), cancel),
        lambda: pictures.risk_pictures(xy, GRID, ratio, cancel),
    ):
        told.clear()
        with pytest.raises(Cancelled):
            make()
        assert set(told) <= {0.0, 0.05}


def test_the_caption_says_when_a_sample_is_drawn():
    xy = np.random.default_rng(1).random((drawing.MOST_DRAWN + 500, 2)) * 1e4
    mask = voronoi_mask(xy)
    drawn = pictures.masking_pictures(xy, mask.xy, KINDS[mask.kind], GRID)
    assert "20,000 of 20,500" in drawn[0].caption
    assert "of 20,500" not in drawn[3].caption


# --- scale bar ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("units_per_pixel", "metres", "text"),
    [
        (1.0, 1.0, "200 m"),
        (0.1, 1.0, "20 m"),
        (100.0, 1.0, "20 km"),
        (0.001, 1.0, "20 cm"),
        (1.0, 0.3048, "50 m"),
        (1.0, None, "200 units"),
        (5.0, 1.0, "1 km"),
    ],
)
def test_a_scale_bar_is_round_and_true(units_per_pixel, metres, text):
    pixels, said = scale_bar(units_per_pixel, 220.0, metres)
    assert said == text
    assert 220 / 2.5 - 1e-6 <= pixels <= 220 + 1e-6
    number, unit = said.split()
    size = {"m": 1.0, "km": 1000.0, "cm": 0.01, "units": 1.0}[unit]
    assert pixels * units_per_pixel * (metres or 1.0) == pytest.approx(float(number) * size)


def test_the_scale_bar_is_drawn():
    png = map_picture([], (0, 0, 100, 100), (300, 300), dpi=96)
    shown = image(png)
    corner = {shown.pixelColor(x, y).name() for x in range(5, 90) for y in range(270, 297)}
    assert painting.INK in corner


@pytest.mark.parametrize("metres", [1.0, None], ids=["a known plane", "an unknown one"])
def test_north_is_shown_where_it_is_known(metres):
    shown = image(map_picture([], (0, 0, 100, 100), (300, 300), 96, metres))
    corner = {shown.pixelColor(x, y).name() for x in range(270, 297) for y in range(5, 40)}
    assert (painting.INK in corner) == (metres is not None)


def test_without_fonts_there_is_a_map_without_words(points, monkeypatch):
    class NoFonts:
        @staticmethod
        def families():
            return []

    monkeypatch.setattr(painting, "QFontDatabase", NoFonts)
    layer = point_layer(points, styling.MASKED, "Masked")
    png = map_picture([layer], (0, 0, 1, 1), (200, 100))
    assert image(png).height() == 100


def test_degrees_are_drawn_undistorted():
    """A square of 1 km at 60 degrees north is a square, not twice as wide as high."""
    lat = np.array([60.0, 60.0 + 1000 / 111_412])
    lon = np.array([10.0, 10.0 + 1000 / 55_800])
    xy = np.array([[x, y] for x in lon for y in lat])
    drawn = pictures.masking_pictures(xy, xy, KINDS[np.zeros(4, int)], DEGREES)
    width, height = image(drawn[0].png).width(), image(drawn[0].png).height()
    assert 0.95 < height / width < 1.25  # with the legend


# --- the attack ---------------------------------------------------------------------------------


def attack(points, right=None):
    mask = voronoi_mask(points)
    kinds = np.array(["singleton", "pair", "unmoved"])[mask.kind]
    rows = np.arange(len(points))
    rows[:5] = -1
    kinds[:5] = "unresolved"
    return pictures.reversal_pictures(mask.xy, points, rows, kinds, right, GRID)


def test_an_attack_shows_who_was_found(points):
    drawn = attack(points)
    assert [picture.name for picture in drawn] == ["map_found", "map_close_up"]
    seen = colours(drawn[0].png)
    assert {styling.PALETTE["singleton"], styling.PALETTE["pair"]} <= seen


def test_a_scored_attack_shows_who_was_right(points):
    drawn = attack(points, np.arange(len(points)) % 2 == 0)
    assert [picture.name for picture in drawn] == ["map_found", "map_right", "map_close_up"]
    assert all(picture.caption for picture in drawn)


def test_the_close_up_shows_about_sixty_points(points):
    (west, south, east, north), near = framing.close_up(points)
    inside = ((points >= (west, south)) & (points <= (east, north))).all(axis=1)
    assert 30 <= inside.sum() <= 90
    assert set(np.flatnonzero(inside)) <= set(near)


def test_a_crowd_at_one_place_does_not_empty_the_close_up():
    xy = np.concatenate([np.zeros((200, 2)), [[30.0, 0.0], [0.0, 40.0]]])
    (west, south, east, north), near = framing.close_up(xy)
    assert east > west and north > south and len(near)


def test_the_legend_names_only_what_is_there():
    columns = {"kind": ("string", ["pair"])}
    layer = point_layer(np.zeros((1, 2)), styling.FOUND, columns=columns)
    assert [text for _, text in drawing._legend_entries([layer])] == ["Found: one of two places"]
    columns["correct"] = ("int", [0])
    layer = point_layer(np.zeros((1, 2)), styling.SCORED, columns=columns)
    assert [text for _, text in drawing._legend_entries([layer])] == [
        "Found: one of two places",
        "Wrong place, by the key",
    ]


def test_cancel_acts_between_layers(points):
    mask, asked = voronoi_mask(points), []

    def progress(fraction):
        asked.append(fraction)
        if len(asked) == 4:
            raise Cancelled()

    with pytest.raises(Cancelled):
        pictures.masking_pictures(points, mask.xy, KINDS[mask.kind], GRID, progress)
    assert len(asked) == 4 and asked == sorted(asked)
