# SPDX-License-Identifier: GPL-2.0-or-later
"""People who are known to be in the file (MEMBERS): of whom the second adversary asks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from qgis.core import QgsProcessingFeatureSource, QgsWkbTypes

from ....core.attacks.masks.likelihood import Likelihood
from ....core.runtime.errors import InputError
from ....core.runtime.progress import part
from ...i18n import mark, tr
from ...layers import keys
from ...layers.reading import Table, read_table
from ...running import Given, Run
from .. import matching
from ..masks.masked import Points
from .adversaries import PLACE, RECORD
from .attacked import Members
from .homes import homes_at

_NOBODY = mark(
    "Nobody of “{name}” (MEMBERS) is in the file {why}. Choose a layer of people who are."
)
#: Of the people whose ids are in the key, the share that must live where it says.
_SAME_PEOPLE = 0.5


def check(given: Given) -> str | None:
    """Say what does not go together of members."""
    who, there = given.choice("ADVERSARY"), given.has("MEMBERS")
    if who == RECORD and not (given.has("KEY") or given.has("ORIGINALS") or there):
        return tr(
            "ADVERSARY=which_record needs the key (KEY, or ORIGINALS) or people who are known to be in the file "
            "(MEMBERS): they say where those live whom he knows. Give one, or choose another "
            "adversary."
        )
    if there and who == PLACE:
        return tr(
            "MEMBERS are the people whose records the second adversary looks for, who is left out "
            "by ADVERSARY=whose_place. Choose another adversary, or leave MEMBERS empty."
        )
    if there and given.same_layer("MEMBERS", "INPUT"):
        return tr(
            "MEMBERS is the released layer itself, whose points are not where people live. Choose "
            "a layer with their homes, or a table with their ids."
        )
    if there and given.same_layer("MEMBERS", "CANDIDATES"):
        return tr(
            "MEMBERS is the address list: nobody knows of everybody on it that they are in the "
            "file. Choose a layer of people who are."
        )
    return None


def read(
    run: Run, key: keys.Key | None, ids: list, points: Points, candidates: np.ndarray, home
) -> Members | None:
    """Read MEMBERS; None where they are not given.

    Parameters
    ----------
    run : Run
    key : Key or None
    ids : list
        Of the released records.
    points : Points
        The released ones.
    candidates : (m, 2) array
        In the plane.
    home : (n,) int array or None
        The candidate of each released record, by the key.

    Raises
    ------
    InputError
        If nothing tells who they are, or where they live, or none is in the file.
    """
    source = run.source("MEMBERS")
    if source is None:
        return None
    placed = source.wkbType() != QgsWkbTypes.Type.NoGeometry
    shared = matching.shared_field(key, source.fields())
    step = run.step("members")
    table = read_table(source, part(step, 0.0, 0.5), [shared] if shared else [], placed)
    if not len(table):
        raise InputError(
            mark("“{name}” (MEMBERS) is empty. Leave it empty to ask for everybody by the key."),
            name=source.sourceName(),
        )
    live = np.full(len(table), -1, dtype=np.int64)
    there = np.flatnonzero(np.isfinite(table.xy).all(axis=1)) if placed else np.empty(0, np.int64)
    if len(there):
        live[there] = homes_at(table.xy[there], source.sourceCrs(), points, candidates, run)
    if key is not None and home is not None:
        return _by_key(run, key, ids, source, table, home, live, part(step, 0.5, 1.0))
    if not placed:
        raise InputError(
            mark(
                "“{name}” (MEMBERS) has no places, so that nothing tells where its people live. "
                "Give the key (KEY) with it, or a layer of points."
            ),
            name=source.sourceName(),
        )
    known = np.flatnonzero(live >= 0)
    if not len(known):
        raise InputError(
            mark(
                "Nobody of “{name}” (MEMBERS) lives at an address of the list. Check "
                "the reference systems, or let them miss it by some metres (WITHIN)."
            ),
            name=source.sourceName(),
        )
    return Members(
        source.sourceName(), table.ids[known], live[known], None, 0, len(table) - len(known)
    )


def who_may_be_in(members: Members, likelihood: Likelihood) -> Members:
    """Leave out whose no released point can be, where no key says who is in the file.

    Raises
    ------
    InputError
        If nobody is left.
    """
    if members.record is not None:
        return members
    possible = np.zeros(likelihood.candidates, dtype=bool)
    possible[likelihood.candidate] = True
    stay = possible[members.home]
    if not stay.any():
        raise InputError(
            _NOBODY, name=members.name, why=tr("as no released point can be theirs by this mask")
        )
    absent = members.absent + int((~stay).sum())
    return replace(members, ids=members.ids[stay], home=members.home[stay], absent=absent)


def _by_key(
    run: Run,
    key: keys.Key,
    ids: list,
    source: QgsProcessingFeatureSource,
    table: Table,
    home: np.ndarray,
    live: np.ndarray,
    progress,
) -> Members:
    """Those whose records the key names, at the homes that it has; `live` is where they are drawn."""
    feature_ids = table.ids.tolist()
    other = matching.Other(source, feature_ids, table.xy, source.sourceCrs(), table.columns)
    found = matching.match(key, ids, other, run.context, progress)
    if found.way == matching.GUESSED:
        raise InputError(
            mark(
                "Nothing tells who of “{name}” (MEMBERS) is who in the key: it has neither places "
                "nor the field that the key's ids are from. Give it one of them."
            ),
            name=source.sourceName(),
        )
    record = np.full(len(table), -1, dtype=np.int64)
    there = np.flatnonzero(found.rows >= 0)
    record[found.rows[there]] = there
    if not len(there):
        raise InputError(_NOBODY, name=source.sourceName(), why=tr("by the key"))
    within = np.flatnonzero(record >= 0)
    known = within[home[record[within]] >= 0]
    placed = np.zeros(0, dtype=bool) if table.xy is None else np.isfinite(table.xy).all(axis=1)
    drawn = known[placed[known]] if len(placed) else known[:0]
    agree = int((live[drawn] == home[record[drawn]]).sum())
    if found.way == matching.ID and agree < _SAME_PEOPLE * len(drawn):
        # Features are numbered from 1 in every layer: the same numbers, but other people.
        raise InputError(
            mark(
                "The ids of “{name}” (MEMBERS) are those of other people: of {both:,} that are in the "
                "key too, {agree:,} live where the key says. Choose a layer of people who are in the "
                "file, or let them miss their addresses by some metres (WITHIN)."
            ),
            name=source.sourceName(),
            both=len(drawn),
            agree=agree,
        )
    return Members(
        source.sourceName(),
        table.ids[known],
        home[record[known]],
        record[known],
        len(table) - len(within),
        len(within) - len(known),
        (found.sentence, *found.warnings),
    )
