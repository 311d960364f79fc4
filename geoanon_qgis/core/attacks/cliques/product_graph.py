# SPDX-License-Identifier: GPL-2.0-or-later
"""The product graph of a released table and an identification file (Kroll 2014, definition 6).

A vertex is a pair of records, one of each file, that agree in their labels (quasi-identifiers).
Two vertices (t1, i1) and (t2, i2) are joined iff t1 != t2, i1 != i2 and the released distance
of t1 and t2 is compatible with the known distance of i1 and i2. Every rule of compatibility in
use is an interval for each pair of identification records, so that is what this module takes.
A clique is then a consistent set of matches (theorem 7).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.errors import InputError
from ...runtime.memory import available_memory
from ...runtime.parallel import run_blocks
from ...runtime.progress import Progress, chunks, part, silent
from ...runtime.wording import Sentence, number_of
from .bitsets import SPARSE, count_rows, list_neighbours

#: Words of a row that one task fills; their operands stay in the processor's nearest cache.
_WORDS_AT_ONCE = 32

#: Rows of a block without numba, times vertices: bounds the temporary arrays.
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, eq=False)
class ProductGraph:
    """Pairs of records that may be the same entity, and which of them go together.

    Attributes
    ----------
    target, identification : (v,) int64
        The records of each vertex; vertices are ordered by target record, then by
        identification record.
    rows : (v, words) uint64
        Neighbours as bits: vertex b is bit b % 64 of word b // 64. Symmetric.
    degree : (v,) int64
        Number of neighbours.
    n_edges : int
    n_target, n_identification : int
        Records of the two files.
    unlabelled : int
        Records of both files that were left out because they have no label.
    listed : (2 * n_edges,) int32 or None
        Neighbours of one vertex after the other, if there are few.
    """

    target: np.ndarray
    identification: np.ndarray
    rows: np.ndarray
    degree: np.ndarray
    n_edges: int
    n_target: int
    n_identification: int
    unlabelled: int = 0
    listed: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def density(self) -> float:
        """Edges as a share of all pairs of vertices."""
        pairs = len(self) * (len(self) - 1) / 2
        return self.n_edges / pairs if pairs else 0.0

    def joined(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Tell for pairs of vertices whether they are joined, (m,) bool."""
        a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        words = self.rows[a, b >> 6]
        return (words >> (b & 63).astype(np.uint64)) & np.uint64(1) != 0

    def neighbours(self, vertex: int) -> np.ndarray:
        """Vertices joined to one vertex, ascending."""
        return np.flatnonzero(_unpacked(self.rows[vertex : vertex + 1], len(self))[0])

    def adjacency(self) -> np.ndarray:
        """The whole graph as a (v, v) bool array; for small graphs."""
        return _unpacked(self.rows, len(self))


def row_words(n_vertices: int) -> int:
    """Words of 64 bits that a row takes."""
    return -(-n_vertices // 64)


def graph_bytes(n_vertices: int) -> int:
    """Bytes that the neighbours of so many vertices take."""
    return n_vertices * row_words(n_vertices) * 8


def count_vertices(target_labels: Sequence, identification_labels: Sequence) -> int:
    """Number of vertices of the product graph of these labels; nothing is built."""
    target, identification, _ = label_classes(target_labels, identification_labels)
    kinds = int(max(target.max(initial=-1), identification.max(initial=-1))) + 1
    one = np.bincount(target[target >= 0], minlength=kinds)
    other = np.bincount(identification[identification >= 0], minlength=kinds)
    return int(one @ other)


def product_graph(
    target_labels: Sequence[Hashable],
    identification_labels: Sequence[Hashable],
    released,
    lower: np.ndarray,
    upper: np.ndarray,
    closed: bool = False,
    memory_limit: int | None = None,
    progress: Progress = silent,
    possible: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
) -> ProductGraph:
    """Build the product graph of two files.

    Parameters
    ----------
    target_labels, identification_labels : sequences of hashables, lengths n1 and n2
        What must agree for two records to be the same entity. A record whose label is missing
        (None or NaN, or a tuple with one of these in it) is left out: it matches nobody.
    released : (n1, n1) float64 or DistanceMatrix
        Released distances between target records; zeros off the diagonal are allowed.
    lower, upper : (n2, n2) float64
        For each pair of identification records the interval in which the released distance of
        the same two entities is expected, in the same unit; symmetric. May be infinite.
    closed : bool
        Whether the interval holds its ends. It does not in the 2014 paper (section 5: "greater
        than ... and smaller than"), and it does for Lipschitz embeddings.
    memory_limit : int, optional
        Bytes that the graph may take; by default half of the memory that is free, where
        that is known.
    progress : callable
    possible : callable, optional
        Takes the records of all vertices, (v,) and (v,), and says which of them stay, (v,) bool.

    Raises
    ------
    InputError
        Shapes that do not fit, values that are no distances or intervals that are not symmetric,
        or a graph that does not fit into memory (its size is in the sentence).
    """
    released = _square(
        released, len(target_labels), Sentence("released distances"), Sentence("target")
    )
    lower = _square(
        lower, len(identification_labels), Sentence("lower bounds"), Sentence("identification")
    )
    upper = _square(
        upper, len(identification_labels), Sentence("upper bounds"), Sentence("identification")
    )
    if not np.isfinite(released).all():
        raise InputError("The released distances hold values that are no numbers.")
    if np.isnan(lower).any() or np.isnan(upper).any():
        raise InputError("The expected intervals hold values that are no numbers.")

    kind1, kind2, unlabelled = label_classes(target_labels, identification_labels)
    target, identification = vertices_of(kind1, kind2, memory_limit)
    if possible is not None:
        kept = possible(target, identification)
        target, identification = target[kept], identification[kept]
    records, distances = (target, identification), (released, lower, upper)
    n = len(target)
    rows = np.empty((n, row_words(n)), dtype=np.uint64)  # every word is written below
    if n:
        if accel.enabled() and possible is None:  # the kernel counts on all vertices of a label
            _fill(rows, kind1, kind2, records, distances, closed, part(progress, 0, 0.9))
        else:
            _fill_plain(rows, records, distances, closed, part(progress, 0, 0.9))
    degree = np.zeros(n, dtype=np.int64)
    for some in chunks(n, 4096, part(progress, 0.9, 1)):
        degree[some] = _degrees(rows[some])
    return ProductGraph(
        target,
        identification,
        rows,
        degree,
        int(degree.sum()) // 2,
        len(kind1),
        len(kind2),
        unlabelled,
        _lists(rows, degree),
    )


def _square(matrix, size: int, what: str, file: str) -> np.ndarray:
    matrix = matrix.square() if hasattr(matrix, "square") else matrix
    matrix = np.ascontiguousarray(matrix, dtype=np.float64)
    if matrix.shape != (size, size):
        shape = " x ".join(str(side) for side in matrix.shape)
        raise InputError(
            "The {what} are {shape}, but the {file} file has {records}.",
            what=what,
            shape=shape,
            file=file,
            records=number_of(size, "record", "records"),
        )
    if not np.array_equal(matrix, matrix.T, equal_nan=True):
        raise InputError(
            "The {what} differ between (a, b) and (b, a): give a symmetric matrix.", what=what
        )
    return matrix


def _missing(label: Hashable) -> bool:
    if isinstance(label, tuple):
        return any(_missing(one) for one in label)
    return label is None or label != label


def label_classes(one: Sequence, other: Sequence) -> tuple[np.ndarray, np.ndarray, int]:
    """Number the labels in the order of their first appearance; -1 stands for none."""
    number: dict[Hashable, int] = {}
    coded = []
    for labels in (one, other):
        codes = np.empty(len(labels), dtype=np.int64)
        for k, label in enumerate(labels):
            codes[k] = -1 if _missing(label) else number.setdefault(label, len(number))
        coded.append(codes)
    return coded[0], coded[1], int(sum((codes < 0).sum() for codes in coded))


def vertices_of(
    kind1: np.ndarray, kind2: np.ndarray, memory_limit: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return both records of every pair that agrees in its label, as numbered before.

    Raises
    ------
    InputError
        If a graph of so many vertices takes more bytes than the limit.
    """
    members = [np.flatnonzero(kind2 == k) for k in range(int(kind1.max(initial=-1)) + 1)]
    sizes = np.array([len(members[k]) if k >= 0 else 0 for k in kind1], dtype=np.int64)
    _refuse_unless_fits(int(sizes.sum()), memory_limit)
    target = np.repeat(np.arange(len(kind1)), sizes)
    parts = [members[k] for k in kind1 if k >= 0]
    identification = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
    return target, identification.astype(np.int64)


def _refuse_unless_fits(n_vertices: int, limit: int | None) -> None:
    if limit is None:
        free = available_memory()
        limit = free // 2 if free else None
    need = graph_bytes(n_vertices)
    if limit is not None and need > limit:
        raise InputError(
            "The product graph would have {pairs} with equal labels and take {need:,.0f} MB, but "
            "only {limit:,.0f} MB may be used. Add quasi-identifiers, or attack a part of the "
            "files.",
            pairs=number_of(n_vertices, "pair of records", "pairs of records"),
            need=need / 1e6,
            limit=limit / 1e6,
        )


def _fill_plain(rows, records, distances, closed, progress) -> None:
    (target, identification), (released, lower, upper) = records, distances
    n, width = len(rows), rows.shape[1] * 64
    own = np.arange(n)
    for some in chunks(n, max(1, _CELLS_AT_ONCE // max(width, 1)), progress):
        a = own[some]
        distance = released[target[a]][:, target]
        low = lower[identification[a]][:, identification]
        high = upper[identification[a]][:, identification]
        if closed:
            joined = (low <= distance) & (distance <= high)
        else:
            joined = (low < distance) & (distance < high)
        joined &= target[a, None] != target
        joined &= identification[a, None] != identification
        bits = np.zeros((len(a), width), dtype=bool)
        bits[:, :n] = joined
        rows[some] = np.packbits(bits, axis=1, bitorder="little").view("<u8")


def _fill(rows, kind1, kind2, records, distances, closed, progress) -> None:
    kinds = int(kind1.max()) + 1
    grouped = (*_grouped(kind1, kinds), *_grouped(kind2, kinds))
    (_, start1, _, start2), target = grouped, records[0]
    first = np.searchsorted(target, np.arange(len(kind1)))
    words = rows.shape[1]
    # As many labels a task as make about 2,000 rows: 10 ms of work.
    sizes = np.diff(start1) * np.diff(start2)
    block = np.cumsum(sizes) // 2048
    cuts = np.r_[0, np.flatnonzero(np.diff(block)) + 1, kinds]
    tasks = [
        (int(a), int(b), w, min(w + _WORDS_AT_ONCE, words))
        for a, b in zip(cuts[:-1], cuts[1:])
        for w in range(0, words, _WORDS_AT_ONCE)
    ]

    def work(task: tuple[int, int, int, int]) -> None:
        _fill_task(rows, task, grouped, first, records, distances, closed)

    work(tasks[0])  # compiles, if need be, before two threads would both do it
    run_blocks(work, tasks[1:], progress)


def _grouped(kind: np.ndarray, kinds: int) -> tuple[np.ndarray, np.ndarray]:
    order = np.argsort(kind, kind="stable").astype(np.int64)
    return order, np.searchsorted(kind[order], np.arange(kinds + 1)).astype(np.int64)


@accel.kernel
def _fill_task(rows, task, grouped, first, records, distances, closed):
    """Fill some words of the rows of some labels.

    The interval of one identification record against all vertices is spread out once and used
    for every target record of the label; comparing is then one pass over plain arrays. A value
    that is no number compares false: it stands for equal records and for the end of a row.
    """
    kind_from, kind_to, word_from, word_to = task
    by_kind1, start1, by_kind2, start2 = grouped
    target, identification = records
    released, lower, upper = distances
    n = len(target)
    begin = word_from * 64
    width = (word_to - word_from) * 64
    real = min(n - begin, width)
    low = np.full(width, np.nan)
    high = np.full(width, np.nan)
    most = 0
    for kind in range(kind_from, kind_to):
        most = max(most, start1[kind + 1] - start1[kind])
    spread = np.full((most, width), np.nan)
    for kind in range(kind_from, kind_to):
        m1 = start1[kind + 1] - start1[kind]
        m2 = start2[kind + 1] - start2[kind]
        if m2 == 0:
            continue
        for a in range(m1):
            t = by_kind1[start1[kind] + a]
            for k in range(real):
                other = target[begin + k]
                spread[a, k] = np.nan if other == t else released[t, other]
        for b in range(m2):
            i = by_kind2[start2[kind] + b]
            for k in range(real):
                other = identification[begin + k]
                low[k] = np.nan if other == i else lower[i, other]
                high[k] = upper[i, other]
            for a in range(m1):
                row = first[by_kind1[start1[kind] + a]] + b
                distance = spread[a]
                for word in range(word_to - word_from):
                    at = word * 64
                    bits = np.uint64(0)
                    if closed:
                        for k in range(64):
                            d = distance[at + k]
                            joined = (low[at + k] <= d) & (d <= high[at + k])
                            bits |= np.uint64(joined) << np.uint64(k)
                    else:
                        for k in range(64):
                            d = distance[at + k]
                            joined = (low[at + k] < d) & (d < high[at + k])
                            bits |= np.uint64(joined) << np.uint64(k)
                    rows[row, word_from + word] = bits


def _degrees(rows: np.ndarray) -> np.ndarray:
    if accel.enabled():
        return count_rows(rows)
    return _unpacked(rows, rows.shape[1] * 64).sum(axis=1)


def _lists(rows: np.ndarray, degree: np.ndarray) -> np.ndarray | None:
    if degree.sum() >= SPARSE * rows.size:
        return None
    if accel.enabled():
        return list_neighbours(rows, np.concatenate([[0], np.cumsum(degree)]))
    parts = [
        np.nonzero(_unpacked(rows[k : k + 1024], len(rows)))[1] for k in range(0, len(rows), 1024)
    ]
    return np.concatenate(parts).astype(np.int32)


def _unpacked(rows: np.ndarray, n: int) -> np.ndarray:
    as_bytes = np.ascontiguousarray(rows).astype("<u8", copy=False).view(np.uint8)
    return np.unpackbits(as_bytes, axis=1, bitorder="little", count=n).astype(bool)
