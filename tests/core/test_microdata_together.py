# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields that are true together are found among others that were swapped, and attacked by themselves."""

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.alike import in_batches, independent
from geoanon_qgis.core.microdata.attacks.battery import Battery
from geoanon_qgis.core.microdata.attacks.blurred import nearly_apart, nearly_together
from geoanon_qgis.core.microdata.attacks.cells import as_one, coded, sure
from geoanon_qgis.core.microdata.attacks.density import membership_by_density
from geoanon_qgis.core.microdata.attacks.membership import by_kind
from geoanon_qgis.core.microdata.attacks.scoring import INFERENCE, MEMBERSHIP, Attack
from geoanon_qgis.core.microdata.attacks.table import is_number
from geoanon_qgis.core.microdata.attacks.together import together, true_together
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.verdict import judge
from tests.core.test_microdata_attacks import attacked, population, tables_of

COUNT = 1000


def people(seed):
    """What few people know of each other, among measurements."""
    made = population(COUNT, seed, fields=3)
    rng = np.random.default_rng([seed, 5])
    made["trade"] = rng.choice([*"abcdefgh"], COUNT)
    made["origin"] = rng.choice([*"pqrst"], COUNT, p=[0.5, 0.2, 0.15, 0.1, 0.05])
    made["ill"] = rng.choice(["no", "copd", "ms"], COUNT, p=[0.85, 0.1, 0.05])
    return made


ORIGINAL, OTHERS, REFERENCE = people(51), people(52), people(53)
TRUE = ("age", "origin", "ill")


def with_true(names):
    released = {**OTHERS, **{name: ORIGINAL[name] for name in names}}
    order = np.random.default_rng(3).permutation(COUNT)
    return {name: values[order] for name, values in released.items()}


def test_who_knows_what_is_true_finds_people():
    """Trade, sex and children of others hide a person where all that is known is compared."""
    tables, _ = tables_of(ORIGINAL, with_true(TRUE), REFERENCE)
    assert set(TRUE) <= set(true_together(tables))
    told = together(tables)
    ill = [one for one in told if one.kind == INFERENCE and one.names[1] == ("ill",)]
    assert {*TRUE} - {"ill"} <= {*ill[0].names[0]}
    some = next(one for one in ill if "copd" in str(one.wants))
    assert some.success > some.control + 0.1 and some.surely(2.0) > 0
    assert any(one.kind == MEMBERSHIP for one in told)


def test_of_what_he_knows_and_wants_no_more_is_taken():
    tables, _ = tables_of(ORIGINAL, with_true(TRUE), REFERENCE)
    named = {one.names for one in together(tables, ["age", "sex"], ["ill"]) if one.names[1]}
    assert named == {(("age",), ("ill",))}
    assert all(one.names[1] in ((), ("ill",)) for one in together(tables, secrets=["ill"]))


def test_of_other_people_nothing_is_true_together():
    honest = [tables_of(ORIGINAL, people(seed), REFERENCE)[0] for seed in range(60, 90)]
    assert sum(bool(true_together(one)) for one in honest) <= 2
    assert not together(tables_of(ORIGINAL, with_true(TRUE))[0])  # nobody says what chance makes
    rng = np.random.default_rng(9)
    swapped = [{k: rng.permutation(v) for k, v in ORIGINAL.items()} for _ in range(10)]
    swapped = [tables_of(ORIGINAL, one, REFERENCE)[0] for one in swapped]
    assert not together(swapped[0])
    assert not any(true_together(one) for one in swapped)
    assert sum(bool(nearly_together(one)) for one in swapped) <= 1


@pytest.mark.parametrize("reference", [REFERENCE, None], ids=["reference", "none"])
def test_numbers_with_noise_are_found_beside_swapped_categories(reference):
    rng = np.random.default_rng(6)
    tables, _ = tables_of(ORIGINAL, OTHERS, reference)
    numbers = [one.name for one in tables.variables if is_number(one)]
    noisy = {
        name: (ORIGINAL[name] + rng.normal(0, 0.15 * ORIGINAL[name].std(), COUNT)).round(3)
        for name in numbers
    }
    noisy["income"] = np.maximum(noisy["income"], 10.0)
    told, honest = (
        by_kind(tables_of(ORIGINAL, released, reference)[0])
        for released in ({**OTHERS, **noisy}, OTHERS)
    )
    assert told[0].success > told[0].control + 0.2 and "m0" in told[0].knows
    assert [round(one.excess()[0], 2) < 0.04 for one in (told[1], *honest)] == [True] * 3


def correlated(seed, fields=12):
    rng = np.random.default_rng([seed, 77])
    made = 0.55 * rng.normal(size=(COUNT, 1)) + 0.84 * rng.normal(size=(COUNT, fields))
    table = {f"v{at}": (50 + 10 * one).round(2) for at, one in enumerate(made.T)}
    return {**table, "trade": rng.choice([*"abcdefgh"], COUNT), "sex": rng.choice([*"fm"], COUNT)}


def beyond(told):
    return [one for one in told if one.excess()[1] > 0.09]


@pytest.mark.parametrize(("sd", "fields"), [(0.1, 3), (0.2, 5), (0.3, 6)])
def test_few_numbers_with_noise_are_found_among_those_of_others(sd, fields):
    own, others, reference = (correlated(seed) for seed in (1, 2, 3))
    rng = np.random.default_rng(4)
    true = tuple(f"v{2 * at}" for at in range(fields))
    noisy = {name: (own[name] + rng.normal(0, 10 * sd, COUNT)).round(2) for name in true}
    tables, _ = tables_of(own, {**others, **noisy}, reference)
    steps = []
    assert nearly_together(tables, steps.append) == [true]  # no other's field with them
    assert steps == sorted(steps)
    told = beyond(together(tables))
    assert any("denser" in str(one.knows) for one in told)


def test_of_numbers_of_others_none_is_found_nearly_true():
    own, reference = correlated(1), correlated(3)
    rng = np.random.default_rng(9)
    dealt_out = {k: rng.permutation(v) for k, v in own.items()}
    releases = [correlated(5), dealt_out]
    tables = [tables_of(own, one, reference)[0] for one in releases]
    assert sum(bool(nearly_together(one)) for one in tables) <= 1
    assert not any(beyond(together(one)) for one in tables)
    assert nearly_together(tables_of(own, dealt_out)[0]) == []  # nobody says what chance makes


def test_a_table_that_is_true_in_all_fields_has_none_left():
    """Every field belongs to what is found; there is none that could be added."""
    some = {name: ORIGINAL[name] for name in list(ORIGINAL)[:4]}
    noise = np.random.default_rng(8)
    released = {
        name: values + noise.normal(0, 0.1 * values.std(), COUNT) if is_float(values) else values
        for name, values in some.items()
    }
    others = {name: REFERENCE[name] for name in some}
    assert len(nearly_together(tables_of(some, released, others)[0])[0]) >= 2


def is_float(values):
    return values.dtype.kind == "f"


@pytest.mark.parametrize("is_ratio", [False, True])
def test_differences_and_ratios_with_noise_are_found_among_numbers_of_others(is_ratio):
    own, others, reference = (correlated(seed) for seed in (21, 22, 23))
    rng = np.random.default_rng(24)
    secret = rng.normal(0, 1, COUNT)
    for name in ("v1", "v4", "v7", "v9", "v11"):
        noise = secret + rng.normal(0, 0.1, COUNT)
        others[name] = own[name] * np.exp(0.2 * noise) if is_ratio else own[name] + 10 * noise
        others[name] = others[name].round(2)
    tables, steps = tables_of(own, others, reference)[0], []
    made = nearly_apart(tables, tables.released, steps.append)
    sign = "/" if is_ratio else "−"
    true = [f"{name} {sign} v1" for name in ("v4", "v7", "v9", "v11")]
    assert true in [[one.name for one in table.variables] for table in made]
    assert steps == sorted(steps) and 0 <= min(steps) and max(steps) <= 1
    told = next(one for one in together(tables) if true[-1] in str(one.knows))
    assert told.kind == MEMBERSHIP and told.success > told.control + 0.3


def test_two_fields_of_one_person_do_not_hide_five_of_another():
    own, others, reference = (correlated(seed) for seed in (41, 42, 43))
    rng, name = np.random.default_rng(44), np.array([*"abcdefghijklmnop"])
    for table in (own, reference):
        table["job"], table["town"] = (rng.choice(name, COUNT) for _ in range(2))
    theirs = rng.permutation(COUNT)
    others["job"], others["town"] = own["job"][theirs], own["town"][theirs]
    true = ("v0", "v3", "v6", "v9", "v11")
    for one in true:
        others[one] = (own[one] + rng.normal(0, 2, COUNT)).round(2)
    tables, _ = tables_of(own, others, reference)
    assert nearly_together(tables) == [("job", "town"), true]
    assert any("v0, v3" in str(one.knows) for one in beyond(together(tables)))


def test_differences_of_other_people_are_not_true_together():
    files = [[correlated(seed + at) for at in range(3)] for seed in range(300, 318, 3)]
    found = [
        nearly_apart(tables, tables.released) for tables, _ in (tables_of(*one) for one in files)
    ]
    assert sum(map(bool, found)) <= 1
    assert not nearly_apart(tables_of(*files[0][:2])[0], tables_of(*files[0][:2])[0].released)


def test_a_field_of_others_does_not_belong_to_two_that_are_true_together():
    """What two fields tell together is theirs, however many cells a third one makes of it."""
    rng = np.random.default_rng(12)
    own, reference, others = (rng.integers(0, 6, (COUNT, 3)) for _ in range(3))
    released = np.column_stack([own[:, :2], others[:, 2]])
    some = learn_coding({f"v{at}": one.astype(str) for at, one in enumerate(own.T)})
    tables = [
        some.encode({f"v{at}": one.astype(str) for at, one in enumerate(table.T)})[0]
        for table in (own, released, reference)
    ]
    first, second, third = (coded(one, tables, 6) for one in some.variables)
    assert sure([first, second]) > 4
    assert abs(sure([as_one([first, second]), third])) < 2
    assert sure([as_one([first]), second]) == pytest.approx(sure([first, second]))
    assert sure([first, second], [first, second]) == pytest.approx(sure([first, second]))


@pytest.mark.parametrize("kinds", [1, 2, 5])
def test_of_fewer_records_than_are_looked_up_there_are_distances_still(kinds):
    rng = np.random.default_rng(15)
    table = {"a": rng.choice([*"xyz"], 300), "b": rng.choice([*"pqrst"], 300)}
    released = {"a": np.full(300, "x"), "b": np.array([*"pqrst"])[np.arange(300) % kinds]}
    told = membership_by_density(tables_of(table, released, table)[0], ("a", "b"))
    assert 0 <= told.success <= 0.5 and np.isfinite(told.control)


def test_groups_that_begin_elsewhere_hold_others():
    rng = np.random.default_rng(13)
    values = {"v": rng.normal(size=COUNT)}
    some = learn_coding(values)
    (one,), tables = some.variables, [some.encode(values)[0]] * 3
    plain, moved = (coded(one, tables, 5, by) for by in (0.0, 0.25))
    assert np.bincount(plain.codes[: plain.own]).tolist() == [200] * 5
    assert np.bincount(moved.codes[: moved.own]).tolist() == [50] + [200] * 4 + [150]
    assert plain.excess == pytest.approx(1) and moved.excess == pytest.approx(1)


def test_people_who_come_in_groups_count_for_fewer():
    rng = np.random.default_rng(14)
    of = np.repeat(np.arange(100), 10)
    houses, strangers = (rng.normal(size=(100, 2))[of] for _ in range(2))
    assert independent(houses, strangers) == pytest.approx((0.1, 0.1))
    assert independent(houses, rng.normal(size=(500, 2))) == pytest.approx((0.1, 1.0))
    usual = [rng.integers(0, 3, (COUNT, 2)) for _ in range(2)]  # alike, and as often across files
    assert min(independent(*usual)) > 0.6
    assert independent(usual[0], usual[0]) == (1.0, 1.0)


def flats(rng, count):
    """Ten flats each of some houses: year, heating and rate are those of the house."""
    of = np.repeat(np.arange(count // 10), 10)
    return {
        "year": rng.integers(1890, 2020, count // 10)[of] * 1.0,
        "heating": rng.choice([*"good"], count // 10)[of].astype(object),
        "rate": rng.normal(9, 2, count // 10).round(2)[of],
        "area": (30 + rng.gamma(4, 12, count)).round(),
        "rooms": rng.integers(1, 6, count) * 1.0,
    }


def test_flats_of_other_houses_are_not_taken_for_these():
    """Three houses that are near to others make thirty flats, which is no sign of thirty people."""
    for seed in (2, 3):
        rng = np.random.default_rng(seed)
        tables, _ = tables_of(*(flats(rng, COUNT) for _ in range(3)))
        told = [one for one in together(tables) if one.kind == MEMBERSHIP]
        assert not any(one.surely(4.0) for one in told)
        assert all(one.of_some for one in told if "year" in one.knows)


def test_density_is_that_of_a_recount():
    """Whoever has more records near for the people that are near is named."""
    rng = np.random.default_rng(16)
    own, reference = (rng.normal(size=(200, 3)) for _ in range(2))
    released = own + rng.normal(0, 0.1, own.shape)
    files = [dict(zip("abc", one.T)) for one in (own, released, reference)]
    tables = tables_of(*files)[0]
    people = np.concatenate([tables.original, tables.reference])

    def dense(others, width, first):
        away = np.sqrt(((people[:, None] - others) ** 2).mean(axis=2))
        away = np.sort(away, axis=1)[:, first : first + 10]
        return np.log(np.exp(-3 * (away / (width * np.median(away[:, 0]))) ** 2 / 2).sum(axis=1))

    ratio, steps = dense(people, 1.2, 1) - dense(tables.released, 0.7, 0), []
    told = membership_by_density(tables, ("a", "b", "c"), steps.append)
    assert steps == sorted(steps) and 0 <= steps[0] and steps[-1] <= 1
    assert told.success > told.control + 0.15
    left = np.delete(np.arange(200), told.rows)
    assert len(told.rows) > 30 and ratio[told.rows].max() < ratio[left].min()


def batches(rng, count=COUNT, of=20, between=3.0):
    """Whole batches of one table: six of twelve readings go by the batch."""
    values = rng.normal(size=(count, 12))
    values[:, :6] += between * np.repeat(rng.normal(size=(count // of, 6)), of, axis=0)
    return {f"v{at}": one.round(3) for at, one in enumerate(rng.permutation(values).T)}


def test_batches_are_counted_for_as_many_people_as_there_are_batches():
    rng = np.random.default_rng(17)
    own, others = (np.column_stack([*batches(rng).values()]) for _ in range(2))
    assert 25 < COUNT * in_batches(own, others) < 100  # fifty batches
    assert in_batches(*np.split(rng.permutation(np.concatenate([own, others])), 2)) == 1
    drawn = [[rng.normal(size=(400, 5)) for _ in range(2)] for _ in range(20)]
    assert [in_batches(*one) for one in drawn] == [1.0] * 20
    shared = [rng.integers(0, 3, (300, 4)).astype(float) for _ in range(2)]
    assert in_batches(*shared) == 1
    assert in_batches(own[:1], others) == in_batches(own[:2], others) == 1


def test_batches_of_others_are_not_refused_and_leaks_beside_them_are():
    rng = np.random.default_rng(18)
    own, others, reference = (batches(rng, of=100) for _ in range(3))
    found, verdict = attacked(own, others, reference)
    assert verdict.decision != "do_not_release" and found.attacks.batches < 0.1
    assert any("batch" in str(one) for one in found.attacks.notes)
    some = {name: (one + rng.normal(0, 0.05, COUNT)).round(3) for name, one in own.items()}
    assert attacked(own, some, reference)[1].decision == "do_not_release"


def test_some_people_who_are_found_leave_a_file_of_batches_open():
    """Holders of a value count where they are surely found; by batches that is not sure, and not nothing."""
    few = Attack(INFERENCE, "", "", 60, 60, 50, 60, 5, 0.1, reach=0.03, of_some=True)
    alone = Battery((few,), (), True, (), 0.09)
    assert alone.beyond(few) and judge(alone.evidence, "", "", 0.09).decision == "do_not_release"
    in_batches = replace(few, batches=0.05)
    told = Battery((in_batches,), (), True, (), 0.09, batches=0.05)
    assert not told.beyond(in_batches)
    assert judge(told.evidence, "", "", 0.09).decision == "cannot_tell"
    assert in_batches.excess() == few.excess()
