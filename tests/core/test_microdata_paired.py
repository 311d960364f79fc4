# SPDX-License-Identifier: GPL-2.0-or-later
"""An id that was released, and the order of the file, lead to people where records are theirs."""

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.ordered import in_order
from geoanon_qgis.core.microdata.attacks.paired import Pairing, paired
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


def test_honest_files_stand_in_no_order():
    for seed in range(30, 45):
        released = population(COUNT, seed)
        by_age = np.argsort(released["age"], kind="stable")
        for rows in (ALL, by_age):
            some = {name: values[rows] for name, values in released.items()}
            tables, _ = tables_of(ORIGINAL, some, OTHERS)
            assert not paired(tables, list(in_order(tables)))
