# SPDX-License-Identifier: GPL-2.0-or-later
"""What reports say of a release of distances: the same blocks wherever one is judged."""

from __future__ import annotations

from ...core.distances.accuracy import Accuracy, Band, Summary
from ...core.distances.agreement import Agreement
from ...report import Column, Figure, Figures, Lines, Mark, Paragraph, Reference, Series, Table
from ..i18n import tr

KROLL_SCHNELL = Reference(
    "Kroll, M. and Schnell, R. (2016). Anonymisation of geographical distance matrices via "
    "Lipschitz embedding. International Journal of Health Geographics 15, 1.",
    "10.1186/s12942-015-0031-7",
)
KROLL = Reference(
    "Kroll, M. (2015). A graph theoretic linkage attack on microdata in a metric space. "
    "Transactions on Data Privacy 8, 217–243."
)


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


def figures(kept: Summary) -> Figures:
    """The headline numbers."""
    sampled = (
        tr("from a random sample of {used:,} of {pairs:,} pairs").format(
            used=kept.pairs_used, pairs=kept.pairs
        )
        if kept.pairs_used < kept.pairs
        else ""
    )
    return Figures(
        (
            Figure("count", tr("Records"), kept.count),
            Figure(
                "median_ratio",
                tr("Median of released / true distance"),
                kept.median_ratio,
                note=sampled,
            ),
            Figure(
                "nearest_kept",
                tr("Nearest neighbours that are right"),
                100 * kept.nearest_kept,
                "%",
            ),
            Figure("spearman", tr("Rank correlation of distances"), kept.spearman, note=sampled),
            Figure(
                "max_violation",
                tr("Largest excess over a true distance"),
                kept.max_violation,
                kept.unit,
                note=tr("over all pairs"),
            ),
        )
    )


def band_label(band: Band) -> str:
    """Limits of a band in words."""
    return tr("{lower:,.4g} to {upper:,.4g}").format(lower=band.lower, upper=band.upper)


def bands(detail: Accuracy) -> tuple:
    """Chart and table of released / true by true distance."""
    unit = detail.summary.unit
    found = detail.bands
    if not found:
        return (Paragraph(tr("All records are at one place: there is no ratio to tell of.")),)
    middle = [band.mean_distance for band in found]
    return (
        Lines(
            tr("Released / true distance, by true distance"),
            (
                Series(
                    tr("median, 5 % to 95 %"),
                    middle,
                    [band.median_ratio for band in found],
                    [band.quantiles[0] for band in found],
                    [band.quantiles[-1] for band in found],
                ),
            ),
            tr("True distance"),
            tr("Released / true"),
            x_unit=unit,
            limits=(Mark(1.0, tr("true")),),
            x_log=True,
            name="bands_chart",
        ),
        Table(
            (
                Column("band", tr("True distance"), unit=unit),
                Column("pairs", tr("Pairs")),
                Column("bias", tr("Mean of released − true"), unit=unit),
                Column("sd_deviation", tr("Standard deviation of it"), unit=unit),
                Column("median_ratio", tr("Median of released / true"), decimals=3),
                Column("low", tr("5 % are below"), decimals=3),
                Column("high", tr("95 % are below"), decimals=3),
            ),
            [
                (
                    band_label(band),
                    band.pairs,
                    band.bias,
                    band.sd_deviation,
                    band.median_ratio,
                    band.quantiles[0],
                    band.quantiles[-1],
                )
                for band in found
            ],
            name="bands",
        ),
    )


def neighbours(detail: Accuracy) -> tuple:
    """What is kept of neighbourhoods, and of the order of distances from two records."""
    rows = [(one.count, 100 * one.share) for one in detail.neighbours]
    blocks = (
        [
            Table(
                (
                    Column("count", tr("Nearest neighbours looked at")),
                    Column("share", tr("of them truly among the nearest"), unit="%", decimals=1),
                ),
                rows,
                name="neighbours",
            )
        ]
        if rows
        else []
    )
    if detail.centre is not None:
        blocks.append(
            Paragraph(
                tr(
                    "Rank correlation of the distances from a record in the middle: {centre:.3f}; "
                    "from one at the border: {border:.3f}."
                ).format(centre=detail.centre.spearman, border=detail.border.spearman)
            )
        )
    return tuple(blocks)


def analyses(agreed: Agreement | None, unit: str) -> tuple:
    """What clustering, autocorrelation and DBSCAN say on true and on released distances."""
    if agreed is None:
        return ()
    weights = {
        "radius": tr("within {radius:,.4g} {unit}").format(radius=agreed.radius, unit=unit),
        "nearest": tr("nearest neighbours"),
    }
    rules = {"same radius": tr("the same radius"), "own radius": tr("a radius of its own")}
    linkages = {"average": tr("average"), "complete": tr("complete")}
    fields = agreed.autocorrelation
    blocks = [
        Paragraph(
            tr(
                "The same analyses were run on the true and on the released distances of {count:,} "
                "records. The adjusted Rand index is 1 where both put the records into the same "
                "groups, and about 0 where they agree by chance only."
            ).format(count=agreed.records)
        ),
        Table(
            (
                Column("method", tr("Agglomerative clustering")),
                Column("groups", tr("Groups")),
                Column("adjusted_rand", tr("Adjusted Rand index"), decimals=3),
            ),
            [
                (linkages.get(one.method, one.method), one.groups, one.adjusted_rand)
                for one in agreed.groupings
            ],
            name="clustering",
        ),
        Table(
            (
                Column("rule", tr("DBSCAN with")),
                Column("radius", tr("Radius (true, released)"), unit=unit),
                Column("true", tr("Clusters / noise, true")),
                Column("released", tr("Clusters / noise, released")),
                Column("adjusted_rand", tr("Adjusted Rand index"), decimals=3),
            ),
            [
                (
                    rules.get(one.rule, one.rule),
                    f"{one.true_radius:,.4g}, {one.released_radius:,.4g}",
                    f"{one.true_clusters} / {one.true_noise}",
                    f"{one.released_clusters} / {one.released_noise}",
                    one.adjusted_rand,
                )
                for one in agreed.density
            ],
            name="dbscan",
        ),
    ]
    if not fields:
        return tuple(blocks)
    if agreed.simulated:
        kinds = list(dict.fromkeys(one.weights for one in fields))
        rows = []
        for kind in kinds:
            mine = [one for one in fields if one.weights == kind]
            rows.append(
                (
                    weights.get(kind, kind),
                    _mean([one.true for one in mine]),
                    _mean([one.released for one in mine]),
                    agreed.autocorrelation_error(kind),
                )
            )
        blocks.append(
            Table(
                (
                    Column("weights", tr("Moran's I of simulated fields, weights")),
                    Column("true", tr("mean, true"), decimals=3),
                    Column("released", tr("mean, released"), decimals=3),
                    Column("error", tr("mean absolute difference"), decimals=3),
                ),
                rows,
                caption=tr(
                    "As no attribute was chosen, smooth random fields were simulated: {count}."
                ).format(count=len(fields) // max(1, len(kinds))),
                name="morans_i",
            )
        )
    else:
        blocks.append(
            Table(
                (
                    Column("field", tr("Moran's I of")),
                    Column("weights", tr("weights")),
                    Column("true", tr("true"), decimals=3),
                    Column("released", tr("released"), decimals=3),
                ),
                [
                    (one.field, weights.get(one.weights, one.weights), one.true, one.released)
                    for one in fields
                ],
                name="morans_i",
            )
        )
    return tuple(blocks)


def _mean(values: list[float]) -> float:
    there = [value for value in values if value == value]
    return sum(there) / len(there) if there else float("nan")
