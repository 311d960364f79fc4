# SPDX-License-Identifier: GPL-2.0-or-later
"""Who a record really is, as far as the layers say: by the key, or where nobody doubts it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsCsException,
    QgsFeature,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsVectorLayer,
)

from ..core.runtime.errors import InputError
from ..processing.i18n import tr
from ..processing.layers import keys
from ..processing.layers.values import text_of
from .attacks import Attack, position
from .records import Lookup, Records, number_of, value_of

#: Right guesses that a key chosen by hand is held against (of 20 times as many looked at), and how much nearer its places must
#: be to them than to each other's.
_COMPARED, _NEARER = 100, 0.1


@dataclass(frozen=True)
class Truth:
    """Who a record is.

    Attributes
    ----------
    original : str or None
        The original's id, where ``id_field`` names the field that it is from.
    id_field : str
    place : QgsGeometry or None
    crs : QgsCoordinateReferenceSystem
        Of the place.
    """

    original: str | None
    id_field: str
    place: QgsGeometry | None
    crs: QgsCoordinateReferenceSystem


def moved(
    geometry: QgsGeometry,
    crs: QgsCoordinateReferenceSystem,
    to: QgsCoordinateReferenceSystem,
    project: QgsProject,
) -> QgsGeometry | None:
    """Return a geometry in another system, None where that has no such place."""
    result = QgsGeometry(geometry)
    if crs.isValid() and to.isValid() and crs != to:
        try:
            result.transform(QgsCoordinateTransform(crs, to, project))
        except QgsCsException:
            return None
    return result


class KeyTable:
    """A key, of which a record is read when it is asked for.

    Parameters
    ----------
    layer : QgsVectorLayer

    Raises
    ------
    InputError
        If it has not the fields of a key.
    """

    def __init__(self, layer: QgsVectorLayer):
        self.name = layer.name()
        fields = layer.fields()
        names = [one for one in (keys.RELEASED, keys.RECORD) if position(fields, one) >= 0]
        if not names or position(fields, keys.ORIGINAL) < 0:
            raise InputError(tr("The layer “{key}” is no key of a release."), key=self.name)
        self._rows = Lookup(layer, names[0])

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    def _row(self, name: str) -> QgsFeature | None:
        rows = self._rows.features(name)
        return rows[0] if len(rows) == 1 else None  # one that names it twice names nobody

    def original(self, name: str) -> str | None:
        """Return the id of a record's original, be it a feature id; None for no record."""
        row = self._row(name)
        value = None if row is None else value_of(row, keys.ORIGINAL)
        return None if value is None else text_of(value)

    def truth(self, name: str) -> Truth | None:
        """Say who a released record is, None where the key does not."""
        row = self._row(name)
        if row is None:
            return None
        x, y = (number_of(row, one) for one in (keys.ORIGINAL_X, keys.ORIGINAL_Y))
        crs, spelt = QgsCoordinateReferenceSystem(), value_of(row, keys.CRS)
        readable = not spelt or crs.createFromString(str(spelt))
        place = None
        if x is not None and y is not None and readable:
            place = QgsGeometry.fromPointXY(QgsPointXY(x, y))
        field = str(value_of(row, keys.ID_FIELD) or "")
        return Truth(self.original(name) if field else None, field, place, crs)


def is_right(attack: Attack, feature: QgsFeature) -> bool | None:
    """Tell whether the layer itself says that a guess is right; None where it does not say."""
    if attack.name == "attackmask":
        top, truth = number_of(feature, "probability"), number_of(feature, "of_truth")
        if top is None or truth is None:
            return None
        if abs(top - truth) > 1e-9:
            return False
        return True if (number_of(feature, "tied") or 1) <= 1 else None
    correct = number_of(feature, "correct")
    return None if correct is None else correct == 1


def is_scored(attack: Attack, feature: QgsFeature) -> bool:
    """Tell whether an attack says anything of a record by its key."""
    fields = {"attackmask": ("of_truth", "record_probability")}.get(attack.name, ("correct",))
    return any(number_of(feature, one) is not None for one in fields)


def doubt(
    key: KeyTable,
    layer: QgsVectorLayer,
    attack: Attack,
    records: Records,
    project: QgsProject,
    by_hand: bool,
) -> str:
    """Say what speaks against a key; empty where nothing does.

    Guesses that the attack has scored as right stand where the key's people live: so the places
    of a key of another release are found out. A key that the attack was run with, and by which it
    scored nothing, did not fit.

    Raises
    ------
    InputError
        If it names nobody here, or other people.
    """
    if not any(name in key for name in records.ids):
        raise InputError(
            tr("The key “{key}” names none of these records: it belongs to another release."),
            key=key.name,
        )
    some = [layer.getFeature(one) for one in records.features[: 20 * _COMPARED]]
    if not by_hand:
        if any(is_scored(attack, one) for one in some):
            return ""
        raise InputError(
            tr(
                "The attack was given the key “{key}” and scored nothing by it: it belongs to "
                "another release, and is not used here."
            ),
            key=key.name,
        )
    unproven = tr(
        "Nobody has checked that the key “{key}” belongs to this release: the attack was run "
        "without one, or the key has no places."
    ).format(key=key.name)
    guesses, homes = [], []
    for name, feature in zip(records.ids, some):
        truth = key.truth(name)
        if truth is None or truth.place is None or len(guesses) >= _COMPARED:
            continue
        if is_right(attack, feature) and not feature.geometry().isEmpty():
            home = moved(truth.place, truth.crs, layer.crs(), project)
            if home is not None:
                guesses.append(feature.geometry().asPoint())
                homes.append(home.asPoint())
    if len(guesses) < 3:
        return unproven
    a, b = (np.array([(one.x(), one.y()) for one in some]) for some in (guesses, homes))
    own = np.median(np.hypot(*(a - b).T))
    of_others = np.median(np.hypot(*(np.roll(a, 1, axis=0) - b).T))
    if own > _NEARER * of_others:
        raise InputError(
            tr(
                "The key “{key}” belongs to another release: the guesses that are right by the "
                "attack do not stand where its people live."
            ),
            key=key.name,
        )
    return ""
