# SPDX-License-Identifier: GPL-2.0-or-later
"""Other ways to join regions to a number of areas, where their packages are installed.

Each takes places, records of each region, neighbours and the number of areas, and gives the area of
each region; or raises ``Absent`` with the reason.
"""

from __future__ import annotations

import warnings

import numpy as np

from geoanon_qgis.core.aggregation.neighbours import Neighbours


class Absent(Exception):
    """Why a peer is not there, or was not run."""


def _package(name: str):
    import importlib

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError as error:
        raise Absent(f"the package {name.split('.')[0]} is not installed") from error


def _weights(near: Neighbours):
    weights = _package("libpysal.weights")
    return weights.W(
        {row: near.of(row).tolist() for row in range(len(near))}, silence_warnings=True
    )


def _frame(xy: np.ndarray, people: np.ndarray):
    pandas, geopandas = _package("pandas"), _package("geopandas")
    scaled = (xy - xy.mean(axis=0)) / xy.std()
    table = pandas.DataFrame({"x": scaled[:, 0], "y": scaled[:, 1], "people": people})
    return geopandas.GeoDataFrame(table, geometry=geopandas.points_from_xy(*scaled.T))


def gat_like(xy: np.ndarray, people: np.ndarray, near: Neighbours, areas: int, seed: int):
    """Join the area with fewest people to the nearest that adjoins, as GAT and gatpkg do."""
    beside = [set(near.of(row).tolist()) for row in range(len(near))]
    held, middle = people.astype(float), xy.astype(float).copy()
    members = [[row] for row in range(len(near))]
    alive = np.ones(len(near), dtype=bool)
    for _ in range(len(near) - areas):
        least = int(np.where(alive, held, np.inf).argmin())
        others = sorted(beside[least])
        gap = middle[others] - middle[least]
        goal = others[int((gap * gap).sum(axis=1).argmin())]
        both = max(held[goal] + held[least], 1e-9)
        middle[goal] = (held[goal] * middle[goal] + held[least] * middle[least]) / both
        held[goal] += held[least]
        members[goal] += members[least]
        alive[least] = False
        beside[goal] = (beside[goal] | beside[least]) - {goal, least}
        for other in beside[least]:
            beside[other].discard(least)
            if other != goal:
                beside[other].add(goal)
    area = np.empty(len(near), dtype=np.int64)
    for number, row in enumerate(np.flatnonzero(alive)):
        area[members[row]] = number
    return area


def ward(xy, people, near, areas, seed):
    """scikit-learn's Ward with connectivity."""
    cluster = _package("sklearn.cluster")
    from scipy.sparse import csr_matrix

    one, other = near.pairs()
    joined = csr_matrix((np.ones(len(one)), (one, other)), shape=(len(near), len(near)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = cluster.AgglomerativeClustering(areas, connectivity=joined, linkage="ward")
        return model.fit(xy).labels_


def kmeans(xy, people, near, areas, seed):
    """scikit-learn's k-means, weighted by records, best of ten."""
    cluster = _package("sklearn.cluster")
    model = cluster.KMeans(areas, n_init=10, random_state=seed)
    return model.fit(xy, sample_weight=np.maximum(people, 1e-3)).labels_


def skater(xy, people, near, areas, seed):
    """spopt's SKATER (Assuncao et al. 2006) on the coordinates."""
    region = _package("spopt.region")
    _limited(len(xy), 1_000)
    model = region.Skater(_frame(xy, people), _weights(near), ["x", "y"], areas, 1)
    return _solved(model)


def azp(xy, people, near, areas, seed):
    """spopt's AZP (Openshaw and Rao 1995) on the coordinates."""
    region = _package("spopt.region")
    _limited(len(xy), 1_000)
    model = region.AZP(_frame(xy, people), _weights(near), ["x", "y"], areas, random_state=seed)
    return _solved(model)


def max_p(xy, people, near, areas, seed):
    """spopt's max-p with the threshold that gives as many areas, as near as was found."""
    region = _package("spopt.region")
    _limited(len(xy), 80)
    frame, weights = _frame(xy, people), _weights(near)
    low, high = 0.3 * people.sum() / areas, people.sum() / areas
    best = None
    for _ in range(4):
        middle = (low + high) / 2
        np.random.seed(seed)
        model = region.MaxPHeuristic(frame, weights, ["x", "y"], "people", middle, 2, 5)
        area = _solved(model)
        found = len(np.unique(area))
        if best is None or abs(found - areas) < abs(len(np.unique(best)) - areas):
            best = area
        if found == areas:
            break
        low, high = (middle, high) if found > areas else (low, middle)
    return best


def _limited(regions: int, most: int) -> None:
    if regions > most:
        raise Absent(f"not run on more than {most:,} regions: it takes too long")


def _solved(model) -> np.ndarray:
    import contextlib
    import io

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        model.solve()
    return np.unique(np.asarray(model.labels_), return_inverse=True)[1].reshape(-1)


PEERS = {
    "SKATER (spopt)": skater,
    "AZP (spopt)": azp,
    "max-p (spopt)": max_p,
    "Ward (scikit-learn)": ward,
    "k-means (scikit-learn)": kmeans,
    "merge as gatpkg": gat_like,
}
