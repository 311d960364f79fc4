# SPDX-License-Identifier: GPL-2.0-or-later
"""Mask files of point masks: what an attack on the release needs to know of it.

The law with its parameters, the plane, and which public layers were used, by fingerprints: what an
adversary is taken to know (Kerckhoffs' principle). No place of a record, no displacement, and of
the secret only what it is called by.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Union

import numpy as np

from ..runtime.json_parts import Kind, is_finite
from ..runtime.wording import mark
from .maskfile import ReleasedFile, released_files

KIND = Kind("geoanon-point-mask", 1, mark("mask file of masked points"), "MASK")
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

    def as_json(self) -> str:
        """Return the text of the file."""
        told = asdict(self)
        told["centre"] = None if self.centre is None else list(self.centre)
        return KIND.text({"private": True, **told})

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
    return PointMask(
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


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, (str, bool)) or is_finite(value)
