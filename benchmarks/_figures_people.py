# SPDX-License-Identifier: GPL-2.0-or-later
"""People for the figures of the page on microdata: with several records, with many fields, and maps of homes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from honest_files import Table, categories


def visits(rng: np.random.Generator, people: int, each: int = 3) -> tuple[Table, np.ndarray]:
    """So many visits of each person, and whose they are: some fields stay, others change."""
    of = np.repeat(np.arange(people), each)
    age, height = np.clip(rng.normal(48, 16, people), 18, 95), rng.normal(172, 9, people).round(1)
    ill, base = rng.random(people) < 0.05 + 0.004 * (age - 18), rng.normal(size=(people, 2))
    sex, job = rng.choice(["f", "m"], people), rng.choice([*"abc"], people)
    weight = height[of] - 100 + 8 * base[of, 0] + rng.normal(0, 1.5, len(of))
    pressure = 110 + 0.5 * age[of] + 9 * base[of, 1] + rng.normal(0, 8, len(of))
    table = {
        "age": (age[of] + rng.integers(0, 3, len(of))).round(),
        "sex": sex[of],
        "height": height[of],
        "ill": np.where(ill[of], "yes", "no"),
        "job": job[of],
        "weight": weight.round(1),
        "pressure": pressure.round(),
        "month": rng.integers(1, 13, len(of)).astype(float),
    }
    return table, of


def incomes(rng: np.random.Generator, count: int) -> Table:
    """Nine numbers and two categories that have little to do with each other."""
    table: Table = {f"pay{at}": rng.gamma(2, 500, count).round(1) + 1 for at in range(5)}
    table |= {f"score{at}": rng.uniform(1, 1000, count).round() for at in range(4)}
    return table | {f"kind{at}": rng.choice([*"pqrs"], count) for at in range(2)}


def answers(rng: np.random.Generator, count: int) -> Table:
    """Eight categories that hang together, age and income."""
    questions = categories(rng, np.random.default_rng(1), count)
    return {
        **dict(list(questions.items())[:8]),
        "age": rng.uniform(18, 90, count).round(),
        "income": np.exp(7 + 0.6 * rng.normal(size=count)).round(),
    }


def _streets(rng: np.random.Generator) -> np.ndarray:
    """Streets 90 m apart, with houses every 20 m on both sides."""
    at, side, street = np.meshgrid(np.arange(75) * 20.0, [0.0, 15.0], np.arange(15) * 90.0)
    return np.stack([at, street + side], axis=-1).reshape(-1, 2)


def _grid(rng: np.random.Generator) -> np.ndarray:
    """A town, rounded to 50 m."""
    return np.unique((rng.normal(0, 1000, (9000, 2)) / 50).round() * 50, axis=0)


def _plan(rng: np.random.Generator, doors: np.ndarray, turned: bool) -> np.ndarray:
    """One plan at a hundred places, turned or not."""
    turns = np.exp(1j * rng.uniform(0, 2 * np.pi, 100)) if turned else np.ones(100)
    corners = rng.uniform(0, 6000, (100, 2)) @ [1, 1j]
    at = turns[:, None] * (doors @ [1, 1j]) + corners[:, None]
    return np.stack([at.real, at.imag], axis=-1).reshape(-1, 2).round(1)


def _blocks(rng: np.random.Generator) -> np.ndarray:
    """Blocks of flats with twenty doors, 6 m apart."""
    return _plan(rng, np.stack([np.arange(20) * 6.0, np.zeros(20)], axis=1), True)


def _estates(rng: np.random.Generator) -> np.ndarray:
    """Estates of one plan, which chance drew."""
    return _plan(rng, rng.uniform(0, 200, (20, 2)), False)


def _villages(rng: np.random.Generator) -> np.ndarray:
    """Sixty villages."""
    middle = rng.uniform(0, 20_000, (60, 2))[rng.integers(0, 60, 2500)]
    return (middle + rng.normal(0, 150, middle.shape)).round()


def _anywhere(rng: np.random.Generator) -> np.ndarray:
    """Homes anywhere."""
    return rng.uniform(0, 10_000, (2500, 2)).round()


#: Draw all homes of a place.
MAPS: tuple[Callable[[np.random.Generator], np.ndarray], ...] = (
    _streets,
    _grid,
    _blocks,
    _estates,
    _villages,
    _anywhere,
)
