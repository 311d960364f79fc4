# SPDX-License-Identifier: GPL-2.0-or-later
"""What a release keeps: how far points moved, L(t), density, the scan's cluster, and distances.

Areas are taken for points at their centres. Released distances have no places: of them only what is made
of distances is measured, which points and areas have, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...measures.envelopes import rmse_of_l
from ...measures.kde import compare_densities
from ...measures.ripley import default_radii, ripley_k
from ...measures.scan import kept, scan
from ...measures.scan_circles import at_risk, circles
from ...measures.window import Window
from ...runtime.progress import Progress, part, shares, silent
from ...space.points import build_tree
from .case import Case, Trial

#: What can be kept: mean shift in metres; relative error of L; overlap of kernel densities;
#: population in both most likely clusters; mean error in metres of the distance of two records, and of
#: that to the nearest other one.
SHIFT, RIPLEY, DENSITY, CLUSTER = "shift", "ripley", "kde", "scan"
PAIRS, NEAREST = "distances", "nearest"
MEASURES = (SHIFT, RIPLEY, DENSITY, CLUSTER, PAIRS, NEAREST)
#: Of distances after a mask: how far that moved points, which are not released.
MOVED = "moved"
#: Measures that releases of distances have.
OF_DISTANCES = (PAIRS, NEAREST)
#: Measures in metres.
IN_METRES = (SHIFT, PAIRS, NEAREST)
#: Pairs of records whose distances are compared.
_COMPARED = 100_000
#: Measures of which more is better.
MORE_IS_BETTER = (DENSITY, CLUSTER)
#: Pairs of each estimate of K.
_PAIRS = 2_000_000
#: Cells of a density in a row.
_CELLS = 256


class Usefulness:
    """Measures of one file, whose originals are looked at once."""

    def __init__(
        self, case: Case, measures: Sequence[str], seed: int, progress: Progress = silent
    ) -> None:
        """Measure the originals.

        Parameters
        ----------
        case : Case
        measures : sequence of str
            Of :data:`MEASURES`.
        seed : int
            Draws samples of points where there are too many pairs.
        progress : Progress

        Raises
        ------
        InputError
            If a measure cannot be had of these points.
        """
        self.measures = tuple(dict.fromkeys((SHIFT, *measures)))
        self._case, self._seed = case, seed
        if RIPLEY in self.measures:
            self._window = Window.around(case.candidates)
            inside = int(self._window.contains(case.xy).sum())
            self._radii = default_radii(self._window, inside)
            self._before = self._ripley(case.xy, part(progress, 0.0, 0.5))
        if CLUSTER in self.measures:
            self._sites = at_risk(case.candidates, case.weight)
            self._circles = circles(self._sites, progress=part(progress, 0.5, 0.9))
            self._scanned = scan(self._circles, self._sites.count(case.xy), most=1)
        if PAIRS in self.measures:
            rng = np.random.default_rng([seed, 1])
            one, step = rng.integers([[case.people], [case.people - 1]], size=(2, _COMPARED))
            self._pairs = one, (one + 1 + step) % case.people
            self._apart = np.hypot(*(case.xy[self._pairs[0]] - case.xy[self._pairs[1]]).T)
        if NEAREST in self.measures:
            self._near = _nearest(case.xy, 2)
        progress(1.0)

    def of(self, released: Sequence[Trial], progress: Progress = silent) -> dict[str, float]:
        """Measure a mask.

        Parameters
        ----------
        released : sequence of Trial
            Some draws.
        progress : Progress

        Returns
        -------
        dict of str to float
            Means over the draws by measure, with the mean shift of those who are released.
        """
        found = [
            self._of_one(one, step) for one, step in zip(released, shares(progress, len(released)))
        ]
        progress(1.0)
        names = [*self.measures, *([MOVED] if found and MOVED in found[0] else [])]
        return {name: _mean([one[name] for one in found]) for name in names}

    def _of_one(self, trial: Trial, progress: Progress) -> dict[str, float]:
        xy = trial.xy
        there = ~np.isnan(xy[:, 0])
        if there.sum() < 2:
            return dict.fromkeys(self.measures, np.nan)
        if trial.embedding is not None:
            places = dict.fromkeys(self.measures, np.nan)
            found = self._of_distances(trial.embedding, there, np.inf)
            return {**places, **found, MOVED: _shift(xy, self._case.xy, there)}
        values = self._of_distances(xy, there, 2)
        values[SHIFT] = _shift(xy, self._case.xy, there)
        if RIPLEY in self.measures:
            after = self._ripley(xy[there], part(progress, 0.0, 0.8))
            values[RIPLEY] = rmse_of_l(self._before, after)[1]
        if DENSITY in self.measures:
            both = compare_densities(self._case.xy, xy[there], most_cells=_CELLS)
            values[DENSITY] = both.overlap
        if CLUSTER in self.measures:
            after_scan = scan(self._circles, self._sites.count(xy[there]), most=1)
            values[CLUSTER] = kept(self._circles, self._scanned, after_scan).jaccard
        return values

    def _of_distances(
        self, features: np.ndarray, there: np.ndarray, power: float
    ) -> dict[str, float]:
        """Errors of distances, those of a norm of the differences of two rows; of who is released."""
        values = {}
        if PAIRS in self.measures:
            one, other = self._pairs
            both = there[one] & there[other]
            gap = features[one[both]] - features[other[both]]
            found = np.linalg.norm(gap, ord=power, axis=1)
            values[PAIRS] = float(np.abs(found - self._apart[both]).mean()) if len(gap) else np.nan
        if NEAREST in self.measures:
            found = _nearest(features[there], power)
            values[NEAREST] = float(np.abs(found - self._near[there]).mean())
        return values

    def _ripley(self, xy: np.ndarray, progress: Progress):
        rng = np.random.default_rng(self._seed)
        return ripley_k(xy, self._window, rng, self._radii, progress=progress, most_pairs=_PAIRS)


def _shift(xy: np.ndarray, before: np.ndarray, there: np.ndarray) -> float:
    """Mean distance moved, of those who are there."""
    gap = xy[there] - before[there]
    return float(np.hypot(gap[:, 0], gap[:, 1]).mean())


def _nearest(features: np.ndarray, power: float) -> np.ndarray:
    """Distance of each row to the nearest other one."""
    return build_tree(features).query(features, k=2, p=power)[0][:, 1]


def _mean(values: Sequence[float]) -> float:
    good = [one for one in values if one == one]
    return float(np.mean(good)) if good else float("nan")


def ranked(values: Sequence[dict[str, float]], measures: Sequence[str]) -> np.ndarray:
    """Mean rank of masks over some measures, the best is 1; those that have none come last.

    Parameters
    ----------
    values : sequence of dict
        Of each mask.
    measures : sequence of str
    """
    from scipy.stats import rankdata

    ranks = []
    for name in measures:
        of = np.array([one.get(name, np.nan) for one in values], dtype=np.float64)
        of = -of if name in MORE_IS_BETTER else of
        ranks.append(rankdata(np.where(np.isnan(of), np.inf, of), method="average"))
    return np.mean(ranks, axis=0) if len(values) else np.empty(0)
