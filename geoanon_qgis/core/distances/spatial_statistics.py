# SPDX-License-Identifier: GPL-2.0-or-later
"""What an analyst computes from a distance matrix alone: Moran's I, DBSCAN, agglomeration.

All of them take distances, never coordinates, so that the same code runs on the true and on the
released matrix. They hold an ``n x n`` array and are meant for some thousand records at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..runtime.errors import InputError

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

#: The label of records that belong to no cluster.
NOISE = -1


def within(distances: np.ndarray, radius: float) -> csr_matrix:
    """Binary weights: 1 where two different records are at most ``radius`` apart.

    Parameters
    ----------
    distances : (n, n) array
        Symmetric, zero on the diagonal.
    radius : float
        In the unit of the distances.

    Returns
    -------
    (n, n) scipy.sparse.csr_matrix of 0 and 1
    """
    from scipy.sparse import csr_matrix

    near = distances <= radius
    near[np.diag_indices_from(near)] = False
    return csr_matrix(near, dtype=np.float64)


def nearest(distances: np.ndarray, count: int) -> csr_matrix:
    """Binary weights: 1 from each record to its ``count`` nearest others.

    Where several are equally far, as they often are in a rounded matrix, each of them gets the
    same part of what is left, so that every row still sums to ``count`` and the order of the
    records does not matter.

    Parameters
    ----------
    distances : (n, n) array
    count : int
        At least 1; all others where there are no more.

    Returns
    -------
    (n, n) scipy.sparse.csr_matrix
        Rows sum to ``min(count, n - 1)``; in general not symmetric.
    """
    from scipy.sparse import csr_matrix

    others = np.array(distances, dtype=np.float64)
    np.fill_diagonal(others, np.inf)
    count = min(count, len(others) - 1)
    if count < 1:
        return csr_matrix(others.shape)
    last = np.partition(others, count - 1, axis=1)[:, count - 1 : count]
    nearer, tied = others < last, others == last
    left = (count - nearer.sum(axis=1)) / tied.sum(axis=1)
    return csr_matrix(nearer + tied * left[:, None])


def moran_i(values: np.ndarray, weights: np.ndarray | csr_matrix) -> float:
    """Moran's I of an attribute, I = n / S0 * sum_ij w_ij z_i z_j / sum_i z_i^2.

    Parameters
    ----------
    values : (n,) array
        Without NaN.
    weights : (n, n) array or sparse matrix
        Non-negative, zero on the diagonal; need not be symmetric. S0 is their sum.

    Returns
    -------
    float
        NaN where it is undefined: all values alike, or nobody has a neighbour.

    References
    ----------
    Moran (1950), Notes on continuous stochastic phenomena, Biometrika 37: 17-23.
    """
    z = np.asarray(values, dtype=np.float64)
    # The result knows no unit: by a power of two, which is exact, sums and squares hold.
    z = np.ldexp(z, -int(np.frexp(np.abs(z).max(initial=0.0))[1]))
    # The rounding of the mean must not make a field of a constant.
    z = z - z.mean() if len(z) and z.min() < z.max() else np.zeros(len(z))
    total, square = float(weights.sum()), float(z @ z)
    if total == 0 or square == 0:
        return float("nan")
    return float(len(z) / total * (z @ (weights @ z)) / square)


def dbscan(distances: np.ndarray, eps: float, min_samples: int) -> np.ndarray:
    """Density-based clusters of a distance matrix.

    A record is a core record if at least ``min_samples`` records, itself among them, are at
    most ``eps`` away. Clusters are the connected components of the core records within
    ``eps`` of each other. The paper gives a border record to whichever cluster reaches it
    first; here it goes to that of its nearest core record (the first of those equally near),
    which hardly depends on the order of the records.

    Parameters
    ----------
    distances : (n, n) array
        Symmetric, zero on the diagonal.
    eps : float
        In the unit of the distances; 0 clusters records at one place.
    min_samples : int

    Returns
    -------
    (n,) int array
        0, 1, .. in the order of each cluster's first core record; -1 for noise.

    Raises
    ------
    InputError
        If eps is negative or min_samples below 1.

    References
    ----------
    Ester, Kriegel, Sander & Xu (1996), A density-based algorithm for discovering clusters in
    large spatial databases with noise, KDD-96: 226-231.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    if not eps >= 0 or min_samples < 1:
        raise InputError("DBSCAN needs a radius of 0 or more and a count of at least 1.")
    near = distances <= eps
    core = np.flatnonzero(near.sum(axis=1) >= min_samples)
    labels = np.full(len(distances), NOISE, dtype=np.intp)
    if len(core) == 0:
        return labels
    among = csr_matrix(near[np.ix_(core, core)])
    labels[core] = in_order(connected_components(among, directed=False)[1])
    others = np.setdiff1d(np.arange(len(distances)), core)
    to_core = distances[np.ix_(others, core)]
    first = to_core.argmin(axis=1)
    reached = to_core[np.arange(len(others)), first] <= eps
    labels[others[reached]] = labels[core[first[reached]]]
    return labels


def cut(merges: np.ndarray, clusters: int) -> np.ndarray:
    """Labels after all but the last ``clusters - 1`` merges of a SciPy linkage.

    Parameters
    ----------
    merges : (n - 1, 4) array
        As :func:`scipy.cluster.hierarchy.linkage` returns it.
    clusters : int

    Returns
    -------
    (n,) int array
        0, 1, .. in the order of each group's first record.
    """
    count = len(merges) + 1
    done = max(count - clusters, 0)
    group = np.arange(count + done)
    # From the last merge carried out to the first, so that a group's own label is final.
    for merge in range(done - 1, -1, -1):
        group[merges[merge, :2].astype(np.intp)] = group[count + merge]
    return in_order(group[:count])


def in_order(labels: np.ndarray) -> np.ndarray:
    """The same groups numbered 0, 1, .. by where each appears first."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def adjusted_rand_index(first: np.ndarray, second: np.ndarray) -> float:
    """Agreement of two groupings of the same records, corrected for chance.

    1 for equal groupings, 0 on average for independent ones, below for worse than that. DBSCAN's
    noise counts as one group like any other.

    Parameters
    ----------
    first, second : (n,) arrays of labels

    Returns
    -------
    float
        1 where both groupings are the same trivial one (all in one, or each alone).

    References
    ----------
    Hubert & Arabie (1985), Comparing partitions, Journal of Classification 2: 193-218, eq. 5.
    """
    if len(first) != len(second):
        raise InputError("Two groupings can only be compared on the same records.")
    a = np.unique(first, return_inverse=True)[1].reshape(-1)
    b = np.unique(second, return_inverse=True)[1].reshape(-1)
    both = np.unique(a * (b.max(initial=0) + 1) + b, return_counts=True)[1]

    def pairs(counts: np.ndarray) -> float:
        return float((counts * (counts - 1.0) / 2).sum())

    together, in_a, in_b = pairs(both), pairs(np.bincount(a)), pairs(np.bincount(b))
    total = len(a) * (len(a) - 1.0) / 2
    expected = in_a * in_b / total if total else 0.0
    most = (in_a + in_b) / 2
    return 1.0 if most == expected else (together - expected) / (most - expected)
