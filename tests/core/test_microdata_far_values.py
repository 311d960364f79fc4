# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields of which one value is billions of times what all others are: others must not all seem the same."""

import numpy as np
import pytest

from geoanon_qgis.core.microdata.digits import as_released
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.release import anonymize
from geoanon_qgis.core.microdata.risk import disclosure_risk, people_measured
from geoanon_qgis.core.microdata.units import in_units_of

COUNT = 200


def amounts(seed, largest=1e14):
    """Amounts of some thousands, a zero and a huge one in each field."""
    rng = np.random.default_rng([seed, 67])
    numbers = np.exp(8 + rng.normal(size=(COUNT, 1)) / 2 + rng.normal(size=(COUNT, 5)) / 2).round(2)
    for column in numbers.T:
        column[rng.choice(COUNT, 2, replace=False)] = 0.0, largest
    return {f"v{at}": column for at, column in enumerate(numbers.T)}


def exposed_of(original, released, reference):
    coding = learn_coding(original)
    tables = [coding.encode(one)[0] for one in (original, released, reference)]
    digits = as_released(coding, original, released, reference)
    return disclosure_risk(
        *tables, variants=digits, blocks=coding.blocks, people=people_measured(tables[0])
    ).exposed


@pytest.mark.parametrize("largest", [1e8, 1e14, 1e18])
def test_strangers_beside_one_huge_value_are_not_the_same(largest):
    shown = exposed_of(*(amounts(seed, largest) for seed in (1, 2, 3)))
    assert not shown.verbatim.any() and not shown.near.any()


def test_true_copies_beside_one_huge_value_are_found_and_nobody_else():
    original, released = amounts(1), amounts(2)
    for name in original:
        released[name][50:70] = original[name][50:70]
    shown = exposed_of(original, released, amounts(3))
    assert np.flatnonzero(shown.any).tolist() == [*range(50, 70)]


def test_only_huge_values_change_the_unit():
    rng = np.random.default_rng(5)
    skewed = np.append(0.0, np.exp(2 * rng.normal(size=999)))
    steps = np.repeat([0.0, 1.0, 2.0, 7.0], 250)
    for usual in (skewed, steps, np.where(rng.random(1000) < 0.99, 0.0, skewed)):
        (variable,) = learn_coding({"v": usual}, {"v": "continuous"}).variables
        assert variable.scale == usual.std()
    skewed[7] = 1e14
    (variable,) = learn_coding({"v": skewed}).variables
    assert variable.scale < 1e-6 * skewed.std()


def test_values_come_back_from_their_codes_and_are_released():
    original = amounts(4, 1e12)
    coding = learn_coding(original)
    back = coding.decode(coding.encode(original)[0])
    assert all(np.allclose(back[name], original[name], 1e-8, 1e-5) for name in original)
    for method in ("spectral_swapping", "microaggregation", "gaussian_copula"):
        made = anonymize(original, method, np.random.default_rng(4)).columns
        assert all(np.isfinite(made[name]).all() for name in original)


def test_two_huge_values_are_no_other_unit():
    original, strangers = (
        np.column_stack(list(amounts(seed, largest).values()))
        for seed, largest in ((1, 1e14), (2, 3e13))
    )
    assert in_units_of(original, strangers) is strangers
    released = np.random.default_rng(1).permutation(original) * 2.2 + 5
    made = in_units_of(original, released)
    assert np.array_equal(np.sort(made, axis=0), np.sort(original, axis=0))
