# SPDX-License-Identifier: GPL-2.0-or-later
"""Homes that the list lacks: is an address as often right as is believed of it?"""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.attributes import Attribute, People
from geoanon_qgis.core.attacks.masks.likelihood import by_law
from geoanon_qgis.core.attacks.masks.posterior import who_lives_there
from geoanon_qgis.core.attacks.masks.several import combined, log_scale
from geoanon_qgis.core.attacks.masks.unlisted import evenly, unlisted
from geoanon_qgis.core.attacks.masks.unlisted_several import Played, unlisted_of_several
from geoanon_qgis.core.masking.displacement import displace
from geoanon_qgis.core.masking.laws import Donut, Gaussian, disc


def town(seed, count=6000):
    """Streets with a house every ten metres, and some houses strewn about."""
    rng = np.random.default_rng(seed)
    start, turn = rng.uniform(0, 4000, (count // 30, 2)), rng.uniform(0, np.pi, count // 30)
    step = 10.0 * np.arange(28)[:, None] * np.stack([np.cos(turn), np.sin(turn)], 1)[:, None, :]
    rows = (start[:, None, :] + step).reshape(-1, 2)
    return np.vstack([rows, rng.uniform(0, 4000, (count - len(rows), 2))])


def released(law, lacking, seed, count=1500):
    """Points, the list that lacks homes, and the candidate of each point (-1 for none)."""
    homes, rng = town(seed), np.random.default_rng(100 + seed)
    rows = rng.choice(len(homes), count, replace=False)
    drawn = displace(homes[rows], law, bytes([seed]) * 32, "test").xy
    kept = rng.random(len(homes)) >= lacking
    at = np.where(kept, np.cumsum(kept) - 1, -1)
    return drawn, homes[kept], at[rows]


def attacked(law, lacking, seed, share):
    drawn, listed, home = released(law, lacking, seed)
    likelihood = by_law(drawn, listed, law)
    missing = unlisted(likelihood, drawn, listed, law, share=share)
    found = who_lives_there(likelihood).believed(1.0 - missing.each)
    return missing, found, found.right(home), home


def off(claimed, right):
    """The most by which a fifth of the scale is off, in standard errors, with two points of room."""
    fifth, worst = np.minimum((claimed * 5).astype(int), 4), 0.0
    for one in np.unique(fifth):
        said, was = claimed[fifth == one], right[fifth == one]
        if len(said) >= 40:
            error = max(np.sqrt((said * (1 - said)).sum()) / len(said), 1e-9)
            worst = max(worst, (abs(said.mean() - was.mean()) - 0.02) / error)
    return worst


@pytest.mark.parametrize("law", [Gaussian(6.0), Gaussian(25.0), disc(20.0)], ids=str)
@pytest.mark.parametrize("lacking", [0.0, 0.1, 0.3])
def test_whoever_knows_the_share_is_as_often_right_as_he_believes(law, lacking):
    missing, found, right, home = attacked(law, lacking, 1, lacking)
    assert off(found.top, right) < 3.5
    assert right.sum() == pytest.approx(found.top.sum(), abs=3.5 * np.sqrt(found.top.sum()))
    assert missing.each.sum() == pytest.approx(
        (home < 0).sum(), abs=0.02 * len(home) + 60 * lacking
    )
    if lacking == 0.3:  # who does not know of it believes too much
        blind = found.top / np.maximum(1.0 - missing.each, 1e-9)
        assert blind.sum() > found.top.sum() * 1.25


@pytest.mark.parametrize("lacking", [0.0, 0.1, 0.3])
def test_points_of_a_narrow_mask_prove_a_share_that_is_never_too_large(lacking):
    missing, found, right, _ = attacked(Gaussian(6.0), lacking, 2, None)
    assert lacking / 2 - 0.02 <= missing.share <= lacking + 0.02
    assert missing.likeliest == pytest.approx(lacking, abs=0.06) and not missing.typed
    assert found.top.sum() > right.sum() - 3.5 * np.sqrt(right.sum())


def test_points_of_a_wide_mask_prove_nothing():
    missing, found, right, _ = attacked(Gaussian(80.0), 0.1, 3, None)
    assert missing.share < 0.1


def test_unlisted_homes_far_from_others_are_seen_one_by_one():
    law = disc(5.0)
    listed = np.stack(np.meshgrid(np.arange(40) * 50.0, np.arange(40) * 50.0), 2).reshape(-1, 2)
    points = np.vstack([listed[:300] + 2.0, listed[:100] + 25.0])
    missing = unlisted(by_law(points, listed, law), points, listed, law)
    assert (missing.each[300:] == 1.0).all() and missing.each[:300].max() < 0.01
    assert 0.15 < missing.share <= missing.likeliest < 0.35


def test_a_share_alone_counts_points_that_nothing_explains():
    law, listed = disc(5.0), np.array([[0.0, 0.0], [100.0, 0.0]])
    points = np.array([[1.0, 0.0], [99.0, 0.0], [50.0, 0.0], [0.0, 1.0]])
    missing = evenly(by_law(points, listed, law), 0.4)
    assert missing.each == pytest.approx([0.2, 0.2, 1.0, 0.2])
    assert unlisted(by_law(points, listed, law), points, listed, law).share == 0.0


@pytest.mark.parametrize(
    "laws", [[Gaussian(60.0)], [disc(100.0), Gaussian(40.0), Donut(30.0, 80.0)]]
)
@pytest.mark.parametrize("classes", [5, 40])
def test_with_attributes_and_further_releases_he_is_as_often_right_as_he_believes(laws, classes):
    rng, homes, lacking, count = np.random.default_rng(1), town(1), 0.3, 1200
    place = np.repeat(np.arange(len(homes)), rng.integers(1, 4, len(homes)))
    group = rng.integers(0, classes, len(place)).astype(float)
    person = rng.choice(len(place), count, replace=False)
    kept = rng.random(len(homes)) >= lacking
    at, listed = np.where(kept, np.cumsum(kept) - 1, -1), homes[kept]
    row = np.flatnonzero(kept[place])
    own = at[place[row]]
    people = People(own, len(listed), np.ones(len(row)), (Attribute(group[person], group[row]),))
    found, scale, linked = None, np.zeros(count), []
    for law in laws:
        apart = np.stack([person, np.arange(count)], axis=1)
        drawn = displace(homes[place[person]], law, rng.bytes(32), "test", stored=apart).xy
        likely = by_law(drawn, listed, law)
        if found is None:
            found, first = likely, drawn
        else:  # of some records only the first release tells
            link = np.where(rng.random(count) < 0.6, np.arange(count), -1)
            scale += log_scale(found, likely, link)
            found = combined(found, likely, link)
            linked.append(link >= 0)
    weighed = found.with_values(found.value * people.factor(found))

    def weigh(told, units):
        played = people.released(units, rng.integers(0, count, len(units)))
        return told.with_values(told.value * played.factor(told))

    missing = unlisted_of_several(
        weighed,
        scale,
        first,
        np.array(linked, dtype=bool).reshape(-1, count).T,
        [Played(law, listed, None, None, own, lambda one: one) for law in laws],
        own,
        np.ones(len(row)),
        weigh,
        lacking,
    )
    guesses = who_lives_there(weighed)
    told, home = guesses.believed(1.0 - missing.each), at[place[person]]
    right = told.right(home)
    assert off(told.top, right) < 3.5
    assert right.sum() == pytest.approx(told.top.sum(), abs=3.5 * np.sqrt(told.top.sum()))
    assert guesses.top.sum() > right.sum() + 4 * np.sqrt(right.sum())  # who does not know of it
