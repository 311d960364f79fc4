# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a key and a mask file are those of the points that are attacked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....core.attacks.masks import each_by_itself, fit
from ....core.runtime.errors import InputError
from ....core.space.planes import PROJECTION_ERROR_M
from ....core.verification.pointmask import PointMask
from ...i18n import mark
from ...layers import keys
from ...layers.reading import PointTable
from .known import Explained

_OTHER_KEY = mark(
    "The points did not move from the places of the key “{key}” as the mask file says. Choose the "
    "key and the mask file that were written with these points; a score by others tells nothing."
)
_OTHER_LAW = mark(
    "The points did not move from the places of the key “{key}” as was seen or estimated of another tool's "
    "mask. Choose the key of these points; if it is that, give public points that the tool moved with "
    "the same settings (BEFORE, AFTER), or the law (LAW), for points alone do not tell it."
)
#: A gap between the distances and the law that only another key or mask file leaves.
_OTHER = 0.5
#: What points that moved together are off, whose distances are those of the law.
_TOGETHER = 0.2


def refuse_other_system(mask: PointMask, released: PointTable) -> None:
    """Refuse points in another system than those of the mask.

    Raises
    ------
    InputError
    """
    own = keys.crs_text(released.crs) or ""
    if own != mask.crs:
        raise InputError(
            mark(
                "The mask file is of points in {theirs}, and the released ones are in {own}. "
                "Choose the layer and the mask file of one release, as they were written."
            ),
            theirs=mask.crs or mark("no reference system"),
            own=own or mark("no reference system"),
        )


@dataclass(frozen=True)
class Fit:
    """Points that cannot have come from their homes, and how far distances are off.

    Attributes
    ----------
    impossible : int
    gap : float
        0 where the distances may well be those of the law.
    uneven : str or None
        What the points did that the law leaves out; see :mod:`....core.attacks.masks.each_by_itself`.
    """

    impossible: int = 0
    gap: float = 0.0
    uneven: str | None = None

    @classmethod
    def of(
        cls,
        explained: Explained,
        xy: np.ndarray,
        candidates: np.ndarray,
        home: np.ndarray | None,
        weight: np.ndarray | None,
        key: keys.Key | None,
        estimated: bool = False,
        by_itself: bool = False,
        stored: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> Fit:
        """Hold the key against the mask; an estimated law may be too wide, and the key is right.

        Without a mask file (``by_itself``) the law was typed, seen or estimated. ``stored`` are points and
        candidates as layers have them.

        Raises
        ------
        InputError
            If one of them is not of these points.
        """
        if key is None or home is None or not (home >= 0).any():
            return cls()
        likelihood, law = explained.likelihood, explained.law
        known = int((home >= 0).sum())
        never = int(fit.cannot_be_home(likelihood, home).sum())
        apart, other, uneven = 0.0, 0.0, None
        if law is not None:
            away = np.hypot(*(xy - candidates[np.maximum(home, 0)]).T)
            if not estimated or np.median(away[home >= 0]) > PROJECTION_ERROR_M:
                apart = fit.gap(law, home, away)
            other = fit.gap(law, home, away, farther=True) if estimated else apart
            if not apart and fit.drift(home, candidates[np.maximum(home, 0)], xy):
                apart = _TOGETHER
            rows, first = np.unique(home, return_index=True)
            first, rows = first[rows >= 0], rows[rows >= 0]
            share = law.of(rows).within(away[first])
            step = xy[first] - candidates[rows]
            uneven = each_by_itself.seen(candidates[rows], step, share, candidates)
            if stored is not None and each_by_itself.by_whole_numbers(
                stored[1][rows], stored[0][first]
            ):
                uneven = uneven or each_by_itself.WHOLE
        if 2 * never > known or other > _OTHER:
            raise InputError(_OTHER_LAW if by_itself else _OTHER_KEY, key=key.name)
        return cls(int(fit.cannot_be_home(likelihood, home, weight).sum()), apart, uneven)
