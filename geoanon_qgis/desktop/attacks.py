# SPDX-License-Identifier: GPL-2.0-or-later
"""The layers of attacks that the inspector reads: how they are told, and how at risk a record is.

A layer is known by its fields, so that one which was stored and opened again is known, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from qgis.core import QgsFields, QgsMapLayer, QgsVectorLayer, QgsWkbTypes

from ..processing.i18n import tr
from ..processing.layers import keys

#: A number and its per cent sign stay on one line.
UNIT = "\u00a0%"
Columns = Mapping[str, np.ndarray]

POINTS = (QgsWkbTypes.GeometryType.PointGeometry,)
LINES = (QgsWkbTypes.GeometryType.LineGeometry,)
POLYGONS = (QgsWkbTypes.GeometryType.PolygonGeometry,)
TABLES = (QgsWkbTypes.GeometryType.NullGeometry,)
ANY = POINTS + LINES + POLYGONS + TABLES


def position(fields: QgsFields, name: str) -> int:
    """Return the position of a field, -1 for none; a .dbf cuts names after ten letters."""
    return max(fields.lookupField(name), fields.lookupField(name[:10]))


@dataclass(frozen=True)
class Shape:
    """What a layer has to be to serve as something: kinds of geometry, and fields."""

    geometry: tuple
    fields: tuple[str, ...]

    def fits(self, layer: QgsMapLayer | None) -> bool:
        """Tell whether a layer is one of these."""
        return (
            isinstance(layer, QgsVectorLayer)
            and layer.isValid()
            and layer.geometryType() in self.geometry
            and all(position(layer.fields(), name) >= 0 for name in self.fields)
        )


@dataclass(frozen=True)
class Attack:
    """An attack whose records can be looked at.

    Attributes
    ----------
    name : str
        Of the algorithm.
    shape : Shape
        Of its main layer.
    id : str
        Field with the name of a record.
    numbers : tuple of str
        Fields that say how much at risk a record is.
    risk : callable
        Columns to the order of the records: the larger, the more at risk; NaN is not listed.
    told : callable
        That value in words, for the list.
    of_key : str
        Parameter of the attack that took the key.
    of_release : str
        Parameter of the attack that took the release.
    """

    name: str
    shape: Shape
    id: str
    numbers: tuple[str, ...]
    risk: Callable[[Columns], np.ndarray]
    told: Callable[[float], str]
    of_key: str = "KEY"
    of_release: str = "INPUT"


def percent(share: float) -> str:
    """Write a probability, so that what is not certain is never told as 0 or 100 %."""
    if share >= 1 or share <= 0:
        return f"{100 * share:.0f}{UNIT}"
    if share > 0.995:
        return tr("over 99 %")
    return tr("below 1 %") if share < 0.005 else f"{100 * share:.0f}{UNIT}"


def _likeliest(columns: Columns) -> np.ndarray:
    return columns["probability"]


def _of_both(columns: Columns) -> np.ndarray:
    """Of both adversaries the one who is surer."""
    return np.fmax(columns["probability"], columns["record_probability"])


def _support(columns: Columns) -> np.ndarray:
    # Those whom the key shows to be found are found, however sure the adversary is.
    sure = np.where(columns["correct"] == 1, 2.0, 0.0) + np.nan_to_num(columns["support"])
    return np.where(columns["in_clique"] == 1, sure, np.nan)


#: What comes before all that is only near: released as he is and like no other, and too near.
_VERBATIM, _TOO_NEAR = 3.0, 2.0


def _nearness(columns: Columns) -> np.ndarray:
    # No ratio to a reference distance of zero: others are as near.
    near = np.nan_to_num(1.0 / (1.0 + columns["relative_distance"]))
    near = np.where(columns["verbatim"] == 1, 1.0, near)
    near = np.where(columns["too_near"] == 1, _TOO_NEAR, near)
    alone = (columns["verbatim"] == 1) & (columns["only_one"] == 1)
    near = np.where(alone, _VERBATIM, near)
    return np.where(np.isfinite(columns["distance"]), near, np.nan)


def _nearness_told(risk: float) -> str:
    if risk >= _VERBATIM:
        return tr("released as it is")
    if risk >= _TOO_NEAR:
        return tr("too near")
    if risk <= 0:
        return tr("not near")
    return tr("{share} of the usual distance").format(share=f"{100 * (1 / risk - 1):.0f}{UNIT}")


def _support_told(risk: float) -> str:
    if risk >= 2:
        return tr("found, by the key")
    return percent(risk)


ATTACKS = (
    Attack(
        "attackmask",
        Shape(
            POINTS,
            (keys.RELEASED, "probability", "tied", "effective_k", "of_truth", "record_probability"),
        ),
        keys.RELEASED,
        ("probability", "record_probability"),
        _of_both,
        percent,
    ),
    Attack(
        "reversevoronoi",
        Shape(POINTS, (keys.RELEASED, "kind", "probability", "pairs", "rivals", "correct")),
        keys.RELEASED,
        ("probability",),
        _likeliest,
        percent,
    ),
    Attack(
        "linkageattack",
        Shape(
            POINTS,
            ("identification_id", "target_id", "in_clique", "in_every", "support", "correct"),
        ),
        "target_id",
        ("in_clique", "support", "correct"),
        _support,
        _support_told,
        of_key="TRUTH",
        of_release="TARGET",
    ),
    Attack(
        "disclosurerisk",
        Shape(
            ANY,
            (keys.ORIGINAL, "distance", "relative_distance", "nearest_id")
            + ("verbatim", "only_one", "too_near"),
        ),
        keys.ORIGINAL,
        ("distance", "relative_distance", "verbatim", "only_one", "too_near"),
        _nearness,
        _nearness_told,
        of_release="ANONYMIZED",
    ),
)


def attack_of(layer: QgsMapLayer | None) -> Attack | None:
    """Return the attack that has written a layer as its main one; None for other layers."""
    return next((one for one in ATTACKS if one.shape.fits(layer)), None)
