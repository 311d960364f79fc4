# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on what an anonymised table keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...core.microdata.utility import Distribution, SpatialUtility, Utility
from ...report import (
    Column,
    Dots,
    Figure,
    Figures,
    Lines,
    Notice,
    Report,
    Scatter,
    Section,
    Series,
    Table,
)
from ..families.comparing import Compared
from ..i18n import tr
from . import common, microdata


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
    """

    pair: Compared
    kept: Utility
    spatial: SpatialUtility | None
    unit: str


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
    return said


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
    return found


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
    return common.private_report(
        tr("Utility of anonymised microdata"),
        tr("{anonymized}, made of {original}").format(
            anonymized=pair.anonymized.name, original=pair.original.name
        ),
        [
            Section(
                tr("In short"),
                (
                    Figures(
                        [
                            *microdata.utility_figures(kept),
                            *_spatial_figures(told),
                            Figure("count", tr("Original records"), len(pair.original.rows)),
                            Figure("released", tr("Anonymised records"), len(pair.anonymized.rows)),
                        ]
                    ),
                    *(Notice(text, "warning") for text in pair.warnings),
                    microdata.differences_chart(kept),
                ),
                name="result",
            ),
            Section(tr("Column by column"), _columns(told), name="columns"),
            Section(tr("Pairs of columns"), _pairs(kept), name="pairs"),
            Section(tr("In space"), _space(told), name="space"),
            Section(
                tr("The fields"), microdata.fields_table(pair.coding, pair.place), name="fields"
            ),
            common.how_it_was_done(
                " ".join(pair.sentences[1:]),
                [
                    tr(
                        "Both tables are coded as the original is: positive fields as logarithms, "
                        "numbers standardised by the original's mean and standard deviation, "
                        "binary fields and the columns of categories −1 and +1. Correlations are "
                        "those of different columns; constant columns have none. OUTPUT has every "
                        "measure of every column and pair."
                    )
                ],
                [microdata.LASKO_VINTERBO],
            ),
        ],
    )


def _spatial_figures(told: Kept) -> list[Figure]:
    if told.spatial is None:
        return []
    return [
        Figure(
            "mean_centre_shift",
            tr("Shift of the mean centre"),
            told.spatial.mean_centre_shift,
            told.unit,
        ),
        Figure("morans_i", tr("Moran's I: median difference"), told.spatial.moran.median),
    ]


def _columns(told: Kept) -> tuple:
    worst = sorted(in_own_units(told), key=lambda one: -one.ks_distance)[:4]
    charts = [
        Lines(
            tr("Distribution of {column}").format(column=one.label.removeprefix("log ")),
            (
                Series(tr("original"), one.original, 100 * one.shares),
                Series(tr("anonymised"), one.anonymized, 100 * one.shares),
            ),
            tr("Value"),
            tr("Records"),
            y_unit="%",
            caption=tr("Quantiles: the least value, 1 %, 5 %, 10 %, 25 % and so on."),
            name=f"distribution_{number}",
        )
        for number, one in enumerate(worst, 1)
    ]
    return (microdata.columns_table(told.kept), *charts)


def _pairs(kept: Utility) -> tuple:
    if not len(kept.pairs):
        return ()
    order = np.argsort(-np.nan_to_num(kept.correlation.difference), kind="stable")
    some = order[: microdata.MOST_LISTED]
    return (
        Scatter(
            tr("Correlations"),
            (
                Dots(tr("Pearson"), kept.correlation.original, kept.correlation.anonymized),
                Dots(
                    tr("Spearman (ranks)"),
                    kept.rank_correlation.original,
                    kept.rank_correlation.anonymized,
                ),
                Dots(tr("the same in both"), (-1, 1), (-1, 1), joined=True),
            ),
            tr("Original"),
            tr("Anonymised"),
            equal_axes=True,
            name="correlations",
        ),
        Table(
            (
                Column("one", tr("Column")),
                Column("other", tr("and")),
                Column("correlation", tr("Correlation, original"), decimals=3),
                Column("anonymized", tr("anonymised"), decimals=3),
                Column("rank", tr("Rank correlation, original"), decimals=3),
                Column("rank_anonymized", tr("anonymised"), decimals=3),
            ),
            [
                (
                    kept.labels[kept.pairs[at, 0]],
                    kept.labels[kept.pairs[at, 1]],
                    kept.correlation.original[at],
                    kept.correlation.anonymized[at],
                    kept.rank_correlation.original[at],
                    kept.rank_correlation.anonymized[at],
                )
                for at in some.tolist()
            ],
            caption=tr("The pairs that differ most, {shown:,} of {all:,}.").format(
                shown=len(some), all=len(order)
            ),
            name="pairs_table",
        ),
    )


def _space(told: Kept) -> tuple:
    spatial, unit = told.spatial, told.unit
    if spatial is None:
        return ()
    blocks: list = [
        Table(
            (
                Column("measure", tr("Measure")),
                Column("original", tr("Original")),
                Column("anonymized", tr("Anonymised")),
            ),
            [
                (
                    tr("Standard distance from the mean centre ({unit})").format(unit=unit),
                    *spatial.standard_distances,
                ),
                (
                    tr("Median distance between points ({unit})").format(unit=unit),
                    *_medians(spatial.distances),
                ),
                (
                    tr("Median distance to the nearest point ({unit})").format(unit=unit),
                    *_medians(spatial.nearest_distances),
                ),
            ],
            name="space_table",
        )
    ]
    for name, title, one in (
        ("distances", tr("Distances between points"), spatial.distances),
        ("nearest_distances", tr("Distances to the nearest point"), spatial.nearest_distances),
    ):
        blocks.append(
            Lines(
                title,
                (
                    Series(tr("original"), one.original, 100 * one.shares),
                    Series(tr("anonymised"), one.anonymized, 100 * one.shares),
                ),
                tr("Distance"),
                tr("Share"),
                x_unit=unit,
                y_unit="%",
                caption=tr("Largest difference of the distributions: {ks:.3f}.").format(
                    ks=one.ks_distance
                ),
                name=name,
            )
        )
    blocks.append(
        Table(
            (
                Column("column", tr("Moran's I of")),
                Column("original", tr("Original"), decimals=3),
                Column("anonymized", tr("Anonymised"), decimals=3),
                Column("difference", tr("Difference"), decimals=3),
            ),
            [
                (
                    label,
                    *(
                        getattr(spatial.moran, name)[at]
                        for name in ("original", "anonymized", "difference")
                    ),
                )
                for at, label in enumerate(spatial.labels)
            ],
            caption=tr("Weights: the 8 nearest neighbours of each point."),
            name="morans_i_table",
        )
    )
    return tuple(blocks)


def _medians(one: Distribution) -> tuple[float, float]:
    at = int(np.flatnonzero(one.shares == 0.5)[0])
    return float(one.original[at]), float(one.anonymized[at])
