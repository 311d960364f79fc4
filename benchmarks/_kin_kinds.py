# SPDX-License-Identifier: GPL-2.0-or-later
"""Files where people of one label live next door: what the near group's confidence learns of strangers.

Places of nine kinds of ``_near_kinds.py``. A tenth to six tenths of the people live two to eighty metres
from somebody of their label: with anybody (``attached``, so that families are of all sizes), two by two
(``couples``, of whom seven in ten share the label), or in one of some homes (``dormitories``, where eight in
ten do); in a tenth of the draws nobody does.
"""

from __future__ import annotations

import _germans
import _near_files as near_files
import _near_kinds as near_kinds
import numpy as np

KINDS = (
    "germans",
    "towns",
    "grid",
    "coast",
    "metropolis",
    "villages",
    "Ontario",
    "Quebec",
    "roads",
)
_COUNTS = ((500, 500, 50), (400, 600, 80), (300, 300, 30), (450, 450, 150), (600, 300, 60))
_WAYS, _OFTEN = ("attached", "couples", "dormitories", "nobody"), (0.5, 0.25, 0.15, 0.1)
_SETS = ((20, 30), (10, 30), (20, 15), (40, 30), (30, 20))
#: Metres to a degree of latitude, and how much shorter one of longitude is in Germany.
_DEGREE, _SHORTER = 111_000.0, 0.63


def kin(seed: int) -> near_kinds.Case:
    """Draw files of one kind after the other, embedded."""
    rng = np.random.default_rng([seed, 4242])
    kind = KINDS[seed % len(KINDS)]
    where = near_kinds.where_of(kind, rng)
    count = _COUNTS[rng.integers(len(_COUNTS))]
    total = count[0] + count[1] - count[2]
    points = where.addresses(total, rng).astype(float)
    people = _germans.people(total, rng)
    way = _WAYS[int(rng.choice(len(_WAYS), p=_OFTEN))]
    off, share = float(np.exp(rng.uniform(np.log(2), np.log(80)))), float(rng.uniform(0.1, 0.6))
    unit = 1.0 if where.metric.name == "planar" else _DEGREE * np.array([_SHORTER, 1.0])
    for one, other, alike in _pairs(way, share, total, rng):
        points[one] = points[other] + rng.normal(0, off, 2) / unit
        if rng.random() < alike:
            people[one] = people[other]
    order = rng.permutation(total)
    points, people = points[order], [people[at] for at in order]
    files = near_files.dealt(where, points, people, count, rng)
    size = _SETS[rng.integers(len(_SETS))]
    rule = near_kinds.LipschitzEmbedding(*size, where.area, 0.9, 300)
    return near_kinds.Case(f"{way}, {kind}", files, rule)


def _pairs(way: str, share: float, total: int, rng: np.random.Generator):
    """Who moves to whom, and how probable it is that they share a label."""
    if way == "nobody":
        return
    if way == "couples":
        for one, other in rng.permutation(total)[: int(share * total) // 2 * 2].reshape(-1, 2):
            yield one, other, 0.7
        return
    homes = rng.integers(0, total, int(rng.integers(5, 25)))
    dormitories = way == "dormitories"
    for one in np.flatnonzero(rng.random(total) < (share / 2 if dormitories else share)):
        to = homes[rng.integers(len(homes))] if dormitories else rng.integers(total)
        if to != one:
            yield one, to, 0.8 if dormitories else 1.0
