# SPDX-License-Identifier: GPL-2.0-or-later
"""Days between dates and ratios of amounts tell people, though no date and no amount is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks import between_fields as module
from geoanon_qgis.core.microdata.attacks import in_part as in_part_module
from geoanon_qgis.core.microdata.attacks import table
from geoanon_qgis.core.microdata.attacks.between_fields import between_fields
from geoanon_qgis.core.microdata.people import People
from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.verdict import DO_NOT_RELEASE, RELEASE_WITH_CARE
from tests.core.test_microdata_attacks import attacked, tables_of

COUNT = 600
DATES = ("referred", "admitted", "discharged", "seen")
AMOUNTS = ("rent", "food", "travel", "other")


def people(seed, count=COUNT):
    rng = np.random.default_rng([seed, 5])
    admitted = 18_000 + rng.integers(0, 1000, count)
    discharged = admitted + 1 + rng.gamma(1.5, 6, count).astype(int)
    usual = rng.normal(7, 0.5, count)
    made = {
        "referred": admitted - 1 - rng.gamma(2, 15, count).astype(int),
        "admitted": admitted,
        "discharged": discharged,
        "seen": discharged + 30 + rng.gamma(2, 20, count).astype(int),
        **{name: np.exp(usual + rng.normal(0, 0.6, count)).round() for name in AMOUNTS},
        "age": rng.integers(18, 95, count),
    }
    made = {name: values.astype(float) for name, values in made.items()}
    return made | {"sex": rng.choice(["f", "m"], count), "ill": rng.choice(["no", "yes"], count)}


def released(original, true, change, lacking=15, seed=0):
    """Other people's records in which some fields are those of the file, changed."""
    rng = np.random.default_rng(seed)
    who = rng.permutation(COUNT)[: COUNT - lacking]
    made = {name: values[: len(who)] for name, values in people(900 + seed).items()}
    return made | {name: change(rng, original[name][who]) for name in true}, who


def once(values):
    """The same draw for every field of a release."""
    return np.random.default_rng(3).integers(-200, 200, len(values))


CHANGES = {
    "dates, all by 91 days": (DATES, lambda rng, values: values + 91),
    "dates, each person's by her own": (DATES, lambda rng, values: values + once(values)),
    "amounts, all by one factor": (AMOUNTS, lambda rng, values: (values * 1.1).round()),
    "amounts, each person's by her own": (
        AMOUNTS,
        lambda rng, values: (values * (1 + (once(values) + 250) / 900)).round(1),
    ),
}


@pytest.mark.parametrize("case", CHANGES)
@pytest.mark.parametrize("with_reference", [True, False])
def test_what_lies_between_fields_is_found(case, with_reference):
    true, change = CHANGES[case]
    original = people(1)
    made, who = released(original, true, change)
    reference = people(2) if with_reference else None
    tables, _ = tables_of(original, made, reference)
    found = between_fields(tables, tables.released)
    assert len(found.rows) > 0.7 * COUNT and np.isin(found.rows, who).mean() > 0.95
    sign = " − " if true is DATES else " / "
    assert len(found.fields) > 1 and all(sign in one for one in found.fields)
    assert sum(set(one.split(sign)) <= set(true) for one in found.fields) > 1
    assert sign in found.sentence and not found.is_near


@pytest.mark.parametrize("with_reference", [True, False])
def test_a_difference_and_a_ratio_tell_together(with_reference):
    """Two dates by days of each person's own, and two amounts by her own factor: one of each is left."""
    original = people(1)
    made, who = released(original, DATES[1:3], CHANGES["dates, each person's by her own"][1])
    also, _ = released(original, AMOUNTS[:2], CHANGES["amounts, each person's by her own"][1])
    made |= {name: also[name] for name in AMOUNTS[:2]}
    reference = people(2) if with_reference else None
    tables, _ = tables_of(original, made, reference)
    found = between_fields(tables, tables.released)
    assert len(found.rows) > 0.5 * COUNT and np.isin(found.rows, who).mean() > 0.95


def test_the_verdict_follows():
    original = people(1)
    made, _ = released(original, *CHANGES["dates, all by 91 days"])
    found, verdict = attacked(original, made, people(2))
    assert verdict.decision == DO_NOT_RELEASE and len(found.attacks.in_part.rows) > 0.7 * COUNT


def test_of_other_people_nobody_is_found():
    found = [
        between_fields(tables, tables.released)
        for seed in range(10, 30)
        for tables, _ in [tables_of(people(seed), people(seed + 100), people(seed + 200))]
    ]
    assert not any(len(one.rows) for one in found)
    assert attacked(people(10), people(110), people(210))[1].decision == RELEASE_WITH_CARE


def test_missing_dates_are_no_differences():
    """Who lacks dates is like others who lack them; the others are found as before."""
    original = people(1)
    made, who = released(original, *CHANGES["dates, all by 91 days"])
    lacking = np.random.default_rng(8).random(COUNT) < 0.3
    original["seen"][lacking] = np.nan
    made["seen"] = np.where(lacking[who], np.nan, made["seen"])
    others = people(2)
    others["seen"][::3] = np.nan
    tables, _ = tables_of(original, made, others)
    found = between_fields(tables, tables.released)
    assert len(found.rows) > 0.4 * COUNT and np.isin(found.rows, who).mean() > 0.95


@pytest.mark.parametrize("several", [False, True])
def test_of_large_files_a_sample_is_looked_at(several, monkeypatch):
    monkeypatch.setattr(module, "_ROWS", 300)
    original = people(1)
    made, who = released(original, *CHANGES["dates, all by 91 days"])
    tables, _ = tables_of(original, made, people(2))
    if several:
        tables = replace(tables, whose=People.numbered(np.arange(COUNT) // 2))
    found = between_fields(tables, tables.released)
    assert 60 < len(found.rows) <= 300 and np.isin(found.rows, who).mean() > 0.95
    again = between_fields(tables, tables.released, known=found.rows)
    assert not np.isin(again.rows, found.rows).any()


def test_who_has_no_amount_hides_nobody():
    original = people(1)
    original["food"][::50] = 0.0
    made, who = released(original, *CHANGES["amounts, each person's by her own"])
    tables, _ = tables_of(original, made, people(2))
    found = between_fields(tables, tables.released)
    assert len(found.rows) > 0.7 * COUNT and any("food" in one for one in found.fields)


@pytest.mark.parametrize("kind", ["few lack each", "few lack many together", "few below zero"])
def test_what_few_people_lack_is_one_thing_to_share(kind):
    """Not as many as there are fields, or differences, of which it is a part."""

    def drawn(seed):
        rng = np.random.default_rng([seed, 9])
        numbers = np.exp(rng.normal(4, 0.3, (COUNT, 8)) + rng.normal(0, 0.2, (COUNT, 1))).round(1)
        few = rng.random((COUNT, 8)) < 0.002
        if kind == "few lack many together":
            few = np.repeat(few[:, :1], 8, axis=1) & (np.arange(8) < 6)
        below = kind == "few below zero"
        few[0] |= below  # so that no number is taken for one that has a logarithm
        numbers[few] = -numbers[few] if below else np.nan
        return {f"v{at}": one for at, one in enumerate(numbers.T)}

    for seed in range(0, 9, 3):
        tables, _ = tables_of(*(drawn(seed + one) for one in range(3)))
        for find in (between_fields, in_part_module.in_part):
            args = (tables.released,) if find is between_fields else ()
            assert not len(find(tables, *args).rows)


def test_no_more_are_listed_than_are_looked_for(monkeypatch):
    """Beside others than those of the sample, who are found by whole values."""
    monkeypatch.setattr(module, "_ROWS", 200)
    monkeypatch.setattr(table, "MOST", 250)
    monkeypatch.setattr(in_part_module, "MOST", 250)
    original = people(1)
    found, _ = attacked(original, {k: v.copy() for k, v in original.items()}, people(2))
    shown = found.attacks.in_part
    assert 250 < len(shown.rows) <= shown.looked_for <= COUNT


def test_of_two_numbers_there_is_nothing_to_know():
    two = {name: people(1)[name] for name in ("admitted", "discharged", "sex")}
    tables, _ = tables_of(two, two)
    assert not len(between_fields(tables, tables.released).rows)


def test_it_is_cancelled():
    tables, _ = tables_of(people(1), people(3))

    def refuse(fraction):
        if fraction > 0.3:
            raise Cancelled

    with pytest.raises(Cancelled):
        between_fields(tables, tables.released, refuse)


@pytest.mark.parametrize("unit", [1.0, 60.0])
@pytest.mark.parametrize("with_reference", [True, False])
def test_cents_and_minutes_are_found_where_whole_units_were_added(unit, with_reference):
    def visits(seed):
        rng = np.random.default_rng([seed, 17])
        step = 0.01 if unit == 1 else 1.0
        made = {name: (rng.gamma(8, 6 * unit, COUNT) / step).round() * step for name in AMOUNTS}
        return made | {
            "sex": rng.choice(["f", "m"], COUNT),
            "ill": rng.choice(["no", "yes"], COUNT),
        }

    original, made, reference = visits(1), visits(2), visits(3)
    order = np.random.default_rng(4).permutation(COUNT)
    for name in AMOUNTS:
        rest = original[name][order] % unit
        made[name] = (made[name] // unit * unit + rest).round(2)
    tables, _ = tables_of(original, made, reference if with_reference else None)
    found = between_fields(tables, tables.released)
    assert len(found.rows) > 0.8 * COUNT
    assert {one.split(" mod ")[0] for one in found.fields} <= set(AMOUNTS)
    honest, _ = tables_of(original, visits(5), reference if with_reference else None)
    assert not len(between_fields(honest, honest.released).rows)
