# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report on a point mask tells of each record: rows of the table, and number outputs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..families.measuring.measured import Matched
from ..i18n import tr
from .maskmeasures_row import UTILITY, Row


def matched_rows(found: Matched, unit: str) -> Iterator[Row]:
    """Return what stands in the table."""
    before, after = found.clusters.clusters
    yield Row(
        "dbscan_rand",
        UTILITY,
        tr("DBSCAN: adjusted Rand index of both clusterings"),
        before,
        after,
        found.clusters.adjusted_rand,
        speaks_of=tr("1: the same clusters, 0: as by chance; beside it the numbers of clusters"),
    )
    if found.moran is not None:
        moran = found.moran
        yield Row(
            "morans_i",
            UTILITY,
            tr("Moran's I"),
            moran.before.i,
            moran.after.i,
            moran.after.i - moran.before.i,
            speaks_of=tr("the value is the difference"),
        )
        yield Row(
            "lisa_sign",
            UTILITY,
            tr("Local Moran's I: zones with the same sign"),
            value=100 * moran.same_sign,
            unit="%",
        )
        yield Row(
            "lisa_kept",
            UTILITY,
            tr("Local Moran's I: significant zones that still are, in the same quadrant"),
            value=100 * moran.kept,
            unit="%",
        )
    if found.services is not None:
        errors = found.services
        yield Row(
            "service_distance",
            UTILITY,
            tr("Distance to the nearest service: median, and median error"),
            float(np.median(errors.before)),
            float(np.median(errors.after)),
            errors.median_absolute_error,
            unit,
        )
        yield Row(
            "service_changed",
            UTILITY,
            tr("Another service is the nearest"),
            value=100 * errors.share_changed,
            unit="%",
        )
    if found.zones is not None:
        yield Row(
            "zones_kept",
            UTILITY,
            tr("Points that stay in their zone"),
            value=100 * found.zones.share_kept,
            unit="%",
        )
    if found.populated is not None:
        yield Row(
            "outside_populated",
            UTILITY,
            tr("Points where nobody lives"),
            100 * found.populated.share_before,
            100 * found.populated.share_after,
            unit="%",
        )


def matched_numbers(found: Matched) -> dict[str, float]:
    """Return the number outputs."""
    told = {"RAND": found.clusters.adjusted_rand}
    if found.moran is not None:
        told["MORANS_I_BEFORE"] = found.moran.before.i
        told["MORANS_I_AFTER"] = found.moran.after.i
        told["LISA_KEPT"] = found.moran.kept
    if found.services is not None:
        told["SERVICE_ERROR"] = found.services.median_absolute_error
    if found.zones is not None:
        told["ZONES_KEPT"] = found.zones.share_kept
    if found.populated is not None:
        told["OUTSIDE"] = found.populated.share_after
    return told
