# SPDX-License-Identifier: GPL-2.0-or-later
"""The Python packages that the plugin uses: which are there, and what for.

Looking a package up does not import it, so that the toolbox stays quick and a broken package
breaks nothing but what needs it. How to get those that are missing is told by
:mod:`.installing`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import platform
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from . import accel, geos
from .wording import Sentence


@dataclass(frozen=True)
class Package:
    """A package that the plugin uses.

    Attributes
    ----------
    name : str
        Name under which it is imported, and under which package indexes have it.
    purpose : str
        What it is for.
    without : str
        What is missing or slower without it.
    needed : bool
        Whether tools stop without it, rather than do less or take longer.
    minimum : str
        Lowest version that works; empty if any does.
    used : bool
        Whether a tool of this version uses it; the others are what tools to come are built on.
    in_apt_since : mapping of str to float or None
        First release of Debian and of Ubuntu with a new enough ``python3-<name>``; empty if
        every release has one, None if none has.
    keeps : tuple of str
        Packages that pip must leave as they are when it installs this one: what it needs would
        otherwise bring others, built apart from the libraries inside QGIS.
    apart : bool
        Whether it runs in a Python process of its own only: it is never loaded here.
    on_demand : bool
        Whether it serves a single choice, which says itself how to get it: nobody else is told
        to install it.
    """

    name: str
    purpose: str
    without: str
    needed: bool = False
    minimum: str = ""
    used: bool = True
    in_apt_since: Mapping[str, float] | None = field(default_factory=dict)
    keeps: tuple[str, ...] = ("numpy",)
    apart: bool = False
    on_demand: bool = False

    @property
    def wanted(self) -> str:
        """The requirement as package managers write it."""
        return f"{self.name}>={self.minimum}" if self.minimum else self.name


#: Every package the plugin knows of, those it needs first.
PACKAGES: dict[str, Package] = {
    package.name: package
    for package in (
        Package(
            "numpy", Sentence("Arrays: all computation."), Sentence("Nothing runs."), needed=True
        ),
        Package(
            "scipy",
            Sentence("Nearest neighbours, spatial indexes, statistics."),
            Sentence("Masks and attacks do not run."),
            needed=True,
        ),
        Package(
            "pyproj",
            Sentence("Local metric projections and distances on the ground."),
            Sentence("Layers with a coordinate reference system cannot be masked or attacked."),
            needed=True,
        ),
        Package(
            "numba",
            Sentence(
                "An accelerator: compiles the inner loops of attacks and of distance matrices."
            ),
            Sentence("Results are the same; attacks and large distance matrices take longer."),
        ),
        Package(
            "matplotlib",
            Sentence("Charts in reports."),
            Sentence("Reports show tables in place of charts."),
        ),
        Package(
            "shapely",
            Sentence("Polygons: study areas, hulls and Voronoi cells."),
            Sentence(
                "No reference points can be drawn for distances or attacks on them, and no cells."
            ),
            needed=True,
            minimum="2",
            in_apt_since={"debian": 13, "ubuntu": 23.10},
        ),
        Package("networkx", Sentence("Graphs."), Sentence("Nothing is missing."), used=False),
        Package(
            "pyarrow",
            Sentence("Distance matrices in column files (Parquet)."),
            Sentence("Distance matrices are read and written as .csv and .npz only."),
            in_apt_since=None,
        ),
        Package(
            "spopt",
            Sentence("Max-p regions in Voronoi-based aggregation."),
            Sentence("max_p is not available there."),
            in_apt_since=None,
            # Another pyproj brings a second PROJ, with which QGIS crashes.
            keeps=("numpy", "scipy", "pyproj"),
            apart=True,  # it hears no cancel for minutes, and draws from NumPy's own generator
            on_demand=True,
        ),
    )
}

INSTALLED, TOO_OLD, BROKEN, MISSING = "installed", "too old", "broken", "not installed"


@dataclass(frozen=True)
class Finding:
    """What was found of a package.

    Attributes
    ----------
    package : Package
    state : str
        ``INSTALLED``, ``TOO_OLD``, ``BROKEN`` (there, but importing it fails) or ``MISSING``.
    version : str
        Empty if it is missing or does not say.
    note : str
        More about it; empty if there is nothing to say.
    """

    package: Package
    state: str
    version: str = ""
    note: str = ""

    @property
    def usable(self) -> bool:
        """Whether the plugin can work with it."""
        return self.state == INSTALLED


def find(name: str, load: bool = False) -> Finding:
    """Look a package of :data:`PACKAGES` up.

    Parameters
    ----------
    name : str
        Its import name.
    load : bool
        Also import it, which finds those that are there and do not work. By default nothing is
        imported, unless there is no other way to learn a version that matters.

    Returns
    -------
    Finding
    """
    package = PACKAGES[name]
    if not is_there(name):
        return Finding(package, MISSING)
    version = version_of(name)
    if (load and not package.apart) or (package.minimum and not version):
        try:
            module = geos.load() if name == "shapely" else importlib.import_module(name)
            version = str(getattr(module, "__version__", version))
            if load and name == "pyproj":
                # It loads without its database and is of no use then.
                from .proj_thread import in_proj_thread

                in_proj_thread(module.CRS.from_epsg)(4326)
        except Exception as error:  # built for another NumPy, it fails in more ways than one
            return Finding(package, BROKEN, version, _first_line(error))
    if package.minimum and _numbers(version) < _numbers(package.minimum):
        return Finding(
            package,
            TOO_OLD,
            version,
            Sentence("Version {minimum} or newer is needed.", minimum=package.minimum),
        )
    note = ""
    if name == "numba" and accel.status() == "switched off":
        note = Sentence(
            "Switched off: results are the same, attacks and large matrices take longer."
        )
    return Finding(package, INSTALLED, version, note)


def system() -> str:
    """Name the operating system."""
    return platform.platform(terse=True)


# --- looking -----------------------------------------------------------------------------------


def is_there(name: str) -> bool:
    """Whether a package is there, of which nothing is imported."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    # A folder left behind by an uninstalled package looks like a namespace: it has no file.
    return spec is not None and spec.origin is not None


def version_of(name: str) -> str:
    """The version of the module itself if it is loaded, else of the installed distribution."""
    loaded = getattr(sys.modules.get(name), "__version__", None)
    if loaded:
        return str(loaded)
    try:
        return importlib.metadata.version(name) or ""
    except importlib.metadata.PackageNotFoundError:
        return ""


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version: 2.0.1rc1 is (2, 0, 1)."""
    leading = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(number) for number in leading[0].split(".")) if leading else ()


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return Sentence(
        "Importing it fails: {which}", which=lines[0] if lines else type(error).__name__
    )
