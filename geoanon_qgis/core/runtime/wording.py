# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers in sentences."""

from __future__ import annotations

#: For what cannot be computed, such as a correlation of two pairs.
NOT_DEFINED = "not defined"


def figure(value: float, form: str) -> str:
    """A number in a format such as ``.3g``, in words where there is none."""
    return NOT_DEFINED if value != value else format(value, form)


def number_of(count: int, one: str, many: str) -> str:
    """A number with its noun: ``1 area``, ``2,004 areas``."""
    return f"{count:,} {one if count == 1 else many}"
