# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a graph-theoretic linkage attack."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.attacks.by_name import CLIQUE, LIKELIHOOD, LOCAL_MAPS, NEAR_GROUP, SIGNATURES
from ...core.attacks.linkage.further_releases import IDS, NOTHING, ROWS
from ...core.attacks.linkage.truth import LinkageScore
from ...core.attacks.scoring import wilson
from ...core.distances.choice import MOST_PRECISION
from ...report import Picture, Report, col
from .. import literature
from ..families.linkage.findings import Finding
from ..i18n import figure, number_of, tr
from .common import PrivatePage
from .linkageattack_verdict import dangers, known_before, proof, scored_matches, stop, warnings


def report(attack: Finding, pictures: Sequence[Picture]) -> Report:
    """Say who was found, how sure that is, and how the attack went about it."""
    page = PrivatePage(tr("Graph-theoretic linkage attack"), attack.adversary.released.name)
    page.section(tr("What the adversary finds"), "result")
    _figures(page, attack)
    _notices(page, attack)
    page.pictures(tr("On the map"), pictures)
    page.section(tr("The matches"), "matches")
    _matches(page, attack)
    if attack.parts:
        _by_attack(page, attack)
    page.section(tr("The two files"), "files")
    _files(page, attack)
    if attack.adversary.released.further:
        _further(page, attack)
    page.section(tr("Records kept out"), "kept_out")
    left_out = attack.adversary.known.table.left_out
    page.left_out(left_out, number_of(len(left_out), "known person", "known people"))
    page.method(
        [
            [*attack.adversary.sentences, *attack.making.sentences],
            *(_method(name) for name in attack.parts or [attack.method]),
        ],
        [literature.KROLL, literature.KROLL_SCHNELL],
    )
    return page.report()


def _method(name: str) -> str:
    return {
        NEAR_GROUP: tr(
            "Near group: people who live near each other, whose distances a release keeps best, "
            "are a group of matches that all support each other. What a released distance says of "
            "two matches is learnt from releases that the attack makes itself; the heaviest groups "
            "are held against those found with labels that nobody has, and those that chance "
            "hardly makes grow by whoever is at the right distances from them. Each match has a "
            "probability to be right, which needs no truth."
        ),
        LIKELIHOOD: tr(
            "Likelihood: the attack releases the known people itself to learn how likely each "
            "released distance is, draws a map of all released records, lays it over the map of "
            "the known people, and weighs every candidate by how near the two places are to each "
            "other, and to those of others with the same quasi-identifiers. An embedding is undone "
            "on the way: places and reference sets are fitted to the released distances, and "
            "matches confirm each other by their distances. It takes released records to come from "
            "where the known people live."
        ),
        SIGNATURES: tr(
            "Signatures: a record's distances to all others, whoever these are, tell where it is. "
            "The attack makes releases of the known people itself, among strangers, learns how the "
            "distances of each of them vary, assigns records to people, and matches again by the "
            "distances to those who are matched. How sure it is of each match was learnt in "
            "releases of its own, whose truth it knows."
        ),
        LOCAL_MAPS: tr(
            "Maps of neighbourhoods: records that are chained by shared labels are drawn as maps. "
            "Every two records of a map are tried on every two known people of their labels who are "
            "as far apart, which lays the map; it lies right where more of its other records come "
            "to lie on people of their labels than the density of these explains."
        ),
        CLIQUE: tr(
            "Clique: two candidate matches agree when the released distance lies in the interval "
            "of the two people that the rule gives. The matches are a largest set in which all "
            "agree, no record and no person twice (a maximum clique). The support of a match is "
            "the share of its distances that also fit stricter intervals, divided by the number of "
            "candidates that could stand in its place with all others kept."
        ),
    }[name]


def _figures(page: PrivatePage, attack: Finding) -> None:
    result, scored, judged = attack.result, attack.scored, attack.judged
    page.figure(
        "clique",
        tr("Matches the adversary believes"),
        result.clique,
        tr("Released records that he takes for the records of people whom he knows."),
        note=proof(result),
    )
    if attack.has_confidence:
        page.figure(
            "confidence",
            tr("Mean confidence"),
            100 * float(np.mean(result.support)) if result.clique else None,
            tr("How sure he is of them: about this share of them is right."),
            unit="%",
            decimals=1,
        )
    else:
        page.figure(
            "unique",
            tr("in every largest set found"),
            None if result.in_every is None else result.unique,
            tr("Matches that stay, whichever of the equally large sets he takes."),
        )
    if judged is not None:
        judged.tell_figure(page)
        chance = attack.by_chance
        page.figure(
            "precision",
            tr("Precision: matches that are right"),
            None if scored is None else 100 * scored.precision,
            tr("Of those whom he names, so many are who he takes them for, by the key."),
            unit="%",
            decimals=None if scored is None else 1,
            note=""
            if chance is None or scored is None
            else tr("{share:.1f} % by guessing within a label").format(share=100 * chance),
        )
        page.figure(
            "recall",
            tr("Recall: people in both files found"),
            None if scored is None else 100 * scored.recall,
            tr("Of those who could be found at all, he finds so many."),
            unit="%",
            decimals=None if scored is None else 1,
            note=""
            if scored is None
            else tr("of {count}").format(count=scored.true_positives + scored.false_negatives),
        )
    links = attack.adversary.links
    if links.given:
        page.figure(
            "known_links",
            tr("Known links that were held fixed"),
            len(links),
            tr("Records of whom the adversary was told who they are; they count nowhere else."),
            note=tr("of {count} given").format(count=figure(links.given, ",")),
        )
    page.figure(
        "vertices",
        tr("Candidate matches"),
        result.vertices,
        tr("Pairs of a released record and a known person whose attributes agree."),
    )
    if not attack.has_confidence:
        page.figure(
            "edges",
            tr("Pairs of them that agree"),
            result.edges,
            tr("Two candidate matches agree if their distances in both files fit."),
        )


def _notices(page: PrivatePage, attack: Finding) -> None:
    scored = attack.scored
    found = dangers(attack)
    for text in found:
        page.notice(text, "danger", tr("This release does not protect"))
    page.warn(warnings(attack))
    for sentence in known_before(attack):
        page.notice(sentence)
    if attack.judged is not None:
        page.add(*attack.judged.blocks())
    if scored is not None and attack.result.clique and not found and not attack.strangers:
        page.notice(_precision(scored))
    if scored is None and not found:
        page.notice(
            tr(
                "Without the key nobody knows which matches are right. An adversary does not know "
                "either, but knows how sure he is of each."
            )
            if attack.has_confidence
            else tr(
                "Without the key nobody knows which matches are right. An adversary does not know "
                "either, but judges by proof, size and support."
            )
        )


def _precision(scored: LinkageScore) -> str:
    """How sure the precision is, beside the papers' rule."""
    count = scored_matches(scored)
    low, high = wilson(scored.true_positives, count)
    said = tr(
        "Right: {right} of {matches}, {share:.0f} %, with a 95 % interval of {low:.0f} to "
        "{high:.0f} %."
    ).format(
        right=scored.true_positives,
        matches=number_of(count, "match", "matches"),
        share=100 * scored.precision if count else 0,
        low=100 * low,
        high=100 * high,
    )
    if high > MOST_PRECISION:
        return (
            said
            + " "
            + tr(
                "By the rule of the papers no more than 25 % may be, and the interval goes beyond: "
                "so few matches cannot tell."
            )
        )
    return (
        said
        + " "
        + tr(
            "By the rule of the papers no more than 25 % may be. The verdict also counts how many "
            "of the people are found."
        )
    )


def _matches(page: PrivatePage, attack: Finding) -> None:
    result = attack.result
    if not result.clique:
        page.say(tr("There are no matches."))
        return
    if attack.has_confidence:
        title, label = tr("Confidence of the matches"), tr("Confidence")
        caption = tr(
            "How sure the attack is of each match that it claims: with a confidence of 0.8, one "
            "match in five is expected to be wrong. The near group's is a lower bound where "
            "distances may be too long, by noise or in an ISGP release: fewer may be wrong. That "
            "of likelihood under noise is right over many releases; in one, more or fewer may be "
            "wrong."
        )
    else:
        title, label = tr("Support of the matches"), tr("Support")
        caption = tr(
            "1: no other candidate could stand in its place, and all of its distances fit well."
        )
    page.histogram("support", title, result.support, label, y_label=tr("Matches"), caption=caption)


def _by_attack(page: PrivatePage, attack: Finding) -> None:
    """What each attack found, where all were run."""
    page.section(tr("Attack by attack"), "attacks")
    page.table(
        "attacks",
        [
            col("attack", tr("Attack")),
            col("claimed", tr("Matches")),
            col("expected", tr("Expected to be right"), decimals=1),
            col("right", tr("Right by the key")),
            col("end", tr("Came to its end")),
        ],
        [
            (
                name,
                part.clique,
                float(part.support.sum()) if part.has_confidence else None,
                attack.right_of(part),
                tr("yes") if part.proven else stop(part),
            )
            for name, part in attack.parts.items()
        ],
    )
    page.say(
        tr(
            "Of each record and person the surest match is taken. A clique does not know how many "
            "of its matches are right."
        )
    )


def _further(page: PrivatePage, attack: Finding) -> None:
    """How each further release was linked with the first."""
    page.section(tr("Further releases"), "further")
    by = {IDS: tr("ids"), ROWS: tr("distances to all others"), NOTHING: tr("nothing")}
    page.table(
        "further",
        [
            col("release", tr("Release")),
            col("by", tr("Linked by")),
            col("linked", tr("Records linked")),
            col("expected", tr("Expected to be right"), decimals=1),
        ],
        [
            (number, by[one.way], one.links.linked, one.links.expected)
            for number, one in enumerate(attack.adversary.released.further, 2)
        ],
    )
    page.say(
        tr(
            "A record is linked by its distances where that is right with a probability of 90 % or "
            "more, as it was in releases that the attack made itself. Whoever is not linked counts "
            "as the first release alone has him. Links by ids are taken to be right."
        )
    )


def _files(page: PrivatePage, attack: Finding) -> None:
    page.table(
        "files",
        [
            col("file", tr("File")),
            col("name", tr("Name")),
            col("records", tr("Records")),
            col("labels", tr("Different labels")),
        ],
        [
            (
                what,
                one.name,
                len(one.table),
                len({label for label in one.labels if label is not None}),
            )
            for what, one in (
                (tr("Released records"), attack.adversary.released),
                (tr("Known people"), attack.adversary.known),
            )
        ],
    )
    page.settings(attack.settings)
