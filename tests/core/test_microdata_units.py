# SPDX-License-Identifier: GPL-2.0-or-later
"""Originals in other units are the originals: nobody is hidden by pounds for kilograms."""

import numpy as np
import pytest

from geoanon_qgis import core as geoanon
from geoanon_qgis.core.microdata.units import in_units_of
from geoanon_qgis.core.verdict import DO_NOT_RELEASE


def people(count=300):
    rng = np.random.default_rng(7)
    shared = rng.normal(size=count)
    return {name: np.round(50 + 7 * shared + 7 * rng.normal(size=count), 3) for name in "abcd"}


@pytest.mark.parametrize(
    "changed",
    [
        lambda values: values + 35,
        lambda values: np.round(values * 2.2046, 2),
        lambda values: 120 - values,
    ],
)
def test_other_units_hide_nobody(changed):
    """Ranks, column by column, find everybody; as values they are far from all originals."""
    original = people()
    order = np.random.default_rng(8).permutation(300)
    released = {name: changed(values[order]) for name, values in original.items()}
    for match in (None, np.argsort(order)):
        found = geoanon.measure(original, released, match=match)
        assert found.verdict == "inadequate" and found.judged.decision == DO_NOT_RELEASE
        assert found.judged.exposed > 290


def test_what_is_no_change_of_units_is_left_as_it_is():
    rng = np.random.default_rng(9)
    original = rng.normal(size=(300, 3))
    for released in (
        rng.permuted(original, axis=0),  # the same values, elsewhere
        rng.normal(5, 2, size=(300, 3)),  # other people, in other units
        original[:299] + 35,
    ):
        assert in_units_of(original, released) is released
    back = in_units_of(original, original * [1, -2, 1] + [0, 3, 0])
    np.testing.assert_array_equal(back[:, 1], original[:, 1])
    few = np.repeat(np.arange(10.0), 30)[:, None]
    assert in_units_of(few, few + 1)[0, 0] == 1


@pytest.mark.filterwarnings("error")
def test_what_no_number_holds_is_left_as_it_is():
    huge = np.linspace(-1.0, 1.0, 50)[:, None] * 1.7e308
    released = np.flipud(huge).copy() * 0.5
    assert in_units_of(huge, released) is released
