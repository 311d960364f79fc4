# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi masking against its definition."""

from __future__ import annotations

import tracemalloc

import numpy as np
import oracles
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from test_points import grids

from geoanon_qgis.core.masking.voronoi import PAIRED, SINGLETON, UNMOVED, voronoi_mask
from geoanon_qgis.core.runtime.errors import Cancelled, InputError

some_grids = st.one_of(grids(3, 3), grids(8), grids(1000)).filter(lambda xy: (xy != xy[0]).any())


def several_points(rng, number=300):
    return rng.uniform(0, 1000, (number, 2))


# What the mask is ---------------------------------------------------------------------------


@given(some_grids)
def test_a_masked_point_is_halfway_to_the_nearest_neighbour(xy):
    mask = voronoi_mask(xy)
    assert np.array_equal(mask.xy, oracles.mask(xy))
    assert np.array_equal(mask.xy, (xy + xy[mask.neighbour]) / 2)
    assert np.allclose(mask.shift, np.hypot(*(mask.xy - xy).T), rtol=1e-12)


@given(some_grids)
def test_kinds_say_what_happened(xy):
    mask = voronoi_mask(xy)
    _, place, records = np.unique(mask.xy, axis=0, return_inverse=True, return_counts=True)
    records_there = records[place.ravel()]
    assert mask.count(SINGLETON) + mask.count(PAIRED) + mask.count(UNMOVED) == len(xy)
    assert (records_there[mask.kind == SINGLETON] == 1).all()
    assert (records_there[mask.kind == PAIRED] == 2).all()
    assert np.array_equal(mask.kind == UNMOVED, (mask.xy == xy).all(axis=1))
    assert (mask.shift[mask.kind == UNMOVED] == 0).all()
    shared = np.unique(xy, axis=0, return_inverse=True, return_counts=True)
    assert np.array_equal(mask.kind == UNMOVED, shared[2][shared[1].ravel()] > 1)


@given(some_grids)
def test_mutual_neighbours_meet_at_exactly_one_place(xy):
    mask = voronoi_mask(xy)
    pair = np.flatnonzero(mask.kind == PAIRED)
    assert np.array_equal(mask.neighbour[mask.neighbour[pair]], pair)
    assert np.array_equal(mask.xy[pair], mask.xy[mask.neighbour[pair]])
    assert (mask.kind[mask.neighbour[pair]] == PAIRED).all()


def test_mutual_neighbours_meet_exactly_in_full_precision(rng):
    mask = voronoi_mask(rng.uniform(1e5, 1e6, (5000, 2)))
    pair = mask.kind == PAIRED
    assert pair.sum() > 2500
    assert np.array_equal(mask.xy[pair], mask.xy[mask.neighbour[pair]])


@pytest.mark.parametrize("seed", range(5))
def test_the_midpoint_is_the_nearest_point_of_the_voronoi_cells_edge(seed):
    """Seidl et al.: each point snaps to the closest edge of its Voronoi polygon."""
    shapely = pytest.importorskip("shapely", minversion="2")
    from geoanon_qgis.core.masking.cells import voronoi_cells

    xy = several_points(np.random.default_rng(seed))
    # An area so wide that its own border is never the nearest edge.
    area = np.array([[-5.0, -5.0], [6.0, -5.0], [6.0, 6.0], [-5.0, 6.0]]) * 1000
    cells, of_point = voronoi_cells(xy, area)
    edges = np.array([shapely.LinearRing(cells[cell]) for cell in of_point])
    on_edge = shapely.get_coordinates(
        shapely.line_interpolate_point(edges, shapely.line_locate_point(edges, shapely.points(xy)))
    )
    assert np.abs(voronoi_mask(xy).xy - on_edge).max() < 1e-6


# What it keeps ------------------------------------------------------------------------------


@given(some_grids, st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_moving_all_points_moves_the_mask(xy, east, north):
    step = np.array([east, north], dtype=float)
    assert np.array_equal(voronoi_mask(xy + step).xy, voronoi_mask(xy).xy + step)


@given(some_grids, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(xy, random):
    order = np.array(random.sample(range(len(xy)), len(xy)))
    one, other = voronoi_mask(xy), voronoi_mask(xy[order])
    assert np.array_equal(other.xy, one.xy[order])
    assert np.array_equal(other.kind, one.kind[order])
    assert np.array_equal(other.shift, one.shift[order])


@given(grids(50, 4))
def test_masked_points_stay_within_the_convex_hull(xy):
    assume(np.linalg.matrix_rank(xy - xy[0]) == 2)
    hull = ConvexHull(xy)
    masked = voronoi_mask(xy).xy
    assert (masked @ hull.equations[:, :2].T + hull.equations[:, 2] <= 1e-9).all()
    if np.linalg.matrix_rank(masked - masked[0]) == 2:
        assert ConvexHull(masked).volume <= hull.volume + 1e-9


@given(some_grids)
def test_the_search_bound_of_the_attack_holds(xy):
    """Moehler: the original lies no farther away than the next different masked place."""
    mask = voronoi_mask(xy)
    distinct = np.unique(mask.xy, axis=0)
    assume(len(distinct) > 1)
    gap = np.hypot(*(mask.xy[:, None, :] - distinct[None, :, :]).transpose(2, 0, 1))
    gap[gap == 0] = np.inf
    assert (mask.shift <= gap.min(axis=1) * (1 + 1e-12)).all()


def test_the_median_shift_is_half_the_median_distance(rng):
    xy = several_points(rng)
    mask = voronoi_mask(xy)
    nearest = np.sqrt(oracles.squared_distances(xy).min(axis=1))
    assert mask.median_shift == pytest.approx(np.median(nearest) / 2)


def test_the_input_is_left_alone(rng):
    xy = several_points(rng)
    before = xy.copy()
    voronoi_mask(xy)
    assert np.array_equal(xy, before)


# Hard layouts -------------------------------------------------------------------------------


def test_a_square_lattice_with_all_its_ties():
    xy = np.stack(np.meshgrid(np.arange(30.0), np.arange(30.0)), axis=-1).reshape(-1, 2)
    mask = voronoi_mask(xy)
    assert (mask.shift == 0.5).all()
    # First in x: everybody goes west, and the first column south.
    wanted = xy - np.where(xy[:, :1] > 0, [[0.5, 0.0]], [[0.0, 0.5]])
    corner = (xy == [0, 0]).all(axis=1)
    wanted[corner] = [0.0, 0.5]
    assert np.array_equal(mask.xy, wanted)


def test_points_on_a_line():
    xy = np.column_stack([[0.0, 1.0, 3.0, 7.0, 8.0], [0.0, 2.0, 6.0, 14.0, 16.0]])
    mask = voronoi_mask(xy)
    assert mask.xy.tolist() == [[0.5, 1], [0.5, 1], [2, 4], [7.5, 15], [7.5, 15]]
    assert mask.kind.tolist() == [PAIRED, PAIRED, SINGLETON, PAIRED, PAIRED]


def test_identical_points_stay_and_are_told():
    xy = np.array([[0, 0], [0, 0], [0, 0], [3, 4], [30, 40], [30, 41]], dtype=float)
    mask = voronoi_mask(xy)
    assert mask.kind.tolist() == [UNMOVED] * 3 + [SINGLETON, PAIRED, PAIRED]
    assert np.array_equal(mask.xy[:3], xy[:3])
    assert mask.xy[3].tolist() == [1.5, 2.0]
    assert mask.count(UNMOVED) == 3


def test_two_places_with_several_records_each_move_nobody():
    mask = voronoi_mask(np.array([[0, 0], [5, 5], [0, 0], [5, 5]], dtype=float))
    assert (mask.kind == UNMOVED).all()


def test_two_points_meet_in_the_middle():
    mask = voronoi_mask(np.array([[0.0, 0.0], [4.0, 2.0]]))
    assert mask.xy.tolist() == [[2, 1], [2, 1]]
    assert mask.count(PAIRED) == 2


@pytest.mark.parametrize("factor", [1e-9, 1e9, 1e12])
def test_coordinates_of_any_size(rng, factor):
    xy = rng.integers(0, 1000, (200, 2)) * factor
    assert np.allclose(voronoi_mask(xy).xy, oracles.mask(xy), rtol=1e-15, atol=0)


def test_coordinates_far_from_the_origin_keep_their_digits():
    """A millimetre apart in the north of a national grid."""
    xy = np.array([[6_000_000.001, 5_000_000.0], [6_000_000.002, 5_000_000.0], [6e6, 5.1e6]])
    mask = voronoi_mask(xy)
    assert mask.kind.tolist() == [PAIRED, PAIRED, SINGLETON]
    assert mask.xy[0, 0] == pytest.approx(6_000_000.0015, abs=1e-9)


def test_coordinates_that_no_map_has_are_refused_with_a_sentence():
    xy = np.array([[0.0, 0.0], [2.0, 0.0], [10.0, 0.0]]) * 1e160
    with pytest.raises(InputError):
        voronoi_mask(xy)


# Input that cannot be masked ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("xy", "sentence"),
    [
        (np.empty((0, 2)), "at least two points"),
        (np.array([[1.0, 2.0]]), "at least two points"),
        (np.full((5, 2), 3.0), "All 5 points lie at the same place"),
        (np.array([[3.0, 3.0], [3.0, 3.0]]), "All 2 points lie at the same place"),
        (np.array([[0.0, 0.0], [np.nan, 1.0]]), "finite numbers"),
        (np.array([[0.0, 0.0], [np.inf, 1.0]]), "finite numbers"),
        (np.zeros((4, 3)), "array of x and y"),
    ],
)
def test_what_cannot_be_masked_is_said_in_a_sentence(xy, sentence):
    with pytest.raises(InputError, match=sentence) as raised:
        voronoi_mask(xy)
    assert str(raised.value).endswith(".")


# Cancelling, memory -------------------------------------------------------------------------


def test_progress_rises_from_start_to_end_in_small_steps(rng):
    told = []
    voronoi_mask(rng.random((300_000, 2)), told.append)
    assert told == sorted(told)
    assert told[0] <= 0.05 and told[-1] == 1.0
    # A chunk of 65,536 rows takes a twentieth of a second.
    assert len(told) >= 6 and np.diff(told).max() < 0.25


@pytest.mark.parametrize("after", [0.0, 0.05, 0.3, 0.9])
def test_a_cancel_goes_through_at_any_time(rng, after):
    def progress(fraction):
        if fraction >= after:
            raise Cancelled

    with pytest.raises(Cancelled):
        voronoi_mask(rng.random((300_000, 2)), progress)


def test_a_cancel_is_looked_for_while_a_tree_is_built(monkeypatch):
    """The one long call into compiled code runs beside a loop that asks whether to go on."""
    import threading

    from geoanon_qgis.core.space import points

    release = threading.Event()

    def asked(fraction):
        raise Cancelled

    try:
        with pytest.raises(Cancelled):
            points.interruptible(lambda: release.wait(20), asked)
    finally:
        release.set()


def test_memory_stays_within_ten_times_the_coordinates(rng):
    xy = rng.random((200_000, 2))
    tracemalloc.start()
    try:
        voronoi_mask(xy)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # NumPy's arrays are traced, the k-d tree's C++ nodes (about once the coordinates) are not.
    assert peak + xy.nbytes < 9 * xy.nbytes
