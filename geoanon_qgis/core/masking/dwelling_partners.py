# SPDX-License-Identifier: GPL-2.0-or-later
"""Exchange(k) of dwellings: every dwelling gets k partners, and is released at the address of one.

As :mod:`.partners`, with an address that has w dwellings as w vertices at one place: each dwelling has
exactly k partner dwellings, itself included, mutually. Nobody knows in which dwelling of an address a
record belongs, and all its records move together: a place is released at the address of a random
partner of a random dwelling of it.

**What is guaranteed.** Let n_ab be the number of pairs of partners of which one is a dwelling of
address a, the other one of b. A place a is released at b with f(b | a) = n_ab / (w_a k). All dwellings
being as likely beforehand, those of all addresses together give the sum over a of w_a f(b | a) =
(sum of n_ab) / k = w_b, for each dwelling of b has k partners. So a point at b is of a certain dwelling
of a with probability n_ab / (w_a w_b k), and since no dwelling of a has more than min(k, w_b) partners
in b, n_ab <= w_a min(k, w_b): **no dwelling is likelier than 1/k**, by that point alone. Of an
address it is n_ab / (w_b k) <= min(1, w_a / k): a house with one dwelling is likely with 1/k at most, too.

**What is not.** Houses are not hidden: where an address has k dwellings or more, nearly all partners
of these are among themselves, and its records are mostly released where they are. That they live in
that house is then nearly known, and not which household it is. The rest as in :mod:`.partners`.
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
from ..space.points import as_points, build_tree, places
from .partner_tiles import in_tiles, regular_graph
from .partners import AT_ONCE, BYTES, NEAR, by_class, check_partners, refuse_unless_draws

#: Dwellings of one address are told apart, while partners are looked for, by this part of the extent.
_HAIR = 2.0**-40


@dataclass(frozen=True, eq=False, repr=False)
class DwellingGraph(Summarised):
    """Who may be released where. Private, as :class:`.PartnerGraph`.

    Attributes
    ----------
    xy : (n, 2) array
        The addresses, metres.
    k : int
    dwellings : (n,) int64 array
        Of each address.
    withheld : (n,) bool array
        Addresses without partners: a record there is not released.
    first : (n + 1,) int64 array
        Where the dwellings of each address begin; those that are withheld have none.
    partners : (d, k) int32 array
        Addresses of the partners of each dwelling.
    """

    xy: np.ndarray
    k: int
    dwellings: np.ndarray
    withheld: np.ndarray
    first: np.ndarray
    partners: np.ndarray

    def partner_of(self, place: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
        """Choose an address for each place; as :meth:`.PartnerGraph.partner_of`."""
        place, uniforms = np.asarray(place), np.asarray(uniforms, dtype=np.float64)
        refuse_unless_draws(place, uniforms, len(self.xy))
        ways = np.diff(self.first)[place] * self.k
        slot = np.minimum((uniforms * ways).astype(np.int64), np.maximum(ways - 1, 0))
        found = np.full(len(place), -1, dtype=np.int64)
        there = ways > 0
        at = self.first[place[there]] * self.k + slot[there]
        found[there] = self.partners.ravel()[at]
        return found

    def reached(self, places: np.ndarray) -> np.ndarray:
        """Return the addresses at which places may be released, each once."""
        rows = [self.partners[self.first[one] : self.first[one + 1]] for one in places.tolist()]
        return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *(r.ravel() for r in rows)]))

    def explained_by(self, released: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the addresses from which each of some points can come, and in how many ways.

        Parameters
        ----------
        released : (m,) int array
            Addresses at which points were released.

        Returns
        -------
        first : (m + 1,) int64 array
            Where the addresses of each point begin.
        address : (p,) int64 array
        pairs : (p,) int64 array
            n_ab; w_b k in sum for each point.
        """
        many = np.diff(self.first)[released] * self.k
        point = np.repeat(np.arange(len(released)), many)
        within = np.arange(len(point)) - np.repeat(np.cumsum(many) - many, many)
        address = self.partners.ravel()[np.repeat(self.first[released] * self.k, many) + within]
        codes, pairs = np.unique(point * len(self.xy) + address, return_counts=True)
        point = codes // len(self.xy)
        first = np.searchsorted(point, np.arange(len(released) + 1))
        return first, codes % len(self.xy), pairs

    def in_words(self) -> str:
        """See :class:`.Summarised`."""
        return (
            f"{number_of(len(self.partners), 'dwelling', 'dwellings')} at"
            f" {number_of(len(self.xy), 'address', 'addresses')}, each with {self.k} partners, itself"
            f" included; {int(self.withheld.sum()):,} addresses without partners"
        )


def dwelling_graph(
    xy: np.ndarray,
    dwellings: np.ndarray,
    k: int,
    classes: Sequence | np.ndarray | None = None,
    progress: Progress = silent,
    at_once: int = AT_ONCE,
) -> DwellingGraph:
    """Give every dwelling k partners, itself included, mutually and nearly as near as can be.

    The same for any order of the rows, and with and without numba. With one dwelling at each
    address, and nobody left out, the partners are those of :func:`.partners.partner_graph`.

    Parameters
    ----------
    xy : (n, 2) array
        Distinct places of a public list, in metres of a plane.
    dwellings : (n,) array
        Whole numbers, 0 or more; an address without a dwelling is withheld.
    k : int
        At least 2.
    classes : sequence of length n, optional
        Partners share theirs. Classes of fewer than k dwellings are withheld.
    progress : Progress
    at_once : int
        As in :func:`.partners.partner_graph`.

    Returns
    -------
    DwellingGraph
        Proved by :func:`.partners.check_partners`, dwelling by dwelling. Where the number of
        dwellings and k - 1 are both odd no such graph exists: of the addresses with the least odd
        number of dwellings the one farthest from its neighbour is withheld, and if that leaves
        fewer than k dwellings, all are.

    Raises
    ------
    InputError
        If k is below 2, there are fewer than k dwellings, two addresses at one place, or numbers
        of dwellings that are none.
    """
    xy = as_points(xy, Sentence("addresses"))
    counted = _checked(xy, dwellings, k)
    found = places(xy)
    if len(found.xy) < len(xy):
        raise InputError("Some addresses are listed more than once: add up their dwellings.")
    order = np.argsort(found.of_point, kind="stable")
    units = counted[order]
    total = int(units.sum())
    refuse_unless_fits(
        BYTES * min(total * k, at_once) + 8.0 * total * k,
        number_of(total, "dwelling", "dwellings"),
        Sentence("a graph of {k} partners each", k=k),
        Sentence("Leave out addresses far from all records, or take fewer partners."),
    )
    groups = [np.arange(len(xy))] if classes is None else by_class(classes, order)
    largest = max((int(units[rows].sum()) for rows in groups), default=0)
    if largest < k:
        raise InputError(
            "There are {dwellings}{alike}; {k:,} partners need at least as many.",
            dwellings=number_of(largest, "dwelling", "dwellings"),
            alike="" if classes is None else Sentence(" in the largest class"),
            k=k,
        )
    parts, done = [], 0
    for rows in groups:
        told = part(progress, 0.9 * done / len(xy), 0.9 * (done + len(rows)) / len(xy))
        done += len(rows)
        rows = _even(found.xy, units, rows[units[rows] > 0], k)
        if units[rows].sum() >= k:
            parts.append((rows, _joined(found.xy[rows], units[rows], k, at_once, told)))
    made = _by_row(xy, k, counted, order, parts)
    progress(1.0)
    return made


def _checked(xy: np.ndarray, dwellings: np.ndarray, k: int) -> np.ndarray:
    if k < 2:
        raise InputError(
            "A dwelling needs at least 2 partners, itself included; with {k} nothing would move.",
            k=k,
        )
    given = np.asarray(dwellings, dtype=np.float64)
    good = np.isfinite(given) & (given >= 0) & (given == np.floor(given)) & (given < 2**31)
    if given.shape != (len(xy),) or not good.all():
        raise InputError(
            "Some addresses have no whole number of dwellings. Give each 0, 1, 2 and so on, or let"
            " addresses be exchanged in the place of dwellings."
        )
    return given.astype(np.int64)


def _even(xy: np.ndarray, units: np.ndarray, rows: np.ndarray, k: int) -> np.ndarray:
    """Leave out an address where an odd number of dwellings cannot have k - 1 partners each."""
    if not units[rows].sum() * (k - 1) % 2 or len(rows) < 2:
        return rows if not units[rows].sum() * (k - 1) % 2 else rows[:0]
    odd = np.flatnonzero(units[rows] % 2)
    odd = odd[units[rows[odd]] == units[rows[odd]].min()]
    away = build_tree(xy[rows]).query(xy[rows[odd]], k=2)[0][:, 1]
    return np.delete(rows, int(odd[away.argmax()]))


def _joined(
    xy: np.ndarray, units: np.ndarray, k: int, at_once: int, progress: Progress
) -> np.ndarray:
    """Partners of each dwelling of some addresses, itself first: (d, k) rows of dwellings."""
    nth = np.arange(units.sum()) - np.repeat(np.cumsum(units) - units, units)
    hair = _HAIR * max(1.0, float(np.abs(xy - xy.mean(axis=0)).max()))
    spread = np.repeat(xy, units, axis=0)
    spread[:, 0] += hair * nth
    count, near = len(spread), NEAR * k
    if count * k > at_once:
        others = in_tiles(spread, k - 1, near, max(at_once // k, 8 * k), progress)
    else:
        others = regular_graph(spread, k - 1, near, progress)
    partners = np.column_stack([np.arange(count, dtype=np.int32), others])
    check_partners(partners, k)
    return partners


def _by_row(
    xy: np.ndarray,
    k: int,
    dwellings: np.ndarray,
    order: np.ndarray,
    parts: list[tuple[np.ndarray, np.ndarray]],
) -> DwellingGraph:
    """Put the graphs of classes together, in the rows of the list."""
    withheld = np.ones(len(xy), dtype=bool)
    for rows, _ in parts:
        withheld[order[rows]] = False
    first = np.concatenate([[0], np.cumsum(np.where(withheld, 0, dwellings))])
    made = np.full((int(first[-1]), k), -1, dtype=np.int32)
    for rows, partners in parts:
        own = order[rows]
        units = dwellings[own]
        address = np.repeat(own, units)
        nth = np.arange(units.sum()) - np.repeat(np.cumsum(units) - units, units)
        # Partners in the order of their places, so that the order of the rows does not matter.
        made[np.repeat(first[own], units) + nth] = address[np.sort(partners, axis=1)]
    return DwellingGraph(xy, k, dwellings, withheld, first, made)
