# SPDX-License-Identifier: GPL-2.0-or-later
"""Mask files of point masks: what an attack on the release needs to know of it.

The law with its parameters, the plane, and which public layers were used, by fingerprints: what an
adversary is taken to know (Kerckhoffs' principle). No place of a record, no displacement, and of
the secret only what it is called by.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Union

import numpy as np

from ..runtime.json_parts import Kind, is_finite
from ..runtime.wording import mark
from .maskfile import ReleasedFile, released_files

KIND = Kind("geoanon-point-mask", 1, mark("mask file of masked points"), "MASK")
#: What the fingerprint of all the rest is called.
_SEAL = "seal"
#: What a parameter may be.
Value = Union[str, int, float, bool, None]


@dataclass(frozen=True)
class UsedLayer:
    """A public layer that a mask used.

    Attributes
    ----------
    parameter, name : str
        The parameter that it was given as, and what the layer is called.
    count : int
        Of its features.
    sha256 : str
        See :func:`fingerprint`.
    """

    parameter: str
    name: str
    count: int
    sha256: str


@dataclass(frozen=True)
class PointMask:
    """What a mask file of masked points holds.

    Attributes
    ----------
    mask, law : str
        The algorithm, and which of its laws moved the points.
    parameters : mapping of str to value
        As the algorithm has them.
    crs : str
        Reference system of the points, as an authority's code or WKT; empty for none.
    centre : (float, float) or None
        Where the plane touches the ellipsoid; None where the stored coordinates are the plane.
    secret_id : str
        What the secret is called by.
    layers : tuple of UsedLayer
    counts : mapping of str to int
        Records read, released, and withheld for each reason.
    attributes : tuple of str
        Names of the attributes that were released.
    released : tuple of ReleasedFile
    changed : bool
        Whether the file says something else than what was written. Files of earlier versions do not tell.
    """

    mask: str
    law: str
    parameters: Mapping[str, Value]
    crs: str
    centre: tuple[float, float] | None
    secret_id: str
    layers: tuple[UsedLayer, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()
    released: tuple[ReleasedFile, ...] = ()
    changed: bool = False

    def as_json(self) -> str:
        """Return the text of the file."""
        return KIND.text({"private": True, **self._told(), _SEAL: self.seal()})

    def _told(self) -> dict[str, Any]:
        told = asdict(self)
        del told["changed"]
        told["centre"] = None if self.centre is None else list(self.centre)
        return told

    def seal(self) -> str:
        """Return SHA-256 of all that the file says: it tells who corrects a number by hand, no forger."""
        said = json.dumps(self._told(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(said.encode("utf-8")).hexdigest()

    def way(self) -> str:
        """Return a fingerprint of how points move: law, parameters and layers."""
        # Not the layers' names: the same list may lie elsewhere next time.
        layers = sorted((one.parameter, one.sha256) for one in self.layers)
        told = repr((self.mask, self.law, sorted(self.parameters.items()), layers))
        return hashlib.sha256(told.encode("utf-8")).hexdigest()


def fingerprint(*of_each: np.ndarray) -> str:
    """Return SHA-256 of what a layer's features are, whatever their order.

    Parameters
    ----------
    *of_each : arrays of n rows
        Numbers of each feature.
    """
    columns = [np.asarray(one, dtype="<f8").reshape(len(one), -1) for one in of_each]
    rows = np.concatenate(columns, axis=1) + 0.0
    return hashlib.sha256(rows[np.lexsort(rows.T)].tobytes()).hexdigest()


def fingerprint_of_texts(texts: Sequence[str]) -> str:
    """Return SHA-256 of texts, whatever their order."""
    told = hashlib.sha256()
    for one in sorted(texts):
        told.update(one.encode("utf-8", "surrogatepass") + b"\0")
    return told.hexdigest()


def write(mask: PointMask, path: str | Path) -> None:
    """Write a mask file.

    Raises
    ------
    OSError
    """
    Path(path).write_text(mask.as_json(), encoding="utf-8")


def read(path: str | Path) -> PointMask:
    """Read a mask file, and see that all of it makes sense.

    Raises
    ------
    InputError
        If it cannot be read, or is none.
    """
    parts = KIND.read(path)
    parameters = parts.named(parts.told.get("parameters"), "parameters")
    parts.need(all(map(_is_plain, parameters.values())), "parameters")
    counts = parts.named(parts.told.get("counts"), "counts")
    parts.need(all(isinstance(one, int) for one in counts.values()), "counts")
    layer = {"parameter": str, "name": str, "count": int, "sha256": str}
    made = PointMask(
        parts.text("mask"),
        parts.text("law"),
        parameters,
        parts.text("crs"),
        parts.centre("centre"),
        parts.text("secret_id"),
        tuple(UsedLayer(**one) for one in parts.records("layers", layer)),
        counts,
        tuple(parts.texts(parts.told.get("attributes"), "attributes")),
        released_files(parts),
    )
    return replace(made, changed=parts.told.get(_SEAL, made.seal()) != made.seal())


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, bool)) or is_finite(value)
