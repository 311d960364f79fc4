# SPDX-License-Identifier: GPL-2.0-or-later
"""Which point mask: what both adversaries believe, how it stands, and what is chosen."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood, by_law, by_lists
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.experiments.masks import smoothed, swap
from geoanon_qgis.core.experiments.masks.addresses import Cells, Exchange, Groups
from geoanon_qgis.core.experiments.masks.advice import FAMILIES, WITH_LAYERS, advise, families
from geoanon_qgis.core.experiments.masks.advice_words import sentence
from geoanon_qgis.core.experiments.masks.areas import Grid, InCells, Zones
from geoanon_qgis.core.experiments.masks.case import (
    BOTH,
    PLACE,
    RECORD,
    Case,
    Trial,
    alike_among,
    alike_in,
    believed,
)
from geoanon_qgis.core.experiments.masks.judged import can_be_taken
from geoanon_qgis.core.experiments.masks.laws import LAWS, ByAddresses, ByLaw, multiplied
from geoanon_qgis.core.experiments.masks.search import HELD, IMPOSSIBLE, RULED_OUT, find
from geoanon_qgis.core.experiments.masks.standing import (
    EVERY,
    EVERY_RECORD,
    FEWEST,
    MEAN,
    MOST_RECORDS,
    Against,
    Limit,
    Standing,
)
from geoanon_qgis.core.experiments.masks.swap import Swap
from geoanon_qgis.core.experiments.masks.usefulness import Usefulness, ranked
from geoanon_qgis.core.masking.laws import Donut, Gaussian, Laplace, disc
from geoanon_qgis.core.masking.swap_rings import Candidates, RingRule
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.runtime.kept import Kept
from geoanon_qgis.core.space.street_network import street_network


def town(count=1_500, people=200, seed=1, **more):
    """A centre and its surroundings, and records at some of the addresses."""
    rng = np.random.default_rng(seed)
    near, far = rng.normal(0, 300, (count // 2, 2)), rng.uniform(-1_500, 1_500, (count // 2, 2))
    xy = np.unique(np.round(np.concatenate([near, far]), 1), axis=0)
    home = np.sort(rng.permutation(len(xy))[:people])
    return Case(xy[home], home, xy, **more)


def prepared(family, case):
    family.prepare(case, {})
    return family


def every(case):
    return np.arange(case.people)


@pytest.mark.parametrize("law", [Gaussian(150.0), Laplace(2 / 200.0), disc(300.0), Donut(180, 300)])
@pytest.mark.parametrize("weighted", [False, True])
def test_cells_of_a_wide_law_tell_what_all_pairs_tell(law, weighted):
    case = town(4_000, 300)
    if weighted:
        weight = np.random.default_rng(3).integers(1, 5, len(case.candidates)).astype(float)
        case = replace(case, weight=weight)
    rng = np.random.default_rng(2)
    away, turn = law.radii(rng.random(case.people)), rng.uniform(0, 2 * np.pi, case.people)
    xy = case.xy + away[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    pairs = by_law(xy, case.candidates, law)
    place = who_lives_there(pairs, case.weight).top
    record = which_record(pairs, case.home, case.weight).top
    found = smoothed.smoothly_believed(case, xy, law, every(case))
    # Edges of discs and rings lie between cells; alone at the rim one address is half of all.
    crowded = place < 0.1
    assert np.abs(found[PLACE] / place - 1)[crowded].mean() < 0.03
    assert found[PLACE].mean() == pytest.approx(place.mean(), rel=0.04)
    assert found[RECORD].mean() == pytest.approx(record.mean(), rel=0.02)
    assert np.abs(found[RECORD] - record).mean() < 0.02


def test_who_is_asked_for_is_believed_as_in_all_pairs():
    case = town(600, 60)
    rng = np.random.default_rng(4)
    xy = case.xy + rng.normal(0, 60, case.xy.shape)
    law = Gaussian(60.0)
    found = believed(case, by_law(xy, case.candidates, law), np.array([3, 50]), joint=False)
    for name, row in ((PLACE, 3), (RECORD, 50)):
        gap = np.hypot(*(xy[:, None] - case.candidates[None]).transpose(2, 0, 1))
        density = law.density(gap)
        if name == PLACE:
            truth = density[row].max() / density[row].sum()
            assert found[PLACE][0] == pytest.approx(truth, rel=1e-6)
        else:
            ratio = density[:, case.home[row]] / density.sum(axis=1)
            assert found[RECORD][1] == pytest.approx(ratio.max() / ratio.sum(), rel=1e-6)


def test_what_he_knows_of_people_narrows_both_questions():
    case = town(600, 80)
    rng = np.random.default_rng(5)
    sex = rng.integers(0, 2, len(case.candidates))
    knows = replace(case, known=sex[case.home], looked_for=sex[case.home], listed=sex)
    xy = case.xy + rng.normal(0, 80, case.xy.shape)
    pairs, law = by_law(xy, case.candidates, Gaussian(80.0)), Gaussian(80.0)
    without, found = (believed(one, pairs, every(case), False) for one in (case, knows))
    assert found[PLACE].mean() > 1.5 * without[PLACE].mean()
    assert found[RECORD].mean() > 1.1 * without[RECORD].mean()
    row, same = 7, sex == sex[case.home[7]]
    density = law.density(np.hypot(*(xy[:, None] - case.candidates[None]).transpose(2, 0, 1)))
    truth = (density[row] * same).max() / (density[row] * same).sum()
    assert found[PLACE][row] == pytest.approx(truth, rel=1e-6)
    alike = np.flatnonzero(knows.known == knows.known[row])
    ratio = density[alike, case.home[row]] / density[alike][:, same].sum(axis=1)
    assert found[RECORD][row] == pytest.approx(ratio.max() / ratio.sum(), rel=1e-6)
    smooth = smoothed.smoothly_believed(knows, xy, law, every(case))
    assert smooth[RECORD].mean() == pytest.approx(found[RECORD].mean(), rel=0.03)
    assert smooth[PLACE].mean() == pytest.approx(found[PLACE].mean(), rel=0.05)


def test_groups_and_areas_by_counting():
    case = Case(
        np.eye(2)[[0, 1, 0]] * [[1], [1], [2]], np.array([0, 1, 2]), np.arange(10.0).reshape(5, 2)
    )
    area, group = np.array([0, 0, -1]), np.array([1, 1, -1])
    of_list = np.array([0, 0, 0, 1, -1])
    assert alike_among(case, area, of_list, every(case)) == pytest.approx(
        [1 / 3, 1 / 3, np.nan], nan_ok=True
    )
    weighted = replace(case, weight=np.array([5.0, 1, 2, 1, 1]))
    assert alike_among(weighted, area, of_list, every(case))[0] == pytest.approx(5 / 8)
    assert alike_in(case, group, every(case)) == pytest.approx([0.5, 0.5, np.nan], nan_ok=True)
    other = replace(case, known=np.array([0, 1, 1]))
    assert alike_in(other, group, every(case))[:2].tolist() == [1.0, 1.0]
    listed = replace(case, looked_for=np.array([0, 1, 1]), listed=np.array([0, 1, 0, 0, 0]))
    assert alike_among(listed, area, of_list, every(case))[:2].tolist() == [0.5, 1.0]


def test_two_releases_are_multiplied():
    one = Likelihood.of_pairs(2, 4, np.array([0, 0, 1]), np.array([1, 2, 3]), [0.5, 0.25, 1.0])
    other = Likelihood.of_pairs(2, 4, np.array([0, 0, 1]), np.array([2, 3, 3]), [0.5, 0.5, 0.1])
    both = multiplied(one, other)
    assert list(zip(both.point.tolist(), both.candidate.tolist())) == [(0, 2), (1, 3)]
    case = town(800, 100)
    family = ByLaw("gaussian")
    tops = [
        family.trial(
            replace(case, releases=many), 80.0, np.random.default_rng(1), every(case), True
        ).tops
        for many in (1, 4)
    ]
    # Four draws of 80 m are one of 40.
    as_one = family.trial(case, 40.0, np.random.default_rng(2), every(case), True).tops
    for name in (PLACE, RECORD):
        assert tops[1][name].mean() > 1.3 * tops[0][name].mean()
        assert tops[1][name].mean() == pytest.approx(as_one[name].mean(), rel=0.15)


def test_groups_keep_what_is_proved_and_cells_too():
    case = town()
    for family in (prepared(Groups(10), case), prepared(Cells(10), case)):
        trial = family.trial(case, 8.0, np.random.default_rng(3), every(case), True)
        assert trial.tops[RECORD].max() <= 1 / 8 == trial.bounds[RECORD]
        assert trial.tops[PLACE].max() <= trial.bounds[PLACE] <= 1 / 8
        assert not trial.withheld or trial.withheld < 0.02


def test_cells_grow_until_no_dwelling_is_likelier_than_the_limit():
    case = town()
    weight = np.random.default_rng(1).integers(1, 4, len(case.candidates)).astype(float)
    family = prepared(Cells(10, 0.1), replace(case, weight=weight))
    cell = family._made["cells"].cell
    most = np.zeros(cell.max() + 1)
    np.maximum.at(most, cell, weight)
    chance = (most / np.bincount(cell, weight))[cell[case.home]]
    assert chance.max() <= 0.1 and family.parameters(5.0)["K"] > 10
    assert prepared(Cells(10, 0.1), case).parameters(5.0)["K"] == 10


def test_what_is_believed_of_an_exchange_is_right_as_often():
    case, right, expected = town(1_200, 240), 0.0, 0.0
    family = prepared(Exchange(5), case)
    for number in range(4):
        rng = np.random.default_rng(number)
        to = family.graph(case, 5).partner_of(case.home, rng.random(case.people))
        trial = family.trial(case, 5.0, np.random.default_rng(number), every(case), True)
        assert (trial.xy[~np.isnan(trial.xy[:, 0])] == case.candidates[to[to >= 0]]).all()
        expected += np.nansum(trial.tops[RECORD])
        pairs = by_lists(to, family.graph(case, 5).partners, len(case.candidates), 0.2)
        right += which_record(pairs, case.home).right(every(case)).sum()
    low, high = wilson(right, 4 * case.people)
    assert low <= expected / (4 * case.people) <= high


def test_a_swap_is_explained_by_the_rings_of_all_addresses():
    case = town(400, 40)
    family = Swap(6)
    trial = family.trial(case, 150.0, np.random.default_rng(1), every(case), False)
    rings = Candidates.of(case.candidates).rings(case.candidates, RingRule(0.0, 150.0, 6))
    for row in (0, 17, 39):
        away = np.hypot(*(case.candidates - trial.xy[row]).T)
        density = rings.density(np.arange(len(away)), away)
        assert density[case.home[row]] > 0
        assert trial.tops[PLACE][row] == pytest.approx(density.max() / density.sum())


def test_cells_in_another_system_are_cells_all_the_same():
    case = town()
    turned = np.array([[0.8, -0.6], [0.6, 0.8]])
    grid = Grid(case.xy @ turned + 7e5, case.candidates @ turned + 7e5)
    trial = InCells(10, grid=grid).trial(case, 400.0, np.random.default_rng(1), every(case), True)
    there = ~np.isnan(trial.xy[:, 0])
    shift = np.hypot(*(trial.xy[there] - case.xy[there]).T)
    assert there.mean() > 0.8 and shift.max() <= 400 * np.sqrt(0.5) + 1e-6
    count = np.unique(np.floor(grid.xy / 400.0), axis=0, return_inverse=True)[1].reshape(-1)
    alone = 1 / np.bincount(count)[count]
    assert trial.tops[RECORD][there] == pytest.approx(alone[there])


@pytest.mark.parametrize(("above", "holds"), [(3, True), (5, False)])
def test_one_in_a_hundred_by_the_upper_end(above, holds):
    limit, tops = Limit(0.05), np.full(1_000, 0.01)
    tops[:above] = 0.2
    found = Against().with_tops(tops, limit)
    assert found.upper(limit) == pytest.approx(wilson(above, 1_000)[1])
    assert found.holds(limit) is holds
    assert not found.enough(limit)
    again = found
    while not again.enough(limit):
        again = again.with_tops(tops, limit)
    # More draws of the same people are no more people.
    assert len(again.found) == 10 and again.upper(limit) == pytest.approx(found.upper(limit))


def test_who_are_above_together_in_one_draw_are_too_many():
    limit, nobody = Limit(0.1), np.full(500, 0.05)
    tower = nobody.copy()
    tower[:6] = 0.2
    found = Against()
    for tops in [nobody] * 19 + [tower]:
        assert not found.enough(limit)
        found = found.with_tops(tops, limit)
    # On average .3 of 500 are above, whose interval ends below one in a hundred.
    assert found.enough(limit) and not found.holds(limit)
    assert found.keeps(MOST_RECORDS) == 0.2
    assert [Limit(0.1).draws(people) for people in (381, 2_000, 50_000)] == [20, 5, 3]
    assert Limit(0.1, MEAN).draws(500) == 3


def test_a_small_file_is_judged_by_draws():
    limit, few = Limit(0.1), np.full(FEWEST - 1, 0.05)
    found = Against()
    for _ in range(EVERY - 1):
        found = found.with_tops(few, limit)
    assert found.holds(limit) and not found.enough(limit)
    assert found.with_tops(few, limit).enough(limit)
    one = few.copy()
    one[0] = 0.11
    assert not found.with_tops(one, limit).holds(limit)
    assert Limit(0.1, EVERY_RECORD).by_draws(10_000) and not Limit(0.1, MEAN).by_draws(10)
    assert wilson(0, FEWEST)[1] <= 0.01 < wilson(0, FEWEST - 1)[1]


def test_what_is_proved_caps_the_interval():
    limit, tops = Limit(0.1, MEAN), np.full(300, 0.1)
    assert not Against().with_tops(tops, limit).holds(limit)
    proved = Against(bound=0.1).with_tops(tops, limit)
    assert proved.holds(limit) and proved.enough(limit) and proved.ends[1] == 0.1
    assert Against().with_tops(np.full(5, 0.97), limit).exposed == 5


def test_the_smallest_size_that_holds_is_found():
    case, limit = town(people=400, adversaries=(PLACE,)), Limit(0.05, MEAN)
    family = ByLaw("gaussian")
    found = find(family, case, limit, 3, {})
    assert found.state == HELD and found.standing.holds(limit)
    assert len(found.released) == 3 and found.released[0].xy.shape == case.xy.shape
    smaller = found.standing.size / 1.3
    tops = family.trial(case, smaller, np.random.default_rng(99), every(case), True).tops[PLACE]
    assert wilson(tops.sum(), len(tops))[1] > limit.share
    again = find(family, case, limit, 3, {})
    assert again.standing == found.standing
    assert find(family, case, limit, 4, {}).standing.size == pytest.approx(
        found.standing.size, rel=0.3
    )


def test_a_limit_that_no_law_keeps_is_said_to_be_lost():
    case = town(people=60)
    found = find(ByLaw("disc"), case, Limit(0.01, EVERY_RECORD), 1, {})
    assert found.state == RULED_OUT and not found.standing.holds(Limit(0.01, EVERY_RECORD))
    assert find(Groups(100), town(people=3), Limit(0.5), 1, {}).state == IMPOSSIBLE
    few = Case(case.xy[:3], case.home[:3], case.candidates)
    assert find(prepared(Groups(5), few), few, Limit(0.2), 1, {}).state == IMPOSSIBLE


def test_sizes_are_ascending_and_go_into_commands():
    case = town()
    shared = {}
    for family in families(FAMILIES, Limit(0.1)):
        family.prepare(case, shared)
        sizes = family.sizes(case)
        assert len(sizes) > 3 and (np.diff(sizes) > 0).all(), family.name
        json.dumps(family.parameters(float(sizes[1])))
    without = [name for name in FAMILIES if name not in WITH_LAYERS]
    assert [one.name for one in families(FAMILIES, Limit(0.1))] == without
    lines = shapely.linestrings([[[0, 0], [1, 0]], [[0, 0], [0, 1]]])
    layers = street_network(lines), Zones(shapely.box([0], [0], [1], [1]))
    made = families(FAMILIES, Limit(0.1), None, BOTH, 1.0, *layers)
    assert [one.name for one in made] == list(FAMILIES)
    assert ByLaw("laplace").parameters(400.0)["EPSILON"] == 0.005
    assert ByAddresses("donut").parameters(50.0) == {
        "LAW": "donut",
        "SIZE_BY": "candidates",
        "K_MIN": 10,
        "K_MAX": 50,
    }
    assert len(LAWS) == 4


@pytest.fixture(scope="module")
def advice():
    case, limit = town(people=150), Limit(0.2)
    names = ["gaussian", "exchange", "cells", "groups", "grid"]
    kept = Kept()
    done = advise(case, families(names, limit), limit, ["shift", "scan"], 5, kept)
    return case, limit, names, kept, done


def test_what_is_recommended_holds_and_keeps_most(advice):
    _, limit, _, _, done = advice
    assert can_be_taken(done.best, limit) and done.best.family.name in ("groups", "cells")
    assert done.best.standing.holds(limit) and not done.best.standing.exposed
    taken = [one for one in done.found if can_be_taken(one, limit)]
    rank = ranked([one.values for one in taken], ["shift", "scan"])
    assert rank[taken.index(done.best)] == rank.min()
    assert "keeps most" in sentence(done)
    exchange = next(one for one in done.found if one.family.name == "exchange")
    assert exchange.state == RULED_OUT  # who knows a member finds her: few others are near


def test_what_was_done_is_not_done_again(advice):
    case, limit, names, kept, done = advice
    lines = Kept()
    for name in names:
        lines.put(name, json.loads(json.dumps(kept.get(name))))
    masks = [untried(one) for one in families(names, limit)]
    again = advise(case, masks, limit, ["shift", "scan"], 5, lines)
    for one, other in zip(done.found, again.found):
        assert (one.state, one.values) == (other.state, other.values)
        assert asdict(one.standing) == asdict(other.standing)
    assert again.best.family.name == done.best.family.name


def untried(family):
    """The same mask, which must not be tried."""

    def never(*_):
        raise AssertionError("tried again")

    object.__setattr__(family, "trial", never)
    return family


def test_a_sparse_file_is_sent_to_areas():
    case, limit = town(people=12), Limit(0.05)
    done = advise(case, families(["gaussian", "groups", "cells"], limit), limit, ["shift"], 1)
    said = str(sentence(done))
    assert done.best is None and "geoanon:vbas, K=20" in said and "16.7 %" in said
    # What it says would do does.
    would = Limit(1 / 6 + 1e-9)
    groups = advise(case, families(["groups"], would), would, ["shift"], 1)
    assert groups.found[0].state == HELD


def test_a_run_can_be_cancelled():
    def stop(fraction):
        raise Cancelled

    case, limit = town(), Limit(0.1)
    with pytest.raises(Cancelled):
        advise(case, families(["disc"], limit), limit, ["shift"], 1, progress=stop)


def test_usefulness_of_what_did_not_move():
    case = town()
    kept = Usefulness(case, ["ripley", "kde", "scan"], 1).of([Trial(case.xy, {}, {})] * 2)
    assert kept["shift"] == 0 and kept["ripley"] == 0 and kept["scan"] == 1
    assert kept["kde"] == pytest.approx(1)


@pytest.mark.parametrize(
    "more",
    [
        {"home": np.array([0, 9_999])},
        {"weight": np.array([-1.0])},
        {"releases": 0},
        {"adversaries": ()},
        {"xy": np.zeros((1, 2)), "home": np.array([0])},
    ],
)
def test_what_makes_no_sense_is_refused(more):
    case = town(people=2)
    given = {"xy": case.xy, "home": case.home, "candidates": case.candidates, **more}
    with pytest.raises(InputError):
        Case(**given)


def test_standing_names_the_worse_adversary():
    limit = Limit(0.1, MEAN)
    against = {
        PLACE: Against().with_tops(np.full(1_000, 0.01), limit),
        RECORD: Against().with_tops(np.full(1_000, 0.5), limit),
    }
    assert Standing(1.0, against).worst(limit)[0] == RECORD
    assert MOST_RECORDS == "99"


def test_a_wide_swap_tells_what_all_pairs_tell(monkeypatch):
    case = town(3_000, 300)
    family, found = Swap(20), []
    for wide in (False, True):
        monkeypatch.setattr(swap, "is_wide", lambda *_, answer=wide: answer)
        some = [
            family.trial(case, 400.0, np.random.default_rng(n), every(case), True) for n in range(6)
        ]
        found.append({name: np.mean([one.tops[name] for one in some]) for name in BOTH})
        for one in some:
            away = np.hypot(*(one.xy - case.xy).T)
            assert away.min() > 0 and np.isin(one.xy, case.candidates).all()
            assert np.median(away) == pytest.approx(270, rel=0.1)
    for name in BOTH:
        assert found[1][name] == pytest.approx(found[0][name], rel=0.05)


def test_the_likeliest_of_a_swap_is_found_however_far_it_is():
    case = town(2_000, 100)
    rings = Candidates.of(case.candidates).rings(case.candidates, RingRule(0.0, 500.0, 30))
    ring = swap._Ring(0.0, rings.outer, each=1.0 / rings.count)
    points = case.candidates[:50]
    best = swap._likeliest(case, ring, points, np.arange(len(case.candidates)))
    away = np.hypot(*(points[:, None] - case.candidates[None]).transpose(2, 0, 1))
    density = rings.density(np.tile(np.arange(len(case.candidates)), 50), away.ravel())
    assert best == pytest.approx(density.reshape(50, -1).max(axis=1))


def test_time_is_foretold_by_trials_that_are_not_made_again():
    case, limit, told = town(people=150), Limit(0.2), []
    names = ["gaussian", "groups"]
    masks = families(names, limit)
    first = advise(case, masks, limit, ["shift"], 5, foretold=told.append)
    assert len(told) == 1 and 0 < told[0].usual <= told[0].most
    plain = advise(case, families(names, limit), limit, ["shift"], 5)
    for one, other in zip(first.found, plain.found):
        assert (one.state, one.values) == (other.state, other.values)
    # Nothing is foretold of what is there already.
    kept = Kept()
    advise(case, masks, limit, ["shift"], 5, kept)
    advise(case, masks, limit, ["shift"], 5, kept, foretold=told.append)
    assert len(told) == 1
