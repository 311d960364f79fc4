# SPDX-License-Identifier: GPL-2.0-or-later
"""Grids of embeddings: measures, their randomness, and the rules of choice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr

from geoanon_qgis.core.distances.choice import pareto, recommend
from geoanon_qgis.core.distances.grid_search import Halving, evaluate, successive_halving
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances
from geoanon_qgis.core.distances.setting import Grid
from geoanon_qgis.core.distances.trials import Cell, Places
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

PLANAR = metric_for("planar", None)


@pytest.fixture
def points() -> np.ndarray:
    return np.random.default_rng(4).uniform(0, 1000, (60, 2))


@pytest.fixture
def area(points) -> StudyArea:
    return StudyArea.convex_hull(points, None)


def grid(points, area, seed=1, sets=(3, 20), sizes=(1, 10), repeats=3, **more) -> list[Cell]:
    rng = np.random.default_rng(seed)
    defences = {name: more.pop(name) for name in ("pre_noise", "steps", "radii") if name in more}
    places = Places(points, area, PLANAR, more.pop("onto", None))
    return evaluate(places, Grid(sets, sizes, **defences), repeats, rng, **more)


def same(one: Cell, two: Cell) -> bool:
    assert (one.sets, one.size, one.entropy) == (two.sets, two.size, two.entropy)
    assert one.values == two.values
    return bool((one.followed == two.followed).all())


def test_the_grid_is_in_order_and_measured(points, area):
    cells = grid(points, area)
    assert [(c.sets, c.size) for c in cells] == [(3, 1), (3, 10), (20, 1), (20, 10)]
    for cell in cells:
        assert cell.repeats == 3 and all(len(v) == 3 for v in cell.values.values())
        assert "map_error" not in cell.values
        assert 0 <= cell.mean("nearest_kept") <= 1 and cell.mean("bias") < 0


def test_measures_are_those_of_the_embedding(points, area):
    cell = grid(points, area, sets=[20], sizes=[10], repeats=2)[0]
    for repetition in range(2):
        seed = np.random.SeedSequence(cell.entropy, spawn_key=(20, 10, repetition))
        released = lipschitz_distances(points, area, PLANAR, 20, 10, np.random.default_rng(seed))
        true = pdist(points)
        of = {name: values[repetition] for name, values in cell.values.items()}
        assert of["spearman"] == pytest.approx(spearmanr(true, released)[0])
        assert of["median_ratio"] == pytest.approx(np.median(released / true))
        assert of["sd_ratio"] == pytest.approx(np.std(released / true))
        assert of["bias"] == pytest.approx(np.mean(released - true))
        assert of["utility"] == pytest.approx(1 / np.var(released - true))
        assert of["deviation_variance"] == pytest.approx(np.var(released - true))
        assert cell.followed[repetition] == pytest.approx(released / true, abs=1e-12)


@pytest.mark.parametrize("workers", [1, 2, 5, None])
def test_threads_make_no_difference(points, area, workers):
    for one, two in zip(grid(points, area, workers=3), grid(points, area, workers=workers)):
        assert same(one, two)


def test_the_order_of_the_grid_makes_no_difference(points, area):
    one = grid(points, area, sets=(20, 3), sizes=(10, 1))
    two = grid(points, area)
    assert all(same(a, b) for a, b in zip(one, reversed(two)))


def test_work_can_be_taken_up_again(points, area):
    first = grid(points, area, sets=(3,), repeats=2)
    more = grid(points, area, seed=99, repeats=4, done=first)
    for one, two in zip(more, grid(points, area, repeats=4)):
        assert same(one, two)
    done = grid(points, area, seed=7, repeats=2, done=more)
    assert all(same(one, two) for one, two in zip(done, more))  # what is there is not thrown away


def test_defences_cost_what_is_kept(points, area):
    plain, *others = grid(
        points, area, sets=[20], sizes=[1], pre_noise=[0.0, 200.0], steps=[0.0, 100.0]
    )
    assert [(c.pre_noise, c.step) for c in others] == [(0, 100), (200, 0), (200, 100)]
    assert same(plain, grid(points, area, sets=[20], sizes=[1])[0])
    noise = others[1]
    assert noise.mean("nearest_kept") < 0.5 < 0.8 < plain.mean("nearest_kept")
    assert noise.mean("utility") < plain.mean("utility")
    assert others[0].mean("bias") == pytest.approx(plain.mean("bias") - 50, abs=10)


def test_runs_of_different_secrets_are_not_mixed(points, area):
    mixed = grid(points, area, seed=1) + grid(points, area, seed=2)
    with pytest.raises(InputError, match="different runs"):
        grid(points, area, done=mixed)


def test_conjectures_of_the_paper(points, area):
    measured = grid(points, area, sets=(5, 50), sizes=(1, 15), repeats=8)
    cells = {(c.sets, c.size): c for c in measured}
    for size in (1, 15):
        assert cells[50, size].mean("median_ratio") > cells[5, size].mean("median_ratio")
        assert cells[50, size].mean("nearest_kept") > cells[5, size].mean("nearest_kept")
        assert cells[50, size].blur < cells[5, size].blur
    for sets in (5, 50):
        assert cells[sets, 15].mean("median_ratio") < cells[sets, 1].mean("median_ratio")
        assert cells[sets, 15].blur > cells[sets, 1].blur


def test_a_map_is_drawn_if_asked_for(points, area):
    clear, blurred = grid(points, area, sets=(40,), sizes=(1, 40), repeats=2, onto=points)
    assert clear.mean("map_error") < 0.05 < blurred.mean("map_error") <= 1


# -- rules ----------------------------------------------------------------------------------


def cell_of(sets, size=1, followed=((1.0,), (1.0,)), **measures) -> Cell:
    values = {name: (value, value) for name, value in measures.items()}
    return Cell(sets, size, values, np.array(followed), 0)


def test_mean_error_and_blur_by_hand():
    values = {"spearman": (0.2, float("nan"), 0.6), "bias": (float("nan"),) * 3}
    cell = Cell(1, 1, values, np.array([[1.0, 2, 0], [1, 4, 0], [1, 6, 0]]), 0)
    assert cell.mean("spearman") == pytest.approx(0.4)
    assert cell.standard_error("spearman") == pytest.approx(0.2)
    assert np.isnan(cell.mean("bias")) and np.isnan(cell.standard_error("bias"))
    # Coefficients of variation 0 and 2/4; the pair that is always 0 has none.
    assert cell.blur == cell.mean("blur") == 0.25
    assert np.isnan(cell.standard_error("blur"))


def test_without_an_attack_the_strongest_protection_above_the_limit():
    weak = cell_of(100, followed=((1.0,), (1.1,)), nearest_kept=0.99)
    strong = cell_of(20, followed=((1.0,), (2.0,)), nearest_kept=0.91)
    bad = cell_of(5, followed=((1.0,), (9.0,)), nearest_kept=0.89)
    choice = recommend([weak, strong, bad])
    assert choice.cell is strong and choice.qualifying == 2
    assert "20 sets of 1" in choice.sentence and "No attack was run" in choice.sentence
    assert recommend([weak, strong, bad], 0.95).cell is weak
    assert recommend([weak, strong, bad], 0.5).cell is bad
    nothing = recommend([weak, strong, bad], 0.995)
    assert nothing.cell is None and nothing.qualifying == 0
    assert "No row" in nothing.sentence and "100 sets" in nothing.sentence


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12))
def test_pareto_against_the_definition(rows):
    cells = [cell_of(1, gain=float(a), loss=-float(b)) for a, b in rows]
    expected = [
        i
        for i, (a, b) in enumerate(rows)
        if not any(c >= a and d <= b and (c, d) != (a, b) for c, d in rows)
    ]
    assert pareto(cells, ["gain", "loss"]) == expected


def test_pareto_leaves_out_what_is_undefined():
    cells = [cell_of(1, gain=float("nan")), cell_of(2, gain=1.0)]
    assert pareto(cells, ["gain"]) == [1]
    assert pareto([], ["gain"]) == []


def test_halving_keeps_the_better_half(points, area):
    rng = np.random.default_rng(5)
    places, tried = Places(points, area, PLANAR), Grid((3, 10, 40), (1, 10))
    result = successive_halving(places, tried, rng, limit=0.8, most=8)
    assert isinstance(result, Halving)
    assert [(repeats, len(left)) for repeats, left in result.rounds] == [(2, 6), (4, 3), (8, 2)]
    for (_, before), (_, after) in zip(result.rounds, result.rounds[1:]):
        assert set(after) == set(before[: len(after)])
    final = result.rounds[-1][1]
    for cell in result.cells:
        assert cell.repeats == (8 if (cell.sets, cell.size) in final else cell.repeats)
    best = {(c.sets, c.size): c for c in result.cells}[final[0]]
    assert best.repeats == 8 and best.mean("nearest_kept") >= 0.8
    # A cell of the halving is the cell of a plain grid with as many repetitions.
    again = evaluate(
        places,
        Grid([best.sets], [best.size]),
        8,
        rng,
        done=[cell for cell in result.cells if cell.repeats == 2][:1],
    )
    assert same(again[0], best)


def test_halving_of_a_single_cell(points, area, rng):
    result = successive_halving(Places(points, area, PLANAR), Grid([5], [2]), rng)
    assert [repeats for repeats, _ in result.rounds] == [2]


# -- bad input ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sets", "sizes", "repeats"),
    [([], [1], 3), ([1], [], 3), ([0], [1], 3), ([1], [-1], 3), ([5], [1], 1)],
)
def test_senseless_grids_are_refused(points, area, sets, sizes, repeats):
    with pytest.raises(InputError):
        grid(points, area, sets=sets, sizes=sizes, repeats=repeats)


def test_too_few_points_or_places_are_refused(points, area):
    with pytest.raises(InputError, match="three points"):
        grid(points[:2], area)
    with pytest.raises(InputError, match="one place"):
        grid(np.ones((5, 2)), area)


def test_no_rows_or_no_share_are_refused(points, area):
    with pytest.raises(InputError):
        recommend([])
    with pytest.raises(InputError, match="share"):
        recommend([cell_of(1, nearest_kept=1.0)], 90)


@pytest.mark.parametrize("workers", [1, 2])
def test_it_can_be_cancelled(points, area, workers):
    def progress(fraction):
        assert 0 <= fraction <= 1
        if fraction > 0.4:
            raise Cancelled()

    with pytest.raises(Cancelled):
        grid(points, area, progress=progress, workers=workers)


@pytest.mark.parametrize("call", [1, 2])
def test_what_comes_before_the_first_embedding_can_be_cancelled(call, monkeypatch):
    """Thousands of points keep it busy for seconds; nothing was asked before."""
    monkeypatch.setattr("geoanon_qgis.core.distances.grid_search.extend", lambda *_: 1 / 0)
    asked = []

    def progress(fraction):
        asked.append(fraction)
        if len(asked) == call:
            raise Cancelled()

    xy = np.random.default_rng(1).uniform(0, 1000, (300, 2))
    with pytest.raises(Cancelled):
        evaluate(
            Places(xy, StudyArea.convex_hull(xy, None), PLANAR),
            Grid([3], [2]),
            2,
            np.random.default_rng(2),
            progress,
        )
    assert set(asked) == {0.0}
