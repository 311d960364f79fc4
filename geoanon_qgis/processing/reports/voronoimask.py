# SPDX-License-Identifier: GPL-2.0-or-later
"""The report of a Voronoi masking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...core.masking.voronoi import PAIRED, SINGLETON, UNMOVED, VoronoiMask
from ...report import Picture, Report, col
from ..i18n import tr
from ..layers.attributes import Choice
from .common import MOEHLER, SEIDL, PrivatePage


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
    page = PrivatePage(tr("Voronoi masking"), masking.source_name)
    page.section(tr("What was done"), "result")
    _figures(page, masking)
    _notices(page, masking)
    page.pictures(tr("On the map"), pictures)
    page.section(tr("How far points moved"), "shifts")
    _distances(page, masking)
    page.section(tr("Attributes"), "attributes").attributes(masking.choice)
    page.kept_out(masking.left_out, masking.withheld)
    page.method(
        [
            masking.plane_sentence,
            tr(
                "Each point moved halfway to its nearest neighbour, which is the nearest "
                "point on the edge of its Voronoi cell. Where two neighbours are equally "
                "near, the one first in x, then in y was taken."
            ),
        ],
        [SEIDL, MOEHLER],
    )
    return page.report()


def _notices(page: PrivatePage, masking: Masking) -> None:
    page.notice(reversible_sentence(), "danger", tr("This mask can be reversed"))
    if near_sentence(masking):
        page.notice(near_sentence(masking), "danger", tr("Points that hardly moved"))
    unmoved = masking.mask.count(UNMOVED)
    if unmoved:
        page.notice(unmoved_sentence(unmoved), "danger", tr("Some points did not move"))
    if not masking.shuffled:
        page.warn([tr("The released rows stand in the order of the originals. Order identifies.")])


def _figures(page: PrivatePage, masking: Masking) -> None:
    mask, total = masking.mask, len(masking.mask.kind)

    def share(count: int) -> str:
        return tr("{share:.1f} % of the points").format(share=100 * count / total)

    page.figure("count", tr("Points masked"), total, tr("People, or whatever a point stands for."))
    for name, kind, label, explained in (
        (
            "singletons",
            SINGLETON,
            tr("Alone at their masked place"),
            tr("Whoever has a list of addresses finds each of these exactly."),
        ),
        (
            "paired",
            PAIRED,
            tr("Paired: two on one place"),
            tr("Whoever has a list of addresses is right for one in two of these."),
        ),
        ("unmoved", UNMOVED, tr("Did not move"), tr("The release shows their true places.")),
    ):
        count = mask.count(kind)
        page.figure(name, label, count, explained, note=share(count))
    page.figure(
        "median_shift",
        tr("Median shift"),
        masking.median_shift,
        tr("Half of the points moved less than this, the others more."),
        unit=masking.unit,
    )
    for distance in NEAR if masking.unit == "m" else ():
        near = masking.nearer_than(distance)
        page.figure(
            f"moved_less_than_{distance}",
            tr("Moved less than {distance} m").format(distance=distance),
            near,
            tr("So near, a map still shows the house, its plot or its neighbours."),
            note=share(near),
        )


def _distances(page: PrivatePage, masking: Masking) -> None:
    shift, mask = masking.shift, masking.mask
    page.histogram(
        "shift_histogram",
        tr("Distance between original and masked point"),
        shift,
        tr("Shift"),
        masking.unit,
        y_label=tr("Points"),
        marks=((masking.median_shift, tr("median")),),
    )
    labels = (tr("least"), "5 %", "25 %", tr("median"), "75 %", "95 %", tr("most"))
    page.table(
        "shift_quantiles",
        [
            col("quantile", tr("Share of points")),
            col("shift", tr("moved at most"), unit=masking.unit),
        ],
        zip(labels, np.quantile(shift, [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1])),
    )
    page.bars(
        "kinds",
        tr("What became of the points"),
        (tr("Singletons"), tr("Paired"), tr("Did not move")),
        [mask.count(kind) for kind in (SINGLETON, PAIRED, UNMOVED)],
        tr("Points"),
    )
