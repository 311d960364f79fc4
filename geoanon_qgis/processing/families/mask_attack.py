# SPDX-License-Identifier: GPL-2.0-or-later
"""The attack on masked points by what is known of their mask: what is read, and what is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.attacks.masks import fit
from ...core.attacks.masks.likelihood import Likelihood, by_law, by_lists
from ...core.attacks.masks.posterior import (
    Guesses,
    checked_weight,
    which_record,
    who_lives_there,
)
from ...core.attacks.masks.together import together
from ...core.masking.addresses import at_addresses
from ...core.masking.law import Law
from ...core.masking.laws import BY_AREA, BY_RADIUS
from ...core.masking.partners import partner_graph
from ...core.runtime.errors import InputError
from ...core.runtime.progress import Progress
from ...core.space.planes import PROJECTION_ERROR_M, plane_at
from ...core.space.points import build_tree, places
from ...core.verification import digests, pointmask
from ...core.verification.pointmask import PointMask
from ..i18n import mark
from ..layers import keys, planes, whole_files
from ..layers.reading import PointTable
from ..layers.transforming import transform
from ..running import Run
from . import displacement_inputs, displacing
from .mask_attacked import PLACE, RECORD, Attacked
from .masking import Points
from .public_sizes import people_of

_NOT_YET = mark(
    "No attack on points masked by “{mask}” ({law}) is in this version. What its report promises, "
    "and what not, is all that can be said."
)
_EARLIER_LISTS = mark(
    "Some of the points were put where they are by an earlier address list, and stay there: by the "
    "partners of this list they cannot be explained. Attack each release when it is made, with its "
    "own list."
)
_OTHER_LIST = mark(
    "The address list is another one than that of the mask, from which alone it can be told who "
    "exchanges places with whom. Choose the list that the mask was made with."
)


#: What a mask file may say, and numbers that are larger than any length on the ground.
_CHOICES = {
    "LAW": displacement_inputs.LAWS,
    "SIZE_BY": displacement_inputs.SIZES,
    "EVEN_BY": [BY_AREA, BY_RADIUS],
    "OUTPUT_AT": ["address", "beside", "crossing"],
}
_LARGEST = 1e9

_OTHER_KEY = mark(
    "The points did not move from the places of the key “{key}” as the mask file says. Choose the "
    "key and the mask file that were written with these points; a score by others tells nothing."
)
#: A gap between the distances and the law that only another key or mask file leaves.
_OTHER = 0.5


class Retold:
    """A run whose choices and numbers are those that a mask file tells.

    Each is looked at: a file may have been changed, or come from elsewhere.
    """

    def __init__(self, run: Run, told: Mapping[str, Any]) -> None:
        self._run, self._told = run, told

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)

    def choice(self, name: str) -> str:
        """Return what the mask file says."""
        value = self._told.get(name)
        _need(value in _CHOICES[name], name)
        return str(value)

    def number(self, name: str) -> Any:
        """Return what the mask file says: a length, a number of addresses or people."""
        value = self._told.get(name)
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        _need(plain and 0 <= value < _LARGEST and (value > 0 or name == "MIN"), name)
        if name in ("K", "K_MIN", "K_MAX"):
            _need(isinstance(value, int) and value >= 2, name)
        return value


def _need(holds: bool, what: str) -> None:
    if not holds:
        raise InputError(
            mark(
                "The mask file holds nothing that makes sense as “{what}”. Choose the file that "
                "was written as MASK when the release was made."
            ),
            what=what,
        )


def attack(run: Run) -> Attacked:
    """Read what was released, what is known of the mask, and guess.

    Raises
    ------
    InputError
        If the files do not belong together, or there is no attack on the mask.
    """
    mask = pointmask.read(run.path("MASK"))
    source, known = run.source("INPUT"), run.source("CANDIDATES")
    has_id = source.fields().lookupField(keys.RELEASED) >= 0
    released = run.points(source, run.step("read"), [keys.RELEASED] if has_id else [], least=1)
    ids = released.columns[keys.RELEASED][:] if has_id else released.ids.tolist()
    _refuse_other_system(mask, released)
    plane = plane_at(planes.wkt(released.crs), mask.centre)
    weight_field = run.field("WEIGHT", known)
    fields = [weight_field] if weight_field else []
    listed = run.points(known, run.step("candidates"), fields, released.crs, 2)
    xy = plane.forward(listed.xy, run.outputs.ask)
    found = places(xy)
    candidates, of_row = found.xy, found.of_point
    rows = np.empty(len(candidates), dtype=np.int64)
    rows[of_row[::-1]] = np.arange(len(xy))[::-1]
    weight = None
    if weight_field:
        given = people_of(listed.columns[weight_field], listed.ids, known.sourceName())
        weight = np.bincount(of_row, given, minlength=len(candidates))
    elif len(candidates) < len(xy):  # who lists an address for each dwelling says how many
        weight = np.bincount(of_row, minlength=len(candidates)).astype(np.float64)
    used = {one.parameter: one.sha256 for one in mask.layers}
    own = {pointmask.fingerprint(xy), pointmask.fingerprint(candidates)}
    same_list = used.get("CANDIDATES") in (None, *own)
    points = Points(released, plane, plane.forward(released.xy, run.outputs.ask), None)
    at = Points(listed.taken(rows), plane, candidates, None)
    likelihood, law = _likelihood(mask, points, at, same_list, run)
    home, asked, key = None, np.empty(0, dtype=np.int64), None
    key_source = run.source("KEY")
    if key_source is not None:
        key = keys.read_key(key_source, run.outputs.ask)
        home = _homes(key, ids, points, candidates, run)
        asked = np.flatnonzero(home >= 0)
    fits = _Fit.of(likelihood, law, points.xy, candidates, home, weight, key)
    who = run.choice("ADVERSARY")
    place = None
    if who != RECORD:
        place = _together(mask, likelihood, weight, released.xy, home, run)
    record = None
    if who != PLACE and len(asked):
        record = which_record(likelihood, home[asked], weight)
    return Attacked(
        mask,
        released,
        listed,
        ids,
        rows,
        place,
        record,
        key,
        home,
        asked,
        same_list,
        [planes.describe(plane, released.crs)],
        fits.impossible,
        fits.gap,
        weight is not None and len(places(released.xy).xy) < len(ids),
        _is_release_of(mask, source, released, run),
    )


def _is_release_of(mask: PointMask, source, released: PointTable, run: Run) -> bool | None:
    """Whether the points are those that a mask file was written with; None where nothing tells."""
    if len(released) + len(released.left_out) != mask.counts.get("released"):
        return False
    file = whole_files.file_of(source)
    named = next((one for one in mask.released if one.output == "OUTPUT"), None)
    if file is None or named is None:
        return None
    return named.is_in(digests.of_file(file.path, run.outputs.ask))


@dataclass(frozen=True)
class _Fit:
    """Points that cannot have come from their homes, and how far distances are off."""

    impossible: int = 0
    gap: float = 0.0

    @classmethod
    def of(cls, likelihood, law, xy, candidates, home, weight, key) -> _Fit:
        """Hold the key against the mask.

        Raises
        ------
        InputError
            If one of them is not of these points.
        """
        if home is None or not (home >= 0).any():
            return cls()
        known = int((home >= 0).sum())
        never = int(fit.cannot_be_home(likelihood, home).sum())
        apart = 0.0
        if law is not None:
            away = np.hypot(*(xy - candidates[np.maximum(home, 0)]).T)
            apart = fit.gap(law, home, away)
        if 2 * never > known or apart > _OTHER:
            raise InputError(_OTHER_KEY, key=key.name)
        return cls(int(fit.cannot_be_home(likelihood, home, weight).sum()), apart)


def _together(
    mask: PointMask,
    likelihood: Likelihood,
    weight: np.ndarray | None,
    released: np.ndarray,
    home: np.ndarray | None,
    run: Run,
) -> Guesses:
    """What A believes of each point, from all of them: one point for each place of the file."""
    if mask.mask == "maskdisplace":  # records of one place are released at one point, and no others
        at = places(released).of_point
    elif home is not None:
        at = np.where(home >= 0, home, -1 - np.arange(len(home)))
    else:
        at = np.arange(len(released))
    _, first, of_point = np.unique(at, return_index=True, return_inverse=True)
    checked = None if weight is None else checked_weight(weight, likelihood.candidates)
    joint = together(likelihood.taken(first), checked, run.step("together"))
    return who_lives_there(joint.taken(of_point.reshape(-1)))


def _refuse_other_system(mask: PointMask, released: PointTable) -> None:
    own = keys.crs_text(released.crs) or ""
    if own != mask.crs:
        raise InputError(
            mark(
                "The mask file is of points in {theirs}, and the released ones are in {own}. "
                "Choose the layer and the mask file of one release, as they were written."
            ),
            theirs=mask.crs or mark("no reference system"),
            own=own or mark("no reference system"),
        )


def _homes(key: keys.Key, ids: list, points: Points, candidates: np.ndarray, run: Run):
    """The candidate at which each released record lives, by the key's places."""
    from ...core.columns import column_of
    from ...core.values import NULL_TEXT

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


# --- what each mask does ----------------------------------------------------------------------------


def _likelihood(
    mask: PointMask, points: Points, candidates: Points, same_list: bool, run: Run
) -> tuple[Likelihood, Law | None]:
    """What the mask does, and its law where that alone says how far points move."""
    step, method = run.step("attack"), mask.parameters.get("METHOD")
    if mask.mask == "maskdisplace":
        return _of_law(mask, points, candidates, run, step)
    if mask.mask == "maskexchange" and method == "exchange":
        if not same_list or mask.parameters.get("CLASSES"):
            raise InputError(_OTHER_LIST if not same_list else _NOT_YET, **_named(mask))
        if mask.parameters.get("EARLIER_LISTS"):
            raise InputError(_EARLIER_LISTS)
        told = Retold(run, mask.parameters)
        return _of_exchange(mask, points, candidates.xy, told, step), None
    raise InputError(_NOT_YET, **_named(mask))


def _named(mask: PointMask) -> dict[str, str]:
    return {"mask": mask.mask[:40], "law": mask.law[:40]}


def _of_law(
    mask: PointMask, points: Points, candidates: Points, run: Run, step: Progress
) -> tuple[Likelihood, Law | None]:
    made = displacing.read(candidates, Retold(run, mask.parameters), candidates.xy)
    used = {one.parameter: one.sha256 for one in mask.layers}
    given = {one.parameter: one.sha256 for one in made.layers}
    missing = used.keys() - given.keys()
    if missing - {"CANDIDATES"}:
        raise InputError(
            mark("The mask used {names}: give the same layers to the attack."),
            names=", ".join(sorted(missing)),
        )
    other = {name for name in given if given[name] != used.get(name)} - {"CANDIDATES"}
    if other:
        raise InputError(
            mark(
                "The mask used no such layer, or another one, for {names}: give the same layers "
                "to the attack, and leave empty what the mask did without."
            ),
            names=", ".join(sorted(other)),
        )
    likelihood = by_law(points.xy, candidates.xy, made.law, made.zones, made.zone, step)
    return likelihood, made.law if made.zones is None else None


def _of_exchange(
    mask: PointMask, points: Points, candidates: np.ndarray, told: Retold, step: Progress
) -> Likelihood:
    output_at, k = told.choice("OUTPUT_AT"), told.number("K")
    if output_at == "crossing":
        raise InputError(_NOT_YET, **_named(mask))
    # Beside an address is nearer to it than to any other.
    at, away = at_addresses(points.xy, candidates, np.inf)
    if output_at == "address":
        reach: float | np.ndarray = 0.0
    else:  # at most half as far as the next address
        reach = build_tree(candidates).query(candidates[at], k=2)[0][:, 1] / 2
    at = np.where(away <= reach + PROJECTION_ERROR_M / points.plane.metres_per_unit, at, -1)
    graph = partner_graph(candidates, k, progress=step)
    return by_lists(at, graph.partners, len(candidates), 1.0 / k)
