# SPDX-License-Identifier: GPL-2.0-or-later
"""The pages about the library: its examples run, and its functions are those of the docstrings."""

from __future__ import annotations

import importlib.util
import inspect
import re

import pytest

pytest.importorskip("scipy")
pytest.importorskip("pyproj")


@pytest.fixture(scope="module")
def script(checkout):
    """The script that writes the pages."""
    path = checkout / "scripts" / "make_api.py"
    spec = importlib.util.spec_from_file_location("geoanon_make_api", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_examples_print_what_the_page_says(script):
    page = script.LIBRARY.read_text(encoding="utf-8")
    assert page.count("```python") > 8
    assert script.with_outputs(page) == page, "run scripts/make_api.py and look at the change"


def test_the_page_of_functions_is_up_to_date(script):
    assert script.api() == script.API.read_text(encoding="utf-8"), "run scripts/make_api.py"


def test_an_example_that_changed_would_be_seen(script):
    page = "Text\n\n```python\nx = 6\nx * 7\n```\n\n```text\n41\n```\n\nMore\n"
    assert script.with_outputs(page) == page.replace("41", "42")
    assert script.with_outputs("```python\nx = 1\n```\n") == "```python\nx = 1\n```\n"
    with pytest.raises(ZeroDivisionError):
        script.with_outputs("```python\n1 / 0\n```\n")


def test_every_function_tells_all_its_parameters(script):
    import geoanon

    for name in geoanon.__all__:
        one = getattr(geoanon, name)
        if inspect.isclass(one):
            assert inspect.getdoc(one), name
            continue
        doc = inspect.getdoc(one)
        pieces = script._SECTION.split(doc)
        sections = dict(zip(pieces[1::2], pieces[2::2]))
        assert {"Parameters", "Returns", "Raises", "Examples"} <= set(sections), name
        lines = re.findall(r"^(\w[^:\n]*?)(?: : |$)", sections["Parameters"], re.M)
        told = [word for line in lines for word in line.split(", ")]
        assert told == list(inspect.signature(one).parameters), name


def test_the_table_of_names_is_that_of_the_package(script):
    import geoanon

    page = script.LIBRARY.read_text(encoding="utf-8")
    table = page[page.index("## A dozen names") : page.index("- **Points**")]
    named = re.findall(r"^\| `(\w+)` \|", table, re.M)
    assert sorted(named) == sorted(one for one in geoanon.__all__ if one.islower())
