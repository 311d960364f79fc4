# SPDX-License-Identifier: GPL-2.0-or-later
"""Made-up records for real regions: the recipe of the published tests (Croft 2015, 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.wording import mark

#: Residents of a region in the published tests (a dissemination area's target).
POPULATION = (400, 700)
_CHUNK = 500_000


@dataclass(frozen=True)
class Chunk:
    """Some records, in the order of their regions.

    Attributes
    ----------
    region : (m,) int32 array
        Row of each record's region.
    codes : tuple of q (m,) uint16 arrays
        Category of each record in each quasi-identifier.
    """

    region: np.ndarray
    codes: tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Recipe:
    """What the records are made from; made by :func:`recipe`.

    Attributes
    ----------
    names : tuple of str
        Quasi-identifiers.
    groups : tuple of str
        Groups of regions with the same shares (provinces).
    cumulated : tuple of q (groups, categories) arrays
        Cumulated shares, the last of each row 1.
    population : (int, int)
        Fewest and most residents of a region, both included.
    """

    names: tuple[str, ...]
    groups: tuple[str, ...]
    cumulated: tuple[np.ndarray, ...]
    population: tuple[int, int]

    @property
    def categories(self) -> tuple[int, ...]:
        """Declared response categories of each quasi-identifier."""
        return tuple(table.shape[1] for table in self.cumulated)


def recipe(
    shares: Mapping[str, Mapping[str, Sequence[float]]],
    names: Sequence[str] | None = None,
    population: tuple[int, int] = POPULATION,
) -> Recipe:
    """Check a table of shares.

    Parameters
    ----------
    shares : mapping of group to mapping of quasi-identifier to sequence of float
        Shares or counts of the categories, all groups with the same ones. They are scaled to
        add up to one: published shares are rounded.
    names : sequence of str, optional
        Quasi-identifiers to make; all of the first group by default.
    population : (int, int)
        Fewest and most residents of a region.

    Raises
    ------
    InputError
        For missing quasi-identifiers, groups that disagree on the number of categories,
        negative shares, shares that are all zero, and a population that is none.
    """
    if not shares:
        raise InputError("The table of category shares is empty.")
    groups = tuple(shares)
    names = tuple(shares[groups[0]] if names is None else names)
    if not names:
        raise InputError("Choose at least one quasi-identifier to make.")
    low, high = population
    if not 0 <= low <= high or high < 1:
        raise InputError(
            "A population from {low} to {high} is none: give whole numbers from 0, the "
            "first not above the second.",
            low=low,
            high=high,
        )
    tables = []
    for name in names:
        rows = []
        for group in groups:
            if name not in shares[group]:
                raise InputError("The shares of {group} have no {name}.", group=group, name=name)
            row = np.asarray(shares[group][name], dtype=np.float64)
            if row.ndim != 1 or row.size == 0 or not np.isfinite(row).all() or (row < 0).any():
                raise InputError(
                    "The shares of {name} in {group} must be numbers from 0.",
                    name=name,
                    group=group,
                )
            if row.sum() <= 0:
                raise InputError(
                    "The shares of {name} in {group} are all zero.", name=name, group=group
                )
            rows.append(row)
        if len({row.size for row in rows}) > 1:
            raise InputError(
                "The groups have different numbers of categories of {name}.", name=name
            )
        table = np.cumsum(np.stack(rows), axis=1)
        table /= table[:, -1:]
        tables.append(table)
    return Recipe(names, groups, tuple(tables), (int(low), int(high)))


def group_rows(recipe: Recipe, group_of_region: Sequence[str]) -> np.ndarray:
    """Row in the table of shares of each region, by the name of its group.

    Raises
    ------
    InputError
        If a region's group has no shares.
    """
    row = {group: at for at, group in enumerate(recipe.groups)}
    missing = sorted({str(group) for group in group_of_region if group not in row})
    if missing:
        raise InputError(
            (
                mark("There are no category shares for {groups} and others.")
                if len(missing) > 5
                else mark("There are no category shares for {groups}.")
            ),
            groups=", ".join(missing[:5]),
        )
    return np.array([row[group] for group in group_of_region], dtype=np.intp)


def populations(recipe: Recipe, regions: int, rng: np.random.Generator) -> np.ndarray:
    """Residents of each region, uniform over the whole numbers of the range; (regions,) int64."""
    return rng.integers(recipe.population[0], recipe.population[1] + 1, size=regions)


def synthetic_records(
    recipe: Recipe,
    group_of_region: np.ndarray,
    residents: np.ndarray,
    rng: np.random.Generator,
    chunk: int = _CHUNK,
    progress: Progress = silent,
) -> Iterator[Chunk]:
    """Make the records of each region, values drawn independently from its group's shares.

    Parameters
    ----------
    recipe : Recipe
    group_of_region : (n,) int array
        Row of each region's group: see :func:`group_rows`.
    residents : (n,) int array
        See :func:`populations`.
    rng : numpy.random.Generator
    chunk : int
        Most records in memory at a time; the records do not depend on it.
    progress : callable

    Yields
    ------
    Chunk
    """
    ends = np.cumsum(residents)
    total = int(ends[-1]) if len(ends) else 0
    # A stream of its own for each quasi-identifier: chunks of any size continue it.
    streams = [np.random.default_rng(seed) for seed in rng.integers(2**63, size=len(recipe.names))]
    for start in range(0, total, chunk):
        progress(start / total)
        stop = min(start + chunk, total)
        first, last = np.searchsorted(ends, [start, stop - 1], side="right")
        regions = np.arange(first, last + 1)
        here = np.minimum(ends[regions], stop) - np.maximum(
            ends[regions] - residents[regions], start
        )
        region = np.repeat(regions.astype(np.int32), here)
        group = group_of_region[regions]
        bounds = np.flatnonzero(np.diff(group)) + 1
        records = np.concatenate([[0], np.cumsum(here)])
        codes = []
        for table, stream in zip(recipe.cumulated, streams):
            draw = stream.random(stop - start)
            column = np.empty(stop - start, dtype=np.uint16)
            for low, high in zip([0, *bounds], [*bounds, len(regions)]):
                cells = slice(records[low], records[high])
                column[cells] = np.searchsorted(table[group[low]], draw[cells], side="right")
            codes.append(column)
        yield Chunk(region, tuple(codes))
    progress(1.0)
