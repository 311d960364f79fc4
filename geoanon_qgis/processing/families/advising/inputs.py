# SPDX-License-Identifier: GPL-2.0-or-later
"""What the choice of a point mask asks for."""

from __future__ import annotations

import numpy as np

from ....core.experiments.masks.advice import FAMILIES, POINT_MASKS, WITH_LAYERS
from ....core.experiments.masks.case import BOTH, PLACE, RECORD
from ....core.experiments.masks.standing import MOST_RECORDS, ON
from ....core.experiments.masks.usefulness import MEASURES
from ....core.verdict import LIMIT
from ... import verdicts
from ...dialog import parameters
from ...i18n import tr
from ...running import Given
from ..choosing import earlier

ANY = "both"


def inputs() -> list:
    """Return the parameters."""
    return [
        parameters.points(
            "INPUT",
            tr("Points"),
            tr("The points to be masked, in any coordinate reference system."),
        ),
        parameters.points(
            "CANDIDATES",
            tr("Address list"),
            tr(
                "All places where people of the file could live, those of the records among them: "
                "what an adversary has, and what masks take their sizes from. A public list, never "
                "the points themselves."
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
        parameters.number(
            verdicts.ACCEPTABLE,
            tr("Limit of an adversary's probability"),
            tr(
                "From above 0 to below 1: what he may believe of an answer at most, as LIMIT_ON "
                "says of whom. 0.09 is the threshold of the European Medicines Agency for "
                "published data."
            ),
            LIMIT,
            minimum=0.0,
            maximum=0.99,
        ),
        parameters.choice(
            "LIMIT_ON",
            tr("The limit is on"),
            tr(
                "every: no record may be above it. 99: at most one record in a hundred. mean: the "
                "share of the people who are found by who guesses the likeliest; single people may "
                "then be found far more surely."
            ),
            list(ON),
            MOST_RECORDS,
        ),
        parameters.choice(
            "ADVERSARY",
            tr("Adversary"),
            tr(
                "whose_place: he has the list, and asks who lives there. which_record: he knows "
                "besides that a person is in the file, and asks which record is hers. both: it has "
                "to hold against each."
            ),
            [ANY, PLACE, RECORD],
            ANY,
        ),
        parameters.number(
            "PRIOR_ODDS",
            tr("Belief about addresses beforehand, times that of the list"),
            tr(
                "1: he takes each address for as likely to be in the file as the list says (WEIGHT). 3, say: "
                "he may hold any address for up to three times as likely, against the others, since he knows "
                "where the file is denser, as by counts of districts; it has to hold against the worst of such "
                "beliefs. The report tells up to how many times the recommended mask holds."
            ),
            1.0,
            minimum=1.0,
            maximum=1000.0,
            optional=True,
            advanced=True,
        ),
        parameters.integer(
            "RELEASES",
            tr("Releases of the same people"),
            tr("How often they will be published, this time among them."),
            1,
            1,
            100,
        ),
        parameters.boolean(
            "FRESH",
            tr("Each release draws anew"),
            tr(
                "Leave it off, and give the secret file of each release to the next: then several "
                "tell no more than one. With it, what they tell is multiplied."
            ),
            False,
            advanced=True,
        ),
        parameters.fields(
            "KNOWN",
            tr("Attributes that an adversary knows"),
            tr(
                "Of the points, such as age and sex, as they would be released. Only records that "
                "are alike in all of them then hide each other. Those that the address list has, "
                "too, under the same names, tell besides who may live where."
            ),
            "INPUT",
        ),
        parameters.choice(
            "UTILITY",
            tr("What has to be kept"),
            tr(
                "Masks that hold are compared by these, by their mean rank. shift: how far points "
                "move. ripley: the L function of the pattern. kde: its kernel density. scan: the "
                "most likely cluster of Kulldorff's scan statistic, with the address list for the "
                "population. distances: how far the distance of two records is off. nearest: how far "
                "that to the nearest other record is off. Released distances have the last two only; "
                "areas count as points at their centres."
            ),
            list(MEASURES),
            [MEASURES[0]],
            several=True,
        ),
        parameters.choice(
            "FAMILIES",
            tr("Masks to try"),
            tr(
                "disc, donut, gaussian and laplace move points by one law, of one size for all or "
                "by addresses as far as the k-th of them; swap moves them to an address in a ring; "
                "exchange, cells and groups are the methods of “Exchange of addresses”; grid and "
                "hexagons put them at the centre of cells; streets (where STREETS are given) moves them "
                "along streets, merged zones (ZONES) to the centres of joined zones. Not by default, since they take longer: "
                "areas releases the area of a record, of about as many addresses each (METHOD=sites "
                "of “Aggregation masking”); distances after a mask releases no points but an embedding "
                "of the distances between masked ones (“Lipschitz embedding release”)."
            ),
            list(FAMILIES),
            [*POINT_MASKS, *WITH_LAYERS],
            several=True,
        ),
        parameters.source(
            "STREETS",
            tr("Streets at hand"),
            tr(
                "Lines, as “Street masking” (geoanon:maskstreets) takes them: then it is tried, too. Empty: "
                "not tried."
            ),
            "line",
            optional=True,
            advanced=True,
        ),
        parameters.source(
            "ZONES",
            tr("Zones at hand"),
            tr(
                "Polygons that cover the points, such as wards: then they are merged until each area holds "
                "enough addresses (METHOD=merged of “Aggregation masking”). Empty: not tried."
            ),
            "polygon",
            optional=True,
            advanced=True,
        ),
        parameters.metres(
            "WITHIN",
            tr("A record may miss its address by (metres)"),
            tr(
                "0: a record that lies at no address of the list is left out. Else the nearest "
                "address within so far is taken for its own."
            ),
            0.0,
            optional=False,
        ),
        earlier.parameter(may_be_raised=False),
        parameters.seed(),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    said = verdicts.senseless(given.acceptable())
    if said:
        return said
    if not 0 <= given.number("WITHIN") < np.inf:
        return tr("A record may miss its address (WITHIN) by zero metres or more.")
    if not given.choices("FAMILIES") or not given.choices("UTILITY"):
        return tr("Choose at least one mask (FAMILIES) and one measure (UTILITY).")
    layers = {"streets": "STREETS", "merged zones": "ZONES"}
    named = set(given.choices("FAMILIES"))
    lacking = [layers[one] for one in WITH_LAYERS if one in named and not given.has(layers[one])]
    if named <= set(WITH_LAYERS) and len(lacking) == len(named):
        return tr(
            "The masks that were chosen (FAMILIES) need {names}: give it, or choose others."
        ).format(names=", ".join(lacking))
    if given.same_layer("INPUT", "CANDIDATES"):
        return tr(
            "The address list is the layer of the points themselves: everybody in it would be "
            "known to be in the file. Choose a public list of all addresses."
        )
    return None


def adversaries(given: Given) -> tuple[str, ...]:
    """Return those against whom a mask has to hold."""
    who = given.choice("ADVERSARY")
    return BOTH if who == ANY else (who,)
