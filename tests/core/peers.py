# SPDX-License-Identifier: GPL-2.0-or-later
"""What other packages say of the same patterns: pointpats and esda, of the PySAL project.

They bring geopandas and scikit-learn, half a gigabyte, so that they are no dependency of the
tests: their numbers stand in ``tests/data/peers.json``, and are computed anew where they are
installed. To write the file, in a Python that has them::

    python -m pip install pointpats esda
    python tests/core/peers.py
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).parents[1] / "data" / "peers.json"
#: Distances of K.
RADII = np.linspace(0.0, 0.25, 11)[1:]
#: Neighbours of each county.
NEAREST = 8


def patterns() -> tuple[np.ndarray, np.ndarray]:
    """Two patterns in the unit square, (60, 2) and (45, 2), the second clustered."""
    rng = np.random.default_rng(20269)
    first, middles = rng.random((60, 2)), rng.random((5, 2))
    return first, np.clip(np.repeat(middles, 9, axis=0) + rng.random((45, 2)) / 8, 0.0, 1.0)


def of_pointpats() -> dict[str, Any]:
    """K of both patterns and of both together, and the area that it was computed with."""
    from pointpats import k
    from pointpats.distance_statistics import _prepare_hull
    from pointpats.geometry import area

    first, second = patterns()
    told = {}
    for name, xy in (
        ("first", first),
        ("second", second),
        ("both", np.concatenate([first, second])),
    ):
        told[name] = {
            "k": k(xy, support=RADII)[1].tolist(),
            "area": float(area(_prepare_hull(xy, None))),
        }
    return told


def of_esda() -> dict[str, Any]:
    """Global and local Moran of the counties' population."""
    import geopandas
    from esda import Moran, Moran_Local
    from georgia import counties
    from libpysal.graph import Graph

    shapes, population = counties()
    frame = geopandas.GeoDataFrame(geometry=shapes)
    told = {}
    for name, graph in (
        ("rook", Graph.build_contiguity(frame, rook=True)),
        ("queen", Graph.build_contiguity(frame, rook=False)),
        ("nearest", Graph.build_knn(frame.centroid, k=NEAREST)),
    ):
        one = Moran(population, graph, permutations=0)
        local = Moran_Local(population, graph, permutations=0)
        told[name] = {
            "neighbours": int(graph.cardinalities.sum()),
            "I": float(one.I),
            "expected": float(one.EI),
            "variance": float(one.VI_rand),
            "local": local.Is.tolist(),
            "local_expected": local.EIc.tolist(),
            "local_variance": local.VIc.tolist(),
            "quadrant": local.q.tolist(),
        }
    return told


def written() -> dict[str, Any]:
    """What stands in the file."""
    return json.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    versions = {name: version(name) for name in ("pointpats", "esda", "libpysal")}
    told = {"versions": versions, "pointpats": of_pointpats(), "esda": of_esda()}
    FILE.write_text(json.dumps(told) + "\n", encoding="utf-8")
    print(FILE)
