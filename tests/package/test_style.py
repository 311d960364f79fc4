# SPDX-License-Identifier: GPL-2.0-or-later
"""One formatter and linter, ruff, and mypy, with the settings in ``pyproject.toml``."""

import importlib.util
import os
import re
import subprocess
import sys

import numpy as np
import pytest


def ask(tool: str, *arguments: str, folder, **settings: str) -> subprocess.CompletedProcess:
    """Run a tool of this Python in a folder; skip the test where there is none of it."""
    if importlib.util.find_spec(tool) is None:
        pytest.skip(f"{tool} is not installed (scripts/setup installs it where it can be had)")
    return subprocess.run(
        [sys.executable, "-m", tool, *arguments],
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=1200,
    )


@pytest.mark.parametrize("task", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff_finds_nothing(checkout, task):
    done = ask("ruff", *task, "--no-cache", "--quiet", folder=checkout)
    assert done.returncode == 0, done.stdout + done.stderr


numpy_1 = pytest.mark.skipif(
    int(np.__version__.split(".")[0]) > 1,
    reason="each NumPy has other types: those of the oldest that we support are asked",
)


@pytest.fixture(scope="module")
def complaints(checkout, tmp_path_factory) -> dict[str, list[str]]:
    """What mypy says of what the settings name, and of a module with two errors, by module.

    Both in one run: nearly all of its time goes to reading NumPy's types and the engine.
    """
    folder = tmp_path_factory.mktemp("mypy")
    (folder / "geoanon_bad.py").write_text(
        "from geoanon_qgis.core.verdict import not_tested\n\nnot_tested(1, 2).limit.nothing\n",
        encoding="utf-8",
    )
    settings = (checkout / "pyproject.toml").read_text(encoding="utf-8")
    named = re.search(r"\[tool\.mypy\]\npackages = \[(.*)\]", settings)
    packages = re.findall(r'"([\w.]+)"', named[1])
    asked = [word for one in packages for word in ("-p", one)]
    done = ask("mypy", *asked, "-m", "geoanon_bad", folder=checkout, MYPYPATH=str(folder))
    assert done.returncode == 1, done.stdout + done.stderr
    said = [line for line in done.stdout.splitlines() if not line.startswith("Found ")]
    bad = [line for line in said if "geoanon_bad.py:" in line]
    return {"bad": bad, "ours": [line for line in said if line not in bad]}


@pytest.mark.slow
@numpy_1
def test_mypy_finds_nothing(complaints):
    assert complaints["ours"] == []


@pytest.mark.slow
def test_mypy_would_find_something(complaints):
    said = "\n".join(complaints["bad"])
    assert "[arg-type]" in said and "[attr-defined]" in said


@pytest.mark.parametrize(
    "code, rule",
    [
        ("data = pickle.loads(undefined)\n", "F821"),
        ("import pickle\n\ndata = pickle.loads(b'')\n", "S301"),
        ("from PyQt5.QtCore import QObject\n\nprint(QObject)\n", "TID251"),
        ("from qgis._core import QgsField\n\nprint(QgsField)\n", "TID251"),
        ("calls = [lambda: one for one in range(3)]\n", "B023"),
    ],
)
def test_the_linter_would_find_something(checkout, tmp_path, code, rule):
    (tmp_path / "bad.py").write_text(code, encoding="utf-8")
    settings = str(checkout / "pyproject.toml")
    done = ask("ruff", "check", "--no-cache", "--config", settings, ".", folder=tmp_path)
    assert done.returncode == 1 and rule in done.stdout, done.stdout + done.stderr


def test_the_formatter_would_find_something(checkout, tmp_path):
    (tmp_path / "bad.py").write_text("a = {  'b':1 }\n", encoding="utf-8")
    settings = str(checkout / "pyproject.toml")
    done = ask(
        "ruff", "format", "--check", "--no-cache", "--config", settings, ".", folder=tmp_path
    )
    assert done.returncode == 1 and "bad.py" in done.stdout, done.stdout + done.stderr
