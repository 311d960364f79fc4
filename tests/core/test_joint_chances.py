# SPDX-License-Identifier: GPL-2.0-or-later
"""What all points of an exchange tell together, against all ways to place them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from geoanon_qgis.core.masking.joint_chances import free_of_others, joint_chances
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled


def counted(candidates, weight):
    """The same by counting: sets of addresses that are taken, point by point, from both ends."""
    ahead = [{0: 1.0}]
    for row in candidates:
        reached = defaultdict(float)
        for taken, ways in ahead[-1].items():
            for one in row:
                if not taken >> one & 1:
                    reached[taken | 1 << one] += ways * weight[one]
        ahead.append(reached)
    behind = dict.fromkeys(ahead[-1], 1.0)
    found = np.zeros(np.shape(candidates))
    for number in range(len(candidates) - 1, -1, -1):
        before = {}
        for taken, ways in ahead[number].items():
            before[taken] = 0.0
            for slot, one in enumerate(candidates[number]):
                if not taken >> one & 1:
                    onward = weight[one] * behind[taken | 1 << one]
                    before[taken] += onward
                    found[number, slot] += ways * onward
        behind = before
    return found / behind[0]


def released(count, k, records, seed):
    rng = np.random.default_rng(seed)
    partners = partner_graph(rng.uniform(0, 100, (count, 2)), k).partners
    at = rng.choice(count, records, replace=False)
    to = partners[at, rng.integers(0, k, records)]
    return partners[to].tolist(), rng.integers(1, 5, count).astype(float)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("k", "records", "off"), [(3, 3, 0.06), (3, 7, 0.13), (5, 5, 0.03)])
def test_it_comes_near_to_counting(k, records, off, weighted):
    for seed in range(8):
        candidates, weight = released(14, k, records, seed)
        weight = weight if weighted else np.ones(14)
        found = joint_chances(np.array(candidates), weight)
        assert found.sum(axis=1) == pytest.approx(np.ones(records))
        exact = counted(candidates, weight)
        assert np.abs(found - exact).max() < off
        assert found.max() > exact.max() - 0.03


def test_a_point_by_itself_leaves_all_partners_by_their_weights():
    found = joint_chances(np.array([[0, 1, 2], [3, 4, 5]]), np.array([1, 1, 2, 1, 1, 1.0]))
    assert found == pytest.approx(np.array([[0.25, 0.25, 0.5], [1 / 3] * 3]))


def test_three_points_at_one_address_take_its_partners_from_everybody_else():
    # Three points came from 0, 1 and 2, so the fourth came from 3.
    candidates = [[0, 1, 2], [0, 1, 2], [0, 1, 2], [1, 2, 3]]
    assert counted(candidates, np.ones(4))[3] == pytest.approx([0, 0, 1])
    found = joint_chances(np.array(candidates), np.ones(4))
    assert found[3, 2] > 0.8 > 0.34 > found[:3].max()


def test_a_few_streets_of_a_large_list_tell_more_than_as_many_records_far_apart():
    rng = np.random.default_rng(3)
    xy = rng.uniform(0, 3000, (3000, 2))
    partners = partner_graph(xy, 5).partners
    near = np.argsort(np.hypot(*(xy - 1500).T))[:60]
    worst = []
    for at in (rng.choice(near, 45, replace=False), rng.choice(3000, 45, replace=False)):
        to = partners[at, rng.integers(0, 5, 45)]
        worst.append(joint_chances(partners[to], np.ones(3000)).max())
    assert worst[0] > 0.35 and worst[1] < 0.25


def test_in_pieces_it_is_the_same():
    candidates, weight = released(60, 4, 40, 2)
    whole = joint_chances(np.array(candidates), np.ones(60))
    pieces = joint_chances(np.array(candidates), np.ones(60), at_once=7)
    assert pieces == pytest.approx(whole, abs=1e-9)


def test_no_weight_and_no_points():
    assert joint_chances(np.array([[0, 1]]), np.zeros(2)).tolist() == [[1.0, 1.0]]
    assert joint_chances(np.empty((0, 4), dtype=int), np.ones(3)).shape == (0, 4)


def test_it_can_be_cancelled():
    def cancel(fraction):
        raise Cancelled

    with pytest.raises(Cancelled):
        joint_chances(np.array([[0, 1]]), np.ones(2), cancel)


def test_it_is_the_same_without_numba():
    if not accel.available():
        pytest.skip("numba is not installed")
    rng = np.random.default_rng(5)
    many = rng.integers(0, 9, 300)
    first = np.concatenate([[0], np.cumsum(many)])
    candidate = np.concatenate([np.sort(rng.choice(500, one, replace=False)) for one in many])
    likely = rng.random(len(candidate)) ** 6
    likely[rng.random(len(likely)) < 0.05] = 0.0
    found, was = [], accel.enabled()
    try:
        for on in (True, False):
            accel.set_enabled(on)
            found += [
                free_of_others(first, candidate, likely, 500, at_once=one) for one in (50, 9999)
            ]
    finally:
        accel.set_enabled(was)
    assert all(np.array_equal(one, found[0]) for one in found[1:])
    assert found[0].min() < 0.5
