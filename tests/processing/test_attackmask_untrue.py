# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:attackmask on inputs for which it once said more than is true."""

import json
from pathlib import Path

import numpy as np
import pytest

from geoanon_qgis.core.experiments.masks.standing import Limit
from geoanon_qgis.core.masking.secretfile import SecretFile, write
from geoanon_qgis.core.verdict import judge
from geoanon_qgis.processing.families.attacking.attacked import POSTERIOR_PLACE, _evidence
from tests.processing.helpers import GRID, coordinates, layer, records, run
from tests.processing.test_attackmask import ADDRESSES, PLACES, attack, masked, refused

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
CENTRE = np.array([400_000.0, 300_000.0])


@pytest.fixture
def listed():
    return layer(ADDRESSES, name="addresses")


def registry(rows):
    told = [(number, 5000 + row) for number, row in enumerate(rows.tolist())]
    return layer(PLACES[rows], crs=GRID, fields="person:int,pseudonym:int", rows=told)


def by_another_tool(moved, folder, **more):
    key = folder / "key.csv"
    lines = [
        f"r{i},{1000 + i},person,{x!r},{y!r},{GRID}" for i, (x, y) in enumerate(PLACES.tolist())
    ]
    key.write_text("\n".join(["masked_id,original_id,id_field,original_x,original_y,crs", *lines]))
    ids = [(f"r{i}",) for i in range(len(moved))]
    given = {
        "INPUT": layer(moved, crs=GRID, fields="masked_id:string", rows=ids),
        "CANDIDATES": layer(ADDRESSES, name="addresses"),
        "KEY": str(key),
        "OUTPUT": "TEMPORARY_OUTPUT",
        **more,
    }
    return run("attackmask", given)


def seen(move):
    before = ADDRESSES[np.random.default_rng(9).permutation(3000)[:300]]
    ids = [(f"p{i}",) for i in range(300)]
    one, two = (layer(xy, crs=GRID, fields="pid:string", rows=ids) for xy in (before, move(before)))
    return {"BEFORE": one, "BEFORE_ID": "pid", "AFTER": two, "AFTER_ID": "pid"}


def secret(folder, number):
    """A secret file of its own, so that draws are the same in each run."""
    path = folder / f"secret_{number}.json"
    write(SecretFile(f"{number:02x}" * 32, GRID, None, {}, {}), path)
    return str(path)


def turned(degrees):
    turn = np.deg2rad(degrees)
    by = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return lambda xy: (xy - CENTRE) @ by.T + CENTRE


def test_a_grid_that_is_none_is_no_cover(tmp_path, listed):
    made = masked(tmp_path, MAX=2.0)
    assert "do not lie on a grid of 3000" in refused(made, listed, ROUNDING=3000.0)


def test_how_the_first_was_rounded_says_nothing_of_a_further_one(tmp_path, listed):
    (tmp_path / "far").mkdir(), (tmp_path / "near").mkdir()
    source = registry(np.arange(150))
    more = {"source": source, "FIELDS": ["pseudonym"], "SECRET": secret(tmp_path, 171)}
    far, near = (
        masked(tmp_path / one, MAX=size, **more) for one, size in (("far", 300.0), ("near", 8.0))
    )
    rows = [(row["masked_id"], row["pseudonym"]) for row in records(far["OUTPUT"])]
    xy = np.rint(coordinates(far["OUTPUT"]) / 1000) * 1000
    coarse = layer(xy, crs=GRID, fields="masked_id:string,pseudonym:int", rows=rows)
    done = attack(
        {**far.results, "OUTPUT": coarse},
        listed,
        ROUNDING=1000.0,
        ADVERSARY="whose_place",
        FURTHER_RELEASES=[near["OUTPUT"]],
        FURTHER_MASKS=[near["MASK"]],
        LINKED_BY="pseudonym",
    )
    assert done["IDENTIFIED"] > 100 and done["DECISION"] == "do_not_release"


def test_people_with_several_records_are_linked(tmp_path, listed):
    source, made = registry(np.append(np.repeat(np.arange(100), 2), 100)), []
    for number in range(8):
        (tmp_path / str(number)).mkdir()
        more = {"MAX": 110.0, "FIELDS": ["pseudonym"], "SECRET": secret(tmp_path, number)}
        made.append(masked(tmp_path / str(number), source=source, **more))
    files = {"FURTHER_RELEASES": [one["OUTPUT"] for one in made[1:]], "LINKED_BY": "pseudonym"}
    files["FURTHER_MASKS"] = [one["MASK"] for one in made[1:]]
    alone = attack(made[0], listed, ADVERSARY="whose_place")
    done = attack(made[0], listed, ADVERSARY="whose_place", **files)
    assert done["MEAN_TOP"] > 3 * alone["MEAN_TOP"] and done["DECISION"] == "do_not_release"


def test_who_lives_together_is_one_draw(tmp_path, listed):
    rows = np.repeat(np.arange(12), 25)
    made = masked(tmp_path, source=registry(rows), MAX=45.0, SECRET=secret(tmp_path, 3))
    done = attack(made, listed)
    # Twelve draws, not 300: by Wilson's interval no less than 0.24 even where nobody is found.
    assert done["HIGH"] > max(0.24, done["IDENTIFIED"] / 300 + 0.15)


def test_a_turn_that_was_seen_is_undone(tmp_path):
    move = turned(20)
    done = by_another_tool(move(PLACES), tmp_path, **seen(move))
    assert done["IDENTIFIED"] == pytest.approx(150)


def test_who_did_not_move_by_another_tool_is_found(tmp_path):
    rng = np.random.default_rng(1)

    def move(xy):
        still = rng.random(len(xy)) < 0.03
        return np.where(still[:, None], xy, xy + rng.normal(0, 400, xy.shape))

    moved = PLACES + rng.normal(0, 400, PLACES.shape)
    moved[:4] = PLACES[:4]
    done = by_another_tool(moved, tmp_path, ADVERSARY="whose_place", **seen(move))
    assert done["DECISION"] == "do_not_release" and done["WORST"] == pytest.approx(1)


def test_a_turn_that_nobody_told_of_is_found_by_the_list(tmp_path):
    done = by_another_tool(turned(5)(PLACES), tmp_path, ADVERSARY="whose_place")
    assert done["DECISION"] == "do_not_release" and done["IDENTIFIED"] == pytest.approx(150)
    assert any("turned, stretched or reflected together" in one for one in done.feedback.infos)


@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_a_right_key_after_a_large_shift_is_none_of_another_release(noise, tmp_path):
    rng = np.random.default_rng(3)
    moved = PLACES + [700.0, -450.0] + rng.normal(0, noise, PLACES.shape)
    done = by_another_tool(moved, tmp_path)
    assert any("shifted by 83" in one for one in done.feedback.infos)  # 832 m
    assert done["DECISION"] == "do_not_release" and done["IDENTIFIED"] > 140
    assert done["RECORDS_IDENTIFIED"] > 140


def of_zones(xy, each):
    """The row of each for the square of 300 m in which a place is, the same for all who ask."""
    zone = np.floor((xy - CENTRE) / 300).astype(int) % 20
    return each[zone[:, 0] * 20 + zone[:, 1]]


def a_step_for_each_zone(xy, rng):
    return xy + of_zones(xy, np.random.default_rng(8).normal(0, 400, (400, 2)))


def to_the_compass(xy, rng):
    way = rng.integers(0, 8, len(xy)) * np.pi / 4
    away = 900 * np.sqrt(rng.random(len(xy)))
    return xy + away[:, None] * np.stack([np.cos(way), np.sin(way)], axis=1)


def by_whole_metres(xy, rng):
    return xy + np.rint(rng.normal(0, 400, xy.shape))


def anywhere_near(xy, rng):
    return xy + rng.normal(0, 400, xy.shape)


@pytest.mark.parametrize(
    ("mask", "decision", "said"),
    [
        (a_step_for_each_zone, "cannot_tell", "made steps that others made, too"),
        (to_the_compass, "cannot_tell", "in some directions more than in others"),
        (by_whole_metres, "cannot_tell", "moved by whole numbers"),
        (anywhere_near, "release_with_care", None),
    ],
)
def test_a_mask_that_is_more_than_its_distances_is_not_released(mask, decision, said, tmp_path):
    rng = np.random.default_rng(10)
    more = {"ADVERSARY": "whose_place", "ACCEPTABLE": 0.2, "LIMIT_ON": "mean"}
    public = seen(lambda xy: mask(xy, rng))
    done = by_another_tool(mask(PLACES, rng), tmp_path, **more, **public)
    assert done["DECISION"] == decision
    told = [one for one in done.feedback.warnings if said and said in one]
    assert len(told) == (said is not None)
    assert done["RISK_HIGH"] == 1.0 if said else done["RISK_HIGH"] < 0.2


@pytest.mark.parametrize(
    ("share", "caveat"), [(0.0, True), (0.05, True), (0.2, False), (0.6, True)]
)
def test_a_score_that_contradicts_what_is_believed_is_no_result(share, caveat):
    believed, right = np.full(400, 0.2), np.zeros(400)
    right[: int(400 * share)] = 1.0
    limit = Limit(0.9, "mean")
    found = _evidence(POSTERIOR_PLACE, believed, right, limit)
    assert found.complete is not caveat
    decided = judge([found], "address_list", "whose_place", 0.9).decision
    assert decided == ("cannot_tell" if caveat else "release_with_care")
    # of ten homes with forty records each that are found together it may be chance
    together = _evidence(POSTERIOR_PLACE, believed, right, limit, np.repeat(np.arange(10), 40))
    assert together.complete


def test_who_is_sure_and_right_contradicts_nothing():
    sure = np.ones(50)
    assert _evidence(POSTERIOR_PLACE, sure, sure, None).complete
    assert not _evidence(POSTERIOR_PLACE, sure, np.zeros(50), None).complete


def test_a_mask_file_that_was_changed_by_hand_proves_nothing(tmp_path, listed):
    made = masked(tmp_path, MAX=15.0)
    told = json.loads(Path(made["MASK"]).read_text())
    told["parameters"]["MAX"] = 900.0
    Path(made["MASK"]).write_text(json.dumps(told))
    more = {"ADVERSARY": "whose_place", "ACCEPTABLE": 0.2, "LIMIT_ON": "mean"}
    done = attack(made, listed, key=False, **more)
    assert done["MEAN_TOP"] < 0.1 and done["DECISION"] == "cannot_tell"
    assert any("was changed since it was written" in one for one in done.feedback.warnings)
