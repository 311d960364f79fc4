# SPDX-License-Identifier: GPL-2.0-or-later
"""All ways to tell that somebody is in the file by whole records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...runtime.progress import Progress, part, silent, weighted
from ...runtime.wording import Sentence
from ..unheard import as_anybodys
from .beside_next import by_next
from .blanks import by_blanks
from .classes import by_classes
from .membership import by_kind, distances, membership, membership_by_ratio
from .moments import by_moments
from .patchwork import by_patches
from .presence import by_presence
from .scoring import Attack
from .table import Tables
from .totals import by_totals
from .whitened import by_components
from .within import by_groups


def members(
    tables: Tables,
    distance: tuple[np.ndarray, np.ndarray],
    blocks: Sequence[slice],
    known: Sequence[str] = (),
    as_it_is: np.ndarray | None = None,
    progress: Progress = silent,
) -> list[Attack]:
    """Name as members those who are near to a record.

    Parameters
    ----------
    tables : Tables
    distance : ((n,) array, (n,) array)
        See :func:`.battery.attack_release`.
    blocks : sequence of slice
        Columns of each variable.
    known : sequence of str
        What is known of people; everything where nothing is named.
    as_it_is : (p, m) array, optional
        The release before columns in other units were taken back: who is released among records of
        quite other people is near to her own as it is, and no longer once these are alike.
    """
    changed = as_it_is is not None and as_it_is is not tables.released
    measured = _as_anybodys(tables, blocks)
    unaltered = tables.released if as_it_is is None else as_it_is
    ways: list[tuple[float, Callable[..., list[Attack]]]] = [
        (7, partial(by_kind, measured, known)),
        (5, partial(by_blanks, tables, known)),
        (4, partial(by_components, tables, known)),
        (2, partial(by_moments, measured, known)),
        (4, partial(by_classes, tables, known)),
        (4, partial(by_groups, measured, known)),
        (2, partial(by_totals, tables, unaltered, known)),
        (2, partial(by_presence, tables, unaltered, known)),
        (4, partial(by_patches, tables, known)),
    ]
    weights = [weight for weight, _ in ways]
    near, *others, unchanged = weighted(progress, 70, *weights, 100 * changed)
    found = _near(measured, distance, near)
    for (_, attack), ahead in zip(ways, others):
        found += attack(progress=ahead)
    if as_it_is is None or not changed:
        return found
    there = _as_anybodys(replace(tables, released=as_it_is), blocks)
    theirs = distances(there, part(unchanged, 0.0, 0.4))
    return found + [
        replace(one, knows=Sentence("{knows} by values as they are released,", knows=one.knows))
        for one in _near(there, theirs, part(unchanged, 0.4, 1.0))
    ]


def _near(
    tables: Tables, distance: tuple[np.ndarray, np.ndarray], progress: Progress
) -> list[Attack]:
    found = [membership(tables, *distance, part(progress, 0.0, 0.47))]
    found.append(membership_by_ratio(tables, distance[0], part(progress, 0.47, 0.94)))
    return found + by_next(tables, part(progress, 0.94, 1.0))


def _as_anybodys(tables: Tables, blocks: Sequence[slice]) -> Tables:
    """The same with no category that no original has, for what goes by distances."""
    released = as_anybodys(tables.original, tables.released, blocks)
    reference = tables.reference
    if reference is not None:
        reference = as_anybodys(tables.original, reference, blocks)
    return replace(tables, released=released, reference=reference)
