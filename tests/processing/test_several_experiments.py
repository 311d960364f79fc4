# SPDX-License-Identifier: GPL-2.0-or-later
"""An adversary of geoanon:linkageexperiment who holds several releases of the same people."""

import json

import pytest

from tests.processing.concluding import page_of
from tests.processing.helpers import opened, records, refusal, run, saved
from tests.processing.test_distance_releases import agree, reported
from tests.processing.test_distance_tools import citizens
from tests.processing.test_linkage import experiment, file_of, released, without_seconds

EMBEDDED = dict(METHOD="lipschitz", SETS="4", SIZE="10", REPLICATES=40, ATTACK="near_group")
FEW = dict(**EMBEDDED, OVERLAP=40, REPEATS=2)


def test_several_releases_find_more_and_are_told(provider, tmp_path):
    alone = experiment(tmp_path, "alone", **FEW, **reported(tmp_path))
    assert "Releases held" not in page_of(tmp_path / "report.html")
    assert json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))["verdict"]["adversary"][
        "knows"
    ] == ("file_with_places")
    done = experiment(tmp_path, "several", RELEASES=4, **FEW, **reported(tmp_path))
    one, four = (records(made["OUTPUT"])[0] for made in (alone, done))
    assert four["recall"] > one["recall"] and four["nearest_kept"] == one["nearest_kept"]
    assert four["releases"] == 4 and four["linked_by"] == "ids" and four["linked"] == 1
    # A table of one release is as it always was.
    assert not set(one) & {"releases", "linked_by", "linked", "links_right"}
    told = agree(done, tmp_path, done["DECISION"])
    assert told["adversary"]["knows"] == "file_with_places_and_releases"
    page = page_of(tmp_path / "report.html")
    for words in (
        "Releases held",
        "linked by the same ids",
        "holds 4 releases of the same people",
        "one embedding with as many sets as all have",
        "Records linked",
    ):
        assert words in page


def test_rows_link_releases_that_number_their_people_anew(provider, tmp_path):
    given = dict(FEW, SETS="30", SIZE="5", REPEATS=1, RELEASES=2, LINKED_BY="rows", KNOWN_LINKS=4)
    done = experiment(tmp_path, **given, **reported(tmp_path))
    (row,) = records(done["OUTPUT"])
    assert 0.3 < row["linked"] <= 1 and row["links_right"] > 0.9
    told = agree(done, tmp_path, done["DECISION"])
    assert told["adversary"]["knows"] == "file_with_places_links_and_releases"
    page = page_of(tmp_path / "report.html")
    assert "linked by distances and attributes" in page and "Known before" in page
    table = saved(opened(done["OUTPUT"]), tmp_path / "table.csv")
    again = experiment(tmp_path, "again", RESUME=table, **given)
    assert "taken over from the earlier run: 1." in again.feedback.said
    for one, other in zip(without_seconds(done), without_seconds(again)):
        assert one == pytest.approx(other)
    base = {
        "INPUT": file_of(range(140), "all"),
        "QIS": ["age", "sex"],
        "N_TARGET": 60,
        "N_IDENTIFICATION": 60,
        "SEED": 9,
        "OUTPUT": "TEMPORARY_OUTPUT",
        "RESUME": table,
        **given,
        "ALPHA": "0.5, 0.9",
    }
    for change, words in (
        ({"LINKED_BY": "ids"}, "differs in linked_by"),
        ({"RELEASES": 3}, "differs in releases"),
        ({"RELEASES": 1}, "differs in releases, linked_by"),
    ):
        assert words in refusal("linkageexperiment", {**base, **change})


def test_releases_like_that_of_a_mask_file_are_held_together(provider, tmp_path):
    mask = str(tmp_path / "mask.json")
    released(tmp_path, "lipschitzrelease", SETS=5, SIZE=7, SEED=5, MASK=mask)
    given = dict(ATTACK="near_group", METHOD=None, SIGMA=None, MASK=mask, REPEATS=1, REPLICATES=40)
    done = experiment(tmp_path, RELEASES=2, **given)
    (row,) = records(done["OUTPUT"])
    assert (row["sets"], row["size"], row["releases"]) == (5, 7, 2)


def test_what_several_releases_cannot_be(provider):
    base = {
        "INPUT": file_of(range(140), "all"),
        "QIS": ["age", "sex"],
        "N_TARGET": 60,
        "N_IDENTIFICATION": 60,
        "OVERLAP": 12,
        "OUTPUT": "TEMPORARY_OUTPUT",
        "RELEASES": 2,
    }
    isgp = {"METHOD": "isgp", "RADIUS": "5000"}
    assert "one at a time" in refusal("linkageexperiment", {**base, **isgp})
    small = {"N_TARGET": 7, "N_IDENTIFICATION": 7, "OVERLAP": 3, "LINKED_BY": "rows"}
    assert "eight records in each release" in refusal("linkageexperiment", {**base, **small})


def test_a_choice_can_be_held_against_several_releases(provider, tmp_path):
    given = {
        "INPUT": citizens(200, ages=12),
        "QIS": ["age", "sex"],
        "OVERLAP": "50",
        "NEIGHBOURS": False,
        "SETS": "4",
        "SIZE": "6",
        "REPEATS": 2,
        "REPLICATES": 60,
        "PRE_NOISE": "0",
        "DRAWS": 2,
        "LIKELIHOOD": 0,
        "SEED": 2,
        "OUTPUT": str(tmp_path / "t.gpkg"),
    }
    done = run("chooseembedding", {**given, "RELEASES": 3, **reported(tmp_path)})
    told = agree(done, tmp_path, "do_not_release")
    assert told["adversary"]["knows"] == "file_with_places_and_releases"
    assert "He holds 3 releases of the same people" in done.feedback.said
    said = refusal("chooseembedding", {**given, "RELEASES": 2, "ISGP_RADIUS": "500"})
    assert "one at a time" in said
