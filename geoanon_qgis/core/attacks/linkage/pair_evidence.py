# SPDX-License-Identifier: GPL-2.0-or-later
"""What the distance from a record to another one says, if it is known who that other one may be.

Learnt from releases of one's own: the density of released distances by the true one (embeddings
shorten near ones hardly at all, and lengthen none), and for each person the density of distances
to whomever. A candidate for a record is supported by every other record whose matches are known
with some probability: the mean density over these matches, and that to whomever for the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...runtime import accel
from ...runtime.parallel import run_blocks
from ...runtime.progress import Progress, chunks, silent

#: Classes of true distances, cells of what releases make of them, and cells of released ones.
_TRUE, _CELLS, _SEEN = 40, 100, 160
#: Standard deviations that cells of noise reach to.
_REACH = 4.0
_WIDTHS = _CELLS / (2 * _REACH)
#: Share by which rounding may lift a contracted distance over the true one.
_SLACK = 1e-6
#: Distances that every cell, and every row, is taken to have seen.
_PRIOR, _PRIOR_ROW = 1e-3, 2.0
#: Most that one distance may speak for or against a candidate, as a logarithm.
_MOST = 6.0
#: Matches of the other record below this probability are whomever.
_LIKELY = 1e-3
#: Look-ups in a block of work: a tenth of a second, compiled.
_BLOCK = 8_000_000
_PIECE = 1_000_000


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """Densities of released distances.

    Attributes
    ----------
    true : (n, n) array
        Exact distances of the known people, none below a small positive one.
    classes : (n, n) int16 array
        Classes of these.
    contractive : bool
        Whether cells are of the share that is lost, or else of the error in its deviations.
    scale : (classes,) array
        That deviation, by class of the true distance; ones for embeddings.
    density : (classes, cells) array
        Of released distances (of the share lost) in each class.
    low, step : float
        Where cells of released distances begin, and their width, as logarithms.
    rows : (n, seen) array
        Density of a person's distances to whomever over that of all distances.
    overall : (seen,) array
        Density of all released distances.
    """

    true: np.ndarray
    classes: np.ndarray
    contractive: bool
    scale: np.ndarray
    density: np.ndarray
    low: float
    step: float
    rows: np.ndarray
    overall: np.ndarray

    def seen(self, released: np.ndarray) -> np.ndarray:
        """Cells of released distances, int16 of their shape."""
        with np.errstate(divide="ignore"):
            cell = (np.log(released) - self.low) / self.step
        return np.clip(np.nan_to_num(cell, neginf=0.0), 0, _SEEN - 1).astype(np.int16)

    def to_whomever(self, seen: np.ndarray, near: np.ndarray) -> np.ndarray:
        """Log-likelihood of rows of a release, as distances to whomever.

        Parameters
        ----------
        seen : (n1, n1) int array
        near : (n1, n1) bool array
            Which distances count; the diagonal should not.

        Returns
        -------
        (n1, n) array
            In single precision.
        """
        counts = np.zeros((len(seen), _SEEN))
        row, column = np.nonzero(near)
        np.add.at(counts, (row, seen[row, column]), 1.0)
        return (counts @ np.log(self.rows).T).astype(np.float32)


class Learning:
    """Collects released distances beside true ones, and makes densities of them."""

    def __init__(self, true: np.ndarray, contractive: bool, least: float):
        """Take exact distances of the known people, (n, n)."""
        self._true, self._contractive = np.maximum(true, least), contractive
        some = true[np.triu_indices(len(true), 1)]
        some = some[some > 0]
        self._cuts = np.quantile(some, (np.arange(1, _TRUE) / _TRUE) ** 2)
        self._classes = np.searchsorted(self._cuts, self._true).astype(np.int16)
        self._counts = np.zeros((_TRUE, _CELLS + 2))
        self._rows = np.zeros((len(true), _SEEN))
        self._scale = np.ones(_TRUE)
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
            cell = self._cell(released[some])
            flat = (rows - some.start) * _SEEN + cell
            self._rows[some] += np.bincount(
                flat[apart], minlength=(some.stop - some.start) * _SEEN
            ).reshape(-1, _SEEN)
            kind = self._classes[some][:, who].astype(np.int64)
            cell = _cells(
                self._true[some][:, who], released[some, :common], kind, scale, self._contractive
            )
            flat = (kind * (_CELLS + 2) + cell)[apart[:, :common]]
            self._counts += np.bincount(flat, minlength=self._counts.size).reshape(
                self._counts.shape
            )
        self._releases += 1

    def evidence(self) -> PairEvidence:
        """Return what was learnt."""
        counts = self._counts.copy()
        counts[1:] += 0.5 * self._counts[:-1]
        counts[:-1] += 0.5 * self._counts[1:]
        total = np.maximum(counts.sum(axis=1, keepdims=True), 1.0)
        counts += _PRIOR * total / counts.shape[1]
        counts /= counts.sum(axis=1, keepdims=True)
        density = np.full(counts.shape, 1e-3)
        if self._contractive:  # of the share that is lost
            density[:, 1:-1] = counts[:, 1:-1] / np.diff((np.arange(_CELLS + 1) / _CELLS) ** 2)
        else:
            density[:, 1:-1] = counts[:, 1:-1] * _WIDTHS / self._scale[:, None]
        everybody = self._rows.sum(axis=0) + 1.0
        everybody /= everybody.sum()
        smooth = self._rows / max(self._releases, 1)
        smooth[:, 1:-1] = 0.25 * (smooth[:, :-2] + 2 * smooth[:, 1:-1] + smooth[:, 2:])
        smooth += _PRIOR_ROW * everybody
        smooth /= smooth.sum(axis=1, keepdims=True)
        edges = np.exp(self._low + self._step * np.arange(_SEEN + 1))
        edges[0] = 0.0
        return PairEvidence(
            self._true,
            self._classes,
            self._contractive,
            self._scale,
            density,
            self._low,
            self._step,
            smooth / everybody,
            everybody / np.diff(edges),
        )

    def _begin(self, released, columns, common) -> None:
        """Lay out cells by the first release."""
        apart = np.arange(len(released))[:, None] != columns
        seen = released[apart]
        positive = seen[seen > 0]
        if not len(positive):
            positive = np.ones(1)
        self._low = float(np.log(np.quantile(positive, 2e-4)))
        self._step = float(max(np.log(1.02 * positive.max()) - self._low, 1e-6)) / _SEEN
        if not self._contractive:
            who, apart = columns[:common], apart[:, :common]
            error = (released[:, :common] - self._true[:, who])[apart]
            kind = self._classes[:, who][apart]
            many = np.bincount(kind, minlength=_TRUE)
            square = np.bincount(kind, error**2, minlength=_TRUE)
            usual = max(float((error**2).mean()) if len(error) else 0.0, 1e-18)
            self._scale = np.sqrt((square + 5 * usual) / (many + 5))

    def _cell(self, released: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore"):
            cell = (np.log(released) - self._low) / self._step
        return np.clip(np.nan_to_num(cell, neginf=0.0), 0, _SEEN - 1).astype(np.int64)


def supports(
    evidence: PairEvidence,
    released: np.ndarray,
    seen: np.ndarray,
    bands: np.ndarray,
    others: np.ndarray,
    candidates: np.ndarray,
    matches: np.ndarray,
    chance: np.ndarray,
    progress: Progress = silent,
) -> np.ndarray:
    """Say what all other records, whose matches are known with some probability, say.

    Parameters
    ----------
    evidence : PairEvidence
    released : (n1, n1) array
    seen : (n1, n1) int array
        Cells of these; see :meth:`PairEvidence.seen`.
    bands : (b,) array
        Where bands of released distances end that are summed apart.
    others : (n1, k) int array
        Records that are asked, for each record; -1 for none.
    candidates : (n1, c) int array
        People that are asked about; -1 for none.
    matches, chance : (n1, m) int array and (n1, m) array
        Likely matches of each record, and how likely they are.
    progress : Progress

    Returns
    -------
    (n1, c, b + 1) array
        Sums of logarithms of likelihood ratios against distances of whomever, by band.
    """
    count, most = candidates.shape
    out = np.zeros((count, most, len(bands) + 1))
    looked = max(1, most * others.shape[1] * matches.shape[1])
    at_once = max(1, _BLOCK // looked)
    work = _compiled if accel.enabled() else _in_numpy
    blocks = [(first, min(first + at_once, count)) for first in range(0, count, at_once)]
    given = released, seen, bands, others, candidates, matches, chance
    learnt = (
        evidence.true,
        evidence.classes,
        evidence.contractive,
        evidence.scale,
        evidence.density,
        evidence.rows,
        evidence.overall,
    )
    run_blocks(lambda block: work(block, given, learnt, out), blocks, progress)
    return out


def _cells(true, released, kind, scale, contractive: bool) -> np.ndarray:
    """Cell of every released distance, beside its true one."""
    if contractive:
        lost = (true - released) / true
        cell = np.sqrt(np.maximum(lost, 0.0)) * _CELLS
        inside = np.minimum(cell.astype(np.int64), _CELLS - 1) + 1
        return np.where(lost < -_SLACK, 0, inside)
    error = (released - true) / scale[kind]
    cell = (np.clip(error, -_REACH, _REACH) + _REACH) * _WIDTHS
    return np.minimum(cell.astype(np.int64), _CELLS - 1) + 1


def _in_numpy(block, given, learnt, out):
    released, seen, bands, others, candidates, matches, chance = given
    true, classes, contractive, scale, density, rows, overall = learnt
    for t in range(block[0], block[1]):
        asked = others[t][others[t] >= 0]
        which = np.flatnonzero(candidates[t] >= 0)
        who = candidates[t, which]
        distance, cell = released[t, asked], seen[t, asked]
        value = np.zeros((len(who), len(asked)))
        rest = np.ones(value.shape)
        for m in range(matches.shape[1]):
            likely = np.where(chance[asked, m] > _LIKELY, chance[asked, m], 0.0)
            whom = np.maximum(matches[asked, m], 0)
            weight = np.where(whom == who[:, None], 0.0, likely)
            away = true[who[:, None], whom]
            kind = classes[who[:, None], whom]
            at = _cells(away, distance, kind, scale, contractive)
            dense = density[kind, at] / overall[cell]
            value += weight * (dense / away if contractive else dense)
            rest -= weight
        value += np.maximum(rest, _LIKELY) * rows[who[:, None], cell]
        said = np.clip(np.log(value), -_MOST, _MOST)
        band = np.searchsorted(bands, distance, side="right")
        for number in range(len(bands) + 1):
            out[t, which, number] = said[:, band == number].sum(axis=1)


@accel.kernel
def _compiled(block, given, learnt, out):
    released, seen, bands, others, candidates, matches, chance = given
    true, classes, contractive, scale, density, rows, overall = learnt
    for t in range(block[0], block[1]):
        for c in range(candidates.shape[1]):
            who = candidates[t, c]
            if who < 0:
                continue
            for k in range(others.shape[1]):
                u = others[t, k]
                if u < 0:
                    continue
                distance, cell = released[t, u], seen[t, u]
                value, rest = 0.0, 1.0
                for m in range(matches.shape[1]):
                    likely, whom = chance[u, m], matches[u, m]
                    if likely <= _LIKELY or whom == who:
                        continue
                    rest -= likely
                    away, kind = true[who, whom], classes[who, whom]
                    if contractive:
                        lost = (away - distance) / away
                        if lost < -_SLACK:
                            at = 0
                        else:
                            at = min(int(np.sqrt(max(lost, 0.0)) * _CELLS), _CELLS - 1) + 1
                        value += likely * density[kind, at] / overall[cell] / away
                    else:
                        error = min(max((distance - away) / scale[kind], -_REACH), _REACH)
                        at = min(int((error + _REACH) * _WIDTHS), _CELLS - 1) + 1
                        value += likely * density[kind, at] / overall[cell]
                value += max(rest, _LIKELY) * rows[who, cell]
                said = min(max(np.log(value), -_MOST), _MOST)
                band = 0
                while band < len(bands) and distance >= bands[band]:
                    band += 1
                out[t, c, band] += said
