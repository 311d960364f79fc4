# SPDX-License-Identifier: GPL-2.0-or-later
"""What two fields tell of each other, of any kind and in any form: mutual information, in bits.

Numbers are put into at most ten classes of about equal size by the original's values, as discretised
data are compared in the literature; the bias of small tables is taken off as Miller (1955), Note on the
bias of information estimates, does it: (cells - rows - columns + 1) / (2 n ln 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np

from ..runtime.progress import Progress, interruptible, silent
from ..runtime.results import Summarised
from ..runtime.wording import figure

#: Classes of numbers.
CLASSES = 10
#: Categories beyond the most frequent are one.
_CATEGORIES = 30

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False, repr=False)
class InformationKept(Summarised):
    """Mutual information of pairs of fields.

    Attributes
    ----------
    pairs : tuple of (str, str)
    original, released : (q,) arrays
        In bits.
    """

    pairs: tuple[tuple[str, str], ...]
    original: np.ndarray
    released: np.ndarray

    @property
    def difference(self) -> np.ndarray:
        """Absolute differences."""
        return np.abs(self.released - self.original)

    @property
    def largest(self) -> float:
        """Of the differences; NaN of a single field."""
        return float(self.difference.max()) if len(self.pairs) else float("nan")

    def in_words(self) -> str:
        """Say the largest difference."""
        if not len(self.pairs):
            return "One field alone has no mutual information."
        one, other = self.pairs[int(self.difference.argmax())]
        return (
            f"Mutual information of {len(self.pairs):,} pairs of fields differs by at most"
            f" {figure(self.largest, '.3f')} bits ({one}, {other})."
        )


def compare_information(
    original: Columns, released: Columns, progress: Progress = silent
) -> InformationKept:
    """Compare what pairs of fields tell of each other.

    Parameters
    ----------
    original, released : mapping of str to array
        The same fields: numbers with NaN, or objects with None. A missing value is a category.
    progress : callable

    Returns
    -------
    InformationKept
    """
    names = [name for name in original if name in released]
    codes = []
    for number, name in enumerate(names):
        look = partial(_codes, original[name], released[name])
        codes.append(interruptible(look, progress, 0.3 * number / len(names)))
    pairs = list(combinations(range(len(names)), 2))
    found = np.empty((2, len(pairs)))
    for number, (one, other) in enumerate(pairs):
        for side in (0, 1):
            progress(0.3 + 0.7 * number / len(pairs))
            found[side, number] = mutual_information(codes[one][side], codes[other][side])
    progress(1.0)
    named = tuple((names[one], names[other]) for one, other in pairs)
    return InformationKept(named, found[0], found[1])


def mutual_information(one: np.ndarray, other: np.ndarray) -> float:
    """Bits that two columns of categories tell of each other, less the bias; at least 0.

    Parameters
    ----------
    one, other : (n,) int arrays
        From 0.
    """
    width = int(other.max()) + 1
    cells = np.bincount(one.astype(np.int64) * width + other).astype(np.float64)
    rows, columns = np.bincount(one), np.bincount(other)
    n = len(one)

    def entropy(counts: np.ndarray) -> float:
        share = counts[counts > 0] / n
        return float(-(share * np.log2(share)).sum())

    occupied = [int((counts > 0).sum()) for counts in (cells, rows, columns)]
    bias = (occupied[0] - occupied[1] - occupied[2] + 1) / (2 * n * np.log(2))
    return max(entropy(rows) + entropy(columns) - entropy(cells) - bias, 0.0)


def _codes(original: np.ndarray, released: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Classes of one field in both tables, those of the original; 0 is missing."""
    if original.dtype.kind in "fiub" and released.dtype.kind in "fiub":
        there = original[np.isfinite(original)]
        values = np.unique(there)
        if len(values) > CLASSES:
            values = np.unique(np.quantile(there, np.arange(1, CLASSES) / CLASSES))
            edges = values
        else:
            edges = (values[1:] + values[:-1]) / 2
        return _binned(original, edges), _binned(released, edges)
    count: dict = {}
    for one in original.tolist():
        count[one] = count.get(one, 0) + 1
    count.pop(None, None)
    ranked = sorted(count, key=lambda one: (-count[one], str(one)))
    number = {one: min(at, _CATEGORIES) + 1 for at, one in enumerate(ranked)}
    number[None] = 0
    others = _CATEGORIES + 1
    first, second = (
        np.array([number.get(one, others) for one in column.tolist()], dtype=np.int64)
        for column in (original, released)
    )
    return first, second


def _binned(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    found = np.searchsorted(edges, values, side="right") + 1
    return np.where(np.isfinite(values), found, 0)
