# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a graph-theoretic linkage attack."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.attacks.linkage.result import LinkageResult
from ...core.attacks.linkage.truth import LinkageScore
from ...core.attacks.scoring import wilson
from ...core.distances.choice import MOST_PRECISION
from ...core.verdict import DO_NOT_RELEASE, Verdict
from ...report import Picture, Report, col
from ..families.linkage.findings import Finding
from ..families.linkage.rules import ABSOLUTE
from ..i18n import number_of, tr
from . import distances
from .common import PrivatePage


def sentences(attack: Finding) -> list[str]:
    """What the log says."""
    result = attack.result
    if attack.by_likelihood:
        said = [
            tr(
                "{vertices}, of which {clique} claimed, with a mean confidence of {mean:.2f}."
            ).format(
                vertices=_candidates(result),
                clique=f"{result.clique:,}",
                mean=float(np.mean(result.support)),
            )
            if result.clique
            else tr("{vertices}, none of them claimed.").format(vertices=_candidates(result))
        ]
        return said + _scores(attack)
    said = [
        tr(
            "{vertices}, {pairs} of them that agree; the largest set of matches found has {clique} "
            "({proven})."
        ).format(
            vertices=_candidates(result),
            clique=result.clique,
            proven=_proof(result, in_full=True),
            pairs=number_of(result.edges, "pair", "pairs"),
        )
    ]
    if result.in_every is not None:
        said.append(tr("Matches in every such set found: {unique}.").format(unique=result.unique))
    said += _scores(attack)
    if result.coverage is not None:
        said.append(
            tr(
                "The intervals hold {share:.1f} % of true pairs (checked on fresh embeddings)."
            ).format(share=100 * result.coverage)
        )
    return said


def _candidates(result) -> str:
    return number_of(result.vertices, "candidate match", "candidate matches")


def _scores(attack: Finding) -> list[str]:
    """How right the matches are, where the key tells."""
    said: list[str] = []
    if attack.scored is not None:
        scored = attack.scored
        said.append(
            tr(
                "Right by the key: {right} of {all}; precision {precision}, recall {recall}."
            ).format(
                right=scored.true_positives,
                all=_scored_matches(scored),
                precision=_share(scored.precision),
                recall=_share(scored.recall),
            )
        )
    return said


def _scored_matches(scored: LinkageScore) -> int:
    return scored.true_positives + scored.false_positives


def warnings(attack: Finding) -> list[str]:
    """What the log warns of."""
    said = []
    if attack.result.note:
        said.append(tr(attack.result.note))
    said += attack.adversary.nothing
    if attack.result.search is not None and attack.result.search.slow:
        said.append(tr(attack.result.search.slow))
    if attack.unlabelled:
        said.append(
            tr("{count} of the two files without a quasi-identifier, never linked.").format(
                count=number_of(attack.unlabelled, "record", "records")
            )
        )
    if not attack.result.proven:
        said.append(
            (
                tr("The attack was cut off ({why}): with more time it may find more people.")
                if attack.by_likelihood
                else tr(
                    "The search ended before its proof ({why}): a larger set of matches may exist."
                )
            ).format(why=_stop(attack.result))
        )
    if attack.strangers:
        said.append(
            tr(
                "The key names none of the known people, so no match can be right and the score "
                "says nothing about the release. Either nobody is in both files, or the key "
                "belongs to another release."
            )
        )
    return said


def dangers(attack: Finding) -> list[str]:
    """What forbids the release: what the adversary knows by himself, and what the key adds."""
    said = []
    scored, result = attack.scored, attack.result
    # Below, hiding is as good as among four, which is what the papers hold acceptable.
    sure = attack.claim[attack.claim > MOST_PRECISION]
    if sure.sum() >= 1 and attack.by_likelihood:
        said.append(
            tr(
                "The adversary claims {matches} with a mean confidence of {mean:.1f} %, so about "
                "{expected:,.0f} people are found, and he knows it without any key. Do not give "
                "this release away."
            ).format(
                matches=number_of(len(sure), "match", "matches"),
                mean=100 * sure.mean(),
                expected=sure.sum(),
            )
        )
    elif sure.sum() >= 1:
        said.append(
            tr(
                "The adversary finds {matches} that agree with each other in all distances. Chance "
                "makes no set of this size here, so he has reason to believe them without any key. "
                "Do not give this release away."
            ).format(matches=number_of(result.clique, "match", "matches"))
        )
    if scored is not None and scored.precision > MOST_PRECISION:
        said.append(
            tr(
                "{share:.0f} % of the adversary's matches are right, which is more than the 25 % "
                "that the papers hold acceptable. Do not give this release away."
            ).format(share=100 * scored.precision)
        )
    return said


def steps(attack: Finding, verdict: Verdict) -> list[str]:
    """What to do next."""
    said = []
    if verdict.decision == DO_NOT_RELEASE:
        said.append(
            tr(
                "Make another release: with fewer attributes, fewer and larger reference sets or "
                "more noise. “Choose embedding parameters” (geoanon:chooseembedding) tries them "
                "out. Then attack that one."
            )
        )
    if verdict.exposed:
        said.append(
            tr(
                "Leave those out who are found beyond doubt: have AT_RISK written, and give it as "
                "WITHHOLD when you release again."
            )
        )
    if not attack.result.compared:
        said.append(
            tr(
                "Give TARGET_QIS and IDENTIFICATION_QIS in the same order and coded alike, and "
                "RULE and its parameters as in the release; then run it again."
            )
        )
    elif not attack.result.proven:
        said.append(
            tr(
                "Run it again with a higher TIME_LIMIT (and MAX_STEPS), 0 for none, or on fewer "
                "records."
            )
        )
    if attack.scored is None:
        said.append(
            tr(
                "Give the key that was written with this release as TRUTH: without it nobody knows "
                "how many could have been found, and nothing can be called acceptable."
            )
        )
    elif verdict.decision != DO_NOT_RELEASE:
        said.append(
            tr(
                "See that RULE and its parameters are those of the release: an attack with others "
                "is blind. Give as IDENTIFICATION the largest file that an adversary may have."
            )
        )
    return said[:3]


def other_method(attack: Finding) -> list[str]:
    """The other method, which this run says nothing about."""
    if attack.by_likelihood:
        return [
            tr(
                "METHOD=clique with ALPHA=0.9, which may find others: run it, too. The worse of "
                "the two counts."
            )
        ]
    if attack.making.kind == ABSOLUTE:
        return [
            tr(
                "METHOD=likelihood, which weighs how likely distances are and cannot do so with "
                "RULE=absolute."
            )
        ]
    return [
        tr(
            "METHOD=likelihood, which often finds more people: run it, too. The worse of the two "
            "counts."
        )
    ]


def report(attack: Finding, pictures: Sequence[Picture]) -> Report:
    """Say who was found, how sure that is, and how the attack went about it."""
    page = PrivatePage(tr("Graph-theoretic linkage attack"), attack.adversary.released.name)
    page.section(tr("What the adversary finds"), "result")
    _figures(page, attack)
    _notices(page, attack)
    page.pictures(tr("On the map"), pictures)
    page.section(tr("The matches"), "matches")
    _matches(page, attack)
    page.section(tr("The two files"), "files")
    _files(page, attack)
    page.section(tr("Records kept out"), "kept_out")
    left_out = attack.adversary.known.table.left_out
    page.left_out(left_out, number_of(len(left_out), "known person", "known people"))
    page.method(
        [[*attack.adversary.sentences, *attack.making.sentences], _method(attack.by_likelihood)],
        [distances.KROLL, distances.KROLL_SCHNELL],
    )
    return page.report()


def _method(by_likelihood: bool) -> str:
    if by_likelihood:
        return tr(
            "Candidate matches are the pairs of a released record and a known person that agree in "
            "the quasi-identifiers. The attack releases the known people itself to learn how "
            "likely each released distance is, draws a map of all released records, lays it over "
            "the map of the known people, and weighs every candidate by how near the two places "
            "are to each other, and to those of others with the same quasi-identifiers. An "
            "embedding is undone on the way: places and reference sets are fitted to the released "
            "distances, and matches confirm each other by their distances. It claims those of "
            "which it is sure enough, no record and no person twice. It takes released records to "
            "come from where the known people live."
        )
    return tr(
        "Candidate matches are the pairs of a released record and a known person that agree in the "
        "quasi-identifiers. Two of them agree when the released distance lies in the interval of "
        "the two people that the rule gives. The matches are a largest set in which all agree, no "
        "record and no person twice (a maximum clique). The support of a match is the share of its "
        "distances that also fit stricter intervals, divided by the number of candidates that "
        "could stand in its place with all others kept."
    )


def _figures(page: PrivatePage, attack: Finding) -> None:
    result, scored, judged = attack.result, attack.scored, attack.judged
    page.figure(
        "clique",
        tr("Matches the adversary believes"),
        result.clique,
        tr("Released records that he takes for the records of people whom he knows."),
        note=_proof(result, attack.by_likelihood),
    )
    if attack.by_likelihood:
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
    page.figure(
        "vertices",
        tr("Candidate matches"),
        result.vertices,
        tr("Pairs of a released record and a known person whose attributes agree."),
    )
    if not attack.by_likelihood:
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
            if attack.by_likelihood
            else tr(
                "Without the key nobody knows which matches are right. An adversary does not know "
                "either, but judges by proof, size and support."
            )
        )


def _precision(scored: LinkageScore) -> str:
    """How sure the precision is, beside the papers' rule."""
    count = _scored_matches(scored)
    low, high = wilson(scored.true_positives, count)
    said = tr(
        "{right} of {count} matches are right: {share:.0f} %, with a 95 % interval of {low:.0f} to "
        "{high:.0f} %."
    ).format(
        right=scored.true_positives,
        count=count,
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
    if attack.by_likelihood:
        title, label = tr("Confidence of the matches"), tr("Confidence")
        caption = tr(
            "How sure the attack is of each match that it claims: with a confidence of 0.8, one "
            "match in five is expected to be wrong."
        )
    else:
        title, label = tr("Support of the matches"), tr("Support")
        caption = tr(
            "1: no other candidate could stand in its place, and all of its distances fit well."
        )
    page.histogram("support", title, result.support, label, y_label=tr("Matches"), caption=caption)


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


def _share(value: float) -> str:
    return tr("{value:.3f}").format(value=value)


def _proof(result: LinkageResult, by_likelihood: bool = False, in_full: bool = False) -> str:
    """How sure it is that there are no more; in full with the names of the methods, for the log."""
    if by_likelihood:
        sure = tr("those of which he is sure enough")
        return sure if result.proven else tr("{sure}; {why}").format(sure=sure, why=_stop(result))
    search = result.search
    if in_full and result.proven and search is not None and search.proven_by:
        return tr("no larger set exists; found by {finder}, proven by {prover}").format(
            finder=tr(search.found_by or search.proven_by), prover=tr(search.proven_by)
        )
    if not result.vertices:
        return tr("nothing could be compared")
    if result.proven:
        return tr("no larger set exists")
    return tr("unproven: {why}").format(why=_stop(result))


def _stop(result: LinkageResult) -> str:
    return {
        "steps": tr("the limit of steps was reached"),
        "work": tr("the limit of work was reached"),
        "time": tr("the time limit was reached"),
        "cancelled": tr("cancelled"),
    }.get(result.stopped, tr("the search was stopped"))
