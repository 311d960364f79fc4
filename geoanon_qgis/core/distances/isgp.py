# SPDX-License-Identifier: GPL-2.0-or-later
"""ISGP: places as sets of labels of grid points, and the distances that shared labels give.

A grid of points is laid over the plane, shifted and turned at random, and every grid point has a
label that says nothing of where it is. A place is replaced by the labels of the grid points within
a radius of it. The grid points that two places share lie in the lens of two discs, whose area falls
from that of a disc to none as the places move two radii apart: the share of labels that two places
have in common gives their distance, and two places that share none are two radii apart or farther.

Schnell, R., Klingwort, J. & Farrow, J. M. (2021). Locational privacy-preserving distance
computations with intersecting sets of randomly labeled grid points. International Journal of Health
Geographics 20:14.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.memory import refuse_unless_fits
from ..runtime.progress import Progress, chunks, part, silent
from ..runtime.wording import Sentence, number_of
from ..space.points import as_points
from .isgp_grid import SecretGrid, refuse_unless_length

#: Grid points to a radius where nobody says otherwise: 314 labels to a place.
PER_RADIUS = 10.0
#: Records whose distances from the middle one are told where nobody says how far to tell them.
NEIGHBOURS = 10
#: Rows and columns of a grid, from its origin: each point has to have a number of 64 bits.
_MOST_CELLS = 2**30
#: Grid points looked at in one go, and pairs of places that share a label.
_CELLS, _PAIRS = 2_000_000, 20_000_000
#: Bytes of a label of a place while sets are made, and of a pair while it is counted.
_BYTES, _PAIR_BYTES = 60.0, 40.0
_ADVICE = Sentence("Release fewer records, or take a smaller radius or a wider grid.")
#: Steps of Newton's method from a start that is right for small shares.
_STEPS = 12


@dataclass(frozen=True, eq=False)
class LabelSets:
    """Sets of labels, one a record.

    Attributes
    ----------
    start : (n + 1,) int64 array
        Where the labels of each record begin in ``member``.
    member : int32 array
        Numbers of labels.
    labels : (m,) uint64 array
        All labels, ascending: their numbers tell nothing but what the labels do.
    cells : (m, 2) int64 array or None
        Rows and columns of the grid points; None for who has the sets alone.
    """

    start: np.ndarray
    member: np.ndarray
    labels: np.ndarray
    cells: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def sizes(self) -> np.ndarray:
        """Labels of each record, (n,)."""
        return np.diff(self.start)

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Record number and label of every row of a table of them, by record and label."""
        return np.repeat(np.arange(len(self)), self.sizes), self.labels[self.member]

    @classmethod
    def of_rows(cls, record: np.ndarray, label: np.ndarray, count: int) -> LabelSets:
        """Return the sets of a table of records and labels.

        Parameters
        ----------
        record : (r,) int array
            Numbers from 0.
        label : (r,) array
        count : int
            Records.
        """
        labels, number = np.unique(label, return_inverse=True)
        pair = np.unique(np.asarray(record, np.int64) * max(len(labels), 1) + number.ravel())
        record, number = np.divmod(pair, max(len(labels), 1))
        start = np.searchsorted(record, np.arange(count + 1))
        return cls(start.astype(np.int64), number.astype(np.int32), labels)


@dataclass(frozen=True, eq=False)
class SharedPairs:
    """Pairs of records that share a label, by first and second record.

    Attributes
    ----------
    first, second : (p,) int64 arrays
        Record numbers, first < second.
    distance : (p,) array
        What the shared labels say, in the unit of the radius; below two radii.
    records : int
    radius : float
    """

    first: np.ndarray
    second: np.ndarray
    distance: np.ndarray
    records: int
    radius: float

    def __len__(self) -> int:
        return len(self.first)


def label_sets(xy: np.ndarray, grid: SecretGrid, progress: Progress = silent) -> LabelSets:
    """Replace places by the labels of the grid points within the radius.

    Parameters
    ----------
    xy : (n, 2) array
        In a plane.
    grid : SecretGrid
    progress : callable

    Returns
    -------
    LabelSets

    Raises
    ------
    InputError
        If a coordinate is not finite, places are too far apart for the grid, or the sets do not
        fit into memory.
    """
    at = grid.cells(as_points(xy))
    if not (np.abs(at) < _MOST_CELLS).all():
        raise InputError(
            "Some places are more than {most:,} grid points from others. Take a larger radius, or a"
            " wider grid.",
            most=_MOST_CELLS,
        )
    reach = grid.radius / grid.spacing
    refuse_unless_fits(
        _BYTES * len(at) * np.pi * reach**2,
        number_of(len(at), "record", "records"),
        Sentence("their sets of labels"),
        _ADVICE,
    )
    side = np.arange(-int(reach) - 1, int(reach) + 3)
    around = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1).reshape(-1, 2)
    found, owners = [], []
    searching, labelling = part(progress, 0, 0.5), part(progress, 0.5, 1)
    for some in chunks(len(at), max(1, _CELLS // len(around)), searching):
        base = np.floor(at[some])
        gap = (base - at[some])[:, None, :] + around
        inside = np.einsum("ijk,ijk->ij", gap, gap) <= reach**2
        row, which = np.nonzero(inside)
        found.append(base[row].astype(np.int64) + around[which])
        owners.append(row + some.start)
    cells = np.concatenate([np.zeros((0, 2), np.int64), *found])
    owner = np.concatenate([np.zeros(0, np.int64), *owners])
    cells, number = _distinct(cells)
    labels = grid.labels(cells, labelling)
    order = np.argsort(labels, kind="stable")
    if len(labels) and (np.diff(labels[order]) == 0).any():
        raise InputError(
            "Two grid points have the same label, which is rare. Draw another grid: give another seed,"
            " or none."
        )
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    member = rank[number]
    member = member[np.lexsort((member, owner))]
    start = np.searchsorted(owner, np.arange(len(at) + 1))
    return LabelSets(start.astype(np.int64), member, labels[order], cells[order])


def shared_pairs(sets: LabelSets, radius: float, progress: Progress = silent) -> SharedPairs:
    """Distances of the records that share a label, from the sets alone.

    Parameters
    ----------
    sets : LabelSets
    radius : float
    progress : callable

    Returns
    -------
    SharedPairs

    Raises
    ------
    InputError
        If there are more pairs than memory holds.
    """
    refuse_unless_length(radius)
    sizes = sets.sizes
    first, second, shares = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    pairs = 0
    for i, j, shared in _counted(sets, progress):
        pairs += len(i)
        refuse_unless_fits(
            _PAIR_BYTES * pairs,
            number_of(len(sets), "record", "records"),
            Sentence("the pairs that share a label"),
            _ADVICE,
        )
        first.append(i)
        second.append(j)
        # Of both sets' mean size: places at which the grid is denser by chance cancel out.
        shares.append(2.0 * shared / (sizes[i] + sizes[j]))
    distance = lens_distance(np.concatenate(shares), radius)
    return SharedPairs(np.concatenate(first), np.concatenate(second), distance, len(sets), radius)


def radius_for(xy: np.ndarray, neighbours: int = NEIGHBOURS) -> float:
    """Return the radius with which half of the places are within two radii of so many others.

    Parameters
    ----------
    xy : (n, 2) array
    neighbours : int
        All others, where there are fewer.

    Returns
    -------
    float
        To two digits, so that it says little of single places.

    Raises
    ------
    InputError
        If half of the places and more lie so close together that there is none.
    """
    from scipy.spatial import cKDTree

    points = as_points(xy)
    nearest = min(neighbours, len(points) - 1)
    far = cKDTree(points).query(points, k=nearest + 1)[0][:, -1] if nearest > 0 else np.zeros(1)
    radius = float(f"{np.median(far) / 2:.1e}")
    if not (np.isfinite(radius) and radius > 0):
        raise InputError(
            "A radius cannot be taken from the places: too many of them are one place. Give one."
        )
    return radius


def lens_distance(share: np.ndarray, radius: float) -> np.ndarray:
    """Distance of two discs that share so much of their area.

    Parameters
    ----------
    share : array
        Between 0 and 1; what lies beyond is taken for these.
    radius : float

    Returns
    -------
    array
        Falls from two radii to 0.
    """
    area = np.pi * np.clip(np.asarray(share, float), 0.0, 1.0)
    # x - sin x = area: convex, so that Newton's steps come from above after the first.
    angle = np.cbrt(6.0 * area)
    for _ in range(_STEPS):
        slope = np.maximum(1.0 - np.cos(angle), 1e-300)
        angle = np.clip(angle - (angle - np.sin(angle) - area) / slope, 0.0, np.pi)
    # A sine gives exactly 0 where all is shared, which a cosine does not.
    return 2.0 * radius * np.sin((np.pi - angle) / 2.0)


def _counted(
    sets: LabelSets, progress: Progress
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """First and second record and shared labels, some records at a time."""
    from scipy.sparse import csr_matrix

    count = len(sets)
    ones = np.ones(len(sets.member), dtype=np.int32)
    has = csr_matrix((ones, sets.member, sets.start), shape=(count, len(sets.labels)))
    holders = has.T.tocsr()
    held = np.diff(holders.indptr)
    for some in _blocks(np.add.reduceat(held[sets.member], sets.start[:-1]) if count else held):
        progress(some.start / max(count, 1))
        both = (has[some] @ holders).tocoo()
        i, j = both.row.astype(np.int64) + some.start, both.col.astype(np.int64)
        kept = i < j
        order = np.lexsort((j[kept], i[kept]))
        yield i[kept][order], j[kept][order], both.data[kept][order]
    progress(1.0)


def _blocks(work: np.ndarray) -> Iterator[slice]:
    """Records in pieces of about as much work."""
    total = np.cumsum(work)
    start = 0
    while start < len(work):
        before = total[start - 1] if start else 0
        stop = max(int(np.searchsorted(total, before + _PAIRS)), start + 1)
        yield slice(start, stop)
        start = stop


def _distinct(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct rows and columns, and which of them each is."""
    if not len(cells):
        return cells, np.zeros(0, np.int64)
    low = cells.min(axis=0)
    width = int(cells[:, 1].max() - low[1]) + 1
    keys, number = np.unique(
        (cells[:, 0] - low[0]) * width + cells[:, 1] - low[1], return_inverse=True
    )
    return np.stack(np.divmod(keys, width), axis=1) + low, number.ravel()
