# SPDX-License-Identifier: GPL-2.0-or-later
"""What a mask is given, and what it gives back: places, how they moved, and who is withheld."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....core.masking.secretfile import SecretFile
from ....core.runtime.progress import Progress
from ....core.space.planes import Plane
from ....core.verification import pointmask
from ....core.verification.pointmask import UsedLayer
from ...i18n import number_of, tr
from ...layers import unrolled
from ...layers.reading import PointTable
from ...reports.masking import Story


@dataclass(frozen=True)
class Points:
    """What is masked.

    Attributes
    ----------
    table : PointTable
        As it was read; ``table.crs`` is the system of the layer.
    plane : Plane
    xy : (n, 2) array
        The places in the plane, in which a unit is a metre where one is known.
    west : float or None
        Where the map begins, for what crosses the antimeridian.
    secret : SecretFile or None
        Of masks whose draws are kept.
    closest : float or None
        Metres between the two places that are nearest to each other, where that was looked for.
    """

    table: PointTable
    plane: Plane
    xy: np.ndarray
    west: float | None
    secret: SecretFile | None = None
    closest: float | None = None

    @classmethod
    def of(
        cls, table: PointTable, plane: Plane, progress: Progress, secret: SecretFile | None = None
    ) -> Points:
        """Return what was read, in a plane."""
        xy = plane.forward(table.xy, progress)
        return cls(table, plane, xy, unrolled.western_end(plane, table.xy), secret)

    def stored(self, xy: np.ndarray, progress: Progress) -> np.ndarray:
        """Return places of the plane as the layer stores its own."""
        return unrolled.stored_places(xy, self.plane, self.west, progress)

    def taken(self, rows: np.ndarray) -> Points:
        """Return some of them."""
        return replace(self, table=self.table.taken(rows), xy=self.xy[rows])


@dataclass(frozen=True)
class Withheld:
    """Records that a mask cannot move: they are kept out of the release, and counted.

    Attributes
    ----------
    kind : (n,) int array
        0 for what is released, else the number of a reason.
    reasons : sequence of (str, str)
        From number 1 on: a word for tables and files, the same in all languages, and what is
        said after “3 records are withheld:”, translated, which says what to do.
    """

    kind: np.ndarray
    reasons: Sequence[tuple[str, str]]

    @property
    def counts(self) -> list[int]:
        """How many for each reason."""
        return np.bincount(self.kind, minlength=len(self.reasons) + 1)[1:].tolist()

    def sentences(self) -> list[str]:
        """Say of each reason that there is how many are withheld for it, and what to do."""
        return [
            tr("{records} withheld: {why}").format(
                records=number_of(count, "record is", "records are"), why=sentence
            )
            for count, (_, sentence) in zip(self.counts, self.reasons)
            if count
        ]


@dataclass(frozen=True)
class Way:
    """How a mask moved points, for its mask file.

    Attributes
    ----------
    law : str
    parameters : dict
        As the algorithm has them.
    layers : sequence of UsedLayer
        Public layers that were used.
    drawn : bool
        Whether anything was drawn by the secret; a centre is the same without it.
    stays : bool
        Whether the secret file keeps where places of earlier releases were put, so that other
        parameters or layers move none of them.
    """

    law: str
    parameters: dict[str, pointmask.Value]
    layers: Sequence[UsedLayer] = ()
    drawn: bool = True
    stays: bool = False


@dataclass(frozen=True)
class Masked:
    """What a mask made of points.

    Attributes
    ----------
    xy : (n, 2) array
        In the plane, in the order of the originals.
    story : Story
        What the report tells of this mask.
    numbers : dict
        The mask's own number outputs.
    kinds : (n,) array of str or None
        ``singleton``, ``pair`` or ``unmoved``, where the outputs declare kinds.
    withheld : Withheld or None
        What of them cannot be released, for masks that write WITHHELD.
    way : Way or None
        For masks that write MASK.
    kept : callable or None
        Adds to a secret file what else the next release needs, such as groups of records.
    support : callable or None
        For masks that write SUPPORT: rings of the plane, counter-clockwise and not closed, within
        which the points of some rows could have gone.
    possible : callable or None
        Places of the plane, (m, 2), to which the point of a row could have gone, for a picture:
        drawn anew, never with the numbers that moved it.
    earlier : (n,) bool array or None
        Who stays where other public layers than those of now have put him, which cannot explain
        it then; for masks that keep where places were put.
    """

    xy: np.ndarray
    story: Story
    numbers: dict[str, Any]
    kinds: np.ndarray | None = None
    withheld: Withheld | None = None
    way: Way | None = None
    kept: Callable[[SecretFile], SecretFile] | None = None
    support: Callable[[np.ndarray], Sequence[np.ndarray]] | None = None
    possible: Callable[[int], np.ndarray] | None = None
    earlier: np.ndarray | None = None

    @property
    def of_now(self) -> np.ndarray:
        """Whether the public layers of now explain where each is put, (n,)."""
        return np.ones(len(self.xy), dtype=bool) if self.earlier is None else ~self.earlier

    def taken(self, rows: np.ndarray) -> Masked:
        """Return some of the points."""
        kinds = None if self.kinds is None else self.kinds[rows]
        earlier = None if self.earlier is None else self.earlier[rows]
        asked = self.possible
        possible = None if asked is None else (lambda row: asked(int(rows[row])))
        xy = self.xy[rows]
        return replace(self, xy=xy, kinds=kinds, possible=possible, earlier=earlier)
