# SPDX-License-Identifier: GPL-2.0-or-later
"""ISGP beside embeddings: what its rows keep, who attacks them, and what is said of them."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from geoanon_qgis.core.attacks.linkage.result import CLIQUE, LOCAL_MAPS, NEAR_GROUP
from geoanon_qgis.core.attacks.maps.adversary import Adversary, Overlap
from geoanon_qgis.core.attacks.maps.defences import with_defences
from geoanon_qgis.core.attacks.maps.drawn import Attempt, Drawn
from geoanon_qgis.core.attacks.maps.embedding_risk import EmbeddingRisk
from geoanon_qgis.core.attacks.maps.row_risk import CUT_OFF, HELD, Limits
from geoanon_qgis.core.distances import neighbourhoods
from geoanon_qgis.core.distances.choice import name_of
from geoanon_qgis.core.distances.grid_search import evaluate
from geoanon_qgis.core.distances.isgp import label_sets, shared_pairs
from geoanon_qgis.core.distances.isgp_accuracy import near_accuracy
from geoanon_qgis.core.distances.isgp_grid import SecretGrid
from geoanon_qgis.core.distances.setting import Grid, Setting
from geoanon_qgis.core.distances.trials import Places
from geoanon_qgis.core.experiments import forecast as forecasting
from geoanon_qgis.core.experiments.advice import Effort, advise
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.kept import Earlier
from geoanon_qgis.core.runtime.workers import Backend
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for, metric_in
from geoanon_qgis.core.space.planes import working_plane

#: Half of the released people are known.
HALF = Overlap(0.5)

PLANAR = metric_for("planar", None)
POINTS = np.random.default_rng(4).uniform(0, 1000, (80, 2))
AREA = StudyArea.convex_hull(POINTS, None)
PLACES = Places(POINTS, AREA, PLANAR)
LABELS = np.random.default_rng(1).integers(0, 8, len(POINTS)).tolist()
NEAR = Setting(0, 0, radius=150.0)


def tried(radii=(100.0, 300.0), repeats=2, places=PLACES, **more):
    return evaluate(places, Grid([3], [2], radii=radii), repeats, np.random.default_rng(1), **more)


def risk_of(**options):
    return EmbeddingRisk(POINTS, LABELS, AREA, PLANAR, np.random.default_rng(3), **options)


# -- rows -------------------------------------------------------------------------------------


def test_radii_come_after_the_embeddings():
    rows = Grid([3, 5], [2], (0.0, 10.0), (0.0,), [300, 100, 300]).settings
    assert [(row.sets, row.pre_noise, row.radius) for row in rows] == [
        *((3, 0, 0), (3, 10, 0), (5, 0, 0), (5, 10, 0)),
        *((0, 0, 300), (0, 0, 100)),
    ]
    assert len({row.key for row in rows}) == len(rows)
    assert Grid((), (), radii=[5]).settings == [Setting(0, 0, radius=5.0)]


@pytest.mark.parametrize("radius", [0, -1, float("nan"), float("inf")])
def test_no_radius_is_refused(radius):
    with pytest.raises(InputError, match="positive distance"):
        _ = Grid([3], [2], radii=[100, radius]).settings


def test_an_embedding_is_as_it_was_without_isgp():
    assert Setting(20, 30).of_distances == (20, 30)
    assert tried()[0].values == tried(())[0].values


def test_measures_are_those_of_the_release():
    cell = tried([300.0])[1]
    assert (cell.sets, cell.size, cell.radius, cell.repeats) == (0, 0, 300, 2)
    plane = working_plane(POINTS, None)
    for repetition in range(2):
        seed = np.random.SeedSequence(cell.entropy, spawn_key=(0, 0, 300_000, repetition))
        grid = SecretGrid.draw(300.0, 30.0, np.random.default_rng(seed))
        pairs = shared_pairs(label_sets(POINTS, grid), 300.0)
        kept = near_accuracy(pairs, POINTS, plane)
        of = {name: values[repetition] for name, values in cell.values.items()}
        assert of["told"] == pytest.approx(len(pairs) / (80 * 79 / 2))
        assert of["near_error"] == pytest.approx(kept.error)
        assert kept.nearest_kept > 0.8 and kept.alone == 0
        assert of["nearest_kept"] == pytest.approx(kept.nearest_kept)
        # All pairs count for the utility, also those of which nothing is told.
        assert of["deviation_variance"] > 100 * kept.error**2
        told = ~np.isnan(cell.followed[repetition])
        assert told.mean() == pytest.approx(of["told"], abs=0.05)
    assert 0 < cell.blur < 0.1
    assert np.isnan(cell.mean("map_error"))


def test_who_shares_no_label_keeps_a_neighbour_by_chance_only():
    cell = tried([1.0])[1]
    assert cell.mean("told") == 0 and cell.mean("nearest_kept") == pytest.approx(1 / 79)
    assert np.isnan(cell.blur) and np.isnan(cell.mean("near_error"))


def test_a_run_is_gone_on_with(tmp_path):
    store = Earlier(tmp_path / "kept").anew({}, 5)
    first = tried([1.0, 300.0], kept=store)
    store.close()
    again = Earlier(tmp_path / "kept").goes_on()
    second = tried([1.0, 300.0], kept=again)
    again.close()
    assert again.taken == 6
    for one, other in zip(first, second):
        assert str(one.values) == str(other.values)  # NaN is not NaN
        np.testing.assert_array_equal(one.followed, other.followed)


def test_threads_make_no_difference():
    one, other = tried(workers=1), tried(workers=3)
    assert [str(cell.values) for cell in one] == [str(cell.values) for cell in other]


def test_it_is_released_in_a_plane_whatever_the_metric():
    xy = np.random.default_rng(2).uniform((1.1e6, 6.8e6), (1.11e6, 6.81e6), (50, 2))
    planar, geodesic = (metric_for(name, "EPSG:3857") for name in ("planar", "geodesic"))
    of_plane = metric_in(planar.plane_around(xy))
    own = of_plane.between(of_plane.coordinates(xy[:25]), of_plane.coordinates(xy[25:]))
    true = geodesic.between(geodesic.coordinates(xy[:25]), geodesic.coordinates(xy[25:]))
    np.testing.assert_allclose(own, true)
    assert metric_in(PLANAR.plane_around(POINTS)).name == "planar"


def test_groups_are_none_of_its_defences():
    rows = with_defences(Grid([3], [2], radii=[9.0]).settings, (False, True), (20, 30))
    assert [(row.grouped, row.released, row.radius) for row in rows] == [
        *((False, 20, 0), (False, 30, 0), (True, 20, 0), (True, 30, 0)),
        *((False, 20, 9), (False, 30, 9)),
    ]


def test_it_is_named_by_its_radius():
    assert str(name_of(tried([1500.0])[1])) == "ISGP with a radius of 1,500 m"


# -- attacks ----------------------------------------------------------------------------------


def test_near_group_and_maps_find_people_and_draws_repeat():
    risk = risk_of(adversary=Adversary((0.5,)))
    names = risk.quick_for(NEAR)
    assert names == (NEAR_GROUP, LOCAL_MAPS) and risk.slow_for(NEAR) == ()
    assert risk.quick_for(Setting(3, 2)) == (NEAR_GROUP, CLIQUE)
    drawn = risk.attack(NEAR, HALF, 0, names)
    assert [one.attack for one in drawn.attempts] == list(names)
    assert drawn.proven and drawn.attempts[1].right > 0.8 * drawn.people
    there = pickle.loads(pickle.dumps(risk))  # noqa: S301
    assert there.attack(NEAR, HALF, 0, names) == drawn


def test_hardly_anybody_is_found_where_hardly_anything_is_told():
    risk = risk_of(adversary=Adversary((0.5,)))
    nothing = Setting(0, 0, radius=1.0)
    drawn = risk.attack(nothing, HALF, 0, risk.quick_for(nothing))
    assert drawn.found == 0 and drawn.proven


def test_a_map_too_large_to_be_drawn_is_cut_off(monkeypatch):
    monkeypatch.setattr(neighbourhoods, "MOST_RECORDS", 10)
    drawn = risk_of().attack(NEAR, HALF, 0, (LOCAL_MAPS,))
    assert not drawn.proven


def test_a_cancel_is_heard():
    asked = []

    def ask(fraction):
        asked.append(fraction)
        if len(asked) > 20:
            raise Cancelled()

    with pytest.raises(Cancelled):
        risk_of().attack(NEAR, HALF, 0, (LOCAL_MAPS,), ask=ask)


# -- advice -----------------------------------------------------------------------------------


class Told:
    """A risk by hand: no embedding holds, ISGP does."""

    guessed = 0.0
    slow = ("likelihood_linkage",)

    class draws:
        overlaps = (HALF,)

    def __init__(self, proven=True):
        self.proven, self.asked = proven, []

    def guessed_in(self, setting):
        return 0.0

    def people(self, setting, overlap):
        return 20

    def quick_for(self, setting):
        return (NEAR_GROUP, LOCAL_MAPS) if setting.radius else (NEAR_GROUP, CLIQUE)

    def always_for(self, setting):
        return ()

    def slow_for(self, setting):
        return () if setting.radius else self.slow

    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        self.asked.append((setting.radius, tuple(attacks)))
        right = 0 if setting.radius else 20
        return Drawn(20, right, tuple(Attempt(one, right, right, self.proven) for one in attacks))


@pytest.mark.parametrize(("proven", "state"), [(True, HELD), (False, CUT_OFF)])
def test_it_holds_only_if_both_attacks_came_to_their_end(proven, state):
    risk, rows = Told(proven), tried([100.0])
    effort = Effort(slow=60, backend=Backend(workers=1))
    advice = advise(rows, risk, Limits(0.25, 0.09), effort)
    assert advice.state(rows[1]) == state
    assert (advice.cell is rows[1]) is proven
    # Slow attacks are none of it, and no draw was without its own two.
    assert {attacks for radius, attacks in risk.asked if radius} == {(NEAR_GROUP, LOCAL_MAPS)}


def test_what_it_takes_is_forecast(monkeypatch):
    class Clock:
        now = 0.0

        def perf_counter(self):
            return self.now

    clock, risk = Clock(), Told()

    def attack(setting, *more, ask):
        clock.now += 600.0 if setting.radius else 60.0

    monkeypatch.setattr(forecasting, "time", clock)
    monkeypatch.setattr(forecasting, "processors", lambda: 1)
    monkeypatch.setattr(risk, "attack", attack)
    limits, most = Limits(0.25, 0.09), (100, 0)
    plain, more = (
        forecasting.forecast(
            PLACES, Grid([3], [2], radii=radii), 2, risk, limits, most, noisy=False
        )
        for radii in ((), (50.0, 100.0))
    )
    assert (plain.all_rows, more.all_rows) == (2, 2 + 2 * 2 * 10)
    assert (plain.one_row, more.one_row) == (42, 420)
