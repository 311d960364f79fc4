# SPDX-License-Identifier: GPL-2.0-or-later
"""``scripts/setup``: what it refuses, what it says then, and that a second run does nothing.

The machine is faked with programs that stand first on PATH; nothing is installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

DEBIAN_12 = 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n'
AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

only_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")


class Machine:
    """A machine on which ``scripts/setup`` of a copy of the checkout is run."""

    def __init__(self, folder, checkout):
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.checkout = folder / "checkout"
        (self.checkout / "scripts").mkdir(parents=True)
        for name in ("setup", "test", "python-packages.txt", "check_packages.py"):
            shutil.copy(checkout / "scripts" / name, self.checkout / "scripts")
        self.os_release = folder / "os-release"
        self.os_release.write_text(DEBIAN_12)
        # Whatever the case, no test may install anything.
        self.calls = folder / "apt-calls"
        self.program("apt-get", f'echo "$@" >>{self.calls}; echo no such package; exit 1')

    def program(self, name, text):
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def is_not_root(self):
        self.program("id", "echo 1000")

    def lacks_packages(self):
        self.program("dpkg-query", "echo no packages found >&2; exit 1")

    def run(self, script="setup", before=()):
        return subprocess.run(
            [*before, str(self.checkout / "scripts" / script)],
            env={
                "PATH": f"{self.programs}{os.pathsep}{os.environ['PATH']}",
                "GEOANON_OS_RELEASE": str(self.os_release),
            },
            capture_output=True,
            text=True,
            timeout=60,
        )

    @property
    def apt_calls(self):
        return self.calls.read_text() if self.calls.exists() else ""


@pytest.fixture
def machine(tmp_path, checkout) -> Machine:
    return Machine(tmp_path, checkout)


def assert_says_what_to_install(result):
    assert result.returncode != 0
    assert result.stdout == ""
    assert "apt-get install --no-install-recommends qgis python3-qgis" in result.stderr
    assert "python3 -m venv --system-site-packages .venv" in result.stderr
    assert "pip install -c .venv/constraints.txt -r scripts/python-packages.txt" in result.stderr
    for package in ("shapely", "networkx", "numba", "pytest-qgis"):
        assert package in result.stderr


@pytest.mark.parametrize("script", ["setup", "test"])
@pytest.mark.parametrize(
    "os_release, name",
    [
        ('ID=fedora\nVERSION_ID=41\nPRETTY_NAME="Fedora Linux 41"\n', "Fedora Linux 41"),
        ('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24"\n', "Ubuntu 24"),
        ('ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian 11"\n', "Debian 11"),
        ("", "unknown"),
    ],
)
def test_refuses_another_system(machine, os_release, name, script):
    machine.os_release.write_text(os_release)
    result = machine.run(script)
    assert_says_what_to_install(result)
    assert f"this system is {name}." in result.stderr
    assert machine.apt_calls == ""


@pytest.mark.parametrize("script", ["setup", "test"])
def test_refuses_without_root_when_something_is_missing(machine, script):
    machine.is_not_root()
    machine.lacks_packages()
    result = machine.run(script)
    assert_says_what_to_install(result)
    assert "only root can install them" in result.stderr
    assert machine.apt_calls == ""


@only_root
def test_refuses_a_real_user_without_root(checkout):
    """The same with the real ``id``, as the user nobody."""
    # Not tmp_path, into which nobody else may look.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        machine = Machine(Path(folder), checkout)
        machine.lacks_packages()
        result = machine.run(before=AS_NOBODY)
        assert_says_what_to_install(result)
        assert "only root can install them" in result.stderr
        assert machine.apt_calls == ""


@only_root
@pytest.mark.parametrize("command", [["setup"], ["qgis_process", "--json", "list"]])
def test_works_without_root_when_everything_is_there(checkout, command):
    visible = [*AS_NOBODY, "test", "-r", str(checkout / ".venv" / "stamp")]
    if subprocess.run(visible).returncode != 0:
        pytest.skip("the user nobody cannot see this checkout, or scripts/setup has not run in it")
    result = subprocess.run(
        [*AS_NOBODY, str(checkout / "scripts" / command[0]), *command[1:]],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert command == ["setup"] or "geoanon" in json.loads(result.stdout)["providers"]


def test_says_so_when_apt_fails(machine):
    machine.program("id", "echo 0")
    machine.lacks_packages()
    result = machine.run()
    assert result.returncode != 0
    assert "apt-get could not install: qgis python3-qgis" in result.stderr
    assert "no such package" in result.stderr
    assert "update" in machine.apt_calls


def test_names_only_what_is_missing(machine):
    machine.program("id", "echo 0")
    machine.program(
        "dpkg-query",
        'shift 3; for package in "$@"; do [ "$package" = zip ] || '
        'printf "installed:%s " "$package"; done',
    )
    result = machine.run()
    assert "Installing with apt, which takes a few minutes: zip \n" in result.stderr


def test_a_second_run_installs_nothing_and_takes_no_time(checkout):
    """This suite runs in the environment that ``scripts/setup`` has made, so here it is second."""
    if not (checkout / ".venv" / "stamp").exists():
        pytest.skip("this checkout was not set up by scripts/setup")
    started = time.monotonic()
    result = subprocess.run(
        [str(checkout / "scripts" / "setup")], capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert time.monotonic() - started < 10
