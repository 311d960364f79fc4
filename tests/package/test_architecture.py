# SPDX-License-Identifier: GPL-2.0-or-later
"""The picture of the architecture is that of the code."""

from __future__ import annotations

import importlib.util
import sys

import pytest


@pytest.fixture(scope="module")
def drawing(checkout):
    path = checkout / "scripts" / "make_architecture.py"
    spec = importlib.util.spec_from_file_location("make_architecture", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_architecture"] = module  # its dataclasses look there
    spec.loader.exec_module(module)
    yield module
    del sys.modules["make_architecture"]


@pytest.fixture(scope="module")
def found(drawing, checkout):
    """The arrows of the checkout, for which all its sources are read."""
    return drawing.arrows(checkout)


def test_the_picture_is_that_of_the_imports(drawing, checkout, found):
    drawn = (checkout / drawing.TARGET).read_text(encoding="utf-8")
    assert drawn == drawing.draw(found), "run .venv/bin/python scripts/make_architecture.py"


def test_arrows_point_down_and_the_engine_knows_nobody_above(found):
    assert len(found) > 30
    for (source, target), why in found.items():
        assert source.top < target.top, why
        if source.title.startswith("core"):
            assert target.title.startswith("core"), why


def plugin(folder, **modules):
    """A package with these modules, by the names of their folders."""
    for place, text in modules.items():
        path = folder / "geoanon_qgis" / place.replace("__", "/") / "one.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_circle_is_refused_by_name(drawing, tmp_path):
    root = plugin(
        tmp_path,
        core__masking="def late():\n    from ..attacks import one",
        core__attacks="from ..masking.one import late",
    )
    for module in ("core/masking", "core/attacks"):
        (root / "geoanon_qgis" / module / "__init__.py").touch()
    with pytest.raises(drawing.Circle, match="core/masking/one.py imports core/attacks/one.py"):
        drawing.draw(drawing.arrows(root))


def test_what_a_longer_way_stands_for_is_not_drawn(drawing, tmp_path):
    root = plugin(
        tmp_path,
        core__space="",
        core__distances="from ..space.one import x",
        core__attacks__maps="from ...distances.one import x\nfrom ...space.one import x",
    )
    drawn = drawing.draw(drawing.arrows(root))
    assert "core/attacks/maps uses core/distances" in drawn
    assert "core/distances uses core/space" in drawn
    assert "core/attacks/maps uses core/space" not in drawn


def test_imports_for_type_checkers_are_none(drawing, tmp_path):
    root = plugin(
        tmp_path,
        core__masking="",
        core__attacks="from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from ..masking.one import x",
    )
    assert not drawing.arrows(root)
