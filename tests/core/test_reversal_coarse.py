# SPDX-License-Identifier: GPL-2.0-or-later
"""Voronoi masks so coarse that thousands of pairs explain a location: counted, and still honest."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.attacks.voronoi.antipodal import antipodal_pairs
from geoanon_qgis.core.attacks.voronoi.crowds import crowded, most_pairs
from geoanon_qgis.core.attacks.voronoi.result import AMBIGUOUS, REVERSIBLE, TOO_COARSE
from geoanon_qgis.core.attacks.voronoi.reversal import default_tolerance, reverse_voronoi
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.space.points import build_tree, places


def villages(seed, count, size=20_000.0):
    """Half of the places in some towns, half strewn over the land."""
    rng = np.random.default_rng(seed)
    towns = rng.uniform(0, size, (6, 2))[rng.integers(0, 6, count // 2)]
    strewn = rng.uniform(0, size, (count - count // 2, 2))
    return np.concatenate([towns + rng.normal(0, 300, towns.shape), strewn])


def attacked(known, records, step, seed):
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(known), records, replace=False)

    def stored(xy):
        return np.round(xy / step) * step

    masked = stored(voronoi_mask(known[rows]).xy)
    found = reverse_voronoi(
        masked,
        known,
        tolerance=default_tolerance(step, masked),
        half=step / 2,
        stored=stored,
        rng=rng,
    )
    return found, (known[found.candidate] == known[rows]).all(axis=1)


def test_pairs_are_counted_about_right():
    rng = np.random.default_rng(1)
    known, centres = rng.uniform(0, 1000, (3000, 2)), rng.uniform(300, 700, (8, 2))
    tree, radius, tolerance = build_tree(known), np.full(8, 100.0), np.full(8, 20.0)
    exact = antipodal_pairs(centres, radius, tree, tolerance)
    exact = np.bincount(exact.centre, minlength=8)
    assert exact.min() > 200
    assert crowded(centres, radius, tree, tolerance, most=100) == pytest.approx(exact, rel=0.25)
    assert not crowded(centres, radius, tree, tolerance, most=20_000).any()
    assert most_pairs(10) > most_pairs(5000) > most_pairs(10**6) > 100


def test_what_is_only_counted_is_as_often_right_as_is_said():
    found, right = attacked(villages(2, 3000), 400, 250.0, 0)
    claimed, aside = found.probability, found.aside
    assert found.rehearsed and aside.sum() > 50 and (~aside).sum() > 300
    for rows in (aside, ~aside, aside & (claimed > np.median(claimed[aside]))):
        said, was = claimed[rows].sum(), right[rows].sum()
        # The two of a pair win and lose together, and the curve has an error of its own.
        assert abs(said - was) < 4 * np.sqrt(2 * said) + 0.01 * rows.sum()
    assert right[aside].mean() < 0.1 < right[~aside].mean()


def test_a_town_at_a_kilometre_takes_no_time_and_is_not_called_reversible():
    known = villages(3, 12_000, 3000.0)
    found, right = attacked(known, 300, 1000.0, 5)
    assert found.aside.all() and found.verdict == TOO_COARSE != REVERSIBLE
    assert (found.kind == AMBIGUOUS).all() and (found.pairs > 10_000).all()
    assert 0 < found.probability.max() < 0.1 and (found.candidate >= 0).all()
    # Records that share a location are put at different places.
    of = places(found.pairs[:, None] + np.zeros((300, 2))).of_point
    for one in np.unique(of):
        assert len(set(found.candidate[of == one])) == (of == one).sum()


def test_fine_coordinates_set_nothing_aside():
    found, right = attacked(villages(4, 2000), 200, 0.01, 6)
    assert not found.aside.any() and right.mean() > 0.5
