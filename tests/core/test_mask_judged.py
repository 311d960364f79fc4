# SPDX-License-Identifier: GPL-2.0-or-later
"""What is recommended of point masks is what its verdict says may be released."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.experiments.masks.advice import Advice, advise, families
from geoanon_qgis.core.experiments.masks.advice_words import remark, sentence
from geoanon_qgis.core.experiments.masks.case import BOTH, PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.judged import (
    CROWDED,
    INCOMPLETE,
    can_be_taken,
    verdict,
)
from geoanon_qgis.core.experiments.masks.laws import is_wide
from geoanon_qgis.core.experiments.masks.search import HELD, OPEN, RULED_OUT, Found
from geoanon_qgis.core.experiments.masks.standing import (
    EVERY,
    EVERY_RECORD,
    MEAN,
    MOST_RECORDS,
    Against,
    Limit,
    Standing,
)
from geoanon_qgis.core.verdict import CANNOT_TELL, DO_NOT_RELEASE, RELEASE_WITH_CARE


def judged(tops, limit, draws=1, state=HELD, bound=1.0, withheld=0.0):
    """A mask behind which both adversaries believe so."""
    against = Against(bound=bound)
    for _ in range(draws):
        against = against.with_tops(np.asarray(tops, dtype=float), limit)
    standing = Standing(1.0, {PLACE: against, RECORD: against}, withheld)
    family = families(["gaussian"], limit)[0]
    return Found(family, state, standing, values={"shift": 10.0}, parameters={"MAX": 1.0})


@pytest.mark.parametrize("on", [MEAN, MOST_RECORDS, EVERY_RECORD])
@pytest.mark.parametrize("people", [50, 380, 381, 5_000])
def test_what_is_recommended_may_be_released_by_its_verdict(on, people):
    limit, rng = Limit(0.09, on), np.random.default_rng(people)
    taken = 0
    for top in (0.001, 0.02, 0.05, 0.08, 0.0899, 0.09, 0.1, 0.5, 1.0):
        for spread in (0.0, 0.5):
            tops = top * (1 - spread * rng.random(people))
            found = judged(tops, limit, EVERY)
            found = replace(found, state=HELD if found.standing.holds(limit) else RULED_OUT)
            taken += can_be_taken(found, limit)
            decision = verdict(found, limit, BOTH).decision
            assert (decision == RELEASE_WITH_CARE) == can_be_taken(found, limit)
            assert can_be_taken(found, limit) == (found.state == HELD)
    assert taken


def test_an_average_whose_interval_spans_the_limit_does_not_hold_for_99_percent_either():
    limit = Limit(0.09)
    found = judged(np.full(5_000, 1 / 12), limit, 3)
    assert found.standing.against[PLACE].above == (0.0, 0.0, 0.0)
    assert found.standing.against[PLACE].ends[1] > 0.09 and not found.standing.holds(limit)
    assert judged(np.full(5_000, 1 / 13), limit, 3).standing.holds(limit)


def test_where_nobody_was_above_in_any_draw_the_surest_is_an_end():
    limit = Limit(0.2, EVERY_RECORD)
    few, every = (judged(np.full(100, 0.19), limit, n) for n in (EVERY - 1, EVERY))
    assert every.standing.against[PLACE].ends_under(limit)[1] == pytest.approx(0.19)
    assert few.standing.against[PLACE].ends_under(limit)[1] > 0.25
    assert verdict(every, limit, BOTH).decision == RELEASE_WITH_CARE
    assert verdict(few, limit, BOTH).decision == CANNOT_TELL


def test_what_was_not_asked_of_all_is_not_recommended():
    limit = Limit(0.2, EVERY_RECORD)
    found = judged(np.full(100, 0.05), limit, EVERY, state=OPEN)
    assert verdict(found, limit, BOTH).decision == CANNOT_TELL and not can_be_taken(found, limit)
    lost = judged(np.full(100, 0.4), limit, EVERY, state=OPEN)
    assert verdict(lost, limit, BOTH).decision == DO_NOT_RELEASE


def case(people=100):
    xy = np.random.default_rng(1).uniform(0, 2_000, (1_200, 2)).round(1)
    home = np.sort(np.random.default_rng(2).permutation(1_200)[:people])
    return Case(xy[home], home, xy)


@pytest.mark.parametrize("caveat", [CROWDED, INCOMPLETE])
def test_what_nobody_can_tell_is_named_and_not_recommended(caveat):
    limit = Limit(0.2)
    masks = families(["groups", "cells"], limit)
    plain = advise(case(), masks, limit, ["shift"], 1)
    assert plain.verdict.decision == RELEASE_WITH_CARE and plain.best is plain.would_be

    open_ = advise(case(), masks, limit, ["shift"], 1, caveats=(caveat,))
    assert open_.best is None and open_.verdict.decision == CANNOT_TELL
    assert open_.nearest.family.name == plain.best.family.name
    said = str(sentence(open_))
    assert "nobody can tell" in said and "choose again" in said.lower() and "vbas" not in said
    assert remark(open_, open_.nearest) == "nearest" and open_.nearest.state == OPEN
    assert not any(one.state == HELD for one in open_.found)


def test_one_that_withholds_many_is_taken_only_where_no_other_holds():
    limit = Limit(0.2, MEAN)
    few, many = (judged(np.full(400, 0.05), limit, 3, withheld=w) for w in (0.0, 0.2))
    from geoanon_qgis.core.experiments.masks.advice import _best

    assert _best([many, few], ["shift"], limit) is few and _best([many], ["shift"], limit) is many
    done = Advice(many, (many,), limit, ("shift",), 400, 4_000, would_be=many)
    assert done.verdict.decision == RELEASE_WITH_CARE and "withholds 20.0%" in str(sentence(done))


def test_what_a_mask_was_seen_to_keep_is_kept():
    rng = np.random.default_rng(4)
    for on in (MEAN, MOST_RECORDS, EVERY_RECORD):
        found = judged(0.3 * rng.random(1_000), Limit(0.05, on), EVERY, state=RULED_OUT)
        share = found.standing.keeps(on)
        for times, holds in ((1.0, True), (0.99, False)):
            limit = Limit(share * times, on)
            # The share above hangs on the limit: it is counted anew, of the same draws.
            again = judged(0.3 * np.random.default_rng(4).random(1_000), limit, EVERY)
            if on == MEAN:
                assert again.standing.holds(limit) is holds
        assert 0.05 < share <= 0.3
    certain = judged(np.full(1_000, 0.25), Limit(0.05, EVERY_RECORD), 2, bound=0.2)
    assert certain.standing.keeps(EVERY_RECORD) == 0.2
    assert judged(np.full(1_000, 0.25), Limit(0.05, EVERY_RECORD), 2).standing.keeps("every") == 1
    assert judged(np.full(1_000, 1.0), Limit(0.05), 3).standing.keeps(MEAN) == 1


def test_where_nothing_holds_the_limit_that_would_be_kept_is_told_and_is():
    limit = Limit(0.05, MEAN)
    sparse = case(100)
    done = advise(sparse, families(["grid", "exchange"], limit), limit, ["shift"], 1)
    assert done.best is None
    said = str(sentence(done))
    assert "geoanon:vbas, K=20" in said and "partners" in said
    share, one = done.would_keep
    assert share > 0.05 and one.standing.holds(Limit(share * (1 + 1e-9), MEAN))
    assert f"hides records among {int(np.ceil(1 / share - 1e-3)):,}" in said or share > 0.2


@pytest.mark.parametrize(("on", "tolerance"), [(MEAN, 0.05), (MOST_RECORDS, 0.15)])
def test_so_many_partners_an_exchange_alone_needs(on, tolerance):
    from geoanon_qgis.core.attacks.masks.likelihood import by_lists
    from geoanon_qgis.core.attacks.masks.posterior import which_record
    from geoanon_qgis.core.masking.partners import partner_graph

    some, limit = case(400), Limit(0.125, on)
    found = (judged(np.full(400, 1.0), limit, 1, state=RULED_OUT),)
    wanted = Advice(None, found, limit, ("shift",), 400, 1_200).partners_wanted
    graph, tops = partner_graph(some.candidates, wanted), []
    for draw in range(12):
        rng = np.random.default_rng(draw)
        home = np.sort(rng.permutation(1_200)[:400])
        to = graph.partner_of(home, rng.random(400))
        pairs = by_lists(to, graph.partners, 1_200, 1 / graph.k)
        tops.append(which_record(pairs, home[to >= 0]).top)
    tops = np.concatenate(tops)
    reached = tops.mean() if on == MEAN else np.quantile(tops, 0.99)
    assert reached == pytest.approx(0.125, rel=tolerance)


def test_an_exchange_is_not_given_up_where_one_partner_more_hides_everybody():
    limit = Limit(0.1)
    some = Case(
        *(getattr(case(400), name) for name in ("xy", "home", "candidates")), None, (PLACE,)
    )
    done = advise(some, families(["exchange", "cells"], limit), limit, ["shift"], 3)
    exchange = done.found[0]
    # With ten partners nearly all points tell a little more than one in ten.
    assert exchange.state == HELD and 10 < exchange.parameters["K"] <= 30
    assert done.best is not None and done.verdict.decision == RELEASE_WITH_CARE


def test_where_many_of_all_are_in_the_file_points_are_looked_at_pair_by_pair():
    few, many = case(100), case(600)
    assert is_wide(few, 1_100.0, True) and not is_wide(many, 1_100.0, True)
    assert not is_wide(Case(few.xy, few.home, few.candidates, releases=2), 1_100.0, True)
