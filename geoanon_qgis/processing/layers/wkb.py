# SPDX-License-Identifier: GPL-2.0-or-later
"""Coordinates out of well-known binary (WKB), and what is wrong with what holds no place."""

from __future__ import annotations

import struct

import numpy as np

from ...core.runtime.errors import InputError
from ..i18n import number_of, tr
from ..wording import named

#: One point as WKB, as QGIS writes it: little endian, 21 bytes.
WKB_POINT = np.dtype([("order", "u1"), ("type", "<u4"), ("x", "<f8"), ("y", "<f8")])

_POINT, _MULTIPOINT = 1, 4
#: What such a point starts with.
POINT_HEAD = struct.pack("<BI", 1, _POINT)


class Places:
    """Collects the coordinates of features, and what is wrong with those that have none."""

    def __init__(self) -> None:
        self.left_out: list[tuple[int, str]] = []
        self.had_z = False
        self.had_m = False
        self._parts: list[np.ndarray] = []
        self._several: list[int] = []
        self._other: list[int] = []

    def add(self, wkbs: list[bytes], ids: list[int]) -> list[int] | None:
        """Take a batch; return the rows that have a place, None when all of them have."""
        if set(map(len, wkbs)) == {WKB_POINT.itemsize}:
            points = np.frombuffer(b"".join(wkbs), dtype=WKB_POINT)
            xy = np.column_stack([points["x"], points["y"]])
            if (points["type"] == _POINT).all() and np.isfinite(xy).all():
                self._parts.append(xy)
                return None
        keep, found = [], []
        for row, (wkb, feature_id) in enumerate(zip(wkbs, ids)):
            place = self._one(wkb, feature_id)
            if place is not None:
                keep.append(row)
                found.append(place)
        self._parts.append(np.array(found, dtype=np.float64).reshape(-1, 2))
        return keep

    def xy(self) -> np.ndarray:
        return np.concatenate([np.empty((0, 2)), *self._parts])

    def refuse_what_is_no_point(self) -> None:
        if self._several:
            raise InputError(
                tr(
                    "{features} several points: {ids}. Run “Multipart to singleparts” first and "
                    "use its result."
                ).format(
                    features=number_of(len(self._several), "feature has", "features have"),
                    ids=named(self._several),
                )
            )
        if self._other:
            raise InputError(
                tr("{features}: {ids}. Choose a point layer, or run “Centroids” first.").format(
                    features=number_of(
                        len(self._other), "feature is no point", "features are no points"
                    ),
                    ids=named(self._other),
                )
            )

    def _one(self, wkb: bytes, feature_id: int) -> tuple[float, float] | None:
        if not wkb:
            self.left_out.append((feature_id, tr("no geometry")))
            return None
        kind, z, m = _kind(wkb, 1)
        self.had_z |= z
        self.had_m |= m
        start = 5
        if kind == _MULTIPOINT:
            (parts,) = struct.unpack_from("<I", wkb, 5)
            if parts == 0:
                self.left_out.append((feature_id, tr("empty geometry")))
                return None
            if parts > 1:
                self._several.append(feature_id)
                return None
            start = 14  # count, then byte order and type of the only part
        elif kind != _POINT:
            self._other.append(feature_id)
            return None
        x, y = struct.unpack_from("<dd", wkb, start)
        if np.isfinite(x) and np.isfinite(y):
            return x, y
        # WKB knows no empty point: it is written as one whose coordinates are all NaN.
        empty = np.isnan(x) and np.isnan(y)
        self.left_out.append(
            (feature_id, tr("empty geometry") if empty else tr("coordinates that are no numbers"))
        )
        return None


def _kind(wkb: bytes, offset: int) -> tuple[int, bool, bool]:
    """Return the flat type and whether there are Z and M, in ISO and in the older 2.5-D codes."""
    (code,) = struct.unpack_from("<I", wkb, offset)
    dimensions = (code & 0x0FFFFFFF) // 1000
    old_z = bool(code & 0x80000000)
    return (code & 0x0FFFFFFF) % 1000, old_z or dimensions in (1, 3), dimensions in (2, 3)


def multipoint(xy: np.ndarray) -> bytes:
    """Return points as one geometry."""
    points = np.empty(len(xy), dtype=WKB_POINT)
    points["order"] = 1
    points["type"] = _POINT
    points["x"], points["y"] = xy[:, 0], xy[:, 1]
    return struct.pack("<BII", 1, _MULTIPOINT, len(xy)) + points.tobytes()
