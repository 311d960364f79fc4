# SPDX-License-Identifier: GPL-2.0-or-later
"""Groups of people, by a category or by two or three together, which may have been anonymised by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ...runtime.progress import Progress, chunks, part, shares, silent
from ..matrices import block_rows, copied
from ..observations import BINARY, CATEGORICAL, ORDINAL
from ..variables import Variable
from .classes import Classes
from .moments import Standardised
from .table import Tables, is_number, sample

#: Most levels of a category, most categories that are looked at, and of which so many make a group at most.
_LEVELS, _CATEGORIES, _TOGETHER = 100, 12, 3
#: Fewest records of a group in each table; those of smaller groups are one.
_FEWEST = 3
#: Most groups, fewest records of one on average, and least share of the records that are in such.
_MOST, _EACH, _COVERED = 400, 5.0, 0.5
#: Most numbers of all groups' covariances, and columns of these.
_NUMBERS, _COLUMNS = 500_000, 200
#: Least information of all people together for each of them, below which few are told.
_LEAST = 0.05
#: Columns by which it is asked which groups a release is near to, and numbers of all sums for it.
_BY_COLUMNS, _SUMMED = 24, 500_000_000


@dataclass(frozen=True)
class Groups:
    """Groups by some categories together.

    Attributes
    ----------
    classes : Classes
        Levels of these categories.
    group : (c,) int array
        Of each combination of levels; those of few records are in the last group.
    levels : (g, f) int array
        The level that each group has of each category, -1 of the last one.
    """

    classes: Classes
    group: np.ndarray
    levels: np.ndarray

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self.levels)

    @property
    def names(self) -> tuple[str, ...]:
        """The categories."""
        return tuple(one.name for one in self.classes.variables)

    def of(self, block: np.ndarray) -> np.ndarray:
        """The group of each record, ``(b,)``."""
        levels = tuple(self.classes.of(block).T)
        return self.group[np.ravel_multi_index(levels, self.classes.sizes.tolist())]

    @property
    def design(self) -> np.ndarray:
        """One, and for two categories or more where a group has a level, ``(g, q)``: what each adds by itself."""
        ones = [np.ones(self.count)]
        if self.levels.shape[1] > 1:
            for one in self.levels.T:
                ones += [(one == level).astype(float) for level in np.unique(one[one >= 0])[1:]]
        return np.stack(ones, axis=1)


def likely_groups(
    tables: Tables,
    known: Sequence[str],
    every: Sequence[np.ndarray],
    most: int,
    progress: Progress = silent,
) -> list[Groups]:
    """Groups whose averages the release is nearest to, beside how near other people's are.

    Parameters
    ----------
    tables : Tables
    known : sequence of str
        What is known of people; everything where nothing is named.
    every : sequence of (n, m) arrays
        Original, release and, if there is one, reference.
    most : int
        How many ways of grouping are looked for.

    Notes
    -----
    Who anonymises by groups says by which, or an adversary tries all. Here the originals tell, which finds no more
    than the best of these tries.
    """
    variables = _categories(tables, known)
    numbers = [one for one in tables.known(known) if is_number(one)]
    if not variables or len(tables.known(known)) < 2:
        return []
    (classes,) = Classes.of_all(every, variables, [_LEVELS], part(progress, 0.0, 0.1))
    codes = [
        _codes(classes, one, ahead)
        for one, ahead in zip(every, shares(part(progress, 0.1, 0.3), len(every)))
    ]
    made = list(_candidates(tables, known, classes, codes, part(progress, 0.3, 0.5)))
    if len(made) > 1:
        columns = tables.columns([one.name for one in numbers or variables])
        near = _nearness(every, codes, made, columns, part(progress, 0.5, 1.0))
        made = [made[at] for at in np.argsort(-near, kind="stable")[:most]]
    progress(1.0)
    return [one for one, _ in made]


def columns_within(
    tables: Tables, known: Sequence[str], groups: Groups, numbers: bool
) -> np.ndarray:
    """Columns of what is known but for the categories that make groups; of numbers, or of all."""
    some = [one for one in tables.known(known) if is_number(one) or not numbers]
    return tables.columns([one.name for one in some if one.name not in groups.names])


def most_columns(groups: int) -> int:
    """Most columns of which each of so many groups can have covariances."""
    return min(_COLUMNS, int(np.sqrt(_NUMBERS / groups)))


def _categories(tables: Tables, known: Sequence[str]) -> list[Variable]:
    """Those of most levels, in order."""
    some = [
        one
        for one in tables.known(known)
        if one.kind == BINARY
        or (one.kind in (CATEGORICAL, ORDINAL) and 2 <= len(one.levels) <= _LEVELS)
    ]
    finest = sorted(some, key=lambda one: -len(one.levels))[:_CATEGORIES]
    return [one for one in some if one in finest]


def _codes(classes: Classes, matrix: np.ndarray, progress: Progress) -> np.ndarray:
    """The level of each category, ``(f, n)``."""
    made = np.empty((len(classes.edges), len(matrix)), dtype=np.uint8)
    for rows in chunks(len(matrix), block_rows(matrix.shape[1]), progress):
        made[:, rows] = classes.of(matrix[rows]).T
    return made


def _candidates(
    tables: Tables,
    known: Sequence[str],
    classes: Classes,
    codes: Sequence[np.ndarray],
    progress: Progress,
) -> Iterator[tuple[Groups, tuple[int, ...]]]:
    """Groups that could tell people, and by which of the categories."""
    fields, width = range(len(classes.edges)), len(tables.columns(known or _all(tables)))
    ways = [one for many in range(1, _TOGETHER + 1) for one in combinations(fields, many)]
    records = min(one.shape[1] for one in codes)
    for way, ahead in zip(ways, shares(progress, len(ways))):
        ahead(0.0)
        sizes = classes.sizes[list(way)]
        columns = [classes.variables[at].columns for at in way]
        left, cells = width - sum(one.stop - one.start for one in columns), int(np.prod(sizes))
        if left < 1 or cells > records or not _tells(tables, min(cells, _MOST), left):
            continue
        counts = []
        for one, step in zip(codes, shares(ahead, len(codes))):
            step(0.0)
            counts.append(np.bincount(_joint(one, way, sizes), minlength=cells))
        there = np.min(counts, axis=0) >= _FEWEST
        groups = int(there.sum())
        enough = 2 <= groups <= min(_MOST, records / _EACH) and _tells(tables, groups, left)
        if enough and all(one[there].sum() >= _COVERED * one.sum() for one in counts):
            yield _made(classes, way, there), way
    progress(1.0)


def _tells(tables: Tables, groups: int, columns: int) -> bool:
    """Tell whether averages and covariances of so many groups are enough to tell people."""
    columns = min(columns, most_columns(groups))
    return columns > 0 and groups * columns * (columns + 3) / 2 >= _LEAST * tables.count


def _all(tables: Tables) -> list[str]:
    return [one.name for one in tables.variables]


def _joint(codes: np.ndarray, way: Sequence[int], sizes: np.ndarray) -> np.ndarray:
    """Which combination of levels each record has."""
    made = codes[way[0]].astype(np.int32)
    for at, size in zip(way[1:], sizes[1:]):
        made *= size
        made += codes[at]
    return made


def _made(classes: Classes, way: tuple[int, ...], there: np.ndarray) -> Groups:
    group = np.full(len(there), there.sum())
    group[there] = np.arange(there.sum())
    sizes = tuple(classes.sizes[list(way)].tolist())
    levels = np.stack(np.unravel_index(np.flatnonzero(there), sizes), axis=1)
    some = Classes([classes.variables[at] for at in way], [classes.edges[at] for at in way])
    return Groups(some, group, np.vstack([levels, np.full((1, len(way)), -1)]))


def _nearness(
    every: Sequence[np.ndarray],
    codes: Sequence[np.ndarray],
    made: Sequence[tuple[Groups, tuple[int, ...]]],
    columns: np.ndarray,
    progress: Progress,
) -> np.ndarray:
    """By how many standard errors the release's averages of groups are nearer to the file's than other people's are."""
    own, released = every[:2]
    both = len(own) + len(released)
    most = int(np.clip(_SUMMED // (both * len(made)), 2, _BY_COLUMNS))
    columns = columns[sample(len(columns), most, 44)]
    view = Standardised.of_all(
        every[:2], lambda block: block[:, columns], len(columns), part(progress, 0.0, 0.1)
    )
    if not view.count:
        return np.zeros(len(made))
    variance, axes = np.linalg.eigh(view.laws(own, part(progress, 0.1, 0.2))[0].covariances)
    turn = axes / np.sqrt(variance)
    seen = [
        _turned(view, one, turn, ahead)
        for one, ahead in zip(every[:2], shares(part(progress, 0.2, 0.4), 2))
    ]
    near = np.empty(len(made))
    for at, ahead in enumerate(shares(part(progress, 0.4, 1.0), len(made))):
        near[at] = _near(*made[at], codes[:2], seen, ahead)
    return near


def _near(
    groups: Groups,
    way: tuple[int, ...],
    codes: Sequence[np.ndarray],
    seen: Sequence[np.ndarray],
    progress: Progress,
) -> float:
    counts, means = [], []
    for one, values, ahead in zip(codes, seen, shares(progress, 2)):
        of = groups.group[_joint(one, way, groups.classes.sizes)]
        counts.append(np.bincount(of, minlength=groups.count)[:-1])
        sums = []
        for column, step in zip(values, shares(ahead, len(values))):
            step(0.0)
            sums.append(np.bincount(of, column, groups.count)[:-1])
        means.append(np.array(sums) / counts[-1])
    each = 1 / counts[0] + 1 / counts[1]
    freedom = means[0].size
    apart = float(((means[0] - means[1]) ** 2 / each).sum())
    return (freedom - apart) / float(np.sqrt(2 * freedom))


def _turned(
    view: Standardised, matrix: np.ndarray, turn: np.ndarray, progress: Progress
) -> np.ndarray:
    """Columns along which people have variance one, ``(k, n)``."""
    made = np.empty((turn.shape[1], len(matrix)), dtype=np.float32)
    for rows in chunks(len(matrix), block_rows(matrix.shape[1]), progress):
        made[:, rows] = (view.of(copied(matrix[rows])) @ turn).T
    return made
