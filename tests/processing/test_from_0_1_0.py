# SPDX-License-Identifier: GPL-2.0-or-later
"""What 0.1.0 wrote is still read: keys, mask files, secret files and reports.

``tests/data/from_0_1_0`` holds outputs of two states of that version, of made-up people: ``first``
is its beginning, whose keys know feature ids alone, ``later`` has mask files and audits.
"""

import json
from pathlib import Path

import pytest

from tests.processing.helpers import refusal, run

FILES = Path(__file__).resolve().parent.parent / "data" / "from_0_1_0"
FIRST, LATER = FILES / "first", FILES / "later"

pytestmark = pytest.mark.usefixtures("project")


def layer(path):
    """A layer that 0.1.0 read or wrote, by its place: no layer of a test may outlive QGIS."""
    assert path.exists(), path
    return str(path)


def places(path):
    """All points of a file, sorted, to the centimetre."""
    features = json.loads(Path(path).read_text(encoding="utf-8"))["features"]
    return sorted(tuple(round(x, 2) for x in one["geometry"]["coordinates"]) for one in features)


def test_all_of_it_is_of_that_version():
    for path in (FIRST / "voronoi_report.json", LATER / "displaced_report.json"):
        assert json.loads(path.read_text(encoding="utf-8"))["version"] == "0.1.0"


def test_a_key_of_feature_ids_scores_a_reversal():
    done = run(
        "reversevoronoi",
        {
            "INPUT": layer(FIRST / "voronoi_masked.geojson"),
            "CANDIDATES": layer(FILES / "addresses.geojson"),
            "CANDIDATE_ID": "house",
            "KEY": layer(FIRST / "voronoi_key.geojson"),
            "SEED": 1,
            "OUTPUT": "memory:",
        },
    )
    assert done.results["FOUND"] == 24
    assert done.results["SHARE_CORRECT"] > 0.5


def test_a_mask_file_and_its_key_drive_the_posterior_attack():
    done = run(
        "attackmask",
        {
            "INPUT": layer(LATER / "displaced.geojson"),
            "MASK": str(LATER / "displaced_mask.json"),
            "KEY": layer(LATER / "displaced_key.geojson"),
            "CANDIDATES": layer(FILES / "addresses.geojson"),
            "OUTPUT": "memory:",
        },
    )
    assert done.results["DECISION"] == "do_not_release"
    assert 6 <= done.results["IDENTIFIED"] <= 12


@pytest.mark.parametrize("key", [FIRST, LATER], ids=["first", "later"])
def test_a_release_of_distances_is_attacked_with_its_mask_file_and_scored(key):
    done = run(
        "linkageattack",
        {
            "TARGET": layer(LATER / "distances_records.csv"),
            "MATRIX": str(LATER / "distances.csv"),
            "MASK": str(LATER / "distances_mask.json"),
            "IDENTIFICATION": layer(FILES / "people.geojson"),
            "IDENTIFICATION_ID": "person",
            "TRUTH": layer(key / "distances_key.csv"),
            "METHOD": "signatures",
            "SEED": 1,
            "OUTPUT": "memory:",
        },
    )
    assert (done.results["PRECISION"], done.results["RECALL"]) == (1, 1)


def test_the_accuracy_of_a_release_is_found_by_its_key():
    done = run(
        "distanceaccuracy",
        {
            "INPUT": layer(FILES / "people.geojson"),
            "MATRIX": str(LATER / "distances.csv"),
            "KEY": layer(LATER / "distances_key.csv"),
            "MASK": str(LATER / "distances_mask.json"),
            "OUTPUT": "memory:",
        },
    )
    # As 0.1.0 itself said when it made the release.
    assert done.results["SPEARMAN"] == pytest.approx(0.8499277904274407)
    assert done.results["NEAREST_KEPT"] == pytest.approx(20 / 24)


def test_a_secret_file_keeps_everybody_where_he_was_released(tmp_path):
    given = {
        "INPUT": layer(FILES / "people.geojson"),
        "LAW": "donut",
        "MIN": 50,
        "MAX": 200,
        "ID_FIELD": "person",
        "OUTPUT": str(tmp_path / "again.geojson"),
    }
    run("maskdisplace", {**given, "SECRET": str(LATER / "displaced_secret.json")})
    assert places(tmp_path / "again.geojson") == places(LATER / "displaced.geojson")


def test_a_report_tells_which_files_it_judged(tmp_path):
    (tmp_path / "displaced.geojson").write_bytes((LATER / "displaced.geojson").read_bytes())
    given = {"FOLDER": str(tmp_path), "FIGURES": str(LATER / "displaced_report.json")}
    done = run("verifyrelease", given)
    assert {name: done.results[name] for name in ("JUDGED", "CHANGED", "UNKNOWN")} == {
        "JUDGED": 1,
        "CHANGED": 0,
        "UNKNOWN": 0,
    }


def test_a_report_without_an_audit_is_refused_in_words(tmp_path):
    given = {"FOLDER": str(tmp_path), "FIGURES": str(FIRST / "voronoi_report.json")}
    assert "they were written by an earlier version" in refusal("verifyrelease", given)
