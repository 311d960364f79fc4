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
from ...runtime.progress import Progress, silent

#: Classes of true distances, cells of what releases make of them, and cells of released ones.
TRUE, CELLS, SEEN = 40, 100, 160
#: Standard deviations that cells of noise reach to.
_REACH = 4.0
WIDTHS = CELLS / (2 * _REACH)
#: Share by which rounding may lift a contracted distance over the true one.
_SLACK = 1e-6
#: Most that one distance may speak for or against a candidate, as a logarithm.
_MOST = 6.0
#: Matches of the other record below this probability are whomever.
_LIKELY = 1e-3
#: Look-ups in a block of work: a tenth of a second, compiled.
_BLOCK = 8_000_000


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
        return seen_cells(released, self.low, self.step)

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
        counts = np.zeros((len(seen), SEEN))
        row, column = np.nonzero(near)
        np.add.at(counts, (row, seen[row, column]), 1.0)
        return (counts @ np.log(self.rows).T).astype(np.float32)


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


def seen_cells(released: np.ndarray, low: float, step: float) -> np.ndarray:
    """Cell of every released distance on a logarithmic scale, int16 of their shape."""
    with np.errstate(divide="ignore"):
        cell = (np.log(released) - low) / step
    return np.clip(np.nan_to_num(cell, neginf=0.0), 0, SEEN - 1).astype(np.int16)


def cells_of(true, released, kind, scale, contractive: bool) -> np.ndarray:
    """Cell of every released distance, beside its true one."""
    if contractive:
        lost = (true - released) / true
        cell = np.sqrt(np.maximum(lost, 0.0)) * CELLS
        inside = np.minimum(cell.astype(np.int64), CELLS - 1) + 1
        return np.where(lost < -_SLACK, 0, inside)
    error = (released - true) / scale[kind]
    cell = (np.clip(error, -_REACH, _REACH) + _REACH) * WIDTHS
    return np.minimum(cell.astype(np.int64), CELLS - 1) + 1


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
            at = cells_of(away, distance, kind, scale, contractive)
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
                            at = min(int(np.sqrt(max(lost, 0.0)) * CELLS), CELLS - 1) + 1
                        value += likely * density[kind, at] / overall[cell] / away
                    else:
                        error = min(max((distance - away) / scale[kind], -_REACH), _REACH)
                        at = min(int((error + _REACH) * WIDTHS), CELLS - 1) + 1
                        value += likely * density[kind, at] / overall[cell]
                value += max(rest, _LIKELY) * rows[who, cell]
                said = min(max(np.log(value), -_MOST), _MOST)
                band = 0
                while band < len(bands) and distance >= bands[band]:
                    band += 1
                out[t, c, band] += said
