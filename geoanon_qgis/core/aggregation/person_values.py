# SPDX-License-Identifier: GPL-2.0-or-later
"""Sensitive values of people who have several: how few of them everybody in a class has one of.

Who knows that a person is in a class learns that she has one of its values. Where people have one value
each, these are the different values of the class. Where somebody has several, fewer may do: of three
who have a cold, and of whom one has a fever and a cough besides, each has a cold. So what counts is
the smallest set of values of which everybody has one (a minimum hitting set; Karp 1972), which is the number
of different values (distinct l-diversity) where each has one.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ..runtime.progress import Progress, silent

#: Steps of the search in one class, of so many sets each; what is shown by then is given, which may be
#: fewer than it takes.
_STEPS, _FEW = 5_000, 64


def least_in_common(
    of_class: np.ndarray,
    person: np.ndarray,
    value: np.ndarray,
    classes: int,
    progress: Progress = silent,
) -> np.ndarray:
    """Fewest values of which everybody in a class has one.

    Parameters
    ----------
    of_class, person, value : (m,) int arrays
        Each different value of each person in each class once, sorted by class, then person.
    classes : int
    progress : callable

    Returns
    -------
    (classes,) int64 array
        0 for a class without values. Never more than it takes: where the search ends early, what
        was shown to be needed.
    """
    width = int(value.max(initial=0)) + 1
    cell = of_class.astype(np.int64) * width + value
    first = np.append(True, (np.diff(of_class) != 0) | (np.diff(person) != 0))[: len(cell)]
    whose = np.cumsum(first) - 1
    alone = np.bincount(whose)[whose] == 1
    # Who has one value needs it; whoever has one of these as well is done.
    needed = np.unique(cell[alone])
    found = np.bincount(needed // width, minlength=classes).astype(np.int64)
    done = np.zeros(int(whose.max(initial=-1)) + 1, dtype=bool)
    done[whose[np.isin(cell, needed)]] = True
    left: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for row in np.flatnonzero(~done[whose]).tolist():
        left[int(of_class[row])][int(whose[row])].add(int(value[row]))
    for at, (one, people) in enumerate(left.items()):
        progress(at / len(left))
        found[one] += _fewest({frozenset(values) for values in people.values()}, progress)
    progress(1.0)
    return found


def _fewest(sets: set[frozenset[int]], progress: Progress) -> int:
    """The least number of values of which every set has one, or what was shown to be needed."""
    some = sorted(sets, key=sorted)
    if len(some) <= _FEW:
        some = [one for one in some if not any(other < one for other in some)]
    taken: set[int] = set()
    least = 0
    for one in sorted(some, key=len):
        if not one & taken:
            taken |= one
            least += 1
    steps = [_STEPS]
    while steps[0] > 0 and not _do(some, least, steps) and steps[0] > 0:
        progress(0.0)
        least += 1
    return least


def _do(sets: list[frozenset[int]], number: int, steps: list[int]) -> bool:
    """Whether so many values do; not to be trusted where no steps are left."""
    steps[0] -= 1 + len(sets) // _FEW
    if not sets:
        return True
    if number == 0 or steps[0] <= 0:
        return False
    smallest = min(len(one) for one in sets)
    first = next(one for one in sets if len(one) == smallest)
    return any(
        _do([one for one in sets if value not in one], number - 1, steps) for value in sorted(first)
    )
