# SPDX-License-Identifier: GPL-2.0-or-later
"""Regions clustered around sites, kept up to date while single sites move.

A trial says what the move of one site would change; only the clusters that lose or gain a
region are recounted. A commit makes it so. Both searches for better sites work on this.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..runtime import accel
from ..runtime.wording import Sentence
from ..space.points import as_points
from .construction import nearest_sites, squared_distances
from .equivalence_classes import EquivalenceClasses
from .evaluation import table_of

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

#: Anonymity of a cluster without records: never the lowest.
EMPTY = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Trial:
    """What a move would change.

    Attributes
    ----------
    site : int
    to : (float, float)
    regions : (m,) int array
        Regions whose nearest site would be another, or the same at another distance.
    owner : (m,) int array
        Their nearest sites after the move.
    squared : (m,) float array
        Their squared distances to it.
    clusters : (c,) int array
        Clusters that lose or gain a region, ascending.
    table : (c, classes) int array
        Their class counts after the move.
    smallest, suppressed, members, records : (c,) int64 arrays
        Smallest class, records in classes below k, regions and records after the move.
    """

    site: int
    to: tuple[float, float]
    regions: np.ndarray
    owner: np.ndarray
    squared: np.ndarray
    clusters: np.ndarray
    table: np.ndarray
    smallest: np.ndarray
    suppressed: np.ndarray
    members: np.ndarray
    records: np.ndarray


class Clusters:
    """Regions, their nearest sites and the class counts of each cluster.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    sites : (s, 2) array
    k : int

    Attributes
    ----------
    sites : (s, 2) array
        Where the sites are now.
    owner : (n,) int64 array
        Nearest site of each region.
    table : (s, classes) int32 array
    smallest, suppressed, members, records : (s,) int64 arrays
        Of each cluster; ``smallest`` is :data:`EMPTY` without records.

    Raises
    ------
    InputError
        If the table of sites by classes does not fit the memory.
    """

    def __init__(self, classes: EquivalenceClasses, xy: np.ndarray, sites: np.ndarray, k: int):
        xy = as_points(xy, Sentence("regions"))
        self.x, self.y = np.ascontiguousarray(xy[:, 0]), np.ascontiguousarray(xy[:, 1])
        self.xy = xy
        self.sites = as_points(sites, Sentence("sites")).copy()
        self.k = int(k)
        self.population = classes.population
        counts = classes.counts
        self._indptr = counts.indptr.astype(np.int64)
        self._indices, self._data = counts.indices, counts.data
        self._counts = counts
        owner, self.squared = nearest_sites(xy, self.sites)
        self.owner = owner.astype(np.int64)
        self.table = table_of(
            counts,
            self.owner,
            len(self.sites),
            Sentence("a search of better sites"),
            Sentence("Place the sites by balanced density, or choose fewer quasi-identifiers."),
        )
        self.smallest, self.suppressed = summaries(self.table, self.k)
        self.members = np.bincount(self.owner, minlength=len(self.sites)).astype(np.int64)
        self.records = _whole(np.bincount(self.owner, self.population, len(self.sites)))
        # Where the compiled search for the regions of a move writes them down.
        count = len(self.x)
        self._buffers = np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count)
        self._group()

    def _group(self) -> None:
        """Regions by cluster, and how far each cluster reaches."""
        self._order = np.argsort(self.owner, kind="stable")
        self._start = np.concatenate([[0], np.cumsum(self.members)])
        # A region is nearer to a new place than to its own site only if that place is within
        # twice the reach of the site; the factor covers what rounding may hide.
        farthest = np.zeros(len(self.sites))
        filled = np.flatnonzero(self.members)
        farthest[filled] = np.maximum.reduceat(self.squared[self._order], self._start[filled])
        self._reach = 4.0 * farthest * (1.0 + 1e-9)

    def regions_of(self, sites: np.ndarray) -> np.ndarray:
        """Regions whose nearest site is one of some sites."""
        return np.concatenate(
            [self._order[self._start[site] : self._start[site + 1]] for site in sites]
        )

    def regions_of_class(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        """Regions that hold members of a class, ascending, and how many."""
        counts = self._by_class
        cells = slice(counts.indptr[number], counts.indptr[number + 1])
        return counts.indices[cells], counts.data[cells]

    @cached_property
    def _by_class(self) -> csc_matrix:
        by_class = self._counts.tocsc()
        by_class.sort_indices()
        return by_class

    def counts_of(self, regions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Classes and counts of some regions: positions in ``regions``, classes, counts."""
        start, stop = self._indptr[regions], self._indptr[regions + 1]
        length = stop - start
        at = np.repeat(np.arange(len(regions)), length)
        offset = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        cells = start[at] + offset
        return at, self._indices[cells], self._data[cells]

    def trial(self, site: int, to: tuple[float, float]) -> Trial:
        """Work out what moving one site would change; nothing is changed yet."""
        regions, owner, squared = self._moved(site, *to)
        before = self.owner[regions]
        other = owner != before
        changed, before, after = regions[other], before[other], owner[other]
        clusters = np.unique(np.concatenate([before, after]))
        old, new = np.searchsorted(clusters, before), np.searchsorted(clusters, after)
        table, smallest = self.table[clusters], self.smallest[clusters]
        suppressed, members = self.suppressed[clusters], self.members[clusters]
        records = self.records[clusters]
        if len(changed):
            self._recount(changed, old, new, table, members, records)
            smallest, suppressed = summaries(table, self.k)
        return Trial(
            site,
            to,
            regions,
            owner,
            squared,
            clusters,
            table,
            smallest,
            suppressed,
            members,
            records,
        )

    def _moved(
        self, site: int, to_x: float, to_y: float
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Regions that a moved site owned or would own: rows, nearest sites and distances."""
        x, y, owner, squared, sites = self.x, self.y, self.owner, self.squared, self.sites
        if accel.enabled():
            rows, nearest, away = self._buffers
            found = _moved_kernel(
                x,
                y,
                squared,
                sites,
                self._start,
                self._order,
                self._reach,
                site,
                to_x,
                to_y,
                rows,
                nearest,
                away,
            )
            order = np.argsort(rows[:found])
            return rows[order], nearest[order], away[order]
        dx, dy = x - to_x, y - to_y
        gap = dx * dx + dy * dy
        own = owner == site
        taken = (gap < squared) | ((gap == squared) & (site < owner))
        rows = np.flatnonzero(own | taken)
        nearest = np.full(len(rows), site, dtype=np.int64)
        distance = gap[rows]
        left = np.flatnonzero(own[rows])
        if len(left):
            moved = sites.copy()
            moved[site] = to_x, to_y
            all_squared = squared_distances(self.xy[rows[left]], moved)
            nearest[left] = all_squared.argmin(axis=1)
            distance[left] = all_squared.min(axis=1)
        return rows, nearest, distance

    def _recount(
        self,
        changed: np.ndarray,
        old: np.ndarray,
        new: np.ndarray,
        table: np.ndarray,
        members: np.ndarray,
        records: np.ndarray,
    ) -> None:
        """Take regions from their old clusters and give them to the new ones, in place."""
        if accel.enabled():
            _recount_kernel(
                self._indptr,
                self._indices,
                self._data,
                self.population,
                changed,
                old,
                new,
                table,
                members,
                records,
            )
            return
        at, number, count = self.counts_of(changed)
        width, size = table.shape[1], len(members)
        gain = np.bincount(new[at] * width + number, count, table.size)
        loss = np.bincount(old[at] * width + number, count, table.size)
        table += (gain - loss).astype(np.int32).reshape(table.shape)
        members += np.bincount(new, minlength=size) - np.bincount(old, minlength=size)
        people = self.population[changed]
        records += _whole(np.bincount(new, people, size) - np.bincount(old, people, size))

    def commit(self, trial: Trial) -> None:
        """Move the site."""
        self.sites[trial.site] = trial.to
        self.owner[trial.regions] = trial.owner
        self.squared[trial.regions] = trial.squared
        self.table[trial.clusters] = trial.table
        self.smallest[trial.clusters] = trial.smallest
        self.suppressed[trial.clusters] = trial.suppressed
        self.members[trial.clusters] = trial.members
        self.records[trial.clusters] = trial.records
        self._group()


def summaries(table: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Smallest class and records in classes below k of each row of class counts."""
    if accel.enabled():
        return _summaries(table, k)
    smallest = np.where(table > 0, table, np.iinfo(table.dtype).max)
    smallest = smallest.min(axis=1, initial=np.iinfo(table.dtype).max).astype(np.int64)
    smallest[~(table > 0).any(axis=1)] = EMPTY
    return smallest, np.where(table < k, table, 0).sum(axis=1, dtype=np.int64)


@accel.kernel
def _moved_kernel(x, y, squared, sites, start, order, reach, site, to_x, to_y, rows, nearest, away):
    found = 0
    for c in range(sites.shape[0]):
        if c == site:
            for j in range(start[c], start[c + 1]):
                i = order[j]
                dx = x[i] - to_x
                dy = y[i] - to_y
                best = dx * dx + dy * dy
                chosen = site
                for s in range(sites.shape[0]):
                    ex = x[i] - sites[s, 0]
                    ey = y[i] - sites[s, 1]
                    e = ex * ex + ey * ey
                    if s != site and (e < best or (e == best and s < chosen)):
                        best = e
                        chosen = s
                rows[found] = i
                nearest[found] = chosen
                away[found] = best
                found += 1
            continue
        dx = sites[c, 0] - to_x
        dy = sites[c, 1] - to_y
        if dx * dx + dy * dy > reach[c]:
            continue
        for j in range(start[c], start[c + 1]):
            i = order[j]
            dx = x[i] - to_x
            dy = y[i] - to_y
            d = dx * dx + dy * dy
            if d < squared[i] or (d == squared[i] and site < c):
                rows[found] = i
                nearest[found] = site
                away[found] = d
                found += 1
    return found


@accel.kernel
def _recount_kernel(indptr, indices, data, population, changed, old, new, table, members, records):
    for j in range(changed.shape[0]):
        region = changed[j]
        for cell in range(indptr[region], indptr[region + 1]):
            table[old[j], indices[cell]] -= data[cell]
            table[new[j], indices[cell]] += data[cell]
        members[old[j]] -= 1
        members[new[j]] += 1
        records[old[j]] -= population[region]
        records[new[j]] += population[region]


@accel.kernel
def _summaries(table, k):
    smallest = np.empty(table.shape[0], dtype=np.int64)
    suppressed = np.empty(table.shape[0], dtype=np.int64)
    for row in range(table.shape[0]):
        least = np.int64(0x7FFFFFFFFFFFFFFF)
        few = np.int64(0)
        for column in range(table.shape[1]):
            count = table[row, column]
            if count > 0:
                if count < least:
                    least = np.int64(count)
                if count < k:
                    few += count
        smallest[row] = least
        suppressed[row] = few
    return smallest, suppressed


def _whole(values: np.ndarray) -> np.ndarray:
    return np.rint(values).astype(np.int64)
