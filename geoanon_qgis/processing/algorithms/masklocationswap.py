# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:masklocationswap."""

from __future__ import annotations

import numpy as np

from ...core.masking.location_swap import EMPTY, MIXED, WIDENED, swap_locations
from .. import literature
from ..base import Help
from ..dialog.declaration import Value
from ..families.masks import displacing, location_swapping, staying
from ..families.masks.kept_masking import SUPPORT, KeptMaskingAlgorithm, outputs, posterior_attack
from ..families.masks.masked import Masked, Way, Withheld
from ..families.masks.masking import steps
from ..i18n import mark, tr
from ..layers import planes
from ..reports.masklocationswap import story


class MaskLocationSwapAlgorithm(KeptMaskingAlgorithm):
    """Move each point to a random candidate of a public list."""

    NAME = "masklocationswap"
    DISPLAY_NAME = mark("Location swapping")
    TAGS = mark(
        "privacy, geomask, geomasking, swap, swapping, address, similar location, verified "
        "neighbor, anonymise, anonymize, jitter, geo-mask, confidential, sensitive, patients, "
        "epidemiology, deidentify, de-identify, perturb, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Moves each point to a random other address of a list, between a least and a largest "
        "distance from it."
    )
    HELP = Help(
        what=mark(
            "Each place moves to one of the candidates (addresses of a public list) that lie "
            "between MIN and MAX metres from it, each as likely as any other; with CLASSES only to "
            "those that share its values. The place itself is never among them. Where fewer than K "
            "candidates are left, the ring is widened to the K nearest from MIN on, or the record "
            "is withheld and counted; nobody is released unmoved.\n\n"
            "Records at one place move together. A place is moved by numbers that come from a "
            "secret, the place and the candidates, and the secret file keeps where it was put: "
            "with that of an earlier release and the same ring every place stays there, whoever "
            "else is in the file now and however the list has changed. Heights and measures (Z, M) are dropped."
        ),
        when=mark(
            "Where points must lie at real addresses, such as in a study of traffic or noise, and "
            "similar houses or quarters matter (CLASSES)."
        ),
        cautions=(
            mark(
                "A released point is a real address: that of somebody else, who may be taken for "
                "the person. Say in the release that addresses are not those of the people."
            ),
            mark(
                "The ring does not say among how many a person hides. An address in the country "
                "lies in the rings of few places: who is put there is one of these few, however "
                "many candidates each of them had. “Exchange of addresses” (geoanon:maskexchange) "
                "gives each released point exactly k places that explain it, and moves points less."
            ),
            mark(
                "Who knows that a person is in the file, and where she lives, looks at the records "
                "between MIN and MAX from her home. In a file of few people he finds hers."
            ),
            mark(
                "MIN, MAX and the list are no secret: an attacker knows that nobody within MIN of "
                "a released point is the person, so MIN makes the rest likelier."
            ),
            mark(
                "A second release of the same people without the secret file of the first draws "
                "them anew, and the two tell more than each."
            ),
        ),
        sources=(literature.ZHANG, literature.ZANDBERGEN),
    )
    OUTPUTS = outputs(
        SUPPORT,
        numbers=(
            Value(
                "WIDENED",
                mark("Points in widened rings"),
                mark("Released points whose ring held fewer than K candidates."),
            ),
        ),
    )
    STEPS = steps(public=15)

    def mask_inputs(self):
        """The list, the ring, and what happens where it is empty."""
        return location_swapping.inputs()

    def check(self, given):
        """The ring has a width, and the list is public."""
        return location_swapping.check(given)

    def mask(self, points, run):
        """Choose a candidate for each place."""
        made = location_swapping.read(points, run)
        moved = swap_locations(
            points.xy,
            made.candidates,
            made.rule,
            points.secret.bytes,
            self.NAME,
            made.classes,
            points.table.xy,
            run.step("mask"),
        )
        before = staying.look_up(points, run, self.NAME, made.parameters, made.layers)
        put = before.put(moved.xy)
        reasons = [
            (
                "too few",
                tr(
                    "fewer than {k} candidates are in their ring, or share their class. Widen the "
                    "ring, or take a longer list."
                ).format(k=made.rule.fewest),
            ),
            (
                "several classes",
                tr(
                    "records at the same place have different classes (CLASSES): it would be drawn "
                    "once for each, and several draws tell where it is. Give them one, or leave "
                    "CLASSES empty."
                ),
            ),
        ]
        kind = np.select([moved.kind == EMPTY, moved.kind == MIXED], [1, 2], 0)
        kind[~np.isnan(put[:, 0])] = 0
        of_now = moved.taken(np.flatnonzero(~before.earlier))
        unit = planes.unit(points.table.crs)
        masked = Masked(
            put,
            story(made.parameters, of_now, made.unlisted, unit, posterior_attack(run)),
            {
                "WIDENED": int((of_now.kind == WIDENED).sum()),
                "WITHHELD_COUNT": int(np.count_nonzero(kind)),
            },
            withheld=Withheld(kind, reasons),
            way=Way("location swap", made.parameters, made.layers),
            support=lambda rows: displacing.circles(points.xy[rows], moved.rings.outer[rows]),
            possible=lambda row: made.ring_of(row, points, moved.rings),
        )
        return staying.stayed(masked, self.NAME, before)
