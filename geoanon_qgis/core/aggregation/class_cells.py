# SPDX-License-Identifier: GPL-2.0-or-later
"""Records counted into regions by classes, of which none is kept.

What is in memory grows with the cells that are not empty, and these cannot become more than
regions times combinations, however many records there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.progress import Progress, interruptible, silent
from .class_keys import ClassKeys, declared_categories, refuse_nothing
from .equivalence_classes import EquivalenceClasses

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: Records that are sorted into cells at a time, at least and at most.
_LEAST, _MOST = 1 << 21, 1 << 23
#: Regions come in so many blocks, whose cells are merged one block after the other.
_BLOCKS = 8
#: Up to as many combinations keys are sorted by counting them, or found by a table.
_COUNTED = 1 << 22
_NONE = np.empty(0, dtype=np.int32)


class CellCounter:
    """Counts records into classes, chunk by chunk, as :class:`.ClassCounter` does.

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
        self._waiting: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._rows = 0
        # One row more than regions: it takes those whose region is unknown.
        self._size = -(-(self._regions + 1) // _BLOCKS)
        self._blocks: list[csr_matrix] = []

    def add(
        self,
        region: np.ndarray,
        codes: Sequence[np.ndarray],
        count: np.ndarray | None = None,
        ask: Callable[[], None] | None = None,
    ) -> None:
        """Count some more records.

        Parameters
        ----------
        region : (m,) int array
            Row of each record's region; -1 if it is unknown.
        codes : sequence of q (m,) int arrays
            Category of each record in each quasi-identifier, from 0.
        count : (m,) int array, optional
            How many records each stands for, 1 or more; one where it is left out.
        ask : callable, optional
            Called while they are sorted, which takes a second where there are many; may raise.

        Raises
        ------
        InputError
            If lengths differ, or a row or a code is out of range.
        """
        region, codes = self._keys.checked(region, codes)
        if len(region) == 0:
            return
        self._make_room(codes)
        row = np.where(region < 0, self._regions, region).astype(np.int32)
        count = np.ones(1, np.int32) if count is None else np.asarray(count, dtype=np.int32)
        self._waiting.append((row, self._keys.of(codes), count))
        self._rows += len(row)
        # As many as half of the cells there are, if that is not too much to hold: then cells are
        # seldom copied.
        half = sum(block.nnz for block in self._blocks) // 2
        if self._rows >= min(max(_LEAST, half), _MOST):
            interruptible(self.merge, silent if ask is None else lambda _: ask())

    def cells(self) -> tuple[np.ndarray, list[np.ndarray], np.ndarray]:
        """Region (-1 for unknown ones), codes and number of records of each cell.

        As :meth:`add` takes them: so counts of parts are put together.
        """
        self.merge()
        if not self._blocks:
            return _NONE, [_NONE] * len(self._keys.highest), _NONE
        row = np.concatenate(
            [
                np.repeat(
                    np.arange(at * self._size, at * self._size + block.shape[0], dtype=np.int32),
                    np.diff(block.indptr),
                )
                for at, block in enumerate(self._blocks)
            ]
        )
        codes = self._keys.codes(np.concatenate([block.indices for block in self._blocks]))
        count = np.concatenate([block.data for block in self._blocks])
        return np.where(row == self._regions, np.int32(-1), row), list(codes.T), count

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
        progress(0.0)
        interruptible(self.merge, progress)
        every, unknown = self._records()
        refuse_nothing(every, every - unknown)
        declared = declared_categories(categories, self._keys.highest)
        keys = interruptible(self._found, progress, 0.3)
        counts = interruptible(lambda: self._joined(keys), progress, 0.5)
        progress(1.0)
        codes = self._keys.codes(keys)
        return EquivalenceClasses(counts, codes, declared, _NONE, _NONE, False, unknown)

    def _make_room(self, codes: Sequence[np.ndarray]) -> None:
        old = self._keys.make_room(codes)
        if old is None:
            return
        self._waiting = [
            (row, self._keys.renewed(key, old), count) for row, key, count in self._waiting
        ]
        self._blocks = [
            self._block(one.data, self._keys.renewed(one.indices, old), one.indptr)
            for one in self._blocks
        ]

    def _block(self, data: np.ndarray, indices: np.ndarray, indptr: np.ndarray) -> csr_matrix:
        """Cells of some regions, sorted and each there once."""
        from scipy.sparse import csr_matrix

        shape = (len(indptr) - 1, self._keys.combinations)
        made = csr_matrix((data, indices, indptr), shape=shape)
        made.has_canonical_format = True
        return made

    def merge(self) -> None:
        """Sort what is waiting into the cells, which takes less memory, and less to send."""
        if not self._waiting:
            return
        new = self._sorted()
        starts = range(0, self._regions + 1, self._size)
        some = [new[start : start + self._size] for start in starts]
        del new
        if not self._blocks:
            self._blocks = some
            return
        for at in range(len(some)):
            self._blocks[at] = self._blocks[at] + some[at]
            some[at] = None

    def _sorted(self) -> csr_matrix:
        """What was waiting, as cells of all regions."""
        from scipy.sparse import coo_matrix, csr_matrix

        waiting, self._waiting, self._rows = self._waiting, [], 0
        row = np.concatenate([one[0] for one in waiting])
        key = np.concatenate([one[1].astype(self._keys.dtype, copy=False) for one in waiting])
        count = np.concatenate([np.broadcast_to(c, r.shape) for r, _, c in waiting])
        del waiting
        combinations = self._keys.combinations
        if combinations > _COUNTED:
            found = csr_matrix((count, (row, key)), shape=(self._regions + 1, combinations))
        else:
            # Counted into the order of keys, then into that of regions: nothing is compared.
            by_key = coo_matrix((count, (key, row)), shape=(combinations, self._regions + 1))
            by_key.has_canonical_format = True
            found = by_key.tocsr().T.tocsr()
        found.sum_duplicates()
        return found

    def _records(self) -> tuple[int, int]:
        """All records, and those of unknown regions."""
        if not self._blocks:
            return 0, 0
        every = sum(int(block.data.sum(dtype=np.int64)) for block in self._blocks)
        return every, int(self._blocks[-1][-1].data.sum(dtype=np.int64))

    def _found(self) -> np.ndarray:
        """The keys that occur, in their order."""
        if self._keys.combinations > _COUNTED:
            keys = _NONE
            for block in self._blocks:
                keys = np.union1d(keys, block.indices)
            return keys
        seen = np.zeros(self._keys.combinations, dtype=bool)
        for block in self._blocks:
            seen[block.indices] = True
        return np.flatnonzero(seen)

    def _joined(self, keys: np.ndarray) -> csr_matrix:
        """The cells of all regions; blocks are given away one by one."""
        from scipy.sparse import csr_matrix

        self._blocks[-1] = self._blocks[-1][:-1]  # those of unknown regions
        count = sum(block.nnz for block in self._blocks)
        indices, data = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
        start, starts = 0, [np.zeros(1, dtype=np.int64)]
        number = _NONE
        if self._keys.combinations <= _COUNTED:
            number = np.zeros(self._keys.combinations, dtype=np.int32)
            number[keys] = np.arange(len(keys))
        while self._blocks:
            block = self._blocks.pop(0)
            rows = slice(start, start + block.nnz)
            there = block.indices
            indices[rows] = number[there] if len(number) else np.searchsorted(keys, there)
            data[rows] = block.data
            starts.append(start + block.indptr[1:].astype(np.int64))
            start = rows.stop
        shape = (self._regions, len(keys))
        made = csr_matrix((data, indices, np.concatenate(starts)), shape=shape)
        made.has_canonical_format = True
        return made
