# SPDX-License-Identifier: GPL-2.0-or-later
"""The documentation's site: nothing is missing, every link leads somewhere, everybody can read it."""

from __future__ import annotations

import re
import runpy

import pytest


@pytest.fixture(scope="module")
def script(checkout):
    return runpy.run_path(str(checkout / "scripts" / "docs_site.py"))


@pytest.fixture(scope="module")
def staged(script, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "docs"
    return folder, script["stage"](folder)


def test_every_page_of_the_documentation_and_every_algorithm_is_in_the_menu(
    script, staged, checkout
):
    folder, menu = staged
    shown = re.findall(r"[\w/-]+\.md", str(menu))
    assert sorted(shown) == sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.md"))
    of_docs = {f"docs/{path.name}" for path in (checkout / "docs").glob("*.md")}
    assert of_docs <= set(script["sources"]())
    helped = {path.stem for path in (checkout / "resources" / "help").glob("*.html")}
    assert {page[11:-3] for page in shown if page.startswith("algorithms/")} == helped | {"index"}


def slug(heading):
    """As Python-Markdown makes it."""
    text = re.sub(r"[^\w\s-]", "", re.sub(r"[`*]", "", heading)).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def test_every_link_leads_to_a_page_and_a_heading(staged):
    folder, _ = staged
    texts = {p.relative_to(folder).as_posix(): p.read_text("utf-8") for p in folder.rglob("*.md")}
    prose = {name: re.sub(r"(?ms)^```.*?^```", "", text) for name, text in texts.items()}
    headings = {
        name: {slug(one) for one in re.findall(r"(?m)^#+ (.+)$", text)}
        for name, text in prose.items()
    }
    looked_at = 0
    for name, text in prose.items():
        base = folder / name
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, part = target.partition("#")
            page = (base.parent / path).resolve() if path else base
            assert page.exists(), f"{name}: {target}"
            if part:
                at = page.relative_to(folder.resolve() if path else folder).as_posix()
                assert part in headings[at], f"{name}: {target}"
            looked_at += 1
    assert looked_at > 100


def test_no_page_says_a_thing_twice(checkout):
    """A passage that was moved, and left where it was, goes out of date unseen."""
    for page in (checkout / "docs").glob("*.md"):
        prose = re.sub(r"(?ms)^```.*?^```", "", page.read_text("utf-8"))
        passages = [one for one in prose.split("\n\n") if len(one) > 200 and one[0] != "-"]
        assert len(passages) == len({one[:120] for one in passages}), page.name


def test_a_link_to_nothing_is_refused(script):
    with pytest.raises(SystemExit, match="not-there.md is not there"):
        script["linked"]("See [this](not-there.md).", "docs/masks.md")
    linked = script["linked"]("[a](../README.md#x) [b](masks.md) `geoanon:vbas`", "docs/vbas.md")
    assert linked == "[a](index.md#x) [b](masks.md) [`geoanon:vbas`](algorithms/vbas.md)"
    assert script["linked"]("[code](../LICENSE)", "docs/vbas.md") == "code"


@pytest.fixture(scope="module")
def reader(checkout):
    """What looks at a page as somebody does who cannot see it, or not well."""
    found = runpy.run_path(str(checkout / "scripts" / "accessibility.py"))
    program, axe = found["browser"](), found["axe"]()
    if program is None or axe is None:
        pytest.skip("Chromium, or axe-core by scripts/accessibility.py, is not there")
    return lambda page, dark=False: {
        one["id"] for one in found["violations"](page, program, axe, dark)
    }


def test_a_picture_without_words_and_pale_text_are_found(reader, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(
        "<!DOCTYPE html><html lang=en><title>x</title><body><main><h1>x</h1><img src=a.png>"
        '<p style="color: #aaa; background: #fff">pale</p></main></body></html>'
    )
    assert reader(page) == {"image-alt", "color-contrast"}


@pytest.mark.parametrize("dark", [False, True])
def test_a_report_with_everything_that_there_is_keeps_nobody_out(reader, checkout, tmp_path, dark):
    kept = checkout / "tests" / "report" / "golden" / "report.html"
    page = tmp_path / "page.html"
    page.write_text(kept.read_text(encoding="utf-8"), encoding="utf-8")
    assert reader(page, dark) == set()
