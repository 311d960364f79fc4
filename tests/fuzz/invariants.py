# SPDX-License-Identifier: GPL-2.0-or-later
"""What holds for every run of every algorithm.

Each check yields findings, texts that begin with a word for what was broken.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from . import recounts, texts, written
from .cases import Case
from .places import THEIRS
from .runs import Outcome
from .tables import SECRET

#: Files that a format keeps beside the one that is named, which it may write or remove.
_KIN = {
    ".shp": ".shp .shx .dbf .prj .cpg .qpj .qix .sbn .sbx .idm .ind .shp.xml .qmd".split(),
    ".dbf": ".shp .shx .dbf .prj .cpg".split(),
    ".tab": ".tab .dat .map .id .ind".split(),
    ".mif": ".mif .mid".split(),
    ".csv": ".csv .csvt .prj".split(),
    ".gml": ".gml .xsd .gfs".split(),
}
#: Methods that release values as they are, as their help says; by number too.
_SWAPS = ("cell_swapping", "rhs", "data_shuffling", 2, 3, 4, "2", "3", "4")
#: Masks that release at addresses of a list.
_AT_ADDRESSES = {
    "exchangeattackreport",
    "maskanonymisereport",
    "maskexchange",
    "masklocationswap",
}
#: Files that are given beside layers.
_INPUT_FILES = ("matrix.", "shares.json", "secret.json", "raster.")
#: What a model adds to its results.
_MODEL_KEYS = {"CHILD_RESULTS", "CHILD_INPUTS"}


def broken(case: Case, outcome: Outcome, algorithm) -> list[str]:
    """Everything that is wrong with a run."""
    found = [
        *_unexpected(outcome),
        *_log(case, outcome),
        *_progress(outcome),
        *_files(case, outcome),
    ]
    if outcome.succeeded:
        found += [
            *_results(case, outcome, algorithm),
            *_reports(outcome, algorithm),
            *_leaks(case, outcome, algorithm),
            *recounts.wrong(case, outcome),
        ]
    return list(dict.fromkeys(found))


def _unexpected(outcome: Outcome) -> Iterator[str]:
    if outcome.crashed:
        yield "traceback: " + outcome.crashed
    for message in outcome.logged:
        if "Traceback" in message:
            yield "traceback: " + message
    for text in outcome.warnings:
        yield "warning: " + text


def _log(case: Case, outcome: Outcome) -> Iterator[str]:
    spoiled = any(one.startswith("spoiled") for one in case.odd)
    if outcome.refusal:
        for fault in texts.sentence_faults(outcome.refusal.replace(str(case.folder), "…")):
            if not (fault.startswith("shows no number") and spoiled):
                yield f"refusal {fault}: {outcome.refusal}"
    for text in [*outcome.said, *outcome.errors]:
        for fault in texts.said_faults(text):
            if not (fault.startswith("shows no number") and spoiled):  # it may quote the value
                yield f"log {fault}: {text}"


def _progress(outcome: Outcome) -> Iterator[str]:
    highest = 0.0
    for percent in outcome.progress:
        if not 0.0 <= percent <= 100.0:
            yield f"progress: {percent}"
        if percent < highest - 1e-6:
            yield f"progress falls from {highest:.4f} to {percent:.4f}"
            return
        highest = max(highest, percent)


# --- files ------------------------------------------------------------------------------------


def _files(case: Case, outcome: Outcome) -> Iterator[str]:
    inputs = {str(one.path.relative_to(case.folder)) for one in case.given.values() if one.path}
    # A model's steps publish one by one, and the first may have when the second is refused. An
    # experiment hands over, when it is cancelled, what it has got so far.
    done = outcome.results or any(":" in name for name in case.parameters)
    allowed = _named(case, outcome) if done else set()
    for name in {*outcome.before, *outcome.after}:
        before, after = outcome.before.get(name), outcome.after.get(name)
        if before == after:
            continue
        if ".geoanon-" in name:
            yield f"draft left: {name}"
        elif _stem_in(name, inputs) or name.startswith(_INPUT_FILES):
            yield f"input {'changed' if after is not None else 'lost'}: {name}"
        elif name.lower() not in allowed:
            what = "lost" if after is None else "changed" if before is not None else "new"
            why = "" if outcome.succeeded else " by a run that failed or was cancelled"
            yield f"file {what}{why}: {name}"


def _stem_in(name: str, inputs: set[str]) -> bool:
    return any(Path(name).stem.lower() == Path(one).stem.lower() for one in inputs)


def _named(case: Case, outcome: Outcome) -> set[str]:
    """Names of files that the outputs may have written, small."""
    names = set()
    results = outcome.results or {}
    asked = [value for name, value in case.parameters.items() if name in results or ":" in name]
    for value in [*asked, *results.values()]:
        path = written.path_of(value)
        if path is None or path.parent != case.folder:
            continue
        for ending in _KIN.get(path.suffix.lower(), [path.suffix]):
            names.add(path.with_name(path.name[: len(path.name) - len(path.suffix)] + ending).name)
    return {name.lower() for name in names}


# --- results ----------------------------------------------------------------------------------


def _results(case: Case, outcome: Outcome, algorithm) -> Iterator[str]:
    declared = {one.name(): one for one in algorithm.outputDefinitions()}
    for name in {*outcome.results} - {*declared} - _MODEL_KEYS:
        yield f"result that is not declared: {name}"
    for name, definition in declared.items():
        value = outcome.results.get(name)
        if definition.type() == "outputNumber":
            if isinstance(value, float) and not math.isfinite(value):
                yield f"number {name} is {value}"
            if value is not None and not isinstance(value, (int, float)):
                yield f"number {name} is {value!r}"
    for one in algorithm.destinationParameterDefinitions():
        name = one.name()
        asked = case.parameters.get(name)
        if asked and name not in outcome.results:
            yield f"output missing: {name} is not among the results"
        elif asked:
            yield from _there(name, asked, outcome.results[name], one.type() == "sink")


def _there(name: str, asked, result, is_layer: bool) -> Iterator[str]:
    path = written.path_of(result)
    if path is not None and (is_layer or path.is_absolute()):
        if not path.exists() and not (is_layer and written.layer_of(result)):
            yield f"output missing: {name} is said to be {result}, which is not there"
            return
        if asked != "TEMPORARY_OUTPUT" and not _same_place(Path(asked), path):
            yield f"output elsewhere: {name} was to be {asked} and is {path}"
        if path.is_file() and path.read_bytes() == THEIRS:
            yield f"output missing: {name} is still the user's file of before"
    if is_layer and written.layer_of(result) is None:
        yield f"output does not load: {name} ({result})"


def _same_place(asked: Path, made: Path) -> bool:
    if asked == made:
        return True
    endings = (asked.suffix.lower(), made.suffix.lower())
    if endings == (".shp", ".dbf"):
        return asked.with_suffix("") == made.with_suffix("")
    return made.name == asked.name + ".gpkg"  # what QGIS does with an ending it does not know


def _reports(outcome: Outcome, algorithm) -> Iterator[str]:
    for result in outcome.results.values():
        path = written.path_of(result)
        if path is None or not path.is_file():
            continue
        if path.suffix == ".json":
            text = path.read_text(encoding="utf-8")
            if '"FeatureCollection"' not in text:
                yield from texts.json_faults(text)
        elif path.suffix == ".html":
            yield from texts.html_faults(path.read_text(encoding="utf-8"))


# --- secrets ------------------------------------------------------------------------------------


def _leaks(case: Case, outcome: Outcome, algorithm) -> Iterator[str]:
    people = [one for one in case.given.values() if _names_people(one.table)]
    chosen = re.sub(
        r"[\W]",
        " ",
        str(
            [
                value
                for name, value in case.parameters.items()
                if name not in case.given and isinstance(value, (str, list))
            ]
        ),
    ).lower()
    named = "patient_na" in chosen
    swapped = "USE_GEOMETRY" in case.parameters and case.parameters.get("METHOD") in _SWAPS
    coordinates = (
        []
        if swapped or "wkt" in chosen.split()
        else [one for table in people for one in _distinct_coordinates(table.table)]
    )
    if "MASKED_KEY" in case.given:
        coordinates = []  # the points of a mask stay as they are
    points = "INPUT" if "INPUT" in case.given else "POINTS"
    if case.algorithm in _AT_ADDRESSES and "CANDIDATES" in case.given:
        # Whoever lives there, an address of the public list is no secret.
        listed = {
            value for one in case.given["CANDIDATES"].table.shapes if one for value in one[:2]
        }
        coordinates = [one for one in coordinates if one not in listed]
        if case.given["CANDIDATES"].table.crs != case.given[points].table.crs:
            coordinates = []  # brought here, an address has all the digits of a record's now and then
    if "KEEP_INSIDE" in case.parameters and not {"STREETS", "CROSSINGS"} & set(case.given):
        # As published: the foot on a border that runs along an axis keeps a coordinate. The
        # report says that this mask can be reversed.
        coordinates = []
    for one in algorithm.destinationParameterDefinitions():
        result = outcome.results.get(one.name())
        if not one.description().startswith("Release: ") or not result:
            continue
        data = _all_bytes(result)
        if SECRET.encode() in data and not named:
            yield f"leak: {one.name()} holds names of people"
        if b"original_id" in data and not any(
            "original_id" in dict(given.table.fields) for given in case.given.values()
        ):
            yield f"leak: {one.name()} holds original_id"
        if any(
            struct.pack("<d", value) in data or repr(value).encode() in data
            for value in coordinates
        ):
            yield f"leak: {one.name()} holds coordinates of the originals"


def _names_people(table) -> bool:
    return "patient_name" in dict(table.fields)


def _distinct_coordinates(table) -> list[float]:
    """Coordinates that come by no other way into a release than from a person's place."""
    if table.kind != "Point" or set(table.traits) - {"uniform", "clusters"}:
        return []
    if len(table) < 3:
        return []
    flat = [value for one in table.shapes for value in one[:2]]
    return [one for one in flat if abs(one) < 1e8 and flat.count(one) == 1 and one % 1]


def _all_bytes(result) -> bytes:
    path = written.path_of(result)
    if path is not None:
        return b"".join(written.bytes_of(one) for one in written.family_of(path))
    texts_of = [str(written.rows_of(result)), str(written.first_points(result))]
    return " ".join(texts_of).encode()
