# SPDX-License-Identifier: GPL-2.0-or-later
"""The frontier of several aggregations, the recommended one, and how round areas are."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation.choosing import frontier, isoperimetric_quotient, recommended
from geoanon_qgis.core.runtime.errors import InputError


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12))
def test_nobody_on_the_frontier_is_beaten_and_everybody_else_is(costs):
    found = frontier(np.array(costs))
    assert len({costs[row] for row in found}) == len(found)

    def beaten(one):
        return any(other != one and other[0] <= one[0] and other[1] <= one[1] for other in costs)

    assert {costs[row] for row in found} == {one for one in costs if not beaten(one)}
    firsts = [costs[row][0] for row in found]
    assert firsts == sorted(firsts)


def cost(suppressed, compactness, entropy_loss, areas=5):
    return SimpleNamespace(
        suppressed=suppressed, compactness=compactness, entropy_loss=entropy_loss, areas=areas
    )


TRIED = [
    cost(100, 100.0, 100.0),  # balanced density
    cost(50, 130.0, 100.0),  # too wide
    cost(70, 99.0, 104.0),
    cost(60, 99.0, 108.0),  # entropy beyond a tolerance of 5 %
    cost(110, 70.0, 120.0),  # suppresses more
    cost(100, 80.0, 130.0),
    cost(10, 10.0, 10.0, areas=4),  # fewer areas: no fair comparison
    cost(100, 100.0, 90.0),
]


@pytest.mark.parametrize(
    ("objective", "tolerance", "best"),
    [
        ("suppression", 0.05, 2),
        ("suppression", 0.1, 3),
        ("suppression", 0.0, 0),
        ("compactness", 0.05, 5),
        ("entropy", 0.05, 7),
        ("weighted", 0.1, 3),
    ],
)
def test_the_recommended_one_is_best_and_otherwise_no_worse(objective, tolerance, best):
    assert recommended(TRIED, 0, objective, tolerance) == best


def test_without_balanced_density_nothing_is_a_limit():
    assert recommended(TRIED[1:6], None, "suppression", 0.0) == 0
    assert recommended(TRIED[1:6], None, "compactness", 0.0) == 3
    with pytest.raises(InputError, match="share"):
        recommended(TRIED, 0, "entropy", -1.0)


def test_roundness_of_known_shapes():
    angle = np.linspace(0, 2 * np.pi, 2_000, endpoint=False)
    circle = 1e6 + 5 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    assert isoperimetric_quotient([[circle]]) == pytest.approx(1, abs=1e-5)
    assert isoperimetric_quotient([[square]]) == pytest.approx(np.pi / 4)
    assert isoperimetric_quotient([[square], [square + 9]]) == pytest.approx(np.pi / 8)
    hole = [3 * square, square + 1]
    assert isoperimetric_quotient([hole]) == pytest.approx(4 * np.pi * 8 / 16**2)
    assert np.isnan(isoperimetric_quotient([]))
