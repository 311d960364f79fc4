# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of an exchange of addresses tells besides what all masks tell."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ...core.masking.address_chances import Chances
from .. import literature
from ..i18n import mark, number_of, tr
from .common import PrivatePage
from .masking import Story

#: By how much all points together may tell more than each before it is a danger, and from what
#: probability on an address is as good as known to be in the file.
_MORE, _KNOWN = 1.1, 0.5
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
_DWELLINGS = mark(
    "From the address list alone a graph was made in which every dwelling has exactly {k} partner "
    "dwellings, itself among them, and partnership is mutual; it was checked, dwelling by dwelling, "
    "before anything was released. Each place was released at the address of a partner of one of its "
    "dwellings that a secret chose, each with the same probability: by one point alone no dwelling is "
    "likelier than one in {k}."
)
_KEPT = mark(
    "The draw comes from a secret and the address (HMAC-SHA256), and the secret file keeps where "
    "places were put: with it the same address leads to the same point in every release."
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

#: What readers may take points for, by OUTPUT_AT.
_AT_HOUSES = {
    "address": mark(
        "A reader may take those who live there for the people of the file. Say beside the map "
        "that addresses were exchanged, or release at street crossings (OUTPUT_AT=crossing)."
    ),
    "beside": mark(
        "Points beside an address are nearer to it than to any other, and a reader may take those "
        "who live there for the people of the file. Say beside the map that addresses were "
        "exchanged, or release at street crossings (OUTPUT_AT=crossing)."
    ),
}


def story(
    method: str,
    told: Mapping[str, object],
    chances: Chances,
    attack: str,
    at_home: int | None = None,
) -> Story:
    """Tell of an exchange.

    Parameters
    ----------
    method : str
    told : mapping of str to object
        The algorithm's parameters.
    chances : Chances
    attack : str
        The attack to run, in a sentence.
    at_home : int or None
        Of an exchange of dwellings, the records that stay at an address with K of them.
    """
    dwellings = at_home is not None
    numbers = {"k": told["K"], "k_records": told.get("K_RECORDS", "")}
    placed = _PLACED[str(told["OUTPUT_AT"])]
    return Story(
        " ".join(
            filter(
                None,
                [
                    tr(_DWELLINGS if dwellings else _METHODS[method]).format(**numbers),
                    tr(_KEPT),
                    placed and tr(placed),
                ],
            )
        ),
        [literature.SWEENEY],
        [*_of_dwellings(told, at_home), *_dangers(method, told, chances)],
        [
            attack,
            tr("Keep the secret file (SECRET_FILE) for the next release of the same people."),
        ],
        near_shows=False,
        figures=lambda page: _figures(page, chances, dwellings),
    )


def _of_dwellings(told: Mapping[str, object], at_home: int | None) -> list[tuple[str, str]]:
    if not at_home:
        return []
    sentence = tr(
        "{records} released at their own address, which has {k} dwellings or more: these exchange "
        "among themselves. Of such a house it is nearly known that they live there, and not in which "
        "dwelling. Count addresses (UNIT=address) where the house must be hidden, too."
    )
    records = number_of(at_home, "record is", "records are")
    return [
        (tr("Large houses are not hidden"), sentence.format(records=records, k=told["K"])),
    ]


def _dangers(method: str, told: Mapping[str, object], chances: Chances) -> list[tuple[str, str]]:
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
        if chances.address > _MORE * chances.alone:
            found.append(
                (
                    tr("All points together tell more than each"),
                    (
                        tr(
                            "Records stand so close together that released points lie on partners "
                            "of one another. By itself a point leaves no dwelling with more than "
                            "{alone:.1f} %; all together they leave one with about {together:.1f} "
                            "%. Take a larger K."
                        )
                        if told.get("UNIT")
                        else tr(
                            "Records stand so close together that released points lie on partners "
                            "of one another. By itself a point leaves no address with more than "
                            "{alone:.1f} %; all together they leave one with about {together:.1f} "
                            "%. Take METHOD=cells, or a larger K."
                        )
                    ).format(alone=100 * chances.alone, together=100 * chances.address),
                )
            )
        if chances.member >= _KNOWN:
            found.append(
                (
                    tr("Who is in the file is nearly known in places"),
                    (
                        tr(
                            "Of some dwelling the released points tell with about {member:.0f} % "
                            "that somebody there is in the file, though not which record is his. A "
                            "larger K hides that better."
                        )
                        if told.get("UNIT")
                        else tr(
                            "Of some address the released points tell with about {member:.0f} % "
                            "that somebody there is in the file, though not which record is his. A "
                            "larger K hides that better."
                        )
                    ).format(member=100 * chances.member),
                )
            )
    if chances.reduced:
        found.append(
            (
                tr("Groups have become small"),
                tr(
                    "Others of their groups have left the file: {places} no longer among "
                    "{k_records}, and the likeliest record comes to {record:.0f} %. Withhold "
                    "those that hide among too few."
                ).format(
                    places=number_of(chances.reduced, "place hides", "places hide"),
                    k_records=told["K_RECORDS"],
                    record=100 * chances.record,
                ),
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
    if told["OUTPUT_AT"] in _AT_HOUSES:
        found.append(
            (tr("Points stand at other people's houses"), tr(_AT_HOUSES[str(told["OUTPUT_AT"])]))
        )
    return found


def _figures(page: PrivatePage, chances: Chances, dwellings: bool) -> None:
    if not math.isnan(chances.address):
        page.figure(
            "chance",
            tr("Likeliest dwelling of a point")
            if dwellings
            else tr("Likeliest address of a point"),
            100 * chances.address,
            tr(
                "For who has the address list and all points, knows the mask, and does not know "
                "who is in the file. In an exchange it is an approximation."
            ),
            unit="%",
            note=tr("{alone:.1f} % by one point alone").format(alone=100 * chances.alone),
        )
    if not math.isnan(chances.member):
        page.figure(
            "member",
            tr("Surest that a dwelling is in the file")
            if dwellings
            else tr("Surest that an address is in the file"),
            100 * chances.member,
            tr("The same adversary, about somebody at an address, whichever record is his."),
            unit="%",
        )
    if not math.isnan(chances.record):
        page.figure(
            "record_chance",
            tr("Likeliest record of a person"),
            100 * chances.record,
            tr(
                "For who knows that a person is in this release and where she lives, and nothing "
                "else of her, nor how many records her home has: no record is hers with more, "
                "even if he knows the groups."
            ),
            unit="%",
        )
    page.figure(
        "share",
        tr("Addresses with records"),
        100 * chances.share,
        tr("Of all addresses of the list, those at which somebody of the file lives."),
        unit="%",
    )
