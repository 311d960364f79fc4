# SPDX-License-Identifier: GPL-2.0-or-later
"""QGIS 4, without it: the names of ``qgis.core`` and ``qgis.gui`` that the plugin uses are there.

``qgis4_names.json`` maps every value of an enum that the plugin spells, always as
``Class.Enum.value``, to what it is in QGIS 4.0, read from the list of aliases that QGIS generates for
Python (``python/PyQt6/core/auto_additions/qgis.py``). Two, which QGIS's own tests spell so, are taken
from there: WKT_PREFERRED and RenderMetersInMapUnits. A new name needs a look and a line.
"""

import ast
import importlib
import json
import textwrap
from pathlib import Path

import pytest
from qgis.core import Qgis

NAMES = json.loads(Path(__file__).with_name("qgis4_names.json").read_text(encoding="utf-8"))
KNOWN = {name for kind in NAMES.values() for name in kind}
#: Gone, or warned of, in QGIS 3.40 to 4.0; the one place that asks for an older one is beside it.
DEPRECATED = {"parameterAsFields": "compat.py", "QgsMapLayerType": "compat.py"}


def used(path: Path) -> dict[str, int]:
    """Return enums, their values and the like that a file takes from QGIS's classes, with a line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    classes = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("qgis.core", "qgis.gui")
        for alias in node.names
        if alias.name not in DEPRECATED
    }
    inner = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    found = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in inner:
            continue
        name, *parts = ast.unparse(node).split(".")
        if name not in classes or not parts[0][0].isupper():
            continue  # a method, or nothing of QGIS's
        # Class.Enum.value.name asks a value, which is not looked into.
        found[".".join([classes[name], *parts[:2]])] = node.lineno
    return found


def wrong(folder: Path) -> list[str]:
    """Return what QGIS 4 may not have."""
    told = []
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder).as_posix()
        told += [
            f"{place}:{line}: {name}" for name, line in used(path).items() if name not in KNOWN
        ]
        text = path.read_text(encoding="utf-8")
        told += [
            f"{place}: {name} is deprecated"
            for name, where in DEPRECATED.items()
            if name in text and place != where
        ]
    return told


def test_every_enum_is_spelt_as_qgis_4_has_it(checkout):
    """Where this fails: look the name up in QGIS's list, and write it into ``qgis4_names.json``."""
    assert wrong(checkout / "geoanon_qgis") == []


def test_the_list_holds_nothing_else(checkout):
    files = (checkout / "geoanon_qgis").rglob("*.py")
    asked = {name for path in files for name in used(path)}
    assert asked == KNOWN and len(asked) > 40


def test_this_qgis_has_them_all():
    """By the same spelling: 3.22, 3.40 and 3.44 are asked by the suite that runs there."""
    places = [importlib.import_module(f"qgis.{one}") for one in ("core", "gui")]
    for name in KNOWN - ({"Qgis.LayerType.Vector"} if Qgis.QGIS_VERSION_INT < 33000 else set()):
        first, *rest = name.split(".")
        thing = next(getattr(one, first) for one in places if hasattr(one, first))
        for part in rest:
            thing = getattr(thing, part)


@pytest.mark.parametrize(
    "code, told",
    [
        ("from qgis.core import QgsWkbTypes\nprint(QgsWkbTypes.Point)", "QgsWkbTypes.Point"),
        ("from qgis.core import Qgis as Q\nQ.Warning", "Qgis.Warning"),
        (
            "from qgis.core import QgsProcessing\nQgsProcessing.SourceType.VectorPoint",
            "SourceType.VectorPoint",  # of 3.36 and later alone
        ),
        ("def f(a):\n    return a.parameterAsFields({}, 'A', None)", "deprecated"),
    ],
)
def test_it_would_find_another(tmp_path, code, told):
    (tmp_path / "bad.py").write_text(textwrap.dedent(code), encoding="utf-8")
    (found,) = wrong(tmp_path)
    assert told in found
