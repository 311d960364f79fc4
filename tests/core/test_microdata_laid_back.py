# SPDX-License-Identifier: GPL-2.0-or-later
"""A map that was turned or shifted as a whole is laid back upon the homes, and attacked then."""

from __future__ import annotations

import numpy as np
import pytest

from geoanon_qgis.core.microdata.attacks.laid_back import laid_back
from tests.core.test_microdata_attacks import attacked, population, tables_of
from tests.core.test_microdata_place_members import PLACE, of_places, villages


@pytest.fixture(scope="module")
def files():
    rng = np.random.default_rng(3)
    xy = villages(rng, 900)
    home = np.unique(xy, axis=0, return_inverse=True)[1].ravel()
    dealt = rng.integers(0, 3, home.max() + 1)[home]
    return [of_places(xy[dealt == part], rng) for part in range(3)]


def with_places(table, xy):
    return {**table, **dict(zip(PLACE, xy.T))}


def places(table):
    return np.stack([table[name] for name in PLACE], axis=1)


def turn(xy, degrees):
    by = np.exp(1j * np.deg2rad(degrees))
    turned = (xy - xy.mean(axis=0)) @ [1, 1j] * by
    return (np.stack([turned.real, turned.imag], axis=1) + xy.mean(axis=0)).round()


@pytest.mark.parametrize(
    "move, said",
    [
        (lambda xy: turn(xy, 128.1), "turned"),
        (lambda xy: xy * [-1.0, 1.0], "reflected"),
        (lambda xy: xy + [2_100.0, -2_200.0], "shifted by 3,041 m"),
    ],
)
def test_a_map_that_was_moved_as_a_whole_is_laid_back(files, move, said):
    original, reference, _ = files
    order = np.random.default_rng(1).permutation(len(original["x"]))
    released = with_places(original, move(places(original))[order])
    tables, coding = tables_of(original, released, reference)
    made, remarks = laid_back(tables, lambda fraction: None)
    assert said in str(remarks[0])
    back = coding.decode(made)
    assert np.abs(back["x"] - original["x"][order]).max() < 3
    assert np.abs(back["y"] - original["y"][order]).max() < 3
    # What is no coordinate stays as it is.
    others = [at for at in range(made.shape[1]) if at not in coding.starts(PLACE)]
    assert (made[:, others] == tables.released[:, others]).all()


def test_honest_maps_and_masked_ones_stay_where_they_are(files):
    original, reference, others = files
    rng = np.random.default_rng(2)
    masked = with_places(original, places(original) + rng.normal(0, 300, (len(original["x"]), 2)))
    for released in (original, others, masked):
        tables, _ = tables_of(original, released, reference)
        made, remarks = laid_back(tables, lambda fraction: None)
        assert made is tables.released and not remarks


def test_a_turned_map_may_not_be_released(files):
    """Who lives there is told, though every other field is anybody's."""
    original, reference, others = files
    count = min(len(original["x"]), len(others["x"]))
    some = np.random.default_rng(4).permutation(len(original["x"]))[:count]
    released = {name: values[:count] for name, values in others.items()}
    honest, turned = (
        attacked(original, with_places(released, xy), reference)
        for xy in (places(released), turn(places(original), 200)[some])
    )
    assert honest[1].decision == "release_with_care"
    assert turned[1].decision == "do_not_release"
    assert any("turned" in str(one) for one in turned[0].attacks.notes)


def test_without_places_nothing_is_looked_for():
    ages = {"age": population(60, 1)["age"], "rare": population(60, 1)["rare"]}
    tables, _ = tables_of(ages, ages)
    made, remarks = laid_back(tables, lambda fraction: None)
    assert made is tables.released and not remarks


def in_parts(xy, rng, of, by=1500.0):
    """Each part of a map moved by its own."""
    return (xy + rng.normal(0, by, (of.max() + 1, 2))[of]).round()


def test_parts_that_were_moved_by_their_own_are_laid_back(files):
    original, reference, other = files
    rng, xy = np.random.default_rng(2), places(files[0])
    order = rng.permutation(len(xy))
    of = ((xy // 4000) @ [1, 100]).astype(int)
    of = np.unique(of, return_inverse=True)[1].ravel()
    for known in (reference, None):
        tables, coding = tables_of(
            original, with_places(original, in_parts(xy, rng, of)[order]), known
        )
        made, remarks = laid_back(tables, lambda fraction: None)
        assert "near each other were moved together" in str(remarks[0])
        back = coding.decode(made)
        off = np.hypot(back["x"] - original["x"][order], back["y"] - original["y"][order])
        assert (off < 3).mean() > 0.6
    # Strangers' places, in parts or not, lie upon no home of the file.
    theirs = places(other)
    of = ((theirs // 4000) @ [1, 100]).astype(int)
    of = np.unique(of, return_inverse=True)[1].ravel()
    for strange in (theirs, in_parts(theirs, rng, of)):
        tables, _ = tables_of(original, with_places(other, strange), reference)
        made, remarks = laid_back(tables, lambda fraction: None)
        assert made is tables.released and not remarks
