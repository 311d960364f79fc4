# SPDX-License-Identifier: GPL-2.0-or-later
"""What is told of an attack on masked points beside its report: numbers, sentences, what to do next."""

from __future__ import annotations

import numpy as np

from ...core.attacks.masks.baselines import control, random_right
from ...core.experiments.masks.one_release import above
from ...core.experiments.masks.standing import Limit
from ...core.verdict import RELEASE_WITH_CARE, Verdict
from ..families.attacking.adversaries import BOTH, PLACE, RECORD
from ..families.attacking.attacked import POSTERIOR_PLACE, POSTERIOR_RECORD, Attacked
from ..i18n import number_of, tr
from .attackmask_members import limited, nobody_else, told
from .attackmask_prior import borne
from .attackmask_prior import sentences as prior
from .attackmask_uneven import UNEVEN

#: What the adversary has, and is after, by ADVERSARY.
ADVERSARIES = {
    BOTH: ("address_list_or_member", "place_or_record"),
    PLACE: ("address_list", "whose_place"),
    RECORD: ("member", "which_record"),
}
#: Laws of an exchange that hide whose record it is among some.
_GROUPED = ("cells", "groups")


def numbers(found: Attacked, limit: Limit) -> dict[str, float]:
    """Return the number outputs; not a number where something was not tried."""
    figures = {"UNEXPLAINED": found.unexplained, "PRIOR_ODDS": borne(found, limit)}
    if found.members is not None:
        figures["NOT_IN_FILE"] = found.members.absent
    evidence = {one.attack: one for one in found.evidence()}
    for name, attack, guesses, right in (
        ("", POSTERIOR_PLACE, found.place, found.right),
        ("RECORDS_", POSTERIOR_RECORD, found.record, found.right_record),
    ):
        if guesses is None or not len(guesses.top):
            continue
        figures[f"{name}IDENTIFIED"] = float(guesses.top.sum() if right is None else right.sum())
        figures[f"{name}MEAN_TOP"] = float(guesses.top.mean())
        figures[f"{name}WORST"] = float(guesses.top.max())
        figures[f"{name}EFFECTIVE_K"] = float(np.median(guesses.effective))
        figures[f"{name}SHARE_ABOVE"] = float(above(guesses.top, limit.share).mean())
        figures |= {f"{name}LOW": evidence[attack].low, f"{name}HIGH": evidence[attack].high}
    if found.place is not None:
        figures |= {name: share for name, _, share in beside(found)}
    return figures


def beside(found: Attacked) -> list[tuple[str, str, float]]:
    """What others find in the same points: name of the number, in words, share."""
    assert found.place is not None
    rows = [
        (
            "RANDOM",
            tr("a random address of those that the mask allows"),
            float(random_right(found.place, found.home).mean()),
        )
    ]
    if found.nearest is not None and found.home is not None:
        rows.append(("BASELINE", tr("the nearest address"), float(found.nearest.mean())))
        said = tr("the same guesses, held against another record")
        rows.append(("CONTROL", said, control(found.place, found.home)))
    return rows


def sentences(found: Attacked, limit: Limit) -> list[str]:
    """What the log says of what was found."""
    said = [] if found.members is None else list(found.members.sentences)
    if found.place is not None:
        said.append(
            tr(
                "Who lives there: of {points} he believes to find {expected:.1f}, and gives the "
                "likeliest address {top:.1f} % on average and {worst:.1f} % at most."
            ).format(
                points=number_of(len(found.ids), "point", "points"),
                expected=found.place.top.sum(),
                top=100 * found.place.top.mean(),
                worst=100 * found.place.top.max(),
            )
        )
        if found.right is not None:
            said.append(
                tr("By the key {right:.1f} are right.").format(right=float(found.right.sum()))
            )
    if found.record is not None:
        said.append(
            tr(
                "Which record is hers: of {people} he believes to find {expected:.1f}; the "
                "likeliest record has {worst:.1f} % at most."
            ).format(
                people=number_of(len(found.record.top), "person", "people"),
                expected=found.record.top.sum(),
                worst=100 * found.record.top.max(),
            )
        )
        if found.right_record is not None:
            said.append(
                tr("By the key {right:.1f} of these records are right.").format(
                    right=float(found.right_record.sum())
                )
            )
    return said + limited(found, limit) + prior(found, limit)


def warnings(found: Attacked) -> list[str]:
    """What the log warns of."""
    said = [] if found.members is None else told(found.members)
    if found.unexplained:
        said.append(
            tr(
                "{points} cannot have come from any address of the list by this mask: the list "
                "lacks some, or the mask file is that of another release."
            ).format(points=number_of(found.unexplained, "point", "points"))
        )
        if found.releases > 1:
            said.append(
                tr(
                    "So it is where linked records are of different places, such as homes and "
                    "workplaces: these take SECOND_PLACES."
                )
            )
    if found.lacking and not (found.unlisted is not None and found.unlisted.typed):
        said.append(
            tr(
                "By the key, {records} at no address of the list, or the key does not name them: "
                "points of homes that the list lacks are weighed among the wrong ones. Give a list "
                "that has them, and the key of this release."
            ).format(records=number_of(found.lacking, "record lives", "records live"))
        )
    if found.impossible:
        said.append(
            tr(
                "By the key, {points} from where the mask leads nowhere near, or where nobody lives "
                "by the weights: the attack does not fit them, and one that fits may find more."
            ).format(points=number_of(found.impossible, "point comes", "points come"))
        )
    if found.unlike:
        said.append(
            tr(
                "By the key, {records} with nobody at home in the attributes that he knows: the list "
                "has other values than the release, and they are weighed among the wrong addresses. "
                "Allow for a difference (TOLERANCE), or choose other fields."
            ).format(records=number_of(found.unlike, "record agrees", "records agree"))
        )
    if found.gap:
        said.append(
            tr(
                "By the key, points did not move as far as the law says: coordinates were rounded "
                "or changed after the mask, or the key or the mask file is of another release."
            )
        )
    if found.uneven:
        said.append(tr(UNEVEN[found.uneven]))
    if found.is_release is False:
        said.append(
            tr(
                "These are not the points that the mask file was written with: the file is another "
                "one, was changed since, or only some of its points were given. What the mask file "
                "says may not hold for them."
            )
        )
    if found.changed:
        said.append(
            tr(
                "A mask file was changed since it was written: what it says may not hold for these points. "
                "Give the file as it was written."
            )
        )
    if not found.same_list:
        said.append(
            tr(
                "The mask took its sizes from another address list. What is said here holds for an "
                "adversary who takes this one for it; who has the true one may find more."
            )
        )
    return said


def not_run(found: Attacked, who: str) -> list[str]:
    """Attacks that the verdict says nothing about."""
    said = list(found.not_run)
    if found.releases == 1:
        said.insert(
            0,
            tr("Further releases of the same people (FURTHER_RELEASES): each makes him stronger."),
        )
    if not found.attributes:
        said.append(
            tr(
                "Attributes that he knows of the people (TARGET_QIS, CANDIDATE_QIS): each that is "
                "released makes him stronger."
            )
        )
    if found.crowded and found.place is not None:
        said.append(
            tr(
                "How many records a point has: several tell of an address where many live (WEIGHT), "
                "and who weighs that may find more."
            )
        )
    if found.record is None and who != PLACE and found.key is not None:
        said.append(tr("Which record is hers: the list has no home of anybody whom the key names."))
    elif found.record is None and who != PLACE:
        said.append(
            tr("Which record is hers: without the key (KEY) nobody's home is known to the attack.")
        )
    elif who == PLACE:
        said.append(tr("Which record is hers (ADVERSARY=which_record): it was not asked for."))
    return said + nobody_else(found)


def steps(found: Attacked, verdict: Verdict) -> list[str]:
    """What to do next."""
    if verdict.decision == RELEASE_WITH_CARE:
        return [
            tr(
                "Look at those with the largest probabilities, and decide whether an adversary "
                "could know more than the list: attributes, an earlier release."
            )
        ]
    not_listed = found.members is not None and found.members.unlisted
    told = found.unlisted is not None and found.unlisted.typed
    if (found.unexplained or found.lacking) and not told or found.unlike or not_listed:
        said = [
            tr(
                "Run it again with a list that has the homes of all records (CANDIDATES), and their people where attributes are known."
            )
        ]
        if found.lacking and found.unlisted is not None:
            said.append(
                tr(
                    "Or say how many homes the list lacks: by the key UNLISTED is {share:.1f}."
                ).format(share=100 * found.lacking / len(found.ids))
            )
        return said
    if found.key is None:
        return [tr("Run it again with the key of the release (KEY).")]
    record, place = found.record, found.place
    if found.mask.law in _GROUPED and record is not None and record.top.mean() > verdict.limit:
        return [
            tr(
                "Let more records hide among each other (geoanon:maskexchange, K_RECORDS), or "
                "release fewer attributes: who knows that a person is in the file finds her record "
                "with one in K_RECORDS."
            )
        ]
    if place is None or record is not None and record.top.mean() > place.top.mean():
        return [
            tr(
                "Who knows that a person is in the file finds more than who does not. Exchange in "
                "groups (geoanon:maskexchange, METHOD=groups) hides whose record it is, or release "
                "fewer attributes."
            )
        ]
    return [tr("Take a larger size, or exchange addresses (geoanon:maskexchange).")]
