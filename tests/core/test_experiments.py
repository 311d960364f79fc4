# SPDX-License-Identifier: GPL-2.0-or-later
"""Linkage experiments: files, cells, resume, the same numbers however the work is spread."""

import pickle

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.attacks.linkage.truth import score
from geoanon_qgis.core.distances.trials import mean
from geoanon_qgis.core.experiments import linkage as experiments
from geoanon_qgis.core.experiments.design import (
    ATTACKS,
    CLIQUE,
    LIKELIHOOD,
    LinkageExperiment,
    draw_files,
)
from geoanon_qgis.core.experiments.linkage import run
from geoanon_qgis.core.experiments.releases import (
    EmbeddedDistances,
    NoisyCoordinates,
    NoisyDistances,
)
from geoanon_qgis.core.runtime.errors import Cancelled, InputError, MissingPackage
from geoanon_qgis.core.runtime.workers import Backend, run_tasks
from geoanon_qgis.core.space.areas import StudyArea

SQUARE = np.array([[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]])
AREA = StudyArea.of_rings([SQUARE], None)
POINTS = AREA.sample(90, np.random.default_rng(0))
LABELS = [("q", int(label)) for label in np.random.default_rng(1).integers(0, 4, 90)]
RELEASES = (NoisyCoordinates(3.0), NoisyDistances("laplace", 2.0), EmbeddedDistances(10, 2))


def plan(**changes):
    settings = {
        "points": POINTS,
        "labels": LABELS,
        "wkt": None,
        "metric": "planar",
        "area": AREA,
        "n_target": 40,
        "n_identification": 45,
        "overlap": 15,
        "releases": RELEASES,
        "alphas": (0.5, 0.9),
        "repeats": 3,
        "seed": 7,
        "pairs": 300,
        "replicates": 50,
    }
    return LinkageExperiment(**{**settings, **changes})


def numbers(cells):
    """What has to be equal between two runs, by cell."""
    return {
        cell.key: (
            cell.precision.tolist(),
            cell.recall.tolist(),
            cell.matches.tolist(),
            cell.edges.tolist(),
            cell.deviation_variance,
            cell.nearest_kept,
            cell.coverage,
        )
        for cell in cells
    }


@pytest.fixture(scope="module")
def cells():
    return list(run(plan()))


def test_every_cell_once(cells):
    assert {cell.key for cell in cells} == set(plan().cells)
    assert len(cells) == 6
    for cell in cells:
        assert cell.precision.shape == cell.recall.shape == (3,)
        assert ((cell.precision >= 0) & (cell.precision <= 1)).all()
        assert cell.vertices == cells[0].vertices > 0
        assert cell.proven.all() and (cell.matches >= 1).all()
        assert 0 < cell.nearest_kept <= 1
        assert (cell.coverage is not None) == (cell.release.method == "lipschitz")


def test_rows_hold_means_and_standard_errors(cells):
    for cell in cells:
        row = cell.row()
        assert row["precision"] == pytest.approx(cell.precision.mean())
        assert row["recall_se"] == pytest.approx(cell.recall.std(ddof=1) / np.sqrt(3))
        assert row["utility"] == pytest.approx(1 / cell.deviation_variance)
        assert row["method"] == cell.release.method and row["alpha"] == cell.alpha


def test_all_attacks_meet_the_same_releases(cells):
    """Side by side: what is asked of the releases is equal, and so are the clique's cells."""
    alphas = (0.5, 0.9)
    both = list(run(plan(attacks=ATTACKS, releases=RELEASES[:2])))
    assert {cell.key for cell in both} == set(plan(attacks=ATTACKS, releases=RELEASES[:2]).cells)
    alone = numbers(cells)
    ours = [cell for cell in both if cell.attack == LIKELIHOOD]
    assert [cell.alpha for cell in ours] == [None, None]
    assert {k: v for k, v in numbers(both).items() if k.attack == CLIQUE} == {
        k: v for k, v in alone.items() if not k.release.startswith("lipschitz")
    }
    for cell in ours:
        beside = [one for one in both if one.release == cell.release]
        assert len(beside) == len(alphas) + 2
        assert len({one.deviation_variance for one in beside}) == 1
        row = cell.row()
        assert row["alpha"] is row["clique"] is row["proven"] is row["edges"] is None
        assert row["attack"] == LIKELIHOOD and row["matches"] == cell.matches.mean()


def test_likelihood_alone_needs_no_alpha_and_goes_on_where_it_was():
    alone = plan(attacks=(LIKELIHOOD,), alphas=(), releases=RELEASES[:2], repeats=1)
    (first,) = [cell for cell in run(alone) if cell.release == RELEASES[0]]
    assert [cell.key for cell in run(alone, [first.key])] == [alone.cells[1]]


def test_a_repetition_that_claims_nothing_has_no_precision():
    nobody = plan(attacks=(LIKELIHOOD,), releases=(NoisyCoordinates(2000.0),), threshold=1.0)
    (cell,) = run(nobody)
    assert cell.matches.tolist() == [0, 0, 0] and np.isnan(cell.precision).all()
    row = cell.row()
    assert np.isnan(row["precision"]) and np.isnan(row["precision_se"]) and row["recall"] == 0
    assert mean([np.nan, 0.5, 1.0]) == 0.75


def test_little_noise_gives_everybody_away():
    (cell,) = run(plan(releases=(NoisyCoordinates(1e-3),), alphas=(0.99,), pairs=3000))
    assert cell.precision.min() > 0.9 and cell.recall.min() > 0.6


def test_workers_do_not_matter(cells):
    assert numbers(run(plan(), backend=Backend(workers=1))) == numbers(cells)
    assert numbers(run(plan(), backend=Backend(workers=5))) == numbers(cells)


def test_resume_passes_over_what_is_done_and_changes_nothing(cells):
    all_keys = plan().cells
    done = [all_keys[0], all_keys[5]]
    rest = list(run(plan(), done))
    assert {cell.key for cell in rest} == set(all_keys) - set(done)
    everything = numbers(cells)
    assert all(everything[key] == value for key, value in numbers(rest).items())
    assert list(run(plan(), all_keys)) == []


def test_a_larger_grid_keeps_its_cells(cells):
    wider = numbers(run(plan(releases=(EmbeddedDistances(4, 2), *RELEASES[::-1]))))
    assert {key: wider[key] for key in numbers(cells)} == numbers(cells)


def test_known_links_are_held_and_not_found_again(monkeypatch):
    """Every attack is told them; whom it finds are others, and of those there are fewer."""
    told = plan(attacks=ATTACKS, releases=RELEASES[2:], known_links=6, repeats=2)
    files, plain = draw_files(told), draw_files(plan())
    assert files.links.shape == (6, 2) and not len(plain.links)
    assert (files.truth == plain.truth).all() and (files.target == plain.target).all()
    assert (files.truth[files.links[:, 0]] == files.links[:, 1]).all()
    results = []

    def kept(result, truth):
        results.append(result)
        return score(result, truth)

    monkeypatch.setattr("geoanon_qgis.core.experiments.linkage.score", kept)
    for cell in run(told, backend=Backend(workers=1)):
        right = cell.recall * (told.overlap - 6)
        assert np.allclose(right, np.round(right)) and (cell.recall <= 1).all()
    assert len(results) == 4 * 2
    for result in results:
        assert not set(result.matches[:, 0]) & set(files.links[:, 0])
    assert told.settings["known_links"] == 6
    for wrong in (-1, 15):
        with pytest.raises(InputError, match="KNOWN_LINKS"):
            plan(known_links=wrong)


def test_known_links_in_files_too_small_for_an_attack():
    small = {"n_target": 7, "n_identification": 5, "overlap": 2, "known_links": 1, "repeats": 1}
    told = plan(attacks=ATTACKS, releases=RELEASES[2:], **small)
    assert {cell.key for cell in run(told, backend=Backend(workers=1))} == set(told.cells)


def test_another_seed_is_another_experiment(cells):
    other = numbers(run(plan(seed=8)))
    assert all(other[key] != value for key, value in numbers(cells).items())


def test_files_overlap_as_asked():
    experiment = plan()
    files = draw_files(experiment)
    assert len(set(files.target)) == 40 and len(set(files.identification)) == 45
    both = set(files.target) & set(files.identification)
    assert len(both) == 15 == (files.truth >= 0).sum()
    for row, place in zip(files.target, files.truth):
        assert (place < 0 and row not in both) or files.identification[place] == row
    assert sorted(files.target.tolist()) != files.target.tolist()


def test_utility_and_nearest_by_hand():
    secret = np.array([[0.0, 0.0], [1.0, 0.0], [5.0, 0.0], [5.0, 2.0]])
    true = squareform(pdist(secret))
    released = squareform(np.array([3.0, 5.0, 6.0, 4.0, 4.5, 2.5]))
    first, second = np.triu_indices(4, 1)
    assert experiments._deviation_variance(true, released) == pytest.approx(
        np.var((true - released)[first, second], ddof=1)
    )
    # Nearest in the release: 0-1, 1-0, 2-3, 3-2, as in truth.
    assert experiments._nearest_kept(true, released, 1e-9) == 1.0
    released = squareform(np.array([5.0, 3.0, 6.0, 3.0, 4.5, 2.5]))
    # 0 and 1 have 2 for nearest now.
    assert experiments._nearest_kept(true, released, 1e-9) == 0.5
    # All alike: each of the three others is right one time in three.
    alike = 1.0 - np.eye(4)
    assert experiments._nearest_kept(true, alike, 1e-9) == pytest.approx(1 / 3)


def test_progress_goes_up_and_cancel_stops():
    seen = []
    list(run(plan(), progress=seen.append))
    assert seen[-1] == 1.0 and 0 <= min(seen) and max(seen) == 1.0

    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        list(run(plan(repeats=1000), progress=cancel))


def test_a_caller_that_stops_listening_stops_the_work():
    cells = run(plan(releases=RELEASES[:2], repeats=20))
    next(cells)
    cells.close()


@pytest.mark.parametrize(
    "changes, part",
    [
        ({"labels": LABELS[1:]}, "labels"),
        ({"n_target": 1}, "two records"),
        ({"overlap": 0}, "at least one"),
        ({"overlap": 41}, "smaller file"),
        ({"n_identification": 80}, "there are 90"),
        ({"releases": ()}, "at least one release"),
        ({"alphas": (0.5, 1.0)}, "alpha"),
        ({"alphas": (0.5, 0.5)}, "twice"),
        ({"repeats": 0}, "once"),
        ({"attacks": ()}, "attacks out of"),
        ({"attacks": ("guess",)}, "attacks out of"),
        ({"attacks": (CLIQUE, CLIQUE)}, "twice"),
        ({"threshold": 1.5}, "confidence"),
        ({"seed": -1}, "seed"),
        ({"labels": list(range(90)), "overlap": 1, "n_target": 5, "n_identification": 5}, None),
        ({"labels": [None] * 90}, "coarser"),
    ],
)
def test_bad_input(changes, part):
    if part is None:
        assert draw_files(plan(**changes)).truth.max() >= 0
        return
    with pytest.raises(InputError, match=part):
        plan(**changes)


def test_bad_backends():
    with pytest.raises(InputError, match="threads"):
        Backend("carrier pigeons")
    with pytest.raises(InputError, match="address"):
        Backend("dask")
    with pytest.raises(InputError, match="one task"):
        Backend(workers=0)


def double(number, progress):
    progress(0.5)
    if number < 0:
        raise InputError("negative")
    return 2 * number


def test_tasks_in_threads():
    tasks = [(number,) for number in range(20)]
    assert sorted(run_tasks(double, tasks)) == list(range(0, 40, 2))
    assert list(run_tasks(double, [])) == []
    with pytest.raises(InputError, match="negative"):
        list(run_tasks(double, [(1,), (-1,), (2,)]))


def test_packages_that_are_missing_are_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "joblib", None)
    with pytest.raises(MissingPackage, match="joblib"):
        list(run_tasks(double, [(1,)], Backend("dask", scheduler="tcp://127.0.0.1:9")))


def test_an_experiment_can_travel():
    # What is loaded was made here.
    travelled = pickle.loads(pickle.dumps(plan(releases=RELEASES[:1], repeats=1)))  # noqa: S301
    here = plan(releases=RELEASES[:1], repeats=1)
    assert numbers(run(travelled)) == numbers(run(here))


@pytest.mark.slow
def test_a_cluster_gives_the_same_numbers(cells):
    pytest.importorskip("joblib", reason="joblib, which clusters need, is not installed")
    distributed = pytest.importorskip(
        "distributed", reason="Dask distributed, which clusters need, is not installed"
    )
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        backend = Backend("dask", scheduler=cluster.scheduler_address)
        assert numbers(run(plan(), backend=backend)) == numbers(cells)


def test_a_scheduler_that_does_not_answer():
    pytest.importorskip("joblib", reason="joblib, which clusters need, is not installed")
    pytest.importorskip(
        "distributed", reason="Dask distributed, which clusters need, is not installed"
    )
    nobody = Backend("dask", scheduler="tcp://127.0.0.1:9", patience=0.5)
    with pytest.raises(InputError, match="No Dask scheduler"):
        list(run_tasks(double, [(1,)], nobody))
