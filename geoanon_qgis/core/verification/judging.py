# SPDX-License-Identifier: GPL-2.0-or-later
"""Holds what lies in a folder against what a report says was judged, and what is private."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .digests import Digest, opened
from .folder import Entry
from .signs import Signs, of_private_outputs

#: What becomes of a file: it is the one that was judged; it is called as that one and is another;
#: it was judged and is not there; nobody has judged it; it is private; it holds others.
JUDGED, CHANGED, MISSING, UNKNOWN, PRIVATE, ARCHIVE = (
    "judged",
    "changed",
    "missing",
    "unknown",
    "private",
    "archive",
)
#: Further reasons why a file is private, besides its signs: its bytes, its name, where it lies.
SAME, NAMED, DRAFT, SOURCE = "same", "named", "draft", "source"

_LARGEST_REPORT = 512 << 20
_DRAFT = ".geoanon-"


@dataclass(frozen=True)
class Known:
    """A file that a report tells of.

    Attributes
    ----------
    label : str
        The output's or input's description.
    name : str
    sha256, content_sha256 : str
        Empty where they were not taken.
    """

    label: str
    name: str
    sha256: str
    content_sha256: str = ""

    def is_same(self, digest: Digest | None) -> bool:
        """Tell whether a file has these bytes, but for the counters of a database."""
        if digest is None or not self.sha256:
            return False
        return self.sha256 == digest.sha256 or (
            bool(self.content_sha256) and self.content_sha256 == digest.content_sha256
        )

    def is_called(self, name: str) -> bool:
        """Tell whether a path ends with this file's name, in any spelling."""
        mine, theirs = _folded(self.name), _folded(name)
        return theirs == mine or theirs.endswith("/" + mine)


@dataclass(frozen=True)
class Told:
    """What a report tells of a run.

    Attributes
    ----------
    title, written : str
        Of the run, and when the report was written.
    judged : tuple of Known
        What was released, or what an attack was run on.
    private : tuple of Known
        Private outputs.
    sources : tuple of Known
        What was read and is no release.
    unhashed : tuple of str
        What was judged and has no bytes to compare: layers in memory and in databases, and those
        that were not the whole of their file.
    signs : Signs
    decision : str
        The report's own verdict on what was judged; empty where it has none.
    """

    title: str
    written: str
    judged: tuple[Known, ...]
    private: tuple[Known, ...]
    sources: tuple[Known, ...]
    unhashed: tuple[str, ...]
    signs: Signs = field(default_factory=Signs)
    decision: str = ""


@dataclass(frozen=True)
class Finding:
    """What becomes of a file.

    Attributes
    ----------
    name : str
        Path in the folder; of a missing file its name in the report.
    state : str
    why : tuple of (str, str)
        Reasons: what was met, and what it is called. The problem of a file that was not read.
    digest : Digest or None
    """

    name: str
    state: str
    why: tuple[tuple[str, str], ...] = ()
    digest: Digest | None = None


class NoReport(Exception):
    """The file is no report of ours."""


class OldReport(Exception):
    """The report has no hashes in it."""


def told_by(path: str, columns: Iterable[str]) -> Told:
    """Read what a report's JSON tells.

    Parameters
    ----------
    path : str
    columns : iterable of str
        Names of fields that only private outputs have.

    Raises
    ------
    OSError
        If it cannot be read.
    NoReport, OldReport
    """
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size > _LARGEST_REPORT:
            raise NoReport("too large")
        text = file.read()
    try:
        report = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NoReport("no JSON") from error
    if not isinstance(report, dict) or report.get("format") != "geoanon-report":
        raise NoReport("another JSON")
    if not isinstance(report.get("audit"), dict):
        raise OldReport("without an audit")
    try:
        verdict = report.get("verdict") or {}
        return _told(report["audit"], set(columns), str(verdict.get("decision", "")))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise NoReport("not as we write it") from error


def findings(told: Told, entries: Iterable[Entry]) -> list[Finding]:
    """Return what becomes of every file, and which that were judged are missing."""
    found: list[Finding] = []
    there: set[int] = set()
    for entry in entries:
        reasons = _private(told, entry)
        same = [one for one in told.judged if one.is_same(entry.digest)]
        called = [one for one in told.judged if one.is_called(entry.name)]
        there.update(id(one) for one in (*same, *called))
        if reasons:
            found.append(Finding(entry.name, PRIVATE, tuple(reasons), entry.digest))
        elif same:
            why = () if any(one in called for one in same) else ((NAMED, same[0].name),)
            found.append(Finding(entry.name, JUDGED, why, entry.digest))
        elif any(one.sha256 for one in called):
            found.append(Finding(entry.name, CHANGED, ((NAMED, called[0].label),), entry.digest))
        else:
            state = ARCHIVE if entry.members and not entry.problem else UNKNOWN
            problem = ((entry.problem, ""),) if entry.problem else ()
            found.append(Finding(entry.name, state, problem, entry.digest))
    found += [
        Finding(one.name, MISSING, ((NAMED, one.label),))
        for one in told.judged
        if id(one) not in there
    ]
    return found


def _private(told: Told, entry: Entry) -> list[tuple[str, str]]:
    reasons = [(SAME, one.label) for one in told.private if one.is_same(entry.digest)]
    reasons += [(SOURCE, one.label) for one in told.sources if one.is_same(entry.digest)]
    if any(part.startswith(_DRAFT) for part in entry.name.split("/")):
        reasons.append((DRAFT, ""))
    judged = any(one.is_same(entry.digest) or one.is_called(entry.name) for one in told.judged)
    if not reasons and not judged:
        reasons += [(NAMED, one.label) for one in told.private if one.is_called(entry.name)]
    return list(dict.fromkeys([*reasons, *entry.signs]))


def _told(audit: Mapping[str, Any], columns: set[str], decision: str) -> Told:
    outputs, inputs = audit["outputs"], audit["inputs"]
    released = [one for one in outputs if one["release"]]
    private = [one for one in outputs if not one["release"]]
    judged = [one for one in inputs if one.get("judged")]
    others = [one for one in inputs if not one.get("judged")]
    fields = {name for one in released for name in one["fields"]}
    places = {
        str(one["place"]): str(one["label"])
        for one in (*others, *private)
        if Path(str(one.get("place", ""))).is_absolute()
    }
    groups = of_private_outputs([(one["label"], one["fields"]) for one in private], fields)
    return Told(
        str(audit["title"]),
        str(audit["written"]),
        tuple(_files([*released, *judged])),
        tuple(_files(private)),
        tuple(_files(others)),
        tuple(str(one["label"]) for one in (*released, *judged) if not one["files"]),
        Signs(tuple(sorted(columns - fields)), groups, places),
        decision,
    )


def _files(told: Iterable[Mapping[str, Any]]) -> Iterable[Known]:
    for one in told:
        names = [
            (file["name"], file["sha256"], file.get("content_sha256", ""))
            for file in one.get("files", ())
        ]
        if not names and one.get("kind") == "file":  # written after its report: known by name
            names = [(Path(str(one["place"])).name, "", "")]
        for name, sha256, content in names:
            yield Known(str(one["label"]), str(name), str(sha256), str(content))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
