# SPDX-License-Identifier: GPL-2.0-or-later
"""Every dialog in QGIS's own window: choices in words, grey where void, and one click to run."""

from pathlib import Path

import pytest
from qgis.PyQt.QtGui import QImage

SECONDS = 240
SHOWN = ["maskdisplace", "maskexchange", "choosemask", "vbas", "linkageattack", "spectralanonymize"]
#: Those that run with what their dialogs propose: layers, and else the defaults.
CLICKED = ["reversevoronoi", "maskmeasures", "linkageattack", "syntheticrecords", "vbascompare"]
#: What is chosen there, since all attacks together take minutes.
GIVEN = {"linkageattack": {"METHOD": "near_group", "SEED": 1}}


@pytest.fixture(scope="module")
def seen(visit, pictures) -> dict:
    """What the script saw in the window."""
    found = visit(
        "dialogs_script.py",
        SECONDS,
        pictures=str(pictures),
        shown=SHOWN,
        clicked=CLICKED,
        given=GIVEN,
    )
    assert found["steps"][-1] == "look_at_the_layout", f"stuck in {found['steps'][-3:]}"
    return found


def test_every_dialog_opens_with_words(seen):
    assert len(seen["dialogs"]) > 30
    items = {name: one["items"] for name, one in seen["dialogs"].items()}
    assert items["maskdisplace"]["LAW"][1] == "Donut: between two distances"
    assert items["vbas"]["GAPS_REGION"][1:] == [
        "West of Canada",
        "Centre of Canada",
        "East of Canada",
        "My own, with A and B",
    ]
    assert items["anonymisemeasurereport"]["METHOD"][0] == "Spectral swapping"
    assert not any("_" in text for one in items.values() for each in one.values() for text in each)


def test_values_are_names(seen):
    values = {name: one["values"] for name, one in seen["dialogs"].items()}
    assert values["maskdisplace"]["LAW"] == "gaussian"
    assert values["vbascompare"]["SITES_BY"] == ["gaps_maxcombs", "gaps_entropy"]
    assert seen["batch"]["values"]["LAW"] == "gaussian"
    assert seen["batch"]["items"]["LAW"][4].startswith("Planar Laplace")
    assert (
        seen["model"]["LIMIT_ON"] == ["99"] and "disc by addresses" in seen["model"]["FAMILIES"][0]
    )
    assert {"Every record", "Both: the worse of the two decides"} <= set(seen["model_items"])


def test_what_is_void_is_grey(seen):
    grey = set(seen["dialogs"]["maskdisplace"]["grey"])
    assert {"MIN", "EPSILON", "K_MIN", "CANDIDATES", "RASTER"} <= grey
    assert not grey & {"MAX", "INPUT", "LAW", "ZONES"}
    now = set(seen["law"]["grey"])  # a donut, by addresses
    assert {"MIN", "MAX", "EPSILON", "RASTER"} <= now and not now & {"K_MIN", "K_MAX", "CANDIDATES"}
    assert set(seen["batch"]["grey"]) == grey


@pytest.mark.parametrize("name", ["maskexchange", "choosemask", "masklocationswap"])
def test_the_address_list_is_not_the_layer_that_is_masked(seen, name):
    assert seen["dialogs"][name]["layers"] == {"INPUT": "pumps", "CANDIDATES": "addresses"}


def test_one_click_runs_on_what_is_proposed(seen):
    mask, _, reversal, measures, linkage, synthetic, compared = seen["runs"]
    assert mask["successful"] and mask["numbers"]["COUNT"] == 324
    assert reversal["successful"] and reversal["numbers"]["FOUND"] == 324
    assert reversal["numbers"]["SHARE_CORRECT"] > 0.5, "neither the release nor its key was taken"
    assert measures["successful"] and measures["numbers"]["PAIRS"] == 324
    assert linkage["successful"] and linkage["numbers"]["RECALL"] > 0, "key or files not taken"
    assert synthetic["successful"] and synthetic["numbers"]["COUNT"] > 0
    assert compared["successful"] and compared["numbers"]["COMBINATIONS"] == 8


def test_a_matrix_gets_a_place_that_lasts(seen):
    first, second = map(Path, seen["matrix"])  # beside the project
    assert first.name == "lipschitzrelease_matrix.csv" and first.is_file()
    assert second.name == "lipschitzrelease_matrix_2.csv", "the next run would overwrite the first"


def test_private_layers_do_not_leave_unnoticed(seen):
    (saved,) = seen["saved"]
    assert saved.startswith("“Private: Key") and "/somewhere/key.csv" in saved
    assert seen["saved_release"] == [] and seen["layout_before"] == []
    (printed,) = seen["layout"]
    assert "on this map: Private: " in printed and "Shifts" in printed and "Key" not in printed


@pytest.mark.parametrize("name", [*(f"dialog_{one}" for one in SHOWN), "dialog_law", "layout"])
def test_the_screen_shows_something(seen, pictures, name):
    shown = QImage(str(pictures / f"{name}.png"))
    assert (shown.width(), shown.height()) == (1400, 900)
    colours = {shown.pixel(x, y) for x in range(0, 1400, 7) for y in range(0, 900, 7)}
    assert len(colours) > 20
