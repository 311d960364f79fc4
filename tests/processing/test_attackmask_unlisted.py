# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the list lacks, in geoanon:attackmask: told, or seen by the points."""

import numpy as np
import pytest

from tests.processing.helpers import GRID, layer, run
from tests.processing.test_attackmask import (
    ADDRESSES,
    PLACES,
    attack,
    masked,
    refused,
    several,
)
from tests.processing.test_attackmask_pairs import HOMES, WHO, given

pytestmark = pytest.mark.usefixtures("project", "same_secrets")


def _kept(count):
    """Addresses without some of the homes of the file, and as large a share of the others."""
    gone = {tuple(one) for one in PLACES[:count].tolist()}
    own = {tuple(one) for one in PLACES.tolist()}
    rng = np.random.default_rng(7)
    kept = [
        tuple(one) not in gone and (tuple(one) in own or rng.random() > count / len(PLACES))
        for one in ADDRESSES.tolist()
    ]
    return np.array(kept)


def lacking(count):
    """A list of those."""
    return layer(ADDRESSES[_kept(count)], name="incomplete")


def test_a_share_that_is_told_is_weighed_and_the_verdict_is_one(tmp_path):
    made = masked(tmp_path, MAX=150.0)
    listed = lacking(45)
    more = {"ADVERSARY": "whose_place"}
    blind = attack(made, listed, **more)
    told = attack(made, listed, UNLISTED=30.0, **more)
    assert blind["DECISION"] == "cannot_tell"
    assert any("at no address of the list" in one for one in blind.feedback.warnings)
    assert told["MEAN_TOP"] == pytest.approx(
        0.7 * attack(made, listed, UNLISTED=0.0)["MEAN_TOP"], rel=0.1
    )
    assert told["DECISION"] == "release_with_care"
    assert any("lacks 30.0 % of the homes, as was told" in one for one in told.feedback.infos)
    # Who has a whole list finds more: the limit is held against him.
    strict = {**more, "ACCEPTABLE": told["RISK_HIGH"] - 0.001}
    assert attack(made, listed, UNLISTED=30.0, **strict)["DECISION"] != "release_with_care"


def test_points_show_it_where_they_hardly_moved_and_nobody_is_let_go_by_it(tmp_path):
    made = masked(tmp_path, MAX=6.0)
    listed = lacking(45)
    seen, blind = attack(made, listed), attack(made, listed, UNLISTED=0.0)
    assert seen["MEAN_TOP"] < 0.9 * blind["MEAN_TOP"]
    assert seen["MEAN_TOP"] >= seen["IDENTIFIED"] / 150 - 0.05
    assert seen["DECISION"] in ("cannot_tell", "do_not_release")
    assert any("of the homes at least, as the points show" in one for one in seen.feedback.infos)


def test_what_does_not_go_with_it_is_a_sentence(tmp_path):
    made, listed = masked(tmp_path, MAX=60.0), layer(ADDRESSES)
    assert "0 or more and less than 100" in refused(made, listed, UNLISTED=100.0)
    exchanged = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=12)
    assert "displaced points alone" in refused(exchanged, listed, UNLISTED=5.0)


def _is_weighed(blind, told, people=150):
    """Whether who is told the share is as often right as he believes, unlike who is not."""
    right = told["IDENTIFIED"] / people
    assert told["MEAN_TOP"] < 0.87 * blind["MEAN_TOP"]
    assert right == pytest.approx(told["MEAN_TOP"], abs=0.1)
    assert abs(right - told["MEAN_TOP"]) < abs(right - blind["MEAN_TOP"])
    asked = people - 45  # homes of members are on the list
    assert told["RECORDS_IDENTIFIED"] / asked == pytest.approx(told["RECORDS_MEAN_TOP"], abs=0.12)
    assert told["DECISION"] == "do_not_release"


def test_with_attributes(tmp_path):
    age = np.random.default_rng(8).integers(20, 30, len(ADDRESSES))
    at = [np.flatnonzero((ADDRESSES == place).all(axis=1))[0] for place in PLACES]
    rows = [(row, int(age[one])) for row, one in enumerate(at)]
    source = layer(PLACES, crs=GRID, fields="person:int,age:int", rows=rows, name="registry")
    made = masked(tmp_path, source=source, MAX=90.0, FIELDS=["age"])
    kept = _kept(45)
    listed = layer(ADDRESSES[kept], fields="years:int", rows=[(int(one),) for one in age[kept]])
    known = {"TARGET_QIS": ["age"], "CANDIDATE_QIS": ["years"]}
    told = attack(made, listed, UNLISTED=30.0, **known)
    _is_weighed(attack(made, listed, UNLISTED=0.0, **known), told)


def test_with_further_releases(tmp_path):
    made, further = several(tmp_path, 2, LAW="gaussian", MAX=25.0)
    listed = lacking(45)
    told = attack(made[0], listed, UNLISTED=30.0, **further)
    _is_weighed(attack(made[0], listed, UNLISTED=0.0, **further), told)


def test_with_second_places(tmp_path):
    _, both = given(tmp_path)
    people = both["CANDIDATES"]
    # Of the file some homes lack, and as large a share of all others.
    ids = np.array([one["person"] for one in people.getFeatures()])
    gone = np.isin(ids, WHO[:45]) | (
        ~np.isin(ids, WHO) & (np.random.default_rng(3).random(len(ids)) < 0.3)
    )
    rows = [(int(one),) for one in ids[~gone]]
    listed = layer(HOMES[~gone], fields="person:int", rows=rows, name="incomplete")
    told = run("attackmask", {**both, "CANDIDATES": listed, "UNLISTED": 30.0})
    blind = run("attackmask", {**both, "CANDIDATES": listed, "UNLISTED": 0.0})
    _is_weighed(blind, told)
