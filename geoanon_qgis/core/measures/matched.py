# SPDX-License-Identifier: GPL-2.0-or-later
"""Originals and released points in pairs."""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import Sentence
from ..space.points import as_points


def in_pairs(original: np.ndarray, released: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return two (n, 2) arrays whose rows are the same records.

    Raises
    ------
    InputError
        If there are not as many, or some are no points.
    """
    original = as_points(original, Sentence("original points"))
    released = as_points(released, Sentence("released points"))
    if original.shape != released.shape:
        raise InputError(
            "There are {before} original and {after} released points: give them in pairs.",
            before=len(original),
            after=len(released),
        )
    return original, released
