# SPDX-License-Identifier: GPL-2.0-or-later
"""Scores and their intervals."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.scoring import score


@pytest.mark.parametrize(
    ("correct", "total", "low", "high"),
    [
        # Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 1 - 0.1170, 1.0),
    ],
)
def test_wilsons_interval_as_published(correct, total, low, high):
    right = np.arange(total) < correct
    one = score(right)
    assert (one.correct, one.total) == (correct, total)
    assert one.share == pytest.approx(correct / total)
    assert one.low == pytest.approx(low, abs=1e-4)
    assert one.high == pytest.approx(high, abs=1e-4)


def test_nothing_attacked_says_nothing():
    one = score(np.empty(0, dtype=bool))
    assert (one.correct, one.total, one.share, one.low, one.high) == (0, 0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("total", [1, 5, 1000])
@pytest.mark.parametrize("value", [True, False])
def test_the_interval_holds_the_share(total, value):
    one = score(np.full(total, value))
    assert 0.0 <= one.low <= one.share + 1e-12 and one.share - 1e-12 <= one.high <= 1.0
    assert one.low < one.high
