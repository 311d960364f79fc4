# SPDX-License-Identifier: GPL-2.0-or-later
"""What a mask keeps of a pattern: how far points moved, L(t), density, and the scan's cluster."""

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
from .case import Case

#: What can be kept: mean shift in metres; relative error of L; overlap of kernel densities;
#: population in both most likely clusters.
SHIFT, RIPLEY, DENSITY, CLUSTER = "shift", "ripley", "kde", "scan"
MEASURES = (SHIFT, RIPLEY, DENSITY, CLUSTER)
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
        progress(1.0)

    def of(self, released: Sequence[np.ndarray], progress: Progress = silent) -> dict[str, float]:
        """Measure a mask.

        Parameters
        ----------
        released : sequence of (n, 2) arrays
            Points of some draws; not a number where a place is withheld.
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
        return {name: _mean([one[name] for one in found]) for name in self.measures}

    def _of_one(self, xy: np.ndarray, progress: Progress) -> dict[str, float]:
        there = ~np.isnan(xy[:, 0])
        if there.sum() < 2:
            return dict.fromkeys(self.measures, np.nan)
        gap = xy[there] - self._case.xy[there]
        values = {SHIFT: float(np.hypot(gap[:, 0], gap[:, 1]).mean())}
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

    def _ripley(self, xy: np.ndarray, progress: Progress):
        rng = np.random.default_rng(self._seed)
        return ripley_k(xy, self._window, rng, self._radii, progress=progress, most_pairs=_PAIRS)


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
