# SPDX-License-Identifier: GPL-2.0-or-later
"""True distances estimated from embedded ones.

The embedded distance of a far pair says next to nothing. Near pairs keep theirs, though, and ways
from neighbour to neighbour lead to everybody, so that their lengths tell what is far (after
Tenenbaum, de Silva & Langford 2000, Isomap). What the lengths of several ways and the released
distance together say of the true one is learnt by least squares from releases that one makes
oneself. On a country's addresses a pair's estimate tells some two and a half times as much about
its distance as the released number does (mutual information, 20 sets of 10 or of 20 points).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ...runtime.progress import Progress, chunks, interruptible, part, silent

#: Classes of released distances.
_DIRECT = 100
#: Shares of all records that are neighbours, at least so many, and uncertainties of pairs, as
#: parts of their distance, up to which they are.
_NEAREST, _LEAST, _CERTAIN = (0.01, 0.02, 0.04, 0.08), 4, (0.3, 0.8)
#: Pairs that weights are learnt from at most; the nearest distance, as a part of the mean, whose
#: errors count in full.
_PAIRS, _NEAR = 150_000, 0.1
#: Classes of estimates, and of how direct the shortest way is; pairs for each of the former.
_CLASSES, _CLASSES_DIRECT, _FOR_EACH = 40, 6, 100
#: Pairs that every class is taken to have seen.
_PRIOR = 3.0
#: Rows of a matrix that are worked on at once; links that searches follow in a tenth of a second,
#: and rows that fit into the processor's cache.
_ROWS, _LINKS, _BLOCK = 100, 3_000_000, 64


@dataclass(frozen=True, eq=False)
class Estimated:
    """What a release says about the true distances of its records.

    Attributes
    ----------
    away, unsure : (n, n) arrays
        Expected distances, never below the released ones, and their standard deviations.
    classes : (n, n) int array
        Class of every pair.
    ways : list of (n, n) arrays
        Lengths of the shortest ways.
    """

    away: np.ndarray
    unsure: np.ndarray
    classes: np.ndarray
    ways: list[np.ndarray]


@dataclass(frozen=True, eq=False)
class Estimator:
    """Estimates true distances of releases that were made like those it was learnt from.

    Attributes
    ----------
    cuts : (_DIRECT - 1,) array
        Where classes of released distances end.
    direct, spread : (_DIRECT,) arrays
        Mean and standard deviation of the true distance in each.
    weights : (terms,) array
        Of the terms of the estimate; see :func:`_terms`.
    cuts_estimate, cuts_direct : arrays
        Where classes of estimates end, and of released distance over shortest way.
    expected, deviation : (classes,) arrays
        Mean and standard deviation of the true distance.
    """

    cuts: np.ndarray
    direct: np.ndarray
    spread: np.ndarray
    weights: np.ndarray
    cuts_estimate: np.ndarray
    cuts_direct: np.ndarray
    expected: np.ndarray
    deviation: np.ndarray

    def of(self, released: np.ndarray, progress: Progress = silent) -> Estimated:
        """Estimate the true distances of a release, (n, n)."""
        expected, unsure = interruptible(lambda: _direct(self, released), progress)
        ways = _ways(expected, unsure, part(progress, 0, 0.8))
        classes = _classes(self, released, ways, part(progress, 0.8, 1.0))
        away = np.maximum(self.expected[classes], released)
        np.fill_diagonal(away, 0)
        return Estimated(away, self.deviation[classes], classes, ways)


def learn_estimator(
    releases: list[np.ndarray],
    true: np.ndarray,
    rng: np.random.Generator,
    progress: Progress = silent,
) -> tuple[Estimator, np.ndarray]:
    """Learn from releases of one file.

    Parameters
    ----------
    releases : list of (n, n) arrays
    true : (n, n) array
    rng : numpy.random.Generator
    progress : Progress

    Returns
    -------
    Estimator
    (releases * n (n - 1) / 2,) int array
        Classes of the pairs of all releases, in the order of ``numpy.triu_indices``.
    """
    upper = np.triu_indices(len(true), 1)
    one, seen, away = interruptible(lambda: _learn_direct(releases, true, upper), progress)
    ways = []
    for number, released in enumerate(releases):
        step = part(progress, 0.8 * number / len(releases), 0.8 * (number + 1) / len(releases))
        expected, unsure = interruptible(partial(_direct, one, released), step)
        squares = _ways(expected, unsure, step)
        ways.append(interruptible(partial(_taken, squares, upper), step, 1.0))
    found = interruptible(lambda: _joined(ways), progress, 0.8)
    weights = interruptible(lambda: _learn_weights(seen, found, away, rng), progress, 0.8)
    estimate = np.concatenate(
        [
            _terms([seen[rows], *(values[rows] for values in found)]) @ weights
            for rows in chunks(len(seen), _PAIRS, part(progress, 0.8, 0.9))
        ]
    )
    estimate = np.maximum(estimate, seen)
    learnt, code = interruptible(
        lambda: _learn_classes(estimate, _directness(seen, found[0]), away), progress, 0.9
    )
    progress(1.0)
    return Estimator(one.cuts, one.direct, one.spread, weights, *learnt), code


def _learn_direct(releases, true, upper) -> tuple[Estimator, np.ndarray, np.ndarray]:
    """What released distances say alone; they and the true ones of all pairs of all releases."""
    seen = np.concatenate([one[upper] for one in releases])
    away = np.tile(true[upper], len(releases))
    # Finer classes for short distances, which are kept best.
    cuts = np.quantile(seen, (np.arange(1, _DIRECT) / _DIRECT) ** 2)
    code = np.searchsorted(cuts, seen)
    moments = _moments(code, away, _DIRECT, away.mean(), away.var())
    return Estimator(cuts, *moments, *(np.zeros(0),) * 5), seen, away


def _joined(ways: list[list[np.ndarray]]) -> list[np.ndarray]:
    """Lengths of all releases, by kind of links; the list is emptied, as both would be much."""
    found = [np.concatenate(of_kind) for of_kind in zip(*ways)]
    ways.clear()
    return found


def _learn_weights(seen, found, away, rng) -> np.ndarray:
    """Weights of the terms of an estimate, by least squares."""
    some = rng.permutation(len(away))[:_PAIRS]
    # Errors of far pairs are let be larger: they are in the same proportion.
    heavy = 1 / np.maximum(away[some], _NEAR * max(float(away.mean()), 1e-300))
    terms = _terms([values[some] for values in (seen, *found)]) * heavy[:, None]
    normal = terms.T @ terms
    normal += 1e-9 * np.trace(normal) / len(normal) * np.eye(len(normal))
    return np.linalg.solve(normal, terms.T @ (away[some] * heavy))


def _learn_classes(estimate, directness, away) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """The estimator's cuts and moments, and the class of every pair."""
    many = int(np.clip(len(estimate) // (_FOR_EACH * _CLASSES_DIRECT), 4, _CLASSES))
    cuts_estimate = np.quantile(estimate, (np.arange(1, many) / many) ** 1.5)
    cuts_direct = np.quantile(directness, np.arange(1, _CLASSES_DIRECT) / _CLASSES_DIRECT)
    kind = np.searchsorted(cuts_estimate, estimate)
    code = kind * _CLASSES_DIRECT + np.searchsorted(cuts_direct, directness)
    # Thin classes lean on all of equal estimate.
    row = [
        np.repeat(one, _CLASSES_DIRECT)
        for one in _moments(kind, away, many, away.mean(), away.var())
    ]
    expected, deviation = _moments(code, away, many * _CLASSES_DIRECT, row[0], row[1] ** 2)
    return (cuts_estimate, cuts_direct, expected, deviation), code


def _moments(code, values, count, mean, variance) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation in each class, which leans on a mean and a variance."""
    many = np.bincount(code, minlength=count) + _PRIOR
    first = (np.bincount(code, values, minlength=count) + _PRIOR * mean) / many
    square = np.bincount(code, values**2, minlength=count) + _PRIOR * (variance + mean**2)
    return first, np.sqrt(np.maximum(square / many - first**2, 0.0))


def _direct(one: Estimator, released: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Expected distances and their deviations from released ones alone, (n, n) each."""
    code = np.searchsorted(one.cuts, released)
    away = np.maximum(one.direct[code], released)
    np.fill_diagonal(away, 0)
    return away, one.spread[code]


def _ways(away, unsure, progress: Progress) -> list[np.ndarray]:
    """Lengths of the shortest ways along links of several kinds, (n, n) each.

    Links join nearest neighbours, or pairs whose distance is known well; the shortest tree
    connects what they leave apart.
    """
    count = len(away)
    # Graph routines take what is below 1e-8 for no link at all.
    unit = max(float(away.mean()), 1e-300)
    lengths = away / unit + 1e-6
    tree = interruptible(lambda: _tree(lengths + unsure / unit), progress)
    order = np.argsort(lengths + unsure / unit, axis=1, kind="stable")
    kinds = []
    for share in _NEAREST:
        near = np.zeros((count, count), dtype=bool)
        many = min(max(round(share * count), _LEAST), count - 1)
        np.put_along_axis(near, order[:, : many + 1], True, 1)
        kinds.append(near)
    kinds += [unsure < share * away + 0.01 * unit for share in _CERTAIN]
    found = []
    for number, linked in enumerate(kinds):
        linked = linked | linked.T | tree | tree.T
        np.fill_diagonal(linked, False)
        step = part(progress, number / len(kinds), (number + 1) / len(kinds))
        found.append(unit * _shortest(lengths, linked, step))
    return found


def _tree(costs: np.ndarray) -> np.ndarray:
    """Links of the shortest tree, (n, n); of pairs that cost the same the first is taken.

    Pairs of a class cost the same, and SciPy's choice among them is another in another version.
    """
    from scipy.sparse.csgraph import minimum_spanning_tree

    upper = np.triu_indices(len(costs), 1)
    rank = np.empty(len(upper[0]))
    rank[np.argsort(costs[upper], kind="stable")] = np.arange(1, len(rank) + 1)
    ranks = np.zeros(costs.shape)
    ranks[upper] = rank
    return minimum_spanning_tree(ranks).toarray() > 0


def _shortest(lengths, linked, progress: Progress, links_at_once: int = _LINKS) -> np.ndarray:
    """Lengths of the shortest ways along symmetric links, (n, n).

    SciPy's searches let nobody in before they end, which takes seconds on 1,500 records: they
    are done for some records at a time. Where a quarter of all pairs is linked (SciPy's rule,
    too), the algorithm of Floyd (1962) is the faster one.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import dijkstra

    count = len(lengths)
    found = np.where(linked, lengths, np.inf)
    np.fill_diagonal(found, 0)
    many = int(np.count_nonzero(linked))
    if many < count * count / 4:
        links = csr_matrix(np.where(linked, lengths, 0))
        for rows in chunks(count, max(1, links_at_once // max(many, 1)), progress):
            found[rows] = dijkstra(links, indices=np.arange(rows.start, rows.stop))
        return found
    sums = np.empty((min(_BLOCK, count), count))
    for middle in range(count):
        if middle % 16 == 0:
            progress(middle / count)
        after = found[middle].copy()
        # Block by block, so that what is added up stays in the processor's cache.
        for rows in chunks(count, _BLOCK):
            before = found[rows]
            np.add(before[:, middle, None], after, out=sums[: len(before)])
            np.minimum(before, sums[: len(before)], out=before)
    progress(1.0)
    return found


def _terms(values: list[np.ndarray]) -> np.ndarray:
    """Terms of an estimate from distances of one kind and another, (m, terms).

    The distances, and their products divided by their sum: where all are twice as long, so is
    the estimate.
    """
    total = np.maximum(np.sum(values, axis=0), 1e-300)
    columns = [*values]
    for number, one in enumerate(values):
        columns += [one * other / total for other in values[number:]]
    return np.stack(columns, axis=1)


def _taken(squares: list[np.ndarray], at: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    return [square[at] for square in squares]


def _directness(released: np.ndarray, way: np.ndarray) -> np.ndarray:
    return released / np.maximum(way, 1e-300)


def _classes(one: Estimator, released, ways, progress: Progress) -> np.ndarray:
    found = np.empty(released.shape, dtype=np.int64)
    for rows in chunks(len(released), _ROWS, progress):
        seen = released[rows].ravel()
        along = [way[rows].ravel() for way in ways]
        estimate = np.maximum(_terms([seen, *along]) @ one.weights, seen)
        code = np.searchsorted(one.cuts_estimate, estimate) * _CLASSES_DIRECT
        code += np.searchsorted(one.cuts_direct, _directness(seen, along[0]))
        found[rows] = code.reshape(-1, len(released))
    # Rounding may put a pair and its mirror image into neighbouring classes.
    return np.minimum(found, found.T)
