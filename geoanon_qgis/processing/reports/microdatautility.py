# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on what an anonymised table keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...core.microdata.utility import Distribution, SpatialUtility, Utility
from ...report import Report, col
from ..families.analysing import Analyses
from ..families.comparing import Compared
from ..i18n import tr
from . import microdata
from . import microdatautility_analyses as more
from .common import PrivatePage


@dataclass(frozen=True)
class Kept:
    """What the report tells of.

    Attributes
    ----------
    pair : Compared
    kept : Utility
    spatial : SpatialUtility or None
    unit : str
        Of distances.
    analyses : Analyses
    """

    pair: Compared
    kept: Utility
    spatial: SpatialUtility | None
    unit: str
    analyses: Analyses


def sentences(told: Kept) -> list[str]:
    """What the log says."""
    kept = told.kept
    said = [
        tr(
            "Median differences: means {mean:.3g} standard deviations, variances {variance:.3g} of "
            "the original's, correlations {correlation:.3g}, rank correlations {rank:.3g}."
        ).format(
            mean=kept.mean.median,
            variance=kept.variance.median,
            correlation=kept.correlation.median,
            rank=kept.rank_correlation.median,
        )
    ]
    if told.spatial is not None:
        said.append(
            tr(
                "The mean centre moved by {shift:,.4g} {unit}; Moran's I differs by {moran:.3g} "
                "(median)."
            ).format(
                shift=told.spatial.mean_centre_shift,
                unit=told.unit,
                moran=told.spatial.moran.median,
            )
        )
    return said + more.sentences(told.analyses)


def warnings(told: Kept) -> list[str]:
    """What the log warns of, besides what it says of the tables."""
    return more.warnings(told.analyses)


def numbers(told: Kept) -> dict[str, float]:
    """The number outputs of what analysts do."""
    return more.numbers(told.analyses)


def steps(inputs: str) -> list[str]:
    """What to do next, with the parameters of :func:`..families.microdata.inputs_named`."""
    return [
        tr(
            "What is kept says nothing of who can be found. Run “Disclosure risk of microdata” "
            "(geoanon:disclosurerisk) with {inputs}."
        ).format(inputs=inputs)
    ]


def rows(told: Kept) -> list[tuple]:
    """Every measure: measure, variable, other, original, anonymised, difference."""
    kept, found = told.kept, []
    for name, one in (("mean", kept.mean), ("variance", kept.variance)):
        found += _of_columns(name, kept.labels, one)
    for name, one in (
        ("correlation", kept.correlation),
        ("rank_correlation", kept.rank_correlation),
    ):
        for at, (i, j) in enumerate(kept.pairs.tolist()):
            found.append((name, kept.labels[i], kept.labels[j], *_values(one, at)))
    for one in kept.distributions:
        found.append(("ks_distance", one.label, None, None, None, one.ks_distance))
    for one in in_own_units(told):
        found += _quantiles(one, one.label)
    if told.spatial is not None:
        spatial = told.spatial
        found += _of_columns("morans_i", spatial.labels, spatial.moran)
        found.append(("mean_centre_shift", None, None, None, None, spatial.mean_centre_shift))
        before, after = spatial.standard_distances
        found.append(("standard_distance", None, None, before, after, abs(after - before)))
        for name, one in (
            ("distance", spatial.distances),
            ("nearest_distance", spatial.nearest_distances),
        ):
            found.append((f"ks_{name}", None, None, None, None, one.ks_distance))
            found += _quantiles(one, name)
    return found + list(more.rows(told.analyses))


def in_own_units(told: Kept) -> list[Distribution]:
    """The quantiles of each column, in the unit of its field."""
    return [
        replace(
            one,
            original=microdata.natural(told.pair.coding, at, one.original),
            anonymized=microdata.natural(told.pair.coding, at, one.anonymized),
        )
        for at, one in enumerate(told.kept.distributions)
    ]


def _of_columns(name, labels, differences) -> list[tuple]:
    return [(name, label, None, *_values(differences, at)) for at, label in enumerate(labels)]


def _values(differences, at: int) -> tuple:
    values = (differences.original[at], differences.anonymized[at], differences.difference[at])
    return tuple(None if value != value else float(value) for value in values)


def _quantiles(one: Distribution, label: str) -> list[tuple]:
    return [
        (
            f"quantile_{100 * share:g}",
            label,
            None,
            float(before),
            float(after),
            abs(float(after) - float(before)),
        )
        for share, before, after in zip(one.shares, one.original, one.anonymized)
    ]


def report(told: Kept) -> Report:
    """Say what is kept of the statistics of columns, pairs of columns, and places."""
    pair, kept = told.pair, told.kept
    page = microdata.page_of(tr("Utility of anonymised microdata"), pair)
    page.section(tr("In short"), "result")
    microdata.utility_figures(page, kept)
    more.figures(page, told.analyses)
    _more_figures(page, told)
    page.warn([*pair.warnings, *warnings(told)])
    microdata.differences_chart(page, kept)
    page.section(tr("Column by column"), "columns")
    _columns(page, told)
    page.section(tr("Pairs of columns"), "pairs")
    _pairs(page, kept)
    microdata.worst_pairs(page, kept, pair.coding, pair.original.coded, pair.anonymized.coded)
    more.sections(page, told.analyses)
    page.section(tr("In space"), "space")
    _space(page, told)
    page.section(tr("By zone"), "zones")
    more.zones(page, told.analyses.zones)
    return microdata.closed(
        page,
        pair,
        tr(
            "Both tables are coded as the original is: positive fields as logarithms, numbers "
            "standardised by the original's mean and standard deviation, binary fields and the "
            "columns of categories −1 and +1. Correlations are those of different columns; "
            "constant columns have none. OUTPUT has every measure of every column and pair."
        ),
        more.method(told.analyses),
        sources=more.sources(told.analyses),
    )


def _more_figures(page: PrivatePage, told: Kept) -> None:
    if told.spatial is not None:
        page.figure(
            "mean_centre_shift",
            tr("Shift of the mean centre"),
            told.spatial.mean_centre_shift,
            tr("How far the middle of all points moved."),
            unit=told.unit,
        )
        page.figure(
            "morans_i",
            tr("Moran's I: median difference"),
            told.spatial.moran.median,
            tr("How far it is off that neighbours have similar values; 0: not at all."),
        )
    page.figure(
        "count",
        tr("Original records"),
        len(told.pair.original.rows),
        tr("That were compared with the anonymised ones."),
    )
    page.figure(
        "released",
        tr("Anonymised records"),
        len(told.pair.anonymized.rows),
        tr("That were compared with the originals."),
    )


def _both(one: Distribution) -> list[tuple]:
    """Quantiles of the original and of the anonymised, as two lines."""
    share = 100 * one.shares
    return [(tr("original"), one.original, share), (tr("anonymised"), one.anonymized, share)]


def _columns(page: PrivatePage, told: Kept) -> None:
    microdata.columns_table(page, told.kept)
    worst = sorted(in_own_units(told), key=lambda one: -one.ks_distance)[:4]
    for number, one in enumerate(worst, 1):
        page.lines(
            f"distribution_{number}",
            tr("Distribution of {column}").format(column=str(one.label).removeprefix("log ")),
            _both(one),
            tr("Value"),
            tr("Records"),
            y_unit="%",
            caption=tr("Quantiles: the least value, 1 %, 5 %, 10 %, 25 % and so on."),
        )


def _pairs(page: PrivatePage, kept: Utility) -> None:
    if not len(kept.pairs):
        return
    order = np.argsort(-np.nan_to_num(kept.correlation.difference), kind="stable")
    some = order[: microdata.MOST_LISTED].tolist()
    plain, ranks = kept.correlation, kept.rank_correlation
    page.scatter(
        "correlations",
        tr("Correlations"),
        [
            (tr("Pearson"), plain.original, plain.anonymized),
            (tr("Spearman (ranks)"), ranks.original, ranks.anonymized),
            (tr("the same in both"), (-1, 1), (-1, 1), True),
        ],
        tr("Original"),
        tr("Anonymised"),
        equal_axes=True,
    )
    page.table(
        "pairs_table",
        [
            col("one", tr("Column"), lambda at: kept.labels[kept.pairs[at, 0]]),
            col("other", tr("and"), lambda at: kept.labels[kept.pairs[at, 1]]),
            col(
                "correlation",
                tr("Correlation, original"),
                lambda at: plain.original[at],
                decimals=3,
            ),
            col("anonymized", tr("anonymised"), lambda at: plain.anonymized[at], decimals=3),
            col(
                "rank", tr("Rank correlation, original"), lambda at: ranks.original[at], decimals=3
            ),
            col("rank_anonymized", tr("anonymised"), lambda at: ranks.anonymized[at], decimals=3),
        ],
        some,
        tr("The pairs that differ most, {shown:,} of {all:,}.").format(
            shown=len(some), all=len(order)
        ),
    )


def _space(page: PrivatePage, told: Kept) -> None:
    spatial, unit = told.spatial, told.unit
    if spatial is None:
        return
    page.table(
        "space_table",
        [
            col("measure", tr("Measure")),
            col("original", tr("Original")),
            col("anonymized", tr("Anonymised")),
        ],
        [
            (label.format(unit=unit), *values)
            for label, values in (
                (tr("Standard distance from the mean centre ({unit})"), spatial.standard_distances),
                (tr("Median distance between points ({unit})"), _medians(spatial.distances)),
                (
                    tr("Median distance to the nearest point ({unit})"),
                    _medians(spatial.nearest_distances),
                ),
            )
        ],
    )
    for name, title, one in (
        ("distances", tr("Distances between points"), spatial.distances),
        ("nearest_distances", tr("Distances to the nearest point"), spatial.nearest_distances),
    ):
        page.lines(
            name,
            title,
            _both(one),
            tr("Distance"),
            tr("Share"),
            x_unit=unit,
            y_unit="%",
            caption=tr("Largest difference of the distributions: {ks:.3f}.").format(
                ks=one.ks_distance
            ),
        )
    moran = spatial.moran
    page.table(
        "morans_i_table",
        [
            col("column", tr("Moran's I of"), lambda at: spatial.labels[at]),
            col("original", tr("Original"), lambda at: moran.original[at], decimals=3),
            col("anonymized", tr("Anonymised"), lambda at: moran.anonymized[at], decimals=3),
            col("difference", tr("Difference"), lambda at: moran.difference[at], decimals=3),
        ],
        range(len(spatial.labels)),
        tr("Weights: the 8 nearest neighbours of each point."),
    )


def _medians(one: Distribution) -> tuple[float, float]:
    at = int(np.flatnonzero(one.shares == 0.5)[0])
    return float(one.original[at]), float(one.anonymized[at])
