# SPDX-License-Identifier: GPL-2.0-or-later
"""What matches say about each other once the map is known: exact distances against near ones.

On the map a record fits everybody with its labels who lives within the map's error. The
distance of two known entities is exact, though, and if both of two matches are right it is
what was released, but for the release itself. In an embedding it can never be less
(contraction), and near pairs keep theirs to within a few per cent. So two matches support each
other by the likelihood of their released distance under the exact distance, against that under
a distance that is off by what separates a record from a neighbour of it.
"""

from __future__ import annotations

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, silent

#: Classes of distances, and of what releases take off them in each.
_CLASSES, _EXCESSES = 30, 24
#: Pairs that each cell is taken to have seen.
_PRIOR = 2.0
#: Candidates that are considered, and how many at most.
_LEAST, _MOST = 0.003, 3000
#: Spread of rivals around the right match, in errors of a place.
_RIVALS = 4.0
#: Rounds, and their damping.
_ROUNDS, _DAMPING = 30, 0.7


def supported(
    confidence: np.ndarray,
    target: np.ndarray,
    identification: np.ndarray,
    released: np.ndarray,
    true: np.ndarray,
    samples: tuple[np.ndarray, np.ndarray],
    error: float,
    weight: float,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Raise and lower confidence by what candidate matches say about each other.

    Parameters
    ----------
    confidence : (v,) array
        From places alone; see :func:`.assignment.place`.
    target, identification : (v,) int arrays
    released : (n1, n1) array
    true : (n2, n2) array
        Exact distances of the known entities.
    samples : (m,) and (m,) arrays
        True and released distances of pairs in simulated releases.
    error : float
        Standard deviation of places on an axis, in the same unit.
    weight : float
        Of a pair's evidence. Below one where distances of a release depend on each other.
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    (v,) array
        One to one in the sense that those of a record, or of an entity, sum to one at most.
    """
    some = np.flatnonzero(confidence > _LEAST)
    some = some[np.argsort(-confidence[some], kind="stable")[:_MOST]]
    if len(some) < 3:
        return confidence
    t, i = target[some], identification[some]
    rows = np.bincount(t, confidence[some], minlength=len(released))[t]
    columns = np.bincount(i, confidence[some], minlength=len(true))[i]
    # The odds that the competition left these confidences.
    odds = confidence[some] / np.maximum(1 - rows - columns + confidence[some], 0.02)
    cuts, edges, table = interruptible(lambda: _ratios(*samples, error, rng), progress)
    ratios = np.empty((len(some), len(some)), dtype=np.float32)
    for block in chunks(len(some), 256, part(progress, 0, 0.7)):
        known = true[i[block]][:, i]
        kind = np.searchsorted(cuts, known)
        excess = known - released[t[block]][:, t]
        cell = np.zeros(known.shape, dtype=np.int64)
        for column in range(edges.shape[1]):
            cell += excess > edges[kind, column]
        ratios[block] = table[kind, cell]
        ratios[block][(t[block][:, None] == t) | (i[block][:, None] == i)] = 0
    now = confidence[some].astype(np.float64)
    for _ in chunks(_ROUNDS, 1, part(progress, 0.7, 1.0)):
        new = odds * np.exp(np.clip(weight * (ratios @ now), -30, 30))
        rows = np.bincount(t, new, minlength=len(released))[t]
        columns = np.bincount(i, new, minlength=len(true))[i]
        now = (1 - _DAMPING) * now + _DAMPING * new / (1 + rows + columns - new)
    result = np.zeros(len(confidence))
    result[some] = now
    return result


def _ratios(true, released, error, rng):
    """Log-likelihood ratios of what a release takes off, by class of the distance claimed.

    Returns
    -------
    cuts : array
        Where classes of distances end.
    edges : (classes, cells - 1) array
        Where cells of claimed less released distance end.
    table : (classes, cells) array
    """
    # Rivals of the right match are as far off as places err, and farther where the map is worse
    # than it seems; the distance is off by what one coordinate is.
    wrong = np.abs(true + rng.normal(0, _RIVALS * error, len(true)))
    cuts = np.quantile(true, (np.arange(1, _CLASSES) / _CLASSES) ** 1.5)
    right_class, wrong_class = np.searchsorted(cuts, true), np.searchsorted(cuts, wrong)
    edges = np.zeros((_CLASSES, _EXCESSES - 1))
    table = np.zeros((_CLASSES, _EXCESSES), dtype=np.float32)
    shares = np.arange(1, _EXCESSES) / _EXCESSES
    for kind in range(_CLASSES):
        one = (true - released)[right_class == kind]
        other = (wrong - released)[wrong_class == kind]
        if not len(one) or not len(other):
            continue
        edges[kind] = np.quantile(np.concatenate([one, other]), shares)
        counts = [
            np.bincount(np.searchsorted(edges[kind], values), minlength=_EXCESSES) + _PRIOR
            for values in (one, other)
        ]
        table[kind] = np.log(counts[0] / counts[0].sum()) - np.log(counts[1] / counts[1].sum())
    return cuts, edges, table
