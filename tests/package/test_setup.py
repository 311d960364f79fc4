# SPDX-License-Identifier: GPL-2.0-or-later
"""``scripts/setup``: what it looks for, what it refuses, and that a second run does nothing.

The machine is faked: its PATH leads to programs of the test, and its Python is a script that says
what the machine lacks. Nothing is installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

AS_NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

only_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")


@pytest.fixture(scope="module")
def programs_without_apt(tmp_path_factory) -> Path:
    """All programs of this machine but those of Debian's packages."""
    folder = tmp_path_factory.mktemp("programs")
    for place in ("/usr/bin", "/bin"):
        for program in Path(place).iterdir():
            here = folder / program.name
            if not program.name.startswith(("apt", "dpkg")) and not here.is_symlink():
                here.symlink_to(program)
    return folder


class Machine:
    """A machine on which ``scripts/setup`` of a copy of the checkout is run."""

    def __init__(self, folder, checkout):
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.path = os.environ["PATH"]
        self.checkout = folder / "checkout"
        (self.checkout / "scripts").mkdir(parents=True)
        for name in ("setup", "test", "probe.py", "python-packages.txt", "check_packages.py"):
            shutil.copy(checkout / "scripts" / name, self.checkout / "scripts")
        self.os_release = folder / "os-release"
        self.os_release.write_text('PRETTY_NAME="Some Linux 7"\n')
        self.calls = folder / "calls"
        # Whatever the case, no test may install anything.
        self.program("apt-get", f'echo "apt-get $@" >>{self.calls}; echo no such package; exit 1')
        self.lacks()

    def program(self, name, text):
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def lacks(self, *what):
        """Let the interpreter lack these; asked for anything else it writes that down and fails."""
        said = "".join(f"echo '{one}'; " for one in what)
        self.program(
            "interpreter",
            f'case "$*" in *probe.py) {said} exit 0;; esac; echo "$@" >>{self.calls}; exit 9',
        )

    def is_not_root(self):
        self.program("id", "echo 1000")

    def is_root(self):
        self.program("id", "echo 0")

    def lacks_packages(self):
        self.program("dpkg-query", "echo no packages found >&2; exit 1")

    def run(self, script="setup", before=(), **settings):
        return subprocess.run(
            [*before, str(self.checkout / "scripts" / script)],
            env={
                "PATH": f"{self.programs}{os.pathsep}{self.path}",
                "GEOANON_OS_RELEASE": str(self.os_release),
                "GEOANON_INTERPRETER": str(self.programs / "interpreter"),
                **settings,
            },
            capture_output=True,
            text=True,
            timeout=60,
        )

    @property
    def called(self):
        return self.calls.read_text() if self.calls.exists() else ""


@pytest.fixture
def machine(tmp_path, checkout) -> Machine:
    return Machine(tmp_path, checkout)


@pytest.fixture
def without_apt(machine, programs_without_apt) -> Machine:
    (machine.programs / "apt-get").unlink()
    machine.path = str(programs_without_apt)
    return machine


NO_QGIS = "QGIS: the package qgis cannot be imported"


def assert_says_what_to_install(result):
    assert result.returncode != 0
    assert result.stdout == ""
    assert "apt-get install --no-install-recommends qgis python3-qgis" in result.stderr
    assert "dnf install qgis python3-qgis" in result.stderr
    assert "GEOANON_INTERPRETER=/path/to/python3" in result.stderr
    assert f"   - {NO_QGIS}" in result.stderr


@pytest.mark.parametrize("script", ["setup", "test"])
@pytest.mark.parametrize(
    "os_release",
    [
        'ID=fedora\nVERSION_ID=41\nPRETTY_NAME="Fedora Linux 41"\n',
        'ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24"\n',
        'ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian 11"\n',
        "",
    ],
)
def test_goes_on_on_any_system_that_has_what_is_needed(without_apt, os_release, script):
    without_apt.os_release.write_text(os_release)
    result = without_apt.run(script)
    assert "Making .venv with" in result.stderr
    assert f"-m venv --clear --system-site-packages {without_apt.checkout}" in without_apt.called
    # The interpreter of this test can do no more; that is told too.
    assert result.returncode != 0
    assert "interpreter cannot make a virtual environment" in result.stderr


@pytest.mark.parametrize("script", ["setup", "test"])
def test_says_what_is_missing_where_there_is_no_apt(without_apt, script):
    without_apt.lacks(NO_QGIS, "SciPy")
    result = without_apt.run(script)
    assert_says_what_to_install(result)
    assert "on this system (Some Linux 7)" in result.stderr
    assert "   - SciPy" in result.stderr
    assert without_apt.called == ""


def test_installs_nothing_where_everything_is_there(machine):
    """With apt and as root, on a QGIS that did not come from Debian's packages."""
    machine.is_root()
    machine.lacks_packages()
    result = machine.run()
    assert "Making .venv with" in result.stderr
    assert "apt-get" not in machine.called


def test_goes_on_without_what_only_some_tests_need(without_apt):
    without_apt.path = str(without_apt.programs)
    for name in ("bash", "dirname", "cat", "grep", "sed", "ls", "cksum", "env", "flock", "stat"):
        (without_apt.programs / name).symlink_to(shutil.which(name))
    result = without_apt.run()
    assert "Going on without qgis_process xvfb-run xauth zip (tests that need" in result.stderr
    assert "-m venv" in without_apt.called


@pytest.mark.parametrize("script", ["setup", "test"])
def test_refuses_without_root_when_something_is_missing(machine, script):
    machine.is_not_root()
    machine.lacks_packages()
    machine.lacks(NO_QGIS)
    result = machine.run(script)
    assert_says_what_to_install(result)
    assert "only root can install them" in result.stderr
    assert machine.called == ""


@only_root
def test_refuses_a_real_user_without_root(checkout):
    """The same with the real ``id``, as the user nobody."""
    # Not tmp_path, into which nobody else may look.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        machine = Machine(Path(folder), checkout)
        machine.lacks_packages()
        machine.lacks(NO_QGIS)
        result = machine.run(before=AS_NOBODY)
        assert_says_what_to_install(result)
        assert "only root can install them" in result.stderr
        assert machine.called == ""


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
    machine.is_root()
    machine.lacks_packages()
    machine.lacks(NO_QGIS)
    result = machine.run()
    assert result.returncode != 0
    assert "apt-get could not install: qgis python3-qgis" in result.stderr
    assert "no such package" in result.stderr
    assert "update" in machine.called


def test_names_only_what_is_missing(machine):
    machine.is_root()
    machine.lacks(NO_QGIS)
    machine.program(
        "dpkg-query",
        'shift 3; for package in "$@"; do [ "$package" = zip ] || '
        'printf "installed:%s " "$package"; done',
    )
    result = machine.run()
    assert "Installing with apt, which takes a few minutes: zip \n" in result.stderr


def test_says_now_and_then_how_far_it_is(machine):
    machine.is_root()
    machine.lacks_packages()
    machine.lacks(NO_QGIS)
    # It goes on as soon as it was told about, however slow this machine is.
    told = machine.programs.parent / "told"
    machine.program(
        "apt-get",
        f"echo Get:7 qgis; for i in $(seq 300); do grep -q 'for 1 s' {told} && exit 1; "
        "sleep 0.1; done",
    )
    with told.open("w") as heard:
        subprocess.run(
            [str(machine.checkout / "scripts" / "setup")],
            env={
                "PATH": f"{machine.programs}{os.pathsep}{machine.path}",
                "GEOANON_INTERPRETER": str(machine.programs / "interpreter"),
                "GEOANON_SAY_EVERY": "1",
            },
            stderr=heard,
            timeout=60,
        )
    assert "setup: Installing with apt, for 1 s: Get:7 qgis\n" in told.read_text()


def probe(checkout, folder) -> list[str]:
    """What ``scripts/probe.py`` finds missing where the modules of a folder come first."""
    done = subprocess.run(
        [sys.executable, str(checkout / "scripts" / "probe.py")],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_probe_finds_nothing_missing_here(checkout, tmp_path):
    assert probe(checkout, tmp_path) == []


@pytest.mark.parametrize(
    "module, text, told",
    [
        (
            "qgis/core.py",
            "class Qgis: QGIS_VERSION_INT, QGIS_VERSION = 31616, '3.16.16'",
            "QGIS 3.22 or newer: this one has 3.16.16",
        ),
        ("qgis/core.py", "raise ImportError", "QGIS: the package qgis cannot be imported"),
        ("scipy.py", "raise ImportError", "SciPy"),
        ("ensurepip.py", "raise ImportError", "by which a virtual environment gets pip"),
    ],
)
def test_the_probe_names_what_is_missing(checkout, tmp_path, module, text, told):
    path = tmp_path / module
    path.parent.mkdir(exist_ok=True)
    (path.parent / "__init__.py").touch()
    path.write_text(text)
    (found,) = probe(checkout, tmp_path)
    assert told in found


def test_pyproj_finds_proj_s_data_in_plain_python(checkout):
    """In ``.venv`` without QGIS, as the engine runs on a cluster."""
    if not (checkout / ".venv" / "stamp").exists():
        pytest.skip("this checkout was not set up by scripts/setup")
    script = (
        "from pyproj import CRS, Transformer; "
        "to = Transformer.from_crs(4326, CRS.from_epsg(25832), always_xy=True); "
        "print(*(round(x) for x in to.transform(9.0, 50.0)))"
    )
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PROJ_")}
    done = subprocess.run(
        [str(checkout / ".venv" / "bin" / "python"), "-W", "error", "-c", script],
        env=plain,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("500000 5538631\n", "")


def test_a_linked_environment_is_left_alone(machine, tmp_path):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "kept").write_text("of another checkout")
    (machine.checkout / ".venv").symlink_to(theirs)
    result = machine.run()
    assert result.returncode != 0 and "is a symbolic link" in result.stderr
    assert (theirs / "kept").read_text() == "of another checkout"
    assert machine.called == ""  # the environment was not begun


def test_a_second_run_installs_nothing_and_says_nothing(checkout):
    """This suite runs in the environment that ``scripts/setup`` has made, so here it is second."""
    stamp = checkout / ".venv" / "stamp"
    if not stamp.exists():
        pytest.skip("this checkout was not set up by scripts/setup")
    made = stamp.stat().st_mtime_ns
    result = subprocess.run(
        [str(checkout / "scripts" / "setup")], capture_output=True, text=True, timeout=60
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert stamp.stat().st_mtime_ns == made


@pytest.mark.parametrize("there", [False, True])
def test_r_packages_that_cannot_be_had_stop_nothing(checkout, tmp_path, there):
    if not (checkout / ".venv" / "stamp").exists():
        pytest.skip("scripts/setup has not run here")
    program = tmp_path / "Rscript"
    program.write_text(f"#!/bin/sh\nexit {0 if there else 1}\n")
    program.chmod(0o755)
    done = subprocess.run(
        [str(checkout / "scripts" / "r-packages")],
        env=os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert ("R's repository cannot be reached" in done.stderr) != there
