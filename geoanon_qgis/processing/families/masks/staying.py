# SPDX-License-Identifier: GPL-2.0-or-later
"""Who was released stays where he was put: how masks look that up, and keep it for the next time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ....core.masking.kept_places import SQUARE_M, KeptPlaces, Staying
from ....core.masking.secretfile import SecretFile
from ....core.verification.pointmask import UsedLayer
from ...running import Run
from .masked import Masked, Points

#: What a mask file calls the number of places that earlier public layers put where they are: by
#: the layers of now nobody can explain them.
EARLIER = "EARLIER_LISTS"
#: What it calls cells that no single list tells: those of an earlier one, and of what is new since.
GROWN = "CELLS_OF_SEVERAL_LISTS"
Made = TypeVar("Made", bound=Masked)


def look_up(
    points: Points,
    run: Run,
    name: str,
    by: Mapping[str, Any],
    layers: Sequence[UsedLayer],
    xy: np.ndarray | None = None,
) -> Staying:
    """Return which places were released before, and where they were put.

    Parameters
    ----------
    points : Points
        With their secret.
    run : Run
    name : str
        What the places are kept as: the mask's id, and its method where that matters.
    by : mapping
        Parameters of the mask: with others nobody is added to those that are kept.
    layers : sequence of UsedLayer
        Public layers by which places are put now.
    xy : (m, 2) array, optional
        The places in the plane, where they are not those of the points.

    Raises
    ------
    InputError
        If places are kept that were put by other parameters, or what is kept makes no sense.
    """
    told = sorted(f"{one.parameter} {one.sha256}" for one in layers)
    apart = xy is None and points.closest is not None and points.closest > 2 * SQUARE_M
    return Staying.of(
        points.xy if xy is None else xy,
        KeptPlaces.read(points.secret.kept.get(name), by),
        "\n".join(told),
        points.secret.bytes,
        name,
        points.plane.metres_per_unit if points.table.crs.isValid() else None,
        run.outputs.wanted("SECRET_FILE") or bool(run.path("SECRET")),
        apart,
        run.outputs.ask,
    )


def stayed(masked: Made, name: str, before: Staying) -> Made:
    """Return what a mask made of points, with what it tells and keeps of those that stay.

    Parameters
    ----------
    masked : Masked
        Its points are those that ``before`` has put.
    name : str
        What the places are kept as.
    before : Staying
        Of all points.
    """
    way = replace(
        masked.way,
        parameters=with_earlier(masked.way.parameters, before, before.earlier),
        stays=bool(len(before.kept)),
    )
    kept = keeper(name, before, masked.xy)
    return replace(masked, way=way, kept=kept, earlier=before.earlier)


def with_earlier(told: Mapping[str, Any], before: Staying, earlier: np.ndarray) -> dict[str, Any]:
    """Return what a mask file tells, with the number of places that earlier layers put there."""
    count = len(np.unique(before.square[earlier]))
    return {**told, EARLIER: count} if count else dict(told)


def keeper(name: str, before: Staying, put: np.ndarray) -> Callable[[SecretFile], SecretFile]:
    """Return what adds the places of now to a secret file; ``put`` is of the places looked up."""
    return lambda secret: secret.with_kept(name, before.for_next_time(put).as_json())
