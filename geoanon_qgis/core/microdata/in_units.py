# SPDX-License-Identifier: GPL-2.0-or-later
"""Fields before and after, in their own units: what a reader of the table would notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .coding import Coding
from .observations import BINARY, CATEGORICAL, Observations, observed
from .variables import Variable

#: Minimum, quartiles, maximum.
QUANTILES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Numbers:
    """A field of numbers.

    Attributes
    ----------
    name : str
    before, after : (5,) arrays
        Least, quartiles and largest; NaN where no record has a value.
    missing : (float, float)
        Shares of the records without a value, before and after.
    outside : int
        Released values beyond the original's range.
    ks : float
        Largest difference of the cumulative distributions, either way.
    """

    name: str
    before: np.ndarray
    after: np.ndarray
    missing: tuple[float, float]
    outside: int
    ks: float


@dataclass(frozen=True)
class Share:
    """A category or truth value of a field: its shares of the records before and after."""

    name: str
    level: Any
    before: float
    after: float


@dataclass(frozen=True)
class InUnits:
    """All fields, numbers and others.

    Attributes
    ----------
    numbers : tuple of Numbers
    shares : tuple of Share
    """

    numbers: tuple[Numbers, ...]
    shares: tuple[Share, ...]

    @property
    def outside(self) -> int:
        """Released numbers beyond the range of their field."""
        return sum(one.outside for one in self.numbers)

    @property
    def largest(self) -> tuple[float, str]:
        """The largest difference of a field's distribution, and the field."""
        every = [(one.ks, one.name) for one in self.numbers]
        every += [(abs(one.after - one.before), one.name) for one in self.shares]
        return max(every, key=lambda one: one[0], default=(0.0, ""))


def in_units(
    original: Mapping[str, Observations], released: Mapping[str, Any], coding: Coding
) -> InUnits:
    """Compare the fields of a release with the original's.

    Parameters
    ----------
    original : mapping of names to Observations
    released : mapping of names to arrays
        As they are released; categories as such or as their probabilities.
    coding : Coding
    """
    numbers, shares = [], []
    for variable in coding.variables:
        before = original[variable.name]
        if variable.name not in released:
            fields = coding.probability_fields[variable.name]
            for level, field in zip(variable.levels, fields):
                after_share = float(np.mean(released[field]))
                shares.append(Share(variable.name, level, _share(before, level), after_share))
            continue
        after = observed(variable.name, released[variable.name])
        if variable.kind in (CATEGORICAL, BINARY):
            shares.extend(_levels(variable, before, after))
        else:
            numbers.append(_numbers(before, after))
    return InUnits(tuple(numbers), tuple(shares))


def _levels(variable: Variable, before: Observations, after: Observations) -> list[Share]:
    levels = [*variable.levels]
    if None not in levels and (before.missing or after.missing):
        levels.append(None)
    counted = Counter(after.there.tolist())
    counted[None] = after.missing
    return [
        Share(variable.name, one, _share(before, one), counted[one] / max(1, len(after)))
        for one in levels
    ]


def _share(column: Observations, level: Any) -> float:
    if level is None:
        return column.missing / max(1, len(column))
    return float(np.count_nonzero(column.there == level)) / max(1, len(column))


def _numbers(before: Observations, after: Observations) -> Numbers:
    one, other = (np.sort(column.there.astype(np.float64)) for column in (before, after))
    outside, ks = 0, float("nan")
    if len(one) and len(other):
        outside = int(np.count_nonzero((other < one[0]) | (other > one[-1])))
        every = np.concatenate([one, other])
        shares = [np.searchsorted(some, every, side="right") / len(some) for some in (one, other)]
        ks = float(np.abs(shares[0] - shares[1]).max())
    return Numbers(
        before.name,
        _quantiles(one),
        _quantiles(other),
        (before.missing / max(1, len(before)), after.missing / max(1, len(after))),
        outside,
        ks,
    )


def _quantiles(values: np.ndarray) -> np.ndarray:
    if not len(values):
        return np.full(len(QUANTILES), np.nan)
    return np.quantile(values, QUANTILES)
