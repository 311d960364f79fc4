# SPDX-License-Identifier: GPL-2.0-or-later
"""What reports say of a release of distances: the same blocks wherever one is judged."""

from __future__ import annotations

from ...core.distances.accuracy import Accuracy, Summary
from ...core.distances.agreement import Agreement
from ...core.distances.bands import Band
from ...report import col
from ..i18n import tr
from .common import PrivatePage


def not_attacked() -> str:
    """What no attack on distances here looks for, for every verdict on a release of them."""
    return tr(
        "Searches for the place of a record itself, by somebody who knows none of the people: he "
        "draws a map from the distances and lays it over a list of all addresses. GeoAnon has no "
        "such attack yet, so nobody knows whether it would find where people live."
    )


def summary_sentence(kept: Summary) -> str:
    """The summary in one sentence, for the log."""
    return tr(
        "Kept: half of the released distances are below {ratio:.3f} of the true ones; the nearest "
        "neighbour is right for {nearest:.1f} % of the records; rank correlation {rank:.3f}; "
        "largest excess over a true distance {excess:.6g} {unit}."
    ).format(
        ratio=kept.median_ratio,
        nearest=100 * kept.nearest_kept,
        rank=kept.spearman,
        excess=kept.max_violation,
        unit=kept.unit,
    )


def figures(page: PrivatePage, kept: Summary) -> None:
    """The headline numbers."""
    sampled = (
        tr("from a random sample of {used:,} of {pairs:,} pairs").format(
            used=kept.pairs_used, pairs=kept.pairs
        )
        if kept.pairs_used < kept.pairs
        else ""
    )
    page.figure(
        "count",
        tr("Records"),
        kept.count,
        tr("People, or whatever a record stands for, between whom distances were released."),
    )
    page.figure(
        "median_ratio",
        tr("Median of released / true distance"),
        kept.median_ratio,
        tr("1 would be the truth. Half of the released distances are a smaller share of it."),
        note=sampled,
    )
    page.figure(
        "nearest_kept",
        tr("Nearest neighbours that are right"),
        100 * kept.nearest_kept,
        tr("How often the record that looks nearest in the release is the nearest in truth."),
        unit="%",
    )
    page.figure(
        "spearman",
        tr("Rank correlation of distances"),
        kept.spearman,
        tr("1: the release has all distances in the right order, from short to long; 0: in none."),
        note=sampled,
    )
    page.figure(
        "max_violation",
        tr("Largest excess over a true distance"),
        kept.max_violation,
        tr("By how much a released distance is too long, at the most; 0: none is."),
        unit=kept.unit,
        note=tr("over all pairs"),
    )


def band_label(band: Band) -> str:
    """Limits of a band in words."""
    return tr("{lower:,.4g} to {upper:,.4g}").format(lower=band.lower, upper=band.upper)


def bands(page: PrivatePage, detail: Accuracy) -> None:
    """Chart and table of released / true by true distance."""
    unit, found = detail.summary.unit, detail.bands
    page.section(tr("How distances are kept"), "kept")
    if not found:
        page.say(tr("All records are at one place: there is no ratio to tell of."))
        return
    page.lines(
        "bands_chart",
        tr("Released / true distance, by true distance"),
        [
            (
                tr("median, 5 % to 95 %"),
                [band.mean_distance for band in found],
                [band.median_ratio for band in found],
                [band.quantiles[0] for band in found],
                [band.quantiles[-1] for band in found],
            )
        ],
        tr("True distance"),
        tr("Released / true"),
        x_unit=unit,
        limits=((1.0, tr("true")),),
        x_log=True,
    )
    page.table(
        "bands",
        [
            col("band", tr("True distance"), band_label, unit=unit),
            col("pairs", tr("Pairs")),
            col("bias", tr("Mean of released − true"), unit=unit),
            col("sd_deviation", tr("Standard deviation of it"), unit=unit),
            col("median_ratio", tr("Median of released / true"), decimals=3),
            col("low", tr("5 % are below"), lambda band: band.quantiles[0], decimals=3),
            col("high", tr("95 % are below"), lambda band: band.quantiles[-1], decimals=3),
        ],
        found,
    )


def neighbours(page: PrivatePage, detail: Accuracy) -> None:
    """What is kept of neighbourhoods, and of the order of distances from two records."""
    page.section(tr("Neighbours and ranks"), "neighbourhoods")
    if detail.neighbours:
        page.table(
            "neighbours",
            [
                col("count", tr("Nearest neighbours looked at")),
                col(
                    "share",
                    tr("of them truly among the nearest"),
                    lambda one: 100 * one.share,
                    unit="%",
                    decimals=1,
                ),
            ],
            detail.neighbours,
        )
    if detail.centre is not None:
        page.say(
            tr(
                "Rank correlation of the distances from a record in the middle: {centre:.3f}; from "
                "one at the border: {border:.3f}."
            ).format(centre=detail.centre.spearman, border=detail.border.spearman)
        )


def analyses(page: PrivatePage, agreed: Agreement | None, unit: str) -> None:
    """What clustering, autocorrelation and DBSCAN say on true and on released distances."""
    page.section(tr("What analyses say"), "analyses")
    if agreed is None:
        return
    page.say(
        tr(
            "The same analyses were run on the true and on the released distances of {count:,} "
            "records. The adjusted Rand index is 1 where both put the records into the same "
            "groups, and about 0 where they agree by chance only."
        ).format(count=agreed.records)
    )
    rand = tr("Adjusted Rand index")
    linkages = {"average": tr("average"), "complete": tr("complete")}
    page.table(
        "clustering",
        [
            col(
                "method",
                tr("Agglomerative clustering"),
                lambda one: linkages.get(one.method, one.method),
            ),
            col("groups", tr("Groups"), "groups"),
            col("adjusted_rand", rand, "adjusted_rand", decimals=3),
        ],
        agreed.groupings,
    )
    rules = {"same radius": tr("the same radius"), "own radius": tr("a radius of its own")}
    page.table(
        "dbscan",
        [
            col("rule", tr("DBSCAN with"), lambda one: rules.get(one.rule, one.rule)),
            col(
                "radius",
                tr("Radius (true, released)"),
                lambda one: f"{one.true_radius:,.4g}, {one.released_radius:,.4g}",
                unit=unit,
            ),
            col(
                "true",
                tr("Clusters / noise, true"),
                lambda one: f"{one.true_clusters} / {one.true_noise}",
            ),
            col(
                "released",
                tr("Clusters / noise, released"),
                lambda one: f"{one.released_clusters} / {one.released_noise}",
            ),
            col("adjusted_rand", rand, decimals=3),
        ],
        agreed.density,
    )
    _morans_i(page, agreed, unit)


def _morans_i(page: PrivatePage, agreed: Agreement, unit: str) -> None:
    fields = agreed.autocorrelation
    weights = {
        "radius": tr("within {radius:,.4g} {unit}").format(radius=agreed.radius, unit=unit),
        "nearest": tr("nearest neighbours"),
    }
    if fields and not agreed.simulated:
        page.table(
            "morans_i",
            [
                col("field", tr("Moran's I of")),
                col("weights", tr("weights"), lambda one: weights.get(one.weights, one.weights)),
                col("true", tr("true"), decimals=3),
                col("released", tr("released"), decimals=3),
            ],
            fields,
        )
    elif fields:
        kinds = list(dict.fromkeys(one.weights for one in fields))

        def mean(kind: str, name: str) -> float:
            return _mean([getattr(one, name) for one in fields if one.weights == kind])

        page.table(
            "morans_i",
            [
                col(
                    "weights",
                    tr("Moran's I of simulated fields, weights"),
                    lambda kind: weights.get(kind, kind),
                ),
                col("true", tr("mean, true"), lambda kind: mean(kind, "true"), decimals=3),
                col("released", tr("mean, released"), lambda k: mean(k, "released"), decimals=3),
                col(
                    "error",
                    tr("mean absolute difference"),
                    agreed.autocorrelation_error,
                    decimals=3,
                ),
            ],
            kinds,
            tr("As no attribute was chosen, smooth random fields were simulated: {count}.").format(
                count=len(fields) // max(1, len(kinds))
            ),
        )


def _mean(values: list[float]) -> float:
    there = [value for value in values if value == value]
    return sum(there) / len(there) if there else float("nan")
