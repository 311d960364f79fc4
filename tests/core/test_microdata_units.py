# SPDX-License-Identifier: GPL-2.0-or-later
"""Originals in other units are the originals: nobody is hidden by pounds for kilograms."""

import numpy as np
import pytest

from geoanon_qgis import core as geoanon
from geoanon_qgis.core.microdata.learning import learn_coding
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
        rng.normal(size=(250, 3)),  # other people
        rng.normal(size=(250, 3)) + rng.exponential(0.2, size=(250, 3)),  # of nearly the same shape
    ):
        assert in_units_of(original, released) is released
    back = in_units_of(original, original * [1, -2, 1] + [0, 3, 0])
    np.testing.assert_array_equal(back[:, 1], original[:, 1])
    few = np.repeat(np.arange(10.0), 30)[:, None]
    assert in_units_of(few, few + 1)[0, 0] == 1


def test_one_record_less_hides_nobody_either():
    """Values cannot be paired then, but mean and variance can."""
    original = people()
    released = {name: np.round(values[1:] * 2.2046 + 7, 2) for name, values in original.items()}
    found = geoanon.measure(original, released)
    assert found.judged.decision == DO_NOT_RELEASE
    rng = np.random.default_rng(10)
    table = rng.normal(size=(300, 3))
    near = in_units_of(table, table[:299] * [1, 0.4, 1] + [0, 9, 0])
    assert np.abs(near - table[:299]).max() < 0.02
    other = in_units_of(table, rng.normal(size=(280, 3)) * 3 + 5)
    assert np.abs(other.mean(axis=0) - table.mean(axis=0)).max() < 1e-9


def ranks(values):
    return np.argsort(np.argsort(values)) + 1.0


@pytest.mark.parametrize(
    "changed",
    [
        dict.fromkeys("abcd", ranks),
        dict.fromkeys("ab", lambda values: ranks(-values)) | dict.fromkeys("cd", ranks),
        dict.fromkeys("abcd", lambda values: np.exp(values / 12).round(1)),
    ],
    ids=["ranks", "some ranks from above", "powers"],
)
def test_what_keeps_the_order_alone_hides_nobody(changed):
    """One record is missing, so that values cannot be paired."""
    original = people()
    order = np.random.default_rng(8).permutation(300)[1:]
    released = {name: changed[name](values[order]) for name, values in original.items()}
    assert geoanon.measure(original, released).judged.decision == DO_NOT_RELEASE


def test_ranks_of_other_people_are_no_values_of_these():
    """Who takes ranks back must not find what nobody released."""
    original = people()
    rng = np.random.default_rng(12)
    shared = rng.normal(size=300)
    others = {name: 50 + 7 * shared + 7 * rng.normal(size=300) for name in "abcd"}
    released = {name: ranks(values) for name, values in others.items()}
    matrix, theirs = (
        np.stack([one[name] for name in "abcd"], axis=1) for one in (original, released)
    )
    back = in_units_of(matrix, theirs)
    assert not np.isin(back.round(6), matrix.round(6)).any()
    assert (
        np.abs(np.quantile(back, [0.1, 0.5, 0.9]) - np.quantile(matrix, [0.1, 0.5, 0.9])).max() < 2
    )
    assert geoanon.measure(original, released).judged.decision != DO_NOT_RELEASE


def test_who_is_released_as_he_is_is_found_among_other_units():
    """Taking a column back must not lose those whose values nobody changed."""
    original = people()
    released = {name: np.round(values * 2 + 40, 3) for name, values in people().items()}
    rng = np.random.default_rng(11)
    for name, values in released.items():
        rng.shuffle(values)
        values[:3] = original[name][:3]
    found = geoanon.measure(original, released)
    assert found.exposed.verbatim[:3].all() and found.judged.decision == DO_NOT_RELEASE


@pytest.mark.filterwarnings("error")
def test_what_no_number_holds_is_left_as_it_is():
    huge = np.linspace(-1.0, 1.0, 50)[:, None] * 1.7e308
    released = np.flipud(huge).copy() * 0.5
    assert in_units_of(huge, released) is released


def test_coordinates_of_others_who_live_together_are_no_other_unit():
    """Towns of one file lie elsewhere than those of another; only the very same values are told."""
    rng = np.random.default_rng(5)
    original, others = (
        np.repeat(rng.normal(size=(30, 2)), 20, axis=0) + rng.normal(0, 0.01, (600, 2))
        for _ in range(2)
    )
    others[:, 0] += 1.0
    assert in_units_of(original, others) is not others
    assert in_units_of(original, others, places=(0, 1)) is others
    moved = original[rng.permutation(600)] * [2.0, 1.0] + [5.0, 0.0]
    back = in_units_of(original, moved, places=(0, 1))
    assert np.allclose(np.sort(back[:, 0]), np.sort(original[:, 0]))


@pytest.mark.parametrize("share", [0.0, 0.05])
def test_blanks_do_not_hide_another_unit(share):
    rng = np.random.default_rng(5)
    original = {name: rng.normal(size=300).round(3) for name in "abc"}
    released = {name: values[::-1].copy() for name, values in original.items()}
    released["a"] = 365.25 * released["a"] + 1000
    lack = rng.random(300) < share
    released["a"][lack] = np.nan
    coding = learn_coding(original)
    before, after = (coding.encode(one)[0] for one in (original, released))
    back = in_units_of(before, after)
    assert np.abs(back[~lack, 0] - before[::-1][~lack, 0]).max() < 0.05
    assert (back[lack] == after[lack]).all() and (back[:, 1:] == after[:, 1:]).all()


@pytest.mark.parametrize("digits", [1, 2])
@pytest.mark.parametrize("middle", [100.0, 0.0])
def test_values_taken_from_a_number_hide_nobody(middle, digits):
    """Fields that say nothing of each other, each distributed like its mirror, ten records less."""
    rng = np.random.default_rng(15)
    original = rng.normal(50, 9, (400, 3)).round(digits)
    left = original[rng.permutation(400)[:390]]
    released = middle - left * [1, 1, -1]
    back = in_units_of(original, released)
    np.testing.assert_allclose(back, left, atol=1e-9)


def test_answers_counted_from_the_other_end_hide_nobody():
    """Few values: which way they go is told by the other answers."""
    rng = np.random.default_rng(16)
    shared = rng.normal(size=(400, 1))
    original = np.clip((5 + 2 * shared + 1.5 * rng.normal(size=(400, 6))).round(), 0, 10)
    left = original[rng.permutation(400)[:390]]
    released = left.copy()
    released[:, :2] = 10 - released[:, :2]
    np.testing.assert_array_equal(in_units_of(original, released), left)


@pytest.mark.parametrize("digits", [-3, 0, 2])
def test_amounts_of_others_are_not_explained_by_a_constant(digits):
    """Rounded and heaped amounts have many sums in common whoever has them."""
    rng = np.random.default_rng(17)

    def some():
        made = np.exp(9 + rng.normal(0, 0.6, (500, 4))).round(digits)
        made[:, 0] = np.where(rng.random(500) < 0.7, made[:, 0].round(-3), made[:, 0])
        return made

    for _ in range(10):
        original, others = some(), some()[:470]
        assert in_units_of(original, others) is others


@pytest.mark.parametrize("classes", [5, 10])
def test_numbers_of_classes_hide_nobody(classes):
    """Quintiles and deciles of what goes together: they say of a person what her values do."""
    rng = np.random.default_rng(18)

    def some(count):
        shared = rng.normal(size=(count, 1))
        return 50 + 7 * shared + 7 * rng.normal(size=(count, 8))

    def coded(table):
        ranks = np.argsort(np.argsort(table, axis=0), axis=0)
        return np.floor(ranks / len(table) * classes) + 1

    original, others, reference = some(400), some(390), some(400)
    back = in_units_of(original, coded(original[:390]))
    assert all(np.corrcoef(a, b)[0, 1] > 0.9 for a, b in zip(back.T, original[:390].T))
    names = [f"v{at}" for at in range(8)]
    original, control, *released = (
        dict(zip(names, one.T))
        for one in (original, reference, coded(original[:390]), coded(others))
    )
    told = [geoanon.measure(original, one, reference=control) for one in released]
    assert told[0].judged.decision == DO_NOT_RELEASE
    assert told[1].judged.decision != DO_NOT_RELEASE
