# SPDX-License-Identifier: GPL-2.0-or-later
"""What the user declares of quasi-identifiers: their categories, and groups of numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...core.runtime.errors import InputError
from ..dialog.numbers import is_finite
from ..i18n import tr

#: Limits of groups without an end.
_ENDLESS = (math.inf, -math.inf)


def declared_categories(text: str) -> dict[str, Any]:
    """Read declared categories: JSON, or the path of a file with JSON.

    Returns
    -------
    dict of str to (list or int)
        The categories of each field, or how many there are.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    return _declared(
        text,
        tr("The declared categories"),
        lambda value: (
            (all(isinstance(one, (str, int, float)) for one in value) and len(value) > 0)
            if isinstance(value, list)
            else _is_count(value, 1)
        ),
        tr(
            "The declared categories of “{name}” are neither a list of values nor a number of "
            "categories."
        ),
    )


def groups_of_numbers(text: str) -> dict[str, Any]:
    """Read how numbers are to be grouped: limits, or a number of groups of equal size.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    return _declared(
        text,
        tr("The groups of numbers"),
        lambda value: (
            (all(map(_is_limit, value)) and len(value) >= 2)
            if isinstance(value, list)
            else _is_count(value, 2)
        ),
        tr(
            "The groups of “{name}” are neither a list of ascending limits nor a number of groups "
            "of 2 or more."
        ),
    )


def _is_count(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_limit(value: Any) -> bool:
    return isinstance(value, (int, float)) and (is_finite(value) or value in _ENDLESS)


def _declared(text: str, what: str, is_good: Callable[[Any], bool], refusal: str) -> dict[str, Any]:
    text = text.strip()
    if not text:
        return {}
    try:
        if not text.startswith("{"):
            text = Path(text).read_text(encoding="utf-8")
        found = json.loads(text)
    except (OSError, ValueError) as error:
        raise InputError(
            tr(
                "{what} cannot be read as JSON, nor is there such a file. The parameter's help has "
                "an example."
            ).format(what=what)
        ) from error
    if not isinstance(found, dict):
        raise InputError(
            tr(
                "{what} are no JSON object with the fields' names. The parameter's help has an "
                "example."
            ).format(what=what)
        )
    for name, value in found.items():
        if not is_good(value):
            raise InputError(refusal.format(name=name))
    return found
