# SPDX-License-Identifier: GPL-2.0-or-later
"""QGIS's own window under a virtual X server: does a person find, run and see it all?"""

import pytest
from qgis.PyQt.QtGui import QImage

SECONDS = 300


@pytest.fixture(scope="module")
def seen(visit, pictures) -> dict:
    """What the script saw in the window."""
    found = visit("window_script.py", SECONDS, pictures=str(pictures))
    assert found["steps"][-1] == "show_who_was_linked", f"stuck in {found['steps']}"
    return found


def layer(layers, name):
    return next(one for one in layers if one["name"].split(" · ")[0] == name)


def test_the_toolbox_shows_provider_groups_and_algorithms(seen):
    assert seen["plugin"]
    assert "Voronoi masking" in seen["toolbox"]["Mask points"]
    assert {"Reverse Voronoi masking", "Mask, attack, report"} <= set(
        seen["toolbox"]["Attack a release"]
    )
    assert "Check environment" in seen["toolbox"]["Tools"]


def test_the_dialogs_run(seen):
    masking, attack, model, release, linkage = seen["runs"]
    assert release["successful"] and release["numbers"]["N"] == 81
    assert release["numbers"]["MAX_VIOLATION"] == 0
    assert linkage["successful"] and linkage["numbers"]["PROVEN"] == 1
    assert linkage["numbers"]["PRECISION"] > 0.5
    assert masking["successful"] and attack["successful"] and model["successful"]
    assert masking["numbers"]["COUNT"] == 324
    assert attack["numbers"]["FOUND"] == 324
    assert attack["numbers"]["SHARE_CORRECT"] > 0.5
    assert model["numbers"]["reverse:FOUND"] == 324


@pytest.mark.parametrize("run", ["layers", "model_layers"])
def test_outputs_are_loaded_with_style_and_legend(seen, run):
    layers = seen[run]
    assert layer(layers, "Release: Masked points")["note"].startswith("<p>Release")
    shifts = layer(layers, "Private: Shifts")
    assert shifts["renderer"] == "categorizedSymbol"
    assert "Moved; alone at its masked place" in shifts["legend"]
    found = layer(layers, "Private: Assigned candidates")
    assert found["renderer"] == "RuleRenderer"
    assert found["legend"][:2] == ["Found: one place", "Found: one of two places"]
    assert "Wrong place, by the key" in found["legend"]
    links = layer(layers, "Private: Links")
    assert links["renderer"] == "categorizedSymbol"
    for one in (shifts, found, links):
        assert one["note"].startswith("<p>Private") and one["counted"] and one["count"] == 324


def test_distances_are_loaded_with_style_and_legend(seen):
    layers = seen["distance_layers"]
    assert layer(layers, "Release: Records")["note"].startswith("<p>Release")
    kept = layer(layers, "Private: Distance kept")
    assert kept["renderer"] == "graduatedSymbol" and kept["count"] == 80
    assert kept["legend"][0] == "Kept: 90 to 100 % of the true distance"
    linked = layer(layers, "Private: Linked people")
    assert linked["renderer"] == "RuleRenderer" and linked["count"] == 81
    assert "Linked, right" in linked["legend"]
    for name in (
        "Distance kept",
        "Reference sets",
        "What the matrix draws",
        "Key",
        "Linked people",
        "True place to linked place",
    ):
        assert layer(layers, f"Private: {name}")["note"].startswith("<p>Private"), name


def test_private_and_release_are_told_apart(seen):
    outputs = [one for one in seen["layers"] if one["note"]]
    assert len(outputs) == 6
    for one in outputs:
        private = one["name"].startswith("Private: ")
        assert one["note"].startswith("<p>Private" if private else "<p>Release")
    cells = layer(seen["layers"], "Private: Voronoi cells")
    assert cells["legend"] == ["Cell of one record", "Cell of several records at one place"]


def test_points_lie_above_lines_above_cells(seen):
    order = [one["name"].split(" · ")[0] for one in seen["layers"]]
    for above, below in (
        ("Release: Masked points", "Private: Shifts"),
        ("Private: Shifts", "Private: Voronoi cells"),
        ("Private: Assigned candidates", "Private: Links"),
        ("Private: Assigned candidates", "deaths"),
    ):
        assert order.index(above) < order.index(below), order


@pytest.mark.parametrize(
    "name",
    [
        "toolbox",
        "mask_dialog",
        "attack_dialog",
        "map",
        "close_up",
        "model_dialog",
        "model",
        "release_dialog",
        "linkage_dialog",
        "distances",
        "linked",
    ],
)
def test_the_screen_shows_something(seen, pictures, name):
    shown = QImage(str(pictures / f"{name}.png"))
    assert (shown.width(), shown.height()) == (1400, 900)
    colours = {shown.pixel(x, y) for x in range(0, 1400, 7) for y in range(0, 900, 7)}
    assert len(colours) > 20


def test_the_map_shows_the_colours_of_the_legend(seen, pictures):
    from geoanon_qgis.processing.styling import PALETTE

    shown = QImage(str(pictures / "close_up.png"))
    colours = {shown.pixelColor(x, y).name() for x in range(400, 1050) for y in range(130, 860)}
    for name in ("singleton", "pair", "masked", "shift"):
        assert PALETTE[name] in colours, name
