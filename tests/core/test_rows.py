# SPDX-License-Identifier: GPL-2.0-or-later
"""Rows of whole numbers by one number each."""

import numpy as np
import pytest

from geoanon_qgis.core.runtime.rows import numbered_rows


@pytest.mark.parametrize("widest", [5, 2**40])
def test_rows_are_numbered_in_their_order(widest):
    table = np.random.default_rng(3).integers(0, widest, (500, 3))
    table[::7] = table[3]
    wanted, inverse = np.unique(table, axis=0, return_inverse=True)
    found, index, own = np.unique(numbered_rows(table), return_index=True, return_inverse=True)
    assert (table[index] == wanted).all()
    assert (own.reshape(-1) == inverse.reshape(-1)).all()
    assert len(numbered_rows(table[:0])) == 0
