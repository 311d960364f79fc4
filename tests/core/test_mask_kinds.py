# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas and distances beside point masks: what adversaries believe of them, and what they keep."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.experiments.masks.advice import OTHERS, advise, families
from geoanon_qgis.core.experiments.masks.areas import RoundSites
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD, Case, Trial
from geoanon_qgis.core.experiments.masks.embedded import SETS, Embedded
from geoanon_qgis.core.experiments.masks.family import AREAS, DISTANCES
from geoanon_qgis.core.experiments.masks.judged import LINKED, can_be_taken, evidence
from geoanon_qgis.core.experiments.masks.laws import ByLaw
from geoanon_qgis.core.experiments.masks.search import HELD, Found
from geoanon_qgis.core.experiments.masks.standing import MEAN, Against, Limit, Standing
from geoanon_qgis.core.experiments.masks.usefulness import MOVED, NEAREST, PAIRS, SHIFT, Usefulness
from geoanon_qgis.core.masking.aggregation import FEW_RECORDS, aggregate
from geoanon_qgis.core.masking.public_areas import Population
from geoanon_qgis.core.masking.site_areas import SiteAreas, nearest_site, sites_among
from geoanon_qgis.core.runtime.errors import InputError


def town(count=600, people=120, seed=1, **more):
    rng = np.random.default_rng(seed)
    near, far = rng.normal(0, 300, (count // 2, 2)), rng.uniform(-1_500, 1_500, (count // 2, 2))
    xy = np.unique(np.round(np.concatenate([near, far]), 1), axis=0)
    home = np.sort(rng.permutation(len(xy))[:people])
    return Case(xy[home], home, xy, **more)


def every(case):
    return np.arange(case.people)


# --- areas round sites ----------------------------------------------------------------------------


def test_areas_are_those_of_the_nearest_site_and_hang_on_the_list_alone():
    xy = town().candidates
    weight = np.random.default_rng(2).integers(1, 5, len(xy)).astype(float)
    made = SiteAreas.of_list(Population.at_points(xy, weight), 25)
    away = cdist(xy, made.sites)
    assert np.array_equal(made.locate(xy), away.argmin(axis=1))
    assert np.array_equal(nearest_site(xy, made.sites), away.argmin(axis=1))
    assert np.allclose(made.people, np.bincount(away.argmin(axis=1), weight, len(made)))
    assert len(xy) // 49 <= len(made) <= len(xy) // 25
    rows = np.random.default_rng(3).permutation(len(xy))
    twice = np.concatenate([rows, rows[:50]])  # rows at one place count once
    assert np.allclose(sorted(sites_among(xy[twice], 25).tolist()), sorted(made.sites.tolist()))
    assert np.allclose(made.centres(np.arange(3)), made.sites[:3])


def test_few_addresses_make_one_area_and_too_few_none():
    xy = np.array([[0.0, 0], [10, 0], [0, 10], [7, 7]])
    assert len(SiteAreas.of_list(Population.at_points(xy), 4)) == 1
    with pytest.raises(InputError, match="needs 5"):
        sites_among(xy, 5)


def test_areas_with_records_at_few_places_release_nothing():
    case = town()
    areas = SiteAreas.of_list(Population.at_points(case.candidates), 40)
    twice = np.concatenate([case.xy, case.xy[:5]])
    made = aggregate(twice, areas, 10, least_records=7)
    many = np.bincount(areas.locate(case.xy), minlength=len(areas))[areas.locate(twice)]
    assert np.array_equal(made.kind == FEW_RECORDS, many < 7)
    assert 0 < made.withheld.sum() < len(twice) and np.isnan(made.xy[made.withheld]).all()


def test_an_area_tells_what_counting_tells():
    case = town(seed=4)
    weight = np.random.default_rng(5).integers(1, 4, len(case.candidates)).astype(float)
    sex = np.random.default_rng(6).integers(0, 2, len(case.candidates))
    case = replace(case, weight=weight, known=sex[case.home], looked_for=sex[case.home], listed=sex)
    trial = RoundSites(5, 5).trial(case, 60.0, np.random.default_rng(1), every(case), True)
    there = ~np.isnan(trial.xy[:, 0])
    assert 0.5 < there.mean() and trial.bounds == {}
    for row in np.flatnonzero(there)[::7].tolist():
        # By the released centre alone: addresses nearer to it than to any other site.
        sites = sites_among(case.candidates, 60)
        own = cdist(trial.xy[row : row + 1], sites).argmin()
        inside = (cdist(case.candidates, sites).argmin(axis=1) == own) & (
            sex == sex[case.home[row]]
        )
        assert trial.tops[PLACE][row] == pytest.approx(weight[inside].max() / weight[inside].sum())
        same = (trial.xy == trial.xy[row]).all(axis=1) & (case.known == case.known[row])
        assert trial.tops[RECORD][row] == pytest.approx(1 / same.sum())


def test_areas_are_found_to_hold_and_withhold_few():
    case, limit = town(2_000, 500), Limit(0.1)
    (family,) = families(["areas"], limit)
    found = advise(case, [family], limit, [SHIFT], 1).found[0]
    assert found.state == HELD and family.kind == AREAS and found.standing.withheld <= 0.05
    assert found.standing.against[RECORD].worst <= 0.1 + 1e-12
    assert found.standing.against[PLACE].worst <= 0.1 + 1e-12
    assert found.parameters["K_RECORDS"] == 10 and found.values[PAIRS] > 0
    (alone,) = families(["areas"], limit, adversaries=(PLACE,))
    assert "K_RECORDS" not in alone.parameters(20.0)


# --- distances after a mask -----------------------------------------------------------------------


def test_distances_are_those_of_an_embedding_of_masked_points():
    case = town(adversaries=(PLACE,))
    family, rng = Embedded(ByLaw("gaussian")), np.random.default_rng
    before = family.trial(case, 100.0, rng(1), every(case), True)
    trial = family.finished(case, before, rng(2))
    plain = family.before.trial(case, 100.0, rng(1), every(case), True)
    assert np.array_equal(trial.xy, plain.xy) and np.array_equal(
        trial.tops[PLACE], plain.tops[PLACE]
    )
    assert trial.embedding.shape == (case.people, SETS)
    released, masked = (
        cdist(trial.embedding, trial.embedding, "chebyshev"),
        cdist(plain.xy, plain.xy),
    )
    assert (released <= masked + 1e-6).all() and (released < 0.9 * masked).mean() > 0.3
    people, right = trial.linked
    assert people == case.people and 0 <= right < people / 2
    assert before.embedding is None and before.linked == (0, 0)


def test_hardly_masked_points_are_linked_by_their_distances():
    """The attack that is run can find: with next to no mask it finds nearly everybody."""
    case = town(adversaries=(PLACE,))
    family, rng = Embedded(ByLaw("gaussian")), np.random.default_rng(1)
    trial = family.finished(case, family.trial(case, 1.0, rng, every(case), True), rng)
    assert trial.linked[1] > 0.9 * trial.linked[0]


def test_what_is_kept_of_distances_by_brute_force():
    case = town()
    rng = np.random.default_rng(7)
    xy = case.xy + rng.normal(0, 50, case.xy.shape)
    xy[3] = np.nan
    embedding = np.where(np.isnan(xy[:, :1]), np.nan, rng.uniform(0, 1_000, (case.people, 5)))
    useful = Usefulness(case, [PAIRS, NEAREST], 1)
    there = np.flatnonzero(~np.isnan(xy[:, 0]))
    true = cdist(case.xy, case.xy)
    nearest = np.where(np.eye(case.people, dtype=bool), np.inf, true).min(axis=1)[there]
    pair = np.triu_indices(len(there), 1)
    for trial, how in (
        (Trial(xy, {}, {}), "euclidean"),
        (Trial(xy, {}, {}, embedding), "chebyshev"),
    ):
        features = (xy if trial.embedding is None else embedding)[there]
        found, own = cdist(features, features, how), true[np.ix_(there, there)]
        values = useful.of([trial])
        wanted = np.abs(found - own)[pair].mean()
        assert values[PAIRS] == pytest.approx(wanted, rel=0.05)  # of a sample of pairs
        np.fill_diagonal(found, np.inf)
        assert values[NEAREST] == pytest.approx(np.abs(found.min(axis=1) - nearest).mean())
    assert np.isnan(values[SHIFT]) and 40 < values[MOVED] < 80


def test_links_are_held_against_the_limit_too():
    family, limit = Embedded(ByLaw("gaussian")), Limit(0.1, MEAN)
    against = {name: Against(500, (0.01,) * 3, (0.0,) * 3, 0.05) for name in BOTH}
    few, many, unclear = (
        Found(family, HELD, Standing(100.0, against, 0.0, linked))
        for linked in (((200, 1),) * 3, ((200, 40),) * 3, ((200, 0), (200, 0), (200, 19)))
    )
    assert can_be_taken(few, limit)
    assert not can_be_taken(many, limit) and not can_be_taken(unclear, limit)
    assert [one.attack for one in evidence(many, limit)][-1] == LINKED
    assert can_be_taken(Found(family, HELD, Standing(100.0, against)), limit)
    # Draws differ by more than chance: as one sample of 600 this would be 3.2 %, 5.0 % at most.
    share, low, high = unclear.standing.links
    assert share == pytest.approx(19 / 600) and low == 0 and high == wilson(19, 200)[1] > 0.1


def test_a_row_of_each_kind_is_read_again_as_it_was():
    case, limit = town(people=60, adversaries=(PLACE,)), Limit(0.3, MEAN)
    names = ["groups", OTHERS[0], OTHERS[2]]
    advice = advise(case, families(names, limit, adversaries=(PLACE,)), limit, [SHIFT, PAIRS], 3)
    points, areas, distances = advice.found
    assert [one.family.kind for one in advice.found] == ["points", AREAS, DISTANCES]
    assert distances.standing.linked[0][0] > 0 and isinstance(distances.standing.linked[0], tuple)
    assert np.isnan(distances.values[SHIFT]) and distances.values[PAIRS] > points.values[PAIRS]
    assert 2 not in advice.front and all(np.isfinite(one.values[PAIRS]) for one in advice.found)
