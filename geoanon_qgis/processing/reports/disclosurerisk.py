# SPDX-License-Identifier: GPL-2.0-or-later
"""The report on what an attacker could predict from a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.attacks.scoring import wilson
from ...core.microdata import risk
from ...core.verdict import LIMIT, RELEASE_WITH_CARE, Verdict
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
from ..families.comparing import Compared
from ..i18n import mark, number_of, tr
from ..layers.values import text_of
from . import common, microdata

#: measure -> name, what it is
_MEASURES = {
    risk.DISTANCE: (
        mark("Prediction distance"),
        mark("How far the nearest released record lies, in standard deviations a column"),
    ),
    risk.AMBIGUITY: (
        mark("Prediction ambiguity"),
        mark("Distance of the nearest over that of the k-th nearest"),
    ),
    risk.UNCERTAINTY: (
        mark("Prediction uncertainty"),
        mark("Mean variance of a column among the k nearest"),
    ),
}
_SHORT = {
    risk.DISTANCE: mark("distance"),
    risk.AMBIGUITY: mark("ambiguity"),
    risk.UNCERTAINTY: mark("uncertainty"),
}
_KINDS = {risk.ADEQUATE: "info", risk.UNDECIDED: "warning", risk.INADEQUATE: "danger"}
_TITLES = {
    risk.ADEQUATE: mark("Adequate"),
    risk.UNDECIDED: mark("Undecided"),
    risk.INADEQUATE: mark("Not adequate"),
}
#: From this share of originals that lie in the reference as they are on, it is the wrong one.
_OVERLAP = 0.5
#: Persons that the report lists.
_MOST_LISTED = 200
#: From these areas under the curve on, a measure tells right matches from wrong ones.
_TELLS, _TELLS_MOST = 0.6, 0.8


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
    released_ids : sequence
        Of the released records.
    limit : float
        The acceptable share of people found, by which the decision is made.
    """

    pair: Compared
    found: risk.DisclosureRisk
    released: int
    k: int
    released_ids: Sequence = ()
    limit: float = LIMIT

    @property
    def matched(self) -> bool:
        """Whether so many nearest matches are right, or may be, that the decision is against it."""
        again = self.found.reidentification
        people = len(self.found.measured.distance)
        return again is not None and wilson(again.expected, people)[1] > self.limit

    @property
    def by_design(self) -> bool:
        """Whether uncertainty fails as the best matches share a mean, for most originals."""
        measured = self.found.measured
        alike = np.median(measured.uncertainty) == 0 < np.median(measured.distance)
        return bool(alike and risk.UNCERTAINTY in self.failed)

    @property
    def failed(self) -> list[str]:
        """Measures that are not adequate."""
        return [one.measure for one in self.found.comparisons if one.verdict == risk.INADEQUATE]

    @property
    def nearer(self) -> int:
        """Originals to which the release comes nearer than other people's records."""
        return int(np.count_nonzero(self.found.measured.distance < self.found.reference.distance))


def sentences(told: Risk) -> list[str]:
    """What the log says."""
    said = [
        f"{tr(_MEASURES[one.measure][0])}: {tr(one.sentence)}"
        for one in told.found.comparisons
        if one.verdict == risk.ADEQUATE
    ]
    if told.found.exposure_verdict == risk.ADEQUATE:
        said += map(tr, told.found.exposed.sentences)
    if told.found.verdict == risk.ADEQUATE:
        said.append(meaning(told))
    again = told.found.reidentification
    if again is not None:
        said.append(
            tr(
                "Re-identified by nearest match: {expected:,.0f} of {count:,} originals "
                "({rate:.1f} %; {chance:.2g} % by guessing)."
            ).format(
                expected=again.expected,
                count=len(told.found.measured.distance),
                rate=100 * again.rate,
                chance=100 * again.by_chance,
            )
        )
    return said


def warnings(told: Risk) -> list[str]:
    """What the log warns of."""
    said = [
        f"{tr(_MEASURES[one.measure][0])}: {tr(one.sentence)}"
        for one in told.found.comparisons
        if one.verdict != risk.ADEQUATE
    ]
    if told.found.exposure_verdict != risk.ADEQUATE:
        said = [*map(tr, told.found.exposed.sentences), *said]
    if told.found.verdict != risk.ADEQUATE:
        said.append(meaning(told))
    return [*said, *_remarks(told)]


def steps(told: Risk, verdict: Verdict, inputs: str) -> list[str]:
    """What to do next.

    Parameters
    ----------
    told : Risk
    verdict : Verdict
    inputs : str
        Parameters with both tables, see :func:`..families.microdata.inputs_named`.
    """
    if verdict.decision == RELEASE_WITH_CARE:
        return [
            tr(
                "Release the fields that were compared and no others. What is left for researchers "
                "tells “Utility of anonymised microdata” (geoanon:microdatautility) with {inputs}."
            ).format(inputs=inputs)
        ]
    found, said = told.found, []
    listed = int(np.count_nonzero(found.exposed.any))
    if found.exposure_verdict != risk.ADEQUATE:
        said.append(
            tr(
                "Leave out or change the released records (nearest_id in OUTPUT) of the {people} "
                "with verbatim = 1 or too_near = 1, and measure again."
            ).format(people=number_of(listed, "original", "originals"))
        )
    again = found.reidentification
    matched = again is not None and again.rate > verdict.limit
    if told.failed or matched:
        said.append(
            tr(
                "Anonymise more strongly: fewer fields, spectral_swapping, which makes no record of "
                "a single person, or spectral_rhs with a larger K (geoanon:spectralanonymize)."
            )
        )
    return said or [
        tr(
            "Measure again with more records, and with REFERENCE=records of other people from the "
            "same population: these are too few to tell."
        )
    ]


def not_run(told: Risk, with_key: bool) -> list[str]:
    """Which attack was not run, and why."""
    if told.found.reidentification is not None:
        return []
    return [
        tr("Matching each person to her own record: by the key no record is made of one person.")
        if with_key
        else tr(
            "Matching each person to her own record: give the KEY that was written with the "
            "release, or ORIGINAL_ID and ANONYMIZED_ID."
        )
    ]


def meaning(told: Risk) -> str:
    """What the three verdicts mean together, and what they do not."""
    verdicts = {one.measure: one.verdict for one in told.found.comparisons}
    failed = told.failed
    if not failed and told.found.exposure_verdict != risk.ADEQUATE:
        whole = tr(
            "By the three measures the release tells no more about people as a whole than records "
            "of other people would."
        )
        if risk.UNDECIDED in verdicts.values():
            whole = tr(
                "No measure fails for people as a whole, but not every one could be decided with "
                "so few records."
            )
        return tr(
            "{whole} But some persons are in it as they are, or as good as: what holds for the "
            "whole is no help to them. Leave their records out, or change them, and measure again."
        ).format(whole=whole)
    if not failed:
        if risk.UNDECIDED in verdicts.values():
            return tr(
                "No measure fails, but not every one could be decided with so few records: that "
                "the release is safe enough is not shown."
            )
        whole = tr(
            "By all three measures the release tells an attacker no more about the people in it "
            "than records of other people would. That is evidence, not proof: it holds for these "
            "fields, for this reference, and for attacks that take the nearest record."
        )
        return " ".join([whole, *_stricter(told)])
    said = []
    ours = [name for name in failed if not (told.by_design and name == risk.UNCERTAINTY)]
    if ours:
        said.append(
            tr(
                "By {measures} the release tells an attacker more about the people in it than "
                "records of other people would, so taking part makes a difference to them."
            ).format(measures=_listed(ours))
        )
        over = max(one.excess - one.margin for one in told.found.comparisons if one.measure in ours)
        if over <= told.found.comparisons[0].margin:
            said.append(
                tr(
                    "The miss is small, {over:.1f} percentage points beyond a margin that is a "
                    "convention: it is for the data holder to weigh."
                ).format(over=100 * over)
            )
    elif risk.UNDECIDED in verdicts.values():
        said.append(
            tr(
                "Besides uncertainty no measure fails, but not every one could be decided with so "
                "few records."
            )
        )
    else:
        said.append(
            tr(
                "The release fails by uncertainty alone, and by the two other measures tells an "
                "attacker no more than records of other people would."
            )
        )
    if told.by_design:
        said.append(
            tr(
                "For half of the originals and more, the {k} nearest released records are all "
                "alike, as those of one group are (spectral RHS). Then uncertainty is 0 and "
                "ambiguity 1 by the design of the method, and neither tells whether it protects. "
                "What an attacker reads is the mean of a group, without any doubt which: how near "
                "that is to a person, prediction distance says, and members who are all alike in a "
                "field do give it away."
            ).format(k=told.k)
        )
    said.append(_told_apart(told))
    if ours:
        said.append(
            tr("A stronger method, larger groups or fewer fields lower the risk; measure again.")
        )
    return " ".join(filter(None, said))


def _stricter(told: Risk) -> list[str]:
    """Why the decision may be against a release of which no measure fails."""
    again = told.found.reidentification
    if again is None or not told.matched:
        return []
    return [
        tr(
            "The decision is stricter than they are: it counts how many people are found. The "
            "measures compare with records of other people, and where a person is like many "
            "others, her own record may be the nearest all the same: of the nearest matches "
            "{rate:.1f} % are right, and with so many records that does not keep to the "
            "acceptable {limit:.1f} %."
        ).format(rate=100 * again.rate, limit=100 * told.limit)
    ]


def _told_apart(told: Risk) -> str:
    """Whether an attacker knows which of his matches are right."""
    again = told.found.reidentification
    if again is None:
        return ""
    right = tr("Of the nearest matches {rate:.1f} % are right").format(rate=100 * again.rate)
    best = max((max(one, 1 - one) for one in again.auc.values() if one == one), default=None)
    if best is None:
        return right + "."
    known = (
        tr("an attacker can tell most of them from the wrong ones")
        if best >= _TELLS_MOST
        else tr("an attacker can tell them from the wrong ones better than by chance")
        if best >= _TELLS
        else tr("an attacker can hardly tell them from the wrong ones")
    )
    return tr("{right}, and {known} (AUC {best:.2f} by the measure that tells most).").format(
        right=right, known=known, best=best
    )


def _listed(measures: Sequence[str]) -> str:
    return ", ".join(tr(_SHORT[name]) for name in measures)


def _remarks(told: Risk) -> list[str]:
    said = [*told.pair.warnings]
    strange = [
        one.name
        for one in told.pair.coding.variables
        if one.is_constant and _differs(told.pair, one.columns)
    ]
    if strange:
        said.append(
            tr(
                "The same for all originals, but not in the other tables: {fields}. What is the "
                "same for everybody tells nobody apart; it was passed over."
            ).format(fields=", ".join(strange))
        )
    if told.pair.reference is not None:
        there = float(np.mean(told.found.reference.distance == 0))
        if there >= _OVERLAP:
            said.append(
                tr(
                    "{share:.0f} % of the originals have a record in the reference that is the same "
                    "in all fields. Check that the reference holds none of the original people, or "
                    "compare more fields."
                ).format(share=100 * there)
            )
    return said


def _differs(pair: Compared, columns: slice) -> bool:
    here = pair.original.coded[:1, columns]
    others = (side for side in (pair.anonymized, pair.reference) if side is not None)
    return any((side.coded[:, columns] != here).any() for side in others)


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
                        Notice(text, _KINDS[found.exposure_verdict], tr("Who is released as he is"))
                        for text in map(tr, found.exposed.sentences)
                    ),
                    *(
                        Notice(tr(one.sentence), _kind(told, one), tr(_MEASURES[one.measure][0]))
                        for one in found.comparisons
                    ),
                    Paragraph(meaning(told)),
                    *(Notice(text, "warning") for text in _remarks(told)),
                ),
                name="result",
            ),
            Section(tr("On the map"), tuple(pictures), name="map"),
            Section(tr("Who is released as he is"), _exposed(told), name="exposed"),
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


def _kind(told: Risk, one: risk.Comparison) -> str:
    """How loudly a verdict is told: no alarm over what the method does to every table."""
    if one.measure == risk.UNCERTAINTY and told.by_design:
        return "warning"
    return _KINDS[one.verdict]


def _figures(told: Risk) -> Figures:
    found, again = told.found, told.found.reidentification
    count = len(found.measured.distance)
    figures = [
        Figure(
            "verdict",
            tr("Verdict"),
            tr(_TITLES[found.verdict]),
            note=tr("by {measures}").format(measures=_listed(told.failed)) if told.failed else "",
        ),
        Figure(
            "verbatim",
            tr("Originals released as they are"),
            found.exposed.count,
            note=tr("{unique:,} of them like no other original; {limit:,} are explained").format(
                unique=found.exposed.unique, limit=found.exposed.limit
            ),
        ),
        Figure("too_near", tr("Originals with a released record too near"), found.exposed.nearer),
        Figure("count", tr("Original records"), count),
        Figure("released", tr("Released records"), told.released),
        Figure(
            "nearer",
            tr("Originals the release comes nearer to"),
            100 * told.nearer / count,
            "%",
            note=tr("than the reference does"),
        ),
    ]
    if again is not None:
        figures.append(
            Figure(
                "reidentified",
                tr("Re-identified by nearest match"),
                100 * again.rate,
                "%",
                note=tr("{share:.2g} % by guessing").format(share=100 * again.by_chance),
            )
        )
    return Figures(figures)


def _exposed(told: Risk) -> tuple:
    """List them: those alone with their combination first, then the nearest."""
    shown = told.found.exposed
    rows = np.flatnonzero(shown.any)
    distance = told.found.measured.distance
    rows = rows[np.lexsort((distance[rows], ~shown.alone[rows]))]
    blocks: list = [
        Paragraph(
            tr(
                "An original counts here if a released record equals it in all compared fields, to "
                "the digits that the release has, and no more of them do than records of the "
                "reference; or if a released record is nearer to it than chance explains. Where "
                "other originals are the same, nobody is singled out by it."
            )
        )
    ]
    if not len(rows):
        return (*blocks, Paragraph(tr("There is nobody to list.")))
    if len(rows) > _MOST_LISTED:
        blocks.append(
            Paragraph(
                tr("The first {some:,} of {all:,} are listed; OUTPUT marks all of them.").format(
                    some=_MOST_LISTED, all=len(rows)
                )
            )
        )
    original, nearest = told.pair.original, told.found.measured.nearest
    blocks.append(
        Table(
            (
                Column("original_id", tr("Original")),
                Column("nearest_id", tr("Released record")),
                Column("kind", tr("What was found")),
                Column("distance", tr("Distance"), decimals=4),
            ),
            [
                (
                    str(original.records.ids[original.rows[row]]),
                    text_of(told.released_ids[nearest[row]]) if len(told.released_ids) else "",
                    tr("nearer than chance explains")
                    if not shown.verbatim[row]
                    else tr("the same, and like no other original")
                    if shown.alone[row]
                    else tr("the same; other originals are too"),
                    float(distance[row]),
                )
                for row in rows[:_MOST_LISTED].tolist()
            ],
            name="exposed",
        )
    )
    return tuple(blocks)


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
                (
                    tr(_MEASURES[one.measure][0]),
                    *one.medians,
                    100 * one.excess,
                    one.at,
                    one.p_value,
                    tr(_TITLES[one.verdict]),
                )
                for one in found.comparisons
            ],
            name="comparisons",
        ),
    ]
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
    return tr("“{name}”, {records}").format(
        name=told.pair.reference.name,
        records=number_of(len(told.pair.reference.rows), "record", "records"),
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
    # Where several are at one distance, a match is right by a share.
    whole = float(again.expected).is_integer()
    expected = f"{again.expected:,.0f}" if whole else f"{again.expected:,.1f}"
    blocks: list = [
        Paragraph(
            tr(
                "An attacker who holds all original records takes the nearest released one for "
                "each. Right are {expected} of {count:,} matches. He does not know which, "
                "unless a measure tells him: he accepts the matches with the lowest values. The "
                "area under the curve (AUC) is 0.5 where that is no better than chance, and 1 "
                "where it is always right."
            ).format(expected=expected, count=len(measured.distance))
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
        microdata.curve(
            tr("{measure}, {auc:.2f}").format(measure=tr(_SHORT[name]), auc=again.auc[name]),
            *(100 * share for share in risk.roc_curve(measured[name], measured.right)),
        )
        for name in risk.MEASURES
    ]
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
