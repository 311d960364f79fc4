# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether the seed repeats a run."""

from __future__ import annotations

from . import runs, written
from .cases import Case
from .runs import Outcome


def differing(case: Case, first: Outcome, algorithm) -> list[str]:
    """Run it again: what is released must be the same."""
    kept = _releases(first, algorithm)
    second = runs.run(case)
    if "would replace" in second.refusal:
        return []  # the .dbf of a table that was to be a .shp may be anybody's
    if not second.succeeded:
        return [f"repeat: the second run was refused: {second.refusal or second.crashed}"]
    again = _releases(second, algorithm)
    return [
        f"repeat: {name} differs with the same seed"
        for name in kept
        if kept[name] != again.get(name)
    ]


def _releases(outcome: Outcome, algorithm) -> dict[str, object]:
    found = {}
    for one in algorithm.destinationParameterDefinitions():
        result = outcome.results.get(one.name())
        if result is None or not one.description().startswith("Release: "):
            continue
        if one.type() == "sink":
            found[one.name()] = str((written.rows_of(result), written.first_points(result)))
        elif written.path_of(result).suffix != ".npz":  # a zip holds the time
            found[one.name()] = written.bytes_of(written.path_of(result))
    return found
