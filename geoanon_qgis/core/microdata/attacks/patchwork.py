# SPDX-License-Identifier: GPL-2.0-or-later
"""Membership by records of which each field is a person's, or anybody's, and which differs by record.

Where every second value of a record was exchanged a distance over all fields says nothing, as those of others
outweigh what is hers; and no field is true more often than another. So each field that fits speaks for a
record by how rare the fit is, and one that does not hardly against it: the odds of Fellegi and Sunter (1969), A theory
for record linkage, *JASA* 64, 1183-1210, with normal noise for numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...runtime.progress import Progress, chunks, part, shares, silent
from ...runtime.wording import Sentence
from ..variables import Variable
from .membership import named_by
from .scores import Scores
from .scoring import Attack
from .table import Tables, answers, is_number, sample

#: Noise of a number, in standard deviations of its normal scores, and the share of the fields that are a person's.
_WAYS = ((0.1, 0.5), (0.25, 0.6))
#: People times records times fields that are compared, and people times records at a time.
_WORK, _AT_ONCE = 200_000_000, 200_000
#: Fewest people who are asked, and of whom more is said than that they are surely found; fewest fields, and
#: values of a number.
_ASKED, _FEWEST, _FIELDS, _VALUES = 100, 1000, 4, 20


def by_patches(
    tables: Tables, known: Sequence[str] = (), progress: Progress = silent
) -> list[Attack]:
    """Name as members those of whom some record has much, whatever its other fields are.

    Parameters
    ----------
    tables : Tables
    known : sequence of str
        What is known of people; everything where nothing is named.

    Returns
    -------
    list of Attack
        One for each noise that is tried. None without a reference, of few fields, or of so many records that too
        few people could be asked.
    """
    some = _known(tables, known)
    if tables.reference is None or len(some) < _FIELDS or is_too_large(tables, known):
        return []
    most = _asked(tables, some)
    rows = [_some(one, most, seed) for one, seed in ((tables.people(), 81), (tables.control(), 82))]
    asked = tables.original[rows[0]], tables.reference[rows[1]]
    fields = [_field(one, (*asked, tables.released)) for one in some]
    found = []
    for way, ahead in zip(_WAYS, shares(progress, len(_WAYS))):
        own, theirs = (
            _misfit(
                [(one.asked[at], one) for one in fields], *way, part(ahead, at / 2, at / 2 + 0.5)
            )
            for at in range(2)
        )
        one, other = tables.one_each(rows[0], own), tables.one_each_of_control(rows[1], theirs)
        knows = Sentence("each field by itself, of which any half may be other people's,")
        made = named_by(knows, tables.count, rows[0][one], own[one], theirs[other])
        found.append(replace(made, of_some=len(one) < min(_FEWEST, tables.count)))
    return found


def is_too_large(tables: Tables, known: Sequence[str] = ()) -> bool:
    """Tell whether too few people could be asked for as many records of fields enough."""
    some = _known(tables, known)
    return len(some) >= _FIELDS and _asked(tables, some) < min(_ASKED, tables.count)


def _known(tables: Tables, known: Sequence[str]) -> list[Variable]:
    return [one for one in tables.known(known) if one.name not in tables.place]


def _asked(tables: Tables, some: Sequence[Variable]) -> int:
    return _WORK // (2 * max(len(some), 1) * len(tables.released))


def _some(rows: np.ndarray, most: int, seed: int) -> np.ndarray:
    return rows[sample(len(rows), most, seed)]


@dataclass(frozen=True)
class _Field:
    """A field of people of file and reference, and of the released records.

    Attributes
    ----------
    asked : sequence of two arrays
        Normal scores of a number, codes of anything else.
    records : array
        The same of the released records.
    rare : array or None
        One over the share of people who have what each record has; None for a number.
    """

    asked: Sequence[np.ndarray]
    records: np.ndarray
    rare: np.ndarray | None


def _field(variable: Variable, matrices: Sequence[np.ndarray]) -> _Field:
    values = [answers(variable, one) for one in matrices]
    scores = Scores.among(np.concatenate(values[:2]))
    if is_number(variable) and len(np.unique(scores.people)) >= _VALUES:
        *asked, records = map(scores.of, values)
        return _Field(asked, records, None)
    codes = np.unique(np.nan_to_num(np.concatenate(values), nan=1e300), return_inverse=True)[1]
    *asked, records = np.split(codes.reshape(-1), np.cumsum([len(one) for one in values])[:-1])
    often = np.bincount(np.concatenate(asked), minlength=codes.max() + 1) + 0.5
    return _Field(asked, records, often.sum() / often[records])


def _misfit(
    fields: Sequence[tuple[np.ndarray, _Field]], noise: float, share: float, progress: Progress
) -> np.ndarray:
    """Minus the logarithm of how much likelier some record is a person's than anybody's, for each who is asked."""
    from scipy.special import logsumexp

    count, records = len(fields[0][0]), len(fields[0][1].records)
    fit = np.empty(count)
    for rows in chunks(count, max(1, _AT_ONCE // records), progress):
        odds = np.zeros((rows.stop - rows.start, records))
        for asked, field in fields:
            mine, theirs = asked[rows, None], field.records
            if field.rare is None:
                likelier = np.exp((theirs**2 - ((mine - theirs) / noise) ** 2) / 2) / noise
                likelier[np.isnan(likelier)] = 1.0  # who lacks it tells nothing
            else:
                likelier = np.where(mine == theirs, field.rare, 0.0)
            odds += np.log(share * likelier + (1 - share))
        fit[rows] = logsumexp(odds, axis=1)
    return -fit
