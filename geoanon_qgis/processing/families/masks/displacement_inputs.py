# SPDX-License-Identifier: GPL-2.0-or-later
"""What a displacement asks for: a law, what sizes it, and where points have to stay."""

from __future__ import annotations

import numpy as np

from ....core.masking.laws import BY_AREA, BY_RADIUS
from ...dialog import parameters
from ...dialog.rules import GIVEN
from ...i18n import tr
from ...running import Given

DISC, DONUT, GAUSSIAN, BIMODAL, LAPLACE = "disc", "donut", "gaussian", "bimodal", "laplace"
LAWS = [DISC, DONUT, GAUSSIAN, BIMODAL, LAPLACE]
DISTANCE, CANDIDATES, POPULATION, RASTER = "distance", "candidates", "population", "raster"
SIZES = [DISTANCE, CANDIDATES, POPULATION, RASTER]
#: What each way of taking sizes reads.
_NEEDS = {CANDIDATES: ("CANDIDATES",), POPULATION: ("POPULATION", "POPULATION_FIELD")}
#: When parameters count: sizes in metres, sizes by addresses or people, and what surveys have.
_IN_METRES = {"SIZE_BY": (DISTANCE,)}
_BY_NUMBER = {"SIZE_BY": (CANDIDATES, POPULATION, RASTER)}
_SURVEYS = {"LAW": (DISC,), "SIZE_BY": (DISTANCE,)}
#: ln 4 per 200 m.
EPSILON = 0.00693


def inputs() -> list:
    """Return the parameters of a displacement."""
    return [
        parameters.choice(
            "LAW",
            tr("Law"),
            tr(
                "How far points move, in a random direction. disc: anywhere within MAX; donut: "
                "between MIN and MAX; gaussian: normally distributed in x and y with the standard "
                "deviation MAX; bimodal: most likely as far as MAX, with three tenths of it as "
                "standard deviation; laplace: planar Laplace noise with EPSILON "
                "(geo-indistinguishability)."
            ),
            LAWS,
            GAUSSIAN,
        ),
        parameters.choice(
            "SIZE_BY",
            tr("Size by"),
            tr(
                "distance: the same for all, MIN, MAX or EPSILON. candidates: as far as the "
                "K_MAX-th address (and K_MIN-th, for the hole of a donut). population, raster: the "
                "radius in which K_MAX people live. A Gaussian then has a standard deviation of "
                "0.71 of that, Laplace noise an epsilon of ln 4 divided by it."
            ),
            SIZES,
            DISTANCE,
        ),
        parameters.metres(
            "MIN",
            tr("Least distance (metres)"),
            tr("The hole of a donut. The other laws have none."),
            100.0,
            only_when={**_IN_METRES, "LAW": (DONUT,)},
        ),
        parameters.metres(
            "MAX",
            tr("Largest distance, or size (metres)"),
            tr(
                "Radius of a disc or donut, standard deviation of a Gaussian, most likely distance "
                "of the bimodal law; with SIZE_BY=distance."
            ),
            500.0,
            only_when={**_IN_METRES, "LAW": (DISC, DONUT, GAUSSIAN, BIMODAL)},
        ),
        parameters.number(
            "EPSILON",
            tr("Epsilon of Laplace noise (per metre)"),
            tr(
                "With LAW=laplace and SIZE_BY=distance. Places d metres apart lead to any released "
                "point with likelihoods that differ by the factor exp(epsilon · d) at most; the "
                "mean distance moved is 2 / epsilon. The default is a factor of 4 at 200 m."
            ),
            EPSILON,
            optional=True,
            only_when={**_IN_METRES, "LAW": (LAPLACE,)},
        ),
        parameters.integer(
            "K_MIN",
            tr("Least number (k)"),
            tr("With LAW=donut: the hole reaches to the place that is the K_MIN-th nearest."),
            20,
            2,
            advanced=True,
            only_when={**_BY_NUMBER, "LAW": (DONUT,)},
        ),
        parameters.integer(
            "K_MAX",
            tr("Largest number (k)"),
            tr("Addresses or people that the size holds, where it is not the same for all."),
            100,
            2,
            only_when=_BY_NUMBER,
        ),
        parameters.points(
            "CANDIDATES",
            tr("Address list"),
            tr(
                "With SIZE_BY=candidates: all places where people live, in any reference system. "
                "An address counts once, however many live there. Never the points themselves: "
                "sizes must come from what is public."
            ),
            optional=True,
            only_when={"SIZE_BY": (CANDIDATES,)},
        ),
        parameters.source(
            "POPULATION",
            tr("Population areas"),
            tr("With SIZE_BY=population: polygons with the number of people in each."),
            "polygon",
            optional=True,
            only_when={"SIZE_BY": (POPULATION,)},
        ),
        parameters.field(
            "POPULATION_FIELD",
            tr("Field with the number of people"),
            tr("Of the population areas."),
            "POPULATION",
            numeric=True,
            only_when={"SIZE_BY": (POPULATION,)},
        ),
        parameters.raster(
            "RASTER",
            tr("Population raster"),
            tr(
                "With SIZE_BY=raster: the number of people in each cell, in the first band, in any "
                "reference system. Cells without a value hold nobody."
            ),
            only_when={"SIZE_BY": (RASTER,)},
        ),
        parameters.source(
            "ZONES",
            tr("Zones to stay in"),
            tr(
                "Polygons: each point stays in the one that it lies in, with probabilities as the "
                "law has them there. Points in none are withheld. Leave empty for no borders."
            ),
            "polygon",
            optional=True,
        ),
        parameters.source(
            "AVOID",
            tr("Areas to avoid"),
            tr("Polygons where no point may come to lie, such as water or land without houses."),
            "polygon",
            optional=True,
        ),
        parameters.choice(
            "EVEN_BY",
            tr("Disc and donut even by"),
            tr(
                "area: every place of the disc is as likely as any other. radius: every distance "
                "is, so that points stay nearer, as in the Demographic and Health Surveys."
            ),
            [BY_AREA, BY_RADIUS],
            BY_AREA,
            advanced=True,
            only_when={"LAW": (DISC, DONUT)},
        ),
        parameters.source(
            "URBAN",
            tr("Towns"),
            tr(
                "With LAW=disc and SIZE_BY=distance: polygons in which points move by URBAN_MAX at "
                "most, since more people live there. Leave empty for the same everywhere."
            ),
            "polygon",
            optional=True,
            advanced=True,
            only_when=_SURVEYS,
        ),
        parameters.number(
            "URBAN_MAX",
            tr("Largest distance in towns (metres)"),
            tr("With URBAN, in the place of MAX. In the surveys 2,000, and MAX 5,000."),
            2000.0,
            optional=True,
            advanced=True,
            only_when={**_SURVEYS, "URBAN": GIVEN},
        ),
        parameters.number(
            "FAR_SHARE",
            tr("Share that may go farther"),
            tr(
                "With LAW=disc and SIZE_BY=distance: of all places outside of towns a random share "
                "moves by up to FAR_MAX in the place of MAX; 0.01 in the surveys. 0 for none."
            ),
            0.0,
            0.0,
            0.99,
            optional=True,
            advanced=True,
            only_when=_SURVEYS,
        ),
        parameters.number(
            "FAR_MAX",
            tr("Largest distance of that share (metres)"),
            tr("With FAR_SHARE; 10,000 in the surveys."),
            10_000.0,
            optional=True,
            advanced=True,
            only_when=_SURVEYS,
        ),
    ]


def check(given: Given) -> str | None:
    """Say what does not go together."""
    law, size_by = given.choice("LAW"), given.choice("SIZE_BY")
    least, largest = given.number("MIN"), given.number("MAX")
    if size_by == DISTANCE:
        if law == LAPLACE:
            epsilon = given.number("EPSILON")
            if epsilon is None or not 0 < epsilon < np.inf:
                return tr(
                    "EPSILON must be a positive number per metre, such as 0.007: the larger it is, "
                    "the less points move."
                )
        elif largest is None or not 0 < largest < np.inf:
            return tr("The size (MAX) must be a positive distance in metres.")
        elif law == DONUT and (least is None or not 0 <= least < largest):
            return tr(
                "The least distance (MIN) must be zero or more, and below the largest (MAX): a "
                "ring of no width shows its centre."
            )
    elif law == DONUT and not given.number("K_MIN") < given.number("K_MAX"):
        return tr("The least number (K_MIN) must be below the largest (K_MAX).")
    return _surveys(given, law, size_by) or _layers(given, size_by)


def _surveys(given: Given, law: str, size_by: str) -> str | None:
    """Say what does not go together of towns, and of those that may go farther."""
    share, urban = given.number("FAR_SHARE") or 0.0, given.has("URBAN")
    if not share and not urban:
        return None
    if law != DISC or size_by != DISTANCE:
        return tr(
            "{name} is used with LAW=disc and SIZE_BY=distance only. Choose these, or leave {name} "
            "as it is by default."
        ).format(name="URBAN" if urban else "FAR_SHARE")
    if urban and not 0 < (given.number("URBAN_MAX") or 0.0) < np.inf:
        return tr("The largest distance in towns (URBAN_MAX) must be a positive one in metres.")
    if share and not given.number("MAX") < (given.number("FAR_MAX") or 0.0) < np.inf:
        return tr(
            "The distance of those that may go farther (FAR_MAX) must be above the usual one (MAX)."
        )
    return None


def _layers(given: Given, size_by: str) -> str | None:
    for way, names in (*_NEEDS.items(), (RASTER, ("RASTER",))):
        there = [given.has(name) for name in names]
        if way == size_by and not all(there):
            return tr(
                "SIZE_BY={way} needs {name}. Choose it, or take another way to set the size."
            ).format(way=way, name=names[there.index(False)])
        if way != size_by and there[0]:
            return tr(
                "{name} was given, and is used with SIZE_BY={way} only. Choose that, or leave "
                "{name} empty."
            ).format(way=way, name=names[0])
    if given.same_layer("INPUT", "CANDIDATES"):
        return tr(
            "The address list is the layer of the points themselves: the sizes would tell how near "
            "other records are. Choose a public list of all addresses."
        )
    return None
