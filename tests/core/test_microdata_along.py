# SPDX-License-Identifier: GPL-2.0-or-later
"""Records in an order of people lead to these, though some lack and others came in between."""

import time

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks import along as laying
from geoanon_qgis.core.microdata.attacks.along import along
from geoanon_qgis.core.microdata.attacks.paired import paired
from geoanon_qgis.core.runtime.errors import Cancelled
from tests.core.test_microdata_attacks import tables_of

COUNT = 300
ALL = np.arange(COUNT)


def people(seed, count=COUNT):
    """Fields that have nothing to do with each other."""
    rng = np.random.default_rng([seed, 41])
    return {
        "age": rng.integers(18, 95, count).astype(float),
        "sex": rng.choice(["f", "m"], count),
        "job": rng.choice([*"abcdef"], count),
        "ill": rng.choice(["no", "yes"], count, p=[0.8, 0.2]),
        "region": rng.choice([*"nesw"], count),
        "income": np.exp(rng.normal(8, 0.5, count)).round(-1),
    }


def rows(table, order):
    return {name: values[order] for name, values in table.items()}


def by(*fields):
    return lambda one: np.lexsort([one[name] for name in fields[::-1]])


def without(order, count, seed=5):
    return np.delete(order, np.random.default_rng(seed).choice(len(order), count, replace=False))


def others_between(order, count):
    """Some left out, and as many rows, -1, put in at other places."""
    kept = without(order, count)
    at = np.random.default_rng(6).choice(len(kept), count)
    return np.insert(kept, np.sort(at), -1)


ORIGINAL, OTHERS, REFERENCE = people(1), people(2), people(3)
INCOME, REGION, AGE = by("income")(ORIGINAL), by("region")(ORIGINAL), by("age")(ORIGINAL)
TEXT = np.array(sorted(range(COUNT), key=lambda at: str(at + 1)))
THREE = by("region", "sex", "income")(ORIGINAL)
LEAKS = {
    "one person lacks, another came to the end": (np.append(ALL[1:], -1), "sex job ill"),
    "the first ten lack": (np.append(ALL[10:], [-1] * 10), "sex job ill"),
    "from the end": (ALL[::-1], "sex job ill"),
    "numbers as text": (TEXT, "sex job ill"),
    "halves exchanged": (np.roll(ALL, COUNT // 2), "sex job ill"),
    "region, then as they stood": (REGION, "ill sex region"),
    "age, then as they stood": (AGE, "ill sex"),
    "age from above": (np.argsort(-ORIGINAL["age"], kind="stable"), "ill sex"),
    "region, sex, income": (THREE, "ill job"),
    "income without the first": (INCOME[:-1], "ill sex"),
    "income without some": (without(INCOME, 6), "ill sex job"),
    "income, five others first": (np.append([-1] * 5, INCOME[:-5]), "ill sex"),
    "a quarter lacks": (without(ALL, 75), "sex job ill"),
    "a tenth lacks, others between": (others_between(ALL, 30), "sex job ill"),
    "five lack, five others between": (others_between(ALL, 5), "sex job ill"),
    "twenty are not in the originals": (np.insert(ALL, np.arange(9, 300, 15), -1), "sex job ill"),
}


def released(order, fields):
    """Those fields of people in an order, where these are not others, and all else of others."""
    theirs = rows(OTHERS, np.arange(len(order)) % COUNT)
    true = {
        name: np.where(order < 0, theirs[name], ORIGINAL[name][order]) for name in fields.split()
    }
    return {**theirs, **true}


@pytest.mark.parametrize("leak", LEAKS)
def test_an_order_is_found_that_is_not_quite_that_of_the_people(leak):
    order, fields = LEAKS[leak]
    tables, _ = tables_of(ORIGINAL, released(order, fields), REFERENCE)
    pairings = list(along(tables))
    told = paired(tables, pairings)
    sure = {one.names[1][0] for one in told if one.is_sure(0.09, 3.0)}
    assert sure & {"ill", "job", "sex"} and sure <= set(fields.split())
    best = max(np.mean(order[one.records] == one.people) for one in pairings)
    assert best > 0.85
    for one in pairings:
        assert len(np.unique(one.people)) == len(one.people) == len(one.records)
        assert (np.diff(one.records) > 0).all()


@pytest.mark.parametrize("has_reference", [True, False])
def test_honest_lists_are_no_find(has_reference):
    for seed in range(20, 24):
        some = people(seed, COUNT - seed + 20)
        for key in ("income", "region", "age", None):
            both = [rows(one, by(key)(one)) if key else one for one in (ORIGINAL, some, REFERENCE)]
            tables, _ = tables_of(*both[:2], both[2] if has_reference else None)
            assert not paired(tables, list(along(tables)))


def test_lists_of_unlike_lengths_or_of_few_are_not_tried():
    assert not list(along(tables_of(ORIGINAL, rows(OTHERS, ALL[:70]), REFERENCE)[0]))
    assert not list(along(tables_of(*(rows(ORIGINAL, ALL[:30]) for _ in range(3)))[0]))


@pytest.mark.parametrize("seed", range(6))
def test_the_best_way_is_that_of_trying_all(seed):
    """Wherever both lists may have gaps, by the plain recursion in loops."""
    rng = np.random.default_rng(seed)
    of_people, of_records = rng.integers(12, 30, 2)
    mine, theirs = rng.normal(size=(of_people, 3)), rng.normal(size=(of_records, 3))
    few = min(of_people, of_records) - 4
    theirs[:few] = mine[2 : 2 + few] + 0.2 * rng.normal(size=(few, 3))
    weights = np.array([0.7, 0.5, 0.3])
    wide = int(of_people) + 5
    records, there = laying._sections(of_records, of_people, 100, 1, wide)
    some = mine[there] * (there >= 0)[..., None]
    ahead = laying._weighed_people(some, there, weights)
    behind = laying._weighed_records(theirs[records], weights)
    band = laying._Band.of(of_records, of_records, of_people, wide)
    section, record, person = band.path(ahead, behind)
    person = there[section, person]

    rest = 1 - weights**2
    worth = np.array(
        [
            [np.sum((weights * a * b - weights**2 * (a**2 + b**2) / 2) / rest) for b in theirs]
            for a in mine
        ]
    ) - 0.5 * np.sum(np.log(rest))
    best = np.zeros((of_records + 1, of_people + 1))
    for i in range(1, of_records + 1):
        best[i, 0] = best[i - 1, 0] - band.lone_record
        for j in range(1, of_people + 1):
            best[i, j] = max(
                best[i - 1, j - 1] + worth[j - 1, i - 1],
                best[i - 1, j] - band.lone_record,
                best[i, j - 1] - band.lone_person,
            )
    assert (np.diff(record) < 0).all() and (np.diff(person) < 0).all()
    lone = person.max() - person.min() + 1 - len(person), of_records - len(record)
    total = worth[person, record].sum() - lone[0] * band.lone_person - lone[1] * band.lone_record
    assert total == pytest.approx(best[-1].max(), abs=1e-3)


def test_parts_of_long_lists_are_laid_along_each_other(monkeypatch):
    """What is coded only where it is needed gives the same."""
    order = without(np.arange(2_400), 12)
    truth, theirs = people(1, 2_400), people(2, len(order))
    theirs = {**theirs, **{name: truth[name][order] for name in ("ill", "sex", "job")}}
    tables, _ = tables_of(truth, theirs, people(3, 2_400))
    monkeypatch.setattr(laying, "_LAY", (300, 4, 100))
    made = []
    for few in (50_000, 1_000):
        monkeypatch.setattr(laying, "_FEW", few)
        made.append(next(along(tables)))
    assert made[0].people.tolist() == made[1].people.tolist()
    assert 1_100 < len(made[0].people) <= 1_200
    assert (order[made[0].records] == made[0].people).mean() > 0.9


@pytest.mark.parametrize("limit", [0.0, 0.3, 0.6])
def test_a_cancel_is_heard(limit):
    tables, _ = tables_of(ORIGINAL, released(ALL[::-1], "sex job ill"), REFERENCE)
    told = []
    list(along(tables, lambda fraction: told.append((time.monotonic(), fraction))))
    assert np.diff([when for when, _ in told]).max() < 0.4
    fractions = [fraction for _, fraction in told]
    assert fractions == sorted(fractions) and 0 <= fractions[0] and fractions[-1] <= 1

    def stop(fraction):
        if fraction >= limit:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(along(tables, stop))
