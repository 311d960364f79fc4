# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases in which numbers are changed as is usual: classes, noise, zeros that stay; and honest twins."""

from __future__ import annotations

import numpy as np
from _slips_people import Files, in_any_order, three_of
from honest_files import Table


def _readings(rng: np.random.Generator, count: int) -> Table:
    """Ten readings that go together, age and sex."""
    shared = rng.normal(size=(count, 1))
    made = (50 + 6 * shared + 8 * rng.normal(size=(count, 10))).round(1)
    return {
        **{f"v{at}": one for at, one in enumerate(made.T)},
        "age": rng.integers(18, 95, count).astype(float),
        "sex": rng.choice(["f", "m"], count),
    }


def _class_of(values: np.ndarray, classes: int) -> np.ndarray:
    return np.searchsorted(np.quantile(values, np.arange(1, classes) / classes), values) + 1.0


def _in_classes(table: Table, classes: int) -> Table:
    return {
        name: _class_of(values, classes) if name[0] == "v" else values
        for name, values in table.items()
    }


def _beside_others(rng: np.random.Generator, others: Table, true: Table) -> Table:
    return in_any_order(rng, {**in_any_order(rng, others), **true})


def deciles(rng: np.random.Generator, count: int) -> Files:
    """The deciles of ten true readings, from 1 to 10; age and sex are other people's."""
    original, others, reference = three_of(_readings, rng, count)
    coded = _in_classes(original, 10)
    true = {name: one for name, one in coded.items() if name[0] == "v"}
    return original, _beside_others(rng, others, true), reference


def quintiles(rng: np.random.Generator, count: int) -> Files:
    """The quintiles of a whole file."""
    original, _, reference = three_of(_readings, rng, count)
    return original, in_any_order(rng, _in_classes(original, 5)), reference


def deciles_of_others(rng: np.random.Generator, count: int) -> Files:
    """Deciles of other people's readings."""
    original, others, reference = three_of(_readings, rng, count)
    return original, _in_classes(others, 10), reference


def _months(rng: np.random.Generator, count: int) -> Table:
    """Logarithms of what a household used in each of 24 months."""
    level, season = rng.normal(5.5, 0.5, (count, 1)), rng.normal(0, 0.15, (count, 1))
    drift = np.cumsum(rng.normal(0, 0.04, (count, 24)), axis=1)
    of_month = season * np.cos(np.arange(24) * np.pi / 6) + rng.normal(0, 0.05, (count, 24))
    made = (level + drift + of_month).round(4)
    return {f"month{at:02d}": one for at, one in enumerate(made.T)}


def noise_alike(rng: np.random.Generator, count: int) -> Files:
    """24 months with noise of their own covariances, as large as they are, variances kept (Kim 1986)."""
    original, _, reference = three_of(_months, rng, count)
    true = np.stack(list(original.values()), axis=1)
    noise = rng.multivariate_normal(np.zeros(24), np.cov(true.T), count)
    made = true.mean(axis=0) + (true - true.mean(axis=0) + noise) / np.sqrt(2)
    return original, in_any_order(rng, dict(zip(original, made.round(4).T))), reference


def months_of_others(rng: np.random.Generator, count: int) -> Files:
    """Months of other households."""
    return three_of(_months, rng, count)


def _sources(rng: np.random.Generator, count: int) -> Table:
    """Amounts from twenty sources, most of which most people do not have."""
    wealth = rng.normal(size=(count, 1))
    has = rng.random((count, 20)) < 1 / (1 + np.exp(0.2 * np.arange(20) - 1.2 - 0.5 * wealth))
    amounts = np.exp(5 + 0.4 * wealth + rng.normal(size=(count, 20))).round()
    return {f"source{at:02d}": one for at, one in enumerate(np.where(has, amounts, 0.0).T)}


def zeros_kept(rng: np.random.Generator, count: int) -> Files:
    """Twenty amounts of anybody's, but zero where they are."""
    original, others, reference = three_of(_sources, rng, count)
    made = {
        name: np.where(own > 0, rng.choice(others[name][others[name] > 0], count), 0.0)
        for name, own in original.items()
    }
    return original, in_any_order(rng, made), reference


def sources_of_others(rng: np.random.Generator, count: int) -> Files:
    """Amounts of other people."""
    return three_of(_sources, rng, count)


def with_noise(rng: np.random.Generator, count: int, fields: int, noise: float) -> Files:
    """Some of twenty numbers with noise, in standard deviations, all else of others."""
    made = rng.multivariate_normal(np.full(20, 50.0), 70 * np.eye(20) + 30, (3, count)).round(2)
    original, others, reference = ({f"v{at}": v for at, v in enumerate(one.T)} for one in made)
    true = {
        f"v{3 * at}": original[f"v{3 * at}"] + rng.normal(0, 10 * noise, count)
        for at in range(fields)
    }
    return original, _beside_others(rng, others, true), reference


def few_with_noise(rng: np.random.Generator, count: int) -> Files:
    """Five of twenty numbers with noise of a fifth of their standard deviations, all else of others."""
    return with_noise(rng, count, 5, 0.2)


def more_noise(rng: np.random.Generator, count: int) -> Files:
    """The same with noise of three tenths."""
    return with_noise(rng, count, 5, 0.3)


def seven_with_noise(rng: np.random.Generator, count: int) -> Files:
    """Seven of twenty numbers with noise of three tenths."""
    return with_noise(rng, count, 7, 0.3)


def half_of_each(rng: np.random.Generator, count: int) -> Files:
    """Eight of sixteen numbers of each record with noise of a fifth, others of each; all else of others."""
    made = rng.multivariate_normal(np.full(16, 50.0), 70 * np.eye(16) + 30, (3, count))
    original, others, reference = (
        {f"v{at}": v.round(2) for at, v in enumerate(one.T)} for one in made
    )
    hers = rng.random((16, count)).argsort(axis=0) < 8
    noise = rng.normal(0, 2, (16, count))
    true = {
        name: np.where(hers[at], original[name] + noise[at], others[name]).round(2)
        for at, name in enumerate(original)
    }
    return original, _beside_others(rng, others, true), reference


def two_and_five(rng: np.random.Generator, count: int) -> Files:
    """Two categories of one person, and five of fourteen numbers of another with noise of a fifth."""
    made = rng.multivariate_normal(np.full(14, 50.0), 70 * np.eye(14) + 30, (3, count)).round(2)
    files = [{f"v{at}": v for at, v in enumerate(one.T)} for one in made]
    for table in files:
        for name in ("job", "town"):
            table[name] = rng.choice([*"abcdefghijklmnop"], count)
    original, others, reference = files
    theirs = rng.permutation(count)
    true = {name: original[name][theirs] for name in ("job", "town")}
    for at in range(0, 15, 3):
        true[f"v{at}"] = original[f"v{at}"] + rng.normal(0, 2, count)
    return original, _beside_others(rng, others, true), reference


def _of_sixteen(rng: np.random.Generator, count: int, block: int = 0) -> np.ndarray:
    """Sixteen numbers that go together by three tenths, some by nine tenths, of three files."""
    common, own = rng.normal(size=(3, count, 2)), rng.normal(size=(3, count, 16))
    much = np.arange(16) < block
    share = np.where(much, 0.9, 0.3)
    return 50 + 10 * (np.sqrt(share) * common[..., (~much).astype(int)] + np.sqrt(1 - share) * own)


def _with_changed(rng: np.random.Generator, made: np.ndarray, changed: np.ndarray) -> Files:
    """Files of which the first columns of the release are changed, in any order."""
    made[1][:, : changed.shape[1]] = changed
    original, others, reference = (
        {f"v{at}": v for at, v in enumerate(one.round(2).T)} for one in made
    )
    return original, in_any_order(rng, others), reference


def third_with_noise(rng: np.random.Generator, count: int) -> Files:
    """Six of sixteen numbers with noise of a fifth, in every third record; all else of others."""
    made, third = _of_sixteen(rng, count), np.arange(count)[:, None] % 3 == 0
    noisy = made[0][:, :6] + rng.normal(0, 2, (count, 6))
    return _with_changed(rng, made, np.where(third, noisy, made[1][:, :6]))


def each_by_chance(rng: np.random.Generator, count: int) -> Files:
    """Of eight of sixteen numbers each value is, by chance, a person's with noise of a tenth, or anybody's."""
    made = _of_sixteen(rng, count)
    noisy = made[0][:, :8] + rng.normal(0, 1, (count, 8))
    return _with_changed(rng, made, np.where(rng.random((count, 8)) < 0.5, noisy, made[1][:, :8]))


def block_with_noise(rng: np.random.Generator, count: int) -> Files:
    """Seven of sixteen numbers, which go together by nine tenths, with noise of a quarter."""
    made = _of_sixteen(rng, count, 7)
    return _with_changed(rng, made, made[0][:, :7] + rng.normal(0, 2.5, (count, 7)))


def batches_of_others(rng: np.random.Generator, count: int) -> Files:
    """Ten batches of each file's own, which six of twelve readings go by; of other people."""

    def some(rng: np.random.Generator, count: int) -> Table:
        values = rng.normal(size=(count, 12))
        values[:, :6] += 3 * rng.normal(size=(10, 6))[np.arange(count) * 10 // count]
        return {f"v{at}": one.round(3) for at, one in enumerate(rng.permutation(values).T)}

    return three_of(some, rng, count)


def codes_cut_short(rng: np.random.Generator, count: int) -> Files:
    """Codes of other people's illnesses, jobs and towns, cut to their chapters."""

    def some(rng: np.random.Generator, count: int) -> Table:
        often = 1 / np.arange(1, 241) ** 1.1
        return {
            "age": rng.integers(18, 95, count).astype(float),
            "ill": np.array([f"{'EJMF'[at % 4]}{at // 10:02d}.{at % 10}" for at in range(240)])[
                rng.choice(240, count, p=often / often.sum())
            ],
            "job": np.array([f"{at:03d}" for at in rng.integers(100, 560, count)]),
            "town": np.array([f"8{at:04d}" for at in rng.integers(0, 300, count) * 7]),
            "weight": rng.normal(75, 13, count).round(1),
        }

    original, others, reference = three_of(some, rng, count)
    for name, digits in (("ill", 3), ("job", 2), ("town", 3)):
        others[name] = np.array([one[:digits] for one in others[name]])
    return original, others, reference


def sums_of_amounts(rng: np.random.Generator, count: int) -> Files:
    """Six amounts with heavy tails, many of them nothing, and their sum; of other people."""

    def some(rng: np.random.Generator, count: int) -> Table:
        amounts = (500 * rng.pareto(1.3, (count, 6))).round(-1)
        amounts[rng.random((count, 6)) < 0.4] = 0.0
        made = {f"amount{at}": one for at, one in enumerate(amounts.T)}
        return {**made, "all": amounts.sum(axis=1), "sex": rng.choice(["f", "m"], count)}

    return three_of(some, rng, count)
