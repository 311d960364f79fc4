# SPDX-License-Identifier: GPL-2.0-or-later
"""A run that is killed: its drafts go, what it had taken comes back, and the living are let be."""

import json
import os
import signal
import stat
import subprocess
import sys

import pytest

from geoanon_qgis.processing.layers import drafts
from geoanon_qgis.processing.layers.staging import Staging
from tests.conftest import ROOT
from tests.processing.helpers import assert_sentence, layer, leftovers, points
from tests.processing.writer import write, write_all, write_points

pytestmark = [
    pytest.mark.usefixtures("project"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="runs are killed with POSIX's means"),
]

#: Writes a Shapefile of two files and a file of one, and dies where it is told to: one process
#: for each line that it reads, so that the program is loaded once.
RUNS = """
import os, shutil, signal, sys
from pathlib import Path
from geoanon_qgis.processing.layers.staging import Staging

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

def work(folder, other, stage):
    run = Staging(str, str)
    for path in (run.path_for(Path(folder, "a.shp")), run.path_for(Path(other, "b.json"))):
        for ending in (".shp", ".dbf") if path.suffix == ".shp" else (".json",):
            path.with_suffix(ending).write_text("new secret")
    if stage == "written":
        die()
    if stage == "wait":
        print(os.getpid(), flush=True)
        signal.pause()
    move, left = os.replace, [int(stage) if stage.isdigit() else 99]

    def counted(source, target):
        if left[0] == 0:
            die()
        left[0] -= 1
        move(source, target)

    os.replace = counted
    run.publish()
    if stage == "published":
        die()
    shutil.rmtree = die
    run.clean()

for line in sys.stdin:
    child = os.fork()
    if not child:
        try:
            work(*line.rstrip("\\n").split("|"))
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture(scope="module")
def runs():
    """A process that starts runs."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    process = subprocess.Popen(
        [sys.executable, "-c", RUNS],
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    yield process
    process.communicate()


@pytest.fixture
def start(runs):
    """Start a run in two folders; returns the first line that it says."""

    def started(folder, other, stage):
        runs.stdin.write(f"{folder}|{other}|{stage}\n")
        runs.stdin.flush()
        return int(runs.stdout.readline())

    return started


@pytest.fixture
def killed(start):
    """Run until it is killed."""

    def dead(*given):
        assert start(*given) == -signal.SIGKILL

    return dead


def drafts_in(folder):
    return sorted(folder.glob(".geoanon-*"))


def next_run(folder):
    """What a run that writes into a folder says when it begins."""
    said, warned = [], []
    run = Staging(said.append, warned.append)
    run.path_for(folder / "next.gpkg")
    run.clean()
    for sentence in said + warned:
        assert_sentence(sentence)
    return said, warned


def texts(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def places(tmp_path):
    """Two folders with files of before in them."""
    folder, other = tmp_path / "one", tmp_path / "other"
    for one in (folder, other):
        one.mkdir()
    for name in ("a.shp", "a.dbf", "a.prj"):
        (folder / name).write_text("old")
    (other / "b.json").write_text("old")
    return folder, other


#: Moves of a publication: three away and two here, then one and one.
MOVES = 7


@pytest.mark.parametrize("stage", ["written", *map(str, range(MOVES)), "published"])
@pytest.mark.parametrize("first", [0, 1], ids=["leader", "follower"])
def test_a_killed_run_is_undone_by_the_next(killed, places, stage, first):
    killed(*places, stage)
    assert drafts_in(places[0]) and drafts_in(places[1])
    said, warned = next_run(places[first])
    said += next_run(places[1 - first])[0]
    assert warned == [] and any("broken off was removed" in one for one in said)
    assert texts(places[0]) == {"a.shp": "old", "a.dbf": "old", "a.prj": "old"}
    assert texts(places[1]) == {"b.json": "old"}
    assert drafts_in(places[0]) == drafts_in(places[1]) == []
    assert next_run(places[0]) == ([], [])


def test_what_was_published_stays(killed, places):
    """Killed while it cleared away, with all outputs in their places."""
    killed(*places, "done")
    assert drafts_in(places[0])
    said, warned = next_run(places[1])
    assert said and warned == []
    assert texts(places[0]) == {"a.shp": "new secret", "a.dbf": "new secret"}
    assert texts(places[1]) == {"b.json": "new secret"}
    assert drafts_in(places[0]) == drafts_in(places[1]) == []


def test_a_whole_output_that_replaced_nothing_stays_and_is_told(killed, places):
    for path in places[0].iterdir():
        path.unlink()
    killed(*places, "2")
    said, warned = next_run(places[0])
    assert texts(places[0]) == {"a.shp": "new secret", "a.dbf": "new secret"}
    assert texts(places[1]) == {"b.json": "old"}
    assert len(warned) == 2 and "a.dbf" in warned[0] and drafts_in(places[0]) == []


def test_half_an_output_goes(killed, places):
    for path in places[0].iterdir():
        path.unlink()
    killed(*places, "1")
    assert len(texts(places[0])) == 1
    assert next_run(places[0])[1] == []
    assert texts(places[0]) == {} and texts(places[1]) == {"b.json": "old"}


def test_what_was_changed_since_is_left_and_so_is_what_was_before(killed, places):
    killed(*places, "published")
    (places[1] / "b.json").write_text("changed by hand")
    said, warned = next_run(places[0])
    assert texts(places[1]) == {"b.json": "changed by hand"}
    assert texts(places[0])["a.shp"] == "old" and drafts_in(places[0]) == []
    (kept,) = drafts_in(places[1])
    assert (kept / "old" / "b.json").read_text() == "old"
    assert len(warned) == 1 and str(kept) in warned[0]


def test_a_run_that_lives_is_let_be(runs, start, places):
    process = start(*places, "wait")
    try:
        before = leftovers(places[0])
        assert next_run(places[0]) == next_run(places[1]) == ([], [])
        assert leftovers(places[0]) == before and drafts_in(places[0])
    finally:
        os.kill(process, signal.SIGKILL)
        assert int(runs.stdout.readline()) == -signal.SIGKILL
    assert len(next_run(places[0])[0]) == len(next_run(places[1])[0]) == 1
    assert drafts_in(places[0]) == drafts_in(places[1]) == []


def test_another_run_of_this_process_is_let_be(tmp_path):
    said = []
    one, two = Staging(said.append, said.append), Staging(said.append, said.append)
    path = one.path_for(tmp_path / "a.json")
    path.write_text("mine")
    two.path_for(tmp_path / "b.json")
    assert path.read_text() == "mine" and said == []
    one.clean()
    two.clean()
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("doubt", ["host", "unlocked", "unreadable", "nameless", "stranger"])
def test_what_is_in_doubt_is_told_and_left(killed, places, doubt):
    killed(*places, "written")
    (folder,) = drafts_in(places[1])
    owner = json.loads((folder / "owner").read_text())
    if doubt == "host":
        owner["host"] = "elsewhere"
    elif doubt == "unlocked":
        owner["locked"] = False
    (folder / "owner").write_text("no more" if doubt == "unreadable" else json.dumps(owner))
    if doubt == "nameless":
        (folder / "owner").unlink()
    if doubt == "stranger":
        (folder / "thesis.odt").write_text("years of work")
    before = leftovers(places[1])
    said, warned = next_run(places[1])
    assert said == [] and len(warned) == 1 and str(folder) in warned[0]
    assert leftovers(places[1]) == before


def test_links_and_other_folders_are_not_followed(killed, tmp_path, places):
    killed(*places, "written")
    (folder,) = drafts_in(places[1])
    folder.rename(tmp_path / "kept")
    (places[1] / ".geoanon-abcdefgh").symlink_to(tmp_path / "kept")
    (places[1] / ".geoanon-not-ours").mkdir()
    (places[1] / ".geoanon-not-ours" / "x").write_text("x")
    before = leftovers(tmp_path / "kept")
    next_run(places[1])
    assert leftovers(tmp_path / "kept") == before
    assert (places[1] / ".geoanon-not-ours" / "x").read_text() == "x"


def test_an_empty_draft_of_nobody_goes(tmp_path):
    (tmp_path / ".geoanon-abcdefgh").mkdir()
    assert next_run(tmp_path) == ([], [])
    assert leftovers(tmp_path) == []


def test_a_draft_is_made_again_when_somebody_cleared_it_away(tmp_path, monkeypatch):
    make, times = drafts.tempfile.mkdtemp, []

    def cleared(**given):
        folder = make(**given)
        times.append(folder)
        if len(times) == 1:
            os.rmdir(folder)
        return folder

    monkeypatch.setattr(drafts.tempfile, "mkdtemp", cleared)
    assert next_run(tmp_path) == ([], []) and len(times) == 2


def test_drafts_are_for_their_owner_alone_and_outputs_follow_the_umask(tmp_path):
    seen = []

    def work(outputs, progress):
        write_all(outputs, progress)
        seen.extend(stat.S_IMODE(one.stat().st_mode) for one in drafts_in(tmp_path))

    before = os.umask(0o027)
    try:
        targets = {"OUTPUT": "o.gpkg", "LINES": "l.shp", "TABLE": "t.csv", "JSON": "r.json"}
        write(work, {name: str(tmp_path / file) for name, file in targets.items()})
    finally:
        os.umask(before)
    assert seen == [0o700] * 4
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert set(modes) >= {*targets.values(), "l.dbf"} and set(modes.values()) == {0o640}


def test_the_next_algorithm_sweeps_and_says_so(killed, places):
    killed(*places, "4")
    done = write(write_points, {"INPUT": layer(points(9)), "OUTPUT": str(places[0] / "o.gpkg")})
    assert any("broken off was removed" in one for one in done.feedback.infos)
    assert any("a.dbf is as it was before" in one for one in done.feedback.infos)
    assert drafts_in(places[0]) == [] and texts(places[1]) == {"b.json": "old"}
