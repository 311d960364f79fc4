# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays as text, for files of JSON that hold many numbers."""

from __future__ import annotations

import base64
import binascii

import numpy as np


def packed(array: np.ndarray) -> str:
    """Return the bytes of an array in base 64."""
    return base64.b64encode(array.tobytes()).decode("ascii")


def unpacked(text: str, kind: str) -> np.ndarray:
    """Return the array of numbers, (n,), that :func:`packed` has told.

    Raises
    ------
    ValueError
        If it is no such text.
    """
    try:
        return np.frombuffer(base64.b64decode(text, validate=True), dtype=kind)
    except binascii.Error as error:
        raise ValueError(text) from error
