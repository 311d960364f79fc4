# SPDX-License-Identifier: GPL-2.0-or-later
"""Private keys: what names a person, what is written, and who is found in another file."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qgis.core import QgsCoordinateReferenceSystem, QgsProcessingContext

from geoanon_qgis.processing.families import matching
from geoanon_qgis.processing.families.matching import Other, match, shared_field
from geoanon_qgis.processing.layers.keys import read_key
from tests.processing.helpers import (
    DEGREES,
    GRID,
    as_source,
    layer,
    opened,
    points,
    records,
    refusal,
    run,
    saved,
)

pytestmark = pytest.mark.usefixtures("project")

COUNT = 60
XY = points(COUNT)
PIDS = np.random.default_rng(8).choice(np.arange(5_000, 9_000), COUNT, replace=False)
RUNS = {
    "voronoimask": {},
    "noisydistances": {"NOISE": "exact", "MATRIX": "TEMPORARY_OUTPUT"},
    "lipschitzrelease": {"MATRIX": "TEMPORARY_OUTPUT", "SETS": 3, "SIZE": 2},
    "spectralanonymize": {"METHOD": "additive_noise", "FIELDS": ["age"], "USE_GEOMETRY": True},
}


def people(pids=PIDS, xy=XY, crs=GRID, kind="int"):
    pids = pids.tolist() if isinstance(pids, np.ndarray) else pids
    rows = [(one, at * at % 7) for at, one in enumerate(pids)]
    return layer(xy, crs=crs, fields=f"pid:{kind},age:int", rows=rows, name="people")


def released(algorithm, source, key="TEMPORARY_OUTPUT", **more):
    return run(
        algorithm,
        {
            "INPUT": source,
            "OUTPUT": "TEMPORARY_OUTPUT",
            "KEY": key,
            **RUNS[algorithm],
            **more,
        },
    )


# --- what is written --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, pids",
    [
        ("int", PIDS.tolist()),
        ("string", [f"p-{one}" for one in PIDS]),
        ("double", [float(one) for one in PIDS]),
        ("string", [str(one) for one in PIDS]),
    ],
)
@pytest.mark.parametrize("algorithm", RUNS)
def test_the_key_names_people_by_the_field_and_by_place(algorithm, kind, pids):
    done = released(algorithm, people(pids, kind=kind), ID_FIELD="pid")
    key = records(done["KEY"])
    assert len(key) == COUNT
    assert {row["id_field"] for row in key} == {"pid"} and {row["crs"] for row in key} == {GRID}
    place = {(row["original_x"], row["original_y"]): row["original_id"] for row in key}
    assert place == {(x, y): one for (x, y), one in zip(XY.tolist(), pids)}
    assert "pid" not in opened(done["OUTPUT"]).fields().names()


@pytest.mark.parametrize("algorithm", RUNS)
def test_without_a_field_the_key_holds_feature_ids(algorithm):
    key = records(released(algorithm, people())["KEY"])
    assert {row["id_field"] for row in key} == {None}
    place = {(row["original_x"], row["original_y"]): row["original_id"] for row in key}
    assert place == {(x, y): row for row, (x, y) in enumerate(XY.tolist(), 1)}


@pytest.mark.parametrize("algorithm", RUNS)
def test_the_field_is_not_released_even_when_it_is_asked_for(algorithm):
    done = released(algorithm, people(), ID_FIELD="pid", FIELDS=["age", "pid"])
    assert "pid" not in opened(done["OUTPUT"]).fields().names()
    assert "age" in opened(done["OUTPUT"]).fields().names()


@pytest.mark.parametrize(
    "pids, kind, says",
    [
        ([7] * COUNT, "int", "more than once"),
        ([None, *range(1, COUNT)], "int", "no id"),
        (["", *map(str, range(1, COUNT))], "string", "no id"),
        ([one + 0.5 for one in range(COUNT)], "double", "neither whole numbers nor text"),
        ([True, *[False] * (COUNT - 1)], "bool", "neither whole numbers nor text"),
        ([2.0**63, *range(1, COUNT)], "double", "last digits"),
        ([-(2.0**53) - 2, *range(1, COUNT)], "double", "last digits"),
    ],
)
@pytest.mark.parametrize("algorithm", ["voronoimask", "noisydistances"])
def test_a_field_that_names_nobody_is_refused(algorithm, pids, kind, says):
    sentence = refusal(
        algorithm,
        {
            "INPUT": people(pids, kind=kind),
            "OUTPUT": "TEMPORARY_OUTPUT",
            "ID_FIELD": "pid",
            **RUNS[algorithm],
        },
    )
    assert says in sentence and "pid" in sentence


def test_a_table_without_places_has_none_in_its_key():
    source = layer(
        [None] * COUNT,
        kind="NoGeometry",
        crs="",
        fields="pid:int,age:int",
        rows=[(int(one), at % 7) for at, one in enumerate(PIDS)],
    )
    done = released("spectralanonymize", source, ID_FIELD="pid", USE_GEOMETRY=False)
    key = records(done["KEY"])
    assert {row["original_id"] for row in key} == set(PIDS.tolist())
    assert {row["original_x"] for row in key} == {None} and {row["crs"] for row in key} == {None}


def test_an_empty_key_is_told():
    done = released("spectralanonymize", people(), METHOD="spectral_swapping")
    assert records(done["KEY"]) == [] and "The key has no rows" in done.feedback.said


# --- who is found in another file -------------------------------------------------------------


def matched(key_layer, ids, others, xy=None, chosen=None, crs=GRID):
    key = read_key(as_source(opened(key_layer)))
    source = as_source(others)
    table = records(others)
    fields = {name: [row[name] for row in table] for name in others.fields().names()}
    other = Other(
        source,
        [one.id() for one in others.getFeatures()],
        None if xy is None else np.asarray(xy),
        QgsCoordinateReferenceSystem(crs),
        fields,
        chosen,
    )
    assert shared_field(key, others.fields()) in (None, "pid")
    return match(key, ids, other, QgsProcessingContext())


@pytest.mark.parametrize("ending", [None, "csv", "dbf", "gpkg"])
@pytest.mark.parametrize("id_field", [None, "pid"])
def test_a_key_reads_the_same_from_every_format(tmp_path, ending, id_field):
    key = "TEMPORARY_OUTPUT" if ending is None else str(tmp_path / f"key.{ending}")
    done = released("voronoimask", people(), key, ID_FIELD=id_field)
    truth = (
        {row["masked_id"]: (row["original_x"], row["original_y"]) for row in records(done["KEY"])}
        if ending is None
        else None
    )
    turn = np.random.default_rng(2).permutation(COUNT)
    found = matched(done["KEY"], range(1, COUNT + 1), people(PIDS[turn], XY[turn]), XY[turn])
    assert found.way == (matching.ID if id_field else matching.PLACE)
    assert sorted(found.rows.tolist()) == list(range(COUNT))
    if truth:
        assert [tuple(XY[turn][row]) for row in found.rows] == [
            truth[one] for one in range(1, COUNT + 1)
        ]


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(0, 40), st.booleans())
def test_nobody_is_found_by_the_number_of_a_row(provider, random, more, by_field):
    """Whatever the order and the ids of the other file, the same people are found."""
    done = released("voronoimask", people(), ID_FIELD="pid" if by_field else None)
    xy = np.concatenate([XY, points(40, seed=9)[:more]])
    pids = np.concatenate([PIDS, np.arange(more) + 100])
    turn = list(range(len(xy)))
    random.shuffle(turn)
    found = matched(done["KEY"], range(1, COUNT + 1), people(pids[turn], xy[turn]), xy[turn])
    there = {
        row["masked_id"]: (row["original_x"], row["original_y"]) for row in records(done["KEY"])
    }
    for one, row in enumerate(found.rows.tolist(), 1):
        assert tuple(xy[turn][row]) == there[one]


def test_the_file_itself_is_proven_by_its_places():
    twice = np.concatenate([XY, XY[:5]])  # of two people in a house each is found
    source = layer(twice)
    done = released("voronoimask", source)
    found = matched(done["KEY"], range(1, COUNT + 6), source, twice)
    assert found.way == matching.FEATURE_ID
    assert sorted(found.rows.tolist()) == list(range(COUNT + 5))


def test_a_field_of_the_same_name_with_other_numbers_is_seen_through():
    """“id” is in every file, and counts from 1 in each."""
    done = released("voronoimask", people(np.arange(1, COUNT + 1)), ID_FIELD="pid")
    turn = np.random.default_rng(2).permutation(COUNT)
    others = people(np.arange(1, COUNT + 1), XY[turn])
    found = matched(done["KEY"], range(1, COUNT + 1), others, XY[turn])
    assert found.way == matching.PLACE and "names other people" in found.warnings[0]
    assert sorted(found.rows.tolist()) == list(range(COUNT))


def test_a_field_of_the_same_name_with_other_ids_is_seen_through():
    """A register of its own numbers: nobody of the key is in its field, all are at its places."""
    done = released("voronoimask", people(np.arange(1, COUNT + 1)), ID_FIELD="pid")
    others = people(np.arange(1, COUNT + 1) + 10_000, XY[::-1])
    found = matched(done["KEY"], range(1, COUNT + 1), others, XY[::-1])
    assert found.way == matching.PLACE and "none of the ids" in found.warnings[0]
    assert sorted(found.rows.tolist()) == list(range(COUNT))


def test_people_whose_places_differ_are_found_by_id():
    done = released("voronoimask", people(), ID_FIELD="pid")
    moved = XY + 30
    found = matched(done["KEY"], range(1, COUNT + 1), people(PIDS, moved), moved)
    assert found.way == matching.ID and (found.rows >= 0).all()


@pytest.mark.parametrize("step", [0.01, 1.0, 10.0])
def test_places_are_the_same_within_their_rounding(step):
    done = released("voronoimask", people())
    rounded = np.round(XY[::-1] / step) * step
    found = matched(done["KEY"], range(1, COUNT + 1), layer(rounded), rounded)
    assert found.way == matching.PLACE and (found.rows >= 0).all()
    elsewhere = rounded + 3 * step
    found = matched(done["KEY"], range(1, COUNT + 1), layer(elsewhere), elsewhere)
    assert (found.rows < 0).all()


def test_whoever_is_not_in_the_other_file_is_not_found():
    done = released("voronoimask", people())
    found = matched(done["KEY"], range(1, COUNT + 1), layer(XY[:20]), XY[:20])
    assert np.count_nonzero(found.rows >= 0) == 20


def old_key(rows):
    return layer(
        [None] * len(rows),
        kind="None",
        crs="",
        rows=rows,
        fields="masked_id:int,original_id:int",
        name="old",
    )


def test_an_old_key_goes_by_the_field_that_is_chosen():
    key = old_key([(at, int(one)) for at, one in enumerate(PIDS, 1)])
    turn = np.random.default_rng(2).permutation(COUNT)
    found = matched(key, range(1, COUNT + 1), people(PIDS[turn], XY[turn]), XY[turn], "pid")
    assert found.way == matching.ID
    assert np.array_equal(turn[found.rows], np.arange(COUNT))


def test_an_old_key_alone_is_a_guess():
    key = old_key([(at, at) for at in range(1, COUNT + 1)])
    assert matched(key, range(1, COUNT + 1), layer(XY), XY).way == matching.GUESSED


# --- scores -----------------------------------------------------------------------------------


def attack(masked, candidates, **more):
    return run(
        "reversevoronoi",
        {
            "INPUT": masked,
            "CANDIDATES": candidates,
            "OUTPUT": "TEMPORARY_OUTPUT",
            **more,
        },
    )


def figures(path):
    return json.loads(path.read_text(encoding="utf-8"))["figures"]


@pytest.mark.parametrize("id_field", [None, "pid"])
def test_the_score_does_not_depend_on_order_and_ids_of_the_addresses(tmp_path, id_field):
    done = released("voronoimask", people(), ID_FIELD=id_field)
    scores = []
    for seed in range(4):
        turn = np.random.default_rng(seed).permutation(COUNT)
        found = attack(
            done["OUTPUT"],
            people(PIDS[turn], XY[turn]),
            KEY=done["KEY"],
            SEED=1,
            JSON=str(tmp_path / f"{seed}.json"),
        )
        singles = [row for row in records(found["OUTPUT"]) if row["kind"] == "singleton"]
        scores.append((found["FOUND"], len(singles), sum(row["correct"] for row in singles)))
        assert found["CORRECT"] >= len(singles)
        assert figures(tmp_path / f"{seed}.json")["scored_by"] == (
            "by id" if id_field else "by place"
        )
    assert len(set(scores)) == 1 and scores[0][1] == scores[0][2] > 10


@pytest.mark.parametrize("crs", [DEGREES, "EPSG:3857"])
def test_addresses_in_another_system_are_found_by_place(crs):
    home = people()
    done = released("voronoimask", home)
    other = run_native_reprojection(home, crs)
    found = attack(done["OUTPUT"], other, KEY=done["KEY"])
    assert "by place" in found.feedback.said and found["CORRECT"] > 20


def run_native_reprojection(source, crs):
    from qgis.core import QgsCoordinateTransform, QgsGeometry, QgsProject

    change = QgsCoordinateTransform(
        source.crs(), QgsCoordinateReferenceSystem(crs), QgsProject.instance()
    )
    shapes = []
    for feature in reversed(list(source.getFeatures())):
        place = QgsGeometry(feature.geometry())
        place.transform(change)
        shapes.append(place)
    return layer(shapes, crs=crs)


def test_a_key_that_contradicts_the_attack_scores_nothing(tmp_path):
    """The key of another run of the same mask: the same ids, of other people."""
    source = people()
    masked, other = released("voronoimask", source), released("voronoimask", source)
    found = attack(
        masked["OUTPUT"],
        source,
        KEY=other["KEY"],
        JSON=str(tmp_path / "r.json"),
        REPORT=str(tmp_path / "r.html"),
    )
    assert "CORRECT" not in found and "SHARE_CORRECT" not in found
    assert "does not fit these files" in found.feedback.errors[0]
    assert figures(tmp_path / "r.json")["correct"] is None
    assert "does not fit these files" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert {row["correct"] for row in records(found["OUTPUT"])} == {None}


def test_an_old_key_and_addresses_in_another_order_score_nothing():
    source = people()
    done = released("voronoimask", source)
    key = old_key([(row["masked_id"], row["original_id"]) for row in records(done["KEY"])])
    turn = np.random.default_rng(2).permutation(COUNT)
    found = attack(done["OUTPUT"], people(PIDS[turn], XY[turn]), KEY=key)
    assert "CORRECT" not in found and "does not fit these files" in found.feedback.errors[0]
    assert attack(done["OUTPUT"], source, KEY=key)["CORRECT"] > 30  # it fits its own file


def test_an_old_key_scores_nothing_where_nothing_speaks_for_it():
    key = old_key([(at, at) for at in range(1, COUNT + 1)])
    found = attack(layer(points(COUNT, seed=3)), layer(XY), KEY=key)
    assert "CORRECT" not in found and "feature ids of its own" in found.feedback.errors[0]


def test_a_key_without_rows_is_refused():
    done = released("voronoimask", people())
    sentence = refusal(
        "reversevoronoi",
        {
            "INPUT": done["OUTPUT"],
            "CANDIDATES": people(),
            "KEY": old_key([]),
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "has no rows" in sentence


# --- what was not masked ----------------------------------------------------------------------


def test_unmasked_data_is_told_so():
    """All stand on a candidate: nobody is hidden, and no pair is needed to see it."""
    xy = points(200)
    found = attack(layer(xy), layer(np.concatenate([xy, points(50, seed=4)])))
    assert found["FOUND"] == 200
    assert any("Not masked" in line for line in found.feedback.warnings)
    assert {row["kind"] for row in records(found["OUTPUT"])} == {"unmoved"}


def test_a_layer_is_no_list_of_candidates_for_itself(tmp_path):
    source = people()
    for one, other in (
        (source, source),
        (saved(source, tmp_path / "a.gpkg"),) * 2,
        (str(tmp_path / "a.gpkg"), f"{tmp_path}/a.gpkg|layername=a"),
    ):
        sentence = refusal(
            "reversevoronoi",
            {
                "INPUT": one,
                "CANDIDATES": other,
                "OUTPUT": "TEMPORARY_OUTPUT",
            },
        )
        assert "one and the same layer" in sentence


def test_a_share_that_was_not_moved_is_told():
    xy = points(300)
    masked = released("voronoimask", layer(xy), SHUFFLE=False)
    places = np.array([tuple(one.geometry().asPoint()) for one in masked["OUTPUT"].getFeatures()])
    places[:40] = xy[:40]
    found = attack(layer(places), layer(xy))
    assert "stand exactly on a candidate place" in "\n".join(found.feedback.warnings)
    assert sum(row["kind"] == "unmoved" for row in records(found["OUTPUT"])) >= 30
