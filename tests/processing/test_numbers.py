# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists of numbers that people type."""

import pytest

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.processing.dialog.numbers import listed
from tests.processing.helpers import assert_sentence


def test_numbers_are_parted_by_what_people_type():
    assert listed("500, 20;100  20\n5", "Sets", 1, whole=True) == [5, 20, 100, 500]
    assert listed("0.5,0.1", "Alpha", 0, 1) == [0.1, 0.5]
    assert all(type(one) is int for one in listed("1 2", "Sets", 1, whole=True))


@pytest.mark.parametrize(
    "text, names",
    [
        ("", "no number"),
        (" ,; ", "no number"),
        ("20, x", "“x”"),
        ("0", "“0”"),
        ("1.5", "“1.5”"),
        ("nan", "“nan”"),
        ("inf", "“inf”"),
        ("1e400", "“1e400”"),
        ("-3", "“-3”"),
        (" ".join(str(one) for one in range(1, 300)), "299"),
    ],
)
def test_what_is_no_list_of_whole_numbers_is_named(text, names):
    with pytest.raises(InputError) as refused:
        listed(text, "Sets", 1, whole=True)
    assert_sentence(str(refused.value))
    assert "“Sets”" in str(refused.value) and names in str(refused.value)


def test_limits_are_named():
    with pytest.raises(InputError, match="from 0 to 1"):
        listed("1.2", "Alpha", 0, 1)
