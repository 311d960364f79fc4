# SPDX-License-Identifier: GPL-2.0-or-later
"""What to do after the disclosure risk of microdata was measured."""

from __future__ import annotations

import numpy as np

from ...core.microdata import adequacy
from ...core.microdata.attacks.as_a_whole import is_as_a_whole
from ...core.microdata.attacks.battery import SEVERAL
from ...core.microdata.attacks.scoring import INFERENCE, MEMBERSHIP, SINGLING_OUT
from ...core.microdata.risk import LEAVE_ONE_OUT
from ...core.verdict import CANNOT_TELL, RELEASE_WITH_CARE, Verdict
from ..i18n import number_of, tr, translated
from .disclosurerisk_verdict import Risk

#: Secrets that a step names.
_NAMED = 6
#: Steps that are told; who takes them measures again.
_STEPS = 3


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
    attacks = told.attacks.attacks
    hidden = any(one.kind == MEMBERSHIP and one.unseen > told.limit for one in attacks)
    unlike = (told.attacks.fewest < 1 or hidden) and verdict.decision == CANNOT_TELL
    if unlike:
        said.append(
            tr(
                "Measure again with REFERENCE=records of people of the same year, region and ages as those of "
                "the file, drawn as these were, person by person: beside the people of this one nobody can "
                "tell what chance alone would find."
            )
        )
    listed = int(np.count_nonzero(found.exposed.any))
    if found.exposure_verdict != adequacy.ADEQUATE:
        said.append(
            tr(
                "Leave out or change the released records (nearest_id in OUTPUT) of the {people} "
                "with verbatim = 1 or too_near = 1, and measure again."
            ).format(people=number_of(listed, "original", "originals"))
        )
    again = found.reidentification
    matched = again is not None and again.rate > verdict.limit
    said += _against(told)
    in_part = len(told.attacks.in_part.rows)
    # Of more, what was said of the fields is to be done.
    if 0 < in_part <= told.limit * found.total:
        said.append(
            tr(
                "Leave out or change the released records that share values with the {people} who "
                "are listed as “true values stand together” (AT_RISK), and measure again."
            ).format(people=number_of(in_part, "original", "originals"))
        )
    if (told.decides and not unlike) or matched:
        said.append(
            tr(
                "Anonymise more strongly: fewer fields, spectral_swapping, which makes no record "
                "of a single person, or spectral_rhs with a larger K (geoanon:spectralanonymize)."
            )
        )
    if told.attacks.caveat == SEVERAL:
        said.append(
            tr(
                "Measure again with PERSON_FIELD=the field that says whose a record is: several seem to be "
                "of one person."
            )
        )
    elif told.attacks.caveat:
        said.append(
            tr(
                "Measure again with USE_GEOMETRY=true: the release has places, and what they tell "
                "was not tried."
            )
        )
    if told.attacks.untried > told.limit:
        said.append(
            tr(
                "Measure again with REFERENCE=records of other people of the same population, as many as there "
                "are: what so many fields tell as a whole (averages, correlations, how many have each value) of who is "
                "in the file was not tried."
            )
        )
    if any(one.kind != MEMBERSHIP and one.unseen for one in attacks):
        said.append(
            tr(
                "Measure again with the address list that has the homes of all originals (CANDIDATES), "
                "and as WITHIN how far records may miss their addresses: what the homes that are lacking "
                "would tell was not tried."
            )
        )
    if said:
        return said[:_STEPS]
    if found.reference_kind == LEAVE_ONE_OUT:
        return [
            tr(
                "Measure again with more records, and with REFERENCE=records of other people from the "
                "same population: these are too few to tell."
            )
        ]
    return [
        tr(
            "Anonymise more strongly, or measure again with more records and more people of REFERENCE: "
            "these are too few to tell."
        )
    ]


def _against(told: Risk) -> list[str]:
    """What to do against attacks that surely find too many."""
    said = []
    bad = {one.attack for one in told.attacks.evidence if one.low > told.limit}
    guessed = [one for one in told.attacks.of(INFERENCE) if told.attacks.beyond(one)]
    by_pairs = next((one for one in guessed if not one.names[0]), None)
    guessed = [one for one in guessed if one.names[0]]
    if by_pairs is not None:
        said.append(
            tr(
                "Release the records in random order, without ids and without other fields of the "
                "originals that were not compared: {knows} tells which record is whose."
            ).format(knows=translated(by_pairs.knows))
        )
    if guessed:
        place = told.pair.place or ()
        names = (name for one in guessed for name in one.names[1])
        secrets = list(dict.fromkeys(tr("the place") if one in place else one for one in names))
        said.append(
            tr(
                "Release {fields} in another way, or not at all, or change what they are learnt by "
                "({knows}): both as they are is what gives people away."
            ).format(fields=", ".join(secrets[:_NAMED]), knows=translated(guessed[0].knows))
        )
    if SINGLING_OUT in bad:
        said.append(
            tr(
                "Do not release original values that only one person has: round them, group them, "
                "or code the extremes together (top and bottom coding)."
            )
        )
    members = [one for one in told.attacks.of(MEMBERSHIP) if told.attacks.beyond(one)]
    as_a_whole = [one for one in members if is_as_a_whole(one)]
    if bad - {SINGLING_OUT, INFERENCE, MEMBERSHIP} or len(members) > len(as_a_whole):
        said.append(
            tr(
                "Released records are too near to the people they were made of: anonymise more "
                "strongly, or make no record of a single person (spectral_swapping)."
            )
        )
    if as_a_whole:
        said.append(
            tr(
                "Release fewer fields, or those of more people, or coarser ones: what so many fields tell of so few people "
                "as a whole (averages, correlations, how many have each value) tells who is in the file, and most "
                "methods keep it."
            )
        )
    return said


def not_run(told: Risk, with_key: bool) -> list[str]:
    """Which attacks were not run, and why."""
    said = []
    if told.found.reference_kind == LEAVE_ONE_OUT:
        said.append(
            tr(
                "Search for fields that are true together, with noise or without, beside fields of other people, "
                "and for people by how many are in each class of a field, and in every two: give people who are not in "
                "the file (REFERENCE)."
            )
        )
    if told.found.reidentification is None:
        said.append(
            tr(
                "Matching each person to her own record: by the key no record is made of one person."
            )
            if with_key
            else tr(
                "Matching each person to her own record: give the KEY that was written with the "
                "release, or ORIGINAL_ID and ANONYMIZED_ID."
            )
        )
    return said
