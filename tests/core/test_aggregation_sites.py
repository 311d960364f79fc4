# SPDX-License-Identifier: GPL-2.0-or-later
"""Site numbers, the balanced-density walk on hand-worked examples, nearest sites and cells."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.aggregation import gaps
from geoanon_qgis.core.aggregation.construction import nearest_sites, region_cells, site_cells
from geoanon_qgis.core.aggregation.equivalence_classes import count_classes
from geoanon_qgis.core.aggregation.sites import (
    _cell_ends,
    _row_ends,
    balanced_cells,
    cells_per_row,
    random_sites,
)
from geoanon_qgis.core.runtime.errors import InputError


def test_the_published_models():
    assert (gaps.GAPS_MODELS["west"].a, gaps.GAPS_MODELS["west"].b) == (1588, 0.42)
    assert (gaps.GAPS_MODELS["central"].a, gaps.GAPS_MODELS["central"].b) == (1436, 0.43)
    assert (gaps.GAPS_MODELS["east"].a, gaps.GAPS_MODELS["east"].b) == (1978, 0.304)


def test_site_numbers_by_hand():
    model = gaps.GapsModel(100.0, 0.5)
    # 100 * sqrt(4) = 200 people an area.
    assert gaps.gaps_sites(1_000, 4.0, model) == gaps.SiteNumber(5, 4.0, 200.0)
    assert gaps.gaps_sites(1_100, 4.0, model).sites == 6  # halves up
    assert gaps.gaps_sites(1_099, 4.0, model).sites == 5
    assert gaps.gaps_sites(10, 4.0, model).sites == 1
    assert gaps.gaps_sites(10, 0.0, model).sites == 10  # all alike: no area is too small
    # Four classes of equal size: 2 bits; three and two categories declared: 6 combinations.
    classes = count_classes([0] * 8, [[0, 0, 1, 1] * 2, [0, 1, 0, 1] * 2], 1, [3, 2])
    by_entropy = gaps.SITE_NUMBERS["gaps_entropy"](classes, gaps.GapsModel(1, 1), None)
    by_maxcombs = gaps.SITE_NUMBERS["gaps_maxcombs"](classes, gaps.GapsModel(1, 1), None)
    assert (by_entropy.x, by_entropy.sites) == (2.0, 4)
    assert (by_maxcombs.x, by_maxcombs.sites) == (6.0, 1)
    assert gaps.SITE_NUMBERS["fixed"](classes, None, 3).sites == 3


@pytest.mark.parametrize("number", [None, 0, -3])
def test_a_fixed_number_is_needed(number):
    with pytest.raises(InputError, match="number of sites"):
        gaps.SITE_NUMBERS["fixed"](None, None, number)


def test_models_that_are_none():
    for a, b in ((0, 1), (-1, 1), (np.nan, 1), (1, np.inf)):
        with pytest.raises(InputError, match="cutoff"):
            gaps.GapsModel(a, b)
    for model, x in (
        (gaps.GapsModel(1.0, 1e5), 12),
        (gaps.GapsModel(1e308, 2.0), 12.0),
        (gaps.GapsModel(1.0, 0.4), 10**400),
    ):
        with pytest.raises(InputError, match="too large to compute"):
            gaps.gaps_sites(1_000, x, model)
    classes = count_classes([0, 0], [[0, 1]], 1)
    with pytest.raises(InputError, match="GAPS model"):
        gaps.SITE_NUMBERS["gaps_entropy"](classes, None, None)


@pytest.mark.parametrize(
    ("population", "rows", "most", "ends"),
    [
        ([3, 3, 3, 3], 2, 9, [2, 4]),
        # Ideal 5: 4 is nearer than 8; 4 + 1 is just right; the last 1 joins the row before.
        ([4, 4, 1, 1], 2, 9, [1, 4]),
        # Ideal 5: 4 and 6 are as near, so the last point is left out.
        ([4, 2, 4], 2, 9, [1, 3]),
        # Ideal 5: with the 3 the row has 6, nearer than 3.
        ([3, 3, 4], 2, 9, [2, 3]),
        # Ideal 6, rows of 4 all along: too many are left for the last, which is split on.
        ([4] * 9, 6, 99, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        # No more rows than sites.
        ([4] * 9, 6, 7, [1, 2, 3, 4, 5, 6, 9]),
        # Ideal 4, rows of 6: too few are left for four rows.
        ([6, 6, 4], 4, 9, [1, 2, 3]),
        # What is left is nearer to the ideal than to nothing: a row of its own.
        ([5, 5, 3], 3, 9, [1, 2, 3]),
        # Nobody at either end.
        ([0, 0, 5, 0, 5, 0], 2, 9, [3, 6]),
        ([7], 1, 1, [1]),
    ],
)
def test_rows_by_hand(population, rows, most, ends):
    assert _row_ends(np.array(population), rows, most) == ends


@pytest.mark.parametrize(
    ("population", "cells", "ends"),
    [
        ([1, 1, 1, 1], 2, [2, 4]),
        # Ideal 6: 3 is nearer than 12.
        ([1, 1, 1, 9], 2, [3, 4]),
        # Ideal 4.5: three cells of 4, the surplus of 6 stays in the last.
        ([4, 4, 4, 4, 1, 1], 4, [1, 2, 3, 6]),
        # Ideal 4: after the 10 not enough is left for two cells; it makes one, then is halved.
        ([10, 1, 1], 3, [1, 2, 3]),
        # Ideal 5.25: three cells of 7 use up the points; the first of the largest is halved.
        ([1, 6, 1, 6, 1, 6], 4, [1, 2, 4, 6]),
        # The largest cell of several points is halved at half of its population.
        ([9, 2, 2, 2, 2, 9], 2, [3, 6]),
        ([0, 0, 0], 3, [1, 2, 3]),
        ([5, 5], 1, [2]),
    ],
)
def test_cells_by_hand(population, cells, ends):
    assert _cell_ends(np.array(population), cells) == ends


@pytest.mark.parametrize(
    ("quota", "points", "cells", "given"),
    [
        ([2.0, 2.0], [9, 9], 4, [2, 2]),
        ([1.4, 1.7, 0.9], [9, 9, 9], 4, [1, 2, 1]),
        ([1.5, 1.5, 1.0], [9, 9, 9], 4, [2, 1, 1]),  # ties to the first
        ([0.2, 0.3, 3.5], [9, 9, 9], 4, [1, 1, 2]),  # at least one cell a row
        ([3.9, 0.1], [2, 5], 4, [2, 2]),  # no more cells than points
    ],
)
def test_numbers_of_cells_by_hand(quota, points, cells, given):
    assert cells_per_row(np.array(quota), np.array(points), cells).tolist() == given


def test_balanced_density_by_hand():
    # Nine regions on a grid, nine sites: three rows of three, each region its own site.
    grid = np.array([[x, y] for x in range(3) for y in range(3)], dtype=float)
    found = balanced_cells(grid, np.ones(9, int), 9)
    assert found.sites.tolist() == [[x, y] for y in range(3) for x in range(3)]
    assert found.row_of_cell.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    # Four sites: two rows; ideal 5 (4.5, halves up): 5 of the 9 points, then 4.
    found = balanced_cells(grid, np.ones(9, int), 4)
    assert np.bincount(found.cell_of_region).sum() == 9
    # The first row holds y = 0 and two of y = 1: (0,0) (0,1) (1,0) (1,1) (2,0) by x.
    # Its ideal cell is 2.5: two points and three are as near, so two stay.
    assert found.sites[0].tolist() == [0.0, 0.5]
    assert found.sites[1].tolist() == [1.0, 0.0]
    # The second: (2,1) and y = 2, by x: (0,2) (1,2) | (2,1) (2,2).
    assert found.sites[2].tolist() == [0.5, 2.0]
    assert found.sites[3].tolist() == [2.0, 1.5]


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.data())
def test_balanced_density_always_makes_as_many_cells_as_sites(seed, regions, data):
    rng = np.random.default_rng(seed)
    sites = data.draw(st.integers(1, regions))
    spread = data.draw(st.sampled_from([2, 10, 10_000]))
    xy = rng.integers(0, spread, (regions, 2)).astype(float)
    population = rng.integers(0, data.draw(st.sampled_from([2, 50])), regions)
    population[rng.integers(regions)] += 1
    found = balanced_cells(xy, population, sites)
    assert found.sites.shape == (sites, 2)
    assert (np.bincount(found.cell_of_region, minlength=sites) > 0).all()
    assert (np.diff(found.row_of_cell) >= 0).all()
    for cell in range(sites):
        members = xy[found.cell_of_region == cell]
        assert found.sites[cell].tolist() == np.median(members, axis=0).tolist()
    # Rows do not overlap in y.
    row = found.row_of_cell[found.cell_of_region]
    for lower in range(row.max()):
        assert xy[row == lower, 1].max() <= xy[row == lower + 1, 1].min()


def test_balanced_cells_hold_about_as_many_people(rng):
    xy, population = rng.random((4_000, 2)), rng.integers(400, 701, 4_000)
    found = balanced_cells(xy, population, 200)
    held = np.bincount(found.cell_of_region, weights=population)
    assert np.abs(held / held.mean() - 1).max() < 0.25


def test_sites_beyond_the_regions_and_nobody_anywhere():
    xy = np.array([[0.0, 0.0], [1.0, 1.0]])
    for sites, population, message in (
        (3, [1, 1], "2 places only"),
        (0, [1, 1], "at least one"),
        (1, [0, 0], "any records"),
    ):
        with pytest.raises(InputError, match=message):
            balanced_cells(xy, np.array(population), sites)
    with pytest.raises(InputError, match="1 place only"):
        random_sites(np.zeros((5, 2)), 2, np.random.default_rng(1))


def test_random_sites_are_different_places_of_regions(rng):
    xy = rng.integers(0, 6, (200, 2)).astype(float)
    sites = random_sites(xy, 30, rng)
    assert len({tuple(site) for site in sites}) == 30
    assert {tuple(site) for site in sites} <= {tuple(point) for point in xy}


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 50))
def test_nearest_sites_and_ties(seed, regions, sites):
    rng = np.random.default_rng(seed)
    # A coarse grid: ties and sites at one place abound.
    xy = rng.integers(0, 6, (regions, 2)).astype(float)
    at = rng.integers(0, 6, (sites, 2)).astype(float)
    site, squared = nearest_sites(xy, at)
    for row, (x, y) in enumerate(xy):
        away = [(x - sx) ** 2 + (y - sy) ** 2 for sx, sy in at]
        assert squared[row] == min(away)
        assert site[row] == away.index(min(away))


def test_each_region_lies_in_the_cell_of_its_site(rng):
    xy = rng.random((300, 2)) * 1e5
    sites = np.concatenate([random_sites(xy, 20, rng), [xy[0], xy[0]]])
    cells = site_cells(sites, xy)
    owner, _ = nearest_sites(xy, sites)
    assert cells[21] is None
    for (x, y), site in zip(xy, owner):
        ring = cells[site]
        edge = np.roll(ring, -1, axis=0) - ring
        cross = edge[:, 0] * (y - ring[:, 1]) - edge[:, 1] * (x - ring[:, 0])
        assert (cross >= -1e-3).all()


def test_cells_of_regions_share_their_corners_to_the_last_digit(rng):
    xy = np.concatenate([rng.random((60, 2)) * 1e5 + 4e6, [[4e6, 4e6]] * 2])
    cells, of_region = region_cells(xy)
    assert len(cells) == 61 and of_region[60] == of_region[61]
    corners = {}
    for number, ring in enumerate(cells):
        for corner in map(tuple, ring.tolist()):
            corners.setdefault(corner, []).append(number)
    inside = [
        held for (x, y), held in corners.items() if 4e6 < x < 4e6 + 1e5 and 4e6 < y < 4e6 + 1e5
    ]
    assert len(inside) > 80 and all(len(held) == 3 for held in inside)
    for (x, y), cell in zip(xy, of_region):
        edge = np.roll(cells[cell], -1, axis=0) - cells[cell]
        cross = edge[:, 0] * (y - cells[cell][:, 1]) - edge[:, 1] * (x - cells[cell][:, 0])
        assert (cross > 0).all()


def test_cells_of_one_site_and_of_one_region():
    square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    (one,) = site_cells(np.array([[0.5, 0.5]]), square)
    assert one[:, 0].min() < 0 and one[:, 0].max() > 1
    alone = site_cells(np.array([[3.0, 4.0], [3.0, 4.0]]), np.array([[3.0, 4.0]]))
    assert alone[0].mean(axis=0).tolist() == [3.0, 4.0] and alone[1] is None
