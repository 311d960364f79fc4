# SPDX-License-Identifier: GPL-2.0-or-later
"""Where records come to lie that are released at addresses: there, beside them, or at crossings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....core.masking.kept_draws import KeptDraws
from ....core.masking.secretfile import SecretFile
from ....core.space.planes import PROJECTION_ERROR_M
from ....core.space.points import build_tree
from ....core.verification.pointmask import UsedLayer
from ...running import Run
from .address_inputs import ADDRESS, CROSSING
from .crossings import read_crossings
from .masked import Points
from .staying import keeper, look_up


def least_step(points: Points) -> float:
    """Two transformations of one place differ by less than this, in units of the plane."""
    return PROJECTION_ERROR_M / points.plane.metres_per_unit


def released_at(
    there: np.ndarray,
    addresses: np.ndarray,
    draws: KeptDraws,
    points: Points,
    run: Run,
    layers: list[UsedLayer],
) -> tuple[np.ndarray, np.ndarray, Callable[[SecretFile], SecretFile]]:
    """Where records are drawn that are released at addresses: by the address alone.

    Also, which stay where another list or other streets have put them, and what keeps them there.
    """
    output_at = run.choice("OUTPUT_AT")
    if output_at == ADDRESS:
        return there, np.zeros(len(there), dtype=bool), lambda secret: secret
    if output_at == CROSSING:
        crossings = read_crossings(points, run, layers)
        drawn, used = crossings[build_tree(crossings).query(there)[1]], layers[-1:]
    else:
        drawn, used = _beside(there, addresses, draws), layers[:1]
    name = f"{draws.mask} {output_at}"
    before = look_up(points, run, name, {}, used, there)
    put = before.put(drawn)
    return put, before.earlier, keeper(name, before, put)


def _beside(there: np.ndarray, addresses: np.ndarray, draws: KeptDraws) -> np.ndarray:
    """Places within half of the way from addresses to the next one."""
    unique, of_row = np.unique(there, axis=0, return_inverse=True)
    of_row = of_row.reshape(-1)
    away = build_tree(addresses).query(unique, k=2)[0]
    # An address that the list has no more is none of the two.
    half = np.where(away[:, 0] > 0, away[:, 0], away[:, 1]) / 2
    numbers = draws.bound_to(b"beside").uniforms(unique, half[:, None], 0)
    away, turn = half * np.sqrt(numbers[:, 0]), 2 * np.pi * numbers[:, 1]
    step = away[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return there + step[of_row]
