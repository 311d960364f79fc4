# SPDX-License-Identifier: GPL-2.0-or-later
"""Points that were masked before distances are made of them: what is told of the mask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....core.runtime.errors import InputError
from ....core.verification import pointmask
from ...dialog import parameters
from ...dialog.rules import GIVEN
from ...i18n import figure, mark, tr
from ...layers.reading import PointTable
from ...running import Run
from ..mask_files import is_release_of
from .displacement_inputs import DISTANCE, GAUSSIAN

POINT_MASK, POINT_SHIFT = "POINT_MASK", "POINT_SHIFT"
#: Mean distance moved by a Gaussian to its standard deviation in each direction.
_MEAN_TO_SPREAD = float(np.sqrt(np.pi / 2))


@dataclass(frozen=True)
class Masked:
    """What a mask before an embedding says of it.

    Attributes
    ----------
    spread : float
        Standard deviation in each direction of Gaussian noise that moves points as far on average, in
        metres: what attacks on the distances take for the noise before the embedding.
    settings : list of (str, str)
    warnings : list of str
    known : mapping
        Parameters of the attack.
    """

    spread: float
    settings: list[tuple[str, str]]
    warnings: list[str]
    known: Mapping[str, Any]


def inputs() -> list:
    """Return the parameters."""
    return [
        parameters.file_source(
            POINT_MASK,
            tr("Private: mask file of the points, if they are masked already"),
            tr(
                "The points of INPUT are then those that a point mask released, such as "
                "“Exchange of addresses”, and this is the file that it wrote as MASK. Distances are "
                "made of the masked points, and tell no more than these. Empty: they are the true "
                "places."
            ),
            tr("JSON files (*.json)"),
            advanced=True,
        ),
        parameters.number(
            POINT_SHIFT,
            tr("Mean shift of the masked points (metres)"),
            tr(
                "With POINT_MASK: how far the mask moved points on average, as its report tells. An "
                "adversary is taken to know it. A Gaussian of one size for all needs no such number."
            ),
            optional=True,
            minimum=0.0,
            advanced=True,
            only_when={POINT_MASK: GIVEN},
        ),
    ]


def read(run: Run, table: PointTable) -> Masked | None:
    """Read the mask file; None where points are the true places.

    Raises
    ------
    InputError
        If it is none, or nothing tells how far points moved.
    """
    path = run.path(POINT_MASK)
    if not path:
        return None
    mask = pointmask.read(path)
    told, shift = mask.parameters, run.number(POINT_SHIFT)
    size = told.get("MAX")
    plain = told.get("LAW") == GAUSSIAN and told.get("SIZE_BY") == DISTANCE
    if plain and isinstance(size, (int, float)):
        spread = float(size)
    elif shift:
        spread = shift / _MEAN_TO_SPREAD
    else:
        raise InputError(
            mark(
                "The mask file does not say how far points moved. Give the mean shift (POINT_SHIFT) "
                "that the mask's report tells: attacks on the distances need it, and find too little "
                "without."
            )
        )
    warnings = [
        tr(
            "The points were masked before. What is said here of true distances is said of those "
            "between masked points: no distance is a lower bound of the true one. Keep the masked "
            "points private; together with the distances they tell more."
        )
    ]
    if is_release_of(mask, run.source("INPUT"), table, run) is False:
        warnings.append(
            tr(
                "The mask file was written with other points, or the layer was changed since: choose "
                "the points and the mask file of one release."
            )
        )
    said = tr("{mask}, as far as Gaussian noise of {spread} m in each direction").format(
        mask=mask.mask, spread=figure(spread, ",.4g")
    )
    return Masked(spread, [(tr("Masked before"), said)], warnings, {"PRE_NOISE": f"{spread:.6g}"})
