# SPDX-License-Identifier: GPL-2.0-or-later
"""Known links and further releases in geoanon:linkageattack."""

import json
import re

import numpy as np
import pytest
from qgis.core import QgsProcessingException
from scipy.spatial.distance import pdist, squareform

from geoanon_qgis.core.distances.files import read_matrix, write_matrix
from geoanon_qgis.core.distances.matrix import DistanceMatrix
from tests.processing.concluding import page_of
from tests.processing.helpers import layer, records
from tests.processing.test_distance_releases import agree, reported
from tests.processing.test_linkage import BOTH, KNOWN, PLACES, N, attacked, key_of, released

SETS = dict(SETS=4, SIZE=10)
RULE = dict(RULE="lipschitz", REPLICATES=60, METHOD="near_group", **SETS)


def links_of(done, count, fields="target_id:string,identification_id:int", change=None):
    """Some people of both files, named as the matches of an earlier attack name them."""
    of = {row["original_id"]: str(row["released_id"]) for row in records(key_of(done))}
    rows = [(of[person], int(person)) for person in range(N - BOTH, N - BOTH + count)]
    rows = change(rows) if change else rows
    return layer(
        [None] * len(rows), kind="NoGeometry", crs="", fields=fields, rows=rows, name="links"
    )


def refused(done, **parameters):
    with pytest.raises(QgsProcessingException) as error:
        attacked(done, **parameters)
    return str(error.value)


@pytest.fixture(scope="module")
def embedded(provider, tmp_path_factory):
    return released(tmp_path_factory.mktemp("embedded"), "lipschitzrelease", SEED=5, **SETS)


def test_links_are_held_told_and_not_counted(embedded, tmp_path):
    alone = attacked(embedded, **RULE)
    assert "known link" not in alone.feedback.said
    found = attacked(
        embedded,
        **RULE,
        KNOWN_LINKS=links_of(embedded, 10),
        MATCHES=str(tmp_path / "matches.gpkg"),
        **reported(tmp_path),
    )
    said = found.feedback.said
    assert "10 known links given, 10 of them held fixed" in said
    given = set(range(N - BOTH, N - BOTH + 10))
    assert not given & {row["identification_id"] for row in records(found["MATCHES"])}
    # Of those who could still be found, so many more are.
    assert found["RECALL"] > alone["RECALL"]
    verdict = agree(found, tmp_path, found["DECISION"])
    assert verdict["evidence"][0]["people"] == BOTH - 10
    assert verdict["adversary"]["knows"] == "file_with_places_and_links"
    told = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))
    assert told["figures"]["known_links"] == 10
    page = page_of(tmp_path / "report.html")
    assert "10 known links given, 10 of them held fixed" in page


def test_links_are_read_from_any_fields_and_rows_without_an_id_are_told(embedded):
    found = attacked(
        embedded,
        **RULE,
        KNOWN_LINKS=links_of(
            embedded, 3, "who:int,what:string", lambda rows: [*((b, a) for a, b in rows), (7, None)]
        ),
        KNOWN_LINKS_RECORD="what",
        KNOWN_LINKS_PERSON="who",
    )
    assert "4 known links given, 3 of them held fixed" in found.feedback.said
    assert "1 known link without an id" in found.feedback.said


def test_links_that_the_key_contradicts_are_told(embedded):
    def turned(rows):
        (a, one), (b, other), *rest = rows
        return [(a, other), (b, one), *rest]

    links = links_of(embedded, 4, change=turned)
    found = attacked(embedded, **{**RULE, "RULE": "absolute", "EPSILON": 500}, KNOWN_LINKS=links)
    assert "By the key 2 known links are of somebody else" in found.feedback.said


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda rows: [("9999", 61), *rows], "1 known link names no released record: .* 9999"),
        (
            lambda rows: [(rows[0][0], 5000), (rows[1][0], 5001)],
            "2 known links name no known person with a place: .* 5000",
        ),
        (lambda rows: [*rows, rows[0]], "is in more than one known link"),
        (lambda rows: [*rows, (rows[0][0], 79)], "is in more than one known link"),
        (lambda rows: [], "“links” have no row with both ids"),
        (lambda rows: [("", 60)], "“links” have no row with both ids"),
    ],
)
def test_links_that_cannot_be_are_refused(embedded, change, words):
    assert re.search(
        words, refused(embedded, **RULE, KNOWN_LINKS=links_of(embedded, 2, change=change))
    )


def test_more_links_than_people_in_both_files_are_refused(embedded):
    links = links_of(embedded, BOTH)
    ids = {row["released_id"] for row in records(key_of(embedded))}
    taken = {row["target_id"] for row in records(links)}
    more = next(str(one) for one in sorted(ids) if str(one) not in taken)
    links = links_of(embedded, BOTH, change=lambda rows: [*rows, (more, 2 * N - BOTH - 1)])
    said = refused(embedded, **{**RULE, "RULE": "absolute"}, KNOWN_LINKS=links)
    assert f"{BOTH + 1} known links, but the two files have only {BOTH} people in common" in said


def test_links_without_the_fields_are_refused(embedded):
    links = links_of(embedded, 2, "a:string,b:int")
    assert "no field target_id or released_id" in refused(embedded, **RULE, KNOWN_LINKS=links)


def test_links_that_contradict_contraction_are_named_with_their_distance(embedded):
    matrix = read_matrix(embedded["MATRIX"])
    square = matrix.square()
    first, second = np.unravel_index(square.argmax(), square.shape)
    apart = squareform(pdist(PLACES[KNOWN])) + 1e9 * np.eye(N)
    one, other = np.unravel_index(apart.argmin(), apart.shape)
    wrong = [(matrix.ids[first], int(KNOWN[one])), (matrix.ids[second], int(KNOWN[other]))]
    links = links_of(embedded, 0, change=lambda _: wrong)
    said = refused(embedded, **RULE, TRUTH=None, KNOWN_LINKS=links)
    assert "never makes distances longer" in said
    assert f"{square.max():,.6g} m" in said and f"with {KNOWN[one]} " in said


def again(folder, done, seed):
    """Another release of the same records, with their ids, in another order."""
    other = released(folder, "lipschitzrelease", SEED=seed, **SETS)
    ids = [
        {row["original_id"]: row["released_id"] for row in records(key_of(one))}
        for one in (done, other)
    ]
    name = {str(ids[1][person]): str(ids[0][person]) for person in ids[0]}
    matrix = read_matrix(other["MATRIX"])
    renamed = DistanceMatrix(matrix.condensed, tuple(name[one] for one in matrix.ids), matrix.unit)
    path = folder / "renamed.csv"
    write_matrix(path, renamed)
    return str(path)


def test_further_releases_are_put_together(embedded, tmp_path):
    alone = attacked(embedded, **RULE)
    paths = []
    for seed in (6, 7):
        folder = tmp_path / str(seed)
        folder.mkdir()
        paths.append(again(folder, embedded, seed))
    found = attacked(embedded, **RULE, MORE_MATRICES=paths, **reported(tmp_path))
    assert (
        "3 releases of these records: the largest of their distances counts" in found.feedback.said
    )
    assert found["RECALL"] > alone["RECALL"]
    audit = json.loads((tmp_path / "it.json").read_text(encoding="utf-8"))["audit"]
    told = [one for one in audit["inputs"] if one["parameter"] == "MORE_MATRICES"]
    assert [one["place"] for one in told] == paths
    assert all(one["files"][0]["sha256"] for one in told)


MANY = dict(SETS=30, SIZE=5)


@pytest.fixture(scope="module")
def twice(provider, tmp_path_factory):
    """Two releases of the same people, each with numbers of its own."""
    made = []
    for seed in (5, 6):
        folder = tmp_path_factory.mktemp("twice")
        made.append(released(folder, "lipschitzrelease", SEED=seed, **MANY))
    return made


def test_a_release_that_is_numbered_anew_is_linked_by_its_rows(twice, tmp_path):
    rule = {**RULE, **MANY}
    both = dict(MORE_MATRICES=[twice[1]["MATRIX"]], MORE_TARGETS=[twice[1]["OUTPUT"]])
    found = attacked(twice[0], **rule, **both, **reported(tmp_path))
    said = found.feedback.said
    assert "its ids do not mean the records of MATRIX" in said
    linked, right = map(
        int, re.search(r"(\d+) records of 80 linked; about (\d+) of these", said).groups()
    )
    assert linked >= 40 and linked - 3 <= right <= linked
    assert "2 releases of these records" in said
    page = page_of(tmp_path / "report.html")
    assert "Further releases" in page and "distances to all others" in page
    assert found["PRECISION"] >= 0.9
    said = refused(twice[0], **rule, **{**both, "MORE_TARGETS": [twice[1]["OUTPUT"]] * 2})
    assert "1 further matrices and 2 further tables" in said


def test_a_release_of_other_people_changes_nothing(twice, tmp_path):
    """Its ids are 1, 2, .. as those of the first are, and mean nobody of these."""
    other = read_matrix(twice[1]["MATRIX"])
    square = np.random.default_rng(1).uniform(0, 60_000, len(other.condensed))
    path = tmp_path / "other.csv"
    write_matrix(path, DistanceMatrix(square, other.ids, other.unit))
    alone, found = (
        attacked(twice[0], **{**RULE, **MANY}, MATCHES=str(tmp_path / f"{name}.gpkg"), **more)
        for name, more in (("alone", {}), ("both", {"MORE_MATRICES": [str(path)]}))
    )
    assert records(found["MATCHES"]) == records(alone["MATCHES"])
    assert len(records(alone["MATCHES"])) > 0
    assert "other.csv adds nothing: no record can be linked surely" in found.feedback.said
    assert "2 releases" not in found.feedback.said


def test_by_a_tolerance_nothing_but_ids_links(embedded, tmp_path):
    matrix = read_matrix(embedded["MATRIX"])
    path = tmp_path / "other.csv"
    ids = tuple(f"x{one}" for one in matrix.ids)
    write_matrix(path, DistanceMatrix(matrix.condensed, ids, matrix.unit))
    given = {**RULE, "RULE": "absolute", "EPSILON": 500, "MORE_MATRICES": [str(path)]}
    assert "records are linked by ids only" in attacked(embedded, **given).feedback.said
