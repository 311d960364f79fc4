# SPDX-License-Identifier: GPL-2.0-or-later
"""Write the strings that a user sees to ``i18n/geoanon.ts``, the translators' template.

Qt's own ``pylupdate`` files a string under the class that it stands in; the plugin looks
every string up under one context, ``GeoAnon``, so the strings are collected here, from

- the code: the first argument of ``tr(...)``, ``mark(...)``, ``Sentence(...)`` and of the errors,
  and the nouns of ``number_of(count, one, many)``, which have a form for each number;
- the reports' own words (``report/wording.py``);
- the packaged models: names, steps, parameters, and the help of all of it.

Every language that has a file (``geoanon_de.ts``) is brought up to date: what is translated stays, what
is gone goes, and Qt's ``lrelease`` compiles it to what the plugin loads. What is not translated is
shown in English, and is not in the file: ``--missing FILE`` writes it, ``--take FILE`` takes it back,
filled in.
"""

from __future__ import annotations

import argparse
import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from xml.etree import ElementTree
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "i18n" / "geoanon.ts"
#: Languages, and how many forms a counted noun has in each.
FORMS = {"de": 2, "es": 2, "fr": 2}
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


def template(
    texts: list[Text], language: str = "", known: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> str:
    """Return ``texts`` as Qt's translation source.

    Parameters
    ----------
    texts : list of Text
    language : str
        Of the translation; none for the template.
    known : mapping of str to sequence of str
        What is translated, by its source: one text, or a form for each number.
    """
    into = f' language="{language}"' if language else ""
    messages = "".join(_message(text, known.get(text.source, ())) for text in texts)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n'
        f'<TS version="2.1" sourcelanguage="en"{into}>\n<context>\n    <name>GeoAnon</name>\n'
        f"{messages}</context>\n</TS>\n"
    )


def _message(text: Text, known: Sequence[str]) -> str:
    numbered, comment, said = "", "", "".join(map(escape, known))
    if text.one is not None:
        numbered = ' numerus="yes"'
        comment = f"        <extracomment>One: {escape(text.one)}</extracomment>\n"
        said = "".join(f"<numerusform>{escape(one)}</numerusform>" for one in known or [""])
    kind = "" if known else ' type="unfinished"'
    return (
        f"    <message{numbered}>\n        <source>{escape(text.source)}</source>\n{comment}"
        f"        <translation{kind}>{said}</translation>\n    </message>\n"
    )


def read(path: Path) -> dict[str, list[str]]:
    """Return what a translation source has finished, as :func:`template` takes it."""
    known = {}
    for message in ElementTree.parse(path).iter("message"):
        said = message.find("translation")
        if said.get("type") is not None:
            continue
        forms = [one.text or "" for one in said.iter("numerusform")]
        known[message.findtext("source")] = forms or [said.text or ""]
    return known


def fault(text: Text, said: Sequence[str], forms: int) -> str:
    """Say what is wrong with a translation; nothing if it can be shown.

    Parameters
    ----------
    text : Text
    said : sequence of str
    forms : int
        Forms that the language has for a counted noun.
    """
    if len(said) != (1 if text.one is None else forms):
        return "has another number of forms"
    for one in said:
        if not one.strip():
            return "is empty"
        asked, found = _filled(text.source), _filled(one)
        if text.one is not None:
            found = found | {"{n}"}
        if asked != found:
            return f"fills in {sorted(found)} in the place of {sorted(asked)}"
        if (text.source[:1].isspace(), text.source[-1:].isspace()) != (
            one[:1].isspace(),
            one[-1:].isspace(),
        ):
            return "begins or ends with another space"
    return ""


def _filled(text: str) -> set[str]:
    """What is filled in, with its format."""
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return {text}  # braces that are shown
    return {f"{{{name}{':' + form if form else ''}}}" for _, name, form, _ in parts if name}


def renew(path: Path, texts: list[Text], more: Mapping[str, Sequence[str]] = {}) -> list[Text]:
    """Bring a language's file up to date and compile it; return what is not translated.

    Raises
    ------
    SystemExit
        For a translation that could not be shown, named with its fault.
    """
    language = path.stem.partition("_")[2]
    known = {**read(path), **more} if path.exists() else dict(more)
    for text in texts:
        wrong = fault(text, known[text.source], FORMS[language]) if text.source in known else ""
        if wrong:
            sys.exit(f"{path.name}: {wrong}: {known[text.source]!r} for {text.source!r}")
    finished = [text for text in texts if text.source in known]
    path.write_text(template(finished, language, known), encoding="utf-8")
    lrelease = shutil.which("lrelease")
    if lrelease is None:
        print(f"{path.name}: lrelease is not there, so that the plugin does not see it yet")
    else:
        subprocess.run([lrelease, "-silent", path.name], cwd=path.parent, check=True)
    return [text for text in texts if text.source not in known]


def main() -> None:
    """Write the template, and bring every language up to date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", nargs="?", choices=sorted(FORMS), help="this one only")
    parser.add_argument("--missing", type=Path, help="write what is not translated, as JSON")
    parser.add_argument("--take", type=Path, nargs="+", default=[], help="such files, filled in")
    given = parser.parse_args()
    texts = collect()
    TEMPLATE.write_text(template(texts), encoding="utf-8")
    print(f"{TEMPLATE.name}: {len(texts)} strings")
    more = {}
    for path in given.take:
        for source, said in json.loads(path.read_text(encoding="utf-8")).items():
            more[source] = [said] if isinstance(said, str) else said
    for language in [given.language] if given.language else FORMS:
        path = TEMPLATE.with_name(f"geoanon_{language}.ts")
        if not path.exists() and given.language is None:
            continue
        missing = renew(path, texts, more)
        print(f"{path.name}: {len(missing)} not translated")
        if given.missing:
            asked = {one.source: "" if one.one is None else ["", ""] for one in missing}
            given.missing.write_text(json.dumps(asked, indent=0, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
