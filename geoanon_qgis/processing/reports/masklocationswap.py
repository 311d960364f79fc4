# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of a location swapping tells besides what all masks tell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.masking.location_swap import WIDENED, Swapped
from .. import literature
from ..i18n import number_of, tr
from .common import PrivatePage
from .masking import Story, share_of_points


def story(parameters: Mapping, moved: Swapped, unlisted: int, unit: str, attack: str) -> Story:
    """Tell of a location swapping.

    Parameters
    ----------
    parameters : mapping
        As the mask file has them.
    moved : Swapped
        Those that the list of now has put where they are, or that are withheld.
    unlisted : int
        Records that stand at no candidate.
    unit : str
        Of distances.
    attack : str
        The attack to run, in a sentence.
    """
    told = {
        "least": f"{parameters['MIN']:g}",
        "largest": f"{parameters['MAX']:g}",
        "unit": unit,
        "k": parameters["K"],
    }
    return Story(
        " ".join(filter(None, _method(parameters, told))),
        [literature.ZHANG, literature.THALER, literature.ZANDBERGEN],
        _dangers(parameters, unlisted, told),
        [
            attack,
            tr("Keep the secret file (SECRET_FILE) for the next release of the same people."),
        ],
        # In its ring a near candidate is as likely as a far one, for whoever lives round it.
        near_shows=False,
        figures=lambda page: _figures(page, moved),
        charts=lambda page: _chart(page, moved),
    )


def _method(parameters: Mapping, told: dict) -> list[str]:
    found = [
        tr(
            "Each place moved to one of the candidates between {least} and {largest} {unit} from "
            "it, each as likely as any other, and never itself."
        ).format(**told),
        tr("Only candidates with the same values of {fields} counted.").format(
            fields=parameters["CLASSES"]
        )
        if parameters["CLASSES"]
        else "",
        tr(
            "A ring with fewer than {k} candidates was widened to the {k}-th nearest from {least} "
            "{unit} on."
        ).format(**told)
        if parameters["IF_EMPTY"] == "widen"
        else tr("Records whose ring holds fewer than {k} candidates were withheld.").format(**told),
        tr(
            "The secret gives each pair of a place and a candidate a number (from HMAC-SHA256 of "
            "both), and the place goes to the candidate with the largest. The secret file keeps "
            "it there in every release with this ring, whoever else is in it, also when the list "
            "has changed."
        ),
    ]
    return found


def _dangers(parameters: Mapping, unlisted: int, told: dict) -> list[tuple[str, str]]:
    found = [
        (
            tr("Whose record it is may not be hidden"),
            tr(
                "The mask hides where somebody lives from those who do not know. Who knows that a "
                "person is in the file, and where she lives, takes the records released between "
                "{least} and {largest} {unit} from her home: in a file of few people that is often "
                "hers alone, with all its attributes."
            ).format(**told),
        ),
        (
            tr("Every released point is somebody's address"),
            tr(
                "It is the home of somebody else, who may be taken for the person. Say in the "
                "release that the addresses are not those of the people in the file."
            ),
        ),
        (
            tr("The ring does not say among how many a person hides"),
            tr(
                "A released address that lies apart is in the rings of few places, and the person "
                "lives at one of these, however many candidates she had. Where as many places as "
                "you promise must explain each point, use “Exchange of addresses” "
                "(geoanon:maskexchange) instead: each then has exactly k, and points move less."
            ),
        ),
    ]
    if parameters["MIN"] > 0:
        found.append(
            (
                tr("The least distance helps an attacker, too"),
                tr(
                    "Nobody within {least} {unit} of a released point is the person: who knows the "
                    "mask leaves those out, and each of the others is likelier."
                ).format(**told),
            )
        )
    if unlisted:
        found.append(
            (
                tr("Some records are not on the address list"),
                tr(
                    "{records} at no address of the list. They moved as the others did, but the "
                    "list does not hold all places where people live, so what is counted with it "
                    "is too little or too much."
                ).format(records=number_of(unlisted, "record stands", "records stand")),
            )
        )
    return found


def _figures(page: PrivatePage, moved: Swapped) -> None:
    there = ~moved.withheld
    total = int(there.sum())
    if not total:  # all stay where an earlier list has put them
        return
    count = moved.rings.count[there]
    page.figure(
        "candidates",
        tr("Candidates in the ring, median"),
        float(np.median(count)),
        tr("Half of the points had fewer addresses to go to, the others more."),
        note=tr("least: {count:,}").format(count=int(count.min())),
    )
    wider = int((moved.kind == WIDENED).sum())
    page.figure(
        "widened",
        tr("In widened rings"),
        wider,
        tr("Their ring held fewer than {k} candidates.").format(k=moved.rings.rule.fewest),
        note=share_of_points(wider, total),
    )


def _chart(page: PrivatePage, moved: Swapped) -> None:
    if moved.withheld.all():
        return
    page.histogram(
        "candidates_histogram",
        tr("Candidates to which a point could have gone"),
        moved.rings.count[~moved.withheld].astype(np.float64),
        tr("Candidates in the ring"),
        "",
        y_label=tr("Points"),
    )
