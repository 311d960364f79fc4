# SPDX-License-Identifier: GPL-2.0-or-later
"""Attacks on masks that go by rings, areas and streets: every pair by itself, and against the truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString

from geoanon_qgis.core.attacks.masks.attributes import Attribute, People
from geoanon_qgis.core.attacks.masks.posterior import (
    of_anybody,
    which_of_these,
    which_record,
    who_lives_there,
)
from geoanon_qgis.core.attacks.masks.states import Leading, by_states
from geoanon_qgis.core.attacks.masks.streeting import by_streets
from geoanon_qgis.core.attacks.masks.swapping import ClassOfAddress, by_rings
from geoanon_qgis.core.masking.addresses import at_addresses
from geoanon_qgis.core.masking.aggregation import CENTRE, RANDOM, aggregate, density
from geoanon_qgis.core.masking.lattice import SQUARES, Lattice
from geoanon_qgis.core.masking.location_swap import swap_locations
from geoanon_qgis.core.masking.public_areas import CellAreas, Population
from geoanon_qgis.core.masking.streets import Search, street_mask
from geoanon_qgis.core.masking.swap_rings import Candidates, RingRule
from geoanon_qgis.core.space.street_network import street_network
from tests.core.test_mask_posterior import calibrated, homes, table

SECRET = bytes(range(32))


def all_alike(count):
    return {None: ClassOfAddress(np.arange(count), np.ones(count))}


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([0.0, 60.0]))
def test_rings_are_those_of_every_pair(seed, widen, least):
    addresses = np.unique(homes(seed, 60, 400.0).round(-1), axis=0)
    rule, listed = RingRule(least, 120.0, 8, widen), Candidates.of(addresses)
    count = len(addresses)
    released = np.random.default_rng(seed).integers(-1, count, 25)
    found = table(by_rings(released, addresses, listed, rule, all_alike(count)))
    rings = listed.rings(addresses, rule)
    for row, at in enumerate(released):
        if at < 0:
            assert (found[row] == 0).all()
            continue
        away = np.hypot(*(addresses - addresses[at]).T)
        assert found[row] == pytest.approx(rings.density(np.arange(count), away))


def test_rings_of_classes_mix_what_an_address_is_listed_as():
    rng = np.random.default_rng(4)
    addresses = homes(4, 120, 400.0)
    # Every third address is listed with both classes, three times as often with the first.
    kinds = [
        ("a", "b") if one % 3 == 0 else ("a",) if one % 3 == 1 else ("b",) for one in range(120)
    ]
    rows = [(place, kind) for place, some in enumerate(kinds) for kind in some]
    of_row, labels = (list(one) for one in zip(*rows))
    listed = Candidates.of(addresses[of_row], labels)
    both = np.array([len(one) == 2 for one in kinds])
    classes = {}
    for kind, share in (("a", 0.75), ("b", 0.25)):
        here = np.array([place for place, one in rows if one == kind])
        classes[kind] = ClassOfAddress(here, np.where(both[here], share, 1.0))
    rule = RingRule(20.0, 90.0, 5, True)
    released = rng.integers(0, 120, 40)
    found = table(by_rings(released, addresses, listed, rule, classes))
    wanted = np.zeros(found.shape)
    for kind, own in classes.items():
        rings = listed.rings(addresses[own.row], rule, [kind] * len(own.row))
        for row, at in enumerate(released):
            if kind in kinds[at]:
                away = np.hypot(*(addresses[own.row] - addresses[at]).T)
                wanted[row, own.row] += own.share * rings.density(np.arange(len(own.row)), away)
    assert found == pytest.approx(wanted)


def in_classes(seed, number=5, count=900, most=4):
    """Addresses with several dwellings of different classes: a list, its rows, and their classes."""
    rng = np.random.default_rng(seed)
    addresses = homes(seed, count)
    of_row = np.repeat(np.arange(count), rng.integers(1, most + 1, count))
    kinds = rng.integers(0, number, len(of_row))
    many = np.bincount(of_row)
    classes = {}
    for kind in range(number):
        each = np.bincount(of_row[kinds == kind], minlength=count)
        here = np.flatnonzero(each)
        classes[kind] = ClassOfAddress(here, (each / many)[here])
    return rng, addresses, of_row, kinds, classes


def test_who_knows_the_class_of_a_record_counts_it_once():
    rule, found = RingRule(0.0, 150.0, 8), {"A": [], "B": []}
    for draw in range(6):
        rng, addresses, of_row, kinds, classes = in_classes(draw)
        listed = Candidates.of(addresses[of_row], kinds.tolist())
        rows = np.sort(rng.permutation(len(of_row))[:250])
        moved = swap_locations(
            addresses[of_row[rows]], listed, rule, SECRET, f"swap {draw}", kinds[rows].tolist()
        )
        good = ~moved.withheld
        home, at, own = of_row[rows[good]], of_row[moved.row[good]], kinds[rows[good]]
        possible = [{kind} for kind in own.tolist()]
        likelihood = by_rings(at, addresses, listed, rule, classes, possible=[*possible[:-1], None])
        # One class is one ring; whoever has several there is not likelier for each of them.
        kind = own[0]
        here = classes[kind].row
        rings = listed.rings(addresses[here], rule, [kind] * len(here))
        away = np.hypot(*(addresses[here] - addresses[at[0]]).T)
        wanted = np.zeros(len(addresses))
        wanted[here] = rings.density(np.arange(len(here)), away)
        assert table(likelihood)[0] == pytest.approx(wanted)
        told = Attribute(own.astype(float), kinds.astype(float))
        people = People(of_row, len(addresses), np.ones(len(of_row)), [told])
        weighed = likelihood.with_values(likelihood.value * people.factor(likelihood))
        hers = people.of_known(likelihood.of_people(home), home, np.arange(len(home)))
        a, b = who_lives_there(weighed), which_of_these(hers, of_anybody(weighed))
        found["A"].append((a.right(home), a.top))
        found["B"].append((b.right(np.arange(len(home))), b.top))
    # He believed a sixth too much where P(class | address) counted twice.
    right, believed = (np.concatenate(one) for one in zip(*found["B"]))
    assert right.mean() == pytest.approx(believed.mean(), rel=0.08)


@pytest.mark.parametrize("rule", [RingRule(50.0, 150.0, 10), RingRule(0.0, 40.0, 12)])
def test_behind_swaps_both_are_right_as_often_as_they_believe(rule):
    addresses = homes(8, 1500)
    listed, found = Candidates.of(addresses), {"A": [], "B": []}
    for draw in range(6):
        rows = np.random.default_rng(draw).permutation(1500)[:250]
        moved = swap_locations(addresses[rows], listed, rule, SECRET, f"swap {draw}")
        rows, at = rows[~moved.withheld], moved.row[~moved.withheld]
        likelihood = by_rings(at, addresses, listed, rule, all_alike(1500))
        both_guess(likelihood, rows, found)
    both_right(found)


def both_guess(likelihood, rows, found):
    a, b = who_lives_there(likelihood), which_record(likelihood, rows)
    assert not a.unexplained.any() and (a.of_truth(rows) > 0).all()
    found["A"].append((a.right(rows), a.top))
    found["B"].append((b.right(np.arange(len(rows))), b.top))


def both_right(found):
    for pairs in found.values():
        right, believed = (np.concatenate(one) for one in zip(*pairs))
        assert right.mean() == pytest.approx(believed.mean(), abs=0.035)
        calibrated(right, believed)


# --- areas ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [CENTRE, RANDOM])
def test_areas_are_those_of_every_pair_and_of_the_truth(place):
    addresses = homes(3, 700)
    weight = np.random.default_rng(1).integers(1, 5, 700).astype(float)
    areas = CellAreas.of(Lattice(SQUARES, 130.0), addresses, Population.at_points(addresses))
    own, found = areas.locate(addresses), {"A": [], "B": []}
    for draw in range(6):
        rng = np.random.default_rng(draw)
        rows = rng.choice(700, 150, replace=False, p=weight / weight.sum())
        made = aggregate(addresses[rows], areas, 10, place, SECRET, f"areas {draw}")
        rows, at = rows[~made.withheld], made.area[~made.withheld]
        value = np.ones(len(at)) if place == CENTRE else 1 / areas.size(at)
        enough = areas.people[own] >= 10
        leading = Leading.of_states(len(areas), np.where(enough, own, -1))
        likelihood = by_states(len(at), np.arange(len(at)), at, value, leading)
        pairs = np.indices((len(at), 700)).reshape(2, -1)
        wanted = density(areas, own[pairs[1]], at[pairs[0]], 10, place).reshape(len(at), 700)
        assert table(likelihood) == pytest.approx(wanted)
        a, b = who_lives_there(likelihood, weight), which_record(likelihood, rows, weight)
        found["A"].append((a.right(rows), a.top))
        found["B"].append((b.right(np.arange(len(rows))), b.top))
    for pairs in found.values():
        right, believed = (np.concatenate(one) for one in zip(*pairs))
        assert right.mean() == pytest.approx(believed.mean(), abs=0.03)


def test_ways_that_lead_to_one_candidate_add_up():
    lists = np.array([[0, 1], [1, 2], [-1, 0]])
    leading = Leading.of_lists(lists, 3, 0.5)
    point, state = np.array([0, 0, 1, 1]), np.array([0, 1, 2, 0])
    found = table(by_states(3, point, state, np.array([1.0, 2.0, 4.0, 1.0]), leading))
    assert found.tolist() == [[0.5, 1.5, 1.0], [2.5, 0.5, 0.0], [0.0, 0.0, 0.0]]


# --- streets --------------------------------------------------------------------------------------


def streets(size=900.0, step=100.0, seed=5):
    """A grid of streets, of which some are not there."""
    rng, lines = np.random.default_rng(seed), []
    ticks = np.arange(0.0, size + 1, step)
    for x in ticks:
        for y in ticks:
            for dx, dy in ((step, 0.0), (0.0, step)):
                if x + dx <= size and y + dy <= size and rng.random() < 0.85:
                    lines.append(LineString([(x, y), (x + dx, y + dy)]))
    return street_network(lines)


def test_behind_streets_both_are_right_as_often_as_they_believe():
    network, search = streets(), Search(5, 12, 700.0)
    addresses, found = homes(6, 1200, 900.0), {"A": [], "B": []}
    for draw in range(6):
        rows = np.random.default_rng(draw).permutation(1200)[:200]
        made = street_mask(addresses[rows], network, search, SECRET, f"streets {draw}")
        rows, xy = rows[~made.withheld], made.xy[~made.withheld]
        node = at_addresses(xy, network.xy, 0.02)[0]
        assert (node == made.node[~made.withheld]).all()
        likelihood = by_streets(node, addresses, network, search)
        both_guess(likelihood, rows, found)
    both_right(found)
    # every pair, by masking each candidate with every number that could have been drawn
    few = addresses[:60]
    counted = np.zeros((len(network.xy), 60))
    for draw in range(700):
        made = street_mask(few, network, search, SECRET, f"again {draw}")
        counted[made.node[~made.withheld], np.flatnonzero(~made.withheld)] += 1 / 700
    released = np.arange(len(network.xy))
    exact = table(by_streets(released, few, network, search))
    assert exact == pytest.approx(counted, abs=0.09)
    assert exact.sum(axis=0) == pytest.approx((counted.sum(axis=0) > 0).astype(float))


def test_points_at_no_node_are_explained_by_nobody():
    network = streets()
    found = by_streets(np.array([-1, -1]), homes(1, 50, 900.0), network, Search(5, 9, 500.0))
    assert who_lives_there(found).unexplained.all()
