# SPDX-License-Identifier: GPL-2.0-or-later
"""How an exchange in cells or groups explains a point."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from ....core.attacks.masks import cell_units, grouped
from ....core.attacks.masks.known_groups import closer
from ....core.attacks.masks.likelihood import Likelihood
from ....core.attacks.masks.played_cells import played_units
from ....core.attacks.masks.played_groups import play_groups
from ....core.masking import secretfile
from ....core.masking.address_cells import address_cells
from ....core.masking.kept_groups import KeptGroups
from ....core.masking.partners import partner_graph
from ....core.runtime.errors import InputError
from ....core.runtime.progress import part
from ...i18n import mark, tr
from ..masks.address_inputs import CELLS
from ..masks.kept_groups import Together
from .known import Explained, Known
from .released_at import ReleasedAt, by_partners

_OTHER_SECRET = mark(
    "The secret file is of another release than the mask file. Choose the one that was written with "
    "it, or leave SECRET_FILE empty."
)


@dataclass(frozen=True)
class _Groups:
    """The groups of a release, as the secret file keeps them.

    Attributes
    ----------
    of_point : (n,) int array
        Group of each released point, below zero for none.
    of_home : (m,) int array
        Group of those who live at each address, below zero for none.
    places : (q,) int array
        Rows of the addresses with records of the release, for each place of the file.
    group : (q,) int array
        Theirs.
    """

    of_point: np.ndarray
    of_home: np.ndarray
    places: np.ndarray
    group: np.ndarray


def explain(known: Known, at: ReleasedAt) -> Explained:
    """Weigh what the records of a group, or of joined cells, may be."""
    told, weight = known.told, known.listed.weight
    first, of_point = known.places_of_the_file()
    at = at.of_points(first)
    groups = _known_groups(known, at, first)
    explain_them = _in_cells if told.choice("METHOD") == CELLS else _in_groups
    likelihood = explain_them(known, at, groups)
    if groups is None:
        return Explained(
            likelihood.taken(of_point),
            settled=True,
            not_run=(
                tr(
                    "Who knows which records are in one group, or which cells were joined: give "
                    "the secret file (SECRET_FILE) to try him. He is the stronger one."
                ),
            ),
        )
    record = grouped.of_groups(groups.of_point, groups.of_home, len(known.candidates.xy), weight)
    return Explained(likelihood.taken(of_point), settled=True, record=record.taken(of_point))


def _in_groups(known: Known, at: ReleasedAt, groups: _Groups | None) -> Likelihood:
    told, weight, step = known.told, known.listed.weight, known.run.step("attack")
    xy = known.candidates.xy
    graph = partner_graph(xy, told.number("K"), progress=part(step, 0.0, 0.3))
    pairs, least = by_partners(at, graph), told.number("K_RECORDS")
    if groups is None:
        return play_groups(pairs, xy, least, weight, part(step, 0.3, 1.0))
    shares = grouped.shares_of(pairs, weight, part(step, 0.3, 0.4))
    near = closer(shares, xy, groups.of_point, least, weight, part(step, 0.4, 1.0))
    return grouped.mixed(near, [(1.0, groups.of_point)])


def _in_cells(known: Known, at: ReleasedAt, groups: _Groups | None) -> Likelihood:
    told, weight, step = known.told, known.listed.weight, known.run.step("attack")
    cells = address_cells(known.candidates.xy, told.number("K"), part(step, 0.0, 0.4))
    if groups is not None:
        of_place = cells.cell[groups.places]
        return cell_units.in_units(groups.of_point, groups.group, of_place, cells, weight)
    # Of a crossing, each address for which it is the nearest may be the one.
    chance = 1.0 / np.bincount(at.point, minlength=at.count)[at.point]
    some = cells.cell[at.address[np.unique(at.point, return_index=True)[1]]]
    least, playing = told.number("K_RECORDS"), part(step, 0.4, 1.0)
    partitions = played_units(cells, some, least, weight, playing)
    cell = cells.cell[at.address]
    return cell_units.by_units(at.count, at.point, cell, chance, partitions, cells, weight)


def _known_groups(known: Known, at: ReleasedAt, first: np.ndarray) -> _Groups | None:
    """The groups of the secret file; None where none is given."""
    path = known.run.path("SECRET_FILE")
    if not path:
        return None
    secret, listed = secretfile.read(path), known.listed
    method = known.told.choice("METHOD")
    kept = None
    if secret.id == known.mask.secret_id:
        kept = Together.read(secret, method).groups
    if kept is None:
        raise InputError(_OTHER_SECRET)
    kept = kept.on_list(listed.candidates)
    home = None if known.home is None else known.home[first]
    slot = _slots(kept, at, home, len(listed.candidates))
    here = slot[slot >= 0]
    if 2 * len(here) < at.count:
        raise InputError(_OTHER_SECRET)
    of_home = np.full(len(listed.candidates), -1, dtype=np.int64)
    of_home[kept.place[here]] = kept.group[here]
    of_point = np.where(slot >= 0, kept.group[slot], -1)
    return _Groups(of_point, of_home, kept.place[here], kept.group[here])


def _slots(kept: KeptGroups, at: ReleasedAt, home: np.ndarray | None, addresses: int) -> np.ndarray:
    """Which of the kept places each point is of, (n,); -1 for none.

    By the key where there is one. Else places that were released at one address are dealt out to
    the points there: which of them is which makes no difference to who knows the groups alone.
    """
    slot = np.full(at.count, -1, dtype=np.int64)
    used = kept.place >= addresses  # whose address the list has no more
    if home is not None and len(kept.place):
        row = np.minimum(np.searchsorted(kept.place, home), len(kept.place) - 1)
        slot = np.where((home >= 0) & (kept.place[row] == home), row, -1)
        used[slot[slot >= 0]] = True
    free = defaultdict(list)
    for row in np.flatnonzero(~used)[::-1].tolist():
        free[int(kept.released[row])].append(row)
    for point, address in zip(at.point.tolist(), at.address.tolist()):
        if slot[point] < 0 and free[address]:
            slot[point] = free[address].pop()
    return slot
