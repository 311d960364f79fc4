# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases of true numbers and names that were changed by secrets of a person, a group or the file."""

from __future__ import annotations

import numpy as np
from _slips_people import Files, adults, stays, three_of, with_amounts, with_true
from honest_files import Table

_DATES = ("referred", "admitted", "discharged", "seen")
#: Clinics and regions that have a secret of their own each.
_GROUPS = np.array([*"abcdefghijklmnopqrst"])


def one_factor(rng: np.random.Generator, count: int) -> Files:
    """Amounts of a person, all times one secret number: their ratios are true."""
    base = rng.normal(9, 0.6, (3, count, 1)) + rng.normal(0, 0.3, (3, count, 4))
    ages = rng.integers(18, 95, (3, count)).astype(float)
    base[1] = rng.permutation(base[0]) + rng.normal(0, 0.5, (count, 1))
    return tuple(  # type: ignore[return-value]
        {"age": age, **{f"amount{at}": np.exp(one[:, at]).round(2) for at in range(4)}}
        for age, one in zip(ages, base)
    )


def dates_moved(rng: np.random.Generator, count: int, by: int = 91) -> Files:
    """Dates of a file, all moved by as many days, or each person's by her own; twenty are left out."""
    original, others, reference = (stays(rng, count) for _ in range(3))
    who = rng.permutation(count)[:-20]
    days = by or rng.integers(-180, 180, len(who))
    moved = {name: original[name][who] + days for name in list(original)[:4]}
    return original, {**{name: one[: len(who)] for name, one in others.items()}, **moved}, reference


def dates_each(rng: np.random.Generator, count: int) -> Files:
    """Each person's dates moved by days of her own, as is done to dates of patients."""
    return dates_moved(rng, count, 0)


def one_of_each(rng: np.random.Generator, count: int) -> Files:
    """Two dates moved by days of each person's own, and two amounts times her own factor."""
    made = []
    for _ in range(3):
        table = {
            name: one for name, one in stays(rng, count).items() if name not in ("referred", "seen")
        }
        usual = rng.normal(6.5, 0.5, count)
        for name in ("rent", "food"):
            table[name] = np.exp(usual + rng.normal(0, 0.6, count)).round()
        made.append(table)
    original, released, reference = made
    who, days = rng.permutation(count), rng.integers(-180, 181, count)
    factor = np.exp(rng.normal(0, 0.3, count))
    for name in ("admitted", "discharged"):
        released[name] = original[name][who] + days
    for name in ("rent", "food"):
        released[name] = (original[name][who] * factor).round(1)
    return original, released, reference


def dates_off_by_one(rng: np.random.Generator, count: int) -> Files:
    """Four dates by days of each person's own, each off by up to a day besides; a true illness."""
    original, others, reference = three_of(stays, rng, count)
    released, who = with_true(rng, original, others, ("ill",))
    days = rng.integers(-180, 181, len(who))
    for name in _DATES:
        released[name] = original[name][who] + days + rng.integers(-1, 2, len(who))
    return original, released, reference


def _numbers(rng: np.random.Generator, count: int) -> np.ndarray:
    """Fourteen numbers that go together by three tenths, of file, other people and reference."""
    common = rng.normal(size=(3, count, 1))
    return np.sqrt(0.3) * common + np.sqrt(0.7) * rng.normal(size=(3, count, 14))


def _table(values: np.ndarray) -> Table:
    return {f"v{at}": one for at, one in enumerate(values.T)}


def shifted_with_noise(rng: np.random.Generator, count: int) -> Files:
    """Six of fourteen readings shifted by one number of each person's own, with noise of a tenth besides."""
    original, released, reference = (50 + 10 * one for one in _numbers(rng, count))
    secret = rng.normal(0, 10, (count, 1)) + rng.normal(0, 1, (count, 6))
    released[:, :12:2] = original[:, :12:2] + secret
    original, released, reference = (one.round(2) for one in (original, released, reference))
    return _table(original), _table(released[rng.permutation(count)]), _table(reference)


def factor_with_noise(rng: np.random.Generator, count: int) -> Files:
    """Six of fourteen amounts times one number of each firm's own, each by a tenth more or less besides."""
    original, released, reference = np.exp(6 + 0.8 * _numbers(rng, count))
    secret = rng.normal(0, 0.4, (count, 1)) + rng.normal(0, 0.1, (count, 6))
    released[:, :12:2] = original[:, :12:2] * np.exp(secret)
    original, released, reference = (one.round(1) for one in (original, released, reference))
    return _table(original), _table(released[rng.permutation(count)]), _table(reference)


def date_by_clinic(rng: np.random.Generator, count: int) -> Files:
    """One date moved by days of its clinic, of twenty; clinic, sex and illness are true."""

    def patients(rng: np.random.Generator, count: int) -> Table:
        return {**stays(rng, count), "clinic": rng.choice(_GROUPS, count)}

    original, others, reference = three_of(patients, rng, count)
    days = rng.integers(-180, 181, len(_GROUPS))
    released, _ = with_true(rng, original, others, ("admitted", "clinic", "sex", "ill"))
    released["admitted"] += days[np.searchsorted(_GROUPS, released["clinic"])]
    return original, released, reference


def amounts_by_region(rng: np.random.Generator, count: int) -> Files:
    """Two amounts times a number of their region, of twenty; region and illness are true."""

    def people(rng: np.random.Generator, count: int) -> Table:
        return {**with_amounts(rng, count, 2), "region": rng.choice(_GROUPS, count)}

    original, others, reference = three_of(people, rng, count)
    factor = np.exp(rng.normal(0, 0.3, len(_GROUPS)))
    released, _ = with_true(rng, original, others, ("amount0", "amount1", "region", "ill"))
    for name in ("amount0", "amount1"):
        times = factor[np.searchsorted(_GROUPS, released["region"])]
        released[name] = (released[name] * times).round()
    return original, released, reference


def _with_times(rng: np.random.Generator, count: int) -> Table:
    """Adults with five days, one after the other."""
    day, made = 18_000.0 + rng.integers(0, 1000, count), adults(rng, count)
    for at in range(5):
        made[f"day{at}"] = day
        day = day + 1 + rng.gamma(1.5, 25, count).astype(int)
    return made


def times_stretched(rng: np.random.Generator, count: int) -> Files:
    """Five days of each person, shifted and stretched by two numbers of her own; a true illness."""
    original, others, reference = three_of(_with_times, rng, count)
    released, who = with_true(rng, original, others, ("ill",))
    shift, stretch = rng.normal(0, 200, len(who)), np.exp(rng.normal(0, 0.3, len(who)))
    first = original["day0"][who]
    for at in range(5):
        since = original[f"day{at}"][who] - first
        released[f"day{at}"] = (first + shift + since * stretch).round(2)
    return original, released, reference


def _with_readings(rng: np.random.Generator, count: int) -> Table:
    made = {f"reading{at}": rng.normal(50, 10, count).round(1) for at in range(5)}
    return {**made, **adults(rng, count)}


def names_exchanged(rng: np.random.Generator, count: int) -> Files:
    """Five true readings, each under the next one's name; a true illness."""
    original, others, reference = three_of(_with_readings, rng, count)
    released, who = with_true(rng, original, others, ("ill",))
    for at in range(5):
        released[f"reading{at}"] = original[f"reading{(at + 1) % 5}"][who]
    return original, released, reference


def complements(rng: np.random.Generator, count: int) -> Files:
    """Five readings as 100 less the value; a true illness."""
    original, others, reference = three_of(_with_readings, rng, count)
    released, who = with_true(rng, original, others, ("ill",))
    for at in range(5):
        released[f"reading{at}"] = (100 - original[f"reading{at}"][who]).round(1)
    return original, released, reference


def _with_categories(rng: np.random.Generator, count: int) -> Table:
    """Adults with five categories of ten values."""
    share = np.arange(10, 0, -1.0) ** 1.3
    names = [*"abcdefghij"]
    made = {f"kind{at}": rng.choice(names, count, p=share / share.sum()) for at in range(5)}
    return {**made, **adults(rng, count)}


def renamed(rng: np.random.Generator, count: int) -> Files:
    """Five true categories of ten values, which have secret names of each other; a true illness."""
    original, others, reference = three_of(_with_categories, rng, count)
    names, kinds = np.array([*"abcdefghij"]), [f"kind{at}" for at in range(5)]
    released, _ = with_true(rng, original, others, (*kinds, "ill"))
    for name in kinds:
        released[name] = rng.permutation(names)[np.searchsorted(names, released[name])]
    return original, released, reference
