# SPDX-License-Identifier: GPL-2.0-or-later
"""An id that was released, and the order of the file, lead to people where records are theirs."""

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.along import along
from geoanon_qgis.core.microdata.attacks.ordered import in_order
from geoanon_qgis.core.microdata.attacks.paired import Pairing, half_away, paired
from tests.core.test_microdata_attacks import population, tables_of

COUNT = 400
ORIGINAL, OTHERS = population(COUNT, 21), population(COUNT, 22)
ALL = np.arange(COUNT)


def found(released, records=ALL, **more):
    pairing = Pairing("her row", ALL, records)
    return paired(tables_of(ORIGINAL, released, OTHERS)[0], [pairing], **more)


def test_one_true_field_in_the_order_of_the_file_is_told():
    """Everything else is that of other people: no other attack has anything to start from."""
    released = {**OTHERS, "diabetes": ORIGINAL["diabetes"]}
    told = found(released)
    right = {one.names[1][0]: one for one in told if not one.of_some}
    assert set(right) == set(ORIGINAL) and right["diabetes"].success == 1.0
    assert 0.5 < right["diabetes"].control < 0.95
    assert right["income"].excess()[0] < 0.05
    some = next(one for one in told if one.of_some and one.names[1] == ("diabetes",))
    yes = np.flatnonzero(ORIGINAL["diabetes"] == "yes")
    assert some.is_sure(0.09, 3.0) and some.rows.tolist() == yes.tolist()
    assert [one.names[1] for one in found(released, secrets=["age"])] == [("age",)]


@pytest.mark.parametrize("shuffled", [False, True])
def test_noise_hides_no_order(shuffled):
    rng = np.random.default_rng(4)
    noisy = {**OTHERS, "income": (ORIGINAL["income"] * np.exp(rng.normal(0, 0.3, COUNT))).round(-1)}
    order = rng.permutation(COUNT) if shuffled else ALL
    released = {name: values[order] for name, values in noisy.items()}
    assert bool(found(released)) != shuffled
    assert found(released, np.argsort(order))  # whoever has the released ids


def test_files_in_the_same_order_of_other_people_are_no_find():
    """Both are sorted by age, and the tenth has the age of the tenth; nobody is known by that."""
    by_age = [{k: v[np.argsort(one["age"])] for k, v in one.items()} for one in (ORIGINAL, OTHERS)]
    tables, _ = tables_of(*by_age, OTHERS)
    assert not paired(tables, [Pairing("her row", ALL, ALL)])
    true = {**by_age[1], "rare": by_age[0]["rare"], "m1": by_age[0]["m1"]}
    tables, _ = tables_of(by_age[0], true, OTHERS)
    told = paired(tables, [Pairing("her row", ALL, ALL)])
    sure = {one.names[1][0] for one in told if one.is_sure(0.09, 3.0)}
    assert sure == {"rare", "m1"}


def test_honest_files_are_no_find():
    tables = [tables_of(ORIGINAL, population(COUNT, seed), OTHERS)[0] for seed in range(30, 45)]
    assert not any(paired(one, [Pairing("her row", ALL, ALL)]) for one in tables)
    few = Pairing("her row", ALL[:19], ALL[:19])
    assert not paired(tables_of(ORIGINAL, ORIGINAL, OTHERS)[0], [few])


@pytest.mark.parametrize("down", [False, True])
def test_records_in_the_order_of_a_true_field_are_those_of_its_ranks(down):
    """Neither income nor anything else but the illness is released, and the file was in any order."""
    order = np.argsort(ORIGINAL["income"], kind="stable")[:: -1 if down else 1]
    released = {**OTHERS, "m1": ORIGINAL["m1"][order]}
    tables, _ = tables_of(ORIGINAL, released, OTHERS)
    told = paired(tables, list(in_order(tables)))
    assert "income" in str(told[0].knows)
    assert any(one.names[1] == ("m1",) and one.is_sure(0.09, 3.0) for one in told)
    shorter = {name: values[1:] for name, values in released.items()}
    assert not list(in_order(tables_of(ORIGINAL, shorter, OTHERS)[0]))


@pytest.mark.parametrize("down", [False, True])
def test_records_in_the_order_of_two_fields_are_those_of_its_ranks(down):
    """First a category, and in each of them a number."""
    order = np.lexsort((ORIGINAL["income"], ORIGINAL["sex"]))[:: -1 if down else 1]
    released = {**OTHERS, "m1": ORIGINAL["m1"][order]}
    tables, _ = tables_of(ORIGINAL, released, OTHERS)
    told = paired(tables, list(in_order(tables)))
    assert "sex, income" in str(told[0].knows)
    assert any(one.names[1] == ("m1",) and one.is_sure(0.09, 3.0) for one in told)


def turns(by):
    """Every so many rows, then those after them."""
    return np.argsort(ALL % by, kind="stable")


ORDERS = {
    "even rows, then odd ones": turns(2),
    "read by twenty columns": turns(20),
    "halves in turn": np.argsort(turns(2)),
    "every seventh, round and round": ALL * 7 % COUNT,
    "age, then income": np.lexsort((ORIGINAL["income"], ORIGINAL["age"])),
    "men and women by falling income": np.lexsort((-ORIGINAL["income"], ORIGINAL["sex"])),
}


@pytest.mark.parametrize("order", ORDERS)
def test_records_in_any_plain_order_are_those_of_its_ranks(order):
    released = {**OTHERS, "m1": ORIGINAL["m1"][ORDERS[order]]}
    tables, _ = tables_of(ORIGINAL, released, population(COUNT, 23))
    pairings = list(in_order(tables))
    assert max(np.mean(ORDERS[order] == one.people) for one in pairings) > 0.95
    told = paired(tables, pairings)
    assert any(one.names[1] == ("m1",) and one.is_sure(0.09, 3.0) for one in told)


def test_records_along_a_curve_through_homes_are_those_of_the_people_there():
    """As a spatial index stores them; by the bits of x and y in turn, in a loop."""

    def along_curve(xy):
        cells = ((xy - xy.min(axis=0)) / np.ptp(xy, axis=0) * 65_535).astype(int)
        bits = [
            "".join(map("".join, zip(*(format(one, "016b") for one in cell)))) for cell in cells
        ]
        return np.argsort(np.array(bits), kind="stable")

    rng = np.random.default_rng(9)
    own, theirs, more = rng.uniform(0, 9_000, (3, COUNT, 2))
    made = [
        {**one, "x": xy[:, 0], "y": xy[:, 1]}
        for one, xy in ((ORIGINAL, own), (OTHERS, theirs), (population(COUNT, 23), more))
    ]
    order = along_curve(own)
    made[1]["m1"] = ORIGINAL["m1"][order]
    tables, _ = tables_of(*made)
    pairing = next(one for one in in_order(tables) if "curve" in str(one.title))
    assert (pairing.people == order).mean() > 0.95
    told = paired(tables, [pairing])
    assert any(one.names[1] == ("m1",) and one.is_sure(0.09, 3.0) for one in told)


def couples(seed):
    """He, she, he, she; they earn together."""
    one = population(COUNT, seed)
    income = np.repeat(one["income"][: COUNT // 2], 2)
    return {**one, "sex": np.tile(["m", "f"], COUNT // 2), "income": income}


def schools(seed):
    """Pupils by school and grade, as in every such file."""
    one = population(COUNT, seed)
    rng = np.random.default_rng([seed, 8])
    school, grade = np.repeat(np.arange(10), COUNT // 10), np.tile(np.repeat([5, 6, 7, 8], 5), 20)
    return {
        **one,
        "school": school.astype(str),
        "grade": grade + 0.0,
        "noise": rng.normal(size=COUNT),
    }


def plates(seed):
    """Samples on plates of 96 wells, the last one not full; what is measured depends on the well."""
    rng = np.random.default_rng(seed)
    well = np.arange(COUNT) % 96
    of_well = np.random.default_rng(0).normal(0, 3, 96)
    return {
        "column": well % 12 + 1.0,
        "kind": np.where(well % 12 == 0, "control", "case"),
        "first": of_well[well] + rng.normal(0, 4, COUNT),
        "second": of_well[well] + rng.normal(0, 4, COUNT),
        "noise": rng.normal(size=COUNT),
    }


def test_rows_of_a_shorter_reference_are_those_of_the_same_numbers():
    """What every so many rows have in common, any file's have, however many there are."""
    for seed in range(60, 63):
        own, released, reference = (plates(seed + 10 * at) for at in range(3))
        reference = {name: values[:-25] for name, values in reference.items()}
        tables, _ = tables_of(own, released, reference)
        assert not paired(tables, [*in_order(tables), *along(tables)])


@pytest.mark.parametrize("make", [couples, schools, plates])
@pytest.mark.parametrize("with_reference", [True, False])
def test_files_that_are_regular_by_themselves_are_no_find(make, with_reference):
    for seed in range(50, 54):
        own, released, reference = (make(seed + 10 * at) for at in range(3))
        tables, _ = tables_of(own, released, reference if with_reference else None)
        away = half_away(tables.original)
        others = tables.reference if with_reference else tables.original[away]
        rows = Pairing("her row", ALL, ALL, [(others, ALL)])
        assert not paired(tables, [rows, *in_order(tables), *along(tables)])


def test_honest_files_stand_in_no_order():
    for seed in range(30, 45):
        released = population(COUNT, seed)
        by_age = np.argsort(released["age"], kind="stable")
        for rows in (ALL, by_age):
            some = {name: values[rows] for name, values in released.items()}
            tables, _ = tables_of(ORIGINAL, some, OTHERS)
            assert not paired(tables, list(in_order(tables)))


def without(table, rows):
    return {name: np.delete(values, rows) for name, values in table.items()}


@pytest.mark.parametrize("from_release", [True, False])
@pytest.mark.parametrize("count", [1, 12])
def test_a_few_lacking_rows_hide_no_order(count, from_release):
    """The illness and one more field are true; whoever lays the lists along each other finds whose."""
    rows = np.random.default_rng(6).choice(COUNT, count, replace=False)
    released = {**OTHERS, **{name: ORIGINAL[name] for name in ("diabetes", "sex", "children")}}
    original = ORIGINAL
    if from_release:
        released = without(released, rows)
    else:
        original = without(original, rows)
    tables, _ = tables_of(original, released, population(COUNT, 23))
    pairing = next(along(tables))
    longer, shorter = (
        (pairing.people, pairing.records) if from_release else (pairing.records, pairing.people)
    )
    true = np.delete(np.arange(COUNT), rows)
    assert (np.diff(longer) >= 1).all() and (np.diff(shorter) >= 1).all()
    assert len(shorter) > 0.95 * (COUNT - count) and (longer == true[shorter]).mean() > 0.7
    told = paired(tables, [pairing])
    assert any(one.names[1] == ("diabetes",) and one.is_sure(0.09, 3.0) for one in told)


def test_honest_lists_along_each_other_are_no_find():
    for seed in range(30, 50):
        released = without(population(COUNT, seed), range(seed - 29))
        order = np.argsort(released["age"], kind="stable")
        for original, some in (
            (ORIGINAL, released),
            (
                {name: values[np.argsort(ORIGINAL["age"])] for name, values in ORIGINAL.items()},
                {name: values[order] for name, values in released.items()},
            ),
        ):
            for reference in (OTHERS, None):
                tables, _ = tables_of(original, some, reference)
                assert not paired(tables, list(along(tables)))


def daily(seed):
    """Three patients come every day; files are in the order of days."""
    rng = np.random.default_rng([seed, 9])
    day = np.repeat(np.arange(130), 3)
    return {
        "day": 18_000.0 + day,
        "weekday": np.array([*"abcdefg"])[day % 7],
        "age": rng.integers(18, 95, len(day)).astype(float),
        "ill": rng.choice(["no", "yes"], len(day)),
        "wait": (rng.gamma(2, 20, len(day)) + 1).round(),
    }


def test_what_a_day_tells_of_everybody_is_no_find():
    """The tenth of any file has the same weekday."""
    for seed in range(5):
        tables, _ = tables_of(daily(seed), daily(seed + 50), daily(seed + 100))
        assert not paired(tables, [*in_order(tables), *along(tables)])
        everybody = np.arange(390)
        row = Pairing("her row", everybody, everybody, [(tables.reference, everybody)])
        assert not paired(tables, [row])
        true = {**daily(seed + 50), "ill": daily(seed)["ill"]}
        tables, _ = tables_of(daily(seed), true, daily(seed + 100))
        told = paired(tables, [row])
        assert any(one.names[1] == ("ill",) and one.is_sure(0.09, 3.0) for one in told)
        assert not any(one.names[1] == ("weekday",) and one.is_sure(0.09, 3.0) for one in told)


def test_categories_alone_have_no_order_without_a_reference():
    own, others = (
        {name: population(COUNT, at)[name] for name in ("sex", "diabetes")} for at in (1, 2)
    )
    assert not list(in_order(tables_of(own, others)[0]))
