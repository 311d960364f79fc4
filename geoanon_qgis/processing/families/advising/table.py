# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of masks that were tried."""

from __future__ import annotations

from typing import Any

from ....core.experiments.masks.advice import Advice
from ....core.experiments.masks.advice_words import parameters_of
from ....core.experiments.masks.case import PLACE, RECORD
from ....core.experiments.masks.search import Found
from ....core.experiments.masks.standing import Against
from ....core.experiments.masks.usefulness import MEASURES, OF_DISTANCES
from ...dialog.declaration import Field, private
from ...i18n import mark

#: How columns of the two adversaries begin.
PREFIX = {PLACE: "place", RECORD: "record"}

_OF_ADVERSARY = (
    ("found", mark("share that he finds, mean of his largest probabilities")),
    ("low", mark("lower end of its 95 % interval")),
    ("high", mark("upper end")),
    ("above", mark("share of the records above the limit")),
    ("worst", mark("his largest probability")),
    ("sure", mark("people of whom he is sure, in the worst draw")),
)

#: What the algorithm declares.
OUTPUT = private(
    "OUTPUT",
    mark("Masks tried"),
    mark("Table with one row for each mask, of the smallest size that holds."),
    "table",
    [
        Field("mask", "string"),
        Field("algorithm", "string"),
        Field("parameters", "string"),
        Field("size", "double", mark("metres, or addresses or records to hide among")),
        Field(
            "state",
            "string",
            mark(
                "held, ruled_out (not even the largest size tried holds), open (not shown to hold), "
                "impossible (no such mask can be made of these data)"
            ),
        ),
        *(
            Field(f"{prefix}_{name}", "long" if name == "sure" else "double", meaning)
            for prefix in PREFIX.values()
            for name, meaning in _OF_ADVERSARY
        ),
        Field("withheld", "double", mark("share of the places that are not released")),
        Field("shift", "double", mark("mean distance moved, metres")),
        Field("ripley", "double", mark("error of L(t) as a share of it")),
        Field("kde", "double", mark("overlap of kernel densities, 1 for the same")),
        Field(
            "scan",
            "double",
            mark("population in the most likely cluster before and after, Jaccard"),
        ),
        Field("draws", "long"),
        Field("front", "long", mark("1 if no other moves less and shows less")),
        Field("recommended", "long", mark("1 for the mask to take")),
        Field("kind", "string", mark("what is released: points, areas, distances")),
        Field("distances", "double", mark("mean error of the distance of two records, metres")),
        Field(
            "nearest", "double", mark("mean error of the distance to the nearest record, metres")
        ),
        Field(
            "linked",
            "double",
            mark(
                "of released distances: share of a neighbourhood that attacks link who know everybody "
                "there"
            ),
        ),
        Field("linked_high", "double", mark("upper end")),
        Field(
            "prior_odds",
            "double",
            mark(
                "how many times as likely as the list says, against the others, an adversary may hold "
                "an address for the limit still to be kept; empty where it is kept whatever he believes, "
                "below PRIOR_ODDS where it is not, 0 where none could be tried"
            ),
        ),
    ],
    optional=False,
)


def rows(advice: Advice) -> list[list[Any]]:
    """Return the rows, in the order of the fields."""
    front = advice.front
    made = []
    for number, one in enumerate(advice.found):
        standing = one.standing
        made.append(
            [
                one.family.name,
                one.family.algorithm,
                parameters_of(one),
                None if standing is None else standing.size,
                one.state,
                *(cell for name in PREFIX for cell in _of_adversary(one, name)),
                None if standing is None else standing.withheld,
                *(_plain(one.values.get(name)) for name in MEASURES if name not in OF_DISTANCES),
                draws_of(one),
                int(number in front),
                int(one is advice.best),
                one.family.kind,
                *(_plain(one.values.get(name)) for name in OF_DISTANCES),
                *linked(one),
                _plain(borne(advice, one)),
            ]
        )
    return made


def borne(advice: Advice, one: Found) -> float | None:
    """Ratio of prior odds up to which a mask keeps the limit; None where there is no end to it."""
    ratio = advice.bears(one)
    return ratio if ratio < float("inf") else None


def linked(one: Found) -> tuple[float | None, float | None]:
    """Share of a neighbourhood that attacks on distances link, and its upper end; None for points."""
    links = None if one.standing is None else one.standing.links
    return (None, None) if links is None else (links[0], links[2])


def against(one: Found, name: str) -> Against | None:
    """How a mask stands against an adversary; None where he was not asked."""
    return None if one.standing is None else one.standing.against.get(name)


def draws_of(one: Found) -> int:
    """Draws by which a mask was judged."""
    if one.standing is None:
        return 0
    return max((len(each.found) for each in one.standing.against.values()), default=0)


def share_above(one: Against) -> float:
    """Mean share of the records above the limit."""
    return sum(one.above) / max(len(one.above), 1)


def _of_adversary(one: Found, name: str) -> list[Any]:
    found = against(one, name)
    if found is None or not found.people:
        return [None] * len(_OF_ADVERSARY)
    return [found.mean, *found.ends, share_above(found), found.worst, found.exposed]


def _plain(value: float | None) -> float | None:
    return None if value is None or value != value else value
