# SPDX-License-Identifier: GPL-2.0-or-later
"""What is known of an adaptive Voronoi mask, and the others that candidates have in a file that is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...space.points import build_tree

#: Files that are drawn, fewest and most, and candidates in all of them that are worth their time.
_LEAST, _MOST, _CANDIDATES = 20, 100, 4_000_000
#: Adversaries need no secret: the same files give the same figures.
SEED = 21


@dataclass(frozen=True, eq=False)
class Setting:
    """What is known of a mask beside the points.

    Attributes
    ----------
    xy : (m, 2) array
        Candidates, metres.
    area : (m,) int array
        Of each; below zero for none, from where nothing is released.
    shapes : (a,) array of shapely polygons
    weight : (m,) array or None
    """

    xy: np.ndarray
    area: np.ndarray
    shapes: np.ndarray
    weight: np.ndarray | None = None

    @property
    def files(self) -> int:
        """How many files are drawn."""
        return int(np.clip(_CANDIDATES // max(1, len(self.xy)), _LEAST, _MOST))


@dataclass(frozen=True, eq=False)
class Company:
    """The others that candidates have in one file.

    Attributes
    ----------
    count : (a,) int array
        Places of the file in each area.
    row, away : (m, 2) arrays
        The two nearest rows of the file to each candidate, itself not among them; -1 and infinite
        where there is none.
    xy : (n, 2) array
        Places of the rows.
    """

    count: np.ndarray
    row: np.ndarray
    away: np.ndarray
    xy: np.ndarray

    @classmethod
    def of(cls, setting: Setting, drawn: np.ndarray) -> Company:
        """Find it for a candidate drawn for each row, (n,); -1 for none."""
        member = np.flatnonzero(drawn >= 0)
        member = member[setting.area[drawn[member]] >= 0]
        of_member = setting.area[drawn[member]]
        count = np.bincount(of_member, minlength=len(setting.shapes))
        row = np.full((len(setting.xy), 4), -1, dtype=np.int64)
        away = np.full(row.shape, np.inf)
        joined = member[count[of_member] > 1]
        if len(joined):
            tree = build_tree(setting.xy[drawn[joined]])
            gap, near = tree.query(setting.xy, k=[1, 2, 3])
            there = np.isfinite(gap)
            away[:, :3] = gap
            row[:, :3] = np.where(there, joined[np.where(there, near, 0)], -1)
        # Who would be alone but for the candidate is its company, too.
        single = np.full(len(setting.shapes) + 1, -1, dtype=np.int64)
        few = member[count[of_member] == 1]
        single[setting.area[drawn[few]]] = few
        row[:, 3] = single[setting.area]
        here = row[:, 3] >= 0
        gap = setting.xy[drawn[row[here, 3]]] - setting.xy[here]
        away[here, 3] = np.hypot(*gap.T)
        # The candidate's own place is somebody's draw for it, not a neighbour.
        away[away == 0] = np.inf
        order = np.argsort(away, axis=1, kind="stable")[:, :2]
        away = np.take_along_axis(away, order, axis=1)
        row = np.where(np.isfinite(away), np.take_along_axis(row, order, axis=1), -1)
        return cls(count, row, away, setting.xy[np.maximum(drawn, 0)])
