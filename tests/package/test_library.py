# SPDX-License-Identifier: GPL-2.0-or-later
"""The engine as a package of its own: what ``pip install .`` builds, in a Python without QGIS."""

from __future__ import annotations

import ast
import configparser
import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

#: Put in front of a script: importing any of these fails as if it were not installed.
_WITHOUT = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}} (blocked)", name=name)

sys.meta_path.insert(0, Blocked())
"""
DESKTOP = ("qgis", "PyQt5", "PyQt6", "osgeo", "processing")
OPTIONAL = ("scipy", "numba", "pyproj", "pandas", "geopandas", "shapely", "pyarrow", "joblib")


def setuptools_version() -> int:
    """The version of setuptools, 0 without."""
    try:
        return int(importlib.metadata.version("setuptools").split(".")[0])
    except importlib.metadata.PackageNotFoundError:
        return 0


@pytest.fixture(scope="module")
def project(checkout) -> dict:
    """The table [project] of pyproject.toml, as far as the tests here need it."""
    text = (checkout / "pyproject.toml").read_text(encoding="utf-8")
    table = text[text.index("[project]") : text.index("[tool.")]
    lists = re.findall(r"^([\w-]+) = (\[.*?\])$", table, re.M | re.S)
    found = {name: ast.literal_eval(value) for name, value in lists if "{" not in value}
    found["version"] = re.search(r'^version = "(.*)"', table, re.M)[1]
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory, checkout):
    """The package, built without a network from a copy that nothing else has built in."""
    if setuptools_version() < 77 or importlib.util.find_spec("pip") is None:
        pytest.skip("pip and setuptools 77 or newer are not here; scripts/setup installs them")
    copy = tmp_path_factory.mktemp("checkout") / "geoanon"
    shutil.copytree(
        checkout,
        copy,
        ignore=lambda folder, names: [
            name
            for name in names
            if name.startswith(".")
            or name in ("tests", "dist", "demo-output", "build")
            or name.endswith((".egg-info", "__pycache__"))
        ],
    )
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--no-deps",
            "--no-build-isolation",
            "--no-index",
            "--disable-pip-version-check",
            "-w",
            str(folder),
            str(copy),
        ],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def installed(tmp_path_factory, wheel):
    """A folder with the package unpacked, as an installation has it."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


def run(code: str, folder, without=()) -> str:
    """Run code beside the installed package, far from the checkout."""
    first = f"import sys; sys.path.insert(0, {str(folder)!r})\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", first + _WITHOUT.format(tuple(without)) + code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_version_is_the_plugins(project, checkout):
    plugin = configparser.ConfigParser(interpolation=None)
    plugin.read(checkout / "metadata.txt", encoding="utf-8")
    assert project["version"] == plugin["general"]["version"]


def test_requirements_are_what_the_engine_knows_of(project):
    from geoanon_qgis.core.runtime.packages import PACKAGES

    def names(requirements):
        return {re.match(r"[\w-]+", one)[0] for one in requirements}

    needed = {name for name, one in PACKAGES.items() if one.needed}
    assert names(project["dependencies"]) == needed
    extras = {name for one in ("numba", "parquet", "max-p") for name in names(project[one])}
    # Charts are the reports', which are the plugin's.
    used = {name for name, one in PACKAGES.items() if one.used and not one.needed}
    assert extras == used - {"matplotlib"}


def test_all_extras_are_in_all(project, checkout):
    text = (checkout / "pyproject.toml").read_text(encoding="utf-8")
    table = text[text.index("[project.optional-dependencies]") : text.index("[tool.")]
    extras = set(re.findall(r"^([\w-]+) = ", table, re.M)) - {"all"}
    (everything,) = project["all"]
    assert set(re.search(r"\[(.*)\]", everything)[1].split(",")) == extras
    page = (checkout / "docs" / "library.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \| [\w, ]+ \| ", page, re.M)) >= extras


def test_the_package_holds_the_engine_and_nothing_of_the_plugin(installed, checkout):
    files = {
        path.relative_to(installed).as_posix()
        for path in installed.rglob("*")
        if path.is_file() and ".dist-info/" not in path.as_posix()
    }
    engine = {
        path.relative_to(checkout).as_posix()
        for folder in ("geoanon", "geoanon_qgis/core")
        for path in (checkout / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files == engine
    assert any(path.name == "LICENSE" for path in installed.rglob("*"))


def test_it_runs_without_qgis(installed):
    told = run(
        "import numpy as np, geoanon\n"
        "made = geoanon.mask(np.random.default_rng(1).random((50, 2)) * 1000, crs=27700)\n"
        "print(geoanon.__file__)\nprint(made)",
        installed,
        DESKTOP,
    )
    assert told.splitlines()[0] == str(installed / "geoanon" / "__init__.py")
    assert "Voronoi mask of 50 points" in told
    assert run("from geoanon_qgis import core; print(core.mask.__name__)", installed) == "mask"


def test_importing_it_loads_numpy_and_nothing_else(installed):
    told = run(
        f"import geoanon; print([name for name in {OPTIONAL!r} if name in sys.modules])", installed
    )
    assert told == "[]"
    assert run("import geoanon; print(len(geoanon.__all__))", installed, OPTIONAL + DESKTOP)


def test_a_plugin_of_that_name_goes_before_it(installed, tmp_path):
    """In QGIS's Python the plugin's folder is the whole plugin, whatever pip has installed."""
    plugin = tmp_path / "geoanon_qgis"
    (plugin / "core").mkdir(parents=True)
    (plugin / "__init__.py").write_text("")
    (plugin / "core" / "__init__.py").write_text("where = 'the plugin'")
    for code in (f"sys.path.insert(0, {str(tmp_path)!r})", f"sys.path.append({str(tmp_path)!r})"):
        told = run(f"{code}\nfrom geoanon_qgis import core; print(core.where)", installed)
        assert told == "the plugin"
