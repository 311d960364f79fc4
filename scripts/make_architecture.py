# SPDX-License-Identifier: GPL-2.0-or-later
"""Draw ``docs/images/architecture.svg`` from the imports of the code.

A box is a folder, or the modules of one that are named below. Every module belongs to the first
box that one of its patterns fits. An import that makes a circle of boxes is refused, by name. What
a box also reaches through another one is not drawn.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "geoanon_qgis"
TARGET = Path("docs", "images", "architecture.svg")
HIGH, WIDTH = 50, 980


@dataclass(frozen=True)
class Box:
    """Some modules, and where they are drawn: left edge, top, width.

    Attributes
    ----------
    title, says : str
    patterns : tuple of str
        Of the paths of modules below the package.
    left, top, wide : int
    """

    title: str
    says: str
    patterns: tuple[str, ...]
    left: int
    top: int
    wide: int

    @property
    def middle(self) -> float:
        return self.left + self.wide / 2


BOXES = (
    Box(
        "plugin, provider",
        "what QGIS loads",
        ("__init__.py", "plugin.py", "processing/provider.py"),
        390,
        20,
        200,
    ),
    Box("desktop", "menu, inspector, start page", ("desktop/*",), 60, 110, 200),
    Box(
        "processing/algorithms",
        "one algorithm a file: declared, then executed",
        ("processing/algorithms/*", "processing/families/releasing.py")
        + ("processing/families/masks/*",)
        + ("processing/families/attacking/[!a]*", "processing/families/attacking/attack.py")
        + ("processing/families/measuring/measure.py", "processing/families/measuring/risks.py")
        + ("processing/families/measuring/scans.py", "processing/families/advising/reading.py"),
        310,
        110,
        360,
    ),
    Box("processing/reports", "what each report tells", ("processing/reports/*",), 60, 200, 240),
    Box("processing/maps", "maps in reports", ("processing/maps/*",), 720, 290, 200),
    Box(
        "processing/families",
        "what several of a kind share",
        ("processing/families/*",),
        60,
        290,
        240,
    ),
    Box(
        "processing",
        "base of all algorithms, models, outputs",
        ("processing/base.py", "processing/models.py", "processing/settling.py")
        + ("processing/writing.py", "processing/running.py", "processing/verdicts.py")
        + ("processing/loading.py",),
        340,
        380,
        320,
    ),
    Box("processing/audit", "what is kept of a run", ("processing/audit/*",), 60, 470, 200),
    Box(
        "processing/layers",
        "layers to arrays and back, drafts, files",
        ("processing/layers/*",),
        340,
        560,
        320,
    ),
    Box("processing/dialog", "declarations, parameters", ("processing/dialog/*",), 60, 650, 200),
    Box("processing: words", "translation, styles, progress", ("processing/*",), 340, 710, 240),
    Box("report", "one model, as HTML and JSON", ("report/*",), 60, 780, 210),
    Box(
        "compat, paths",
        "versions of Qt and QGIS; folders",
        ("compat.py", "paths.py"),
        690,
        780,
        230,
    ),
    Box(
        "core/library",
        "for Python without QGIS",
        ("core/library/*", "core/__init__.py"),
        740,
        860,
        180,
    ),
    Box("core/experiments", "again and again", ("core/experiments/*",), 60, 860, 170),
    Box(
        "core/attacks/maps",
        "likelihood, map, fit; all by name",
        ("core/attacks/maps/*", "core/attacks/by_name.py"),
        60,
        1020,
        200,
    ),
    Box("core/attacks/masks", "posteriors", ("core/attacks/masks/*",), 300, 1020, 190),
    Box(
        "core/attacks/linkage", "cliques by distances", ("core/attacks/linkage/*",), 280, 1100, 190
    ),
    Box("core/attacks/voronoi", "reversal", ("core/attacks/voronoi/*",), 60, 1100, 190),
    Box("core/attacks/cliques", "search", ("core/attacks/cliques/*",), 280, 1190, 190),
    Box(
        "core/verdict, scoring",
        "decision, adversary, evidence",
        ("core/verdict.py", "core/attacks/*"),
        60,
        1190,
        200,
    ),
    Box("core/aggregation", "VBAS", ("core/aggregation/*",), 590, 1100, 170),
    Box("core/measures", "patterns kept, risk", ("core/measures/*",), 520, 940, 170),
    Box("core/microdata", "methods and risk", ("core/microdata/*",), 800, 980, 140),
    Box("core/identifying", "screening of fields", ("core/identifying/*",), 800, 1190, 150),
    Box("core/verification", "is it what was judged?", ("core/verification/*",), 500, 1190, 160),
    Box("core/masking", "all masks", ("core/masking/*",), 650, 1190, 130),
    Box(
        "core/distances",
        "embeddings, noise, accuracy, files",
        ("core/distances/*",),
        400,
        1280,
        260,
    ),
    Box("core/space", "planes, metrics, areas", ("core/space/*",), 240, 1370, 330),
    Box("core/runtime, columns", "values, progress, errors, memory", ("core/*",), 240, 1460, 330),
)


class Circle(Exception):
    """Boxes use each other in a circle."""


def imports(root: Path) -> Iterator[tuple[str, str]]:
    """Give the paths of a module and of one that it imports, below the package."""
    package = root / PACKAGE
    modules = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        modules[parts[:-1] if parts[-1] == "__init__" else parts] = path
    for parts, path in modules.items():
        folder = parts if path.name == "__init__.py" else parts[:-1]
        for node in _statements(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            base = folder[: len(folder) - node.level + 1]
            base += tuple(node.module.split(".")) if node.module else ()
            for name in node.names:
                target = modules.get((*base, name.name)) or modules[base]
                yield tuple(one.relative_to(package).as_posix() for one in (path, target))


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield node
            yield from _statements(node)


def box_of(module: str) -> Box:
    """Return the box that a module is in."""
    for box in BOXES:
        if any(fnmatch(module, pattern) for pattern in box.patterns):
            return box
    raise SystemExit(f"{module} is in no box: add it to BOXES in scripts/make_architecture.py.")


def arrows(root: Path) -> dict[tuple[Box, Box], str]:
    """Return what box uses what, with an import that shows it."""
    found = {}
    for source, target in imports(root):
        pair = box_of(source), box_of(target)
        if pair[0] is not pair[1]:
            found.setdefault(pair, f"{source} imports {target}")
    return found


def reduced(found: dict[tuple[Box, Box], str]) -> list[tuple[Box, Box]]:
    """Leave out arrows that longer ways stand for.

    Raises
    ------
    Circle
    """
    below: dict[Box, set[Box]] = {}

    def visit(box: Box, way: tuple[Box, ...]) -> set[Box]:
        if box in way:
            circle = (*way[way.index(box) :], box)
            raise Circle("; ".join(found[pair] for pair in zip(circle, circle[1:])))
        if box not in below:
            direct = [b for a, b in found if a is box]
            below[box] = set(direct).union(*(visit(one, (*way, box)) for one in direct))
        return below[box]

    for box in BOXES:
        visit(box, ())
    return [(a, b) for a, b in found if not any(b in below[one] for x, one in found if x is a)]


def draw(found: dict[tuple[Box, Box], str]) -> str:
    """Return the picture of these arrows."""
    height = max(box.top for box in BOXES) + HIGH + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        ' font-family="sans-serif">',
        "<title>Which part of GeoAnon uses which: arrows point down, from QGIS to the"
        " engine</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
        ' markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#5b6770"/></marker></defs>',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        f'<rect x="30" y="838" width="{WIDTH - 60}" height="{height - 848}" rx="8"'
        ' fill="#eef4f1"/>',
        '<text x="330" y="870" font-size="13" fill="#2f6b52">the engine:</text>',
        '<text x="330" y="886" font-size="13" fill="#2f6b52">plain Python, no QGIS</text>',
    ]
    for a, b in reduced(found):
        end = min(max(a.middle, b.left + 15), b.left + b.wide - 15)
        lines.append(
            f'<line x1="{a.middle:g}" y1="{a.top + HIGH}" x2="{end:g}" y2="{b.top}"'
            f' stroke="#5b6770" stroke-width="1.3" marker-end="url(#tip)">'
            f"<title>{escape(a.title)} uses {escape(b.title)}</title></line>"
        )
    for box in BOXES:
        colour = "#cfe5da" if box.patterns[0].startswith("core") else "#dde6f3"
        lines += [
            f'<rect x="{box.left}" y="{box.top}" width="{box.wide}" height="{HIGH}" rx="6"'
            f' fill="{colour}" stroke="#5b6770"/>',
            f'<text x="{box.middle:g}" y="{box.top + 21}" font-size="14" font-weight="bold"'
            f' text-anchor="middle">{escape(box.title)}</text>',
            f'<text x="{box.middle:g}" y="{box.top + 39}" font-size="11.5"'
            f' text-anchor="middle">{escape(box.says)}</text>',
        ]
    return "\n".join([*lines, "</svg>"]) + "\n"


if __name__ == "__main__":
    try:
        picture = draw(arrows(ROOT))
    except Circle as circle:
        sys.exit(f"Parts use each other in a circle: {circle}.")
    (ROOT / TARGET).write_text(picture, encoding="utf-8")
    print(ROOT / TARGET)
