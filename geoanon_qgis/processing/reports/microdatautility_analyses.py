# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on utility: what analysts would find, in the release and in the original."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.measures.zone_rates import Rate, ZoneRates
from ...core.microdata.predicting import Predicted, PredictionKept
from ...core.microdata.propensity import Propensity, Told
from ...report import Reference, col
from .. import literature
from ..families.analysing import Analyses
from ..i18n import tr
from . import microdata
from . import microdatautility_regressions as regressions
from .common import PrivatePage


def numbers(found: Analyses) -> dict[str, float]:
    """The number outputs; NaN for those that do not exist."""
    compared = [one.compared for one in found.regressions if len(one.compared)]
    overlaps = np.concatenate(compared) if compared else np.full(1, np.nan)
    told = {
        "OVERLAP": float(np.median(overlaps)),
        "LEAST_OVERLAP": float(overlaps.min()),
        "AUC_LOST": found.predictions.largest,
        "PMSE_RATIO": found.told.fields.ratio,
        "INFORMATION": found.information.largest,
    }
    if found.told.pairs is not None:
        told["PMSE_RATIO_PAIRS"] = found.told.pairs.ratio
    if found.zones is not None:
        told["ZONE_CORRELATION"] = found.zones.correlation
    return told


def rows(found: Analyses) -> Iterator[tuple]:
    """Rows of OUTPUT: measure, variable, other, original, anonymised, difference."""
    for one in found.regressions:
        outcome = one.formula.outcome
        for at, term in enumerate(one.terms):
            values = one.original.coefficient[at], one.released.coefficient[at]
            yield _row("coefficient", term, outcome, *values)
            yield _row("interval_overlap", term, outcome, difference=one.overlap[at])
    for field in found.predictions.fields:
        yield _row("auc", _named(field), None, field.original, field.released)
    for name, told in (("fields", found.told.fields), ("pairs", found.told.pairs)):
        if told is not None:
            yield _row(f"pmse_ratio_{name}", None, None, told.fresh, told.ratio)
    kept = found.information
    for at, (one_field, other) in enumerate(kept.pairs):
        yield _row("mutual_information", one_field, other, kept.original[at], kept.released[at])
    if found.zones is not None:
        zones = found.zones
        yield _row("zone_morans_i", None, None, zones.moran_original, zones.moran_released)
        for rate in zones.rates:
            label = _named(rate)
            yield _row("zone_morans_i", label, None, rate.moran_original, rate.moran_released)
            yield _row("zone_correlation", label, None, difference=rate.correlation)


def _row(measure, variable, other, original=None, released=None, difference=None) -> tuple:
    if difference is None and original is not None and released is not None:
        difference = abs(released - original)
    values = (
        None if one is None or one != one else float(one)
        for one in (original, released, difference)
    )
    return (measure, variable, other, *values)


def _named(one: Predicted | Rate) -> str:
    return f"{one.field}={one.value}" if one.value else one.field


def sentences(found: Analyses) -> list[str]:
    """What the log says."""
    said = [regressions.sentence(one) for one in found.regressions]
    said.append(_told_sentence(found.told))
    if found.predictions.largest == found.predictions.largest:
        said.append(
            tr(
                "Models trained on the release lose at most {lost:.3f} of AUC on the originals; "
                "what pairs of fields tell of each other differs by at most {bits:.3f} bits."
            ).format(lost=found.predictions.largest, bits=found.information.largest)
        )
    return said


def warnings(found: Analyses) -> list[str]:
    """What analysts would find that is not so."""
    return [
        tr(
            "In the release the effect of {terms} on {outcome} is surely the other way round than in "
            "the original."
        ).format(terms=", ".join(one.turned), outcome=one.formula.outcome)
        for one in found.regressions
        if one.turned
    ]


def _told_sentence(told: Propensity) -> str:
    """The ratios of pMSE."""
    said = tr(
        "pMSE over what is expected of a perfect synthesis: {fields:.3g} by the fields"
    ).format(fields=told.fields.ratio)
    if told.pairs is not None:
        said += tr(", {pairs:.3g} by pairs of fields").format(pairs=told.pairs.ratio)
    return said + tr("; a fresh sample of other people has {fresh:.3g}.").format(
        fresh=told.told.fresh
    )


# --- the report -------------------------------------------------------------------------------------


def figures(page: PrivatePage, found: Analyses) -> None:
    """The headline numbers."""
    told = numbers(found)
    if found.regressions:
        page.figure(
            "overlap",
            tr("Regressions: overlap of intervals"),
            100 * told["OVERLAP"],
            tr("How much of what an analyst would report agrees; 100 %: all of it."),
            unit="%",
            note=tr("median; {least:.0f} % at the least").format(least=100 * told["LEAST_OVERLAP"]),
            decimals=0,
        )
    if told["AUC_LOST"] == told["AUC_LOST"]:
        page.figure(
            "auc_lost",
            tr("Prediction: AUC lost"),
            told["AUC_LOST"],
            tr("By how much a model that learns from the release is worse; of 0.5 at the most."),
            note=tr("of the field that loses most"),
            decimals=3,
        )
    one = found.told.told
    page.figure(
        "pmse_ratio",
        tr("pMSE over its expectation"),
        one.ratio,
        tr("How well a model tells released records from originals: 1 is no better than chance."),
        note=tr("a fresh sample of other people has {fresh:.3g}").format(fresh=one.fresh),
        decimals=2,
    )


def sections(page: PrivatePage, found: Analyses) -> None:
    """All sections but that of the zones."""
    page.section(tr("Regressions"), "regressions")
    for number, one in enumerate(found.regressions, 1):
        regressions.section(page, one, number)
    page.section(tr("Predictions"), "predictions")
    _predictions(page, found.predictions)
    page.section(tr("Can it be told from the original?"), "propensity")
    _propensity(page, found.told)
    page.section(tr("What fields tell of each other"), "information")
    _information(page, found)


def _number(value: float) -> float | None:
    return None if value != value else float(value)


def _predictions(page: PrivatePage, kept: PredictionKept) -> None:
    if not kept.fields:
        return
    page.say(
        tr(
            "Each field in turn is predicted from all others by a plain logistic regression, and "
            "tested on originals. AUC is the chance that somebody who has the value gets a higher "
            "score than somebody who has not: 0.5 is a guess, 1 is always right. The originals' models "
            "are tested on a fifth that they have not seen; the release has learnt from all, so that "
            "less than nothing may be lost."
        )
    )
    page.scatter(
        "auc",
        tr("AUC on the originals"),
        [
            (
                tr("fields"),
                [one.original for one in kept.fields if one.released == one.released],
                [one.released for one in kept.fields if one.released == one.released],
            ),
            (tr("the same in both"), (0.4, 1), (0.4, 1), True),
        ],
        tr("Trained on originals"),
        tr("Trained on the release"),
        equal_axes=True,
    )
    page.table(
        "auc_table",
        [
            col("field", tr("Field"), lambda one: one.field, numeric=False),
            col(
                "value",
                tr("Who is to be found"),
                lambda one: one.value or tr("above the median"),
                numeric=False,
            ),
            col("original", tr("Trained on originals"), lambda one: one.original, decimals=3),
            col("error", tr("Standard error"), lambda one: one.error, decimals=3),
            col(
                "anonymized",
                tr("Trained on the release"),
                lambda one: _number(one.released),
                decimals=3,
            ),
            col("lost", tr("Lost"), lambda one: _number(one.lost), decimals=3),
        ],
        sorted(kept.fields, key=lambda one: -np.nan_to_num(one.lost, nan=1.0)),
    )


def _propensity(page: PrivatePage, told: Propensity) -> None:
    page.say(
        tr(
            "A logistic regression tries to say of each record whether it was released. The mean "
            "squared distance of its probabilities from the released share (pMSE) is divided by what "
            "chance alone makes of a perfect synthesis. Near 1 the tables cannot be told apart by "
            "it; far above they can; a release that repeats the original's means or values may be "
            "below."
        )
    )
    models: list[tuple[str, Told | None]] = [
        (tr("each field by itself"), told.fields),
        (tr("with squares and products of pairs"), told.pairs),
    ]
    page.table(
        "pmse",
        [
            col("model", tr("The model sees"), lambda one: one[0], numeric=False),
            col("terms", tr("Terms"), lambda one: one[1].terms),
            col("records", tr("Records"), lambda one: one[1].records),
            col("pmse", tr("pMSE"), lambda one: one[1].pmse, decimals=5),
            col("expected", tr("Expected"), lambda one: one[1].expected, decimals=5),
            col("ratio", tr("Ratio"), lambda one: _number(one[1].ratio), decimals=2),
            col("fresh", tr("Ratio of a fresh sample"), lambda one: one[1].fresh, decimals=2),
            col(
                "standardised",
                tr("Above expectation (standard deviations)"),
                lambda one: _number(one[1].standardised),
                decimals=1,
            ),
        ],
        [one for one in models if one[1] is not None],
    )
    if told.pairs is None:
        page.say(tr("For pairs of fields there are too few records."))


def _information(page: PrivatePage, found: Analyses) -> None:
    kept = found.information
    if not len(kept.pairs):
        return
    page.scatter(
        "mutual_information",
        tr("Mutual information of pairs of fields (bits)"),
        [
            (tr("pairs"), kept.original, kept.released),
            (
                tr("the same in both"),
                (0, float(kept.original.max())),
                (0, float(kept.original.max())),
                True,
            ),
        ],
        tr("Original"),
        tr("Anonymised"),
        equal_axes=True,
    )
    order = np.argsort(-kept.difference, kind="stable")
    some = order[: microdata.MOST_LISTED].tolist()
    page.table(
        "information_table",
        [
            col("one", tr("Field"), lambda at: kept.pairs[at][0], numeric=False),
            col("other", tr("and"), lambda at: kept.pairs[at][1], numeric=False),
            col("original", tr("Original (bits)"), lambda at: kept.original[at], decimals=3),
            col("anonymized", tr("Anonymised (bits)"), lambda at: kept.released[at], decimals=3),
            col("difference", tr("Difference"), lambda at: kept.difference[at], decimals=3),
        ],
        some,
        tr(
            "The pairs that differ most, {shown:,} of {all:,}. 0 bits: nothing to do with each other."
        ).format(shown=len(some), all=len(order)),
    )


def zones(page: PrivatePage, found: ZoneRates | None) -> None:
    """The section of the zones."""
    if found is None:
        return
    page.say(
        tr(
            "Moran's I of the numbers of records by zone: {before}, then {after}. In no zone are "
            "{outside:,} originals and {released:,} anonymised records."
        ).format(
            before=_decimals(found.moran_original),
            after=_decimals(found.moran_released),
            outside=found.outside[0],
            released=found.outside[1],
        )
    )
    page.scatter(
        "zone_counts",
        tr("Records by zone"),
        [
            (tr("zones"), found.counts_original, found.counts_released),
            (
                tr("the same in both"),
                (0, int(found.counts_original.max())),
                (0, int(found.counts_original.max())),
                True,
            ),
        ],
        tr("Original"),
        tr("Anonymised"),
        equal_axes=True,
    )
    page.table(
        "zone_rates",
        [
            col("rate", tr("Mean, or share"), _named, numeric=False),
            col("zones", tr("Zones compared"), lambda one: one.zones),
            col("correlation", tr("Correlation"), lambda one: _number(one.correlation), decimals=3),
            col("difference", tr("Median difference"), lambda one: _number(one.difference)),
            col(
                "moran",
                tr("Moran's I, original"),
                lambda one: _number(one.moran_original),
                decimals=3,
            ),
            col(
                "moran_anonymized",
                tr("anonymised"),
                lambda one: _number(one.moran_released),
                decimals=3,
            ),
        ],
        found.rates,
        tr("Of zones with 5 records or more that have a value, in both tables."),
    )


def _decimals(value: float) -> str:
    return tr("none") if value != value else f"{value:.3f}"


def method(found: Analyses) -> str:
    """How it was computed."""
    said = [
        tr(
            "pMSE: N records, c the released share, k coefficients; expected are (k − 1)(1 − c)²c/N "
            "with a standard deviation of √(2(k − 1))(1 − c)²c/N, of a fresh sample 1/(1 − c) times as "
            "much. Mutual information: numbers in ten classes of the original's, less Miller's bias."
        )
    ]
    if found.regressions:
        said.append(
            tr(
                "Overlap of two intervals: the mean of the shares of either that lie in the other. "
                "Records that lack a value of the formula are left out."
            )
        )
    return " ".join(said)


def sources(found: Analyses) -> list[Reference]:
    """The literature of what was done."""
    return [literature.SNOKE, *([literature.KARR] if found.regressions else [])]
