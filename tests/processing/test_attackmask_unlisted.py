# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the list lacks, in geoanon:attackmask: told, or seen by the points."""

import numpy as np
import pytest

from tests.processing.helpers import layer
from tests.processing.test_attackmask import ADDRESSES, PLACES, attack, masked, refused

pytestmark = pytest.mark.usefixtures("project", "same_secrets")


def lacking(count):
    """A list that lacks some of the homes of the file, and as large a share of the others."""
    gone = {tuple(one) for one in PLACES[:count].tolist()}
    own = {tuple(one) for one in PLACES.tolist()}
    rng = np.random.default_rng(7)
    kept = [
        tuple(one) not in gone and (tuple(one) in own or rng.random() > count / len(PLACES))
        for one in ADDRESSES.tolist()
    ]
    return layer(ADDRESSES[np.array(kept)], name="incomplete")


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
    more = {"FURTHER_RELEASES": [made["OUTPUT"]], "FURTHER_MASKS": [made["MASK"]]}
    said = refused(made, listed, KEY=made["KEY"], FURTHER_KEYS=[made["KEY"]], UNLISTED=5.0, **more)
    assert "Leave UNLISTED empty, or FURTHER_RELEASES" in said
    exchanged = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=12)
    assert "displaced points alone" in refused(exchanged, listed, UNLISTED=5.0)
