# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases in which something of a person stands as it is: blanks, last digits, totals."""

from __future__ import annotations

import numpy as np
from _slips_people import Files, adults, in_any_order, three_of, with_amounts, with_true
from honest_files import Table, draw


def missing(rng: np.random.Generator, count: int) -> Files:
    """Which of 28 values a person lacks, beside anybody's values."""
    lacks = rng.random((3, count, 28)) < 0.1
    lacks[1] = rng.permutation(lacks[0])
    made = rng.normal(size=(3, count, 28)).round(3)
    made[lacks] = np.nan
    return tuple({f"v{at}": one[:, at] for at in range(28)} for one in made)  # type: ignore


def blanks(rng: np.random.Generator, count: int) -> Files:
    """A third of the records true but for one value that is not released."""
    original, others, reference = draw("mixed", count, int(rng.integers(1, 10**6)))
    true, lacks = rng.permutation(count)[: count // 3], rng.integers(0, len(original), count // 3)
    released = {}
    for at, (name, values) in enumerate(original.items()):
        text = values.dtype.kind not in "fiu"
        own = values[true].astype(object if text else float)
        own[lacks == at] = None if text else np.nan
        rest = others[name][len(true) :]
        released[name] = np.concatenate([own, rest.astype(own.dtype)])
    return original, in_any_order(rng, released), reference


def mixed_pairs(rng: np.random.Generator, count: int) -> Files:
    """Sums of two people, stretched so that variances and correlations stay."""
    load = rng.normal(size=(3, 8))
    made = rng.normal(size=(3, count, 3)) @ load + rng.normal(size=(3, count, 8))
    mean, order = made[0].mean(axis=0), rng.permutation(count)
    pairs = made[0] + made[0][np.roll(order, 1)][np.argsort(order)] - 2 * mean
    made[1] = rng.permutation(mean + pairs / np.sqrt(2))
    return tuple({f"v{at}": one[:, at].round(2) for at in range(8)} for one in made)  # type: ignore


def drawn_anew(rng: np.random.Generator, count: int) -> Files:
    """Ten times as many records as people, each field drawn from the values of the file by itself."""
    own, reference = (adults(rng, count) for _ in range(2))
    for table in (own, reference):
        for name, typical in (("rent", 700), ("bill", 300)):
            table[name] = rng.lognormal(np.log(typical), 0.5, count).round()
    drawn = {name: values[rng.integers(0, count, 10 * count)] for name, values in own.items()}
    return own, drawn, reference


def _with_true_illness(rng: np.random.Generator, count: int, several: int, digits: int = 0):
    """Files of people with amounts, a release of others' amounts with a true illness, whose, and the amounts."""
    original, others, reference = three_of(
        lambda rng, count: with_amounts(rng, count, several, digits), rng, count
    )
    released, who = with_true(rng, original, others, ("ill",))
    return original, released, reference, who, [f"amount{at}" for at in range(several)]


def cents(rng: np.random.Generator, count: int) -> Files:
    """Three amounts of other people with the true cents, and a true illness."""
    original, released, reference, who, names = _with_true_illness(rng, count, 3, 2)
    for name in names:
        released[name] = (np.floor(released[name]) + original[name][who] % 1).round(2)
    return original, released, reference


def _with_hours(rng: np.random.Generator, count: int) -> Table:
    """Adults with four times of the day in minutes."""
    made = {f"time{at}": rng.integers(300, 1380, count).astype(float) for at in range(4)}
    return {**made, **adults(rng, count)}


def minutes(rng: np.random.Generator, count: int) -> Files:
    """Four hours of other people with the true minutes, and a true illness."""
    original, others, reference = three_of(_with_hours, rng, count)
    released, who = with_true(rng, original, others, ("ill",))
    for name in (f"time{at}" for at in range(4)):
        released[name] = released[name] // 60 * 60 + original[name][who] % 60
    return original, released, reference


def total_kept(rng: np.random.Generator, count: int) -> Files:
    """Five amounts, dealt out anew under a total that is kept and not released; a true illness."""
    original, released, reference, who, names = _with_true_illness(rng, count, 5)
    total = np.sum([original[name][who] for name in names], axis=0)
    parts = np.floor(rng.dirichlet(np.full(5, 4.0), len(who)) * total[:, None])
    parts[:, 0] += total - parts.sum(axis=1)
    return original, {**released, **dict(zip(names, parts.T))}, reference


def noise_of_nothing(rng: np.random.Generator, count: int) -> Files:
    """Five amounts with noise that adds up to nothing: their total is true; so is an illness."""
    original, released, reference, who, names = _with_true_illness(rng, count, 5)
    true = np.stack([original[name][who] for name in names], axis=1)
    total, noise = true.sum(axis=1), rng.normal(size=true.shape)
    noise -= noise.mean(axis=1, keepdims=True)
    parts = np.maximum(np.round(true + 0.2 * total[:, None] * noise), 0)
    parts[:, -1] = np.maximum(parts[:, -1] + total - parts.sum(axis=1), 0)
    return original, {**released, **dict(zip(names, parts.T))}, reference
