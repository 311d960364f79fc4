# SPDX-License-Identifier: GPL-2.0-or-later
"""Lipschitz embedding: by hand, by brute force, contraction, and the paper's conjectures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.distances import lipschitz
from geoanon_qgis.core.distances.lipschitz import (
    embed,
    embedded_distances,
    lipschitz_distances,
    reference_sets,
    sensible_size,
)
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import METRICS, metric_for

pytest.importorskip("pyproj")
pytest.importorskip("scipy")

#: England and Wales, roughly; three pairs of cities about 50, 228 and 540 km apart.
BRITAIN = np.array([[-5.5, 50.0], [1.5, 51.0], [0.3, 53.5], [-1.5, 55.6], [-3.2, 54.9], [-4.6, 53]])
CITIES = np.array(
    [
        [-2.98, 53.41],
        [-2.24, 53.48],  # Liverpool, Manchester
        [-0.13, 51.51],
        [-1.47, 53.38],  # London, Sheffield
        [-4.14, 50.37],
        [-1.61, 54.98],  # Plymouth, Newcastle
    ]
)


def square(side=100.0, wkt=None, at=(0.0, 0.0)):
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * side
    return StudyArea.of_rings([corners + at], wkt)


def pair(condensed, n, i, j):
    return condensed[i * (2 * n - i - 1) // 2 + j - i - 1]


def test_coordinates_of_figure_1_are_minima_over_the_set():
    # As in figure 1: of 308.9, 262.3 and 162.7 km to the members of a set the last counts.
    metric = metric_for("planar", None)
    references = np.array([[[308.9, 0.0], [0.0, -262.3], [-162.7, 0.0]]])
    assert embed(np.zeros((1, 2)), references, metric)[0, 0] == 162.7


def test_an_embedding_by_hand():
    metric = metric_for("planar", None)
    points = np.array([[0.0, 0.0], [6.0, 8.0], [3.0, 4.0]])
    references = np.array([[[0.0, 0.0], [6.0, 0.0]], [[6.0, 8.0], [0.0, 4.0]]])
    f = embed(points, references, metric)
    assert f.tolist() == [[0.0, 4.0], [8.0, 0.0], [5.0, 3.0]]
    # max(|0 - 8|, |4 - 0|), max(|0 - 5|, |4 - 3|), max(|8 - 5|, |0 - 3|)
    assert embedded_distances(f).tolist() == [8.0, 5.0, 3.0]


@given(st.integers(0, 10_000), st.integers(0, 70), st.integers(1, 40), st.booleans())
def test_the_largest_difference_as_by_brute_force(seed, n, d, compiled):
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(n, d))
    was = accel.enabled()
    accel.set_enabled(compiled)
    try:
        got = embedded_distances(f)
    finally:
        accel.set_enabled(was)
    whole = np.abs(f[:, None] - f[None]).max(axis=2) if n else np.zeros((0, 0))
    assert np.array_equal(got, whole[np.triu_indices(n, 1)])


def test_tiles_fit_together_compiled_and_not():
    from scipy.spatial.distance import pdist

    f = np.random.default_rng(1).random((1100, 19))
    expected = pdist(f, "chebyshev")
    was = accel.enabled()
    try:
        for on in (True, False):
            accel.set_enabled(on)
            assert np.array_equal(embedded_distances(f), expected)
    finally:
        accel.set_enabled(was)


@given(
    st.integers(0, 10_000),
    st.sampled_from(METRICS),
    st.integers(1, 30),
    st.integers(1, 12),
    st.sampled_from([1e-4, 0.1, 20.0]),
)
def test_never_more_than_the_true_distance(seed, name, sets, size, side):
    rng = np.random.default_rng(seed)
    wkt, at, scale = (
        ("EPSG:28992", (1e5, 4e5), 1e4)
        if name == "planar"
        else ("EPSG:4326", (rng.uniform(-180, 160), rng.uniform(-89, 69)), 1.0)
    )
    metric = metric_for(name, wkt)
    area = square(side * scale, wkt, at)
    points = area.sample(25, rng)
    points[3:5] = points[7]
    points[10:15, 0] += side * scale  # outside: allowed, and no less contractive
    released = lipschitz_distances(points, area, metric, sets, size, rng)
    own = metric.coordinates(points)
    i, j = np.triu_indices(25, 1)
    true = metric.between(own[i], own[j])
    assert (released <= true + 3 * metric.slack_at(own)).all()
    assert (released[true == 0] == 0).all() and (released >= 0).all()


def test_points_at_one_place_have_one_row(rng):
    for name in ("great_circle", "geodesic"):
        metric = metric_for(name, "EPSG:4326")
        points = rng.uniform(0, 50, (61, 2))
        points[40:] = points[11]
        references = rng.uniform(0, 50, (70, 3, 2))
        f = embed(points, references, metric)
        assert f == pytest.approx(metric.nearest_in_sets(points, references), abs=1e-7)
        assert (f[40:] == f[11]).all()
        assert pair(embedded_distances(f), 61, 11, 60) == 0


def ratios(sets, size, repeats=60, seed=2016):
    """Mean share of the true distance of the three pairs of cities that a release keeps."""
    metric = metric_for("great_circle", "EPSG:4326")
    area = StudyArea.of_rings([BRITAIN], "EPSG:4326")
    rng = np.random.default_rng(seed)
    true = metric.between(CITIES[::2], CITIES[1::2])
    found = np.empty((repeats, 3))
    for number in range(repeats):
        released = lipschitz_distances(CITIES, area, metric, sets, size, rng)
        found[number] = [pair(released, 6, 2 * c, 2 * c + 1) for c in range(3)]
    found /= true
    # Mean, and its standard error: differences are asked to be four of them at least.
    return found.mean(axis=0), found.std(axis=0) / np.sqrt(repeats)


def surely_more(one, other):
    return (one[0] - other[0]) > 4 * np.hypot(one[1], other[1])


@pytest.fixture(scope="module")
def kept():
    return {(d, k): ratios(d, k) for d in (5, 20, 100) for k in (1, 5, 20)}


def test_first_conjecture_more_sets_keep_distances_better(kept):
    for k in (5, 20):
        assert surely_more(kept[20, k], kept[5, k]).all()
        assert surely_more(kept[100, k], kept[20, k]).all()


def test_second_conjecture_larger_sets_keep_distances_worse(kept):
    for d in (5, 20, 100):
        # The long distances; of 50 km nearly everything is kept by hundred sets of five.
        assert surely_more(kept[d, 1], kept[d, 20])[1:].all()
        assert surely_more(kept[d, 5], kept[d, 20])[1:].all()


def test_third_conjecture_short_distances_are_kept_better(kept):
    for key in ((20, 5), (20, 20), (100, 5), (100, 20)):
        mean, error = kept[key]
        assert mean[0] - mean[1] > 4 * np.hypot(error[0], error[1])
        assert mean[1] - mean[2] > 4 * np.hypot(error[1], error[2])


def test_reference_sets_lie_in_the_area_and_are_independent(rng):
    area = square()
    sets = reference_sets(area, 400, 3, rng)
    assert sets.shape == (400, 3, 2)
    assert area.contains(sets.reshape(-1, 2)).all()
    assert len(np.unique(sets.reshape(-1, 2), axis=0)) == 1200
    # Members of one set know nothing of each other: 0.2 is four standard errors.
    assert np.abs(np.corrcoef(sets.reshape(400, 6).T) - np.eye(6)).max() < 0.2


@pytest.mark.parametrize(("sets", "size"), [(0, 5), (5, 0), (-1, 1)])
def test_sets_and_sizes_below_one(sets, size, rng):
    with pytest.raises(InputError, match="at least 1"):
        reference_sets(square(), sets, size, rng)


def test_no_point_and_one_point(rng):
    metric = metric_for("planar", None)
    for n in (0, 1):
        released = lipschitz_distances(np.zeros((n, 2)), square(), metric, 3, 2, rng)
        assert released.shape == (0,)


def test_a_set_larger_than_sense_is_told(rng):
    metric, area = metric_for("planar", None), square()
    points = area.sample(500, rng)
    assert sensible_size(20, points, area, metric) == ""
    assert "Fewer points" in sensible_size(20_000, points, area, metric)
    assert sensible_size(20_000, points[:1], area, metric) == ""


def test_the_same_release_from_the_same_seed():
    metric, area = metric_for("geodesic", "EPSG:4326"), square(5.0, "EPSG:4326")
    points = area.sample(30, np.random.default_rng(1))
    one, two, other = (
        lipschitz_distances(points, area, metric, 10, 3, np.random.default_rng(seed))
        for seed in (4, 4, 5)
    )
    assert np.array_equal(one, two) and not np.array_equal(one, other)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_cancel_is_heard_after_each_small_block(compiled, rng, monkeypatch):
    features = rng.random((6000, 300))
    embedded_distances(features[:20])  # compile
    was, rows, blocks = accel.enabled(), lipschitz.embedded_rows, []

    def watched(features, first, last, condensed):
        blocks.append(last - first)
        rows(features, first, last, condensed)

    def cancel(fraction):
        if blocks:
            raise Cancelled

    monkeypatch.setattr(lipschitz, "embedded_rows", watched)
    accel.set_enabled(compiled)
    try:
        with pytest.raises(Cancelled):
            embedded_distances(features, cancel)
    finally:
        accel.set_enabled(was)
    # Half a second is the promise; a processor takes some hundredths for so many differences.
    assert max(blocks) * features.size <= 50_000_000
