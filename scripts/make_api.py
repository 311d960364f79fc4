# SPDX-License-Identifier: GPL-2.0-or-later
"""Write ``docs/api.md`` from the docstrings, and what the examples in ``docs/library.md`` print.

Run with any Python that has NumPy, SciPy and pyproj, after a docstring or an example changed::

    .venv/bin/python scripts/make_api.py
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

API, LIBRARY = ROOT / "docs" / "api.md", ROOT / "docs" / "library.md"
HEAD = """# The functions of `geoanon`

Made from the docstrings by `scripts/make_api.py`. [`library.md`](library.md) says how to install
the package, and shows the functions at work.
"""
#: A block of Python, and what it prints if that follows.
_BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.S)
#: A heading of a numpydoc section.
_SECTION = re.compile(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", re.M)


# --- the page of functions ----------------------------------------------------------------------


def api() -> str:
    """Return the page of functions: what they take, then what they return."""
    import geoanon

    functions, classes = [], []
    for name in geoanon.__all__:
        one = getattr(geoanon, name)
        (classes if inspect.isclass(one) else functions).append(one)
    for one in _results(functions):
        if one not in classes:
            classes.append(one)
    errors = [one for one in classes if issubclass(one, Exception)]
    results = sorted(set(classes) - set(errors), key=lambda one: one.__name__)
    parts = [
        HEAD,
        "## Functions\n",
        *map(_function, functions),
        "## Results\n",
        *map(_class, results),
        "## Errors\n",
    ]
    parts += map(_class, errors)
    return "\n".join(parts).rstrip("\n") + "\n"


def _results(functions: list) -> list[type]:
    """Return the classes of the engine that functions say they return."""
    found = []
    for function in functions:
        names = re.findall(r"\w+", str(inspect.signature(function).return_annotation))
        module = sys.modules[function.__module__]
        found += [
            getattr(module, name) for name in names if inspect.isclass(getattr(module, name, None))
        ]
    return [one for one in dict.fromkeys(found) if one.__module__.startswith("geoanon_qgis")]


def _function(function) -> str:
    return f"### `{function.__name__}{_signature(function)}`\n\n{_body(inspect.getdoc(function))}\n"


def _signature(function) -> str:
    """The parameters without types, which stand below, and as short as people write them."""
    words, bare = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not bare:
            words.append("*")
            bare = True
        default = parameter.default
        told = getattr(default, "__name__", repr(default))
        words.append(parameter.name + ("" if default is parameter.empty else f"={told}"))
    return f"({', '.join(words)})"


def _class(one: type) -> str:
    lines = [f"### `{one.__name__}`\n", _body(inspect.getdoc(one))]
    members = []
    for name, member in vars(one).items():
        if name.startswith("_"):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            member = member.__func__
        is_method = inspect.isfunction(member)
        if not is_method and not hasattr(member, "__get__"):
            continue
        doc = inspect.getdoc(member)
        if doc and (is_method or isinstance(member, property) or hasattr(member, "attrname")):
            call = _signature(member) if is_method else ""
            members.append(f"- `{name}{call}`: {_roles(doc.splitlines()[0])}")
    return "\n".join([*lines, *(["", *members] if members else []), ""])


def _body(doc: str | None) -> str:
    """A numpydoc docstring as Markdown."""
    text = _roles(doc or "")
    pieces = _SECTION.split(text)
    written = [pieces[0].strip()]
    for title, content in zip(pieces[1::2], pieces[2::2]):
        content = content.strip("\n")
        if title == "Examples":
            written.append(f"```pycon\n{content.strip()}\n```")
        elif title in ("Parameters", "Attributes", "Returns", "Raises"):
            written.append(f"**{title}**\n\n{_fields(content)}")
        else:
            written.append(f"**{title}**\n\n{content.strip()}")
    return "\n\n".join(written)


def _fields(content: str) -> str:
    """``name : type`` with an indented text, as a list."""
    lines: list[str] = []
    for line in content.splitlines():
        if line.startswith("    ") and lines:
            if lines[-1].startswith("- "):
                lines[-1] += ":"
            lines.append(f"  {line.strip()}")
        elif line.strip():
            name, _, kind = line.partition(" : ")
            lines.append(f"- `{name}`" + (f" ({kind})" if kind else ""))
    return "\n".join(lines)


def _roles(text: str) -> str:
    """Sphinx's roles and double ticks as Markdown's code."""
    text = re.sub(r":[a-z]+:`~?\.*([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


# --- the examples -------------------------------------------------------------------------------


def with_outputs(text: str) -> str:
    """Run the blocks of a page one after the other, and write what each prints below it.

    As in a notebook: what the code prints, and the value of its last line.
    """
    space: dict = {"__name__": "__main__"}

    def again(found: re.Match) -> str:
        code = found[1]
        printed = run(code, space)
        block = f"```python\n{code}```\n"
        return block + (f"\n```text\n{printed}```\n" if printed else "")

    before = os.getcwd()
    os.chdir(ROOT)
    try:
        return _BLOCK.sub(again, text)
    finally:
        os.chdir(before)


def run(code: str, space: dict) -> str:
    """Run code in a name space; return what it prints, and the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        # The examples are the page's own.
        exec(compile(tree, "<example>", "exec"), space)  # noqa: S102
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<example>", "eval"), space)  # noqa: S307
            if value is not None:
                print(repr(value))
    return told.getvalue()


if __name__ == "__main__":
    API.write_text(api(), encoding="utf-8")
    LIBRARY.write_text(with_outputs(LIBRARY.read_text(encoding="utf-8")), encoding="utf-8")
