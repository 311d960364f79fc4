# SPDX-License-Identifier: GPL-2.0-or-later
"""Write the strings that the plugin shows to ``i18n/geoanon.ts``, the translators' template.

Qt's own ``pylupdate`` files a string under the class that it stands in; the plugin looks
every string up under one context, ``GeoAnon``, so the strings are collected here: the first
argument of each ``tr(...)`` and ``mark(...)``.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "i18n" / "geoanon.ts"


def strings_in(source: str, name: str) -> list[str]:
    """Return the literal strings given to ``tr`` and ``mark`` in ``source``, in order.

    Raises
    ------
    SystemExit
        If one is an f-string or is put together: no translator could find it.
    """
    found = []
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and node.args):
            continue
        function = getattr(node.func, "id", getattr(node.func, "attr", None))
        text = node.args[0]
        if function not in ("tr", "mark"):
            continue
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            found.append((text.lineno, text.value))
        elif isinstance(text, (ast.JoinedStr, ast.BinOp)):
            sys.exit(f"{name}:{text.lineno}: {function}() takes one plain string; then .format().")
    return [text for _, text in sorted(found)]


def collect() -> list[str]:
    """Return the plugin's strings without repetition, in the order of files and lines."""
    texts: dict[str, None] = {}
    for path in sorted((ROOT / "geoanon_qgis").rglob("*.py")):
        name = str(path.relative_to(ROOT))
        texts.update(dict.fromkeys(strings_in(path.read_text(encoding="utf-8"), name)))
    return list(texts)


def template(texts: list[str]) -> str:
    """Return ``texts`` as Qt's translation source."""
    messages = "".join(
        f"    <message>\n        <source>{escape(text)}</source>\n"
        '        <translation type="unfinished"></translation>\n    </message>\n'
        for text in texts
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
        '<TS version="2.1" sourcelanguage="en">\n<context>\n    <name>GeoAnon</name>\n'
        f"{messages}</context>\n</TS>\n"
    )


if __name__ == "__main__":
    strings = collect()
    TEMPLATE.write_text(template(strings), encoding="utf-8")
    print(f"{TEMPLATE}: {len(strings)} strings")
