# SPDX-License-Identifier: GPL-2.0-or-later
"""The kept results, and how others differ from them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import shapely
from osgeo import gdal

_FOLDER = Path(__file__).resolve().parent
#: Of numbers that are no bytes of a release: another machine's last digits are others.
TOLERANCE = 1e-9


def made_with() -> dict[str, str]:
    """Return the versions with which the last digit of every byte is the same."""
    return {
        "gdal": gdal.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "shapely": shapely.__version__,
    }


def write(found: dict[str, dict], only: Sequence[str] = ()) -> None:
    """Keep results, one file an algorithm: of some, or of all, and then no other file stays."""
    for path in () if only else _FOLDER.glob("*.json"):
        path.unlink()
    for algorithm in only or sorted({name.split("-")[0] for name in found}):
        of_it = {name: one for name, one in found.items() if name.split("-")[0] == algorithm}
        text = _laid_out({"made_with": made_with(), **of_it})
        (_FOLDER / f"{algorithm}.json").write_text(text + "\n", encoding="utf-8")


def read(name: str) -> tuple[dict[str, Any], bool]:
    """Return the kept result of a case, and whether its digests hold with today's versions."""
    kept = json.loads((_FOLDER / f"{name.split('-')[0]}.json").read_text(encoding="utf-8"))
    return kept[name], kept["made_with"] == made_with()


def as_kept(found: Any) -> Any:
    """Return results as they are read again."""
    return json.loads(json.dumps(found))


def _laid_out(value: Any, depth: int = 0) -> str:
    """Return JSON with a line for each row, so that a difference can be read."""
    flat = json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, (dict, list)) or (len(flat) < 96 and depth > 1):
        return flat
    if isinstance(value, list) and not any(isinstance(one, (dict, list)) for one in value):
        return flat
    if isinstance(value, list) and depth > 3:
        return flat
    indent = " " * (depth + 1)
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {_laid_out(one, depth + 1)}" for key, one in value.items()]
        opening, closing = "{}"
    else:
        lines = [_laid_out(one, depth + 1) for one in value]
        opening, closing = "[]"
    return opening + "\n" + ",\n".join(indent + one for one in lines) + "\n" + " " * depth + closing


def differences(kept: Any, found: Any, exact: bool, where: str = "") -> Iterator[str]:
    """Yield a line for each place where results differ."""
    if isinstance(kept, dict) and isinstance(found, dict):
        for key in [*kept, *(key for key in found if key not in kept)]:
            place = f"{where}/{key}"
            if key not in found or key not in kept:
                yield f"{place}: " + ("is missing" if key not in found else "is new")
            elif key != "digest":
                yield from differences(kept[key], found[key], exact, place)
            elif exact and kept[key] != found[key]:
                yield f"{place}: other bytes"
    elif isinstance(kept, list) and isinstance(found, list):
        if len(kept) != len(found):
            yield f"{where}: {len(kept)} were kept, {len(found)} are found"
        for at, pair in enumerate(zip(kept, found)):
            yield from differences(*pair, exact, f"{where}[{at}]")
    elif not _same(kept, found) and (exact or not (_is_digest(kept) and _is_digest(found))):
        yield f"{where}: {kept!r} was kept, {found!r} is found"


def _is_digest(value: Any) -> bool:
    """Of other bytes, or of another PROJ's description of the same system."""
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{16,64}", value) is not None


def _same(kept: Any, found: Any) -> bool:
    numbers = [type(one) in (int, float) for one in (kept, found)]
    if all(numbers) and float in (type(kept), type(found)):
        return math.isclose(kept, found, rel_tol=TOLERANCE, abs_tol=1e-12)
    return type(kept) is type(found) and kept == found
