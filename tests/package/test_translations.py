# SPDX-License-Identifier: GPL-2.0-or-later
"""Every string that the user sees can be found by a translator."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as ElementTree

import pytest


@pytest.fixture(scope="module")
def script(checkout):
    return runpy.run_path(str(checkout / "scripts" / "update_translations.py"))


def test_all_strings_are_plain_literals(script):
    texts = script["collect"]()
    assert len(texts) > 100
    root = ElementTree.fromstring(script["template"](texts).split("<!DOCTYPE TS>")[1])
    assert [source.text for source in root.iter("source")] == texts


def test_an_f_string_is_refused(script):
    assert script["strings_in"]("tr('a'); mark('b')\nself.tr('c')", "x.py") == ["a", "b", "c"]
    with pytest.raises(SystemExit, match="x.py:1: tr"):
        script["strings_in"]("tr(f'{number} points')", "x.py")
