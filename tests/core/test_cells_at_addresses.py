# SPDX-License-Identifier: GPL-2.0-or-later
"""Records at the addresses of a list."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_exchange_partners import addresses

from geoanon_qgis.core.masking.addresses import at_addresses
from geoanon_qgis.core.runtime.errors import InputError


@given(addresses(least=1), addresses(least=1), st.sampled_from([0.0, 1.0, 1.5]))
@settings(max_examples=40)
def test_the_nearest_address_is_that_of_all_distances(records, known, within):
    row, away = at_addresses(records, known, within)
    gap = np.hypot(*(records[:, None] - known[None]).transpose(2, 0, 1))
    assert np.array_equal(away, gap.min(axis=1))
    assert np.array_equal(row >= 0, away <= within)
    for one in np.flatnonzero(row >= 0):
        near = known[gap[one] == away[one]]
        assert known[row[one]].tolist() == min(near.tolist())


def test_the_order_of_the_addresses_does_not_matter():
    grid = np.array([[0, 0], [0, 2], [2, 0], [2, 2]], dtype=float)
    for order in ([0, 1, 2, 3], [3, 1, 0, 2], [2, 3, 1, 0]):
        row, away = at_addresses(np.array([[1.0, 1.0], [9.0, 9.0]]), grid[order], within=2)
        assert grid[order][row[0]].tolist() == [0, 0] and row[1] == -1
        assert away == pytest.approx([np.sqrt(2), np.sqrt(98)])


@pytest.mark.parametrize(
    "known, within, said",
    [
        (np.zeros((0, 2)), 0, "address list is empty"),
        (np.zeros((1, 2)), -1, "within -1 m"),
        (np.zeros((1, 2)), np.nan, "within not defined m"),
        ([[np.inf, 0]], 0, "Some addresses have coordinates"),
    ],
)
def test_what_cannot_be_is_said(known, within, said):
    with pytest.raises(InputError, match=said):
        at_addresses(np.zeros((2, 2)), np.array(known), within)
