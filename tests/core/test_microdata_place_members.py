# SPDX-License-Identifier: GPL-2.0-or-later
"""Who lives near a released point, and far from other people, is taken to be in the file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.membership import by_place
from tests.core.test_microdata_attacks import tables_of

PLACE = ("x", "y")


def villages(rng, homes):
    """Farms, and homes of villages; one to four people in each home, of any age."""
    middle = rng.uniform(0, 20_000, (40, 2))
    at = middle[rng.integers(0, 40, homes)] + rng.normal(0, 150, (homes, 2))
    farms = rng.random(homes) < 0.3
    at[farms] = rng.uniform(0, 20_000, (farms.sum(), 2))
    return np.repeat(at.round(), rng.integers(1, 5, homes), axis=0)


def of_places(xy, rng):
    return {"x": xy[:, 0], "y": xy[:, 1], "age": rng.integers(0, 95, len(xy)).astype(float)}


@pytest.fixture(scope="module")
def files():
    """The file, a reference and other people, of the same villages."""
    rng = np.random.default_rng(8)
    xy = villages(rng, 1_200)
    home = np.unique(xy, axis=0, return_inverse=True)[1].ravel()
    dealt = rng.integers(0, 3, home.max() + 1)[home]
    return [of_places(xy[dealt == part], rng) for part in range(3)]


def attacked(original, released, reference, known=()):
    return by_place(tables_of(original, released, reference)[0], known)


def moved(table, meters, rng):
    """Places of the file, moved, beside the ages of anybody, in another order."""
    order = rng.permutation(len(table["x"]))
    out = {name: table[name][order] + rng.normal(0, meters, len(order)) for name in PLACE}
    return {**out, "age": rng.permutation(table["age"])}


def test_a_map_of_where_they_live_tells_who_is_in_the_file(files, rng):
    original, reference, _ = files
    alone, beside = attacked(original, moved(original, 60.0, rng), reference)
    assert alone.surely(2.0) > 0.09 and beside.surely(2.0) > 0.09
    assert alone.people == beside.people == len(original["x"])
    # Everybody of a home is listed.
    places = np.stack([original["x"], original["y"]], axis=1)
    homes = {tuple(one) for one in places[alone.rows]}
    assert len(alone.rows) == sum(tuple(one) in homes for one in places)


def test_households_make_no_member_of_anybody(files):
    """People of one home are in the reference together; that is no nearness to other people."""
    original, reference, others = files
    for one in attacked(original, others, reference):
        assert one.surely(2.0) < 0.04, one.knows
    assert len(attacked(original, others, None)) == 1


def test_without_the_place_nothing_is_tried(files):
    original, reference, others = files
    assert attacked(original, others, reference, ["age"]) == []
    assert len(attacked(original, others, reference, ["age", *PLACE])) == 2
    nowhere = replace(tables_of(original, others, reference)[0], place=())
    assert by_place(nowhere) == []
