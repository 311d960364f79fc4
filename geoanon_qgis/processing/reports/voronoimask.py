# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of a Voronoi masking tells besides what all masks tell."""

from __future__ import annotations

from ...core.masking.voronoi import PAIRED, SINGLETON, UNMOVED, VoronoiMask
from .. import literature
from ..i18n import tr
from .common import PrivatePage
from .masking import Story, share_of_points


def story(mask: VoronoiMask, released: str, key: str) -> Story:
    """Tell of a mask; ``released`` and ``key`` are the attack's parameters, empty for none."""
    unmoved = mask.count(UNMOVED)
    at_their_places = tr(
        "{count} points share their exact place with others. Voronoi masking does not move them: "
        "the release shows their true places. Leave them out, or aggregate them, before you "
        "release."
    ).format(count=unmoved)
    attack = tr(
        "Run “Reverse Voronoi masking” (geoanon:reversevoronoi) with INPUT={released}, "
        "CANDIDATES=an address file or all buildings of the area{key}."
    ).format(
        released=released or tr("the masked points"),
        key=tr(", KEY={key}").format(key=key) if key else "",
    )
    reversible = tr(
        "Voronoi masking has no secret: anyone who holds a list of possible places (an address "
        "file, all buildings) can undo it. Every singleton is then found exactly, and each member "
        "of a pair with a probability of one half."
    )
    return Story(
        tr(
            "Each point moved halfway to its nearest neighbour, which is the nearest point on the "
            "edge of its Voronoi cell. Where two neighbours are equally near, the one first in x, "
            "then in y was taken."
        ),
        [literature.SEIDL, literature.MOEHLER],
        [
            (tr("This mask can be reversed"), reversible),
            *([(tr("Some points did not move"), at_their_places)] if unmoved else []),
        ],
        [*([at_their_places] if unmoved else []), attack],
        figures=lambda page: _figures(page, mask),
        charts=lambda page: _chart(page, mask),
    )


def _figures(page: PrivatePage, mask: VoronoiMask) -> None:
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
        page.figure(name, label, count, explained, note=share_of_points(count, len(mask.kind)))


def _chart(page: PrivatePage, mask: VoronoiMask) -> None:
    page.bars(
        "kinds",
        tr("What became of the points"),
        (tr("Singletons"), tr("Paired"), tr("Did not move")),
        [mask.count(kind) for kind in (SINGLETON, PAIRED, UNMOVED)],
        tr("Points"),
    )
