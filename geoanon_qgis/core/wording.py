# SPDX-License-Identifier: GPL-2.0-or-later
"""Numbers in sentences."""

from __future__ import annotations


def number_of(count: int, one: str, many: str) -> str:
    """A number with its noun: ``1 area``, ``2,004 areas``."""
    return f"{count:,} {one if count == 1 else many}"
