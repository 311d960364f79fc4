# SPDX-License-Identifier: GPL-2.0-or-later
"""The audit page: what every report tells of its run, and that the bytes it tells of are true."""

import datetime
import hashlib
import json
import re
from pathlib import Path

import pytest
from qgis.core import (
    QgsApplication,
    QgsProcessingFeatureSourceDefinition,
    QgsProcessingParameterFileDestination,
)

from geoanon_qgis import paths
from geoanon_qgis.core.verification.digests import CHUNK
from geoanon_qgis.processing.audit import inputs
from geoanon_qgis.processing.audit import record as audit
from geoanon_qgis.processing.base import GeoAnonAlgorithm
from geoanon_qgis.processing.dialog.notes import is_judged, is_secret
from geoanon_qgis.processing.layers import formats
from tests.processing.concluding import page_of
from tests.processing.helpers import Feedback, layer, leftovers, opened, points, run, saved

SEED = 83_561_947
PLACES = points(30, seed=5)
ROWS = [(row % 7, f"w{row % 3}") for row in range(30)]


def people(name="people"):
    return layer(PLACES, fields="age:int,ward:string", rows=ROWS, name=name)


def facts_of(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))["audit"]


def masked(folder, **more):
    """A masking with figures; returns the run and the facts. Charts of a page take their time."""
    done = run(
        "voronoimask",
        {
            "INPUT": people(),
            "OUTPUT": "TEMPORARY_OUTPUT",
            "JSON": str(folder / "r.json"),
            **more,
        },
    )
    return done, facts_of(done["JSON"])


def by_name(facts, what):
    return {one["parameter"]: one for one in facts[what]}


# --- bytes ------------------------------------------------------------------------------------


def assert_bytes(told, folder):
    """Every file that is told of is there, with the size and the digest that are told."""
    assert told["files"]
    for file in told["files"]:
        data = (folder / file["name"]).read_bytes()
        assert file["bytes"] == len(data) > 0, file
        assert file["sha256"] == hashlib.sha256(data).hexdigest(), file


PLACED = sorted(ending for ending, kind in formats._FORMATS.items() if kind.places)
TABLES = sorted(ending for ending, kind in formats._FORMATS.items() if kind.tables)


@pytest.mark.parametrize("ending", PLACED)
def test_the_digest_is_that_of_the_published_layer(provider, tmp_path, ending):
    public = tmp_path / "public"
    public.mkdir()
    done, facts = masked(tmp_path, OUTPUT=str(public / f"Released{ending}"))
    told = by_name(facts, "outputs")["OUTPUT"]
    assert_bytes(told, public)
    files = [name for name in leftovers(public) if (public / name).is_file()]
    assert sorted(file["name"] for file in told["files"]) == files
    assert told["release"] and told["kind"] == "file"
    assert told["fields"] == ["masked_id", "age", "ward"]


@pytest.mark.parametrize("ending", TABLES)
def test_the_digest_is_that_of_the_published_table(provider, tmp_path, ending):
    private = tmp_path / "private"
    private.mkdir()
    done, facts = masked(tmp_path, KEY=str(private / f"Key{ending}"))
    told = by_name(facts, "outputs")["KEY"]
    assert_bytes(told, private)
    files = [name for name in leftovers(private) if (private / name).is_file()]
    assert sorted(file["name"] for file in told["files"]) == files
    assert not told["release"]


@pytest.mark.parametrize("ending", ["csv", "npz", "parquet"])
def test_the_digest_is_that_of_the_published_matrix(provider, tmp_path, ending):
    pytest.importorskip("pyarrow" if ending == "parquet" else "numpy")
    done = run(
        "lipschitzrelease",
        {
            "INPUT": people(),
            "MATRIX": str(tmp_path / f"m.{ending}"),
            "SETS": 3,
            "SIZE": 3,
            "OUTPUT": str(tmp_path / "o.csv"),
            "JSON": str(tmp_path / "r.json"),
        },
    )
    told = by_name(facts_of(done["JSON"]), "outputs")
    assert_bytes(told["MATRIX"], tmp_path)
    assert_bytes(told["OUTPUT"], tmp_path)


def test_the_figures_tell_of_the_page_and_neither_of_itself(provider, tmp_path):
    done, facts = masked(tmp_path, REPORT=str(tmp_path / "r.html"))
    told = by_name(facts, "outputs")
    assert_bytes(told["REPORT"], tmp_path)
    assert told["JSON"]["files"] == [] and told["JSON"]["place"] == str(tmp_path / "r.json")
    page = page_of(tmp_path / "r.html")
    assert "written last" in page and told["REPORT"]["files"][0]["sha256"] not in page


def test_what_is_in_memory_or_in_a_database_has_no_bytes(provider, tmp_path):
    there = saved(people(), tmp_path / "there.gpkg")
    table = f"ogr:dbname='{there}' table=\"shifts\" (geom)"
    done, facts = masked(tmp_path, SHIFTS=table, REPORT=str(tmp_path / "r.html"))
    told = by_name(facts, "outputs")
    assert (told["OUTPUT"]["kind"], told["OUTPUT"]["files"]) == ("memory", [])
    assert (told["SHIFTS"]["kind"], told["SHIFTS"]["files"]) == ("database", [])
    page = page_of(tmp_path / "r.html")
    assert "a layer in memory: no bytes to hash" in page
    assert "a table in a database: no bytes of its own to hash" in page


def test_a_report_in_the_temporary_folder_is_told_too(provider, tmp_path):
    done, facts = masked(tmp_path, REPORT="TEMPORARY_OUTPUT")
    assert_bytes(by_name(facts, "outputs")["REPORT"], Path(done["REPORT"]).parent)


# --- inputs -----------------------------------------------------------------------------------


def test_a_file_is_told_by_its_bytes(provider, tmp_path):
    path = saved(people(), tmp_path / "patients.shp")
    done, facts = masked(tmp_path, INPUT=path)
    told = by_name(facts, "inputs")["INPUT"]
    assert_bytes(told, tmp_path)
    assert {"patients.shp", "patients.dbf", "patients.shx"} <= {f["name"] for f in told["files"]}
    assert (told["place"], told["features"], told["features_sha256"]) == (path, 30, "")


def test_layer_filter_and_count(provider, tmp_path):
    source = opened(saved(people(), tmp_path / "p.gpkg") + "|layername=p", name="My patients")
    assert source.setSubsetString('"age" < 3')
    told = by_name(masked(tmp_path, INPUT=source)[1], "inputs")["INPUT"]
    assert (told["layer"], told["sublayer"], told["filter"]) == ("My patients", "p", '"age" < 3')
    assert told["features"] == source.featureCount() < 30
    assert told["place"] == str(tmp_path / "p.gpkg") and len(told["files"]) == 1


def digest(folder, source):
    return by_name(masked(folder, INPUT=source)[1], "inputs")["INPUT"]


def test_what_is_no_file_is_told_by_its_features(provider, project, tmp_path):
    source = people()
    project.addMapLayer(source)
    told = digest(tmp_path, source)
    assert re.fullmatch("[0-9a-f]{64}", told["features_sha256"]) and told["files"] == []
    assert (told["features"], told["fields"], told["place"]) == (30, ["age", "ward"], "memory")
    assert digest(tmp_path, source)["features_sha256"] == told["features_sha256"]
    assert digest(tmp_path, people())["features_sha256"] == told["features_sha256"]

    source.selectByIds([1, 2, 3, 4, 5])
    some = digest(tmp_path, QgsProcessingFeatureSourceDefinition(source.id(), True))
    assert (some["features"], some["selected_only"]) == (5, True)
    assert some["features_sha256"] != told["features_sha256"]


@pytest.mark.parametrize("change", ["value", "place", "order", "null"])
def test_every_change_changes_the_digest(provider, tmp_path, change):
    places, rows = PLACES.copy(), list(ROWS)
    if change == "value":
        rows[7] = (rows[7][0] + 1, rows[7][1])
    elif change == "null":
        rows[7] = (None, rows[7][1])
    elif change == "place":
        places[7] += 1e-6
    else:
        places, rows = places[::-1], rows[::-1]
    other = layer(places, fields="age:int,ward:string", rows=rows, name="people")
    assert (
        digest(tmp_path, other)["features_sha256"] != digest(tmp_path, people())["features_sha256"]
    )


def test_changes_that_are_not_saved_are_told_and_digested(provider, project, tmp_path):
    source = opened(saved(people(), tmp_path / "p.gpkg"))
    project.addMapLayer(source)
    assert source.startEditing() and source.deleteFeature(1)
    told = digest(tmp_path, source)
    source.rollBack()
    assert told["changed"] and told["features"] == 29 and told["files"] == []
    assert told["features_sha256"]


def test_a_large_file_is_known_by_name_and_size(provider, tmp_path, monkeypatch):
    monkeypatch.setattr(audit, "LARGEST_HASHED", 1000)
    source = saved(people(), tmp_path / "p.gpkg")
    done, facts = masked(tmp_path, INPUT=source, REPORT=str(tmp_path / "r.html"))
    told = by_name(facts, "inputs")["INPUT"]
    (file,) = told["files"]
    assert (file["name"], file["sha256"]) == ("p.gpkg", "") and file["bytes"] > 1000
    assert "not taken" in page_of(tmp_path / "r.html")


@pytest.mark.parametrize(
    "text",
    [
        "dbname='health' password='open sesame' user='x'",
        'host=h password="open sesame" port=5432',
        "PG:dbname=health password=sesame",
        "https://example.org/wfs?token=sesame&x=1",
        "https://someone:sesame@example.org/wfs",
        "authcfg=sesame key='gid'",
    ],
)
def test_no_password_is_told(text):
    told = inputs.without_secrets(text)
    assert "sesame" not in told and "someone" not in told
    assert inputs.without_secrets("/data/passport/token.gpkg") == "/data/passport/token.gpkg"


# --- parameters -------------------------------------------------------------------------------


def test_every_parameter_is_told_as_it_was_used(provider, tmp_path):
    done = run(
        "lipschitzrelease",
        {
            "INPUT": people(),
            "MATRIX": str(tmp_path / "m.npz"),
            "SETS": "4",
            "SIZE": 3,
            "FIELDS": ["AGE"],
            "OUTPUT": "TEMPORARY_OUTPUT",
            "JSON": str(tmp_path / "r.json"),
            "REPORT": str(tmp_path / "r.html"),
            "SEED": SEED,
        },
    )
    told = {one["name"]: one for one in facts_of(done["JSON"])["parameters"]}
    algorithm = QgsApplication.processingRegistry().algorithmById("geoanon:lipschitzrelease")
    expected = [
        one.name()
        for one in algorithm.parameterDefinitions()
        if not one.isDestination() and one.type() not in ("source", "file")
    ]
    assert list(told) == expected
    assert (told["SETS"]["value"], told["SETS"]["given"]) == (4, True)
    assert told["FIELDS"]["value"] == ["age"]
    default = algorithm.parameterDefinition("METRIC").defaultValue()
    assert (told["METRIC"]["value"], told["METRIC"]["given"]) == (default, False)
    assert told["SEED"] == {
        "name": "SEED",
        "label": told["SEED"]["label"],
        "given": True,
        "secret": True,
    }


def test_the_seed_is_never_told(provider, tmp_path):
    for at, seed in enumerate((SEED, None)):
        run(
            "noisydistances",
            {
                "INPUT": people(),
                "MATRIX": str(tmp_path / "m.csv"),
                "OUTPUT": "TEMPORARY_OUTPUT",
                "SEED": seed,
                "JSON": str(tmp_path / f"{at}.json"),
                "REPORT": str(tmp_path / f"{at}.html"),
            },
        )
        text = (tmp_path / f"{at}.json").read_text(encoding="utf-8")
        page = (tmp_path / f"{at}.html").read_text(encoding="utf-8")
        assert str(SEED) not in text + page
        (told,) = [one for one in json.loads(text)["audit"]["parameters"] if one["secret"]]
        assert told["given"] == (seed is not None)
        said = "given, and not told here" if seed else "random numbers came from the operating"
        assert said in page


def test_every_seed_is_secret_and_every_attacked_release_is_judged(provider):
    judged = set()
    for algorithm in provider.algorithms():
        if not isinstance(algorithm, GeoAnonAlgorithm):
            continue
        for one in algorithm.parameterDefinitions():
            assert is_secret(one) == (one.name() == "SEED"), (algorithm.name(), one.name())
            if is_judged(one):
                judged.add((algorithm.name(), one.name()))
    assert judged == {
        ("reversevoronoi", "INPUT"),
        ("attackmask", "INPUT"),
        ("maskmeasures", "RELEASED"),
        ("linkageattack", "TARGET"),
        ("linkageattack", "MATRIX"),
        ("linkageattack", "MORE_MATRICES"),
        ("distanceaccuracy", "MATRIX"),
        ("disclosurerisk", "ANONYMIZED"),
        ("microdatautility", "ANONYMIZED"),
    }


# --- the page ---------------------------------------------------------------------------------


def test_time_zone_versions_and_who_decided(provider, tmp_path):
    done, facts = masked(tmp_path, REPORT=str(tmp_path / "r.html"))
    begun, written = (datetime.datetime.fromisoformat(facts[name]) for name in ("begun", "written"))
    assert begun.tzinfo is not None and begun <= written
    assert {one["name"]: one["version"] for one in facts["versions"]}["GeoAnon"] == (
        paths.metadata()["version"]
    )
    page = page_of(tmp_path / "r.html")
    last = page[page.index('<section class="audit"') :]
    assert last.count("<section") == 1 and "Name and office" in last and "(UTC" in last
    assert "geoanon:voronoimask" in last and "SHUFFLE" in last


def test_a_report_that_may_be_given_away_tells_no_place_and_no_name(provider, tmp_path):
    run(
        "checkenvironment",
        {
            "REPORT": str(tmp_path / "r.html"),
            "JSON": str(tmp_path / "r.json"),
        },
    )
    text = (tmp_path / "r.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text + page_of(tmp_path / "r.html")
    assert "QGIS" in text and "Name and office" not in text


def test_open_facts_hold_nothing_of_the_data(provider, tmp_path):
    algorithm = QgsApplication.processingRegistry().algorithmById("geoanon:vbas").create()
    from qgis.core import QgsProcessingContext

    source = opened(saved(people(), tmp_path / "clinic.gpkg"), name="clinic")
    facts = audit.Audit(
        algorithm,
        {
            "RECORDS": source,
            "K": 9,
            "CATEGORIES": '{"ward": ["clinic"]}',
            "QIS": ["clinic"],
            "SEED": SEED,
        },
        QgsProcessingContext(),
    ).facts([], private=False)
    told = json.dumps(facts)
    assert "clinic" not in told and str(SEED) not in told
    assert {one["name"]: one.get("value") for one in facts["parameters"]}["K"] == 9


def test_nothing_is_digested_where_no_report_is_asked_for(provider, tmp_path, monkeypatch):
    def refuse(*args):
        raise AssertionError("digested")

    monkeypatch.setattr(audit.digests, "of_file", refuse)
    monkeypatch.setattr(audit.fingerprints, "carry", refuse)
    run("voronoimask", {"INPUT": people(), "OUTPUT": str(tmp_path / "m.gpkg")})


def test_every_algorithm_with_figures_has_the_page_for_nothing(provider):
    """No algorithm names the audit: it comes from the base."""
    folder = Path(audit.__file__).parent / "algorithms"
    for path in folder.glob("*.py"):
        assert "from ..audit" not in path.read_text(encoding="utf-8")
    for algorithm in provider.algorithms():
        if isinstance(algorithm, GeoAnonAlgorithm):
            files = [
                one.name()
                for one in algorithm.destinationParameterDefinitions()
                if isinstance(one, QgsProcessingParameterFileDestination)
            ]
            assert "JSON" in files or algorithm.name() == "syntheticrecords"


# --- running ----------------------------------------------------------------------------------


class CancelWhenHashing(Feedback):
    """Cancels when the reports' share of the bar begins, and counts what is asked after."""

    def setProgress(self, percent):
        super().setProgress(percent)
        if percent > 98:
            self.cancel()


def test_a_cancel_while_digesting_leaves_nothing(provider, tmp_path, monkeypatch):
    source = tmp_path / "people.gpkg"
    saved(people(), source)
    with open(source, "ab") as file:
        file.write(bytes(4 * CHUNK))  # SQLite does not mind
    out = tmp_path / "out"
    out.mkdir()
    feedback = CancelWhenHashing()
    seen = []
    real = audit.hashed
    monkeypatch.setattr(audit, "hashed", lambda *args: seen.append(args[1]) or real(*args))
    done = run(
        "voronoimask",
        {"INPUT": str(source), "OUTPUT": str(out / "m.gpkg"), "JSON": str(out / "r.json")},
        feedback,
    )
    assert done.results == {} and leftovers(out) == [] and seen == ["people.gpkg"]
