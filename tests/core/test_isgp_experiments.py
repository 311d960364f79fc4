# SPDX-License-Identifier: GPL-2.0-or-later
"""Linkage experiments with ISGP releases: their attacks, and what a cell of them shows."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage import result
from geoanon_qgis.core.experiments.design import (
    ATTACKS,
    LOCAL_MAPS,
    NEAR_GROUP,
    OF_NEIGHBOURS,
    LinkageExperiment,
    attacks_on,
)
from geoanon_qgis.core.experiments.linkage import run
from geoanon_qgis.core.experiments.releases import NoisyCoordinates, Setting, SharedLabels
from geoanon_qgis.core.experiments.verdicts import evidence
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.runtime.workers import Backend
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SQUARE = np.array([[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]])
AREA = StudyArea.of_rings([SQUARE], None)
POINTS = AREA.sample(70, np.random.default_rng(0))
LABELS = [("q", int(label)) for label in np.random.default_rng(1).integers(0, 6, 70)]
NEAR = SharedLabels(150.0, 15.0)


def plan(**changes):
    settings = {
        "n_target": 40,
        "n_identification": 45,
        "overlap": 20,
        "releases": (NEAR,),
        "alphas": (0.5,),
        "repeats": 2,
        "seed": 7,
        "attacks": OF_NEIGHBOURS,
        "known_links": 2,
    }
    return LinkageExperiment(POINTS, LABELS, None, "planar", AREA, **{**settings, **changes})


def test_a_release_tells_near_distances_only():
    setting = Setting(metric_for("planar", None), AREA, None, 10, 10)
    square = NEAR.release(POINTS, setting, np.random.default_rng(3))
    true = np.hypot(*(POINTS[:, None] - POINTS).T)
    told = square < 300 * (1 - 1e-9)
    np.testing.assert_allclose(square[told], true[told], atol=15)
    assert (square[~told] == 300).all() and (true[~told] > 280).all()
    assert NEAR.key == "isgp,radius=150.0,spacing=15.0"
    seen = NEAR.seen_by(POINTS, setting)
    assert (seen.beyond, seen.spacing) == (300, 15)


def test_near_group_and_maps_are_its_attacks():
    assert attacks_on(NEAR) == (NEAR_GROUP, LOCAL_MAPS)
    assert attacks_on(NoisyCoordinates(3.0)) == ATTACKS
    cells = list(run(plan(), backend=Backend(workers=1)))
    assert [cell.key for cell in cells] == plan().cells
    maps = cells[1]
    assert maps.proven.all() and maps.recall.min() > 0.8 and maps.precision.min() > 0.8
    # Known links are not found again.
    assert maps.matches.max() <= 20 and maps.alpha is None
    shown = evidence({**maps.row(), **plan().settings})
    assert shown.attack == result.LOCAL_MAPS and shown.complete and shown.found > 14


@pytest.mark.parametrize(
    "changes",
    [
        {"attacks": ("clique",)},
        {"attacks": ATTACKS},
        {"releases": (NEAR, NoisyCoordinates(3.0))},
        {"releases": (NoisyCoordinates(3.0),), "attacks": (LOCAL_MAPS,)},
    ],
)
def test_attacks_that_do_not_apply_are_refused(changes):
    with pytest.raises(InputError, match="neighbours only"):
        plan(**changes)
