# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by which values a release has at all."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.as_a_whole import is_as_a_whole
from geoanon_qgis.core.microdata.attacks.presence import by_presence
from geoanon_qgis.core.microdata.people import People
from geoanon_qgis.core.microdata.release import anonymize

from .test_microdata_attacks import attacked, tables_of

COUNT, MORE = 600, 10


def people(rng, count=COUNT):
    """Two amounts that go by some hundred steps, a code of which each has few people, and the sex."""
    amounts = (rng.lognormal(6, 0.5, (2, count))).round()
    codes = np.array([f"c{at}" for at in range(300)])
    rare = np.arange(1, 301) ** -0.7
    return {
        "first": amounts[0],
        "second": amounts[1],
        "code": rng.choice(codes, count, p=rare / rare.sum()),
        "sex": rng.choice(["f", "m"], count),
    }


def drawn_anew(rng, table, times=MORE):
    """Each value that of somebody in the file, many times over; none is in one record alone."""
    count = len(table["sex"])
    return {name: values[rng.integers(0, count, times * count)] for name, values in table.items()}


def found(own, released, reference=None, known=(), whose=None):
    tables = tables_of(own, released, reference)[0]
    return by_presence(replace(tables, whose=whose), tables.released, known)


def test_values_that_are_there_tell_who_is_in_the_file():
    rng = np.random.default_rng(1)
    own, reference = people(rng), people(rng)
    released = drawn_anew(rng, own)
    (told,) = found(own, released, reference)
    by_hand = np.all([np.isin(reference[n], released[n]) for n in ("first", "second")], 0)
    assert told.success > 0.99 and by_hand.mean() <= told.control < by_hand.mean() + 0.05
    assert str(told.knows).startswith("first, second of a person, and looks")
    assert is_as_a_whole(told)
    assert attacked(own, released, reference)[1].decision == "do_not_release"
    (alone,) = found(own, released)  # by the others of the file, and by numbers some steps off
    assert alone.success > 0.99 and alone.success - alone.control > 0.2
    # what is not known does not tell
    (some,) = found(own, released, reference, ("second", "sex"))
    assert str(some.knows).startswith("second of")
    assert found(own, released, reference, ("sex",)) == []


def heaped(rng, count=COUNT):
    """Amounts of a pay table, days that are Mondays mostly, incomes by hundreds mostly, and feet taken for centimetres."""
    income = rng.lognormal(7.5, 0.4, count).round()
    day = 7 * rng.integers(0, 200, count)
    return {
        "pay": np.round(1500 * 1.013 ** rng.integers(0, 120, count)),
        "day": (day + np.where(rng.random(count) < 0.2, rng.integers(1, 6, count), 0)).astype(
            float
        ),
        "income": np.where(rng.random(count) < 0.8, income.round(-2), income),
        "height": np.round(2.54 * rng.normal(68, 4, count).round()),
    }


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("times", [1, 2, MORE])
@pytest.mark.parametrize("drawn", [people, heaped])
def test_releases_of_other_people_tell_nobody(seed, times, drawn):
    """However many they are, and whatever values are usual."""
    rng = np.random.default_rng([seed, 5])
    own, reference, others = drawn(rng), drawn(rng), drawn(rng, times * COUNT)
    for told in found(own, others, reference) + found(own, others):
        assert told.success - told.control < 0.06


@pytest.mark.parametrize("each", [3, 8])
def test_whoever_has_more_records_shares_more_with_anybody(each):
    rng = np.random.default_rng(7)
    own, others = people(rng), people(rng, 2 * COUNT)
    whose = People.numbered(np.arange(COUNT) // each)
    for told in found(own, others, whose=whose):
        assert told.success - told.control < 0.06


def test_codes_that_are_numbers_are_in_any_release():
    """Put some steps off there would be none; but others of the file have them too."""
    rng = np.random.default_rng(2)
    codes = np.array([1010, 1020, 1090, 1100, 1203, 1214, 2001, 3007, 4011, 5020.0])
    own, others = ({"place": rng.choice(codes, 400), "age": rng.integers(1, 90, 400)} for _ in "ab")
    assert all(one.success - one.control < 0.06 for one in found(own, others))


def test_shares_of_many_codes_that_are_kept_tell_who_is_in_the_file():
    """Each by itself hardly does, six lists of codes together do: rare ones should be joined first."""
    rng = np.random.default_rng(3)
    own, reference = ({f"code{at}": people(rng)["code"] for at in range(6)} for _ in range(2))
    released = anonymize(own, "spectral_swapping", rng).columns
    (told,) = found(own, released, reference)
    assert told.success > 0.99 and told.control < 0.9


def test_people_with_several_records_and_missing_values():
    rng = np.random.default_rng(4)
    own, reference = people(rng), people(rng)
    own["first"][::7] = np.nan
    released = drawn_anew(rng, own)
    (told,) = found(own, released, reference, whose=People.numbered(np.arange(COUNT) // 2))
    assert told.people == COUNT // 2 and told.success > 0.99


def test_progress_only_rises():
    rng = np.random.default_rng(6)
    own, reference = people(rng), people(rng)
    tables, seen = tables_of(own, drawn_anew(rng, own), reference)[0], []
    by_presence(tables, tables.released, (), seen.append)
    assert seen == sorted(seen) and seen[-1] == 1.0
