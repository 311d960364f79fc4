# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report on a point mask tells of the pattern: rows of the table, and charts."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.measures.envelopes import Envelope, RipleyCompared
from ...core.measures.ripley import Ripley
from ..families.measuring.measured import Patterns
from ..i18n import tr
from .common import PrivatePage
from .maskmeasures_row import UTILITY, Row


def pattern_rows(found: Patterns, unit: str) -> Iterator[Row]:
    """Return what stands in the table."""
    moved = found.drift
    yield Row(
        "mean_centre", UTILITY, tr("Drift of the mean centre"), value=moved.mean_drift, unit=unit
    )
    yield Row(
        "median_centre",
        UTILITY,
        tr("Drift of the median centre"),
        value=moved.median_drift,
        unit=unit,
    )
    yield Row(
        "standard_distance",
        UTILITY,
        tr("Standard distance"),
        moved.before.standard_distance,
        moved.after.standard_distance,
        moved.after.standard_distance - moved.before.standard_distance,
        unit,
        tr("the value is the difference"),
    )
    if found.densities is not None:
        yield Row(
            "kde_overlap",
            UTILITY,
            tr("Overlap of the kernel densities"),
            value=100 * found.densities.overlap,
            unit="%",
            speaks_of=tr("100: the same map, 0: nothing in common"),
        )
    if found.nearest is not None:
        one, other = found.nearest.before, found.nearest.after
        yield Row(
            "nearest_neighbour_index",
            UTILITY,
            tr("Nearest-neighbour index (Clark and Evans)"),
            one.index,
            other.index,
            other.index - one.index,
            speaks_of=tr("below 1 clustered, above 1 dispersed; the value is the difference"),
        )
        yield Row(
            "nearest_neighbour_ks",
            UTILITY,
            tr("Nearest-neighbour distances: largest difference of the distributions"),
            value=found.nearest.distances.ks_distance,
            speaks_of=tr("0: the same, 1: nothing in common"),
        )
    if found.ripley is not None:
        yield Row(
            "l_rmse",
            UTILITY,
            tr("L(t): root mean square of the difference"),
            value=found.ripley.rmse,
            unit=unit,
        )
        yield Row(
            "l_relative_rmse",
            UTILITY,
            tr("L(t): the same, as a share of the original's L"),
            value=100 * found.ripley.relative_rmse,
            unit="%",
        )


def pattern_numbers(found: Patterns) -> dict[str, float]:
    """Return the number outputs."""
    told = {"CENTRE_DRIFT": found.drift.mean_drift}
    if found.densities is not None:
        told["KDE_OVERLAP"] = found.densities.overlap
    if found.nearest is not None:
        told["NEAREST_KS"] = found.nearest.distances.ks_distance
    if found.ripley is not None:
        told["L_RMSE"] = found.ripley.rmse
    return told


def tell(page: PrivatePage, found: Patterns, unit: str) -> None:
    """Add the section of K, L and cross-K."""
    if found.ripley is None:
        return
    ripley: RipleyCompared = found.ripley
    page.section(tr("Pattern (Ripley's K and cross-K)"), "pattern")
    page.say(
        tr(
            "L(t) – t is above 0 where points lie closer together than at random: more of them "
            "within t of each other. A mask blurs what is shorter than its shifts. Cross-K counts "
            "released points within t of the true places: above the band they still gather there."
        )
    )
    page.lines(
        "l_chart",
        tr("L(t) – t before and after"),
        [
            _series(tr("Original"), ripley.before),
            _series(tr("Release"), ripley.after),
            *_band(tr("95 % of random patterns"), ripley.envelope_before),
        ],
        tr("Distance t"),
        tr("L(t) – t"),
        x_unit=unit,
        y_unit=unit,
        caption=tr("The band is pointwise: at each distance by itself."),
    )
    page.lines(
        "cross_chart",
        tr("Cross-L(t) – t from true places to released points"),
        [
            _series(tr("Original to release"), ripley.cross),
            *_band(tr("95 % of random releases"), ripley.envelope_cross),
        ],
        tr("Distance t"),
        tr("Cross-L(t) – t"),
        x_unit=unit,
        y_unit=unit,
    )


def _series(label: str, one: Ripley) -> tuple:
    return label, one.radii, one.l - one.radii


def _band(label: str, envelope: Envelope | None) -> list[tuple]:
    if envelope is None:
        return []
    low, high = envelope.low - envelope.radii, envelope.high - envelope.radii
    return [(label, envelope.radii, (low + high) / 2, low, high)]
