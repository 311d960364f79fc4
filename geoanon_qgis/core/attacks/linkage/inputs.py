# SPDX-License-Identifier: GPL-2.0-or-later
"""What every linkage attack is given: labels and distances that belong together, in one unit."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...distances.matrix import DistanceMatrix, check
from ...runtime.errors import InputError
from ...runtime.wording import Sentence, number_of
from ...space.metrics import Metric
from .intervals import Rule, contracts
from .known_links import row_names
from .several_releases import all_of, by_ids, joined
from .shared_labels import IntersectingSets


@dataclass(frozen=True, eq=False)
class Files:
    """A release, the people whom the adversary knows, and what he knows of the release.

    Attributes
    ----------
    target_labels : sequence of length n1
        Quasi-identifiers of the released records, in the order of the matrix; a tuple for each.
        None, or a tuple with None in it, leaves a record out.
    released : DistanceMatrix, or several
        Of the n1 released records; several releases of the same records, or of some of the same,
        all by the same rule, are put together.
    known_labels : sequence of length n2
    known : (n2, 2) array
        Stored coordinates of the known people.
    metric : Metric
        In which the release measured distances.
    rule : Rule
        How the release was made; see :mod:`.compatibility`. The attack through people who live
        near each other takes a :class:`.near_weights.Contraction`, too.
    unit_length : float, optional
        Length of one unit of the matrix in that of the metric; by default from the matrix's
        ``unit``: 1 for m and for none, 1000 for km.
    rounding : (float, float)
        By how much a released distance may stand below and above what it was before it was
        rounded, in the unit of the matrix; see :meth:`.Intervals.widened`.
    known_links : sequence of (int, int)
        Rows of a record and of its person, which are held fixed: matches have to go with them, and
        they are not among these.
    known_ids : sequence of str, optional
        Names of the known people, for sentences.
    partners : sequence of (n1,) int arrays, optional
        Of each further release, the row of each record of the first in it, -1 for none; by their
        ids where left out. See :func:`.release_links.link_releases`.
    """

    target_labels: Sequence[Hashable]
    released: DistanceMatrix | Sequence[DistanceMatrix]
    known_labels: Sequence[Hashable]
    known: np.ndarray
    metric: Metric
    rule: Rule
    unit_length: float | None = None
    rounding: tuple[float, float] = (0.0, 0.0)
    known_links: Sequence[tuple[int, int]] = ()
    known_ids: Sequence[str] | None = None
    partners: Sequence[np.ndarray] | None = None

    def settled(self) -> Settled:
        """Put several releases together, and refuse what does not belong together.

        Raises
        ------
        InputError
            If there are not as many labels as records or people, the matrices do not go together or
            hold no distances, or nothing tells how long their unit is.
        """
        partners = self.partners
        if partners is None:
            partners = by_ids(all_of(self.released))
        matrix = joined(self.released, contracts(self.rule), partners)
        refuse_what_does_not_fit(self.target_labels, matrix, self.known_labels, self.known)
        length = self.unit_length
        if length is None:
            length = unit_length_of(matrix.unit, self.metric)
        return Settled(
            matrix,
            tuple(float(np.mean(rows >= 0)) for rows in partners),
            np.asarray(self.known, dtype=np.float64),
            length,
            (length * self.rounding[0], length * self.rounding[1]),
            (matrix.ids, self.known_ids or row_names(len(self.known))),
        )

    def of_neighbours(self, rng: np.random.Generator) -> Files:
        """Return an ISGP release for attacks that compare numbers, and others as they are.

        See :mod:`.shared_labels`.
        """
        rule = self.rule
        if not isinstance(rule, IntersectingSets):
            return self
        released, length = self.single(), self.unit_length
        if length is None:
            length = unit_length_of(released.unit, self.metric)
        square = rule.smeared(released.square() * length, rng) / length
        condensed = square[np.triu_indices(len(square), 1)]
        matrix = DistanceMatrix(condensed, released.ids, released.unit)
        return replace(self, released=matrix, metric=rule.seen(self.metric))

    def single(self) -> DistanceMatrix:
        """Return the one release there is."""
        if isinstance(self.released, DistanceMatrix):
            return self.released
        if len(self.released) != 1:
            raise InputError("ISGP releases are attacked one at a time. Give one of them.")
        return self.released[0]

    @property
    def links(self) -> np.ndarray:
        """Known links, (l, 2)."""
        return np.array([tuple(one) for one in self.known_links], dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class Settled:
    """Files that belong together, as attacks work on them.

    Attributes
    ----------
    matrix : DistanceMatrix
        Of all releases.
    shares : tuple of float
        Of each further release, the share of the records that it tells of, too.
    points : (n2, 2) array
        Stored coordinates of the known people.
    length : float
        Of one unit of the matrix, in that of the metric.
    rounding : (float, float)
        In the unit of the metric.
    names : (sequence of str, sequence of str)
        Of the records and of the people.
    """

    matrix: DistanceMatrix
    shares: tuple[float, ...]
    points: np.ndarray
    length: float
    rounding: tuple[float, float]
    names: tuple[Sequence[str], Sequence[str]]

    def square(self) -> np.ndarray:
        """Return the released distances in the unit of the metric, (n1, n1)."""
        square = self.matrix.square()
        square *= self.length
        return square


def refuse_what_does_not_fit(
    target_labels: Sequence[Hashable],
    released: DistanceMatrix,
    identification_labels: Sequence[Hashable],
    identification_points: np.ndarray,
) -> None:
    """Refuse labels that are not as many as the records they belong to, and no distance matrix.

    Raises
    ------
    InputError
    """
    if len(target_labels) != len(released):
        raise InputError(
            "The released table has {records} and the matrix {released:,}. They have to be "
            "the same records in the same order.",
            records=number_of(len(target_labels), "record", "records"),
            released=len(released),
        )
    if len(identification_labels) != len(identification_points):
        raise InputError(
            "The identification file has {labels} and {points}.",
            labels=number_of(len(identification_labels), "label", "labels"),
            points=number_of(len(identification_points), "point", "points"),
        )
    check(released, Sentence("released matrix"))


def unit_length_of(unit: str, metric: Metric) -> float:
    """Return how long a unit of the released matrix is in the metric's; a name is all it has.

    Raises
    ------
    InputError
        If the two names do not tell.
    """
    if not unit or unit == metric.unit:
        return 1.0
    if metric.unit != "m" or unit != "km":
        raise InputError(
            "The released distances are in '{unit}' and the metric measures in '{own}'. Say "
            "how long the unit is.",
            unit=unit,
            own=metric.unit,
        )
    return 1000.0
