# SPDX-License-Identifier: GPL-2.0-or-later
"""What the attack on masked points asks for."""

from __future__ import annotations

from ....core.experiments.masks.standing import MEAN, ON
from ... import verdicts
from ...dialog import notes, parameters
from ...i18n import tr
from ...running import Given
from . import further, known_attributes, members, originals, second_places, typed, unlisted_homes
from .adversaries import BOTH, PLACE, RECORD


def inputs() -> list:
    """Return the parameters."""
    return [
        notes.judged(
            parameters.points(
                "INPUT", tr("Masked points"), tr("The released layer that is attacked.")
            )
        ),
        parameters.file_source(
            "MASK",
            tr("Mask file"),
            tr(
                "The private file that was written as MASK with the release. Empty for another "
                "tool's mask, of which BEFORE and AFTER tell, or a law that is known (LAW). Without "
                "these, too, the points are taken for displaced ones, and the law (disc, donut, "
                "Gaussian, bimodal or Laplace, of one size for all or as far as the k-th address) "
                "is estimated from them, as an adversary would whom nobody "
                "has told; a shift or turn that all of them share is looked for, and taken off."
            ),
            tr("JSON files (*.json)"),
        ),
        parameters.points(
            "CANDIDATES",
            tr("Address list"),
            tr(
                "All places where people of the file could live, in any reference system. For "
                "an exchange, the list that it was made with."
            ),
        ),
        parameters.field(
            "WEIGHT",
            tr("Dwellings or people at an address"),
            tr(
                "Of the list: how likely each address is beforehand. Empty: all alike, and one "
                "that is listed for each of its dwellings as often as it is listed."
            ),
            "CANDIDATES",
            numeric=True,
        ),
        parameters.table(
            "KEY",
            tr("Key, to score the attack and to try the second adversary"),
            tr("The private table that was written with the release."),
            optional=True,
        ),
        parameters.table(
            "MEMBERS",
            tr("People who are known to be in the file"),
            tr(
                "For the second adversary: points where they live, or with the key a table with the "
                "field that its ids are from. What is said of records then speaks of these people "
                "only. Empty: with the key every record in turn."
            ),
            optional=True,
        ),
        parameters.fields(
            "TARGET_QIS",
            tr("Attributes that he knows (of the masked points)"),
            tr(
                "Released fields that he may know of people, such as age and sex. An address then "
                "explains a record only by those of its people who agree with it."
            ),
            "INPUT",
        ),
        parameters.fields(
            "CANDIDATE_QIS",
            tr("The same attributes in the address list"),
            tr(
                "In the same order. The list then has a row for each person or household. What is "
                "missing, here or there, agrees with everything."
            ),
            "CANDIDATES",
        ),
        parameters.text(
            "TOLERANCE",
            tr("Attributes may differ by"),
            tr(
                "One number for each attribute in their order, such as 2, 0: numbers may differ by "
                "so much, dates by so many days. One number alone is for all that are numbers or "
                "dates. Empty: they must be equal."
            ),
        ),
        parameters.choice(
            "ADVERSARY",
            tr("Adversary"),
            tr(
                "whose_place: who lives there? which_record: which record is hers? both: the "
                "worse of the two decides."
            ),
            [BOTH, PLACE, RECORD],
            BOTH,
        ),
        parameters.regions(
            "POPULATION",
            tr("Population"),
            tr("If the mask counted people or addresses by it: the same layer."),
            optional=True,
            advanced=True,
        ),
        parameters.field(
            "POPULATION_FIELD",
            tr("Field with the number of people"),
            tr("Of the population, as the mask was told."),
            "POPULATION",
            numeric=True,
            advanced=True,
        ),
        parameters.raster(
            "RASTER",
            tr("Population raster"),
            tr("If the mask took its sizes from it: the same raster."),
        ),
        parameters.source(
            "ZONES",
            tr("Zones"),
            tr("If points stayed in zones, or went to zones or merged ones: the same layer."),
            "polygon",
            optional=True,
            advanced=True,
        ),
        parameters.source(
            "AVOID",
            tr("Areas to avoid"),
            tr("If the mask avoided areas: the same layer."),
            "polygon",
            optional=True,
            advanced=True,
        ),
        parameters.source(
            "URBAN",
            tr("Towns"),
            tr("If points moved by another distance in towns: the same layer."),
            "polygon",
            optional=True,
            advanced=True,
        ),
        *_of_another_tool(),
        *typed.inputs(),
        parameters.source(
            "STREETS",
            tr("Streets"),
            tr("If points went along streets, or to their crossings: the same layer."),
            "line",
            optional=True,
            advanced=True,
        ),
        parameters.source(
            "CROSSINGS",
            tr("Crossings"),
            tr("If points went to crossings that were given as points: the same layer."),
            "point",
            optional=True,
            advanced=True,
        ),
        parameters.file_source(
            "SECRET_FILE",
            tr("Secret file, to play who knows the groups"),
            tr(
                "Of an exchange in cells or groups: the private file that was written with the "
                "release. Both adversaries then know which records are in one group, or which "
                "cells were joined: the most that they could. Empty: they have to guess it."
            ),
            tr("JSON files (*.json)"),
            advanced=True,
        ),
        parameters.integer(
            "SHOWN",
            tr("Records whose addresses are shown"),
            tr("How many of the riskiest records CANDIDATES_OF has."),
            10,
            1,
            10_000,
            advanced=True,
        ),
        parameters.text(
            "SHOWN_IDS",
            tr("Records whose addresses are shown, by their ids"),
            tr(
                "Ids of released records, parted by commas, for CANDIDATES_OF to have in place of the "
                "riskiest. Empty: the riskiest."
            ),
            advanced=True,
        ),
        parameters.file_sources(
            "FURTHER_RELEASES",
            tr("Further releases of the same people"),
            tr(
                "Files with masked points (such as .gpkg; of several layers the first) that were "
                "released at other times. What all of them tell of a person counts; a draw that was "
                "kept, so that the point is the same, counts once."
            ),
        ),
        parameters.file_sources(
            "FURTHER_MASKS",
            tr("Mask files of the further releases"),
            tr("In the same order."),
        ),
        parameters.text(
            "LINKED_BY",
            tr("Field that links the releases"),
            tr(
                "A field that all releases have, with an id of the person that stays the same. Empty: "
                "by the keys, for an adversary who can link everybody."
            ),
            advanced=True,
        ),
        parameters.file_sources(
            "FURTHER_KEYS",
            tr("Keys of the further releases"),
            tr("In the same order, where no field links them; KEY is that of the first."),
        ),
        parameters.number(
            "ROUNDING",
            tr("Coordinates were rounded to (units of the layer)"),
            tr(
                "Step of the grid to which displaced points were rounded before they were released: "
                "metres, or degrees where the layer has them. Empty: found by itself, where all "
                "coordinates lie on a grid. 0: they were not rounded."
            ),
            optional=True,
            minimum=0.0,
            advanced=True,
        ),
        parameters.metres(
            "WITHIN",
            tr("A record may miss its address by (metres)"),
            tr("As the exchange was told (WITHIN), to find homes by the key."),
            0.0,
        ),
        verdicts.limit(),
        parameters.choice(
            "LIMIT_ON",
            tr("The limit is on"),
            tr(
                "mean: the share of the people who are found by who guesses the likeliest. 99: "
                "besides, at most one record in a hundred may have a larger probability than the "
                "limit, by the upper end of the interval; of few records none. every: besides, none "
                "may."
            ),
            list(ON),
            MEAN,
            advanced=True,
        ),
        *originals.inputs(),
        parameters.boolean(
            "JOINT",
            tr("All points together"),
            tr(
                "No two places of the file are one address: what is likely another's is less likely a "
                "record's own. Off: each point by itself, which finds less where points stand close."
            ),
            True,
            advanced=True,
            optional=True,
        ),
        *unlisted_homes.inputs(),
        *second_places.inputs(),
    ]


def _of_another_tool() -> list:
    """Return the parameters for a mask that has no mask file."""
    found = []
    for name, of_id, label, told in (
        (
            "BEFORE",
            "BEFORE_ID",
            tr("Public points before another tool's mask"),
            tr(
                "Without a mask file: some hundred public points or more (50 at least), such as "
                "a sample of the address list, spread like the records."
            ),
        ),
        (
            "AFTER",
            "AFTER_ID",
            tr("The same points after it"),
            tr("As the tool moved them, with the settings that the release was made with."),
        ),
    ):
        found.append(parameters.source(name, label, told, "point", optional=True, advanced=True))
        found.append(
            parameters.field(
                of_id,
                tr("Field that names the points of {name}").format(name=name),
                tr("The same name for a point before and after."),
                name,
                advanced=True,
            )
        )
    return found


def _check_the_mask(given: Given) -> str | None:
    """Say what does not go together: a mask file, or two layers with their ids."""
    names = ["BEFORE", "BEFORE_ID", "AFTER", "AFTER_ID"]
    there = [name for name in names if given.has(name)]
    if given.has("MASK"):
        if there:
            return tr(
                "The mask file (MASK) says how points moved. Leave {names} empty, or MASK."
            ).format(names=", ".join(there))
        return None
    if not there:  # the law is estimated
        return None
    if len(there) < len(names):
        return tr(
            "Give the mask file of the release (MASK); or, for another tool's mask, public points "
            "before and after it (BEFORE, AFTER) with the fields that name them (BEFORE_ID, "
            "AFTER_ID)."
        )
    for name in ("INPUT", "CANDIDATES"):
        if given.same_layer("AFTER", name):
            return tr(
                "AFTER is the layer of {name}. Give public points that the tool moved, with the "
                "same settings."
            ).format(name=name)
    return None


def check(given: Given) -> str | None:
    """Say what does not go together."""
    if given.same_layer("INPUT", "CANDIDATES"):
        return tr(
            "The address list is the released layer itself. Choose a list of all places where "
            "the people could live."
        )
    said = (
        verdicts.senseless(given.acceptable())
        or originals.check(given)
        or members.check(given)
        or typed.check(given)
        or _check_the_mask(given)
    )
    said = said or known_attributes.check(given) or further.check(given)
    return said or unlisted_homes.check(given) or second_places.check(given)
