# SPDX-License-Identifier: GPL-2.0-or-later
"""From the areas of an earlier release to those of this one, and back, by the people who live there.

A table of public figures: which region lies in which area is released with either aggregation, and how
many people live in a region is a field of the regions. By records instead, it would tell how many of
them live in each overlap, which is what subtraction looks for.
"""

from __future__ import annotations

import numpy as np

from ...core.runtime.errors import InputError
from ..dialog.declaration import Field, release
from ..i18n import mark, tr
from .earlier import Subtracted
from .regional import Data

_NAME = "CROSSWALK"
OUTPUT = release(
    _NAME,
    mark("From earlier areas to these, and back"),
    mark(
        "For EARLIER: a row for each area of an earlier release and each of this one that share regions, "
        "with the shares of the people of either who live there, by POPULATION_FIELD, which has to be "
        "public. A figure of an earlier area times share_of_earlier is what falls to the area of "
        "now; a figure of an area of now times share_of_area is what falls to the earlier one; as far as "
        "cases are spread as people are."
    ),
    "table",
    [
        Field("release", "string", mark("field of the earlier areas")),
        Field("earlier", "string", mark("earlier area; empty: in none")),
        Field("area_id", "long"),
        Field("regions", "long", mark("in both")),
        Field("people", "double", mark("in both")),
        Field("share_of_earlier", "double", mark("0 to 1; empty where nobody lives")),
        Field("share_of_area", "double", mark("0 to 1; empty where nobody lives")),
    ],
    optional=True,
)


def refuse_without_people(run) -> None:
    """Refuse a crosswalk for which something is missing.

    Raises
    ------
    InputError
    """
    if not run.outputs.wanted(_NAME):
        return
    if run.source("EARLIER") is None or not run.field("POPULATION_FIELD"):
        raise InputError(
            tr(
                "The table from earlier areas to these (CROSSWALK) needs the regions and areas of the "
                "earlier release (EARLIER), and the people of each region (POPULATION_FIELD): by "
                "records it would tell how many of them live in each overlap."
            )
        )


def write(run, data: Data, result, before: Subtracted | None) -> None:
    """Write the table, if it is asked for."""
    people = data.people_by(run.field("POPULATION_FIELD"))
    if before is None or people is None or not run.outputs.wanted(_NAME):
        return
    if (people == data.counted.classes.population).all():
        run.warn(
            tr(
                "“{field}” holds as many people in every region as there are records. If it was counted from "
                "them, and is not public, do not give CROSSWALK away: it tells how many of them live where an "
                "earlier area and one of these overlap."
            ).format(field=run.field("POPULATION_FIELD"))
        )
    rows = []
    fields = run.fields("EARLIER_AREA") or [""]
    for name, old, called in zip(fields, before.areas_of_region.T, before.area_names):
        rows += overlaps(name, old, called, result.area_of_region, people)
    run.outputs.add_rows(_NAME, rows)


def overlaps(
    name: str, old: np.ndarray, called: list[str], new: np.ndarray, people: np.ndarray
) -> list[tuple]:
    """Rows of the table for one earlier release.

    Parameters
    ----------
    name : str
        Of the release.
    old, new : (n,) int array
        Area of each region; -1 of the earlier ones for a region in none.
    called : list of str
        Names of the earlier areas.
    people : (n,) array
        Who live in each region.
    """
    pairs, of_region = np.unique(np.stack([old, new]), axis=1, return_inverse=True)
    of_region = of_region.reshape(-1)
    held = np.bincount(of_region, people)
    regions = np.bincount(of_region)
    of_old, of_new = np.bincount(old + 1, people), np.bincount(new, people)
    rows = []
    for (one, other), both, count in zip(pairs.T.tolist(), held.tolist(), regions.tolist()):
        earlier, here = float(of_old[one + 1]), float(of_new[other])
        rows.append(
            (
                name,
                called[one] if one >= 0 else None,
                other + 1,
                count,
                both,
                both / earlier if earlier and one >= 0 else None,
                both / here if here else None,
            )
        )
    return rows
