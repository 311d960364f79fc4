# SPDX-License-Identifier: GPL-2.0-or-later
"""Honest files that were refused, or left open, when they were found: hamlets, schools, blanks."""

from __future__ import annotations

import numpy as np
from _slips_people import PLACE, Files, in_hamlets, stays, with_fields
from honest_files import draw

from geoanon_qgis.core.microdata.release import anonymize


def hamlets(rng: np.random.Generator, count: int) -> Files:
    """Files of which each has hamlets of its own, as cluster samples have."""
    return in_hamlets(rng, count)


def hamlets_swapped(rng: np.random.Generator, count: int) -> Files:
    """The same, the file's own records swapped spectrally."""
    original, _, reference = in_hamlets(rng, count)
    made = anonymize(original, "spectral_swapping", rng, place=PLACE).columns
    return original, {name: np.asarray(one) for name, one in made.items()}, reference


def villages_as_places(rng: np.random.Generator, count: int) -> Files:
    """Forty places in all."""
    middle, share = rng.uniform(0, 20_000, (40, 2)).round(), rng.gamma(1.0, 1.0, 40)
    homes = rng.choice(40, (3, count), p=share / share.sum())
    return tuple(with_fields(rng, middle[one]) for one in homes)  # type: ignore[return-value]


def small_reference(rng: np.random.Generator, count: int) -> Files:
    """Six of ten people in the reference."""
    original, released, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    return original, released, {name: one[: 6 * count // 10] for name, one in reference.items()}


def large_release(rng: np.random.Generator, count: int) -> Files:
    """Three times as many records as people."""
    seed = int(rng.integers(1, 10**6))
    original, released, reference = draw("mixed", count, seed)
    more = [released, *draw("mixed", count, seed + 1)[1:]]
    together = {name: np.concatenate([one[name] for one in more]) for name in released}
    return original, together, reference


def schools(rng: np.random.Generator, count: int) -> Files:
    """25 pupils of each of the same schools in each file."""
    middle = rng.uniform(0, 20_000, (count // 25, 2)).round()
    made = [with_fields(rng, rng.permutation(np.repeat(middle, 25, axis=0))) for _ in range(3)]
    return tuple(made)  # type: ignore[return-value]


def on_a_grid(rng: np.random.Generator, count: int) -> Files:
    """Whole households of a town, their places rounded to 100 m; the file's own records swapped."""
    homes = int(3.2 * count / 2.5)
    at = (rng.normal(0, 1500, (homes, 2)) / 100).round() * 100
    each, file = rng.integers(1, 5, homes), rng.integers(0, 3, homes)
    original, _, reference = (
        with_fields(rng, np.repeat(at[file == one], each[file == one], axis=0)) for one in range(3)
    )
    kinds = dict.fromkeys(PLACE, "continuous")
    made = anonymize(original, "spectral_swapping", rng, kinds=kinds, place=PLACE).columns
    return original, {name: np.asarray(one) for name, one in made.items()}, reference


def daily(rng: np.random.Generator, count: int) -> Files:
    """Three patients come every day, and every file is in the order of days."""
    day = np.repeat(np.arange(-(-count // 3)), 3)[:count]
    made = []
    for _ in range(3):
        table = {
            name: one for name, one in stays(rng, count).items() if name in ("age", "sex", "ill")
        }
        made.append({"day": 18_000.0 + day, "weekday": np.array([*"abcdefg"])[day % 7], **table})
    return tuple(made)  # type: ignore[return-value]


def _of_numbers(rng: np.random.Generator, count: int, lacking: np.ndarray) -> Files:
    """Ten numbers that go together, age and sex; where they lack."""
    made = []
    for lacks in lacking:
        common = rng.normal(size=(count, 1))
        numbers = (50 + 5 * common + 10 * rng.normal(size=(count, 10))).round(1)
        numbers[lacks] = np.nan
        table = {f"v{at}": one for at, one in enumerate(numbers.T)}
        age, sex = rng.integers(18, 90, count).astype(float), rng.choice(["f", "m"], count)
        made.append({**table, "age": age, "sex": sex.astype(object)})
    return tuple(made)  # type: ignore[return-value]


def rare_blanks(rng: np.random.Generator, count: int) -> Files:
    """One in a thousand lacks each of ten numbers."""
    return _of_numbers(rng, count, rng.random((3, count, 10)) < 0.001)


def few_asked(rng: np.random.Generator, count: int) -> Files:
    """A section of six numbers that one in a hundred were not asked."""
    lacking = np.zeros((3, count, 10), dtype=bool)
    lacking[:, :, :6] = (rng.random((3, count)) < 0.01)[:, :, None]
    return _of_numbers(rng, count, lacking)
