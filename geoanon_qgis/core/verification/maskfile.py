# SPDX-License-Identifier: GPL-2.0-or-later
"""Mask files: how a release was made, for those who attack it or judge what it keeps.

A JSON file that a release writes beside its key. It holds what an adversary is taken to know
(Kerckhoffs' principle): method, parameters, metric, area, rounding, and which files were released,
by their SHA-256. It never holds a secret: no seed, no reference point, no noise that was drawn and
no place of a record. An area that was made of the places, such as their convex hull, is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..runtime.json_parts import Kind, Parts, is_finite
from ..runtime.wording import mark
from ..space.metrics import METRICS
from .digests import Digest

KIND = Kind("geoanon-mask", 1, mark("mask file"), "MASK")
LIPSCHITZ, EXACT, ISGP = "lipschitz", "exact", "isgp"
COORDINATE_NOISE, DISTANCE_NOISE = "coordinate_noise", "distance_noise"

Check = Callable[[Any], bool]


def _number(least: float, above: bool = False) -> Check:
    def holds(value: Any) -> bool:
        return is_finite(value) and (value > least if above else value >= least)

    return holds


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _one_of(*words: str) -> Check:
    return lambda value: isinstance(value, str) and value in words


#: Methods, and the parameters that each has.
METHODS: Mapping[str, Mapping[str, Check]] = {
    LIPSCHITZ: {"sets": _count, "size": _count, "pre_noise": _number(0)},
    COORDINATE_NOISE: {"sigma": _number(0, above=True), "sigma_unit": _one_of("m", "degrees")},
    DISTANCE_NOISE: {
        "sigma": _number(0, above=True),
        "distribution": _one_of("gaussian", "laplace"),
    },
    EXACT: {},
    ISGP: {"radius": _number(0, above=True), "spacing": _number(0, above=True)},
}


@dataclass(frozen=True)
class ReleasedFile:
    """A file that was released.

    Attributes
    ----------
    output, name : str
        Of the output, and of the file, without its folder.
    sha256, content_sha256 : str
        See :class:`.digests.Digest`.
    """

    output: str
    name: str
    sha256: str
    content_sha256: str = ""

    def is_in(self, digest: Digest) -> bool:
        """Tell whether a file with that digest is this one."""
        content = self.content_sha256 and self.content_sha256 == digest.content_sha256
        return bool(content) or self.sha256 == digest.sha256


@dataclass(frozen=True)
class MaskFile:
    """What a mask file holds.

    Attributes
    ----------
    method : str
        One of :data:`METHODS`.
    parameters : mapping of str to object
        Those of the method.
    metric, unit : str
        How distances were measured, and the unit in which they are released.
    crs : str
        Reference system of the places and of the area, as an authority's code or WKT; empty for
        none.
    rings : tuple of (m, 2) arrays, or None
        Outline of the area that was given (see :class:`..space.areas.StudyArea`); None where
        it was made of the places.
    attributes : tuple of str
        Names of the attributes that were released.
    groups : mapping of str to mapping of str to str
        Of attributes that were recoded, the group of each value.
    decimals : int
        Of the released distances.
    step : float
        Of these, in the metric's unit.
    down : bool
        Whether they were rounded down to it, or to the nearest multiple.
    released : tuple of ReleasedFile
    exchanged : tuple of str
        Names of released attributes whose values were exchanged among neighbours: nobody is known
        by them, and they are not among ``attributes``.
    """

    method: str
    parameters: Mapping[str, Any]
    metric: str
    unit: str
    crs: str
    rings: tuple[np.ndarray, ...] | None
    attributes: tuple[str, ...]
    decimals: int
    step: float
    down: bool
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    released: tuple[ReleasedFile, ...] = ()
    exchanged: tuple[str, ...] = ()

    def as_json(self) -> str:
        """Return the text of the file."""
        told = {
            "method": self.method,
            "parameters": dict(self.parameters),
            "metric": self.metric,
            "unit": self.unit,
            "crs": self.crs,
            "area": None if self.rings is None else [ring.tolist() for ring in self.rings],
            "attributes": list(self.attributes),
            "groups": {name: dict(of) for name, of in self.groups.items()},
            "exchanged": list(self.exchanged),
            "rounding": {"decimals": self.decimals, "step": self.step, "down": self.down},
            "released": [
                {
                    "output": one.output,
                    "name": one.name,
                    "sha256": one.sha256,
                    "content_sha256": one.content_sha256,
                }
                for one in self.released
            ],
        }
        return KIND.text(told)

    def file_of(self, output: str) -> ReleasedFile | None:
        """Return the file of an output, if it is known."""
        return next((one for one in self.released if one.output == output), None)


def write(mask: MaskFile, path: str | Path) -> None:
    """Write a mask file.

    Raises
    ------
    OSError
    """
    Path(path).write_text(mask.as_json(), encoding="utf-8")


def read(path: str | Path) -> MaskFile:
    """Read a mask file, and see that all of it makes sense.

    Raises
    ------
    InputError
        If it cannot be read, or is none.
    """
    return _mask(KIND.read(path))


def _mask(parts: Parts) -> MaskFile:
    """Each part is looked at before it is taken."""
    told = parts.told
    method = parts.text("method")
    parts.need(method in METHODS, "method")
    wanted, given = METHODS[method], parts.named(told.get("parameters"), "parameters")
    parts.need(set(given) == set(wanted), "parameters")
    for name, check in wanted.items():
        parts.need(check(given[name]), name)
    metric = parts.text("metric")
    parts.need(metric in METRICS, "metric")
    rounding = parts.named(told.get("rounding"), "rounding")
    decimals: Any = rounding.get("decimals")
    step: Any = rounding.get("step")
    down: Any = rounding.get("down")
    whole = isinstance(decimals, int) and not isinstance(decimals, bool)
    parts.need(whole and -20 <= decimals <= 20, "decimals")
    parts.need(_number(0, above=True)(step), "step")
    parts.need(isinstance(down, bool), "down")
    groups = parts.named(told.get("groups", {}), "groups")
    for of in groups.values():
        parts.texts(list(parts.named(of, "groups").values()), "groups")
    return MaskFile(
        method,
        given,
        metric,
        parts.text("unit"),
        parts.text("crs"),
        _rings(parts),
        tuple(parts.texts(told.get("attributes"), "attributes")),
        decimals,
        float(step),
        down,
        groups,
        released_files(parts),
        tuple(parts.texts(told.get("exchanged", []), "exchanged")),
    )


def _rings(parts: Parts) -> tuple[np.ndarray, ...] | None:
    area = parts.told.get("area")
    if area is None:
        return None
    parts.need(isinstance(area, list) and len(area) > 0, "area")
    rings = []
    for ring in area:
        try:
            made = np.array(ring, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            made = np.zeros(0)
        fits = made.ndim == 2 and made.shape[1] == 2 and len(made) >= 3
        parts.need(fits and bool(np.isfinite(made).all()), "area")
        rings.append(made)
    return tuple(rings)


def released_files(parts: Parts) -> tuple[ReleasedFile, ...]:
    """Return the released files that a mask file names."""
    kinds = dict.fromkeys(("output", "name", "sha256", "content_sha256"), str)
    return tuple(ReleasedFile(**one) for one in parts.records("released", kinds))
