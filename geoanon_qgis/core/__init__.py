# SPDX-License-Identifier: GPL-2.0-or-later
"""The GeoAnon engine: NumPy arrays in, frozen dataclasses out. Knows no QGIS and no Qt.

``from geoanon_qgis import core`` has the front door (:mod:`.library`): ``core.mask(...)``,
``core.attack(...)`` and the others, which are ``geoanon.mask`` and so on after ``pip install``.
They are looked up when they are asked for, so that importing a part of the engine loads no other.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .library import *  # noqa: F403

#: The names of the front door.
NAMES = (
    "Cancelled",
    "DistanceMatrix",
    "DistanceRelease",
    "GeoAnonError",
    "InputError",
    "MissingPackage",
    "StudyArea",
    "aggregate",
    "anonymize",
    "attack",
    "equivalence_classes",
    "link",
    "mask",
    "measure",
    "release",
    "score",
    "screen",
    "study_area",
    "utility",
)


def __getattr__(name: str) -> Any:
    # Python asks for every module of the engine here first, before it is loaded.
    if name in NAMES:
        return getattr(importlib.import_module(".library", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *NAMES})
