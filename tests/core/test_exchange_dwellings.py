# SPDX-License-Identifier: GPL-2.0-or-later
"""Exchange of dwellings: what is promised, counted out on the graph."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoanon_qgis.core.masking.address_chances import of_dwellings, of_exchange
from geoanon_qgis.core.masking.dwelling_partners import dwelling_graph
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.runtime import accel
from geoanon_qgis.core.runtime.errors import InputError


@st.composite
def towns(draw, most=60):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    count = draw(st.integers(2, most))
    xy = rng.permutation(np.unique(rng.uniform(0, 1000, (count, 2)).round(1), axis=0))
    dwellings = rng.choice([0, 1, 1, 1, 2, 3, 30], len(xy))
    dwellings[:2] += 1
    return xy, dwellings, draw(st.integers(2, max(2, min(12, int(dwellings.sum())))))


def pairs_of(graph):
    """n_ab: pairs of partners between the dwellings of two addresses."""
    found = np.zeros((len(graph.xy), len(graph.xy)), dtype=int)
    for row in range(len(graph.xy)):
        own = graph.partners[graph.first[row] : graph.first[row + 1]]
        np.add.at(found[row], own.ravel(), 1)
    return found


@settings(max_examples=60, deadline=None)
@given(towns())
def test_no_dwelling_is_likelier_than_one_in_k(town):
    xy, dwellings, k = town
    graph = dwelling_graph(xy, dwellings, k)
    pairs, there = pairs_of(graph), ~graph.withheld
    assert np.array_equal(pairs, pairs.T)
    assert np.array_equal(pairs.sum(axis=1), np.where(there, dwellings * k, 0))
    # Who is left out: houses without a dwelling, and one where the numbers are odd.
    assert not there[dwellings == 0].any()
    left = np.flatnonzero(~there & (dwellings > 0))
    if len(left):
        assert dwellings.sum() * (k - 1) % 2
        odd = dwellings[dwellings % 2 == 1].min()
        assert dwellings.sum() - odd < k or (len(left) == 1 and dwellings[left[0]] == odd)
    # By the definition: likelihood of a point at b from a dwelling of a, over all dwellings.
    f = pairs / np.maximum(dwellings * k, 1)[:, None]
    for b in np.flatnonzero(there):
        of_dwelling = f[:, b] / (dwellings * f[:, b]).sum()
        assert of_dwelling.max() <= 1 / k + 1e-12
        assert dwellings[f[:, b] > 0].sum() >= k
        assert (dwellings * of_dwelling)[dwellings == 1].max(initial=0) <= 1 / k + 1e-12


@settings(max_examples=30, deadline=None)
@given(towns(), st.integers(0, 2**32 - 1))
def test_neither_the_order_of_the_rows_nor_numba_matters(town, seed):
    xy, dwellings, k = town
    order = np.random.default_rng(seed).permutation(len(xy))
    one, other = dwelling_graph(xy, dwellings, k), dwelling_graph(xy[order], dwellings[order], k)
    u = np.random.default_rng(1).random(len(xy))
    row, turned = (
        one.partner_of(np.arange(len(xy)), u),
        other.partner_of(np.arange(len(xy)), u[order]),
    )
    assert np.array_equal(one.withheld[order], other.withheld)
    assert np.array_equal(np.where(turned < 0, -1, order[turned]), row[order])
    was = accel.enabled()
    try:
        accel.set_enabled(not was)
        again = dwelling_graph(xy, dwellings, k)
    finally:
        accel.set_enabled(was)
    assert np.array_equal(again.partners, one.partners)


def test_houses_with_one_dwelling_each_are_an_exchange_of_addresses():
    xy = np.random.default_rng(3).uniform(0, 1000, (400, 2))
    one, other = dwelling_graph(xy, np.ones(400), 7), partner_graph(xy, 7)
    u = np.random.default_rng(4).random(400)
    place = np.arange(400)
    assert np.array_equal(one.partner_of(place, u), other.partner_of(place, u))
    some = place[:80]
    told = of_dwellings(one, one.partner_of(some, u[:80]), lambda _: None)
    plain = of_exchange(other, other.partner_of(some, u[:80]), np.ones(400), lambda _: None)
    assert told == pytest.approx(plain)


def test_records_go_to_each_address_as_often_as_its_dwellings_say():
    rng = np.random.default_rng(5)
    xy, dwellings = rng.uniform(0, 500, (60, 2)), rng.integers(1, 5, 60)
    graph = dwelling_graph(xy, dwellings, 6)
    wanted = pairs_of(graph) / (dwellings * 6)[:, None]
    u = (np.arange(60_000) + 0.5) / 60_000
    for place in np.flatnonzero(~graph.withheld)[:10]:
        found = graph.partner_of(np.full(len(u), place), u)
        assert np.bincount(found, minlength=60) / len(u) == pytest.approx(wanted[place], abs=1e-4)
        assert set(graph.reached(np.array([place]))) == set(np.flatnonzero(wanted[place]))


def test_a_tower_hides_its_own_and_chances_are_of_dwellings():
    rng = np.random.default_rng(6)
    xy = rng.uniform(0, 500, (50, 2))
    dwellings = np.where(np.arange(50) == 7, 40, 1)
    graph = dwelling_graph(xy, dwellings, 10)
    inside = pairs_of(graph)[7, 7]
    assert 0.95 * 400 < inside <= 400
    told = of_dwellings(graph, np.array([7]), lambda _: None)
    # One point there: of one of its forty, or of the few others.
    assert told["alone"] == pytest.approx(max(inside / 400 / 40, 1 / 400))
    assert told["address"] >= told["alone"]
    others = of_dwellings(graph, np.array([3, 5, -1]), lambda _: None)
    assert others["alone"] == pytest.approx(0.1) and others["address"] >= 0.1


def test_classes_tiles_and_nonsense():
    rng = np.random.default_rng(7)
    xy, dwellings = rng.uniform(0, 5000, (1500, 2)), rng.integers(0, 4, 1500)
    kinds = np.array(["a", "b", "c"])[rng.choice(3, 1500, p=[0.6, 0.398, 0.002])]
    graph = dwelling_graph(xy, dwellings, 9, kinds)
    for one in ("a", "b"):
        own = np.flatnonzero(~graph.withheld & (kinds == one))
        assert (kinds[graph.reached(own)] == one).all()
    assert graph.withheld[kinds == "c"].all()
    tiled = dwelling_graph(xy, dwellings, 9, at_once=4000)
    assert np.array_equal(pairs_of(tiled).sum(axis=0), np.where(tiled.withheld, 0, 9 * dwellings))
    assert "1,500 addresses" in repr(tiled)
    for given_, said in (
        ((xy, dwellings + 0.5, 9), "whole number of dwellings"),
        ((xy, -dwellings, 9), "whole number of dwellings"),
        ((xy, dwellings[:-1], 9), "whole number of dwellings"),
        ((xy, dwellings, 1), "at least 2 partners"),
        ((xy[:3], np.array([1, 1, 0]), 3), "There are 2 dwellings; 3 partners need"),
        ((xy[[0, 0, 1]], np.ones(3), 2), "listed more than once"),
    ):
        with pytest.raises(InputError, match=said):
            dwelling_graph(*given_)
