# SPDX-License-Identifier: GPL-2.0-or-later
"""Geometries as arrays: points and straight lines, and their well-known binary (WKB)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from qgis.core import QgsWkbTypes


@dataclass(frozen=True)
class Shapes:
    """Points (k = 1) or lines of two vertices (k = 2), one a row.

    Attributes
    ----------
    corners : ndarray of float64, shape (n, k, 2)
        A row with a coordinate that is not finite has no geometry.
    """

    corners: np.ndarray

    @classmethod
    def points(cls, xy: np.ndarray) -> Shapes:
        """Return points at ``xy``, shape (n, 2)."""
        return cls(np.asarray(xy, dtype=np.float64).reshape(-1, 1, 2))

    @classmethod
    def lines(cls, start: np.ndarray, end: np.ndarray, turn: float = 0.0) -> Shapes:
        """Return lines between two arrays of shape (n, 2).

        ``turn`` is what x grows by once round the globe, if it does: lines then take the short
        way across the antimeridian, and may end beyond it.
        """
        if turn:
            end = end.copy()
            end[:, 0] -= turn * np.rint((end[:, 0] - start[:, 0]) / turn)
        return cls(np.stack([start, end], axis=1).astype(np.float64, copy=False))

    def __len__(self) -> int:
        return len(self.corners)

    def __getitem__(self, rows: slice) -> Shapes:
        return Shapes(self.corners[rows])

    @property
    def wkb_type(self) -> Any:
        """QGIS's type of these geometries."""
        is_point = self.corners.shape[1] == 1
        return QgsWkbTypes.Type.Point if is_point else QgsWkbTypes.Type.LineString

    def there(self) -> np.ndarray:
        """Tell which rows have a geometry, shape (n,)."""
        return np.isfinite(self.corners).all(axis=(1, 2))

    def bounds(self) -> np.ndarray:
        """Return least and greatest x, then least and greatest y of each row, shape (n, 4)."""
        least, greatest = self.corners.min(axis=1), self.corners.max(axis=1)
        return np.stack([least[:, 0], greatest[:, 0], least[:, 1], greatest[:, 1]], axis=1)

    def wkb(self) -> np.ndarray:
        """Return one row of bytes for each geometry, shape (n, size)."""
        vertices = self.corners.shape[1]
        start = b"\x01" + int(self.wkb_type).to_bytes(4, "little")  # little endian, type
        if vertices > 1:
            start += vertices.to_bytes(4, "little")
        head = np.tile(np.frombuffer(start, np.uint8), (len(self), 1))
        body = np.ascontiguousarray(self.corners, "<f8").view(np.uint8)
        return np.hstack([head, body.reshape(len(self), 16 * vertices)])


def as_bytes(rows: np.ndarray) -> list[bytes]:
    """Return the rows of a two-dimensional byte array as a list of ``bytes``."""
    rows = np.ascontiguousarray(rows)
    return rows.view(f"V{rows.shape[1]}").ravel().tolist() if len(rows) else []
