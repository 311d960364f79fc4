# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on microdata: against direct loops and anonymeter, with planted leaks, and without any."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from geoanon_qgis.core.attacks.scoring import wilson as interval
from geoanon_qgis.core.microdata.attacks import singling, singling_several
from geoanon_qgis.core.microdata.attacks.absent import absent
from geoanon_qgis.core.microdata.attacks.battery import attack_release
from geoanon_qgis.core.microdata.attacks.in_part import in_part
from geoanon_qgis.core.microdata.attacks.inference import infer
from geoanon_qgis.core.microdata.attacks.knowledge import Knowledge, check, suppositions
from geoanon_qgis.core.microdata.attacks.linkability import link
from geoanon_qgis.core.microdata.attacks.membership import membership, membership_by_ratio
from geoanon_qgis.core.microdata.attacks.scoring import INFERENCE, Attack, level_of
from geoanon_qgis.core.microdata.attacks.sharing import Shared
from geoanon_qgis.core.microdata.attacks.table import Tables, agree, answers, sample
from geoanon_qgis.core.microdata.copies import refuse_the_same_people_changed, shared_people
from geoanon_qgis.core.microdata.digits import as_released
from geoanon_qgis.core.microdata.learning import learn_coding
from geoanon_qgis.core.microdata.prediction import leave_one_out_risk, prediction_risk
from geoanon_qgis.core.microdata.risk import disclosure_risk
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import Cancelled, InputError
from geoanon_qgis.core.verdict import (
    CANNOT_TELL,
    DO_NOT_RELEASE,
    LIMIT,
    RELEASE_WITH_CARE,
    judge,
)

PLACE = ("x", "y")


def population(count, seed, fields=8):
    """Two towns; what people have hangs on where they live, and on each other."""
    rng = np.random.default_rng([seed, 77])
    town = rng.random(count)[:, None] < 0.5
    xy = np.where(town, [529500, 181000], [532500, 183500]) + rng.normal(0, 800, (count, 2))
    east = (xy[:, 0] - 531000) / 2000
    age = np.clip(rng.normal(48 + 6 * east, 16), 18, 95).round()
    word = lambda true: np.where(true, "yes", "no").astype(object)  # noqa: E731
    made = {
        "x": xy[:, 0].round(),
        "y": xy[:, 1].round(),
        "age": age,
        "sex": rng.choice(["f", "m"], count).astype(object),
        "income": np.exp(10.2 + 0.3 * east + 0.008 * age + rng.normal(0, 0.4, count)).round(-1),
        "diabetes": word(rng.random(count) < 0.05 + 0.003 * (age - 18)),
        "rare": word(rng.random(count) < 0.02),
        "children": np.minimum(rng.poisson(1.1, count), 6).astype(float),
    }
    hidden = rng.normal(size=(count, 3))
    for at in range(fields):
        made[f"m{at}"] = (hidden[:, at % 3] + rng.normal(size=count)).round(2)
    return made


def swapped(table, true, seed=0):
    """Every column dealt out by itself, but those that stay together."""
    rng = np.random.default_rng(seed)
    count = len(table["x"])
    order = rng.permutation(count)
    return {k: v[order if k in true else rng.permutation(count)] for k, v in table.items()}


def attacked(original, released, reference=None, limit=LIMIT, **more):
    coding = learn_coding(original)
    before, after = coding.encode(original)[0], coding.encode(released)[0]
    others = None if reference is None else coding.encode(reference)[0]
    digits = as_released(coding, original, released, reference)
    found = disclosure_risk(before, after, others, variants=digits, blocks=coding.blocks)
    distances = found.measured.distance, found.reference.distance
    given = {"place": PLACE if "x" in original else (), **more}
    made = attack_release(coding, before, after, others, digits, distances, limit, **given)
    found = found.with_attacks(made)
    return found, judge(found.evidence, "whole_record", "which_record", limit)


def tables_of(original, released, reference=None):
    coding = learn_coding(original)
    before, after = coding.encode(original)[0], coding.encode(released)[0]
    others = None if reference is None else coding.encode(reference)[0]
    place = PLACE if "x" in original else ()
    return Tables(before, after, others, coding.variables, [(before, others)], place), coding


def few(rng, count, columns=4):
    """A small table of numbers, all different."""
    return {f"v{at}": rng.normal(size=count) for at in range(columns)}


# --- against direct loops -------------------------------------------------------------------------


def nearest(query, records, skip=None):
    away = ((records - query) ** 2).sum(axis=1)
    if skip is not None:
        away[skip] = np.inf
    return int(away.argmin())


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=20)
def test_inference_is_that_of_a_loop(seed, sampled):
    rng = np.random.default_rng(seed)
    original, released, other = few(rng, 30), few(rng, 25), few(rng, 20)
    tables, coding = tables_of(original, released, other if sampled else None)
    (found,) = infer(tables, Knowledge("v0 and v2", ("v0", "v2"), ("v3",)))
    known, near = [0, 2], 0.1
    right = [
        abs(tables.released[nearest(one[known], tables.released[:, known]), 3] - one[3]) <= near
        for one in tables.original
    ]
    assert (found.tried, found.right) == (30, sum(right))
    assert found.rows.tolist() in ([], np.flatnonzero(right).tolist())
    if sampled:
        people, pool = tables.reference, tables.released
        taken = [nearest(one[known], pool[:, known]) for one in people]
    else:
        people = pool = tables.original
        taken = [nearest(one[known], pool[:, known], at) for at, one in enumerate(people)]
    lucky = sum(abs(pool[taken, 3] - people[:, 3]) <= near)
    assert found.control_tried == len(people)
    assert found.control_right == lucky


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=20)
def test_linkability_is_that_of_a_loop(seed, sampled):
    rng = np.random.default_rng(seed)
    original, other = few(rng, 30), few(rng, 20)
    released = {
        name: np.append(values[:6], rng.normal(size=9)) for name, values in original.items()
    }
    tables, _ = tables_of(original, released, other if sampled else None)
    found = link(tables, ("v0", "v1"), ("v2", "v3"))
    a, b = [0, 1], [2, 3]
    pool = tables.released
    right = [nearest(p[a], pool[:, a]) == nearest(p[b], pool[:, b]) for p in tables.original]
    assert (found.tried, found.right) == (30, sum(right)) and sum(right) >= 6
    people, pool = tables.original, tables.original
    if sampled:
        people, pool = tables.reference, tables.released
    lucky = [
        nearest(p[a], pool[:, a], None if sampled else at)
        == nearest(p[b], pool[:, b], None if sampled else at)
        for at, p in enumerate(people)
    ]
    assert (found.control_tried, found.control_right) == (len(people), sum(lucky))


def test_of_records_alike_one_is_taken_by_chance():
    """Whoever is like five records in one file and like one of these in the other is found by 1."""
    original = {"a": [0.0] * 5 + [1.0] * 5, "b": list(np.arange(10.0) + 0.5)}
    tables, _ = tables_of(original, original)
    assert link(tables, ("a",), ("b",)).right == 10
    coarse = {"a": [0.0] * 5 + [1.0] * 5, "b": [0.0] * 5 + [1.0] * 5}
    tables, _ = tables_of(coarse, coarse)
    assert link(tables, ("a",), ("b",)).right == pytest.approx(2.0)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_singling_out_by_one_field_is_that_of_a_loop(seed):
    rng = np.random.default_rng(seed)
    draw = lambda n: {"a": rng.integers(0, 25, n) * 1.0, "b": rng.choice([*"pqrst"], n)}  # noqa: E731
    original, released, other = draw(30), draw(30), draw(30)
    original["b"][:5] = [*"pqrst"]
    tables, coding = tables_of(original, released, other)
    found, _ = singling.univariate(tables)
    records = [*zip(released["a"], released["b"])]
    for again, one in enumerate(found):  # records released once, and those released more than once
        tried, right, lucky = 0, 0, 0
        for variable in coding.variables:
            here, people, others = (
                answers(variable, some)
                for some in (tables.released, tables.original, tables.reference)
            )
            alone = [
                value
                for value in here
                if len({records[at] for at in np.flatnonzero(here == value)}) == 1
                and ((here == value).sum() > 1) == again
            ]
            alone = [*dict.fromkeys(alone)]
            tests = [lambda x, v=value: x == v for value in alone]
            if variable.name == "a":
                low, high = here.min(), here.max()
                tests += [lambda x, v=low: x <= v] * (low in alone)
                tests += [lambda x, v=high: x >= v] * (high in alone)
            tried += len(tests)
            right += sum(test(people).sum() == 1 for test in tests)
            lucky += sum(test(others).sum() == 1 for test in tests)
        assert (one.tried, one.right, one.control_right) == (tried, right, lucky)


def test_singling_out_by_several_fields_is_that_of_all_predicates(rng):
    """Of a small file all predicates are tried, each once; those of records alike by themselves."""
    draw = lambda n: {"a": rng.integers(0, 9, n) * 1.0, "b": rng.choice([*"pqr"], n)}  # noqa: E731
    original, released, other = draw(60), draw(12), draw(60)
    released = {name: np.append(values, values[:3]) for name, values in released.items()}
    tables, coding = tables_of(original, released, other)
    every = lambda matrix: [*zip(*(answers(one, matrix) for one in coding.variables))]  # noqa: E731
    records, people, others = (
        every(getattr(tables, o)) for o in ("released", "original", "reference")
    )
    number = [one.name for one in coding.variables].index("a")
    distinct = [*dict.fromkeys(records)]

    def said(record, of):
        column = [one[number] for one in distinct]
        low = sum(v <= record[number] for v in column) < sum(v >= record[number] for v in column)
        near = (lambda v: v <= record[number]) if low else (lambda v: v >= record[number])
        return [
            at
            for at, one in enumerate(of)
            if near(one[number]) and one[1 - number] == record[1 - number]
        ]

    expected = []
    for again in (False, True):
        some = [
            r for r in distinct if (records.count(r) > 1) == again and len(said(r, distinct)) == 1
        ]
        hits = [sum(len(said(r, of)) == 1 for r in some) for of in (people, others)]
        expected.append((len(some), *hits))
    found = singling_several.multivariate(tables)
    assert [(one.tried, one.right, one.control_right) for one in found] == [
        e for e in expected if e[0]
    ]
    assert len(found) == 2 and "more than once" in found[1].knows


def test_a_release_of_every_record_twice_singles_out(rng):
    """Whoever makes predicates sees that a record stands there twice."""
    original, other = few(rng, 150), few(rng, 150)
    released = {name: np.tile(values, 2) for name, values in original.items()}
    tables, _ = tables_of(original, released, other)
    by_one, by_several = singling.univariate(tables)[0], singling_several.multivariate(tables)
    assert by_one[0].tried == 0 and by_one[1].success == 1 and by_one[1].reach == 1
    assert [one.names for one in by_several] and all(one.success == 1 for one in by_several)
    assert max(one.excess()[1] for one in by_several) > LIMIT


def test_membership_is_that_of_a_loop(rng):
    original, other = few(rng, 200), few(rng, 300)
    released = {name: values + rng.normal(0, 0.05, 200) for name, values in original.items()}
    tables, _ = tables_of(original, released, other)
    away = lambda some: np.sqrt(  # noqa: E731
        ((some[:, None] - tables.released[None]) ** 2).mean(axis=2).min(axis=1)
    )
    found = membership(tables, away(tables.original), np.zeros(200))
    theirs = away(tables.reference)
    half = np.random.default_rng(0).permutation(300)
    limit = np.quantile(theirs[half[:150]], 0.05)
    assert found.right == (away(tables.original) < limit).sum() > 150
    assert (found.control_tried, found.control_right) == (150, (theirs[half[150:]] < limit).sum())


@pytest.mark.parametrize("sampled", [True, False])
def test_membership_by_likelihood_ratio_is_that_of_a_loop(rng, sampled):
    original, other = few(rng, 150), few(rng, 240)
    released = {name: values + rng.normal(0, 0.1, 150) for name, values in original.items()}
    tables, _ = tables_of(original, released, other if sampled else None)

    def away(some, pool):
        gaps = np.sqrt(((some[:, None] - pool[None]) ** 2).mean(axis=2))
        return np.where(gaps > 0, gaps, np.inf).min(axis=1)  # nobody is alike but oneself

    near = away(tables.original, tables.released)
    found = membership_by_ratio(tables, near)
    mixed = np.random.default_rng(14)
    if sampled:
        control = tables.reference[sample(240, 150, 15)]  # as many as there are people
        background = np.concatenate([tables.original, control])
        ratio = away(control, tables.released) / away(control, background)
    else:
        first, second, last = (
            tables.original[rows] for rows in np.array_split(mixed.permutation(150), 3)
        )
        background, ratio = tables.original, away(last, first) / away(last, second)
    half = np.random.default_rng(0).permutation(len(ratio))
    half, rest = half[: len(half) // 2], half[len(half) // 2 :]
    limit = np.quantile(np.log(ratio[half]), 0.05)
    mine = np.log(near / away(tables.original, background))
    assert found.right == (mine < limit).sum() > 60 and found.tried == 150
    assert found.rows.tolist() == np.flatnonzero(mine < limit).tolist()
    lucky = (np.log(ratio[rest]) < limit).sum()
    assert (found.control_tried, found.control_right) == (len(rest), lucky)


def test_the_likelihood_ratio_finds_who_is_near_where_nobody_is(rng):
    """Half of the people stand close together: by distance these alone are named."""
    spread = np.where(rng.random(900) < 0.5, 0.03, 1.0)[:, None]
    values = rng.normal(size=(900, 4)) * spread
    own, others = values[:300], values[300:]
    noisy = values[:300] + rng.normal(0, 0.3, (300, 4)) * spread[:300]
    named = lambda table: {f"v{at}": column for at, column in enumerate(table.T)}  # noqa: E731
    tables, coding = tables_of(named(own), named(noisy), named(others))
    measured = disclosure_risk(tables.original, tables.released, tables.reference)
    distances = measured.measured.distance, measured.reference.distance
    plain, ratio = membership(tables, *distances), membership_by_ratio(tables, distances[0])
    assert ratio.excess()[1] > 0.05 and ratio.excess()[0] > 2 * plain.excess()[0]


@pytest.mark.parametrize("kernels", [True, False])
def test_nothing_hangs_on_compiled_kernels(kernels, monkeypatch):
    original, released = population(300, 1), population(300, 2)
    if not kernels:
        monkeypatch.setattr(accel, "enabled", lambda: False)
    found, _ = attacked(original, released)
    figures = [(one.tried, one.right, one.control_right) for one in found.attacks.attacks]
    monkeypatch.setattr(accel, "enabled", lambda: not kernels)
    again, _ = attacked(original, released)
    assert figures == [(o.tried, o.right, o.control_right) for o in again.attacks.attacks]


# --- scores ---------------------------------------------------------------------------------------


@given(st.integers(0, 50), st.integers(1, 50))
def test_the_interval_is_scipys(right, tried):
    right = min(right, tried)
    ends = binomtest(right, tried).proportion_ci(0.95, "wilson")
    assert interval(right, tried) == pytest.approx((ends.low, ends.high), abs=1e-9)


def attack(right, tried, control, others, **more):
    return Attack(INFERENCE, "a", "b", tried, tried, right, others, control, 0.0, **more)


@given(st.integers(0, 400), st.integers(0, 400), st.floats(1, 4))
def test_what_is_found_lies_in_its_interval(right, control, z):
    one = attack(right, 400, control, 400)
    for share, low, high in (one.excess(), one.risk(), one.share(LIMIT, z)):
        assert 0 <= low <= share <= high <= 1
    if right <= control:
        assert one.excess()[0] == 0 and one.surely(z) == 0
    assert one.surely(z) >= one.surely(z + 1)


def test_intervals_hold_what_they_should(rng):
    inside, rounds = 0, 2000
    for _ in range(rounds):
        found, other = rng.binomial(400, 0.37), rng.binomial(300, 0.30)
        _, low, high = attack(found, 400, other, 300).excess()
        inside += low <= 0.07 <= high
    assert 0.93 <= inside / rounds <= 0.975


def test_the_rare_are_not_hidden_by_the_many():
    """All twenty who have it are found: 1 % of the people, and all of those nobody would guess."""
    one = attack(2000, 2000, 1960, 2000)
    assert one.excess()[2] < LIMIT
    assert one.is_sure(LIMIT, level_of(500)) and one.evidence(LIMIT, level_of(500)).low > LIMIT
    assert not attack(1970, 2000, 1960, 2000).is_sure(LIMIT, level_of(500))


def test_risks_are_those_of_anonymeter():
    evaluation = pytest.importorskip(
        "anonymeter.stats.confidence", reason="anonymeter is not installed"
    )
    for right, control in ((900, 300), (40, 30), (5, 0), (990, 0)):
        theirs = evaluation.EvaluationResults((1000, 1000, 800), right, 0, control)
        risk = theirs.risk()
        share, low, high = attack(right, 1000, control, 800).risk()
        assert (share, low, high) == pytest.approx((risk.value, *risk.ci), abs=1e-9)


def test_attacks_agree_with_anonymeter(monkeypatch):
    """Of the sample that ships; the benchmark compares more methods and more people."""
    here = importlib.util.find_spec("anonymeter") is not None
    python = os.environ.get("GEOANON_ANONYMETER", sys.executable if here else "")
    if not python:
        pytest.skip("GEOANON_ANONYMETER names no Python that has anonymeter")
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "benchmarks"))
    import anonymeter_agreement as agreement

    data = agreement.soho(1)
    halves = [["x", "y"], ["count", "pump", "far"]]
    for method in ("verbatim", "microaggregation"):
        released = agreement.released_by(method, data.original, 1)
        ours = agreement.ours(data, released, halves)
        theirs = agreement.theirs(python, data, released, halves, 1)
        assert set(ours) == set(theirs) and {"1 field", "5 fields", "linkability"} < set(ours)
        for name, (equal, as_run) in ours.items():
            assert not equal.apart(theirs[name][0]), (method, name)
            assert as_run.high >= theirs[name][1].low, (method, name)


def share(by_chance, people, limit=LIMIT, among=40):
    """An attack that is right of half of the people, and of so many more in a hundred of the file."""
    one = attack(people * (0.5 + by_chance), people, people * 0.5, people)
    return one.is_by_chance(limit, among), one.evidence(limit, level_of(among), among)


def test_the_worst_of_many_attacks_finds_some_by_chance():
    """Of 500 people up to three standard deviations; not above the limit, nor of too few people."""
    explained, found = share(0.07, 500)
    assert explained and found.high == LIMIT and found.share == pytest.approx(0.07)
    for found_by, people in ((0.07, 2000), (0.10, 500), (0.02, 200)):
        explained, found = share(found_by, people)
        assert not explained
    assert share(0.02, 200)[1].high > LIMIT and share(0.10, 500)[1].high > LIMIT
    # One attack alone has no luck to be the worst.
    assert not share(0.07, 500, among=1)[0]


def test_a_leak_well_beyond_the_limit_is_not_called_chance(rng):
    """What a release tells of 15 % of 500 people passes hardly ever; of none, nearly always."""
    passed = []
    for more in (0.0, 0.15):
        right, control = rng.binomial(500, 0.5 + more, 400), rng.binomial(500, 0.5, 400)
        highs = [
            attack(one, 500, two, 500).evidence(LIMIT, level_of(40), 40).high
            for one, two in zip(right.tolist(), control.tolist())
        ]
        passed.append(float(np.mean(np.array(highs) <= LIMIT)))
    assert passed[0] > 0.99 and passed[1] < 0.06


# --- planted leaks --------------------------------------------------------------------------------

ORIGINAL, REFERENCE = population(2000, 11), population(2000, 12)


def worst(found, kind):
    return found.attacks.of(kind)[0]


@pytest.mark.parametrize("reference", [REFERENCE, None], ids=["reference", "leave one out"])
@pytest.mark.parametrize("field", ["diabetes", "income", "rare", "m3"])
def test_true_places_and_one_true_field_must_not_be_released(reference, field):
    released = swapped(ORIGINAL, {*PLACE, field})
    found, verdict = attacked(ORIGINAL, released, reference)
    assert verdict.decision == DO_NOT_RELEASE and found.verdict == "inadequate"
    inference = worst(found, INFERENCE)
    assert found.attacks.figures(inference)[1] > 0.8
    assert {*PLACE} <= {*inference.names[0]} and inference.names[1] == (field,)
    assert inference.success > 0.97
    assert len(found.attacks.found) > 0.99 * 2000
    if reference is not None:  # by the paper's three measures nothing is seen of it
        assert found.measures_verdict != "inadequate"


def test_what_is_not_true_is_not_inferred():
    found, _ = attacked(ORIGINAL, swapped(ORIGINAL, set()), REFERENCE)
    assert all(found.attacks.figures(one)[2] < LIMIT for one in found.attacks.of(INFERENCE))


@pytest.mark.parametrize("reference", [REFERENCE, None], ids=["reference", "halves"])
def test_values_that_were_dealt_out_single_people_out(reference):
    found, verdict = attacked(ORIGINAL, swapped(ORIGINAL, set()), reference)
    alone = worst(found, "singling_out")
    assert verdict.decision == DO_NOT_RELEASE and found.attacks.beyond(alone)
    assert "a single field" in alone.knows
    income = ORIGINAL["income"]
    named = {(one.variable.name, one.highest): one.row for one in found.attacks.extremes}
    assert named[("income", True)] == income.argmax()
    said = next(one for one in found.attacks.extremes if one.variable.name == "income")
    assert "The lowest income that is released" in said.sentence


def test_one_row_is_listed():
    released = population(2000, 13)
    for name, values in released.items():
        values[700] = ORIGINAL[name][41]
    for reference in (REFERENCE, None):
        found, verdict = attacked(ORIGINAL, released, reference)
        assert verdict.decision == DO_NOT_RELEASE and found.exposed.verbatim[41]
        assert found.exposed.count == 1


def planted(rows, fields):
    """Other people; of some of their records some fields are an original's."""
    released = population(2000, 13)
    for name in fields:
        released[name][rows] = ORIGINAL[name][rows]
    return released


@pytest.mark.parametrize("sampled", [True, False])
@pytest.mark.parametrize(
    "rows, fields, names",
    [
        (np.arange(100), [*PLACE, "age", "sex", "income", "diabetes", "rare"], {"age", "income"}),
        (np.flatnonzero(ORIGINAL["rare"] == "yes")[:5], [*PLACE, "age", "sex", "rare"], {"rare"}),
        (np.arange(7, 27), ["m0", "m1", "m2", "m3", "m4", "m6"], {"m0", "m3"}),
        (np.arange(100), [*PLACE, "diabetes"], set(PLACE)),
    ],
    ids=["half of the fields", "a rare value", "no place", "places"],
)
def test_people_are_found_who_are_released_in_part(sampled, rows, fields, names):
    reference = REFERENCE if sampled else None
    tables, _ = tables_of(ORIGINAL, planted(rows, fields), reference)
    found = in_part(tables)
    assert set(rows) <= set(found.rows.tolist()) and len(found.rows) <= 1.2 * len(rows)
    assert names <= set(found.fields) and "released together" in found.sentence
    assert len(in_part(tables_of(ORIGINAL, population(2000, 13), reference)[0]).rows) == 0


def test_one_person_released_in_part_is_one_too_many():
    """By averages 100 of 2,000 passed; a single one decides, whatever the limit."""
    found, verdict = attacked(ORIGINAL, planted(np.arange(3), list(ORIGINAL)[:8]), REFERENCE)
    assert verdict.decision == DO_NOT_RELEASE and found.verdict == "inadequate"
    assert found.attacks.in_part.rows.tolist() == [0, 1, 2] and not found.exposed.any.any()


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=15)
def test_what_is_shared_is_that_of_a_loop(seed, sampled):
    """The best record of each person, by all pairs."""
    rng = np.random.default_rng(seed)
    draw = lambda n: {  # noqa: E731
        "a": rng.integers(0, 9, n) * 1.0,
        "b": rng.choice([*"pqrstuv"], n),
        "x": rng.integers(0, 4, n) / 8,
    }
    original, released, other = draw(40), draw(30), draw(20)
    tables, coding = tables_of(original, released, other)
    columns = {
        one.name: [
            answers(one, some) for some in (tables.original, tables.released, tables.reference)
        ]
        for one in coding.variables
    }
    own, people = (0, 2) if sampled else (1, 0)
    asked = (tables.original, None, tables.reference)[people]
    shared = Shared(tables, tables.original, tables.released, list(columns), own, asked)
    away, _ = shared.least(lambda fraction: None)
    for row, found in enumerate(away):
        best = 0.0
        for record in range(30):
            worth = 0.0
            for before, after, _ in columns.values():
                value = (before, after, _)[people][row]
                if after[record] == value:
                    has, each = (before == value).sum(), np.unique(before, return_counts=True)[1]
                    alike = 1 if each.mean() >= 1.5 and each.var() < each.mean() / 2 else 5
                    share = max(has - own + (has < alike or bool(own)), 1) / 40
                    worth += max(0.0, -np.log(5 * share))
            best = max(best, worth)
        assert found == pytest.approx(np.exp(-best))


@pytest.mark.parametrize("sampled", [True, False])
def test_members_are_found_where_distances_go_by_steps(sampled):
    """Others are the same as somebody too often: no distance is below that of one in twenty."""

    def draw(seed):
        rng = np.random.default_rng([seed, 3])
        likely = 0.05 + 0.4 * rng.random((300, 1))
        return {f"b{at}": np.where(rng.random(300) < likely[:, 0], "yes", "no") for at in range(14)}

    original, reference = draw(1), draw(3) if sampled else None
    for released, least, most in ((original, 0.1, 1.0), (draw(2), 0.0, 0.05)):
        tables, _ = tables_of(original, released, reference)
        near = prediction_risk(tables.original, tables.released).distance
        other = leave_one_out_risk(tables.original).distance
        both = membership(tables, near, other), membership_by_ratio(tables, near)
        assert least <= max(one.excess()[1] for one in both) <= most


@pytest.mark.parametrize("seed", [101, 202, 303])
def test_an_honest_sample_passes(seed):
    found, verdict = attacked(population(2000, seed), population(2000, seed + 1), REFERENCE)
    assert verdict.decision == RELEASE_WITH_CARE and found.verdict == "adequate"
    assert len(found.attacks.found) == 0


def test_of_too_few_people_nobody_can_tell():
    found, verdict = attacked(population(200, 51), population(200, 52), population(200, 53))
    assert verdict.decision == CANNOT_TELL and found.verdict == "undecided"


def test_copies_are_linked_and_taken_for_members():
    noise = np.random.default_rng(3)
    released = dict(ORIGINAL)
    for name in ("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7"):
        released[name] = ORIGINAL[name] + noise.normal(0, 0.05, 2000)
    found, verdict = attacked(ORIGINAL, released, REFERENCE)
    assert verdict.decision == DO_NOT_RELEASE
    for kind in ("linkability", "membership"):
        assert found.attacks.figures(worst(found, kind))[1] > 0.8


# --- what he knows --------------------------------------------------------------------------------


def test_adversaries_who_are_tried():
    tables, _ = tables_of(ORIGINAL, swapped(ORIGINAL, set()))
    tried = suppositions(tables)
    known = [one.known for one in tried]
    assert PLACE in known and ("age", "sex", "children") in known and ("income",) in known
    every = {one.name for one in tables.variables}
    assert set().union(*known) == every
    for one in tried:
        assert {*one.known} | {*one.wanted} == every and not {*one.known} & {*one.wanted}
    (one,) = suppositions(tables, ("age", "x", "y"), ("income",))
    assert one.known == ("age", "x", "y") and one.wanted == ("income",)
    assert str(one.title) == "age and the place"


@pytest.mark.parametrize(
    "known, secrets, said",
    [
        (["a"], ["a", "b"], "overlap: a"),
        (["q"], [], "not among the fields that are compared: q"),
        (["c"], [], "is the same for all originals: c"),
        ([], ["c"], "What he wants is the same"),
    ],
)
def test_what_nobody_can_know_is_refused(known, secrets, said):
    with pytest.raises(InputError, match=said):
        check(["a", "b", "c"], ["c"], known, secrets)


def test_fields_of_one_value_and_more_fields_than_records_are_told(rng):
    many = {f"v{at}": rng.normal(size=20) for at in range(25)}
    found, verdict = attacked({**many, "one": np.ones(20)}, {**many, "one": np.ones(20)})
    said = " ".join(map(str, found.attacks.remarks))
    assert "Of one value only" in said and "more columns of fields (26) than records (20)" in said
    single = {"v": rng.normal(size=50)}
    found, _ = attacked(single, few(rng, 50, 1) | {"v": rng.normal(size=50)})
    assert "were not tried: 1 field that" in " ".join(map(str, found.attacks.remarks))


def test_people_in_both_samples_are_found(rng):
    first, second = rng.normal(size=(300, 4)), rng.normal(size=(280, 4))
    assert not shared_people(first, second).any()
    second[5:25] = first[100:120]
    assert np.flatnonzero(shared_people(first, second)).tolist() == list(range(5, 25))
    assert not shared_people(first, first.copy()).any()  # refused elsewhere: no second sample
    coarse = rng.integers(0, 12, (2000, 2)) * 1.0
    for seed in range(5):
        other = np.random.default_rng(seed).integers(0, 12, (500, 2)) * 1.0
        assert not shared_people(coarse, other).any()


def test_a_reference_of_the_same_people_a_year_later_is_refused(rng):
    """Beside it 80 of 100 who are found by numbers with noise would be nobody."""
    original, others = (
        tables_of(ORIGINAL, REFERENCE)[0],
        tables_of(ORIGINAL, population(2000, 14))[0],
    )
    table, more = original.original, original.released
    told: list[float] = []
    refuse_the_same_people_changed(table, more, told.append)
    assert told == sorted(told) and 0 <= told[0] and told[-1] <= 1 and len(told) > 10
    refuse_the_same_people_changed(table, more[:300])
    refuse_the_same_people_changed(table, table)  # refused elsewhere, in other words
    refuse_the_same_people_changed(np.repeat(table[:400], 3, axis=0), more)
    for later in (table, table[rng.permutation(2000)[:1500]]):
        with pytest.raises(InputError, match="holds the original people, changed a little"):
            changed = later + rng.normal(0, 0.15, later.shape)
            refuse_the_same_people_changed(table, changed)
    few_of_them = np.concatenate([table[:200] + 0.1, others.released])  # are no such sample
    refuse_the_same_people_changed(table, few_of_them)
    half = np.concatenate([table[:1000] + rng.normal(0, 0.1, (1000, table.shape[1])), more[:1000]])
    with pytest.raises(InputError, match="holds the original people, changed a little"):
        refuse_the_same_people_changed(table, half)


def test_answers_that_are_missing_agree():
    nan = np.nan
    right = agree(np.array([nan, 1.0, nan, 1.05]), np.array([nan, nan, 1.0, 1.0]), 0.1)
    assert right.tolist() == [True, False, False, True]


def test_progress_rises_and_a_cancel_comes_through():
    original, released = population(400, 1), population(400, 2)
    told = []
    attacked(original, released, progress=told.append)
    assert told == sorted(told) and 0 <= told[0] and told[-1] <= 1 and len(told) > 50
    for stop in (0.1, 0.5, 0.9):

        def cancelled(fraction, stop=stop):
            if fraction > stop:
                raise Cancelled

        with pytest.raises(Cancelled):
            attacked(original, released, progress=cancelled)


def families(rng, count=200, of=5):
    """Families of one table: four numbers each family shares, but for a little."""
    own = lambda: rng.normal(size=count).repeat(of) + rng.normal(0, 0.02, of * count)  # noqa: E731
    return {f"v{at}": own() for at in range(4)}


def test_without_a_reference_uncertainty_decides_nothing():
    """The five best matches are one family of others; of one's own there are only four."""
    rng = np.random.default_rng(6)
    found, verdict = attacked(families(rng), families(rng))
    verdicts = {one.measure: one.verdict for one in found.comparisons}
    assert verdicts["uncertainty"] == "inadequate" and not found.uncertainty_counts
    assert verdicts["distance"] == "adequate" and not found.by_design
    assert verdict.decision != DO_NOT_RELEASE
    assert found.with_attacks(None).measures_verdict == "inadequate"


def test_without_a_reference_a_value_that_became_frequent_tells_of_nobody():
    """Who has the value is guessed as often as anybody; of her own record she is found still."""
    rng = np.random.default_rng(8)
    made = []
    for shares in ([0.2, 0.4, 0.4], [0.4, 0.3, 0.3]):
        table = {f"v{at}": rng.normal(size=2000).round(1) for at in range(4)}
        made.append({**table, "kind": rng.choice([*"abc"], 2000, p=shares).astype(object)})
    knowledge = Knowledge("v0 and v1", ("v0", "v1"), ("kind",))
    of_a = [one for one in infer(tables_of(*made)[0], knowledge) if "is a" in str(one.wants)]
    assert len(of_a) == 1 and of_a[0].success > 0.35
    assert abs(of_a[0].control - of_a[0].success) < 0.08 and of_a[0].excess()[1] == 0
    own = {**made[1], **{name: made[0][name] for name in ("v0", "v1")}}
    own["kind"] = np.where(rng.random(2000) < 0.25, "a", made[0]["kind"]).astype(object)
    true = [one for one in infer(tables_of(made[0], own)[0], knowledge) if "is a" in str(one.wants)]
    assert true[0].excess()[1] > 0.3


def test_values_that_a_release_lacks_tell_of_single_persons():
    """All ages but those of one person each: which are missing tells whose they are."""
    rng = np.random.default_rng(5)
    draw = lambda: {"age": rng.normal(50, 12, 400).round(), "z": rng.normal(size=400)}  # noqa: E731
    original, reference = draw(), draw()
    coding = learn_coding(original)
    coded = [coding.encode(one)[0] for one in (original, reference)]

    def found(ages):
        after = coding.encode({"age": ages, "z": rng.normal(size=400)})[0]
        return absent(Tables(coded[0], after, coded[1], coding.variables, [(coded[0], coded[1])]))

    values, count = np.unique(original["age"], return_counts=True)
    several = values[count > 1]
    avoided = several[np.abs(draw()["age"][:, None] - several).argmin(axis=1)]
    there = set(avoided)
    gaps = [v for v in np.arange(min(there), max(there)) if v not in there]
    gaps = [v for v in gaps if v - 1 in there and v + 1 in there]
    (one,) = found(avoided)
    assert one.tried == len(gaps)
    assert one.right == sum((original["age"] == v).sum() == 1 for v in gaps)
    assert one.control_right == sum((reference["age"] == v).sum() == 1 for v in gaps)
    assert sorted(original["age"][one.rows]) == [
        v for v in gaps if (original["age"] == v).sum() == 1
    ]
    # Values that go by no step have no gaps.
    assert found(rng.normal(50, 12, 400)) == []


# --- records with blanks ---------------------------------------------------------------------------


def with_blanks(table, seed=0, rows=slice(None)):
    """One value of each of some records is not released."""
    rng = np.random.default_rng(seed)
    made = {k: v.astype(object if v.dtype.kind == "O" else float) for k, v in table.items()}
    fields = [name for name in made if name not in PLACE]
    which = rng.integers(0, len(fields), len(table["age"]))
    for at, values in enumerate(made[name] for name in fields):
        lacks = np.flatnonzero(which == at)
        lacks = lacks[np.isin(lacks, np.arange(len(which))[rows])]
        values[lacks] = None if values.dtype.kind == "O" else np.nan
    return made


@pytest.mark.parametrize("true", [20, 300])
def test_a_blank_hides_nobody(true):
    """Of records that lack a value where no original does, all else is looked at."""
    original, others, reference = (population(600, seed) for seed in (31, 32, 33))
    fields = [name for name in original if name not in PLACE]
    own = with_blanks({name: original[name][:true] for name in fields})
    released = {name: np.concatenate([own[name], others[name][true:]]) for name in fields}
    found, verdict = attacked(
        {name: original[name] for name in fields}, released, {k: reference[k] for k in fields}
    )
    assert verdict.decision == DO_NOT_RELEASE
    listed = np.union1d(found.attacks.in_part.rows, np.flatnonzero(found.exposed.any))
    assert np.isin(np.arange(true), listed).mean() > 0.9
    assert (listed >= true).sum() <= 0.2 * true


def test_blanks_of_other_people_are_no_find():
    decisions = []
    for seed in range(40, 48):
        original, others, reference = (population(800, seed + by) for by in (0, 100, 200))
        decisions.append(attacked(original, with_blanks(others, seed), reference)[1].decision)
    assert decisions.count(DO_NOT_RELEASE) == 0 and decisions.count(RELEASE_WITH_CARE) >= 6


def test_a_field_that_is_withheld_altogether_is_to_be_left_out():
    original, others = (
        {name: population(100, seed)[name] for name in ("age", "sex", "diabetes")}
        for seed in (61, 62)
    )
    others["age"] = np.full(100, np.nan)
    with pytest.raises(InputError, match="a value in age"):
        attacked(original, others)


def test_records_that_were_not_looked_at_let_nobody_tell():
    original, others = population(400, 44), population(400, 45)
    found, verdict = attacked(original, others, population(400, 46))
    assert verdict.decision == RELEASE_WITH_CARE
    found = found.with_attacks(found.attacks, 3)
    verdict = judge(found.evidence, "whole_record", "which_record", LIMIT)
    assert verdict.decision == CANNOT_TELL and found.verdict == "undecided"


def test_fields_of_one_value_and_references_of_one_record_are_told():
    same = {"age": np.full(30, 5.0), "sex": np.array(["f"] * 30)}
    with pytest.raises(InputError, match="the same in every field"):
        attacked(same, same, same)
    rng = np.random.default_rng(1)
    three = [{"age": rng.normal(size=30), "sex": rng.choice(["f", "m"], 30)} for _ in "abc"]
    with pytest.raises(InputError, match="reference table has fewer than two"):
        attacked(*three[:2], {name: values[:1] for name, values in three[2].items()})
