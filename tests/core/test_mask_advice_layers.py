# SPDX-License-Identifier: GPL-2.0-or-later
"""Street masking and merged zones as masks to choose from, held against the code that releases."""

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.streeting import by_streets
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.experiments.masks.areas import Grid, MergedZones, Zones
from geoanon_qgis.core.experiments.masks.case import PLACE, RECORD, Case
from geoanon_qgis.core.experiments.masks.search import HELD, IMPOSSIBLE, find
from geoanon_qgis.core.experiments.masks.standing import EVERY_RECORD, MEAN, Limit
from geoanon_qgis.core.experiments.masks.streets import Streets
from geoanon_qgis.core.masking.aggregation import aggregate
from geoanon_qgis.core.masking.public_areas import Population, ZoneAreas
from geoanon_qgis.core.masking.streets import street_mask
from geoanon_qgis.core.space.street_network import street_network

SIZE = 2_000.0
EDGES = np.arange(0, SIZE + 1, 125.0)
NETWORK = street_network(
    [shapely.LineString([(x, 0), (x, SIZE)]) for x in EDGES]
    + [shapely.LineString([(0, y), (SIZE, y)]) for y in EDGES]
)
ZONES = np.array([shapely.box(x, y, x + 250, y + 250) for x in EDGES[:-1:2] for y in EDGES[:-1:2]])


def town(count=1_500, people=250, **more):
    rng = np.random.default_rng(8)
    xy = np.unique(rng.uniform(1, SIZE - 1, (count, 2)).round(1), axis=0)
    home = np.sort(rng.permutation(len(xy))[:people])
    return Case(xy[home], home, xy, **more)


@pytest.mark.parametrize("releases", [1, 2])
def test_streets_are_tried_as_they_are_released_and_attacked(releases):
    case, family, every = town(releases=releases), Streets(NETWORK), np.arange(250)
    size = float(family.sizes(case)[4])
    trial = family.trial(case, size, np.random.default_rng(3), every, True)
    rng, search = np.random.default_rng(3), family.search_of(size)
    made = street_mask(case.xy, NETWORK, search, rng.bytes(32), "maskstreets")
    assert trial.xy == pytest.approx(made.xy)
    told = family.parameters(size)
    assert (told["LOW"], told["HIGH"]) == (search.low, search.high)
    if releases == 1:
        likelihood = by_streets(made.node, case.candidates, NETWORK, search)
        place = who_lives_there(together(likelihood)).top
        assert trial.tops[PLACE] == pytest.approx(place)
        assert trial.tops[RECORD] == pytest.approx(which_record(likelihood, case.home).top)


def test_streets_are_found_a_size_for_a_limit_on_average():
    case = town(adversaries=(PLACE,))
    found = find(Streets(NETWORK), case, Limit(0.35, MEAN), 4, {})
    assert found.state == HELD
    assert found.standing.against[PLACE].ends[1] <= 0.35


def test_zones_are_merged_until_both_are_kept_below_the_limit():
    case = town()
    zones = Zones(ZONES, Grid(case.xy, case.candidates))
    limit = Limit(0.1, EVERY_RECORD)
    found = find(MergedZones(10, 10, zones=zones), case, limit, 4, {})
    assert found.state == HELD and found.parameters["K_RECORDS"] == 10
    k = found.parameters["K"]
    areas = ZoneAreas.merged(ZONES, Population.at_points(case.candidates), k)
    made = aggregate(case.xy, areas, k, least_records=10)
    assert made.withheld.mean() == pytest.approx(found.standing.withheld)
    own = np.where(made.withheld, -1, made.area)
    many = np.bincount(own[own >= 0])
    assert found.standing.against[RECORD].worst == pytest.approx(1 / many[many > 0].min())
    lives = areas.locate(case.candidates)
    there = np.bincount(lives[lives >= 0])[np.unique(own[own >= 0])]
    assert found.standing.against[PLACE].worst == pytest.approx(1 / there.min())


def test_zones_in_another_plane_are_moved_back():
    case, angle = town(), 0.3
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = [one @ turn.T + [5e5, 2e5] for one in (case.xy, case.candidates)]
    shapes = shapely.transform(ZONES, lambda xy: xy @ turn.T + [5e5, 2e5])
    every, rng = np.arange(case.people), np.random.default_rng(1)
    here = MergedZones(10, None, zones=Zones(ZONES, Grid(case.xy, case.candidates)))
    there = MergedZones(10, None, zones=Zones(shapes, Grid(*moved)))
    one, other = (family.trial(case, 40, rng, every, True) for family in (here, there))
    assert one.withheld == other.withheld == 0
    assert np.hypot(*(other.xy - case.xy).T).mean() == pytest.approx(
        np.hypot(*(one.xy - case.xy).T).mean(), rel=0.25
    )
    assert np.abs(other.xy).max() < 2 * SIZE


def test_zones_that_cover_a_part_of_the_list_are_tried_as_far_as_they_go():
    case = town()
    some = Zones(ZONES[: len(ZONES) // 3], Grid(case.xy, case.candidates))
    family = MergedZones(5, 5, zones=some)
    found = find(family, case, Limit(0.02, EVERY_RECORD), 4, {})
    assert found.why is None and found.standing is not None and found.standing.withheld > 0.3
    nowhere = Zones(shapely.box([1e6], [1e6], [1e6 + 9], [1e6 + 9]), some.grid)
    assert find(MergedZones(5, 5, zones=nowhere), case, Limit(0.1), 4, {}).state == IMPOSSIBLE
