# SPDX-License-Identifier: GPL-2.0-or-later
"""``scripts/matrix``: what it tells, and that it leaves no mount and no process behind.

No tree is made here: debootstrap and chroot are programs of the test.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

only_root = pytest.mark.skipif(
    os.getuid() != 0
    or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0,
    reason="only root may mount, and not in every container",
)


@pytest.fixture(scope="module")
def matrix(checkout):
    spec = importlib.util.spec_from_file_location("matrix", checkout / "scripts" / "matrix.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["matrix"] = module  # its dataclasses look there
    spec.loader.exec_module(module)
    yield module
    del sys.modules["matrix"]


@pytest.fixture
def programs(tmp_path):
    """A folder of programs that come first on PATH; returns a function that makes one."""
    folder = tmp_path / "programs"
    folder.mkdir()

    def make(name: str, text: str) -> dict[str, str]:
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
        return {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}

    return make


def tree(matrix, folder, number=0):
    return matrix.Tree(matrix.SYSTEMS[number], folder, "http://nowhere", None, matrix.Runs())


def test_the_table_says_what_is_green(matrix):
    versions = {"QGIS": "3.22.16", "NumPy": "1.24.2", "GDAL": "3.6.2", "PyQt": "5.15.9"}
    counts = {"passed": 3, "failed": 0, "skipped": 1}
    good = matrix.Result(matrix.SYSTEMS[0], versions, "ok", counts, "ok", 61.2)
    bad = matrix.Result(matrix.SYSTEMS[1], trouble="scripts/setup failed.")
    assert good.green and not bad.green
    head, first, second = matrix.table([good, bad]).splitlines()
    assert head.split() == [
        "system",
        "QGIS",
        "NumPy",
        "GDAL",
        "PyQt",
        "demo",
        "passed",
        "failed",
        "skipped",
        "seconds",
    ]
    assert first.split("  ")[0] == "Debian 12"
    assert first.split()[2:] == [
        "3.22.16",
        "1.24.2",
        "3.6.2",
        "5.15.9",
        "ok",
        "3",
        "0",
        "1",
        "61",
        "green",
    ]
    assert second.endswith("not green")


@pytest.mark.parametrize("change", [{"demo": "failed"}, {"tests": "failed"}, {"trouble": "it."}])
def test_anything_that_fails_is_not_green(matrix, change):
    good = {"demo": "ok", "tests": "ok", "trouble": ""}
    assert matrix.Result(matrix.SYSTEMS[0], **good).green
    assert not matrix.Result(matrix.SYSTEMS[0], **{**good, **change}).green


def test_errors_count_as_failures(matrix, tmp_path):
    path = tmp_path / "tests.xml"
    path.write_text(
        '<testsuites><testsuite tests="10" failures="2" errors="1" skipped="3"/></testsuites>'
    )
    assert matrix.read_counts(path) == {"passed": 4, "failed": 3, "skipped": 3}


def test_systems_and_arguments_are_chosen(matrix, checkout, capsys):
    options = matrix.parse(["--only", "3.40", "--only", "3.44", "--", "-k", "mask"])
    assert options.only == ["3.40", "3.44"] and options.tests == ["-k", "mask"]
    for wrong in (["--only", "2.18"], ["--folder", str(checkout / "trees")], ["--jobs", "0"]):
        with pytest.raises(SystemExit):
            matrix.parse(wrong)
    said = capsys.readouterr().err
    assert "3.22" in said and "do not belong into the checkout" in said and "--jobs" in said


def test_a_half_made_tree_is_told_and_made_again(matrix, tmp_path, monkeypatch, programs):
    environment = programs("debootstrap", 'mkdir -p "$4/etc"; echo no mirror; exit 1')
    monkeypatch.setenv("PATH", environment["PATH"])
    one = tree(matrix, tmp_path)
    result = one.run([])
    assert not result.green and "debootstrap could not make" in result.trouble
    assert "no mirror" in matrix.tail(one.log, 5)
    (one.path / "etc" / "left").touch()
    one.run([])
    assert not (one.path / "etc" / "left").exists()


@only_root
def test_a_tree_with_something_mounted_in_it_is_not_deleted(checkout, tmp_path):
    script = (
        "import sys, pathlib, subprocess\n"
        f"sys.path.insert(0, {str(checkout / 'scripts')!r})\n"
        "import matrix\n"
        f"one = matrix.Tree(matrix.SYSTEMS[0], pathlib.Path({str(tmp_path)!r}), '', None, "
        "matrix.Runs())\n"
        "inside = one.path / 'data'\n"
        "inside.mkdir(parents=True)\n"
        "subprocess.run(['mount', '-t', 'tmpfs', 'none', inside], check=True)\n"
        "(inside / 'precious').touch()\n"
        "try:\n    one.remove()\nexcept matrix.Failed as error:\n    print(error)\n"
        "print((inside / 'precious').exists())\n"
    )
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "is mounted: unmount it" in done.stdout and done.stdout.endswith("True\n")


@only_root
def test_mounts_are_seen_in_the_tree_alone(matrix, tmp_path, programs):
    """And what is shared cannot be written there."""
    shared = tmp_path / "shared"
    shared.mkdir()
    one = tree(matrix, tmp_path)
    one.shared = shared
    for name in ("proc", "dev", "sys", "srv/geoanon"):
        (one.path / name).mkdir(parents=True)
    seen = tmp_path / "seen"
    environment = programs(
        "chroot",
        f'cat /proc/self/mountinfo >{seen}; touch "$1{matrix.SHARED}/x" 2>/dev/null && echo wrote',
    )
    done = subprocess.run(
        one.command("true"), env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("", "")
    inside = [line.split()[4] for line in seen.read_text().splitlines()]
    for name in ("proc", "dev", matrix.SHARED[1:]):
        assert str(one.path / name) in inside
    assert str(one.path) not in Path("/proc/self/mountinfo").read_text()
    assert list(shared.iterdir()) == []


@only_root
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_everything(checkout, tmp_path, programs, number):
    alive = tmp_path / "alive"
    environment = programs("debootstrap", f"echo $$ >{alive}; exec sleep 300")
    process = subprocess.Popen(
        [checkout / "scripts" / "matrix", "--only", "3.40", "--folder", tmp_path / "trees"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # shells have jobs in the background ignore it, and what those start ignores it too
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (alive.exists() and alive.read_text().strip()):
        assert process.poll() is None, process.stdout.read()
        time.sleep(0.05)
    process.send_signal(number)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "interrupted; the trees are kept" in said and "Traceback" not in said
    state = Path("/proc", alive.read_text().strip(), "stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"
