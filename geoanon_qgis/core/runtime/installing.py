# SPDX-License-Identifier: GPL-2.0-or-later
"""How to get the packages that are missing, and what is told of them.

Nothing is ever installed from here: the user is told the command, which depends on the system and
on the interpreter that QGIS runs.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from . import accel, packages
from .packages import PACKAGES, Package
from .wording import Sentence, joined

#: Times as long from which on the want of numba is told.
_WORTH_TELLING = 1.5


def missing_sentence(names: Iterable[str]) -> str:
    """Say which of the packages are not there, and how to install them.

    Parameters
    ----------
    names : iterable of str
        Import names of :data:`.packages.PACKAGES`.

    Returns
    -------
    str
        Empty when all can be used.
    """
    lacking = [finding for finding in map(packages.find, names) if not finding.usable]
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


# --- the command -------------------------------------------------------------------------------


def install_command(names: Iterable[str]) -> str:
    """Return the command that installs packages for the Python that QGIS uses.

    Parameters
    ----------
    names : iterable of str
        Import names of :data:`.packages.PACKAGES`.

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
    if with_pip and debian and not packages.is_there("pip"):
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
        version = packages.version_of(kept)
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
