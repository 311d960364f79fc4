# SPDX-License-Identifier: GPL-2.0-or-later
"""The records of an attack, the riskiest first, and what other layers say of one of them.

Nothing is kept of a record but its name, its feature's id and how much at risk it is; all else is
read from the layer when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from qgis.core import QgsFeature, QgsFeatureRequest, QgsVectorLayer

from ..compat import is_null
from ..processing.layers.values import text_of
from .attacks import Attack, position


@dataclass(frozen=True)
class Records:
    """The records of an attack, the riskiest first.

    Attributes
    ----------
    ids : list of str
    features : list of int
        Ids of their features.
    risk : (n,) float array
    row_of : dict of int to int
        Feature id to row.
    """

    ids: list[str]
    features: list[int]
    risk: np.ndarray
    row_of: dict[int, int]

    def __len__(self) -> int:
        return len(self.ids)


def read_records(layer: QgsVectorLayer, attack: Attack) -> Records:
    """List the records of an attack's main layer."""
    fields = layer.fields()
    wanted = [position(fields, name) for name in (attack.id, *attack.numbers)]
    request = QgsFeatureRequest()
    request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
    request.setSubsetOfAttributes(wanted)
    features, rows = [], []
    for feature in layer.getFeatures(request):
        features.append(feature.id())
        values = feature.attributes()
        rows.append([values[one] for one in wanted])
    names = [row[0] for row in rows]
    columns = {
        name: _numbers([row[place] for row in rows]) for place, name in enumerate(attack.numbers, 1)
    }
    risk = attack.risk(columns) if rows else np.empty(0)
    listed = np.flatnonzero(np.isfinite(risk))
    order = listed[np.argsort(-risk[listed], kind="stable")]
    ids = [text_of(names[row]) for row in order.tolist()]
    ordered = [features[row] for row in order.tolist()]
    return Records(ids, ordered, risk[order], {one: row for row, one in enumerate(ordered)})


def _numbers(values: list) -> np.ndarray:
    try:
        return np.array(values, dtype=float)
    except (TypeError, ValueError):  # NULL, or a file of text alone
        return np.array([_number(one) for one in values], dtype=float)


def _number(value) -> float:
    if isinstance(value, (int, float)):
        return float(value)
    try:
        return float("nan") if is_null(value) else float(value)
    except (TypeError, ValueError):
        return float("nan")


class Lookup:
    """The features of a layer by an id that several of them may have; read when first asked."""

    def __init__(self, layer: QgsVectorLayer, field: str):
        self.layer, self._field = layer, field

    @cached_property
    def _of(self) -> dict[str, list[int]]:
        place = position(self.layer.fields(), self._field)
        request = QgsFeatureRequest()
        request.setFlags(QgsFeatureRequest.Flag.NoGeometry)
        request.setSubsetOfAttributes([place])
        found: dict[str, list[int]] = {}
        for feature in self.layer.getFeatures(request):
            found.setdefault(text_of(feature.attribute(place)), []).append(feature.id())
        return found

    def __contains__(self, name: str) -> bool:
        return name in self._of

    def features(self, name: str) -> list[QgsFeature]:
        """Return the features of an id, in the layer's order."""
        ids = self._of.get(name, [])
        if not ids:
            return []
        found = {one.id(): one for one in self.layer.getFeatures(QgsFeatureRequest(ids))}
        return [found[one] for one in ids if one in found]


def value_of(feature: QgsFeature, name: str):
    """Return an attribute, None for NULL and for a field that is not there."""
    place = position(feature.fields(), name)
    value = feature.attribute(place) if place >= 0 else None
    return None if is_null(value) else value


def number_of(feature: QgsFeature, name: str) -> float | None:
    """Return an attribute as a number, None where it is none."""
    number = _number(value_of(feature, name))
    return number if np.isfinite(number) else None
