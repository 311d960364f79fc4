# SPDX-License-Identifier: GPL-2.0-or-later
"""The engine and the reports are plain Python; optional packages are missed only where used."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: Put in front of a script: importing any of these fails as if it were not installed.
_BLOCK = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r} (blocked)", name=name)

BLOCKED = set(%r)
sys.meta_path.insert(0, Blocked())
"""
_EVERYTHING = """
import importlib
from pathlib import Path

modules = sorted(
    ".".join(path.with_suffix("").parts).removesuffix(".__init__")
    for folder in ("geoanon_qgis/core", "geoanon_qgis/report")
    for path in Path(folder).rglob("*.py")
)
assert len(modules) > 15, modules
for module in modules:
    importlib.import_module(module)
"""
OPTIONAL = (
    "scipy",
    "shapely",
    "numba",
    "networkx",
    "matplotlib",
    "pyproj",
    "pandas",
    "pyarrow",
    "joblib",
    "distributed",
    "dask",
)
DESKTOP = ("qgis", "PyQt5", "PyQt6", "PySide2", "PySide6", "processing")


def run(checkout, code, blocked=()):
    done = subprocess.run(
        [sys.executable, "-c", _BLOCK % (tuple(blocked),) + code],
        cwd=checkout,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_block_works(checkout):
    code = "try:\n    import json\nexcept ImportError as error:\n    print(error.name)"
    assert run(checkout, code, ["json"]) == "json"


def test_core_and_report_load_without_qgis(checkout):
    run(checkout, _EVERYTHING, DESKTOP)


def test_core_and_report_load_with_numpy_alone(checkout):
    run(checkout, _EVERYTHING, DESKTOP + OPTIONAL)


def test_loading_them_does_not_load_what_is_slow(checkout):
    told = run(checkout, _EVERYTHING + f"print([n for n in {OPTIONAL!r} if n in sys.modules])")
    assert told == "[]"


_POINTS = "import numpy as np\nxy = np.random.default_rng(1).random((50, 2))\n"
_MASK_AND_ATTACK = (
    _POINTS
    + """
from geoanon_qgis.core.masking.voronoi import voronoi_mask
from geoanon_qgis.core.attacks.voronoi.reversal import reverse_voronoi
masked = np.round(voronoi_mask(xy).xy, 2)
result = reverse_voronoi(masked, xy, tolerance=0.0075, rng=np.random.default_rng(1))
print(len(masked), result.verdict, result.probability.tolist())
"""
)


def test_mask_and_attack_need_scipy_only(checkout):
    without = run(checkout, _MASK_AND_ATTACK, [n for n in OPTIONAL if n != "scipy"])
    assert without == run(checkout, _MASK_AND_ATTACK)
    assert without.startswith("50 ")


@pytest.mark.parametrize(
    ("package", "code"),
    [
        (
            "pyproj",
            "from geoanon_qgis.core.space.planes import working_plane as work\n"
            "arguments = (xy, 'EPSG:4326')",
        ),
        (
            "shapely",
            "from geoanon_qgis.core.masking.cells import study_area as work\narguments = (xy,)",
        ),
        (
            "shapely",
            "from geoanon_qgis.core.space.areas import StudyArea\n"
            "work, arguments = StudyArea.convex_hull, (xy, None)",
        ),
    ],
)
def test_a_missing_package_is_told_in_a_sentence(checkout, package, code):
    told = run(
        checkout,
        _POINTS
        + code
        + """
from geoanon_qgis.core.runtime.errors import MissingPackage
try:
    work(*arguments)
except MissingPackage as error:
    print(error)
""",
        [package],
    )
    assert package in told and told.endswith(".")


def test_a_layer_without_a_system_needs_no_pyproj(checkout):
    code = (
        _POINTS
        + "from geoanon_qgis.core.space.planes import working_plane\nworking_plane(xy, None)"
    )
    run(checkout, code, ["pyproj"])
