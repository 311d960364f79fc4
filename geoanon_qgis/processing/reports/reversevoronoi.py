# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of an attack on a Voronoi mask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.attacks.voronoi.result import (
    INCOMPLETE,
    KIND_NAMES,
    NO_MASK,
    NOT_MASKED,
    REVERSIBLE,
    TOO_COARSE,
    UNMOVED,
    VoronoiReversal,
)
from ...core.verdict import SURE
from ...report import Picture, Report, col
from .. import literature
from ..families.reversal import Attack
from ..i18n import mark, number_of, tr
from .common import PrivatePage

#: What each kind of assignment is called in reports.
KIND_LABELS = {
    "singleton": mark("Singleton: one pair of places explains it"),
    "pair": mark("Pair: one of two places"),
    "unmoved": mark("Not moved: it stands on a candidate"),
    "ambiguous": mark("Ambiguous: several explanations"),
    "unresolved": mark("Unresolved: no candidates explain it"),
}

_VERDICTS = {
    REVERSIBLE: (
        "danger",
        mark("The mask is reversible"),
        mark(
            "Every location that was moved is the midpoint of a pair of candidates, which accident "
            "hardly ever makes: the layer is a Voronoi mask of these candidates, and undone."
        ),
    ),
    INCOMPLETE: (
        "danger",
        mark("A Voronoi mask; some candidates are missing"),
        mark(
            "{explained:.1f} % of the masked locations are the midpoint of a pair of candidates, "
            "and accident would make {by_chance:.1f} %: this is, at least in part, a Voronoi mask, "
            "and the candidate list lacks some of the true places. A more complete list would find "
            "more."
        ),
    ),
    TOO_COARSE: (
        "warning",
        mark("The coordinates are coarse"),
        mark(
            "At this tolerance accident alone would explain most locations, so the attack cannot "
            "tell whether this is a Voronoi mask. If it is one, the probabilities below hold; they "
            "are low where many pairs of candidates compete, and high where few addresses are near."
        ),
    ),
    NO_MASK: (
        "warning",
        mark("No Voronoi mask of these candidates"),
        mark(
            "{explained:.1f} % of the masked locations are the midpoint of a pair of candidates, "
            "and accident would make {by_chance:.1f} %. Either the layer was masked in another "
            "way, or most of the true places are missing from the candidates. Pairs of candidates "
            "that were found mean little."
        ),
    ),
    NOT_MASKED: (
        "danger",
        mark("Not masked"),
        mark(
            "{unmoved:,} of {count:,} records ({share:.1f} %) stand exactly on a candidate place: "
            "they were not moved, and the layer shows where they are. Do not release it."
        ),
    ),
}


def steps(result: Attack) -> list[str]:
    """What to do next."""
    reversal, said = result.reversal, []
    unmoved, sure = reversal.count(UNMOVED), result.evidence.exposed
    if unmoved:
        said.append(
            tr(
                "Leave out the {count} on a candidate place, which were not moved, or aggregate "
                "them: have AT_RISK written, and mask again with it as WITHHOLD."
            ).format(count=number_of(unmoved, "record", "records"))
        )
    if reversal.verdict == TOO_COARSE:
        said.append(tr("Give a smaller TOLERANCE, or attack the release before it is rounded."))
    elif reversal.verdict in (NO_MASK, INCOMPLETE):
        said.append(tr("Run it again with a more complete list of places: who has it finds more."))
    if sure > unmoved or reversal.expected_correct >= 1:
        said.append(
            tr(
                "Voronoi masking has no secret. Aggregate the areas instead (geoanon:vbas), or "
                "release distances and attack those (geoanon:lipschitzrelease)."
            )
        )
    return said or [
        tr(
            "Look at the map of what was found, and decide for the addresses that an adversary "
            "really has."
        )
    ]


def verdict_sentences(reversal: VoronoiReversal) -> tuple[str, str]:
    """Title and text of the verdict, for the log."""
    _, title, text = _VERDICTS[reversal.verdict]
    return tr(title), tr(text).format(
        explained=100 * reversal.explained,
        by_chance=100 * reversal.explained_by_chance,
        **_unmoved(reversal),
    )


def other_adversary() -> str:
    """Whose question was not asked."""
    return tr(
        "All of this answers who lives there. Who knows that a certain person is in the file, and where "
        "she lives, and asks which record is hers, was not played. He compares her home with the points alone, "
        "and may find more than this wherever records lie far apart, on coarse coordinates, too."
    )


def before(result: Attack) -> list[str]:
    """What the log says of how it was done."""
    tolerance = tr("Tolerance: {tolerance:.3g} {unit}.").format(
        tolerance=result.tolerance, unit=result.unit
    )
    return [result.plane_sentence, *result.adversary.remarks, tolerance]


def found_sentence(reversal: VoronoiReversal) -> str:
    """What the log says of what was found."""
    return tr(
        "Explained by one pair of candidates or one place: {found} of {count}. Assignments that "
        "are expected to be right: {expected:.1f}."
    ).format(
        found=reversal.found,
        expected=reversal.expected_correct,
        count=number_of(len(reversal.kind), "record", "records"),
    )


def scored(result: Attack) -> list[str]:
    """What the log says of the score, where there is one."""
    score = result.score
    if score is None:
        return []
    return [
        tr("Right by the key: {correct} of {count}, {share:.1f} %.").format(
            correct=score.correct, count=score.total, share=100 * score.share
        )
    ]


def warnings(reversal: VoronoiReversal) -> list[str]:
    """What must be said whatever the verdict: who was not moved, and who is found."""
    said = []
    unmoved = _unmoved(reversal)
    if unmoved["unmoved"] and reversal.verdict != NOT_MASKED:
        said.append(
            tr(
                "{unmoved:,} of {count:,} records ({share:.1f} %) stand exactly on a candidate "
                "place: they were not moved. Leave them out, or aggregate them."
            ).format(**unmoved)
        )
    expected = reversal.expected_correct
    if expected >= 1:
        count = len(reversal.kind)
        said.append(
            tr(
                "Do not release this layer. Without any key the adversary knows that "
                "{expected:,.0f} of {count:,} assignments ({share:.1f} %) are right on average, "
                "and is sure (95 % or more) of {sure:,}."
            ).format(
                expected=expected,
                count=count,
                share=100 * expected / count,
                sure=int(np.count_nonzero(reversal.probability >= SURE)),
            )
        )
    return said


def _unmoved(reversal: VoronoiReversal) -> dict[str, float]:
    count, unmoved = len(reversal.kind), reversal.count(UNMOVED)
    return {"unmoved": unmoved, "count": count, "share": 100 * unmoved / count}


def report(result: Attack, pictures: Sequence[Picture]) -> Report:
    """Say how many people were found again, how surely, and why."""
    page = PrivatePage(
        tr("Reversal of a Voronoi mask"),
        tr("“{masked}” attacked with “{candidates}”").format(
            masked=result.adversary.masked.name, candidates=result.adversary.candidates.name
        ),
    )
    page.section(tr("What an adversary finds"), "result")
    _figures(page, result)
    title, text = verdict_sentences(result.reversal)
    page.notice(text, _VERDICTS[result.reversal.verdict][0], title)
    for text in warnings(result.reversal):
        page.notice(text, "danger")
    page.notice(other_adversary())
    if result.judged is not None:
        page.add(*result.judged.blocks())
    for remark in result.adversary.remarks:
        page.notice(remark)
    page.pictures(tr("On the map"), pictures)
    page.section(tr("How surely"), "certainty")
    _certainty(page, result)
    page.section(tr("Is it a Voronoi mask at all?"), "control")
    _control(page, result)
    page.section(tr("Records kept out"), "kept_out")
    masked, candidates = (
        one.table.left_out for one in (result.adversary.masked, result.adversary.candidates)
    )
    page.left_out(masked, number_of(len(masked), "masked record", "masked records"))
    if candidates:
        page.say(
            tr("{count} without a usable place, left out.").format(
                count=number_of(len(candidates), "candidate", "candidates")
            )
        )
    page.method([result.plane_sentence, *_method(result)], [literature.MOEHLER, literature.SEIDL])
    return page.report()


def _figures(page: PrivatePage, result: Attack) -> None:
    reversal, total, score = result.reversal, len(result.reversal.kind), result.score

    def share(count: float) -> str:
        return tr("{share:.1f} % of the records").format(share=100 * count / total)

    page.figure("count", tr("Masked records"), total, tr("Released points, each of one person."))
    page.figure(
        "candidates",
        tr("Candidates"),
        len(result.adversary.candidates.table),
        tr("Places that the adversary holds possible, such as all addresses."),
    )
    page.figure(
        "found",
        tr("Found: explained by one pair or place"),
        reversal.found,
        tr("Only one place, or one of two, can be where the person lives."),
        note=share(reversal.found),
    )
    page.figure(
        "expected_correct",
        tr("Expected to be right"),
        reversal.expected_correct,
        tr("So many are found on average, and the adversary knows it without any key."),
        note=share(reversal.expected_correct),
        decimals=1,
    )
    page.figure(
        "unmoved",
        tr("On a candidate: not moved"),
        reversal.count(UNMOVED),
        tr("The release shows where these people live."),
    )
    if result.judged is None:
        return
    page.figure(
        "correct",
        tr("Right, by the key"),
        None if score is None else score.correct,
        tr("Put at the place where they live, as the key tells."),
        note=""
        if score is None
        else tr("of {count:,} that the key names").format(count=score.total),
    )
    page.figure(
        "share_correct",
        tr("Share right"),
        None if score is None else 100 * score.share,
        tr("The same as a share."),
        unit="%",
        note=""
        if score is None
        else tr("95 % interval {low:.1f} to {high:.1f} %, records taken for independent").format(
            low=100 * score.low, high=100 * score.high
        ),
    )
    result.judged.tell_figure(page)


def _certainty(page: PrivatePage, result: Attack) -> None:
    reversal = result.reversal
    kinds = list(enumerate(KIND_NAMES))
    page.bars(
        "kinds",
        tr("Masked records by what the attack says of them"),
        [tr(KIND_LABELS[name]) for _, name in kinds],
        [reversal.count(code) for code, _ in kinds],
        tr("Records"),
    )
    columns = [
        col("kind", tr("Kind"), lambda one: tr(KIND_LABELS[one[1]])),
        col("records", tr("Records"), lambda one: reversal.count(one[0])),
        col(
            "expected",
            tr("Expected right"),
            lambda one: float(reversal.probability[reversal.kind == one[0]].sum()),
            decimals=1,
        ),
    ]
    if result.right is not None:
        columns.append(
            col(
                "right",
                tr("Right, by the key"),
                lambda one: int(np.count_nonzero(result.right & (reversal.kind == one[0]))),
            )
        )
    page.table("kinds_table", columns, kinds)
    page.histogram(
        "probability_histogram",
        tr("Probability of the assigned place"),
        reversal.probability,
        tr("Probability"),
        y_label=tr("Records"),
    )


def _control(page: PrivatePage, result: Attack) -> None:
    page.say(
        tr(
            "Under a Voronoi mask of the candidates every masked location is the midpoint of two "
            "of them. As a control the same test was made at decoys: masked locations moved by the "
            "step between two others."
        )
    )
    page.figure(
        "explained",
        tr("Locations explained"),
        100 * result.reversal.explained,
        tr("Midpoints of two candidates: nearly all of them under this mask."),
        unit="%",
    )
    page.figure(
        "explained_by_chance",
        tr("Decoys explained"),
        100 * result.reversal.explained_by_chance,
        tr("What accident makes; the figure before says something where it is far above."),
        unit="%",
    )


def _method(result: Attack) -> list[str]:
    reversal = result.reversal
    case = (
        tr("There are as many candidates as masked records, so the candidates are the sample.")
        if reversal.complete
        else tr(
            "There are more candidates than masked records. Rebuilt from the masked points alone: "
            "{rebuilt} of the sample."
        ).format(rebuilt=number_of(len(reversal.rebuilt), "place", "places"))
    )
    tolerance = (
        tr("The tolerance was set to {tolerance:.3g} {unit}.")
        if result.tolerance_is_given
        else tr(
            "The tolerance of {tolerance:.3g} {unit} follows from the resolution of the masked "
            "coordinates."
        )
    ).format(tolerance=result.tolerance, unit=result.unit)
    if result.sigma > 0:
        tolerance += " " + tr(
            "Noise with a standard deviation of {sigma:.3g} {unit} along each axis may lie on top."
        ).format(sigma=result.sigma, unit=result.unit)
    if reversal.aside is not None and reversal.aside.any():
        tolerance += " " + tr(
            "So coarse are the coordinates that {count} have thousands of explanations (half of "
            "them {pairs:,.0f} and more). These were counted, not weighed: each of the records is "
            "put where it most probably comes from by how far the mask moves records that lie so "
            "densely."
        ).format(
            count=number_of(int(reversal.aside.sum()), "record", "records"),
            pairs=float(np.median(reversal.pairs[reversal.aside])),
        )
    if reversal.rehearsed:
        tolerance += " " + tr(
            "Where several pairs explain a record, probabilities are as often right as those of "
            "the same attack on records drawn from the candidates, masked and blurred alike."
        )
    return [
        case + " " + tolerance,
        tr(
            "For each masked location all pairs of candidates that have it as their midpoint are "
            "taken, and those that break a rule of the mask are struck out: no sample point is "
            "nearer to the origin than its partner; the partner has a masked location of its own, "
            "no farther away; a singleton's partner has a nearer neighbour. What is left shares "
            "the probability. The paper takes the shortest of several pairs instead, which is "
            "wrong as soon as coordinates are rounded."
        ),
    ]
