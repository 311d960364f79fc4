# SPDX-License-Identifier: GPL-2.0-or-later
"""Start page and inspector in QGIS's own window: does an analyst see what to run, and why?"""

import pytest
from qgis.PyQt.QtGui import QImage

SECONDS = 100


@pytest.fixture(scope="module")
def seen(visit, pictures) -> dict:
    """What the script saw in the window."""
    found = visit("inspector_script.py", SECONDS, pictures=str(pictures))
    assert found["steps"][-1] == "look_what_is_left", f"stuck in {found['steps']}"
    return found


def test_the_start_page_opens_what_it_advises(seen):
    assert seen["toolbar"]
    assert "Choose a point mask" in seen["advised"] and "which record is hers" in seen["advised"]
    filled = seen["filled"]
    assert (filled["ADVERSARY"], filled["ACCEPTABLE"], filled["LIMIT_ON"]) == ("both", 0.09, "99")
    assert set(filled["FAMILIES"]) == {"groups", "cells", "exchange", "grid"}


def test_the_sample_is_one_click_away(seen):
    assert seen["sample"] == 3


def test_an_empty_dock_says_what_to_do(seen):
    assert seen["empty"]["rows"] == 0
    assert "Run an attack" in seen["empty"]["text"]


def test_a_record_is_explained_and_drawn(seen):
    shown = seen["inspector"]
    assert shown["rows"] == 324
    assert "41 of 324 records by risk" in shown["text"]
    assert {"support", "candidate", "released", "home", "link", "true_link"} <= set(shown["marks"])
    assert "By the key" in shown["text"] and "%" in shown["text"]


def test_a_click_on_the_map_finds_the_record(seen):
    assert seen["clicked"][0] == seen["clicked"][1]


def test_what_is_marked_is_left_out_of_the_next_mask(seen):
    # Those that the attack itself wants withheld are in the layer, too.
    assert seen["withheld"] == seen["at_risk"] + 1
    assert seen["released_again"] == 324 - seen["withheld"]


def test_the_context_menu_opens_it(seen):
    assert seen["offered"] == 1
    shown = seen["reversal"]
    assert shown["rows"] == 324 and {"guess", "partner", "released", "home"} <= set(shown["marks"])
    assert "in the middle between two places" in shown["text"]


def test_microdata_are_explained(seen):
    assert seen["microdata"]["rows"] == 324
    assert seen["microdata"]["first"][1] in ("released as it is", "too near")


def test_what_is_private_wears_a_lock(seen):
    assert seen["locks"] == ["PRIVATE: never give away"]


def test_nothing_is_left_behind(seen):
    assert not seen["shown_when_closed"]
    assert seen["canvas_items"] == 1  # what is looked for below can be found
    left = seen["left"]
    assert (left["items"], left["dock"], left["page"]) == (0, False, False)
    assert left["locks"] == 0
    assert left["menu"] == left["context"] == []
    assert "What do you want to publish?" not in left["toolbar"]


@pytest.mark.parametrize(
    "name",
    ["start_page", "advised", "empty", "inspector", "clicked_on_map", "reversal", "microdata"],
)
def test_the_screen_shows_something(seen, pictures, name):
    shown = QImage(str(pictures / f"{name}.png"))
    assert (shown.width(), shown.height()) == (1400, 900)
    colours = {shown.pixel(x, y) for x in range(0, 1400, 7) for y in range(0, 900, 7)}
    assert len(colours) > 20
