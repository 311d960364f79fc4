# SPDX-License-Identifier: GPL-2.0-or-later
"""Anonymised places and the study area: which lie inside, and drawing the others into it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, part
from .coding import Coding
from .observations import round_to

#: Steps by which a point outside the study area is drawn to one inside.
_HALVINGS = 40
#: Places that are looked up in the study area at a time.
_ASKED = 20_000

Inside = Callable[[np.ndarray], np.ndarray]


def place_columns(coding: Coding, place: tuple[str, str]) -> list:
    """Return the variables that are the coordinates; refuse records without a place."""
    variables = {variable.name: variable for variable in coding.variables}
    if any(variables[name].missing for name in place):
        raise InputError("Some records have no place. Leave them out, or the geometry.")
    return [variables[name] for name in place]


def _places(coded: np.ndarray, variables: list) -> np.ndarray:
    """Places as they will be released: rounded like the originals."""
    return np.stack(
        [round_to(coded[:, v.columns.start] * v.scale + v.centre, v.resolution) for v in variables],
        axis=1,
    )


def acceptance(
    coding: Coding, place: tuple[str, str] | None, inside: Inside | None
) -> Callable[[np.ndarray], np.ndarray] | None:
    """Return what tells of coded records whether they lie inside; None where nobody asks."""
    if place is None:
        return None
    variables = place_columns(coding, place)
    if inside is None:
        return None
    return lambda coded: np.asarray(inside(_places(coded, variables)), dtype=bool)


def draw_inside(
    coded: np.ndarray, coding: Coding, place: tuple[str, str], inside: Inside, progress: Progress
) -> int:
    """Draw points outside to the nearest one inside, in place; return how many there were."""
    from ..space.points import build_tree

    variables = place_columns(coding, place)
    xy = _places(coded, variables)
    asked = chunks(len(xy), _ASKED, part(progress, 0.0, 0.5))
    within = np.concatenate([inside(xy[rows]) for rows in asked]).astype(bool)
    outside = np.flatnonzero(~within)
    if len(outside) == 0:
        return 0
    if not within.any():
        raise InputError(
            "No anonymised point lies in the study area. Check that the area covers the"
            " original points and has the same coordinate reference system."
        )
    targets = xy[within]
    target = targets[build_tree(targets).query(xy[outside])[1]]
    # The far end is inside always, so that the point found is, even in an area with holes.
    low, high = np.zeros(len(outside)), np.ones(len(outside))
    reached = target.copy()
    for number in range(_HALVINGS):
        progress(0.5 + 0.5 * number / _HALVINGS)
        middle = (low + high) / 2
        tried = xy[outside] + (target - xy[outside]) * middle[:, None]
        for at, variable in enumerate(variables):
            tried[:, at] = round_to(tried[:, at], variable.resolution)
        good = np.asarray(inside(tried), dtype=bool)
        reached[good] = tried[good]
        high = np.where(good, middle, high)
        low = np.where(good, low, middle)
    for variable, values in zip(variables, reached.T):
        if variable.scale > 0:
            values = (values - variable.centre) / variable.scale
            coded[outside, variable.columns.start] = values
    return len(outside)
