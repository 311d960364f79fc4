# SPDX-License-Identifier: GPL-2.0-or-later
"""The GeoAnon engine: NumPy arrays in, frozen dataclasses out. Knows no QGIS and no Qt.

``from geoanon_qgis import core`` has the front door (:mod:`.library`): ``core.mask(...)``,
``core.attack(...)`` and the others, which are ``geoanon.mask`` and so on after ``pip install``.
They are looked up when they are asked for, so that importing a part of the engine loads no other.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .library import *  # noqa: F403


def __getattr__(name: str) -> Any:
    # QGIS asks each module of a plugin that it unloads for this name, and stumbles over imports.
    if name == "qCleanupResources":
        raise AttributeError(name)
    # Python asks for every module of the engine here first, before it is loaded.
    if not name.startswith("_") and importlib.util.find_spec(f"{__name__}.{name}") is None:
        library = importlib.import_module(".library", __name__)
        if name in library.__all__:
            return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from .library import __all__

    return sorted({*globals(), *__all__})
