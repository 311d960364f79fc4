# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on what an attacker could predict from a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.microdata import risk
from ...report import (
    Column,
    Figure,
    Figures,
    Lines,
    Mark,
    Notice,
    Paragraph,
    Picture,
    Report,
    Section,
    Series,
    Table,
)
from ..comparing import Compared
from ..i18n import mark, tr
from . import common, microdata

#: measure -> name, what it is
_MEASURES = {
    risk.DISTANCE: (
        mark("Prediction distance"),
        mark("How far the nearest released record lies, in standard deviations a column")),
    risk.AMBIGUITY: (
        mark("Prediction ambiguity"),
        mark("Distance of the nearest over that of the k-th nearest")),
    risk.UNCERTAINTY: (
        mark("Prediction uncertainty"),
        mark("Mean variance of a column among the k nearest")),
}  # fmt: skip
_SHORT = {
    risk.DISTANCE: mark("distance"), risk.AMBIGUITY: mark("ambiguity"),
    risk.UNCERTAINTY: mark("uncertainty"),
}  # fmt: skip
_KINDS = {risk.ADEQUATE: "info", risk.UNDECIDED: "warning", risk.INADEQUATE: "danger"}
_TITLES = {
    risk.ADEQUATE: mark("Adequate"),
    risk.UNDECIDED: mark("Undecided"),
    risk.INADEQUATE: mark("Not adequate"),
}
#: From this share of originals that lie in the reference as they are on, it is the wrong one.
_OVERLAP = 0.5


@dataclass(frozen=True)
class Risk:
    """What the report tells of.

    Attributes
    ----------
    pair : Compared
    found : risk.DisclosureRisk
    released : int
        Records of the release that were compared.
    k : int
    """

    pair: Compared
    found: risk.DisclosureRisk
    released: int
    k: int

    @property
    def nearer(self) -> int:
        """Originals to which the release comes nearer than other people's records."""
        return int(np.count_nonzero(self.found.measured.distance < self.found.reference.distance))


def sentences(told: Risk) -> list[str]:
    """What the log says."""
    said = [f"{tr(_MEASURES[one.measure][0])}: {one.sentence}" for one in told.found.comparisons
            if one.verdict == risk.ADEQUATE]  # fmt: skip
    again = told.found.reidentification
    if again is not None:
        said.append(
            tr("By nearest match {expected:,.0f} of {count:,} originals are re-identified "
               "({rate:.1f} %; {chance:.2g} % by guessing).").format(
                expected=again.expected, count=len(told.found.measured.distance),
                rate=100 * again.rate, chance=100 * again.by_chance)
        )  # fmt: skip
    return said


def warnings(told: Risk) -> list[str]:
    """What the log warns of."""
    said = [f"{tr(_MEASURES[one.measure][0])}: {one.sentence}" for one in told.found.comparisons
            if one.verdict != risk.ADEQUATE]  # fmt: skip
    return [*said, *_remarks(told)]


def _remarks(told: Risk) -> list[str]:
    said = [*told.pair.warnings]
    if np.median(told.found.measured.uncertainty) == 0 < np.median(told.found.measured.distance):
        said.append(
            tr("For half of the originals and more, the {k} nearest released records are all "
               "alike, as those of one group are (spectral RHS). Then uncertainty is 0 by the "
               "design of the method, whatever it protects: judge by prediction distance.").format(
                k=told.k)
        )  # fmt: skip
    if told.pair.reference is not None:
        there = float(np.mean(told.found.reference.distance == 0))
        if there >= _OVERLAP:
            said.append(
                tr("{share:.0f} % of the originals have a record in the reference that is the same "
                   "in all fields. Check that the reference holds none of the original people, or "
                   "compare more fields.").format(share=100 * there)
            )  # fmt: skip
    return said


def report(told: Risk, pictures: Sequence[Picture]) -> Report:
    """Give a verdict on each measure, and show what it rests on."""
    found = told.found
    return common.private_report(
        tr("Disclosure risk of microdata"),
        tr("{anonymized}, made of {original}").format(
            anonymized=told.pair.anonymized.name, original=told.pair.original.name
        ),
        [
            Section(
                tr("Is it enough?"),
                (
                    _figures(told),
                    *(
                        Notice(one.sentence, _KINDS[one.verdict], tr(_MEASURES[one.measure][0]))
                        for one in found.comparisons
                    ),
                    *(Notice(text, "warning") for text in _remarks(told)),
                ),
                name="result",
            ),
            Section(tr("On the map"), tuple(pictures), name="map"),
            Section(tr("The three measures"), _curves(told), name="measures"),
            Section(tr("Re-identification"), _again(told), name="reidentification"),
            Section(
                tr("The fields"),
                microdata.fields_table(told.pair.coding, told.pair.place),
                name="fields",
            ),
            common.how_it_was_done(
                " ".join(told.pair.sentences[1:]),
                [
                    tr(
                        "The distance of two records is the root of the mean squared difference of "
                        "their columns, numbers standardised as the original's are, binary fields "
                        "and categories −1 and +1. A distribution is compared with the reference's "
                        "by the largest difference of the two cumulative distributions to the left "
                        "(one-sided Kolmogorov-Smirnov statistic). The p-value is that of a "
                        "difference beyond the margin as large as this one or larger; it takes the "
                        "records as independent."
                    ),
                    tr(
                        "Where several released records are equally near, an attacker takes one of "
                        "them at random; the share of right matches is the expectation of that."
                    ),
                ],
                [microdata.LASKO_VINTERBO],
            ),
        ],
    )


def _figures(told: Risk) -> Figures:
    found, again = told.found, told.found.reidentification
    count = len(found.measured.distance)
    figures = [
        Figure("verdict", tr("Verdict"), tr(_TITLES[found.verdict])),
        Figure("count", tr("Original records"), count),
        Figure("released", tr("Released records"), told.released),
        Figure("nearer", tr("Originals the release comes nearer to"), 100 * told.nearer / count,
               "%", note=tr("than the reference does")),
    ]  # fmt: skip
    if again is not None:
        figures.append(
            Figure("reidentified", tr("Re-identified by nearest match"), 100 * again.rate, "%",
                   note=tr("{share:.2g} % by guessing").format(share=100 * again.by_chance))
        )  # fmt: skip
    return Figures(figures)


def _curves(told: Risk) -> tuple:
    found = told.found
    reference = _reference_words(told)
    blocks: list = [
        Paragraph(
            tr(
                "Each curve tells for which share of the original records a measure is at most so "
                "large. Low values are risk: the release is adequate where its curve lies nowhere "
                "above the reference's by more than {margin:g} % of the records. The reference "
                "here: {reference}."
            ).format(margin=100 * found.comparisons[0].margin, reference=reference)
        ),
        Table(
            (
                Column("measure", tr("Measure")),
                Column("median", tr("Median, release"), decimals=3),
                Column("reference_median", tr("reference"), decimals=3),
                Column("excess", tr("Largest excess"), unit="%", decimals=1),
                Column("at", tr("at the value"), decimals=3),
                Column("p_value", tr("p-value")),
                Column("verdict", tr("Verdict")),
            ),
            [
                (tr(_MEASURES[one.measure][0]), *one.medians, 100 * one.excess, one.at,
                 one.p_value, tr(_TITLES[one.verdict]))
                for one in found.comparisons
            ],
            name="comparisons",
        ),
    ]  # fmt: skip
    for one in found.comparisons:
        title, what = map(tr, _MEASURES[one.measure])
        blocks.append(
            Lines.ecdf(
                title,
                {
                    tr("release"): found.measured[one.measure],
                    tr("reference"): found.reference[one.measure],
                },
                what,
                tr("Original records"),
                marks=(Mark(one.at, tr("largest excess")),) if one.excess > 0 else (),
                name=f"curve_{one.measure}",
            )
        )
    return tuple(blocks)


def _reference_words(told: Risk) -> str:
    if told.pair.reference is None:
        return tr("the other original records, each left out in turn")
    return tr("“{name}”, {count:,} records").format(
        name=told.pair.reference.name, count=len(told.pair.reference.rows)
    )


def _again(told: Risk) -> tuple:
    again, measured = told.found.reidentification, told.found.measured
    if again is None:
        return (
            Paragraph(
                tr(
                    "No released record is known to come from one original (spectral swapping, "
                    "cell swapping and data shuffling make none, or no key was given), so there is "
                    "no right match to count."
                )
            ),
        )
    blocks: list = [
        Paragraph(
            tr(
                "An attacker who holds all original records takes the nearest released one for "
                "each. {expected:,.1f} of {count:,} matches are right. He does not know which, "
                "unless a measure tells him: he accepts the matches with the lowest values. The "
                "area under the curve (AUC) is 0.5 where that is no better than chance, and 1 "
                "where it is always right."
            ).format(expected=again.expected, count=len(measured.distance))
        ),
        Table(
            (
                Column("measure", tr("Measure")),
                Column("auc", tr("AUC"), decimals=3),
            ),
            [(tr(_MEASURES[name][0]), auc) for name, auc in again.auc.items()],
            name="auc",
        ),
    ]
    if all(auc != auc for auc in again.auc.values()):
        blocks.append(
            Paragraph(tr("All matches are right, or all are wrong: there is no curve to draw."))
        )
        return tuple(blocks)
    series = [
        microdata.curve(f"{tr(_SHORT[name])}, {again.auc[name]:.2f}",
                        *(100 * share for share in risk.roc_curve(measured[name], measured.right)))
        for name in risk.MEASURES
    ]  # fmt: skip
    blocks.append(
        Lines(
            tr("Right against wrong matches accepted"),
            [*series, Series(tr("chance"), (0, 100), (0, 100))],
            tr("Wrong matches accepted"),
            tr("Right matches accepted"),
            x_unit="%",
            y_unit="%",
            caption=tr("The number behind each measure is its AUC."),
            name="roc",
        )
    )
    return tuple(blocks)
