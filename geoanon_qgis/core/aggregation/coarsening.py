# SPDX-License-Identifier: GPL-2.0-or-later
"""Proposals for coarser quasi-identifiers: which field, by how much, for how many fewer uniques.

Each field has a ladder of coarser forms (numbers in classes of 5, 10, 20; dates by month, quarter,
year; codes by their first letters; rare categories together; the field left out). Detail is the
entropy of the fields, as in Gionis & Tassa (2009), k-Anonymization with minimal loss of information,
IEEE Transactions on Knowledge and Data Engineering 21(2), 206-219. Where all combinations of forms can
be counted, each row of the frontier is the one of them that keeps most detail; else a greedy search
takes, step by step, the form that frees most records from small classes for each bit that it costs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..columns import Column, column_of
from ..runtime.progress import Progress, part, silent
from ..values import DATE, MOMENT, NUMBER, TEXT, TIME, WHOLE
from .equivalence_classes import EquivalenceClasses, classes_of, entropy
from .people import People

#: How a field is made coarser.
WIDTH, MONTH, QUARTER, YEAR, YEARS = "width", "month", "quarter", "year", "years"
DAY, HOUR, LETTERS, OTHERS, LEFT_OUT = "day", "hour", "letters", "others", "left_out"
#: Combinations of forms that are all counted, and rows that are sorted for them, at most.
COMBINATIONS, _COUNTED = 4_000, 20_000_000
#: Shares of the records in small classes that the frontier gets down to.
_SHARES = (0.75, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.0)
#: Texts of one length up to this are codes, of which the first letters say something.
_LONGEST_CODE = 12


@dataclass(frozen=True, eq=False)
class Level:
    """A coarser form of a field.

    Attributes
    ----------
    how : str
        ``width`` (classes of numbers), ``hour``, ``day``, ``month``, ``quarter``, ``year``,
        ``years`` (several together), ``letters`` (the first), ``others`` (all but the most
        frequent), ``left_out``.
    size : float
        Width, years, letters, or categories that stay; 0 where it says nothing.
    groups : (categories,) int array
        Group of each category, by its code. A missing value stays one.
    """

    how: str
    size: float
    groups: np.ndarray


@dataclass(frozen=True)
class Proposal:
    """Fields in coarser forms, and what is left of small classes then.

    Attributes
    ----------
    levels : tuple of q Level or None
        The form of each quasi-identifier; None for one that stays as it is.
    uniques, small, smallest, classes : int
        Unique records, records in classes of fewer than k, records of the smallest class, classes.
    bits : float
        Sum of the entropies of the fields, one by one.
    kept : float
        The same as a share of what it was.
    """

    levels: tuple[Level | None, ...]
    uniques: int
    small: int
    smallest: int
    classes: int
    bits: float
    kept: float


@dataclass(frozen=True)
class Proposals:
    """What coarser fields would do.

    Attributes
    ----------
    alone : tuple of Proposal
        Each form of each field, the others as they are.
    frontier : tuple of Proposal
        Ever fewer records in small classes, for ever less detail.
    is_best : bool
        Whether all combinations were counted.
    """

    alone: tuple[Proposal, ...]
    frontier: tuple[Proposal, ...]
    is_best: bool


def ladder(kind: str, categories: Sequence, counts: np.ndarray) -> list[Level]:
    """Coarser forms of a field, from fine to none.

    Parameters
    ----------
    kind : str
        Of the column: see :mod:`..values`.
    categories : sequence
        Values by code; dates and times as text, None for a missing value.
    counts : (categories,) array
        Records of each.

    Returns
    -------
    list of Level
        Each with fewer groups than the one before.
    """
    there = [one for one in categories if one is not None]
    made: list[Level] = []
    fewest = len(categories)
    for how, size, names in _named(kind, there, counts, categories):
        name_of = dict(zip(there, names))
        keys = [None if one is None else name_of[one] for one in categories]
        number = {key: at for at, key in enumerate(dict.fromkeys(keys))}
        if 1 + (None in number) < len(number) < fewest:
            fewest = len(number)
            made.append(Level(how, size, np.array([number[key] for key in keys])))
    return [*made, Level(LEFT_OUT, 0, np.zeros(len(categories), dtype=np.int64))]


def _named(kind: str, there: list, counts, categories) -> Iterator[tuple[str, float, list]]:
    """How, how much, and the name of the group of each value that is there."""
    if len(there) < 3:
        return
    if kind in (WHOLE, NUMBER):
        yield from _widths(np.array(there, dtype=np.float64))
    elif kind in (DATE, MOMENT, TIME):
        yield from by_calendar(kind, there)
    elif kind == TEXT:
        lengths = {len(one) for one in there}
        if len(lengths) == 1 and lengths <= set(range(2, _LONGEST_CODE + 1)) and _is_code(there):
            for letters in range(max(lengths) - 1, 0, -1):
                yield LETTERS, letters, [one[:letters] for one in there]
        else:
            yield from _rare_together(there, counts, categories)


def _widths(values: np.ndarray) -> Iterator[tuple[str, float, list]]:
    """Classes of 1, 2, 5, 10 and so on units, from the least step to half the range."""
    ordered = np.unique(values[np.isfinite(values)])
    if len(ordered) < 3:
        return
    gap, span = float(np.diff(ordered).min()), float(ordered[-1] - ordered[0])
    # Beyond some thousand classes nothing is gained; and a gap may be the last digit of a sum.
    exponent = int(np.floor(np.log10(max(gap, span / 2_000))))
    while 10.0**exponent <= span:
        for digit in (1, 2, 5):
            # As it is written: 10.0 ** -1 * 3 is not 0.3.
            width = float(f"{digit}e{exponent}")
            if gap * (1 + 1e-9) < width <= span:
                yield WIDTH, width, np.floor(values / width).tolist()
        exponent += 1


def by_calendar(kind: str, texts: Sequence[str]) -> Iterator[tuple[str, float, list]]:
    """How, how much, and the group of each date or time, from fine to coarse; texts as of ISO."""
    if kind == TIME:
        yield HOUR, 0, [one[:2] for one in texts]
        return
    if kind == MOMENT:
        yield DAY, 0, [one[:10] for one in texts]
    yield MONTH, 0, [one[:7] for one in texts]
    yield QUARTER, 0, [f"{one[:4]}-Q{(int(one[5:7]) + 2) // 3}" for one in texts]
    yield YEAR, 0, [one[:4] for one in texts]
    for years in (5, 10, 20, 50):
        yield YEARS, years, [str(int(one[:4]) // years * years) for one in texts]


def _is_code(texts: list[str]) -> bool:
    return all(any(letter.isdigit() for letter in one) for one in texts)


def _rare_together(there: list, counts, categories) -> Iterator[tuple[str, float, list]]:
    """All but the most frequent half, quarter, eighth of the categories are one."""
    of = dict(zip(categories, np.asarray(counts).tolist()))
    ranked = sorted(there, key=lambda one: (-of[one], str(one)))
    kept = len(ranked)
    while kept > 1:
        kept = (kept + 1) // 2 if kept > 2 else 1
        stays = set(ranked[:kept])
        yield OTHERS, kept, [(one,) if one in stays else () for one in there]


def propose(
    classes: EquivalenceClasses,
    ladders: Sequence[Sequence[Level]],
    k: int,
    progress: Progress = silent,
    most: int = COMBINATIONS,
    people: People | None = None,
) -> Proposals:
    """Try each form of each field, and combinations of them.

    Parameters
    ----------
    classes : EquivalenceClasses
    ladders : sequence of q sequences of Level
        See :func:`ladder`.
    k : int
        Classes of fewer records are small.
    progress : callable
    most : int
        Combinations that are all counted; where there are more, a greedy search.
    people : People, optional
        Who is in which class, where people are counted and not records.

    Returns
    -------
    Proposals
        Both empty where no class is small.
    """
    counter = _Counter.of(classes, k, people)
    as_they_are = counter.count((None,) * len(ladders))
    combinations = math.prod(len(levels) + 1 for levels in ladders)
    is_best = combinations <= most and combinations * counter.length <= _COUNTED
    if not as_they_are.small:
        progress(1.0)
        return Proposals((), (), True)
    forms = [(field, level) for field, levels in enumerate(ladders) for level in levels]
    alone = [
        counter.count(_with(as_they_are.levels, field, level), ask)
        for (field, level), ask in zip(forms, _asking(progress, 0.0, 0.4, len(forms)))
    ]
    if is_best:
        tried = [
            counter.count(levels, ask)
            for levels, ask in zip(
                itertools.product(*([None, *one] for one in ladders)),
                _asking(progress, 0.4, 1.0, combinations),
            )
        ]
    else:
        ahead = part(progress, 0.4, 1.0)
        tried = [as_they_are, *_greedy(counter, as_they_are, alone, ladders, ahead)]
    progress(1.0)
    return Proposals(tuple(alone), _frontier(tried, as_they_are.small), is_best)


def _asking(progress: Progress, start: float, stop: float, count: int) -> Iterator[Progress]:
    """For each of some equal steps what asks whether to go on, without telling of more."""
    for number in range(count):
        here = start + (stop - start) * number / count
        yield _saying(progress, here)


def _saying(progress: Progress, here: float) -> Progress:
    return lambda _: progress(here)


def _with(levels: tuple, field: int, level: Level) -> tuple:
    return (*levels[:field], level, *levels[field + 1 :])


def _frontier(tried: Sequence[Proposal], small: int) -> tuple[Proposal, ...]:
    """For ever fewer records in small classes what keeps most detail; at the same detail, fewest."""
    found: list[Proposal] = []
    for share in _SHARES:
        good = [one for one in tried if one.small <= share * small]
        if good:
            best = max(good, key=lambda one: (one.bits, -one.small, -one.uniques))
            if not found or best is not found[-1]:
                found.append(best)
    return tuple(found)


def _greedy(counter, start: Proposal, alone, ladders, progress: Progress) -> Iterator[Proposal]:
    """Step by step the form that frees most records for the bits that it costs."""
    state, tried, steps = start, list(alone), 0
    left = [list(levels) for levels in ladders]
    while tried and state.small:
        # Where nothing frees a record, fewer classes bring that nearer.
        best = max(tried, key=partial(_worth, state))
        yield best
        field = next(at for at in range(len(left)) if best.levels[at] is not state.levels[at])
        left[field] = left[field][left[field].index(best.levels[field]) + 1 :]
        state, steps = best, steps + 1
        ask = _saying(progress, 1 - 0.8**steps)
        # Always from the fields as they are: classes of 5 do not consist of classes of 2.
        near = [
            (at, one) for at, levels in enumerate(left) for one in (*levels[:2], *levels[2:][-1:])
        ]
        tried = [counter.count(_with(state.levels, field, level), ask) for field, level in near]


def _worth(state: Proposal, one: Proposal) -> tuple[float, float, float]:
    lost = max(state.bits - one.bits, 1e-12)
    return (state.small - one.small) / lost, (state.classes - one.classes) / lost, one.bits


@dataclass(frozen=True)
class _Counter:
    """Counts classes with fields in coarser forms: categories of each class, and its records."""

    codes: np.ndarray
    sizes: np.ndarray
    k: int
    whole: float
    people: People | None

    @property
    def length(self) -> int:
        return len(self.sizes if self.people is None else self.people)

    @classmethod
    def of(cls, classes: EquivalenceClasses, k: int, people: People | None) -> _Counter:
        filled = classes.sizes > 0  # all of them where people are counted
        codes, sizes = classes.codes[filled], classes.sizes[filled]
        bits = sum(entropy(np.bincount(one, weights=sizes)) for one in codes.T)
        return cls(codes, sizes, k, bits, people)

    def count(self, levels: tuple[Level | None, ...], ask: Progress = silent) -> Proposal:
        """What is left of small classes."""
        columns = [
            column if level is None else level.groups[column]
            for column, level in zip(self.codes.T, levels)
        ]
        of, _ = classes_of(columns, ask)
        sizes = (
            np.rint(np.bincount(of, weights=self.sizes)).astype(np.int64)
            if self.people is None
            else self.people.sizes(of)
        )
        bits = sum(entropy(np.bincount(one, weights=self.sizes)) for one in columns)
        return Proposal(
            levels,
            int((sizes == 1).sum()),
            int(sizes[sizes < self.k].sum()),
            int(sizes.min()),
            len(sizes),
            bits,
            bits / self.whole if self.whole else 1.0,
        )


def blank_as_missing(column: Column) -> Column:
    """Return a column whose empty texts are missing values; text of blanks is empty, too."""
    if column.kind != TEXT:
        return column
    values = column.objects()
    blank = np.fromiter(
        (isinstance(one, str) and not one.strip() for one in values), bool, len(values)
    )
    if not blank.any():
        return column
    values[blank] = None
    return column_of(column.name, values)


def dates_by(column: Column, how: str) -> Column:
    """Return a column of dates by ``month``, ``quarter`` or ``year``; any other as it is."""
    if column.kind not in (DATE, MOMENT):
        return column
    texts = column.texts()
    there = sorted({one for one in texts if one is not None})
    groups = next((names for one, _, names in by_calendar(column.kind, there) if one == how), there)
    of = dict(zip(there, groups))
    return column_of(column.name, [None if one is None else of[one] for one in texts])
