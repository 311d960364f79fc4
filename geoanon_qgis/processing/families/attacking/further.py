# SPDX-License-Identifier: GPL-2.0-or-later
"""Further releases of the same people: read, explained by their own masks, and linked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.several import combined, linked_by, log_scale, renumbered
from ....core.columns import column_of
from ....core.runtime.errors import InputError
from ....core.runtime.progress import Progress, part
from ....core.space.planes import PROJECTION_ERROR_M, plane_at
from ....core.space.points import places
from ....core.values import NULL_TEXT
from ....core.verification import pointmask
from ...i18n import mark, number_of, tr
from ...layers import keys, planes, sources
from ...layers.transforming import transform
from ...layers.values import labels
from ...running import Given, Run
from ..masks.masked import Points
from . import listing, second_places
from .holding import refuse_other_system
from .known import Explained, Known, Moves

_FILES = ("FURTHER_RELEASES", "FURTHER_MASKS", "FURTHER_KEYS")


@dataclass(frozen=True)
class Other:
    """A further release.

    Attributes
    ----------
    moves : Moves or None
        How its points were displaced; None where they were not.
    candidates : (k, 2) array
        Of its own, in its plane.
    linked : (n,) bool array
        Whether it tells of each record of the first anew.
    row : (u,) int array
        Rows of the address list: people who are in it.
    at : (u,) int array
        Its candidate for each.
    weight : (u,) array
        Of each.
    told : callable
        What a likelihood of its candidates is of those of the first.
    """

    moves: Moves | None
    candidates: np.ndarray
    linked: np.ndarray
    row: np.ndarray
    at: np.ndarray
    weight: np.ndarray
    told: Callable[[Likelihood], Likelihood]


@dataclass(frozen=True)
class Together:
    """What all releases tell of the records of the first.

    Attributes
    ----------
    explained : Explained
    releases : int
    links : (n,) int array
        How many further releases tell of each record anew.
    sentences : tuple of str
    others : tuple of Other
    scale : (n,) array
        Logarithm of what the likelihood of each record was divided by.
    """

    explained: Explained
    releases: int
    links: np.ndarray
    sentences: tuple[str, ...]
    others: tuple[Other, ...]
    scale: np.ndarray


class _OfOne:
    """The run, for one of the further releases: with its own share of the bar."""

    def __init__(self, run: Run, progress: Progress) -> None:
        self._run, self._progress = run, progress

    def __getattr__(self, name):
        return getattr(self._run, name)

    def step(self, *names: str) -> Progress:
        return part(self._progress, 0.2, 0.8) if names[0] == "attack" else self._idle

    def _idle(self, fraction: float) -> None:
        self._progress(0.1)

    def number(self, name: str):
        # How the first one was rounded says nothing of another: its own grid is found.
        return None if name == "ROUNDING" else self._run.number(name)

    def path(self, name: str) -> str:
        return "" if name == "SECRET_FILE" else self._run.path(name)


def check(given: Given) -> str | None:
    """Say what does not go together of further releases."""
    files, masks, their_keys = (len(given.paths(name)) for name in _FILES)
    if files != masks or their_keys not in (0, files):
        return tr(
            "There are {files} further releases, {masks} mask files and {keys} keys of them. Give a "
            "mask file for each release, and a key for each or for none, in the same order."
        ).format(files=files, masks=masks, keys=their_keys)
    if files and not given.text("LINKED_BY") and not (their_keys and given.has("KEY")):
        return tr(
            "Nothing links the records of several releases. Name the field that all of them have "
            "(LINKED_BY), or give the keys of all (KEY, FURTHER_KEYS): then he is one who can link "
            "everybody."
        )
    return None


def linking_field(run: Run) -> list[str]:
    """Return the field of the first release that links, none without."""
    name = run.text("LINKED_BY")
    return [_spelt(run.source("INPUT").fields(), name)] if name and run.paths(_FILES[0]) else []


def put_together(
    known: Known, explained: Explained, key: keys.Key | None, explain: Callable[[Known], Explained]
) -> Together:
    """Multiply what further releases tell.

    Raises
    ------
    InputError
        If files do not belong together, or nobody is linked.
    """
    run, count = known.run, len(known.points.xy)
    links, scale = np.zeros(count, dtype=np.int64), np.zeros(count)
    said: list[str] = []
    others: list[Other] = []
    paths, masks, their_keys = (run.paths(name) for name in _FILES)
    if not paths:
        return Together(explained, 1, links, (), (), scale)
    field = linking_field(run)
    table = known.points.table
    ours = labels(table.columns[field[0]]) if field else _originals(key, known.ids)
    for number, path in enumerate(paths):
        step = part(run.step("further"), number / len(paths), (number + 1) / len(paths))
        source = sources.opened(path, run.context)
        mask, fields = pointmask.read(masks[number]), source.fields()
        has_id = fields.lookupField(keys.RELEASED) >= 0
        wanted = [keys.RELEASED] if has_id else []
        wanted += [_spelt(fields, field[0])] if field else []
        released = run.points(source, part(step, 0.0, 0.1), list(dict.fromkeys(wanted)), least=1)
        refuse_other_system(mask, released)
        plane = plane_at(planes.wkt(released.crs), mask.centre)
        own: Any = _OfOne(run, step)
        if run.has(second_places.PLACES):
            own = second_places.OfSecondPlaces(own)
        listed = listing.read(own, mask, released, plane)
        used = {one.parameter: one.sha256 for one in mask.layers}
        points = Points(released, plane, plane.forward(released.xy, run.outputs.ask), None)
        listed_points = Points(listed.table.taken(listed.rows), plane, listed.candidates, None)
        same = listed.is_of(used.get("CANDIDATES"))
        ids = released.columns[keys.RELEASED][:] if has_id else released.ids.tolist()
        other = explain(Known(mask, points, listed_points, same, listed, None, ids, own))
        if field:
            theirs = labels(released.columns[wanted[-1]])
        else:
            its = keys.read_key(sources.opened(their_keys[number], run.context), run.outputs.ask)
            theirs = _originals(its, ids)
        own_points = places(table.xy).of_point.tolist()
        link = linked_by(ours, theirs, own_points, places(released.xy).of_point.tolist())
        linked, unclear = int((link >= 0).sum()), int((link == -2).sum())
        link = np.maximum(link, -1)
        if unclear:
            raise InputError(
                mark(
                    "{records} an id that others at other points have, too, here or in “{path}”: "
                    "nobody can tell which is which, and the attack would find less than who tries "
                    "all. Take one record of each person, or another field (LINKED_BY)."
                ),
                records=number_of(unclear, "record has", "records have"),
                path=path,
            )
        if not linked:
            raise InputError(
                mark(
                    "No record of the further release “{path}” is linked to one of the first. "
                    "Choose the field with the same ids in both (LINKED_BY), or their own keys."
                ),
                path=path,
            )
        kept = _same_draw(known, mask, points, link)
        link[kept] = -1
        links += link >= 0
        said.append(
            tr(
                "{records} linked to “{path}”; {kept} the same draw, which tells nothing new."
            ).format(
                records=number_of(linked, "record is", "records are"),
                path=path,
                kept=number_of(int(kept.sum()), "of them is", "of them are"),
            )
        )
        if linked < count:
            alone = number_of(count - linked, "record has", "records have")
            said.append(
                tr("{records} no id of “{path}”, which tells nothing of them.").format(
                    records=alone, path=path
                )
            )
        if run.has(second_places.PLACES):
            people = second_places.People.of(known.listed, listed)
            said.append(people.sentence())
            row, at, told = people.row, people.second, people.told
            weight = people.weight
        else:
            row, at, told = np.arange(len(listed.own)), listed.of_row, _ours(known, listed)
            weight = known.listed.own
        others.append(Other(other.moves, listed.candidates, link >= 0, row, at, weight, told))
        theirs_of_ours = told(other.likelihood)
        scale += log_scale(explained.likelihood, theirs_of_ours, link)
        explained = _multiplied(explained, other, theirs_of_ours, link, told)
    return Together(explained, 1 + len(paths), links, tuple(said), tuple(others), scale)


def _ours(known: Known, listed: listing.Listed) -> Callable[[Likelihood], Likelihood]:
    """What a likelihood is in the numbers of the first release's candidates."""
    number = np.empty(len(listed.candidates), dtype=np.int64)
    number[listed.of_row] = known.listed.of_row
    return partial(renumbered, candidate=number, candidates=len(known.candidates.xy))


def _multiplied(
    explained: Explained,
    other: Explained,
    likelihood: Likelihood,
    link: np.ndarray,
    told: Callable[[Likelihood], Likelihood],
) -> Explained:
    """Both together; the candidates of the other in the numbers of the first."""
    record = None
    if explained.record is not None or other.record is not None:
        of_other = likelihood if other.record is None else told(other.record)
        first = explained.likelihood if explained.record is None else explained.record
        record = combined(first, of_other, link)
    return replace(
        explained,
        likelihood=combined(explained.likelihood, likelihood, link),
        record=record,
        not_run=tuple(dict.fromkeys((*explained.not_run, *other.not_run))),
    )


def _same_draw(known: Known, mask, points: Points, link: np.ndarray) -> np.ndarray:
    """Linked records that one secret has put at one point, (n,) bool."""
    same = np.zeros(len(link), dtype=bool)
    if not mask.secret_id or mask.secret_id != known.mask.secret_id:
        return same
    rows = np.flatnonzero(link >= 0)
    xy = points.table.xy[link[rows]]
    there = transform(xy, points.table.crs, known.points.table.crs, known.run.context)
    there = known.points.plane.forward(there)
    away = np.hypot(*(there - known.points.xy[rows]).T) * known.points.plane.metres_per_unit
    same[rows] = away <= 10 * PROJECTION_ERROR_M
    return same


def _originals(key: keys.Key | None, ids: list) -> list[str | None]:
    assert key is not None  # asked for by check
    names = column_of("", ids).texts(NULL_TEXT)
    return [key.original.get(one) for one in names]


def _spelt(fields, name: str) -> str:
    at = fields.lookupField(name)
    if at < 0:
        raise InputError(
            mark("A release has no field “{field}” (LINKED_BY). All of them must have it."),
            field=name,
        )
    return fields.at(at).name()
