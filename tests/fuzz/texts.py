# SPDX-License-Identifier: GPL-2.0-or-later
"""What texts for people and for programs must be: sentences, strict JSON, escaped HTML."""

from __future__ import annotations

import json
import math
import re
from html.parser import HTMLParser

#: Signs of Python in what is shown to people.
_PYTHON = re.compile(
    r"np\.(float|int|str|bool)\w*\(|PyQt[56]\.|<class |Traceback|QVariant|\bat 0x[0-9a-f]{6}|"
    r"dtype=|numpy\.(?!load)|array\(\[|<Qgs|\{\w+\}"
)
_NOT_A_NUMBER = re.compile(r"(?<![\w“\"'=./])(nan|NaN|inf|None)(?![\w”\"'/])")
_ONE_OF_MANY = re.compile(
    r"(?<![\d.,–])1 (records|features|points|fields|people|pairs|places|areas|regions|sites|"
    r"classes|values|matches|columns|groups|candidates)\b"
)
_DRAFT = re.compile(r"\.geoanon-\w+")
#: What QGIS says by itself when it refuses a value.
_QGIS_SAYS = re.compile(
    r"^(Could not load source layer for |Incorrect parameter value for |Could not create |"
    r"Error encountered while running |There were errors executing|Value for |Unable to )"
)
_VOID = {
    "area",
    "base",
    "br",
    "col",
    "embed",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "track",
    "wbr",
}


def sentence_faults(text: str) -> list[str]:
    """Why a refusal is no sentence for people."""
    text = re.sub(r"^Unable to execute algorithm\n", "", text).strip()
    if _QGIS_SAYS.match(text):
        return []
    faults = said_faults(text)
    if len(text) < 15:
        faults.append("too short")
    if text[:1].islower():
        faults.append("begins with a small letter")
    if not re.search(r"(\.|:\n.*|</a>|\?|[.!]”?\)?)$", text, re.DOTALL):
        faults.append("does not end with a full stop")
    return faults


def said_faults(text: str) -> list[str]:
    """Why a line of the log is none for people."""
    faults = []
    for pattern, what in (
        (_PYTHON, "shows Python"),
        (_NOT_A_NUMBER, "shows no number"),
        (_ONE_OF_MANY, "plural"),
        (_DRAFT, "shows a draft's path"),
    ):
        found = pattern.search(text)
        if found:
            faults.append(f"{what} ({found.group(0)})")
    if "Something unexpected" in text:
        faults.append("something unexpected")
    return faults


def json_faults(text: str) -> list[str]:
    """Why a text is no strict JSON."""

    def refuse(constant):
        raise ValueError(f"holds {constant}")

    try:
        found = json.loads(text, parse_constant=refuse)
    except ValueError as error:
        return [f"JSON: {error}"]
    return [f"JSON holds {one}" for one in _odd_numbers(found)]


def _odd_numbers(found) -> list[float]:
    if isinstance(found, float):
        return [] if math.isfinite(found) else [found]
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return [one for value in inner for one in _odd_numbers(value)]


class _Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag not in _VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name.startswith("on") and "alert" in (value or ""):
                self.faults.append(f"HTML: data became the attribute {name}")
            if name in ("src", "href") and re.match(r"(https?:)?//", value or "") and tag != "a":
                self.faults.append(f"HTML loads {value}")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"HTML: </{tag}> closes nothing")

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_data(self, data):
        if self.open and self.open[-1] == "script" and "alert(" in data:
            self.faults.append("HTML: data became a script")
        if not {"script", "style", "pre", "code"} & {*self.open}:
            self.text.append(data)


def html_faults(text: str) -> list[str]:
    """Why a page is not well formed, or lets data through."""
    page = _Page()
    page.feed(text)
    page.close()
    faults = list(dict.fromkeys(page.faults))
    if page.open:
        faults.append(f"HTML: <{page.open[-1]}> stays open")
    for part in page.text:
        faults += [f"HTML: {one} in “{part.strip()[:60]}”" for one in said_faults(part)]
    return faults[:5]
