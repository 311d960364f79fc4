# SPDX-License-Identifier: GPL-2.0-or-later
"""Where code of our own stays beside a library: both in one process, in turn.

python benchmarks/libraries.py [--rounds 5]

What a library does within 1.05 of our time is the library's. So polygons are shapely's and
graphs of neighbours SciPy's. What is left is here, each line with the peer that it beats:
a ratio above 1 is how many times as long the library takes.
"""

from __future__ import annotations

import argparse
import sys

import _timing as timing
import networkx
import numpy as np
from pyproj import Geod
from scipy.spatial import cKDTree

from geoanon_qgis.core.attacks.cliques.product_graph import product_graph
from geoanon_qgis.core.attacks.cliques.search import maximum_clique
from geoanon_qgis.core.distances.comparison import between
from geoanon_qgis.core.microdata.nearest import Records
from geoanon_qgis.core.runtime.geos import shapely
from geoanon_qgis.core.space.metrics import metric_for


def compared(what: str, ours, library, rounds: int) -> timing.Line:
    """How many times as long the library takes."""
    times = timing.take_turns({"ours": ours, "library": library}, rounds)
    ratio = timing.median_ratio(times["library"], times["ours"])
    return timing.at_least(what, 1 / 1.05, ratio, "times as long")


def cliques(rounds: int) -> timing.Line:
    """A linkage attack's product graph: 60 released records, 60 known ones, half in common."""
    rng = np.random.default_rng(1)
    xy = rng.uniform(0, 10, (90, 2))
    away = np.hypot(*(xy[:, None] - xy).transpose(2, 0, 1))
    released, known = away[:60, :60], away[30:, 30:]
    noisy = np.round(released + np.triu(rng.normal(0, 0.05, (60, 60)), 1), 6)
    noisy = np.triu(noisy, 1) + np.triu(noisy, 1).T
    labels = rng.integers(6, size=90).tolist()
    graph = product_graph(labels[:60], labels[30:], noisy, known - 0.1, known + 0.1)
    count = len(graph)
    bits = np.unpackbits(graph.rows.view(np.uint8), axis=1, bitorder="little")[:, :count]
    theirs = networkx.from_numpy_array(bits.astype(bool))
    assert len(maximum_clique(graph, cliques=0)) == len(
        networkx.max_weight_clique(theirs, weight=None)[0]
    )
    return compared(
        f"largest clique of {count} vertices against networkx",
        lambda: maximum_clique(graph, cliques=0),
        lambda: networkx.max_weight_clique(theirs, weight=None),
        rounds,
    )


def nearest(rounds: int, columns: int) -> timing.Line:
    """The five nearest of 20,000 records."""
    rng = np.random.default_rng(2)
    table = rng.normal(size=(20_000, columns)) @ rng.normal(size=(columns, columns))
    return compared(
        f"5 nearest of 20,000 records, {columns} columns, against SciPy's k-d tree",
        lambda: Records(table).nearest(table, 5),
        lambda: cKDTree(table).query(table, 5),
        rounds,
    )


def geodesics(rounds: int) -> timing.Line:
    """Lengths of a million geodesics within a country."""
    rng = np.random.default_rng(3)
    xy = rng.uniform((5, 47), (15, 55), (2_000, 2))
    first, second = rng.integers(0, 2_000, (2, 1_000_000))
    metric, geod = metric_for("geodesic", "EPSG:4326"), Geod(ellps="WGS84")
    located = metric.coordinates(xy)
    return compared(
        "1,000,000 geodesics against pyproj",
        lambda: between(located, metric, first, second),
        lambda: geod.inv(*xy[first].T, *xy[second].T),
        rounds,
    )


def unions(rounds: int) -> list[timing.Line]:
    """What QGIS holds as its own geometries: joined there, or taken to shapely and back."""
    try:
        from qgis.core import QgsGeometry
    except ImportError:
        return [timing.note("unions of QGIS's geometries", "needs QGIS's Python")]
    geos = shapely()
    side = np.arange(60)
    corners = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    disks = geos.segmentize(geos.box(*corners.T, *(corners + 1).T), 0.05)

    def theirs(wkb: bytes) -> QgsGeometry:
        made = QgsGeometry()
        made.fromWkb(wkb)
        return made

    held = [theirs(wkb) for wkb in geos.to_wkb(disks).tolist()]

    def taken():
        return geos.from_wkb([one.asWkb().data() for one in held])

    return [
        compared(
            "union of 3,600 polygons of QGIS against shapely's, there and back",
            lambda: QgsGeometry.unaryUnion(held),
            lambda: theirs(geos.to_wkb(geos.union_all(taken()))),
            rounds,
        ),
    ]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    lines = [cliques(rounds), *(nearest(rounds, columns) for columns in (12, 28))]
    lines += [geodesics(rounds), *unions(rounds)]
    return timing.table("Our own code beside libraries", lines)


if __name__ == "__main__":
    sys.exit(main())
