# SPDX-License-Identifier: GPL-2.0-or-later
"""Which released record may be whose by what is not compared: ids, other fields, and the order."""

from __future__ import annotations

import numpy as np

from ...core.microdata.attacks.paired import Pairing, half_away
from ...core.runtime.wording import Sentence
from .comparing import Compared, Side
from .correspondence import Correspondence


def of(pair: Compared, ids: Correspondence, person: str = "") -> list[Pairing]:
    """Return what pairs originals and released records; ``person`` is the field with a person's id.

    Fields that both have pair those who are alone with a value in either. Ids that the user named,
    to have his own matches counted, are none of what is released.
    """
    own = {*ids.of_originals(), ids.released}
    made = [
        _by_person(pair, name) if name == person else _by_field(pair, name)
        for name in pair.untried
        if name not in own
    ]
    if len(pair.original.records) == len(pair.anonymized.records):
        rows = np.intersect1d(pair.original.rows, pair.anonymized.rows)
        places = (np.searchsorted(side.rows, rows) for side in (pair.original, pair.anonymized))
        title = Sentence("the row of the file in which a person stands")
        made.append(Pairing(title, *places, _strangers(pair)))
    return made


def _strangers(pair: Compared) -> list[tuple[np.ndarray, np.ndarray]]:
    """People of a reference beside the released records of their rows, as far as either list goes.

    Without one the originals beside the records half a file away.
    """
    others = pair.reference
    if others is None:
        people, records = pair.original.coded, np.arange(len(pair.anonymized.coded))
        both = min(len(people), len(records))
        return [(people[half_away(people)[:both]], records[:both])]
    rows = np.intersect1d(others.rows, pair.anonymized.rows)
    at, records = (np.searchsorted(side.rows, rows) for side in (others, pair.anonymized))
    return [(others.coded[at], records)]


def _by_field(pair: Compared, name: str) -> Pairing:
    people, records = (_alone(side, name) for side in (pair.original, pair.anonymized))
    both = sorted(people.keys() & records.keys(), key=lambda one: (len(one), one))
    return Pairing(
        Sentence("the released field {field}", field=name),
        np.array([people[one] for one in both], dtype=np.intp),
        np.array([records[one] for one in both], dtype=np.intp),
    )


def _by_person(pair: Compared, name: str) -> Pairing:
    """Pair records of a person with those that were released with her id, one by one."""
    people, records = (_of_each(side, name) for side in (pair.original, pair.anonymized))
    both = sorted(people.keys() & records.keys(), key=lambda one: (len(one), one))
    pairs = [found for one in both for found in zip(people[one], records[one])]
    rows = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    return Pairing(Sentence("the released field {field}", field=name), rows[:, 0], rows[:, 1])


def _of_each(side: Side, name: str) -> dict[str, list[int]]:
    """Coded rows by what they have in a field."""
    texts = list(side.records.columns[name].texts())
    found: dict[str, list[int]] = {}
    for at, row in enumerate(side.rows.tolist()):
        if texts[row]:
            found.setdefault(texts[row], []).append(at)
    return found


def _alone(side: Side, name: str) -> dict[str, int]:
    """Coded rows by what they alone have in a field."""
    texts = list(side.records.columns[name].texts())
    found: dict[str, int] = {}
    again = set()
    for at, row in enumerate(side.rows.tolist()):
        text = texts[row]
        if text in found:
            again.add(text)
        if text:
            found[text] = at
    return {text: at for text, at in found.items() if text not in again}
