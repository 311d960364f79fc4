# SPDX-License-Identifier: GPL-2.0-or-later
"""Points that stayed in zones and were rounded: cells by draws, and both adversaries by their guesses."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.rounded import Cells, by_rounded_law
from geoanon_qgis.core.attacks.masks.rounded_in_zones import by_rounded_law_in_zones
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import BY_RADIUS, Donut, Gaussian, Laplace, disc
from geoanon_qgis.core.masking.zones import Zones, zone_of
from geoanon_qgis.core.space.points import places

shapely = pytest.importorskip("shapely")
SECRET = bytes(range(32))
LAWS = {
    "disc": disc(70.0),
    "disc by radius": disc(70.0, BY_RADIUS),
    "donut": Donut(40.0, 60.0),
    "gaussian": Gaussian(40.0),
    "laplace": Laplace(2 / 50.0),
}
#: Two that share a bent border, one of them with a hole.
SHAPES = [
    shapely.Polygon([(0, 0), (55, -3), (60, 60), (20, 80), (-5, 40)]),
    shapely.Polygon(
        [(60, 60), (20, 80), (25, 160), (140, 150), (120, -10), (55, -3)],
        holes=[[(80, 60), (90, 60), (90, 80), (80, 80)]],
    ),
]
WATER = [shapely.box(30, 30, 37, 44)]


def cells(count, half):
    return Cells(np.tile([half, 0.0], (count, 1)), np.tile([0.0, half], (count, 1)))


@pytest.mark.parametrize("name", [*LAWS, "adaptive"])
def test_cells_are_as_likely_as_they_are_drawn(name):
    rng, step, draws = np.random.default_rng(5), 13.0, 60_000
    homes = np.array(
        [[30.0, 20.0], [57.0, 40.0], [59.0, 55.0], [92.0, 70.0], [200.0, 0.0], [33, 40]]
    )
    law = (
        Gaussian(np.array([15.0, 60.0, 30.0, 20.0, 40.0, 25.0]))
        if name == "adaptive"
        else LAWS[name]
    )
    zones, zone = Zones.of(SHAPES, WATER), zone_of(homes, SHAPES)
    across, up = np.arange(-3, 14), np.arange(-3, 15)
    centre = np.stack(np.meshgrid(across * step, up * step, indexing="ij"), -1).reshape(-1, 2)
    found = by_rounded_law_in_zones(centre, homes, law, cells(len(centre), step / 2), zones, zone)
    told = np.zeros((len(centre), len(homes)))
    told[found.point, found.candidate] = found.value * step**2
    assert told.sum(axis=0)[zone >= 0] == pytest.approx(1.0, abs=0.01)
    assert not told[:, zone < 0].any()
    for home in np.flatnonzero(zone >= 0):
        # By plain rejection, which shares nothing with what is tested but the distances.
        own = law.of(np.full(draws, home)) if law.count is not None else law
        turn = rng.uniform(0, 2 * np.pi, draws)
        xy = homes[home] + own.radii(rng.random(draws))[:, None] * np.stack(
            [np.cos(turn), np.sin(turn)], 1
        )
        xy = xy[zones.contain(xy, np.full(draws, zone[home]))]
        cell = np.rint(xy / step).astype(int) + 3
        seen = np.bincount(cell[:, 0] * len(up) + cell[:, 1], minlength=len(centre)) / len(xy)
        error = np.sqrt(np.maximum(told[:, home], 1e-5) / len(xy)) + 0.01 * told[:, home]
        assert (np.abs(seen - told[:, home]) / error).max() < 5
        assert not ((seen > 0) & (told[:, home] == 0)).any()


@pytest.mark.parametrize("name", ["disc", "donut"])
def test_both_are_right_as_often_as_they_believe(name):
    law, grid, side = LAWS[name], 60.0, 150.0
    squares = [
        shapely.box(x, y, x + side, y + side)
        for x in np.arange(0, 900, side)
        for y in np.arange(0, 900, side)
    ]
    zones, found, unaware = Zones.of(squares), {"A": [], "B": []}, []
    for draw in range(6):
        rng = np.random.default_rng(draw)
        candidates = places(rng.uniform(0, 900, (500, 2))).xy
        rows, zone = rng.permutation(500)[:100], zone_of(candidates, squares)
        drawn = displace(candidates[rows], law, SECRET, f"in {draw}", zones, zone[rows]).xy
        xy, size = np.rint(drawn / grid) * grid, cells(100, grid / 2)
        likely = by_rounded_law_in_zones(xy, candidates, law, size, zones, zone)
        a, b = who_lives_there(likely), which_record(likely, rows)
        plain = who_lives_there(by_rounded_law(xy, candidates, law, size))
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(100)), b.top))
        unaware.append((plain.right(rows), plain.top))
        assert not a.unexplained.any()
    for who, pairs in found.items():
        right, believed = np.mean(pairs, axis=(0, 2))
        assert right == pytest.approx(believed, abs=0.04), who
    # Who does not know of the zones finds fewer.
    assert np.mean(unaware, axis=(0, 2))[0] < np.mean(found["A"], axis=(0, 2))[0]
