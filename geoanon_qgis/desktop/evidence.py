# SPDX-License-Identifier: GPL-2.0-or-later
"""All that the layers of an attack show of one record: what to draw, and who it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsFeatureRequest,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsVectorLayer,
    QgsWkbTypes,
)

from ..core.runtime.errors import InputError
from ..processing.i18n import tr
from ..processing.layers import keys
from ..processing.layers.values import text_of
from . import truth as truths
from .attacks import Attack
from .companions import Layers, companions
from .records import Lookup, Records, number_of, read_records, value_of
from .truth import KeyTable, Truth

#: What a mark on the map shows.
CANDIDATE, GUESS, PARTNER, RELEASED, HOME, NEAREST, SUPPORT, LINK, TRUE_LINK = (
    "candidate",
    "guess",
    "partner",
    "released",
    "home",
    "nearest",
    "support",
    "link",
    "true_link",
)


@dataclass(frozen=True)
class Mark:
    """Something to draw.

    Attributes
    ----------
    what : str
    geometry : QgsGeometry
    crs : QgsCoordinateReferenceSystem
    probability : float or None
    """

    what: str
    geometry: QgsGeometry
    crs: QgsCoordinateReferenceSystem
    probability: float | None = None


@dataclass
class Evidence:
    """What is known of one record.

    Attributes
    ----------
    name : str
    feature : QgsFeature
        Of the attack's main layer.
    marks : list of Mark
    truth : Truth or None
    right : bool or None
        Whether the guess is right by the attack's own score.
    found_by : str
        Attacks on microdata that find the person, as they are listed.
    released_inside : int or None
        Released points in the area where the mask could have put the record's.
    record_right : bool or None
        Whether who knows the person takes this very record for hers; None where nobody says.
    """

    name: str
    feature: QgsFeature
    marks: list[Mark] = field(default_factory=list)
    truth: Truth | None = None
    right: bool | None = None
    found_by: str = ""
    released_inside: int | None = None
    record_right: bool | None = None

    def of(self, what: str) -> list[Mark]:
        """Return the marks of a kind."""
        return [one for one in self.marks if one.what == what]


class Inspection:
    """An attack under inspection: its layers, and where each record stands in them.

    Parameters
    ----------
    project : QgsProject
    layer : QgsVectorLayer
        The attack's main layer.
    attack : Attack
    key : QgsVectorLayer, optional
        A key chosen by hand, in the place of the one that the attack was run with.

    Raises
    ------
    InputError
        If the key is none, or another release's.
    """

    def __init__(
        self,
        project: QgsProject,
        layer: QgsVectorLayer,
        attack: Attack,
        key: QgsVectorLayer | None = None,
    ):
        self.project, self.layer, self.attack = project, layer, attack
        self.records: Records = read_records(layer, attack)
        self.layers: Layers = companions(project, layer, attack)
        self.doubt = ""
        self.key: KeyTable | None = None
        self._layer_id, self._key_id = layer.id(), "" if key is None else key.id()
        self._ids = {name: one.id() for name, one in self.layers.items()}
        one = key or self.layers.get("KEY")
        if one is not None and attack.id != keys.ORIGINAL:  # else the records are the originals
            made = KeyTable(one)
            try:
                self.doubt = truths.doubt(made, layer, attack, self.records, project, one is key)
                self.key = made
            except InputError as error:
                if one is key:
                    raise
                self.doubt = tr(error.sentence)
        self._lookups = {
            name: Lookup(one, _field_of(name, attack))
            for name, one in self.layers.items()
            if name != "KEY" and _field_of(name, attack) in one.fields().names()
        }

    def is_up_to_date(self) -> bool:
        """Tell whether the layers are still those of the project."""
        ids = set(self.project.mapLayers())
        if self._layer_id not in ids or self._key_id and self._key_id not in ids:
            return False
        now = companions(self.project, self.layer, self.attack)
        return {name: one.id() for name, one in now.items()} == self._ids

    @property
    def release_id(self) -> str:
        """The field of the release that names a record."""
        return _field_of("RELEASE", self.attack)

    def spacing(self, crs: QgsCoordinateReferenceSystem) -> float:
        """Return how far apart two records would be if all lay evenly, in a system's unit."""
        all_of_it = QgsGeometry.fromRect(self.layer.extent())
        area = truths.moved(all_of_it, self.layer.crs(), crs, self.project)
        if area is None or area.isEmpty():
            return 0.0
        box = area.boundingBox()
        return math.sqrt(box.width() * box.height() / max(1, len(self.records)))

    def look(self, row: int) -> Evidence:
        """Gather what is known of a record, by its row in :attr:`records`."""
        name = self.records.ids[row]
        feature = self.layer.getFeature(self.records.features[row])
        evidence = Evidence(name, feature, right=truths.is_right(self.attack, feature))
        evidence.truth = self._truth(evidence)
        _GATHERED[self.attack.name](self, evidence)
        return evidence

    def around(self, name: str, wanted: str) -> list[QgsFeature]:
        """Return the features of a companion that belong to an id."""
        lookup = self._lookups.get(wanted)
        return [] if lookup is None else lookup.features(name)

    def _truth(self, evidence: Evidence) -> Truth | None:
        """Who it is: by the key, by what the mask wrote, or by a guess that is right."""
        if self.attack.name == "disclosurerisk":  # the originals themselves
            place = evidence.feature.geometry()
            return Truth(None, "", None if place.isEmpty() else place, self.layer.crs())
        known = None if self.key is None else self.key.truth(evidence.name)
        if known is not None:
            return known
        for shift in self.around(evidence.name, "SHIFTS"):
            start = QgsGeometry(shift.geometry().constGet().startPoint())
            return Truth(None, "", start, self.layers["SHIFTS"].crs())
        for one in self.around(evidence.name, "CANDIDATES_OF"):
            if value_of(one, "what") == HOME:
                return Truth(None, "", one.geometry(), self.layers["CANDIDATES_OF"].crs())
        if evidence.right and not evidence.feature.geometry().isEmpty():
            return Truth(None, "", evidence.feature.geometry(), self.layer.crs())
        return None

    def released_at(self, name: str) -> Mark | None:
        """Return where a record was released."""
        for one in self.around(name, "RELEASE"):
            geometry = one.geometry()
            if not geometry.isEmpty() and geometry.type() == _POINT:
                return Mark(RELEASED, geometry, self.layers["RELEASE"].crs())
        for one in self.around(name, "LINKS"):
            start = QgsGeometry(one.geometry().constGet().startPoint())
            return Mark(RELEASED, start, self.layers["LINKS"].crs())
        return None


_POINT = QgsWkbTypes.GeometryType.PointGeometry


def _field_of(name: str, attack: Attack) -> str:
    """The field by which a companion is looked up."""
    if name in ("LINES", "AT_RISK"):
        return attack.id
    if name == "SUPPORT":
        return keys.ORIGINAL
    if name == "RECORDS_OF":
        return "person"
    if name == "RELEASE" and attack.name in ("linkageattack", "disclosurerisk"):
        return keys.RECORD
    return keys.RELEASED


def _guess(inspection: Inspection, evidence: Evidence, probability: float | None) -> None:
    geometry = evidence.feature.geometry()
    if not geometry.isEmpty():
        evidence.marks.append(Mark(GUESS, geometry, inspection.layer.crs(), probability))


def _home(evidence: Evidence) -> None:
    truth = evidence.truth
    if truth is not None and truth.place is not None:
        evidence.marks.append(Mark(HOME, truth.place, truth.crs))


def _link(inspection: Inspection, evidence: Evidence, start, end, what: str) -> None:
    """A line between two marks, or the first of two kinds."""
    pair = [
        (evidence.of(one) or [None])[0] if isinstance(one, str) else one for one in (start, end)
    ]
    if None in pair:
        return
    crs = pair[0].crs
    other = truths.moved(pair[1].geometry, pair[1].crs, crs, inspection.project)
    if other is not None:
        ends = [pair[0].geometry.asPoint(), other.asPoint()]
        evidence.marks.append(Mark(what, QgsGeometry.fromPolylineXY(ends), crs))


def _of_mask(inspection: Inspection, evidence: Evidence) -> None:
    """Addresses that explain a point, by their probabilities; released, home and support."""
    crs = inspection.layer.crs()
    shown = inspection.around(evidence.name, "CANDIDATES_OF")
    released = inspection.released_at(evidence.name)
    for one in shown:
        if value_of(one, "what") == CANDIDATE:
            of_one = number_of(one, "probability")
            evidence.marks.append(Mark(CANDIDATE, one.geometry(), crs, of_one))
        elif value_of(one, "what") == RELEASED and released is None:
            released = Mark(RELEASED, one.geometry(), crs)
    if not evidence.of(CANDIDATE):
        _guess(inspection, evidence, number_of(evidence.feature, "probability"))
    if released is not None:
        evidence.marks.append(released)
    _home(evidence)
    original = None if inspection.key is None else inspection.key.original(evidence.name)
    if original is not None:
        for one in inspection.around(original, "SUPPORT"):
            area = Mark(SUPPORT, one.geometry(), inspection.layers["SUPPORT"].crs())
            evidence.marks.insert(0, area)
            evidence.released_inside = _released_inside(inspection, area)
        for one in inspection.around(original, "RECORDS_OF"):  # by the person
            evidence.record_right = text_of(value_of(one, keys.RELEASED)) == evidence.name
    places = evidence.of(CANDIDATE) or evidence.of(GUESS)
    for one in places:  # the likeliest, of which there may be several
        if one.probability is not None and one.probability >= places[0].probability - 1e-9:
            _link(inspection, evidence, released, one, LINK)
    _link(inspection, evidence, HOME, RELEASED, TRUE_LINK)


def _released_inside(inspection: Inspection, area: Mark) -> int | None:
    """Count the released points in an area: if there is but one, it is the person's."""
    layer = inspection.layers.get("RELEASE")
    if layer is None:
        return None
    there = truths.moved(area.geometry, area.crs, layer.crs(), inspection.project)
    if there is None:
        return None
    # What lies on the border was put there by arithmetic.
    there = there.buffer(1e-6 * max(there.boundingBox().width(), 1e-9), 2)
    request = QgsFeatureRequest(there.boundingBox())
    request.setSubsetOfAttributes([])
    engine = QgsGeometry.createGeometryEngine(there.constGet())
    engine.prepareGeometry()
    points = (one.geometry().constGet() for one in layer.getFeatures(request))
    return sum(engine.intersects(one) for one in points if one is not None)


def _of_reversal(inspection: Inspection, evidence: Evidence) -> None:
    """The assigned place, the other one of a pair, and the masked point between them."""
    kind = value_of(evidence.feature, "kind")
    probability = number_of(evidence.feature, "probability")
    released = inspection.released_at(evidence.name)
    if kind != "unresolved":
        _guess(inspection, evidence, probability)
    if kind == "pair" and released is not None and evidence.of(GUESS):
        between = truths.moved(
            released.geometry, released.crs, inspection.layer.crs(), inspection.project
        )
        if between is not None:
            middle, one = between.asPoint(), evidence.of(GUESS)[0].geometry.asPoint()
            other = QgsPointXY(2 * middle.x() - one.x(), 2 * middle.y() - one.y())
            alone = number_of(evidence.feature, "pairs") == 1 and probability is not None
            rest = 1.0 - probability if alone else None
            place = QgsGeometry.fromPointXY(other)
            evidence.marks.append(Mark(PARTNER, place, inspection.layer.crs(), rest))
    if released is not None:
        evidence.marks.append(released)
    _home(evidence)
    _link(inspection, evidence, RELEASED, GUESS, LINK)
    _link(inspection, evidence, RELEASED, PARTNER, LINK)
    _link(inspection, evidence, HOME, RELEASED, TRUE_LINK)


def _of_linkage(inspection: Inspection, evidence: Evidence) -> None:
    """The person that a record was linked to, and whose it is."""
    in_every = number_of(evidence.feature, "in_every")
    sure = number_of(evidence.feature, "support") if in_every is None else None
    _guess(inspection, evidence, sure)
    if evidence.truth is None or evidence.truth.place is None:
        for one in inspection.around(evidence.name, "LINES"):
            start = QgsGeometry(one.geometry().constGet().startPoint())
            evidence.truth = Truth(None, "", start, inspection.layers["LINES"].crs())
    _home(evidence)
    _link(inspection, evidence, HOME, GUESS, LINK)


def _of_microdata(inspection: Inspection, evidence: Evidence) -> None:
    """The original's place, and that of the nearest released record."""
    place = evidence.feature.geometry()
    if not place.isEmpty() and place.type() == _POINT:
        evidence.marks.append(Mark(HOME, place, inspection.layer.crs()))
    nearest = value_of(evidence.feature, "nearest_id")
    for one in inspection.around("" if nearest is None else str(nearest), "RELEASE"):
        geometry = one.geometry()
        if not geometry.isEmpty() and geometry.type() == _POINT:
            evidence.marks.append(Mark(NEAREST, geometry, inspection.layers["RELEASE"].crs()))
    _link(inspection, evidence, HOME, NEAREST, LINK)
    for one in inspection.around(evidence.name, "AT_RISK"):
        evidence.found_by = str(value_of(one, "why") or "")


_GATHERED = {
    "attackmask": _of_mask,
    "reversevoronoi": _of_reversal,
    "linkageattack": _of_linkage,
    "disclosurerisk": _of_microdata,
}
