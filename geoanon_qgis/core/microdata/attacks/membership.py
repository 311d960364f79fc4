# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership: whoever has a released record near enough is taken to be in the file."""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, part, silent
from ...runtime.wording import Sentence
from ..nearest import Records
from .scoring import MEMBERSHIP, Attack
from .table import Tables

#: Share of people who are not in the file whom he is ready to name wrongly.
_WRONGLY = 0.05


def membership(
    tables: Tables,
    distance: np.ndarray,
    other_distance: np.ndarray,
    progress: Progress = silent,
) -> Attack:
    """Name as members those with a released record nearer than one in twenty others has.

    Parameters
    ----------
    tables : Tables
    distance : (n,) array
        Of the originals from the nearest released record.
    other_distance : (n,) array
        The same from the nearest of the other originals, which is the control without a
        reference.

    Returns
    -------
    Attack
        One half of the control, dealt out at random, says how near is near enough, the other how
        many are named wrongly.
    """
    if tables.reference is None:
        others = other_distance
    else:
        rows = tables.control()
        records = Records(np.ascontiguousarray(tables.released), part(progress, 0.0, 0.6))
        asked = np.ascontiguousarray(tables.reference[rows])
        others = records.nearest(asked, 1, part(progress, 0.6, 1.0))[1][:, 0]
    half = np.random.default_rng(0).permutation(len(others))
    half, rest = half[: len(half) // 2], half[len(half) // 2 :]
    limit = float(np.quantile(others[half], _WRONGLY)) if len(half) else 0.0
    named = np.flatnonzero(distance < limit)
    return Attack(
        MEMBERSHIP,
        Sentence("everything of a person"),
        Sentence("tells that she is in the file"),
        len(distance),
        len(distance),
        len(named),
        len(rest),
        int(np.count_nonzero(others[rest] < limit)),
        _WRONGLY,
        rows=named,
    )
