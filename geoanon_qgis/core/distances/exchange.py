# SPDX-License-Identifier: GPL-2.0-or-later
"""Exchange of attributes among neighbours: whose values they are is known to one in k at most.

Every attack on released distances ends in a link of a released record and a person. Noise and
embeddings make such links rarer; nothing bounds how rare, and each new attack finds more of them.
An exchange bounds what a link is worth. Records are put into groups of k who live near each other,
and inside each group the attributes that are to be protected are dealt out anew, uniformly at
random. Distances and quasi-identifiers stay where they are.

**What is guaranteed**: whoever knows the place and the quasi-identifiers of everybody, the groups,
the method and all of the release but not the random numbers, holds a row of values to be that of
a person of its group with probability 1 / (size of the group), at most 1 / k. No distance can
change that: given places and quasi-identifiers, all orders of the rows in a group are equally
likely.

**What is not**: that somebody is in the release; what a value is, rather than whose (what most of
a group have is likely what each of them has, see :meth:`Exchange.guessed`, and what all have is
certain, :meth:`Exchange.alike`); values that fit one of the group better than the others by what is
known otherwise (his age, values that were published elsewhere, or one of those that are exchanged,
since they move together: :meth:`Exchange.singled`); a second exchange in other groups, as those of
another k, other classes or slightly other records are. Other random numbers in the same groups tell
nothing new.

Groups: MDAV, Domingo-Ferrer, J. & Torra, V. (2005), Ordinal, continuous and heterogeneous
k-anonymity through microaggregation, Data Mining and Knowledge Discovery 11. Attributes that are
released apart from quasi-identifiers, by group: Xiao, X. & Tao, Y. (2006), Anatomy: simple and
effective privacy preservation, VLDB. Theirs are groups of any records; ours live near each other,
so that what is lost is the finest of what distances tell of the values.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, silent
from ..runtime.results import Grouped
from ..runtime.wording import number_of
from ..space.metrics import Metric
from ..space.spheres import unit_vectors


@dataclass(frozen=True, eq=False, repr=False)
class Exchange(Grouped):
    """Who gets whose values, in the order of the records. Private.

    ``chance``, one in the records of the group, is the probability that a record's values are its
    own, by all that is released.

    Attributes
    ----------
    k : int
        Least size of a group.
    group : (n,) int64 array
        From 0 without a gap. May be told: what is guaranteed holds for who knows it, and means of
        groups are exact.
    row : (n,) int64 array
        Record whose values a record is released with; itself for some. Whoever has it has undone
        the exchange.
    joined : int
        Records in groups that do not share a class, because some classes had fewer than k members.
    """

    k: int
    group: np.ndarray
    row: np.ndarray
    joined: int = 0

    def taken(self, values: np.ndarray) -> np.ndarray:
        """Return values as they are released; rows of a table move as a whole.

        Parameters
        ----------
        values : (n, ...) array
        """
        values = np.asarray(values)
        if len(values) != len(self.row):
            raise InputError(
                "There are {values:,} rows of values for {records:,} records.",
                values=len(values),
                records=len(self.row),
            )
        return values[self.row]

    def alike(self, values: Sequence[Hashable]) -> np.ndarray:
        """Return which records have the value of everybody in their group, (n,) bool.

        Of them the exchange hides nothing: whoever knows the group knows the value. Missing values
        (None, NaN) count as one.
        """
        return self._having(values) == self.sizes

    def singled(self, values: Sequence[Hashable]) -> np.ndarray:
        """Return which records have a value that nobody else in their group has, (n,) bool.

        Whoever knows that value of such a person knows which row is hers, and so all that was
        exchanged together with it.
        """
        return self._having(values) == 1

    def guessed(self, values: Sequence[Hashable]) -> tuple[int, int]:
        """Return of how many records the value is guessed right, with the release and without.

        Returns
        -------
        in_groups : int
            By whoever takes for each record the value that most of its group have.
        at_all : int
            By whoever takes the value that most of all have.
        """
        many = self._having(values)
        most = np.zeros(self.group.max(initial=-1) + 1, dtype=np.int64)
        np.maximum.at(most, self.group, many)
        return int(most.sum()), int(np.bincount(_codes(values)).max(initial=0))

    def _having(self, values: Sequence[Hashable]) -> np.ndarray:
        """How many of its group have a record's value, itself among them, (n,)."""
        code = _codes(values)
        if len(code) != len(self.group):
            raise InputError(
                "There are {values:,} rows of values for {records:,} records.",
                values=len(code),
                records=len(self.group),
            )
        both = self.group * (code.max(initial=0) + 1) + code
        _, which, many = np.unique(both, return_inverse=True, return_counts=True)
        return many[which.ravel()]

    def in_words(self) -> str:
        """See :class:`.Summarised`."""
        groups = int(self.group.max(initial=-1)) + 1
        return (
            f"Values of {len(self.group):,} records exchanged in {groups:,} groups of at least "
            f"{self.k} who live near each other; values are one's own with probability "
            f"{self.chance.max(initial=0.0):.3g} at most"
        )


def exchange(
    points: np.ndarray,
    metric: Metric,
    k: int,
    rng: np.random.Generator,
    classes: Sequence[Hashable] | None = None,
    progress: Progress = silent,
) -> Exchange:
    """Put records into groups of k neighbours, and deal out their values anew in each.

    Parameters
    ----------
    points : (n, 2) array
        In the metric's own coordinates.
    metric : Metric
    k : int
        Least size of a group; no group has 2 k or more.
    rng : numpy.random.Generator
        Deals out. As secret as the values.
    classes : sequence of length n, optional
        Records of a group share theirs: sex, say, so that what is known of values by sex stays
        exact. Groups then reach further: with c classes of a size, to the c-fold number of
        neighbours. Classes with fewer than k records are put together.
    progress : Progress
        May raise Cancelled.

    Returns
    -------
    Exchange

    Raises
    ------
    InputError
        If k is below two, there are fewer than k records, or the parts differ in length.
    """
    group, joined = neighbour_groups(points, metric, k, classes, progress)
    dealt = np.lexsort((rng.random(len(group)), group))
    row = np.empty(len(group), dtype=np.int64)
    row[np.argsort(group, kind="stable")] = dealt
    return Exchange(k, group, row, joined)


def neighbour_groups(
    points: np.ndarray,
    metric: Metric,
    k: int,
    classes: Sequence[Hashable] | None = None,
    progress: Progress = silent,
) -> tuple[np.ndarray, int]:
    """Put records into groups of k to 2 k - 1 who live near each other (MDAV).

    The arguments are those of :func:`exchange`. In O(n^2 / k) steps, and memory for some numbers a
    record.

    Returns
    -------
    group : (n,) int64 array
        From 0 without a gap.
    joined : int
        Records in groups that do not share a class, because some classes had fewer than k members.
    """
    count = len(points)
    if k < 2:
        raise InputError("A group has to hold at least two records.")
    if count < k:
        raise InputError(
            "There are {records}; a group needs {k:,}.",
            records=number_of(count, "record", "records"),
            k=k,
        )
    if classes is not None and len(classes) != count:
        raise InputError(
            "There are {classes:,} classes for {records:,} records.",
            classes=len(classes),
            records=count,
        )
    code = np.zeros(count, np.int64) if classes is None else _codes(classes)
    points = np.asarray(points, dtype=np.float64)
    vectors = points if metric.name == "planar" else unit_vectors(points)
    group = np.full(count, -1, dtype=np.int64)
    groups = done = joined = 0
    for some in _parts(code, k):
        for members in _mdav(vectors[some], k):
            progress(done / count)
            rows = some[members]
            group[rows] = groups
            joined += len(rows) if (code[rows] != code[rows[0]]).any() else 0
            groups += 1
            done += len(members)
    progress(1.0)
    return group, joined


def _parts(code: np.ndarray, k: int) -> list[np.ndarray]:
    """Rows of each class; those of classes that are too small are put together."""
    rows = np.split(np.argsort(code, kind="stable"), np.cumsum(np.bincount(code))[:-1])
    parts = [some for some in rows if len(some) >= k]
    small = [some for some in rows if len(some) < k]
    if small:
        rest = np.sort(np.concatenate(small))
        if len(rest) < k:  # they go to the smallest class that is large enough
            least = min(range(len(parts)), key=lambda at: len(parts[at]))
            rest = np.sort(np.concatenate([parts.pop(least), rest]))
        parts.append(rest)
    return parts


def _mdav(vectors: np.ndarray, k: int):
    """Groups of rows, those at the rim first: whoever is farthest out, with his nearest."""
    # Squares of coordinates far from zero would lose the digits that tell neighbours apart.
    vectors = vectors - vectors.mean(axis=0)
    left = np.arange(len(vectors))
    while len(left) >= 2 * k:
        centre = vectors[left].mean(axis=0)
        first = left[np.argmax(_squares(vectors[left], centre))]
        away = _squares(vectors[left], vectors[first])
        second = left[np.argmax(away)]
        chosen = _nearest(away, k)
        yield left[chosen]
        left = left[~chosen]
        if len(left) >= 2 * k and second in left:
            chosen = _nearest(_squares(vectors[left], vectors[second]), k)
            yield left[chosen]
            left = left[~chosen]
    yield left


def _squares(vectors: np.ndarray, centre: np.ndarray) -> np.ndarray:
    return ((vectors - centre) ** 2).sum(axis=1)


def _nearest(squares: np.ndarray, k: int) -> np.ndarray:
    """Which are the k least, (n,) bool; of those at the same distance the first."""
    last = np.partition(squares, k - 1)[k - 1]
    chosen = squares < last
    tied = np.flatnonzero(squares == last)
    chosen[tied[: k - int(chosen.sum())]] = True
    return chosen


def _codes(values: Sequence[Hashable]) -> np.ndarray:
    """Numbers of values, by their first appearance; all that is missing is one, (n,)."""
    codes: dict[Hashable, int] = {}
    return np.array([codes.setdefault(_plain(one), len(codes)) for one in values], np.int64)


def _plain(value: Hashable) -> Hashable:
    """A value under which all that is missing is one."""
    return None if value is None or value != value else value
