# SPDX-License-Identifier: GPL-2.0-or-later
"""All records of a person together: what was changed in each of them by itself averages out.

Whoever knows several visits of a person guesses by each of them, and takes the mean of what the
nearest records tell, or what most of them say. That counts where it is the same in all of her records:
her height, her sex. In the same way her records are near to the release together, or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime.wording import Sentence
from ..people import People
from ..variables import Variable
from .knowledge import Knowledge
from .membership import named_by
from .scoring import INFERENCE, Attack
from .table import Tables, agree, answers, is_number

#: Share of the people with several records who have one value in all of them, from which on a field
#: is the same for a person.
_CONSTANT = 0.9
#: Distances below are none.
_NOTHING = 1e-9


@dataclass(frozen=True)
class Looked:
    """Records that people's records are told by.

    Attributes
    ----------
    rows : (q,) int array
        Records of people, in the table of ``whose``.
    kinds : (q,) int array
        The kind of record that each is told by.
    pool_kinds : (p,) int array
    whose : People or None
        None where each row is of somebody else.
    has_own : bool
        Whether the pool are these people's records themselves, of which their own do not count.
    """

    rows: np.ndarray
    kinds: np.ndarray
    pool_kinds: np.ndarray
    whose: People | None
    has_own: bool = False

    @property
    def persons(self) -> np.ndarray:
        """Who each row is of, numbered anew."""
        of = self.rows if self.whose is None else self.whose.of[self.rows]
        return np.unique(of, return_inverse=True)[1].reshape(-1)


def is_constant(variable: Variable, tables: Tables) -> bool:
    """Tell whether a field is the same in all records of a person, of which several are known."""
    whose = tables.whose
    if whose is None or tables.records_known == 1:
        return False
    values = np.nan_to_num(answers(variable, tables.original), nan=np.inf)
    low, high = np.full(whose.count, np.inf), np.full(whose.count, -np.inf)
    np.minimum.at(low, whose.of, values)
    np.maximum.at(high, whose.of, values)
    several = whose.each > 1
    return bool(several.any()) and float((low == high)[several].mean()) >= _CONSTANT


def averaged(
    tables: Tables,
    variable: Variable,
    knowledge: Knowledge,
    mine: Looked,
    theirs: Looked,
    pools: tuple[np.ndarray, np.ndarray],
    asked: tuple[np.ndarray, np.ndarray],
) -> Attack:
    """Guess what is the same in all records of a person by all of these together.

    Parameters
    ----------
    tables : Tables
    variable : Variable
    knowledge : Knowledge
    mine, theirs : Looked
        Of people of the file, and of the control.
    pools : ((p,) array, (r,) array)
        What the records say that they are told by.
    asked : ((q,) array, (s,) array)
        The truth.
    """
    tolerance = tables.tolerance(variable)
    right = [
        _right(variable, looked, pool, truth, tolerance)
        for looked, pool, truth in zip((mine, theirs), pools, asked)
    ]
    persons = mine.persons
    rows = mine.rows[np.unique(persons, return_index=True)[1]]
    any_of = np.random.default_rng(0).integers(len(pools[0]), size=len(asked[0]))
    blind = agree(pools[0][any_of], asked[0], tolerance)
    return Attack(
        INFERENCE,
        Sentence("{known} in each of a person's records", known=knowledge.title),
        Sentence("guesses {field} by all of them together", field=variable.name),
        tables.count,
        len(right[0]),
        float(right[0].sum()),
        len(right[1]),
        float(right[1].sum()),
        float(blind.mean()),
        rows=rows[right[0]],
        names=(knowledge.known, (variable.name,)),
    )


def _right(
    variable: Variable, looked: Looked, pool: np.ndarray, truth: np.ndarray, tolerance: float
) -> np.ndarray:
    """Whether each person is guessed right."""
    there, code = np.unique(pool, return_inverse=True)
    number = is_number(variable)
    # A number by its mean; a category, or that a number is missing, by what most say.
    columns = np.stack([~np.isnan(pool), np.nan_to_num(pool)]) if number else (
        np.eye(len(there))[code.reshape(-1)].T
    )  # fmt: skip
    persons = looked.persons
    count = np.bincount(looked.pool_kinds).astype(float)
    each, sums = count[looked.kinds], []
    which = rows = np.zeros(0, dtype=np.intp)
    if looked.has_own and looked.whose is not None:
        which, rows = looked.whose.pairs(looked.whose.of[looked.rows])
        here = looked.pool_kinds[rows] == looked.kinds[which]
        which, rows = which[here], rows[here]
        each = each - np.bincount(which, minlength=len(each))
    for column in columns:
        told = np.bincount(looked.pool_kinds, column)[looked.kinds]
        told = told - np.bincount(which, column[rows], len(each))
        sums.append(np.bincount(persons, told / np.maximum(each, 1.0)))
    first = truth[np.unique(persons, return_index=True)[1]]
    if number:
        with np.errstate(invalid="ignore"):
            guess = np.where(sums[0] > 0, sums[1] / sums[0], np.nan)
        return agree(guess, first, tolerance)
    return there[np.argmax(sums, axis=0)] == first


def membership_of_all(tables: Tables, distance: np.ndarray, control: np.ndarray) -> Attack:
    """Name as members those all of whose records together are near to released ones.

    Parameters
    ----------
    tables : Tables
    distance : (n,) array
        Of the originals from the nearest released record; NaN of those who were not measured.
    control : (n,) or (r,) array
        The same of rows of the control: of originals from those of other people, or of
        :meth:`.table.Tables.control` from the release.
    """
    assert tables.whose is not None
    rows = np.flatnonzero(~np.isnan(distance))
    if tables.reference is None:
        others, of = control[rows], tables.whose.of[rows]
    else:
        known, whose = tables.control(), tables.reference_whose
        others, of = control, known if whose is None else whose.of[known]
    mine, first = _together(distance[rows], tables.whose.of[rows])
    theirs, _ = _together(others, of)
    knows = Sentence("all records of a person")
    return named_by(knows, tables.count, rows[first], mine, theirs)


def _together(away: np.ndarray, of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean of the logarithms of each person's distances, and where her first is."""
    _, first, number = np.unique(of, return_index=True, return_inverse=True)
    number = number.reshape(-1)
    logs = np.bincount(number, np.log(np.maximum(away, _NOTHING)))
    return logs / np.bincount(number), first
