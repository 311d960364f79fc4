# SPDX-License-Identifier: GPL-2.0-or-later
"""Several releases of the same people in a linkage experiment: how they are put together."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.release_links import LEAST
from geoanon_qgis.core.attacks.maps.adversary import Adversary, Overlap
from geoanon_qgis.core.attacks.maps.embedding_risk import EmbeddingRisk
from geoanon_qgis.core.distances.lipschitz import embed, reference_sets
from geoanon_qgis.core.distances.setting import Setting as TrialSetting
from geoanon_qgis.core.experiments.design import (
    CLIQUE,
    LINKED_BY_ROWS,
    NEAR_GROUP,
    LinkageExperiment,
    draw_files,
    rng_of,
)
from geoanon_qgis.core.experiments.linkage import run
from geoanon_qgis.core.experiments.releases import (
    EmbeddedDistances,
    NoisyCoordinates,
    NoisyDistances,
    Setting,
    SharedLabels,
)
from geoanon_qgis.core.experiments.several import Holder, seen
from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.core.runtime.workers import Backend
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

SQUARE = np.array([[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]])
AREA = StudyArea.of_rings([SQUARE], None)
METRIC = metric_for("planar", None)
SETTING = Setting(METRIC, AREA, None, 300, 50)
POINTS = AREA.sample(90, np.random.default_rng(0))
LABELS = [("q", int(label)) for label in np.random.default_rng(1).integers(0, 4, 90)]
EMBEDDED = EmbeddedDistances(10, 2)
HERE = Backend(workers=1)


def plan(*releases, **changes):
    settings = {
        "points": POINTS,
        "labels": LABELS,
        "wkt": None,
        "metric": "planar",
        "area": AREA,
        "n_target": 40,
        "n_identification": 45,
        "overlap": 15,
        "releases": releases or (EMBEDDED,),
        "alphas": (0.9,),
        "repeats": 2,
        "seed": 7,
        "pairs": 300,
        "replicates": 50,
    }
    return LinkageExperiment(**{**settings, **changes})


def holder(experiment):
    files = draw_files(experiment)
    return Holder(experiment, experiment.releases[0], files, SETTING, POINTS[files.target])


def together(experiment, number=0):
    one = holder(experiment)
    return one.together(one.released(number, silent), number, silent)


def generator(experiment, at, number=0):
    again = f" again {at}" if at else ""
    return rng_of(experiment.seed, f"release {experiment.releases[0].key}{again}", number)


def test_three_embeddings_are_one_with_three_times_as_many_sets():
    """Held against all reference sets at once, of which the largest difference counts."""
    experiment = plan(n_releases=3)
    secret = POINTS[draw_files(experiment).target]
    embedded = np.hstack(
        [
            embed(secret, reference_sets(AREA, 10, 2, generator(experiment, at)), METRIC)
            for at in range(3)
        ]
    )
    assert embedded.shape == (40, 30)
    largest = np.abs(embedded[:, None] - embedded[None]).max(axis=2)
    told = together(experiment)
    assert np.allclose(told.released, largest, rtol=0, atol=1e-6)
    assert told.view == EmbeddedDistances(30, 2) and told.linked == told.right == 1.0
    one = together(plan())
    assert (told.released >= one.released).all() and (told.released > one.released).any()
    assert one.view == EMBEDDED


def test_noise_averages_out():
    experiment = plan(NoisyDistances("laplace", 20.0), n_releases=4)
    release, secret = experiment.releases[0], POINTS[draw_files(experiment).target]
    each = [release.release(secret, SETTING, generator(experiment, at)) for at in range(4)]
    told = together(experiment)
    assert np.allclose(told.released, np.mean(each, axis=0), rtol=1e-12)
    assert (told.view.distribution, told.view.scale) == (
        "gaussian",
        pytest.approx(20 * 2**0.5 / 2),
    )


def test_how_several_releases_look():
    assert seen(EMBEDDED, (), SETTING) is EMBEDDED
    moved = EmbeddedDistances(10, 2, pre_noise=30.0, step=5.0)
    assert seen(moved, (1.0,) * 8, SETTING) == replace(moved, pre_noise=10.0)
    stepped = EmbeddedDistances(10, 2, step=5.0)
    assert seen(stepped, (1.0,), SETTING) == replace(stepped, sets=20)
    assert seen(NoisyCoordinates(8.0, True), (1.0,) * 3, SETTING) == NoisyCoordinates(4.0, True)
    assert seen(EMBEDDED, (0.5,), SETTING).sets == round(10 * 1.25)


def test_the_adversary_of_two_embeddings_is_prepared_for_one_of_twice_the_sets():
    twice = next(run(plan(n_releases=2, repeats=1), backend=HERE))
    one = next(run(plan(EmbeddedDistances(20, 2), repeats=1), backend=HERE))
    assert twice.release == EMBEDDED and twice.coverage == one.coverage
    assert twice.linked.tolist() == twice.links_right.tolist() == [1.0]
    assert one.linked is one.links_right is one.row()["linked"] is None
    assert twice.row()["linked"] == 1.0
    # What is kept is that of one release: nobody is given the one that was put together.
    alone = next(run(plan(repeats=1), backend=HERE))
    assert twice.deviation_variance == alone.deviation_variance
    assert twice.nearest_kept == alone.nearest_kept


@pytest.mark.slow
def test_with_more_releases_more_are_found_by_both_attacks():
    release = EmbeddedDistances(4, 4)
    common = {"attacks": (CLIQUE, NEAR_GROUP), "overlap": 30, "repeats": 3}
    found = [
        {cell.attack: cell.recall.mean() for cell in run(plan(release, **common, **more), (), HERE)}
        for more in ({}, {"n_releases": 5})
    ]
    for attack in (CLIQUE, NEAR_GROUP):
        assert found[1][attack] > found[0][attack]


@pytest.mark.slow
def test_rows_link_what_no_id_links():
    """Each release has an order of its own; whoever is not linked stays as the first has him."""
    experiment = plan(EmbeddedDistances(30, 2), n_releases=2, linked_by=LINKED_BY_ROWS)
    first = together(plan(EmbeddedDistances(30, 2))).released
    by_ids = together(plan(EmbeddedDistances(30, 2), n_releases=2)).released
    told = together(experiment)
    assert told.linked > 0.5 and told.right > 0.95
    assert 30 < told.view.sets <= 60
    alike = np.isclose(told.released, by_ids) | np.isclose(told.released, first)
    assert alike.mean() > 0.95 and np.isclose(told.released, by_ids).mean() > 0.3
    assert (told.released >= first - 1e-9).all()
    assert holder(experiment).always is None
    # All attacks, and all shares, meet the same links.
    again = together(experiment)
    assert (again.released == told.released).all() and again.view == told.view


def test_releases_that_nothing_links_count_as_the_first():
    experiment = plan(NoisyDistances("gaussian", 1e5), n_releases=3, linked_by=LINKED_BY_ROWS)
    told = together(experiment)
    assert told.linked == 0 and np.isnan(told.right)
    assert told.view == experiment.releases[0]
    assert (told.released == holder(experiment).released(0, silent)).all()


def test_linking_that_was_cut_off_is_told():
    common = {"n_releases": 2, "linked_by": LINKED_BY_ROWS, "repeats": 1, "attacks": (NEAR_GROUP,)}
    assert together(plan(time_limit=1e-9, **common)).cut_off
    (cell,) = run(plan(time_limit=1e-9, **common), backend=HERE)
    assert not cell.proven.any()


def test_runs_with_other_releases_do_not_go_together():
    assert plan().settings["releases"] == 1 and plan().settings["linked_by"] is None
    assert plan(linked_by=LINKED_BY_ROWS).settings == plan().settings
    assert plan(n_releases=2).settings["linked_by"] == "ids"


@pytest.mark.parametrize(
    "changes, part",
    [
        ({"n_releases": 0}, "at least one release"),
        ({"linked_by": "faith"}, "ids or rows"),
        (
            {"releases": (SharedLabels(100.0, 10.0),), "attacks": (NEAR_GROUP,), "n_releases": 2},
            "one at a time",
        ),
        (
            {"n_releases": 2, "linked_by": LINKED_BY_ROWS, "n_target": LEAST - 1, "overlap": 3},
            "eight",
        ),
    ],
)
def test_bad_input(changes, part):
    with pytest.raises(InputError, match=part):
        plan(**changes)


def test_too_many_records_to_be_linked_by_rows_are_refused_before_anything_is_tried():
    many = {
        "points": np.tile(POINTS, (40, 1)),
        "labels": LABELS * 40,
        "n_target": 1501,
        "n_identification": 100,
    }
    assert plan(**many, n_releases=2).n_target == 1501
    with pytest.raises(InputError, match="1,501 records are too many"):
        plan(**many, n_releases=2, linked_by=LINKED_BY_ROWS)


@pytest.mark.slow
def test_the_choice_of_an_embedding_can_be_held_against_several_releases():
    """The same people, draw by draw; ISGP is attacked one release at a time."""
    setting, half = TrialSetting(3, 6), Overlap(0.5)
    found = {}
    for releases in (1, 5):
        adversary = Adversary((0.5,), releases=releases)
        risk = EmbeddingRisk(
            POINTS,
            LABELS,
            AREA,
            METRIC,
            np.random.default_rng(3),
            adversary=adversary,
            replicates=60,
        )
        drawn = [risk.attack(setting, half, number, risk.quick) for number in range(4)]
        found[releases] = sum(one.found for one in drawn)
        assert [one.people for one in drawn] == [risk.draws.common(half)] * 4
    assert found[5] > found[1]
    with pytest.raises(InputError, match="one at a time"):
        disc = TrialSetting(0, 0, radius=300.0)
        risk.attack(disc, half, 0, risk.quick_for(disc))
