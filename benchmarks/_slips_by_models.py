# SPDX-License-Identifier: GPL-2.0-or-later
"""Releases that are true in what several numbers make together, or of some people among strangers; and honest twins."""

from __future__ import annotations

import numpy as np
from _slips_people import Files, in_any_order, three_of
from honest_files import Table

from geoanon_qgis.core.microdata.release import anonymize

_LOADINGS = np.random.default_rng(0).normal(size=(4, 14))


def _readings(rng: np.random.Generator, count: int) -> Table:
    """Fourteen readings of four causes."""
    made = 50 + 6 * (rng.normal(size=(count, 4)) @ _LOADINGS + 0.8 * rng.normal(size=(count, 14)))
    return {f"v{at}": one.round(2) for at, one in enumerate(made.T)}


def _components(
    rng: np.random.Generator, count: int, kept: slice, noise: float, standardised: bool
) -> Files:
    original, _, reference = three_of(_readings, rng, count)
    matrix = np.stack([*original.values()], axis=1)
    mean, scale = matrix.mean(axis=0), matrix.std(axis=0) if standardised else np.ones(14)
    values = (matrix - mean) / scale
    axes = np.linalg.svd(values, full_matrices=False)[2].T
    along = values @ axes
    made = np.stack([rng.permutation(one) for one in along.T], axis=1)
    some = along[:, kept]
    made[:, kept] = some + noise * some.std(axis=0) * rng.normal(size=some.shape)
    released = (made @ axes.T * scale + mean).round(2)
    return original, in_any_order(rng, dict(zip(original, released.T))), reference


def first_components(rng: np.random.Generator, count: int) -> Files:
    """Four of fourteen principal components with noise of a tenth, the others dealt out."""
    return _components(rng, count, slice(0, 4), 0.1, True)


def first_in_units(rng: np.random.Generator, count: int) -> Files:
    """The same of numbers that were not standardised."""
    return _components(rng, count, slice(0, 4), 0.1, False)


def last_components(rng: np.random.Generator, count: int) -> Files:
    """The last six of fourteen components with noise of a tenth, the others dealt out."""
    return _components(rng, count, slice(8, 14), 0.1, True)


def _survey(rng: np.random.Generator, count: int) -> tuple[Table, np.ndarray, np.ndarray]:
    """Age, sex and job, what these let expect of six numbers, and how far people are from it."""
    age, sex = rng.normal(size=count), rng.choice(["f", "m"], count)
    job = rng.choice([*"abcdef"], count)
    usual = np.outer(age, [8, -4, 6, 3, -7, 5]) + np.outer(sex == "f", [6, 9, -3, 8, 2, -8])
    usual += np.outer(np.searchsorted([*"abcdef"], job) - 2.5, [3, -2, 4, 1, -3, 2])
    left = 8 * rng.normal(size=(count, 6)) + 4 * rng.normal(size=(count, 1))
    return {"age": (48 + 16 * age).round(1), "sex": sex, "job": job}, usual + 60, left


def residuals(rng: np.random.Generator, count: int) -> Files:
    """What is left of six numbers once age, sex and job are known, on those of other people."""
    (own, usual, left), (others, theirs, _), (rest, at_rest, over) = (
        _survey(rng, count) for _ in range(3)
    )
    left_noisy = left + 0.8 * rng.normal(size=left.shape)
    return tuple(  # type: ignore[return-value]
        in_any_order(rng, {**table, **{f"v{at}": one.round(1) for at, one in enumerate(made.T)}})
        for table, made in (
            (own, usual + left),
            (others, theirs + left_noisy),
            (rest, at_rest + over),
        )
    )


def _spending(rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray, Table]:
    """Five totals, how each is divided among three, and who people are."""
    totals = np.exp(6 + 0.3 * rng.normal(size=(count, 1)) + 0.5 * rng.normal(size=(count, 5)))
    people = {
        "age": rng.integers(18, 95, count).astype(float),
        "sex": rng.choice(["f", "m"], count),
    }
    return totals, rng.dirichlet(np.full(3, 1.5), (count, 5)), people


def _divided(totals: np.ndarray, shares: np.ndarray, people: Table) -> Table:
    amounts = np.maximum((totals[:, :, None] * shares).round(), 1).reshape(len(totals), 15)
    return {**people, **{f"amount{at:02d}": one for at, one in enumerate(amounts.T)}}


def totals_kept(rng: np.random.Generator, count: int) -> Files:
    """Five totals of a person, each a twentieth more or less, divided among three as another person's are."""
    (own, divided, people), (_, theirs, others), third = (_spending(rng, count) for _ in range(3))
    kept = own * np.exp(0.05 * rng.normal(size=own.shape))
    released = in_any_order(rng, _divided(kept, theirs, others))
    return _divided(own, divided, people), released, _divided(*third)


def spending_of_others(rng: np.random.Generator, count: int) -> Files:
    """Such amounts of other people."""
    return tuple(_divided(*_spending(rng, count)) for _ in range(3))  # type: ignore[return-value]


def off_their_line(rng: np.random.Generator, count: int) -> Files:
    """Four readings of five traits: how far each is from the person's own line, on a line of another's."""
    along = np.stack([np.ones(4), np.arange(4)], axis=1)
    line = along @ np.linalg.pinv(along)

    def some() -> np.ndarray:
        level, slope = rng.normal(size=(count, 5, 1)), 0.3 * rng.normal(size=(count, 5, 1))
        return 100 + 15 * (level + slope * np.arange(4) + 0.5 * rng.normal(size=(count, 5, 4)))

    own, others, rest = some(), some(), some()
    made = own - own @ line.T + others @ line.T + rng.normal(size=own.shape)
    names = [f"trait{at}_{year}" for at in range(5) for year in range(4)]
    original, released, reference = (
        dict(zip(names, one.reshape(count, 20).round(1).T)) for one in (own, made, rest)
    )
    return original, in_any_order(rng, released), reference


def _in_batches(rng: np.random.Generator, count: int, batches: int) -> Table:
    """Eight numbers, of which four go by the batch."""
    values = rng.normal(size=(count, 8))
    values[:, :4] += 3 * rng.normal(size=(batches, 4))[np.arange(count) * batches // count]
    return {f"v{at}": one.round(2) for at, one in enumerate(rng.permutation(values).T)}


def _some_among_strangers(rng: np.random.Generator, count: int, batches: int) -> Files:
    made = [_in_batches(rng, count, batches) for _ in range(3)]
    own, released, reference = made
    hers = np.arange(count) < 0.15 * count
    for name, values in own.items():
        noisy = values + rng.normal(0, 0.15 * values.std(), count)
        released[name] = np.where(hers, noisy, released[name]).round(2)
    return own, in_any_order(rng, released), reference


def among_four_batches(rng: np.random.Generator, count: int) -> Files:
    """One person in seven with noise of a seventh, among records of four other batches."""
    return _some_among_strangers(rng, count, 4)


def among_ten_batches(rng: np.random.Generator, count: int) -> Files:
    """The same of ten batches."""
    return _some_among_strangers(rng, count, 10)


def among_batches_alone(rng: np.random.Generator, count: int) -> tuple:
    """The same of ten batches, without a reference."""
    return (*_some_among_strangers(rng, count, 10)[:2], None)


def another_year(rng: np.random.Generator, count: int) -> Files:
    """The year stands in the tables; that of the reference is another one."""
    original, released, reference = three_of(_readings, rng, count)
    for table, year in ((original, 2025.0), (released, 2025.0), (reference, 2024.0)):
        table["year"] = np.full(count, year)
    return original, released, reference


def other_people(rng: np.random.Generator, count: int) -> Files:
    """The people of the reference are half a standard deviation higher in each number."""
    original, released, reference = three_of(_readings, rng, count)
    moved = {name: (one + 0.5 * one.std()).round(2) for name, one in reference.items()}
    return original, released, moved


def a_little_higher(rng: np.random.Generator, count: int) -> Files:
    """Eight numbers go together; the people of the reference are three tenths of a deviation higher in each."""
    relation = rng.normal(size=(8, 8))

    def some() -> Table:
        found = 10 + rng.normal(size=(count, 8)) @ relation
        return {f"v{at}": one.round(3) for at, one in enumerate(found.T)}

    original, released, reference = some(), some(), some()
    moved = {name: (one + 0.3 * one.std()).round(3) for name, one in reference.items()}
    return original, released, moved


def two_clinics(rng: np.random.Generator, count: int) -> Files:
    """Each file is of two clinics of its own, by which four of eight numbers go; of other people."""
    return tuple(_in_batches(rng, count, 2) for _ in range(3))  # type: ignore[return-value]


_OF_THREE = np.random.default_rng(3).normal(size=(3, 24)) * 0.5
_OF_REGIONS = np.random.default_rng(4).normal(size=(16, 24)) * 0.2
_OF_GROUPS = ("region", "sex", "agegroup")


def of_regions(rng: np.random.Generator, count: int, regions: int, numbers: int) -> Table:
    """Numbers of three causes, each a little higher or lower in a region, by sex and by age."""
    region, sex, age = (rng.integers(0, most, count) for most in (regions, 2, 3))
    values = rng.normal(size=(count, 3)) @ _OF_THREE[:, :numbers] + rng.normal(
        size=(count, numbers)
    )
    values += _OF_REGIONS[region, :numbers] + 0.2 * (sex + age)[:, None]
    return {
        "region": np.array([f"r{one:02d}" for one in region]),
        "sex": np.array(["f", "m"])[sex],
        "agegroup": np.array(["young", "middle", "old"])[age],
        **{f"v{at:02d}": (50 + 10 * one).round(1) for at, one in enumerate(values.T)},
    }


def _in_groups(table: Table, names: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Numbers, and the group of each record by some categories."""
    levels = np.stack([table[name] for name in names])
    values = np.stack([one for name, one in table.items() if name not in _OF_GROUPS], axis=1)
    return values, np.unique(levels, axis=1, return_inverse=True)[1].reshape(-1)


def _with_moments(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """Draw as many records, with their averages and covariances to the last digit."""
    drawn = rng.normal(size=values.shape)
    drawn = (drawn - drawn.mean(axis=0)) @ np.linalg.inv(np.linalg.cholesky(np.cov(drawn.T))).T
    return values.mean(axis=0) + drawn @ np.linalg.cholesky(np.cov(values.T)).T


def regions_apart(rng: np.random.Generator, count: int) -> Files:
    """24 numbers, in each of eight regions drawn with the averages and covariances of its people (MASS: empirical)."""
    original, reference = (of_regions(rng, 2 * count, 8, 24) for _ in range(2))
    values, region = _in_groups(original, ("region",))
    made = np.empty_like(values)
    for one in np.unique(region):
        here = values[region == one]
        made[region == one] = _with_moments(rng, here)
    numbers = [name for name in original if name not in _OF_GROUPS]
    released = {**original, **dict(zip(numbers, made.round(1).T))}
    return original, in_any_order(rng, released), reference


def regions_swapped(rng: np.random.Generator, count: int) -> Files:
    """Such people, in each region swapped spectrally by themselves."""
    original, reference = (of_regions(rng, 2 * count, 8, 24) for _ in range(2))
    made = []
    for one in np.unique(original["region"]):
        here = original["region"] == one
        some = {name: values[here] for name, values in original.items() if name != "region"}
        swapped = anonymize(some, "spectral_swapping", rng, rules="found").columns
        made.append({**swapped, "region": original["region"][here]})
    released = {name: np.concatenate([one[name] for one in made]) for name in original}
    return original, in_any_order(rng, released), reference


def strata_means(rng: np.random.Generator, count: int) -> Files:
    """Twenty numbers with the averages of each of 96 strata of region, sex and age, and covariances of all together."""
    original, reference = (of_regions(rng, 2 * count, 16, 20) for _ in range(2))
    values, stratum = _in_groups(original, _OF_GROUPS)
    middle = np.stack([values[stratum == one].mean(axis=0) for one in range(stratum.max() + 1)])
    spread = np.linalg.cholesky(np.cov((values - middle[stratum]).T)).T
    drawn = rng.normal(size=values.shape) @ spread
    for one in range(len(middle)):
        drawn[stratum == one] -= drawn[stratum == one].mean(axis=0)
    numbers = [name for name in original if name not in _OF_GROUPS]
    released = {**original, **dict(zip(numbers, (middle[stratum] + drawn).round(1).T))}
    return original, in_any_order(rng, released), reference


def regions_of_others(rng: np.random.Generator, count: int) -> Files:
    """Such numbers of other people of the same regions."""
    return tuple(of_regions(rng, 2 * count, 8, 24) for _ in range(3))  # type: ignore[return-value]
