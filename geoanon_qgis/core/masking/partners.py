# SPDX-License-Identifier: GPL-2.0-or-later
"""Exchange(k): every address gets k partners, and is released at one of them.

The partner graph joins each of the candidates (all addresses, from a public list) to k of them,
itself included. Partnership is mutual, and the graph is nearly as short as it can be. A record is
released at a random partner of its place.

**What is guaranteed.** A released point y can come from exactly k candidates, the partners of y,
and from each with probability 1/k: f(y | c) = 1/k. With prior weights w the posterior given y alone
is w_c / (sum of w over the partners of y); with equal weights it is 1/k for all of them, for whoever
knows the list, the graph and the method. The matrix of these
probabilities is doubly stochastic: released points of a random sample of addresses are spread as
the sample is.

**What is not**: several fresh draws for one place tell it (so the draw is kept: numbers come from a
secret and the place); attributes that are known for all addresses (build the graph within classes);
records that stand close together, because they are then distinct partners of the same released
points (:mod:`.joint_chances`; likeliest record of random files in a Dutch town, k = 3, 5, 10, 20:
.42, .23, .11, .053 where one address in a hundred was in the file, .62, .35, .14, .063 where one in
ten was; of 160 records among 200 neighbours, less than 3 % of the list: .99, .97, .37, .13); several
records at one place, by which large houses are known; and whoever knows that a person *is* in the file, and asks which record is
hers (see :mod:`.record_groups`).

A k-regular graph is a b-matching in which everybody has room for k - 1 others; the shortest would be
found by integer programming. Ours is greedy, repaired and improved by swaps: about 1 to 2 % longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.memory import refuse_unless_fits
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import Sentence, number_of
from ..space.points import as_points, places
from .partner_search import net_of
from .partner_tiles import in_tiles, regular_graph

#: Near neighbours that partners are looked for among, for each of them.
NEAR = 3
#: Bytes that one partner of one address takes while the graph is made, on the safe side: of a
#: million addresses in tiles it was 57.
BYTES = 150.0
#: Places times partners from which the graph is made in tiles. A constant: the same addresses
#: have the same partners on every machine.
AT_ONCE = 12_000_000


@dataclass(frozen=True, eq=False, repr=False)
class PartnerGraph(Summarised):
    """Who may be released where. Private: it tells what a released point can come from.

    Attributes
    ----------
    xy : (n, 2) array
        The candidates, metres.
    k : int
        Partners of each, itself included.
    partners : (n, k) int32 array
        Rows of the partners, by x, then y; -1 for candidates that are withheld.
    """

    xy: np.ndarray
    k: int
    partners: np.ndarray

    @property
    def withheld(self) -> np.ndarray:
        """Candidates that have no partners: a record there is not released, (n,) bool."""
        return self.partners[:, 0] < 0

    @property
    def mean_shift(self) -> float:
        """Mean distance over all candidates and their partners, in metres."""
        rows = np.flatnonzero(~self.withheld)
        lengths = [
            np.hypot(*(self.xy[rows] - self.xy[column[rows]]).T).mean()
            for column in self.partners.T
        ]
        return float(np.mean(lengths))

    def reached(self, places: np.ndarray) -> np.ndarray:
        """Return the addresses at which places may be released, each once."""
        partners = self.partners[places]
        return np.unique(partners[partners >= 0])

    def partner_of(self, place: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """Choose a partner for each place.

        Parameters
        ----------
        place : (m,) int array
            Rows of candidates.
        uniforms : (m,) array
            Numbers in [0, 1), one for each: kept draws, so that the same place has the same number
            in every release. With another list the same number is another partner, and both
            together tell the place: keep where places were put.

        Returns
        -------
        (m,) int64 array
            Rows of candidates; -1 for those that are withheld.

        Raises
        ------
        InputError
            If the parts differ in length, or a row or a number is none.
        """
        place, uniforms = np.asarray(place), np.asarray(uniforms, dtype=np.float64)
        refuse_unless_draws(place, uniforms, len(self.xy))
        slot = np.minimum((uniforms * self.k).astype(np.intp), self.k - 1)
        return self.partners[place, slot].astype(np.int64)

    def in_words(self) -> str:
        """See :class:`.Summarised`."""
        left_out = int(self.withheld.sum())
        said = (
            f"{number_of(len(self.xy), 'address', 'addresses')}, each with {self.k} partners, itself"
            f" included; mean shift {self.mean_shift:.3g} m"
        )
        return f"{said}; {left_out:,} without partners" if left_out else said


def refuse_unless_draws(place: np.ndarray, uniforms: np.ndarray, count: int) -> None:
    """Refuse rows that are no candidates, and numbers that are not in [0, 1).

    Raises
    ------
    InputError
    """
    if place.shape != uniforms.shape:
        raise InputError(
            "There are {numbers:,} random numbers for {records:,} places.",
            numbers=len(uniforms),
            records=len(place),
        )
    refuse_unless_rows(place, count)
    if not ((uniforms >= 0) & (uniforms < 1)).all():
        raise InputError("Random numbers must be from 0 to below 1.")


def refuse_unless_rows(place: np.ndarray, count: int) -> None:
    """Refuse rows that are no candidates.

    Raises
    ------
    InputError
    """
    if len(place) and not (place.min() >= 0 and place.max() < count):
        raise InputError("Some places are none of the {count:,} addresses.", count=count)


def partner_graph(
    xy: np.ndarray,
    k: int,
    classes: Sequence | np.ndarray | None = None,
    progress: Progress = silent,
    at_once: int = AT_ONCE,
) -> PartnerGraph:
    """Give every address k partners, itself included, mutually and nearly as near as can be.

    The same for any order of the rows, and with and without numba.

    Parameters
    ----------
    xy : (n, 2) array
        Distinct places of a public list, in metres of a plane.
    k : int
        At least 2.
    classes : sequence of length n, optional
        Partners share theirs. Classes of fewer than k addresses are withheld.
    progress : Progress
        May raise Cancelled.
    at_once : int
        Places times partners above which the graph is made in tiles, which are then joined. For
        one address list always the same, or partners differ.

    Returns
    -------
    PartnerGraph
        Proved by :func:`check_partners`. Where the number of addresses and k - 1 are both odd no
        such graph exists: the address that is farthest from its neighbours is withheld.

    Raises
    ------
    InputError
        If k is below 2, there are fewer than k addresses, or two at one place.
    """
    xy = as_points(xy, Sentence("addresses"))
    k = int(k)
    if k < 2:
        raise InputError(
            "An address needs at least 2 partners, itself included; with {k} nothing would move.",
            k=k,
        )
    found = places(xy)
    if len(found.xy) < len(xy):
        raise InputError(
            "{places} in the address list more than once; give each place one row, and the number"
            " of its dwellings as a weight.",
            places=number_of(int((found.count > 1).sum()), "place is", "places are"),
        )
    refuse_unless_fits(
        BYTES * min(len(xy) * k, at_once) + 8.0 * len(xy) * k,
        number_of(len(xy), "address", "addresses"),
        Sentence("a graph of {k} partners each", k=k),
        Sentence("Leave out addresses far from all records, or take fewer partners."),
    )
    # In the order of their places, so that the order of the rows does not matter.
    order = np.argsort(found.of_point, kind="stable")
    partners = np.full((len(xy), k), -1, dtype=np.int32)
    groups = [np.arange(len(xy))] if classes is None else by_class(classes, order)
    largest = max(len(rows) for rows in groups) if groups else 0
    if largest < k:
        raise InputError(
            "There are {addresses}{alike}; {k:,} partners need at least as many.",
            addresses=number_of(largest, "address", "addresses"),
            alike="" if classes is None else Sentence(" in the largest class"),
            k=k,
        )
    done = 0
    for rows in groups:
        told = part(progress, done / len(xy), (done + len(rows)) / len(xy))
        done += len(rows)
        if len(rows) >= k:
            kept, joined = _regular(found.xy[rows], k, at_once, told)
            partners[rows[kept]] = np.sort(rows[kept][joined], axis=1)
    # From the order of the places to the rows, keeping the order of partners.
    by_row = np.empty_like(partners)
    by_row[order] = np.where(partners < 0, -1, order[partners])
    check_partners(by_row, k)
    progress(1.0)
    return PartnerGraph(xy, k, by_row)


def by_class(classes: Sequence | np.ndarray, order: np.ndarray) -> list[np.ndarray]:
    """Positions in the order of the places, for each class."""
    if len(classes) != len(order):
        raise InputError(
            "There are {classes:,} classes for {addresses:,} addresses.",
            classes=len(classes),
            addresses=len(order),
        )
    codes: dict = {}
    code = np.array([codes.setdefault(one, len(codes)) for one in classes], dtype=np.int64)[order]
    ordered = np.argsort(code, kind="stable")
    return np.split(ordered, np.cumsum(np.bincount(code))[:-1])


def _regular(
    xy: np.ndarray, k: int, at_once: int, progress: Progress
) -> tuple[np.ndarray, np.ndarray]:
    """Rows that have partners, and the graph of these: (m,) and (m, k) with themselves first."""
    kept = np.arange(len(xy))
    if (len(xy) * (k - 1)) % 2:
        # Degrees add up to twice the edges: an odd sum cannot be.
        far = net_of(xy, k - 1)
        last = far.length(kept, far.near[:, -1])
        kept = np.delete(kept, int(last.argmax()))
        xy = xy[kept]
    if len(xy) * k > at_once:
        others = in_tiles(xy, k - 1, NEAR * k, max(at_once // k, 8 * k), progress)
    else:
        others = regular_graph(xy, k - 1, NEAR * k, progress)
    return kept, np.column_stack([np.arange(len(xy), dtype=np.int32), others])


def check_partners(partners: np.ndarray, k: int) -> None:
    """Prove on the structure that an exchange holds what it promises.

    Everybody who is not withheld has exactly k different partners, is one of them, and is a
    partner of all of them. Nothing is taken from how the graph was made.

    Parameters
    ----------
    partners : (n, k) int array
        -1 throughout for those that are withheld.
    k : int

    Raises
    ------
    InputError
        If it is not so.
    """
    count = len(partners)
    if partners.shape != (count, k):
        raise _broken()
    here = np.flatnonzero((partners >= 0).any(axis=1))
    rows = partners[here].astype(np.int64)
    if rows.size == 0:
        return
    if rows.min() < 0 or rows.max() >= count or (partners[rows.ravel(), 0] < 0).any():
        raise _broken()
    ordered = np.sort(rows, axis=1)
    different = (np.diff(ordered, axis=1) > 0).all()
    with_self = ((rows == here[:, None]).sum(axis=1) == 1).all()
    # Mutual: the pairs seen from the one end are those seen from the other.
    there = np.sort((here[:, None] * count + ordered).ravel())
    back = np.sort((ordered * count + here[:, None]).ravel())
    if not (different and with_self and np.array_equal(there, back)):
        raise _broken()


def _broken() -> InputError:
    return InputError(
        "The partners do not hold what an exchange promises: everybody must have the same number of"
        " different partners, mutually, and be one of them. Nothing is released."
    )
