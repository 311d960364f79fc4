# SPDX-License-Identifier: GPL-2.0-or-later
"""The dialog of the linkage attack: its parameters, and what of them goes together."""

from __future__ import annotations

from typing import Any

from ....core.attacks.by_name import (
    CLIQUE,
    FOR_NEIGHBOURS,
    LIKELIHOOD,
    LOCAL_MAPS,
    NAMES,
    SIGNATURES,
    STRONGEST,
)
from ....core.attacks.maps.likelihood import THRESHOLD
from ....core.runtime.errors import InputError
from ....core.verification import maskfile
from ....core.verification.maskfile import MaskFile
from ... import verdicts
from ...dialog import notes, parameters
from ...dialog.numbers import LARGEST_WHOLE
from ...i18n import mark, tr
from ...running import Given
from .. import mask_files
from . import further, shared
from .rules import ABSOLUTE, COORDINATES, DISTANCES, LIPSCHITZ, RULES


def inputs() -> list:
    """Return all, in the order of the dialog."""
    return [*_files(), _method(), *_making(), *_search()]


#: The rule for each of its methods.
_RULES = {
    maskfile.LIPSCHITZ: LIPSCHITZ,
    maskfile.COORDINATE_NOISE: COORDINATES,
    maskfile.DISTANCE_NOISE: DISTANCES,
    maskfile.EXACT: ABSOLUTE,
    maskfile.ISGP: shared.ISGP,
}


def filled(given: Given) -> dict[str, Any]:
    """Return the parameters with what the mask file says, and the attributes that both have."""
    mask = mask_files.read(given)
    if mask is None:
        return given.parameters
    values = {"RULE": _RULES[mask.method], **mask_files.made_by(mask, mask_files.PARAMETERS)}
    if mask.method == maskfile.EXACT:
        values["EPSILON"] = max(1.0, mask.step)
    found = mask_files.filled(given, values)
    _refuse_exchanged(given.fields("TARGET_QIS"), mask)
    if not given.fields("TARGET_QIS") and not given.fields("IDENTIFICATION_QIS"):
        pairs = mask_files.shared_attributes(
            mask, given.source("TARGET").fields(), given.source("IDENTIFICATION").fields()
        )
        found["TARGET_QIS"] = [one for one, _ in pairs]
        found["IDENTIFICATION_QIS"] = [other for _, other in pairs]
    return found


def _refuse_exchanged(names: list[str], mask: MaskFile) -> None:
    """Refuse quasi-identifiers by which nobody is known: true pairs would differ in them.

    An adversary who knows that values were exchanged leaves these out, and finds more.
    """
    linked = {one.lower() for one in mask.attributes}
    others = [one for one in names if one.lower() not in linked]
    if others:
        raise InputError(
            mark(
                "By the mask file the attribute “{field}” was not released with people's own "
                "values: they were exchanged, or it is of another table. An attack by it would "
                "miss those it looks for. Leave it out of TARGET_QIS."
            ),
            field=others[0],
        )


def check(given: Given) -> str | None:
    """Return a sentence where they do not go together."""
    pairs = [given.fields(name) for name in ("TARGET_QIS", "IDENTIFICATION_QIS")]
    if len(pairs[0]) != len(pairs[1]):
        return tr(
            "The records have {target} quasi-identifiers and the people {known}. They are compared "
            "one by one: give as many, in the same order."
        ).format(target=len(pairs[0]), known=len(pairs[1]))
    rule = given.choice("RULE")
    method = given.choice("METHOD")
    if rule == ABSOLUTE and method in (LIKELIHOOD, SIGNATURES):
        return tr(
            "A tolerance does not say how likely a distance is. Choose the method clique, or the "
            "rule that the release was made by."
        )
    if rule == shared.ISGP and method not in (STRONGEST, *FOR_NEIGHBOURS):
        return tr(
            "An ISGP release has distances between neighbours only. Choose one of the methods "
            "strongest, near_group and local_maps."
        )
    if rule == shared.ISGP and given.paths("MORE_MATRICES"):
        return tr("ISGP releases are attacked one at a time. Give one file.")
    if method == LOCAL_MAPS and rule != shared.ISGP:
        return tr("The method local_maps is for ISGP releases. Choose the rule isgp.")
    if rule == shared.ISGP and not given.number("RADIUS") > 0:
        return tr("The radius must be a positive distance in metres.")
    unequal = further.check(given)
    if unequal:
        return unequal
    alpha = given.number("ALPHA")
    if rule != ABSOLUTE and not 0 < alpha < 1:
        return tr("Alpha must lie between 0 and 1, not {alpha:g}.").format(alpha=alpha)
    if rule == ABSOLUTE and not given.number("EPSILON") > 0:
        return tr("The tolerance must be a positive distance in metres.")
    if rule in (COORDINATES, DISTANCES) and not (given.number("SIGMA") > 0):
        return tr("The size of the noise must be positive.")
    return None


def _files() -> list:
    """The release, and the people whom the adversary knows."""
    return [
        notes.judged(
            parameters.table(
                "TARGET",
                tr("Released records"),
                tr("The table that was released with the distance matrix."),
            )
        ),
        parameters.matrix_source(
            "MATRIX",
            tr("Released distance matrix"),
            tr(
                "A .csv, .npz, .npy or .parquet file. Of an ISGP release, the file with the labels "
                "or the distances."
            ),
        ),
        mask_files.parameter(),
        parameters.matrix_sources(
            "MORE_MATRICES",
            tr("Further releases of the same records"),
            tr(
                "Distance matrices that were released of the same people, or of some of them, at "
                "other times, by the same rule and in the same unit. Records are linked by their "
                "ids where these mean the same, else by their distances to all others. What is "
                "said together counts: of embeddings the largest distance of each pair, else, and "
                "with PRE_NOISE, the mean."
            ),
        ),
        parameters.file_sources(
            further.TABLES,
            tr("Released records of the further releases"),
            tr(
                "The tables that were released with these matrices, in the same order, with the "
                "fields of TARGET_QIS and TARGET_ID. Where ids do not tell, records are then "
                "linked by attributes, too. Leave empty to link them by distances alone."
            ),
        ),
        parameters.fields(
            "TARGET_QIS",
            tr("Quasi-identifiers of the records"),
            tr(
                "Fields of the released table, such as age and sex. Leave empty to link by "
                "distances alone; with a mask file, by what both layers have of the released "
                "attributes."
            ),
            "TARGET",
        ),
        parameters.field(
            "TARGET_ID",
            tr("Id of the records"),
            tr(
                "The field with the ids that the matrix has. Leave empty for released_id; without "
                "that field the rows are taken in their order."
            ),
            "TARGET",
        ),
        parameters.points(
            "IDENTIFICATION",
            tr("Known people"),
            tr("Points of known people (entities), in any coordinate reference system."),
        ),
        parameters.fields(
            "IDENTIFICATION_QIS",
            tr("Quasi-identifiers of the people"),
            tr("The same attributes of the known people, in the same order and coded alike."),
            "IDENTIFICATION",
        ),
        parameters.field(
            "IDENTIFICATION_ID",
            tr("Id of the people"),
            tr("Names the people in the results. Leave empty for the feature id."),
            "IDENTIFICATION",
        ),
        parameters.table(
            "KNOWN_LINKS",
            tr("Known links"),
            tr(
                "A table of released records of whom the adversary knows already who they are, such "
                "as the matches of an earlier attack. They are held fixed; what is found is "
                "without them."
            ),
            optional=True,
        ),
        parameters.field(
            "KNOWN_LINKS_RECORD",
            tr("Id of the record in the known links"),
            tr("Leave empty for target_id or released_id."),
            "KNOWN_LINKS",
        ),
        parameters.field(
            "KNOWN_LINKS_PERSON",
            tr("Id of the person in the known links"),
            tr("Leave empty for identification_id, or the field that names the known people."),
            "KNOWN_LINKS",
        ),
        parameters.matrix_unit(),
        parameters.metric(),
    ]


def known_links_number():
    """Return the parameter of those who try their own attacks: a number instead of a table."""
    return parameters.integer(
        "KNOWN_LINKS",
        tr("Released records that the adversary knows already"),
        tr(
            "Of so many of the people in both files he knows which record is theirs, and "
            "uses it to find the others."
        ),
        0,
        0,
    )


def _method():
    return parameters.choice(
        "METHOD",
        tr("Method"),
        tr(
            "strongest: all attacks that can be run, one after the other, and what they find put "
            "together. near_group: people who live near each other, whose distances a release "
            "keeps best; the quickest. likelihood: weighs how likely each distance is, draws a map "
            "of the records and lays it over that of the known people. signatures: by a record's "
            "distances to all others, for files with nearly the same people. local_maps: maps of "
            "neighbourhoods of an ISGP release, laid over the known people. clique: the published "
            "attack, the largest set of matches whose distances all agree."
        ),
        [STRONGEST, *NAMES],
        STRONGEST,
    )


def _making() -> list:
    """How the distances were made, as far as the adversary knows."""
    return [
        parameters.choice(
            "RULE",
            tr("When distances agree"),
            tr(
                "lipschitz: by embedding the known people again and again. coordinate_noise, "
                "distance_noise: by the noise's own spread. isgp: by the labels that records share. "
                "absolute: within a tolerance."
            ),
            RULES,
            LIPSCHITZ,
        ),
        parameters.number(
            "ALPHA",
            tr("Share of true pairs to accept (alpha)"),
            tr(
                "For the method clique. Smaller is stricter and links fewer people, but not always "
                "more of them rightly. The papers try 0.1, 0.5 and 0.9, of which 0.9 mostly finds "
                "most. Not used by the rule absolute."
            ),
            0.9,
            0.0,
            1.0,
            only_when={"METHOD": (STRONGEST, CLIQUE), "RULE": (LIPSCHITZ, COORDINATES, DISTANCES)},
        ),
        parameters.integer(
            "SETS",
            tr("Number of reference sets (d)"),
            tr("For the rule lipschitz: as in the release."),
            20,
            1,
            only_when={"RULE": (LIPSCHITZ,)},
        ),
        parameters.integer(
            "SIZE",
            tr("Reference points in each set (k)"),
            tr("For the rule lipschitz: as in the release."),
            20,
            1,
            only_when={"RULE": (LIPSCHITZ,)},
        ),
        parameters.number(
            "PRE_NOISE",
            tr("Noise before the embedding (metres)"),
            tr("For the rule lipschitz: as in the release; 0 for none."),
            0.0,
            0.0,
            advanced=True,
            only_when={"RULE": (LIPSCHITZ,)},
        ),
        parameters.area(
            tr("the reference points, or the simulated pairs,"),
            tr("the convex hull of the known people"),
        ),
        parameters.number(
            "SIGMA",
            tr("Size of the noise"),
            tr(
                "For the rules coordinate_noise and distance_noise: standard deviation, or the "
                "scale b of Laplace noise."
            ),
            1000.0,
            0.0,
            only_when={"RULE": (COORDINATES, DISTANCES)},
        ),
        parameters.choice(
            "SIGMA_UNIT",
            tr("Unit of the size"),
            tr("For the rule coordinate_noise: metres on the ground or degrees."),
            ["m", "degrees"],
            "m",
            only_when={"RULE": (COORDINATES,)},
        ),
        parameters.choice(
            "DISTRIBUTION",
            tr("Distribution of the noise"),
            tr("For the rule distance_noise."),
            ["gaussian", "laplace"],
            "gaussian",
            only_when={"RULE": (DISTANCES,)},
        ),
        *shared.inputs(),
        parameters.metres(
            "EPSILON",
            tr("Tolerance (metres)"),
            tr("For the rule absolute: distances agree when they differ by less."),
            5000.0,
            optional=False,
            only_when={"RULE": (ABSOLUTE,)},
        ),
        parameters.integer(
            "REPLICATES",
            tr("Embeddings of the known people"),
            tr(
                "For the rule lipschitz and the method clique: how often the known people are "
                "embedded to learn which distances are likely."
            ),
            1000,
            2,
            advanced=True,
            only_when={"METHOD": (STRONGEST, CLIQUE), "RULE": (LIPSCHITZ,)},
        ),
    ]


def _search() -> list:
    """How long and how far the attack goes, and what it is held against."""
    return [
        parameters.integer(
            "MAX_STEPS",
            tr("Most steps of the search"),
            tr(
                "For the method clique: the search ends after so many steps, and its result is "
                "called unproven. Leave empty for no limit."
            ),
            None,
            1,
            LARGEST_WHOLE,
            optional=True,
            advanced=True,
            only_when={"METHOD": (STRONGEST, CLIQUE)},
        ),
        parameters.number(
            "TIME_LIMIT",
            tr("Time limit of the search (seconds)"),
            tr(
                "After so long the search ends with what it has found, and its result is called "
                "unproven; what the adversary prepares before is not counted. 0 for no limit. "
                "Leave empty for a minute with the methods clique and near_group, two with "
                "signatures, four for all together, and none with likelihood."
            ),
            None,
            0.0,
            optional=True,
            advanced=True,
        ),
        parameters.number(
            "THRESHOLD",
            tr("Least confidence"),
            tr("Matches that are less sure are not claimed. Not for the method clique."),
            THRESHOLD,
            0.0,
            1.0,
            advanced=True,
            only_when={"METHOD": (STRONGEST, *(one for one in NAMES if one != CLIQUE))},
        ),
        parameters.seed(),
        parameters.table(
            "TRUTH",
            tr("Key, to score the attack"),
            tr(
                "The private key table of the release. The originals are found among the known "
                "people by the field that the key names, where they have it, else by place."
            ),
            optional=True,
        ),
        verdicts.limit(),
    ]
