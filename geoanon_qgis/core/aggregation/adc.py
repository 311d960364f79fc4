# SPDX-License-Identifier: GPL-2.0-or-later
"""Anonymity-driven clustering: sites move to lift the smallest class (Croft 2015, 3.2.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, silent
from ..runtime.wording import Sentence, number_of
from .clusters import EMPTY, Clusters, Trial
from .equivalence_classes import EquivalenceClasses
from .evaluation import check_k

#: Moves tried before the search ends; a few minutes for some thousand sites.
MOVES = 200_000
#: Whether a move that helps may be made.
MoveGuard = Callable[[Clusters, Trial], bool]


def unguarded(clusters: Clusters, trial: Trial) -> bool:
    """Let every move be made."""
    return True


@dataclass(frozen=True)
class SearchLog:
    """What a search for better sites did.

    Attributes
    ----------
    tried, committed : int
        Moves.
    stopped : str
        Why it ended, as a sentence.
    suppressed : (int, int)
        Records in classes below k before and after.
    anonymity : (int, int)
        Smallest class before and after.
    lowest : (int, int)
        Areas at the smallest class before and after.
    sites, origins, targets : (committed,), (committed, 2), (committed, 2) arrays
        The committed moves in their order.
    values : (committed,) array of float
        What the search watches, after each: ADC's objective, or the records suppressed. Empty
        where searches of several parts of a map were joined.
    start : (s, 2) array
        The sites that it began with.
    """

    tried: int
    committed: int
    stopped: str
    suppressed: tuple[int, int]
    anonymity: tuple[int, int]
    lowest: tuple[int, int]
    sites: np.ndarray
    origins: np.ndarray
    targets: np.ndarray
    values: np.ndarray
    start: np.ndarray


class Journal:
    """Collects what becomes a :class:`SearchLog`."""

    def __init__(self, clusters: Clusters):
        self.tried = 0
        self._clusters = clusters
        self._start = clusters.sites.copy()
        self._before = self._state()
        self._moves: list[tuple[int, np.ndarray, tuple[float, float], float]] = []

    def commit(self, trial: Trial, value: float) -> None:
        """Note a move that is about to be made."""
        origin = self._clusters.sites[trial.site].copy()
        self._moves.append((trial.site, origin, trial.to, value))

    def close(self, stopped: str) -> SearchLog:
        """End the journal."""
        before, after, moves = self._before, self._state(), self._moves
        return SearchLog(
            self.tried,
            len(moves),
            stopped,
            (before[0], after[0]),
            (before[1], after[1]),
            (before[2], after[2]),
            np.array([move[0] for move in moves], dtype=np.intp),
            np.array([move[1] for move in moves], dtype=np.float64).reshape(-1, 2),
            np.array([move[2] for move in moves], dtype=np.float64).reshape(-1, 2),
            np.array([move[3] for move in moves], dtype=np.float64),
            self._start,
        )

    def _state(self) -> tuple[int, int, int]:
        clusters = self._clusters
        g = int(clusters.smallest.min())
        lowest = int((clusters.smallest == g).sum()) if g != EMPTY else 0
        return int(clusters.suppressed.sum()), 0 if g == EMPTY else g, lowest


def objective(smallest: np.ndarray) -> tuple[int, int]:
    """F by which moves are judged, as a pair that compares like it (Croft et al. 2015, eq. 14).

    F = g |R| + (|R| - |R_g|), with g the smallest anonymity of a region, R the regions and R_g
    those at g. The pair (g, |R| - |R_g|) has the same order, and keeps it where the number of
    regions with records is not the same on both sides.

    Parameters
    ----------
    smallest : (s,) array
        Smallest class of each cluster; :data:`EMPTY` for those without records, which are no
        regions of the aggregation and so no reason to hold g at zero.
    """
    held = smallest[smallest != EMPTY]
    if held.size == 0:
        return (0, 0)
    g = int(held.min())
    return (g, int((held != g).sum()))


def weighted_median(xy: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Coordinate-wise weighted median (Croft et al. 2015, eqs 18 and 19).

    The value at which the weights reach half of their sum; where they are exactly half, the
    middle between it and the next, as for the plain median.
    """
    return _median(xy[:, 0], weight), _median(xy[:, 1], weight)


def _median(values: np.ndarray, weight: np.ndarray) -> float:
    order = np.argsort(values, kind="stable")
    values, running = values[order], np.cumsum(weight[order])
    half = running[-1] / 2
    at = int(np.searchsorted(running, half))
    if running[at] == half and at + 1 < len(values):
        return float((values[at] + values[at + 1]) / 2)
    return float(values[at])


def adjacent_sites(sites: np.ndarray) -> list[np.ndarray]:
    """Sites whose Voronoi cells adjoin, for each site, clockwise around it.

    Empty where there are fewer than three sites, all lie in a line (polygons through them have
    no inside), or one lies at the place of another.
    """
    from scipy.spatial import Delaunay, QhullError

    nobody = [np.empty(0, dtype=np.intp)] * len(sites)
    if len(sites) < 4:
        if len(sites) < 3:
            return nobody
        return [np.delete(np.arange(3), at) for at in range(3)]
    try:
        start, neighbour = Delaunay(sites - sites.mean(axis=0)).vertex_neighbor_vertices
    except QhullError:
        return nobody
    near = neighbour.astype(np.intp)
    of_site = np.repeat(np.arange(len(sites)), np.diff(start))
    gap = sites[near] - sites[of_site]
    order = np.lexsort((-np.arctan2(gap[:, 1], gap[:, 0]), of_site))
    return np.split(near[order], start[1:-1])


def in_polygon(x: np.ndarray, y: np.ndarray, ring: np.ndarray) -> np.ndarray:
    """Which points lie inside a polygon, by the even-odd rule; (n,) bool."""
    inside = np.zeros(len(x), dtype=bool)
    for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0)):
        if ay == by:
            continue
        crosses = (ay > y) != (by > y)
        inside ^= crosses & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return inside


def neighbourhood(clusters: Clusters, site: int, around: np.ndarray) -> np.ndarray:
    """Regions in a site's own cell or in the polygon through the adjacent sites.

    Croft et al. 2015, section 3.2.2 (optimization step). A site at the rim has a polygon that
    need not hold the site itself; its cell is added in any case.

    Parameters
    ----------
    clusters : Clusters
    site : int
    around : (m,) int array
        Adjacent sites, clockwise: see :func:`adjacent_sites`.

    Returns
    -------
    (n,) bool array
    """
    inside = clusters.owner == site
    if len(around) < 3:
        return inside
    ring = clusters.sites[around]
    low, high = ring.min(axis=0), ring.max(axis=0)
    x, y = clusters.x, clusters.y
    near = np.flatnonzero((x >= low[0]) & (x <= high[0]) & (y >= low[1]) & (y <= high[1]))
    inside[near] |= in_polygon(x[near], y[near], ring)
    return inside


def anonymity_driven_clustering(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    sites: np.ndarray,
    k: int,
    moves: int = MOVES,
    progress: Progress = silent,
    guard: MoveGuard = unguarded,
) -> tuple[np.ndarray, SearchLog]:
    """Move given sites so that the smallest class of the lowest areas grows.

    Croft et al. 2015, section 3.2.2; an augmentation of any other way to place sites. For an
    area at the lowest anonymity and each of its bottleneck classes, its site is tried at the
    median of the class's members in the neighbourhood. A move is committed iff the objective
    rises; the search then begins anew with the lowest areas. Left open there, and chosen here:
    areas and classes are taken in the order of their numbers; a move that would leave an area
    without regions is not committed, as the number of areas is not this step's business.

    A pass that failed is not repeated while nothing it depends on has moved, which changes the
    time but not the result.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    sites : (s, 2) array
        Where to begin.
    k : int
        The search ends when every class of every area has as many records.
    moves : int
        Most moves to try.
    progress : callable
        Told the share of ``moves`` that was tried; may raise to cancel.
    guard : callable
        Told the clusters and a move that would help; whether it may be made. See
        :class:`.demands.Guard`.

    Returns
    -------
    sites : (s, 2) array
    log : SearchLog
    """
    check_k(k)
    if moves < 0:
        raise InputError("The number of moves to try cannot be negative.")
    clusters = interruptible(lambda: Clusters(classes, xy, sites, k), progress)
    search = _Search(clusters, moves, progress, guard)
    stopped = search.run()
    return clusters.sites, search.journal.close(stopped)


class _Search:
    def __init__(self, clusters: Clusters, moves: int, progress: Progress, guard: MoveGuard):
        self.clusters = clusters
        self._guard = guard
        self.journal = Journal(clusters)
        self._moves = moves
        self._progress = progress
        self._around = adjacent_sites(clusters.sites)
        count = len(clusters.sites)
        self._failed = np.zeros(count, dtype=bool)
        # Clusters on which the failed pass of each cluster depends.
        self._depends: list[np.ndarray] = [np.empty(0, dtype=np.intp)] * count

    def run(self) -> str:
        clusters = self.clusters
        while True:
            g = int(clusters.smallest.min())
            if g == EMPTY or g >= clusters.k:
                least = number_of(clusters.k, "record", "records")
                return Sentence("Every class of every area holds at least {least}.", least=least)
            for site in np.flatnonzero(clusters.smallest == g):
                if self._failed[site]:
                    continue
                found = self._pass(int(site), g)
                if found is not None:
                    self._commit(found, g)
                    break
                if self.journal.tried >= self._moves:
                    return Sentence(
                        "The limit of {moves} was reached.",
                        moves=number_of(self._moves, "move", "moves"),
                    )
            else:
                return Sentence(
                    "No move of a lowest area's site to a bottleneck class raises the objective."
                )

    def _pass(self, site: int, g: int) -> Trial | None:
        """Try all bottleneck classes of one lowest area; the first move that helps."""
        clusters = self.clusters
        self._progress(min(1.0, self.journal.tried / max(self._moves, 1)))
        now = objective(clusters.smallest)
        inside = neighbourhood(clusters, site, self._around[site])
        here = (float(clusters.sites[site, 0]), float(clusters.sites[site, 1]))
        tested = {here}
        depends = [self._around[site], np.array([site])]
        for number in np.flatnonzero(clusters.table[site] == g):
            regions, members = clusters.regions_of_class(int(number))
            held = inside[regions]
            to = weighted_median(clusters.xy[regions[held]], members[held])
            if to in tested:
                continue
            if self.journal.tried >= self._moves:
                return None
            tested.add(to)
            self.journal.tried += 1
            if self.journal.tried % 32 == 0:
                self._progress(self.journal.tried / self._moves)
            trial = clusters.trial(site, to)
            if (
                self._objective_after(trial) > now
                and trial.members.all()
                and self._guard(clusters, trial)
            ):
                return trial
            depends.append(trial.clusters)
        self._failed[site] = True
        self._depends[site] = np.unique(np.concatenate(depends))
        return None

    def _objective_after(self, trial: Trial) -> tuple[int, int]:
        clusters = self.clusters
        before = clusters.smallest[trial.clusters]
        clusters.smallest[trial.clusters] = trial.smallest
        after = objective(clusters.smallest)
        clusters.smallest[trial.clusters] = before
        return after

    def _commit(self, trial: Trial, g: int) -> None:
        clusters = self.clusters
        after = self._objective_after(trial)
        count = len(clusters.sites)
        self.journal.commit(trial, float(after[0]) * count + after[1])
        touched = np.zeros(count, dtype=bool)
        touched[self._around[trial.site]] = True
        clusters.commit(trial)
        self._around = adjacent_sites(clusters.sites)
        touched[self._around[trial.site]] = True
        if any(len(around) == 0 for around in self._around):
            touched[:] = True  # without a triangulation nobody knows who depends on whom
        touched[trial.clusters] = True
        touched[trial.site] = True
        for site in np.flatnonzero(self._failed):
            # A higher level has other bottlenecks.
            if after[0] != g or touched[self._depends[site]].any():
                self._failed[site] = False
