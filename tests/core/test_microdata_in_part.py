# SPDX-License-Identifier: GPL-2.0-or-later
"""People released in part, with numbers changed a little; and honest draws, of whom nobody is."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks import sharing
from geoanon_qgis.core.microdata.attacks.in_part import in_part
from geoanon_qgis.core.microdata.attacks.sharing import Shared
from geoanon_qgis.core.microdata.attacks.table import Tables
from geoanon_qgis.core.microdata.digits import as_released, in_turn
from geoanon_qgis.core.microdata.exposed import exposed
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.runtime.errors import Cancelled


def incomes(rng, count):
    """Fields that have little to do with each other."""
    table = {f"pay{at}": np.round(rng.gamma(2, 500, count), 1) + 1 for at in range(5)}
    table |= {f"score{at}": np.round(rng.uniform(1, 1000, count)) for at in range(4)}
    return table | {f"kind{at}": rng.choice([*"pqrs"], count) for at in range(2)}


def answers_of_groups(rng, count):
    """Categories that depend on each other, and two numbers."""
    group = rng.integers(0, 4, count)
    table = {
        f"k{at}": np.where(rng.random(count) < 0.5, group, rng.integers(0, 3 + at % 4, count))
        for at in range(8)
    }
    table = {name: values.astype(str) for name, values in table.items()}
    table["age"] = np.round(rng.uniform(18, 90, count))
    table["pay"] = np.round(np.exp(7 + 0.6 * rng.normal(size=count)))
    return table


def drawn(make, seed, count, sampled, planted=0):
    """Tables of three samples; some released records have six tenths of a person, or nearly so."""
    rng = np.random.default_rng(seed)
    original, released, reference = (make(rng, count) for _ in range(3))
    people, records = (rng.choice(count, planted, replace=False) for _ in range(2))
    names = list(original)
    for person, record in zip(people, records):
        for at in rng.choice(len(names), round(0.6 * len(names)), replace=False):
            value = original[names[at]][person]
            number = released[names[at]].dtype.kind == "f"
            released[names[at]][record] = value * rng.uniform(0.98, 1.02) if number else value
    coding = learn_coding(original)
    before, after, others = (coding.encode(one)[0] for one in (original, released, reference))
    others = others if sampled else None
    return Tables(before, after, others, coding.variables, [(before, others)]), people


@pytest.mark.parametrize("sampled, count, planted", [(True, 2000, 50), (False, 1000, 100)])
@pytest.mark.parametrize("seed", [1, 2])
def test_numbers_changed_a_little_hide_nobody(seed, sampled, count, planted):
    tables, people = drawn(incomes, seed, count, sampled, planted)
    found = in_part(tables)
    right = np.isin(found.rows, people).mean()
    assert len(found.rows) >= 5 and right >= 0.8 and found.is_near
    assert "hides nobody" in found.sentence and set(found.fields) <= set(incomes(np.random, 1))


@pytest.mark.parametrize("make", [incomes, answers_of_groups])
@pytest.mark.parametrize("sampled, count", [(True, 1500), (False, 1000)])
def test_of_other_people_nobody_is_released_in_part(make, sampled, count):
    """What few values tell goes by steps: it was taken for more than chance in up to 8 of 20 draws."""
    found = [in_part(drawn(make, seed, count, sampled)[0]) for seed in range(20, 23)]
    assert sum(len(one.rows) > 0 for one in found) == 0


def test_what_is_near_is_that_of_a_loop():
    rng = np.random.default_rng(4)
    original, released = (rng.integers(0, 60, (50, 2)) / 4 for _ in range(2))
    coding = learn_coding({"a": original[:, 0], "b": original[:, 1]})
    before, after = (coding.encode({"a": t[:, 0], "b": t[:, 1]})[0] for t in (original, released))
    tables = Tables(before, after, None, coding.variables, [(before, None)])
    away, _ = Shared(tables, before, after, ["a", "b"], 1, before, near=0.1).least()
    for row in range(50):
        total = np.zeros(50)
        for column in (0, 1):
            gaps = np.abs(before[:, column] - before[row, column])
            # The fifth nearest other person; with herself the sixth.
            radius = np.sort(gaps)[5] + 1e-9
            worth = -np.log(5 * (gaps <= radius).sum() / 50)
            near = np.abs(after[:, column] - before[row, column]) <= radius
            total += max(0.0, worth) * near
        assert away[row] == pytest.approx(np.exp(-total.max()))


def test_a_cancel_is_heard_while_people_are_looked_for(monkeypatch):
    """Between any two looks at cancel no more pairs are added up than are at a time."""
    tables, _ = drawn(incomes, 3, 400, True)
    monkeypatch.setattr(sharing, "_PAIRS", 4_000)
    asked = []

    def listen(fraction):
        asked.append(fraction)
        if len(asked) > 200:
            raise Cancelled

    with pytest.raises(Cancelled):
        in_part(tables, progress=listen)
    assert asked == sorted(asked)


def test_digits_of_a_release_are_coded_when_they_are_asked_for():
    """Three ways to round are not held beside each other."""
    rng = np.random.default_rng(5)
    original, other = ({f"m{at}": rng.normal(size=20_000) for at in range(20)} for _ in range(2))
    released = {name: np.round(values, 1) for name, values in other.items()}
    kinds = dict.fromkeys(original, "continuous")
    coding = learn_coding(original, kinds)
    coded = coding.encode(original)
    anew = as_released(coding, original, released)
    away = np.full((2, 20_000), 9.0)
    after = coding.encode(released)[0]
    tracemalloc.start()
    try:
        pairs = as_released(coding, original, released, coded=(coded, None))
        assert len(pairs) == 3 and tracemalloc.get_traced_memory()[1] < coded[0].nbytes
        exposed(pairs, after, *away)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2.5 * coded[0].nbytes
    for (one, _), (two, _) in zip(pairs, anew):
        assert np.array_equal(one, two) and not np.array_equal(one, coded[0])
    ((same, _), _), *more = in_turn(as_released(coding, original, original, coded=(coded, None)))
    assert same is coded[0] and not more


def in_places(seed, kind, count=500):
    """25 pupils of each school; households on a grid of 100 m, dealt out; three patients a day."""
    shape, rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    made = []
    if kind == "days":
        day = np.repeat(18_000.0 + np.arange(170), 3)
        return [
            {
                "day": rng.permutation(day),
                "age": rng.integers(18, 95, 510).astype(float),
                "kind": rng.choice([*"pqrst"], 510),
            }
            for _ in range(3)
        ]
    if kind == "schools":
        middle = shape.uniform(0, 20_000, (20, 2)).round()
        places = [rng.permutation(np.repeat(middle, 25, axis=0)) for _ in range(3)]
    else:
        homes = (rng.normal(5000, 1500, (700, 2)) / 100).round() * 100
        size, file = rng.integers(1, 5, 700), rng.integers(0, 3, 700)
        places = [np.repeat(homes[file == at], size[file == at], axis=0)[:count] for at in range(3)]
    for xy in places:
        made.append(
            {"x": xy[:, 0], "y": xy[:, 1], "age": rng.integers(18, 95, len(xy)).astype(float)}
        )
    return made


@pytest.mark.parametrize("kind", ["schools", "grid", "days"])
def test_who_shares_a_place_with_others_is_no_rarer_than_strangers(kind):
    """A pupil has one other of her school fewer than a stranger has, and a family one another."""
    for seed in range(12):
        original, released, reference = in_places(seed, kind)
        coding = learn_coding(original)
        before, after, others = (coding.encode(t)[0] for t in (original, released, reference))
        place = ("x", "y") if kind != "days" else ()
        tables = Tables(before, after, others, coding.variables, [(before, others)], place)
        assert len(in_part(tables).rows) == 0


def test_homes_of_which_none_has_one_person_tell_as_much():
    """Of couples nobody is alone, and a true home beside a true age and illness is listed all the same."""
    rng = np.random.default_rng(2)

    def couples():
        xy = np.repeat(rng.uniform(0, 20_000, (150, 2)).round(), 2, axis=0)
        fields = {"age": rng.integers(18, 95, 300).astype(float), "ill": rng.choice([*"pqr"], 300)}
        return {"x": xy[:, 0], "y": xy[:, 1], **fields}

    original, released, reference = (couples() for _ in range(3))
    for name, values in original.items():
        released[name][:40:2] = values[:40:2]
    coding = learn_coding(original)
    before, after, others = (coding.encode(t)[0] for t in (original, released, reference))
    tables = Tables(before, after, others, coding.variables, [(before, others)], ("x", "y"))
    assert np.isin(np.arange(0, 40, 2), in_part(tables).rows).mean() > 0.9
