# SPDX-License-Identifier: GPL-2.0-or-later
"""Home and fields as one: what gives away is found, by the mask's law or without, and no more."""

import numpy as np
import pytest

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood
from geoanon_qgis.core.attacks.masks.states import Leading, by_states
from geoanon_qgis.core.masking.partners import partner_graph
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.microdata.attacks.homes import Homes
from geoanon_qgis.core.microdata.attacks.joined import joined
from geoanon_qgis.core.microdata.attacks.scoring import level_of
from geoanon_qgis.core.verdict import LIMIT
from tests.core.test_microdata_attacks import PLACE, population, swapped, tables_of

COUNT = 500
ORIGINAL, REFERENCE, STRANGERS = (population(COUNT, seed, 3) for seed in (31, 32, 33))


def xy_of(table):
    return np.stack([table["x"], table["y"]], axis=1)


def at(table, xy):
    return {**table, "x": xy[:, 0], "y": xy[:, 1]}


def found(released, reference=REFERENCE, homes=None, **more):
    """Attacks that surely find too many, by what is guessed."""
    tables, _ = tables_of(ORIGINAL, released, reference)
    made = joined(tables, homes, **more)
    z = level_of(len(made))
    return [str(one.wants) for one in made if one.is_sure(LIMIT, z) or one.excess()[1] > LIMIT]


def jittered(table, metres, seed=0):
    rng = np.random.default_rng(seed)
    return at(table, xy_of(table) + rng.normal(0, metres, (COUNT, 2)))


@pytest.mark.parametrize("reference", [REFERENCE, None], ids=["reference", "leave one out"])
@pytest.mark.parametrize("moved", ["nowhere", "little", "voronoi"])
def test_places_that_still_give_diabetes_away_are_found(moved, reference):
    released = swapped(ORIGINAL, {*PLACE, "age", "diabetes"})
    if moved == "little":
        released = jittered(released, 30)
    if moved == "voronoi":
        released = at(released, voronoi_mask(xy_of(released)).xy)
    assert any("diabetes is yes" in one for one in found(released, reference))


@pytest.mark.parametrize("reference", [REFERENCE, None], ids=["reference", "leave one out"])
def test_nothing_is_found_where_nothing_is_true(reference):
    assert not found(STRANGERS, reference)
    # True places beside the fields of other people tell who is in the file, and no more.
    assert not found(jittered(at(STRANGERS, xy_of(ORIGINAL)), 60), reference)


def exchanged(table, reference, k=20, seed=5):
    """Places exchanged with those of addresses, the release in random order, and what homes explain."""
    rng = np.random.default_rng(seed)
    around = rng.normal([531000, 182000], 1500, (6 * COUNT, 2))
    homes = [xy_of(ORIGINAL), xy_of(REFERENCE)]
    addresses = np.unique(np.concatenate([*homes, around]).round(), axis=0)
    graph = partner_graph(addresses, k)
    number = {tuple(one): row for row, one in enumerate(addresses.tolist())}
    lives = [np.array([number[tuple(one)] for one in some.tolist()]) for some in homes]
    to = graph.partners[lives[0], rng.integers(0, k, COUNT)]
    order = rng.permutation(COUNT)
    moved = at({name: values[order] for name, values in table.items()}, addresses[to[order]])

    def explained(points):
        leading = Leading.of_lists(graph.partners, len(addresses), 1 / k)
        likelihood = by_states(
            len(points), np.arange(len(points)), points, np.ones(len(points)), leading
        )
        return likelihood.with_values(likelihood.value * len(addresses))

    own = explained(to[order])
    control = own if reference is not None else explained(lives[0])
    of = lives[1] if reference is not None else lives[0]
    return moved, Homes(own.of_people(lives[0]), control.of_people(of))


@pytest.mark.parametrize("reference", [REFERENCE, None], ids=["reference", "leave one out"])
def test_a_mask_that_holds_is_not_refused_and_true_fields_beside_it_are_found(reference):
    strangers, homes = exchanged(STRANGERS, reference)
    assert not found(strangers, reference, homes)
    # Fields that are true say which of the twenty it is.
    true, homes = exchanged(ORIGINAL, reference)
    keep = {"age", "children", "sex", "income", "diabetes"}
    rng = np.random.default_rng(1)
    mixed = {
        name: values if name in {*PLACE, *keep} else values[rng.permutation(COUNT)]
        for name, values in true.items()
    }
    assert found(mixed, reference, homes)


def test_what_he_knows_is_what_is_weighed():
    released = swapped(ORIGINAL, {*PLACE, "diabetes"})
    tables, _ = tables_of(ORIGINAL, released, REFERENCE)
    assert not joined(tables, None, ["age"], ["diabetes"])  # the home is not known
    made = joined(tables, None, [*PLACE, "age"], ["diabetes"])
    assert {one.names for one in made if one.kind == "inference"} == {
        ((*PLACE, "age"), ("diabetes",))
    }


def test_homes_that_no_mask_explains_are_looked_for_by_fields_among_the_nearest():
    none = Likelihood(COUNT, np.zeros(COUNT + 1, np.int64), np.zeros(0, np.int64), np.zeros(0))
    assert not any("singles" in one for one in found(STRANGERS, REFERENCE, Homes(none, none)))
    true = found(jittered(ORIGINAL, 5), REFERENCE, Homes(none, none))
    assert any("diabetes is yes" in one for one in true)
