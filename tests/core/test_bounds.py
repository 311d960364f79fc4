# SPDX-License-Identifier: GPL-2.0-or-later
"""What is the place of something, and that no work grows with a coordinate that is none."""

from __future__ import annotations

import types

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.runtime.errors import InputError
from geoanon_qgis.core.space import areas, rings
from geoanon_qgis.core.space.areas import StudyArea
from geoanon_qgis.core.space.bounds import FAR, far_from_the_others, held
from geoanon_qgis.core.space.points import as_points
from geoanon_qgis.core.space.rings import Within

pytest.importorskip("pyproj")

nan, inf = float("nan"), float("inf")
SQUARE = np.array([[0.0, 0.0], [1e4, 0.0], [1e4, 1e4], [0.0, 1e4]])


@pytest.mark.parametrize("wkt", [None, "EPSG:4326", "EPSG:27700", "EPSG:3857", "EPSG:32661"])
@given(st.lists(st.tuples(st.floats(), st.floats()), max_size=6), st.booleans())
@settings(max_examples=40)
def test_what_is_held_is_so_in_any_company(wkt, rows, many):
    """The look at the extent of many rows says what a look at each of them would."""
    xy = np.array(rows, dtype=float).reshape(-1, 2)
    alone = np.array([held(row[None], wkt)[0] for row in xy], dtype=bool)
    repeated = np.repeat(xy, 100, axis=0) if many else xy
    assert np.array_equal(held(repeated, wkt), np.repeat(alone, 100) if many else alone)
    assert not alone[~np.isfinite(xy).all(axis=1)].any()
    as_points(xy[alone])  # what is held can be computed with


def test_far_is_told_by_half_of_the_places():
    xy = np.random.default_rng(1).normal(0, 1, (5_001, 2))
    assert len(far_from_the_others(xy)) == 0
    xy[[5, 4_000]] = (0, 3 * FAR), (-3 * FAR, 0)
    assert far_from_the_others(xy).tolist() == [5, 4_000]
    xy[:2_600] = 7.0  # then nothing says what is usual
    assert len(far_from_the_others(xy)) == 0
    assert len(far_from_the_others(xy[:4])) == len(far_from_the_others(xy[:0])) == 0


@pytest.mark.parametrize(
    "wkt, wild",
    [
        ("EPSG:27700", (5e10, 1e4)),
        ("EPSG:27700", (1e4, 5e10)),
        ("EPSG:3857", (1e13, 1e4)),
        ("EPSG:4326", (1e9, 3.0)),
    ],
)
def test_an_area_with_one_wild_vertex_is_refused_before_it_is_laid_out(monkeypatch, wkt, wild):
    monkeypatch.setattr(areas, "_subdivided", None)
    ring = SQUARE / 1e4 if wkt == "EPSG:4326" else SQUARE
    wrong = np.vstack([ring, wild])
    with pytest.raises(InputError, match="laid out"):
        StudyArea.of_rings([wrong], wkt)
    with pytest.raises(InputError, match="laid out"):
        StudyArea.convex_hull(wrong, wkt)


def test_pieces_are_counted_by_the_area_not_by_its_extent():
    """A comb of teeth that each span a continent: pieces of 2 km would be 2.5 million."""
    at = np.arange(1_000) * 1e3
    comb = np.column_stack([np.repeat(at, 2), np.tile([0.0, 5e6, 5e6, 0.0], 500)])
    area = StudyArea.of_rings([np.vstack([comb, (at[-1] + 1e3, 0), (0, -1e4)])], "EPSG:3035")
    assert len(area._pieces) < areas._PIECES + 2 * len(comb)


def test_turns_around_the_globe_are_those_of_the_rings_however_far_the_points(monkeypatch):
    ring = np.array([[170.0, -10.0], [190.0, -10.0], [190.0, 10.0], [170.0, 10.0]])
    within = Within.of_rings([ring], 360.0)
    xy = np.array([[-175.0, 0.0], [180.0 + 360e6, 0.0], [0.0, 0.0], [190.0 - 720.0, 10.0]])
    passes = []
    geos = rings.shapely()
    counted = types.SimpleNamespace(
        prepare=geos.prepare,
        intersects_xy=lambda *given: passes.append(given) or geos.intersects_xy(*given),
    )
    monkeypatch.setattr(rings, "shapely", lambda: counted)
    assert within.contains(xy).tolist() == [True, True, False, True]
    assert len(passes) <= 3
    odd = np.array([[nan, 0.0], [inf, 0.0], [-inf, nan], [1e300, 0.0]])
    assert within.contains(odd)[:3].tolist() == [False] * 3
