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
#: A GEOS from which on one of its own minor version or a later one makes no difference to what we
#: call: it has the functions for measures and for points in prepared polygons, without which a
#: shapely made for them ends the program. (3.11 with a shapely for 3.13 does, 3.13 with one for
#: 3.14 works, in four threads.)
_ENOUGH = (3, 12)


def shapely() -> ModuleType:
    """Return shapely, or say what is missing and what to type.

    Raises
    ------
    MissingPackage
        If there is none, an old one, or one that another plugin loaded and that would crash.
    """
    from .installing import missing_sentence

    if _good is None or sys.modules.get("shapely") is not _good:
        missing = missing_sentence(["shapely"])
        if missing:
            raise MissingPackage(missing)
    return load()


def load() -> ModuleType:
    """Import shapely apart from the program's GEOS; see :func:`shapely`.

    The programs of QGIS (not a Python that imports ``qgis.core``) are linked with a GEOS of their
    own, whose functions Linux then finds first for every library that is loaded later. A shapely
    from PyPI brings another version: it calls that of the program, and its own where an older one
    has no such function, upon which the program ends without a word. So it is told to look among
    its own libraries first, unless QGIS itself (from 3.40 on) or a plugin has loaded it before.
    """
    global _good
    if _good is not None and sys.modules.get("shapely") is _good:
        return _good
    deep = getattr(os, "RTLD_DEEPBIND", 0)  # 0 where the system has no such trouble
    if "shapely" in sys.modules:
        module = importlib.import_module("shapely")
        program = _of_program()
        if deep and program not in ("", module.geos_version_string) and _numbers(program) < _ENOUGH:
            raise MissingPackage(
                "QGIS or another plugin has loaded a shapely that was made for another GEOS"
                " ({wanted}) than that of QGIS ({there}): using it would end QGIS. Install the"
                " shapely of your system (python3-shapely), version 2 or newer, or build one for"
                " this GEOS: python3 -m pip install --force-reinstall --no-binary shapely shapely",
                wanted=module.geos_version_string,
                there=program,
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


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(one) for one in version.split(".")[:2])


def _of_program() -> str:
    """Version of the GEOS that the running program is linked with, empty for none."""
    try:
        version = ctypes.CDLL(None).GEOSversion
    except (AttributeError, OSError):
        return ""
    version.restype = ctypes.c_char_p
    return version().decode().partition("-")[0]
