# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures and releases recounted by brute force from what was given and written.

A recount is known by the names of an algorithm's results, so that a model or a new algorithm
with the same ones is recounted too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsDistanceArea,
    QgsPointXY,
    QgsProject,
)

from geoanon_qgis.compat import is_null

from . import mask_checks, written
from .cases import Case
from .layers import Given
from .runs import Outcome
from .tables import PLANAR

#: Output with a row for each of what a number output counts.
_ROWS = {
    "OUTPUT": ("COUNT", "N", "COMBINATIONS"),
    "KEY": ("COUNT", "N"),
    "SHIFTS": ("COUNT",),
    "CLASSES": ("CLASSES_FOUND",),
}

#: Formats that keep places on a grid of about a centimetre, or in degrees with some decimals.
_ROUNDED = (".tab", ".mif", ".kml", ".gpx", ".geojson", ".geojsonl", ".json")
_CENTIMETRES = 0.02


def wrong(case: Case, outcome: Outcome) -> list[str]:
    """Everything that was counted wrong."""
    results = outcome.results
    found = [*_rows(case, results), *_ranges(results), *_all_taken(case, results)]
    found += mask_checks.wrong(case, outcome)
    for needed, check in (
        ({"SINGLETONS", "OUTPUT", "KEY"}, _masked),
        ({"MATRIX", "KEY", "MAX_VIOLATION"}, _distances),
        ({"RECORDS_OUT", "ANONYMITY"}, _classes_released),
        ({"LOOKUP", "AREAS_IN_PIECES"}, _areas_kept),
        ({"K_ANONYMITY", "OUTPUT"}, _classes),
        ({"FOUND", "EXPECTED_CORRECT", "OUTPUT"}, _assigned),
        ({"CLIQUE", "MATCHES"}, _matches),
    ):
        if needed <= {*results}:
            found += check(case, results)
    return found


def _rows(case: Case, results: dict[str, Any]) -> Iterator[str]:
    if _chosen(case, "PERSON_FIELD"):
        return  # people are counted, not rows
    for name, numbers in _ROWS.items():
        known = [results[one] for one in numbers if one in results]
        if name not in results or not known or "ADEQUATE" in results:
            continue
        count = len(written.rows_of(results[name]))
        if name == "KEY" and "COLUMNS" in results and count == 0:
            continue  # no record corresponds to one original
        if count != known[0]:
            yield f"count: {name} has {count} rows, and {known[0]} were counted"


def _ranges(results: dict[str, Any]) -> Iterator[str]:
    shares = (
        "PRECISION",
        "RECALL",
        "SHARE_CORRECT",
        "SUPPRESSED_SHARE",
        "NEAREST_KEPT",
        "REIDENTIFIED",
        "AUC_DISTANCE",
        "LEAST_SUPPRESSED",
        "WORST_PRECISION",
    )
    for name, value in results.items():
        if not isinstance(value, (int, float)) or value != value:
            continue
        word = name.split(":")[-1]
        if word in shares and not -1e-12 <= value <= 1 + 1e-12:
            yield f"number {name} is {value}, no share"
        if word in ("SPEARMAN", "MORANS_I") and not -1.5 <= value <= 1.5:
            yield f"number {name} is {value}"


def _all_taken(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """Counts of records are those of the input, or fewer where places are not usable."""
    counted = results.get("COUNT", results.get("N"))
    given = case.given.get("INPUT")
    if _chosen(case, "PERSON_FIELD"):
        return
    if counted is None or given is None or case.selected or "REGIONS" in case.given:
        return
    total = sum(1 for _ in given.layer.getFeatures())
    if "RECORDS" in case.parameters and not is_null(case.parameters["RECORDS"]):
        return
    if counted > total:
        yield f"count: {counted} of {total} records"
    clean = not any(one.startswith("shapes") for one in given.table.traits)
    left = results.get("LEFT_OUT", 0) + results.get("WITHHELD_COUNT", 0)
    if clean and counted + left != total:
        yield f"count: {counted} and {left} left out make not {total}"


# --- masks and distances ---------------------------------------------------------------------


def places(given: Given) -> dict[int, tuple[float, float]]:
    """Place of each feature that has a usable one, by its id."""
    found = {}
    for one in given.layer.getFeatures():
        if one.hasGeometry() and not one.geometry().isEmpty():
            vertex = one.geometry().vertexAt(0)
            if math.isfinite(vertex.x()) and math.isfinite(vertex.y()):
                found[one.id()] = (vertex.x(), vertex.y())
    return found


def _originals(case: Case, results: dict[str, Any], released: str) -> dict[int, tuple] | None:
    """Place of each released id's original; None if the key cannot say."""
    source = case.given.get("INPUT")
    if source is None or case.selected:
        return None
    known, found = places(source), {}
    for row in written.rows_of(results["KEY"]):
        original = row.get("original_id", row.get("original_i"))
        number = row.get(released, row.get(released[:10]))
        try:
            place = float(row["original_x"]), float(row["original_y"])
            by_id = place if case.parameters.get("ID_FIELD") else known[int(float(original))]
            if not np.allclose(by_id, place, rtol=1e-9, atol=1e-6):  # formats round
                return None
            found[int(float(number))] = place
        except (KeyError, TypeError, ValueError):
            return None
    return found


def _masked(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """Each point lies halfway to a nearest neighbour."""
    if case.given["INPUT"].layer.crs().authid() not in PLANAR or case.selected:
        return
    originals = _originals(case, results, "masked_id")
    if originals is None:
        if not case.parameters.get("ID_FIELD"):
            yield "key: it does not lead to the originals"
        return
    xy = np.array(list(originals.values()))
    if len(xy) < 2 or np.abs(xy).max() > 1e8 or results["UNMOVED"]:
        return
    crs = case.given["INPUT"].layer.crs()
    released = {
        int(float(row["masked_id"])): place
        for row, place in zip(
            written.rows_of(results["OUTPUT"]), written.first_points(results["OUTPUT"], crs)
        )
        if place is not None
    }
    if {*released} != {*originals}:
        yield "key: its ids are not those of the release"
        return
    slack = max(1e-3, 1e-6 * float(np.ptp(xy, axis=0).max()))  # formats round to some decimals
    path = written.path_of(results["OUTPUT"])
    if path is not None and path.suffix.lower() in _ROUNDED:
        slack = max(slack, _CENTIMETRES)
    for one, place in released.items():
        away = np.hypot(*(xy - originals[one]).T)
        away[away == 0] = np.inf
        middles = (xy[away <= away.min() + slack] + originals[one]) / 2
        if np.hypot(*(middles - place).T).min() > slack:
            yield f"mask: {originals[one]} became {place}, which is not halfway to a neighbour"
            return


def _distances(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """No released distance exceeds the true one where the method promises that."""
    if "SETS" not in case.parameters:
        return
    read = written.matrix_of(written.path_of(results["MATRIX"]))
    originals = _originals(case, results, "released_id")
    if read is None or originals is None:
        return
    ids, released = read
    if len(ids) != results["N"] or released.shape != (len(ids), len(ids)):
        yield f"count: the matrix has {len(ids)} records instead of {results['N']}"
        return
    if {*ids} != {str(one) for one in originals}:
        yield "key: its ids are not those of the matrix"
        return
    if not np.isfinite(released).all() or (released < 0).any():
        yield "matrix: it holds what is no distance"
    if not np.array_equal(released, released.T):
        yield "matrix: it is not symmetric"
    truth = _true_distances(case, [originals[int(one)] for one in ids])
    if truth is None:
        return
    over = released * _unit(case) - truth
    worst = float(over.max(initial=0.0))
    promised = not case.parameters.get("PRE_NOISE")
    if promised and worst > 1e-6 * float(truth.max(initial=1.0)) + 1e-6:
        yield f"violation: a released distance exceeds the true one by {worst:g}"


def _unit(case: Case) -> float:
    return 1000.0 if case.parameters.get("UNIT") in ("km", 1, "1") else 1.0


def _true_distances(case: Case, xy: list[tuple[float, float]]) -> np.ndarray | None:
    crs = case.given["INPUT"].layer.crs()
    metric = case.parameters.get("METRIC")
    if metric in ("planar", 2, "2"):
        away = np.array(xy)[:, None] - np.array(xy)[None]
        return np.hypot(away[..., 0], away[..., 1]) if crs.authid() in PLANAR else None
    if metric not in ("geodesic", 0, "0", None) or not crs.isValid():
        return None
    if crs.authid() not in ("EPSG:4326", "EPSG:32632"):
        return None  # others have datums of their own
    ruler = QgsDistanceArea()
    ruler.setSourceCrs(QgsCoordinateReferenceSystem(crs), QgsProject.instance().transformContext())
    ruler.setEllipsoid("EPSG:7030")
    there = [QgsPointXY(*one) for one in xy]
    return np.array([[ruler.measureLine(a, b) for b in there] for a in there])


# --- classes and links -----------------------------------------------------------------------


def _chosen(case: Case, name: str) -> list[str]:
    value = case.parameters.get(name) or []
    if isinstance(value, int):  # a name that was spoiled
        return [str(value)]
    return value.split(";") if isinstance(value, str) else list(value)


def _classes_released(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """No released record is in a smaller class than K says."""
    rows = written.rows_of(results["RECORDS_OUT"])
    names = [name.lower() for name in _chosen(case, "QIS")]
    given = _plain(case.parameters["K"])
    if given is None:
        definition = QgsApplication.processingRegistry().algorithmById("geoanon:vbas")
        given = definition.parameterDefinition("K").defaultValue()
    least = int(float(given))
    if rows and not {*names} <= {*rows[0]}:
        return  # the format has cut names
    sizes = Counter((row["area_id"], *(str(row[name]) for name in names)) for row in rows)
    if sizes and min(sizes.values()) < least:
        yield f"classes: one of {min(sizes.values())} records was released with K {least}"
    if sizes and min(sizes.values()) != results["ANONYMITY"]:
        yield f"classes: the smallest has {min(sizes.values())}, not {results['ANONYMITY']}"
    if "RECORDS" in case.given and not case.selected:
        total = sum(1 for _ in case.given["RECORDS"].layer.getFeatures())
        if len(rows) + results["SUPPRESSED"] > total:
            yield f"count: {len(rows)} released and {results['SUPPRESSED']} kept back of {total}"


def _areas_kept(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """No area crosses a border, holds too little, or lies in pieces where none may."""
    if case.selected or "REGIONS" not in case.given or "RECORDS" not in case.given:
        return
    regions = [one.attributeMap() for one in case.given["REGIONS"].layer.getFeatures()]
    id_name = _chosen(case, "REGION_ID")[0].lower()
    regions = [{name.lower(): value for name, value in one.items()} for one in regions]
    rows = [
        {name.lower(): value for name, value in one.items()}
        for one in written.rows_of(results["LOOKUP"])
    ]
    if not rows or "area_id" not in rows[0] or id_name not in regions[0]:
        return
    key = id_name if id_name in rows[0] else "region_id"
    if key not in rows[0]:
        return  # the format has cut names
    area = {str(row[key]): row["area_id"] for row in rows}
    for name in {*_chosen(case, "NEVER_CROSS"), *_chosen(case, "HIERARCHY")}:
        sides: dict[Any, set] = {}
        for one in regions:
            if str(one[id_name]) in area:
                sides.setdefault(area[str(one[id_name])], set()).add(str(one.get(name.lower())))
        if any(len(found) > 1 for found in sides.values()):
            yield f"borders: an area crosses one of {name}"
    least = _plain(case.parameters.get("MIN_POPULATION")) or 0
    if float(least) > 0 and _chosen(case, "POPULATION_FIELD"):
        field, held = _chosen(case, "POPULATION_FIELD")[0].lower(), Counter()
        for one in regions:
            if str(one[id_name]) in area:
                held[area[str(one[id_name])]] += one[field]
        if held and min(held.values()) < float(least):
            yield f"floors: an area of {min(held.values())} people where {least} are asked for"
    least = _plain(case.parameters.get("MIN_RECORDS")) or 0
    if results["LEAST_RECORDS"] < float(least):
        yield f"floors: an area of {results['LEAST_RECORDS']} records where {least} are asked for"
    if _plain(case.parameters.get("CONTIGUOUS")) in ("yes", 1) and results["AREAS_IN_PIECES"]:
        yield f"pieces: {results['AREAS_IN_PIECES']} areas lie in several"


def _classes(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """The smallest class, the unique records and the number of classes."""
    if case.selected or "INPUT" not in case.given:
        return
    layer = case.given["INPUT"].layer
    here = {name.lower(): name for name in layer.fields().names()}
    names = [here.get(name.lower()) for name in _chosen(case, "QIS")]
    if None in names or not names:
        return
    if _plain(case.parameters.get("DATES")) not in (None, "as_they_are", 0):
        return  # dates may be grouped
    person = [here.get(name.lower()) for name in _chosen(case, "PERSON_FIELD")]
    kinds = [
        (
            tuple("NULL" if _is_missing(row[name]) else _spelt(row[name]) for name in names),
            tuple("NULL" if _is_missing(row[name]) else str(row[name]) for name in person) or at,
        )
        for at, row in enumerate(layer.getFeatures())
    ]
    sizes = Counter(kind for kind, _ in set(kinds))
    counted = {
        "K_ANONYMITY": min(sizes.values()),
        "CLASSES_FOUND": len(sizes),
        "UNIQUES": sum(1 for one in sizes.values() if one == 1),
        "N": sum(sizes.values()),
    }
    for name, value in counted.items():
        if results[name] != value:
            yield f"classes: {name} is {results[name]} instead of {value}"


def _is_missing(value: Any) -> bool:
    return is_null(value) or (isinstance(value, str) and not value.strip())


def _spelt(value: Any) -> str:
    if hasattr(value, "toPyDateTime"):
        return value.toPyDateTime().isoformat()
    return repr(value + 0.0) if isinstance(value, float) else f"{type(value).__name__} {value!r}"


def _assigned(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """Every assigned place is a candidate's, and probabilities are some."""
    if "CANDIDATES" not in case.given or "OUTPUT" not in results:
        return
    rows = written.rows_of(results["OUTPUT"])
    chances = [float(row["probability"]) for row in rows if row.get("probability") is not None]
    if any(not 0 <= one <= 1 + 1e-9 for one in chances):
        yield "number: a probability is none"
    expected = results["EXPECTED_CORRECT"]
    if expected is not None and expected > len(rows) + 1e-6:
        yield f"number: {expected} expected to be right of {len(rows)} assigned"


def _matches(case: Case, results: dict[str, Any]) -> Iterator[str]:
    """Nobody is linked twice."""
    rows = written.rows_of(results["MATCHES"])
    for side in ("target_id",):
        counts = Counter(row.get(side) for row in rows)
        if counts and max(counts.values()) > 1:
            yield f"matches: a {side} is linked {max(counts.values())} times"
    if len(rows) != results["CLIQUE"]:
        yield f"count: MATCHES has {len(rows)} rows, and {results['CLIQUE']} were counted"


def _plain(value: Any) -> Any:
    if hasattr(value, "expressionString"):
        return value.expressionString()
    return value
