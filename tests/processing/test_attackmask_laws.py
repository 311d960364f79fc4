# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:attackmask without a mask file: laws that are typed, or estimated by the list."""

import numpy as np
import pytest

from tests.processing.helpers import GRID, layer, records, refusal, run
from tests.processing.kept_masks import people
from tests.processing.test_attackmask import ADDRESSES, PLACES, SQUARES, attack, masked

pytestmark = pytest.mark.usefixtures("project", "same_secrets")


@pytest.fixture
def listed():
    return layer(ADDRESSES, name="addresses")


def untold(made, listed, **more):
    given = {"INPUT": made["OUTPUT"], "CANDIDATES": listed, "KEY": made["KEY"]}
    return run("attackmask", {**given, "OUTPUT": "TEMPORARY_OUTPUT", **more})


LAWS = [
    {"LAW": "disc", "MAX": 80.0},
    {"LAW": "disc", "MAX": 80.0, "EVEN_BY": "radius"},
    {"LAW": "donut", "MIN": 40.0, "MAX": 80.0},
    {"LAW": "gaussian", "MAX": 60.0},
    {"LAW": "bimodal", "MAX": 60.0},
    {"LAW": "laplace", "EPSILON": 0.03},
    {"LAW": "donut", "K_MIN": 5, "K_MAX": 30},
    {"LAW": "gaussian", "K_MAX": 12},
]


@pytest.mark.parametrize("law", LAWS)
def test_a_typed_law_finds_what_the_mask_file_finds(law, tmp_path, listed):
    by_list = {"SIZE_BY": "candidates", "CANDIDATES": listed} if "K_MAX" in law else {}
    made = masked(tmp_path, **law, **by_list)
    told, done = attack(made, listed), untold(made, listed, **law)
    for name in ("IDENTIFIED", "MEAN_TOP", "WORST", "RECORDS_IDENTIFIED", "RECORDS_MEAN_TOP"):
        assert done[name] == pytest.approx(told[name]), name


def test_a_typed_law_with_zones_and_population(tmp_path, listed):
    areas = layer(SQUARES, kind="Polygon", fields="people:int", rows=[(400,)] * len(SQUARES))
    more = {"POPULATION": areas, "POPULATION_FIELD": "people", "ZONES": areas}
    made = masked(tmp_path, SIZE_BY="population", K_MAX=30, **more)
    told = attack(made, listed, **more)
    done = untold(made, listed, LAW="gaussian", K_MAX=30, **more)
    assert done["MEAN_TOP"] == pytest.approx(told["MEAN_TOP"]) and done["UNEXPLAINED"] == 0


def test_a_typed_law_without_a_key_shows_nothing_as_safe(tmp_path, listed):
    made = masked(tmp_path, MAX=400.0)
    more = {"KEY": None, "ADVERSARY": "whose_place", "ACCEPTABLE": 0.5}
    done = untold(made, listed, LAW="gaussian", MAX=400.0, **more)
    assert done["DECISION"] == "cannot_tell"


@pytest.mark.parametrize(
    ("law", "said"),
    [
        ({"MAX": 60.0}, "MAX: of which law?"),
        ({"LAW": "donut", "MAX": 60.0}, "LAW=donut needs MIN"),
        ({"LAW": "laplace", "MAX": 60.0}, "has EPSILON here, and MAX besides"),
        ({"LAW": "gaussian"}, "LAW=gaussian needs MAX"),
        ({"LAW": "gaussian", "MAX": 0.0}, "must be positive numbers"),
        ({"LAW": "donut", "MIN": 80.0, "MAX": 80.0}, "the first below the second"),
        ({"LAW": "donut", "K_MIN": 30, "K_MAX": 5}, "the first below the second"),
        ({"LAW": "gaussian", "MAX": 60.0, "K_MAX": 5}, "has K_MAX here, and MAX besides"),
    ],
)
def test_what_does_not_go_together_is_a_sentence(law, said, listed):
    given = {"INPUT": people(PLACES, np.arange(50)), "CANDIDATES": listed}
    assert said in refusal("attackmask", {**given, "OUTPUT": "TEMPORARY_OUTPUT", **law})


def test_a_law_beside_a_mask_file_or_of_other_points_is_a_sentence(tmp_path, listed):
    made = masked(tmp_path, LAW="disc", MAX=20.0)
    given = {"INPUT": made["OUTPUT"], "CANDIDATES": listed, "OUTPUT": "TEMPORARY_OUTPUT"}
    both = {**given, "LAW": "disc", "MAX": 20.0, "MASK": made["MASK"]}
    assert "A law was typed (LAW), and MASK was given" in refusal("attackmask", both)
    other = {**given, "KEY": made["KEY"], "LAW": "donut", "MIN": 300.0, "MAX": 400.0}
    assert "did not move from the places of the key" in refusal("attackmask", other)


def test_a_law_by_the_list_is_estimated(tmp_path):
    rng = np.random.default_rng(1)
    away, turn = 2000 * rng.random(3000) ** 2, rng.uniform(0, 2 * np.pi, 3000)
    xy = np.column_stack([400_000 + away * np.cos(turn), 300_000 + away * np.sin(turn)]).round(2)
    listed, source = layer(xy), people(xy, rng.permutation(3000)[:200])
    made = masked(
        tmp_path, source=source, LAW="gaussian", SIZE_BY="candidates", CANDIDATES=listed, K_MAX=15
    )
    told, done = attack(made, listed), untold(made, listed)
    assert any("gaussian K_MAX=1" in one for one in done.feedback.infos)
    assert done["IDENTIFIED"] > 0.8 * told["IDENTIFIED"]
    assert done["IDENTIFIED"] / 200 == pytest.approx(done["MEAN_TOP"], abs=0.1)


def test_records_that_a_tool_moved_each_by_itself_lie_round_their_home(tmp_path, listed):
    rng = np.random.default_rng(12)
    twice = np.repeat(np.arange(40), rng.integers(1, 7, 40))
    rows = [(number,) for number in range(len(twice))]
    source = layer(PLACES[twice], crs=GRID, fields="person:int", rows=rows, name="registry")
    made = masked(tmp_path, source=source, LAW="donut", MIN=40.0, MAX=60.0)
    # Each record drawn anew, and the ids as they were.
    home = {
        str(row["masked_id"]): (float(row["original_x"]), float(row["original_y"]))
        for row in records(made["KEY"])
    }
    ids = [str(row["masked_id"]) for row in records(made["OUTPUT"])]
    turn, far = rng.uniform(0, 2 * np.pi, len(ids)), np.sqrt(rng.uniform(1600, 3600, len(ids)))
    moved = far[:, None] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    xy = np.array([home[one] for one in ids]) + moved
    apart = layer(xy, crs=GRID, fields="masked_id:string", rows=[(one,) for one in ids])
    law = {"LAW": "donut", "MIN": 40.0, "MAX": 60.0, "ADVERSARY": "whose_place"}
    each, own = (
        untold(made, listed, **law),
        untold({**made.results, "OUTPUT": apart}, listed, **law),
    )
    assert own["IDENTIFIED"] / len(ids) == pytest.approx(own["MEAN_TOP"], abs=0.15)
    assert own["IDENTIFIED"] > 2 * each["IDENTIFIED"]
    assert any("each was moved by itself" in one for one in own.feedback.infos)
    assert not any("each was moved by itself" in one for one in each.feedback.infos)
    # Without the key the points show it, and he believes the same; where homes have one point each,
    # nothing is said of it.
    alone = untold({**made.results, "OUTPUT": apart}, listed, KEY=None, **law)
    assert any("By the points alone" in one for one in alone.feedback.infos)
    assert alone["MEAN_TOP"] == pytest.approx(own["MEAN_TOP"], rel=1e-9)
    first = np.unique([home[one] for one in ids], axis=0, return_index=True)[1]
    single = layer(
        xy[first], crs=GRID, fields="masked_id:string", rows=[(ids[one],) for one in first]
    )
    alone = untold({**made.results, "OUTPUT": single}, listed, KEY=None, **law)
    assert not any("moved each record" in one for one in alone.feedback.infos)
