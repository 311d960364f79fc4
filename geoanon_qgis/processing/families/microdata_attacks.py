# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on a release of microdata: what the adversary knows and wants, and whom he finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.microdata.attacks.battery import Battery, attack_release
from ...core.microdata.attacks.homes import Homes
from ...core.microdata.attacks.knowledge import check
from ...core.microdata.attacks.paired import Pairing
from ...core.microdata.attacks.scoring import ATTACKS, INFERENCE
from ...core.microdata.copies import refuse_the_same_people_changed, shared_people
from ...core.microdata.people import People
from ...core.microdata.risk import DisclosureRisk
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress, chunks, silent, weighted
from .. import styling
from ..dialog import parameters
from ..dialog.declaration import Field, Value, private
from ..dialog.rules import GIVEN
from ..i18n import mark, number_of, tr
from ..layers import keys
from ..layers.reading import holds_points
from ..layers.records_out import add_records
from ..running import Run
from .comparing import Compared

_HIGH = mark("Upper end of its 95 % interval, which is held against ACCEPTABLE.")
#: Records that are looked at without asking whether to go on.
_LOOKED_AT = 100_000

#: What an algorithm declares: who was found, and the worst attack of each kind.
AT_RISK = private(
    "AT_RISK",
    mark("People at risk"),
    mark(
        "The originals whom somebody finds: those who are released as they are, or as good as, those "
        "of whom true values stand together in one record, and those found by an attack that surely finds more than is acceptable."
    ),
    "table",
    [
        Field(keys.ORIGINAL, "long"),
        Field("attacks", "int", mark("how many attacks find the person")),
        Field("why", "string", mark("which; of inference, the fields that were guessed right")),
    ],
    role=styling.PEOPLE_AT_RISK,
)
OUTPUTS = (
    Value(
        "MEASURES_VERDICT",
        mark("Verdict of the three measures"),
        mark(
            "The worst of the paper's three measures and of who is released as he is. They do "
            "not see what single fields or places tell."
        ),
        is_text=True,
    ),
    Value(
        "SINGLING_OUT",
        mark("Singling out: share found"),
        mark(
            "Share of people of whom alone something is true that is true of one released record "
            "alone, beyond what holds for people who are not in the file; the worst attack."
        ),
    ),
    Value("SINGLING_OUT_HIGH", mark("Singling out: upper end"), _HIGH),
    Value(
        "LINKABILITY",
        mark("Linkability: share found"),
        mark(
            "Share of people whose values in two files without a common field are joined through "
            "one released record, beyond that of people who are not in the file."
        ),
    ),
    Value("LINKABILITY_HIGH", mark("Linkability: upper end"), _HIGH),
    Value(
        "INFERENCE",
        mark("Inference: share found"),
        mark(
            "Share of people of whom a secret is learnt from the record nearest in what is known, "
            "beyond that of people who are not in the file; the worst secret. Where rare values "
            "are surely learnt, the share of those who have them."
        ),
    ),
    Value("INFERENCE_HIGH", mark("Inference: upper end"), _HIGH),
    Value(
        "MEMBERSHIP",
        mark("Membership: share found"),
        mark(
            "Share of people who are rightly taken to be in the file, as a released record is near "
            "enough, beyond that of people who are not and are taken to be."
        ),
    ),
    Value("MEMBERSHIP_HIGH", mark("Membership: upper end"), _HIGH),
    Value(
        "IN_PART",
        mark("Originals of whom true values stand together"),
        mark(
            "Originals of whom one released record has so many values, or such rare ones, as "
            "hardly any record of other people has of anybody; numbers nearly the same count, too. "
            "Any is not to be released."
        ),
    ),
    Value("PEOPLE_AT_RISK", mark("People at risk"), mark("Originals listed in AT_RISK.")),
)


def inputs() -> list:
    """Parameters: what the adversary knows, and what he wants."""
    return [
        parameters.fields(
            "KNOWN",
            tr("What an adversary knows (none chosen: several are tried)"),
            tr(
                "Fields that he knows of a person. Leave empty to try several adversaries: one who "
                "knows the place alone, one who knows what people know of each other (age, sex, "
                "family, trade, by the names of the fields), one for each third of the fields, and "
                "one for each field alone that tells many apart."
            ),
            "ORIGINAL",
        ),
        parameters.boolean(
            "KNOWN_PLACE",
            tr("He knows the place, too"),
            tr(
                "With KNOWN and USE_GEOMETRY: whether the place belongs to what he knows. If not, "
                "it is one of the secrets."
            ),
            True,
            advanced=True,
            only_when={"KNOWN": GIVEN, "USE_GEOMETRY": (True,)},
        ),
        parameters.fields(
            "SECRET_FIELDS",
            tr("What he wants to learn (none chosen: all he does not know)"),
            tr("Fields that nobody may learn from the release. Leave empty for all others."),
            "ORIGINAL",
        ),
    ]


def refusal(given) -> str | None:
    """Say why what he knows cannot be taken, before anything is read."""
    both = [name for name in given.fields("KNOWN") if name in given.fields("SECRET_FIELDS")]
    if not both:
        return None
    return tr(
        "KNOWN and SECRET_FIELDS overlap: {names}. Nobody has to find out what he knows; name each "
        "field in one of them."
    ).format(names=", ".join(both))


def _asked(run: Run, pair: Compared) -> tuple[list[str], list[str]]:
    source = run.source("ORIGINAL")
    known, secrets = run.fields("KNOWN", source), run.fields("SECRET_FIELDS", source)
    if known and pair.place is not None and run.flag("KNOWN_PLACE"):
        known = [*known, *pair.place]
    return known, secrets


def prepared(
    run: Run, pair: Compared, whose: People | None = None, progress: Progress = silent
) -> Compared:
    """Return the tables without people of the reference who are in the file, which is said.

    Raises
    ------
    InputError
        If what he knows and wants overlap, or say nothing.
    """
    variables = pair.coding.variables
    constant = [one.name for one in variables if one.is_constant]
    check([one.name for one in variables], constant, *_asked(run, pair))
    reference = pair.reference
    if reference is None:
        return pair
    of_own, of_released, of_changed = weighted(progress, 1, 1, 8)
    own = shared_people(pair.original.coded, reference.coded, of_own)
    released = shared_people(pair.anonymized.coded, reference.coded, of_released, True) & ~own
    if 2 * released.sum() >= len(released):
        raise InputError(
            tr(
                "The reference holds the released records: {count} there equal a released one that "
                "is like no other. Beside itself every release looks harmless. Choose records of "
                "other people that were not released, or leave the reference empty."
            ).format(count=number_of(int(released.sum()), "record", "records"))
        )
    said = []
    if own.any():
        said.append(
            tr(
                "The reference shares people with the file: {people} there equal an original who "
                "is like no other. They were left out of it, as they are no people who are not in "
                "the file."
            ).format(people=number_of(int(own.sum()), "record", "records"))
        )
    if released.any():
        said.append(
            tr(
                "The reference shares records with the release: {people} there equal a released "
                "one that is like no other. They were left out of it."
            ).format(people=number_of(int(released.sum()), "record", "records"))
        )
    left = ~(own | released)
    own_rows = slice(None) if whose is None else whose.one_each()
    originals, others = pair.original.coded[own_rows], reference.coded[left]
    refuse_the_same_people_changed(originals, others, of_changed)
    if not said:
        return pair
    kept = replace(reference, coded=reference.coded[left], rows=reference.rows[left])
    return replace(pair, reference=kept, warnings=[*pair.warnings, *said])


def attacked(
    run: Run,
    pair: Compared,
    found: DisclosureRisk,
    variants,
    progress,
    homes: Homes | None = None,
    pairings: Sequence[Pairing] = (),
    whose: tuple[People | None, People | None] = (None, None),
    person: str = "",
) -> Battery:
    """Run all attacks.

    ``homes`` is what a mask tells of them, ``pairings`` what else pairs them, and ``whose`` whose record
    each original and each of the reference is; or ``person`` a field that looks as if it said so.
    """
    known, secrets = _asked(run, pair)
    made = attack_release(
        pair.coding,
        pair.original.coded,
        pair.anonymized.coded,
        None if pair.reference is None else pair.reference.coded,
        variants,
        (found.of_all(found.measured.distance), found.of_all(found.reference.distance)),
        run.acceptable(),
        known,
        secrets,
        pair.place or (),
        progress,
        homes,
        pairings,
        whose,
        person,
    )
    if places_untried(run, pair):
        return replace(made, caveat="places")
    return made


def places_untried(run: Run, pair: Compared) -> bool:
    """Tell whether the release has places that take no part."""
    return pair.place is None and holds_points(run.source("ANONYMIZED"))


def numbers(battery: Battery, people: int) -> dict[str, float]:
    """Return the outputs of the worst attack of each kind."""
    made: dict[str, float] = {"PEOPLE_AT_RISK": people, "IN_PART": battery.in_part.count}
    for one in battery.evidence:
        if one.attack not in ATTACKS:
            continue
        made[one.attack.upper()] = one.share
        made[f"{one.attack.upper()}_HIGH"] = one.upper
    return made


def at_risk(found: DisclosureRisk, place: Sequence[str], ask) -> dict[int, list[str]]:
    """Return why each original is at risk whom somebody finds."""
    why: dict[int, list[str]] = {}
    shown = found.exposed
    words = (
        (shown.any & shown.verbatim, tr("released as it is")),
        (shown.near, tr("a released record is too near")),
    )
    for flags, said in words:
        for row in np.flatnonzero(flags).tolist():
            why.setdefault(row, []).append(said)
    assert found.attacks is not None
    for row in found.attacks.in_part.rows.tolist():
        why.setdefault(row, []).append(tr("true values stand together in a released record"))
    for row in found.found_as_nearest.tolist():
        why.setdefault(row, []).append(tr("the nearest record is this person's"))
    for one in found.attacks.attacks:
        if not found.attacks.beyond(one):
            continue
        said = tr(KINDS[one.kind])
        if one.kind == INFERENCE:
            field = tr("the place") if one.names[1][0] in place else one.names[1][0]
            said = tr("{attack}: {field}").format(attack=said, field=field)
        for some in chunks(len(one.rows), _LOOKED_AT, ask):
            for row in one.rows[some].tolist():
                here = why.setdefault(row, [])
                if said not in here:
                    here.append(said)
    return dict(sorted(why.items()))


#: What each kind of attack is called in a list.
KINDS = dict(
    zip(
        ATTACKS,
        (mark("singling out"), mark("linkability"), mark("inference"), mark("membership")),
    )
)


def write(run: Run, pair: Compared, why: dict[int, list[str]]) -> None:
    """Write AT_RISK."""
    if not run.outputs.wanted("AT_RISK"):
        return
    source, original = run.source("ORIGINAL"), pair.original
    rows = original.rows[np.fromiter(why, dtype=np.intp, count=len(why))]
    ids = original.records.ids[rows]
    xy = original.records.xy[rows] if holds_points(source) else None
    columns = [ids, [len(said) for said in why.values()], ["; ".join(one) for one in why.values()]]
    add_records(run.outputs, "AT_RISK", source, ids, xy, columns)
