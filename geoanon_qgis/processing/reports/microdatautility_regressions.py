# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on utility: the regressions that analysts would run."""

from __future__ import annotations

import numpy as np

from ...core.microdata.regression import CONSTANT, LINEAR, Fit, RegressionKept
from ...report import col
from ..i18n import mark, tr
from .common import PrivatePage

#: Terms that a chart shows.
_BARS = 25
_CONSTANT = mark("(constant)")


def sentence(one: RegressionKept) -> str:
    """How far the intervals overlap."""
    compared = one.compared
    if not len(compared):
        return tr("Of the regression of {outcome} nothing can be compared.").format(
            outcome=one.formula.outcome
        )
    return tr(
        "Regression of {outcome}: the 95 % intervals overlap by {median:.0f} % (median), "
        "{least:.0f} % at the least."
    ).format(
        outcome=one.formula.outcome,
        median=100 * np.median(compared),
        least=100 * compared.min(),
    )


def section(page: PrivatePage, one: RegressionKept, number: int) -> None:
    """Tell of one formula: overlaps as bars, coefficients of both tables with intervals."""
    formula = f"{one.formula.outcome} ~ {' + '.join(one.formula.terms)}"
    kind = (
        tr("Linear regression")
        if one.kind == LINEAR
        else tr("Logistic regression, log odds of “{value}”").format(value=one.outcome)
    )
    page.say(f"{formula}. {kind}.", sentence(one))
    if not (one.original.is_sound and one.released.is_sound):
        page.notice(
            tr(
                "In one of the tables a field separates the two values, so that a coefficient has no "
                "end: its interval says nothing."
            ),
            "warning",
        )
    at = range(len(one.terms))
    before, after = one.original, one.released
    shown = [place for place in at if one.terms[place] != CONSTANT][:_BARS]
    page.bars(
        f"overlap_{number}",
        tr("Overlap of the 95 % intervals"),
        [one.terms[place] for place in shown],
        [round(100 * float(np.nan_to_num(one.overlap[place]))) for place in shown],
        tr("Overlap (%)"),
        caption=tr("100: the same interval; 0: the two intervals have nothing in common."),
    )
    page.table(
        f"regression_{number}",
        [
            col("term", tr("Term"), lambda p: _term(one.terms[p]), numeric=False),
            col("original", tr("Original"), lambda p: _digits(before.coefficient[p]), numeric=True),
            col("interval", tr("95 % interval"), lambda p: _interval(before, p), numeric=False),
            col(
                "anonymized",
                tr("Anonymised"),
                lambda p: _digits(after.coefficient[p]),
                numeric=True,
            ),
            col(
                "interval_after", tr("95 % interval"), lambda p: _interval(after, p), numeric=False
            ),
            col("overlap", tr("Overlap"), lambda p: _percent(one.overlap[p]), unit="%", decimals=0),
            col(
                "standardised",
                tr("Difference (standard errors)"),
                lambda p: _number(one.standardised[p]),
                decimals=2,
            ),
        ],
        at,
        tr("{before:,} original and {after:,} anonymised records have all fields.").format(
            before=before.records, after=after.records
        ),
    )


def _term(term: str) -> str:
    return tr(_CONSTANT) if term == CONSTANT else term


def _number(value: float) -> float | None:
    return None if value != value else float(value)


def _percent(value: float) -> float | None:
    return None if value != value else 100 * float(value)


def _interval(fit: Fit, at: int) -> str:
    if fit.low[at] != fit.low[at]:
        return tr("none")
    low, high = _digits(fit.low[at]), _digits(fit.high[at])
    return tr("{low} to {high}").format(low=low, high=high)


def _digits(value: float) -> str:
    """Coefficients have units of their own: four digits of each, and no 4e+04."""
    if value != value:
        return tr("none")
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.4g}"
