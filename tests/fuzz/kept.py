# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a mask moves people where it moved them, when it is given its secret again."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from qgis.core import QgsProcessingFeatureSourceDefinition, QgsProject

from . import mask_checks, runs, written
from .cases import Case
from .runs import Outcome

#: What both runs must have written.
NEEDED = ("OUTPUT", "KEY", "SECRET_FILE")


def moved(case: Case, first: Outcome) -> list[str]:
    """Run it again for some of the people, by the secret file of the first run."""
    if not {*NEEDED} <= {*first.results} or case.selected or "INPUT" not in case.given:
        return []
    before = _places(case, first)
    if not before:
        return []
    given = case.given["INPUT"]
    QgsProject.instance().addMapLayer(given.layer, False)
    ids = sorted(one.id() for one in given.layer.getFeatures())
    rng = np.random.default_rng([case.seed, case.number])
    some = [one for one in ids if rng.random() < 0.7] or ids
    # None joins of a group that waits, and who is alone in it is not released: all of them then.
    whole = case.parameters.get("METHOD") in ("cells", "groups", 1, 2, "1", "2")
    given.layer.selectByIds(ids if whole else some)
    folder = case.folder / "again"
    folder.mkdir()
    again = replace(
        case,
        parameters={
            **{
                name: value
                for name, value in case.parameters.items()
                if name not in first.results or name in NEEDED
            },
            "INPUT": QgsProcessingFeatureSourceDefinition(given.layer.id(), True),
            "SECRET": first.results["SECRET_FILE"],
            "OUTPUT": str(folder / "output.gpkg"),
            "KEY": str(folder / "key.gpkg"),
            "SECRET_FILE": str(folder / "secret.json"),
        },
        cancel_at=None,
    )
    second = runs.run(again)
    if not second.succeeded:
        if whole or "No record can be released" not in second.refusal:
            return [f"kept: refused with its own secret: {second.refusal or second.crashed}"]
        return []
    if mask_checks.secret_of(second.results["SECRET_FILE"]) != mask_checks.secret_of(
        first.results["SECRET_FILE"]
    ):
        return ["kept: the second secret file holds another secret"]
    after = _places(again, second)
    if not after:
        return []
    slack = mask_checks.slack_of(given.layer, first.results["OUTPUT"])
    for original, place in after.items():
        if original in before and math.dist(before[original], place) > 2 * slack:
            return [f"kept: {original} was at {before[original]} and is at {place} now"]
    if case.algorithm not in ("maskexchange",) and {*after} - {*before}:
        return [f"kept: {sorted({*after} - {*before})[:5]} were withheld, and are released now"]
    lost = ({*before} & {str(one) for one in (ids if whole else some)}) - {*after}
    if lost:
        return [f"kept: {sorted(lost)[:5]} were released, and are withheld now"]
    return []


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
