# SPDX-License-Identifier: GPL-2.0-or-later
"""Least suppression by local search: a location method of our own, beyond Croft et al. 2015.

ADC lifts the smallest class of the lowest areas and stops where none can be lifted, which in
skewed data is early: rare classes are at one record nearly everywhere. What a release loses,
though, is all records in classes below k. This search minimises their number itself.
"""

from __future__ import annotations

import numpy as np

from ..runtime.errors import InputError
from ..runtime.progress import Progress, interruptible, silent
from ..runtime.wording import Sentence, number_of
from .adc import Journal, MoveGuard, SearchLog, adjacent_sites, unguarded, weighted_median
from .clusters import Clusters, Trial
from .equivalence_classes import EquivalenceClasses
from .evaluation import check_k

#: Share by which compactness and entropy loss may exceed those of the sites it begins with.
TOLERANCE = 0.05
#: Moves tried for each site before the search ends.
MOVES_PER_SITE = 150
#: Random steps tried at each visit of a site, in units of the way to the nearest neighbour.
_STEPS = (1.0, 0.5, 0.5, 0.25, 0.25, 0.12)
#: Sites tried elsewhere after each round, as a share of all.
_RELOCATED = 0.1
#: A round that lowers the suppressed records by less than this share is the last.
_GAIN = 1e-3


def least_suppression(
    classes: EquivalenceClasses,
    xy: np.ndarray,
    sites: np.ndarray,
    k: int,
    rng: np.random.Generator,
    moves: int | None = None,
    tolerance: float = TOLERANCE,
    progress: Progress = silent,
    guard: MoveGuard = unguarded,
) -> tuple[np.ndarray, SearchLog]:
    """Move given sites so that fewer records are suppressed, at the same number of areas.

    Rounds over all sites, those of the areas with most suppressed records first. A site is
    tried (1) at the median of the regions of its area and the adjoining ones, weighted by the
    members they hold of *all* the area's classes below k, not of one bottleneck; (2) at random
    steps of several lengths; and after each round some sites are tried (3) elsewhere: removed
    where they suppress most, inserted where people are many. A move is made iff fewer records
    are suppressed in all. A few tiny areas and one huge one would suppress little, too, and
    tell nothing: so no area may lose its last records, and neither compactness nor entropy
    loss may exceed what the search began with by more than ``tolerance``.

    Parameters
    ----------
    classes : EquivalenceClasses
    xy : (n, 2) array
        Regions in the plane.
    sites : (s, 2) array
        Where to begin.
    k : int
    rng : numpy.random.Generator
    moves : int, optional
        Most moves to try; :data:`MOVES_PER_SITE` for each site by default.
    tolerance : float
        A share, from 0.
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
    check_tolerance(tolerance)
    if moves is None:
        moves = MOVES_PER_SITE * len(sites)
    if moves < 0:
        raise InputError("The number of moves to try cannot be negative.")
    clusters = interruptible(lambda: Clusters(classes, xy, sites, k), progress)
    search = _Search(clusters, rng, moves, tolerance, progress, guard)
    stopped = search.run()
    return clusters.sites, search.journal.close(stopped)


def check_tolerance(tolerance: float) -> None:
    """Raise InputError for a tolerance that is no share."""
    if not 0 <= tolerance < np.inf:
        raise InputError("The tolerance must be a share from 0 up.")


class _Search:
    def __init__(
        self,
        clusters: Clusters,
        rng: np.random.Generator,
        moves: int,
        tolerance: float,
        progress: Progress,
        guard: MoveGuard,
    ):
        self.clusters = clusters
        self._guard = guard
        self.journal = Journal(clusters)
        self._rng = rng
        self._moves = moves
        self._progress = progress
        self._around: list[np.ndarray] = []
        self._compactness = float(np.sqrt(clusters.squared).sum())
        self._spread = float(spread(clusters.records).sum())
        # Entropy loss is the spread less what the regions' own populations fix.
        fixed = float(spread(clusters.population).sum())
        self._longest = (1 + tolerance) * self._compactness
        self._widest = fixed + (1 + tolerance) * (self._spread - fixed)

    def run(self) -> str:
        clusters = self.clusters
        while True:
            before = int(clusters.suppressed.sum())
            if before == 0:
                return Sentence("No record is suppressed.")
            if self._is_over():
                return Sentence(
                    "The limit of {moves} was reached.",
                    moves=number_of(self._moves, "move", "moves"),
                )
            # Who adjoins whom is looked up once a round: here it only guides where to try.
            self._around = adjacent_sites(clusters.sites)
            for site in np.argsort(-clusters.suppressed, kind="stable"):
                self._visit(int(site))
                if self._is_over():
                    return Sentence(
                        "The limit of {moves} was reached.",
                        moves=number_of(self._moves, "move", "moves"),
                    )
            self._relocate()
            if self._is_over():
                return Sentence(
                    "The limit of {moves} was reached.",
                    moves=number_of(self._moves, "move", "moves"),
                )
            if before - int(clusters.suppressed.sum()) < max(1.0, _GAIN * before):
                return Sentence("A round over all sites gained less than {gain:.1%}.", gain=_GAIN)

    def _is_over(self) -> bool:
        return self.journal.tried >= self._moves

    def _visit(self, site: int) -> None:
        """Try a site at the median of its deficient classes, and some steps away."""
        clusters = self.clusters
        around = self._around[site]
        to = self._deficient_median(site, around)
        if to is not None:
            self._try(site, to)
        others = around if len(around) else np.delete(np.arange(len(clusters.sites)), site)
        if len(others) == 0:
            return
        gap = clusters.sites[others] - clusters.sites[site]
        reach = float(np.sqrt((gap * gap).sum(axis=1).min()))
        angle = self._rng.uniform(0.0, 2 * np.pi, len(_STEPS))
        for length, towards in zip(_STEPS, angle):
            if self._is_over():
                return
            x, y = clusters.sites[site]
            step = length * reach
            self._try(site, (x + step * np.cos(towards), y + step * np.sin(towards)))

    def _deficient_median(self, site: int, around: np.ndarray) -> tuple[float, float] | None:
        clusters = self.clusters
        row = clusters.table[site]
        deficient = (row > 0) & (row < clusters.k)
        regions = clusters.regions_of(np.concatenate([[site], around]))
        at, number, count = clusters.counts_of(regions)
        weight = np.bincount(at, np.where(deficient[number], count, 0), len(regions))
        held = weight > 0
        if not held.any():
            return None
        return weighted_median(clusters.xy[regions[held]], weight[held])

    def _relocate(self) -> None:
        """Try the sites that suppress most where people are many."""
        clusters, rng = self.clusters, self._rng
        worst = np.argsort(-clusters.suppressed, kind="stable")
        people = np.cumsum(clusters.population)
        for site in worst[: max(1, int(_RELOCATED * len(worst)))]:
            # Where the best class counts are is not known beforehand: a few places are tried.
            for _ in range(4):
                if self._is_over():
                    return
                drawn = np.searchsorted(people, rng.integers(people[-1]), side="right")
                x, y = clusters.xy[drawn]
                if self._try(int(site), (x, y)):
                    break

    def _try(self, site: int, to: tuple[float, float]) -> bool:
        """Make the move if it helps."""
        clusters = self.clusters
        self.journal.tried += 1
        if self.journal.tried % 32 == 0:
            self._progress(min(1.0, self.journal.tried / self._moves))
        trial = clusters.trial(site, (float(to[0]), float(to[1])))
        if len(trial.clusters) == 0 or not self._helps(trial):
            return False
        self._compactness += self._longer(trial)
        self._spread += self._wider(trial)
        gain = int(trial.suppressed.sum() - clusters.suppressed[trial.clusters].sum())
        self.journal.commit(trial, float(clusters.suppressed.sum() + gain))
        clusters.commit(trial)
        return True

    def _helps(self, trial: Trial) -> bool:
        clusters = self.clusters
        if trial.suppressed.sum() >= clusters.suppressed[trial.clusters].sum():
            return False
        if (trial.records[clusters.records[trial.clusters] > 0] == 0).any():
            return False
        return (
            self._compactness + self._longer(trial) <= self._longest
            and self._spread + self._wider(trial) <= self._widest
            and self._guard(clusters, trial)
        )

    def _longer(self, trial: Trial) -> float:
        before = self.clusters.squared[trial.regions]
        return float(np.sqrt(trial.squared).sum() - np.sqrt(before).sum())

    def _wider(self, trial: Trial) -> float:
        before = self.clusters.records[trial.clusters]
        return float(spread(trial.records).sum() - spread(before).sum())


def spread(records: np.ndarray) -> np.ndarray:
    """n log2 n: the entropy loss is its sum over areas less that over regions."""
    records = records.astype(np.float64)
    return records * np.log2(np.maximum(records, 1.0))
