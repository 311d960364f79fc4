# SPDX-License-Identifier: GPL-2.0-or-later
"""What the parts of a report check and tidy when they are made: names, and values as plain Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .values import plain

_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")


def assign(instance: Any, **fields: Any) -> None:
    """Assign normalised fields of a frozen dataclass from its ``__post_init__``."""
    for name, value in fields.items():
        object.__setattr__(instance, name, value)


def check_name(name: str, needed: bool = False) -> None:
    if (name or needed) and not _NAME.match(name):
        raise ValueError(f"not a machine name (lower case, digits, underscores): {name!r}")


def made(kind: type, values: Iterable[Any]) -> tuple[Any, ...]:
    """Return values of a dataclass, of which some may be given as tuples of its fields."""
    return tuple(one if isinstance(one, kind) else kind(*one) for one in values)


def plain_tuple(values: Any) -> tuple[Any, ...]:
    return tuple(plain(value) for value in values)


def plain_tree(value: Any) -> Any:
    """Return nested mappings and sequences with plain values, as JSON has them."""
    if isinstance(value, Mapping):
        return {str(key): plain_tree(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_tree(one) for one in value]
    return plain(value)


def check_unique(names: Sequence[str]) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError("names used twice in one report: " + ", ".join(twice))
