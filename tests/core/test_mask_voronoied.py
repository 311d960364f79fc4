# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack on adaptive Voronoi masking, held against the truth of fresh files."""

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.voronoi_borders import by_structure
from geoanon_qgis.core.attacks.masks.voronoi_company import Setting
from geoanon_qgis.core.attacks.masks.voronoied import by_crossings, drawn_from
from geoanon_qgis.core.masking.adaptive_voronoi import BORDER, Crossings, adaptive_voronoi
from geoanon_qgis.core.masking.addresses import at_addresses
from tests.core.test_mask_posterior import homes

pytestmark = pytest.mark.usefixtures("few_rounds")
SECRET = bytes(range(32))
COUNT, SIZE, STEP = 1600, 1200.0, 240.0
XY = homes(41, COUNT, SIZE)
AREAS = np.array(
    [
        shapely.box(x, y, x + STEP, y + STEP)
        for x in np.arange(0, SIZE, STEP)
        for y in np.arange(0, SIZE, STEP)
    ]
)
AREA = (XY // STEP).astype(int) @ np.array([round(SIZE / STEP), 1])
CROSSINGS = np.random.default_rng(5).uniform(0, SIZE, (300, 2))


def masked(draw, count, crossings, inside):
    rows = np.random.default_rng(draw).permutation(COUNT)[:count]
    made = adaptive_voronoi(XY[rows], AREAS, AREA[rows], SECRET, f"file {draw}", crossings, inside)
    seen = ~made.withheld
    return rows[seen], made.xy[seen], made.way[seen]


@pytest.mark.parametrize(("count", "inside"), [(30, True), (150, True), (150, False)])
def test_behind_crossings_both_are_right_as_often_as_they_believe(count, inside):
    setting, found = Setting(XY, AREA, AREAS), {"A": [], "B": []}
    crossings = Crossings.of(CROSSINGS, AREAS if inside else None)
    impossible = total = 0
    for draw in range(2 if count > 100 else 3):
        rows, xy, _ = masked(draw, count, CROSSINGS, inside)
        at = at_addresses(xy, CROSSINGS, 0.01)[0]
        likelihood, together = by_crossings(at, setting, crossings)
        assert together
        a, b = who_lives_there(likelihood), which_record(likelihood, rows)
        impossible, total = impossible + (a.of_truth(rows) == 0).sum(), total + len(rows)
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(len(rows))), b.top))
    assert impossible / total < 0.02
    for pairs in found.values():
        right, believed = (np.concatenate(one) for one in zip(*pairs))
        assert right.mean() == pytest.approx(believed.mean(), abs=0.05)


def test_without_crossings_feet_and_middles_undo_it():
    setting, found = Setting(XY, AREA, AREAS), {"A": [], "B": []}
    for draw in range(2):
        rows, xy, way = masked(draw, 150, None, False)
        likelihood, _ = by_structure(xy, setting, 0.02)
        a, b = who_lives_there(likelihood), which_record(likelihood, rows)
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(len(rows))), b.top))
        assert (a.of_truth(rows) > 0).mean() > 0.97
        assert a.right(rows)[way == BORDER].mean() > 0.95
    for pairs in found.values():
        right, believed = (np.concatenate(one) for one in zip(*pairs))
        assert right.mean() == pytest.approx(believed.mean(), abs=0.06)


def test_draws_are_as_likely_as_believed():
    setting = Setting(XY, AREA, AREAS)
    rows, xy, _ = masked(1, 40, None, False)
    likelihood, _ = by_structure(xy, setting, 0.02)
    rng, count = np.random.default_rng(2), np.zeros((len(rows), COUNT))
    for _ in range(2000):
        drawn = drawn_from(likelihood, None, rng)
        count[np.flatnonzero(drawn >= 0), drawn[drawn >= 0]] += 1 / 2000
    a = who_lives_there(likelihood)
    question = np.repeat(np.arange(len(rows)), np.diff(a.first))
    assert count[question, a.answer] == pytest.approx(a.probability, abs=0.05)
    assert count.sum() == pytest.approx((a.best >= 0).sum())
