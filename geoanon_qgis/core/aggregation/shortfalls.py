# SPDX-License-Identifier: GPL-2.0-or-later
"""Areas that a release tells little or nothing of, which the sums over all areas do not show."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from ..runtime.wording import Sentence, number_of
from .evaluation import Areas, Measures

#: Fewer records than this are few for an area.
FEW = 100
#: An area that loses more than this share of its records releases little.
_HALF = 0.5


@dataclass(frozen=True)
class Shortfalls:
    """Areas that release nothing or little, by their rows.

    Attributes
    ----------
    areas : int
        Areas that hold a region.
    unused : (a,) int array
        Areas in whose regions nobody lives.
    nothing : (b,) int array
        Areas of whose records none is released.
    little : (c,) int array
        Other areas of which more than half of the records are suppressed.
    few : (d,) int array
        Areas that hold records, but fewer than :data:`FEW`.
    least, mean : float
        Records of the area with fewest, and of an area on average.
    """

    areas: int
    unused: np.ndarray
    nothing: np.ndarray
    little: np.ndarray
    few: np.ndarray
    least: int
    mean: float

    @classmethod
    def of(cls, areas: Areas) -> Shortfalls:
        """Look through the areas."""
        records, released = areas.records, areas.records - areas.suppressed
        there = areas.regions > 0
        count = int(there.sum())
        lost = np.where(records > 0, areas.suppressed / np.maximum(records, 1), 0.0)
        return cls(
            count,
            np.flatnonzero(there & (records == 0)),
            np.flatnonzero((records > 0) & (released == 0)),
            np.flatnonzero((released > 0) & (lost > _HALF)),
            np.flatnonzero((records > 0) & (records < FEW)),
            int(records[there].min(initial=records.max(initial=0))),
            float(records.sum() / max(1, count)),
        )

    @property
    def rows(self) -> np.ndarray:
        """All of them, ascending."""
        parts = (self.unused, self.nothing, self.little, self.few)
        return np.unique(np.concatenate(parts)).astype(np.intp)

    def told(self) -> Sentence:
        """Say how many there are."""
        return Sentence(
            "Of {areas}, {nothing} nothing, {little} less than half of their records, and {few} "
            "fewer than {bound:,}. The smallest holds {least}, an area on average {mean:,.0f}.",
            areas=number_of(self.areas, "area", "areas"),
            nothing=number_of(len(self.nothing), "releases", "release"),
            little=number_of(len(self.little), "releases", "release"),
            few=number_of(len(self.few), "holds", "hold"),
            bound=FEW,
            least=number_of(self.least, "record", "records"),
            mean=self.mean,
        )


@dataclass(frozen=True)
class Traded:
    """What became of one measure.

    Attributes
    ----------
    name : str
        Of the attribute of :class:`.evaluation.Measures`.
    before, after : float
    limited : bool
        Whether the search, or the moves at borders, were held to a limit of it.
    """

    name: str
    before: float
    after: float
    limited: bool

    @property
    def change(self) -> float | None:
        """As a share of what it was; None where that was nothing."""
        return (self.after - self.before) / self.before if self.before else None


#: What a search may trade for fewer suppressed records.
TRADED = (
    "suppressed",
    "compactness",
    "entropy_loss",
    "discernibility",
    "discernibility_full",
    "smallest_class",
    "areas",
)


def traded(before: Measures, after: Measures, limited: Collection[str] = ()) -> list[Traded]:
    """What a search made of every measure.

    Parameters
    ----------
    before, after : Measures
    limited : collection of str
        Names of the measures that had a limit.
    """
    return [
        Traded(
            name,
            float(getattr(before, name)),
            float(getattr(after, name)),
            name in limited,
        )
        for name in TRADED
    ]


def told_by_totals(areas: Areas, combinations: int) -> np.ndarray:
    """Return areas of which a class below k follows from how many records they hold.

    Parameters
    ----------
    areas : Areas
    combinations : int
        Of the quasi-identifiers, that may occur.

    Returns
    -------
    (a,) int array
        Where somebody is suppressed, and all combinations but one are shown, or all that are not
        hold k - 1: then the records that are not released can only be of them.
    """
    size = len(areas.records)
    of_class = np.repeat(np.arange(size), np.diff(areas.counts.indptr))
    shown = np.bincount(of_class[areas.counts.data >= areas.k], minlength=size)
    left = combinations - shown
    full = areas.suppressed == left * (areas.k - 1)
    return np.flatnonzero((areas.suppressed > 0) & ((left == 1) | full))
