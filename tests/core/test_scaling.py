# SPDX-License-Identifier: GPL-2.0-or-later
"""Maps drawn from distances, laid on the truth."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.distances import scaling
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for


def matrix_of(xy) -> DistanceMatrix:
    return DistanceMatrix.numbered(pdist(xy) if len(xy) > 1 else np.zeros(0))


def error(xy, truth) -> float:
    """Residual as a share of the truth's own spread."""
    return scaling.procrustes(xy, truth)[1] / np.sqrt(truth.var(axis=0).sum())


@pytest.mark.parametrize(
    "drawn",
    [
        scaling.classical_scaling,
        lambda matrix: scaling.draw(matrix).xy,
    ],
)
def test_true_distances_give_the_truth(rng, drawn):
    truth = rng.normal(size=(200, 2)) * (3.0, 1.0) + (155_000, 463_000)
    xy = drawn(matrix_of(truth))
    assert error(xy, truth) < 1e-6
    assert np.abs(xy.mean(axis=0)).max() < 1e-6
    # Scale is that of the matrix, not only the shape.
    assert pdist(xy) == pytest.approx(pdist(truth), abs=1e-5)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 30])
@pytest.mark.parametrize("drawn", [scaling.classical_scaling, lambda m: scaling.draw(m).xy])
def test_a_single_place_is_drawn_as_one(count, drawn):
    xy = drawn(DistanceMatrix.numbered(np.zeros(count * (count - 1) // 2)))
    assert xy.shape == (count, 2) and (xy == 0).all()


def test_two_and_three_records():
    two = scaling.draw(DistanceMatrix.numbered(np.array([6.0])))
    assert np.abs(two.xy) == pytest.approx(np.array([[3.0, 0], [3, 0]]))
    three = scaling.draw(DistanceMatrix.numbered(np.array([3.0, 4, 5])))
    assert pdist(three.xy) == pytest.approx([3, 4, 5])
    assert scaling.classical_scaling(DistanceMatrix(np.zeros(0), ())).shape == (0, 2)


def test_points_on_a_line_have_no_second_direction():
    xy = scaling.classical_scaling(matrix_of(np.array([[0.0, 0], [1, 0], [4, 0]])))
    assert (xy[:, 1] == 0).all()
    assert np.ptp(xy[:, 0]) == pytest.approx(4)


def test_eigenvalues_that_lapack_misses_are_looked_for_again(rng, monkeypatch):
    """Of a matrix of rounded distances LAPACK's quickest way found no eigenvalue at all."""
    eigh = scipy.linalg.eigh

    def missing(matrix, driver="evr", **more):
        values, vectors = eigh(matrix, driver=driver, **more)
        return (values, vectors) if driver == "evd" else (values[:0], vectors[:, :0])

    monkeypatch.setattr(scipy.linalg, "eigh", missing)
    truth = rng.normal(size=(20, 2))
    assert error(scaling.classical_scaling(matrix_of(truth)), truth) < 1e-9


def test_duplicates_and_far_clusters_are_chained_together(rng):
    truth = np.concatenate(
        [
            np.zeros((70, 2)),
            rng.normal(size=(40, 2)) + (500, 0),
            rng.normal(size=(40, 2)) + (0, 900),
        ]
    )
    matrix = matrix_of(truth)
    near, gap = scaling._nearest(matrix, 8, lambda fraction: None)
    rows = scaling._chained(matrix, near, gap, np.arange(150), lambda fraction: None)
    assert np.isfinite(rows).all() and (rows == rows.T).all()
    assert (rows >= squareform(pdist(truth)) - 1e-6).all()
    assert error(scaling.draw(matrix).xy, truth) < 0.05


def test_the_nearest_are_listed_in_order(rng):
    square = squareform(pdist(rng.random((60, 2))))
    near, gap = scaling._nearest(matrix_of_square(square), 7, lambda fraction: None)
    np.fill_diagonal(square, np.inf)
    assert (near == np.argsort(square, axis=1)[:, :7]).all()
    assert (gap == np.sort(square, axis=1)[:, :7]).all()


def matrix_of_square(square) -> DistanceMatrix:
    return DistanceMatrix.numbered(squareform(square, checks=False))


def test_refining_lowers_the_stress_at_every_step(rng):
    square = squareform(pdist(rng.random((40, 2))))
    square *= squareform(rng.uniform(0.5, 1.5, 780))
    xy = rng.normal(size=(40, 2))
    xy = scaling.refine(square, xy, steps=1)
    before = scaling.stress(square, xy)
    for _ in range(10):
        xy = scaling.refine(square, xy, steps=1)
        after = scaling.stress(square, xy)
        assert after <= before * (1 + 1e-9)
        before = after


@pytest.mark.slow
def test_chaining_short_distances_undoes_a_strong_embedding(rng):
    """The paper's larger sets hide the map from classical scaling, but not from this."""
    truth = rng.uniform(0, 100_000, (500, 2))
    corners = np.array([[0.0, 0], [100_000, 0], [100_000, 100_000], [0, 100_000]])
    area = StudyArea.of_rings([corners], None)
    condensed = lipschitz_distances(truth, area, metric_for("planar", None), 100, 20, rng)
    matrix = DistanceMatrix.numbered(condensed)
    assert error(scaling.classical_scaling(matrix), truth) > 0.5
    drawing = scaling.draw(matrix)
    assert error(drawing.xy, truth) < 0.1
    assert drawing.method.startswith("chained")


def test_many_records_go_by_landmarks(rng, monkeypatch):
    truth = rng.uniform(0, 100, (400, 2))
    monkeypatch.setattr(scaling, "MOST_RECORDS", 100)
    monkeypatch.setattr(scaling, "LANDMARKS", 60)
    drawing = scaling.draw(matrix_of(truth))
    assert error(drawing.xy, truth) < 0.05


def test_landmarks_are_chosen_once_each():
    truth = np.repeat([[0.0, 0], [10, 0], [0, 10]], 5, axis=0)
    rows, chosen = scaling._landmarks(matrix_of(truth), 15, lambda fraction: None)
    assert sorted(chosen) == list(range(15))
    assert {tuple(truth[at]) for at in chosen[:3]} == {(0, 0), (10, 0), (0, 10)}
    assert (rows == squareform(pdist(truth))[chosen]).all()


def test_drawing_is_not_random(rng):
    matrix = matrix_of(rng.random((50, 3)))
    assert (scaling.draw(matrix).xy == scaling.draw(matrix).xy).all()


def test_procrustes_undoes_shift_turn_reflection_and_scale(rng):
    truth = rng.normal(size=(30, 2))
    turn = np.array([[np.cos(2.0), np.sin(2.0)], [np.sin(2.0), -np.cos(2.0)]])
    aligned, residual = scaling.procrustes(7 * truth @ turn + (4, -9), truth)
    assert aligned == pytest.approx(truth) and residual < 1e-12


def test_procrustes_is_the_best_of_many(rng):
    xy, truth = rng.normal(size=(2, 12, 2))
    best = scaling.procrustes(xy, truth)[1]
    a, b = xy - xy.mean(axis=0), truth - truth.mean(axis=0)
    found = np.inf
    for angle in np.linspace(0, 2 * np.pi, 721):
        for mirror in (1, -1):
            turned = a @ np.array(
                [[np.cos(angle), np.sin(angle)], [-mirror * np.sin(angle), mirror * np.cos(angle)]]
            )
            scale = max((turned * b).sum() / (turned**2).sum(), 0)
            found = min(found, np.sqrt(((scale * turned - b) ** 2).sum(axis=1).mean()))
    assert best <= found + 1e-12
    assert best == pytest.approx(found, rel=1e-4)


def test_procrustes_of_a_point_lands_on_the_mean():
    aligned, residual = scaling.procrustes(np.ones((2, 2)), np.array([[0.0, 0], [2, 0]]))
    assert aligned.tolist() == [[1, 0], [1, 0]] and residual == 1.0
    assert np.isnan(scaling.procrustes(np.zeros((0, 2)), np.zeros((0, 2)))[1])
    with pytest.raises(InputError):
        scaling.procrustes(np.zeros((2, 2)), np.zeros((3, 2)))


@pytest.mark.parametrize("stop_at", [0.0, 0.2, 0.5, 0.7])
def test_drawing_can_be_cancelled(rng, stop_at):
    def progress(fraction):
        assert 0 <= fraction <= 1 + 1e-9
        if fraction >= stop_at:
            raise Cancelled()

    with pytest.raises(Cancelled):
        scaling.draw(matrix_of(rng.random((100, 2))), progress)
