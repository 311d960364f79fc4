# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that are withheld besides, so that parts cannot be subtracted from their whole.

Of nested areas (:mod:`.nesting`) one release shows how many of a class live in a whole, unless they
are fewer than its k, and the other the same of its parts. Where the whole is shown, what is not shown
of its parts adds up to a number that everybody can compute. It has to be nothing, or k at the least;
and not as much as it can be, for then each part that is not shown holds k - 1. Nothing else can be
computed: the bounds of :mod:`.differencing` are exact on trees.

Areas that keep that by themselves hardly exist where there are many classes. So records are withheld
(complementary suppression, as in tables). Of a new whole those that the earlier release did not show: what
it shows then are the parts that were shown, and nobody sees whether there are more. Of a new part so many
that with those that are not shown they are k; or the whole class, where it would fall below k. Who
knows these rules computes no number below k, either (tried for all small numbers in the tests).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ..runtime.progress import Progress, silent
from ..runtime.wording import Sentence, number_of
from .equivalence_classes import EquivalenceClasses
from .evaluation import Distance, aggregate, describe_areas, measure
from .nesting import COARSEN
from .vbas import Aggregation

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


@dataclass(frozen=True)
class Withheld:
    """Records that are withheld besides those in classes below k.

    Attributes
    ----------
    counts : (regions, classes) csr_matrix
        How many; some of them are in classes that are below k anyhow.
    record : (m,) int64 array
        Their rows of the input; empty where single records are not known.
    classes : int
        Classes of areas of which some are.
    """

    counts: csr_matrix
    record: np.ndarray
    classes: int


def to_withhold(
    classes: EquivalenceClasses,
    area: np.ndarray,
    old: np.ndarray,
    ks: tuple[int, int],
    mode: str,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> Withheld | None:
    """Choose records to withhold so that no class below k can be computed of nested areas.

    Parameters
    ----------
    classes : EquivalenceClasses
    area, old : (n,) int array
        New and earlier area of each region, -1 for a region in no earlier area; nested.
    ks : (int, int)
        K of the new and of the earlier release.
    mode : str
        ``refine`` or ``coarsen``: see :func:`.nesting.nested`.
    rng : numpy.random.Generator
        Draws them, where some of many alike are withheld.
    progress : callable

    Returns
    -------
    Withheld or None
        None where nothing has to be.
    """
    from scipy.sparse import csr_matrix

    work = _Wholes if mode == COARSEN else _Parts
    chosen = work(classes, area, old, ks).chosen(rng, progress)
    if not chosen:
        return None
    cells = np.array(chosen, dtype=np.int64)
    shape = classes.counts.shape
    counts = csr_matrix((cells[:, 2], (cells[:, 0], cells[:, 1])), shape=shape)
    pairs = np.unique(area[cells[:, 0]] * shape[1] + cells[:, 1])
    return Withheld(counts, _records(classes, counts, rng), len(pairs))


def without(
    result: Aggregation,
    classes: EquivalenceClasses,
    xy: np.ndarray,
    withheld: Withheld | None,
    distance: Distance | None = None,
) -> Aggregation:
    """Return an aggregation that releases nothing of what is withheld.

    Parameters
    ----------
    result : Aggregation
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    withheld : Withheld or None
    distance : callable, optional
        See :func:`.vbas.vbas`.
    """
    if withheld is None:
        return result
    area = result.area_of_region
    areas = describe_areas(classes, area, len(result.sites), result.k, withheld.counts)
    more = int(areas.suppressed.sum()) - result.measures.suppressed
    note = Sentence(
        "{records} withheld besides, in {classes} of areas, so that no class below K can be computed "
        "together with the earlier release; they are counted among the suppressed.",
        records=number_of(more, "record is", "records are"),
        classes=number_of(withheld.classes, "class", "classes"),
    )
    return replace(
        result,
        areas=areas,
        measures=measure(classes, xy, result.sites, area, areas, distance),
        notes=(*result.notes, note),
        before=result.before or result.measures,
        withheld=withheld.record,
    )


def _records(
    classes: EquivalenceClasses, counts: csr_matrix, rng: np.random.Generator
) -> np.ndarray:
    """Rows of records to withhold: all of some cells, and of others so many at random."""
    if not len(classes.record_region):
        return np.empty(0, dtype=np.int64)
    width = counts.shape[1]
    row = np.repeat(np.arange(counts.shape[0], dtype=np.int64), np.diff(counts.indptr))
    cells = row * width + counts.indices
    of_record = classes.record_region.astype(np.int64) * width + classes.record_class
    rows = np.flatnonzero((classes.record_region >= 0) & np.isin(of_record, cells))
    rows = rows[np.lexsort((rng.random(len(rows)), of_record[rows]))]
    at = np.searchsorted(cells, of_record[rows])
    first = np.flatnonzero(np.append(True, np.diff(at) != 0)) if len(rows) else np.empty(0, int)
    rank = np.arange(len(rows)) - np.repeat(first, np.diff(np.append(first, len(rows))))
    # Of people all records of a cell, which may be more than people.
    whole = counts.data >= np.asarray(classes.counts[row, counts.indices]).reshape(-1)
    return np.sort(rows[whole[at] | (rank < counts.data[at])])


class _Nested:
    """What wholes and their parts hold by classes."""

    def __init__(self, classes: EquivalenceClasses, area, old, ks: tuple[int, int]):
        self._counts, self._k, self._k_old = classes.counts.tocsc(), ks[0], ks[1]
        self._of_people, self._area, self._old = classes.of_people, area, old
        self._table = classes.counts

    def _cells(self, rows: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Regions of some that hold a class, and how many of it."""
        column = slice(*self._counts.indptr[number : number + 2])
        there, held = self._counts.indices[column], self._counts.data[column]
        inside = np.isin(there, rows)
        return there[inside], held[inside]

    def _sums(self, label: np.ndarray) -> csr_matrix:
        return aggregate(self._table, label, int(label.max()) + 1)


class _Wholes(_Nested):
    """New areas of whole earlier ones."""

    def chosen(self, rng: np.random.Generator, progress: Progress) -> list[tuple[int, int, int]]:
        """Cells to withhold: region, class, records."""
        from scipy.sparse import csr_matrix

        inside = self._old >= 0
        # Regions in no earlier area are one part, of which nothing was shown.
        part = np.where(inside, self._old, self._old.max(initial=-1) + 1 + self._area)
        part = np.unique(part, return_inverse=True)[1].reshape(-1)
        of_part, is_open = np.empty((2, int(part.max()) + 1), dtype=np.int64)
        of_part[part], is_open[part] = self._area, ~inside
        held = self._sums(part).tocoo()
        hidden = (held.data < self._k_old) | (is_open[held.row] > 0)
        size = (int(self._area.max()) + 1, held.shape[1])

        def added(values: np.ndarray) -> csr_matrix:
            ends = of_part[held.row], held.col
            return csr_matrix((values.astype(np.int64), ends), shape=size)

        total, left, shown = (
            added(one) for one in (held.data, np.where(hidden, held.data, 0), ~hidden)
        )
        parts = np.bincount(of_part[is_open == 0], minlength=size[0])
        has_open = np.bincount(of_part[is_open > 0], minlength=size[0]) > 0
        at = left.tocoo()
        row, number, rest = (one[at.data > 0] for one in (at.row, at.col, at.data))
        # Beside regions of which nothing was shown no part is known to be full.
        few = np.where(has_open[row], -1, parts[row] - _looked_up(shown, row, number))
        whole = _looked_up(total, row, number)
        tells = _tells(whole, rest, few, (self._k, self._k_old), self._k)
        keys = row[tells].astype(np.int64) * size[1] + number[tells]
        taken = np.flatnonzero(hidden & np.isin(of_part[held.row] * size[1] + held.col, keys))
        regions = np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part))[:-1])
        found = []
        for done, one in enumerate(taken.tolist()):
            if done % 64 == 0:
                progress(done / len(taken))
            there, count = self._cells(regions[held.row[one]], int(held.col[one]))
            found += [(int(r), int(held.col[one]), int(n)) for r, n in zip(there, count)]
        progress(1.0)
        return found


class _Parts(_Nested):
    """New parts of earlier areas."""

    def chosen(self, rng: np.random.Generator, progress: Progress) -> list[tuple[int, int, int]]:
        """Cells to withhold: region, class, records."""
        of_part = np.full(int(self._area.max()) + 1, -1)
        of_part[self._area] = self._old
        sums = self._sums(self._area).tocsc()
        wholes = [np.flatnonzero(of_part == one) for one in range(int(self._old.max()) + 1)]
        found = []
        for at, parts in enumerate(wholes):
            progress(at / len(wholes))
            if len(parts) < 2:
                continue
            held = sums[parts].toarray()
            small = held < self._k
            total = held.sum(axis=0)
            rest, few = np.where(small, held, 0).sum(axis=0), small.sum(axis=0)
            tells = _tells(total, rest, few, (self._k_old, self._k), self._k)
            # All parts would be known to be full: so none of a whole of that size is ever shown.
            full = (total >= self._k_old) & (total == len(parts) * (self._k - 1))
            for number in np.flatnonzero(tells | full).tolist():
                sizes = held[:, number]
                if full[number]:
                    chosen = dict.fromkeys(parts.tolist())
                else:
                    lacking = self._k - int(rest[number])
                    chosen = self._one(parts, sizes, lacking, rng)
                for part, some in chosen.items():
                    found += self._drawn(part, number, some, rng)
        progress(1.0)
        return found

    def _one(self, parts, sizes, lacking: int, rng) -> dict[int, int | None]:
        """A part that is shown, and how many to withhold there; None for all.

        Who knows how it is chosen learns no number of it. One at random that can spare some: of these
        and of those that are not shown it is known that they are k. Else all of the smallest (of
        several one at random), which is then one of those that are not shown, and could be any of them. With K=2 and of parts that hold
        as much as they can the former would tell.
        """
        spare = np.flatnonzero(sizes - lacking >= self._k)
        if len(spare) and lacking > 0 and self._k > 2 and not self._of_people:
            return {int(parts[rng.choice(spare)]): lacking}
        shown = np.flatnonzero(sizes >= self._k)
        if not len(shown):
            return {}  # the earlier release showed fewer than k: no part shows anything
        smallest = shown[sizes[shown] == sizes[shown].min()]
        return {int(parts[rng.choice(smallest)]): None}

    def _drawn(self, part: int, number: int, some: int | None, rng) -> list[tuple[int, int, int]]:
        """So many of a class in a part, by region; all where it is not said how many."""
        there, count = self._cells(np.flatnonzero(self._area == part), number)
        drawn = count if some is None else rng.multivariate_hypergeometric(count, some)
        return [(int(region), number, int(one)) for region, one in zip(there, drawn) if one]


def _tells(
    whole: np.ndarray, rest: np.ndarray, parts: np.ndarray, ks: tuple[int, int], least: int
) -> np.ndarray:
    """Whether a class below ``least`` can be computed, (…) bool.

    Parameters
    ----------
    whole, rest, parts : (…) int arrays
        Records of a class in a whole, those in parts that do not show them, and these parts.
    ks : (int, int)
        K by which wholes, and by which parts are shown.
    least : int
    """
    full = (rest == parts * (ks[1] - 1)) & (ks[1] <= least)
    return (whole >= ks[0]) & (rest > 0) & ((rest < least) | full)


def _looked_up(table: csr_matrix, row: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Values of single cells."""
    return np.asarray(table[row, column]).reshape(-1) if len(row) else np.empty(0, dtype=np.int64)
