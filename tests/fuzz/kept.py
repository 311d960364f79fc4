# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a mask moves people where it moved them, when it is given its secret again."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject

from . import mask_checks, runs, written
from .cases import Case
from .runs import Outcome

#: What both runs must have written.
NEEDED = ("OUTPUT", "KEY", "SECRET_FILE")
#: Layers that change from year to year, and methods that put people into groups.
_PUBLIC = {"CANDIDATES", "ZONES", "POPULATION", "STREETS", "CROSSINGS", "URBAN"}
_GROUPING = ("cells", "groups", 1, 2, "1", "2")


def moved(case: Case, first: Outcome) -> list[str]:
    """Run it again for some of the people, by the secret file of the first run; also for more."""
    if not {*NEEDED} <= {*first.results} or case.selected or "INPUT" not in case.given:
        return []
    given = case.given["INPUT"]
    before = _places(case, first)
    if not before:
        return []
    QgsProject.instance().addMapLayer(given.layer, False)
    ids = sorted(one.id() for one in given.layer.getFeatures())
    rng = np.random.default_rng([case.seed, case.number])
    some = [one for one in ids if rng.random() < 0.7] or ids
    # A newcomer may have to wait, and somebody who is left alone is no reason to move.
    groups = case.algorithm == "maskexchange" and case.parameters.get("METHOD") in _GROUPING
    secret = first.results["SECRET_FILE"]
    # Where others left, too few may be left in an area.
    all_again = groups or (_is_centre(case) and case.parameters.get("K_RECORDS"))
    again, second = _run(case, first, "again", ids if all_again else some, secret)
    found = _compared(case, before, again, second, secret)
    if not found and not groups and not _is_centre(case):
        found = _by_other_layers(case, first, before, rng)
    if found or not (groups or case.algorithm == "maskadaptivevoronoi"):
        return found
    fewer, early = _run(case, first, "fewer", some, None)
    before = _places(fewer, early) if early.succeeded else {}
    if not before:
        return []
    secret = early.results["SECRET_FILE"]
    grown, later = _run(case, first, "grown", ids, secret)
    return _compared(case, before, grown, later, secret)


def _is_centre(case: Case) -> bool:
    """Whether points go to the centres of areas, which are no draws and not kept."""
    centre = case.parameters.get("PLACE") not in ("random", 1, "1")
    return case.algorithm == "maskaggregate" and centre


def _by_other_layers(case: Case, first: Outcome, before: dict, rng) -> list[str]:
    """The same people, when some addresses, zones or streets are gone: nobody has moved."""
    fewer = {}
    for name in _PUBLIC & {*case.given} & {*case.parameters}:
        layer = case.given[name].layer
        QgsProject.instance().addMapLayer(layer, False)
        layer.selectByIds([one.id() for one in layer.getFeatures() if rng.random() < 0.8])
        fewer[name] = QgsProcessingFeatureSourceDefinition(layer.id(), True)
    if not fewer:
        return []
    secret = first.results["SECRET_FILE"]
    ids = sorted(one.id() for one in case.given["INPUT"].layer.getFeatures())
    again, other = _run(case, first, "other", ids, secret, fewer)
    if other.refusal:  # too few of them are left
        return []
    # Who is at no address of the list any more is withheld, and has not moved.
    found = _compared(case, before, again, other, secret)
    return [one for one in found if "are withheld now" not in one]


def _run(
    case: Case, first: Outcome, name: str, ids: list[int], secret, layers: dict | None = None
) -> tuple[Case, Outcome]:
    """Run for some of the people, with new outputs in a folder of this name, by other layers."""
    layer = case.given["INPUT"].layer
    layer.selectByIds(ids)
    folder: Path = case.folder / name
    folder.mkdir()
    of_case = {
        parameter: value
        for parameter, value in case.parameters.items()
        if parameter not in first.results or parameter in NEEDED
    }
    again = replace(
        case,
        parameters={
            **of_case,
            **(layers or {}),
            "INPUT": QgsProcessingFeatureSourceDefinition(layer.id(), True),
            "SECRET": secret,
            "OUTPUT": str(folder / "output.gpkg"),
            "KEY": str(folder / "key.gpkg"),
            "SECRET_FILE": str(folder / "secret.json"),
        },
        cancel_at=None,
    )
    return again, runs.run(again)


def _compared(case: Case, before: dict, again: Case, second: Outcome, secret) -> list[str]:
    """What is wrong with a run that was to move people where they were moved before."""
    if not second.succeeded:
        nobody = "No record can be released", "There is no record with a usable place"
        if any(one in second.refusal for one in nobody):
            return []  # of those who are left nobody was released before either
        return [f"kept: refused with its own secret: {second.refusal or second.crashed}"]
    if mask_checks.secret_of(second.results["SECRET_FILE"]) != mask_checks.secret_of(secret):
        return ["kept: the second secret file holds another secret"]
    after = _places(again, second)
    if not after:
        return []
    layer = case.given["INPUT"].layer
    slack = mask_checks.slack_of(layer, case.parameters["OUTPUT"])
    for original, place in after.items():
        if original in before and math.dist(before[original], place) > 2 * slack:
            return [f"kept: {original} was at {before[original]} and is at {place} now"]
    there = {str(one) for one in layer.selectedFeatureIds()}
    lost = {*before} & there - {*after}
    return [f"kept: {sorted(lost)[:5]} were released, and are withheld now"] if lost else []


def _places(case: Case, outcome: Outcome) -> dict[str, tuple[float, float]]:
    """Where each original is, by its feature id; nothing where a format cannot tell."""
    if case.parameters.get("ID_FIELD"):
        return {}
    layer = case.given["INPUT"].layer
    out = mask_checks.points_by_id(outcome.results["OUTPUT"], layer)
    found = {}
    for row in written.rows_of(outcome.results["KEY"]):
        try:
            number = int(float(row["masked_id"]))
            original = int(float(row.get("original_id", row.get("original_i"))))
        except (KeyError, TypeError, ValueError):
            return {}
        if out is None or number not in out:
            return {}
        found[str(original)] = out[number]
    return found
