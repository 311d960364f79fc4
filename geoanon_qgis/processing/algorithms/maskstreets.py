# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:maskstreets."""

from __future__ import annotations

import numpy as np

from ...core.masking.streets import MOVED, Search, reached_from, street_mask, street_targets
from ...core.runtime.progress import weighted
from .. import literature
from ..base import Help
from ..dialog.declaration import Value
from ..families.masks import staying, streeting
from ..families.masks.kept_masking import (
    SUPPORT,
    KeptMaskingAlgorithm,
    hull_round,
    outputs,
    posterior_attack,
)
from ..families.masks.masked import Masked, Way, Withheld
from ..families.masks.masking import steps
from ..i18n import mark
from ..layers import planes
from ..layers.streets import read_streets
from ..reports.maskstreets import Streeted, story


class MaskStreetsAlgorithm(KeptMaskingAlgorithm):
    """Move each point along the streets to a crossing or a dead end."""

    NAME = "maskstreets"
    DISPLAY_NAME = mark("Street masking")
    TAGS = mark(
        "privacy, geomask, geomasking, anonymise, anonymize, road, network, crossing, geo-mask, "
        "confidential, sensitive, patients, epidemiology, deidentify, de-identify, perturb, GDPR"
    )
    SHORT_DESCRIPTION = mark(
        "Moves each point along the streets to a crossing or dead end near it, with a draw that is "
        "kept."
    )
    HELP = Help(
        what=mark(
            "Every place is taken to the nearest node of the street network (a crossing or a dead "
            "end), and from there to another one: of the n nodes that are nearest along the "
            "streets, the one whose distance is closest to the mean of all n. n is drawn from LOW "
            "to HIGH - 1. Where streets are dense points move little, where they are sparse much; "
            "they come to lie on streets, at nobody's house, and do not cross a river without a "
            "bridge.\n\n"
            "The network is made of your lines, nothing is downloaded. Lines are joined wherever "
            "they touch or cross (a bridge crosses the street below it, too); ends may miss each "
            "other by some centimetres. Where just two lines meet is no node. Streets lead in both "
            "directions.\n\n"
            "What the paper leaves open is done as the authors' program does: the first node "
            "counts among the n, with a distance of 0, and of equally close ones the nearest is "
            "taken. But that program never ends where there are too few nodes; here such records "
            "are withheld and counted."
        ),
        when=mark(
            "To show points on a map of streets where no list of addresses and no population is at "
            "hand. Where an address list is, a mask sized by it keeps its promise; this one makes "
            "none."
        ),
        cautions=(
            mark(
                "It promises no number of people: a released point tells a few nodes, at times a "
                "single one, and the person lives near one of them. Where few live there, she is "
                "found."
            ),
            mark(
                "A point has few nodes to go to, mostly fewer than HIGH - LOW. Who knows that a "
                "person is in the file, and her address, finds her record among those released "
                "there."
            ),
            mark(
                "Give the secret file again when you release the same people again. Points then "
                "stay, whoever has joined them, and also where streets have changed."
            ),
            mark(
                "Give streets that reach beyond the points by MAX_LENGTH: at the edge of the layer "
                "all nodes lie on one side."
            ),
        ),
        sources=(literature.SWANLUND,),
    )
    REQUIRES = ("scipy", "shapely")
    OUTPUTS = outputs(
        SUPPORT,
        numbers=(
            Value("NODES", mark("Nodes of the street network")),
            Value("PIECES", mark("Pieces of the street network"), mark("1: all are joined.")),
            Value(
                "CHOICES",
                mark("Nodes to which a point could go"),
                mark("The median over the released points."),
            ),
            Value(
                "LEAST_STARTS",
                mark("Starts of a released point, at least"),
                mark("Nodes from which the mask can have led to it."),
            ),
        ),
    )
    STEPS = steps(streets=20)

    def mask_inputs(self):
        """The streets, and how many nodes are looked at."""
        return streeting.inputs()

    def check(self, given):
        """A positive length, and limits in order."""
        return streeting.check(given)

    def mask(self, points, run):
        """Move each place along the streets."""
        source, plane = run.source("STREETS"), points.plane
        streets = read_streets(source, plane, points.table.crs, run.context, run.step("streets"))
        run.tell(*streets.sentences())
        network, layers = streets.network, [streets.used("STREETS")]
        search = Search(run.number("LOW"), run.number("HIGH"), float(run.number("MAX_LENGTH")))
        moving, looking = weighted(run.step("mask"), 2, 1)
        secret = points.secret.bytes
        metres = points.xy * plane.metres_per_unit
        made = street_mask(metres, network, search, secret, self.NAME, points.table.xy, moving)
        # Of those whom streets of before have put elsewhere, these streets tell nothing.
        before = staying.look_up(points, run, self.NAME, streeting.way_of(search), layers)
        put = before.put(made.xy / plane.metres_per_unit)
        kind = np.where(np.isnan(put[:, 0]), made.kind, MOVED)
        of_now = made.taken(np.flatnonzero(~before.earlier))
        reached = reached_from(network, of_now.node[~of_now.withheld], search, looking)
        told = Streeted(of_now, network, search, reached, planes.unit(points.table.crs))

        def goals(rows):
            """Places to which points could have gone, one array a row."""
            used, of_row = np.unique(made.start[rows], return_inverse=True)
            nodes = street_targets(network, used, search)
            found = [network.xy[np.unique(one)] / plane.metres_per_unit for one in nodes]
            return [found[one] for one in of_row]

        masked = Masked(
            put,
            story(told, posterior_attack(run)),
            {"WITHHELD_COUNT": int(np.count_nonzero(kind)), **told.numbers()},
            withheld=Withheld(kind, streeting.reasons(network.pieces)),
            way=Way(
                "street", {**streeting.way_of(search), "MAX_LENGTH": search.max_length}, layers
            ),
            support=lambda rows: [hull_round(one) for one in goals(rows)],
            possible=lambda row: goals(np.array([row]))[0],
        )
        return staying.stayed(masked, self.NAME, before)
