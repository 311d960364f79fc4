# SPDX-License-Identifier: GPL-2.0-or-later
"""shapely beside another GEOS in one process: how it is loaded, and what is said of it."""

from __future__ import annotations

import os
import sys
import types

import pytest

from geoanon_qgis.core.masking.cells import study_area, voronoi_cells
from geoanon_qgis.core.runtime import geos, packages
from geoanon_qgis.core.runtime.errors import MissingPackage


@pytest.fixture
def unknown(monkeypatch):
    """Nothing has been loaded yet."""
    monkeypatch.setattr(geos, "_good", None)


def test_without_shapely_the_command_is_told(monkeypatch, rng):
    monkeypatch.setitem(sys.modules, "shapely", None)
    with pytest.raises(MissingPackage, match=r"shapely \(version 2 or newer\).* run .*install"):
        study_area(rng.random((5, 2)))
    monkeypatch.undo()
    xy = rng.random((5, 2))
    assert len(voronoi_cells(xy, study_area(xy))[0]) == 5


def test_an_old_shapely_is_said_to_be_too_old(monkeypatch, unknown):
    old = types.ModuleType("shapely")
    old.__version__, old.__spec__ = "1.8.5", types.SimpleNamespace(origin="shapely.py")
    monkeypatch.setitem(sys.modules, "shapely", old)
    assert packages.find("shapely").state == packages.TOO_OLD
    with pytest.raises(MissingPackage, match="version 2 or newer"):
        geos.shapely()


@pytest.mark.skipif(not hasattr(os, "RTLD_DEEPBIND"), reason="only glibc mixes libraries up")
def test_what_was_loaded_before_is_used_only_with_a_geos_that_has_all_it_calls(
    monkeypatch, unknown
):
    shapely = pytest.importorskip("shapely", minversion="2")
    monkeypatch.setattr(geos, "_of_program", lambda: "3.9.1")
    with pytest.raises(
        MissingPackage, match=r"another GEOS .*\(3\.9\.1\): using it would end QGIS"
    ):
        geos.shapely()
    assert packages.find("shapely", load=True).state == packages.BROKEN
    for good in (shapely.geos_version_string, "3.12.0", ""):
        monkeypatch.setattr(geos, "_good", None)
        monkeypatch.setattr(geos, "_of_program", lambda good=good: good)
        assert geos.shapely() is shapely
    monkeypatch.setattr(geos, "_of_program", lambda: "3.9.1")
    assert geos.shapely() is shapely  # asked once


def test_how_libraries_are_loaded_is_as_before_afterwards(monkeypatch, unknown):
    before = sys.getdlopenflags() if hasattr(sys, "getdlopenflags") else None
    monkeypatch.delitem(sys.modules, "shapely", raising=False)
    during = []

    def fails(name):
        during.append(sys.getdlopenflags() if before is not None else None)
        raise ImportError("libgeos.so: no such file")

    monkeypatch.setattr(geos.importlib, "import_module", fails)
    with pytest.raises(ImportError):
        geos.load()
    if hasattr(os, "RTLD_DEEPBIND"):
        assert during == [before | os.RTLD_DEEPBIND]
    if before is not None:
        assert sys.getdlopenflags() == before
