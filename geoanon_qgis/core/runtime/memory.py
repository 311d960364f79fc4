# SPDX-License-Identifier: GPL-2.0-or-later
"""Memory and disk that are free, asked before work starts that would run out of them."""

from __future__ import annotations

import ctypes
import re
import shutil
import sys
from pathlib import Path

from .errors import InputError
from .wording import Sentence, mark

_GROUPS = Path("/sys/fs/cgroup")


def available_memory() -> int | None:
    """Bytes of memory that this process can still take without swapping.

    On Linux what the kernel calls available, or less where a control group (a container, a
    batch system) or a limit of the process (``ulimit -v``) allows less; on Windows the physical
    memory that is free; on macOS the share of memory that the system calls free.

    Returns
    -------
    int or None
        None where the system does not tell.
    """
    try:
        if sys.platform == "win32":
            return _on_windows()
        if sys.platform == "darwin":
            return _on_mac()
        return _on_linux()
    except (OSError, ValueError, AttributeError):
        return None


def free_disk(path: str | Path) -> int | None:
    """Bytes free where ``path`` lies or will lie; None where the system does not tell."""
    path = Path(path).absolute()
    for folder in (path, *path.parents):
        try:
            return shutil.disk_usage(folder).free
        except FileNotFoundError:
            continue
        except OSError:
            return None
    return None


def readable(size: float) -> str:
    """Write a number of bytes for people: 1.6 GB, in powers of a thousand."""
    size = max(float(size), 0.0)
    if size < 999.5:
        return f"{size:.0f} bytes"
    for unit in ("kB", "MB", "GB", "TB", "PB", "EB"):
        size /= 1000
        if size < 99.95:
            return f"{size:.1f} {unit}"
        if size < 999.5:
            return f"{size:.0f} {unit}"
    return f"{size:,.0f} EB"


def refuse_unless_fits(
    needed: float,
    what: str,
    purpose: str = "",
    advice: str = Sentence("Work with fewer records or close other programs."),
) -> None:
    """Refuse a job that needs more memory than is free.

    Parameters
    ----------
    needed : float
        Bytes.
    what, purpose : str
        Subject (a plural) and object of the sentence: ``20,000 records`` need 1.6 GB of memory
        for ``their distance matrix``.
    advice : str
        What to do about it: a sentence.

    Raises
    ------
    InputError
        If the memory that is free is known and less than needed.
    """
    free = available_memory()
    if free is not None and needed > free:
        raise InputError(_sentence(needed, free, Sentence("of memory"), what, purpose, advice))


def refuse_unless_fits_disk(
    needed: float,
    path: str | Path,
    what: str,
    purpose: str = "",
    advice: str = Sentence("Make room or choose another folder."),
) -> None:
    """Refuse to write a file of ``needed`` bytes to ``path`` if the disk has no room for it.

    The other parameters are those of :func:`refuse_unless_fits`.
    """
    free = free_disk(path)
    if free is not None and needed > free:
        raise InputError(_sentence(needed, free, Sentence("on the disk"), what, purpose, advice))


def _sentence(needed: float, free: int, where: str, what: str, purpose: str, advice: str) -> str:
    return Sentence(
        (
            mark("{what} need {needed} {where} for {purpose}, {free} are free. {advice}")
            if purpose
            else mark("{what} need {needed} {where}, {free} are free. {advice}")
        ),
        what=what,
        needed=readable(needed),
        where=where,
        purpose=purpose,
        free=readable(free),
        advice=advice,
    )


# --- Linux -------------------------------------------------------------------------------------


def _on_linux() -> int | None:
    text = Path("/proc/meminfo").read_text(encoding="ascii")
    found = re.search(r"^MemAvailable:\s+(\d+) kB$", text, flags=re.MULTILINE)
    known = [int(found[1]) * 1024] if found else []
    try:
        groups = Path("/proc/self/cgroup").read_text(encoding="utf-8")
    except OSError:
        groups = ""
    known.extend(_left_in_groups(groups, _GROUPS))
    known.extend(_left_of_limits())
    return min(known) if known else None


def _left_of_limits() -> list[int]:
    """Bytes left of what this process may have at all, where it may not have everything."""
    import resource  # not on Windows

    pages = [int(count) for count in Path("/proc/self/statm").read_text().split()]
    taken = {resource.RLIMIT_AS: pages[0], resource.RLIMIT_DATA: pages[5]}
    limits = {kind: resource.getrlimit(kind)[0] for kind in taken}
    return [
        max(limit - taken[kind] * resource.getpagesize(), 0)
        for kind, limit in limits.items()
        if limit != resource.RLIM_INFINITY
    ]


def _left_in_groups(groups: str, root: Path) -> list[int]:
    """Bytes left in each control group that limits this process.

    Parameters
    ----------
    groups : str
        The text of /proc/self/cgroup: ``hierarchy:controllers:path`` on each line.
    root : Path
        Where the hierarchies are mounted.
    """
    left: list[int | None] = []
    for line in groups.splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            base, used = root, "memory.current"
            limits: tuple[str, ...] = ("memory.max", "memory.high")
        elif "memory" in controllers.split(","):
            base, limits = root / "memory", ("memory.limit_in_bytes",)
            used = "memory.usage_in_bytes"
        else:
            continue
        # Every group above limits this one too. In a container the path may be the host's,
        # which is not there: its own limit is then at the root.
        folder = base / path.strip("/")
        for group in (folder, *folder.parents):
            left.extend(_left_in_group(group, limit, used) for limit in limits)
            if group == base:
                break
    return [size for size in left if size is not None]


def _left_in_group(folder: Path, limit: str, used: str) -> int | None:
    try:
        allowed = int((folder / limit).read_text())  # "max" where there is no limit
        taken = int((folder / used).read_text())
    except (OSError, ValueError):
        return None
    try:  # files that are cached are counted as taken, but are dropped when memory is short
        text = (folder / "memory.stat").read_text()
        cached: dict[str, str] = dict(re.findall(r"^(\w+) (\d+)$", text, flags=re.MULTILINE))
        # Version 1 has the group's own alone as well, version 2 only those with all below.
        taken -= int(cached.get("total_inactive_file", cached.get("inactive_file", 0)))
    except OSError:
        pass
    return max(allowed - taken, 0)


# --- Windows and macOS -------------------------------------------------------------------------


class _MemoryStatus(ctypes.Structure):
    """MEMORYSTATUSEX of the Windows API."""

    _fields_ = [
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        *(
            (name, ctypes.c_uint64)
            for name in (
                "total",
                "available",
                "total_page_file",
                "available_page_file",
                "total_virtual",
                "available_virtual",
                "available_extended",
            )
        ),
    ]


def _on_windows() -> int | None:
    status = _MemoryStatus(length=ctypes.sizeof(_MemoryStatus))
    windows = getattr(ctypes, "windll")  # noqa: B009 - is there on Windows alone
    if not windows.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return int(status.available)


def _on_mac() -> int | None:
    # The level is the percentage that the command memory_pressure prints as free.
    total = _sysctl("hw.memsize", ctypes.c_uint64)
    level = _sysctl("kern.memorystatus_level", ctypes.c_int32)
    if total is None or level is None:
        return None
    return total * level // 100


def _sysctl(name: str, kind: type) -> int | None:
    value = kind()
    size = ctypes.c_size_t(ctypes.sizeof(value))
    failed = ctypes.CDLL(None).sysctlbyname(
        name.encode(), ctypes.byref(value), ctypes.byref(size), None, ctypes.c_size_t(0)
    )
    return None if failed else int(value.value)
