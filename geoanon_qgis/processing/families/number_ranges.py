# SPDX-License-Identifier: GPL-2.0-or-later
"""Ranges of numbers, as a user writes them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...core.runtime.errors import InputError
from ..dialog import parameters
from ..i18n import tr
from .named_parts import named_parts


def parameter():
    """Within which numbers are released."""
    return parameters.text(
        "RANGES",
        tr("Ranges of numbers"),
        tr(
            "Numbers beyond are released as the end of their range (top and bottom coding), as in "
            "age=0..90, income=..200000. Fields that are not named keep the range they have."
        ),
        advanced=True,
    )


def read(text: str, fields: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Read ``age=0..90, income=..200000``.

    Raises
    ------
    InputError
        If a part cannot be read, or names no field.
    """
    fields = set(fields)
    found: dict[str, tuple[float, float]] = {}
    for part, name, ends in named_parts(text, fields):
        low, dots, high = (one.strip() for one in ends.partition(".."))
        try:
            range_ = float(low or "-inf"), float(high or "inf")
        except ValueError:
            range_ = (np.nan, np.nan)
        if not (dots and (low or high)) or np.isnan(range_).any():
            raise InputError(
                tr(
                    "“{part}” says no range of a field. Write it as in age=0..90, income=..200000."
                ).format(part=part)
            )
        if name not in fields:
            raise InputError(
                tr(
                    "The ranges name the field “{name}”, which is not among those that take part."
                ).format(name=name)
            )
        found[name] = range_
    return found
