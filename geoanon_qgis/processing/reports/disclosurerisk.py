# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on what an attacker could predict from a release."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.microdata import adequacy, prediction, reidentification
from ...report import Picture, Report, col
from ..i18n import mark, number_of, tr
from ..layers.values import text_of
from . import disclosurerisk_attacks, microdata
from .common import PrivatePage
from .disclosurerisk_verdict import MEASURES, SHORT, Risk, listed, meaning, remarks

_KINDS = {adequacy.ADEQUATE: "info", adequacy.UNDECIDED: "warning", adequacy.INADEQUATE: "danger"}
_TITLES = {
    adequacy.ADEQUATE: mark("Adequate"),
    adequacy.UNDECIDED: mark("Undecided"),
    adequacy.INADEQUATE: mark("Not adequate"),
}
#: Persons that the report lists.
_MOST_LISTED = 200


def report(told: Risk, pictures: Sequence[Picture]) -> Report:
    """Give a verdict on each measure, and show what it rests on."""
    found, pair = told.found, told.pair
    page = microdata.page_of(tr("Disclosure risk of microdata"), pair)
    page.section(tr("Is it enough?"), "result")
    _figures(page, told)
    for text in found.exposed.sentences:
        page.notice(text, _KINDS[found.exposure_verdict], tr("Who is released as he is"))
    in_part = told.attacks.in_part.sentence
    if in_part:
        page.notice(in_part, _KINDS[adequacy.INADEQUATE], tr("Who is released in part"))
    for one in found.comparisons:
        page.notice(one.sentence, _kind(told, one), tr(MEASURES[one.measure][0]))
    page.say(meaning(told)).warn(remarks(told))
    page.pictures(tr("On the map"), pictures)
    disclosurerisk_attacks.section(page, told.attacks)
    page.section(tr("Who is released as he is"), "exposed")
    _exposed(page, told)
    page.section(tr("The three measures"), "measures")
    _curves(page, told)
    page.section(tr("Re-identification"), "reidentification")
    _again(page, told)
    return microdata.closed(
        page,
        pair,
        tr(
            "The distance of two records is the root of the mean squared difference of their "
            "columns, numbers standardised as the original's are, binary fields and categories "
            "−1 and +1. A distribution is compared with the reference's by the largest "
            "difference of the two cumulative distributions to the left (one-sided "
            "Kolmogorov-Smirnov statistic). The p-value is that of a difference beyond the "
            "margin as large as this one or larger; it takes the records as independent."
        ),
        tr(
            "Where several released records are equally near, an attacker takes one of them at "
            "random; the share of right matches is the expectation of that."
        ),
        tr(
            "The attacks are those of Giomi et al. (2023), with Wilson's intervals; the interval of "
            "a difference is Newcombe's. The record nearest in what is known is found by the same "
            "distance, over the columns of these fields. Of more than 10,000 people a sample is "
            "attacked. Singling out tries predicates of one field (a value that one released record "
            "has alone, the lowest, the highest) and of two to six, on as many people of the file as "
            "of the control; without a reference, one half of the originals is tried on the other."
        ),
    )


def _kind(told: Risk, one: adequacy.Comparison) -> str:
    """How loudly a verdict is told: no alarm over what the method does to every table."""
    if one.measure in told.failed and one.measure not in told.decides:
        return "warning"
    return _KINDS[one.verdict]


def _decides(told: Risk) -> str:
    """What a verdict against the release follows from."""
    if told.found.verdict == adequacy.ADEQUATE:
        return ""
    if told.decides:
        return tr("by {measures}").format(measures=listed(told.decides))
    return tr("by what attacks find")


def _figures(page: PrivatePage, told: Risk) -> None:
    found, again = told.found, told.found.reidentification
    count = len(found.measured.distance)
    page.figure(
        "verdict",
        tr("Verdict"),
        tr(_TITLES[found.verdict]),
        tr("Whether the release tells more of these people than records of other people would."),
        note=_decides(told),
    )
    page.figure(
        "verbatim",
        tr("Originals released as they are"),
        found.exposed.count,
        tr("People of whom a released record is a copy in all compared fields."),
        note=tr("{unique:,} of them like no other original; {limit:,} are explained").format(
            unique=found.exposed.unique, limit=found.exposed.limit
        ),
    )
    page.figure(
        "too_near",
        tr("Originals with a released record too near"),
        found.exposed.nearer,
        tr("People whom a released record comes nearer to than chance explains."),
    )
    page.figure("count", tr("Original records"), count, tr("People who were looked for."))
    page.figure(
        "released",
        tr("Released records"),
        len(told.pair.anonymized.rows),
        tr("Among which they were looked for."),
    )
    page.figure(
        "nearer",
        tr("Originals the release comes nearer to"),
        100 * told.nearer / count,
        tr("Of a release that tells nothing about them it would be about one half."),
        unit="%",
        note=tr("than the reference does"),
    )
    if again is not None:
        page.figure(
            "reidentified",
            tr("Re-identified by nearest match"),
            100 * again.rate,
            tr("So many find their own record by taking the most similar one."),
            unit="%",
            note=tr("{share:.2g} % by guessing").format(share=100 * again.by_chance),
        )


def _exposed(page: PrivatePage, told: Risk) -> None:
    """List them: those alone with their combination first, then the nearest."""
    shown = told.found.exposed
    rows = np.flatnonzero(shown.any)
    distance = told.found.of_all(told.found.measured.distance)
    rows = rows[np.lexsort((distance[rows], ~shown.alone[rows]))]
    page.say(
        tr(
            "An original counts here if a released record equals it in all compared fields, to the "
            "digits that the release has, and no more of them do than records of the reference; or "
            "if a released record is nearer to it than chance explains. Where other originals are "
            "the same, nobody is singled out by it."
        )
    )
    if not len(rows):
        page.say(tr("There is nobody to list."))
        return
    if len(rows) > _MOST_LISTED:
        page.say(
            tr("The first {some:,} of {all:,} are listed; OUTPUT marks all of them.").format(
                some=_MOST_LISTED, all=len(rows)
            )
        )
    original, nearest = told.pair.original, told.found.of_all(told.found.measured.nearest)

    def kind(row: int) -> str:
        if not shown.verbatim[row]:
            return tr("nearer than chance explains")
        if shown.alone[row]:
            return tr("the same, and like no other original")
        return tr("the same; other originals are too")

    page.table(
        "exposed",
        [
            col(
                "original_id",
                tr("Original"),
                lambda row: str(original.records.ids[original.rows[row]]),
            ),
            col(
                "nearest_id",
                tr("Released record"),
                lambda row: (
                    text_of(told.released_ids[int(nearest[row])])
                    if len(told.released_ids) and nearest[row] == nearest[row]
                    else ""
                ),
            ),
            col("kind", tr("What was found"), kind),
            col("distance", tr("Distance"), lambda row: float(distance[row]), decimals=4),
        ],
        rows[:_MOST_LISTED].tolist(),
    )


def _curves(page: PrivatePage, told: Risk) -> None:
    found = told.found
    page.say(
        tr(
            "Each curve tells for which share of the original records a measure is at most so "
            "large. Low values are risk: the release is adequate where its curve lies nowhere "
            "above the reference's by more than {margin:g} % of the records. The reference here: "
            "{reference}."
        ).format(margin=100 * found.comparisons[0].margin, reference=_reference_words(told))
    )
    if found.compared is not None:
        page.say(
            tr(
                "Release and reference have unlike numbers of records, and of more records some lie "
                "nearer to everybody. So the larger one is compared here by as many of its records, "
                "drawn at random, as the other has. Attacks are on the whole release."
            )
        )
    page.table(
        "comparisons",
        [
            col("measure", tr("Measure"), lambda one: tr(MEASURES[one.measure][0])),
            col("median", tr("Median, release"), lambda one: one.medians[0], decimals=3),
            col("reference_median", tr("reference"), lambda one: one.medians[1], decimals=3),
            col("excess", tr("Largest excess"), lambda one: 100 * one.excess, unit="%", decimals=1),
            col("at", tr("at the value"), decimals=3),
            col("p_value", tr("p-value")),
            col("verdict", tr("Verdict"), lambda one: tr(_TITLES[one.verdict])),
        ],
        found.comparisons,
    )
    release, reference = found.curves
    for one in found.comparisons:
        title, what = map(tr, MEASURES[one.measure])
        page.ecdf(
            f"curve_{one.measure}",
            title,
            {
                tr("release"): release[one.measure],
                tr("reference"): reference[one.measure],
            },
            what,
            tr("Original records"),
            marks=((one.at, tr("largest excess")),) if one.excess > 0 else (),
        )


def _reference_words(told: Risk) -> str:
    if told.pair.reference is None:
        return tr("the other original records, each left out in turn")
    return tr("“{name}”, {records}").format(
        name=told.pair.reference.name,
        records=number_of(len(told.pair.reference.rows), "record", "records"),
    )


def _again(page: PrivatePage, told: Risk) -> None:
    again, measured = told.found.reidentification, told.found.measured
    if again is None:
        page.say(
            tr(
                "No released record is known to come from one original (spectral swapping, cell "
                "swapping and data shuffling make none, or no key was given), so there is no right "
                "match to count."
            )
        )
        return
    # Where several are at one distance, a match is right by a share.
    whole = float(again.expected).is_integer()
    expected = f"{again.expected:,.0f}" if whole else f"{again.expected:,.1f}"
    page.say(
        tr(
            "An attacker who holds all original records takes the nearest released one for each. "
            "Right are {expected} of {count:,} matches. He does not know which, unless a measure "
            "tells him: he accepts the matches with the lowest values. The area under the curve "
            "(AUC) is 0.5 where that is no better than chance, and 1 where it is always right."
        ).format(expected=expected, count=len(measured.distance))
    )
    page.table(
        "auc",
        [col("measure", tr("Measure")), col("auc", tr("AUC"), decimals=3)],
        [(tr(MEASURES[name][0]), auc) for name, auc in again.auc.items()],
    )
    if all(auc != auc for auc in again.auc.values()):
        page.say(tr("All matches are right, or all are wrong: there is no curve to draw."))
        return
    series = [
        microdata.curve(
            tr("{measure}, {auc:.2f}").format(measure=tr(SHORT[name]), auc=again.auc[name]),
            *(100 * share for share in reidentification.roc_curve(measured[name], measured.right)),
        )
        for name in prediction.MEASURES
    ]
    page.lines(
        "roc",
        tr("Right against wrong matches accepted"),
        [*series, (tr("chance"), (0, 100), (0, 100))],
        tr("Wrong matches accepted"),
        tr("Right matches accepted"),
        x_unit="%",
        y_unit="%",
        caption=tr("The number behind each measure is its AUC."),
    )
