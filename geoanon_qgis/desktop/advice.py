# SPDX-License-Identifier: GPL-2.0-or-later
"""Which tool for what: the decision tables of the documentation, as data.

What is published and three questions (who may read it, what will he know, how often) lead to a tool
with its parameters, and to the sentences that say why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..processing.i18n import mark

POINTS, AREAS, DISTANCES, TABLE = "points", "areas", "distances", "table"
ANYBODY, CONTRACT, INSIDE = "anybody", "contract", "inside"
ADDRESSES, MEMBER, ATTRIBUTES = "addresses", "member", "attributes"
ONCE, AGAIN = "once", "again"

#: The questions, in their order: each with its answers.
QUESTIONS = {
    "what": (
        mark("What do you want to publish?"),
        {
            POINTS: mark("Points: where people live, or where something happened"),
            AREAS: mark("Areas: records or numbers by district"),
            DISTANCES: mark("Distances between records, without their places"),
            TABLE: mark("A table of attributes, with places or without"),
        },
    ),
    "reader": (
        mark("Who may read it?"),
        {
            ANYBODY: mark("Anybody"),
            CONTRACT: mark("Researchers who have signed a contract"),
            INSIDE: mark("Colleagues in our own house"),
        },
    ),
    "knows": (
        mark("What will he know?"),
        {
            ADDRESSES: mark("Where there are addresses, but not who is in the file"),
            MEMBER: mark("That a certain person is in the file, and where she lives"),
            ATTRIBUTES: mark("Besides that her age, sex, trade or the like"),
        },
    ),
    "often": (
        mark("How often?"),
        {
            ONCE: mark("Once"),
            AGAIN: mark("Again, with the same people"),
        },
    ),
}


@dataclass(frozen=True)
class Reader:
    """What holds for those who may read a release.

    Attributes
    ----------
    limit : float
        With what share somebody may be found.
    size : int
        Among how many people one has to hide for that.
    says : str
    """

    limit: float
    size: int
    says: str


READERS = {
    ANYBODY: Reader(
        0.09,
        12,
        mark(
            "Anybody may read it: nobody may be found with more than 9 %, the threshold of the "
            "European Medicines Agency for published data. That asks for groups of 12."
        ),
    ),
    CONTRACT: Reader(
        0.2,
        5,
        mark(
            "Readers have signed what they must not do: one in five (20 %) is taken as the limit. "
            "This is our suggestion and no rule; your data protection officer decides."
        ),
    ),
    INSIDE: Reader(
        0.2,
        5,
        mark(
            "Colleagues who may see the originals need no release. For all others in the house one "
            "in five (20 %) is taken as the limit, since files travel. This is our suggestion and no "
            "rule; your data protection officer decides."
        ),
    ),
}

#: Stand for what the reader decides, in the parameters of a tool.
LIMIT, SIZE = object(), object()


@dataclass(frozen=True)
class Tool:
    """An algorithm or model to open, without the provider's name.

    Attributes
    ----------
    name : str
    parameters : dict of str to value
    when : str
        When to take it, of a tool that is the second choice.
    """

    name: str
    parameters: dict[str, Any] = field(default_factory=dict)
    when: str = ""

    def filled(self, reader: str) -> dict[str, Any]:
        """Return the parameters for some readers."""
        told = READERS[reader]
        values = {LIMIT: told.limit, SIZE: told.size}
        return {
            name: values.get(value, value) if value in (LIMIT, SIZE) else value
            for name, value in self.parameters.items()
        }


@dataclass(frozen=True)
class Rule:
    """A row of the table: the first that fits the answers holds.

    Attributes
    ----------
    what : str
    knows, often : tuple of str
        Answers that it is for.
    tool, other : Tool
        The one to take, and the one for another case.
    why, then : str
        Why this tool, and what to do afterwards.
    """

    what: str
    knows: tuple[str, ...]
    often: tuple[str, ...]
    tool: Tool
    other: Tool
    why: str
    then: str


_ANY, _EVER = (ADDRESSES, MEMBER, ATTRIBUTES), (ONCE, AGAIN)
#: Masks to try: those that hide a home, and those that hide whose record it is.
_HOMES = ["exchange", "cells", "disc by addresses", "donut by addresses", "gaussian by addresses"]
_RECORDS = ["groups", "cells", "exchange", "grid"]
_CHOSEN = {"ACCEPTABLE": LIMIT, "LIMIT_ON": "99"}
_NO_LIST = mark("I have no list of all addresses: displacement by numbers of people")
_THEN_MASK = mark(
    "The report recommends a mask and has its command. Run it with its report, and attack the "
    "result with “Posterior attack on a point mask” before you give it away."
)
_BY_POPULATION = Tool("maskdisplace", {"LAW": "gaussian", "SIZE_BY": "population"}, _NO_LIST)
_MERGED = Tool(
    "maskaggregate",
    {"METHOD": "merged", "K": SIZE},
    mark("I have no list of all addresses: areas with enough people"),
)
_BY_NUMBERS = Tool(
    "areacounts",
    {"K": SIZE},
    mark("Only numbers of cases and rates for each area, no records"),
)

RULES = (
    Rule(
        POINTS,
        (ADDRESSES,),
        _EVER,
        Tool("choosemask", {**_CHOSEN, "ADVERSARY": "whose_place", "FAMILIES": _HOMES}),
        _BY_POPULATION,
        mark(
            "He asks who lives at the place of a point. An exchange of addresses promises that one "
            "point tells him one in k; how much a displacement hides depends on who lives there. "
            "Several masks are tried on your own points against him, and the one that keeps most is "
            "recommended, if one holds."
        ),
        _THEN_MASK,
    ),
    Rule(
        POINTS,
        (MEMBER,),
        _EVER,
        Tool("choosemask", {**_CHOSEN, "ADVERSARY": "both", "FAMILIES": _RECORDS}),
        _MERGED,
        mark(
            "He asks which record is hers, and finds it with any displacement of a useful size, as few "
            "other records lie near her home. Groups of records that change places promise him one "
            "in as many as a group has. Masks are tried on your own points against him and against "
            "who has only an address list."
        ),
        _THEN_MASK,
    ),
    Rule(
        POINTS,
        (ATTRIBUTES,),
        _EVER,
        Tool("choosemask", {**_CHOSEN, "ADVERSARY": "both", "FAMILIES": _RECORDS}),
        Tool(
            "equivalenceclasses",
            {"K": SIZE, "ACCEPTABLE": LIMIT},
            mark("First see by which attributes people are alone"),
        ),
        mark(
            "A mask hides nothing that is known of her besides. Name in KNOWN what he knows: only "
            "records that are alike in all of it hide each other, so that attributes have to be "
            "coarser first. Masks are then tried on your own points."
        ),
        _THEN_MASK,
    ),
    Rule(
        AREAS,
        _ANY,
        (ONCE,),
        Tool("aggregaterecordsreport", {"K": SIZE}),
        _BY_NUMBERS,
        mark(
            "Small areas are joined to larger ones until each combination of what others may know "
            "(QIS, such as age group and sex) is there several times in each; what is still rarer is "
            "left out."
        ),
        mark(
            "Read both reports, and compare what more areas would cost. Give away records and areas "
            "of one run, never of two."
        ),
    ),
    Rule(
        AREAS,
        _ANY,
        (AGAIN,),
        Tool("vbas", {"K": SIZE, "ACCEPTABLE": LIMIT}),
        _BY_NUMBERS,
        mark(
            "Two aggregations of the same records overlap to smaller areas. Keep the table of areas "
            "(LOOKUP) of each release, and give that of the one before as EARLIER: what its overlaps "
            "with the new areas show is then counted."
        ),
        mark("Read the report's verdict on the earlier release before you give the new one away."),
    ),
    Rule(
        DISTANCES,
        (ADDRESSES, ATTRIBUTES),
        _EVER,
        Tool("chooseembedding", {"ACCEPTABLE": LIMIT}),
        Tool("lipschitzrelease", {}, mark("I know the parameters already: make the release")),
        mark(
            "Sets and sizes are tried on your own points, with what they keep and who is found by "
            "somebody who has another file with the places of some of the people. Name in QIS what "
            "both files have. Neighbours give each other away: expect that little is recommended."
        ),
        mark(
            "Make the release with “Lipschitz embedding release”, and attack it with “Graph-theoretic "
            "linkage attack” before you give it away."
        ),
    ),
    Rule(
        DISTANCES,
        (MEMBER,),
        _EVER,
        Tool("chooseembedding", {"ACCEPTABLE": LIMIT, "KNOWN_LINKS": 5}),
        Tool("lipschitzrelease", {}, mark("I know the parameters already: make the release")),
        mark(
            "Sets and sizes are tried on your own points, with who is found by somebody who knows of "
            "some people (here 5) which records are theirs, and has a file with the places of others. "
            "Neighbours give each other away: expect that little is recommended."
        ),
        mark(
            "Make the release with “Lipschitz embedding release”, and attack it with “Graph-theoretic "
            "linkage attack” before you give it away."
        ),
    ),
    Rule(
        TABLE,
        _ANY,
        _EVER,
        Tool("anonymisemeasurereport", {"K": SIZE}),
        Tool(
            "equivalenceclasses",
            {"K": SIZE, "ACCEPTABLE": LIMIT},
            mark("I want to keep true values and make them coarser: see who is alone"),
        ),
        mark(
            "Attributes identify by combination. Values are changed; then four attacks, also on "
            "whether somebody is in the file, tell whether it is enough, and measures tell what is "
            "left of the statistics."
        ),
        mark(
            "Read the report of the risk first. Addresses, postcodes and names are no attributes: "
            "leave them out."
        ),
    ),
)

#: What holds besides where the same people are released again.
REPEATED = {
    POINTS: mark(
        "Keep the secret file of each release and give it to the next (SECRET). Several draws for "
        "one place give it away, whatever the mask."
    ),
    AREAS: "",
    DISTANCES: mark(
        "A second embedding of the same records tells more than each of the two: publish once. If "
        "you must, attack all of them together (MORE_MATRICES of the linkage attack)."
    ),
    TABLE: mark(
        "Two anonymised versions of the same people tell more than one, and no tool here attacks "
        "both together: publish one version, and that one again."
    ),
}


@dataclass(frozen=True)
class Advice:
    """What to run, and why.

    Attributes
    ----------
    tool, other : Tool
    parameters, other_parameters : dict of str to value
    sentences : tuple of str
        Marked texts: why, who reads, what of repeats, and what then.
    """

    tool: Tool
    parameters: dict[str, Any]
    other: Tool
    other_parameters: dict[str, Any]
    sentences: tuple[str, ...]


def advise(what: str, reader: str, knows: str, often: str) -> Advice:
    """Return what to run for the answers to :data:`QUESTIONS`.

    Raises
    ------
    LookupError
        If an answer is none of them.
    """
    rule = next(
        (one for one in RULES if one.what == what and knows in one.knows and often in one.often),
        None,
    )
    if rule is None:
        raise LookupError((what, knows, often))
    again = REPEATED[what] if often == AGAIN else ""
    said = (rule.why, READERS[reader].says, again, rule.then)
    return Advice(
        rule.tool,
        rule.tool.filled(reader),
        rule.other,
        rule.other.filled(reader),
        tuple(filter(None, said)),
    )
