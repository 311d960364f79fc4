# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:linkageattack and geoanon:linkageexperiment."""

import json
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from qgis.core import QgsProcessingException

from geoanon_qgis.processing.reports.linkageattack_verdict import dangers
from tests.processing.concluding import page_of
from tests.processing.helpers import (
    Feedback,
    coordinates,
    ends,
    layer,
    leftovers,
    opened,
    points,
    records,
    refusal,
    run,
    saved,
)
from tests.processing.test_distance_releases import agree, reported

N, BOTH = 80, 20
PLACES = points(2 * N - BOTH, seed=21, size=60_000)
RNG = np.random.default_rng(5)
AGES, SEXES = RNG.integers(0, 8, len(PLACES)), RNG.choice(["f", "m"], len(PLACES))


def file_of(rows, name, start=0, missing=()):
    """A layer whose feature ids are those of the population, so that the key fits both files."""
    attributes = [
        (int(row), None if row in missing else int(AGES[row]), str(SEXES[row])) for row in rows
    ]
    return layer(PLACES[rows], fields="person:int,age:int,sex:string", rows=attributes, name=name)


BY_SEX = {"TARGET_QIS": ["sex"], "IDENTIFICATION_QIS": ["sex"]}
TARGET, KNOWN = np.arange(N), np.arange(N - BOTH, 2 * N - BOTH)


def key_of(done):
    """The key with the numbers of persons in place of feature ids (feature 1 is person 0)."""
    rows = [(row["released_id"], row["original_id"] - 1) for row in records(done["KEY"])]
    return layer(
        [None] * len(rows),
        kind="NoGeometry",
        crs="",
        fields="released_id:int,original_id:int",
        rows=rows,
        name="key",
    )


def released(folder, algorithm="noisydistances", target=None, **parameters):
    given = {"NOISE": "exact"} if algorithm == "noisydistances" and not parameters else {}
    return run(
        algorithm,
        {
            "INPUT": target or file_of(TARGET, "target"),
            "FIELDS": ["age", "sex"],
            "MATRIX": str(folder / "m.npz"),
            "OUTPUT": str(folder / "records.gpkg"),
            "KEY": str(folder / "key.gpkg"),
            **given,
            **parameters,
        },
    )


def attacked(done, known=None, feedback=None, **parameters):
    given = {
        "TARGET": done["OUTPUT"],
        "MATRIX": done["MATRIX"],
        "TARGET_QIS": ["age", "sex"],
        "IDENTIFICATION": known or file_of(KNOWN, "known"),
        "IDENTIFICATION_QIS": ["age", "sex"],
        "IDENTIFICATION_ID": "person",
        "TRUTH": key_of(done),
        "METHOD": "clique",
        "RULE": "absolute",
        "EPSILON": 5,
        "OUTPUT": "TEMPORARY_OUTPUT",
        "SEED": 1,
    }
    return run("linkageattack", {**given, **parameters}, feedback)


def test_exact_distances_give_everybody_away(provider, tmp_path):
    done = attacked(
        released(tmp_path),
        MATCHES=str(tmp_path / "matches.gpkg"),
        LINES=str(tmp_path / "lines.gpkg"),
        REPORT=str(tmp_path / "r.html"),
        JSON=str(tmp_path / "r.json"),
    )
    assert (done["CLIQUE"], done["PRECISION"], done["RECALL"]) == (BOTH, 1.0, 1.0)
    assert done["PROVEN"] == 1 and done["UNIQUE"] == BOTH
    people = records(done["OUTPUT"])
    assert len(people) == N
    assert np.allclose(coordinates(done["OUTPUT"]), PLACES[KNOWN])
    linked = {row["identification_id"]: row for row in people if row["in_clique"]}
    assert sorted(linked) == list(range(N - BOTH, N))
    assert all(row["correct"] == 1 for row in linked.values())
    assert all(row["target_id"] is None for row in people if not row["in_clique"])
    matches = records(done["MATCHES"])
    assert {row["identification_id"]: row["target_id"] for row in matches} == {
        person: row["target_id"] for person, row in linked.items()
    }
    lines = ends(done["LINES"])
    assert len(lines) == BOTH and np.allclose(lines[:, 0], lines[:, 1])
    assert "does not protect" in page_of(tmp_path / "r.html")
    assert json.loads((tmp_path / "r.json").read_text())["figures"]["precision"] == 100


@pytest.mark.parametrize(
    "release, rule",
    [
        (dict(NOISE="coordinates", SIGMA=100), dict(RULE="coordinate_noise", SIGMA=100)),
        (
            dict(NOISE="coordinates", SIGMA=0.001, SIGMA_UNIT="degrees"),
            dict(RULE="coordinate_noise", SIGMA=0.001, SIGMA_UNIT="degrees"),
        ),
        (dict(NOISE="gaussian", SIGMA=100), dict(RULE="distance_noise", SIGMA=100)),
        (
            dict(NOISE="laplace", SIGMA=100),
            dict(RULE="distance_noise", SIGMA=100, DISTRIBUTION="laplace"),
        ),
    ],
)
def test_little_noise_protects_little(provider, tmp_path, release, rule):
    done = attacked(released(tmp_path, **release, SEED=3), **rule, ALPHA=0.9)
    assert done["PRECISION"] > 0.8 and done["RECALL"] > 0.3


def test_an_embedding_with_many_sets_protects_little_and_one_with_few_more(provider, tmp_path):
    rule = dict(RULE="lipschitz", REPLICATES=100, ALPHA=0.5)
    precision = {}
    for sets, size in ((200, 1), (3, 30)):
        folder = tmp_path / str(sets)
        folder.mkdir()
        done = released(folder, "lipschitzrelease", SETS=sets, SIZE=size, SEED=5)
        found = attacked(done, **rule, SETS=sets, SIZE=size)
        precision[sets] = found["PRECISION"]
    assert precision[200] > 0.8 and precision[3] < 0.5


def register(seed):
    """The known people in an order of their own, with feature ids and numbers of their own."""
    turn = KNOWN[np.random.default_rng(seed).permutation(N)]
    rows = [(at, int(AGES[row]), str(SEXES[row])) for at, row in enumerate(turn, 1)]
    return layer(PLACES[turn], fields="no:int,age:int,sex:string", rows=rows, name="register")


@pytest.mark.parametrize("method", ["clique", "likelihood"])
@pytest.mark.parametrize("chosen", [None, "no"])
def test_a_register_with_ids_of_its_own_is_scored_by_place(provider, tmp_path, method, chosen):
    """Every file counts from 1: its ids are not those of the key."""
    done = released(tmp_path, NOISE="coordinates", SIGMA=10, SEED=3)
    scores = []
    for seed in (1, 2):
        found = attacked(
            done,
            register(seed),
            RULE="coordinate_noise",
            SIGMA=10,
            METHOD=method,
            TRUTH=done["KEY"],
            IDENTIFICATION_ID=chosen,
            JSON=str(tmp_path / "r.json"),
        )
        scores.append((found["CLIQUE"], found["PRECISION"], found["RECALL"]))
        assert "by place" in found.feedback.said
    assert scores[0] == scores[1] and min(scores[0][1:]) > 0.6
    told = json.loads((tmp_path / "r.json").read_text())
    assert told["figures"]["scored_by"] == "by place"
    assert told["figures"]["recall"] == pytest.approx(100 * scores[0][2])


@pytest.mark.parametrize("method", ["clique", "likelihood"])
def test_a_register_with_the_field_of_the_key_is_scored_by_it(provider, tmp_path, method):
    done = released(tmp_path, NOISE="coordinates", SIGMA=10, SEED=3, ID_FIELD="person")
    assert "person" not in opened(done["OUTPUT"]).fields().names()
    found = attacked(
        done,
        RULE="coordinate_noise",
        SIGMA=10,
        METHOD=method,
        TRUTH=done["KEY"],
        IDENTIFICATION_ID=None,
    )
    assert "by their ids, in the field “person”" in found.feedback.said
    assert found["PRECISION"] > 0.7 and found["RECALL"] > 0.6


@pytest.mark.parametrize("method", ["clique", "likelihood"])
def test_a_claim_is_a_warning_without_any_key(provider, tmp_path, method):
    done = released(tmp_path, NOISE="coordinates", SIGMA=10, SEED=3)
    found = attacked(
        done,
        register(1),
        RULE="coordinate_noise",
        SIGMA=10,
        METHOD=method,
        TRUTH=None,
        IDENTIFICATION_ID=None,
        REPORT=str(tmp_path / "r.html"),
        JSON=str(tmp_path / "r.json"),
    )
    assert "Do not give this release away" in "\n".join(found.feedback.warnings)
    blocks = json.loads((tmp_path / "r.json").read_text())["sections"][0]["blocks"]
    kinds = [block["kind"] for block in blocks if block["type"] == "notice"]
    assert "danger" in kinds and "info" not in kinds


def test_a_key_of_another_release_scores_nothing(provider, tmp_path):
    """The same numbers 1 to 80, of other people: 0 right is no good news."""
    done = released(tmp_path)
    rows = [(row["released_id"], (row["original_id"] + 30) % N + 1) for row in records(done["KEY"])]
    key = layer(
        [None] * N, kind="NoGeometry", crs="", rows=rows, fields="released_id:int,original_id:int"
    )
    found = attacked(done, TRUTH=key, JSON=str(tmp_path / "r.json"))
    assert "PRECISION" not in found and "RECALL" not in found
    assert "does not fit these files" in found.feedback.errors[0]
    told = json.loads((tmp_path / "r.json").read_text())["figures"]
    assert told["precision"] is None and told["recall"] is None
    assert {row["correct"] for row in records(found["OUTPUT"])} == {None}


def test_without_a_key_nothing_is_scored(provider, tmp_path):
    done = attacked(released(tmp_path), TRUTH=None)
    assert "PRECISION" not in done and done["CLIQUE"] == BOTH
    assert {row["correct"] for row in records(done["OUTPUT"])} == {None}


def test_a_table_in_another_order_and_codes_of_another_type(provider, tmp_path):
    done = released(tmp_path)
    rows = [(row["released_id"], float(row["age"]), row["sex"]) for row in records(done["OUTPUT"])]
    shuffled = [rows[at] for at in np.random.default_rng(1).permutation(len(rows))]
    table = layer(
        [None] * N,
        kind="NoGeometry",
        crs="",
        fields="released_id:int,age:double,sex:string",
        rows=shuffled,
    )
    assert attacked(done, TARGET=table)["PRECISION"] == 1.0


def test_distances_alone_can_be_enough(provider, tmp_path):
    done = attacked(released(tmp_path), TARGET_QIS=[], IDENTIFICATION_QIS=[], EPSILON=2)
    assert done["VERTICES"] == N * N and done["RECALL"] == 1.0


def test_missing_attributes_take_no_part_and_are_counted(provider, tmp_path):
    done = released(tmp_path)
    found = attacked(done, file_of(KNOWN, "known", missing=range(N - BOTH, N - BOTH + 5)))
    assert found["CLIQUE"] == BOTH - 5 and found["PRECISION"] == 1.0
    assert "5 records" in "\n".join(found.feedback.warnings)


def test_a_matrix_in_kilometres(provider, tmp_path):
    done = released(tmp_path, NOISE="exact", UNIT="km")
    assert attacked(done)["PRECISION"] == 1.0  # .npz says that it is in kilometres


# --- bad input ----------------------------------------------------------------------------------


def test_labels_that_never_agree(provider, tmp_path):
    strangers = layer(
        PLACES[KNOWN],
        fields="person:int,age:int,sex:string",
        rows=[(int(row), 99, "x") for row in KNOWN],
    )
    done = attacked(released(tmp_path), strangers)
    # Nothing was compared, so nothing is proven.
    assert (done["VERTICES"], done["CLIQUE"], done["PROVEN"]) == (0, 0, 0)
    said = "\n".join(done.feedback.warnings)
    assert "quasi-identifiers" in said and "“99” here" in said and "“x” here" in said


def birthdays(rows, kind, spell):
    """People with a day of birth for their age."""
    born = [(int(row), spell(f"{1900 + int(AGES[row])}-05-17"), str(SEXES[row])) for row in rows]
    return layer(PLACES[rows], fields=f"person:int,age:{kind},sex:string", rows=born)


@pytest.mark.parametrize(
    "kind, spell",
    [
        ("date", str),
        ("string", str),
        ("string", lambda day: day.replace("-", "/")),
    ],
)
def test_dates_are_linked_however_a_file_holds_them(provider, tmp_path, kind, spell):
    done = released(tmp_path, target=birthdays(TARGET, "date", str))
    found = attacked(done, birthdays(KNOWN, kind, spell))
    assert found["PRECISION"] == found["RECALL"] == 1.0 and found["CLIQUE"] == BOTH


def test_what_is_written_in_two_ways_is_refused_not_called_safe(provider, tmp_path):
    done = released(tmp_path, target=birthdays(TARGET, "date", str))
    other = birthdays(KNOWN, "string", lambda day: ".".join(day.split("-")[::-1]))
    said = refused(done, IDENTIFICATION=other)
    assert "dates" in said and "text" in said and "“age”" in said
    assert "-05-17”" in said and "“17.05.19" in said
    said = refused(done, IDENTIFICATION=file_of(KNOWN, "known"))
    assert "dates" in said and "numbers" in said
    nobody = file_of(KNOWN, "known", missing=KNOWN)
    assert "lacks a value" in refused(done, IDENTIFICATION=nobody)


def test_a_rule_that_cannot_have_made_the_matrix(provider, tmp_path):
    done = attacked(released(tmp_path), RULE="lipschitz", SETS=1, SIZE=5000, REPLICATES=20)
    assert done["EDGES"] == 0 or done["RECALL"] < 0.3


def refused(done, **parameters):
    given = {
        "TARGET": done["OUTPUT"],
        "MATRIX": done["MATRIX"],
        "TARGET_QIS": ["age", "sex"],
        "IDENTIFICATION": file_of(KNOWN, "known"),
        "IDENTIFICATION_QIS": ["age", "sex"],
        "METHOD": "clique",
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    return refusal("linkageattack", {**given, **parameters})


def test_what_does_not_fit_together(provider, tmp_path):
    done = released(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    fewer = released(other, target=file_of(TARGET[:30], "fewer"))
    assert "in the same order" in refused(done, TARGET_QIS=["age"])
    assert "80 records and the matrix 30" in refused(done, MATRIX=fewer["MATRIX"])
    assert "TARGET_ID" not in refused(done, TARGET_ID="age")  # not one of its ids
    assert "twice" in refused(done, IDENTIFICATION_ID="age")
    assert "key" in refused(
        done,
        TRUTH=layer(
            [None],
            kind="NoGeometry",
            crs="",
            fields="released_id:int,original_id:int",
            rows=[(9_999, 1)],
        ),
    )
    assert "key" in refused(done, LINES="TEMPORARY_OUTPUT")


@pytest.mark.parametrize(
    "parameters, says",
    [
        (dict(RULE="lipschitz", ALPHA=0), "Alpha"),
        (dict(RULE="lipschitz", ALPHA=1), "Alpha"),
        (dict(RULE="absolute", EPSILON=0), "tolerance"),
        (dict(RULE="coordinate_noise", SIGMA=0), "noise"),
        (dict(METRIC="planar", RULE="lipschitz", SETS=0), "at least 1"),
    ],
)
def test_parameters_out_of_range(provider, tmp_path, parameters, says):
    assert says in refused(released(tmp_path), **parameters)


def test_a_search_that_may_take_no_steps_is_labelled(provider, tmp_path):
    done = attacked(released(tmp_path), RULE="absolute", EPSILON=30_000, MAX_STEPS=1)
    assert done["PROVEN"] == 0 and done["CLIQUE"] >= 1
    assert "limit of steps" in done.feedback.said


@pytest.mark.parametrize(
    "limit",
    [
        dict(RULE="absolute", EPSILON=30_000, MAX_STEPS=1),
        dict(RULE="distance_noise", SIGMA=30_000, METHOD="likelihood", TIME_LIMIT=1e-9),
    ],
)
def test_an_attack_that_was_cut_off_holds_no_release_acceptable(provider, tmp_path, limit):
    noisy = released(tmp_path, NOISE="gaussian", SIGMA=30_000, SEED=3)
    done = attacked(noisy, **limit, **reported(tmp_path), ACCEPTABLE=0.9)
    assert done["PROVEN"] == 0 and not done.results.get("PRECISION", 0) > 0.25
    told = agree(done, tmp_path, "cannot_tell")
    assert told["evidence"][0]["caveat"] == "cut_off" and done["RISK_HIGH"] == 1
    assert "TIME_LIMIT" in told["next"][0]
    assert "Nobody is linked" not in page_of(tmp_path / "report.html")


def test_the_verdict_on_what_gives_people_away(provider, tmp_path):
    """With the key it is counted; without, the clique knows no share, likelihood what it expects.

    A least confidence that silences the attack hides nobody.
    """
    done = released(tmp_path, NOISE="coordinates", SIGMA=10, SEED=3)
    rule = dict(RULE="coordinate_noise", SIGMA=10)
    for method in ("clique", "likelihood"):
        for key in (key_of(done), None):
            found = attacked(done, **rule, METHOD=method, TRUTH=key, **reported(tmp_path))
            told = agree(found, tmp_path, "do_not_release")
            (one,) = by_distances(told)
            assert one["by_key"] == (key is not None) and one["failed"]
            if key is not None:
                assert one["people"] == BOTH and one["found"] == found["RECALL"] * BOTH
            elif method == "clique":
                assert one["found"] is one["share"] is None and done_is_open(one)
            else:
                assert one["found"] > 0.6 * BOTH and done_is_open(one)
            assert any("METHOD=" in sentence for sentence in told["not_run"])
    silent = attacked(done, **rule, METHOD="likelihood", THRESHOLD=1, **reported(tmp_path))
    assert silent["CLIQUE"] == 0
    assert agree(silent, tmp_path, "do_not_release")["evidence"][0]["exposed"] > 0


def by_distances(told):
    """What a verdict rests on besides attributes alone."""
    return [one for one in told["evidence"] if one["attack"] != "labels_alone"]


def done_is_open(one):
    """Without a key the share may be any."""
    return one["caveat"] == "no_key" and one["people"] <= N


def test_the_verdict_where_nothing_was_compared_or_nobody_is_there(provider, tmp_path):
    done = released(tmp_path, NOISE="coordinates", SIGMA=10, SEED=3)
    rule = dict(RULE="coordinate_noise", SIGMA=10, ACCEPTABLE=0.9)
    strangers = layer(
        PLACES[KNOWN],
        fields="person:int,age:int,sex:string",
        rows=[(int(row), 99, "x") for row in KNOWN],
    )
    found = attacked(done, strangers, **rule, **reported(tmp_path))
    assert agree(found, tmp_path, "cannot_tell")["evidence"][0]["caveat"] == "nothing_compared"
    for method in ("clique", "likelihood"):
        others = np.arange(N, 2 * N - BOTH)
        found = attacked(
            done, file_of(others, "others"), **rule, METHOD=method, **reported(tmp_path)
        )
        (one,) = by_distances(agree(found, tmp_path, "cannot_tell"))
        assert (one["people"], one["caveat"]) == (0, "nobody_common"), method


def test_a_release_that_holds_against_one_attack_wants_the_other(provider, tmp_path):
    """Everybody is in both files, and noise leaves nothing of their distances; sex tells little."""
    done = released(tmp_path, NOISE="coordinates", SIGMA=200_000, SEED=3)
    given = dict(RULE="coordinate_noise", SIGMA=200_000, METHOD="likelihood", **BY_SEX)
    register = file_of(TARGET, "register")
    found = attacked(done, register, **given, ACCEPTABLE=0.3, **reported(tmp_path))
    (one,) = by_distances(agree(found, tmp_path, "cannot_tell"))
    assert (one["people"], one["caveat"]) == (N, "one_method") and one["high"] <= 0.3
    # Not without the key, and not where the limit lies within the interval.
    for more in (dict(TRUTH=None, ACCEPTABLE=0.3), dict(ACCEPTABLE=0.03)):
        found = attacked(done, register, **given, **more, **reported(tmp_path))
        agree(found, tmp_path, "cannot_tell")


def test_attributes_alone_decide_where_they_tell_more_than_distances(provider, tmp_path):
    """Sixteen kinds of people among eighty: one in five is guessed right, by no distance."""
    done = released(tmp_path, NOISE="coordinates", SIGMA=200_000, SEED=3)
    given = dict(RULE="coordinate_noise", SIGMA=200_000, METHOD="near_group")
    found = attacked(done, file_of(TARGET, "register"), **given, **reported(tmp_path))
    told = agree(found, tmp_path, "do_not_release")
    (alone,) = (one for one in told["evidence"] if one["attack"] == "labels_alone")
    kinds = len(set(zip(AGES[TARGET].tolist(), SEXES[TARGET].tolist())))
    assert alone["found"] == pytest.approx(kinds) and alone["people"] == N
    assert "attributes alone" in told["next"][0] and not found["CLIQUE"]


@pytest.mark.parametrize(
    "release, rule",
    [
        ({}, {}),  # exact distances, by the clique
        (
            dict(NOISE="coordinates", SIGMA=10, SEED=3),
            dict(RULE="coordinate_noise", SIGMA=10, METHOD="likelihood"),
        ),
    ],
)
def test_a_key_that_does_not_fit_is_no_evidence(provider, tmp_path, release, rule):
    done = released(tmp_path, **release)
    rows = [(row["released_id"], (row["original_id"] + 30) % N) for row in records(done["KEY"])]
    key = layer(
        [None] * N, kind="NoGeometry", crs="", rows=rows, fields="released_id:int,original_id:int"
    )
    found = attacked(done, **rule, TRUTH=key, **reported(tmp_path))
    assert found.feedback.errors
    assert not agree(found, tmp_path, "do_not_release")["evidence"][0]["by_key"]


def test_a_key_that_names_no_known_people_is_no_good_news(provider, tmp_path):
    """Nobody in both files: that no match is right says nothing about the release."""
    done = released(tmp_path)
    rows = [(row["released_id"], row["original_id"] + 10_000) for row in records(done["KEY"])]
    key = layer(
        [None] * N, kind="NoGeometry", crs="", rows=rows, fields="released_id:int,original_id:int"
    )
    found = attacked(done, TRUTH=key, REPORT=str(tmp_path / "r.html"))
    assert "RECALL" not in found and "nan" not in found.feedback.said
    # ... but of the attack that is sure of its matches it says that the key is not theirs
    assert "does not fit these files" in found.feedback.errors[0]
    assert "PRECISION" not in found
    page = page_of(tmp_path / "r.html")
    assert "does not fit these files" in page and "within the 25" not in page


def test_no_match_has_no_precision(provider, tmp_path):
    strangers = layer(
        PLACES[KNOWN],
        fields="person:int,age:int,sex:string",
        rows=[(int(row), 99, "x") for row in KNOWN],
    )
    done = attacked(released(tmp_path), strangers)
    assert "PRECISION" not in done and done["RECALL"] == 0
    assert "nan" not in done.feedback.said


def test_lines_without_a_key_are_refused_before_the_attack(provider, tmp_path):
    done, feedback = released(tmp_path), Feedback()
    parameters = {
        "TARGET": done["OUTPUT"],
        "MATRIX": done["MATRIX"],
        "IDENTIFICATION": file_of(KNOWN, "k"),
        "OUTPUT": "TEMPORARY_OUTPUT",
        "LINES": "TEMPORARY_OUTPUT",
        "REPLICATES": 20,
    }
    assert "key" in refusal("linkageattack", parameters, feedback)
    assert "candidate" not in feedback.said


def test_distances_that_are_all_zero_say_nothing_of_rounding(provider, tmp_path):
    """Everybody at one address: zeros can be written in steps of a million metres, too."""
    target = layer(PLACES[[N] * 5], fields="age:int,sex:string", rows=[(1, "f")] * 5)
    done = released(tmp_path, target=target)
    known = layer(PLACES[:30], fields="age:int,sex:string", rows=[(1, "f")] * 30)
    found = attacked(
        done, known, RULE="distance_noise", SIGMA=1, ALPHA=0.5, TRUTH=None, IDENTIFICATION_ID=None
    )
    assert found["EDGES"] == 0


# --- experiments --------------------------------------------------------------------------------


def experiment(folder, name="cells", feedback=None, **parameters):
    given = {
        "INPUT": file_of(np.arange(len(PLACES)), "all"),
        "QIS": ["age", "sex"],
        "N_TARGET": 60,
        "N_IDENTIFICATION": 60,
        "OVERLAP": 12,
        "METHOD": "coordinate_noise",
        "SIGMA": "50, 5000",
        "ALPHA": "0.5, 0.9",
        "REPEATS": 3,
        "SEED": 9,
        "ATTACK": "clique",
        "OUTPUT": str(folder / f"{name}.gpkg"),
    }
    return run("linkageexperiment", {**given, **parameters}, feedback)


def test_cells_that_were_cut_off_are_told(provider, tmp_path):
    done = experiment(
        tmp_path,
        SIGMA="5000",
        ALPHA="0.9",
        REPEATS=1,
        MAX_STEPS=1,
        ACCEPTABLE=0.9,
        **reported(tmp_path),
    )
    assert records(done["OUTPUT"])[0]["proven"] == 0
    told = agree(done, tmp_path, "cannot_tell")
    assert told["evidence"][0]["caveat"] == "cut_off" and done["RISK_HIGH"] == 1


def test_the_verdict_of_an_experiment_is_that_on_the_worst_release(provider, tmp_path):
    """One kind of release gives people away, the other holds; the report tells them apart."""
    common = dict(ATTACK="all", ALPHA="0.9", REPEATS=3, ACCEPTABLE=0.8)
    done = experiment(tmp_path, SIGMA="50, 50000", **common, **reported(tmp_path))
    told = agree(done, tmp_path, "do_not_release")
    assert len(by_distances(told)) == 6 and all(one["people"] == 12 for one in told["evidence"])
    assert "σ\u00a0=\u00a050000" in told["next"][1] and "=\u00a050;" not in told["next"][1]
    page = page_of(tmp_path / "report.html")
    assert "A verdict on each release" in page and "may be released with care" not in page
    alone = experiment(tmp_path, SIGMA="50000", **common, **reported(tmp_path))
    told = agree(alone, tmp_path, "cannot_tell")
    assert {one["caveat"] for one in by_distances(told)} == {"one_method"}
    assert "signatures" in told["next"][1]
    # With few people nobody can tell by distances whether it is less than one in eleven.
    strict = experiment(
        tmp_path, SIGMA="50000", **{**common, "ACCEPTABLE": 0.09}, **reported(tmp_path)
    )
    told = agree(strict, tmp_path, "do_not_release")
    assert all(one["low"] < 0.09 for one in by_distances(told))
    one = experiment(
        tmp_path, SIGMA="50000", **{**common, "ATTACK": "clique"}, **reported(tmp_path)
    )
    told = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))["verdict"]
    assert any("ATTACK=likelihood" in sentence for sentence in told["not_run"]) and one["CELLS"]


def test_all_attacks_together_say_what_each_of_them_found(provider, tmp_path):
    done = released(tmp_path, NOISE="coordinates", SIGMA=20, SEED=3)
    feedback = Feedback()
    found = attacked(
        done,
        feedback=feedback,
        METHOD="strongest",
        RULE="coordinate_noise",
        SIGMA=20,
        TIME_LIMIT=60,
        REPORT=str(tmp_path / "report.html"),
        JSON=str(tmp_path / "it.json"),
    )
    told = agree(found, tmp_path, "do_not_release")
    names = {one["attack"] for one in told["evidence"]}
    assert names >= {"near_group_linkage", "clique_linkage", "likelihood_linkage", "all_linkage"}
    every = next(one for one in told["evidence"] if one["attack"] == "all_linkage")
    assert every["found"] >= 0.8 * max(one["found"] for one in told["evidence"])
    assert found["PRECISION"] > 0.7 and found["RECALL"] > 0.6
    for name in ("near_group", "likelihood", "signatures", "clique"):
        assert f"{name}: " in feedback.said
    page = page_of(tmp_path / "report.html")
    assert "Attack by attack" in page and "Near group: people who live near" in page
    alone = attacked(
        done, METHOD="near_group", RULE="coordinate_noise", SIGMA=20, **reported(tmp_path)
    )
    assert alone["CLIQUE"] > 0 and agree(alone, tmp_path, "do_not_release")


def test_one_person_is_no_people():
    claim = np.array([0.4, 0.3, 0.4, 0.2])
    found = SimpleNamespace(scored=None, result=SimpleNamespace(), claim=claim, has_confidence=True)
    assert "3 matches" in dangers(found)[0] and "found about 1 person," in dangers(found)[0]


def test_a_tolerance_leaves_out_what_weighs_distances(provider, tmp_path):
    done = released(tmp_path)
    found = attacked(done, METHOD="strongest", **reported(tmp_path))
    told = agree(found, tmp_path, "do_not_release")
    assert found["RECALL"] == 1 and found["PRECISION"] > 0.9
    assert any("METHOD=signatures" in one for one in told["not_run"])
    assert "tolerance" in refused(done, RULE="absolute", METHOD="signatures")


def test_files_whose_distances_do_not_fit_are_refused(provider, tmp_path, monkeypatch):
    from geoanon_qgis.core.runtime import memory

    monkeypatch.setattr(memory, "available_memory", lambda: 100_000)
    with pytest.raises(QgsProcessingException, match="60 released and 60 known records need 144"):
        experiment(tmp_path)
    assert leftovers(tmp_path) == []


def test_noise_that_is_larger_protects_more(provider, tmp_path):
    done = experiment(tmp_path, REPORT=str(tmp_path / "r.html"))
    rows = {(row["sigma"], row["alpha"]): row for row in records(done["OUTPUT"])}
    assert done["CELLS"] == len(rows) == 4
    assert rows[50, 0.9]["precision"] > 0.9 > rows[5000, 0.9]["precision"]
    assert rows[50, 0.9]["utility"] > rows[5000, 0.9]["utility"]
    assert done["WORST_PRECISION"] == max(row["precision"] for row in rows.values())
    assert all(row["proven"] == 1 and row["repeats"] == 3 for row in rows.values())
    page = page_of(tmp_path / "r.html")
    assert "Risk–utility map" in page and "<svg" in page


def without_seconds(done):
    return [
        {name: value for name, value in row.items() if name not in ("seconds", "fid")}
        for row in records(done["OUTPUT"])
    ]


@pytest.mark.parametrize(
    "method",
    [
        dict(METHOD="lipschitz", SETS="3,40", SIZE="2", REPLICATES=60),
        dict(METHOD="distance_noise", DISTRIBUTION="laplace", SIGMA="100,1000"),
    ],
)
def test_all_methods_run_and_a_seed_repeats_them(provider, tmp_path, method):
    first, second = (experiment(tmp_path, name, **method) for name in ("one", "two"))
    assert without_seconds(first) == without_seconds(second)
    assert first["CELLS"] == 4


def test_a_cancelled_run_keeps_what_is_finished_and_can_be_resumed(provider, tmp_path):
    sigmas = ", ".join(str(sigma) for sigma in range(100, 2_100, 100))
    whole = experiment(tmp_path, "whole", SIGMA=sigmas, ALPHA="0.5", REPEATS=4)
    cut = experiment(tmp_path, "cut", Feedback(40), SIGMA=sigmas, ALPHA="0.5", REPEATS=4)
    assert 0 < cut["CELLS"] < 20 and "RESUME" in "\n".join(cut.feedback.warnings)
    assert len(records(cut["OUTPUT"])) == cut["CELLS"]
    resumed = experiment(
        tmp_path, "resumed", SIGMA=sigmas, ALPHA="0.5", REPEATS=4, SEED=None, RESUME=cut["OUTPUT"]
    )
    assert f"taken over from the earlier run: {cut['CELLS']}." in resumed.feedback.said
    assert without_seconds(resumed) == without_seconds(whole)


@pytest.mark.parametrize("suffix", ["csv", "dbf", "geojson"])
@pytest.mark.parametrize(
    "method",
    [
        dict(SIGMA="100, 1000"),
        dict(METHOD="lipschitz", SETS="3, 4", SIZE="2", REPLICATES=30),
    ],
)
def test_a_run_can_be_resumed_from_a_table_in_another_format(provider, tmp_path, suffix, method):
    """A CSV has texts only, and nothing for NULL; a .dbf cuts names after ten letters."""
    fewer = {
        name: value.split(",")[0] if "," in str(value) else value for name, value in method.items()
    }
    first = experiment(tmp_path, "first", ALPHA="0.1", **fewer)
    table = saved(opened(first["OUTPUT"]), tmp_path / f"table.{suffix}".replace("dbf", "shp"))
    table = table.replace(".shp", ".dbf")
    whole = experiment(tmp_path, "whole", ALPHA="0.1", **method)
    resumed = experiment(
        tmp_path,
        "resumed",
        ALPHA="0.1",
        SEED=None,
        RESUME=table,
        REPORT=str(tmp_path / "r.html"),
        **method,
    )
    assert "taken over from the earlier run: 1." in resumed.feedback.said
    for one, other in zip(without_seconds(whole), without_seconds(resumed)):
        assert one == pytest.approx(other)


def test_a_resumed_table_is_checked(provider, tmp_path):
    done = experiment(tmp_path, SIGMA="50", ALPHA="0.5")
    rows = records(done["OUTPUT"])
    names = list(rows[0])[1:]
    fields = ",".join(f"{name}:string" for name in names)

    def table(*changes):
        return layer(
            [None] * len(changes),
            kind="NoGeometry",
            crs="",
            fields=fields,
            rows=[[{**rows[0], **change}[name] for name in names] for change in changes],
            name="earlier",
        )

    given = dict(SIGMA="50", ALPHA="0.5", OUTPUT="TEMPORARY_OUTPUT")
    assert experiment(tmp_path, RESUME=table({}, {}), **given)["CELLS"] == 1  # one cell twice
    base = {
        "INPUT": file_of(np.arange(len(PLACES)), "all"),
        "QIS": ["age", "sex"],
        "N_TARGET": 60,
        "N_IDENTIFICATION": 60,
        "OVERLAP": 12,
        "METHOD": "coordinate_noise",
        "REPEATS": 3,
        "SEED": 9,
        "ATTACK": "clique",
        **given,
    }
    assert "seed" in refusal("linkageexperiment", {**base, "RESUME": table({"seed": None})})
    assert "alpha" in refusal("linkageexperiment", {**base, "RESUME": table({"alpha": "x"})})
    assert "alpha" in refusal("linkageexperiment", {**base, "RESUME": table({"alpha": None})})
    # What cells follow from must be as it was: data, and settings one by one.
    moved = layer(
        PLACES + 1,
        fields="age:int,sex:string",
        rows=list(zip(AGES.tolist(), SEXES.tolist())),
        name="moved",
    )
    elsewhere = layer(["Polygon((0 0, 900000 0, 900000 900000, 0 900000, 0 0))"], kind="Polygon")
    for change in ({"QIS": ["sex"]}, {"INPUT": moved}, {"AREA": elsewhere}):
        said = refusal("linkageexperiment", {**base, **change, "RESUME": table({})})
        assert "other points, quasi-identifiers or another AREA" in said
    for name, value in (
        ("METRIC", "great_circle"),
        ("REPLICATES", 50),
        ("MAX_STEPS", 10),
        ("TIME_LIMIT", 3),
        ("THRESHOLD", 0.4),
        ("REPEATS", 4),
    ):
        said = refusal("linkageexperiment", {**base, name: value, "RESUME": table({})})
        assert f"differs in {name.lower()}" in said


def test_all_attacks_side_by_side(provider, tmp_path):
    common = dict(ATTACK="all", SIGMA="50, 20000", ALPHA="0.9", REPEATS=2)
    done = experiment(tmp_path, REPORT=str(tmp_path / "r.html"), **common)
    rows = {(row["sigma"], row["attack"]): row for row in records(done["OUTPUT"])}
    assert done["CELLS"] == len(rows) == 6
    assert done["WORST_RECALL"] == max(row["recall"] for row in rows.values()) > 0.6
    for sigma in (50, 20_000):
        ours, theirs = rows[sigma, "likelihood"], rows[sigma, "clique"]
        assert ours["utility"] == theirs["utility"] and theirs["clique"] == theirs["matches"]
        assert ours["alpha"] is ours["clique"] is ours["proven"] is None
        assert rows[sigma, "near_group"]["utility"] == theirs["utility"]
    assert rows[50, "near_group"]["precision"] > 0.7 and rows[50, "near_group"]["recall"] > 0.5
    page = page_of(tmp_path / "r.html")
    assert "The attacks side by side" in page and "clique, α = 0.9" in page
    # Cells of the clique alone can be gone on with.
    first = experiment(tmp_path, "first", **{**common, "ATTACK": "clique"})
    rest = experiment(tmp_path, "rest", RESUME=first["OUTPUT"], **common)
    assert "taken over from the earlier run: 2." in rest.feedback.said
    assert without_seconds(rest) == without_seconds(done)


def test_a_run_that_is_cancelled_at_once_leaves_nothing(provider, tmp_path):
    done = experiment(tmp_path, feedback=Feedback(0.5))
    assert done.results.get("CELLS") is None and leftovers(tmp_path) == []


def test_an_experiment_that_cannot_be(provider, tmp_path):
    base = {"INPUT": file_of(np.arange(30), "few"), "QIS": ["age"], "OUTPUT": "TEMPORARY_OUTPUT"}
    assert "30" in refusal("linkageexperiment", base)
    small = {**base, "N_TARGET": 10, "N_IDENTIFICATION": 10, "OVERLAP": 11}
    refusal("linkageexperiment", small)
    assert "alpha" in refusal("linkageexperiment", {**base, "ALPHA": "0, 0.5"})
    done = experiment(tmp_path, SIGMA="50", ALPHA="0.5")
    said = refusal(
        "linkageexperiment",
        {
            **base,
            "INPUT": file_of(np.arange(len(PLACES)), "all"),
            "QIS": ["age", "sex"],
            "N_TARGET": 10,
            "N_IDENTIFICATION": 10,
            "OVERLAP": 2,
            "RESUME": done["OUTPUT"],
        },
    )
    assert "n_target" in said
    said = refusal("linkageexperiment", {**base, "RESUME": file_of(np.arange(5), "none")})
    assert "no method" in said or "has no" in said


def test_a_cancelled_search_keeps_the_best_clique_and_says_so(provider, tmp_path):
    """Nearly everything agrees with everything: the search would take ages."""
    done = released(tmp_path)
    feedback = Feedback()
    timer = threading.Timer(4.0, feedback.cancel)
    timer.start()
    found = attacked(
        done,
        feedback=feedback,
        TARGET_QIS=[],
        IDENTIFICATION_QIS=[],
        EPSILON=12_000,
        TIME_LIMIT=0,
        OUTPUT=str(tmp_path / "linked.gpkg"),
        REPORT=str(tmp_path / "r.html"),
    )
    assert found["PROVEN"] == 0 and found["CLIQUE"] > 10
    assert sum(row["in_clique"] for row in records(found["OUTPUT"])) == found["CLIQUE"]
    assert "cancelled" in "\n".join(feedback.warnings)
    assert "cancelled" in page_of(tmp_path / "r.html")


def test_that_nobody_is_linked_is_said(provider, tmp_path):
    strangers = layer(
        PLACES[KNOWN],
        fields="person:int,age:int,sex:string",
        rows=[(int(row), 99, "x") for row in KNOWN],
    )
    done = attacked(released(tmp_path), strangers, REPORT=str(tmp_path / "r.html"))
    assert done["CLIQUE"] == 0 and "PRECISION" not in done
    page = page_of(tmp_path / "r.html")
    assert "nothing could be compared" in page and "no value in common" in page
    assert "no larger set" not in page and "attack fails" not in page


def test_the_attack_by_likelihood_claims_more(provider, tmp_path):
    done = released(tmp_path, "lipschitzrelease", SETS=60, SIZE=3, SEED=5)
    rule = dict(RULE="lipschitz", SETS=60, SIZE=3, REPLICATES=300)
    clique = attacked(done, **rule)
    found = attacked(done, **rule, METHOD="likelihood", REPORT=str(tmp_path / "r.html"))
    assert found["PROVEN"] == 0 and found["UNIQUE"] == 0
    assert found["PRECISION"] > 0.6 and found["RECALL"] > clique["RECALL"]
    support = [row["support"] for row in records(found["OUTPUT"]) if row["in_clique"]]
    assert len(support) == found["CLIQUE"] and min(support) >= 0.5 and max(support) <= 1
    page = page_of(tmp_path / "r.html")
    assert "sure enough" in page and "unproven" not in page
    assert "Mean confidence" in page and "Confidence of the matches" in page
    for of_the_clique in ("Alpha", "Pairs of them that agree", "maximum clique", "stand in its"):
        assert of_the_clique not in page
    assert "tolerance" in refused(done, METHOD="likelihood", RULE="absolute")


# --- records to withhold --------------------------------------------------------------------------


@pytest.mark.parametrize("with_key", [True, False])
def test_who_was_found_can_be_left_out_of_the_next_release(provider, tmp_path, with_key):
    """By the id of the key where there is one, else by place."""
    first = released(tmp_path, NOISE="exact", ID_FIELD="person")
    more = {"TRUTH": first["KEY"] if with_key else None, "METHOD": "clique"}
    done = attacked(first, AT_RISK=str(tmp_path / "risk.gpkg"), **more)
    risk = records(done["AT_RISK"])
    assert len(risk) == BOTH and {row["why"] for row in risk} == {"found"}
    assert sorted(map(tuple, coordinates(done["AT_RISK"]).round(3).tolist())) == sorted(
        map(tuple, PLACES[N - BOTH : N].round(3).tolist())
    )
    assert all(bool(row["original_id"]) == with_key for row in risk)
    (tmp_path / "second").mkdir()
    feedback = Feedback()
    again = run(
        "lipschitzrelease",
        {
            "INPUT": file_of(TARGET, "target"),
            "SETS": 3,
            "SIZE": 2,
            "WITHHOLD": done["AT_RISK"],
            "MATRIX": str(tmp_path / "second" / "m.csv"),
            "OUTPUT": str(tmp_path / "second" / "records.gpkg"),
            "KEY": str(tmp_path / "second" / "key.gpkg"),
            "REPORT": str(tmp_path / "second" / "r.html"),
        },
        feedback,
    )
    assert again["N"] == N - BOTH == len(records(again["OUTPUT"]))
    kept = {(row["original_x"], row["original_y"]) for row in records(again["KEY"])}
    gone = {(row["original_x"], row["original_y"]) for row in risk}
    assert len(kept) == N - BOTH and not kept & gone
    assert f"{BOTH} records were withheld" in feedback.said
    assert f"{BOTH} records were withheld" in (tmp_path / "second" / "r.html").read_text(
        encoding="utf-8"
    )


def test_when_nearly_everybody_is_withheld_nothing_is_released(provider, tmp_path):
    risk = attacked(released(tmp_path), AT_RISK=str(tmp_path / "risk.gpkg"))["AT_RISK"]
    sentence = refusal(
        "noisydistances",
        {
            "INPUT": file_of(np.arange(N - BOTH - 1, N), "few"),
            "NOISE": "exact",
            "WITHHOLD": risk,
            "MATRIX": str(tmp_path / "few.csv"),
            "OUTPUT": str(tmp_path / "few.gpkg"),
        },
    )
    assert f"{BOTH} records were withheld" in sentence and "too few" in sentence
    assert not (tmp_path / "few.csv").exists()
