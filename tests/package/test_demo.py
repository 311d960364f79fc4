# SPDX-License-Identifier: GPL-2.0-or-later
"""``scripts/demo``: run as a visitor runs it, then its project is opened again."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(checkout, tmp_path_factory):
    """The output of ``scripts/demo``, kept apart from the checkout's own ``demo-output``."""
    if not (checkout / ".venv" / "stamp").exists():
        pytest.skip("this checkout was not set up by scripts/setup")
    folder = tmp_path_factory.mktemp("demo")
    result = subprocess.run(
        [str(checkout / "scripts" / "demo"), str(folder)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return folder, result.stdout


def test_says_what_was_found_and_where_it_lies(demo):
    folder, text = demo
    assert "324 places of death were masked" in text
    expected = int(re.search(r"expects (\d+) to be right", text).group(1))
    right = int(re.search(r"by the key (\d+) are", text).group(1))
    # Each pair is right or wrong as one; 40 is four standard deviations of 96 such coins.
    assert abs(right - expected) <= 40
    assert f"{folder}/release/masked.gpkg" in text
    assert "Released as distances instead" in text and f"{folder}/release/records.gpkg" in text


def test_release_is_apart_from_what_is_private(demo):
    folder, _ = demo
    released = {path.name for path in (folder / "release").iterdir()}
    assert released == {"masked.gpkg", "records.gpkg", "distances.csv"}
    private = {path.name for path in (folder / "private").iterdir()}
    assert private == {
        "shifts.gpkg",
        "cells.gpkg",
        "key.gpkg",
        "masking.html",
        "masking.json",
        "found.gpkg",
        "links.gpkg",
        "attack.html",
        "attack.json",
        "records_key.gpkg",
        "distances.html",
    }


def test_project_opens_styled_wherever_it_lies(demo, tmp_path):
    from qgis.core import QgsProject, QgsSingleSymbolRenderer

    folder, _ = demo
    # Paths are relative, so the folder can be moved; the sample's lead back to the checkout.
    moved = folder.parent / (folder.name + "-moved")
    shutil.copytree(folder, moved)
    project = QgsProject()
    assert project.read(str(moved / "soho_1854.qgz"))
    layers = {layer.name(): layer for layer in project.mapLayers().values()}
    assert all(layer.isValid() for layer in layers.values())
    assert str(moved) in layers["Release: Masked points"].source()
    found = layers["Private: Assigned candidates"].renderer()
    assert not isinstance(found, QgsSingleSymbolRenderer)
    private = project.layerTreeRoot().findGroup("Private: not to be given away")
    names = {node.name() for node in private.findLayers()}
    assert all(name.startswith("Private: ") for name in names)
    assert set(layers) - names == {
        "Release: Masked points",
        "Water pumps",
        "Addresses (made up for demonstration)",
    }
