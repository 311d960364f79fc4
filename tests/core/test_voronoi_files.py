# SPDX-License-Identifier: GPL-2.0-or-later
"""Whole files of adaptive Voronoi masking: what is kept up to date, against the mask itself."""

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.attacks.masks import voronoi_files
from geoanon_qgis.core.attacks.masks.likelihood import Likelihood
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.voronoi_borders import by_structure
from geoanon_qgis.core.attacks.masks.voronoi_company import Setting
from geoanon_qgis.core.attacks.masks.voronoi_file import Addresses, File
from geoanon_qgis.core.attacks.masks.voronoi_ways import ToCrossings, ToPoints
from geoanon_qgis.core.attacks.masks.voronoied import by_crossings
from geoanon_qgis.core.masking.adaptive_voronoi import (
    ALONE,
    Crossings,
    adaptive_voronoi,
    nearest_border,
)
from geoanon_qgis.core.masking.addresses import at_addresses

SECRET = bytes(range(32))
LEAST = 1e-3
#: On a lattice, where neighbours, borders and crossings tie.
LATTICE = np.stack(np.meshgrid(np.arange(7.0), np.arange(6.0)), -1).reshape(-1, 2) * 20 + 5
AREAS = np.array([shapely.box(x, y, x + 50, y + 60) for x in (0, 50, 100) for y in (0, 60)])
AREA = (LATTICE[:, 0] // 50).astype(int) * 2 + (LATTICE[:, 1] // 60).astype(int)
CROSSINGS = np.stack(np.meshgrid(np.arange(0, 150, 30.0), np.arange(0, 120, 30.0)), -1).reshape(
    -1, 2
)


def masked(rows, crossings):
    made = adaptive_voronoi(LATTICE[rows], AREAS, AREA[rows], SECRET, "f", crossings, True)
    return made.xy, made.way


def a_world(count, crossings):
    """Points of some rows, each of which can be at any address, and these rows."""
    rows = np.random.default_rng(3).permutation(len(LATTICE))[:count]
    xy, _ = masked(rows, crossings)
    foot, away = nearest_border(LATTICE, AREA, AREAS)
    if crossings is None:
        ways = ToPoints(np.where(np.isnan(xy), -99.0, xy), 0.02, shapely.area(AREAS))
        leads = np.hypot(*(foot[None] - ways.point[:, None]).transpose(2, 0, 1)) <= 0.02
    else:
        to = Crossings.of(crossings, AREAS)
        released = at_addresses(np.where(np.isnan(xy), -99.0, xy), crossings, 0.01)[0]
        anywhere = {
            one: (np.arange(len(crossings)), np.full(len(crossings), 0.05)) for one in range(6)
        }
        ways = ToCrossings(released, to, anywhere)
        leads = to.nearest(foot, AREA)[None] == released[:, None]
    size = len(LATTICE)
    return rows, Addresses(
        np.arange(count + 1) * size,
        np.tile(np.arange(size), count),
        leads.ravel(),
        np.ones(count * size),
        LATTICE,
        AREA,
        away,
        [np.delete(np.arange(count), row) for row in range(count)],
        ways,
    )


def told_by_the_mask(world, at, crossings):
    """How well the mask explains all points, if rows are at addresses: a logarithm."""
    xy, way = masked(at, crossings)
    told = 0.0
    for row, own in enumerate(at.tolist()):
        if way[row] == ALONE:
            told += np.log(max(world.ways.alone(row, int(AREA[own])), LEAST))
            continue
        if np.isnan(xy[row, 0]):  # it would be released where it is
            xy[row] = LATTICE[own]
        if np.hypot(*(xy[row] - world.ways.point[row])) > 0.02:
            told += np.log(LEAST)
    return told


@pytest.mark.parametrize("crossings", [CROSSINGS, None])
@pytest.mark.parametrize("count", [7, 14])
def test_what_is_kept_up_to_date_is_what_the_mask_makes(count, crossings):
    (rows, world), rng = a_world(count, crossings), np.random.default_rng(8)
    file, size = File(world, 0.3), len(LATTICE)
    for row, own in enumerate(rng.permutation(size)[:count].tolist()):
        file.put(row, row * size + own)
    file.let(LEAST)
    for row in rng.integers(0, count, 60).tolist():
        file.take(row)
        pair, _ = file.chances(row)
        file.put(row, int(rng.choice(pair)))
    if crossings is None:  # random files explain no point
        for row in range(count):
            file.take(row)
        for row, own in enumerate(rows.tolist()):
            file.put(row, row * size + own)
    for row in rng.permutation(count)[:2].tolist():
        file.take(row)
        pair, told = file.chances(row)
        assert len(pair) == size - count + 1
        some = np.append(rng.choice(len(pair), 12, replace=False), told.argmax())
        real = []
        for one in some.tolist():
            at = file.pair % size
            at[row] = pair[one] % size
            real.append(told_by_the_mask(world, at, crossings))
        assert np.ptp(real) > 0
        assert told[some] - told[some[0]] == pytest.approx(np.array(real) - real[0], abs=1e-9)
        file.put(row, int(pair[told.argmax()]))


def test_files_are_as_likely_as_counted_out():
    """All files of three records at seven addresses."""
    homes = LATTICE[[0, 2, 9, 15, 17, 24, 33]]
    area, crossings = np.zeros(7, dtype=int), np.array([[30.0, 20], [80, 20], [40, 75], [90, 90]])
    town = np.array([shapely.box(-20, -20, 160, 140)])

    def goes(rows):
        made = adaptive_voronoi(homes[rows], town, area[rows], SECRET, "f", crossings)
        return at_addresses(made.xy, crossings, 0.01)[0]

    released = goes(np.array([1, 4, 6]))
    exact = np.zeros((3, 7))
    for rows in np.array(np.meshgrid(*[np.arange(7)] * 3)).reshape(3, -1).T:
        if len(set(rows.tolist())) == 3 and (goes(rows) == released).all():
            exact[np.arange(3), rows] += 1
    exact /= exact.sum(axis=1, keepdims=True)
    found, together = by_crossings(released, Setting(homes, area, town), Crossings.of(crossings))
    assert together
    dense = np.zeros((3, 7))
    dense[found.point, found.candidate] = found.value
    assert np.abs(dense - exact).max() < 0.1
    assert ((exact > 0.1) & (exact < 0.9)).sum() > 6


def test_too_much_work_is_left_and_told_by_numbers_alone(monkeypatch):
    rows = np.random.default_rng(3).permutation(len(LATTICE))[:12]
    xy, _ = masked(rows, None)
    xy = xy[~np.isnan(xy[:, 0])]
    setting, fractions = Setting(LATTICE, AREA, AREAS), []
    found, together = by_structure(xy, setting, 0.02, fractions.append)
    assert together
    assert fractions == sorted(fractions) and len(fractions) > 20 and fractions[-1] == 1.0
    assert who_lives_there(found).top.mean() > 0.2
    again, _ = by_structure(xy, setting, 0.02)
    assert (again.value == found.value).all()
    monkeypatch.setattr(voronoi_files, "_MOST", 1.0)
    alone, together = by_structure(xy, setting, 0.02)
    assert not together
    assert isinstance(alone, Likelihood)


def test_unsure_draws_leave_a_part_to_what_was_believed_before():
    first, before = np.array([0, 2, 4]), np.full(4, 0.5)
    sure = np.array([0.9, 0.1, 0.8, 0.2])
    assert voronoi_files._doubt(first, sure, sure, before) == 0.0
    one, two = np.array([0.9, 0.1, 0.8, 0.2]), np.array([0.7, 0.3, 0.8, 0.2])
    assert (
        voronoi_files._doubt(first, one, two, before) == 0.0
    )  # the same guess, as sure on average
    other = np.array([0.3, 0.7, 0.8, 0.2])
    # He believes .9 and .7 of his own guesses, the other .3 and .1: half of .6 is too much, of .1.
    assert voronoi_files._doubt(first, one, other, before) == pytest.approx(0.3 / 0.4, abs=1e-9)
