# SPDX-License-Identifier: GPL-2.0-or-later
"""How many times as long algorithms take without numba, from layer to layer.

    python benchmarks/without_numba.py [ALGORITHM…]

Each runs on made-up records of a size at which it takes seconds, once with compiled kernels (after a
run that compiles them) and once without; CPU time of the process. What comes out stands as
``WITHOUT_NUMBA`` on the algorithms, rounded down.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import _timing  # noqa: F401  puts the checkout on the path
import numpy as np
from qgis.core import QgsApplication, QgsFeature, QgsGeometry, QgsPointXY, QgsVectorLayer

CRS, SIDE = "EPSG:27700", 20_000.0
METHODS = ("clique", "near_group", "likelihood", "signatures")
EXPERIMENTS = ("clique", "near_group", "likelihood")


def layer(count: int, seed: int, of=None) -> QgsVectorLayer:
    """Records at random places, or at some of those of another layer."""
    rng = np.random.default_rng(seed)
    uri = f"Point?crs={CRS}&field=person:integer&field=age:integer&field=sex:string&field=income:double"
    made = QgsVectorLayer(uri, f"records {seed}", "memory")
    if of is None:
        xy = np.array([400_000.0, 300_000.0]) + rng.uniform(0, SIDE, (count, 2))
    else:
        places = [one.geometry().asPoint() for one in of.getFeatures()]
        xy = np.array(places)[rng.choice(len(places), count, replace=False)]
    features = []
    for row, (x, y) in enumerate(xy):
        feature = QgsFeature(made.fields())
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(x, y)))
        age, sex = int(rng.integers(20, 80)), str(rng.choice(["f", "m"]))
        feature.setAttributes([row, age, sex, float(rng.normal(3000, 900))])
        features.append(feature)
    made.dataProvider().addFeatures(features)
    made.updateExtents()
    return made


def scenes(folder: Path) -> dict[str, dict]:
    """What each algorithm runs on."""
    addresses = layer(30_000, 1)
    homes, few = layer(1_000, 2, addresses), layer(200, 3)
    out = "TEMPORARY_OUTPUT"
    masked = {"INPUT": homes, "OUTPUT": out}
    released = {"MATRIX": str(folder / "released.csv"), "OUTPUT": str(folder / "released.gpkg")}
    masks = {
        "OUTPUT": str(folder / "masked.gpkg"),
        "MASK": str(folder / "mask.json"),
        "KEY": str(folder / "key.csv"),
    }
    attack = {
        "TARGET": released["OUTPUT"],
        "MATRIX": released["MATRIX"],
        "MASK": str(folder / "distances.json"),
        "IDENTIFICATION": few,
        "OUTPUT": out,
        "SEED": 1,
    }
    experiment = {
        "INPUT": layer(400, 7),
        "QIS": ["age", "sex"],
        "N_TARGET": 100,
        "N_IDENTIFICATION": 100,
        "OVERLAP": 20,
        "REPEATS": 2,
        "SETS": "20",
        "SIZE": "20",
        "SEED": 1,
        "OUTPUT": out,
    }
    return {
        "maskexchange": {**masked, **masks, "CANDIDATES": addresses},
        "attackmask": {
            "INPUT": masks["OUTPUT"],
            "MASK": masks["MASK"],
            "KEY": masks["KEY"],
            "CANDIDATES": addresses,
            "OUTPUT": out,
        },
        "maskdisplace": masked,
        "lipschitzrelease": {
            "INPUT": few,
            "FIELDS": ["age", "sex"],
            "SEED": 1,
            "MASK": str(folder / "distances.json"),
            **released,
        },
        **{f"linkageattack {method}": {**attack, "METHOD": method} for method in METHODS},
        "noisydistances": {**masked, "MATRIX": str(folder / "noisy.npz"), "SEED": 1},
        "disclosurerisk": {"ORIGINAL": homes, "ANONYMIZED": layer(1_000, 5), "OUTPUT": out},
        "spectralanonymize": {"INPUT": layer(5_000, 6), "OUTPUT": out, "SEED": 1},
        "maskmeasures": {
            "ORIGINAL": homes,
            "RELEASED": masks["OUTPUT"],
            "KEY": masks["KEY"],
            "CANDIDATES": addresses,
            "SEED": 1,
            "OUTPUT": out,
        },
        **{f"linkageexperiment {one}": {**experiment, "ATTACK": one} for one in EXPERIMENTS},
        "reversevoronoi": {"INPUT": homes, "CANDIDATES": addresses, "OUTPUT": out, "SEED": 1},
    }


def main() -> None:
    """Run them."""
    application = QgsApplication([], False)
    application.initQgis()
    import processing
    from processing.core.Processing import Processing

    from geoanon_qgis.core.runtime import accel
    from geoanon_qgis.processing.provider import GeoAnonProvider

    Processing.initialize()
    provider = GeoAnonProvider()
    QgsApplication.processingRegistry().addProvider(provider)
    for name, given in scenes(Path(tempfile.mkdtemp())).items():
        algorithm = name.split()[0]
        if sys.argv[1:] and algorithm not in sys.argv[1:]:
            continue
        took = []
        for on in (True, True, False):
            accel.set_enabled(on)
            began = time.process_time()
            processing.run(provider.algorithm(algorithm).create(), given)
            took.append(time.process_time() - began)
        print(
            f"{name}: {took[1]:.2f} s, without {took[2]:.2f} s, {took[2] / took[1]:.1f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
