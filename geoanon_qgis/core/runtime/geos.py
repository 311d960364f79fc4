# SPDX-License-Identifier: GPL-2.0-or-later
"""shapely, so loaded that its own GEOS and that of QGIS keep out of each other's way."""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from types import ModuleType

from .errors import MissingPackage

#: What was loaded and found good.
_good: ModuleType | None = None


def shapely() -> ModuleType:
    """Return shapely, or say what is missing and what to type.

    Raises
    ------
    MissingPackage
        If there is none, an old one, or one that another plugin loaded and that would crash.
    """
    from .packages import missing_sentence

    if _good is None or sys.modules.get("shapely") is not _good:
        missing = missing_sentence(["shapely"])
        if missing:
            raise MissingPackage(missing)
    return load()


def load() -> ModuleType:
    """Import shapely apart from the program's GEOS; see :func:`shapely`.

    The programs of QGIS (not a Python that imports ``qgis.core``) are linked with a GEOS of their
    own, whose functions Linux then finds first for every library that is loaded later. A shapely
    from PyPI brings another version: it would call half of the one and half of the other, and the
    program ends without a word. So it is told to look among its own libraries first.
    """
    global _good
    if _good is not None and sys.modules.get("shapely") is _good:
        return _good
    deep = getattr(os, "RTLD_DEEPBIND", 0)  # 0 where the system has no such trouble
    if "shapely" in sys.modules:
        module = importlib.import_module("shapely")
        # Loaded in the ordinary way, by another plugin: of use where both are the same GEOS.
        if deep and _of_program() not in ("", module.geos_version_string):
            raise MissingPackage(
                "Another plugin has loaded shapely in a way in which using it would end QGIS."
                " Start QGIS again and run this first, or with the other plugins switched off."
            )
    elif deep:
        flags = sys.getdlopenflags()
        sys.setdlopenflags(flags | deep)
        try:
            module = importlib.import_module("shapely")
        finally:
            sys.setdlopenflags(flags)
    else:
        module = importlib.import_module("shapely")
    _good = module
    return module


def _of_program() -> str:
    """Version of the GEOS that the running program is linked with, empty for none."""
    try:
        version = ctypes.CDLL(None).GEOSversion
    except (AttributeError, OSError):
        return ""
    version.restype = ctypes.c_char_p
    return version().decode().partition("-")[0]
