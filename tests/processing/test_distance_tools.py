# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:distanceaccuracy and geoanon:chooseembedding, from layers to tables and reports."""

import json
import os
import stat
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from geoanon_qgis.core.attacks.maps.drawn import Attempt, Drawn
from geoanon_qgis.core.attacks.maps.embedding_risk import EmbeddingRisk
from geoanon_qgis.core.distances.files import read_matrix, write_matrix
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from geoanon_qgis.core.distances.setting import Setting
from tests.processing.concluding import page_of
from tests.processing.helpers import Feedback, layer, leftovers, points, records, refusal, run
from tests.processing.test_distance_releases import BRITAIN, agree, people, release, reported

COUNT = 90


def measures(done):
    rows = records(done["OUTPUT"])
    return {(row["sets"], row["size"], row["measure"], row["lower"]): row for row in rows}


def citizens(count=120, seed=4, ages=6):
    rng = np.random.default_rng(seed)
    ages, sexes = rng.integers(0, ages, count), rng.choice(["f", "m"], count)
    rows = [(int(age), str(sex)) for age, sex in zip(ages, sexes)]
    return layer(points(count, seed=seed, size=50_000), fields="age:int,sex:string", rows=rows)


# --- accuracy -----------------------------------------------------------------------------------


def test_a_released_matrix_is_compared_by_its_key(provider, tmp_path):
    source = people()
    released = release(tmp_path, source=source, ending="csv", SETS=12, SIZE=4)
    done = run(
        "distanceaccuracy",
        {
            "INPUT": source,
            "MATRIX": released["MATRIX"],
            "KEY": released["KEY"],
            "OUTPUT": str(tmp_path / "table.gpkg"),
            "REPORT": str(tmp_path / "report.html"),
            "JSON": str(tmp_path / "report.json"),
            "ATTRIBUTES": ["age"],
        },
    )
    for name in ("MEDIAN_RATIO", "NEAREST_KEPT", "SPEARMAN", "MAX_VIOLATION"):
        assert done[name] == pytest.approx(released[name], abs=1e-9), name
    assert done["SETTINGS"] == 0
    table = measures(done)
    assert table[None, None, "nearest_kept", None]["value"] == pytest.approx(done["NEAREST_KEPT"])
    assert table[None, None, "max_violation", None]["value"] == 0
    names = {name for _, _, name, _ in table}
    assert {
        "spearman_centre",
        "spearman_border",
        "clustering_average_5",
        "nearest_10_kept",
        "dbscan_same_radius",
        "morans_i_error_radius",
        "bias_in_band",
    } <= names
    page = page_of(tmp_path / "report.html")
    assert "DBSCAN" in page and "Moran" in page and ">age<" in page
    assert json.loads((tmp_path / "report.json").read_text())["figures"]["max_violation"] == 0


def test_accuracy_is_no_attack(provider, tmp_path):
    """What analysts can do says nothing about people: the attack is named, either way."""
    source = people()
    released = release(tmp_path, source=source, ending="csv", SETS=4, SIZE=2, UNIT="km")
    done = run(
        "distanceaccuracy",
        {
            "INPUT": source,
            "MATRIX": released["MATRIX"],
            "KEY": released["KEY"],
            "UNIT": "km",
            "OUTPUT": "TEMPORARY_OUTPUT",
            **reported(tmp_path),
        },
    )
    told = agree(done, tmp_path, "not_tested")
    for one in (
        "geoanon:linkageattack",
        f"MATRIX={released['MATRIX']}",
        f"TRUTH={released['KEY']}",
        "UNIT=km",
    ):
        assert one in told["next"][0], one
    done = run(
        "distanceaccuracy",
        {
            "INPUT": source,
            "SETS": "3,5",
            "SIZE": "2",
            "REPEATS": 1,
            "OUTPUT": "TEMPORARY_OUTPUT",
            **reported(tmp_path),
        },
    )
    told = agree(done, tmp_path, "not_tested")
    for one in ("geoanon:chooseembedding", "INPUT=people", "SETS=3,5", "SIZE=2"):
        assert one in told["next"][0], one


def test_a_matrix_in_kilometres_is_told_so(provider, tmp_path):
    source = people()
    released = release(tmp_path, source=source, ending="csv", UNIT="km", SETS=6, SIZE=3)
    given = {
        "INPUT": source,
        "MATRIX": released["MATRIX"],
        "KEY": released["KEY"],
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    right = run("distanceaccuracy", {**given, "UNIT": "km"})
    assert right["MEDIAN_RATIO"] == pytest.approx(released["MEDIAN_RATIO"], abs=1e-9)
    assert run("distanceaccuracy", given)["MEDIAN_RATIO"] < 0.01


def test_a_grid_says_what_the_paper_says(provider, tmp_path):
    """More sets keep more, larger sets less; small distances are kept better than large ones."""
    done = run(
        "distanceaccuracy",
        {
            "INPUT": people(),
            "SETS": "5, 40",
            "SIZE": "2 30",
            "REPEATS": 4,
            "SEED": 1,
            "OUTPUT": str(tmp_path / "table.gpkg"),
            "REPORT": str(tmp_path / "report.html"),
        },
    )
    assert done["SETTINGS"] == 4
    table = measures(done)

    def value(sets, size, name="spearman"):
        row = table[sets, size, name, None]
        assert row["repeats"] == 4 and row["sd"] >= 0
        return row["value"]

    assert value(40, 2) > value(5, 2) > value(5, 30) and value(40, 2) > value(40, 30)
    assert value(40, 30, "nearest_kept") > value(5, 30, "nearest_kept")
    assert value(5, 2, "max_violation") < 1e-6
    bands = [
        row["value"] for key, row in table.items() if key[:3] == (40, 30, "median_ratio_in_band")
    ]
    assert bands[0] > bands[-1]
    assert "<svg" in page_of(tmp_path / "report.html")


def test_a_matrix_and_a_key_that_do_not_belong_together(provider, tmp_path):
    source = people()
    (tmp_path / "other").mkdir()
    released = release(tmp_path, source=source, SETS=3, SIZE=2)
    other = release(tmp_path / "other", source=people(points(30, seed=9)), SETS=3, SIZE=2)
    base = {"INPUT": source, "OUTPUT": "TEMPORARY_OUTPUT"}
    said = refusal("distanceaccuracy", {**base, "MATRIX": released["MATRIX"]})
    assert "key" in said
    said = refusal(
        "distanceaccuracy",
        {
            **base,
            "MATRIX": released["MATRIX"],
            "KEY": other["KEY"],
        },
    )
    assert "120 of 120" in said  # nobody of the other release stands where these people do


@pytest.mark.parametrize(
    "name, text", [("SETS", " ,"), ("SIZE", "a"), ("SETS", "0"), ("SIZE", "2.5")]
)
@pytest.mark.parametrize("algorithm", ["distanceaccuracy", "chooseembedding"])
def test_lists_that_are_none(provider, algorithm, name, text):
    refused = refusal(
        algorithm,
        {
            "INPUT": people(),
            name: text,
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert name in refused or "reference sets" in refused


@pytest.mark.parametrize(
    "content, says",
    [
        ("", "empty"),
        ("id,1,2\n1,0,5\n2,4,0\n", "5"),
        ("id,1,2\n1,0,nan\n2,nan,0\n", "1"),
        ("id,1,2\n1,0,-5\n2,-5,0\n", "negative"),
        ("id,1,2\n1,0,5\n3,5,0\n", "3"),
    ],
)
def test_matrix_files_that_are_none(provider, tmp_path, content, says):
    released = release(tmp_path, SETS=3, SIZE=2)
    bad = tmp_path / "bad.csv"
    bad.write_text(content)
    said = refusal(
        "distanceaccuracy",
        {
            "INPUT": people(),
            "MATRIX": str(bad),
            "KEY": released["KEY"],
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert says in said


@pytest.fixture
def made(provider, tmp_path):
    """A release and what compares it."""
    source = people()
    released = release(tmp_path, source=source, ending="csv", SETS=3, SIZE=2)
    return {
        "INPUT": source,
        "MATRIX": released["MATRIX"],
        "KEY": released["KEY"],
        "OUTPUT": "TEMPORARY_OUTPUT",
    }


def test_an_attribute_that_is_text(made):
    said = refusal("distanceaccuracy", {**made, "ATTRIBUTES": ["ward"]})
    assert "ward" in said and "numeric" in said


def test_a_unit_that_nobody_knows_is_not_taken_for_metres(made, tmp_path):
    matrix = read_matrix(made["MATRIX"])
    path = tmp_path / "miles.npz"
    write_matrix(path, DistanceMatrix(matrix.condensed, matrix.ids, "miles"))
    assert "miles" in refusal("distanceaccuracy", {**made, "MATRIX": str(path)})


def test_a_key_with_one_original_for_all(made, tmp_path):
    numbers = [row["released_id"] for row in records(made["KEY"])]
    original = next(made["INPUT"].getFeatures()).id()
    key = layer(
        [None] * len(numbers),
        kind="None",
        crs="",
        name="key",
        fields="released_id:int,original_id:int",
        rows=[(one, original) for one in numbers],
    )
    assert "several records" in refusal("distanceaccuracy", {**made, "KEY": key})


def test_a_file_that_was_cleared_again_is_none(made):
    """The dialog hands over an empty text then."""
    done = run(
        "distanceaccuracy",
        {
            **made,
            "MATRIX": "",
            "KEY": None,
            "SETS": "3",
            "SIZE": "2",
            "REPEATS": 1,
        },
    )
    assert done["SETTINGS"] == 1


def test_a_table_does_not_replace_the_matrix_that_is_read(made):
    before = Path(made["MATRIX"]).read_bytes()
    said = refusal("distanceaccuracy", {**made, "OUTPUT": made["MATRIX"]})
    assert "would overwrite" in said and Path(made["MATRIX"]).read_bytes() == before


@pytest.mark.parametrize("algorithm", ["distanceaccuracy", "chooseembedding"])
def test_more_records_than_memory_holds(provider, monkeypatch, algorithm):
    monkeypatch.setattr("geoanon_qgis.core.runtime.memory.available_memory", lambda: 10_000)
    said = refusal(algorithm, {"INPUT": people(), "OUTPUT": "TEMPORARY_OUTPUT"})
    assert "kB" in said and "RECORDS" in said


def test_a_cancelled_comparison_leaves_nothing(provider, tmp_path):
    for cancel_at in (10, 50, 90):
        run(
            "distanceaccuracy",
            {
                "INPUT": people(),
                "OUTPUT": str(tmp_path / "t.gpkg"),
                "SETS": "5,10",
                "SIZE": "2,5",
                "REPEATS": 2,
            },
            Feedback(cancel_at),
        )
        assert leftovers(tmp_path) == []


# --- choice -------------------------------------------------------------------------------------


def test_without_an_attack_there_is_no_risk_column(provider, tmp_path):
    done = run(
        "chooseembedding",
        {
            "INPUT": people(),
            "SETS": "5,20",
            "SIZE": "2,10",
            "REPEATS": 3,
            "DRAWS": 0,
            "NEAREST": 0.5,
            "OUTPUT": str(tmp_path / "t.gpkg"),
            "REPORT": str(tmp_path / "r.html"),
            "SEED": 1,
        },
    )
    rows = records(done["OUTPUT"])
    assert len(rows) == 4 and "precision" not in rows[0] and "nearest_kept_se" in rows[0]
    chosen = [row for row in rows if row["recommended"]]
    assert len(chosen) == 1
    assert (chosen[0]["sets"], chosen[0]["size"]) == (done["BEST_SETS"], done["BEST_SIZE"])
    kept = [row for row in rows if row["nearest_kept"] >= 0.5]
    assert done["QUALIFYING"] == len(kept)
    assert chosen[0]["blur"] == max(row["blur"] for row in kept)
    assert any(row["pareto"] for row in rows)
    page = page_of(tmp_path / "r.html")
    assert "No attack was run" in page and "Precision" not in page
    assert done["DECISION"] == "not_tested" and done["RISK_HIGH"] is None


def test_the_risk_is_that_of_attacks_on_people_drawn_anew(provider, tmp_path):
    done = run(
        "chooseembedding",
        {
            "INPUT": citizens(200, ages=12),
            "QIS": ["age", "sex"],
            "OVERLAP": "20 50",
            "KNOWN_LINKS": 2,
            "SETS": "200",
            "SIZE": "1,30",
            "REPEATS": 2,
            "REPLICATES": 60,
            "PRE_NOISE": "0",
            "DRAWS": 2,
            "SEED": 2,
            "OUTPUT": str(tmp_path / "t.gpkg"),
            **reported(tmp_path),
            "LIKELIHOOD": 0,
        },
    )
    rows = {(row["sets"], row["size"]): row for row in records(done["OUTPUT"])}
    told = agree(done, tmp_path, "do_not_release")
    attacks = {one["attack"] for one in told["evidence"]}
    linkage = {"clique_linkage", "near_group_linkage", "all_linkage"}
    assert attacks == {*linkage, "quasi_identifiers"}  # of few people, who guesses finds 23 %
    assert (done["BEST_SETS"], done["QUALIFYING"], done["WORST_OVERLAP"]) == (0, 0, 50)
    clear = rows[200, 1]
    assert clear["state"] == "ruled_out" and clear["worst_overlap"] == 50
    assert clear["found_low"] > 0.09 and clear["found"] > 0.5 and clear["precision"] > 0.6
    assert clear["near_group_found_high"] >= clear["found_low"]
    for row in rows.values():
        assert row["found_low"] <= row["found"] <= row["found_high"]
        assert row["precision"] <= row["precision_high"] and row["draws"] >= 1
    assert {row["worst_neighbours"] for row in rows.values()} <= {0, 1}
    log = "\n".join(done.feedback.infos)
    assert "neighbours of each other" in log  # tried where nobody says otherwise
    assert "about" in log and "minute" in log.split("it takes")[1]
    assert "20 % (22)" in log and "50 % (56)" in log and "Known links: 2" in log
    page = page_of(tmp_path / "report.html")
    assert "Found, upper end" in page and "No row can be recommended" in page and "limit" in page
    assert "guessing" in told["next"][0] and "GROUPS" in told["next"][0]


def test_without_attributes_there_is_a_risk_column(provider, tmp_path):
    """Signatures and the near group, which need none."""
    done = run(
        "chooseembedding",
        {
            "INPUT": people(points(40)),
            "OVERLAP": "5 50",
            "NEIGHBOURS": False,
            "SETS": "20",
            "SIZE": "1",
            "REPEATS": 2,
            "PRE_NOISE": "0",
            "DRAWS": 1,
            "SEED": 2,
            "OUTPUT": "TEMPORARY_OUTPUT",
            **reported(tmp_path),
        },
    )
    row = records(done["OUTPUT"])[0]
    assert 0 <= row["found"] <= row["found_high"] <= 1 and row["signatures_found_high"] is not None
    told = agree(done, tmp_path, done["DECISION"])
    assert {one["attack"] for one in told["evidence"]} >= {"signature_linkage"}
    assert "no attributes" in "\n".join(done.feedback.infos)
    # Of ten people one is more than the 9 % that may be found.
    warned = "\n".join(done.feedback.warnings)
    assert "people known, or fewer, a draw has 10 people" in warned and "one alone is 10%" in warned


def test_defences_are_rows_of_their_own(provider, tmp_path, monkeypatch):
    """Each is attacked, and what holds is recommended with a command that makes it."""
    asked = []

    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        asked.append(setting)
        right = 0 if setting.pre_noise and setting.grouped and setting.released == 40 else 20
        return Drawn(20, right, tuple(Attempt(name, right, right, True) for name in attacks))

    monkeypatch.setattr(EmbeddingRisk, "attack", attack)
    groups = layer(
        [None] * 6,
        crs="",
        kind="NoGeometry",
        fields="field:string,value:string,group:string",
        rows=[("age", str(age), "young" if age < 3 else "old") for age in range(6)],
    )
    done = run(
        "chooseembedding",
        {
            "INPUT": citizens(100),
            "QIS": ["age", "sex"],
            "SETS": "5",
            "SIZE": "2",
            "PRE_NOISE": "0, 800",
            "STEP": "0, 100",
            "GROUPS": groups,
            "N_RELEASED": "40, 50",
            "REPEATS": 2,
            "LIKELIHOOD": 0,
            "ACCEPTABLE": 0.5,
            "SEED": 1,
            "OUTPUT": str(tmp_path / "t.gpkg"),
            **reported(tmp_path),
        },
    )
    rows = records(done["OUTPUT"])
    assert len(rows) == 2 * 2 * 2 * 2
    assert {one for one in asked if one.released} == {
        Setting(5, 2, noise, step, grouped, count)
        for noise, step, grouped, count in product((0, 800), (0, 100), (False, True), (40, 50))
    }
    best = next(row for row in rows if row["recommended"])
    assert (best["pre_noise"], best["grouped"], best["released"]) == (800, 1, 40)
    # Signatures meet what would be recommended of so few records, LIKELIHOOD=0 or not.
    assert (done["BEST_PRE_NOISE"], done["DECISION"]) == (800, "release_with_care")
    told = agree(done, tmp_path, "release_with_care")
    assert "geoanon:lipschitzrelease -- INPUT=" in told["next"][0]
    assert "SETS=5 SIZE=2 PRE_NOISE=800" in told["next"][0] and "GROUPS=" in told["next"][0]
    assert "40 of the records" in told["next"][1]


def test_isgp_is_a_row_beside_the_embeddings(provider, tmp_path, monkeypatch):
    """What holds is recommended with the command of its own release, which runs."""
    asked = set()

    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        asked.add((setting.radius, tuple(attacks)))
        right = 0 if setting.radius == 2e4 else 20
        return Drawn(20, right, tuple(Attempt(name, right, right, True) for name in attacks))

    monkeypatch.setattr(EmbeddingRisk, "attack", attack)
    given = {
        "INPUT": citizens(100),
        "QIS": ["sex"],
        "SETS": "5",
        "SIZE": "2",
        "ISGP_RADIUS": "0, 20000, 50000",
        "OVERLAP": "50",
        "NEIGHBOURS": False,
        "REPEATS": 2,
        "ACCEPTABLE": 0.5,
        "SEED": 1,
        "RESUME": str(tmp_path / "kept.jsonl"),
        **reported(tmp_path),
    }
    done = run("chooseembedding", {**given, "OUTPUT": str(tmp_path / "t.gpkg")})
    rows = records(done["OUTPUT"])
    assert [(row["sets"], row["radius"]) for row in rows] == [(5, 0), (0, 2e4), (0, 5e4)]
    assert [row["state"] for row in rows] == ["ruled_out", "held", "ruled_out"]
    assert rows[0]["told"] is None and 0 < rows[1]["told"] < rows[2]["told"] <= 1
    assert rows[0]["local_maps_found_high"] is None and rows[1]["clique_found_high"] is None
    assert all(row["spearman"] is not None for row in rows)
    maps = ("near_group_linkage", "local_maps_linkage")
    assert {attacks for radius, attacks in asked if radius} == {maps}
    assert (done["BEST_SETS"], done["BEST_SIZE"], done["BEST_RADIUS"]) == (0, 0, 20_000)
    told = agree(done, tmp_path, "release_with_care")
    assert "geoanon:isgprelease -- INPUT=" in told["next"][0]
    assert "METHOD=distances RADIUS=20000 " in told["next"][0]
    assert "METHOD distances" in " ".join(told["not_run"])
    again = run("chooseembedding", {**given, "OUTPUT": str(tmp_path / "u.gpkg")})
    assert records(again["OUTPUT"]) == rows
    assert "Taken over from kept.jsonl" in "\n".join(again.feedback.infos)


def test_isgp_rows_alone_may_hold_or_not_but_noise_is_for_embeddings(provider, monkeypatch):
    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        right = 12 if setting.radius else 20
        return Drawn(20, right, tuple(Attempt(name, right, right, True) for name in attacks))

    monkeypatch.setattr(EmbeddingRisk, "attack", attack)
    given = {"INPUT": citizens(60), "QIS": ["sex"], "SETS": "5", "SIZE": "2", "REPEATS": 2}
    more = {
        "ISGP_RADIUS": "20000",
        "OVERLAP": "50",
        "NEIGHBOURS": False,
        "SEED": 1,
        "OUTPUT": "TEMPORARY_OUTPUT",
    }
    done = run("chooseembedding", {**given, **more})
    noisy = [row for row in records(done["OUTPUT"]) if row["pre_noise"]]
    assert len(noisy) == 6 and {row["sets"] for row in noisy} == {5}
    assert done["DECISION"] == "do_not_release" and done["BEST_RADIUS"] is None
    assert "ISGP with a radius of 20,000 m comes nearest" in "\n".join(done.feedback.warnings)


def test_where_no_row_holds_noise_is_tried_on_the_nearest(provider, tmp_path, monkeypatch):
    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        right = 0 if setting.pre_noise > 2_000 else 20 - setting.size
        return Drawn(20, right, tuple(Attempt(name, right, right, True) for name in attacks))

    monkeypatch.setattr(EmbeddingRisk, "attack", attack)
    done = run(
        "chooseembedding",
        {
            "INPUT": citizens(100),
            "QIS": ["sex"],
            "SETS": "5",
            "SIZE": "1, 2",
            "REPEATS": 2,
            "LIKELIHOOD": 0,
            "SEED": 1,
            "OUTPUT": str(tmp_path / "t.gpkg"),
        },
    )
    rows = records(done["OUTPUT"])
    tried = [row for row in rows if row["pre_noise"]]
    assert len(rows) == 2 + 6 and {row["size"] for row in tried} == {2}
    best = next(row for row in rows if row["recommended"])
    assert best["pre_noise"] == min(row["pre_noise"] for row in tried if row["pre_noise"] > 2_000)
    assert "No row holds" in "\n".join(done.feedback.infos)


def test_a_run_that_was_stopped_goes_on(provider, tmp_path, monkeypatch):
    asked = []

    def attack(self, setting, overlap, number, attacks, enough=None, ask=None):
        asked.append((setting, overlap, number, attacks))
        ask(0.0)
        right = int(self._people(None, overlap, number).released[0]) % 3 if setting.size > 1 else 20
        return Drawn(20, right, tuple(Attempt(name, 20, right, True) for name in attacks))

    monkeypatch.setattr(EmbeddingRisk, "attack", attack)
    file = tmp_path / "run.jsonl"

    def tried(name, feedback=None, **more):
        asked.clear()
        given = {
            "INPUT": citizens(100),
            "QIS": ["age"],
            "OVERLAP": "50",
            "NEIGHBOURS": False,
            "SETS": "5",
            "SIZE": "1, 2",
            "PRE_NOISE": "0",
            "REPEATS": 2,
            "LIKELIHOOD": 0,
            "DRAWS": 48,
            "PRECISION": 1,
            "ACCEPTABLE": 0.4,
            "OUTPUT": str(tmp_path / f"{name}.csv"),
            **more,
        }
        done = run("chooseembedding", given, feedback or Feedback())
        made = tmp_path / f"{name}.csv"
        return done, made.read_bytes() if made.exists() else None

    done, nothing = tried("stopped", Feedback(cancel_at=45), RESUME=str(file), SEED=5)
    assert nothing is None and "run.jsonl" in "\n".join(done.feedback.warnings)
    assert os.name == "nt" or stat.S_IMODE(file.stat().st_mode) == 0o600
    with open(file, "ab") as cut:
        cut.write(b'["draw 5-2')  # as a run leaves it that was killed
    done, rest = tried("rest", RESUME=str(file))  # the seed is in the file
    some = len(asked)
    assert "Taken over" in "\n".join(done.feedback.infos) and rest is not None
    _, whole = tried("whole", SEED=5)
    assert whole == rest and some < len(asked)
    done, _ = tried("other", RESUME=str(file), SIZE="2, 3")
    assert "differs in SIZE" in "\n".join(done.feedback.warnings)
    assert json.loads(file.read_text("ascii").splitlines()[0])["seed"] != 5
    (tmp_path / "text.jsonl").write_text("hello")
    said = refusal(
        "chooseembedding",
        {"INPUT": citizens(100), "RESUME": str(tmp_path / "text.jsonl"), "OUTPUT": "memory:"},
    )
    assert "no file of an earlier run" in said
    assert (tmp_path / "text.jsonl").read_text() == "hello"


def test_overlaps_and_links_that_cannot_be(provider):
    base = {"INPUT": citizens(100), "QIS": ["age"], "OUTPUT": "TEMPORARY_OUTPUT", "REPEATS": 2}
    assert "N_KNOWN" in refusal("chooseembedding", {**base, "N_KNOWN": 5, "N_RELEASED": 50})
    assert "KNOWN_LINKS" in refusal("chooseembedding", {**base, "KNOWN_LINKS": 30})


def test_it_says_plainly_when_nothing_qualifies(provider, tmp_path):
    done = run(
        "chooseembedding",
        {
            "INPUT": people(),
            "SETS": "1",
            "SIZE": "50",
            "REPEATS": 2,
            "DRAWS": 0,
            "NEAREST": 1.0,
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert (done["BEST_SETS"], done["BEST_SIZE"], done["QUALIFYING"]) == (0, 0, 0)
    assert "No row keeps" in "\n".join(done.feedback.warnings)


def test_halving_gives_the_better_half_more(provider, tmp_path):
    done = run(
        "chooseembedding",
        {
            "INPUT": people(BRITAIN[:60]),
            "SETS": "2,5,10,20",
            "SIZE": "2,20",
            "REPEATS": 8,
            "SEARCH": "halving",
            "DRAWS": 0,
            "OUTPUT": "TEMPORARY_OUTPUT",
            "NEAREST": 0.6,
            "SEED": 3,
        },
    )
    repeats = [row["repeats"] for row in records(done["OUTPUT"])]
    assert len(repeats) == 8 and sorted(set(repeats)) == [2, 4, 8]


def test_labels_that_tell_nothing_apart_or_are_missing(provider):
    empty = layer(points(60), fields="age:int", rows=[(None,)] * 60)
    said = refusal(
        "chooseembedding",
        {
            "INPUT": empty,
            "QIS": ["age"],
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert "quasi-identifiers" in said
