# SPDX-License-Identifier: GPL-2.0-or-later
"""How location swapping explains a point."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from ....core.attacks.masks.swapping import ClassOfAddress, by_rings
from ....core.masking.swap_rings import Candidates, RingRule, rows_by_class
from ....core.space.planes import PROJECTION_ERROR_M
from ....core.verification.pointmask import fingerprint_of_texts
from ..masks.location_swapping import WIDEN, classes_of
from . import known_attributes
from .known import Explained, Known


def explain(known: Known) -> Explained:
    """Weigh all addresses in whose ring a point lies, by the number of addresses in each."""
    told, listed, metres = known.told, known.listed, known.points.plane.metres_per_unit
    known.need_the_list()
    # As the mask: a list in another system lies a hair beside what it was made from.
    same = PROJECTION_ERROR_M / metres if known.points.table.crs.isValid() else 0.0
    widen = told.choice("IF_EMPTY") == WIDEN
    least, largest = (told.number(name) / metres for name in ("MIN", "MAX"))
    rule = RingRule(least, largest, told.number("K"), widen, same)
    labels = None
    if listed.classes:
        labels = classes_of(listed.table, listed.classes)
        texts = [f"{place} {label}" for place, label in zip(listed.xy.tolist(), labels)]
        known.need_the_classes(fingerprint_of_texts(texts))
    likelihood = by_rings(
        known.released_at(listed.candidates),
        listed.candidates,
        Candidates.of(listed.xy, labels, listed.table.xy),
        rule,
        _classes(known, labels),
        known.run.step("attack"),
        None if labels is None else _possible(known, labels),
    )
    return Explained(likelihood)


def _possible(known: Known, labels: Sequence[tuple]) -> list[frozenset[Hashable] | None]:
    """Classes that each record can have, by the attributes of it that he knows; None for all."""
    table = known.points.table
    ours = {theirs: one for one, theirs in known_attributes.exact(known.run)}
    nothing = [None] * len(table.xy)
    told = [table.columns.get(ours.get(name, "")) for name in known.listed.classes]
    rows = list(zip(*(nothing if one is None else one.narrowed().texts() for one in told)))
    found: dict[tuple, frozenset[Hashable] | None] = {}
    for row in set(rows):
        # What is missing agrees with everything; what the list has not is written in another way.
        good = [
            label
            for label in set(labels)
            if all(part in (None, "", own) for part, own in zip(row, label))
        ]
        found[row] = frozenset(good) or None
    return [found[row] for row in rows]


def _classes(known: Known, labels: list[Hashable] | None) -> dict[Hashable, ClassOfAddress]:
    """Addresses of each class, and how likely a record of the address has it."""
    listed, count = known.listed, len(known.listed.candidates)
    if labels is None:
        return {None: ClassOfAddress(np.arange(count), np.ones(count))}
    # Where nobody lives by the weights, one row is as good as another.
    whole = np.bincount(listed.of_row, listed.own, minlength=count)
    own = np.where(whole[listed.of_row] > 0, listed.own, 1.0)
    whole = np.bincount(listed.of_row, own, minlength=count)
    found = {}
    for label, rows in rows_by_class(labels, len(labels)).items():
        of_class = np.bincount(listed.of_row[rows], own[rows], minlength=count)
        here = np.unique(listed.of_row[rows])
        found[label] = ClassOfAddress(here, of_class[here] / whole[here])
    return found
