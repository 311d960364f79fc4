# SPDX-License-Identifier: GPL-2.0-or-later
"""Blocks that the reports on microdata share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.microdata.coding import Coding
from ...core.microdata.utility import Utility
from ...report import Column, Figure, Lines, Paragraph, Reference, Series, Table
from ..families.microdata import missing_words, settings_of
from ..i18n import tr

LASKO_VINTERBO = Reference(
    "Lasko, T. A. and Vinterbo, S. A. (2010). Spectral anonymization of data. IEEE Transactions on "
    "Knowledge and Data Engineering 22(3), 437–446.",
    "10.1109/TKDE.2009.88",
)
#: Pairs of columns that a table lists; the others are in the chart and in OUTPUT.
MOST_LISTED = 20
_POINTS = 200


def fields_table(coding: Coding, place: Sequence[str] | None) -> tuple:
    """The fields, their kinds, and what is done with missing values."""
    return (
        Table(
            (
                Column("field", tr("Field")),
                Column("kind", tr("Kind")),
                Column("why", tr("Why")),
                Column("columns", tr("Columns")),
                Column("missing", tr("Missing")),
            ),
            settings_of(coding, place),
            name="fields_table",
        ),
        Paragraph(missing_words(coding)),
    )


def utility_figures(kept: Utility) -> list[Figure]:
    """The four medians of table I."""
    return [
        Figure(
            "mean",
            tr("Means: median difference"),
            kept.mean.median,
            note=tr("in standard deviations of the original"),
        ),
        Figure(
            "variance",
            tr("Variances: median difference"),
            kept.variance.median,
            note=tr("as a share of the original's"),
        ),
        Figure("correlation", tr("Correlations: median difference"), kept.correlation.median),
        Figure(
            "rank_correlation",
            tr("Rank correlations: median difference"),
            kept.rank_correlation.median,
        ),
    ]


def differences_chart(kept: Utility) -> Lines:
    """The whole distributions of the differences."""
    return Lines.ecdf(
        tr("Differences between original and anonymised"),
        {
            tr("means"): kept.mean.difference,
            tr("variances"): kept.variance.difference,
            tr("correlations"): kept.correlation.difference,
            tr("rank correlations"): kept.rank_correlation.difference,
        },
        tr("Absolute difference"),
        tr("Share of columns, or of pairs of columns"),
        caption=tr(
            "The farther to the left, the better it was kept. Means in standard deviations, "
            "variances as shares of the original's."
        ),
        name="differences",
    )


def columns_table(kept: Utility) -> Table:
    """Mean, variance and distribution of each column."""
    order = sorted(range(len(kept.labels)), key=lambda at: -kept.distributions[at].ks_distance)
    return Table(
        (
            Column("column", tr("Column")),
            Column("mean", tr("Mean, original"), decimals=3),
            Column("mean_anonymized", tr("anonymised"), decimals=3),
            Column("variance", tr("Variance, original"), decimals=3),
            Column("variance_anonymized", tr("anonymised"), decimals=3),
            Column("ks", tr("Largest difference of the distributions"), decimals=3),
        ),
        [
            (
                kept.labels[at],
                kept.mean.original[at],
                kept.mean.anonymized[at],
                kept.variance.original[at],
                kept.variance.anonymized[at],
                kept.distributions[at].ks_distance,
            )
            for at in order
        ],
        caption=tr("Columns as they are coded, those with the largest differences first."),
        name="columns_table",
    )


def curve(label: str, x: np.ndarray, y: np.ndarray) -> Series:
    """A curve of at most two hundred points, its ends among them."""
    if len(x) > _POINTS:
        at = np.unique(np.linspace(0, len(x) - 1, _POINTS).round().astype(int))
        x, y = x[at], y[at]
    return Series(label, x, y)


def natural(coding: Coding, column: int, values: np.ndarray) -> np.ndarray:
    """Values of a coded column in the unit of its field; dummies stay as they are."""
    for one in coding.variables:
        if one.columns.start == column:
            return one.natural(values)
    return values
