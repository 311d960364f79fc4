# SPDX-License-Identifier: GPL-2.0-or-later
"""Build the zip that QGIS installs. Needs Python alone: no QGIS, no package, no other program.

What goes in is said in ``pb_tool.cfg``, so that ``pb_tool zip`` packs the same files: the folder
that [help] names, at the top of the plugin's folder, and the files and folders of [files].
"""

from __future__ import annotations

import argparse
import configparser
import os
import sys
import zipfile
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What a work tree collects: byte code, hidden files, SQLite's files beside an open GeoPackage,
#: editors' copies, the translators' template.
LEFT_OUT = ("__pycache__", "*.py[co]", ".*", "*.gpkg-*", "*~", "*.ts")


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


def version(root: Path) -> str:
    """Return the plugin's version."""
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(root / "metadata.txt", encoding="utf-8")
    return settings["general"]["version"]


def build(root: Path, folder: Path) -> Path:
    """Write the zip into a folder, made where it is not there; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder.resolve() / f"geoanon_qgis-{version(root)}.zip"
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
    try:
        print(build(ROOT, parser.parse_args().folder))
    except OSError as error:
        sys.exit(f"package: the zip cannot be written: {error}")
