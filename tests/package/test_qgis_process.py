# SPDX-License-Identifier: GPL-2.0-or-later
"""``scripts/qgis_process``: QGIS's own command line, with nothing of ours in between."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys

import pytest


@pytest.fixture
def qgis_process(checkout, tmp_path):
    """Return a function that runs the script from another folder, with an empty home."""
    home = tmp_path / "home"
    home.mkdir()

    def call(*arguments, path=()):
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("QGIS_", "XDG_"))
        }
        environment["PATH"] = os.pathsep.join([*map(str, path), environment["PATH"]])
        return subprocess.run(
            [str(checkout / "scripts" / "qgis_process"), *arguments],
            env={**environment, "HOME": str(home)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )

    call.home = home
    return call


def test_lists_the_provider_as_pure_json_and_leaves_the_users_profile_alone(qgis_process):
    result = qgis_process("--json", "list")
    assert result.returncode == 0, result.stderr
    assert list(qgis_process.home.rglob("*")) == []
    assert "geoanon:voronoimask" in json.loads(result.stdout)["providers"]["geoanon"]["algorithms"]


def test_runs_an_algorithm_on_relative_paths(qgis_process, checkout, tmp_path):
    result = qgis_process(
        "--json",
        "run",
        "geoanon:voronoimask",
        "--",
        f"INPUT={checkout}/resources/data/soho_cholera_1854.gpkg|layername=deaths",
        "OUTPUT=masked.gpkg",
    )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["results"]["COUNT"] == 324
    assert (tmp_path / "masked.gpkg").is_file()


def test_passes_the_exit_status_on(qgis_process):
    assert qgis_process("run", "geoanon:nosuchalgorithm").returncode == 1
    assert qgis_process("help", "geoanon:checkenvironment").returncode == 0


def test_another_python_first_on_the_path_is_passed_over(qgis_process, tmp_path):
    """As pyenv and conda have it: a library of their own, which is none for QGIS's Python.

    The packages of the virtual environment are there all the same.
    """
    program = tmp_path / "other" / "bin" / "python3"
    library = tmp_path / "other" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}"
    for folder in (program.parent, library / "lib-dynload"):
        folder.mkdir(parents=True)
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    (library / "os.py").write_text("raise ImportError('the library of another Python')\n")
    result = qgis_process("run", "geoanon:checkenvironment", path=[program.parent])
    assert result.returncode == 0, result.stderr
    assert f"Python {platform.python_version()}" in result.stdout
    assert "numba" in result.stdout


def test_started_from_inside_the_virtual_environment(qgis_process, checkout):
    result = qgis_process("run", "geoanon:checkenvironment", path=[checkout / ".venv" / "bin"])
    assert result.returncode == 0, result.stderr
    assert "PROJ data directory not found" not in result.stdout + result.stderr


#: Run by the Python inside the program when it starts. Both libraries work in four threads.
_BOTH = """
import faulthandler, sys
faulthandler.enable()
sys.path.insert(0, {checkout!r})
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from qgis.core import QgsGeometry
from geoanon_qgis.core.runtime.geos import shapely
geos = shapely()

def work(seed):
    rng = np.random.default_rng(seed)
    for _ in range({rounds}):
        disks = geos.buffer(geos.points(rng.random((60, 2))), 0.1)
        ours = geos.union_all(disks)
        geos.prepare(ours)
        assert geos.intersects_xy(ours, rng.random((500, 2))).any()
        mixed = geos.make_valid(geos.polygons([(0, 0), (1, 1), (1, 0), (0, 1)]))
        assert geos.intersection(mixed, geos.box(0, 0, 1, 1)).area == 0.5
        theirs = []
        for wkb in geos.to_wkb(disks).tolist():
            one = QgsGeometry()
            one.fromWkb(wkb)
            theirs.append(one)
        theirs = QgsGeometry.unaryUnion(theirs)
        assert theirs.isGeosValid() and abs(theirs.area() - ours.area) < 1e-9
        assert abs(geos.from_wkb(bytes(theirs.buffer(1, 8).asWkb())).area) > ours.area
    return seed

with ThreadPoolExecutor(4) as pool:
    assert list(pool.map(work, range(8))) == list(range(8))
with open({told!r}, "w") as file:
    file.write(geos.geos_version_string)
"""


@pytest.mark.parametrize("program", [True, False], ids=["qgis_process", "python"])
def test_shapely_and_the_geos_of_qgis_work_side_by_side(
    qgis_process, checkout, tmp_path, monkeypatch, program
):
    """The program is linked with GEOS, which Python is not: they have to be kept apart there."""
    told = tmp_path / "told.txt"
    script = tmp_path / "start.py"
    script.write_text(_BOTH.format(checkout=str(checkout), told=str(told), rounds=4))
    if program:
        monkeypatch.setenv("PYQGIS_STARTUP", str(script))
        result = qgis_process("--json", "list")
    else:
        result = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert told.exists(), result.stdout + result.stderr
