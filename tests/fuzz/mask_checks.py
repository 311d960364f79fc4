# SPDX-License-Identifier: GPL-2.0-or-later
"""What holds for every run of a point mask that keeps its draws, by what it has written.

Known by the names of results and parameters, as the recounts are.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from qgis.core import (
    QgsCoordinateTransform,
    QgsGeometry,
    QgsPointXY,
    QgsProject,
    QgsUnitTypes,
    QgsVectorLayer,
)

from . import written
from .cases import Case
from .layers import Given
from .runs import Outcome

#: Formats that keep places on a grid, or with some decimals.
_ROUNDED = (".tab", ".mif", ".kml", ".gpx", ".geojson", ".geojsonl", ".json", ".csv", ".gml")
_METRES = 0.05
#: Formats that know degrees only, and a system in another unit.
_DEGREES, _GRADS = (".tab", ".mif"), "EPSG:4807"
_RELEASED = "masked_id"


def wrong(case: Case, outcome: Outcome) -> list[str]:
    """Everything that a mask with a secret has done wrong; nothing for other algorithms."""
    results = outcome.results
    if "WITHHELD_COUNT" not in results or "SECRET" not in case.parameters:
        return []
    found = [*_secrets(case, outcome), *_mask_file(case, results)]
    if "INPUT" in case.given and not case.selected:
        found += _who(case, results)
        found += _where(case, results)
    return found


# --- the secret -----------------------------------------------------------------------------------


def secret_of(value: Any) -> str:
    """The digits of a secret file; empty where it cannot be read."""
    path = written.path_of(value)
    try:
        return str(json.loads(path.read_text(encoding="utf-8"))["secret"])
    except (AttributeError, OSError, ValueError, KeyError, TypeError):
        return ""


def _secrets(case: Case, outcome: Outcome) -> Iterator[str]:
    """The secret stands in SECRET_FILE, and nowhere else."""
    given = secret_of(case.parameters.get("SECRET"))
    made = secret_of(outcome.results.get("SECRET_FILE"))
    if given and made and given != made:
        yield "secret: SECRET_FILE holds another one than was given"
    for secret in {one for one in (given, made) if len(one) >= 32}:
        told = [*outcome.said, *outcome.errors, *outcome.logged]
        if any(secret in one for one in told):
            yield "secret: the log tells it"
        for name, value in outcome.results.items():
            path = written.path_of(value)
            if name == "SECRET_FILE" or path is None:
                continue
            data = b"".join(written.bytes_of(one) for one in written.family_of(path))
            if secret.encode() in data or bytes.fromhex(secret) in data:
                yield f"secret: {name} holds it"


def _mask_file(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """MASK counts as the layers do, and calls the secret by its name."""
    path = written.path_of(results.get("MASK"))
    if path is None:
        return
    told = json.loads(path.read_text(encoding="utf-8"))
    counts = told["counts"]
    withheld = sum(count for word, count in counts.items() if word.startswith("withheld: "))
    if counts["released"] != results["COUNT"] or withheld != results["WITHHELD_COUNT"]:
        yield f"count: MASK says {counts}"
    if counts["records"] != counts["released"] + withheld:
        yield f"count: MASK says {counts}, which does not add up"
    secret = secret_of(results.get("SECRET_FILE"))
    if secret:
        name = b"what a secret of GeoAnon is called by" + bytes.fromhex(secret)
        if hashlib.sha256(name).hexdigest()[:16] != told["secret_id"]:
            yield "secret: MASK calls it by another name"
    for one in case.given["INPUT"].table.shapes if "INPUT" in case.given else []:
        if isinstance(one, tuple) and all(value % 1 for value in one[:2]):
            numbers = json.dumps([list(one[:2])])[1:-1]
            if numbers in json.dumps(told):
                yield "leak: MASK holds a place"


# --- who ------------------------------------------------------------------------------------------


def _who(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """Each record is released once, or withheld."""
    given = case.given["INPUT"]
    usable = _usable(given)
    traits = " ".join(given.table.traits)
    kept_back = any(case.parameters.get(one) for one in ("WITHHOLD",))
    total = results["COUNT"] + results["WITHHELD_COUNT"]
    if usable is not None and not kept_back and total != len(usable):
        yield f"count: {total} released and withheld of {len(usable)} usable ({traits})"
    for name, count in (("WITHHELD", "WITHHELD_COUNT"), ("SUPPORT", "COUNT")):
        if name in results:
            rows = written.rows_of(results[name])
            if len(rows) != results[count]:
                yield f"count: {name} has {len(rows)} rows, and {count} is {results[count]}"
    ids = {
        name: [_number(row.get(_RELEASED)) for row in written.rows_of(results[name])]
        for name in ("OUTPUT", "SHIFTS", "KEY")
        if name in results
    }
    for name, found in ids.items():
        if None in found:
            continue  # the format has kept no numbers
        if sorted(found) != list(range(1, results["COUNT"] + 1)):
            yield f"ids: {name} has {sorted(found)[:20]} for {results['COUNT']} released"
    sets = {name: _originals(results[name]) for name in ("KEY", "SHIFTS", "SUPPORT", "WITHHELD")
            if name in results}  # fmt: skip
    for name, found in sets.items():
        if found is not None and len({*found}) != len(found):
            yield f"ids: an original is in {name} more than once"
    released = [found for name, found in sets.items() if name != "WITHHELD" and found is not None]
    if any({*one} != {*released[0]} for one in released):
        yield "ids: KEY, SHIFTS and SUPPORT do not have the same originals"
    if sets.get("WITHHELD") is not None and released:
        both = {*released[0]} & {*sets["WITHHELD"]}
        if both:
            yield f"ids: {sorted(both)[:5]} are released and withheld"


def _usable(given: Given) -> dict[int, QgsPointXY] | None:
    """Places of records that can be read; None where that is not sure."""
    odd = [one for one in given.table.traits if one.startswith("shapes")]
    if {*odd} - {"shapes null", "shapes empty", "shapes z"}:
        return None
    found = {}
    for one in given.layer.getFeatures():
        if one.hasGeometry() and not one.geometry().isEmpty():
            vertex = one.geometry().vertexAt(0)
            if math.isfinite(vertex.x()) and math.isfinite(vertex.y()):
                found[one.id()] = QgsPointXY(vertex.x(), vertex.y())
    return found


def _number(value: Any) -> int | None:
    try:
        return int(float(value))
    except (TypeError, ValueError):
        return None


def _originals(result: Any) -> list[str] | None:
    rows = written.rows_of(result)
    found = [row.get("original_id", row.get("original_i")) for row in rows]
    if None in found:
        return None  # the format has lost them, or a text of ID_FIELD is empty
    numbers = [_number(one) for one in found]
    return [str(one) for one in (found if None in numbers else numbers)]


# --- where ----------------------------------------------------------------------------------------


def _where(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """Points are where the mask says that they go, and the private layers agree."""
    if "OUTPUT" not in results:
        return
    layer = case.given["INPUT"].layer
    slack = slack_of(layer, results["OUTPUT"])
    out = points_by_id(results["OUTPUT"], layer)
    if out is None:
        return
    if any(not all(map(math.isfinite, one)) for one in out.values()):
        yield "place: a released point is nowhere"
        return
    yield from _at_list(case, out, slack, layer)
    pairs = _pairs(case, results, out)
    if pairs is None:
        return
    name = case.algorithm
    if name in ("masklocationswap", "maskdisplace", "maskadaptivevoronoi"):
        for number, (before, after) in pairs.items():
            if math.dist(before, after) <= 1e-3 * slack:
                yield f"place: {_RELEASED} {number} was released where it was, at {before}"
    yield from _lines(results, pairs, layer, slack)
    if name == "maskadaptivevoronoi":
        yield from _areas(case, results, pairs, layer, slack)
    if name == "maskdisplace":
        yield from _same_zone(case, "ZONES", pairs, layer, slack)
        yield from _not_avoided(case, out, layer, slack)
    if name == "maskaggregate" and case.parameters.get("METHOD") == "zones":
        yield from _same_zone(case, "ZONES", pairs, layer, slack)
    if name == "maskaggregate" and case.parameters.get("PLACE") in ("centre", 0, "0"):
        if len({*out.values()}) > results["AREA_COUNT"]:
            yield "place: there are more released places than areas"
    together: dict[tuple, tuple] = {}
    for before, after in pairs.values():
        first = together.setdefault(before, after)
        if math.dist(first, after) > 2 * slack:
            yield f"place: records at {before} went to {first} and to {after}"


def _lines(results: dict[str, Any], pairs: dict, layer, slack: float) -> Iterator[str]:
    """SHIFTS lead from the originals to the released points."""
    shifts = written.layer_of(results.get("SHIFTS"))
    if shifts is None or not shifts.isSpatial() or _crosses(layer):
        return
    path = written.path_of(results["SHIFTS"])
    if path is not None and path.suffix.lower() in (*_ROUNDED, *_DEGREES):
        return
    for one in shifts.getFeatures():
        number, ends = _number(one[_RELEASED]), list(one.geometry().vertices())
        if number in pairs and len(ends) >= 2:
            for place, end in zip(pairs[number], (ends[0], ends[-1])):
                if math.dist(place, (end.x(), end.y())) > slack:
                    yield f"place: SHIFTS leads {_RELEASED} {number} to {end.x(), end.y()}"
                    return


def _areas(case: Case, results: dict[str, Any], pairs, layer, slack: float) -> Iterator[str]:
    """Merged areas hold K people each, and who is to stay inside is in his own."""
    least = _number(case.parameters.get("K"))
    if least is not None and results["LEAST_PEOPLE"] < least:
        yield f"areas: one holds {results['LEAST_PEOPLE']} people, fewer than {least}"
    areas = written.layer_of(results.get("AREAS"))
    kept_inside = case.parameters.get("KEEP_INSIDE") in (True, "true", 1)
    if areas is None or not areas.isSpatial() or areas.crs() != layer.crs() or not kept_inside:
        return
    path = written.path_of(results["AREAS"])
    if (path is not None and path.suffix.lower() in _ROUNDED) or _crosses(layer):
        return
    slack = max(slack, _METRES * _unit(layer))
    shapes = [one.geometry().makeValid() for one in areas.getFeatures()]
    for number, (before, after) in pairs.items():
        start, end = (QgsGeometry.fromPointXY(QgsPointXY(*one)) for one in (before, after))
        if not any(one.distance(start) <= slack >= one.distance(end) for one in shapes):
            yield f"place: {_RELEASED} {number} has left its area, from {before} to {after}"
            return


def _unit(layer: QgsVectorLayer) -> float:
    """Units of a layer in a metre, about."""
    crs = layer.crs()
    if not crs.isValid():
        return 1.0
    return 1.0 / QgsUnitTypes.fromUnitToUnitFactor(crs.mapUnits(), QgsUnitTypes.DistanceMeters)


def slack_of(layer: QgsVectorLayer, result: Any) -> float:
    """How far a written place may be off, in units of the layer."""
    least = 1e-10 * max((abs(one) for xy in finite(layer) for one in xy), default=1.0)
    path = written.path_of(result)
    if path is not None and path.suffix.lower() in _ROUNDED:
        return max(least, _METRES * _unit(layer))
    return max(least, 2e-3 * _unit(layer))


def finite(layer: QgsVectorLayer) -> list[tuple[float, float]]:
    """Places of a layer that are some."""
    shapes = [one.geometry() for one in layer.getFeatures() if one.hasGeometry()]
    firsts = [one.vertexAt(0) for one in shapes if not one.isEmpty()]
    xy = [(one.x(), one.y()) for one in firsts]
    return [one for one in xy if all(math.isfinite(value) and abs(value) < 1e9 for value in one)]


def points_by_id(result: Any, layer: QgsVectorLayer) -> dict[int, tuple[float, float]] | None:
    """Where each released id is, in the system of the input; None where it cannot be told."""
    path = written.path_of(result)
    if path is not None and path.suffix.lower() in _DEGREES and layer.crs().authid() == _GRADS:
        return None  # GDAL writes grads from Paris there as if they were degrees
    rows = written.rows_of(result)
    if any("wkt" in row for row in rows):
        return None  # a field of that name, which was kept, is read as the place
    ids = [_number(row.get(_RELEASED)) for row in rows]
    places = written.first_points(result, layer.crs())
    if None in ids or None in places:
        return None
    return dict(zip(ids, places))


def _pairs(case: Case, results: dict[str, Any], out: dict) -> dict[int, tuple] | None:
    """Place of each released id before and after, by KEY."""
    if "KEY" not in results or case.parameters.get("ID_FIELD"):
        return None
    usable = _usable(case.given["INPUT"])
    if usable is None:
        return None
    pairs = {}
    for row in written.rows_of(results["KEY"]):
        number = _number(row.get(_RELEASED))
        original = _number(row.get("original_id", row.get("original_i")))
        if number not in out or original not in usable:
            return None  # who is not there is told of by the checks of ids
        place = usable[original]
        pairs[number] = ((place.x(), place.y()), out[number])
    return pairs


def _at_list(case: Case, out: dict, slack: float, layer: QgsVectorLayer) -> Iterator[str]:
    """Who is released at addresses is at one of the list."""
    if case.algorithm == "maskexchange":
        if case.parameters.get("OUTPUT_AT") not in ("address", 0, "0"):
            return
    elif case.algorithm != "masklocationswap":
        return
    listed = case.given.get("CANDIDATES")
    if listed is None:
        return
    there = [one.geometry() for one in listed.layer.getFeatures() if one.hasGeometry()]
    xy = [one.asPoint() for one in there if not one.isEmpty() and not one.isMultipart()]
    theirs = listed.layer.crs()
    if theirs.isValid() and layer.crs().isValid() and theirs != layer.crs():
        change = QgsCoordinateTransform(theirs, layer.crs(), QgsProject.instance())
        xy = [change.transform(one) for one in xy]
    if not xy:
        return
    xy = np.array([(one.x(), one.y()) for one in xy])
    for number, place in out.items():
        east, north = (xy - place).T
        if layer.crs().isGeographic():  # -180 and 180 are the same meridian
            turn = 400.0 if layer.crs().authid() == _GRADS else 360.0
            east = east - turn * np.round(east / turn)
        away = np.hypot(east, north).min()
        # a degree of longitude is short up north, and what is transformed is a hair off there
        if away > slack * (100 if _crosses(layer) else 4):
            yield f"place: {_RELEASED} {number} is {away:g} from any address of the list"
            return


def _shapes(case: Case, name: str) -> list[QgsGeometry] | None:
    given = case.given.get(name)
    if given is None or given.layer.crs() != case.given["INPUT"].layer.crs():
        return None
    shapes = [one.geometry() for one in given.layer.getFeatures() if one.hasGeometry()]
    return [one.makeValid() for one in shapes if not one.isEmpty()]


def _same_zone(case: Case, name: str, pairs: dict, layer, slack: float) -> Iterator[str]:
    """Nobody leaves the zone."""
    zones = _shapes(case, name)
    if zones is None or _crosses(layer):
        return
    slack = max(slack, _METRES * _unit(layer))
    for number, (before, after) in pairs.items():
        start, end = (QgsGeometry.fromPointXY(QgsPointXY(*one)) for one in (before, after))
        if not any(one.distance(start) <= slack >= one.distance(end) for one in zones):
            yield f"place: {_RELEASED} {number} has left its zone, from {before} to {after}"
            return


def _not_avoided(case: Case, out: dict, layer, slack: float) -> Iterator[str]:
    """Nobody is in an area to avoid."""
    areas = _shapes(case, "AVOID")
    if areas is None or _crosses(layer):
        return
    slack = max(slack, _METRES * _unit(layer))
    inner = [one.buffer(-slack, 8) for one in areas]
    for number, place in out.items():
        point = QgsGeometry.fromPointXY(QgsPointXY(*place))
        if any(one.contains(point) for one in inner if not one.isEmpty()):
            yield f"place: {_RELEASED} {number} is in an area to avoid, at {place}"
            return


def _crosses(layer: QgsVectorLayer) -> bool:
    """Whether a layer lies on both sides of the antimeridian, or at a pole."""
    return layer.crs().isGeographic() and any(abs(x) > 179 or abs(y) > 80 for x, y in finite(layer))
