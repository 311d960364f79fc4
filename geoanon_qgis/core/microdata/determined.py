# SPDX-License-Identifier: GPL-2.0-or-later
"""Variables that follow from others: a chapter from a code, a total from its parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from ..runtime.progress import Progress, shares, silent

#: Pairs of records alike in what a variable follows from that are seen at the least, the share of them who are alike in it,
#: and the chance that they are though it does not follow.
_FEWEST, _ALIKE, _CHANCE = 20, 0.99, 1e-4


def determined(codes: Sequence[np.ndarray], progress: Progress = silent) -> list[int]:
    """Return which variables follow from one or two of the others, the last first.

    Parameters
    ----------
    codes : sequence of (n,) int arrays
        Of each variable: the same number where the value is the same.

    Returns
    -------
    list of int
        Whoever agrees in the rest agrees in these.
    """
    kept, found = list(range(len(codes))), []
    for at, ahead in zip(reversed(range(len(codes))), shares(progress, len(codes))):
        ahead(0.0)
        others = [one for one in kept if one != at]
        if any(_follows(codes[at], [codes[one] for one in some]) for some in _some(others)):
            kept.remove(at)
            found.append(at)
    return found


def _some(others: Sequence[int]) -> Iterable[tuple[int, ...]]:
    yield from combinations(others, 1)
    yield from combinations(others, 2)


def _follows(codes: np.ndarray, others: Sequence[np.ndarray]) -> bool:
    """Tell whether records with the same of the others have the same, and would not by chance."""
    key = others[0]
    for more in others[1:]:
        key = key * (int(more.max(initial=0)) + 1) + more
    order = np.argsort(key, kind="stable")
    alike = key[order[1:]] == key[order[:-1]]
    if np.count_nonzero(alike) < _FEWEST:
        return False
    same = (codes[order[1:]] == codes[order[:-1]])[alike]
    usual = float(((np.bincount(codes) / len(codes)) ** 2).sum())
    return same.mean() >= _ALIKE and len(same) * np.log(usual) < np.log(_CHANCE)
