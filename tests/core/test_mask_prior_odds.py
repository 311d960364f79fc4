# SPDX-License-Identifier: GPL-2.0-or-later
"""Who held some addresses for likelier beforehand: what he believes at most, and masks that keep a limit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.experiments.masks import one_release
from geoanon_qgis.core.experiments.masks.advice import advise, families
from geoanon_qgis.core.experiments.masks.advice_words import sentence
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.prior_odds import at_most, beforehand, borne
from geoanon_qgis.core.experiments.masks.standing import EVERY_RECORD, MEAN, MOST_RECORDS, Limit
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
    assert every == pytest.approx(borne(0.3, 0.05)) and every < 1 < most
    assert most <= borne(1 / 32, 0.05) * (1 + 1e-9)
    assert mean == pytest.approx(borne(tops.mean(), 0.05))
    assert np.isinf(one_release.bears(np.empty(0), Limit(0.05)))


def test_a_ratio_below_one_is_refused():
    with pytest.raises(InputError, match="ratio of prior odds"):
        town(prior_odds=0.5)
    with pytest.raises(InputError, match="ratio of prior odds"):
        town(prior_odds=float("nan"))
