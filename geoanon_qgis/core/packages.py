# SPDX-License-Identifier: GPL-2.0-or-later
"""The packages GeoAnon uses: what each is for, whether it is here, how to install it here."""

from __future__ import annotations

import importlib.util
import platform
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

_MAC = sys.platform == "darwin"


@dataclass(frozen=True)
class Package:
    """A package of Python's.

    Attributes
    ----------
    name : str
        Import name, and name on PyPI.
    purpose : str
        What GeoAnon does with it.
    without : str
        What is slower or missing without it.
    minimum : tuple of int
        Oldest version that serves; empty when any does.
    debian : str
        Debian's package.
    """

    name: str
    purpose: str
    without: str
    minimum: tuple[int, ...] = ()
    debian: str = ""

    @property
    def wanted(self) -> str:
        """The requirement as pip writes it."""
        return self.name + (f">={'.'.join(map(str, self.minimum))}" if self.minimum else "")


#: Every package, the ones that most depends on first.
PACKAGES = (
    Package(
        "numpy", "all computations", "Nothing works.", (1, 20), "python3-numpy",
    ),
    Package(
        "scipy", "nearest neighbours, Voronoi cells, sparse matrices",
        "Masks and attacks cannot run.", (1, 6), "python3-scipy",
    ),
    Package(
        "pyproj", "local metric projections and distances on the ellipsoid",
        "Layers in degrees, and layers whose system distorts distances, cannot be worked with.",
        (3, 0), "python3-pyproj",
    ),
    Package(
        "shapely", "Voronoi cells and study areas as polygons",
        "The outputs with cells cannot be made.", (2, 0), "python3-shapely",
    ),
    Package(
        "numba", "compiled kernels", "Same results, some steps many times slower.",
        (0, 55), "python3-numba",
    ),
    Package(
        "matplotlib", "charts in reports", "Reports give the charts' numbers as tables.",
        (3, 3), "python3-matplotlib",
    ),
)  # fmt: skip

_BY_NAME = {package.name: package for package in PACKAGES}


@dataclass(frozen=True)
class Finding:
    """What was found of a package; ``version`` is empty when it is not there."""

    package: Package
    version: str
    usable: bool

    @property
    def state(self) -> str:
        """``installed``, ``too old`` or ``missing``."""
        if self.usable:
            return "installed"
        return "too old" if self.version else "missing"


def find(name: str) -> Finding:
    """Look a package up without importing it."""
    package = _BY_NAME[name]
    try:
        there = importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):  # something stands in its way
        there = False
    if not there:
        return Finding(package, "", False)
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:  # there, but not installed in the usual way
        return Finding(package, "unknown", True)
    return Finding(package, version, _numbers(version) >= package.minimum)


def survey() -> list[Finding]:
    """Look all packages up, in the order of :data:`PACKAGES`."""
    return [find(package.name) for package in PACKAGES]


def missing(names: Iterable[str]) -> list[Finding]:
    """Return those of the named packages that are missing or too old."""
    return [finding for finding in map(find, names) if not finding.usable]


def missing_sentence(names: Iterable[str]) -> str:
    """Say which of the named packages are missing and how to get them; '' when none is."""
    gone = missing(names)
    if not gone:
        return ""
    listed = ", ".join(
        f"{one.package.wanted}" + (f" (found {one.version})" if one.version else "")
        for one in gone
    )
    return (
        f"This needs Python packages that are not there: {listed}. "
        f"Install them with:  {install_command([one.package.name for one in gone])}  "
        "and restart QGIS."
    )


def install_command(names: Iterable[str]) -> str:
    """Return the command that installs packages for the Python that runs now.

    numpy is held at the version that is there: a newer one would break the compiled packages
    that QGIS came with.
    """
    chosen = [_BY_NAME[name] for name in names]
    if _debian_python() and all(map(_debian_serves, chosen)):
        return "sudo apt install " + " ".join(package.debian for package in chosen)
    wanted = " ".join(f'"{package.wanted}"' for package in chosen) + _numpy_as_it_is(chosen)
    if sys.platform == "win32":
        return f"python -m pip install --user {wanted}   (in the OSGeo4W Shell)"
    options = ""
    if sys.prefix == sys.base_prefix:
        options = " --user --break-system-packages" if _externally_managed() else " --user"
    return f'"{_interpreter()}" -m pip install{options} {wanted}'


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version: '2.1.0rc1' -> (2, 1, 0)."""
    numbers = []
    for piece in version.split("."):
        digits = piece[: len(piece) - len(piece.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)


def _numpy_as_it_is(chosen: list[Package]) -> str:
    if any(package.name == "numpy" for package in chosen):
        return ""
    version = find("numpy").version
    return f' "numpy=={version}"' if version and version != "unknown" else ""


def _debian_python() -> bool:
    """Tell whether this is the system's Python of Debian or a system made from it."""
    return Path("/etc/debian_version").exists() and sys.prefix == "/usr"


#: Releases since which the system's package is new enough, where it was not always so.
_SERVES_SINCE = {"shapely": {"debian": 13, "ubuntu": 24}}


def _debian_serves(package: Package) -> bool:
    since = _SERVES_SINCE.get(package.name)
    if since is None:
        return True
    system_id, release = _release()
    return release >= since.get(system_id, sys.maxsize)


def _release() -> tuple[str, int]:
    """Return the system's id and main release number, such as ('debian', 12)."""
    try:
        lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return "", 0
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    release = _numbers(values.get("VERSION_ID", "").strip('"')) or (0,)
    return values.get("ID", "").strip('"'), release[0]


def _externally_managed() -> bool:
    """Tell whether pip refuses to install for the system's Python unless told to."""
    return Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists()


def _interpreter() -> str:
    """Return the interpreter that QGIS runs; inside QGIS ``sys.executable`` may be another."""
    names = (f"python{sys.version_info.major}.{sys.version_info.minor}", "python3")
    for name in names:
        path = Path(sys.prefix, "bin", name)
        if path.exists():
            return str(path)
    return "/Applications/QGIS.app/Contents/MacOS/bin/python3" if _MAC else "python3"


def system() -> str:
    """Name the system and its Python in one line."""
    return f"{platform.platform()}, Python {platform.python_version()}"
