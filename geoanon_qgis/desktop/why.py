# SPDX-License-Identifier: GPL-2.0-or-later
"""Why a record is at risk, in sentences."""

from __future__ import annotations

from ..processing.i18n import number_of as counted
from ..processing.i18n import tr
from .attacks import UNIT, percent
from .evidence import CANDIDATE, Evidence, Inspection
from .records import number_of, value_of


def why(inspection: Inspection, evidence: Evidence) -> list[str]:
    """Say why a record is at risk: the first sentence is the reason, the others its details."""
    said = _SAID[inspection.attack.name](evidence)
    if inspection.doubt:
        said.append(inspection.doubt)
    return said


def _posterior(evidence: Evidence) -> list[str]:
    feature = evidence.feature
    top, record = number_of(feature, "probability"), number_of(feature, "record_probability")
    said = []
    if top is not None and not feature.geometry().isEmpty():
        said.append(_of_place(evidence, top))
        hidden = number_of(feature, "effective_k")
        if hidden is not None:
            said.append(
                tr("In effect the record hides among {count:.1f} addresses.").format(count=hidden)
            )
    if record is not None:
        told = tr(
            "Somebody who knows that the person is in the file, and where she lives, says with "
            "{share} which record is hers."
        ).format(share=percent(record))
        if evidence.record_right:
            told += " " + tr("By the key he is right: it is this one.")
        elif evidence.record_right is False:
            told += " " + tr("By the key he is wrong: he takes another one.")
        if evidence.released_inside == 1:
            told += " " + tr("No other released point lies where the mask could have put hers.")
        elif evidence.released_inside:
            told += " " + tr("Where the mask could have put her point lie {count}.").format(
                count=counted(evidence.released_inside, "released point", "released points")
            )
        said.insert(0 if top is None or record > top else len(said), told)
    if not said:
        said.append(tr("No address of the list explains this point."))
    if top is None:
        return said
    truth = number_of(feature, "of_truth")
    if evidence.right:
        said.append(tr("By the key he is right: the person lives there."))
    elif evidence.right is False:
        said.append(
            tr("By the key he is wrong: he gives the true address {share}.").format(
                share=percent(truth)
            )
        )
    elif truth is not None:
        said.append(tr("By the key the true address is one of the likeliest."))
    else:
        said.append(_unknown())
    return said


def _of_place(evidence: Evidence, top: float) -> str:
    tied = int(number_of(evidence.feature, "tied") or 1)
    if tied > 1:
        return tr(
            "Somebody who knows the mask and the address list cannot tell {count} apart, which are "
            "the likeliest with {share} each."
        ).format(count=counted(tied, "address", "addresses"), share=percent(top))
    candidates = evidence.of(CANDIDATE)
    if not candidates:
        return tr(
            "Somebody who knows the mask and the address list says with {share} where the person "
            "lives."
        ).format(share=percent(top))
    if len(candidates) == 1:
        return tr(
            "Only one address of the list explains the point: whoever knows the mask says with "
            "{share} where the person lives."
        ).format(share=percent(top))
    second = max((one.probability or 0.0) for one in candidates[1:])
    count = counted(len(candidates), "address", "addresses")
    if top >= 2 * second:
        return tr(
            "Of {count} that explain the point one stands out: whoever knows the mask says with "
            "{share} that the person lives there. The next has {second}."
        ).format(count=count, share=percent(top), second=percent(second))
    return tr(
        "For whoever knows the mask {count} explain the point: the likeliest has {share}, the next "
        "{second}."
    ).format(count=count, share=percent(top), second=percent(second))


def _unknown() -> str:
    return tr("Whether he is right, the layer does not say: the key was not given, or is silent.")


def _reversal(evidence: Evidence) -> list[str]:
    feature = evidence.feature
    share = percent(number_of(feature, "probability") or 0.0)
    pairs, rivals = (int(number_of(feature, name) or 0) for name in ("pairs", "rivals"))
    reasons = {
        "singleton": tr(
            "The released point lies in the middle between two places of the list, no other two "
            "fit, and it is alone there: the mask is undone with {share}."
        ).format(share=share),
        "pair": tr(
            "The released point lies in the middle between two places of the list, and two records "
            "met there: both places are found, and only which is whose is left to chance ({share})."
        ).format(share=share),
        "unmoved": tr(
            "The point was not moved: it stands where the person lives, with {share}."
        ).format(share=share),
        "ambiguous": tr(
            "The released point lies in the middle of {pairs} of places; by the mask's rules "
            "{rivals} besides the likeliest, which has {share}."
        ).format(
            pairs=counted(pairs, "pair", "pairs"),
            rivals=counted(rivals, "other is left", "others are left"),
            share=share,
        ),
    }
    kind = value_of(feature, "kind")
    if kind not in reasons:
        return [
            tr(
                "No two places of the list have the released point in their middle: nothing was "
                "found. It is drawn where it was released."
            )
        ]
    return [reasons[kind], *_scored(evidence)]


def _scored(evidence: Evidence) -> list[str]:
    if evidence.right is None:
        return [_unknown()]
    if evidence.right:
        return [tr("By the key he is right: the person lives there.")]
    return [tr("By the key he is wrong: the person lives elsewhere.")]


def _linkage(evidence: Evidence) -> list[str]:
    feature = evidence.feature
    person, in_every = value_of(feature, "identification_id"), number_of(feature, "in_every")
    sure = number_of(feature, "support")
    who = tr("An adversary takes record {record} for the known person {person}.").format(
        record=evidence.name, person=person
    )
    if in_every is None:
        how = tr("From the released distances he is sure of it with {share}.").format(
            share=percent(sure or 0.0)
        )
    elif in_every == 1:
        how = tr(
            "The distances of this match agree with those of all others in every largest set of "
            "matches."
        )
    else:
        how = tr(
            "The distances of this match agree with those of all others in one largest set of "
            "matches; there are sets as large without it."
        )
    if evidence.right is None:
        return [who + " " + how, _unknown()]
    end = tr("By the key he is right.") if evidence.right else tr("By the key he is wrong.")
    return [who + " " + how, end]


def _microdata(evidence: Evidence) -> list[str]:
    feature, said = evidence.feature, []
    verbatim, alone = (number_of(feature, one) == 1 for one in ("verbatim", "only_one"))
    if verbatim and alone:
        said.append(
            tr(
                "A released record equals this person's in all fields, and nobody else has these "
                "values: whoever knows some of them reads the rest."
            )
        )
    elif verbatim:
        said.append(
            tr("A released record equals this one in all fields; others have the same values.")
        )
    if number_of(feature, "too_near") == 1:
        said.append(tr("A released record is nearer to this one than chance explains."))
    if evidence.found_by:
        said.append(tr("Attacks find this person: {attacks}.").format(attacks=evidence.found_by))
    relative = number_of(feature, "relative_distance")
    if relative is not None:
        template = (
            tr(
                "The nearest released record, {nearest}, is at {share} of the distance at which "
                "other people's records are."
            )
            if relative < 1
            else tr(
                "The nearest released record, {nearest}, is no nearer than other people's records: "
                "{share} of their distance."
            )
        )
        nearest = value_of(feature, "nearest_id")
        said.append(template.format(nearest=nearest, share=f"{100 * relative:.0f}{UNIT}"))
    right = number_of(feature, "right")
    if right is not None:
        said.append(
            tr("That this nearest record is really the person's own has {share}.").format(
                share=percent(right)
            )
        )
    return said or [tr("Nothing is known of this record: it lacks a value.")]


_SAID = {
    "attackmask": _posterior,
    "reversevoronoi": _reversal,
    "linkageattack": _linkage,
    "disclosurerisk": _microdata,
}
