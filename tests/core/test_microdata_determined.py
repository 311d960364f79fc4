# SPDX-License-Identifier: GPL-2.0-or-later
"""What follows from other fields is no second coincidence: found, and counted once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.microdata.determined import Values, determined, related
from geoanon_qgis.core.verdict import RELEASE_WITH_CARE
from tests.core.test_microdata_attacks import attacked

COUNT = 1_000


def values(column, is_number=True):
    codes = np.unique(column, return_inverse=True)[1]
    return Values(codes, np.asarray(column, dtype=float) if is_number else None)


def test_a_chapter_follows_from_a_code_and_a_price_from_two():
    rng = np.random.default_rng(1)
    code = rng.integers(0, 60, COUNT)
    days, own = rng.integers(1, 20, COUNT), rng.integers(0, 60, COUNT)
    rate = rng.permutation(500)[:60][code]
    fields = [
        values(code, False),
        values(code // 10, False),
        values(days),
        values(rate * days),
        values(own),
    ]
    assert determined(fields) == [3, 1]
    assert related(fields) == [[0, 1], [2], [3], [4]]


def test_amounts_follow_along_a_line_but_for_cents():
    rng = np.random.default_rng(2)
    net = np.exp(rng.normal(5, 1, COUNT)).round(2)
    tax = (0.19 * net).round(2)
    other = net + rng.normal(0, 5, COUNT).round(2)
    fields = [values(one) for one in (net, tax, net + tax, other)]
    assert related(fields) == [[0, 1, 2], [3]]


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_nothing_follows_from_what_has_nothing_to_do_with_it(seed):
    rng = np.random.default_rng(seed)
    fields = [
        values(rng.normal(size=300)),
        values(rng.integers(0, 50, 300)),
        values(rng.random(300) < 0.1, False),
        values(rng.choice(5, 300), False),
        values(np.zeros(300)),
    ]
    assert determined(fields) == [] and len(related(fields)) == 5


def pensions(rng, count):
    """Five amounts that follow from points."""
    born = rng.integers(1925, 1962, count)
    years = rng.integers(15, 45, count)
    points = (years * rng.gamma(8, 1 / 8, count)).round(3)
    month = (points * 37.6).round(2)
    made = {"born": born, "years": years, "points": points, "pension": month, "year": 12 * month}
    made |= {"health": (month * 0.073).round(2), "net": month - (month * 0.073).round(2)}
    made = {name: np.asarray(column, dtype=float) for name, column in made.items()}
    return made | {
        "sex": rng.choice(["f", "m"], count),
        "land": rng.choice([*"abcdefghijkl"], count),
    }


def discharges(rng, count):
    """A code, and what follows from it."""
    share = 1 / np.arange(1, 121) ** 1.1
    code = rng.choice(120, count, p=share / share.sum())
    weight = np.exp(np.random.default_rng(5).normal(0, 0.5, 120)).round(3)[code]
    days = 1 + rng.gamma(1.5, 3 * weight).round()
    made = {"weight": weight, "bill": (weight * 3671.5).round(2), "days": days}
    made |= {"per_day": (weight * 3671.5 / days).round(2), "age": rng.integers(18, 95, count) + 0.0}
    names = np.array([f"{'ACEFG'[at % 5]}{at}" for at in range(120)])
    return made | {"code": names[code], "chapter": np.array([*"ACEFG"])[code % 5]}


@pytest.mark.parametrize("make", [pensions, discharges])
def test_files_of_other_people_may_be_released(make):
    for seed in range(4):
        rng = np.random.default_rng([seed, 3])
        original, released, reference = (make(rng, COUNT) for _ in range(3))
        found, verdict = attacked(original, released, reference)
        assert verdict.decision == RELEASE_WITH_CARE, found.in_words()


def test_a_true_pension_is_still_found_beside_two_true_fields():
    """Points are other people's: what follows from them counts by itself where it is true."""
    rng = np.random.default_rng(7)
    original, released, reference = (pensions(rng, COUNT) for _ in range(3))
    for name in ("net", "born", "land", "years"):
        released[name][:200] = original[name][:200]
    found, _ = attacked(original, released, reference)
    listed = found.attacks.in_part.rows
    assert len(listed) > 100 and (listed < 200).mean() > 0.85
