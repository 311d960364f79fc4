# SPDX-License-Identifier: GPL-2.0-or-later
"""Records that somebody marks to be withheld: a private layer, which masks take as WITHHOLD.

The layer is the only place where a mark is kept. It begins with the records that the attack itself
wants withheld, as a mask takes one such layer.
"""

from __future__ import annotations

from qgis.core import QgsFeature, QgsVectorLayer

from ..compat import make_fields
from ..core.runtime.errors import InputError
from ..core.verdict import SURE
from ..processing import styling
from ..processing.families import withholding
from ..processing.i18n import tr
from ..processing.layers import keys
from ..processing.layers.values import text_of
from ..processing.styling import Origin, origin_of, subject_of
from ..processing.styling.origin import FINDINGS
from .companions import KEY
from .evidence import Evidence, Inspection
from .records import number_of, value_of
from .truth import Truth, moved

#: Why a record is in the layer: somebody marked it.
BY_HAND = "marked"
_OUTPUT = "WITHHELD_BY_HAND"


def _run(inspection: Inspection) -> str:
    return origin_of(inspection.layer).run or inspection.layer.id()


def layer_of(inspection: Inspection) -> QgsVectorLayer | None:
    """Return the layer with the marks of an attack, None where nothing is marked yet."""
    run = _run(inspection)
    for one in inspection.project.mapLayers().values():
        origin = origin_of(one)
        if (origin.run, origin.output) == (run, _OUTPUT) and KEY.fits(one):
            return one
    return None


def marked(inspection: Inspection) -> set[str]:
    """Return the names of the records that are marked."""
    layer = layer_of(inspection) or _of_attack(inspection)
    if layer is None:
        return set()
    return {text_of(value_of(one, keys.RELEASED)) for one in layer.getFeatures()}


def _of_attack(inspection: Inspection) -> QgsVectorLayer | None:
    """The records that the attack itself wants withheld, where they are loaded."""
    layer = inspection.layers.get("AT_RISK")
    return layer if KEY.fits(layer) else None


def whom(inspection: Inspection, evidence: Evidence) -> Truth:
    """Say who is to be withheld.

    Raises
    ------
    InputError
        If nobody knows who a record is: a guess may be wrong, and to withhold somebody else would
        protect nobody.
    """
    truth = evidence.truth
    if truth is not None and (truth.original is not None or truth.place is not None):
        return truth
    feature, attack = evidence.feature, inspection.attack.name
    sure = number_of(feature, "probability")
    if attack in ("attackmask", "reversevoronoi") and sure is not None and sure >= SURE:
        if (number_of(feature, "tied") or 1) <= 1 and evidence.right is None:
            return Truth(None, "", feature.geometry(), inspection.layer.crs())
    if attack == "disclosurerisk":
        raise InputError(
            tr(
                "These records have no places, and a feature id names nobody in another file. "
                "Leave the record out of the table by hand."
            )
        )
    raise InputError(
        tr(
            "Nobody can tell from these layers who record {record} is: the place is only a guess, "
            "and to withhold somebody else would protect nobody. Choose the key of the release "
            "first."
        ),
        record=evidence.name,
    )


def toggle(inspection: Inspection, evidence: Evidence) -> bool:
    """Mark a record to be withheld, or take the mark back; return whether it is marked now.

    Raises
    ------
    InputError
        If nobody knows who the record is.
    """
    layer = layer_of(inspection)
    there = [] if layer is None else _features(layer, evidence.name)
    if layer is None and evidence.name in marked(inspection):
        layer = _made(inspection)
        there = _features(layer, evidence.name)
    if there:
        layer.dataProvider().deleteFeatures([one.id() for one in there])
    else:
        truth = whom(inspection, evidence)
        layer = layer or _made(inspection)
        layer.dataProvider().addFeature(_feature(inspection, layer, evidence, truth))
        _name_all_alike(layer)
    layer.updateExtents()
    layer.triggerRepaint()
    return not there


def _features(layer: QgsVectorLayer, name: str) -> list[QgsFeature]:
    return [one for one in layer.getFeatures() if text_of(value_of(one, keys.RELEASED)) == name]


def _feature(
    inspection: Inspection, layer: QgsVectorLayer, evidence: Evidence, truth: Truth
) -> QgsFeature:
    feature = QgsFeature(layer.fields())
    feature[keys.RELEASED] = evidence.name
    feature["why"] = BY_HAND
    sure = number_of(evidence.feature, "probability")
    if sure is not None:
        feature["probability"] = sure
    if truth.original is not None:
        feature[keys.ORIGINAL], feature[keys.ID_FIELD] = truth.original, truth.id_field
    if truth.place is not None:
        # In the system of the layer, as a mask takes one system for all rows.
        centre, crs = truth.place.centroid(), inspection.layer.crs()
        place = moved(centre, truth.crs, crs, inspection.project)
        if place is not None:
            point = place.asPoint()
            feature[keys.ORIGINAL_X], feature[keys.ORIGINAL_Y] = point.x(), point.y()
            feature[keys.CRS] = keys.crs_text(crs)
            feature.setGeometry(place)
    return feature


def _name_all_alike(layer: QgsVectorLayer) -> None:
    """Drop the ids where some records have none: a mask finds all by ids, or all by places."""
    rows = list(layer.getFeatures())
    if all(value_of(one, keys.ORIGINAL) is None for one in rows):
        return
    if all(value_of(one, keys.ORIGINAL) is not None for one in rows):
        return
    places = [layer.fields().lookupField(name) for name in (keys.ORIGINAL, keys.ID_FIELD)]
    empty = {one.id(): dict.fromkeys(places) for one in rows if one.hasGeometry()}
    layer.dataProvider().changeAttributeValues(empty)


def _made(inspection: Inspection) -> QgsVectorLayer:
    """Make the layer, with the records that the attack itself wants withheld."""
    title = tr("Private: Records to withhold, by hand")
    layer = QgsVectorLayer("Point", title, "memory")
    layer.setCrs(inspection.layer.crs())
    fields = make_fields(*(one.made() for one in withholding.OUTPUT.fields))
    layer.dataProvider().addAttributes(list(fields))
    layer.updateFields()
    begun = _of_attack(inspection)
    if begun is not None:
        layer.dataProvider().addFeatures([_copy(one, layer) for one in begun.getFeatures()])
    inspection.project.addMapLayer(layer)
    own = origin_of(inspection.layer)
    origin = Origin(
        _run(inspection),
        _OUTPUT,
        styling.AT_RISK,
        subject_of(inspection.layer),
        own.family or FINDINGS,
    )
    styling.adopt(layer, origin, title, inspection.project)
    return layer


def _copy(feature: QgsFeature, layer: QgsVectorLayer) -> QgsFeature:
    copy = QgsFeature(layer.fields())
    for name in layer.fields().names():
        copy[name] = value_of(feature, name)
    copy.setGeometry(feature.geometry())
    return copy
