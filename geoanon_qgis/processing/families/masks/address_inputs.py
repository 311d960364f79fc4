# SPDX-License-Identifier: GPL-2.0-or-later
"""What a mask asks for that releases records at other addresses of a public list."""

from __future__ import annotations

import numpy as np

from ...dialog import parameters
from ...i18n import tr
from ...running import Given
from .crossings import STREETS

EXCHANGE, CELLS, GROUPS = "exchange", "cells", "groups"
BY_ADDRESS, BY_DWELLING = "address", "dwelling"
#: What a mask file calls the numbers of dwellings of an address list.
DWELLINGS = "DWELLINGS"
ADDRESS, BESIDE, CROSSING = "address", "beside", "crossing"


def inputs() -> list:
    """Return the parameters."""
    return [
        parameters.points(
            "CANDIDATES",
            tr("Address list"),
            tr(
                "All addresses of the area and round it, in any reference system, and those of the "
                "records among them: a public list, never the records themselves. Records are "
                "released at addresses of it."
            ),
        ),
        parameters.field(
            "WEIGHT",
            tr("Dwellings or people at an address"),
            tr(
                "Of the address list: how likely each address is before anything is released. The "
                "report then says what the likeliest address comes to. Leave empty where all are "
                "alike, or where the list has a row for each dwelling: rows at one place are "
                "counted then."
            ),
            "CANDIDATES",
            numeric=True,
            advanced=True,
        ),
        parameters.choice(
            "METHOD",
            tr("Method"),
            tr(
                "exchange: each address has K partners, itself among them, and a record is "
                "released at one of its partners. cells: the list is cut into cells of K "
                "addresses and more, and the records of a cell go to random addresses of it. "
                "groups: records change places within groups of K_RECORDS, and are then exchanged."
            ),
            [EXCHANGE, CELLS, GROUPS],
            EXCHANGE,
        ),
        parameters.integer(
            "K",
            tr("Addresses to hide among (k)"),
            tr(
                "Partners of an address (of a dwelling, with UNIT), or the least number of addresses "
                "in a cell."
            ),
            20,
            2,
        ),
        parameters.choice(
            "UNIT",
            tr("What is counted"),
            tr(
                "With METHOD=exchange. address: each address has K partners, however many live "
                "there. dwelling: each dwelling has, by the number in WEIGHT; no dwelling is likelier "
                "than 1/K then. Where a house has K dwellings and more, its records mostly stay "
                "there, and it is not hidden which house it is."
            ),
            [BY_ADDRESS, BY_DWELLING],
            BY_ADDRESS,
            advanced=True,
            only_when={"METHOD": (EXCHANGE,)},
        ),
        parameters.integer(
            "K_RECORDS",
            tr("Records to hide among"),
            tr(
                "With METHOD=cells or groups: the least number of places with records in a group, "
                "against whoever knows that a person is in the file."
            ),
            5,
            2,
            only_when={"METHOD": (CELLS, GROUPS)},
        ),
        parameters.field(
            "CLASSES",
            tr("Class of an address"),
            tr(
                "With METHOD=exchange: what is known of all addresses and of the records, such as "
                "houses and flats. Partners share it; classes of fewer than K are withheld."
            ),
            "CANDIDATES",
            advanced=True,
            only_when={"METHOD": (EXCHANGE,)},
        ),
        parameters.metres(
            "WITHIN",
            tr("A record may miss its address by (metres)"),
            tr(
                "0: a record that lies at no address of the list is withheld. Else the nearest "
                "address within so far is taken for its own."
            ),
            0.0,
            optional=False,
        ),
        parameters.choice(
            "OUTPUT_AT",
            tr("Release at"),
            tr(
                "address: at the address itself, where somebody else lives. beside: at a random "
                "place nearer to it than to any other, often still at its house, the same for all who are released there. "
                "crossing: at the street crossing nearest to it (STREETS)."
            ),
            [ADDRESS, BESIDE, CROSSING],
            ADDRESS,
        ),
        parameters.source(
            STREETS,
            tr("Streets"),
            tr("With OUTPUT_AT=crossing: lines, in any reference system."),
            "line",
            optional=True,
            advanced=True,
            only_when={"OUTPUT_AT": (CROSSING,)},
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    if not 0 <= given.number("WITHIN") < np.inf:
        return tr("A record may miss its address (WITHIN) by zero metres or more.")
    if (given.choice("OUTPUT_AT") == CROSSING) != given.has(STREETS):
        return tr(
            "OUTPUT_AT=crossing and STREETS belong together. Give both, or release at addresses."
        )
    if given.same_layer("INPUT", "CANDIDATES"):
        return tr(
            "The address list is the layer of the records themselves: they would hide among each "
            "other only, and everybody in the list would be known to be in the file. Choose a "
            "public list of all addresses."
        )
    if given.choice("UNIT") == BY_DWELLING and given.choice("METHOD") != EXCHANGE:
        return tr(
            "UNIT=dwelling is used with METHOD=exchange only. Choose that, or count addresses."
        )
    if given.fields("CLASSES") and given.choice("METHOD") != EXCHANGE:
        return tr(
            "CLASSES is used with METHOD=exchange only: the other methods let records change "
            "places with others. Leave it empty, or exchange."
        )
    return None
