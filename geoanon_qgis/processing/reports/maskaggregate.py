# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of an aggregation of points tells besides what all masks tell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.masking.aggregation import RANDOM, Aggregated, Areas
from ...core.masking.lattice import HEXAGONS, SQUARES
from ...core.masking.public_areas import ZoneAreas
from .. import literature
from ..i18n import number_of, tr
from .common import PrivatePage
from .masking import Story, share_of_points

_MERGED, _SITES = "merged", "sites"
#: Next steps, at most.
_STEPS = 3


def story(
    parameters: Mapping,
    areas: Areas,
    moved: Aggregated,
    unit: str,
    ground: tuple[float, float] | None,
    attack: str,
) -> Story:
    """Tell of an aggregation.

    Parameters
    ----------
    parameters : mapping
        As the mask file has them; K only where there is a population.
    areas : CellAreas or ZoneAreas
    moved : Aggregated
    unit : str
        Of distances.
    ground : (float, float) or None
        Width and height on the ground of a square cell in the middle of the points, in metres, for
        a grid in which these differ.
    attack : str
        The attack to run, in a sentence.
    """
    least = parameters.get("K")
    sources = [literature.ARMSTRONG]
    if parameters["METHOD"] == _MERGED:
        sources.append(literature.KOUNADI_LEITNER)
    if ground is not None:
        sources.append(literature.BRODZIK)
    return Story(
        " ".join(filter(None, _method(parameters, unit, ground))),
        sources,
        _dangers(areas, moved, least),
        [attack, *_steps(moved, least)][:_STEPS],
        # All points of an area stand at its centre, or anywhere in it, wherever they came from.
        near_shows=False,
        figures=lambda page: _figures(page, areas, moved),
        charts=lambda page: _chart(page, areas, moved),
    )


def _method(parameters: Mapping, unit: str, ground: tuple[float, float] | None) -> list[str]:
    method, least = parameters["METHOD"], parameters.get("K")
    side, grid = parameters.get("SIDE"), parameters.get("GRID")
    told = {"side": f"{side:g}" if side else "", "unit": unit, "grid": grid or ""}
    told["addresses"] = parameters.get("SITE_ADDRESSES", "")
    areas = {
        SQUARES: tr("Each place went to the cell of a grid of {side} {unit}."),
        HEXAGONS: tr(
            "Each place went to its hexagon, which has the area of a square of {side} {unit}."
        ),
        _MERGED: tr(
            "Each place went to its area. The zones with the smallest number were merged into the "
            "neighbour with the longest common border, until each area held {k} (of neighbours "
            "with equally long borders the one with fewer, then the first by place)."
        ),
        _SITES: tr(
            "Each place went to its area. The list was cut into compact groups of {addresses} "
            "neighbouring addresses or more; the middle of each is a site, and all places nearest to the "
            "same site are one area. The records had no part in it."
        ),
    }.get(method, tr("Each place went to its zone."))
    found = [areas.format(k=least, **told)]
    if method in (SQUARES, HEXAGONS):
        found.append(
            tr("The cells have their origin at 0, 0 of {grid}, wherever the points lie.").format(
                **told
            )
            if grid
            else tr("The cells have their origin at 0, 0, wherever the points lie.")
        )
        if ground is not None:
            found.append(
                tr(
                    "In the middle of the points a square of this size is about {width:,.0f} m "
                    "wide and {height:,.0f} m high on the ground. For square cells reproject the "
                    "layer to a system of the country first."
                ).format(width=ground[0], height=ground[1])
            )
    if least is not None and method != _MERGED:
        found.append(
            tr("Areas that hold fewer than {k} by the population released nothing.").format(k=least)
        )
    if "K_RECORDS" in parameters:
        found.append(
            tr("Areas with records at fewer than {k} places released nothing.").format(
                k=parameters["K_RECORDS"]
            )
        )
    found.append(
        tr(
            "It was put at a random place there, from a secret and the place alone (HMAC-SHA256), "
            "so that it is the same in every release with this secret."
        )
        if parameters["PLACE"] == RANDOM
        else tr("It was put at the site of its area.")
        if method == _SITES
        else tr(
            "It was put at the centre: the centroid, or a place inside where the centroid of an "
            "area lies outside of it."
        )
    )
    return found


def _steps(moved: Aggregated, least: int | None) -> list[str]:
    found = []
    if least is None:
        found.append(
            tr(
                "Give POPULATION, such as an address list, with K: cells in which fewer live then "
                "release nothing. Without it nobody knows among how many a person hides."
            )
        )
    if moved.alone.any():
        found.append(
            tr(
                "Look at the records that are alone in their area (ALONE): who knows that somebody "
                "there is in the file has the whole record. Take larger areas, or leave attributes "
                "out that he does not know."
            )
        )
    if least is not None:
        found.append(
            tr(
                "If the addresses are at hand as a list, compare “Exchange of addresses” "
                "(geoanon:maskexchange) with K={k}. On 86,813 addresses of a Dutch town, each point "
                "among 20 addresses, it moved points by 31 m on average, squares of 250 m by 95 m."
            ).format(k=least)
        )
    found.append(
        tr(
            "Release these people by these areas only. Who has them by other areas as well knows "
            "that each lives in what two areas have in common."
        )
    )
    return found


def _dangers(areas: Areas, moved: Aggregated, least: int | None) -> list[tuple[str, str]]:
    found = []
    if least is None:
        found.append(
            (
                tr("Nobody counted who lives in the areas"),
                tr(
                    "No population was given, so an area may hold a single house. Its record is "
                    "then that of the people there, and a map of houses shows it."
                ),
            )
        )
    else:
        found.append(
            (
                tr("K counts what the population counts"),
                tr(
                    "Each area that releases something holds at least {k} by the population. If "
                    "that counts people, a household is several of them; if it counts addresses, "
                    "those of one house are one place. Who knows more of a person than where she "
                    "lives (age, sex) finds fewer who fit."
                ).format(k=least),
            )
        )
    alone = int(moved.alone.sum())
    found.append(
        (
            tr("Whose record it is may not be hidden"),
            tr(
                "The mask hides where in its area somebody lives. Who knows that a person is in "
                "the file, and where she lives, has her record among those of her area. "
                "{records} alone there."
            ).format(records=number_of(alone, "record is", "records are"))
            if alone
            else tr(
                "The mask hides where in its area somebody lives. Who knows that a person is in "
                "the file, and where she lives, has her record among those of her area."
            ),
        )
    )
    if isinstance(areas, ZoneAreas) and areas.apart.any():
        found.append(
            (
                tr("Some areas lie apart"),
                tr(
                    "{areas} of zones that do not touch: an island was joined to the nearest area. "
                    "The layer AREAS marks them. Their centre may lie in a part where nobody was."
                ).format(areas=number_of(int(areas.apart.sum()), "area consists", "areas consist")),
            )
        )
    return found


def _figures(page: PrivatePage, areas: Areas, moved: Aggregated) -> None:
    there, used = ~moved.withheld, moved.used
    total = int(there.sum())
    page.figure(
        "areas",
        tr("Areas with released points"),
        len(used),
        tr("A released point tells its area and nothing else."),
        note=tr("{records:,.1f} points in each on average").format(
            records=len(moved.lies_in) / max(len(used), 1)
        ),
    )
    alone = int(moved.alone[there].sum())
    page.figure(
        "alone",
        tr("Alone in their area"),
        alone,
        tr("Points whose place is the only one of their area in the release."),
        note=share_of_points(alone, total),
    )
    if areas.people is not None and len(used):
        page.figure(
            "least_people",
            tr("Least number in an area"),
            float(areas.people[used].min()),
            tr("By the population, of areas with released points."),
        )


def _chart(page: PrivatePage, areas: Areas, moved: Aggregated) -> None:
    count = np.bincount(moved.lies_in, minlength=len(areas))[moved.used]
    page.histogram(
        "records_histogram",
        tr("Points in an area"),
        count.astype(np.float64),
        tr("Points"),
        "",
        y_label=tr("Areas"),
    )
