# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases of which the order of the records tells whose they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from _slips_people import Files, registered, three_of
from honest_files import Table, draw

from geoanon_qgis.core.microdata.release import anonymize

#: Fields that are true where nothing else is said.
_TRUE = ("sex", "job", "ill")


def ordered(rng: np.random.Generator, count: int) -> Files:
    """A true illness, all else swapped, in the order of the true income."""
    original, _, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    true = next(name for name, values in original.items() if len(np.unique(values)) == 2)
    made = anonymize(original, "spectral_swapping", rng).columns
    order = np.argsort(original["income"], kind="stable")
    released = {name: np.asarray(values)[rng.permutation(count)] for name, values in made.items()}
    return original, {**released, true: original[true][order]}, reference


def _in_order(rng: np.random.Generator, count: int, order, true: tuple[str, ...]) -> Files:
    """Other people's records but for some fields, which are true, in an order of the originals."""
    original, others, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    who = order(original)
    released = {name: one[: len(who)] for name, one in others.items()}
    return original, {**released, **{name: original[name][who] for name in true}}, reference


def few_lacking(rng: np.random.Generator, count: int) -> Files:
    """Sex, marital state and illness true, in the order of the file, twenty records left out."""
    kept = np.sort(rng.permutation(count)[:-20])
    return _in_order(rng, count, lambda table: kept, ("sex", "marital", "ill"))


def by_two(rng: np.random.Generator, count: int) -> Files:
    """A true illness and sex in the order of region and, in each, of income."""
    return _in_order(
        rng,
        count,
        lambda table: np.lexsort((table["income"], table["region"])),
        ("sex", "ill"),
    )


def off_by_one(rng: np.random.Generator, count: int) -> Files:
    """Sex, marital state and illness in the order of the file, whose first person stands at its end."""
    return _in_order(
        rng, count, lambda table: np.roll(np.arange(count), -1), ("sex", "marital", "ill")
    )


def by_region(rng: np.random.Generator, count: int) -> Files:
    """The same, sorted by region, and in each region as they stood."""
    return _in_order(
        rng,
        count,
        lambda table: np.argsort(table["region"], kind="stable"),
        ("sex", "marital", "ill"),
    )


def top_left_out(rng: np.random.Generator, count: int) -> Files:
    """The same in the order of incomes, of which the highest is left out."""
    return _in_order(
        rng,
        count,
        lambda table: np.argsort(table["income"], kind="stable")[:-1],
        ("sex", "marital", "ill"),
    )


def _registered_by(
    rng: np.random.Generator,
    count: int,
    order: Callable[[Table], np.ndarray],
    true: tuple[str, ...] = _TRUE,
    people: Callable[[np.random.Generator, int], Table] = registered,
) -> Files:
    """As many records of others as there are people, some fields true, in an order of the originals."""
    original, others, reference = three_of(people, rng, count)
    who = order(original)
    return original, {**others, **{name: original[name][who] for name in true}}, reference


def _by_turns(count: int, turns: int) -> np.ndarray:
    return np.argsort(np.arange(count) % turns, kind="stable")


def evens_first(rng: np.random.Generator, count: int) -> Files:
    """Sex, job and illness, the even rows of the file before the odd ones."""
    return _registered_by(rng, count, lambda table: _by_turns(count, 2))


def every_seventh(rng: np.random.Generator, count: int) -> Files:
    """The same and the region, every seventh row of the file, then every seventh from the next."""
    return _registered_by(rng, count, lambda table: _by_turns(count, 7), (*_TRUE, "region"))


def by_two_numbers(rng: np.random.Generator, count: int) -> Files:
    """The same without region, in the order of ages and, in each, of incomes."""
    return _registered_by(rng, count, lambda table: np.lexsort((table["income"], table["age"])))


def by_falling_income(rng: np.random.Generator, count: int) -> Files:
    """The same in the order of regions and, in each, of falling incomes."""
    return _registered_by(rng, count, lambda table: np.lexsort((-table["income"], table["region"])))


def by_quotient(rng: np.random.Generator, count: int) -> Files:
    """The same in the order of incomes divided by squared heights."""
    return _registered_by(
        rng,
        count,
        lambda table: np.argsort(table["income"] / table["height"] ** 2, kind="stable"),
    )


def by_sum(rng: np.random.Generator, count: int) -> Files:
    """The same and the region, in the order of ten times the age and the height."""
    return _registered_by(
        rng,
        count,
        lambda table: np.argsort(10 * table["age"] + table["height"], kind="stable"),
        (*_TRUE, "region"),
    )


def by_four(rng: np.random.Generator, count: int) -> Files:
    """The same in the order of region, in it of sex, of job, and of income."""
    return _registered_by(
        rng,
        count,
        lambda table: np.lexsort((table["income"], table["job"], table["sex"], table["region"])),
        (*_TRUE, "region"),
    )


def _in_hamlets(rng: np.random.Generator, count: int) -> Table:
    middle = rng.uniform(0, 20_000, (60, 2))[rng.integers(0, 60, count)]
    xy = (middle + rng.normal(0, 400, (count, 2))).round()
    return {"x": xy[:, 0], "y": xy[:, 1], **registered(rng, count)}


def _spread_bits(coordinate: np.ndarray) -> np.ndarray:
    """Sixteen bits of a coordinate, each at twice its place."""
    share = (coordinate - coordinate.min()) / (np.ptp(coordinate) + 1)
    whole = (share * 65_535).astype(np.int64)
    bits = [(whole >> at & 1) << 2 * at for at in range(16)]
    return np.sum(bits, axis=0)


def along_curve(rng: np.random.Generator, count: int) -> Files:
    """Sex, job and illness along Morton's curve through the homes."""
    return _registered_by(
        rng,
        count,
        lambda table: np.argsort(
            2 * _spread_bits(table["x"]) + _spread_bits(table["y"]), kind="stable"
        ),
        people=_in_hamlets,
    )


def tenth_exchanged(rng: np.random.Generator, count: int, true: tuple[str, ...] = _TRUE) -> Files:
    """Sex, job and illness in the order of the file, a tenth left out, and another tenth put in."""
    original, others, reference = three_of(registered, rng, count)
    kept = np.flatnonzero(rng.random(count) >= 0.1)
    at = np.sort(rng.permutation(count)[: len(kept)])
    released = {name: values.copy() for name, values in others.items()}
    for name in true:
        released[name][at] = original[name][kept]
    return original, released, reference


def tenth_of_two(rng: np.random.Generator, count: int) -> Files:
    """The same of sex and illness alone."""
    return tenth_exchanged(rng, count, ("sex", "ill"))
