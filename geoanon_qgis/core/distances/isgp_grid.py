# SPDX-License-Identifier: GPL-2.0-or-later
"""The secret grid of ISGP: grid points with labels, shifted and turned at random.

Labels are a keyed hash (BLAKE2b) of a grid point's row and column. Who has no key cannot tell them
from random numbers, and who has it can code places that come later, which is what the method is
for. Numbers straight out of a generator would be neither: of some, others can be computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, silent
from ..space.points import LARGEST

#: Beyond, a place has more labels than a table of them can be used for.
MOST_PER_RADIUS = 200.0
#: Bytes of a label, and of the key.
LABEL, KEY = 8, 32
_ROW_AND_COLUMN = Struct("<qq")


@dataclass(frozen=True)
class SecretGrid:
    """A grid with labels. All of it is secret but the radius.

    Attributes
    ----------
    radius, spacing : float
        Of a place's disc, and between neighbouring grid points; in the unit of the plane.
    origin : (float, float)
        Where the grid point in row and column 0 lies.
    angle : float
        By which the rows are turned, in radians.
    key : bytes
        Of the labels.
    """

    radius: float
    spacing: float
    origin: tuple[float, float]
    angle: float
    key: bytes

    @classmethod
    def draw(cls, radius: float, spacing: float, rng: np.random.Generator) -> SecretGrid:
        """Draw a shift, a turn and a key.

        Parameters
        ----------
        radius, spacing : float
        rng : numpy.random.Generator

        Raises
        ------
        InputError
            If the grid is too wide for the radius, too narrow, or either is not positive.
        """
        _check(radius, spacing)
        x, y = rng.random(2) * spacing
        angle = float(rng.random() * np.pi / 2)
        return cls(float(radius), float(spacing), (float(x), float(y)), angle, rng.bytes(KEY))

    def places(self, cells: np.ndarray) -> np.ndarray:
        """Places of grid points, from rows and columns: (m, 2) int -> (m, 2)."""
        return np.asarray(cells, float) @ self._axes * self.spacing + self.origin

    def cells(self, xy: np.ndarray) -> np.ndarray:
        """Rows and columns of places, with fractions: (n, 2) -> (n, 2)."""
        return (xy - np.array(self.origin)) @ self._axes.T / self.spacing

    def labels(self, cells: np.ndarray, progress: Progress = silent) -> np.ndarray:
        """Labels of grid points: (m, 2) int -> (m,) uint64."""
        found = np.empty(len(cells), dtype="<u8")
        pack = _ROW_AND_COLUMN.pack
        for some in chunks(len(cells), 20_000, progress):
            hashes = (
                blake2b(pack(*cell), digest_size=LABEL, key=self.key).digest()
                for cell in cells[some].tolist()
            )
            found[some] = np.frombuffer(b"".join(hashes), dtype="<u8")
        return found.astype(np.uint64)

    @property
    def _axes(self) -> np.ndarray:
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.array([[cos, sin], [-sin, cos]])


def refuse_unless_length(radius: float) -> None:
    """Refuse a radius that is no length.

    Raises
    ------
    InputError
    """
    if not 0 < radius < LARGEST:
        raise InputError(
            "The radius must be positive and no longer than places can be apart, not {radius:g}.",
            radius=radius,
        )


def _check(radius: float, spacing: float) -> None:
    refuse_unless_length(radius)
    if not (np.isfinite(spacing) and 0 < spacing <= radius):
        raise InputError(
            "The distance of the grid points must be positive and not above the radius"
            " ({radius:g}), not {spacing:g}.",
            radius=radius,
            spacing=spacing,
        )
    if radius > MOST_PER_RADIUS * spacing:
        raise InputError(
            "With {per:,.0f} grid points to a radius, every place has {labels:,.0f} labels. Take"
            " the grid points farther apart: {most:,.0f} to a radius at most.",
            per=radius / spacing,
            labels=np.pi * (radius / spacing) ** 2,
            most=MOST_PER_RADIUS,
        )
