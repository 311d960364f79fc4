# SPDX-License-Identifier: GPL-2.0-or-later
"""Where the plugin's own files are: in the package once deployed, beside it in a checkout."""

from __future__ import annotations

import configparser
from functools import lru_cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def find(*parts: str) -> Path | None:
    """Return the file or folder ``parts`` of the plugin, or None when it is not there."""
    for root in (PACKAGE, PACKAGE.parent):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    return None


def resource(*parts: str) -> Path | None:
    """Return a file or folder below ``resources``, or None when it is not there."""
    return find("resources", *parts)


def icon(name: str = "geoanon") -> str:
    """Return the path of ``resources/icons/<name>.svg``, else the plugin's own icon, else ''."""
    path = resource("icons", f"{name}.svg") or resource("icons", "geoanon.svg")
    return str(path) if path else ""


def help_page(name: str, locale: str) -> Path | None:
    """Return the help page of an algorithm in a language if there is one, else in English."""
    return resource("help", locale[:2], f"{name}.html") or resource("help", f"{name}.html")


@lru_cache(maxsize=1)
def metadata() -> dict[str, str]:
    """Return the ``[general]`` section of ``metadata.txt`` (empty when there is no such file)."""
    parser = configparser.ConfigParser(interpolation=None)
    path = find("metadata.txt")
    if path is not None:
        parser.read(path, encoding="utf-8")
    return dict(parser["general"]) if parser.has_section("general") else {}
