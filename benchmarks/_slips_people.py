# SPDX-License-Identifier: GPL-2.0-or-later
"""People of files that were made to pass the verdict, and releases of some of their fields."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from honest_files import Table

PLACE = ("x", "y")
Files = tuple[Table, Table, Table]


def with_fields(rng: np.random.Generator, xy: np.ndarray) -> Table:
    count = len(xy)
    return {
        "x": xy[:, 0],
        "y": xy[:, 1],
        "age": rng.integers(0, 95, count).astype(float),
        "sex": rng.choice(["f", "m"], count),
        "job": rng.choice([*"abcd"], count, p=[1 / 6, 2 / 6, 2 / 6, 1 / 6]),
        "ill": rng.choice(["no", "yes"], count, p=[0.8, 0.2]),
        "income": np.exp(9 + rng.normal(0, 0.6, count)).round(-1),
    }


def in_villages(rng: np.random.Generator, count: int, farms: float = 0.3) -> Files:
    """Homes of one to four people in sixty villages and on farms, dealt out to three files."""
    homes = int(3.2 * count / 2.5)
    at = rng.uniform(0, 20_000, (60, 2))[rng.integers(0, 60, homes)]
    at += rng.normal(0, 150, at.shape)
    lonely = rng.random(homes) < farms
    at[lonely] = rng.uniform(0, 20_000, (lonely.sum(), 2))
    each, file = rng.integers(1, 5, homes), rng.integers(0, 3, homes)
    made = [np.repeat(at[file == one].round(), each[file == one], axis=0) for one in range(3)]
    return tuple(with_fields(rng, xy) for xy in made)  # type: ignore[return-value]


def in_hamlets(rng: np.random.Generator, count: int) -> Files:
    """Sixty hamlets of each file, of which no other file has anybody."""
    made, towns = [], rng.uniform(0, 20_000, (8, 2))
    for _ in range(3):
        middle = towns[rng.integers(0, 8, 60)]
        middle = np.repeat(middle + rng.normal(0, 700, middle.shape), count // 60, axis=0)
        made.append(with_fields(rng, (middle + rng.normal(0, 60, middle.shape)).round()))
    return tuple(made)  # type: ignore[return-value]


def places_of(table: Table) -> np.ndarray:
    return np.stack([table[name] for name in PLACE], axis=1)


def placed(table: Table, xy: np.ndarray) -> Table:
    """So many records of other people as there are places, with these."""
    count = min(len(xy), len(table["x"]))
    made = {name: values[:count] for name, values in table.items()}
    return {**made, **dict(zip(PLACE, xy[:count].T))}


def stays(rng: np.random.Generator, count: int) -> Table:
    """Days of patients: referred, admitted, discharged, and seen again."""
    admitted = 18_000 + rng.integers(0, 1096, count)
    discharged = admitted + 1 + rng.gamma(1.5, 6, count).astype(int)
    made = {
        "referred": admitted - 1 - rng.gamma(2, 15, count).astype(int),
        "admitted": admitted,
        "discharged": discharged,
        "seen": discharged + 30 + rng.gamma(2, 20, count).astype(int),
        "age": rng.integers(18, 95, count),
    }
    table: Table = {name: values.astype(float) for name, values in made.items()}
    return {
        **table,
        "sex": rng.choice(["f", "m"], count),
        "ill": rng.choice(["no", "yes"], count, p=[0.9, 0.1]),
    }


def in_any_order(rng: np.random.Generator, table: Table) -> Table:
    order = rng.permutation(len(next(iter(table.values()))))
    return {name: values[order] for name, values in table.items()}


def adults(rng: np.random.Generator, count: int) -> Table:
    """Age, sex, one of six jobs, and an illness that one in ten has."""
    return {
        "age": rng.integers(18, 95, count).astype(float),
        "sex": rng.choice(["f", "m"], count),
        "job": rng.choice([*"abcdef"], count),
        "ill": rng.choice(["no", "yes"], count, p=[0.9, 0.1]),
    }


def registered(rng: np.random.Generator, count: int) -> Table:
    """Adults with their region, income and height."""
    return {
        **adults(rng, count),
        "region": rng.choice([*"nesw"], count),
        "income": np.exp(rng.normal(8, 0.5, count)).round(-1),
        "height": rng.normal(170, 9, count).round(),
    }


def with_amounts(rng: np.random.Generator, count: int, several: int, digits: int = 0) -> Table:
    """Adults with amounts that go together."""
    wealth, made = rng.normal(size=count), adults(rng, count)
    for at in range(several):
        own = 0.6 * wealth + 0.8 * rng.normal(size=count)
        made[f"amount{at}"] = np.exp(6.5 + 0.3 * at + 0.8 * own).round(digits)
    return made


def three_of(
    people: Callable[[np.random.Generator, int], Table], rng: np.random.Generator, count: int
) -> Files:
    """Three files of other people each."""
    return people(rng, count), people(rng, count), people(rng, count)


def with_true(
    rng: np.random.Generator, original: Table, others: Table, true: Collection[str]
) -> tuple[Table, np.ndarray]:
    """Other people's records but for some fields, which are true, and whose; twenty are left out."""
    who = rng.permutation(len(original["ill"]))[:-20]
    released = {
        name: original[name][who] if name in true else values[: len(who)]
        for name, values in others.items()
    }
    return released, who
