# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack on masked points by what is known of their mask: what is read, and what is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ....core.attacks.masks.baselines import nearest_right
from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.posterior import Guesses
from ....core.runtime.progress import part
from ....core.space.planes import plane_at
from ....core.space.points import places
from ....core.verification import pointmask
from ...layers import keys, planes
from ...running import Run
from ..mask_files import is_release_of
from ..masks.masked import Points
from . import (
    by_adaptive_voronoi,
    by_aggregation,
    by_displacement,
    by_exchange,
    by_observed,
    by_streets,
    by_swap,
    further,
    known_attributes,
    listing,
    members,
    moved_apart,
    originals,
    typed,
    unknown,
    unlisted_homes,
)
from .adversaries import PLACE, RECORD
from .attacked import Attacked, Members
from .guessing import Asked
from .holding import Fit, refuse_other_system
from .homes import homes_by_key
from .known import Explained, Known

#: How each mask explains a point.
_MASKS: dict[str, Callable[[Known], Explained]] = {
    "maskdisplace": by_displacement.explain,
    "maskexchange": by_exchange.explain,
    "masklocationswap": by_swap.explain,
    "maskaggregate": by_aggregation.explain,
    "maskstreets": by_streets.explain,
    "maskadaptivevoronoi": by_adaptive_voronoi.explain,
    by_observed.OBSERVED: by_observed.explain,
}


def attack(run: Run) -> Attacked:
    """Read what was released, what is known of the mask, and guess.

    Raises
    ------
    InputError
        If the files do not belong together, or there is no attack on the mask.
    """
    source, path = run.source("INPUT"), run.path("MASK")
    has_id = source.fields().lookupField(keys.RELEASED) >= 0
    id_field = originals.ids_field(run, source) or (keys.RELEASED if has_id else None)
    fields = [*([id_field] if id_field else []), *run.fields("TARGET_QIS", source)]
    fields += further.linking_field(run)
    released = run.points(source, run.step("read"), list(dict.fromkeys(fields)), least=1)
    ids = released.columns[id_field][:] if id_field else released.ids.tolist()
    guess = not path and not run.has("BEFORE")
    if path:
        mask = pointmask.read(path)
    else:
        mask = unknown.untold(released) if guess else by_observed.mask_of(source)
    refuse_other_system(mask, released)
    plane = plane_at(planes.wkt(released.crs), mask.centre)
    listed = listing.read(run, mask, released, plane)
    used = {one.parameter: one.sha256 for one in mask.layers}
    candidates, weight = listed.candidates, listed.weight
    points = Points(released, plane, plane.forward(released.xy, run.outputs.ask), None)
    said = [planes.describe(plane, released.crs)]
    of_law = guess and run.has("LAW")
    if of_law:
        mask = typed.law_of(mask, run)
        points, more = unknown.moved_back(points, listed, run.step("estimate"))
        said += more
    elif guess:
        mask, points, more = unknown.estimated(mask, points, listed, run)
        said += more
    none = np.empty(0, dtype=np.int64)
    home, asked, key = None, none, None
    key_source = run.source("KEY")
    if key_source is not None:
        key = keys.read_key(key_source, run.outputs.ask)
    elif run.has(originals.ORIGINALS):
        key = originals.key_of(run, released.columns[id_field])
    if key is not None:
        home = homes_by_key(key, ids, points, candidates, run)
        asked = np.flatnonzero(home >= 0)
    those = members.read(run, key, ids, points, candidates, home)
    known = Known(
        mask,
        points,
        Points(listed.table.taken(listed.rows), plane, candidates, None),
        listed.is_of(used.get("CANDIDATES")),
        listed,
        home,
        ids,
        run,
        of_law,
    )
    explained = explained_by(known)
    by_points = guess and not of_law
    stored = released.xy, listed.table.xy[listed.rows]
    fits = Fit.of(explained, points.xy, candidates, home, weight, key, by_points, not path, stored)
    people = known_attributes.people(run, released, listed)
    every = further.put_together(known, explained, key, explained_by)
    explained = every.explained
    guessed, who = Asked(known, explained, people, every.links), run.choice("ADVERSARY")
    weighed, factor = guessed.weighed()
    missing, more = unlisted_homes.of(known, every, people, weighed, run.step("unlisted"))
    told = part(run.step("together"), 0.3, 0.8)
    asks = who != RECORD and not explained.settled and run.flag("JOINT")
    apart = moved_apart.looked_for(known, explained, people, factor, told) if asks else None
    guessed = replace(guessed, unlisted=missing, apart=apart)
    if those is not None:
        those = members.who_may_be_in(those, explained.likelihood)
        asked = none if those.record is None else those.record
    return Attacked(
        mask,
        released,
        listed.table,
        ids,
        listed.rows,
        None if who == RECORD else guessed.place(weighed, factor),
        _record(guessed, weighed, asked, those) if who != PLACE else None,
        key,
        home,
        asked,
        known.same_list,
        [
            *said,
            *explained.sentences,
            *more,
            *moved_apart.sentences(known, apart),
            *every.sentences,
        ],
        fits.impossible,
        fits.gap,
        not explained.one_place_each
        and weight is not None
        and len(places(released.xy).xy) < len(ids),
        is_release_of(mask, source, released, run) if path else None,
        (
            *explained.not_run,
            *(guessed.not_run() if who != RECORD else ()),
            *moved_apart.not_looked_for(known),
            *listed.not_told(),
        ),
        guessed.unlike(),
        known_attributes.names(run),
        every.releases,
        None if home is None else nearest_right(points.xy, candidates, home),
        those,
        missing,
        explained.understated,
        None if apart is None else apart.home,
        explained.uneven or fits.uneven,
        mask.changed or any(pointmask.read(one).changed for one in run.paths("FURTHER_MASKS")),
    )


def _record(
    guessed: Asked, weighed: Likelihood, asked: np.ndarray, those: Members | None
) -> Guesses | None:
    """What B believes: of members where they are given, else of everybody whom the key names."""
    if those is not None and those.record is None:
        return guessed.record_of_homes(those.home)
    return guessed.record(weighed, asked) if len(asked) else None


def explained_by(known: Known) -> Explained:
    """Return how the mask explains the points.

    Raises
    ------
    InputError
        If there is no attack on the mask, or layers are not those that it used.
    """
    if known.mask.mask not in _MASKS:
        raise known.none_yet()
    known.need_layers_of_now()
    if known.mask.mask != "maskdisplace":
        unlisted_homes.refuse(known)
    return _MASKS[known.mask.mask](known)
