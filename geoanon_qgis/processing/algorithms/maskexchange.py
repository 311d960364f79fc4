# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskexchange."""

from __future__ import annotations

from .. import literature
from ..base import Help
from ..families.masks import address_inputs, address_outputs
from ..families.masks.address_inputs import EXCHANGE
from ..families.masks.address_masking import exchanged, reasons
from ..families.masks.kept_masking import SUPPORT, KeptMaskingAlgorithm, outputs, posterior_attack
from ..families.masks.masked import Masked, Way, Withheld
from ..families.masks.masking import steps
from ..i18n import mark
from ..reports.maskexchange import story


class MaskExchangeAlgorithm(KeptMaskingAlgorithm):
    """Release records at other addresses of a public list."""

    NAME = "maskexchange"
    BY_PLACE = False
    DISPLAY_NAME = mark("Exchange of addresses")
    TAGS = mark(
        "privacy, geomask, geomasking, k-anonymity, exchange, swap, swapping, cells, "
        "microaggregation, guarantee, addresses, anonymise, anonymize, geo-mask, confidential, "
        "sensitive, patients, epidemiology, deidentify, de-identify, pseudonymize, pseudonymise, "
        "GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Releases each record at one of the k addresses that exchange places with its own. "
        "By itself a point leaves whoever has the address list k addresses, each as likely as he "
        "held it beforehand, by proof. What all points together tell is computed."
    )
    HELP = Help(
        what=mark(
            "exchange: from a public address list, and from nothing else, a graph is made in "
            "which every address has exactly K partners, itself among them, and partnership is "
            "mutual. Each record is released at a random partner of its address. So every released "
            "point by itself can come from exactly K addresses, from each with the same "
            "probability.\n\n"
            "cells: the list is cut into compact cells of K addresses and more, and the records of "
            "a cell go to distinct random addresses of it. Cells with too few records are joined "
            "until each that holds one holds K_RECORDS.\n\n"
            "groups: the records are divided into compact groups of K_RECORDS and more, change "
            "places at random within their group, and are then exchanged.\n\n"
            "The draw comes from a secret and the address: with the secret file of the last "
            "release everybody is released where he was, whoever else is in the file now, and also "
            "by another address list, or at crossings of other streets. Cells and groups are kept in "
            "the file; newcomers form groups of their own, or wait until there are enough of them "
            "(withheld, and counted).\n\n"
            "When the list has changed, an address stays in its cell for good. New addresses form "
            "cells of their own; people there wait while there are fewer than K of them, and for good "
            "at addresses that were missing in an earlier list. Where so many addresses of a cell are "
            "gone that somebody would hide among fewer than K, cells of newcomers are joined further, "
            "and the records of earlier releases are withheld, with all that were joined to theirs. "
            "Who was released before and whose own address is gone stays where he was put."
        ),
        when=mark(
            "Wherever an address list is at hand. By exchange points move far less than by a "
            "displacement of the same risk, by cells and groups farther. Take exchange against those who ask who lives there, groups against "
            "those, too, who know that a person is in the file and ask which record is hers."
        ),
        cautions=(
            mark(
                "exchange promises nothing against who knows that a person is in the file: a "
                "record near her home is likely hers where the file is a small part of all people."
            ),
            mark(
                "Its one in K holds for each point by itself. Where records stand close together, "
                "in a file of many addresses or in an outbreak in few streets, released points lie "
                "on partners of one another, and some addresses become likelier, with a small K "
                "much likelier. CHANCE tells how much. Take cells or a larger K if it is too much."
            ),
            mark(
                "With UNIT=dwelling people hide among K dwellings, and of a large house it is known "
                "that they live there."
            ),
            mark(
                "Several records at one point tell that many live at its address, and that may "
                "leave few of the K. Nor is it hidden that a neighbourhood is in the file: where "
                "most of K addresses hold records, nearly everybody there is known to be in it."
            ),
            mark(
                "Attributes that are known of all addresses, such as the kind of house, leave "
                "fewer than K: give them as CLASSES, so that partners share them."
            ),
            mark(
                "A second release without the secret file of the last draws people anew, and the "
                "two tell more than each. Who knows that "
                "somebody has left the file sees which record is gone: it is hers. Who is left of "
                "a group hides among fewer (RECORD_CHANCE)."
            ),
            mark(
                "Released points lie at real addresses, where somebody else lives: nobody may be "
                "taken for a record because of that. OUTPUT_AT=crossing moves them off "
                "the houses; beside moves them a little, and the nearest house is the same."
            ),
        ),
        sources=(literature.SWEENEY, literature.ZANDBERGEN),
        reference=mark(
            "The masks and the proofs are our own; they stand in the source beside the code."
        ),
    )
    OUTPUTS = outputs(SUPPORT, numbers=address_outputs.NUMBERS)
    WITHOUT_NUMBA = 1.7
    STEPS = {**steps(public=15, find=2, streets=3), "mask": 40}

    def mask_inputs(self):
        """The list, the method and its numbers."""
        return address_inputs.inputs()

    def check(self, given):
        """The list is public, and the parameters go together."""
        return address_inputs.check(given)

    def mask(self, points, run):
        """Release each record at an address of the list."""
        made = exchanged(points, run)
        attack = posterior_attack(run, groups=made.method != EXCHANGE)
        return Masked(
            made.xy,
            story(made.method, made.parameters, made.chances, attack, made.at_home),
            address_outputs.numbers(made.chances, made.kind),
            withheld=Withheld(made.kind, reasons(made.kind)),
            way=Way(made.method, made.parameters, made.layers, stays=made.stays),
            support=made.hulls,
            possible=made.could,
            kept=made.keep,
            earlier=made.earlier,
        )
