# SPDX-License-Identifier: GPL-2.0-or-later
"""What the report of a displacement tells besides what all masks tell."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...core.masking.law import Law
from ...core.masking.laws import BY_RADIUS
from .. import literature
from ..i18n import mark, tr
from .common import PrivatePage
from .masking import Story, whose_record

#: How the law reads in words; sizes stand beside it.
_LAWS = {
    "disc": mark("anywhere within a distance of it, every place as likely as any other"),
    "donut": mark("between a least and a largest distance, every place as likely as any other"),
    "gaussian": mark("normally distributed in x and y, so that near places are likelier"),
    "bimodal": mark("normally distributed round a most likely distance from it"),
    "laplace": mark(
        "by planar Laplace noise, with a density that falls exponentially with the distance"
    ),
}
_SOURCES = {
    "disc": literature.KWAN,
    "donut": literature.HAMPTON,
    "gaussian": literature.CASSA,
    "bimodal": literature.CASSA,
    "laplace": literature.ANDRES,
}
#: Share of a law's mass within the distance that is told of it, and points of its chart.
_MOST, _POINTS = 0.95, 120
_BY_RADIUS = mark(
    "The radius, and not the area, is drawn evenly: places near the true one are likelier than "
    "those farther away."
)


def story(
    law: Law, told: Mapping[str, object], zones: bool, metres: float, unit: str, attack: str
) -> Story:
    """Tell of a displacement.

    Parameters
    ----------
    law : Law
        In units of the plane.
    told : mapping of str to object
        The algorithm's parameters that the law was made from.
    zones : bool
        Whether points stayed in zones, or out of areas.
    metres : float
        Length of a unit of the plane on the ground.
    unit : str
        Of distances.
    attack : str
        The attack to run, in a sentence.
    """
    middle, name = _middle(law), told["LAW"]
    reach = float(middle.quantile(np.array([_MOST]))[0]) * metres
    within = {"distance": f"{reach:,.0f}" if reach >= 10 else f"{reach:.3g}", "unit": unit}
    by_radius = told.get("EVEN_BY") == BY_RADIUS
    method = [
        tr("Each place moved once, in a random direction, to a point that is {law}.").format(
            law=tr(_LAWS[name])
        ),
        tr(_BY_RADIUS) if by_radius else "",
        _sizes(told),
        tr(
            "The numbers come from a secret and the place alone (HMAC-SHA256): records at one "
            "place move together, and with the same secret the same place moves in the same way in "
            "every release, whoever else is in it."
        ),
    ]
    if zones:
        method.append(
            tr(
                "Points stay in their zone: the law is the one that is left when all outside of it "
                "is cut off. Draws that fell outside were repeated up to 64 times, and the next "
                "one was drawn inside, from the same distribution."
            )
        )
    return Story(
        " ".join(filter(None, method)),
        [
            _SOURCES[name],
            *([literature.BURGERT] if by_radius or _of_towns(told) else []),
            literature.ZANDBERGEN,
        ],
        _dangers(told, within),
        [
            attack,
            tr("Keep the secret file (SECRET_FILE) for the next release of the same people."),
        ],
        figures=lambda page: _figures(page, middle, metres, unit),
        charts=lambda page: _chart(page, middle, metres, unit),
    )


def _sizes(told: Mapping[str, object]) -> str:
    """What the law's size was taken from."""
    by = told["SIZE_BY"]
    if by == "distance":
        return _of_towns(told) or tr("Its size is the same for all points.")
    what = {
        "candidates": mark("the distance to the nearest addresses of the list, number {ks}"),
        "population": mark("the radius in which {ks} people live, by the population areas"),
        "raster": mark("the radius in which {ks} people live, by the population raster"),
    }[by]
    ks = [str(told[name]) for name in ("K_MIN", "K_MAX") if name in told]
    said = tr("Its size is taken from what is public: {what}.")
    return said.format(what=tr(what).format(ks=tr(" and ").join(ks)))


def _of_towns(told: Mapping[str, object]) -> str:
    """How far points go in towns and in the country, where that is not the same for all."""
    found = []
    if "URBAN_MAX" in told:
        found.append(
            tr(
                "In towns places moved by up to {urban:,g} m, elsewhere by up to {max:,g} m."
            ).format(urban=told["URBAN_MAX"], max=told["MAX"])
        )
    if "FAR_SHARE" in told:
        where = tr("Outside of towns a") if "URBAN_MAX" in told else tr("A")
        found.append(
            tr(
                "{where} random share of {share:g} % moved by up to {far:,g} m, as in the "
                "Demographic and Health Surveys."
            ).format(where=where, share=100 * told["FAR_SHARE"], far=told["FAR_MAX"])
        )
    return " ".join(found)


def _dangers(told: Mapping[str, object], within: dict) -> list[tuple[str, str]]:
    found = [whose_record()]
    if told["SIZE_BY"] == "distance":
        found.append(
            (
                tr("The same size for all hides nobody who lives apart"),
                tr(
                    "Most points moved up to {distance} {unit}. Where few people live within so "
                    "far, a masked point tells who it is. Sizes by an address list or by "
                    "population (SIZE_BY) follow how many live there."
                ).format(**within),
            )
        )
    elif told["LAW"] == "donut":
        found.append(
            (
                tr("The least number is not kept"),
                tr(
                    "K_MIN sets how far a point moves at least, and not among how many it hides: "
                    "whoever knows the mask weighs each address by it, and some are likelier than "
                    "one in K_MIN."
                ),
            )
        )
    if told["LAW"] == "donut":
        found.append(
            (
                tr("The hole protects from the naive only"),
                tr(
                    "Who knows the mask knows that nobody is in the hole, and looks beside it. A "
                    "disc or a Gaussian of the same mean shift leaves him more places: prefer one "
                    "of them."
                ),
            )
        )
    return found


def _middle(law: Law) -> Law:
    """The law of the point whose size is in the middle; of all, where they share it."""
    if law.count is None:
        return law
    rows = np.flatnonzero(law.possible)
    if not len(rows):
        rows = np.arange(law.count)
    means = np.asarray(law.of(rows).mean_shift)
    row = rows[np.argsort(means, kind="stable")[len(rows) // 2]]
    return law.of(np.array([row])).alone()


def _figures(page: PrivatePage, law: Law, metres: float, unit: str) -> None:
    page.figure(
        "mean_distance",
        tr("Mean distance of the law"),
        float(np.asarray(law.mean_shift)) * metres,
        tr("How far points move on average where nothing is cut off; sizes that differ: a middle."),
        unit=unit,
    )


def _chart(page: PrivatePage, law: Law, metres: float, unit: str) -> None:
    """How far a point goes, with what probability."""
    far = float(law.quantile(np.array([0.995]))[0])
    away = np.linspace(0.0, far, _POINTS)
    page.lines(
        "law",
        tr("How far the law moves a point: share of points that move no farther"),
        [("", away * metres, law.within(away))],
        tr("Distance"),
        tr("Share of points"),
        x_unit=unit,
    )
