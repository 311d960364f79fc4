# SPDX-License-Identifier: GPL-2.0-or-later
"""Columns of few different values, kept as codes until they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np


class Codes(Protocol):
    """An array, or what can be sliced like one."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: slice) -> np.ndarray: ...


class Coded:
    """A column for the writers that looks its values up batch by batch.

    Ten million texts as Python objects do not fit where ten million codes do.

    Parameters
    ----------
    codes : (n,) int array, or what can be sliced like one
        Positions in ``values``.
    values : sequence
        Plain Python values, None for NULL.

    Attributes
    ----------
    codes, values
        As they were given.
    """

    def __init__(self, codes: Codes, values: Sequence[Any]):
        self.values = list(values)
        self.codes = codes
        self._table = np.empty(len(self.values), dtype=object)
        self._table[:] = self.values

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: slice) -> list[Any]:
        return self._table[self.codes[rows]].tolist()
