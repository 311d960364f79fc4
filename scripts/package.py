# SPDX-License-Identifier: GPL-2.0-or-later
"""Build the zip that QGIS installs. Needs Python alone: no QGIS, no package, no other program.

What goes in is said in ``pb_tool.cfg``, so that ``pb_tool zip`` packs the same files: the folder
that [help] names, at the top of the plugin's folder, and the files and folders of [files].

With ``--release`` nothing is built that the plugin site or its readers would stumble over: the
addresses in ``metadata.txt``, which the publisher sets, must be somebody's, and the changelog must
tell of this version.
"""

from __future__ import annotations

import argparse
import configparser
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
#: What a work tree collects: byte code, hidden files, SQLite's files beside an open GeoPackage,
#: editors' copies; and what translations are compiled from.
LEFT_OUT = ("__pycache__", "*.py[co]", ".*", "*.gpkg-*", "*~", "*.ts")
#: Whoever publishes sets these in ``metadata.txt``; they stand nowhere else.
ADDRESSES = ("homepage", "tracker", "repository")
#: Hosts that nobody can have (RFC 2606).
NOBODYS = re.compile(r"(^|\.)(example|invalid|test|localhost|example\.(com|net|org))$", re.I)


def files_below(folder: Path) -> Iterator[Path]:
    """Give all files of a folder that belong into a package, in a fixed order."""
    for path in sorted(folder.iterdir()):
        if any(fnmatch(path.name, pattern) for pattern in LEFT_OUT):
            continue
        if path.is_dir():
            yield from files_below(path)
        else:
            yield path


def contents(root: Path) -> dict[str, Path]:
    """Return the files to pack by their names in the zip."""
    settings = configparser.ConfigParser()
    settings.read(root / "pb_tool.cfg", encoding="utf-8")
    plugin = settings["plugin"]["name"]
    package = root / settings["help"]["dir"]
    packed = {f"{plugin}/{p.relative_to(package).as_posix()}": p for p in files_below(package)}
    for name in settings["files"]["extras"].split():
        packed[f"{plugin}/{name}"] = root / name
    for name in settings["files"]["extra_dirs"].split():
        for path in files_below(root / name):
            packed[f"{plugin}/{path.relative_to(root).as_posix()}"] = path
    return packed


def metadata(root: Path) -> configparser.SectionProxy:
    """Return what the plugin site is told."""
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(root / "metadata.txt", encoding="utf-8")
    return settings["general"]


def hindrances(root: Path) -> Iterator[str]:
    """Give a sentence for everything that must be set before this version is published."""
    told = metadata(root)
    for key in ADDRESSES:
        parts = urlsplit(told.get(key, ""))
        host = parts.hostname or ""
        if parts.scheme != "https" or "." not in host or NOBODYS.search(host):
            yield (
                f"metadata.txt: {key} is {told.get(key, '')!r}, where nobody can go. "
                "Write the https address that opens in a browser."
            )
    name, _, host = told.get("email", "").partition("@")
    if not name or "." not in host or NOBODYS.search(host):
        yield f"metadata.txt: email is {told.get('email', '')!r}. Write an address that is read."
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.split(r"^## +", changes, flags=re.M)[1:]
    waiting = next((one for one in sections if one.startswith("Unreleased")), "")
    if "\n- " in waiting:
        yield (
            "CHANGELOG.md: there are changes under Unreleased, which are in this zip. "
            f"Move them to {told['version']}."
        )
    dated = rf"{re.escape(told['version'])} \(\d{{4}}-\d\d-\d\d\)"
    if not any(re.match(dated, one) for one in sections):
        yield f"CHANGELOG.md: no heading has {told['version']} with its date, as (2030-12-31)."
    list_of_others = (root / "docs" / "third-party.md").read_text(encoding="utf-8")
    if not re.search(rf"^\| *{re.escape(told['version'])} *\| *[^ |]", list_of_others, re.M):
        yield f"docs/third-party.md: nobody has signed the list off for {told['version']}."


def build(root: Path, folder: Path) -> Path:
    """Write the zip into a folder, made where it is not there; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder.resolve() / f"geoanon_qgis-{metadata(root)['version']}.zip"
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as file:
            for name, path in contents(root).items():
                file.write(path, name)
        os.replace(draft, target)
    finally:
        draft.unlink(missing_ok=True)
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="scripts/package", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "dist", metavar="FOLDER")
    parser.add_argument(
        "--release",
        action="store_true",
        help="refuse, with what is missing, what is not ready for the plugin site",
    )
    options = parser.parse_args()
    found = list(hindrances(ROOT)) if options.release else []
    if found:
        sys.exit("\n".join(f"package: {sentence}" for sentence in found))
    try:
        print(build(ROOT, options.folder))
    except OSError as error:
        sys.exit(f"package: the zip cannot be written: {error}")
