# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of an adaptive Voronoi masking tells besides what all masks tell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.masking.adaptive_voronoi import ALONE, BORDER, EDGE, KEPT, AdaptiveVoronoi
from ...core.masking.public_areas import ZoneAreas
from .. import literature
from ..i18n import number_of, tr
from .common import PrivatePage
from .masking import Story, share_of_points, whose_record


@dataclass(frozen=True)
class Voronoied:
    """What the report tells of.

    Attributes
    ----------
    mask : AdaptiveVoronoi
        Of all records.
    areas : ZoneAreas
    least : int
        K.
    crossings : bool
        Whether points went on to crossings.
    inside : bool
        KEEP_INSIDE.
    """

    mask: AdaptiveVoronoi
    areas: ZoneAreas
    least: int
    crossings: bool
    inside: bool

    @property
    def released(self) -> int:
        """Number of points that are released."""
        return int(np.count_nonzero(~self.mask.withheld))

    @property
    def outside(self) -> int:
        """Number of points that are released outside of their area."""
        return int(np.count_nonzero(self.mask.outside & ~self.mask.withheld))

    def count(self, way: int) -> int:
        """Number of released points that went a way."""
        return int(np.count_nonzero((self.mask.way == way) & ~self.mask.withheld))

    def numbers(self) -> dict[str, float]:
        """Number outputs of the algorithm."""
        return {
            "AREAS_COUNT": len(self.areas),
            "LEAST_PEOPLE": float(self.areas.people.min()),
            "ALONE": self.count(ALONE),
            "ON_BORDER": self.count(BORDER),
            "OUTSIDE": self.outside,
            "KEPT": self.count(KEPT),
        }


def story(made: Voronoied, released: str, key: str, attack: str) -> Story:
    """Tell of a mask.

    Parameters
    ----------
    made : Voronoied
    released, key : str
        Parameters of the reversal, empty for none.
    attack : str
        The attack to run, in a sentence.
    """
    areas = made.areas
    method = [
        tr(
            "{zones} were merged to {areas} of at least {k}: all areas with the least number went "
            "to the neighbour with the longest border in common, and again, until none had fewer. "
            "A place alone in its area went to a random place in it, by numbers from a secret and "
            "the place (HMAC-SHA256). Each other went to the nearest of two: the edge of its cell "
            "in the Voronoi diagram of all that are not alone, and the border of its area. Records "
            "at one place count as one and moved together."
        ).format(
            zones=number_of(int(areas.zones.sum()), "zone", "zones"),
            areas=number_of(len(areas), "area", "areas"),
            k=made.least,
        )
    ]
    if made.crossings and made.inside:
        method.append(tr("Then it went to the nearest crossing in its area."))
    elif made.crossings:
        method.append(tr("Then it went to the nearest crossing, in whichever area."))
    if areas.apart.any():
        method.append(
            tr("{areas} zones that lie apart, for these had no neighbour.").format(
                areas=number_of(int(areas.apart.sum()), "area has", "areas have")
            )
        )
    return Story(
        " ".join(method),
        [literature.POLZIN, literature.KOUNADI_LEITNER, literature.SEIDL],
        [*_reversal(made), *_dangers(made)],
        _steps(made, released, key, attack),
        figures=lambda page: _figures(page, made),
        charts=lambda page: _chart(page, made),
    )


def _reversal(made: Voronoied) -> list[tuple[str, str]]:
    if not made.crossings:
        return [
            (
                tr("This mask can be reversed"),
                tr(
                    "Points lie on edges and borders as they were reached. Who has a list of "
                    "addresses looks from a border at a right angle: {border} here, and in trials "
                    "more than 90 of 100 such were found. Along a border that runs with an axis one "
                    "coordinate is the true one. From an edge he looks for two addresses that are "
                    "equally far on either side: {edge} here. Give STREETS or CROSSINGS."
                ).format(
                    border=number_of(made.count(BORDER), "point", "points"),
                    edge=number_of(made.count(EDGE), "point", "points"),
                ),
            )
        ]
    if made.outside:
        return [
            (
                tr("Some points left their areas"),
                tr(
                    "{points} in another area than they came from, as the published method does. "
                    "There the number of people in an area says nothing of them. KEEP_INSIDE takes "
                    "crossings in their own."
                ).format(points=number_of(made.outside, "point lies", "points lie")),
            )
        ]
    return []


def _dangers(made: Voronoied) -> list[tuple[str, str]]:
    return [
        (
            tr("Some hide among fewer than K"),
            tr(
                "At least {least:g} people or addresses are in each area, but a point is not "
                "spread over them: it lies near where it came from. Who knows the layers weighs "
                "the addresses by that, and some are likelier than one in {least:g}. Only places "
                "alone in their area ({alone} here) can have come from anywhere in it."
            ).format(least=float(made.areas.people.min()), alone=made.count(ALONE)),
        ),
        (
            tr("A file that grows moves its points"),
            tr(
                "Where a place goes depends on who else is in the file. Release the same people "
                "again with the secret file of this release (SECRET) only: it keeps where each "
                "was put. Without it some move, and two releases together tell more than each."
            ),
        ),
        whose_record(),
    ]


def _steps(made: Voronoied, released: str, key: str, attack: str) -> list[str]:
    keep = tr("Keep the secret file (SECRET_FILE) for the next release of the same people.")
    if made.crossings:
        return [attack, keep]
    return [
        attack,
        tr(
            "Run “Reverse Voronoi masking” (geoanon:reversevoronoi) with INPUT={released}, "
            "CANDIDATES=an address file or all buildings of the area{key}: it finds points that "
            "lie between two addresses, though not those on borders."
        ).format(
            released=released or tr("the masked points"),
            key=tr(", KEY={key}").format(key=key) if key else "",
        ),
        keep,
    ]


def _figures(page: PrivatePage, made: Voronoied) -> None:
    page.figure(
        "areas",
        tr("Merged areas"),
        len(made.areas),
        tr("Each holds at least K people or addresses."),
    )
    page.figure(
        "least_people",
        tr("Least number in an area"),
        float(made.areas.people.min()),
        tr("People or addresses, by the public data."),
    )
    for name, count, label, explained in (
        (
            "on_border",
            made.count(BORDER),
            tr("Went to a border"),
            tr("The border of the area was nearer than the edge of the cell."),
        ),
        (
            "alone",
            made.count(ALONE),
            tr("Alone in their area"),
            tr("They went to a random place in it."),
        ),
        (
            "outside",
            made.outside,
            tr("Released outside of their area"),
            tr("K says nothing of these."),
        ),
    ):
        page.figure(name, label, count, explained, note=share_of_points(count, made.released))


def _chart(page: PrivatePage, made: Voronoied) -> None:
    page.bars(
        "ways",
        tr("What became of the points"),
        (tr("Edge of a cell"), tr("Border of the area"), tr("Alone"), tr("Kept")),
        [made.count(way) for way in (EDGE, BORDER, ALONE, KEPT)],
        tr("Points"),
    )
