# SPDX-License-Identifier: GPL-2.0-or-later
"""What lies in a folder, held against what a report tells."""

import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import sqlite3
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoanon_qgis.core.runtime.errors import Cancelled
from geoanon_qgis.core.runtime.progress import silent
from geoanon_qgis.core.verification import folder, judging
from geoanon_qgis.core.verification import signs as kinds
from geoanon_qgis.core.verification.signs import Search, Signs

COLUMNS = ("original_id", "original_x", "shift_m")
KEY = b"masked_id,original_id,original_x\n1,77,3.25\n"
SIGNS = Signs(
    COLUMNS,
    {"Matches": ("target_id", "in_every", "support")},
    {"/data/clinic/patients.gpkg": "Points"},
)


def met(data, signs=SIGNS, size=1 << 20):
    search = Search(signs)
    for start in range(0, len(data), size):
        search.add(data[start : start + size])
    return search.found()


# --- signs ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["original_id", '"original_id": 7', "a,original_id,b", "<original_id>7</original_id>"]
)
def test_a_private_column_is_found_in_any_text(text):
    assert met(text.encode()) == [(kinds.COLUMN, "original_id")]
    assert met(b"\0" + text.encode("utf-16-le")) == [(kinds.COLUMN, "original_id")]


@pytest.mark.parametrize(
    "text", ["", "original_ids", "my_original_id", "original", "xshift_mx", "original_i"]
)
def test_what_is_called_otherwise_is_none(text):
    assert met(text.encode()) == []
    assert met(text.encode("utf-16-le")) == []


def test_a_name_that_a_dbf_has_cut():
    assert met(b"\x03...original_i\0C...original_x\0N") == [
        (kinds.COLUMN, "original_id"),
        (kinds.COLUMN, "original_x"),
    ]


@given(st.integers(0, 5000), st.integers(4096, 9000))
def test_a_sign_is_found_wherever_pieces_end(before, size):
    data = b"." * before + b"original_id" + b"." * 500
    assert met(data, size=size) == [(kinds.COLUMN, "original_id")]


def test_all_columns_of_an_output_tell_it_and_some_do_not():
    assert met(b"target_id;support;in_every") == [(kinds.COLUMNS, "Matches")]
    assert met(b"target_id;support") == []


def test_what_was_released_tells_nothing():
    groups = kinds.of_private_outputs(
        [("Cells", ["records"]), ("Found", ["age", "a", "b", "c"])], ["age", "sex"]
    )
    assert groups == {"Found": ("a", "b", "c")}


def test_where_the_originals_lie_is_told():
    assert met(b"from /data/clinic/patients.gpkg|layername=a") == [(kinds.PLACE, "Points")]
    assert met(b"from /data/clinic/patients_2.gpkg") == []


MODEL = (
    '<Option name="SEED" type="List"><Option type="Map"><Option name="source" value="0" '
    'type="int"/><Option {given}name="static_value" type="int"/></Option></Option> geoanon:vbas'
)


@pytest.mark.parametrize(
    "text",
    [
        "processing.run('geoanon:vbas', {'K': 5, 'SEED': 42})",
        '{"algorithm": "geoanon:vbas", "inputs": {"SEED":"42"}}',
        "qgis_process run geoanon:vbas -- SEED=42",
        MODEL.format(given='value="42" '),
    ],
)
def test_a_seed_is_found(text):
    assert met(text.encode()) == [(kinds.SEED, "")]


@pytest.mark.parametrize(
    "text",
    [
        "geoanon:vbas without a seed",
        "another tool with SEED=42",
        "processing.run('geoanon:vbas', {'SEED': None})",
        MODEL.format(given=""),
    ],
)
def test_no_seed_is_none(text):
    assert met(text.encode()) == []


def test_private_reports_and_projects():
    report = {"format": "geoanon-report", "private": True}
    assert met(json.dumps(report).encode()) == [(kinds.REPORT, "")]
    assert met(json.dumps(report, indent=1).encode()) == [(kinds.REPORT, "")]
    assert met(json.dumps({**report, "private": False}).encode()) == []
    for kind in ("secret", "point-mask", "mask"):  # of whatever run, under whatever name
        text = json.dumps({"format": f"geoanon-{kind}", "version": 1, "private": True}, indent=1)
        assert met(text.encode()) == [(kinds.MASK, "")]
    assert met(b'<qgis version="3.22" projectname="">') == [(kinds.PROJECT, "")]
    assert met(b"<!DOCTYPE qgis><qgis styleCategories='all'>") == []  # a style


# --- the folder -------------------------------------------------------------------------------


def entries(path, signs=SIGNS, progress=silent, **limits):
    files = folder.listed(str(path), lambda: None)
    found = folder.looked_through(str(path), files, signs, progress, **limits)
    return {one.name: one for one in found}


def zipped(**members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files_are_looked_into(tmp_path, pack):
    (tmp_path / "a.bin").write_bytes(pack(KEY))
    assert (kinds.COLUMN, "original_id") in entries(tmp_path)["a.bin"].signs


def test_an_archive_is_opened_however_deep_it_lies(tmp_path):
    (tmp_path / "a.dat").write_bytes(zipped(b__zip=zipped(key__csv=KEY, other__txt=b"x")))
    found = entries(tmp_path)
    assert list(found) == ["a.dat", "a.dat/b.zip", "a.dat/b.zip/key.csv", "a.dat/b.zip/other.txt"]
    assert [name for name, one in found.items() if one.signs] == ["a.dat/b.zip/key.csv"]
    assert found["a.dat/b.zip/key.csv"].digest.sha256 == hashlib.sha256(KEY).hexdigest()


def test_a_spreadsheet_is_one_file(tmp_path):
    sheet = zipped(**{"[Content_Types]__xml": "", "sharedStrings__xml": "<t>original_id</t>"})
    (tmp_path / "a.xlsx").write_bytes(sheet)
    found = entries(tmp_path)
    assert list(found) == ["a.xlsx"] and found["a.xlsx"].signs == ((kinds.COLUMN, "original_id"),)


def test_an_archive_that_holds_more_than_it_lists_is_told(tmp_path):
    """A member that was taken off the list and not out of the file, and a comment."""
    for name in ("listed", "deleted", "spoken", "grown"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("secret" if name == "deleted" else "masked", KEY)
            archive.writestr("other", b"other")
            if name == "deleted":
                archive.filelist.pop(0)
            if name == "spoken":
                archive.comment = b"Anna is masked 1"
            if name == "grown":
                archive.filelist[0].extra = b"\x99\x99\xff\0" + b"Anna is masked 1 " * 15
    found = entries(tmp_path)
    assert {name: found[name].problem for name in ("listed", "deleted", "spoken", "grown")} == {
        "listed": "",
        **dict.fromkeys(("deleted", "spoken", "grown"), folder.UNLISTED),
    }


def test_a_table_that_was_deleted_from_a_database_is_found(tmp_path):
    base = sqlite3.connect(tmp_path / "a.gpkg")
    base.execute("pragma secure_delete=off")
    base.execute("create table masked (age)")
    base.execute("create table k (original_id)")
    base.commit()
    base.execute("drop table k")
    base.commit()
    base.close()
    assert (kinds.COLUMN, "original_id") in entries(tmp_path)["a.gpkg"].signs


@pytest.mark.parametrize("secure", ["off", "on"])
def test_pages_that_were_deleted_from_a_database_are_found_unless_they_are_empty(tmp_path, secure):
    base = sqlite3.connect(tmp_path / "a.gpkg")
    base.execute(f"pragma secure_delete={secure}")
    base.execute("create table masked (age)")
    base.execute("create table patients (name)")
    base.executemany("insert into patients values (?)", [("Anna " * 99,)] * 200)
    base.commit()
    assert entries(tmp_path)["a.gpkg"].signs == ()
    base.execute("drop table patients")
    base.commit()
    base.close()
    there = b"Anna Anna" in (tmp_path / "a.gpkg").read_bytes()
    found = entries(tmp_path)["a.gpkg"].signs
    assert there == (secure == "off") and found == (((kinds.DELETED, ""),) if there else ())
    data = (tmp_path / "a.gpkg").read_bytes()
    for size in (50, 99, 600, len(data) // 2):  # cut off anywhere
        (tmp_path / "a.gpkg").write_bytes(data[:size])
        entries(tmp_path)


@pytest.mark.parametrize(
    "data, problem",
    [
        (b"7z\xbc\xaf\x27\x1c rest", folder.CLOSED),
        (b"Rar!\x1a\x07 rest", folder.CLOSED),
        (b"\x1f\x8b broken", folder.CLOSED),
        (zipped(a="a" * 999)[:-30], ""),  # no directory: then it is no archive
        (b"", ""),
    ],
    # A zip holds the time it was made: a name taken from it would differ between processes.
    ids=["7z", "rar", "gzip", "zip without its directory", "empty"],
)
def test_what_cannot_be_opened_is_told(tmp_path, data, problem):
    (tmp_path / "a").write_bytes(data)
    (one,) = entries(tmp_path).values()
    assert one.problem == problem and one.digest.size == len(data)


def test_an_encrypted_member_is_told(tmp_path):
    data = bytearray(zipped(a=b"x"))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(signature) + at] |= 1
    (tmp_path / "a.zip").write_bytes(data)
    assert entries(tmp_path)["a.zip/a"].problem == folder.CLOSED


def test_what_fills_a_disk_is_not_unpacked(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(bytes(5000)))
    (tmp_path / "b.zip").write_bytes(zipped(a=bytes(5000)))
    found = entries(tmp_path, most_unpacked=1000)
    assert found["a.gz"].problem == found["b.zip/a"].problem == folder.TOO_LARGE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_links_and_pipes_are_neither_followed_nor_waited_for(tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "key.csv").write_bytes(KEY)
    os.mkfifo(inside / "pipe")
    (inside / "link").symlink_to(tmp_path / "key.csv")
    (inside / "away").symlink_to(tmp_path)
    found = entries(inside)
    assert {name: one.problem for name, one in found.items()} == {
        "away": folder.LINK,
        "link": folder.LINK,
        "pipe": folder.NO_FILE,
    }


def test_a_cancel_is_heard_in_every_file(tmp_path):
    for name in "abc":
        (tmp_path / name).write_bytes(bytes(10))
    told = []

    def progress(fraction):
        told.append(fraction)
        if len(told) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        entries(tmp_path, progress=progress)
    assert len(told) == 2


def test_too_many_files_are_no_release(tmp_path):
    for name in "abcd":
        (tmp_path / name).touch()
    assert len(folder.listed(str(tmp_path), lambda: None, 4)) == 4
    with pytest.raises(folder.TooMany):
        folder.listed(str(tmp_path), lambda: None, 3)


def test_the_folder_is_as_it_was(tmp_path):
    base = sqlite3.connect(tmp_path / "a.gpkg")
    base.execute("pragma journal_mode=wal")
    base.execute("create table t (a)")
    base.close()
    (tmp_path / "b.zip").write_bytes(zipped(a=KEY))

    def state():
        return [
            (one.name, one.stat().st_mtime_ns, one.read_bytes())
            for one in sorted(tmp_path.iterdir())
        ]

    before = state()
    entries(tmp_path)
    assert state() == before


# --- the judgement ----------------------------------------------------------------------------


def known(label, name, data):
    return judging.Known(label, name, hashlib.sha256(data).hexdigest())


TOLD = judging.Told(
    "A mask",
    "2026-11-22",
    (known("Masked points", "masked.csv", b"masked"),),
    (known("Key", "key.csv", KEY),),
    (known("Points", "patients.csv", b"originals"),),
    (),
    SIGNS,
)


def states(tmp_path, **files):
    for name, data in files.items():
        path = tmp_path / name.replace("__", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return {
        one.name: (one.state, [kind for kind, _ in one.why])
        for one in judging.findings(TOLD, entries(tmp_path).values())
    }


def test_the_release_as_it_was(tmp_path):
    assert states(tmp_path, masked__csv=b"masked") == {"masked.csv": (judging.JUDGED, [])}


def test_one_byte_makes_it_another(tmp_path):
    assert states(tmp_path, masked__csv=b"maskeD") == {
        "masked.csv": (judging.CHANGED, [judging.NAMED])
    }


def test_a_new_name_does_not_make_it_another(tmp_path):
    assert states(tmp_path, data__csv=b"masked") == {"data.csv": (judging.JUDGED, [judging.NAMED])}


def test_what_is_not_there_is_missing_and_what_nobody_judged_is_unknown(tmp_path):
    assert states(tmp_path, readme__txt=b"hello") == {
        "readme.txt": (judging.UNKNOWN, []),
        "masked.csv": (judging.MISSING, [judging.NAMED]),
    }


@pytest.mark.parametrize(
    "name, data, why",
    [
        ("holiday__jpg", KEY, judging.SAME),
        ("key__csv", b"edited", judging.NAMED),
        ("KEY__CSV", b"edited", judging.NAMED),
        ("other__csv", b"originals", judging.SOURCE),
        ("draft__txt", b"a\toriginal_x", kinds.COLUMN),
        ("masked__csv", b"masked, original_x", kinds.COLUMN),
    ],
)
def test_what_is_private_is_found(tmp_path, name, data, why):
    state, reasons = states(tmp_path, **{name: data})[name.replace("__", ".")]
    assert state == judging.PRIVATE and why in reasons


def test_a_draft_is_private_whatever_it_holds(tmp_path):
    (tmp_path / ".geoanon-abcdefgh" / "new").mkdir(parents=True)
    (tmp_path / ".geoanon-abcdefgh" / "new" / "x").write_bytes(b"x")
    found = states(tmp_path)
    assert found[".geoanon-abcdefgh/new/x"] == (judging.PRIVATE, [judging.DRAFT])


def test_a_release_in_an_archive(tmp_path):
    found = states(tmp_path, a__zip=zipped(masked__csv=b"masked", key__csv=KEY))
    assert found["a.zip"] == (judging.ARCHIVE, [])
    assert found["a.zip/masked.csv"][0] == judging.JUDGED
    assert found["a.zip/key.csv"][0] == judging.PRIVATE
    assert "masked.csv" not in found  # nothing is missing


# --- the report that is held against ----------------------------------------------------------

AUDIT = {"title": "A mask", "written": "now", "inputs": [], "outputs": []}


def report(tmp_path, value):
    text = value if isinstance(value, str) else json.dumps(value)
    (tmp_path / "r.json").write_text(text, encoding="utf-8")
    return judging.told_by(str(tmp_path / "r.json"), COLUMNS)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "{",
        "[" * 100_000,
        "[]",
        "null",
        {"format": "other"},
        {"audit": AUDIT},
        *(
            {"format": "geoanon-report", "audit": {**AUDIT, **odd}}
            for odd in (
                {"outputs": None},
                {"outputs": [1]},
                {"outputs": [{}]},
                {"inputs": 1},
                {"outputs": {"a": 1}},
            )
        ),
    ],
)
def test_what_is_no_report_is_told(tmp_path, value):
    with pytest.raises(judging.NoReport):
        report(tmp_path, value)


@pytest.mark.parametrize("audit", [{}, {"audit": None}])
def test_a_report_of_before_is_told(tmp_path, audit):
    with pytest.raises(judging.OldReport):
        report(tmp_path, {"format": "geoanon-report", **audit})


def test_what_a_report_tells(tmp_path):
    def output(label, release, fields, files, kind="file"):
        return {
            "label": label,
            "release": release,
            "kind": kind,
            "place": f"/d/{label}",
            "fields": fields,
            "files": files,
        }

    file = {"name": "m.gpkg", "bytes": 3, "sha256": "aa", "content_sha256": "bb"}
    told = report(
        tmp_path,
        {
            "format": "geoanon-report",
            "audit": {
                **AUDIT,
                "inputs": [
                    {"label": "Masked", "judged": True, "place": "/m.gpkg", "files": [file]},
                    {"label": "People", "judged": False, "place": "/p.gpkg", "files": [file]},
                ],
                "outputs": [
                    output("Out", True, ["age", "shift_m"], [file]),
                    output("Memory", True, [], [], "memory"),
                    output("Report", False, [], []),
                    output("Links", False, ["age", "a", "b", "c"], []),
                ],
            },
        },
    )
    assert [one.label for one in told.judged] == ["Out", "Masked"]
    assert [(one.label, one.name) for one in told.private] == [
        ("Report", "Report"),
        ("Links", "Links"),
    ]
    assert [one.label for one in told.sources] == ["People"] and told.unhashed == ("Memory",)
    assert told.signs.columns == ("original_id", "original_x")  # what is released is no sign
    assert told.signs.groups == {"Links": ("a", "b", "c")}
    assert set(told.signs.places) == {"/p.gpkg", "/d/Report", "/d/Links"}
