# SPDX-License-Identifier: GPL-2.0-or-later
"""Who lives near a released point, and far from other people, is taken to be in the file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.membership_by_place import (
    by_place,
    homes_beside,
    near_homes,
)
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
    return by_place(homes_beside(tables_of(original, released, reference)[0], known), 0.09)


def moved(table, meters, rng):
    """Places of the file, moved, beside the ages of anybody, in another order."""
    order = rng.permutation(len(table["x"]))
    out = {name: table[name][order] + rng.normal(0, meters, len(order)) for name in PLACE}
    return {**out, "age": rng.permutation(table["age"])}


def test_a_map_of_where_they_live_tells_who_is_in_the_file(files, rng):
    original, reference, _ = files
    alone, beside, *_ = attacked(original, moved(original, 60.0, rng), reference)
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
    assert len(attacked(original, others, reference, ["age", *PLACE])) == 5
    nowhere = replace(tables_of(original, others, reference)[0], place=())
    assert homes_beside(nowhere) is None and by_place(None, 0.09) == []


def hamlets(rng, towns, count=60, each=16):
    """A cluster sample: whole hamlets, which no other file has."""
    middle = towns[rng.integers(0, 8, count)] + rng.normal(0, 700, (count, 2))
    return (np.repeat(middle, each, axis=0) + rng.normal(0, 60, (count * each, 2))).round()


def test_hamlets_that_were_drawn_whole_make_no_member_of_anybody():
    """Nobody of hers is in the reference, whatever was released."""
    rng = np.random.default_rng(17)
    for _ in range(3):
        towns = rng.uniform(0, 20_000, (8, 2))
        files = [of_places(hamlets(rng, towns), rng) for _ in range(3)]
        for one in attacked(*files):
            assert one.surely(2.6) < 0.09, (one.knows, one.success, one.control)


def test_farms_alone_are_seen(files, rng):
    """One home in three, and one in twenty of these people: of all hardly anybody is found."""
    original, reference, others = files
    released = {name: values.copy() for name, values in others.items()}
    xy, theirs = (np.stack([one[name] for name in PLACE], axis=1) for one in (original, others))
    everybody = np.concatenate([xy, np.stack([reference[name] for name in PLACE], axis=1)])
    homes = np.unique(everybody, axis=0)
    lonely = np.sort(np.linalg.norm(xy[:, None] - homes[None], axis=2), axis=1)[:, 1]
    farms = np.unique(xy[np.argsort(lonely)[-60:]], axis=0)
    some = rng.permutation(len(theirs))[: len(farms)]
    for name, values in zip(PLACE, farms.T):
        released[name][some] = values + rng.normal(0, 30, len(farms))
    alone, beside, *_, tenth, _ = attacked(original, released, reference)
    assert alone.excess()[1] < 0.09 and not alone.is_sure(0.09, 3.3)
    assert tenth.of_some and tenth.is_sure(0.09, 3.3) and tenth.people < 0.2 * alone.people
    assert beside.people == alone.people


def test_places_of_few_homes_count_where_they_are_surely_found(rng):
    """Forty villages, each a place: so few cannot be held against a limit of 9 %."""
    middle = rng.uniform(0, 20_000, (40, 2)).round()
    files = [of_places(middle[rng.integers(0, 40, 800)], rng) for _ in range(3)]
    assert all(one.of_some for one in attacked(*files))


def test_a_few_farms_with_a_point_beside_them_are_listed(files, rng):
    """Eight of four hundred homes: no average tells them, and each is surely found."""
    original, reference, others = files
    xy = np.stack([original[name] for name in PLACE], axis=1)
    everybody = np.concatenate([xy, np.stack([reference[name] for name in PLACE], axis=1)])
    homes = np.unique(everybody, axis=0)
    lonely = np.sort(np.linalg.norm(xy[:, None] - homes[None], axis=2), axis=1)[:, 1]
    farms = np.unique(xy[np.argsort(lonely)[-150:]], axis=0)
    farms = farms[rng.permutation(len(farms))[:8]]
    released = {name: values.copy() for name, values in others.items()}
    some = rng.permutation(len(xy))[:8]
    for name, values in zip(PLACE, farms.T):
        released[name][some] = values + rng.normal(0, 8, 8)
    found = near_homes(homes_beside(tables_of(original, released, reference)[0]))
    listed = {tuple(one) for one in xy[found.rows]}
    assert len(listed & {tuple(one) for one in farms}) >= 6 and len(listed) <= 9
    assert found.looked_for == len(xy) and found.fields == PLACE


def test_no_home_of_honest_files_is_listed():
    for seed in range(20):
        rng = np.random.default_rng([seed, 3])
        xy = villages(rng, 700)
        home = np.unique(xy, axis=0, return_inverse=True)[1].ravel()
        dealt = rng.integers(0, 3, home.max() + 1)[home]
        some = [of_places(xy[dealt == part], rng) for part in range(3)]
        assert not len(near_homes(homes_beside(tables_of(*some)[0])).rows), seed
    assert not len(near_homes(homes_beside(tables_of(*some[:2])[0])).rows)
