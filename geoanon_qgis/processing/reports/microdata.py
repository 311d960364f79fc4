# SPDX-License-Identifier: GPL-2.0-or-later
"""Blocks that the reports on microdata share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.microdata.coding import Coding
from ...core.microdata.observations import CONTINUOUS, ORDINAL, POSITIVE
from ...core.microdata.utility import Utility
from ...report import Reference, Report, col
from .. import literature
from ..families.comparing import Compared
from ..families.microdata import missing_words, settings_of
from ..i18n import tr
from .common import PrivatePage

#: Pairs of columns that a table lists; the others are in the chart and in OUTPUT.
MOST_LISTED = 20
_POINTS = 200
#: Pairs of numbers that have a picture each, and the records of either table in it.
_PICTURES, _DOTS = 3, 300


def fields_table(page: PrivatePage, coding: Coding, place: Sequence[str] | None) -> None:
    """The section of the fields, their kinds, and what is done with missing values."""
    page.section(tr("The fields"), "fields")
    page.table(
        "fields_table",
        [
            col("field", tr("Field")),
            col("kind", tr("Kind")),
            col("why", tr("Why")),
            col("columns", tr("Columns")),
            col("missing", tr("Missing")),
        ],
        settings_of(coding, place),
    )
    page.say(missing_words(coding))


def page_of(title: str, pair: Compared) -> PrivatePage:
    """A report on a table and the one that it was made of."""
    made = tr("{anonymized}, made of {original}").format(
        anonymized=pair.anonymized.name, original=pair.original.name
    )
    return PrivatePage(title, made)


def closed(
    page: PrivatePage, pair: Compared, *texts: str, sources: Sequence[Reference] = ()
) -> Report:
    """The report, with the fields and how it was computed at its end."""
    fields_table(page, pair.coding, pair.place)
    page.method([pair.sentences[1:], *texts], [literature.LASKO_VINTERBO, *sources])
    return page.report()


def utility_figures(page: PrivatePage, kept: Utility) -> None:
    """The four medians of table I."""
    page.figure(
        "mean",
        tr("Means: median difference"),
        kept.mean.median,
        tr("How far the averages of the fields are off; 0: not at all."),
        note=tr("in standard deviations of the original"),
    )
    page.figure(
        "variance",
        tr("Variances: median difference"),
        kept.variance.median,
        tr("How far the spread of the fields is off; 0: not at all."),
        note=tr("as a share of the original's"),
    )
    page.figure(
        "correlation",
        tr("Correlations: median difference"),
        kept.correlation.median,
        tr("How far it is off what two fields have to do with each other; 0: not at all, 2: most."),
    )
    page.figure(
        "rank_correlation",
        tr("Rank correlations: median difference"),
        kept.rank_correlation.median,
        tr("The same by order, which a few very large values cannot distort."),
    )


def differences_chart(page: PrivatePage, kept: Utility) -> None:
    """The whole distributions of the differences."""
    page.ecdf(
        "differences",
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
    )


def columns_table(page: PrivatePage, kept: Utility) -> None:
    """Mean, variance and distribution of each column."""
    mean, variance = kept.mean, kept.variance
    page.table(
        "columns_table",
        [
            col("column", tr("Column"), lambda at: kept.labels[at]),
            col("mean", tr("Mean, original"), lambda at: mean.original[at], decimals=3),
            col("mean_anonymized", tr("anonymised"), lambda at: mean.anonymized[at], decimals=3),
            col("variance", tr("Variance, original"), lambda at: variance.original[at], decimals=3),
            col(
                "variance_anonymized",
                tr("anonymised"),
                lambda at: variance.anonymized[at],
                decimals=3,
            ),
            col(
                "ks",
                tr("Largest difference of the distributions"),
                lambda at: kept.distributions[at].ks_distance,
                decimals=3,
            ),
        ],
        sorted(range(len(kept.labels)), key=lambda at: -kept.distributions[at].ks_distance),
        tr("Columns as they are coded, those with the largest differences first."),
    )


def by_change(kept: Utility) -> np.ndarray:
    """Return the pairs of columns, those whose correlation changed most first, equal ones in their order."""
    change = np.nan_to_num(kept.correlation.difference).round(9)
    return np.argsort(-change, kind="stable")


def worst_pairs(
    page: PrivatePage,
    kept: Utility,
    coding: Coding,
    original: np.ndarray,
    anonymized: np.ndarray,
) -> None:
    """Draw records before and after by the two numbers whose correlation changed most, and by the next.

    Parameters
    ----------
    original, anonymized : (n, m) and (r, m) arrays
        Coded.
    """
    kinds = (CONTINUOUS, POSITIVE, ORDINAL)
    names = {one.columns.start: one.name for one in coding.variables if one.kind in kinds}
    pairs = kept.pairs[by_change(kept)].tolist()
    worst = [one for one in pairs if set(one) <= names.keys()][:_PICTURES]
    for number, (x, y) in enumerate(worst, 1):
        page.scatter(
            f"pair_{number}",
            tr("{one} and {other}").format(one=names[x], other=names[y]),
            [
                (label, *(natural(coding, at, _some(table[:, at])) for at in (x, y)))
                for label, table in ((tr("Original"), original), (tr("Release"), anonymized))
            ],
            names[x],
            names[y],
            caption=tr(
                "Two numbers whose correlation changed most. Of many records every so manieth is drawn, "
                "the released ones in their random order."
            ),
        )


def _some(values: np.ndarray) -> np.ndarray:
    """Every so manieth of many values."""
    return values[:: -(-len(values) // _DOTS)]


def curve(label: str, x: np.ndarray, y: np.ndarray) -> tuple:
    """A curve of at most two hundred points, its ends among them."""
    if len(x) > _POINTS:
        at = np.unique(np.linspace(0, len(x) - 1, _POINTS).round().astype(int))
        x, y = x[at], y[at]
    return label, x, y


def natural(coding: Coding, column: int, values: np.ndarray) -> np.ndarray:
    """Values of a coded column in the unit of its field; dummies stay as they are."""
    for one in coding.variables:
        if one.columns.start == column:
            return one.natural(values)
    return values
