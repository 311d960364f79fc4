# SPDX-License-Identifier: GPL-2.0-or-later
"""Five kinds of files that came after those of :mod:`_near_kinds`.

A curve of the near group's confidence that was fitted to those was first held against these; the one
of now is fitted to all. Counties of Georgia with their people, planned towns with houses along streets,
settlements within settlements, islands, and people by a smooth random field.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import _near_files as near_files
import _near_kinds as near_kinds
import numpy as np
import shapely
from scipy.ndimage import gaussian_filter

from geoanon_qgis.core.attacks.linkage.compatibility import LipschitzEmbedding
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.metrics import metric_for

KINDS = ("Georgia", "planned towns", "nested", "islands", "field")
_GEORGIA = Path(__file__).resolve().parent.parent / "tests" / "data" / "georgia_1990.csv"
_SETS = ((20, 30), (10, 30), (20, 20), (30, 30), (15, 20))
_COUNTS = ((500, 500, 50), (400, 500, 60), (600, 400, 40), (350, 350, 90), (500, 500, 250))
_LABELS = ("all", "all", "three", "fine", "wards")
_SIDE = 150_000.0


def later(seed: int) -> near_kinds.Case:
    """Draw files of one kind after the other, and an embedding."""
    rng = np.random.default_rng([seed, 82])
    kind = KINDS[seed % len(KINDS)]
    where = _where(kind, rng)
    turn = seed // len(KINDS)
    label = _LABELS[int(rng.integers(len(_LABELS)))]
    files = near_kinds.files_in(where, _COUNTS[turn % len(_COUNTS)], label, label == "wards", rng)
    sets = _SETS[int(rng.integers(len(_SETS)))]
    return near_kinds.Case(kind, files, LipschitzEmbedding(*sets, where.area, 0.9, 300))


def _where(kind: str, rng: np.random.Generator) -> near_files.Region:
    if kind == "Georgia":
        return _georgia()
    made = {"planned towns": _planned, "nested": _nested, "islands": _islands, "field": _field}
    return near_files.in_square(_SIDE, made[kind](rng))


@cache
def _georgia() -> near_files.Region:
    """People anywhere in their counties, as many as live there."""
    with _GEORGIA.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    shapes = np.array([shapely.from_wkt(row["wkt"]) for row in rows])
    people = np.array([float(row["population"]) for row in rows])

    def anywhere(count: int, rng) -> np.ndarray:
        county = rng.choice(len(shapes), count, p=people / people.sum())
        out, left = np.empty((count, 2)), np.arange(count)
        while len(left):
            some = shapes[county[left]]
            low, high = shapely.bounds(some)[:, :2], shapely.bounds(some)[:, 2:]
            out[left] = rng.uniform(low, high)
            left = left[~shapely.contains_xy(some, *out[left].T)]
        return out

    ring = np.asarray(shapely.union_all(shapes).convex_hull.exterior.coords)[:-1]
    return near_files.Region(StudyArea.of_rings([ring], None), metric_for("planar", None), anywhere)


def _planned(rng: np.random.Generator):
    """Houses every fifteen metres along streets every hundred, in square towns."""
    number = int(rng.integers(5, 40))
    corner = rng.uniform(0, 0.9 * _SIDE, (number, 2))
    streets = np.exp(rng.uniform(np.log(4), np.log(60), number)).astype(int)

    def houses(count: int, rng) -> np.ndarray:
        town = rng.choice(number, count, p=streets**2 / (streets**2).sum())
        along = 15.0 * np.floor(rng.uniform(0, streets[town] * 100 / 15))
        street = 100.0 * rng.integers(0, streets[town])
        side = np.where(rng.random(count) < 0.5, -8.0, 8.0)
        places = np.stack([along, street + side], axis=1)
        turned = rng.random(count) < 0.5
        places[turned] = places[turned, ::-1]
        return corner[town] + places

    return houses


def _nested(rng: np.random.Generator):
    """Settlements within settlements (Soneira and Peebles 1978), each level a share as wide."""
    levels, children = int(rng.integers(4, 7)), int(rng.integers(3, 6))
    smaller = float(rng.uniform(2.2, 3.5))
    centres, wide = rng.uniform(0.2 * _SIDE, 0.8 * _SIDE, (4, 2)), 0.3 * _SIDE
    for _ in range(levels):
        angle = rng.uniform(0, 2 * np.pi, (len(centres), children))
        far = wide * np.sqrt(rng.random(angle.shape))
        step = np.stack([far * np.cos(angle), far * np.sin(angle)], axis=-1)
        centres = (centres[:, None] + step).reshape(-1, 2)
        wide /= smaller

    def inside(count: int, rng) -> np.ndarray:
        places = centres[rng.integers(0, len(centres), count)] + rng.normal(0, wide, (count, 2))
        return np.clip(places, 0, _SIDE)

    return inside


def _islands(rng: np.random.Generator):
    """People anywhere on round islands of all sizes."""
    number = int(rng.integers(4, 15))
    middle = rng.uniform(0.1 * _SIDE, 0.9 * _SIDE, (number, 2))
    wide = np.exp(rng.uniform(np.log(1_000), np.log(15_000), number))

    def ashore(count: int, rng) -> np.ndarray:
        island = rng.choice(number, count, p=wide**1.5 / (wide**1.5).sum())
        angle, far = rng.uniform(0, 2 * np.pi, count), wide[island] * np.sqrt(rng.random(count))
        places = middle[island] + np.stack([far * np.cos(angle), far * np.sin(angle)], axis=1)
        return np.clip(places, 0, _SIDE)

    return ashore


def _field(rng: np.random.Generator):
    """A Cox process: the logarithm of the density is a smooth random field."""
    cells = 150
    smooth = gaussian_filter(rng.normal(size=(cells, cells)), float(rng.uniform(2, 12)))
    dense = np.exp(float(rng.uniform(1.0, 2.5)) * smooth / smooth.std()).ravel()

    def by_density(count: int, rng) -> np.ndarray:
        cell = rng.choice(cells * cells, count, p=dense / dense.sum())
        corner = np.stack([cell % cells, cell // cells], axis=1)
        return (corner + rng.random((count, 2))) * _SIDE / cells

    return by_density
