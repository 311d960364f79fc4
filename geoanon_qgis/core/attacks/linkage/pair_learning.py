# SPDX-License-Identifier: GPL-2.0-or-later
"""Densities of released distances (:mod:`.pair_evidence`), learnt from releases of one's own."""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, chunks, silent
from .pair_evidence import CELLS, SEEN, TRUE, WIDTHS, PairEvidence, cells_of, seen_cells

#: Distances that every cell, and every row, is taken to have seen.
_PRIOR, _PRIOR_ROW = 1e-3, 2.0
_PIECE = 1_000_000


class Learning:
    """Collects released distances beside true ones, and makes densities of them."""

    def __init__(self, true: np.ndarray, contractive: bool, least: float):
        """Take exact distances of the known people, (n, n)."""
        self._true, self._contractive = np.maximum(true, least), contractive
        some = true[np.triu_indices(len(true), 1)]
        some = some[some > 0]
        self._cuts = np.quantile(some, (np.arange(1, TRUE) / TRUE) ** 2)
        self._classes = np.searchsorted(self._cuts, self._true).astype(np.int16)
        self._counts = np.zeros((TRUE, CELLS + 2))
        self._rows = np.zeros((len(true), SEEN))
        self._scale = np.ones(TRUE)
        self._low = self._step = 0.0
        self._releases = 0

    def add(
        self, released: np.ndarray, columns: np.ndarray, common: int, progress: Progress = silent
    ) -> None:
        """Learn from one release.

        Parameters
        ----------
        released : (n, k) array
            From all known people to k others.
        columns : (k,) int array
            Who these are: ``common`` known people, and others, whose numbers are n or more.
        common : int
        progress : Progress
        """
        if not self._releases:
            self._begin(released, columns, common)
        scale = self._scale
        who = columns[:common]
        for some in chunks(len(released), max(1, _PIECE // released.shape[1]), progress):
            rows = np.arange(some.start, some.stop)[:, None]
            apart = rows != columns
            cell = seen_cells(released[some], self._low, self._step).astype(np.int64)
            flat = (rows - some.start) * SEEN + cell
            self._rows[some] += np.bincount(
                flat[apart], minlength=(some.stop - some.start) * SEEN
            ).reshape(-1, SEEN)
            kind = self._classes[some][:, who].astype(np.int64)
            cell = cells_of(
                self._true[some][:, who], released[some, :common], kind, scale, self._contractive
            )
            flat = (kind * (CELLS + 2) + cell)[apart[:, :common]]
            self._counts += np.bincount(flat, minlength=self._counts.size).reshape(
                self._counts.shape
            )
        self._releases += 1

    def evidence(self) -> PairEvidence:
        """Return what was learnt."""
        density = _densities(self._counts, self._scale, self._contractive)
        everybody = self._rows.sum(axis=0) + 1.0
        everybody /= everybody.sum()
        smooth = self._rows / max(self._releases, 1)
        return PairEvidence(
            self._true,
            self._classes,
            self._contractive,
            self._scale,
            density,
            self._low,
            self._step,
            _over_all(smooth, everybody),
            everybody / _widths(self._low, self._step),
        )

    def _begin(self, released, columns, common) -> None:
        """Lay out cells by the first release."""
        apart = np.arange(len(released))[:, None] != columns
        self._low, self._step = _layout(released[apart])
        if not self._contractive:
            who, apart = columns[:common], apart[:, :common]
            error = (released[:, :common] - self._true[:, who])[apart]
            kind = self._classes[:, who][apart]
            many = np.bincount(kind, minlength=TRUE)
            square = np.bincount(kind, error**2, minlength=TRUE)
            usual = max(float((error**2).mean()) if len(error) else 0.0, 1e-18)
            self._scale = np.sqrt((square + 5 * usual) / (many + 5))


class LearningPairs:
    """Collects distances of two releases of the same records, and makes densities of them.

    A record of one release is compared with those of the other as with people whose distances are
    known as well as a release tells them: no longer, no shorter in law.
    """

    def __init__(self, least: float):
        """Take the smallest distance that is one."""
        self._least = least
        self._counts = np.zeros((TRUE, CELLS + 2))
        self._all = np.ones(SEEN)
        self._cuts = self._scale = np.zeros(0)
        self._low = self._step = 0.0

    def add(self, one: np.ndarray, other: np.ndarray, common: int) -> None:
        """Learn from two releases, of which the first records are the same.

        Parameters
        ----------
        one : (n, n) array
        other : (m, m) array
        common : int
        """
        apart = np.triu_indices(common, 1)
        seen, away = one[apart], np.maximum(other[apart], self._least)
        everybody = one[np.triu_indices(len(one), 1)]
        if not len(self._cuts):
            self._low, self._step = _layout(everybody)
            among = other[np.triu_indices(len(other), 1)]
            self._cuts = np.quantile(among, (np.arange(1, TRUE) / TRUE) ** 2)
            kind = np.searchsorted(self._cuts, away)
            off = np.abs(seen - away)
            usual = max(float(off.mean()) if len(off) else 0.0, 1e-9)
            many = np.bincount(kind, minlength=TRUE)
            self._scale = (np.bincount(kind, off, minlength=TRUE) + 5 * usual) / (many + 5)
        kind = np.searchsorted(self._cuts, away)
        cell = cells_of(away, seen, kind, self._scale, False)
        flat = kind * (CELLS + 2) + cell
        self._counts += np.bincount(flat, minlength=self._counts.size).reshape(self._counts.shape)
        cell = seen_cells(everybody, self._low, self._step)
        self._all += np.bincount(cell, minlength=SEEN)

    def about(self, other: np.ndarray) -> PairEvidence:
        """Return what was learnt, about the records of a release, (m, m)."""
        away = np.maximum(other, self._least)
        everybody = self._all / self._all.sum()
        count = len(other)
        cell = seen_cells(other, self._low, self._step).astype(np.int64)
        flat = (np.arange(count)[:, None] * SEEN + cell)[~np.eye(count, dtype=bool)]
        rows = np.bincount(flat, minlength=count * SEEN).reshape(count, SEEN).astype(np.float64)
        return PairEvidence(
            away,
            np.searchsorted(self._cuts, away).astype(np.int16),
            False,
            self._scale,
            _densities(self._counts, self._scale, False),
            self._low,
            self._step,
            _over_all(rows, everybody),
            everybody / _widths(self._low, self._step),
        )


def _densities(counts: np.ndarray, scale: np.ndarray, contractive: bool) -> np.ndarray:
    """Density in each class, which leans on its neighbours."""
    near = counts.copy()
    near[1:] += 0.5 * counts[:-1]
    near[:-1] += 0.5 * counts[1:]
    total = np.maximum(near.sum(axis=1, keepdims=True), 1.0)
    near += _PRIOR * total / near.shape[1]
    near /= near.sum(axis=1, keepdims=True)
    density = np.full(near.shape, 1e-3)
    if contractive:  # of the share that is lost
        density[:, 1:-1] = near[:, 1:-1] / np.diff((np.arange(CELLS + 1) / CELLS) ** 2)
    else:
        density[:, 1:-1] = near[:, 1:-1] * WIDTHS / scale[:, None]
    return density


def _over_all(rows: np.ndarray, everybody: np.ndarray) -> np.ndarray:
    """Density of each row's distances over that of all; rows are smoothed in place."""
    rows[:, 1:-1] = 0.25 * (rows[:, :-2] + 2 * rows[:, 1:-1] + rows[:, 2:])
    rows += _PRIOR_ROW * everybody
    rows /= rows.sum(axis=1, keepdims=True)
    return rows / everybody


def _layout(seen: np.ndarray) -> tuple[float, float]:
    """Where cells of released distances begin, and their width, as logarithms."""
    positive = seen[seen > 0]
    if not len(positive):
        positive = np.ones(1)
    low = float(np.log(np.quantile(positive, 2e-4)))
    return low, float(max(np.log(1.02 * positive.max()) - low, 1e-6)) / SEEN


def _widths(low: float, step: float) -> np.ndarray:
    """Widths of the cells."""
    edges = np.exp(low + step * np.arange(SEEN + 1))
    edges[0] = 0.0
    return np.diff(edges)
