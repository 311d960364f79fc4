# SPDX-License-Identifier: GPL-2.0-or-later
"""What the mask of released points tells of homes, for an attack by home and fields together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.posterior import of_anybody
from ....core.microdata.attacks.homes import Homes
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress
from ....core.runtime.rows import starts
from ....core.space.planes import plane_at
from ....core.space.points import places
from ....core.verification import pointmask
from ...dialog import parameters
from ...dialog.rules import GIVEN
from ...i18n import tr
from ...layers import planes
from ...layers.reading import PointTable
from ...layers.transforming import transform
from ...running import Given, Nested, Run
from ..comparing import Compared, Side
from ..masks.masked import Points
from .attack import explained_by
from .holding import refuse_other_system
from .homes import homes_at
from .known import OF_THE_LIST, Known
from .listing import Listed
from .listing import read as read_list


def inputs() -> list:
    """Parameters: the mask of the points."""
    return [
        parameters.file_source(
            "MASK",
            tr("Mask file of the points"),
            tr(
                "Where the points were masked, too: the private file that was written as MASK with "
                "them. Points and fields are then judged as one release, for who knows where a person "
                "lives, more of her, and how points were masked. Empty: he learns from the release "
                "how far points are from homes."
            ),
            tr("JSON files (*.json)"),
        ),
        parameters.source(
            "CANDIDATES",
            tr("Address list of the mask"),
            tr(
                "If the mask used one: the same list. People whose homes it lacks count as found at the "
                "upper end of what an attack may find."
            ),
            "point",
            optional=True,
        ),
        parameters.metres(
            "WITHIN",
            tr("A record may miss its address by (metres)"),
            tr("With CANDIDATES: as the mask was told (WITHIN), to find homes in the list."),
            0.0,
            only_when={"CANDIDATES": GIVEN},
        ),
    ]


def refusal(given: Given) -> str | None:
    """Say what does not go together, before anything is read."""
    if given.has("MASK") and not given.flag("USE_GEOMETRY"):
        return tr(
            "The mask file (MASK) tells how places were changed, and these take no part. Switch "
            "USE_GEOMETRY on, or leave MASK empty."
        )
    if given.has("CANDIDATES") and not given.has("MASK"):
        return tr("CANDIDATES is the address list of a mask: give the mask file (MASK), too.")
    return None


def read(run: Run, pair: Compared, algorithm: type, progress: Progress) -> Homes | None:
    """Weigh homes of the file and of the control by the mask; None without one.

    Parameters
    ----------
    run : Run
    pair : Compared
    algorithm : type of GeoAnonAlgorithm
        The attack on masked points, whose parameters are read.
    progress : callable

    Raises
    ------
    InputError
        If the mask is not of these points, or used layers that are not asked for here.
    """
    if not run.has("MASK"):
        return None
    mask = pointmask.read(run.path("MASK"))
    more = sorted({one.parameter for one in mask.layers} - set(OF_THE_LIST))
    if more:
        raise InputError(
            tr(
                "The mask used {names}, which is not asked for here. Leave the mask file (MASK) "
                "empty: points are then weighed by how far they are from homes."
            ).format(names=", ".join(more))
        )
    given = {"INPUT": "ANONYMIZED", "MASK": "MASK", "CANDIDATES": "CANDIDATES"}
    handed = {theirs: run.parameters[own] for theirs, own in given.items() if run.has(own)}
    handed.update(UNLISTED=0.0, WITHIN=run.number("WITHIN") or 0.0)
    nested = Nested(run, algorithm, handed, progress)
    released = _in_own_system(pair.anonymized, run.source("ANONYMIZED").sourceCrs(), run)
    refuse_other_system(mask, released)
    plane = plane_at(planes.wkt(released.crs), mask.centre)
    points = Points(released, plane, plane.forward(released.xy, run.outputs.ask), None)
    sides = [pair.original, *([pair.reference] if pair.reference is not None else [])]
    at = [side.records.xy[side.rows] for side in sides]
    crs = pair.original.records.crs
    if run.has("CANDIDATES"):
        listed = read_list(nested, mask, released, plane)
        lives = [homes_at(one, crs, points, listed.candidates, nested) for one in at]
    else:
        listed, lives = _of_homes(at, crs, points, run)
    used = {one.parameter: one.sha256 for one in mask.layers}
    if "CANDIDATES" in used and not run.has("CANDIDATES"):
        raise InputError(tr("The mask used an address list: give the same one (CANDIDATES)."))
    lost = int((lives[0] < 0).sum())
    if lost == len(lives[0]):  # who knows where people live could not be tried at all
        raise InputError(
            tr(
                "The address list (CANDIDATES) has the home of no original. Give the list that the mask "
                "used, and as WITHIN how far records may miss their addresses, as the mask was told."
            )
        )
    if lost:
        run.warn(
            tr(
                "The address list (CANDIDATES) lacks the homes of {lost:,} of {count:,} originals. Who "
                "knows where these people live may find more than was tried, so that at the upper end "
                "of the interval all of them count as found."
            ).format(lost=lost, count=len(lives[0]))
        )
    candidates = Points(listed.table.taken(listed.rows), plane, listed.candidates, None)
    known = Known(
        mask,
        points,
        candidates,
        listed.is_of(used.get("CANDIDATES")),
        listed,
        None,
        released.ids.tolist(),
        nested,
    )
    own = _ratio(_explained(known))
    if pair.reference is not None:
        return Homes(_of_people(own, lives[0]), _of_people(own, lives[1]), lost / len(lives[0]))
    # As if originals lived where records are released.
    there = _in_own_system(pair.original, released.crs, run)
    others = Points(there, plane, plane.forward(there.xy, run.outputs.ask), None)
    control = _ratio(_explained(replace(known, points=others)))
    return Homes(_of_people(own, lives[0]), _of_people(control, lives[0]), lost / len(lives[0]))


def _in_own_system(side: Side, crs, run: Run) -> PointTable:
    """Return the records that are compared in the system of the released layer."""
    table = side.records.taken(side.rows)
    xy = transform(table.xy, table.crs, crs, run.context, run.outputs.ask)
    return replace(table, xy=xy, crs=crs)


def _of_homes(
    at: list[np.ndarray], crs, points: Points, run: Run
) -> tuple[Listed, list[np.ndarray]]:
    """The homes of all people as the list, for a mask that used none."""
    xy = transform(np.concatenate(at), crs, points.table.crs, run.context, run.outputs.ask)
    xy = points.plane.forward(xy, run.outputs.ask)
    found = places(xy)
    rows = np.zeros(len(xy), dtype=np.int64)
    table = replace(points.table.taken(rows), ids=np.arange(len(xy)))
    listed = Listed(table, xy, found.xy, found.of_point, found.first, np.ones(len(xy)), None, [])
    return listed, list(np.split(found.of_point, [len(at[0])]))[: len(at)]


def _explained(known: Known) -> Likelihood:
    """What he knows who knows that a person is in the file, where that is more."""
    explained = explained_by(known)
    return explained.likelihood if explained.record is None else explained.record


def _ratio(likelihood: Likelihood) -> Likelihood:
    """How much better each candidate explains a point than anybody does."""
    anybody = of_anybody(likelihood) / max(likelihood.candidates, 1)
    return likelihood.with_values(likelihood.value / anybody[likelihood.point])


def _of_people(likelihood: Likelihood, homes: np.ndarray) -> Likelihood:
    """A point for each person, a candidate for each record; none for homes that are not listed."""
    there = homes >= 0
    some = likelihood.of_people(homes[there])
    many = np.zeros(len(homes), dtype=np.int64)
    many[there] = np.diff(some.first)
    return Likelihood(likelihood.points, starts(many), some.candidate, some.value)
