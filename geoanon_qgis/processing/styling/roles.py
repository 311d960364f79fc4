# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of each role: whom a layer is for, its note, map tip, labels and drawing order."""

from __future__ import annotations

from dataclasses import dataclass

from ..i18n import mark
from . import names


@dataclass(frozen=True)
class Role:
    """What is said of a layer.

    Attributes
    ----------
    secrecy : str
        "release", "private" or "" for the user's own data.
    note : str
    level : int
        Drawn above the roles with a lower one.
    map_tip : str
    label : str
        Expression of what is written on the map.
    """

    secrecy: str
    note: str
    level: int
    map_tip: str = ""
    label: str = ""


_SURELY = '[% round(100 * "probability") %] %'

_SUPPRESSED = 'format_number(100 * "share", if("share" < 0.1, 1, 0)) || \' %\''
#: What is below one in a hundred would only cover the rest.
_EXPLAINS = (
    'CASE WHEN "what" = \'released\' THEN "masked_id"'
    ' WHEN "what" = \'candidate\' AND "probability" >= 0.01'
    " THEN round(100 * \"probability\") || ' %' END"
)

ROLES = {
    names.MASKED: Role(
        "release",
        mark(
            "Release: masked places with new ids. Masks can be undone, a Voronoi mask by anyone "
            "with a list of possible places: attack this layer before you give it away."
        ),
        5,
        '<b>masked_id [% "masked_id" %]</b>',
    ),
    names.SHIFTS: Role(
        "private",
        mark(
            "Private: lines from each true place (dot) to the masked one (arrow). They undo the "
            "mask. Never give them away."
        ),
        2,
        '<b>masked_id [% "masked_id" %]</b><br>original_id [% "original_id" %], [% '
        'round("shift_m", 1) %] m, [% "kind" %]',
    ),
    names.MOVES: Role(
        "private",
        mark(
            "Private: lines from each true place (dot) to the masked one (arrow). They undo the "
            "mask. Never give them away."
        ),
        2,
        '<b>masked_id [% "masked_id" %]</b><br>original_id [% "original_id" %], [% '
        'round("shift_m", 1) %] m',
    ),
    names.CELLS: Role(
        "private",
        mark(
            "Private: Voronoi cells of the true places. The places can be computed from them. "
            "Never give them away."
        ),
        1,
    ),
    names.SUPPORT: Role(
        "private",
        mark(
            "Private: for each true place the area in which its masked point could have come to "
            "lie. The place can be computed from it. Never give it away."
        ),
        1,
    ),
    names.SYNTHETIC: Role(
        "release",
        mark(
            "Release: records of people who do not exist. The shares they were drawn from may be "
            "real: those of very small groups tell about real people."
        ),
        0,
    ),
    names.KEY: Role(
        "private",
        mark(
            "Private: leads from each released id back to the original record. Never give it away."
        ),
        0,
    ),
    names.FOUND: Role(
        "private",
        mark(
            "Private: the places an adversary assigns to the masked records, with the probability "
            "that they are right. Never give them away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b><br>[% "kind" %], ' + _SURELY,
    ),
    names.AT_RISK: Role(
        "private",
        mark(
            "Private: the records to withhold, at the places where they were found. Give this "
            "layer to the mask as records to withhold. Never give it away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b><br>[% "why" %], ' + _SURELY,
    ),
    names.PEOPLE_AT_RISK: Role(
        "private",
        mark(
            "Private: people whom an attack on the release finds, at their true places, and which "
            "attack it is. Never give them away."
        ),
        6,
        '<b>original_id [% "original_id" %]</b><br>[% "why" %]',
    ),
    names.WITHHELD: Role(
        "private",
        mark(
            "Private: records that the mask could not move, at their true places. They are not in "
            "the release. Never give them away."
        ),
        6,
        '<b>original_id [% "original_id" %]</b><br>[% "why" %]',
    ),
    names.GUESSED: Role(
        "private",
        mark(
            "Private: each released record at the address that an adversary takes for the "
            "likeliest, by how sure he is. Never give it away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b><br>' + _SURELY,
    ),
    names.EXPLAINING: Role(
        "private",
        mark(
            "Private: for some records every address that explains them, by its probability, with "
            "the released point and, where there is a key, the home. Never give it away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b> [% "what" %]<br>' + _SURELY,
        label=_EXPLAINS,
    ),
    names.CLUSTERS: Role(
        "private",
        mark(
            "Private: circles in which there are more points than the population lets expect, in "
            "the original and in the release. Those of the original tell where the true points "
            "are. Never give them away."
        ),
        3,
        '<b>[% "kind" %], cluster [% "number" %]</b><br>[% round("cases", 1) %] cases, '
        '[% round("expected", 1) %] expected; LLR [% round("llr", 2) %]'
        "[% coalesce(', p = ' || round(\"p\", 3), '') %]",
    ),
    names.SCORED: Role(
        "private",
        mark(
            "Private: the places an adversary assigns to the masked records; crossed out where the "
            "key shows that they are wrong. Never give them away."
        ),
        6,
        '<b>masked_id [% "masked_id" %]</b><br>[% "kind" %], '
        + _SURELY
        + '<br>correct: [% "correct" %]',
    ),
    names.LINKS: Role(
        "private",
        mark(
            "Private: lines from each masked place to the place that an adversary assigns to it. "
            "Never give them away."
        ),
        3,
        '<b>masked_id [% "masked_id" %]</b><br>[% "kind" %], ' + _SURELY,
    ),
    names.RECORDS: Role(
        "release",
        mark(
            "Release: records without places, with new ids. Their distances are in the matrix that "
            "was written with them; its ids are those of this table."
        ),
        0,
        '<b>released_id [% "released_id" %]</b>',
    ),
    names.DISTANCE_KEPT: Role(
        "private",
        mark(
            "Private: lines from one record to the others, by how much of the true distance the "
            "release keeps. They end at true places. Never give them away."
        ),
        2,
        '<b>released_id [% "released_id" %]</b><br>true distance [% round("distance", 1) %], '
        'released [% round("released", 1) %]'
        "[% coalesce(' (' || round(100 * \"ratio\") || ' %)', '') %]",
    ),
    names.DRAWN: Role(
        "private",
        mark(
            "Private: what an attacker could draw. The released distances laid out in a plane "
            "(multidimensional scaling), which anyone who holds them can do, and fitted to the true "
            "places, which an attacker can who knows some of them. Never give it away: it does the "
            "attacker's work."
        ),
        5,
        '<b>released_id [% "released_id" %]</b><br>[% round("off_m", 1) %] m from the true place',
    ),
    names.REFERENCE_SETS: Role(
        "private",
        mark(
            "Private: the random reference points that the release was computed from. With them "
            "the released distances lead to the places. Never give them away."
        ),
        1,
        '<b>set [% "set" %]</b>, point [% "point" %]',
    ),
    names.LINKED: Role(
        "private",
        mark(
            "Private: known people, and the released records that an adversary links to them by "
            "their distances. Never give them away."
        ),
        6,
        "<b>target [% coalesce(\"target_id\", '–') %]</b><br>"
        "[% CASE WHEN \"in_every\" = 1 THEN 'in every maximum clique' "
        "WHEN \"in_clique\" = 1 THEN 'in the clique' ELSE 'not in the clique' END %]"
        "[% coalesce(', support ' || round(100 * \"support\") || ' %', '') %]"
        "[% CASE WHEN \"correct\" = 1 THEN '<br>right' "
        "WHEN \"correct\" = 0 THEN '<br>wrong' ELSE '' END %]",
    ),
    names.LINK_LINES: Role(
        "private",
        mark(
            "Private: lines from the true place of a released record to the place of the person "
            "that an adversary takes it for. Never give them away."
        ),
        3,
        '<b>target [% "target_id" %]</b>',
    ),
    names.AGGREGATED: Role(
        "private",
        mark(
            "Private: areas with the counts from before suppression, from which suppressed records "
            "can be worked out. The number on each is the share of its records that is suppressed. "
            "Never give it away; the layer of released areas is for that."
        ),
        1,
        '<b>area [% "area_id" %]</b>: [% "regions" %] regions, [% "records" %] records<br>[% '
        '"classes" %] classes, the smallest of [% "smallest" %]<br>[% "suppressed" %] records '
        "suppressed",
        label=_SUPPRESSED,
    ),
    names.RELEASED_AREAS: Role(
        "release",
        mark("Release: the areas that the released records refer to by area_id."),
        1,
        '<b>area [% "area_id" %]</b><br>[% "released" %] records',
    ),
    names.COUNTED_AREAS: Role(
        "release",
        mark(
            "Release: areas with their cases and rates. What is left out is small, or protects "
            "something small. The number on each is its rate."
        ),
        1,
        '<b>[% "area" %]</b><br>[% coalesce("cases", \'–\') %] / [% "population" %]',
        label='round("rate", 1)',
    ),
    names.COUNTS: Role(
        "release",
        mark(
            "Release: cases, people, rates and intervals of areas and of all that they lie in. What is "
            "left out is small, or protects something small."
        ),
        0,
    ),
    names.SITES: Role(
        "private",
        mark(
            "Private: the sites of the areas. Searches move them to where members of rare classes "
            "live. Never give them away."
        ),
        6,
        '<b>site of area [% "area_id" %]</b><br>[% "regions" %] regions',
    ),
    names.LOOKUP: Role(
        "release",
        mark("Release: which region belongs to which area. It tells nothing about persons."),
        0,
    ),
    names.REGIONS: Role(
        "release",
        mark(
            "Release: the regions, each with the area that it belongs to. It tells nothing about "
            "persons."
        ),
        0,
        '<b>area [% "area_id" %]</b>',
    ),
    names.AREA_RECORDS: Role(
        "release",
        mark(
            "Release: records with their areas, those in small classes left out, in random order."
        ),
        0,
        '<b>area [% "area_id" %]</b>',
    ),
    names.AREA_LABELS: Role("private", "", 7, label=_SUPPRESSED),
    names.POINT_REGIONS: Role("", "", 0),
    names.ANONYMIZED: Role(
        "release",
        mark(
            "Release: synthetic places with anonymised attributes and new ids. Measure the "
            "disclosure risk of this very layer before you give it away."
        ),
        5,
        '<b>released_id [% "released_id" %]</b>',
    ),
    names.ANONYMIZED_TABLE: Role(
        "release",
        mark(
            "Release: anonymised attributes with new ids. Measure the disclosure risk of this very "
            "table before you give it away."
        ),
        0,
        '<b>released_id [% "released_id" %]</b>',
    ),
    names.RISK: Role(
        "private",
        mark(
            "Private: the original records, by how near the release comes in all fields, compared "
            "with other people's records. Never give them away."
        ),
        6,
        '<b>original_id [% "original_id" %]</b><br>'
        "[% coalesce('prediction distance ' || format_number(\"distance\", 3) || ', reference ' "
        '|| format_number("reference_distance", 3) '
        "|| coalesce(' (' || round(100 * \"relative_distance\") || ' %)', '') "
        "|| '<br>ambiguity ' || format_number(\"ambiguity\", 2) || ', uncertainty ' "
        "|| format_number(\"uncertainty\", 2), 'left out: lacks a value') %]",
    ),
    names.SMALL_CLASSES: Role(
        "private",
        mark(
            "Private: records by how many are alike in the quasi-identifiers. Unique ones are "
            "found by anyone who knows these attributes. Never give them away."
        ),
        6,
        '<b>original_id [% "original_id" %]</b><br>class [% "class" %], [% "class_size" %] records',
    ),
    names.MEASURED: Role(
        "private",
        mark("Private: what was found out about the original records. Never give it away."),
        0,
    ),
    names.DENSITY: Role("private", "", 1),
    names.DENSITY_CHANGE: Role("private", "", 1),
    names.ORIGINALS: Role("", "", 7),
    names.RATIOS: Role("private", "", 6),
    names.CENTRE: Role("private", "", 8),
    names.DRAWN_LINES: Role("private", "", 2),
    names.SOME_SETS: Role("private", "", 4),
    names.AREA: Role("", "", 0),
    names.CANDIDATES: Role("", "", 1),
    names.RIGHT_OR_WRONG: Role("private", "", 6),
}
