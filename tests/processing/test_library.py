# SPDX-License-Identifier: GPL-2.0-or-later
"""The front door of the library says what the algorithms say, with the same seed."""

import json

import numpy as np
import pytest

import geoanon
from geoanon_qgis.core.distances.files import read_matrix
from tests.processing.helpers import DEGREES, GRID, coordinates, layer, points, run

BRITAIN = np.round(points(80, seed=3, size=20_000), 2)
#: The same shape somewhere else, in degrees.
LONLAT = np.round((BRITAIN - BRITAIN.mean(axis=0)) * 1e-5 + (10.0, 50.0), 6)


@pytest.mark.parametrize("xy, crs", [(BRITAIN, GRID), (LONLAT, DEGREES), (BRITAIN, "")])
def test_masks_and_their_reversal(provider, tmp_path, xy, crs):
    masked = run(
        "voronoimask",
        {
            "INPUT": layer(xy, crs=crs),
            "SHUFFLE": False,
            "OUTPUT": str(tmp_path / "masked.gpkg"),
        },
    )
    ours = geoanon.mask(xy, crs=crs or None)
    np.testing.assert_array_equal(coordinates(masked["OUTPUT"]), ours.xy)
    assert masked["MEDIAN_SHIFT"] == ours.median_shift
    theirs = run(
        "reversevoronoi",
        {
            "INPUT": masked["OUTPUT"],
            "CANDIDATES": layer(xy, crs=crs),
            "SEED": 9,
            "OUTPUT": str(tmp_path / "found.gpkg"),
        },
    )
    found = geoanon.attack(ours, xy, crs=crs or None, seed=9)
    assert theirs["FOUND"] == found.found
    assert theirs["EXPECTED_CORRECT"] == found.expected_correct
    np.testing.assert_array_equal(coordinates(theirs["OUTPUT"]), xy[found.candidate])


@pytest.mark.parametrize(
    ("algorithm", "parameters", "options"),
    [
        ("lipschitzrelease", {"SETS": 6, "SIZE": 3}, {"sets": 6, "size": 3}),
        (
            "lipschitzrelease",
            {"SETS": 2, "SIZE": 2, "UNIT": "km"},
            {"sets": 2, "size": 2, "unit": "km"},
        ),
        (
            "noisydistances",
            {"NOISE": "coordinates", "SIGMA": 50},
            {"method": "coordinate_noise", "sigma": 50},
        ),
        (
            "noisydistances",
            {"NOISE": "laplace", "SIGMA": 50},
            {"method": "distance_noise", "sigma": 50, "distribution": "laplace"},
        ),
    ],
)
def test_released_distances(provider, tmp_path, algorithm, parameters, options):
    path = tmp_path / "matrix.npz"
    run(
        algorithm,
        {
            "INPUT": layer(BRITAIN),
            "SEED": 4,
            "MATRIX": str(path),
            "OUTPUT": str(tmp_path / "records.gpkg"),
            **parameters,
        },
    )
    ours = geoanon.release(BRITAIN, crs=GRID, seed=4, **options)
    theirs = read_matrix(path)
    np.testing.assert_array_equal(theirs.condensed, ours.matrix.condensed)
    assert theirs.unit == ours.matrix.unit


def test_linkage(provider, tmp_path):
    released = geoanon.release(BRITAIN, sets=10, size=2, crs=GRID, seed=4)
    groups = np.arange(80) % 8
    path = tmp_path / "matrix.npz"
    run(
        "lipschitzrelease",
        {
            "INPUT": layer(BRITAIN, fields="kind:int", rows=[(int(one),) for one in groups]),
            "SETS": 10,
            "SIZE": 2,
            "SEED": 4,
            "MATRIX": str(path),
            "FIELDS": ["kind"],
            "OUTPUT": str(tmp_path / "records.gpkg"),
        },
    )
    known = layer(BRITAIN[:30], fields="kind:int", rows=[(int(one),) for one in groups[:30]])
    done = run(
        "linkageattack",
        {
            "TARGET": str(tmp_path / "records.gpkg"),
            "MATRIX": str(path),
            "TARGET_QIS": ["kind"],
            "IDENTIFICATION": known,
            "IDENTIFICATION_QIS": ["kind"],
            "METHOD": "clique",
            "SETS": 10,
            "SIZE": 2,
            "SEED": 5,
            "OUTPUT": str(tmp_path / "linked.gpkg"),
            "JSON": str(tmp_path / "told.json"),
        },
    )
    found = geoanon.link(
        released,
        BRITAIN[:30],
        "clique",
        labels=groups[released.row],
        known_labels=groups[:30],
        crs=GRID,
        seed=5,
    )
    assert (done["VERTICES"], done["EDGES"], done["CLIQUE"], done["PROVEN"]) == (
        found.vertices,
        found.edges,
        found.clique,
        int(found.proven),
    )
    assert found.clique > 5
    assert json.loads((tmp_path / "told.json").read_text(encoding="utf-8"))


def test_classes_and_risk(provider, tmp_path):
    rng = np.random.default_rng(1)
    rows = [
        (int(age), str(sex))
        for age, sex in zip(rng.integers(20, 60, 150), rng.choice(["f", "m"], 150))
    ]
    other = [
        (int(age), str(sex))
        for age, sex in zip(rng.integers(20, 60, 150), rng.choice(["f", "m"], 150))
    ]
    nowhere = {"kind": "None", "crs": "", "fields": "age:int,sex:string"}
    original = layer([None] * 150, rows=rows, **nowhere)
    table = {"age": [age for age, _ in rows], "sex": [sex for _, sex in rows]}
    theirs = run(
        "equivalenceclasses",
        {
            "INPUT": original,
            "QIS": ["age", "sex"],
            "OUTPUT": str(tmp_path / "classes.gpkg"),
        },
    )
    ours = geoanon.equivalence_classes(table, ["age", "sex"])
    assert (theirs["N"], theirs["K_ANONYMITY"], theirs["CLASSES_FOUND"], theirs["ENTROPY"]) == (
        ours.records,
        ours.smallest,
        len(ours.sizes),
        ours.entropy,
    )
    theirs = run(
        "disclosurerisk",
        {
            "ORIGINAL": original,
            "ANONYMIZED": layer([None] * 150, rows=other, **nowhere),
            "OUTPUT": str(tmp_path / "risk.gpkg"),
        },
    )
    risk = geoanon.measure(
        table, {"sex": [sex for _, sex in other], "age": [age for age, _ in other]}
    )
    assert theirs["VERDICT"] == risk.verdict
    for one in risk.comparisons:
        assert theirs[f"{one.measure.upper()}_EXCESS"] == pytest.approx(one.excess, abs=1e-12)
