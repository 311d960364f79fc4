# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that lie within those of an earlier release, hold whole ones of them, or are the same again.

Areas that overlap can be subtracted from each other in ways that nobody can foresee. Of areas that are
nested only one subtraction is left, that of parts from their whole, which :mod:`.withholding` prevents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..runtime.errors import InputError
from ..runtime.wording import number_of
from .demands import Demands

#: How new areas lie to earlier ones.
ANY, REFINE, COARSEN, SAME = "any", "refine", "coarsen", "same"
MODES = (ANY, REFINE, COARSEN, SAME)
#: Names that a sentence lists.
_NAMED = 5


def nested(
    demands: Demands,
    xy: np.ndarray,
    old: np.ndarray,
    names: Sequence[str],
    mode: str,
    none: str,
) -> Demands:
    """Return demands by which areas are nested with those of an earlier release.

    Parameters
    ----------
    demands : Demands
        What is asked for besides.
    xy : (n, 2) array
        Regions in the plane.
    old : (n,) int array
        Earlier area of each region; -1 for a region that was in none. Such regions are never put
        together with others where areas are refined or the same.
    names : sequence of str
        What the earlier areas are called, by number.
    mode : str
        ``refine``: every new area lies in one earlier area. ``coarsen``: every earlier area lies in
        one new area. ``same``: both.
    none : str
        What regions in no earlier area are called together.

    Returns
    -------
    Demands

    Raises
    ------
    InputError
        Where no areas can be nested and keep what is asked for besides: an earlier area that
        crosses a border, comes in pieces, or is too wide or too large, where it must not be parted.
    """
    free = int(old.max(initial=-1)) + 1
    label = np.where(old >= 0, old, free)
    together = None
    if mode in (COARSEN, SAME):
        together = label.copy()
        if mode == COARSEN:
            together[old < 0] = free + np.arange(int((old < 0).sum()))
        _refuse_borders(demands, together, names)
        _refuse_pieces(demands, together, names)
        _refuse_wide(demands, xy, together, names)
    if mode == COARSEN:
        return replace(demands, together=together)
    called = [*names, none]
    part, part_names = label, [called[one] for one in range(free + 1)]
    if demands.part is not None:
        pairs, part = np.unique(np.stack([label, demands.part]), axis=1, return_inverse=True)
        part = part.reshape(-1)
        given = demands.part_names or [""] * (int(demands.part.max()) + 1)
        part_names = [f"{called[one]}, {given[other]}" for one, other in pairs.T.tolist()]
    return replace(demands, part=part, part_names=tuple(part_names), together=together)


def _refuse_borders(demands: Demands, together: np.ndarray, names: Sequence[str]) -> None:
    if demands.part is None:
        return
    pairs = np.unique(np.stack([together, demands.part]), axis=1)[0]
    crossing = np.flatnonzero(np.bincount(pairs) > 1)
    if len(crossing):
        raise InputError(
            "{areas} ({some}) across a border that no area may cross (NEVER_CROSS, HIERARCHY): no area "
            "can hold such a one whole. Leave that border out, or refine the earlier areas.",
            areas=number_of(len(crossing), "area of the earlier release lies", "earlier areas lie"),
            some=_listed(crossing, names),
        )


def _refuse_pieces(demands: Demands, together: np.ndarray, names: Sequence[str]) -> None:
    if not demands.contiguous or demands.bridged or demands.near is None:
        return
    loose = np.flatnonzero(demands.near.pieces_of(together, int(together.max()) + 1) > 1)
    if len(loose):
        raise InputError(
            "{areas} in several pieces ({some}): no area that holds such a one whole is sure to be in "
            "one piece. Do without that (CONTIGUOUS=no), have gaps bridged (CONTIGUOUS=bridged), or "
            "refine the earlier areas.",
            areas=number_of(len(loose), "area of the earlier release is", "earlier areas are"),
            some=_listed(loose, names),
        )


def _refuse_wide(
    demands: Demands, xy: np.ndarray, together: np.ndarray, names: Sequence[str]
) -> None:
    if not demands.are_of_extent:
        return
    order = np.argsort(together, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(together[order])) + 1)
    wide = [together[rows[0]] for rows in groups if not demands.allow(xy, rows)]
    large = np.array([one for one in wide if one < len(names)], dtype=np.int64)
    if len(large):
        raise InputError(
            "{areas} wider or larger than an area may be ({some}): no area can hold such a one whole. "
            "Allow wider or larger areas, or refine the earlier ones.",
            areas=number_of(len(large), "area of the earlier release is", "earlier areas are"),
            some=_listed(large, names),
        )


def _listed(areas: np.ndarray, names: Sequence[str]) -> str:
    more = ", …" if len(areas) > _NAMED else ""
    return ", ".join(names[one] for one in areas[:_NAMED].tolist()) + more
