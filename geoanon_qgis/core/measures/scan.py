# SPDX-License-Identifier: GPL-2.0-or-later
"""Kulldorff's spatial scan statistic: where are more cases than the population lets expect?

Of all circles z (:mod:`.scan_circles`) the one is the most likely cluster whose likelihood ratio is
largest. With C cases of W people, c of them among the w people of the circle, so that n = C w / W
are expected there,

    LLR(z) = c log(c / n) + (C - c) log((C - c) / (C - n))    where c > n, else 0           (1)

which is the Poisson model given C. Its significance comes from draws: C cases fall on the population
at random, and the largest LLR of each draw is noted. With R draws,
p = (1 + draws that reach it) / (R + 1).

Kulldorff, M. (1997). A spatial scan statistic. Communications in Statistics: Theory and Methods
26(6), 1481-1496, doi 10.1080/03610929708831995.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..runtime import accel
from ..runtime.errors import InputError
from ..runtime.parallel import run_blocks
from ..runtime.progress import Progress, part, silent
from ..runtime.results import Summarised
from ..runtime.wording import number_of
from .scan_circles import Circles

#: Numbers looked up by one block of draws: less than a tenth of a second without numba.
_BLOCK = 2_000_000
#: Blocks that are begun together.
_BLOCKS = 64
#: Numbers that NumPy works on at a time.
_AT_ONCE = 2_000_000
#: Ratios that differ by less than this part are the same: what rounding leaves.
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Cluster:
    """One circle with more cases than expected.

    Attributes
    ----------
    xy : (2,) array
        Its centre.
    radius : float
        In the unit of the plane.
    sites : (i,) int64 array
        Rows of the sites inside.
    population, cases, expected : float
        Inside.
    llr : float
        Logarithm of the likelihood ratio (1).
    p : float
        By the draws, compared with the largest LLR of each; NaN without draws.
    """

    xy: np.ndarray
    radius: float
    sites: np.ndarray
    population: float
    cases: float
    expected: float
    total: float
    llr: float
    p: float

    @property
    def relative_risk(self) -> float:
        """Risk inside divided by the risk outside; infinite where no case is outside."""
        outside, expected = self.total - self.cases, self.total - self.expected
        return self.cases / self.expected * expected / outside if outside else np.inf

    def outline(self, corners: int = 72) -> np.ndarray:
        """Corners of the circle, (corners, 2)."""
        turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
        return self.xy + self.radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class Scan(Summarised):
    """What a scan finds.

    Attributes
    ----------
    clusters : tuple of Cluster
        The most likely one, then those that have no site in common with the ones before; none
        where no circle has more cases than expected.
    cases : float
        In all.
    draws : int
    """

    clusters: tuple[Cluster, ...]
    cases: float
    draws: int

    @property
    def llr(self) -> float:
        """Of the most likely cluster; 0 where there is none."""
        return self.clusters[0].llr if self.clusters else 0.0

    @property
    def p(self) -> float:
        """Of the most likely cluster; 1 where there is none, NaN without draws."""
        if not self.draws:
            return np.nan
        return self.clusters[0].p if self.clusters else 1.0

    def in_words(self) -> str:
        """Say how strong the most likely cluster is."""
        if not self.clusters:
            return "No circle has more cases than expected."
        best = self.clusters[0]
        said = (
            f"Most likely cluster: LLR {best.llr:.2f}, relative risk {best.relative_risk:.2f}, of"
            f" {number_of(len(self.clusters), 'cluster', 'clusters')} without an overlap"
        )
        return said + (f"; p = {best.p:.3g}" if self.draws else "")


def log_ratio(cases: np.ndarray, expected: np.ndarray, total: float) -> np.ndarray:
    """LLR (1) of circles, any shape.

    Parameters
    ----------
    cases, expected : array
        Inside; 0 is the answer where nothing is expected, or it is no number.
    total : float
        Cases in all.
    """
    cases, expected = np.broadcast_arrays(cases, expected)
    found = np.zeros(cases.shape)
    high = (cases > expected * (1 + _SAME)) & (expected > 0)
    c, n = cases[high], expected[high]
    rest, left = total - c, total - n
    # No case outside: x log x is 0 there. A circle of half the population leaves n below the total.
    outside = np.where(rest > 0, rest * np.log(np.where(rest > 0, rest, 1.0) / left), 0.0)
    found[high] = np.maximum(c * np.log(c / n) + outside, 0.0)
    return found


def largest_of_draws(
    look_at: Circles,
    total: int,
    draws: int,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Largest LLR of each of some draws of cases at random over the population, (draws,).

    Parameters
    ----------
    look_at : Circles
    total : int
        Cases of a draw.
    draws : int
    rng : Generator
    progress : Progress
    """
    seeds = rng.integers(0, 2**63, draws)
    people = look_at.sites.population.cumsum()
    count = np.arange(total + 1, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        term = np.where(count > 0, count * np.log(count), 0.0)
        expected = total * (look_at.population / people[-1])
        inside, outside = np.log(expected), np.log(total - expected)
    # What is no circle expects more cases than there are.
    expected = np.where(np.isnan(expected), np.inf, expected)
    tables = (expected, inside, outside, term)

    def block(rows: slice) -> np.ndarray:
        found = np.empty(rows.stop - rows.start)
        for at, seed in enumerate(seeds[rows]):
            drawn = np.random.default_rng(seed).random(total) * people[-1]
            where = np.searchsorted(people, drawn, side="right")
            # In order: what is read one after the other lies side by side.
            where = np.sort(np.minimum(where, len(people) - 1))
            found[at] = _largest(look_at.ring, where, *tables)
        return found

    work = len(look_at.centre) * (total + look_at.sizes)
    size = max(1, _BLOCK // work)
    found = [np.empty(0)]
    # A pool that is given all of many blocks at once is slow to hear of a cancel.
    for some in range(0, draws, size * _BLOCKS):
        last = min(some + size * _BLOCKS, draws)
        blocks = [slice(start, min(start + size, last)) for start in range(some, last, size)]
        found += run_blocks(block, blocks, part(progress, some / draws, last / draws))
    progress(1.0)
    return np.concatenate(found)


def _largest(ring, where, expected, inside, outside, term) -> float:
    if accel.enabled():
        return float(_compiled(ring, where, expected, inside, outside, term))
    sizes, best = expected.shape[1], 0.0
    step = max(1, _AT_ONCE // (len(where) + sizes))
    for start in range(0, len(ring), step):
        rows = slice(start, start + step)
        some = ring[rows][:, where] + np.arange(len(ring[rows]))[:, None] * (sizes + 1)
        found = np.bincount(some.ravel(), minlength=len(ring[rows]) * (sizes + 1))
        c = found.reshape(-1, sizes + 1)[:, :sizes].cumsum(axis=1)
        high = c > expected[rows]
        c, total = c[high], len(where)
        value = term[c] - c * inside[rows][high] + term[total - c]
        value = value - (total - c) * outside[rows][high]
        best = max(best, float(value.max(initial=0.0)))
    return best


@accel.kernel
def _compiled(ring, where, expected, inside, outside, term):
    total, sizes, best = where.shape[0], expected.shape[1], 0.0
    counts = np.empty(sizes + 1, np.int64)
    for k in range(ring.shape[0]):
        counts[:] = 0
        for i in range(total):
            counts[ring[k, where[i]]] += 1
        c = 0
        for s in range(sizes):
            c += counts[s]
            if c > expected[k, s]:
                value = term[c] - c * inside[k, s] + term[total - c]
                value = value - (total - c) * outside[k, s]
                if value > best:
                    best = value
    return best


def scan(
    look_at: Circles, cases: np.ndarray, drawn: np.ndarray | None = None, most: int = 10
) -> Scan:
    """Find the most likely cluster, and secondary ones that do not touch it.

    Parameters
    ----------
    look_at : Circles
    cases : (m,) array
        At each site, zero or more; need not be whole.
    drawn : (r,) array, optional
        Largest LLR of draws of as many cases, of :func:`largest_of_draws`.
    most : int
        Clusters at most.

    Returns
    -------
    Scan

    Raises
    ------
    InputError
        If there are no cases, or numbers are negative or missing.
    """
    sites = look_at.sites
    cases = np.asarray(cases, dtype=np.float64)
    if cases.shape != sites.population.shape or not (np.isfinite(cases) & (cases >= 0)).all():
        raise InputError("Cases must be one number for each site, zero or more.")
    total = float(cases.sum())
    if not total > 0:
        raise InputError("A scan needs cases: there are none.")
    drawn = np.empty(0) if drawn is None else np.asarray(drawn)
    inside = look_at.sums(cases)
    expected = total * (look_at.population / sites.population.sum())
    ratio = log_ratio(inside, expected, total)
    size = np.arange(look_at.sizes)
    free = np.full(len(look_at.centre), look_at.sizes)
    found: list[Cluster] = []
    while len(found) < most:
        row, at = np.unravel_index(int(ratio.argmax()), ratio.shape)
        llr = float(ratio[row, at])
        if not llr > 0:
            break
        members = look_at.members(int(row), int(at))
        reached = np.count_nonzero(drawn >= llr * (1 - _SAME))
        found.append(
            Cluster(
                sites.xy[look_at.centre[row]],
                float(look_at.radius[row, at]),
                members,
                float(look_at.population[row, at]),
                float(inside[row, at]),
                float(expected[row, at]),
                total,
                llr,
                (1 + reached) / (len(drawn) + 1) if len(drawn) else np.nan,
            )
        )
        free = np.minimum(free, look_at.ring[:, members].min(axis=1))
        ratio[size >= free[:, None]] = 0.0
    return Scan(tuple(found), total, len(drawn))


@dataclass(frozen=True, eq=False, repr=False)
class ScanKept(Summarised):
    """What a mask keeps of the most likely cluster.

    Attributes
    ----------
    before, after : Scan
    jaccard : float
        Population in both most likely clusters, as a share of that in either; NaN where one of
        them has none.
    ratio : float
        LLR after, divided by that before; NaN where there was no cluster before.
    """

    before: Scan
    after: Scan
    jaccard: float
    ratio: float

    def in_words(self) -> str:
        """Say how much of the cluster is found again."""
        return (
            f"Jaccard index of the population in the most likely cluster {self.jaccard:.2f}, LLR"
            f" {self.before.llr:.2f} before and {self.after.llr:.2f} after"
        )


def kept(look_at: Circles, before: Scan, after: Scan) -> ScanKept:
    """Compare the most likely clusters of the originals and of the release."""
    people, jaccard = look_at.sites.population, np.nan
    if before.clusters and after.clusters:
        one, other = before.clusters[0].sites, after.clusters[0].sites
        both = people[np.intersect1d(one, other)].sum()
        jaccard = float(both / people[np.union1d(one, other)].sum())
    ratio = after.llr / before.llr if before.llr else np.nan
    return ScanKept(before, after, jaccard, ratio)
