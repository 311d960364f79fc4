# SPDX-License-Identifier: GPL-2.0-or-later
"""Write the strings that a user sees to ``i18n/geoanon.ts``, the translators' template.

Qt's own ``pylupdate`` files a string under the class that it stands in; the plugin looks
every string up under one context, ``GeoAnon``, so the strings are collected here, from

- the code: the first argument of ``tr(...)``, ``mark(...)``, ``Sentence(...)`` and of the errors,
  and the nouns of ``number_of(count, one, many)``, which have a form for each number;
- the reports' own words (``report/wording.py``);
- the packaged models: names, steps, parameters, and the help of all of it.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "i18n" / "geoanon.ts"
#: Functions and classes whose first argument is a text for the user.
TAKE_TEXTS = ("tr", "mark", "Sentence", "GeoAnonError", "InputError", "NoSize", "MissingPackage")
SHOWN_OF_MODELS = ("component_description", "description", "help", "model_name", "model_group")


@dataclass(frozen=True)
class Text:
    """A text to be translated.

    Attributes
    ----------
    source : str
    one : str or None
        Of a number and its noun: the English singular; None where there is no number.
    """

    source: str
    one: str | None = None


def strings_in(source: str, name: str) -> list[Text]:
    """Return the texts in a piece of code, in order.

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
        if function == "number_of" and len(node.args) == 3:
            nouns = [noun.value for noun in node.args[1:] if isinstance(noun, ast.Constant)]
            if len(nouns) == 2:
                found.append((node.lineno, Text(f"{{n}} {nouns[1]}", f"{{n}} {nouns[0]}")))
            elif any(not isinstance(noun, ast.Name) for noun in node.args[1:]):
                sys.exit(f"{name}:{node.lineno}: number_of() takes two plain English nouns.")
        elif function in TAKE_TEXTS:
            text = node.args[0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                found.append((text.lineno, Text(text.value)))
            elif isinstance(text, (ast.JoinedStr, ast.BinOp)):
                sys.exit(f"{name}:{text.lineno}: {function}() takes one plain string, no f-string.")
    return [text for _, text in sorted(found, key=lambda one: one[0])]


def words_of_reports(source: str) -> list[Text]:
    """Return the defaults of the dataclass ``Wording``, which are texts unless they are marks."""
    defaults = {
        node.target.id: ast.literal_eval(node.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.AnnAssign) and node.value is not None
    }
    marks = ("lang", "decimal_mark", "group_mark")
    return [Text(text) for name, text in defaults.items() if name not in marks]


def strings_of_model(path: Path) -> list[Text]:
    """Return what a packaged model shows: its names, its steps and parameters, and their help."""
    root = ElementTree.parse(path)
    shown = [one for one in root.iter("Option") if one.get("name") in SHOWN_OF_MODELS]
    for told in root.iterfind(".//Option[@name='help'][@type='Map']"):
        shown += told
    texts = (one.get("value", "") for one in shown if one.get("type") == "QString")
    return [Text(text) for text in texts if text not in ("", "GeoAnon")]


def collect() -> list[Text]:
    """Return all texts without repetition, in the order of files and lines."""
    texts: dict[str, Text] = {}

    def add(found: list[Text]) -> None:
        for text in found:
            texts.setdefault(text.source, text)

    for path in sorted((ROOT / "geoanon_qgis").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        add(strings_in(source, str(path.relative_to(ROOT))))
        if path.parent.name == "report" and path.name == "wording.py":
            add(words_of_reports(source))
    for path in sorted((ROOT / "resources" / "models").glob("*.model3")):
        add(strings_of_model(path))
    return list(texts.values())


def template(texts: list[Text]) -> str:
    """Return ``texts`` as Qt's translation source."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
        '<TS version="2.1" sourcelanguage="en">\n<context>\n    <name>GeoAnon</name>\n'
        f"{''.join(map(_message, texts))}</context>\n</TS>\n"
    )


def _message(text: Text) -> str:
    numbered, comment, forms = "", "", ""
    if text.one is not None:
        numbered = ' numerus="yes"'
        comment = f"        <extracomment>One: {escape(text.one)}</extracomment>\n"
        forms = "<numerusform></numerusform>"
    return (
        f"    <message{numbered}>\n        <source>{escape(text.source)}</source>\n{comment}"
        f'        <translation type="unfinished">{forms}</translation>\n    </message>\n'
    )


if __name__ == "__main__":
    strings = collect()
    TEMPLATE.write_text(template(strings), encoding="utf-8")
    print(f"{TEMPLATE}: {len(strings)} strings")
