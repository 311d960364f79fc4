# SPDX-License-Identifier: GPL-2.0-or-later
"""Equivalence classes over quasi-identifiers: who is like whom, and where.

Records are counted once, into a sparse matrix of regions by classes. Everything that follows
(site numbers, site locations, suppression, measures) reads the matrix, not the records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, chunks, interruptible, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from ..verdict import Evidence
from .class_keys import LARGEST_KEY, ClassKeys, declared_categories, refuse_nothing

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Up to as many possible combinations those that occur are found by a table, not by sorting.
_TABLE = 2**26
#: Cells that are added up at a time.
_CELLS = 1 << 22


@dataclass(frozen=True, repr=False)
class EquivalenceClasses(Summarised):
    """Records counted by region and class.

    Attributes
    ----------
    counts : (regions, classes) scipy.sparse.csr_matrix of int32
        Records of each class in each region; indices sorted, no stored zeros. Where it is known
        which records are of one person, people: whoever has several in a class counts once in
        it, in the region of the first.
    codes : (classes, q) int array
        Category of each quasi-identifier that makes up a class, for the classes that occur.
    categories : tuple of int
        Response categories of each quasi-identifier: declared, or those that occur.
    record_region, record_class : (n,) int32 arrays
        Region and class of each record in the order of the input; -1 for a record whose
        region is unknown, which is counted nowhere else. Empty where records were not kept: see
        :class:`.class_cells.CellCounter`.
    of_people : bool
        Whether people are counted, and not records.
    not_kept : int
        Records whose region is unknown, of those that were not kept.
    apart : (m, 3) int array or None
        Class, person and region of the records of whoever has some of one class in several
        regions, and counts in one of them only; None where people are not counted.
    record_person : (n,) int array or None
        Whose each record is, where that is known.
    """

    counts: csr_matrix
    codes: np.ndarray
    categories: tuple[int, ...]
    record_region: np.ndarray
    record_class: np.ndarray
    of_people: bool = False
    not_kept: int = 0
    apart: np.ndarray | None = None
    record_person: np.ndarray | None = None

    @cached_property
    def population(self) -> np.ndarray:
        """Records in each region, (regions,) int64."""
        start = self.counts.indptr
        found = np.zeros(len(start) - 1, dtype=np.int64)
        filled = np.flatnonzero(np.diff(start))
        if len(filled):
            found[filled] = np.add.reduceat(self.counts.data, start[filled], dtype=np.int64)
        return found

    @cached_property
    def sizes(self) -> np.ndarray:
        """Records of each class over all regions, (classes,) int64."""
        total = np.zeros(self.counts.shape[1])
        for some in chunks(self.counts.nnz, _CELLS):  # each takes 16 bytes meanwhile
            indices, data = self.counts.indices[some], self.counts.data[some]
            total += np.bincount(indices, weights=data, minlength=len(total))
        return np.rint(total).astype(np.int64)

    @cached_property
    def records(self) -> int:
        """Records with a known region; people in their classes where those are counted."""
        return int(self.population.sum())

    @property
    def unknown(self) -> int:
        """Records whose region is unknown."""
        return int(np.count_nonzero(self.record_region < 0)) + self.not_kept

    @property
    def max_combs(self) -> int:
        """Number of possible combinations: see :func:`max_combs`."""
        return max_combs(self.categories)

    @property
    def entropy(self) -> float:
        """Entropy of the classes without geography, in bits: see :func:`entropy`."""
        return entropy(self.sizes)

    def evidence(self, k: int) -> Evidence:
        """Whom an adversary finds who looks people up: see :meth:`.Evidence.looked_up`."""
        return Evidence.looked_up(self.sizes, k)

    @property
    def smallest(self) -> int:
        """Records of the smallest class: the k of k-anonymity; 0 without records."""
        return int(self.sizes[self.sizes > 0].min(initial=self.records))

    def in_words(self) -> str:
        """Say how many records share a combination."""
        sizes = self.sizes
        return (
            f"{number_of(self.records, 'record', 'records')} in"
            f" {number_of(int(np.count_nonzero(sizes)), 'class', 'classes')} of"
            f" {self.max_combs:,} possible. Smallest class {self.smallest:,}; unique records"
            f" {int(np.count_nonzero(sizes == 1)):,}, in classes of fewer than 5"
            f" {int(sizes[sizes < 5].sum()):,}."
        )


def max_combs(categories: Sequence[int]) -> int:
    """MaxCombs: product of the numbers of response categories (Croft et al. 2015, eq. 4)."""
    product = 1
    for count in categories:
        product *= int(count)
    return product


def entropy(sizes: np.ndarray) -> float:
    """Entropy of a table by the sizes of its equivalence classes (Croft et al. 2015, eq. 1).

    The paper sums over sizes s, with n_s classes of size s: -sum n_s (s/n) log2(s/n). That is
    the sum over classes that is computed here. The base of the logarithm is open in the
    paper; it is 2.

    Parameters
    ----------
    sizes : (classes,) array
        Records in each class; classes without any are passed over.

    Returns
    -------
    float
        In bits; 0 without records.
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    sizes = sizes[sizes > 0]
    if sizes.size == 0:
        return 0.0
    share = sizes / sizes.sum()
    return float(-(share * np.log2(share)).sum()) + 0.0


def anonymity(counts: csr_matrix) -> np.ndarray:
    """Smallest class that is not empty in each row of a matrix of counts.

    Parameters
    ----------
    counts : (rows, classes) csr_matrix
        Without stored zeros.

    Returns
    -------
    (rows,) int64 array
        0 for a row without records.
    """
    smallest = np.zeros(counts.shape[0], dtype=np.int64)
    filled = np.flatnonzero(np.diff(counts.indptr))
    if len(filled):
        smallest[filled] = np.minimum.reduceat(counts.data, counts.indptr[filled])
    return smallest


class ClassCounter:
    """Counts records into classes, chunk by chunk.

    Four bytes a record are kept for its region and four for its class (eight beyond 2 billion
    combinations), which is also what a release needs afterwards to drop the suppressed ones.

    Parameters
    ----------
    regions : int
        Number of regions.
    quasi_identifiers : int
        Number of quasi-identifiers.

    Raises
    ------
    InputError
        Without regions or quasi-identifiers.
    """

    def __init__(self, regions: int, quasi_identifiers: int):
        self._regions = int(regions)
        self._keys = ClassKeys(regions, quasi_identifiers)
        self._region: list[np.ndarray] = []
        self._key: list[np.ndarray] = []
        self._person: list[np.ndarray] = []

    def add(
        self,
        region: np.ndarray,
        codes: Sequence[np.ndarray],
        person: np.ndarray | None = None,
    ) -> None:
        """Count some more records.

        Parameters
        ----------
        region : (m,) int array
            Row of each record's region; -1 if it is unknown.
        codes : sequence of q (m,) int arrays
            Category of each record in each quasi-identifier, from 0.
        person : (m,) int array, optional
            Whose record each is, for all records or for none. k records of one person hide
            nobody, so people are counted then.

        Raises
        ------
        InputError
            If lengths differ, or a row or a code is out of range.
        """
        region, codes = self._keys.checked(region, codes)
        if len(region) == 0:
            return
        old = self._keys.make_room(codes)
        if old is not None:
            for at, key in enumerate(self._key):
                self._key[at] = self._keys.renewed(key, old)
        self._region.append(region.astype(np.int32))
        self._key.append(self._keys.of(codes))
        if person is not None:
            self._person.append(np.asarray(person))

    def finish(
        self, categories: Sequence[int | None] | None = None, progress: Progress = silent
    ) -> EquivalenceClasses:
        """Return what was counted; the counter must not be used any more.

        Parameters
        ----------
        categories : sequence of q int or None, optional
            Declared response categories of each quasi-identifier; None for as many as occur.
        progress : callable

        Raises
        ------
        InputError
            Without records in known regions, or with more categories than are declared.
        """
        from scipy.sparse import csr_matrix

        progress(0.0)
        refuse_nothing(len(self._region), len(self._region))
        declared = declared_categories(categories, self._keys.highest)
        region = _concatenated(self._region)
        key = _concatenated(self._key)
        if self._keys.combinations <= _TABLE:
            seen = np.zeros(self._keys.combinations, dtype=bool)
            seen[key] = True
            keys = np.flatnonzero(seen)
            number = np.cumsum(seen, dtype=np.int32) - np.int32(1)
            of_record = key if len(keys) == len(seen) else number[key]
        else:
            found = interruptible(lambda: np.unique(key, return_inverse=True), progress)
            keys, of_record = found[0], found[1].astype(np.int32)
        progress(0.3)
        codes = self._keys.codes(keys)
        known_class, known_region = of_record, region
        person = whose = _concatenated(self._person) if self._person else None
        if region.min() < 0:
            known = region >= 0
            of_record = np.where(known, of_record, np.int32(-1))
            known_class, known_region = of_record[known], region[known]
            person = None if person is None else person[known]
        refuse_nothing(len(region), len(known_region))
        shape = (self._regions, len(keys))
        apart = None
        if person is not None:
            records = known_class, person, known_region
            first, apart = interruptible(lambda: _first_of_each(*records), progress, 0.6)
            known_class, known_region = known_class[first], known_region[first]

        def count() -> csr_matrix:
            one = np.ones(len(known_region), dtype=np.int32)
            matrix = csr_matrix((one, (known_region, known_class)), shape=shape)
            matrix.sum_duplicates()
            return matrix

        counts = interruptible(count, part(progress, 0.3, 1.0))
        progress(1.0)
        people = whose is not None
        return EquivalenceClasses(
            counts, codes, declared, region, of_record, people, apart=apart, record_person=whose
        )


def _first_of_each(
    of_record: np.ndarray, person: np.ndarray, region: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Row of the first record of each person in each class, and who has some in other regions.

    A person counts in one region: an area that holds another of hers counts one less than it might,
    never one more, so that k people are k people in whatever areas the regions are joined to.
    """
    key = of_record.astype(np.int64) * (int(person.max()) + 1) + person
    _, first, pair = np.unique(key, return_index=True, return_inverse=True)
    pair = pair.reshape(-1)
    elsewhere = np.zeros(len(first), dtype=bool)
    elsewhere[pair[region[first][pair] != region]] = True
    rows = np.flatnonzero(elsewhere[pair])
    return first, np.column_stack([of_record[rows], person[rows], region[rows]])


def classes_of(
    codes: Sequence[np.ndarray], progress: Progress = silent
) -> tuple[np.ndarray, np.ndarray]:
    """Number the combinations of codes that occur, in the order of the codes.

    However many columns there are: keys that grow too long are numbered anew in between.

    Parameters
    ----------
    codes : sequence of q (n,) int arrays
        Not negative.

    Returns
    -------
    of_record : (n,) int array
    first : (classes,) int array
        A record of each class.
    """
    key = np.asarray(codes[0]).astype(np.int64)
    bound = int(key.max()) + 1
    for at, column in enumerate(codes[1:], 1):
        ahead = part(progress, at / (len(codes) + 1), (at + 1) / (len(codes) + 1))
        radix = int(column.max()) + 1
        if bound * radix > LARGEST_KEY:
            found = interruptible(partial(np.unique, key, return_inverse=True), ahead)
            key, bound = found[1].ravel(), len(found[0])
        key = key * radix + column
        bound *= radix
        ahead(1.0)
    _, first, of_record = interruptible(
        lambda: np.unique(key, return_index=True, return_inverse=True), progress, 0.95
    )
    return of_record.ravel(), first


def count_classes(
    region: np.ndarray,
    codes: Sequence[np.ndarray],
    regions: int,
    categories: Sequence[int | None] | None = None,
    progress: Progress = silent,
    person: np.ndarray | None = None,
) -> EquivalenceClasses:
    """Count records that are all at hand; see :class:`ClassCounter` for the parameters.

    There may be more possible combinations here than a counter can tell apart.
    """
    counter = ClassCounter(regions, len(codes))
    codes = [np.asarray(column) for column in codes]
    highest = [int(column.max(initial=0)) for column in codes]
    if max_combs([max(4, 1 << code.bit_length()) for code in highest]) <= LARGEST_KEY:
        counter.add(region, codes, person)
        return counter.finish(categories, progress)
    if any(column.min(initial=0) < 0 for column in codes):
        raise InputError("The code of a category is negative.")
    if any(column.shape != np.shape(region) for column in codes):
        raise InputError("The columns of the records are not of the same length.")
    kind, first = classes_of(codes, part(progress, 0.0, 0.6))
    counter = ClassCounter(regions, 1)
    counter.add(region, [kind], person)
    found = counter.finish(None, part(progress, 0.6, 1.0))
    return replace(
        found,
        codes=np.stack([column[first] for column in codes], axis=1).astype(np.int32),
        categories=declared_categories(categories, highest),
    )


def _concatenated(pieces: list[np.ndarray]) -> np.ndarray:
    """Join the pieces and forget them, so that they are in memory once."""
    whole = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
    pieces.clear()
    return whole
