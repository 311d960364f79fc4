# SPDX-License-Identifier: GPL-2.0-or-later
"""Noise before the embedding, steps, and grouped quasi-identifiers: what they do and refuse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.attacks.linkage.inputs import Files
from geoanon_qgis.core.attacks.linkage.intervals import contracts
from geoanon_qgis.core.attacks.linkage.near_group import near_group
from geoanon_qgis.core.attacks.linkage.own_releases import OwnReleases
from geoanon_qgis.core.attacks.linkage.simulated import simulate
from geoanon_qgis.core.columns import column_of
from geoanon_qgis.core.distances.lipschitz import lipschitz_distances, noisy_places
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.distances.release import lipschitz_release
from geoanon_qgis.core.distances.rounding import (
    decimals_for,
    round_down_to,
    rounding_of,
    step_multiple,
)
from geoanon_qgis.core.microdata.recoding import Recoding
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

pyproj = pytest.importorskip("pyproj")

SIDE = 100_000.0
SQUARE = np.array([[0.0, 0.0], [SIDE, 0.0], [SIDE, SIDE], [0.0, SIDE]])
AREA = StudyArea.of_rings([SQUARE], None)
PLANAR = metric_for("planar", None)
POINTS = np.random.default_rng(1).uniform(0, SIDE, (60, 2))


def rng():
    return np.random.default_rng(5)


def true_of(points):
    i, j = np.triu_indices(len(points), 1)
    return PLANAR.between(points[i], points[j])


# --- noise before the embedding ------------------------------------------------------------------


def test_no_noise_draws_nothing_and_changes_nothing():
    one = rng()
    assert noisy_places(POINTS, 0.0, None, one) is POINTS
    assert one.random() == rng().random()
    with_none = lipschitz_distances(POINTS, AREA, PLANAR, 5, 5, rng(), pre_noise=0.0)
    assert (with_none == lipschitz_distances(POINTS, AREA, PLANAR, 5, 5, rng())).all()


@pytest.mark.parametrize(
    ("wkt", "at"),
    [("EPSG:25832", (5e5, 6.6e6)), ("EPSG:3857", (1e6, 8.4e6)), ("EPSG:4326", (9, 60))],
)
def test_noise_is_as_large_on_the_ground_in_both_directions(wkt, at):
    points = np.tile(np.array(at, dtype=float), (4000, 1))
    moved = noisy_places(points, 500.0, wkt, rng())
    to = pyproj.Transformer.from_crs(wkt, "EPSG:4326", always_xy=True).transform
    geod = pyproj.Geod(ellps="WGS84")
    azimuth, _, length = geod.inv(*to(*points.T), *to(*moved.T))
    for way in (np.sin, np.cos):
        ways = length * way(np.radians(azimuth))
        assert ways.std() == pytest.approx(500.0, rel=0.06)
        assert abs(ways.mean()) < 40


def test_noise_may_leave_the_area_and_lengthen_distances():
    corners = SQUARE.repeat(50, axis=0)
    assert not AREA.contains(noisy_places(corners, 1000.0, None, rng())).all()
    released, _ = lipschitz_release(POINTS, AREA, PLANAR, 200, 2, 0, 1, rng(), pre_noise=3000.0)
    assert (released > true_of(POINTS)).any()
    plain, _ = lipschitz_release(POINTS, AREA, PLANAR, 200, 2, 0, 1, rng())
    assert (plain <= true_of(POINTS)).all()


@pytest.mark.parametrize("noise", [-1.0, float("nan")])
def test_noise_has_to_be_a_number(noise):
    with pytest.raises(InputError):
        noisy_places(POINTS, noise, None, rng())
    with pytest.raises(InputError):
        LipschitzEmbedding(5, 5, AREA, 0.9, pre_noise=noise)


# --- what the adversary makes of it ------------------------------------------------------------


def test_only_without_noise_a_rule_contracts():
    rule = LipschitzEmbedding(5, 5, AREA, 0.9)
    assert contracts(rule) and not contracts(replace(rule, pre_noise=1.0))
    noisy = OwnReleases(replace(rule, pre_noise=3000.0), POINTS, PLANAR)
    true = np.triu(noisy.square(POINTS, rng()), 1)[np.triu_indices(len(POINTS), 1)]
    assert not noisy.contractive and (true > true_of(POINTS)).any()


def test_intervals_hold_the_share_that_they_say():
    rule = LipschitzEmbedding(10, 10, AREA, 0.8, replicates=300, pre_noise=2000.0)
    found = rule.intervals(POINTS, PLANAR, rng=rng())
    assert found.coverage == pytest.approx(0.8, abs=0.03)
    i, j = np.triu_indices(len(POINTS), 1)
    fresh = [simulate(rule, POINTS, PLANAR, np.random.default_rng(n))[i, j] for n in range(20)]
    held = np.mean([found.holds(one, i, j) for one in fresh])
    assert held == pytest.approx(0.8, abs=0.03)
    blind = replace(rule, pre_noise=0.0).intervals(POINTS, PLANAR, rng=rng())
    near = true_of(POINTS) < 10_000
    told, untold = (
        np.mean([one.holds(some, i, j)[near] for some in fresh]) for one in (found, blind)
    )
    assert told > untold + 0.2


def test_the_near_group_finds_more_when_it_is_told_of_the_noise():
    rule = LipschitzEmbedding(20, 10, AREA, 0.9, pre_noise=500.0)
    towns = np.random.default_rng(3).uniform(0.2 * SIDE, 0.8 * SIDE, (5, 2))
    right = {0.0: 0, 500.0: 0}
    claimed = 0
    for seed in range(2):
        draw = np.random.default_rng(seed)
        points = towns[draw.integers(0, 5, 200)] + draw.normal(0, 4000.0, (200, 2))
        labels = draw.integers(0, 20, 200).tolist()
        released = simulate(rule, points[:120], PLANAR, draw)
        matrix = DistanceMatrix.numbered(released[np.triu_indices(120, 1)])
        for noise in right:
            matches = near_group(
                Files(
                    labels[:120],
                    matrix,
                    labels[40:],
                    points[40:],
                    PLANAR,
                    replace(rule, pre_noise=noise),
                ),
                rng=rng(),
            ).matches
            good = int((matches[:, 0] == matches[:, 1] + 40).sum())
            right[noise] += good
            claimed += len(matches) - good if noise else 0
    assert right[500.0] >= max(right[0.0], 20)
    assert claimed <= 0.2 * right[500.0]


# --- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "factor", "decimals"), [(250.0, 1, 0), (250.0, 1000, 3), (0.5, 1, 1), (2000.0, 1, -3)]
)
def test_releases_are_multiples_of_the_step_and_never_too_long(step, factor, decimals):
    multiple = step_multiple(step, factor, decimals)
    released, _ = lipschitz_release(
        POINTS, AREA, PLANAR, 20, 5, decimals, factor, rng(), multiple=multiple
    )
    steps = released * factor / step
    assert np.allclose(steps, np.rint(steps), atol=1e-6)
    assert (released * factor <= true_of(POINTS)).all()
    plain = lipschitz_distances(POINTS, AREA, PLANAR, 20, 5, rng())
    assert np.allclose(released * factor, round_down_to(plain, step), atol=1e-6)
    below, above = rounding_of(released, down=True)
    assert (below * factor, above) == (pytest.approx(step), 0.0)


def test_a_handful_of_distances_tells_no_common_step():
    assert rounding_of(np.array([250.0, 500.0, 1000.0]), down=True) == (10.0, 0.0)


@pytest.mark.parametrize("step", [0.0, -5.0, float("inf"), 0.3, 1 / 3])
def test_steps_that_cannot_be_written_are_refused(step):
    with pytest.raises(InputError):
        step_multiple(step, 1, 0)


def test_decimals_are_as_many_as_the_step_needs():
    assert decimals_for(250.0, 1, 0) == 0
    assert decimals_for(250.0, 1000, 0) == 2
    assert decimals_for(0.5, 1000, 3) == 4
    assert decimals_for(1 / 3, 1, 0) == 0


# --- grouped quasi-identifiers --------------------------------------------------------------------

ROWS = [("age", 31, "30–39"), ("age", 35, "30–39"), ("age", 47, "40–49"), ("sex", "f", "any")]


def test_values_become_groups_and_missing_ones_stay_missing():
    recoding = Recoding.of_rows(ROWS)
    ages = recoding.column(column_of("age", [35, None, 47, 31]))
    assert ages[:] == ["30–39", None, "40–49", "30–39"]
    other = column_of("height", [35, 1])
    assert recoding.column(other) is other
    labels = [("31", "f", "x"), None, ("47", "m", "x"), ("40–49", "f", "x")]
    assert recoding.labels(labels, ["age", "sex", "town"]) == [
        ("30–39", "any", "x"),
        None,
        ("40–49", "m", "x"),
        ("40–49", "any", "x"),
    ]


def test_a_value_without_a_group_is_refused_and_named():
    with pytest.raises(InputError, match="“age” without a group, such as “99”"):
        Recoding.of_rows(ROWS).column(column_of("age", [31, 99]))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "no rows"),
        ([*ROWS, ("age", 31, "other")], "two groups"),
        ([("age", None, "30–39")], "Row 1"),
    ],
)
def test_tables_that_say_nothing_clear_are_refused(rows, words):
    with pytest.raises(InputError, match=words):
        Recoding.of_rows(rows)


def test_fields_that_are_not_there_are_refused():
    with pytest.raises(InputError, match="“age”"):
        Recoding.of_rows(ROWS).refuse_other_fields(["sex"])
