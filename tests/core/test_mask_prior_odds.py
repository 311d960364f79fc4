# SPDX-License-Identifier: GPL-2.0-or-later
"""Who held some addresses for likelier beforehand: what he believes at most, and masks that keep a limit."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.experiments.masks import one_release
from geoanon_qgis.core.experiments.masks.advice import advise, families
from geoanon_qgis.core.experiments.masks.advice_words import sentence
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.prior_odds import at_most, beforehand, borne, rounded_down
from geoanon_qgis.core.experiments.masks.standing import (
    EVERY_RECORD,
    MEAN,
    MOST_RECORDS,
    ON,
    Limit,
)
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.runtime.errors import InputError


def town(count=1_500, people=200, seed=1, **more):
    rng = np.random.default_rng(seed)
    xy = np.unique(np.round(rng.normal(0, 700, (count, 2)), 1), axis=0)
    home = np.sort(rng.permutation(len(xy))[:people])
    return Case(xy[home], home, xy, **more)


@given(st.integers(0, 10_000), st.floats(1.0, 50.0))
def test_no_belief_within_the_ratio_is_surer_than_the_bound(seed, ratio):
    rng = np.random.default_rng(seed)
    points, candidates = 6, 9
    value = rng.exponential(1, points * candidates) * (rng.random(points * candidates) < 0.6)
    pair = np.arange(points * candidates)
    told = Likelihood.of_pairs(points, candidates, pair // candidates, pair % candidates, value)
    weight, homes = rng.uniform(0.5, 2, candidates), np.arange(candidates)
    held = weight * ratio ** rng.random(candidates) * rng.uniform(0.1, 10)
    for asked in (who_lives_there, lambda one, own: which_record(one, homes, own)):
        even, other = asked(told, weight).top, asked(told, held).top
        assert (other <= at_most(even, ratio) * (1 + 1e-9)).all()


def joint(value, weight):
    """Who is at each address by all ways to put points at addresses of their own, (points, addresses)."""
    points, addresses = value.shape
    found = np.zeros(value.shape)
    for way in permutations(range(addresses), points):
        likely = np.prod([value[row, at] * weight[at] for row, at in enumerate(way)])
        found[range(points), way] += likely
    return found / found.sum(axis=1, keepdims=True)


@given(st.integers(0, 10_000), st.floats(1.0, 30.0))
def test_it_holds_of_what_all_points_tell_together(seed, ratio):
    rng = np.random.default_rng(seed)
    value = rng.exponential(1, (3, 5)) * (rng.random((3, 5)) < 0.8) + 1e-6
    weight = rng.uniform(0.5, 2, 5)
    even, other = joint(value, weight), joint(value, weight * ratio ** rng.integers(0, 2, 5))
    assert (other <= at_most(even, ratio) * (1 + 1e-9)).all()


def test_ratios_are_rounded_down():
    said = {
        12.38: 12.3,
        123.7: 123.0,
        99.99: 99.9,
        1237.0: 1230.0,
        1.6315: 1.63,
        1.0: 1.0,
        20.0: 20.0,
    }
    for ratio, wanted in said.items():
        assert rounded_down(ratio) == pytest.approx(wanted, rel=1e-12)
        assert rounded_down(ratio) <= ratio * (1 + 1e-9)
    assert np.isinf(rounded_down(float("inf")))


@pytest.mark.parametrize("who", [BOTH, (RECORD,)])
def test_what_does_not_hold_bears_nothing(who):
    rng = np.random.default_rng(2)
    xy = np.unique(rng.uniform(0, 3_000, (2_000, 2)).round(1), axis=0)
    home = np.sort(rng.choice(len(xy), 60, replace=False))
    case, limit = Case(xy[home], home, xy, adversaries=who), Limit(0.05, MEAN)
    names = ("grid", "exchange", "groups")
    advice = advise(case, families(names, limit, None, who), limit, ("shift",), 3)
    for one in advice.found:
        held = one.standing.holds(limit)
        assert (advice.bears(one) >= 1) == held, one.family.name
    found = {one.family.name: one for one in advice.found}
    assert found["grid"].state == "ruled_out" and advice.bears(found["grid"]) < 1
    assert np.isinf(advice.bears(found["groups"])) == (found["groups"].state == "held")


def test_the_bound_is_met_by_the_worst_belief():
    lists = np.zeros(8, dtype=int), np.arange(8), np.full(8, 1 / 8)
    told = Likelihood.of_pairs(1, 8, *lists)
    held = np.array([5.0, *np.ones(7)])
    top = who_lives_there(told, held).top[0]
    assert top == pytest.approx(float(at_most(1 / 8, 5))) == pytest.approx(5 / 12)


@given(st.floats(0.001, 0.999), st.floats(1.0, 100.0), st.floats(0.001, 0.999))
def test_ratios_and_limits_undo_each_other(top, ratio, limit):
    assert float(at_most(beforehand(limit, ratio), ratio)) == pytest.approx(limit)
    held = borne(top, limit)
    if held >= 1:
        assert float(at_most(top, held)) == pytest.approx(limit)
    else:
        assert top > limit * (1 - 1e-9)


def test_a_limit_of_addresses_takes_more_of_them():
    assert Limit(0.05).least_addresses() == Limit(0.05).least == 20
    assert Limit(0.05).least_addresses(5) == 96  # 5 / (5 + 95) = 0.05
    assert Limit(0.2).least_addresses(3) == 13


@pytest.mark.parametrize("on", [EVERY_RECORD, MOST_RECORDS, MEAN])
def test_what_is_chosen_holds_against_who_was_told_where_the_file_is_dense(on):
    ratio, limit = 4.0, Limit(0.1, on)
    case = town(prior_odds=ratio)
    names = ("exchange", "cells", "groups", "gaussian", "grid", "areas")
    advice = advise(case, families(names, limit, None, BOTH, ratio), limit, ("shift",), 3)
    assert advice.best is not None and advice.bears(advice.best) >= ratio
    found = {one.family.name: one for one in advice.found}
    for name in ("cells", "groups", "areas"):
        assert found[name].state == "held", name
        assert advice.bears(found[name]) >= ratio
    assert np.isinf(advice.bears(found["groups"]))
    # Cells as they are made then, and a quarter that is so many times as often in the file.
    size = found["cells"].parameters["K"]
    told = np.ones(size)
    told[: size // 2] = ratio
    assert told.max() / told.sum() <= limit.share
    assert ratio / (ratio + size - 1) <= limit.share * (1 + 1e-9)


def test_an_exchange_is_chosen_with_partners_enough():
    ratio, limit = 3.0, Limit(0.1)
    case = town(2_500, 250, adversaries=(PLACE,), prior_odds=ratio)
    advice = advise(case, families(("exchange",), limit, None, (PLACE,), ratio), limit, (), 3)
    assert advice.best is not None
    k = advice.best.parameters["K"]
    assert k >= limit.least_addresses(ratio)
    graph = partner_graph(case.candidates, k)
    rng = np.random.default_rng(9)
    for _ in range(5):
        dense = rng.integers(len(case.candidates))
        away = np.hypot(*(case.candidates - case.candidates[dense]).T)
        weight = np.where(away <= np.quantile(away, 0.125), ratio, 1.0)
        home = rng.choice(len(away), 250, replace=False, p=weight / weight.sum())
        lists = graph.partners[graph.partner_of(home, rng.random(250))]
        top = (weight[lists] / weight[lists].sum(axis=1, keepdims=True)).max(axis=1)
        assert top.max() <= limit.share * (1 + 1e-9)


def test_without_prior_odds_nothing_changes_and_it_is_said_how_far_it_holds():
    limit = Limit(0.1)
    advice = advise(town(), families(("cells", "groups"), limit), limit, ("shift",), 3)
    found = {one.family.name: one for one in advice.found}
    ratio = advice.bears(found["cells"])
    size = found["cells"].parameters["K"]
    assert ratio == pytest.approx(borne(1 / size, 0.1)) and 1 <= ratio < 2
    said = str(sentence(advice))
    best = advice.best.family.name
    assert ("whatever anybody believes" in said) == (best == "groups")
    if best == "cells":
        assert "times as likely to be in the file" in said


def test_attributes_of_the_list_are_no_proof():
    case = town()
    classes = np.arange(case.people) % 2
    listed = np.arange(len(case.candidates)) % 2
    listed[case.home] = classes
    known = Case(
        case.xy, case.home, case.candidates, known=classes, looked_for=classes, listed=listed
    )
    limit = Limit(0.2)
    advice = advise(known, families(("groups",), limit), limit, ("shift",), 3)
    (groups,) = advice.found
    assert np.isfinite(advice.bears(groups))
    assert RECORD in groups.standing.against


def test_one_release_bears_as_much():
    tops = np.full(5_000, 1 / 32)
    tops[:3] = 0.3
    every, most, mean = (
        one_release.bears(tops, Limit(0.05, on)) for on in (EVERY_RECORD, MOST_RECORDS, MEAN)
    )
    high = wilson(tops.mean() * 5_000, 5_000)[1]
    assert every == pytest.approx(borne(0.3, 0.05)) and every < 1 < most
    assert mean == most == pytest.approx(borne(high, 0.05))
    assert np.isinf(one_release.bears(np.empty(0), Limit(0.05)))


@given(st.integers(0, 5_000), st.sampled_from([1.0, 1.5, 3.0]), st.sampled_from(ON))
def test_one_release_that_bears_a_ratio_is_said_to_keep_the_limit(seed, together, on):
    rng = np.random.default_rng(seed)
    limit, count = Limit(0.1, on), int(rng.integers(20, 2_000))
    tops = np.clip(rng.exponential(rng.uniform(0.005, 0.06), count), 1e-4, 1)
    ratio = one_release.bears(tops, limit, together)
    if ratio >= 1:
        assert one_release.standing(at_most(tops, ratio * (1 - 1e-9)), limit, together) == "kept"


def test_a_ratio_below_one_is_refused():
    with pytest.raises(InputError, match="ratio of prior odds"):
        town(prior_odds=0.5)
    with pytest.raises(InputError, match="ratio of prior odds"):
        town(prior_odds=float("nan"))
