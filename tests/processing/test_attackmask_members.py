# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:attackmask for people who are known to be in the file, and whom the limit is on."""

import json

import numpy as np
import pytest

from geoanon_qgis.core.masking.laws import Gaussian
from tests.processing.helpers import GRID, coordinates, layer, records, refusal, run
from tests.processing.test_attackmask import ADDRESSES, PLACES, attack, masked, refused

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
SOME = np.arange(0, 60)
#: Addresses at which nobody of the file lives.
EMPTY = ADDRESSES[~(ADDRESSES[:, None] == PLACES[None]).all(axis=2).any(axis=1)]


@pytest.fixture
def listed():
    return layer(ADDRESSES, name="addresses")


def known(rows=SOME, more=(), field="person"):
    """Members by their homes and, in a field, their ids; with others who are not in the file."""
    xy = np.vstack([PLACES[rows], np.reshape(more, (-1, 2))])
    ids = [(1000 + row,) for row in np.asarray(rows).tolist()]
    ids += [(9000 + row,) for row in range(len(xy) - len(rows))]
    return layer(xy, crs=GRID, fields=f"{field}:int", rows=ids, name="known")


def by_hand(made, rows):
    """Whose record each member's is, by the definition: f(y|x) / sum of f(y|c), made to sum to 1."""
    away = np.hypot(*(coordinates(made["OUTPUT"])[:, None] - ADDRESSES[None]).transpose(2, 0, 1))
    density = Gaussian(60.0).density(away)
    density[away > Gaussian(60.0).reach()] = 0.0
    home = [np.flatnonzero((ADDRESSES == PLACES[row]).all(axis=1))[0] for row in rows]
    ratio = density[:, home] / density.sum(axis=1, keepdims=True)
    return (ratio / ratio.sum(axis=0)).T


def own_records(made, rows):
    of = {int(one["original_id"]): int(one["masked_id"]) for one in records(made["KEY"])}
    ids = [one["masked_id"] for one in records(made["OUTPUT"])]
    return np.array([ids.index(of[1000 + row]) for row in rows])


@pytest.mark.parametrize("field", ["person", "other"])
def test_of_them_alone_is_asked_by_id_and_by_place(field, tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    done = attack(made, listed, MEMBERS=known(field=field), RECORDS_OF="TEMPORARY_OUTPUT")
    q, own = by_hand(made, SOME), own_records(made, SOME)
    assert done["RECORDS_MEAN_TOP"] == pytest.approx(q.max(axis=1).mean(), rel=1e-6)
    assert done["RECORDS_WORST"] == pytest.approx(q.max(), rel=1e-6)
    assert done["RECORDS_IDENTIFIED"] == (q.argmax(axis=1) == own).sum()
    above = (q.max(axis=1) > 0.09).mean()
    assert done["RECORDS_SHARE_ABOVE"] == pytest.approx(above) and done["NOT_IN_FILE"] == 0
    rows = records(done["RECORDS_OF"])
    assert [one["probability"] for one in rows] == pytest.approx(q.max(axis=1).tolist(), rel=1e-6)
    truth = q[np.arange(60), own]
    assert [one["of_truth"] for one in rows] == pytest.approx(truth.tolist(), rel=1e-6)
    everybody = attack(made, listed)
    assert everybody["RECORDS_IDENTIFIED"] > done["RECORDS_IDENTIFIED"]
    assert everybody["IDENTIFIED"] == done["IDENTIFIED"]  # what A finds does not hang on them


def test_without_a_key_he_believes_what_is_right(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    told = tmp_path / "r.json"
    done = attack(made, listed, key=False, MEMBERS=known(), JSON=str(told))
    assert done["RECORDS_IDENTIFIED"] == pytest.approx(by_hand(made, SOME).max(axis=1).sum())
    scored = attack(made, listed, MEMBERS=known())
    assert done["RECORDS_IDENTIFIED"] == pytest.approx(scored["RECORDS_IDENTIFIED"], abs=8)
    assert done["DECISION"] == "do_not_release"  # he was tried, and finds most
    verdict = json.loads(told.read_text())["verdict"]
    assert "one_adversary" not in json.dumps(verdict["evidence"])
    assert any("60 people in “known” (MEMBERS) alone" in one for one in verdict["not_run"])


def test_who_is_not_in_the_file_is_counted_and_not_asked_for(tmp_path, listed):
    made = masked(tmp_path, LAW="disc", MAX=150.0)
    strangers = EMPTY[:20]
    done = attack(made, listed, MEMBERS=known(more=strangers))
    assert done["NOT_IN_FILE"] == 20
    assert any(
        "By the key, of “known” (MEMBERS) 20 people are not in" in one
        for one in done.feedback.warnings
    )
    alone = attack(made, listed, MEMBERS=known())
    assert done["RECORDS_IDENTIFIED"] == alone["RECORDS_IDENTIFIED"]
    # Without the key those are told of whose no point can be: none lies within the radius.
    away = np.hypot(*(coordinates(made["OUTPUT"])[:, None] - strangers[None]).transpose(2, 0, 1))
    never = int((away.min(axis=0) > 150.0).sum())
    done = attack(made, listed, key=False, MEMBERS=known(more=strangers))
    assert 0 < never < 20 and done["NOT_IN_FILE"] == never


def test_members_who_live_at_no_address_of_the_list_leave_it_open(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    off = PLACES[60:62] + 5000.0
    done = attack(made, listed, key=False, MEMBERS=known(more=off))
    assert any("at no address of the list" in one for one in done.feedback.warnings)


def test_a_table_of_ids_needs_the_key(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    ids = [(1000 + row,) for row in SOME.tolist()]
    table = layer([None] * 60, kind="None", fields="person:int", rows=ids, name="ids")
    done = attack(made, listed, MEMBERS=table)
    assert done["RECORDS_IDENTIFIED"] == attack(made, listed, MEMBERS=known())["RECORDS_IDENTIFIED"]
    assert "has no places, so that" in refused(made, listed, MEMBERS=table)
    other = layer([None] * 60, kind="None", fields="number:int", rows=ids, name="ids")
    said = refused(made, listed, KEY=made["KEY"], MEMBERS=other)
    assert "Nothing tells who of “ids” (MEMBERS) is who" in said


def test_members_of_another_place_are_a_sentence(tmp_path, listed):
    made = masked(tmp_path, LAW="disc", MAX=60.0)
    far = layer(PLACES + 50_000, crs=GRID, name="far")
    assert "lives at an address of the list" in refused(made, listed, MEMBERS=far)
    said = refused(made, listed, KEY=made["KEY"], MEMBERS=far)
    assert "Nobody of “far” (MEMBERS) is in the file by the key" in said
    away = np.hypot(*(coordinates(made["OUTPUT"])[:, None] - EMPTY[None]).transpose(2, 0, 1))
    nobody = layer(EMPTY[away.min(axis=0) > 60.0][:5], crs=GRID, name="nobody")
    assert "as no released point can be theirs" in refused(made, listed, MEMBERS=nobody)
    # Numbers that everybody's features have are no proof that somebody is in the file.
    ids = [(1000 + row,) for row in range(5)]
    for xy in (EMPTY[:5], PLACES[:5] + 5000.0):
        others = layer(xy, crs=GRID, fields="person:int", rows=ids, name="others")
        said = refused(made, listed, KEY=made["KEY"], MEMBERS=others)
        assert "those of other people: of 5 that are in the key too, 0 live where" in said
    nothing = layer(np.empty((0, 2)), crs=GRID, name="nothing")
    assert "“nothing” (MEMBERS) is empty" in refused(made, listed, MEMBERS=nothing)
    assert "left out by ADVERSARY" in refused(made, listed, MEMBERS=far, ADVERSARY="whose_place")
    assert "is the released layer itself" in refused(made, listed, MEMBERS=made["OUTPUT"])
    assert "MEMBERS is the address list" in refused(made, listed, MEMBERS=listed)


@pytest.fixture(scope="module")
def spread():
    """Many addresses, a few of which stand alone: nobody but those few is found."""
    rng = np.random.default_rng(8)
    return np.vstack([rng.uniform(0, 1500, (6000, 2)), [[9000.0, 9000.0], [9000.0, 9060.0]]]).round(
        2
    )


def released(xy, rows, folder):
    source = layer(xy[rows], crs=GRID, fields="person:int", rows=[(int(one),) for one in rows])
    made = masked(folder, source=source, MAX=150.0, LAW="gaussian")
    return made, layer(xy, crs=GRID)


def test_whom_the_limit_is_on_decides(tmp_path, spread):
    rows = np.append(np.random.default_rng(2).permutation(6000)[:1200], 6000)
    made, listed = released(spread, rows, tmp_path)
    more = {"ADVERSARY": "whose_place", "ACCEPTABLE": 0.09}
    found = {one: attack(made, listed, LIMIT_ON=one, **more) for one in ("mean", "99", "every")}
    # One of 1,201 has one of two addresses: 0.1 %, and by the interval at most 0.5 %.
    assert 0.4 < found["mean"]["WORST"] < 0.95 and found["mean"]["SHARE_ABOVE"] < 0.002
    assert [one["DECISION"] for one in found.values()] == [
        "release_with_care",
        "release_with_care",
        "do_not_release",
    ]
    assert attack(made, listed, **more)["DECISION"] == "release_with_care"  # mean, by default
    assert any("Above the limit of 9 % are 1 of 1,201" in one for one in found["99"].feedback.infos)


def test_of_few_records_the_interval_of_99_spans(tmp_path, spread):
    rows = np.append(np.random.default_rng(2).permutation(6000)[:450], 6000)
    made, listed = released(spread, rows, tmp_path)
    told = tmp_path / "r.json"
    more = {"ADVERSARY": "whose_place", "LIMIT_ON": "99", "JSON": str(told)}
    done = attack(made, listed, **more)
    # 1 of 451 is 0.2 %, but by the interval it may be 1.2 %.
    assert done["DECISION"] == "cannot_tell" and done["RISK_HIGH"] < 0.09
    assert json.loads(told.read_text())["verdict"]["evidence"][0]["undecided"] is True


def test_which_record_needs_somebody(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    done = attack(made, listed, key=False, MEMBERS=known(), ADVERSARY="which_record")
    assert "IDENTIFIED" not in done and done["RECORDS_IDENTIFIED"] > 0
    given = {"INPUT": made["OUTPUT"], "MASK": made["MASK"], "CANDIDATES": listed}
    said = refusal("attackmask", {**given, "ADVERSARY": "which_record", "OUTPUT": "memory:"})
    assert "needs the key (KEY, or ORIGINALS) or people who are known" in said
    assert run("attackmask", {**given, "OUTPUT": "TEMPORARY_OUTPUT"})["DECISION"]
