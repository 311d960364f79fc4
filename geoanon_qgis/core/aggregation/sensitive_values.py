# SPDX-License-Identifier: GPL-2.0-or-later
"""What a class of records that are alike gives away of a sensitive field: l-diversity, t-closeness.

Who knows that a person is in a class need not know which record is hers: what all of the class have
in common is true of her. Records without a value do not hide those that have one, and are left out.

References
----------
Machanavajjhala, Kifer, Gehrke & Venkitasubramaniam (2007), l-diversity: privacy beyond
k-anonymity, ACM Transactions on Knowledge Discovery from Data 1(1), 3: distinct and entropy
l-diversity. Li, Li & Venkatasubramanian (2007), t-closeness: privacy beyond k-anonymity and
l-diversity, ICDE 2007, 106-115: the earth mover's distance, with equal distances between categories
and ordered ones between numbers (section 5).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..verdict import Evidence
from .people import People
from .person_values import least_in_common

#: Name of the attack: whoever looks up the class of a person reads what all of it share.
SENSITIVE = "sensitive_values"


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveValues(Summarised):
    """One sensitive field by classes; arrays of the c classes, in their order.

    Where it is known which records are of one person, people are counted, and not records.

    Attributes
    ----------
    name : str
    records : (c,) int64 array
        All of the class, with and without a value.
    present : (c,) int64 array
        Those that have a value.
    distinct : (c,) int64 array
        Different values: l of distinct l-diversity. 0 where nobody has one. Of people the fewest
        of which everybody has one: see :mod:`.person_values`.
    most : (c,) int64 array
        Records with the most frequent value; of people those who have it, maybe among others.
    effective : (c,) float array
        2 to the entropy of the values: l of entropy l-diversity, never above ``distinct``. Who has
        several counts as a part of each.
    distance : (c,) float array
        Earth mover's distance of the values from those of the whole table, 0 to 1: t of
        t-closeness. NaN where nobody has one.
    ordered : bool
        Whether values are numbers or dates, of which near ones count as near.
    commonest : float
        Share of the most frequent value among all that are present.
    """

    name: str
    records: np.ndarray
    present: np.ndarray
    distinct: np.ndarray
    most: np.ndarray
    effective: np.ndarray
    distance: np.ndarray
    ordered: bool
    commonest: float

    @property
    def filled(self) -> np.ndarray:
        """Which classes have a record with a value, (c,) bool."""
        return self.present > 0

    @property
    def least_distinct(self) -> int:
        """l of the whole table (distinct): that of its worst class; 0 without values."""
        return int(self.distinct[self.filled].min(initial=int(self.distinct.max(initial=0))))

    @property
    def least_effective(self) -> float:
        """l of the whole table (entropy): that of its worst class; NaN without values."""
        return float(self.effective[self.filled].min()) if self.filled.any() else float("nan")

    @property
    def farthest(self) -> float:
        """t of the whole table: the distance of its worst class; NaN without values."""
        return float(self.distance[self.filled].max()) if self.filled.any() else float("nan")

    @property
    def shared(self) -> int:
        """Records with a value that all of their class have."""
        return int(self.present[self.distinct == 1].sum())

    @property
    def guessed(self) -> float:
        """Share that is right of those who guess the most frequent value of the class."""
        total = int(self.present.sum())
        return float(self.most.sum()) / total if total else float("nan")

    def breaking(self, least: int, farthest: float | None = None) -> np.ndarray:
        """Classes of fewer than ``least`` values, or farther from the whole, (c,) bool."""
        found = self.filled & (self.distinct < least)
        if farthest is not None:
            # The last digit of a sum of shares must not break a rule.
            found |= self.filled & (self.distance > farthest + 1e-12)
        return found

    def in_words(self) -> str:
        """Say the three figures, and how many share their value with all of their class."""
        return (
            f"{self.name}: at least {self.least_distinct:,} different values in a class (entropy"
            f" l {self.least_effective:.2f}), at most {self.farthest:.3f} from the whole table (t)."
            f"\n{self.shared:,} of {int(self.present.sum()):,} records have the value that all of"
            f" their class have; the most frequent value of the class is right for"
            f" {self.guessed:.1%} (of the table: {self.commonest:.1%})."
        )


def evidence_of(
    fields: Sequence[SensitiveValues], least: int, farthest: float | None = None
) -> Evidence:
    """Hold the classes against what the custodian asks for, by all sensitive fields together.

    Parameters
    ----------
    fields : sequence of SensitiveValues
        Of the same classes, one at the least.
    least : int
        The fewest different values of a class (l); 1 asks for nothing.
    farthest : float, optional
        The largest distance from the whole table (t).

    Returns
    -------
    Evidence
        ``found`` are the records in classes that break a rule by some field: of these the
        adversary learns more than he may. All records were counted, so that there is no interval;
        the release fails with the first of them, as it does by k.
    """
    broken = np.any([one.breaking(least, farthest) for one in fields], axis=0)
    records = fields[0].records
    people, found = int(records.sum()), int(records[broken].sum())
    share = found / people if people else 0.0
    return Evidence(SENSITIVE, people, float(found), share, share, False, failed=found > 0)


def ranks(values: Sequence[Any], ordered: bool) -> np.ndarray:
    """Return the codes of values, by which they are told apart.

    Texts that differ only in case and blanks say the same: “HIV” and “hiv ” hide nobody.

    Parameters
    ----------
    values : sequence
        Each different value once; None, NaN and blanks where there is none.
    ordered : bool
        Whether they are numbers or dates, in whose order the codes are.

    Returns
    -------
    (m,) int array
        At least one; -1 for what is none.
    """
    told = [" ".join(one.casefold().split()) if isinstance(one, str) else one for one in values]
    there = [at for at, one in enumerate(told) if one is not None and one == one and one != ""]
    if ordered:
        there.sort(key=lambda at: told[at])
    found = np.full(max(1, len(told)), -1)
    known: dict[Any, int] = {}
    for at in there:
        found[at] = known.setdefault(told[at], len(known))
    return found


def sensitive_values(
    name: str,
    of_record: np.ndarray,
    codes: np.ndarray,
    classes: int,
    ordered: bool = False,
    progress: Progress = silent,
    person: np.ndarray | None = None,
) -> SensitiveValues:
    """Look at one field in each class.

    Parameters
    ----------
    name : str
    of_record : (n,) int array
        Class of each record, from 0; -1 for records that are in none and count nowhere.
    codes : (n,) int array
        Value of each record, from 0; in the order of the values where these are ordered. -1 where
        there is none.
    classes : int
        How many there are.
    ordered : bool
        Whether near codes are near values.
    progress : callable
    person : (n,) int array, optional
        Whose each record is, from 0.

    Returns
    -------
    SensitiveValues

    Raises
    ------
    InputError
        If the two columns differ in length, or nobody has a value.
    """
    of_record, codes = np.asarray(of_record), np.asarray(codes)
    if of_record.shape != codes.shape or of_record.ndim != 1:
        raise InputError("The columns of the records are not of the same length.")
    inside = of_record >= 0
    if person is None:
        records = np.bincount(of_record[inside], minlength=classes).astype(np.int64)
    else:
        records = np.bincount(
            People.of(of_record[inside], person[inside]).of_class, minlength=classes
        )
    there = (of_record >= 0) & (codes >= 0)
    if not there.any():
        raise InputError("“{name}” has no value in any record that is in a class.", name=name)
    value, width = _without_gaps(codes[there])
    progress(0.2)
    cell = of_record[there].astype(np.int64) * width + value
    if person is None:
        pair, count = np.unique(cell, return_counts=True)
        having, least = count, np.bincount(pair // width, minlength=classes)
    else:
        pair, having, count, least = _of_people(cell, width, person[there], classes, progress)
    progress(0.6)
    kind, value = np.divmod(pair, width)
    present = np.bincount(kind, weights=count, minlength=classes)
    share = count / present[kind]
    entropy = np.bincount(kind, weights=-share * np.log2(share), minlength=classes)
    most = np.zeros(classes, dtype=np.int64)
    np.maximum.at(most, kind, having)
    whole = np.bincount(value, weights=count, minlength=width) / count.sum()
    mover = _ordered if ordered else _equal
    distance = mover(kind, value, share, whole, classes, part(progress, 0.6, 1.0))
    distance[present == 0] = np.nan
    return SensitiveValues(
        name,
        records,
        np.rint(present).astype(np.int64),
        least.astype(np.int64),
        most,
        2.0**entropy if person is None else np.minimum(2.0**entropy, np.maximum(least, 1)),
        distance,
        ordered,
        float(np.bincount(value, weights=having).max() / count.sum()),
    )


def _of_people(
    cell: np.ndarray, width: int, person: np.ndarray, classes: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Values that occur in each class, who has them, their share of those, and the fewest that do."""
    order = np.lexsort((cell % width, person, cell // width))
    cell, person = cell[order], person[order]
    new = np.append(True, (np.diff(cell) != 0) | (np.diff(person) != 0))
    cell, person = cell[new], person[new]
    kind = cell // width
    first = np.append(True, (np.diff(kind) != 0) | (np.diff(person) != 0))
    whose = np.cumsum(first) - 1
    pair, at = np.unique(cell, return_inverse=True)
    at = at.reshape(-1)
    count = np.bincount(at, weights=1.0 / np.bincount(whose)[whose])
    least = least_in_common(kind, person, cell % width, classes, part(progress, 0.2, 0.6))
    return pair, np.bincount(at), count, least


def _without_gaps(codes: np.ndarray) -> tuple[np.ndarray, int]:
    """Codes of the values that occur, in their order, and how many there are."""
    occur = np.bincount(codes) > 0
    number = np.cumsum(occur) - 1
    return number[codes], int(occur.sum())


def _equal(kind, value, share, whole, classes: int, progress: Progress) -> np.ndarray:
    """Half the sum of differences: what a class has too much of, all of it at a distance of 1."""
    over = np.maximum(share - whole[value], 0.0)
    progress(1.0)
    return np.bincount(kind, weights=over, minlength=classes)


def _ordered(kind, value, share, whole, classes: int, progress: Progress) -> np.ndarray:
    """Mean difference of the cumulative shares over the steps between values in order.

    A class has few of the m values. Between two of them its cumulative share stays, and the
    table's only rises, so that the differences before and after the crossing are two sums of a
    running total: no array of classes by values is ever held.
    """
    width = len(whole)
    if width == 1:
        return np.zeros(classes)
    table = np.cumsum(whole)
    running = np.concatenate([[0.0], np.cumsum(table)])
    first = np.concatenate([[True], kind[1:] != kind[:-1]])
    level = np.cumsum(share)
    starts = np.flatnonzero(first)
    before = np.repeat(level[starts] - share[starts], np.diff(np.append(starts, len(kind))))
    level = level - before
    stop = np.append(value[1:], width)
    stop[np.append(starts[1:], len(kind)) - 1] = width
    progress(0.3)

    def gaps(level: np.ndarray, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """Sum of |level - table| over values from ``start`` to before ``stop``."""
        cross = np.clip(np.searchsorted(table, level), start, stop)
        below = level * (cross - start) - (running[cross] - running[start])
        return below + (running[stop] - running[cross]) - level * (stop - cross)

    total = np.bincount(kind, weights=gaps(level, value, stop), minlength=classes)
    total[kind[starts]] += running[value[starts]]  # before its first value a class has nothing
    progress(1.0)
    return np.maximum(total, 0.0) / (width - 1)
