# SPDX-License-Identifier: GPL-2.0-or-later
"""geoanon:verifyrelease in QGIS: what was judged is known again, and planted leaks are found."""

import gzip
import json
import os
import shutil
import sqlite3
import zipfile
from collections import Counter

import pytest
from qgis.core import QgsProject, QgsVectorFileWriter, QgsVectorLayer

from geoanon_qgis.processing.layers import formats
from tests.processing.helpers import (
    Feedback,
    layer,
    leftovers,
    opened,
    points,
    records,
    refusal,
    run,
    saved,
)

PLACES = points(30, seed=5)
FIELDS, ROWS = "age:int,ward:string", [(row % 7, f"w{row % 3}") for row in range(30)]
PLACED = sorted(ending for ending, kind in formats._FORMATS.items() if kind.places)
TABLES = sorted(ending for ending, kind in formats._FORMATS.items() if kind.tables)


def people():
    return layer(PLACES, fields=FIELDS, rows=ROWS, name="people")


class Release:
    """A masking from a file, with its private outputs in a folder of their own.

    The page is not among them where nobody asks for it: its charts take longer than all else.
    """

    def __init__(self, folder, ending=".gpkg", **more):
        self.public, self.private = folder / "public", folder / "private"
        self.public.mkdir(), self.private.mkdir()
        self.source = saved(people(), self.private / "patients.gpkg")
        self.figures = self.private / "figures.json"
        self.path = self.public / f"released{ending}"
        # nothing of the run is kept: its layers must be gone before QGIS is
        run(
            "voronoimask",
            {
                "INPUT": self.source,
                "OUTPUT": str(self.path),
                "JSON": str(self.figures),
                "KEY": str(self.private / "key.csv"),
                "SHIFTS": str(self.private / "shifts.gpkg"),
                **more,
            },
        )


def verified(figures, folder, **more):
    """Numbers by their names, and the rows by the files."""
    done = run(
        "verifyrelease",
        {"FIGURES": str(figures), "FOLDER": str(folder), "OUTPUT": "TEMPORARY_OUTPUT", **more},
    )
    numbers = {name: value for name, value in done.results.items() if isinstance(value, int)}
    rows = {row["file"]: row for row in records(done["OUTPUT"])}
    states = Counter(row["state"] for row in rows.values())
    assert {name: states[name.lower()] for name in numbers} == numbers
    return {name: value for name, value in numbers.items() if value}, rows, done


@pytest.fixture
def release(provider, tmp_path):
    return Release(tmp_path)


# --- what was judged --------------------------------------------------------------------------


@pytest.mark.parametrize("ending", PLACED)
def test_the_release_is_known_again_in_every_format(provider, tmp_path, ending):
    release = Release(tmp_path, ending)
    files = [name for name in leftovers(release.public) if (release.public / name).is_file()]
    numbers, rows, done = verified(release.figures, release.public)
    assert numbers == {"JUDGED": len(files)}, rows
    assert sorted(rows) == files
    assert any("judged and unchanged. Nothing else" in line for line in done.feedback.infos)


@pytest.mark.parametrize("ending", PLACED)
def test_one_changed_byte_is_found_in_every_format(provider, tmp_path, ending):
    release = Release(tmp_path, ending)
    path = max(
        (release.public / name for name in leftovers(release.public)),
        key=lambda one: one.stat().st_size if one.is_file() else -1,
    )
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    numbers, rows, done = verified(release.figures, release.public)
    assert numbers["CHANGED"] == 1 and "PRIVATE" not in numbers
    assert rows[str(path.relative_to(release.public))]["state"] == "changed"
    assert any("not as judged" in line for line in done.feedback.warnings)


def test_a_geopackage_that_was_opened_for_editing_is_the_same(release):
    before = release.path.read_bytes()
    opened_layer = opened(release.path)
    assert opened_layer.startEditing() and opened_layer.rollBack()
    del opened_layer
    assert release.path.read_bytes() != before  # else this test tells nothing
    assert verified(release.figures, release.public)[0] == {"JUDGED": 1}


def test_a_value_that_was_edited_makes_it_another(release):
    edited = opened(release.path)
    assert edited.startEditing() and edited.changeAttributeValue(1, 2, 77)
    assert edited.commitChanges()
    del edited
    assert verified(release.figures, release.public)[0] == {"CHANGED": 1}


def test_a_release_that_is_not_there_is_missing(release):
    release.path.unlink()
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers == {"MISSING": 1} and rows["released.gpkg"]["sha256"] is None


def test_a_release_in_an_archive_and_under_another_name(release):
    with zipfile.ZipFile(release.public / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(release.path, "data/other.gpkg")
    release.path.unlink()
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers == {"JUDGED": 1}
    assert "released.gpkg" in rows["all.zip/data/other.gpkg"]["why"]
    assert rows["all.zip"]["state"] == "archive"


def test_what_an_attack_judged_is_what_was_attacked(release, tmp_path):
    attack = tmp_path / "attack.json"
    run(
        "reversevoronoi",
        {
            "INPUT": str(release.path),
            "CANDIDATES": release.source,
            "JSON": str(attack),
            "OUTPUT": "TEMPORARY_OUTPUT",
        },
    )
    assert verified(attack, release.public)[0] == {"JUDGED": 1}
    shutil.copy(release.source, release.public / "addresses.gpkg")
    numbers, rows, _ = verified(attack, release.public)
    assert numbers == {"JUDGED": 1, "PRIVATE": 1}
    assert "“Candidate places” was read from it" in rows["addresses.gpkg"]["why"]


def test_what_was_not_judged_of_its_file_is_not_taken_for_judged(release, tmp_path):
    """Another layer in it, and records that a filter kept from the attack."""
    attack = tmp_path / "attack.json"

    def attacked(source):
        places = {"CANDIDATES": release.source, "OUTPUT": "TEMPORARY_OUTPUT"}
        run("reversevoronoi", {"INPUT": source, "JSON": str(attack), **places})
        return verified(attack, release.public)

    filtered = opened(str(release.path))
    assert filtered.setSubsetString('"fid" < 20')
    numbers, _, done = attacked(filtered)
    assert numbers == {"UNKNOWN": 1}
    assert any("a filter" in line for line in done.feedback.warnings)
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.layerName = "notes"
    options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
    context = QgsProject.instance().transformContext()
    place = str(release.path)
    assert not QgsVectorFileWriter.writeAsVectorFormatV3(people(), place, context, options)[0]
    assert attacked(f"{release.path}|layername=released")[0] == {"UNKNOWN": 1}


@pytest.mark.parametrize("decision", ["do_not_release", "not_tested", "release_with_care"])
def test_what_the_report_advises_against_is_said_although_it_is_unchanged(release, decision):
    told = json.loads(release.figures.read_text(encoding="utf-8"))
    told["verdict"]["decision"] = decision
    release.figures.write_text(json.dumps(told), encoding="utf-8")
    numbers, _, done = verified(release.figures, release.public)
    assert numbers == {"JUDGED": 1} and "judged and unchanged" in done.feedback.said
    said = "The verdict of the report" in done.feedback.said
    assert said == (decision != "release_with_care")
    warned = any("Do not release this" in line for line in done.feedback.warnings)
    assert warned == (decision == "do_not_release")


# --- planted leaks ----------------------------------------------------------------------------


def leak(release, name, data):
    (release.public / name).parent.mkdir(exist_ok=True, parents=True)
    (release.public / name).write_bytes(data)
    numbers, rows, done = verified(release.figures, release.public)
    assert numbers["PRIVATE"] == 1, rows
    assert any("Do not give this folder away" in line for line in done.feedback.warnings)
    (row,) = [row for row in rows.values() if row["state"] == "private"]
    return row


@pytest.mark.parametrize(
    "name", ["key.csv", "shifts.gpkg", "page.html", "figures.json", "patients.gpkg"]
)
def test_private_files_of_the_run_are_found_under_any_name(provider, tmp_path, name):
    release = Release(tmp_path, REPORT=str(tmp_path / "private" / "page.html"))
    data = (release.private / name).read_bytes()
    assert leak(release, "sub/holiday.jpg", data)["file"] == "sub/holiday.jpg"


@pytest.mark.parametrize("ending", TABLES)
def test_a_key_of_another_run_is_found_in_every_format(release, tmp_path, ending):
    """Neither its bytes nor its name are known: its columns tell it."""
    other = tmp_path / "other"
    other.mkdir()
    Release(other, KEY=str(tmp_path / f"k{ending}"))
    kin = [
        path
        for path in tmp_path.rglob("*")
        if path.is_file() and path.relative_to(tmp_path).parts[0].split(".")[0] == "k"
    ]
    for number, path in enumerate(sorted(kin)):
        (release.public / f"leak{number}").write_bytes(path.read_bytes())
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers["PRIVATE"] >= 1 and numbers["JUDGED"] == 1
    assert any("original_id" in (row["why"] or "") for row in rows.values())


@pytest.mark.parametrize("ending", PLACED)
def test_shifts_of_another_run_are_found_in_every_format(release, tmp_path, ending):
    other = tmp_path / "other"
    other.mkdir()
    Release(other, SHIFTS=str(tmp_path / f"k{ending}"))
    with zipfile.ZipFile(release.public / "more.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in tmp_path.rglob("*"):
            name = path.relative_to(tmp_path)
            if path.is_file() and name.parts[0].split(".")[0] == "k":
                archive.write(path, str(name))
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers["PRIVATE"] >= 1 and numbers["JUDGED"] == 1, rows


def test_a_key_as_another_layer_of_the_released_geopackage(release):
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.layerName = "innocent"
    options.actionOnExistingFile = QgsVectorFileWriter.ActionOnExistingFile.CreateOrOverwriteLayer
    key = QgsVectorLayer(str(release.private / "key.csv"), "key", "ogr")
    error, *_ = QgsVectorFileWriter.writeAsVectorFormatV3(
        key, str(release.path), QgsProject.instance().transformContext(), options
    )
    assert error == QgsVectorFileWriter.WriterError.NoError
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers == {"PRIVATE": 1} and "original_id" in rows["released.gpkg"]["why"]


def test_a_key_that_was_deleted_from_the_geopackage(release):
    base = sqlite3.connect(release.path)
    base.execute("pragma secure_delete=off")
    base.execute("create table k (original_id integer, original_x double)")
    base.commit()
    base.execute("drop table k")
    base.commit()
    base.close()
    assert verified(release.figures, release.public)[0] == {"PRIVATE": 1}


def test_results_of_an_attack_are_found_by_their_columns(release, tmp_path):
    run(
        "reversevoronoi",
        {
            "INPUT": str(release.path),
            "CANDIDATES": release.source,
            "OUTPUT": str(tmp_path / "found.geojson"),
        },
    )
    row = leak(release, "a.geojson", (tmp_path / "found.geojson").read_bytes())
    assert "candidate_id" in row["why"]


def test_packed_drafts_seeds_and_projects(release):
    key = (release.private / "key.csv").read_bytes()
    assert "original_id" in leak(release, "a.gz", gzip.compress(key + b"\n"))["why"]
    os.remove(release.public / "a.gz")
    assert "draft" in leak(release, ".geoanon-abcdefgh/owner", b"{}")["why"]
    shutil.rmtree(release.public / ".geoanon-abcdefgh")
    log = b"processing.run('geoanon:lipschitzrelease', {'SEED': 4711, 'SETS': 3})"
    assert "seed" in leak(release, "notes.txt", log)["why"]
    os.remove(release.public / "notes.txt")
    with zipfile.ZipFile(release.public / "map.qgz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("map.qgs", f'<qgis projectname="" version="3.22">{release.source}</qgis>')
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers["PRIVATE"] == 1
    why = rows["map.qgz/map.qgs"]["why"]
    assert "project of QGIS" in why and "names the place of “Points to mask”" in why


def test_the_packaged_models_tell_no_seed_and_one_with_a_seed_does(release, checkout):
    models = list((checkout / "resources" / "models").glob("*.model3"))
    for path in models:
        shutil.copy(path, release.public)
    numbers, rows, _ = verified(release.figures, release.public)
    assert "PRIVATE" not in numbers and numbers["UNKNOWN"] == len(models)
    from qgis.core import (
        QgsProcessingModelAlgorithm,
        QgsProcessingModelChildAlgorithm,
        QgsProcessingModelChildParameterSource,
    )

    model = QgsProcessingModelAlgorithm("secret", "secret")
    child = QgsProcessingModelChildAlgorithm("geoanon:noisydistances")
    child.addParameterSources(
        "SEED", [QgsProcessingModelChildParameterSource.fromStaticValue(4711)]
    )
    model.addChildAlgorithm(child)
    assert model.toFile(str(release.public / "mine.model3"))
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers["PRIVATE"] == 1 and "seed" in rows["mine.model3"]["why"]


# --- refusals ---------------------------------------------------------------------------------


def refused(figures, folder, **more):
    return refusal(
        "verifyrelease",
        {
            "FIGURES": str(figures),
            "FOLDER": str(folder),
            "OUTPUT": "TEMPORARY_OUTPUT",
            **more,
        },
    )


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "other"}'])
def test_what_is_no_report_is_refused(provider, tmp_path, text):
    (tmp_path / "f.json").write_text(text)
    (tmp_path / "public").mkdir()
    assert "does not hold the figures" in refused(tmp_path / "f.json", tmp_path / "public")


def test_a_report_of_an_earlier_version_is_refused(provider, tmp_path):
    (tmp_path / "f.json").write_text('{"format": "geoanon-report", "figures": {}}')
    (tmp_path / "public").mkdir()
    assert "earlier version" in refused(tmp_path / "f.json", tmp_path / "public")


def test_what_is_not_there_is_refused(release, tmp_path):
    assert "cannot be read" in refused(tmp_path / "no.json", release.public)
    assert "does not exist" in refused(release.figures, tmp_path / "nowhere")
    assert "does not exist" in refused(release.figures, release.path)  # a file


def test_pipes_are_refused_or_told_and_never_waited_for(release, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes here")
    os.mkfifo(tmp_path / "pipe.json")
    assert "cannot be read" in refused(tmp_path / "pipe.json", release.public)
    os.mkfifo(release.public / "pipe")
    numbers, rows, _ = verified(release.figures, release.public)
    assert numbers == {"JUDGED": 1, "UNKNOWN": 1} and "pipe" in rows["pipe"]["why"]


@pytest.mark.parametrize(
    "name, file", [("OUTPUT", "o.csv"), ("REPORT", "r.html"), ("JSON", "sub/r.json")]
)
def test_nothing_is_written_into_the_folder(release, name, file):
    (release.public / "sub").mkdir()
    before = leftovers(release.public)
    said = refused(release.figures, release.public, **{name: str(release.public / file)})
    assert "would go into the folder" in said and leftovers(release.public) == before


def test_the_folder_is_not_touched(release, tmp_path):
    def state():
        return {
            name: (release.public / name).stat().st_mtime_ns for name in leftovers(release.public)
        }

    shutil.copy(release.private / "shifts.gpkg", release.public)
    before = state()
    verified(release.figures, release.public)
    assert state() == before


def test_a_cancel_leaves_nothing(release, tmp_path):
    feedback = Feedback()
    feedback.cancel()
    done = run(
        "verifyrelease",
        {
            "FIGURES": str(release.figures),
            "FOLDER": str(release.public),
            "OUTPUT": str(tmp_path / "o.csv"),
            "JSON": str(tmp_path / "o.json"),
        },
        feedback,
    )
    assert done.results == {} and not (tmp_path / "o.csv").exists()


# --- the report -------------------------------------------------------------------------------


def test_the_report_is_private_and_says_the_same(release, tmp_path):
    shutil.copy(release.private / "key.csv", release.public / "<b>.csv")
    numbers, rows, done = verified(
        release.figures,
        release.public,
        REPORT=str(tmp_path / "v.html"),
        JSON=str(tmp_path / "v.json"),
    )
    told = json.loads((tmp_path / "v.json").read_text(encoding="utf-8"))
    assert told["private"] and {name.lower(): value for name, value in numbers.items()} == {
        name: value for name, value in told["figures"].items() if value
    }
    page = (tmp_path / "v.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;.csv" in page and "Do not give this folder away" in page


def test_a_release_in_memory_has_nothing_to_compare(release):
    run(
        "voronoimask",
        {"INPUT": people(), "OUTPUT": "TEMPORARY_OUTPUT", "JSON": str(release.private / "m.json")},
    )
    numbers, _, done = verified(release.private / "m.json", release.public)
    assert numbers == {"UNKNOWN": 1}
    assert any("had no file of its own" in line for line in done.feedback.warnings)
