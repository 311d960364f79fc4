# SPDX-License-Identifier: GPL-2.0-or-later
"""Variables that follow from others: a chapter from a code, a tax from a price, a total from its parts.

Whoever agrees in what they follow from agrees in them, which is no second coincidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..runtime.progress import Progress, shares, silent

#: Pairs of records alike in what a variable follows from that are seen at the least, the share of them who are alike in it,
#: and the chance that they are though it does not follow.
_FEWEST, _ALIKE, _CHANCE = 20, 0.99, 1e-4
#: Different values of a number that follows from another along a line, and how far off it may be, in standard deviations.
_VALUES, _OFF = 20, 0.01


class Values(NamedTuple):
    """What records have of a variable.

    Attributes
    ----------
    codes : (n,) int array
        The same number where the value is the same.
    numbers : (n,) array or None
        Of a number, those that are missing being any; none of other variables.
    """

    codes: np.ndarray
    numbers: np.ndarray | None = None


def determined(variables: Sequence[Values], progress: Progress = silent) -> list[int]:
    """Return which variables follow from one or two of the others that are left, the last first."""
    kept, found = list(range(len(variables))), []
    for at, ahead in zip(reversed(range(len(variables))), shares(progress, len(variables))):
        ahead(0.0)
        others = [variables[one] for one in kept if one != at]
        if any(_follows(variables[at], some) for some in _some(others)):
            kept.remove(at)
            found.append(at)
    return found


def related(variables: Sequence[Values], progress: Progress = silent) -> list[list[int]]:
    """Return variables in groups of those of which one follows from another."""
    group = np.arange(len(variables))
    for at, ahead in zip(range(len(variables)), shares(progress, max(len(variables), 1))):
        ahead(0.0)
        for other in range(len(variables)):
            one, two = group[at], group[other]
            if one != two and _follows(variables[at], (variables[other],)):
                group[group == max(one, two)] = min(one, two)
    return [np.flatnonzero(group == one).tolist() for one in np.unique(group)]


def _some(others: Sequence[Values]) -> Iterable[tuple[Values, ...]]:
    yield from combinations(others, 1)
    yield from combinations(others, 2)


def _follows(one: Values, others: Sequence[Values]) -> bool:
    """Tell whether records with the same of the others have the same, and would not by chance."""
    if len(others) == 1 and _on_a_line(one.numbers, others[0].numbers):
        return True
    key = others[0].codes
    for more in others[1:]:
        key = key * (int(more.codes.max(initial=0)) + 1) + more.codes
    order = np.argsort(key, kind="stable")
    alike = key[order[1:]] == key[order[:-1]]
    if np.count_nonzero(alike) < _FEWEST:
        return False
    same = (one.codes[order[1:]] == one.codes[order[:-1]])[alike]
    usual = float(((np.bincount(one.codes) / len(one.codes)) ** 2).sum())
    return bool(same.mean() >= _ALIKE and len(same) * np.log(usual) < np.log(_CHANCE))


def _on_a_line(one: np.ndarray | None, other: np.ndarray | None) -> bool:
    """Tell whether a number is another one times a factor, but for how both were rounded."""
    if one is None or other is None or len(one) < _FEWEST:
        return False
    steps = [np.diff(np.unique(each)) for each in (one, other)]
    if min(map(len, steps)) < _VALUES:
        return False
    slope, level = np.polyfit(other, one, 1)
    off = steps[0].min() + abs(slope) * steps[1].min()
    return bool(off < _OFF * one.std() and np.abs(one - slope * other - level).max() <= off)
