# SPDX-License-Identifier: GPL-2.0-or-later
"""What masking does to ways to services, to the zone of a record, and to places nobody lives at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..masking.zones import checked_shapes, zone_of
from ..runtime.errors import InputError
from ..runtime.geos import shapely
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, figure
from ..space.points import QUERY_ROWS, as_points, build_tree
from .matched import in_pairs

#: Part of a distance by which rounding may make two that are equal differ.
_SAME = 1e-12
_LOCATED = 8_192


@dataclass(frozen=True, eq=False, repr=False)
class ServiceErrors(Summarised):
    """Straight ways to the nearest service, before and after.

    Attributes
    ----------
    before, after : (n,) arrays
        Distance of each record to its nearest service, in the unit of the coordinates.
    changed : (n,) bool array
        Whether another service is the nearest now. Not where two are equally near.

    The figures below are NaN where there are no records.
    """

    before: np.ndarray
    after: np.ndarray
    changed: np.ndarray

    @property
    def error(self) -> np.ndarray:
        """After less before, (n,)."""
        return self.after - self.before

    @property
    def mean_error(self) -> float:
        """Bias: above 0 where masked points lie farther from services."""
        return float(self.error.mean()) if len(self.error) else float("nan")

    @property
    def mean_absolute_error(self) -> float:
        return float(np.abs(self.error).mean()) if len(self.error) else float("nan")

    @property
    def median_absolute_error(self) -> float:
        return float(np.median(np.abs(self.error))) if len(self.error) else float("nan")

    @property
    def rmse(self) -> float:
        """Root mean squared error."""
        return float(np.sqrt(np.mean(self.error**2))) if len(self.error) else float("nan")

    @property
    def share_changed(self) -> float:
        return float(self.changed.mean()) if len(self.changed) else float("nan")

    def in_words(self) -> str:
        """Say the typical error."""
        return (
            f"Distance to the nearest service: off by {figure(self.median_absolute_error, '.4g')}"
            f" in the median, {figure(self.mean_error, '+.4g')} on average; another service is the"
            f" nearest for {figure(self.share_changed, '.1%')} of {len(self.before):,} records."
        )


def service_errors(
    original: np.ndarray,
    released: np.ndarray,
    services: np.ndarray,
    progress: Progress = silent,
) -> ServiceErrors:
    """Compare distances to the nearest service, as the crow flies.

    Parameters
    ----------
    original, released : (n, 2) arrays
        In one plane, the same records in the same order.
    services : (s, 2) array
        At least one.
    progress : callable

    Returns
    -------
    ServiceErrors

    Raises
    ------
    InputError
        If there is no service, or points and records do not fit.
    """
    original, released = in_pairs(original, released)
    services = as_points(services, Sentence("services"))
    if not len(services):
        raise InputError(Sentence("There is no service to measure the distance to."))
    tree = build_tree(services, part(progress, 0.0, 0.1))
    away, which = np.empty((2, len(original))), np.empty((2, len(original)), dtype=np.intp)
    for number, xy in enumerate((original, released)):
        ahead = part(progress, 0.1 + 0.45 * number, 0.55 + 0.45 * number)
        for rows in chunks(len(xy), QUERY_ROWS, ahead):
            away[number, rows], which[number, rows] = tree.query(xy[rows])
    # Two that are equally near on either side are no change.
    crossed = np.stack([original - services[which[1]], released - services[which[0]]])
    crossed = np.hypot(crossed[..., 0], crossed[..., 1])
    slack = _SAME * (away + np.abs(services).max())
    changed = (which[0] != which[1]) & (crossed > away + slack).all(axis=0)
    return ServiceErrors(away[0], away[1], changed)


@dataclass(frozen=True, eq=False, repr=False)
class ZonesKept(Summarised):
    """Records that stay in their zone.

    Attributes
    ----------
    before, after : (n,) int arrays
        Zone of each record; -1 for none.
    counts_before, counts_after : (z,) int arrays
        Records of each zone.
    """

    before: np.ndarray
    after: np.ndarray
    counts_before: np.ndarray
    counts_after: np.ndarray

    @property
    def share_kept(self) -> float:
        """Share that is in the same zone, of those that had one; NaN if nobody had."""
        had = self.before >= 0
        return float((self.before == self.after)[had].mean()) if had.any() else float("nan")

    @property
    def outside_before(self) -> int:
        """Records in no zone."""
        return int((self.before < 0).sum())

    @property
    def outside_after(self) -> int:
        """Released records in no zone."""
        return int((self.after < 0).sum())

    def in_words(self) -> str:
        """Say how many stay."""
        return (
            f"{figure(self.share_kept, '.1%')} of the records are released in their own zone, of"
            f" {len(self.counts_before):,}; {self.outside_after:,} in none"
            f" ({self.outside_before:,} before)."
        )


def zones_kept(
    original: np.ndarray,
    released: np.ndarray,
    zones: Sequence[Any],
    progress: Progress = silent,
) -> ZonesKept:
    """Find out whose released point lies in the zone of the record.

    Parameters
    ----------
    original, released : (n, 2) arrays
        In one plane, the same records in the same order.
    zones : sequence of z shapely polygons
        A point in several is in the same of them before and after.
    progress : callable

    Returns
    -------
    ZonesKept

    Raises
    ------
    InputError
        If a zone has no area or crosses itself, or points and records do not fit.
    """
    original, released = in_pairs(original, released)
    shapes = checked_shapes(zones)
    before = zone_of(original, shapes, part(progress, 0.0, 0.5))
    after = zone_of(released, shapes, part(progress, 0.5, 1.0))
    counts = [np.bincount(at[at >= 0], minlength=len(shapes)) for at in (before, after)]
    return ZonesKept(before, after, counts[0], counts[1])


@dataclass(frozen=True, eq=False, repr=False)
class Populated(Summarised):
    """Points outside of where people live.

    Attributes
    ----------
    before, after : (n,), (m,) bool arrays
        Which original, and which released points lie outside.
    """

    before: np.ndarray
    after: np.ndarray

    @property
    def share_before(self) -> float:
        return float(self.before.mean()) if len(self.before) else float("nan")

    @property
    def share_after(self) -> float:
        return float(self.after.mean()) if len(self.after) else float("nan")

    def in_words(self) -> str:
        """Say how many lie outside."""
        return (
            f"{figure(self.share_after, '.1%')} of the released points lie outside the populated"
            f" area ({figure(self.share_before, '.1%')} of the originals)."
        )


def outside_populated(
    original: np.ndarray,
    released: np.ndarray,
    areas: Sequence[Any],
    progress: Progress = silent,
) -> Populated:
    """Find the points that lie outside of populated areas; on the border is inside.

    Parameters
    ----------
    original, released : (n, 2), (m, 2) arrays
        In one plane; rows need not correspond.
    areas : sequence of shapely polygons
    progress : callable

    Returns
    -------
    Populated

    Raises
    ------
    InputError
        If an area has no size or crosses itself.
    """
    geos = shapely()
    tree = geos.STRtree(checked_shapes(areas))
    found = []
    for number, xy in enumerate((as_points(original), as_points(released))):
        outside = np.ones(len(xy), dtype=bool)
        for rows in chunks(len(xy), _LOCATED, part(progress, number / 2, (number + 1) / 2)):
            inside, _ = tree.query(geos.points(xy[rows]), predicate="intersects")
            outside[rows.start + inside] = False
        found.append(outside)
    return Populated(*found)
