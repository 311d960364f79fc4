# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:attackmask in QGIS."""

import json
from pathlib import Path

import numpy as np
import pytest
import shapely

from geoanon_qgis.core.attacks.masks.likelihood import Likelihood, by_law
from geoanon_qgis.core.attacks.masks.posterior import which_record, who_lives_there
from geoanon_qgis.core.attacks.masks.together import together
from geoanon_qgis.core.attacks.scoring import wilson
from geoanon_qgis.core.masking.laws import Gaussian
from tests.processing.helpers import (
    DEGREES,
    GRID,
    coordinates,
    layer,
    points,
    records,
    refusal,
    run,
    saved,
)
from tests.processing.kept_masks import people

pytestmark = pytest.mark.usefixtures("project", "same_secrets")
ADDRESSES = points(3000, seed=3, size=3000).round(2)
PLACES = ADDRESSES[np.random.default_rng(4).permutation(3000)[:150]]
SQUARES = [
    f"POLYGON (({x} {y},{x + 1000} {y},{x + 1000} {y + 1000},{x} {y + 1000},{x} {y}))"
    for x in (398_500, 399_500, 400_500)
    for y in (298_500, 299_500, 300_500)
]


@pytest.fixture
def listed():
    return layer(ADDRESSES, name="addresses")


def masked(folder, algorithm="maskdisplace", source=None, **more):
    """A release with its mask file and key."""
    source = people(PLACES, np.arange(len(PLACES))) if source is None else source
    given = {
        "INPUT": source,
        "ID_FIELD": "person",
        "OUTPUT": str(folder / "masked.gpkg"),
        "KEY": str(folder / "key.csv"),
        "MASK": str(folder / "mask.json"),
        **more,
    }
    return run(algorithm, given)


def attack(made, listed, key=True, **more):
    given = {
        "INPUT": made["OUTPUT"],
        "MASK": made["MASK"],
        "CANDIDATES": listed,
        "OUTPUT": "TEMPORARY_OUTPUT",
        **more,
    }
    if key:
        given["KEY"] = made["KEY"]
    return run("attackmask", given)


def refused(made, listed, **more):
    given = {"INPUT": made["OUTPUT"], "MASK": made["MASK"], "CANDIDATES": listed}
    return refusal("attackmask", {**given, "OUTPUT": "TEMPORARY_OUTPUT", **more})


def test_it_finds_what_the_engine_finds(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    done = attack(made, listed)
    key = {int(row["masked_id"]): int(row["original_id"]) - 1000 for row in records(made["KEY"])}
    of = [key[row["masked_id"]] for row in records(made["OUTPUT"])]
    order = np.lexsort((ADDRESSES[:, 1], ADDRESSES[:, 0]))
    sorted_list = ADDRESSES[order]
    home = np.array([np.flatnonzero((sorted_list == PLACES[one]).all(axis=1))[0] for one in of])
    likelihood = by_law(coordinates(made["OUTPUT"]), sorted_list, Gaussian(60.0))
    a, b = who_lives_there(together(likelihood)), which_record(likelihood, home)
    assert done["IDENTIFIED"] == pytest.approx(a.right(home).sum())
    assert done["MEAN_TOP"] == pytest.approx(a.top.mean())
    assert done["WORST"] == pytest.approx(a.top.max())
    assert done["RECORDS_IDENTIFIED"] == pytest.approx(b.right(np.arange(len(home))).sum())
    assert done["RECORDS_MEAN_TOP"] == pytest.approx(b.top.mean())
    assert done["UNEXPLAINED"] == 0
    assert done["DECISION"] == "do_not_release"  # whose record it is, he finds nearly always
    found = records(done["OUTPUT"])
    assert [row["probability"] for row in found] == pytest.approx(a.top.tolist())
    assert [row["of_truth"] for row in found] == pytest.approx(a.of_truth(home).tolist())
    for number, row in enumerate(found):
        of = a.probability[a.first[number] : a.first[number + 1]]
        assert row["rank_of_truth"] == 1 + (of > row["of_truth"] * (1 + 1e-6)).sum()
    assert coordinates(done["OUTPUT"]) == pytest.approx(sorted_list[a.best])


@pytest.mark.parametrize("law", ["disc", "donut", "gaussian", "bimodal", "laplace"])
def test_both_are_right_as_often_as_they_believe_by_every_law(law, tmp_path, listed):
    more = {"CANDIDATES": listed, "SIZE_BY": "candidates", "K_MIN": 5, "K_MAX": 30}
    made = masked(tmp_path, LAW=law, **more)
    done = attack(made, listed)
    assert done["IDENTIFIED"] / 150 == pytest.approx(done["MEAN_TOP"], abs=0.09)
    assert done["RECORDS_IDENTIFIED"] / 150 == pytest.approx(done["RECORDS_MEAN_TOP"], abs=0.12)


def test_towns_and_those_that_may_go_farther_are_part_of_it(tmp_path, listed):
    town = layer([SQUARES[0]], kind="Polygon")
    more = {"EVEN_BY": "radius", "MAX": 150.0, "URBAN_MAX": 50.0, "FAR_MAX": 400.0}
    made = masked(tmp_path, LAW="disc", URBAN=town, FAR_SHARE=0.2, **more)
    done = attack(made, listed, URBAN=town)
    assert done["UNEXPLAINED"] == 0
    assert done["IDENTIFIED"] / 150 == pytest.approx(done["MEAN_TOP"], abs=0.09)
    order = np.lexsort((ADDRESSES[:, 1], ADDRESSES[:, 0]))
    sorted_list = ADDRESSES[order]
    urban = shapely.contains_xy(shapely.from_wkt(SQUARES[0]), sorted_list)
    assert urban.any() and not urban.all()
    # By the definition: one of two discs, even by radius.
    away = np.hypot(*(coordinates(made["OUTPUT"])[:, None] - sorted_list[None]).transpose(2, 0, 1))
    largest = np.where(urban, 50.0, 150.0)
    plain = (away <= largest) / (2 * np.pi * away * largest)
    far = np.where(urban, plain, (away <= 400.0) / (2 * np.pi * away * 400.0))
    likely = 0.8 * plain + 0.2 * far
    rows, columns = np.nonzero(likely)
    by_hand = Likelihood.of_pairs(*likely.shape, rows, columns, likely[rows, columns])
    a = who_lives_there(together(by_hand))
    found = [row["probability"] for row in records(done["OUTPUT"])]
    assert found == pytest.approx(a.top.tolist(), rel=1e-6)
    assert "give the same layers" in refused(made, listed)


def test_zones_population_and_areas_to_avoid_are_part_of_it(tmp_path, listed):
    areas = layer(SQUARES, kind="Polygon", fields="people:int", rows=[(400,)] * len(SQUARES))
    water = layer(
        ["POLYGON ((400000 300000,400200 300000,400200 300200,400000 300200,400000 300000))"],
        kind="Polygon",
    )
    layers = {"POPULATION": areas, "POPULATION_FIELD": "people", "ZONES": areas, "AVOID": water}
    made = masked(tmp_path, SIZE_BY="population", K_MAX=30, **layers)
    done = attack(made, listed, **layers)
    assert done["UNEXPLAINED"] == 0
    assert done["IDENTIFIED"] / 150 == pytest.approx(done["MEAN_TOP"], abs=0.09)
    assert "The mask used AVOID, POPULATION, ZONES" in refused(made, listed)
    said = refused(made, listed, POPULATION=areas, POPULATION_FIELD="people")
    assert "The mask used AVOID, ZONES" in said
    nobody = {**layers, "POPULATION_FIELD": None}
    assert "choose the field with the number of people" in refused(made, listed, **nobody)


def test_exchange_leaves_about_one_in_k(tmp_path, listed):
    made = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=12)
    done = attack(made, listed, ADVERSARY="whose_place")
    # All points together tell a little more than each by itself.
    assert 1 / 12 - 1e-9 <= done["MEAN_TOP"] < 1.3 / 12
    assert done["WORST"] == pytest.approx(made["CHANCE"], abs=1e-3)
    assert 11 < done["EFFECTIVE_K"] <= 12 + 1e-9
    # the same from beside the addresses, and with a list in another order
    beside = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=12, OUTPUT_AT="beside")
    again = attack(beside, layer(ADDRESSES[::-1]), ADVERSARY="whose_place")
    assert 1 / 12 - 1e-9 <= again["MEAN_TOP"] < 1.3 / 12


def test_without_a_key_nobody_can_tell_and_both_say_so(tmp_path, listed):
    made = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=25)
    done = attack(made, listed, key=False, JSON=str(tmp_path / "r.json"))
    assert done["DECISION"] == "cannot_tell" and "RECORDS_IDENTIFIED" not in done
    told = json.loads((tmp_path / "r.json").read_text())
    assert "one_adversary" in json.dumps(told)
    alone = attack(made, listed, key=False, ADVERSARY="whose_place")
    assert alone["DECISION"] == "release_with_care" and alone["RISK_HIGH"] <= 0.09
    both = attack(made, listed)
    assert both["DECISION"] == "do_not_release"


def test_weights_make_him_surer(tmp_path):
    weight = [(1000 if one % 50 == 0 else 1,) for one in range(len(ADDRESSES))]
    listed = layer(ADDRESSES, fields="people:int", rows=weight)
    made = masked(tmp_path, MAX=100.0)
    plain, heavy = attack(made, listed), attack(made, listed, WEIGHT="people")
    assert heavy["MEAN_TOP"] > 3 * plain["MEAN_TOP"]
    # Who knows where the file is dense was played only where somebody said how likely addresses are.
    twice = attack(made, layer(np.vstack([ADDRESSES, ADDRESSES[:200]])))
    for done, untold in ((plain, True), (twice, True), (heavy, False)):
        assert any("closer together" in one for one in done.feedback.warnings) is untold


def test_who_is_surely_found_can_be_withheld(tmp_path):
    far = np.vstack([PLACES[:40], [[500_000.0, 400_000.0]]])
    listed = layer(np.vstack([ADDRESSES, far[-1:]]))
    made = masked(tmp_path, source=people(far, np.arange(41)), MAX=50.0)
    done = attack(made, listed, AT_RISK="TEMPORARY_OUTPUT", ADVERSARY="whose_place")
    assert done["DECISION"] == "do_not_release" and done["WORST"] == pytest.approx(1)
    (row,) = records(done["AT_RISK"])
    assert row["original_id"] == "1040"
    again = masked(tmp_path, source=people(far, np.arange(41)), MAX=50.0, WITHHOLD=done["AT_RISK"])
    assert again["COUNT"] == 40


def test_a_list_that_lacks_homes_is_a_lower_bound(tmp_path):
    made = masked(tmp_path, MAX=60.0)
    few = layer(np.vstack([ADDRESSES[:1000], PLACES[:75]]))
    done = attack(made, few, ADVERSARY="whose_place")
    assert done["DECISION"] in ("cannot_tell", "do_not_release")
    assert any("at no address of the list" in one for one in done.feedback.warnings)


def test_degrees(tmp_path):
    xy = points(900, seed=5, size=0.05, centre=(11.5, 48.5))
    own = people(xy, np.arange(100), DEGREES)
    made = masked(tmp_path, source=own, LAW="disc", MAX=200.0)
    done = attack(made, layer(xy, crs=DEGREES))
    assert done["UNEXPLAINED"] == 0
    assert done["IDENTIFIED"] / 100 == pytest.approx(done["MEAN_TOP"], abs=0.1)


def test_what_does_not_belong_together_is_a_sentence(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    assert "needs the key (KEY, or ORIGINALS)" in refused(made, listed, ADVERSARY="which_record")
    assert "is the released layer itself" in refused(made, made["OUTPUT"])
    assert "at 0 nothing can be released" in refused(made, listed, ACCEPTABLE=0)
    told = json.loads(Path(made["MASK"]).read_text())
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**told, "crs": "EPSG:25832"}))
    assert "is of points in EPSG:25832" in refused(made, listed, MASK=str(other))
    other.write_text(json.dumps({**told, "mask": "maskelsewhere", "law": "any"}))
    assert "No attack on points masked by “maskelsewhere”" in refused(made, listed, MASK=str(other))
    other.write_text("{}")
    assert "is no mask file of masked points" in refused(made, listed, MASK=str(other))
    made = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=12)
    assert "is another one than that of the mask" in refused(made, layer(ADDRESSES[:-1]))
    wrong = people(PLACES, [1, 2], GRID)
    assert "The key “registry” must have the fields" in refused(made, listed, KEY=wrong)


def test_files_of_another_release_are_no_score(tmp_path, listed):
    folders = [tmp_path / one for one in ("own", "other", "wide", "exchange", "again")]
    for one in folders:
        one.mkdir()
    own, other = (masked(one, MAX=400.0) for one in folders[:2])
    assert attack(own, listed)["RECORDS_IDENTIFIED"] > 0
    # Nobody is found by another's key, which says nothing of the release.
    assert "did not move from the places of the key" in refused(own, listed, KEY=other["KEY"])
    near = masked(folders[2], MAX=30.0)
    for key, mask in ((near, own), (own, near)):
        said = refused(key, listed, KEY=key["KEY"], MASK=mask["MASK"])
        assert "as the mask file says" in said
    for output_at in ("address", "beside"):
        more = {"CANDIDATES": listed, "K": 10, "OUTPUT_AT": output_at}
        one, two = (masked(folder, "maskexchange", **more) for folder in folders[3:])
        attack(one, listed)
        assert "did not move from" in refused(one, listed, KEY=two["KEY"])


def test_points_beside_no_address_are_not_explained(tmp_path, listed):
    made = masked(tmp_path, "maskexchange", CANDIDATES=listed, K=30, OUTPUT_AT="beside")
    far = layer(coordinates(made["OUTPUT"]) + [30_000.0, 0.0])
    done = attack({**made.results, "OUTPUT": far}, listed, key=False, ADVERSARY="whose_place")
    assert done["UNEXPLAINED"] == 150 and done["DECISION"] == "cannot_tell"


def test_weights_that_leave_homes_empty_are_no_reason_to_release(tmp_path):
    homes = {tuple(one) for one in PLACES.tolist()}
    weight = [(int(tuple(one) not in homes),) for one in ADDRESSES.tolist()]
    made = masked(tmp_path, MAX=400.0)
    empty = layer(ADDRESSES, fields="people:int", rows=weight)
    done = attack(made, empty, WEIGHT="people", ADVERSARY="whose_place")
    assert done["IDENTIFIED"] == 0 and done["DECISION"] == "cannot_tell"
    assert any("where nobody lives by the weights" in one for one in done.feedback.warnings)


def test_what_to_do_next_is_not_what_was_done(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    for more in ({"ADVERSARY": "whose_place"}, {}):
        done = attack(made, listed, **more)
        assert not any("Run it again with the key" in one for one in done.feedback.warnings)
    done = attack(made, layer(ADDRESSES + 50_000), ADVERSARY="which_record")
    said = " ".join(done.feedback.warnings)
    assert done["DECISION"] == "not_tested"
    assert "the list has no home of anybody" in said and "without the key" not in said


def test_other_public_layers_than_those_of_the_mask_are_refused(tmp_path, listed):
    squares, less = (layer(some, kind="Polygon") for some in (SQUARES, SQUARES[:-1]))
    made = masked(tmp_path, MAX=60.0, ZONES=squares)
    attack(made, listed, ZONES=squares)
    assert "another one, for ZONES" in refused(made, listed, ZONES=less)
    assert "for AVOID" in refused(made, listed, ZONES=squares, AVOID=less)


def test_it_is_said_that_crowded_points_tell_more_than_was_weighed(tmp_path):
    listed = layer(ADDRESSES, fields="people:int", rows=[(2,)] * len(ADDRESSES))
    twice = np.repeat(PLACES[:40], 2, axis=0)
    source = people(twice, np.arange(80))
    made = masked(tmp_path, "maskexchange", source=source, CANDIDATES=listed, K=30)
    for more, wanted in (({}, False), ({"WEIGHT": "people"}, True)):
        said = " ".join(attack(made, listed, **more).feedback.warnings)
        assert ("How many records a point has" in said) == wanted


def register():
    """The addresses, with the age of who lives there; at every third one two people."""
    age = np.random.default_rng(8).integers(20, 70, len(ADDRESSES))
    twice = ADDRESSES[::3]
    rows = [(int(one),) for one in age] + [(int(one),) for one in age[::3] + 1]
    return layer(np.vstack([ADDRESSES, twice]), fields="years:int", rows=rows), age


def with_ages(age):
    """Records of the places, with the age of who lives there."""
    at = [np.flatnonzero((ADDRESSES == place).all(axis=1))[0] for place in PLACES]
    rows = [(1000 + row, int(age[one])) for row, one in enumerate(at)]
    return layer(PLACES, crs=GRID, fields="person:int,age:int", rows=rows, name="registry")


def test_attributes_that_he_knows_find_more(tmp_path):
    listed, age = register()
    made = masked(tmp_path, source=with_ages(age), MAX=60.0, FIELDS=["age"])
    known = {"TARGET_QIS": ["age"], "CANDIDATE_QIS": ["years"]}
    plain, more = attack(made, listed), attack(made, listed, **known)
    assert more["IDENTIFIED"] > 3 * plain["IDENTIFIED"]
    assert more["IDENTIFIED"] / 150 == pytest.approx(more["MEAN_TOP"], abs=0.09)
    assert more["RECORDS_IDENTIFIED"] / 150 == pytest.approx(more["RECORDS_MEAN_TOP"], abs=0.09)
    wide = attack(made, listed, TOLERANCE="10", **known)
    assert plain["IDENTIFIED"] < wide["IDENTIFIED"] < more["IDENTIFIED"]
    assert not any("attributes that he knows" in one.lower() for one in more.feedback.warnings)


def rounded(made, step, folder):
    """The release with its coordinates rounded, as a layer of its own."""
    ids = [(row["masked_id"],) for row in records(made["OUTPUT"])]
    xy = np.rint(coordinates(made["OUTPUT"]) / step) * step
    return {**made.results, "OUTPUT": layer(xy, crs=GRID, fields="masked_id:string", rows=ids)}


def test_rounded_points_tell_their_cells(tmp_path, listed):
    made = masked(tmp_path, LAW="donut", MIN=40.0, MAX=60.0)
    coarse = rounded(made, 100.0, tmp_path)
    done = attack(coarse, listed)
    assert any("on a grid of 100 by 100 m" in one for one in done.feedback.infos)
    assert done["UNEXPLAINED"] == 0
    assert done["IDENTIFIED"] / 150 == pytest.approx(done["MEAN_TOP"], abs=0.06)
    assert done["RECORDS_IDENTIFIED"] / 150 == pytest.approx(done["RECORDS_MEAN_TOP"], abs=0.1)
    same = attack(coarse, listed, ROUNDING=100.0)
    assert same["MEAN_TOP"] == pytest.approx(done["MEAN_TOP"])
    assert "did not move from the places" in refused(coarse, listed, ROUNDING=0.0, KEY=made["KEY"])


def test_rounded_degrees(tmp_path):
    xy = points(900, seed=5, size=0.05, centre=(11.5, 48.5))
    own = people(xy, np.arange(100), DEGREES)
    made = masked(tmp_path, source=own, LAW="disc", MAX=200.0)
    ids = [(row["masked_id"],) for row in records(made["OUTPUT"])]
    coarse = layer(
        coordinates(made["OUTPUT"]).round(3), crs=DEGREES, fields="masked_id:string", rows=ids
    )
    done = attack({**made.results, "OUTPUT": coarse}, layer(xy, crs=DEGREES))
    assert any("0.001 by 0.001" in one for one in done.feedback.infos)
    assert done["UNEXPLAINED"] == 0
    assert done["IDENTIFIED"] / 100 == pytest.approx(done["MEAN_TOP"], abs=0.1)


def test_rounding_inside_zones_is_weighed(tmp_path, listed):
    squares = layer(SQUARES, kind="Polygon")
    made = masked(tmp_path, MAX=300.0, ZONES=squares)
    coarse, alone = rounded(made, 200.0, tmp_path), {"ZONES": squares, "LIMIT_ON": "mean"}
    done = attack(coarse, listed, **alone)
    assert done["UNEXPLAINED"] == 0 and done["DECISION"] != "cannot_tell"
    assert done["IDENTIFIED"] / 150 == pytest.approx(done["MEAN_TOP"], abs=0.05)
    assert done["RECORDS_IDENTIFIED"] / 150 == pytest.approx(done["RECORDS_MEAN_TOP"], abs=0.1)


def test_attributes_of_others_are_told(tmp_path):
    listed, age = register()
    made = masked(tmp_path, source=with_ages(age + 30), MAX=60.0, FIELDS=["age"])
    known = {"TARGET_QIS": ["age"], "CANDIDATE_QIS": ["years"]}
    done = attack(made, listed, **known)
    assert any("with nobody at home in the attributes" in one for one in done.feedback.warnings)
    assert done["DECISION"] in ("cannot_tell", "do_not_release")
    assert "as many, in the same order" in refused(made, listed, TARGET_QIS=["age"])
    assert "Give one for all" in refused(made, listed, TOLERANCE="1, 2", **known)
    assert "must be numbers" in refused(made, listed, TOLERANCE="two", **known)
    rows = [("old", one) for one in range(len(ADDRESSES))]
    words = layer(ADDRESSES, fields="years:string,more:int", rows=rows)
    assert "no value in common" in refused(made, words, **known)
    assert "cannot differ by a tolerance" in refused(
        made,
        words,
        TARGET_QIS=["age", "masked_id"],
        CANDIDATE_QIS=["years", "more"],
        TOLERANCE="1, 1",
    )


def test_a_mask_file_of_other_points_never_lets_them_go(tmp_path, listed):
    (tmp_path / "one").mkdir(), (tmp_path / "other").mkdir()
    near = masked(tmp_path / "one", MAX=30.0)
    far = masked(tmp_path / "other", MAX=400.0)
    alone = {"key": False, "ADVERSARY": "whose_place"}
    assert attack(far, listed, **alone)["DECISION"] == "release_with_care"
    wrong = {"OUTPUT": near["OUTPUT"], "MASK": far["MASK"]}
    done = attack(wrong, listed, **alone)
    assert done["DECISION"] == "cannot_tell"
    assert any("not the points that the mask file" in one for one in done.feedback.warnings)
    # Nor some of its points, nor points that nothing proves to be its own.
    some = layer(coordinates(far["OUTPUT"])[:-1])
    assert (
        attack({"OUTPUT": some, "MASK": far["MASK"]}, listed, **alone)["DECISION"] == "cannot_tell"
    )
    same = layer(coordinates(far["OUTPUT"]))
    assert (
        attack({"OUTPUT": same, "MASK": far["MASK"]}, listed, **alone)["DECISION"] == "cannot_tell"
    )


def test_the_riskiest_records_are_shown_with_all_that_explains_them(tmp_path, listed):
    made = masked(tmp_path, MAX=60.0)
    done = attack(made, listed, CANDIDATES_OF="TEMPORARY_OUTPUT", SHOWN=3)
    rows = records(done["CANDIDATES_OF"])
    released = zip(coordinates(made["OUTPUT"]).tolist(), records(made["OUTPUT"]))
    where = {tuple(xy): str(row["masked_id"]) for xy, row in released}
    top = {row["masked_id"]: row for row in records(done["OUTPUT"])}
    shown = {row["masked_id"] for row in rows}
    assert len(shown) == 3
    least = min(top[one]["probability"] for one in shown)
    assert least >= max(row["probability"] for one, row in top.items() if one not in shown)
    for one in shown:
        own = [row for row in rows if row["masked_id"] == one]
        candidates = [row for row in own if row["what"] == "candidate"]
        assert sum(row["probability"] for row in candidates) == pytest.approx(1)
        assert candidates[0]["probability"] == pytest.approx(top[one]["probability"])
        assert [row["rank"] for row in candidates] == list(range(1, len(candidates) + 1))
        (home,) = (row for row in own if row["what"] == "home")
        assert home["probability"] == pytest.approx(top[one]["of_truth"])
        ranks = [row["rank"] for row in candidates if row["probability"] > 0]
        assert 1 <= top[one]["rank_of_truth"] <= len(ranks)
        (at,) = (row for row in own if row["what"] == "released")
        assert {(row["released_x"], row["released_y"]) for row in own} == {
            (at["released_x"], at["released_y"])
        }
        assert where[at["released_x"], at["released_y"]] == one


def test_numbers_beside_what_is_found(tmp_path, listed):
    made = masked(tmp_path, MAX=30.0)
    done = attack(made, listed)
    share = done["IDENTIFIED"] / 150
    assert done["LOW"] < share < done["HIGH"]
    # A Gaussian of one size: the nearest address is the likeliest, all points together tell more.
    assert done["BASELINE"] == pytest.approx(share, abs=0.05)
    assert done["RANDOM"] < share / 3 and done["CONTROL"] < 0.02
    top = [row["probability"] for row in records(done["OUTPUT"])]
    assert done["SHARE_ABOVE"] == pytest.approx(np.mean(np.array(top) > 0.09))
    alone = attack(made, listed, key=False)
    assert "BASELINE" not in alone and "CONTROL" not in alone and "RANDOM" in alone


def test_without_a_mask_file_the_law_is_estimated(tmp_path, listed):
    made = masked(tmp_path, LAW="disc", MAX=60.0)
    told = attack(made, listed)
    known = {"INPUT": made["OUTPUT"], "CANDIDATES": listed, "OUTPUT": "TEMPORARY_OUTPUT"}
    done = run("attackmask", {**known, "KEY": made["KEY"]})
    assert any("by the likeliest law, of one size for all" in one for one in done.feedback.infos)
    assert done["IDENTIFIED"] > 0.7 * told["IDENTIFIED"]
    assert done["IDENTIFIED"] / 150 == pytest.approx(done["MEAN_TOP"], abs=0.12)
    # Nothing shows that the points were displaced at all: he may be wrong, and more be found.
    alone = run("attackmask", {**known, "ADVERSARY": "whose_place", "ACCEPTABLE": 0.9})
    assert alone["DECISION"] == "cannot_tell" or alone["WORST"] >= 0.95
    few = layer(coordinates(made["OUTPUT"])[:10])
    assert "20 are needed" in refusal("attackmask", {**known, "INPUT": few})


def several(folder, count=3, **more):
    """Releases of the same people, one after the other, and the attack's parameters for the rest."""
    made = []
    for number in range(count):
        (folder / str(number)).mkdir()
        made.append(masked(folder / str(number), **more))
    rest = made[1:]
    return made, {
        "FURTHER_RELEASES": [one["OUTPUT"] for one in rest],
        "FURTHER_MASKS": [one["MASK"] for one in rest],
        "FURTHER_KEYS": [one["KEY"] for one in rest],
    }


def test_further_releases_find_more(tmp_path, listed):
    made, further = several(tmp_path, MAX=60.0)
    alone, done = attack(made[0], listed), attack(made[0], listed, **further)
    assert done["IDENTIFIED"] > 1.7 * alone["IDENTIFIED"]
    assert done["IDENTIFIED"] / 150 == pytest.approx(done["MEAN_TOP"], abs=0.1)
    assert done["RECORDS_IDENTIFIED"] / 150 == pytest.approx(done["RECORDS_MEAN_TOP"], abs=0.1)
    assert sum("150 records are" in one for one in done.feedback.infos) == 2
    again = " ".join(done.feedback.warnings)
    assert "Further releases of the same people" not in again


def test_a_kept_draw_is_one_release(tmp_path, listed):
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    secret = str(tmp_path / "secret.json")
    one = masked(tmp_path / "a", MAX=60.0, SECRET_FILE=secret)
    two = masked(tmp_path / "b", MAX=60.0, SECRET=secret)
    further = {
        "FURTHER_RELEASES": [two["OUTPUT"]],
        "FURTHER_MASKS": [two["MASK"]],
        "FURTHER_KEYS": [two["KEY"]],
    }
    alone, done = attack(one, listed), attack(one, listed, **further)
    assert done["MEAN_TOP"] == pytest.approx(alone["MEAN_TOP"])
    assert any("150 of them are the same draw" in told for told in done.feedback.infos)


def test_a_field_links_releases_and_what_does_not_is_a_sentence(tmp_path, listed):
    listed_ages, age = register()
    made, further = several(
        tmp_path, 2, source=with_ages(np.arange(4000)), MAX=60.0, FIELDS=["age"]
    )
    by_key = attack(made[0], listed_ages, **further)
    further.pop("FURTHER_KEYS")
    done = attack(made[0], listed_ages, LINKED_BY="AGE", **further)
    assert done["MEAN_TOP"] == pytest.approx(by_key["MEAN_TOP"])
    assert "Nothing links the records" in refused(made[0], listed_ages, **further)
    assert "has no field" in refused(made[0], listed_ages, LINKED_BY="nothing", **further)
    said = refused(made[0], listed_ages, LINKED_BY="age", **{**further, "FURTHER_MASKS": []})
    assert "a mask file for each release" in said
    nobody = masked(tmp_path, source=with_ages(np.arange(5000, 9000)), FIELDS=["age"])
    other = {"FURTHER_RELEASES": [nobody["OUTPUT"]], "FURTHER_MASKS": [nobody["MASK"]]}
    assert "No record of the further" in refused(made[0], listed_ages, LINKED_BY="age", **other)
    # An id that is at several points is there, and tells nothing.
    one = [(records(made[0]["OUTPUT"])[0]["age"],)] * len(PLACES)
    shared = layer(coordinates(made[1]["OUTPUT"]), fields="age:int", rows=one)
    other = {**further, "FURTHER_RELEASES": [saved(shared, tmp_path / "shared.gpkg")]}
    assert "others at other points" in refused(made[0], listed_ages, LINKED_BY="age", **other)
    broken = {**further, "FURTHER_RELEASES": [str(tmp_path / "none.gpkg")]}
    refused(made[0], listed_ages, LINKED_BY="age", **broken)


def test_people_of_one_home_whom_attributes_tell_apart_are_one_case(tmp_path):
    each, homes = 10, PLACES[:12]
    xy = np.repeat(homes, each, axis=0)
    rows = [(one, 20 + one % each) for one in range(len(xy))]
    own = layer(xy, crs=GRID, fields="person:int,age:int", rows=rows, name="registry")
    made = masked(tmp_path, source=own, MAX=150.0, FIELDS=["age"])
    years = [(20 + one,) for one in range(each)] * len(ADDRESSES)
    listed = layer(np.repeat(ADDRESSES, each, axis=0), fields="years:int", rows=years)
    known = {"TARGET_QIS": ["age"], "CANDIDATE_QIS": ["years"], "ADVERSARY": "which_record"}
    done = attack(made, listed, **known)
    share = done["RECORDS_IDENTIFIED"] / len(xy)
    low, high = wilson(share * len(homes), len(homes))
    assert done["RISK_LOW"] == pytest.approx(low) and done["RISK_HIGH"] == pytest.approx(high)
