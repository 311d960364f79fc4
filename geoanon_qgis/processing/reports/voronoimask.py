# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a Voronoi masking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.masking.voronoi import PAIRED, SINGLETON, UNMOVED, VoronoiMask
from ...report import (
    Bars,
    Column,
    Figure,
    Figures,
    Histogram,
    Mark,
    Notice,
    Paragraph,
    Picture,
    Report,
    Section,
    Table,
)
from ..i18n import number_of, tr
from ..layers.attributes import Choice
from . import common


@dataclass(frozen=True)
class Masking:
    """What the report tells of.

    Attributes
    ----------
    source_name : str
        The masked layer's name.
    mask : VoronoiMask
    shift : (n,) array
        Distance moved by each point, on the ground, in ``unit``.
    unit : str
    plane_sentence : str
    choice : Choice
    left_out : list of (int, str)
    shuffled : bool
    released, key : str
        Where the masked points and the key go, as the parameters of the attack; empty for none.
    withheld : str
        Which records were withheld, in a sentence; empty for none.
    """

    source_name: str
    mask: VoronoiMask
    shift: np.ndarray
    unit: str
    plane_sentence: str
    choice: Choice
    left_out: list[tuple[int, str]]
    shuffled: bool
    released: str = ""
    key: str = ""
    withheld: str = ""

    @property
    def median_shift(self) -> float:
        """Median distance moved, in ``unit``."""
        return float(np.median(self.shift))

    def nearer_than(self, distance: float) -> int:
        """Points that moved less than a distance, those that did not move among them."""
        return int(np.count_nonzero(self.shift < distance))


#: Distances (metres) below which a masked point still shows the house, the plot, the neighbours.
NEAR = (10, 25, 50)


def reversible_sentence() -> str:
    """The caution that the help and the report share."""
    return tr(
        "Voronoi masking has no secret: anyone who holds a list of possible places (an address "
        "file, all buildings) can undo it. Every singleton is then found exactly, and each member "
        "of a pair with a probability of one half."
    )


def steps(masking: Masking) -> list[str]:
    """What to do before the release: whom to leave out, which attack to run, with its inputs."""
    with_key = tr(", KEY={key}").format(key=masking.key) if masking.key else ""
    unmoved = masking.mask.count(UNMOVED)
    return [
        *([unmoved_sentence(unmoved)] if unmoved else []),
        tr(
            "Run “Reverse Voronoi masking” (geoanon:reversevoronoi) with INPUT={released}, "
            "CANDIDATES=an address file or all buildings of the area{key}."
        ).format(released=masking.released or tr("the masked points"), key=with_key),
    ]


def near_sentence(masking: Masking) -> str:
    """What is said of points that hardly moved; nothing where none did, or no metre is known."""
    if masking.unit != "m" or not masking.nearer_than(NEAR[-1]):
        return ""
    count = len(masking.shift)
    shares = ", ".join(
        tr("less than {distance} m: {near:,} ({share:.1f} %)").format(
            distance=distance,
            near=masking.nearer_than(distance),
            share=100 * masking.nearer_than(distance) / count,
        )
        for distance in NEAR
    )
    return tr(
        "Of {count:,} points moved {shares}. So near, a map still shows the house, its plot or its "
        "neighbours, without any attack. Leave these points out, aggregate them, or mask in "
        "another way."
    ).format(count=count, shares=shares)


def unmoved_sentence(count: int) -> str:
    """What is said when points stand at one place."""
    return tr(
        "{count} points share their exact place with others. Voronoi masking does not move them: "
        "the release shows their true places. Leave them out, or aggregate them, before you "
        "release."
    ).format(count=count)


def report(masking: Masking, pictures: Sequence[Picture]) -> Report:
    """Say what was masked, how far points moved, and what the mask does not protect."""
    mask = masking.mask
    notices = [
        Notice(reversible_sentence(), "danger", tr("This mask can be reversed")),
    ]
    if near_sentence(masking):
        notices.append(Notice(near_sentence(masking), "danger", tr("Points that hardly moved")))
    unmoved = mask.count(UNMOVED)
    if unmoved:
        notices.append(Notice(unmoved_sentence(unmoved), "danger", tr("Some points did not move")))
    if not masking.shuffled:
        notices.append(
            Notice(
                tr("The released rows stand in the order of the originals. Order identifies."),
                "warning",
            )
        )
    return common.private_report(
        tr("Voronoi masking"),
        masking.source_name,
        [
            Section(tr("What was done"), (_figures(masking), *notices), name="result"),
            Section(tr("On the map"), tuple(pictures), name="map"),
            Section(tr("How far points moved"), _distances(masking), name="shifts"),
            Section(tr("Attributes"), common.attributes(masking.choice), name="attributes"),
            Section(
                tr("Records kept out"),
                (
                    *([Paragraph(masking.withheld)] if masking.withheld else []),
                    *common.left_out(
                        masking.left_out, number_of(len(masking.left_out), "record", "records")
                    ),
                ),
                name="kept_out",
            ),
            common.how_it_was_done(
                masking.plane_sentence,
                [
                    tr(
                        "Each point moved halfway to its nearest neighbour, which is the nearest "
                        "point on the edge of its Voronoi cell. Where two neighbours are equally "
                        "near, the one first in x, then in y was taken."
                    )
                ],
                [common.SEIDL, common.MOEHLER],
            ),
        ],
    )


def _figures(masking: Masking) -> Figures:
    mask, total = masking.mask, len(masking.mask.kind)

    def share(count: int) -> str:
        return tr("{share:.1f} % of the points").format(share=100 * count / total)

    singletons, paired, unmoved = (mask.count(kind) for kind in (SINGLETON, PAIRED, UNMOVED))
    return Figures(
        (
            Figure("count", tr("Points masked"), total),
            Figure(
                "singletons", tr("Alone at their masked place"), singletons, note=share(singletons)
            ),
            Figure("paired", tr("Paired: two on one place"), paired, note=share(paired)),
            Figure("unmoved", tr("Did not move"), unmoved, note=share(unmoved)),
            Figure("median_shift", tr("Median shift"), masking.median_shift, masking.unit),
            *(
                Figure(
                    f"moved_less_than_{distance}",
                    tr("Moved less than {distance} m").format(distance=distance),
                    masking.nearer_than(distance),
                    note=share(masking.nearer_than(distance)),
                )
                for distance in (NEAR if masking.unit == "m" else ())
            ),
        )
    )


def _distances(masking: Masking) -> tuple:
    shift, mask = masking.shift, masking.mask
    quantiles = np.quantile(shift, [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1])
    labels = (tr("least"), "5 %", "25 %", tr("median"), "75 %", "95 %", tr("most"))
    return (
        Histogram.of(
            tr("Distance between original and masked point"),
            shift,
            tr("Shift"),
            x_unit=masking.unit,
            y_label=tr("Points"),
            marks=(Mark(masking.median_shift, tr("median")),),
            name="shift_histogram",
        ),
        Table(
            (
                Column("quantile", tr("Share of points")),
                Column("shift", tr("moved at most"), unit=masking.unit),
            ),
            list(zip(labels, quantiles)),
            name="shift_quantiles",
        ),
        Bars(
            tr("What became of the points"),
            (tr("Singletons"), tr("Paired"), tr("Did not move")),
            [mask.count(kind) for kind in (SINGLETON, PAIRED, UNMOVED)],
            tr("Points"),
            name="kinds",
        ),
    )
