# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack on masked points by what is known of their mask: what is read, and what is found."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ....core.attacks.masks.baselines import nearest_right
from ....core.columns import column_of
from ....core.masking.addresses import at_addresses
from ....core.runtime.errors import InputError
from ....core.space.planes import PROJECTION_ERROR_M, plane_at
from ....core.space.points import places
from ....core.values import NULL_TEXT
from ....core.verification import pointmask
from ...i18n import mark
from ...layers import keys, planes
from ...layers.transforming import transform
from ...running import Run
from ..masking import Points
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
    unknown,
)
from .attacked import PLACE, RECORD, Attacked
from .guessing import Asked
from .holding import Fit, is_release_of, refuse_other_system
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
    fields = [*([keys.RELEASED] if has_id else []), *run.fields("TARGET_QIS", source)]
    fields += further.linking_field(run)
    released = run.points(source, run.step("read"), list(dict.fromkeys(fields)), least=1)
    ids = released.columns[keys.RELEASED][:] if has_id else released.ids.tolist()
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
    if guess:
        mask, more = unknown.estimated(mask, points, listed, run)
        said += more
    home, asked, key = None, np.empty(0, dtype=np.int64), None
    key_source = run.source("KEY")
    if key_source is not None:
        key = keys.read_key(key_source, run.outputs.ask)
        home = _homes(key, ids, points, candidates, run)
        asked = np.flatnonzero(home >= 0)
    known = Known(
        mask,
        points,
        Points(listed.table.taken(listed.rows), plane, candidates, None),
        listed.is_of(used.get("CANDIDATES")),
        listed,
        home,
        ids,
        run,
    )
    explained = _explained(known)
    fits = Fit.of(explained, points.xy, candidates, home, weight, key)
    people = known_attributes.people(run, released, listed)
    every = further.put_together(known, explained, key, _explained)
    explained = every.explained
    guessed, who = Asked(known, explained, people, every.links), run.choice("ADVERSARY")
    weighed, factor = guessed.weighed()
    return Attacked(
        mask,
        released,
        listed.table,
        ids,
        listed.rows,
        None if who == RECORD else guessed.place(weighed, factor),
        guessed.record(weighed, asked) if who != PLACE and len(asked) else None,
        key,
        home,
        asked,
        known.same_list,
        [*said, *explained.sentences, *every.sentences],
        fits.impossible,
        fits.gap,
        not explained.one_place_each
        and weight is not None
        and len(places(released.xy).xy) < len(ids),
        is_release_of(mask, source, released, run) if path else None,
        explained.not_run,
        guessed.unlike(),
        known_attributes.names(run),
        explained.coarse,
        every.releases,
        None if home is None else nearest_right(points.xy, candidates, home),
        explained.played,
    )


def _explained(known: Known) -> Explained:
    if known.mask.mask not in _MASKS:
        raise known.none_yet()
    known.need_layers_of_now()
    return _MASKS[known.mask.mask](known)


def _homes(
    key: keys.Key, ids: list, points: Points, candidates: np.ndarray, run: Run
) -> np.ndarray:
    """The candidate at which each released record lives, by the key's places."""
    names = column_of("", ids).texts(NULL_TEXT)
    there = [row for row, one in enumerate(names) if one in key.places]
    if not there:
        raise InputError(
            mark(
                "The key “{key}” names none of the released records with a place. Choose the key "
                "that was written with this release."
            ),
            key=key.name,
        )
    xy = np.array([key.places[names[row]] for row in there])
    xy = transform(xy, key.crs, points.table.crs, run.context, run.outputs.ask)
    # An exchange may have taken the nearest address for a record's own.
    within = float(run.number("WITHIN") or 0.0)
    least = PROJECTION_ERROR_M
    reach = max(within, least) / points.plane.metres_per_unit
    home = np.full(len(ids), -1, dtype=np.int64)
    home[there] = at_addresses(points.plane.forward(xy), candidates, reach)[0]
    return home
