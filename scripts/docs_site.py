# SPDX-License-Identifier: GPL-2.0-or-later
"""Build the documentation's site from ``docs/``, the README, the changelog and the help pages.

Nothing is written twice: an algorithm's page is what its dialog's Help button opens, made from its
declaration (``scripts/make_help.py``). Links between files of the repository become links between
pages; what is not part of the site is named instead. The site asks nothing of any other host.
Run by ``scripts/docs``, with MkDocs and its Material theme.
"""

from __future__ import annotations

import html
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Pages of the site by their files in the repository, in the order of the menu.
PAGES = {
    "Start": {
        "README.md": "index.md",
        "docs/desktop.md": "desktop.md",
        "docs/verdicts.md": "verdicts.md",
    },
    "Guides": {
        "docs/masks.md": "masks.md",
        "docs/distances.md": "distances.md",
        "docs/vbas.md": "vbas.md",
        "docs/microdata.md": "microdata.md",
        "docs/attributes.md": "attributes.md",
        "docs/published-tools.md": "published-tools.md",
    },
    "Reference": {
        "docs/glossary.md": "glossary.md",
        "docs/citing.md": "citing.md",
        "docs/third-party.md": "third-party.md",
        "CHANGELOG.md": "changelog.md",
        "resources/data/README.md": "sample-data.md",
    },
    "Python": {"docs/library.md": "library.md", "docs/api.md": "api.md"},
    "Development": {
        "docs/development.md": "development.md",
        "docs/architecture.md": "architecture.md",
        "docs/adding-an-algorithm.md": "adding-an-algorithm.md",
        "docs/releasing.md": "releasing.md",
    },
}
HELP, ALGORITHMS = "resources/help", "algorithms"
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
#: What the theme would load from another host for search in pages that are opened from a folder.
_SHIM = re.compile(r'<script src="https://unpkg\.com/iframe-worker/shim"></script>')
_SHIM_FILE = Path("build", "docs-npm", "node_modules", "iframe-worker", "shim", "index.js")
#: Contrast and links that are told from their text by more than a colour (WCAG 2, 1.4.1 and 1.4.3).
_STYLE = """.md-typeset p a, .md-typeset td a, .md-typeset li a, .md-typeset dd a { text-decoration: underline; }
.md-footer-meta .md-copyright, .md-footer-meta .md-copyright a { color: #fff; }
.md-typeset td code { white-space: nowrap; }
.md-typeset pre > code.language-text { white-space: pre-wrap; }
[data-md-color-scheme=slate][data-md-color-primary=indigo] { --md-typeset-a-color: #b3bdf7; }
[data-md-color-scheme=default] { --md-typeset-a-color: #2c3a96; }
"""
_NAMED = re.compile(r"(?<!\[)`geoanon:(\w+)`(?!\])")
_SHORT = re.compile(r"<p><code>geoanon:\w+</code> · (.*?)</p>", re.DOTALL)


def sources() -> dict[str, str]:
    """Return the pages' names by their files in the repository, without the algorithms'."""
    return {source: page for group in PAGES.values() for source, page in group.items()}


def linked(text: str, source: str, root: Path = ROOT) -> str:
    """Return a page's text with links between files made links between pages, and links to algorithms.

    Raises
    ------
    SystemExit
        For a link to a file that is not there.
    """
    page_of = {**sources(), HELP: f"{ALGORITHMS}/index.md"}

    def replaced(found: re.Match[str]) -> str:
        picture, title, target = found.groups()
        path, _, part = target.partition("#")
        if not path or re.match(r"[a-z]+:", target):
            return found[0]
        file = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if not (root / file).exists():
            sys.exit(f"{source}: {target} is not there.")
        if picture:
            return f"![{title}](images/{posixpath.basename(file)})"
        page = page_of.get(file)
        # Code and data are not part of the site.
        return f"[{title}]({page}{'#' + part if part else ''})" if page else title

    def named(found: re.Match[str]) -> str:
        there = (root / HELP / f"{found[1]}.html").exists()
        return f"[{found[0]}]({ALGORITHMS}/{found[1]}.md)" if there else found[0]

    outside = re.split(r"(^```.*?^```)", text, flags=re.DOTALL | re.MULTILINE)
    outside[::2] = [_NAMED.sub(named, _LINK.sub(replaced, piece)) for piece in outside[::2]]
    return "".join(outside)


def algorithm_pages(root: Path = ROOT) -> Iterator[tuple[str, str, str, str]]:
    """Give id, title, short description and page of every algorithm, by title."""
    found = []
    for path in sorted((root / HELP).glob("*.html")):
        text = path.read_text(encoding="utf-8")
        body = text.split("<body>")[1].split("</body>")[0].strip()
        title = re.search(r"<h1>(.*?)</h1>", body, re.DOTALL)[1]
        short = _SHORT.search(body)[1]
        # Headings follow one another without a gap.
        body = re.sub(r"<(/?)h3>", r"<\1h2>", body)
        found.append((path.stem, title, short, f"---\ntitle: {_quoted(title)}\n---\n\n{body}\n"))
    return iter(sorted(found, key=lambda one: one[1]))


def _quoted(title: str) -> str:
    return '"' + html.unescape(title).replace('"', "'") + '"'


def stage(folder: Path, root: Path = ROOT) -> list:
    """Write all pages and pictures into a folder; return the menu."""
    folder.mkdir(parents=True)
    shutil.copytree(root / "docs" / "images", folder / "images")
    (folder / "geoanon.css").write_text(_STYLE, encoding="utf-8")
    for source, page in sources().items():
        text = linked((root / source).read_text(encoding="utf-8"), source, root)
        (folder / page).write_text(text, encoding="utf-8")
    (folder / ALGORITHMS).mkdir()
    rows = ["# Algorithms", "", "| algorithm | what it does |", "|---|---|"]
    pages = []
    for name, title, short, text in algorithm_pages(root):
        (folder / ALGORITHMS / f"{name}.md").write_text(text, encoding="utf-8")
        rows.append(f"| [{title}]({name}.md)<br>`geoanon:{name}` | {short} |")
        pages.append({html.unescape(title): f"{ALGORITHMS}/{name}.md"})
    (folder / ALGORITHMS / "index.md").write_text("\n".join(rows) + "\n", encoding="utf-8")
    menu: list = [{name: list(group.values())} for name, group in PAGES.items()]
    menu.insert(2, {"Algorithms": [f"{ALGORITHMS}/index.md", *pages]})
    return menu


def build(target: Path, root: Path = ROOT) -> None:
    """Build the site into a folder; every broken link is an error."""
    from mkdocs.commands.build import build as mkdocs_build
    from mkdocs.config import load_config

    staged = root / "build" / "docs"
    shutil.rmtree(staged, ignore_errors=True)
    menu = stage(staged, root)
    empty = root / "build" / "mkdocs.yml"
    empty.write_text("site_name: GeoAnon\n", encoding="utf-8")
    mkdocs_build(
        load_config(
            str(empty),
            docs_dir=str(staged),
            site_dir=str(target),
            nav=menu,
            strict=True,
            # Opened from a folder, where no server finds index.html for a folder's name.
            use_directory_urls=False,
            theme={
                "name": "material",
                "font": False,  # the reader's own fonts, and no other host
                "features": ["navigation.sections", "navigation.top", "toc.follow"],
                "palette": [
                    {
                        "media": "(prefers-color-scheme: light)",
                        "scheme": "default",
                        "primary": "indigo",
                        "toggle": {"icon": "material/weather-night", "name": "Dark"},
                    },
                    {
                        "media": "(prefers-color-scheme: dark)",
                        "scheme": "slate",
                        "primary": "indigo",
                        "toggle": {"icon": "material/weather-sunny", "name": "Light"},
                    },
                ],
            },
            extra_css=["geoanon.css"],
            plugins=["search", "offline"],
            markdown_extensions=["tables", "toc", "fenced_code", "def_list", "md_in_html"],
            validation={"links": {"anchors": "warn"}},
        )
    )
    _finish(target, root / _SHIM_FILE)


def _finish(target: Path, shim: Path) -> None:
    """Mend what the theme leaves: a script from another host, a dialog without a name.

    The script is loaded from the site itself, or left out where it is not at hand.
    """
    (target / "404.html").unlink()  # nobody asks a folder for a page that it does not have
    if shim.exists():
        shutil.copy(shim, target / "assets" / "javascripts" / "iframe-worker.js")
    for page in target.rglob("*.html"):
        depth = "../" * (len(page.relative_to(target).parts) - 1)
        local = f'<script src="{depth}assets/javascripts/iframe-worker.js"></script>'
        text = page.read_text(encoding="utf-8")
        text = _SHIM.sub(local if shim.exists() else "", text)
        text = text.replace('role="dialog">', 'role="dialog" aria-label="Search">')
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    site = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist" / "site").resolve()
    build(site)
    print(site / "index.html")
