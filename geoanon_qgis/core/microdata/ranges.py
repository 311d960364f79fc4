# SPDX-License-Identifier: GPL-2.0-or-later
"""Ranges within which numbers are released: top and bottom coding."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import Sentence, number_of
from .coding import Coding
from .observations import CONTINUOUS, ORDINAL, POSITIVE, Observations

#: The ends of each field's range; infinite where there is none.
Ranges = Mapping[str, tuple[float, float]]


def known(ranges: Ranges, coding: Coding) -> dict[str, tuple[float, float]]:
    """Return ranges of numbers.

    Raises
    ------
    InputError
        If one is of what is no number, or has no room.
    """
    numbers = {one.name for one in coding.variables if one.kind in (CONTINUOUS, POSITIVE, ORDINAL)}
    for name, (low, high) in ranges.items():
        if name not in numbers:
            raise InputError(
                "A range is given for {name}, which is no field of numbers that is released. "
                "Fields that can have one: {numbers}.",
                name=name,
                numbers=", ".join(sorted(numbers)) or "-",
            )
        if not low < high:
            raise InputError(
                "The range of {name} ends at {high:g}, which is not above its beginning, {low:g}.",
                name=name,
                low=low,
                high=high,
            )
    return dict(ranges)


def beyond(columns: Mapping[str, Observations], ranges: Ranges) -> tuple[Sentence, ...]:
    """Say how many originals lie beyond the ranges.

    Raises
    ------
    InputError
        If all of them do.
    """
    found = []
    for name, (low, high) in ranges.items():
        there = columns[name].there
        outside = int(np.count_nonzero((there < low) | (there > high)))
        if outside == len(there) > 0:
            raise InputError(
                "No original lies within the range that is given for {name}: each would be released as "
                "one of its ends. Give a range that holds most of them, or leave the field out.",
                name=name,
            )
        if outside:
            found.append(
                Sentence(
                    "{name}: {records} of the original beyond the range that was given; in the "
                    "release its end stands for all of them.",
                    name=name,
                    records=number_of(outside, "record", "records"),
                )
            )
    return tuple(found)


def within(released: Mapping[str, np.ndarray], ranges: Ranges) -> dict[str, np.ndarray]:
    """Return columns with the numbers beyond a range at its end."""
    result = dict(released)
    for name, (low, high) in ranges.items():
        result[name] = np.clip(result[name], low, high).astype(result[name].dtype)
    return result
