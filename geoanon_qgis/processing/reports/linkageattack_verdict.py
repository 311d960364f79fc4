# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of a linkage attack: in the log, and what to do next."""

from __future__ import annotations

import numpy as np

from ...core.attacks.by_name import NAMES, Together, why_not
from ...core.attacks.linkage.intervals import contracts
from ...core.attacks.linkage.result import LABELS, LinkageResult
from ...core.attacks.linkage.truth import LinkageScore
from ...core.distances.choice import MOST_PRECISION
from ...core.verdict import DO_NOT_RELEASE, Verdict
from ..families.linkage.findings import Finding
from ..i18n import figure, number_of, tr


def sentences(attack: Finding) -> list[str]:
    """What the log says."""
    result = attack.result
    if attack.has_confidence:
        said = [
            tr(
                "{vertices}, of which {clique} claimed, with a mean confidence of {mean:.2f}."
            ).format(
                vertices=_candidates(result),
                clique=figure(result.clique, ","),
                mean=float(np.mean(result.support)),
            )
            if result.clique
            else tr("{vertices}, none of them claimed.").format(vertices=_candidates(result))
        ]
        return said + _of_parts(attack) + _scores(attack) + known_before(attack)
    said = [
        tr(
            "{vertices}, {pairs} of them that agree; the largest set of matches found has {clique} "
            "({proven})."
        ).format(
            vertices=_candidates(result),
            clique=result.clique,
            proven=proof(result, in_full=True),
            pairs=number_of(result.edges, "pair", "pairs"),
        )
    ]
    if result.in_every is not None:
        said.append(tr("Matches in every such set found: {unique}.").format(unique=result.unique))
    said += _scores(attack) + known_before(attack)
    if result.coverage is not None:
        said.append(
            tr(
                "The intervals hold {share:.1f} % of true pairs (checked on fresh embeddings)."
            ).format(share=100 * result.coverage)
        )
    return said


def known_before(attack: Finding) -> list[str]:
    """Who was known before, and what was released of them: for the log and the report."""
    said, links = [], attack.adversary.links
    if links.given:
        said.append(
            tr(
                "{given} given, {held:,} of them held fixed. Matches, scores and verdict are of "
                "the others only: of whom the attack found, not of whom it was given."
            ).format(given=number_of(links.given, "known link", "known links"), held=len(links))
        )
    releases = len(attack.adversary.released.told)
    if releases > 1:
        said.append(
            (
                tr("{count:,} releases of these records: the largest of their distances counts.")
                if contracts(attack.making.rule)
                else tr("{count:,} releases of these records: the mean of their distances counts.")
            ).format(count=releases)
        )
    return said


def _of_parts(attack: Finding) -> list[str]:
    """What each attack found, where all were run."""
    said = []
    for name, part in attack.parts.items():
        claims, right = number_of(part.clique, "match", "matches"), attack.right_of(part)
        if right is not None:
            claims = tr("{matches}, {right:,} of them right").format(matches=claims, right=right)
        if not part.proven:
            claims = tr("{matches} (cut off)").format(matches=claims)
        said.append(tr("{attack}: {found}.").format(attack=name, found=claims))
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
                all=scored_matches(scored),
                precision=_share(scored.precision),
                recall=_share(scored.recall),
            )
        )
    return said


def scored_matches(scored: LinkageScore) -> int:
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
    links = attack.adversary.links
    if links.left_out:
        said.append(
            tr("{count} without an id of a record or of a person: not held.").format(
                count=number_of(links.left_out, "known link", "known links")
            )
        )
    if attack.adversary.contradicted:
        said.append(
            tr(
                "By the key {count} of somebody else: a wrong link leads the attack astray. Check "
                "the links and the key."
            ).format(
                count=number_of(attack.adversary.contradicted, "known link is", "known links are")
            )
        )
    if not attack.result.proven:
        said.append(
            (
                tr("The attack was cut off ({why}): with more time it may find more people.")
                if attack.has_confidence
                else tr(
                    "The search ended before its proof ({why}): a larger set of matches may exist."
                )
            ).format(why=stop(attack.result))
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
    if sure.sum() >= 1 and attack.has_confidence:
        said.append(
            tr(
                "The adversary claims {matches} with a mean confidence of {mean:.1f} %, so he has "
                "found about {people}, and he knows it without any key. Do not give this release "
                "away."
            ).format(
                matches=number_of(len(sure), "match", "matches"),
                mean=100 * sure.mean(),
                people=number_of(round(sure.sum()), "person", "people"),
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
    forbid = {
        one.attack
        for one in verdict.evidence
        if one.exposed or one.failed or one.low > verdict.limit
    }
    if LABELS in forbid:
        said.append(
            tr(
                "People are found by their attributes alone, and no other distances help: release "
                "fewer attributes, or coarser ones (GROUPS)."
            )
        )
    if forbid - {LABELS}:
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


def not_run(attack: Finding) -> list[str]:
    """The attacks that were not run, which this run says nothing about."""
    if isinstance(attack.result, Together):
        return [
            tr("METHOD={method}: {why}").format(method=name, why=tr(why))
            for name, why in attack.result.left_out.items()
        ]
    others = [
        name for name in NAMES if name != attack.method and not why_not(name, attack.making.rule)
    ]
    return [
        tr(
            "{methods}: no attack finds all whom another finds. METHOD=strongest runs them all; "
            "the worst counts."
        ).format(methods=", ".join(f"METHOD={name}" for name in others))
    ]


def proof(result: LinkageResult, in_full: bool = False) -> str:
    """How sure it is that there are no more; in full with the names of the methods, for the log."""
    if result.has_confidence:
        sure = tr("those of which he is sure enough")
        return sure if result.proven else tr("{sure}; {why}").format(sure=sure, why=stop(result))
    search = result.search
    if in_full and result.proven and search is not None and search.proven_by:
        return tr("no larger set exists; found by {finder}, proven by {prover}").format(
            finder=tr(search.found_by or search.proven_by), prover=tr(search.proven_by)
        )
    if not result.vertices:
        return tr("nothing could be compared")
    if result.proven:
        return tr("no larger set exists")
    return tr("unproven: {why}").format(why=stop(result))


def _share(value: float) -> str:
    return tr("{value:.3f}").format(value=value)


def stop(result: LinkageResult) -> str:
    return {
        "steps": tr("the limit of steps was reached"),
        "work": tr("the limit of work was reached"),
        "time": tr("the time limit was reached"),
        "cancelled": tr("cancelled"),
    }.get(result.stopped, tr("the search was stopped"))
