# SPDX-License-Identifier: GPL-2.0-or-later
"""The layers of a project that belong to an attack's main layer.

Layers that a run has loaded know their run and what it has read. Of layers that were opened from
files nobody knows it: then one that fits is taken if it is the only one, and never a key, which
would name the wrong people if it were another release's.
"""

from __future__ import annotations

from qgis.core import QgsProject, QgsVectorLayer

from ..processing.layers import keys
from ..processing.styling import Origin, origin_of
from ..processing.styling.origin import found
from .attacks import ANY, LINES, POINTS, POLYGONS, TABLES, Attack, Shape, attack_of

#: Layers of the same run as the attack: the name of the output, and what such a layer is like.
_OF_ATTACK = {
    "CANDIDATES_OF": Shape(POINTS, (keys.RELEASED, "what", "probability", "rank")),
    "LINKS": Shape(LINES, (keys.RELEASED, "kind", "probability", "pairs")),
    "LINES": Shape(LINES, ("target_id", "correct")),
    "RECORDS_OF": Shape(TABLES, ("person", keys.RELEASED, "probability", "of_truth")),
    "AT_RISK": Shape(ANY, (keys.ORIGINAL, "why")),
}
#: Layers of the run that made the release, or its key.
_OF_MASK = {
    "SUPPORT": Shape(POLYGONS, (keys.ORIGINAL,)),
    "SHIFTS": Shape(LINES, (keys.RELEASED, keys.ORIGINAL)),
}
KEY = Shape(ANY, (keys.ORIGINAL, keys.ID_FIELD, keys.ORIGINAL_X, keys.ORIGINAL_Y, keys.CRS))
Layers = dict[str, QgsVectorLayer]


def companions(project: QgsProject, layer: QgsVectorLayer, attack: Attack) -> Layers:
    """Find the layers that explain an attack's main layer.

    Parameters
    ----------
    project : QgsProject
    layer : QgsVectorLayer
    attack : Attack

    Returns
    -------
    dict of str to QgsVectorLayer
        ``CANDIDATES_OF``, ``LINKS``, ``LINES``, ``RECORDS_OF``, ``AT_RISK``, ``SUPPORT``,
        ``SHIFTS``, ``RELEASE`` and ``KEY``, those of them that there are.
    """
    own = origin_of(layer)
    if not own.run:
        return _only_ones(project, layer, attack)
    there: Layers = {}
    there.update(_of_run(project, own, _OF_ATTACK))
    for name, parameter in (("RELEASE", attack.of_release), ("KEY", attack.of_key)):
        said = own.inputs.get(parameter)
        one = found(project, said) if said else None
        if one is not None:
            there[name] = one
            there.update(_of_run(project, origin_of(one), _OF_MASK))
    return there


def _of_run(project: QgsProject, origin: Origin, shapes: dict[str, Shape]) -> Layers:
    there: Layers = {}
    for one in project.mapLayers().values():
        other = origin_of(one)
        if origin.run and other.run == origin.run and other.output in shapes:
            if shapes[other.output].fits(one):
                there[other.output] = one
    return there


def _only_ones(project: QgsProject, layer: QgsVectorLayer, attack: Attack) -> Layers:
    if any(
        one is not layer and attack_of(one) is attack and not origin_of(one).run
        for one in project.mapLayers().values()
    ):
        return {}  # nobody knows to which of both the others belong
    there: Layers = {}
    for name, shape in _OF_ATTACK.items():
        fit = [
            one
            for one in project.mapLayers().values()
            if one is not layer
            and not origin_of(one).run
            and shape.fits(one)
            and (name != "AT_RISK" or not KEY.fits(one))
        ]
        if len(fit) == 1:
            there[name] = fit[0]
    return there


def main_layer(project: QgsProject, layer: QgsVectorLayer | None) -> QgsVectorLayer | None:
    """Return the main layer of the attack that a layer belongs to; None where it belongs to none."""
    if attack_of(layer) is not None:
        return layer
    if layer is None or not origin_of(layer).run:
        return None
    run = origin_of(layer).run
    return next((one for one in main_layers(project) if origin_of(one).run == run), None)


def main_layers(project: QgsProject) -> list[QgsVectorLayer]:
    """Return the main layers of all attacks, by name."""
    return sorted(
        (one for one in project.mapLayers().values() if attack_of(one) is not None),
        key=lambda one: one.name(),
    )


def possible_keys(project: QgsProject) -> list[QgsVectorLayer]:
    """Return the layers that could be a key, by name; layers of records to withhold are none."""
    return sorted(
        (one for one in project.mapLayers().values() if KEY.fits(one) and position_of_why(one) < 0),
        key=lambda one: one.name(),
    )


def position_of_why(layer: QgsVectorLayer) -> int:
    """Return where a layer of records to withhold says why; -1 in a key."""
    return layer.fields().lookupField("why")
