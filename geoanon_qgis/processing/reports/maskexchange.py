# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of an exchange of addresses tells besides what all masks tell."""

from __future__ import annotations

import math
from collections.abc import Mapping

from .. import literature
from ..i18n import mark, tr
from .common import PrivatePage
from .masking import Story

#: Share of all addresses up to which exchange keeps its number.
_MOST = 0.1
_METHODS = {
    "exchange": mark(
        "From the address list alone a graph was made in which every address has exactly {k} "
        "partners, itself among them, and partnership is mutual; it was checked, address by "
        "address, before anything was released. Each record was released at a partner of its "
        "address that a secret chose, each with the same probability."
    ),
    "cells": mark(
        "From the address list alone compact cells of {k} addresses and more were made; cells were "
        "joined until each that holds a record holds at least {k_records} places with records. The "
        "records of a cell were released at distinct random addresses of it."
    ),
    "groups": mark(
        "The places with records were divided into compact groups of {k_records} and more. Within "
        "a group records changed places at random, and were then released at one of the {k} "
        "partners of the place that they got, in a graph made from the address list alone."
    ),
}
_KEPT = mark(
    "The draw comes from a secret and the address (HMAC-SHA256): the same address with the same "
    "secret and list leads to the same point in every release."
)
_PLACED = {
    "address": "",
    "beside": mark(
        "Points stand beside the address at which they were released, nearer to it than to any "
        "other, by numbers that depend on that address alone."
    ),
    "crossing": mark(
        "Points stand at the street crossing nearest to the address at which they were released."
    ),
}


def story(
    method: str, told: Mapping[str, object], share: float, chance: float, record_chance: float
) -> Story:
    """Tell of an exchange.

    Parameters
    ----------
    method : str
    told : mapping of str to object
        The algorithm's parameters.
    share : float
        Places with records among all addresses.
    chance, record_chance : float
        Largest probabilities of an address and of a record; not a number where none is promised.
    """
    numbers = {"k": told["K"], "k_records": told.get("K_RECORDS", "")}
    placed = _PLACED[str(told["OUTPUT_AT"])]
    return Story(
        " ".join(
            filter(None, [tr(_METHODS[method]).format(**numbers), tr(_KEPT), placed and tr(placed)])
        ),
        [literature.SWEENEY],
        _dangers(method, told, share),
        [
            tr(
                "No attack on this mask is in the toolbox yet. What is proved of it stands under "
                "“How it was computed”, and what it does not promise above: see which of it "
                "applies to your readers."
            ),
            tr("Keep the secret file (SECRET_FILE) for the next release of the same people."),
        ],
        near_shows=False,
        figures=lambda page: _figures(page, share, chance, record_chance),
    )


def _dangers(method: str, told: Mapping[str, object], share: float) -> list[tuple[str, str]]:
    found = []
    if method == "exchange":
        found.append(
            (
                tr("Whose record it is may not be hidden"),
                tr(
                    "Who knows that a person is in the file, and where she lives, takes the "
                    "records released near her home: in a file that is a small part of all people "
                    "that is often hers alone. METHOD=groups is made against him."
                ),
            )
        )
        if share > _MOST:
            found.append(
                (
                    tr("The file is a large part of all addresses"),
                    tr(
                        "Records stand at {share:.0f} % of the addresses. Above a tenth, some "
                        "addresses become likelier than one in {k}, since no two records come from "
                        "one. Take METHOD=cells."
                    ).format(share=100 * share, k=told["K"]),
                )
            )
    if method == "groups":
        found.append(
            (
                tr("What is known of a person is no part of the promise"),
                tr(
                    "Among {k_records} records of a group, who knows her age or sex knows which "
                    "of them can be hers. Coarsen the attributes, or take larger groups."
                ).format(k_records=told["K_RECORDS"]),
            )
        )
    if method == "cells":
        found.append(
            (
                tr("That somebody of a cell is in the file is not hidden"),
                tr(
                    "A cell with as many records as addresses tells of everybody there that he is "
                    "in the file, though not which record is his."
                ),
            )
        )
    if told["OUTPUT_AT"] == "address":
        found.append(
            (
                tr("Points stand at other people's houses"),
                tr(
                    "A reader may take those who live there for the people of the file. Say beside "
                    "the map that addresses were exchanged, or release beside them "
                    "(OUTPUT_AT=beside)."
                ),
            )
        )
    return found


def _figures(page: PrivatePage, share: float, chance: float, record_chance: float) -> None:
    if not math.isnan(chance):
        page.figure(
            "chance",
            tr("Likeliest address of a point"),
            100 * chance,
            tr(
                "For who has the address list and knows the mask, and does not know who is in the "
                "file: no released point leads to any address with more."
            ),
            unit="%",
        )
    if not math.isnan(record_chance):
        page.figure(
            "record_chance",
            tr("Likeliest record of a person"),
            100 * record_chance,
            tr(
                "For who knows that a person is in the file and where she lives, and nothing else "
                "of her: no record is hers with more, even if he knows the groups."
            ),
            unit="%",
        )
    page.figure(
        "share",
        tr("Addresses with records"),
        100 * share,
        tr("Of all addresses of the list, those at which somebody of the file lives."),
        unit="%",
    )
