# SPDX-License-Identifier: GPL-2.0-or-later
"""The Python packages that the plugin uses: which are there, what for, and how to get them.

Looking a package up does not import it, so that the toolbox stays quick and a broken package
breaks nothing but what needs it. Nothing is ever installed from here: the user is told the
command, which depends on the system and on the interpreter that QGIS runs.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import accel, geos
from .wording import Sentence, joined

#: Times as long from which on the want of numba is told.
_WORTH_TELLING = 1.5


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
    if not _is_there(name):
        return Finding(package, MISSING)
    version = _version(name)
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


def missing_sentence(names: Iterable[str]) -> str:
    """Say which of the packages are not there, and how to install them.

    Parameters
    ----------
    names : iterable of str
        Import names of :data:`PACKAGES`.

    Returns
    -------
    str
        Empty when all can be used.
    """
    lacking = [finding for finding in map(find, names) if not finding.usable]
    if not lacking:
        return ""
    what = joined(
        (
            Sentence(
                "{name} (version {minimum} or newer)",
                name=finding.package.name,
                minimum=finding.package.minimum,
            )
            if finding.package.minimum
            else finding.package.name
            for finding in lacking
        ),
        ", ",
    )
    command = install_command([finding.package.name for finding in lacking])
    return Sentence(
        "This needs Python packages that QGIS does not have: {what}. To install them, run "
        "{command} {where_to_run}, then restart QGIS.",
        what=what,
        command=command,
        where_to_run=where_to_run(),
    )


def slower_sentence(times: float) -> str:
    """Say how much longer a run takes where kernels are not compiled, and what helps.

    Parameters
    ----------
    times : float
        How many times as long it takes without numba; what is below 1.5 is not told.

    Returns
    -------
    str
        Empty where there is nothing to say.
    """
    if accel.enabled() or times < _WORTH_TELLING:
        return ""
    if accel.available():
        return Sentence(
            "numba is switched off (GEOANON_NUMBA): this takes about {times:.2g} times as long, with "
            "the same results unless a time limit ends it.",
            times=times,
        )
    return Sentence(
        "Without the package numba this takes about {times:.2g} times as long, with the same results "
        "unless a time limit ends it. To install it, run {command} {where_to_run}, then restart QGIS.",
        times=times,
        command=install_command(["numba"]),
        where_to_run=where_to_run(),
    )


def system() -> str:
    """Name the operating system."""
    return platform.platform(terse=True)


# --- looking -----------------------------------------------------------------------------------


def _is_there(name: str) -> bool:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    # A folder left behind by an uninstalled package looks like a namespace: it has no file.
    return spec is not None and spec.origin is not None


def _version(name: str) -> str:
    """The version, of the module itself if it is loaded, else of the installed distribution."""
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


# --- installing --------------------------------------------------------------------------------


def install_command(names: Iterable[str]) -> str:
    """Return the command that installs packages for the Python that QGIS uses.

    Parameters
    ----------
    names : iterable of str
        Import names of :data:`PACKAGES`.

    Returns
    -------
    str
        One line for a terminal (see :func:`where_to_run`); empty if there are no names.
    """
    names = list(names)
    if not names:
        return ""
    if _in_conda():
        return "conda install -c conda-forge " + " ".join(_requirements(names))
    debian, version = _debian_release() if _on_system_python() else ("", 0.0)
    with_apt = [name for name in names if debian and _in_apt(PACKAGES[name], debian, version)]
    with_pip = [name for name in names if name not in with_apt]
    debs = [f"python3-{name}" for name in with_apt]
    if with_pip and debian and not _is_there("pip"):
        debs.append("python3-pip")
    commands = ["sudo apt install " + " ".join(debs)] if debs else []
    if with_pip:
        commands.append(_pip_command(with_pip))
    return " && ".join(commands)


def where_to_run() -> str:
    """Name the window in which :func:`install_command` is to be typed."""
    if _in_conda():
        return Sentence("in a terminal in which the environment of QGIS is active")
    if sys.platform == "win32":
        return Sentence("in the OSGeo4W Shell (start menu, QGIS)")
    if sys.platform == "darwin":
        return Sentence("in the Terminal")
    return Sentence("in a terminal")


def _in_conda() -> bool:
    return (Path(sys.prefix) / "conda-meta").is_dir()


def _on_system_python() -> bool:
    """Whether this is Linux and no virtual environment."""
    return sys.platform.startswith("linux") and sys.prefix == sys.base_prefix


def _in_apt(package: Package, debian: str, version: float) -> bool:
    since = package.in_apt_since
    if not since:
        return since is not None
    return version >= since.get(debian, float("inf"))


def _debian_release(file: str = "/etc/os-release") -> tuple[str, float]:
    """ID and version of a Debian-like system, ('', 0) of any other."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError:
        return "", 0.0
    entries = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, flags=re.MULTILINE))
    system_id = entries.get("ID", "")
    if not {system_id, *entries.get("ID_LIKE", "").split()} & {"debian", "ubuntu"}:
        return "", 0.0
    try:
        version = float(entries.get("VERSION_ID", ""))
    except ValueError:  # Debian's testing and unstable carry no number: newer than any
        version = float("inf") if system_id == "debian" else 0.0
    return system_id, version


def _pip_command(names: list[str]) -> str:
    words = [_interpreter(), "-m pip install"]
    if _on_system_python():
        words.append("--user")
        # Debian 12 and others keep pip off the system's Python; the user's own folder is no
        # part of that, but pip must be told so.
        if (Path(sysconfig.get_path("stdlib")) / "EXTERNALLY-MANAGED").exists():
            words.append("--break-system-packages")
    words.extend(_requirements(names))
    # QGIS, GDAL and SciPy were built with these: a newer NumPy, for one, would break them.
    for kept in dict.fromkeys(kept for name in names for kept in PACKAGES[name].keeps):
        version = _version(kept)
        if version and kept not in names:
            words.append(f'"{kept}=={version}"')
    return " ".join(words)


def _requirements(names: Iterable[str]) -> list[str]:
    return [f'"{PACKAGES[name].wanted}"' if PACKAGES[name].minimum else name for name in names]


def _interpreter() -> str:
    """The Python that QGIS uses; ``sys.executable`` is often QGIS, or some other Python."""
    if sys.platform == "win32":
        return "python"  # of the OSGeo4W Shell
    named = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    folders = [Path(sys.prefix) / "bin"]
    if sys.platform == "darwin":
        beside = Path(sys.executable or "/Applications/QGIS.app/Contents/MacOS/QGIS").parent
        folders = [beside / "bin", beside, *folders]
    for folder in folders:
        for program in (named, "python3"):
            path = str(folder / program)
            if os.access(path, os.X_OK):
                return f'"{path}"' if " " in path else path
    if sys.platform == "darwin":
        return "/Applications/QGIS.app/Contents/MacOS/bin/python3"
    return named
